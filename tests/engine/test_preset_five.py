"""Preset (5), beyond the paper: exact search, explained estimates, and the rules it adds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.chart.parser import Parser
from engine.chart.search import grammar_of
from engine.common.arrays import Int64Array
from engine.common.errors import ConstraintError, EngineError
from engine.counts.contexts import between_classes, context_features, partners, unbalanced
from engine.counts.counts_layout import BETWEEN_CLASSES, SAME_AS_HEAD, SAME_AS_MODIFIER, ContextWord
from engine.counts.lookup_kernel import classes_between, fill_constituent
from engine.estimates import estimates_kernel as unary_estimates_kernel
from engine.estimates.estimates_layout import S_SEEN, S_VALUE, SEEN_COLUMNS, UNARY_IN_CONTEXT
from engine.estimates.explainer import Explainer
from engine.estimates.factors import contexts_of, filled, look_up, mixture_of
from engine.estimates.ledger import Factor, FactorKind
from engine.model.model import Model
from engine.reference import Possibilities, ReferenceParser, TooManyTrees
from engine.settings import BEYOND_THE_PAPER, Settings
from engine.structure.constraints import Attachment, BaseSpan, Constraint
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.sentence_layout import AFTER, BEFORE, ENDS_BEFORE, OWN_TAG
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from engine.trees.treebank import read_treebank
from tests.trained import trained

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"
CLOSE = 1e-9
BRACKETED = (
    "(S (NP (NP (NNP Ann)) (PRN (-LRB- -LRB-) (NP (DT the) (NN dog)) (-RRB- -RRB-))) (VP (VBD ran)) (. .))",
    "(S (NP (NNP Rex)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PRN (-LRB- -LRB-) (ADVP (RB now)) (-RRB- -RRB-)))))",
    "(S (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN dog)) (CC and) (NP (NNP Rex))) (VP (VBD ran)) (. .))",
    "(S (NP (NNP Ann)) (, ,) (ADVP (RB now)) (VP (VP (VBD ran)) (CC and) (VP (VBD saw) (NP (NNP Rex)))) (. .))",
    "(S (S (NP (NNP Ann)) (VP (VBD ran))) (, ,) (CC and) (S (NP (NNP Rex)) (VP (VBD saw) (NP (DT a) (NN dog)))))",
)
SENTENCES = (
    "Ann/NNP -LRB-/-LRB- the/DT dog/NN -RRB-/-RRB- ran/VBD ./.",
    "Rex/NNP saw/VBD Ann/NNP -LRB-/-LRB- now/RB -RRB-/-RRB-",
    "Ann/NNP ,/, a/DT dog/NN and/CC Rex/NNP ran/VBD ./.",
    "Ann/NNP ,/, a/DT dog/NN and/CC Rex/NNP ,/, ran/VBD ./.",
    "Ann/NNP saw/VBD -LRB-/-LRB- Rex/NNP",
    "blick/NNP ran/VBD ,/, now/RB and/CC saw/VBD Rex/NNP",
    "the/DT blick/NN saw/VBD a/DT blick/NN -LRB-/-LRB- Rex/NNP -RRB-/-RRB-",
)


@cache
def bracketed() -> Model:
    return trained([read_tree(text) for text in BRACKETED])


@cache
def classroom() -> Model:
    return trained([CLASSROOM])


def classroom_sentences(longest: int) -> list[TaggedSentence]:
    found = []
    for tree in read_treebank([CLASSROOM]):
        cleaned = clean(tree)
        assert cleaned is not None
        sentence = TaggedSentence.from_tree(cleaned)
        if len(sentence.positions) <= longest:
            found.append(sentence)
    return found


def switched(**changes: bool) -> Settings:
    return Settings.preset(5, beam=math.inf, threshold=-1e6, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"contexts": False},
        {"gap_contexts": False, "unary_contexts": False},
        {"recursion": False, "contexts": False},
        {"lexical": False},
        {"extended_rule": False, "balanced_brackets": False},
    ],
    ids=lambda changes: " ".join(changes) or "all",
)
@pytest.mark.parametrize("name", ["bracketed", "classroom"])
def test_the_best_score_is_that_of_brute_force(name: str, changes: dict[str, bool]) -> None:
    model = bracketed() if name == "bracketed" else classroom()
    sentences = [TaggedSentence.parse(text) for text in SENTENCES] if name == "bracketed" else classroom_sentences(5)
    settings = switched(**changes)
    parser = Parser.preset(model, 5, beam=math.inf, threshold=-1e6, further_backoff=False, **changes)
    possibilities = Possibilities(model)
    compared = ambiguous = 0
    for sentence in sentences:
        try:
            ranking = ReferenceParser(model, settings, sentence, possibilities, 60_000).ranking()
        except TooManyTrees:
            continue
        parse = parser.parse(sentence)
        assert parse.fallback == (not ranking), str(sentence)
        compared += 1
        if ranking:
            assert parse.log_probability == pytest.approx(ranking[0].score, abs=CLOSE), str(sentence)
            ambiguous += len(ranking) > 1
    assert compared >= 5
    if settings.gap_contexts or name == "classroom":
        # The paper's gap model rules out all but one tree of each bracketed sentence.
        assert ambiguous >= 2


def formula(factor: Factor) -> float:
    """The probability that a factor's own account of itself gives."""
    counts = {level.name: (level.eta, level.delta) for level in factor.levels}
    for pooled, first, second in (("E23", "E2", "E3"), ("before, after", "before", "after")):
        if first in counts:
            (eta, delta), (other_eta, other_delta) = counts[first], counts[second]
            counts[pooled] = (eta + other_eta, delta + other_delta)
    eta, delta = counts[factor.used[-1]]
    value = mixture(counts, factor.used, factor.lambdas, eta / delta)
    for ratio in factor.ratios:
        estimate = mixture(counts, ratio.used, ratio.lambdas, ratio.expected)
        assert ratio.estimate == pytest.approx(estimate, rel=1e-9)
        assert ratio.value == pytest.approx((estimate / ratio.expected) ** ratio.power, rel=1e-9)
        value *= ratio.value
    return value / factor.whole


