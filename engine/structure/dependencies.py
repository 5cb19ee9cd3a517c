"""(B, D, U): baseNPs, dependencies and unaries, to and from constituents (section 2.1).

``T = (B, D)``: "any tree can be represented as a set of baseNPs and a set of dependencies"; the
footnote to section 2.6 adds U, the unary productions.  Positions of words count from 0 over
the sentence without punctuation; the *j* of ``AF(j)`` counts from 1 over the reduced sentence, as
in the paper, and head 0 is the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from engine.common.errors import EngineError
from engine.structure.constituents import BASE_LABEL, CORE, Constituent, stacked_label

GAP_LETTERS = "SCEBN"
"""The gap tags Start, Continue, End, Between and Null (section 2.5), in the order of their numbers."""


class Relation(NamedTuple):
    """R: the triple <modifier, parent, head-child>, or <label> for the root."""

    modifier: str
    parent: str = ""
    head: str = ""

    def __str__(self) -> str:
        return f"<{self.modifier},{self.parent},{self.head}>" if self.parent else f"<{self.modifier}>"


class BaseNP(NamedTuple):
    """One element of B: words ``start`` to ``end`` (exclusive), its head-word, and the brackets inside it."""

    start: int
    end: int
    head: int
    inside: tuple[tuple[str, int, int], ...] = ()


class Dependency(NamedTuple):
    """``AF(j) = (h_j, R_j)``: arrow from reduced word `modifier` to reduced word `head` (0: the root)."""

    modifier: int
    head: int
    relation: Relation


class Unary(NamedTuple):
    """One element of U: ``parent -> <child>`` on the path of heads above reduced word `word`."""

    word: int
    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """(B, D, U) of one sentence.

    Attributes
    ----------
    length
        Number of words, punctuation not counted.
    tags
        Their tags.
    basenps
        B, from left to right.
    reduced
        Positions of the words of the reduced sentence S̄.
    dependencies
        D, in the order of the modifiers: ``dependencies[j - 1]`` is AF(j).
    unaries
        U, for each word from the bottom up.
    """

    length: int
    tags: tuple[str, ...]
    basenps: tuple[BaseNP, ...]
    reduced: tuple[int, ...]
    dependencies: tuple[Dependency, ...]
    unaries: tuple[Unary, ...]


def gap_tags(length: int, basenps: Sequence[BaseNP]) -> str:
    """Return the gap tags G_2 ... G_n of a baseNP sequence (section 2.5), one letter of SCEBN each."""
    chunk = [0] * length
    for number, base in enumerate(basenps, 1):
        for position in range(base.start, base.end):
            chunk[position] = number
    letters = []
    for left, right in pairwise(chunk):
        if left == right:
            letters.append("C" if left else "N")
        elif left and right:
            letters.append("B")
        else:
            letters.append("S" if right else "E")
    return "".join(letters)


def analyse(root: Constituent, tags: Sequence[str]) -> Analysis:
    """(B, D, U) of a constituent that spans the whole sentence (section 2.1, step 2)."""
    basenps: list[BaseNP] = []
    positions: list[int] = []
    arrows: dict[int, tuple[int, Relation]] = {root.head: (-1, Relation(root.label))}
    unaries: dict[int, list[tuple[str, str]]] = {}
    for node in root.walk():
        if node.inside is not None:
            basenps.append(BaseNP(node.start, node.end, node.head, node.inside))
            positions.append(node.head)
        elif not node.children:
            positions.append(node.start)
        elif len(node.children) == 1:
            unaries.setdefault(node.head, []).append((node.label, node.children[0].label))
        else:
            for index, child in enumerate(node.children):
                if index != node.head_child:
                    arrows[child.head] = (node.head, Relation(child.label, node.label, node.head_label))
    number = {position: index for index, position in enumerate(positions, 1)}
    return Analysis(
        root.end,
        tuple(tags),
        tuple(basenps),
        tuple(positions),
        tuple(
            Dependency(number[position], number.get(arrows[position][0], 0), arrows[position][1])
            for position in positions
        ),
        tuple(
            Unary(number[position], parent, child)
            for position in positions
            for parent, child in reversed(unaries.get(position, []))
        ),
    )


def rebuild(analysis: Analysis) -> Constituent:
    """Return the constituents that have this (B, D, U): the way back from arrows to tree."""
    bases = {base.head: base for base in analysis.basenps}
    modifiers: dict[int, list[Dependency]] = {}
    root = None
    for arrow in analysis.dependencies:
        if arrow.head == 0:
            root = arrow
        modifiers.setdefault(arrow.head, []).append(arrow)
    if root is None:
        raise EngineError("these dependencies have no root: one word must have head 0")
    steps: dict[int, list[Unary]] = {}
    for unary in analysis.unaries:
        steps.setdefault(unary.word, []).append(unary)

    def project(word: int) -> Constituent:
        position = analysis.reduced[word - 1]
        base = bases.get(position)
        if base is not None:
            leaf = Constituent(BASE_LABEL, base.start, base.end, base.head, inside=base.inside)
        else:
            leaf = Constituent(analysis.tags[position], position, position + 1, position)
        arrows = modifiers.get(word, [])
        left = [(arrow.relation, project(arrow.modifier)) for arrow in arrows if arrow.modifier < word][::-1]
        right = [(arrow.relation, project(arrow.modifier)) for arrow in arrows if arrow.modifier > word]
        top = _climb(leaf, left, right, steps.get(word, []))
        if top is None:
            raise EngineError(f"no tree has these dependencies: no order of attachment fits word {word}")
        return top

    return project(root.modifier)


_HeadStep = tuple[Relation, Constituent]


def _climb(
    node: Constituent, left: list[_HeadStep], right: list[_HeadStep], unaries: list[Unary]
) -> Constituent | None:
    """Stack the levels above a head-word until every modifier and unary is used; ``None`` if they do not fit."""
    if not left and not right and not unaries:
        return node
    for side in (right, left):
        if not side or not _presents(node, side[0][0]):
            continue
        parent, head = side[0][0].parent, side[0][0].head
        taken_right = _run(right, parent, head)
        taken_left = _run(left, parent, head)
        children = [arrow[1] for arrow in reversed(left[:taken_left])]
        head_child = len(children)
        children += [node, *(arrow[1] for arrow in right[:taken_right])]
        level = Constituent(parent, children[0].start, children[-1].end, node.head, children, head_child, head)
        found = _climb(level, left[taken_left:], right[taken_right:], unaries)
        if found is not None:
            return found
    if unaries and unaries[0].child == node.label:
        level = Constituent(unaries[0].parent, node.start, node.end, node.head, [node], 0, node.label)
        return _climb(level, left, right, unaries[1:])
    return None


def _run(side: list[_HeadStep], parent: str, head: str) -> int:
    taken = 0
    while taken < len(side) and side[taken][0].parent == parent and side[taken][0].head == head:
        taken += 1
    return taken


def _presents(node: Constituent, relation: Relation) -> bool:
    """Return whether `node` can be the head-child that `relation` names (``NPX`` and ``X+`` included)."""
    if node.label == relation.parent and len(node.children) > 1:
        return relation.head == stacked_label(node.label, node.head_label)
    return relation.head == node.label or (relation.head == CORE and node.is_base)
