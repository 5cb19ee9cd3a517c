"""P̂(parent or none) of a constituent explained (footnote to section 2.6): levels of the paper, and of preset (5)."""

from __future__ import annotations

import numpy as np

from engine.counts.counts_layout import UnaryContext
from engine.counts.keys_kernel import unary_key
from engine.counts.specifications_layout import (
    CONSTITUENT_WORD,
    TABLES,
    UNARY_AFTER,
    UNARY_AROUND,
    UNARY_BEFORE,
    UNARY_INNER,
    UNARY_LABEL,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.estimates import unary_estimates_kernel as kernel
from engine.estimates.explained_sentence import ExplainedSentence
from engine.estimates.factor_subjects import UnarySubject
from engine.estimates.ledger import Factor
from engine.estimates.level_contexts import LevelContexts, look_up
from engine.estimates.mixtures import (
    BESIDE,
    Mixture,
    in_context,
    interpolated_factor,
    mixed,
    mixture_factor,
    product,
    step,
    together,
)
from engine.structure.constituents import Constituent
from engine.structure.structure_layout import AFTER, BEFORE, OWN_TAG

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
