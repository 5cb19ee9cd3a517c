"""What came of a comparison of systems: the answer in words, and tabs of tables and pictures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QTabWidget, QVBoxLayout, QWidget

from engine.common.numbers import size
from engine.common.tables import Block, Column, Table
from engine.explain.subjects import PointId
from engine.study.significance import Interval
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
from explorer.laboratory.system_task import BOTH, FIRST, SECOND, ComparedSystems
from explorer.pictures.drawing import BACK, FILL, Box, Drawing, Metrics, Rect, Stroke, Text
from explorer.pictures.layout import Room
from explorer.pictures.sheet import Sheet, elided, middle

# The pictures of systems compared: F1 against F1 sentence by sentence, and measures with their intervals; no Qt.

# The picture of two parsers' F1, sentence by sentence: one across, the other upwards; no Qt widgets.

_LEFT, _BOTTOM, _TOP, _RIGHT, _LEGEND = 64.0, 62.0, 24.0, 36.0, 170.0
"""Room around the plot for figures and names, and for what is said beside it."""
_LEAST, _MOST = 240.0, 720.0
"""Sides of the plot, which is square: equal figures lie on its diagonal."""
_SMALLEST, _LARGEST = 4.0, 22.0
"""Radius of a point of one sentence, and of the largest."""
_NUMBERED = 9.0
"""Radius from which on a point has its number of sentences written on it."""
_TICK = 20
MOST_NAMED = 12
"""Sentences of one point that its label names."""
MOST_POINTS = 2000
"""Points up to which figures are told apart to a tenth."""
TITLE = "F1 against F1, sentence by sentence"


@dataclass(frozen=True, slots=True)
class ScatterSentence:
    """A sentence in the plot: its number from 1, its words, and its F1 in per cent by the two parsers."""

    number: int
    words: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """The sentences that have the same two figures."""

    first: float
    second: float
    sentences: tuple[ScatterSentence, ...]

    @property
    def label(self) -> str:
        """What it stands for: the figures, then number and words of each sentence."""
        figures = f"{self.first:.1f} and {self.second:.1f}"
        if len(self.sentences) == 1:
            only = self.sentences[0]
            return f"Sentence {only.number:,}: {figures}\n{only.words}"
        lines = [f"{one.number:,}  {one.words}" for one in self.sentences[:MOST_NAMED]]
        more = len(self.sentences) - len(lines)
        lines += [f"… and {more:,} more"] if more else []
        return "\n".join((f"{size(len(self.sentences), 'sentence')}: {figures}", *lines))


def scatter_points(sentences: Sequence[ScatterSentence]) -> tuple[ScatterPoint, ...]:
    """The points of a plot, from left to right and from the bottom to the top; to whole figures where they are many."""
    for digits in (1, 0):
        found: dict[tuple[float, float], list[ScatterSentence]] = defaultdict(list)
        for sentence in sentences:
            place = round(sentence.first, digits), round(sentence.second, digits)
            if place[0] == place[1] and sentence.first != sentence.second:
                # Whoever is better stays so: only equal figures lie on the line.
                place = round(sentence.first, 1), round(sentence.second, 1)
            found[place].append(sentence)
        if len(found) <= MOST_POINTS:
            break
    return tuple(ScatterPoint(*place, tuple(found[place])) for place in sorted(found))


def scatter_picture(
    points: Sequence[ScatterPoint], names: tuple[str, str], metrics: Metrics, room: Room | None = None
) -> Drawing:
    """The plot.

    Parameters
    ----------
    points
        From :func:`scatter_points`; the number of each is that of its id.
    names
        What the two parsers are called: the first is across, the second upwards.
    metrics
        Widths of text.
    room
        Where it is looked at.
    """
    sheet = Sheet(metrics)
    side = _side(room)
    plot = Rect(0, 0, side, side)
    lowest = min((min(point.first, point.second) for point in points), default=0.0)
    # From the lowest figure on: much of the paper would be empty otherwise.
    low = min(int(lowest // _TICK) * _TICK, 60)
    _axes(sheet, plot, low, names)
    # Large points lie under small ones, which they would hide.
    for number, point in sorted(enumerate(points), key=lambda one: -len(one[1].sentences)):
        _point(sheet, plot, low, number, point)
    counts = _counts(points)
    _sides(sheet, plot, names, counts)
    return sheet.draw(
        f"{TITLE}: {names[0]} and {names[1]}", lambda: _scatter_twin(points, names, counts), None, margin=12
    )


def _side(room: Room | None) -> float:
    if room is None or math.isinf(room.width):
        return 520.0
    return max(_LEAST, min(room.width - _LEFT - _RIGHT - _LEGEND - 24, room.height - _TOP - _BOTTOM - 24, _MOST))


def _at(plot: Rect, low: float, first: float, second: float) -> tuple[float, float]:
    scale = plot.width / (100 - low)
    return plot.x + (first - low) * scale, plot.bottom - (second - low) * scale


def _axes(sheet: Sheet, plot: Rect, low: int, names: tuple[str, str]) -> None:
    step = _TICK if low == 0 else _TICK // 2
    for value in range(low, 101, step):
        x, y = _at(plot, low, value, value)
        sheet.add(
            Stroke(x, plot.y, x, plot.bottom, "hairline", layer=BACK),
            Stroke(plot.x, y, plot.right, y, "hairline", layer=BACK),
        )
        sheet.text(x, plot.bottom + 18, f"{value}", "number", "muted")
        sheet.text(plot.x - 8, y + middle(sheet.metrics, "number"), f"{value}", "number", "muted", "end")
    sheet.add(
        Stroke(plot.x, plot.bottom, plot.right, plot.bottom, "line"),
        Stroke(plot.x, plot.y, plot.x, plot.bottom, "line"),
        Stroke(plot.x, plot.bottom, plot.right, plot.y, "line", dash="dash"),
    )
    across, upwards = (elided(f"F1 of {name}", sheet.metrics, "label", plot.width) for name in names)
    sheet.text((plot.x + plot.right) / 2, plot.bottom + 42, across, "label", "ink")
    sheet.add(Text(plot.x - 44, (plot.y + plot.bottom) / 2, upwards, "label", "ink", "middle", turned=True))


def _role(point: ScatterPoint) -> str:
    """Who is better: the first one, the second one, or neither; the diagonal says it, too."""
    if point.first == point.second:
        return "line"
    return "missing" if point.first > point.second else "extra"


def radius(count: int) -> float:
    """The radius of a point: its surface grows with the number of its sentences, up to the largest."""
    return min(_SMALLEST * math.sqrt(count), _LARGEST)


def _point(sheet: Sheet, plot: Rect, low: float, number: int, point: ScatterPoint) -> None:
    x, y = _at(plot, low, point.first, point.second)
    count, id = len(point.sentences), PointId(number)
    r, role = radius(count), _role(point)
    sheet.add(Box(x - r, y - r, 2 * r, 2 * r, fill=f"tint:{role}", role=role, weight=1.4, radius=r, id=id, layer=FILL))
    if r >= _NUMBERED:
        sheet.text(x, y + middle(sheet.metrics, "small"), f"{count:,}", "small", "ink", id=id)
    sheet.region(id, Rect(x - r, y - r, 2 * r, 2 * r), lambda: point.label)


def _counts(points: Sequence[ScatterPoint]) -> tuple[int, int, int]:
    """Sentences in which the first is better, in which the second is, and in which neither is."""
    first = sum(len(point.sentences) for point in points if point.first > point.second)
    second = sum(len(point.sentences) for point in points if point.first < point.second)
    return first, second, sum(len(point.sentences) for point in points) - first - second


def _sides(sheet: Sheet, plot: Rect, names: tuple[str, str], counts: tuple[int, int, int]) -> None:
    """Say beside the plot who is better where."""
    x, y = plot.right + _RIGHT, plot.y + 40
    first, second = (elided(name, sheet.metrics, "label-bold", _LEGEND) for name in names)
    for place, name, count, role in (
        ("above the line", f"{second}", f"is better in {counts[1]:,}", "extra"),
        ("below the line", f"{first}", f"is better in {counts[0]:,}", "missing"),
        ("on the line", "equal", f"in {counts[2]:,}", "muted"),
    ):
        sheet.text(x, y, place, "small", "muted", "start")
        sheet.text(x, y + 18, name, "label-bold", role, "start")
        sheet.text(x, y + 36, count, "label", "ink", "start")
        y += 66


def _scatter_twin(points: Sequence[ScatterPoint], names: tuple[str, str], counts: tuple[int, int, int]) -> str:
    first, second, equal = counts
    lines = [
        f"{TITLE}.",
        f"{names[0]} is better in {size(first, 'sentence')}, {names[1]} in {size(second, 'sentence')}; "
        f"{size(equal, 'sentence')} have the same F1.",
        f"{names[0]}\t{names[1]}\tsentences",
    ]
    for point in points:
        numbers = ", ".join(str(one.number) for one in point.sentences)
        lines.append(f"{point.first:.1f}\t{point.second:.1f}\t{numbers}")
    return "\n".join(lines)


# The picture of measures with their intervals: a row for each parser, a column for each measure; no Qt widgets.

_ROW, _HEAD, _BETWEEN = 34.0, 26.0, 44.0
_NAMES, _LEAST_COLUMN, _MOST_COLUMN = 190.0, 120.0, 240.0
_DOT, _CAP = 4.0, 5.0


@dataclass(frozen=True, slots=True)
class Whisker:
    """A measured value with its interval."""

    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class WhiskerRow:
    """A parser and its values, one for each column; ``None`` where there is none."""

    name: str
    values: tuple[Whisker | None, ...]


def whiskers_picture(
    title: str, columns: Sequence[str], rows: Sequence[WhiskerRow], metrics: Metrics, room: Room | None = None,
    zero: Sequence[int] = (),
) -> Drawing:  # fmt: skip
    """The picture; columns in `zero` have a line at nought, which differences are held against."""
    sheet = Sheet(metrics)
    names = max((metrics.width(row.name, "label") for row in rows), default=0.0)
    names = min(names + 16, _NAMES)
    wanted = room.width - names - 48 if room is not None and not math.isinf(room.width) else 900.0
    count = max(len(columns), 1)
    width = max(_LEAST_COLUMN, min((wanted - _BETWEEN * count) / count, _MOST_COLUMN))
    for number, row in enumerate(rows):
        y = _HEAD + _ROW * number + _ROW / 2
        shown = elided(row.name, metrics, "label", names - 8)
        sheet.text(0, y + middle(metrics, "label"), shown, "label", "ink", "start")
    for column, head in enumerate(columns):
        left = names + column * (width + _BETWEEN) + _BETWEEN / 2
        values = [row.values[column] for row in rows]
        _column(sheet, Rect(left, _HEAD, width, _ROW * len(rows)), head, values, column in zero)
    return sheet.draw(title, lambda: _whisker_twin(title, columns, rows), None, margin=16)


def _column(sheet: Sheet, place: Rect, head: str, values: Sequence[Whisker | None], zero: bool) -> None:
    there = [one for one in values if one is not None]
    low, high, step = nice_range([end for one in there for end in (one.low, one.high)] + ([0.0] if zero else []))
    scale = place.width / (high - low)
    sheet.text(place.centre[0], 8, head, "label-bold", "ink")
    tick = low
    while tick <= high + step / 1000:
        x = place.x + (tick - low) * scale
        nought = zero and abs(tick) < step / 1000
        role = "line" if nought else "hairline"
        sheet.add(Stroke(x, place.y - 4, x, place.bottom + 4, role, dash="dash" if nought else "solid", layer=BACK))
        sheet.text(x, place.bottom + 18, _tick(tick, step), "number", "muted")
        tick += step
    for number, one in enumerate(values):
        y = place.y + _ROW * number + _ROW / 2 + 6
        if one is None:
            sheet.text(place.centre[0], y, "–", "number", "muted")
            continue
        left, right, x = (place.x + (value - low) * scale for value in (one.low, one.high, one.value))
        sheet.add(
            Stroke(left, y, right, y, "ink", 1.5),
            Stroke(left, y - _CAP, left, y + _CAP, "ink", 1.5),
            Stroke(right, y - _CAP, right, y + _CAP, "ink", 1.5),
            Box(x - _DOT, y - _DOT, 2 * _DOT, 2 * _DOT, fill="accent", radius=_DOT, layer=3),
        )
        half = sheet.metrics.width(one.text, "number") / 2
        middle_of = min(max(x, place.x + half), place.right - half)
        sheet.text(middle_of, y - 9, one.text, "number", "ink")


def nice_range(values: Sequence[float]) -> tuple[float, float, float]:
    """Ends of an axis that holds these values, at round figures, and the step between its figures."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    spread = max(high - low, 0.2)
    rough = spread / 2.5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step or step, step


