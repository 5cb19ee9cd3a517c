"""Files that are written as a whole or not at all, folders for a while, and locks between processes."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedRandom
from pathlib import Path

from engine.common.errors import EngineError

# Locks between processes: held while a process works on something, and let go by the system however it ends.

LOCK_SECONDS = 0.2
"""How often a process that waits for a lock tries again."""
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""Open the file of this name, not one that a link in its place points to, and for this process alone."""
PRIVATE_FILE = 0o600
"""Nobody else may read or write it."""
_LONGEST_NAME, _KEPT_LETTERS, _DIGEST_LETTERS = 100, 20, 32
"""Bytes of a name that stands whole in those of what is beside its file; letters that are kept of a longer one.  Most
file systems allow 255 bytes, encrypted ones 143."""


@contextmanager
def locked(path: Path, wait: bool) -> Iterator[bool]:
    """Hold a lock that one process at a time can have; false where another has it and there is no waiting.

    Whatever is in the lock's file stays in it.  A link in its place is an error (:class:`OSError`).
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
    try:
        # On a file system without locks the work is better done twice than not at all.
        while not (held := try_lock(descriptor) is not False) and wait:
            time.sleep(LOCK_SECONDS)
        yield held
    finally:
        os.close(descriptor)


def lock_beside(path: Path) -> Path:
    """Return the lock that stands for a file, there only while it is held."""
    return path.with_name(f"{_hidden_name(path)}lock")


def _hidden_name(path: Path) -> str:
    """Return what the names of a file's lock and of its parts begin with: its own, as far as there is room for it."""
    name = path.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        # Whatever is added must fit, too.
        digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:_DIGEST_LETTERS]
        name = f"{name[:_KEPT_LETTERS]}-{digest}"
    return f".{name}."


@contextmanager
def locked_beside(path: Path) -> Iterator[None]:
    """Hold a lock that stands for a file, and leave nothing beside it afterwards; waits for whoever has it.

    Raise :class:`OSError` if nothing can be written beside the file.
    """
    lock = lock_beside(path)
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | NO_FOLLOW, PRIVATE_FILE)
        try:
            while try_lock(descriptor) is False:
                time.sleep(LOCK_SECONDS / 10)
            # Whoever had it has removed it, and somebody else may have made a new one meanwhile.
            if not _is_still(lock, descriptor):
                continue
            try:
                yield
            finally:
                if sys.platform != "win32":
                    lock.unlink(missing_ok=True)
            return
        finally:
            os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    """Return whether an open file still has its name."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file or folder, without waiting; ``None`` where the system knows no locks for it.

    The lock lasts until the descriptor is closed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK) else None
    return True


# Files that are written as a whole or not at all, and folders for a while.
#
# What is not finished yet has a name that nobody can guess and is locked by its writer.  So whoever writes next can
# tell what a process that was ended by force has left behind, and removes it.

_PART_SUFFIX = ".part"
_FOLDER_PREFIX = "parse-explorer-"
_ABANDONED_SECONDS = 3600.0
_CLOCK_SECONDS = 60.0
"""So much may clocks of two machines with one disk differ."""
_MOST_LINKS = 40
"""As many as the system itself follows."""
_MOMENT = 0.001
"""Seconds between two looks whether somebody has let go of a file."""
_parts: set[Path] = set()
"""Files being written now."""
_folders: set[Path] = set()
"""Folders for a while that are there now."""


@contextmanager
def replaced(
    path: str | Path,
    failure: type[Exception] = EngineError,
    problem: str = "cannot be written",
    private: bool = False,
    lasting: bool = True,
) -> Iterator[Path]:
    """Give a path beside `path` to write to, which takes its place at the end of the block.

    If the block fails nothing of it stays behind, and what was there before is still there; a failure to write
    is raised as `failure`, which tells the `problem`.  All of it is on the disk before it takes its place.

    Parameters
    ----------
    path
        The file to write.
    failure, problem
        What is raised if that fails.
    private
        Whether nobody else may read it; else a new file may be read as the user's other files, and one that is
        replaced as before.
    lasting
        Whether to wait until a power cut cannot harm it any more; needless if it would be noticed, and made anew.
    """
    try:
        # A cache has no links.
        target = Path(path) if private else _end_of_links(Path(path))
    except OSError as error:
        raise failure(f"{path}: {problem} ({error.strerror})") from error
    beside = target.with_name(f"{_hidden_name(target)}{_own_name()}{_PART_SUFFIX}")
    try:
        mode = _mode(target, private)
        remove_abandoned(target)
        # Known before it is there: an interrupt may come between the two.
        _parts.add(beside)
        with _new_locked_file(beside, mode):
            yield beside
            if lasting:
                _to_disk(beside)
            # Still locked: nobody may take it for abandoned before it has its name.
            beside.replace(target)
        if lasting:
            _folder_to_disk(target.parent)
    except OSError as error:
        raise failure(f"{target}: {problem} ({error.strerror or error})") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        _parts.discard(beside)


def new_part(target: Path) -> tuple[Path, BufferedRandom]:
    """Return a new part of a file that comes in pieces, for nobody else to read, open and locked until it is closed.

    Whoever asks for it renames or removes it; if the process ends by force, :func:`remove_abandoned` does.
    """
    path = target.with_name(f"{_hidden_name(target)}{_own_name()}{_PART_SUFFIX}")
    file = os.fdopen(_open_locked(path, PRIVATE_FILE), "w+b")
    return path, file


def write_whole(
    path: str | Path, content: bytes, failure: type[Exception] = EngineError, private: bool = False
) -> None:
    """Write a file so that whoever reads it finds the old or the new one, never half of it."""
    with replaced(path, failure, private=private) as beside:
        beside.write_bytes(content)


def abandon() -> None:
    """Remove what is half written or for a while, because the program ends without coming to it any more."""
    for beside in list(_parts):
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    for folder in list(_folders):
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a new folder, among the system's temporary files, that is gone at the end of the block, however it ends."""
    remove_abandoned_folders()
    folder = _temporary_files() / f"{_FOLDER_PREFIX}{_own_name()}"
    # Known before it is there: an interrupt may come between the two.
    _folders.add(folder)
    try:
        with contextlib.ExitStack() as lock:
            try:
                lock.enter_context(_new_locked_folder(folder))
            except OSError as error:
                raise EngineError(f"no temporary folder can be made ({error.strerror or error})") from error
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _folders.discard(folder)


