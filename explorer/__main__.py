"""``python -m explorer`` is ``parse-explorer``."""

import sys

from engine.common.interrupts import run_command
from engine.common.this_program import forget_working_folder


def main() -> int:
    """Run the command; the result is its exit status."""
    forget_working_folder()
    # Where the installation is broken the command may not even be imported, and that is when this is asked for.
    diagnosed = "--diagnose" in sys.argv[1:]
    return run_command(f"explorer.window.{'diagnosis' if diagnosed else 'command'}", at_once=True)


if __name__ == "__main__":
    sys.exit(main())
