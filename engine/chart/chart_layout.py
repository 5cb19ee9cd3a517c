"""How the chart lies in memory: columns of a chart item, bits of its state, and the arrays of a search and of its k
best derivations.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array
from engine.counts.counts_layout import Counts, Switches
from engine.structure.sentence_layout import READING

# How the chart lies in memory: columns of a chart item, bits of its state, and the arrays of a search.

# Columns of a chart item (whole numbers).
LABEL = 0
HEAD_LABEL = 1
"""Label of the head-child as triples write it; of a unary result the child's label."""
HEAD = 2
"""Reading of the head-word: the word under one of its tags."""
STATE = 3
CHAIN = 4
"""Node in the tree of unary chains: the label itself, or for a unary result the chain so far."""
SAME = 5
"""How the item is written as head-child of a parent with its own label: ``X``, ``X+`` or ``X++``."""
LEFT = 6
RIGHT = 7
"""Items that were joined; of a unary result its child (LEFT); of a baseNP the prefix that it is (LEFT)."""
RELATION = 8
KIND = 9
EDGE_NUMBER = 10
"""The recorded edge that built it best, if edges are recorded."""
COLUMNS = 11

# Columns of a chart item (logarithms of probabilities).
SCORE = 0
DONE = 1
"""The score with the price of having no unary parent: what it costs to use the item as a finished one."""

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

# What of Δ depends on the constituents that are joined.
COMMA_BEFORE_SECOND, COMMA_AFTER_FIRST, VERB, ADJACENT = 1, 2, 4, 8
ANSWER_BITS = 4

NO_CORE = 2048
"""Stands on words that the caller demanded as a bracket, so it cannot be spliced into its parent."""

# Which of its tags the first and the last word have: gap tags depend on them.
FIRST_READING_SHIFT = 12
LAST_READING_SHIFT = 18
FIRST_WORD = FIRST_IN_BASE | READING << FIRST_READING_SHIFT
LAST_WORD = LAST_IN_BASE | READING << LAST_READING_SHIFT
"""All that the state tells of the first and of the last word."""

# Why an edge was pruned, if it was.
KEPT, DOMINATED, OUT_OF_BEAM, UNDER_THRESHOLD, AGAINST_COMMA_RULE, AGAINST_CONSTRAINT = range(6)

# Columns of a recorded edge: one way to build a constituent from its parts.
(
    E_START,
    E_END,
    E_LABEL,
    E_HEAD_LABEL,
    E_HEAD,
    E_STATE,
    E_LEFT,
    E_RIGHT,
    E_RELATION,
    E_KIND,
    E_ITEM,
    E_REASON,
) = range(12)
EDGE_COLUMNS = 12
# Columns of its factors (logarithms of probabilities), and by how much it lost if it was pruned.
EF_SCORE, EF_GAP, EF_DEPENDENCY, EF_UNARY, EF_TAG, EF_MARGIN = range(6)
EDGE_FACTORS = 6

# The rule on commas (section 2.7): none, the paper's, or the extended one of preset (5).
NO_RULE, PAPERS_RULE, EXTENDED_RULE = range(3)

# What to record.
RECORD_NOTHING, RECORD_EDGES, RECORD_ALL = range(3)

# How a search ended.
DONE_SEARCH, CANCELLED, ITEMS_FULL, EDGES_FULL, ESTIMATES_FULL, CANDIDATES_FULL, PREFIXES_FULL, TOO_COSTLY = range(8)
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
    chain_starts, chain_links, chain_steps
        The tree of unary chains: where the links of a node start; of every link the label above and the node
        it leads to; by tag and link the log P̂ of the step.
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
    triples: Int32Array
    tags: Int32Array
    stacked: Int32Array
    base_label: int
    core_label: int
    none: FloatArray
    chain_starts: Int32Array
    chain_links: Int32Array
    chain_steps: FloatArray
    unary_levels: FloatArray
    head_searches: Int32Array
    head_tags: UInt8Array
    between_classes: Int64Array


TAG_LABEL, TAG_IS_VERB, TAG_IS_CONJUNCTION = range(3)
"""Columns of ``Grammar.tags``."""
MUST_BE_REDUCED, DEMANDED_RELATION, WORD_FORBIDDEN = range(3)
"""Columns of ``SentenceArrays.demands``."""


