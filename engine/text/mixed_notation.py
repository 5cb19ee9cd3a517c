r"""Sentences in mixed notation: ``saw/VBD the man with/IN a telescope``, some words with their tags and some without.

Pieces are separated by white space.  A piece with a tag is one token, taken as it stands.  The pieces between are
text and are tokenised to Penn conventions (``don't`` is ``do n't``).  What a piece's last slash is:

- ``\/`` is a slash and never separates (``and\/or``, ``AC\/DC``), ``\\`` is a backslash;
- it separates word and tag if the model knows the tag that follows it: ``saw/VBD``, ``1/2/CD``; marks that close a
  clause may follow the tag at once, and are tokens of their own: ``left/VBD.``;
- what only looks like a tag (capitals, ``$`` behind them or not; ``-XYZ-``; punctuation's) is one if another
  piece has a tag that the model knows, or if every piece has a tag.  So a mistyped tag among tagged words is
  noticed, and ``TCP/IP``, ``HIV/AIDS`` and ``I/O`` are words in plain text;
- where some pieces have no tag, punctuation's tags are none on words with letters or digits (``coffee w/, say, milk``),
  and an address (``http://x.org/ABC``) has no tag that the model does not know;
- else it is a part of the word: ``and/or``, ``1/2``, ``km/h``.

A sentence in which every piece has a tag is thus read as
:meth:`engine.structure.tagged_sentence.TaggedSentence.parse` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from engine.common.characters import PIECE
from engine.common.errors import SentenceError
from engine.structure.tagged_sentence import as_word, half_tagged, lacks_tag, split_tag, unescaped
from engine.text.tokeniser import tokenise
from engine.trees.tree import PUNCTUATION_TAGS

_LOOKS_LIKE_A_TAG = re.compile(r"[A-Z]+\$?|-[A-Z]+-|[$#]")
_ADDRESS = re.compile(r"(?i)[a-z]+://|www\.")
_CLOSING_MARKS = ".,;:?!)]}…'\"”’"
_NO_TAG, _PERHAPS, _TAG = range(3)


class Piece(NamedTuple):
    """What stands between white space.

    Attributes
    ----------
    start
        The place of its first character in the text.
    whole
        All of it.
    word, slash_tag
        What stands before and after the slash that could separate word and tag; ``None`` if there is no such slash.
    marks
        Closing marks behind the tag.
    tagged
        Whether what follows the slash is a tag.
    """

    start: int
    whole: str
    word: str
    slash_tag: str | None
    marks: str = ""
    tagged: bool = False

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.start + len(self.whole)


class Problem(NamedTuple):
    """Something wrong with a text: characters ``start .. end``, and what to do about it."""

    start: int
    end: int
    message: str


def read_pieces(text: str, known: Container[str]) -> list[Piece]:
    """The pieces of a sentence, each with its tag if it has one; `known` are the tags that the model knows."""
    pieces = [_halved(match.start(), match[0], known) for match in PIECE.finditer(text)]
    kinds = [_kind(piece.slash_tag, known) for piece in pieces]
    if not all(kinds):
        kinds = _kinds_among_text(pieces, kinds)
    return [piece._replace(tagged=bool(kind)) for piece, kind in zip(pieces, kinds, strict=True)]


def piece_problems(pieces: Sequence[Piece], needs_tags: bool = False) -> Iterator[Problem]:
    """Pieces among tagged ones with nothing before or after their slash; if tags are needed, those without one."""
    any_tagged = any(piece.tagged for piece in pieces)
    for number, piece in enumerate(pieces, 1):
        if (piece.tagged and not piece.word) or (any_tagged and piece.slash_tag == "" and piece.word):
            yield Problem(piece.start, piece.end, str(half_tagged(number, piece.whole, piece.word)))
        elif needs_tags and (not piece.tagged or piece.marks):
            yield Problem(piece.start, piece.end, str(lacks_tag(number, piece.whole)))


def read_mixed(text: str, known: Container[str], split_hyphens: bool = True) -> tuple[list[str], list[str | None]]:
    """The tokens of a sentence in mixed notation, and for each its tag or ``None``.

    Parameters
    ----------
    text
        One sentence.
    known
        The tags that the model knows.
    split_hyphens
        Whether hyphens and slashes inside untagged words are tokens of their own.

    Raises
    ------
    SentenceError
        If a piece among tagged ones has nothing before or after its slash.
    """
    pieces = read_pieces(text, known)
    for problem in piece_problems(pieces):
        raise SentenceError(problem.message)
    tagged: dict[int, tuple[str, str]] = {}
    shown: list[str] = []
    place = 0
    for piece in pieces:
        if piece.tagged and piece.slash_tag:
            tagged[place] = (as_word(piece.word), as_word(piece.slash_tag))
            shown.append(f"{_stand_in(piece.word)} {piece.marks}")
        else:
            shown.append(unescaped(piece.whole))
        place += len(shown[-1]) + 1
    words: list[str] = []
    tags: list[str | None] = []
    # All of it at once, stand-ins for tagged words among it, so that quotes find their partners.
    for token in tokenise(" ".join(shown), split_hyphens):
        given = tagged.get(token.start)
        words.append(token.text if given is None else given[0])
        tags.append(None if given is None else given[1])
    return words, tags


def _halved(start: int, whole: str, known: Container[str]) -> Piece:
    word, tag = split_tag(whole)
    if tag and not _kind(tag, known):
        bare = tag.rstrip(_CLOSING_MARKS)
        if _kind(bare, known):
            return Piece(start, whole, word, bare, tag[len(bare) :])
    return Piece(start, whole, word, tag)


def _kind(tag: str | None, known: Container[str]) -> int:
    """Whether what follows a slash is a tag, for itself."""
    if not tag:
        return _NO_TAG
    if tag in known:
        return _TAG
    return _PERHAPS if tag in PUNCTUATION_TAGS or _LOOKS_LIKE_A_TAG.fullmatch(tag) else _NO_TAG


def _kinds_among_text(pieces: list[Piece], kinds: list[int]) -> list[int]:
    """Whether what follows a slash is a tag, where some pieces have none."""
    fitting = [
        kind if not (piece.slash_tag in PUNCTUATION_TAGS and _has_letters(piece.word)) else _NO_TAG
        for piece, kind in zip(pieces, kinds, strict=True)
    ]
    if _TAG not in fitting:
        return [_NO_TAG] * len(pieces)
    return [
        kind if kind != _PERHAPS or not _ADDRESS.match(piece.word) else _NO_TAG
        for piece, kind in zip(pieces, fitting, strict=True)
    ]


def _has_letters(word: str) -> bool:
    return any(character.isalnum() for character in word)


def _stand_in(word: str) -> str:
    """A word of one token that its neighbours take for `word`."""
    first = word[:1]
    return "11" if first.isdigit() else "Xx" if first.isupper() else "xx"
