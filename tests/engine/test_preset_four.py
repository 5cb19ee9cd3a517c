"""Model (4): the parser chooses among tags, P(t|S) is a part of the score (section 2.7).

Brute force takes every tagging of a sentence for a sentence of its own, and puts all their trees into one ranking.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from engine.chart.parser import Parser
from engine.common.errors import ConstraintError
from engine.reference import TooManyTrees, outline
from engine.settings import Settings
from engine.structure.constituents import Constituent
from engine.structure.constraints import Constraint, FixedTag
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import LEAST, TagDistribution
from engine.trees.reading import read_tree
from tests.engine.random_constraints import KINDS, Facts
from tests.engine.small_models import MATERIALS, Material, classroom_material, dense_material

CLOSE = 1e-9
EVERY_TAG = math.inf
LONGEST = 6


class Tagged(NamedTuple):
    """A tree under one tagging, with its score."""

    score: float
    root: Constituent
    sentence: TaggedSentence


def distribution_of(sentence: TaggedSentence, tags: Sequence[str], chance: random.Random) -> TagDistribution:
    """The sentence with some random other tags, each with a probability; a tag in six is given."""
    choices: list[tuple[tuple[str, float], ...]] = []
    given = set()
    proper = set(sentence.positions)
    for token, tag in enumerate(sentence.tags):
        found = {tag: 1.0}
        if token in proper and chance.random() < 0.15:
            given.add(token)
        elif token in proper:
            for other in chance.sample(tags, chance.choice([0, 0, 1, 1, 2])):
                found[other] = chance.random()
            whole = sum(found.values()) * 1.05
            found = {name: value / whole for name, value in found.items()}
        choices.append(tuple(sorted(found.items(), key=lambda choice: -choice[1])))
    best = [max(found, key=lambda choice: choice[1])[0] for found in choices]
    return TagDistribution(TaggedSentence(sentence.words, best), tuple(choices), frozenset(given))


def taggings(distribution: TagDistribution, factor: float) -> Iterator[tuple[TaggedSentence, float]]:
    """Every tagging of a sentence with its log P(t|S)."""
    readings = distribution.readings(factor)
    for chosen in product(*readings):
        changes = [(token, tag) for token, (tag, _) in zip(distribution.sentence.positions, chosen, strict=True)]
        yield distribution.sentence.with_tags(changes), math.fsum(math.log(chance) for _, chance in chosen)


def ranking_of(material: Material, settings: Settings, distribution: TagDistribution) -> list[Tagged]:
    """All trees under all taggings, best first."""
    return sorted(
        (
            Tagged(score + tags, root, sentence)
            for sentence, tags in taggings(distribution, settings.tag_factor)
            for score, root in material.brute_force(settings, sentence).ranking()
        ),
        key=lambda tagged: -tagged.score,
    )


@cache
def ranked_material(make: Callable[[], Material]) -> list[tuple[TagDistribution, list[Tagged]]]:
    """Short sentences with the tagger's doubts, and all their trees."""
    material = make()
    chance = random.Random(11)
    tags = [tag for tag in material.model.vocabulary.tags if tag not in ("XX",)][:14]
    settings = Settings.preset(4, tag_factor=EVERY_TAG)
    found = []
    for sentence in material.sentences:
        if len(sentence.positions) <= LONGEST:
            distribution = distribution_of(sentence, tags, chance)
            try:
                found.append((distribution, ranking_of(material, settings, distribution)))
            except TooManyTrees:
                continue
    return found


@MATERIALS
def test_the_best_score_is_that_of_brute_force(material: Callable[[], Material]) -> None:
    exact = Parser.preset(material().model, 4, tag_factor=EVERY_TAG, beam=math.inf, further_backoff=False)
    chose_another = 0
    ambiguous = 0
    for distribution, ranking in ranked_material(material):
        parse = exact.parse(distribution)
        assert parse.fallback == (not ranking), str(distribution.sentence)
        assert parse.tags_considered == sum(map(len, distribution.readings(EVERY_TAG)))
        assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE)
        if ranking:
            assert parse.log_probability == pytest.approx(ranking[0].score, abs=CLOSE), str(distribution.sentence)
            chose_another += parse.sentence != distribution.sentence
            ambiguous += len({tagged.sentence for tagged in ranking}) > 1
            assert [leaf.label for leaf in parse.tree.leaves()] == list(parse.sentence.tags)
    # What makes the comparison worth something.
    assert chose_another > 4
    assert ambiguous > 15


