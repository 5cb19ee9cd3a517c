"""The actions of the classroom; each part lists its own."""

from __future__ import annotations

from explorer.classroom.live_training_actions import LIVE_TRAINING_ACTIONS
from explorer.widgets.action import Action

CLASSROOM_ACTIONS: tuple[Action, ...] = (*LIVE_TRAINING_ACTIONS,)
