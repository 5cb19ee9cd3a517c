"""What stands in a count table: its keys taken apart again into words, tags and answers, and told in words.

A table keeps every key exactly (:mod:`engine.counts.lookup_kernel`), permuted by a multiplication that can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.counts import counts_layout as data
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import MULTIPLIER, VALUE_BITS, VALUE_MASK, Counts, Widths
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.distance import Distance
from engine.structure.structure_layout import ADJACENT, DELTA_BITS, HEAD_FIRST

WORD, TAG, LABEL, DELTA, COMMA, BESIDE, NEAR, KINDS, LENGTH, EDGE, ANY = (
    *("word", "tag", "label", "delta", "comma", "beside", "near", "kinds", "length", "edge", "any"),
)
"""Kinds of numbers in a key; an edge is a tag counted from 1, 0 being the edge of the baseNP."""

Field = tuple[str, str]
"""The name of a number in a key, and its kind."""

_MODIFIER_WORD, _MODIFIER_TAG = ("modifier", WORD), ("modifier tag", TAG)
_HEAD_WORD, _HEAD_TAG = ("head", WORD), ("head tag", TAG)
_LEFT_WORD, _LEFT_TAG, _RIGHT_WORD, _RIGHT_TAG = ("left", WORD), ("left tag", TAG), ("right", WORD), ("right tag", TAG)
_DISTANCE, _COMMA, _NEAR = ("distance", DELTA), ("comma", COMMA), ("near", NEAR)
_LABEL, _TAG, _WORD = ("label", LABEL), ("tag", TAG), ("word", WORD)
_BEFORE, _AFTER = ("before", BESIDE), ("after", BESIDE)
_LENGTH, _FIRST_TAG, _LAST_TAG, _EDGE_AFTER = ("length", LENGTH), ("first", EDGE), ("last", EDGE), ("after", EDGE)

LAYOUTS: Mapping[int, tuple[Field, ...]] = {
    data.PAIR: (_MODIFIER_WORD, _MODIFIER_TAG, _HEAD_WORD, _HEAD_TAG, _DISTANCE),
    data.MODIFIER: (_MODIFIER_WORD, _MODIFIER_TAG, _HEAD_TAG, _DISTANCE),
    data.HEAD: (_MODIFIER_TAG, _HEAD_WORD, _HEAD_TAG, _DISTANCE),
    data.TAGS: (_MODIFIER_TAG, _HEAD_TAG, _DISTANCE),
    data.PAIR_PLAIN: (_MODIFIER_WORD, _HEAD_WORD, _DISTANCE),
    data.MODIFIER_PLAIN: (_MODIFIER_WORD, _HEAD_TAG, _DISTANCE),
    data.HEAD_PLAIN: (_HEAD_WORD, _MODIFIER_TAG, _DISTANCE),
    data.TAGS_ORDER: (_MODIFIER_TAG, _HEAD_TAG, _DISTANCE),
    data.GAP_PAIR: (_LEFT_WORD, _LEFT_TAG, _RIGHT_WORD, _RIGHT_TAG, _COMMA),
    data.GAP_LEFT: (_LEFT_WORD, _LEFT_TAG, _RIGHT_TAG, _COMMA),
    data.GAP_RIGHT: (_LEFT_TAG, _RIGHT_WORD, _RIGHT_TAG, _COMMA),
    data.GAP_TAG_PAIR: (_LEFT_TAG, _RIGHT_TAG, _COMMA),
    data.GAP_COMMA: (_COMMA,),
    data.UNARY_TAG: (_LABEL, _TAG),
    data.UNARY_LABEL: (_LABEL,),
    data.ROOT_WORD: (_WORD, _TAG),
    data.ROOT_TAG: (_TAG,),
    data.ROOT_ANY: (("any", ANY),),
    data.INSIDE_WORDS: (_LENGTH, ("first", WORD), ("last", WORD), _EDGE_AFTER),
    # All tags of a span, as many as it has: taken apart only by who knows its length.
    data.INSIDE_TAGS: (_LENGTH, *((f"tag {number}", EDGE) for number in range(1, 8))),
    data.INSIDE_EDGES: (_LENGTH, _FIRST_TAG, _LAST_TAG, _EDGE_AFTER, ("before", EDGE)),
    data.INSIDE_ENDS: (_LENGTH, _FIRST_TAG, _LAST_TAG, _EDGE_AFTER),
    data.TAGS_NEAR: (_MODIFIER_TAG, _HEAD_TAG, _DISTANCE),
    data.TAGS_ADJACENT: (_MODIFIER_TAG, _HEAD_TAG, _DISTANCE),
    data.BESIDE_MODIFIER: (_MODIFIER_TAG, _HEAD_TAG, _NEAR, _AFTER, _BEFORE),
    data.BESIDE_HEAD: (_MODIFIER_TAG, _HEAD_TAG, _NEAR, _AFTER, _BEFORE),
    data.BETWEEN: (_MODIFIER_TAG, _HEAD_TAG, _NEAR, ("between", KINDS)),
    data.GAP_BEFORE: (_LEFT_TAG, _RIGHT_TAG, _COMMA, _BEFORE),
    data.GAP_AFTER: (_LEFT_TAG, _RIGHT_TAG, _COMMA, _AFTER),
    data.GAP_AROUND: (_LEFT_TAG, _RIGHT_TAG, _COMMA, _AFTER, _BEFORE),
    data.UNARY_WORD: (_LABEL, _TAG, _WORD),
    data.UNARY_AFTER: (_LABEL, _TAG, _AFTER),
    data.UNARY_BEFORE: (_LABEL, _TAG, _BEFORE),
    data.UNARY_AROUND: (_LABEL, _TAG, _AFTER, _BEFORE),
    data.UNARY_INNER: (_LABEL, _TAG, ("head-child", LABEL), ("first tag", TAG)),
}
"""What the key of every table is made of, the leading bits first (:mod:`engine.counts.keys_kernel`)."""

DEPENDENCY_TABLES = frozenset(table for table, fields in LAYOUTS.items() if {_MODIFIER_WORD, _MODIFIER_TAG} & {*fields})
GAP_TABLES = frozenset(table for table, fields in LAYOUTS.items() if _COMMA in fields)
ROOT_TABLES = frozenset({data.ROOT_WORD, data.ROOT_TAG, data.ROOT_ANY})
INSIDE_TABLES = frozenset(table for table, fields in LAYOUTS.items() if _LENGTH in fields)
UNARY_TABLES = frozenset(LAYOUTS) - DEPENDENCY_TABLES - GAP_TABLES - ROOT_TABLES - INSIDE_TABLES


class Entries(NamedTuple):
    """All contexts of one table.

    Attributes
    ----------
    keys
        The key of every context.
    deltas
        Its δ.
    records
        Where its record is among those of the counts; −1 if nothing was counted in it.
    """

    keys: np.ndarray
    deltas: np.ndarray
    records: np.ndarray


def entries(counts: Counts, table: int) -> Entries:
    """Every context of a table."""
    first, shift, width = counts.places[table].tolist()
    borders = counts.buckets[first : first + (1 << (width - shift)) + 1].astype(np.int64)
    part = counts.contexts[borders[0] : borders[-1]]
    buckets = np.repeat(np.arange(len(borders) - 1, dtype=np.int64), np.diff(borders))
    permuted = ((buckets << shift) | (part >> VALUE_BITS)).astype(np.uint64)
    with np.errstate(over="ignore"):
        keys = permuted * np.uint64(pow(MULTIPLIER, -1, 1 << 64))
    keys &= np.uint64((1 << width) - 1)
    values = part & VALUE_MASK
    counted = values & 1 == 1
    records = np.where(counted, values >> 1, -1)
    deltas = values >> 1
    deltas[counted] = counts.records[records[counted]]
    return Entries(keys.astype(np.int64), deltas, records)


class Events(NamedTuple):
    """What was counted in a table: for every context and outcome the context's place among the entries, and η."""

    places: np.ndarray
    outcomes: np.ndarray
    etas: np.ndarray


