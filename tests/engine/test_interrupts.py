"""Ctrl-C at any moment: no traceback, exit status 130, nothing half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

import pytest

import engine
from engine.compiled.kernel import COMPILED, running
from tests.waiting import has_processes, wait_until

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals"), pytest.mark.robust]

MODULE = """
import os, signal, sys, time
from pathlib import Path

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0)

class Deaf:
    def __del__(self):
        interrupt()

if sys.argv[1] == "loading":
    interrupt()

from engine.common.files import replaced

def main():
    with replaced(sys.argv[2]) as beside:
        beside.write_text("half")
        if sys.argv[1] == "twice":
            try:
                interrupt()
            finally:
                interrupt()
        elif sys.argv[1] == "where nobody can catch it":
            Deaf()
        elif sys.argv[1] == "in code that was text":
            try:
                exec("interrupt()")
            except KeyboardInterrupt:
                print("as far as it came")
                return 130
        else:
            interrupt()
    return 0
"""
SCRIPT = "import sys; from engine.common.interrupts import run_command; sys.exit(run_command('interrupted_command'))"


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """In which a module can be imported whose main function is interrupted."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "interrupted_command.py").write_text(MODULE)
    (folder / "interrupted_start.py").write_text(SCRIPT)
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.parametrize("moment", ["loading", "writing", "twice", "where nobody can catch it"])
def test_an_interrupt_is_quiet_and_leaves_nothing(moment: str, environment: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, moment, str(tmp_path / "file")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
    assert not list(tmp_path.iterdir())


def test_an_interrupt_of_code_that_was_text_has_the_same_status(environment: dict[str, str], tmp_path: Path) -> None:
    """Of a dataclass that is being made, say: Python remembers it, and a program started by -m died of the signal."""
    command = [sys.executable, "-m", "interrupted_start", "in code that was text", str(tmp_path / "file")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "as far as it came\n", "")


def test_who_is_started_deaf_stays_so(environment: dict[str, str], tmp_path: Path) -> None:
    """As ``nohup`` and shells do with what runs in the background."""
    code = "import signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    code += "sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode)"
    command = [sys.executable, "-c", code, "-c", SCRIPT, "writing", str(tmp_path / "file")]
    assert subprocess.run(command, cwd=ROOT, env=environment, timeout=60).returncode == 0
    assert (tmp_path / "file").read_text() == "half"


def test_the_command_can_be_interrupted_while_it_is_imported() -> None:
    # With -v Python says on standard error what it imports.
    command = [sys.executable, "-v", "-m", "engine", "info"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        before = []
        for line in process.stderr:
            before.append(line)
            if line.startswith("import 'numpy"):
                break
        assert not any("engine.cli.command_line'" in line for line in before if line.startswith("import '"))
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(30) == 130
    assert "Traceback" not in said and "KeyboardInterrupt" not in said


@pytest.mark.parametrize("born", [1, 2, 3])
def test_workers_that_are_just_starting_are_quiet(classroom_model: Path, born: int, tmp_path: Path) -> None:
    sentences = tmp_path / "sentences"
    sentences.write_text("John/NNP saw/VBD a/DT dog/NN ./.\n" * 5000)
    command = [sys.executable, "-m", "engine", "parse", str(sentences), "--model", str(classroom_model), "--jobs", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, cwd=ROOT, start_new_session=True) as process:
        assert process.stdout is not None and process.stderr is not None
        # The first child keeps track of resources, the others are the workers.
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            pytest.skip("needs /proc")
        wait_until(lambda: len(children.read_text().split()) >= born or process.poll() is not None)
        os.killpg(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(30) == 130


def test_an_interrupt_beside_a_kernel_stays_one(classroom_model: Path) -> None:
    """A result and an exception at once made it a SystemError, in two of five times that Ctrl-C came while tagging."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    model = engine.load(classroom_model)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with running(COMPILED):
            model.tag(["John", "saw"])
            for moment in range(100):
                with pytest.raises(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, 0.001 + moment * 1e-6)
                    while True:
                        model.tag(["John", "saw"])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


HURRIED = """
import time

def make():
    return time.sleep

if __name__ == "__main__":
    from engine.common.interrupts import leave
    from engine.common.parallel import ordered

    for _ in ordered(make, [0, 60, 60], jobs=2):
        leave()
"""


def test_leaving_at_once_is_quiet_beside_workers(tmp_path: Path) -> None:
    script = tmp_path / "hurried.py"
    script.write_text(HURRIED)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("moment", ["folder", "0.model", "1.model"])
def test_training_on_several_processes_leaves_nothing(
    moment: str, times: int, classroom_treebank: Path, tmp_path: Path
) -> None:
    treebank, temporary, output = tmp_path / "trees.ptb", tmp_path / "temporary", tmp_path / "own.model"
    treebank.write_bytes(classroom_treebank.read_bytes() * 6)
    temporary.mkdir()
    command = [sys.executable, "-m", "engine", "train", str(treebank), "-o", str(output), "--rerank", "--jobs", "2"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stderr=pipe, cwd=ROOT, env=environment, start_new_session=True) as process:
        assert process.stderr is not None
        # Python itself writes a file for a moment to see whether the folder can be used.
        pattern = "*/" if moment == "folder" else f"*/{moment}"
        wait_until(lambda: list(temporary.glob(pattern)) or process.poll() is not None)
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read() == b""
        assert process.wait(30) == 130
        # No process of its group is left.
        wait_until(lambda: not has_processes(process.pid))
    assert not list(temporary.iterdir())
    assert not output.exists() and not list(tmp_path.glob(".*.part"))
