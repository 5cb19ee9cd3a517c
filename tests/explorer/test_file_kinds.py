"""Kinds of files, and the dialogs that ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from engine.common.resources import named_model
from explorer.kit.file_dialogs import ask_open, ask_save, ask_several, folder, remember_folder
from explorer.kit.file_kinds import (
    CSV,
    LESSON,
    MODEL,
    OPENED,
    SENTENCES,
    SESSION,
    SESSION_FORMAT,
    TREES,
    TSV,
    FileKind,
    is_name_of_file,
    kind_of,
)
from explorer.kit.store import Store


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.model", "", MODEL),
        ("a.json", f'{{"format": "{SESSION_FORMAT}"}}', SESSION),
        ("a.txt", f' {{"format": "{SESSION_FORMAT}"}}', SESSION),
        ("a.json", f"He said {SESSION_FORMAT}.", SENTENCES),
        ("a.md", "\ufeff# A lesson\n", LESSON),
        ("a.MARKDOWN", "# A lesson\n", LESSON),
        ("a.txt", "# not/DT a/DT lesson/NN\n", SENTENCES),
        ("a.md", "Mary saw it.\n", SENTENCES),
        ("a.ptb", "(S (NP (NNP Mary)))\n", SENTENCES),
    ],
)
def test_a_file_is_known_by_its_name_and_beginning(tmp_path: Path, name: str, content: str, kind: FileKind) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert kind_of(path) is kind


def test_a_model_is_known_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "renamed.txt"
    path.write_bytes(named_model("classroom").read_bytes()[:500])
    assert kind_of(path) is MODEL


def test_a_file_that_is_not_there_has_no_kind(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        kind_of(tmp_path / "none.txt")


def test_names_of_files_are_told_from_sentences() -> None:
    assert all(map(is_name_of_file, ("a.ptb", "b.conllu", "x/c.session.json", "d.lesson.md", "e.model")))
    assert not any(map(is_name_of_file, ("Mary saw it.", "Stop", "saved to a.ptb", "e.exe")))


def test_dialogs_begin_where_a_file_was_chosen_last(
    store: Store, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []
    answer = [str(tmp_path / "trees" / "a.ptb")]

    def ask(parent: object, title: str, start: str, kinds: str, *_: str) -> tuple[str, str]:
        asked.append((start, kinds))
        return answer[0], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", ask)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    assert folder(store) == Path.cwd()
    assert ask_open(parent, store, "Trees", TREES) == Path(answer[0])
    assert folder(store) == tmp_path / "trees"
    answer[0] = ""
    assert ask_open(parent, store, "Open", *OPENED) is None and ask_several(parent, store, "Open") == []
    assert ask_save(parent, store, "Save", "a.tsv", CSV, TSV) is None
    assert [start for start, _ in asked] == [str(Path.cwd()), str(tmp_path / "trees"), str(tmp_path / "trees/a.tsv")]
    assert asked[1][1].startswith("Sentences, trees, sessions, models and lessons (*.txt ")
    assert asked[2][1] == "CSV (*.csv);;TSV (*.tsv)"
    # What comes with the program is no place for files of one's own.
    remember_folder(store, named_model("classroom"))
    assert folder(store) == tmp_path / "trees"


@pytest.mark.parametrize(
    ("typed", "used", "written"),
    [("own", "", "own.tsv"), ("own", "CSV (*.csv)", "own.csv"), ("own.txt", "CSV (*.csv)", "own.txt")],
)
def test_a_name_without_an_ending_is_given_one(
    store: Store, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, used: str, written: str
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / typed), used))
    assert ask_save(parent, store, "Save", "a.tsv", CSV, TSV) == tmp_path / written


def test_a_file_that_the_dialog_did_not_see_is_not_replaced_unasked(
    store: Store, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.session.json").write_text("{}")
    questions: list[str] = []
    answer = [QMessageBox.StandardButton.No]

    def question(parent: object, title: str, text: str) -> QMessageBox.StandardButton:
        questions.append(text)
        return answer[0]

    monkeypatch.setattr(QMessageBox, "question", question)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "own"), ""))
    assert ask_save(parent, store, "Save session", "own.session.json", SESSION) is None
    answer[0] = QMessageBox.StandardButton.Yes
    assert ask_save(parent, store, "Save session", "own.session.json", SESSION) == tmp_path / "own.session.json"
    assert questions == ["own.session.json already exists. Do you want to replace it?"] * 2
