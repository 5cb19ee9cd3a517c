"""The re-ranker: a log-linear model of whole trees over the parser's n best (after Charniak and Johnson, 2005)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import AnyArray, Float32Array, FloatArray, Int32Array, Int64Array, UInt8Array
from engine.common.errors import DamagedPart
from engine.common.numbers import ordinal, size
from engine.counts.corpus import Vocabulary
from engine.gate.checked_json import CheckedValue, ValueProblem
from engine.gate.stored_arrays import StoredArray, check_relations, check_types
from engine.rerank import features_kernel
from engine.rerank import features_layout as layout
from engine.rerank.features_layout import AFTER, BEFORE, NOTHING, TEMPLATES, Template
from engine.rerank.lists_layout import COLUMNS, GENERATIVE, WEIGHTS
from engine.structure import sentence_layout as structure
from engine.structure.constituents import Constituent
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import PUNCTUATION_TAGS

# Punctuation as the features of trees see it: which marks stand before every word.

_MARKS_OF_TAGS = {
    ",": structure.MARK_COMMA,
    ":": structure.MARK_COLON,
    "``": structure.MARK_QUOTE,
    "''": structure.MARK_QUOTE,
    '"': structure.MARK_QUOTE,
    ".": structure.MARK_STOP,
}


def punctuation_marks(sentence: TaggedSentence, lexical: bool = True) -> Int32Array:
    """Return the kinds of punctuation before every word and after the last one, for the features of trees.

    A question mark has the tag of a full stop: only where words are used (`lexical`) are the two told apart.
    """
    marks = [0]
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        if tag in PUNCTUATION_TAGS:
            marks[-1] |= _MARKS_OF_TAGS[tag] | (structure.MARK_QUESTION if lexical and word == "?" else 0)
        else:
            marks.append(0)
    return np.array(marks, np.int32)


# How the re-ranker's features are told to a reader: the texts of their templates, with what each value says.


def _length(number: int) -> str:
    """Return a bucket of :func:`engine.rerank.features_kernel.bucket`: so many words."""
    rounded = {5: "5 or 6 words", 6: "7 to 10 words", 7: "11 to 20 words", 8: "more than 20 words"}
    return rounded.get(number) or size(number, "word")


def _side(number: int) -> str:
    between, side = number >> 1, "right of it" if number & 1 else "left of it"
    return f"next to it, {side}" if between == 0 else f"{side} with {_length(between)} between them"


def _sides(number: int) -> str:
    def modifiers(count: int) -> str:
        return "4 or more modifiers" if count == 4 else "no modifier" if count == 0 else size(count, "modifier")

    return f"{modifiers(number >> 3)} left of it, {modifiers(number & 7)} right of it"


def _difference(number: int) -> str:
    if number == 0:
        return "as long as each other"
    return f"the second {_length(abs(number))} {'longer' if number > 0 else 'shorter'}"


_ALIKE = (
    "the conjuncts have different labels",
    "the conjuncts have the same label, but not their head-children",
    "the conjuncts have the same label, and so have their head-children",
    "the conjuncts have the same label, and neither has children",
)
_WHICH_IS_HEAD = (
    "neither the second nor the third is the head-child",
    "the second is the head-child",
    "the third is the head-child",
)
_COUNTS: dict[int, Callable[[int], str]] = {
    layout.LENGTH: _length,
    layout.TO_END: _length,
    layout.SIDE: _side,
    layout.SIDES: _sides,
    layout.DIFFERENCE: _difference,
    layout.ALIKE: lambda number: _ALIKE[number],
    layout.COMMA_AFTER: lambda number: "a comma and " if number else "",
    layout.COMMA_BEFORE: lambda number: " and a comma" if number else "",
    layout.COMMA_BEFORE_REST: lambda number: ", with a comma after it" if number else "",
    layout.IS_BESIDE_HEAD: lambda number: "the head" if number else "another word",
    layout.WHICH_IS_HEAD: lambda number: _WHICH_IS_HEAD[number],
}
"""What is said of a number, by the field."""
_MARKS = {
    structure.MARK_COMMA: "a comma",
    structure.MARK_COLON: "a colon or dash",
    structure.MARK_QUOTE: "a quotation mark",
    structure.MARK_STOP: "a full stop",
    structure.MARK_QUESTION: "a question mark",
}
_OPTION = re.compile(r"\[([^]|]*)(?:\|([^]]*))?\]")
_SLOT = re.compile(r"\{(?:rule(?P<rule>\d)|(?P<place>\d))\}")
_MOST_COUNTED = 15
"""A rule with more children is told as one with so many."""


def template_of(row: Sequence[int]) -> Template:
    """Return the template by which a row was written: that of its number,
    and with its constant where several have that.
    """
    return next(
        template
        for template, constants in _templates_of(row[0])
        if all(value == row[1 + at] for at, value in constants)
    )


@cache
def _templates_of(number: int) -> list[tuple[Template, list[tuple[int, int]]]]:
    return [(template, template.constants) for template in TEMPLATES if template.number == number]


def describe_feature(row: Sequence[int], vocabulary: Vocabulary) -> tuple[str, str]:
    """Return a feature's title and what it says, in words."""
    template, values = template_of(row), row[1:]
    wording = TEMPLATES[template]

    def option(found: re.Match[str]) -> str:
        missing = any(values[int(slot["place"])] == NOTHING for slot in _SLOT.finditer(found[1]))
        return (found[2] or "") if missing else found[1]

    def slot(found: re.Match[str]) -> str:
        if found["rule"]:
            return _rule(values, int(found["rule"]), vocabulary)
        place = int(found["place"])
        return _value(template.fields[place], values[place], vocabulary)

    return wording.title, _SLOT.sub(slot, _OPTION.sub(option, wording.text))


