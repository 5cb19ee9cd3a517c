"""How the paper was read is told in the inspector where it matters for what is selected, and nowhere else."""

from __future__ import annotations

from functools import cache

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.chart.trace import Edge
from engine.explain.explanation import HEADING_OF_READINGS, Heading, Paragraph
from engine.explain.paper_readings import PaperReading
from engine.explain.registry import explain
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    EdgeId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    Subject,
    TagId,
    WordId,
)
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.dependencies import Relation
from engine.trees.reading import read_tree
from explorer.panels.gold_trees import gold_parse
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.explorer.conftest import PAPER, TELESCOPE

POSSESSIVE = "Mary/NNP 's/POS dog/NN slept/VBD ./."
COORDINATED = "Yesterday/NN ,/, Mary/NNP saw/VBD the/DT man/NN ,/, and/CC John/NNP slept/VBD ./."
MODAL = "Mary/NNP will/MD see/VB the/DT very/RB old/JJ man/NN ./."
WIDENED, NARROW = "The/DT man/NN who/WP saw/VBD Mary/NNP smiled/VBD ./.", 1.01
"""A sentence of which nothing is found within so narrow a beam."""
BRACKETS = "The/DT book/NN -LRB-/-LRB- a/DT story/NN -RRB-/-RRB- is/VBZ new/JJ ./."


@cache
def classroom() -> Model:
    return engine.load("classroom")


@cache
def asked(text: str, preset: int = 3, **changes: object) -> ParseResult:
    """The full result about a sentence."""
    request = ParseRequest(classroom(), Settings.preset(preset, **changes), TextLine(text))
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


def told(result: ParseResult, id: Subject | None, parse: Parse | None = None) -> set[PaperReading]:
    """The readings whose sentences stand in an explanation: under their heading, quietly, each with its section."""
    blocks = explain(result.context(parse or result.parse), id).blocks
    quiet = {block.text for block in blocks if isinstance(block, Paragraph) and block.quiet}
    found = {one for one in PaperReading if f"Section {one.section}: {one.fact}" in quiet}
    titled = any(isinstance(block, Heading) and block.text == HEADING_OF_READINGS for block in blocks)
    assert titled is bool(found)
    return found


@pytest.mark.parametrize("preset", (1, 3, 5))
def test_what_is_as_printed_needs_no_remark(preset: int) -> None:
    result = asked(PAPER, preset)
    # resignation modifies announced; of its baseNP and gaps nothing is out of the ordinary.
    ids = (ArrowId(8), ArrowId(5), NodeId(7, 9, "NP", 0), NodeId(6, 10, "VP", 0), GapId(8), WordId(6), None)
    assert [told(result, id) for id in ids] == [set()] * len(ids)


def test_a_gap_between_tags_that_never_met_goes_by_the_comma_alone() -> None:
    result = asked(MODAL)
    assert told(result, GapId(1)) == told(result, GapTagId(1, "S")) == {PaperReading.GAP_COMMA}
    assert told(result, GapId(2)) == set()
    # Preset (5) always mixes the comma in.
    assert told(asked(MODAL, 5), GapId(1)) == set()


def test_questions_5_and_6_at_the_edge_of_a_basenp_are_told_where_the_words_would_answer_otherwise() -> None:
    # Smith, [the president]: the comma stands before the baseNP, and not before its head.
    assert told(asked(PAPER), ArrowId(3)) == {PaperReading.COMMAS_BESIDE}
    assert told(asked(PAPER), ArrowId(1)) == set()
    assert told(asked(PAPER, distance="order"), ArrowId(3)) == set()


def test_a_modal_is_no_verb_to_question_3() -> None:
    result = asked("It/PRP will/MD be/VB easy/JJ to/TO find/VB the/DT park/NN ./.")
    assert told(result, MatrixCellId(2, 0)) == {PaperReading.VERBS}
    assert told(result, MatrixCellId(3, 0)) == told(result, MatrixCellId(1, 0)) == set()


def test_a_conjunction_stands_under_its_conjunct() -> None:
    result = asked(COORDINATED)
    conjunction, conjunct = 5, 7
    assert told(result, ArrowId(conjunction)) == told(result, ArrowId(conjunct)) == {PaperReading.COORDINATION}
    assert told(result, NodeId(0, 8, "S", 0)) == {PaperReading.COORDINATION}
    assert told(result, NodeId(2, 5, "VP", 0)) == set()
    assert result.parse.chart is not None
    joined = [item.number for item in result.parse.chart.items if item.label == "S&"]
    assert joined
    assert all(PaperReading.COORDINATION in told(result, ItemId(number)) for number in joined)


