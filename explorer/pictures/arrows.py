"""Stage 6, the arrows: modifier → head, labelled with their triples, in one line or broken into several
(Figure 1(c)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.chart.parse import Parse
from engine.common.numbers import log_text, probability_text
from engine.explain.subjects import ArrowId, RootId, WordId
from explorer.pictures.drawing import Curve, Drawing, Grip, Metrics, Point, Rect, Segment, Stroke
from explorer.pictures.facts import Facts, ScoredArrow, facts_of
from explorer.pictures.layout import (
    PICTURE_MARGIN,
    TAG_DROP,
    UNLIMITED,
    Arc,
    Line,
    PlacedArc,
    Room,
    WordColumns,
    arc_line,
    arc_points,
    arrow_head,
    height_of,
    lay_arcs,
    margin_in,
    nesting_levels,
    reach,
    root_height,
)
from explorer.pictures.marks import EXTRA, LEAST_WEIGHT, MARK_DASHES, MISSING, arrow_marks, marks_legend
from explorer.pictures.options import BY_COLOUR, BY_WIDTH, ArrowsOptions
from explorer.pictures.ruler import arrow_columns, columns_of, line_columns
from explorer.pictures.sheet import (
    LINE_GAP,
    Sheet,
    elided,
    heat_legend,
    heat_level,
    lines_of,
    middle,
    narrowed,
    pill_width,
    triple,
    words_row,
)

# Dependency arrows over or under a row of words, in one line or broken into several like slurs in music.
#
# An arrow whose ends stand on different lines is drawn in two pieces.  Each runs to the edge of its line, where the
# word at the other end is named.

DECADES = 4
"""F̂ of 10⁻⁴ and less is drawn as the thinnest line."""
LIGHTEST, HEAVIEST = 0.75, 2.5
EDGE = 132.0
"""Room beside a line for the names of words on other lines."""
_BEYOND = 8.0
"""How far an arrow that goes on runs beyond the words of its line."""
_TARGETS = (WordId, RootId)


@dataclass(frozen=True, slots=True)
class Side:
    """The arrows of one parse above (`sense` −1) or below (1) the words, and the sheet that they are put on."""

    sheet: Sheet
    facts: Facts
    options: ArrowsOptions
    sense: float = -1.0

    @property
    def shown(self) -> list[ScoredArrow]:
        """The arrows that are drawn."""
        until = self.options.until
        return [arrow for arrow in self.facts.arrows if until is None or arrow.modifier < until]


@dataclass(frozen=True, slots=True)
class _Row:
    """Arrows of a line, and where the words at their ends stand; ends on other lines stand beyond its edges."""

    arrows: list[ScoredArrow]
    arcs: list[Arc]
    xs: list[float]
    rooms: list[float]
    names: dict[int, str]
    """By the number of an end beyond the edges, the word that it stands for."""

    @property
    def height(self) -> float:
        """How far the arrows reach."""
        return reach(self.arcs, nesting_levels(self.arcs)) if self.arcs else 0.0


def draw_wrapped_arrows(sides: Sequence[Side], columns: WordColumns, lines: Sequence[Line], tags: bool) -> float:
    """Draw words and arrows in lines from y = 0 downwards; the y where the last one ends."""
    sheet, facts = sides[0].sheet, sides[0].facts
    metrics = sheet.metrics
    y = 0.0
    for line in lines:
        rows = {side.sense: _row(side, narrowed(columns, line), line) for side in sides}
        above, below = rows.get(-1.0), rows.get(1.0)
        if above is not None:
            y += above.height + metrics.ascent("word") + 5
        words_row(sheet, facts, narrowed(columns, line), y, tags=tags, shift=EDGE, line=line)
        foot = y + (TAG_DROP if tags else 0.0) + metrics.descent("word") + 5
        for side in sides:
            base = y - metrics.ascent("word") - 5 if side.sense < 0 else foot
            _draw_row(side, rows[side.sense], base)
        y = foot + (below.height if below is not None else 0.0) + LINE_GAP
    return y - LINE_GAP


def _row(side: Side, columns: WordColumns, line: Line) -> _Row:
    """Return the arrows that have an end on a line."""
    facts = side.facts
    here = [position for position, token in enumerate(facts.positions) if line[0] <= token < line[1]]
    own = set(here)
    arrows = [arrow for arrow in side.shown if arrow.modifier in own or arrow.head in own]
    others = {end for arrow in arrows for end in (arrow.modifier, arrow.head) if end >= 0} - own
    first = here[0] if here else 0
    before, after = sorted(end for end in others if end < first), sorted(end for end in others if end > first)
    places = {position: place for place, position in enumerate((*before, *here, *after))}
    width = columns.width
    xs = [-_BEYOND] * len(before) + [columns.x(position) for position in here] + [width + _BEYOND] * len(after)
    own_rooms = [columns.right(position) - columns.left(position) for position in here]
    # Beyond the edge arrows end one above another: they need no room side by side.
    rooms = [8.0] * len(before) + own_rooms + [8.0] * len(after)
    arcs = [Arc(places[arrow.modifier], places[arrow.head] if arrow.head >= 0 else -1) for arrow in arrows]
    names = {places[end]: facts.words[end] for end in others}
    return _Row(arrows, arcs, [x + EDGE for x in xs], rooms, names)


def draw_arrows(side: Side, columns: WordColumns, base: float, shift: float = 0.0) -> float:
    """Draw all arrows in one line, whose words end at `base`; the y of the outermost edge."""
    positions = range(len(side.facts.words))
    xs = [columns.x(position) + shift for position in positions]
    rooms = [columns.right(position) - columns.left(position) for position in positions]
    shown = side.shown
    return _draw_row(side, _Row(shown, [Arc(arrow.modifier, arrow.head) for arrow in shown], xs, rooms, {}), base)


def _draw_row(side: Side, row: _Row, base: float) -> float:
    """Draw the arrows of a line; the y of the outermost edge."""
    sheet, facts, options, sense = side.sheet, side.facts, side.options, side.sense
    placed = lay_arcs(row.arcs, row.xs, row.rooms)
    # The head of the sentence is under no arc: its arrow need only pass those that end at it.
    beside = {
        arc.arc.modifier: max((one.level for one in placed if arc.arc.modifier in one.arc.ends), default=0)
        for arc in placed
        if arc.arc.head < 0
    }
    tops = {word: base + sense * root_height(level) for word, level in beside.items()}
    marks = dict(options.marks)
    # The widest arcs first: where lines come near each other the inner one lies on top.
    for arc, arrow in sorted(zip(placed, row.arrows, strict=True), key=lambda pair: -pair[0].level):
        mark = marks.get(arrow.modifier, "")
        if arc.arc.head < 0:
            _root(sheet, facts, arrow, arc, options, base, tops[arc.arc.modifier], sense, mark)
        elif arc.arc.modifier in row.names or arc.arc.head in row.names:
            _piece(side, arrow, arc, base, mark, row.names)
        else:
            _arrow(sheet, facts, arrow, arc, options, base, sense, mark)
    return base + sense * reach(row.arcs, [arc.level for arc in placed])


def _piece(side: Side, arrow: ScoredArrow, arc: PlacedArc, base: float, mark: str, names: dict[int, str]) -> None:
    """The part of an arrow on this line, and at the edge the name of the word on another line at its other end."""
    sheet, options, sense = side.sheet, side.options, side.sense
    identity = ArrowId(arrow.modifier)
    role, weight, dash = _looks(arrow, options, mark)
    size = 2.5 + weight / 2
    y = base + sense * height_of(arc.level)
    start, (up, out, along, back, _) = arc_line(arc, base, sense)
    goes_on = arc.arc.head in names
    here, edge = (arc.start, arc.end) if goes_on else (arc.end, arc.start)
    segments: tuple[Segment, ...]
    if goes_on:
        segments = (up, out, (edge, y))
        sheet.grips[identity] = Grip((arc.start, base), _TARGETS, WordId(arrow.modifier))
    else:
        # The line ends where its head begins, or a thick one would blunt the tip.
        start, segments = (edge, y), (along, back, (here, base + sense * size * 1.5))
        sheet.add(arrow_head(here, base, -sense, role, identity, size))
    sheet.add(Curve(start, segments, role, weight, dash, id=identity))
    points: tuple[Point, ...] = ((here, base), (here, y), (edge, y))
    bounds = Rect(min(here, edge), min(base, y), abs(edge - here), abs(y - base))
    label = _label(side.facts, arrow, mark)
    sheet.region(identity, bounds, label, points, mark=mark)
    way = 1.0 if edge > here else -1.0
    limit = edge
    if options.labels:
        width = pill_width(triple(arrow.relation), sheet.metrics)
        # In the middle of the line, or where that is too short, from the word outwards.
        x = (here + edge) / 2 if abs(edge - here) >= width + 20 else here + way * (10 + width / 2)
        sheet.region(identity, _pill(sheet, arrow, options, x, y, role, dash), label, mark=mark)
        limit = max(edge, x + width / 2) if way > 0 else min(edge, x - width / 2)
    room = EDGE - _BEYOND - abs(limit - edge) - 8
    name = names[arc.arc.head if goes_on else arc.arc.modifier]
    word = elided(name, sheet.metrics, "small", room - sheet.metrics.width("→ ", "small"))
    arrow_sign = "→" if goes_on == (way > 0) else "←"
    text = f"{arrow_sign} {word}" if way > 0 else f"{word} {arrow_sign}"
    anchor = "start" if way > 0 else "end"
    drop = sheet.metrics.ascent("small") * 0.36
    rect = sheet.text(limit + way * 5, y + drop, text, "small", "muted", anchor, identity)
    sheet.region(identity, rect, label, mark=mark)


def _looks(arrow: ScoredArrow, options: ArrowsOptions, mark: str) -> tuple[str, float, str]:
    """Role, weight and dash of an arrow's line."""
    weight = 1.25
    if options.estimate == BY_WIDTH:
        weight = LIGHTEST + (HEAVIEST - LIGHTEST) * heat_level(arrow.estimate, DECADES)
    if mark:
        return mark, max(weight, LEAST_WEIGHT), MARK_DASHES[mark]
    return "accent" if arrow.modifier in options.forced else "line", weight, "solid"


