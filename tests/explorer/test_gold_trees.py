"""Gold trees without a window: the filter's language, and changing a tree by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.explain.subjects import NodeId, PunctuationId, WordId
from engine.settings import Settings
from engine.structure.dependencies import Relation
from engine.study.provenance import GOLD, Provenance
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from explorer.panels.gold_trees import EditError, attach, bracket, ids, node_at, relabel, unbracket, walk
from explorer.panels.list_filter import FilterError, ListFilter, gold_triples, with_term
from explorer.session.document import TextLine, length_of, plain
from explorer.session.statuses import DIFFERS, RIGHT, SentenceStatus, status_of

SAW = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
RAW = "(S (NP-SBJ (NNP Mary)) (VP (VBD slept) (NP (-NONE- *)) (PP-LOC=2 (IN in) (NP (NNP Rome)))) (. .))"
TAGGED = "Mary/NNP slept/VBD ./."
WITH = (1, 2)
MAN = (1, 1)

NOW = Provenance("classroom", Settings.preset(3), GOLD)


def passes(query: str, text: str, finding: SentenceStatus | None = None, model: engine.Model | None = None) -> bool:
    test = ListFilter(query).test(model.lexicaliser if model is not None else None, {}, NOW)
    return test(TextLine(text), finding)


@pytest.mark.parametrize(
    ("query", "text", "wanted"),
    [
        ("telescope", SAW, True),
        ("TELESCOPE mary", SAW, True),
        ('"the man with"', SAW, True),
        ('"man the"', SAW, False),
        ("-telescope", SAW, False),
        ("nnp", SAW, False),
        ("slept in", RAW, True),
        ('"slept in"', RAW, True),
        ("tag:VBD", SAW, True),
        ("tag:VB", SAW, False),
        ("tag:VBD", TAGGED, True),
        ("tag:VB", TAGGED, False),
        ("tag:NP", SAW, False),
        ("label:PP", SAW, True),
        ("label:PP", RAW, True),
        ("label:NP", RAW, True),
        ("label:P", RAW, False),
        ("label:NNP", SAW, False),
        ("label:NP", TAGGED, False),
        ("length:8", SAW, True),
        ("length>8", SAW, False),
        ("length>=8 length<9", SAW, True),
        ("length:5-8", SAW, True),
        ("length:-7", SAW, False),
        ("length:5", RAW, True),
        ("is:gold", SAW, True),
        ("is:gold", TAGGED, False),
        ("is:unseen", SAW, True),
        ("http://x", SAW, False),
    ],
)
def test_the_filter_finds_words_tags_labels_and_lengths(query: str, text: str, wanted: bool) -> None:
    assert passes(query, text) is wanted


def test_the_filter_knows_what_was_found_of_a_sentence() -> None:
    triples = frozenset({Relation("PP", "VP", "VBD"), Relation("S")})
    wrong = SentenceStatus(DIFFERS, NOW, 66.7, triples, "search error", ("PP attachment", "unary"))
    for query in (
        "is:differs",
        'is:"differs from gold"',
        "f1<80",
        "f1:60-70",
        "verdict:search",
        'verdict:"search error"',
        "class:pp",
        "class:unary",
        "triple:PP,VP,VBD",
        "triple:<PP,VP,VBD>",
        "triple:*,VP,*",
        "triple:S",
        "-is:right",
    ):
        assert passes(query, SAW, wrong), query
    for query in (
        "is:right",
        "f1>80",
        "verdict:model",
        "class:co-ordination",
        "triple:PP,NP,NP",
        "triple:NP",
        "is:unseen",
    ):
        assert not passes(query, SAW, wrong), query
    assert not passes("f1<101", SAW, SentenceStatus("parsed")) and not passes("class:pp verdict:search f1<9", SAW, None)


def test_triples_of_gold_trees_come_from_the_models_heads(classroom: engine.Model) -> None:
    found = gold_triples(SAW, classroom.lexicaliser)
    assert Relation("PP", "VP", "VBD") in found and Relation("S") in found
    parse = Parser.preset(classroom, 3).parse(TAGGED)
    assert passes("triple:PP,VP,VBD", SAW, None, classroom) and not passes("triple:PP,NP,NP", SAW, None, classroom)
    assert status_of(parse, None).triples == frozenset(arrow.relation for arrow in parse.dependencies)
    assert gold_triples("(S (NP", classroom.lexicaliser) == frozenset()


@pytest.mark.parametrize("text", ["length:long", "f1>", "triple:PP,VP", "tag>5", "class=x"])
def test_a_filter_that_means_nothing_says_what_to_write(text: str) -> None:
    with pytest.raises(FilterError, match=text[:2]):
        ListFilter(text)


@given(st.text(max_size=40))
def test_any_text_is_a_filter_or_says_why_not(text: str) -> None:
    try:
        query = ListFilter(text)
    except EngineError:
        return
    query.test(None, {})(TextLine(SAW), None)
    again = ListFilter(with_term(text, "is", "right"))
    assert [term for term in again.terms if term.kind == "is"][-1].value == "right"


def test_a_term_takes_the_place_of_the_one_before() -> None:
    text = with_term('man is:right -tag:CC "a b"', "is", "differs from gold")
    assert text == 'man -tag:CC "a b" is:"differs from gold"'
    assert with_term(text, "is", "") == 'man -tag:CC "a b"'


def test_lines_for_the_eye() -> None:
    assert plain(RAW) == "Mary slept in Rome ." and length_of(RAW) == 5
    assert plain(TAGGED) == "Mary slept ." and length_of(TAGGED) == 3


def test_a_parse_is_right_or_differs(classroom: engine.Model) -> None:
    parse = Parser.preset(classroom, 3).parse(TAGGED)
    assert status_of(parse, read_tree("(S (NP (NNP Mary)) (VP (VBD slept)) (. .))")).mark == RIGHT
    found = status_of(parse, read_tree("(S (NP (NNP Mary) (VBD slept)) (. .))"))
    assert found.mark == DIFFERS and found.f1 is not None and 0 < found.f1 < 100


# Changing a tree


def test_relabel_bracket_and_unbracket() -> None:
    tree = read_tree(SAW)
    assert "(ADVP (IN with)" in relabel(tree, WITH, "ADVP").brackets()
    assert "(JJ man)" in relabel(tree, (1, 1, 1), "JJ").brackets()
    inner = bracket(tree, MAN, WITH, "NP")
    assert "(VP (VBD saw) (NP (NP (DT the) (NN man)) (PP" in inner.brackets()
    assert unbracket(inner, MAN).brackets() == SAW
    assert bracket(tree, (), (), "FRAG").brackets() == f"(FRAG {SAW})"
    assert unbracket(bracket(tree, (), (), "FRAG"), ()).brackets() == SAW
    assert tree.brackets() == SAW


def test_attach_low_and_high_again() -> None:
    tree = read_tree(SAW)
    low = attach(tree, WITH, MAN)
    assert "(NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))" in low.brackets()
    [(path, _)] = [(path, node) for path, node, _, _ in walk(low) if node.label == "PP"]
    high = attach(low, path, (1,))
    assert "(VP (VBD saw) (NP (NP (DT the) (NN man))) (PP" in high.brackets()
    flat = attach(tree, WITH, MAN, adjoin=False)
    assert "(NP (DT the) (NN man) (PP" in flat.brackets()
    assert attach(tree, (1, 2, 1), (), None).words() == tree.words()


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (lambda tree: attach(tree, (), (1,)), "whole tree"),
        (lambda tree: attach(tree, (1,), (1, 1)), "to itself"),
        (lambda tree: attach(tree, WITH, (1,)), "already"),
        (lambda tree: attach(tree, WITH, (0,)), "stands between"),
        (lambda tree: attach(tree, WITH, (0, 0)), "a word holds nothing"),
        (lambda tree: attach(tree, (1, 1), ()), "in the middle"),
        (lambda tree: unbracket(tree, (0, 0)), "a word cannot be removed"),
        (lambda tree: unbracket(tree, ()), "outermost"),
        (lambda tree: relabel(tree, (0,), "N P"), "one word"),
        (lambda tree: relabel(tree, (0,), ""), "one word"),
        (lambda tree: bracket(tree, (0,), (1, 0), "X"), "same parent"),
    ],
)
def test_what_cannot_be_done_is_said(edit: Callable[[Tree], Tree], part: str) -> None:
    with pytest.raises(EditError, match=part):
        edit(read_tree(SAW))


@given(st.data())
def test_no_change_ever_loses_or_moves_a_word(data: st.DataObject) -> None:
    tree = read_tree(SAW)
    words, tags = tree.words(), tree.tags()
    for _ in range(4):
        paths = [path for path, _, _, _ in walk(tree)]
        first, second = data.draw(st.sampled_from(paths)), data.draw(st.sampled_from(paths))
        adjoin = data.draw(st.sampled_from([None, True, False]))
        kind = data.draw(st.sampled_from(["attach", "bracket", "unbracket"]))
        try:
            if kind == "attach":
                tree = attach(tree, first, second, adjoin)
            elif kind == "bracket":
                tree = bracket(tree, first, second, "X")
            else:
                tree = unbracket(tree, first)
        except EditError:
            continue
        assert tree.words() == words and tree.tags() == tags
        assert all(node.word is not None or node.children for _, node, _, _ in walk(tree))
        assert read_tree(tree.brackets()) == tree


def test_ids_of_pictures_lead_to_nodes() -> None:
    tree = read_tree(SAW)
    found = ids(tree)
    assert found[NodeId(4, 7, "PP", 2)] == WITH
    assert found[WordId(1)] == (1, 0) and found[PunctuationId(7)] == (2,)
    assert {node_at(tree, path).label for path in found.values()} >= {"S", "NP", "VP", "PP", "NN", "."}
    assert len(found) == sum(1 for _ in walk(tree))
