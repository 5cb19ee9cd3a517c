"""The actions of experiments, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import LABORATORY, Action

EXPERIMENT_ACTIONS: tuple[Action, ...] = (
    Action(
        "experiments",
        "Experiments …",
        LABORATORY,
        "Ctrl+J, E",
        "Measure the paper’s tables, a learning curve or a grid of your own on any treebank",
    ),
)
