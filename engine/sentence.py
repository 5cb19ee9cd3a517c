"""Tagged sentences: S = <(w_1, t_1) ... (w_n, t_n)>, read from ``word/TAG`` text or from a tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.constituents import commas_before
from engine.errors import SentenceError
from engine.trees import PUNCTUATION_TAGS, Tree

# As in trees, only ASCII white space separates tokens: a no-break space is part of a word.
_TOKEN = re.compile(r"[^ \t\n\r\f\v]+")
_ESCAPED = re.compile(r"[\\/]")
_ESCAPES = re.compile(r"\\([\\/])")
_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


class TaggedSentence:
    """Words with their tags, and what the model makes of the punctuation among them.

    Attributes
    ----------
    words, tags
        Every token and its tag, punctuation included.
    positions
        Token numbers of the words proper: all but punctuation.
    commas
        For every word proper the number of 'commas' between it and the one before it.
    """

    __slots__ = ("commas", "positions", "tags", "words")

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        if len(words) != len(tags):
            raise SentenceError(f"a sentence of {len(words)} words has {len(tags)} tags")
        self.words = tuple(words)
        self.tags = tuple(tags)
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
        """The sentence with other tags at some tokens."""
        tags = list(self.tags)
        for index, tag in changes:
            tags[index] = tag
        return TaggedSentence(self.words, tags)

    @classmethod
    def from_tree(cls, tree: Tree) -> TaggedSentence:
        """The words and tags of a (clean) tree."""
        leaves = tree.leaves()
        return cls([leaf.word or "" for leaf in leaves], [leaf.label for leaf in leaves])

    @classmethod
    def parse(cls, text: str) -> TaggedSentence:
        r"""Read ``word/TAG word/TAG ...``.

        The last slash separates word and tag (``1/2/CD`` is a number); ``\/`` is a slash in a word and
        ``\\`` a backslash.  Round brackets in words become ``-LRB-`` and ``-RRB-``.
        """
        words, tags = [], []
        for number, token in enumerate(_TOKEN.findall(text), 1):
            word, slash, tag = token.rpartition("/")
            backslashes = len(word) - len(word.rstrip("\\"))
            shown = token if len(token) <= 40 else token[:39] + "…"
            if not slash or backslashes % 2:
                raise SentenceError(f"word {number}: `{shown}` has no tag; write `{shown}/NN` or another tag")
            if not word or not tag:
                missing = "tag after" if word else "word before"
                raise SentenceError(f"word {number}: `{shown}` has no {missing} the slash; write it as word/TAG")
            words.append(_ESCAPES.sub(r"\1", word).translate(_BRACKETS))
            tags.append(tag.translate(_BRACKETS))
        return cls(words, tags)
