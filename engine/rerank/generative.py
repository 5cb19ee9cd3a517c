"""The second model: P(tree, words) of a head-driven generative model, counted from trees, each decision with its
counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import (
    AnyArray,
    BoolArray,
    FloatArray,
    Int8Array,
    Int16Array,
    Int32Array,
    Int64Array,
    starts_of,
)
from engine.common.errors import DamagedPart
from engine.counts.corpus import Vocabulary
from engine.gate.checked_json import ValueProblem
from engine.gate.stored_arrays import StoredArray, check_relations, check_types
from engine.rerank import generative_kernel
from engine.rerank import generative_layout as layout
from engine.rerank.generative_layout import GenerativeCounts
from engine.structure.constituents import JOINED
from engine.structure.distance import VERB_TAGS
from engine.structure.sentence_layout import HASH_BITS, HASH_MASK

# Classes of rare words: how a word is written and how it ends, since it was met too rarely to be known by itself.

SUFFIXES = (
    *("ing", "ed", "ly", "tion", "sion", "ment", "ness", "ity", "ies", "s", "er", "or", "est", "al", "ous", "ive"),
    *("able", "ible", "ic", "ful", "ion", "y", "e", "in", "a", ""),
)
"""The first that fits is a word's; the last fits every word."""
SHAPES = ("9", "A", "a", "9-", "A-", "a-")
"""With a digit, with a capital letter at the beginning, other; and the same with a hyphen."""
CLASSES = tuple(shape + suffix for shape, suffix in product(SHAPES, SUFFIXES))
_NUMBERS = {name: layout.FIRST_CLASS - number for number, name in enumerate(CLASSES)}


def word_class(word: str) -> str:
    """Return the class of a word: ``A-ing`` begins with a capital letter, has a hyphen, and ends in -ing."""
    shape = "9" if any(map(str.isdigit, word)) else "A" if word[:1].isupper() else "a"
    lower = word.lower()
    return shape + ("-" if "-" in word else "") + next(suffix for suffix in SUFFIXES if lower.endswith(suffix))


@lru_cache(1 << 14)
def class_number(word: str) -> int:
    """Return the number that stands for a rare word."""
    return _NUMBERS[word_class(word)]


def class_name(number: int) -> str:
    """Return what a class is called: ``a…ing``."""
    name = CLASSES[layout.FIRST_CLASS - number]
    shape = name[:2] if name[1:2] == "-" else name[:1]
    return f"{shape}…{name[len(shape) :]}"


def numbers_with_classes(numbers: Iterable[int], words: Iterable[str], common: Sequence[bool]) -> Int32Array:
    """Words as the second model knows them: by number if they are common, else by class.

    Parameters
    ----------
    numbers, words
        Numbers (negative if unknown) and spellings.
    common
        Of every word of the vocabulary whether it is known by itself.
    """
    pairs = zip(numbers, words, strict=True)
    found = [number if number >= 0 and common[number] else class_number(word) for number, word in pairs]
    return np.array(found, np.int32)


# Counting the second model: a treebank's trees as derivations, and the counts of their events.

_LEAST_BUCKET_BITS = 10
_EVENTS_AT_ONCE = 1 << 18
RARE = 1
"""A word met no more often is known by its class alone."""
_S_LABELS = ("S", "SINV", "SQ")
_WORD_TYPES = (np.int32, np.int16, np.int16, np.int8)
"""Of the columns of words: their numbers, classes and tags, and the marks beside them."""


def complement_classes(labels: Iterable[str]) -> Int32Array:
    """By label its class among complements; a conjunct's is its label's, and one more stands for unknown labels."""
    classes = {name: number for number, name in enumerate(layout.COMPLEMENT_NAMES[: layout.PP_LABEL + 1]) if name}
    classes |= dict.fromkeys(_S_LABELS, classes["S"])
    return np.array(
        [*(classes.get(label.rstrip(JOINED), layout.NOT_COMPLEMENT) for label in labels), layout.NOT_COMPLEMENT],
        np.int32,
    )