class SentenceArrays(NamedTuple):
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
        First reading of every word; one number more at the end.
    gaps
        log P̂(G_i) of every tag of a gap, one row for every pair of readings of the two words beside it; −∞ where
        a gap tag is forbidden.
    gap_starts
        First row of the gap before every word; one number more at the end.
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
    context_features
        For preset (5), of every word: the neighbour before and after it, its tag (where it has several, the
        best), the bracket that belongs to it or −1, and whether a constituent after a comma may end before it.
    """

    commas: Int32Array
    readings: Int32Array
    reading_logs: FloatArray
    reading_starts: Int32Array
    gaps: FloatArray
    gap_starts: Int32Array
    base_allowed: UInt8Array
    arrow_allowed: UInt8Array
    demands: Int32Array
    forbidden_relations: Int32Array
    demanded_brackets: Int32Array
    forbidden_brackets: Int32Array
    context_features: Int32Array


class Limits(NamedTuple):
    """Pruning (section 4.1), what to record, and how many ways to tag a baseNP are told apart.

    `comma_rule` is one of NO_RULE, PAPERS_RULE and EXTENDED_RULE; `keep_estimates` if this sentence's are in the chart;
    `most_work` is how much work the pass may be (T_WORK), 0 for any; `go_on` if the pass was begun before.
    """

    threshold: float
    beam: float
    unary_slack: float
    spare_words: int
    comma_rule: int
    record: int
    taggings: int
    keep_estimates: int
    most_work: int
    go_on: int


class Chart(NamedTuple):
    """Working memory of a search; grown by the caller when the search says it is full, which then goes on.

    Attributes
    ----------
    items, item_scores
        The chart items of all cells.
    cells
        Of every span the first item, the number of usable items, the first item after all of them.
    candidates, candidate_scores
        What the cell in hand has found so far; pruned, they become its items.
    candidate_nones
        Log P̂ of having no unary parent, of the candidates of which it is known (preset 5).
    places, order
        Scratch of a cell: where each candidate goes, and the order of those that stay.
    comma_sums
        How many 'commas' there are up to every word.
    slots, kind_slots
        Hashes of the candidates and of the kinds of prefixes by signature: cell number, candidate or kind.
    best_estimates
        Cached estimates F̂: of every two words, Δ and direction the best log F̂, ``NOT_ESTIMATED`` before they are met.
    estimate_ranges, estimate_labels
        Where the estimates start and end; which labels modifiers and head-children have in them, as sets of bits.
    estimate_relations, estimates
        The cached estimates themselves: relation and log F̂.  Modifiers of the same label stand together.
    context, lookups
        Scratch of an estimate: the context in hand, and what is looked up of it in count tables.
    dependency_scratch
        Scratch of an estimate, by relation.
    unary_scratch, unary_seen
        Scratch of a unary estimate, by label.
    bounds
        What the joins of the cell in hand are pruned by: see B_BEST and those after it.
    prefixes, prefix_scores, prefix_ranges
        Words that may be the beginning of a baseNP, their scores (gap tags; tags), and where those of each first word
        are, with the number of their kinds.
    prefix_kinds, prefix_links, longer_kinds
        Scratch of a cell: the kinds of its prefixes; of every prefix the next one of its kind; and by kind of a prefix
        and reading of the next word the kind that the two make.
    edges, edge_factors
        Recorded edges.
    totals
        Counters: see T_ITEMS and those after it.
    before_cell
        The counters and the prefixes' range before the cell in hand, which is filled anew if a part is full.
    best_score
        Log probability of the best item over the whole sentence, the root included.
    cancel
        Not 0 if the search is to stop.
    """

    items: Int32Array
    item_scores: FloatArray
    cells: Int32Array
    candidates: Int32Array
    candidate_scores: FloatArray
    candidate_nones: FloatArray
    places: Int64Array
    order: Int64Array
    comma_sums: Int64Array
    slots: Int32Array
    kind_slots: Int32Array
    estimate_ranges: Int32Array
    estimate_labels: Int64Array
    best_estimates: FloatArray
    estimate_relations: Int32Array
    estimates: FloatArray
    context: Int64Array
    lookups: Int64Array
    dependency_scratch: Int32Array
    unary_scratch: FloatArray
    unary_seen: Int32Array
    bounds: FloatArray
    prefixes: Int32Array
    prefix_scores: FloatArray
    prefix_ranges: Int64Array
    prefix_kinds: Int32Array
    prefix_links: Int32Array
    longer_kinds: Int32Array
    edges: Int32Array
    edge_factors: FloatArray
    totals: Int64Array
    before_cell: Int64Array
    best_score: FloatArray
    cancel: UInt8Array


# How much of the chart is used; what was pruned; the best item over the whole sentence; cells done, now and in all.
T_ITEMS, T_EDGES, T_ESTIMATES, T_UNDER_THRESHOLD, T_OUT_OF_BEAM, T_BEST, T_PROGRESS, T_PREFIXES, T_NUMBERED = range(9)
# How much work the pass was so far, in pairs of items looked at; how much it will be as far as that can be told.
T_WORK, T_EXPECTED_WORK = 9, 10
# The length of spans in hand, the next of them, the work before them, and the part of their work that is not joining.
T_LENGTH, T_START, T_WORK_BEFORE, T_FINDING = 11, 12, 13, 14
TOTALS = 15

# The best score of the cell so far and the score under which joins are passed over; the highest and the lowest score
# passed over, for whether it fell to the threshold or to the beam decides if another pass could find more.
B_BEST, B_CUT, B_HIGHEST_SKIPPED, B_LOWEST_SKIPPED = range(4)
BOUNDS = 4


class CurrentCell(NamedTuple):
    """The cell being filled.

    Attributes
    ----------
    number
        Its number in the order of filling, of all passes since the hash of candidates was cleared.
    start, last
        Its first and last word.
    demanded
        The label that the caller demands of a constituent over it, NO_LABEL for none.
    is_unbalanced
        Whether it holds one of two brackets and not the other, so that nothing over it is a finished constituent.
    """

    number: int
    start: int
    last: int
    demanded: int
    is_unbalanced: bool


class Pair(NamedTuple):
    """Two chart items side by side, to be joined.

    Attributes
    ----------
    left, right
        The items.
    head_first
        Whether the left one is the head and the right one its modifier.
    gap
        Log P̂ of the gap tag between them.
    reason
        Why they may not be joined and the edge is only to be recorded; KEPT if they may.
    place
        Where in the chart the cached estimates of their head-words at this Δ are.
    """

    left: int
    right: int
    head_first: bool
    gap: float
    reason: int
    place: int


class Edge(NamedTuple):
    """A way to build a constituent, in the columns of a chart item.

    The signature comes first: label, label of the head-child, reading of the head-word, state, node of unary chains.
    Then come the items that it is built from, the triple of the dependency, and the kind.
    """

    label: int
    head_label: int
    head: int
    state: int
    chain: int
    left: int
    right: int
    relation: int
    kind: int


class EdgeFactors(NamedTuple):
    """Log probability of the constituent that an edge builds, and the logarithms of the factors that the edge adds."""

    score: float
    gap: float
    dependency: float
    unary: float
    tag: float


class Step(NamedTuple):
    """One step of a derivation, as an item or an edge has it."""

    kind: int
    label: int
    head_label: int
    head: int
    left: int


# Arrays of the baseNPs that grow word by word (:mod:`engine.chart.basenp_kernel`): names of their columns.

# How a head rule of baseNPs searches.
SEARCH_LEFT, SEARCH_RIGHT, SEARCH_LAST, TAKE_LEFT, TAKE_RIGHT = range(5)

# Columns of a baseNP prefix: words that may be a baseNP or the beginning of one, each with its tag.
PREFIX_FIRST = 0
"""First and last reading, and the prefix without the last word (−1 for none)."""
PREFIX_LAST = 1
PREFIX_BEFORE = 2
PREFIX_RULE = 3
"""The first head rule that finds a head, and the head it finds (a reading), moved to the first conjunct."""
PREFIX_HEAD = 4
PREFIX_LAST_HEAD = 5
"""The head if the rules chose the last word, and, if the last word is a conjunction, if they chose the one before."""
PREFIX_HEAD_BEFORE = 6
PREFIX_KIND = 7
"""Number, within the cell, of the prefixes that no later word can tell from this one."""
PREFIX_COLUMNS = 8
# Columns of a kind of prefixes: its first and its last one, how many there are, and the worst of them.
KIND_FIRST, KIND_LAST, KIND_COUNT, KIND_WORST = range(4)
KIND_COLUMNS = 4
PREFIX_RANGE = 3
"""Columns of ``Chart.prefix_ranges``: the first prefix from a word on, the one after the last, the number of kinds."""


# The arrays of a search for the k best derivations.

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
ALL_LISTED, POOL_FULL, BLOCKS_FULL, STEPS_FULL = 0, -1, -2, -3
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
