"""Prices of attachments: what every other head and relation of a word would cost, exactly, from one chart.

One constrained parse for every arrow would give the same.  Here the chart is filled once, as a rule without a beam,
down to the log probability that is still of interest.  A second pass from the top finds for every constituent the
best that can stand around it (its *outside*), and so the best parse through every join (after Goodman 1999; with the
best in place of the sum).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control, Forest
from engine.common.errors import Cancelled, EngineError
from engine.structure.constraints import ROOT_HEAD
from engine.structure.dependencies import Relation
from engine.structure.sentence_layout import GROW_LEFT, GROW_RIGHT, READING_POSITION, START_LEFT, START_RIGHT, UNARY
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import TagDistribution

MOST_NATS = 12.0
"""Attachments that cost more than this are not listed."""
LONG = 50
"""Words (a word with two possible tags counts twice) up to which prices are exact unless asked otherwise."""
WIDE = 1e6
"""β for longer sentences."""
_ROUNDING = 1e-6

ArrowTo = tuple[int, Relation]
"""Head (−1: the root) and relation of a word's arrow."""


@dataclass(frozen=True, slots=True)
class AttachmentPrice:
    """The best parse in which a word has this head and relation.

    Attributes
    ----------
    modifier, head, relation
        The arrow, words counted from 0 without punctuation; head −1 is the root.
    cost
        Nats of log probability that the best parse with this arrow loses against the parse; below zero the beam had
        lost a more probable parse, or a re-ranker or its vote put it behind.
    log_probability
        Of the best parse with this arrow.
    moved
        The other words that have another arrow in that parse, or that a baseNP absorbs or sets free.
    """

    modifier: int
    head: int
    relation: Relation
    cost: float
    log_probability: float
    moved: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WordPrices:
    """All attachments of one word, the cheapest first.

    Attributes
    ----------
    modifier
        The word.
    prices
        Every head and relation that costs no more than `most`, the parse's own among them.
    most
        Every attachment that is not listed costs more than this.
    exact
        Whether that is so without exception.  If a beam was used, a price may be too high, or missing.
    """

    modifier: int
    prices: tuple[AttachmentPrice, ...]
    most: float
    exact: bool = True


def attachment_prices(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution | str,
    parse: Parse,
    *,
    most: float = MOST_NATS,
    beam: float | None = None,
    control: Control | None = None,
) -> Iterator[WordPrices]:
    """Yield the price of every attachment of every word of the reduced sentence, word by word.

    The prices are in log probability, without a re-ranker.  They are exact where no beam takes part in them.

    Parameters
    ----------
    parser, sentence, parse
        The parser, what was parsed (text is read as :meth:`Parser.parse` reads it), and its best parse.
    most
        Attachments that cost more nats are not listed.
    beam
        β of the chart that the prices are read from, ``math.inf`` for none.  By default there is none for sentences of
        at most :data:`LONG` words, and a wide one for longer ones, which would take many seconds.  What is too much
        work even so is done with a narrower one, and :class:`engine.common.errors.ChartTooLarge` is raised for what is
        too much work with the parse's own.
    control
        Stops the work from another thread (:class:`engine.common.errors.Cancelled`).
    """
    if parse.fallback or not parse.roots:
        raise EngineError("no tree spans the sentence, so there is no attachment to price")
    sentence = parser.prepare(sentence)
    before = _arrows_of(parse)
    if beam is None:
        beam = max(WIDE, parse.beam) if parse.tags_considered > LONG else math.inf
    least = parse.log_probability - most - _ROUNDING
    # The parse itself was found with its own β, and must be found again.
    forest = parser.forest(sentence, least, control, beam, parse.further_backoff, parse.beam)
    reached = _Reach(parser, forest)
    for modifier in parse.reduced:
        if control is not None and control.flag[0]:
            raise Cancelled("the pricing of attachments was cancelled")
        found = _prices(reached, modifier, parse.log_probability, most, before)
        yield WordPrices(modifier, tuple(found), most, forest.beam == math.inf)


