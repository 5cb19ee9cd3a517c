"""The manual: its pages as text, and the window that shows and searches them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.common.resources import read_bundled, resources_folder
from explorer.kit.appearance import appearance
from explorer.kit.controls import text_button

# The manual as text: its pages in the order of the index, their sections, and where words occur in them; no Qt.

INDEX = "index.md"
CONTEXT = 64
"""Letters around what was found that are shown with it: half as many before it, twice as many after."""
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) +(.*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^()\s]*\)")
_RULE = re.compile(r"^\|[-| :]+\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the manual and what stands under it, up to the next.

    Attributes
    ----------
    page, page_title
        The file that it is in, and that file's first heading.
    title, anchor
        Its heading, and how a link names it.
    level
        1 for the title of a page.
    text
        What it says, without marks of Markdown.
    """

    page: str
    page_title: str
    title: str
    anchor: str
    level: int
    text: str

    @property
    def place(self) -> str:
        """Where a link leads that means it."""
        return self.page if self.level == 1 else f"{self.page}#{self.anchor}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A section in which all the words of a search occur, and a piece of it with the first of them."""

    section: Section
    context: str


def manual_folder() -> Path:
    """Where the pages are."""
    return resources_folder() / "manual"


def anchor_of(heading: str) -> str:
    """How a link names a heading, as a web page of the repository has it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def pages() -> tuple[str, ...]:
    """The files of the manual: the index, then in its order those that it names."""
    index = read_bundled(manual_folder() / INDEX)
    named = re.findall(r"\]\(([\w-]+\.md)\)", index)
    return (INDEX, *dict.fromkeys(name for name in named if (manual_folder() / name).is_file()))


@cache
def sections() -> tuple[Section, ...]:
    """Every section of every page, in reading order."""
    return tuple(section for page in pages() for section in _sections(page))


def _sections(page: str) -> list[Section]:
    text = read_bundled(manual_folder() / page)
    # A # in a block of code is no heading.
    hidden = _FENCE.sub(lambda found: re.sub(r"^#", " ", found[0], flags=re.MULTILINE), text)
    marks = list(_HEADING.finditer(hidden))
    title = marks[0][2] if marks else page
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Section(page, title, plain(mark[2]), anchor_of(mark[2]), len(mark[1]), plain(text[mark.end() : end]))
        for mark, end in zip(marks, ends, strict=True)
    ]


def plain(markdown: str) -> str:
    """Text without the marks of Markdown."""
    text = re.sub(r"^```.*$", "", markdown, flags=re.MULTILINE)
    text = _RULE.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"(?<!\\)\|", " ", text).replace("\\|", "|")
    return re.sub(r"\s+", " ", re.sub(r"\*\*|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])", "", text)).strip()


def search(query: str) -> list[Hit]:
    """The sections in which all words of a query occur: those with the words in their headings first."""
    words = query.casefold().split()
    if not words:
        return []
    ranked = []
    for order, section in enumerate(sections()):
        title, text = section.title.casefold(), section.text.casefold()
        if not all(word in title or word in text for word in words):
            continue
        phrase = " ".join(words)
        rank = next(
            (
                rank
                for rank, fits in enumerate((phrase in title, all(word in title for word in words), phrase in text))
                if fits
            ),
            3,
        )
        ranked.append((rank, order, Hit(section, _context(section.text, words))))
    return [hit for *_, hit in sorted(ranked, key=lambda one: one[:2])]


def _context(text: str, words: list[str]) -> str:
    low = text.casefold()
    phrase = low.find(" ".join(words))
    places = [place for place in (low.find(word) for word in words) if place >= 0]
    at = phrase if phrase >= 0 else min(places, default=0)
    start, end = max(0, at - CONTEXT // 2), min(len(text), at + 2 * CONTEXT)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    if end < len(text):
        end = max(text.rfind(" ", 0, end), at + len(words[0]))
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


# A page of the manual: its text, its pictures as wide as there is room, its tables, and words marked in it.

_MARGIN = 24
_SCROLL_BAR = 16
"""Width that a picture leaves free: the scroll bar comes with the page."""


class ManualBrowser(QTextBrowser):
    """Shows a page; its pictures are never wider than the window.

    Signals
    -------
    width_changed
        There is more or less room for pictures.
    """

    width_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Page of the manual")
        # One that comes and goes with the length of a page would move every line.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(_MARGIN)

        self._held: tuple[int, float] | None = None

    def top_line(self) -> tuple[int, float]:
        """The line on top: its number, and how far it is scrolled beyond its beginning."""
        line = self.cursorForPosition(QPoint(_MARGIN, 4)).block()
        top = self.document().documentLayout().blockBoundingRect(line).top()
        return line.blockNumber(), self.verticalScrollBar().value() - top

    def load(self, page: str, hold: bool) -> None:
        """Load a page; if it is the same again, with the same line on top."""
        held = (self._held or self.top_line()) if hold else None
        self._held = None
        self.setMarkdown(read_bundled(manual_folder() / page))
        self._format_tables()
        if held is not None:
            QTimer.singleShot(0, self, lambda: self._hold(*held))

    def _hold(self, number: int, beyond: float) -> None:
        # Lays all of the page out: until then there is nowhere to scroll to.
        self.document().size()
        block = self.document().findBlockByNumber(number)
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top + beyond))

    def let_go(self) -> None:
        """Hold the line on top no longer: another one is gone to, or the width is what it was."""
        self._held = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the line on top before other widths move it."""
        if self._held is None and 0 < event.oldSize().width() != event.size().width():
            self._held = self.top_line()
        super().resizeEvent(event)
        self.width_changed.emit()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Scale a picture to the width that there is."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            image = QImage(str(manual_folder() / QUrl(name).toString()))
            ratio = self.devicePixelRatioF()
            room = round((self.viewport().width() - 2 * _MARGIN - _SCROLL_BAR) * ratio)
            if not image.isNull() and image.width() > room > 0:
                image = image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
            image.setDevicePixelRatio(ratio)
            return image
        return super().loadResource(kind, name)

    def _format_tables(self) -> None:
        """Give tables hairlines and room."""
        hairline = QColor(appearance().theme.colour("hairline"))
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                shape = frame.format()
                shape.setBorder(1)
                shape.setBorderBrush(hairline)
                shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                shape.setBorderCollapse(True)
                shape.setCellPadding(5)
                shape.setCellSpacing(0)
                shape.setTopMargin(4)
                shape.setBottomMargin(12)
                frame.setFormat(shape)

    def go_to(self, anchor: str, term: str) -> None:
        """Scroll to a heading, and mark a word from there on."""
        document = self.document()
        # Lays all of the page out: until then there is nowhere to scroll to.
        document.size()
        block = document.begin()
        while anchor and block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                break
            block = block.next()
        start = QTextCursor(block if block.isValid() else document.begin())
        target, marks = start, []
        words = [term] if term and not document.find(term, start).isNull() else term.split()
        for word in words:
            found = document.find(word, start, _flags(word))
            found = found if not found.isNull() else document.find(word, start)
            if not found.isNull():
                mark = QTextEdit.ExtraSelection()
                shape = QTextCharFormat()
                shape.setBackground(QColor(appearance().theme.colour("tint:accent")))
                mark.format, mark.cursor = shape, found
                marks.append(mark)
                target = found if len(marks) == 1 else target
        self.setExtraSelections(marks)
        self.setTextCursor(start)
        top = document.documentLayout().blockBoundingRect(start.block()).top()
        place = document.documentLayout().blockBoundingRect(target.block()).top()
        # The heading on top, unless what is marked would be out of sight.
        room = self.viewport().height() * 0.7
        self.verticalScrollBar().setValue(round((top if place - top < room else place - room / 2) - 8))
        self.horizontalScrollBar().setValue(0)
        self.let_go()