def _tick(value: float, step: float) -> str:
    digits = 0 if step >= 1 and step == int(step) else 1 if math.isclose(step * 10, round(step * 10)) else 2
    return f"{value if abs(value) > step / 1000 else 0.0:.{digits}f}".replace("-", "−")


def _whisker_twin(title: str, columns: Sequence[str], rows: Sequence[WhiskerRow]) -> str:
    lines = [title, "\t".join(("", *columns))]
    for row in rows:
        cells = [f"{one.text} ({one.low:.2f} to {one.high:.2f})" if one is not None else "–" for one in row.values]
        lines.append("\t".join((row.name, *cells)))
    return "\n".join(lines)


# What the pictures show of a report.

SHOWN_MEASURES = ("labeled_recall", "labeled_precision", "f1", "crossing")


def whisker_rows(measures: Table) -> tuple[list[str], list[WhiskerRow]]:
    """The measures that are shown with whiskers, and their values, of the table with a row for every system."""
    shown = [(at, column) for at, column in enumerate(measures.columns) if column.key in SHOWN_MEASURES]

    def whisker(column: Column, value: Interval) -> Whisker:
        return Whisker(value.estimate, value.low, value.high, column.figure(value))

    rows = [WhiskerRow(row[0], tuple(whisker(column, row[at]) for at, column in shown)) for row in measures.rows]
    return [column.title for _, column in shown], rows


def scatter_sentences(report: SystemsReport, pair: Pair) -> list[ScatterSentence]:
    """The sentences of the plot."""
    return [
        ScatterSentence(row.number, row.text, row.results[pair.first].f1, row.results[pair.second].f1)
        for row in report.rows
    ]


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
