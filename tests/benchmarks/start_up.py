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
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 120.0
"""Seconds after which a start has failed."""
CHILD = """
import json, os, sys, time

def note(stage):
    print(json.dumps([stage, time.time(), time.process_time()]), flush=True)

from explorer.window import command as app
load_qt = app.load_qt

def load_and_watch():
    # Looks for the window from outside, and only now, so that all modules are loaded when the program loads them.
    load_qt()
    from explorer.window import start
    note("modules imported")
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    def look():

        window = next((one for one in QApplication.topLevelWidgets() if hasattr(one, "sentence_bar")), None)
        if window is None or not window.isVisible():
            return
        stage = len(seen)
        if stage == 0:
            reached("window shown")
        elif window.stages.banner.isVisible() or not (window.session.parses.model or window.session.tasks.busy):
            print("the window says:", window.stages.banner.text.text() or "no model", file=sys.stderr, flush=True)
            os._exit(1)
        elif stage == 1 and window.session.parses.model is not None:
            reached("model loaded")
        elif stage == 2 and window.session.parses.is_current and window.stages.settled:
            # Painted it is now at the latest.
            window.stages.canvas.viewport().repaint()
            reached("sentence parsed and drawn")
        elif stage == 3 and window.session.parses.result.full and window.stages.settled:
            reached("n best and chart there")
            found = [name for name in ("matplotlib", "networkx", "scipy") if name in sys.modules]
            print(json.dumps(["imported: " + (", ".join(found) or "nothing that a start does not need"), 0, 0]))
            window.close()

    seen = []

    def reached(stage):
        note(stage)
        seen.append(stage)

    begin = start.begin

    def watched(*arguments):
        timer.start()
        return begin(*arguments)

    timer = QTimer(interval=2)
    timer.timeout.connect(look)
    start.begin = watched

app.load_qt = load_and_watch
sys.exit(app.main([]))
"""


def once(compiled: str) -> list[tuple[str, float, float]]:
    """Start the program once, Python's compiled modules in that folder; what was reached, with wall and CPU seconds."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = {**os.environ, "PARSE_EXPLORER_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        environment["PYTHONPATH"] = str(ROOT)
        # As an installed program has them.
        environment["PYTHONPYCACHEPREFIX"] = compiled
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        began = time.time()
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            said, problem = child.communicate(timeout=LONGEST)
        finally:
            # Whatever it started ends with it, before its folder goes.
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if child.returncode:
        sys.exit(f"the program failed:\n{problem}")
    stages = [json.loads(line) for line in said.splitlines() if line.startswith("[")]
    return [(name, wall - began if wall else 0.0, cpu) for name, wall, cpu in stages]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--most", type=float, default=0.0, metavar="SECONDS")
    options = parser.parse_args()
    # With cold caches the first start would be that of the compiler.
    compile_first = "from engine.warm_up import compile_now; compile_now()"
    subprocess.run([sys.executable, "-c", compile_first], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
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
