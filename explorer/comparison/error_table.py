"""The window of errors: classes of errors against verdicts over the whole list, each cell opening its sentences."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.analysis.comparison import ErrorClass, VerdictKind
from engine.analysis.comparison.treebank_report import ErrorCell
from explorer.comparison.treebank_judging import ErrorTable, PartialTable, judge_lines
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import as_sentence, error_text
from explorer.document.parse_service import ParseService
from explorer.document.sentence_status import SentenceStatuses
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme, blend
from explorer.tasks.worker import Job, Worker
from explorer.treebank.sentence_list import SentenceList

Index = QModelIndex | QPersistentModelIndex
COUNTS, COSTS, SENTENCES = "mistakes", "cost in F1", "sentences"
SHOWN = (COUNTS, COSTS, SENTENCES)
_SUM = "all"


class ErrorsModel(QAbstractTableModel):
    """The table: a row for each class of errors and one for all, a column for each verdict and one for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table: ErrorTable | None = None
        self.shown = COUNTS
        self.theme = LIGHT
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
        if role == Qt.ItemDataRole.BackgroundRole and kind is not None and verdict is not None:
            cell = self.cell(row, column)
            most = max((one.f1 for one in self.table.cells.values()), default=0.0)
            if cell is None or most <= 0:
                return None
            share = 0.35 * max(cell.f1, 0.0) / most
            return QColor(blend(self.theme.colour("background"), self.theme.colour("accent"), share))
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._tip(row, column)
        return None

    def _tip(self, row: int, column: int) -> str:
        kind, verdict = self.kinds(row, column)
        cell = self.cell(row, column)
        where = f"{kind or 'all errors'}, {verdict or 'all verdicts'}"
        if cell is None or not cell.count:
            return where
        many = size(cell.count, "mistake")
        return (
            f"{where}: {many} in {size(len(cell.sentences), 'sentence')}; F1 would rise by {cell.f1:.2f} without them"
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Classes at the left, verdicts on top."""
        if self.table is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.TextAlignmentRole):
            return None
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if across else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        names = self.table.verdicts if across else self.table.kinds
        return str(names[section]) if section < len(names) else _SUM

    def as_text(self) -> str:
        """The table as text that a spreadsheet takes."""
        if self.table is None:
            return ""
        rows = [["error", *(str(kind) for kind in self.table.verdicts), _SUM]]
        for row in range(self.rowCount()):
            name = str(self.headerData(row, Qt.Orientation.Vertical))
            rows.append([name, *(self.text(row, column) for column in range(self.columnCount()))])
        return "\n".join("\t".join(row) for row in rows)


_EMPTY = "Nothing is judged yet: press ‘Judge all sentences’."


class _Tinted(QStyledItemDelegate):
    """Paints a cell's tint, which style sheets leave out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tint = index.data(Qt.ItemDataRole.BackgroundRole)
        if tint is not None:
            painter.fillRect(option.rect.adjusted(2, 1, -2, -1), tint)
        super().paint(painter, option, index)


class _Table(QTableView):
    """A table that says what to do while it is empty."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, _EMPTY)


class ErrorWindow(QWidget):
    """Judges the list and shows the table; a click on a cell shows its sentences in the list.

    Parameters
    ----------
    editor, parses, statuses
        Whose sentences are judged by which model, and where it is noted what became of each.
    sentences
        The list that a cell filters.

    Signals
    -------
    list_wanted
        The list shows the sentences of a cell now.
    """

    list_wanted = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        statuses: SentenceStatuses,
        sentences: SentenceList,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("errors")
        self.setWindowTitle("Errors – Parse Explorer")
        self.resize(880, 520)
        self._editor = editor
        self._parses = parses
        self._statuses = statuses
        self._sentences = sentences
        self._worker = Worker("judge", newest_only=True, parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(8)
        head = QHBoxLayout()
        self.summary = QLabel("Every sentence with a gold tree is parsed and judged.")
        self.summary.setWordWrap(True)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head.addWidget(self.summary, 1)
        self.shown = QComboBox()
        self.shown.addItems(SHOWN)
        self.shown.setAccessibleName("What the cells show")
        head.addWidget(self.shown)
        layout.addLayout(head)
        self.model = ErrorsModel(self)
        self.view = _Table()
        self.view.setModel(self.model)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setShowGrid(False)
        self.view.setAccessibleName("Errors against verdicts")
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setItemDelegate(_Tinted(self.view))
        self.view.setCornerButtonEnabled(False)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        layout.addWidget(self.view, 1)
        foot = QHBoxLayout()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        self.progress.setAccessibleName("Progress")
        self.progress.hide()
        foot.addWidget(self.progress, 1)
        self.hint = QLabel("Click a cell to see its sentences.")
        self.hint.setObjectName("quiet")
        self.hint.setVisible(False)
        foot.addWidget(self.hint)
        foot.addStretch(1)
        self.copy = QToolButton()
        self.copy.setText("Copy table")
        self.copy.setToolTip("Put the table on the clipboard, as a spreadsheet takes it")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.model.as_text()))
        foot.addWidget(self.copy)
        self.run = QPushButton("Judge all sentences")
        self.run.clicked.connect(self.toggle)
        foot.addWidget(self.run)
        layout.addLayout(foot)
        self.shown.currentTextChanged.connect(self.model.set_shown)
        self.view.clicked.connect(self._open)
        self.view.activated.connect(self._open)
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether sentences are being judged."""
        return self._job is not None

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.model.set_theme(theme)

    def toggle(self) -> None:
        """Judge, or stop judging and keep what there is."""
        if self._job is not None:
            self._worker.cancel()
        else:
            self.judge()

    def judge(self) -> None:
        """Judge every sentence that has a gold tree under the settings as they are."""
        model, document = self._parses.model, self._editor.document
        if model is None:
            self.summary.setText("There is no model yet.")
            return

        def work(job: Job) -> ErrorTable:
            return judge_lines(job, model, document, list(range(len(document.lines))))

        self.model.set_table(None)
        self.run.setText("Cancel")
        self.progress.setValue(0)
        self.progress.show()
        self.hint.hide()
        self._job = self._worker.request(
            work, self._done, self._failed, on_progress=self._show_part, on_finished=self._ended
        )

    def _show_part(self, part: PartialTable) -> None:
        """Show the table as far as sentences are judged."""
        table = part.table
        self._statuses.add(part.statuses)
        self.model.set_table(table)
        self.progress.setValue(round(1000 * table.judged / max(table.wanted, 1)))
        self._summarise(table, "so far")
        self._sentences.set_known_terms(
            {"verdict": tuple(map(str, table.verdicts)), "class": tuple(map(str, table.kinds))}
        )

    def _summarise(self, table: ErrorTable, how: str) -> None:
        judged = f"{table.judged:,} of {size(table.wanted, 'sentence')}" if how else size(table.judged, "sentence")
        counts = ", ".join(f"{count:,} {kind}" for kind, count in table.sentences.items())
        self.summary.setText(f"{judged} judged{' ' + how if how else ''}: F1 {table.f1:.1f} %.  {counts}.")

    def _done(self, table: ErrorTable) -> None:
        self._summarise(table, "")

    def _failed(self, error: Exception) -> None:
        self.summary.setText(as_sentence(error_text(error)))

    def _ended(self) -> None:
        cancelled = self._job is not None and self._job.cancelled
        self._job = None
        self.run.setText("Judge all sentences")
        self.progress.hide()
        table = self.model.table
        self.hint.setVisible(table is not None)
        if cancelled and table is not None:
            self._summarise(table, "before it was cancelled")

    def _open(self, index: QModelIndex) -> None:
        """Show a cell's sentences in the list."""
        if self.model.table is None:
            return
        if not self.model.text(index.row(), index.column()) and self.model.cell(index.row(), index.column()) is None:
            return
        kind, verdict = self.model.kinds(index.row(), index.column())
        terms = [f'{name}:"{value}"' for name, value in (("class", kind), ("verdict", verdict)) if value is not None]
        self._sentences.set_filter(" ".join(terms))
        self.list_wanted.emit()
