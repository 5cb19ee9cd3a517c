"""Browser of a model: what it counted of a word, a tag, a pair or a relation, from heads by Δ to gaps and roots."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import BoolArray, Int64Array, IntArray
from engine.common.errors import EngineError
from engine.common.tables import CSV_DELIMITER, Block, Column, Table, csv_line, text_table
from engine.counts.contexts import QUESTIONS, distance_answers, unpack
from engine.counts.corpus import Vocabulary
from engine.counts.specifications_layout import (
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    ROOT_TAG,
    ROOT_WORD,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.counts.tables import TableContexts, table_contexts, table_outcomes
from engine.model.counts_file import check_names
from engine.model.model import Model
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.tagged_sentence import split_tag, unescaped
from engine.study.counted import ANY, UNRELATED, Counted
from engine.trees.tree import PUNCTUATION_TAGS, plain_word

# Questions to a model: a word, a tag, a word with its tag, two of these, or a relation.

ANY_LABEL = "*"
_ARROWS = frozenset({"→", "->", "-->"})
_NEAR = 5
_LEAST_LIKENESS = 0.7
_LEAST_CHANCE, _MOST_TAGS = 0.02, 4
"""Tags of an unknown word that are worth naming."""


class Term(NamedTuple):
    """A word, a tag, or both."""

    word: str | None
    tag: str | None

    def __str__(self) -> str:
        return "/".join(filter(None, (self.word, self.tag)))


class Query(NamedTuple):
    """A question: one term or two, or a relation whose labels may be ``*``."""

    terms: tuple[Term, ...] = ()
    relation: tuple[str, str, str] | None = None

    def __str__(self) -> str:
        return f"<{','.join(self.relation)}>" if self.relation else " ".join(map(str, self.terms))


def read_query(text: str, model: Model) -> Query:
    """Read a question: ``saw``, ``saw/VBD``, ``VBD``, ``with saw``, ``IN VBD``, ``<PP,VP,VBD>``, ``<PP,*,*>``.

    A string that is both a tag and a word is the tag.

    Raises
    ------
    EngineError
        If the model knows no such thing: one sentence, with what it knows that is like it.
    """
    text = text.strip()
    if not text:
        raise EngineError("ask for a word, a tag, two of them, or a relation like <PP,VP,VBD>")
    if text.startswith(("<", "⟨")):
        return Query(relation=_relation(text, model.vocabulary))
    pieces = [piece for piece in text.split() if piece not in _ARROWS]
    if not 1 <= len(pieces) <= 2:
        raise EngineError(f"‘{text}’: ask for one word or tag, or for two; a relation is written <PP,VP,VBD>")
    return Query(tuple(_term(piece, model) for piece in pieces))


def _relation(text: str, vocabulary: Vocabulary) -> tuple[str, str, str]:
    labels = [label.strip() or ANY_LABEL for label in re.split(r"[,\s]+", text.strip("<>⟨⟩ "))]
    if len(labels) != 3:
        raise EngineError(f"‘{text}’: a relation has three labels, as <PP,VP,VBD>; * stands for any")
    relation = (labels[0], labels[1], labels[2])
    if not any(matches(relation, triple) for triple in vocabulary.triples):
        known = [f"<{','.join(triple)}>" for triple in vocabulary.triples]
        raise UnknownNameError(f"no relation ‘<{','.join(relation)}>’ in the model", _alternatives(text, known))
    return relation


def matches(relation: Sequence[str], triple: Sequence[str]) -> bool:
    """Tell whether a relation in which ``*`` stands for any label is this triple."""
    return all(asked in (ANY_LABEL, label) for asked, label in zip(relation, triple, strict=True))


def _term(piece: str, model: Model) -> Term:
    words, tags = model.word_numbers, model.tag_numbers
    before, tag = split_tag(piece)
    if tag and before and (tag in tags or tag.isupper()):
        word = plain_word(unescaped(before))
        if word not in words:
            raise _unknown_word(word, model)
        if tag not in tags:
            raise UnknownNameError(f"no tag ‘{tag}’ in the model", _alternatives(tag, model.vocabulary.tags))
        return Term(word, tag)
    if piece in tags:
        return Term(None, piece)
    word = plain_word(unescaped(piece))
    if word in words:
        return Term(word, None)
    raise _unknown_word(word, model)


class UnknownNameError(EngineError):
    """A word, tag or relation that the model does not hold, with those of its names that may have been meant."""

    def __init__(self, problem: str, suggestions: Sequence[str]) -> None:
        asked = f"; did you mean {either([f'‘{name}’' for name in suggestions])}?" if suggestions else ""
        super().__init__(problem + asked)
        self.problem = problem
        self.suggestions = tuple(suggestions)


def either(names: Sequence[str]) -> str:
    """Names to choose from, in words: ``saw, seen or see``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _unknown_word(word: str, model: Model) -> EngineError:
    if word in PUNCTUATION_TAGS:
        return EngineError(f"‘{word}’ is punctuation, which the model counts only between two words, as a ‘comma’")
    relations = {label for triple in model.vocabulary.triples for label in triple}
    if word in relations:
        return EngineError(f"‘{word}’ is a label; ask for its relations as <{word},*,*>, <*,{word},*> or <*,*,{word}>")
    candidates = chain(_alike(word, model.vocabulary.words), model.vocabulary.tags if word.isupper() else ())
    problem = f"no word ‘{word}’ in the model"
    suggestions = _alternatives(word, list(candidates))
    return UnknownNameError(problem if suggestions else problem + _as_unknown(word, model), suggestions)


