"""A page of the manual: its text, its pictures as wide as there is room, its tables, and words marked in it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from explorer.graphics.theme import Theme
from explorer.help.manual import anchor_of, manual_folder

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

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
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
        self.setMarkdown((manual_folder() / page).read_text(encoding="utf-8"))
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
        hairline = QColor(self.theme.colour("hairline"))
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
                shape.setBackground(QColor(self.theme.colour("tint:accent")))
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
