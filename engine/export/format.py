"""Export formats: pieces of text, one for each parse, and the frame around them; the plainest are Penn brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.common.characters import REPLACEMENT, SEPARATORS, has_shape, is_control, made_text
from engine.trees.tree import Tree

if TYPE_CHECKING:
    from engine.chart.parse import Parse


# Export formats: pieces of text, one for each parse, and the frame around them.


def concatenated(pieces: Iterable[str]) -> str:
    """Return the frame of a format whose pieces simply follow one another."""
    return "".join(pieces)


class Format(NamedTuple):
    """One way to write a parse down.

    Attributes
    ----------
    title
        What a person calls it.
    suffix
        Of a file that holds it, with the dot.
    piece
        What one parse adds to a file; with n-best it holds all of ``parse.alternatives``, best first.  It ends in a
        line feed, and is empty only for an empty sentence.
    frame
        A whole file from the pieces of its sentences: the place for a header.
    """

    title: str
    suffix: str
    piece: Callable[[Parse], str]
    frame: Callable[[Iterable[str]], str] = concatenated

    @property
    def streams(self) -> bool:
        """Whether pieces can be written as they come: nothing stands before, after or between them."""
        return self.frame is concatenated

    def write(self, parse: Parse) -> str:
        """Return a whole file with one parse in it."""
        return self.frame([self.piece(parse)])


def printable(text: str) -> str:
    """Text on one line, for a comment: control characters and lone surrogates become U+FFFD."""
    return "".join(REPLACEMENT if is_control(character) else character for character in text)


def about(rank: int, parse: Parse, best: Parse) -> str:
    """Return a line for people: the sentence, the rank among several parses, the score,
    and what is remarkable about it.
    """
    parts = ["".join(letter if has_shape(letter) else REPLACEMENT for letter in " ".join(parse.sentence.words))]
    if len(best.alternatives) > 1:
        parts.append(f"parse {rank} of {len(best.alternatives)}")
    parts.append(f"log P {parse.log_probability:.3f}")
    if parse.note:
        parts.append(parse.note)
    return "; ".join(parts)


# Penn brackets, on one line or indented.
#
# A round bracket in a word or tag becomes ``-LRB-`` or ``-RRB-`` and white space a no-break space, so that what is
# written can be read again whatever the words hold.  U+FFFD stands for NUL and for half a character, which no file has.

_SAFE = str.maketrans({"(": "-LRB-", ")": "-RRB-", "\0": REPLACEMENT, **dict.fromkeys(SEPARATORS, "\u00a0")})


def safe_tree(tree: Tree) -> Tree:
    """Return the tree with no bracket, no white space and nothing but text inside words and labels."""
    label = made_text(tree.label.translate(_SAFE))
    if tree.word is not None:
        return Tree(label, None, made_text(tree.word.translate(_SAFE)))
    return Tree(label, [safe_tree(child) for child in tree.children])


def one_line(parse: Parse) -> str:
    """Return a line for each of the n best trees; an empty line for an empty sentence."""
    return "".join(_tree(one).brackets() + "\n" for one in parse.alternatives) if parse.sentence.words else "\n"


def pretty(parse: Parse) -> str:
    """Indented trees, each followed by an empty line."""
    return "".join(_tree(one).pretty() + "\n\n" for one in parse.alternatives) if parse.sentence.words else "\n"


def _tree(parse: Parse) -> Tree:
    return safe_tree(parse.tree)


ONE_LINE = Format("Penn brackets, one line", ".ptb", one_line)
PRETTY = Format("Penn brackets, indented", ".ptb", pretty)
