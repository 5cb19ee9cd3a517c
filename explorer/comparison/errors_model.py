"""The item model of the error table: classes of errors against verdicts, and under what they were judged."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from engine.analysis.comparison import ErrorClass, VerdictKind
from engine.analysis.comparison.treebank_report import ErrorCell
from engine.common.csv_text import clipboard_line, csv_line
from explorer.comparison.treebank_judging import ErrorTable
from explorer.document.sentence_status import OUT_OF_DATE
from explorer.explanations.glosses import column_gloss
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme, blend

Index = QModelIndex | QPersistentModelIndex
COUNTS, COSTS, SENTENCES = "errors", "cost in F1", "sentences"
SHOWN = (COUNTS, COSTS, SENTENCES)
_SUM = "all"


class ErrorsModel(QAbstractTableModel):
    """The table: a row for each class of errors and one for all, a column for each verdict and one for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table: ErrorTable | None = None
        self.shown = COUNTS
        self.theme = LIGHT
        self.outdated = False
        self._bold = QFont()
        self._bold.setBold(True)

    def set_table(self, table: ErrorTable | None) -> None:
        """Show another table; one of the same shape only changes its numbers."""
        before = self.table
        if (
            before is not None
            and table is not None
            and (before.kinds, before.verdicts) == (table.kinds, table.verdicts)
        ):
            self.table = table
            self._changed()
            return
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def set_shown(self, shown: str) -> None:
        """Show other numbers of the same table."""
        self.shown = shown
        self._changed()

    def set_outdated(self, outdated: bool) -> None:
        """Show the numbers as out of date, or not."""
        if outdated != self.outdated:
            self.outdated = outdated
            self._changed()

    def set_theme(self, theme: Theme) -> None:
        """Tints of another theme."""
        self.theme = theme
        self._changed()

    def _changed(self) -> None:
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """A row for each class, and one for all."""
        return 0 if parent.isValid() or self.table is None else len(self.table.kinds) + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """A column for each verdict, and one for all."""
        return 0 if parent.isValid() or self.table is None else len(self.table.verdicts) + 1

    def kinds(self, row: int, column: int) -> tuple[ErrorClass | None, VerdictKind | None]:
        """The class and the verdict of a cell; ``None`` for all."""
        assert self.table is not None
        kind = self.table.kinds[row] if row < len(self.table.kinds) else None
        return kind, self.table.verdicts[column] if column < len(self.table.verdicts) else None

    def cell(self, row: int, column: int) -> ErrorCell | None:
        """What a cell holds; ``None`` for none, and for the corner."""
        assert self.table is not None
        kind, verdict = self.kinds(row, column)
        if kind is not None and verdict is not None:
            return self.table.cells.get((kind, verdict))
        if kind is not None:
            return self.table.rows[kind]
        return self.table.columns[verdict] if verdict is not None else None

    def text(self, row: int, column: int) -> str:
        """What a cell shows."""
        assert self.table is not None
        kind, verdict = self.kinds(row, column)
        if kind is None and self.shown == SENTENCES:
            counts = self.table.sentences
            return f"{counts[verdict] if verdict is not None else sum(counts.values()):,}"
        cell = self.cell(row, column)
        if kind is None and verdict is None:
            return f"{self.table.errors:,}" if self.shown == COUNTS else ""
        if cell is None or not cell.count:
            return ""
        if self.shown == COUNTS:
            return f"{cell.count:,}"
        return f"{len(cell.sentences):,}" if self.shown == SENTENCES else f"{cell.f1:.2f}"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Numbers to the right; a tint by what a cell costs."""
        if not index.isValid() or self.table is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        kind, verdict = self.kinds(row, column)
        if role == Qt.ItemDataRole.FontRole:
            return self._bold if kind is None or verdict is None else None
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self.theme.colour("muted")) if self.outdated else None
        if role == Qt.ItemDataRole.BackgroundRole and not self.outdated and kind is not None and verdict is not None:
            cell = self.cell(row, column)
            most = max((one.f1 for one in self.table.cells.values()), default=0.0)
            if cell is None or most <= 0:
                return None
            share = 0.35 * max(cell.f1, 0.0) / most
            return QColor(blend(self.theme.colour("background"), self.theme.colour("accent"), share))
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{self._tip(row, column)} ({OUT_OF_DATE})" if self.outdated else self._tip(row, column)
        return None

    def _tip(self, row: int, column: int) -> str:
        kind, verdict = self.kinds(row, column)
        cell = self.cell(row, column)
        where = f"{kind or 'all errors'}, {verdict or 'all verdicts'}"
        if cell is None or not cell.count:
            return where
        many = size(cell.count, "error")
        return (
            f"{where}: {many} in {size(len(cell.sentences), 'sentence')}; F1 would rise by {cell.f1:.2f} without them"
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Classes at the left, verdicts on top."""
        if self.table is None:
            return None
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.ToolTipRole:
            gloss = column_gloss(str(self.headerData(section, orientation)))
            return gloss.tip if gloss is not None else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.TextAlignmentRole):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if across else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap if across else 0)
        names = self.table.verdicts if across else self.table.kinds
        return str(names[section]) if section < len(names) else _SUM

    def as_text(self) -> str:
        """The table as text that a spreadsheet takes from the clipboard."""
        return "\n".join(map(clipboard_line, self._rows()))

    def as_csv(self) -> str:
        """The table as comma-separated values."""
        return "".join(map(csv_line, self._rows()))

    def _rows(self) -> list[list[str]]:
        """Under what the table was judged, its header and its rows."""
        if self.table is None:
            return []
        old = f" ({OUT_OF_DATE})" if self.outdated else ""
        rows = [[f"{self.table.provenance}{old}"], ["error", *(str(kind) for kind in self.table.verdicts), _SUM]]
        for row in range(self.rowCount()):
            name = str(self.headerData(row, Qt.Orientation.Vertical))
            rows.append([name, *(self.text(row, column) for column in range(self.columnCount()))])
        return rows
