"""Work on several processes: order, errors, bounded reading, and the same output as one process."""

import json
import os
import time
from functools import partial
from pathlib import Path

import pytest

from engine.common.errors import EngineError
from engine.common.parallel import AHEAD, ordered


class Squarer:
    """A task's work, with a way to fail."""

    def __init__(self, bad: int = -1) -> None:
        self.bad = bad

    def __call__(self, number: int) -> tuple[int, int]:
        if number == self.bad:
            raise EngineError(f"{number} is bad")
        if number < 4:
            # The first come last, so that order is not an accident.
            time.sleep(0.05)
        return number * number, os.getpid()


class Quitter:
    """Work during which the process dies."""

    def __call__(self, number: int) -> int:
        os._exit(3)


@pytest.mark.parametrize("batch", [1, 7])
def test_results_come_in_order_from_other_processes(batch):
    results = list(ordered(Squarer, range(40), 2, batch))
    assert [square for square, _ in results] == [number * number for number in range(40)]
    assert os.getpid() not in {process for _, process in results}


def test_one_job_stays_in_this_process():
    assert {process for _, process in ordered(Squarer, range(3), 1)} == {os.getpid()}


@pytest.mark.parametrize("batch", [1, 4])
def test_an_error_in_a_worker_comes_after_the_results_before_it(batch):
    results = []
    with pytest.raises(EngineError, match="5 is bad"):
        for square, _ in ordered(partial(Squarer, 5), range(40), 2, batch):
            results.append(square)
    assert results == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("batch", [1, 4])
def test_an_error_in_reading_comes_after_the_results_before_it(batch):
    def tasks():
        yield from range(6)
        raise EngineError("the input ends badly")

    results = []
    with pytest.raises(EngineError, match="ends badly"):
        for square, _ in ordered(Squarer, tasks(), 2, batch):
            results.append(square)
    assert results == [0, 1, 4, 9, 16, 25]


def test_tasks_are_read_only_as_far_ahead_as_needed():
    read = []

    def tasks():
        for number in range(10_000):
            read.append(number)
            yield number

    results = ordered(Squarer, tasks(), 2)
    next(results)
    assert len(read) <= AHEAD * 2 + 1
    results.close()


def test_a_worker_that_dies_is_one_sentence():
    with pytest.raises(EngineError, match="worker process ended unexpectedly"):
        list(ordered(Quitter, range(3), 2))


def test_jobs_below_one_are_refused():
    with pytest.raises(EngineError, match="at least 1"):
        list(ordered(Squarer, range(3), 0))


def test_training_with_two_jobs_gives_the_same_file(cli, tmp_path, classroom_treebank):
    # Large enough for several pieces.
    treebank = tmp_path / "large.ptb"
    treebank.write_bytes(classroom_treebank.read_bytes() * 50)
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN a)))\n(S (NN x) y)\n(TOP (NN b))\n(. .)\n")
    models = []
    for jobs in (1, 2):
        output = tmp_path / f"{jobs}.model"
        ran = cli("train", broken, treebank, "-o", output, "--jobs", jobs, "--skip-bad", "--credit", "us")
        assert ran.status == 1
        models.append((output.read_bytes(), ran.out.split("model ")[0]))
    assert models[0] == models[1]
    assert "6,502 used of 6,505 trees" in models[0][1]


def test_a_broken_tree_is_named_alike_by_two_jobs(cli, tmp_path, classroom_treebank):
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
def test_parsing_with_two_jobs_gives_the_same_output(cli, tmp_path, classroom, classroom_model, options):
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
def test_text_with_two_jobs_gives_the_same_output(cli, tmp_path, classroom_model, command, options):
    source = tmp_path / "input"
    text = "The dog slept. Mary saw John with a telescope!\r\n\r\nThe teacher didn't read the book.\n" * 40
    source.write_bytes(text.encode() + b"caf\xe9 \xff.\n")
    first = cli(command, source, "--model", classroom_model, *options)
    second = cli(command, source, "--model", classroom_model, "--jobs", 2, *options)
    assert first == second
    assert first.status == 1 and len(first.lines) > 100
    assert "not UTF-8 text" in first.err


def test_evaluating_automatic_tags_with_two_jobs(cli, classroom_treebank, classroom_model):
    options = ["--model", classroom_model, "--tags", "distribution", "--json"]
    first, second = (json.loads(cli("evaluate", classroom_treebank, *options, "--jobs", jobs).out) for jobs in (1, 2))
    assert first["lengths"] == second["lengths"]


def engine_sentence(line: str):
    from engine import TaggedSentence, read_tree
    from engine.trees.tree import clean

    return TaggedSentence.from_tree(clean(read_tree(line)))


def test_evaluating_with_two_jobs_gives_the_same_measures(cli, classroom_model, classroom_treebank, tmp_path):
    written = []
    for jobs in (1, 2):
        output = tmp_path / f"{jobs}.ptb"
        options = ["--model", classroom_model, "--jobs", jobs, "--output", output]
        ran = cli("evaluate", classroom_treebank, *options)
        assert ran.status == 0
        written.append((output.read_bytes(), ran.out.split("130 sentences in")[0]))
    assert written[0] == written[1]
