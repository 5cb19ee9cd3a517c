"""Asking for files: dialogs begin in the folder of the file that was chosen last, whatever for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from engine.common.characters import no_markup
from engine.common.resources import resources_folder
from explorer.kit.file_kinds import FileKind
from explorer.kit.store import Store

_FOLDER = "folder"
_ANY = "All files (*)"


def folder(store: Store) -> Path:
    """The folder in which dialogs begin: at first that in which the program was started."""
    return Path(store.text(_FOLDER) or Path.cwd())


def remember_folder(store: Store, path: Path) -> None:
    """Begin in the folder of a file that was opened or written, unless it came with the program."""
    if not path.is_relative_to(resources_folder()):
        store.keep(_FOLDER, str(path.absolute().parent))


def ask_open(parent: QWidget, store: Store, title: str, *kinds: FileKind) -> Path | None:
    """Ask for a file to open; ``None`` for none."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder(store)), _filters(kinds))
    return _chosen(store, [name])[0] if name else None


def ask_several(parent: QWidget, store: Store, title: str, *kinds: FileKind) -> list[Path]:
    """Ask for files to open."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, str(folder(store)), _filters(kinds))
    return _chosen(store, names)


def ask_folder(parent: QWidget, store: Store, title: str) -> Path | None:
    """Ask for a folder; ``None`` for none."""
    name = QFileDialog.getExistingDirectory(parent, title, str(folder(store)))
    return _chosen(store, [name])[0] if name else None


def ask_save(parent: QWidget, store: Store, title: str, name: str | Path, *kinds: FileKind) -> Path | None:
    """Ask for a file to write; ``None`` for none.

    A name without an ending is given that of the kind that was chosen.  The dialog asks before a file is replaced; of
    one whose name is made longer here it cannot know, so that is asked for here.

    Parameters
    ----------
    parent, store, title
        What the dialog stands over, where the folder is remembered, and the dialog's title.
    name
        The file that is offered: a name in that folder, or a path.
    kinds
        What can be written; the one that the name ends like is chosen at first.
    """
    start = folder(store) / name
    filters = {kind.to_save: kind for kind in kinds}
    first = next((text for text, kind in filters.items() if start.name.endswith(kind.suffixes)), next(iter(filters)))
    chosen, used = QFileDialog.getSaveFileName(parent, title, str(start), ";;".join(filters), first)
    if not chosen:
        return None
    path = Path(chosen)
    if not path.suffix:
        path = path.with_name(path.name + filters.get(used, filters[first]).new_suffix)
        if path.exists() and not _may_replace(parent, title, path):
            return None
    return _chosen(store, [path])[0]


def _filters(kinds: tuple[FileKind, ...]) -> str:
    """The filters of a dialog that opens files: all the kinds at once, or every file."""
    if not kinds:
        return _ANY
    titles = [kind.title.lower() if number else kind.title for number, kind in enumerate(kinds)]
    title = f"{', '.join(titles[:-1])} and {titles[-1]}" if len(titles) > 1 else titles[0]
    suffixes = tuple(dict.fromkeys(suffix for kind in kinds for suffix in kind.suffixes))
    return f"{FileKind(title, suffixes).to_open};;{_ANY}"


def _chosen(store: Store, names: list[str] | list[Path]) -> list[Path]:
    paths = [Path(name) for name in names]
    if paths:
        remember_folder(store, paths[-1])
    return paths


def _may_replace(parent: QWidget, title: str, path: Path) -> bool:
    question = no_markup(f"{path.name} already exists. Do you want to replace it?")
    return QMessageBox.question(parent, title, question) == QMessageBox.StandardButton.Yes


def dropped_files(data: QMimeData) -> list[str]:
    """The files and folders that are dropped, or could be."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