def _as_unknown(word: str, model: Model) -> str:
    """Return the end of the message about a word that no known word is like: what a parse makes of it, what to ask."""
    if model.tagger is None:
        return "; a word that it never saw is attached by its tag alone, so ask for a tag, as NN"
    likely = [choice for choice in model.tag([word]).choices[0] if choice[1] >= _LEAST_CHANCE][:_MOST_TAGS]
    tags = ", ".join(f"{tag} {chance:.2f}" for tag, chance in likely)
    return (
        f"; a word that it never saw is tagged by its spelling and the words around it (this one, alone: {tags}) "
        f"and attached by its tag alone, so ask for {likely[0][0]}"
    )


def _alike(word: str, words: Sequence[str]) -> list[str]:
    """Words worth comparing: about as long, with one of the first two letters or the last in place."""
    low = word.lower()
    found = []
    for other in words:
        if abs(len(other) - len(word)) <= 2:
            lower = other.lower()
            if lower[0] == low[0] or lower[1:2] == low[1:2] or lower[-1] == low[-1]:
                found.append(other)
    return found


def _alternatives(asked: str, known: Sequence[str]) -> list[str]:
    """Return the known names that are most like one that is not known."""
    by_lower: dict[str, list[str]] = {}
    for one in known:
        by_lower.setdefault(one.lower(), []).append(one)
    near = difflib.get_close_matches(asked.lower(), list(by_lower), _NEAR, _LEAST_LIKENESS)
    return [
        one for lower in near for one in sorted(by_lower[lower], key=lambda one: one[0].isupper() != asked[0].isupper())
    ][:_NEAR]


def completions(model: Model, text: str, most: int = 20) -> list[str]:
    """Complete a question: its last word or tag, or its relation, as the model knows them."""
    vocabulary = model.vocabulary
    if text.startswith("<"):
        relations = (f"<{','.join(triple)}>" for triple in vocabulary.triples)
        return [one for one in relations if one.startswith(text)][:most]
    before, space, last = text.rpartition(" ")
    if not last:
        return []
    word, slash, tag = last.rpartition("/")
    if slash and word in model.word_numbers:
        return [f"{before}{space}{word}/{one}" for one in vocabulary.tags if one.startswith(tag)][:most]
    tags = [one for one in vocabulary.tags if one.startswith(last)]
    at = bisect_left(vocabulary.words, last)
    words = []
    for one in vocabulary.words[at : at + most]:
        if not one.startswith(last):
            break
        words.append(one)
    return [before + space + one for one in (*tags, *words)][:most]


# Answers of the model browser: named tables of counts, and how they are written out.


def _nothing(row: int) -> Counted | None:
    return None


@dataclass(frozen=True, slots=True)
class FoundTable(Table):
    """One table of words and counts, the most frequent first.

    Attributes
    ----------
    total
        How many rows there are in all: the table holds the most frequent of them.
    note
        What is to be known of its counts.
    source
        For a row's number the count behind it, whose training sentences can be shown; ``None`` if it has none.
    """

    total: int = 0
    note: str = ""
    source: Callable[[int], Counted | None] = field(default=_nothing, compare=False, repr=False)

    @property
    def right(self) -> frozenset[int]:
        """The columns of counts."""
        rows = self.rows
        return frozenset(
            at for at in range(len(self.columns)) if rows and all(isinstance(row[at], int) for row in rows)
        )

    def with_rows(self, rows: Sequence[tuple[str | int, ...]], **changes: Any) -> FoundTable:
        """Return the table with other rows."""
        return replace(self, blocks=(Block("", rows),), **changes)

    def first(self, most: int) -> FoundTable:
        """Return the table with its first rows alone."""
        return self.with_rows(self.rows[:most], total=max(self.total, len(self.rows)))

    def text(self) -> str:
        """Write the table as aligned text."""
        cells = list(map(self.shown, self.rows))
        lines = [self.title, "-" * len(self.title), text_table(self.header, cells, sorted(self.right))]
        left = max(self.total, len(self.rows)) - len(self.rows)
        if left:
            lines.append(f"… and {left:,} more")
        if self.note:
            lines.append(f"({self.note})")
        return "\n".join(lines)

    def as_object(self) -> dict[str, object]:
        """Make an object for JSON."""
        return {
            "table": self.title,
            "rows": self.records(),
            "of": max(self.total, len(self.rows)),
            **({"note": self.note} if self.note else {}),
        }


