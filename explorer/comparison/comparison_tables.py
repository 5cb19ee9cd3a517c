"""The tables of a comparison: the two ledgers row against row, the errors by class, the prices of other heads."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter

from engine.structure.constraints import Attachment
from explorer.comparison.comparison_rows import (
    BRACKETS_HEADER,
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    ORIGINS_FROM,
    PRICES_HEADER,
    PRICES_RIGHT,
    FoldId,
    bracket_rows,
    error_rows,
    ledger_header,
    ledger_rows,
    price_rows,
)
from explorer.comparison.comparison_state import ComparisonState
from explorer.comparison.count_menus import counts_menu
from explorer.document.document_editor import DocumentEditor
from explorer.document.view_state import ViewState
from explorer.graphics.selection import CandidateId, Id
from explorer.widgets.folding_tabs import FoldingTabs
from explorer.widgets.rows_table import Row, RowsView

LEDGER, ERRORS, BRACKETS, PRICES = range(4)
TABLES_HEIGHT = 240
"""Height of the tables under the pictures, until a person makes them higher or lower."""
_FIRST_NAME = 2
"""The column of the first ledger's names, which is always in sight."""
_PRICES = "What every other head of the selected word would cost in log probability; a re-ranker has no say in it"
_NO_RERANKER = "without the re-ranker: force one to see its score"


