"""A derivation laid out as nodes: the columns of a node, and punctuation as kernels see it."""

from __future__ import annotations

# Columns of a node; the last is the step of the derivation that completes it.
(
    NODE_LABEL,
    NODE_START,
    NODE_END,
    NODE_HEAD,
    NODE_PARENT,
    NODE_FIRST,
    NODE_LAST,
    NODE_NEXT,
    NODE_HEAD_CHILD,
    NODE_KIND,
    NODE_STEP,
) = range(11)
NODE_COLUMNS = 11

# Punctuation between two words, one bit for each kind; the last bit is left out but at the sentence's end.
MARK_COMMA, MARK_COLON, MARK_QUOTE, MARK_STOP, MARK_QUESTION = 1, 2, 4, 8, 16
MARK_KINDS = 15
MARK_SIGNS = ',:".?'
