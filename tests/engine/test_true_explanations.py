"""Sentences of explanations that were false once: a campaign of random claims found them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.trace import Edge, Trace
from engine.common.resources import named_model
from engine.estimates.ledger import UnarySubject
from engine.explain.attachments import SHOWN_CANDIDATES, place_text, why_zero
from engine.explain.chart import edge_formula
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation, TableBlock
from engine.explain.registry import explain
from engine.explain.subjects import ArrowId, CandidateId, ChartCellId, EdgeId, FactorId, MatrixCellId, NodeId
from engine.explain.verdicts import error_description, verdict_sentence
from engine.model.model import Model
from engine.structure.distance import Distance
from engine.study.errors import classify_errors
from engine.study.verdicts import VerdictKind, verdict
from engine.trees.reading import read_tree
from tests.trained import classroom_file, trained

LONG = "I/PRP was/VBD so/RB hungry/JJ that/IN I/PRP ate/VBD two/CD burgers/NNS ./."


@cache
def classroom() -> Model:
    return Model.load(classroom_file())


@cache
def traced(text: str, preset: int) -> tuple[Parse, Trace]:
    """A parse with its chart."""
    parse = Parser.preset(classroom(), preset).parse(text, n_best=10, trace=True)
    assert parse.chart is not None
    return parse, parse.chart


def rows(page: Explanation, *header: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of a page."""
    return next(block.rows for block in page.blocks if isinstance(block, TableBlock) and block.header == header)


def edges(trace: Trace, **wanted: object) -> list[Edge]:
    """The edges of a chart for which something is so."""
    found = [edge for edge in trace if all(getattr(edge, name) == value for name, value in wanted.items())]
    assert found
    return found


def test_the_best_of_a_cell_is_the_best_by_what_the_beam_compares() -> None:
    """Scores without the price of having no unary parent; the headline had compared scores with it."""
    parse, trace = traced(LONG, 5)
    context, compared = ParseContext(parse), 0
    for start in range(trace.size):
        for end in range(start + 1, trace.size + 1):
            items = trace.cell(start, end).items
            if not items:
                continue
            page = explain(context, ChartCellId(start, end))
            assert page.headline is not None
            told = [row for row in rows(page, "label", "head", "log P", "to best", "")]
            assert max(row[3] for row in told).startswith(("0", "≈", "−"))
            differences = sorted(round(item.score - items[0].score, 2) for item in items)[::-1]
            shown = sorted((float(row[3].replace("−", "-").replace("≈ 0", "0")) for row in told), reverse=True)
            assert shown == [one + 0.0 for one in differences[: len(shown)]] or len(items) > 12
            compared += len(items) > 1
    assert compared > 10


def test_single_words_are_not_said_to_be_near_the_edge_of_the_beam() -> None:
    parse, _ = traced(LONG, 1)
    told = explain(ParseContext(parse), NodeId(2, 3, "RB", 0)).text()
    assert "the beam spares single words" in told
    assert "leaves" not in told


def test_what_a_unary_result_may_lie_behind_is_what_the_beam_gives_it() -> None:
    parse, trace = traced("The/DT guard/NN told/VBD us/PRP to/TO wait/VB outside/RB ./.", 3)
    nodes = [
        node for root in parse.roots for node in root.walk() if len(node.children) == 1 and node.end - node.start > 1
    ]
    assert nodes
    for node in nodes:
        told = explain(ParseContext(parse), NodeId(node.start, node.end, node.label, 0)).text()
        items = trace.cell(node.start, node.end).items
        mine = max(item.score for item in items if (item.label, item.head) == (node.label, node.head))
        room = math.log(trace.beam) + parse.settings.unary_slack - (items[0].score - mine)
        assert f"with what it gives unary results, leaves {room:.2f} more" in told


def test_an_edge_names_the_dearest_of_all_that_it_pays() -> None:
    """That its parts have no unary parent is a factor of a join, too, and may be the dearest."""
    parse, trace = traced("They/PRP rented/VBD a/DT room/NN with/IN a/DT balcony/NN ./.", 3)
    named = 0
    for edge in trace:
        sides = [trace.item(side).score for side in (edge.left, edge.right) if side >= 0]
        own = {"gap tags": edge.gap, "dependency": edge.dependency, "unary": edge.unary, "tags": edge.tag}
        paid = edge.score - math.fsum((*own.values(), *sides)) if len(sides) == 2 else 0.0
        headline = explain(ParseContext(parse), EdgeId(edge.number)).headline
        assert headline is not None
        told = next((reason for reason in headline.reasons if reason.startswith("Of its own")), "")
        if told and paid < min(own.values()) - 1e-6:
            assert "that no unary stands over its parts" in told
            named += 1
    assert named


