"""The actions of systems compared, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import LABORATORY, Action

SYSTEM_ACTIONS: tuple[Action, ...] = (
    Action(
        "systems",
        "Systems compared …",
        LABORATORY,
        "Ctrl+J, S",
        "Compare presets, models and other parsers over a treebank: who is better, and may that be chance?",
        separated=True,
    ),
    Action(
        "other-trees",
        "Compare with another parser’s trees …",
        LABORATORY,
        "Ctrl+J, Shift+S",
        "Attach a file of trees, one tree a line, to the list: Compare then has them beside our parses and gold",
    ),
)
