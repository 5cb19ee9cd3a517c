"""Training the re-ranker: lists of parses, what is learnt from them, on one process or several."""

from __future__ import annotations

import multiprocessing
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chart.parser import Parser
from engine.common.arrays import FloatArray
from engine.common.errors import Cancelled, EngineError, ModelError
from engine.common.files import temporary_folder
from engine.model.model import Model
from engine.rerank import fit_kernel as parse_list_kernel
from engine.rerank import vote_kernel
from engine.rerank.reranker import Reranker, steps_of
from engine.settings import Settings
from engine.training.reranker import (
    FITTING_STAGE,
    LISTS_STAGE,
    MODELS_STAGE,
    RERANKER_DEFAULTS,
    Listed,
    ListPacker,
    ListStore,
    fit,
    fit_weights,
    parts_of,
    reranker_of,
    train_reranker,
)
from tests.engine.command_runner import Cli
from tests.engine.small_models import classroom_material
from tests.engine.test_reranker import small_model, small_trees
from tests.trained import QUICK, trained

NO_BRACKETS = np.zeros(0, np.int64)


def listed(log_probability: float, matched: int, features: Sequence[int], second: float = 0.0) -> Listed:
    """A parse of ten constituents."""
    own = np.array([log_probability, second])
    return Listed(own, matched, 10, 10, np.array(features, np.int64), NO_BRACKETS)


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
    again = train_reranker(small_model(), small_trees(), Settings.preset(3), options=QUICK).reranker
    first = small_model().reranker
    assert first is not None and again is not None
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
    shared = vote_kernel.shared
    first = np.array([1, 2, 2, 5])
    assert shared(first, np.array([2, 2, 2, 5, 7])) == 3
    assert shared(first, np.zeros(0, np.int64)) == 0
    model = classroom_material().model
    parse = Parser.preset(model, 3).parse(classroom_material().sentences[0])
    steps = steps_of(parse.roots[0], model.label_numbers)
    shown = [node for node in parse.roots[0].walk() if not node.is_word and not node.label.endswith("&")]
    numbers = model.label_numbers
    assert vote_kernel.bracket_keys(steps, model.shown_labels).tolist() == sorted(
        (numbers[node.label] << 32) | (node.start << 16) | node.end for node in shown
    )


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
    for size in (10, 40, 1000, 3217):
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


def test_the_fit_is_what_a_direct_optimiser_finds() -> None:
    """Given time, the gain that it promises is nearly what plain gradient ascent reaches."""
    chance = np.random.default_rng(7)
    truth = np.array([1.0, 0.5, 1.0, -1.0, 0.3])
    lists, values, gains = [], [], []
    for _ in range(100):
        has = chance.integers(0, 2, (4, 3))
        rows = np.hstack([chance.normal(size=(4, 2)), has])
        good = int(np.argmax(rows @ truth + chance.gumbel(size=4)))
        matched = [9 if at == good else 5 for at in range(4)]
        features = [[key for key in (1, 2, 3) if has[at, key - 1]] for at in range(4)]
        lists.append([listed(rows[at, 0], matched[at], features[at], rows[at, 1]) for at in range(4)])
        values.append(rows)
        gains.append(2.0 * np.array(matched))
    design, gain = np.stack(values), np.stack(gains)

    def shares(weights: FloatArray) -> FloatArray:
        found: FloatArray = np.exp(design @ weights)
        found /= found.sum(1, keepdims=True)
        return found

    first = np.array([*RERANKER_DEFAULTS.column_weights, 0.0, 0.0, 0.0])
    best = first.copy()
    for _ in range(20000):
        chances = shares(best)
        pull = chances * (gain - (chances * gain).sum(1, keepdims=True))
        best += 0.1 * np.einsum("lp,lpk->k", pull, design) / len(lists)
    options = replace(
        RERANKER_DEFAULTS, cutoff=1, regularisation=0.0, rate=0.5, epochs=600, averaged_epochs=200, pruning=0.0
    )
    with stored(lists) as store:
        keys = store.features(1)
        weights = fit_weights(store.load(keys), len(keys), options)
    assert keys.tolist() == [1, 2, 3]
    found = np.concatenate([weights.columns, weights.features])
    at_first, reached, direct = ((shares(one) * gain).sum() for one in (first, found, best))
    assert reached == pytest.approx(direct, rel=0.03)
    assert reached > at_first + 0.8 * (direct - at_first)
    reranker = reranker_of(keys, weights, options, len(lists))
    assert reranker.column_weights[0] == 1.0
    assert reranker.scale * reranker.generative_weight == pytest.approx(found[1])


def test_what_the_values_of_parses_weigh_is_kept_in_the_model(tmp_path: Path) -> None:
    model, kept = trained(small_trees()), small_model().reranker
    assert kept is not None and len(kept.column_weights) == 2
    weights = np.array([1.0, 0.5, -0.25])
    model = model.with_reranker(Reranker(kept.keys, kept.weights, kept.metadata, weights))
    model.save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model").reranker
    assert loaded is not None and loaded.column_weights.tolist() == weights.tolist()
    for damaged in (weights[:0], weights[1:]):
        with pytest.raises(ModelError, match="damaged"):
            Reranker(kept.keys, kept.weights, kept.metadata, damaged)


