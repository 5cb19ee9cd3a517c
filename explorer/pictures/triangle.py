"""Stage 5: the chart as a triangle of spans over the ruler (sections 3 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from engine.chart.parse import Parse
from engine.chart.trace import PRUNING_REASONS, Edge, Trace
from engine.common.characters import curly_quotes
from engine.common.numbers import log_text, size
from engine.explain.chart import REASONS, missing_in_chart
from engine.explain.subjects import ChartCellId, Subject
from explorer.pictures.drawing import Areas, Box, Curve, Drawing, Group, Metrics, Rect, Region, Shape, Stroke, Text
from explorer.pictures.facts import CellFacts, Facts, edge_label, facts_of
from explorer.pictures.folding import ChartBase, folded_base, folded_words, whole_base
from explorer.pictures.layout import (
    BRIEF,
    CHART_BASE,
    CHART_ROWS,
    COLOUR,
    FULL,
    LEGEND,
    LEGEND_ROW,
    PICTURE_MARGIN,
    TAG_DROP,
    UNLIMITED,
    Room,
    WordColumns,
    chart_density,
    fitting_density,
)
from explorer.pictures.options import ALL_EDGES, FITTING, PARSE_EDGES, TriangleOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.sheet import Sheet, legend_limit, message_picture, middle, words_row

# Where the cells of the chart stand: a triangle over the ruler, one cell for each span.


def cell_rect(borders: Sequence[float], start: int, end: int, base: float, height: float) -> Rect:
    """Return the cell over words ``start .. end``: in the row of its length, over the middle of its words.

    Its edges lie midway between those of its first and its last word, so that the cells of a row stand edge to edge.

    Parameters
    ----------
    borders
        Where each word, or folded constituent, begins on the ruler, and where the last one ends.
    start, end
        The span, words and folded constituents counted without punctuation.
    base
        y of the lower edge of the lowest row.
    height
        Height of a row.
    """
    left = (borders[start] + borders[end - 1]) / 2
    right = (borders[start + 1] + borders[end]) / 2
    return Rect(left, base - (end - start) * height, right - left, height)


# Stage 5: the chart as a triangle of spans over the ruler (sections 3 and 4.1).
#
# One cell per span: how many items it holds (lightness, and in figures where they fit), a label, and in the cell's
# foot a thin mark for each reason for which edges were pruned.  Every reason has its own place along the foot, so
# that it can be told without colours.  Cells with an item of the parse that is drawn are outlined and have that
# item's label, the others that of their best item.

PRUNING_CAUSES = PRUNING_REASONS[1:]
CAUSE_NAMES = {
    "dominated": "dominated",
    "out of beam": "beam",
    "under threshold": "threshold",
    "comma rule": "comma rule",
    "constraint": "what-if",
}
FOOT = {FULL: 4.0, BRIEF: 3.0, COLOUR: 2.0}
LENS_ROW = 18.0
_DEFAULT = TriangleOptions()


def triangle_picture(
    parse: Parse,
    metrics: Metrics,
    options: TriangleOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return the chart, whole or as it was after so many edges (`options.until`).

    Where it does not fit into the room, constituents of the parse are folded, each into one column: only cells over
    whole columns are drawn.  Cells that do not change from one call to the next are the same groups, so that a step is
    repainted where it happens.
    """
    facts = facts_of(parse)
    if facts.trace is None:
        return message_picture("No chart", "This parse was made without its chart being kept.", metrics)
    columns = columns or columns_of(parse, metrics)
    whole = room.holds(columns)
    base = whole_base(facts, columns) if whole else folded_base(parse, facts, metrics, options, room)
    fitting = fitting_density(len(base.units), room.height) if options.density == FITTING else options.density
    density = fitting or chart_density(len(base.units))
    return _triangle(facts, facts.trace, metrics, base, density, room).draw(options.until, options.edges)