def _flags(word: str) -> QTextDocument.FindFlag:
    """A sign of few letters is looked for as it is written, a word anyhow."""
    if word.islower():
        return QTextDocument.FindFlag(0)
    return QTextDocument.FindFlag.FindWholeWords | QTextDocument.FindFlag.FindCaseSensitively


# The manual in a window: contents, pages with their pictures, and a search over all of them.

_SIZE = (1040, 720)
_CONTENTS_WIDTH = 300
_PLACE = Qt.ItemDataRole.UserRole
_CONTEXT = Qt.ItemDataRole.UserRole + 1
_PADDING = 8
_MOST_HITS = 80


class ManualWindow(QDialog):
    """The manual.

    Parameters
    ----------
    parent
        The window over which it opens; it closes with it.

    Signals
    -------
    print_wanted
        The page that is shown is to be printed: its name.
    """

    print_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual")
        flags = Qt.WindowType.Window | Qt.WindowType.WindowMinMaxButtonsHint | Qt.WindowType.WindowCloseButtonHint
        self.setWindowFlags(flags)
        self.setWindowTitle("Manual – Parse Explorer")
        self._history: list[str] = []
        self._at = -1
        self.page = ""
        self._fitted = 0
        self.search = QLineEdit(placeholderText="Search the manual")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the manual")
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setAccessibleName("Contents")
        self.list.setWordWrap(True)
        self.browser = ManualBrowser()
        self.back = text_button("◂", "Back to the page before (Alt+←)", partial(self._go, -1))
        self.forward = text_button("▸", "Forward again (Alt+→)", partial(self._go, 1))
        self.home = text_button("Contents", "To the first page (Alt+Home)", lambda: self.open(INDEX))
        self.print = text_button("Print …", "Print this page (Ctrl+P)", self._print)
        for button in (self.back, self.forward, self.home, self.print):
            button.setAutoRaise(True)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 8, 8, 8)
        row = QHBoxLayout()
        for button in (self.back, self.forward, self.home):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.print)
        column.addLayout(row)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        self.splitter = QSplitter()
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.browser)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([_CONTENTS_WIDTH, _SIZE[0] - _CONTENTS_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        room = self.screen().availableSize() - QSize(40, 80)
        self.resize(QSize(*_SIZE).boundedTo(room))
        self._resized = QTimer(self, singleShot=True, interval=100)
        self._resized.timeout.connect(self._fit_pictures)
        self.browser.width_changed.connect(self._resized.start)
        self.search.textChanged.connect(self._list)
        self.search.installEventFilter(self)
        self.list.itemClicked.connect(self._open_item)
        self.list.itemActivated.connect(self._open_item)
        self.browser.anchorClicked.connect(self._follow)
        for keys, call in (
            ("Ctrl+F", self._find),
            ("Ctrl+P", self._print),
            ("Alt+Left", partial(self._go, -1)),
            ("Alt+Right", partial(self._go, 1)),
            ("Alt+Home", lambda: self.open(INDEX)),
        ):
            QShortcut(keys, self, call)
        self._list("")
        self._buttons()

    @property
    def place(self) -> str:
        """What is shown: a page, and after ``#`` the heading that was gone to."""
        return self._history[self._at] if self._history else ""

    @property
    def settled(self) -> bool:
        """Whether the pictures are as wide as the window has room for."""
        return not self._resized.isActive()

    # Pages

    def open(self, place: str = INDEX, term: str = "") -> None:
        """Show a place, ``page.md`` or ``page.md#heading``, and mark a word there."""
        del self._history[self._at + 1 :]
        self._history.append(place)
        self._at = len(self._history) - 1
        self._show(place, term)
        self.browser.setFocus()

    def _go(self, step: int) -> None:
        if 0 <= self._at + step < len(self._history):
            self._at += step
            self._show(self._history[self._at])

    def _buttons(self) -> None:
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._history) - 1)

    def _show(self, place: str, term: str = "") -> None:
        page, _, anchor = place.partition("#")
        if page != self.page:
            self.page = page
            self._load()
        self._buttons()
        self.browser.go_to(anchor, term)
        self._mark_contents(page, anchor)

    def _load(self, again: bool = False) -> None:
        self._fitted = self.browser.viewport().width()
        self.browser.document().setDefaultFont(self.font())
        self.browser.load(self.page, again)

    def _follow(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
            return
        page = link.path() or self.page
        if not page.endswith(".md") or "/" in page:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str((manual_folder() / page).resolve())))
            return
        self.open(f"{page}#{link.fragment()}" if link.hasFragment() else page)

    # Contents and search

    def _list(self, query: str) -> None:
        self.list.clear()
        self.list.setRootIsDecorated(not query.strip())
        if query.strip():
            self._list_hits(query)
            return
        self.list.setAccessibleName("Contents")
        top: QTreeWidgetItem | None = None
        for section in sections():
            item = QTreeWidgetItem([section.title])
            item.setData(0, _PLACE, (section.place, ""))
            if section.level == 1 or top is None:
                self.list.addTopLevelItem(item)
                top = item
            elif section.level == 2:
                top.addChild(item)
        page, _, anchor = (self._history[self._at] if self._history else INDEX).partition("#")
        self._mark_contents(page, anchor)

    def _list_hits(self, query: str) -> None:
        hits = search(query)
        count = "Nothing" if not hits else f"{len(hits)} places" if len(hits) > 1 else "1 place"
        self.list.setAccessibleName(f"{count} found")
        if not hits:
            item = QTreeWidgetItem([f"Nothing in the manual fits ‘{query.strip()}’."])
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addTopLevelItem(item)
            return
        muted = QColor(appearance().theme.colour("muted"))
        for hit in hits[:_MOST_HITS]:
            section = hit.section
            title = section.title if section.level == 1 else f"{section.page_title} › {section.title}"
            item = QTreeWidgetItem([title])
            item.setData(0, _PLACE, (section.place, query.strip()))
            context = QTreeWidgetItem([hit.context])
            context.setForeground(0, muted)
            context.setData(0, _CONTEXT, True)
            context.setData(0, _PLACE, (section.place, query.strip()))
            item.addChild(context)
            self.list.addTopLevelItem(item)
            item.setExpanded(True)
        self._fit_hits()
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)

    def _mark_contents(self, page: str, anchor: str) -> None:
        """Mark the page that is shown among the contents, and unfold it."""
        if self.search.text().strip():
            return
        for number in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(number)
            if item is None:
                continue
            place = str(item.data(0, _PLACE)[0])
            item.setExpanded(place == page)
            if place == page:
                inner = [child for child in _children(item) if child.data(0, _PLACE)[0] == f"{page}#{anchor}"]
                self.list.setCurrentItem(next(iter(inner), item))

    def _open_item(self, item: QTreeWidgetItem) -> None:
        data = item.data(0, _PLACE)
        if data is not None:
            self.open(*data)

    def _print(self) -> None:
        self.print_wanted.emit(self.page)

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def search_for(self, query: str) -> None:
        """List the places where words occur."""
        self.search.setText(query)
        self._find()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the search opens the first place; ↓ goes to the list."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.list.currentItem() or self.list.topLevelItem(0)
                if item is not None and self.search.text().strip():
                    self._open_item(item)
                return True
            if event.key() == Qt.Key.Key_Down:
                self.list.setFocus()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    # Appearance

    def _fit_pictures(self) -> None:
        self._fit_hits()
        if self.browser.viewport().width() != self._fitted:
            self._reload()
        else:
            self.browser.let_go()

    def _reload(self) -> None:
        if self.page:
            self._load(again=True)

    def _fit_hits(self) -> None:
        """Give the pieces of text in the list as many lines as they need."""
        width = self.list.viewport().width() - self.list.indentation() - 2 * _PADDING
        metrics = self.list.fontMetrics()
        for number in range(self.list.topLevelItemCount()):
            top = self.list.topLevelItem(number)
            for item in _children(top):
                if item.data(0, _CONTEXT):
                    flags = int(Qt.TextFlag.TextWordWrap)
                    needed = metrics.boundingRect(QRect(0, 0, width, 4000), flags, item.text(0))
                    item.setSizeHint(0, QSize(width, needed.height() + _PADDING))


def _children(item: QTreeWidgetItem | None) -> list[QTreeWidgetItem]:
    """What stands under an entry of the list."""
    found = [item.child(row) for row in range(item.childCount())] if item is not None else []
    return [child for child in found if child is not None]
