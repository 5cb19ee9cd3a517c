"""A tree as SVG text, wrong brackets marked by shape and sign as well as by colour.

Classes and not colours are written, so that the page around a picture says what they look like, by day and by night.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.analysis.comparison.tree_comparison import Span, counted, narrow
from engine.common.markup import markup
from engine.evaluation.parseval import EQUAL_LABELS
from engine.trees.tree import Tree

LETTER = 7.4
"""Width of a letter, which nobody can measure without a font: a little too wide rather than too narrow."""
LEVEL = 34.0
MARGIN = 8.0
BOX_GAP = 10.0
BRACKET_SIGNS = {"extra": "×", "missing": "+"}
"""Before the label of a wrong bracket: one that has to go, and one that has to come."""


@dataclass(slots=True)
class _Box:
    """A node with its place."""

    tree: Tree
    mark: str = ""
    children: list[_Box] = field(default_factory=list)
    height: int = 0
    width: float = 0.0
    middle: float = 0.0

    @property
    def text(self) -> str:
        return f"{BRACKET_SIGNS[self.mark]} {self.tree.label}" if self.mark else self.tree.label


def svg_of_tree(tree: Tree, wrong: Iterable[Span], mark: str, places: Sequence[int], title: str) -> str:
    """A picture of a clean tree.

    Parameters
    ----------
    tree
        The tree.
    wrong, mark
        Brackets to mark, and as what: ``extra`` or ``missing``.
    places
        Which tokens count (:func:`engine.analysis.comparison.tree_comparison.narrowing`).
    title
        What the picture shows, for those who do not see it.
    """
    marked = Counter(map(counted, wrong))
    position = 0

    def build(node: Tree) -> _Box:
        nonlocal position
        if node.word is not None:
            position += 1
            longest = max(len(node.word), len(node.label))
            return _Box(node, width=longest * LETTER + BOX_GAP)
        start = position
        box = _Box(node, children=[build(child) for child in node.children])
        box.height = 1 + max(child.height for child in box.children)
        span = narrow(places, start, position)
        if span is not None:
            key = (EQUAL_LABELS.get(node.label, node.label), *span)
            if marked[key] > 0:
                marked[key] -= 1
                box.mark = mark
        own = len(box.text) * LETTER + 2 * BOX_GAP
        box.width = max(own, sum(child.width for child in box.children))
        return box

    root = build(tree)
    _place(root, MARGIN)
    lines: list[str] = []
    texts: list[str] = []
    bottom = root.height * LEVEL + LEVEL * 0.6
    _draw(root, bottom, lines, texts)
    width, height = root.width + 2 * MARGIN, bottom + LEVEL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" aria-label="{markup(title)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">'
        f"<title>{markup(title)}</title>{''.join(lines)}{''.join(texts)}</svg>"
    )


def _place(box: _Box, left: float) -> None:
    """Put a node over the middle of its first and last child."""
    if not box.children:
        box.middle = left + box.width / 2
        return
    at = left + (box.width - sum(child.width for child in box.children)) / 2
    for child in box.children:
        _place(child, at)
        at += child.width
    box.middle = (box.children[0].middle + box.children[-1].middle) / 2


def _draw(box: _Box, bottom: float, lines: list[str], texts: list[str]) -> None:
    y = bottom - box.height * LEVEL
    if box.tree.word is not None:
        texts.append(f'<text class="tag" x="{box.middle:.1f}" y="{y:.1f}">{markup(box.tree.label)}</text>')
        texts.append(f'<text class="word" x="{box.middle:.1f}" y="{y + 19:.1f}">{markup(box.tree.word)}</text>')
        return
    # Lines with right angles never cross, however far down a word hangs.
    bar = y + LEVEL * 0.28
    path = [f"M{box.middle:.1f} {y + 5:.1f}V{bar:.1f}"]
    if len(box.children) > 1:
        path.append(f"M{box.children[0].middle:.1f} {bar:.1f}H{box.children[-1].middle:.1f}")
    for child in box.children:
        path.append(f"M{child.middle:.1f} {bar:.1f}V{bottom - child.height * LEVEL - 13:.1f}")
        _draw(child, bottom, lines, texts)
    lines.append(f'<path d="{"".join(path)}"/>')
    if box.mark:
        half = len(box.text) * LETTER / 2 + 5
        texts.append(
            f'<rect class="{box.mark}" x="{box.middle - half:.1f}" y="{y - 14:.1f}" '
            f'width="{2 * half:.1f}" height="19" rx="4"/>'
        )
    name = box.mark or "label"
    texts.append(f'<text class="{name}" x="{box.middle:.1f}" y="{y:.1f}">{markup(box.text)}</text>')
