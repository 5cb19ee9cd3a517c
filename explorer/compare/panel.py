"""The panel Compare: the verdict on top, both parses on the left, ledger, errors and prices on the right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.constraints import Attachment
from explorer.compare.canvas import CompareCanvas
from explorer.compare.counts import counts_menu
from explorer.compare.folding import Span, equal_spans, folded_ids
from explorer.compare.pictures import arrows_picture, headline, trees_picture, two_parses
from explorer.compare.rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    FOLD,
    LEDGER_RIGHT,
    ORIGINS_FROM,
    PRICES_HEADER,
    PRICES_RIGHT,
    error_rows,
    ledger_header,
    ledger_rows,
    parseval_text,
    price_rows,
)
from explorer.compare.sides import BEAM, BEST, Side
from explorer.compare.state import Compare
from explorer.drawing import Drawing, Id
from explorer.gold.editor import GoldEditor
from explorer.pictures import EXTRA, MISSING, message_picture
from explorer.shared_metrics import SharedMetrics
from explorer.stages.base import related
from explorer.tables import Row, RowsView
from explorer.theme import Theme
from explorer.wording import beam_text, log_text, quoted

TREES, ARROWS, BOTH, GOLD_TREE = range(4)
LEDGER, ERRORS, PRICES = range(3)
_AT_ONCE = 16
_LEAST_SCALE, _SCROLLED = 0.55, 0.65
"""Two pictures share the room of one: they may be smaller before they scroll, and when they do."""
_DIFFERING = (f"({EXTRA})", f"({MISSING})")
_ROUND_IT = 60
"""Pixels around what differs that come into sight with it."""
_PRICES = "What every other head of the selected word would cost in log probability; a re-ranker has no say in it"
_OTHER_BEAM = "β = …"
_NO_GOLD = (
    "No gold tree",
    "Open a treebank, paste a bracketed tree, or take this parse for gold (Ctrl+Alt+Y) and change it by hand.",
)


class ComparePanel(QWidget):
    """Shows a comparison.

    Signals
    -------
    count_opened
        The training sentences of a count are wanted: its :class:`CountLink`.
    """

    count_opened = Signal(object)

    def __init__(self, compare: Compare) -> None:
        super().__init__()
        self.compare = compare
        self.session = compare.session
        self._unfolded = False
        # Constituents that are the same in both trees, and were unfolded by hand.
        self._opened: frozenset[Span] = frozenset()
        self._drawn: object = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        self.canvas = CompareCanvas(self.session)
        self.canvas.least_automatic, self.canvas.scrolled = _LEAST_SCALE, _SCROLLED
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self.pictures = QTabBar()
        self.pictures.setDocumentMode(True)
        self.pictures.setExpanding(False)
        self.pictures.setDrawBase(False)
        for title in ("Trees", "Arrows", "Trees and arrows", "Gold tree"):
            self.pictures.addTab(title)
        self.editor = GoldEditor(self.session)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.canvas)
        self.stack.addWidget(self.editor)
        left = QWidget()
        inner = QVBoxLayout(left)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.pictures)
        inner.addWidget(self.stack, 1)
        header = ("nats", "factor", "", "log P", "", "log P", "", "")
        self.ledger = RowsView(header, LEDGER_RIGHT, stretch=len(header) - 1, name="Ledgers", spare=(6, 7))
        self.errors = RowsView(ERRORS_HEADER, ERRORS_RIGHT, stretch=3, name="Errors", key=3)
        self.prices = RowsView(PRICES_HEADER, PRICES_RIGHT, stretch=4, name="Prices of attachments")
        self.tables = QTabWidget()
        self.tables.setDocumentMode(True)
        for table, title in ((self.ledger, "Ledger"), (self.errors, "Errors"), (self.prices, "Prices")):
            self.tables.addTab(table, title)
        self.tables.setTabToolTip(PRICES, _PRICES)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.tables)
        self.splitter.setSizes([540, 680])
        self.splitter.setChildrenCollapsible(False)
        layout.addWidget(self.splitter, 1)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._connect()
        self.refresh()

    def _head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setContentsMargins(12, 6, 8, 2)
        head.setSpacing(2)
        row = QHBoxLayout()
        row.setSpacing(6)
        self.first, self.second = QComboBox(), QComboBox()
        for box, name in ((self.first, "First parse"), (self.second, "Second parse")):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        against = QLabel("against")
        against.setObjectName("quiet")
        self.score = QLabel()
        self.score.setObjectName("quiet")
        self.score.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.score.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.repair = _button("", "Use the smallest β that keeps the gold tree", self.compare.use_repair)
        self.force = _button("", "Parse again with this attachment forced, and see its price", self.compare.force_gold)
        self.leave = QToolButton()
        self.leave.setText("Export ▾")
        self.leave.setToolTip("Write the comparison to a file, or copy it")
        self.leave.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.leave_menu = QMenu(self)
        self.leave.setMenu(self.leave_menu)
        for widget in (self.first, against, self.second):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.score, 1)
        for button in (self.repair, self.force, self.leave):
            row.addWidget(button)
        head.addLayout(row)
        self.verdict = QLabel()
        self.verdict.setObjectName("verdict")
        self.verdict.setWordWrap(True)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.verdict.setAccessibleName("Verdict")
        head.addWidget(self.verdict)
        return head

    def _connect(self) -> None:
        compare, session = self.compare, self.session
        self.first.activated.connect(self._chosen)
        self.second.activated.connect(self._chosen)
        compare.changed.connect(self._later.start)
        compare.prices_changed.connect(self._fill_prices)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self._mark)
        session.document_changed.connect(self._later.start)
        self.canvas.selected.connect(session.select)
        self.canvas.hovered.connect(session.point_at)
        self.canvas.activated.connect(self._open)
        self.pictures.currentChanged.connect(self._other_picture)
        self.tables.currentChanged.connect(self._other_table)
        for table in (self.ledger, self.errors, self.prices):
            table.chosen.connect(self._row_chosen)
            table.pointed.connect(self._row_pointed)
        self.ledger.opened.connect(self._open_row)
        self.ledger.clicked.connect(self._ledger_clicked)
        self.ledger.menu_wanted.connect(lambda _, place: self._open_row(self.ledger.currentIndex().row(), place))
        self.prices.activated_row.connect(self._force_price)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.canvas.set_theme(theme)
        self.editor.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another room may want another arrangement."""
        super().resizeEvent(event)
        self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        self.compare.set_active(True)
        self.compare.set_pricing(self.tables.currentIndex() == PRICES)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self.compare.set_active(False)

    # Choosing what is compared

    def _fill_choices(self) -> None:
        choices = self.compare.choices()
        for box, current in zip((self.first, self.second), self.compare.sides, strict=True):
            there = choices if current in choices else [current, *choices]
            if [box.itemData(at) for at in range(box.count() - 1)] != there:
                box.clear()
                for side in there:
                    box.addItem(side.title, side)
                box.addItem(_OTHER_BEAM, None)
            box.setCurrentIndex(there.index(current))

    def _chosen(self) -> None:
        wanted: list[Side] = []
        for box in (self.first, self.second):
            side = box.currentData()
            if side is None:
                beam, good = QInputDialog.getDouble(self, "Compare", "β", self.session.settings.beam, 1.01, 1e9, 2)
                side = Side(BEAM, beam) if good else Side(BEST)
            wanted.append(side)
        self.compare.choose(wanted[0], wanted[1])
        self._fill_choices()

    # Showing

    @property
    def settled(self) -> bool:
        """Whether what is shown is all there is to come."""
        session = self.session
        return not (self._later.isActive() or session.comparing.busy or session.sketching.busy or session.parsing.busy)

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        comparison = self.compare.comparison
        self._fill_choices()
        self.verdict.setText(self._said())
        self.score.setText(parseval_text(comparison) if comparison is not None else "")
        self._buttons()
        if comparison is not None:
            self.ledger.rows_model.set_header(ledger_header(comparison))
            self.ledger.set_rows(ledger_rows(comparison, self._unfolded))
            self.errors.set_rows(error_rows(comparison))
            self.tables.setTabText(ERRORS, f"Errors ({len(comparison.mistakes)})" if comparison.mistakes else "Errors")
        else:
            for table in (self.ledger, self.errors):
                table.set_rows([])
            self.tables.setTabText(ERRORS, "Errors")
        self._fill_prices()
        self._draw()
        self._mark()

    def _said(self) -> str:
        comparison = self.compare.comparison
        if comparison is None:
            problem = quoted(self.compare.problem)
            return problem[:1].upper() + problem[1:] + ("." if problem and not problem.endswith(".") else "")
        said = headline(comparison)
        if comparison.verdict is not None:
            kind, colon, rest = _escaped(said).partition(":")
            said = f"<b>{kind}{colon}</b>{rest}"
        elif not comparison.full:
            said += "  Judging …"
        elif comparison.difference is not None and not comparison.same_settings:
            said += "  The two are scored by different estimates, so that their factors do not mean the same."
        return said

    def _buttons(self) -> None:
        comparison = self.compare.comparison
        verdict = comparison.verdict if comparison is not None else None
        repair = verdict.repair if verdict is not None else None
        self.repair.setVisible(repair is not None)
        if repair is not None:
            named = [f"β = {beam_text(repair.beam)}"] if repair.beam is not None else []
            named += [f"threshold {log_text(repair.threshold, 0)}"] if repair.threshold is not None else []
            self.repair.setText(f"Use {', '.join(named)}" if named else f"Re-rank {repair.rerank}")
            if named and repair.rerank is not None:
                self.repair.setText(f"{self.repair.text()}, re-rank {repair.rerank}")
        wanted = self.compare.gold_attachment()
        self.force.setVisible(wanted is not None)
        if wanted is not None:
            self.force.setText(f"Force {quoted(self.session.describe(wanted)).replace('‘', '').replace('’', '')}")
        self.leave.setEnabled(comparison is not None)

    def drawing(self, page: int) -> Drawing:
        """The picture of a page, or what stands in its place."""
        comparison, metrics = self.compare.comparison, self._metrics
        if comparison is None:
            if self.compare.problem:
                return message_picture("Nothing to compare", quoted(self.compare.problem), metrics)
            if self.session.comparing.busy:
                return message_picture("Comparing …", "", metrics)
            return message_picture(*_NO_GOLD, metrics)
        if page == ARROWS:
            return arrows_picture(comparison, metrics)
        if page == TREES:
            return trees_picture(comparison, metrics, self._room(), self._opened)
        return two_parses(comparison, metrics, self._room())

    def _open(self, id: Id) -> None:
        """A constituent that is folded in both trees was double-clicked: show what is in it."""
        comparison = self.compare.comparison
        if comparison is None or self.pictures.currentIndex() != TREES:
            return
        for span in equal_spans(comparison.first, comparison.second, self._opened):
            for parse in (comparison.first, comparison.second):
                if id in folded_ids(parse, frozenset({span})):
                    self._opened |= {span}
                    self._draw()
                    return

    def _room(self) -> tuple[float, float]:
        """About how much room there is for a picture; not to the pixel, or every change of size would draw anew."""
        return (max(round(self.canvas.width(), -2), 200.0), max(round(self.canvas.height(), -2), 200.0))

    def _draw(self) -> None:
        comparison, page = self.compare.comparison, self.pictures.currentIndex()
        if page == GOLD_TREE:
            return
        parses = (comparison.first, comparison.second) if comparison is not None else ()
        busy = self.session.comparing.busy and not parses
        key = (page, *map(id, parses), self.compare.problem, busy, self._room(), self._opened)
        if key == self._drawn:
            return
        self._drawn = key
        if comparison is None or len(comparison.first.sentence) <= _AT_ONCE:
            self.session.sketching.cancel()
            self._show_drawing(self.drawing(page))
            return

        def failed(error: Exception) -> None:
            self.session.message.emit(f"the picture could not be drawn ({error})", True)

        self.session.sketching.request(lambda job: self.drawing(page), self._show_drawing, failed)

    def _show_drawing(self, drawing: Drawing) -> None:
        self.canvas.show(drawing)
        self.canvas.select(self.session.selection)
        if self.session.selection is None:
            # Of a long sentence the part that differs is what one wants to see.
            differing = next((area for area in drawing.areas if area.label.endswith(_DIFFERING)), None)
            if differing is not None:
                self.canvas.ensureVisible(QRectF(*differing.bounds), _ROUND_IT, _ROUND_IT)

    def _other_picture(self, page: int) -> None:
        self.stack.setCurrentWidget(self.editor if page == GOLD_TREE else self.canvas)
        self._draw()

    def _other_table(self, page: int) -> None:
        self.compare.set_pricing(page == PRICES)
        self._fill_prices()

    def _word(self) -> int | None:
        """The word whose prices are shown: the selected one, or the one whose gold attachment matters most."""
        match self.session.selection:
            case ("arrow" | "word", int(word)) | ("candidate" | "matrix", int(word), *_):
                return word
        wanted = self.compare.gold_attachment()
        return wanted.modifier if wanted is not None else None

    def _fill_prices(self) -> None:
        comparison = self.compare.comparison
        if comparison is None or self.tables.currentIndex() != PRICES:
            return
        word = self._word()
        known = self.compare.prices
        rows: list[Row] = []
        title = "Prices"
        if word is not None and word in known:
            rows = price_rows(known[word], comparison.first, self.compare.gold)
        elif word is None:
            rows = [Row(("", "select a word", "", "", ""))]
        elif word not in comparison.first.reduced:
            rows = [Row(("", "it is read through the head of its baseNP", "", "", ""))]
        elif self.session.pricing.busy:
            rows = [Row(("…", "being found", "", "", ""))]
        if self.session.pricing.busy:
            title = f"Prices ({len(known)} of {len(comparison.first.reduced)})"
        self.tables.setTabText(PRICES, title)
        self.prices.set_rows(rows)

    # Selection is linked with the other pictures

    def _row_chosen(self, id: Id | None) -> None:
        if id != FOLD:
            self.session.select(id)

    def _row_pointed(self, id: Id | None) -> None:
        self.session.point_at(None if id == FOLD else id)

    def _ledger_clicked(self, index: QModelIndex) -> None:
        """Counts open the training sentences behind them, the row of equal factors unfolds."""
        if index.column() >= ORIGINS_FROM or self.ledger.rows_model.rows[index.row()].id == FOLD:
            self._open_row(index.row())

    def _open_row(self, row: int, place: QPoint | None = None) -> None:
        comparison = self.compare.comparison
        if comparison is None or row < 0:
            return
        if self.ledger.rows_model.rows[row].id == FOLD:
            self._unfolded = not self._unfolded
            self.ledger.set_rows(ledger_rows(comparison, self._unfolded))
            return
        menu = self.counts_menu(row)
        if menu is not None:
            below = self.ledger.visualRect(self.ledger.rows_model.index(row, ORIGINS_FROM)).bottomLeft()
            menu.popup(place or self.ledger.viewport().mapToGlobal(below))

    def counts_menu(self, row: int) -> QMenu | None:
        """The counts behind a row of the ledger, to be opened; ``None`` if it has none."""
        comparison, made_of = self.compare.comparison, self.ledger.rows_model.rows[row].made_of
        if comparison is None or not isinstance(made_of, tuple):
            return None
        first, second = made_of
        return counts_menu(self, comparison, first, second, self.count_opened.emit)

    def _force_price(self, id: Id | None) -> None:
        match id:
            case ("candidate", int(modifier), int(head), _):
                self.session.add_what_if(Attachment(modifier, head))

    def _selection_changed(self) -> None:
        self.canvas.select(self.session.selection)
        self.ledger.mark(self.session.selection)
        self._buttons()
        self._fill_prices()
        self._mark()

    def _mark(self) -> None:
        comparison, session = self.compare.comparison, self.session
        lit: set[Id] = set()
        if comparison is not None:
            for id in (session.focus, session.hover):
                if id is not None:
                    lit |= related(comparison.first, id)
        self.canvas.highlight(lit, "extra")


def _button(title: str, tip: str, call: Callable[[], None]) -> QToolButton:
    button = QToolButton()
    button.setText(title)
    button.setToolTip(tip)
    button.clicked.connect(lambda: call())
    return button


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
