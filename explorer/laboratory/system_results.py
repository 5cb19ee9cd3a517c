"""What came of a comparison of systems: the answer in words, and tabs of tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QTabWidget, QVBoxLayout, QWidget

from engine.common.numbers import size
from engine.common.tables import Block, Table
from engine.explain.subjects import PointId
from engine.study.systems_report import (
    BY_ERROR,
    BY_LENGTH,
    BY_PAIR,
    BY_SENTENCE,
    BY_SYSTEM,
    LOSSES,
    TIES,
    WINS,
    Pair,
    SystemsReport,
    answer,
    counts_line,
    outcome,
    systems_tables,
)
from engine.study.systems_report import LEFT_OUT as NOT_COMPARED
from explorer.canvas.canvas import Canvas
from explorer.kit.appearance import appearance
from explorer.kit.controls import (
    NONE,
    ChoiceBox,
    ElidedLabel,
    bold,
    filled,
    holder,
    in_column,
    in_row,
    named,
    quiet_label,
    split,
    told,
)
from explorer.kit.fonts import SharedMetrics
from explorer.kit.tables import LAST, RowsView
from explorer.kit.tasks import Job, Worker
from explorer.laboratory.system_pictures import (
    ScatterPoint,
    ScatterSentence,
    scatter_picture,
    scatter_points,
    scatter_sentences,
    whisker_rows,
    whiskers_picture,
)
from explorer.laboratory.system_task import BOTH, FIRST, SECOND, ComparedSystems
from explorer.pictures.drawing import Drawing

# The plot of F1 against F1 as a widget: points are hovered over, walked through by arrow keys, and opened.

_HOW = "A click on a point, or Enter, opens its sentence in Compare. Tab goes to the points, arrow keys through them."
_MENU_ROWS = 15
_MENU_CHARACTERS = 80


class PointCanvas(Canvas):
    """A canvas of many points: Tab goes to the first of them and then on, for nobody walks through a thousand."""

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Go to the points, or if one is marked, away from the plot."""
        ids = list(self.drawing.regions) if self.drawing else []
        if ids and self._current not in ids:
            self._set_current(ids[0])
            return True
        self._touch((self._current,))
        self._current = None
        self._hover(None)
        return QWidget.focusNextPrevChild(self, forwards)


class ScatterPlot(QWidget):
    """The plot, and under it what is pointed at.

    Signals
    -------
    opened
        The number of a sentence that is to be opened.
    listed
        Several sentences that are to be listed: their numbers.
    """

    opened = Signal(int)
    listed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.points: tuple[ScatterPoint, ...] = ()
        self._sentences: Sequence[ScatterSentence] = ()
        self._names = ("", "")
        self.canvas = PointCanvas()
        self.canvas.legend_room = 0
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self._painter = Worker("draw plot", newest_only=True, parent=self)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._draw)
        self.about = ElidedLabel(_HOW)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setContentsMargins(12, 4, 12, 4)
        self.about.setAccessibleName("What is pointed at")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.about)
        self.setFocusProxy(self.canvas)
        self.canvas.room_changed.connect(self._later.start)
        self.canvas.hovered.connect(self._pointed)
        self.canvas.selected.connect(self._chosen)
        self.canvas.activated.connect(self._chosen)

    @property
    def settled(self) -> bool:
        """Whether what is drawn is all there is to come."""
        return not (self._later.isActive() or self._painter.busy)

    def set_sentences(self, sentences: Sequence[ScatterSentence], names: tuple[str, str]) -> None:
        """Show other sentences."""
        self._sentences, self._names = sentences, names
        self._later.start()

    def drawing(self) -> Drawing:
        """The plot as a file has it."""
        return scatter_picture(scatter_points(self._sentences), self._names, self._metrics)

    def _draw(self) -> None:
        sentences, names, room, metrics = self._sentences, self._names, self.canvas.room, self._metrics

        def work(job: Job) -> tuple[tuple[ScatterPoint, ...], Drawing]:
            points = scatter_points(sentences)
            return points, scatter_picture(points, names, metrics, room)

        def show(found: tuple[tuple[ScatterPoint, ...], Drawing]) -> None:
            self.points, drawing = found
            self.canvas.show(drawing)

        self._painter.request(work, show, self._failed)

    def _failed(self, error: Exception) -> None:
        raise error

    def _pointed(self, id: object) -> None:
        if isinstance(id, PointId):
            self.about.setText("   ".join(self.points[id.number].label.split("\n")))
        else:
            self.about.setText(_HOW)

    def _chosen(self, id: object) -> None:
        """Open the sentence of a point; of several ask which."""
        if not isinstance(id, PointId):
            return
        sentences = self.points[id.number].sentences
        if len(sentences) == 1:
            self.opened.emit(sentences[0].number)
        else:
            self.menu(id).popup(self._place(id))

    def menu(self, id: PointId) -> QMenu:
        """The sentences of a point, to choose from."""
        sentences = self.points[id.number].sentences
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in sentences[:_MENU_ROWS]:
            words = one.words if len(one.words) <= _MENU_CHARACTERS else f"{one.words[: _MENU_CHARACTERS - 1]}…"
            text = f"{one.number}  {words}".replace("&", "&&")
            menu.addAction(text, partial(self.opened.emit, one.number))
        menu.addSeparator()
        numbers = frozenset(one.number for one in sentences)
        menu.addAction(f"List all {len(sentences):,} in the table", lambda: self.listed.emit(numbers))
        return menu

    def _place(self, id: PointId) -> QPoint:
        region = self.canvas.drawing.regions[id] if self.canvas.drawing is not None else None
        assert region is not None
        return self.canvas.viewport().mapToGlobal(self.canvas.mapFromScene(region.bounds.right, region.bounds.y))


