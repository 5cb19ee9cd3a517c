"""The page of the manual about lessons: its tables are those of the code, and what it shows can be read."""

from __future__ import annotations

import re

from explorer.classroom.lesson_controller import DOCK_KEY, LessonController
from explorer.classroom.lesson_editor import check_lesson
from explorer.classroom.lesson_file import LESSON_ENTRIES, STEP_ENTRIES, parse_lesson
from explorer.classroom.placeholders import PLACEHOLDERS
from explorer.classroom.questions import KINDS, read_question
from explorer.classroom.references import References
from explorer.kit.actions import declared
from explorer.window.manual import manual_folder

PAGE = (manual_folder() / "lessons.md").read_text(encoding="utf-8")
WORDS = ("Mary", "saw", "the", "man", "with", "the", "telescope")


def table(heading: str) -> dict[str, str]:
    """The table below a heading: what stands in its first column, and in its second."""
    part = re.split(r"^#+ ", PAGE.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [re.split(r"(?<!\\)\|", row) for row in part.split("\n") if row.startswith("| `")]
    assert rows, heading
    return {row[1].strip().strip("`"): row[2].strip().replace("\\|", "|") for row in rows}


def test_the_entries_are_those_that_are_read() -> None:
    for heading, entries in (("Entries of a lesson", LESSON_ENTRIES), ("Entries of a step", STEP_ENTRIES)):
        assert list(table(heading).items()) == [(entry.name, entry.meaning) for entry in entries]


def test_the_placeholders_are_those_that_are_filled_in() -> None:
    assert table("Placeholders") == {f"{{{one.form}}}": one.meaning for one in PLACEHOLDERS}


def test_the_names_can_be_read() -> None:
    references = References(WORDS)
    names = 0
    for row, meaning in table("Naming what is selected").items():
        for name in (row, *re.findall(r"`((?:node|decisions?) [^`]*)`", meaning)):
            references.id(name)
            names += 1
    for row, meaning in table("What-ifs").items():
        for name in (row, f"not {row}", *re.findall("`([^`]*)`", meaning)):
            references.constraint(name)
            names += 1
    assert names > 30


def test_the_questions_are_those_that_can_be_posed() -> None:
    rows = table("Questions")
    assert [read_question(row).kind for row in rows] == [kind.name for kind in KINDS]
    assert list(rows.values()) == [kind.meaning for kind in KINDS]


def test_the_example_is_sound() -> None:
    example = PAGE.partition("```markdown\n")[2].partition("```")[0]
    lesson = parse_lesson(example)
    assert len(lesson.steps) == 2 and check_lesson(lesson) == []


def test_the_keys_are_those_of_the_actions() -> None:
    actions = declared(LessonController)
    assert len(actions) > 10
    for action in actions:
        assert action.shortcut in PAGE, action.title
    assert DOCK_KEY in PAGE
