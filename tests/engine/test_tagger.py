"""The maximum-entropy tagger, on a small made-up language whose endings tell most of the tags."""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine.common.errors import Cancelled, ModelError, SentenceError
from engine.tagger.tagger import Tagger, train_tagger
from engine.tagger.training import TaggerOptions, code_points, lower_case
from engine.trees.tree import plain_word

STEMS = [a + b for a in ("ka", "lo", "mi", "ru", "te", "vo") for b in ("b", "d", "g", "n", "r", "s")]
ENDINGS = {"NN": "om", "NNS": "omi", "JJ": "al", "VBD": "ek", "VBZ": "es"}
# Without an ending a stem is a noun after a determiner and a verb after a noun.
PATTERNS = [
    ["DT", "NN", "VBD", "DT", "JJ", "NN", "."],
    ["NNS", "VBD", "IN", "DT", "NN", "."],
    ["DT", "JJ", "NN", "VBZ", "."],
    ["NNP", "VBZ", "NNS", ",", "IN", "NNP", "."],
]
CLOSED = {"DT": ["da", "li"], "IN": ["up", "of"], ".": ["."], ",": [","], "NNP": ["Zan", "Quor", "Brix"]}
ODD = ["", "x" * 100_000, "\x00\x1b\t", "漢字", "\ud800", "İ", "ΣΑΣ", "👩‍👩‍👧", "\\/", "-", "\n"]