def remove_abandoned(target: Path, process: int | None = None) -> None:
    """Remove what is left of a file `target` whose writer was ended by force.

    What its writer still holds a lock on stays, and so does everything where the system knows no such locks; with the
    number of a `process` that is known to have ended, all that it has left.
    """
    # What was written through a link lies beside the file itself.
    with contextlib.suppress(OSError):
        target = _end_of_links(target)
    _remove_abandoned(target.parent, _hidden_name(target), _PART_SUFFIX, process)


def remove_abandoned_parts(folder: Path) -> None:
    """Remove what is left of all files in a folder of ours whose writers were ended by force, in the same way."""
    _remove_abandoned(folder, ".", _PART_SUFFIX, None)


def is_being_written(target: Path) -> bool:
    """Return whether a part of a file is there, of a process that has not ended as far as one can tell."""
    prefix = _hidden_name(target)
    with contextlib.suppress(OSError), os.scandir(target.parent) as found:
        return any(_is_part(one.name, prefix, _PART_SUFFIX) for one in found)
    return False


def order_of_use(paths: Iterable[Path]) -> list[Path]:
    """Files by the time of their last use or change, the latest first; those that are gone are left out.

    A time that is still to come says nothing, for the clock was set back: such a file comes last.
    """
    now = time.time() + _CLOCK_SECONDS
    found: list[tuple[float, Path]] = []
    for path in paths:
        with contextlib.suppress(OSError):
            when = path.stat().st_mtime
            found.append((when if when <= now else 0.0, path))
    return [path for _, path in sorted(found, reverse=True)]


def remove_abandoned_folders(process: int | None = None) -> None:
    """Remove the temporary folders of processes that were ended by force, in the same way."""
    with contextlib.suppress(EngineError):
        _remove_abandoned(_temporary_files(), _FOLDER_PREFIX, "", process)


def check_writable(path: Path) -> None:
    """Find out before the work whether its result can be written."""
    if not path.name:
        raise EngineError("the name of the file to write is empty; name one")
    try:
        path = _end_of_links(path)
    except OSError as error:
        raise EngineError(f"{path}: {error.strerror}") from error
    folder = path.parent
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder; name a file to write")
    if path.exists() and not path.is_file():
        raise EngineError(f"{path}: this is a device, not a file; name a file to write")
    if not folder.is_dir():
        raise EngineError(f"{path}: there is no folder {folder} to write it in")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise EngineError(f"{path}: you have no permission to write in the folder {folder}")


def check_outputs(outputs: Iterable[str | None], *inputs: Iterable[str | None]) -> None:
    """Check all files that a command is asked to write (``None`` stands for no file), before anything is read.

    An input that is not the name of a file is left out.

    Two results in one file, or one in the place of what it is made from, would be a loss without a word.
    """
    read = {Path(name).resolve() for names in inputs for name in names if name and os.path.exists(name)}
    written: set[Path] = set()
    for name in outputs:
        if name is None:
            continue
        check_writable(Path(name))
        path = Path(name).resolve()
        if path in read:
            raise EngineError(f"{name}: this file is read, and writing would replace it; name another to write")
        if path in written:
            raise EngineError(f"{name}: two results would be written to this file; name another for one of them")
        written.add(path)


