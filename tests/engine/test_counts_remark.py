"""Where the counts behind a number are not the paper's, terminal, JSON and Python say so in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.estimates.counts_remark import NOT_THE_PAPERS
from tests.engine.command_runner import Cli

SENTENCE = "Mary/NNP saw/VBD the/DT man/NN ./."


@pytest.fixture(scope="module")
def compact(classroom_treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a compact model."""
    path = tmp_path_factory.mktemp("compact") / "compact.model"
    engine.train([classroom_treebank], compact=True).save(path, packed=True)
    return path


@pytest.mark.parametrize("preset", [1, 2, 3, 4])
def test_a_compact_model_has_not_the_papers_numbers(cli: Cli, compact: Path, tmp_path: Path, preset: int) -> None:
    chosen = ("--model", compact, "--preset", preset)
    assert cli("explain", SENTENCE, *chosen).out.count(NOT_THE_PAPERS) == 1
    parsed = cli("parse", *chosen, "--format", "json", stdin=SENTENCE)
    assert NOT_THE_PAPERS in parsed.err
    assert json.loads(parsed.out)["counts_remark"].startswith(NOT_THE_PAPERS)
    (tmp_path / "gold.ptb").write_text("(S (NP (NNP Mary)) (VP (VBD left)) (. .))")
    for command in ("evaluate", "compare"):
        assert NOT_THE_PAPERS in cli(command, tmp_path / "gold.ptb", *chosen).err


def test_preset_five_and_whole_models_have_nothing_to_say(cli: Cli, compact: Path, classroom_model: Path) -> None:
    for model, preset in ((compact, 5), (classroom_model, 3), (classroom_model, 5)):
        assert NOT_THE_PAPERS not in cli("explain", SENTENCE, "--model", model, "--preset", preset).out
        parsed = cli("parse", "--model", model, "--preset", preset, "--format", "json", stdin=SENTENCE)
        assert json.loads(parsed.out)["counts_remark"] is None and parsed.err == ""


def test_weights_are_told_where_they_are_used(classroom_treebank: Path) -> None:
    everyday = classroom_treebank.parent / "everyday.ptb"
    model = engine.train([classroom_treebank, everyday], weights=[3, 1], tagger=False)
    remarks = {preset: engine.Parser.preset(model, preset).parse(SENTENCE).counts_remark for preset in (1, 2, 3, 5)}
    weights = "every tree counts 3 times in classroom.ptb, once in everyday.ptb."
    assert remarks == {1: "", 2: "", 3: "", 5: f"η and δ are weighted: {weights}"}
    mixed = engine.Parser.preset(model, 3, treebank_weights=True).parse(SENTENCE)
    assert mixed.counts_remark == f"{NOT_THE_PAPERS}: {weights}"
    assert engine.Parser.preset(model, 5, treebank_weights=False).parse(SENTENCE).counts_remark == ""
