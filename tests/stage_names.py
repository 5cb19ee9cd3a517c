"""The names of the stages, for tests that go to one of them."""

from __future__ import annotations

from explorer.session.session import Session
from explorer.stages.player import StageNavigator

NAMES = SENTENCE, GAPS, REDUCED, ESTIMATES, CHART, PARSE = (
    "sentence",
    "gaps",
    "reduced",
    "estimates",
    "chart",
    "parse",
)


def stepping(session: Session) -> StageNavigator:
    """What steps through the stages of a session."""
    return StageNavigator(session.view, session.parses)
