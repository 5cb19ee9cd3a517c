"""Stage 6: the tree with its arrows, around one row of words or side by side."""

from __future__ import annotations

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.picture_heights import TAG_DROP
from explorer.graphics.layout.word_columns import WordColumns
from explorer.graphics.pictures.arrows_picture import arrows_legend, arrows_twin, draw_arrows
from explorer.graphics.pictures.comparison_marks import marks_legend
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.pictures.picture_options import BESIDE, ParseOptions
from explorer.graphics.pictures.sentence_ruler import columns_of
from explorer.graphics.pictures.sheet import Sheet, brackets, words_row
from explorer.graphics.pictures.tree_picture import draw_tree, tree_twin

TREE_TO_ARROWS = 64.0
"""Space between tree and arrows side by side."""
_DEFAULT = ParseOptions()


def parse_picture(
    parse: Parse, metrics: Metrics, options: ParseOptions = _DEFAULT, columns: WordColumns | None = None
) -> Drawing:
    """Tree and arrows together: ``stacked``, the tree above the words and the arrows below, or ``beside``."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    sheet = Sheet(metrics)
    twin = f"{tree_twin(facts, options.tree)}\n\n{arrows_twin(facts, options.arrows)}"
    # One legend explains the marks of both.
    alone = () if options.arrows.marks else tuple(dict(options.tree.marks).values())
    draw_tree(sheet, facts, columns, options.tree)
    if options.arrangement == BESIDE:
        shift = columns.width + TREE_TO_ARROWS
        words_row(sheet, facts, columns, 0, tags=options.arrows.tags, shift=shift)
        draw_arrows(sheet, facts, columns, options.arrows, -metrics.ascent("word") - 5, -1.0, shift)
        sheet.begin_legend()
        foot = (TAG_DROP if options.arrows.tags else 0.0) + 40
        arrows_legend(sheet, options.arrows, marks_legend(sheet, alone, shift, foot, boxes=True), foot)
        return sheet.draw("Parse", twin, None)
    if options.tree.compact:
        # The words of a compact tree stand at many heights: the arrows have a row of their own.
        row = 72.0
        words_row(sheet, facts, columns, row, tags=False)
    else:
        row = 0.0
        brackets(sheet, facts, columns, row)
    lowest = draw_arrows(sheet, facts, columns, options.arrows, row + metrics.descent("word") + 5, 1.0)
    sheet.begin_legend()
    arrows_legend(sheet, options.arrows, marks_legend(sheet, alone, 0.0, lowest + 16, boxes=True), lowest + 16)
    return sheet.draw("Parse", twin, columns)
