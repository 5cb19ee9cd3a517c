"""Stage 4: F̂ of every modifier with every head (sections 2.2 to 2.4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate

from engine.chart.parse import Parse
from engine.common.numbers import probability_text, short_probability_text
from engine.estimates.ledger import Candidate
from engine.explain.subjects import ArrowId, MatrixCellId, RootId, Subject, WordId
from explorer.pictures.drawing import BACK, Box, Drawing, Metrics, Rect, Row, Stroke, Text
from explorer.pictures.facts import Facts, ScoredArrow, facts_of
from explorer.pictures.layout import (
    HIGH_MATRIX_ROW,
    LOW_MATRIX_ROW,
    MATRIX_HEADER,
    NUMBERS_UP_TO,
    UNLIMITED,
    Room,
    WordColumns,
)
from explorer.pictures.options import MatrixOptions
from explorer.pictures.ruler import ROW_NAMES, ROWS_ARE, WIDEST_NAME, columns_of
from explorer.pictures.sheet import Sheet, elided, heat_legend, heat_level, middle, triple, words_row

MOST_DECADES, LEAST_DECADES = 6, 2
_WIDEST_COLUMN = 72.0
_DEFAULT = MatrixOptions()


def matrix_picture(
    parse: Parse,
    metrics: Metrics,
    options: MatrixOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return an m × m table, a row for each modifier, a column for each head,
    coloured by the best F̂ on a logarithmic scale.

    The columns stand under the words of the ruler; each reduced word has the columns of its baseNP.  Where the ruler
    does not fit into the room, columns are as wide as the room allows, with names that read upwards.  The heads of the
    parse are outlined.
    """
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    return _Matrix(facts, metrics, options, columns, room).draw()


