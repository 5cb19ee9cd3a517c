"""Two trees against each other: constituents, dependencies, ledgers, prices of attachments."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.common.numbers import number
from engine.explain.verdicts import verdict_sentence
from engine.model.model import Model
from engine.structure.constraints import Attachment
from engine.structure.dependencies import Relation
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import compare_trees, counted, ledger_difference
from engine.study.prices import AttachmentPrice, attachment_prices
from engine.study.verdicts import verdict
from engine.tagger.tagger import TagDistribution
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from tests.engine.small_models import RandomTrees, classroom_material, dense_material, random_reranker
from tests.trained import trained

CLOSE = 1e-9
LOW = read_tree(
    "(ROOT (S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN with) (NP (DT the) (NN hat))))) (. .)))"
)
HIGH = read_tree(
    "(S (NP-SBJ (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN with) (NP (DT the) (NN hat)))) (. .))"
)


@cache
def tagged_pairs() -> list[tuple[Parser, TaggedSentence | TagDistribution, Parse]]:
    """Sentences with their 8 best parses, under all presets; with the tagger's tags under (4) and (5)."""
    found: list[tuple[Parser, TaggedSentence | TagDistribution, Parse]] = []
    for preset in (1, 2, 3, 5):
        for material in (dense_material(), classroom_material()):
            parser = Parser.preset(material.model, preset)
            found += [(parser, sentence, parser.parse(sentence, n_best=8)) for sentence in material.sentences[:40]]
    return [(parser, sentence, parse) for parser, sentence, parse in found if not parse.fallback]


def test_a_phrase_attached_elsewhere_shows_in_brackets_and_arrows() -> None:
    found = compare_trees(LOW, HIGH)
    assert [str(span) for span in found.extra] == ["NP 2–7"]
    assert not found.missing and len(found.matching) == 6
    (low,), (high,) = found.extra_arrows, found.missing_arrows
    assert (low.modifier, low.head, str(low.relation)) == (4, 3, "<PP,NP,NP>")
    assert (high.modifier, high.head, str(high.relation)) == (4, 1, "<PP,VP,VBD>")
    assert not found.same_structure and not found.identical and not found.wrong_tags
    assert found.f1 == pytest.approx(100 * 12 / 13)


def test_a_tree_is_identical_with_itself_whatever_the_treebank_adds() -> None:
    same = read_tree(HIGH.brackets().replace("NP-SBJ", "NP"))
    assert compare_trees(same, HIGH).identical


def test_where_punctuation_hangs_makes_no_difference() -> None:
    inner = read_tree("(S (NP (NNP Ann)) (VP (VBD ran) (, ,) (ADVP (RB now)) (. .)))")
    outer = read_tree("(S (NP (NNP Ann)) (VP (VBD ran) (, ,) (ADVP (RB now))) (. .))")
    assert compare_trees(inner, outer).identical


def test_brackets_inside_basenps_are_outside_the_structure() -> None:
    flat = read_tree("(S (NP (DT a) (RB very) (JJ old) (NN dog)) (VP (VBD ran)))")
    deep = read_tree("(S (NP (DT a) (ADJP (RB very) (JJ old)) (NN dog)) (VP (VBD ran)))")
    found = compare_trees(flat, deep)
    assert found.same_structure and not found.same_brackets and not found.identical
    assert [str(span) for span in found.internal_brackets] == ["ADJP 1–3"] == [str(span) for span in found.missing]


def test_a_core_is_not_a_noun_phrase_of_its_own() -> None:
    core = read_tree("(NP (DT the) (NN claim) (SBAR (IN that) (S (NP (NNP Ann)) (VP (VBD ran)))))")
    level = read_tree("(NP (NP (DT the) (NN claim)) (SBAR (IN that) (S (NP (NNP Ann)) (VP (VBD ran)))))")
    assert not compare_trees(core, level).same_structure


def test_tags_that_change_nothing_leave_the_structure_alone() -> None:
    other = read_tree(HIGH.brackets().replace("(NN hat)", "(NNP hat)"))
    found = compare_trees(other, HIGH)
    assert found.same_structure and found.wrong_tags == (6,) and not found.identical


def test_trees_of_other_words_cannot_be_compared() -> None:
    with pytest.raises(EngineError, match="different words"):
        compare_trees(LOW, read_tree("(S (NP (NNP Ann)) (VP (VBD ran)))"))


def test_what_is_missing_here_is_extra_there_and_parseval_agrees() -> None:
    compared = 0
    for _, _, parse in tagged_pairs():
        for other in parse.alternatives[1:4]:
            one = compare_trees(parse.tree, other.tree)
            back = compare_trees(other.tree, parse.tree)
            assert Counter(map(counted, one.missing)) == Counter(map(counted, back.extra))
            assert (one.missing_arrows, one.extra_arrows) == (back.extra_arrows, back.missing_arrows)
            assert len(one.matching) == one.parseval.matched
            assert len(one.missing) == one.parseval.gold - one.parseval.matched
            assert len(one.extra) == one.parseval.proposed - one.parseval.matched
            assert one.same_structure == back.same_structure
            compared += 1
    assert compared > 200


