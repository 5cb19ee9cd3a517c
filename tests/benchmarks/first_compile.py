"""How long it takes on a new machine until kernels run compiled.

    python tests/benchmarks/first_compile.py [--alone] [--sentences 200]

From an empty cache a command parses plain words with the English model; two children compile meanwhile.  Printed are
the seconds until each part was compiled, counted from the start of the command, and when the command went over to
compiled kernels.  With --alone every part is compiled by itself: its seconds of processor time do not depend on what
else the machine does.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.compiled.cache import PARSING_PARTS, PARTS

ROOT = Path(__file__).parents[2]
WORDS = "The man who bought the old house near the river said on Monday that he would sell it again .\n"
SLOW = 3.0
"""A compiled parse takes less than the slowest of the first ones by far more than this factor."""


def cpu_seconds() -> float:
    """Processor time of all children that have ended and been waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(cache: str) -> dict[str, str]:
    """The environment of a new machine: an empty cache."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return plain | {"PARSE_ENGINE_CACHE": cache, "PYTHONPATH": str(ROOT)}


def alone() -> None:
    """Compile every part by itself."""
    for part in PARTS:
        with tempfile.TemporaryDirectory() as cache:
            start, used = time.perf_counter(), cpu_seconds()
            subprocess.run([sys.executable, "-m", "engine.warm_up", part], env=environment(cache), check=True)
            print(
                f"{part:12} {time.perf_counter() - start:6.1f} s   processor {cpu_seconds() - used:6.1f} s", flush=True
            )


def listed(cache: str) -> dict[str, float]:
    """When each part that is complete was completed."""
    return {path.stem: path.stat().st_mtime for path in Path(cache).glob("kernels-*/*.json")}


def first_start(sentences: int) -> None:
    """Start a command on an empty cache, and see what is there when."""
    with tempfile.TemporaryDirectory() as cache:
        start, clock = time.perf_counter(), time.time()
        command = [sys.executable, "-m", "engine", "parse", "--preset", "5", "-"]
        program = subprocess.Popen(
            command, env=environment(cache), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert program.stdin is not None and program.stdout is not None
        slowest = 0.0
        number = 0
        went_over = None
        while number < sentences or (went_over is None and time.perf_counter() - start < 600):
            before = time.perf_counter()
            program.stdin.write(WORDS)
            program.stdin.flush()
            program.stdout.readline()
            now = time.perf_counter()
            number += 1
            if number == 1:
                print(f"first sentence after {now - start:.1f} s")
            elif now - before > slowest:
                slowest = now - before
            elif went_over is None and now - before < slowest / SLOW and set(PARSING_PARTS) <= set(listed(cache)):
                went_over = now - start
                print(f"sentence {number} is parsed compiled, after {went_over:.1f} s")
        program.stdin.close()
        program.wait()
        print(f"{number} sentences in {time.perf_counter() - start:.1f} s, processor {cpu_seconds():.1f} s")
        while len(listed(cache)) < len(PARTS):
            time.sleep(0.2)
        for part, when in sorted(listed(cache).items(), key=lambda pair: pair[1]):
            needed = "   (parsing needs it)" if part in PARSING_PARTS else ""
            print(f"{part:12} compiled after {when - clock:6.1f} s{needed}")


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--alone", action="store_true")
    arguments.add_argument("--sentences", type=int, default=200)
    chosen = arguments.parse_args()
    if chosen.alone:
        alone()
    else:
        first_start(chosen.sentences)


if __name__ == "__main__":
    main()
