"""What the suite asks of the readers: past offenders are read or refused, and so is a fixed number of new inputs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fuzz.campaign import Campaign
from tests.fuzz.children import judged
from tests.fuzz.offenders import Offender, offenders, open_offenders
from tests.fuzz.target import Target

SEED = 1


def offender_parameters(targets: Mapping[str, Target]) -> list[object]:
    """Every past offender as a parameter; one that still fails must fail, so that its mending is noticed."""
    still_open = open_offenders()
    found: list[object] = []
    for one in offenders(targets):
        why = still_open.get((one.target, one.name))
        marks = [pytest.mark.xfail(strict=True, reason=why)] if why else []
        found.append(pytest.param(one, id=f"{one.target}-{one.name}", marks=marks))
    return found


def check_offender(offender: Offender, targets: Mapping[str, Target]) -> None:
    """Fail unless a past offender is read, or refused in one sentence."""
    target = targets[offender.target]
    target.prepare()
    failure = judged(target, offender.read())
    assert failure is None, f"{failure.kind}: {failure.message}"


def check_new_inputs(target: Target, inputs: int, known: frozenset[str] = frozenset()) -> None:
    """Fail if one of some inputs fails, but for kinds of failures that are `known` to be open."""
    campaign = Campaign([target], SEED, inputs)
    campaign.run()
    told = [f"{one.kind} (--index {one.index}): {one.message}" for one in campaign.failures if one.kind not in known]
    assert not told, f"python -m tests.fuzz --target {target.name} --seed {SEED}: " + "; ".join(told[:5])
    assert campaign.progress[0].tally.inputs == inputs
