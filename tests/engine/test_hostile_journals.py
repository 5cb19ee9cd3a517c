"""Journals with right checksums over hostile values: a line is used, or left out with its file and line, no error."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.study.experiment_run import ExperimentRun, Supervision
from engine.study.experiments import ExperimentOptions
from engine.study.journal import BEGUN, Journal, key_of
from engine.study.parseval import Summary

CLASSROOM = Path(__file__).parents[2] / "resources" / "models" / "classroom.model"
TREE = "(S (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))\n"
LEFT_OUT = re.compile(r"results\.jsonl, line \d+: the result is cut short or was altered; it is left out and measured")
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    1 << 70,
    10**400,
    float("nan"),
    float("inf"),
    -float("inf"),
    "",
    "NaN",
    "\ud800",
    "9" * 50,
    [],
    {},
    [[]],
    {"sentences": []},
)
NO_COUNTS: tuple[Any, ...] = ("a text", float("nan"), 10**400, {})
Case = tuple[ExperimentRun, dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module", params=["models", "distances"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """An experiment, what it was measured with, and its result."""
    folder = tmp_path_factory.mktemp("journal")
    trees = folder / "a.ptb"
    trees.write_text(TREE)
    models = (str(CLASSROOM),) if request.param == "models" else ()
    run = ExperimentRun.open(
        ExperimentOptions(experiment=request.param, models=models, test=(str(trees),), presets=(1,))
    )
    [result] = run.measure(Journal(folder / "right.jsonl"), quiet())
    # As it is read again: pairs are lists.
    return run, run.configurations[0], json.loads(json.dumps(result))


def quiet() -> Supervision:
    return Supervision(lambda share, what: None)


def line_of(configuration: Any, result: Any) -> str:
    """A line with a right checksum, whatever stands in it."""
    record = {"configuration": configuration, "result": result}
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    whole = json.dumps({"checksum": zlib.crc32(text.encode()), "record": record})
    # What JSON knows of what is not finite: a number that is too large.
    return whole.replace("-Infinity", "-1e999").replace("Infinity", "1e999")


def write(path: Path, *lines: str) -> None:
    header = json.dumps({"format": "parse-engine experiment results", "version": 1})
    path.write_text("\n".join([header, *lines]) + "\n", "utf-8")


def places(value: Any) -> list[tuple[Any, ...]]:
    """Where every value of a JSON value stands."""
    found: list[tuple[Any, ...]] = [()]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        found.extend((name, *rest) for rest in places(one))
    return found


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """The same value with another one at a place."""
    if not place:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[place[0]] = changed(copied[place[0]], place[1:], new)
    return copied


def check(run: ExperimentRun, path: Path, right: dict[str, Any]) -> bool:
    """Open a journal and go on with it; whether its line was left out, and measured again."""
    journal = Journal(path)
    assert not journal.damage or LEFT_OUT.search(journal.damage)
    left_out = not run.known(journal)
    [result] = run.measure(journal, quiet())
    run.table([result]).text()
    run.table([result]).csv()
    if left_out:
        assert json.loads(json.dumps(result)).keys() == right.keys()
        assert run.known(Journal(path)) == 1
    return left_out


@given(data=st.data())
def test_a_hostile_value_anywhere_is_left_out_or_harmless(case: Case, tmp_path: Path, data: st.DataObject) -> None:
    run, configuration, right = case
    place = data.draw(st.sampled_from(places(right)))
    value = data.draw(st.sampled_from(HOSTILE) | st.floats() | st.integers() | st.text(max_size=5))
    path = tmp_path / "results.jsonl"
    write(path, line_of(configuration, changed(right, place, value)))
    check(run, path, right)


def test_every_number_of_a_result_is_checked(case: Case, tmp_path: Path) -> None:
    run, configuration, right = case
    path = tmp_path / "results.jsonl"
    count = 0
    for place in places(right):
        for value in ("a text", float("nan"), float("inf"), 10**400, [1, 2, 3]):
            write(path, line_of(configuration, changed(right, place, value)))
            journal = Journal(path)
            assert LEFT_OUT.search(journal.damage) and not run.known(journal), (place, value)
            count += 1
    assert count > 50
    write(path, line_of(configuration, right))
    assert not check(run, path, right)


def test_of_two_lines_of_one_measurement_a_hostile_one_does_not_hide_the_other(case: Case, tmp_path: Path) -> None:
    run, configuration, right = case
    path = tmp_path / "results.jsonl"
    good, bad = line_of(configuration, right), line_of(configuration, {name: None for name in right})
    for lines in ((good, bad), (bad, good), (good, good), (bad, good, bad)):
        write(path, *lines)
        assert run.known(Journal(path)) == 1 and bool(Journal(path).damage) == (bad in lines)


@pytest.mark.parametrize("case", ["models"], indirect=True)
def test_sums_of_a_measurement_that_was_begun(case: Case, tmp_path: Path) -> None:
    run, configuration, right = case
    summary = asdict(Summary())
    sums = {"summary": summary, "fallback": 0, "seconds": 0.0}
    state = {"done": 0, "sums": {str(length): sums for length in configuration["lengths"]}}
    note = {"note": BEGUN, "of": key_of(configuration)}
    path = tmp_path / "results.jsonl"
    count = 0
    write(path, line_of(note, state))
    assert not Journal(path).damage and Journal(path).noted(BEGUN, configuration) == state
    for place in places(state):
        for value in NO_COUNTS:
            write(path, line_of(note, changed(state, place, value)))
            journal = Journal(path)
            # One without sums for these lengths is begun anew.
            assert LEFT_OUT.search(journal.damage) or value == {}
            assert check(run, path, right)
            count += 1
    assert count > 50
