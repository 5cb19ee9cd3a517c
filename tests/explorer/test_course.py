"""The course of seven lessons: every step can be shown, every figure filled in, and what the captions claim is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.common.resources import resources_folder
from engine.study.paper_tables import PAPER_ABLATION
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank
from explorer.classroom.lesson import Lesson
from explorer.classroom.lesson_file import lesson_text, parse_lesson, read_lesson
from explorer.classroom.lesson_player import LessonPlayer
from explorer.classroom.placeholders import fill
from explorer.session.parsing import ParseResult
from explorer.session.session import Session

LESSONS = sorted((resources_folder() / "lessons").glob("*.md"))
HEADS = {
    ("1-dependencies", 1): ("Mary", "ate"),
    ("1-dependencies", 5): ("yesterday", "announced"),
    ("1-dependencies", 6): ("resignation", "announced"),
    ("1-dependencies", 7): ("with", "saw"),
    ("1-dependencies", 8): ("with", "man"),
    ("3-counts", 1): ("with", "pizza"),
    ("3-counts", 5): ("with", "salad"),
    ("3-counts", 6): ("with", "ate"),
    ("4-distance", 1): ("of", "sales"),
    ("4-distance", 3): ("yesterday", "saw"),
    ("4-distance", 4): ("yesterday", "in"),
    ("4-distance", 5): ("with", "park"),
    ("5-chart", 5): ("cat", "slept"),
    ("5-chart", 6): ("cat", "chased"),
    ("6-attachment", 0): ("with", "pizza"),
    ("6-attachment", 1): ("with", "pizza"),
    ("6-attachment", 4): ("with", "ate"),
    ("6-attachment", 5): ("in", "put"),
    ("6-attachment", 6): ("in", "put"),
    ("6-attachment", 7): ("in", "bench"),
    ("7-judging", 4): ("cat", "slept"),
}
"""What captions rely on, by lesson and step: a word and its head."""


class Course:
    """A session in which lessons are played."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.session = Session()
        self.player = LessonPlayer(self.session)

    def play(self, path: Path) -> Iterator[tuple[int, ParseResult]]:
        """Show every step; what is yielded is its number and its parse."""
        self.player.open(read_lesson(path), path)
        for index in range(len(self.player.lesson.steps)):
            assert self.player.go(index)
            self.qtbot.waitUntil(lambda: self.player.ready or bool(self.player.problem), timeout=60_000)
            assert not self.player.problem
            result = self.session.parses.result
            assert result is not None
            yield index, result


@pytest.fixture
def course(qtbot: QtBot) -> Iterator[Course]:
    made = Course(qtbot)
    yield made
    made.session.close()


def lesson(path: Path) -> Lesson:
    return read_lesson(path)


def test_there_are_seven_lessons() -> None:
    assert [path.stem[0] for path in LESSONS] == list("1234567")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_has_questions_a_what_if_and_notes(path: Path) -> None:
    made = lesson(path)
    assert made.about and 6 <= len(made.steps) <= 10
    assert sum(step.question is not None for step in made.steps) >= 3
    assert all(step.question is None or step.question.hint for step in made.steps)
    assert any(step.what_ifs for step in made.steps)
    assert all(step.caption for step in made.steps) and sum(bool(step.notes) for step in made.steps) >= 4
    assert parse_lesson(lesson_text(made)) == made


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_step_can_be_shown_and_says_what_is_so(course: Course, path: Path) -> None:
    for index, result in course.play(path):
        step = course.player.step
        assert step is not None
        for text in (step.caption, step.notes, *((step.question.text, step.question.hint) if step.question else ())):
            filled = fill(text, result, None, course.session.view.selection)
            assert "{" not in filled and "nan" not in filled.split()
        assert course.session.view.stage == step.stage
        if (path.stem, index) in HEADS:
            word, head = HEADS[path.stem, index]
            assert fill(f"{{head of {word}}}", result) == head
        if step.question is not None and step.question.kind == "head":
            assert fill(f"{{head of {step.question.subject}}}", result)


TREEBANKS = {"classroom": ["classroom"], "english": ["classroom", "everyday-train", "everyday-more"]}
"""What comes with the program of the trees that a model was counted from."""


