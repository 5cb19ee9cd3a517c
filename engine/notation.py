r"""Sentences in mixed notation: ``saw/VBD the man with/IN a telescope``, some words with their tags and some without.

Pieces are separated by white space.  A piece with a tag is one token, taken as it stands.  The pieces between are
text and are tokenised to Penn conventions (``don't`` is ``do n't``).  What a piece's last slash is:

- ``\/`` is a slash and never separates (``and\/or``, ``AC\/DC``), ``\\`` is a backslash;
- it separates word and tag if the model knows the tag that follows it: ``saw/VBD``, ``1/2/CD``;
- what only looks like a tag (capitals, ``$`` behind them or not; ``-XYZ-``; punctuation's) is one if another
  piece has a tag that the model knows, or if every piece has a tag.  So a mistyped tag among tagged words is
  noticed, and ``TCP/IP``, ``HIV/AIDS`` and ``I/O`` are words in plain text;
- where some pieces have no tag, punctuation's tags are none on words with letters or digits (``coffee w/, say, milk``),
  and an address (``http://x.org/ABC``) has no tag that the model does not know;
- else it is a part of the word: ``and/or``, ``1/2``, ``km/h``.

A sentence in which every piece has a tag is thus read as :meth:`engine.sentence.TaggedSentence.parse` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Container

from engine.sentence import PIECE, as_word, half_tagged, split_tag, unescaped
from engine.tokens import tokenise
from engine.trees import PUNCTUATION_TAGS

_LOOKS_LIKE_A_TAG = re.compile(r"[A-Z]+\$?|-[A-Z]+-|[$#]")
_ADDRESS = re.compile(r"(?i)[a-z]+://|www\.")
_NO_TAG, _PERHAPS, _TAG = range(3)


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
    pieces = PIECE.findall(text)
    halves = [split_tag(piece) for piece in pieces]
    kinds = [_kind(word, tag, known) for word, tag in halves]
    if not all(kinds):
        kinds = _told_from_text(halves, kinds)
    tagged: dict[int, tuple[str, str]] = {}
    shown: list[str] = []
    place = 0
    for number, (piece, (word, tag), kind) in enumerate(zip(pieces, halves, kinds, strict=True), 1):
        if (kind and not word) or (tag == "" and word and any(kinds)):
            raise half_tagged(number, piece, word)
        if kind and tag:
            tagged[place] = (as_word(word), as_word(tag))
            shown.append(_stand_in(word))
        else:
            shown.append(unescaped(piece))
        place += len(shown[-1]) + 1
    words: list[str] = []
    tags: list[str | None] = []
    # All of it at once, stand-ins for tagged words among it, so that quotes find their partners.
    for token in tokenise(" ".join(shown), split_hyphens):
        given = tagged.get(token.start)
        words.append(token.text if given is None else given[0])
        tags.append(None if given is None else given[1])
    return words, tags


def _kind(word: str, tag: str | None, known: Container[str]) -> int:
    """Whether what follows a slash is a tag, for itself."""
    if not tag:
        return _NO_TAG
    if tag in known:
        return _TAG
    return _PERHAPS if tag in PUNCTUATION_TAGS or _LOOKS_LIKE_A_TAG.fullmatch(tag) else _NO_TAG


def _told_from_text(halves: list[tuple[str, str | None]], kinds: list[int]) -> list[int]:
    """Whether what follows a slash is a tag, where some pieces have none."""
    sure = [
        kind if kind == _TAG and not (tag in PUNCTUATION_TAGS and _has_letters(word)) else _NO_TAG
        for (word, tag), kind in zip(halves, kinds, strict=True)
    ]
    if not any(sure):
        return sure
    return [
        kind if kind and not _ADDRESS.match(word) and not (tag in PUNCTUATION_TAGS and _has_letters(word)) else certain
        for (word, tag), kind, certain in zip(halves, kinds, sure, strict=True)
    ]


def _has_letters(word: str) -> bool:
    return any(character.isalnum() for character in word)


def _stand_in(word: str) -> str:
    """A word of one token that its neighbours take for `word`."""
    first = word[:1]
    return "11" if first.isdigit() else "Xx" if first.isupper() else "xx"