def _label(facts: Facts, arrow: ScoredArrow, mark: str) -> str:
    head = facts.words[arrow.head] if arrow.head >= 0 else "root"
    numbers = f"F̂ = {probability_text(arrow.estimate)}, log F̂ = {log_text(arrow.log)}"
    return f"{facts.words[arrow.modifier]} → {head}  {arrow.relation}  {numbers}" + (f"  ({mark})" if mark else "")


def _arrow(
    sheet: Sheet,
    facts: Facts,
    arrow: ScoredArrow,
    arc: PlacedArc,
    options: ArrowsOptions,
    base: float,
    sense: float,
    mark: str,
) -> None:
    identity = ArrowId(arrow.modifier)
    role, weight, dash = _looks(arrow, options, mark)
    size = 2.5 + weight / 2
    start, segments = arc_line(arc, base, sense)
    # The line ends where its head begins, or a thick one would blunt the tip.
    *rest, (x, y) = segments
    sheet.add(
        Curve(start, (*rest, (x, y + sense * size * 1.5)), role, weight, dash, id=identity),
        arrow_head(arc.end, base, -sense, role, identity, size),
    )
    points = arc_points(arc, base, sense)
    top = base + sense * height_of(arc.level)
    bounds = Rect(min(arc.start, arc.end), min(base, top), abs(arc.end - arc.start), abs(top - base))
    label = _label(facts, arrow, mark)
    sheet.region(identity, bounds, label, points, mark=mark)
    if options.labels:
        pill = _pill(sheet, arrow, options, arc.middle, top, role, dash)
        sheet.region(identity, pill, label, mark=mark)
    sheet.grips[identity] = Grip((arc.start, base), _TARGETS, WordId(arrow.modifier))


