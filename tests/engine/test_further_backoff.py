"""Further back-off: what is parsed again where the paper's estimates give every tree zero, and what says so."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import ConstraintError
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import DependencySubject, Factor, GapSubject
from engine.explain.verdicts import verdict_sentence
from engine.export import FORMATS
from engine.reference import ScoredTree, TooManyTrees, outline
from engine.settings import FurtherBackoff, Settings
from engine.structure.constraints import Attachment, FixedTag
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.counted import Sources
from engine.study.evaluation import evaluate
from engine.study.parseval import score_pair
from engine.study.prices import attachment_prices
from engine.study.verdicts import VerdictKind, verdict
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from tests.engine.command_runner import Cli
from tests.engine.small_models import MATERIALS, Material, classroom_material, dense_material
from tests.trained import trained

NONE, DISTANCE, GAPS = FurtherBackoff
CLOSE = 1e-9
FEW_CONSTITUENTS, MOST_CONSTITUENTS = 5_000, 60_000
"""Sentences of which brute force would have more are left out, of the quick and of the slow comparison."""

# Of these two tags nothing is known but a subject right before its verb and an object right after it.
FISH = (
    "(S (NP (NN dog)) (VP (VBD ate) (NP (NN fish))))",
    "(S (NP (NN cat)) (VP (VBD ate) (NP (NN fish))))",
    "(S (NP (NNP Rex)) (, ,) (VP (VBZ sings)))",
)
# A comma between subject and verb: E4 has never seen the two tags at this Δ.
APART = "dog/NN ,/, ate/VBD fish/NN"


@cache
def fish_parser(preset: int = 1, **changes: object) -> Parser:
    return Parser.preset(trained([read_tree(text) for text in FISH]), preset, **changes)


def by_hand(factor: Factor, below: str) -> float:
    """λ1 E1 + (1 − λ1) (λ2 E23 + (1 − λ2) (λ4 E4 + (1 − λ4) E(below))), with λ = δ / (δ + 1) where a level exists."""
    counts = {level.name: (level.eta, level.delta) for level in factor.levels}
    counts["E23"] = (counts["E2"][0] + counts["E3"][0], counts["E2"][1] + counts["E3"][1])
    value: float | None = None
    for name in dict.fromkeys((below, "E4", "E23", "E1")):
        eta, delta = counts[name]
        if delta:
            weight = delta / (delta + 1) if value is not None else 1.0
            value = weight * (eta / delta) + (1 - weight) * (value or 0.0)
    return value or 0.0


# --- estimates -------------------------------------------------------------------------------------------------


def test_an_estimate_worked_out_by_hand() -> None:
    """`dog` before `ate` with a comma between: never seen at this Δ, in this order 2 times of 2 as the subject."""
    model = fish_parser().model
    sentence = TaggedSentence.parse(APART)
    relation = Relation("NP", "S", "VP")
    letter = Explainer(model, Settings.preset(1), sentence)
    distance = letter.ruler([]).distance(0, 1)
    assert letter.dependency(0, 1, relation, distance).probability == 0
    factor = Explainer(model, Settings.preset(1), sentence, None, DISTANCE).dependency(0, 1, relation, distance)
    assert factor.levels[-1] == ("order", 2, 2) and factor.used == ("order",) and factor.lambdas == ()
    assert factor.probability == pytest.approx(1.0)
    # Side by side the levels of the paper come in: E1 1/1, E23 (1 + 2)/(1 + 2), E4 2/2, all of them 1.
    beside = TaggedSentence.parse("dog/NN ate/VBD fish/NN")
    again = Explainer(model, Settings.preset(1), beside, None, DISTANCE)
    factor = again.dependency(0, 1, relation, again.ruler([]).distance(0, 1))
    assert factor.used == ("E1", "E23", "E4", "order")
    assert factor.lambdas == pytest.approx((1 / 2, 3 / 4, 2 / 3))


@pytest.mark.parametrize("preset", [1, 3])
@pytest.mark.parametrize("changes", [{}, {"distance": "order"}, {"lexical": False}], ids=["full", "order", "no words"])
@MATERIALS
def test_every_estimate_is_the_mixture_of_its_levels(
    material: Callable[[], Material], preset: int, changes: dict[str, object]
) -> None:
    settings = Settings.preset(preset, **changes)
    model = material().model
    compared = 0
    below = "E4" if settings.distance == "order" else "order"
    for sentence in material().sentences[::8]:
        explainer = Explainer(model, settings, sentence, None, GAPS)
        ruler = explainer.ruler([])
        for modifier in range(len(explainer.words)):
            for head in range(len(explainer.words)):
                if head == modifier:
                    continue
                distance = ruler.distance(modifier, head)
                estimates = explainer.dependencies.estimates(modifier, head, distance.code)
                assert sum(estimates.values()) <= 1 + CLOSE
                for number, estimate in estimates.items():
                    relation = Relation(*model.vocabulary.triples[number])
                    factor = explainer.dependency(modifier, head, relation, distance)
                    assert factor.probability == estimate == pytest.approx(by_hand(factor, below), rel=1e-12)
                    sources = Sources(explainer).dependency(modifier, head, relation, distance)
                    assert [counted.level for counted in sources] == [level.name for level in factor.levels]
                    compared += 1
        for position in range(1, len(explainer.words)):
            chances = explainer.gap_distribution(position)
            assert sum(chances.values()) == pytest.approx(1)
            for letter in GAP_LETTERS:
                factor = explainer.gap(position, letter)
                assert factor.probability == chances[letter] == pytest.approx(by_hand(factor, "comma"), rel=1e-12)
    assert compared > 100


def test_preset_five_and_the_letter_of_the_paper_have_none() -> None:
    assert Settings.preset(3).further_backoffs == (DISTANCE, GAPS)
    assert Settings.preset(3, further_backoff=False).further_backoffs == ()
    assert Settings.preset(5).further_backoffs == () and not Settings.preset(5).allows_further_backoff
    assert Settings.preset(5, recursion=False, contexts=False).further_backoffs == (DISTANCE,)
    assert Settings.preset(5, gap_contexts=False).further_backoffs == (GAPS,)


# --- search ----------------------------------------------------------------------------------------------------


def first_ranking(
    material: Material, settings: Settings, sentence: TaggedSentence, most: int
) -> tuple[FurtherBackoff, list[ScoredTree]]:
    """How far estimates must back off until brute force finds a tree, and all trees then."""
    for further in FurtherBackoff:
        ranking = material.brute_force(settings, sentence, further, most).ranking()
        if ranking:
            break
    return further, ranking


@MATERIALS
@pytest.mark.parametrize("preset", [pytest.param(1, marks=pytest.mark.robust), 3])
def test_the_best_parses_are_those_of_brute_force(material: Callable[[], Material], preset: int) -> None:
    compare_with_brute_force(material(), preset, {}, FEW_CONSTITUENTS)


@pytest.mark.slow
@MATERIALS
@pytest.mark.parametrize(
    ("preset", "changes"),
    [(1, {}), (2, {}), (3, {}), (1, {"distance": "order"}), (3, {"lexical": False})],
    ids=["1", "2", "3", "1-order", "3-no words"],
)
def test_so_are_those_of_longer_sentences_and_other_settings(
    material: Callable[[], Material], preset: int, changes: dict[str, object]
) -> None:
    compare_with_brute_force(material(), preset, changes, MOST_CONSTITUENTS)


def compare_with_brute_force(material: Material, preset: int, changes: dict[str, object], most: int) -> None:
    """Compare every parse of sentences without a tree under the paper's estimates with brute force."""
    parser = Parser.preset(material.model, preset, beam=math.inf, **changes)
    found: Counter[FurtherBackoff] = Counter()
    for sentence in material.sentences:
        free = parser.parse(sentence)
        if not (free.further_backoff or free.fallback):
            continue
        try:
            further, ranking = first_ranking(material, parser.settings, sentence, most)
        except TooManyTrees:
            continue
        parse = parser.parse(sentence, n_best=4)
        assert parse.fallback == (not ranking), str(sentence)
        assert parse.further_backoff == (further if ranking else NONE), str(sentence)
        found[parse.further_backoff] += 1
        printed: dict[str, float] = {}
        for score, root in ranking:
            printed.setdefault(outline(root, sentence).brackets(), score)
        scores = sorted(printed.values(), reverse=True)[:4]
        assert [one.log_probability for one in parse.alternatives] == pytest.approx(scores, abs=CLOSE) or not ranking
        for one in parse.alternatives:
            assert one.further_backoff == parse.further_backoff
            assert one.ledger().total == pytest.approx(one.log_probability, abs=CLOSE)
    # What makes the comparison worth something.
    assert found[NONE] > 10 and found[GAPS] > 2
    assert found[DISTANCE] > 4 or parser.settings.distance == "order"


