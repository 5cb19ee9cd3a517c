"""Each estimate explained: dependencies, gap tags, unaries and the root, level by level and mixed step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.counts.counts_layout import Counts, GapContext, UnaryContext, WordPair
from engine.counts.lookup_kernel import classes_between, dependency_key, gap_key, level_counts, root_key, unary_key
from engine.counts.specifications_layout import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    CLASSES_BETWEEN,
    CONSTITUENT_WORD,
    DEPENDENCY_ADJACENCY,
    DEPENDENCY_ANY_COMMAS,
    DEPENDENCY_BESIDE_HEAD,
    DEPENDENCY_BESIDE_MODIFIER,
    DEPENDENCY_BETWEEN,
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_ORDER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
    DISTANCE_ORDER,
    GAP_COMMA,
    HEAD_TAG,
    HEAD_WORD,
    LEADING_HEAD_WORD,
    LEFT_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    REDUCED_WORD,
    RIGHT_WORD,
    ROOT_ANY,
    ROOT_TAG,
    ROOT_WORD,
    TABLES,
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.estimates import dependency_kernel as mixture_kernel
from engine.estimates import estimates_kernel as kernel
from engine.estimates.dependency_kernel import dependency_estimates
from engine.estimates.estimates_kernel import (
    G_COMMA,
    G_TAGS,
    GAP_LEVELS,
    GAP_ROWS,
    PAPERS_ROWS,
    root_estimate,
    smoothed,
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
from engine.settings import FurtherBackoff
from engine.structure.constituents import Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance
from engine.structure.sentence_layout import AFTER, BEFORE, GAP_TAGS, HEAD_FIRST, OWN_TAG

# Contexts in which a level of an estimate is looked up: a table and keys, from which counts and evidence follow.


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


def look_up(counts: Counts, contexts: Sequence[LevelContexts], outcome: int) -> tuple[Level, ...]:
    """Look up the levels of an estimate: η of one outcome, and δ."""
    places = [(number, table, key) for number, (_, table, keys) in enumerate(contexts) for key in keys]
    levels, tables, keys = zip(*places, strict=True) if places else ((), (), ())
    eta, delta = np.zeros((2, len(contexts)), np.int64)
    level_counts(
        counts, np.array(tables, np.int64), np.array(keys, np.int64), np.array(levels, np.int64), outcome, eta, delta
    )
    names = [context.level for context in contexts]
    return tuple(map(Level, names, eta.tolist(), delta.tolist()))


# Mixtures of levels, step by step for the ledger: as the paper mixes them, and as preset (5) does.
#
# In preset (5) the probability of a factor is ``m r1 r2 ... / w``: m mixes the levels named in `used` by its `lambdas`,
# finest first, the ratios are those of the contexts, and w is the sum of the same product over all outcomes.

BESIDE = "before, after"
"""The counts with the tag before and those with the tag after, taken together."""
POOLED = "E23"
"""Those of E2 and E3, taken together."""
Step = tuple[str, int, int, float]
"""A level to be mixed in: its name, η, δ and the weight c of all coarser ones."""


class Mixture(NamedTuple):
    """An estimate as a factor of the ledger tells of it; see :class:`engine.estimates.ledger.Factor`."""

    probability: float
    levels: tuple[Level, ...]
    used: tuple[str, ...]
    lambdas: tuple[float, ...]
    ratios: tuple[Ratio, ...]
    whole: float


def papers_mixture(levels: Sequence[Level]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Name the estimates that section 2.4 mixes for these counts, and λ1 or λ2: see ``smoothing_kernel.smoothed``."""
    first, second, third, last = levels
    pool = second.delta + third.delta
    existing = [
        (name, delta) for name, delta in (("E1", first.delta), (POOLED, pool), (last.name, last.delta)) if delta
    ]
    if len(existing) < 2:
        return tuple(name for name, _ in existing), ()
    return (existing[0][0], existing[1][0]), (existing[0][1] / (existing[0][1] + 1),)


