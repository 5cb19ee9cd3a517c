"""Declared state: which signals follow from which changes."""

from __future__ import annotations

import operator

import pytest
from PySide6.QtCore import Signal

from explorer.kit.state import State, observed


class Look(State):
    zoom_changed = Signal()
    theme_changed = Signal()
    found_changed = Signal()
    zoom = observed(1.0)
    theme = observed("light")
    width = observed(0, signal="theme_changed")
    found = observed((1, 2), same=operator.is_)


@pytest.fixture
def look() -> Look:
    return Look()


@pytest.fixture
def heard(look: Look) -> list[tuple[str, float, str]]:
    """The signals that fired, and what there was to be seen then."""
    heard: list[tuple[str, float, str]] = []
    for name in ("zoom", "theme", "found"):
        signal = getattr(look, f"{name}_changed")
        signal.connect(lambda name=name: heard.append((name, look.zoom, look.theme)))
    return heard


def test_a_change_fires_after_it_and_an_equal_value_does_not(look: Look, heard: list[object]) -> None:
    look.zoom = 1.0
    assert heard == []
    look.zoom = 2
    look.zoom = 2.0
    assert heard == [("zoom", 2, "light")]


def test_changes_in_one_go_fire_once_each_when_all_are_made(look: Look, heard: list[object]) -> None:
    with look.together():
        look.theme = "dark"
        look.zoom = 2.0
        with look.together():
            look.width = 3
            look.zoom = 3.0
        assert heard == []
    assert heard == [("theme", 3.0, "dark"), ("zoom", 3.0, "dark")]


def test_what_is_changed_back_in_one_go_does_not_fire(look: Look, heard: list[object]) -> None:
    with look.together():
        look.zoom = 2.0
        look.zoom = 1.0
    assert heard == []


def test_an_error_among_several_changes_hides_none_of_them(look: Look, heard: list[object]) -> None:
    with pytest.raises(ZeroDivisionError), look.together():
        look.zoom = 2.0
        look.zoom /= 0
    assert heard == [("zoom", 2.0, "light")]
    look.zoom = 3.0
    assert len(heard) == 2


def test_what_listeners_change_in_turn_fires_too(look: Look, heard: list[object]) -> None:
    look.zoom_changed.connect(lambda: setattr(look, "theme", "dark"))
    with look.together():
        look.zoom = 2.0
    assert [one[0] for one in heard] == ["zoom", "theme"]  # type: ignore[index]


def test_a_field_says_what_is_the_same(look: Look, heard: list[object]) -> None:
    first, second = look.found
    look.found = (first, second)
    assert [one[0] for one in heard] == ["found"]  # type: ignore[index]


def test_objects_have_fields_of_their_own() -> None:
    first, second = Look(), Look()
    first.zoom = 2.0
    assert second.zoom == 1.0


def test_a_field_without_a_signal_is_refused() -> None:
    with pytest.raises((TypeError, RuntimeError)):
        type("Wrong", (State,), {"zoom": observed(1.0)})
