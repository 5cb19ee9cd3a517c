"""From a derivation, the steps by which the chart built a tree, to the tree's constituents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.common.arrays import Int32Array
from engine.counts.counts_layout import Counts
from engine.estimates import internal_brackets_kernel
from engine.model.model import Model
from engine.reranker import features_kernel
from engine.reranker.scoring_layout import ListedSentence
from engine.structure.constituents import BASE_LABEL, POSSESSIVE_TAG, Constituent
from engine.structure.structure_layout import BASE, GROW_LEFT, GROW_RIGHT, START_RIGHT, UNARY, WORD
from engine.trees.tree import LabelledSpan


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
        """The tree's features, a row each (:mod:`engine.reranker.features_kernel`)."""
        readings, commas, marks, joined, _ = self.sentence
        return features_kernel.tree_features(self.steps, readings, self.chosen, commas, joined, marks)


class ChartConstituents(NamedTuple):
    """The constituents of a parse as the chart has them, to be built when they are asked for.

    Attributes
    ----------
    model, counts
        The model, and those of its counts that the brackets inside baseNPs are found with.
    readings, chosen
        The words under all their tags, and which reading each word has.
    derivations
        The steps of each root, side by side.
    """

    model: Model
    counts: Counts
    readings: Int32Array
    chosen: Int32Array
    derivations: tuple[Int32Array, ...]

    def roots(self) -> tuple[Constituent, ...]:
        """Build the constituents, with the baseNP-internal brackets."""
        vocabulary = self.model.vocabulary
        first, possessive = 1 + len(vocabulary.phrases), self.model.tag_numbers.get(POSSESSIVE_TAG, -1)
        made = []
        for steps in self.derivations:
            found = internal_brackets_kernel.decode_all(
                self.counts, self.readings, self.chosen, steps, first, possessive
            )
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
