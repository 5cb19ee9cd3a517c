"""The steps by which the chart builds a tree, told from its constituents alone (section 3).

Every tree has one derivation: of a constituent first the head-child, then its right modifiers from the inside out,
then its left ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.structure.constituents import Constituent

WORD_STEP, BASE_STEP, UNARY_STEP = "word", "baseNP", "unary"
EDGE_KINDS = (WORD_STEP, BASE_STEP, UNARY_STEP, "grow right", "start right", "grow left", "start left")
"""How an edge builds its constituent, in the order of the numbers in :mod:`engine.structure.structure_layout`."""


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """One step of a derivation.

    Attributes
    ----------
    kind
        One of :data:`EDGE_KINDS`.
    label, head_label, head
        Label of what it builds, the head-child's label as triples write it (of a unary the child's), and the position
        of the head-word.
    start, end
        The words ``start .. end`` of what it builds.
    left, right
        The steps whose results it joins, by their numbers in the derivation; a unary has its child on the left, −1
        stands for none.
    """

    kind: str
    label: str
    head_label: str
    head: int
    start: int
    end: int
    left: int = -1
    right: int = -1


def derivation_steps(*roots: Constituent) -> Iterator[DerivationStep]:
    """The derivation of a tree, or of the fragments of a cover, in the order in which a chart takes its steps."""
    count = 0

    def build(node: Constituent) -> Iterator[DerivationStep]:
        nonlocal count

        def made(step: DerivationStep) -> DerivationStep:
            nonlocal count
            count += 1
            return step

        if not node.children:
            kind = BASE_STEP if node.is_base else WORD_STEP
            yield made(DerivationStep(kind, node.label, "", node.head, node.start, node.end))
            return
        if len(node.children) == 1:
            child = node.children[0]
            yield from build(child)
            yield made(DerivationStep(UNARY_STEP, node.label, child.label, node.head, node.start, node.end, count - 1))
            return
        middle = node.head_child
        yield from build(node.children[middle])
        start, end = node.children[middle].start, node.children[middle].end
        places = [(place, True) for place in range(middle + 1, len(node.children))]
        places += [(place, False) for place in range(middle - 1, -1, -1)]
        for turn, (place, rightwards) in enumerate(places):
            before = count - 1
            child = node.children[place]
            yield from build(child)
            start, end = min(start, child.start), max(end, child.end)
            kind = f"{'grow' if turn else 'start'} {'right' if rightwards else 'left'}"
            left, right = (before, count - 1) if rightwards else (count - 1, before)
            yield made(DerivationStep(kind, node.label, node.head_label, node.head, start, end, left, right))

    for root in roots:
        yield from build(root)
