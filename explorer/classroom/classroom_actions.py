"""The actions of the classroom; each part lists its own."""

from __future__ import annotations

from explorer.classroom.handout_actions import HANDOUT_ACTIONS
from explorer.classroom.lesson_actions import LESSON_ACTIONS
from explorer.widgets.action import Action

CLASSROOM_ACTIONS: tuple[Action, ...] = (*LESSON_ACTIONS, *HANDOUT_ACTIONS)