def found_table(
    title: str,
    header: Sequence[str],
    rows: Sequence[tuple[str | int, ...]],
    total: int = 0,
    note: str = "",
    source: Callable[[int], Counted | None] = _nothing,
) -> FoundTable:
    """Return a table whose columns are known by their titles."""
    columns = tuple(Column(name, name, "{:,}") for name in header)
    return FoundTable(title, columns, (Block("", rows),), total=total, note=note, source=source)


@dataclass(frozen=True)
class Findings:
    """The answer to one question."""

    title: str
    remarks: tuple[str, ...]
    tables: tuple[FoundTable, ...]

    def first(self, most: int) -> Findings:
        """Return the findings with only the first rows of every table."""
        return replace(self, tables=tuple(table.first(most) for table in self.tables))

    def text(self) -> str:
        """Write the answer as text."""
        return "\n\n".join(["\n".join([self.title, *self.remarks]), *(table.text() for table in self.tables)])

    def as_object(self) -> dict[str, object]:
        """Make an object for JSON."""
        return {
            "asked": self.title,
            "remarks": list(self.remarks),
            "tables": [table.as_object() for table in self.tables],
        }

    def csv(self, delimiter: str = CSV_DELIMITER) -> str:
        """Write all tables, each after a line with its name and before an empty line."""
        return "\n\n".join(csv_line([table.title], delimiter) + table.csv(delimiter) for table in self.tables)


# The tables of a model as columns, taken apart once: what questions to it are answered from.

MOST_ROWS = 2000
"""A table holds no more rows than this, the most frequent ones."""
NEVER = -2


@dataclass(frozen=True)
class TableColumns:
    """One count table: its contexts, and what was counted in them.

    Attributes
    ----------
    table
        Its number.
    contexts
        Keys, δ and records.
    parts
        The numbers in every key, by name (:data:`engine.counts.specifications_layout.FIELDS`).
    places, outcomes, etas
        For every event its context, its outcome and η.
    """

    table: int
    contexts: TableContexts
    parts: dict[str, Int64Array]
    places: IntArray
    outcomes: IntArray
    etas: IntArray

    def where(self, **wanted: int | None) -> BoolArray:
        """Return the contexts whose parts are these; ``None`` for any.  Blanks in names are written as ``_``."""
        mask = np.ones(len(self.contexts.keys), bool)
        for name, number in wanted.items():
            if number is not None:
                mask &= self.parts[name.replace("_", " ")] == number
        return mask


def table_columns(model: Model, table: int) -> TableColumns:
    """Take one table apart; raise :class:`ModelError` if it names what the model does not know."""
    found = table_contexts(model.counts, table)
    check_names(model.counts.widths, table, found.keys, model.vocabulary)
    counted = table_outcomes(model.counts, found)
    parts = unpack(model.counts.widths, table, found.keys)
    return TableColumns(table, found, parts, counted.places, counted.outcomes, counted.etas.astype(np.int64))


def number_of(numbers: dict[str, int], value: str | None) -> int | None:
    """Return a word's or tag's number; ``None`` for any, and one that nothing has for one that is not there."""
    return None if value is None else numbers.get(value, NEVER)


def numbers_of(model: Model, term: Term) -> tuple[int | None, int | None]:
    """Word and tag of a term as numbers."""
    return number_of(model.word_numbers, term.word), number_of(model.tag_numbers, term.tag)


class Grouped:
    """Counts added up over equal values of some columns, the greatest first.

    Parameters
    ----------
    columns
        Numbers that tell the groups apart, not negative.
    counts
        What is added up.
    """

    def __init__(self, columns: Sequence[IntArray], counts: IntArray) -> None:
        joint = np.zeros(len(counts), np.int64)
        for column in columns:
            joint = joint * (int(column.max(initial=0)) + 1) + column
        self._joint = joint
        values, first, inverse = np.unique(joint, return_index=True, return_inverse=True)
        sums = np.bincount(inverse, counts, len(values)).astype(np.int64)
        # Equal counts stay in the order of the numbers, which is that of the alphabet.
        order = np.argsort(-sums, kind="stable")
        self.total = len(values)
        self.order = order[:MOST_ROWS]
        self.sums = sums[self.order]
        self._first = first[self.order]
        self._values = values[self.order]

    def column(self, values: IntArray) -> list[int]:
        """Return the value that a column has in every group."""
        found: list[int] = values[self._first].tolist()
        return found

    def members(self, row: int) -> IntArray:
        """Return the places of one group."""
        return np.flatnonzero(self._joint == self._values[row])

    def summed(self, counts: IntArray) -> list[int]:
        """Return other counts added up over the same groups."""
        _, inverse = np.unique(self._joint, return_inverse=True)
        sums: list[int] = np.bincount(inverse, counts, self.total).astype(np.int64)[self.order].tolist()
        return sums


