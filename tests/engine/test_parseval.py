"""PARSEVAL as evalb counts it, on examples counted by hand and against a slow second counting."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import EngineError
from engine.study.evaluation import Evaluation, SentenceEvaluation
from engine.study.parseval import (
    COLLINS,
    EQUAL_LABELS,
    ERROR,
    SKIPPED,
    VALID,
    EvalbRow,
    EvalbTable,
    Summary,
    attachment_score,
    compared,
    is_evalb_table,
    parse_parameters,
    read_evalb_table,
    score_pair,
    summary_table,
    table_of,
)
from engine.trees.reading import read_tree
from engine.trees.tree import ROOT_LABELS, Tree, clean
from tests.engine.command_runner import Cli


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


# Evalb's files: tables written and read again, parameters, and what they change.


# The row that evalb's own documentation shows.
DOCUMENTED = "   1    8    0  100.00 100.00     5      5    5      0      6     5    83.33"
COLLINS_FILE = """\
# the parameters of Collins (1997)
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""

COUNTS = st.tuples(*[st.integers(0, 60)] * 3).map(sorted)


@st.composite
def rows(draw: st.DrawFn) -> EvalbTable:
    made = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        status = draw(st.sampled_from([VALID, VALID, ERROR, SKIPPED]))
        length = draw(st.integers(0, 120))
        matched, gold, test = draw(COUNTS)
        tags, words, _ = draw(COUNTS)
        counts = (matched, gold, test, draw(st.integers(0, test)), words, tags) if status == VALID else (0,) * 6
        made.append(EvalbRow(number, length, status, *counts))
    return EvalbTable(tuple(made), draw(st.sampled_from([40, 100])))


@given(table=rows())
def test_a_table_comes_back(table: EvalbTable) -> None:
    text = str(table)
    assert is_evalb_table(text)
    assert read_evalb_table(text) == table
    assert read_evalb_table(iter(text.splitlines(keepends=True))) == table


def test_a_table_that_is_too_long_to_be_held_is_refused_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.study.parseval.MOST_ROWS", 1000)
    *head, row = str(EvalbTable((EvalbRow(1, 8, VALID, 5, 5, 5, 0, 6, 5),))).splitlines()[:4]
    assert len(read_evalb_table(chain(head, repeat(row, 1000)), "t.evl").rows) == 1000
    with pytest.raises(EngineError, match=r"t.evl, line 1004: .*1,000 rows at most"):
        read_evalb_table(chain(head, repeat(row)), "t.evl")


def test_a_row_is_written_as_evalb_writes_it() -> None:
    row = EvalbRow(1, 8, VALID, 5, 5, 5, 0, 6, 5)
    assert str(row) == DOCUMENTED
    assert str(EvalbTable((row,))).split("\n")[3] == DOCUMENTED


def test_the_summary_is_that_of_our_own_measures() -> None:
    pairs = [
        ("(S (NP (NN a)) (VP (VBD b) (NP (NN c))))", "(S (NP (NN a)) (VP (VBD b)) (NP (NN c)))"),
        ("(S (NP (NN a) (NN b)) (VP (VBD c)))", "(S (NP (NN a)) (VP (JJ b) (VBD c)))"),
        ("(S (ADVP (RB a)) (. .))", "(S (PRT (RB a)) (. .))"),
        ("(S (. .))", "(S (. .))"),
    ]
    scores = [score_pair(read_tree(gold), read_tree(test)) for gold, test in pairs]
    summary, ours = table_of(scores).summary(), Summary()
    for score in scores:
        ours.add(score)
    assert (summary.sentences, summary.skipped, summary.valid) == (4, 1, 3)
    assert (summary.recall, summary.precision, summary.f1) == pytest.approx(
        (ours.labeled_recall, ours.labeled_precision, ours.f1)
    )
    assert (summary.crossing, summary.complete) == pytest.approx((ours.crossing, ours.complete_match))
    assert summary.tag_accuracy == pytest.approx(ours.tag_accuracy)
    failed = table_of([*scores, score_pair(read_tree("(S (NN a))"), None)]).summary()
    assert failed.errors == 1 and failed.recall == summary.recall, "as in evalb it is in no sum"


def test_messages_among_the_rows_are_passed_over_and_nan_is_read() -> None:
    text = str(EvalbTable((EvalbRow(1, 8, VALID, 5, 5, 5, 0, 6, 5),)))
    head, rule, rest = text.partition("=" * 76 + "\n")
    noisy = f"{head}{rule}2 : Length unmatch (3|4)\n{rest}"
    noisy = noisy.replace("Bracketing FMeasure       = 100.00", "Bracketing FMeasure       =    nan")
    assert len(read_evalb_table(noisy).rows) == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("garbage", "12 numbers"),
        (DOCUMENTED.replace("100.00 100.00", " 50.00 100.00"), "says 50.00 %, but its counts give 100.00 %"),
        (DOCUMENTED.replace("     5      5    5", "     9      5    5"), "more brackets or tags match than there are"),
        (DOCUMENTED.replace(" 8 ", " 99999999999999 "), "12 numbers"),
    ],
)
def test_a_wrong_row_is_told_with_its_line(row: str, said: str) -> None:
    text = str(EvalbTable((EvalbRow(1, 8, VALID, 5, 5, 5, 0, 6, 5),))).replace(DOCUMENTED, row)
    with pytest.raises(EngineError, match=f"t.evl, line 4: .*{said}"):
        read_evalb_table(text, "t.evl")
    with pytest.raises(EngineError, match="not a table of evalb"):
        read_evalb_table("nothing", "t.evl")


