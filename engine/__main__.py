"""``python -m engine`` is ``parse-engine``."""

import sys
from collections.abc import Callable

from engine.common.interrupts import command


def _load() -> Callable[[], int]:
    from engine.cli.command_line import main

    return main


def main() -> int:
    """Run the command; the result is its exit status."""
    return command(_load)


if __name__ == "__main__":
    sys.exit(main())
