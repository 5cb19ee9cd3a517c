"""The n best parses with their scores; choosing one shows it in all pictures."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent

from engine.analysis.parse_differences import difference_name, differences
from engine.analysis.vote_shares import percent
from engine.chart.parse import Parse
from explorer.document.parse_service import ParseService
from explorer.document.view_state import ViewState
from explorer.graphics.number_text import log_text, signed
from explorer.widgets.rows_table import Row, RowsView

RERANKED_COLUMNS = (2, 3)
"""Columns that only a re-ranked list needs."""
EXPECTED_F1 = 4
"""The column of a list whose parses are chosen by expected F1."""


def _header(distance: str) -> tuple[str, ...]:
    return ("", "log P", "re-ranker", "score", "expected F1", distance, "differs in")


class Alternatives(RowsView):
    """One row a parse: rank, log P, what a re-ranker adds, score, expected F1, distance to the best, what differs."""

    def __init__(self, parses: ParseService, view: ViewState) -> None:
        super().__init__(_header("to best"), (0, 1, 2, 3, 4, 5), stretch=6, name="n best parses")
        self._parses = parses
        self._view = view
        self.chosen.connect(self._choose)
        self._stale = True
        self._parses.result_changed.connect(self._refresh_if_visible)
        self._parses.ledgers_changed.connect(self._refresh_if_visible)
        self._view.rank_changed.connect(self._mark_rank)

    def _refresh_if_visible(self) -> None:
        """Show another result: at once if the panel is visible, else with its next show event."""
        self._stale = True
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh what changed while the panel was hidden."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def refresh(self) -> None:
        """Show the alternatives of the result."""
        self._stale = False
        result = self._parses.result
        rows: list[Row] = []
        if result is not None and result.full:
            best = result.parse
            for rank, parse in enumerate(best.alternatives):
                named = "the best" if best.votes is None else "chosen"
                reason = named if not rank else difference_name(parse, best)
                cells = (
                    str(rank + 1),
                    log_text(parse.log_probability),
                    signed(parse.score - parse.log_probability),
                    log_text(parse.score),
                    percent(parse.expected_f1) if best.votes is not None else "",
                    signed(parse.score - best.score) if rank else "",
                    reason,
                )
                rows.append(Row(cells, rank, tip=_tip(parse, best)))
        ledger = result.ledger() if rows and result is not None else None
        reranked = ledger is not None and bool(ledger.second_model or ledger.features)
        for column in RERANKED_COLUMNS:
            self.setColumnHidden(column, not reranked)
        voted = result is not None and result.parse.votes is not None
        self.setColumnHidden(EXPECTED_F1, not (rows and voted))
        self.rows_model.set_header(_header("to chosen" if voted else "to best"))
        self.set_rows(rows)
        self._mark_rank()

    def _mark_rank(self) -> None:
        self.mark(self._view.rank)

    def _choose(self, rank: int) -> None:
        self._view.set_rank(rank)


def _tip(parse: Parse, best: Parse) -> str:
    """All that differs, a line each, and the tree."""
    return "\n".join((*differences(parse, best), parse.tree.pretty(80)))
