"""Parts of the training window without it: work in another process, stages with the time left, a model written anew."""

from __future__ import annotations

import multiprocessing
import random
import time
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.common.errors import Cancelled, EngineError, TreeError
from engine.training.survey import BrokenTree
from engine.training.train import TrainingOptions
from engine.trees.reading import read_tree
from explorer.kit.processes import run_in_child
from explorer.laboratory.survey import place_text
from explorer.laboratory.training_work import StageShare, TrainingStages, train_model
from tests.explorer.child_work import echo, fail, hang
from tests.explorer.window_driver import Driver
from tests.trained import CLASSROOM

TREE = "(S (NP (NN tea)) (VP (VBZ cools)))"


def test_another_process_sends_messages_its_result_and_its_error() -> None:
    told: list[Any] = []
    assert run_in_child(echo, (21,), told.append, lambda: None) == 42 and told == [("got", 21)]
    with pytest.raises(TreeError) as found:
        run_in_child(fail, ("tree",), told.append, lambda: None)
    assert (found.value.line, found.value.column) == (3, 7)
    with pytest.raises(RuntimeError, match="ValueError: a fault"):
        run_in_child(fail, ("fault",), told.append, lambda: None)
    with pytest.raises(EngineError, match="ended unexpectedly"):
        run_in_child(fail, ("gone",), told.append, lambda: None)
    assert not multiprocessing.active_children()


def test_what_does_not_stop_is_ended_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    cancelled: list[float] = []

    def check() -> None:
        if told:
            assert Path(told[0]).is_dir() and list(tmp_path.iterdir())
            cancelled.append(time.monotonic())
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        run_in_child(hang, (str(tmp_path / "m.model"),), told.append, check, (tmp_path / "m.model",))
    # A tenth of it on an idle machine.
    assert time.monotonic() - cancelled[0] < 1.0
    assert not Path(told[0]).exists() and not list(tmp_path.iterdir())
    assert not multiprocessing.active_children()


def test_cancelled_at_random_moments_training_leaves_nothing(tmp_path: Path, temporary_files: Path) -> None:
    """Files, temporary folders and processes, wherever it was; those that came to the end are whole."""
    dice = random.Random(17)
    source, target = tmp_path / "trees.ptb", tmp_path / "m.model"
    source.write_text(CLASSROOM.read_text() * 8)
    options = TrainingOptions((str(source),), str(target), jobs=2, rerank=True)
    for _ in range(3):
        stages: list[str] = []
        wanted = dice.randint(1, 12)

        def check(stages: list[str] = stages, wanted: int = wanted) -> None:
            if len(stages) >= wanted:
                raise Cancelled("enough")

        def note(told: object, stages: list[str] = stages) -> None:
            stages.extend([told.stage] if isinstance(told, StageShare) else [])

        with pytest.raises(Cancelled):
            run_in_child(train_model, (options,), note, check, (target,))
        assert [path.name for path in tmp_path.iterdir()] == [source.name]
        assert not list(temporary_files.glob("parse-explorer-*"))
        assert not multiprocessing.active_children()


def test_stages_tell_the_time_left() -> None:
    now = 100.0
    stages = TrainingStages(TrainingOptions(("a",), "m", tagger=False, rerank=True), lambda: now)
    titles = ["reading trees", "counting", "training the re-ranker", "writing"]
    assert [row[0] for row in stages.rows()] == titles
    stages.follow("reading trees", 0.0)
    now += 30
    stages.follow("reading trees", 0.25)
    assert stages.rows()[0] == ("reading trees", "25%", "1:30 left")
    stages.follow("counting", 0.0)
    now += 2
    stages.follow("training the re-ranker: part 2 of 10", 0.5)
    assert stages.rows()[:3] == [
        ("reading trees", "✓", "30.0 s"),
        ("counting", "✓", "2.0 s"),
        ("training the re-ranker", "50%  part 2 of 10", "0:00"),
    ]
    stages.follow("compiling for this machine, once", 0.0)
    assert [row[0] for row in stages.rows()] == [*titles[:3], "compiling for this machine, once", "writing"]


def test_the_text_of_a_broken_tree_has_its_place_marked(tmp_path: Path) -> None:
    path = tmp_path / "long.ptb"
    long = "(S " + "(NN a) " * 2000 + "loose)"
    path.write_text("\n".join(["(X (NN a))"] * 120 + [long, "(X (NN b))"]))
    column = long.index("loose") + 1
    lines = place_text(BrokenTree(str(path), 121, column, "a loose word")).splitlines()
    marked = next(number for number, line in enumerate(lines) if "▲" in line)
    assert lines[marked - 1].index("loose") == lines[marked].index("▲") and len(lines[marked - 1]) < 2100
    assert lines[0].startswith("118 │") and lines[-1] == "122 │ (X (NN b))"


def test_a_model_written_anew_is_used_when_it_is_opened_again(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "own.model"
    for count in (1, 2):
        engine.train([read_tree(TREE)] * count).save(path)
        driver.session.loader.open_model(path)

        def opened(count: int = count) -> bool:
            model = driver.session.parses.model
            return model is not None and model.metadata["trees"] == count

        driver.until(opened)
