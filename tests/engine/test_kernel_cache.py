"""Compiled kernels are read only if they are whole and this user's own; what is not is compiled anew."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

from engine.compiled import cache
from engine.compiled.cache import KERNEL_SUFFIX, KernelDamaged
from engine.gate import private_files
from engine.model.model import Model
from engine.warm_up import compile_now
from tests.engine.test_first_use import SCRIPT, answer, environment, run
from tests.waiting import wait_until

VARIANTS = 60
SEARCH = "engine.chart.chart_kernel.search."


def twice(number: int) -> int:
    """What is compiled here."""
    return 2 * number


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for this process that holds one kernel, which a part lists."""
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(private_files, "_problem", "")
    assert cache.is_usable()
    assert compiled(is_entry=True)(3) == 6
    cache.compile_part("search", lambda: ["kernel"])
    return cache.kernel_folder()


def compiled(is_entry: bool) -> Any:
    """The kernel, which this process knows nothing of yet."""
    import numba

    from engine.compiled.compiler import keep_compiled

    fresh = FunctionType(twice.__code__, twice.__globals__, twice.__name__)
    made = numba.njit(fresh)
    keep_compiled(made, cache.kernel_folder(), is_entry)
    return made


def read(is_entry: bool = True) -> bool:
    """Whether the kernel was read from the cache."""
    made = compiled(is_entry)
    assert made(4) == 8
    return not sum(made.stats.cache_misses.values())


def kernel_file(folder: Path) -> Path:
    """The only one."""
    [path] = folder.glob(f"*{KERNEL_SUFFIX}")
    return path


