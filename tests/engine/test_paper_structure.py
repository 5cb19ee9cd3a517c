"""Sections 2.1 to 2.3 of the paper, its own examples: trees and dependencies, counts, the distance measure."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.estimates.explainer import Explainer
from engine.estimates.ledger import FactorKind
from engine.settings import Settings
from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import BaseNP, Relation, analyse
from engine.structure.distance import Distance, Ruler
from engine.structure.sentence_layout import DELTA_BITS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import load_head_rules
from engine.trees.tree import clean
from engine.trees.treebank import read_treebank
from tests.engine.paper_examples import (
    CLASSROOM,
    FIGURE_1,
    analysis_of,
    classroom_trained,
    co_occurrences,
    constituents,
    model_of,
)

# 2.1: from trees to dependencies


def test_levels_of_adjunction_are_told_apart_in_turn() -> None:
    """X+ is a head-child that is an adjunction to X, X++ one that stands on X+; and so on."""
    tree = "(NP (NN a))"
    for word in "bcdef":
        tree = f"(NP {tree} (PP (IN {word})))"
    root, _ = constituents(tree)
    assert [node.head_label for node in root.walk() if len(node.children) > 1] == ["NP++", "NP+", "NP++", "NP+", "NP"]


@pytest.mark.parametrize(
    ("parent", "children", "head"),
    [
        ("NP", "DET JJ JJ NN", "NN"),
        ("NP", "DT JJ JJ NN", "NN"),
        ("S", "NP VP", "VP"),
        ("VP", "VBD NP NP", "VBD"),
        ("NP", "NP PP", "NP"),
        ("PP", "IN NP", "IN"),
    ],
)
def test_head_children_of_section_2_1(parent: str, children: str, head: str) -> None:
    labels = children.split()
    assert labels[load_head_rules().head_index(parent, labels)] == head


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ("oil/NN and/CC gas/NN", "oil"),
        ("oil/NN and/CC gas/NN and/CC chemicals/NNS", "oil"),
        ("oil/NN ,/, gas/NN and/CC chemicals/NNS", "gas"),
        ("and/CC gas/NN", "gas"),
    ],
)
def test_a_head_moves_over_every_cc_before_it(words: str, head: str) -> None:
    """Reading `HEAD_SHIFT`, with the manual's examples."""
    leaves = " ".join("({1} {0})".format(*word.split("/")) for word in words.split())
    analysis, sentence = analysis_of(f"(S (NP {leaves}) (VP (VBD rose)))")
    assert sentence.proper_words[analysis.basenps[0].head] == head


def test_a_base_noun_phrase_has_its_head_whatever_brackets_are_inside() -> None:
    """Reading `BASE_HEADS`."""
    about = "(QP (RB about) (CD five) (CD million))"
    analysis, sentence = analysis_of(f"(S (NP {about}) (VP (VBD left)))")
    assert [sentence.proper_words[base.head] for base in analysis.basenps] == ["million"]
    # In another phrase QP has the head that its own rule finds.
    root, sentence = constituents(f"(S (ADVP {about}) (VP (VBD left)))")
    assert sentence.proper_words[root.children[0].head] == "about"


def test_a_conjunct_left_of_the_head_has_its_conjunction() -> None:
    """Reading `LEFT_CONJUNCTS`."""
    adverbs = "(ADVP (RB slowly)) (CC and) (ADVP (RB quietly))"
    analysis, sentence = analysis_of(f"(S (NP (NNP Mary)) (VP {adverbs} (VBD left)))")
    words = [sentence.proper_words[at] for at in analysis.reduced]
    found = {words[one.modifier - 1]: (words[one.head - 1], str(one.relation)) for one in analysis.dependencies[1:4]}
    assert found == {
        "slowly": ("left", "<ADVP,VP,VBD>"),
        "and": ("quietly", "<CC,ADVP&,ADVP>"),
        "quietly": ("left", "<ADVP&,VP,VBD>"),
    }


