"""``parse-engine lookup``: tables, formats, evidence, and what is said of what nobody knows."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from engine.model.model import Model
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Indexes of training trees are kept where no other test looks."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr("engine.study.evidence.cache_folder", lambda: folder)
    return folder


def test_a_word_gives_tables(cli: Cli, classroom_model: Path) -> None:
    ran = cli("lookup", "saw", "--model", classroom_model)
    assert ran.status == 0 and ran.err == ""
    assert ran.lines[0] == "saw"
    for name in (
        "Heads of saw",
        "Modifiers of saw",
        "saw as head, by Δ",
        "Gap before saw",
        "Unaries over what saw heads",
    ):
        assert name in ran.lines
    assert max(map(len, ran.lines)) < 130


def test_rows_can_be_many_or_few(cli: Cli, classroom_model: Path) -> None:
    few = cli("lookup", "NN", "--model", classroom_model, "--most", "2")
    many = cli("lookup", "NN", "--model", classroom_model, "--most", "2000")
    assert "… and " in few.out and "… and " not in many.out
    assert len(many.lines) > 3 * len(few.lines)
    assert cli("lookup", "NN", "--model", classroom_model, "--most", "0").status == 2


def test_json_and_separated_values_hold_the_same(cli: Cli, classroom_model: Path) -> None:
    found = json.loads(cli("lookup", "with saw", "--model", classroom_model, "--json").out)
    assert found["asked"] == "with, saw"
    comma = cli("lookup", "with saw", "--model", classroom_model, "--csv").out
    tab = cli("lookup", "with saw", "--model", classroom_model, "--tsv").out
    rows = list(csv.reader(io.StringIO(comma)))
    assert rows == list(csv.reader(io.StringIO(tab), delimiter="\t"))
    first = found["tables"][0]
    assert rows[0] == [first["table"]]
    assert rows[1] == list(first["rows"][0])
    assert rows[2] == [str(cell) for cell in first["rows"][0].values()]


def test_evidence_shows_the_training_sentences(cli: Cli, classroom_model: Path, classroom_treebank: Path) -> None:
    ran = cli("lookup", "with saw", "--model", classroom_model, "--evidence", classroom_treebank)
    assert ran.status == 0
    assert "These are the trees that the model was counted from: 130 sentences." in ran.lines
    at = next(number for number, line in enumerate(ran.lines) if line.startswith("<PP,VP,VBD>") and "sentence" in line)
    assert "‹with›" in ran.lines[at + 1] and "«saw»" in ran.lines[at + 1]
    found = json.loads(cli("lookup", "<PP,VP,VBD>", "--model", classroom_model, "--json", "--evidence").out)
    evidence = found["evidence"]
    counted = sum(row["η"] for row in found["tables"][0]["rows"])
    assert evidence["of"] == len(evidence["sentences"]) == counted
    trees = [tree.words() for tree in read_treebank([classroom_treebank])]
    for sentence in evidence["sentences"]:
        assert sentence["words"] == trees[sentence["sentence"] - 1]
        assert sentence["relation"] == "<PP,VP,VBD>"
        assert sentence["tags"][sentence["modifier"]] in ("IN", "TO") and sentence["tags"][sentence["head"]] == "VBD"
    assert "Training sentences" in cli("lookup", "saw", "--model", classroom_model, "--csv", "--evidence").out


def test_other_trees_are_told_of(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ptb"
    other.write_text("(S (NP (NNP Zeno)) (VP (VBD saw)))")
    ran = cli("lookup", "saw", "--model", classroom_model, "--evidence", other)
    assert ran.status == 0
    assert any(line.startswith("These are not the trees that the model was counted from") for line in ran.lines)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("telescpe", "no word ‘telescpe’ in the model; did you mean ‘telescope’ or ‘telescopes’?"),
        ("a b c", "‘a b c’: ask for one word or tag, or for two; a relation is written <PP,VP,VBD>"),
        ("<PP>", "‘<PP>’: a relation has three labels, as <PP,VP,VBD>; * stands for any"),
    ],
)
def test_unknown_things_are_one_sentence(cli: Cli, classroom_model: Path, asked: str, said: str) -> None:
    ran = cli("lookup", asked, "--model", classroom_model)
    assert (ran.status, ran.out, ran.err) == (2, "", f"parse-engine: error: {said}\n")


def test_a_model_without_trees_asks_for_them(cli: Cli, classroom: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.model"
    own = dict(classroom.metadata)
    try:
        classroom.metadata["corpora"] = ["wsj"]
        classroom.save(path)
    finally:
        classroom.metadata.update(own)
    ran = cli("lookup", "saw", "--model", path, "--evidence")
    assert ran.status == 2
    assert ran.err == "parse-engine: error: name the treebanks that the model was trained on (wsj) after --evidence\n"
    missing = cli("lookup", "saw", "--model", path, "--evidence", tmp_path / "none.ptb")
    assert missing.status == 2 and "there is no such file or folder" in missing.err
