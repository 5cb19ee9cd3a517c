"""Sentences to parse or to tag, from files and standard input: plain text, lines, trees, CoNLL-U.

Files are UTF-8 or UTF-16, gzipped or not, with any line ends, and are read as they come.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine.common.characters import PIECE, REPLACEMENT, is_text, made_text
from engine.common.errors import EngineError, RowError, TreeError
from engine.common.text_stream import MOST_LINE_CHARACTERS as MOST_STREAMED_LINE
from engine.common.text_stream import STANDARD_INPUT, TextStream, line_problem, source_name
from engine.structure.tagged_sentence import TaggedSentence, as_word
from engine.text.conllu_reading import MOST_ROW_CHARACTERS, read_conllu
from engine.text.tagged_text import Passage, sentences_of
from engine.text.tokens import Token, TokenisedSentence
from engine.trees.tree_normalisation import clean
from engine.trees.treebank import file_trees, treebank_files

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
        # A byte that is no text becomes a lone surrogate, to be told from good lines one by one.
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
    """The lines of a file, a sentence each: in mixed notation, or of settled tokens with white space between them."""
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
    """The sentences of plain text, split and tokenised."""
    for passage in sentences_of(file.chunks(), split_hyphens):
        place = f"{file.name}, line {passage.line}"
        if is_text(passage.text):
            yield Item(place, passage)
        else:
            problem = f"the sentence holds bytes that are not UTF-8 text, in whose place stands {REPLACEMENT}"
            yield Item(place, _readable_passage(passage), problem)


def tree_items(source: str) -> Iterator[Item]:
    """The sentences of gold trees in a file, a folder or standard input: their words and tags."""
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
    """The sentences of a CoNLL-U file: their words, and the tags of those that have one."""
    for item in read_conllu(file.chunks(MOST_ROW_CHARACTERS + 2), file.name):
        if isinstance(item, RowError):
            yield Item(f"{file.name}, line {item.line}", None, item.problem)
        else:
            yield Item(f"{file.name}, line {item.line}", Tokens(item.words, item.tags))


def _readable_passage(passage: Passage) -> Passage:
    """A passage whose bytes that are no text are replaced by the character that says so."""
    sentence = passage.sentence
    tokens = tuple(Token(made_text(one.text), one.start, one.end) for one in sentence.tokens)
    text = made_text(passage.text)
    return Passage(TokenisedSentence(tokens, sentence.start, sentence.end), text, passage.line)
