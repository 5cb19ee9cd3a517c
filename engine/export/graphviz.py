r"""GraphViz: the tree, or the dependencies, as a digraph for ``dot``; one graph for each of the n best parses.

In the tree words stand on one line.  Dependencies are drawn with heads above their modifiers and arrows from modifier
to head; a node is a word of the reduced sentence, a baseNP as a whole in square brackets.  Punctuation is no part of D.

In a quoted string ``dot`` reads ``\"``, ``\\`` and entities such as ``&amp;``: quotes, backslashes and ampersands of
words are written so.  Control characters become the signs of Unicode's block "Control Pictures", or U+FFFD.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.common.characters import has_shape
from engine.export.format import Format, about
from engine.export.rows import basenp_spans, rows_of

if TYPE_CHECKING:
    from engine.chart.parse import Parse
    from engine.trees.tree import Tree

_ESCAPES = {'"': '\\"', "\\": "\\\\", "&": "&amp;"}
_FONT = 'fontname="Helvetica,Arial,sans-serif"'


def escape_dot(text: str) -> str:
    """Text inside a quoted string."""
    return "".join(_shape(character) for character in text)


def _shape(character: str) -> str:
    if has_shape(character):
        return _ESCAPES.get(character, character)
    if character == "\x7f":
        return "\u2421"
    return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"


def tree(parse: Parse) -> str:
    """Return the tree of each of the n best parses."""
    return _graphs(parse, "tree", _tree_lines)


def dependencies(parse: Parse) -> str:
    """Return the dependencies of each of the n best parses."""
    return _graphs(parse, "dependencies", _dependency_lines)


def _graphs(parse: Parse, name: str, lines_of: Callable[[Parse], list[str]]) -> str:
    pieces = []
    for rank, one in enumerate(parse.alternatives, 1):
        inside = "\n".join(f"  {line}" for line in lines_of(one))
        pieces.append(f"// {about(rank, one, parse)}\ndigraph {name}{rank} {{\n{inside}\n}}\n")
    return "".join(pieces)


def _tree_lines(parse: Parse) -> list[str]:
    lines = [
        f"graph [ordering=out, nodesep=0.15, ranksep=0.3, {_FONT}]",
        f"node [shape=plain, {_FONT}]",
        "edge [arrowhead=none]",
    ]
    words: list[str] = []
    count = 0
    # Nodes are numbered and edges written in pre-order, so that `ordering=out` keeps children from left to right.
    stack: list[tuple[Tree, str]] = [(parse.tree, "")]
    while stack:
        node, parent = stack.pop()
        name = f"n{count}"
        count += 1
        lines.append(f'{name} [label="{escape_dot(node.label)}"]')
        if parent:
            lines.append(f"{parent} -> {name}")
        if node.word is not None:
            word = f"w{len(words)}"
            words.append(word)
            lines.append(f'{word} [label="{escape_dot(node.word)}", fontname="Times,serif"]')
            lines.append(f"{name} -> {word}")
        stack.extend((child, name) for child in reversed(node.children))
    lines.append(f"{{ rank=same; {'; '.join(words)} }}")
    if len(words) > 1:
        lines.append(f"{' -> '.join(words)} [style=invis]")
    return lines


def _dependency_lines(parse: Parse) -> list[str]:
    lines = [
        f"graph [rankdir=BT, ordering=in, nodesep=0.3, ranksep=0.5, {_FONT}]",
        f"node [shape=plain, {_FONT}]",
        f"edge [fontsize=9, {_FONT}]",
    ]
    rows = rows_of(parse)
    bracketed = {
        row.number: f"[ {' '.join(other.word for other in span)} ]" for span in basenp_spans(rows) for row in span
    }
    arrows = []
    for row in rows:
        if row.relation is None:
            continue
        text = escape_dot(bracketed.get(row.number, row.word))
        lines.append(f'n{row.number} [label="{text}\\n{escape_dot(row.tag)}"]')
        label = escape_dot(",".join(part for part in row.relation if part))
        if row.head:
            arrows.append(f'n{row.number} -> n{row.head} [label=" {label} "]')
        else:
            lines.append(f'r{row.number} [label="{label}"]')
            arrows.append(f"n{row.number} -> r{row.number}")
    return lines + arrows


TREE = Format("GraphViz, tree", ".dot", tree)
DEPENDENCIES = Format("GraphViz, dependencies", ".dot", dependencies)
