"""Grids of one's own, and experiments that are stopped and taken up again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.common.errors import Cancelled, EngineError
from engine.common.parallel import ordered
from engine.study import experiment_run as bench_module
from engine.study import paper_tables as trials
from engine.study.experiment_run import ExperimentRun, Supervision, kept_experiments
from engine.study.experiments import EXPERIMENTS, ExperimentOptions
from engine.study.journal import Journal, Measurement
from tests.engine.command_runner import Cli

SPEEDS = ("seconds", "sentences_per_second")


pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that were parsed, one after the other."""
    found: list[str] = []

    def counted(make: Callable[[], Callable[[Any], Any]], tasks: Any, *more: Any) -> Iterator[Any]:
        for task, result in zip(tasks, ordered(make, tasks, *more), strict=True):
            found.append(task)
            yield result

    monkeypatch.setattr(bench_module, "ordered", counted)
    return found


def accuracy(result: Mapping[str, Any], length: int) -> dict[str, Any]:
    """What was measured, without the speed."""
    return {key: value for key, value in result["measures"][str(length)].items() if key not in SPEEDS}


def test_a_grid_has_every_combination_once() -> None:
    plan = trials.grid(("a", "b"), (3, 4), (1000.0, 3.0), ("auto", "best", "gold"))
    # The automatic tags of model (3) are the best ones, which are measured once.
    assert len(plan) == 2 * 2 * (2 + 3)
    assert len({(trial.model, trial.name, trial.tags) for trial in plan}) == len(plan)
    assert [trial.tags for trial in plan[:2]] == ["best", "gold"]


def test_a_grid_has_the_figures_of_the_separate_experiments(cli: Cli, classroom_model: Path, small: Path) -> None:
    test = ("--test", small, "--json")
    line = ("experiment", "grid", small, "--models", classroom_model, "--presets", 1, 3)
    grid = json.loads(cli(*line, "--beams", 1000, 3, "--tags", "auto", "gold", "--max-length", 8, 40, "--json").out)
    found = {(*trial["name"][1:], trial["tags"]): trial for trial in grid["trials"]}
    assert len(found) == 8
    compared = 0
    for tags in ("best", "gold"):
        wanted = ("--model", classroom_model, *test, "--tags", tags)
        models = json.loads(cli("experiment", "models", *wanted, "--presets", 1, 3, "--max-length", 8, 40).out)
        beams = json.loads(cli("experiment", "beam", *wanted, "--beams", 1000, 3, "--max-length", 40).out)
        for preset, trial in zip(("(1)", "(3)"), models["trials"], strict=True):
            for length in (8, 40):
                assert accuracy(trial, length) == accuracy(found[preset, "1000", tags], length)
                compared += 1
        for beam, trial in zip(("1000", "3"), beams["trials"], strict=True):
            assert accuracy(trial, 40) == accuracy(found["(3)", beam, tags], 40)
            compared += 1
    assert compared == 12


def test_every_form_of_a_grid(cli: Cli, classroom_model: Path, small: Path, tmp_path: Path) -> None:
    plot = tmp_path / "grid.svg"
    line = ["experiment", "grid", small, "--models", classroom_model, classroom_model, "--presets", 3]
    line += ["--beams", 1000, 20, "--max-length", 40, "--resume", tmp_path / "results"]
    text = cli(*line, "--plot", plot, "--axis", "beam")
    assert text.status == 0 and "the paper (WSJ, section 23)" in text.out
    rows = list(csv.DictReader(io.StringIO(cli(*line, "--csv").out)))
    assert [row["model"] for row in rows] == ["classroom"] * 4 + [""]
    assert [row["beam"] for row in rows] == ["1000", "20", "1000", "20", "1000"]
    assert rows[-1]["labeled_recall"] == "85.5"
    described = json.loads(cli(*line, "--json").out)
    # Both models at β 1000 stand against the paper's row.
    ours = described["trials"][0]["measures"]["40"]["labeled_recall"]
    assert [row["labeled_recall"] for row in described["differences"]] == [pytest.approx(ours - 85.5)] * 2
    assert "tabular" in cli(*line, "--latex").out
    assert "β" in plot.read_text() and "sentences/s" in plot.read_text()
    assert cli(*line, "--axis", "nothing").status == 2


def options(model: Path, small: Path, **more: Any) -> ExperimentOptions:
    """Two trials on a few trees."""
    given = {"presets": (3,), "beams": (1000.0, 3.0), "lengths": (40,), **more}
    return ExperimentOptions("beam", (str(small),), models=(str(model),), **given)


