"""What every other attachment would cost: for each word each head and relation, exactly, from one chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.dependencies import Relation
from engine.parse import Parse
from engine.parser import Parser
from engine.search import Control
from engine.sentence import TaggedSentence
from engine.tagging import TagDistribution

MOST_NATS = 12.0
"""Attachments that cost more than this are not listed."""


@dataclass(frozen=True, slots=True)
class AttachmentPrice:
    """The best parse in which a word has another head or relation.

    Attributes
    ----------
    modifier, head, relation
        The arrow, words counted from 0 without punctuation; head −1 is the root.
    cost
        Nats that the best parse with this arrow loses against the parse; below zero the beam had lost a better parse.
    log_probability
        Of the best parse with this arrow.
    moved
        The other words whose arrow is another one in that parse.
    """

    modifier: int
    head: int
    relation: Relation
    cost: float
    log_probability: float
    moved: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WordPrices:
    """All attachments of one word, the cheapest first.

    Attributes
    ----------
    modifier
        The word.
    prices
        Every head and relation that costs no more than `most`, the parse's own (cost 0) among them.
    most
        Every attachment that is not listed costs more than this.
    """

    modifier: int
    prices: tuple[AttachmentPrice, ...]
    most: float


def attachment_prices(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution,
    parse: Parse,
    *,
    most: float = MOST_NATS,
    control: Control | None = None,
) -> Iterator[WordPrices]:
    """The price of every attachment of every word of the reduced sentence, word by word.

    The prices are in log probability, without a re-ranker, and exact: no beam takes part in them.

    Parameters
    ----------
    parser, sentence, parse
        The parser, what was parsed, and its best parse.
    most
        Attachments that cost more nats are not listed.
    control
        Stops the work from another thread (:class:`engine.errors.Cancelled`).
    """
    raise NotImplementedError
