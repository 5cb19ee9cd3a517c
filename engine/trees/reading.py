"""Reading of Penn brackets: every tree of a text, and of broken ones what is wrong, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from engine.common.arguments import expect
from engine.common.errors import TreeError
from engine.gate.text_stream import FOREIGN, foreign_problem
from engine.trees.tree import Tree

MAXIMUM_DEPTH = 300
MOST_WORDS = 1000
"""Words of the largest tree: two and a half times as many as the longest sentence of CRAFT has, or the parser takes.
Training looks at every pair of them, and for each at the words between."""
MOST_TREE_CHARACTERS = 1_000_000
"""Characters from the first bracket of a tree to its last, line ends and indentation among them."""
_SHORTEST_LEAF = len("(A b)")
_FIRST_COLUMN = re.compile(r"^\(", re.MULTILINE)
_BRACKET = re.compile(r"[()]")
_VISIBLE = re.compile(r"\S", re.ASCII)
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


def read_bracket_bytes(data: bytes, name: str = "input", first_line: int = 1) -> Iterator[Tree | TreeError]:
    """As :func:`read_brackets`, of a text in UTF-8; a tree with a byte that is not UTF-8, or NUL, is a broken one."""
    try:
        text, checked = data.decode(), b"\0" in data
    except UnicodeDecodeError:
        text, checked = data.decode("utf-8", "surrogateescape"), True
    reader = _Reader(text, name, first_line)
    yield from reader.read_checked() if checked else reader.read()


class _Reader:
    """Reads the trees of one text; what is known of its brackets and lines is found at the first error."""

    def __init__(self, text: str, name: str, first_line: int) -> None:
        self._text = text
        self._name = name
        self._first_line = first_line
        self._knows_unclosed = False
        self._place = (0, 0)
        self._counted_to, self._counted_lines = 0, 0

    def read_checked(self) -> Iterator[Tree | TreeError]:
        """Read as :meth:`read` does, with the error in place of a tree that holds something that is not text."""
        for item in self.read():
            found = None if isinstance(item, TreeError) else FOREIGN.search(self._text, *self._place)
            yield item if found is None else self._at(found.start(), foreign_problem(found[0]))

    def read(self) -> Iterator[Tree | TreeError]:
        """Yield every tree, and the error in place of a broken one."""
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

    def _trees(self, offset: int, end: int | None = None) -> Iterator[Tree | TreeError]:
        """Trees from a place on, up to the first error; with an `end`, the one tree known to lack brackets there."""
        text = self._text
        last = len(text) if end is None else end
        stack: list[Tree] = []
        starts: list[int] = []
        siblings: list[Tree] = []
        while True:
            # Only in a long text can a tree be too long; there each tree is searched by itself.
            if limited := last - offset > MOST_TREE_CHARACTERS:
                visible = _VISIBLE.search(text, offset, last)
                offset = visible.start() if visible else last
            until = min(offset + MOST_TREE_CHARACTERS, last)
            for match in _TOKEN.finditer(text, offset, until):
                kind = match.lastindex
                if kind == 2:
                    if stack:
                        siblings.append(Tree(match[1], None, match[2]))
                        continue
                    node, start = Tree(match[1], None, match[2]), match.start()
                elif kind == 3:
                    if len(stack) >= MAXIMUM_DEPTH:
                        raise self._error(starts, match.start(), f"brackets nested more than {MAXIMUM_DEPTH} deep")
                    if not stack and end is None and self._knows_unclosed and match.start() in self._unclosed:
                        # Up to where reading goes on there is an error in it, which ends this.
                        resume = _FIRST_COLUMN.search(text, match.start() + 1)
                        yield from self._trees(match.start(), resume.start() if resume else len(text))
                    siblings = []
                    stack.append(Tree(match[3], siblings))
                    starts.append(match.start())
                    continue
                elif kind == 4:
                    if not stack:
                        raise self._error(starts, match.start(), "a ) that closes nothing")
                    node = stack.pop()
                    start = starts.pop()
                    if not siblings:
                        what = f"({node.label})" if node.label else "()"
                        raise self._error(starts, start, f"{what} has neither a word nor children")
                    if stack:
                        siblings = stack[-1].children
                        siblings.append(node)
                        continue
                elif stack and match.end() == until < last:
                    # No word without a tag, but what of one fits.
                    break
                else:
                    where = f"inside ({stack[-1].label} …)" if stack else "outside any bracket"
                    problem = f"the word {match[5][:40]!r} stands {where} without a tag"
                    raise self._error(starts, match.start(), problem)
                offset = match.end()
                self._place = (start, offset)
                if offset - start > MOST_WORDS * _SHORTEST_LEAF and len(node.leaves()) > MOST_WORDS:
                    yield self._at(start, f"the tree that opens here has more than {MOST_WORDS:,} words")
                else:
                    yield node
                if limited:
                    break
            if stack and until < last:
                problem = f"the tree that opens here has more than {MOST_TREE_CHARACTERS:,} characters"
                lacks = self._runs_on(starts[0], until) and starts[0] in self._unclosed
                raise self._lacking(starts[0]) if lacks else self._at(starts[0], problem)
            if stack:
                raise self._lacking(starts[0])
            if not limited or (until == last and offset >= until):
                return

    def _error(self, starts: Sequence[int], offset: int, problem: str) -> TreeError:
        """Return the error at a place; where a tree that is never closed runs on into later
        ones, that one is to blame.
        """
        if starts and self._runs_on(starts[0], offset) and starts[0] in self._unclosed:
            return self._lacking(starts[0])
        return self._at(offset, problem)

    def _runs_on(self, start: int, offset: int) -> bool:
        """Return whether a line opens a tree between two places."""
        return _FIRST_COLUMN.search(self._text, start + 1, offset + 1) is not None

    def _lacking(self, offset: int) -> TreeError:
        return self._at(offset, f"the tree that opens here lacks {self._unclosed[offset]} closing )")

    def _at(self, offset: int, problem: str) -> TreeError:
        # Errors come in the order of the text: lines are counted on from the one before.
        self._counted_lines += self._text.count("\n", self._counted_to, offset)
        self._counted_to = offset
        column = offset - self._text.rfind("\n", 0, offset)
        return TreeError(problem, self._name, self._counted_lines + self._first_line, column, offset)

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
    expect(text, str, "a tree is read from text")
    found: list[Tree] = []
    for item in read_brackets(text, "tree"):
        if isinstance(item, TreeError):
            raise item
        found.append(item)
    if len(found) != 1:
        raise TreeError(f"expected one bracketed tree, found {len(found)}", "tree", 1, 1, 0)
    return found[0]
