"""JSON from files that anybody may have written: every value is asked for by its type and its limits.

A reader of a file takes its values out by :class:`CheckedValue`; the first that is not as it should be raises
:class:`ValueProblem`, whose text says where it stands and what should be there.  The reader adds the file's name and
raises its own error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

Result = TypeVar("Result")

LARGEST_INTEGER = (1 << 63) - 1
LONGEST_SHOWN = 40
"""How much of a value that is wrong an error shows."""


class ValueProblem(ValueError):
    """A value that is not as it should be: where it stands, and what should be there; not a whole sentence yet."""


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """A value of a JSON file, and where it stands in it.

    Attributes
    ----------
    value
        The value, of any type.
    place
        Its place, such as ``lines[3].text``; empty for the whole.
    """

    value: Any
    place: str = ""

    def members(self) -> dict[str, CheckedValue]:
        """Return the members of an object by name."""
        if not isinstance(self.value, Mapping):
            self.fail("an object")
        return {name: self._member(name) for name in self.value}

    def member(self, name: str) -> CheckedValue:
        """Return a member that must be there."""
        if not isinstance(self.value, Mapping):
            self.fail("an object")
        if name not in self.value:
            raise ValueProblem(f"{self._named(name)} is missing")
        return self._member(name)

    def optional(self, name: str) -> CheckedValue | None:
        """Return a member that may be missing or ``null``; then ``None``."""
        if not isinstance(self.value, Mapping):
            self.fail("an object")
        return self._member(name) if self.value.get(name) is not None else None

    def items(self, most: int = LARGEST_INTEGER, least: int = 0) -> Iterator[CheckedValue]:
        """Return the values of a list; it must have at least and at most so many."""
        if not isinstance(self.value, list | tuple):
            self.fail("a list")
        if not least <= len(self.value) <= most:
            number = str(least) if least == most else f"{least} to {most}"
            raise ValueProblem(f"{self._title()} should have {number} values and has {len(self.value)}")
        return (CheckedValue(value, f"{self.place}[{at}]") for at, value in enumerate(self.value))

    def text(self, longest: int = LARGEST_INTEGER) -> str:
        """Return a text of at most so many characters."""
        if not isinstance(self.value, str):
            self.fail("a text")
        if len(self.value) > longest:
            raise ValueProblem(f"{self._title()} should have at most {longest} characters and has {len(self.value)}")
        return self.value

    def integer(self, least: int = -LARGEST_INTEGER, most: int = LARGEST_INTEGER) -> int:
        """Return a whole number within limits."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:
            self.fail(f"a whole number{_limits(least, most)}")
        return self.value

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """Return a number within limits, never NaN."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool) or not least <= self.value <= most:
            self.fail(f"a number{_limits(least, most)}")
        try:
            return float(self.value)
        except OverflowError:
            self.fail("a number that is not so large")

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def choice(self, options: Collection[str]) -> str:
        """One of some texts."""
        if not isinstance(self.value, str) or self.value not in options:
            self.fail("one of " + ", ".join(sorted(options)))
        return self.value

    def each(self, read: Callable[[CheckedValue], Result], most: int = LARGEST_INTEGER) -> tuple[Result, ...]:
        """Return the values of a list, each as `read` takes it."""
        return tuple(read(item) for item in self.items(most))

    def fail(self, wanted: str) -> NoReturn:
        """Raise that this should be something else."""
        raise ValueProblem(f"{self._title()} should be {wanted}, not {_shown(self.value)}")

    def _member(self, name: str) -> CheckedValue:
        return CheckedValue(self.value[name], self._named(name))

    def _named(self, name: str) -> str:
        name = str(name)
        # Line ends and what else cannot be seen would tear an error apart.
        name = name if name.isprintable() else json.dumps(name)[1:-1]
        name = name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…"
        return f"{self.place}.{name}" if self.place else name

    def _title(self) -> str:
        return self.place or "it"


def load_json(text: str | bytes) -> CheckedValue:
    """Read JSON; raise :class:`ValueProblem` if the text is not JSON, or holds what a JSON file has no use for."""
    try:
        return CheckedValue(json.loads(text, parse_constant=_refuse_constant))
    except RecursionError:
        raise ValueProblem("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueProblem("it is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueProblem(
            f"line {error.lineno}, column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
        ) from None
    except ValueProblem:
        raise
    except ValueError:
        # Python reads no number of several thousand digits.
        raise ValueProblem("a number in it is too long") from None


def read_message(line: str | bytes) -> Any:
    """Read what another process of the program says through a pipe, which nobody else writes to: infinity, too."""
    return json.loads(line)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueProblem(f"{name} is no number that JSON knows")


def _limits(least: float, most: float) -> str:
    low, high = abs(least) < LARGEST_INTEGER, abs(most) < LARGEST_INTEGER
    if low and high:
        return f" from {least:g} to {most:g}" if isinstance(least, float) else f" from {least} to {most}"
    return f", {least} or more" if low else f", {most} or less" if high else ""


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
