"""A model file that is changed while it is in use: the process lives, keeps to what it has opened, and says so."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.cli.command_line import main
from engine.common.errors import ModelError
from engine.gate.files import copy_file
from engine.gate.private_files import CACHE_VARIABLE
from engine.model import file_cache
from engine.model.model import Model, WorkerFactory
from tests.trained import classroom_file

SENTENCE = "Mr./NNP Smith/NNP saw/VBD the/DT man/NN with/IN a/DT dog/NN ./."
USER = """
import sys
from pathlib import Path
from engine.chart.parser import Parser
from engine.model import file_cache
from engine.model.counts_file import counts_arrays
from engine.model.model import Model
from engine.model.file_cache import wait_for_copies

file_cache.LEAST_BYTES = int(sys.argv[2])
model = Model.load(sys.argv[1])
wait_for_copies()
print("open", flush=True)
sys.stdin.readline()
print(sum(int(array.astype("u8").sum()) & 0xFFFFFFFF for array in counts_arrays(model.counts).values()))
print(Parser.preset(model, 3).parse(sys.argv[3]).tree)
"""
"""Opens a model, waits for a line, and then looks at every count and parses."""
LARGE, SMALL = 0, 1 << 40
"""From how many bytes on a model is kept beside its file: this one's are so many, or they are not."""


def _truncated(path: Path) -> None:
    os.truncate(path, 0)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _copied_over(path: Path) -> None:
    """As `cp` and `scp` do: emptied, and written anew."""
    with path.open("wb") as file:
        file.write(b"another file")


def _downloaded_over(path: Path) -> None:
    """As `wget -O` does, which is slow: emptied, and begun."""
    content = path.read_bytes()
    with path.open("wb") as file:
        file.write(content[: len(content) // 10])


def _synchronised(path: Path) -> None:
    """As `rsync --inplace` does: parts of it written over."""
    with path.open("r+b") as file:
        for place in range(0, path.stat().st_size, 8192):
            file.seek(place)
            file.write(os.urandom(4096))
        file.truncate(path.stat().st_size // 3)


def _holed(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(4096)
        file.truncate(1 << 20)


def _replaced(path: Path) -> None:
    beside = path.with_name("beside")
    beside.write_bytes(b"another file")
    beside.replace(path)


def _removed(path: Path) -> None:
    path.unlink()


def _moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


CHANGES: tuple[Callable[[Path], None], ...] = (
    _truncated,
    _cut,
    _copied_over,
    _downloaded_over,
    _synchronised,
    _holed,
    _replaced,
    _removed,
    _moved,
)


@pytest.fixture
def own_model(tmp_path: Path) -> Path:
    """A model of the user's own, in a folder of his own, that is not packed."""
    return Path(shutil.copy(classroom_file(), tmp_path / "own.model"))


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """What is said with the file as it was."""
    return _said(classroom_file(), LARGE, lambda path: None)


@contextmanager
def _user(path: Path, least: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", USER, str(path), str(least), SENTENCE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


def _said(path: Path, least: int, change: Callable[[Path], None]) -> str:
    with _user(path, least) as process:
        change(path)
        said, _ = process.communicate("go on\n", timeout=120)
        assert process.returncode == 0, signal.strsignal(-process.returncode)
        return said


@pytest.mark.parametrize("least", [LARGE, SMALL])
@pytest.mark.parametrize("change", CHANGES)
def test_the_model_in_use_stays_as_it_was(
    own_model: Path, undisturbed: str, change: Callable[[Path], None], least: int, tried: Callable[[str], None]
) -> None:
    assert _said(own_model, least, change) == undisturbed
    tried("a model file changed while it is open")


@pytest.mark.parametrize("change", CHANGES)
def test_without_a_cache_it_is_the_same(
    own_model: Path,
    undisturbed: str,
    change: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
    tried: Callable[[str], None],
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "/dev/null/no-folder")
    assert _said(own_model, LARGE, change) == undisturbed
    tried("a model file changed while it is open")


def test_processes_that_open_it_at_once_have_one_copy(own_model: Path, tmp_path: Path, undisturbed: str) -> None:
    with _user(own_model, LARGE) as one, _user(own_model, LARGE) as other:
        maps = [Path(f"/proc/{user.pid}/maps").read_text() for user in (one, other)]
        mapped = [{line.split()[4] for line in text.splitlines() if line.endswith(".model")} for text in maps]
        assert len(mapped[0]) == 1 and mapped[0] == mapped[1]
        assert not any(str(own_model) in text for text in maps)


def test_a_damaged_file_is_named_and_leaves_no_copy(
    own_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(file_cache, "LEAST_BYTES", LARGE)
    content = bytearray(own_model.read_bytes())
    content[len(content) // 2] ^= 0xFF
    own_model.write_bytes(content)
    with pytest.raises(ModelError, match=rf"^{own_model}: the model file was altered"):
        Model.load(own_model)
    assert not list((tmp_path / "cache").glob("*same*"))


def test_a_file_that_is_changed_while_it_is_copied_is_not_used(
    own_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(file_cache, "LEAST_BYTES", LARGE)

    def changed(*arguments: object) -> None:
        copy_file(*arguments)  # type: ignore[arg-type]
        with own_model.open("ab") as file:
            file.write(b"more")

    monkeypatch.setattr(file_cache, "copy_file", changed)
    with pytest.raises(ModelError, match="replaced while it was opened"):
        Model.load(own_model)
    assert not list((tmp_path / "cache").glob("*same*"))


def test_one_too_large_for_memory_needs_a_cache(own_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_cache, "LEAST_BYTES", LARGE)
    monkeypatch.setattr("engine.gate.array_file.LARGEST_UNPACKED", 1 << 10)
    assert Parser.preset(Model.load(own_model)).parse(SENTENCE).tree
    monkeypatch.setenv(CACHE_VARIABLE, "/dev/null/no-folder")
    with pytest.raises(ModelError, match="too large to be read into memory"):
        Model.load(own_model)


def test_a_command_tells_that_its_model_was_changed(
    own_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = tmp_path / "sentences"
    sentences.write_text(SENTENCE)
    command = ["parse", str(sentences), "--model", str(own_model)]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert out and not err
    load = Model.load

    def loaded(path: Path) -> Model:
        model = load(path)
        _copied_over(own_model)
        return model

    monkeypatch.setattr(Model, "load", loaded)
    assert main(command) == 0
    told = capsys.readouterr()
    assert told.out == out
    assert told.err.count(f"{own_model}: the model file was changed while it was in use; the results are those of") == 1


def test_workers_have_the_model_of_the_command(own_model: Path) -> None:
    model = Model.load(own_model)
    factory: WorkerFactory[str, Parse] = WorkerFactory(own_model, _parsing, model.digest)
    assert factory()(SENTENCE).tree == Parser.preset(model).parse(SENTENCE).tree
    model.with_reranker(None).save(own_model)
    assert factory()(SENTENCE).tree, "the same contents once more"
    Model(model.vocabulary, model.counts, {**model.metadata, "sentences": 7}, model.rules).save(own_model)
    with pytest.raises(ModelError, match="was changed while it was in use; begin again"):
        factory()


def _parsing(model: Model) -> Callable[[str], Parse]:
    return Parser.preset(model).parse
