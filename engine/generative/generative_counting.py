"""Counting the second model: a treebank's trees as derivations, and the counts of their events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from engine.common.arrays import BoolArray, Int8Array, Int16Array, Int32Array, Int64Array
from engine.generative import generative_estimates_kernel
from engine.generative.generative_layout import (
    COMPLEMENT_NAMES,
    LEAST_COUNT,
    LEVELS,
    NOT_COMPLEMENT,
    PP_LABEL,
    GenerativeCounts,
)
from engine.structure.constituents import JOINED
from engine.structure.distance import VERB_TAGS
from engine.structure.hashing_layout import HASH_BITS

_LEAST_BUCKET_BITS = 10
_EVENTS_AT_ONCE = 1 << 18
RARE = 1
"""A word met no more often is known by its class alone."""
_S_LABELS = ("S", "SINV", "SQ")


def complement_classes(labels: Iterable[str]) -> Int32Array:
    """By label its class among complements; a conjunct's is its label's, and one more stands for unknown labels."""
    classes = {name: number for number, name in enumerate(COMPLEMENT_NAMES[: PP_LABEL + 1]) if name}
    classes |= dict.fromkeys(_S_LABELS, classes["S"])
    return np.array(
        [*(classes.get(label.rstrip(JOINED), NOT_COMPLEMENT) for label in labels), NOT_COMPLEMENT], np.int32
    )


def verb_tags(tags: Iterable[str]) -> Int8Array:
    """By tag 1 for a verb's; one more stands for unknown tags."""
    return np.array([*(tag in VERB_TAGS for tag in tags), False], np.int8)


def verbs_before(tags: Int32Array, is_verb: Int8Array) -> Int32Array:
    """How many verbs stand before each word, and before the end."""
    found = np.zeros(len(tags) + 1, np.int32)
    np.cumsum(is_verb[tags], out=found[1:])
    return found


@dataclass(frozen=True, slots=True)
class TreeColumns:
    """The gold trees of a treebank as the second model counts them, one sentence after the other.

    Attributes
    ----------
    step_starts, steps
        The derivations: where each starts, one number more at the end; and their steps.
    starts, words, tags
        The words: where those of each sentence start; their numbers, and the numbers of classes they would have; tags.
    marks
        Kinds of punctuation before every word and after the last: one number more a sentence.
    """

    step_starts: Int64Array
    steps: Int16Array
    starts: Int64Array
    words: Int32Array
    classes: Int16Array
    tags: Int16Array
    marks: Int8Array

    def common_words(self, sentences: Int64Array, vocabulary: int) -> BoolArray:
        """Of every word of the vocabulary whether these sentences have it more than rarely."""
        chosen = np.zeros(len(self.starts) - 1, bool)
        chosen[sentences] = True
        rows = np.repeat(chosen, np.diff(self.starts))
        common: BoolArray = np.bincount(self.words[rows], minlength=vocabulary) > RARE
        return common


class TreeColumnsBuilder:
    """Collects trees one by one."""

    def __init__(self) -> None:
        self._steps: list[Int16Array] = []
        self._words: list[Int32Array] = []
        self._classes: list[Int16Array] = []
        self._tags: list[Int16Array] = []
        self._marks: list[Int8Array] = []

    def add(
        self, steps: Int32Array, words: Int32Array, classes: Int32Array, tags: Int32Array, marks: Int32Array
    ) -> None:
        """Add one tree: its derivation, and its words without punctuation."""
        self._steps.append(steps.astype(np.int16))
        self._words.append(words.astype(np.int32))
        self._classes.append(classes.astype(np.int16))
        self._tags.append(tags.astype(np.int16))
        self._marks.append(marks.astype(np.int8))

    def columns(self) -> TreeColumns:
        """All trees together."""
        return TreeColumns(
            _starts([len(steps) for steps in self._steps]),
            np.concatenate([np.zeros((0, 6), np.int16), *self._steps]),
            _starts([len(words) for words in self._words]),
            np.concatenate([np.zeros(0, np.int32), *self._words]),
            np.concatenate([np.zeros(0, np.int16), *self._classes]),
            np.concatenate([np.zeros(0, np.int16), *self._tags]),
            np.concatenate([np.zeros(0, np.int8), *self._marks]),
        )


def _starts(sizes: Iterable[int]) -> Int64Array:
    found: Int64Array = np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))])
    return found


