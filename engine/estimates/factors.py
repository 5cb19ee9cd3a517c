"""Each estimate explained: dependencies, gap tags, unaries and the root, level by level and mixed step by step.

Every estimate is a chain of back-off (:mod:`engine.estimates.estimates_layout`).  Its levels are looked up here in the
tables of that chain, and :func:`engine.estimates.estimates_kernel.chain_estimate` mixes them and writes down each step,
from which a factor of the ledger is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.counts.counts_layout import ContextWord, Counts
from engine.counts.lookup_kernel import (
    classes_between,
    fill_constituent,
    fill_gap,
    fill_pair,
    fill_root,
    key_range,
    level_counts,
)
from engine.counts.specifications_layout import CONTEXT_FIELDS
from engine.estimates import estimates_layout as layout
from engine.estimates.dependency_kernel import dependency_chain, dependency_estimates
from engine.estimates.estimates_kernel import (
    chain_estimate,
    gap_chain,
    gap_counts,
    gap_distribution,
    root_estimate,
    unary_probability,
)
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    FactorSubject,
    GapSubject,
    Level,
    Ratio,
    RootSubject,
    UnarySubject,
)
from engine.estimates.sentence import ExplainedSentence
from engine.structure.constituents import Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance
from engine.structure.sentence_layout import AFTER, BEFORE, GAP_TAGS, OWN_TAG

T = TypeVar("T")

# A chain looked up and mixed for one outcome, and a factor of the ledger made of its steps.


class LevelContexts(NamedTuple):
    """The contexts that one level of back-off counts.

    Attributes
    ----------
    level
        What the level is called.
    table
        Number of the count table (:mod:`engine.counts.specifications_layout`).
    keys
        One context; with question 1 as the only distance all that differ in the others; none where a word is unknown,
        or words are not used.
    """

    level: str
    table: int
    keys: tuple[int, ...]


def filled(fill: Callable[..., None], *features: object) -> Int64Array:
    """A context that a kernel of :mod:`engine.counts.lookup_kernel` fills of features."""
    context = np.zeros(CONTEXT_FIELDS, np.int64)
    fill(context, *features)
    return context


def contexts_of(chain: int, bits: Int64Array, context: Int64Array, order_only: int = 0) -> tuple[LevelContexts, ...]:
    """List what the levels of a chain look up in a context; with question 1 alone all Δ of the same order."""
    one = layout.CHAINS[chain]
    rows = []
    for level, table in layout.chain_rows(one):
        _, first, number = key_range(bits, table, context, order_only)
        rows.append(LevelContexts(level, table, tuple(range(int(first), int(first + number)))))
    return _with_even(chain, rows, LevelContexts(layout.EVEN, one.levels[-1].tables[0], ()))


def look_up(counts: Counts, contexts: Sequence[LevelContexts], outcome: int) -> tuple[Int64Array, Int64Array]:
    """Look up the levels of an estimate: η of one outcome, as a column, and δ."""
    places = [(number, table, key) for number, (_, table, keys) in enumerate(contexts) for key in keys]
    levels, tables, keys = zip(*places, strict=True) if places else ((), (), ())
    eta, delta = np.zeros((2, len(contexts)), np.int64)
    level_counts(
        counts, np.array(tables, np.int64), np.array(keys, np.int64), np.array(levels, np.int64), outcome, eta, delta
    )
    return eta.reshape(-1, 1), delta


class Mixture(NamedTuple):
    """An estimate as a chain mixes it.

    Attributes
    ----------
    value
        The mixture times what its contexts say, before it is divided by the sum over all outcomes.
    levels, used, lambdas, ratios
        See :class:`engine.estimates.ledger.Factor`.
    """

    value: float
    levels: tuple[Level, ...]
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    ratios: tuple[Ratio, ...]


def mixture_of(chain: int, eta: Int64Array, delta: Int64Array, outcome: int = 0) -> Mixture:
    """Mix a chain for one outcome from the counts in its rows, and read what was mixed."""
    one = layout.CHAINS[chain]
    steps = np.zeros((layout.MOST_STEPS, layout.STEP_COLUMNS))
    value = float(chain_estimate(chain, eta, delta, outcome, steps))
    names = [name for name, _ in layout.chain_rows(one)]
    rows = map(Level, names, eta[:, outcome].tolist(), delta.tolist())
    levels = _with_even(chain, list(rows), Level(layout.EVEN, 1, one.even))
    size = len(one.levels)
    used, lambdas = _used(one.levels, steps[:size])
    if one.even:
        used = (*used, layout.EVEN)
    ratios = []
    expected = float(steps[one.expected - 1, layout.STEP_VALUE])
    for context in one.contexts if expected else ():
        mixed = steps[size : size + len(context.levels)]
        estimate = float(mixed[-1, layout.STEP_VALUE])
        ratio = (estimate / expected) ** context.power
        ratios.append(Ratio(context.name, ratio, *_used(context.levels, mixed), estimate, expected, context.power))
        size += len(context.levels)
    return Mixture(value, levels, used, lambdas, tuple(ratios))


def _with_even(chain: int, rows: list[T], even: T) -> tuple[T, ...]:
    """What is said of the rows of a chain, with the level under all others behind those that it is under."""
    one = layout.CHAINS[chain]
    end = sum(len(level.tables) for level in one.levels)
    return (*rows[:end], *([even] if one.even else []), *rows[end:])


def _used(levels: Sequence[layout.ChainLevel], steps: FloatArray) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The levels that were mixed, the finest first, and λ of each, but for one with nothing below it."""
    weights = steps[::-1, layout.STEP_LAMBDA].tolist()
    return (
        tuple(level.name for level, weight in zip(levels, weights, strict=True) if weight),
        tuple(weight for weight in weights if 0 < weight < 1),
    )


