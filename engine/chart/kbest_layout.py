"""The arrays of a search for the k best derivations."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array

# Columns of a derivation or candidate: its edge, ranks on the left and right, next candidate of the item.
EDGE, LEFT_RANK, RIGHT_RANK, NEXT = range(4)
# Lists of an item's candidates: scored ones, and those whose sides are not known yet.
READY, PENDING = range(2)
# Numbers of a ranking: how many derivations of an item are found at most; how much is used of its pool of candidates
# and of its blocks of derivations; how many derivations are listed, −1 before the first question; the first of the
# steps written, which fill their array from its end.
R_LIMIT, R_POOL, R_BLOCKS, R_LISTED, R_STEPS = range(5)
RANKING_NUMBERS = 5
# How a search for derivations ended: what has no room left, if anything.
FINISHED, POOL_FULL, BLOCKS_FULL, STEPS_FULL = 0, -1, -2, -3
STEP_COLUMNS = 6
NOT_KNOWN = 1.0
"""Where the logarithm of a probability was not computed yet."""


class Hypergraph(NamedTuple):
    """A filled chart as a hypergraph: those of its arrays that lists of derivations are made from."""

    items: Int32Array
    item_scores: FloatArray
    cells: Int32Array
    prefixes: Int32Array
    edges: Int32Array
    edge_factors: FloatArray
    totals: Int64Array


class Ranking(NamedTuple):
    """What is known so far of the k best derivations.

    The best derivation of an item is known from the chart.  Only an item of which more are asked for gets a block of
    them.

    Attributes
    ----------
    first_edges, next_edges
        The edges that build each item, as a list: the first of an item, the one after each edge, −1 for none.
    blocks
        The block of each item, −1 for none.
    found
        How many derivations of each item are known.
    exhausted
        Whether an item has no more derivations to find.
    derivations, derivation_scores
        Edge and ranks, and score, of every derivation; those of an item's block stand together.
    lists
        First candidate of each item's two lists, −1 for none.
    pool, pool_scores
        Candidates of all items.
    stack
        Questions that wait for others; also the parts of a derivation that wait to be written.
    root_scores, top_ranks, top_scores
        Of every item over the whole sentence: its score as the root; the rank of its next derivation to be listed, and
        the score of that, −∞ if there is none.
    numbers
        See R_LIMIT and those after it.
    """

    first_edges: Int32Array
    next_edges: Int32Array
    blocks: Int32Array
    found: Int32Array
    exhausted: UInt8Array
    derivations: Int32Array
    derivation_scores: FloatArray
    lists: Int32Array
    pool: Int32Array
    pool_scores: FloatArray
    stack: Int32Array
    root_scores: FloatArray
    top_ranks: Int32Array
    top_scores: FloatArray
    numbers: Int64Array


class DerivationList(NamedTuple):
    """The k best derivations of a sentence, best first.

    Attributes
    ----------
    scores
        Log probability of each.
    ranges
        Where the steps of each start and end.
    steps
        Kind, label, label of the head-child, head, first and last word of every step, as
        :func:`engine.chart.chart_kernel.derivation` gives them.
    parts
        Of every step the number of the part of a derivation that it completes: parts of the same number are the same,
        in whatever derivations they stand.
    chosen
        Which reading each word has in each derivation.
    """

    scores: FloatArray
    ranges: Int32Array
    steps: Int32Array
    parts: Int32Array
    chosen: Int32Array