def verb_tags(tags: Iterable[str]) -> Int8Array:
    """By tag 1 for a verb's; one more stands for unknown tags."""
    return np.array([*(tag in VERB_TAGS for tag in tags), False], np.int8)


def verbs_before(tags: Int32Array, is_verb: Int8Array) -> Int32Array:
    """Return how many verbs stand before each word, and before the end."""
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

    @classmethod
    def of(cls, trees: Iterable[Sequence[Int32Array]]) -> TreeColumns:
        """Return those of some trees: of each its derivation, the numbers, classes and tags of its words,
        and the marks.
        """
        kept: list[list[AnyArray]] = [[np.zeros((0, 6), np.int16)], *([np.zeros(0, kind)] for kind in _WORD_TYPES)]
        for tree in trees:
            for column, array in zip(kept, tree, strict=True):
                column.append(array.astype(column[0].dtype))
        steps, words = ([len(array) for array in column[1:]] for column in kept[:2])
        derivations, *of_words = map(np.concatenate, kept)
        return cls(starts_of(steps), derivations, starts_of(words), *of_words)

    def common_words(self, sentences: Int64Array, vocabulary: int) -> BoolArray:
        """Of every word of the vocabulary whether these sentences have it more than rarely."""
        chosen = np.zeros(len(self.starts) - 1, bool)
        chosen[sentences] = True
        rows = np.repeat(chosen, np.diff(self.starts))
        common: BoolArray = np.bincount(self.words[rows], minlength=vocabulary) > RARE
        return common


