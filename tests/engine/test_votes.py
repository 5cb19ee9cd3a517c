"""The vote over a list, held against sets of brackets counted in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from engine.chart.parser import Parser
from engine.common.arrays import Int32Array
from engine.rerank import vote_kernel
from engine.rerank.lists import LEAST_CHANCE
from engine.structure.sentence_layout import NO_LABEL, START_LEFT, START_RIGHT, UNARY, WORD
from tests.engine.reranked_models import reranked_classroom
from tests.engine.small_models import classroom_material

CLOSE = 1e-12


def check_vote(
    trees: Sequence[Int32Array], shown: np.ndarray, scores: Sequence[float], scale: float
) -> tuple[list[float], list[float]]:
    """Compare a vote with a plain one; the results are the expected F1 of every parse, and their probabilities."""
    ends = np.cumsum([len(steps) for steps in trees])
    ranges = np.array([(end - len(steps), end) for steps, end in zip(trees, ends, strict=True)], np.int32)
    merits, keys, shares = vote_kernel.vote(ranges, np.concatenate(trees), shown, np.array(scores), scale, LEAST_CHANCE)
    brackets = [Counter(vote_kernel.bracket_keys(steps, shown).tolist()) for steps in trees]
    chances = [math.exp(scale * (score - max(scores))) for score in scores]
    chances = [chance / math.fsum(chances) for chance in chances]
    voters = list(zip(chances, brackets, strict=True))
    for own, merit in zip(brackets, merits.tolist(), strict=True):
        expected = math.fsum(
            chance * 2 * (own & other).total() / (own.total() + other.total())
            for chance, other in voters
            if chance >= LEAST_CHANCE
        )
        assert merit == pytest.approx(expected, abs=CLOSE)
    wanted = {key: math.fsum(chance for chance, other in voters if key in other) for key in set[int]().union(*brackets)}
    assert dict(zip(keys.tolist(), shares.tolist(), strict=True)) == pytest.approx(wanted, abs=CLOSE)
    return merits.tolist(), chances


@pytest.mark.parametrize("scale", [0.05, 3.0])
def test_the_expected_f1_is_that_of_all_pairs(scale: float) -> None:
    parser = Parser.preset(reranked_classroom(), 5)
    compared = silent = 0
    for sentence in classroom_material().sentences[:100]:
        found = list(parser.derivations(sentence, 40))
        if found:
            scores = [one.log_probability for one in found]
            merits, chances = check_vote([one.steps for one in found], parser.model.shown_labels, scores, scale)
            assert parser._ranker.vote(np.array(scores), scale)[0].tolist() == merits
            compared += len(found)
            silent += sum(chance < LEAST_CHANCE for chance in chances)
    assert compared > 300
    assert silent > 0 or scale < 1.0


def test_a_chain_of_equal_labels_counts_once_in_shares_and_twice_in_f1() -> None:
    phrase, sentence = 1, 2

    def tree(chain: int, join: int) -> Int32Array:
        words = [(WORD, 0, NO_LABEL, at, at, at) for at in (0, 1)]
        unaries = [(UNARY, phrase, phrase, 0, 0, 0)] * chain
        return np.array([words[0], *unaries, words[1], (join, sentence, phrase, 0, 0, 0)], np.int32)

    trees = [tree(2, START_RIGHT), tree(1, START_RIGHT), tree(2, START_LEFT), tree(3, START_RIGHT), tree(0, START_LEFT)]
    merits, _ = check_vote(trees, np.array([0, 1, 1], np.uint8), [-1.0, -1.5, -2.0, -2.5, -3.0], 0.7)
    # The first and the third have the same constituents, whichever word is the head.
    assert merits[0] == merits[2]
    assert len(set(merits)) == 4
