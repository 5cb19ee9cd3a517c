"""Sentences with tags: from plain text by the tagger, and from words some of which have their tags."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.common.characters import PIECE
from engine.common.errors import EngineError, SentenceError
from engine.structure.tagged_sentence import TaggedSentence, as_word, half_tagged, lacks_tag, split_tag, unescaped
from engine.tagger.tagger import LEAST, TagDistribution, Tagger
from engine.text.tokeniser import BLANK_LINE, Token, TokenisedSentence, find_sentences, tokenise
from engine.trees.tree import PUNCTUATION_TAGS

# Sentences in mixed notation: ``saw/VBD the man with/IN a telescope``, some words with their tags and some without.
#
# Pieces are separated by white space.  A piece with a tag is one token, taken as it stands.  The pieces between are
# text and are tokenised to Penn conventions (``don't`` is ``do n't``).  What a piece's last slash is:
#
# - ``\/`` is a slash and never separates (``and\/or``, ``AC\/DC``), ``\\`` is a backslash;
# - it separates word and tag if the model knows the tag that follows it: ``saw/VBD``, ``1/2/CD``; marks that close a
#   clause may follow the tag at once, and are separate tokens: ``left/VBD.``;
# - what only looks like a tag (capitals, ``$`` behind them or not; ``-XYZ-``; punctuation's) is one if another
#   piece has a tag that the model knows, or if every piece has a tag.  So a mistyped tag among tagged words is
#   noticed, and ``TCP/IP``, ``HIV/AIDS`` and ``I/O`` are words in plain text;
# - where some pieces have no tag, a tag of punctuation does not count as one on words with letters or digits (``coffee
#   w/, say, milk``), nor does a tag that the model does not know on an address (``http://x.org/ABC``);
# - else it is a part of the word: ``and/or``, ``1/2``, ``km/h``.
#
# A sentence in which every piece has a tag is thus read as
# :meth:`engine.structure.tagged_sentence.TaggedSentence.parse` reads it.

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
    """Return the pieces of a sentence, each with its tag if it has one; `known` are the tags that the model knows."""
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
    """Return the tokens of a sentence in mixed notation, and for each its tag or ``None``.

    Parameters
    ----------
    text
        One sentence.
    known
        The tags that the model knows.
    split_hyphens
        Whether hyphens and slashes inside untagged words become separate tokens.

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
    """Return whether what follows a slash is a tag, for itself."""
    if not tag:
        return _NO_TAG
    if tag in known:
        return _TAG
    return _PERHAPS if tag in PUNCTUATION_TAGS or _LOOKS_LIKE_A_TAG.fullmatch(tag) else _NO_TAG


def _kinds_among_text(pieces: list[Piece], kinds: list[int]) -> list[int]:
    """Return whether what follows a slash is a tag, where some pieces have none."""
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
    """Return a word of one token that its neighbours take for `word`."""
    first = word[:1]
    return "11" if first.isdigit() else "Xx" if first.isupper() else "xx"


# Sentences with tags from plain text.
#
# The parser takes S, "the sentence with words tagged for part of speech" (section 2), or with model (4) the tagger's
# P(t|S) of every word (section 2.7).  Text is read in pieces and given back sentence by sentence, so that a book
# takes no more memory than a chapter.

MOST_TOKENS = 200
"""Tokens of the longest sentence that is taken from plain text; see :func:`sentences_of`."""
MOST_TAGGED = 10_000
"""Tokens of the longest sentence that is tagged: each takes some kilobytes, with all tags it could have."""
WINDOW = 1 << 16
"""How many characters of a text without blank lines are held at a time."""
_CUTS = (frozenset({";", ":", "--", ".", "?", "!", "..."}), frozenset({",", "-RRB-", "''"}))
"""Tokens after which a sentence that is too long is cut, the better ones first."""
_LINE_END = re.compile(r"\r\n?|\n")


def tag_words(
    tagger: Tagger | None, words: Sequence[str], given: Sequence[str | None] | None = None
) -> TagDistribution:
    """P(t|S) of the tags of every word; see :meth:`engine.model.model.Model.tag`."""
    fixed = list(given) if given is not None else [None] * len(words)
    if len(fixed) != len(words):
        raise SentenceError(f"there are {len(words)} words, but tags for {len(fixed)} were given")
    if len(words) > MOST_TAGGED:
        raise SentenceError(f"a sentence of {len(words):,} tokens is too long: the limit is {MOST_TAGGED:,}")
    kept = {position: tag for position, tag in enumerate(fixed) if tag is not None}
    if len(kept) == len(words):
        tags = list(kept.values())
        settled = tuple(((tag, 1.0),) for tag in tags)
        return TagDistribution.of_tagger(TaggedSentence(words, tags), settled, frozenset(kept))
    if tagger is None:
        raise EngineError("the model has no tagger; give every word its tag as word/TAG, or train a model with one")
    known = [tag if tag in tagger.tags else None for tag in fixed] if kept else None
    tags, matrix = tagger.distribution(words, known)
    # The tags stand in their order, and a stable sort keeps it among equals.
    order = np.argsort(-matrix, axis=1, kind="stable")
    chances = np.take_along_axis(matrix, order, axis=1)
    counts = np.count_nonzero(chances >= LEAST, axis=1).tolist()
    names = np.array(tagger.tags, object)[order].tolist()
    choices = [
        tuple(zip(row[:count], values[:count], strict=True))
        for row, values, count in zip(names, chances.tolist(), counts, strict=True)
    ]
    for position, tag in kept.items():
        tags[position] = tag
        choices[position] = ((tag, 1.0),)
    return TagDistribution.of_tagger(TaggedSentence(words, tags), tuple(choices), frozenset(kept))


