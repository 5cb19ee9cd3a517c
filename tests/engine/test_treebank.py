"""The treebank of ``resources/treebank``: nothing that must not be is in it, and the checks see what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.trees.reading import read_tree
from tests import treebank
from tests.treebank import FRAMES, PARTS, Problem, Row, alternatives, batch_rows, problems_of, table, tree_problems

GOOD = "(S (NP (PRP She)) (VP (VBD put) (NP (DT the) (NN cup)) (PP (IN on) (NP (DT the) (NN shelf)))) (. .))"


def found(tree: str, genre: str = "home") -> str:
    """What is wrong with a tree, in one line."""
    return "; ".join(problem.what for problem in tree_problems([Row(read_tree(tree), "here", genre, "train")]))


def test_nothing_is_wrong_with_what_is_filed() -> None:
    rows = list(treebank.filed_rows())
    assert [str(problem) for problem in (*problems_of(rows), *treebank.table_problems(rows))] == []


def test_nothing_is_wrong_with_batches_that_wait_to_be_filed() -> None:
    problems: list[Problem] = []
    files = sorted((treebank.TREEBANK / "batches").glob("*.txt"))
    rows = [row for file in files for row in batch_rows(file, problems)]
    assert [str(problem) for problem in (*problems, *problems_of(rows, list(treebank.filed_rows())))] == []


def test_the_trees_of_the_guidelines_follow_them() -> None:
    rows = list(treebank.guideline_rows())
    assert len(rows) > 40
    assert [str(problem) for problem in tree_problems(rows)] == []


def test_every_pattern_of_the_tables_can_be_read() -> None:
    assert all(alternatives(row["pattern"]) for row in table("plan.tsv") if row["kind"] != "genre")
    assert treebank.never()
    assert {frame for row in table("verbs.tsv") for frame in row["frames"].split()} <= set(FRAMES)


def test_the_plan_sums_to_five_thousand() -> None:
    assert sum(int(row["wanted"]) for row in table("plan.tsv") if row["kind"] == "genre") == 5000


def test_a_good_tree_has_no_problem() -> None:
    assert found(GOOD) == ""


@pytest.mark.parametrize(
    ("change", "to", "what"),
    [
        ("(NP (PRP She))", "(NP (NP (PRP She)))", "alone under one of the same label"),
        ("(PP (IN on) (NP (DT the) (NN shelf)))", "(PP (IN on))", "without an object"),
        ("(VBD put)", "(ADJP (JJ wet))", "a VP without a verb"),
        (" (. .)", "", "the final mark is missing"),
        ("(NN cup)", "(NNX cup)", "no tag of the guidelines"),
        ("(PP ", "(ZP ", "no label of the guidelines"),
        ("(IN on)", "(TO to)", "the preposition is tagged IN"),
        ("(PRP She)", "(PRP she)", "no capital"),
        ("(DT the) (NN cup)", "(DT a) (NN egg)", "a egg"),
        ("(VBD put)", "(RB quickly) (VBD put)", "an adverb has an ADVP"),
        ("(VBD put)", "(MD will) (VB put)", "two verbs in one VP"),
        ("(VBD put)", "(VBP put) (PRT (IN in))", "PRT holds RP"),
        ("(NP (DT the) (NN cup)) (PP (IN on) (NP (DT the) (NN shelf)))",
         "(NP (DT the) (NN cup) (PP (IN on) (NP (DT the) (NN shelf))))", "brackets of its own"),
        ("(NN cup)", "(VBD cup)", "a verb in a noun"),
        ("(S (NP (PRP She)) (VP", "(S (NP (PRP She)) (SBAR", "an SBAR without a clause"),
    ],
)  # fmt: skip
def test_what_must_not_occur_is_found(change: str, to: str, what: str) -> None:
    assert change in GOOD
    assert what in found(GOOD.replace(change, to))


def test_sentences_that_come_twice_or_nearly_are_found() -> None:
    trees = [GOOD, GOOD, GOOD.replace("cup", "mug")]
    rows = [Row(read_tree(tree), f"here:{number}", "home", "train") for number, tree in enumerate(trees)]
    what = [problem.what for problem in problems_of(rows)]
    assert any(words.startswith("the same as here:0") for words in what)
    assert any("like here:" in words for words in what)


def test_a_batch_is_read_and_filed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "(S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN cup)) (PP (IN on) (NP (DT the) (NN shelf))))) (. .))"
    second = other.replace("(NP (NP (DT the) (NN cup)) (PP", "(NP (DT the) (NN cup)) (PP").replace(
        ")))) (. .)", "))) (. .)"
    )
    batch = tmp_path / "mine.txt"
    batch.write_text(f"# genre pairs\n# part dev\n& verb\n{GOOD}\n{other}\n? she was on the shelf\n~ {second}\n")
    problems: list[Problem] = []
    rows = list(batch_rows(batch, problems))
    assert [(row.genre, row.part, row.pair) for row in rows] == [("pairs", "dev", "verb")] * 2
    assert problems == [] and problems_of(rows) == []
    for name in ("pairs.tsv", "ambiguous.tsv"):
        (tmp_path / name).write_text((treebank.TREEBANK / name).read_text(encoding="utf-8").split("\n")[0] + "\n")
    monkeypatch.setattr(treebank, "TREEBANK", tmp_path)
    treebank.file_batch(rows)
    filed = list(treebank.filed_rows())
    assert [row.tree.brackets() for row in filed] == [GOOD, other]
    assert {row.part for row in filed} == {"dev"} <= set(PARTS)
    assert list(treebank.table_problems(filed)) == []


def test_what_is_no_batch_is_told(tmp_path: Path) -> None:
    batch = tmp_path / "mine.txt"
    batch.write_text("# genre nowhere\n(S (NP\nwords\n~ (S (NP (NN x)))\n")
    problems: list[Problem] = []
    assert list(batch_rows(batch, problems)) == []
    assert len(problems) == 4


def test_figures_plan_and_words_of_some_trees() -> None:
    rows = list(treebank.guideline_rows())
    assert any("different tag sequences" in line for line in treebank.figures(rows))
    assert len(list(treebank.plan_table(rows))) == len(table("plan.tsv"))
    assert [line.split(":")[0] for line in treebank.word_table(rows, 3)] == ["verbs", "nouns", "frames"]
