"""The command: see :mod:`tests.golden`."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
import traceback
from pathlib import Path

# What is drawn and how wide lines are must not depend on the screen and terminal of the person who asks.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "1"
os.environ["COLUMNS"] = "80"
os.environ["LC_ALL"] = "C.UTF-8"

from tests.golden import classroom, pages, parses, pictures, terminal, window
from tests.golden.folders import Case, compare, write

CASES: tuple[Case, ...] = (
    *terminal.CASES,
    *parses.CASES,
    *pages.CASES,
    *pictures.CASES,
    *classroom.CASES,
    *window.CASES,
)


def make(folder: Path, part: str, only: list[str]) -> int:
    """Write the outputs of cases; the result is the exit status, which is 1 if some could not be made."""
    wanted = [case for case in CASES if (case.name in only if only else case.fast or part == "all")]
    if unknown := set(only) - {case.name for case in CASES}:
        sys.exit(f"there is no case {', '.join(sorted(unknown))}; there are {', '.join(case.name for case in CASES)}")
    failed = []
    for case in wanted:
        started, worked, files = time.perf_counter(), time.process_time(), 0
        shutil.rmtree(folder / case.name, ignore_errors=True)
        problem = ""
        try:
            for name, text in case.make():
                write(folder / case.name / name, text)
                files += 1
        except Exception:
            # The other cases are worth having; the exit status and the last line tell of this one.
            failed.append(case.name)
            problem = "   FAILED"
            traceback.print_exc()
        took, work = time.perf_counter() - started, time.process_time() - worked
        print(f"{case.name:16} {files:4} files   {took:6.1f} s, of it work {work:6.1f} s{problem}", flush=True)
    if failed:
        print(f"could not be made: {', '.join(failed)}")
    return int(bool(failed))


def main() -> int:
    """Run the command; the result is its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    maker = commands.add_parser("make", help="write what the program says and draws to a folder")
    maker.add_argument("folder", type=Path)
    maker.add_argument("--part", choices=("fast", "all"), default="fast")
    maker.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these cases alone, of whichever part")
    comparer = commands.add_parser("compare", help="tell in what two folders differ; exit status 1 if they do")
    comparer.add_argument("first", type=Path)
    comparer.add_argument("second", type=Path)
    comparer.add_argument("--lines", type=int, default=6, help="how many lines of each file that differs are shown")
    options = parser.parse_args()
    if options.command == "make":
        return make(options.folder, options.part, options.only)
    return compare(options.first, options.second, options.lines)


if __name__ == "__main__":
    sys.exit(main())