def grouped_table(
    name: str,
    header: Sequence[str],
    grouped: Grouped,
    columns: Sequence[Sequence[str | int]],
    counted: Callable[[IntArray], Counted | None],
    note: str = "",
) -> FoundTable:
    """Return a table of groups; `counted` makes a group's count from its members."""

    def source(row: int) -> Counted | None:
        return counted(grouped.members(row))

    return found_table(name, header, list(zip(*columns, strict=True)), grouped.total, note, source)


# The count tables of one model, each taken apart when it is first needed, and kept.


class Arrows:
    """The arrows of the training trees: who modifies whom, at which Δ, by which relation, how often.

    The table of both words and tags holds them all, for no model leaves out a context in which something was counted
    there.
    """

    def __init__(self, model: Model, pairs: TableColumns) -> None:
        self.model = model
        self.relations = pairs.outcomes
        self.etas = pairs.etas
        self.keys = pairs.contexts.keys[pairs.places]
        self.parts = {name: values[pairs.places] for name, values in pairs.parts.items()}

    def where(self, **wanted: int | None) -> BoolArray:
        """Return the arrows whose words and tags are these; ``None`` for any."""
        mask = np.ones(len(self.etas), bool)
        for name, number in wanted.items():
            if number is not None:
                mask &= self.parts[name.replace("_", " ")] == number
        return mask

    def counted(self, places: IntArray, relation: bool) -> Counted:
        """Return the count of some arrows: of their one relation, or whatever it is."""
        outcome = int(self.relations[places[0]]) if relation else ANY
        return Counted("η", DEPENDENCY_PAIR, tuple(np.unique(self.keys[places]).tolist()), outcome)

    def named(self, numbers: list[int], tags: list[int]) -> list[str]:
        """Words with their tags."""
        vocabulary = self.model.vocabulary
        return [f"{vocabulary.words[word]}/{vocabulary.tags[tag]}" for word, tag in zip(numbers, tags, strict=True)]

    def relation_names(self, numbers: list[int]) -> list[str]:
        """Relations as they are written."""
        triples = self.model.vocabulary.triples
        return [f"<{','.join(triples[number])}>" for number in numbers]


