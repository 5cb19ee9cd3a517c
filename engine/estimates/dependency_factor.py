"""F̂(R | modifier, head, Δ) explained: the levels of sections 2.2 to 2.4, of further back-off, and of preset (5)."""

from __future__ import annotations

import numpy as np

from engine.counts.counts_layout import WordPair
from engine.counts.keys_kernel import classes_between, dependency_key
from engine.counts.specifications_layout import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    CLASSES_BETWEEN,
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
    HEAD_TAG,
    HEAD_WORD,
    LEADING_HEAD_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    TABLES,
)
from engine.estimates import dependency_mixture_kernel as mixture_kernel
from engine.estimates.dependency_estimates_kernel import dependency_estimates
from engine.estimates.explained_sentence import ExplainedSentence
from engine.estimates.factor_subjects import DependencySubject
from engine.estimates.ledger import Factor
from engine.estimates.level_contexts import LevelContexts, look_up
from engine.estimates.mixtures import (
    POOLED,
    Mixture,
    carried_on,
    in_context,
    mixed,
    mixture_factor,
    papers_mixture,
    product,
    step,
    together,
)
from engine.estimates.smoothing_kernel import smoothed
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance
from engine.structure.structure_layout import AFTER, BEFORE, HEAD_FIRST, OWN_TAG

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
        """F̂ of one relation as preset (5) has it (:mod:`engine.estimates.dependency_mixture_kernel`)."""
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
