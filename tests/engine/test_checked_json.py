"""Values of JSON files that anybody may have written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gate.checked_json import CheckedValue, ValueProblem, load_json

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
QUESTIONS: tuple[Callable[[CheckedValue], object], ...] = (
    CheckedValue.members,
    CheckedValue.text,
    CheckedValue.integer,
    CheckedValue.number,
    CheckedValue.flag,
    lambda value: list(value.items(3)),
    lambda value: value.choice(["a", "b"]),
    lambda value: value.member("name"),
    lambda value: value.optional("name"),
)


@given(ANY_JSON)
def test_every_value_is_answered_or_refused(value: object) -> None:
    """No question about a value fails otherwise than by saying what should be there."""
    for question in QUESTIONS:
        try:
            question(CheckedValue(value, "place"))
        except ValueProblem as problem:
            assert str(problem).startswith("place")
            assert len(str(problem)) < 200


def test_a_problem_names_its_place_and_what_should_be_there() -> None:
    stored = load_json('{"lines": [{"text": "a"}, {"text": 3}]}')
    with pytest.raises(ValueProblem, match=r"^lines\[1\]\.text should be a text, not 3$"):
        stored.member("lines").each(lambda line: line.member("text").text())
    with pytest.raises(ValueProblem, match=r"^lines\[0\]\.stage is missing$"):
        stored.member("lines").each(lambda line: line.member("stage"))
    with pytest.raises(ValueProblem, match=r"should be a whole number from 0 to 5, not 7$"):
        CheckedValue(7).integer(0, 5)
    with pytest.raises(ValueProblem, match=r"should be a whole number, not true$"):
        CheckedValue(True).integer()
    with pytest.raises(ValueProblem, match=r"should have 2 values and has 3$"):
        list(CheckedValue([1, 2, 3]).items(2, 2))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("1" * 10_000, "too long"),
        ('{"a": NaN}', "NaN"),
        ("[1, Infinity]", "Infinity"),
        ("", "line 1, column 1"),
        ('{"a": 1,\n}', "line 2, column 1"),
        (b"\xff\xfe\xff", "UTF-8"),
    ],
)
def test_what_is_no_json_is_told(text: str | bytes, problem: str) -> None:
    with pytest.raises(ValueProblem, match=problem):
        load_json(text)
