"""The actions about printing."""

from __future__ import annotations

from explorer.widgets.action import FILE, Action

PRINT_ACTIONS: tuple[Action, ...] = (
    Action(
        "print",
        "Print …",
        FILE,
        "Ctrl+P",
        "Print the picture of the stage, or the comparison if that is shown",
        separated=True,
    ),
    Action(
        "print-preview",
        "Print preview …",
        FILE,
        "Ctrl+Alt+O",
        "See the pages first; choose what is printed, A4 or Letter, colours or grey, or save them as PDF",
    ),
    Action(
        "print-explanation",
        "Print explanation …",
        FILE,
        "Ctrl+Alt+I",
        "See what the inspector says as pages, and print them",
    ),
)
