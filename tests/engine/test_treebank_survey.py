"""A look at treebanks before training: held against a second count, and broken trees against where they are."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import Cancelled
from engine.training.survey import TreebankSurvey, survey
from tests.engine import recount_trees as recount
from tests.engine.command_runner import Cli
from tests.engine.recount_material import head_rules

MARKED = """(ROOT (S (NP-SBJ-1 (NNP Ann)) (VP (VBD went) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB leave))))) (. .)))
(S (NP=2 (NN tea)) (VP (VBZ is) (ZZP (QQ zz) (NN top))))
(S (NP=2 (NN tea)) (VP (VBZ is) (NP (QQ zz) (NN top))))
( (S (-NONE- *T*-2)) )
(X (. .))
"""


class CountingTable(recount.HeadTable):
    """The second reading of the head rules, which notes the number of the line that decides."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.lines: dict[str, list[int]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                self.lines.setdefault(line.split()[0], []).append(number)

    def deciding(self, parent: str, labels: list[str]) -> int:
        """The line that finds a head-child."""
        own = parent if parent in self.rules else "*"
        pairs = zip(self.rules[own], self.lines[own], strict=True)
        return next(line for (search, names), line in pairs if self.found(search, names, labels) is not None)


class SecondCount:
    """Labels, tags, lengths, words and heads, counted by code that has nothing in common with the engine's."""

    def __init__(self, text: str) -> None:
        self.labels: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()
        self.heads: Counter[int] = Counter()
        self.words = self.only_children = 0
        self._table = CountingTable(head_rules())
        for line in filter(None, text.splitlines()):
            whole = recount.kept(recount.read(line), {"-NONE-"})
            if whole is None:
                continue
            self.tags.update(leaf.label for leaf in whole.leaves())
            proper = recount.kept(whole, recount.COMMAS | recount.SILENT)
            if proper is None:
                continue
            self.lengths[len(whole.leaves())] += 1
            self.words += len(proper.leaves())
            self._see_labels(recount.without_root(whole))
            self._see_heads(recount.without_root(proper))

    def _see_labels(self, node: recount.Node) -> None:
        self.labels[node.label] += not node.word
        for child in node.children:
            self._see_labels(child)

    def _see_heads(self, node: recount.Node) -> None:
        if node.word:
            return
        labels = [child.label for child in node.children]
        if len(labels) > 1:
            self.heads[self._table.deciding(node.label, labels)] += 1
        else:
            self.only_children += 1
        for child in node.children:
            self._see_heads(child)


def assert_counts(found: TreebankSurvey, text: str) -> None:
    second = SecondCount(text)
    assert dict(found.labels) == {label: count for label, count in second.labels.items() if count}
    assert dict(found.tags) == dict(second.tags)
    assert dict(found.lengths.counts) == dict(second.lengths)
    assert found.words == second.words and found.only_children == second.only_children
    assert {use.line: use.heads for use in found.head_rules if use.heads} == dict(second.heads)
    assert found.heads == second.heads.total() > 0


def test_the_classroom_is_as_a_second_count_has_it(classroom_treebank: Path) -> None:
    assert_counts(survey([classroom_treebank]), classroom_treebank.read_text())


def test_marks_repetitions_and_foreign_labels(tmp_path: Path) -> None:
    path = tmp_path / "marked.ptb"
    path.write_text(MARKED)
    found = survey([path])
    assert_counts(found, MARKED)
    assert (found.trees, found.sentences, found.broken_count) == (5, 3, 0)
    assert dict(found.function_tags) == {"SBJ": 2} and dict(found.traces) == {"*": 1, "*T*": 1}
    assert found.labels_without_rules == (("ZZP", 1),)
    foreign = [entry["name"] for part in ("labels", "tags") for entry in found.as_dict()[part] if not entry["penn"]]
    assert foreign == ["ZZP", "QQ"]
    assert found.repetitions == (1, 2, 0, 1)
    assert found.lengths.median == 4 and found.lengths.longest == 5