def words_of(tree: Tree) -> str:
    """The words of a tree, in lower case."""
    whole = clean(tree)
    assert whole is not None
    return " ".join(leaf.word or "" for leaf in whole.leaves()).lower()


def test_lessons_tell_which_of_their_sentences_are_training_trees() -> None:
    places = {
        name: [words_of(tree) for tree in read_treebank([resources_folder() / "examples" / f"{name}.ptb"])]
        for name in TREEBANKS["english"]
    }
    seen: dict[str, set[str]] = {}
    for path in LESSONS:
        made = lesson(path)
        for index, step in enumerate(made.steps):
            if not step.sentence:
                continue
            words = (
                words_of(read_tree(step.sentence))
                if step.sentence.startswith("(")
                else " ".join(token.rsplit("/", 1)[0] for token in step.sentence.split()).lower()
            )
            found = [
                (name, places[name].index(words) + 1)
                for name in TREEBANKS[step.model or made.model]
                if words in places[name]
            ]
            # The steps about this sentence: up to the next that has another one.
            later = next((at for at in range(index + 1, len(made.steps)) if made.steps[at].sentence), len(made.steps))
            told = " ".join(" ".join((one.caption + " " + one.notes).split()) for one in made.steps[index:later])
            for name, number in found:
                assert f"tree {number} of the {name} treebank" in told, (path.stem, index, words)
                seen.setdefault(words, set()).add(path.stem[0])
            assert found or " of the classroom treebank" not in told, (path.stem, index, words)
    assert seen == {
        "mary ate a pizza .": {"1", "5"},
        "john smith , the president of ibm , announced his resignation yesterday .": {"1", "2"},
        "the old man saw the boats .": {"2"},
        "the old man the boats .": {"2"},
        "the dog that chased the cat slept .": {"5", "7"},
    }


def test_an_object_and_a_time_have_one_triple(course: Course) -> None:
    results = dict(course.play(LESSONS[0]))
    assert fill("{relation of yesterday}", results[6]) == fill("{relation of resignation}", results[6]) != ""


def test_an_arrow_does_not_know_what_else_its_head_has(course: Course) -> None:
    results = dict(course.play(LESSONS[5]))
    assert fill("{head of on}", results[5]) == "letter" and fill("{head of on}", results[6]) == "put"
    assert fill("{F̂ of in}", results[5]) == fill("{F̂ of in}", results[6])


def test_figures_in_lessons_are_those_of_the_paper_and_of_the_measurements() -> None:
    distance, judging = LESSONS[3].read_text("utf-8"), LESSONS[6].read_text("utf-8")
    table = {switches: row[:2] for switches, row in PAPER_ABLATION.items()}
    assert "80.9 and 83.6 %\nwithout distance, 85.0 and 85.1 % with it" in distance
    assert [table[key] for key in ((False, True), (True, True), (True, False))] == [
        (80.9, 83.6),
        (85.0, 85.1),
        (76.1, 76.6),
    ]
    trees = read_treebank([resources_folder() / "examples" / "classroom.ptb"])
    assert sum("sales" in words_of(tree).split() for tree in trees) == 1 and "*sales* comes only once" in distance
    page = (resources_folder() / "manual" / "measurements.md").read_text("utf-8")
    told = re.findall(r"(\d+) %(?: are inside the model)? after ([\d,]+)", judging)
    assert len(told) == 2
    for share, trained in told:
        [row] = re.findall(rf"^\| {trained} \| .* \| .* \| ([\d.]+) % \| .* \|$", page, re.MULTILINE)
        assert round(float(row)) == int(share)


def test_the_same_number_stands_before_anchovies_and_a_fork(course: Course) -> None:
    [path] = [path for path in LESSONS if path.stem == "6-attachment"]
    estimates = [fill("{F̂ of with}", result) for index, result in course.play(path) if index < 2]
    assert estimates[0] == estimates[1]


def test_the_search_error_is_one_and_a_wider_beam_mends_it(course: Course) -> None:
    [path] = [path for path in LESSONS if path.stem == "5-chart"]
    told = {index: fill("{verdict}", result) for index, result in course.play(path) if index in (5, 6)}
    assert told[5].startswith("Search error") and not told[6].startswith("Search error")