@cache
def further_parses() -> list[tuple[Parser, TaggedSentence, Parse]]:
    """Sentences for which the paper's estimates find no tree, with the parses that they get."""
    found = []
    for material in (dense_material(), classroom_material()):
        for preset in (2, 3):
            parser = Parser.preset(material.model, preset)
            for sentence in material.sentences[::2]:
                parse = parser.parse(sentence)
                if parse.further_backoff:
                    found.append((parser, sentence, parse))
    assert Counter(parse.further_backoff for *_, parse in found).keys() == {DISTANCE, GAPS}
    return found


def test_a_tree_that_the_paper_has_is_parsed_as_before() -> None:
    compared = 0
    for material in (dense_material(), classroom_material()):
        for preset in (1, 3):
            letter = Parser.preset(material.model, preset, further_backoff=False)
            parser = Parser.preset(material.model, preset)
            for sentence in material.sentences[::5]:
                expected, parse = letter.parse(sentence), parser.parse(sentence)
                assert parse.fallback <= expected.fallback and not expected.further_backoff
                assert bool(parse.further_backoff) == (expected.fallback and not parse.fallback)
                if not expected.fallback:
                    assert (parse.tree, parse.log_probability) == (expected.tree, expected.log_probability)
                    assert parse.note == ""
                    compared += 1
    assert compared > 40