def mixture(counts: dict[str, tuple[int, int]], used: Sequence[str], lambdas: Sequence[float], value: float) -> float:
    """Levels mixed by their weights, each with all that follow it, over a value below them all."""
    for name, weight in reversed(list(zip(used, lambdas, strict=False))):
        eta, delta = counts[name]
        value = weight * eta / delta + (1 - weight) * value
    return value


def test_ledgers_sum_to_the_score_and_factors_give_their_own_account() -> None:
    parser = Parser.preset(classroom(), 5)
    several = with_ratios = 0
    for sentence in classroom_sentences(40):
        parse = parser.parse(sentence)
        ledger = parse.ledger()
        assert ledger.total == pytest.approx(parse.log_probability, abs=CLOSE), str(sentence)
        for factor in ledger:
            assert 0 < factor.probability <= 1
            if factor.kind in ("gap", "dependency", "unary") and factor.levels:
                assert formula(factor) == pytest.approx(factor.probability, rel=1e-9), factor
                several += len(factor.lambdas) > 2
                with_ratios += len(factor.ratios) > 1
    assert several > 100
    assert with_ratios > 100


def test_the_sum_over_outcomes_is_one() -> None:
    """Contexts multiply ratios in; what comes out is divided by its sum, so probabilities they stay."""
    sentences = classroom_sentences(12)[:25]
    assert len(sentences) == 25
    for sentence in sentences:
        explainer = Explainer(classroom(), Settings.preset(5), sentence)
        for position in range(1, len(sentence.positions)):
            assert sum(explainer.gap_distribution(position).values()) == pytest.approx(1.0)
        for modifier in range(1, len(sentence.positions)):
            estimates = explainer.dependencies.estimates(modifier, 0, 64)
            assert all(value > 0 for value in estimates.values())
            assert sum(estimates.values()) < 1 + 1e-9