def test_a_unary_over_what_was_pruned_names_that_and_no_other_item() -> None:
    parse, trace = traced(LONG, 5)
    found = [edge for edge in edges(trace, kind="unary") if edge.left < 0]
    assert found
    for edge in found:
        page = explain(ParseContext(parse), EdgeId(edge.number))
        assert page.headline is not None
        assert f"It is a unary production: {edge.label} over {edge.head_label}." in page.headline.reasons
        assert f"P({edge.head_label} `" in edge_formula(trace, edge.number)
        assert "no unary over its parts" not in page.text()


def test_a_base_noun_phrase_of_one_word_is_not_called_a_word() -> None:
    _, trace = traced("They/PRP rented/VBD a/DT room/NN with/IN a/DT balcony/NN ./.", 3)
    edge = next(edge for edge in edges(trace, kind="baseNP") if edge.end - edge.start == 1)
    assert edge_formula(trace, edge.number) == "P(NP) = 1: a baseNP of one word costs nothing."
    word = edges(trace, kind="word")[0]
    assert edge_formula(trace, word.number).endswith(": a word by itself costs nothing.")


def test_another_relation_to_the_same_head_is_not_in_the_parse() -> None:
    parse, _ = traced("He/PRP sat/VBD by/IN the/DT fire/NN ,/, reading/VBG a/DT newspaper/NN ./.", 1)
    context, others = ParseContext(parse), 0
    for modifier, head, relation in parse.arrows:
        for one in context.candidates(modifier) if head >= 0 else ():
            page = explain(context, CandidateId(modifier, one.head, one.relation))
            in_parse = (one.head, one.relation) == (head, relation)
            assert ("not in this parse" in page.subtitle) is not in_parse
            others += one.head == head and not in_parse
    assert others


def test_each_of_two_unaries_of_one_label_and_head_has_its_own_counts() -> None:
    parse, _ = traced("They/PRP rented/VBD a/DT room/NN with/IN a/DT balcony/NN ./.", 5)
    context, several = ParseContext(parse), set()
    for number, factor in enumerate(parse.ledger()):
        if isinstance(factor.subject, UnarySubject) and factor.levels:
            page = explain(context, FactorId(number))
            counts = {row[0].replace(" ", ""): row[2:4] for row in rows(page, "", "based on", "η", "δ", "E = η/δ")}
            for level in factor.levels:
                assert counts[level.name.replace(" ", "")] == (f"{level.eta:,}", f"{level.delta:,}")
            if (factor.subject.label, factor.subject.word) == ("NP", "room"):
                several.add(factor.levels)
    assert len(several) == 2


BLOCKED = (
    "(S (NP (NN tea)) (VP (VBD ran)) (. .))",
    "(S (NP (NP (NN dog)) (VP (VBD bitten))) (VP (VBZ is) (ADJP (JJ sad))) (. .))",
    "(S (NP (NN cat) (VBD said) (NN man)) (VP (VBZ is) (ADJP (JJ sad))) (. .))",
)
"""`tea ran` has no relation from right to left, and no gap within a baseNP; between their tags both were seen."""


@cache
def blocked() -> Parse:
    return Parser.preset(trained([read_tree(text) for text in BLOCKED], tagger=False), 1).parse("tea/NN ran/VBD ./.")


def test_two_words_that_block_a_relation_are_not_said_to_have_tags_that_never_had_it() -> None:
    page = explain(ParseContext(blocked()), MatrixCellId(1, 0))
    assert page.headline is not None
    for told in (page.headline.sentence, page.text()):
        assert "words tagged VBD and NN that stand like these were related in training" in told
        assert "nothing of the kind" not in told
    parse, _ = traced("They/PRP rented/VBD a/DT room/NN with/IN a/DT balcony/NN ./.", 1)
    words = [(one, other) for one in parse.reduced for other in parse.reduced if one != other]
    pages = [explain(ParseContext(parse), MatrixCellId(*pair)).text() for pair in words]
    never = "F̂ is 0 for every R: nothing of the kind was seen in training between words tagged"
    assert any(never in one for one in pages)


def test_two_words_that_block_a_gap_tag_are_not_said_to_have_tags_that_never_had_it() -> None:
    factor = blocked().explainer().gap(1, "C")
    assert not factor.probability
    assert factor.levels[-1].eta == 1
    assert factor.reason.startswith(
        "in training `tea` and `ran` stood side by side like this once, never with C between"
    )
    assert blocked().explainer().gap(1, "B").reason == "B was never seen between NN and VBD"
    told = why_zero(ParseContext(blocked()).training, factor)
    assert told.startswith("In training `tea` and `ran` stood side by side once, and it never happened there that")


