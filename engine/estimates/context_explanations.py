"""Why an estimate of preset (5) is what it is: every level's counts and weight, and what each context multiplies in.

A factor's probability is ``m r1 r2 ... / w``: m mixes the levels named in `used` by its `lambdas`, finest first
(:mod:`engine.estimates.dependency_mixture_kernel`, :mod:`engine.estimates.context_estimates_kernel`), the ratios are
those of the contexts, and w is the sum
of the same product over all outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.counts import keys_kernel
from engine.counts.context_features import surroundings
from engine.counts.counts_layout import BESIDE_HEAD, BESIDE_MODIFIER, GAP_LEVELS, Switches
from engine.estimates import context_estimates_kernel, dependency_mixture_kernel, estimates_kernel
from engine.estimates.ledger import Level, Ratio
from engine.model.model import Model
from engine.structure.constituents import Constituent
from engine.structure.structure_layout import AFTER, BEFORE, GAP_TAGS, OWN_TAG

Numbers = Sequence[tuple[int, int]]
CONTEXT_NAMES = ("beside modifier", "beside head", "between")
BESIDE = "before, after"
"""The counts with the tag before and those with the tag after, taken together."""
EVEN = "even"
"""Under all levels of a gap's recursion: the five tags equally probable."""


class Mixture(NamedTuple):
    """What a factor of the ledger tells of an estimate; see :class:`engine.estimates.ledger.Factor`."""

    probability: float
    levels: tuple[Level, ...]
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    ratios: tuple[Ratio, ...]
    whole: float


def mixed(steps: Sequence[tuple[str, int, int, float]]) -> tuple[float, tuple[str, ...], tuple[float, ...]]:
    """Mix levels given as (name, η, δ, c), finest first: the estimate, the levels that exist, their λ."""
    existing = [step for step in steps if step[2]]
    value = existing[-1][1] / existing[-1][2] if existing else 0.0
    for _, eta, delta, weight in reversed(existing[:-1]):
        value = (eta + weight * value) / (delta + weight)
    return (
        value,
        tuple(name for name, *_ in existing),
        tuple(delta / (delta + weight) for _, _, delta, weight in existing[:-1]),
    )


def in_context(name: str, levels: Sequence[tuple[Level, float]], expected: float, power: float = 1.0) -> Ratio:
    """What a context multiplies in: its levels, finest first with their c, are mixed over what is expected."""
    existing = [(level, weight) for level, weight in levels if level.delta]
    estimate = expected
    for level, weight in reversed(existing):
        estimate = (level.eta + weight * estimate) / (level.delta + weight)
    return Ratio(
        name,
        (estimate / expected) ** power,
        tuple(level.name for level, _ in existing),
        tuple(level.delta / (level.delta + weight) for level, weight in existing),
        estimate,
        expected,
        power,
    )


def together(first: Level, second: Level) -> Level:
    """Two levels whose counts are pooled, as E2 and E3 are."""
    return Level(BESIDE, first.eta + second.eta, first.delta + second.delta)