def _pill(sheet: Sheet, arrow: ScoredArrow, options: ArrowsOptions, x: float, y: float, role: str, dash: str) -> Rect:
    identity = ArrowId(arrow.modifier)
    if options.estimate == BY_COLOUR:
        fill = f"heat:{heat_level(arrow.estimate, DECADES):.3f}"
        return sheet.pill(x, y, triple(arrow.relation), f"on:{fill}", role, identity, fill, dash=dash)
    edge = "hairline" if role == "line" else role
    return sheet.pill(x, y, triple(arrow.relation), "ink", edge, identity, dash=dash)


def _root(
    sheet: Sheet, facts: Facts, arrow: ScoredArrow, arc: PlacedArc, options: ArrowsOptions, base: float, top: float,
    sense: float, mark: str,
) -> None:  # fmt: skip
    """The arrow of the sentence's head: straight out to the root, h = 0."""
    identity = ArrowId(arrow.modifier)
    role, weight, dash = _looks(arrow, options, mark)
    x = arc.start
    size = 2.5 + weight / 2
    sheet.add(
        Stroke(x, base, x, top - sense * size * 1.5, role, weight, dash, id=identity),
        arrow_head(x, top, sense, role, identity, size),
    )
    word = sheet.text(x, top + (-6 if sense < 0 else 15), "root", "tag", "faint", id=RootId())
    sheet.region(RootId(), word.grown(4), "the root: the head of the sentence points here")
    label = _label(facts, arrow, mark)
    sheet.region(identity, Rect(x, min(base, top), 0, abs(top - base)), label, ((x, base), (x, top)), mark=mark)
    if options.labels:
        pill = _pill(sheet, arrow, options, x, top - sense * 22, role, dash)
        sheet.region(identity, pill, label, mark=mark)
    sheet.grips[identity] = Grip((x, base), _TARGETS, WordId(arrow.modifier))


