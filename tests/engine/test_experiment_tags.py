"""Where the tags of the paper's Tables 3 to 5 come from, and the paper's own rows beside ours."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.study import experiment_run
from engine.study.evaluation import evaluate_sentence
from engine.study.journal import Journal
from engine.trees.reading import read_tree
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli

EVERYDAY = Path(__file__).parents[2] / "resources" / "examples" / "everyday.ptb"

TABLE_3 = {
    "(1)": ("best", (84.9, 84.9, 1.32, 57.2, 80.8), (84.3, 84.3, 1.53, 54.7, 77.8)),
    "(2)": ("best", (85.4, 85.5, 1.21, 58.4, 82.4), (84.8, 84.8, 1.41, 55.9, 79.4)),
    "(3)": ("best", (85.5, 85.7, 1.19, 59.5, 82.6), (85.0, 85.1, 1.39, 56.8, 79.6)),
    "(4)": ("distribution", (85.8, 86.3, 1.14, 59.9, 83.6), (85.3, 85.7, 1.32, 57.2, 80.8)),
    "SPATTER": ("", (84.6, 84.9, 1.26, 56.6, 81.4), (84.0, 84.3, 1.46, 54.0, 78.8)),
}
"""The paper's Table 3, ≤ 40 and ≤ 100 words: LR, LP, CBs, 0 CBs, ≤ 2 CBs."""
TABLE_5 = {
    "1000": (118, 84.9, 85.1, 1.39),
    "150": (166, 84.8, 85.1, 1.38),
    "20": (217, 84.7, 85.0, 1.40),
    "3": (261, 84.1, 84.5, 1.44),
    "1.5": (283, 83.7, 84.1, 1.48),
    "1.2": (289, 83.5, 83.9, 1.50),
}
"""The paper's Table 5: sentences a minute, LR, LP, CBs."""
MEASURES = ("labeled_recall", "labeled_precision", "crossing", "no_crossing", "two_or_less_crossing")


