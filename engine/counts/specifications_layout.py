"""The count tables: one list of what is counted, in which context, for which factor, at which level of back-off.

A *context* is a row of numbers, one for every field below: two words, their tags and Δ, say.  Who meets one fills the
fields that belong to its factor (:func:`engine.counts.lookup_kernel.fill_pair` and those after it), and the *key* of
every table follows from its entry here (:func:`engine.counts.lookup_kernel.key_of`), for counting, parsing and
explaining alike.

Everything that concerns a table follows from its entry: its number, its keys and how wide they are, counting
(:mod:`engine.counts.counting`), what it is called and how a context reads in words (:mod:`engine.counts.contexts`), of
which table it is a sum and what a compact model leaves out (:mod:`engine.counts.tables`), the name of the level in a
ledger (:mod:`engine.estimates`), the training sentences behind a count (:mod:`engine.study`) and its place in a model
file (:mod:`engine.model.model`).

To add a table
    1. Write its entry at the end of the list, before :data:`TABLES`::

           GAP_LEFT_AFTER = _table("gap-left-after", "gap: left word, tags, after", _GAP, "left+after",
                                   LEFT_WORD, LEFT_TAG, RIGHT_TAG, COMMA_BETWEEN, TAG_AFTER)

       Its fields must be such as its factor has, the leading bits of the key first.  From now on it is counted, found,
       described and shown by ``parse-engine info``; models that were trained before keep opening, with an empty table
       in its place.
    2. Use it in one estimate: make it a level, or a context, of a chain of its factor
       (:mod:`engine.estimates.estimates_layout`), with its weight.  The parser then mixes it in, and the ledger tells
       of it.  The unaries of preset (5) are written out for speed: ``unary_distribution`` of
       :mod:`engine.estimates.estimates_kernel` has to mix it in, too, and the module is not loaded until it does.

To add a field
    Write its entry among the fields, and its value where the context of its factor is filled
    (:mod:`engine.counts.lookup_kernel`).  What follows from Δ is only an entry.

No compiler is loaded here, so that the readable side of the engine can use the list; kernels use its constants.
"""

from __future__ import annotations

import math
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from engine.structure.sentence_layout import ADJACENT, COMMAS_SHIFT, DELTA_BITS, HEAD_FIRST


class CountedFactor(StrEnum):
    """The factors of a parse's score that rest on counts, and the spans inside baseNPs, which are no factor."""

    DEPENDENCY = "dependency"
    GAP = "gap"
    UNARY = "unary"
    ROOT = "root"
    SPAN = "span"


class FieldKind(StrEnum):
    """Kinds of numbers in a key, which decide how many bits they take."""

    WORD = "word"
    TAG = "tag"
    LABEL = "label"
    DELTA = "delta"
    COMMA = "comma"
    NEIGHBOUR = "neighbour"
    """A tag beside a word, counted from 1, and whether a comma is between; 0 for the edge of the sentence."""
    ORDER = "order"
    """Order and adjacency of two words."""
    CLASSES = "classes"
    """Classes of the words between two words, one bit each."""
    LENGTH = "length"
    EDGE = "edge"
    """A tag counted from 1, 0 being the edge of the baseNP."""
    EDGES = "edges"
    """All tags of a span, as many as it has, and those beside it."""
    ANY = "any"


class Field(NamedTuple):
    """A number in a context, and in keys.

    Attributes
    ----------
    name
        What it is called.
    kind
        Its kind.
    answers
        Of one that follows from Δ its value by Δ; empty for all others.
    """

    name: str
    kind: FieldKind
    answers: tuple[int, ...] = ()


class Least(NamedTuple):
    """Least δ with which a context stays in a compact model: where nothing was counted, where something was."""

    without: float
    counted: float


