"""The six pictures of a sentence, one for each stage.

Every function takes a :class:`engine.chart.parse.Parse`, the metrics of the type that will be used, options of its
own and the sentence's ruler, and returns a :class:`explorer.pictures.drawing.Drawing`::

    columns_of(parse, metrics) -> WordColumns      the ruler: make it once for a sentence, give it to all pictures
    sentence_picture(parse, metrics, SentenceOptions(), columns=None)
    gaps_picture(parse, metrics, GapsOptions(), columns=None)
    reduced_picture(parse, metrics, ReducedOptions(), columns=None)
    matrix_picture(parse, metrics, MatrixOptions(), columns=None)
    triangle_picture(parse, metrics, TriangleOptions(until=...), columns=None)      parse.chart must be there
    tree_picture(parse, metrics, TreeOptions(), columns=None)
    arrows_picture(parse, metrics, ArrowsOptions(), columns=None)
    parse_picture(parse, metrics, ParseOptions(), columns=None)
    comparison_picture(parse, other, metrics, ArrowsOptions(), columns=None)         two parses' arrows, marked
    marked(ParseOptions(), parse, other, absent=EXTRA) -> ParseOptions               marks for comparing
    message_picture("No sentence", "Type one above.", metrics)                       empty, busy and failed states

Metrics say how wide text is; ``explorer.kit.fonts.QtMetrics`` measures it as the screen shows it.  Numbers come
from the parse, its explainer and its chart; nothing is scored here.
"""

from engine.chart.parse import Parse
from explorer.pictures.arrows import arrows_picture, comparison_picture
from explorer.pictures.drawing import Metrics
from explorer.pictures.facts import look_up
from explorer.pictures.marks import EXTRA, MATCH, MISSING, arrow_marks, marked, tree_marks
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.options import (
    ArrowsOptions,
    GapsOptions,
    MatrixOptions,
    ParseOptions,
    ReducedOptions,
    SentenceOptions,
    TreeOptions,
    TriangleOptions,
)
from explorer.pictures.ruler import columns_of
from explorer.pictures.sentence import gaps_picture, reduced_picture, sentence_picture
from explorer.pictures.sheet import message_picture
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.pictures.triangle import prepare_triangle, triangle_picture


def prepare(parse: Parse, metrics: Metrics | None = None) -> None:
    """Look up what every picture of a parse will need, so that the pictures are quick; for another thread.

    Given the metrics that will be used, the cells of the chart's picture are made as well.
    """
    look_up(parse)
    if metrics is not None:
        prepare_triangle(parse, metrics)


__all__ = [
    "EXTRA",
    "MATCH",
    "MISSING",
    "ArrowsOptions",
    "GapsOptions",
    "MatrixOptions",
    "ParseOptions",
    "ReducedOptions",
    "SentenceOptions",
    "TreeOptions",
    "TriangleOptions",
    "arrow_marks",
    "arrows_picture",
    "columns_of",
    "comparison_picture",
    "gaps_picture",
    "marked",
    "matrix_picture",
    "message_picture",
    "parse_picture",
    "prepare",
    "reduced_picture",
    "sentence_picture",
    "tree_marks",
    "tree_picture",
    "triangle_picture",
]
