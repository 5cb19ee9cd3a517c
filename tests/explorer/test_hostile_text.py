"""Text that no sentence is: one clear sentence about it, and the window stays alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData

from engine.common.characters import readable
from engine.model.model import Model
from explorer.session.document import MOST_SHOWN_CHARACTERS, Document, TextLine, save_document, split_text
from explorer.session.files import load_document
from tests.explorer.heart import Heart
from tests.explorer.window_driver import SAW, Driver, drop_data
from tests.stage_names import NAMES

MOST_WORK = 0.1
"""Seconds that the window's thread may work at a stretch; its own work alone, for others may use the machine too."""


def paste(driver: Driver, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    driver.window.sentence_bar.edit.insertFromMimeData(data)


def replace_by_pasting(driver: Driver, text: str) -> None:
    driver.window.sentence_bar.edit.clear()
    paste(driver, text)


def said(driver: Driver) -> str:
    window = driver.window
    texts = (window.stages.banner.text.text(), window.sentence_bar.problem.text(), window.statusBar().currentMessage())
    return " | ".join(texts)


def test_a_megabyte_of_prose_becomes_sentences(driver: Driver) -> None:
    heart = Heart()
    paste(driver, "The dog saw the man with the telescope. " * 25_000)
    driver.until(lambda: len(driver.session.editor.document.lines) == 25_001)
    driver.settle()
    assert heart.stop() < MOST_WORK
    assert "25,000 sentences added" in said(driver)
    assert driver.session.editor.line.text == "The dog saw the man with the telescope."
    driver.do("undo")
    assert len(driver.session.editor.document.lines) == 1
    driver.settle()


@pytest.mark.parametrize("text", ["x" * 1_000_000, "the/DT dog/NN " * 70_000, "(S " * 200_000])
def test_a_megabyte_that_is_no_sentence_is_one_sentence(driver: Driver, text: str) -> None:
    before = driver.session.editor.document
    heart = Heart()
    paste(driver, text)
    driver.until(lambda: driver.window.stages.banner.isVisible())
    assert heart.stop() < MOST_WORK
    shown = driver.window.stages.banner.text.text()
    assert len(shown) < 200 and ("characters" in shown or "nested more than 300 deep" in shown)
    assert driver.session.editor.document == before


def test_a_sentence_of_five_thousand_words_is_too_long(driver: Driver) -> None:
    heart = Heart()
    replace_by_pasting(driver, "dog/NN " * 2500)
    driver.until(lambda: "2,500 words is too long" in said(driver))
    assert heart.stop() < MOST_WORK
    assert driver.session.parses.result is not None
    driver.session.editor.edit_text(SAW)
    driver.settle()
    assert not driver.session.parses.problem
    # In plain text there is no telling where it ends: it is cut, and a parse that takes too long is cancelled.
    paste(driver, "dog " * 5000)
    driver.until(lambda: len(driver.session.editor.document.lines) > 10)
    driver.do("cancel")
    driver.until(lambda: not driver.session.parses.busy)


def test_lines_that_are_too_long_are_left_out_and_named(driver: Driver, tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text(f"{SAW}\n{'dog/NN ' * 5000}\n{SAW}\n", encoding="utf-8")
    driver.window.files.open_path(file)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    shown = driver.window.stages.banner.text.text()
    assert "2 sentences from mixed.txt" in shown and "mixed.txt, line 2 has 34,999 characters" in shown
    driver.settle()


@pytest.mark.parametrize(
    "text",
    [
        "the\0dog\x01 saw\x7f the\x9f man",
        "the \u202edog saw\u2066 the man",
        "\ufeffthe dog saw the man",
    ],
)
def test_control_characters_become_white_space(driver: Driver, text: str) -> None:
    replace_by_pasting(driver, text)
    driver.until(lambda: driver.session.editor.line.text.split() == ["the", "dog", "saw", "the", "man"])
    driver.settle()
    assert all(one.text.isprintable() for one in driver.session.editor.document.lines)


@pytest.mark.parametrize(
    "text", ["הכלב ראה את האיש", "الكلب رأى الرجل .", "Hund \U0001f415 日本語 Ωμέγα 한국어 e\u0301\u0323"]
)
def test_other_scripts_are_words_like_others(driver: Driver, text: str) -> None:
    replace_by_pasting(driver, text)
    driver.until(lambda: driver.session.editor.line.text == text)
    driver.settle()
    for stage in NAMES:
        driver.session.view.set_stage(stage)
        driver.settle()
        assert text.split()[0] in driver.canvas.text_twin
    assert not driver.session.parses.problem


def test_a_word_of_very_many_characters_is_shown(driver: Driver) -> None:
    heart = Heart()
    replace_by_pasting(driver, "the " + "x" * 15_000 + " slept")
    driver.until(lambda: driver.session.editor.line.text.endswith("slept"))
    driver.settle()
    assert driver.session.parses.shown is not None and len(driver.session.parses.shown.sentence.positions) == 3
    assert heart.stop() < MOST_WORK


def test_halves_of_characters_can_be_saved(classroom: Model, tmp_path: Path) -> None:
    assert readable("a\ud800b") == "a\ufffdb" and readable("naïve \tcafé\n") == "naïve \tcafé\n"
    lines = split_text("the \udcff dog", classroom)
    path = tmp_path / "session.json"
    save_document(Document(lines=tuple(lines)), path)
    assert load_document(path)[0].lines == tuple(lines)


def test_typing_on_and_on_stays_within_the_limit(driver: Driver) -> None:
    edit = driver.window.sentence_bar.edit
    for _ in range(5):
        paste(driver, "x" * 6000)
    assert MOST_SHOWN_CHARACTERS // 2 < len(edit.toPlainText()) <= MOST_SHOWN_CHARACTERS
    driver.until(lambda: not driver.session.tasks.busy)
    driver.settle()


def test_dropped_text_goes_to_the_list(driver: Driver) -> None:
    data = QMimeData()
    data.setText(f"{SAW}\n{SAW}\n")
    drop_data(driver, data)
    driver.until(lambda: len(driver.session.editor.document.lines) == 3)
    driver.settle()
    assert driver.session.editor.line == TextLine(SAW)
