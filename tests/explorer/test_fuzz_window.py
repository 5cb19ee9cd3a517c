"""Fuzzing of the window's readers, with a budget; ``python -m tests.fuzz`` is the long run."""

from __future__ import annotations

import pytest

from engine.common.errors import EngineError
from explorer.stages.chart import Condition
from explorer.window.start_plan import window_size
from tests.fuzz.judging import check_new_inputs, check_offender, new_inputs_parameters, offender_parameters
from tests.fuzz.offenders import Offender
from tests.fuzz.target import Target
from tests.fuzz.targets import EXPLORER_TARGETS


@pytest.mark.parametrize("offender", offender_parameters(EXPLORER_TARGETS))
@pytest.mark.robust
def test_past_offenders_are_read_or_refused(offender: Offender) -> None:
    check_offender(offender, EXPLORER_TARGETS)


@pytest.mark.parametrize("target", new_inputs_parameters(EXPLORER_TARGETS))
@pytest.mark.robust
def test_new_inputs_are_read_or_refused(target: Target) -> None:
    check_new_inputs(target)


def test_numbers_that_only_look_like_numbers_are_none() -> None:
    for text in ("²x³", "9" * 5000 + "x800", "1280x", "x"):
        with pytest.raises(EngineError, match="a size is written 1280x800"):
            window_size(text)
    assert window_size("1280×800") == (1280, 800)
    assert Condition.parse("²-³", []) == Condition("²-³")
    assert Condition.parse("VP 2-7", []) == Condition("VP", "", (1, 7))
