"""The model of what a corpus takes on a cluster, and how tasks are cut into batches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cluster.batches import (
    BATCH_SECONDS,
    CLIENT,
    CORES,
    LARGEST_BATCH,
    SCHEDULER,
    WIRE,
    WORKERS,
    ClusterCost,
    TaskFeed,
)
from tests.engine.command_runner import Cli

COST = ClusterCost(
    words_per_sentence=20,
    worker_ms=2,
    client_ms=0.1,
    scheduler_ms=5,
    sent_bytes=300,
    received_bytes=500,
    model_bytes=1e9,
    start_seconds=4,
)


class Task:
    """A task that needs files."""

    def __init__(self, *files: Path) -> None:
        self.files = files


def test_the_slowest_part_decides() -> None:
    # 10⁹ words are 5·10⁷ sentences: 100,000 s of work, 5,000 s of the client, 200,000 batches.
    one = COST.predict(1e9, 1)
    assert one.limit == WORKERS and one.seconds == pytest.approx(4 + 8 + 100_000)
    assert one.wire_bytes == pytest.approx(5e7 * 800 + 1e9)
    many = COST.predict(1e9, 64)
    assert many.limit == CLIENT and many.seconds == pytest.approx(4 + 8 * 8 + 5_000)
    slow = COST.predict(1e9, 64, link=1e6)
    assert slow.limit == WIRE
    assert ClusterCost(worker_ms=2, client_ms=0.001, scheduler_ms=50).predict(1e9, 64).limit == SCHEDULER


def test_on_one_machine_cores_are_shared_and_the_model_does_not_travel() -> None:
    alone, more = COST.predict(1e6, 1, cores=2), COST.predict(1e6, 4, cores=2)
    assert alone.limit == WORKERS and alone.seconds == pytest.approx(4 + 100)
    assert more.limit == CORES and more.seconds == pytest.approx(4 + (100 + 5 + 1) / 2)


def test_the_command_prints_a_table_and_json(cli: Cli) -> None:
    ran = cli("cluster-cost", "--words", "1e6", "--workers", 1, 4, "--words-per-sentence", 20, "--worker-ms", 2)
    assert ran.status == 0 and ran.out.startswith("1,000,000 words, 50,000 sentences\n")
    assert [line.split()[0] for line in ran.out.splitlines()[3:]] == ["1", "4"]
    found = json.loads(cli("cluster-cost", "--words", "1e6", "--workers", 2, "--json").out)
    assert found["predictions"][0]["workers"] == 2
    assert cli("cluster-cost", "--words", "0").status == 2


def test_batches_grow_and_shrink_with_the_time_that_tasks_take() -> None:
    feed = TaskFeed(range(10**9), 4)
    sizes, first = [], 1
    for seconds_each in [0.001] * 12 + [0.25] * 12:
        batch = feed.take()
        assert batch is not None and batch.first == first
        first += len(batch.tasks)
        sizes.append(len(batch.tasks))
        feed.learn(len(batch.tasks), seconds_each * len(batch.tasks))
    assert sizes[0] == 4 and sizes[11] == BATCH_SECONDS / 0.001 and sizes[-1] == BATCH_SECONDS / 0.25
    assert max(sizes) <= LARGEST_BATCH


def test_batches_are_cut_where_other_files_are_needed_and_wait_for_them(tmp_path: Path) -> None:
    there, coming = tmp_path / "there", tmp_path / "coming"
    there.touch()
    feed = TaskFeed([Task(), Task(there), Task(there), Task(coming), Task(coming)], 10)
    taken = [feed.take(), feed.take(), feed.take()]
    assert [batch and (len(batch.tasks), batch.files) for batch in taken] == [(1, ()), (2, (there,)), None]
    assert feed.lacking == coming
    coming.touch()
    last = feed.take()
    assert last is not None and (len(last.tasks), last.first, last.files) == (2, 4, (coming,))
    assert feed.take() is None and feed.lacking is None