class ModelTables:
    """The tables of a model as columns."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._tables: dict[int, TableColumns] = {}

    def columns(self, table: int) -> TableColumns:
        """One table of the model as columns."""
        if table not in self._tables:
            self._tables[table] = table_columns(self.model, table)
        return self._tables[table]

    @cached_property
    def compact(self) -> bool:
        """True if the model was pruned of contexts of two words in which nothing was counted."""
        return not (self.columns(DEPENDENCY_PAIR).contexts.records < 0).any()

    @cached_property
    def arrows(self) -> Arrows:
        """The arrows that were counted."""
        return Arrows(self.model, self.columns(DEPENDENCY_PAIR))


# Dependencies in the model browser: heads, modifiers, relations, and counts by Δ (sections 2.2 to 2.4).

LEFT_OUT = "δ of a compact model lacks rare contexts in which nothing was counted"


def arrow_tables(tables: ModelTables, term: Term, chosen: BoolArray, modifies: bool) -> list[FoundTable]:
    """Return the heads that a term modifies, or the modifiers that it has; by word and by tag with their relations."""
    arrows = tables.arrows
    other = "head" if modifies else "modifier"
    title = f"Heads of {term}" if modifies else f"Modifiers of {term}"
    return [
        _by_word(arrows, title, other, chosen),
        _by_tag(arrows, f"{title} by tag", other, chosen),
    ]


def _by_word(arrows: Arrows, title: str, side: str, chosen: BoolArray) -> FoundTable:
    places = np.flatnonzero(chosen)
    words, tags, relations = arrows.parts[side][places], arrows.parts[f"{side} tag"][places], arrows.relations[places]
    grouped = Grouped((words, tags, relations), arrows.etas[places])
    columns = (
        arrows.named(grouped.column(words), grouped.column(tags)),
        arrows.relation_names(grouped.column(relations)),
        grouped.sums.tolist(),
    )
    return grouped_table(
        title, (side, "relation", "η"), grouped, columns, lambda members: arrows.counted(places[members], True)
    )


def _by_tag(arrows: Arrows, title: str, side: str, chosen: BoolArray) -> FoundTable:
    places = np.flatnonzero(chosen)
    tags, relations = arrows.parts[f"{side} tag"][places], arrows.relations[places]
    grouped = Grouped((tags, relations), arrows.etas[places])
    names = arrows.model.vocabulary.tags
    columns = (
        [names[tag] for tag in grouped.column(tags)],
        arrows.relation_names(grouped.column(relations)),
        grouped.sums.tolist(),
    )
    return grouped_table(
        title, (f"{side} tag", "relation", "η"), grouped, columns, lambda members: arrows.counted(places[members], True)
    )


def _table_of(modifier: Term | None, head: Term | None) -> int:
    """Return the smallest table that holds these words and tags; ``None`` for a side that may be anything."""
    word_m, tag_m = (modifier.word, modifier.tag) if modifier else (None, None)
    word_h, tag_h = (head.word, head.tag) if head else (None, None)
    if word_m is None and word_h is None:
        return DEPENDENCY_TAGS
    if word_m is not None and word_h is not None:
        return DEPENDENCY_PAIR if tag_m or tag_h else DEPENDENCY_PLAIN_PAIR
    if word_m is not None:
        return DEPENDENCY_MODIFIER if tag_m else DEPENDENCY_PLAIN_MODIFIER
    return DEPENDENCY_HEAD if tag_h else DEPENDENCY_PLAIN_HEAD


def _contexts(tables: ModelTables, modifier: Term | None, head: Term | None) -> tuple[TableColumns, BoolArray]:
    """Return the contexts of a term with another, or with any word."""
    columns = tables.columns(_table_of(modifier, head))
    wanted: dict[str, int | None] = {}
    for side, term in (("modifier", modifier), ("head", head)):
        if term is not None:
            word, tag = numbers_of(tables.model, term)
            wanted |= {name: number for name, number in ((side, word), (f"{side}_tag", tag)) if number is not None}
    return columns, columns.where(**wanted)


def _note(tables: ModelTables, table: int) -> str:
    return LEFT_OUT if tables.compact and table != DEPENDENCY_TAGS else ""


def _answers(codes: list[int]) -> list[list[str]]:
    """Return the six answers of every Δ, as six columns."""
    answers = [distance_answers(code) for code in codes]
    return [[one[question] for one in answers] for question in range(len(QUESTIONS))]


def distance_table(tables: ModelTables, term: Term, modifies: bool) -> FoundTable:
    """Counts of a term by Δ, its six answers in words: how often it stood so to another word, and was related."""
    columns, chosen = _contexts(tables, term if modifies else None, None if modifies else term)
    places = np.flatnonzero(chosen)
    etas = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    codes = columns.parts["distance"][places]
    grouped = Grouped((codes,), etas[places])

    def counted(members: IntArray) -> Counted:
        return Counted("η", columns.table, tuple(columns.contexts.keys[places[members]].tolist()), ANY)

    name = f"{term} as modifier, by Δ" if modifies else f"{term} as head, by Δ"
    return grouped_table(
        name,
        (*QUESTIONS, "η", "δ"),
        grouped,
        (*_answers(grouped.column(codes)), grouped.sums.tolist(), grouped.summed(columns.contexts.deltas[places])),
        counted,
        _note(tables, columns.table),
    )


def pair_table(tables: ModelTables, modifier: Term, head: Term) -> FoundTable:
    """Two terms by Δ and relation, and how often they stood so without any."""
    columns, chosen = _contexts(tables, modifier, head)
    rows = np.flatnonzero(chosen[columns.places])
    etas = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    alone = np.flatnonzero(chosen & (columns.contexts.deltas > etas))
    unrelated = len(tables.model.vocabulary.triples)
    contexts = np.concatenate([columns.places[rows], alone])
    relations = np.concatenate([columns.outcomes[rows], np.full(len(alone), unrelated)])
    counts = np.concatenate([columns.etas[rows], (columns.contexts.deltas - etas)[alone]])
    codes = columns.parts["distance"][contexts]
    grouped = Grouped((codes, relations), counts)
    found = grouped.column(relations)
    names = ["none" if number == unrelated else tables.arrows.relation_names([number])[0] for number in found]
    by_code = np.bincount(columns.parts["distance"][chosen], columns.contexts.deltas[chosen], 128).astype(np.int64)
    deltas = by_code[grouped.column(codes)].tolist() if len(codes) else []

    def counted(members: IntArray) -> Counted:
        places, outcome = contexts[members], int(relations[members[0]])
        keys = tuple(columns.contexts.keys[places].tolist())
        return Counted("η", columns.table, keys, UNRELATED if outcome == unrelated else outcome)

    return grouped_table(
        f"{modifier} → {head}, by Δ",
        ("relation", *QUESTIONS, "η", "δ"),
        grouped,
        (names, *_answers(grouped.column(codes)), grouped.sums.tolist(), deltas),
        counted,
        _note(tables, columns.table),
    )


def relation_tables(tables: ModelTables, title: str, chosen: BoolArray, several: bool) -> list[FoundTable]:
    """Return a relation, or several of them: their tags, their words, their pairs, their Δ."""
    layouts: list[tuple[str, tuple[str, ...]]] = [
        ("Tags of", ("modifier tag", "head tag")),
        ("Modifiers of", ("modifier",)),
        ("Heads of", ("head",)),
        ("Pairs of", ("modifier", "head")),
        ("Δ of", ("distance",)),
    ]
    if several:
        layouts.insert(0, ("Relations", ()))
    places = np.flatnonzero(chosen)
    return [_relation_table(tables.arrows, f"{name} {title}", sides, places, several) for name, sides in layouts]


def _relation_table(arrows: Arrows, name: str, sides: tuple[str, ...], places: IntArray, several: bool) -> FoundTable:
    relations = arrows.relations[places]
    parts = {part: values[places] for part, values in arrows.parts.items()}
    by = [relations]
    for side in sides:
        by += [parts[side], parts[f"{side} tag"]] if side in ("modifier", "head") else [parts[side]]
    grouped = Grouped(by, arrows.etas[places])
    header, cells = (["relation"], [arrows.relation_names(grouped.column(relations))]) if several else ([], [])
    for side in sides:
        numbers = grouped.column(parts[side])
        header += QUESTIONS if side == "distance" else (side,)
        if side == "distance":
            cells += _answers(numbers)
        elif side.endswith("tag"):
            cells.append([arrows.model.vocabulary.tags[number] for number in numbers])
        else:
            cells.append(arrows.named(numbers, grouped.column(parts[f"{side} tag"])))
    return grouped_table(
        name,
        (*header, "η"),
        grouped,
        (*cells, grouped.sums.tolist()),
        lambda members: arrows.counted(places[members], True),
    )


# Gaps, unaries, roots, tags and words in the model browser (sections 2.5 and 2.6).


def gap_table(tables: ModelTables, term: Term, before: bool) -> FoundTable:
    """Return the gap tags before or after a word or tag, by the tag on the other side and the comma."""
    word, tag = numbers_of(tables.model, term)
    side, other = ("right", "left") if before else ("left", "right")
    if term.word is None:
        columns = tables.columns(GAP_TAG_PAIR)
        chosen = columns.where(**{f"{side}_tag": tag})
    else:
        columns = tables.columns(GAP_RIGHT if before else GAP_LEFT)
        chosen = columns.where(**{side: word, f"{side}_tag": tag})
    name = f"Gap before {term}" if before else f"Gap after {term}"
    return _gaps(tables, name, "tag before" if before else "tag after", columns, chosen, f"{other} tag")


def between_table(tables: ModelTables, left: Term, right: Term) -> FoundTable:
    """Return the gap tags between two words or tags that stand side by side."""
    (word_l, tag_l), (word_r, tag_r) = numbers_of(tables.model, left), numbers_of(tables.model, right)
    if left.word is None and right.word is None:
        table = GAP_TAG_PAIR
    elif right.word is None:
        table = GAP_LEFT
    else:
        table = GAP_RIGHT if left.word is None else GAP_PAIR
    columns = tables.columns(table)
    asked = {"left": word_l, "left_tag": tag_l, "right": word_r, "right_tag": tag_r}
    chosen = columns.where(**{name: number for name, number in asked.items() if number is not None})
    note = ""
    if table == GAP_PAIR and tables.compact:
        note = "a compact model leaves out two words that stood side by side only once"
    return _gaps(tables, f"Gap between {left} and {right}", "", columns, chosen, "comma", note)


def _gaps(
    tables: ModelTables, name: str, beside: str, columns: TableColumns, chosen: BoolArray, part: str, note: str = ""
) -> FoundTable:
    places = np.flatnonzero(chosen)
    by_tag = np.zeros((len(GAP_LETTERS), len(chosen)), np.int64)
    by_tag[columns.outcomes, columns.places] = columns.etas
    others, commas = columns.parts[part][places], columns.parts["comma"][places]
    grouped = Grouped((others, commas), columns.contexts.deltas[places])
    tags = tables.model.vocabulary.tags
    between = ["a comma" if comma else "no comma" for comma in grouped.column(commas)]
    first = ([tags[number] for number in grouped.column(others)],) if beside else ()
    letters = [grouped.summed(row[places]) for row in by_tag]

    def counted(members: IntArray) -> Counted:
        return Counted("δ", columns.table, tuple(columns.contexts.keys[places[members]].tolist()))

    header = (*((beside,) if beside else ()), "between", *GAP_LETTERS, "δ")
    return grouped_table(name, header, grouped, (*first, between, *letters, grouped.sums.tolist()), counted, note)


def _headed(tables: ModelTables, term: Term, by_tag: int, by_word: int) -> tuple[TableColumns, BoolArray]:
    """Return the table in which a term is to be found, by its word or, where it has none, by
    its tag; and its contexts.
    """
    word, tag = numbers_of(tables.model, term)
    if term.word is None:
        columns = tables.columns(by_tag)
        return columns, columns.where(tag=tag)
    columns = tables.columns(by_word)
    return columns, columns.where(word=word, tag=tag)


def unary_table(tables: ModelTables, term: Term) -> FoundTable:
    """Return the constituents that a word or tag heads, and what stands over them alone."""
    columns, chosen = _headed(tables, term, UNARY_TAG, UNARY_WORD)
    rows = np.flatnonzero(chosen[columns.places])
    contexts, parents, etas = columns.places[rows], columns.outcomes[rows], columns.etas[rows]
    labels = columns.parts["label"][contexts]
    grouped = Grouped((labels, parents), etas)
    names = tables.model.vocabulary.labels
    of_label = np.bincount(labels, etas, len(names) + 1).astype(np.int64)

    def counted(members: IntArray) -> Counted:
        keys = tuple(columns.contexts.keys[contexts[members]].tolist())
        return Counted("η", columns.table, keys, int(parents[members[0]]))

    return grouped_table(
        f"Unaries over what {term} heads",
        ("constituent", "parent", "η", "δ"),
        grouped,
        (
            [names[number] for number in grouped.column(labels)],
            [names[number] or "none" for number in grouped.column(parents)],
            grouped.sums.tolist(),
            of_label[grouped.column(labels)].tolist() if len(rows) else [],
        ),
        counted,
    )


def roots_table(tables: ModelTables, term: Term) -> FoundTable:
    """Return the labels under which a word or tag headed its sentence."""
    columns, chosen = _headed(tables, term, ROOT_TAG, ROOT_WORD)
    rows = np.flatnonzero(chosen[columns.places])
    outcomes = columns.outcomes[rows]
    grouped = Grouped((outcomes,), columns.etas[rows])
    names = tables.model.vocabulary.labels
    whole = int(columns.contexts.deltas[chosen].sum())

    def counted(members: IntArray) -> Counted:
        keys = tuple(columns.contexts.keys[columns.places[rows[members]]].tolist())
        return Counted("η", columns.table, keys, int(outcomes[members[0]]))

    return grouped_table(
        f"Sentences that {term} heads",
        ("root", "η", "δ"),
        grouped,
        ([f"<{names[number]}>" for number in grouped.column(outcomes)], grouped.sums.tolist(), [whole] * grouped.total),
        counted,
    )


def tags_table(tables: ModelTables, word: int | None, tag: int | None) -> FoundTable:
    """Return the tags that a word had, and how often it was a word of the reduced sentence S̄
    and the head of its sentence.
    """
    return _reduced(tables, "Tags", "tag", tables.columns(ROOT_WORD).where(word=word, tag=tag), "tag")


def words_table(tables: ModelTables, tag: int | None) -> FoundTable:
    """Return the words that had a tag."""
    return _reduced(tables, "Words", "word", tables.columns(ROOT_WORD).where(tag=tag), "word")


def _reduced(tables: ModelTables, name: str, column: str, chosen: BoolArray, part: str) -> FoundTable:
    columns = tables.columns(ROOT_WORD)
    places = np.flatnonzero(chosen)
    heads = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    values = columns.parts[part][places]
    grouped = Grouped((values,), columns.contexts.deltas[places])
    vocabulary = tables.model.vocabulary
    names = vocabulary.tags if part == "tag" else vocabulary.words

    def counted(members: IntArray) -> Counted:
        return Counted("δ", ROOT_WORD, tuple(columns.contexts.keys[places[members]].tolist()))

    return grouped_table(
        name,
        (column, "reduced", "heads its sentence"),
        grouped,
        (
            [names[number] for number in grouped.column(values)],
            grouped.sums.tolist(),
            grouped.summed(heads[places]),
        ),
        counted,
        "reduced: as a word of the reduced sentence S̄, in which the head alone stands for each baseNP",
    )


# Browser of a model: what it counted of a word, a tag, a pair or a relation, from heads by Δ to gaps and roots.


class Browser:
    """Answers questions to one model; every table is taken apart when it is first needed, and kept."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tables = ModelTables(model)

    def find(self, asked: str | Query) -> Findings:
        """Find everything about a word, a tag, a pair or a relation; see :func:`read_query` for how to ask."""
        query = read_query(asked, self.model) if isinstance(asked, str) else asked
        if query.relation is not None:
            return self._relation(query.relation)
        if len(query.terms) == 2:
            return self._pair(*query.terms)
        return self._term(query.terms[0])

    def arrows_of(self, query: Query) -> tuple[Counted, Int64Array | None, int]:
        """Find the arrows that a question is about: their contexts, their relations if not all, and their number.

        Those of a term are the arrows that it modifies or heads, those of two the arrows between them.
        """
        arrows = self.tables.arrows
        relations = None
        if query.relation is not None:
            relations = self._relation_numbers(query.relation)
            chosen = np.isin(arrows.relations, relations)
        elif len(query.terms) == 1:
            word, tag = numbers_of(self.model, query.terms[0])
            chosen = arrows.where(modifier=word, modifier_tag=tag) | arrows.where(head=word, head_tag=tag)
        else:
            chosen = self._between(*query.terms) | self._between(*reversed(query.terms))
        keys = np.unique(arrows.keys[chosen])
        return Counted("η", DEPENDENCY_PAIR, tuple(keys.tolist()), ANY), relations, int(arrows.etas[chosen].sum())

    def _between(self, modifier: Term, head: Term) -> BoolArray:
        """Return the arrows from one term to another."""
        (word_m, tag_m), (word_h, tag_h) = numbers_of(self.model, modifier), numbers_of(self.model, head)
        return self.tables.arrows.where(modifier=word_m, modifier_tag=tag_m, head=word_h, head_tag=tag_h)

    def _relation_numbers(self, relation: tuple[str, str, str]) -> Int64Array:
        triples = self.model.vocabulary.triples
        return np.array([number for number, triple in enumerate(triples) if matches(relation, triple)])

    def _term(self, term: Term) -> Findings:
        word, tag = numbers_of(self.model, term)
        arrows = self.tables.arrows
        as_modifier = arrows.where(modifier=word, modifier_tag=tag)
        as_head = arrows.where(head=word, head_tag=tag)
        modifies, heads = (int(arrows.etas[rows].sum()) for rows in (as_modifier, as_head))
        remarks = [f"A modifier {modifies:,} times, a head {heads:,} times."]
        if term.word is None and term.tag in self.model.word_numbers:
            remarks.append(f"‘{term.tag}’ is also a word; as a word ask for it with a tag, as {term.tag}/NNP.")
        tables = [
            tags_table(self.tables, word, tag) if term.word is not None else words_table(self.tables, tag),
            *arrow_tables(self.tables, term, as_modifier, modifies=True),
            distance_table(self.tables, term, modifies=True),
            *arrow_tables(self.tables, term, as_head, modifies=False),
            distance_table(self.tables, term, modifies=False),
            gap_table(self.tables, term, before=True),
            gap_table(self.tables, term, before=False),
            unary_table(self.tables, term),
            roots_table(self.tables, term),
        ]
        return self._findings(str(term), remarks, tables)

    def _pair(self, first: Term, second: Term) -> Findings:
        remarks = []
        tables = []
        directions = [(first, second)] if first == second else [(first, second), (second, first)]
        for modifier, head in directions:
            times = int(self.tables.arrows.etas[self._between(modifier, head)].sum())
            if not times:
                remarks.append(f"{modifier} never modifies {head}.")
            else:
                remarks.append(f"{modifier} modifies {head} {'once' if times == 1 else f'{times:,} times'}.")
            tables.append(pair_table(self.tables, modifier, head))
        for left, right in directions:
            tables.append(between_table(self.tables, left, right))
        return self._findings(f"{first}, {second}", remarks, tables)

    def _relation(self, relation: tuple[str, str, str]) -> Findings:
        numbers = self._relation_numbers(relation)
        chosen = np.isin(self.tables.arrows.relations, numbers)
        times = int(self.tables.arrows.etas[chosen].sum())
        remarks = [f"Counted {times:,} times" + (f" as {len(numbers)} relations." if len(numbers) > 1 else ".")]
        title = f"<{','.join(relation)}>"
        return self._findings(title, remarks, relation_tables(self.tables, title, chosen, len(numbers) > 1))

    def _findings(self, title: str, remarks: list[str], tables: list[FoundTable]) -> Findings:
        return Findings(title, tuple(remarks), tuple(table for table in tables if table.rows))