def _value(field: int, value: int, vocabulary: Vocabulary) -> str:
    """Return what a value of a field says."""
    if field in _COUNTS:
        return _COUNTS[field](value)
    if field in layout.MARKS:
        return " and ".join(name for bit, name in _MARKS.items() if value & bit) or "no punctuation"
    if value in (BEFORE, AFTER):
        side, end = ("left", "start") if value == BEFORE else ("right", "end")
        return f"the {side} edge" if field in layout.LABELS else f"the sentence’s {end}"
    if field in layout.LABELS:
        return _named(vocabulary.labels, value)
    if field in layout.TAGS:
        return _named(vocabulary.tags, value)
    if field in layout.WORDS:
        return f"‘{vocabulary.words[value]}’" if 0 <= value < len(vocabulary.words) else "an unknown word"
    tag = _named(vocabulary.tags, value >> 1)
    if not value & 1:
        return tag
    return f"{tag} and a comma" if field == layout.EDGE_BEFORE else f"a comma and {tag}"


def _rule(values: Sequence[int], shown: int, vocabulary: Vocabulary) -> str:
    """``VP → VBD NP PP (head-child 1st of 3)``; where there are more children than are told, an ellipsis."""
    count, head = values[1] & 15, (values[1] >> 4) + 1
    labels = [_named(vocabulary.labels, value) for value in values[2 : 2 + shown] if value != NOTHING]
    if count > shown:
        # With five places the fifth is the last child's.
        labels.insert(4 if shown == 5 else len(labels), "…")
    children = f"{count} or more" if count == _MOST_COUNTED else str(count)
    head_child = f" (head-child {ordinal(head)} of {children})" if count > 1 else ""
    return f"{_named(vocabulary.labels, values[0])} → {' '.join(labels)}{head_child}"


def _named(names: Sequence[str], number: int) -> str:
    return names[number] if 0 <= number < len(names) else "(unknown)"


# Whether the arrays of a re-ranker are such as its kernels may use, whoever wrote them.
#
# Where a feature is looked for follows from the keys alone (:attr:`engine.rerank.reranker.Reranker.buckets`), and is
# inside them whatever they are; there must be a weight for each, and all weights must be numbers that can be summed up.

LARGEST_WEIGHT = 1e6
"""In nats; the largest of ``english`` is below 10."""
MOST_COLUMNS = 16
"""Values of a parse that have one weight each: its log probability, the second model's, and what may come."""
ARRAYS = (
    StoredArray("keys", np.int64, "hashes of the features", least=0, below="hashes", rises=True),
    StoredArray("weights", np.float32, "what each feature weighs", length="keys", within=LARGEST_WEIGHT),
    StoredArray(
        "column_weights", np.float64, "what the log probabilities of a parse weigh",
        optional=True, within=LARGEST_WEIGHT,
    ),
)  # fmt: skip
"""The arrays of a re-ranker in a model file."""


