"""The actions of experiments, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import Action

EXPERIMENT_ACTIONS: tuple[Action, ...] = ()