class ComparisonTables(FoldingTabs):
    """Shows what a comparison found, in tabs; selection is linked with the pictures.

    Signals
    -------
    count_opened
        The training sentences of a count are wanted: its :class:`CountLink`.
    """

    count_opened = Signal(object)

    def __init__(
        self, comparisons: ComparisonState, editor: DocumentEditor, view: ViewState, splitter: QSplitter
    ) -> None:
        super().__init__(splitter, TABLES_HEIGHT)
        self._comparisons = comparisons
        self._editor = editor
        self._view = view
        self._unfolded: frozenset[FoldId] = frozenset()
        header = ("nats", "factor", "first parse", "log", "second parse", "log", "first from", "second from")
        origins = (ORIGINS_FROM, ORIGINS_FROM + 1)
        self.ledger = RowsView(header, LEDGER_RIGHT, stretch=len(header) - 1, name="Ledgers", spare=origins)
        self.errors = RowsView(ERRORS_HEADER, ERRORS_RIGHT, stretch=3, name="Errors", key=3)
        self.brackets = RowsView(BRACKETS_HEADER, stretch=2, name="Brackets that differ", key=2)
        self.prices = RowsView(PRICES_HEADER, PRICES_RIGHT, stretch=4, name="Prices of attachments")
        self.setAccessibleName("Tables of the comparison")
        for table, title in (
            (self.ledger, "Ledger"),
            (self.errors, "Errors"),
            (self.brackets, "Brackets"),
            (self.prices, "Prices"),
        ):
            self.addTab(table, title)
            table.chosen.connect(self._row_chosen)
            table.pointed.connect(self._row_pointed)
        self.setTabToolTip(PRICES, _PRICES)
        self.setTabToolTip(BRACKETS, "Every bracket that only one of the two trees has")
        self.currentChanged.connect(self._other_table)
        self.ledger.opened.connect(self._open_row)
        self.ledger.clicked.connect(self._ledger_clicked)
        self.ledger.menu_wanted.connect(lambda _, place: self._open_row(self.ledger.currentIndex().row(), place))
        self.prices.activated_row.connect(self._force_price)
        comparisons.prices_changed.connect(self.fill_prices)
        self._view.selection_changed.connect(self._selection_changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Find prices if it is they that are in sight."""
        super().showEvent(event)
        self._comparisons.set_pricing(self.currentIndex() == PRICES)

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        comparison = self._comparisons.comparison
        if comparison is not None:
            self.ledger.rows_model.set_header(ledger_header(comparison))
            self.ledger.set_rows(ledger_rows(comparison, self._unfolded))
            self.errors.set_rows(error_rows(comparison))
            self.brackets.set_rows(bracket_rows(comparison))
        else:
            for table in (self.ledger, self.errors, self.brackets):
                table.set_rows([])
        for page, title, table in ((ERRORS, "Errors", self.errors), (BRACKETS, "Brackets", self.brackets)):
            rows = table.rows_model.rowCount()
            self.setTabText(page, f"{title} ({rows})" if rows else title)
        self.fill_prices()

    def _other_table(self, page: int) -> None:
        self._comparisons.set_pricing(page == PRICES)
        self.fill_prices()

    def _word(self) -> int | None:
        """The word whose prices are shown: the selected one, or the one whose gold attachment matters most."""
        word = self._comparisons.selected_word
        if word is not None:
            return word
        wanted = self._comparisons.gold_attachment()
        return wanted.modifier if wanted is not None else None

    def fill_prices(self) -> None:
        """Show what is known of the prices of the word, if they are in sight."""
        comparison = self._comparisons.comparison
        if comparison is None or self.currentIndex() != PRICES:
            return
        word = self._word()
        known = self._comparisons.prices
        rows: list[Row] = []
        title = "Prices"
        if word is not None and word in known:
            rows = price_rows(known[word], comparison.first, self._comparisons.gold)
            if comparison.first.score != comparison.first.log_probability:
                rows.append(Row(("", _NO_RERANKER, "", "", "")))
        elif word is None:
            rows = [Row(("", "select a word", "", "", ""))]
        elif word not in comparison.first.reduced:
            rows = [Row(("", "it is inside a baseNP: only the head of a baseNP is attached", "", "", ""))]
        elif self._comparisons.pricing:
            rows = [Row(("…", "being found", "", "", ""))]
        if self._comparisons.pricing:
            title = f"Prices ({len(known)} of {len(comparison.first.reduced)})"
        self.setTabText(PRICES, title)
        self.prices.set_rows(rows)

    def _force_price(self, id: Id | None) -> None:
        if isinstance(id, CandidateId):
            self._editor.add_what_if(Attachment(id.modifier, id.head))

    # Selection is linked with the pictures

    def _row_chosen(self, id: Id | FoldId | None) -> None:
        if not isinstance(id, FoldId):
            self._view.select(id)

    def _row_pointed(self, id: Id | FoldId | None) -> None:
        self._view.point_at(None if isinstance(id, FoldId) else id)

    def _selection_changed(self) -> None:
        for table in (self.ledger, self.errors, self.brackets):
            table.mark(self._view.selection)
        self.fill_prices()

    # Counts open the training sentences behind them

    def _ledger_clicked(self, index: QModelIndex) -> None:
        """A click on counts opens them; on a row that stands for others, it unfolds them."""
        if index.column() >= ORIGINS_FROM or isinstance(self.ledger.rows_model.rows[index.row()].id, FoldId):
            self._open_row(index.row())

    def _open_row(self, row: int, place: QPoint | None = None) -> None:
        comparison = self._comparisons.comparison
        if comparison is None or row < 0:
            return
        id = self.ledger.rows_model.rows[row].id
        if isinstance(id, FoldId):
            self._unfolded ^= {id}
            self.ledger.set_rows(ledger_rows(comparison, self._unfolded))
            return
        menu = self.counts_menu(row)
        if menu is not None:
            column = _FIRST_NAME if self.ledger.isColumnHidden(ORIGINS_FROM) else ORIGINS_FROM
            below = self.ledger.visualRect(self.ledger.rows_model.index(row, column)).bottomLeft()
            menu.popup(place or self.ledger.viewport().mapToGlobal(below))

    def counts_menu(self, row: int) -> QMenu | None:
        """The counts behind a row of the ledger, to be opened; ``None`` if it has none."""
        comparison, made_of = self._comparisons.comparison, self.ledger.rows_model.rows[row].made_of
        if comparison is None or not isinstance(made_of, tuple):
            return None
        first, second = made_of
        return counts_menu(self, comparison, first, second, self.count_opened.emit)