def check_format(metadata: Mapping[str, Any]) -> None:
    """Raise :class:`DamagedPart` if a re-ranker is of another format than this program's."""
    if metadata.get("format") != RERANKER_FORMAT:
        raise DamagedPart(f"its re-ranker has format {metadata.get('format')!r}, not {RERANKER_FORMAT}")


def check_stored(arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any]) -> None:
    """Raise :class:`DamagedPart` unless these are the arrays and the metadata of a re-ranker."""
    # What another version of the program has made is not damaged, whatever is missing in it.
    check_format(metadata)
    stored = CheckedValue(metadata, "reranker")
    try:
        if stored.member("scale").number(0.0, LARGEST_WEIGHT) == 0.0:
            raise ValueProblem("its scale is 0")
        if (lists := stored.optional("lists")) is not None:
            lists.integer(0)
        check_types(ARRAYS, arrays)
    except ValueProblem as problem:
        raise DamagedPart(f"its re-ranker is damaged: {problem}") from problem


def check_weights(keys: Int64Array, weights: Float32Array, column_weights: FloatArray) -> None:
    """Raise :class:`DamagedPart` unless every key has one weight, and all weights are numbers that can be summed up."""
    arrays: dict[str, AnyArray] = {"keys": keys, "weights": weights, "column_weights": column_weights}
    try:
        check_relations(ARRAYS, arrays, {"hashes": structure.HASH_MASK + 1})
    except ValueProblem as problem:
        raise DamagedPart(f"its re-ranker is damaged: {problem}") from problem
    if not 1 <= len(column_weights) <= MOST_COLUMNS or column_weights[0] != 1.0:
        raise DamagedPart("its re-ranker is damaged: the parser's log probability should weigh 1")


# The re-ranker: a log-linear model of whole trees over the parser's n best (after Charniak and Johnson, 2005).
#
# A model of pairs of words cannot see a word's sisters or its head's head.  The re-ranker adds to the log probability
# of each of the n best parses the weights of the features that it has (:mod:`engine.rerank.features_kernel`), in
# nats, and the order of the sums is the new ranking.  It is trained by cross-validation
# (:mod:`engine.training.reranker`), stored in the model, and optional.

RERANKER_FORMAT = 3
"""The version of the templates and of the hash."""


class WeighedFeature(NamedTuple):
    """A feature of a tree: its kind, what it is, how many times the tree has it, and its weight in nats."""

    name: str
    text: str
    times: int
    weight: float


