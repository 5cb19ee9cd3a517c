"""Command lines whose errors are one line, for terminal and window."""

from __future__ import annotations

import argparse
from typing import NoReturn

WRONG = 2
"""The exit status of a command that could not be understood."""


class Arguments(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and stop."""
        self.exit(WRONG, f"{self.prog}: error: {message}; see `{self.prog} --help`\n")