def test_a_parse_says_so_and_its_ledger_names_the_level() -> None:
    levels: Counter[str] = Counter()
    for parser, sentence, parse in further_parses():
        assert "no tree was found under the paper's estimates" in parse.note and "reduced Δ" in parse.note
        assert ("comma alone" in parse.note) == (parse.further_backoff is GAPS)
        for factor in parse.ledger():
            if isinstance(factor.subject, DependencySubject):
                assert [level.name for level in factor.levels] == ["E1", "E2", "E3", "E4", "order"]
            if isinstance(factor.subject, GapSubject) and parse.further_backoff is GAPS:
                assert factor.levels[-1].name == "comma"
            assert len(factor.lambdas) == max(len(factor.used) - 1, 0)
            levels.update(factor.used)
        scored = parser.score(parse.tree)
        assert scored.further_backoff is NONE
        alike = parser.score(parse.tree, None, parse.further_backoff)
        if alike.root == parse.roots[0]:
            assert not scored.possible and alike.log_probability == pytest.approx(parse.log_probability, abs=CLOSE)
        traced = parser.parse(sentence, trace=True)
        assert traced.chart is not None and traced.tree == parse.tree
    assert levels["order"] > 20 and levels["comma"] > 5


# --- constraints and prices ------------------------------------------------------------------------------------


