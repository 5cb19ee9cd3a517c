"""The actions of systems compared, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import Action

SYSTEM_ACTIONS: tuple[Action, ...] = ()