def test_what_a_product_is_divided_by_is_the_same_for_every_outcome() -> None:
    """A factor tells w as its product over its probability; were a level or a ratio told wrong, w would differ."""
    compared = 0
    for sentence in classroom_sentences(12)[:25]:
        explainer = Explainer(classroom(), Settings.preset(5), sentence)
        for position in range(1, len(sentence.positions)):
            factors = [explainer.gap(position, letter) for letter in GAP_LETTERS]
            assert [factor.whole for factor in factors] == pytest.approx([factors[0].whole] * len(factors))
            products = [factor.probability * factor.whole for factor in factors]
            assert sum(products) == pytest.approx(factors[0].whole)
        ruler = explainer.ruler(())
        for modifier, head in itertools.permutations(range(len(sentence.positions)), 2):
            distance = ruler.distance(modifier, head)
            triples = explainer.dependencies.estimates(modifier, head, distance.code)
            relations = [Relation(*classroom().vocabulary.triples[triple]) for triple in triples]
            wholes = [explainer.dependency(modifier, head, relation, distance).whole for relation in relations]
            assert wholes == pytest.approx(wholes[:1] * len(wholes))
            compared += len(wholes) > 1
        for node in Parser.preset(classroom(), 5).parse(sentence).roots[0].walk():
            parents = [explainer.unary(node, parent or None) for parent in classroom().vocabulary.labels]
            wholes = [factor.whole for factor in parents if factor.probability and factor.levels]
            assert wholes == pytest.approx(wholes[:1] * len(wholes))
    assert compared > 50


def by_chain(model: Model, over: Int64Array, labels: int) -> list[float]:
    """P̂ of every unary parent by its chain, one after the other; a label that was never counted stands alone."""
    contexts = contexts_of(UNARY_IN_CONTEXT, model.counts.bits, over)
    products = [
        mixture_of(UNARY_IN_CONTEXT, *look_up(model.counts, contexts, parent)).value for parent in range(labels)
    ]
    whole = sum(products)
    return [product / whole for product in products] if whole else [1.0, *[0.0] * (labels - 1)]


def test_all_unary_parents_at_once_are_what_their_chain_gives_one_by_one() -> None:
    """The chart works from the first, the ledger explains from the second."""
    model = classroom()
    counts, levels = model.counts, grammar_of(model, Settings.preset(5).switches()).unary_levels
    labels = len(model.vocabulary.labels)
    scratch, seen = np.zeros((labels + 1, SEEN_COLUMNS)), np.zeros(labels + 1, np.int32)
    several = 0
    for sentence in classroom_sentences(8)[:6]:
        numbers, tags = model.numbers(sentence), sentence.proper_tags
        around = context_features(tags, [tag for _, tag in numbers], sentence.commas)
        last = len(sentence.positions) - 1
        for head, (word, tag) in enumerate(numbers):
            before, after, first = (int(around[at]) for at in ((head, BEFORE), (last, AFTER), (head, OWN_TAG)))
            for label in range(labels + 1):
                own = ContextWord(word, tag, before, after)
                over = filled(fill_constituent, label, own, model.label_numbers["NP"], first)
                factor, number = unary_estimates_kernel.unary_distribution(
                    counts, levels[tag, label], over, scratch, seen
                )
                fast = [
                    scratch[parent, S_VALUE] if scratch[parent, S_SEEN] else factor * levels[tag, label, parent]
                    for parent in range(labels + 1)
                ]
                unary_estimates_kernel.forget_parents(scratch, seen, number)
                slow = by_chain(model, over, labels + 1)
                assert fast == pytest.approx(slow, abs=1e-12, rel=CLOSE)
                assert sum(fast) == pytest.approx(1.0)
                several += number > 1
    assert several > 10
    assert not scratch.any()


