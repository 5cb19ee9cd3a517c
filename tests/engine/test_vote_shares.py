"""The choice by expected F1: shares of the vote, what is said of them, and the verdict on trees that lost it."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import settings
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.numbers import percents_told_apart, share_text
from engine.explain.verdicts import repair_text, verdict_sentence
from engine.rerank.lists import Votes
from engine.settings import Settings
from engine.study.comparison import same_structure
from engine.study.verdicts import Verdict, VerdictKind, verdict
from engine.study.vote_shares import (
    bracket_text,
    highest_scored,
    loses_by_score,
    strongest_others,
    vote_on,
    voted_choice,
    votes_of,
)
from engine.trees.tree import Tree
from tests.engine.command_runner import Cli
from tests.engine.reranked_models import classroom_trees, reranked_classroom, with_scale, words_of
from tests.engine.test_verdicts import random_trees, reranked_model

CLOSE = 1e-9
WORDS = ["Mary", "saw", "the", "man", "with", "the", "telescope"]


def votes(shares: dict[tuple[str, int, int], float], best_score: float = 0.0) -> Votes:
    labels = ("NP", "PP", "VP", "S")
    keys = sorted(
        (labels.index(label) << 32 | start << 16 | end, share) for (label, start, end), share in shares.items()
    )
    numbers, values = zip(*keys, strict=True)
    return Votes(np.array(numbers, np.int64), np.array(values), labels, 30, best_score)


def even_parser(**changes: object) -> Parser:
    """Chooses by a vote in which the scores matter little."""
    return Parser.preset(with_scale(reranked_classroom(), 0.02), 5, **changes)


def voted_down() -> list[tuple[Tree, Verdict]]:
    parser = even_parser()
    judged = [(tree, verdict(parser, tree)) for tree in classroom_trees()]
    return [(tree, found) for tree, found in judged if found.kind is VerdictKind.VOTED]


def test_the_rival_is_what_crosses_and_got_most() -> None:
    vote = votes({("PP", 4, 7): 0.62, ("NP", 2, 5): 0.31, ("VP", 1, 5): 0.2, ("NP", 2, 7): 0.4, ("S", 0, 7): 1.0})
    found = vote_on(vote, "PP", 4, 7)
    assert (found.share, found.rival, found.rival_share) == (0.62, ("NP", 2, 5), 0.31)
    assert found.text(WORDS) == (
        "62 % of the list's probability has this constituent; "
        "the strongest rival that crosses it: NP `the man with`, 31 %."
    )
    assert vote_on(vote, "S", 0, 7).text(WORDS) == "Every parse of the list has this constituent."
    assert vote_on(vote, "NP", 2, 7).text(WORDS) == (
        "40 % of the list's probability has this constituent; "
        "the strongest rival that crosses it: VP `saw the man with`, 20 %."
    )
    assert vote_on(vote, "NP", 5, 7).text(WORDS).startswith("No parse of the list has this constituent")


SPANS = st.tuples(st.sampled_from(["NP", "PP", "VP", "S"]), st.integers(0, 6), st.integers(1, 4)).map(
    lambda one: (one[0], one[1], one[1] + one[2])
)


@given(shares=st.dictionaries(SPANS, st.sampled_from([0.1, 0.2, 0.5]), min_size=1, max_size=15))
def test_the_strongest_of_those_that_cross_is_found(shares: dict[tuple[str, int, int], float]) -> None:
    vote = votes(shares)
    for start, end in itertools.combinations(range(11), 2):
        crossing = [
            (share, one)
            for one, share in shares.items()
            if one[1] < start < one[2] < end or start < one[1] < end < one[2]
        ]
        strongest = max(crossing, default=(0.0, None))
        found = vote_on(vote, "NP", start, end)
        assert (found.rival_share, found.rival) == strongest


def test_shares_are_never_rounded_to_all_or_nothing() -> None:
    assert [share_text(share) for share in (1.0, 0.999, 0.62, 0.001)] == [
        "100 %",
        "more than 99 %",
        "62 %",
        "less than 1 %",
    ]
    assert percents_told_apart(0.93751, 0.93749) == ("93.7510 %", "93.7490 %") and percents_told_apart(0.9, 0.8) == (
        "90.00 %",
        "80.00 %",
    )
    assert bracket_text(("S", 0, 7), [*WORDS, "today"]) == "S `Mary saw the man with the telescope`"


def test_the_votes_of_a_parse_are_those_of_its_list() -> None:
    parser = even_parser()
    compared = 0
    for tree in classroom_trees()[:30]:
        parse = parser.parse(words_of(tree), n_best=30)
        assert parse.votes is not None
        listed = parse.alternatives
        assert parse.votes.best_score == pytest.approx(max(one.score for one in listed), abs=CLOSE)
        assert [one.expected_f1 for one in listed] == sorted((one.expected_f1 for one in listed), reverse=True)  # type: ignore[type-var]
        for vote in votes_of(parse):
            holders = [one for one in listed if vote.bracket in {found.bracket for found in votes_of(one)}]
            assert 0 < vote.share <= 1 and parse in holders
            compared += 1
        own = {vote.bracket for vote in votes_of(parse)}
        assert all(bracket not in own for bracket, _ in strongest_others(parse, 5))
    assert compared > 150


def test_the_choice_against_the_highest_score_is_explained() -> None:
    parser = even_parser()
    told = 0
    for tree in classroom_trees():
        sentence = words_of(tree)
        parse = parser.parse(sentence)
        highest = highest_scored(parser, sentence, parse)
        assert (highest is not None) == loses_by_score(parse)
        if highest is None:
            continue
        by_score = Parser.preset(parser.model, 5, expected_f1=False).parse(sentence)
        assert by_score.tree == highest.tree and by_score.votes is None and by_score.expected_f1 is None
        assert highest.score > parse.score and highest.expected_f1 < parse.expected_f1  # type: ignore[operator]
        choice = voted_choice(parse, highest)
        assert choice.gained or choice.given_up
        assert "Chosen by expected F1" in choice.text and "higher" in choice.text
        told += 1
    assert told > 10


def test_of_trees_with_the_same_constituents_the_higher_score_is_chosen() -> None:
    """They differ in tags alone: the vote has nothing to say, and the score decides."""
    model = with_scale(reranked_classroom(), 0.02)
    parser = Parser.preset(model, 5)
    ties = 0
    for tree in classroom_trees():
        parse = parser.parse(model.tag(words_of(tree).words), n_best=30)
        for one in parse.alternatives[1:]:
            if one.expected_f1 == parse.expected_f1:
                assert one.score <= parse.score + CLOSE
                ties += 1
    assert ties > 0


def in_list(parser: Parser, tree: Tree) -> list[Parse]:
    gold = parser.score(tree)
    return [
        one
        for one in parser.parse(words_of(tree), n_best=30).alternatives
        if same_structure(one.roots, one.sentence.positions, gold.root, gold.sentence.positions)
    ]


def test_gold_that_is_ahead_in_the_list_was_voted_down_and_the_choice_by_score_is_its_repair() -> None:
    parser, found = even_parser(), voted_down()
    assert len(found) > 5
    for tree, judged in found:
        gold = parser.score(tree).score
        assert judged.nats < 0 and verdict_sentence(judged).startswith("Voted down")
        assert judged.repair is not None and judged.repair.changes() == {"expected_f1": False}
        assert "the choice by score" in repair_text(judged.repair)
        again = Parser(parser.model, judged.repair.applied(parser.settings)).parse(words_of(tree))
        assert again.score >= gold - CLOSE
        assert judged.repair.finds_gold == (verdict(parser, tree, again).kind is VerdictKind.RIGHT)
        for one in in_list(parser, tree):
            assert one.score > judged.parse.score
            assert one.expected_f1 < judged.parse.expected_f1  # type: ignore[operator]


def test_gold_of_a_lower_score_stays_a_model_error() -> None:
    parser = even_parser()
    kinds = Counter[VerdictKind]()
    for tree in classroom_trees():
        found = verdict(parser, tree)
        kinds[found.kind] += 1
        if found.kind in (VerdictKind.MODEL, VerdictKind.RERANKING):
            assert parser.score(tree).score <= found.parse.score + CLOSE
    assert kinds[VerdictKind.MODEL] + kinds[VerdictKind.RERANKING] > 3, kinds


def test_every_repair_that_is_named_repairs_though_a_vote_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    # Trees so small are not lost in charts that are widened for the list.
    monkeypatch.setattr(settings, "LIST_WIDENING", 1.0)
    model = with_scale(reranked_model(), 0.05)
    narrow = {"rerank": 4, "beam": 1.5, "threshold": -12.0, "threshold_step": 5.0, "expected_f1": True}
    parser = Parser.preset(model, 3, **narrow)
    changed = Counter[tuple[str, ...]]()
    for tree in random_trees():
        found = verdict(parser, tree)
        if found.repair is None:
            assert found.kind not in (VerdictKind.VOTED, VerdictKind.SEARCH), verdict_sentence(found)
            continue
        again = Parser(parser.model, found.repair.applied(parser.settings)).parse(words_of(tree))
        assert again.score >= parser.score(tree).score - CLOSE, verdict_sentence(found)
        assert found.repair.finds_gold == (verdict(parser, tree, again).kind is VerdictKind.RIGHT)
        assert (found.kind is VerdictKind.VOTED) == (tuple(found.repair.changes()) == ("expected_f1",))
        changed[tuple(found.repair.changes())] += 1
    assert changed["expected_f1",] > 1 and changed["beam",] > 3, changed
    assert any(len(names) > 1 and "expected_f1" in names for names in changed), changed


def test_the_switch_is_on_in_preset_five_and_off_elsewhere(cli: Cli) -> None:
    assert [Settings.preset(number).expected_f1 for number in (1, 2, 3, 4, 5)] == [False] * 4 + [True]
    told = cli("parse", "--help").out
    assert "--no-expected-f1" in told