def _end_of_links(path: Path) -> Path:
    """Name the file that a path leads to by links; raise :class:`OSError` where none is to be written.

    Renaming would put the new file into the place of a link.  A link of another user could lead to any file of this
    one's, and those of a process (``/dev/stdout``) lead to what is open there, which others go on writing to.
    """
    for _ in range(_MOST_LINKS):
        if not path.is_symlink() or (path.exists() and not path.is_file()):
            return path
        if hasattr(os, "geteuid") and path.lstat().st_uid not in (0, os.geteuid()):
            raise OSError(None, f"this is a link of another user to {os.readlink(path)}; name a file itself")
        if path.parent.resolve().is_relative_to("/proc"):
            raise OSError(None, "this is a stream of a process; name a file itself")
        path = path.parent / os.readlink(path)
    raise OSError(None, "there are too many links, or they lead round in a circle; name a file itself")


def _mode(target: Path, private: bool) -> int | None:
    """Return who may use a file that takes the place of `target`: as before; ``None`` as all new files."""
    if private:
        return PRIVATE_FILE
    try:
        status = target.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(None, "it is no file that could be replaced")
    return stat.S_IMODE(status.st_mode) & 0o777


@contextmanager
def _new_locked_file(path: Path, mode: int | None) -> Iterator[None]:
    """Make a file that was not there, and hold a lock on it within the block."""
    descriptor = _open_locked(path, mode)
    if sys.platform == "win32":
        # A file that is open there cannot be renamed.
        os.close(descriptor)
        yield
        return
    try:
        yield
    finally:
        os.close(descriptor)


def _open_locked(path: Path, mode: int | None) -> int:
    """Make a file that was not there, and lock it, where a file can be locked for its writer alone."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o666 if mode is None else mode)
        if sys.platform == "win32":
            return descriptor
        try:
            if mode is not None:
                os.fchmod(descriptor, mode)
            while try_lock(descriptor) is False:
                # Somebody who takes it for abandoned was quicker, and is about to remove it.
                time.sleep(_MOMENT)
            if os.fstat(descriptor).st_nlink:
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        # Somebody took it for abandoned before it was locked: make it again.
        os.close(descriptor)


@contextmanager
def _new_locked_folder(folder: Path) -> Iterator[None]:
    """Make a folder that was not there, and hold a lock on it within the block."""
    while True:
        folder.mkdir(mode=0o700)
        if sys.platform == "win32":
            yield
            return
        try:
            descriptor = os.open(folder, os.O_RDONLY | NO_FOLLOW)
        except FileNotFoundError:
            # Somebody took it for abandoned before it could be locked: make it again.
            continue
        try:
            while try_lock(descriptor) is False:
                time.sleep(_MOMENT)
            if folder.exists():
                yield
                return
        finally:
            os.close(descriptor)


def _temporary_files() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise EngineError(f"no temporary folder can be made ({error.strerror or error})") from error


def _own_name() -> str:
    """Return a part of a name that says which process has made it, and that nobody can guess."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def _remove_abandoned(folder: Path, prefix: str, suffix: str, process: int | None) -> None:
    if process is not None:
        prefix += f"{process}-"
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        names = [one.name for one in found if _is_part(one.name, prefix, suffix)]
        for name in names:
            if folder / name not in _parts | _folders:
                _remove_unlocked(folder / name, is_dead=process is not None)


def _is_part(name: str, prefix: str, suffix: str) -> bool:
    return name.startswith(prefix) and name.endswith(suffix)


def _remove_unlocked(path: Path, is_dead: bool) -> None:
    """Remove a file or folder of this user's, unless somebody holds a lock on it who is not known to be dead."""
    if sys.platform == "win32":
        # Nobody can lock what he writes there; after so long he has given it up.
        with contextlib.suppress(OSError):
            if is_dead or abs(time.time() - path.stat().st_mtime) > _ABANDONED_SECONDS:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | NO_FOLLOW)
        try:
            status = os.fstat(descriptor)
            if status.st_uid == os.geteuid() and (is_dead or try_lock(descriptor)):
                if stat.S_ISDIR(status.st_mode):
                    shutil.rmtree(path, ignore_errors=True)
                elif stat.S_ISREG(status.st_mode):
                    path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def _to_disk(path: Path) -> None:
    """Wait until the contents of a file would survive a power cut."""
    descriptor = os.open(path, os.O_RDWR | NO_FOLLOW)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _folder_to_disk(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can do that."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | NO_FOLLOW)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