class Reranker:
    """The weights of features.

    Parameters
    ----------
    keys, weights
        Hashes of the features in increasing order, and what each weighs.
    metadata
        ``format`` and whatever is worth keeping about its training.
    column_weights
        What the real values of a parse weigh: the parser's own log probability, which weighs 1, and that of the second
        model, if there is one.
    """

    def __init__(
        self,
        keys: Int64Array,
        weights: Float32Array,
        metadata: Mapping[str, Any],
        column_weights: FloatArray | None = None,
    ) -> None:
        self.keys = np.ascontiguousarray(keys, np.int64)
        self.weights = np.ascontiguousarray(weights, np.float32)
        self.column_weights = np.array([1.0] if column_weights is None else column_weights, np.float64)
        check_format(metadata)
        check_weights(self.keys, self.weights, self.column_weights)
        self.metadata = dict(metadata)
        for array in (self.keys, self.weights, self.column_weights):
            array.setflags(write=False)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any]) -> Reranker:
        """Return the re-ranker whose :meth:`arrays` these are; raise :class:`DamagedPart` if they belong to none."""
        check_stored(arrays, metadata)
        return cls(arrays["keys"], arrays["weights"], metadata, arrays.get("column_weights"))

    @cached_property
    def _sum_weights(self) -> FloatArray:
        """What each of the sums over a tree weighs (:mod:`engine.rerank.lists_layout`)."""
        weights = np.zeros(COLUMNS)
        weights[WEIGHTS], weights[GENERATIVE] = 1.0, self.generative_weight
        return weights

    @cached_property
    def buckets(self) -> Int32Array:
        """Where the hashes with given upper bits start among `keys`."""
        buckets = np.searchsorted(self.keys >> layout.BUCKET_SHIFT, np.arange(layout.BUCKETS + 1)).astype(np.int32)
        buckets.setflags(write=False)
        return buckets

    @cached_property
    def filter_bits(self) -> UInt8Array:
        """One bit for many hashes each, 1 if one of them is among `keys`; at least eight times as many as keys."""
        size = 1 << max(8 * len(self.keys) - 1, 7).bit_length()
        found = np.zeros(size, np.uint8)
        found[(self.keys >> layout.FILTER_SHIFT) & (size - 1)] = 1
        bits = np.packbits(found, bitorder="little")
        bits.setflags(write=False)
        return bits

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all that was learnt, as arrays to be stored."""
        return {"keys": self.keys, "weights": self.weights, "column_weights": self.column_weights}

    @property
    def scale(self) -> float:
        """What a score is multiplied by to make it a log probability of the parse among those of its list."""
        return float(self.metadata["scale"])

    @property
    def generative_weight(self) -> float:
        """What the second model's log probability weighs; 0 if the re-ranker was trained without one."""
        return float(self.column_weights[1]) if len(self.column_weights) > 1 else 0.0

    def scores(self, log_probabilities: FloatArray, sums: FloatArray) -> FloatArray:
        """Return the scores of the parses of a list, from the parser's log probability and the sums over each tree."""
        found: FloatArray = log_probabilities + sums @ self._sum_weights
        return found

    def weighed(self, rows: Int32Array, vocabulary: Vocabulary) -> list[WeighedFeature]:
        """Return the features of a tree that have a weight, the weightiest first."""
        keys = features_kernel.hashes(rows)
        places = np.searchsorted(self.keys, keys)
        found: Counter[tuple[int, int]] = Counter()
        row_of: dict[int, int] = {}
        for number, (place, key) in enumerate(zip(places.tolist(), keys.tolist(), strict=True)):
            if place < len(self.keys) and self.keys[place] == key:
                found[place, key] += 1
                row_of.setdefault(place, number)
        weighed = [
            WeighedFeature(*describe_feature(rows[row_of[at]].tolist(), vocabulary), count, float(self.weights[at]))
            for (at, _), count in found.items()
        ]
        return sorted(weighed, key=lambda feature: (-abs(feature.weight * feature.times), feature.text))


NO_FEATURES = Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), {"format": RERANKER_FORMAT, "scale": 1.0})
"""A re-ranker that has learnt nothing."""


def steps_of(root: Constituent, labels: Mapping[str, int]) -> Int32Array:
    """Return the derivation of a tree, as :func:`engine.chart.chart_kernel.derivation` gives it of a parse."""
    unknown = len(labels)

    def number(label: str) -> int:
        return labels.get(label, unknown)

    steps: list[tuple[int, int, int, int, int, int]] = []
    # A constituent still to be written, or a step to write after what it stands on.
    stack: list[Constituent | tuple[int, int, int, int, int, int]] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            steps.append(item)
            continue
        node, head = item, item.head
        if not node.children:
            kind = structure.BASE if node.is_base else structure.WORD
            steps.append((kind, number(node.label), structure.NO_LABEL, head, node.start, node.end - 1))
            continue
        if len(node.children) == 1:
            stack += [
                (structure.UNARY, number(node.label), number(node.children[0].label), head, head, head),
                node.children[0],
            ]
            continue
        middle = node.head_child
        lefts, rights = node.children[:middle], node.children[middle + 1 :]
        later: list[Constituent | tuple[int, int, int, int, int, int]] = [*lefts, node.children[middle]]

        def join(kind: int, node: Constituent = node) -> tuple[int, int, int, int, int, int]:
            return kind, number(node.label), number(node.head_label), node.head, node.head, node.head

        for place, child in enumerate(rights):
            later += [child, join(structure.GROW_RIGHT if place else structure.START_RIGHT)]
        for place in range(len(lefts)):
            later.append(join(structure.START_LEFT if not rights and not place else structure.GROW_LEFT))
        stack += reversed(later)
    return np.array(steps, np.int32)
