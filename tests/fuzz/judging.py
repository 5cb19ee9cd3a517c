"""What the suite asks of the readers: past offenders are read or refused, and so is a fixed number of new inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.fuzz.campaign import Campaign
from tests.fuzz.children import judged
from tests.fuzz.offenders import Offender, offenders, open_offenders
from tests.fuzz.target import Target

SEED = 1
USUAL_INPUTS = 150
"""For a target of weight 1 or more."""
_NEW = "new inputs"


def offender_parameters(targets: Mapping[str, Target]) -> Sequence[Any]:
    """Every past offender as a parameter."""
    return [_parameter(one, one.target, one.name) for one in offenders(targets)]


def new_inputs_parameters(targets: Mapping[str, Target]) -> Sequence[Any]:
    """Every target as a parameter."""
    return [_parameter(one, one.name, _NEW) for one in targets.values()]


def _parameter(value: Offender | Target, target: str, name: str) -> Any:
    """One that is still open must fail, so that its mending is noticed."""
    why = open_offenders().get((target, name))
    marks = [pytest.mark.xfail(strict=True, reason=why)] if why else []
    return pytest.param(value, id=f"{target}-{name}", marks=marks)


def check_offender(offender: Offender, targets: Mapping[str, Target]) -> None:
    """Fail unless a past offender is read, or refused in one sentence."""
    target = targets[offender.target]
    target.prepare()
    failure = judged(target, offender.read())
    assert failure is None, f"{failure.kind}: {failure.message}"


def check_new_inputs(target: Target) -> None:
    """Fail if one of some inputs fails."""
    inputs = max(2, round(USUAL_INPUTS * min(target.weight, 1.0)))
    campaign = Campaign([target], SEED, inputs)
    campaign.run()
    told = [f"{one.kind} (--index {one.index}): {one.message}" for one in campaign.failures]
    assert not told, f"python -m tests.fuzz --target {target.name} --seed {SEED}: " + "; ".join(told[:5])
    assert campaign.progress[0].tally.inputs == inputs
