"""Derivations, the steps by which the chart builds a tree: to constituents, and from constituents alone (section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.common.arrays import Int32Array
from engine.counts.counts_layout import Switches
from engine.estimates import internal_brackets_kernel
from engine.model.model import Model
from engine.rerank import features_kernel
from engine.rerank.lists_layout import ListedSentence
from engine.structure.constituents import BASE_LABEL, POSSESSIVE_TAG, Constituent
from engine.structure.sentence_layout import BASE, GROW_LEFT, GROW_RIGHT, START_RIGHT, UNARY, WORD
from engine.trees.tree import LabelledSpan

# The steps by which the chart builds a tree, told from its constituents alone (section 3).
#
# Every tree has one derivation: of a constituent first the head-child, then its right modifiers from the inside out,
# then its left ones.

WORD_STEP, BASE_STEP, UNARY_STEP = "word", "baseNP", "unary"
EDGE_KINDS = (WORD_STEP, BASE_STEP, UNARY_STEP, "grow right", "start right", "grow left", "start left")
"""How an edge builds its constituent, in the order of the numbers in :mod:`engine.structure.sentence_layout`."""


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
    """Yield the derivation of a tree, or of the fragments of a cover, in the order in which a chart takes its steps."""
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


# From a derivation, the steps by which the chart built a tree, to the tree's constituents.


@dataclass(frozen=True)
class Derivation:
    """One way to build a tree of the sentence: its steps, and the reading of every word.

    Attributes
    ----------
    log_probability, generative
        Log probability under the parser's own model, and under the second one (0 without one).
    steps, chosen
        Its steps, and which reading each word has.
    sentence
        What the features of its tree depend on beside.
    """

    log_probability: float
    generative: float
    steps: Int32Array
    chosen: Int32Array
    sentence: ListedSentence

    @cached_property
    def features(self) -> Int32Array:
        """The tree's features, a row each (:mod:`engine.rerank.features_kernel`)."""
        readings, commas, marks, joined, _ = self.sentence
        return features_kernel.tree_features(self.steps, readings, self.chosen, commas, joined, marks)


class ChartConstituents(NamedTuple):
    """The constituents of a parse as the chart has them, to be built when they are asked for.

    Attributes
    ----------
    model, switches
        The model, and the switches that decide by which of its counts the brackets inside baseNPs are found.
    readings, chosen
        The words under all their tags, and which reading each word has.
    derivations
        The steps of each root, side by side.
    """

    model: Model
    switches: Switches
    readings: Int32Array
    chosen: Int32Array
    derivations: tuple[Int32Array, ...]

    def roots(self) -> tuple[Constituent, ...]:
        """Build the constituents, with the baseNP-internal brackets."""
        vocabulary = self.model.vocabulary
        counts = self.model.counts_under(self.switches)
        first, possessive = 1 + len(vocabulary.phrases), self.model.tag_numbers.get(POSSESSIVE_TAG, -1)
        made = []
        for steps in self.derivations:
            found = internal_brackets_kernel.decode_all(counts, self.readings, self.chosen, steps, first, possessive)
            brackets = brackets_by_start(found.tolist(), vocabulary.phrases)
            made.append(build(steps.tolist(), brackets, vocabulary.labels))
        return tuple(made)


def build(rows: Sequence[Sequence[int]], brackets: Sequence[LabelledSpan], labels: Sequence[str]) -> Constituent:
    """Constituents from a derivation in the order in which its items are built, and the brackets in its baseNPs."""
    stack: list[Constituent] = []
    for kind, label, head_label, head, left, right in rows:
        if kind == WORD:
            name = labels[label] if label < len(labels) else ""
            stack.append(Constituent(name, head, head + 1, head))
        elif kind == BASE:
            inside: tuple[LabelledSpan, ...] = ()
            if brackets and right > left:
                inside = tuple([bracket for bracket in brackets if left <= bracket[1] <= right])
            stack.append(Constituent(BASE_LABEL, left, right + 1, head, None, 0, "", inside))
        elif kind == UNARY:
            child = stack[-1]
            stack[-1] = Constituent(labels[label], child.start, child.end, head, [child], 0, child.label)
        else:
            second = stack.pop()
            first = stack[-1]
            if kind == GROW_RIGHT:
                first.children.append(second)
                first.end = second.end
            elif kind == GROW_LEFT:
                second.children.insert(0, first)
                second.head_child += 1
                second.start = first.start
                stack[-1] = second
            else:
                head_child = 0 if kind == START_RIGHT else 1
                children = [first, second]
                stack[-1] = Constituent(
                    labels[label], first.start, second.end, head, children, head_child, labels[head_label]
                )
    return stack[0]


def brackets_by_start(rows: Sequence[Sequence[int]], phrases: Sequence[str]) -> list[LabelledSpan]:
    """Brackets of all baseNPs of a sentence in pre-order, from rows (phrase number from 1 or −1, start, end)."""
    found = [(phrases[number - 1] if number > 0 else BASE_LABEL, start, end) for number, start, end in rows]
    found.sort(key=lambda bracket: (bracket[1], -bracket[2]))
    return found
