"""The re-ranker: features of whole trees, weights learnt by cross-validation, a new order of the n best."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.chart import chart_layout as layout
from engine.chart import kbest_kernel
from engine.chart.parser import Parser
from engine.chart.search import BEAM_REPAIR
from engine.common.errors import EngineError, ModelError
from engine.model.model import Model
from engine.rerank import features_kernel
from engine.rerank.reranker import RERANKER_FORMAT, Reranker, punctuation_marks, steps_of
from engine.settings import Settings
from engine.structure.constituents import Constituent
from engine.structure.nodes_kernel import lay_out
from engine.structure.sentence_layout import (
    BASE,
    NODE_COLUMNS,
    NODE_END,
    NODE_HEAD,
    NODE_KIND,
    NODE_LABEL,
    NODE_START,
    UNARY,
    WORD,
)
from engine.structure.tagged_sentence import TaggedSentence
from engine.training.reranker import train_reranker
from engine.trees.tree import Tree
from tests.engine.small_models import RandomTrees, classroom_material, dense_material, random_reranker
from tests.trained import QUICK, model_file, trained

CLOSE = 1e-9


@cache
def small_trees() -> tuple[Tree, ...]:
    """Random trees of a small language."""
    source = RandomTrees(21)
    return tuple(source.tree(3) for _ in range(120))


@cache
def small_model() -> Model:
    """A model with a re-ranker."""

    def make() -> Model:
        return train_reranker(trained(small_trees()), small_trees(), Settings.preset(3), options=QUICK)

    return Model.load(model_file("small-reranked", make))


def test_a_tree_and_its_derivation_have_the_same_features() -> None:
    for material in (dense_material(), classroom_material()):
        parser = Parser.preset(material.model, 3)
        compared = 0
        for sentence in material.sentences[:60]:
            parses = {parse.log_probability: parse for parse in parser.parse(sentence, n_best=5).alternatives}
            derivations = list(parser.derivations(sentence, 6))
            scores = [one.log_probability for one in derivations]
            for derivation in derivations:
                parse = parses.get(derivation.log_probability)
                # Of two trees with the same score one cannot tell which is which.
                if parse is None or parse.fallback or scores.count(derivation.log_probability) > 1:
                    continue
                steps = steps_of(parse.roots[0], material.model.label_numbers)
                assert sorted(map(tuple, steps.tolist())) == sorted(map(tuple, derivation.steps.tolist()))
                rows = features_kernel.tree_features(
                    steps,
                    np.array(material.model.numbers(parse.sentence), np.int32),
                    np.arange(len(sentence.positions), dtype=np.int32),
                    np.array(sentence.commas, np.int32),
                    material.model.joined_labels,
                    punctuation_marks(sentence),
                )
                assert sorted(map(tuple, rows.tolist())) == sorted(map(tuple, derivation.features.tolist()))
                compared += 1
        assert compared > 40


def test_nodes_are_the_constituents_of_the_tree() -> None:
    material = classroom_material()
    labels = material.model.vocabulary.labels
    compared = 0
    for sentence in material.sentences[:60]:
        parse = Parser.preset(material.model, 3).parse(sentence)
        if parse.fallback:
            continue
        steps = steps_of(parse.roots[0], material.model.label_numbers)
        nodes = np.empty((len(steps), NODE_COLUMNS), np.int32)
        used = lay_out(steps, nodes, np.empty(len(steps) + 1, np.int32))
        found = sorted(
            (
                labels[row[NODE_LABEL]] if row[NODE_KIND] != WORD else "",
                *row[[NODE_START, NODE_END, NODE_HEAD]].tolist(),
            )
            for row in nodes[:used]
        )
        assert found == sorted(map(facts, parse.roots[0].walk()))
        assert (nodes[:used, NODE_KIND] == BASE).sum() == len(parse.basenps)
        compared += 1
    assert compared > 20


def facts(node: Constituent) -> tuple[str, int, int, int]:
    """Label (none for a word, whose tag may be unknown), span and head."""
    return (node.label if node.children or node.is_base else "", node.start, node.end, node.head)


def test_the_ledger_sums_to_the_new_score() -> None:
    model = small_model()
    parser = Parser.preset(model, 3, rerank=10)
    features = 0
    for sentence in dense_material().sentences[:60]:
        parse = parser.parse(sentence, n_best=4)
        scores = [one.score for one in parse.alternatives]
        assert scores == sorted(scores, reverse=True)
        for one in parse.alternatives:
            ledger = one.ledger()
            assert ledger.total == pytest.approx(one.score, abs=CLOSE)
            assert ledger.log_probability == pytest.approx(one.log_probability, abs=CLOSE)
            features += len(ledger.features)
            if not one.fallback:
                scored = parser.score(one.tree, None, one.further_backoff)
                assert scored.score == pytest.approx(one.score, abs=CLOSE)
    assert features > 100


def test_the_best_of_the_list_by_the_sum_comes_first() -> None:
    plain_model = trained(small_trees())
    reranker = random_reranker(plain_model, 3.0)
    model = plain_model.with_reranker(reranker)
    changed = 0
    for sentence in dense_material().sentences[:80]:
        plain = Parser.preset(model, 3).parse(sentence)
        listed = list(Parser.preset(model, 3).derivations(sentence, 12))
        again = Parser.preset(model, 3, rerank=12).parse(sentence)
        assert again.fallback == plain.fallback
        if plain.fallback:
            continue
        weights = dict(zip(reranker.keys.tolist(), reranker.weights.tolist(), strict=True))
        sums = [
            one.log_probability + sum(weights.get(key, 0.0) for key in features_kernel.hashes(one.features).tolist())
            for one in listed
        ]
        assert again.score == pytest.approx(max(sums), abs=CLOSE)
        changed += again.log_probability != plain.log_probability
        assert Parser.preset(model, 3, rerank=0).parse(sentence).tree == plain.tree
    assert changed > 5


@pytest.mark.parametrize("beam", [1.5, pytest.param(3.0, marks=pytest.mark.robust)])
def test_a_narrow_beam_leaves_a_way_to_build_every_item(beam: float) -> None:
    # A constituent out of the beam stays in the chart if a unary result stands on it; such an item had no way to be
    # built, so that in rare sentences no derivation at all could be listed.
    material = dense_material()
    parser = Parser.preset(material.model, 5, beam=beam, rerank=0)
    stood_upon = 0
    for sentence in material.sentences:
        chart = parser.forest(sentence, -60.0, beam=beam).chart
        items, used = int(chart.totals[layout.T_ITEMS]), int(chart.totals[layout.T_EDGES])
        first_edges, next_edges = np.empty(items, np.int32), np.full(used, -2, np.int32)
        kbest_kernel.group_edges(chart.edges, used, items, first_edges, next_edges)
        built = chart.edges[:used][next_edges > -2]
        assert (first_edges >= 0).all(), str(sentence)
        assert (built[built[:, layout.E_KIND] >= UNARY, layout.E_LEFT] >= 0).all(), str(sentence)
        stood_upon += int((built[:, layout.E_REASON] == layout.OUT_OF_BEAM).sum())
        plain, listed = parser.parse(sentence), parser.parse(sentence, n_best=5)
        assert plain.log_probability == pytest.approx(listed.log_probability, abs=CLOSE)
        for one in listed.alternatives:
            assert one.fallback or parser.score(one.tree).score == pytest.approx(one.score, abs=CLOSE)
    assert stood_upon > 0


def test_no_weights_change_nothing() -> None:
    about = {"format": RERANKER_FORMAT, "scale": 1.0}
    model = trained(small_trees()).with_reranker(Reranker(np.zeros(0, np.int64), np.zeros(0, np.float32), about))
    for sentence in dense_material().sentences[:30]:
        plain, again = Parser.preset(model, 3).parse(sentence), Parser.preset(model, 3, rerank=20).parse(sentence)
        assert (again.log_probability, again.score) == (plain.log_probability, plain.log_probability)


def test_a_reranker_is_kept_in_the_model_file(tmp_path: Path) -> None:
    small_model().save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model")
    kept = small_model().reranker
    assert loaded.reranker is not None and kept is not None
    assert loaded.reranker.keys.tolist() == kept.keys.tolist()
    assert loaded.reranker.metadata["lists"] > 10
    for sentence in dense_material().sentences[:10]:
        first, second = (Parser.preset(model, 3, rerank=10).parse(sentence) for model in (small_model(), loaded))
        assert (first.score, first.tree) == (second.score, second.tree)


def test_punctuation_is_told_by_its_kind() -> None:
    sentence = TaggedSentence.parse("``/`` Who/WP ,/, he/PRP asked/VBD --/: ,/, left/VBD ?/. ''/''")
    assert punctuation_marks(sentence).tolist() == [4, 1, 0, 3, 4 + 8 + 16]


def test_damaged_weights_are_refused() -> None:
    keys, weights = np.array([3, 2]), np.zeros(2, np.float32)
    with pytest.raises(ModelError, match="damaged"):
        Reranker(keys, weights, {"format": RERANKER_FORMAT, "scale": 1.0})
    with pytest.raises(ModelError, match="format 99"):
        Reranker(keys[::-1], weights, {"format": 99})


def test_the_number_of_parses_has_bounds() -> None:
    with pytest.raises(EngineError, match="from 0 to 500"):
        Settings.preset(3, rerank=501)


@pytest.mark.parametrize(("beam", "used"), [(3.0, 75.0), (20.0, 500.0), (600.0, 600.0)])
def test_a_list_to_be_reranked_comes_from_a_wider_beam(beam: float, used: float) -> None:
    model, tree = small_model(), small_trees()[0]
    sentence = TaggedSentence.from_tree(tree)
    parse = Parser.preset(model, 3, rerank=10, beam=beam).parse(sentence, trace=True)
    assert (parse.beam, parse.settings.beam, parse.widened) == (used, beam, False)
    assert parse.chart is not None and parse.chart.beam == used
    # The list is that of the wider beam, and no other search is wider than it was told to be.
    wider = Parser.preset(model, 3, rerank=10, beam=used, literal_beam=False).parse(sentence)
    assert used < 500 or wider.score == parse.score
    assert Parser.preset(model, 3, rerank=0, beam=beam).parse(sentence, n_best=5).beam in (beam, beam * BEAM_REPAIR)
    assert Parser.preset(model, 3, rerank=10, beam=beam, literal_beam=True).parse(sentence).beam == beam