class Planted:
    """What runs a command when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        """Run it."""
        return os.mkdir, (str(self.marker),)


def damaged(whole: bytes) -> Iterator[bytes]:
    """Files as crashes, disks and editors leave them."""
    chance = random.Random(7)
    for length in (0, 1, 8, 39, 40, 41, len(whole) // 2, len(whole) - 1):
        yield whole[:length]
    yield whole + b"\0"
    yield bytes(len(whole))
    for _ in range(VARIANTS):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        yield bytes(changed)


def test_a_damaged_kernel_is_never_run_and_its_part_is_compiled_anew(own_cache: Path) -> None:
    path = kernel_file(own_cache)
    whole = path.read_bytes()
    assert read()
    count = 0
    for content in damaged(whole):
        path.write_bytes(content)
        cache.note_used(path.name)
        cache.compile_part("search", lambda: ["kernel"])
        assert cache.is_compiled(["search"])
        # What Python calls runs interpreted meanwhile; what kernels call is compiled with them.
        with pytest.raises(KernelDamaged):
            read()
        assert not path.exists() and not cache.is_compiled(["search"]) and "search" in cache.free_parts()
        count += 1
    assert count == VARIANTS + 10
    assert not read() and path.read_bytes()[:8] == whole[:8] and read()
    path.write_bytes(whole[:-1])
    assert not read(is_entry=False) and read()


def test_a_kernel_that_is_listed_and_gone_is_compiled_anew(own_cache: Path) -> None:
    kernel_file(own_cache).unlink()
    with pytest.raises(KernelDamaged):
        read()
    assert not cache.is_compiled(["search"]) and not read() and read()


def test_a_kernel_in_the_place_of_another_is_not_run(own_cache: Path) -> None:
    path = kernel_file(own_cache)
    made = compiled(is_entry=True)
    assert made(1.5) == 3.0
    [other] = set(own_cache.glob(f"*{KERNEL_SUFFIX}")) - {path}
    shutil.copy(other, path)
    with pytest.raises(KernelDamaged):
        read()


def test_folders_and_files_are_closed_to_others(own_cache: Path) -> None:
    old = os.umask(0)
    try:
        kernel_file(own_cache).unlink()
        assert not read(is_entry=False)
    finally:
        os.umask(old)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (own_cache, own_cache.parent, *own_cache.iterdir())}
    assert len(modes) >= 4
    assert {mode for name, mode in modes.items() if "." in name} == {0o600}
    assert own_cache.stat().st_mode & 0o777 == own_cache.parent.stat().st_mode & 0o777 == 0o700


def planted_content(marker: Path) -> bytes:
    """A file of a kernel with a right digest, which runs a command when it is read."""
    content = pickle.dumps(Planted(marker))
    return b"PARSEKR\n" + hashlib.sha256(content).digest() + content


@pytest.mark.parametrize("how", ["writable by others", "another user's", "a link", "a pipe"])
def test_what_another_user_could_have_written_is_not_unpickled(own_cache: Path, tmp_path: Path, how: str) -> None:
    path, marker = kernel_file(own_cache), tmp_path / "ran"
    path.unlink()
    if how == "a link":
        (tmp_path / "elsewhere").write_bytes(planted_content(marker))
        path.symlink_to(tmp_path / "elsewhere")
    elif how == "a pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(planted_content(marker))
        path.chmod(0o622 if how == "writable by others" else 0o600)
        if how == "another user's":
            if os.geteuid():
                pytest.skip("only root can give a file to another user")
            os.chown(path, 12345, 12345)
    with pytest.raises(KernelDamaged):
        read()
    assert not marker.exists() and not read() and read()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_not_used(own_cache: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    path = kernel_file(own_cache)
    path.write_bytes(planted_content(marker))
    for one in (own_cache, *own_cache.iterdir()):
        os.chown(one, 12345, 12345)
    assert not cache.is_usable() and not read() and not marker.exists()
    assert cache.free_parts() == [] and not cache.is_compiled()
    assert private_files.take_cache_problem().count("belongs to another user") == 1
    compile_now()


def test_numbas_own_folder_is_not_used(classroom_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    run(SCRIPT, classroom_model, private_files.cache_folder(), NUMBA_CACHE_DIR=str(folder))
    assert not list(folder.iterdir())


# The whole program


@pytest.fixture
def copied_cache(tmp_path: Path) -> Path:
    """A copy of this machine's cache, which holds everything."""
    compile_now()
    copied = tmp_path / "copied"
    shutil.copytree(cache.kernel_folder(), copied / cache.kernel_folder().name)
    return copied


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "gone"])
def test_a_program_with_a_damaged_cache_works_and_mends_it(
    classroom_model: Path, classroom: Model, copied_cache: Path, damage: str
) -> None:
    folder = copied_cache / cache.kernel_folder().name
    for path in folder.glob(f"{SEARCH}*"):
        whole = path.read_bytes()
        if damage == "gone":
            path.unlink()
        else:
            middle = len(whole) // 2
            changed = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
            path.write_bytes({"empty": b"", "cut": whole[:-100], "changed": changed}[damage])
    _, state, found = run(SCRIPT, classroom_model, copied_cache)
    # Some kernels ran compiled, and a child compiles what was damaged.
    assert state.split()[0] == "True" and state.split()[2] == "True"
    assert found == answer(classroom)
    assert not (folder / "search.json").exists() and (folder / "tagger.json").exists()


def test_what_was_damaged_is_compiled_anew_in_the_background(copied_cache: Path) -> None:
    folder = copied_cache / cache.kernel_folder().name
    files = json.loads((folder / "tagger.json").read_text())["files"]
    entries = [folder / name for name in files if name.startswith("engine.tagger.") and "-callee" not in name]
    damaged_file = min(entries, key=lambda path: path.stat().st_size)
    damaged_file.write_bytes(b"")
    (folder / "tagger.json").unlink()
    (folder / ".tagger.json.1-1.part").write_bytes(b"half")
    command = [sys.executable, "-m", "engine.warm_up", "tagger"]
    with subprocess.Popen(command, env=environment(copied_cache)) as child:
        wait_until(lambda: (folder / "tagger.json").exists() or child.poll() is not None, 120)
        assert child.wait(60) == 0
    listed = cast("dict[str, list[str]]", json.loads((folder / "tagger.json").read_text()))
    assert damaged_file.name in listed["files"] and all(
        (folder / name).stat().st_size > 100 for name in listed["files"]
    )
    assert not list(folder.glob(".*"))
