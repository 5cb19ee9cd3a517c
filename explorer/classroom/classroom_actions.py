"""The actions of the classroom; each part lists its own."""

from __future__ import annotations

from explorer.classroom.presenter_actions import PRESENTER_ACTIONS
from explorer.widgets.action import Action

CLASSROOM_ACTIONS: tuple[Action, ...] = (*PRESENTER_ACTIONS,)
