"""Count tables of a treebank (sections 2.2, 2.4 and 2.5): C(...) and C(R, ...) at every back-off level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.common.errors import EngineError
from engine.counts import counting_kernel, internal_spans_kernel
from engine.counts import counts_layout as data
from engine.counts.context_features import between_classes, neighbours_of_rows
from engine.counts.corpus import Treebank, Vocabulary
from engine.counts.counts_layout import BETWEEN_BITS, COMMA_BITS, MULTIPLIER, NEAR_BITS, REMAINDER_BITS, Counts, Widths
from engine.counts.events import Neighbours, beside_rows, gap_occurrences, root_occurrences, unary_occurrences
from engine.structure.structure_layout import DELTA_BITS

BUCKET = 4
"""How many contexts share a bucket, about."""
MOST_BUCKET_BITS = 26
INSIDE_LENGTH_BITS = 3

TABLE_NAMES = (
    "both words and tags",
    "modifier's word, tags",
    "head's word, tags",
    "tags",
    "both words",
    "modifier's word, head's tag",
    "head's word, modifier's tag",
    "tags, order alone",
    "gap: both words and tags",
    "gap: left word, tags",
    "gap: right word, tags",
    "gap: tags",
    "gap: comma",
    "unary: label, head tag",
    "unary: label",
    "root: head-word, tag",
    "root: tag",
    "root: any",
    "inside: first and last word",
    "inside: all tags",
    "inside: tags at the edges",
    "inside: tags at the ends",
    "tags, distance without numbers of commas",
    "tags, order and adjacency",
    "tags, order and adjacency, beside the modifier",
    "tags, order and adjacency, beside the head",
    "tags, order and adjacency, between",
    "gap: tags, before",
    "gap: tags, after",
    "gap: tags, before and after",
    "unary: label, head tag, head-word",
    "unary: label, head tag, after",
    "unary: label, head tag, before",
    "unary: label, head tag, before and after",
    "unary: label, head tag, head-child, first tag",
)


class Table(NamedTuple):
    """One count table before it is put beside the others: see :class:`Counts`."""

    width: int
    shift: int
    buckets: np.ndarray
    contexts: np.ndarray
    records: np.ndarray


def widths_of(vocabulary: Vocabulary) -> Widths:
    """Bits for each kind of number in a key, with room for the numbers that stand for the unknown and for edges."""
    return Widths(
        word=len(vocabulary.words).bit_length(),
        tag=(len(vocabulary.tags) + 2).bit_length(),
        label=(len(vocabulary.labels) + 1).bit_length(),
    )


def key_widths(widths: Widths) -> tuple[int, ...]:
    """How many bits a key of each table has."""
    word, tag, label = widths
    pairs = (2 * word + 2 * tag, word + 2 * tag, word + 2 * tag, 2 * tag, 2 * word, word + tag, word + tag, 2 * tag)
    gaps = (2 * word + 2 * tag, word + 2 * tag, word + 2 * tag, 2 * tag, 0)
    inside = (2 * word + tag, 7 * tag, 4 * tag, 3 * tag)
    beside = tag + 1
    return (
        *(bits + DELTA_BITS for bits in pairs),
        *(bits + COMMA_BITS for bits in gaps),
        *(label + tag, label, word + tag, tag, 1),
        *(bits + INSIDE_LENGTH_BITS for bits in inside),
        *(2 * tag + DELTA_BITS, 2 * tag + DELTA_BITS),
        *(2 * tag + NEAR_BITS + bits for bits in (2 * beside, 2 * beside, BETWEEN_BITS)),
        *(2 * tag + COMMA_BITS + bits for bits in (beside, beside, 2 * beside)),
        *(label + tag + bits for bits in (word, beside, beside, 2 * beside, label + tag)),
    )


def build_table(keys: np.ndarray, event_keys: np.ndarray, event_outcomes: np.ndarray, width: int) -> Table:
    """A table from the key of every occurrence of a context, and of every event in one.

    Parameters
    ----------
    keys
        One key for every time a context occurred; permuted and sorted in place.
    event_keys, event_outcomes
        Key and outcome of every event; each event's context must be among `keys`.
    width
        How many bits a key has.
    """
    event_keys = event_keys.copy()
    for array in (keys, event_keys):
        with np.errstate(over="ignore"):
            array *= np.int64(MULTIPLIER)
        array &= np.int64((1 << width) - 1)
    keys.sort()
    order = np.lexsort((event_outcomes, event_keys))
    event_keys, event_outcomes = event_keys[order], event_outcomes[order]
    size = counting_kernel.different(keys)
    bits = min(width, max((size // BUCKET).bit_length(), width - REMAINDER_BITS))
    if bits > MOST_BUCKET_BITS:
        raise EngineError("the treebank has more words and tags than a model can hold (about 400,000 words)")
    buckets = np.empty((1 << bits) + 1, np.uint32)
    contexts = np.empty(size, np.int64)
    records = np.empty(4 * len(event_keys), np.int32)
    used = counting_kernel.fill_table(keys, event_keys, event_outcomes, width - bits, buckets, contexts, records)
    return Table(width, width - bits, buckets, contexts, records[:used].copy())


def all_counts(treebank: Treebank, step: Callable[[float], None] = lambda done: None) -> Counts:
    """Every count table of a corpus; `step` is told the share of the work done."""
    corpus = treebank.corpus
    widths = widths_of(treebank.vocabulary)
    bits = key_widths(widths)
    tables: list[Table] = []
    pairs, arrows = counting_kernel.count_pairs(corpus)
    for level in range(data.PAIR, data.TAGS_ORDER + 1):
        keys = np.empty(pairs, np.int64)
        arrow_keys = np.empty(arrows, np.int64)
        arrow_outcomes = np.empty(arrows, np.int32)
        counting_kernel.pair_keys(corpus, widths, level, keys, arrow_keys, arrow_outcomes)
        tables.append(build_table(keys, arrow_keys, arrow_outcomes, bits[level]))
        step(len(tables) / data.GAP_PAIR)
    for level in range(data.GAP_PAIR, data.GAP_COMMA + 1):
        tables.append(gap_table(treebank, widths, level, bits[level]))
    for level in (data.UNARY_TAG, data.UNARY_LABEL):
        tables.append(unary_table(treebank, widths, level, bits[level]))
    reduced = np.flatnonzero(corpus.heads != data.SWALLOWED)
    roots = np.flatnonzero(corpus.heads == data.ROOT)
    for level in range(data.ROOT_WORD, data.ROOT_ANY + 1):
        keys = root_occurrences(corpus, widths, level)
        tables.append(build_table(keys[reduced], keys[roots], corpus.relations[roots], bits[level]))
    tables.extend(inside_tables(treebank, widths, bits))
    tables.extend(distance_tables(treebank, widths, bits))
    # Preset (5): gaps and unaries in their contexts.
    neighbours = neighbours_of_rows(corpus)
    for level in range(data.GAP_BEFORE, data.GAP_AROUND + 1):
        tables.append(gap_table(treebank, widths, level, bits[level], neighbours))
    for level in range(data.UNARY_WORD, data.UNARY_INNER + 1):
        tables.append(unary_table(treebank, widths, level, bits[level], neighbours))
    return side_by_side(tables, widths)


def inside_marks(treebank: Treebank) -> tuple[np.ndarray, np.ndarray, int]:
    """The phrases inside baseNPs as a sorted list with their labels (``insides.mark_spans``), and the number of POS."""
    vocabulary = treebank.vocabulary
    phrases = np.zeros(len(vocabulary.labels) + 1, np.int32)
    for number, label in enumerate(vocabulary.phrases, 1):
        phrases[vocabulary.labels.index(label)] = number
    numbers = phrases[treebank.inside_labels]
    # A possessive NP is no phrase: it has number 0.
    rows, ends = treebank.inside_rows[numbers > 0], treebank.inside_ends[numbers > 0]
    marks, labels = internal_spans_kernel.mark_spans(rows, ends, numbers[numbers > 0])
    possessive = vocabulary.tags.index("POS") if "POS" in vocabulary.tags else -1
    return marks, labels, possessive


def inside_tables(treebank: Treebank, widths: Widths, bits: Sequence[int]) -> list[Table]:
    """The tables of the model of baseNP insides."""
    corpus = treebank.corpus
    marks, mark_labels, possessive = inside_marks(treebank)
    nothing = np.empty(0, np.int64)
    spans, _ = internal_spans_kernel.span_keys(
        corpus, widths, data.INSIDE_ENDS, marks, mark_labels, possessive, nothing, nothing, nothing
    )
    tables = []
    for level in range(data.INSIDE_WORDS, data.INSIDE_ENDS + 1):
        keys = np.empty(spans, np.int64)
        event_keys = np.empty(len(marks), np.int64)
        event_labels = np.empty(len(marks), np.int64)
        _, events = internal_spans_kernel.span_keys(
            corpus, widths, level, marks, mark_labels, possessive, keys, event_keys, event_labels
        )
        tables.append(build_table(keys, event_keys[:events], event_labels[:events], bits[level]))
    return tables


def distance_tables(treebank: Treebank, widths: Widths, bits: Sequence[int]) -> list[Table]:
    """Preset (5): dependencies between tags at reduced Δ, and in the contexts of the two words."""
    corpus = treebank.corpus
    pairs, arrows = counting_kernel.count_pairs(corpus)
    beside = beside_rows(corpus, widths)
    classes = between_classes(treebank.vocabulary.tags)
    tables = []
    for level in range(data.TAGS_NEAR, data.BETWEEN + 1):
        keys = np.empty(pairs, np.int64)
        arrow_keys = np.empty(arrows, np.int64)
        arrow_outcomes = np.empty(arrows, np.int32)
        if level <= data.TAGS_ADJACENT:
            counting_kernel.pair_keys(corpus, widths, level, keys, arrow_keys, arrow_outcomes)
        else:
            counting_kernel.context_keys(corpus, widths, level, beside, classes, keys, arrow_keys, arrow_outcomes)
        tables.append(build_table(keys, arrow_keys, arrow_outcomes, bits[level]))
    return tables


def gap_table(treebank: Treebank, widths: Widths, level: int, bits: int, neighbours: Neighbours | None = None) -> Table:
    """One table of gap tags."""
    keys, outcomes = gap_occurrences(treebank.corpus, widths, level, neighbours)
    return build_table(keys.copy(), keys, outcomes, bits)


def unary_table(
    treebank: Treebank, widths: Widths, level: int, bits: int, neighbours: Neighbours | None = None
) -> Table:
    """One table of unary parents."""
    keys = unary_occurrences(treebank, widths, level, neighbours)
    return build_table(keys.copy(), keys, treebank.unary_parents, bits)


def side_by_side(tables: Sequence[Table], widths: Widths) -> Counts:
    """Put tables one after the other into the same arrays."""
    places = np.zeros((len(tables), 3), np.int64)
    buckets = []
    filled = contexts = records = 0
    for number, table in enumerate(tables):
        places[number] = filled, table.shift, table.width
        buckets.append(table.buckets + np.uint32(contexts))
        # Odd values name records, which move.
        table.contexts[table.contexts & 1 == 1] += 2 * records
        filled += len(table.buckets)
        contexts += len(table.contexts)
        records += len(table.records)
    return Counts(
        widths,
        places,
        np.concatenate(buckets),
        np.concatenate([table.contexts for table in tables]),
        np.concatenate([table.records for table in tables]),
    )


def table_sizes(counts: Counts) -> list[tuple[str, int, int]]:
    """For every table its name, how many contexts it holds, and in how many of them something was counted."""
    sizes = []
    for name, (first, shift, width) in zip(TABLE_NAMES, counts.places.tolist(), strict=True):
        part = counts.contexts[counts.buckets[first] : counts.buckets[first + (1 << (width - shift))]]
        sizes.append((name, len(part), int((part & 1).sum())))
    return sizes