def test_gaps_and_root_keep_tags_where_dependencies_ignore_them() -> None:
    """Reading `TAGS_KEPT`."""
    model = model_of("(S (NP (NN dog)) (VP (VBD ran)))", "(S (NP (NN dog)) (VP (VBN ran)))")
    sentence = TaggedSentence.parse("dog/NN ran/VBD")
    basic, ignoring = (Explainer(model, Settings.preset(preset), sentence) for preset in (1, 3))
    for gap in "SCEBN":
        assert basic.gap(1, gap).levels == ignoring.gap(1, gap).levels
    assert basic.gap(1, "E").levels[0].delta == 1
    relation, distance = Relation("NP", "S", "VP"), Distance(False, True, False, 0, False, False)
    counted = [one.dependency(0, 1, relation, distance).levels[0].delta for one in (basic, ignoring)]
    assert counted == [1, 2]
    assert basic.root(1, "S").levels == ignoring.root(1, "S").levels


def test_the_reduced_sentence_of_figure_1() -> None:
    analysis, sentence = analysis_of(FIGURE_1)
    words, tags = sentence.proper_words, sentence.proper_tags
    assert [(words[position], tags[position]) for position in analysis.reduced] == [
        ("Smith", "NNP"),
        ("president", "NN"),
        ("of", "IN"),
        ("IBM", "NNP"),
        ("announced", "VBD"),
        ("resignation", "NN"),
        ("yesterday", "NN"),
    ]


def test_the_base_noun_phrases_of_figure_1() -> None:
    analysis, sentence = analysis_of(FIGURE_1)
    words = sentence.proper_words
    assert [" ".join(words[base.start : base.end]) for base in analysis.basenps] == [
        "John Smith",
        "the president",
        "IBM",
        "his resignation",
        "yesterday",
    ]


def test_the_arrows_of_figure_1() -> None:
    analysis, _ = analysis_of(FIGURE_1)
    assert [(arrow.head, str(arrow.relation)) for arrow in analysis.dependencies] == [
        (5, "<NP,S,VP>"),
        (1, "<NP,NP,NP>"),
        (2, "<PP,NP,NP>"),
        (3, "<NP,PP,IN>"),
        (0, "<S>"),
        (5, "<NP,VP,VBD>"),
        (5, "<NP,VP,VBD>"),
    ]
    assert [arrow.modifier for arrow in analysis.dependencies] == [1, 2, 3, 4, 5, 6, 7]


def test_heads_of_figure_2() -> None:
    """Head-words propagate up: S gets `announced` from its head-child, the VP."""
    root, sentence = constituents(FIGURE_1)
    words = sentence.proper_words
    assert (root.label, words[root.head], root.children[root.head_child].label) == ("S", "announced", "VP")
    subject = root.children[0]
    assert (subject.label, words[subject.head]) == ("NP", "Smith")


def test_a_constituent_of_n_children_gives_n_minus_1_dependencies() -> None:
    """Figure 3, for every constituent of the classroom treebank."""
    lexicaliser = Lexicaliser(load_head_rules())
    dependencies = 0
    for raw in read_treebank([CLASSROOM]):
        tree = clean(raw)
        assert tree is not None
        root = lexicaliser.constituent(tree)
        assert root is not None
        analysis = analyse(root, TaggedSentence.from_tree(tree).proper_tags)
        phrases = [node for node in root.walk() if len(node.children) > 1]
        assert sum(len(node.children) - 1 for node in phrases) == len(analysis.dependencies) - 1
        dependencies += len(analysis.dependencies)
    assert dependencies > 500


# 2.2: counts


def test_several_co_occurrences_in_a_sentence_all_count() -> None:
    """Footnote: S̄ = (<a,b>, <c,d>, <c,d>) gives C(<a,b>, <c,d>) = C(<c,d>, <a,b>) = 2."""
    model = model_of("(X (B a) (D c) (D c))")
    assert co_occurrences(model, "a/B", "c/D") == 2
    assert co_occurrences(model, "c/D", "a/B") == 2
    assert co_occurrences(model, "c/D", "c/D") == 2
    assert co_occurrences(model, "a/B", "a/B") == 0


