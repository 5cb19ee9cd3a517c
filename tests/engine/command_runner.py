"""A command line that was run in a test, and the type of what runs it (the fixture ``cli``)."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Ran(NamedTuple):
    """How a command line ended."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.split("\n")[:-1]


class Cli(Protocol):
    """Runs ``parse-engine`` in this process, with text or bytes as standard input."""

    def __call__(self, *arguments: object, stdin: str | bytes = b"") -> Ran:
        """Run one command line."""
        ...