def table(cli: Cli, model: Path, *options: object) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Our rows and the paper's, from the command's CSV."""
    ran = cli("experiment", *options, "--model", model, "--test", EVERYDAY, "--csv")
    assert ran.status == 0
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    ours = [row for row in rows if row["source"].startswith("everyday.ptb")]
    return ours, rows[len(ours) :]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(experiment_run, "cache_folder", lambda: folder)


@pytest.fixture(scope="module")
def untagged(tmp_path_factory: pytest.TempPathFactory, classroom_treebank: Path) -> Path:
    """A model without a tagger."""
    path = tmp_path_factory.mktemp("untagged") / "untagged.model"
    engine.train([classroom_treebank], tagger=False).save(path)
    return path


def test_table_3_starts_from_the_tags_that_the_papers_does(
    cli: Cli, classroom: engine.Model, classroom_model: Path
) -> None:
    ours, _ = table(cli, classroom_model, "models")
    assert [(row["model"], row["tags"]) for row in ours] == [
        ("(1)", "best"),
        ("(2)", "best"),
        ("(3)", "best"),
        ("(4)", "distribution"),
        ("(5)", "distribution"),
    ]
    golds = list(read_treebank([EVERYDAY]))
    for row in ours:
        parser = engine.Parser.preset(classroom, int(row["model"].strip("()")))
        expected = engine.evaluate(parser, golds, (40, 100), gold_tags=False)
        for length in (40, 100):
            for measure in MEASURES:
                found = float(row[f"{measure}_{length}"])
                assert found == pytest.approx(expected.summaries[length].as_dict()[measure], rel=1e-7)


def test_gold_tags_are_the_other_reading(cli: Cli, classroom: engine.Model, classroom_model: Path) -> None:
    ours, _ = table(cli, classroom_model, "models", "--presets", 3, 4, "--tags", "gold")
    assert [row["tags"] for row in ours] == ["gold", "gold"]
    expected = engine.evaluate(engine.Parser.preset(classroom, 3), read_treebank([EVERYDAY]), (40, 100))
    for row in ours:
        # With all tags given model (4) is model (3).
        assert float(row["labeled_recall_40"]) == pytest.approx(
            expected.summaries[40].as_dict()["labeled_recall"], rel=1e-7
        )
    [automatic], _ = table(cli, classroom_model, "models", "--presets", 3)
    assert automatic["labeled_recall_40"] != ours[0]["labeled_recall_40"]


def test_table_3_has_the_papers_rows_and_spatters(cli: Cli, classroom_model: Path) -> None:
    _, papers = table(cli, classroom_model, "models", "--presets", 3)
    assert {row["source"] for row in papers} == {"the paper (WSJ, section 23)"}
    assert [row["model"] for row in papers] == list(TABLE_3)
    for row, (tags, shorter, longer) in zip(papers, TABLE_3.values(), strict=True):
        assert row["tags"] == tags
        for length, figures in ((40, shorter), (100, longer)):
            assert tuple(float(row[f"{measure}_{length}"]) for measure in MEASURES) == figures


def test_table_5_counts_sentences_a_minute_as_the_paper_does(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    line = ("beam", "--resume", tmp_path / "results")
    found = json.loads(cli("experiment", *line, "--model", classroom_model, "--test", EVERYDAY, "--json").out)
    ours, papers = table(cli, classroom_model, *line)
    assert [row["beam"] for row in ours] == [row["beam"] for row in papers] == list(TABLE_5)
    for row, figures in zip(papers, TABLE_5.values(), strict=True):
        keys = ("sentences_per_minute", "labeled_recall", "labeled_precision", "crossing")
        assert tuple(float(row[key]) for key in keys) == figures
        assert row["tags"] == "best"
    assert [row["tags"] for row in ours] == ["best"] * 6
    for row, trial in zip(ours, found["trials"], strict=True):
        assert float(row["labeled_recall"]) == pytest.approx(trial["measures"]["100"]["labeled_recall"], rel=1e-7)
        speed = trial["measures"]["100"]["sentences_per_second"]
        assert float(row["sentences_per_minute"]) == pytest.approx(60 * speed, rel=1e-7)
    assert [row["sentences_per_minute"] for row in found["paper"]] == [row[0] for row in TABLE_5.values()]


@pytest.mark.parametrize(
    ("experiment", "preset", "automatic", "title"),
    [
        ("models", "--presets", "distribution", "the tagger's tag distributions"),
        ("ablation", "--preset", "best", "the tagger's best tags"),
        ("beam", "--preset", "best", "the tagger's best tags"),
        ("learning-curve", "--preset", "best", "the tagger's best tags"),
    ],
)
def test_the_source_of_tags_is_told_in_every_form(
    cli: Cli,
    classroom_treebank: Path,
    tmp_path: Path,
    experiment: str,
    preset: str,
    automatic: str,
    title: str,
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install -e '.[test]'")
    number = 4 if automatic == "distribution" else 3
    line = ["experiment", experiment, preset, number, "--train", classroom_treebank, "--test", EVERYDAY]
    line += ["--resume", tmp_path / "results"]
    more: dict[str, list[object]] = {"beam": ["--beams", 20], "learning-curve": ["--halvings", 0]}
    line += more.get(experiment, [])
    for choice, source, words in (((), automatic, title), (("--tags", "gold"), "gold", "gold tags")):
        picture = tmp_path / f"{source}.svg"
        text = cli(*line, *choice, "--plot", picture)
        assert text.status == 0 and words in text.out.split("\n")[0]
        assert words in picture.read_text()
        rows = list(csv.DictReader(io.StringIO(cli(*line, *choice, "--csv").out)))
        assert {row["tags"] for row in rows if row["source"].startswith("everyday.ptb")} == {source}
        latex = cli(*line, *choice, "--latex").out
        assert words in latex.split("\n")[0] and f"& {source} &" in latex
        trials: list[dict[str, Any]] = json.loads(cli(*line, *choice, "--json").out)["trials"]
        assert {trial["tags"] for trial in trials} == {source}


def test_results_from_other_tags_are_never_taken(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    line = ("experiment", "models", "--presets", 4, "--model", classroom_model, "--test", EVERYDAY, "--resume", path)
    recalls = []
    for number, tags in enumerate(("distribution", "best", "gold"), 1):
        found = json.loads(cli(*line, "--tags", tags, "--json").out)["trials"][0]
        assert found["tags"] == tags and len(Journal(path)) == number
        recalls.append(found["measures"]["40"]["labeled_recall"])
    assert len(set(recalls)) == 3
    # What is asked for without a word is what the paper has, and was measured first.
    again = cli(*line, "--json")
    assert json.loads(again.out)["trials"][0]["measures"]["40"]["labeled_recall"] == recalls[0]
    assert len(Journal(path)) == 3


@pytest.mark.parametrize("experiment", ["models", "ablation", "beam"])
def test_a_model_without_a_tagger_says_what_to_do(cli: Cli, untagged: Path, experiment: str) -> None:
    line = ("experiment", experiment, "--model", untagged, "--test", EVERYDAY)
    ran = cli(*line)
    assert ran.status == 2 and ran.out == ""
    assert ran.err.count("\n") == 1 and "no tagger" in ran.err and "--tags gold" in ran.err
    assert cli(*line, "--tags", "gold", "--csv").status == 0


def test_the_tagger_takes_no_part_in_the_speed(classroom: engine.Model) -> None:
    """The paper's sentences a minute are the parser's."""
    parser = engine.Parser.preset(classroom, 3)
    gold = read_tree("(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man))) (. .))")
    tagged, given = (evaluate_sentence(parser, gold, gold_tags=gold_tags) for gold_tags in (False, True))
    assert 0 < tagged.tagging_seconds < tagged.seconds
    assert given.tagging_seconds == 0
