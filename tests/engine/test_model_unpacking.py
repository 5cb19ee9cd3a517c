"""A packed model is unpacked once; whatever becomes of its copy, the model that is opened is the same."""

from __future__ import annotations

import errno
import os
import shutil
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from engine.chart.parser import Parser
from engine.common.errors import ModelError
from engine.common.files import try_lock
from engine.gate import array_file as storage
from engine.model import file_cache as unpacking
from engine.model.counts_file import ARRAYS
from engine.model.file_cache import KEPT_COPIES, place_of_copy, wait_for_copies
from engine.model.model import Model
from engine.training.train import train
from engine.trees.reading import read_tree

SENTENCE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, with copies even of small models."""
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 0)
    return tmp_path / "cache"


@pytest.fixture
def packed(classroom: Model, tmp_path: Path) -> Path:
    """The file of a packed model."""
    path = tmp_path / "packed.model"
    classroom.save(path, packed=True)
    return path


def load(path: Path) -> Model:
    """Open a model, and wait for its copy."""
    model = Model.load(path)
    wait_for_copies()
    return model


def copy_of(path: Path) -> Path:
    """Where its copy is."""
    place = place_of_copy(path)
    assert place is not None
    return place


def same(one: Model, other: Model) -> bool:
    """Whether two models hold the same."""
    equal = all(np.array_equal(getattr(one.counts, name), getattr(other.counts, name)) for name in ARRAYS)
    return equal and one.vocabulary == other.vocabulary and one.metadata == other.metadata


def test_the_second_time_nothing_is_unpacked(classroom: Model, packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not copy_of(packed).exists()
    first = load(packed)
    assert copy_of(packed).exists() and not storage.is_packed(copy_of(packed))
    opened = []

    def read_arrays(path: Path, private: bool = False) -> object:
        opened.append(path)
        return storage.read_arrays(path, private)

    monkeypatch.setattr(unpacking, "read_arrays", read_arrays)
    second = load(packed)
    assert opened == [copy_of(packed)]
    assert same(first, classroom) and same(second, classroom)
    parses = [Parser.preset(model, 3).parse(SENTENCE) for model in (first, second, classroom)]
    assert len({(str(parse.tree), parse.log_probability) for parse in parses}) == 1


def test_a_small_model_and_one_that_is_not_packed_have_no_copy(
    classroom: Model, classroom_model: Path, packed: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert same(load(classroom_model), classroom)
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 1 << 40)
    assert same(load(packed), classroom)
    assert not list(folder.glob("*.model"))


@pytest.mark.parametrize("place", [0, 9, 13, 40, 0.3, 0.5, 0.7, 0.9, -100])
def test_an_altered_copy_is_not_used_and_made_anew(classroom: Model, packed: Path, place: float) -> None:
    load(packed)
    copy = copy_of(packed)
    whole = copy.read_bytes()
    changed = bytearray(whole)
    changed[int(place * len(whole)) if isinstance(place, float) else place] ^= 0xFF
    altered = bytes(changed)
    copy.write_bytes(altered)
    try:
        storage.read_arrays(copy)
        # Between two arrays, where nothing is.
        expected = altered
    except ModelError:
        expected = whole
    assert same(load(packed), classroom)
    assert copy.read_bytes() == expected


@pytest.mark.parametrize("length", [0, 5, 16, 500, 0.5, -1])
def test_a_copy_cut_short_is_not_used_and_made_anew(classroom: Model, packed: Path, length: float) -> None:
    load(packed)
    copy = copy_of(packed)
    whole = copy.read_bytes()
    copy.write_bytes(whole[: int(length * len(whole)) if isinstance(length, float) else length])
    assert same(load(packed), classroom)
    assert copy.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_no_obstacle(classroom: Model, packed: Path, folder: Path) -> None:
    folder.write_text("no folder")
    assert same(load(packed), classroom)
    assert same(load(packed), classroom)
    assert folder.read_text() == "no folder"


def test_a_full_disk_is_no_obstacle(
    classroom: Model, packed: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**9, 10**9 - 1000, 1000))
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(folder))
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 0)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == []


def test_an_altered_model_is_refused_although_there_is_a_copy(packed: Path) -> None:
    load(packed)
    assert copy_of(packed).exists()
    content = bytearray(packed.read_bytes())
    content[len(content) // 2] ^= 0xFF
    packed.write_bytes(content)
    os.utime(packed, ns=(1, 1))
    with pytest.raises(ModelError, match=r"packed\.model: the model file was altered"):
        Model.load(packed)
    packed.unlink()
    with pytest.raises(ModelError, match="there is no such model file"):
        Model.load(packed)


def test_only_the_copies_used_last_are_kept(classroom: Model, packed: Path, folder: Path, tmp_path: Path) -> None:
    content = packed.read_bytes()
    paths = [tmp_path / f"{number}.model" for number in range(KEPT_COPIES + 3)]
    for number, path in enumerate(paths):
        path.write_bytes(content)
        os.utime(path, ns=(number, number))
        load(path)
        # The first is used again and again.
        load(paths[0])
        os.utime(copy_of(path), (1000 + number, 1000 + number))
        os.utime(copy_of(paths[0]), (2000, 2000))
    kept = {copy_of(path) for path in (paths[0], *paths[-KEPT_COPIES + 1 :])}
    assert set(folder.iterdir()) == kept


def test_what_was_never_finished_is_removed_and_what_is_being_written_is_left_alone(
    classroom: Model, packed: Path, folder: Path
) -> None:
    folder.mkdir()
    (folder / ".unpacked-a.model.1-1.part").touch()
    stray, written = (folder / f".{copy_of(packed).name}.{name}.part" for name in ("2-2", "3-3"))
    # In the future: the clock was set back since.
    stray.touch()
    os.utime(stray, (2**33, 2**33))
    with written.open("wb") as file:
        assert try_lock(file.fileno())
        assert same(load(packed), classroom)
        # Another process writes this very copy.
        assert list(folder.iterdir()) == [written]
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == [copy_of(packed)]


@pytest.mark.parametrize("how", ["writable by others", "another user's", "a link"])
def test_a_copy_that_another_user_could_have_written_is_not_used(
    classroom: Model, packed: Path, tmp_path: Path, how: str
) -> None:
    """Whoever can write a copy could put any model in the place of one that is trusted."""
    load(packed)
    copy = copy_of(packed)
    planted = tmp_path / "planted.model"
    train([read_tree("(S (NP (NNP Mary)) (VP (VBD left)))")], tagger=False).save(planted)
    copy.unlink()
    if how == "a link":
        copy.symlink_to(planted)
    else:
        shutil.copy(planted, copy)
        copy.chmod(0o622 if how == "writable by others" else 0o600)
        if how == "another user's":
            if os.geteuid():
                pytest.skip("only root can give a file to another user")
            os.chown(copy, 12345, 12345)
    for _ in range(2):
        assert same(load(packed), classroom)
    assert copy.is_file() and not copy.is_symlink() and copy.stat().st_mode & 0o777 == 0o600
    assert copy.stat().st_uid == os.geteuid() and planted.exists()


def test_a_model_cannot_be_made_so_that_its_copy_takes_the_place_of_another(packed: Path, tmp_path: Path) -> None:
    """Size, time and checksum of a file are its author's to choose."""
    other = tmp_path / "other.model"
    shutil.copy2(packed, other)
    assert other.stat().st_mtime_ns == packed.stat().st_mtime_ns
    assert copy_of(other) != copy_of(packed)


def test_the_copy_of_one_file_is_not_that_of_another(packed: Path) -> None:
    status = packed.stat()
    # One that was written in the same moment, and whose header has the same checksum.
    times = {"st_mtime_ns": status.st_mtime_ns, "st_ctime_ns": status.st_ctime_ns}
    other = os.stat_result((status[0], status.st_ino + 1, *status[2:]), times)
    assert (other.st_mtime_ns, other.st_size) == (status.st_mtime_ns, status.st_size)
    assert place_of_copy(packed, other) != place_of_copy(packed, status) == copy_of(packed)
