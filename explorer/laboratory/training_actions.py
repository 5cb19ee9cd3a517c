"""The actions of training, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import LABORATORY, Action

TRAINING_ACTIONS: tuple[Action, ...] = (
    Action(
        "train-model",
        "Train a model …",
        LABORATORY,
        "Ctrl+J, T",
        "Choose treebanks, look at what is in them, and train a model on them",
    ),
)
