"""Work off the GUI thread: delivered there, dropped when outdated, and giving way to the window."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from explorer.kit.tasks import Job, Worker


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker("test", newest_only=True)
    yield made
    made.stop()


def refuse(error: Exception) -> None:
    raise AssertionError(error)


def test_work_that_gives_way_waits_for_what_the_window_has_to_do(qtbot: QtBot, worker: Worker) -> None:
    done: list[str] = []
    begun = threading.Event()

    def work(job: Job) -> None:
        begun.set()
        job.let_window_go_first()
        done.append("work")

    worker.request(work, lambda _: done.append("then"), refuse)
    assert begun.wait(5)
    QTimer.singleShot(0, worker, lambda: done.append("window"))
    qtbot.waitUntil(lambda: "then" in done, timeout=5000)
    assert done == ["window", "work", "then"]


def test_work_that_waits_for_the_window_can_be_cancelled_meanwhile(qtbot: QtBot, worker: Worker) -> None:
    done: list[str] = []
    begun = threading.Event()

    def work(job: Job) -> None:
        begun.set()
        job.let_window_go_first()
        done.append("work")

    worker.request(work, lambda _: done.append("then"), refuse, on_finished=lambda: done.append("ended"))
    assert begun.wait(5)
    # The window stands still here: it never waves the work on, and ends the thread all the same.
    worker.stop()
    qtbot.waitUntil(lambda: bool(done), timeout=5000)
    assert done == ["ended"]


def test_of_requests_that_follow_each_other_the_newest_counts(qtbot: QtBot, worker: Worker) -> None:
    found: list[int] = []
    for number in range(20):
        worker.request(lambda job, number=number: number, found.append, refuse)  # type: ignore[misc]
    assert worker.busy
    qtbot.waitUntil(lambda: bool(found) and not worker.busy, timeout=5000)
    assert found == [19]


def test_an_error_belongs_to_whoever_asked_and_the_thread_lives_on(qtbot: QtBot, worker: Worker) -> None:
    errors: list[Exception] = []
    found: list[object] = []

    def broken(job: Job) -> None:
        raise ValueError("no")

    worker.request(broken, found.append, errors.append)
    qtbot.waitUntil(lambda: bool(errors), timeout=5000)
    worker.request(lambda job: "yes", found.append, errors.append)
    qtbot.waitUntil(lambda: bool(found), timeout=5000)
    assert found == ["yes"] and [str(error) for error in errors] == ["no"]


def test_outdated_work_that_rests_does_not_keep_the_next_waiting(qtbot: QtBot, worker: Worker) -> None:
    resting = threading.Event()
    found: list[str] = []

    def rest(job: Job) -> None:
        resting.set()
        job.rest(60.0)

    worker.request(rest, found.append, refuse)
    assert resting.wait(5)
    worker.request(lambda job: "next", found.append, refuse)
    qtbot.waitUntil(lambda: found == ["next"], timeout=5000)


def test_what_is_asked_for_after_the_end_is_not_begun(qtbot: QtBot) -> None:
    worker = Worker("closed")
    done: list[object] = []
    worker.close()
    job = worker.request(lambda job: done.append(job), done.append, done.append)
    assert job.cancelled and not worker.busy
    worker.finish()
    assert not done