def test_a_conjunct_left_of_its_head_is_told_of() -> None:
    adverbs = "(ADVP (RB slowly)) (CC and) (ADVP (RB quietly))"
    tree = read_tree(f"(ROOT (S (NP (NNP Mary)) (VP {adverbs} (VBD left))))")
    gold = gold_parse(Parser.preset(classroom(), 3), tree)
    result = asked("Mary/NNP slowly/RB and/CC quietly/RB left/VBD")
    assert told(result, ArrowId(3), gold) == {PaperReading.COORDINATION, PaperReading.LEFT_CONJUNCTS}
    assert PaperReading.LEFT_CONJUNCTS not in told(result, ArrowId(1), gold)


def test_labels_that_no_treebank_has_are_explained() -> None:
    result = asked(TELESCOPE)
    for label, reading in (("NPX", PaperReading.CORE), ("NP+", PaperReading.STACKING), ("NP", None)):
        assert told(result, CandidateId(4, 3, Relation("PP", "NP", label))) == ({reading} if reading else set())


def test_what_a_basenp_absorbed_is_told_of_its_words_and_brackets() -> None:
    result = asked(POSSESSIVE)
    for id in (WordId(0), WordId(1), ArrowId(0), NodeId(0, 2, "NP", 0), NodeId(0, 3, "NP", 0)):
        assert told(result, id) == {PaperReading.POSSESSIVE}, id
    assert told(result, WordId(2)) == told(result, ArrowId(2)) == set()
    result = asked(MODAL)
    for id in (WordId(4), ArrowId(5), NodeId(4, 6, "ADJP", 0), NodeId(3, 7, "NP", 0)):
        assert told(result, id) == {PaperReading.ABSORBED}, id
    assert told(result, WordId(3)) == set()
    # A bracket that no baseNP of this parse has inside.
    assert told(result, NodeId(4, 6, "QP", 0)) == set()


def test_the_core_of_a_phrase_is_told_of() -> None:
    clause = "(SBAR (IN that) (S (NP (NNP Mary)) (VP (VBD slept))))"
    tree = read_tree(f"(ROOT (S (NP (DT The) (NN claim) {clause}) (VP (VBD fell))))")
    result = asked("The/DT claim/NN that/IN Mary/NNP slept/VBD fell/VBD")
    gold = gold_parse(Parser.preset(classroom(), 3), tree)
    assert PaperReading.CORE in told(result, NodeId(0, 5, "NP", 0), gold)


def test_the_arrow_of_the_root_says_what_its_estimate_is() -> None:
    for preset in (3, 5):
        result = asked(PAPER, preset)
        for id in (ArrowId(6), RootId()):
            assert told(result, id) == {PaperReading.ROOT, PaperReading.EQUATION_8}


def test_a_bracket_is_a_word() -> None:
    result = asked(BRACKETS)
    assert told(result, WordId(2)) == {PaperReading.BRACKETS}
    assert PaperReading.BRACKETS in told(result, MatrixCellId(2, 1))
    assert told(result, WordId(1)) == set()


def test_quotes_and_full_stops_are_left_out() -> None:
    result = asked(PAPER)
    last = len(result.parse.sentence) - 1
    assert PaperReading.PUNCTUATION.fact in explain(result.context(), PunctuationId(last)).text()


def test_an_edge_that_the_comma_rule_pruned_says_how_the_rule_is_read() -> None:
    result = asked(PAPER)
    assert result.parse.chart is not None
    edges: list[Edge] = list(result.parse.chart)
    against = [edge for edge in edges if edge.pruning_reason == "comma rule"]
    assert against and len(against) < len(edges)
    for edge in edges:
        assert (PaperReading.COMMA_RULE in told(result, EdgeId(edge.number))) is (edge in against)


def test_a_gold_constituent_against_the_comma_rule_says_how_the_rule_is_read() -> None:
    later = "(, ,) (NP (NN yesterday)) (PP (IN in) (NP (NNP IBM)))"
    tree = read_tree(f"(ROOT (S (NP (NNP Mary)) (VP (VBD saw) (NP (NNP John)) {later})))")
    result = asked("Mary/NNP saw/VBD John/NNP ,/, yesterday/NN in/IN IBM/NNP")
    for preset, expected in ((1, set()), (2, {PaperReading.COMMA_RULE})):
        gold = gold_parse(Parser.preset(classroom(), preset), tree)
        assert told(result, NodeId(1, 6, "VP", 0), gold) == expected


