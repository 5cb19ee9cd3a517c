"""Penn brackets, on one line or indented.

A round bracket in a word or tag becomes ``-LRB-`` or ``-RRB-`` and white space a no-break space, so that what is
written can be read again whatever the words hold.  U+FFFD stands for NUL and for half a character, which no file has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.common.characters import REPLACEMENT, SEPARATORS, made_text
from engine.export.export_format import Format
from engine.trees.tree import Tree

if TYPE_CHECKING:
    from engine.chart.parse import Parse

_SAFE = str.maketrans({"(": "-LRB-", ")": "-RRB-", "\0": REPLACEMENT, **dict.fromkeys(SEPARATORS, "\u00a0")})


def safe_tree(tree: Tree) -> Tree:
    """The tree with no bracket, no white space and nothing that is no text inside words and labels."""
    label = made_text(tree.label.translate(_SAFE))
    if tree.word is not None:
        return Tree(label, None, made_text(tree.word.translate(_SAFE)))
    return Tree(label, [safe_tree(child) for child in tree.children])


def one_line(parse: Parse) -> str:
    """A line for each of the n best trees; an empty line for an empty sentence."""
    return "".join(_tree(one).brackets() + "\n" for one in parse.alternatives) if parse.sentence.words else "\n"


def pretty(parse: Parse) -> str:
    """Indented trees, each followed by an empty line."""
    return "".join(_tree(one).pretty() + "\n\n" for one in parse.alternatives) if parse.sentence.words else "\n"


def _tree(parse: Parse) -> Tree:
    return safe_tree(parse.tree)


ONE_LINE = Format("Penn brackets, one line", ".ptb", one_line)
PRETTY = Format("Penn brackets, indented", ".ptb", pretty)
