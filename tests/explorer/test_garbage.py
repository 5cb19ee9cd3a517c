"""All garbage is collected a while after the last task, and not while one runs."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from explorer.kit import tasks as garbage
from explorer.kit.tasks import GarbageCollection, TaskMonitor, Worker


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