def test_collins_parameters_are_the_ones_of_his_file() -> None:
    read = parse_parameters(COLLINS_FILE.split("\n"))
    assert read.deleted - {"TOP", "-NONE-"} == COLLINS.deleted
    assert (read.labeled, read.cutoff) == (COLLINS.labeled, COLLINS.cutoff)
    gold = read_tree("(TOP (S (NP (-NONE- *)) (ADVP (RB a)) (VP (VBD b) (NP (NN c))) (. .)))")
    test = read_tree("(TOP (S (PRT (RB a)) (VP (VBD b)) (NP (NN c)) (. .)))")
    assert score_pair(gold, test, read) == score_pair(gold, test)


def test_parameters_change_the_count() -> None:
    gold, test = read_tree("(S (NP (NN a) (, ,)) (VP (VBD b)))"), read_tree("(S (X (NN a) (, ,)) (VP (VBD b)))")

    def score(*lines: str) -> tuple[int, int, int, int]:
        found = score_pair(gold, test, parse_parameters(lines))
        return found.matched, found.gold, found.tokens, found.length

    assert score() == (2, 3, 3, 3)
    assert score("LABELED 0") == (3, 3, 3, 3)
    assert score("EQ_LABEL NP Y", "EQ_LABEL Y X") == (3, 3, 3, 3)
    assert score("DELETE_LABEL NP", "DELETE_LABEL X") == (2, 2, 3, 3)
    assert score("DELETE_LABEL ,", "DELETE_LABEL_FOR_LENGTH ,") == (2, 3, 2, 2)


@pytest.mark.parametrize(
    "line", ["DELETE_LABEL", "EQ_LABEL A", "CUTOFF_LEN many", "COLOUR red", "CUTOFF_LEN 99999999999"]
)
def test_a_wrong_parameter_is_told(line: str) -> None:
    with pytest.raises(EngineError, match=r"x.prm, line 2: .* is no parameter of evalb"):
        parse_parameters(["# comment", line], "x.prm")


def test_tables_of_other_sentences_are_not_compared() -> None:
    one = EvalbTable((EvalbRow(1, 8, VALID, 5, 5, 5, 0, 6, 5), EvalbRow(2, 9, VALID, 3, 5, 5, 0, 6, 5)))
    worse = EvalbTable((one.rows[0], one.rows[1]._replace(matched=2)))
    assert compared(one, worse) == (1, 0, 1) and compared(worse, one) == (0, 1, 1)
    with pytest.raises(EngineError, match="2 sentences, the other 1"):
        compared(one, EvalbTable(one.rows[:1]))
    with pytest.raises(EngineError, match="not of the same gold trees"):
        compared(one, EvalbTable((one.rows[0], one.rows[1]._replace(gold=6))))


def test_the_terminal_writes_evalbs_files(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    bank = tmp_path / "some.ptb"
    bank.write_text(
        "( (S (NP-SBJ (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)))) (. .)) )\n"
        "( (NP (-NONE- *)) )\n( (FRAG (. .)) )\n(S " + "(NN word) " * 401 + ")\n"
    )
    name = tmp_path / "out"
    ran = cli("evaluate", bank, "--model", classroom_model, "--preset", 1, "--evalb", name, "--max-length", "all")
    assert ran.status == 0, ran.err
    gold, test = (Path(f"{name}{suffix}").read_text().splitlines() for suffix in (".gld", ".tst"))
    assert gold[0] == "(TOP (S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)))) (. .)))"
    assert gold[1] == test[1] == test[3] == "(())" and len(gold) == len(test) == 4
    table = read_evalb_table(Path(f"{name}.evl").read_text())
    assert [row.status for row in table.rows] == [VALID, ERROR, SKIPPED, ERROR]
    assert table.rows[0].gold == 5 and table.rows[3].length == 401
    again = cli(
        "evaluate",
        bank,
        "--model",
        classroom_model,
        "--preset",
        1,
        "--against",
        f"{name}.evl",
        "--max-length",
        "all",
        "--json",
    )
    assert json.loads(again.out)["against"]["same"] == 1
    shown = cli("convert", f"{name}.evl", "--to", "json")
    assert json.loads(shown.out)["summary"]["all"]["errors"] == 2
    assert cli("convert", f"{name}.evl", "--to", "brackets").status == 2


def test_the_terminal_counts_by_a_parameter_file(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    bank, file = tmp_path / "some.ptb", tmp_path / "own.prm"
    bank.write_text("(S (XP (NNP Mary)) (VP (VBD left)) (. .))\n")
    measured = []
    for text in (COLLINS_FILE, COLLINS_FILE + "EQ_LABEL NP XP\n", COLLINS_FILE + "NONSENSE 3\n"):
        file.write_text(text)
        measured.append(cli("evaluate", bank, "--model", classroom_model, "--preset", 1, "--prm", file, "--json"))
    assert json.loads(measured[0].out)["lengths"]["40"]["f1"] == pytest.approx(200 / 3)
    assert json.loads(measured[1].out)["lengths"]["40"]["f1"] == 100
    assert measured[2].status == 2 and "own.prm, line 15: `NONSENSE 3` is no parameter" in measured[2].err
