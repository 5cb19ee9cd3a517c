"""Work on several processes: order, errors, bounded reading, and the same output as one process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn, cast

import pytest

from engine.common.errors import EngineError
from engine.common.parallel import AHEAD, ordered
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from tests.engine.command_runner import Cli
from tests.waiting import wait_until


class Squarer:
    """A task's work, with a way to fail, and one task that is done after another that was given out after it.

    Parameters
    ----------
    bad
        The task that fails.
    last, first
        The task that waits, and the one that it waits for, so that order is not an accident.
    folder
        Where a task that was begun is noted, for other processes to see.
    """

    def __init__(self, bad: int = -1, last: int = -1, first: int = -1, folder: Path = Path()) -> None:
        self.bad, self.last, self.first = bad, last, first
        self.folder = folder

    def __call__(self, number: int) -> tuple[int, int]:
        if number == self.first:
            (self.folder / str(number)).touch()
        if number == self.bad:
            raise EngineError(f"{number} is bad")
        if number == self.last:
            wait_until((self.folder / str(self.first)).exists)
        return number * number, os.getpid()


class Quitter:
    """Work during which the process dies."""

    def __call__(self, number: int) -> int:
        os._exit(3)


class HalfSender:
    """Work whose result is sent by half: then the process is ended by force, or sends no more.

    Parameters
    ----------
    ends
        Whether the process is ended; else it hangs.
    """

    def __init__(self, ends: bool) -> None:
        def send_half(connection: Connection, content: bytes) -> NoReturn:
            os.write(connection.fileno(), content[: len(content) // 2])
            if ends:
                os.kill(os.getpid(), signal.SIGKILL)
            while True:
                signal.pause()

        Connection._send = send_half  # type: ignore[attr-defined]

    def __call__(self, number: int) -> bytes:
        return bytes(1000 * number)


def result_of_half_senders(ends: bool) -> None:
    """Have two workers send half a result, in a process that would wait for the rest if nothing kept it from that."""
    asked = []

    def cancelled() -> bool:
        asked.append(True)
        return not ends and len(asked) > 5

    try:
        list(ordered(partial(HalfSender, ends), range(1, 5), 2, cancelled=cancelled))
    except EngineError as error:
        print(error)


@pytest.mark.skipif(not hasattr(os, "kill") or sys.platform == "win32", reason="ends a process by force")
@pytest.mark.parametrize(("ends", "said"), [(True, "worker process ended unexpectedly"), (False, "was cancelled")])
@pytest.mark.robust
def test_nobody_waits_for_the_rest_of_half_a_result(ends: bool, said: str) -> None:
    call = f"from tests.engine.test_parallel import result_of_half_senders; result_of_half_senders({ends})"
    command = [sys.executable, "-c", call]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2])
    assert said in ran.stdout and ran.stderr == ""


@pytest.mark.parametrize("batch", [1, 7])
def test_results_come_in_order_from_other_processes(tmp_path: Path, batch: int) -> None:
    # A task of the first batch waits for one of the second.
    squarer = partial(Squarer, last=0, first=batch, folder=tmp_path)
    results = list(ordered(squarer, range(40), 2, batch))
    assert [square for square, _ in results] == [number * number for number in range(40)]
    assert os.getpid() not in {process for _, process in results}


def test_one_job_stays_in_this_process() -> None:
    assert {process for _, process in ordered(Squarer, range(3), 1)} == {os.getpid()}


@pytest.mark.parametrize("batch", [1, 4])
def test_an_error_in_a_worker_comes_after_the_results_before_it(tmp_path: Path, batch: int) -> None:
    results = []
    # The task before the bad one waits for it, if it is another's.
    squarer = partial(Squarer, bad=5, last=4 if batch == 1 else -1, first=5, folder=tmp_path)
    with pytest.raises(EngineError, match="5 is bad"):
        for square, _ in ordered(squarer, range(40), 2, batch):
            results.append(square)
    assert results == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("batch", [1, 4])
def test_an_error_in_reading_comes_after_the_results_before_it(batch: int) -> None:
    def tasks() -> Iterator[int]:
        yield from range(6)
        raise EngineError("the input ends badly")

    results = []
    with pytest.raises(EngineError, match="ends badly"):
        for square, _ in ordered(Squarer, tasks(), 2, batch):
            results.append(square)
    assert results == [0, 1, 4, 9, 16, 25]


def test_tasks_are_read_only_as_far_ahead_as_needed() -> None:
    read = []

    def tasks() -> Iterator[int]:
        for number in range(10_000):
            read.append(number)
            yield number

    with closing(cast("Generator[tuple[int, int], None, None]", ordered(Squarer, tasks(), 2))) as results:
        next(results)
        assert len(read) <= AHEAD * 2 + 1


def test_a_worker_that_dies_is_one_sentence() -> None:
    with pytest.raises(EngineError, match="worker process ended unexpectedly"):
        list(ordered(Quitter, range(3), 2))


def test_jobs_below_one_are_refused() -> None:
    with pytest.raises(EngineError, match="at least 1"):
        list(ordered(Squarer, range(3), 0))


def test_training_with_two_jobs_gives_the_same_file(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    # Large enough for several pieces.
    treebank = tmp_path / "large.ptb"
    treebank.write_bytes(classroom_treebank.read_bytes() * 50)
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN a)))\n(S (NN x) y)\n(TOP (NN b))\n(. .)\n")
    models = []
    for jobs in (1, 2):
        output = tmp_path / f"{jobs}.model"
        options = ("--jobs", jobs, "--skip-bad", "--credit", "us", "--no-record")
        ran = cli("train", broken, treebank, "-o", output, *options)
        assert ran.status == 1
        models.append((output.read_bytes(), ran.out.split("model ")[0]))
    assert models[0] == models[1]
    assert "6,502 used of 6,505 trees" in models[0][1]


@pytest.mark.usefixtures("pickled_workers")
def test_a_broken_tree_is_named_alike_by_two_jobs(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    treebank = tmp_path / "large.ptb"
    good = classroom_treebank.read_text() * 50
    treebank.write_text(good + "(S (NP (NN a)) oops)\n" + good)
    messages = []
    for jobs in (1, 2):
        ran = cli("train", treebank, "-o", tmp_path / "never.model", "--jobs", jobs)
        assert ran.status == 2
        messages.append(ran.err)
    assert messages[0] == messages[1]
    assert "large.ptb, line 6501, column 16: the word 'oops' stands inside (S …) without a tag" in messages[0]
    assert not (tmp_path / "never.model").exists()


@pytest.mark.usefixtures("pickled_workers")
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--tags", "gold"],
        ["--preset", "4", "--format", "json", "--n-best", "3"],
        ["--input", "trees"],
        ["--input", "trees", "--tags", "distribution"],
    ],
)
def test_parsing_with_two_jobs_gives_the_same_output(
    cli: Cli, tmp_path: Path, classroom: Model, classroom_model: Path, options: list[str]
) -> None:
    source = tmp_path / "input"
    trees = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"
    if "trees" in options:
        source.write_text(trees.read_text() + "(S (NP\n")
    else:
        tagged = [str(engine_sentence(line)) for line in trees.read_text().splitlines()]
        source.write_text("\n".join([*tagged, "", "a line without tags", "x/XYZ", "bad/NN bad/"]) + "\n")
    first = cli("parse", source, "--model", classroom_model, *options)
    second = cli("parse", source, "--model", classroom_model, "--jobs", 2, *options)
    assert first == second
    assert first.status == 1
    assert len(first.lines) == (131 if "trees" in options else 134)


@pytest.mark.usefixtures("pickled_workers")
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("parse", ["--input", "text", "--preset", "4", "--format", "json"]),
        ("parse", ["--input", "text"]),
        ("tag", []),
        ("tag", ["--json"]),
        ("tag", ["--input", "tokens", "--probabilities"]),
    ],
)
def test_text_with_two_jobs_gives_the_same_output(
    cli: Cli, tmp_path: Path, classroom_model: Path, command: str, options: list[str]
) -> None:
    source = tmp_path / "input"
    text = "The dog slept. Mary saw John with a telescope!\r\n\r\nThe teacher didn't read the book.\n" * 40
    source.write_bytes(text.encode() + b"caf\xe9 \xff.\n")
    first = cli(command, source, "--model", classroom_model, *options)
    second = cli(command, source, "--model", classroom_model, "--jobs", 2, *options)
    assert first == second
    assert first.status == 1 and len(first.lines) > 100
    assert "not UTF-8 text" in first.err


@pytest.mark.usefixtures("pickled_workers")
def test_evaluating_automatic_tags_with_two_jobs(cli: Cli, classroom_treebank: Path, classroom_model: Path) -> None:
    options = ["--model", classroom_model, "--tags", "distribution", "--json"]
    first, second = (json.loads(cli("evaluate", classroom_treebank, *options, "--jobs", jobs).out) for jobs in (1, 2))
    assert first["lengths"] == second["lengths"]


def engine_sentence(line: str) -> TaggedSentence:
    tree = clean(read_tree(line))
    assert tree is not None
    return TaggedSentence.from_tree(tree)


def test_evaluating_with_two_jobs_gives_the_same_measures(
    cli: Cli, classroom_model: Path, classroom_treebank: Path, tmp_path: Path
) -> None:
    written = []
    for jobs in (1, 2):
        output = tmp_path / f"{jobs}.ptb"
        options = ["--model", classroom_model, "--jobs", jobs, "--output", output]
        ran = cli("evaluate", classroom_treebank, *options)
        assert ran.status == 0
        written.append((output.read_bytes(), ran.out.split("130 sentences in")[0]))
    assert written[0] == written[1]
