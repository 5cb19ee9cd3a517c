"""How the chart lies in memory: columns of an entry, bits of its state, and the arrays of a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.counts.counts_layout import Counts, Switches
from engine.structure.structure_layout import READING

# Columns of an entry (whole numbers).
LABEL = 0
HEAD_LABEL = 1
"""Label of the head-child as triples write it; of a unary result the child's label."""
HEAD = 2
"""Reading of the head-word: the word under one of its tags."""
STATE = 3
CHAIN = 4
"""Node in the tree of unary chains: the label itself, or for a unary result the chain so far."""
SAME = 5
"""How the entry is written as head-child of a parent with its own label: ``X``, ``X+`` or ``X++``."""
LEFT = 6
RIGHT = 7
"""Entries that were joined; of a unary result its child (LEFT); of a baseNP its item (LEFT)."""
RELATION = 8
KIND = 9
RECORD = 10
COLUMNS = 11

# Columns of an entry (logarithms of probabilities).
SCORE = 0
DONE = 1
"""The score with the price of having no unary parent: what it costs to use the entry as a finished one."""

# State: what Δ and the gap tags need to know of a constituent (chart signature).
LEFT_SHIFT = 0
RIGHT_SHIFT = 2
SIDE = 3
"""Mask of one side: 0 nothing between head and edge, 1 words, 2 words and a verb among them."""
COMMA_BEFORE = 16
COMMA_AFTER = 32
FIRST_IN_BASE = 64
LAST_IN_BASE = 128
HAS_LEFT = 256
"""Has a left modifier at its own level: right modifiers come first, so it takes no more of them."""
FINISHED = 512
"""A word, a baseNP or a unary result: takes no modifier at its own level."""
SATISFIED = 1024
"""Stands for a bracket that the caller demanded."""

# How a head rule of baseNPs searches.
SEARCH_LEFT, SEARCH_RIGHT, SEARCH_LAST, TAKE_LEFT, TAKE_RIGHT = range(5)

NO_CORE = 2048
"""Stands on words that the caller demanded as a bracket, so it cannot be spliced into its parent."""

# Which of its tags the first and the last word have: gap tags depend on them.
FIRST_READING_SHIFT = 12
LAST_READING_SHIFT = 18
FIRST_WORD = FIRST_IN_BASE | READING << FIRST_READING_SHIFT
LAST_WORD = LAST_IN_BASE | READING << LAST_READING_SHIFT
"""All that the state tells of the first and of the last word."""

# Fates of what was proposed.
KEPT, DOMINATED, OUT_OF_BEAM, UNDER_THRESHOLD, AGAINST_COMMA_RULE, AGAINST_CONSTRAINT = range(6)

# Columns of a record: one for every constituent ever proposed.
(
    R_START,
    R_END,
    R_LABEL,
    R_HEAD_LABEL,
    R_HEAD,
    R_STATE,
    R_LEFT,
    R_RIGHT,
    R_RELATION,
    R_KIND,
    R_ENTRY,
    R_FATE,
) = range(12)
RECORD_COLUMNS = 12
RF_SCORE, RF_GAP, RF_DEPENDENCY, RF_UNARY, RF_TAG, RF_MARGIN = range(6)
RECORD_FACTORS = 6

# The rule on commas (section 2.7): none, the paper's, or the extended one of preset (5).
NO_RULE, PAPERS_RULE, EXTENDED_RULE = range(3)

# What to record.
RECORD_NOTHING, RECORD_EDGES, RECORD_ALL = range(3)

# How a search ended.
DONE_SEARCH, CANCELLED, ENTRIES_FULL, RECORDS_FULL, BLOCKS_FULL, CANDIDATES_FULL, ITEMS_FULL = range(7)

ANY_LABEL = -2


class Grammar(NamedTuple):
    """What a model knows, as the chart uses it.

    Attributes
    ----------
    counts, switches
        The count tables and what the paper varies.
    triples
        Modifier, parent and head-child label of every relation.
    tags
        Of every tag its label, whether it is a verb's, whether it is a conjunction's.
    stacked
        ``X+`` and ``X++`` of every label X, NO_LABEL where there is none; whether X is seen in a printed
        tree as a bracket.
    base_label, core_label
        NP and NPX.
    none
        log P̂(no unary parent | tag, label).
    chain_starts, chain_edges, chain_steps
        The tree of unary chains: where the edges of a node start; of every edge the label above and the node
        it leads to; by tag and edge the log P̂ of the step.
    unary_levels
        By tag, label and parent (0 for none) the P̂ of which `none` and `chain_steps` are logarithms; empty if the
        contexts of unaries are not looked at (preset 5).
    head_searches, head_tags
        Head rules of a baseNP: how to search, and by rule and tag whether the tag is searched for.
    between_classes
        By tag the bit of its class among what lies between two words (preset 5).
    """

    counts: Counts
    switches: Switches
    triples: np.ndarray
    tags: np.ndarray
    stacked: np.ndarray
    base_label: int
    core_label: int
    none: np.ndarray
    chain_starts: np.ndarray
    chain_edges: np.ndarray
    chain_steps: np.ndarray
    unary_levels: np.ndarray
    head_searches: np.ndarray
    head_tags: np.ndarray
    between_classes: np.ndarray


TAG_LABEL, TAG_IS_VERB, TAG_IS_CONJUNCTION = range(3)
"""Columns of ``Grammar.tags``."""
MUST_BE_REDUCED, DEMANDED_RELATION, WORD_FORBIDDEN = range(3)
"""Columns of ``Sentence.demands``."""


