"""``python -m explorer`` is ``parse-explorer``."""

import sys

from engine.common.interrupts import run_command


def main() -> int:
    """Run the command; the result is its exit status."""
    return run_command("explorer.application.explorer_command")


if __name__ == "__main__":
    sys.exit(main())
