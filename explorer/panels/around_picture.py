"""What stands around the picture of a stage: banners over it, the n best parses and the what-ifs under it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes, no_markup
from engine.common.numbers import log_text, percent, signed
from engine.estimates.ledger import RERANKERS_KINDS
from engine.explain.differences import difference_name, differences
from engine.explain.parses import what_if_headline
from engine.explain.subjects import WhatIfId
from engine.structure.constraints import Constraint
from explorer.kit.messages import as_sentence
from explorer.kit.state import listen
from explorer.kit.tables import Row, RowsView
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.view_state import ViewState

# The sentence over the picture when something failed.


class ProblemBanner(QFrame):
    """One sentence over the picture when something failed, with what can be done about it."""

    def __init__(self, editor: DocumentEditor, parses: ParseService) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._editor = editor
        self._parses = parses
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.text.setObjectName("banner-text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text, 1)
        self.lift = QToolButton()
        self.lift.setText("Remove the last what-if")
        self.lift.clicked.connect(lambda: self._editor.lift(self._editor.line.what_ifs[-1:]))
        layout.addWidget(self.lift)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Hide the message")
        close.setAccessibleName("Hide the message")
        close.clicked.connect(self.hide)
        layout.addWidget(close)
        self.hide()

    def show_message(self, message: str) -> None:
        """Show a message; an empty one hides the banner."""
        message = as_sentence(curly_quotes(message))
        self.text.setText(message)
        self.lift.setVisible(bool(self._parses.problem and self._editor.line.what_ifs))
        self.setVisible(bool(message))


# The n best parses with their scores; choosing one shows it in all pictures.

RERANKED_COLUMNS = (2, 3)
"""Columns that only a re-ranked list needs."""
EXPECTED_F1 = 4
"""The column of a list whose parses are chosen by expected F1."""


def _header(distance: str) -> tuple[str, ...]:
    return ("", "log P", "re-ranker", "score", "expected F1", distance, "differs in")


class Alternatives(RowsView):
    """One row a parse: rank, log P, what a re-ranker adds, score, expected F1, distance to the best, what differs."""

    def __init__(self, parses: ParseService, view: ViewState) -> None:
        super().__init__(_header("to best"), (0, 1, 2, 3, 4, 5), stretch=6, name="n best parses", key=6)
        self._parses = parses
        self._view = view
        self.chosen.connect(self._choose)
        self._follows = False
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the results while the panel is visible, the first of which came before."""
        super().showEvent(event)
        self._follow(True)
        if self._filled is not self._parses.result:
            self.refresh()
        self._mark_rank()

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave out what nobody sees."""
        super().hideEvent(event)
        self._follow(False)

    def _follow(self, follows: bool) -> None:
        # A widget is told to hide, too, that was never shown.
        if follows == self._follows:
            return
        self._follows = follows
        listen(
            follows,
            (self._parses.result_changed, self.refresh),
            (self._parses.ledgers_changed, self.refresh),
            (self._view.rank_changed, self._mark_rank),
        )

    def refresh(self) -> None:
        """Show the alternatives of the result."""
        result = self._filled = self._parses.result
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
    """Return all that differs, a line each, and the tree."""
    return "\n".join((*differences(parse, best), parse.tree.pretty(80)))


# The banner over a hypothetical parse: what is forced, what it costs, and a cross that removes it.


class WhatIfBanner(QFrame):
    """Says over the picture that the parse is hypothetical; hidden where nothing is forced."""

    def __init__(self, editor: DocumentEditor, parses: ParseService, view: ViewState) -> None:
        super().__init__()
        self.setObjectName("what-if-banner")
        self._editor = editor
        self._parses = parses
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.text.setObjectName("what-if-banner-text")
        self.text.setAccessibleName("What-if")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text, 1)
        self.why = _banner_button("Why?", "Explain what the what-ifs cost and what they change")
        self.why.clicked.connect(lambda: view.select(WhatIfId(0)))
        layout.addWidget(self.why)
        self.remove = _banner_button("✕", "Remove all what-ifs and parse without them")
        self.remove.setAccessibleName("Remove all what-ifs")
        self.remove.clicked.connect(lambda: self._editor.lift(self._editor.line.what_ifs))
        layout.addWidget(self.remove)
        self.refresh()

    def refresh(self) -> None:
        """Show what is forced now, and what it costs as soon as that is known."""
        what_ifs = self._editor.line.what_ifs
        # A what-if that no parse obeys is told of by the banner for failures.
        self.setVisible(bool(what_ifs) and not self._parses.problem)
        if not what_ifs:
            return
        result = self._parses.result
        if result is None or not self._parses.is_current or result.request.line.what_ifs != what_ifs:
            self.text.setText("What if … Parsing …")
            return
        headline = what_if_headline(what_ifs, result.parse, result.free)
        self.text.setText(curly_quotes(headline.sentence))
        self.setToolTip(no_markup(curly_quotes("\n".join(headline.reasons))))


def _banner_button(title: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(title)
    button.setToolTip(tip)
    return button


# What-ifs: what is forced or forbidden, what it costs, what else moved; each can be lifted alone.

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
