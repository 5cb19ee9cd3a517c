"""What must hold over whole real treebanks; skipped where ``../shared/treebanks`` is not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.treebank import read_treebank
from engine.trees import clean

TREEBANKS = Path(__file__).parents[2].parent / "shared" / "treebanks"

pytestmark = pytest.mark.skipif(not TREEBANKS.is_dir(), reason=f"needs the treebanks in {TREEBANKS.parent.name}/")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    path = tmp_path_factory.mktemp("gum") / "gum.model"
    engine.train([TREEBANKS / "gum-train.ptb"]).save(path)
    return engine.load(path)


@pytest.mark.parametrize("preset", [2, 3, 5])
def test_every_ledger_sums_to_the_score_of_the_chart(model: engine.Model, preset: int):
    parser = model.parser(preset)
    worst = 0.0
    count = 0
    for tree in read_treebank([TREEBANKS / "gum-dev.ptb"]):
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


def test_accuracy_does_not_fall(model: engine.Model):
    """A guard, not a measurement: the README has the figures."""
    trees = list(read_treebank([TREEBANKS / "gum-dev.ptb"]))[::3]
    evaluation = engine.evaluate(model.parser(2), trees, [40])
    assert evaluation.summaries[40].f1 > 80.5
    evaluation = engine.evaluate(model.parser(5), trees, [40])
    assert evaluation.summaries[40].f1 > 83.5
