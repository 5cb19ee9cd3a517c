"""What-ifs: what is forced or forbidden, what it costs, what else moved; each can be lifted alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from engine.analysis.headlines import what_if_headline
from engine.estimates.factor_subjects import RERANKERS_KINDS
from engine.structure.constraints import Constraint
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import as_sentence
from explorer.document.parse_service import ParseService
from explorer.document.view_state import ViewState
from explorer.graphics.number_text import curly_quotes, log_text, signed
from explorer.graphics.selection import WhatIfId
from explorer.widgets.rows_table import Row, RowsView

_EMPTY = (
    "No what-ifs.  Drag an arrow's head to another word, click a letter of a gap, choose a tag, "
    "or force what is selected (Ctrl+I)."
)


class WhatIfs(QWidget):
    """The list of what-ifs beside the list of what moved."""

    def __init__(self, editor: DocumentEditor, parses: ParseService, view: ViewState) -> None:
        super().__init__()
        self._view = view
        self._editor = editor
        self._parses = parses
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 8, 4)
        self.price = QLabel(_EMPTY, textFormat=Qt.TextFormat.PlainText)
        self.price.setWordWrap(True)
        self.price.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head.addWidget(self.price, 1)
        self.lift_one = _button("Remove")
        self.lift_one.setToolTip("Remove the what-if that is chosen in the list (Delete)")
        self.lift_one.clicked.connect(self.lift_chosen)
        self.lift_all = _button("Remove all")
        self.lift_all.setToolTip("Parse without any what-if again")
        self.lift_all.clicked.connect(lambda: self._editor.lift(self._editor.line.what_ifs))
        head.addWidget(self.lift_one)
        head.addWidget(self.lift_all)
        layout.addLayout(head)
        self.list = RowsView(("what if", "its price"), (1,), stretch=0, name="What-ifs")
        header = ("change", "with it", "log", "without it", "log")
        self.moved = RowsView(header, (0, 2, 4), name="What the what-ifs moved")
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self.parts.addWidget(self.list)
        self.parts.addWidget(self.moved)
        self.parts.setStretchFactor(0, 0)
        self.parts.setStretchFactor(1, 1)
        self.parts.setSizes([240, 600])
        layout.addWidget(self.parts, 1)
        self.list.chosen.connect(self._choose)
        self._editor.document_changed.connect(self.refresh)
        self._parses.result_changed.connect(self.refresh)
        self._parses.problem_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the what-ifs of the sentence, their prices and what moved."""
        what_ifs, result = self._editor.line.what_ifs, self._parses.result
        current = self._parses.is_current and result is not None
        prices = result.prices if current and result is not None else ()
        rows = []
        for at, constraint in enumerate(what_ifs):
            price = prices[at] if at < len(prices) else None
            shown = "…" if price is None else signed(-price)
            rows.append(Row((self._parses.describe(constraint), shown), constraint))
        self.list.set_rows(rows)
        moved = []
        if current and result is not None and what_ifs:
            # What a linguist calls a reason first, as in the ledger.
            for line in sorted(result.moved(), key=lambda line: line.kind in RERANKERS_KINDS):
                first, second = line.first, line.second
                moved.append(
                    Row(
                        (
                            signed(line.difference),
                            first.what if first else "–",
                            log_text(first.log) if first else "",
                            second.what if second else "–",
                            log_text(second.log) if second else "",
                        )
                    )
                )
        self.moved.set_rows(moved)
        self.price.setText(self._price_text())
        for button in (self.lift_one, self.lift_all):
            button.setVisible(bool(what_ifs))
        self.parts.setVisible(bool(what_ifs))

    def _choose(self, constraint: Constraint) -> None:
        """Explain the what-if that was chosen."""
        what_ifs = self._editor.line.what_ifs
        if constraint in what_ifs:
            self._view.select(WhatIfId(what_ifs.index(constraint)))

    def _price_text(self) -> str:
        result = self._parses.result
        if not self._editor.line.what_ifs:
            return _EMPTY
        if self._parses.problem:
            return curly_quotes(as_sentence(self._parses.problem))
        if result is None or not self._parses.is_current:
            return "Parsing …"
        headline = what_if_headline(self._editor.line.what_ifs, result.parse, result.free)
        return curly_quotes(" ".join((headline.sentence, *headline.reasons)))

    def lift_chosen(self) -> None:
        """Lift the what-if that is chosen in the list, or the last one."""
        chosen = self.list.current_id
        what_ifs = self._editor.line.what_ifs
        if chosen in what_ifs:
            self._editor.lift([one for one in what_ifs if one == chosen])
        elif what_ifs:
            self._editor.lift(what_ifs[-1:])


def _button(title: str) -> QToolButton:
    button = QToolButton()
    button.setText(title)
    return button
