"""Sizes and columns of the scratch memory that estimates use."""

from __future__ import annotations

GAP_LEVELS = 8
"""Rows of counts behind a gap: E1, E2, E3, E4, the comma alone; with neighbours before, after, both (preset 5)."""

# Scratch of a unary estimate, by parent: η beside, around, inside and with the head-word; whether the parent was seen
# in any of these contexts; and P̂.
S_BESIDE, S_AROUND, S_INNER, S_WORD, S_SEEN, S_VALUE = range(6)
SEEN_COLUMNS = 6
