"""Where the counts behind a number are not the paper's, terminal, JSON and Python say so in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import engine
from engine.estimates.counts_remark import NOT_THE_PAPERS
from engine.explain.attachments import dependency_reason, gap_reason, root_reason, unary_reason
from engine.explain.context import ParseContext
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


def test_times_are_told_of_trees_counted_once_and_weights_beside_them(classroom_treebank: Path) -> None:
    even, weighed = (
        engine.Parser.preset(engine.train([classroom_treebank], weights=[weight], tagger=False), 5) for weight in (1, 3)
    )
    parses = [parser.parse(SENTENCE) for parser in (even, weighed)]
    assert str(parses[0].tree) == str(parses[1].tree)
    plain, weighted = (ParseContext(parse) for parse in parses)
    told = 0
    reasons: tuple[Callable[[ParseContext], str], ...] = (
        *(partial(_dependency, modifier=modifier) for modifier, head in plain.heads.items() if head >= 0),
        *(partial(_gap, position=position) for position in range(1, len(plain.words))),
        _root,
        _unary,
    )
    for reason in reasons:
        once, thrice = reason(plain), reason(weighted)
        assert thrice.startswith(once.removesuffix(".")) and "weighted" not in once
        told += "weighted: " in thrice
    assert told > 5


def _dependency(context: ParseContext, modifier: int) -> str:
    return dependency_reason(context.training, context.ledger.by_modifier()[modifier])


def _gap(context: ParseContext, position: int) -> str:
    return gap_reason(context.training, context.explainer.gap(position, context.parse.gap_tags[position - 1]))


def _root(context: ParseContext) -> str:
    root = context.parse.roots[0]
    return root_reason(context.training, context.explainer.root(root.head, root.label))


def _unary(context: ParseContext) -> str:
    return unary_reason(context.training, context.explainer.unary(context.parse.roots[0], None))
