"""The disk of the cache fills while something is written there: work goes on, says so once, and leaves nothing half."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.compiled import cache
from engine.gate.private_files import CACHE_VARIABLE, take_cache_problem
from engine.model.model import Model
from tests.faults.conftest import TREES
from tests.faults.tiny_disk import PAGE, REST, fill
from tests.faults.writers import CLASSROOM, KERNEL_NAMES, compile_kernels

COMMAND = """
import sys
from engine.cli.command_line import main
from engine.model import file_cache
how = sys.argv.pop(1)
if how != "small":
    file_cache.LEAST_BYTES = 0
if how == "begin":
    # As if there were room when it began.
    file_cache.ROOM = 0
sys.exit(main(sys.argv[1:]))
"""


def run(disk: Path, how: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its cache on a disk.

    There copies even of small models are kept, unless it is about a ``small`` one; to ``begin`` with, or after a look
    whether there is room.
    """
    return subprocess.run(
        [sys.executable, "-c", COMMAND, how, *arguments],
        input="John/NNP saw/VBD a/DT dog/NN ./.",
        env=os.environ | {CACHE_VARIABLE: str(disk), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def said_once(ran: subprocess.CompletedProcess[str], why: str) -> bool:
    """Whether the work was done, and one sentence says why nothing was kept."""
    assert ran.returncode == 0 and ran.stderr.count("\n") == 1, ran.stderr
    return why in ran.stderr and "works without its cache" in ran.stderr


def nothing_half(disk: Path) -> bool:
    """Whether there is no part of a file, nor one that is only begun."""
    return not [*disk.rglob(".*"), *disk.rglob("*.model"), *disk.rglob("*.trees")]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A packed model."""
    path = tmp_path_factory.mktemp("packed") / "packed.model"
    Model.load(CLASSROOM).save(path, packed=True)
    return path


@pytest.mark.parametrize("room", [0, PAGE, 5 * PAGE])
def test_while_a_model_is_unpacked(tiny_disk: Path, packed: Path, room: int, tried: Callable[[str], None]) -> None:
    fill(tiny_disk, room)
    ran = run(tiny_disk, "begin", "parse", "-", "--model", str(packed))
    assert said_once(ran, "No space left on device") and ran.stdout.startswith("(S ")
    assert nothing_half(tiny_disk)
    tried("disk fills: a model is unpacked")


@pytest.mark.parametrize("room", [0, PAGE, 5 * PAGE])
def test_while_a_model_is_copied(tiny_disk: Path, room: int, tried: Callable[[str], None]) -> None:
    fill(tiny_disk, room)
    ran = run(tiny_disk, "begin", "parse", "-", "--model", str(CLASSROOM))
    assert said_once(ran, "No space left on device") and ran.stdout.startswith("(S ")
    assert nothing_half(tiny_disk)
    tried("disk fills: a model is copied")


def test_too_little_room_for_an_unpacked_model_is_said(
    tiny_disk: Path, packed: Path, tried: Callable[[str], None]
) -> None:
    ran = run(tiny_disk, "look", "parse", "-", "--model", str(packed))
    assert said_once(ran, "too little room") and ran.stdout.startswith("(S ")
    assert nothing_half(tiny_disk)
    tried("disk fills: a model is unpacked")


@pytest.mark.parametrize("room", [PAGE, 5 * PAGE])
def test_while_an_index_is_written(tiny_disk: Path, room: int, tried: Callable[[str], None]) -> None:
    fill(tiny_disk, room)
    ran = run(tiny_disk, "small", "lookup", "saw", "--model", str(CLASSROOM), "--evidence", str(TREES))
    assert said_once(ran, "No space left on device") and ran.stdout
    assert nothing_half(tiny_disk)
    tried("disk fills: an index of training trees")


def test_while_kernels_are_compiled(
    tiny_disk: Path, monkeypatch: pytest.MonkeyPatch, tried: Callable[[str], None]
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tiny_disk))
    take_cache_problem()
    kept = set()
    for room in range(0, 9 * PAGE, PAGE):
        fill(tiny_disk, room)
        compile_kernels(tiny_disk)
        assert "No space left on device" in take_cache_problem()
        # A part that has not all its kernels is not complete: whoever started next would wait for the compiler.
        assert cache.listed_kernels("search") is None
        assert nothing_half(tiny_disk)
        files = list(cache.kernel_folder().glob(f"*{cache.KERNEL_SUFFIX}"))
        kept.add(len(files))
        for path in files:
            path.unlink()
        tried("disk fills: kernels are compiled")
    assert len(kept) > 1
    (tiny_disk / REST).unlink()
    compile_kernels(tiny_disk)
    assert not take_cache_problem()
    assert cache.listed_kernels("search") == KERNEL_NAMES
