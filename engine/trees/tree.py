"""Phrase-structure trees and Penn brackets: reading one, writing one, cleaning one.

A tree here is what the paper's Figure 1(b) shows: labels over tagged words.  What the
treebank adds to it (traces, function tags, indices, ``X -> X``) is taken away by
:func:`clean`, so that the rest of the engine meets only what the model is about.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from engine.common.errors import TreeError

MAXIMUM_DEPTH = 300
ROOT_LABELS = frozenset({"", "ROOT", "TOP", "S1"})

COMMA_TAGS = frozenset({",", ":"})
"""Tags of the paper's 'commas' (section 2.3, questions 4 to 6)."""
SILENT_TAGS = frozenset({"``", "''", ".", '"'})
"""Quotes and sentence-final punctuation: outside the model, back in the printed tree."""
PUNCTUATION_TAGS = COMMA_TAGS | SILENT_TAGS


class Tree:
    """A constituent with children, or a pre-terminal: a tag with a word and no children.

    Parameters
    ----------
    label
        Non-terminal or part-of-speech tag.
    children
        Sub-trees from left to right; empty for a pre-terminal.
    word
        The token under a pre-terminal, ``None`` for a constituent.
    """

    __slots__ = ("children", "label", "word")

    def __init__(self, label: str, children: list[Tree] | None = None, word: str | None = None) -> None:
        self.label = label
        self.children: list[Tree] = children if children is not None else []
        self.word = word

    @property
    def is_word(self) -> bool:
        """Whether this is a pre-terminal."""
        return self.word is not None

    def leaves(self) -> list[Tree]:
        """All pre-terminals from left to right."""
        found: list[Tree] = []
        stack = [self]
        while stack:
            node = stack.pop()
            if node.word is not None:
                found.append(node)
            else:
                stack.extend(reversed(node.children))
        return found

    def words(self) -> list[str]:
        """The tokens from left to right."""
        return [leaf.word or "" for leaf in self.leaves()]

    def tags(self) -> list[str]:
        """The tags from left to right."""
        return [leaf.label for leaf in self.leaves()]

    def constituents(self) -> Iterator[tuple[str, int, int]]:
        """Yield ``(label, start, end)`` of every constituent in pre-order, tokens as unit, end exclusive."""
        ends: dict[int, int] = {}
        order: list[tuple[Tree, int]] = []
        position = 0
        stack: list[tuple[Tree, bool]] = [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                ends[id(node)] = position
            elif node.word is not None:
                position += 1
            else:
                order.append((node, position))
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))
        for node, start in order:
            yield node.label, start, ends[id(node)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.brackets() == other.brackets()

    def __hash__(self) -> int:
        return hash(self.brackets())

    def __repr__(self) -> str:
        return f"Tree({self.brackets()!r})"

    def __str__(self) -> str:
        return self.brackets()

    def brackets(self) -> str:
        """The tree on one line: ``(S (NP (NNP John)) (VP (VBD left)))``."""
        pieces: list[str] = []
        _write(self, pieces)
        return "".join(pieces)

    def pretty(self, width: int = 100) -> str:
        """The tree over several indented lines, no wider than `width` where that can be had."""
        return _indent(self, 0, width)


def _write(node: Tree, pieces: list[str]) -> None:
    if node.word is not None:
        pieces.append(f"({node.label} {node.word})")
        return
    pieces.append("(" + node.label)
    for child in node.children:
        pieces.append(" ")
        _write(child, pieces)
    pieces.append(")")


def _indent(node: Tree, depth: int, width: int) -> str:
    flat = node.brackets()
    if node.word is not None or len(flat) + 2 * depth <= width:
        return flat
    pad = "\n" + "  " * (depth + 1)
    return "(" + node.label + "".join(pad + _indent(child, depth + 1, width) for child in node.children) + ")"


_FIRST_COLUMN = re.compile(r"^\(", re.MULTILINE)
_BRACKET = re.compile(r"[()]")
_LINE_END = re.compile(r"\n")
_TOKEN = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|\(\s*([^\s()]*)|(\))|([^\s()]+)", re.ASCII)


def read_brackets(text: str, name: str = "input", first_line: int = 1) -> Iterator[Tree | TreeError]:
    """Yield every tree in `text`, and in place of a broken one the :class:`TreeError` that says why.

    Parameters
    ----------
    text
        Any number of bracketed trees, over any number of lines.
    name
        What to call the text in an error: a file name, "standard input".
    first_line
        Number of the text's first line, where the text is a piece of a file.

    Notes
    -----
    After an error reading goes on at the next line that opens a tree in its first column,
    which is where every published treebank starts one.
    """
    yield from _Reader(text, name, first_line).read()


class _Reader:
    """Reads the trees of one text; what is known of its brackets and lines is found at the first error."""

    def __init__(self, text: str, name: str, first_line: int) -> None:
        self._text = text
        self._name = name
        self._first_line = first_line
        self._knows_unclosed = False

    def read(self) -> Iterator[Tree | TreeError]:
        """Every tree, and the error in place of a broken one."""
        offset = 0
        while True:
            try:
                yield from self._trees(offset)
                return
            except TreeError as error:
                yield error
                resume = _FIRST_COLUMN.search(self._text, error.offset + 1)
            if resume is None:
                return
            offset = resume.start()

    def _trees(self, offset: int, end: int | None = None) -> Iterator[Tree]:
        """Trees from a place on, up to the first error; with an `end`, the one tree known to lack brackets there."""
        stack: list[Tree] = []
        starts: list[int] = []
        for match in _TOKEN.finditer(self._text, offset, len(self._text) if end is None else end):
            kind = match.lastindex
            if kind == 2:
                leaf = Tree(match[1], None, match[2])
                if stack:
                    stack[-1].children.append(leaf)
                else:
                    yield leaf
            elif kind == 3:
                if len(stack) >= MAXIMUM_DEPTH:
                    raise self._error(starts, match.start(), f"brackets nested more than {MAXIMUM_DEPTH} deep")
                if not stack and end is None and self._knows_unclosed and match.start() in self._unclosed:
                    # Up to where reading goes on there is an error in it, which ends this.
                    resume = _FIRST_COLUMN.search(self._text, match.start() + 1)
                    yield from self._trees(match.start(), resume.start() if resume else len(self._text))
                stack.append(Tree(match[3], []))
                starts.append(match.start())
            elif kind == 4:
                if not stack:
                    raise self._error(starts, match.start(), "a ) that closes nothing")
                node = stack.pop()
                start = starts.pop()
                if not node.children:
                    what = f"({node.label})" if node.label else "()"
                    raise self._error(starts, start, f"{what} has neither a word nor children")
                if stack:
                    stack[-1].children.append(node)
                else:
                    yield node
            else:
                where = f"inside ({stack[-1].label} …)" if stack else "outside any bracket"
                problem = f"the word {match[5][:40]!r} stands {where} without a tag"
                raise self._error(starts, match.start(), problem)
        if stack:
            raise self._lacking(starts[0])

    def _error(self, starts: Sequence[int], offset: int, problem: str) -> TreeError:
        """The error at a place; where a tree that is never closed had swallowed later ones, that one is to blame."""
        swallowed = starts and _FIRST_COLUMN.search(self._text, starts[0] + 1, offset + 1)
        if swallowed and starts[0] in self._unclosed:
            return self._lacking(starts[0])
        return self._at(offset, problem)

    def _lacking(self, offset: int) -> TreeError:
        return self._at(offset, f"the tree that opens here lacks {self._unclosed[offset]} closing )")

    def _at(self, offset: int, problem: str) -> TreeError:
        line = bisect_left(self._line_ends, offset)
        column = offset - (self._line_ends[line - 1] if line else -1)
        return TreeError(problem, self._name, line + self._first_line, column, offset)

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.start() for match in _LINE_END.finditer(self._text)]

    @cached_property
    def _unclosed(self) -> dict[int, int]:
        """Where brackets open that nothing closes, and how many there are from each to the next line that opens one."""
        self._knows_unclosed = True
        still_open: list[int] = []
        for match in _BRACKET.finditer(self._text):
            if match[0] == "(":
                still_open.append(match.start())
            elif still_open:
                still_open.pop()
        found: dict[int, int] = {}
        lacking = 0
        for offset in reversed(still_open):
            lacking += 1
            found[offset] = lacking
            if offset == 0 or self._text[offset - 1] == "\n":
                lacking = 0
        return found


