"""Search errors: which constituent of a tree the chart lost, where, by which rule, and what would have kept it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.constituents import Constituent
from engine.parse import Parse
from engine.parser import Parser
from engine.search import Control
from engine.sentence import TaggedSentence
from engine.tagging import TagDistribution


@dataclass(frozen=True, slots=True)
class Loss:
    """A constituent of a tree, finished or half built, that the chart did not keep.

    Attributes
    ----------
    start, end, label, head
        Its cell in the chart (words counted from 0 without punctuation), its label and head-word.
    step
        How it would have been built: one of :data:`engine.trace.KINDS`.
    fate
        One of :data:`engine.trace.FATES`, or ``never proposed``.
    margin
        By how many nats it fell.
    score, best
        Its log probability, and that of the best constituent in the cell.
    proposal
        Its number in the traced chart; −1 if it was never proposed.
    text
        The same in words.
    """

    start: int
    end: int
    label: str
    head: int
    step: str
    fate: str
    margin: float
    score: float
    best: float
    proposal: int
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """The smallest change of the search after which the parser finds the gold tree or one at least as good.

    Attributes
    ----------
    beam
        The smallest β, rounded up to three digits; ``None`` if β is not the matter, or no β up to 10⁹ does.
    rerank
        The shortest list to re-rank; ``None`` if that is not the matter, or 100 are not enough.
    score
        The score of what is then found.
    finds_gold
        Whether that is the gold tree itself.
    """

    beam: float | None
    rerank: int | None
    score: float
    finds_gold: bool


def losses(
    parser: Parser, sentence: TaggedSentence | TagDistribution, parse: Parse, root: Constituent
) -> tuple[Loss, ...]:
    """What of a tree's derivation fell out of the chart, from the bottom up.

    Parameters
    ----------
    parser, sentence
        As the parse was made.
    parse
        A traced parse (``trace=True``).
    root
        The tree, possible under the model (``parser.score(tree).root``).
    """
    raise NotImplementedError


def smallest_beam(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution,
    score: float,
    root: Constituent,
    control: Control | None = None,
) -> Repair:
    """The smallest β above the parser's own with which it finds a parse of at least this log probability."""
    raise NotImplementedError
