"""The actions of the presenter, and of the replay of the chart."""

from __future__ import annotations

from explorer.widgets.action import CLASSROOM, REPLAY, Action

PRESENTER_ACTIONS: tuple[Action, ...] = (
    Action(
        "present",
        "Present",
        CLASSROOM,
        "F11",
        "The lesson, or what is on the screen, on the whole screen in type for the last row; ? shows its keys",
    ),
    Action(
        "present-window",
        "Present in a window",
        CLASSROOM,
        "Shift+F11",
        "The same in a window, where there is one screen only or it is shared in a call",
    ),
    Action(
        "replay-all",
        "Replay all edges of the chart",
        REPLAY,
        "Alt+7",
        "Steps in the chart go through every edge that the parser built, kept or pruned",
        separated=True,
    ),
    Action(
        "replay-survivors",
        "Replay surviving edges",
        REPLAY,
        "Alt+8",
        "Steps in the chart go through what was kept",
    ),
    Action(
        "replay-parse",
        "Replay the edges of this parse",
        REPLAY,
        "Alt+9",
        "Steps in the chart build the tree that is shown, and nothing else",
    ),
    Action(
        "replay-cells",
        "Replay cell by cell, or edge by edge",
        REPLAY,
        "Alt+0",
        "Steps in the chart stop where a cell is complete, or at every edge",
    ),
    Action("replay-first", "First edge of the chart", REPLAY, "Alt+Home", "Go to the first edge of the replay"),
    Action("replay-last", "Last edge of the chart", REPLAY, "Alt+End", "Go to the last edge of the replay"),
    Action("replay-slower", "Replay slower", REPLAY, "Alt+-", "Play the chart slower"),
    Action("replay-faster", "Replay faster", REPLAY, "Alt++", "Play the chart faster", other_shortcut="Alt+="),
)
