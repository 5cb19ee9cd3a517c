"""Tagged sentences: S = <(w_1, t_1) ... (w_n, t_n)>, read from ``word/TAG`` text or from a tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.common.arguments import expect, expect_texts
from engine.common.characters import PIECE
from engine.common.errors import SentenceError
from engine.structure.constituents import commas_before
from engine.trees.tree import PUNCTUATION_TAGS, Tree

MOST_WORDS = 400
"""Words of the longest sentence that is parsed: chart and time grow with their square."""
_ESCAPED = re.compile(r"[\\/]")
_ESCAPES = re.compile(r"\\([\\/])")
_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


def split_tag(piece: str) -> tuple[str, str | None]:
    r"""Return what stands before and after the slash that separates word and tag: the last one, unless it is ``\/``."""
    word, slash, tag = piece.rpartition("/")
    backslashes = len(word) - len(word.rstrip("\\"))
    return (word, tag) if slash and backslashes % 2 == 0 else (piece, None)


def unescaped(text: str) -> str:
    r"""Return the characters that a piece stands for: ``\/`` is a slash, ``\\`` a backslash."""
    return _ESCAPES.sub(r"\1", text) if "\\" in text else text


def as_word(text: str, escapes: bool = True) -> str:
    """Return the word that characters stand for, fit to be printed in a tree: no round bracket in it."""
    return (unescaped(text) if escapes else text).translate(_BRACKETS)


def shortened(piece: str) -> str:
    """Return a piece of the input as an error shows it."""
    return piece if len(piece) <= 40 else piece[:39] + "…"


def half_tagged(number: int, piece: str, word: str) -> SentenceError:
    """Return the error of a piece with nothing before or after its slash."""
    missing = "tag after" if word else "word before"
    return SentenceError(f"word {number}: `{shortened(piece)}` has no {missing} the slash; write it as word/TAG")


def lacks_tag(number: int, piece: str) -> SentenceError:
    """Return the error of a piece without a tag where every piece needs one."""
    shown = shortened(piece)
    return SentenceError(f"word {number}: `{shown}` has no tag; write `{shown}/NN` or another tag")


class TaggedSentence:
    """Words with their tags, and what the model makes of the punctuation among them.

    Attributes
    ----------
    words, tags
        Every token and its tag, punctuation included.
    positions
        Numbers of the tokens that are not punctuation: the words that are parsed.
    commas
        For each of these the number of 'commas' between it and the one before it.
    """

    __slots__ = ("commas", "positions", "tags", "words")

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        expect(words, Iterable, "the words of a sentence are a list")
        expect(tags, Iterable, "the tags of a sentence are a list")
        self.words = tuple(words)
        self.tags = tuple(tags)
        if len(self.words) != len(self.tags):
            raise SentenceError(f"a sentence of {len(self.words)} words has {len(self.tags)} tags")
        expect_texts(self.words, "a word is text")
        expect_texts(self.tags, "a tag is text")
        self.positions = [index for index, tag in enumerate(self.tags) if tag not in PUNCTUATION_TAGS]
        self.commas = commas_before(self.tags)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TaggedSentence) and (self.words, self.tags) == (other.words, other.tags)

    def __hash__(self) -> int:
        return hash((self.words, self.tags))

    def __repr__(self) -> str:
        return f"TaggedSentence({str(self)!r})"

    def __str__(self) -> str:
        return " ".join(f"{_ESCAPED.sub(_escape, word)}/{tag}" for word, tag in zip(self.words, self.tags, strict=True))

    @property
    def proper_words(self) -> list[str]:
        """The words without punctuation."""
        return [self.words[position] for position in self.positions]

    @property
    def proper_tags(self) -> list[str]:
        """The tags without punctuation."""
        return [self.tags[position] for position in self.positions]

    def with_tags(self, changes: Iterable[tuple[int, str]]) -> TaggedSentence:
        """Return the sentence with other tags at some tokens."""
        tags = list(self.tags)
        for index, tag in changes:
            tags[index] = tag
        return TaggedSentence(self.words, tags)

    @classmethod
    def from_tree(cls, tree: Tree) -> TaggedSentence:
        """Return the words and tags of a (clean) tree."""
        expect(tree, Tree, "a sentence is taken from a Tree")
        leaves = tree.leaves()
        return cls([leaf.word or "" for leaf in leaves], [leaf.label for leaf in leaves])

    @classmethod
    def parse(cls, text: str) -> TaggedSentence:
        r"""Read ``word/TAG word/TAG ...``.

        The last slash separates word and tag (``1/2/CD`` is a number); ``\/`` is a slash in a word and
        ``\\`` a backslash.  Round brackets in words become ``-LRB-`` and ``-RRB-``.
        """
        expect(text, str, "a sentence is text")
        words, tags = [], []
        for number, piece in enumerate(PIECE.findall(text), 1):
            word, tag = split_tag(piece)
            if tag is None:
                raise lacks_tag(number, piece)
            if not word or not tag:
                raise half_tagged(number, piece, word)
            words.append(as_word(word))
            tags.append(tag.translate(_BRACKETS))
        return cls(words, tags)


def check_length(sentence: TaggedSentence) -> None:
    """Raise :class:`SentenceError` if a sentence is too long to be parsed."""
    count = len(sentence.positions)
    if count > MOST_WORDS:
        raise SentenceError(f"a sentence of {count:,} words is too long: the limit is {MOST_WORDS}; cut it in two")
