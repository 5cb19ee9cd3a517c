"""Contexts of count tables: features of a sentence that they look at, their keys packed and taken apart, their
wording.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import unwrap
from operator import add

import numpy as np

from engine.common.arrays import Int32Array, Int64Array
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import (
    BETWEEN_BITS,
    BETWEEN_CLASSES,
    COMMA_BITS,
    LENGTH_BITS,
    LONGEST_SPAN,
    MOST_SPAN_TAGS,
    ORDER_BITS,
    SAME_AS_HEAD,
    SAME_AS_MODIFIER,
    CorpusColumns,
    Widths,
)
from engine.counts.lookup_kernel import key_of
from engine.counts.specifications_layout import (
    DISTANCE_ADJACENCY,
    DISTANCE_ANY_COMMAS,
    DISTANCE_ORDER,
    FIELDS,
    TABLES,
    CountedFactor,
    FieldKind,
)
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.distance import Distance
from engine.structure.sentence_layout import ADJACENT, CONTEXT_FEATURES, DELTA_BITS, HEAD_FIRST

# Context features: neighbours of a word, brackets, the classes of what lies between two words (preset 5).
#
# The paper's estimates look at two words, their tags and the distance.  Those of preset (5) look also at the tags
# beside them, which the sentence gives and no baseNP or tree changes.

OPENING, CLOSING = "-LRB-", "-RRB-"
ENDING_TAGS = frozenset({"CC", CLOSING})
"""Before these a constituent may end although a comma came before it: the extended rule on commas."""


def between_classes(tags: Sequence[str]) -> Int64Array:
    """Give every tag the bit of its class among what lies between two words, 0 for none; one more for unknown tags."""
    bits = {tag: 1 << number for number, names in enumerate(BETWEEN_CLASSES) for tag in names}
    return np.array([*(bits.get(tag, 0) for tag in tags), 0], np.int64)


def neighbours_of_rows(columns: CorpusColumns) -> tuple[Int64Array, Int64Array]:
    """Find the neighbours of what begins at every row, and of what ends before it."""
    tags = columns.tags.astype(np.int64) + 1
    comma = (columns.commas > 0).astype(np.int64)
    before = np.zeros(len(tags) + 1, np.int64)
    before[1:-1] = 2 * tags[:-1] + comma[1:]
    after = np.append(2 * tags + comma, 0)
    for codes in (before, after):
        codes[columns.starts] = 0
    return before, after


def partners(tags: Sequence[str]) -> list[int]:
    """Find the partner of every bracket; −1 for other words and for stray brackets."""
    found = [-1] * len(tags)
    open_: list[int] = []
    for position, tag in enumerate(tags):
        if tag == OPENING:
            open_.append(position)
        elif tag == CLOSING and open_:
            found[position] = open_.pop()
            found[found[position]] = position
    return found


def unbalanced(pairs: Sequence[int], start: int, end: int) -> bool:
    """Tell whether words ``start .. end`` hold one of two brackets and not the other; a single word never does."""
    if end - start < 2:
        return False
    return any(pairs[at] >= 0 and not start <= pairs[at] < end for at in range(start, end))


def context_features(tags: Sequence[str], numbers: Sequence[int], commas: Sequence[int]) -> Int32Array:
    """One row a word, for the kernels; see :class:`engine.chart.chart_layout.SentenceArrays`."""
    size = len(tags)
    pairs = partners(tags) if OPENING in tags else [-1] * size
    codes = [2 * number + 2 for number in numbers]
    comma_before = [comma > 0 for comma in commas[1:]]
    # In the order of BEFORE, AFTER, OWN_TAG, PARTNER and ENDS_BEFORE; one flat list is made into an array soonest.
    columns = [0, *map(add, codes, comma_before)] if size else []
    columns += map(add, codes[1:], comma_before)
    columns += [0] * (size > 0)
    columns += numbers
    columns += pairs
    columns += [tag in ENDING_TAGS for tag in tags]
    return np.array(columns, np.int32).reshape(CONTEXT_FEATURES, size).T.copy()


# Keys of count tables, packed and taken apart again by the fields of each table.
#
# Whole columns of contexts are filled and packed by the very kernels that do it for one, run as plain Python.


def widths_of(vocabulary: Vocabulary) -> Widths:
    """Bits for each kind of number in a key."""
    return widths_of_sizes(len(vocabulary.words), len(vocabulary.tags), len(vocabulary.labels))


def widths_of_sizes(words: int, tags: int, labels: int) -> Widths:
    """Bits for so many numbers in a key, with room for those that stand for the unknown and for edges."""
    return Widths(word=words.bit_length(), tag=(tags + 2).bit_length(), label=(labels + 1).bit_length())


@cache
def field_bits(widths: Widths) -> Int64Array:
    """Count the bits that every field takes in a key; read-only, as kernels have it with all counts."""
    kinds = {
        FieldKind.WORD: widths.word,
        FieldKind.TAG: widths.tag,
        FieldKind.EDGE: widths.tag,
        FieldKind.EDGES: MOST_SPAN_TAGS * widths.tag,
        FieldKind.LABEL: widths.label,
        FieldKind.DELTA: DELTA_BITS,
        FieldKind.COMMA: COMMA_BITS,
        FieldKind.NEIGHBOUR: widths.tag + 1,
        FieldKind.ORDER: ORDER_BITS,
        FieldKind.CLASSES: BETWEEN_BITS,
        FieldKind.LENGTH: LENGTH_BITS,
        FieldKind.ANY: 1,
    }
    bits = np.array([kinds[field.kind] for field in FIELDS], np.int64)
    bits.setflags(write=False)
    return bits


def key_width(widths: Widths, table: int) -> int:
    """Count the bits of a table's keys."""
    return int(field_bits(widths)[list(TABLES[table].fields)].sum())


