"""Columns of the scratch memory that estimates use."""

from __future__ import annotations

# Scratch of a unary estimate, by parent: η beside, around, inside and with the head-word; whether the parent was seen
# in any of these contexts; and P̂.
S_BESIDE, S_AROUND, S_INNER, S_WORD, S_SEEN, S_VALUE = range(6)
SEEN_COLUMNS = 6
