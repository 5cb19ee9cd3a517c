"""The actions of the classroom; each part lists its own."""

from __future__ import annotations

from explorer.classroom.lesson_actions import LESSON_ACTIONS
from explorer.widgets.action import Action

CLASSROOM_ACTIONS: tuple[Action, ...] = (*LESSON_ACTIONS,)