@cache
def widest_key(widths: Widths) -> int:
    """Count the bits of the widest key of all tables."""
    return max(key_width(widths, table) for table in range(len(TABLES)))


def field_places(widths: Widths, table: int) -> dict[int, tuple[int, int]]:
    """Where every field of a table stands in a key: how far to the left, and how many bits it has."""
    places: dict[int, tuple[int, int]] = {}
    shift = 0
    for field in reversed(TABLES[table].fields):
        bits = int(field_bits(widths)[field])
        places[field] = shift, bits
        shift += bits
    return places


def columns_of(fill: Callable[..., None], *features: object) -> dict[int, Int64Array]:
    """The fields of many contexts as columns: what a kernel of :mod:`engine.counts.lookup_kernel` fills of features."""
    columns: dict[int, Int64Array] = {}
    unwrap(fill)(columns, *features)
    return columns


def pack(widths: Widths, table: int, columns: Mapping[int, Int64Array]) -> Int64Array:
    """Pack contexts into keys of a table from columns of its fields."""
    keys: Int64Array = unwrap(key_of)(field_bits(widths), table, columns)
    return keys


def take_apart(widths: Widths, table: int, keys: Int64Array) -> dict[int, Int64Array]:
    """Take keys of a table apart into the numbers that they are made of, by their fields."""
    keys = np.asarray(keys, np.int64)
    return {field: (keys >> shift) & ((1 << bits) - 1) for field, (shift, bits) in field_places(widths, table).items()}


def unpack(widths: Widths, table: int, keys: Int64Array) -> dict[str, Int64Array]:
    """Take keys of a table apart as :func:`take_apart` does, by the names of their fields."""
    return {FIELDS[field].name: column for field, column in take_apart(widths, table, keys).items()}


# Contexts and outcomes of count tables in words, from the fields of their specifications.

_NOTHING = {CountedFactor.DEPENDENCY: "no relation", CountedFactor.SPAN: "no phrase"}


def distance_words(field: int, code: int) -> str:
    """Answer the questions of section 2.3 that a field asks, in words: what is not there is not named."""
    distance = Distance.from_code(code)
    order, adjacent, verb, commas, after, before = distance.words()
    found = [order]
    if field != DISTANCE_ORDER:
        found.append(adjacent)
    if distance.verb_between:
        found.append(verb)
    if distance.commas:
        found.append("commas between" if field == DISTANCE_ANY_COMMAS else commas)
    if distance.comma_after_first:
        found.append(after)
    if distance.comma_before_second:
        found.append(before)
    return ", ".join(found)


QUESTIONS = ("order", "adjacent", "verb", "commas", "after first", "before second")
"""The six questions of section 2.3, as the heads of columns."""


def distance_answers(code: int) -> tuple[str, ...]:
    """Answer the six questions, in words short enough for columns under :data:`QUESTIONS`."""
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


def neighbour_words(vocabulary: Vocabulary, code: int) -> str:
    """Describe a neighbour: its tag, and whether a comma is between."""
    if code == 0:
        return "the edge of the sentence"
    number = code // 2 - 1
    tag = vocabulary.tags[number] if number < len(vocabulary.tags) else "an unknown tag"
    return f"a comma and {tag}" if code & 1 else tag


def classes_words(code: int) -> str:
    """Name the classes of the words between two words."""
    names = [" ".join(tags) for number, tags in enumerate(BETWEEN_CLASSES) if code >> number & 1]
    if code & SAME_AS_MODIFIER:
        names.append("the modifier's tag")
    if code & SAME_AS_HEAD:
        names.append("the head's tag")
    return ", ".join(names) or "none of the kinds asked about"