class Passage(NamedTuple):
    """A sentence of plain text.

    Attributes
    ----------
    sentence
        Its tokens, with their places in the whole text.
    text
        The characters from its first token to its last.
    line
        The line on which it begins, counted from 1.
    """

    sentence: TokenisedSentence
    text: str
    line: int


def sentences_of(
    chunks: Iterable[str], split_hyphens: bool = True, most_tokens: int = MOST_TOKENS, window: int = WINDOW
) -> Iterator[Passage]:
    """Yield the sentences of a text that comes in chunks, each as soon as a blank line or enough text follows it.

    Parameters
    ----------
    chunks
        The text: lines, or pieces cut anywhere.
    split_hyphens
        As in :func:`engine.text.tokeniser.tokenise`.
    most_tokens
        A sentence with more tokens is cut, after a semicolon or the like in its second half if there is one,
        else after a comma, else anywhere: tables, lists and other scripts have no sentences, and are to be parsed
        in bounded time all the same.
    window
        How much text without a blank line to hold.  Sentences are found as in the whole text, except that a
        longer paragraph forgets between two windows which straight quotes are open.

    Yields
    ------
    Passage
        All tokens in order cover every character but white space once.
    """
    stream = _Stream(split_hyphens, most_tokens)
    size = window
    for chunk in chunks:
        stream.add(chunk)
        if chunk.isspace() and stream.ends_in_blank_line():
            yield from stream.flush()
            size = window
        elif stream.size >= size:
            yield from stream.flush(unfinished=True)
            # What one endless word leaves behind is looked at again only when it is twice as long.
            size = max(window, 2 * stream.size)
    yield from stream.flush()


class _Stream:
    """Text that was read and not yet given back."""

    def __init__(self, split_hyphens: bool, most_tokens: int) -> None:
        self._split_hyphens = split_hyphens
        self._most_tokens = most_tokens
        self._chunks: list[str] = []
        self.size = 0
        self._start = 0
        self._line = 1

    def add(self, chunk: str) -> None:
        self._chunks.append(chunk)
        self.size += len(chunk)

    def ends_in_blank_line(self) -> bool:
        """Return whether the chunk added last, which is all white space, is a blank line."""
        before = self._chunks[-2][-2:] if len(self._chunks) > 1 else "\n"
        return BLANK_LINE.search(before + self._chunks[-1]) is not None

    def flush(self, unfinished: bool = False) -> Iterator[Passage]:
        """Give back all sentences; of an unfinished text not the last two, which more text may change."""
        text = "".join(self._chunks)
        found = find_sentences(text, self._split_hyphens)
        pieces = [piece for sentence in found for piece in self._cut(sentence)]
        # Of what nobody sees nothing has to be kept.
        unfinished = unfinished and bool(pieces)
        if unfinished:
            del pieces[-2:]
        taken = 0
        for piece in pieces:
            self._line += len(_LINE_END.findall(text, taken, piece.start))
            line = self._line
            self._line += len(_LINE_END.findall(text, piece.start, piece.end))
            taken = piece.end
            yield Passage(_moved(piece, self._start), text[piece.start : piece.end], line)
        if not unfinished:
            self._line += len(_LINE_END.findall(text, taken))
            taken = len(text)
        self._chunks = [text[taken:]]
        self.size = len(text) - taken
        self._start += taken

    def _cut(self, sentence: TokenisedSentence) -> Iterator[TokenisedSentence]:
        tokens = sentence.tokens
        while len(tokens) > self._most_tokens:
            end = _best_cut(tokens, self._most_tokens)
            yield _sentence(tokens[:end])
            tokens = tokens[end:]
        yield _sentence(tokens)


def _best_cut(tokens: Sequence[Token], most: int) -> int:
    """Return where to end the first part of a sentence that has more than `most` tokens."""
    for marks in _CUTS:
        for end in range(most, most // 2, -1):
            if tokens[end - 1].text in marks:
                return end
    return most


def _sentence(tokens: tuple[Token, ...]) -> TokenisedSentence:
    return TokenisedSentence(tokens, tokens[0].start, tokens[-1].end)


def _moved(sentence: TokenisedSentence, by: int) -> TokenisedSentence:
    """Return a sentence found in a part of the text, with its places in the whole."""
    if not by:
        return sentence
    tokens = tuple(Token(token.text, token.start + by, token.end + by) for token in sentence.tokens)
    return TokenisedSentence(tokens, sentence.start + by, sentence.end + by)
