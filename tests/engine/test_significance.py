"""Intervals and paired tests: against plain Python, against scipy where there is one, and where the answer is known."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import EngineError
from engine.study.significance import (
    Floats,
    PairedTest,
    Ratio,
    bootstrap_p,
    check_resampling,
    holm,
    paired_test,
    percentile_interval,
    resampled_sums,
    sign_flip_p,
    sign_test,
)

F1 = Ratio((2, 0, 0), (0, 1, 1), of_nothing=100.0)
"""Of the columns matched, gold and proposed."""
MEAN = Ratio((1, 0), (0, 1), scale=1.0)
"""Of a value and the number 1: a mean is a ratio of sums, too."""

Triples = list[tuple[int, int, int]]


def corpus(sentences: int, accuracy: float, seed: int) -> Floats:
    """Made-up counts of a system: matched, gold and proposed."""
    generator = np.random.default_rng(seed)
    gold = np.random.default_rng(7).integers(3, 40, sentences)
    proposed = np.maximum(gold + generator.integers(-2, 3, sentences), 1)
    matched = generator.binomial(np.minimum(gold, proposed), accuracy)
    return np.stack([matched, gold, proposed], 1).astype(float)


def means(values: list[float]) -> Floats:
    """Values as the counts of :data:`MEAN`."""
    return np.asarray([(value, 1.0) for value in values])


def plain_f1(rows: Triples) -> Fraction:
    """F1 of some sentences, in exact arithmetic."""
    below = sum(gold + proposed for _, gold, proposed in rows)
    return Fraction(200 * sum(matched for matched, _, _ in rows), below) if below else Fraction(0)


def triples(counts: Floats) -> Triples:
    """Counts as plain numbers."""
    return [(int(a), int(b), int(c)) for a, b, c in counts]


def held_against(first: Floats, second: Floats, ratio: Ratio = F1, resamples: int = 500) -> PairedTest:
    """A paired test with its own resamples."""
    sums = resampled_sums(np.hstack([first, second]), resamples)
    return paired_test(first, second, ratio, (sums[:, : first.shape[1]], sums[:, first.shape[1] :]))


# Constructed cases ------------------------------------------------------------------------------------------------


def test_a_system_against_itself_differs_in_nothing() -> None:
    counts = corpus(50, 0.8, 1)
    test = held_against(counts, counts)
    assert (test.difference.estimate, test.difference.low, test.difference.high) == (0, 0, 0)
    assert (test.bootstrap_p, test.sign_flip_p, test.sign_p, test.exact) == (1, 1, 1, True)
    assert (test.wins, test.ties, test.losses) == (0, 50, 0)


@pytest.mark.parametrize("sentences", [1, 2, 5, 10])
def test_better_in_every_sentence_has_the_exact_p_of_two_in_all_ways_of_exchanging(sentences: int) -> None:
    first = np.asarray([(10.0, 10.0, 10.0)] * sentences)
    second = np.asarray([(10.0 - at % 3 - 1, 10.0, 10.0) for at in range(sentences)])
    p, exact = sign_flip_p(first, second, F1, 2000)
    assert exact and p == 2 / 2**sentences == sign_test(sentences, 0)


def test_sentences_that_are_equal_are_not_exchanged() -> None:
    """Three of a hundred sentences differ, so there are eight ways, and all are gone through."""
    second = np.asarray([(8.0, 10.0, 10.0)] * 100)
    first = second.copy()
    first[:3, 0] = 10
    assert sign_flip_p(first, second, F1, 100) == (2 / 8, True)


def test_a_small_case_by_hand() -> None:
    """Differences 3, 1 and −2 of means: 8 ways to flip them have the sums ±6, ±4, ±2 and 0 twice.

    Seen is 2, and all but the two zeros are as great: 6 of 8.
    """
    first, second = means([3, 1, 0]), means([0, 0, 2])
    assert sign_flip_p(first, second, MEAN, 100) == (6 / 8, True)
    # Of all 27 draws of three sentences the difference is at most 0 in 10, and at least 0 in 20: it is 0 in 3.
    draws = [sum(draw) for draw in itertools.product((3, 1, -2), repeat=3)]
    below, above = sum(total <= 0 for total in draws), sum(total >= 0 for total in draws)
    assert (below, above) == (10, 20)
    sums = resampled_sums(np.hstack([first, second]), 20_000)
    p = bootstrap_p(MEAN.of(sums[:, :2]) - MEAN.of(sums[:, 2:]))
    assert p == pytest.approx(2 * 10 / 27, abs=0.02)


def test_f1_is_a_ratio_of_sums_and_no_mean() -> None:
    counts = np.asarray([(1.0, 1, 1), (0.0, 9, 9)])
    assert F1.of(counts.sum(0)) == pytest.approx(10)
    assert F1.by_row(counts).tolist() == [100, 0]
    assert F1.of(np.zeros(3)) == 0 and F1.by_row(np.zeros((1, 3))).tolist() == [100]


def test_where_fewer_are_better_the_lower_wins() -> None:
    fewer = Ratio((1, 0), (0, 1), scale=1.0, higher_is_better=False, of_nothing=math.nan)
    first, second = means([0, 1, 2, 5]), means([1, 1, 3, 4])
    # A sentence that one system has no parse of neither wins nor loses.
    first = np.vstack([first, (0, 0)])
    second = np.vstack([second, (7, 1)])
    test = held_against(first, second, fewer)
    assert (test.wins, test.ties, test.losses) == (2, 2, 1)


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (3, 3, 1.0), (8, 2, 112 / 1024)]
)
def test_the_sign_test(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == sign_test(losses, wins) == pytest.approx(p)


def test_the_sign_test_of_many_sentences_goes_on_smoothly() -> None:
    """Beyond a thousand sentences the powers of two are too great for a float, and logarithms take over."""
    for wins, losses in ((520, 479), (521, 480), (1300, 1200)):
        tosses = wins + losses
        exact = Fraction(2 * sum(math.comb(tosses, k) for k in range(losses + 1)), 2**tosses)
        assert sign_test(wins, losses) == pytest.approx(float(min(exact, Fraction(1))), rel=1e-9)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02] and holm([]) == []


def test_an_interval_and_the_bootstrap_say_the_same() -> None:
    """Just where the interval of 95 % does not hold 0 is p below 0.05; but for ties at its very end."""
    agreed = 0
    for seed in range(40):
        first, second = corpus(60, 0.82, seed), corpus(60, 0.80, 100 + seed)
        sums = resampled_sums(np.hstack([first, second]), 1000, seed)
        resampled = F1.of(sums[:, :3]) - F1.of(sums[:, 3:])
        p = bootstrap_p(resampled)
        if abs(p - 0.05) > 0.005:
            interval = percentile_interval(0.0, resampled)
            assert (p < 0.05) == (not interval.holds(0))
            agreed += 1
    assert agreed > 30


def test_the_same_seed_gives_the_same_numbers_and_another_gives_others() -> None:
    counts = corpus(300, 0.8, 3)
    assert (resampled_sums(counts, 300, 5) == resampled_sums(counts, 300, 5)).all()
    assert (resampled_sums(counts, 300, 5) != resampled_sums(counts, 300, 6)).any()
    other = corpus(300, 0.81, 4)
    assert sign_flip_p(counts, other, F1, 300, 5) == sign_flip_p(counts, other, F1, 300, 5)
    assert not sign_flip_p(counts, other, F1, 300, 5)[1]


@pytest.mark.parametrize(("resamples", "confidence"), [(99, 95), (1000, 49), (1000, 100), (1000, math.nan)])
def test_numbers_that_make_no_interval_are_refused(resamples: int, confidence: float) -> None:
    with pytest.raises(EngineError, match=r"resamples|confidence"):
        check_resampling(resamples, confidence)


# A second implementation ------------------------------------------------------------------------------------------


def test_the_interval_is_that_of_a_bootstrap_in_plain_python() -> None:
    """Other draws, sentence by sentence in exact arithmetic: the ends agree as far as draws let them."""
    counts = corpus(40, 0.8, 11)
    rows, draw = triples(counts), random.Random(4)
    plain = sorted(plain_f1([draw.choice(rows) for _ in rows]) for _ in range(4000))
    interval = percentile_interval(float(F1.of(counts.sum(0))), F1.of(resampled_sums(counts, 20_000)))
    assert interval.estimate == pytest.approx(float(plain_f1(rows)))
    assert interval.low == pytest.approx(float(plain[100]), abs=0.25)
    assert interval.high == pytest.approx(float(plain[-101]), abs=0.25)


def test_sums_are_those_of_the_very_sentences_drawn() -> None:
    """The same generator in plain Python: the same draws, the same sums."""
    counts = corpus(30, 0.8, 12)
    rows = triples(counts)
    drawn = np.random.default_rng(9).integers(0, 30, (50, 30))
    expected = [[sum(column) for column in zip(*(rows[at] for at in draw), strict=True)] for draw in drawn]
    assert resampled_sums(counts, 50, 9).tolist() == expected


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9)),
        min_size=1,
        max_size=8,
    )
)
def test_sign_flips_are_those_of_plain_python(sentences: list[tuple[int, int, int, int, int]]) -> None:
    first = [(min(a, gold, p), gold, p) for gold, a, p, _, _ in sentences]
    second = [(min(b, gold, q), gold, q) for gold, _, _, b, q in sentences]
    seen = abs(plain_f1(first) - plain_f1(second))
    reached = 0
    for flips in itertools.product((False, True), repeat=len(sentences)):
        one = [b if flip else a for a, b, flip in zip(first, second, flips, strict=True)]
        other = [a if flip else b for a, b, flip in zip(first, second, flips, strict=True)]
        reached += abs(plain_f1(one) - plain_f1(other)) >= seen
    p, exact = sign_flip_p(np.asarray(first, float), np.asarray(second, float), F1, 256)
    assert exact and p == pytest.approx(reached / 2 ** len(sentences))


def test_random_sign_flips_come_near_the_exact_ones() -> None:
    first, second = corpus(14, 0.85, 21), corpus(14, 0.75, 22)
    exact_p, exact = sign_flip_p(first, second, F1, 2**14)
    p, also_exact = sign_flip_p(first, second, F1, 2**14 - 1)
    assert exact and not also_exact and p == pytest.approx(exact_p, abs=0.015)


def test_scipy_agrees() -> None:
    """``scipy.stats``: the percentile bootstrap, the permutation test of paired samples, and the binomial test."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is no dependency; the tests above need none")
    first, second = corpus(200, 0.85, 31), corpus(200, 0.83, 32)

    def difference(a: Floats, b: Floats, axis: int = -1) -> Floats:
        # Each sentence is one number that holds its three counts, so that it is drawn and exchanged as a whole.
        unpacked = [np.stack([x // 10_000 % 100, x // 100 % 100, x % 100], -1).sum(axis) for x in (a, b)]
        return F1.of(unpacked[0]) - F1.of(unpacked[1])

    packed = [counts @ np.asarray([10_000.0, 100.0, 1.0]) for counts in (first, second)]
    test = held_against(first, second, resamples=10_000)
    theirs = stats.bootstrap(
        packed,
        lambda a, b, axis=-1: difference(a, b, -2),
        paired=True,
        method="percentile",
        n_resamples=3000,
        random_state=1,
    ).confidence_interval
    assert test.difference.low == pytest.approx(theirs.low, abs=0.15)
    assert test.difference.high == pytest.approx(theirs.high, abs=0.15)
    flips = stats.permutation_test(
        packed,
        lambda a, b, axis=-1: difference(a, b, -2),
        permutation_type="samples",
        n_resamples=3000,
        random_state=1,
        vectorized=True,
    )
    assert test.sign_flip_p == pytest.approx(flips.pvalue, abs=0.02)
    assert test.sign_p == pytest.approx(stats.binomtest(test.wins, test.wins + test.losses).pvalue)
