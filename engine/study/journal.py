"""Journal of measurements, each kept on disk at once, so that an interruption costs one at most."""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.common.files import lock_beside, locked_beside, remove_abandoned, write_whole
from engine.gate.checked_json import CheckedValue, ValueProblem, load_json
from engine.gate.files import open_file
from engine.gate.private_files import open_private, private_folder
from engine.study.evaluation import Evaluation, SentenceEvaluation
from engine.study.parseval import Summary

# One trial under way: what its sentences have given so far, which can be kept and taken up again.

_SPEED = "sentences_per_second"


class Measurement:
    """Sums over the sentences of a trial; its time is that of the parser, as in the paper, without the tagger's.

    Attributes
    ----------
    done
        How many sentences it has, those that were not parsed among them.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        self.done = 0
        self._lengths = tuple(lengths)
        self._evaluation = Evaluation.of(lengths)
        self._seconds = dict.fromkeys(lengths, 0.0)

    @classmethod
    def taken_up(cls, lengths: Sequence[int], state: Mapping[str, Any] | None) -> Measurement:
        """Go on from what :meth:`state` has said; begin anew without it, or where it is of other lengths."""
        made = cls(lengths)
        if state is not None and all(str(length) in state["sums"] for length in lengths):
            made.done = int(state["done"])
            for length in lengths:
                sums = state["sums"][str(length)]
                made._evaluation.summaries[length] = Summary(**sums["summary"])
                made._evaluation.fallbacks[length] = sums["fallback"]
                made._seconds[length] = sums["seconds"]
        return made

    def add(self, found: SentenceEvaluation) -> None:
        """Take in one sentence."""
        self.done += 1
        self._evaluation.add(found)
        for length in self._lengths:
            if found.score is not None and found.score.length <= length:
                self._seconds[length] += found.seconds - found.tagging_seconds

    def state(self) -> dict[str, Any]:
        """Return the sums, ready to be written as JSON."""
        return {
            "done": self.done,
            "sums": {
                str(length): {
                    "summary": asdict(self._evaluation.summaries[length]),
                    "fallback": self._evaluation.fallbacks[length],
                    "seconds": self._seconds[length],
                }
                for length in self._lengths
            },
        }

    def measures(self) -> dict[str, Any]:
        """Return the measures of the sentences so far, by the longest sentence."""
        found = {}
        for length in self._lengths:
            summary, seconds = self._evaluation.summaries[length], self._seconds[length]
            found[str(length)] = {
                **summary.as_dict(),
                "fallback": self._evaluation.fallbacks[length],
                "seconds": seconds,
                _SPEED: summary.sentences / seconds if seconds else 0.0,
            }
        return found


def nothing_measured(lengths: Sequence[int]) -> dict[str, Any]:
    """Return what stands for the result of a trial that waits: its row is there, and its cells are empty."""
    keys = (*Summary().as_dict(), "fallback", "seconds", _SPEED)
    training = dict.fromkeys(("seconds", "sentences", "words", "contexts", "bytes", "tagger"))
    return {"training": training, "measures": {str(length): dict.fromkeys(keys) for length in lengths}}


# What a record of a journal may hold, by what it is a record of; checked before anything of it is used.
#
# A checksum tells damage, not who wrote a line.  So every record is held against what this program would have written
# for its configuration: a line that is well-formed and yet none of these is left out as a damaged one is.

NOTE = "note"
REQUEST, BEGUN = "request", "begun"
"""Kinds of notes: what was asked for, and the sums of a measurement that was begun."""
_MOST = 1e15
"""No measure, number of seconds or number of anything is larger."""
_LONGEST = 100_000
"""Characters of the longest title."""
_WHOLE = frozenset({"sentences", "failed", "skipped", "fallback"})
_FACTS = ("sentences", "words", "contexts", "bytes")


def check_record(configuration: CheckedValue, result: CheckedValue) -> None:
    """Raise :class:`ValueProblem` if a result does not belong to its configuration; other kinds are left alone."""
    result.members()
    known = configuration.members()
    if NOTE in known:
        kind = known[NOTE].value
        if isinstance(kind, str) and kind in _NOTES:
            _NOTES[kind](result)
    elif "experiment" in known:
        _check_distances(result.member(known["experiment"].text()))
    elif "lengths" in known:
        _check_measures(known["lengths"], result)


def _check_request(result: CheckedValue) -> None:
    result.member("options").members()
    for name in ("title", "test_title", "program"):
        result.member(name).text(_LONGEST)
    _check_count(result.member("trials"))


def _check_begun(result: CheckedValue) -> None:
    _check_count(result.member("done"))
    wanted = {field.name for field in fields(Summary)}
    for sums in result.member("sums").members().values():
        summary = sums.member("summary")
        if summary.members().keys() != wanted:
            raise ValueProblem(f"{summary.place} should have the members {', '.join(sorted(wanted))}")
        for count in summary.members().values():
            _check_count(count)
        _check_count(sums.member("fallback"))
        sums.member("seconds").number(0.0, _MOST)


def _check_distances(result: CheckedValue) -> None:
    for name in ("sentences", "commas", "obeying"):
        _check_count(result.member(name))
    for name in ("distances", "verbs"):
        for pair in result.member(name).items():
            for number in pair.items(2, 2):
                _check_count(number)


def _check_measures(lengths: CheckedValue, result: CheckedValue) -> None:
    training = result.member("training")
    for name in _FACTS:
        _check_count(training.member(name))
    training.member("tagger").flag()
    seconds = training.optional("seconds")
    if seconds is not None:
        seconds.number(0.0, _MOST)
    cutoffs = [length.integer() for length in lengths.items()]
    for length, measures in nothing_measured(cutoffs)["measures"].items():
        found = result.member("measures").member(length)
        for name in measures:
            value = found.member(name)
            _check_count(value) if name in _WHOLE else value.number(-_MOST, _MOST)


def _check_count(value: CheckedValue) -> None:
    value.integer(0, int(_MOST))


_NOTES: dict[str, Callable[[CheckedValue], None]] = {REQUEST: _check_request, BEGUN: _check_begun}


# Journal of measurements, each kept on disk at once, so that an interruption costs one at most.
#
# A journal is a file of JSON lines.  The first names the format; every other holds one measurement: the whole
# configuration it was made with (program, treebanks, settings), the digest of that, which is its key, the result, and
# a checksum of the line.  Measurements of other configurations may stand in the same file and are left alone.  A line
# that is damaged is left out, which is said, and its result measured again.
# Between them stand notes, which are not results: what was asked for, and how far a measurement is that was begun.

_LONGEST_HEADER = 1000
VERSION = 1
_HEADER = {"format": "parse-engine experiment results", "version": VERSION}


def canonical(value: Any) -> str:
    """JSON with one way to write everything, for digests and checksums."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def key_of(configuration: Mapping[str, Any]) -> str:
    """Return the digest that stands for a configuration."""
    return hashlib.sha256(canonical(configuration).encode()).hexdigest()[:32]


def _note(kind: str, of: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands for a note in place of a configuration."""
    return {NOTE: kind, "of": key_of(of)}


class Journal:
    """A file of measurements.

    Parameters
    ----------
    path
        The file; it need not exist yet.  A file that is not a journal raises an :class:`EngineError` that says so.
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
        """Return how many results there are."""
        return sum(NOTE not in record["configuration"] for record in self._records.values())

    def find(self, configuration: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the result of this configuration, if it was measured."""
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
        """Write down something that is not a result, in place of the last note of its kind about the same thing."""
        self.keep(_note(kind, of), value)

    def noted(self, kind: str, of: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what was noted of something, if it was."""
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
    """Return the record of a line, and its key; raise :class:`ValueProblem` if it is not as it was written."""
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
