"""Any tree under our model: scored, priced, judged against our parse and against gold; and ``explain --tree``."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.chart import search as work_budget
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.explain.verdicts import OUR_PARSE, error_description, tree_sentences
from engine.model.model import Model
from engine.study.foreign_trees import judge_tree
from engine.study.verdicts import VerdictKind
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from tests.engine.command_runner import Cli

HIGH = "(S (NP (NNP John)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope)))) (. .))"
LOW = "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope))))) (. .))"


@pytest.fixture
def parser(classroom: Model) -> Parser:
    """The paper's model (3), without a re-ranker."""
    return Parser.preset(classroom, 3)


def ours_and_other(parser: Parser) -> tuple[Tree, Tree]:
    """The tree that our parser makes, and the one with the other attachment."""
    high, low = read_tree(HIGH), read_tree(LOW)
    return (high, low) if parser.score(high).score > parser.score(low).score else (low, high)


def test_our_own_parse_is_the_very_tree(parser: Parser) -> None:
    ours, _ = ours_and_other(parser)
    judged = judge_tree(parser, ours)
    assert judged.verdict.kind is VerdictKind.RIGHT and tree_sentences(judged) == ("Our parser makes this very tree.",)
    assert (judged.differences, judged.prices) == ((), ())
    assert judged.scored.score == pytest.approx(judged.parse.score)


def test_another_attachment_has_its_price_and_the_model_its_reason(parser: Parser) -> None:
    ours, other = ours_and_other(parser)
    judged = judge_tree(parser, other)
    behind = parser.score(ours).score - parser.score(other).score
    assert judged.verdict.kind is VerdictKind.MODEL and judged.verdict.nats == pytest.approx(behind)
    assert tree_sentences(judged) == (f"Our model prefers its own parse by {behind:.2f} nats.",)
    assert [error.kind.value for error in judged.differences] == ["PP attachment"]
    assert "in our parse to" in error_description(judged.differences[0], OUR_PARSE)
    # Nothing else has to move, so the price of the one arrow is the whole difference.
    assert [priced.price for priced in judged.prices] == [pytest.approx(behind)]
    assert judged.difference is not None and judged.difference.total == pytest.approx(-behind)


def test_prices_that_are_too_much_work_are_left_out(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    _, other = ours_and_other(parser)
    monkeypatch.setattr(work_budget, "MOST_FOREST_WORK", 1)
    judged = judge_tree(parser, other)
    assert judged.prices == () and judged.differences


def test_against_gold_the_model_prefers_the_one_or_makes_the_same_mistake(parser: Parser) -> None:
    ours, other = ours_and_other(parser)
    wrong = judge_tree(parser, other, gold=ours)
    assert wrong.standing is not None and wrong.standing.nats < 0 and 50 < wrong.standing.f1 < 100
    assert "our model prefers the gold tree by" in tree_sentences(wrong)[1]
    shared = judge_tree(parser, ours, gold=other)
    assert shared.standing is not None and shared.standing.nats == pytest.approx(-wrong.standing.nats)
    assert "our model makes the same mistake" in tree_sentences(shared)[1]
    assert tree_sentences(judge_tree(parser, ours, gold=ours))[1] == "It has the brackets of the gold tree."


def test_a_tree_that_the_model_cannot_have(parser: Parser) -> None:
    odd = read_tree(LOW.replace("(NP (DT a) (NN telescope))", "(WHADVP (DT a) (NN telescope))"))
    judged = judge_tree(parser, odd, gold=read_tree(LOW))
    assert judged.verdict.kind is VerdictKind.OUTSIDE
    assert tree_sentences(judged)[0].startswith(
        "Our model cannot have this tree. In this tree `a` is attached to `telescope`, in our parse `a` is inside"
    )
    assert tree_sentences(judged)[1].endswith("our model can have the gold tree, not this one.")
    assert any(priced.price is None for priced in judged.prices)


def test_spellings_roots_and_function_tags_of_another_parser(parser: Parser) -> None:
    ours, _ = ours_and_other(parser)
    theirs = read_tree(f"(ROOT {ours.brackets().replace('John', 'JOHN').replace('(NP (NNP', '(NP-SBJ (NNP')})")
    judged = judge_tree(parser, theirs, gold=ours)
    assert judged.verdict.kind is VerdictKind.RIGHT and judged.tree.words()[0] == "John"


@pytest.mark.parametrize("preset", [3, 4, 5])
def test_a_sentence_with_tags_of_its_own(classroom: Model, preset: int) -> None:
    """Tags from the tagger, and a tree that takes the full stop for a noun: told, whatever the verdict."""
    parser = Parser.preset(classroom, preset)
    sentence = parser.prepare("John saw the man with a telescope.")
    for text in (HIGH, LOW, HIGH.replace("(. .)", "(NN .)"), LOW.replace("(NN man)", "(VB man)")):
        judged = judge_tree(parser, read_tree(text), gold=read_tree(LOW), sentence=sentence)
        assert len(tree_sentences(judged)) == 2 and all(one.endswith(".") for one in tree_sentences(judged))


def test_other_tokens_are_told(parser: Parser) -> None:
    with pytest.raises(EngineError, match="from token 2 on the gold tree has `left`, the tree `saw Mary`"):
        judge_tree(
            parser,
            read_tree("(S (NP (NNP John)) (VP (VBD saw) (NP (NNP Mary))))"),
            gold=read_tree("(S (NP (NNP John)) (VP (VBD left)))"),
        )


# explain --tree ---------------------------------------------------------------------------------------------------


def test_explain_a_tree(cli: Cli, parser: Parser, classroom_model: Path) -> None:
    ours, other = (tree.brackets() for tree in ours_and_other(parser))
    ran = cli("explain", "--model", classroom_model, "--preset", 3, "--tree", other, "--gold", ours)
    assert ran.status == 0
    for heading in ("Tree", "Our parse", "Prices", "Errors against the gold tree", "Ledger of the tree"):
        assert f"\n{heading}\n{'-' * len(heading)}\n" in ran.out
    assert ran.out.startswith("Our model prefers its own parse by ")
    assert "Difference (our parse − tree)" in ran.out and "Difference (tree − gold)" in ran.out


def test_explain_a_line_of_a_file_with_a_sentence(
    cli: Cli, tmp_path: Path, parser: Parser, classroom_model: Path
) -> None:
    ours, other = (tree.brackets() for tree in ours_and_other(parser))
    file = tmp_path / "theirs.txt"
    file.write_text(f"{other}\n{ours}\n(S (NP\n")
    explain = ("explain", "--model", classroom_model, "--preset", 3, "--tree-file", file, "--line")
    ran = cli(*explain, 2)
    assert ran.status == 0 and ran.out.startswith("Our parser makes this very tree.")
    assert cli(*explain, 1, "John saw the man with a telescope.").status == 0
    for line, message in ((3, "theirs.txt, line 3: "), (9, "there is no line 9; the file has 3 lines")):
        ran = cli(*explain, line)
        assert ran.status == 2 and message in ran.err


def test_nothing_to_explain(cli: Cli, classroom_model: Path) -> None:
    ran = cli("explain", "--model", classroom_model)
    assert ran.status == 2 and "give a sentence, or a tree with --tree" in ran.err
    ran = cli("explain", "--model", classroom_model, "--tree-file", "none.txt")
    assert ran.status == 2 and "none.txt: there is no such file" in ran.err