# Stage 6, the arrows: modifier → head, labelled with their triples (the paper's Figure 1(c)).

_LEAST_LINE = 160.0
"""Words of a line are at least so wide, however little room there is."""
_DEFAULT = ArrowsOptions()


def arrows_picture(
    parse: Parse,
    metrics: Metrics,
    options: ArrowsOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return the words with baseNPs in brackets, and an arc from every modifier to its head."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    frame, columns = _in_line(metrics, columns, room, facts)
    sheet = Sheet(metrics)
    if columns is None:
        foot = wrapped_arrows([Side(sheet, facts, options)], room)
    else:
        words_row(sheet, facts, columns, 0, tags=options.tags)
        draw_arrows(Side(sheet, facts, options), columns, -metrics.ascent("word") - 5)
        foot = TAG_DROP if options.tags else 0.0
    sheet.begin_legend()
    arrows_legend(sheet, options, 0.0, foot + 40)
    margin = margin_in(room, columns) if columns is not None else PICTURE_MARGIN
    return sheet.draw("Dependencies", arrows_twin(facts, options), frame, margin)


def _in_line(
    metrics: Metrics, columns: WordColumns, room: Room, *several: Facts
) -> tuple[WordColumns | None, WordColumns | None]:
    """Return the common ruler and the columns, if they fit in one line; else columns of arrows alone, if these do."""
    if room.holds(columns):
        return columns, columns
    return None, line_columns(metrics, room.close_width, *several, arrows=True)


def wrapped_arrows(sides: Sequence[Side], room: Room) -> float:
    """Draw words and arrows of one or two parses of a sentence in lines; the y where the last one ends."""
    facts = sides[0].facts
    columns = arrow_columns(sides[0].sheet.metrics, *(side.facts for side in sides))
    lines = lines_of(facts, columns, max(room.inner_width - 2 * EDGE, _LEAST_LINE))
    return draw_wrapped_arrows(sides, columns, lines, sides[0].options.tags)


def comparison_picture(
    parse: Parse,
    other: Parse,
    metrics: Metrics,
    options: ArrowsOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return the arrows of two parses of a sentence around one row of words.

    Those of `parse` are above, what `other` has not marked ``extra``; those of `other` below, what `parse` has not
    marked ``missing``.  Only those above can be pointed at: ids are of `parse`.
    """
    facts, against = facts_of(parse), facts_of(other)
    if facts.positions != against.positions:
        raise ValueError("the two parses differ in what is a word and what is punctuation")
    columns = columns or columns_of(parse, metrics, other)
    sheet = Sheet(metrics)
    ours = replace(options, marks=arrow_marks(parse, other, EXTRA))
    theirs = replace(options, marks=arrow_marks(other, parse, MISSING), forced=frozenset())
    below = Sheet(metrics)
    sides = Side(sheet, facts, ours), Side(below, against, theirs, 1.0)
    frame, columns = _in_line(metrics, columns, room, facts, against)
    if columns is None:
        lowest = wrapped_arrows(sides, room)
    else:
        words_row(sheet, facts, columns, 0, tags=options.tags)
        draw_arrows(sides[0], columns, -metrics.ascent("word") - 5)
        base = (TAG_DROP if options.tags else 0.0) + metrics.descent("word") + 5
        lowest = draw_arrows(sides[1], columns, base)
    sheet.add(*(replace(shape, id=None) for shape in below.shapes))
    sheet.begin_legend()
    arrows_legend(sheet, replace(options, marks=ours.marks + theirs.marks), 0.0, lowest + 28)
    twin = f"This parse\n{arrows_twin(facts, ours)}\n\nThe other parse\n{arrows_twin(against, theirs)}"
    margin = margin_in(room, columns) if columns is not None else PICTURE_MARGIN
    return sheet.draw("Dependencies of two parses", twin, frame, margin)


def arrows_twin(facts: Facts, options: ArrowsOptions = _DEFAULT) -> str:
    """D as text."""
    marks = dict(options.marks)
    lines = [f"log P = {log_text(facts.log_probability)}"]
    for arrow in facts.arrows:
        head = facts.words[arrow.head] if arrow.head >= 0 else "root"
        mark = marks.get(arrow.modifier, "")
        lines.append(
            f"{facts.words[arrow.modifier]} → {head}  {arrow.relation}  F̂ = {probability_text(arrow.estimate)}"
            + (f"  {mark}" if mark else "")
        )
    return "\n".join(lines)


def arrows_legend(sheet: Sheet, options: ArrowsOptions, x: float, y: float, brief: bool = False) -> float:
    """Return what the width or colour of arrows says, if need be in `brief`; the x where it ends."""
    drop = middle(sheet.metrics, "tag")
    x = marks_legend(sheet, (mark for _, mark in options.marks), x, y)
    if options.estimate == BY_COLOUR:
        return heat_legend(sheet, x, y, DECADES, "F̂(R | modifier, head, Δ)")
    if options.estimate == BY_WIDTH:
        # Beside the legend of marks there is little room.
        hint = "as thick as F̂" if options.marks or brief else "as thick as F̂(R | modifier, head, Δ)"
        x = sheet.text(x, y + drop, hint, "tag", "faint", "start").right + 12
        for value, text in ((1.0, "1"), (0.1, "0.1"), (0.01, "0.01"), (0.0, "≤ 10⁻⁴")):
            weight = LIGHTEST + (HEAVIEST - LIGHTEST) * heat_level(value, DECADES)
            sheet.add(Stroke(x, y, x + 24, y, "line", weight))
            x = sheet.text(x + 30, y + drop, text, "tag", "muted", "start").right + 16
    return x
