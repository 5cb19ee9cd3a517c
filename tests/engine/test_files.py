"""Files written as a whole, what a killed writer leaves, and files that are one user's alone."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from engine.common.errors import EngineError
from engine.common.files import (
    check_outputs,
    check_writable,
    is_being_written,
    lock_beside,
    locked,
    locked_beside,
    new_part,
    remove_abandoned,
    remove_abandoned_folders,
    replaced,
    temporary_folder,
    write_whole,
)
from engine.gate import text_stream
from engine.gate.private_files import NotPrivate, cache_folder, open_private, private_folder
from engine.gate.text_stream import read_text
from engine.study.evidence import kept_trees
from engine.study.journal import Journal
from engine.study.parseval import read_parameters
from engine.trees.head_rules import load_head_rules
from engine.trees.treebank import read_treebank

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


@pytest.mark.parametrize("letter", ["n", "ö"])
@pytest.mark.parametrize("size", [100, 223, 224, 240, 255])
def test_a_file_has_any_name_that_the_disk_allows(tmp_path: Path, size: int, letter: str) -> None:
    path = tmp_path / (letter * 255).encode()[:size].decode(errors="ignore")
    check_outputs([str(path)])
    write_whole(path, b"written")
    assert path.read_bytes() == b"written" and list(tmp_path.iterdir()) == [path]


def test_what_is_left_of_files_with_long_names_goes_with_the_right_one(tmp_path: Path) -> None:
    one, other = tmp_path / ("n" * 250), tmp_path / ("n" * 249 + "m")
    left, file = new_part(one)
    file.close()
    assert is_being_written(one) and not is_being_written(other)
    write_whole(other, b"")
    assert left.exists()
    write_whole(one, b"")
    assert sorted(tmp_path.iterdir()) == [other, one]
    with locked_beside(one):
        assert lock_beside(one).exists()


def test_nothing_but_a_file_is_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(EngineError, match="no file that could be replaced"):
        write_whole(pipe, b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_link_of_ones_own_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, middle, link = tmp_path / "elsewhere" / "file", tmp_path / "middle", tmp_path / "link"
    middle.symlink_to("elsewhere/file")
    link.symlink_to(middle)
    for content in (b"1", b"2"):
        check_writable(link)
        write_whole(link, content)
        assert link.is_symlink() and middle.is_symlink() and file.read_bytes() == content
    assert len(list(tmp_path.iterdir())) == 3 and list(file.parent.iterdir()) == [file]


def test_what_was_abandoned_beside_the_file_of_a_link_is_removed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    link.symlink_to(file)
    part, opened = new_part(file)
    opened.close()
    assert part.exists()
    remove_abandoned(link)
    assert not list(file.parent.iterdir())


def refused_to_write(path: Path, why: str) -> bool:
    for write in (check_writable, lambda path: write_whole(path, b"2")):
        with pytest.raises(EngineError, match=why):
            write(path)
    return True


def test_links_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    one, other, device = tmp_path / "one", tmp_path / "other", tmp_path / "device"
    one.symlink_to(other)
    other.symlink_to(one)
    device.symlink_to("/dev/null")
    assert refused_to_write(one, "lead round in a circle; name a file") and one.is_symlink() and other.is_symlink()
    assert refused_to_write(device, "device|no file") and device.is_symlink()
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make another's link")
def test_a_link_of_another_user_leads_to_no_file_of_this_one(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"1")
    link.symlink_to(file)
    os.chown(link, 12345, 12345, follow_symlinks=False)
    assert refused_to_write(link, "link of another user to .*; name a file itself")
    assert link.is_symlink() and file.read_bytes() == b"1"


def test_the_output_of_a_shell_is_not_replaced(tmp_path: Path) -> None:
    output = tmp_path / "stdout"
    output.symlink_to("/proc/self/fd/1")
    trees = tmp_path / "trees.ptb"
    trees.write_text("(S (NN a))\n")
    command = [sys.executable, "-m", "engine", "convert", str(trees), "--to", "brackets", "-o", str(output)]
    with (tmp_path / "out.txt").open("wb") as redirected:
        ran = subprocess.run(command, stdout=redirected, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1
    assert "name a file" in ran.stderr and output.is_symlink() and not (tmp_path / "out.txt").read_bytes()


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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_link_of_another_user_leads_to_no_folder_of_this_one(tmp_path: Path) -> None:
    mine, link = tmp_path / "mine", tmp_path / "link"
    mine.mkdir(mode=0o755)
    link.symlink_to(mine)
    assert private_folder(link) == link and _mode(mine) == 0o700
    mine.chmod(0o755)
    os.chown(link, 12345, 12345, follow_symlinks=False)
    with pytest.raises(NotPrivate, match="link of another user"):
        private_folder(link)
    assert _mode(mine) == 0o755


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


def test_whoever_tidies_up_never_takes_away_what_is_being_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    child = os.fork()
    if not child:
        while True:
            remove_abandoned(path)
    try:
        for number in range(300):
            write_whole(path, str(number).encode())
        assert path.read_bytes() == b"299"
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="tidies up in a forked process")
def test_whoever_tidies_up_never_takes_away_a_folder_that_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    child = os.fork()
    if not child:
        while True:
            remove_abandoned_folders()
    try:
        for number in range(300):
            with temporary_folder() as folder:
                (folder / "file").write_text(str(number))
                assert folder.parent == tmp_path
        assert not list(tmp_path.iterdir())
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _problem(work: Callable[[], object]) -> str:
    """What some work is refused with, which must be soon."""
    said: list[str] = []

    def run() -> None:
        try:
            work()
        except EngineError as error:
            said.append(str(error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20.0)
    assert said, "it waits without end" if thread.is_alive() else "it is read"
    return said[0]


@pytest.mark.parametrize(
    "read",
    [
        engine.load,
        Journal,
        load_head_rules,
        read_parameters,
        read_text,
        lambda path: list(read_treebank([path])),
        lambda path: kept_trees([path], load_head_rules()),
    ],
)
def test_nobody_waits_for_a_pipe_that_nobody_writes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object]
) -> None:
    monkeypatch.setattr(text_stream, "WRITER_SECONDS", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = _problem(lambda: read(pipe))
    assert str(pipe) in said and "pipe" in said.replace(str(pipe), "")


@pytest.mark.parametrize("read", [engine.load, Journal, load_head_rules])
def test_a_device_is_no_file(read: Callable[[Path], object]) -> None:
    assert _problem(lambda: read(Path("/dev/zero"))).startswith(("/dev/zero: ", "cannot read the head rules /dev/zero"))


def test_text_comes_from_a_pipe_whose_writer_takes_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_stream, "WRITER_SECONDS", 0.3)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", '(sleep 1; echo "(S (NN a))") > "$0"', str(pipe)])
    assert [str(tree) for tree in read_treebank([pipe])] == ["(S (NN a))"]
    assert writer.wait() == 0
    command = '"$0" -m engine convert <(sleep 1; echo "(S (NN a))") --to brackets'
    ran = subprocess.run(["bash", "-c", command, sys.executable], capture_output=True, text=True, check=True)
    assert ran.stdout == "(S (NN a))\n"
