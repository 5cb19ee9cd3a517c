"""The list of the k best derivations, held against one that is made the plain way from the recorded edges."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.chart_layout import E_HEAD, E_HEAD_LABEL, E_ITEM, E_KIND, E_LABEL, E_LEFT, E_RIGHT, EF_SCORE, SCORE
from engine.chart.derivation import Ranker
from engine.chart.kbest_kernel import builds
from engine.chart.parser import Parser
from engine.chart.search import Forest
from engine.structure.sentence_layout import GROW_RIGHT, READING_POSITION, UNARY
from tests.engine.small_models import MATERIALS, Material, classroom_material, dense_material
from tests.engine.test_preset_four import distribution_of

CLOSE = 1e-9


class PlainDerivation(NamedTuple):
    """A derivation as the edges that it takes, below first."""

    score: float
    edges: tuple[int, ...]


class PlainRanking:
    """All pairs of derivations of an edge's two sides, sorted: the first `limit` of every item."""

    def __init__(self, forest: Forest, limit: int) -> None:
        self.limit = limit
        self.chart = forest.chart
        self.incoming: dict[int, list[int]] = {}
        for edge in range(int(self.chart.totals[layout.T_EDGES])):
            if builds(self.chart.edges[edge]):
                self.incoming.setdefault(int(self.chart.edges[edge, E_ITEM]), []).append(edge)
        self.known: dict[int, list[PlainDerivation]] = {}

    def of_item(self, item: int) -> list[PlainDerivation]:
        """The best derivations of a chart item."""
        if item not in self.known:
            found = [one for edge in self.incoming[item] for one in self.of_edge(edge)]
            self.known[item] = sorted(found, key=lambda one: -one.score)[: self.limit]
        return self.known[item]

    def of_edge(self, edge: int) -> list[PlainDerivation]:
        """The derivations that end with an edge."""
        row, score = self.chart.edges[edge], float(self.chart.edge_factors[edge, EF_SCORE])
        sides = [int(row[E_LEFT])] if row[E_KIND] >= UNARY else []
        sides += [int(row[E_RIGHT])] if row[E_KIND] >= GROW_RIGHT else []
        found = [PlainDerivation(score, ())]
        for side in sides:
            best = float(self.chart.item_scores[side, SCORE])
            found = [
                PlainDerivation(first.score + second.score - best, first.edges + second.edges)
                for first in found
                for second in self.of_item(side)
            ]
        return [PlainDerivation(one.score, (*one.edges, edge)) for one in found]


def plain_list(forest: Forest, limit: int) -> list[PlainDerivation]:
    """The first derivations of the whole sentence."""
    ranking = PlainRanking(forest, limit)
    chart = forest.chart
    first = int(chart.cells[len(forest.arrays.commas) - 1, 0])
    found = []
    for top, root in enumerate(chart_kernel.root_scores(forest.grammar, forest.arrays, chart).tolist()):
        if root > -math.inf:
            best = float(chart.item_scores[first + top, SCORE])
            found += [PlainDerivation(root + one.score - best, one.edges) for one in ranking.of_item(first + top)]
    return sorted(found, key=lambda one: -one.score)[:limit]


def plain_steps(forest: Forest, derivation: PlainDerivation) -> list[tuple[int, ...]]:
    """Kind, labels and head of every step."""
    rows = forest.chart.edges[list(derivation.edges)]
    positions = forest.arrays.readings[rows[:, E_HEAD], READING_POSITION]
    return list(zip(*(rows[:, column].tolist() for column in (E_KIND, E_LABEL, E_HEAD_LABEL)), positions, strict=True))


@MATERIALS
@pytest.mark.parametrize("limit", [1, 7, 60])
def test_the_list_is_that_of_all_pairs_sorted(material: Callable[[], Material], limit: int) -> None:
    model, sentences = material().model, material().sentences[::3]
    chance = random.Random(3)
    tags = list(model.vocabulary.tags)[:14]
    parser = Parser.preset(model, 4)
    ranker = Ranker(model, parser.settings)
    compared = 0
    for number, sentence in enumerate(sentences):
        distribution = distribution_of(sentence, tags, chance) if number % 2 else sentence
        forest = parser.forest(distribution, -30.0, beam=50.0)
        if forest.chart.totals[layout.T_BEST] < 0:
            continue
        expected = plain_list(forest, limit)
        ranker.start(*forest[:3], limit)
        # In two steps, the second of which goes on with the first.
        assert ranker.extend(min(limit, 3)) == min(len(expected), 3)
        assert ranker.extend(limit) == len(expected)
        scores = [one.score for one in expected]
        assert ranker.log_probabilities.tolist() == pytest.approx(scores, abs=CLOSE)
        for rank, one in enumerate(expected):
            # Of two with the same score one cannot tell which is which.
            if sum(abs(one.score - score) < CLOSE for score in scores) == 1 and rank < limit - 1:
                found = [tuple(row[:4]) for row in ranker.steps(rank).tolist()]
                assert found == plain_steps(forest, one), str(sentence)
                compared += 1
    assert compared > (40 if limit > 1 else -1)


def test_derivations_stay_as_they_are_when_others_are_listed() -> None:
    material = classroom_material()
    parser = Parser.preset(material.model, 3)
    kept = [(one, one.steps.tolist()) for one in parser.derivations(material.sentences[0], 5)]
    assert kept
    for sentence in material.sentences[1:20]:
        parser.parse(sentence, n_best=5)
    features = [one.features.tolist() for one, _ in kept]
    assert all(one.steps.tolist() == steps for one, steps in kept)
    again = parser.derivations(material.sentences[0], 5)
    assert features == [one.features.tolist() for one in again]


def test_memory_grows_where_a_list_needs_it() -> None:
    material = dense_material()
    parser = Parser.preset(material.model, 3)
    most = 0
    for sentence in material.sentences[:60]:
        forest = parser.forest(sentence, -60.0)
        if forest.chart.totals[layout.T_BEST] < 0:
            continue
        small, large = (Ranker(material.model, parser.settings) for _ in range(2))
        small._room |= {"pool": 1, "steps": 1}
        large._room |= {"pool": 1 << 16, "steps": 1 << 16}
        listed = []
        for ranker in (small, large):
            ranker.start(*forest[:3], 100)
            steps = [ranker.steps(rank).tolist() for rank in range(ranker.extend(100))]
            listed.append((ranker.log_probabilities.tolist(), steps))
        assert listed[0] == listed[1]
        most = max(most, len(listed[0][0]))
    assert most > 50
