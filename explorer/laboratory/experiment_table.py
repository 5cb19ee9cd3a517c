"""The table of an experiment: our rows as they fill, the paper's under them in another colour, and the differences."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from engine.common.csv_text import clipboard_line
from engine.evaluation.experiments.result_table import DIFFERENCE, OURS, PAPERS, ComparedRow, ResultTable
from explorer.graphics.number_text import no_markup
from explorer.graphics.theme import LIGHT, Theme
from explorer.widgets.hint_table import HintTable
from explorer.widgets.table_setup import set_up_rows

Index = QModelIndex | QPersistentModelIndex
_WHOSE = {OURS: "measured", PAPERS: "the paper", DIFFERENCE: "difference"}
_MEANINGS = {
    "labeled_recall": "LR, labeled recall: per cent of the treebank’s constituents that the parse has",
    "labeled_precision": "LP, labeled precision: per cent of the parse’s constituents that the treebank has",
    "f1": "F1: the harmonic mean of labeled recall and precision",
    "crossing": "CBs: crossing brackets per sentence",
    "no_crossing": "0 CBs: per cent of sentences without crossing brackets",
    "two_or_less_crossing": "≤ 2 CBs: per cent of sentences with at most two crossing brackets",
    "sentences_per_second": "Sentences parsed in a second by one process, without tagging",
    "sentences_per_minute": "Sentences parsed in a minute by one process, without tagging",
    "sentences": "How many sentences are measured",
    "tags": "Where the tags come from: the treebank (gold), the tagger’s best sequence, or its distributions",
}


class ResultsModel(QAbstractTableModel):
    """The rows of a :class:`ResultTable` beside the paper's."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._table: ResultTable | None = None
        self._rows: list[ComparedRow] = []
        self._theme = LIGHT

    @property
    def rows(self) -> list[ComparedRow]:
        """What is shown."""
        return self._rows

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self.columnCount() - 1))

    def set_table(self, table: ResultTable | None) -> None:
        """Show another table; where only figures are new the rows stay, and so does the choice among them."""
        rows = table.beside_paper() if table is not None else []
        same = (
            table is not None
            and self._table is not None
            and [column.key for column in table.columns] == [column.key for column in self._table.columns]
            and [row.kind for row in rows] == [row.kind for row in self._rows]
        )
        if same:
            self._table, self._rows = table, rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            return
        self.beginResetModel()
        self._table, self._rows = table, rows
        self.endResetModel()

    def whose(self, row: ComparedRow) -> str:
        """Whose a row is; where ours are in several blocks, in which."""
        ours = [block for block in self._table.blocks if not block.papers] if self._table is not None else []
        return row.source.rpartition(", ")[2] if row.kind == OURS and len(ours) > 1 else _WHOSE[row.kind]

    def _is_papers(self, column: int) -> bool:
        """Whether a column, not a row, has the paper's figures."""
        return column >= 0 and self._table is not None and self._table.columns[column].key == "paper"

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The columns of the table, after one that says whose row it is."""
        return 0 if parent.isValid() or self._table is None else 1 + len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell, its colour and its place."""
        if not index.isValid() or self._table is None:
            return None
        row, column = self._rows[index.row()], index.column() - 1
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.whose(row) if column < 0 else row.cells[column].replace("<=", "≤ ")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column < self._table.names else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ForegroundRole:
            kind = PAPERS if self._is_papers(column) else row.kind
            return QColor(self._theme.colour({OURS: "ink", PAPERS: "extra", DIFFERENCE: "faint"}[kind]))
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(row.kind == OURS and not self._is_papers(column))
            font.setItalic(row.kind == DIFFERENCE)
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            return no_markup(row.source if column < 0 else row.cells[column])
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The head of a column; those of one length of sentences say which."""
        if orientation != Qt.Orientation.Horizontal or self._table is None or section > len(self._table.columns):
            return None
        column = self._table.columns[section - 1] if section else None
        if role == Qt.ItemDataRole.DisplayRole:
            if column is None:
                return "row"
            group = column.group.partition(" ")[0].replace("<=", "≤ ")
            title = column.title.replace("<=", "≤ ")
            return f"{group}\n{title}" if group else title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section <= self._table.names else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignBottom)
        if role == Qt.ItemDataRole.ToolTipRole and column is not None:
            meaning = _MEANINGS.get(column.key.rstrip("0123456789").rstrip("_"), "")
            return "\n".join(filter(None, (meaning, column.group.replace("<=", "≤ ")))) or None
        return None


class ResultsView(HintTable):
    """Shows the results; Ctrl+C copies the table as a spreadsheet takes it."""

    def __init__(self) -> None:
        super().__init__("Choose an experiment, a treebank and a model, and press Run.")
        self.results = ResultsModel(self)
        self.setModel(self.results)
        self.setAccessibleName("Results, the paper’s under ours")
        set_up_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._fit()

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 5)

    def changeEvent(self, event: QEvent) -> None:
        """Make rows as high as the type needs."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "results"):
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies all rows."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def as_text(self) -> str:
        """The table with tabs between its cells."""
        model = self.results
        heads = [
            str(model.headerData(at, Qt.Orientation.Horizontal)).replace("\n", " ") for at in range(model.columnCount())
        ]
        lines = [[model.whose(row), *row.cells] for row in model.rows]
        return "\n".join(map(clipboard_line, (heads, *lines)))
