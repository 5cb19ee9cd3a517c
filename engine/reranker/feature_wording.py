"""How the re-ranker's features are told to a reader: a title and a sentence for every template.

Only what is shown is here.  The templates' own names and numbers (:mod:`engine.reranker.features_layout`) are what the
re-ranker was trained with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.common.text_tables import ordinal, size
from engine.counts.corpus import Vocabulary
from engine.reranker.features_layout import AFTER, BEFORE, NOTHING, TEMPLATES
from engine.structure.nodes_layout import MARK_COLON, MARK_COMMA, MARK_QUESTION, MARK_QUOTE, MARK_STOP


class Wording(NamedTuple):
    """How features of a template are told.

    Attributes
    ----------
    title
        What they look at.
    patterns
        What one of them says; if there are several, the number at `choice` chooses.  ``{2}`` is a value by the letter
        of its template and ``{2:way}`` one told in a way of :data:`_WAYS`; ``{rule4}`` is the rule with its first four
        children.  What stands in square brackets is left out if there is no value in it: ``[a|b]`` says b instead.
    choice
        Place of the number that chooses among the patterns.
    """

    title: str
    patterns: tuple[str, ...]
    choice: int = -1


_ARROW = " ({0} in {1})"
_PATH = "[ ↑ {3}] ↑ {1} ↑ {0} ↓ {2}[ ↓ {4}] ↓ "
_SPINE = "{1}[ over {2}][ over {3}][ over {4}]"
WORDINGS: dict[str, Wording] = {
    "rule": Wording("rule", ("{rule5}",)),
    "rule under": Wording("rule and the label above it", ("{rule4}, [under {6}|at the root]",)),
    "siblings": Wording("two children side by side", ("{2:child} beside {3:child} (in {0}, head-child {1})",)),
    "pair of tags": Wording("tags of modifier and head", ("{2} modifies {3}, {4:side}" + _ARROW,)),
    "word and tag": Wording(
        "word and tag of modifier and head", ("{2} modifies a word tagged {3}" + _ARROW, "{3} modifies {2}" + _ARROW), 4
    ),
    "pair of words": Wording("modifier and head", ("{2} modifies {3}" + _ARROW,)),
    "head's head": Wording("modifier, head and the head of that", ("{2} modifies {3}, which modifies {4}" + _ARROW,)),
    "object of words": Wording("modifier, its object and its head", ("{2} with the object {1} modifies {3} (as {0})",)),
    "object and head tag": Wording(
        "modifier, its object and its head’s tag", ("{2} with the object {1} modifies a word tagged {3} (as {0})",)
    ),
    "object tag": Wording(
        "modifier, its object’s tag and its head", ("{2} with an object tagged {1} modifies {3} (as {0})",)
    ),
    "edge tags": Wording(
        "tags at both edges", ("{0} begins with {2} and ends with {3}, after {1:before} and before {4:after}",)
    ),
    "word after": Wording("word after a constituent", ("{0} ends with {2}, then comes {3:comma}{1}",)),
    "word before": Wording("word before a constituent", ("{0} begins with {2}, after {1}{3:and comma}",)),
    "heavy": Wording(
        "length and distance from the sentence’s end", ("{0} of {1:length}, {2:length} before the end{3:with comma}",)
    ),
    "path": Wording("label, the labels above it and length", ("{0}[ in {1}| at the root][ in {2}], {3:length}",)),
    "ancestors": Wording("word and the labels above it", ("{0} as {1}[ in {2}][ in {3}]",)),
    "sides of a head": Wording("number of modifiers on both sides", ("{0} with the head {1} has {2:sides}",)),
    "parallel conjuncts": Wording("conjuncts alike", ("{1:alike} (in {0})", "{1:alike}, {2:difference} (in {0})"), 3),
    "tag pair": Wording("two tags", ("tags {0}, then {1}",)),
    "tag triple": Wording("three tags", ("tags {0}, {1}, then {2}",)),
    "tag near word": Wording(
        "word and tag", ("{0} tagged {1}", "{1} after the word {0}", "{1} before the word {0}"), 2
    ),
    "right branch": Wording("right branch", ("a constituent on the way from the root to the last word",)),
    "other branch": Wording("other branch", ("a constituent beyond the way from the root to the last word",)),
    "rule with its head-word": Wording("rule and head-word", ("{rule4}, headed by {6}",)),
    "head-child's children": Wording(
        "head-child and its children",
        ("{0} from {1} to {3}, head-child {2}, which has the head-child {4} and ends with {5}",),
    ),
    "where children meet": Wording(
        "where two children meet", ("{1} ends with {3}, {2} begins with {4}, {5} between them (in {0})",)
    ),
    "tags of sisters": Wording(
        "tags of two modifiers side by side", ("{1} headed by {3}, then {2} headed by {4} (in {0} headed by {5})",)
    ),
    "words of sisters": Wording(
        "words of two modifiers side by side", ("{1} headed by {3}, then {2} headed by {4} (in {0})",)
    ),
    "three children": Wording(
        "three children side by side", ("children {1:child}, {2}, then {3:child}; {4:which is head} (in {0})",)
    ),
    "word at a distance": Wording(
        "modifier, its head’s tag, distance and punctuation",
        ("{2} modifies a word tagged {3}, {4:side}, {5} between them" + _ARROW,),
    ),
    "tag before a modifier": Wording(
        "modifier, its head’s tag and the tag before it",
        ("{2} modifies a word tagged {3}, just after {5:beside}, tagged {4}" + _ARROW,),
    ),
    "tag before, with the head": Wording(
        "head and the tag before its modifier", ("a modifier of {2} just after {4:beside}, tagged {3}" + _ARROW,)
    ),
    "object's and head's tag": Wording(
        "modifier, its object’s tag and its head’s",
        ("{3} with an object tagged {2} modifies a word tagged {4}" + _ARROW,),
    ),
    "tags of conjuncts": Wording(
        "labels and tags of conjuncts", ("{3} headed by {1} is joined to {4} headed by {2} (in {0})",)
    ),
    "words of conjuncts": Wording("words of conjuncts", ("{0} is joined to {1}",)),
    "projection of a word": Wording(
        "the largest constituent that a word heads", ("{0} heads {1}[ in {2}| at the root][, which modifies {3}]",)
    ),
    "labels above a tag": Wording("labels that a tag heads", (f"{{0}} heads {_SPINE}[, in {{5}}|, at the root]",)),
    "labels above a word": Wording("labels that a word heads", (f"{{0}} heads {_SPINE}",)),
    "parent": Wording("label and the label above it", ("{0} [in {1}|at the root]",)),
    "punctuation around": Wording(
        "punctuation on both sides", ("{0}[ in {1}| at the root] of {4:length} with {2} before it and {3} after it",)
    ),
    "end of the sentence": Wording(
        "at the sentence’s end", ("{0}[ in {1}| at the root] begins with {2} and ends the sentence, {3} after it",)
    ),
    "first word": Wording("first word and length", ("{0}[ in {1}| at the root] of {3:length} begins with {2}",)),
    "last word": Wording("last word", ("{0}[ in {1}| at the root] ends with {2}",)),
    "first and last word": Wording("first and last word", ("{0} begins with {1} and ends with {2}",)),
    "tags within": Wording(
        "all tags of a short constituent", ("tags {2}[ {3}][ {4}][ {5}][ {6}] as {0}[ in {1}| at the root]",)
    ),
    "rule with its first word": Wording("rule and first word", ("{rule4}, beginning with {6}",)),
    "rule with its last word": Wording("rule and last word", ("{rule4}, ending with {6}",)),
    "rule after a word": Wording("rule and the word before", ("{rule4}, after {6}",)),
    "rule before a word": Wording("rule and the word after", ("{rule4}, before {6}",)),
    "rule of a length": Wording("rule and length", ("{rule4}, {6:length}",)),
    "rule between tags": Wording("rule and the tags on both sides", ("{rule3}, after {5} and before {6}",)),
    "rule from tag to tag": Wording("rule and the tags at its edges", ("{rule3}, from {5} to {6}",)),
    "rule between punctuation": Wording(
        "rule and the punctuation on both sides", ("{rule3}, {5} before it, {6} after it",)
    ),
    "path between two tags": Wording("way from a tag to the next", (f"way {{5}}{_PATH}{{6}}",)),
    "path from a word to a tag": Wording("way from a word to the next tag", (f"way {{5}}{_PATH}{{6}}",)),
    "path from a tag to a word": Wording("way from a tag to the next word", (f"way {{5}}{_PATH}{{6}}",)),
    "path between two words": Wording("way from a word to the next", (f"way {{5}}{_PATH}{{6}}",)),
    "first tags": Wording("first tags and length", ("{0} of {3:length} begins with {1}[ {2}]",)),
    "last tags": Wording("last tags and the tag after", ("{0} ends with [{1} ]{2}, before {3:after}",)),
}
"""By the names of the templates."""


def _length(number: int) -> str:
    """A bucket of :func:`engine.reranker.node_features_kernel.bucket`: so many words."""
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
_WAYS: dict[str, Callable[[int], str]] = {
    "length": _length,
    "side": _side,
    "sides": _sides,
    "difference": _difference,
    "alike": lambda number: _ALIKE[number],
    "comma": lambda number: "a comma and " if number else "",
    "and comma": lambda number: " and a comma" if number else "",
    "with comma": lambda number: ", with a comma after it" if number else "",
    "beside": lambda number: "the head" if number else "another word",
    "which is head": lambda number: _WHICH_IS_HEAD[number],
}
_MARKS = {
    MARK_COMMA: "a comma",
    MARK_COLON: "a colon or dash",
    MARK_QUOTE: "a quotation mark",
    MARK_STOP: "a full stop",
    MARK_QUESTION: "a question mark",
}
_OPTION = re.compile(r"\[([^]|]*)(?:\|([^]]*))?\]")
_SLOT = re.compile(r"\{(?:rule(?P<rule>\d)|(?P<place>\d)(?::(?P<way>[^}]+))?)\}")
_MOST_COUNTED = 15
"""A rule with more children is told as one with so many."""


def describe_feature(row: Sequence[int], vocabulary: Vocabulary) -> tuple[str, str]:
    """A feature's title and what it says, in words."""
    template, values = TEMPLATES[row[0]], row[1:]
    wording = WORDINGS[template.name]
    pattern = wording.patterns[values[wording.choice] if len(wording.patterns) > 1 else 0]

    def option(found: re.Match[str]) -> str:
        missing = any(values[int(slot["place"])] == NOTHING for slot in _SLOT.finditer(found[1]))
        return (found[2] or "") if missing else found[1]

    def slot(found: re.Match[str]) -> str:
        if found["rule"]:
            return _rule(values, int(found["rule"]), vocabulary)
        place, way = int(found["place"]), found["way"]
        if way in _WAYS:
            return _WAYS[way](values[place])
        kind = template.values[place]
        if kind == "X":
            # A tag, or a word where the number at the end says so.
            kind = "W" if values[template.values.rindex("N")] == 1 else "T"
        return _value(kind, values[place], way or "", vocabulary)

    return wording.title, _SLOT.sub(slot, _OPTION.sub(option, pattern))


def _value(kind: str, value: int, way: str, vocabulary: Vocabulary) -> str:
    """A value by the letter of its template."""
    if value in (BEFORE, AFTER):
        if way == "child":
            return "the left edge" if value == BEFORE else "the right edge"
        return "the sentence’s start" if value == BEFORE else "the sentence’s end"
    match kind:
        case "L":
            return _named(vocabulary.labels, value)
        case "T":
            return _named(vocabulary.tags, value)
        case "W":
            return f"‘{vocabulary.words[value]}’" if 0 <= value < len(vocabulary.words) else "an unknown word"
        case "E":
            tag = _named(vocabulary.tags, value >> 1)
            if not value & 1:
                return tag
            return f"{tag} and a comma" if way == "before" else f"a comma and {tag}"
        case _:
            marks = [name for bit, name in _MARKS.items() if value & bit]
            return " and ".join(marks) or "no punctuation"


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