class Contexts:
    """The contexts of one sentence's words, and the estimates of preset (5) in them.

    `tags` are those that the words' surroundings have, `numbers` the words and tags of the parse.
    """

    def __init__(
        self, model: Model, switches: Switches, tags: Sequence[str], numbers: Numbers, commas: Sequence[int]
    ) -> None:
        self.counts = model.counts
        self.switches = switches
        self.labels = model.label_numbers
        self.numbers = numbers
        self.commas = commas
        self.around = surroundings(tags, [model.tag_number(tag) for tag in tags], commas)
        self.classes = model.between_classes
        self.relations = max(len(model.vocabulary.triples), 1)

    def of_pair(self, modifier: int, head: int) -> tuple[int, int, int]:
        """Neighbours of the modifier and of the head, and what lies between."""
        beside_m, beside_h = (
            keys_kernel.both_neighbours(self.counts.widths, self.around[at, BEFORE], self.around[at, AFTER])
            for at in (modifier, head)
        )
        kinds = 0
        if self.switches.contexts:
            first, second = sorted((modifier, head))
            tag_m, tag_h = self.numbers[modifier][1], self.numbers[head][1]
            kinds = keys_kernel.between(self.around[:, OWN_TAG], self.classes, first, second, tag_m, tag_h)
        return int(beside_m), int(beside_h), int(kinds)

    def estimates(self, modifier: int, head: int, delta: int) -> dict[int, float]:
        """F̂ of every relation between two words for which it is not zero."""
        rows = np.zeros((3, self.relations), np.int32)
        relations = np.zeros(4 * self.relations, np.int32)
        logs = np.zeros(4 * self.relations)
        filled = estimates_kernel.dependency_estimates(
            self.counts,
            self.switches,
            *self.numbers[modifier],
            *self.numbers[head],
            delta,
            *self.of_pair(modifier, head),
            rows,
            relations,
            logs,
            0,
        )
        return {int(relations[place]): float(np.exp(logs[place])) for place in range(filled)}

    def dependency(self, modifier: int, head: int, delta: int, relation: int) -> Mixture:
        """F̂ of one relation by the full recursion."""
        eta = np.zeros(dependency_mixture_kernel.MIXTURE_LEVELS, np.int64)
        total = np.zeros(dependency_mixture_kernel.MIXTURE_LEVELS, np.int64)
        dependency_mixture_kernel.mixture_counts(
            self.counts,
            self.switches,
            *self.numbers[modifier],
            *self.numbers[head],
            delta,
            *self.of_pair(modifier, head),
            relation,
            eta,
            total,
        )
        names = ("E1", "E2", "E3", "E4", "Δ without commas", "order+adjacency", "order", *CONTEXT_NAMES)
        levels = tuple(Level(name, int(eta[row]), int(total[row])) for row, name in enumerate(names))
        weights = [
            float(dependency_mixture_kernel.level_weight(row))
            for row in range(dependency_mixture_kernel.M_BESIDE_MODIFIER)
        ]
        steps = [(level.name, level.eta, level.delta, weight) for level, weight in zip(levels, weights, strict=False)]
        words = ("E23", steps[1][1] + steps[2][1], steps[1][2] + steps[2][2], steps[1][3])
        value, used, lambdas = mixed([steps[0], words, *steps[3:]])
        probability = self.estimates(modifier, head, delta).get(relation, 0.0)
        expected = mixed(steps[dependency_mixture_kernel.M_ADJACENT :])[0]
        ratios = []
        for number, level in enumerate(levels[dependency_mixture_kernel.M_BESIDE_MODIFIER :]):
            if level.delta and expected:
                power = 1.0 if BESIDE_MODIFIER + number == BESIDE_HEAD else 0.5
                ratios.append(
                    in_context(level.name, [(level, dependency_mixture_kernel.CONTEXT_PRIOR)], expected, power)
                )
        return _whole(probability, value, levels, used, lambdas, ratios)

    def gaps(self, position: int, eta: np.ndarray, delta: np.ndarray) -> np.ndarray:
        """P̂ of the five tags of the gap before a word; adds what its neighbours say to the counts."""
        row = np.zeros(GAP_TAGS)
        context_estimates_kernel.gap_context_counts(
            self.counts,
            self.numbers[position - 1][1],
            self.numbers[position][1],
            int(self.commas[position] > 0),
            self.around[position - 1, BEFORE],
            self.around[position, AFTER],
            eta,
            delta,
        )
        context_estimates_kernel.mixed_gaps(eta, delta, row)
        return row

    def gap(self, position: int, eta: np.ndarray, delta: np.ndarray, tag: int) -> Mixture:
        """P̂ of one tag of the gap before a word."""
        probability = float(self.gaps(position, eta, delta)[tag])
        names = ("E1", "E2", "E3", "E4", "comma", "before", "after", "before+after")
        found = [Level(names[row], int(eta[row, tag]), int(delta[row])) for row in range(GAP_LEVELS)]
        pair, left, right, tags, comma, before, after, around = found
        # What is added to the count of every tag is a last level, on which all five are equally probable.
        even = Level(EVEN, 1, GAP_TAGS)
        below = [
            (*tags, context_estimates_kernel.C_GAP_TAGS),
            (*comma, GAP_TAGS * context_estimates_kernel.GAP_FLOOR),
            (*even, 0.0),
        ]
        words = ("E23", left.eta + right.eta, left.delta + right.delta, context_estimates_kernel.C_GAP_WORD)
        value, used, lambdas = mixed([(*pair, context_estimates_kernel.C_GAP_PAIR), words, *below])
        beside = [
            (around, context_estimates_kernel.C_GAP_AROUND),
            (together(before, after), context_estimates_kernel.C_GAP_BESIDE),
        ]
        ratio = in_context("neighbours", beside, mixed(below)[0])
        levels = (pair, left, right, tags, comma, even, before, after, around)
        return _whole(probability, value, levels, used, lambdas, [ratio])

    def unary(self, node: Constituent, parent: int) -> Mixture:
        """P̂ of a unary parent, or none, over a constituent whose label the model knows."""
        word, tag = self.numbers[node.head]
        parts = context_estimates_kernel.unary_parts(
            self.counts,
            self.labels[node.label],
            word,
            tag,
            self.around[node.start, BEFORE],
            self.around[node.end - 1, AFTER],
            self.labels.get(node.head_label, 0),
            self.around[node.start, OWN_TAG],
        )
        whole = float(context_estimates_kernel.unary_whole(self.counts, parts))
        probability = float(np.exp(context_estimates_kernel.mixed_unary(self.counts, parts, parent, whole)))
        eta = np.zeros(context_estimates_kernel.UNARY_LEVELS, np.int64)
        delta = np.zeros(context_estimates_kernel.UNARY_LEVELS, np.int64)
        context_estimates_kernel.unary_context_counts(self.counts, parts, parent, eta, delta)
        names = ("label", "label+tag", "word+tag", "after", "before", "before+after", "inside")
        levels = tuple(Level(name, int(eta[row]), int(delta[row])) for row, name in enumerate(names))
        value, used, lambdas = mixed(
            [
                (*levels[2], context_estimates_kernel.C_UNARY_WORD),
                (*levels[1], context_estimates_kernel.C_UNARY_TAG),
                (*levels[0], 0.0),
            ]
        )
        label, by_tag, _, after, before, around, inside = levels
        expected = mixed([(*by_tag, context_estimates_kernel.C_UNARY_TAG), (*label, 0.0)])[0]
        ratios = []
        if expected:
            beside = [
                (around, context_estimates_kernel.C_UNARY_AROUND),
                (together(before, after), context_estimates_kernel.C_UNARY_BESIDE),
            ]
            ratios = [
                in_context("neighbours", beside, expected),
                in_context("inside", [(inside, context_estimates_kernel.C_UNARY_INNER)], expected, 0.5),
            ]
        return _whole(probability, value, levels, used, lambdas, ratios)


def _whole(
    probability: float,
    value: float,
    levels: tuple[Level, ...],
    used: tuple[str, ...],
    lambdas: tuple[float, ...],
    ratios: Sequence[Ratio],
) -> Mixture:
    """A mixture with the sum that its product is divided by."""
    product = value
    for ratio in ratios:
        product *= ratio.value
    return Mixture(probability, levels, used, lambdas, tuple(ratios), product / probability if probability else 1.0)
