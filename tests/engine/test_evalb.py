"""evalb's files: tables written and read again, parameters, and what they change."""

from __future__ import annotations

import json
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import EngineError
from engine.study.parseval import (
    COLLINS,
    ERROR,
    SKIPPED,
    VALID,
    EvalbRow,
    EvalbTable,
    Summary,
    compared,
    is_evalb_table,
    parse_parameters,
    read_evalb_table,
    score_pair,
    table_of,
)
from engine.trees.reading import read_tree
from tests.engine.command_runner import Cli

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
