"""A process beside the window that starts another one, tells its number, and never listens again."""

from __future__ import annotations

import json
import subprocess
import sys
import time

SLEEP = "import time\nwhile True:\n    time.sleep(0.05)"


def main() -> None:
    """Tell, and hang."""
    child = subprocess.Popen([sys.executable, "-c", SLEEP])
    print(json.dumps({"child": child.pid}), flush=True)
    while True:
        time.sleep(0.05)


if __name__ == "__main__":
    main()
