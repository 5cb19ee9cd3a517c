"""Work on a cluster: the same output as one process, whatever happens to workers, and a sentence when it cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.cli.command_line import main
from engine.common.errors import Cancelled, EngineError
from engine.common.parallel import AHEAD, ordered, place_of, stop_asked
from engine.compiled.cache import kernel_folder
from engine.model.model import Model, WorkerFactory
from engine.settings import Settings
from engine.study.evaluation import SentenceEvaluation, sentence_evaluator
from engine.training.reranker import train_reranker
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli
from tests.trained import QUICK
from tests.waiting import wait_until

distributed = pytest.importorskip("distributed")

from engine.cluster import dask_cluster as cluster_members  # noqa: E402
from engine.cluster import worker as file_store  # noqa: E402
from engine.cluster.dask_cluster import Cluster  # noqa: E402
from engine.cluster.worker import versions  # noqa: E402

pytestmark = pytest.mark.robust
WORKERS = 2


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A scheduler with two workers, which have disks of their own: they do not see our models."""
    folder = tmp_path_factory.mktemp("worker")
    # What was compiled for this machine they have, too.
    (folder / kernel_folder().name).symlink_to(kernel_folder())
    environment = {"PARSE_ENGINE_CACHE": str(folder)}
    with distributed.LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, env=environment, protocol="tcp://"
    ) as cluster:
        with distributed.Client(cluster, set_as_default=False) as client:
            client.run(see_store_only)
        yield cluster
        assert not cluster.scheduler.tasks, "the cluster is left as it was found"


@pytest.fixture
def address(local: Any) -> str:
    """Where the scheduler is."""
    return str(local.scheduler_address)


def see_store_only() -> None:
    """Have a worker find what was sent to it, and no file of the caller's."""
    file_store._candidates = lambda file: iter([file_store.place_in_store(file)])


class Squarer:
    """Work that notes what was begun, may wait, may fail and may kill its worker.

    Parameters
    ----------
    folder
        Where a task that was begun is noted, for other processes to see.
    bad, deadly, long
        The task that fails; the one that kills its worker the first time; the one that takes until it is stopped.
    always
        Whether the deadly one kills every worker.
    """

    def __init__(self, folder: Path, bad: int = -1, deadly: int = -1, long: int = -1, always: bool = False) -> None:
        self.folder, self.bad, self.deadly, self.long, self.always = folder, bad, deadly, long, always

    def __call__(self) -> Callable[[int], tuple[int, int]]:
        return self.square

    def square(self, number: int) -> tuple[int, int]:
        """Do a task."""
        begun = self.folder / str(number)
        again = begun.exists()
        begun.touch()
        if number == self.bad:
            raise EngineError(f"{number} is bad")
        if number == self.deadly and (self.always or not again):
            os._exit(9)
        if number == self.long:
            wait_until(stop_asked)
            (self.folder / "stopped").touch()
        return number * number, os.getpid()


class FileLength:
    """Tells how long a file of the caller's is, and where it was found."""

    def __init__(self, *files: Path) -> None:
        self.files = files

    def __call__(self) -> Callable[[int], tuple[int, str]]:
        return lambda number: (len(place_of(self.files[number]).read_bytes()), str(place_of(self.files[number])))


def both(cli: Cli, address: str, *command: object) -> tuple[Any, Any]:
    """What one process and the cluster say."""
    return cli(*command), cli(*command, "--cluster", address)


@pytest.mark.parametrize("form", [[], ["--format", "json", "--n-best", "3", "--preset", "4"]])
def test_parse_is_the_same(
    cli: Cli, address: str, classroom_model: Path, classroom_treebank: Path, form: list[str]
) -> None:
    one, many = both(cli, address, "parse", "--model", classroom_model, "--input", "trees", classroom_treebank, *form)
    assert one.out and one == many