class TableSpecification(NamedTuple):
    """One count table.

    Attributes
    ----------
    name
        What model files call it; never changed.
    title
        What people read.
    factor, level
        What is estimated from it, and the name of the level of back-off: ``E1``, ``order``, ...
    fields
        What its keys are made of, the leading bits first.
    compact
        What a compact model keeps of it.
    """

    name: str
    title: str
    factor: CountedFactor
    level: str
    fields: tuple[int, ...]
    compact: Least


_fields: list[Field] = []
_tables: list[TableSpecification] = []
_EVERYTHING = Least(1, 1)
DELTAS = 1 << DELTA_BITS
"""How many Δ there are."""


def _field(name: str, kind: FieldKind, answers: list[int] | None = None) -> int:
    """Add a field, which may follow from Δ; return its number."""
    _fields.append(Field(name, kind, tuple(answers or ())))
    return len(_fields) - 1


def _any_commas(distance: int) -> int:
    """Δ with question 4 answered by whether there are commas between, not how many."""
    commas = distance & 3 << COMMAS_SHIFT
    return distance - commas + (1 << COMMAS_SHIFT if commas else 0)


def _table(name: str, title: str, factor: CountedFactor, level: str, *fields: int, compact: Least = _EVERYTHING) -> int:
    """Add a table; return its number."""
    assert DISTANCE not in fields[:-1], f"{name}: Δ stands last, so that all Δ of one order stand side by side"
    # A table that is a sum of another is made from it (:mod:`engine.counts.tables`): two alike would wait in turn.
    twin = next((other.name for other in _tables if (other.factor, set(other.fields)) == (factor, set(fields))), None)
    assert twin is None, f"{name}: {twin} has the same factor and the same fields"
    _tables.append(TableSpecification(name, title, factor, level, fields, compact))
    return len(_tables) - 1


