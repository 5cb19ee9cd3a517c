"""What a lesson needs beside itself: model and treebank, found from its folder, and the settings of a step; no Qt."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.common.files import open_file
from engine.common.resources import BUNDLED, named_model, resources_folder
from engine.settings import DEFAULT_PRESET, Settings
from explorer.classroom.lesson import (
    DISTANCES,
    GOLD_TAGS,
    SUFFIX,
    SWITCHES,
    Lesson,
    LessonError,
    plain_title,
    tidy_line,
)
from explorer.document.document import Document

LONGEST_NAME = 200
"""Characters of a file's name that a message shows."""
_LONGEST_STEM = 60


def bundled_lessons() -> list[Path]:
    """The lessons that come with the program, in their order."""
    return sorted((resources_folder() / "lessons").glob(f"*{SUFFIX}"))


def lesson_title(path: Path) -> str:
    """The title of a lesson's file as menus show it, or its name where it has none."""
    try:
        with open_file(path) as file:
            first = file.readline(LONGEST_NAME).decode("utf-8-sig", "ignore")
    except (OSError, ValueError):
        first = ""
    return plain_title(tidy_line(first[2:])) if first.startswith("# ") else path.stem


def file_stem(title: str) -> str:
    """What a file about something of this title may be called on any system; empty if nothing is left."""
    return " ".join(re.sub(r"[^\w .–-]+", " ", plain_title(title)).split()).strip(" .")[:_LONGEST_STEM]


def begins_like_lesson(start: bytes, path: Path) -> bool:
    """Whether a file is a lesson, by its name and its first bytes."""
    return path.suffix.lower() in (SUFFIX, ".markdown") and start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(
        b"# "
    )


def find_model(name: str, lesson: Path | None) -> Path:
    """The file of a model that a lesson names: a bundled one, or one beside the lesson."""
    if name in BUNDLED:
        return named_model(name)
    found = _beside(name, lesson)
    # Of a name that no file can have these say no; Path's own would raise.
    if not os.path.isfile(found):
        known = ", ".join(BUNDLED)
        raise LessonError(
            f"the lesson's model `{_cut(name)}` is not at {_cut(found)}; put it there, or name one of {known}"
        )
    return found


def find_treebank(lesson: Lesson, path: Path | None) -> Path | None:
    """The treebank of a lesson; ``None`` if it has none."""
    if not lesson.treebank:
        return None
    found = _beside(lesson.treebank, path)
    if not os.path.exists(found):
        raise LessonError(f"the lesson's treebank `{_cut(lesson.treebank)}` is not at {_cut(found)}; put it there")
    return found


def _cut(name: str | Path) -> str:
    """A name of at most some two lines, its end left out."""
    text = str(name)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def _beside(name: str, lesson: Path | None) -> Path:
    path = Path(os.path.expanduser(name))
    return path if path.is_absolute() or lesson is None else lesson.absolute().parent / path


def step_settings(lesson: Lesson, index: int) -> tuple[int, Settings, bool]:
    """Preset and settings of a step, and whether a tree is parsed with its own tags."""
    step = lesson.steps[index]
    preset = step.preset or lesson.preset or DEFAULT_PRESET
    beam = step.beam if step.beam is not None else lesson.beam
    changes: dict[str, Any] = dict(step.switches)
    gold_tags = bool(changes.pop(GOLD_TAGS, True))
    if "distance" in changes:
        changes["distance"] = DISTANCES[changes["distance"]]
    if beam is not None:
        changes["beam"] = beam
    if step.threshold is not None:
        changes["threshold"] = step.threshold
    return preset, Settings.preset(preset, **changes), gold_tags


def switches_of(document: Document) -> tuple[tuple[str, bool], ...]:
    """The switches of a document that stand otherwise than its preset has them."""
    usual = Settings.preset(document.preset)
    found = []
    for field in SWITCHES.values():
        if field == GOLD_TAGS:
            if not document.gold_tags:
                found.append((field, False))
        elif getattr(document.settings, field) != getattr(usual, field):
            own = getattr(document.settings, field)
            found.append((field, own == DISTANCES[True] if field == "distance" else bool(own)))
    return tuple(found)


def model_name(path: str, lesson: Path | None) -> str:
    """What a lesson calls a model: a bundled one by its name, one in or below its folder as seen from there."""
    for name in BUNDLED:
        if path and Path(path) == named_model(name):
            return name
    return _from_folder(Path(path), lesson) if path else ""


def moved(lesson: Lesson, before: Path | None, after: Path) -> Lesson:
    """The lesson for another file: its models and treebank are named so that they are found from there."""

    def renamed(name: str, is_there: Callable[[Path], bool]) -> str:
        if not name or name in BUNDLED:
            return name
        found = _beside(name, before)
        # What is not there stays as it was written: whoever moves the lesson may bring it later.
        return _from_folder(found, after) if is_there(found) else name

    steps = tuple(replace(step, model=renamed(step.model, os.path.isfile)) for step in lesson.steps)
    return replace(
        lesson,
        model=renamed(lesson.model, os.path.isfile),
        treebank=renamed(lesson.treebank, os.path.exists),
        steps=steps,
    )


def _from_folder(path: Path, lesson: Path | None) -> str:
    """A path as seen from a lesson's folder if it lies in it or below, else the whole of it."""
    whole = Path(os.path.normpath(path.absolute()))
    if lesson is not None and whole.is_relative_to(lesson.absolute().parent):
        return whole.relative_to(lesson.absolute().parent).as_posix()
    return str(whole)
