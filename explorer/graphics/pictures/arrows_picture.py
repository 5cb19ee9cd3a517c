"""Stage 6, the arrows: modifier → head, labelled with their triples (the paper's Figure 1(c))."""

from __future__ import annotations

from dataclasses import replace

from engine.chart.parse import Parse
from explorer.graphics.drawing import Curve, Drawing, Grip, Metrics, Rect, Stroke
from explorer.graphics.layout.arc_layout import (
    Arc,
    PlacedArc,
    arc_line,
    arc_points,
    arrow_head,
    height_of,
    lay_arcs,
    reach,
    root_height,
)
from explorer.graphics.layout.picture_heights import TAG_DROP
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.number_text import log_text, probability_text
from explorer.graphics.pictures.comparison_marks import (
    EXTRA,
    LEAST_WEIGHT,
    MARK_DASHES,
    MISSING,
    arrow_marks,
    marks_legend,
)
from explorer.graphics.pictures.parse_facts import Facts, ScoredArrow, facts_of
from explorer.graphics.pictures.picture_options import BY_COLOUR, BY_WIDTH, ArrowsOptions
from explorer.graphics.pictures.sentence_ruler import columns_of
from explorer.graphics.pictures.sheet import Sheet, heat_legend, heat_level, middle, triple, words_row
from explorer.graphics.selection import ArrowId, RootId, WordId

DECADES = 4
"""F̂ of 10⁻⁴ and less is drawn as the thinnest line."""
LIGHTEST, HEAVIEST = 0.75, 2.5
_TARGETS = (WordId, RootId)
_DEFAULT = ArrowsOptions()


def arrows_picture(
    parse: Parse, metrics: Metrics, options: ArrowsOptions = _DEFAULT, columns: WordColumns | None = None
) -> Drawing:
    """The words with baseNPs in brackets, and an arc from every modifier to its head."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    sheet = Sheet(metrics)
    words_row(sheet, facts, columns, 0, tags=options.tags)
    draw_arrows(sheet, facts, columns, options, -metrics.ascent("word") - 5, -1.0)
    sheet.begin_legend()
    arrows_legend(sheet, options, 0.0, (TAG_DROP if options.tags else 0.0) + 40)
    return sheet.draw("Dependencies", arrows_twin(facts, options), columns)


def comparison_picture(
    parse: Parse,
    other: Parse,
    metrics: Metrics,
    options: ArrowsOptions = _DEFAULT,
    columns: WordColumns | None = None,
) -> Drawing:
    """The arrows of two parses of a sentence around one row of words.

    Those of `parse` are above, what `other` has not marked ``extra``; those of `other` below, what `parse` has not
    marked ``missing``.  Only those above can be pointed at: ids are of `parse`.
    """
    facts, against = facts_of(parse), facts_of(other)
    if facts.positions != against.positions:
        raise ValueError("the two parses differ in what is a word and what is punctuation")
    columns = columns or columns_of(parse, metrics, other)
    sheet = Sheet(metrics)
    words_row(sheet, facts, columns, 0, tags=options.tags)
    ours = replace(options, marks=arrow_marks(parse, other, EXTRA))
    theirs = replace(options, marks=arrow_marks(other, parse, MISSING), forced=frozenset())
    draw_arrows(sheet, facts, columns, ours, -metrics.ascent("word") - 5, -1.0)
    below = Sheet(metrics)
    base = (TAG_DROP if options.tags else 0.0) + metrics.descent("word") + 5
    lowest = draw_arrows(below, against, columns, theirs, base, 1.0)
    sheet.add(*(replace(shape, id=None) for shape in below.shapes))
    sheet.begin_legend()
    arrows_legend(sheet, replace(options, marks=ours.marks + theirs.marks), 0.0, lowest + 16)
    twin = f"This parse\n{arrows_twin(facts, ours)}\n\nThe other parse\n{arrows_twin(against, theirs)}"
    return sheet.draw("Dependencies of two parses", twin, columns)


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


def draw_arrows(
    sheet: Sheet,
    facts: Facts,
    columns: WordColumns,
    options: ArrowsOptions,
    base: float,
    sense: float,
    shift: float = 0.0,
) -> float:
    """Draw all arcs from the line `base`, upwards (`sense` −1) or downwards (1); the y of the outermost edge."""
    shown = [arrow for arrow in facts.arrows if options.until is None or arrow.modifier < options.until]
    arcs = [Arc(arrow.modifier, arrow.head) for arrow in shown]
    xs = [columns.x(position) + shift for position in range(len(facts.words))]
    rooms = [columns.right(position) - columns.left(position) for position in range(len(facts.words))]
    placed = lay_arcs(arcs, xs, rooms)
    # The head of the sentence is under no arc: its arrow need only pass those that end at it.
    beside = {
        arc.arc.modifier: max((one.level for one in placed if arc.arc.modifier in one.arc.ends), default=0)
        for arc in placed
        if arc.arc.head < 0
    }
    tops = {word: base + sense * root_height(level) for word, level in beside.items()}
    marks = dict(options.marks)
    # The widest arcs first: where lines come near each other the inner one lies on top.
    for arc, arrow in sorted(zip(placed, shown, strict=True), key=lambda pair: -pair[0].level):
        if arc.arc.head < 0:
            _root(sheet, facts, arrow, arc, options, base, tops[arrow.modifier], sense, marks.get(arrow.modifier, ""))
        else:
            _arrow(sheet, facts, arrow, arc, options, base, sense, marks.get(arrow.modifier, ""))
    return base + sense * reach(arcs, [arc.level for arc in placed])


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


def arrows_legend(sheet: Sheet, options: ArrowsOptions, x: float, y: float) -> float:
    """What the width or colour of arrows says; the x where it ends."""
    drop = middle(sheet.metrics, "tag")
    x = marks_legend(sheet, (mark for _, mark in options.marks), x, y)
    if options.estimate == BY_COLOUR:
        return heat_legend(sheet, x, y, DECADES, "F̂(R | modifier, head, Δ)")
    if options.estimate == BY_WIDTH:
        # Beside the legend of marks there is little room.
        hint = "as thick as F̂" if options.marks else "as thick as F̂(R | modifier, head, Δ)"
        x = sheet.text(x, y + drop, hint, "tag", "faint", "start").right + 12
        for value, text in ((1.0, "1"), (0.1, "0.1"), (0.01, "0.01"), (0.0, "≤ 10⁻⁴")):
            weight = LIGHTEST + (HEAVIEST - LIGHTEST) * heat_level(value, DECADES)
            sheet.add(Stroke(x, y, x + 24, y, "line", weight))
            x = sheet.text(x + 30, y + drop, text, "tag", "muted", "start").right + 16
    return x
