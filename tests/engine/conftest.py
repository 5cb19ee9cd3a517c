"""What the engine's tests share: the command line, and a model of the classroom treebank."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli.command_line import main
from engine.common import parallel
from engine.common.parallel import Done, Make
from engine.study import experiment_run
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli, Ran
from tests.trained import CLASSROOM, classroom_file

PROJECT = Path(__file__).parents[2]
TREEBANKS = PROJECT.parent / "shared" / "treebanks"


@pytest.fixture(scope="session")
def classroom_treebank() -> Path:
    """The project's own small treebank."""
    return CLASSROOM


@pytest.fixture(scope="session")
def treebanks() -> Path:
    """The folder of real treebanks, for tests that are marked ``slow``; without it they are skipped."""
    if not TREEBANKS.is_dir():
        pytest.skip(f"{TREEBANKS} is not there: real treebanks are no part of the project")
    return TREEBANKS


@pytest.fixture(scope="session")
def classroom_model() -> Path:
    """The file of a model trained on the classroom treebank."""
    return classroom_file()


@pytest.fixture(scope="session")
def classroom(classroom_model: Path) -> engine.Model:
    """The same model, loaded."""
    return engine.load(classroom_model)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    """Runs ``parse-engine`` in this process, with text or bytes as standard input."""

    def run(*arguments: object, stdin: str | bytes = b"") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        # Whatever happens, a person never sees a traceback.
        assert "Traceback" not in err and "through a fault of its own" not in err
        return Ran(status, out, err)

    yield run


class PickledWorkers:
    """What stands for worker processes: work of its own for each, and all that passes to and fro pickled."""

    def __init__(self, make: Make, most: int) -> None:
        self._make = pickle.dumps(make)
        self._works: list[Callable[[Any], Any]] = []
        self._most, self._given = most, 0

    def submit(self, batch: list[Any]) -> Future[Done]:
        """Do a batch at once, by the workers in turn."""
        if len(self._works) < self._most:
            self._works.append(pickle.loads(self._make)())
        work = self._works[self._given % self._most]
        self._given += 1
        results: list[Any] = []
        problem: Exception | None = None
        try:
            for task in pickle.loads(pickle.dumps(batch)):
                results.append(work(task))
        except Exception as error:
            problem = error
        future = Future[Done]()
        future.set_result(pickle.loads(pickle.dumps((results, problem))))
        return future

    def stop(self) -> None:
        """Nothing is left to stop."""

    def close(self) -> None:
        """Nor to wait for."""


@pytest.fixture
def pickled_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several jobs by the protocol of worker processes, without starting any."""
    monkeypatch.setattr(parallel, "WorkerProcesses", PickledWorkers)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for the experiments of the test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(experiment_run, "cache_folder", lambda: folder)
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, classroom_treebank: Path) -> Path:
    """A treebank of a few of the classroom's trees."""
    path = tmp_path_factory.mktemp("small") / "small.ptb"
    trees = [tree.brackets() for tree in read_treebank([classroom_treebank])][::13]
    path.write_text("\n".join(trees) + "\n")
    return path
