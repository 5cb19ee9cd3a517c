"""Counting a corpus (sections 2.2, 2.4 and 2.5): its events with their keys, and C(...) and C(R, ...) at every back-
off level.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from engine.common.arrays import BoolArray, Int32Array, Int64Array, IntArray
from engine.common.errors import EngineError
from engine.counts import events_kernel as pair_events_kernel
from engine.counts import events_kernel as span_events_kernel
from engine.counts.contexts import (
    between_classes,
    columns_of,
    field_bits,
    key_width,
    neighbours_of_rows,
    pack,
    widths_of,
)
from engine.counts.corpus import Corpus
from engine.counts.counts_layout import NOT_REDUCED, ROOT, VALUE_MASK, ContextWord, Counts, Widths
from engine.counts.events_kernel import PairChoice, PairFeatures, PairSink, SpanSink, span_names
from engine.counts.lookup_kernel import fill_constituent, fill_gap, fill_root
from engine.counts.specifications_layout import NO_FIELD, SPAN_ENDS, TABLES, CountedFactor
from engine.counts.tables import CountedTable, all_tables, counted_tables, names_fit, sum_up, too_many_names
from engine.structure.sentence_layout import GAP_BETWEEN, GAP_CONTINUE, GAP_END, GAP_NULL, GAP_START

# Events of a corpus, with their keys in every count table: pairs of words, gaps, constituents, reduced words, spans.
#
# Counting (:mod:`engine.counts.counting`) and evidence (:mod:`engine.study`) both take their keys from here,
# so that the sentences shown for a count are those that were counted.  The fields of a key are those of the table's
# specification (:mod:`engine.counts.specifications_layout`).

NO_OUTCOME = -1
"""In place of an outcome: a context in which nothing happened."""
_NO_NUMBERS = np.empty(0, np.int64)
_NO_OUTCOMES = np.empty(0, np.int32)
_NO_ROWS = np.empty((0, 2), np.int64)


class Events(NamedTuple):
    """Places in a corpus where contexts of one table occur, and what happened there.

    Attributes
    ----------
    keys
        The key of every context; none where they were asked for.
    outcomes
        Relation, gap tag, unary parent, label of the root or of a phrase; ``NO_OUTCOME`` for none.
    rows
        Two rows of the columns for each: modifier and head, left and right word, first and last word of a span, or
        twice the head-word of a constituent or of the sentence.
    first, last
        First and last row of what is meant as a whole.
    """

    keys: Int64Array
    outcomes: IntArray
    rows: Int64Array
    first: Int64Array
    last: Int64Array

    def at(self, places: IntArray) -> Events:
        """Choose some of them."""
        return Events(
            self.keys[places], self.outcomes[places], self.rows[places], self.first[places], self.last[places]
        )


class Counting(NamedTuple):
    """Input of a table: the key of every context, and key and outcome of every event in one.

    The sentences of both are numbered in increasing order.
    """

    keys: Int64Array
    event_keys: Int64Array
    event_outcomes: IntArray
    sentences: IntArray
    event_sentences: IntArray


class CorpusEvents:
    """The events of a corpus in every table, with keys of these widths."""

    def __init__(self, corpus: Corpus, widths: Widths) -> None:
        self._corpus = corpus
        self._columns = corpus.columns
        self._widths = widths
        self._bits = field_bits(widths)

    def counting(self, table: int) -> Counting:
        """Collect everything that one table counts."""
        match TABLES[table].factor:
            case CountedFactor.DEPENDENCY:
                return self._count_pairs(table)
            case factor:
                events = self._spans(table, _NO_NUMBERS, True) if factor is CountedFactor.SPAN else self.all(table)
                happened = events.outcomes != NO_OUTCOME
                sentences = self.sentence_of[events.first]
                return Counting(
                    events.keys, events.keys[happened], events.outcomes[happened], sentences, sentences[happened]
                )

    def all(self, table: int) -> Events:
        """List every gap, constituent or reduced word in the order of the corpus; pairs and spans are too many."""
        match TABLES[table].factor:
            case CountedFactor.GAP:
                return self._gaps(table)
            case CountedFactor.UNARY:
                return self._unaries(table)
            case CountedFactor.ROOT:
                return self._roots(table)
            case factor:
                raise ValueError(f"the events of {factor} tables are only found by their keys")

    def find(self, table: int, keys: Int64Array, as_modifier: BoolArray, as_head: BoolArray) -> Events:
        """Find the events with one of some sorted keys; pairs only of a possible modifier and a possible head."""
        if not len(keys):
            return Events(_NO_NUMBERS, _NO_OUTCOMES, _NO_ROWS, _NO_NUMBERS, _NO_NUMBERS)
        match TABLES[table].factor:
            case CountedFactor.DEPENDENCY:
                return self._find_pairs(table, keys, as_modifier, as_head)
            case CountedFactor.SPAN:
                return self._spans(table, keys, False)
            case _:
                events = self.all(table)
                return events.at(np.flatnonzero(np.isin(events.keys, keys)))

    @cached_property
    def sentence_of(self) -> IntArray:
        """The sentence of every row."""
        sizes = np.diff(self._columns.starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @cached_property
    def reduced(self) -> BoolArray:
        """The rows that are words of the reduced sentence, as a mask."""
        reduced: BoolArray = self._columns.heads != NOT_REDUCED
        return reduced

    @cached_property
    def _features(self) -> PairFeatures:
        before, after = neighbours_of_rows(self._columns)
        return PairFeatures(before, after, between_classes(self._corpus.vocabulary.tags))

    @cached_property
    def _phrases(self) -> tuple[Int64Array, IntArray]:
        """The phrases inside baseNPs: their names (:func:`span_names`), sorted, and their labels."""
        corpus, vocabulary = self._corpus, self._corpus.vocabulary
        numbers = np.zeros(len(vocabulary.labels) + 1, np.int32)
        for number, label in enumerate(vocabulary.phrases, 1):
            numbers[vocabulary.labels.index(label)] = number
        labels = numbers[corpus.inside_labels]
        # A possessive NP is no phrase: it has number 0.
        rows, ends, labels = corpus.inside_rows[labels > 0], corpus.inside_ends[labels > 0], labels[labels > 0]
        names = span_names(rows, ends - rows)
        # Of two alike the outer one comes first.
        order = np.argsort(names, kind="stable")
        return names[order], labels[order]

    def _write_spans(self, table: int, keys: Int64Array, sink: SpanSink) -> int:
        tags = self._corpus.vocabulary.tags
        possessive = tags.index("POS") if "POS" in tags else -1
        return span_events_kernel.span_events(self._columns, self._bits, table, possessive, keys, sink)

    @cached_property
    def _span_total(self) -> int:
        """The number of spans within baseNPs."""
        return self._write_spans(SPAN_ENDS, _NO_NUMBERS, SpanSink(_NO_NUMBERS, _NO_ROWS))

    def _in_context(self, rows: IntArray, first: IntArray, last: IntArray) -> ContextWord:
        """Words as contexts see them, with what stands before and after the parts of sentences that they are about."""
        columns, features = self._columns, self._features
        beside = features.before[first], features.after[last + 1]
        return ContextWord._make((columns.words[rows], columns.tags[rows], *beside))

    def _gaps(self, table: int) -> Events:
        columns = self._columns
        inner = np.ones(len(columns.words), bool)
        inner[columns.starts[:-1]] = False
        right = np.flatnonzero(inner)
        left = right - 1
        in_left, in_right = columns.chunk[left] > 0, columns.chunk[right] > 0
        same = columns.first[left] == columns.first[right]
        outcomes = np.where(
            in_left & in_right,
            np.where(same, GAP_CONTINUE, GAP_BETWEEN),
            np.where(in_right, GAP_START, np.where(in_left, GAP_END, GAP_NULL)),
        ).astype(np.int32)
        words = self._in_context(left, left, left), self._in_context(right, right, right)
        keys = pack(self._widths, table, columns_of(fill_gap, *words, columns.commas[right] > 0))
        return Events(keys, outcomes, np.stack([left, right], axis=1), left, right)

    def _unaries(self, table: int) -> Events:
        corpus, columns = self._corpus, self._columns
        heads, first, ends = corpus.unary_rows, corpus.unary_first, corpus.unary_ends
        head = self._in_context(heads, first, ends - 1)
        found = columns_of(fill_constituent, corpus.unary_labels, head, corpus.unary_children, columns.tags[first])
        keys = pack(self._widths, table, found)
        return Events(keys, corpus.unary_parents, np.stack([heads, heads], axis=1), first, ends - 1)

    def _roots(self, table: int) -> Events:
        columns = self._columns
        rows = np.flatnonzero(self.reduced)
        found = columns_of(fill_root, columns.words[rows], columns.tags[rows])
        keys = pack(self._widths, table, found | {NO_FIELD: np.zeros(len(rows), np.int64)})
        outcomes = np.where(columns.heads[rows] == ROOT, columns.relations[rows], NO_OUTCOME)
        return Events(keys, outcomes, np.stack([rows, rows], axis=1), rows, rows)

    def _count_pairs(self, table: int) -> Counting:
        pairs, arrows = pair_events_kernel.count_pairs(self._columns)
        every = PairChoice(np.arange(self._corpus.sentences), self.reduced, self.reduced, _NO_NUMBERS)
        sink = PairSink(np.empty(pairs, np.int64), _NO_ROWS, np.empty(arrows, np.int64), np.empty(arrows, np.int32))
        pair_events_kernel.pair_events(self._columns, self._bits, table, self._features, every, sink)
        numbers = np.arange(self._corpus.sentences, dtype=np.int32)
        reduced, heads = (
            np.bincount(self.sentence_of[mask], minlength=len(numbers))
            for mask in (self.reduced, self._columns.heads >= 0)
        )
        return Counting(
            sink.keys,
            sink.arrow_keys,
            sink.arrow_outcomes,
            np.repeat(numbers, reduced * (reduced - 1)),
            np.repeat(numbers, heads),
        )

    def _find_pairs(self, table: int, keys: Int64Array, as_modifier: BoolArray, as_head: BoolArray) -> Events:
        columns = self._columns
        masks = (as_modifier & self.reduced, as_head & self.reduced)
        modifiers, heads = (np.add.reduceat(mask.astype(np.int64), columns.starts[:-1]) for mask in masks)
        pairs = modifiers * heads
        choice = PairChoice(np.flatnonzero(pairs), *masks, keys)
        sink = PairSink(_NO_NUMBERS, np.empty((int(pairs.sum()), 2), np.int64), _NO_NUMBERS, _NO_OUTCOMES)
        filled, _ = pair_events_kernel.pair_events(columns, self._bits, table, self._features, choice, sink)
        rows = sink.rows[:filled]
        modifier, head = rows[:, 0], rows[:, 1]
        is_arrow = columns.heads[modifier] == head - columns.starts[self.sentence_of[modifier]]
        outcomes = np.where(is_arrow, columns.relations[modifier], NO_OUTCOME)
        return Events(_NO_NUMBERS, outcomes, rows, rows.min(axis=1), rows.max(axis=1))

    def _spans(self, table: int, wanted: Int64Array, with_keys: bool) -> Events:
        """The spans with one of some sorted keys, or all of them."""
        sink = SpanSink(
            np.empty(self._span_total if with_keys else 0, np.int64), np.empty((self._span_total, 2), np.int64)
        )
        filled = self._write_spans(table, wanted, sink)
        rows = sink.rows[:filled]
        names = span_names(rows[:, 0], rows[:, 1] - rows[:, 0] + 1)
        phrases, labels = self._phrases
        outcomes = np.full(filled, NO_OUTCOME, np.int32)
        if len(phrases):
            at = np.minimum(np.searchsorted(phrases, names), len(phrases) - 1)
            outcomes = np.where(phrases[at] == names, labels[at], NO_OUTCOME).astype(np.int32)
        return Events(sink.keys[:filled], outcomes, rows, rows[:, 0], rows[:, 1])


# Count tables of a corpus (sections 2.2, 2.4 and 2.5): C(...) and C(R, ...) at every back-off level.

_COUNTED_SHARE = 0.7
"""Share of the work that counting is; the rest is summing up."""


def count_table(counting: Counting, width: int, weights: Int64Array | None) -> CountedTable:
    """Count one table.

    Parameters
    ----------
    counting
        The key of every context each time that it occurred, and key and outcome of every event in one.
    width
        How many bits a key has.
    weights
        How many times every sentence counts in preset (5); ``None`` if each counts once.
    """
    # Each event is one more occurrence of its key, which adds nothing to δ.
    keys = np.concatenate([counting.keys, counting.event_keys])
    size, events = len(counting.keys), len(counting.event_keys)
    once = np.ones(size + events, np.int32)
    once[size:] = 0
    weighted = once
    etas = weighted_etas = np.ones(events, np.int32)
    if weights is not None:
        weighted = np.zeros(size + events, np.int32)
        weighted[:size] = weights[counting.sentences]
        weighted_etas = weights[counting.event_sentences].astype(np.int32)
    places = np.arange(size, size + events)
    outcomes: Int32Array = counting.event_outcomes.astype(np.int32)
    return sum_up(keys, width, (once, weighted), places, outcomes, (etas, weighted_etas))


def all_counts(
    corpus: Corpus, weights: Int64Array | None = None, step: Callable[[float], None] = lambda share: None
) -> Counts:
    """Count every table of a corpus.

    Parameters
    ----------
    corpus
        The sentences, each of which counts once.
    weights
        How many times every sentence counts in preset (5), if not once.
    step
        Called with the share of the work done.
    """
    vocabulary = corpus.vocabulary
    widths = widths_of(vocabulary)
    if not names_fit(widths):
        times = np.bincount(corpus.columns.tags, minlength=len(vocabulary.tags)).tolist()
        tags = dict(zip(vocabulary.tags, times, strict=True))
        raise EngineError(too_many_names(len(vocabulary.words), len(vocabulary.labels), tags))
    events = CorpusEvents(corpus, widths)
    if weights is not None and bool((weights == 1).all()):
        weights = None
    counted: dict[int, Callable[[], CountedTable]] = {}
    tables = counted_tables()
    for table in tables:
        made = count_table(events.counting(table), key_width(widths, table), weights)
        counted[table] = partial(_given, made)
        step(_COUNTED_SHARE * len(counted) / len(tables))
    return all_tables(counted, widths, lambda share: step(_COUNTED_SHARE + (1 - _COUNTED_SHARE) * share))


def _given(table: CountedTable) -> CountedTable:
    return table


def table_sizes(counts: Counts) -> list[tuple[str, int, int]]:
    """List the titles of all tables, how many contexts each holds, and in how many of them something was counted."""
    sizes = []
    for table, (first, shift, width) in zip(TABLES, counts.places.tolist(), strict=True):
        part = counts.contexts[counts.buckets[first] : counts.buckets[first + (1 << (width - shift))]]
        records = (part[part & 1 == 1] & VALUE_MASK) >> 1
        sizes.append((table.title, len(part), int((counts.records[records + 1] > 0).sum())))
    return sizes
