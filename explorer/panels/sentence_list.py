"""The sentence list: pasted, opened or from a treebank, with a mark for what became of each, and a filter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from explorer.document import Line
from explorer.session import Session
from explorer.wording import size
from explorer.work import DIFFERS, FAILED, FRAGMENTS, PARSED

SIGNS = {PARSED: "✓", DIFFERS: "≠", FRAGMENTS: "…", FAILED: "✕"}
"""Marks have a shape of their own: no meaning by colour alone."""
_ALL = "All"
_UNSEEN = "not parsed yet"
_SHOWN = 160
_TAGGED = re.compile(r"(\S)/[A-Z$.,:`'#\-]+(?=\s|$)")
_WORDS = re.compile(r"\(\s*[^\s()]+\s+([^\s()]+)\s*\)")


def plain(text: str) -> str:
    """A line without tags and brackets, for the eye."""
    if text.lstrip().startswith("("):
        words = _WORDS.findall(text[: 8 * _SHOWN])
        return " ".join(words) or text
    return _TAGGED.sub(r"\1", text[: 3 * _SHOWN])


class LinesModel(QAbstractListModel):
    """The document's sentences that pass the filter."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lines: Sequence[Line] = ()
        self._query = ""
        self._mark = _ALL
        self.shown: list[int] = []

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        """How many sentences are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sentence with its mark and number."""
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return None
        number = self.shown[index.row()]
        line = self._lines[number]
        mark = self._session.marks.get(line)
        if role == Qt.ItemDataRole.DisplayRole:
            forced = "  ⑂" if line.what_ifs else ""
            return f"{SIGNS.get(mark or '', ' ')}  {number + 1}  {plain(line.text)[:_SHOWN]}{forced}"
        said = ", ".join(filter(None, [line.place, mark or _UNSEEN]))
        return f"{plain(line.text)}\n{said}"

    def refresh(self) -> None:
        """Look at the document again."""
        lines = self._session.document.lines
        if lines is self._lines:
            return
        as_many = len(lines) == len(self._lines) and not self._query and self._mark == _ALL
        self._lines = lines
        if not as_many:
            self._select()

    def filter(self, query: str, mark: str) -> None:
        """Show only sentences with these letters and this mark."""
        self._query, self._mark = query.lower(), mark
        self._select()

    def _select(self) -> None:
        self.beginResetModel()
        marks = self._session.marks
        self.shown = [
            number
            for number, line in enumerate(self._lines)
            if (not self._query or self._has_query(line.text))
            and (self._mark == _ALL or marks.get(line, _UNSEEN) == self._mark)
        ]
        self.endResetModel()

    def _has_query(self, text: str) -> bool:
        """Whether a sentence, its tags and brackets aside, has the letters that are looked for."""
        found = text.lower()
        # Most lines lack one of the words, whatever stands between words: those need no closer look.
        return all(word in found for word in self._query.split()) and self._query in plain(text).lower()

    def marks_changed(self) -> None:
        """Some mark is another one now."""
        if self._mark != _ALL:
            self._select()


class SentenceList(QWidget):
    """Shows the list; choosing a sentence shows its parse."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.model = LinesModel(session, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.search = QLineEdit(placeholderText="Filter", clearButtonEnabled=True)
        self.search.setAccessibleName("Filter sentences")
        self.marks = QComboBox()
        self.marks.addItem(_ALL, _ALL)
        for mark, sign in SIGNS.items():
            self.marks.addItem(f"{sign}  {mark}", mark)
        self.marks.addItem(_UNSEEN, _UNSEEN)
        self.marks.setToolTip("✓ parsed   ≠ differs from the gold tree   … fragments only   ✕ failed")
        self.marks.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.marks.setMinimumContentsLength(4)
        row.addWidget(self.search, 1)
        row.addWidget(self.marks)
        layout.addLayout(row)
        self.view = QListView()
        self.view.setObjectName("sentence-list")
        self.view.setModel(self.model)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setUniformItemSizes(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setAccessibleName("Sentences")
        layout.addWidget(self.view, 1)
        self.count = QLabel()
        self.count.setObjectName("quiet")
        layout.addWidget(self.count)
        self.search.textChanged.connect(self._filter)
        self.marks.currentIndexChanged.connect(self._filter)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        session.document_changed.connect(self.refresh)
        session.marks_changed.connect(self._marks_changed)
        self.refresh()

    def refresh(self) -> None:
        """Show the document's sentences, and which of them is shown."""
        self.model.refresh()
        self._mark_current()
        # A view that is told that data changed lays out all its rows again; their sizes never change.
        self.view.viewport().update()

    def _marks_changed(self) -> None:
        self.model.marks_changed()
        self.view.viewport().update()

    def _mark_current(self) -> None:
        total, shown = len(self._session.document.lines), len(self.model.shown)
        self.count.setText(size(total, "sentence") if shown == total else f"{shown:,} of {size(total, 'sentence')}")
        current = self._session.document.current
        try:
            place = self.model.shown.index(current) if shown < total else current
        except ValueError:
            return
        if place < shown and self.view.currentIndex().row() != place:
            self.view.setCurrentIndex(self.model.index(place))

    def _filter(self) -> None:
        self.model.filter(self.search.text(), self.marks.currentData())
        self._mark_current()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.model.shown):
            self._session.choose(self.model.shown[index.row()])