def test_what_is_demanded_of_one_sentence_is_not_demanded_of_the_next() -> None:
    """Sentences of a length share arrays, which constraints must not write into."""
    parser = Parser.preset(classroom(), 5)
    sentence = next(sentence for sentence in classroom_sentences(9) if len(sentence.positions) >= 5)
    free = parser.parse(sentence)
    modifier, head = next((arrow.modifier, arrow.head) for arrow in free.dependencies if arrow.head)
    first, second = (free.reduced[at - 1] for at in (modifier, head))
    others: list[Constraint] = [Attachment(first, second, forbid=True), BaseSpan(0, 1, forbid=True), BaseSpan(2, 3)]
    for constraint in others:
        with suppress(ConstraintError):
            parser.parse(sentence, constraints=[constraint])
        again = parser.parse(sentence)
        assert (again.tree.brackets(), again.log_probability) == (free.tree.brackets(), free.log_probability)


# By kind of factor: levels to mix, the coarsest first, each with its counts and the weight c of what is below it; the
# level whose estimate contexts are compared with; and contexts, each with its levels and its α.
Step = tuple[tuple[str, ...], float]
WORKED_OUT: dict[FactorKind, tuple[list[Step], str, list[tuple[list[Step], float]]]] = {
    FactorKind.DEPENDENCY: (
        [
            (("order",), 0.0),
            (("order+adjacency",), 5.0),
            (("Δ without commas",), 5.0),
            (("E4",), 40.0),
            (("E2", "E3"), 3.0),
            (("E1",), 2.5),
        ],
        "order+adjacency",
        [([(("beside modifier",), 5.0)], 0.5), ([(("beside head",), 5.0)], 1.0), ([(("between",), 5.0)], 0.5)],
    ),
    FactorKind.GAP: (
        [(("even",), 0.0), (("comma",), 0.05), (("E4",), 1.0), (("E2", "E3"), 3.0), (("E1",), 1.0)],
        "E4",
        [([(("before", "after"), 2.0), (("before+after",), 5.0)], 1.0)],
    ),
    FactorKind.UNARY: (
        [(("label",), 0.0), (("label+tag",), 1.0), (("word+tag",), 3.0)],
        "label+tag",
        [([(("before", "after"), 5.0), (("before+after",), 5.0)], 1.0), ([(("inside",), 5.0)], 0.5)],
    ),
}


def product_by_hand(factor: Factor) -> float:
    """What is divided by its sum over all outcomes, from the counts of a factor and the weights of preset 5."""
    counts = {level.name: (level.eta, level.delta) for level in factor.levels}
    levels, compared, contexts = WORKED_OUT[factor.kind]

    def mixed(names: tuple[str, ...], weight: float, below: float) -> float:
        eta, delta = (sum(counts[name][column] for name in names) for column in (0, 1))
        return (eta + weight * below) / (delta + weight) if delta else below

    value = expected = 0.0
    for names, weight in levels:
        value = mixed(names, weight, value)
        if compared in names:
            expected = value
    for steps, power in contexts:
        estimate = expected
        for names, weight in steps:
            estimate = mixed(names, weight, estimate)
        value *= (estimate / expected) ** power
    return value


def test_every_factor_is_worked_out_from_its_counts() -> None:
    parser = Parser.preset(bracketed(), 5)
    kinds = []
    for text in SENTENCES:
        for factor in parser.parse(text).ledger():
            if factor.kind in WORKED_OUT:
                assert factor.probability * factor.whole == pytest.approx(product_by_hand(factor)), factor.what
                kinds.append(factor.kind)
    assert min(kinds.count(kind) for kind in WORKED_OUT) > 15


def test_a_context_makes_what_it_goes_with_likelier() -> None:
    """The one tag after which a relation was seen speaks for the relation; another tag speaks against it."""
    model = bracketed()
    sentence = TaggedSentence.parse("Ann/NNP -LRB-/-LRB- the/DT dog/NN -RRB-/-RRB- ran/VBD")
    factor = Explainer(model, Settings.preset(5), sentence).gap(1, "E")
    ratio = next(ratio for ratio in factor.ratios if ratio.name == "neighbours")
    assert ratio.value >= 1


