"""The session: documents, commands, answers; no window."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.explain.subjects import GapId
from engine.settings import Settings
from engine.structure.constraints import Attachment, FixedTag, GapTag
from engine.structure.dependencies import Relation
from explorer.pictures.facts import facts_of
from explorer.session.document import Document, SessionError, TextLine, save_document
from explorer.session.files import load_document
from explorer.session.session import Session
from explorer.session.statuses import FAILED, PARSED
from explorer.window.manual import manual_folder
from tests.stage_names import CHART, ESTIMATES, GAPS, PARSE, REDUCED, stepping

SAW = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
SMITH = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD "
    "his/PRP$ resignation/NN yesterday/NN ./."
)


def answered(qtbot: QtBot, session: Session) -> None:
    """Wait for the answer to what is in the document now."""
    qtbot.waitUntil(
        lambda: session.parses.is_current and session.parses.result is not None and session.parses.result.full,
        timeout=10_000,
    )


@pytest.fixture
def session(qtbot: QtBot, classroom_path: Path) -> Iterator[Session]:
    made = Session()
    made.loader.open_model(classroom_path, undoable=False)
    qtbot.waitUntil(lambda: made.parses.model is not None)
    made.editor.edit_text(SAW)
    answered(qtbot, made)
    yield made
    made.close()


def test_the_session_that_the_manual_shows_can_be_opened_and_has_every_key(tmp_path: Path) -> None:
    page = (manual_folder() / "formats.md").read_text(encoding="utf-8")
    shown = page.partition("```json\n")[2].partition("```")[0]
    path = tmp_path / "shown.session.json"
    path.write_text(shown, encoding="utf-8")
    document = load_document(path)[0]
    assert [len(line.what_ifs) for line in document.lines] == [1, 0] and document.preset == 5
    assert isinstance(document.lines[0].what_ifs[0], Attachment) and document.lines[1].place == "own.ptb, tree 3"
    save_document(document, path)
    written = json.loads(path.read_text(encoding="utf-8"))
    told = page.partition("Its keys:")[2].partition("## Folders")[0]
    for key in (written.keys() | written["lines"][0].keys() | written["lines"][1].keys()) - {"format", "version"}:
        assert f"`{key}`" in told, key


def test_typing_gives_an_answer_with_chart_and_alternatives(session: Session) -> None:
    assert session.parses.result is not None
    parse = session.parses.result.parse
    assert parse.chart is not None and len(parse.alternatives) > 1
    assert session.parses.result.ledger().total == pytest.approx(parse.log_probability, abs=1e-9)
    assert session.statuses[session.editor.line].mark == PARSED


def test_who_looks_at_the_chart_sees_it_before_the_rest_is_found(qtbot: QtBot, session: Session) -> None:
    told = []
    session.parses.result_changed.connect(lambda: told.append(session.parses.result))
    session.view.set_rank(1)
    session.editor.set_settings(beam=500.0)
    answered(qtbot, session)
    assert [one.full for one in told if one is not None] == [True]
    told.clear()
    session.view.set_stage(CHART)
    session.editor.set_settings(beam=40.0)
    answered(qtbot, session)
    first, full = told
    assert first is not None and full is not None and full.full and not first.full
    assert first.parse.chart is not None and first.parse.chart is full.parse.chart
    assert first.parse.settings.beam == 40.0 and len(first.parse.alternatives) == 1 < len(full.parse.alternatives)
    assert facts_of(first.parse).chart is facts_of(full.parse).chart
    # The alternative that was chosen is shown again as soon as it is there.
    assert session.view.rank == 1 and session.parses.shown is full.parse.alternatives[1]


def test_typing_is_one_change_that_undo_takes_back(qtbot: QtBot, session: Session) -> None:
    session.editor.undo_stack.clear()
    for end in range(1, 8):
        session.editor.edit_text(SAW + " " + "x/NN"[:end])
    assert session.editor.undo_stack.count() == 1
    session.editor.undo_stack.undo()
    assert session.editor.line.text == SAW
    answered(qtbot, session)


def test_a_slider_merges_and_other_settings_do_not(session: Session) -> None:
    session.editor.undo_stack.clear()
    for beam in (900.0, 500.0, 20.0):
        session.editor.set_settings(beam=beam)
    session.editor.set_settings(lexical=False)
    assert session.editor.undo_stack.count() == 2
    session.editor.undo_stack.undo()
    assert session.editor.settings.beam == 20.0 and session.editor.settings.lexical
    session.editor.undo_stack.undo()
    assert session.editor.settings.beam == 1000.0


def test_outdated_answers_never_appear(qtbot: QtBot, session: Session) -> None:
    shown: list[float] = []
    session.parses.result_changed.connect(lambda: shown.append(session.parses.result.request.settings.beam))  # type: ignore[union-attr]
    for beam in range(2, 40):
        session.editor.set_settings(beam=float(beam))
    answered(qtbot, session)
    assert set(shown) == {39.0}


def test_a_forced_attachment_has_a_price_and_can_be_lifted(qtbot: QtBot, session: Session) -> None:
    assert session.parses.shown is not None and session.parses.result is not None
    heads = session.parses.shown.heads()
    other = 3 if heads[4] == 1 else 1
    session.editor.add_what_if(Attachment(4, other))
    answered(qtbot, session)
    assert session.parses.shown.heads()[4] == other
    assert session.parses.result.price < 0
    assert session.parses.result.prices == pytest.approx((-session.parses.result.price,))
    assert math.fsum(line.difference for line in session.parses.result.moved()) == pytest.approx(
        session.parses.result.price
    )
    session.editor.lift(session.editor.line.what_ifs)
    answered(qtbot, session)
    assert session.parses.shown.heads() == heads
    session.editor.undo_stack.undo()
    assert session.editor.line.what_ifs == (Attachment(4, other),)


def test_a_new_what_if_replaces_the_one_about_the_same_thing(session: Session) -> None:
    session.editor.add_what_if(GapTag(3, "C"))
    session.editor.add_what_if(GapTag(3, "B"))
    session.editor.add_what_if(Attachment(4, 1))
    session.editor.add_what_if(Attachment(4, 3))
    session.editor.add_what_if(FixedTag(1, "NN"))
    session.editor.add_what_if(Attachment(6, 1, forbid=True))
    session.editor.add_what_if(Attachment(6, 3, forbid=True))
    assert session.editor.line.what_ifs == (
        GapTag(3, "B"),
        Attachment(4, 3),
        FixedTag(1, "NN"),
        Attachment(6, 1, forbid=True),
        Attachment(6, 3, forbid=True),
    )


def test_an_impossible_what_if_says_why_and_keeps_what_is_shown(qtbot: QtBot, session: Session) -> None:
    before = session.parses.result
    session.editor.add_what_if(Attachment(2, 0))
    qtbot.waitUntil(lambda: bool(session.parses.problem))
    assert "no parse has `the` → `Mary`" in session.parses.problem
    assert session.parses.result is before and session.statuses[session.editor.line].mark == FAILED
    session.editor.undo_stack.undo()
    answered(qtbot, session)
    assert session.parses.problem == ""


def test_stepping_goes_through_the_steps_and_the_stages(session: Session) -> None:
    navigator = stepping(session)
    session.view.set_stage(GAPS)
    navigator.step(True)
    assert session.view.selection == GapId(1)
    for _ in range(5):
        navigator.step(True)
    assert session.view.selection == GapId(6)
    navigator.step(True)
    assert session.view.stage == REDUCED and session.view.selection is None
    navigator.step(False)
    assert session.view.stage == GAPS and session.view.selection == GapId(6)
    session.view.set_stage(CHART)
    session.view.set_chart_step(0)
    navigator.step(True)
    assert session.view.chart_step == 1
    navigator.step(False)
    navigator.step(False)
    assert session.view.stage == ESTIMATES
    session.view.set_stage(PARSE)
    session.view.select(navigator.steps()[-1])
    assert not navigator.step(True)


def test_a_bad_model_leaves_the_old_one(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    bad = tmp_path / "bad.model"
    bad.write_bytes(b"PARSEXP\nrubbish")
    old = session.parses.model
    with qtbot.waitSignal(session.messages.posted) as told:
        session.loader.open_model(bad)
    assert told.args[1] and str(bad) in told.args[0]
    assert session.parses.model is old and session.editor.document.model != str(bad)


def test_another_model_can_be_undone(qtbot: QtBot, session: Session, classroom_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.model"
    copy.write_bytes(classroom_path.read_bytes())
    old = session.parses.model
    session.loader.open_model(copy)
    qtbot.waitUntil(lambda: session.parses.model is not old)
    answered(qtbot, session)
    session.editor.undo_stack.undo()
    assert session.parses.model is old
    answered(qtbot, session)


def test_a_file_of_sentences_goes_to_the_list(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text(f"{SMITH}\n\n{SAW}\n", encoding="utf-8")
    session.loader.open_text(file)
    qtbot.waitUntil(lambda: len(session.editor.document.lines) == 3)
    assert session.editor.document.current == 1 and session.editor.line.place == "some.txt, line 1"
    answered(qtbot, session)
    session.editor.undo_stack.undo()
    assert [line.text for line in session.editor.document.lines] == [SAW]


def test_a_cancelled_load_changes_nothing(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text(f"{SAW}\n" * 50_000, encoding="utf-8")
    before = session.editor.document
    job = session.loader.open_text(file)
    session.tasks.cancel()
    assert job.cancelled
    qtbot.waitUntil(lambda: session.tasks.idle, timeout=5000)
    assert session.editor.document is before


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "there is no sentence in"),
        (b"\xff\xff\xff\xffabc", "not UTF-8"),
        (b"(S (NP (NNP John))\n", "lacks 1 closing"),
        (b"a\x00b", "line 1, byte 2: the character is NUL"),
    ],
)
def test_a_bad_file_is_named(qtbot: QtBot, session: Session, tmp_path: Path, content: bytes, part: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    before = session.editor.document
    with qtbot.waitSignal(session.messages.posted) as told:
        session.loader.open_text(file)
    assert told.args[1] and part in told.args[0] and "bad.txt" in told.args[0]
    assert session.editor.document is before


def test_a_document_comes_back_from_its_file(tmp_path: Path) -> None:
    document = Document(
        "some.model",
        2,
        Settings.preset(2, beam=math.inf, distance="order"),
        (
            TextLine("a/DT"),
            TextLine("b/NN c/VB", (GapTag(1, "S"), Attachment(0, 1, Relation("NP", "S", "VP"), True)), "f, line 2"),
        ),
        1,
    )
    path = tmp_path / "session.json"
    save_document(document, path)
    assert load_document(path)[0] == document


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"format": "x"}, "not a session file"),
        ({"version": 99}, "format 99"),
        ({"lines": [{"texts": ""}]}, "a part of the session is missing or wrong"),
        ({"preset": 77}, "no preset 77"),
        ({"current": 5}, "sentence 5 of 1"),
        ({"lines": [{"text": "a", "what_ifs": [{"kind": "magic"}]}]}, "magic"),
    ],
)
def test_a_damaged_session_file_says_what_is_wrong(tmp_path: Path, change: dict[str, object], part: str) -> None:
    path = tmp_path / "session.json"
    stored = Document(lines=(TextLine("a/DT"),)).as_dict()
    path.write_text(json.dumps({**stored, **change}), encoding="utf-8")
    with pytest.raises(SessionError, match=part):
        load_document(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SessionError, match="not a session file"):
        load_document(path)
