"""Messages to the person at the window: one sentence each, shown by whoever shows messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.common.characters import curly_quotes
from engine.common.errors import EngineError


class Messages(QObject):
    """The one way by which any part of the program says something.

    Signals
    -------
    posted
        A sentence to show, and whether it is an error.
    """

    posted = Signal(str, bool)

    def show(self, text: str, is_error: bool = False) -> None:
        """Show one sentence: an error where it is seen, anything else in the status bar."""
        self.posted.emit(text, is_error)

    def show_error(self, error: Exception) -> None:
        """Show an error in one sentence."""
        self.show(error_text(error), True)

    def write(self, path: Path, write: Callable[[], object]) -> bool:
        """Write a file, and show that it is written, or why not; the result is whether it is."""
        try:
            write()
        except (OSError, EngineError) as error:
            self.show_error(error)
            return False
        self.show(written(path))
        return True


def error_text(error: Exception) -> str:
    """Put an error into one sentence; one that is no fault of the user says so."""
    if isinstance(error, EngineError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this sentence under these settings; choose a smaller β"
    return (
        f"something went wrong inside the program ({type(error).__name__}: {error}); what you did is kept, and Help > "
        "Show crash report … has what a report of it needs"
    )


def problem_text(error: Exception) -> str:
    """Write an error as a sentence that stands by itself."""
    return as_sentence(curly_quotes(error_text(error)))


def written(path: Path) -> str:
    """What is said of a file that was written."""
    return f"Written to {path.name}"


def outcome_of_writing(path: Path, write: Callable[[], object]) -> str:
    """Write a file; the result is a sentence that it is written, or why not."""
    try:
        write()
    except (OSError, EngineError) as error:
        return problem_text(error)
    return f"{written(path)}."


def as_sentence(text: str) -> str:
    """Write a message as a sentence: with a capital letter and a full stop; nothing stays nothing.

    A file's name in front stays as it is: with a capital letter it would be another file's.
    """
    first = text.partition(" ")[0].rstrip(",:;.")
    start = text if any(sign in first for sign in "./\\") else text[:1].upper() + text[1:]
    return start + ("" if not text or text.endswith((".", "…")) else ".")
