"""A worker process is killed, as when memory runs out: one sentence, the old file, and no process left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.writers import CLASSROOM, OLD
from tests.waiting import has_processes, wait_until

COMMANDS = {
    "parse": ("parse", "{trees}", "--input", "trees", "--model", str(CLASSROOM)),
    "evaluate": ("evaluate", "{trees}", "--model", str(CLASSROOM), "--output", "{output}"),
    "compare": ("compare", "{trees}", "--model", str(CLASSROOM), "--json", "{output}"),
    "train": ("train", "{trees}", "-o", "{output}", "--no-record"),
}
SENTENCE = "a worker process ended unexpectedly; if memory ran out, use fewer jobs"
SHARE = 4
"""Every command is killed at a quarter of the number of other faults: each takes a second to start."""


def workers_of(process: int) -> list[int]:
    """The numbers of a process's workers."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [child for child in map(int, children) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    except (FileNotFoundError, ProcessLookupError):
        return []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are found by /proc")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_worker_is_one_sentence(
    name: str, long_treebank: Path, tmp_path: Path, kills: int, tried: Callable[[str], None]
) -> None:
    output = tmp_path / "output"
    output.write_bytes(OLD)
    arguments = [one.format(trees=long_treebank, output=output) for one in COMMANDS[name]]
    chance = random.Random(name)
    for _ in range(max(kills // SHARE, 1)):
        with subprocess.Popen(
            [sys.executable, "-m", "engine", *arguments, "--jobs", "2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        ) as process:
            pid = process.pid
            wait_until(lambda pid=pid: len(workers_of(pid)) == 2)  # type: ignore[misc]
            moment = time.monotonic() + chance.uniform(0, 1)
            wait_until(lambda moment=moment: time.monotonic() >= moment)  # type: ignore[misc]
            os.kill(chance.choice(workers_of(pid)), signal.SIGKILL)
            assert process.stderr is not None
            said, status = process.stderr.read(), process.wait(60)
        assert (said, status) == (f"parse-engine: error: {SENTENCE}\n", 2)
        wait_until(lambda pid=pid: not has_processes(pid), 30)  # type: ignore[misc]
        assert output.read_bytes() == OLD and list(tmp_path.iterdir()) == [output]
        tried(f"a worker killed: {name}")