SALES = (
    "(S (NP (NNP Shaw)) (VP"
    " (VP (VBZ has) (NP (NP (JJ annual) (NNS sales)) (PP (IN of) (NP (QP (RB about) ($ $) (CD 1.18) (CD billion))))))"
    " (, ,) (CC and)"
    " (VP (VBZ has) (NP (NP (NP (NNS economies)) (PP (IN of) (NP (NN scale)))) (CC and)"
    " (NP (NP (JJR lower) (NNS costs)) (SBAR (WHNP (WDT that)) (S (VP (VBP are) (VP (VBN expected)"
    " (S (VP (TO to) (VP (VB boost) (NP (NP (DT the) (NN profitability)) (PP (IN of) (NP (NP (NNP Armstrong)"
    " (POS 's)) (NNS brands)))))))))))))))"
    " (. .))"
)


def test_sales_and_of_co_occur_three_times_and_are_related_once() -> None:
    """Section 2.3: "this sentence would contribute an estimate of 1/3 that the two words are related"."""
    model = model_of(SALES)
    assert co_occurrences(model, "of/IN", "sales/NNS") == 3
    assert co_occurrences(model, "sales/NNS", "of/IN") == 3
    analysis, sentence = analysis_of(SALES)
    words = sentence.proper_words
    ofs = [position for position in analysis.reduced if words[position] == "of"]
    sales = words.index("sales")
    relation = Relation("PP", "NP", "NP")

    def e1(position: int, **changes: object) -> Fraction:
        explainer = Explainer(model, Settings.preset(1, **changes), sentence)
        distance = explainer.ruler(analysis.basenps).distance(position, sales)
        level = explainer.dependency(position, sales, relation, distance).levels[0]
        return Fraction(level.eta, level.delta)

    assert [e1(position, distance="order") for position in ofs] == [Fraction(1, 3)] * 3
    # With Δ the near `of` is sure and the distant ones are out of the question.
    assert [e1(position) for position in ofs] == [1, 0, 0]


# 2.3: the distance measure


def ruler(text: str, *bases: tuple[int, int, int]) -> Ruler:
    """Measures a tagged sentence with these baseNPs (start, end, head)."""
    sentence = TaggedSentence.parse(text)
    return Ruler(sentence.proper_tags, sentence.commas, [BaseNP(*base) for base in bases])


def figure_1_ruler() -> tuple[Ruler, dict[str, int]]:
    """The Figure 1 sentence, and where its words are."""
    analysis, sentence = analysis_of(FIGURE_1)
    words = {word: position for position, word in enumerate(sentence.proper_words)}
    return Ruler(sentence.proper_tags, sentence.commas, analysis.basenps), words


@pytest.mark.parametrize(
    ("modifier", "head", "expected"),
    [
        # Head first, adjacent, verb between, commas, comma after the first, comma before the second.
        ("Smith", "announced", (False, False, False, 2, True, True)),
        ("president", "Smith", (True, True, False, 1, True, True)),
        ("of", "president", (True, True, False, 0, False, False)),
        ("IBM", "of", (True, True, False, 0, False, False)),
        ("resignation", "announced", (True, True, False, 0, False, False)),
        ("yesterday", "announced", (True, False, False, 0, False, False)),
        ("president", "announced", (False, False, False, 1, False, True)),
        ("yesterday", "IBM", (True, False, True, 1, True, False)),
    ],
)
def test_distances_in_figure_1(modifier: str, head: str, expected: tuple[bool, bool, bool, int, bool, bool]) -> None:
    """`John` and `the` stand outside the reduced sentence: `president` is next to `Smith`."""
    measure, words = figure_1_ruler()
    assert measure.distance(words[modifier], words[head]) == Distance(*expected)


def test_question_1_the_order() -> None:
    measure = ruler("a/NN b/NN")
    assert measure.distance(0, 1).head_first is False
    assert measure.distance(1, 0).head_first is True


def test_question_2_is_about_the_reduced_sentence() -> None:
    assert not ruler("saw/VBD the/DT dog/NN").distance(2, 0).adjacent
    assert ruler("saw/VBD the/DT dog/NN", (1, 3, 2)).distance(2, 0).adjacent


