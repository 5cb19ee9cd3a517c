"""Count tables of a treebank (sections 2.2, 2.4 and 2.5): C(...) and C(R, ...) at every back-off level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.columns import Treebank
from engine.errors import EngineError
from engine.jit import kernels
from engine.kernels import data
from engine.kernels.data import KEY_BITS, MASK, MULTIPLIER, TAG_BITS, WORD_BITS, Counts

BUCKET = 4
"""How many keys share a bucket, about."""


class Table(NamedTuple):
    """One count table before it is put beside the others: see :class:`Counts`."""

    shift: int
    keys: np.ndarray
    buckets: np.ndarray
    values: np.ndarray
    totals: np.ndarray
    starts: np.ndarray
    outcomes: np.ndarray
    counts: np.ndarray


def build_table(keys: np.ndarray, event_keys: np.ndarray, event_outcomes: np.ndarray) -> Table:
    """A table from the permuted key of every occurrence of a context, and of every event in one.

    Parameters
    ----------
    keys
        One key for every time a context occurred; sorted in place.
    event_keys, event_outcomes
        Key and outcome of every event; each event's context must be among `keys`.
    """
    keys.sort()
    order = np.lexsort((event_outcomes, event_keys))
    event_keys, event_outcomes = event_keys[order], event_outcomes[order]
    size = kernels().counting.run_lengths(keys)
    table_keys = np.empty(size, np.int64)
    values = np.empty(size, np.uint32)
    totals = np.empty(len(event_keys), np.uint32)
    starts = np.empty(len(event_keys) + 1, np.uint32)
    outcomes = np.empty(len(event_keys), np.uint16)
    counts = np.empty(len(event_keys), np.uint32)
    records, written = kernels().counting.fill_table(
        keys, event_keys, event_outcomes, table_keys, values, totals, starts, outcomes, counts
    )
    bits = max(0, (size // BUCKET).bit_length())
    shift = KEY_BITS - bits
    bounds = np.arange(1 << bits, dtype=np.int64) << shift
    buckets = np.append(np.searchsorted(table_keys, bounds), size).astype(np.uint32)
    return Table(
        shift,
        table_keys,
        buckets,
        values,
        totals[:records].copy(),
        starts[: records + 1].copy(),
        outcomes[:written].copy(),
        counts[:written].copy(),
    )


def permuted(keys: np.ndarray) -> np.ndarray:
    """Keys as tables store them (:func:`engine.kernels.tables.permute` for an array)."""
    with np.errstate(over="ignore"):
        product: np.ndarray = (keys.astype(np.int64) * np.int64(MULTIPLIER)) & np.int64(MASK)
    return product


def all_counts(treebank: Treebank, step: Callable[[float], None] = lambda done: None) -> Counts:
    """Every count table of a corpus; `step` is told the share of the work done."""
    corpus = treebank.corpus
    vocabulary = treebank.vocabulary
    if len(vocabulary.words) >= 1 << WORD_BITS or max(len(vocabulary.tags), 1) >= 1 << TAG_BITS:
        raise EngineError(
            f"the treebank has {len(vocabulary.words):,} words and {len(vocabulary.tags)} tags; "
            f"a model holds at most {(1 << WORD_BITS) - 1:,} and {(1 << TAG_BITS) - 1}"
        )
    tables: list[Table] = []
    pairs, arrows = kernels().counting.count_pairs(corpus)
    for level in range(data.PAIR, data.TAGS_ORDER + 1):
        keys = np.empty(pairs, np.int64)
        arrow_keys = np.empty(arrows, np.int64)
        arrow_outcomes = np.empty(arrows, np.int32)
        kernels().counting.pair_keys(corpus, level, keys, arrow_keys, arrow_outcomes)
        tables.append(build_table(keys, arrow_keys, arrow_outcomes))
        step(len(tables) / data.GAP_PAIR)
    gaps = len(corpus.words) - treebank.sentences
    for level in range(data.GAP_PAIR, data.GAP_COMMA + 1):
        keys = np.empty(gaps, np.int64)
        outcomes = np.empty(gaps, np.int32)
        kernels().counting.gap_keys(corpus, level, keys, outcomes)
        tables.append(build_table(keys.copy(), keys, outcomes))

    labels = treebank.unary_labels.astype(np.int64)
    head_tags = corpus.tags[treebank.unary_rows].astype(np.int64)
    for keys in ((labels << TAG_BITS) | head_tags, labels):
        stored = permuted(keys)
        tables.append(build_table(stored.copy(), stored, treebank.unary_parents))

    reduced = np.flatnonzero(corpus.heads != data.SWALLOWED)
    roots = np.flatnonzero(corpus.heads == data.ROOT)
    tags = corpus.tags.astype(np.int64)
    for keys in ((corpus.words.astype(np.int64) << TAG_BITS) | tags, tags, np.zeros_like(tags)):
        stored = permuted(keys)
        tables.append(build_table(stored[reduced], stored[roots], corpus.relations[roots]))
    tables.extend(inside_tables(treebank))
    return side_by_side(tables)


def inside_tables(treebank: Treebank) -> list[Table]:
    """The tables of the model of baseNP insides."""
    vocabulary, corpus, kernel = treebank.vocabulary, treebank.corpus, kernels().insides
    # The state that begins each label's phrase; 0 for a possessive NP, which has none.
    begins = np.zeros(len(vocabulary.labels), np.int32)
    for number, label in enumerate(vocabulary.phrases):
        begins[vocabulary.labels.index(label)] = data.FIRST_PHRASE_STATE + 2 * number
    states = np.empty(len(corpus.words), np.int32)
    kernel.inside_states(treebank.inside_rows, treebank.inside_ends, begins[treebank.inside_labels], states)
    possessive = vocabulary.tags.index("POS") if "POS" in vocabulary.tags else -1
    tables = []
    for level in range(data.INSIDE_WORD, data.INSIDE_TAG + 1):
        keys = np.empty(len(corpus.words), np.int64)
        outcomes = np.empty(len(corpus.words), np.int32)
        used = kernel.inside_keys(corpus, level, states, possessive, keys, outcomes)
        tables.append(build_table(keys[:used].copy(), keys[:used], outcomes[:used]))
    return tables


def side_by_side(tables: Sequence[Table]) -> Counts:
    """Put tables one after the other into the same arrays."""
    places = np.zeros((len(tables), 2), np.int64)
    buckets, values, starts = [], [], []
    keys = filled = records = outcomes = 0
    for number, table in enumerate(tables):
        places[number] = filled, table.shift
        buckets.append(table.buckets + np.uint32(keys))
        values.append(np.where(table.values & 1, table.values + np.uint32(2 * records), table.values))
        starts.append(table.starts[:-1] + np.uint32(outcomes))
        keys += len(table.keys)
        filled += len(table.buckets)
        records += len(table.totals)
        outcomes += len(table.outcomes)
    starts.append(np.array([outcomes], np.uint32))
    return Counts(
        places,
        np.concatenate([table.keys for table in tables]),
        np.concatenate(buckets),
        np.concatenate(values),
        np.concatenate([table.totals for table in tables]),
        np.concatenate(starts),
        np.concatenate([table.outcomes for table in tables]),
        np.concatenate([table.counts for table in tables]),
    )