def carried_on(levels: Sequence[Level]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Name the estimates that further back-off mixes for these counts, and the paper's λ of all but the lowest."""
    first, second, third, *rest = levels
    existing = [level for level in (first, together(POOLED, second, third), *rest) if level.delta]
    return tuple(level.name for level in existing), tuple(level.delta / (level.delta + 1) for level in existing[:-1])


def interpolated_factor(subject: FactorSubject, levels: tuple[Level, ...], probability: float, reason: str) -> Factor:
    """Make a factor whose levels are each mixed with the next, as ``smoothing_kernel.interpolated`` does."""
    used = tuple(level.name for level in levels if level.delta)
    weights = tuple(level.delta / (level.delta + 1) for level in levels[:-1] if level.delta)
    return Factor(subject, levels, used, weights, probability, reason)


def step(level: Level, weight: float) -> Step:
    """Give a level the weight of all coarser ones."""
    return level.name, level.eta, level.delta, weight


def mixed(steps: Sequence[Step]) -> tuple[float, tuple[str, ...], tuple[float, ...]]:
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
    """Work out what a context multiplies in: its levels, finest first with their c, are mixed over what is expected."""
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


def together(name: str, first: Level, second: Level) -> Level:
    """Pool the counts of two levels, as those of E2 and E3 are."""
    return Level(name, first.eta + second.eta, first.delta + second.delta)


def product(
    probability: float,
    levels: tuple[Level, ...],
    mixture: tuple[float, tuple[str, ...], tuple[float, ...]],
    ratios: Sequence[Ratio],
) -> Mixture:
    """Multiply a mixture (see :func:`mixed`) by its ratios, and find the sum that the product is divided by."""
    value, used, lambdas = mixture
    for ratio in ratios:
        value *= ratio.value
    return Mixture(probability, levels, used, lambdas, tuple(ratios), value / probability if probability else 1.0)


def mixture_factor(subject: FactorSubject, mixture: Mixture, reason: str = "") -> Factor:
    """Make a factor of an estimate of preset (5)."""
    probability, levels, used, lambdas, ratios, whole = mixture
    return Factor(subject, levels, used, lambdas, probability, reason, ratios, whole, recursion=True)


# F̂(R | modifier, head, Δ) explained: the levels of sections 2.2 to 2.4, of further back-off, and of preset (5).

LEXICAL_TABLES = (DEPENDENCY_PAIR, DEPENDENCY_MODIFIER, DEPENDENCY_HEAD)
PLAIN_TABLES = (DEPENDENCY_PLAIN_PAIR, DEPENDENCY_PLAIN_MODIFIER, DEPENDENCY_PLAIN_HEAD)
"""E1, E2 and E3, with tags and with tags ignored (section 2.7)."""
LAST_LEVEL = "E4"
RECURSION_TABLES = (
    *LEXICAL_TABLES,
    DEPENDENCY_TAGS,
    DEPENDENCY_ANY_COMMAS,
    DEPENDENCY_ADJACENCY,
    DEPENDENCY_ORDER,
)
"""Preset (5): the levels of the recursion, finest first."""
CONTEXT_POWERS = {DEPENDENCY_BESIDE_MODIFIER: 0.5, DEPENDENCY_BESIDE_HEAD: 1.0, DEPENDENCY_BETWEEN: 0.5}
"""Preset (5): the contexts that multiply the recursion, with α of each."""


class DependencyFactors:
    """Explains the dependencies of one sentence."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence
        self._relations = max(len(sentence.model.vocabulary.triples), 1)

    def pair(self, modifier: int, head: int, distance: int) -> WordPair:
        """Two words of the sentence as the tables see them."""
        sentence = self._sentence
        features = sentence.features
        (word_m, tag_m), (word_h, tag_h) = sentence.numbers[modifier], sentence.numbers[head]
        between = 0
        if sentence.switches.contexts:
            first, last = sorted((modifier, head))
            classes = sentence.model.between_classes
            between = classes_between(features[:, OWN_TAG], classes, first, last, tag_m, tag_h)
        return WordPair(
            word_m,
            tag_m,
            word_h,
            tag_h,
            distance,
            int(features[modifier, BEFORE]),
            int(features[modifier, AFTER]),
            int(features[head, BEFORE]),
            int(features[head, AFTER]),
            int(between),
        )

    def estimates(self, modifier: int, head: int, distance: int) -> dict[int, float]:
        """F̂ of every relation between two words for which it is not zero."""
        sentence = self._sentence
        rows = np.zeros((3, self._relations), np.int32)
        relations = np.zeros(4 * self._relations, np.int32)
        logs = np.zeros(4 * self._relations)
        pair = self.pair(modifier, head, distance)
        filled = dependency_estimates(sentence.counts, sentence.switches, pair, rows, relations, logs, 0)
        return {int(relations[place]): float(np.exp(logs[place])) for place in range(filled)}

    def contexts(self, modifier: int, head: int, distance: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of F̂ are looked up."""
        switches = self._sentence.switches
        pair = self.pair(modifier, head, distance)
        knows_m, knows_h = self._sentence.knows(modifier), self._sentence.knows(head)
        lexical_tables = PLAIN_TABLES if switches.ignore_tags else LEXICAL_TABLES
        tables: tuple[int, ...] = (*lexical_tables, DEPENDENCY_TAGS)
        if switches.recursion:
            tables = (*RECURSION_TABLES, *CONTEXT_POWERS)
        elif switches.order_only:
            tables = (*lexical_tables, DEPENDENCY_ORDER)
        elif switches.further_backoff:
            tables = (*lexical_tables, DEPENDENCY_TAGS, DEPENDENCY_ORDER)
        found = []
        for table in tables:
            specification = TABLES[table]
            keys: tuple[int, ...] = ()
            fields = specification.fields
            needs_h = HEAD_WORD in fields or LEADING_HEAD_WORD in fields
            if (knows_m or MODIFIER_WORD not in fields) and (knows_h or not needs_h):
                keys = (int(dependency_key(self._sentence.counts.widths, table, pair)),)
            if table in CONTEXT_POWERS and not switches.contexts:
                keys = ()
            if keys and switches.order_only and table != DEPENDENCY_ORDER and not switches.recursion:
                # All Δ of the same order are added up.
                base = keys[0] & ~(HEAD_FIRST - 1)
                keys = tuple(range(base, base + HEAD_FIRST))
            is_last = switches.order_only and table == DEPENDENCY_ORDER and not switches.recursion
            level = LAST_LEVEL if is_last else specification.level
            found.append(LevelContexts(level, table, keys))
        return tuple(found)

    def based_on(self, modifier: int, head: int, distance: int) -> tuple[str, ...]:
        """Name what each level is counted by, in the order of :meth:`contexts`: words and tags that its table has.

        ``with/IN, saw/VBD`` of E1, or ``with, saw`` with tags ignored where there are words (section 2.7).
        """
        words, tags = self._sentence.words, self._sentence.tags
        names = {
            MODIFIER_WORD: words[modifier],
            MODIFIER_TAG: tags[modifier],
            LEADING_HEAD_WORD: words[head],
            HEAD_WORD: words[head],
            HEAD_TAG: tags[head],
        }
        found = []
        for context in self.contexts(modifier, head, distance):
            fields = TABLES[context.table].fields
            parts = [
                "/".join(names[field] for field in side if field in fields)
                for side in ((MODIFIER_WORD, MODIFIER_TAG), (LEADING_HEAD_WORD, HEAD_WORD, HEAD_TAG))
            ]
            if AFTER_MODIFIER in fields or BEFORE_MODIFIER in fields:
                parts.append(f"tags beside {words[modifier]}")
            if AFTER_HEAD in fields or BEFORE_HEAD in fields:
                parts.append(f"tags beside {words[head]}")
            if DISTANCE_ORDER in fields:
                parts.append("in this order")
            if CLASSES_BETWEEN in fields:
                parts.append("kinds of words between")
            found.append(", ".join(parts))
        return tuple(found)

    def factor(self, modifier: int, head: int, relation: Relation, distance: Distance) -> Factor:
        """F̂(R | modifier, head, Δ) (section 2.4)."""
        sentence = self._sentence
        subject = DependencySubject(modifier, head, sentence.words[modifier], sentence.words[head], relation, distance)
        triple = sentence.model.triple_numbers.get(relation)
        if triple is None:
            reason = f"the triple {relation} was never seen in training"
            return Factor(subject, (), (), (), 0.0, reason)
        tags = f"{sentence.tags[modifier]} and {sentence.tags[head]}"
        reason = ""
        if sentence.switches.recursion:
            mixture = self._mixture(modifier, head, distance.code, triple)
            if not mixture.probability:
                seen = any(level.eta for level in mixture.levels)
                what_is_wrong = "hardly ever stands" if seen else "was never seen"
                reason = f"{relation} {what_is_wrong} between {tags} in this order"
            return mixture_factor(subject, mixture, reason)
        levels = look_up(sentence.counts, self.contexts(modifier, head, distance.code), triple)
        if sentence.switches.further_backoff:
            probability = self.estimates(modifier, head, distance.code).get(triple, 0.0)
            reason = "" if probability else f"{relation} was never seen between {tags} in this order"
            return Factor(subject, levels, *carried_on(levels), probability, reason)
        first, second, third, last = levels
        pool = together(POOLED, second, third)
        probability = float(smoothed(first.eta, first.delta, pool.eta, pool.delta, last.eta, last.delta))
        used, lambdas = papers_mixture(levels)
        if not probability:
            if not last.delta:
                reason = f"{tags} never stood at this distance in training"
            elif not last.eta:
                reason = f"{relation} was never seen between {tags} at this distance"
            else:
                reason = f"{relation} was never seen with these words at this distance, which were seen (E1 exists)"
        return Factor(subject, levels, used, lambdas, probability, reason)

    def _mixture(self, modifier: int, head: int, distance: int, relation: int) -> Mixture:
        """F̂ of one relation as preset (5) has it (:mod:`engine.estimates.dependency_kernel`)."""
        contexts = self.contexts(modifier, head, distance)
        levels = look_up(self._sentence.counts, contexts, relation)
        by_table = {context.table: level for context, level in zip(contexts, levels, strict=True)}
        below = [
            step(by_table[DEPENDENCY_ADJACENCY], mixture_kernel.C_ADJACENCY),
            step(by_table[DEPENDENCY_ORDER], 0.0),
        ]
        pool = together(POOLED, by_table[DEPENDENCY_MODIFIER], by_table[DEPENDENCY_HEAD])
        value = mixed(
            [
                step(by_table[DEPENDENCY_PAIR], mixture_kernel.C_PAIR),
                step(pool, mixture_kernel.C_WORD),
                step(by_table[DEPENDENCY_TAGS], mixture_kernel.C_TAGS),
                step(by_table[DEPENDENCY_ANY_COMMAS], mixture_kernel.C_ANY_COMMAS),
                *below,
            ]
        )
        expected = mixed(below)[0]
        ratios = [
            in_context(by_table[table].name, [(by_table[table], mixture_kernel.CONTEXT_PRIOR)], expected, power)
            for table, power in CONTEXT_POWERS.items()
            if by_table[table].delta and expected
        ]
        probability = self.estimates(modifier, head, distance).get(relation, 0.0)
        return product(probability, levels, value, ratios)


# P̂(G = tag) of a gap explained (section 2.5): the paper's levels, and those of preset (5).

ROW_TABLES: tuple[int, ...] = tuple(GAP_ROWS.tolist())
ROW_NAMES = tuple(TABLES[table].level for table in ROW_TABLES)
"""The rows of counts behind a gap: their tables, and what these levels are called."""
EVEN = "even"
"""Under all levels of preset (5): the five tags equally probable, which is no count."""


class GapFactors:
    """Explains the gap tags of one sentence; a gap is named by the position of the word after it."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence

    @property
    def _further(self) -> bool:
        """Whether the paper's levels are carried on to the comma (further back-off)."""
        switches = self._sentence.switches
        return switches.further_backoff >= FurtherBackoff.GAPS and not switches.gap_contexts

    def gap(self, position: int) -> GapContext:
        """A gap of the sentence as the tables see it."""
        sentence = self._sentence
        return GapContext(
            *sentence.numbers[position - 1],
            *sentence.numbers[position],
            int(sentence.commas[position] > 0),
            int(sentence.features[position - 1, BEFORE]),
            int(sentence.features[position, AFTER]),
        )

    def distribution(self, position: int) -> dict[str, float]:
        """P̂ of all five tags."""
        row = self._estimates(*self._counts(position))
        return {letter: float(row[tag]) for tag, letter in enumerate(GAP_LETTERS)}

    def contexts(self, position: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of P̂ are looked up, in the order in which :meth:`factor` has them."""
        sentence, gap = self._sentence, self.gap(position)
        knows_left, knows_right = sentence.knows(position - 1), sentence.knows(position)
        found = []
        for table in ROW_TABLES:
            fields = TABLES[table].fields
            keys: tuple[int, ...] = ()
            if (knows_left or LEFT_WORD not in fields) and (knows_right or RIGHT_WORD not in fields):
                keys = (int(gap_key(sentence.counts.widths, table, gap)),)
            found.append(LevelContexts(TABLES[table].level, table, keys))
        if sentence.switches.gap_contexts:
            return (*found[:PAPERS_ROWS], LevelContexts(EVEN, GAP_COMMA, ()), *found[PAPERS_ROWS:])
        if self._further:
            return tuple(found[:PAPERS_ROWS])
        _, delta = self._counts(position)
        return (*found[:G_TAGS], found[_last_row(delta)])

    def factor(self, position: int, tag: str) -> Factor:
        """P̂(G = tag) of the gap before a word."""
        sentence = self._sentence
        eta, delta = self._counts(position)
        index = GAP_LETTERS.index(tag)
        probability = float(self._estimates(eta, delta)[index])
        subject = GapSubject(position, sentence.words[position - 1], tag, sentence.words[position])
        rows = list(map(Level, ROW_NAMES, eta[:, index].tolist(), delta.tolist()))
        tags = f"between {sentence.tags[position - 1]} and {sentence.tags[position]}"
        never = "" if probability else f"{tags} never {tag}"
        if self._further:
            levels = tuple(rows[:PAPERS_ROWS])
            return Factor(subject, levels, *carried_on(levels), probability, never)
        if not sentence.switches.gap_contexts:
            levels = (*rows[:G_TAGS], rows[_last_row(delta)])
            return Factor(subject, levels, *papers_mixture(levels), probability, never)
        pair, left, right, tags_alone, comma, before, after, around = rows
        # What is added to the count of every tag is a last level, on which all five are equally probable.
        even = Level(EVEN, 1, GAP_TAGS)
        below = [step(tags_alone, kernel.C_GAP_TAGS), step(comma, GAP_TAGS * kernel.GAP_FLOOR), step(even, 0.0)]
        words = step(together(POOLED, left, right), kernel.C_GAP_WORD)
        beside = [(around, kernel.C_GAP_AROUND), (together(BESIDE, before, after), kernel.C_GAP_BESIDE)]
        ratio = in_context("neighbours", beside, mixed(below)[0])
        mixture = mixed([step(pair, kernel.C_GAP_PAIR), words, *below])
        levels = (pair, left, right, tags_alone, comma, even, before, after, around)
        return mixture_factor(subject, product(probability, levels, mixture, [ratio]))

    def _counts(self, position: int) -> tuple[Int64Array, Int64Array]:
        """η of the five tags and δ in every row of counts."""
        eta = np.zeros((GAP_LEVELS, GAP_TAGS), np.int64)
        delta = np.zeros(GAP_LEVELS, np.int64)
        kernel.gap_counts(self._sentence.counts, self._sentence.switches, self.gap(position), eta, delta)
        return eta, delta

    def _estimates(self, eta: Int64Array, delta: Int64Array) -> FloatArray:
        row = np.zeros(GAP_TAGS)
        kernel.gap_distribution(self._sentence.switches, eta, delta, row)
        return row


def _last_row(delta: Int64Array) -> int:
    """The last level of the paper's form: tags alone, or the comma for tags that never stood side by side."""
    return G_TAGS if delta[G_TAGS] else G_COMMA


# P̂(parent or none) of a constituent explained (footnote to section 2.6): levels of the paper, and of preset (5).

PAPERS_TABLES = (UNARY_TAG, UNARY_LABEL)
CONTEXT_TABLES = (UNARY_LABEL, UNARY_TAG, UNARY_WORD, UNARY_AFTER, UNARY_BEFORE, UNARY_AROUND, UNARY_INNER)
"""The levels of the paper's form, and those of preset (5)."""


class UnaryFactors:
    """Explains the unary decisions of one sentence's parses."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence

    def over(self, node: Constituent) -> UnaryContext:
        """A constituent, whose label the model knows, as the tables see it."""
        sentence, labels = self._sentence, self._sentence.model.label_numbers
        return UnaryContext(
            labels[node.label],
            *sentence.numbers[node.head],
            int(sentence.features[node.start, BEFORE]),
            int(sentence.features[node.end - 1, AFTER]),
            labels.get(node.head_label, 0),
            int(sentence.features[node.start, OWN_TAG]),
        )

    def contexts(self, node: Constituent) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of P̂ over a constituent, whose label the model knows, are looked up."""
        sentence, over = self._sentence, self.over(node)
        found = []
        for table in CONTEXT_TABLES if sentence.switches.unary_contexts else PAPERS_TABLES:
            keys: tuple[int, ...] = ()
            if over.word >= 0 or CONSTITUENT_WORD not in TABLES[table].fields:
                keys = (int(unary_key(sentence.counts.widths, table, over)),)
            found.append(LevelContexts(TABLES[table].level, table, keys))
        return tuple(found)

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
        outcome = labels[parent or ""]
        never = f"{parent} was never seen over {label} alone" if parent else f"{label} was never seen without a parent"
        if sentence.switches.unary_contexts:
            mixture = self._mixture(node, outcome)
            return mixture_factor(subject, mixture, "" if mixture.probability else never)
        tag = sentence.numbers[head][1]
        probability = float(kernel.unary_estimate(sentence.counts, labels[label], tag, outcome))
        levels = look_up(sentence.counts, self.contexts(node), outcome)
        reason = "" if probability else f"{never} (head tag {sentence.tags[head]})"
        return interpolated_factor(subject, levels, probability, reason)

    def _mixture(self, node: Constituent, parent: int) -> Mixture:
        """P̂ of a unary parent, or none, as preset (5) has it."""
        counts = self._sentence.counts
        parts = kernel.unary_parts(counts, self.over(node))
        whole = float(kernel.unary_whole(counts, parts))
        probability = float(np.exp(kernel.mixed_unary(counts, parts, parent, whole)))
        levels = look_up(counts, self.contexts(node), parent)
        label, by_tag, word, after, before, around, inside = levels
        below = [step(by_tag, kernel.C_UNARY_TAG), step(label, 0.0)]
        mixture = mixed([step(word, kernel.C_UNARY_WORD), *below])
        expected = mixed(below)[0]
        ratios = []
        if expected:
            beside = [(around, kernel.C_UNARY_AROUND), (together(BESIDE, before, after), kernel.C_UNARY_BESIDE)]
            ratios = [
                in_context("neighbours", beside, expected),
                in_context("inside", [(inside, kernel.C_UNARY_INNER)], expected, 0.5),
            ]
        return product(probability, levels, mixture, ratios)


# F̂(<label> | head-word, head tag) explained: AF of the head of the sentence (footnote 5).

LEVEL_TABLES = (ROOT_WORD, ROOT_TAG, ROOT_ANY)


class RootFactors:
    """Explains the roots of one sentence's parses."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence

    def contexts(self, head: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of F̂ are looked up."""
        word, tag = self._sentence.numbers[head]
        widths = self._sentence.counts.widths
        found = []
        for table in LEVEL_TABLES:
            known = word >= 0 or REDUCED_WORD not in TABLES[table].fields
            keys = (int(root_key(widths, table, word, tag)),) if known else ()
            found.append(LevelContexts(TABLES[table].level, table, keys))
        return tuple(found)

    def factor(self, head: int, label: str) -> Factor:
        """F̂ of a label as the root over a head-word."""
        sentence = self._sentence
        subject = RootSubject(head, sentence.words[head], label)
        number = sentence.model.label_numbers.get(label)
        never = f"{label} was never the root in training"
        if number is None:
            return Factor(subject, (), (), (), 0.0, never)
        probability = float(root_estimate(sentence.counts, *sentence.numbers[head], number))
        levels = look_up(sentence.counts, self.contexts(head), number)
        return interpolated_factor(subject, levels, probability, "" if probability else never)
