"""Sessions from strangers: every value of every field in turn is something else; refused in one sentence, or shown.

``PARSE_EXPLORER_SESSIONS=3000 python -m pytest tests/explorer/test_hostile_sessions.py`` shows more of them.
"""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from engine.structure.constraints import Attachment, BaseSpan, Bracket, FixedTag, GapTag
from engine.structure.dependencies import Relation
from explorer.kit.appearance import appearance
from explorer.session import files as session_reading
from explorer.session.document import Document, SessionError, TextLine
from explorer.session.files import load_document
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.main_window import MainWindow
from tests.explorer.window_driver import SAW, SMITH, Driver
from tests.stage_names import NAMES as STAGE_NAMES

TRIED = int(os.environ.get("PARSE_EXPLORER_SESSIONS", "60"))
"""Sessions of which those that can be opened are shown, each time the tests are run."""
WORDS = 7
"""Of the sentence with what-ifs, without its full stop."""
WHAT_IFS = (
    GapTag(1, "S"),
    BaseSpan(2, 4),
    Attachment(4, 1, Relation("NP", "S", "VP"), True),
    Bracket(4, 7, "PP"),
    FixedTag(3, "NN"),
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    5,
    6,
    7,
    8,
    77,
    10**9,
    2**63,
    -(2**63),
    10**400,
    0.5,
    -0.0,
    1e308,
    1e-300,
    float("nan"),
    float("inf"),
    "",
    "x",
    "S",
    "NP",
    "/",
    "a/b",
    "\0",
    "\ud800",
    "\u202e\u200f",
    "𐀀𒀀\ue000😀",
    "(S (NP",
    "()",
    "x" * 5000,
    "x/NN " * 500,
    "\n\n",
    "../../../etc/passwd",
    "/dev/zero",
    [],
    {},
    [[]],
    {"kind": "gap"},
    ["a", "b", "c"],
    [1, 2, 3],
    {"text": "x"},
)


