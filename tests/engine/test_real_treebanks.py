"""What must hold over whole real treebanks, which are no part of the project.

Every run asks the same of small material: that ledgers sum to the score in ``test_exact_search.py``, verdicts in
``test_verdicts.py`` and ``test_reranker.py``, accuracy in ``test_bundled_models.py`` and ``test_cli.py``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import engine
from engine.chart.parser import Parser
from engine.common.resources import bundled_models
from engine.study.errors import classify_errors
from engine.study.verdicts import VerdictKind, verdict
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    """A model of the whole of GUM's training part."""
    path = tmp_path_factory.mktemp("gum") / "gum.model"
    engine.train([treebanks / "gum-train.ptb"]).save(path)
    return engine.load(path)


@pytest.fixture(scope="module")
def dev_trees(treebanks: Path) -> list[Tree]:
    """GUM's dev part."""
    return [tree for tree in read_treebank([treebanks / "gum-dev.ptb"]) if isinstance(tree, Tree)]


@pytest.mark.parametrize("preset", [2, 3, 5])
def test_every_ledger_sums_to_the_score_of_the_chart(model: engine.Model, dev_trees: list[Tree], preset: int) -> None:
    parser = Parser.preset(model, preset)
    worst = 0.0
    count = 0
    for tree in dev_trees:
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = engine.TaggedSentence.from_tree(cleaned)
        if len(sentence) > 100:
            continue
        parse = parser.parse(sentence)
        count += 1
        if parse.log_probability > -1e300:
            worst = max(worst, abs(parse.ledger().total - parse.log_probability))
        assert parse.tree.words() == list(sentence.words)
        assert parse.tree.tags() == list(sentence.tags)
    assert count > 1500
    assert worst < 1e-9


def test_accuracy_does_not_fall(model: engine.Model, dev_trees: list[Tree]) -> None:
    """A guard, not a measurement: the manual has the figures."""
    trees = dev_trees[::3]
    evaluation = engine.evaluate(Parser.preset(model, 2), trees, [40])
    assert evaluation.summaries[40].f1 > 80.5
    evaluation = engine.evaluate(Parser.preset(model, 5), trees, [40])
    assert evaluation.summaries[40].f1 > 83.5


@pytest.mark.parametrize(("preset", "beam"), [(3, 3), (3, 1e6), (5, 3), (5, 1000)])
def test_every_wrong_parse_is_explained(model: engine.Model, dev_trees: list[Tree], preset: int, beam: float) -> None:
    """Contributions sum to the difference of scores, and the beam that is named repairs a search error."""
    parser = Parser.preset(model, preset, beam=beam, rerank=0)
    kinds = Counter[VerdictKind]()
    for tree in dev_trees[::12]:
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = engine.TaggedSentence.from_tree(cleaned)
        if not sentence.positions or len(sentence) > 60:
            continue
        found = verdict(parser, tree)
        kinds[found.kind] += 1
        assert (found.kind is VerdictKind.OUTSIDE) <= bool(found.impossibilities)
        if found.difference is not None and found.gold.possible:
            assert found.difference.total == pytest.approx(-found.nats, abs=1e-9)
        if found.kind is VerdictKind.SEARCH:
            assert found.losses and found.repair is not None and found.repair.beam is not None
            wide = Parser.preset(model, preset, beam=found.repair.beam, rerank=0).parse(sentence)
            assert wide.log_probability >= found.gold.log_probability - 1e-9
        wrong = classify_errors(found.parse.tree, tree)
        brackets = sum(len(mistake.missing) + len(mistake.extra) for mistake in wrong)
        assert brackets == len(found.comparison.missing) + len(found.comparison.extra)
    assert kinds[VerdictKind.MODEL] > 20 and kinds[VerdictKind.OUTSIDE] > 20
    assert (kinds[VerdictKind.SEARCH] > 0) == (beam == 3), kinds


@pytest.mark.parametrize("beam", [3, 1000, 1e6])
def test_with_a_re_ranker_every_search_error_is_repaired(dev_trees: list[Tree], beam: float) -> None:
    """The ledger sums to the new score, and the change of the search that is named finds gold or what is as good."""
    model = engine.load(bundled_models()["english"])
    parser = Parser.preset(model, 5, beam=beam)
    kinds = Counter[VerdictKind]()
    # In one of these the narrow beam leaves nothing but a unary result on a constituent that was pruned.
    for tree in [*dev_trees[::12], dev_trees[1153]]:
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = engine.TaggedSentence.from_tree(cleaned)
        if not sentence.positions or len(sentence) > 45:
            continue
        found = verdict(parser, tree)
        kinds[found.kind] += 1
        assert found.parse.fallback or found.parse.ledger().total == pytest.approx(found.parse.score, abs=1e-9)
        if found.difference is not None and found.gold.possible:
            assert found.difference.total == pytest.approx(-found.nats, abs=1e-9)
        if found.kind is VerdictKind.SEARCH:
            assert found.losses and found.repair is not None
            again = engine.Parser(model, found.repair.applied(parser.settings)).parse(sentence)
            assert again.score >= found.gold.score - 1e-9
    assert kinds[VerdictKind.MODEL] > 20 and kinds[VerdictKind.RERANKING] > 0 and kinds[VerdictKind.OUTSIDE] > 20
    assert beam != 3 or kinds[VerdictKind.SEARCH] > 3, kinds
