"""Kinds of mistakes: constructed ones, and that every differing bracket belongs to exactly one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from engine.chart.parser import Parser
from engine.common.errors import EngineError
from engine.explain.verdicts import error_description
from engine.study.comparison import compare_trees, counted, f1_of
from engine.study.errors import ErrorClass, Repairs, classify_errors, grown
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from tests.engine.small_models import RandomTrees, classroom_material, dense_material


def pairs_of_parses() -> list[tuple[Tree, Tree]]:
    """N-best parses of random sentences, two and two."""
    found: list[tuple[Tree, Tree]] = []
    for material in (dense_material(), classroom_material()):
        parser = Parser.preset(material.model, 2)
        for sentence in material.sentences[:60]:
            trees = [parse.tree for parse in parser.parse(sentence, n_best=6).alternatives]
            found += pairwise(trees)
            if len(trees) > 2:
                found.append((trees[-1], trees[0]))
    return found


def broken(tree: Tree, chance: random.Random) -> Tree:
    """The tree with some of its nodes relabelled, spliced away or put over a few neighbours, under a sturdy root."""

    def rebuild(node: Tree) -> list[Tree]:
        if node.word is not None:
            return [node]
        children = [one for child in node.children for one in rebuild(child)]
        if chance.random() < 0.25 and len(children) > 2:
            first = chance.randrange(len(children) - 1)
            last = chance.randrange(first + 1, len(children))
            children[first : last + 1] = [Tree(chance.choice(["NP", "VP", "PP", "S"]), children[first : last + 1])]
        if chance.random() < 0.2:
            return children
        label = chance.choice(["NP", "VP", "S", "ADJP"]) if chance.random() < 0.2 else node.label
        return [Tree(label, children)]

    return Tree("ROOT", [Tree("S", rebuild(tree))])


def random_pairs() -> list[tuple[Tree, Tree]]:
    source, chance = RandomTrees(5), random.Random(6)
    trees = [source.tree(3) for _ in range(60)]
    return [(broken(tree, chance), tree) for tree in trees]


@pytest.mark.parametrize("pairs", [pairs_of_parses, random_pairs], ids=["n best", "broken"])
def test_every_differing_bracket_belongs_to_exactly_one_mistake(
    pairs: Callable[[], list[tuple[Tree, Tree]]],
) -> None:
    several = 0
    for parse, gold in pairs():
        found = classify_errors(parse, gold)
        compared = compare_trees(parse, gold)
        missing = Counter(counted(span) for mistake in found for span in mistake.missing)
        extra = Counter(counted(span) for mistake in found for span in mistake.extra)
        assert missing == Counter(map(counted, compared.missing))
        assert extra == Counter(map(counted, compared.extra))
        assert all(mistake.missing or mistake.extra for mistake in found)
        assert all(error_description(mistake).endswith(".") and mistake.words for mistake in found)
        several += len(found) > 1
    assert several > 20


@pytest.mark.parametrize("pairs", [pairs_of_parses, random_pairs], ids=["n best", "broken"])
def test_repairing_everything_gives_gold(pairs: Callable[[], list[tuple[Tree, Tree]]]) -> None:
    repaired = 0
    for parse, gold in pairs():
        first, second = clean(parse, collapse=False), clean(gold, collapse=False)
        assert first is not None and second is not None
        everything = [True] * len(first.leaves())
        repairs = Repairs(grown(first, everything), grown(second, everything))
        wrong = repairs.wrong.total()
        for repair in repairs.run():
            repaired += 1
            assert repair.mended.total() > repair.spoilt.total()
            assert repairs.wrong.total() < wrong
            wrong = repairs.wrong.total()
            # The tree and what is kept of its brackets never part.
            held = Counter(node.bracket for child in repairs.top.children for node in child.phrases())
            assert held == +repairs.held
        assert wrong == 0
        wanted = Counter(node.bracket for child in grown(second, everything).children for node in child.phrases())
        assert Counter(node.bracket for child in repairs.top.children for node in child.phrases()) == wanted
    assert repaired > 50


def test_what_a_mistake_costs_is_what_its_repair_brings() -> None:
    priced = 0
    for parse, gold in pairs_of_parses()[:100]:
        compared = compare_trees(parse, gold)
        matched, wanted = len(compared.matching), len(compared.matching) + len(compared.missing)
        proposed = matched + len(compared.extra)
        found = classify_errors(parse, gold)
        for mistake in found:
            new, gone = len(mistake.missing), len(mistake.extra)
            after = f1_of(matched + new, wanted, proposed + new - gone)
            assert mistake.f1 == pytest.approx(after - f1_of(matched, wanted, proposed))
            assert mistake.f1 > 0
            priced += 1
        costs = [mistake.f1 for mistake in found]
        assert costs == sorted(costs, reverse=True)
    assert priced > 100


CONSTRUCTED = {
    "a PP of the verb on the noun": (
        ErrorClass.PP,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May))))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May)))))",
        "`in May` is attached to NP `a dog`, in gold to VP",
    ),
    "a PP of the noun on the verb": (
        ErrorClass.PP,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May)))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May))))))",
        "`in May` is attached to VP",
    ),
    "a PP too low by two levels": (
        ErrorClass.PP,
        "(S (NP (NN I)) (VP (VBD saw) (NP (NP (NN dog)) (PP (IN of) (NP (NP (NN man)) (PP (IN in) (NP (NN park))))))))",
        "(S (NP (NN I)) (VP (VBD saw) (NP (NP (NN dog)) (PP (IN of) (NP (NN man)))) (PP (IN in) (NP (NN park)))))",
        "`in park` is attached to NP `man`, in gold to VP",
    ),
    "a conjunct too wide": (
        ErrorClass.COORDINATION,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (NN dog) (CC and) (NN cat)) (PP (IN in) (NP (NN park))))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (NN dog)) (CC and) (NP (NP (NN cat)) (PP (IN in) (NP (NN park)))))))",
        "",
    ),
    "co-ordinated verbs under the wrong node": (
        ErrorClass.COORDINATION,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (NN dog)) (CC and) (VP (VBD ran)))))",
        "(S (NP (NNP Ann)) (VP (VP (VBD saw) (NP (NN dog))) (CC and) (VP (VBD ran))))",
        "`and` joins VP `ran` to NP `dog`, in gold to VP `saw dog`.",
    ),
    "a conjunct with its conjunction inside": (
        ErrorClass.COORDINATION,
        "(VP (VBD fed) (NP (NP (DT a) (NN hen)) (PP (IN on) (NP (NP (NN corn)) (NP (CC and) (NN rye))))))",
        "(VP (VBD fed) (NP (NP (DT a) (NN hen)) (PP (IN on) (NP (NN corn))) (NP (CC and) (NN rye))))",
        "",
    ),
    "a word of a flat phrase that joins two": (
        ErrorClass.COORDINATION,
        "(VP (VBD ate) (NP (NP (JJ old) (NN bread)) (PP (IN of) (NP (NN rye))) (CC and) (NP (NN jam))))",
        "(VP (VBD ate) (NP (NP (JJ old) (NN bread)) (PP (IN of) (NP (NP (NN rye)) (CC and) (NP (NN jam))))))",
        "`and` joins NP `jam` to PP `of rye`, in gold to NP `rye`.",
    ),
    "a reduced relative without a phrase of its own": (
        ErrorClass.CLAUSE,
        "(VP (VBD saw) (NP (NP (DT the) (NN ring)) (VBN worn) (PP (IN by) (NP (NNP Eve)))))",
        "(VP (VBD saw) (NP (DT the) (NN ring)) (VBN worn) (PP (IN by) (NP (NNP Eve))))",
        "`worn by Eve` is attached to NP `the ring`, in gold to VP",
    ),
    "a noun phrase and a PP, moved together": (
        ErrorClass.NP,
        "(VP (VBD saw) (NP (NP (DT the) (NN ring)) (NP (CD one) (NN day)) (PP (IN in) (NP (NNP May)))))",
        "(VP (VBD saw) (NP (DT the) (NN ring)) (NP (CD one) (NN day)) (PP (IN in) (NP (NNP May))))",
        "`one day in May` is attached to NP `the ring`, in gold to VP",
    ),
    "a clause of the verb on the noun": (
        ErrorClass.CLAUSE,
        "(S (NP (NN I)) (VP (VBD told) (NP (NP (DT the) (NN man)) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD ran)))))))",
        "(S (NP (NN I)) (VP (VBD told) (NP (DT the) (NN man)) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD ran))))))",
        "in gold to VP",
    ),
    "an adverb on the wrong verb": (
        ErrorClass.MODIFIER,
        "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (S (NP (PRP he)) (VP (VBD ran) (ADVP (RB now)))))))",
        "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (S (NP (PRP he)) (VP (VBD ran)))) (ADVP (RB now))))",
        "`now` is attached to VP `ran`, in gold to VP `said he ran`.",
    ),
    "an apposition on the wrong noun": (
        ErrorClass.NP,
        "(S (NP (NP (NN dog)) (PP (IN of) (NP (NP (NN man)) (, ,) (NP (NNP Rex))))) (VP (VBD ran)))",
        "(S (NP (NP (NP (NN dog)) (PP (IN of) (NP (NN man)))) (, ,) (NP (NNP Rex))) (VP (VBD ran)))",
        "`Rex` is attached to NP `man`",
    ),
    "an object of the wrong verb": (
        ErrorClass.ARGUMENT,
        "(S (VP (VB Let) (S (NP (PRP him)) (VP (VB go) (NP (NN today))))))",
        "(S (VP (VB Let) (S (NP (PRP him)) (VP (VB go))) (NP (NN today))))",
        "`today` is attached to VP `go`",
    ),
    "a unary dropped": (
        ErrorClass.UNARY,
        "(S (NP (NNP Ann)) (VP (VBD tried) (VP (TO to) (VP (VB run)))))",
        "(S (NP (NNP Ann)) (VP (VBD tried) (S (VP (TO to) (VP (VB run))))))",
        "S over `to run` is missing.",
    ),
    "a unary over a phrase of one word": (
        ErrorClass.UNARY,
        "(SINV (VP (VBG Following)) (VBZ is) (NP (DT a) (NN breakdown)))",
        "(SINV (S (VP (VBG Following))) (VBZ is) (NP (DT a) (NN breakdown)))",
        "S over `Following` is missing.",
    ),
    "a unary of equal labels": (
        ErrorClass.UNARY,
        "(S (NP (NP (DT a) (NN breakdown)) (PP (IN of) (NP (NN trade)))) (VP (VBZ is) (ADVP (RB here))))",
        "(S (NP (NP (NP (DT a) (NN breakdown)) (PP (IN of) (NP (NN trade))))) (VP (VBZ is) (ADVP (RB here))))",
        "NP over `a breakdown of trade` is missing.",
    ),
    "a bracket around a co-ordination": (
        ErrorClass.MISSING,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)) (CC and) (NP (DT a) (NN cat))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (CC and) (NP (DT a) (NN cat)))))",
        "NP over `a dog and a cat` is missing.",
    ),
    "a bracket around a co-ordination that gold has not": (
        ErrorClass.EXTRA,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (CC and) (NP (DT a) (NN cat)))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)) (CC and) (NP (DT a) (NN cat))))",
        "NP over `a dog and a cat` is not in gold.",
    ),
    "a bracket over a first conjunct": (
        ErrorClass.MISSING,
        "(S (NP (NNP Ann)) (VP (VBD ate) (NP (NN fish)) (CC and) (VP (VBD ran))))",
        "(S (NP (NNP Ann)) (VP (VP (VBD ate) (NP (NN fish))) (CC and) (VP (VBD ran))))",
        "VP over `ate fish` is missing.",
    ),
    "a bracket over a second conjunct": (
        ErrorClass.EXTRA,
        "(S (NP (NNP Ann)) (VP (VP (VBD ran)) (CC and) (VP (VBD ate) (NP (NN fish)))))",
        "(S (NP (NNP Ann)) (VP (VP (VBD ran)) (CC and) (VBD ate) (NP (NN fish))))",
        "VP over `ate fish` is not in gold.",
    ),
    "a PP beside a conjunction": (
        ErrorClass.COORDINATION,
        "(S (NP (NNP Ann)) (VP (VP (VBD saw) (NP (NP (NN dog)) (PP (IN in) (NP (NN park))))) (CC and) (VP (VBD ran))))",
        "(S (NP (NNP Ann)) (VP (VP (VBD saw) (NP (NN dog))) (PP (IN in) (NP (NN park))) (CC and) (VP (VBD ran))))",
        "",
    ),
    "a sentence in pieces": (
        ErrorClass.MISSING,
        "(TOP (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog))))",
        "(TOP (S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)))))",
        "S over `Ann saw a dog` is missing.",
    ),
    "another label": (
        ErrorClass.LABEL,
        "(S (NP (NNP Ann)) (VP (VBD ran) (PP (RB very) (RB fast))))",
        "(S (NP (NNP Ann)) (VP (VBD ran) (ADVP (RB very) (RB fast))))",
        "`very fast` is labelled PP, in gold ADVP.",
    ),
    "a phrase over one word": (
        ErrorClass.SINGLE_WORD,
        "(S (NP (NNP Ann)) (VP (VBD ran) (RB now)))",
        "(S (NP (NNP Ann)) (VP (VBD ran) (ADVP (RB now))))",
        "ADVP over `now` is missing.",
    ),
    "brackets in a baseNP": (
        ErrorClass.NP_INTERNAL,
        "(S (NP (DT a) (RB very) (JJ old) (NN ice) (NN cream)) (VP (VBD ran)))",
        "(S (NP (DT a) (ADJP (RB very) (JJ old)) (NML (NN ice) (NN cream))) (VP (VBD ran)))",
        "",
    ),
    "a phrase that gold has": (
        ErrorClass.MISSING,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NNP Rex)) (VBG running) (ADVP (RB now))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NNP Rex)) (VP (VBG running) (ADVP (RB now)))))",
        "VP over `running now` is missing.",
    ),
    "a phrase that gold has not": (
        ErrorClass.EXTRA,
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NNP Rex)) (VP (VBG running) (ADVP (RB now)))))",
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NNP Rex)) (VBG running) (ADVP (RB now))))",
        "VP over `running now` is not in gold.",
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTED)
def test_a_constructed_mistake_is_of_its_kind(name: str) -> None:
    kind, parse, gold, description = CONSTRUCTED[name]
    (found,) = classify_errors(read_tree(parse), read_tree(gold))
    assert found.kind is kind
    assert description in error_description(found)
    # Repaired, nothing is wrong any more.
    compared = compare_trees(read_tree(parse), read_tree(gold))
    assert found.f1 == pytest.approx(100 - compared.f1)


def test_two_mistakes_are_two() -> None:
    parse = read_tree(
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May))))) (RB now))"
    )
    gold = read_tree(
        "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP May)))) (ADVP (RB now)))"
    )
    assert {mistake.kind for mistake in classify_errors(parse, gold)} == {ErrorClass.PP, ErrorClass.SINGLE_WORD}


UNARIES_BESIDE_A_MOVE = {
    "extra": (
        "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (IN that) (S (VP (VBD ran) (NP (NN home))) (ADVP (RB now))))))",
        "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (IN that) (VP (VBD ran) (NP (NN home)))) (ADVP (RB now))))",
        {(ErrorClass.MODIFIER, "now", ("SBAR", "SBAR")), (ErrorClass.UNARY, "ran home now", ("S",))},
        "S over `ran home now` is not in gold.",
    ),
    "missing": (
        "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (NN head)) (PP (IN of) (NP (NP (NN it)) (PP (IN in) (NP (NN May))))))))",
        "(S (NP (PRP I)) (VP (VBD saw) (S (NP (NP (NN head)) (PP (IN of) (NP (NN it))))) (PP (IN in) (NP (NN May)))))",
        {(ErrorClass.PP, "in May", ("NP", "PP", "NP", "PP", "NP")), (ErrorClass.UNARY, "head of it", ("S",))},
        "S over `head of it` is missing.",
    ),
}


@pytest.mark.parametrize("name", UNARIES_BESIDE_A_MOVE)
def test_a_unary_beside_a_moved_phrase_is_a_mistake_of_its_own(name: str) -> None:
    """A clause more or less over the same words has nothing to do with where something else is attached."""
    parse, gold, expected, description = UNARIES_BESIDE_A_MOVE[name]
    found = classify_errors(read_tree(parse), read_tree(gold))
    # The clause counts once, with the words that it has in the parse, and not as a bracket of the move.
    brackets = {one.kind: tuple(span.label for span in (*one.missing, *one.extra)) for one in found}
    assert {(one.kind, one.words, brackets[one.kind]) for one in found} == expected
    assert description in [error_description(one) for one in found]


def test_a_right_parse_has_no_mistakes() -> None:
    tree = read_tree("(S (NP (NNP Ann)) (VP (VBD ran) (PRT (RP off))) (. .))")
    assert classify_errors(tree, tree) == []
    # As in PARSEVAL, ADVP is as good as PRT.
    assert classify_errors(read_tree(tree.brackets().replace("PRT", "ADVP")), tree) == []


def test_mistakes_count_tokens_and_leave_punctuation_out() -> None:
    parse = read_tree("(S (`` ``) (NP (NNP Ann)) (, ,) (VP (VBD ran) (RB now)) (. .))")
    gold = read_tree("(S (`` ``) (NP (NNP Ann)) (, ,) (VP (VBD ran) (ADVP (RB now) (. .))))")
    (found,) = classify_errors(parse, gold)
    assert (found.start, found.end, found.words) == (4, 5, "now")


def test_trees_of_other_words_have_no_mistakes_to_tell() -> None:
    with pytest.raises(EngineError, match="different words"):
        classify_errors(read_tree("(S (NN a))"), read_tree("(S (NN b))"))
