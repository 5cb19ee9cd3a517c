"""Sentences to parse or to tag, from files and standard input: plain text, lines, trees, CoNLL-U.

Files are UTF-8 or UTF-16, gzipped or not, with any line ends, and are read as they come.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from engine.common.characters import PIECE, REPLACEMENT, is_text, made_text
from engine.common.errors import EngineError, RowError, TreeError
from engine.structure.tagged_sentence import TaggedSentence, as_word
from engine.text.conllu_reading import MOST_ROW_CHARACTERS, read_conllu
from engine.text.tagged_text import Passage, sentences_of
from engine.text.tokens import Token, TokenisedSentence
from engine.trees.tree_normalisation import clean
from engine.trees.tree_reading import read_brackets
from engine.trees.treebank import STANDARD_INPUT, read_text, treebank_files

TEXT, TAGGED, TOKENS, TREES, CONLLU = "text", "tagged", "tokens", "trees", "conllu"
"""What input can be."""
MOST_LINE_CHARACTERS = 200_000
"""Characters of the longest line that is taken for a sentence."""
_CHUNK = 1 << 14


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
        self.name = "standard input" if source == STANDARD_INPUT else source
        self.size = 0
        try:
            if source == STANDARD_INPUT:
                if sys.stdin is None:
                    raise EngineError("standard input is closed; name a file to read")
                opened: Any = sys.stdin.buffer
            else:
                path = Path(source)
                if path.is_dir():
                    raise EngineError(f"{source}: this is a folder; name a file of sentences")
                opened = path.open("rb")
                self.size = path.stat().st_size if path.is_file() else 0
            buffered = opened if hasattr(opened, "peek") else io.BufferedReader(opened)
            start = buffered.peek(2)[:2]
        except FileNotFoundError:
            raise EngineError(f"{source}: there is no such file") from None
        except OSError as error:
            raise EngineError(f"{source}: cannot be read ({error.strerror or error})") from error
        self._file = cast(BinaryIO, buffered)
        unpacked: Any = buffered
        if start == b"\x1f\x8b":
            unpacked = gzip.GzipFile(fileobj=self._file)
            try:
                start = unpacked.peek(2)[:2]
            except (OSError, EOFError, zlib.error) as error:
                raise self._unreadable(error) from error
        encoding = "utf-16" if start in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        # A byte that is no text becomes a lone surrogate, to be told from good lines one by one.
        errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
        self._text = io.TextIOWrapper(unpacked, encoding, errors, newline="" if keep_line_ends else None)

    def _unreadable(self, error: Exception) -> EngineError:
        return EngineError(f"{self.name}: cannot be read ({error})")

    @property
    def share(self) -> float | None:
        """Share of the file that was read; ``None`` if its size is not known."""
        try:
            return self._file.tell() / self.size if self.size else None
        except (OSError, ValueError):
            return None

    def chunks(self, size: int = _CHUNK) -> Iterator[str]:
        """Lines, and of a line longer than `size` its pieces."""
        try:
            while chunk := self._text.readline(size):
                yield chunk
        except (OSError, EOFError, zlib.error) as error:
            raise self._unreadable(error) from error
        finally:
            if self._file is not getattr(sys.stdin, "buffer", None):
                self._text.close()
            else:
                self._text.detach()


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
        elif not is_text(chunk):
            yield Item(place, None, "the line is not UTF-8 text")
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
        name = "standard input" if file == STANDARD_INPUT else str(file)
        for number, item in enumerate(read_brackets(read_text(file), name), 1):
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
