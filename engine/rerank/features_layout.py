"""The templates of the re-ranker's features, and the columns of a tree's nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int32Array, UInt8Array

ROW = 8
"""A feature: its template and seven numbers."""
NODE_ROWS, WORD_ROWS, TREE_ROWS = 72, 6, 16
"""At most so many features has a node with the arrow above it, a word, and a tree besides."""
NOTHING = -4
BEFORE = -3
AFTER = -2
"""No value; before the first and after the last of a row."""
UNUSED_WORD = -5
"""Every word where words are not used.  No tree of training has it: a feature with it has no weight."""

BUCKET_SHIFT = 46
BUCKETS = 1 << 16
FILTER_SHIFT = 20
"""Upper bits of a hash choose a bucket, others a bit of the filter."""


class TreeArrays(NamedTuple):
    """A tree in numbers.

    Attributes
    ----------
    nodes
        Its constituents, in the columns above.
    words, tags
        Of every word.
    commas, marks
        'Commas' and kinds of punctuation before every word; `marks` has one number more, for the end.
    joined
        Of every label whether it stands for a conjunction with its conjunct.
    values
        Room for the values of fields, once :data:`VALUES`.
    """

    nodes: Int32Array
    words: Int32Array
    tags: Int32Array
    commas: Int32Array
    marks: Int32Array
    joined: UInt8Array
    values: Int32Array


# The fields of templates: what is looked at in a tree, by how a value of it is told.
#
# The kernel computes the fields of a place together, into one row of values, and each of the place's templates copies
# those that it names.  What was computed of a constituent is still there at its children and their arrows.

# The same everywhere: three numbers, which are those of their fields, and no value.
ZERO, ONE, TWO, NONE = range(4)

# Labels: of a constituent, the two above it, its head-child; of that the head-child and the last child.
LABEL, PARENT, GRANDPARENT, HEAD_LABEL, INNER_HEAD, INNER_LAST = range(4, 10)
# The first four children, the last, and that again if there are more; the head-child of the head-child, and so on down.
CHILD_1, CHILD_2, CHILD_3, CHILD_4, LAST_CHILD, LAST_OF_MORE, SPINE_2, SPINE_3, SPINE_4 = range(10, 19)
# A child and its neighbours, the last child within it, the first within the next; two conjuncts.
PREVIOUS, CHILD, NEXT, LAST_WITHIN, FIRST_WITHIN_NEXT, FIRST_CONJUNCT, SECOND_CONJUNCT = range(19, 26)
LABELS = range(4, 26)

# Tags: at the edges of a constituent and outside them; of its head-word, and of the word that this modifies.
FIRST_TAG, SECOND_TAG, LAST_BUT_ONE_TAG, LAST_TAG, TAG_BEFORE, TAG_AFTER, HEAD_TAG, GOVERNOR_TAG = range(26, 34)
# All tags of a short constituent.
TAG_1, TAG_2, TAG_3, TAG_4, TAG_5 = range(34, 39)
# Where two children meet, and of their head-words.
END_TAG, START_TAG, LEFT_TAG, RIGHT_TAG = range(39, 43)
# Of a modifier, the word just before it, its head's head, its object.
MODIFIER_TAG, BESIDE_TAG, GRAND_TAG, OBJECT_TAG = range(43, 47)
# Of a word and the two before it.
TAG, PREVIOUS_TAG, EARLIER_TAG = range(47, 50)
TAGS = range(26, 50)

# Words: of a constituent, outside it, its head-word, of a modifier and its object.
FIRST_WORD, LAST_WORD, WORD_BEFORE, WORD_AFTER, HEAD_WORD, MODIFIER_WORD, OBJECT_WORD = range(50, 57)
# Where two children meet, and their head-words; a word and its neighbours.
END_WORD, START_WORD, LEFT_WORD, RIGHT_WORD, WORD, PREVIOUS_WORD, NEXT_WORD = range(57, 64)
WORDS = range(50, 64)

# Punctuation before and after a constituent, after the last one, where children meet, between modifier and head.
MARKS_BEFORE, MARKS_AFTER, MARKS_AT_END, MARKS_BETWEEN, MARKS_BESIDE = range(64, 69)
MARKS = range(64, 69)

# Numbers: of words in a constituent and after it; how many modifiers a head has; a rule's children and head.
LENGTH, TO_END, SIDES, SHAPE = range(69, 73)
# The tag beside a constituent with whether a comma stands between; the comma alone, and one before what comes later.
EDGE_BEFORE, EDGE_AFTER, COMMA_BEFORE, COMMA_AFTER, COMMA_BEFORE_REST = range(73, 78)
# Which of two children is the head; side and distance of a modifier, whether the word before it is its head;
# how much conjuncts are alike, and by how much the second is longer.
WHICH_IS_HEAD, SIDE, IS_BESIDE_HEAD, ALIKE, DIFFERENCE = range(78, 83)
FIELDS = 83


# The templates: where each is written, what is in its row, and how that is told.

WORD_PLACE, SPINE, LEAF, PHRASE, SIBLING, RULE, SISTER, ARROW, CONJUNCTS, HEAD, BRANCH, OTHER_BRANCH = range(12)
"""Where templates are written: for a word under its tag; for the largest constituent that a word heads; for a word as a
node; for any other node; for two children side by side, an edge being one; for a constituent with children; for a child
and the next; for a modifier; for a conjunct; for a head with all its modifiers; for a constituent on the way from the
root to the last word, and for another."""
PLACES = 12


class Template(NamedTuple):
    """A template of features.

    Attributes
    ----------
    number
        Its number in rows.  The re-ranker was trained with it: it never changes, nor is it used again.
    place
        Where it is written.
    fields
        What is in its row after the number, at most seven.  Templates of the same number differ in a constant.
    given
        A field without which it is not written.
    """

    number: int
    place: int
    fields: tuple[int, ...]
    given: int = ZERO

    @property
    def constants(self) -> list[tuple[int, int]]:
        """The constants in its row, each with its place among the fields."""
        return [(at, field) for at, field in enumerate(self.fields) if field in (ZERO, ONE, TWO)]


class Wording(NamedTuple):
    """How features of a template are told to a reader.

    Attributes
    ----------
    title
        What they look at.
    text
        What one of them says.  ``{2}`` is a value by its place among the fields, ``{rule4}`` the rule with its first
        four children.  What stands in square brackets is left out if there is no value in it: ``[a|b]`` says b instead.
    """

    title: str
    text: str


_RULE_4 = (LABEL, SHAPE, CHILD_1, CHILD_2, CHILD_3, CHILD_4)
_RULE_3 = (LABEL, SHAPE, CHILD_1, CHILD_2, CHILD_3)
_SPINE = (LABEL, SPINE_2, SPINE_3, SPINE_4)
_WAY = (LABEL, CHILD, NEXT, LAST_WITHIN, FIRST_WITHIN_NEXT)
_ARROW = " ({0} in {1})"
_WAY_TEXT = "way {5}[ ↑ {3}] ↑ {1} ↑ {0} ↓ {2}[ ↓ {4}] ↓ {6}"
_SPINE_TEXT = "{0} heads {1}[ over {2}][ over {3}][ over {4}]"
_PARENT = "[ in {1}| at the root]"
TEMPLATES = {
    # Words with their tags and those before: they differ among parses that choose their tags.
    Template(18, WORD_PLACE, (PREVIOUS_TAG, TAG)): Wording("two tags", "tags {0}, then {1}"),
    Template(19, WORD_PLACE, (EARLIER_TAG, PREVIOUS_TAG, TAG)): Wording("three tags", "tags {0}, {1}, then {2}"),
    Template(20, WORD_PLACE, (WORD, TAG, ZERO)): Wording("word and tag", "{0} tagged {1}"),
    Template(20, WORD_PLACE, (PREVIOUS_WORD, TAG, ONE), PREVIOUS_WORD): Wording(
        "word and tag", "{1} after the word {0}"
    ),
    Template(20, WORD_PLACE, (NEXT_WORD, TAG, TWO), NEXT_WORD): Wording("word and tag", "{1} before the word {0}"),
    # The largest constituent that a word heads: what it stands in, and the labels from it down to the word.
    Template(35, SPINE, (HEAD_WORD, LABEL, PARENT, GOVERNOR_TAG)): Wording(
        "the largest constituent that a word heads", "{0} heads {1}[ in {2}| at the root][, which modifies {3}]"
    ),
    Template(36, SPINE, (HEAD_TAG, *_SPINE, PARENT)): Wording(
        "labels that a tag heads", _SPINE_TEXT + "[, in {5}|, at the root]"
    ),
    Template(37, SPINE, (HEAD_WORD, *_SPINE)): Wording("labels that a word heads", _SPINE_TEXT),
    # Labels above a word or a constituent, what it begins and ends with, what stands around it.
    Template(15, LEAF, (FIRST_WORD, LABEL, PARENT, GRANDPARENT)): Wording(
        "word and the labels above it", "{0} as {1}[ in {2}][ in {3}]"
    ),
    Template(14, PHRASE, (LABEL, PARENT, GRANDPARENT, LENGTH)): Wording(
        "label, the labels above it and length", "{0}" + _PARENT + "[ in {2}], {3}"
    ),
    Template(10, PHRASE, (LABEL, EDGE_BEFORE, FIRST_TAG, LAST_TAG, EDGE_AFTER)): Wording(
        "tags at both edges", "{0} begins with {2} and ends with {3}, after {1} and before {4}"
    ),
    Template(11, PHRASE, (LABEL, WORD_AFTER, LAST_TAG, COMMA_AFTER), WORD_AFTER): Wording(
        "word after a constituent", "{0} ends with {2}, then comes {3}{1}"
    ),
    Template(12, PHRASE, (LABEL, WORD_BEFORE, FIRST_TAG, COMMA_BEFORE), WORD_BEFORE): Wording(
        "word before a constituent", "{0} begins with {2}, after {1}{3}"
    ),
    Template(38, PHRASE, (LABEL, PARENT)): Wording("label and the label above it", "{0} [in {1}|at the root]"),
    Template(39, PHRASE, (LABEL, PARENT, MARKS_BEFORE, MARKS_AFTER, LENGTH)): Wording(
        "punctuation on both sides", "{0}" + _PARENT + " of {4} with {2} before it and {3} after it"
    ),
    Template(40, PHRASE, (LABEL, PARENT, FIRST_TAG, MARKS_AT_END), MARKS_AT_END): Wording(
        "at the sentence’s end", "{0}" + _PARENT + " begins with {2} and ends the sentence, {3} after it"
    ),
    Template(41, PHRASE, (LABEL, PARENT, FIRST_WORD, LENGTH)): Wording(
        "first word and length", "{0}" + _PARENT + " of {3} begins with {2}"
    ),
    Template(42, PHRASE, (LABEL, PARENT, LAST_WORD)): Wording("last word", "{0}" + _PARENT + " ends with {2}"),
    Template(43, PHRASE, (LABEL, FIRST_WORD, LAST_WORD)): Wording(
        "first and last word", "{0} begins with {1} and ends with {2}"
    ),
    Template(57, PHRASE, (LABEL, FIRST_TAG, SECOND_TAG, LENGTH)): Wording(
        "first tags and length", "{0} of {3} begins with {1}[ {2}]"
    ),
    Template(58, PHRASE, (LABEL, LAST_BUT_ONE_TAG, LAST_TAG, EDGE_AFTER)): Wording(
        "last tags and the tag after", "{0} ends with [{1} ]{2}, before {3}"
    ),
    Template(44, PHRASE, (LABEL, PARENT, TAG_1, TAG_2, TAG_3, TAG_4, TAG_5), TAG_1): Wording(
        "all tags of a short constituent", "tags {2}[ {3}][ {4}][ {5}][ {6}] as {0}" + _PARENT
    ),
    Template(13, PHRASE, (LABEL, LENGTH, TO_END, COMMA_BEFORE_REST)): Wording(
        "length and distance from the sentence’s end", "{0} of {1}, {2} before the end{3}"
    ),
    # Productions: the children, alone, with the head-word, with what is above, within and beside.
    Template(2, SIBLING, (LABEL, HEAD_LABEL, PREVIOUS, CHILD)): Wording(
        "two children side by side", "{2} beside {3} (in {0}, head-child {1})"
    ),
    Template(0, RULE, (*_RULE_4, LAST_OF_MORE)): Wording("rule", "{rule5}"),
    Template(23, RULE, (*_RULE_4, HEAD_WORD)): Wording("rule and head-word", "{rule4}, headed by {6}"),
    Template(24, RULE, (LABEL, CHILD_1, HEAD_LABEL, LAST_CHILD, INNER_HEAD, INNER_LAST), INNER_HEAD): Wording(
        "head-child and its children",
        "{0} from {1} to {3}, head-child {2}, which has the head-child {4} and ends with {5}",
    ),
    Template(1, RULE, (*_RULE_4, PARENT)): Wording("rule and the label above it", "{rule4}, [under {6}|at the root]"),
    Template(45, RULE, (*_RULE_4, FIRST_WORD)): Wording("rule and first word", "{rule4}, beginning with {6}"),
    Template(46, RULE, (*_RULE_4, LAST_WORD)): Wording("rule and last word", "{rule4}, ending with {6}"),
    Template(47, RULE, (*_RULE_4, WORD_BEFORE)): Wording("rule and the word before", "{rule4}, after {6}"),
    Template(48, RULE, (*_RULE_4, WORD_AFTER)): Wording("rule and the word after", "{rule4}, before {6}"),
    Template(49, RULE, (*_RULE_4, LENGTH)): Wording("rule and length", "{rule4}, {6}"),
    Template(50, RULE, (*_RULE_3, TAG_BEFORE, TAG_AFTER)): Wording(
        "rule and the tags on both sides", "{rule3}, after {5} and before {6}"
    ),
    Template(51, RULE, (*_RULE_3, FIRST_TAG, LAST_TAG)): Wording(
        "rule and the tags at its edges", "{rule3}, from {5} to {6}"
    ),
    Template(52, RULE, (*_RULE_3, MARKS_BEFORE, MARKS_AFTER)): Wording(
        "rule and the punctuation on both sides", "{rule3}, {5} before it, {6} after it"
    ),
    # Children side by side: three labels in a row, what meets where one ends, and the way from one to the other.
    Template(28, SISTER, (LABEL, PREVIOUS, CHILD, NEXT, WHICH_IS_HEAD)): Wording(
        "three children side by side", "children {1}, {2}, then {3}; {4} (in {0})"
    ),
    Template(25, SISTER, (LABEL, CHILD, NEXT, END_TAG, START_TAG, MARKS_BETWEEN), NEXT): Wording(
        "where two children meet", "{1} ends with {3}, {2} begins with {4}, {5} between them (in {0})"
    ),
    Template(53, SISTER, (*_WAY, END_TAG, START_TAG), NEXT): Wording("way from a tag to the next", _WAY_TEXT),
    Template(54, SISTER, (*_WAY, END_WORD, START_TAG), NEXT): Wording("way from a word to the next tag", _WAY_TEXT),
    Template(55, SISTER, (*_WAY, END_TAG, START_WORD), NEXT): Wording("way from a tag to the next word", _WAY_TEXT),
    Template(56, SISTER, (*_WAY, END_WORD, START_WORD), NEXT): Wording("way from a word to the next", _WAY_TEXT),
    Template(26, SISTER, (LABEL, CHILD, NEXT, LEFT_TAG, RIGHT_TAG, HEAD_WORD), LEFT_TAG): Wording(
        "tags of two modifiers side by side", "{1} headed by {3}, then {2} headed by {4} (in {0} headed by {5})"
    ),
    Template(27, SISTER, (LABEL, CHILD, NEXT, LEFT_WORD, RIGHT_WORD), LEFT_TAG): Wording(
        "words of two modifiers side by side", "{1} headed by {3}, then {2} headed by {4} (in {0})"
    ),
    # A modifier with its head-word, the head of that, and its own object.
    Template(3, ARROW, (CHILD, LABEL, MODIFIER_TAG, HEAD_TAG, SIDE)): Wording(
        "tags of modifier and head", "{2} modifies {3}, {4}" + _ARROW
    ),
    Template(4, ARROW, (CHILD, LABEL, MODIFIER_WORD, HEAD_TAG, ZERO)): Wording(
        "word and tag of modifier and head", "{2} modifies a word tagged {3}" + _ARROW
    ),
    Template(4, ARROW, (CHILD, LABEL, HEAD_WORD, MODIFIER_TAG, ONE)): Wording(
        "word and tag of modifier and head", "{3} modifies {2}" + _ARROW
    ),
    Template(5, ARROW, (CHILD, LABEL, MODIFIER_WORD, HEAD_WORD)): Wording(
        "modifier and head", "{2} modifies {3}" + _ARROW
    ),
    Template(29, ARROW, (CHILD, LABEL, MODIFIER_WORD, HEAD_TAG, SIDE, MARKS_BESIDE)): Wording(
        "modifier, its head’s tag, distance and punctuation",
        "{2} modifies a word tagged {3}, {4}, {5} between them" + _ARROW,
    ),
    Template(30, ARROW, (CHILD, LABEL, MODIFIER_WORD, HEAD_TAG, BESIDE_TAG, IS_BESIDE_HEAD), BESIDE_TAG): Wording(
        "modifier, its head’s tag and the tag before it",
        "{2} modifies a word tagged {3}, just after {5}, tagged {4}" + _ARROW,
    ),
    Template(31, ARROW, (CHILD, LABEL, HEAD_WORD, BESIDE_TAG, IS_BESIDE_HEAD), BESIDE_TAG): Wording(
        "head and the tag before its modifier", "a modifier of {2} just after {4}, tagged {3}" + _ARROW
    ),
    Template(6, ARROW, (CHILD, LABEL, MODIFIER_TAG, HEAD_TAG, GRAND_TAG, ZERO), GRAND_TAG): Wording(
        "modifier, head and the head of that", "{2} modifies {3}, which modifies {4}" + _ARROW
    ),
    Template(6, ARROW, (CHILD, LABEL, MODIFIER_TAG, HEAD_WORD, GRAND_TAG, ONE), GRAND_TAG): Wording(
        "modifier, head and the head of that", "{2} modifies {3}, which modifies {4}" + _ARROW
    ),
    Template(32, ARROW, (CHILD, LABEL, OBJECT_TAG, MODIFIER_WORD, HEAD_TAG), OBJECT_TAG): Wording(
        "modifier, its object’s tag and its head’s", "{3} with an object tagged {2} modifies a word tagged {4}" + _ARROW
    ),
    Template(7, ARROW, (CHILD, OBJECT_WORD, MODIFIER_WORD, HEAD_WORD), OBJECT_TAG): Wording(
        "modifier, its object and its head", "{2} with the object {1} modifies {3} (as {0})"
    ),
    Template(8, ARROW, (CHILD, OBJECT_WORD, MODIFIER_WORD, HEAD_TAG), OBJECT_TAG): Wording(
        "modifier, its object and its head’s tag", "{2} with the object {1} modifies a word tagged {3} (as {0})"
    ),
    Template(9, ARROW, (CHILD, OBJECT_TAG, MODIFIER_WORD, HEAD_WORD), OBJECT_TAG): Wording(
        "modifier, its object’s tag and its head", "{2} with an object tagged {1} modifies {3} (as {0})"
    ),
    # Co-ordination: whether the conjunct after the conjunction is like the constituent that it joins.
    Template(33, CONJUNCTS, (LABEL, LEFT_TAG, RIGHT_TAG, FIRST_CONJUNCT, SECOND_CONJUNCT)): Wording(
        "labels and tags of conjuncts", "{3} headed by {1} is joined to {4} headed by {2} (in {0})"
    ),
    Template(34, CONJUNCTS, (LEFT_WORD, RIGHT_WORD)): Wording("words of conjuncts", "{0} is joined to {1}"),
    Template(17, CONJUNCTS, (LABEL, ALIKE, NONE, ZERO)): Wording("conjuncts alike", "{1} (in {0})"),
    Template(17, CONJUNCTS, (LABEL, ALIKE, DIFFERENCE, ONE)): Wording("conjuncts alike", "{1}, {2} (in {0})"),
    # A head with its modifiers, and right branching.
    Template(16, HEAD, (LABEL, HEAD_TAG, SIDES, ZERO)): Wording(
        "number of modifiers on both sides", "{0} with the head {1} has {2}"
    ),
    Template(16, HEAD, (LABEL, HEAD_WORD, SIDES, ONE)): Wording(
        "number of modifiers on both sides", "{0} with the head {1} has {2}"
    ),
    Template(21, BRANCH, (ZERO,)): Wording("right branch", "a constituent on the way from the root to the last word"),
    Template(22, OTHER_BRANCH, (ZERO,)): Wording(
        "other branch", "a constituent beyond the way from the root to the last word"
    ),
}
"""Those of a place stand together, in the order in which their rows are written."""


def _program() -> tuple[UInt8Array, UInt8Array]:
    """Return the templates for the kernel: their fields, and where those of each place start."""
    rows = np.full((len(TEMPLATES), PROGRAM_COLUMNS), NONE, np.uint8)
    for row, (number, _, fields, given) in zip(rows, TEMPLATES, strict=True):
        row[:PROGRAM_FIELDS] = given, number
        row[PROGRAM_FIELDS : PROGRAM_FIELDS + len(fields)] = fields
    return rows, np.searchsorted([template.place for template in TEMPLATES], np.arange(PLACES + 1)).astype(np.uint8)


PROGRAM_GIVEN, PROGRAM_NUMBER, PROGRAM_FIELDS = range(3)
PROGRAM_COLUMNS = PROGRAM_FIELDS + ROW - 1
PROGRAM, PLACE_STARTS = _program()
"""By template the field that must be there, its number in rows, its fields; where the templates of each place start."""

VALUES: Int32Array = np.array([0, 1, 2, NOTHING, *[NOTHING] * (FIELDS - 4)], np.int32)
"""The values of fields before any place was looked at."""
