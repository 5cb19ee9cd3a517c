"""State that widgets observe: declared fields, from each of which a signal follows."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Self, TypeVar, overload

from PySide6.QtCore import QObject, SignalInstance

T = TypeVar("T")


class Field(Generic[T]):
    """A value of a :class:`State`; see :func:`observed`."""

    def __init__(self, default: T, signal: str, same: Callable[[T, T], bool]) -> None:
        self.default = default
        self.signal = signal
        self.same = same
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.signal = self.signal or f"{name}_changed"
        if not hasattr(owner, self.signal):
            raise TypeError(f"{owner.__name__}.{name} needs a signal before it: {self.signal} = Signal()")

    @overload
    def __get__(self, state: None, owner: type) -> Self: ...
    @overload
    def __get__(self, state: State, owner: type) -> T: ...
    def __get__(self, state: State | None, owner: type) -> T | Self:
        if state is None:
            return self
        found: T = state.__dict__.get(self.name, self.default)
        return found

    def __set__(self, state: State, value: T) -> None:
        before = self.__get__(state, type(state))
        if self.same(before, value):
            return
        state.__dict__[self.name] = value
        state._changed(self, before)


def observed(default: T, signal: str = "", same: Callable[[T, T], bool] = operator.eq) -> Field[T]:
    """Declare a field of a state; the signal ``…_changed`` of the class fires when it has another value.

    Parameters
    ----------
    default
        Its first value; all objects of the class share it, so it must be immutable.
    signal
        The signal, where it has another name: several fields may share one.
    same
        Tells which values are the same: ``operator.is_`` for those that are long to compare.
    """
    return Field(default, signal, same)


class State(QObject):
    """An object whose fields are observed.

    A class declares signals and fields::

        class Look(State):
            zoom_changed = Signal()
            zoom = observed(1.0)

    ``look.zoom = 2.0`` sets the field, which is what it is for, and then fires ``zoom_changed``; a value that is the
    same fires nothing.  The signal is written down because type checkers, and readers, look for it.
    """

    _waiting: dict[Field[Any], Any] | None = None
    """What fields were before the changes that are made in one go; ``None`` while each fires at once."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make several changes in one go: each signal fires once, after all of them, in the order of first changes."""
        if self._waiting is not None:
            yield
            return
        self._waiting = {}
        try:
            yield
        finally:
            waiting, self._waiting = self._waiting, None
            others = [field for field, before in waiting.items() if not field.same(before, getattr(self, field.name))]
            for signal in dict.fromkeys(field.signal for field in others):
                getattr(self, signal).emit()

    def _changed(self, field: Field[Any], before: Any) -> None:
        """Fire the signal of a field, or note that it has to be fired."""
        if self._waiting is None:
            getattr(self, field.signal).emit()
        else:
            self._waiting.setdefault(field, before)


def listen(wanted: bool, *calls: tuple[SignalInstance, Callable[..., object]]) -> None:
    """Connect calls to signals while they are wanted, and disconnect them when they no longer are.

    What is closed, or waits for nothing, is then not called for every sentence and every click.
    """
    for signal, call in calls:
        if wanted:
            signal.connect(call)
        else:
            signal.disconnect(call)