def count_trees(
    trees: TreeColumns,
    sentences: Int64Array,
    times: Int64Array,
    labels: Iterable[str],
    tags: Iterable[str],
    common: BoolArray,
    step: Callable[[float], None] = lambda share: None,
) -> GenerativeCounts:
    """Return the counts of some sentences' events.

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
    contexts = np.empty(layout.LEVELS * _EVENTS_AT_ONCE, np.int64)
    outcomes = np.empty(layout.LEVELS * _EVENTS_AT_ONCE, np.int32)
    weights = np.empty(layout.LEVELS * _EVENTS_AT_ONCE, np.int32)
    filled = 0
    for number, at in enumerate(sentences.tolist()):
        first, end = trees.starts[at], trees.starts[at + 1]
        numbers = trees.words[first:end]
        words = np.where(common[numbers], numbers, trees.classes[first:end])
        sentence_tags = trees.tags[first:end].astype(np.int32)
        events = generative_kernel.tree_events(
            trees.steps[trees.step_starts[at] : trees.step_starts[at + 1]].astype(np.int32),
            words,
            sentence_tags,
            verbs_before(sentence_tags, is_verb),
            trees.marks[mark_starts[at] : mark_starts[at + 1]].astype(np.int32),
            complements,
        )
        if filled + layout.LEVELS * len(events) > len(contexts):
            pairs.append((contexts[:filled].copy(), outcomes[:filled].copy(), weights[:filled].copy()))
            filled = 0
            step(number / len(sentences))
        after = generative_kernel.event_contexts(events, contexts, outcomes, filled)
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
    often = np.diff(np.append(firsts, len(contexts))) >= layout.LEAST_COUNT
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
    """Return the counts as kernels look them up: contexts in increasing order, how many
    outcomes each has, and these.
    """
    starts = starts_of(sizes).astype(np.int32)
    totals = np.add.reduceat(counts, starts[:-1]) if len(contexts) else np.zeros(0, np.int32)
    bits = max(_LEAST_BUCKET_BITS, len(contexts).bit_length())
    shift = HASH_BITS - bits
    buckets = np.zeros((1 << bits) + 1, np.int32)
    np.cumsum(np.bincount(contexts >> shift, minlength=1 << bits), out=buckets[1:])
    return GenerativeCounts(shift, buckets, contexts, totals.astype(np.int32), starts, outcomes, counts)


# Whether the arrays of a second model are such as its kernels may look into, whoever wrote them.
#
# A context is found by the upper bits of its hash, and its outcomes where the sizes of those before it say; what was
# met must have been met at least once, for the kernels divide by it.

FULLEST_BUCKET = 256
"""Contexts in one bucket at most, which are looked through one by one; the fullest of ``english`` has 7."""
ARRAYS = (
    StoredArray("contexts", np.int64, "hashes of the contexts, each as what it is more than the one before"),
    StoredArray("sizes", np.int32, "how many outcomes every context has", length="contexts", least=1),
    StoredArray("outcomes", np.int32, "the outcomes of all contexts", length="counts"),
    StoredArray("counts", np.int32, "how often every outcome was met", least=1),
    StoredArray("common", np.uint8, "one bit for every word: whether it is known by itself"),
)
"""The arrays of a second model in a model file."""


def checked_contexts(arrays: Mapping[str, AnyArray], words: int) -> Int64Array:
    """Return the hashes of the contexts, which are stored as differences, if all arrays are those of a second model.

    Raise :class:`DamagedPart` if they are not; `words` is how many the vocabulary has.
    """
    try:
        check_types(ARRAYS, arrays)
        check_relations(ARRAYS, arrays)
    except ValueProblem as problem:
        raise _damaged(str(problem)) from problem
    differences, sizes, outcomes, counts = (arrays[name] for name in ("contexts", "sizes", "outcomes", "counts"))
    if len(arrays["common"]) != -(-words // 8):
        raise _damaged("it knows other words")
    contexts: Int64Array = np.cumsum(differences)
    # A sum that has no room becomes smaller than the one before.
    if bool(np.any(contexts[1:] <= contexts[:-1])) or bool(np.any((contexts < 0) | (contexts > HASH_MASK))):
        raise _damaged("its contexts do not increase")
    if int(sizes.sum(dtype=np.int64)) != len(counts):
        raise _damaged("its sizes do not fit its outcomes")
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    if len(starts) and int(np.add.reduceat(counts, starts, dtype=np.int64).max()) > np.iinfo(np.int32).max:
        raise _damaged("its counts are too large")
    is_first = np.zeros(len(outcomes), bool)
    is_first[starts] = True
    if not np.all((outcomes[1:] > outcomes[:-1]) | is_first[1:]):
        raise _damaged("the outcomes of a context do not increase")
    return contexts


def check_buckets(counts: GenerativeCounts) -> None:
    """Raise :class:`DamagedPart` if a context would have to be looked for among very many."""
    if int(np.diff(counts.buckets).max()) > FULLEST_BUCKET:
        raise _damaged("its contexts are too much alike")


def _damaged(problem: str) -> DamagedPart:
    return DamagedPart(f"its second model is damaged: {problem}")


# The second model: P(tree, words) of a head-driven generative model, each decision with its counts.
#
# The parser's own model knows words in pairs; this one knows a head with all that it takes: which complements, how many
# modifiers on either side, and where they stop.  The re-ranker weighs its log probability with the features of trees.

GENERATIVE_FORMAT = 1
"""The version of the events, their levels and the hash."""


class GenerativeLevel(NamedTuple):
    """One level of back-off of an event.

    Attributes
    ----------
    name
        The table that it looks into.
    fields
        The columns of an event that it looks at (:mod:`engine.rerank.generative_layout`).
    met, total, distinct
        How often the outcome was met in this context, how often the context, and with how many different outcomes;
        0 where the context was not met twice.
    weight
        λ = n / (n + 4 u): its weight against all levels after it.
    """

    name: str
    fields: tuple[int, ...]
    met: int
    total: int
    distinct: int
    weight: float


class GenerativeEvent(NamedTuple):
    """One decision of the second model in a tree.

    Attributes
    ----------
    row
        The event in numbers.
    kind, outcome
        What was decided, and how.
    node, place
        The constituent's number in the derivation, and the position of the word that it is about.
    levels
        The levels of back-off, finest first.
    probability
        The estimate.
    """

    row: tuple[int, ...]
    kind: int
    outcome: int
    node: int
    place: int
    levels: tuple[GenerativeLevel, ...]
    probability: float

    @property
    def log(self) -> float:
        """Its share of the tree's log probability."""
        return math.log(self.probability)


