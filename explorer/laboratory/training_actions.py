"""The actions of training, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import Action

TRAINING_ACTIONS: tuple[Action, ...] = ()
