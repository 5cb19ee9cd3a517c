"""Input: what kind a text is, and the sentences it holds; from files, standard input, window and Python."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Container, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from engine.common.characters import PIECE, REPLACEMENT, is_text, made_text, readable
from engine.common.errors import EngineError, RowError, TreeError
from engine.gate.text_stream import MOST_LINE_CHARACTERS as MOST_STREAMED_LINE
from engine.gate.text_stream import STANDARD_INPUT, TextStream, line_problem, source_name
from engine.structure.tagged_sentence import TaggedSentence, as_word
from engine.text.conllu import MOST_ROW_CHARACTERS, conllu_lines, is_conllu, read_conllu
from engine.text.tagged_text import Passage, Problem, piece_problems, read_pieces, sentences_of
from engine.text.tokeniser import Token, TokenisedSentence
from engine.trees.reading import read_brackets
from engine.trees.tree import PENN_TAGS, clean
from engine.trees.treebank import file_trees, treebank_files

# Recognition of input: what kind a text is, and which sentences it holds; one answer for terminal, window and Python.
#
# A text of ten columns is CoNLL-U (:mod:`engine.text.conllu`).  A line is a bracketed tree, a sentence whose
# words have tags, or plain text (:func:`line_kind`).  A text is CoNLL-U, trees, prose that is wrapped over lines, or
# lines one by one; plain ones are split into sentences (:func:`input_sentences`).

_CONLLU_CHUNK = 4096
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
        Whether hyphens and slashes inside words become separate tokens.
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
    """Return whether the text means to be a bracketed tree; two words in brackets are no tree."""
    return bool(_TREE.match(text))


def line_kind(text: str, conventions: Conventions) -> LineKind:
    """Return what a line is; which slashes separate words and tags, :mod:`engine.text.tagged_text` says."""
    if is_tree(text):
        return LineKind.TREE
    pieces = read_pieces(text, conventions.known_tags)
    if not pieces:
        return LineKind.EMPTY
    tagged = [piece.tagged for piece in pieces]
    return LineKind.TAGGED if all(tagged) else LineKind.MIXED if any(tagged) else LineKind.PLAIN


def line_problems(text: str, conventions: Conventions) -> list[Problem]:
    """Return what is wrong with one line, and where; nothing if it can be read."""
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
    """Yield the sentences of a text: trees, CoNLL-U, lines with tags, and the sentences of plain text,
    one after the other.

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
            chunks = (row[at : at + _CONLLU_CHUNK] for at in range(0, len(row), _CONLLU_CHUNK))
            yield from _prose(chunks, conventions, number)
        else:
            yield InputSentence(row.strip(), number)


def _conllu(text: str, name: str, refuse: Callable[[EngineError], None] | None) -> Iterator[InputSentence]:
    """Yield the sentences of CoNLL-U: of one that brings its tree that,
    of others the words with the tags that they have.
    """
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
    """Yield the sentences of plain text that begins on line `first`; very long ones are cut."""
    for passage in sentences_of(chunks, conventions.splits_hyphens):
        yield InputSentence(" ".join(passage.text.split()), first + passage.line - 1)


def _is_wrapped(rows: list[str], conventions: Conventions) -> bool:
    """Return whether lines are those of wrapped prose, sentences running on from one to the next."""
    filled = [row.rstrip() for row in rows[:_LOOKED_AT] if row.strip()]
    if len(filled) < _LEAST_WRAPPED or any(line_kind(row, conventions) is not LineKind.PLAIN for row in filled):
        return False
    ended = sum(row.endswith(_ENDS) for row in filled) / len(filled)
    return _LEAST_ENDED < ended < _MOST_ENDED


# Sentences to parse or to tag, from files and standard input: plain text, lines, trees, CoNLL-U.
#
# Files are UTF-8 or UTF-16, gzipped or not, with any line ends, and are read as they come.

TEXT, TAGGED, TOKENS, TREES, CONLLU = "text", "tagged", "tokens", "trees", "conllu"
"""What input can be."""
MOST_LINE_CHARACTERS = 200_000
"""Characters of the longest line that is taken for a sentence."""
_CHUNK = 1 << 14
_BUFFER = 1 << 16


class Tokens(NamedTuple):
    """A sentence whose tokens are settled and whose tags are not, or not all: ``None`` stands for a tag to be found."""

    words: tuple[str, ...]
    tags: tuple[str | None, ...] = ()


Content = str | TaggedSentence | Passage | Tokens


class Item(NamedTuple):
    """One sentence of input.

    Attributes
    ----------
    place
        Where it stands: file and line.
    content
        A line in mixed notation, a tree's words and tags, a sentence of plain text, or tokens; ``None`` if it could
        not be read.
    problem
        Why it could not be read, or what is wrong with it.
    """

    place: str
    content: Content | None
    problem: str = ""


