"""Sections 2.4 to 2.7 and 4.1 of the paper, with numbers worked out by hand: estimates, gaps, the score, search."""

from __future__ import annotations

import math
from functools import cache

import pytest

from engine.chart.parser import Parser
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import Factor, FactorKind
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.dependencies import BaseNP, Relation, gap_tags
from engine.structure.distance import Distance
from engine.structure.sentence_layout import DELTA_BITS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from engine.trees.treebank import read_treebank
from tests.engine.paper_examples import CLASSROOM, FIGURE_1, analysis_of, classroom_trained, co_occurrences, model_of

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
        assert not explainer.candidates(1, bases)  # The verb heads every sentence.
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


def test_tags_that_never_stood_side_by_side_have_the_gap_tags_of_their_comma() -> None:
    """No noun stood before a pronoun: what is left is E4 without the tags, all gaps without a comma, or with one."""
    gave = "(S (NP (PRP I)) (VP (VBD gave) {0}))"
    model = model_of(
        gave.format("(NP (NN dog) (NN food))"),
        gave.format("(NP (NN dog)) (NP (NN food))"),
        gave.format("(NP (NP (NN cat)) (, ,) (NP (NN food)))"),
    )
    # S before each object and E after each subject, C and B between the nouns without a comma, B with one.
    expected: dict[str, dict[str, float]] = {
        "": {"S": 3 / 8, "C": 1 / 8, "E": 3 / 8, "B": 1 / 8, "N": 0},
        ",/, ": {"S": 0, "C": 0, "E": 0, "B": 1, "N": 0},
    }
    for comma, distribution in expected.items():
        sentence = TaggedSentence.parse(f"gave/VBD food/NN {comma}I/PRP")
        explainer = Explainer(model, Settings.preset(1), sentence)
        assert explainer.gap_distribution(2) == pytest.approx(distribution)
        assert explainer.gap(2, "B").probability == pytest.approx(distribution["B"])


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


@pytest.mark.parametrize("preset", [1, 2, 3, 4, 5])
def test_no_factor_of_log_p_is_greater_than_1(preset: int) -> None:
    """What the argument for the threshold rests on: what is built from a constituent has at most its score."""
    parser = Parser.preset(classroom_trained(), preset)
    factors = [
        factor
        for tree in list(read_treebank([CLASSROOM]))[::4]
        for parse in parser.parse(TaggedSentence.from_tree(tree), n_best=5).alternatives
        for factor in parse.ledger()
        if factor.kind not in (FactorKind.GENERATIVE, FactorKind.FEATURE)
    ]
    assert len(factors) > 500 and max(factor.log for factor in factors) <= 1e-12


def test_no_beam_finds_a_better_parse() -> None:
    sentences = [TaggedSentence.from_tree(tree) for tree in read_treebank([CLASSROOM])][::10]
    for sentence in sentences:
        best = Parser.preset(classroom_trained(), 3, beam=math.inf).parse(sentence).log_probability
        for beam in (1000.0, 20.0, 1.2):
            parse = Parser.preset(classroom_trained(), 3, beam=beam).parse(sentence)
            assert parse.fallback or parse.log_probability <= best + 1e-9
