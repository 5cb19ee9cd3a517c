"""The workspace Compare: the verdict on top, both parses in the middle, ledger, errors and prices below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from html import escape

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QInputDialog,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes, no_markup
from engine.common.numbers import beam_text, log_text
from engine.estimates.ledger import Factor
from engine.explain.estimates import symbol
from engine.explain.explanation import CountLink
from engine.explain.glosses import wrapped
from engine.explain.registry import related, words_of
from engine.explain.subjects import CandidateId, Subject, VerdictId, WordId
from engine.structure.constraints import Attachment
from engine.study.counted import Sources
from engine.study.verdicts import Repair
from explorer.canvas.canvas import Canvas
from explorer.compare.pictures import compared_arrows_picture, equal_spans, headline, trees_picture, two_parses
from explorer.compare.rows import (
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
from explorer.compare.sides import BeamParse, BestParse, Comparison, Side
from explorer.compare.state import ComparisonState
from explorer.kit.actions import Choice
from explorer.kit.controls import (
    NONE,
    ChoiceBox,
    ClickableLabel,
    holder,
    in_column,
    in_row,
    menu_button,
    named,
    quiet_label,
    split,
    squeezed,
    text_button,
)
from explorer.kit.docks import FoldingTabs, LazyPanel
from explorer.kit.fonts import SharedMetrics
from explorer.kit.messages import Messages, as_sentence
from explorer.kit.tables import Row, RowsView
from explorer.kit.tasks import Worker
from explorer.panels.tree_editor import TreeEditor
from explorer.pictures.drawing import Drawing
from explorer.pictures.folding import Span, folded_ids, hides
from explorer.pictures.marks import EXTRA, MISSING
from explorer.pictures.sheet import message_picture
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.statuses import OUT_OF_DATE
from explorer.session.view_state import ViewState

# From a row of two ledgers to the training sentences behind it: the counts of both sides, each to be opened.


def counts_menu(
    parent: QWidget,
    comparison: Comparison,
    first: Factor | None,
    second: Factor | None,
    opened: Callable[[CountLink], None],
) -> QMenu | None:
    """A menu of the counts of both sides, each of which opens its training sentences; ``None`` if there are none."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sides = zip(comparison.titles, (comparison.first, comparison.second), (first, second), strict=True)
    for title, parse, factor in sides:
        links = count_links(parse, factor) if factor is not None else []
        if factor is not None and links:
            if menu.actions():
                menu.addSeparator()
            # Some styles show no title of a section.
            menu.addAction(f"{title}: {factor.what}").setEnabled(False)
        for name, link in links:
            menu.addAction(name, partial(opened, link))
    return menu if menu.actions() else None


def count_links(parse: Parse, factor: Factor) -> list[tuple[str, CountLink]]:
    """The counts of a factor of a parse, from the finest level on: what each is called, and what it opens."""
    sources = {counted.level: counted for counted in Sources(parse.explainer()).of(factor, parse.roots) if counted.keys}
    links = []
    for level in factor.levels:
        counted = sources.get(level.name)
        if counted is None or not level.delta:
            continue
        # Where nothing was counted of the outcome itself, there is still its context to look at.
        letter, wanted = ("η", counted) if level.eta else ("δ", counted.of(None))
        name = f"{symbol(level.name)}   {level.eta:,} of {level.delta:,}"
        links.append((name, CountLink(f"{letter} of {symbol(level.name)}", (wanted,))))
    return links


# The pictures of a comparison, with a context menu of what can be asked about a thing.


