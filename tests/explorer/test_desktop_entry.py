"""The program in the menus of a desktop: entry, icons and kinds of files, put there and taken away again."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.common.errors import EngineError
from engine.common.resources import resources_folder
from engine.gate.array_file import MAGIC
from explorer.kit.file_kinds import LESSON, SESSION, SESSION_FORMAT
from explorer.window.command import PLACES, install_entry, main, program_command, quoted, remove_entry

FILES = resources_folder() / "desktop"
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NAMESPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


def entry(path: Path) -> dict[str, str]:
    """The keys of a desktop entry."""
    read = configparser.RawConfigParser(delimiters="=")
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(path, "utf-8")
    return dict(read["Desktop Entry"])


def words_of(command: str) -> list[str]:
    """Read a command as the specification says that a desktop does: first as text, then its quotes, then codes."""
    text = re.sub(r"\\(.)", r"\1", command)
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in _WORD.findall(text)]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder for data, with an unusual name."""
    folder = tmp_path / "own data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


@given(st.lists(st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc"))), min_size=1, max_size=3))
def test_any_path_can_be_named_in_an_entry(words: list[str]) -> None:
    assert words_of(quoted(words)) == words


def test_a_path_with_a_line_break_is_refused() -> None:
    with pytest.raises(EngineError, match="control characters"):
        quoted(["/opt/two\nlines"])


def test_what_is_put_into_the_menus_is_taken_away_again(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["/opt/with $ign/parse-explorer"])
    assert main(["--install-desktop-entry"]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert written == [data / place / name for name, place in PLACES.items()]
    keys = entry(data / "applications" / "parse-explorer.desktop")
    command, _, files = keys["Exec"].rpartition(" ")
    assert words_of(command) == ["/opt/with $ign/parse-explorer"] and files == "%F"
    assert all(path.is_file() for path in written)
    # Twice is no more than once.
    assert install_entry() == written and remove_entry() == written
    assert not any(path.exists() for path in written)
    assert main(["--remove-desktop-entry"]) == 0 and "no desktop entry" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text("a file in its place")
    assert main(["--install-desktop-entry"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("parse-explorer: error: ") and said.count("\n") == 1


def test_started_as_a_module_the_entry_starts_it_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/explorer/__main__.py"])
    assert program_command() == [sys.executable, "-P", "-m", "explorer"]


def test_kinds_of_files_are_those_that_the_program_writes() -> None:
    root = ElementTree.parse(FILES / "parse-explorer.xml").getroot()
    kinds = {kind.attrib["type"]: kind for kind in root}
    assert entry(FILES / "parse-explorer.desktop")["MimeType"].rstrip(";").split(";") == list(kinds)
    model, session, lesson = kinds.values()

    def values(kind: ElementTree.Element, tag: str, key: str) -> list[str]:
        return [found.attrib[key] for found in kind.iter(_NAMESPACE + tag)]

    assert values(model, "match", "value") == [MAGIC.decode().replace("\n", "\\n")]
    assert values(model, "glob", "pattern") == ["*.model"]
    assert values(session, "match", "value") == ["{", f'"{SESSION_FORMAT}"']
    assert values(session, "glob", "pattern") == [f"*{SESSION.new_suffix}"]
    assert values(lesson, "glob", "pattern") == [f"*{LESSON.new_suffix}"]


def test_the_icon_is_the_windows_own() -> None:
    drawn = re.findall(r' d="([^"]+)"', (resources_folder() / "icons" / "app.svg").read_text("utf-8"))
    assert drawn and re.findall(r' d="([^"]+)"', (FILES / "parse-explorer.svg").read_text("utf-8")) == drawn


def test_the_desktops_own_tools_accept_the_files(data: Path) -> None:
    if not shutil.which("desktop-file-validate") or not shutil.which("update-mime-database"):
        pytest.skip("desktop-file-utils and shared-mime-info are not installed")
    install_entry()
    for command in (
        ["desktop-file-validate", str(data / "applications" / "parse-explorer.desktop")],
        ["update-mime-database", str(data / "mime")],
    ):
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (data / "mime" / "globs2").read_text("utf-8").count("parse-explorer") == 3
