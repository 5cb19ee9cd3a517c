"""Judging in several processes: the same table in the same order, quick to cancel, and only where it pays."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

import engine
from engine.common.errors import EngineError
from engine.model.model import Model
from engine.settings import Settings
from engine.study.treebank_report import ErrorTable
from engine.trees.treebank import read_treebank
from explorer.compare import judging as treebank_judging
from explorer.compare.judging import LEAST_FOR_PROCESSES, PartialTable, judge_lines, judging_processes
from explorer.kit.tasks import Worker
from explorer.session.document import Document, TextLine
from explorer.session.preferences import MOST_PROCESSES, PROCESSES, Preferences, available_cores
from explorer.session.statuses import FAILED

ROOT = Path(__file__).parents[2]
CLASSROOM = ROOT / "resources" / "models" / "classroom.model"
TREES = ROOT / "resources" / "examples" / "classroom.ptb"


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.load(CLASSROOM)


@pytest.fixture(scope="module")
def document() -> Document:
    trees = [tree.brackets() for tree in read_treebank([TREES])]
    lines = [TextLine(text, place=f"tree {number}") for number, text in enumerate(trees[:60], 1)]
    # A tree without words, one whose sentence is too long, and a sentence without a tree are among them.
    lines[7:7] = [TextLine("(S (NP (-NONE- *)))"), TextLine("(S " + "(NN word) " * 500 + ")"), TextLine("Mary left .")]
    return Document(str(CLASSROOM), preset=1, settings=Settings.preset(1), lines=tuple(lines))


class Judged:
    """What a job delivered."""

    def __init__(self, qtbot: QtBot, model: Model, document: Document, processes: int) -> None:
        self.parts: list[PartialTable] = []
        self.results: list[ErrorTable] = []
        self.errors: list[Exception] = []
        ended: list[bool] = []
        worker = Worker("judging")
        numbers = list(range(len(document.lines)))
        worker.request(
            lambda job: judge_lines(job, model, document, numbers, processes),
            self.results.append,
            self.errors.append,
            on_progress=self.parts.append,
            on_finished=lambda: ended.append(True),
        )
        qtbot.waitUntil(lambda: bool(ended), timeout=60_000)
        worker.stop()

    @property
    def statuses(self) -> dict[TextLine, Any]:
        """All of them, in the order in which they came."""
        return {line: status for part in self.parts for line, status in part.statuses.items()}


def test_two_processes_give_the_table_of_one(qtbot: QtBot, model: Model, document: Document) -> None:
    one, two = (Judged(qtbot, model, document, processes) for processes in (1, 2))
    assert not one.errors and not two.errors
    [table], [other] = one.results, two.results
    assert table == other
    assert table.judged == 60 and table.wanted == 62 and table.errors > 0
    assert list(one.statuses.items()) == list(two.statuses.items())
    assert [status.mark for status in two.statuses.values()].count(FAILED) == 1
    assert len(two.statuses) == 61


def test_another_model_in_the_file_is_noticed(qtbot: QtBot, model: Model, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "other.model"
    engine.train(list(read_treebank([TREES]))[:20], tagger=False).save(path)
    judged = Judged(qtbot, model, replace(document, model=str(path)), 2)
    assert not judged.results
    assert "open the model again" in str(judged.errors[0])


def test_cancelling_is_quick(qtbot: QtBot, model: Model, document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(treebank_judging, "TABLE_SECONDS", 0.0)
    many = replace(document, lines=document.lines * 50)
    worker = Worker("judging")
    begun, ended = threading.Event(), threading.Event()
    results: list[ErrorTable] = []
    job = worker.request(
        lambda job: judge_lines(job, model, many, list(range(len(many.lines))), 2),
        results.append,
        lambda error: None,
        on_progress=lambda part: begun.set(),
        on_finished=ended.set,
    )
    qtbot.waitUntil(begun.is_set, timeout=60_000)
    started = time.monotonic()
    job.cancel()
    qtbot.waitUntil(ended.is_set, timeout=10_000)
    # The promise is a fifth of a second on an idle machine.
    assert time.monotonic() - started < 2.0
    assert not results
    worker.stop()


def test_other_processes_are_asked_only_where_they_pay(document: Document, tmp_path: Path) -> None:
    count = LEAST_FOR_PROCESSES
    assert judging_processes(document, count, 4) == 4
    assert judging_processes(document, count - 1, 4) == 1
    assert judging_processes(document, 10 * count, 1) == 1
    assert judging_processes(replace(document, live=True), count, 4) == 1
    assert judging_processes(replace(document, model=str(tmp_path / "gone.model")), count, 4) == 1


def test_the_preference_says_how_many(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path)
    for chosen in (0, -1, MOST_PROCESSES + 1):
        preferences.keep(PROCESSES, chosen)
        assert preferences.processes == min(available_cores(), MOST_PROCESSES)
    preferences.keep(PROCESSES, 3)
    assert preferences.processes == 3


def test_a_list_without_trees_is_told(qtbot: QtBot, model: Model) -> None:
    judged = Judged(qtbot, model, Document(lines=(TextLine("Mary left ."),)), 2)
    assert isinstance(judged.errors[0], EngineError) and "no sentence of the list has a gold tree" in str(
        judged.errors[0]
    )
