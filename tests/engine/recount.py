"""Sections 2.2 to 2.7 of the paper a second time, in plain Python: counts, back-off, gaps, unaries, root, score.

Dictionaries and loops over the sentences of :mod:`tests.engine.recount_trees`, nothing of the engine.  Where the paper
leaves something open, the reading is the one of `resources/manual/paper.md`, and a comment says so.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tests.engine.recount_trees import Delta, Relation, Sentence

Context = tuple[Any, ...]
Word = tuple[str, str]
"""<w, t>: a word and its tag."""
GAPS = "SCEBN"
NO_PARENT = "no unary parent"


class Level(NamedTuple):
    """η and δ of one level of back-off."""

    eta: int
    delta: int


class Estimate(NamedTuple):
    """An estimate with its levels, those that it mixes, the λ of the first, and its value."""

    levels: tuple[Level, ...]
    used: tuple[str, ...]
    weights: tuple[float, ...]
    value: float


class Table:
    """C(context) and C(outcome, context)."""

    def __init__(self) -> None:
        self.seen: Counter[Context] = Counter()
        self.outcomes: defaultdict[Context, Counter[Any]] = defaultdict(Counter)

    def add(self, context: Context, outcome: Any = None) -> None:
        """Count a context, and what happened in it."""
        self.seen[context] += 1
        if outcome is not None:
            self.outcomes[context][outcome] += 1

    def level(self, context: Context, outcome: Any) -> Level:
        """η = C(outcome, context) and δ = C(context)."""
        return Level(self.of(context)[outcome], self.seen[context])

    def of(self, context: Context) -> Counter[Any]:
        """C(outcome, context) of every outcome."""
        return self.outcomes.get(context, Counter())

    def summed(self, coarser: Callable[..., Context]) -> Table:
        """The footnote to section 2.4: a coarser C is the sum of C over all that it leaves out."""
        table = Table()
        for context, number in self.seen.items():
            table.seen[coarser(*context)] += number
        for context, outcomes in self.outcomes.items():
            table.outcomes[coarser(*context)].update(outcomes)
        return table


def two_words(one: Word, other: Word, *rest: Any) -> Context:
    """1) both words and both tags."""
    return (one, other, *rest)


def first_word(one: Word, other: Word, *rest: Any) -> Context:
    """2) the first word and the two tags."""
    return (one, other[1], *rest)


def second_word(one: Word, other: Word, *rest: Any) -> Context:
    """3) the second word and the two tags."""
    return (one[1], other, *rest)


def two_tags(one: Word, other: Word, *rest: Any) -> Context:
    """4) the two tags alone."""
    return (one[1], other[1], *rest)


def two_words_alone(one: Word, other: Word, *rest: Any) -> Context:
    """1) under section 2.7: C(a, c), "the number of times that the words a and c occur [...], ignoring their tags"."""
    return (one[0], other[0], *rest)


def first_word_alone(one: Word, other: Word, *rest: Any) -> Context:
    """2) under section 2.7: the first word without its tag, and the tag of the second."""
    return (one[0], other[1], *rest)


def second_word_alone(one: Word, other: Word, *rest: Any) -> Context:
    """3) under section 2.7: the tag of the first word, and the second without its tag."""
    return (one[1], other[0], *rest)


WITH_TAGS = (two_words, first_word, second_word, two_tags)
"""The contexts of E1 to E4, equation (13)."""
TAGS_IGNORED = (two_words_alone, first_word_alone, second_word_alone, two_tags)
"""The same "with POS tags only being used when backing off from lexical information" (section 2.7)."""
IGNORES_TAGS = {1: False, 2: False, 3: True}
"""Models (1) to (3): the punctuation rule of (2) says which trees there are, not what they score."""


def backed_off(e1: Level, e2: Level, e3: Level, e4: Level, last: str = "E4") -> Estimate:
    """F̂ of section 2.4 from the counts of the four levels.

    If E1 exists λ1 E1 + (1 − λ1) E23, else if E23 exists λ2 E23 + (1 − λ2) E4, else E4.  With tags ignored E1 may exist
    where E23 does not, and E23 where E4 does not: the next level that exists takes the place of the one that does not.
    """
    e23 = Level(e2.eta + e3.eta, e2.delta + e3.delta)
    existing = [(name, level) for name, level in (("E1", e1), ("E23", e23), (last, e4)) if level.delta > 0]
    levels = (e1, e2, e3, e4)
    if not existing:
        return Estimate(levels, (), (), 0.0)
    if len(existing) == 1:
        name, level = existing[0]
        return Estimate(levels, (name,), (), level.eta / level.delta)
    (name, level), (below_name, below), *_ = existing
    weight = level.delta / (level.delta + 1)
    value = weight * (level.eta / level.delta) + (1 - weight) * (below.eta / below.delta)
    return Estimate(levels, (name, below_name), (weight,), value)


def interpolated(finest: Level, below: float) -> float:
    """λ E + (1 − λ) below with the paper's λ = δ / (δ + 1), for the terms that section 2 does not spell out."""
    if finest.delta == 0:
        return below
    weight = finest.delta / (finest.delta + 1)
    return weight * finest.eta / finest.delta + (1 - weight) * below