def mixed_factor(subject: FactorSubject, mixture: Mixture, probability: float, reason: str) -> Factor:
    """Make a factor of levels that are mixed as section 2.4 has it, or as further back-off has it."""
    return Factor(subject, mixture.levels, mixture.used, mixture.lambdas, probability, reason)


def product_factor(subject: FactorSubject, mixture: Mixture, probability: float, reason: str = "") -> Factor:
    """Make a factor of an estimate of preset (5): the mixture times its ratios, over the sum over all outcomes."""
    value, levels, used, lambdas, ratios = mixture
    whole = value / probability if probability else 1.0
    return Factor(subject, levels, used, lambdas, probability, reason, ratios, whole, recursion=True)


# F̂(R | modifier, head, Δ) explained (sections 2.2 to 2.4).


class DependencyFactors:
    """Explains the dependencies of one sentence."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence
        self._chain = dependency_chain(sentence.switches)
        self._relations = max(len(sentence.model.vocabulary.triples), 1)

    def pair(self, modifier: int, head: int, distance: int) -> Int64Array:
        """Two words of the sentence as the tables see them."""
        sentence = self._sentence
        word_m, word_h = sentence.word(modifier), sentence.word(head)
        between = 0
        if sentence.switches.contexts:
            first, last = sorted((modifier, head))
            classes = sentence.model.between_classes
            between = classes_between(sentence.features[:, OWN_TAG], classes, first, last, word_m.tag, word_h.tag)
        return filled(fill_pair, word_m, word_h, distance, int(between))

    def estimates(self, modifier: int, head: int, distance: int) -> dict[int, float]:
        """F̂ of every relation between two words for which it is not zero."""
        sentence = self._sentence
        lookups = np.empty((layout.MOST_ROWS, 3), np.int64)
        rows = np.zeros((3, self._relations), np.int32)
        relations = np.zeros(4 * self._relations, np.int32)
        logs = np.zeros(4 * self._relations)
        pair = self.pair(modifier, head, distance)
        filled = dependency_estimates(sentence.counts, sentence.switches, pair, lookups, rows, relations, logs, 0)
        return {int(relations[place]): float(np.exp(logs[place])) for place in range(filled)}

    def contexts(self, modifier: int, head: int, distance: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of F̂ are looked up."""
        sentence = self._sentence
        pair = self.pair(modifier, head, distance)
        return contexts_of(self._chain, sentence.counts.bits, pair, sentence.switches.order_only)

    def factor(self, modifier: int, head: int, relation: Relation, distance: Distance) -> Factor:
        """F̂(R | modifier, head, Δ) (section 2.4)."""
        sentence = self._sentence
        subject = DependencySubject(modifier, head, sentence.words[modifier], sentence.words[head], relation, distance)
        triple = sentence.model.triple_numbers.get(relation)
        if triple is None:
            reason = f"the triple {relation} was never seen in training"
            return Factor(subject, (), (), (), 0.0, reason)
        tags = f"{sentence.tags[modifier]} and {sentence.tags[head]}"
        counts = look_up(sentence.counts, self.contexts(modifier, head, distance.code), triple)
        mixture = mixture_of(self._chain, *counts)
        reason = ""
        if sentence.switches.recursion:
            probability = self.estimates(modifier, head, distance.code).get(triple, 0.0)
            if not probability:
                seen = any(level.eta for level in mixture.levels)
                reason = f"{relation} was never seen between {tags} in this order"
                if seen:
                    reason = f"{relation} was seen, but here F̂ is under 10⁻⁶, which the parser takes for 0"
            told = tuple(ratio for ratio in mixture.ratios if ratio.used)
            return product_factor(subject, mixture._replace(ratios=told), probability, reason)
        if sentence.switches.further_backoff:
            probability = self.estimates(modifier, head, distance.code).get(triple, 0.0)
            reason = "" if probability else f"{relation} was never seen between {tags} in this order"
            return mixed_factor(subject, mixture, probability, reason)
        if not mixture.value:
            last = mixture.levels[-1]
            if not last.delta:
                reason = f"{tags} never stood at this distance in training"
            elif not last.eta:
                reason = f"{relation} was never seen between {tags} at this distance"
            else:
                reason = _never_with_words(subject)
        return mixed_factor(subject, mixture, mixture.value, reason)