# What came of a comparison of systems: the answer in words, and tabs of tables and pictures.

MEASURES, PAIRS, LENGTHS, ERRORS, SENTENCES, SCATTER, LEFT_OUT = range(7)
TITLES = ("Measures", "Pairs", "By length", "By error class", "Sentences", "F1 against F1", "Left out")
_TIPS = (
    "Recall, precision, F1 and crossing brackets of every system, with their intervals",
    "Every two systems by every measure, with the tests of their difference",
    "F1 of sentences of about the same length",
    "How often each system makes each kind of mistake",
    "Every sentence: F1 of each system, and what each got wrong",
    "Each sentence as a point: F1 of one system across, of the other upwards",
    "Sentences whose tokens differ from those of the gold tree, or that cannot be scored",
)
_ROWS = {
    MEASURES: BY_SYSTEM,
    PAIRS: BY_PAIR,
    LENGTHS: BY_LENGTH,
    ERRORS: BY_ERROR,
    SENTENCES: BY_SENTENCE,
    LEFT_OUT: NOT_COMPARED,
}
"""What has a row in the table of each tab."""
_ALL = "all"
_NO_SENTENCES = "No sentence is of this kind."


class SystemTabs(QWidget):
    """Shows a report.

    Signals
    -------
    opened
        A sentence is to be opened in Compare: its number, what is to be held against what, and the pair.
    """

    opened = Signal(int, str, object)

    def __init__(self) -> None:
        super().__init__()
        self.compared: ComparedSystems | None = None
        self.answer = bold(named(told("", "verdict"), "Answer"))
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.counts = quiet_label()
        self.counts.setWordWrap(True)
        self.pair_box, self.opens = ChoiceBox(), ChoiceBox()
        self.pair_box.setAccessibleName("Two systems")
        self.pair_box.activated.connect(lambda _: self._show_pair())
        self.opens.setAccessibleName("Open sentences as")
        self.opens.setToolTip("Which two trees Compare shows when a sentence is opened")
        self.shown = ChoiceBox()
        self.shown.setAccessibleName("Which sentences")
        self.shown.activated.connect(lambda _: self._filter())
        self.sentences = RowsView(stretch=LAST, name=TITLES[SENTENCES], hint=_NO_SENTENCES, sortable=True)
        self.views = {
            MEASURES: RowsView(stretch=1, name=TITLES[MEASURES], key=0),
            PAIRS: RowsView(name=TITLES[PAIRS], key=0),
            LENGTHS: RowsView(name=TITLES[LENGTHS], key=0),
            ERRORS: RowsView(stretch=0, name=TITLES[ERRORS], key=0),
            SENTENCES: self.sentences,
            LEFT_OUT: RowsView(stretch=LAST, name=TITLES[LEFT_OUT], key=3),
        }
        self.sentences.opened.connect(self._open_row)
        self.sentences.doubleClicked.connect(lambda index: self._open_row(index.row()))
        self.plot = ScatterPlot()
        self.plot.opened.connect(self._open)
        self.plot.listed.connect(self._list)
        self.whiskers = Canvas()
        self.whiskers.legend_room = 0
        self.whiskers.setMinimumHeight(120)
        self.whiskers.room_changed.connect(self._draw_whiskers)
        self.tables: dict[int, Table] = {}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self._measures = split(self.whiskers, self.views[MEASURES])
        how = quiet_label("Enter or a double click opens a sentence in Compare.")
        filters = in_row(quiet_label("Show"), self.shown, None, how, margins=(12, 4, 12, 4))
        pages: dict[int, QWidget] = {
            **self.views,
            MEASURES: self._measures,
            SCATTER: self.plot,
            SENTENCES: holder(in_column(filters, (self.sentences, 1), margins=NONE, spacing=0)),
        }
        for tab, (title, tip) in enumerate(zip(TITLES, _TIPS, strict=True)):
            self.tabs.addTab(pages[tab], title)
            self.tabs.setTabToolTip(tab, tip)
        pair, opens = (
            (quiet_label("Two systems"), (self.pair_box, 2)),
            (quiet_label("Open sentences as"), (self.opens, 2)),
        )
        choices = in_row(*pair, 12, *opens, None)
        self.setLayout(in_column(self.answer, self.counts, choices, (self.tabs, 1), margins=NONE, spacing=4))

    @property
    def report(self) -> SystemsReport | None:
        """The report that is shown."""
        return self.compared.report if self.compared is not None else None

    @property
    def pair(self) -> Pair | None:
        """The two systems that are held against each other."""
        return self.report.pairs[self.pair_box.currentIndex()] if self.report is not None else None

    # Showing

    def show_report(self, compared: ComparedSystems) -> None:
        """Show what came of a comparison."""
        self.compared = compared
        report = compared.report
        self.pair_box.clear()
        for pair in report.pairs:
            self.pair_box.addItem(f"{report.names[pair.first]} against {report.names[pair.second]}")
        self._show_tables(None, MEASURES, PAIRS, LEFT_OUT)
        left = report.left_out
        self.tabs.setTabText(LEFT_OUT, f"{TITLES[LEFT_OUT]} ({left:,})" if left else TITLES[LEFT_OUT])
        self.tabs.setTabEnabled(LEFT_OUT, bool(left))
        self._draw_whiskers()
        self._show_pair()

    def _draw_whiskers(self) -> None:
        if self.report is None:
            return
        title = f"Measures with intervals of {self.report.confidence:g} %"
        heads, rows = whisker_rows(self.tables[MEASURES])
        picture = whiskers_picture(title, heads, rows, self.whiskers.metrics, self.whiskers.room)
        self.whiskers.show(picture)
        wanted = round(picture.height * appearance().text_scale) + 8
        self._measures.setSizes([wanted, max(self._measures.height() - wanted, 120)])

    def _show_pair(self) -> None:
        report, pair = self.report, self.pair
        if report is None or pair is None:
            return
        names = report.names[pair.first], report.names[pair.second]
        self.answer.setText(answer(report, pair))
        self.counts.setText(counts_line(report, pair))
        self._show_tables([pair], LENGTHS, ERRORS, SENTENCES)
        opens = {
            BOTH: f"{names[0]} against {names[1]}",
            FIRST: f"{names[0]} against the gold tree",
            SECOND: f"{names[1]} against the gold tree",
        }
        filled(self.opens, opens, self.opens.currentData())
        test = pair.f1
        shown = {
            _ALL: f"all {size(len(report.rows), 'sentence')}",
            WINS: f"{names[0]} is better: {test.wins:,}",
            LOSSES: f"{names[1]} is better: {test.losses:,}",
            TIES: f"equal: {test.ties:,}",
        }
        filled(self.shown, shown, self.shown.currentData())
        self._filter()
        self.plot.set_sentences(scatter_sentences(report, pair), names)

    def _show_tables(self, pairs: list[Pair] | None, *tabs: int) -> None:
        assert self.compared is not None
        made = systems_tables(self.compared.report, [_ROWS[tab] for tab in tabs], self.compared.title, pairs)
        for tab, table in zip(tabs, made, strict=True):
            self.tables[tab] = table
            self.views[tab].show_table(table)

    def _filter(self, numbers: frozenset[int] | None = None) -> None:
        """List the sentences that are chosen by who is better, or those of some numbers."""
        report, pair, shown = self.report, self.pair, self.shown.currentData()
        if report is None or pair is None:
            return
        table = self.tables[SENTENCES]
        chosen = [
            cells
            for cells, row in zip(table.rows, report.rows, strict=True)
            if (row.number in numbers if numbers is not None else shown in (_ALL, outcome(row, pair)))
        ]
        self.sentences.show_table(replace(table, blocks=(Block("", chosen),)))

    def _list(self, numbers: frozenset[int]) -> None:
        """List the sentences of one point of the plot."""
        self.shown.setCurrentIndex(0)
        self._filter(numbers)
        self.tabs.setCurrentIndex(SENTENCES)
        self.sentences.setFocus()

    def _open_row(self, row: int) -> None:
        self._open(self.sentences.values(row)[0])

    def _open(self, number: int) -> None:
        self.choose(number)
        self.opened.emit(number, self.opens.currentData(), self.pair)

    def choose(self, number: int) -> None:
        """Choose the row of a sentence, if it is listed."""
        listed = (at for at in range(self.sentences.rows_model.rowCount()) if self.sentences.values(at)[0] == number)
        place = next(listed, None)
        self.sentences.mark(None if place is None else self.sentences.order[place])
