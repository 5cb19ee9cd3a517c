"""Stage 6, the arrows: modifier → head, labelled with their triples (the paper's Figure 1(c))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing, Metrics, Stroke
from explorer.graphics.layout.picture_heights import TAG_DROP
from explorer.graphics.layout.room import UNLIMITED, Room, margin_in
from explorer.graphics.layout.word_columns import PICTURE_MARGIN, WordColumns
from explorer.graphics.number_text import log_text, probability_text
from explorer.graphics.pictures.arrow_lines import (
    DECADES,
    EDGE,
    HEAVIEST,
    LIGHTEST,
    Side,
    draw_arrows,
    draw_wrapped_arrows,
)
from explorer.graphics.pictures.comparison_marks import EXTRA, MISSING, arrow_marks, marks_legend
from explorer.graphics.pictures.parse_facts import Facts, facts_of
from explorer.graphics.pictures.picture_options import BY_COLOUR, BY_WIDTH, ArrowsOptions
from explorer.graphics.pictures.sentence_ruler import arrow_columns, columns_of, line_columns
from explorer.graphics.pictures.sheet import Sheet, heat_legend, heat_level, middle, words_row
from explorer.graphics.pictures.wrapped_sheet import lines_of

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
    """The words with baseNPs in brackets, and an arc from every modifier to its head."""
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
    """The common ruler and the columns, if they fit in one line; else columns of arrows alone, if these do."""
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
    """The arrows of two parses of a sentence around one row of words.

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
    """What the width or colour of arrows says, if need be in `brief`; the x where it ends."""
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