def _never_with_words(subject: DependencySubject) -> str:
    """Why F̂ is 0 though the tags were seen in the relation: the words were met like this, and never so related."""
    return (
        f"`{subject.modifier_word}` and `{subject.head_word}` were met like this, never as {subject.relation}; since "
        "both were met, F̂ does not fall back to tags alone and is 0"
    )


# P̂(G = tag) of a gap explained (section 2.5).

COMMA_ROW = 4
"""The row of the comma in the paper's chain of gaps, after that of the tags."""


class GapFactors:
    """Explains the gap tags of one sentence; a gap is named by the position of the word after it."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence
        self._chain = gap_chain(sentence.switches)

    def gap(self, position: int) -> Int64Array:
        """A gap of the sentence as the tables see it."""
        sentence = self._sentence
        comma = int(sentence.commas[position] > 0)
        return filled(fill_gap, sentence.word(position - 1), sentence.word(position), comma)

    def distribution(self, position: int) -> dict[str, float]:
        """P̂ of all five tags."""
        row = self._estimates(*self._counts(position))
        return {letter: float(row[tag]) for tag, letter in enumerate(GAP_LETTERS)}

    def contexts(self, position: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of P̂ are looked up, in the order in which :meth:`factor` has them."""
        found = contexts_of(self._chain, self._sentence.counts.bits, self.gap(position))
        return self._told(found, self._counts(position)[1])

    def factor(self, position: int, tag: str) -> Factor:
        """P̂(G = tag) of the gap before a word."""
        sentence = self._sentence
        eta, delta = self._counts(position)
        index = GAP_LETTERS.index(tag)
        probability = float(self._estimates(eta, delta)[index])
        subject = GapSubject(position, sentence.words[position - 1], tag, sentence.words[position])
        mixture = mixture_of(self._chain, eta, delta, index)
        if sentence.switches.gap_contexts:
            return product_factor(subject, mixture, probability)
        levels = self._told(mixture.levels, delta)
        reason = "" if probability else self._never(subject, levels)
        return mixed_factor(subject, mixture._replace(levels=levels), probability, reason)

    def _never(self, subject: GapSubject, levels: Sequence[Level]) -> str:
        """Why a gap tag is impossible: the two tags never had it between them, or the two words were met without it."""
        left, right = self._sentence.tags[subject.position - 1], self._sentence.tags[subject.position]
        comma = ", with a comma between" if self._sentence.commas[subject.position] else ""
        if not levels[-1].eta:
            return f"{subject.tag} was never seen between {left} and {right}{comma}"
        met = levels[0].delta
        often = "once" if met == 1 else f"{met:,} times"
        return (
            f"in training `{subject.left}` and `{subject.right}` stood side by side like this {often}, never with "
            f"{subject.tag} between; since both words were met, P̂ does not fall back to tags alone and is 0"
        )

    def _told(self, levels: tuple[T, ...], delta: Int64Array) -> tuple[T, ...]:
        """The levels that the paper's form may mix: of tags and comma it has the first that exists."""
        if not layout.CHAINS[self._chain].papers:
            return levels
        last = COMMA_ROW - 1 if delta[COMMA_ROW - 1] else COMMA_ROW
        return (*levels[: COMMA_ROW - 1], levels[last])

    def _counts(self, position: int) -> tuple[Int64Array, Int64Array]:
        """η of the five tags and δ in every row of the chain."""
        rows = len(layout.chain_rows(layout.CHAINS[self._chain]))
        eta, delta = np.zeros((rows, GAP_TAGS), np.int64), np.zeros(rows, np.int64)
        gap_counts(self._sentence.counts, self._chain, self.gap(position), eta, delta)
        return eta, delta

    def _estimates(self, eta: Int64Array, delta: Int64Array) -> FloatArray:
        row, steps = np.zeros(GAP_TAGS), np.zeros((layout.MOST_STEPS, layout.STEP_COLUMNS))
        gap_distribution(self._chain, eta, delta, steps, row)
        return row


