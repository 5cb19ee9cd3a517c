"""The actions about help: the manual, the tour, the shortcuts, crash reports, about."""

from __future__ import annotations

from explorer.widgets.action import HELP, Action

HELP_ACTIONS: tuple[Action, ...] = (
    Action("manual", "Manual", HELP, "F1", "Open the manual at the page of this stage; it can be searched"),
    Action("what-is-this", "What is this?", HELP, "Shift+F1", "Then click anything: the manual opens at its page"),
    Action("palette", "Find anything …", HELP, "Ctrl+K", "Find actions, settings, themes, files and pages", "search"),
    Action(
        "tour",
        "Tour",
        HELP,
        "Alt+F1",
        "Seven steps through the window, in each of which you do something yourself",
        separated=True,
    ),
    Action("shortcuts", "Keyboard shortcuts", HELP, "Ctrl+/", "Every key of the window on one sheet"),
    Action(
        "crash-report",
        "Show crash report …",
        HELP,
        "Ctrl+Shift+F1",
        "What went wrong inside the program the last time, to read, copy or save; without your sentences",
        separated=True,
    ),
    Action(
        "about",
        "About",
        HELP,
        "Ctrl+F1",
        "Version, licences, credits, the model that is loaded, and what it runs on",
    ),
)
