"""How long it takes from the command ``parse-explorer`` to a window with the paper's sentence parsed.

    python tests/benchmarks/start_up.py [--times N] [--most SECONDS]

Starts the program several times, without a screen, as a new user would (no preferences, the bundled model, caches
warm), and prints for each stage the median wall time and CPU time (user and system, all threads) since the process
began: on a machine that others use too, the CPU time is what to compare.  With ``--most`` the exit status is 1 if the
median CPU time is greater.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
CHILD = """
import json, sys, time

def note(stage):
    print(json.dumps([stage, time.time(), time.process_time()]), flush=True)

from explorer import app, start
note("modules imported")
from PySide6.QtCore import QTimer

class Watched(start.MainWindow):
    stage = 0

    def showEvent(self, event):
        super().showEvent(event)
        self.watch = QTimer(self, interval=2)
        self.watch.timeout.connect(self.look)
        self.watch.start()

    def look(self):
        if self.stage == 0:
            note("window shown")
            self.stage = 1
        elif self.stage == 1 and self.session.model is not None:
            note("model loaded")
            self.stage = 2
        elif self.stage == 2 and self.session.current and self.view.settled:
            note("sentence parsed and drawn")
            self.stage = 3
        elif self.stage == 3 and self.session.answer.full and self.view.settled:
            note("n best and chart there")
            found = [name for name in ("matplotlib", "networkx", "scipy") if name in sys.modules]
            print(json.dumps(["imported: " + (", ".join(found) or "nothing that a start does not need"), 0, 0]))
            self.stage = 4
            self.close()

start.MainWindow = Watched
sys.exit(app.main([]))
"""


def once(compiled: str) -> list[tuple[str, float, float]]:
    """Start the program once, Python's compiled modules in that folder; what was reached, with wall and CPU seconds."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "PARSE_EXPLORER_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        environment["PYTHONPATH"] = str(ROOT)
        # As an installed program has them.
        environment["PYTHONPYCACHEPREFIX"] = compiled
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        began = time.time()
        done = subprocess.run(
            [sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=True, timeout=300
        )
    stages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return [(name, wall - began if wall else 0.0, cpu) for name, wall, cpu in stages]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--most", type=float, default=0.0, metavar="SECONDS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as compiled:
        once(compiled)
        runs = [once(compiled) for _ in range(options.times)]
    drawn = 0.0
    for stage in zip(*runs, strict=True):
        name = stage[0][0]
        wall, cpu = (statistics.median(one[place] for one in stage) for place in (1, 2))
        print(f"{name:34}" + (f" wall {wall:6.2f} s   CPU {cpu:6.2f} s" if cpu else ""))
        if name == "sentence parsed and drawn":
            drawn = cpu
    return int(bool(options.most) and drawn > options.most)


if __name__ == "__main__":
    sys.exit(main())
