"""Training sentences as a list: each with the words that were counted marked in it, fetched as far as one scrolls."""

from __future__ import annotations

import html
import math
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextDocument
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from engine.analysis.evidence import EvidenceSentence
from explorer.graphics.theme import LIGHT, Theme
from explorer.knowledge.evidence_link import CountPlaces

Index = QModelIndex | QPersistentModelIndex
SENTENCE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
FETCHED_TOGETHER = 60
"""Sentences fetched at a time: each is laid out to find its height."""
_MARGIN, _INDENT = 6, 6
_FIRST_ROLES = ("modifier", "left")


class SentencesModel(QAbstractListModel):
    """The places of one count."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: CountPlaces | None = None
        self._fetched: list[EvidenceSentence] = []

    def show(self, found: CountPlaces | None) -> None:
        """Show the places of another count."""
        self.beginResetModel()
        self._found = found
        self._fetched = (
            [found.sentence(index) for index in range(min(FETCHED_TOGETHER, len(found)))] if found is not None else []
        )
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many sentences have been fetched."""
        return 0 if parent.isValid() else len(self._fetched)

    def canFetchMore(self, parent: Index) -> bool:
        """Whether there are more."""
        return not parent.isValid() and self._found is not None and len(self._fetched) < len(self._found)

    def fetchMore(self, parent: Index) -> None:
        """Fetch the next ones."""
        if self._found is None or not self.canFetchMore(parent):
            return
        first = len(self._fetched)
        last = min(first + FETCHED_TOGETHER, len(self._found)) - 1
        self.beginInsertRows(QModelIndex(), first, last)
        self._fetched += [self._found.sentence(index) for index in range(first, last + 1)]
        self.endInsertRows()

    def sentence(self, row: int) -> EvidenceSentence:
        """The sentence of a row."""
        return self._fetched[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sentence as text, with its words marked; as itself for the delegate."""
        if not index.isValid():
            return None
        if role == SENTENCE_ROLE:
            return self._fetched[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            sentence = self._fetched[index.row()]
            return f"{sentence.text()}\n{about(sentence)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return "Double-click to put the sentence with its gold tree into the list"
        return None


def about(sentence: EvidenceSentence) -> str:
    """What was counted in a sentence, and where it is."""
    times = f"counts {sentence.weight} times in preset (5)" if sentence.weight > 1 else ""
    return "   ·   ".join(filter(None, (sentence.outcome, sentence.place, times)))


def sentence_html(sentence: EvidenceSentence, theme: Theme) -> str:
    """A sentence as rich text: the modifier underlined, the head on a tint, a constituent in square brackets."""
    colour = theme.colour
    words = []
    for token, word in enumerate(sentence.shown_words):
        shown = html.escape(word, quote=False)
        role = sentence.marks.get(token)
        if role in _FIRST_ROLES:
            shown = f"<b style='color:{colour('accent')}'><u>{shown}</u></b>"
        elif role is not None:
            shown = f"<b style='color:{colour('ink')}; background:{colour('tint:accent')}'>&nbsp;{shown}&nbsp;</b>"
        if sentence.span is not None:
            if token == sentence.span[0]:
                shown = f"<b style='color:{colour('accent')}'>[</b>{shown}"
            if token == sentence.span[1] - 1:
                shown = f"{shown}<b style='color:{colour('accent')}'>]</b>"
        words.append(shown)
    return (
        f"<span style='color:{colour('ink')}'>{' '.join(words)}</span><br>"
        f"<span style='color:{colour('muted')}; font-size:small'>{html.escape(about(sentence), quote=False)}</span>"
    )


class SentenceDelegate(QStyledItemDelegate):
    """Paints a sentence with its words marked, as many lines as it needs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sizes: dict[tuple[int, int], QSize] = {}

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._theme = theme
        self.forget()

    def forget(self) -> None:
        """Heights are other ones now: another font, width or list."""
        self._sizes.clear()

    def _document(self, sentence: EvidenceSentence, font: QFont, width: int) -> QTextDocument:
        document = QTextDocument()
        document.setDefaultFont(font)
        document.setDocumentMargin(_MARGIN)
        document.setHtml(sentence_html(sentence, self._theme))
        document.setTextWidth(width - _INDENT)
        return document

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the list, as high as the sentence needs then."""
        width = self._width()
        key = (index.row(), width)
        if key not in self._sizes:
            document = self._document(index.data(SENTENCE_ROLE), option.font, width)
            self._sizes[key] = QSize(width, math.ceil(document.size().height()))
        return self._sizes[key]

    def _width(self) -> int:
        widget = self.parent()
        assert isinstance(widget, QWidget)
        return widget.contentsRect().width()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the sentence, and a hairline under it."""
        painter.save()
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(self._theme.colour("surface")))
            painter.fillRect(rect.x(), rect.y(), 3, rect.height(), QColor(self._theme.colour("accent")))
        painter.setPen(QColor(self._theme.colour("hairline")))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.translate(rect.x() + _INDENT, rect.y())
        document = self._document(index.data(SENTENCE_ROLE), option.font, self._width())
        document.drawContents(painter, QRectF(0, 0, rect.width(), rect.height()))
        painter.restore()