def test_the_values_of_parses_and_their_first_weights_are_as_many() -> None:
    lists = [[listed(-1.0, 5, [22], 0.5), listed(-2.0, 9, [11], 0.25)]]
    with stored(lists) as store, pytest.raises(EngineError, match="2 values of their own, not 1"):
        fit(store, replace(RERANKER_DEFAULTS, cutoff=1, column_weights=(1.0,)))


def test_lists_can_be_read_again_with_all_that_a_choice_among_them_needs() -> None:
    """Of every parse its brackets, and how many of them are gold."""
    brackets = [np.array([3, 5, 7]), np.array([5, 5, 9]), np.array([7])]
    parses = [
        Listed(np.array([-1.0 * at]), 2 - at, len(found), 4, np.array([at, 8]), found)
        for at, found in enumerate(brackets)
    ]
    packer = ListPacker()
    packer.add(parses)
    packed = packer.packed()
    assert packed is not None
    with ListStore() as store:
        store.append(packed)
        store.append(packed)
        chunks = list(store)
        # One reader does not disturb another.
        assert [len(store.features(1)) for _ in store] == [3, 3]
    assert len(chunks) == 2
    for chunk in chunks:
        assert chunk.counts.tolist() == [[2, 3, 4], [1, 3, 4], [0, 1, 4]]
        assert chunk.columns.tolist() == [[0.0], [-1.0], [-2.0]]
        ends = np.cumsum(chunk.counts[:, 1])
        assert [part.tolist() for part in np.split(chunk.bracket_keys[chunk.brackets], ends[:-1])] == [
            found.tolist() for found in brackets
        ]


def test_lists_are_not_kept_in_memory() -> None:
    parses = [listed(-1.0 * at, at % 7, range(at * 500, at * 500 + 1500)) for at in range(30)]
    packer = ListPacker()
    for _ in range(10):
        packer.add(parses)
    packed = packer.packed()
    assert packed is not None
    size = sum(array.nbytes for array in packed)
    with ListStore() as store:
        tracemalloc.start()
        try:
            store.append(packed)
            before, _ = tracemalloc.get_traced_memory()
            for _ in range(20):
                store.append(packed)
            after, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert size > 1_000_000 and after - before < size / 10 and peak - before < 3 * size
        assert store.lists == 210


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [[listed(-1.0, 5, [22]), listed(-2.0, 9, [11])]]
    # Once before, for reading compiled kernels takes a temporary file as well.
    with stored(lists) as store:
        assert store.lists == 1
    with Path("/dev/full").open("wb", buffering=0) as full:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: full)
        with pytest.raises(EngineError, match=r"cannot be written among the temporary files \(No space left"):
            stored(lists)
    missing = str(Path("/dev/null/missing"))
    monkeypatch.setattr(tempfile, "tempdir", missing)
    with pytest.raises(EngineError, match="no temporary folder can be made"), temporary_folder():
        pass


@pytest.mark.robust
def test_two_processes_train_the_same_model(cli: Cli, classroom_treebank: Path, tmp_path: Path) -> None:
    models = []
    for jobs in (1, 2):
        output = tmp_path / f"{jobs}.model"
        arguments = ("--rerank", "--weights", 2, "--compact", "--no-record", "--jobs", jobs)
        ran = cli("train", classroom_treebank, "-o", output, *arguments)
        assert ran.status == 0 and "lists of parses" in ran.out
        models.append(output.read_bytes())
    assert models[0] == models[1]


def test_a_treebank_that_can_be_read_but_once_will_do(cli: Cli, classroom_treebank: Path, tmp_path: Path) -> None:
    trees = "\n".join(classroom_treebank.read_text().split("\n")[:400])
    file = tmp_path / "some.ptb"
    file.write_text(trees)
    found = []
    for source in (file, "-"):
        ran = cli("train", source, "-o", tmp_path / "own.model", "--rerank", "--no-tagger", "--skip-bad", stdin=trees)
        reranker = Model.load(tmp_path / "own.model").reranker
        assert reranker is not None, ran.err
        found.append((reranker.keys.tolist(), reranker.weights.tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.robust)])
@pytest.mark.parametrize("moment", [MODELS_STAGE, LISTS_STAGE, FITTING_STAGE])
def test_a_cancelled_training_leaves_nothing(
    jobs: int, moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    told: list[str] = []
    with pytest.raises(Cancelled):
        train_reranker(
            small_model(),
            small_trees(),
            Settings.preset(3),
            options=QUICK,
            jobs=jobs,
            progress=lambda stage, share: told.append(stage),
            cancelled=lambda: moment.format(1, 2) in told,
        )
    assert told[-1].split(":")[0] == moment.split(":")[0]
    assert not list(tmp_path.iterdir())
    assert not multiprocessing.active_children()


def test_progress_tells_the_part_and_only_grows() -> None:
    told: list[tuple[str, float]] = []
    train_reranker(
        small_model(),
        small_trees(),
        Settings.preset(3),
        options=QUICK,
        progress=lambda stage, share: told.append((stage, share)),
    )
    stages = list(dict.fromkeys(stage for stage, _ in told))
    parts = [text.format(number, 2) for text in (MODELS_STAGE, LISTS_STAGE) for number in (1, 2)]
    assert stages == [*parts, FITTING_STAGE]
    shares = [share for _, share in told]
    assert shares == sorted(shares) and shares[0] == 0.0 and 0.9 < shares[-1] <= 1.0
