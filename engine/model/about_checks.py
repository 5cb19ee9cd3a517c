"""What a model says about its training: shown to people and asked for by name, so every value has its type."""

from __future__ import annotations

from engine.common.checked_json import CheckedValue

_COUNTS = ("trees", "skipped", "sentences", "words")
LARGEST_WEIGHT = 1_000_000
MOST_LISTED = 10_000
"""Names of treebanks, credits, reasons: a list has at most so many."""


def check_about(about: CheckedValue) -> None:
    """Raise :class:`ValueProblem` unless everything that is asked for by name is what it should be."""
    about.members()
    for name in ("corpora", "credits"):
        if (found := about.optional(name)) is not None:
            found.each(CheckedValue.text, MOST_LISTED)
    for name in _COUNTS:
        if name in about.value:
            about.member(name).integer(0)
    if "trees" in about.value:
        about.member("sentences")
    if (weights := about.optional("weights")) is not None:
        weights.each(lambda weight: weight.integer(1, LARGEST_WEIGHT), MOST_LISTED)
    if (reason := about.optional("without_tagger")) is not None:
        reason.text()
    if (compact := about.optional("compact")) is not None:
        compact.flag()
    if (left_out := about.optional("left_out")) is not None:
        _check_left_out(left_out)
    if (run := about.optional("run")) is not None:
        _check_run(run)


def _check_left_out(left_out: CheckedValue) -> None:
    if (reasons := left_out.optional("reasons")) is not None:
        for pair in reasons.items(MOST_LISTED):
            reason, count = pair.items(2, 2)
            reason.text()
            count.integer(0)
    if (others := left_out.optional("other_reasons")) is not None:
        others.integer(0)
    if (first := left_out.optional("first")) is not None:
        for place in first.items(MOST_LISTED):
            file, line, column, _ = place.items(4, 4)
            file.text()
            line.integer()
            column.integer()


def _check_run(run: CheckedValue) -> None:
    run.member("program").text()
    run.member("finished").text()
    run.member("seconds").number(0, 1e12)
    for seconds in run.member("stages").members().values():
        seconds.number(0, 1e12)
    if (memory := run.optional("memory_bytes")) is not None:
        memory.integer(0)
    run.member("jobs").integer(0)
    run.member("options").member("head_rules").text()