# P̂(parent or none) of a constituent explained (footnote to section 2.6).


class UnaryFactors:
    """Explains the unary decisions of one sentence's parses."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence
        self._chain = layout.UNARY_IN_CONTEXT if sentence.switches.unary_contexts else layout.UNARY_CHAIN

    def over(self, node: Constituent) -> Int64Array:
        """A constituent, whose label the model knows, as the tables see it."""
        sentence, labels = self._sentence, self._sentence.model.label_numbers
        before, after = sentence.features[node.start, BEFORE], sentence.features[node.end - 1, AFTER]
        head = ContextWord(*sentence.numbers[node.head], int(before), int(after))
        first_tag = int(sentence.features[node.start, OWN_TAG])
        return filled(fill_constituent, labels[node.label], head, labels.get(node.head_label, 0), first_tag)

    def contexts(self, node: Constituent) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of P̂ over a constituent, whose label the model knows, are looked up."""
        return contexts_of(self._chain, self._sentence.counts.bits, self.over(node))

    def factor(self, node: Constituent, parent: str | None) -> Factor:
        """P̂(parent or none | label, head tag) of a constituent."""
        sentence, labels = self._sentence, self._sentence.model.label_numbers
        label, head = node.label, node.head
        subject = UnarySubject(head, sentence.words[head], label, parent)
        if label not in labels and parent is None:
            # A label that training never had pays nothing for standing alone, as in the chart.
            return Factor(subject, (), (), (), 1.0)
        if label not in labels or (parent or "") not in labels:
            return Factor(subject, (), (), (), 0.0, f"{label} was never seen under {parent}")
        outcome, contexts = labels[parent or ""], sentence.switches.unary_contexts
        never = f"{parent} was never seen over {label} alone" if parent else f"{label} was never seen without a parent"
        mixture = mixture_of(self._chain, *look_up(sentence.counts, self.contexts(node), outcome))
        probability = unary_probability(sentence.counts, self.over(node), contexts, outcome, len(labels) + 1)
        if contexts:
            return product_factor(subject, mixture, probability, "" if probability else never)
        reason = "" if probability else f"{never} (head tag {sentence.tags[head]})"
        return mixed_factor(subject, mixture, probability, reason)


# F̂(<label> | head-word, head tag) explained: AF of the head of the sentence (footnote 5).


class RootFactors:
    """Explains the roots of one sentence's parses."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence

    def word(self, head: int) -> Int64Array:
        """A word of the sentence as the tables of roots see it."""
        return filled(fill_root, *self._sentence.numbers[head])

    def contexts(self, head: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of F̂ are looked up."""
        return contexts_of(layout.ROOT_CHAIN, self._sentence.counts.bits, self.word(head))

    def factor(self, head: int, label: str) -> Factor:
        """F̂ of a label as the root over a head-word."""
        sentence = self._sentence
        subject = RootSubject(head, sentence.words[head], label)
        number = sentence.model.label_numbers.get(label)
        never = f"{label} was never the root in training"
        if number is None:
            return Factor(subject, (), (), (), 0.0, never)
        probability = float(root_estimate(sentence.counts, self.word(head), number))
        mixture = mixture_of(layout.ROOT_CHAIN, *look_up(sentence.counts, self.contexts(head), number))
        return mixed_factor(subject, mixture, probability, "" if probability else never)