class Recount:
    """All counts of a set of training sentences, and every probability of the model."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        pairs, gaps, unaries, roots = Table(), Table(), Table(), Table()
        for sentence in sentences:
            # Equations (5) and (6) with Δ: every two different words of a reduced sentence, in both directions.
            for k, other in itertools.permutations(sentence.arrows, 2):
                head, relation = sentence.arrows[k]
                pairs.add(self.pair(sentence, k, other), relation if head == other else None)
            # Section 2.5: "consecutive pairs of words in unreduced training data sentences".
            for position, tag in enumerate(sentence.gap_tags(), 1):
                gaps.add(self.gap_context(sentence, position), tag)
            for unary in sentence.unaries:
                unaries.add((unary.label, sentence.words[unary.head][1]), unary.parent or NO_PARENT)
            for j, position in enumerate(sentence.reduced, 1):
                head, relation = sentence.arrows[j]
                roots.add(sentence.words[position], relation[0] if head == 0 else None)
        self.pairs = {
            False: [pairs.summed(coarser) for coarser in WITH_TAGS],
            True: [pairs.summed(coarser) for coarser in TAGS_IGNORED],
        }
        self.gaps = [gaps.summed(coarser) for coarser in WITH_TAGS]
        self.gaps_by_comma = gaps.summed(lambda left, right, comma: (comma,))
        self.unaries = (unaries, unaries.summed(lambda label, tag: (label,)))
        self.roots = (roots, roots.summed(lambda word, tag: (tag,)), roots.summed(lambda word, tag: ()))
        self.relations = {relation for outcomes in pairs.outcomes.values() for relation in outcomes}

    @staticmethod
    def pair(sentence: Sentence, j: int, h: int) -> tuple[Word, Word, Delta]:
        """<w̄_j, t̄_j>, <w̄_h, t̄_h>, Δ."""
        words, reduced = sentence.words, sentence.reduced
        return words[reduced[j - 1]], words[reduced[h - 1]], sentence.delta(j, h)

    @staticmethod
    def gap_context(sentence: Sentence, position: int) -> tuple[Word, Word, bool]:
        """<w_{i-1}, t_{i-1}>, <w_i, t_i>, c_i of the gap before the word at a position."""
        return sentence.words[position - 1], sentence.words[position], sentence.comma_before(position)

    def dependency(self, model: int, sentence: Sentence, j: int, h: int, relation: Relation) -> Estimate:
        """F̂(R | <w̄_j, t̄_j>, <w̄_h, t̄_h>, Δ_{j,h}) under the paper's model (1), (2) or (3)."""
        e1, e2, e3, e4 = (table.level(context, relation) for table, context in self._contexts(model, sentence, j, h))
        return backed_off(e1, e2, e3, e4)

    def possible(self, model: int, sentence: Sentence, j: int) -> dict[tuple[int, Relation], float]:
        """F̂ of every head and relation of a word for which it is not zero: the numerators of equation (8)."""
        found: dict[tuple[int, Relation], float] = {}
        for k in sentence.arrows:
            if k == j:
                continue
            # F̂ mixes the outcomes of four contexts: of every other relation it is zero.
            seen = [table.of(context) for table, context in self._contexts(model, sentence, j, k)]
            for relation in set().union(*seen):
                value = self.dependency(model, sentence, j, k, relation).value
                if value > 0:
                    found[k, relation] = value
        return found

    def _contexts(self, model: int, sentence: Sentence, j: int, h: int) -> list[tuple[Table, Context]]:
        """The tables and contexts of E1 to E4."""
        pair = self.pair(sentence, j, h)
        ignored = IGNORES_TAGS[model]
        kinds = TAGS_IGNORED if ignored else WITH_TAGS
        return [(table, kind(*pair)) for table, kind in zip(self.pairs[ignored], kinds, strict=True)]

    def attachments(self, model: int, sentence: Sentence, j: int) -> dict[tuple[int, Relation], float]:
        """Equation (8): P(AF(j) = (h, R) | S, B), F̂ divided by its sum over all k ≠ j and all relations."""
        found = self.possible(model, sentence, j)
        denominator = math.fsum(found.values())
        return {arrow: value / denominator for arrow, value in found.items()}

    def gap(self, sentence: Sentence, position: int, tag: str) -> Estimate:
        """P̂(G_i | w_{i-1}, t_{i-1}, w_i, t_i, c_i) of section 2.5, "analogous" to section 2.4, in all models.

        Two tags never seen side by side fall back to the comma alone.
        """
        context = self.gap_context(sentence, position)
        e1, e2, e3, e4 = (table.level(kind(*context), tag) for table, kind in zip(self.gaps, WITH_TAGS, strict=True))
        if e4.delta > 0:
            return backed_off(e1, e2, e3, e4)
        return backed_off(e1, e2, e3, self.gaps_by_comma.level(context[2:], tag), "comma")

    def unary(self, label: str, tag: str, parent: str | None) -> Estimate:
        """P̂(parent or none | label, head tag), backed off to the label: P̂(U|B,S) of the footnote to section 2.6."""
        by_tag, by_label = self.unaries
        outcome = parent or NO_PARENT
        levels = (by_tag.level((label, tag), outcome), by_label.level((label,), outcome))
        if levels[1].delta == 0:
            # A label that was never seen, the tag of an unknown kind, has nothing to choose from.
            return Estimate(levels, (), (), 1.0 if parent is None else 0.0)
        return Estimate(levels, (), (), interpolated(levels[0], levels[1].eta / levels[1].delta))

    def root_arrow(self, word: Word, label: str) -> Estimate:
        """F̂(<label> | w̄_j, t̄_j): the arrow AF(j) = (0, <label>) of footnote 5.

        Of all occurrences of the word in reduced sentences those that headed theirs under this label; backed off to
        the tag, and to any word.
        """
        by_word, by_tag, by_nothing = self.roots
        levels = (by_word.level(word, label), by_tag.level(word[1:], label), by_nothing.level((), label))
        value = levels[2].eta / levels[2].delta
        for level in (levels[1], levels[0]):
            value = interpolated(level, value)
        return Estimate(levels, (), (), value)

    def factors(self, model: int, sentence: Sentence) -> list[float]:
        """All factors of P̂(B|S) × P̂(U|B,S) × N(D|S,B), equation (20) and its footnote, the root included."""
        found = [self.gap(sentence, position, tag).value for position, tag in enumerate(sentence.gap_tags(), 1)]
        for j, (head, relation) in sentence.arrows.items():
            if head:
                found.append(self.dependency(model, sentence, j, head, relation).value)
            else:
                found.append(self.root_arrow(sentence.words[sentence.reduced[j - 1]], relation[0]).value)
        for unary in sentence.unaries:
            found.append(self.unary(unary.label, sentence.words[unary.head][1], unary.parent).value)
        return found
