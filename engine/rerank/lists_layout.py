"""Lists of parses: the arrays with which their trees are scored, and with which weights are learnt from them."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import Float32Array, FloatArray, Int8Array, Int32Array, Int64Array, UInt8Array, UInt16Array
from engine.rerank.features_layout import TreeArrays
from engine.rerank.generative_layout import GenerativeCounts, GenerativeTree, KnownEvents

# The arrays with which the trees of a list are scored.

KNOWN = 1 << 15
KNOWN_MASK = KNOWN - 1
"""Places for weights that were looked up before."""

WEIGHTS, GENERATIVE = range(2)
COLUMNS = 2
"""What is summed up over a tree's nodes, a column each: the weights of features, the second model's log probability."""

# Columns of a place of the memo: the list that filled it, the part of a derivation, its context.
M_LIST, M_PART, M_CONTEXT = range(3)
MEMO_KEY = 3
# Beside the parts of derivations, which are not negative, and the words (−1 for the first): what one node adds.
NODE_FEATURES, NODE_EVENTS = -1_000_001, -1_000_002
NODE_PLACES = 3
"""Places of the memo that a node takes at most: with all within it, its features, its events."""
# What has no room left for a list.
MEMO_FULL, NODES_FULL = -1, -2


class WeightTable(NamedTuple):
    """The weights of features, and those that were looked up last.

    Attributes
    ----------
    buckets, keys, weights
        The hashes of all features in increasing order, what each weighs, and where the hashes with given upper bits
        start.
    filter_bits
        One bit for many features each: where it is 0 none of them has a weight.
    known_keys, known_weights
        Features looked up before, those without a weight too; one overwrites another.  The two are the same memory,
        which is of one piece for one feature: a hash in the first column, its weight in the second.
    hashes
        Scratch: the hashes of the features in hand.
    """

    buckets: Int32Array
    keys: Int64Array
    weights: Float32Array
    filter_bits: UInt8Array
    known_keys: Int64Array
    known_weights: FloatArray
    hashes: Int64Array


class ListedTrees(NamedTuple):
    """The trees of a list as derivations, each with the reading of every word.

    Attributes
    ----------
    ranges
        Where the steps of each tree start and end.
    steps
        The steps of all of them.
    parts
        Of every step the number of the part of a derivation that it completes: equal parts have equal numbers, in
        whatever trees of the list they stand.
    chosen
        Which reading each word has in each tree.
    """

    ranges: Int32Array
    steps: Int32Array
    parts: Int32Array
    chosen: Int32Array


class ListedSentence(NamedTuple):
    """The sentence of a list.

    Attributes
    ----------
    readings
        Its words under all their tags.
    commas, marks
        Its punctuation.
    joined
        The labels of conjuncts.
    generative_words
        Its words as the second model knows them.
    """

    readings: Int32Array
    commas: Int32Array
    marks: Int32Array
    joined: UInt8Array
    generative_words: Int32Array


class SecondModel(NamedTuple):
    """The second model: its counts, and what it asks of tags (is it a verb's?) and labels (may it be a complement?).

    Without a second model there is no context in the counts.
    """

    counts: GenerativeCounts
    known: KnownEvents
    verb_tags: Int8Array
    complements: Int32Array


class Trees(NamedTuple):
    """The tree in hand, as the features and as the second model see it."""

    features: TreeArrays
    generative: GenerativeTree


class ScoringMemory(NamedTuple):
    """Working memory, used again from list to list.

    Attributes
    ----------
    words, tags
        Of the tree in hand.
    nodes, stack
        Its constituents, and scratch to lay them out and to walk through them.
    visited
        The nodes walked through, in their order.
    heads_above
        Of every node on the way the head-word of the lowest constituent above it that another word heads, −1 for none.
    places
        Of every node on the way its place in the memo.
    values, rows
        The fields of templates, and the features of one node.
    readings
        Sums over the readings before each word of the tree in hand (:mod:`engine.rerank.scoring_kernel`).
    verbs, events
        How many verbs stand before each word of the tree in hand; the second model's events of one node.
    memo_keys, memo_sums
        What is known of parts of trees in their contexts: see M_LIST and those after it, and the sums over all their
        nodes.
    """

    words: Int32Array
    tags: Int32Array
    nodes: Int32Array
    stack: Int32Array
    visited: Int32Array
    heads_above: Int32Array
    places: Int32Array
    values: Int32Array
    rows: Int32Array
    readings: Int64Array
    verbs: Int32Array
    events: Int32Array
    memo_keys: Int64Array
    memo_sums: FloatArray


# How lists of parses and the weights that are learnt from them are laid out.


class ParseLists(NamedTuple):
    """Lists of parses to learn from, end to end.

    Most features of a list are those of several of its parses.  So each list names them once, and a parse points to
    them: what is learnt of a list's features is then at hand while its parses are weighed.

    Attributes
    ----------
    list_starts
        Where the parses of each list start; one number more at the end, as in all starts.
    feature_starts, features
        Where the features of each list start, and their numbers: those that tell its parses apart.
    parse_starts, cells, values
        Where the cells of each parse start; which feature of its list each cell is about, and how many times more than
        the first parse of the list this one has it.
    columns
        Of every parse real values of its own, as differences from the first of its list; the first is the parser's
        own log probability.
    gains
        Of every parse what choosing it is worth, in constituents: see :func:`engine.training.reranker.gains_of`.
    """

    list_starts: Int64Array
    feature_starts: Int64Array
    features: Int32Array
    parse_starts: Int64Array
    cells: UInt16Array | Int32Array
    values: Int8Array
    columns: FloatArray
    gains: FloatArray


class WeightState(NamedTuple):
    """Weights being learnt.

    Attributes
    ----------
    weights, squares, seen
        Of every feature its weight, its summed squared gradients, and the step at which it was last met.
    column_weights, column_squares
        The same numbers of every column; columns are not pulled towards zero.
    """

    weights: FloatArray
    squares: FloatArray
    seen: Int64Array
    column_weights: FloatArray
    column_squares: FloatArray


class Cells(NamedTuple):
    """The features of some lists, as :class:`ParseLists` has them, and how many of each list, of each parse there are.

    Attributes
    ----------
    list_sizes
        Parses of every list.
    feature_sizes
        Features of every list.
    cell_sizes
        Cells of every parse.
    cells, values
        As in :class:`ParseLists`.
    """

    list_sizes: Int32Array
    feature_sizes: Int32Array
    cell_sizes: Int32Array
    cells: UInt16Array | Int32Array
    values: Int8Array
