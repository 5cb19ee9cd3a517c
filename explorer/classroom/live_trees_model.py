"""The item model of the live treebank: its trees by their words."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from engine.trees.tree import Tree
from explorer.document.line_text import plain

Index = QModelIndex | QPersistentModelIndex


class TreesModel(QAbstractListModel):
    """The trees that pass the filter, by their words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: dict[int, tuple[Tree, str]] = {}
        self._used = 0
        self._waiting = QFont()
        self._waiting.setItalic(True)
        self._waiting.setPointSizeF(self._waiting.pointSizeF() * 0.85)
        self.trees: Sequence[Tree] = ()
        self.shown: list[int] = []

    def set_trees(self, trees: Sequence[Tree], used: int, wanted: str) -> None:
        """Show trees that have all wanted words, of which the first ones are used."""
        self.beginResetModel()
        # A tree that stayed keeps its words: finding them anew would take a while for two thousand.
        self._words = {id(tree): self._words.get(id(tree)) or (tree, plain(tree.brackets())) for tree in trees}
        self.trees, self._used = trees, used
        terms = wanted.casefold().split()
        self.shown = [at for at in range(len(trees)) if all(term in self.words(at).casefold() for term in terms)]
        self.endResetModel()

    def words(self, at: int) -> str:
        """The words of a tree."""
        return self._words[id(self.trees[at])][1]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many trees are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Number and words of a tree; those that are not trained on are in small italics."""
        if not index.isValid():
            return None
        at = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{at + 1}   {self.words(at)}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{at + 1} {self.words(at)}" + ("" if at < self._used else ", not trained on")
        if role == Qt.ItemDataRole.FontRole and at >= self._used:
            return self._waiting
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<pre>{html.escape(self.trees[at].pretty(70))}</pre>"
        return None
