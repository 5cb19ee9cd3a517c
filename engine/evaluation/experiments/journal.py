"""Journal of measurements, each kept on disk at once, so that an interruption costs one at most.

A journal is a file of JSON lines.  The first names the format; every other holds one measurement: the whole
configuration it was made with (program, treebanks, settings), the digest of that, which is its key, the result, and
a checksum of the line.  Measurements of other configurations may stand in the same file and are left alone.  A line
that is damaged is left out, which is said, and its result measured again.
Between them stand notes, which are no results: what was asked for, and how far a measurement is that was begun.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.common.checked_json import ValueProblem, load_json
from engine.common.errors import EngineError
from engine.common.files import open_file, remove_abandoned, write_whole
from engine.common.locks import lock_beside, locked_beside
from engine.common.private_files import open_private, private_folder
from engine.evaluation.experiments.journal_records import BEGUN, NOTE, check_record

_LONGEST_HEADER = 1000
_HEADER = {"format": "parse-engine experiment results", "version": 1}


def canonical(value: Any) -> str:
    """JSON with one way to write everything, for digests and checksums."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def key_of(configuration: Mapping[str, Any]) -> str:
    """The digest that stands for a configuration."""
    return hashlib.sha256(canonical(configuration).encode()).hexdigest()[:32]


def _note(kind: str, of: Mapping[str, Any]) -> dict[str, Any]:
    """What stands for a note in place of a configuration."""
    return {NOTE: kind, "of": key_of(of)}


class Journal:
    """A file of measurements.

    Parameters
    ----------
    path
        The file; it need not exist yet.  One that is no journal raises an :class:`EngineError` that says so.
    optional
        Whether work goes on without the file where it cannot be read or written; `problem` then says why.  Such a
        journal is in the cache, and for this user alone.

    Attributes
    ----------
    problem
        Why work goes on without the file; empty if it does not.
    damage
        Which line was left out, in one sentence; empty if none was.
    """

    def __init__(self, path: str | Path, optional: bool = False) -> None:
        self.path = Path(path)
        self.problem = ""
        self.damage = ""
        self._optional = optional
        self._records: dict[str, dict[str, Any]] = {}
        self._tidy()
        with self._forgiven():
            self._records = self._read()

    def __len__(self) -> int:
        """How many results there are."""
        return sum(NOTE not in record["configuration"] for record in self._records.values())

    def find(self, configuration: Mapping[str, Any]) -> dict[str, Any] | None:
        """The result of this configuration, if it was measured."""
        record = self._records.get(key_of(configuration))
        return record["result"] if record is not None else None

    def keep(self, configuration: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Write a measurement down: beside the file, which is then replaced as a whole.

        What was noted of the same measurement while it was under way is no longer wanted.
        """
        self._records[key_of(configuration)] = {"configuration": dict(configuration), "result": dict(result)}
        done = key_of(_note(BEGUN, configuration))
        with self._forgiven(), self._alone():
            # Another process may have written to the file since.
            self._records = {**self._read(), **self._records}
            self._records.pop(done, None)
            self._write()

    def note(self, kind: str, of: Mapping[str, Any], value: Mapping[str, Any]) -> None:
        """Write down something that is no result, in place of the last note of its kind of the same thing."""
        self.keep(_note(kind, of), value)

    def noted(self, kind: str, of: Mapping[str, Any]) -> dict[str, Any] | None:
        """What was noted of something, if it was."""
        return self.find(_note(kind, of))

    @contextlib.contextmanager
    def _forgiven(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
            if not self._optional:
                raise
            self.problem = str(error)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from writing the file in between."""
        try:
            if self._optional:
                private_folder(self.path.parent)
            with contextlib.ExitStack() as lock:
                lock.enter_context(locked_beside(self.path))
                yield
        except OSError as error:
            raise EngineError(f"{self.path}: cannot be written ({error.strerror or error})") from error

    def _write(self) -> None:
        lines = [canonical(_HEADER)]
        for record in self._records.values():
            text = canonical(record)
            lines.append(canonical({"checksum": zlib.crc32(text.encode()), "record": record}))
        write_whole(self.path, ("\n".join(lines) + "\n").encode(), private=self._optional)

    def remove(self) -> None:
        """Take the file away; where that is not allowed it stays."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Remove what a process has left that was ended by force while it wrote."""
        with contextlib.suppress(OSError):
            remove_abandoned(self.path)
            if lock_beside(self.path).exists():
                with locked_beside(self.path):
                    pass

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            with open_private(self.path) if self._optional else open_file(self.path) as file:
                # Before the rest is read, which may be anything.
                self._check_header(file.readline(_LONGEST_HEADER))
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise EngineError(f"{self.path}: cannot be read ({error.strerror or error})") from error
        records: dict[str, dict[str, Any]] = {}
        for number, line in enumerate(lines, 2):
            if not line and number == len(lines) + 1:
                # After the end of the last line.
                break
            try:
                key, record = _checked_record(line)
                records[key] = record
            except ValueProblem:
                self.damage = self.damage or (
                    f"{self.path}, line {number}: the result is cut short or was altered; it is left out and measured "
                    "again"
                )
        return records

    def _check_header(self, line: bytes) -> None:
        try:
            header = load_json(line)
            if header.member("format").text() != _HEADER["format"]:
                raise self._foreign()
            version = header.member("version").integer()
        except ValueProblem:
            raise self._foreign() from None
        if version != _HEADER["version"]:
            raise EngineError(
                f"{self.path}: these results are of version {version}, this program reads version "
                f"{_HEADER['version']}; name another file"
            )

    def _foreign(self) -> EngineError:
        return EngineError(
            f"{self.path}: this is not a file of experiment results; name another, and it stays as it is"
        )


def _checked_record(line: bytes) -> tuple[str, dict[str, Any]]:
    """The record of a line, and its key; raise :class:`ValueProblem` if it is not as it was written."""
    read = load_json(line)
    found = read.member("record")
    parts = {name: found.member(name) for name in ("configuration", "result")}
    check_record(**parts)
    record = {name: part.value for name, part in parts.items()}
    try:
        text = canonical(record)
    except (ValueError, RecursionError):
        # Python reads 1e999 as infinite, which cannot be written, and what is nested deeper than it writes.
        raise ValueProblem("a number in it is too large, or it is nested too deeply") from None
    if read.member("checksum").integer() != zlib.crc32(text.encode("utf-8", "surrogatepass")):
        raise ValueProblem("the checksum does not match")
    return key_of(record["configuration"]), record
