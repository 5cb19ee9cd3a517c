"""Text as it comes, from files and standard input: unpacked, in UTF-8, and never more of it held than is asked for.

A file may be gzipped, and may be UTF-16 with a byte order mark.  What is not text is refused, with what it is.
"""

from __future__ import annotations

import codecs
import errno
import gzip
import io
import os
import re
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from engine.common.errors import EngineError

STANDARD_INPUT = "-"
MOST_LINE_CHARACTERS = 1 << 25
"""Bytes of the longest line of any file: more than fifty thousand trees have."""
MOST_TEXT = 1 << 28
"""Bytes of the longest text that is held as a whole."""
MOST_UNPACKED, MOST_TIMES = 1 << 26, 100
"""A gzipped file is refused if it unpacks to more bytes than the first, and to more times its size than the second."""
WRITER_SECONDS = 30.0
"""How long a pipe is waited for until somebody begins to write to it."""
SILENT_SECONDS = 30.0
"""After so long without a byte it is said that a text is waited for, if nobody knows how long it is."""
LONG_BYTES = 1 << 30
"""After so many bytes it is said that such a text has not ended yet; and again after four times as many."""
_LOOK_SECONDS = 0.5
BLOCK = 1 << 20
_MOST_TIMES_POSSIBLE = 1032
"""No gzipped file unpacks to more: what says that it does is damaged."""
_GZIP = b"\x1f\x8b"
_SAMPLE = 4096
_LEAST_NULS, _NUL_SHARE = 16, 1 / 16
FOREIGN = re.compile("[\0\ud800-\udfff]")
"""What no text has: NUL, and what stands for a byte that is not UTF-8."""
_CONVERT = "convert the file to UTF-8, for example with `iconv -f {} -t UTF-8`"


# Texts that may have no end: a pipe, a device, what the system makes up as it is read.

_tell: Callable[[str], None] | None = None


@contextmanager
def long_reading_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Within the block, say in a sentence where a text of unknown length is silent for long, or goes on and on."""
    global _tell
    before, _tell = _tell, tell
    try:
        yield
    finally:
        _tell = before


class _Patience:
    """Watches the reading of one text; a block that uses it reads."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._name, self._tell = name, tell
        self._since: float | None = None
        self._read, self._next_told = 0, LONG_BYTES
        self._ended = threading.Event()
        threading.Thread(target=self._look, daemon=True, name="watch of a long reading").start()

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *problem: object) -> None:
        self._since = None

    def took(self, size: int) -> None:
        """So many more bytes have come."""
        self._read += size
        if self._read >= self._next_told:
            self._tell(f"{self._name}: {self._read >> 20:,} MB were read, and there is more; stop it if it has no end")
            self._next_told *= 4

    def end(self) -> None:
        """All was read, or no more is wanted."""
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(_LOOK_SECONDS):
            since = self._since
            if since is not None and time.monotonic() - since > SILENT_SECONDS:
                self._tell(
                    f"{self._name}: nothing has come for {SILENT_SECONDS:.0f} s, and it is waited for; stop it if "
                    "nothing will come"
                )
                return