def test_a_unary_chain_never_seen_says_that_chains_are_built_as_a_whole() -> None:
    tree = read_tree("(ROOT (S (NP (NNP Mary)) (VP (SBAR (PP (VBD slept))))))")
    result = asked("Mary/NNP slept/VBD")
    gold = gold_parse(Parser.preset(classroom(), 3), tree)
    assert PaperReading.UNARY_CHAINS in told(result, NodeId(1, 2, "VP", 0), gold)
    assert PaperReading.UNARY_CHAINS not in told(result, NodeId(1, 2, "VP", 0))


def test_a_unary_says_what_its_term_is_under_the_paper_s_presets() -> None:
    # VP → VBD: it is the verb that pays for the unary over it.
    assert told(asked(POSSESSIVE), NodeId(3, 4, "VBD", 0)) == {PaperReading.UNARY_TERM}
    assert told(asked(POSSESSIVE), NodeId(3, 4, "VP", 0)) == set()
    assert told(asked(POSSESSIVE, 5), NodeId(3, 4, "VBD", 0)) == set()


def test_tags_that_were_not_in_the_chart_are_told_of() -> None:
    text = "Mary saw her duck."
    word = 3
    for preset, changes in ((4, {}), (5, {"tag_factor": 20.0})):
        result = asked(text, preset, **changes)
        assert result.parse.distribution is not None
        held = dict(result.parse.distribution.readings(result.parse.settings.tag_factor)[word])
        cut = [tag for tag, _ in result.choices(word) if tag not in held]
        assert cut and told(result, WordId(word)) == told(result, TagId(word, cut[0])) == {PaperReading.TAGS_CUT}
        assert told(result, TagId(word, next(iter(held)))) == set()
    assert told(asked(text, 4, tag_factor=1e9), WordId(word)) == set()
    # Under model (3) and with its tag given the word has one tag, and nothing was cut.
    assert told(asked(text, 3), WordId(word)) == set()
    assert told(asked("Mary saw her duck/NN .", 4), WordId(word)) == set()


def test_a_level_that_does_not_exist_is_told_of() -> None:
    # With tags ignored `with` and `saw` are known as a pair, under whatever tags; not with each other's tags.
    tree = (
        "(ROOT (S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))))"
    )
    odd = tree.replace("VBD", "FW").replace("IN", "UH")
    result, parser = asked(TELESCOPE), Parser.preset(classroom(), 3)
    for brackets, expected in ((tree, set()), (odd, {PaperReading.MISSING_LEVEL})):
        assert told(result, MatrixCellId(4, 1), gold_parse(parser, read_tree(brackets))) == expected
    # With tags in all levels the pair is unknown.
    basic = gold_parse(Parser.preset(classroom(), 1), read_tree(odd))
    assert told(asked(TELESCOPE, 1), MatrixCellId(4, 1), basic) == set()


def test_what_the_beam_spared_is_told_of() -> None:
    # A verb phrase over a verb lies behind the verb itself, which costs nothing; one over a single word is spared.
    verb_phrase = NodeId(1, 2, "VP", 0)
    narrow = asked("Mary sleeps.", beam=3.0)
    assert PaperReading.BEAM in told(narrow, verb_phrase)
    assert "the beam spares single words" in explain(narrow.context(), verb_phrase).text()
    wide = asked("Mary sleeps.")
    assert PaperReading.BEAM not in told(wide, verb_phrase)
    # A word with its tag is the best over itself: nothing is spared.
    assert PaperReading.BEAM not in told(narrow, NodeId(1, 2, "VBD", 0))


def test_a_parse_says_how_the_search_went_beyond_the_paper() -> None:
    assert told(asked(PAPER, threshold=-0.1, threshold_step=0.5), None) == {PaperReading.THRESHOLD}
    assert told(asked(PAPER, lexical=False), None) == {PaperReading.NO_LEXICAL}
    # Passes that only backed off further lowered no threshold.
    further = asked("Mary/NNP ,/, slept/VBD")
    assert further.parse.further_backoff and further.parse.passes > 1
    assert told(further, None) == set()
    widened = asked(WIDENED, beam=NARROW)
    assert not widened.parse.fallback and widened.parse.beam > NARROW
    assert told(widened, None) == {PaperReading.BEAM_WIDENED}
