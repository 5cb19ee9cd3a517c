"""Training the re-ranker: lists of parses, what is learnt from them, on one process or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chart.parser import Parser
from engine.common.errors import Cancelled, EngineError
from engine.reranker import parse_list_kernel
from engine.reranker.reranker import steps_of
from engine.settings import Settings
from engine.training.fold_models import parts_of
from engine.training.parse_lists import Brackets, Listed, ListPacker, ListStore
from engine.training.reranker_fit import RERANKER_DEFAULTS, fit
from engine.training.reranker_training import train_reranker
from tests.engine.small_models import classroom_material
from tests.engine.test_reranker import QUICK, small_model, small_trees

NO_BRACKETS = np.zeros(0, np.int64)


def listed(log_probability: float, matched: int, features: Sequence[int]) -> Listed:
    """A parse of ten constituents."""
    return Listed(np.array([log_probability]), matched, 10, 10, np.array(features, np.int64), NO_BRACKETS)


def stored(lists: Iterable[Sequence[Listed]]) -> ListStore:
    """A store with these lists."""
    packer, store = ListPacker(), ListStore()
    for one in lists:
        packer.add(one)
    packed = packer.packed()
    if packed is not None:
        store.append(packed)
    return store


def test_the_same_trees_give_the_same_weights() -> None:
    again = train_reranker(small_model(), small_trees(), Settings.preset(3), options=QUICK)
    first = small_model().reranker
    assert first is not None
    assert again.keys.tolist() == first.keys.tolist()
    assert again.weights.tolist() == first.weights.tolist()


def test_it_learns_what_the_lists_tell() -> None:
    """A feature that only the better parses have gets a weight, and they come first."""
    good, bad, noise = 11, 22, 33
    lists = []
    for number in range(50):
        extra = [noise] if number % 2 else []
        lists.append([listed(-1.0, 5, [bad, *extra]), listed(-2.0, 9, [*extra, good])])
    # A list that leaves no choice teaches nothing.
    lists.append([listed(-1.0, 5, [bad])])
    lists.append([listed(-1.0, 5, [bad]), listed(-2.0, 5, [good])])
    with stored(lists) as store:
        assert store.lists == 50
        reranker = fit(store)
    weights = dict(zip(reranker.keys.tolist(), reranker.weights.tolist(), strict=True))
    assert weights[good] - weights[bad] > 1.0
    assert noise not in weights


def test_brackets_are_compared_as_a_multiset() -> None:
    shared = parse_list_kernel.shared
    first = np.array([1, 2, 2, 5])
    assert shared(first, np.array([2, 2, 2, 5, 7])) == 3
    assert shared(first, np.zeros(0, np.int64)) == 0
    model = classroom_material().model
    parse = Parser.preset(model, 3).parse(classroom_material().sentences[0])
    brackets = Brackets(model.vocabulary)
    steps = steps_of(parse.roots[0], model.label_numbers)
    assert brackets.of_steps(steps).tolist() == brackets.of_tree(parse.roots[0]).tolist()


@given(st.lists(st.lists(st.integers(0, 9), max_size=200), min_size=2, max_size=4))
def test_parses_differ_by_what_one_has_more_often(parses: list[list[int]]) -> None:
    features = np.array([feature for parse in parses for feature in parse], np.int64)
    starts = np.cumsum([0, *map(len, parses)])
    keys, sizes, cells, values = parse_list_kernel.differences(features, starts)
    ends = np.cumsum(sizes)
    used: set[int] = set()
    for parse, size, end in zip(parses, sizes, ends, strict=True):
        counts = Counter(parse)
        counts.subtract(parses[0])
        places = cells[end - size : end].tolist()
        assert places == sorted(places)
        found = dict(zip(keys[places].tolist(), values[end - size : end].tolist(), strict=True))
        assert found == {key: min(max(count, -127), 127) for key, count in counts.items() if count}
        used.update(found)
    assert keys.tolist() == sorted(used)


def test_many_different_features_are_told_apart() -> None:
    # More than the room that is there at first.
    parses = [np.arange(start, start + 6000, dtype=np.int64) * 4096 for start in (0, 3000)]
    keys, sizes, _, values = parse_list_kernel.differences(np.concatenate(parses), np.array([0, 6000, 12000]))
    assert keys.tolist() == [4096 * number for number in (*range(3000), *range(6000, 9000))]
    assert sizes.tolist() == [0, 6000]
    assert values.tolist() == [-1] * 3000 + [1] * 3000


def test_a_feature_of_few_lists_has_no_weight() -> None:
    lists = []
    for number in range(12):
        rare = [100 + number // 2] if number < 4 else []
        lists.append([listed(-1.0, 5, [22]), listed(-2.0, 9, [11, *rare])])
    with stored(lists) as store:
        assert fit(store, replace(RERANKER_DEFAULTS, cutoff=3)).keys.tolist() == [11, 22]


def test_only_the_weightiest_features_are_kept() -> None:
    lists = []
    for number in range(60):
        better = [11] if number % 3 else [11, 44]
        lists.append([listed(-1.0, 5, [22]), listed(-2.0, 9, better)])
    with stored(lists) as store:
        everything = fit(store)
        few = fit(store, replace(RERANKER_DEFAULTS, features=2))
    assert everything.keys.tolist() == [11, 22, 44]
    weights = dict(zip(everything.keys.tolist(), np.abs(everything.weights).tolist(), strict=True))
    assert set(few.keys.tolist()) == set(sorted(weights, key=weights.__getitem__)[1:])


def test_neighbours_are_in_one_part_and_every_part_has_sentences() -> None:
    for size in (5, 40, 1000, 3217):
        parts = parts_of(size, RERANKER_DEFAULTS)
        sizes = np.bincount(parts, minlength=RERANKER_DEFAULTS.folds)
        assert len(parts) == size and (sizes > 0).all()
    borders = np.flatnonzero(np.diff(parts_of(3217, RERANKER_DEFAULTS))) + 1
    assert borders.tolist() == list(range(RERANKER_DEFAULTS.block, 3217, RERANKER_DEFAULTS.block))


def test_what_cannot_be_trained_says_why() -> None:
    with pytest.raises(EngineError, match="very trees"):
        train_reranker(small_model(), small_trees()[:50], Settings.preset(3), options=QUICK)
    with pytest.raises(EngineError, match="nothing for a re-ranker to learn"), ListStore() as store:
        fit(store)
    with pytest.raises(Cancelled):
        train_reranker(small_model(), small_trees(), Settings.preset(3), options=QUICK, cancelled=lambda: True)