def made_up(count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    choose = random.Random(seed)
    sentences = []
    for _ in range(count):
        tags = choose.choice(PATTERNS)
        words = []
        for tag in tags:
            if tag in CLOSED:
                words.append(choose.choice(CLOSED[tag]))
            else:
                bare = tag in ("NN", "VBD") and choose.random() < 0.3
                words.append(choose.choice(STEMS) + ("" if bare else ENDINGS[tag]))
        if choose.random() < 0.5:
            words[0] = words[0].capitalize()
        sentences.append((words, tags))
    return sentences


TRAINING = made_up(200, 1)
HELD_OUT = made_up(60, 2)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return train_tagger(TRAINING)


@pytest.fixture(scope="module")
def rough() -> Tagger:
    """A tagger without dictionary and with random weights: no tag is ever certain."""
    trained = train_tagger(TRAINING, options=TaggerOptions(dictionary_minimum=10**9, margin=1e9))
    arrays = trained.arrays()
    arrays["row_weights"] = np.random.RandomState(3).randint(-9000, 9000, arrays["row_weights"].shape).astype(np.int16)
    return Tagger.from_arrays(arrays, {**trained.metadata(), "scale": 1e-4})


def test_it_learns_words_endings_and_contexts(tagger: Tagger) -> None:
    right = [a == b for words, tags in HELD_OUT for a, b in zip(tagger.tag(words), tags, strict=True)]
    assert np.mean(right) > 0.97
    assert tagger.tag(["Da", "blepom", "blepek", "Da", "blepal", "kab", "."]) == PATTERNS[0]


def test_every_distribution_sums_to_one_and_is_of_the_best_sequence(tagger: Tagger) -> None:
    for words, _ in [*HELD_OUT, (ODD, None)]:
        best, matrix = tagger.distribution(words)
        assert best == tagger.tag(words)
        assert matrix.shape == (len(words), len(tagger.tags)) and matrix.dtype == np.float64
        assert (matrix >= 0).all()
        np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_a_fixed_tag_is_honoured_and_changes_its_neighbours(tagger: Tagger) -> None:
    words = ["kab", "kab", "kab"]
    for tag in tagger.tags:
        best, matrix = tagger.distribution(words, [None, tag, None])
        assert best[1] == tag == tagger.tag(words, [None, tag, None])[1]
        assert matrix[1, tagger.tags.index(tag)] == 1.0 and matrix[1].sum() == 1.0
        np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    assert tagger.tag(["kab"] * 2, ["DT", None])[1] != tagger.tag(["kab"] * 2, ["NN", None])[1]
    assert tagger.tag(words, [None] * 3) == tagger.tag(words)
    # Also against the dictionary, which knows this word as a determiner only.
    assert tagger.tag(["da", "kabom"], ["VBZ", None])[0] == "VBZ"


@pytest.mark.parametrize(
    ("words", "fixed", "complaint"),
    [
        (["kab"], ["XYZ"], "word 1, 'kab': the tagger has no tag 'XYZ'"),
        (["kab", "da"], ["NN"], "there are 2 words, but tags for 1 were given"),
    ],
)
def test_fixed_tags_that_cannot_be_had(
    tagger: Tagger, words: list[str], fixed: list[str | None], complaint: str
) -> None:
    with pytest.raises(SentenceError, match=complaint):
        tagger.tag(words, fixed)
    with pytest.raises(ValueError, match="holds nothing"):
        tagger.tag(words, beam=0)


def exhaustive(tagger: Tagger, words: list[str], fixed: list[str | None]) -> list[str]:
    """The best sequence by trying all, each probability taken from a history that is fixed."""
    prefixes: list[tuple[tuple[str, ...], float]] = [((), 0.0)]
    for position in range(len(words)):
        longer = []
        for prefix, value in prefixes:
            _, matrix = tagger.distribution(words, [*prefix, *[None] * (len(words) - position)])
            for number, tag in enumerate(tagger.tags):
                if fixed[position] in (None, tag):
                    longer.append(((*prefix, tag), value + float(np.log(matrix[position, number]))))
        prefixes = longer
    return list(max(prefixes, key=lambda prefix: prefix[1])[0])


def test_a_wide_beam_finds_what_exhaustive_search_finds(rough: Tagger) -> None:
    wide = len(rough.tags) ** 2
    choose = random.Random(5)
    narrow_is_worse = 0
    for _ in range(60):
        words = [choose.choice(["kab", "lodom", "Zan", "da", "rug", "x1-2", ",", "of", "Ten"]) for _ in range(4)]
        fixed = [choose.choice([None, None, None, *rough.tags[:2]]) for _ in words]
        expected = exhaustive(rough, words, fixed)
        assert rough.tag(words, fixed, beam=wide) == expected
        assert rough.distribution(words, fixed, beam=wide)[0] == expected
        narrow_is_worse += rough.tag(words, fixed, beam=1) != expected
    assert narrow_is_worse, "the sentences are too easy to tell a good search from a bad one"


def test_the_dictionary_narrows_the_search_but_not_the_distribution() -> None:
    narrow = train_tagger(TRAINING, options=TaggerOptions(dictionary_minimum=5))
    open_ = train_tagger(TRAINING, options=TaggerOptions(dictionary_minimum=10**9))
    # After a determiner "da" looks like a noun; it never was one.
    words = ["li", "da", "."]
    assert narrow.tag(words)[1] == "DT"
    _, matrix = narrow.distribution(words, ["DT", None, None])
    _, same = open_.distribution(words, ["DT", None, None])
    np.testing.assert_array_equal(matrix[1], same[1])
    assert (matrix[1] > 0).all()


def test_arrays_survive_a_file_and_stay_read_only(tagger: Tagger, tmp_path: Path) -> None:
    arrays = {}
    for name, array in tagger.arrays().items():
        assert not array.flags.writeable and array.dtype != object
        np.save(tmp_path / f"{name}.npy", array, allow_pickle=False)
        arrays[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    again = Tagger.from_arrays(arrays, json.loads(json.dumps(tagger.metadata())))
    assert again.metadata() == tagger.metadata()
    for words, _ in HELD_OUT:
        assert again.tag(words) == tagger.tag(words)
        np.testing.assert_array_equal(again.distribution(words)[1], tagger.distribution(words)[1])


def test_arrays_at_an_odd_address_are_taken(tagger: Tagger) -> None:
    arrays = {}
    for name, array in tagger.arrays().items():
        shifted = np.frombuffer(b"\0" + array.tobytes(), array.dtype, array.size, offset=1)
        arrays[name] = shifted.reshape(array.shape)
    again = Tagger.from_arrays(arrays, tagger.metadata())
    assert again.tag(HELD_OUT[0][0]) == tagger.tag(HELD_OUT[0][0])


def damaged(tagger: Tagger) -> Iterator[tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]]:
    arrays = tagger.arrays()
    yield {name: array for name, array in arrays.items() if name != "keys"}, {}
    yield arrays, {"format": 2}
    yield arrays, {"tags": ["NN"]}
    yield arrays, {"tags": []}
    yield arrays, {"beam": 0}
    yield {**arrays, "row_starts": arrays["row_starts"][::-1]}, {}
    yield {**arrays, "row_weights": arrays["row_weights"][:-1]}, {}
    yield {**arrays, "buckets": arrays["buckets"] + np.uint32(1)}, {}
    yield {**arrays, "templates": arrays["templates"] + np.int16(50)}, {}
    yield {**arrays, "templates": arrays["templates"][:, :3]}, {}


def test_damaged_arrays_are_refused(tagger: Tagger) -> None:
    for arrays, change in damaged(tagger):
        with pytest.raises(ModelError):
            Tagger.from_arrays(arrays, {**tagger.metadata(), **change})
    with pytest.raises(ModelError):
        Tagger.from_arrays({}, {})


def test_an_empty_sentence(tagger: Tagger) -> None:
    assert tagger.tag([]) == tagger.tag([], []) == []
    best, matrix = tagger.distribution([])
    assert best == [] and matrix.shape == (0, len(tagger.tags))


def test_any_string_is_a_word(tagger: Tagger) -> None:
    for word in ODD:
        assert tagger.tag([word])[0] in tagger.tags
    trained = train_tagger([(ODD, ["NN"] * len(ODD)), (["da"] * 3, ["DT"] * 3)] * 2)
    assert trained.tag(ODD) == ["NN"] * len(ODD)


def test_case_counts(tagger: Tagger) -> None:
    # The training sentences capitalise only names and first words.
    assert tagger.tag(["da", "Zan", "."]) != tagger.tag(["da", "zanom", "."])
    upper, lower = code_points(["Zan"]), code_points(["zan"])
    assert not np.array_equal(upper.codes, lower.codes)
    assert np.array_equal(upper.lower_codes, lower.codes)


@pytest.mark.parametrize(
    ("word", "spelling"),
    [
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("\\*\\*", "**"),
        ("(", "-LRB-"),
        (")", "-RRB-"),
        ("’s", "'s"),
        ("“", "``"),
        ("”", "''"),
        ("—", "--"),
        ("", ""),
    ],
)
def test_one_spelling_of_each_mark(tagger: Tagger, word: str, spelling: str) -> None:
    assert plain_word(word) == spelling == plain_word(spelling)
    for a, b in zip(code_points(["da", word, "of"]), code_points(["da", spelling, "of"]), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(tagger.distribution([word])[1], tagger.distribution([spelling])[1])


def test_lower_case_keeps_the_length_and_does_not_look_at_other_words() -> None:
    assert lower_case("İAB") == "İab"
    assert lower_case("ΣΑΣ") == "σας"
    for words in (["A", "ΣΑΣ", "A"], ["İ", "ΣΑΣ", "A"]):
        text = code_points(words)
        start, length = text.starts[1], text.lengths[1]
        lowered = text.lower_codes[start : start + length].astype("<u4").tobytes().decode("utf-32-le")
        assert lowered == "σας"


def test_training_is_deterministic() -> None:
    first, second = train_tagger(TRAINING[:60]), train_tagger(TRAINING[:60])
    assert first.metadata() == second.metadata()
    for name, array in first.arrays().items():
        assert array.tobytes() == second.arrays()[name].tobytes()


def test_training_reports_its_progress_and_can_be_stopped() -> None:
    shares: list[float] = []
    train_tagger(TRAINING, progress=shares.append)
    assert shares[0] == 0.0 and shares[-1] == 1.0 and shares == sorted(shares)
    for patience in (0, len(shares) // 2, len(shares) - 2):
        questions = itertools.count()
        with pytest.raises(Cancelled):
            train_tagger(TRAINING, cancelled=lambda: next(questions) >= patience)  # noqa: B023
        assert next(questions) == patience + 1


def test_training_needs_words_and_a_tag_for_each() -> None:
    empty: list[list[tuple[list[str], list[str]]]] = [[], [([], [])]]
    for nothing in empty:
        with pytest.raises(SentenceError, match="no word"):
            train_tagger(nothing)
    with pytest.raises(SentenceError, match="sentence 2 has 1 words but 2 tags"):
        train_tagger([(["a"], ["NN"]), (["a"], ["NN", "NN"])])


def test_one_word_is_enough_to_train_on() -> None:
    tiny = train_tagger([(["da"], ["DT"])])
    best, matrix = tiny.distribution(["anything", "da"])
    assert best == ["DT", "DT"] and matrix.tolist() == [[1.0], [1.0]]


def test_the_steps_follow_the_gradient_of_the_regularised_likelihood() -> None:
    """Steps so short that they add up to the gradient, against differences of the objective itself."""
    from engine.tagger.training_kernel import descend

    random_state = np.random.RandomState(4)
    words, templates, feature_count, tag_count, regularisation = 30, 5, 12, 4, 0.7
    features = random_state.randint(-1, feature_count, (words, templates)).astype(np.int32)
    tags = random_state.randint(0, tag_count, words)
    counts = np.array([(features == feature).sum() for feature in range(feature_count)])
    assert counts.all()
    weights = random_state.normal(size=(feature_count, tag_count))
    order = np.arange(words)
    decay = regularisation / counts

    def objective(at: npt.NDArray[np.float64]) -> float:
        squares = np.ones_like(at)
        loss = descend(order, features, tags, at.copy(), squares, decay, np.float32(0.0))
        return float(loss + regularisation / 2 * (at**2).sum())

    # AdaGrad divides by the root of the squares, here so large that no gradient changes them.
    size, length = 1e20, 1e-7
    moved = weights.copy()
    descend(order, features, tags, moved, np.full_like(weights, size), decay, length * np.sqrt(size))
    gradient = (weights - moved) / length

    step = 1e-5
    for feature in range(feature_count):
        for tag in range(tag_count):
            up, down = weights.copy(), weights.copy()
            up[feature, tag] += step
            down[feature, tag] -= step
            numeric = (objective(up) - objective(down)) / (2 * step)
            assert gradient[feature, tag] == pytest.approx(numeric, abs=1e-4)


def test_only_known_features_are_found() -> None:
    from engine.tagger.tagging_kernel import find_feature

    names = np.array([(3 << 32) + 10, (3 << 32) + 20, (7 << 32) + 0, (65535 << 32) + 0xFFFFFFFF], np.uint64)
    buckets = np.searchsorted(names >> np.uint64(32), np.arange(65537, dtype=np.uint64)).astype(np.uint32)
    keys = (names & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    assert [find_feature(buckets, keys, name) for name in names] == [0, 1, 2, 3]
    for bucket, key in [(3, 9), (3, 11), (3, 21), (2, 10), (4, 20), (7, 1), (65535, 0), (0, 0)]:
        assert find_feature(buckets, keys, np.uint64((bucket << 32) + key)) == -1


def test_a_sentence_has_two_different_ends_and_a_short_word_no_long_ending() -> None:
    from engine.tagger.tagger_layout import LOWER_SUFFIX, SENTENCE_START, WORD
    from engine.tagger.tagging_kernel import partial_hash

    rows = [[0, WORD, -1], [0, LOWER_SUFFIX + 3, 0], [0, WORD, 1], [SENTENCE_START, -1, 0]]
    templates = np.array([[*row, -1, 0, -1, 0] for row in rows], np.int16)
    atoms = np.full((4, 17), 99, np.uint64)
    atoms[:, LOWER_SUFFIX + 3] = [0, 5, 6, 0]
    with np.errstate(over="ignore"):
        before = [int(partial_hash(templates, 0, atoms, 1, 3, position)) for position in (1, 2)]
        after = [int(partial_hash(templates, 2, atoms, 1, 3, position)) for position in (1, 2)]
        ending = [int(partial_hash(templates, 1, atoms, 0, 4, position)) for position in range(4)]
        start = [int(partial_hash(templates, 3, atoms, 1, 4, position)) for position in (1, 2, 3)]
    assert 0 not in before + after and len({*before, *after}) == 4
    assert ending[0] == ending[3] == 0 and 0 not in ending[1:3] and ending[1] != ending[2]
    assert start[0] != start[1] == start[2]


INTERPRETED = """
import io, json, sys
import numpy as np
from engine.tagger.tagger import Tagger, train_tagger
stored, metadata, sentences, training = json.load(sys.stdin)
with np.load(io.BytesIO(bytes.fromhex(stored))) as arrays:
    tagger = Tagger.from_arrays(dict(arrays), metadata)
tagged = [tagger.distribution(words) for words in sentences]
trained = train_tagger(training)
assert "numba" not in sys.modules
json.dump(
    [
        [(best, matrix.tolist()) for best, matrix in tagged],
        {name: array.tolist() for name, array in trained.arrays().items()},
        trained.metadata(),
    ],
    sys.stdout,
)
"""


def test_compiled_and_interpreted_agree() -> None:
    training = TRAINING[:15]
    compiled = train_tagger(training)
    sentences = [words for words, _ in HELD_OUT[:5]] + [["x", "", "漢字", "1\\/2", "kab" * 50]]
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **compiled.arrays())
    answer = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", INTERPRETED],
        input=json.dumps([buffer.getvalue().hex(), compiled.metadata(), sentences, training]),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        # Another seed for strings' hashes shows that nothing hangs on the order of a set.
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "12345"},
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    tagged, arrays, metadata = json.loads(answer.stdout)
    for words, (best, matrix) in zip(sentences, tagged, strict=True):
        expected_best, expected_matrix = compiled.distribution(words)
        assert best == expected_best
        np.testing.assert_allclose(matrix, expected_matrix, rtol=1e-9, atol=1e-12)

    assert metadata["tags"] == compiled.metadata()["tags"]
    for name in ("templates", "dictionary_hashes", "dictionary_classes", "dictionary_starts", "dictionary_tags"):
        assert arrays[name] == compiled.arrays()[name].tolist()
    # exp() may differ in its last digit, and so may then what is trained.
    types = {name: array.dtype for name, array in compiled.arrays().items()}
    again = Tagger.from_arrays({name: np.array(values, types[name]) for name, values in arrays.items()}, metadata)
    for words in sentences:
        np.testing.assert_allclose(again.distribution(words)[1], compiled.distribution(words)[1], atol=1e-3)