class _Matrix:
    def __init__(
        self, facts: Facts, metrics: Metrics, options: MatrixOptions, columns: WordColumns, room: Room
    ) -> None:
        self.facts = facts
        self.options = options
        self.room = room
        self.narrow = not room.holds(columns)
        self.sheet = Sheet(metrics)
        widest = max((metrics.width(facts.words[one], "label-bold") for one in facts.reduced), default=0.0)
        self.names = min(widest, WIDEST_NAME)
        self.columns = self._narrow_columns() if self.narrow else columns
        self.numbers = self._has_numbers() if options.numbers is None else options.numbers
        self.row = HIGH_MATRIX_ROW if self.numbers and not self.narrow else LOW_MATRIX_ROW
        self.header = MATRIX_HEADER
        if self.narrow:
            # Tall enough for the longest name, which reads upwards.
            self.header = 8.0
        smallest = min((candidate.estimate for candidate in facts.best_candidates.values()), default=1.0)
        self.decades = max(LEAST_DECADES, min(MOST_DECADES, math.ceil(-math.log10(max(smallest, 1e-30)))))
        self.chosen = {arrow.modifier: arrow for arrow in facts.arrows}
        self.extents = {position: self._extent(position) for position in facts.reduced}
        self.writers = self._writers()

    def _narrow_columns(self) -> WordColumns:
        """Return a column for each reduced word, all alike, as wide as the room allows; other tokens have none."""
        reduced = self.facts.reduced
        least = math.ceil(self.sheet.metrics.ascent("label")) + 3
        beside = max(self.names, self.sheet.metrics.width(ROWS_ARE, "small")) + ROW_NAMES + 4
        width = (self.room.inner_width - beside) / max(len(reduced), 1)
        width = max(least, min(_WIDEST_COLUMN, math.floor(width)))
        own = {self.facts.positions[position] for position in reduced}
        edges = accumulate(width if token in own else 0.0 for token in range(len(self.facts.tokens)))
        return WordColumns((0.0, *edges), tuple(self.facts.positions))

    def _has_numbers(self) -> bool:
        """Return whether numbers stand in the cells."""
        if not self.narrow:
            return len(self.facts.reduced) <= NUMBERS_UP_TO
        width = self.columns.width / max(len(self.facts.reduced), 1)
        return width >= self.sheet.metrics.width("0.00", "number") + 6

    def _writers(self) -> dict[int, Callable[[float], str]]:
        """How the numbers of each column are written, all alike: in short where one of them has no room in full."""
        widest: dict[int, float] = {}
        for (_, head), best in self.facts.best_candidates.items():
            width = self.sheet.metrics.width(probability_text(best.estimate), "number")
            widest[head] = max(widest.get(head, 0.0), width)
        room = {head: right - left - 6 for head, (left, right) in self.extents.items()}
        return {
            head: probability_text if width <= room.get(head, 0.0) else short_probability_text
            for head, width in widest.items()
        }

    def _column_names(self) -> None:
        """The words over the columns: as a sentence, or where columns are narrow, reading upwards."""
        sheet, facts = self.sheet, self.facts
        if not self.narrow:
            words_row(sheet, facts, self.columns, 0, tags=True)
            return
        for position in facts.reduced:
            text = elided(facts.words[position], sheet.metrics, "label-bold", WIDEST_NAME)
            x = self.columns.x(position) + middle(sheet.metrics, "label")
            style = "label-bold" if position in facts.base_of else "label"
            name = Text(x, 0, text, style, "ink", "start", WordId(position), turned=True)
            sheet.add(name)
            label = f"head {facts.words[position]}/{facts.tags[position]}"
            sheet.region(WordId(position), sheet.text_rect(name).grown(2), label)

    def draw(self) -> Drawing:
        sheet, facts, columns = self.sheet, self.facts, self.columns
        with sheet.pinned("top"):
            self._column_names()
            if facts.reduced:
                sheet.text(-ROW_NAMES, -20 if self.narrow else 0, "head →", "small", "faint", "end")
                rows = -2.0 if self.narrow else self.header - 12
                sheet.text(-ROW_NAMES, rows, ROWS_ARE, "small", "faint", "end")
        bottom = self.header + self.row * len(facts.reduced)
        left = -ROW_NAMES - 4 - self.names
        marked: dict[Subject, Row] = {}
        for number, modifier in enumerate(facts.reduced):
            y = self.header + self.row * number
            base_line = y + self.row / 2 + middle(sheet.metrics, "label")
            with sheet.pinned("left"):
                text = elided(facts.words[modifier], sheet.metrics, "label-bold", WIDEST_NAME)
                name = sheet.text(-ROW_NAMES, base_line, text, "label", "ink", "end", WordId(modifier))
                written = sheet.shapes[-1]
            assert isinstance(written, Text)
            strip = Box(left, y, columns.width - left, self.row, fill="tint:accent", layer=BACK)
            marked[WordId(modifier)] = Row(strip, written, replace(written, style="label-bold", role="accent"))
            sheet.region(WordId(modifier), name.grown(2), f"modifier {facts.words[modifier]}/{facts.tags[modifier]}")
            for head in facts.reduced:
                self._cell(modifier, head, y)
        self._grid(bottom)
        sheet.begin_legend()
        x = heat_legend(sheet, 0.0, bottom + 32, self.decades, "best F̂(R | modifier, head, Δ)")
        sheet.add(Box(x, bottom + 25, 22, 14, role="accent", weight=2))
        drop = bottom + 32 + middle(sheet.metrics, "tag")
        x = sheet.text(x + 30, drop, "head in this parse", "tag", "muted", "start").right + 20
        sheet.add(Box(x, bottom + 25, 22, 14, role="hairline"))
        sheet.text(x + 30, drop, "never seen", "tag", "muted", "start")
        drawing = sheet.draw("F̂", self._twin, None if self.narrow else columns)
        return replace(drawing, rows=marked, lens=None if self.numbers else self._lens)

    def _lens(self, wanted: Subject) -> Drawing | None:
        """Return a cell without its number, in words."""
        match wanted:
            case MatrixCellId(modifier, head):
                sheet = Sheet(self.sheet.metrics)
                for number, line in enumerate(self._label(modifier, head).split(": ", 1)):
                    style, role = ("tag", "muted") if number else ("label-bold", "ink")
                    sheet.text(0, 18.0 * number, line, style, role, "start")
                return sheet.draw("", "", None, margin=10)
        return None

    def _extent(self, position: int) -> tuple[float, float]:
        """Left and right edge of a reduced word's column: those of its baseNP."""
        if self.narrow:
            return self.columns.left(position), self.columns.right(position)
        base = self.facts.base_of.get(position)
        first, end = (base.start, base.end) if base else (position, position + 1)
        return self.columns.borders[first], self.columns.borders[end]

    def _cell(self, modifier: int, head: int, y: float) -> None:
        sheet, facts = self.sheet, self.facts
        left, right = self.extents[head]
        rect = Rect(left, y, right - left, self.row)
        if modifier == head and self.chosen[modifier].head < 0:
            self._root(modifier, rect)
            return
        if modifier == head:
            sheet.add(Box(*rect, fill="surface", layer=BACK))
            word = facts.words[head]
            if sheet.metrics.width(word, "small") < rect.width - 4:
                centre = self.columns.x(head)
                sheet.text(centre, y + self.row / 2 + middle(sheet.metrics, "small"), word, "small", "faint")
            return
        identity = MatrixCellId(modifier, head)
        best = facts.best_candidates.get((modifier, head))
        sheet.region(identity, rect, partial(self._label, modifier, head))
        if best is not None:
            role = f"heat:{heat_level(best.estimate, self.decades):.2f}"
            sheet.add(Box(*rect, fill=role, layer=BACK))
            if self.numbers:
                self._write(rect, head, best.estimate, triple(best.relation), f"on:{role}")
        if self.chosen[modifier].head == head:
            self._outline(rect, identity)

    def _outline(self, rect: Rect, identity: Subject) -> None:
        """Mark a head of the parse; a thin line of the background keeps it apart from any colour of the scale."""
        inner, edge = rect.grown(-3), rect.grown(-1)
        self.sheet.add(Box(*inner, "", "background", 1.5, layer=2))
        self.sheet.add(Box(*edge, "", "accent", 2.5, id=identity, layer=2))

    def _label(self, modifier: int, head: int) -> str:
        """Return what a cell says, in words."""
        facts = self.facts
        pair = f"{facts.words[modifier]} → {facts.words[head]}"
        best = facts.best_candidates.get((modifier, head))
        if best is None:
            return f"{pair}: no relation was ever seen between such words at this distance"
        label = f"{pair}: best {best.relation}, {_candidate_text(best)}"
        arrow = self.chosen[modifier]
        if arrow.head == head:
            label += f"; in this parse {arrow.relation}, F̂ = {probability_text(arrow.estimate)}"
        return label

    def _write(self, rect: Rect, head: int, estimate: float, relation: str, role: str) -> None:
        """F̂ over its relation, in the middle of the head-word's column as far as they fit into the cell."""
        metrics = self.sheet.metrics
        text = self.writers[head](estimate)
        fits = rect.height >= HIGH_MATRIX_ROW and metrics.width(relation, "small") <= rect.width - 6
        x = _inside(self.columns.x(head), metrics.width(text, "number"), rect)
        top = rect.y + (14 if fits else rect.height / 2 + middle(metrics, "number"))
        self.sheet.text(x, top, text, "number", role)
        if fits:
            x = _inside(self.columns.x(head), metrics.width(relation, "small"), rect)
            self.sheet.text(x, rect.y + 28, relation, "small", role)

    def _root(self, modifier: int, rect: Rect) -> None:
        """The head of the sentence modifies no word: in its own column stands that it points to the root (h = 0)."""
        arrow = self.chosen[modifier]
        identity = ArrowId(modifier)
        sheet, metrics = self.sheet, self.sheet.metrics
        sheet.add(Box(*rect, fill="surface", layer=BACK))
        self._outline(rect, identity)
        label = arrow.relation.modifier
        both = rect.height >= HIGH_MATRIX_ROW and metrics.width(label, "small") <= rect.width - 6
        x = _inside(self.columns.x(modifier), metrics.width("root", "number"), rect)
        y = rect.y + (14 if both else rect.height / 2 + middle(metrics, "number"))
        if metrics.width("root", "number") <= rect.width - 4:
            sheet.text(x, y, "root", "number", "muted", id=RootId())
        if both:
            sheet.text(x, rect.y + 28, label, "small", "ink")
        sheet.region(identity, rect, _root_label(self.facts, arrow))

    def _grid(self, bottom: float) -> None:
        """Hairlines between rows and columns, in the colour of the paper."""
        reduced = self.facts.reduced
        if not reduced:
            return
        first, last = self.extents[reduced[0]][0], self.extents[reduced[-1]][1]
        for number in range(len(reduced) + 1):
            y = self.header + self.row * number
            self.sheet.add(Stroke(first, y, last, y, "hairline"))
        for x in (first, *(self.extents[head][1] for head in reduced)):
            self.sheet.add(Stroke(x, self.header, x, bottom, "hairline"))

    def _twin(self) -> str:
        facts = self.facts
        lines = []
        for modifier in facts.reduced:
            arrow = self.chosen[modifier]
            head = facts.words[arrow.head] if arrow.head >= 0 else "root"
            lines.append(f"{facts.words[modifier]} → {head} {arrow.relation}  F̂ = {probability_text(arrow.estimate)}")
            ranked = sorted(
                (candidate for (one, _), candidate in facts.best_candidates.items() if one == modifier),
                key=lambda candidate: -candidate.estimate,
            )
            for candidate in ranked[:5]:
                lines.append(f"    {facts.words[candidate.head]} {candidate.relation}  {_candidate_text(candidate)}")
        return "\n".join(lines)


def _root_label(facts: Facts, arrow: ScoredArrow) -> str:
    word, estimate = facts.words[arrow.modifier], probability_text(arrow.estimate)
    return f"{word} is the head of the sentence: {arrow.relation}, F̂ = {estimate}"


def _candidate_text(candidate: Candidate) -> str:
    return f"F̂ = {probability_text(candidate.estimate)}, eq. (8) {probability_text(candidate.probability)}"


def _inside(x: float, width: float, rect: Rect) -> float:
    """Return the middle nearest to `x` at which a text of this width stays within a cell."""
    return min(max(x, rect.x + width / 2 + 3), rect.right - width / 2 - 3)