def count_trees(
    trees: TreeColumns,
    sentences: Int64Array,
    times: Int64Array,
    labels: Iterable[str],
    tags: Iterable[str],
    common: BoolArray,
    step: Callable[[float], None] = lambda share: None,
) -> GenerativeCounts:
    """The counts of some sentences' events.

    Parameters
    ----------
    trees
        All trees.
    sentences, times
        Which of them to count, and how many times each counts.
    labels, tags
        The vocabulary's.
    common
        Of every word whether it is known by itself.
    step
        Called now and then with the share done; may stop the work by raising.
    """
    complements, is_verb = complement_classes(labels), verb_tags(tags)
    # Each sentence's marks are one more than its words.
    mark_starts = trees.starts + np.arange(len(trees.starts))
    pairs: list[tuple[Int64Array, Int32Array, Int32Array]] = []
    contexts = np.empty(LEVELS * _EVENTS_AT_ONCE, np.int64)
    outcomes = np.empty(LEVELS * _EVENTS_AT_ONCE, np.int32)
    weights = np.empty(LEVELS * _EVENTS_AT_ONCE, np.int32)
    filled = 0
    for number, at in enumerate(sentences.tolist()):
        first, end = trees.starts[at], trees.starts[at + 1]
        numbers = trees.words[first:end]
        words = np.where(common[numbers], numbers, trees.classes[first:end])
        sentence_tags = trees.tags[first:end].astype(np.int32)
        events = generative_estimates_kernel.tree_events(
            trees.steps[trees.step_starts[at] : trees.step_starts[at + 1]].astype(np.int32),
            words,
            sentence_tags,
            verbs_before(sentence_tags, is_verb),
            trees.marks[mark_starts[at] : mark_starts[at + 1]].astype(np.int32),
            complements,
        )
        if filled + LEVELS * len(events) > len(contexts):
            pairs.append((contexts[:filled].copy(), outcomes[:filled].copy(), weights[:filled].copy()))
            filled = 0
            step(number / len(sentences))
        after = generative_estimates_kernel.event_contexts(events, contexts, outcomes, filled)
        weights[filled:after] = times[number]
        filled = after
    pairs.append((contexts[:filled], outcomes[:filled], weights[:filled]))
    return counts_of(*(np.concatenate(columns) for columns in zip(*pairs, strict=True)))


def counts_of(contexts: Int64Array, outcomes: Int32Array, times: Int32Array) -> GenerativeCounts:
    """Counts of events: the context and outcome of each, and how many times it counts.

    A context of a single event is left out, however many times that counts (`LEAST_COUNT`).
    """
    order = np.argsort(contexts, kind="stable")
    contexts, outcomes, times = contexts[order], outcomes[order], times[order]
    new = np.concatenate([[True], contexts[1:] != contexts[:-1]])[: len(contexts)]
    firsts = np.flatnonzero(new)
    often = np.diff(np.append(firsts, len(contexts))) >= LEAST_COUNT
    kept = np.repeat(often, np.diff(np.append(firsts, len(contexts))))
    keys = contexts[firsts[often]]
    numbers = np.cumsum(new)[kept]
    numbers = np.cumsum(np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(numbers)]) - 1
    outcomes, times = outcomes[kept], times[kept]
    # Outcomes of a context in increasing order: they begin with the classes, which are negative.
    lowest = int(outcomes.min(initial=0))
    joined = (numbers.astype(np.int64) << 32) | (outcomes.astype(np.int64) - lowest)
    order = np.argsort(joined, kind="stable")
    joined, times = joined[order], times[order]
    firsts = np.flatnonzero(np.concatenate([[True], joined[1:] != joined[:-1]])[: len(joined)])
    counts = np.add.reduceat(times, firsts).astype(np.int32) if len(firsts) else np.zeros(0, np.int32)
    joined = joined[firsts]
    sizes = np.bincount(joined >> 32, minlength=len(keys))
    return with_buckets(keys, sizes, ((joined & 0xFFFFFFFF) + lowest).astype(np.int32), counts)


def with_buckets(contexts: Int64Array, sizes: Int64Array, outcomes: Int32Array, counts: Int32Array) -> GenerativeCounts:
    """The counts as kernels look them up: contexts in increasing order, how many outcomes each has, and these."""
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    totals = np.add.reduceat(counts, starts[:-1]) if len(contexts) else np.zeros(0, np.int32)
    bits = max(_LEAST_BUCKET_BITS, len(contexts).bit_length())
    shift = HASH_BITS - bits
    buckets = np.zeros((1 << bits) + 1, np.int32)
    np.cumsum(np.bincount(contexts >> shift, minlength=1 << bits), out=buckets[1:])
    return GenerativeCounts(shift, buckets, contexts, totals.astype(np.int32), starts, outcomes, counts)