def events(counts: Counts, found: Entries) -> Events:
    """Every outcome of every context."""
    places = np.flatnonzero(found.records >= 0)
    starts = found.records[places] + 2
    sizes = counts.records[starts - 1].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)])
    at = np.repeat(starts - 2 * first[:-1], sizes) + 2 * np.arange(first[-1])
    return Events(np.repeat(places, sizes), counts.records[at], counts.records[at + 1])


def field_bits(widths: Widths, kind: str) -> int:
    """How many bits a number of this kind takes in a key."""
    return {
        WORD: widths.word,
        TAG: widths.tag,
        EDGE: widths.tag,
        LABEL: widths.label,
        DELTA: DELTA_BITS,
        COMMA: data.COMMA_BITS,
        BESIDE: widths.tag + 1,
        NEAR: data.NEAR_BITS,
        KINDS: data.BETWEEN_BITS,
        LENGTH: 3,
        ANY: 1,
    }[kind]


def unpack(widths: Widths, table: int, keys: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers that keys of a table are made of, by their names."""
    parts: dict[str, np.ndarray] = {}
    rest = np.asarray(keys, np.int64)
    for name, kind in reversed(LAYOUTS[table]):
        bits = field_bits(widths, kind)
        parts[name] = rest & ((1 << bits) - 1)
        rest = rest >> bits
    return parts


def distance_words(table: int, code: int) -> str:
    """The answers to those questions of section 2.3 that a table asks, in words: what is not there is not named."""
    distance = Distance.from_code(code)
    order, adjacent, verb, commas, after, before = distance.words()
    found = [order]
    if table != data.TAGS_ORDER:
        found.append(adjacent)
    if distance.verb_between:
        found.append(verb)
    if distance.commas:
        found.append("commas between" if table == data.TAGS_NEAR else commas)
    if distance.comma_after_first:
        found.append(after)
    if distance.comma_before_second:
        found.append(before)
    return ", ".join(found)


QUESTIONS = ("order", "adjacent", "verb", "commas", "after first", "before second")
"""The six questions of section 2.3, as the heads of columns."""


def distance_answers(code: int) -> tuple[str, ...]:
    """The answers to the six questions, short enough for columns under :data:`QUESTIONS`."""
    distance = Distance.from_code(code)
    return (
        "head first" if distance.head_first else "modifier first",
        _yes(distance.adjacent),
        _yes(distance.verb_between),
        "> 2" if distance.commas == 3 else str(distance.commas),
        _yes(distance.comma_after_first),
        _yes(distance.comma_before_second),
    )


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def beside_words(vocabulary: Vocabulary, code: int) -> str:
    """A neighbour in words: its tag, and whether a comma is between."""
    if code == 0:
        return "the edge of the sentence"
    number = code // 2 - 1
    tag = vocabulary.tags[number] if number < len(vocabulary.tags) else "an unknown tag"
    return f"a comma and {tag}" if code & 1 else tag


def kinds_words(code: int) -> str:
    """What lies between two words, in words."""
    names = [" ".join(tags) for number, tags in enumerate(data.BETWEEN_CLASSES) if code >> number & 1]
    if code & data.SAME_AS_MODIFIER:
        names.append("the modifier's tag")
    if code & data.SAME_AS_HEAD:
        names.append("the head's tag")
    return ", ".join(names) or "none of the kinds asked about"


def describe(vocabulary: Vocabulary, widths: Widths, table: int, key: int) -> str:
    """A context in words."""
    parts = {name: int(values[0]) for name, values in unpack(widths, table, np.array([key])).items()}
    if table in DEPENDENCY_TABLES:
        return _pair_words(vocabulary, table, parts)
    if table in GAP_TABLES:
        return _gap_words(vocabulary, parts)
    if table in UNARY_TABLES:
        return _unary_words(vocabulary, parts)
    if table in ROOT_TABLES:
        return _named(vocabulary, parts, "word", "tag") or "any word"
    return (
        f"a span of {parts['length']} words or more in a baseNP"
        if parts["length"] == 7
        else (f"a span of {parts['length']} word{'' if parts['length'] == 1 else 's'} in a baseNP")
    )


def _named(vocabulary: Vocabulary, parts: Mapping[str, int], word: str, tag: str) -> str:
    """``word/TAG``, or the one of the two that the key holds."""
    found = [vocabulary.words[parts[word]]] if word in parts else []
    if tag in parts:
        number = parts[tag]
        found.append(vocabulary.tags[number] if number < len(vocabulary.tags) else "?")
    return "/".join(found)


def _pair_words(vocabulary: Vocabulary, table: int, parts: Mapping[str, int]) -> str:
    pair = f"{_named(vocabulary, parts, 'modifier', 'modifier tag')} → {_named(vocabulary, parts, 'head', 'head tag')}"
    if "distance" in parts:
        return f"{pair}: {distance_words(table, parts['distance'])}"
    code = (HEAD_FIRST if parts["near"] & 2 else 0) | (ADJACENT if parts["near"] & 1 else 0)
    answers = distance_words(data.TAGS_ADJACENT, code)
    if "between" in parts:
        return f"{pair}: {answers}; between them {kinds_words(parts['between'])}"
    which = "modifier" if table == data.BESIDE_MODIFIER else "head"
    return f"{pair}: {answers}; {_around_words(vocabulary, parts)} the {which}"


def _around_words(vocabulary: Vocabulary, parts: Mapping[str, int]) -> str:
    return " and ".join(
        f"{beside_words(vocabulary, parts[side])} {side}" for side in ("before", "after") if side in parts
    )


def _gap_words(vocabulary: Vocabulary, parts: Mapping[str, int]) -> str:
    comma = "a comma" if parts["comma"] else "no comma"
    if "left tag" not in parts:
        return f"any two words, {comma} between"
    left, right = (_named(vocabulary, parts, side, f"{side} tag") for side in ("left", "right"))
    around = _around_words(vocabulary, parts)
    return f"{left} | {right}, {comma} between" + (f"; {around}" if around else "")


def _unary_words(vocabulary: Vocabulary, parts: Mapping[str, int]) -> str:
    label = vocabulary.labels[parts["label"]] if parts["label"] < len(vocabulary.labels) else "?"
    head = _named(vocabulary, parts, "word", "tag")
    said = [f"{label} headed by {head}" if head else label]
    around = _around_words(vocabulary, parts)
    if around:
        said.append(around)
    if "head-child" in parts:
        child = vocabulary.labels[parts["head-child"]] or "no child"
        said.append(f"head-child {child}, first tag {vocabulary.tags[parts['first tag']]}")
    return "; ".join(said)


def outcome_words(vocabulary: Vocabulary, table: int, outcome: int) -> str:
    """An outcome of a table in words: a relation, a gap tag, a unary parent, a root's label, a phrase; −1 for none."""
    if outcome < 0:
        return (
            "no relation" if table in DEPENDENCY_TABLES else "no phrase" if table in INSIDE_TABLES else "not the root"
        )
    if table in DEPENDENCY_TABLES:
        return f"<{','.join(vocabulary.triples[outcome])}>" if outcome < len(vocabulary.triples) else "<?>"
    if table in GAP_TABLES:
        return f"gap tag {GAP_LETTERS[outcome]}"
    if table in INSIDE_TABLES:
        return vocabulary.phrases[outcome - 1]
    label = vocabulary.labels[outcome] if outcome < len(vocabulary.labels) else "?"
    if table in UNARY_TABLES:
        return f"unary {label}" if outcome else "no unary"
    return f"<{label}>"
