"""The actions of search by structure, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import Action

SEARCH_ACTIONS: tuple[Action, ...] = ()
