"""Kinds of mistakes, after Kummerfeld, Hall, Curran and Klein (2012): a parse is turned into gold, repair by repair."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.compare.trees import Span
from engine.trees import Tree


class MistakeKind(StrEnum):
    """What a parser got wrong."""

    PP = "PP attachment"
    NP = "NP attachment"
    MODIFIER = "modifier attachment"
    CLAUSE = "clause attachment"
    COORDINATION = "co-ordination"
    ARGUMENTS = "verb's arguments"
    NP_INTERNAL = "NP internal"
    UNARY = "unary"
    LABEL = "different label"
    SINGLE_WORD = "single-word phrase"
    MISSING = "missing phrase"
    EXTRA = "extra phrase"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: brackets that are wrong for one reason.

    Attributes
    ----------
    kind
        What was got wrong.
    missing, extra
        The brackets that are missing from the parse, and those that it has in their place (tokens as unit).
    start, end
        The tokens that were attached wrongly, or that the brackets are over.
    words
        These tokens.
    description
        The mistake in one sentence.
    f1
        By how many points F1 of the sentence rises if this mistake alone is repaired.
    """

    kind: MistakeKind
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    start: int
    end: int
    words: str
    description: str
    f1: float


def mistakes(parse_tree: Tree, gold_tree: Tree) -> list[Mistake]:
    """The mistakes of a parse, those that cost most first.

    Every bracket in which the trees differ (as PARSEVAL counts) belongs to exactly one of them.
    """
    raise NotImplementedError