def test_stopped_in_the_midst_it_measures_nothing_twice(
    classroom_model: Path, small: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setattr(bench_module, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(bench_module, "TELL_SECONDS", 0.0)
    wanted = options(classroom_model, small)
    told: list[tuple[int, int, bool]] = []

    def supervised(stop_after: int) -> Supervision:
        def on_measured(trial: int, result: Mapping[str, Any], done: bool) -> None:
            told.append((trial, result["measures"]["40"]["sentences"], done))
            if len(told) == stop_after:
                made.cancel()

        made = Supervision(on_measured=on_measured)
        return made

    run = ExperimentRun.open(wanted)
    with pytest.raises(Cancelled):
        run.measure(run.journal(), supervised(14))
    count = len(run.bench.test.trees)
    # Rows fill sentence by sentence: ten of the first trial, its end, and three of the second.
    assert told == [
        *((0, number, False) for number in range(1, 11)),
        (0, 10, True),
        *((1, n, False) for n in (1, 2, 3)),
    ]
    [kept] = kept_experiments()
    assert (kept.done, kept.trials, kept.finished) == (1, 2, False) and kept.options == wanted
    assert len(parsed) == count + 3
    # Another run, as after a restart.
    again = ExperimentRun.open(kept.options)
    told.clear()
    results = again.measure(again.journal(), supervised(0))
    assert len(parsed) == 2 * count
    assert told[:2] == [(0, 10, True), (1, 4, False)]
    [kept] = kept_experiments()
    assert kept.finished
    kept.forget()
    assert kept_experiments() == [] and list((cache / "experiments").iterdir()) == []
    whole = ExperimentRun.open(wanted)
    expected = whole.measure(whole.journal(), Supervision())
    for one, other in zip(results, expected, strict=True):
        assert accuracy(one, 40) == accuracy(other, 40)


def test_one_trial_under_two_names_is_measured_once(classroom_model: Path, small: Path, parsed: list[str]) -> None:
    wanted = ExperimentOptions("models", (str(small),), models=(str(classroom_model),), presets=(3, 4), tags=("best",))
    run = ExperimentRun.open(wanted)
    results = run.measure(run.journal(), Supervision())
    assert len(parsed) == len(run.bench.test.trees) and results[0] == results[1]


def test_paused_it_waits(classroom_model: Path, small: Path) -> None:
    import threading

    run = ExperimentRun.open(options(classroom_model, small, beams=(3.0,)))
    supervision = Supervision()
    supervision.pause()
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.extend(run.measure(run.journal(), supervision)))
    thread.start()
    thread.join(0.3)
    assert thread.is_alive() and supervision.paused
    supervision.go_on()
    thread.join(60)
    assert len(results) == 1


def test_distances_are_an_experiment_like_the_others(small: Path, cli: Cli) -> None:
    run = ExperimentRun.open(ExperimentOptions("distances", (str(small),)))
    table = run.table(run.measure(run.journal(), Supervision()))
    assert table.csv() == cli("experiment", "distances", small, "--csv").out.rstrip("\n")
    again = ExperimentRun.open(run.options)
    assert again.known(again.journal()) == 1


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_a_table_has_its_rows_before_anything_is_measured(name: str, small: Path, classroom_model: Path) -> None:
    wanted = ExperimentOptions(name, (str(small),), models=(str(classroom_model),))
    table = EXPERIMENTS[name].live_table(wanted, {}, "test")
    assert EXPERIMENTS[name].live_figure(wanted, {}, "test") is None
    if name != "distances":
        ours = next(block for block in table.blocks if not block.papers)
        assert ours.rows and all(cell is None for row in ours.rows for cell in row[table.names :])


def test_rows_stand_beside_the_papers_with_their_difference(classroom_model: Path, small: Path) -> None:
    run = ExperimentRun.open(options(classroom_model, small))
    table = run.table(run.measure(run.journal(), Supervision()))
    rows = table.beside_paper()
    assert [row.kind for row in rows[:3]] == ["ours", "paper", "difference"]
    at = [column.key for column in table.columns].index("labeled_recall")
    ours, paper, difference = (row.values[at] for row in rows[:3])
    assert isinstance(ours, float) and paper == 84.9 and difference == pytest.approx(ours - 84.9)
    assert rows[2].cells[at].startswith(("+", "−", "0"))
    # The β that were not measured stand at the end.
    assert [row.values[0] for row in rows[6:]] == ["150", "20", "1.5", "1.2"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (ExperimentOptions("models", ()), "no treebank is chosen"),
        (ExperimentOptions("models", ("x",)), "either a model or treebanks"),
        (ExperimentOptions("learning-curve", ("x",), models=("m",)), "treebanks to train on"),
        (ExperimentOptions("grid", ("x",), models=("m",), presets=()), "no preset is chosen"),
        (ExperimentOptions("beam", ("x",), models=("m",), beams=(1.0,)), "beam must be greater than 1"),
        (ExperimentOptions("nothing", ("x",)), "no experiment called nothing"),
    ],
)
def test_mistakes_are_one_sentence(wanted: ExperimentOptions, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        wanted.checked()


def test_what_was_asked_for_comes_back_as_it_was(small: Path) -> None:
    wanted = ExperimentOptions("grid", (str(small),), models=("classroom",), tags=("gold",), axis="beam", jobs=2)
    assert ExperimentOptions.of_dict(json.loads(json.dumps({**wanted.as_dict(), "newer": 1}))) == wanted


def test_a_note_is_no_result(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    begun = Measurement([40]).state()
    journal.note("begun", {"beam": 3}, begun)
    assert len(journal) == 0 and Journal(journal.path).noted("begun", {"beam": 3}) == begun
    journal.keep({"beam": 3}, {"f1": 80.0})
    assert len(journal) == 1 and Journal(journal.path).noted("begun", {"beam": 3}) is None
