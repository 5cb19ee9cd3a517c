"""Files of every format that the program has had: they work, or the program says which version made them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import engine
from engine.common.errors import EngineError, ModelError
from engine.gate.array_file import read_arrays, write_arrays
from engine.study.journal import Journal
from explorer.classroom.answers import read_result
from explorer.classroom.lesson_file import read_lesson
from explorer.kit.store import Store
from explorer.session.files import load_document, read_session
from tests.kept.layouts import BEGUN, DOCUMENT, FORMATS, KEPT, LAYOUTS, MEASURED, RESULT, layout, written


def kept(name: str) -> list[Path]:
    """All that is kept of a format."""
    form = FORMATS[name]
    found = sorted(KEPT.glob(f"{form.kept}-*"))
    assert form.file in found
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_is_made_of_changes_with_its_number_alone(name: str, tmp_path: Path) -> None:
    found = layout(name, written(name, tmp_path))
    known = json.loads(LAYOUTS.read_text())[name]
    number = FORMATS[name].number
    assert number >= known["number"]
    if number == known["number"]:
        lost, new = sorted(set(known["layout"]) - set(found)), sorted(set(found) - set(known["layout"]))
        assert not lost and not new, (
            f"the format of a {name} has lost {lost} and has new {new}: raise its number, have files of the number "
            "before read or refused in a sentence that says so, and run `python -m tests.kept.layouts`"
        )
        assert not FORMATS[name].kept or layout(name, FORMATS[name].file) == found, (
            "what is kept is not of today's format"
        )
    else:
        pytest.fail("its number is new: run `python -m tests.kept.layouts`")


def test_sessions_of_every_format_open(tmp_path: Path) -> None:
    for file in kept("session"):
        copy = tmp_path / file.name
        copy.write_bytes(file.read_bytes())
        copy.chmod(0o600)
        assert load_document(copy) == (DOCUMENT, "chart")
        assert read_session(copy).document == DOCUMENT


def test_results_of_every_format_are_collected() -> None:
    for file in kept("exercise result"):
        assert read_result(file) == RESULT


def test_journals_of_every_format_are_gone_on_with(tmp_path: Path) -> None:
    for file in kept("journal"):
        copy = tmp_path / file.name
        copy.write_bytes(file.read_bytes())
        found = Journal(copy)
        assert not found.damage and len(found) == 1
        assert found.find(MEASURED) == {"correct": 3, "of": 4}
        assert found.noted("begun", BEGUN) is not None


def test_lessons_of_every_format_are_read() -> None:
    for file in kept("lesson"):
        lesson = read_lesson(file)
        assert lesson.title == "Where does *with* go?" and len(lesson.steps) == 3


def test_models_of_every_format_open_or_say_which_made_them(tmp_path: Path) -> None:
    opened = 0
    for file in kept("model"):
        model = tmp_path / file.stem
        model.write_bytes(gzip.decompress(file.read_bytes()))
        number = int(file.name.split("-")[1].split(".")[0])
        if number != FORMATS["model"].number:
            with pytest.raises(ModelError, match=f"the model has format {number}, this program reads format"):
                engine.load(model)
            continue
        opened += 1
        parse = engine.Parser.preset(engine.load(model), 3).parse("The/DT dog/NN slept/VBD ./.")
        assert not parse.fallback
    assert opened == 1


@pytest.mark.parametrize(
    ("part", "called"), [("reranker", "re-ranker"), ("generative", "second model"), ("tagger", "tagger")]
)
def test_a_part_of_a_model_of_another_format_is_told_by_its_number(
    tmp_path: Path, reranked_path: Path, part: str, called: str
) -> None:
    """Also where what it had then is not what is looked for now."""
    metadata, arrays = read_arrays(reranked_path)
    metadata[part] = {"format": 77}
    write_arrays(tmp_path / "other.model", metadata, arrays)
    with pytest.raises(
        ModelError, match=f"the model cannot be used: its {called} has format 77, not \\d+; train it again"
    ):
        engine.load(tmp_path / "other.model")


def test_preferences_that_were_kept_are_read(tmp_path: Path) -> None:
    copy = tmp_path / "window.ini"
    copy.write_bytes((KEPT / "window.ini").read_bytes())
    store = Store(copy)
    assert (store.text("theme"), store.number("text-size", 1.0), store.flag("sound")) == ("dark", 1.2, True)
    assert store.names("recent/models") == ["/models/classroom.model"]


@pytest.mark.parametrize("name", [name for name in ("session", "exercise result", "journal")])
def test_a_newer_format_is_told_by_its_number(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    newer = tmp_path / form.file.name
    text = form.file.read_text().replace(f'"version": {form.number}', '"version": 77')
    newer.write_text(text.replace(f'"version":{form.number}', '"version":77'))
    newer.chmod(0o600)
    read = {"session": load_document, "exercise result": read_result, "journal": Journal}[name]
    with pytest.raises(EngineError, match="77"):
        read(newer)