def read_tree(text: str) -> Tree:
    """Read exactly one tree; raise :class:`TreeError` for none, several or a broken one."""
    found: list[Tree] = []
    for item in read_brackets(text, "tree"):
        if isinstance(item, TreeError):
            raise item
        found.append(item)
    if len(found) != 1:
        raise TreeError(f"expected one bracketed tree, found {len(found)}", "tree", 1, 1, 0)
    return found[0]


@lru_cache(maxsize=65536)
def bare_label(label: str) -> str:
    """A label without function tags, indices and alternatives: ``NP-SBJ-1``, ``NP=2``, ``ADVP|PRT``."""
    if label.startswith("-"):
        return label
    for mark in "-=|":
        head, found, _ = label.partition(mark)
        if found and head:
            label = head
    return label


def clean(tree: Tree, collapse: bool = True) -> Tree | None:
    """The tree without traces, function tags, root label and (if `collapse`) ``X -> X``.

    Returns
    -------
    Tree or None
        ``None`` if nothing but traces was there.  Where the root holds several
        constituents they stay together under the label ``TOP``.
    """
    stripped = _strip(tree, collapse)
    if stripped is None or stripped.is_word:
        return Tree("TOP", [stripped]) if stripped is not None else None
    if stripped.label in ROOT_LABELS:
        inner = stripped.children
        if len(inner) == 1 and not inner[0].is_word:
            return inner[0] if inner[0].label not in ROOT_LABELS else clean(inner[0], collapse)
        stripped.label = "TOP"
    return stripped


def _strip(node: Tree, collapse: bool) -> Tree | None:
    label = bare_label(node.label)
    if node.word is not None:
        return None if label == "-NONE-" else Tree(label, None, node.word)
    children = []
    for child in node.children:
        kept = _strip(child, collapse)
        if kept is not None:
            children.append(kept)
    if not children:
        return None
    if collapse and len(children) == 1 and children[0].label == label and children[0].word is None:
        return children[0]
    return Tree(label, children)