def test_broken_lines_are_told_in_their_place(cli: Cli, address: str, classroom_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("Mary/NNP left/VBD\n\n/NN\nMary/XX left/VBD\n" * 30)
    one, many = both(cli, address, "parse", "--model", classroom_model, file)
    assert one.status == 1 and one == many


def test_tags_are_the_same(cli: Cli, address: str, classroom_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Mary saw the man. He left, she said.\n" * 20)
    one, many = both(cli, address, "tag", "--model", classroom_model, "--json", file)
    assert one.out and one == many


def test_evaluation_is_the_same(
    cli: Cli, address: str, classroom_model: Path, classroom_treebank: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "one.ptb", tmp_path / "many.ptb"]
    command = ["evaluate", "--model", classroom_model, classroom_treebank, "--json", "--output"]
    found = [json.loads(cli(*command, files[0]).out), json.loads(cli(*command, files[1], "--cluster", address).out)]
    for one in found:
        del one["seconds"], one["sentences_per_second"]
    assert found[0] == found[1]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_comparison_and_experiment_are_the_same(
    cli: Cli, address: str, classroom_model: Path, classroom_treebank: Path, tmp_path: Path
) -> None:
    some = tmp_path / "some.ptb"
    some.write_text("\n".join(tree.brackets() for tree in list(read_treebank([classroom_treebank]))[:40]))
    one, many = both(cli, address, "compare", "--model", classroom_model, some, "--json", "-")
    assert one.out and one == many
    command = ["experiment", "models", "--presets", "1", "--train", some, "--test", some, "--tags", "gold", "--json"]
    found = [json.loads(ran.out)["trials"][0]["measures"]["40"] for ran in both(cli, address, *command)]
    for measures in found:
        assert measures.pop("seconds") and measures.pop("sentences_per_second")
    assert found[0] == found[1]


def test_a_trained_model_is_the_same(cli: Cli, address: str, classroom_treebank: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    text = classroom_treebank.read_text()
    for number in range(6):
        (folder / f"{number}.ptb").write_text(text * 4)
    models = [tmp_path / "one.model", tmp_path / "many.model"]
    assert cli("train", folder, "--no-record", "-o", models[0]).status == 0
    assert cli("train", folder, "--no-record", "-o", models[1], "--cluster", address).status == 0
    assert models[0].read_bytes() == models[1].read_bytes()


def test_a_reranker_is_the_same(address: str, classroom_model: Path, classroom_treebank: Path) -> None:
    """Models of the parts are built by workers, come here, and go to those who parse with them."""
    trees = list(read_treebank([classroom_treebank]))
    with Cluster(address) as cluster:
        found = [
            train_reranker(Model.load(classroom_model), trees, Settings.preset(3), options=QUICK, jobs=jobs).reranker
            for jobs in (1, cluster)
        ]
        assert cluster.traffic.file_bytes
    assert found[0] is not None and found[1] is not None
    assert found[0].keys.tolist() == found[1].keys.tolist()
    assert found[0].weights.tolist() == found[1].weights.tolist()
    assert found[0].metadata == found[1].metadata


def test_order_errors_and_bounded_reading_are_those_of_processes(address: str, tmp_path: Path) -> None:
    read: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(400):
            read.append(number)
            yield number
        raise ValueError("no more")

    with Cluster(address) as cluster:
        squares: list[int] = []
        with pytest.raises(ValueError, match="no more"):
            squares += (square for square, _ in ordered(Squarer(tmp_path), tasks(), cluster, 4))
        read.clear()
        with closing(cluster.ordered(Squarer(tmp_path), tasks(), 1)) as results:
            assert next(results)[0] == 0
            assert len(read) <= 4 * AHEAD * WORKERS
        squares = []
        with pytest.raises(EngineError, match="17 is bad"):
            for square, process in ordered(Squarer(tmp_path, bad=17), range(40), cluster, 4):
                squares.append(square)
                assert process != os.getpid()
        assert squares == [number * number for number in range(17)]


def test_a_worker_that_dies_costs_its_share_again(local: Any, address: str, tmp_path: Path) -> None:
    before = set(local.scheduler.workers)
    with Cluster(address) as cluster:
        found = list(cluster.ordered(Squarer(tmp_path, deadly=30), range(60), 5))
    assert [square for square, _ in found] == [number * number for number in range(60)]
    wait_until(lambda: len(local.scheduler.workers) == WORKERS and set(local.scheduler.workers) != before)


def test_parses_are_the_same_though_a_worker_is_killed(
    local: Any, address: str, classroom_model: Path, classroom_treebank: Path
) -> None:
    golds = [tree.brackets() for tree in read_treebank([classroom_treebank])] * 8
    make = partial(sentence_evaluator, settings=Settings.preset(3), longest=None, gold_tags=True)
    factory: WorkerFactory[str, SentenceEvaluation] = WorkerFactory(classroom_model, make)
    expected = [found.tree for found in ordered(factory, golds)]
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(WORKERS, timeout=120)
        processes = list(client.run(os.getpid).values())
    trees = []
    with Cluster(address) as cluster:
        for done, found in enumerate(ordered(factory, golds, cluster, 4)):
            trees.append(found.tree)
            if done == 20:
                os.kill(processes[0], signal.SIGKILL)
    assert trees == expected
    wait_until(lambda: len(local.scheduler.workers) == WORKERS)


def test_a_task_that_kills_every_worker_is_named(local: Any, address: str, tmp_path: Path) -> None:
    before, local.scheduler.allowed_failures = local.scheduler.allowed_failures, 0
    try:
        with Cluster(address) as cluster, pytest.raises(EngineError, match="one of the items 1 to 3 of the input died"):
            list(cluster.ordered(Squarer(tmp_path, deadly=1, always=True), range(3), 3))
    finally:
        local.scheduler.allowed_failures = before
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(WORKERS, timeout=120)


def test_cancelled_work_is_taken_back_at_once(local: Any, address: str, tmp_path: Path) -> None:
    begun = tmp_path / "2"
    with Cluster(address) as cluster:
        with pytest.raises(Cancelled):
            list(cluster.ordered(Squarer(tmp_path, long=2), range(50), 1, begun.exists))
        wait_until((tmp_path / "stopped").exists)
        wait_until(lambda: not local.scheduler.tasks)


def test_a_file_reaches_a_machine_once(local: Any, address: str, tmp_path: Path) -> None:
    files = [tmp_path / "a.model", tmp_path / "b.model"]
    for number, file in enumerate(files):
        file.write_bytes(os.urandom(1000 + number))
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(WORKERS, timeout=120)
        client.run(see_store_only)
    with Cluster(address) as cluster, pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster_members, "PIECE_BYTES", 300)
        for _ in range(2):
            found = list(cluster.ordered(FileLength(*files), [0, 1, 0, 1], 1))
            assert [size for size, _ in found] == [1000, 1001, 1000, 1001]
            assert {Path(place).parent.name for _, place in found} == {"cluster"}
        assert cluster.traffic.file_bytes == 2001
        # Somebody emptied the folder: what comes back undone is sent again.
        place = Path(found[0][1])
        results = cluster.ordered(FileLength(*files), [0] * 100, 1)
        next(results)
        place.unlink()
        assert [size for size, _ in results] == [1000] * 99
        assert place.exists()


def test_a_worker_with_other_versions_is_named(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(versions(), "numpy", "1.2.3")
    said: list[str] = []
    with Cluster(address, said.append) as cluster:
        with pytest.raises(EngineError, match=r"^worker tcp://\S+ has numpy .* instead of 1\.2\.3; .* install there"):
            list(cluster.ordered(Squarer(tmp_path), range(3)))
        # Those who join later are asked when they are given work.
        monkeypatch.setattr(cluster_members.ClusterMembers, "check_versions", lambda self, cancelled: None)
        with pytest.raises(EngineError, match=r"no worker of the cluster at .* runs the versions that are here"):
            list(cluster.ordered(Squarer(tmp_path), range(3)))
    assert said and all(sentence.endswith("it is left out") for sentence in said)


def test_a_model_too_large_for_a_worker_is_a_sentence(
    cli: Cli, address: str, classroom_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_members, "PROGRAM_BYTES", 1 << 60)
    ran = cli("parse", "--model", classroom_model, "--cluster", address, stdin="a/DT\n")
    assert ran.status == 2 and "too much for worker tcp://" in ran.err and ran.err.count("\n") == 1


def test_a_scheduler_that_is_not_there_is_a_sentence(
    cli: Cli, classroom_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_members, "CONNECT_SECONDS", 0.3)
    for wrong, said in (
        ("tcp://127.0.0.1:9", "there is no scheduler at tcp://127.0.0.1:9"),
        ("nonsense://x:1", "is no address of a scheduler"),
    ):
        ran = cli("parse", "--model", classroom_model, "--cluster", wrong, stdin="a/DT\n")
        assert ran.status == 2 and said in ran.err and ran.err.count("\n") == 1


def test_without_the_extra_it_is_named(cli: Cli, classroom_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = cli("parse", "--model", classroom_model, "--cluster", "tcp://127.0.0.1:9", stdin="a/DT\n")
    assert ran.status == 2 and "pip install 'parse-explorer[cluster]'" in ran.err


def test_jobs_and_cluster_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--jobs", "2", "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "not allowed with" in capsys.readouterr().err


@contextmanager
def started(*command: object) -> Iterator[subprocess.Popen[bytes]]:
    """A program of dask's, ended at the end of the block."""
    program = [sys.executable, "-m", "dask", *map(str, command), "--no-dashboard"]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_scheduler_that_vanishes_and_one_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "scheduler.json"
    with started("scheduler", "--port", 0, "--host", "127.0.0.1", "--scheduler-file", file) as scheduler:
        wait_until(file.exists)
        with Cluster(json.loads(file.read_text())["address"]) as cluster:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(cluster_members, "CONNECT_SECONDS", 0.3)
                with pytest.raises(EngineError, match="has no workers; start some"):
                    list(cluster.ordered(Squarer(tmp_path), range(3)))
            with started("worker", "--scheduler-file", file, "--nthreads", 1, "--no-nanny"):
                results = cluster.ordered(Squarer(tmp_path), range(500), 1)
                assert next(results)[0] == 0
                scheduler.kill()
                before = time.monotonic()
                with pytest.raises(EngineError, match="was lost in the middle of the work"):
                    list(results)
                assert time.monotonic() - before < 10


def test_a_file_that_arrives_otherwise_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    model = tmp_path / "small.model"
    model.write_bytes(b"contents")
    file = file_store.work_file(model)
    with pytest.raises(EngineError, match=r"small\.model did not arrive"):
        file_store.receive(file, "sender", 0, b"CONTENTS")
    assert list(file_store.store_folder().iterdir()) == []
    file_store.receive(file, "sender", 0, b"contents")
    assert list(file_store.store_folder().iterdir()) == [file_store.place_in_store(file)]
