"""What the engine's tests share: the command line, and a model of the classroom treebank."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.cli.command_line import main
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