def test_what_ifs_keep_the_estimates_of_the_parse_that_they_vary() -> None:
    forced = refused = 0
    for parser, sentence, parse in further_parses()[::3]:
        heads = parse.heads()
        for modifier in parse.reduced[:3]:
            for head in [-1, *parse.reduced]:
                if head in (modifier, heads[modifier]):
                    continue
                # A parser of its own, which has not seen the sentence without the constraint.
                fresh = Parser(parser.model, parser.settings)
                try:
                    other = fresh.parse(sentence, constraints=[Attachment(modifier, head)])
                except ConstraintError:
                    refused += 1
                    continue
                assert other.further_backoff == parse.further_backoff
                assert other.ledger().total == pytest.approx(other.log_probability, abs=CLOSE)
                forced += 1
    assert forced > 10 and refused > 0


def test_an_attachment_that_the_paper_rules_out_stays_ruled_out() -> None:
    parser = fish_parser()
    sentence = "dog/NN ate/VBD fish/NN"
    assert not parser.parse(sentence).further_backoff
    with pytest.raises(ConstraintError):
        parser.parse(sentence, constraints=[Attachment(1, 0)])


def test_with_another_tag_it_is_another_sentence() -> None:
    material, compared = dense_material(), 0
    parser = Parser.preset(material.model, 3, beam=math.inf)
    for sentence in material.sentences:
        fixed = sentence.with_tags([(sentence.positions[0], "NN")])
        expected = parser.parse(fixed)
        if not expected.fallback:
            parse = parser.parse(sentence, constraints=[FixedTag(0, "NN")])
            assert parse.further_backoff == expected.further_backoff
            assert parse.log_probability == pytest.approx(expected.log_probability, abs=CLOSE)
            compared += parser.parse(sentence).further_backoff != parse.further_backoff
    assert compared > 5


def test_prices_are_those_of_constrained_parses() -> None:
    checked = 0
    for parser, sentence, parse in further_parses()[::9]:
        wide = Parser.preset(parser.model, 3 if parser.settings.ignore_tags else 2, beam=math.inf, threshold=-300)
        if wide.parse(sentence).further_backoff != parse.further_backoff:
            continue
        for word in attachment_prices(parser, sentence, parse, most=6.0):
            for price in word.prices[:3]:
                forced = Attachment(price.modifier, price.head, price.relation)
                best = wide.parse(sentence, constraints=[forced])
                assert best.log_probability == pytest.approx(price.log_probability, abs=CLOSE)
                checked += 1
    assert checked > 20


# --- verdicts --------------------------------------------------------------------------------------------------


def test_gold_outside_the_model_stays_so_and_the_verdict_tells_of_the_parse() -> None:
    told = 0
    for parser, _, parse in further_parses()[::3]:
        for other in parser.parse(parse.sentence, n_best=3).alternatives[1:]:
            found = verdict(parser, other.tree, parse)
            gold = parser.score(other.tree)
            if found.kind is VerdictKind.RIGHT or gold.possible:
                continue
            assert found.kind is VerdictKind.OUTSIDE and found.impossibilities == gold.impossibilities
            assert "The parse was found with further back-off" in verdict_sentence(found)
            assert found.gold.further_backoff == parse.further_backoff
            assert found.difference is not None
            if found.gold.possible:
                assert found.nats == pytest.approx(parse.score - found.gold.score, abs=CLOSE)
                assert found.difference.total == pytest.approx(-found.nats, abs=CLOSE)
            told += 1
    assert told > 10


def test_a_tree_that_the_beam_lost_is_a_search_error_though_another_was_found() -> None:
    material = classroom_material()
    parser = Parser.preset(material.model, 3, beam=1.5, literal_beam=True)
    wide = Parser.preset(material.model, 3, beam=math.inf)
    lost = 0
    for sentence in material.sentences[:80]:
        parse, gold = parser.parse(sentence), wide.parse(sentence)
        if not parse.further_backoff or gold.further_backoff or gold.fallback:
            continue
        if not parser.score(gold.tree).possible or parse.tree == gold.tree:
            continue
        found = verdict(parser, gold.tree, parse)
        if found.kind is VerdictKind.RIGHT:
            continue
        assert found.kind is VerdictKind.SEARCH and found.losses, verdict_sentence(found)
        assert "No tree was found, though gold is possible" in verdict_sentence(found)
        assert found.repair is not None and found.repair.beam is not None
        lost += 1
    assert lost > 3


