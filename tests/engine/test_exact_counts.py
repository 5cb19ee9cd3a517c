"""Counts are the paper's, whatever a model file does with them: packed, weighted for preset (5), summed up."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import engine
from engine.common.arrays import Int64Array
from engine.common.resources import bundled_models
from engine.counts.contexts import key_width, widths_of
from engine.counts.corpus import Corpus, merge
from engine.counts.counting import CorpusEvents, all_counts, count_table
from engine.counts.specifications_layout import DEPENDENCY_HEAD, DEPENDENCY_MODIFIER, DEPENDENCY_PAIR, TABLES
from engine.counts.tables import (
    CountedTable,
    _increasing,
    coarser_table,
    counted_table,
    counted_tables,
    mirror_of,
    prune,
    same_counts,
    source_of,
)
from engine.estimates.explainer import Explainer
from engine.model.counts_file import _differences, _values, pack_counts, unpack_counts
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import Relation
from engine.structure.tagged_sentence import TaggedSentence
from engine.training.train import TreebankPart, train
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank

SENTENCE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."


@pytest.fixture(scope="module")
def corpus(classroom_treebank: Path) -> Corpus:
    """The classroom trees as training counts them."""
    part, lexicaliser = TreebankPart(), Lexicaliser(load_head_rules(None))
    for tree in read_treebank([classroom_treebank]):
        part.add(lexicaliser, tree)
    return merge([part.corpus])


def sorted_table(table: CountedTable) -> dict[int, tuple[int, int, dict[int, tuple[int, int]]]]:
    """A table as a dictionary: δ, weighted δ, and by outcome η and weighted η of every key."""
    found: dict[int, tuple[int, int, dict[int, tuple[int, int]]]] = {
        key: (delta, weighted, {})
        for key, delta, weighted in zip(
            table.keys.tolist(), table.deltas.tolist(), table.weighted_deltas.tolist(), strict=True
        )
    }
    keys = table.keys[table.places].tolist()
    for key, outcome, eta, weighted in zip(
        keys, table.outcomes.tolist(), table.etas.tolist(), table.weighted_etas.tolist(), strict=True
    ):
        assert outcome not in found[key][2]
        found[key][2][outcome] = eta, weighted
    assert len(found) == len(table.keys)
    return found


def weights_of(corpus: Corpus, most: int = 3) -> Int64Array:
    """A weight for every sentence."""
    return np.random.default_rng(5).integers(1, most + 1, corpus.sentences)


@pytest.mark.parametrize("table", [table for table in range(len(TABLES)) if source_of(table) is not None])
def test_a_coarser_table_is_what_counting_gives(corpus: Corpus, table: int) -> None:
    widths, weights = widths_of(corpus.vocabulary), weights_of(corpus)
    events = CorpusEvents(corpus, widths)
    chain = [table]
    while (source := source_of(chain[-1])) is not None:
        chain.append(source)
    summed = count_table(events.counting(chain[-1]), key_width(widths, chain[-1]), weights)
    for source, coarser in zip(chain[::-1], chain[-2::-1], strict=False):
        summed = coarser_table(summed, source, widths, coarser)
    counted = count_table(events.counting(table), key_width(widths, table), weights)
    assert sorted_table(summed) == sorted_table(counted)
    assert len(counted.keys) > 0


def test_all_tables_together_are_what_counting_gives(corpus: Corpus) -> None:
    widths, weights = widths_of(corpus.vocabulary), weights_of(corpus)
    counts, events = all_counts(corpus, weights), CorpusEvents(corpus, widths)
    assert mirror_of(DEPENDENCY_HEAD) == DEPENDENCY_MODIFIER
    for table in range(len(TABLES)):
        counted = count_table(events.counting(table), key_width(widths, table), weights)
        assert sorted_table(counted_table(counts, table)) == sorted_table(counted)


def test_most_tables_are_sums() -> None:
    assert len(counted_tables()) == 13 and DEPENDENCY_PAIR in counted_tables()


def test_weights_change_no_count_and_weighted_counts_are_those_of_repeated_trees(corpus: Corpus) -> None:
    weights = weights_of(corpus)
    once, weighed = all_counts(corpus), all_counts(corpus, weights)
    repeated = all_counts(corpus.select(np.repeat(np.arange(corpus.sentences), weights)))
    assert not once.has_weights and once.weighted is once and weighed.has_weights
    for table in range(len(TABLES)):
        exact, weighted = counted_table(once, table), counted_table(repeated, table)
        expected = {
            key: (
                delta,
                sorted_table(weighted)[key][0],
                {outcome: (eta, sorted_table(weighted)[key][2][outcome][0]) for outcome, (eta, _) in etas.items()},
            )
            for key, (delta, _, etas) in list(sorted_table(exact).items())[:50]
        }
        found = sorted_table(counted_table(weighed, table))
        assert {key: found[key] for key in expected} == expected
        assert sum(delta for delta, _, _ in found.values()) == exact.deltas.sum()
        assert sum(delta for _, delta, _ in found.values()) == weighted.deltas.sum()
    assert same_counts(all_counts(corpus, np.ones(corpus.sentences, np.int64)), once)


@pytest.mark.parametrize("most", [1, 3, 200, 60_000])
@pytest.mark.parametrize("exact", [True, False])
def test_packing_loses_nothing(corpus: Corpus, most: int, exact: bool) -> None:
    counts = all_counts(corpus, weights_of(corpus, most))
    if not exact:
        counts = prune(counts)
    description, arrays = pack_counts(counts, exact)
    assert same_counts(unpack_counts(description, arrays, counts.widths), counts)
    assert description["weighted"] == (most > 1)


def test_counts_with_contexts_left_out_are_not_packed_as_sums(corpus: Corpus) -> None:
    counts = prune(all_counts(corpus))
    with pytest.raises(ValueError, match="not those of a corpus"):
        pack_counts(counts, exact=True)


def test_a_weighted_packed_file_has_the_papers_numbers_in_presets_one_to_four(
    classroom_treebank: Path, tmp_path: Path
) -> None:
    other = classroom_treebank.parent / "everyday.ptb"
    plain, repeated = train([classroom_treebank, other]), train([*[classroom_treebank] * 3, other])
    train([classroom_treebank, other], weights=[3, 1]).save(tmp_path / "packed", packed=True)
    packed = Model.load(tmp_path / "packed")
    for tree in list(read_treebank([other]))[:20]:
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = TaggedSentence.from_tree(cleaned)
        for preset in (1, 2, 3, 4, 5):
            parse = engine.Parser.preset(packed, preset).parse(sentence)
            same = engine.Parser.preset(plain if preset < 5 else repeated, preset).parse(sentence)
            assert (parse.tree, parse.log_probability) == (same.tree, same.log_probability)
            levels = [[factor.levels for factor in one.ledger()] for one in (parse, same)]
            assert levels[0] == levels[1]
        alone = engine.Parser.preset(packed, 5, treebank_weights=False).parse(sentence)
        assert alone.log_probability == engine.Parser.preset(plain, 5).parse(sentence).log_probability


def test_a_pair_seen_together_and_never_related_is_counted(classroom_treebank: Path, tmp_path: Path) -> None:
    trees = "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NNP Bob)) (ADVP (RB today))) (. .))\n"
    (tmp_path / "five.ptb").write_text(trees * 5)
    train([classroom_treebank, tmp_path / "five.ptb"], weights=[3, 1]).save(tmp_path / "model", packed=True)
    model = Model.load(tmp_path / "model")
    explainer = engine.Parser.preset(model, 1).parse("Ann/NNP saw/VBD Bob/NNP today/RB").explainer()
    bases = engine.Parser.preset(model, 1).parse("Ann/NNP saw/VBD Bob/NNP today/RB").basenps
    factor = explainer.dependency(0, 2, Relation("NP", "S", "VP"), explainer.ruler(bases).distance(0, 2))
    first = factor.levels[0]
    assert (first.name, first.eta, first.delta) == ("E1", 0, 5)


columns_of_rows = npst.arrays(np.int64, st.tuples(st.integers(0, 40), st.integers(1, 4)), elements=st.integers(0, 6))


@given(columns_of_rows)
def test_differences_of_columns_give_the_columns_again(rows: Int64Array) -> None:
    in_order = np.array(sorted(map(tuple, rows.tolist())), np.int64).reshape(rows.shape)
    columns = list(in_order.T)
    differences = list(_differences(columns))
    assert all((column >= 0).all() for column in differences)
    assert all(map(np.array_equal, _values(differences), columns))


@given(npst.arrays(np.int64, st.integers(0, 60), elements=st.integers(0, 2**59 - 1) | st.integers(0, 5)))
def test_keys_of_many_bits_are_sorted_as_they_stand(keys: Int64Array) -> None:
    order, in_order = _increasing(keys, 59)
    assert np.array_equal(order, np.argsort(keys, kind="stable"))
    assert np.array_equal(in_order, np.sort(keys))


def random_estimates(model: Model, preset: int, trees: list[Tree], number: int) -> list[float]:
    """Random dependencies, gap tags and unaries of sentences: η and δ of every level, and the estimate."""
    chance = random.Random(preset)
    values: list[float] = []
    settings = Settings.preset(preset)
    for tree in trees:
        parse = engine.Parser(model, settings).score(tree)
        explainer = Explainer(model, settings, parse.sentence)
        factors = [explainer.gap(at, "SCEBN"[chance.randrange(5)]) for at in range(1, len(explainer.words))]
        factors += [explainer.unary(node, parent) for node in parse.root.walk() for parent in (None, "VP")]
        factors += list(parse.ledger)
        for factor in chance.sample(factors, min(8, len(factors))):
            values += [factor.probability, *(value for level in factor.levels for value in (level.eta, level.delta))]
        if len(values) > number:
            break
    return values


def outcomes_of(table: CountedTable) -> Int64Array:
    """Key, outcome and η of every outcome of a table, in order."""
    keys = table.keys[table.places]
    found: Int64Array = np.stack([keys, table.outcomes, table.etas])[:, np.lexsort((table.outcomes, keys))]
    return found


@pytest.mark.slow
def test_english_has_the_counts_of_its_trees(treebanks: Path, classroom_treebank: Path) -> None:
    """Against a model trained without packing or weights: every context of every table, and 2,000 estimates."""
    bundled = Model.load(bundled_models()["english"])
    names = bundled.metadata["corpora"]
    folders = (treebanks, classroom_treebank.parent)
    files = [next(folder / name for folder in folders if (folder / name).exists()) for name in names]
    trained = train(files, tagger=False)
    assert bundled.vocabulary == trained.vocabulary
    compared = 0
    for table in range(len(TABLES)):
        one, other = (counted_table(model.counts, table) for model in (bundled, trained))
        first, second = np.argsort(one.keys), np.argsort(other.keys)
        assert np.array_equal(one.keys[first], other.keys[second])
        assert np.array_equal(one.deltas[first], other.deltas[second])
        assert np.array_equal(outcomes_of(one), outcomes_of(other))
        compared += len(one.keys)
    assert compared > 18_000_000
    trees = list(read_treebank([treebanks / "gum-dev.ptb"]))[:400]
    for preset in (1, 2, 3, 4):
        mine, theirs = (random_estimates(model, preset, trees, 20_000) for model in (bundled, trained))
        assert len(mine) == len(theirs) > 10_000
        assert np.abs(np.array(mine) - np.array(theirs)).max() <= 1e-12
