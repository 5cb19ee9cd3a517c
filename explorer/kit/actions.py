"""Actions, declared at the methods that do them; menus, keys, tips and the palette follow from the declarations.

A method says what it is called and where it stands::

    @action("zoom-in", "Zoom in", VIEW, "Ctrl++", icon="zoom-in")
    def zoom_in(self) -> None: ...

Its docstring says what it does, and the first paragraph of that is the tip.
:func:`collected` finds the declarations of objects, in the order in which their classes have the methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

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
        What it does and why one would, in a sentence; unless it is given, the first paragraph of the docstring.
    icon
        Name of its icon file, if it has one.
    checkable
        Whether it is a switch.
    separated
        Whether a line stands above it.
    stage_only
        Whether its key belongs to the picture and the tables about it alone, for other widgets need it themselves.
    other_shortcut
        A second key, for hands that know it from elsewhere.
    after
        The action of another object that it stands under; without one, it stands under what was collected before.
    argument
        What the method is called with, where several actions share one.
    """

    name: str
    title: str
    menu: str
    shortcut: str
    tip: str = ""
    icon: str = ""
    checkable: bool = False
    separated: bool = False
    stage_only: bool = False
    other_shortcut: str = ""
    after: str = ""
    argument: Any = None


_DECLARED = "declared_actions"
Method = TypeVar("Method", bound=Callable[..., object])


def action(
    name: str,
    title: str,
    menu: str,
    shortcut: str,
    *,
    icon: str = "",
    checkable: bool = False,
    separated: bool = False,
    stage_only: bool = False,
    other_shortcut: str = "",
    after: str = "",
) -> Callable[[Method], Method]:
    """Declare that a method does an action; see :class:`Action`.  The method of a switch is called with its state."""
    return actions(
        [Action(name, title, menu, shortcut, "", icon, checkable, separated, stage_only, other_shortcut, after)]
    )


def actions(entries: Iterable[Action] | Callable[[], Iterable[Action]]) -> Callable[[Method], Method]:
    """Declare that a method does several actions: it is called with the argument of the one that was chosen.

    A function is called for the entries of each window.
    """
    declared = entries if callable(entries) else tuple(entries)

    def declare(method: Method) -> Method:
        told = partial(_told, " ".join((method.__doc__ or "").partition("\n\n")[0].split()).removesuffix("."))
        found = (lambda: map(told, declared())) if callable(declared) else tuple(map(told, declared))
        setattr(method, _DECLARED, found)
        return method

    return declare


def _told(tip: str, entry: Action) -> Action:
    return entry if entry.tip else replace(entry, tip=tip)


def declared(owner: type) -> list[Action]:
    """The actions of a class, without those of its parts."""
    return [entry for _, entry in _entries(owner)]


def collected(owners: Iterable[object]) -> Iterator[tuple[Action, Callable[..., object]]]:
    """The actions of objects and of their parts, each with what does it."""
    for owner in owners:
        for method, entry in _entries(type(owner)):
            call = getattr(owner, method)
            yield entry, call if entry.argument is None else partial(call, entry.argument)
        yield from collected(getattr(owner, "parts", ()))


def calls(owner: object) -> dict[str, Callable[..., object]]:
    """What the actions of one object do, by their names."""
    return {entry.name: call for entry, call in collected([owner])}


def _entries(owner: type) -> Iterator[tuple[str, Action]]:
    for name, entries in _declarations(owner):
        for entry in entries() if callable(entries) else entries:
            yield name, entry


@cache
def _declarations(owner: type) -> list[tuple[str, Any]]:
    """Methods that do actions; classes of Qt have hundreds that do not."""
    members = [pair for kind in reversed(owner.__mro__) for pair in vars(kind).items()]
    return [(name, getattr(member, _DECLARED)) for name, member in members if hasattr(member, _DECLARED)]


class NamedActions(Protocol):
    """The actions of a window, by name."""

    def __getitem__(self, name: str, /) -> QAction:
        """The action of this name."""
        ...


# Entries of context menus, as whoever offers them hands them over.

Choice = tuple[str, Callable[[], object]]
"""An entry of a context menu: its title and what it does."""


# Letters of menus: every menu is opened with Alt and its letter, every entry chosen with its own.
#
# The letters of entries are given when a menu opens and taken back when it closes, so that an action's title is the
# same everywhere else: in the palette, on the sheet of keys, for screen readers.


def with_letters(titles: Sequence[str]) -> list[str]:
    """Mark in each title the letter that chooses it, with ``&``: no two the same, as long as there are letters.

    The first letter of a word is preferred, that of the first word most.  A title that has a letter already keeps it.
    """
    taken = {title[at + 1].lower() for title in titles if (at := _marked(title)) >= 0}
    plain = [number for number, title in enumerate(titles) if _marked(title) < 0]
    places: dict[int, int] = {}
    owners: dict[str, int] = {}

    def find(number: int, wanted: Sequence[int], asked: set[str]) -> bool:
        """Find a letter for a title; another one gives its own up if it can have a different one."""
        # Letters that nobody has come first.
        for at in sorted(wanted, key=lambda at: titles[number][at].lower() in owners):
            letter = titles[number][at].lower()
            if letter in taken or letter in asked:
                continue
            asked.add(letter)
            owner = owners.get(letter)
            if owner is None or find(owner, _all_places(titles[owner]), asked):
                owners[letter], places[number] = number, at
                return True
        return False

    # First letters of titles first: an entry further up does not take the natural letter of one further down.
    for number in plain:
        free = [at for at in _first_places(titles[number]) if titles[number][at].lower() not in owners]
        find(number, free, set())
    for number in plain:
        if number not in places:
            find(number, _all_places(titles[number]), set())
    return [
        f"{title[: places[number]]}&{title[places[number] :]}" if number in places else title
        for number, title in enumerate(titles)
    ]


def _marked(title: str) -> int:
    """Where the mark of a letter is; -1 if there is none."""
    return title.replace("&&", "  ").find("&")


def _first_places(title: str) -> list[int]:
    return [at for at in _all_places(title) if at == 0 or title[at - 1] in " ("]


def _all_places(title: str) -> list[int]:
    """Letters that are on every keyboard; digits too, such as those of the stages."""
    places = [at for at, sign in enumerate(title) if sign.isascii() and sign.isalnum()]
    return sorted(places, key=lambda at: at != 0 and title[at - 1] not in " (")


class MenuLetters(QObject):
    """Gives the entries of a menu, and of the menus in it, their letters while it is open."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        self._given: list[tuple[QAction, str, str]] = []
        menu.aboutToShow.connect(self._give)
        menu.aboutToHide.connect(self._take)

    def _give(self) -> None:
        self._take()
        menus = [self._menu]
        for menu in menus:
            entries = [action for action in menu.actions() if not action.isSeparator()]
            plain = [action.text() for action in entries]
            for action, title, marked in zip(entries, plain, with_letters(plain), strict=True):
                if marked != title:
                    action.setText(marked)
                    self._given.append((action, title, marked))
            menus += [inner for action in entries if isinstance(inner := action.menu(), QMenu)]

    def _take(self) -> None:
        for action, title, marked in self._given:
            # What got another title meanwhile keeps that.
            if action.text() == marked:
                action.setText(title)
        self._given = []
