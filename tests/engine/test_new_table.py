"""Adding a count table is one entry in the list of specifications, and one in the chain of its estimate."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.common.resources import model_file
from engine.counts.specifications_layout import TABLES, UNNAMED_TABLES

PACKAGE = Path(engine.__file__).parent
MARK = "# A new table is written here.\n"
ENTRIES = """
NEW_DEPENDENCY = _table(
    "new-dependency", "test: modifier's word, head's tag, before the head", CountedFactor.DEPENDENCY, "new",
    MODIFIER_WORD, HEAD_TAG, DISTANCE_ORDER, BEFORE_HEAD,
)
NEW_GAP = _table(
    "new-gap", "test: left word, right tag, before, after", CountedFactor.GAP, "new",
    LEFT_WORD, RIGHT_TAG, COMMA_BETWEEN, TAG_AFTER, TAG_BEFORE,
)
NEW_UNARY = _table(
    "new-unary", "test: label, head-word, after", CountedFactor.UNARY, "new",
    CONSTITUENT_LABEL, CONSTITUENT_WORD, TAG_AFTER,
)
NEW_SPAN = _table(
    "new-span", "test: last word", CountedFactor.SPAN, "new",
    SPAN_LENGTH, SPAN_LAST_WORD, SPAN_BEFORE,
)
"""
LEVELS = {
    "    _level(DEPENDENCY_PAIR, c=2.5),\n": "    _level(NEW_DEPENDENCY, c=4.0),\n",
    "    _level(GAP_PAIR, c=1.0),\n": "    _level(NEW_GAP, c=2.0),\n",
}
"""Levels of chains of preset (5), and those that are added behind them."""
SCRIPT = """
import sys
from pathlib import Path
import engine
from engine.study.counted import Counted, count_in
from engine.study.evidence import Evidence, read_trees
from engine.counts.contexts import describe_context, describe_outcome
from engine.counts.counting import table_sizes
from engine.counts.specifications_layout import TABLES, NEW_DEPENDENCY, NEW_GAP, NEW_SPAN, NEW_UNARY
from engine.counts.tables import table_contexts, table_outcomes

assert str(Path(engine.__file__).parent) == sys.argv[1], engine.__file__
treebank, old, new = sys.argv[2:]
sentence = "Mary/NNP saw/VBD the/DT man/NN with/IN a/DT telescope/NN ./."

# A model that was trained before opens, with an empty table in its place, and parses as it did.
before = engine.load(old)
assert len(before.counts.places) == len(TABLES)
assert [size for name, *size in table_sizes(before.counts) if name == TABLES[NEW_GAP].title] == [[0, 0]]
print(engine.Parser.preset(before, 2).parse(sentence).tree.brackets())

# A new one has it, counts in it what is shown for it, and tells of it in words; and so it does from its file.
engine.train([treebank], tagger=False).save(new)
model = engine.load(new)
evidence = Evidence(model, read_trees([treebank], model.rules))
for table in (NEW_DEPENDENCY, NEW_GAP, NEW_UNARY, NEW_SPAN):
    contexts = table_contexts(model.counts, table)
    outcomes = table_outcomes(model.counts, contexts)
    assert len(contexts.keys) > 20 and len(outcomes.etas) > 2
    for place in range(0, len(contexts.keys), max(len(contexts.keys) // 25, 1)):
        counted = Counted("new", table, (int(contexts.keys[place]),))
        assert count_in(model.counts, counted) == contexts.deltas[place] == len(evidence.instances(counted))
    for place in range(0, len(outcomes.etas), max(len(outcomes.etas) // 25, 1)):
        key, outcome = int(contexts.keys[outcomes.places[place]]), int(outcomes.outcomes[place])
        counted = Counted("new", table, (key,), outcome)
        assert count_in(model.counts, counted) == outcomes.etas[place] == len(evidence.instances(counted))
    key = int(contexts.keys[outcomes.places[0]])
    print(describe_context(model.vocabulary, model.counts.widths, table, key), end=" | ")
    print(describe_outcome(model.vocabulary, table, int(outcomes.outcomes[0])))

# Preset (5) mixes it in, and its ledger tells of it; where it is empty nothing changes.
print(engine.Parser.preset(before, 5).parse(sentence).log_probability)
parse = engine.Parser.preset(model, 5).parse(sentence)
ledger = parse.ledger()
assert abs(ledger.total - parse.score) < 1e-9
for kind in ("dependency", "gap"):
    factors = [factor for factor in ledger if factor.kind == kind]
    assert all(factor.levels[1].name == "new" for factor in factors) and any("new" in factor.used for factor in factors)
print(dict((name, contexts > 0) for name, contexts, _ in table_sizes(model.counts))[TABLES[NEW_GAP].title])
"""


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the entries and levels, and nothing else, added."""
    folder = tmp_path_factory.mktemp("changed") / "engine"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "counts" / "specifications_layout.py"
    text = path.read_text("utf-8")
    assert text.count(MARK) == 1
    path.write_text(text.replace(MARK, MARK + ENTRIES), "utf-8")
    path = folder / "estimates" / "estimates_layout.py"
    text = path.read_text("utf-8").replace(
        "    GAP_TAG_PAIR,\n", "    GAP_TAG_PAIR,\n    NEW_DEPENDENCY,\n    NEW_GAP,\n", 1
    )
    for level, added in LEVELS.items():
        assert text.count(level) == 1
        text = text.replace(level, level + added)
    path.write_text(text, "utf-8")
    return folder


def test_an_entry_is_counted_found_described_and_kept(changed: Path, classroom_treebank: Path, tmp_path: Path) -> None:
    old, new = model_file("classroom"), tmp_path / "new.model"
    environment = {**os.environ, "PYTHONPATH": str(changed.parent), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", SCRIPT, str(changed), str(classroom_treebank), str(old), str(new)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    tree, dependency, gap, unary, span, log_probability, has_it = done.stdout.splitlines()
    sentence = "Mary/NNP saw/VBD the/DT man/NN with/IN a/DT telescope/NN ./."
    assert tree == engine.Parser.preset(engine.load("classroom"), 2).parse(sentence).tree.brackets()
    assert " → " in dependency and " before the head" in dependency and "<" in dependency
    assert " between; " in gap and " after | gap tag " in gap
    assert " headed by " in unary and " after | " in unary and "unary" in unary
    assert span.startswith("a span of ")
    assert has_it == "True"
    own = engine.Parser.preset(engine.load("classroom"), 5).parse(sentence).log_probability
    assert float(log_probability) == pytest.approx(own, abs=1e-9)
    # This program does not know the new tables: it leaves them out, and opens the file all the same.
    model = engine.load(new)
    assert len(model.counts.places) == len(TABLES)
    opened = engine.Parser.preset(model, 3).parse(sentence)
    trained = engine.Parser.preset(engine.train([classroom_treebank], tagger=False), 3).parse(sentence)
    assert (opened.tree.brackets(), opened.log_probability) == (trained.tree.brackets(), trained.log_probability)


def test_files_that_do_not_name_their_tables_keep_theirs() -> None:
    """A table is added at the end of the list: before it are the 35 of a file without names, in their order."""
    assert len(UNNAMED_TABLES) == 35
    assert UNNAMED_TABLES[0] == "dependency-pair" and UNNAMED_TABLES[-1] == "unary-inner"
    assert len({table.name for table in TABLES}) == len({table.title for table in TABLES}) == len(TABLES)
