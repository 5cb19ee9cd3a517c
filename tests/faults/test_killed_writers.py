"""Whoever writes may be killed at any moment: the old file or the new one, never half, and no litter after the next."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.gate.private_files import CACHE_VARIABLE, cache_folder
from engine.model import file_cache as unpacking
from tests.conftest import DEFAULT_KILLS
from tests.faults.dying_child import run_child
from tests.faults.writers import NAMES, Writer, all_writers

MOST_STEPS = 400


@pytest.fixture
def writer(request: pytest.FixtureRequest, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """The one to kill, which has worked once here, so that children need not load what is compiled."""
    found = next(one for one in all_writers(small) if one.name == request.param)
    monkeypatch.setattr(unpacking, "LEAST_BYTES", unpacking.LEAST_BYTES)
    warm = tmp_path / "warm" / "folder"
    warm.mkdir(parents=True)
    with monkeypatch.context() as changes:
        # The work changes it for itself.
        changes.setenv(CACHE_VARIABLE, str(cache_folder()))
        found.prepare(warm)
        found.work(warm)
    return found


class Place:
    """A fresh folder for every death."""

    def __init__(self, writer: Writer, tmp_path: Path) -> None:
        self.writer, self._path, self._number = writer, tmp_path, 0

    def fresh(self) -> tuple[Path, Path]:
        """A prepared folder, and one for temporary files."""
        self._number += 1
        folder, temporary = self._path / f"w{self._number}" / "folder", self._path / f"w{self._number}" / "temporary"
        folder.mkdir(parents=True)
        temporary.mkdir()
        self.writer.prepare(folder)
        return folder, temporary

    def die(self, at: int = 0, after: float = 0.0) -> int:
        """Kill the work, look at what is there, do it again, and look again; how the first ended."""
        folder, temporary = self.fresh()
        status = run_child(lambda: self.writer.work(folder), temporary, at, after)
        assert status in (0, -signal.SIGKILL)
        self.writer.check(folder, False)
        assert run_child(lambda: self.writer.work(folder), temporary) == 0
        self.writer.check(folder, True)
        left = [path.name for path in folder.iterdir()]
        assert self.writer.names(left), left
        parts = list(folder.rglob(".*"))
        assert parts == [] and list(temporary.iterdir()) == []
        return status


@pytest.mark.parametrize("writer", NAMES, indirect=True)
def test_killed_at_every_use_of_a_file(
    writer: Writer, tmp_path: Path, kills: int, tried: Callable[[str], None]
) -> None:
    place = Place(writer, tmp_path)
    most = MOST_STEPS if kills > DEFAULT_KILLS else writer.quick_steps
    for at in range(1, most + 1):
        if place.die(at=at) == 0:
            break
        tried(f"killed at each use of a file: {writer.name}")
    assert at > 3


@pytest.mark.parametrize("writer", NAMES, indirect=True)
def test_killed_at_a_random_moment(writer: Writer, tmp_path: Path, kills: int, tried: Callable[[str], None]) -> None:
    place = Place(writer, tmp_path)
    folder, temporary = place.fresh()
    began = time.monotonic()
    assert run_child(lambda: writer.work(folder), temporary) == 0
    seconds = time.monotonic() - began
    chance = random.Random(11)
    for _ in range(kills):
        place.die(after=max(chance.uniform(0, seconds), 1e-3))
        tried(f"killed at a random moment: {writer.name}")
