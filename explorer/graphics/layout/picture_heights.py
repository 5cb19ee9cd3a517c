"""Heights: how much room each picture takes from top to bottom, known before any of them is drawn.

All pictures of a sentence are shown at one scale, so that words keep their place from stage to stage: the tallest of
them decides whether a sentence is in sight as a whole.
"""

from __future__ import annotations

TAG_DROP = 20.0
"""From a word's base line to its tag's."""

TREE_LEVEL, LOW_TREE_LEVEL = 36.0, 32.0
"""Height of a level of the tree, and the same in deep trees."""
DEEP_TREE = 14
LEAST_TREE_LEVEL = 28.0
"""Height of a level at least: a label, and a branch below it that can be followed."""
WORD_DROP = 22.0
"""In the tree, from a tag's base line to its word's."""

FULL, BRIEF, COLOUR = "full", "brief", "colour"
"""Cells of the chart with label and number, with both on a line, and as colour alone."""
FULL_UP_TO, BRIEF_UP_TO = 14, 39
CHART_ROWS = {FULL: 36.0, BRIEF: 24.0, COLOUR: 12.0}
CHART_BASE = -28.0
"""y of the lower edge of the lowest row of cells, over the words."""

MATRIX_HEADER = 44.0
"""From the words' base line to the first row of the matrix."""
HIGH_MATRIX_ROW, LOW_MATRIX_ROW = 36.0, 24.0
NUMBERS_UP_TO = 24
"""Words of the reduced sentence up to which numbers stand in the matrix's cells."""

BAR_TOP, BAR_BOTTOM, CHIP = -116.0, -44.0, 18.0
"""y of the bars in the gaps over the words, and the side of the letters' squares over them."""

LEGEND = 40.0
"""A line of signs under a picture, with the space above it."""
LEGEND_ROW = 20.0
LEGEND_WIDTH = 684.0
"""A legend under a picture may be so wide, however short the sentence."""
_TYPE = 20.0
"""What type reaches over the first and under the last base line, with some air."""
_LABEL = 14.0
"""What a label reaches over its base line."""


def tree_level(levels: int) -> float:
    """Height of a level in a tree of so many."""
    return TREE_LEVEL if levels <= DEEP_TREE else LOW_TREE_LEVEL


def fitting_level(levels: int, height: float) -> float:
    """Height of a level in a tree of so many that is to be so high, down to the base line of its words.

    Not lower than can be read: what is too high even then is scrolled.
    """
    fitting = (height - _LABEL - WORD_DROP) / max(levels - 1, 1)
    return max(LEAST_TREE_LEVEL, min(tree_level(levels), fitting))


def chart_density(words: int) -> str:
    """How much the cells of a chart over so many words say."""
    return FULL if words <= FULL_UP_TO else BRIEF if words <= BRIEF_UP_TO else COLOUR


def fitting_density(words: int, height: float) -> str:
    """The same where the chart is to be in sight as a whole, as far as its cells can still be read."""
    density = chart_density(words)
    return BRIEF if density == FULL and chart_height(words) > height else density


def gaps_height() -> float:
    """Height of the bars in the gaps, with the words below them."""
    return -BAR_TOP + CHIP + 4 + TAG_DROP


def parse_height(tree_levels: int, arrows: float) -> float:
    """Height of the tree over the words with the arrows below them, which reach down so far."""
    return _TYPE + tree_level(tree_levels) * (tree_levels - 1) + WORD_DROP + _TYPE + arrows


def chart_height(words: int) -> float:
    """Height of the chart over so many words."""
    return CHART_ROWS[chart_density(words)] * words - CHART_BASE + TAG_DROP + _TYPE / 2


def matrix_height(reduced: int) -> float:
    """Height of the matrix under the words."""
    row = HIGH_MATRIX_ROW if reduced <= NUMBERS_UP_TO else LOW_MATRIX_ROW
    return _TYPE + MATRIX_HEADER + row * reduced + _TYPE
