"""Ctrl-C at a random moment of every command that may take long: status 130, not a word, the old file, no process."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.faults.writers import CLASSROOM, OLD
from tests.waiting import has_processes, wait_until

MODEL = ("--model", str(CLASSROOM))
COMMANDS = {
    "parse words": ("parse", "{words}", *MODEL),
    "parse trees, two jobs": ("parse", "{trees}", "--input", "trees", *MODEL, "--jobs", "2"),
    "parse, 50 best as JSON": ("parse", "{words}", *MODEL, "--n-best", "50", "--format", "json"),
    "tag": ("tag", "{words}", *MODEL),
    "train": ("train", "{trees}", "-o", "{output}", "--no-record"),
    "train, two jobs": ("train", "{trees}", "-o", "{output}", "--no-record", "--jobs", "2"),
    "train a re-ranker": ("train", "{trees}", "-o", "{output}", "--no-record", "--rerank"),
    "evaluate": ("evaluate", "{trees}", *MODEL, "--output", "{output}"),
    "compare": ("compare", "{trees}", *MODEL, "--json", "{output}"),
    "systems": ("systems", "{trees}", "--presets", "1", "3", *MODEL),
    "experiment": ("experiment", "beam", *MODEL, "--test", "{trees}", "--json"),
    "search": ("search", "NP << PP", *["{trees}"] * 8),
    "survey": ("survey", *["{trees}"] * 4),
    "convert": ("convert", "{trees}", "--to", "json", "-o", "{output}"),
}
SHARE = 4
"""Every command is interrupted a quarter as often as there are other faults: each takes a second to start."""
KEPT = re.compile(r"(parse-engine: stopped; \d+ of \d+ results are kept, and the same command goes on from there\n)?")
"""An experiment says how to go on."""


@pytest.fixture(scope="module")
def words(long_treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as plain text, so that it has to be tagged."""
    path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text(re.sub(r"\([^ ()]*|\)", "", long_treebank.read_text("utf-8")), "utf-8")
    return path


def interrupted(command: Sequence[str], temporary: Path, library: str, after: float) -> tuple[str, int]:
    """Press Ctrl-C so many seconds after a library is loaded; what the command then said, and its status."""
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"},
        text=True,
    ) as process:
        # Python itself must be up: before that, the system ends it.
        loaded = Path(f"/proc/{process.pid}/maps")
        wait_until(lambda: library in loaded.read_text())
        moment = time.monotonic() + after
        wait_until(lambda: time.monotonic() >= moment)
        assert process.poll() is None, "it was done too soon"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        said, status = process.stderr.read(), process.wait(30)
    wait_until(lambda: not has_processes(process.pid), 30)
    return said, status


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what is loaded is told by /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupted_command_is_quiet_and_leaves_nothing(
    name: str, long_treebank: Path, words: Path, tmp_path: Path, kills: int, tried: Callable[[str], None]
) -> None:
    output, temporary = tmp_path / "output", tmp_path / "temporary"
    output.write_bytes(OLD)
    temporary.mkdir()
    arguments = [one.format(trees=long_treebank, words=words, output=output) for one in COMMANDS[name]]
    chance = random.Random(name)
    for _ in range(max(kills // SHARE, 1)):
        said, status = interrupted(["engine", *arguments], temporary, "numpy", chance.uniform(0, 1.5))
        assert status == 130 and KEPT.fullmatch(said), said
        assert output.read_bytes() == OLD and not list(temporary.iterdir())
        assert {path.name for path in tmp_path.iterdir()} == {"output", "temporary"}
        tried(f"Ctrl-C at a random moment: {name}")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what is loaded is told by /proc")
def test_an_interrupted_export_is_quiet_and_leaves_nothing(
    tmp_path: Path, kills: int, tried: Callable[[str], None]
) -> None:
    """While Qt was loaded one Ctrl-C in twenty was lost, and all pictures were made."""
    chance = random.Random(5)
    for _ in range(kills):
        folder = ["--snapshot", str(tmp_path / "pictures"), *MODEL, "Mary saw the man with the telescope."]
        assert interrupted(["explorer", *folder], tmp_path, "llvmlite", chance.uniform(0, 0.5)) == ("", 130)
        tried("Ctrl-C at a random moment: snapshots")
    assert not list(tmp_path.rglob(".*"))