def _prices(
    reached: _Reach, modifier: int, score: float, most: float, before: dict[int, ArrowTo]
) -> list[AttachmentPrice]:
    prices = []
    for head, relation, total, edge in reached.best(modifier):
        # Rounding aside, the cost of what the parse has is nothing at all.
        cost = round(score - total, 12)
        if cost > most:
            break
        after = reached.arrows(edge)
        moved = [word for word in sorted(before.keys() | after.keys()) if before.get(word) != after.get(word)]
        prices.append(
            AttachmentPrice(modifier, head, relation, cost, total, tuple(word for word in moved if word != modifier))
        )
    return prices


def _arrows_of(parse: Parse) -> dict[int, ArrowTo]:
    reduced = (ROOT_HEAD, *parse.reduced)
    return {reduced[arrow.modifier]: (reduced[arrow.head], arrow.relation) for arrow in parse.dependencies}


class _Reach:
    """The best parse through every edge of a chart."""

    def __init__(self, parser: Parser, forest: Forest) -> None:
        chart, arrays = forest.chart, forest.arrays
        size = len(arrays.commas)
        count = int(chart.totals[layout.T_ITEMS])
        used = int(chart.totals[layout.T_EDGES])
        self._vocabulary = parser.model.vocabulary
        self._items = chart.items[:count].copy()
        self._scores = chart.item_scores[:count, layout.SCORE].copy()
        edges = chart.edges[:used]
        # An edge out of the beam names no item, and a unary step upon it no child.
        there = (edges[:, layout.E_KIND] >= UNARY) & (edges[:, layout.E_ITEM] >= 0) & (edges[:, layout.E_LEFT] >= 0)
        edges = edges[there]
        self._kinds = edges[:, layout.E_KIND].copy()
        self._parents = edges[:, layout.E_ITEM].copy()
        self._lefts = edges[:, layout.E_LEFT].copy()
        self._rights = np.where(self._kinds == UNARY, -1, edges[:, layout.E_RIGHT])
        self._relations = edges[:, layout.E_RELATION].copy()
        self._lengths = edges[:, layout.E_END] - edges[:, layout.E_START]
        self._edge_scores = chart.edge_factors[:used, layout.EF_SCORE][there]
        self._positions = arrays.readings[:, READING_POSITION]
        self._heads = self._positions[self._items[:, layout.HEAD]]
        self._arrows_inside: dict[int, dict[int, ArrowTo]] = {}
        self._outside = np.full(count, -np.inf)
        first, usable, _ = chart.cells[size - 1]
        self._as_root: dict[int, float] = {}
        scores = chart_kernel.root_scores(forest.grammar, arrays, chart)
        for top, score in zip(range(int(first), int(first + usable)), scores.tolist(), strict=True):
            self._as_root[top] = score
            self._outside[top] = self._as_root[top] - self._scores[top]
        self._descend(size)
        self._group()

    def _descend(self, size: int) -> None:
        """The best that can stand around every item, from long spans to short ones."""
        outside, scores = self._outside, self._scores
        unary = self._kinds == UNARY
        for length in range(size, 0, -1):
            steps = np.flatnonzero(unary & (self._lengths == length))
            while len(steps):
                # Unary steps stay on their span: as often as the longest chain has steps.
                before = outside[self._lefts[steps]]
                self._hand_down(steps, self._lefts)
                if np.array_equal(before, outside[self._lefts[steps]]):
                    break
            joins = np.flatnonzero(~unary & (self._lengths == length))
            self._hand_down(joins, self._lefts)
            self._hand_down(joins, self._rights)
        self._totals = outside[self._parents] + self._edge_scores
        # Through which edge each item's best parse goes; −1 where the item is the root of it.
        self._above = np.full(len(scores), -1, np.int64)
        for children in (self._lefts, self._rights):
            edges = np.flatnonzero(children >= 0)
            reached = self._totals[edges] - scores[children[edges]] == outside[children[edges]]
            self._above[children[edges[reached]]] = edges[reached]

    def _hand_down(self, edges: np.ndarray, children: np.ndarray) -> None:
        below = children[edges]
        around = self._outside[self._parents[edges]] + self._edge_scores[edges] - self._scores[below]
        np.maximum.at(self._outside, below, around)

    def _group(self) -> None:
        """Edges by modifier, and of each head and relation the best one."""
        joins = np.flatnonzero((self._kinds != UNARY) & (self._totals > -np.inf))
        rightwards = np.isin(self._kinds[joins], (GROW_RIGHT, START_RIGHT))
        left, right = self._heads[self._lefts[joins]], self._heads[self._rights[joins]]
        modifiers, heads = np.where(rightwards, right, left), np.where(rightwards, left, right)
        order = np.lexsort((-self._totals[joins], self._relations[joins], heads, modifiers))
        rows = np.stack((modifiers, heads, self._relations[joins]), axis=1)[order]
        fresh = np.ones(len(rows), bool)
        fresh[1:] = np.any(rows[1:] != rows[:-1], axis=1)
        self._best: dict[int, list[tuple[int, Relation, float, int]]] = {}
        edges = joins[order[fresh]]
        for (modifier, head, relation), edge in zip(rows[fresh].tolist(), edges.tolist(), strict=True):
            triple = Relation(*self._vocabulary.triples[relation])
            self._best.setdefault(modifier, []).append((head, triple, float(self._totals[edge]), edge))
        roots: dict[tuple[int, int], tuple[float, int]] = {}
        for top, total in self._as_root.items():
            key = (int(self._heads[top]), int(self._items[top, layout.LABEL]))
            if total > roots.get(key, (-np.inf, 0))[0]:
                roots[key] = (total, ~top)
        for (head, label), (total, edge) in roots.items():
            relation_to_root = Relation(self._vocabulary.labels[label])
            self._best.setdefault(head, []).append((ROOT_HEAD, relation_to_root, total, edge))

    def best(self, modifier: int) -> list[tuple[int, Relation, float, int]]:
        """Return every arrow of a word: head, relation, log probability of the best parse with it,
        its edge (see `arrows`).
        """
        return sorted(self._best.get(modifier, []), key=lambda row: (-row[2], row[0], row[1]))

    def arrows(self, edge: int) -> dict[int, ArrowTo]:
        """Return all arrows of the best parse through an edge; of the complement of an item, with that item as root."""
        if edge < 0:
            item = ~edge
            found = dict(self._inside(item))
        else:
            item = int(self._parents[edge])
            found = self._edge_arrows(edge)
            while (above := int(self._above[item])) >= 0:
                found.update(self._edge_arrows(above, besides=item))
                item = int(self._parents[above])
        label = self._vocabulary.labels[self._items[item, layout.LABEL]]
        found[int(self._heads[item])] = (ROOT_HEAD, Relation(label))
        return found

    def _edge_arrows(self, edge: int, besides: int = -1) -> dict[int, ArrowTo]:
        """Return the arrow of a join and those below its two sides, one side left out if it is known."""
        left, right = int(self._lefts[edge]), int(self._rights[edge])
        found: dict[int, ArrowTo] = {}
        for child in (left, right):
            if child >= 0 and child != besides:
                found.update(self._inside(child))
        if right >= 0:
            found.update(self._arrow(int(self._kinds[edge]), left, right, int(self._relations[edge])))
        return found

    def _arrow(self, kind: int, left: int, right: int, relation: int) -> dict[int, ArrowTo]:
        head, modifier = (right, left) if kind in (GROW_LEFT, START_LEFT) else (left, right)
        triple = Relation(*self._vocabulary.triples[relation])
        return {int(self._heads[modifier]): (int(self._heads[head]), triple)}

    def _inside(self, item: int) -> dict[int, ArrowTo]:
        """Return the arrows below an item in its best derivation."""
        known = self._arrows_inside.get(item)
        if known is None:
            row = self._items[item]
            kind = int(row[layout.KIND])
            known = {}
            if kind >= UNARY:
                known.update(self._inside(int(row[layout.LEFT])))
            if kind > UNARY:
                left, right = int(row[layout.LEFT]), int(row[layout.RIGHT])
                known.update(self._inside(right))
                known.update(self._arrow(kind, left, right, int(row[layout.RELATION])))
            self._arrows_inside[item] = known
        return known
