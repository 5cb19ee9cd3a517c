"""Systems compared: our presets and files of other parsers' trees, scored on the same sentences."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from engine.chart.parser import Parser
from engine.common.errors import Cancelled, EngineError
from engine.model.model import Model
from engine.settings import Settings
from engine.study.evaluation import evaluate
from engine.study.foreign_trees import Problem, read_foreign_trees, token_differences
from engine.study.parseval import Summary, score_pair
from engine.study.systems import MEASURES, ModelSystem, System, TreesSystem, run_systems
from engine.study.systems_report import SystemsReport, compare_systems, report_of, systems_tables
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank

GOLD = [
    "(S (NP (NNP John)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN fork)))) (. .))",
    "( (S (NP-SBJ-1 (PRP She)) (VP (MD ca) (RB n't) (VP (VB leave) (NP (-NONE- *T*-1)))) (. .)) )",
    "(S (`` ``) (NP (NNP Mary)) (VP (VBD left)) ('' '') (-LRB- -LRB-) (ADVP (RB early)) (-RRB- -RRB-))",
    "(S (NP (DT The) (NN dog)) (VP (VBD barked)) (. .))",
]
ATTACHED_LOW = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN fork))))) (. .))"
)


@pytest.fixture
def golds() -> list[Tree]:
    """Gold trees with what treebanks have: an empty root, traces, function tags, brackets and quotes."""
    return [read_tree(text) for text in GOLD]


def written(folder: Path, *lines: str, name: str = "theirs.txt") -> Path:
    """A file of trees, one a line."""
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(path: Path, golds: list[Tree]) -> tuple[list[Tree | None], dict[int, Problem], int]:
    """The trees of a file, its problems by sentence, and how many tokens were written otherwise."""
    found = read_foreign_trees(path, golds, range(1, len(golds) + 1), "theirs")
    return found.trees, found.problems, found.respelled


def compared(golds: list[Tree], *paths: Path, skip_bad: bool = False) -> SystemsReport:
    """Files of trees compared, with few resamples."""
    systems = [TreesSystem(path.stem, path) for path in paths]
    return compare_systems(golds, systems, resamples=200, skip_bad=skip_bad)


# Foreign trees ----------------------------------------------------------------------------------------------------


def test_the_gold_trees_themselves_are_right_in_everything(tmp_path: Path, golds: list[Tree]) -> None:
    trees, problems, respelled = read(written(tmp_path, *GOLD), golds)
    assert problems == {} and respelled == 0
    for gold, tree in zip(golds, trees, strict=True):
        assert tree is not None and score_pair(gold, tree).complete


def test_other_roots_function_tags_quotes_escapes_and_capitals_are_no_other_words(
    tmp_path: Path, golds: list[Tree]
) -> None:
    theirs = (
        f"(ROOT {GOLD[0].lower().replace('john', 'JOHN')})".replace("(s ", "(S "),
        "(S1 (S (NP-SBJ (PRP she)) (VP (MD ca) (RB n’t) (VP (VB leave))) (. .)))",
        "(TOP (S (`` “) (NP (NNP Mary)) (VP (VBD left)) ('' \") (-LRB- -LRB-) (ADVP (RB early)) (-RRB- -RRB-)))",
        GOLD[3],
    )
    trees, problems, respelled = read(written(tmp_path, *theirs), golds)
    assert problems == {}
    # JOHN, she, n’t and both quotes.
    assert respelled == 5
    assert trees[1] is not None and trees[1].words() == ["She", "ca", "n't", "leave", "."]
    assert all(tree is not None and not score_pair(gold, tree).failed for gold, tree in zip(golds, trees, strict=True))
    assert score_pair(golds[1], trees[1]).complete


@pytest.mark.parametrize("nothing", ["", "   ", "()", "(())", "( ( ) )"])
def test_a_sentence_without_a_parse_costs_recall_and_is_no_problem(
    tmp_path: Path, golds: list[Tree], nothing: str
) -> None:
    report = compared(golds, written(tmp_path, *GOLD, name="gold.txt"), written(tmp_path, *GOLD[:3], nothing))
    assert report.problems == () and [result.failed for result in report.results] == [0, 1]
    assert report.measures[1]["labeled_recall"].estimate < 100 == report.measures[1]["labeled_precision"].estimate
    assert report.rows[3].results[1].tree == ""


def test_a_tokenisation_that_differs_is_told_token_by_token(tmp_path: Path, golds: list[Tree]) -> None:
    other = "(S (NP (PRP She)) (VP (MD can't) (VP (VB leave) (NP (NN now)))) (. .))"
    _, problems, _ = read(written(tmp_path, GOLD[0], other, *GOLD[2:]), golds)
    assert list(problems) == [1]
    assert [str(one) for one in problems[1].differences] == [
        "token 2: gold `ca n't` | theirs `can't`",
        "token 5: gold nothing | theirs `now`",
    ]
    assert "theirs.txt, line 2, sentence 2: its tokens are not those of the gold tree" in str(problems[1])


def test_differences_of_tokens() -> None:
    assert token_differences(["a", "-LRB-", "``"], ["A", "(", '"']) == ()
    assert str(token_differences(["a", "b"], ["a"])[0]) == "token 2: gold `b` | theirs nothing"
    many = token_differences(list("abcdefgh"), list("axcxexgx"))
    assert len(many) == 4
    assert str(Problem("it", 1, "f", "other", many)).endswith("theirs `x`; and 1 place more)")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("(S (NP (DT The) (NN dog)) (VP (VBD barked)) (. .)", "lacks 1 closing )"),
        ("(S (NP (DT The) (NN dog)) (VP (VBD barked)) (. .)))", "closes nothing"),
        ("(", "lacks 1 closing )"),
        ("The dog barked .", "outside any bracket without a tag"),
        (f"{GOLD[3]} {GOLD[3]}", "2 trees on one line"),
        ("(S (NP) (VP (VBD barked)))", "neither a word nor children"),
        ("(X " * 400 + "(NN dog)" + ")" * 400, "nested more than"),
    ],
)
def test_a_broken_line_is_told_and_the_rest_is_read(tmp_path: Path, golds: list[Tree], line: str, problem: str) -> None:
    trees, problems, _ = read(written(tmp_path, *GOLD[:2], line, *GOLD[3:]), golds)
    assert list(problems) == [2] and problem in problems[2].what and "line 3" in problems[2].where
    assert [tree is not None for tree in trees] == [True, True, False, True]


def test_trees_over_several_lines_are_read_too(tmp_path: Path, golds: list[Tree]) -> None:
    """As parsers print them: indented, with an empty line after each."""
    path = tmp_path / "pretty.txt"
    path.write_text("\n\n".join(gold.pretty(40) for gold in golds) + "\n\n")
    assert "\n  " in path.read_text()
    trees, problems, _ = read(path, golds)
    assert problems == {} and all(tree is not None for tree in trees)


def test_a_line_too_few_and_a_line_too_many(tmp_path: Path, golds: list[Tree]) -> None:
    fewer = written(tmp_path, *GOLD[:1], *GOLD[2:], name="fewer.txt")
    trees, problems, _ = read(fewer, golds)
    assert list(problems) == [1] and "the file has 3 lines for 4 gold trees" in problems[1].what
    assert [tree is not None for tree in trees] == [True, False, True, True]
    more = written(tmp_path, *GOLD, "(S (NP (NNP Bill)) (VP (VBD left)))", name="more.txt")
    with pytest.raises(EngineError, match=r"more: the file has 1 tree to which no gold tree belongs"):
        compared(golds, written(tmp_path, *GOLD), more)
    assert compared(golds, written(tmp_path, *GOLD), more, skip_bad=True).results[1].surplus == 1


def test_lines_that_are_moved_are_found_by_their_words(tmp_path: Path, golds: list[Tree]) -> None:
    """As many lines as gold trees, but one is missing and one is too many: all between them stand elsewhere."""
    trees, problems, _ = read(written(tmp_path, *GOLD[1:], "(S (NP (NNP Bill)) (VP (VBD left)))"), golds)
    assert list(problems) == [0] and "there is no line for it" in problems[0].what
    assert [tree is not None for tree in trees] == [False, True, True, True]


def test_a_file_that_cannot_be_used_ends_in_one_sentence(tmp_path: Path, golds: list[Tree]) -> None:
    with pytest.raises(EngineError, match="there is no such file"):
        read(tmp_path / "none.txt", golds)
    with pytest.raises(EngineError, match="there is no tree in the file"):
        read(written(tmp_path, "", "()"), golds)
    with pytest.raises(EngineError, match="outside any bracket"):
        read(written(tmp_path, "no tree at all"), golds)
    (tmp_path / "latin.txt").write_bytes("(S (NN caf\xe9))".encode("latin-1"))
    with pytest.raises(EngineError, match="not UTF-8"):
        read(tmp_path / "latin.txt", golds)


def test_windows_line_ends_marks_and_gzip_are_read(tmp_path: Path, golds: list[Tree]) -> None:
    path = tmp_path / "theirs.txt.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + "\r\n".join(GOLD).encode() + b"\r\n"))
    trees, problems, _ = read(path, golds)
    assert problems == {} and all(tree is not None for tree in trees)


def test_sentences_that_one_system_cannot_be_scored_for_are_left_out_of_all(tmp_path: Path, golds: list[Tree]) -> None:
    gold = written(tmp_path, *GOLD, name="gold.txt")
    theirs = written(tmp_path, GOLD[0], "(S (NP (PRP She)) (VP (MD can't)) (. .))", "(S", GOLD[3])
    with pytest.raises(EngineError) as refused:
        compared(golds, gold, theirs)
    assert "sentence 2" in str(refused.value) and "gold `ca n't leave` | theirs `can't`" in str(refused.value)
    assert "1 more such sentence" in str(refused.value) and "--skip-bad" in str(refused.value)
    report = compared(golds, gold, theirs, skip_bad=True)
    assert [row.number for row in report.rows] == [1, 4]
    assert [problem.number for problem in report.problems] == [2, 3]


# The report -------------------------------------------------------------------------------------------------------


def test_a_system_that_is_wrong_in_one_attachment(tmp_path: Path, golds: list[Tree]) -> None:
    report = compared(
        golds, written(tmp_path, *GOLD, name="gold.txt"), written(tmp_path, ATTACHED_LOW, *GOLD[1:], name="low.txt")
    )
    pair = report.pair(0, 1)
    assert (pair.f1.wins, pair.f1.ties, pair.f1.losses) == (1, 3, 0)
    # One sentence differs: two ways to exchange it, both as great.
    assert (pair.f1.sign_flip_p, pair.f1.exact) == (1.0, True)
    assert [(row.kind.value, row.counts) for row in report.errors] == [("PP attachment", (0, 1))]
    assert (pair.errors[0].wins, pair.errors[0].losses) == (1, 0)
    assert pair.errors[0].difference.estimate == -25
    assert [row.number for row in report.largest(pair, wins=True)] == [1]
    assert report.largest(pair, wins=False) == []
    assert [(row.title, row.sentences) for row in report.lengths] == [("1–10", 4)]


def test_measures_are_those_of_an_evaluation(classroom_model: Path, classroom: Model, classroom_treebank: Path) -> None:
    golds = list(read_treebank([classroom_treebank]))[::5]
    systems = [ModelSystem(f"({preset})", classroom_model, Settings.preset(preset), preset) for preset in (1, 3)]
    report = compare_systems(golds, systems, resamples=200)
    for system, measures in zip(systems, report.measures, strict=True):
        summary = evaluate(Parser(classroom, system.settings), golds, [None]).summaries[None]
        for name in MEASURES:
            assert measures[name].estimate == pytest.approx(getattr(summary, name)), name
            assert measures[name].low <= measures[name].estimate <= measures[name].high


def test_measures_with_failures_are_those_of_a_summary(tmp_path: Path, golds: list[Tree]) -> None:
    golds.append(read_tree("(X (. .) (. .))"))
    theirs = written(tmp_path, ATTACHED_LOW, "", *GOLD[2:], "(X (. .) (. .))")
    report = compared(golds, theirs, written(tmp_path, *GOLD, "(X (. .) (. .))", name="gold.txt"))
    summary = Summary()
    for gold, line in zip(golds, theirs.read_text().split("\n"), strict=False):
        summary.add(score_pair(gold, read_tree(line) if line else None))
    assert (summary.failed, summary.skipped) == (1, 1)
    for name in MEASURES:
        assert report.measures[0][name].estimate == pytest.approx(getattr(summary, name)), name


@pytest.mark.usefixtures("pickled_workers")
def test_several_processes_and_a_second_run_give_the_same(
    tmp_path: Path, classroom_model: Path, classroom_treebank: Path
) -> None:
    golds = list(read_treebank([classroom_treebank]))[::13]
    theirs = written(tmp_path, *(gold.brackets() for gold in golds))
    systems: list[System] = [
        ModelSystem("best tags", classroom_model, Settings.preset(3), 3, "best"),
        ModelSystem("five", classroom_model, Settings.preset(5), 5),
        TreesSystem("gold", theirs),
    ]
    told: list[float] = []
    one = compare_systems(golds, systems, resamples=200, progress=lambda share, text: told.append(share))
    assert told == sorted(told) and told[-1] == 1
    assert json.dumps(one.as_dict()) == json.dumps(compare_systems(golds, systems, resamples=200, jobs=2).as_dict())
    assert [(pair.first, pair.second) for pair in one.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert one.measures[2]["f1"].estimate == 100
    assert all(pair.adjusted_p >= pair.f1.sign_flip_p for pair in one.pairs)


def test_it_can_be_cancelled(classroom_model: Path, classroom_treebank: Path) -> None:
    golds = list(read_treebank([classroom_treebank]))
    systems = [ModelSystem(f"({preset})", classroom_model, Settings.preset(preset), preset) for preset in (1, 2)]
    asked: list[bool] = []

    def after_three() -> bool:
        asked.append(True)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        compare_systems(golds, systems, cancelled=after_three)
    assert len(asked) == 4


def test_working_out_intervals_can_be_cancelled_at_every_draw(tmp_path: Path, golds: list[Tree]) -> None:
    systems = [TreesSystem(name, written(tmp_path, *GOLD)) for name in ("one", "other")]
    results = run_systems(golds, systems)
    asked = [0]

    def cancelled() -> bool:
        asked[0] += 1
        return asked[0] == wanted

    wanted = 0
    report_of(results, resamples=200, cancelled=cancelled)
    # Two whole samples at least, and every test of the pair.
    assert asked[0] > 5
    for wanted in range(1, asked[0] + 1):
        asked[0] = 0
        with pytest.raises(Cancelled):
            report_of(results, resamples=200, cancelled=cancelled)
        assert asked[0] == wanted


def test_too_few_systems_names_twice_and_nothing_to_compare(tmp_path: Path, golds: list[Tree]) -> None:
    gold = TreesSystem("gold", written(tmp_path, *GOLD))
    with pytest.raises(EngineError, match="two systems or more, not 1"):
        compare_systems(golds, [gold])
    with pytest.raises(EngineError, match="two systems are called `gold`"):
        compare_systems(golds, [gold, gold])
    with pytest.raises(EngineError, match="no sentences to compare"):
        compare_systems(golds, [gold, TreesSystem("same", gold.trees)], longest=2)


def test_sentences_that_are_too_long_are_left_out(tmp_path: Path, golds: list[Tree]) -> None:
    gold = written(tmp_path, *GOLD)
    report = compare_systems(golds, [TreesSystem("a", gold), TreesSystem("b", gold)], longest=5, resamples=100)
    assert [row.number for row in report.rows] == [2, 4] and report.too_long == 2


def test_tables_have_every_system_pair_length_error_and_sentence(tmp_path: Path, golds: list[Tree]) -> None:
    low = written(tmp_path, ATTACHED_LOW, *GOLD[1:], name="low.txt")
    report = compared(golds, written(tmp_path, *GOLD, name="gold.txt"), low)
    tables = systems_tables(report, ("system", "pair", "length", "error", "sentence"), "four trees")
    texts = [table.text() for table in tables]
    assert "100.0 [100.0, 100.0]" in texts[0] and "trees of low.txt" in texts[0] and "four trees" in texts[0]
    assert "gold − low" in texts[1] and "1–10" in texts[2] and "PP attachment" in texts[3]
    assert "John saw the man with a fork ." in texts[4]
    exact = tables[1].csv().split("\n")
    assert exact[0].startswith("source,measure,difference,difference_low,difference_high,bootstrap_p,sign_flip_p")
    assert "$-$" in tables[1].latex()