def _triangle(facts: Facts, trace: Trace, metrics: Metrics, base: ChartBase, density: str, room: Room) -> _Triangle:
    """Return the pictures of a chart; those made last are kept."""
    key = (density, base, room.width, id(metrics))
    kept = facts.pictures.get("triangle")
    if not isinstance(kept, _Triangle) or kept.key != key:
        kept = facts.pictures["triangle"] = _Triangle(facts, trace, metrics, base, density, room)
    return kept


@dataclass(slots=True)
class _State:
    """What a cell holds so far."""

    survivors: int
    label: str
    pruned: dict[str, int] = field(default_factory=dict)
    cell: CellFacts | None = None


class _Triangle:
    """The pictures of one chart, with the groups that they share."""

    def __init__(self, facts: Facts, trace: Trace, metrics: Metrics, base: ChartBase, density: str, room: Room) -> None:
        self.key = (density, base, room.width, id(metrics))
        self.facts = facts
        self.trace = trace
        self.metrics = metrics
        self.base = base
        self.room = room
        self.columns = base.columns
        self.density = density
        self.row = CHART_ROWS[density]
        self.radius = 0.0 if density == COLOUR else 2.0
        self.most = max((cell.survivors for cell in facts.chart), default=1)
        self.most_pruned = max((max(cell.pruned.values(), default=0) for cell in facts.chart), default=1)
        starts = {start: place for place, (start, _) in enumerate(base.units)}
        ends = {end: place + 1 for place, (_, end) in enumerate(base.units)}
        # Cells that begin or end inside of a folded constituent are folded with it.
        self.cells = [cell for cell in facts.chart if cell.start in starts and cell.end in ends]
        self.rects = {
            (cell.start, cell.end): cell_rect(base.borders, starts[cell.start], ends[cell.end], CHART_BASE, self.row)
            for cell in self.cells
        }
        top = CHART_BASE - len(base.units) * self.row
        self.around = self._words_and_legend(top)
        # In a large chart cells that hold no item are not even outlined.
        self.sparse = density == COLOUR
        self.nothing = Group((), Rect(0, 0, 0, 0))
        self.bounds = self.around.bounds
        self.whole = [self._group(cell, _State(cell.survivors, self._name(cell), cell.pruned)) for cell in self.cells]
        self.by_id: dict[Subject, CellFacts] = {ChartCellId(cell.start, cell.end): cell for cell in self.cells}
        cells = [Region(id, self._rect(cell), partial(self._label, cell)) for id, cell in self.by_id.items()]
        self.areas = Areas((*self.around.areas, *cells, *self.folded_areas))
        self.full: Drawing | None = None
        # The cell that the last step was in, as far as it was filled: the next step goes on from there.
        self.filling: tuple[int, _State, float, str] = (0, _State(0, ""), -math.inf, ALL_EDGES)
        # Complete cells of a replay that leaves edges out, made when it comes to them.
        self.reduced: dict[tuple[str, int], Group] = {}

    def draw(self, until: int | None, edges: str = ALL_EDGES) -> Drawing:
        """Return the picture after so many edges, of which a replay shows all or some."""
        if until is None or (until >= len(self.trace) and edges == ALL_EDGES):
            if self.full is None:
                self.full = self._drawing((*self.around.groups, *self.whole))
            return self.full
        groups = list(self.around.groups)
        for number, cell in enumerate(self.cells):
            end = cell.first + cell.count
            if cell.first < until <= end and (until < end or edges != ALL_EDGES):
                groups.append(self._group(cell, self._state(cell, until, edges), current=True))
            elif end <= until and cell.count:
                groups.append(self._complete(number, edges))
            else:
                groups.append(self.empty[number])
        return self._drawing(tuple(groups))

    def _complete(self, number: int, edges: str) -> Group:
        """Return a cell that is filled, with the edges that a replay goes through."""
        if edges == ALL_EDGES:
            return self.whole[number]
        kept = self.reduced.get((edges, number))
        if kept is None:
            cell = self.cells[number]
            survivors = len(self._edges(cell)) if edges == PARSE_EDGES else cell.survivors
            kept = self._group(cell, _State(survivors, self._name(cell))) if survivors else self.empty[number]
            self.reduced[edges, number] = kept
        return kept

    @cached_property
    def empty(self) -> list[Group]:
        """Cells that are not yet reached, for the replay."""
        return [self._group(cell, None) for cell in self.cells]

    def _drawing(self, groups: tuple[Group, ...]) -> Drawing:
        lens = self.lens if self.density == COLOUR else None
        return replace(self.around, groups=groups, title="Chart", twin=self._twin, areas=self.areas, lens=lens)

    def _edges(self, cell: CellFacts) -> tuple[Edge, ...]:
        """Return the edges by which the parse that is drawn builds its items over a cell's words, the topmost first."""
        return self.facts.chart_edges.get((cell.start, cell.end), ())

    def _name(self, cell: CellFacts) -> str:
        """Return the label of a cell: that of the parse's item, or of the best one."""
        edges = self._edges(cell)
        return edge_label(edges[0]) if edges else cell.label

    def _rect(self, cell: CellFacts) -> Rect:
        return self.rects[cell.start, cell.end]

    def _state(self, cell: CellFacts, until: int, edges: str) -> _State:
        """Return what a cell holds while it is being filled."""
        known, state, best, before = self.filling
        if state.cell is not cell or known > until or before != edges:
            known, state, best = cell.first, _State(0, "", {}, cell), -math.inf
        own = {edge.number for edge in self._edges(cell)}
        for number in range(known, until):
            edge = self.trace.edge(number)
            if edges == PARSE_EDGES and number not in own:
                continue
            if edge.pruning_reason == "kept" or edges == PARSE_EDGES:
                state.survivors += 1
                if edge.score > best:
                    best, state.label = edge.score, edge_label(edge)
            elif edges == ALL_EDGES:
                state.pruned[edge.pruning_reason] = state.pruned.get(edge.pruning_reason, 0) + 1
            if number in own:
                # From here on the cell has an item of the parse, which no better one takes the place of.
                best, state.label = math.inf, edge_label(edge)
        self.filling = until, state, best, edges
        return state

    def _group(self, cell: CellFacts, state: _State | None, current: bool = False) -> Group:
        """Return the shapes of a cell; with no state, of one that is not yet reached."""
        rect = self._rect(cell)
        inner = Rect(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2)
        identity: Subject = ChartCellId(cell.start, cell.end)
        shapes: list[Shape] = []
        if state is None or not (state.survivors or state.pruned):
            if self.sparse:
                return self.nothing
            shapes.append(Box(*inner, "", "hairline", 1.0, "solid", self.radius, identity))
        else:
            level = math.log1p(state.survivors) / math.log1p(max(self.most, 1))
            fill = f"count:{level:.2f}" if state.survivors else ""
            if fill or not self.sparse:
                shapes.append(Box(*inner, "", "hairline", 1.0, "solid", self.radius, identity))
            if fill:
                foot = FOOT[self.density] + 2 if state.pruned else 0.0
                shapes.append(
                    Box(inner.x, inner.y, inner.width, inner.height - foot, fill, radius=self.radius, layer=0)
                )
            if self.density != COLOUR and state.survivors:
                self._write(shapes, inner, state, f"on:{fill}")
            self._foot(shapes, inner, state)
            if self._edges(cell) and not current:
                shapes.append(Box(*inner, "", "accent", 2.0, "solid", self.radius, None, 3))
        if current:
            shapes.append(Box(*inner, "", "ink", 2.0, "solid", self.radius, None, 3))
        return Group(shapes, rect.grown(2))

    def _write(self, shapes: list[Shape], rect: Rect, state: _State, role: str) -> None:
        """The label and the number of survivors, as far as they fit."""
        metrics = self.metrics
        x = rect.x + rect.width / 2
        count = str(state.survivors)
        fits = metrics.width(state.label, "label-bold") <= rect.width - 4
        if self.density == FULL:
            # Without a foot there is more room around the two lines.
            y = rect.y + (0.0 if state.pruned else 3.0)
            if fits:
                shapes.append(Text(x, y + 13, state.label, "label-bold", role))
            shapes.append(Text(x, y + 25, count, "number", role))
            return
        y = rect.y + 14
        label_width = metrics.width(state.label, "label")
        count_width = metrics.width(count, "small")
        if label_width + count_width + 10 <= rect.width:
            left = x - (label_width + count_width + 4) / 2
            shapes.append(Text(left, y, state.label, "label", role, "start"))
            shapes.append(Text(left + label_width + 4, y, count, "small", role, "start"))
        elif label_width <= rect.width - 4:
            shapes.append(Text(x, y, state.label, "label", role))

    def _foot(self, shapes: list[Shape], rect: Rect, state: _State) -> None:
        """A thin mark for every reason in its own fifth of the foot, longer the more edges were pruned for it."""
        part = (rect.width - 4) / len(PRUNING_CAUSES)
        height = FOOT[self.density]
        for place, cause in enumerate(PRUNING_CAUSES):
            count = state.pruned.get(cause, 0)
            if count:
                share = math.log1p(count) / math.log1p(max(self.most_pruned, 1))
                length = max(2.0, (part - 1) * share)
                x = rect.x + 2 + part * place
                shapes.append(Box(x, rect.bottom - height - 1, length, height, f"pruned.{cause}", layer=2))

    def _words_and_legend(self, top: float) -> Drawing:
        """Return the words below, and the legend."""
        sheet = Sheet(self.metrics)
        with sheet.pinned("bottom"):
            self._words(sheet)
        for start, end in self.base.units:
            if end - start == 1:
                x = self.columns.x(start)
                sheet.add(Stroke(x, CHART_BASE, x, CHART_BASE + 6, "hairline"))
        missing, under = self._missing(), TAG_DROP + LEGEND
        if missing:
            sheet.text(0, under + middle(self.metrics, "tag"), missing, "tag", "ink", "start")
            under += LEGEND_ROW
        sheet.begin_legend()
        self._legend(sheet, under)
        least = Rect(0, top, self.columns.width, 0)
        if self.base.folding is None:
            return sheet.draw("", "", self.columns, PICTURE_MARGIN, least)
        return self.base.folding.mark(sheet.draw("", "", None, PICTURE_MARGIN, least))

    def _words(self, sheet: Sheet) -> None:
        """The words on the ruler; those of a folded constituent together under a triangle."""
        facts, edges = self.facts, self.columns.edges
        self.folded_areas: list[Region] = []
        at = 0
        for first, last in self.base.folding.spans if self.base.folding is not None else ():
            inside = facts.words_in(first, last)
            if len(inside) < 2:
                continue
            start, end = inside[0], inside[-1] + 1
            words_row(sheet, facts, self.columns, 0, line=(at, first))
            identity = ChartCellId(start, end)
            left, right = edges[first], edges[last]
            text = folded_words(facts.tokens[first:last], self.metrics, right - left - 4)
            rect = sheet.text((left + right) / 2, 0, text, "word", "muted", id=identity)
            base = -self.metrics.ascent("word") - 1
            corners = ((left + 6, base), (right - 6, base), ((left + right) / 2, CHART_BASE + 2))
            sheet.add(Curve(corners[-1], corners, "line", 1.0, fill="surface", id=identity))
            label = f"{' '.join(facts.tokens[first:last])}\nfolded: a click opens it"
            self.folded_areas.append(Region(identity, rect.grown(3), label))
            at = last
        words_row(sheet, facts, self.columns, 0, line=(at, len(facts.tokens)))

    def _legend(self, sheet: Sheet, under: float) -> None:
        """What a cell says, in rows `under` the words."""
        metrics = self.metrics
        x, y = 0.0, under
        left, limit = x, legend_limit(self.columns, self.room)
        if self.base.folding is not None:
            # The overview stands beside it.
            limit = self.room.inner_width - self.base.folding.overview.width
        used = [cause for cause in PRUNING_CAUSES if any(cause in cell.pruned for cell in self.cells)]
        signs: list[tuple[str, str]] = [("many", f"1 … {size(self.most, 'item')}"), ("own", "in this parse")]
        signs += [(cause, f"pruned: {CAUSE_NAMES[cause]}") for cause in used]
        signs += [("folded", "folded: a click opens it")] if self.base.folding is not None else []
        for sign, text in signs:
            ahead = x + 32 + metrics.width(text, "tag")
            if x > left and ahead > limit:
                x, y = left, y + LEGEND_ROW
            self._sign(sheet, sign, x, y)
            x = sheet.text(x + 32, y + middle(metrics, "tag"), text, "tag", "muted", "start").right + 20

    @staticmethod
    def _sign(sheet: Sheet, sign: str, x: float, y: float) -> None:
        """A sign of the chart as the legend shows it: 24 px wide around `y`."""
        if sign == "many":
            for step in range(4):
                sheet.add(Box(x + 6 * step, y - 6, 6, 12, f"count:{(step + 1) / 4:.2f}"))
        elif sign == "folded":
            corners = ((x, y + 6), (x + 24, y + 6), (x + 12, y - 7))
            sheet.add(Curve((x + 12, y - 7), corners, "line", 1.0, fill="surface"))
        elif sign == "own":
            sheet.add(Box(x, y - 6, 24, 12, role="accent", weight=2.0, radius=2.0))
        else:
            sheet.add(Stroke(x, y + 3, x + 24, y + 3, "hairline"))
            sheet.add(Box(x + 24 * PRUNING_CAUSES.index(sign) / len(PRUNING_CAUSES), y - 2, 5, 4, f"pruned.{sign}"))

    def _label(self, cell: CellFacts) -> str:
        return "\n".join((*self._summary(cell), *self._pruned(cell).values()))

    def _summary(self, cell: CellFacts) -> tuple[str, str]:
        """Return the words of a cell, and the items over them."""
        span = self.facts.quoted(cell.start, cell.end)
        items = "no item"
        if cell.survivors:
            head = self.facts.words[cell.head]
            items = f"{size(cell.survivors, 'item')}, best {cell.label} ({head}) {log_text(cell.score)}"
        own = ", ".join(self._own(edge) for edge in self._edges(cell))
        return f"{cell.start + 1}–{cell.end}  {span}", f"in this parse: {own};  {items}" if own else items

    def _own(self, edge: Edge) -> str:
        """Return an item of the parse that is drawn."""
        item = self.trace.item(edge.item)
        return f"{edge_label(edge)} ({self.facts.words[edge.head]}) {log_text(item.score)}"

    @staticmethod
    def _pruned(cell: CellFacts) -> dict[str, str]:
        """Return how many edges of a cell were pruned, in words by reason."""
        return {cause: f"{count} pruned: {REASONS[cause]}" for cause, count in cell.pruned.items()}

    def lens(self, wanted: Subject) -> Drawing | None:
        """Return a cell that is too small to be read, large."""
        cell = self.by_id.get(wanted)
        if cell is None:
            return None
        sheet = Sheet(self.metrics)
        words, items = self._summary(cell)
        sheet.text(0, 0, words, "label-bold", "ink", "start")
        sheet.text(0, LENS_ROW, items, "tag", "muted", "start")
        for number, (cause, text) in enumerate(self._pruned(cell).items(), 2):
            sheet.add(Box(0, LENS_ROW * number - 8, 8, 8, f"pruned.{cause}"))
            sheet.text(14, LENS_ROW * number, text, "tag", "muted", "start")
        return sheet.draw("", "", None, margin=10)

    def _missing(self) -> str:
        return curly_quotes(missing_in_chart(self.facts.in_chart, self.facts.words))

    def _twin(self) -> str:
        lines = [size(len(self.trace), "edge"), *filter(None, [self._missing()])]
        for cell in sorted(self.facts.chart, key=lambda one: (one.end - one.start, one.start)):
            if cell.survivors:
                lines.append(self._label(cell).replace("\n", "; "))
        return "\n".join(lines)
