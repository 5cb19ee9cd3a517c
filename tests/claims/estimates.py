"""The estimates a second time, from the events of training: section 2.4's form, further back-off, and preset (5).

Constants and order of levels are those of `resources/manual/paper.md`; nothing is taken from :mod:`engine.estimates`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.claims.training import ADJACENCY, NEVER, ORDER, Between, Met, Neighbour, Training, any_commas, code
from tests.engine.recount_trees import Delta, Relation

NONE_AT_ALL = 1e-9
"""The probability of no relation is never less."""
LEFT_OUT = 1e-6
"""Under preset (5) a smaller F̂ is 0."""
GAPS = "SCEBN"


class Pair(NamedTuple):
    """Two words of a reduced sentence: each with tag and neighbours, Δ, and what lies between."""

    modifier: str
    modifier_tag: str
    head: str
    head_tag: str
    delta: Delta
    beside_modifier: tuple[Neighbour, Neighbour]
    beside_head: tuple[Neighbour, Neighbour]
    between: Between


class Gap(NamedTuple):
    """Two words side by side, and the neighbours beyond them."""

    left: str
    left_tag: str
    right: str
    right_tag: str
    comma: bool
    before: Neighbour
    after: Neighbour


class Phrased(NamedTuple):
    """A constituent as unaries see it."""

    label: str
    tag: str
    word: str
    before: Neighbour
    after: Neighbour
    child: str
    first: str


Counts = tuple[int, int]


class Estimates:
    """Every estimate of one preset.

    Parameters
    ----------
    training
        What was counted.
    preset
        1 to 5.
    further
        0, 1 (dependencies) or 2 (gaps, too): how much further the estimates back off than the preset's.
    """

    def __init__(self, training: Training, preset: int, further: int = 0) -> None:
        self.training = training
        self.preset = preset
        self.further = further
        self.weighted = preset == 5 and training.weighted

    # Levels.

    def pair_levels(self, pair: Pair) -> dict[str, Met]:
        """Every level of a dependency."""
        met, plain = self.training.pairs.met, self.preset in (3, 4)
        tags = self.training.tags(pair.modifier_tag, pair.head_tag)
        delta = code(pair.delta)
        if plain:
            first = {"modifier": pair.modifier, "head": pair.head, "delta": delta}
            found = {
                "E1": met(**first),
                "E2": self._with_head_tag(pair, delta),
                "E3": self._with_modifier_tag(pair, delta),
            }
        elif tags is None:
            found = dict.fromkeys(("E1", "E2", "E3"), NEVER)
        else:
            found = {
                "E1": met(modifier=pair.modifier, head=pair.head, tags=tags, delta=delta),
                "E2": met(modifier=pair.modifier, tags=tags, delta=delta),
                "E3": met(head=pair.head, tags=tags, delta=delta),
            }
        found["E4"] = met(tags=tags, delta=delta) if tags is not None else NEVER
        order = (ORDER, delta & ORDER)
        if tags is None:
            return found
        if self.preset == 5 or self.further:
            found["order"] = met(tags=tags, masked_delta=order)
        if self.preset == 5:
            near = (ADJACENCY, delta & ADJACENCY)
            found["order+adjacency"] = met(tags=tags, masked_delta=near)
            found["Δ without commas"] = self._without_numbers(tags, delta)
            for name, (before, after) in (("modifier", pair.beside_modifier), ("head", pair.beside_head)):
                sides = {
                    f"before_{name[0]}": self.training.neighbour(before),
                    f"after_{name[0]}": self.training.neighbour(after),
                }
                known = None not in sides.values()
                found[f"beside {name}"] = met(tags=tags, masked_delta=near, **sides) if known else NEVER
            bits = sum(bit << place for place, bit in enumerate(pair.between))
            found["between"] = met(tags=tags, masked_delta=near, between=bits)
        return found

    def _without_numbers(self, tags: int, delta: int) -> Met:
        """Tags at Δ, whether one comma was between, two, or more."""
        wanted = any_commas(delta)
        if not wanted >> 3 & 3:
            return self.training.pairs.met(tags=tags, delta=wanted)
        return summed([self.training.pairs.met(tags=tags, delta=wanted & ~(3 << 3) | many << 3) for many in (1, 2, 3)])

    def _with_head_tag(self, pair: Pair, delta: int) -> Met:
        """E2 under section 2.7: the modifier's word whatever its tag, and the head's tag."""
        tag = self.training.tag(pair.head_tag)
        return (
            NEVER
            if tag is None
            else self.training.pairs.met(modifier=pair.modifier, masked_tags=(255, tag), delta=delta)
        )

    def _with_modifier_tag(self, pair: Pair, delta: int) -> Met:
        """E3 under section 2.7: the head's word whatever its tag, and the modifier's tag."""
        tag = self.training.tag(pair.modifier_tag)
        mask = 255 << 8
        return (
            NEVER if tag is None else self.training.pairs.met(head=pair.head, masked_tags=(mask, tag << 8), delta=delta)
        )

    def gap_levels(self, gap: Gap) -> dict[str, Met]:
        """Every level of a gap."""
        met = self.training.gaps.met
        tags = {"left_tag": gap.left_tag, "right_tag": gap.right_tag, "comma": gap.comma}
        found = {
            "E1": met(left=gap.left, right=gap.right, **tags),
            "E2": met(left=gap.left, **tags),
            "E3": met(right=gap.right, **tags),
            "E4": met(**tags),
            "comma": met(comma=gap.comma),
        }
        if self.preset == 5:
            found["before"] = met(**tags, before=gap.before)
            found["after"] = met(**tags, after=gap.after)
            found["before+after"] = met(**tags, before=gap.before, after=gap.after)
        return found

    def unary_levels(self, over: Phrased) -> dict[str, Met]:
        """Every level of a unary."""
        met = self.training.unaries.met
        headed = {"label": over.label, "tag": over.tag}
        found = {"label+tag": met(**headed), "label": met(label=over.label)}
        if self.preset == 5:
            found["word+tag"] = met(**headed, word=over.word)
            found["before"] = met(**headed, before=over.before)
            found["after"] = met(**headed, after=over.after)
            found["before+after"] = met(**headed, before=over.before, after=over.after)
            found["inside"] = met(**headed, child=over.child, first=over.first)
        return found

    def root_levels(self, word: str, tag: str) -> dict[str, Met]:
        """Every level of the root."""
        met = self.training.roots.met
        return {"word+tag": met(word=word, tag=tag), "tag": met(tag=tag), "any": met()}

    def counts(self, met: Met, outcome: Any) -> Counts:
        """η and δ as the preset has them."""
        return met.level(outcome, self.weighted)

    def outcomes(self, met: Met) -> set[Any]:
        """What happened at least once."""
        return set(met.outcomes)

    # Estimates.

    def dependencies(self, pair: Pair) -> dict[Relation, float]:
        """F̂ of every relation for which it is not zero."""
        levels = self.pair_levels(pair)
        if self.preset == 5:
            return self._recursion(levels)
        possible: set[Relation] = set().union(*(self.outcomes(one) for one in levels.values()))
        found = {}
        for relation in possible:
            e1, e2, e3, e4 = (self.counts(levels[name], relation) for name in ("E1", "E2", "E3", "E4"))
            if self.further:
                order = self.counts(levels.get("order", NEVER), relation)
                value = mixed([order, e4, (e2[0] + e3[0], e2[1] + e3[1]), e1], [1.0] * 4)
            else:
                value = papers(e1, e2, e3, e4)
            if value > 0:
                found[relation] = value
        return found

    def _recursion(self, levels: dict[str, Met]) -> dict[Relation, float]:
        """Preset (5): all levels one upon the other, times what stands beside and between, over the sum."""
        if "order" not in levels:
            return {}
        relations = sorted(self.outcomes(levels["order"]))
        names = (("order",), ("order+adjacency",), ("Δ without commas",), ("E4",), ("E2", "E3"), ("E1",))
        weights = (0.0, 5.0, 5.0, 40.0, 3.0, 2.5)
        values: dict[Any, float] = {}
        expected: dict[Any, float] = {}
        for relation in relations:
            rows = [pooled([self.counts(levels[one], relation) for one in some]) for some in names]
            expected[relation] = mixed(rows[:2], weights[:2])
            values[relation] = mixed(rows, weights)
        expected_none = max(1.0 - math.fsum(expected.values()), NONE_AT_ALL)
        none = max(1.0 - math.fsum(values.values()), NONE_AT_ALL)
        for name, power in (("beside modifier", 0.5), ("beside head", 1.0), ("between", 0.5)):
            met = levels[name]
            total = self.counts(met, None)[1]
            related = sum((met.weighted_outcomes if self.weighted else met.outcomes).values())
            none *= (((total - related) / expected_none + 5.0) / (total + 5.0)) ** power if total else 1.0
            for relation in relations:
                eta = self.counts(met, relation)[0]
                values[relation] *= ((eta / expected[relation] + 5.0) / (total + 5.0)) ** power if total else 1.0
        whole = none + math.fsum(values.values())
        return {relation: value / whole for relation, value in values.items() if value / whole >= LEFT_OUT}

    def gap(self, gap: Gap) -> dict[str, float]:
        """P̂ of all five tags."""
        levels = self.gap_levels(gap)
        found = {}
        for letter in GAPS:
            e1, e2, e3, e4, comma = (self.counts(levels[name], letter) for name in ("E1", "E2", "E3", "E4", "comma"))
            if self.preset == 5:
                low = mixed([(1, 5), comma, e4], [0.0, 0.05, 1.0])
                value = over([pooled([e2, e3]), e1], [3.0, 1.0], low)
                beside = pooled([self.counts(levels[name], letter) for name in ("before", "after")])
                around = self.counts(levels["before+after"], letter)
                found[letter] = value * over([beside, around], [2.0, 5.0], low) / low
            elif self.further > 1:
                found[letter] = mixed([comma, e4, pooled([e2, e3]), e1], [1.0] * 4)
            else:
                found[letter] = papers(e1, e2, e3, e4 if e4[1] else comma)
        if self.preset == 5:
            whole = math.fsum(found.values())
            found = {letter: value / whole for letter, value in found.items()}
        return found

    def unary(self, over_: Phrased, parent: str) -> float:
        """P̂ of a unary parent, or (empty) of none."""
        levels = self.unary_levels(over_)
        if not levels["label"].times:
            return 0.0 if parent else 1.0
        if self.preset != 5:
            return self._unary(levels, parent)
        parents = {*self.outcomes(levels["label"]), ""}
        return self._unary(levels, parent) / math.fsum(self._unary(levels, one) for one in parents)

    def unary_counts(self, met: Met, parent: str) -> Counts:
        """η and δ of a parent or of none."""
        eta, delta = self.counts(met, parent)
        if not parent:
            happened = met.weighted_outcomes if self.weighted else met.outcomes
            eta = delta - sum(happened.values())
        return eta, delta

    def _unary(self, levels: dict[str, Met], parent: str) -> float:
        rows = {name: self.unary_counts(met, parent) for name, met in levels.items()}
        low = mixed([rows["label"], rows["label+tag"]], [0.0, 1.0])
        if self.preset != 5:
            return low
        value = over([rows["word+tag"]], [3.0], low)
        if not low:
            return 0.0
        beside = pooled([rows["before"], rows["after"]])
        value *= over([beside, rows["before+after"]], [5.0, 5.0], low) / low
        return value * math.sqrt(over([rows["inside"]], [5.0], low) / low)

    def root(self, word: str, tag: str, label: str) -> float:
        """F̂ of a label of the whole over a head-word."""
        levels = self.root_levels(word, tag)
        rows = [levels[name].level(label, self.weighted) for name in ("any", "tag", "word+tag")]
        return mixed(rows, [0.0, 1.0, 1.0])


def summed(found: Sequence[Met]) -> Met:
    """Counts of several contexts together."""
    outcomes: Counter[Any] = Counter()
    weighted: Counter[Any] = Counter()
    for one in found:
        outcomes.update(one.outcomes)
        weighted.update(one.weighted_outcomes)
    return Met(sum(one.times for one in found), outcomes, sum(one.weighted_times for one in found), weighted)


def pooled(rows: Sequence[Counts]) -> Counts:
    """Counts of several levels together."""
    return sum(eta for eta, _ in rows), sum(delta for _, delta in rows)


def over(rows: Sequence[Counts], weights: Sequence[float], value: float) -> float:
    """Levels mixed in over a value, the coarsest first: (η + c value) / (δ + c)."""
    for (eta, delta), weight in zip(rows, weights, strict=True):
        if delta:
            value = (eta + weight * value) / (delta + weight)
    return value


def mixed(rows: Sequence[Counts], weights: Sequence[float]) -> float:
    """The same with nothing below: the first level that exists stands alone."""
    for place, (eta, delta) in enumerate(rows):
        if delta:
            return over(rows[place + 1 :], weights[place + 1 :], eta / delta)
    return 0.0


def papers(e1: Counts, e2: Counts, e3: Counts, e4: Counts) -> float:
    """Section 2.4: the first of E1 and E23 that exists, mixed with the next that exists, or else E4."""
    existing = [one for one in (e1, pooled([e2, e3]), e4) if one[1]]
    if not existing:
        return 0.0
    if len(existing) == 1:
        return existing[0][0] / existing[0][1]
    return over(existing[:1], [1.0], existing[1][0] / existing[1][1])
