"""Stage 6: the tree with its arrows, around one row of words or side by side."""

from __future__ import annotations

from engine.parse import Parse
from explorer.drawing import Drawing, Metrics
from explorer.layout.columns import WordColumns
from explorer.pictures.arrows import arrows_legend, arrows_twin, draw_arrows
from explorer.pictures.facts import facts_of
from explorer.pictures.options import BESIDE, ParseOptions
from explorer.pictures.sheet import TAG_DROP, Sheet, brackets, columns_of, words_row
from explorer.pictures.tree import draw_tree

BETWEEN = 64.0
"""Space between tree and arrows side by side."""
_DEFAULT = ParseOptions()


def parse_picture(
    parse: Parse, metrics: Metrics, options: ParseOptions = _DEFAULT, columns: WordColumns | None = None
) -> Drawing:
    """Tree and arrows together: ``stacked``, the tree above the words and the arrows below, or ``beside``."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    sheet = Sheet(metrics)
    twin = f"{facts.tree.pretty(80)}\n\n{arrows_twin(facts)}"
    draw_tree(sheet, facts, columns, options.tree)
    if options.arrangement == BESIDE:
        shift = columns.width + BETWEEN
        words_row(sheet, facts, columns, 0, tags=options.arrows.tags, shift=shift)
        draw_arrows(sheet, facts, columns, options.arrows, -metrics.ascent("word") - 5, -1.0, shift)
        sheet.begin_legend()
        arrows_legend(sheet, options.arrows, shift, (TAG_DROP if options.arrows.tags else 0.0) + 40)
        drawn = sheet.draw("Parse", twin, None)
        return drawn
    if options.tree.compact:
        # The words of a compact tree stand at many heights: the arrows have a row of their own.
        row = 72.0
        words_row(sheet, facts, columns, row, tags=False)
    else:
        row = 0.0
        brackets(sheet, facts, columns, row)
    lowest = draw_arrows(sheet, facts, columns, options.arrows, row + metrics.descent("word") + 5, 1.0)
    sheet.begin_legend()
    arrows_legend(sheet, options.arrows, 0.0, lowest + 16)
    return sheet.draw("Parse", twin, columns)
