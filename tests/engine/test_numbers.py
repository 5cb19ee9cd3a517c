"""Numbers as they are written: signs of differences, and what is too small to be seen."""

from __future__ import annotations

import pytest

from engine.common.numbers import adds, amount, change


@pytest.mark.parametrize(
    ("nats", "written", "told"),
    [
        (1.9, "+1.90", "adds 1.90 to the score"),
        (-0.444, "−0.44", "takes 0.44 from the score"),
        (123.4, "+123", "adds 123 to the score"),
        (-0.006, "−0.01", "takes 0.01 from the score"),
    ],
)
def test_a_difference_has_its_sign(nats: float, written: str, told: str) -> None:
    assert (change(nats), adds(nats)) == (written, told)


def test_what_rounds_to_nothing_is_no_difference() -> None:
    assert change(0.0049) == change(-0.0049) == "the same"
    assert amount(-0.0049) == "less than 0.01"
