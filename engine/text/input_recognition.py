"""Recognition of input: what kind a text is, and which sentences it holds; one answer for terminal, window and Python.

A text of ten columns is CoNLL-U (:mod:`engine.text.conllu_reading`).  A line is a bracketed tree, a sentence whose
words have tags, or plain text (:func:`line_kind`).  A text is CoNLL-U, trees, prose that is wrapped over lines, or
lines one by one; plain ones are split into sentences (:func:`input_sentences`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.common.characters import PIECE, readable
from engine.common.errors import EngineError, RowError, TreeError
from engine.text.conllu_reading import conllu_lines, is_conllu, read_conllu
from engine.text.mixed_notation import Problem, piece_problems, read_pieces
from engine.text.tagged_text import sentences_of
from engine.trees.tree import PENN_TAGS
from engine.trees.tree_reading import read_brackets

_CHUNK = 4096
_LOOKED_AT, _LEAST_WRAPPED = 200, 4
"""Lines of a text that are looked at, and how many it must have, to see that it is wrapped prose."""
_LEAST_ENDED, _MOST_ENDED = 0.04, 0.6
"""Share of lines that end a sentence: in wrapped prose some do, in a list of sentences all or none."""
_ENDS = (".", "?", "!", ":", '"', "'", "”", "’", ")")
_MOST_UNDERLINED = 24
_TREE = re.compile(r"\s*\(\s*(?:[A-Z][^\s()a-z]*)?\s*\(\s*(?![a-z])")
"""How a tree begins: a bracket with a label or none, and in it another."""


class Conventions(NamedTuple):
    """What a model says about input; as it stands, what is assumed where there is no model.

    Attributes
    ----------
    known_tags
        Every tag that the model knows, punctuation's among them.
    has_tagger
        Whether words may stand without tags.
    splits_hyphens
        Whether hyphens and slashes inside words are tokens of their own.
    """

    known_tags: Container[str] = PENN_TAGS
    has_tagger: bool = False
    splits_hyphens: bool = True


class LineKind(StrEnum):
    """What one line is."""

    EMPTY = "empty"
    TREE = "tree"
    TAGGED = "tagged"
    """Every word has its tag."""
    MIXED = "mixed"
    """Some words have tags."""
    PLAIN = "plain"


class InputSentence(NamedTuple):
    """A sentence of a text.

    Attributes
    ----------
    text
        As it was written: ``word/TAG …``, plain words, a mixture, or a bracketed tree.
    number
        The line on which it begins, or the number of the tree, counted from 1.
    by_tree
        Whether trees are counted, and not lines.
    """

    text: str
    number: int
    by_tree: bool = False

    @property
    def place(self) -> str:
        """Where in its file it stands, in words."""
        return f"{'tree' if self.by_tree else 'line'} {self.number}"


def is_tree(text: str) -> bool:
    """Whether the text means to be a bracketed tree; two words in brackets are no tree."""
    return bool(_TREE.match(text))


def line_kind(text: str, conventions: Conventions) -> LineKind:
    """What a line is; which slashes separate words and tags, :mod:`engine.text.mixed_notation` says."""
    if is_tree(text):
        return LineKind.TREE
    pieces = read_pieces(text, conventions.known_tags)
    if not pieces:
        return LineKind.EMPTY
    tagged = [piece.tagged for piece in pieces]
    return LineKind.TAGGED if all(tagged) else LineKind.MIXED if any(tagged) else LineKind.PLAIN


def line_problems(text: str, conventions: Conventions) -> list[Problem]:
    """What is wrong with one line, and where; nothing if it can be read."""
    if is_tree(text):
        return list(_tree_problems(text))
    return list(piece_problems(read_pieces(text, conventions.known_tags), needs_tags=not conventions.has_tagger))


def _tree_problems(text: str) -> Iterator[Problem]:
    count = 0
    for item in read_brackets(text, "the tree"):
        if isinstance(item, TreeError):
            match = PIECE.match(text, item.offset)
            end = min(match.end() if match else item.offset + 1, item.offset + _MOST_UNDERLINED)
            yield Problem(item.offset, end, f"column {item.offset + 1}: {item.problem}")
            return
        count += 1
    if count > 1:
        yield Problem(0, len(text), f"{count} trees on one line; paste them on lines of their own")


def input_sentences(
    text: str,
    conventions: Conventions,
    name: str = "the text",
    refuse: Callable[[EngineError], None] | None = None,
) -> Iterator[InputSentence]:
    """The sentences of a text: trees, CoNLL-U, lines with tags, and the sentences of plain text, one after the other.

    Parameters
    ----------
    text
        The text; what nobody can read in it (:func:`engine.common.characters.readable`) is left out.
    conventions
        What the model says: without a tagger every line is a sentence.
    name
        What to call the text in an error.
    refuse
        Told of every broken sentence of CoNLL-U, which is left out; without it the first one is raised.

    Raises
    ------
    TreeError
        At a broken tree, after the trees before it.
    RowError
        At a broken sentence of CoNLL-U, after those before it, unless they are refused.
    """
    text = readable(text)
    if is_conllu(text):
        yield from _conllu(text, name, refuse)
        return
    if is_tree(text):
        for number, item in enumerate(read_brackets(text, name), 1):
            if isinstance(item, TreeError):
                raise item
            yield InputSentence(item.brackets(), number, by_tree=True)
        return
    rows = text.splitlines(keepends=True)
    if conventions.has_tagger and _is_wrapped(rows, conventions):
        yield from _prose(rows, conventions, 1)
        return
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        kind = line_kind(row, conventions)
        if kind is LineKind.PLAIN and conventions.has_tagger:
            chunks = (row[at : at + _CHUNK] for at in range(0, len(row), _CHUNK))
            yield from _prose(chunks, conventions, number)
        else:
            yield InputSentence(row.strip(), number)


def _conllu(text: str, name: str, refuse: Callable[[EngineError], None] | None) -> Iterator[InputSentence]:
    """The sentences of CoNLL-U: of one that brings its tree that, of others the words with the tags that they have."""
    for item in read_conllu(conllu_lines(text), name):
        if isinstance(item, RowError):
            if refuse is None:
                raise item
            refuse(item)
        elif (tree := item.tree) is not None:
            yield InputSentence(tree.brackets(), item.line)
        else:
            yield InputSentence(item.notation(), item.line)


def _prose(chunks: Iterable[str], conventions: Conventions, first: int) -> Iterator[InputSentence]:
    """The sentences of plain text that begins on line `first`; very long ones are cut."""
    for passage in sentences_of(chunks, conventions.splits_hyphens):
        yield InputSentence(" ".join(passage.text.split()), first + passage.line - 1)


def _is_wrapped(rows: list[str], conventions: Conventions) -> bool:
    """Whether lines are those of wrapped prose, sentences running on from one to the next."""
    filled = [row.rstrip() for row in rows[:_LOOKED_AT] if row.strip()]
    if len(filled) < _LEAST_WRAPPED or any(line_kind(row, conventions) is not LineKind.PLAIN for row in filled):
        return False
    ended = sum(row.endswith(_ENDS) for row in filled) / len(filled)
    return _LEAST_ENDED < ended < _MOST_ENDED
