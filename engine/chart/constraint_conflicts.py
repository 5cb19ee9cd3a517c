"""Constraints that no parse can obey: which one it is, or which two rule each other out, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.structure.constraints import ROOT_HEAD, Attachment, Constraint, describe_constraint
from engine.structure.tagged_sentence import TaggedSentence


def why_impossible(
    sentence: TaggedSentence, constraints: Sequence[Constraint], possible: Callable[[Sequence[Constraint]], bool]
) -> str:
    """Why no parse obeys the constraints, in a clause.

    Parameters
    ----------
    sentence
        What is to be parsed.
    constraints
        What its parse was to obey.
    possible
        Whether there is a parse that obeys some of them.
    """
    if not possible(()):
        return "no parse meets the constraints: under these settings no tree spans the sentence at all"
    for constraint in constraints:
        if not possible((constraint,)):
            return f"no parse has {describe_constraint(constraint, sentence)}{_reason(sentence, constraint)}"
    for index, first in enumerate(constraints):
        for second in constraints[index + 1 :]:
            if not possible((first, second)):
                both = f"{describe_constraint(first, sentence)} and {describe_constraint(second, sentence)}"
                return f"no parse has both {both}, because each rules out the other"
    return "no parse meets the constraints: together they rule out every tree"


def _reason(sentence: TaggedSentence, constraint: Constraint) -> str:
    if not isinstance(constraint, Attachment) or constraint.forbid or constraint.head == ROOT_HEAD:
        return ", because every tree with it has probability 0"
    tags = sentence.proper_tags
    modifier, head = tags[constraint.modifier], tags[constraint.head]
    relation = f" as {constraint.relation}" if constraint.relation else ""
    return f", because in training no {modifier} modified {head}{relation} in a position that this sentence allows"
