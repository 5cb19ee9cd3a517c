"""Words of rare scripts: no search through all fonts holds the window, and what a font has is drawn with it."""

from __future__ import annotations

import time
import unicodedata

import pytest
from PySide6.QtGui import QFont, QTextLayout
from pytestqt.qtbot import QtBot

from explorer.kit import fonts as rare_scripts
from explorer.kit.fonts import FALLBACK, QtMetrics, font_for, has_many_scripts
from tests.explorer.window_driver import Driver

LONGEST_BLOCK = 0.5
"""Seconds of the window's own work for a word of all scripts; it was several before."""
ONE_SCRIPT = {
    "Linear B": "".join(map(chr, range(0x10000, 0x10014))),
    "cuneiform": "".join(map(chr, range(0x12000, 0x12014))),
    "private use": "".join(map(chr, range(0xE000, 0xE014))),
    "emoji": "😀👩\u200d👩\u200d👧🇩🇪",
    "Tibetan": "བོད་ཡིག",
    "CJK": "漢字仮名交じり文",
    "tags": "a" + "".join(map(chr, range(0xE0020, 0xE0040))),
    "a tower": "a" + "\u0301\u0316\u0489" * 30,
    "Greek and Cyrillic": "αβγ абв ԱԲԳ",
}


def all_scripts() -> str:
    """A letter of every script that Unicode knows."""
    found: dict[str, str] = {}
    for letter in map(chr, range(0x370, 0x20000)):
        if unicodedata.category(letter) in ("Lo", "Ll", "Lu"):
            found.setdefault(unicodedata.name(letter, "?").split()[0], letter)
    assert len(found) > 100
    return "".join(found.values())


@pytest.fixture(autouse=True)
def _nothing_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the start of the program."""
    monkeypatch.setattr(rare_scripts, "LOOKED_FOR", set())


def test_many_words_have_no_more_scripts_than_one(metrics: QtMetrics) -> None:
    words = list(all_scripts())
    boxed = [word for word in words if has_many_scripts(word)]
    assert 100 < len(boxed) < len(words) - rare_scripts.MOST_IN_ALL
    # Asked again, each gets the same answer.
    assert [word for word in words if has_many_scripts(word)] == boxed


@pytest.mark.parametrize("name", ONE_SCRIPT)
def test_a_word_that_a_person_may_write_is_set_with_all_fonts(name: str) -> None:
    font = QFont(FALLBACK)
    assert not has_many_scripts(ONE_SCRIPT[name]) and font_for(ONE_SCRIPT[name], font) is font


def test_a_word_of_all_scripts_is_set_in_the_fonts_of_the_window(metrics: QtMetrics) -> None:
    word = all_scripts()
    font = metrics.font("word", word)
    assert font.styleStrategy().value & QFont.StyleStrategy.NoFontMerging.value
    layout = QTextLayout(f"{word} abcα", font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    # One font alone, with boxes for what it lacks, and its own letters for what it has.
    runs = layout.glyphRuns()
    assert {run.rawFont().familyName() for run in runs} == {FALLBACK}
    glyphs = [glyph for run in runs for glyph in run.glyphIndexes()]
    assert 0 in glyphs and len(set(glyphs)) > 5 and metrics.width(word, "word") > 0


def test_no_word_holds_the_window(driver: Driver) -> None:
    words = [all_scripts(), *ONE_SCRIPT.values()]
    longest = 0.0
    for word in words:
        driver.session.editor.edit_text(f"Mary/NNP saw/VBD {word.replace(' ', '')}/NN")
        while not driver.session.parses.is_complete:
            began = time.thread_time()
            driver.process_events()
            longest = max(longest, time.thread_time() - began)
        driver.settle()
    assert longest < LONGEST_BLOCK


def test_the_sentence_bar_finds_its_fonts_again(qtbot: QtBot, driver: Driver) -> None:
    edit = driver.window.sentence_bar.edit
    for text, merges in ((all_scripts(), False), ("漢字/NN", True)):
        driver.session.editor.edit_text(text)
        strategy = edit.document().defaultFont().styleStrategy().value
        assert bool(strategy & QFont.StyleStrategy.NoFontMerging.value) != merges
    driver.settle()