def test_contributions_sum_to_the_difference_of_scores() -> None:
    compared = 0
    for parser, sentence, parse in tagged_pairs():
        for other in parse.alternatives[1:]:
            # A tree alone is scored by the estimates of the settings.
            pairs: list[tuple[Parse | Tree, Parse | Tree]] = [(parse, other), (parse, other.tree)]
            if not parse.further_backoff:
                pairs.append((parse.tree, other.tree))
            for first, second in pairs:
                found = ledger_difference(parser, sentence, first, second)
                assert found.total == pytest.approx(other.score - parse.score, abs=CLOSE)
                assert found.first_total == pytest.approx(parse.score, abs=CLOSE)
                logs = [row.first.log for row in found.rows if row.first is not None]
                assert found.equal_sum + math.fsum(logs) == pytest.approx(parse.score, abs=CLOSE)
                sizes = [abs(row.contribution) for row in found.rows]
                assert sizes == sorted(sizes, reverse=True)
                compared += 1
    assert compared > 1000


def test_contributions_sum_with_a_distribution_of_tags(classroom: Model) -> None:
    compared = 0
    words = ["Mary saw the man with the telescope .", "John said that dogs like the old park in May ."]
    for preset in (4, 5):
        parser = Parser.preset(classroom, preset, tag_factor=300)
        for text in words:
            sentence = classroom.tag(text.split())
            parses = parser.parse(sentence, n_best=30).alternatives
            for other in parses[1:]:
                found = ledger_difference(parser, sentence, parses[0].tree, other.tree)
                assert found.total == pytest.approx(other.score - parses[0].score, abs=CLOSE)
                compared += any(row.kind == "tag" for row in found.rows)
    assert compared > 10


def test_contributions_sum_with_a_re_ranker() -> None:
    model = trained(tuple(random_trees(100)))
    model = model.with_reranker(random_reranker(model, 2.0))
    ranked = Parser.preset(model, 3, rerank=10)
    features = 0
    for sentence in dense_material().sentences[:25]:
        parse = ranked.parse(sentence, n_best=5)
        for other in parse.alternatives[1:] if not parse.fallback else ():
            found = ledger_difference(ranked, sentence, parse, other)
            assert found.total == pytest.approx(other.score - parse.score, abs=1e-6)
            features += any(row.kind == "feature" for row in found.rows)
    assert features > 10


def test_the_same_thing_stands_in_one_row(classroom: Model) -> None:
    parser = Parser.preset(classroom, 3)
    sentence = TaggedSentence.from_tree(HIGH)
    found = ledger_difference(parser, sentence, LOW, HIGH)
    rows = [row for row in found.rows if row.kind == "dependency"]
    assert [(row.first.what, row.second.what) for row in rows if row.first and row.second] == [
        ("with → dog <PP,NP,NP>", "with → saw <PP,VP,VBD>")
    ]
    assert "with → dog <PP,NP,NP> against with → saw <PP,VP,VBD>" in [row.what for row in rows]


# --- prices of attachments ------------------------------------------------------------------------------------


def prices(
    parser: Parser, sentence: TaggedSentence | TagDistribution, parse: Parse, most: float = 9.0
) -> dict[tuple[int, int, Relation | None], AttachmentPrice]:
    return {
        (price.modifier, price.head, price.relation): price
        for word in attachment_prices(parser, sentence, parse, most=most)
        for price in word.prices
    }


@pytest.mark.parametrize("preset", [2, 3, 5])
def test_prices_are_those_of_constrained_parses_without_a_beam(preset: int) -> None:
    checked = 0
    for material in (dense_material(), classroom_material()):
        narrow = Parser.preset(material.model, preset, beam=20)
        wide = Parser.preset(material.model, preset, beam=math.inf, threshold=-300)
        for sentence in material.sentences[:12]:
            parse = narrow.parse(sentence)
            if parse.fallback:
                continue
            for price in prices(narrow, sentence, parse).values():
                forced = Attachment(price.modifier, price.head, price.relation)
                best = wide.parse(sentence, constraints=[forced])
                assert best.log_probability == pytest.approx(price.log_probability, abs=CLOSE)
                assert price.cost == pytest.approx(parse.log_probability - best.log_probability, abs=CLOSE)
                checked += 1
    assert checked > 100


def test_no_attachment_within_the_bound_is_left_out() -> None:
    checked = 0
    for parser, sentence, parse in tagged_pairs():
        if parser.settings.lexical and len(parse.alternatives) > 3:
            found = prices(parser, sentence, parse)
            for other in parse.alternatives:
                cost = parse.log_probability - other.log_probability
                if cost > 9:
                    continue
                reduced = (-1, *other.reduced)
                for arrow in other.dependencies:
                    modifier = reduced[arrow.modifier]
                    if modifier in parse.reduced:
                        assert found[modifier, reduced[arrow.head], arrow.relation].cost <= cost + CLOSE
                        checked += 1
    assert checked > 500


