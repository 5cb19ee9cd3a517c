"""PARSEVAL as evalb counts it, on examples counted by hand and against a slow second counting."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.study.evaluation import Evaluation, SentenceEvaluation
from engine.study.parseval import COLLINS, EQUAL_LABELS, Summary, attachment_score, score_pair, summary_table
from engine.trees.reading import read_tree
from engine.trees.tree import ROOT_LABELS, Tree, clean


def summaries_of(
    pairs: Iterable[tuple[Tree, Tree | None]], limits: Sequence[int | None] = (40, 100)
) -> dict[int | None, Summary]:
    """The summaries of gold trees and parses, for every cut-off length."""
    evaluation = Evaluation.of(limits)
    for gold, proposed in pairs:
        evaluation.add(SentenceEvaluation(score_pair(gold, proposed)))
    return evaluation.summaries


GOLD = read_tree(
    "(ROOT (S (NP-SBJ-1 (DT The) (NN man)) (VP (VBD saw) (NP (DT a) (NN dog))"
    " (PP-CLR (IN with) (NP (DT a) (NN telescope)))) (. .)))"
)
# The same sentence with the PP under the object: a new NP(3,8), and nothing of gold is lost.
LOW = read_tree(
    "(TOP (S (NP (DT The) (NN man)) (VP (VBD saw) (NP (NP (DT a) (NN dog))"
    " (PP (IN with) (NP (DT a) (NN telescope))))) (. .)))"
)


def counts(gold: str, proposed: str) -> tuple[int, int, int, int]:
    score = score_pair(read_tree(gold), read_tree(proposed))
    return score.gold, score.proposed, score.matched, score.crossing


def test_a_perfect_match_whatever_root_and_function_tags() -> None:
    score = score_pair(GOLD, clean(GOLD))
    assert (score.gold, score.proposed, score.matched, score.crossing) == (6, 6, 6, 0)
    assert (score.tokens, score.tags_correct, score.length) == (8, 8, 9)
    assert score.complete and not score.failed


def test_an_extra_bracket_costs_precision_alone() -> None:
    score = score_pair(GOLD, LOW)
    assert (score.gold, score.proposed, score.matched, score.crossing) == (6, 7, 6, 0)
    assert not score.complete
    summary = Summary()
    summary.add(score)
    assert summary.labeled_recall == 100
    assert summary.labeled_precision == pytest.approx(100 * 6 / 7)
    assert summary.f1 == pytest.approx(100 * 12 / 13)


def test_crossing_brackets_count_proposed_constituents_once_each() -> None:
    gold = "(S (A (NN a) (B (NN b) (NN c))) (NN d))"
    # X(2,4) crosses both A(0,3) and B(1,3) and counts once; but there are two of it, and Y(2,4).
    proposed = "(S (NN a) (NN b) (X (X (Y (NN c) (NN d)))))"
    assert counts(gold, proposed) == (3, 4, 1, 3)


def test_a_wrong_label_does_not_cross() -> None:
    assert counts("(S (NP (NN a) (NN b)) (NN c))", "(S (VP (NN a) (NN b)) (NN c))") == (2, 2, 1, 0)


def test_the_same_bracket_twice_is_counted_twice() -> None:
    once, twice = "(S (NP (NN a)) (NN b))", "(S (NP (NP (NN a))) (NN b))"
    assert counts(twice, once) == (3, 2, 2, 0)
    assert counts(once, twice) == (2, 3, 2, 0)
    assert counts(twice, twice) == (3, 3, 3, 0)


def test_unary_chains_match_whatever_their_order() -> None:
    # evalb knows labels and spans, not which of two constituents over one span is the upper one.
    assert counts("(S (NP (QP (CD 1))) (NN b))", "(S (QP (NP (CD 1))) (NN b))") == (3, 3, 3, 0)
    assert counts("(S (VP (VB go)))", "(VP (VB go))") == (2, 1, 1, 0)


def test_punctuation_is_no_part_of_a_span() -> None:
    gold = "(S (NP (NN a) (, ,)) (VP (VB b)) (. .))"
    assert counts(gold, "(S (NP (NN a)) (, ,) (VP (VB b) (. .)))") == (3, 3, 3, 0)


@pytest.mark.parametrize("tag", sorted(COLLINS.deleted))
def test_a_constituent_of_punctuation_alone_vanishes(tag: str) -> None:
    assert counts(f"(S (X ({tag} x)) (NP (NN a)))", f"(S ({tag} x) (NP (NN a)))") == (2, 2, 2, 0)


@pytest.mark.parametrize("tag", ["-LRB-", "-RRB-", "$", "#", '"', "HYPH", "SYM"])
def test_other_marks_are_words(tag: str) -> None:
    tree = read_tree(f"(S (X ({tag} x)) (NP (NN a)))")
    assert score_pair(tree, tree).gold == 3


def test_gold_tags_decide_which_tokens_are_deleted() -> None:
    gold, proposed = read_tree("(S (NP (NN a)) (: -) (NN b))"), read_tree("(S (NP (, a)) (NN -) (NN b))")
    score = score_pair(gold, proposed)
    assert (score.gold, score.proposed, score.matched) == (2, 2, 2)
    assert (score.tokens, score.tags_correct, score.length) == (2, 1, 3)


def test_traces_and_what_they_empty_vanish() -> None:
    gold = "( (S (NP-SBJ (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))"
    assert counts(gold, "(S (VP (VB go)) (. .))") == (2, 2, 2, 0)
    assert score_pair(read_tree(gold), read_tree("(S (VB go) (. .))")).length == 2


def test_advp_is_prt() -> None:
    assert counts("(VP (VB go) (PRT (RP up)))", "(VP (VB go) (ADVP (RP up)))") == (2, 2, 2, 0)
    assert counts("(VP (VB go) (ADVP|PRT (RP up)))", "(VP (VB go) (PRT (RP up)))") == (2, 2, 2, 0)


@pytest.mark.parametrize("root", ["", "ROOT", "TOP", "S1"])
def test_a_root_is_never_counted(root: str) -> None:
    assert counts(f"({root} (NP (NN a)) (NP (NN b)))", "(TOP (NP (NN a)) (NP (NN b)))") == (2, 2, 2, 0)
    assert counts(f"({root} (NN a))", "(NN a)") == (0, 0, 0, 0)


@pytest.mark.parametrize("proposed", [None, read_tree("(S (NP (DT The) (NN man)))")])
def test_without_a_usable_parse_recall_is_lost_and_nothing_else_is_counted(proposed: Tree | None) -> None:
    score = score_pair(GOLD, proposed)
    assert score.failed and not score.complete
    assert (score.gold, score.proposed, score.matched, score.length) == (6, 0, 0, 9)
    summary = summaries_of([(GOLD, GOLD), (GOLD, proposed)], [None])[None]
    assert (summary.sentences, summary.failed, summary.scored) == (2, 1, 1)
    assert (summary.labeled_recall, summary.labeled_precision) == (50, 100)
    assert summary.f1 == pytest.approx(200 / 3)
    assert (summary.no_crossing, summary.complete_match, summary.tag_accuracy) == (100, 100, 100)
    alone = summaries_of([(GOLD, proposed)], [None])[None]
    assert (alone.labeled_recall, alone.no_crossing, alone.complete_match) == (0, 0, 0)


def test_a_sentence_of_punctuation_alone_is_skipped_as_evalb_does() -> None:
    tree = read_tree("(NP (: --) (. .))")
    summary = summaries_of([(tree, tree), (GOLD, LOW)], [None])[None]
    assert (summary.sentences, summary.skipped, summary.failed, summary.complete_match) == (2, 1, 0, 0)


def test_lengths_cut() -> None:
    def sentence(words: int) -> Tree:
        return read_tree("(S (-NONE- *) " + "(NN a) " * words + "(. .))")

    pairs = [(sentence(words), clean(sentence(words))) for words in (39, 40, 99, 100)]
    assert [summary.sentences for summary in summaries_of(pairs).values()] == [1, 3]
    assert [summary.sentences for summary in summaries_of(pairs, (41, None)).values()] == [2, 4]
    failures = summaries_of([(gold, None) for gold, _ in pairs])
    assert [summary.failed for summary in failures.values()] == [1, 3]


def test_averages_over_sentences() -> None:
    gold = read_tree("(S (A (NN a) (NN b) (NN c)) (NN d))")
    three = read_tree("(S (NN a) (X (NN b) (Y (Z (NN c) (NN d)))))")
    two = read_tree("(S (NN a) (NN b) (X (X (NN c) (NNP d))))")
    summary = summaries_of([(gold, three), (gold, two), (gold, gold)], [None])[None]
    assert summary.crossing == pytest.approx(5 / 3)
    assert summary.no_crossing == summary.complete_match == pytest.approx(100 / 3)
    assert summary.two_or_less_crossing == pytest.approx(200 / 3)
    assert summary.tag_accuracy == pytest.approx(100 * 11 / 12)


def test_an_empty_summary_is_all_zero_and_can_be_written() -> None:
    values = Summary().as_dict()
    assert values.pop("attachment") is None
    assert set(values.values()) == {0}
    assert json.loads(json.dumps(Summary().as_dict()))["f1"] == 0
    assert "<=40" in summary_table(summaries_of([]))


def test_attachment() -> None:
    gold, proposed = {0: 1, 1: -1, 3: 1, 4: 0}, {0: 1, 1: -1, 3: 4, 5: 0}
    assert attachment_score(gold, proposed) == (2, 4)
    assert attachment_score(gold, {}) == (0, 4)
    summary = Summary()
    summary.add(score_pair(GOLD, GOLD), attachment_score(gold, proposed))
    summary.add(score_pair(GOLD, None), attachment_score(gold, {}))
    assert summary.attachment == 25


def test_the_table_has_a_row_for_each_cut_off() -> None:
    summaries = summaries_of([(GOLD, LOW), (GOLD, None)], (40, None))
    title, short, every = summary_table(summaries).splitlines()
    assert title == ("Length  Sentences     LR     LP     F1   CBs   0 CBs  <=2 CBs  Complete    Tags  Failed  Skipped")
    assert short == ("  <=40          2  50.0%  85.7%  63.2%  0.00  100.0%   100.0%      0.0%  100.0%       1        0")
    assert every.split()[0] == "all"
    assert len(title) == len(short) == len(every)
    summaries[40].add(score_pair(GOLD, GOLD), (3, 4))
    title, short, every = summary_table(summaries).splitlines()
    assert "Attached" in title and "75.0%" in short and every.split()[-3] == "-"


# Two trees over the same tokens: labels few enough to match by chance, spans to cross and chains to repeat.
LABELS = ["S", "NP", "NP-SBJ", "VP", "ADVP", "PRT", "TOP"]
TOKENS = st.lists(st.sampled_from(["NN", "VB", "DT", ",", ".", "``", ":"]), min_size=1, max_size=12)
SEEDS = st.integers(0, 2**32).map(random.Random)


def random_tree(tags: list[str], generator: random.Random, traces: bool = False) -> Tree:
    nodes = []
    for number, tag in enumerate(tags):
        if traces and generator.random() < 0.2:
            nodes.append(Tree("NP", [Tree("-NONE-", None, "*")]))
        nodes.append(Tree(tag, None, f"w{number}"))
    for _ in range(generator.randrange(2 * len(tags) + 1)):
        start = generator.randrange(len(nodes))
        end = generator.randint(start + 1, len(nodes))
        nodes[start:end] = [Tree(generator.choice(LABELS), nodes[start:end])]
    return Tree(generator.choice(["", "ROOT", "S"]), nodes)


def slow_constituents(tree: Tree, gold_tags: list[str]) -> list[tuple[str, frozenset[str]]]:
    """Every counted constituent as a label with its set of tokens, by way of `clean`."""
    counted = {f"w{number}" for number, tag in enumerate(gold_tags) if tag not in COLLINS.deleted}
    found = []

    def visit(node: Tree) -> None:
        if not node.is_word:
            tokens = frozenset(node.words()) & counted
            if tokens and node.label not in ROOT_LABELS:
                found.append((EQUAL_LABELS.get(node.label, node.label), tokens))
            for child in node.children:
                visit(child)

    cleaned = clean(tree, collapse=False)
    assert cleaned is not None
    visit(cleaned)
    return found


def slow_counts(gold: Tree, proposed: Tree, gold_tags: list[str]) -> tuple[int, int, int, int]:
    gold_found, proposed_found = slow_constituents(gold, gold_tags), slow_constituents(proposed, gold_tags)
    crossing = sum(
        any(tokens & other and tokens - other and other - tokens for _, other in gold_found)
        for _, tokens in proposed_found
    )
    remaining = list(gold_found)
    for constituent in proposed_found:
        if constituent in remaining:
            remaining.remove(constituent)
    return len(gold_found), len(proposed_found), len(gold_found) - len(remaining), crossing


@given(TOKENS, SEEDS)
def test_a_slow_second_counting_agrees(tags: list[str], generator: random.Random) -> None:
    gold, proposed = random_tree(tags, generator, traces=True), random_tree(tags, generator)
    score = score_pair(gold, proposed)
    assert (score.gold, score.proposed, score.matched, score.crossing) == slow_counts(gold, proposed, tags)


@given(TOKENS, SEEDS)
def test_a_tree_against_itself_is_perfect(tags: list[str], generator: random.Random) -> None:
    tree = random_tree([*tags, "NN"], generator, traces=True)
    score = score_pair(tree, clean(tree, collapse=False))
    assert score.complete and score.crossing == 0
    assert score.gold == score.proposed == score.matched
    summary = Summary()
    summary.add(score)
    expected = 100 if score.gold else 0
    assert summary.labeled_recall == summary.labeled_precision == summary.f1 == expected
    assert summary.complete_match == summary.no_crossing == summary.tag_accuracy == 100


@given(TOKENS, SEEDS)
def test_exchanging_the_trees_exchanges_recall_and_precision(tags: list[str], generator: random.Random) -> None:
    left, right = random_tree(tags, generator), random_tree(tags, generator)
    forth, back = (summaries_of([pair], [None])[None] for pair in ((left, right), (right, left)))
    assert forth.labeled_recall == back.labeled_precision
    assert forth.labeled_precision == back.labeled_recall
    assert forth.f1 == back.f1
    assert (forth.crossing == 0) == (back.crossing == 0)


def test_a_test_section_is_scored_in_no_time() -> None:
    generator = random.Random(1996)
    tags = ["NN"] * 25
    pairs = [(random_tree(tags, generator, traces=True), random_tree(tags, generator)) for _ in range(1500)]
    # 0.15 s where this was written: a guard against a quadratic step, with room for a slow machine.
    start = time.process_time()
    summaries_of(pairs)
    assert time.process_time() - start < 3