# Fields of a dependency.
MODIFIER_WORD = _field("modifier", FieldKind.WORD)
MODIFIER_TAG = _field("modifier tag", FieldKind.TAG)
HEAD_WORD = _field("head", FieldKind.WORD)
HEAD_TAG = _field("head tag", FieldKind.TAG)
DISTANCE = _field("distance", FieldKind.DELTA)
"""Δ, all six answers (section 2.3)."""
DISTANCE_ANY_COMMAS = _field("distance", FieldKind.DELTA, [_any_commas(delta) for delta in range(DELTAS)])
"""Δ with question 4 answered by whether there are commas between, not how many."""
DISTANCE_ADJACENCY = _field("distance", FieldKind.DELTA, [delta & (HEAD_FIRST | ADJACENT) for delta in range(DELTAS)])
"""Δ with questions 1 and 2 alone."""
DISTANCE_ORDER = _field("distance", FieldKind.DELTA, [delta & HEAD_FIRST for delta in range(DELTAS)])
"""Δ with question 1 alone (Table 4)."""
ORDER_ADJACENCY = _field("order", FieldKind.ORDER, [delta // ADJACENT for delta in range(DELTAS)])
"""The same as :data:`DISTANCE_ADJACENCY` in fewer bits."""
AFTER_MODIFIER = _field("after modifier", FieldKind.NEIGHBOUR)
BEFORE_MODIFIER = _field("before modifier", FieldKind.NEIGHBOUR)
AFTER_HEAD = _field("after head", FieldKind.NEIGHBOUR)
BEFORE_HEAD = _field("before head", FieldKind.NEIGHBOUR)
CLASSES_BETWEEN = _field("between", FieldKind.CLASSES)
# Of a gap.
LEFT_WORD = _field("left", FieldKind.WORD)
LEFT_TAG = _field("left tag", FieldKind.TAG)
RIGHT_WORD = _field("right", FieldKind.WORD)
RIGHT_TAG = _field("right tag", FieldKind.TAG)
COMMA_BETWEEN = _field("comma", FieldKind.COMMA)
# Of a constituent and its unary parent.
CONSTITUENT_LABEL = _field("label", FieldKind.LABEL)
CONSTITUENT_TAG = _field("tag", FieldKind.TAG)
CONSTITUENT_WORD = _field("word", FieldKind.WORD)
CONSTITUENT_CHILD = _field("head-child", FieldKind.LABEL)
CONSTITUENT_FIRST_TAG = _field("first tag", FieldKind.TAG)
# Of gaps and constituents: the tags beside them.
TAG_AFTER = _field("after", FieldKind.NEIGHBOUR)
TAG_BEFORE = _field("before", FieldKind.NEIGHBOUR)
# Of a word of the reduced sentence, which may be the head of the sentence.
REDUCED_WORD = _field("word", FieldKind.WORD)
REDUCED_TAG = _field("tag", FieldKind.TAG)
NO_FIELD = _field("any", FieldKind.ANY)
"""Always 0."""
# Of a span of words inside a baseNP.
SPAN_LENGTH = _field("length", FieldKind.LENGTH)
SPAN_FIRST_WORD = _field("first", FieldKind.WORD)
SPAN_LAST_WORD = _field("last", FieldKind.WORD)
SPAN_LENGTH_BEFORE_TAGS = _field("length", FieldKind.LENGTH)
"""Of a span whose tags leave no room for its length among them: as many as there are from five words on."""
SPAN_ALL_TAGS = _field("tags", FieldKind.EDGES)
"""The tags of a span and beside it, right after its length: that of a short one is in here, too."""
SPAN_FIRST_TAG = _field("first", FieldKind.EDGE)
SPAN_LAST_TAG = _field("last", FieldKind.EDGE)
SPAN_AFTER = _field("after", FieldKind.EDGE)
SPAN_BEFORE = _field("before", FieldKind.EDGE)

_DEPENDENCY, _GAP, _UNARY, _ROOT, _SPAN = CountedFactor
_TWO_TAGS = (MODIFIER_TAG, HEAD_TAG)
_NEAR_TAGS = (*_TWO_TAGS, ORDER_ADJACENCY)
_GAP_TAGS = (LEFT_TAG, RIGHT_TAG, COMMA_BETWEEN)
_HEADED_LABEL = (CONSTITUENT_LABEL, CONSTITUENT_TAG)
_NO_EMPTY_PAIR, _FEW_EMPTY = Least(math.inf, 1), Least(8, 1)
"""What a compact model keeps of tables with two words, and with one; chosen on development parts of GUM and CRAFT."""

# Dependencies (sections 2.2 to 2.4): both words and tags, modifier's word, head's word, tags alone.
DEPENDENCY_PAIR = _table(
    "dependency-pair", "both words and tags", _DEPENDENCY, "E1",
    MODIFIER_WORD, MODIFIER_TAG, HEAD_WORD, HEAD_TAG, DISTANCE, compact=_NO_EMPTY_PAIR,
)  # fmt: skip
DEPENDENCY_MODIFIER = _table(
    "dependency-modifier", "modifier's word, tags", _DEPENDENCY, "E2",
    MODIFIER_WORD, MODIFIER_TAG, HEAD_TAG, DISTANCE, compact=_FEW_EMPTY,
)  # fmt: skip
DEPENDENCY_HEAD = _table(
    "dependency-head", "head's word, tags", _DEPENDENCY, "E3",
    MODIFIER_TAG, HEAD_WORD, HEAD_TAG, DISTANCE, compact=_FEW_EMPTY,
)  # fmt: skip
DEPENDENCY_TAGS = _table("dependency-tags", "tags", _DEPENDENCY, "E4", *_TWO_TAGS, DISTANCE)
# The first three with tags ignored where there are words (section 2.7).
DEPENDENCY_PLAIN_PAIR = _table(
    "dependency-plain-pair", "both words", _DEPENDENCY, "E1",
    MODIFIER_WORD, HEAD_WORD, DISTANCE, compact=_NO_EMPTY_PAIR,
)  # fmt: skip
DEPENDENCY_PLAIN_MODIFIER = _table(
    "dependency-plain-modifier", "modifier's word, head's tag", _DEPENDENCY, "E2",
    MODIFIER_WORD, HEAD_TAG, DISTANCE, compact=_FEW_EMPTY,
)  # fmt: skip
DEPENDENCY_PLAIN_HEAD = _table(
    "dependency-plain-head", "head's word, modifier's tag", _DEPENDENCY, "E3",
    HEAD_WORD, MODIFIER_TAG, DISTANCE, compact=_FEW_EMPTY,
)  # fmt: skip
# Tags with question 1 alone (Table 4), also the coarsest level of preset (5).
DEPENDENCY_ORDER = _table("dependency-order", "tags, order alone", _DEPENDENCY, "order", *_TWO_TAGS, DISTANCE_ORDER)
# Gaps (section 2.5): both words, left word, right word, tags alone, comma alone.
GAP_PAIR = _table(
    "gap-pair", "gap: both words and tags", _GAP, "E1",
    LEFT_WORD, LEFT_TAG, RIGHT_WORD, RIGHT_TAG, COMMA_BETWEEN, compact=Least(1, 2),
)  # fmt: skip
GAP_LEFT = _table("gap-left", "gap: left word, tags", _GAP, "E2", LEFT_WORD, *_GAP_TAGS)
GAP_RIGHT = _table("gap-right", "gap: right word, tags", _GAP, "E3", LEFT_TAG, RIGHT_WORD, RIGHT_TAG, COMMA_BETWEEN)
GAP_TAG_PAIR = _table("gap-tags", "gap: tags", _GAP, "E4", *_GAP_TAGS)
GAP_COMMA = _table("gap-comma", "gap: comma", _GAP, "comma", COMMA_BETWEEN)
# Unaries (footnote to section 2.6): label and head tag, label alone.
UNARY_TAG = _table("unary-tag", "unary: label, head tag", _UNARY, "label+tag", *_HEADED_LABEL)
UNARY_LABEL = _table("unary-label", "unary: label", _UNARY, "label", CONSTITUENT_LABEL)
# The root (footnote 5): head-word and tag, tag alone, nothing.
ROOT_WORD = _table("root-word", "root: head-word, tag", _ROOT, "word+tag", REDUCED_WORD, REDUCED_TAG)
ROOT_TAG = _table("root-tag", "root: tag", _ROOT, "tag", REDUCED_TAG)
ROOT_ANY = _table("root-any", "root: any", _ROOT, "any", NO_FIELD)
# Spans inside baseNPs (not the paper's): first and last word, all tags, tags at the edges, tags at the ends.
SPAN_WORDS = _table(
    "span-words", "inside: first and last word", _SPAN, "words",
    SPAN_LENGTH, SPAN_FIRST_WORD, SPAN_LAST_WORD, SPAN_AFTER, compact=Least(2, 1),
)  # fmt: skip
SPAN_TAGS = _table("span-tags", "inside: all tags", _SPAN, "tags", SPAN_LENGTH_BEFORE_TAGS, SPAN_ALL_TAGS)
SPAN_EDGES = _table(
    "span-edges", "inside: tags at the edges", _SPAN, "edges",
    SPAN_LENGTH, SPAN_FIRST_TAG, SPAN_LAST_TAG, SPAN_AFTER, SPAN_BEFORE,
)  # fmt: skip
SPAN_ENDS = _table(
    "span-ends", "inside: tags at the ends", _SPAN, "ends",
    SPAN_LENGTH, SPAN_FIRST_TAG, SPAN_LAST_TAG, SPAN_AFTER,
)  # fmt: skip
# Preset (5), dependencies: tags at reduced Δ; with what stands beside the modifier, beside the head, and between them.
DEPENDENCY_ANY_COMMAS = _table(
    "dependency-any-commas", "tags, distance without numbers of commas", _DEPENDENCY, "Δ without commas",
    *_TWO_TAGS, DISTANCE_ANY_COMMAS,
)  # fmt: skip
DEPENDENCY_ADJACENCY = _table(
    "dependency-adjacency", "tags, order and adjacency", _DEPENDENCY, "order+adjacency", *_TWO_TAGS, DISTANCE_ADJACENCY
)
DEPENDENCY_BESIDE_MODIFIER = _table(
    "dependency-beside-modifier", "tags, order and adjacency, beside the modifier", _DEPENDENCY, "beside modifier",
    *_NEAR_TAGS, AFTER_MODIFIER, BEFORE_MODIFIER,
)  # fmt: skip
DEPENDENCY_BESIDE_HEAD = _table(
    "dependency-beside-head", "tags, order and adjacency, beside the head", _DEPENDENCY, "beside head",
    *_NEAR_TAGS, AFTER_HEAD, BEFORE_HEAD,
)  # fmt: skip
DEPENDENCY_BETWEEN = _table(
    "dependency-between", "tags, order and adjacency, between", _DEPENDENCY, "between", *_NEAR_TAGS, CLASSES_BETWEEN
)
# Preset (5), gaps: tags with the neighbour before, the neighbour after, both.
GAP_BEFORE = _table("gap-before", "gap: tags, before", _GAP, "before", *_GAP_TAGS, TAG_BEFORE)
GAP_AFTER = _table("gap-after", "gap: tags, after", _GAP, "after", *_GAP_TAGS, TAG_AFTER)
GAP_AROUND = _table(
    "gap-around", "gap: tags, before and after", _GAP, "before+after", *_GAP_TAGS, TAG_AFTER, TAG_BEFORE
)
# Preset (5), unaries: label and head tag with the head-word, the neighbours, the head-child and the first tag.
UNARY_WORD = _table(
    "unary-word", "unary: label, head tag, head-word", _UNARY, "word+tag", *_HEADED_LABEL, CONSTITUENT_WORD
)
UNARY_AFTER = _table("unary-after", "unary: label, head tag, after", _UNARY, "after", *_HEADED_LABEL, TAG_AFTER)
UNARY_BEFORE = _table("unary-before", "unary: label, head tag, before", _UNARY, "before", *_HEADED_LABEL, TAG_BEFORE)
UNARY_AROUND = _table(
    "unary-around",
    "unary: label, head tag, before and after",
    _UNARY,
    "before+after",
    *_HEADED_LABEL,
    TAG_AFTER,
    TAG_BEFORE,
)
UNARY_INNER = _table(
    "unary-inner", "unary: label, head tag, head-child, first tag", _UNARY, "inside",
    *_HEADED_LABEL, CONSTITUENT_CHILD, CONSTITUENT_FIRST_TAG,
)  # fmt: skip
# A new table is written here.

TABLES = tuple(_tables)
"""All count tables in the order of their numbers."""
FIELDS = tuple(_fields)
"""All fields in the order of their numbers."""
TABLE_FIELDS = np.array([field for table in TABLES for field in table.fields], np.int64)
TABLE_STARTS = np.array([0, *accumulate(len(table.fields) for table in TABLES)], np.int64)
"""For kernels: the fields of all tables, and where those of each start; one entry more at the end."""
HOLDS = np.array([[field in table.fields for field in range(len(FIELDS))] for table in TABLES])
"""For kernels: whether a table has a field."""
FROM_DISTANCE = np.array([number for number, field in enumerate(FIELDS) if field.answers], np.int64)
DISTANCE_ANSWERS = np.array([field.answers for field in FIELDS if field.answers], np.int64)
"""For kernels: the fields that follow from Δ, and their values by Δ."""
CONTEXT_FIELDS = len(FIELDS)
"""How many numbers a context has."""
UNNAMED_TABLES = tuple(table.name for table in TABLES[: UNARY_INNER + 1])
"""The tables of a model file that does not name its tables: one that has these and no others, as most have."""
DEPENDENCY_TABLES = frozenset(number for number, table in enumerate(TABLES) if table.factor is CountedFactor.DEPENDENCY)
"""The numbers of the tables of dependencies, whose contexts name two words that may have no relation."""
