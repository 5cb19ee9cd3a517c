"""The chart against brute force: the same best tree, the same ranking, the same answer under constraints."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest

from engine.chart.parser import Parser
from engine.common.errors import ConstraintError
from engine.estimates.explainer import Explainer
from engine.reference import ReferenceParser, outline
from engine.settings import Settings
from engine.structure.constituents import Constituent
from engine.structure.constraints import Attachment, Bracket, Constraint, FixedTag
from engine.structure.dependencies import Relation, analyse, rebuild
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble
from engine.trees.reading import read_tree
from tests.engine.random_constraints import KINDS, Facts, attachment_constraint
from tests.engine.small_models import MATERIALS, PRESETS, Material, classroom_material, dense_material
from tests.trained import trained

NO_THRESHOLD = -1e6
CLOSE = 1e-9


def commas_obeyed(root: Constituent, sentence: TaggedSentence) -> bool:
    """The punctuation rule of section 2.7, checked on a finished tree, one binary join after the other."""
    size = len(sentence.positions)
    for node in root.walk():
        if len(node.children) < 2:
            continue
        middle = node.head_child
        joins = [(left.end, right.end) for left, right in pairwise(node.children[middle:])]
        joins += [(left.end, node.end) for left in node.children[:middle]]
        for gap, end in joins:
            if sentence.commas[gap] and end < size and not sentence.commas[end]:
                return False
    return True


def assert_best(material: Material, preset: int, sentences: tuple[TaggedSentence, ...], **changes: object) -> list[int]:
    """Compare the best scores of all sentences, without pruning and with the threshold; return the numbers of trees.

    By the letter of the paper: further back-off has a test of its own.
    """
    changes = {"further_backoff": False, **changes}
    unpruned = Parser.preset(material.model, preset, beam=math.inf, threshold=NO_THRESHOLD, **changes)
    pruned = Parser.preset(material.model, preset, beam=math.inf, **changes)
    sizes = []
    for sentence, ranking in material.rankings(unpruned.settings, sentences):
        sizes.append(len(ranking))
        for parser in (unpruned, pruned):
            parse = parser.parse(sentence)
            assert parse.fallback == (not ranking), (str(sentence), parser.settings)
            if ranking:
                assert parse.log_probability == pytest.approx(ranking[0].score, abs=CLOSE), (str(sentence), preset)
    return sizes


@MATERIALS
@PRESETS
def test_the_best_score_is_that_of_brute_force(material: Callable[[], Material], preset: int) -> None:
    sentences = material().sentences
    sizes = assert_best(material(), preset, sentences)
    # What makes the comparison worth something: few left out, some without a tree, many ambiguous.
    assert len(sizes) > 0.98 * len(sentences)
    assert sum(size == 0 for size in sizes) > 20
    assert sum(size > 1 for size in sizes) > 40
    assert max(sizes) >= material().ambiguity


@pytest.mark.parametrize(
    "changes",
    [{"distance": "order"}, {"lexical": False}, {"distance": "order", "lexical": False}],
    ids=["no distance", "no words", "neither"],
)
@MATERIALS
@pytest.mark.robust
def test_the_best_score_without_distance_or_words(material: Callable[[], Material], changes: dict[str, object]) -> None:
    for preset in (1, 3):
        assert_best(material(), preset, material().sentences[:120], **changes)


def test_low_scores_are_found_by_lowering_the_threshold() -> None:
    material = dense_material()
    lowered = 0
    for threshold, step in ((0.0, 1.0), (-0.5, 3.0), (-7.0, 0.5)):
        pruning = {"beam": math.inf, "threshold": threshold, "threshold_step": step}
        parser = Parser.preset(material.model, 3, further_backoff=False, **pruning)
        for sentence, ranking in material.rankings(parser.settings, material.sentences[:60]):
            parse = parser.parse(sentence)
            assert parse.fallback == (not ranking), str(sentence)
            if ranking:
                assert parse.log_probability == pytest.approx(ranking[0].score, abs=CLOSE), str(sentence)
                lowered += parse.passes > 1
    assert lowered > 50


@MATERIALS
@PRESETS
def test_the_n_best_are_those_of_brute_force(material: Callable[[], Material], preset: int) -> None:
    sentences = material().sentences[::3]
    parsers = [
        Parser.preset(material().model, preset, beam=math.inf, threshold=threshold)
        for threshold in (NO_THRESHOLD, -20.0)
    ]
    most = 0
    for sentence, ranking in material().rankings(parsers[0].settings, sentences):
        if not ranking:
            continue
        printed: dict[str, float] = {}
        for score, root in ranking:
            printed.setdefault(outline(root, sentence).brackets(), score)
        scores = sorted(printed.values(), reverse=True)
        most = max(most, len(scores))
        for parser, wanted in zip((*parsers, parsers[1]), (100, 100, 4), strict=True):
            found = parser.parse(sentence, n_best=wanted).alternatives
            found_scores = [parse.log_probability for parse in found]
            assert found_scores == pytest.approx(scores[:wanted], abs=CLOSE), str(sentence)
            trees = [outline(parse.roots[0], sentence).brackets() for parse in found]
            assert len(set(trees)) == len(trees)
            for parse, tree in zip(found, trees, strict=True):
                assert parse.log_probability == pytest.approx(printed[tree], abs=CLOSE)
    assert most >= material().ambiguity


@MATERIALS
def test_every_ledger_sums_to_the_score(material: Callable[[], Material]) -> None:
    summed = 0
    for preset in (1, 2, 3):
        parser = Parser.preset(material().model, preset, beam=math.inf)
        for sentence in material().sentences[preset::12]:
            for parse in parser.parse(sentence, n_best=10).alternatives:
                if not parse.fallback:
                    assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE), str(sentence)
                    summed += 1
    assert summed > 40


# Brute force is itself held against the ledger, the comma rule and (B, D, U).


@MATERIALS
def test_brute_force_scores_as_the_ledger_does(material: Callable[[], Material]) -> None:
    summed = 0
    for preset in (1, 3):
        settings = Settings.preset(preset)
        for sentence, ranking in material().rankings(settings, material().sentences[::9]):
            explainer = Explainer(material().model, settings, sentence)
            for score, root in ranking[:3] + ranking[-3:]:
                assert explainer.ledger((root,)).total == pytest.approx(score, abs=CLOSE)
                summed += 1
    assert summed > 40


@MATERIALS
def test_the_comma_rule_takes_away_exactly_the_trees_that_break_it(material: Callable[[], Material]) -> None:
    broken = 0
    with_commas = tuple(sentence for sentence in material().sentences if sum(sentence.commas))[:80]
    for sentence, ranking in material().rankings(Settings.preset(1), with_commas):
        obeying = [score for score, root in ranking if commas_obeyed(root, sentence)]
        broken += len(ranking) - len(obeying)
        ruled = material().brute_force(Settings.preset(2), sentence).ranking()
        assert [score for score, _ in ruled] == pytest.approx(obeying, abs=CLOSE)
    assert broken > 0


@MATERIALS
def test_every_tree_has_a_base_and_dependency_set_of_its_own(material: Callable[[], Material]) -> None:
    trees = 0
    for sentence, ranking in material().rankings(Settings.preset(1), material().sentences[::4]):
        trees += len(ranking)
        tags = sentence.proper_tags
        analyses = [analyse(root, tags) for _, root in ranking]
        assert len(set(analyses)) == len(ranking)
        for (_, root), analysis in zip(ranking, analyses, strict=True):
            assert shape(rebuild(analysis)) == shape(root)
    assert trees > 40


def shape(node: Constituent) -> tuple[object, ...]:
    """Everything about a constituent and those below it, to compare two."""
    children = tuple(shape(child) for child in node.children)
    return node.label, node.start, node.end, node.head, node.head_child, node.head_label, node.inside, children


# Constraints


@cache
def constrained_material() -> list[tuple[Material, TaggedSentence, int, list[tuple[float, Facts]]]]:
    """Ambiguous sentences with the facts of all their trees."""
    found = []
    for material in (dense_material(), classroom_material()):
        for preset in (1, 2, 3):
            sentences = material.sentences[preset::5]
            for sentence, ranking in material.rankings(Settings.preset(preset), sentences):
                if len(ranking) > 1 and len(sentence.positions) > 1:
                    facts = [(score, Facts.of(root, sentence)) for score, root in ranking]
                    found.append((material, sentence, preset, facts))
    return found


def assert_constrained(
    material: Material, sentence: TaggedSentence, preset: int, ranked: list[tuple[float, Facts]], *chosen: Constraint
) -> bool:
    """Compare the constrained parse with the best obeying tree; return whether there is one."""
    parser = Parser.preset(material.model, preset, beam=math.inf)
    expected = next((score for score, facts in ranked if all(map(facts.obeys, chosen))), None)
    where = (str(sentence), preset, chosen)
    if expected is None:
        with pytest.raises(ConstraintError):
            pytest.fail(f"{where} has {parser.parse(sentence, constraints=chosen)}, which no tree obeys")
        return False
    try:
        parse = parser.parse(sentence, constraints=chosen)
    except ConstraintError as error:
        pytest.fail(f"{where}: {error}")
    assert parse.log_probability == pytest.approx(expected, abs=CLOSE), where
    facts = Facts.of(parse.roots[0], sentence)
    assert all(map(facts.obeys, chosen)), where
    return True


@pytest.mark.parametrize("forbid", [False, True], ids=["forced", "forbidden"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_gives_the_best_obeying_tree(kind: str, forbid: bool) -> None:
    chance = random.Random(6)
    outcomes = []
    for material, sentence, preset, ranked in constrained_material():
        for _ in range(3):
            facts = chance.choice(ranked)[1]
            constraint = KINDS[kind](facts, len(sentence.positions), forbid, chance)
            outcomes.append(assert_constrained(material, sentence, preset, ranked, constraint))
    assert sum(outcomes) > 50
    assert len(outcomes) - sum(outcomes) > 5


def test_several_constraints_give_the_best_tree_that_obeys_all() -> None:
    chance = random.Random(7)
    outcomes = []
    for material, sentence, preset, ranked in constrained_material():
        for _ in range(2):
            facts = chance.choice(ranked)[1]
            kinds = chance.sample(sorted(KINDS), chance.choice([2, 3]))
            size = len(sentence.positions)
            chosen = [KINDS[kind](facts, size, chance.random() < 0.3, chance) for kind in kinds]
            spans = [(c.start, c.end) for c in chosen if isinstance(c, Bracket) and not c.forbid]
            if len(set(spans)) == len(spans):
                outcomes.append(assert_constrained(material, sentence, preset, ranked, *chosen))
    assert sum(outcomes) > 50
    assert len(outcomes) - sum(outcomes) > 20


def test_the_n_best_obey_as_well() -> None:
    chance = random.Random(8)
    compared = 0
    for material, sentence, preset, ranked in constrained_material()[::2]:
        facts = chance.choice(ranked)[1]
        constraint = attachment_constraint(facts, len(sentence.positions), chance.random() < 0.5, chance)
        printed: dict[str, float] = {}
        for score, root in material.brute_force(Settings.preset(preset), sentence).ranking():
            if Facts.of(root, sentence).obeys(constraint):
                printed.setdefault(outline(root, sentence).brackets(), score)
        if printed:
            parser = Parser.preset(material.model, preset, beam=math.inf)
            found = parser.parse(sentence, constraints=[constraint], n_best=20).alternatives
            scores = sorted(printed.values(), reverse=True)[:20]
            assert [parse.log_probability for parse in found] == pytest.approx(scores, abs=CLOSE), str(sentence)
            compared += 1
    assert compared > 30


def test_a_fixed_tag_is_that_of_the_retagged_sentence() -> None:
    material = dense_material()
    chance = random.Random(9)
    parser = Parser.preset(material.model, 3, beam=math.inf, further_backoff=False)
    compared = 0
    for sentence in material.sentences[:90]:
        position, tag = chance.randrange(len(sentence.positions)), chance.choice(["NN", "VBD", "IN"])
        fixed = sentence.with_tags([(sentence.positions[position], tag)])
        ranking = material.brute_force(parser.settings, fixed).ranking()
        constraint = FixedTag(position, tag)
        if ranking:
            parse = parser.parse(sentence, constraints=[constraint])
            assert parse.log_probability == pytest.approx(ranking[0].score, abs=CLOSE)
            assert parse.sentence == fixed
            compared += 1
        else:
            with pytest.raises(ConstraintError):
                parser.parse(sentence, constraints=[constraint])
    assert compared > 20


@pytest.mark.parametrize("forbid", [False, True], ids=["forced", "forbidden"])
def test_the_label_of_the_root_is_a_relation_too(forbid: bool) -> None:
    """Footnote 5: AF of the head of the sentence is (0, <label of the root>)."""
    outcomes = []
    for material, sentence, preset, ranked in constrained_material()[::3]:
        for _, facts in ranked[:2]:
            head, relation = next((word, arrow[1]) for word, arrow in facts.arrows.items() if arrow[0] < 0)
            chosen = Attachment(head, -1, relation, forbid)
            outcomes.append(assert_constrained(material, sentence, preset, ranked, chosen))
    assert sum(outcomes) > (1 if forbid else 100)


# Single cases, small enough to work out by hand

TELESCOPE = "John/NNP saw/VBD the/DT dog/NN with/IN a/DT telescope/NN"
PLAN = "The/DT students/NNS made/VBD a/DT plan/NN to/TO surprise/VB the/DT teacher/NN"


def classroom_parse(text: str, *constraints: Constraint) -> str:
    """The best tree under constraints."""
    return Parser.preset(classroom_material().model, 3).parse(text, constraints=constraints).tree.brackets()


def test_a_bracket_of_the_best_tree_changes_nothing() -> None:
    """Joins within a demanded bracket are allowed, however deep."""
    best = classroom_parse(TELESCOPE)
    assert classroom_parse(TELESCOPE, Bracket(1, 7, "VP")) == best
    assert classroom_parse(TELESCOPE, Bracket(0, 7, "S"), Bracket(4, 7, "PP")) == best


def test_a_bracket_is_not_absorbed_by_a_base() -> None:
    with pytest.raises(ConstraintError):
        classroom_parse("The/DT dog/NN slept/VBD", Bracket(1, 2, "VP"))


def test_a_core_is_no_bracket() -> None:
    """`a plan` is a core in NP -> DT NN S: neither an NP nor, of all things, a VP."""
    assert "(NP (DT a) (NN plan) (S (VP (TO to)" in classroom_parse(PLAN)
    with pytest.raises(ConstraintError):
        classroom_parse(PLAN, Bracket(3, 5, "VP"))


def test_a_word_is_no_bracket() -> None:
    """To forbid any bracket over one word is not to forbid the word."""
    text = "Mary/NNP saw/VBD John/NNP"
    assert classroom_parse(text, Bracket(1, 2, forbid=True)) == classroom_parse(text)


def test_a_parse_far_below_the_threshold_is_found() -> None:
    """Joins cut for the threshold count as cut: the threshold is lowered again and again."""
    model = dense_material().model
    expected = Parser.preset(model, 2, beam=math.inf, threshold=NO_THRESHOLD).parse("ate/VBD ate/VBD").log_probability
    parse = Parser.preset(model, 2, beam=math.inf, threshold=-5.0, threshold_step=1.0).parse("ate/VBD ate/VBD")
    assert not parse.fallback
    assert parse.log_probability == pytest.approx(expected, abs=CLOSE)


def test_a_model_may_know_of_nothing_inside_base_noun_phrases() -> None:
    model = trained([read_tree("(S (NP (DT the) (NN dog)) (VP (VBD ran)))")])
    parse = Parser.preset(model, 3).parse("the/DT dog/NN ran/VBD")
    assert parse.tree.brackets() == "(S (NP (DT the) (NN dog)) (VP (VBD ran)))"


def test_ignored_tags_need_no_tags() -> None:
    """Model (3): where E1 exists the tags do not matter, though these two were never seen at this distance."""
    texts = [f"(S (NP (NN {word})) (VP (VBD ate) (NP (NN fish))))" for word in ("dog", "cat")]
    model = trained([read_tree(text) for text in texts])
    sentence = TaggedSentence.parse("dog/NNP ate/VBD fish/NN")
    settings = Settings.preset(3)
    best = ReferenceParser(model, settings, sentence).ranking()[0]
    parse = Parser.preset(model, 3).parse(sentence)
    assert parse.tree.brackets() == "(S (NP (NNP dog)) (VP (VBD ate) (NP (NN fish))))"
    assert parse.log_probability == pytest.approx(best.score, abs=CLOSE)


def test_ignored_tags_may_be_new_to_the_words() -> None:
    """Model (3): `pizza` and `eat` were seen together, though never `pizza` at this distance from a VB."""
    model = classroom_material().model
    sentence = TaggedSentence.parse("eat/VB pizza/NN")
    best = ReferenceParser(model, Settings.preset(3), sentence).ranking()[0]
    parse = Parser.preset(model, 3).parse(sentence)
    assert parse.log_probability == pytest.approx(best.score, abs=CLOSE)


def test_an_estimate_is_always_a_probability() -> None:
    """E1 may exist where E23 does not: model (3), both tags new to the words."""
    model = trained([read_tree("(S (NP (NN dog)) (VP (VBD ate) (NP (NN fish))))")])
    explainer = Explainer(model, Settings.preset(3), TaggedSentence.parse("dog/FW ate/NN"))
    distance = explainer.ruler([]).distance(0, 1)
    factor = explainer.dependency(0, 1, Relation("NP", "S", "VP"), distance)
    assert 0.0 <= factor.probability <= 1.0


@MATERIALS
def test_the_ledger_of_a_cover_sums_to_its_score(material: Callable[[], Material]) -> None:
    parser = Parser.preset(material().model, 3)
    covers = [parse for parse in map(parser.parse, material().sentences) if parse.fallback]
    assert covers
    for parse in covers:
        assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE), str(parse.sentence)


@MATERIALS
def test_a_printed_tree_has_the_score_of_its_parse(material: Callable[[], Material]) -> None:
    """Wherever the head rules find in the printed tree the constituents of the parse."""
    compared = 0
    for preset in (1, 2, 3):
        parser = Parser.preset(material().model, preset, beam=math.inf)
        for sentence in material().sentences[preset::10]:
            for parse in parser.parse(sentence, n_best=5).alternatives:
                if parse.fallback:
                    continue
                scored = parser.score(parse.tree, None, parse.further_backoff)
                if shape(scored.root) == shape(parse.roots[0]):
                    assert scored.possible, scored.why_not
                    assert scored.log_probability == pytest.approx(parse.log_probability, abs=CLOSE)
                    compared += 1
    assert compared > 40


def test_the_obstacle_is_the_comma_rule() -> None:
    material = dense_material()
    parser = Parser.preset(material.model, 2)
    with_commas = tuple(sentence for sentence in material.sentences if sum(sentence.commas))[:60]
    impossibilities = 0
    for sentence, ranking in material.rankings(Settings.preset(1), with_commas):
        for _, root in ranking[:20]:
            scored = parser.score(assemble((root,), sentence))
            if shape(scored.root) == shape(root):
                assert scored.possible == commas_obeyed(root, sentence)
                assert scored.possible or "punctuation rule" in scored.why_not
                impossibilities += not scored.possible
    assert impossibilities > 5
