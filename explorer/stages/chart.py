"""Stage 5: the chart, its cells' tables, and the time line that replays its construction (sections 3 and 4.1)."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QSlider, QVBoxLayout, QWidget

from engine.chart.parse import Parse
from engine.chart.trace import Edge, Trace
from engine.common.characters import as_read, curly_quotes, no_markup
from engine.common.numbers import log_text
from engine.explain.chart import REASONS, missing_in_chart
from engine.explain.subjects import ChartCellId, EdgeId, ItemId, NodeId, Subject
from engine.structure.constraints import Bracket
from explorer.kit.actions import Choice
from explorer.kit.controls import Field, text_button
from explorer.kit.messages import Messages
from explorer.kit.tables import Row, RowsView
from explorer.kit.tasks import Worker
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.facts import edge_label, facts_of
from explorer.pictures.layout import Room, WordColumns
from explorer.pictures.options import FITTING, REPLAYS, TriangleOptions
from explorer.pictures.triangle import triangle_picture
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.replay import FASTEST, REPLAY_TITLES
from explorer.session.session import ReplayNavigator
from explorer.session.view_state import CHART, ViewState
from explorer.stages.stage import Picture, Stage, derivation_cells

# How the chart is replayed: which edges, cell by cell or edge by edge, how fast, from the first or to the last.


class ReplayControls(QWidget):
    """Shows what was chosen about the replay, and lets a person choose again."""

    def __init__(self, view: ViewState, navigator: ReplayNavigator) -> None:
        super().__init__()
        self._view = view
        self._navigator = navigator
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.edges = QComboBox()
        self.edges.setAccessibleName("Edges of the replay")
        self.edges.setToolTip("Which edges the replay goes through: all, those that survive, those of this parse")
        for name in REPLAYS:
            self.edges.addItem(REPLAY_TITLES[name], name)
        self.edges.activated.connect(lambda at: navigator.choose_edges(REPLAYS[at]))
        self.steps = QComboBox()
        self.steps.setAccessibleName("Steps of the replay")
        self.steps.setToolTip("Where the replay stops: at every edge, or when a cell is complete")
        self.steps.addItems(["edge by edge", "cell by cell"])
        self.steps.activated.connect(lambda at: navigator.choose_by_cell(at == 1))
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setAccessibleName("Speed of the replay")
        self.speed.setToolTip("How fast it plays (F5), from one edge in three seconds to the whole chart in seconds")
        self.speed.setRange(0, FASTEST)
        self.speed.setPageStep(1)
        self.speed.setFixedWidth(80)
        self.speed.valueChanged.connect(navigator.choose_speed)
        layout.addWidget(self.edges)
        layout.addWidget(self.steps)
        layout.addWidget(self.speed)
        layout.addWidget(text_button("First", "The first edge of the replay (Alt+Home)", navigator.to_first))
        layout.addWidget(text_button("Last", "The last edge of the replay (Alt+End)", navigator.to_last))
        view.replay_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is chosen now."""
        choice = self._view.replay
        with QSignalBlocker(self.speed):
            self.speed.setValue(choice.speed)
        self.edges.setCurrentIndex(REPLAYS.index(choice.edges))
        self.steps.setCurrentIndex(int(choice.by_cell))


# Stage 5: the chart, its cells' tables, and the time line that replays its construction (sections 3 and 4.1).

_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right)
MOST_EDGES_LISTED = 200
"""Edges of a cell in the table; the largest cells have thousands."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What the replay runs to: a label, a head-word, the words of a span; empty for any."""

    label: str = ""
    head: str = ""
    span: tuple[int, int] | None = None

    @classmethod
    def parse(cls, text: str, words: list[str]) -> Condition:
        """Read ``NP``, ``NP saw``, ``saw``, ``3-5``, ``VP 2-7``: labels, words of the sentence, spans from 1."""
        label = head = ""
        span = None
        for part in text.replace("–", "-").split():
            if numbers := _SPAN.fullmatch(part):
                span = (int(numbers[1]) - 1, int(numbers[2]))
            elif part in words and not (part.isupper() and not label):
                head = part
            else:
                label = part
        return cls(label, head, span)

    def holds(self, edge: Edge, words: list[str]) -> bool:
        """Whether an edge is what is sought."""
        return (
            (not self.label or edge.label.rstrip("+*'") == self.label)
            and (not self.head or words[edge.head] == self.head)
            and (self.span is None or (edge.start, edge.end) == self.span)
        )


