"""Faults of the program itself, wherever they happen: each is told to whoever keeps reports of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.common.errors import EngineError

_listeners: list[Callable[[BaseException], None]] = []


def listen_to_faults(listener: Callable[[BaseException], None]) -> None:
    """Have every fault told to a function, which is called in the thread where it happened."""
    _listeners.append(listener)


def stop_listening(listener: Callable[[BaseException], None]) -> None:
    """Tell it no more."""
    _listeners.remove(listener)


def tell_fault(error: BaseException) -> None:
    """Tell of an error, unless a user or a file has caused it, or there was too little memory."""
    if not isinstance(error, EngineError | MemoryError):
        for listener in list(_listeners):
            listener(error)