@pytest.mark.parametrize(
    ("commas", "after", "before", "told"),
    [
        (0, False, False, "after X, not next to it and with no verb between,"),
        (1, True, False, "after X, not next to it and with a comma (beside the first word) but no verb between,"),
        (1, False, True, "after X, not next to it and with a comma (beside the second word) but no verb between,"),
        (1, False, False, "after X, not next to it and with a comma (beside neither) but no verb between,"),
        (2, True, True, "after X, not next to it and with two commas (beside both) but no verb between,"),
    ],
)
def test_a_place_tells_all_that_was_counted(commas: int, after: bool, before: bool, told: str) -> None:
    """Counts are those of one Δ: where its commas stand (questions 5 and 6) is a part of it."""
    assert place_text(Distance(True, False, False, commas, after, before), "X") == told


def test_the_places_of_all_distances_differ() -> None:
    distances = [Distance.from_code(code) for code in range(128)]
    # Neighbours have no verb between them, and without commas none stands beside a word.
    real = [one for one in distances if not (one.adjacent and one.verb_between) and (one.commas or not any(one[4:]))]
    assert len({place_text(one, "X") for one in real}) == len(real) == 78


def test_candidates_that_are_left_out_are_not_called_less_probable_if_they_are_not() -> None:
    parse = Parser.preset(Model.load(named_model("english")), 3).parse(
        "They/PRP rented/VBD a/DT room/NN with/IN a/DT view/NN"
    )
    context, others = ParseContext(parse), 0
    for modifier in parse.reduced:
        for place, one in enumerate(context.candidates(modifier)):
            text = explain(context, CandidateId(modifier, one.head, one.relation)).text()
            more = len(context.candidates(modifier)) - SHOWN_CANDIDATES
            if more > 0:
                ending = ", none of them more probable" if place < SHOWN_CANDIDATES else ""
                assert f"and {more:,} more{ending}\n" in text
                others += place >= SHOWN_CANDIDATES
    assert others


def test_what_stands_under_a_unary_does_not_pay_for_standing_alone() -> None:
    parse, _ = traced("The/DT guard/NN told/VBD us/PRP to/TO wait/VB outside/RB ./.", 3)
    above = [node for root in parse.roots for node in root.walk() if len(node.children) == 1]
    assert above
    for node in above:
        (child,) = node.children
        page = explain(ParseContext(parse), NodeId(child.start, child.end, child.label, 0))
        told = [
            row for row in rows(page, "factor", "what", "log") if row[1].startswith(f"no unary over {child.label} (")
        ]
        lower = [one for one in child.walk() if one is not child and one.label == child.label]
        assert len(told) <= len(lower)
        assert f"no unary stands over the {child.label} of" not in page.headline.text  # type: ignore[union-attr]


def test_a_bracket_that_was_moved_first_is_told_as_the_parse_has_it() -> None:
    gold = "(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN hero)) (, ,) (ADVP (RB easily))) (. .))"
    parse = "(S (S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN hero)))) (, ,) (ADVP (RB easily)) (. .))"
    errors = classify_errors(read_tree(parse), read_tree(gold))
    told = [error_description(error) for error in errors]
    assert "S over `He is my hero easily` is not in gold." not in told
    assert "S over `He is my hero` is not in gold." in told


def test_a_right_parse_and_its_gold_tree_have_one_log_p() -> None:
    """P(t|S) is a part of both where the parser chose among tags."""
    parser = Parser.preset(classroom(), 4)
    parse = parser.parse("The sun was shining .")
    found = verdict(parser, parse.tree, parse)
    assert parse.distribution is not None
    assert found.kind is VerdictKind.RIGHT
    assert found.gold.log_probability == pytest.approx(parse.log_probability)


def test_a_tree_with_another_of_two_equal_words_as_head_says_which() -> None:
    parser = Parser.preset(Model.load(named_model("english")), 1)
    parse = parser.parse("Mom/NN I/PRP 'm/VBP awake/JJ now/RB ,/, I/PRP 'm/VBP leaving/VBG ./.", n_best=10)
    context, told = ParseContext(parse), []
    for word in parse.reduced:
        headline = explain(context, ArrowId(word)).headline
        assert headline is not None
        told += [reason for reason in headline.reasons if reason.startswith("The best tree") and "`'m`" in reason]
    assert told
    assert all("1st `'m`" in reason or "2nd `'m`" in reason or "with `'m`" in reason for reason in told)


def test_a_list_that_is_too_short_has_as_many_parses_as_were_re_ranked() -> None:
    """Where the parser chooses among tags the list is twice as long as the setting says, if there are so many."""
    parser = Parser.preset(Model.load(named_model("english")), 5, rerank=2)
    best, second, *_ = parser.parse("Mary saw the man with the telescope .", n_best=4).alternatives
    assert best.votes is not None and best.distribution is not None
    found = replace(verdict(parser, second.tree, best), kind=VerdictKind.LIST, repair=None, nats=-1.0)
    told = verdict_sentence(found)
    assert best.votes.voters == 4
    assert "it is not among the 4 parses that were re-ranked, nor would it be among 1,000 with β = 10⁹." in told
