"""Placeholders: every figure of a caption is the engine's own, and what cannot be filled in says what to write."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QTextDocument

import engine
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.numbers import log_text, signed, significant, table_probability
from engine.explain.subjects import ArrowId
from engine.explain.verdicts import verdict_sentence
from engine.settings import Settings
from engine.structure.constraints import Attachment, Constraint
from engine.structure.dependencies import Relation
from engine.study.parseval import score_pair
from engine.study.verdicts import verdict
from explorer.classroom.lesson import LessonError
from explorer.classroom.placeholders import PLACEHOLDERS, fill, placeholder_problems
from explorer.session.document import Document, TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.explorer.conftest import TELESCOPE

GOLD = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"


def result_of(
    model: engine.Model, text: str = TELESCOPE, preset: int = 3, what_ifs: tuple[Constraint, ...] = ()
) -> ParseResult:
    """What the window would have of a sentence."""
    document = Document("/models/classroom.model", preset, Settings.preset(preset), (TextLine(text, what_ifs),))
    request = ParseRequest.of(document, model, document.line)
    return parse_for_window(request, ParserPool(), Control(), lambda _: None)


@pytest.fixture(scope="module")
def result(classroom: engine.Model) -> ParseResult:
    """The sentence with the telescope."""
    return result_of(classroom)


@pytest.fixture(scope="module")
def against_gold(classroom: engine.Model) -> ParseResult:
    """The same with the other tree as gold."""
    return result_of(classroom, GOLD)


def test_what_a_caption_says_is_what_the_engine_says(result: ParseResult) -> None:
    parse = result.parse
    explainer = parse.explainer()
    words = parse.sentence.proper_words
    assert words == ["Mary", "saw", "the", "man", "with", "the", "telescope"]
    head = parse.heads()[4]
    factor = parse.ledger().by_modifier()[4]
    other = {1: 3, 3: 1}[head]
    candidates = explainer.candidates(4, parse.basenps)
    best = next(one for one in candidates if one.head == other)
    theirs = explainer.dependency(4, other, best.relation, best.distance)
    own = next(one for one in candidates if (one.head, one.relation) == (head, dict(_relations(result))[4]))
    expected = {
        "{tag of man}": "NN",
        "{tag of #7}": "NN",
        "{words}": "7",
        "{sentence}": "Mary saw the man with the telescope .",
        "{gap before the#2}": parse.gap_tags[4],
        "{P̂ before the}": table_probability(explainer.gap_distribution(2)[parse.gap_tags[1]]),
        "{P(S) before the}": table_probability(explainer.gap_distribution(2)["S"]),
        "{head of with}": words[head],
        "{head of saw}": "the root",
        "{relation of with}": str(dict(_relations(result))[4]),
        "{F̂ of with}": significant(factor.probability),
        "{F^ of with}": significant(factor.probability),
        "{log F̂ of with}": log_text(factor.log),
        f"{{F̂ with -> {words[other]}}}": significant(theirs.probability),
        f"{{F̂ with → {words[other]}}}": significant(theirs.probability),
        f"{{P with -> {words[other]}}}": significant(best.probability),
        "{P of with}": significant(own.probability),
        f"{{P with -> {words[head]}}}": significant(own.probability),
        f"{{relation with -> {words[other]}}}": str(best.relation),
        "{Δ1 of with}": "head precedes modifier",
        f"{{Δ with -> {words[other]}}}": ", ".join(best.distance.words()),
        "{score}": log_text(parse.score),
        "{log P of parse}": log_text(parse.log_probability),
        "{score of 2}": log_text(parse.alternatives[1].score),
        "{difference to 2}": signed(parse.score - parse.alternatives[1].score),
        "{parses}": str(len(parse.alternatives)),
        "{baseNPs}": str(len(parse.basenps)),
        "{baseNP of telescope}": "the telescope",
        "{m}": str(len(parse.reduced)),
        "{β}": "1,000",
        "{preset}": "(3) words before tags",
        "{model}": "classroom",
        "{sentences of model}": f"{parse.model.metadata['sentences']:,}",
        "{what-ifs}": "0",
    }
    for text, value in expected.items():
        assert plain(fill(text, result)) == value, text
    levels = {level.name: level for level in factor.levels}
    for number in "1234":
        level = levels[f"E{number}"]
        assert fill(f"{{η{number} of with}}/{{delta{number} of with}}", result) == f"{level.eta}/{level.delta}"
        shown = significant(level.estimate) if level.delta else "–"
        assert fill(f"{{E{number} with -> {words[head]}}}", result) == shown
    gap = explainer.gap(2, parse.gap_tags[1])
    assert fill("{η4 before the}", result) == f"{gap.levels[3].eta:,}"
    assert factor.weights or gap.weights
    for of, weighed in (("of with", factor), ("before the", gap)):
        for weight in weighed.weights:
            assert fill(f"{{{weight.name} {of}}}", result) == f"{weight.value:.4f}"


def _relations(result: ParseResult) -> list[tuple[int, Relation]]:
    return [(modifier, relation) for modifier, _, relation in result.parse.arrows]


def plain(markdown: str) -> str:
    """Markdown as a class reads it."""
    document = QTextDocument()
    document.setMarkdown(markdown)
    return document.toPlainText().strip()


def test_figures_of_the_chart(result: ParseResult) -> None:
    trace = result.parse.chart
    assert trace is not None
    reasons = [edge.pruning_reason for edge in trace]
    assert fill("{edges}", result) == f"{len(reasons):,}"
    assert fill("{edges out of beam}", result) == f"{reasons.count('out of beam'):,}"
    assert fill("{edges pruned}", result) == f"{len(reasons) - reasons.count('kept'):,}"
    assert fill("{items over the..man}", result) == f"{len(trace.cell(2, 4).items):,}"
    assert fill("{edges over the..man}", result) == f"{len(trace.edges_in(2, 4)):,}"
    assert int(fill("{items}", result)) == sum(
        len(trace.cell(start, end).items) for end in range(1, 8) for start in range(end)
    )


def test_figures_against_the_gold_tree(classroom: engine.Model, against_gold: ParseResult) -> None:
    gold = against_gold.reading.gold
    assert gold is not None
    score = score_pair(gold, against_gold.parse.tree)
    assert (
        fill("{CBs} {common brackets} {gold brackets}", against_gold)
        == f"{score.crossing} {score.matched} {score.gold}"
    )
    assert fill("{LR}", against_gold) == f"{100 * score.matched / score.gold:.1f} %"
    assert fill("{gold head of with}", against_gold) == "saw"
    assert plain(fill("{gold relation of with}", against_gold)).startswith("<PP,VP,")
    assert fill("{gold gap before the}", against_gold) == "S"
    judged = verdict(Parser.preset(classroom, 3), gold, against_gold.parse, repair=False)
    shown = plain(fill("{verdict}", against_gold))
    assert shown.replace("‘", "`").replace("’", "`") == verdict_sentence(judged)
    assert fill("{score of gold}", against_gold) == log_text(judged.gold.ledger.total)
    assert judged.difference is not None and judged.difference.rows
    assert signed(judged.difference.rows[0].contribution) in fill("{ledger against gold}", against_gold)


def test_prices_of_what_ifs(classroom: engine.Model, result: ParseResult) -> None:
    other = {1: 3, 3: 1}[result.parse.heads()[4]]
    forced = result_of(classroom, what_ifs=(Attachment(4, other),))
    assert fill("{price}", forced) == signed(forced.parse.score - forced.free.score)
    assert fill("{price of what-if 1}", forced) == fill("{price}", forced)
    assert "with" in fill("{what-if 1}", forced)
    with pytest.raises(LessonError, match="no what-if 2; write a number from 1 to 1"):
        fill("{price of what-if 2}", forced)


def test_another_parse_and_the_selection(result: ParseResult) -> None:
    second = result.parse.alternatives[1]
    assert fill("{score}", result, second) == log_text(second.score)
    assert fill("{headline}", result, selection=ArrowId(4)) == fill("{headline of arrow of with}", result)
    assert fill("{headline}", result) != fill("{headline of arrow of with}", result)


def test_braces_and_markdown(result: ParseResult) -> None:
    assert fill("a {{set}} of *words*, F̂ = 1", result) == "a {set} of *words*, F̂ = 1"
    assert fill("{tag\nof   man}", result) == "NN"
    # The relation of the root is <S>, which Markdown would take for a tag.
    relation = str(dict(_relations(result))[1])
    assert plain(fill("*root*: {relation of saw}", result)) == f"root: {relation}"
    assert plain(fill("`{relation of saw}`", result)) == relation


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{F of wiht}", "no word `wiht` .* write `with`"),
        ("{heads of with}", r"no placeholder `\{heads of with\}`; write for instance `\{head of WORD\}`"),
        ("{}", "no placeholder"),
        ("F̂ { 1", "without its closing brace; write `{{`"),
        ("F̂ } 1", "without its opening brace; write `}}`"),
        ("{gap before Mary}", "no gap before `Mary`, the first word"),
        ("{head of the}", "lies inside a baseNP.*write `man`"),
        ("{F̂ with -> with}", "cannot be its own head"),
        ("{F̂ with -> (root)}", "is not the head of the sentence"),
        ("{F̂ with -> saw as PP,VP}", "a relation is written <PP,VP,VBD>"),
        ("{Δ of saw}", "no distance to the root"),
        ("{η7 of with}", "no level E7; write one of E1, E2, E3, E4"),
        ("{λ3 of with}", "no λ3 here"),
        ("{score of 99}", "no parse 99; write a number from 1 to"),
        ("{what-if 1}", "no what-if 1; this step has none"),
        ("{LR}", "no gold tree; write the sentence of the step as a bracketed tree"),
        ("{verdict}", "no gold tree"),
        ("{baseNP of saw}", "in no baseNP"),
        ("{items over man..the}", "the first word stands behind the last"),
        ("{headline of arow of with}", "selects nothing"),
        ("{headline of item 999999}", "the chart has no item 999999; write a number from 1 to"),
        ("{headline of edge 999999}", "the chart has no edge 999999"),
    ],
)
def test_what_cannot_be_filled_in_says_what_to_write(result: ParseResult, text: str, said: str) -> None:
    with pytest.raises(LessonError) as raised:
        fill(f"Before. {text} After.", result)
    assert re.search(said, str(raised.value)), raised.value
    assert "\n" not in str(raised.value)


def test_a_pair_that_was_never_seen(result: ParseResult) -> None:
    assert fill("{F̂ saw -> Mary}, {P saw -> Mary}", result) == "0, 0"
    with pytest.raises(LessonError, match="nothing to count; name one"):
        fill("{η1 saw -> Mary}", result)


@pytest.mark.parametrize("preset", [1, 2, 3, 4, 5])
def test_every_placeholder_has_a_value_or_says_why_not(classroom: engine.Model, preset: int) -> None:
    result = result_of(classroom, GOLD, preset)
    filled_in = {
        "WORD": "with", "HEAD": "saw", "RELATION": "<PP,VP,VBD>", "LETTER": "S", "TAG": "IN", "NUMBER": "1",
        "LEVEL": "1", "QUESTION": "2", "SPAN": "the..man", "THING": "gap before the",
    }  # fmt: skip
    filled = 0
    for placeholder in PLACEHOLDERS:
        text = "{" + re.sub("|".join(filled_in), lambda found: filled_in[found[0]], placeholder.form) + "}"
        assert not list(placeholder_problems(text)), text
        try:
            value = fill(text, result)
        except LessonError as error:
            assert re.search(r"no λ1 here|no what-if 1|is in no baseNP|no tagger|no level", str(error)), error
        else:
            filled += bool(value)
    assert filled > len(PLACEHOLDERS) * 3 / 4


def test_problems_are_found_without_a_parse() -> None:
    text = "One {score},\ntwo {skore} and { three"
    assert [offset for offset, _ in placeholder_problems(text)] == [text.index("{skore"), text.index("{ three")]
    assert "{score" in dict(placeholder_problems(text))[text.index("{skore")]
