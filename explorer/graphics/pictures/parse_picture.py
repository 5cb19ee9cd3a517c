"""Stage 6: the tree with its arrows, around one row of words or side by side.

Where they do not fit, the tree is folded, and the arrows with their words are broken into lines.
"""

from __future__ import annotations

from dataclasses import replace

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.arc_layout import Arc, nesting_levels, reach
from explorer.graphics.layout.picture_heights import TAG_DROP
from explorer.graphics.layout.room import UNLIMITED, Room, margin_in
from explorer.graphics.layout.word_columns import PICTURE_MARGIN, WordColumns
from explorer.graphics.pictures.arrow_lines import Side, draw_arrows
from explorer.graphics.pictures.arrows_picture import arrows_legend, arrows_twin, wrapped_arrows
from explorer.graphics.pictures.comparison_marks import marks_legend
from explorer.graphics.pictures.found_marks import found_legend
from explorer.graphics.pictures.parse_facts import Facts, facts_of
from explorer.graphics.pictures.picture_options import BESIDE, ParseOptions
from explorer.graphics.pictures.sentence_ruler import columns_of, line_columns
from explorer.graphics.pictures.sheet import Sheet, brackets, words_row
from explorer.graphics.pictures.tree_picture import draw_folded_tree, draw_tree, folding_legend, tree_twin

TREE_TO_ARROWS = 64.0
"""Space between tree and arrows side by side, and one above the other."""
_DEFAULT = ParseOptions()


def parse_picture(
    parse: Parse,
    metrics: Metrics,
    options: ParseOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Tree and arrows together: ``stacked``, the tree above the words and the arrows below, or ``beside``."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    twin = f"{tree_twin(facts, options.tree)}\n\n{arrows_twin(facts, options.arrows)}"
    beside = options.arrangement == BESIDE
    part = replace(room, width=(room.width - TREE_TO_ARROWS) / 2) if beside else room
    # Where the names of rows that other stages have beside the words are too much, there is room for the words alone.
    frame = columns if part.holds(columns) else None
    if frame is None and columns.width > part.inner_width:
        own = line_columns(metrics, part.close_width, facts, tree=True, arrows=True)
        if own is None:
            return _long(parse, metrics, options, part, beside, twin)
        columns = own
    margin = margin_in(part, columns)
    row = 0.0
    if options.tree.compact and not beside:
        # The words of a compact tree stand at many heights: the arrows have a row of their own.
        row = 72.0
    sheet = Sheet(metrics)
    height = room.height - 2 * margin
    if not beside:
        arcs = [Arc(modifier, head) for modifier, head, _ in facts.attachments]
        height -= row + metrics.descent("word") + 5 + reach(arcs, nesting_levels(arcs))
    draw_tree(sheet, facts, columns, options.tree, height)
    arrows = Side(sheet, facts, options.arrows, -1.0 if beside else 1.0)
    if beside:
        shift = columns.width + TREE_TO_ARROWS
        words_row(sheet, facts, columns, 0, tags=options.arrows.tags, shift=shift)
        draw_arrows(arrows, columns, -metrics.ascent("word") - 5, shift)
        _legend(sheet, options, shift, (TAG_DROP if options.arrows.tags else 0.0) + 40)
        return sheet.draw("Parse", twin, None, margin)
    if options.tree.compact:
        words_row(sheet, facts, columns, row, tags=False)
    else:
        brackets(sheet, facts, columns, row)
    lowest = draw_arrows(arrows, columns, row + metrics.descent("word") + 5)
    _legend(sheet, options, 0.0, lowest + 16)
    return sheet.draw("Parse", twin, frame, margin)


def _long(parse: Parse, metrics: Metrics, options: ParseOptions, room: Room, beside: bool, twin: str) -> Drawing:
    """The folded tree, and the arrows in lines below it or beside it."""
    facts: Facts = facts_of(parse)
    sheet, lines = Sheet(metrics), Sheet(metrics)
    foot = wrapped_arrows([Side(lines, facts, options.arrows)], room)
    folded = draw_folded_tree(sheet, parse, options.tree, room, room.height - 2 * PICTURE_MARGIN)
    if beside:
        sheet.take(lines, folded.columns.width + TREE_TO_ARROWS, -foot)
        foot = 0.0
    else:
        sheet.take(lines, 0.0, TREE_TO_ARROWS)
        foot += TREE_TO_ARROWS
    _legend(sheet, options, 0.0, foot + 40, folded=True)
    return folded.mark(sheet.draw("Parse", twin, None))


def _legend(sheet: Sheet, options: ParseOptions, x: float, y: float, folded: bool = False) -> None:
    """What marks, triangles and the width of arrows say."""
    sheet.begin_legend()
    # One legend explains the marks of both.
    alone = () if options.arrows.marks else tuple(dict(options.tree.marks).values())
    x = marks_legend(sheet, alone, x, y, boxes=True)
    x = found_legend(sheet, options.tree.found, x, y)
    x = arrows_legend(sheet, options.arrows, x, y, brief=folded)
    if folded:
        folding_legend(sheet, x + 8, y)
