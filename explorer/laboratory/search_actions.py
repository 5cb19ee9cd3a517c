"""The actions of search by structure, for :mod:`explorer.laboratory.laboratory_actions`."""

from __future__ import annotations

from explorer.widgets.action import LABORATORY, Action

SEARCH_ACTIONS: tuple[Action, ...] = (
    Action(
        "search-structure",
        "Search by structure …",
        LABORATORY,
        "Ctrl+J, F",
        "Find constituents of gold trees and parses by a pattern, such as PP > VP, and count them",
        separated=True,
    ),
    Action("next-match", "Next match", LABORATORY, "Ctrl+J, N", "Go to the next match of the search by structure"),
    Action(
        "previous-match",
        "Previous match",
        LABORATORY,
        "Ctrl+J, P",
        "Go to the previous match of the search by structure",
    ),
    Action(
        "find-like-selected",
        "Find constituents like the selected one",
        LABORATORY,
        "Ctrl+J, L",
        "Make a pattern of the constituent or word that is selected, and search the list for it",
    ),
)
