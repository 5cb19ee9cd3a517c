"""The manual: every page is there, anchors are those of a web page, and a search finds words in their context."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.window.manual import ManualWindow, Section, anchor_of, manual_folder, pages, plain, search, sections


def test_every_page_is_read_and_begins_with_its_title() -> None:
    assert set(pages()) == {path.name for path in manual_folder().glob("*.md")}
    titles = [section for section in sections() if section.level == 1]
    assert [section.page for section in titles] == list(pages())
    assert all(section.title and section.anchor == anchor_of(section.title) for section in titles)


def test_a_comment_in_a_block_of_code_is_no_heading() -> None:
    assert not any(section.title.startswith("text = ") for section in sections())


def test_marks_of_markdown_are_gone() -> None:
    text = "| a | b |\n|---|---|\n| **x** | [y](z.md) `c` *d* and P(D\\|S) |\n\n```sh\nls\n```\n"
    assert plain(text) == "a b x y c d and P(D|S) ls"


def test_words_in_a_heading_come_first_and_hits_have_context() -> None:
    assert search("asking what if")[0].section.place == "tour.md#asking-what-if"
    hits = search("BEAM pruned")
    assert len(hits) > 2
    for hit in hits:
        whole = f"{hit.section.title} {hit.section.text}".casefold()
        assert "beam" in whole and "pruned" in whole
        assert hit.context.strip("… ") in hit.section.text and len(hit.context) < 300
    assert search("  ") == [] and search("zzyzx") == []


@given(st.sampled_from(sections()), st.data())
def test_every_word_of_the_manual_is_found_where_it_stands(section: Section, data: st.DataObject) -> None:
    words = section.text.split()
    if words:
        word = data.draw(st.sampled_from(words))
        assert section in [hit.section for hit in search(word)]


@pytest.fixture
def manual() -> Iterator[ManualWindow]:
    """The manual over a window of its own."""
    owner = QWidget()
    window = ManualWindow(owner)
    window.show()
    yield window
    window.close()
    owner.deleteLater()


def top_line(manual: ManualWindow) -> str:
    """The first line of text that is in sight."""
    block = manual.browser.cursorForPosition(QPoint(30, 12)).block()
    while block.isValid() and not block.text().strip():
        block = block.next()
    return block.text()


def test_a_place_is_shown_with_its_heading_on_top(manual: ManualWindow, qtbot: QtBot) -> None:
    manual.open("tour.md#asking-what-if")
    assert manual.page == "tour.md" and manual.place == "tour.md#asking-what-if"
    # Once the pictures are fitted to the window it is still so.
    qtbot.waitUntil(lambda: manual.settled)
    assert top_line(manual) == "Asking what if"
    manual.resize(700, 600)
    qtbot.waitUntil(lambda: manual.settled)
    assert top_line(manual) == "Asking what if"


def test_pictures_are_shown_and_no_wider_than_the_page(manual: ManualWindow) -> None:
    manual.open("tour.md#1-sentence")
    assert "pictures/sentence.png" in manual.browser.document().toHtml()
    kind = QTextDocument.ResourceType.ImageResource.value
    image = manual.browser.loadResource(kind, QUrl("pictures/sentence.png"))
    assert isinstance(image, QImage) and 0 < image.width() <= manual.browser.viewport().width()


def test_links_lead_on_and_back(manual: ManualWindow) -> None:
    manual.open()
    manual.browser.anchorClicked.emit(QUrl("glosses.md#labels"))
    assert manual.place == "glosses.md#labels" and manual.back.isEnabled() and not manual.forward.isEnabled()
    manual.back.click()
    assert manual.page == "index.md" and manual.forward.isEnabled()
    manual.forward.click()
    assert manual.page == "glosses.md"


def test_what_is_searched_is_listed_with_context_and_marked_on_the_page(manual: ManualWindow) -> None:
    manual.open()
    manual.search.setText("smallest β")
    item = manual.list.currentItem()
    context = item.child(0) if item is not None else None
    assert item is not None and context is not None and "smallest β" in context.text(0)
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.place == item.data(0, Qt.ItemDataRole.UserRole)[0]
    assert [mark.cursor.selectedText() for mark in manual.browser.extraSelections()] == ["smallest β"]
    manual.search.setText("zzyzx")
    first = manual.list.topLevelItem(0)
    assert first is not None and "zzyzx" in first.text(0) and manual.list.topLevelItemCount() == 1
    manual.search.clear()
    assert manual.list.topLevelItemCount() == len(pages())
