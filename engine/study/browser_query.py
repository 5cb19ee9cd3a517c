"""Questions to a model and the tables that answer them: a word, a tag, a pair, a relation."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from engine.common.errors import EngineError
from engine.common.tables import CSV_DELIMITER, Block, Column, Table, csv_line, text_table
from engine.counts.corpus import Vocabulary
from engine.model.model import Model
from engine.structure.tagged_sentence import split_tag, unescaped
from engine.study.counted import Counted
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