@pytest.mark.parametrize("beam", [2.0, 20.0, 1e6])
def test_with_a_beam_no_price_is_too_low(beam: float) -> None:
    checked = 0
    for parser, sentence, parse in tagged_pairs()[::4]:
        exact = prices(parser, sentence, parse)
        for word in attachment_prices(parser, sentence, parse, most=9.0, beam=beam):
            assert not word.exact
            for price in word.prices:
                assert price.cost >= exact[price.modifier, price.head, price.relation].cost - CLOSE
                checked += 1
    assert checked > 50


def test_long_sentences_are_priced_with_a_beam_unless_asked_otherwise(classroom: Model) -> None:
    parser = Parser.preset(classroom, 3)
    long = TaggedSentence.parse("John/NNP saw/VBD a/DT dog/NN " + "with/IN the/DT telescope/NN " * 17)
    parse = parser.parse(long)
    assert not parse.fallback
    assert [word.exact for word in attachment_prices(parser, long, parse)] == [False] * len(parse.reduced)
    short = TaggedSentence.from_tree(HIGH)
    assert all(word.exact for word in attachment_prices(parser, short, parser.parse(short)))


@pytest.mark.parametrize(
    "text", ["John/NNP saw/VBD a/DT dog/NN with/IN the/DT hat/NN ./.", "John saw a dog with the hat."]
)
def test_a_sentence_may_be_written_as_for_the_parser(classroom: Model, text: str) -> None:
    parser = Parser.preset(classroom, 4)
    parse, sentence = parser.parse(text), classroom.read_tagged(text)
    prices = list(attachment_prices(parser, text, parse))
    assert prices and prices == list(attachment_prices(parser, sentence, parse))
    other = read_tree(HIGH.brackets() if parse.tree.brackets() != HIGH.brackets() else LOW.brackets())
    assert ledger_difference(parser, text, parse, other) == ledger_difference(parser, sentence, parse, other)
    said = verdict(parser, other, parse, sentence=text, repair=False)
    again = verdict(parser, other, parse, sentence=sentence, repair=False)
    assert verdict_sentence(said) == verdict_sentence(again)


def test_what_else_moves_is_told(classroom: Model) -> None:
    parser = Parser.preset(classroom, 3)
    sentence = TaggedSentence.from_tree(HIGH)
    parse = parser.parse(sentence)
    own = parse.heads()
    compared = 0
    for price in prices(parser, sentence, parse).values():
        forced = parser.parse(sentence, constraints=[Attachment(price.modifier, price.head, price.relation)])
        if forced.log_probability != pytest.approx(price.log_probability, abs=CLOSE):
            continue
        changed = {word for word in own.keys() | forced.heads().keys() if own.get(word) != forced.heads().get(word)}
        assert changed - {price.modifier} <= set(price.moved)
        if price.cost == 0:
            assert not price.moved
        compared += 1
    assert compared > 2


def test_prices_with_a_distribution_of_tags(classroom: Model) -> None:
    parser = Parser.preset(classroom, 4, tag_factor=300)
    wide = Parser.preset(classroom, 4, tag_factor=300, beam=math.inf)
    checked = 0
    for text in ("Mary saw the man with the telescope .", "John said that dogs like the old park in May ."):
        sentence = classroom.tag(text.split())
        found = prices(parser, sentence, parser.parse(sentence), most=15.0)
        for (modifier, head, relation), price in found.items():
            best = wide.parse(sentence, constraints=[Attachment(modifier, head, relation)])
            assert best.log_probability == pytest.approx(price.log_probability, abs=CLOSE)
        checked += len(found)
    assert checked > 15


def test_pricing_can_be_stopped(classroom: Model) -> None:
    parser = Parser.preset(classroom, 3)
    sentence = TaggedSentence.from_tree(HIGH)
    control = Control()
    words = attachment_prices(parser, sentence, parser.parse(sentence), control=control)
    assert next(words).prices
    control.cancel()
    with pytest.raises(Cancelled):
        next(words)


def test_a_cover_of_fragments_has_no_price() -> None:
    model = trained((read_tree("(S (NP (NNP Ann)) (VP (VBD ran)))"),))
    parser = Parser.preset(model, 3)
    sentence = TaggedSentence.parse("of/IN of/IN")
    parse = parser.parse(sentence)
    assert parse.fallback
    with pytest.raises(EngineError, match="no tree spans"):
        list(attachment_prices(parser, sentence, parse))
    with pytest.raises(EngineError, match="fragments"):
        ledger_difference(parser, sentence, parse, parse)


def random_trees(count: int) -> list[Tree]:
    source = RandomTrees(77)
    return [source.tree(3) for _ in range(count)]


def test_every_tree_is_identical_with_itself() -> None:
    for tree in random_trees(60):
        found = compare_trees(tree, tree)
        assert found.identical and found.f1 == 100


def test_a_ledger_writes_zero_without_a_sign() -> None:
    assert (number(-0.0001), number(-0.0006), number(-0.0)) == ("0.000", "−0.001", "0.000")
    assert (number(-1234.5, 1), number(math.inf), number(-math.inf)) == ("−1,234.5", "∞", "−∞")