class RunField(Field):
    """A field that is as wide as its placeholder; after Enter the arrow keys step again, until something is typed."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholderText=placeholder)
        self._entered = False
        self.returnPressed.connect(self._enter)
        self.textEdited.connect(self._edit)

    def _enter(self) -> None:
        self._entered = True
        self.selectAll()

    def _edit(self) -> None:
        self._entered = False

    def event(self, event: QEvent) -> bool:
        """Leave the arrow keys to the stage once a condition was entered."""
        if (
            self._entered
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in _ARROWS
            and not event.modifiers()
        ):
            event.ignore()
            return False
        return super().event(event)

    def sizeHint(self) -> QSize:
        """Wide enough for the examples, whatever the size of the type."""
        return QSize(self.fontMetrics().horizontalAdvance(self.placeholderText()) + 28, super().sizeHint().height())


class ChartStage(Stage):
    """The triangle; below it the edges of the selected cell, and the time line."""

    name = CHART
    title = "Chart"
    tip = "The chart: every edge that the parser built, kept or pruned, and why (sections 3 and 4.1)"
    caption = "The chart: over every span of words the constituents that the parser built and kept."
    pictures = (Picture("chart", "Chart", triangle_picture),)
    replays = True
    table_title = "Cell"
    fits_height = False
    """Whether cells say less where the chart would be too high otherwise."""

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(editor, view, parses, messages, parent)
        self.navigator = ReplayNavigator(view, parses)
        self._derivations = Worker("derivation", newest_only=True, parent=self)
        self._lit: tuple[Parse, int, dict[str, set[Subject]]] | None = None

    def make_detail(self) -> QWidget:
        """Make the time line, the field to run to a condition, and the table."""
        widget = QWidget()
        layout = QVBoxLayout(widget)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(8)
        self.timeline = QSlider(Qt.Orientation.Horizontal)
        self.timeline.setAccessibleName("Time line")
        self.timeline.setToolTip("The chart as it was after so many edges; the right end is the whole chart")
        self.timeline.valueChanged.connect(self._moved)
        self.run_field = RunField("run to: NP, saw, VP 2-7 …")
        self.run_field.setAccessibleName("Run to")
        self.run_field.setToolTip("The next constituent of this label, headed by this word, spanning these words")
        self.run_field.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.run_field.returnPressed.connect(self.run_forward)
        back = text_button("◂", "Run back to the one before", self.run_back)
        on = text_button("▸", "Run on to the next one (Enter)", self.run_forward)
        self.controls = ReplayControls(self._view, self.navigator)
        row.addWidget(self.timeline, 1)
        row.addWidget(self.controls)
        layout.addLayout(row)
        self.about = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.about.setObjectName("quiet")
        # As much as fits; a tip has the whole.
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        under = QHBoxLayout()
        under.setContentsMargins(12, 0, 12, 2)
        under.setSpacing(8)
        under.addWidget(self.about, 1)
        for part in (self.run_field, back, on):
            under.addWidget(part)
        layout.addLayout(under)
        self.table = RowsView(
            ("", "label", "head", "made by", "R", "log P", "kept or pruned", "lost by"),
            (0, 5, 7),
            4,
            "Edges of the cell",
            4,
        )
        self.table.chosen.connect(self._view.select)
        layout.addWidget(self.table, 1)
        self._cell: tuple[int, int] | None = None
        return widget

    @property
    def trace(self) -> Trace | None:
        """The chart of the result."""
        return self._parses.result.parse.chart if self._parses.result is not None else None

    @classmethod
    def on_paper(
        cls, parse: Parse, metrics: Metrics, room: Room, selection: Subject | None, chart_step: int | None
    ) -> Drawing:
        """The triangle as far as the step has built it."""
        return triangle_picture(parse, metrics, TriangleOptions(until=chart_step), room=room)

    @property
    def shows(self) -> object:
        """The chart, how far it is built, and by which edges."""
        result = self._parses.result
        # While there is none, a message says whether there will be one.
        chart = result and (id(result.parse.chart) if result.parse.chart is not None else result.full)
        return chart, self._view.chart_step, self._view.replay.edges

    @property
    def uses_height(self) -> bool:
        """Where its cells say less for want of room."""
        return self.fits_height

    def fit(self) -> None:
        """Have cells say less where the chart would be too high otherwise."""
        self.fits_height = True
        self.picture_changed.emit()

    def draw(self, parse: Parse, metrics: Metrics, columns: WordColumns, room: Room) -> Drawing:
        """The triangle as it was at the time line's place."""
        step, edges = self._view.chart_step, self._view.replay.edges
        density = FITTING if self.fits_height else None
        return triangle_picture(parse, metrics, TriangleOptions(density, step, edges, self.focus), columns, room)

    def refresh(self) -> None:
        """Show another chart."""
        trace = self.trace
        with QSignalBlocker(self.timeline):
            self.timeline.setRange(0, len(trace) if trace is not None else 0)
            self.timeline.setPageStep(max(1, (len(trace) if trace is not None else 0) // 20))
        self._cell = None
        self.follow()

    def follow(self) -> None:
        """Show the edges of the selected cell, or of the one that the time line has reached."""
        trace = self.trace
        with QSignalBlocker(self.timeline):
            self.timeline.setValue(
                self.timeline.maximum()
                if self._view.chart_step is None
                else min(self._view.chart_step, self.timeline.maximum())
            )
        if trace is None:
            self.table.set_rows([])
            waiting = self._parses.result is not None and not self._parses.result.full
            self._say("The chart is being recorded …" if waiting else "No chart was kept.")
            return
        cell, number = self._asked(trace)
        if cell is None:
            self.table.set_rows([])
            self._cell = None
            built = f"{len(trace):,} edges were built.  Select a cell to see its own, or use the time line."
            self._say("  ".join(filter(None, [built, self._missing()])))
            return
        if cell != self._cell:
            self._cell = cell
            self.table.set_rows(self._rows(trace, cell))
        words = list(map(as_read, trace.sentence.proper_words))
        self._say(f"{cell[0] + 1}–{cell[1]}   {' '.join(words[cell[0] : cell[1]])}")
        self.table.mark(EdgeId(number) if number >= 0 else None)

    def _say(self, text: str) -> None:
        """Write over the table what it is about."""
        self.about.setText(text)
        self.about.setToolTip(no_markup(text))

    def _missing(self) -> str:
        """What of the parse that is shown the chart has not, in a sentence."""
        parse = self.parse
        if parse is None:
            return ""
        facts = facts_of(parse)
        return curly_quotes(missing_in_chart(facts.in_chart, facts.words))

    def _own_edges(self, cell: tuple[int, int]) -> tuple[Edge, ...]:
        """The edges of the parse that is shown over a cell's words, the topmost first."""
        parse = self.parse
        return facts_of(parse).chart_edges.get(cell, ()) if parse is not None else ()

    def _asked(self, trace: Trace) -> tuple[tuple[int, int] | None, int]:
        """The cell that is selected or reached, and the number of the edge in it, −1 for none."""
        match self._view.selection:
            case ChartCellId(start, end):
                return (start, end), -1
            case NodeId(start, end):
                return (start, end), -1
            case EdgeId(number) if number < len(trace):
                edge = trace.edge(number)
                return (edge.start, edge.end), number
            case ItemId(number):
                item = trace.item(number)
                return (item.start, item.end), -1
        step = self._view.chart_step
        if step and step <= len(trace):
            edge = trace.edge(step - 1)
            return (edge.start, edge.end), step - 1
        return None, -1

    def _range(self, trace: Trace, cell: tuple[int, int]) -> tuple[int, int]:
        """Number of a cell's first edge, and how many it has."""
        result = self._parses.result
        assert result is not None
        return next(
            ((one.first, one.count) for one in facts_of(result.parse).chart if (one.start, one.end) == cell), (0, 0)
        )

    def _rows(self, trace: Trace, cell: tuple[int, int]) -> list[Row]:
        """The edges of a cell: first those of the parse that is shown, the topmost first, then all others in order."""
        words = list(map(as_read, trace.sentence.proper_words))
        numbers = [edge.number for edge in self._own_edges(cell)]
        first, count = self._range(trace, cell)
        others = (number for number in range(first, first + count) if number not in numbers)
        rows = []
        for number in (*numbers, *islice(others, MOST_EDGES_LISTED)):
            edge = trace.edge(number)
            reason = REASONS[edge.pruning_reason]
            cells = (
                f"{edge.number + 1:,}",
                edge_label(edge),
                words[edge.head],
                edge.kind,
                str(edge.relation or ""),
                log_text(edge.score),
                f"in this parse, {reason}" if number in numbers else reason,
                log_text(abs(edge.margin)) if edge.pruning_reason != "kept" and edge.margin else "",
            )
            rows.append(Row(cells, EdgeId(edge.number), number in numbers))
        return rows

    def highlights(self, id: Subject | None) -> dict[str, set[Subject]]:
        """Highlight what an item is built from (``match``) and what is built from it (``extra``)."""
        trace = self.trace
        none: dict[str, set[Subject]] = {"match": set(), "extra": set()}
        if trace is None:
            return none
        match id:
            case EdgeId(number) if number < len(trace):
                edge = trace.edge(number)
                own = number in (one.number for one in self._own_edges((edge.start, edge.end)))
                if (own or edge.pruning_reason == "kept") and edge.item >= 0 and id == self._view.selection:
                    return self._derivation(trace, edge.item)
                sides = [trace.item(side) for side in (edge.left, edge.right) if side >= 0]
                return {"match": {ChartCellId(side.start, side.end) for side in sides}, "extra": set()}
            case ItemId(number):
                return self._derivation(trace, number)
        return {**none, **super().highlights(id)}

    def _derivation(self, trace: Trace, number: int) -> dict[str, set[Subject]]:
        """What an item is built from and what is built from it; found off the GUI thread, for charts are large."""
        parse = self.parse
        assert parse is not None
        if self._lit is not None and self._lit[:2] == (parse, number):
            return self._lit[2]
        own = facts_of(parse).in_chart

        def found(sets: tuple[set[Subject], set[Subject]]) -> None:
            self._lit = (parse, number, {"match": sets[0], "extra": sets[1]})
            self.highlights_changed.emit()

        self._derivations.request(lambda job: derivation_cells(trace, number, own), found, self._messages.show_error)
        return {"match": set(), "extra": set()}

    def choices(self, id: Subject) -> list[Choice]:
        """Force or forbid a constituent over a cell's words."""
        match id:
            case ChartCellId(start, end) if end - start > 0:
                return [
                    ("Force a constituent here", lambda: self._editor.add_what_if(Bracket(start, end))),
                    ("Forbid all constituents here", lambda: self._editor.add_what_if(Bracket(start, end, None, True))),
                ]
            case EdgeId(number) if self.trace is not None:
                edge = self.trace.edge(number)
                label = edge.label
                span = (edge.start, edge.end)
                return [
                    (f"Force {label} here", lambda: self._editor.add_what_if(Bracket(*span, label))),
                    (f"Forbid {label} here", lambda: self._editor.add_what_if(Bracket(*span, label, True))),
                ]
        return []

    def activate(self, id: Subject) -> None:
        """Run the time line to the first edge of a cell that was double-clicked."""
        match id:
            case ChartCellId(start, end) if self.trace is not None:
                first, count = self._range(self.trace, (start, end))
                if count:
                    self._view.set_chart_step(first + 1)

    def _moved(self, value: int) -> None:
        replay = self.navigator.replay
        self._view.select(None)
        if value == self.timeline.maximum() or replay is None:
            self._view.set_chart_step(None)
        else:
            self._view.set_chart_step(replay.at_or_before(value))

    def run_forward(self) -> None:
        """Run to the next edge that fits the condition."""
        self._run(1)

    def run_back(self) -> None:
        """Run back to the last edge that fits the condition."""
        self._run(-1)

    def _run(self, direction: int) -> None:
        trace, replay = self.trace, self.navigator.replay
        if trace is None or replay is None:
            return
        words = trace.sentence.proper_words
        condition = Condition.parse(self.run_field.text(), words)
        at = len(trace) if self._view.chart_step is None else self._view.chart_step
        if direction > 0 and at == len(trace):
            at = 0
        edges = replay.edges
        split = bisect_left(edges, at if direction > 0 else max(at - 1, 0))
        numbers = edges[split:] if direction > 0 else edges[:split][::-1]
        for number in numbers:
            if condition.holds(trace.edge(number), words):
                self._view.select(None)
                self._view.set_chart_step(number + 1)
                return
        self._messages.show(f"No further constituent fits `{self.run_field.text()}`")
