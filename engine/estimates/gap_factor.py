"""P̂(G = tag) of a gap explained (section 2.5): the paper's levels, and those of preset (5)."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import FloatArray, Int64Array
from engine.counts.counts_layout import GapContext
from engine.counts.keys_kernel import gap_key
from engine.counts.specifications_layout import GAP_COMMA, LEFT_WORD, RIGHT_WORD, TABLES
from engine.estimates import gap_estimates_kernel as kernel
from engine.estimates.explained_sentence import ExplainedSentence
from engine.estimates.factor_subjects import GapSubject
from engine.estimates.gap_estimates_kernel import G_COMMA, G_TAGS, GAP_LEVELS, GAP_ROWS, PAPERS_ROWS
from engine.estimates.ledger import Factor, Level
from engine.estimates.level_contexts import LevelContexts
from engine.estimates.mixtures import (
    BESIDE,
    POOLED,
    carried_on,
    in_context,
    mixed,
    mixture_factor,
    papers_mixture,
    product,
    step,
    together,
)
from engine.settings import FurtherBackoff
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.structure_layout import AFTER, BEFORE, GAP_TAGS

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
