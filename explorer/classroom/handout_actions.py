"""The action that makes a handout."""

from __future__ import annotations

from explorer.widgets.action import CLASSROOM, Action

HANDOUT_ACTIONS: tuple[Action, ...] = (
    Action(
        "handout",
        "Handout …",
        CLASSROOM,
        "Ctrl+Alt+U",
        "Pages to hand out, from a lesson or from sentences, with questions and a key: print them, or save them as PDF",
        separated=True,
    ),
)
