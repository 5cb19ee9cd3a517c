"""A stage that is declared is in the whole window: strip, keys, table, player, exports, prints, sessions, lessons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.chart.parse import Parse
from engine.explain.subjects import Subject, WordId
from explorer.classroom.lesson_file import lesson_text, parse_lesson
from explorer.kit.tables import Row
from explorer.output.export import ExportDialog
from explorer.output.files import write_parse
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.layout import UNLIMITED, Room, WordColumns
from explorer.pictures.sentence import sentence_picture
from explorer.pictures.theme import LIGHT
from explorer.session.document import save_document
from explorer.session.files import load_document
from explorer.stages.stage import Picture, TableStage
from explorer.stages.stages import STAGES, count_in_words, number_of, stage_named
from explorer.window.manual import manual_folder
from tests.explorer.window_driver import Driver
from tests.stage_names import GAPS, NAMES, PARSE, SENTENCE


def lengths_picture(
    parse: Parse, metrics: Metrics, columns: WordColumns | None = None, room: Room = UNLIMITED
) -> Drawing:
    """The words of a sentence, under another title."""
    return replace(sentence_picture(parse, metrics, columns=columns, room=room), title="Lengths")


class LengthsStage(TableStage):
    """How long every word is."""

    name = "lengths"
    title = "Lengths"
    tip = "How many letters every word has"
    caption = "Words have letters."
    pictures = (Picture("lengths", "Lengths of words", lengths_picture),)
    table_title = "Letters"
    header = ("word", "letters")
    right = (1,)

    @classmethod
    def steps(cls, parse: Parse) -> Sequence[Subject]:
        """The first word alone."""
        return [WordId(0)]

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The words."""
        return lengths_picture(parse, metrics, columns, room)

    def rows(self, parse: Parse) -> list[Row]:
        """One row a word."""
        words = enumerate(parse.sentence.proper_words)
        return [Row((word, str(len(word))), WordId(position)) for position, word in words]


@pytest.fixture
def driver(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> Iterator[Driver]:
    """A window of a version with one stage more, between the first and the second."""
    STAGES.insert(1, LengthsStage)
    try:
        made = Driver(qtbot, tmp_path / "home")
        made.load(classroom_path)
        yield made
        made.close()
    finally:
        STAGES.remove(LengthsStage)


def test_strip_keys_table_and_text_have_it(driver: Driver) -> None:
    window = driver.window
    assert [button.text() for button in window.stage_strip.buttons][:3] == ["Sentence", "Lengths", "Gaps"]
    action = window.named_actions["stage-2"]
    assert action.text() == "2  Lengths" and action.shortcut().toString() == "Alt+2"
    assert action.statusTip() == LengthsStage.tip
    last = len(STAGES)
    assert window.named_actions[f"stage-{last}"].text() == f"{last}  Parse"
    driver.do("stage-2")
    driver.settle()
    assert action.isChecked() and driver.canvas.drawing is not None and driver.canvas.drawing.title == "Lengths"
    assert window.stages.tabs.tabText(0) == "Letters"
    rows = window.stages.picture.of(LengthsStage).table.rows_model.rows
    assert [row.cells for row in rows][:2] == [("Mary", "4"), ("saw", "3")]


def test_the_player_steps_through_it(driver: Driver) -> None:
    view, navigator = driver.session.view, driver.window.stages.navigator
    view.set_stage(SENTENCE)
    view.select(navigator.steps()[-1])
    places = []
    for _ in range(3):
        driver.do("step-forward")
        places.append((view.stage, view.selection))
    assert places == [("lengths", None), ("lengths", WordId(0)), (GAPS, None)]
    driver.do("previous-stage")
    assert view.stage == "lengths"


def test_it_is_exported_and_printed(driver: Driver, tmp_path: Path) -> None:
    driver.do("stage-2")
    driver.settle()
    result = driver.session.parses.result
    assert result is not None
    path = tmp_path / "lengths.svg"
    write_parse(result.parse, path, LIGHT, "lengths")
    assert "telescope" in path.read_text(encoding="utf-8")
    titles = [printout.title for printout in driver.window.features.print.printouts()]
    assert titles[0] == "Lengths" and f"All {count_in_words().lower()} stages" in titles
    driver.do("export")
    dialog = driver.window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog) and dialog.fields["what"].currentText() == "Lengths of words"
    dialog.reject()


def test_sessions_and_lessons_name_it_and_the_presenter_tells_of_it(driver: Driver, tmp_path: Path) -> None:
    driver.do("stage-2")
    path = tmp_path / "session.json"
    driver.save_to(path)
    assert json.loads(path.read_text(encoding="utf-8"))["stage"] == "lengths"
    lesson = parse_lesson("# Words\n\n## One\n\n- sentence: I/PRP saw/VBD it/PRP\n- stage: lengths\n")
    assert lesson.steps[0].stage == "lengths" and "- stage: lengths" in lesson_text(lesson)
    driver.do("present-window")
    presenter = driver.window.features.classroom.presenter.window
    assert presenter is not None and presenter.presentation.stage_caption == LengthsStage.caption
    assert presenter.presentation.place == f"2 of {len(STAGES)}" and presenter.presentation.title == "Lengths"
    driver.window.features.classroom.presenter.leave()


def test_a_stage_of_another_version_is_taken_for_the_last(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    save_document(driver.session.editor.document, path, {"stage": "of another version"})
    driver.session.restore(*load_document(path))
    driver.settle()
    assert driver.window.stages.stage.name == PARSE and driver.window.named_actions[f"stage-{len(STAGES)}"].isChecked()
    driver.do("step-back")
    assert stage_named(driver.session.view.stage).name in (PARSE, STAGES[-2].name)


def test_sessions_of_before_have_numbers(driver: Driver, tmp_path: Path) -> None:
    for number in range(len(NAMES)):
        path = tmp_path / "session.json"
        save_document(driver.session.editor.document, path, {"stage": number})
        assert load_document(path)[1] == NAMES[number]


def test_the_manual_has_a_section_for_each() -> None:
    page = (manual_folder() / "tour.md").read_text(encoding="utf-8")
    for stage in STAGES:
        section = page.partition(f"\n### {number_of(stage.name)}. {stage.title}\n")[2].partition("\n#")[0]
        assert f"`{stage.name}`: " in section, stage.title