class TextFile:
    """A file of text, or standard input, read as it comes.

    Parameters
    ----------
    source
        The file's path, or ``-``.
    keep_line_ends
        Whether line ends stay as they are, so that places in the text are right; else they become line feeds.

    Attributes
    ----------
    name
        What to call the file.
    size
        Its size in bytes, 0 if that cannot be told.
    """

    def __init__(self, source: str, keep_line_ends: bool = False) -> None:
        if source != STANDARD_INPUT and Path(source).is_dir():
            raise EngineError(f"{source}: this is a folder; name a file of sentences")
        self._stream = TextStream(source)
        self.name = self._stream.name
        self.size = self._stream.size
        # A byte that is not text becomes a lone surrogate, so that each bad line can be told from the good ones.
        buffered = io.BufferedReader(self._stream, _BUFFER)
        self._text = io.TextIOWrapper(buffered, "utf-8", "surrogateescape", newline="" if keep_line_ends else None)

    @property
    def share(self) -> float | None:
        """Share of the file that was read; ``None`` if its size is not known."""
        return self._stream.share

    def chunks(self, size: int = _CHUNK) -> Iterator[str]:
        """Lines, and of a line longer than `size` its pieces; a line without an end is not read for ever."""
        number, length = 1, 0
        with self._text:
            while chunk := self._text.readline(size):
                yield chunk
                if chunk.endswith("\n"):
                    number, length = number + 1, 0
                    continue
                length += len(chunk)
                if length > MOST_STREAMED_LINE:
                    raise EngineError(
                        f"{self.name}, line {number}: the line has more than {MOST_STREAMED_LINE >> 20} million "
                        "characters, and the rest of the file is not read; put every sentence on a line of its own"
                    )


def line_items(file: TextFile, settled: bool = False) -> Iterator[Item]:
    """Yield the lines of a file, a sentence each: in mixed notation,
    or of settled tokens with white space between them.
    """
    number, ended = 1, True
    for chunk in file.chunks(MOST_LINE_CHARACTERS + 1):
        begins, ended = ended, chunk.endswith("\n")
        place = f"{file.name}, line {number}"
        number += ended
        if not begins:
            # The rest of a line whose beginning was refused.
            continue
        if len(chunk) > MOST_LINE_CHARACTERS and not ended:
            yield Item(
                place, None, f"the line has more than {MOST_LINE_CHARACTERS:,} characters, which no sentence has"
            )
        elif problem := line_problem(chunk):
            yield Item(place, None, problem)
        elif settled:
            yield Item(place, Tokens(tuple(as_word(piece, escapes=False) for piece in PIECE.findall(chunk))))
        else:
            yield Item(place, chunk)


def text_items(file: TextFile, split_hyphens: bool) -> Iterator[Item]:
    """Yield the sentences of plain text, split and tokenised."""
    for passage in sentences_of(file.chunks(), split_hyphens):
        place = f"{file.name}, line {passage.line}"
        if is_text(passage.text):
            yield Item(place, passage)
        else:
            problem = f"the sentence holds bytes that are not UTF-8 text, in whose place stands {REPLACEMENT}"
            yield Item(place, _readable_passage(passage), problem)


def tree_items(source: str) -> Iterator[Item]:
    """Yield the sentences of gold trees in a file, a folder or standard input: their words and tags."""
    for file in treebank_files([source]):
        name = source_name(file)
        for number, item in enumerate(file_trees(file), 1):
            if isinstance(item, TreeError):
                yield Item(f"{name}, line {item.line}, column {item.column}", None, item.problem)
                continue
            tree = clean(item)
            sentence = TaggedSentence.from_tree(tree) if tree is not None else TaggedSentence((), ())
            yield Item(f"{name}, tree {number}", sentence)


def conllu_items(file: TextFile) -> Iterator[Item]:
    """Yield the sentences of a CoNLL-U file: their words, and the tags of those that have one."""
    for item in read_conllu(file.chunks(MOST_ROW_CHARACTERS + 2), file.name):
        if isinstance(item, RowError):
            yield Item(f"{file.name}, line {item.line}", None, item.problem)
        else:
            yield Item(f"{file.name}, line {item.line}", Tokens(item.words, item.tags))


def _readable_passage(passage: Passage) -> Passage:
    """Return a passage in which bytes that are not text are replaced by U+FFFD, which says so."""
    sentence = passage.sentence
    tokens = tuple(Token(made_text(one.text), one.start, one.end) for one in sentence.tokens)
    text = made_text(passage.text)
    return Passage(TokenisedSentence(tokens, sentence.start, sentence.end), text, passage.line)
