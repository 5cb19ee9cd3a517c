"""``python -m engine`` is ``parse-engine``."""

import sys

from engine.common.interrupts import run_command
from engine.common.this_program import forget_working_folder


def main() -> int:
    """Run the command; the result is its exit status."""
    forget_working_folder()
    return run_command("engine.cli.command_line")


if __name__ == "__main__":
    sys.exit(main())
