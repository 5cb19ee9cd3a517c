"""The paper's own examples and formulas, with numbers worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from engine.chart.parser import Parser
from engine.estimates.explainer import Explainer
from engine.estimates.factor_subjects import FactorKind
from engine.estimates.ledger import Factor
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import Analysis, BaseNP, Relation, analyse, gap_tags
from engine.structure.distance import Distance, Ruler
from engine.structure.structure_layout import DELTA_BITS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import load_head_rules
from engine.trees.tree_normalisation import clean
from engine.trees.tree_reading import read_tree
from engine.trees.treebank import read_treebank
from tests.engine.brute_force import trained

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"

FIGURE_1 = (
    "(S (NP (NP (NNP John) (NNP Smith)) (, ,) (NP (NP (DT the) (NN president)) (PP (IN of) (NP (NNP IBM)))) (, ,))"
    " (VP (VBD announced) (NP (PRP$ his) (NN resignation)) (NP (NN yesterday))) (. .))"
)


def model_of(*texts: str) -> Model:
    """A model trained on these trees."""
    return trained([read_tree(text) for text in texts])


@cache
def classroom_trained() -> Model:
    """A model of the classroom treebank."""
    return trained([CLASSROOM])


def constituents(text: str) -> tuple[Constituent, TaggedSentence]:
    """A tree as the model sees it, and its sentence."""
    tree = clean(read_tree(text))
    assert tree is not None
    root = Lexicaliser(load_head_rules()).constituent(tree)
    assert root is not None
    return root, TaggedSentence.from_tree(tree)


def analysis_of(text: str) -> tuple[Analysis, TaggedSentence]:
    """(B, D, U) of a tree, and its sentence."""
    root, sentence = constituents(text)
    return analyse(root, sentence.proper_tags), sentence


# 2.1: from trees to dependencies


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


def co_occurrences(model: Model, first: str, second: str, preset: int = 1) -> int:
    """C(<a,b>, <c,d>), written ``a/b`` and ``c/d``: δ1 at every Δ together."""
    explainer = Explainer(model, Settings.preset(preset), TaggedSentence.parse(f"{first} {second}"))
    seen = Relation(*model.vocabulary.triples[0])
    distances = map(Distance.from_code, range(1 << DELTA_BITS))
    return sum(explainer.dependency(0, 1, seen, distance).levels[0].delta for distance in distances)


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


# 2.4: sparse data

BONES = "(S (NP (PRP I)) (VP (VBD ate) (NP (NP ({0} {1})) (PP (IN {2}) (NP (NNS bones))))))"
FORKS = "(S (NP (PRP I)) (VP (VBD ate) (NP ({0} {1})) (PP (IN {2}) (NP (NNS forks)))))"


@cache
def fish_model() -> Model:
    """`with` modifies `fish` once and `ate` twice, `in` modifies `ate` once."""
    return model_of(
        BONES.format("NN", "fish", "with"),
        FORKS.format("NN", "fish", "with"),
        FORKS.format("NN", "meat", "with"),
        FORKS.format("NN", "fish", "in"),
    )


def attachment(model: Model, text: str, head: int, relation: str, **changes: object) -> Factor:
    """F̂ of the preposition (word 3) modifying word `head` of `I ate ... with ...`."""
    explainer = Explainer(model, Settings.preset(1, **changes), TaggedSentence.parse(text))
    bases = [BaseNP(0, 1, 0), BaseNP(2, 3, 2), BaseNP(4, 5, 4)]
    distance = explainer.ruler(bases).distance(3, head)
    return explainer.dependency(3, head, Relation(*relation.split(",")), distance)


def counts(factor: Factor) -> list[tuple[int, int]]:
    """(η, δ) of E1 to E4."""
    return [(level.eta, level.delta) for level in factor.levels]


def test_the_estimate_where_both_words_were_seen() -> None:
    """E1 = 1/2, E23 = (1 + 1) / (3 + 3), λ1 = 2/3."""
    factor = attachment(fish_model(), "I/PRP ate/VBD fish/NN with/IN forks/NNS", 2, "PP,NP,NP")
    assert counts(factor) == [(1, 2), (1, 3), (1, 3), (1, 4)]
    assert factor.lambdas == pytest.approx((2 / 3,))
    assert factor.used == ("E1", "E23")
    assert factor.probability == pytest.approx(2 / 3 * 1 / 2 + 1 / 3 * 2 / 6)


def test_estimates_2_and_3_are_pooled() -> None:
    """E23 = (2 + 3) / (3 + 4), not the mean of 2/3 and 3/4."""
    factor = attachment(fish_model(), "I/PRP ate/VBD fish/NN with/IN forks/NNS", 1, "PP,VP,VBD")
    assert counts(factor) == [(2, 3), (2, 3), (3, 4), (3, 4)]
    assert factor.probability == pytest.approx(3 / 4 * 2 / 3 + 1 / 4 * 5 / 7)


def test_the_estimate_where_the_pair_was_never_seen() -> None:
    """E1 does not exist; E23 = 0 / 2, λ2 = 2/3, E4 = 1/4."""
    factor = attachment(fish_model(), "I/PRP ate/VBD meat/NN in/IN forks/NNS", 2, "PP,NP,NP")
    assert counts(factor) == [(0, 0), (0, 1), (0, 1), (1, 4)]
    assert factor.lambdas == pytest.approx((2 / 3,))
    assert factor.used == ("E23", "E4")
    assert factor.probability == pytest.approx(1 / 3 * 1 / 4)


def test_the_estimate_where_one_word_is_unknown() -> None:
    """E3 does not exist; E23 = 1 / 3, λ2 = 3/4, E4 = 1/4."""
    factor = attachment(fish_model(), "I/PRP ate/VBD stew/NN with/IN forks/NNS", 2, "PP,NP,NP")
    assert counts(factor) == [(0, 0), (1, 3), (0, 0), (1, 4)]
    assert factor.probability == pytest.approx(3 / 4 * 1 / 3 + 1 / 4 * 1 / 4)


def test_the_estimate_where_both_words_are_unknown() -> None:
    factor = attachment(fish_model(), "I/PRP ate/VBD stew/NN on/IN forks/NNS", 2, "PP,NP,NP")
    assert counts(factor) == [(0, 0), (0, 0), (0, 0), (1, 4)]
    assert factor.lambdas == ()
    assert factor.used == ("E4",)
    assert factor.probability == pytest.approx(1 / 4)


def test_without_words_only_tags_count() -> None:
    """Table 4: "for `no lexical information' all estimates are based on POS tags alone"."""
    factor = attachment(fish_model(), "I/PRP ate/VBD fish/NN with/IN forks/NNS", 2, "PP,NP,NP", lexical=False)
    assert factor.probability == pytest.approx(1 / 4)


def test_without_distance_only_the_order_counts() -> None:
    """Table 4: "the distance measure is Question 1 alone"."""
    text = "I/PRP ate/VBD fish/NN with/IN forks/NNS"
    factor = attachment(fish_model(), text, 1, "PP,VP,VBD", distance="order")
    explainer = Explainer(fish_model(), Settings.preset(1, distance="order"), TaggedSentence.parse(text))
    for code in range(1 << DELTA_BITS):
        distance = Distance.from_code(code)
        other = explainer.dependency(3, 1, Relation("PP", "VP", "VBD"), distance)
        assert other.probability == (factor.probability if distance.head_first else 0.0)


def test_the_probabilities_of_equation_8_sum_to_1() -> None:
    for preset in (1, 2, 3):
        sentence = TaggedSentence.parse("I/PRP ate/VBD fish/NN with/IN forks/NNS")
        explainer = Explainer(fish_model(), Settings.preset(preset), sentence)
        bases = [BaseNP(0, 1, 0), BaseNP(2, 3, 2), BaseNP(4, 5, 4)]
        assert explainer.candidates(1, bases) == []  # The verb heads every sentence.
        for modifier in (0, 2, 3, 4):
            candidates = explainer.candidates(modifier, bases)
            assert math.fsum(candidate.probability for candidate in candidates) == pytest.approx(1.0)
            total = math.fsum(candidate.estimate for candidate in candidates)
            for candidate in candidates:
                factor = explainer.dependency(modifier, candidate.head, candidate.relation, candidate.distance)
                assert candidate.estimate == pytest.approx(factor.probability)
                assert candidate.probability == pytest.approx(factor.probability / total)
        by_hand = {(candidate.head, str(candidate.relation)): candidate for candidate in explainer.candidates(3, bases)}
        assert by_hand[2, "<PP,NP,NP>"].estimate == pytest.approx(4 / 9)
        assert by_hand[1, "<PP,VP,VBD>"].estimate == pytest.approx(19 / 28)


# 2.5: the baseNP model


def test_the_gap_tags_of_section_2_5() -> None:
    """[ John Smith ] [ the president ] of [ IBM ] has announced [ his resignation ] [ yesterday ]."""
    expected = "John C Smith B the C president E of S IBM E has N announced S his C resignation B yesterday"
    words = expected.split()[::2]
    bases = [BaseNP(0, 2, 1), BaseNP(2, 4, 3), BaseNP(5, 6, 5), BaseNP(8, 10, 9), BaseNP(10, 11, 10)]
    tags = gap_tags(len(words), bases)
    assert list(tags) == expected.split()[1::2]
    assert len(tags) == len(words) - 1


def test_gap_tags_are_estimated_by_the_same_method() -> None:
    """E1 = 1/2, E23 = (1 + 2) / (2 + 3), λ1 = 2/3 for C between `dog` and `food`."""
    gave = "(S (NP (PRP I)) (VP (VBD gave) {0}))"
    model = model_of(
        gave.format("(NP (NN dog) (NN food))"),
        gave.format("(NP (NN dog)) (NP (NN food))"),
        gave.format("(NP (NN cat) (NN food))"),
    )
    sentence = TaggedSentence.parse("I/PRP gave/VBD dog/NN food/NN")
    explainer = Explainer(model, Settings.preset(1), sentence)
    factor = explainer.gap(3, "C")
    assert counts(factor) == [(1, 2), (1, 2), (2, 3), (2, 3)]
    assert factor.probability == pytest.approx(2 / 3 * 1 / 2 + 1 / 3 * 3 / 5)
    assert explainer.gap_distribution(3) == pytest.approx({"S": 0, "C": 8 / 15, "E": 0, "B": 7 / 15, "N": 0})
    unseen = Explainer(model, Settings.preset(1), TaggedSentence.parse("I/PRP gave/VBD bird/NN seed/NN"))
    assert unseen.gap_distribution(3) == pytest.approx({"S": 0, "C": 2 / 3, "E": 0, "B": 1 / 3, "N": 0})


def test_the_comma_is_part_of_a_gap() -> None:
    model = model_of(
        "(S (NP (NNP A) (NNP B)) (VP (VBD left)))",
        "(S (NP (NP (NNP A)) (, ,) (NP (NNP B)) (, ,)) (VP (VBD left)))",
    )
    together = Explainer(model, Settings.preset(1), TaggedSentence.parse("A/NNP B/NNP"))
    apart = Explainer(model, Settings.preset(1), TaggedSentence.parse("A/NNP ,/, B/NNP"))
    assert together.gap(1, "C").probability == 1.0
    assert apart.gap(1, "B").probability == 1.0


# 2.6: the whole model


def test_the_score_is_the_product_of_all_factors() -> None:
    """Of n - 1 gap tags, m - 1 arrows, one arrow to the root, and the unaries."""
    model = classroom_trained()
    parse = Parser.preset(model, 1).parse(str(analysis_of(FIGURE_1)[1]))
    assert parse.tree == read_tree(FIGURE_1)
    ledger = parse.ledger()
    kinds = [factor.kind for factor in ledger]
    assert kinds.count(FactorKind.GAP) == 10 - 1
    assert kinds.count(FactorKind.DEPENDENCY) == 7 - 1
    assert kinds.count(FactorKind.ROOT) == 1
    product = math.prod(factor.probability for factor in ledger)
    assert math.log(product) == pytest.approx(parse.log_probability)


def test_dependencies_do_not_cross() -> None:
    model = classroom_trained()
    parser = Parser.preset(model, 1)
    compared = 0
    for raw in list(read_treebank([CLASSROOM]))[::5]:
        tree = clean(raw)
        assert tree is not None
        for parse in parser.parse(TaggedSentence.from_tree(tree), n_best=5).alternatives:
            arcs = [sorted((arrow.modifier, arrow.head)) for arrow in parse.dependencies]
            for low, high in arcs:
                assert not any(low < other_low < high < other_high for other_low, other_high in arcs if low > 0)
            compared += len(arcs) > 3
    assert compared > 20


# 2.7: further improvements


def test_tags_are_ignored_where_there_are_words() -> None:
    """C(with, fish) sums over the two tags of `fish`."""
    model = model_of(
        BONES.format("NN", "fish", "with"),
        FORKS.format("NN", "fish", "with"),
        FORKS.format("NN", "meat", "with"),
        FORKS.format("NN", "fish", "in"),
        FORKS.format("NNS", "fish", "with"),
    )
    assert co_occurrences(model, "with/IN", "fish/NN") == 2
    assert co_occurrences(model, "with/IN", "fish/NNS") == 1
    assert co_occurrences(model, "with/IN", "fish/NN", preset=3) == 3
    assert co_occurrences(model, "with/IN", "fish/NNS", preset=3) == 3
    text = "I/PRP ate/VBD fish/NN with/IN forks/NNS"
    kept = attachment(model, text, 2, "PP,NP,NP")
    assert counts(kept) == [(1, 2), (1, 3), (1, 3), (1, 4)]
    ignored = attachment(model, text, 2, "PP,NP,NP", ignore_tags=True)
    assert counts(ignored) == [(1, 3), (1, 3), (1, 4), (1, 4)]
    assert ignored.probability == pytest.approx(3 / 4 * 1 / 3 + 1 / 4 * 2 / 7)


RULED = (
    "(S (NP (NP (NNP John)) (, ,) (NP (NNP Smith))) (VP (VBD left)))",
    "(S (NP (NP (NNP John)) (, ,) (NP (NNP Smith)) (, ,)) (VP (VBD left)))",
    "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (NNP John)) (, ,) (NP (NNP Smith)))))",
    "(S (PP (IN In) (NP (NNP Rome))) (, ,) (NP (NNP John)) (VP (VBD left)))",
    "(S (NP (NNP Mary)) (VP (VBD said) (SBAR (IN that) (S (PP (IN in) (NP (NNP Rome))) (, ,) (NP (NNP John))"
    " (VP (VBD left)))) (NP (NN yesterday))))",
)


@pytest.mark.parametrize(("tree", "obeys"), [*zip(RULED, [False, True, True, True, False], strict=True)])
def test_the_punctuation_rule(tree: str, obeys: bool) -> None:
    """Two children separated by a comma: the second must be followed by a comma or by nothing."""
    model = model_of(*RULED)
    assert Parser.preset(model, 1).score(read_tree(tree)).possible
    scored = Parser.preset(model, 2).score(read_tree(tree))
    assert scored.possible == obeys
    assert obeys or "punctuation rule" in scored.why_not
    sentence = TaggedSentence.from_tree(read_tree(tree))
    found = {
        preset: {str(parse.tree) for parse in parser.parse(sentence, n_best=100).alternatives if not parse.fallback}
        for preset in (1, 2)
        for parser in [Parser.preset(model, preset, beam=math.inf)]
    }
    assert tree in found[1]
    assert (tree in found[2]) == obeys


# 4.1: the threshold


def test_a_parse_above_the_threshold_is_the_best() -> None:
    """It says: "If a parse is found, it must be the highest ranked parse by the model"."""
    model = classroom_trained()
    sentences = [TaggedSentence.from_tree(tree) for tree in read_treebank([CLASSROOM])][::4]
    unpruned = Parser.preset(model, 2, beam=math.inf, threshold=-1e6)
    lowered = 0
    for sentence in sentences:
        best = unpruned.parse(sentence)
        assert best.passes == 1
        for threshold, step in ((0.0, 1.0), (-2.0, 1.5), (-20.0, 20.0)):
            parse = Parser.preset(model, 2, beam=math.inf, threshold=threshold, threshold_step=step).parse(sentence)
            assert parse.log_probability == pytest.approx(best.log_probability, abs=1e-9)
            assert (parse.passes == 1) == (best.log_probability >= threshold)
            lowered += parse.passes > 1
    assert lowered > 20


def test_no_beam_finds_a_better_parse() -> None:
    sentences = [TaggedSentence.from_tree(tree) for tree in read_treebank([CLASSROOM])][::10]
    for sentence in sentences:
        best = Parser.preset(classroom_trained(), 3, beam=math.inf).parse(sentence).log_probability
        for beam in (1000.0, 20.0, 1.2):
            parse = Parser.preset(classroom_trained(), 3, beam=beam).parse(sentence)
            assert parse.fallback or parse.log_probability <= best + 1e-9
