"""The state of chart items: what Δ and the gap tags need to know of two constituents that are joined (section 2.3)."""

from __future__ import annotations

from engine.chart.chart_layout import (
    ADJACENT,
    COMMA_AFTER,
    COMMA_BEFORE,
    FIRST_WORD,
    HAS_LEFT,
    LAST_WORD,
    LEFT_SHIFT,
    RIGHT_SHIFT,
    SIDE,
    VERB,
)
from engine.compiled.kernel import kernel


@kernel(allocates=False, inlined=True)
def delta_answers(left_state: int, right_state: int) -> int:
    """What two constituents side by side tell of the Δ between their head-words (section 2.3).

    Which of them is the head makes no difference.
    """
    near_left = (left_state >> RIGHT_SHIFT) & SIDE
    near_right = (right_state >> LEFT_SHIFT) & SIDE
    answers = (left_state & COMMA_AFTER) >> 4 | (right_state & COMMA_BEFORE) >> 4
    if near_left == 0 and near_right == 0:
        answers |= ADJACENT
    elif near_left == 2 or near_right == 2:
        answers |= VERB
    return answers


@kernel(allocates=False, inlined=True)
def joined_state(head_state: int, modifier_state: int, head_first: bool, is_verb: int) -> int:
    """State of a constituent that takes a modifier; `is_verb`: whether the modifier's head-word is a verb."""
    near_head = (head_state >> (RIGHT_SHIFT if head_first else LEFT_SHIFT)) & SIDE
    # What lies between the head and the new edge of the constituent.
    far = 1
    if (
        near_head == 2
        or (modifier_state >> LEFT_SHIFT) & SIDE == 2
        or (modifier_state >> RIGHT_SHIFT) & SIDE == 2
        or is_verb
    ):
        far = 2
    if head_first:
        return (
            (head_state & (COMMA_BEFORE | COMMA_AFTER | FIRST_WORD | (SIDE << LEFT_SHIFT)))
            | (modifier_state & LAST_WORD)
            | (far << RIGHT_SHIFT)
        )
    return (
        (head_state & (COMMA_BEFORE | COMMA_AFTER | LAST_WORD | (SIDE << RIGHT_SHIFT)))
        | (modifier_state & FIRST_WORD)
        | (far << LEFT_SHIFT)
        | HAS_LEFT
    )