def test_words_unseen_at_a_distance_no_longer_block_a_tree() -> None:
    text = "Rex/NNP saw/VBD a/DT dog/NN ,/, now/RB ,/, -LRB-/-LRB- Ann/NNP -RRB-/-RRB-"
    assert Parser.preset(bracketed(), 2).parse(text).fallback
    assert not Parser.preset(bracketed(), 5).parse(text).fallback


def test_a_constituent_may_end_before_a_conjunction() -> None:
    tree = read_tree(BRACKETED[2])
    assert "punctuation rule" in Parser.preset(bracketed(), 5, extended_rule=False).score(tree).why_not
    assert not Parser.preset(bracketed(), 5).score(tree).impossibilities


def test_brackets_are_kept_together() -> None:
    tree = read_tree(
        "(S (NP (NP (NNP Ann)) (PRN (-LRB- -LRB-) (NP (DT the) (NN dog)))) (VP (-RRB- -RRB-) (VBD ran)) (. .))"
    )
    assert "brackets" in Parser.preset(bracketed(), 5).score(tree).impossibilities[-1].text
    assert "brackets" not in Parser.preset(bracketed(), 5, balanced_brackets=False).score(tree).why_not


def test_partners_of_brackets() -> None:
    tags = ["-RRB-", "-LRB-", "NN", "-LRB-", "-RRB-", "-RRB-", "-LRB-"]
    pairs = partners(tags)
    assert pairs == [-1, 5, -1, 4, 3, 1, -1]
    assert unbalanced(pairs, 1, 5)
    assert not unbalanced(pairs, 1, 6)
    assert not unbalanced(pairs, 1, 2)
    assert not unbalanced(pairs, 6, 7)


def test_context_features_of_a_sentence() -> None:
    rows = context_features(["DT", "NN", "CC"], [3, 5, 1], [0, 0, 2])
    # Before: the edge, DT without a comma, NN with one; after: NN, CC with a comma, the edge.
    assert rows[:, BEFORE].tolist() == [0, 8, 13]
    assert rows[:, AFTER].tolist() == [12, 5, 0]
    assert rows[:, ENDS_BEFORE].tolist() == [0, 0, 1]


def test_every_class_has_its_bit() -> None:
    tags = [names[0] for names in BETWEEN_CLASSES]
    bits = between_classes([*tags, "JJ"])
    assert bits.tolist() == [1, 2, 4, 8, 16, 32, 0, 0]
    assert bits.dtype == np.int64


@pytest.mark.parametrize(
    ("first", "second", "found"), [(0, 1, 0), (0, 2, 1), (0, 4, 3 | SAME_AS_HEAD), (1, 4, 2 | SAME_AS_MODIFIER)]
)
def test_classes_between_are_those_of_the_words_between_alone(first: int, second: int, found: int) -> None:
    """Of the classes 8, 1, 2, 0 and 4; the tags of the two words are 5 and 7, or 7 and 5, and 7 stands between them."""
    tags, classes = np.array([5, 1, 2, 7, 4]), np.array([0, 1, 2, 0, 4, 8, 0, 0])
    tag_m, tag_h = (5, 7) if found & SAME_AS_HEAD else (7, 5)
    assert classes_between(tags, classes, first, second, tag_m, tag_h) == found


def test_settings_of_preset_five() -> None:
    settings = Settings.preset(5)
    assert all(getattr(settings, name) for name in BEYOND_THE_PAPER)
    assert settings.punctuation_rule
    assert not settings.ignore_tags
    for preset in (1, 2, 3, 4):
        assert not any(getattr(Settings.preset(preset), name) for name in BEYOND_THE_PAPER)
    with pytest.raises(EngineError, match="full recursion"):
        Settings.preset(5, ignore_tags=True)
    with pytest.raises(EngineError, match="full recursion"):
        Settings.preset(5, recursion=False)
