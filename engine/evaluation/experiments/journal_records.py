"""What a record of a journal may hold, by what it is a record of; checked before anything of it is used.

A checksum tells damage, not who wrote a line.  So every record is held against what this program would have written for
its configuration: a line that is well-formed and yet none of these is left out as a damaged one is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from engine.common.checked_json import CheckedValue, ValueProblem
from engine.evaluation.experiments.measurement import nothing_measured
from engine.evaluation.parseval import Summary

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
    """Raise :class:`ValueProblem` if a result is none of its configuration; those of other kinds are left alone."""
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