class Sentence(NamedTuple):
    """A sentence in numbers, with what the caller demands of its parse.

    Attributes
    ----------
    commas
        'Commas' before every word.
    readings
        Every word under every tag it may have: word, tag, position.  The readings of a word stand together.
    reading_logs
        log P(t_i | S) of every reading (section 2.7); 0 where the tag is given.
    reading_starts
        First reading of every word; one entry more at the end.
    gaps
        log P̂(G_i) of every tag of a gap, one row for every pair of readings of the two words beside it; −∞ where
        a gap tag is forbidden.
    gap_starts
        First row of the gap before every word; one entry more at the end.
    base_allowed
        Whether words i to j may be a baseNP.
    arrow_allowed
        Whether an arrow may go from a modifier to a head; the last column is the root.
    demands
        Whether the word must be in the reduced sentence; the triple it must modify by, or −1; whether it
        must be in a baseNP.
    forbidden_relations
        Rows (modifier, head, triple).
    demanded_brackets, forbidden_brackets
        Rows (first word, last word, label or ANY_LABEL).
    surroundings
        For preset (5), of every word: the neighbour before and after it, its tag (where it has several, the
        best), the bracket that belongs to it or −1, and whether a constituent after a comma may end before it.
    """

    commas: np.ndarray
    readings: np.ndarray
    reading_logs: np.ndarray
    reading_starts: np.ndarray
    gaps: np.ndarray
    gap_starts: np.ndarray
    base_allowed: np.ndarray
    arrow_allowed: np.ndarray
    demands: np.ndarray
    forbidden_relations: np.ndarray
    demanded_brackets: np.ndarray
    forbidden_brackets: np.ndarray
    surroundings: np.ndarray


# Columns of an item: words that may be a baseNP or the beginning of one, each with its tag.
ITEM_FIRST = 0
"""First and last reading, and the item without the last word (−1 for none)."""
ITEM_LAST = 1
ITEM_BEFORE = 2
ITEM_RULE = 3
"""The first head rule that finds a head, and the head it finds (a reading), moved to the first conjunct."""
ITEM_HEAD = 4
ITEM_LAST_HEAD = 5
"""The head if the rules chose the last word, and, if the last word is a conjunction, if they chose the one before."""
ITEM_HEAD_BEFORE = 6
ITEM_COLUMNS = 7


class Limits(NamedTuple):
    """Pruning (section 4.1), what to record, and how many ways to tag a baseNP are told apart.

    `comma_rule` is one of NO_RULE, PAPERS_RULE and EXTENDED_RULE.
    """

    threshold: float
    beam: float
    unary_slack: float
    spare_words: int
    comma_rule: int
    record: int
    taggings: int


class Chart(NamedTuple):
    """Working memory of a search; grown by the caller when the search says it is full."""

    entries: np.ndarray
    scores: np.ndarray
    # For every span: first entry, number of usable entries, first entry after all of them.
    cells: np.ndarray
    candidates: np.ndarray
    candidate_scores: np.ndarray
    # Log P̂ of having no unary parent, of the candidates of which it is known (preset 5).
    candidate_nones: np.ndarray
    # Scratch of a cell: where each candidate goes, and the order of those that stay.
    places: np.ndarray
    order: np.ndarray
    # Hash of the candidates by signature: cell number, candidate.
    slots: np.ndarray
    # F̂ of every pair and Δ met so far: where its estimates start and end.
    blocks: np.ndarray
    # Which labels its modifiers have, as a set of bits, and its best log F̂.
    block_sets: np.ndarray
    block_bests: np.ndarray
    block_relations: np.ndarray
    block_estimates: np.ndarray
    rows: np.ndarray
    # Scratch of a unary estimate, by label.
    unary_scratch: np.ndarray
    unary_seen: np.ndarray
    # Words that may be a baseNP: all items, their scores (gap tags; tags), and where those of each first word are.
    items: np.ndarray
    item_scores: np.ndarray
    item_ranges: np.ndarray
    records: np.ndarray
    record_factors: np.ndarray
    # Counters: entries, records, blocks' fill, cut by threshold, cut by beam, best entry; cancel; progress.
    totals: np.ndarray
    # Log probability of the best entry over the whole sentence, the root included.
    best_score: np.ndarray
    cancel: np.ndarray


T_ENTRIES, T_RECORDS, T_BLOCKS, T_UNDER_THRESHOLD, T_OUT_OF_BEAM, T_BEST, T_PROGRESS, T_PROPOSED, T_ITEMS = range(9)
TOTALS = 9


# Columns of a derivation or candidate: its edge, ranks on the left and right, next candidate of the entry.
EDGE, LEFT_RANK, RIGHT_RANK, NEXT = range(4)
POOL_FULL = -1
# Lists of an entry's candidates: scored ones, and those whose sides are not known yet.
READY, PENDING = range(2)


class Ranking(NamedTuple):
    """Arrays of a search for the n best.

    Attributes
    ----------
    edge_starts, edges
        Records that build each entry.
    found
        How many derivations of each entry are known; −1 before the first question.
    exhausted
        Whether an entry has no more derivations to find.
    derivations, derivation_scores
        For every entry `limit` rows: edge and ranks; score.
    lists
        First candidate of each entry's two lists, −1 for none.
    pool, pool_scores
        Candidates of all entries.
    filled
        How much of the pool is used.
    stack
        Questions that wait for others.
    """

    edge_starts: np.ndarray
    edges: np.ndarray
    found: np.ndarray
    exhausted: np.ndarray
    derivations: np.ndarray
    derivation_scores: np.ndarray
    lists: np.ndarray
    pool: np.ndarray
    pool_scores: np.ndarray
    filled: np.ndarray
    stack: np.ndarray
