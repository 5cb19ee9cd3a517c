"""Navigation through a parse: its six stages, the steps within each, and what comes after what; no Qt.

Place 0 of a stage is its overview, with nothing selected; the chart has its replay in place of steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.chart.parse import Parse
from explorer.document.chart_replay import ChartReplay
from explorer.graphics.selection import ArrowId, GapId, Id, MatrixCellId, WordId

STAGES = ("Sentence", "Gaps", "Reduced sentence", "F̂", "Chart", "Parse")
SENTENCE, GAPS, REDUCED, ESTIMATES, CHART, PARSE = range(6)


class Place(NamedTuple):
    """A place within the stages.

    Attributes
    ----------
    stage
        One of :data:`STAGES`, by its number.
    selection
        What is selected.
    chart_step
        How many of the chart's edges are shown; ``None`` for all.
    """

    stage: int
    selection: Id | None
    chart_step: int | None


def steps_of(parse: Parse | None, stage: int) -> Sequence[Id]:
    """The steps within a stage, each something that can be selected."""
    if parse is None:
        return ()
    if stage == GAPS:
        return [GapId(position) for position in range(1, len(parse.sentence.positions))]
    if stage == SENTENCE:
        return [WordId(position) for position in range(len(parse.sentence.positions))]
    if stage == REDUCED:
        return [WordId(position) for position in parse.reduced]
    if stage == ESTIMATES:
        return [
            MatrixCellId(modifier, head) if head >= 0 else ArrowId(modifier) for modifier, head in parse.heads().items()
        ]
    return [ArrowId(modifier) for modifier in parse.heads()] if stage == PARSE else ()


def following(place: Place, parse: Parse | None, replay: ChartReplay | None, forward: bool) -> Place | None:
    """The place one step on or back: the next thing within the stage, then the next stage.

    Parameters
    ----------
    place
        Where to step from.
    parse
        The parse that is shown.
    replay
        Where the replay of the chart stops; ``None`` if there is no chart.
    forward
        On, or back.

    Returns
    -------
    Place or None
        ``None`` before the first place and after the last.
    """
    by = 1 if forward else -1
    if place.stage == CHART and replay is not None:
        step = replay.after(place.chart_step) if forward else replay.before(place.chart_step)
        if step is not None:
            return place._replace(chart_step=step, selection=None)
    steps = steps_of(parse, place.stage)
    at = (steps.index(place.selection) + 1 if place.selection in steps else 0) + by
    if 0 <= at <= len(steps):
        return place._replace(selection=steps[at - 1] if at else None)
    stage = place.stage + by
    if not 0 <= stage < len(STAGES):
        return None
    steps = steps_of(parse, stage)
    return Place(stage, steps[-1] if steps and not forward else None, 0 if forward and stage == CHART else None)