def whole() -> dict[str, Any]:
    """A session with all that a session can have."""
    lines = (
        TextLine(SAW, WHAT_IFS, "news.txt, line 1"),
        TextLine(SMITH),
        TextLine("(S (NP (NN dog)) (VP (VBD slept)))"),
    )
    return {**Document("classroom.model", lines=lines).as_dict(), "stage": 3, "file": "/tmp/x.json", "saved": False}


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a value, by the names and numbers that lead to it."""
    if at:
        yield at
    found = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, inner in found:
        yield from places(inner, (*at, name))


def hostile(chance: random.Random) -> dict[str, Any]:
    """A session one or two of whose values are something else, or missing, or there twice."""
    stored = json.loads(json.dumps(whole()))
    for _ in range(chance.choice((1, 1, 2))):
        *way, last = chance.choice(list(places(stored)))
        inner = stored
        for name in way:
            inner = inner[name]
        match chance.random():
            case share if share < 0.1:
                del inner[last]
            case share if share < 0.2 and isinstance(inner, list):
                inner.append(copy.deepcopy(inner[last]))
            case _:
                alike = [other for other in OTHERS if type(other) is type(inner[last])]
                inner[last] = copy.deepcopy(chance.choice(alike if alike and chance.random() < 0.6 else OTHERS))
    return dict(stored)


def opened(path: Path, stored: dict[str, Any]) -> tuple[Document, str] | None:
    """The session if it can be opened; else it is refused in one sentence that names the file."""
    path.write_bytes(json.dumps(stored).encode("utf-8", "surrogatepass"))
    try:
        return load_document(path)
    except SessionError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error) and len(str(error)) < len(str(path)) + 300
        return None


def show_hostile(driver: Driver, folder: Path, chance: random.Random, tried: int) -> tuple[int, int]:
    """Open so many sessions and show every sentence of them at every stage; how many were refused and shown."""
    shown = 0
    parses, editor = driver.session.parses, driver.session.editor
    for _ in range(tried):
        found = opened(folder / "session.json", hostile(chance))
        if found is None:
            continue
        shown += 1
        driver.session.restore(*found)
        for index in range(len(found[0].lines)):
            editor.choose(index)
            driver.until(lambda: parses.is_complete or bool(parses.problem) or not editor.line.text.strip())
            for stage in STAGE_NAMES:
                driver.session.view.set_stage(stage)
                driver.process_events()
            assert "something went wrong" not in parses.problem, parses.problem
    return tried - shown, shown


def test_a_session_of_a_stranger_is_refused_in_one_sentence_or_shown(driver: Driver, tmp_path: Path) -> None:
    refused, shown = show_hostile(driver, tmp_path, random.Random(18), TRIED)
    assert refused > TRIED / 4 and shown > TRIED / 12


def test_every_value_in_turn_is_read_or_refused(tmp_path: Path) -> None:
    stored = json.loads(json.dumps(whole()))
    refused = read = 0
    for way in places(stored):
        for other in OTHERS[:: 1 if len(way) > 2 else 2]:
            changed = copy.deepcopy(stored)
            inner = changed
            for name in way[:-1]:
                inner = inner[name]
            inner[way[-1]] = other
            if opened(tmp_path / "session.json", changed) is None:
                refused += 1
            else:
                read += 1
    assert refused > 1500 and read > 200


def test_what_ifs_of_another_sentence_are_told_in_one_sentence(driver: Driver, tmp_path: Path) -> None:
    stored = whole()
    for what_if in (GapTag(WORDS, "S"), Attachment(20, 3), Bracket(3, 30), FixedTag(9, "NN"), BaseSpan(0, WORDS + 1)):
        driver.session.restore(Document(driver.session.editor.document.model, lines=(TextLine(SAW, (what_if,)),)))
        driver.until(lambda: bool(driver.session.parses.problem))
        assert "words" in driver.session.parses.problem or "word" in driver.session.parses.problem
        driver.process_events()
        driver.session.restore(Document(driver.session.editor.document.model, lines=(TextLine(SAW),)))
        driver.settle()
    # One that no sentence of so many characters can have is refused with the file.
    stored["lines"][0]["what_ifs"] = [{"kind": "tag", "position": len(SAW), "tag": "NN"}]
    path = tmp_path / "session.json"
    path.write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(SessionError, match=r"lines\[0\]\.what_ifs\[0\]\.position should be a whole number from 0 to"):
        load_document(path)


def test_a_session_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "session.json"
    monkeypatch.setattr(session_reading, "MOST_VALUES", 1000)
    path.write_text("[" + "[]," * 2000 + "[]]")
    with pytest.raises(SessionError, match="too long for a session file"):
        load_document(path)
    monkeypatch.setattr(session_reading, "MOST_BYTES", 1000)
    path.write_text('"' + "x" * 2000 + '"')
    with pytest.raises(SessionError, match="too long for a session file"):
        load_document(path)
    path.write_text("[" * 900)
    with pytest.raises(SessionError, match="not a session file"):
        load_document(path)


HOSTILE_PREFERENCES = (
    "x",
    "-1",
    "1e999",
    "nan",
    "999999999",
    "@Invalid()",
    "@ByteArray(\\0\\0)",
    "@Size(9 9)",
    "@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3\\0\\0\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff)",
    "a, b, c",
    "\\0",
    "true, false",
    "/" * 5000,
)
NAMES = (
    "theme",
    "text-scale",
    "reduce-motion",
    "geometry",
    "state",
    "splitter",
    "tables-folded",
    "digits",
    "processes",
    "folder",
    "word-tags",
    "comparing",
    "recent\\files",
    "recent\\models",
    "export-format",
    "export-scale",
    "lesson\\path",
    "tour-shown",
)


@pytest.mark.parametrize("value", HOSTILE_PREFERENCES)
def test_damaged_preferences_fall_back_to_their_defaults(qtbot: QtBot, tmp_path: Path, value: str) -> None:
    groups = [name.replace("\\", "/") for name in NAMES]
    lines = ["[General]", *(f"{name}={value}" for name in groups if "/" not in name)]
    for name in (name for name in groups if "/" in name):
        group, _, key = name.partition("/")
        lines += [f"[{group}]", f"{key}={value}"]
    home = tmp_path / "home"
    home.mkdir()
    (home / "window.ini").write_text("\n".join(lines), encoding="utf-8")
    preferences = Preferences(home)
    assert 0.5 <= preferences.number("text-scale", 1.0, 0.5, 4.0) <= 4.0 and 1 <= preferences.processes <= 16
    window = MainWindow(Session(), preferences)
    window.show()
    screen = window.screen().availableGeometry()
    assert window.width() <= max(screen.width(), 1280) and window.height() <= max(screen.height(), 800)
    assert appearance().theme.title
    window.files.recent()
    window.files.recent_models()
    window.named_actions["preferences"].trigger()
    [dialog] = [one for one in window.findChildren(QDialog) if one.isVisible()]
    dialog.close()
    window.close()
    window.deleteLater()
