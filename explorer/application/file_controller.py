"""Opening and saving: models, sessions, sentences and trees."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMenu

from engine.common import array_file as storage
from engine.common.resources import bundled_models, resources_folder
from explorer.document.document import FORMAT

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow

_MODEL_SUFFIXES = "Models (*.model)"
_ALL_SUFFIXES = (
    "Sentences, trees, sessions and models "
    "(*.txt *.tagged *.ptb *.mrg *.psd *.tree *.parse *.gz *.json *.model);;All files (*)"
)


class Files:
    """What a window opens and saves."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._session = window.session
        self._preferences = window.preferences

    def new_session(self) -> None:
        """An empty list of sentences under the same model and settings; it can be undone."""
        self._session.change("new session", replace(self._session.document, lines=(), current=0))
        self._session.leave_file()
        self._window.show_title()
        self._window.edit_sentence()

    def open_dialog(self) -> None:
        """Choose any file."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", self._preferences.text("folder"), _ALL_SUFFIXES)
        if name:
            self.open_path(name)

    def open_folder_dialog(self) -> None:
        """Choose a folder of trees."""
        name = QFileDialog.getExistingDirectory(self._window, "Open treebank folder", self._preferences.text("folder"))
        if name:
            self.open_path(name)

    def open_model_dialog(self) -> None:
        """Choose a model."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open model", self._preferences.text("folder"), _MODEL_SUFFIXES
        )
        if name:
            self.open_path(name)

    def open_path(self, path: str | Path) -> None:
        """Open a file, whatever it is: model, session, sentences or trees; of a folder all trees."""
        file = Path(path)
        if not file.is_relative_to(resources_folder()):
            self._preferences.keep("folder", str(file.parent))
        if file.is_dir():
            self._session.open_text(file)
            self._preferences.add_recent("files", file)
            return
        try:
            with file.open("rb") as opened:
                start = opened.read(200)
        except OSError as error:
            self._window.say(f"{file}: cannot be read ({error.strerror or error})", True)
            return
        if start.startswith(storage.MAGIC) or file.suffix == ".model":
            self._session.open_model(file)
            return
        if start.lstrip().startswith(b"{") and FORMAT.encode() in start:
            self._session.open(file, lambda: self._preferences.add_recent("files", file))
            return
        self._session.open_text(file)
        self._preferences.add_recent("files", file)

    def save(self) -> None:
        """Write the session to its file."""
        if self._session.path is None:
            self.save_as()
        else:
            self.save_to(self._session.path)

    def save_as(self) -> None:
        """Write the session to a file to be chosen."""
        start = str(self._session.path or Path(self._preferences.text("folder")) / "session.json")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save session", start, "Sessions (*.json)")
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write the session to a file."""

        def saved() -> None:
            self._preferences.add_recent("files", path)
            self._window.say(f"Saved to {path.name}")

        self._session.save(path, saved)

    def fill_recent(self, menu: QMenu) -> None:
        """The files that were opened last."""
        menu.clear()
        for name in self._preferences.recent("files"):
            menu.addAction(Path(name).name, partial(self.open_path, name)).setToolTip(name)
        if menu.isEmpty():
            menu.addAction("Nothing yet").setEnabled(False)

    def fill_models(self, menu: QMenu) -> None:
        """The models that come with the program and those that were used last."""
        menu.clear()
        bundled = bundled_models()
        for name, path in bundled.items():
            menu.addAction(f"{name} (comes with the program)", partial(self.open_path, path))
        recent = [name for name in self._preferences.recent("models") if Path(name) not in bundled.values()]
        if recent and bundled:
            menu.addSeparator()
        for name in recent:
            menu.addAction(Path(name).stem, partial(self.open_path, name)).setToolTip(name)
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(self._window.actions_["open-model"])
        menu.addAction("About this model", self._window.show_model)
