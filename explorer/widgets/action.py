"""What an action is: its name, title, menu, key and tip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtGui import QAction

FILE, EDIT, VIEW, GO, SETTINGS = "File", "Edit", "View", "Go", "Settings"
WHAT_IF, COMPARE, LABORATORY, CLASSROOM, HELP = "What-if", "Compare", "Laboratory", "Classroom", "Help"
MENUS = (FILE, EDIT, VIEW, GO, SETTINGS, WHAT_IF, COMPARE, LABORATORY, CLASSROOM, HELP)
LESSON, TREEBANK, REPLAY = "Lesson", "Treebank", "Chart replay"
SUBMENUS = {LESSON: CLASSROOM, TREEBANK: CLASSROOM, REPLAY: GO}
"""Menus within menus, and in which each stands."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    Attributes
    ----------
    name
        By which code and tests call it.
    title
        What menus and the palette show.
    menu
        In which menu it stands.
    shortcut
        Its key, which menus show.
    tip
        What it does and why one would, in a sentence.
    icon
        Name of its icon file, if it has one.
    checkable
        Whether it is a switch.
    separated
        Whether a line stands above it.
    other_shortcut
        A second key, for hands that know it from elsewhere.
    stage_only
        Whether its key belongs to the picture and the tables about it alone, for other widgets need it themselves.
    """

    name: str
    title: str
    menu: str
    shortcut: str
    tip: str
    icon: str = ""
    checkable: bool = False
    separated: bool = False
    stage_only: bool = False
    other_shortcut: str = ""


class NamedActions(Protocol):
    """The actions of a window, by name."""

    def __getitem__(self, name: str, /) -> QAction:
        """The action of this name."""
        ...