@MATERIALS
def test_the_n_best_are_those_of_brute_force(material: Callable[[], Material]) -> None:
    parser = Parser.preset(material().model, 4, tag_factor=EVERY_TAG, beam=math.inf)
    most = 0
    for distribution, ranking in ranked_material(material)[::2]:
        if not ranking:
            continue
        printed: dict[str, float] = {}
        for score, root, sentence in ranking:
            printed.setdefault(outline(root, sentence).brackets(), score)
        most = max(most, len(printed))
        for wanted in (3, 100):
            found = parser.parse(distribution, n_best=wanted).alternatives
            expected = sorted(printed.values(), reverse=True)[:wanted]
            assert [parse.log_probability for parse in found] == pytest.approx(expected, abs=CLOSE)
            for parse in found:
                assert printed[outline(parse.roots[0], parse.sentence).brackets()] == pytest.approx(
                    parse.log_probability
                )
                assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE)
    assert most > 30


@pytest.mark.parametrize("forbid", [False, True], ids=["forced", "forbidden"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_gives_the_best_obeying_tree(kind: str, forbid: bool) -> None:
    chance = random.Random(12)
    outcomes = []
    for make in (dense_material, classroom_material):
        parser = Parser.preset(make().model, 4, tag_factor=EVERY_TAG, beam=math.inf)
        for distribution, ranking in ranked_material(make)[::3]:
            if len(ranking) < 2:
                continue
            facts = [(score, Facts.of(root, sentence)) for score, root, sentence in ranking]
            constraint = KINDS[kind](chance.choice(facts)[1], len(distribution.sentence.positions), forbid, chance)
            best = next((score for score, tree in facts if tree.obeys(constraint)), None)
            outcomes.append(best is not None)
            assert_obeys(parser, distribution, (constraint,), best)
    assert sum(outcomes) > 20


def assert_obeys(
    parser: Parser, distribution: TagDistribution, constraints: Sequence[Constraint], best: float | None
) -> None:
    """Compare a constrained parse with the score of the best tree that obeys."""
    if best is None:
        with pytest.raises(ConstraintError):
            pytest.fail(f"{parser.parse(distribution, constraints=constraints)} obeys {constraints}")
    else:
        parse = parser.parse(distribution, constraints=constraints)
        assert parse.log_probability == pytest.approx(best, abs=CLOSE), (str(distribution.sentence), constraints)


@pytest.mark.parametrize("forbid", [False, True], ids=["forced", "forbidden"])
@MATERIALS
def test_a_fixed_tag_leaves_the_others_free(material: Callable[[], Material], forbid: bool) -> None:
    chance = random.Random(13)
    parser = Parser.preset(material().model, 4, tag_factor=EVERY_TAG, beam=math.inf)
    free = compared = 0
    for distribution, ranking in ranked_material(material):
        position = chance.randrange(len(distribution.sentence.positions))
        token = distribution.sentence.positions[position]
        if token in distribution.given or not ranking:
            continue
        tag = chance.choice(distribution.choices[token])[0]
        if forbid and len(distribution.choices[token]) == 1:
            continue
        obeying = [tagged for tagged in ranking if (tagged.sentence.tags[token] == tag) != forbid]
        best = obeying[0] if obeying else None
        assert_obeys(parser, distribution, (FixedTag(position, tag, forbid),), best.score if best else None)
        if best is not None:
            compared += 1
            before, after = distribution.sentence.tags, best.sentence.tags
            free += any(
                one != other for place, (one, other) in enumerate(zip(before, after, strict=True)) if place != token
            )
    assert compared > 10
    assert free > 0


def test_a_tag_that_the_tagger_rules_out_can_be_forced_at_a_price() -> None:
    material = classroom_material()
    sentence = TaggedSentence.parse("The/DT dog/NN saw/VBD the/DT cat/NN ./.")
    choices = tuple(((tag, 1.0),) for tag in sentence.tags)
    distribution = TagDistribution(sentence, choices)
    parser = Parser.preset(material.model, 4)
    parse = parser.parse(distribution, constraints=[FixedTag(1, "NNP")])
    assert parse.sentence.tags[1] == "NNP"
    (factor,) = (factor for factor in parse.ledger() if factor.key == ("tag", 1))
    assert factor.probability == LEAST
    for constraint in (FixedTag(1, "NN", forbid=True), FixedTag(1, ",")):
        with pytest.raises(ConstraintError, match="dog"):
            parser.parse(distribution, constraints=[constraint])
    with pytest.raises(ConstraintError, match="only one tag"):
        parser.parse(distribution, constraints=[FixedTag(1, "NN"), FixedTag(1, "NNP")])


def test_given_tags_make_it_model_three() -> None:
    material = dense_material()
    three, four = Parser.preset(material.model, 3), Parser.preset(material.model, 4)
    for sentence in material.sentences[:40]:
        choices = tuple(((tag, 1.0),) for tag in sentence.tags)
        given = TagDistribution(sentence, choices, frozenset(range(len(sentence))))
        assert four.parse(given).log_probability == three.parse(sentence).log_probability
        assert four.parse(sentence).tree == three.parse(sentence).tree
        assert all(factor.kind != "tag" for factor in four.parse(given).ledger())


def test_other_presets_take_the_best_sequence() -> None:
    material = dense_material()
    parser = Parser.preset(material.model, 3)
    ranked = ranked_material(dense_material)[:20]
    assert len(ranked) == 20
    for distribution, _ in ranked:
        parse = parser.parse(distribution)
        assert parse.sentence == distribution.sentence
        assert parse.log_probability == parser.parse(distribution.sentence).log_probability


def test_the_factor_says_which_tags_are_held() -> None:
    sentence = TaggedSentence.parse("a/DT saw/NN ,/, too/RB")
    choices = ((("DT", 0.9), ("NN", 0.1)), (("NN", 0.5), (",", 0.3), ("VBD", 0.2)), ((",", 1.0),), (("RB", 1.0),))
    distribution = TagDistribution(sentence, choices)
    assert [len(tags) for tags in distribution.readings(1)] == [1, 1, 1]
    assert [len(tags) for tags in distribution.readings(3)] == [1, 2, 1]
    assert distribution.readings(10) == [[("DT", 0.9), ("NN", 0.1)], [("NN", 0.5), ("VBD", 0.2)], (("RB", 1.0),)]


def test_a_gold_tree_is_scored_with_its_tags() -> None:
    material = classroom_material()
    gold = read_tree("(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .))")
    sentence = TaggedSentence.from_tree(gold)
    choices: list[tuple[tuple[str, float], ...]] = [((tag, 1.0),) for tag in sentence.tags]
    choices[2] = (("VBD", 0.75), ("NN", 0.25))
    distribution = TagDistribution(sentence, tuple(choices))
    parser = Parser.preset(material.model, 4)
    with_tags, without = parser.score(gold, distribution), parser.score(gold)
    assert with_tags.log_probability == pytest.approx(without.log_probability + math.log(0.75))
    assert with_tags.possible
    assert with_tags.log_probability == pytest.approx(parser.parse(distribution).log_probability)
    choices[2] = (("NN", 0.999), ("VBD", 0.001))
    doubtful = TagDistribution(sentence.with_tags([(2, "NN")]), tuple(choices))
    assert "VBD of `saw` is not among those considered" in parser.score(gold, doubtful).why_not


@MATERIALS
def test_preset_five_chooses_tags_too(material: Callable[[], Material]) -> None:
    """The words around are taken from the best sequence, or from what was forced; the ledger knows."""
    parser = Parser.preset(material().model, 5, tag_factor=EVERY_TAG)
    chance = random.Random(14)
    chosen = 0
    for distribution, _ in ranked_material(material)[:40]:
        parses = list(parser.parse(distribution, n_best=3).alternatives)
        position = chance.randrange(len(distribution.sentence.positions))
        token = distribution.sentence.positions[position]
        tag = chance.choice(distribution.choices[token])[0]
        try:
            parses.append(parser.parse(distribution, constraints=[FixedTag(position, tag)]))
        except ConstraintError:
            continue
        assert parses[-1].sentence.tags[token] == tag
        for parse in parses:
            assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE)
            chosen += parse.sentence != distribution.sentence
    assert chosen > 20


@MATERIALS
def test_the_trace_shows_the_tags(material: Callable[[], Material]) -> None:
    parser = Parser.preset(material().model, 4, tag_factor=EVERY_TAG)
    ranked = ranked_material(material)[:12]
    assert len(ranked) == 12
    for distribution, _ in ranked:
        parse = parser.parse(distribution, trace=True)
        chart = parse.chart
        assert chart is not None
        for position in range(chart.size):
            words = {item.label for item in chart.cell(position, position + 1).items}
            assert {tag for tag, _ in chart.readings[position]} <= words
        for edge in chart:
            assert edge.head_tag in dict(chart.readings[edge.head])
            if edge.kind == "word":
                assert edge.score == pytest.approx(math.log(dict(chart.readings[edge.start])[edge.label]))
            elif edge.kind == "baseNP":
                assert edge.score == pytest.approx(edge.gap + edge.tag)
