"""Files of the folder that a command is started in, or that its input lies in, are never run as modules."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.gate.private_files import CACHE_VARIABLE
from tests.engine.test_distribution import PROJECT
from tests.trained import classroom_file
from tests.waiting import wait_until

PLANTED = "import os\nopen(os.environ['PLANTED'], 'a').write(__name__ + ' ' + __file__ + '\\n')\n"
"""What every planted file does: it leaves a mark."""
USED = """
import sys
import engine.cli.command_line, engine.warm_up, engine.cluster.worker, engine.study.plots
import multiprocessing.spawn, multiprocessing.resource_tracker, multiprocessing.popen_spawn_posix
import matplotlib.backends.backend_svg, explorer.window.command, explorer.window.start, explorer.window.diagnosis
print(" ".join({name.partition(".")[0] for name in sys.modules} | set(sys.stdlib_module_names)))
"""
"""Imports what the program ever uses, and names it all."""
COMMANDS: dict[str, list[str]] = {
    "parse": ["parse", "sentences.txt", "--model", "own.model", "--jobs", "2"],
    "tag": ["tag", "sentences.txt", "--model", "own.model", "--jobs", "2"],
    "train": ["train", "trees.ptb", "-o", "new.model", "--jobs", "2"],
    "evaluate": ["evaluate", "trees.ptb", "--model", "own.model", "--jobs", "2"],
    "compare": ["compare", "trees.ptb", "--model", "own.model", "--html", "page.html", "--jobs", "2"],
    "search": ["search", "NP", "trees.ptb", "--jobs", "2"],
    "survey": ["survey", "trees.ptb"],
    "lookup": ["lookup", "saw", "--model", "own.model", "--evidence", "trees.ptb"],
    "convert": ["convert", "trees.ptb", "--to", "brackets"],
    "info": ["info", "own.model"],
    "explain": ["explain", "John/NNP saw/VBD a/DT dog/NN", "--model", "own.model"],
    "experiment": [
        "experiment",
        "beam",
        "--model",
        "own.model",
        "--test",
        "trees.ptb",
        "--beams",
        "20",
        "--plot",
        "a.svg",
    ],
}
WINDOW: dict[str, list[str]] = {
    "diagnose": ["--diagnose"],
    "snapshot": ["--model", "own.model", "--snapshot", "pictures", "John/NNP saw/VBD a/DT dog/NN"],
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory, long_treebank: Path) -> Path:
    """A folder with a treebank, a model, sentences, and a file for every module that the program uses."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copy(classroom_file(), folder / "own.model")
    (folder / "trees.ptb").write_text("\n".join(long_treebank.read_text().split("\n")[:40]) + "\n")
    (folder / "sentences.txt").write_text("John/NNP saw/VBD a/DT dog/NN ./.\n" * 100)
    used = subprocess.run([sys.executable, "-P", "-c", USED], capture_output=True, text=True, check=True)
    names = set(used.stdout.split()) | {"engine", "explorer", "sitecustomize", "usercustomize", "six", "yaml"}
    assert len(names) > 300 and {"random", "queue", "numpy", "PySide6"} <= names
    for name in names:
        (folder / f"{name}.py").write_text(PLANTED)
    return folder


def _ran(folder: Path, module: str, arguments: list[str], cache: Path, marks: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {CACHE_VARIABLE: str(cache), "PLANTED": str(marks), "QT_QPA_PLATFORM": "offscreen"}
    # As the installed commands start: scripts in a folder that is not the one they are called in.
    script = marks.with_name(f"parse-{module}")
    script.write_text(
        f"import sys\nfrom {module}.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def _marks(marks: Path) -> str:
    return marks.read_text() if marks.exists() else ""


@pytest.mark.parametrize("name", [*COMMANDS, *WINDOW])
def test_nothing_planted_is_run(planted: Path, tmp_path: Path, name: str, tried: Callable[[str], None]) -> None:
    module, arguments = ("engine", COMMANDS[name]) if name in COMMANDS else ("explorer", WINDOW[name])
    marks = tmp_path / "marks"
    warm = Path(os.environ.get(CACHE_VARIABLE) or Path.home() / ".cache" / "parse-explorer")
    ran = _ran(planted, module, arguments, warm, marks)
    assert ran.returncode in (0, 1) and "Traceback" not in ran.stderr, ran.stderr[-2000:]
    assert _marks(marks) == ""
    tried("a planted module, by command")


@pytest.mark.skipif(sys.platform != "linux", reason="finds the children by what /proc tells")
def test_nor_with_an_empty_cache(planted: Path, tmp_path: Path, tried: Callable[[str], None]) -> None:
    """Children compile the inner loops then, and go on when the command has ended."""
    marks, cache = tmp_path / "marks", tmp_path / "cache"
    ran = _ran(planted, "engine", COMMANDS["info"], cache, marks)
    assert ran.returncode == 0, ran.stderr
    ran = _ran(planted, "engine", COMMANDS["explain"], cache, marks)
    assert ran.returncode == 0, ran.stderr
    # A child that has locked a part has imported all that it needs.
    wait_until(lambda: any(cache.glob("kernels-*/*.lock")) and (_marks(marks) or _compilers(cache)))
    for process in _compilers(cache):
        os.kill(process, signal.SIGKILL)
    assert _marks(marks) == ""
    tried("a planted module, with an empty cache")


def _compilers(cache: Path) -> list[int]:
    """The processes that fill this cache."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (
                b"engine.warm_up" in (process / "cmdline").read_bytes()
                and str(cache).encode() in (process / "environ").read_bytes()
            ):
                found.append(int(process.name))
    return found


def test_nor_where_a_script_of_the_user_s_starts_workers(planted: Path, tmp_path: Path) -> None:
    """His script lies elsewhere; workers are started in the folder that he is in."""
    script, marks = tmp_path / "script.py", tmp_path / "marks"
    script.write_text(
        "from engine.common.parallel import ordered\nfrom functools import partial\nimport operator\n"
        "def make():\n    return partial(operator.add, 1)\n"
        "if __name__ == '__main__':\n    print(list(ordered(make, [1, 2, 3], jobs=2)))\n"
    )
    environment = os.environ | {"PLANTED": str(marks)}
    ran = subprocess.run(
        [sys.executable, str(script)], cwd=planted, env=environment, capture_output=True, text=True, timeout=100
    )
    assert ran.stdout == "[2, 3, 4]\n", ran.stderr
    assert _marks(marks) == ""


@pytest.mark.parametrize("module", ["engine", "explorer"])
def test_python_m_in_a_checkout_still_works(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]
    assert subprocess.run(command, cwd=PROJECT, capture_output=True, timeout=100).returncode == 0