def test_more_tags_than_a_model_can_hold_are_told_before_training(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "many.ptb"
    for number, told in ((124, False), (125, True)):
        trees = [f"(S (NP (T{tag} dog) (T{tag} dog)) (VP (VBD ran)) (. .))" for tag in range(number)]
        path.write_text("\n".join(trees))
        found = survey([path])
        assert bool(found.too_many_tags) is told is ("too many tags" in dict(found.overview()))
        assert bool(found.as_dict()["too_many_tags"]) is told
        ran = cli("survey", path)
        assert ran.status == 0 and ("126 tags besides punctuation, and a model can hold 125" in ran.out) is told
    assert "T0 (2), T1 (2), T10 (2)" in ran.out
    assert found.too_many_tags in cli("train", path, "-o", tmp_path / "m").err


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), min_size=1, max_size=8))
def test_broken_trees_are_told_with_line_and_column(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[tuple[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("bank") / "broken.ptb"
    wanted: list[tuple[int, int, str]] = []
    lines: list[str] = []
    for kind, depth in kinds:
        tree = "(X " * depth + "(S (NP (NN tea)) (VP (VBZ cools)))" + ")" * depth
        if kind == "a":
            wanted.append((len(lines) + 1, len(tree) + 1, "a ) that closes nothing"))
            tree += ")"
        elif kind == "b":
            place = tree.index(" (VP") + 1
            wanted.append((len(lines) + 1, place + 1, "the word 'loose' stands inside (S …) without a tag"))
            tree = tree[:place] + "loose " + tree[place:]
        lines += [tree, ""]
    path.write_text("\n".join(lines))
    found = survey([path])
    assert [(one.line, one.column, one.problem) for one in found.broken] == wanted
    # A tree that one ) too many follows is whole.
    assert found.trees == sum(kind != "b" for kind, _ in kinds)
    assert found.broken_count == len(wanted)


@pytest.mark.usefixtures("pickled_workers")
def test_treebanks_are_told_apart_and_processes_change_nothing(tmp_path: Path, classroom_treebank: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.mrg").write_text(MARKED + "(S (NN a) b)\n")
    told: list[float] = []
    found = survey([classroom_treebank, folder], progress=lambda stage, share: told.append(share))
    assert [(one.name, one.files, one.trees, one.broken) for one in found.sources] == [
        ("classroom.ptb", 1, 130, 0),
        ("bank", 3, 15, 3),
    ]
    assert told == sorted(told) and told[-1] == 1.0
    assert survey([classroom_treebank, folder], jobs=2) == found


def test_a_survey_can_be_cancelled(classroom_treebank: Path) -> None:
    with pytest.raises(Cancelled):
        survey([classroom_treebank], cancelled=lambda: True)


def test_the_command_says_the_same_in_three_ways(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN b) c)\n")
    ran = cli("survey", classroom_treebank, broken)
    assert ran.status == 1 and f"{broken}, line 1, column 11: the word 'c'" in ran.out
    stored = json.loads(cli("survey", classroom_treebank, broken, "--json").out)
    assert stored["trees"] == 130 and stored["broken_trees"] == 1 and stored["broken"][0]["column"] == 11
    assert abs(sum(rule["share"] for rule in stored["head_rules"]) - 1) < 1e-4
    rows = list(csv.DictReader(io.StringIO(cli("survey", classroom_treebank, broken, "--csv").out)))
    assert {row["kind"] for row in rows} >= {"treebank", "label", "tag", "length", "head rule", "broken"}
    named = {entry["name"]: entry["count"] for entry in stored["labels"]}
    assert {row["name"]: int(row["count"]) for row in rows if row["kind"] == "label"} == named
    assert cli("survey", classroom_treebank).status == 0
    assert cli("survey", tmp_path / "none.ptb").status == 2


def test_other_head_rules_decide_otherwise(tmp_path: Path, classroom_treebank: Path) -> None:
    table = tmp_path / "rules.txt"
    table.write_text("# mine\nNP right\n* left\n")
    found = survey([classroom_treebank], head_rules=table)
    assert [(use.line, use.parent, use.is_default) for use in found.head_rules] == [(2, "NP", True), (3, "*", True)]
    assert found.heads == survey([classroom_treebank]).heads