@pytest.mark.parametrize("tag", ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"])
def test_question_3_a_verb_between(tag: str) -> None:
    assert ruler(f"a/NN b/{tag} c/IN").distance(2, 0).verb_between
    assert not ruler("a/NN b/NN c/IN").distance(2, 0).verb_between


def test_question_3_is_about_the_reduced_sentence_and_not_about_the_two_words() -> None:
    assert not ruler("a/VBD b/VBG c/NN d/VBD", (1, 3, 2)).distance(3, 0).verb_between
    assert not ruler("a/MD b/MD c/TO").distance(2, 0).verb_between


@pytest.mark.parametrize(("marks", "answer"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
@pytest.mark.parametrize("mark", [",/,", ";/:"])
def test_question_4_commas_and_colons_up_to_more_than_two(marks: int, answer: int, mark: str) -> None:
    text = "a/NN " + f"{mark} b/NN " * marks + "c/NN"
    assert ruler(text).distance(marks + 1, 0).commas == answer
    assert ruler(text).distance(0, marks + 1).commas == answer


def test_question_4_leaves_quotes_and_full_stops_out() -> None:
    assert ruler("a/NN ``/`` b/NN ''/'' ./. c/NN").distance(2, 0) == Distance(True, False, False, 0, False, False)


@pytest.mark.parametrize("marks", range(1, 6))
def test_training_counts_commas_as_the_ruler_does(marks: int) -> None:
    """Of two commas and of more than two there are counts of their own."""
    model = model_of("(S (NP (NNP Ann)) " + "(, ,) (ADVP (RB now)) " * (marks - 1) + "(, ,) (VP (VBD ran)))")
    sentence = TaggedSentence.parse("Ann/NNP " + ",/, now/RB " * (marks - 1) + ",/, ran/VBD")
    explainer = Explainer(model, Settings.preset(1), sentence)
    distance = explainer.ruler([]).distance(0, marks)
    assert distance.commas == min(marks, 3)
    factor = explainer.dependency(0, marks, Relation("NP", "S", "VP"), distance)
    assert [(level.eta, level.delta) for level in factor.levels][:1] == [(1, 1)]


def test_questions_5_and_6_look_outside_the_base_noun_phrases() -> None:
    """A comma next to the baseNP counts, a comma within it does not, though it lies between the two words."""
    outside = ruler("John/NNP Jr./NNP ,/, the/DT old/JJ boss/NN", (0, 2, 0), (2, 5, 4))
    assert outside.distance(4, 0) == Distance(True, True, False, 1, True, True)
    within = ruler("saw/VBD an/DT old/JJ ,/, tired/JJ man/NN", (1, 5, 4))
    assert within.distance(4, 0) == Distance(True, True, False, 1, False, False)


def test_questions_5_and_6_are_two_questions() -> None:
    after = ruler("a/NN ,/, b/NN c/NN").distance(2, 0)
    assert (after.comma_after_first, after.comma_before_second) == (True, False)
    before = ruler("a/NN b/NN ,/, c/NN").distance(2, 0)
    assert (before.comma_after_first, before.comma_before_second) == (False, True)


def test_a_distance_is_its_number() -> None:
    for code in range(1 << DELTA_BITS):
        assert Distance.from_code(code).code == code


def test_training_measures_as_the_ruler_does() -> None:
    """Every arrow of every training tree is in the count tables at the Δ that the ruler finds."""
    model = classroom_trained()
    arrows = 0
    for raw in read_treebank([CLASSROOM]):
        tree = clean(raw)
        assert tree is not None
        root = model.lexicaliser.constituent(tree)
        assert root is not None
        sentence = TaggedSentence.from_tree(tree)
        explainer = Explainer(model, Settings.preset(1), sentence)
        for factor in explainer.ledger((root,)):
            if factor.kind is FactorKind.DEPENDENCY:
                assert factor.levels and all(level.eta > 0 for level in factor.levels), factor.what
                arrows += 1
    assert arrows > 400
