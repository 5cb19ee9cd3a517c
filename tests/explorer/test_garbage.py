"""All garbage is collected a while after the last task, and not while one runs; a closed window is garbage."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from explorer.kit import tasks as garbage
from explorer.kit.tasks import GarbageCollection, TaskMonitor, Worker
from tests.explorer.window_driver import Driver


class Knot:
    """Something that only a collection takes away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def thresholds() -> Iterator[tuple[int, int, int]]:
    before = gc.get_threshold()
    yield before
    gc.set_threshold(*before)
    gc.unfreeze()


def test_a_task_is_not_held_up(qtbot: QtBot, thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "IDLE_MS", 20)
    tasks = TaskMonitor()
    worker = tasks.watch(Worker("test", parent=tasks), "stopped")
    collection = GarbageCollection(tasks, tasks)
    collection.start()
    assert gc.isenabled() and gc.get_threshold()[2] > 1000 * thresholds[2]
    knot = Knot()
    kept = weakref.ref(knot)
    gc.collect(1)
    del knot
    left: list[bool] = []

    def work(job: object) -> bool:
        for _ in range(4):
            job.rest(0.03)  # type: ignore[attr-defined]
        return kept() is not None

    worker.request(work, left.append, lambda error: left.append(False))
    qtbot.waitUntil(lambda: bool(left), timeout=5000)
    # It is there to the task's end, and soon gone.
    assert left == [True]
    qtbot.waitUntil(lambda: kept() is None, timeout=5000)
    worker.stop()


OPENED = (
    *("compare", "palette", "shortcuts", "manual", "model-browser", "preferences", "twin", "tour", "present-window"),
    *("train-model", "experiments", "systems", "search-structure", "live-classroom", "lesson-new", "error-table"),
)
"""What a window opens beside itself."""


def test_nothing_stays_of_a_closed_window(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    """Each keeps a model and parses: tests, and whoever makes windows from Python, have many in one process."""
    for number, opened in enumerate([(), OPENED]):
        driver = Driver(qtbot, tmp_path / str(number))
        driver.load(classroom_path)
        for name in opened:
            driver.do(name)
        driver.settle()
        window = driver.window
        kept = [weakref.ref(one) for one in (window, driver.session, driver.canvas, driver.session.parses.shown)]
        assert all(one() is not None for one in kept)
        driver.close()
        del driver, window
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        assert [left() for left in kept] == [None] * len(kept)