class TextStream(io.RawIOBase):
    """The bytes of a text in UTF-8, without a byte order mark.

    Parameters
    ----------
    source
        The file's path, or ``-`` for standard input.

    Attributes
    ----------
    name
        What to call the text in an error.
    size
        Size of the file in bytes, 0 if that cannot be told.

    Raises
    ------
    EngineError
        In one sentence: the file cannot be read, or holds no text.
    """

    def __init__(self, source: str | Path) -> None:
        super().__init__()
        self.name = source_name(source)
        self.size = 0
        self._standard = str(source) == STANDARD_INPUT
        self._decoder: codecs.IncrementalDecoder | None = None
        self._left = b""
        self._unpacked = 0
        self._patience: _Patience | None = None
        try:
            self._file = self._opened(source)
            if not self.size and _tell is not None:
                self._patience = _Patience(self.name, _tell)
            self._packed: _CountedReader | None = None
            self._bytes: Any = self._file
            if self._start(2) == _GZIP:
                self._refuse_bomb_by_trailer()
                self._packed = _CountedReader(self._file)
                self._bytes = gzip.GzipFile(fileobj=cast(BinaryIO, self._packed))
            start = self._start(_SAMPLE)
        except FileNotFoundError:
            raise EngineError(f"{self.name}: there is no such file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise self._unreadable(error) from error
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not _is_utf_32(start):
            self._decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
        elif problem := _no_text(start):
            self.close()
            raise EngineError(f"{self.name}: {problem}")
        elif start.startswith(codecs.BOM_UTF8):
            self._bytes.read(len(codecs.BOM_UTF8))

    def _opened(self, source: str | Path) -> Any:
        if self._standard:
            if sys.stdin is None:
                raise EngineError("standard input is closed; name a file to read")
            opened: Any = sys.stdin.buffer
        else:
            path = Path(source)
            opened = _opened_pipe(path) if path.is_fifo() else path.open("rb")
            self.size = path.stat().st_size if path.is_file() else 0
        return opened if hasattr(opened, "peek") else io.BufferedReader(opened)

    def _start(self, size: int) -> bytes:
        with self._patience or nullcontext():
            start: bytes = self._bytes.peek(size)[:size]
        return start

    def _unreadable(self, error: Exception) -> EngineError:
        return EngineError(f"{self.name}: cannot be read ({getattr(error, 'strerror', None) or error})")

    def _refuse_bomb_by_trailer(self) -> None:
        """Refuse at once a file whose own size, unpacked, is beyond any text; a false size shows in reading."""
        if self.size > 4 and self._file.seekable():
            self._file.seek(-4, io.SEEK_END)
            unpacked = int.from_bytes(self._file.read(4), "little")
            self._file.seek(0)
            if unpacked <= _MOST_TIMES_POSSIBLE * self.size:
                self._check_unpacked(unpacked, self.size)

    def _check_unpacked(self, unpacked: int, packed: int) -> None:
        if unpacked > MOST_UNPACKED and unpacked > MOST_TIMES * packed:
            raise EngineError(
                f"{self.name}: unpacks to more than {MOST_UNPACKED >> 20} MB and {MOST_TIMES} times its size, "
                "as no text does; if it is one all the same, unpack it with gunzip first"
            )

    @property
    def share(self) -> float | None:
        """Share of the file that was read; ``None`` if its size is not known."""
        try:
            return min(self._file.tell() / self.size, 1.0) if self.size else None
        except (OSError, ValueError):
            return None

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what there is."""
        if not self._left:
            self._left = self._next(max(len(buffer), 1), at_once=True)
        taken, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks of about :data:`BLOCK` bytes, with line feeds for line ends."""
        held = b""
        with self:
            while block := self._next(BLOCK):
                if held or b"\r" in block:
                    block, held = held + block, b""
                    if block.endswith(b"\r"):
                        block, held = block[:-1], b"\r"
                    block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                yield block
            if held:
                yield b"\n"

    def _next(self, size: int, at_once: bool = False) -> bytes:
        """Up to about `size` more bytes, those that are there already if it is to be `at_once`; none at the end."""
        while True:
            try:
                with self._patience or nullcontext():
                    block: bytes = self._bytes.read1(size) if at_once else self._bytes.read(size)
            except (OSError, EOFError, zlib.error) as error:
                raise self._unreadable(error) from error
            if self._patience is not None:
                self._patience.took(len(block))
            if self._packed is not None:
                self._unpacked += len(block)
                self._check_unpacked(self._unpacked, self._packed.count)
            if self._decoder is None:
                return block
            try:
                text = self._decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                raise EngineError(f"{self.name}: not UTF-16 text, though it begins as such ({error.reason})") from error
            if text or not block:
                return text.encode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if not self.closed and self._patience is not None:
            self._patience.end()
        if not self.closed and hasattr(self, "_file") and not self._standard:
            self._file.close()
        super().close()


def _opened_pipe(path: Path) -> io.BufferedReader:
    """Open a pipe; the system blocks until somebody writes to it, for ever if nobody does."""
    found: list[io.BufferedReader | OSError] = []

    def wait() -> None:
        try:
            found.append(path.open("rb"))
        except OSError as error:
            found.append(error)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(WRITER_SECONDS)
    opened = found[0] if found else OSError(errno.EAGAIN, "nobody writes to this pipe; start what does, or name a file")
    if not found:
        # So that the thread ends.
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    if isinstance(opened, OSError):
        raise opened
    return opened


class _CountedReader:
    """Counts the bytes that are read from a file."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """Read from the file."""
        data: bytes = self._file.read(size)
        self.count += len(data)
        return data


def source_name(source: str | Path) -> str:
    """Return what to call a file, or standard input, in a message."""
    return "standard input" if str(source) == STANDARD_INPUT else str(source)


def _is_utf_32(start: bytes) -> bool:
    """Return whether a text begins as UTF-32 does: with its mark, or with two or three of every four bytes NUL."""
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return True
    quarters = [start[offset::4].count(0) for offset in range(4)]
    whole = len(start) // 4
    # No character has a number of more than 21 bits: one byte in four is always NUL, and in most scripts a second.
    little, big = quarters[3] + quarters[2], quarters[0] + quarters[1]
    return whole >= 2 and quarters.count(whole) < 4 and (little >= 1.9 * whole or big >= 1.9 * whole)


def _no_text(start: bytes) -> str:
    """Return why the beginning of a file is not UTF-8 text, and what to do; an empty text if it may be."""
    if _is_utf_32(start):
        return f"this is UTF-32 text; {_CONVERT.format('UTF-32')}"
    nuls = start.count(0)
    even, odd = start[::2].count(0), start[1::2].count(0)
    if nuls >= 2 and min(even, odd) <= nuls / 10 and nuls >= len(start) / 8:
        order = "UTF-16LE" if odd > even else "UTF-16BE"
        return f"this is UTF-16 text without a byte order mark; {_CONVERT.format(order)}"
    if nuls >= _LEAST_NULS and nuls >= len(start) * _NUL_SHARE:
        return "this is no text, it begins with NUL characters; name a file of text in UTF-8"
    return ""


def foreign_problem(character: str, where: str = "") -> str:
    """Return what is to be said of a character that no text has: NUL, or what stands for a byte that is not UTF-8."""
    code = ord(character)
    if not code:
        return f"the character{where} is NUL, which no text has; take it out, or convert the file to UTF-8"
    # A byte that is not UTF-8 was read as the surrogate of that number.
    return f"the byte 0x{code & 0xFF:02X}{where} is not UTF-8 text; {_CONVERT.format('LATIN1')}"


def line_problem(line: str) -> str:
    """Return what is wrong with the characters of a line that was read from a file, and at which column;
    mostly nothing.
    """
    if line.isascii() and "\0" not in line:
        return ""
    found = FOREIGN.search(line)
    return foreign_problem(found[0], f" at column {found.start() + 1}") if found else ""


def read_text(source: Path | str) -> str:
    """Return the text of a whole file, unpacked and decoded; line ends become line feeds.

    Raises
    ------
    EngineError
        In one sentence: the file cannot be read, is no text, or too long to be held.
    """
    stream = TextStream(source)
    pieces: list[bytes] = []
    size = 0
    for block in stream.blocks():
        size += len(block)
        if size > MOST_TEXT:
            raise EngineError(f"{stream.name}: more than {MOST_TEXT >> 20} MB of text; cut it into several files")
        pieces.append(block)
    data = b"".join(pieces)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _misplaced(stream.name, data, error.start) from error
    if "\0" in text:
        raise _misplaced(stream.name, data, data.index(0))
    return text


def _misplaced(name: str, data: bytes, offset: int) -> EngineError:
    """Return the error that says which byte of which line is no text."""
    line, column = data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)
    problem = foreign_problem(data[offset : offset + 1].decode("utf-8", "surrogateescape"))
    return EngineError(f"{name}, line {line}, byte {column}: {problem}")
