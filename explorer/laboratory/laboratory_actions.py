"""The actions of the laboratory; each part lists its own."""

from __future__ import annotations

from explorer.laboratory.experiment_actions import EXPERIMENT_ACTIONS
from explorer.laboratory.search_actions import SEARCH_ACTIONS
from explorer.laboratory.system_actions import SYSTEM_ACTIONS
from explorer.laboratory.training_actions import TRAINING_ACTIONS
from explorer.widgets.action import Action

LABORATORY_ACTIONS: tuple[Action, ...] = (
    *TRAINING_ACTIONS,
    *EXPERIMENT_ACTIONS,
    *SYSTEM_ACTIONS,
    *SEARCH_ACTIONS,
)
