"""Arrays of the baseNPs that grow word by word (:mod:`engine.chart.basenp_kernel`): names of their columns."""

from __future__ import annotations

# How a head rule of baseNPs searches.
SEARCH_LEFT, SEARCH_RIGHT, SEARCH_LAST, TAKE_LEFT, TAKE_RIGHT = range(5)

# Columns of a baseNP prefix: words that may be a baseNP or the beginning of one, each with its tag.
PREFIX_FIRST = 0
"""First and last reading, and the prefix without the last word (−1 for none)."""
PREFIX_LAST = 1
PREFIX_BEFORE = 2
PREFIX_RULE = 3
"""The first head rule that finds a head, and the head it finds (a reading), moved to the first conjunct."""
PREFIX_HEAD = 4
PREFIX_LAST_HEAD = 5
"""The head if the rules chose the last word, and, if the last word is a conjunction, if they chose the one before."""
PREFIX_HEAD_BEFORE = 6
PREFIX_KIND = 7
"""Number, within the cell, of the prefixes that no later word can tell from this one."""
PREFIX_COLUMNS = 8
# Columns of a kind of prefixes: its first and its last one, how many there are, and the worst of them.
KIND_FIRST, KIND_LAST, KIND_COUNT, KIND_WORST = range(4)
KIND_COLUMNS = 4
PREFIX_RANGE = 3
"""Columns of ``Chart.prefix_ranges``: the first prefix from a word on, the one after the last, the number of kinds."""