# --- fragments -------------------------------------------------------------------------------------------------

NO_VERB = "of/IN ,/, of/IN of/IN ./."


def test_fragments_stand_under_the_root_and_are_no_bracket() -> None:
    parser = Parser.preset(classroom_material().model, 3)
    for one, tried in ((parser, True), (Parser.preset(parser.model, 3, further_backoff=False), False)):
        parse = one.parse(NO_VERB)
        assert parse.fallback and not parse.further_backoff
        assert parse.tree.label == "TOP" and "FRAG" not in parse.tree.brackets()
        assert "fragments" in parse.note and ("not even with further back-off" in parse.note) == tried
        gold = Tree("TOP", [Tree("NP", parse.tree.children)])
        score = score_pair(gold, parse.tree)
        shown = [label for label, *_ in parse.tree.constituents() if label != "TOP"]
        assert score.proposed == len(shown) and score.gold == len(shown) + 1
        assert parse.ledger().total == pytest.approx(parse.log_probability, abs=CLOSE)


def test_the_letter_of_the_paper_gives_fragments() -> None:
    parse = fish_parser(1, further_backoff=False).parse(APART)
    assert parse.fallback and not parse.further_backoff
    assert parse.tree.brackets().startswith("(TOP ")
    again = fish_parser(1).parse(APART)
    assert not again.fallback and again.further_backoff
    assert again.tree.brackets() == "(S (NP (NN dog)) (, ,) (VP (VBD ate) (NP (NN fish))))"


# --- what is written -------------------------------------------------------------------------------------------


def test_exports_say_so() -> None:
    parse = fish_parser().parse(APART)
    described = json.loads(FORMATS["json"].write(parse))
    assert described["further_backoff"] == parse.further_backoff.json_name == "distance"
    assert described["settings"]["further_backoff"] is True and not described["fallback"]
    assert "# further_backoff = distance\n" in FORMATS["conllu"].write(parse)
    assert "found with further back-off" in FORMATS["forest"].write(parse)
    ordinary = fish_parser().parse("dog/NN ate/VBD fish/NN")
    assert json.loads(FORMATS["json"].write(ordinary))["further_backoff"] is None
    assert "further" not in FORMATS["conllu"].write(ordinary)


def test_an_evaluation_counts_them() -> None:
    trees = [read_tree(FISH[0]), read_tree("(S (NP (NN dog)) (, ,) (VP (VBD ate) (NP (NN fish))))")]
    counted = evaluate(fish_parser(), trees, (40,))
    assert (counted.further_backoffs[40], counted.fallbacks[40]) == (1, 0)
    assert counted.as_dict()["40"]["further_backoff"] == 1
    letter = evaluate(fish_parser(1, further_backoff=False), trees, (40,))
    assert (letter.further_backoffs[40], letter.fallbacks[40]) == (0, 1)
    assert counted.summaries[40].f1 == 100 > letter.summaries[40].f1


def test_the_terminal_says_so(cli: Cli) -> None:
    text = "Mary/NNP ,/, slept/VBD"
    model = classroom_material().model
    parse = Parser.preset(model, 3).parse(text)
    assert parse.further_backoff and clean(parse.tree) is not None
    told = cli("explain", text, "--model", "classroom", "--preset", "3")
    # It is a reason of the headline, and so a sentence of its own.
    assert parse.note[1:] in told.out and "order " in told.out
    letter = cli("explain", text, "--model", "classroom", "--preset", "3", "--no-further-backoff")
    assert "fragments of the best cover" in letter.out and "further" not in letter.out
