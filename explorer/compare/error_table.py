"""The error table: classes of errors against verdicts over the whole list, each cell opening its sentences."""

from __future__ import annotations

import time
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.files import write_whole
from engine.common.numbers import size
from engine.common.tables import clipboard_line, csv_line
from engine.common.terminal import time_left
from engine.explain.glosses import column_gloss
from engine.explain.subjects import ErrorCellId
from engine.explain.verdicts import counted_verdicts
from engine.study.errors import ErrorClass
from engine.study.treebank_report import ErrorCell, ErrorTable
from engine.study.verdicts import VerdictKind
from explorer.compare.judging import PartialTable, judge_lines, judging_processes
from explorer.kit.appearance import appearance
from explorer.kit.controls import in_column, in_row, named, push_button, quiet_label, text_button, told
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import CSV
from explorer.kit.messages import as_sentence, error_text, outcome_of_writing
from explorer.kit.tables import HintTable
from explorer.kit.task_window import ShareBar
from explorer.kit.tasks import Job, Worker
from explorer.panels.sentence_list import SentenceList
from explorer.pictures.theme import blend
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.statuses import OUT_OF_DATE, SentenceStatuses
from explorer.session.view_state import ViewState

# The item model of the error table: classes of errors against verdicts, and under what they were judged.

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
            return QColor(appearance().theme.colour("muted")) if self.outdated else None
        if role == Qt.ItemDataRole.BackgroundRole and not self.outdated and kind is not None and verdict is not None:
            cell = self.cell(row, column)
            most = max((one.f1 for one in self.table.cells.values()), default=0.0)
            if cell is None or most <= 0:
                return None
            share = 0.35 * max(cell.f1, 0.0) / most
            return QColor(blend(appearance().theme.colour("background"), appearance().theme.colour("accent"), share))
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


# The error table: classes of errors against verdicts over the whole list, each cell opening its sentences.

_LEAST_COLUMN = 48
_HEAD_MARGIN = 10
_ABOUT = "How many parses are wrong, in what, and what is to blame: model, search, tags or gold tree."
_EMPTY = "Press ‘Judge all sentences’: each is parsed and compared with its gold tree."


