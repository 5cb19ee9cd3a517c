"""Actions that are declared at methods: how they are collected, and the order in which menus have them."""

from __future__ import annotations

from explorer.kit.actions import EDIT, FILE, GO, Action, action, actions, calls, collected, declared
from explorer.window.actions import in_menus


class Files:
    """Does something with files."""

    def __init__(self) -> None:
        self.done: list[object] = []

    @action("open", "Open", FILE, "Ctrl+O")
    def open(self) -> None:
        """Open."""
        self.done.append("open")

    @action("close", "Close", FILE, "Ctrl+W")
    def close(self) -> None:
        """Close."""
        self.done.append("close")

    def other(self) -> None:
        """Is no action."""


class Places:
    """Goes to places, and has a part."""

    def __init__(self, *parts: object) -> None:
        self.parts = parts
        self.gone: list[tuple[int, bool]] = []

    @action("undo", "Undo", EDIT, "Ctrl+Z", after="cut")
    def undo(self) -> None:
        """Undo."""

    @action("reopen", "Reopen", FILE, "Ctrl+R", after="open")
    def reopen(self) -> None:
        """Reopen."""

    @actions(Action(f"place-{at}", f"Place {at}", GO, f"Alt+{at}", "Go", argument=at) for at in range(3))
    def go(self, place: int, on: bool = True) -> None:
        """Go."""
        self.gone.append((place, on))

    @action("cut", "Cut", EDIT, "Ctrl+X")
    def cut(self) -> None:
        """Cut what is selected, and put it
        on the clipboard.

        Whoever reads the code is told more.
        """


def test_methods_are_declared_in_their_order() -> None:
    assert [entry.name for entry in declared(Files)] == ["open", "close"]
    assert [entry.shortcut for entry in declared(Places)][2:5] == ["Alt+0", "Alt+1", "Alt+2"]


def test_what_is_called_is_the_object_s_own_method_with_its_argument() -> None:
    files, places = Files(), Places()
    calls(files)["close"]()
    assert files.done == ["close"]
    calls(places)["place-2"](False)
    calls(places)["place-0"]()
    assert places.gone == [(2, False), (0, True)]


def test_the_tip_is_the_first_paragraph_of_the_docstring_unless_it_is_given() -> None:
    tips = {entry.name: entry.tip for entry in declared(Places)}
    assert tips["cut"] == "Cut what is selected, and put it on the clipboard"
    assert tips["place-1"] == "Go"


def test_parts_follow_and_an_action_stands_behind_the_one_that_it_names() -> None:
    found = in_menus(collected([Places(Files())]))
    assert [entry.name for entry, _ in found] == [
        *("open", "reopen", "close"),
        *("cut", "undo"),
        *("place-0", "place-1", "place-2"),
    ]


def test_a_subclass_does_its_own() -> None:
    class Others(Files):
        def open(self) -> None:
            self.done.append("otherwise")

    others = Others()
    calls(others)["open"]()
    assert others.done == ["otherwise"] and [entry.name for entry in declared(Others)] == ["open", "close"]
