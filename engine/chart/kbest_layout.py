"""The arrays of a search for the k best derivations."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array

# Columns of a derivation or candidate: its edge, ranks on the left and right, next candidate of the item.
EDGE, LEFT_RANK, RIGHT_RANK, NEXT = range(4)
POOL_FULL = -1
# Lists of an item's candidates: scored ones, and those whose sides are not known yet.
READY, PENDING = range(2)


class Hypergraph(NamedTuple):
    """A filled chart as a hypergraph: its recorded edges and their factors, and the scores of its items."""

    edges: Int32Array
    factors: FloatArray
    item_scores: FloatArray


class Ranking(NamedTuple):
    """What is known so far of the k best derivations.

    Attributes
    ----------
    incoming_starts, incoming
        The edges that build each item.
    found
        How many derivations of each item are known; −1 before the first question.
    exhausted
        Whether an item has no more derivations to find.
    derivations, derivation_scores
        For every item `limit` rows: edge and ranks; score.
    lists
        First candidate of each item's two lists, −1 for none.
    pool, pool_scores
        Candidates of all items.
    filled
        How much of the pool is used.
    stack
        Questions that wait for others.
    """

    incoming_starts: Int32Array
    incoming: Int32Array
    found: Int32Array
    exhausted: UInt8Array
    derivations: Int32Array
    derivation_scores: FloatArray
    lists: Int32Array
    pool: Int32Array
    pool_scores: FloatArray
    filled: Int64Array
    stack: Int32Array