class GenerativeModel:
    """The second model's counts, with the words that it knows by themselves.

    Parameters
    ----------
    counts
        The counts.
    common
        Of every word of the vocabulary whether it is known by itself, and not by its class.
    vocabulary
        Of the model that it belongs to.

    Attributes
    ----------
    complements
        By label its class among complements.
    verb_tags
        By tag 1 for a verb's.
    """

    def __init__(self, counts: GenerativeCounts, common: BoolArray, vocabulary: Vocabulary) -> None:
        if len(common) != len(vocabulary.words):
            raise DamagedPart("its second model is damaged")
        self.counts = counts
        self.common = common
        self._is_common: list[bool] = common.tolist()
        self.complements = complement_classes(vocabulary.labels)
        self.verb_tags = verb_tags(vocabulary.tags)
        # To the compiler arrays that can be written are another type.
        for array in (*counts[1:], common, self.complements, self.verb_tags):
            array.setflags(write=False)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that was counted, as arrays to be stored: hashes as differences, which pack better."""
        counts = self.counts
        return {
            "contexts": np.diff(counts.contexts, prepend=np.int64(0)),
            "sizes": np.diff(counts.starts).astype(np.int32),
            "outcomes": counts.outcomes,
            "counts": counts.counts,
            "common": np.packbits(self.common),
        }

    @property
    def metadata(self) -> dict[str, Any]:
        """What is worth knowing of it."""
        return {"format": GENERATIVE_FORMAT, "contexts": len(self.counts.contexts)}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any], vocabulary: Vocabulary
    ) -> GenerativeModel:
        """Return the model whose :meth:`arrays` these are; raise :class:`DamagedPart` if they belong to none."""
        if metadata.get("format") != GENERATIVE_FORMAT:
            raise DamagedPart(f"its second model has format {metadata.get('format')!r}, not {GENERATIVE_FORMAT}")
        contexts = checked_contexts(arrays, len(vocabulary.words))
        made = with_buckets(contexts, arrays["sizes"].astype(np.int64), arrays["outcomes"], arrays["counts"])
        check_buckets(made)
        common = np.unpackbits(arrays["common"])[: len(vocabulary.words)].astype(bool)
        return cls(made, common, vocabulary)

    def words(self, numbers: Sequence[int], words: Sequence[str]) -> Int32Array:
        """Words as this model knows them: by number or, if they are rare or unknown, by class."""
        return numbers_with_classes(numbers, words, self._is_common)

    def verbs_before(self, tags: Int32Array) -> Int32Array:
        """Return how many verbs stand before each word, and before the end."""
        return verbs_before(tags, self.verb_tags)

    def rows(self, steps: Int32Array, words: Int32Array, tags: Int32Array, marks: Int32Array) -> Int32Array:
        """Return the events of a tree, one row each (:mod:`engine.rerank.generative_layout`)."""
        found: Int32Array = generative_kernel.tree_events(
            steps, words, tags, self.verbs_before(tags), marks, self.complements
        )
        return found

    def log_probabilities(self, rows: Int32Array) -> FloatArray:
        """Return the log probability of every event."""
        found: FloatArray = generative_kernel.estimates(self.counts, rows)[1]
        return found

    def events(self, rows: Int32Array) -> list[GenerativeEvent]:
        """Return the events of a tree with what was looked up and mixed for each."""
        probabilities, _, steps = generative_kernel.estimates(self.counts, rows)
        found = []
        for row, probability, mixed in zip(rows.tolist(), probabilities.tolist(), steps.tolist(), strict=True):
            kind = row[layout.EVENT_KIND]
            levels = tuple(
                GenerativeLevel(name, fields, int(met), int(total), int(distinct), weight)
                for (name, fields), (met, total, distinct, weight) in zip(layout.BACKOFF[kind], mixed, strict=False)
            )
            where = row[layout.EVENT_NODE], row[layout.EVENT_PLACE]
            found.append(GenerativeEvent(tuple(row), kind, row[layout.OUTCOME], *where, levels, probability))
        return found
