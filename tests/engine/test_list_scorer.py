"""The sums over the trees of a list: what is kept of one tree for another changes none of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from engine.chart.parser import Parser
from engine.common.arrays import FloatArray
from engine.compiled.kernel import INTERPRETED, running
from engine.rerank import features_kernel
from engine.rerank.lists import ListScorer
from engine.rerank.lists_layout import WEIGHTS, ListedSentence, ListedTrees
from engine.rerank.reranker import RERANKER_FORMAT, Reranker
from engine.structure.sentence_layout import READING_TAG
from tests.engine.reranked_models import reranked_classroom
from tests.engine.small_models import MATERIALS, Material, classroom_material
from tests.engine.test_preset_four import distribution_of

CLOSE = 1e-9
NUMBER = 40


class KeptList(NamedTuple):
    """A list as it is scored, and the hashes of the features of each of its trees."""

    trees: ListedTrees
    sentence: ListedSentence
    features: list[list[int]]

    def sums(self, scorer: ListScorer) -> FloatArray:
        """What a re-ranker says of it."""
        return scorer.sums(self.trees, len(self.features), self.sentence)

    def plain_sums(self, reranker: Reranker) -> list[float]:
        """The weights of all rows of each tree."""
        weights = dict(zip(reranker.keys.tolist(), reranker.weights.tolist(), strict=True))
        return [sum(weights.get(key, 0.0) for key in keys) for keys in self.features]


def lists_of(material: Material, step: int) -> list[KeptList]:
    """The lists of some sentences, with given tags and with tags to choose among in turn."""
    chance = random.Random(8)
    tags = list(material.model.vocabulary.tags)[:14]
    parser = Parser.preset(material.model, 4)
    lists = []
    for number, sentence in enumerate(material.sentences[::step]):
        found = list(parser.derivations(distribution_of(sentence, tags, chance) if number % 2 else sentence, NUMBER))
        if found:
            trees = ListedTrees(*(array.copy() for array in parser._ranker._list[1:]))
            features = [features_kernel.hashes(one.features).tolist() for one in found]
            lists.append(KeptList(trees, found[0].sentence, features))
    return lists


def random_weights(lists: list[KeptList]) -> Reranker:
    """Weights for most features of some lists."""
    keys = sorted({key for one in lists for keys in one.features for key in keys})
    chance = random.Random(9)
    chosen = sorted(chance.sample(keys, 4 * len(keys) // 5))
    weights = [chance.uniform(-3.0, 3.0) for _ in chosen]
    return Reranker(np.array(chosen), np.array(weights, np.float32), {"format": RERANKER_FORMAT, "scale": 1.0})


@MATERIALS
def test_the_sums_are_those_over_all_rows(material: Callable[[], Material]) -> None:
    lists = lists_of(material(), 2)
    reranker = random_weights(lists)
    scorer = ListScorer(reranker, None)
    compared = retagged = 0
    for one in lists:
        assert one.sums(scorer)[:, WEIGHTS].tolist() == pytest.approx(one.plain_sums(reranker), abs=CLOSE)
        compared += len(one.features)
        retagged += bool((one.trees.chosen[1 : len(one.features), 0] != one.trees.chosen[0, 0]).any())
    assert compared > 500
    assert retagged > 10


def test_the_second_model_says_the_same_of_every_tree_alone() -> None:
    model = reranked_classroom()
    generative = model.generative
    assert generative is not None
    chance, tags = random.Random(10), list(model.vocabulary.tags)[:14]
    parser = Parser.preset(model, 5)
    compared = 0
    for number, sentence in enumerate(classroom_material().sentences[:80]):
        for one in parser.derivations(distribution_of(sentence, tags, chance) if number % 2 else sentence, NUMBER):
            words, chosen_tags = one.sentence.generative_words, one.sentence.readings[one.chosen, READING_TAG]
            rows = generative.rows(one.steps, words, np.ascontiguousarray(chosen_tags), one.sentence.marks)
            assert one.generative == pytest.approx(math.fsum(generative.log_probabilities(rows)), abs=CLOSE)
            compared += 1
    assert compared > 500


def test_memory_that_is_full_grows() -> None:
    lists = lists_of(classroom_material(), 10)
    reranker = random_weights(lists)
    for one in lists:
        scorer = ListScorer(reranker, None)
        scorer._memo, scorer._steps = 2, 1
        assert one.sums(scorer)[:, WEIGHTS].tolist() == pytest.approx(one.plain_sums(reranker), abs=CLOSE)
        assert scorer._memo > 2 and scorer._steps > 1


def test_interpreted_the_sums_are_the_same() -> None:
    lists = lists_of(classroom_material(), 20)
    reranker = random_weights(lists)
    compiled = [one.sums(ListScorer(reranker, None)).tolist() for one in lists]
    with running(INTERPRETED):
        assert [one.sums(ListScorer(reranker, None)).tolist() for one in lists] == compiled
    assert sum(map(len, compiled)) > 20
