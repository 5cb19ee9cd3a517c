"""Contexts and outcomes of count tables in words, from the fields of their specifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import BETWEEN_CLASSES, LONGEST_SPAN, SAME_AS_HEAD, SAME_AS_MODIFIER, Widths
from engine.counts.keys import unpack
from engine.counts.specifications_layout import (
    DISTANCE_ADJACENCY,
    DISTANCE_ANY_COMMAS,
    DISTANCE_ORDER,
    FIELDS,
    TABLES,
    CountedFactor,
)
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.distance import Distance
from engine.structure.structure_layout import ADJACENT, HEAD_FIRST

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
            return _span_words(parts["length"])


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


def _span_words(length: int) -> str:
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


def level_title(factor: CountedFactor, level: str) -> str:
    """What people call the table of a level of back-off; the level's own name where no table has it."""
    return next((table.title for table in TABLES if table.factor == factor and table.level == level), level)