class _Tinted(QStyledItemDelegate):
    """Paints a cell's tint, which style sheets leave out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tint = index.data(Qt.ItemDataRole.BackgroundRole)
        if tint is not None:
            painter.fillRect(option.rect.adjusted(2, 1, -2, -1), tint)
        super().paint(painter, option, index)


class ErrorPanel(QWidget):
    """Judges the list and shows the table; a click on a cell lists its sentences, and shows the first of them.

    Parameters
    ----------
    editor, view, parses, statuses
        Whose sentences are judged by which model, where a cell is selected, and where it is noted what became of each.
    sentences
        The list that a cell filters.
    preferences
        The folder of the last file.

    Signals
    -------
    list_wanted
        The list shows the sentences of a cell now.
    table_changed
        There is another table.
    """

    list_wanted = Signal()
    table_changed = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        statuses: SentenceStatuses,
        sentences: SentenceList,
        preferences: Preferences,
    ) -> None:
        super().__init__()
        self._editor = editor
        self._view = view
        # The cell that was opened last and its sentences, until one of them is shown.
        self._opened: tuple[ErrorCellId, frozenset[int]] | None = None
        self._preferences = preferences
        self._parses = parses
        self._statuses = statuses
        self._sentences = sentences
        self._worker = Worker("judge", newest_only=True, parent=self)
        self.summary = told(_ABOUT)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.shown = QComboBox()
        self.shown.addItems(SHOWN)
        self.shown.setAccessibleName("What the cells show")
        self.provenance = named(quiet_label(), "Judged under")
        self.provenance.setWordWrap(True)
        self.again = text_button("Judge again", "Judge every sentence under the model and settings of now", self.judge)
        self.again.hide()
        self.model = ErrorsModel(self)
        self.view = HintTable(_EMPTY)
        self.view.setModel(self.model)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setShowGrid(False)
        self.view.setAccessibleName("Errors against verdicts")
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setItemDelegate(_Tinted(self.view))
        self.view.setCornerButtonEnabled(False)
        # All columns share the width: every verdict is in sight, however narrow the panel.
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.view.horizontalHeader().setMinimumSectionSize(_LEAST_COLUMN)
        self._fit_header()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.progress = ShareBar()
        self.progress.hide()
        self.hint = QLabel("Click a cell, or the head of a column or row, to explain it and list its sentences.")
        self.hint.setObjectName("quiet")
        self.hint.setVisible(False)
        tip = "Put the table on the clipboard, as a spreadsheet takes it"
        self.copy = text_button("Copy table", tip, lambda: QGuiApplication.clipboard().setText(self.model.as_text()))
        self.save = text_button("Save as CSV …", "Write the table to a file that any spreadsheet opens", self.ask_file)
        self.run = push_button("Judge all sentences", "", self.toggle)
        head = in_row((self.summary, 1), self.shown)
        origin = in_row((self.provenance, 1), self.again)
        foot = in_row((self.progress, 1), self.hint, None, self.copy, self.save, self.run)
        self.setLayout(in_column(head, origin, (self.view, 1), foot, margins=(12, 6, 12, 6), spacing=4))
        self.shown.currentTextChanged.connect(self.model.set_shown)
        self.view.clicked.connect(self._open)
        self.view.activated.connect(self._open)
        # The last row and the last column are those of all errors and all verdicts.
        table = self.model
        self.view.horizontalHeader().sectionClicked.connect(
            lambda column: self._open(table.index(table.rowCount() - 1, column))
        )
        self.view.verticalHeader().sectionClicked.connect(
            lambda row: self._open(table.index(row, table.columnCount() - 1))
        )
        editor.text_changed.connect(self._sentence_changed)
        self._job: Job | None = None
        self._started = 0.0
        editor.document_changed.connect(self._show_provenance)
        parses.model_changed.connect(self._show_provenance)

    def _fit_header(self) -> None:
        """Give the heads of the columns two lines: in a narrow column their words stand below each other."""
        header = self.view.horizontalHeader()
        header.setFixedHeight(2 * header.fontMetrics().lineSpacing() + _HEAD_MARGIN)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the heads of the columns to another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "view"):
            self._fit_header()

    @property
    def outdated(self) -> bool:
        """Whether the table was judged under another model, other settings or other tags than those of now."""
        table = self.model.table
        return table is not None and not self.busy and table.provenance != self._parses.provenance

    def _show_provenance(self) -> None:
        """Say under what the table was judged, and where that is no longer so, that it is out of date."""
        table, outdated = self.model.table, self.outdated
        text = no_markup(str(table.provenance)) if table is not None else ""
        if outdated:
            # In bold, so that it is seen beside so much that is quiet.
            now = escape(str(self._parses.provenance))
            text = f"<b>{OUT_OF_DATE.capitalize()}</b>: judged under {escape(text)}; now it is {now}."
        self.provenance.setText(text)
        self.again.setVisible(outdated)
        self.model.set_outdated(outdated)

    @property
    def busy(self) -> bool:
        """Whether sentences are being judged."""
        return self._job is not None

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

        wanted = self._preferences.processes

        def work(job: Job) -> ErrorTable:
            count = len(document.lines)
            processes = judging_processes(document, count, wanted)
            return judge_lines(job, model, document, list(range(count)), processes)

        self.model.set_table(None)
        self._show_provenance()
        self.run.setText("Cancel")
        self.progress.set_share(0.0)
        self.progress.show()
        self.hint.hide()
        self._started = time.monotonic()
        self._job = self._worker.request(
            work, self._done, self._failed, on_progress=self._show_part, on_finished=self._ended
        )

    def _show_part(self, part: PartialTable) -> None:
        """Show the table as far as sentences are judged."""
        table = part.table
        self._statuses.add(part.statuses)
        self.model.set_table(table)
        self.table_changed.emit()
        self._show_provenance()
        self.progress.set_share(table.judged / max(table.wanted, 1))
        left = time_left(table.judged / max(table.wanted, 1), time.monotonic() - self._started)
        self._summarise(table, "so far" + (f", {left}" if left else ""))
        self._sentences.set_known_terms(
            {"verdict": tuple(map(str, table.verdicts)), "class": tuple(map(str, table.kinds))}
        )

    def _summarise(self, table: ErrorTable, how: str) -> None:
        judged = f"{table.judged:,} of {size(table.wanted, 'sentence')}" if how else size(table.judged, "sentence")
        counts = ", ".join(counted_verdicts(kind, count) for kind, count in table.sentences.items())
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
        self._show_provenance()
        if cancelled and table is not None:
            self._summarise(table, "before it was cancelled")

    def ask_file(self) -> None:
        """Ask for a file, and write the table to it."""
        if self.model.table is None:
            self.summary.setText(_EMPTY)
            return
        if path := ask_save(self, self._preferences, "Save the error table", "errors.csv", CSV):
            self.write_csv(path)

    def write_csv(self, path: Path) -> None:
        """Write the table to a file."""
        self.summary.setText(outcome_of_writing(path, lambda: write_whole(path, self.model.as_csv().encode())))

    def _open(self, index: QModelIndex) -> None:
        """Show a cell's sentences in the list, and the first of them in the window."""
        if self.model.table is None:
            return
        if not self.model.text(index.row(), index.column()) and self.model.cell(index.row(), index.column()) is None:
            return
        kind, verdict = self.model.kinds(index.row(), index.column())
        terms = [f'{name}:"{value}"' for name, value in (("class", kind), ("verdict", verdict)) if value is not None]
        self._sentences.show_first(" ".join(terms))
        self.list_wanted.emit()
        self.explain(index.row(), index.column())
        cell = self.model.cell(index.row(), index.column()) or self.model.table.whole
        self._opened = ErrorCellId(kind or "", verdict or ""), frozenset(cell.sentences)

    def explain(self, row: int, column: int) -> None:
        """Open the inspector's page about a cell; −1 is the whole row or column."""
        table = self.model.table
        if table is not None:
            kind = table.kinds[row] if 0 <= row < len(table.kinds) else ""
            verdict = table.verdicts[column] if 0 <= column < len(table.verdicts) else ""
            self._view.select(ErrorCellId(str(kind), str(verdict)))

    def _sentence_changed(self) -> None:
        """The cell stays explained while the list goes to its first sentence; from then on the sentence is."""
        if self._opened is not None:
            id, sentences = self._opened
            if self._editor.document.current + 1 in sentences:
                self._view.select(id)
            self._opened = None
