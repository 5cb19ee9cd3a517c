"""How much memory and time every command of the terminal takes, as its input grows.

    python tests/benchmarks/ceilings.py TREEBANK [--commands parse train …] [--copies 1 4] [--jobs 1]

Every command is run as a person runs it, with the treebank's first part, all of it, and several copies of it; hostile
sentences (400 words at random at β = 10⁶, 300 words of no language) come by themselves.  Memory is the most that the
command and its children have had together (proportional set size, looked at fifty times a second), so what processes
share is counted once.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import engine
from engine.trees.treebank import read_treebank
from engine.warm_up import compile_now

LOOK_SECONDS = 0.02
GIGABYTE = 1e9
FIRST_PART = 10
"""The smallest input is this share of the treebank."""


def memory_of(process: int) -> int:
    """Bytes that a process and all its children have now."""
    total = 0
    waiting = [process]
    while waiting:
        one = waiting.pop()
        try:
            tasks = Path(f"/proc/{one}/task")
            for task in tasks.iterdir():
                waiting += map(int, (task / "children").read_text().split())
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:
            # It has ended meanwhile.
            continue
        total += sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total


def most_memory(process: subprocess.Popen[bytes]) -> float:
    """Wait until a process has ended; the most gigabytes that it and its children have had."""
    most = 0
    while process.poll() is None:
        most = max(most, memory_of(process.pid))
        time.sleep(LOOK_SECONDS)
    return most / GIGABYTE


def measured(command: list[str]) -> tuple[float, float, int]:
    """Seconds, gigabytes and exit status of a command."""
    start, nowhere = time.perf_counter(), subprocess.DEVNULL
    whole = [sys.executable, "-m", "engine", *command]
    process = subprocess.Popen(whole, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    most = most_memory(process)
    return time.perf_counter() - start, most, process.returncode


def hostile_sentences(model: engine.Model) -> dict[str, tuple[str, list[str]]]:
    """Sentences that are much work, and the options they are parsed with."""
    rng = random.Random(18)
    known = [word for word in model.vocabulary.words if word.isalpha()]
    wide = ["--beam", "1000000"]
    noise = ["".join(rng.choices("bcdfgaeioulmnrst", k=rng.randint(2, 9))) for _ in range(300)]
    at_random = " ".join(rng.choices(known, k=400))
    return {
        "400 words at random, β = 10⁶": (at_random, wide),
        "the same, 100 best": (at_random, [*wide, "--n-best", "100"]),
        "200 words of no language": (" ".join(noise[:200]), []),
        "300 words of no language": (" ".join(noise), []),
        "one word, 50 times": (" ".join(["dog"] * 50), []),
    }


def command_line(name: str, treebank: Path, folder: Path, jobs: str) -> list[str]:
    """How a command is called on a treebank."""
    trees = str(treebank)
    lines = {
        "train": ["train", trees, "-o", str(folder / "a.model")],
        "survey": ["survey", trees],
        "parse": ["parse", "--input", "text", "--jobs", jobs, str(treebank.with_suffix(".txt"))],
        "tag": ["tag", "--input", "text", "--jobs", jobs, str(treebank.with_suffix(".txt"))],
        "evaluate": ["evaluate", trees, "--jobs", jobs],
        "compare": ["compare", trees, "--jobs", jobs],
        "search": ["search", "NP < PP", trees],
        "convert": ["convert", trees, "--to", "conllu"],
        "systems": ["systems", trees, "--presets", "3", "5", "--jobs", jobs],
        "experiment": [
            "experiment",
            "beam",
            "--model",
            "english",
            "--test",
            trees,
            "--beams",
            "1000",
            "20",
            "--jobs",
            jobs,
        ],
        "lookup": ["lookup", "saw", "--evidence", trees],
    }
    return lines[name]


COMMANDS = (
    "train",
    "survey",
    "parse",
    "tag",
    "evaluate",
    "compare",
    "search",
    "convert",
    "systems",
    "experiment",
    "lookup",
)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("treebank", type=Path)
    options.add_argument("--commands", nargs="+", choices=COMMANDS, default=COMMANDS)
    options.add_argument("--copies", type=int, nargs="+", default=[1, 4])
    options.add_argument("--jobs", default="1")
    chosen = options.parse_args()
    compile_now()
    model = engine.load("english")
    print(f"{'what':44} {'seconds':>8} {'GB':>6}  status")
    trees = chosen.treebank.read_text("utf-8").splitlines(keepends=True)
    inputs = [trees[: len(trees) // FIRST_PART], *(trees * copies for copies in chosen.copies)]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for title, (text, settings) in hostile_sentences(model).items():
            sentence = folder / "sentence.txt"
            sentence.write_text(text, "utf-8")
            seconds, most, status = measured(["parse", *settings, str(sentence)])
            print(f"{title:44} {seconds:8.1f} {most:6.2f}  {status}", flush=True)
            # A command that wants one sentence takes it as an argument, and has no --n-best.
            seconds, most, status = measured(["explain", *settings[:2], text])
            print(f"{f'{title}, explained':44} {seconds:8.1f} {most:6.2f}  {status}", flush=True)
        for number, lines in enumerate(inputs):
            treebank = folder / f"{number}.ptb"
            treebank.write_text("".join(lines), "utf-8")
            words = (" ".join(tree.words()) for tree in read_treebank([treebank]))
            treebank.with_suffix(".txt").write_text("".join(f"{text}\n" for text in words), "utf-8")
        for name in chosen.commands:
            for number, lines in enumerate(inputs):
                command = command_line(name, folder / f"{number}.ptb", folder, chosen.jobs)
                seconds, most, status = measured(command)
                print(f"{f'{name}, {len(lines):,} trees':44} {seconds:8.1f} {most:6.2f}  {status}", flush=True)


if __name__ == "__main__":
    main()
