"""Files written as a whole, what a killed writer leaves, and files that are one user's alone."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.common.errors import EngineError
from engine.common.files import remove_abandoned_folders, replaced, temporary_folder, write_whole
from engine.common.locks import locked
from engine.common.private_files import NotPrivate, cache_folder, open_private, private_folder

WRITER = """
import sys
from pathlib import Path
from engine.common.files import replaced, temporary_folder
with temporary_folder() as folder, replaced(Path(sys.argv[1])) as beside:
    beside.write_bytes(b"half")
    print(folder, flush=True)
    sys.stdin.read()
"""


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _writer(target: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_writer_leaves_is_gone_when_the_next_one_writes(tmp_path: Path) -> None:
    target = tmp_path / "a.model"
    write_whole(target, b"old")
    process, folder = _writer(target)
    assert len(list(tmp_path.iterdir())) == 2 and folder.is_dir()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert target.read_bytes() == b"old"
    write_whole(target, b"new")
    with temporary_folder():
        assert not folder.exists()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_what_is_still_being_written_stays(tmp_path: Path) -> None:
    target = tmp_path / "a.model"
    process, folder = _writer(target)
    write_whole(target, b"new")
    remove_abandoned_folders()
    assert folder.is_dir()
    process.communicate("")
    assert process.returncode == 0
    assert target.read_bytes() == b"half"
    assert not folder.exists() and len(list(tmp_path.iterdir())) == 1


def test_a_file_keeps_its_permissions_and_a_private_one_is_private(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write_whole(target, b"1")
    assert _mode(target) == 0o666 & ~_umask()
    target.chmod(0o640)
    write_whole(target, b"2")
    assert _mode(target) == 0o640
    write_whole(target, b"3", private=True)
    assert _mode(target) == 0o600


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def test_nothing_but_a_file_is_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(EngineError, match="no file that could be replaced"):
        write_whole(pipe, b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_names_of_what_is_not_finished_cannot_be_guessed(tmp_path: Path) -> None:
    names = set()
    for _ in range(20):
        with replaced(tmp_path / "a") as beside:
            names.add(beside.name)
    assert len(names) == 20


def test_a_lock_follows_no_link_and_empties_no_file(tmp_path: Path) -> None:
    target, lock = tmp_path / "target", tmp_path / "lock"
    target.write_text("precious")
    lock.symlink_to(target)
    with pytest.raises(OSError), locked(lock, wait=False):
        pass
    assert target.read_text() == "precious"
    with locked(target, wait=False) as held:
        assert held
    assert target.read_text() == "precious"


def test_a_private_folder_is_closed_to_others(tmp_path: Path) -> None:
    made = private_folder(tmp_path / "a" / "b")
    assert _mode(made) == 0o700
    made.chmod(0o777)
    assert _mode(private_folder(made)) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_nothing_of_another_user_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(NotPrivate, match="belongs to another user"):
        private_folder(folder)
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(folder))
    assert cache_folder() == folder / f"user-{os.geteuid()}"
    planted = tmp_path / "planted"
    planted.write_bytes(b"1")
    os.chown(planted, 12345, 12345)
    with pytest.raises(NotPrivate):
        open_private(planted)


def test_only_files_that_nobody_else_can_write_are_read(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    write_whole(file, b"1", private=True)
    with open_private(file) as opened:
        assert opened.read() == b"1"
    link.symlink_to(file)
    with pytest.raises(OSError):
        open_private(link)
    os.mkfifo(pipe)
    with pytest.raises(NotPrivate):
        open_private(pipe)
    file.chmod(0o620)
    with pytest.raises(NotPrivate):
        open_private(file)


def test_temporary_folders_are_private_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as folder:
        assert folder.parent == tmp_path and _mode(folder) == 0o700
    assert not list(tmp_path.iterdir())