def describe_context(vocabulary: Vocabulary, widths: Widths, table: int, key: int, order_only: bool = False) -> str:
    """Describe a context in words; of the six questions about the distance, `order_only` answers the first alone."""
    parts = {name: int(values[0]) for name, values in unpack(widths, table, np.array([key])).items()}
    match TABLES[table].factor:
        case CountedFactor.DEPENDENCY:
            return _pair_words(vocabulary, TABLES[table].fields, parts, order_only)
        case CountedFactor.GAP:
            return _gap_words(vocabulary, parts)
        case CountedFactor.UNARY:
            return _unary_words(vocabulary, parts)
        case CountedFactor.ROOT:
            return _named(vocabulary, parts, "word", "tag") or "any word"
        case CountedFactor.SPAN:
            return _span_words(widths, parts)


def _named(vocabulary: Vocabulary, parts: Mapping[str, int], word: str, tag: str) -> str:
    """``word/TAG``, or the one of the two that the key holds."""
    found = [vocabulary.words[parts[word]]] if word in parts else []
    if tag in parts:
        number = parts[tag]
        found.append(vocabulary.tags[number] if number < len(vocabulary.tags) else "?")
    return "/".join(found)


def _pair_words(vocabulary: Vocabulary, fields: Sequence[int], parts: Mapping[str, int], order_only: bool) -> str:
    pair = f"{_named(vocabulary, parts, 'modifier', 'modifier tag')} → {_named(vocabulary, parts, 'head', 'head tag')}"
    phrases = [
        distance_words(DISTANCE_ORDER if order_only else field, parts["distance"])
        for field in fields
        if FIELDS[field].name == "distance"
    ]
    if "order" in parts:
        code = (HEAD_FIRST if parts["order"] & 2 else 0) | (ADJACENT if parts["order"] & 1 else 0)
        phrases.append(distance_words(DISTANCE_ADJACENCY, code))
    for which in ("modifier", "head"):
        if around := _around_words(vocabulary, parts, f" {which}"):
            phrases.append(f"{around} the {which}")
    if "between" in parts:
        phrases.append(f"between them {classes_words(parts['between'])}")
    return f"{pair}: {'; '.join(phrases)}"


def _around_words(vocabulary: Vocabulary, parts: Mapping[str, int], of: str = "") -> str:
    return " and ".join(
        f"{neighbour_words(vocabulary, parts[side + of])} {side}" for side in ("before", "after") if side + of in parts
    )


def _gap_words(vocabulary: Vocabulary, parts: Mapping[str, int]) -> str:
    comma = "a comma" if parts["comma"] else "no comma"
    if "left tag" not in parts and "right tag" not in parts:
        return f"any two words, {comma} between"
    left, right = (_named(vocabulary, parts, side, f"{side} tag") or "any word" for side in ("left", "right"))
    around = _around_words(vocabulary, parts)
    return f"{left} | {right}, {comma} between" + (f"; {around}" if around else "")


def _unary_words(vocabulary: Vocabulary, parts: Mapping[str, int]) -> str:
    label = vocabulary.labels[parts["label"]] if parts["label"] < len(vocabulary.labels) else "?"
    head = _named(vocabulary, parts, "word", "tag")
    phrases = [f"{label} headed by {head}" if head else label]
    around = _around_words(vocabulary, parts)
    if around:
        phrases.append(around)
    inside = []
    if "head-child" in parts:
        inside.append(f"head-child {vocabulary.labels[parts['head-child']] or 'no child'}")
    if "first tag" in parts:
        inside.append(f"first tag {vocabulary.tags[parts['first tag']]}")
    if inside:
        phrases.append(", ".join(inside))
    return "; ".join(phrases)


def _span_words(widths: Widths, parts: Mapping[str, int]) -> str:
    length = parts["length"]
    if "tags" in parts and not length:
        # It stands before the tags of its words and the two beside them.
        length = next(words for words in range(1, 5) if parts["tags"] >> (words + 2) * widths.tag == words)
    if length == LONGEST_SPAN:
        return f"a span of {length} words or more in a baseNP"
    return f"a span of {length} word{'' if length == 1 else 's'} in a baseNP"


def describe_outcome(vocabulary: Vocabulary, table: int, outcome: int) -> str:
    """Describe an outcome of a table in words: a relation, a gap tag, a unary parent, a root, a phrase; −1 for none."""
    factor = TABLES[table].factor
    if outcome < 0:
        return _NOTHING.get(factor, "not the root")
    match factor:
        case CountedFactor.DEPENDENCY:
            return f"<{','.join(vocabulary.triples[outcome])}>" if outcome < len(vocabulary.triples) else "<?>"
        case CountedFactor.GAP:
            return f"gap tag {GAP_LETTERS[outcome]}"
        case CountedFactor.SPAN:
            return vocabulary.phrases[outcome - 1]
    label = vocabulary.labels[outcome] if outcome < len(vocabulary.labels) else "?"
    if factor is CountedFactor.UNARY:
        return f"unary {label}" if outcome else "no unary"
    return f"<{label}>"