class ComparisonCanvas(Canvas):
    """The canvas; `more_choices` say what its context menu offers for a thing."""

    def __init__(self, view: ViewState) -> None:
        super().__init__()
        self._view = view
        self.more_choices: list[Callable[[Subject], list[Choice]]] = []

    def menu_of(self, id: Subject) -> QMenu | None:
        """What can be asked about a thing; ``None`` if nothing can."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choices in self.more_choices:
            for title, call in choices(id):
                menu.addAction(title, call)
        return menu if menu.actions() else None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the thing under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self._view.selection if keyboard else self.at(event.pos())
        if found is not None:
            self._view.select(found)
            menu = self.menu_of(found)
            if menu is not None:
                menu.popup(event.globalPos())


# What stands over a comparison: the verdict, and the button that would repair the parse.


def verdict_text(comparison: Comparison | None, problem: str) -> str:
    """The verdict with its name in bold; or what keeps two parses from being compared."""
    if comparison is None:
        return no_markup(as_sentence(curly_quotes(problem)))
    text = headline(comparison)
    if comparison.verdict is not None:
        title = f"{comparison.verdict.kind.capitalize()}:"
        return escape(text, quote=False).replace(title, f"<b>{title}</b>", 1)
    if not comparison.full:
        text += "  Judging …"
    elif comparison.judgement:
        text = f"{text}  {curly_quotes(' '.join(comparison.judgement))}"
    elif comparison.difference is not None and not comparison.same_settings:
        text += "  The two are scored by different estimates, so that their factors do not mean the same."
    return no_markup(text)


def spoken_verdict(comparison: Comparison | None) -> str:
    """The verdict with its reasons, a line each, as a screen reader says it; empty without a comparison."""
    return curly_quotes(comparison.headline.text.replace("\n- ", "\n")) if comparison is not None else ""


def repair_text(repair: Repair) -> str:
    """What to do so that the gold tree is found: ``Use β = 3000, re-rank 120``."""
    named = [f"β = {beam_text(repair.beam)}"] if repair.beam is not None else []
    named += [f"threshold {log_text(repair.threshold, 0)}"] if repair.threshold is not None else []
    parts = [f"use {', '.join(named)}"] if named else []
    parts += [f"re-rank {repair.rerank}"] if repair.rerank is not None else []
    parts += ["choose by score"] if repair.by_score else []
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]


# The tables of a comparison: the two ledgers row against row, the errors by class, the prices of other heads.

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
            rows = price_rows(known[word], comparison.first, comparison.gold)
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

    def _force_price(self, id: Subject | None) -> None:
        if isinstance(id, CandidateId):
            self._editor.add_what_if(Attachment(id.modifier, id.head))

    # Selection is linked with the pictures

    def _row_chosen(self, id: Subject | FoldId | None) -> None:
        if not isinstance(id, FoldId):
            self._view.select(id)

    def _row_pointed(self, id: Subject | FoldId | None) -> None:
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


# The workspace Compare: the verdict on top, both parses in the middle, ledger, errors and prices below.

TREES, ARROWS, BOTH, GOLD_TREE = range(4)
_WORDS_DRAWN_DIRECTLY = 16
_DIFFERING = (EXTRA, MISSING)
_ROUND_IT = 60
"""Pixels around what differs that come into sight with it."""
_OTHER_BEAM = "β = …"
_SHORTEST_CHOICE = 10
"""Letters of the name of what is compared that are always in sight; the list that opens shows all of it."""
_NO_GOLD = (
    "No gold tree",
    "Open a treebank, paste a bracketed tree, or take this parse for gold (Ctrl+Alt+Y) and change it by hand.",
)


class ComparisonPanel(QWidget):
    """Shows a comparison.

    Parameters
    ----------
    comparisons
        The state of the comparison.
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.
    """

    def __init__(
        self,
        comparisons: ComparisonState,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
    ) -> None:
        super().__init__()
        self._comparisons = comparisons
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._painter = Worker("draw comparison", newest_only=True, parent=self)
        # Constituents that are the same in both trees, and were unfolded by hand.
        self._opened: frozenset[Span] = frozenset()
        # Words that are looked at in trees that are folded one by one.
        self._focus: tuple[Span, ...] = ()
        self._drawn: object = None
        self.canvas = ComparisonCanvas(view)
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self.pictures = QTabBar()
        self.pictures.setDocumentMode(True)
        self.pictures.setExpanding(False)
        self.pictures.setDrawBase(False)
        for title in ("Trees", "Arrows", "Trees and arrows", "Gold tree"):
            self.pictures.addTab(title)
        self._gold_place = LazyPanel(lambda: self.editor)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.canvas)
        self.stack.addWidget(self._gold_place)
        self.splitter = split(holder(in_column(self.pictures, (self.stack, 1), margins=NONE, spacing=0)))
        self.tables = ComparisonTables(comparisons, editor, view, self.splitter)
        self.splitter.addWidget(self.tables)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([500, TABLES_HEIGHT])
        self.setLayout(in_column(self._head(), (self.splitter, 1), margins=NONE, spacing=0))
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._connect()
        self.refresh()

    def _head(self) -> QVBoxLayout:
        self.first, self.second = ChoiceBox(), ChoiceBox()
        for box, name in ((self.first, "First parse"), (self.second, "Second parse")):
            box.setAccessibleName(name)
            # As wide as there is room, and no wider: a long name must not push the panels beside it together.
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(box.fontMetrics().averageCharWidth() * _SHORTEST_CHOICE)
        against, self.score, self.provenance = quiet_label("against"), quiet_label(), quiet_label()
        self.why = text_button("Why?", "Explain the verdict: its reasons and numbers", self.explain_verdict)
        self.repair = text_button(
            "", "Change the settings so that the gold tree, or one as good, is found", self._comparisons.use_repair
        )
        self.force = text_button(
            "", "Parse again with this attachment forced, and see its price", self._comparisons.force_gold
        )
        self.export_menu = QMenu(self)
        self.export_button = menu_button("Export ▾", "Write the comparison to a file, or copy it", self.export_menu)
        self.verdict = named(ClickableLabel(), "Verdict")
        self.verdict.setObjectName("verdict")
        self.verdict.clicked.connect(self.explain_verdict)
        named(squeezed(self.provenance), "Compared under").setWordWrap(True)
        self.again = text_button(
            "Compare again", "Compare under the model and settings of now", self._comparisons.compare_again
        )
        self.again.hide()
        buttons = (self.repair, self.force, self.export_button)
        row = in_row(self.first, against, self.second, None, *buttons, spacing=6)
        line = in_row((self.verdict, 1), self.why)
        foot = in_row(self.score, (self.provenance, 1), self.again, spacing=16)
        return in_column(row, line, foot, margins=(12, 6, 8, 2), spacing=2)

    def _connect(self) -> None:
        self.first.activated.connect(self._chosen)
        self.second.activated.connect(self._chosen)
        self._comparisons.changed.connect(self._later.start)
        self._view.selection_changed.connect(self._selection_changed)
        self._view.hover_changed.connect(self._mark)
        self._view.found_changed.connect(self._later.start)
        self._editor.document_changed.connect(self._later.start)
        self._parses.model_changed.connect(self._later.start)
        self._parses.busy_changed.connect(self._later.start)
        self.canvas.selected.connect(self._view.select)
        self.canvas.hovered.connect(self._view.point_at)
        self.canvas.selected.connect(self._open)
        self.canvas.room_changed.connect(self._later.start)
        self.pictures.currentChanged.connect(self._other_picture)

    def showEvent(self, event: QShowEvent) -> None:
        """Compare from now on."""
        super().showEvent(event)
        self._comparisons.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop comparing."""
        super().hideEvent(event)
        self._comparisons.set_active(False)

    # Choosing what is compared

    def reset_layout(self) -> None:
        """Give pictures and tables the room that they had at first, and fit the pictures."""
        self.tables.set_folded(False)
        self.splitter.setSizes([self.splitter.height() - TABLES_HEIGHT, TABLES_HEIGHT])
        self.canvas.fit()

    def _fill_choices(self) -> None:
        choices = self._comparisons.choices()
        for box, current in zip((self.first, self.second), self._comparisons.sides, strict=True):
            there = choices if current in choices else [current, *choices]
            names = [self._comparisons.name(side) for side in there]
            shown = [(box.itemText(at), box.itemData(at)) for at in range(box.count() - 1)]
            if shown != list(zip(names, there, strict=True)):
                box.clear()
                for name, side in zip(names, there, strict=True):
                    box.addItem(name, side)
                    box.setItemData(box.count() - 1, no_markup(name), Qt.ItemDataRole.ToolTipRole)
                box.addItem(_OTHER_BEAM, None)
            box.setCurrentIndex(there.index(current))

    def _chosen(self) -> None:
        wanted: list[Side] = []
        for box in (self.first, self.second):
            side = box.currentData()
            if side is None:
                beam, good = QInputDialog.getDouble(self, "Compare", "β", self._editor.settings.beam, 1.01, 1e9, 2)
                side = BeamParse(beam) if good else BestParse()
            wanted.append(side)
        self._comparisons.choose(wanted[0], wanted[1])
        self._fill_choices()

    # Showing

    @property
    def settled(self) -> bool:
        """Whether what is shown is all there is to come."""
        return not (self._later.isActive() or self._comparisons.comparing or self._painter.busy or self._parses.busy)

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        comparison = self._comparisons.comparison
        self._fill_choices()
        self.verdict.setText(verdict_text(comparison, self._comparisons.problem))
        reasons = spoken_verdict(comparison)
        self.verdict.setAccessibleDescription(reasons)
        self.verdict.setToolTip(no_markup(wrapped(reasons)))
        self.score.setText(comparison.compared.score if comparison is not None else "")
        self._buttons()
        self._show_provenance()
        self.tables.refresh()
        self._draw()
        self._mark()

    def explain_verdict(self) -> None:
        """Open the inspector's page about the verdict."""
        self._view.select(VerdictId())

    def _buttons(self) -> None:
        comparison = self._comparisons.comparison
        verdict = comparison.verdict if comparison is not None else None
        repair = verdict.repair if verdict is not None else None
        self.repair.setVisible(repair is not None)
        if repair is not None:
            self.repair.setText(repair_text(repair))
        wanted = self._comparisons.gold_attachment()
        self.force.setVisible(wanted is not None)
        if wanted is not None:
            self.force.setText(f"Force {curly_quotes(self._parses.describe(wanted)).replace('‘', '').replace('’', '')}")
        self.export_button.setEnabled(comparison is not None)
        self.why.setEnabled(comparison is not None)

    def _show_provenance(self) -> None:
        """Say under what was compared, and where that is no longer so, that it is out of date."""
        comparison, outdated = self._comparisons.comparison, self._comparisons.outdated
        text = no_markup(comparison.provenance) if comparison is not None else ""
        waiting = self._parses.busy or self._comparisons.comparing
        if outdated:
            again = ", being compared again …" if waiting else ""
            told = escape(text, quote=False).replace("\n", "<br>")
            text = f"<b>{OUT_OF_DATE.capitalize()}</b>{again}: compared under {told}"
        self.provenance.setText(text)
        self.provenance.setToolTip(text)
        self.again.setVisible(outdated and not waiting)

    def drawing(self, page: int) -> Drawing:
        """The picture of a page, or what stands in its place."""
        comparison, metrics = self._comparisons.comparison, self._metrics
        if comparison is None:
            if self._comparisons.problem:
                return message_picture("Nothing to compare", curly_quotes(self._comparisons.problem), metrics)
            if self._comparisons.comparing:
                return message_picture("Comparing …", "", metrics)
            return message_picture(*_NO_GOLD, metrics)
        comparison = replace(comparison, found=self._view.found)
        if page == ARROWS:
            return compared_arrows_picture(comparison, metrics, self.canvas.room)
        if page == TREES:
            return trees_picture(comparison, metrics, self.canvas.room, self._opened, self._focus)
        return two_parses(comparison, metrics, self.canvas.room, self._focus)

    def _open(self, id: Subject | None) -> None:
        """A constituent that is folded was clicked: show what is in it."""
        comparison, drawing = self._comparisons.comparison, self.canvas.drawing
        page = self.pictures.currentIndex()
        if comparison is None or drawing is None or page not in (TREES, BOTH):
            return
        if drawing.folded or page == BOTH:
            words = words_of(comparison.first, id)
            if any(hides(span, words) for span in drawing.folded):
                self._focus = words
                self._draw()
            return
        for span in equal_spans(comparison.first, comparison.second, self._opened):
            for parse in (comparison.first, comparison.second):
                if id in folded_ids(parse, frozenset({span})):
                    self._opened |= {span}
                    self._draw()
                    return

    def _draw(self) -> None:
        comparison, page = self._comparisons.comparison, self.pictures.currentIndex()
        if page == GOLD_TREE:
            return
        parses = (comparison.first, comparison.second) if comparison is not None else ()
        busy = self._comparisons.comparing and not parses
        looked_at = (self._opened, self._focus, self._view.found)
        key = (page, *map(id, parses), self._comparisons.problem, busy, self.canvas.room, *looked_at)
        if key == self._drawn:
            return
        self._drawn = key
        if comparison is None or len(comparison.first.sentence) <= _WORDS_DRAWN_DIRECTLY:
            self._painter.cancel()
            self._show_drawing(self.drawing(page))
            return

        def on_error(error: Exception) -> None:
            self._messages.show(f"the picture could not be drawn ({error})", True)

        self._painter.request(lambda job: self.drawing(page), self._show_drawing, on_error)

    @cached_property
    def editor(self) -> TreeEditor:
        """Where the gold tree is changed by hand, made when it is first wanted."""
        editor = TreeEditor(self._editor, self._view, self._parses, self._messages)
        self._gold_place.hold(editor)
        return editor

    def _show_drawing(self, drawing: Drawing) -> None:
        self.canvas.show(drawing)
        self.canvas.select(self._view.selection)
        if self._view.selection is None:
            # Of a long sentence the part that differs is what one wants to see.
            differing = next((area for area in drawing.areas if area.mark in _DIFFERING), None)
            if differing is not None:
                self.canvas.ensureVisible(QRectF(*differing.bounds), _ROUND_IT, _ROUND_IT)

    def _other_picture(self, page: int) -> None:
        self.stack.setCurrentWidget(self._gold_place if page == GOLD_TREE else self.canvas)
        self._draw()

    # Selection is linked with the other pictures

    def _selection_changed(self) -> None:
        self.canvas.select(self._view.selection)
        self._buttons()
        self._mark()

    def _mark(self) -> None:
        comparison = self._comparisons.comparison
        lit: set[Subject] = {WordId(word) for word in self._comparisons.selected_words}
        if comparison is not None:
            for id in (self._view.focus, self._view.hover):
                if id is not None:
                    lit |= related(comparison.first, id)
        self.canvas.highlight(lit, "extra")
