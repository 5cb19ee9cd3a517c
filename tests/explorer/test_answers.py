"""What is answered over a lesson: hands of a class, tries and points of a student, and the files of both."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.characters import readable
from engine.common.tables import csv_text, safe_cell
from explorer.classroom.answers import (
    OTHER_VERSION,
    TALLY_COLUMNS,
    Answered,
    Attempt,
    ExerciseResult,
    TalliedQuestion,
    Tally,
    collect,
    lesson_digest,
    parse_result,
    question_steps,
    read_result,
    result_text,
    save_result,
    save_table,
)
from explorer.classroom.lesson import Lesson, LessonError, LessonStep, Question
from explorer.classroom.lesson_file import parse_lesson
from explorer.classroom.questions import Option, PosedQuestion

DIGEST = "0" * 64
TEXTS = st.text(max_size=30).map(readable)


def _answered(**changes: Any) -> Answered:
    made = Answered(1, "A head", "head", "Which word?", ("saw", "man"), "man", "parse", 1)
    return replace(made, **changes)


def _result(**changes: Any) -> ExerciseResult:
    made = ExerciseResult("Ann", "A lesson", DIGEST, "2026-01-02T03:04:05+00:00", (_answered(), _answered(step=2)))
    return replace(made, **changes)


answers = st.builds(
    Answered,
    st.integers(1, 1000),
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(TEXTS, min_size=1, max_size=2).map(tuple),
    TEXTS,
    TEXTS,
    st.integers(0, 2),
)
results = st.builds(
    ExerciseResult,
    TEXTS,
    TEXTS,
    st.text("0123456789abcdef", min_size=64, max_size=64),
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.lists(answers, max_size=4).map(tuple),
)
Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(results)
def test_a_result_comes_back_as_it_was_written(result: ExerciseResult) -> None:
    assert parse_result(result_text(result)) == result


@given(results, st.data())
def test_a_result_with_a_damaged_part_is_refused_or_whole(result: ExerciseResult, data: st.DataObject) -> None:
    stored = json.loads(result_text(result))
    where = stored
    if stored["answers"] and data.draw(st.booleans()):
        where = data.draw(st.sampled_from(stored["answers"]))
    name = data.draw(st.sampled_from(sorted(where)))
    if data.draw(st.booleans()):
        del where[name]
    else:
        where[name] = data.draw(Json)
    try:
        found = parse_result(json.dumps(stored))
    except LessonError as error:
        assert "\n" not in str(error)
    else:
        assert parse_result(result_text(found)) == found


@given(st.binary(max_size=200))
def test_any_bytes_are_a_result_or_one_clear_sentence(content: bytes) -> None:
    try:
        parse_result(content.decode(errors="replace"))
    except LessonError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged or no result"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 100_000, "damaged or no result"),
        (b'{"format": "something else"}', "no result of an exercise"),
        (json.dumps({"format": "parse-explorer exercise result", "version": 2}).encode(), "newer version"),
        (result_text(_result()).encode()[:-40], "damaged"),
        (
            result_text(_result()).replace('"points": 1', '"points": 99').encode(),
            "points should be .* 0 to 2, not 99",
        ),
        (
            result_text(_result()).replace('"points": 1', '"points": true').encode(),
            "points should be a whole",
        ),
        (result_text(_result(digest="zz")).encode(), "digest should be the digest of a lesson"),
        (result_text(_result(finished="yesterday")).encode(), "finished should be a date"),
    ],
)
def test_a_damaged_file_is_told_in_one_sentence_with_its_name(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "ann.json"
    path.write_bytes(content)
    with pytest.raises(LessonError, match=words) as found:
        read_result(path)
    assert str(found.value).startswith("ann.json: ") and "\n" not in str(found.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="cannot be read"):
        read_result(tmp_path / "nobody.json")


def test_many_results_are_one_table(tmp_path: Path) -> None:
    for name in ("Bea", "ann"):
        save_result(_result(student=name), tmp_path / f"{name}.json")
    save_result(_result(student="=Cem", digest="1" * 64), tmp_path / "c.json")
    (tmp_path / "d.json").write_text("{}")
    found = collect(sorted(tmp_path.iterdir()))
    assert [one.result.student for one in found.results] == ["=Cem", "ann", "Bea"]
    assert [one.remark for one in found.results] == [OTHER_VERSION, "", ""]
    assert found.problems == ("d.json: this is no result of an exercise",)
    rows = list(csv.reader(io.StringIO(found.table(by_question=True).csv())))
    assert rows[0][-2:] == ["1: Which word?", "2: Which word?"]
    assert rows[1][0] == "'=Cem" and rows[2][3:5] == ["2", "4"] and rows[2][-2:] == ["1", "1"]


def test_the_lesson_that_is_open_says_which_version_counts(tmp_path: Path) -> None:
    save_result(_result(), tmp_path / "a.json")
    save_result(_result(student="Bea"), tmp_path / "b.json")
    found = collect(sorted(tmp_path.iterdir()), {"A lesson": "2" * 64})
    assert {one.remark for one in found.results} == {OTHER_VERSION}


def test_the_digest_is_that_of_what_a_lesson_says() -> None:
    text = "# A lesson\n\n## Step\n\n- sentence: Mary saw it\n- question: head of it\n"
    same = text.replace("\n", "\r\n") + "\n\n"
    assert lesson_digest(parse_lesson(text)) == lesson_digest(parse_lesson(same))
    assert lesson_digest(parse_lesson(text)) != lesson_digest(parse_lesson(text.replace("of it", "of Mary")))


def test_the_steps_of_an_exercise_are_those_that_ask() -> None:
    steps = (LessonStep("one"), LessonStep("two", question=Question("head", "it")), LessonStep("three"))
    assert question_steps(Lesson("A lesson", steps=steps)) == (1,)


def _posed(count: int = 4, gold: int | None = None, hint: str = "") -> PosedQuestion:
    options = tuple(Option(text, hint=f"not {text}") for text in "abcd"[:count])
    return PosedQuestion(Question("head", "x", "", hint), "?", options, 1, gold, hint or "look", frozenset(), ("x",))


def test_a_right_first_try_has_all_points() -> None:
    attempt = Attempt(_posed())
    assert attempt.answer(1) and attempt.done and attempt.points == 2
    with pytest.raises(ValueError, match="has been answered"):
        attempt.answer(1)


def test_after_a_wrong_try_there_is_a_hint_and_a_second_try() -> None:
    attempt = Attempt(_posed())
    assert not attempt.answer(0) and not attempt.done
    assert attempt.hint == "not a" and attempt.points == 0
    assert attempt.answer(1) and attempt.done and attempt.points == 1 and attempt.hint == ""
    answered = attempt.as_answered(3, "A step")
    assert (answered.tries, answered.right, answered.marked_by, answered.points) == (("a", "b"), "b", "parse", 1)


def test_an_answer_that_is_not_among_the_options_is_wrong() -> None:
    attempt = Attempt(_posed())
    assert not attempt.answer(None, "elsewhere")
    assert attempt.hint == "look" and attempt.tries == ["elsewhere"]
    assert not attempt.answer(3) and attempt.done and attempt.points == 0


def test_gold_marks_where_it_is_known() -> None:
    attempt = Attempt(_posed(gold=2))
    assert not attempt.answer(1) and attempt.answer(2)
    assert attempt.as_answered(1, "").marked_by == "gold tree"


def test_the_lessons_own_hint_comes_first() -> None:
    attempt = Attempt(_posed(hint="mine"))
    attempt.answer(0)
    assert attempt.hint == "mine"


def test_of_two_options_there_is_one_try() -> None:
    attempt = Attempt(_posed(2))
    assert not attempt.answer(0) and attempt.done


# Hands of a class

# CSV of any sort takes a lone carriage return for the end of a line; texts of lessons have none.
CELLS = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=20)


@st.composite
def tallied(draw: st.DrawFn) -> TalliedQuestion:
    """A question with its hands."""
    options = tuple(draw(st.lists(CELLS, min_size=2, max_size=5)))
    count = len(options)
    share = st.none() | st.floats(0, 1)
    return TalliedQuestion(
        draw(CELLS),
        draw(st.integers(1, 50)),
        draw(CELLS),
        options,
        tuple(draw(st.lists(share, min_size=count, max_size=count))),
        tuple(draw(st.lists(st.integers(0, 300), min_size=count, max_size=count))),
        draw(st.integers(0, count - 1)),
        draw(st.none() | st.integers(0, count - 1)),
    )


@given(st.lists(tallied(), max_size=6))
def test_the_file_has_every_option_with_its_hands(asked: list[TalliedQuestion]) -> None:
    tally = Tally()
    for one in asked:
        tally.record(one)
    rows = list(csv.reader(io.StringIO(tally.table().csv())))
    assert rows[0] == [column.title for column in TALLY_COLUMNS]
    expected = [(one, place) for one in tally.questions for place in range(len(one.options))]
    assert len(rows) - 1 == len(expected)
    for row, (one, place) in zip(rows[1:], expected, strict=True):
        assert int(row[4]) == one.hands[place]
        assert row[3] == safe_cell(one.options[place])
        assert (row[7] == "yes") == (place == one.answer)
        assert (row[8] == "yes") == (place == one.gold)
        if one.shares[place] is not None:
            assert float(row[6]) == pytest.approx(one.shares[place], rel=1e-7)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=4))
def test_no_cell_is_a_formula_and_nothing_else_is_changed(table: list[list[str]]) -> None:
    for row, cells in zip(list(csv.reader(io.StringIO(csv_text(["a"], table))))[1:], table, strict=True):
        # A row of one empty cell is an empty row to some readers.
        for written, cell in zip(row or [""], cells, strict=True):
            assert not written.startswith(("=", "+", "-", "@", "\t"))
            assert written in (cell, f"'{cell}")


@pytest.mark.parametrize("text", ["=1+1", "+a", "-LRB-", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x")'])
def test_what_a_spreadsheet_would_compute_is_quoted(text: str) -> None:
    assert csv_text(["a"], [[text]]).splitlines()[1].lstrip('"').startswith("'")


def test_numbers_stay_numbers() -> None:
    assert csv_text(["a", "b", "c"], [[-3, 0.5, None]]) == "a,b,c\n-3,0.5,\n"


def test_a_question_asked_again_takes_the_place_of_the_first() -> None:
    tally = Tally()
    first = TalliedQuestion("lesson", 2, "?", ("a", "b"), (None, None), (1, 2), 0)
    other = TalliedQuestion("lesson", 3, "?", ("a", "b"), (None, None), (5, 5), 1)
    again = TalliedQuestion("lesson", 2, "?", ("a", "b"), (None, None), (4, 0), 0)
    for one in (first, other, again):
        tally.record(one)
    assert tally.questions == (again, other)
    assert tally.hands_at("lesson", 2, "?") == (4, 0)
    assert tally.hands_at("lesson", 9, "?") == ()


def test_a_tally_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="every option"):
        TalliedQuestion("lesson", 1, "?", ("a", "b"), (None,), (1, 2), 0)
    with pytest.raises(ValueError, match="one of the options"):
        TalliedQuestion("lesson", 1, "?", ("a", "b"), (None, None), (1, 2), 2)


def test_a_file_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="cannot be written"):
        save_table(Tally().table(), tmp_path / "missing" / "answers.csv")
