"""Opening, dropping and saving files, and autosave a moment after every change."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.common.numbers import size
from engine.common.resources import bundled_models
from explorer.kit.actions import FILE, action
from explorer.kit.file_dialogs import ask_folder, ask_open, ask_save, dropped_files, remember_folder
from explorer.kit.file_kinds import MODEL, OPENED, SESSION
from explorer.kit.messages import Messages, error_text
from explorer.kit.tasks import Job, Worker
from explorer.session.document import SessionError
from explorer.session.editor import DocumentEditor
from explorer.session.files import FileLoader, SessionFile, StoredSession
from explorer.session.preferences import Preferences
from explorer.session.recovery import earlier_title
from explorer.session.view_state import ViewState

# Opening and saving: models, sessions, sentences and trees.

_MOST_EARLIER = 20


class FileController:
    """What a window opens and saves.

    Parameters
    ----------
    editor, file, loader
        The document, the file that it is in, and what loads files of all kinds.
    preferences, messages
        The preferences, and where messages are shown.
    parent
        The window over which dialogs open.
    """

    def __init__(
        self,
        editor: DocumentEditor,
        file: SessionFile,
        loader: FileLoader,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        self._editor = editor
        self._file = file
        self._loader = loader
        self._preferences = preferences
        self._messages = messages
        self._parent = parent

    def new_session(self) -> None:
        """Start with an empty list of sentences under the same model and settings; it can be undone."""
        self._file.leave()
        self._editor.clear_lines()

    @action("open", "Open …", FILE, "Ctrl+O", icon="open")
    def open_dialog(self) -> None:
        """Open sentences, trees, a session or a model; dropping a file does the same."""
        if path := ask_open(self._parent, self._preferences, "Open", *OPENED):
            self.open_path(path)

    @action("open-folder", "Open treebank folder …", FILE, "Ctrl+Shift+O")
    def open_folder_dialog(self) -> None:
        """Open all trees of a folder (*.mrg *.ptb *.psd *.tree *.parse, gzipped too) into the list."""
        if path := ask_folder(self._parent, self._preferences, "Open treebank folder"):
            self.open_path(path)

    @action("open-model", "Open model …", FILE, "Ctrl+M", icon="model")
    def open_model_dialog(self) -> None:
        """Load another trained model; the old one stays if it cannot be used."""
        if path := ask_open(self._parent, self._preferences, "Open model", MODEL):
            self.open_path(path)

    def open_path(self, path: str | Path) -> None:
        """Open a file, whatever it is: model, session, lesson, sentences or trees; of a folder all trees."""
        file = Path(path)
        remember_folder(self._preferences, file)
        self._loader.open(file, lambda: self._preferences.add_recent("files", file))

    def open_dropped(self, data: QMimeData) -> None:
        """Open the files that were dropped on the window, or take the text that was into the list."""
        files = dropped_files(data)
        for file in files:
            self.open_path(file)
        if not files and data.hasText():
            self._loader.add_text(data.text(), "dropping sentences")

    @action("save", "Save session", FILE, "Ctrl+S", icon="save", separated=True)
    def save(self) -> None:
        """Write sentences, what-ifs, settings and the model's name to a file."""
        if self._file.path is None:
            self.save_as()
        else:
            self.save_to(self._file.path)

    @action("save-as", "Save session as …", FILE, "Ctrl+Shift+S")
    def save_as(self) -> None:
        """Write the session to another file."""
        start = self._file.path or f"own{SESSION.new_suffix}"
        if path := ask_save(self._parent, self._preferences, "Save session", start, SESSION):
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the session to a file."""

        def on_saved() -> None:
            self._preferences.add_recent("files", path)
            self._messages.show(f"Saved to {path.name}")

        self._file.save(path, on_saved)

    def recent(self) -> list[Path]:
        """The files that were opened last and are still there, the latest first."""
        return [path for path in map(Path, self._preferences.recent("files")) if path.exists()]

    def recent_models(self) -> list[Path]:
        """The models that were opened last and are still there, but for those that come with the program."""
        bundled = bundled_models().values()
        found = map(Path, self._preferences.recent("models"))
        return [path for path in found if path.exists() and path not in bundled]

    def earlier(self) -> list[Path]:
        """The latest of what stood in windows that crashed, or whose place another session took."""
        return self._preferences.earlier.files()[:_MOST_EARLIER]

    def forget_recent(self) -> None:
        """Forget which files and models were opened; the files stay."""
        for kind in ("files", "models"):
            self._preferences.keep_names(f"recent/{kind}", [])
        self._messages.show("The lists of recent files and models are empty now")

    def fill_recent(self, menu: QMenu) -> None:
        """Fill a menu with the files that were opened last."""
        menu.clear()
        menu.setToolTipsVisible(True)
        recent = self.recent()
        names = [path.name for path in recent]
        for number, path in enumerate(recent, 1):
            # Two files of one name are told apart by their folders.
            title = path.name if names.count(path.name) == 1 else f"{path.name} ({path.parent.name})"
            key = f"&{number} " if number < 10 else ""
            menu.addAction(key + title.replace("&", "&&"), partial(self.open_path, path)).setToolTip(
                no_markup(str(path))
            )
        if menu.isEmpty():
            menu.addAction("Nothing yet").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("Forget recent files", self.forget_recent)
        earlier = self.earlier()
        if earlier:
            menu.addSeparator()
            self._fill_earlier(menu.addMenu("Earlier sessions"), earlier)

    def _fill_earlier(self, menu: QMenu, earlier: Sequence[Path]) -> None:
        """Fill a menu with what stood in windows that crashed, or whose place another session took."""
        menu.setToolTipsVisible(True)
        for file in earlier:
            title = earlier_title(file).replace("&", "&&")
            menu.addAction(title, partial(self.open_earlier, file)).setToolTip(no_markup(str(file)))
        menu.addSeparator()
        menu.addAction("Remove earlier sessions …", self.remove_earlier)

    def open_earlier(self, file: Path) -> None:
        """Show an earlier session; it stays among them until they are removed."""
        self._loader.open_session(file, nameless=True)

    def remove_earlier(self) -> None:
        """Remove all earlier sessions, if that is what is wanted."""
        count = len(self._preferences.earlier.files())
        question = f"Remove {size(count, 'earlier session')} for good? What is in no file of yours is lost then."
        if QMessageBox.question(self._parent, "Earlier sessions", question) != QMessageBox.StandardButton.Yes:
            return
        try:
            self._preferences.earlier.remove()
        except SessionError as error:
            self._messages.show_error(error)
        else:
            self._messages.show("The earlier sessions are removed")

    def fill_models(self, menu: QMenu, further: Sequence[QAction]) -> None:
        """Fill a menu with the models that come with the program, those used last, one ticked, and more actions."""
        menu.clear()
        bundled = bundled_models()
        used = Path(self._editor.document.model)

        def add(title: str, path: Path) -> None:
            action = menu.addAction(title, partial(self.open_path, path))
            action.setToolTip(no_markup(str(path)))
            action.setCheckable(True)
            action.setChecked(path == used)

        for name, path in bundled.items():
            add(f"{name} (comes with the program)", path)
        recent = self.recent_models()
        if recent and bundled:
            menu.addSeparator()
        for path in recent:
            add(path.stem, path)
        menu.addSeparator()
        menu.addActions(further)


# Autosave: the document is on the disk a moment after every change, and the session comes back after closing.
#
# Written by a thread of its own, for a list of fifty thousand sentences takes a while.

AUTOSAVE_MS = 500
_KEPT = "What was here before is among the earlier sessions in File > Recent."


class Autosave(QObject):
    """Keeps what a person has made, through a crash and from start to start."""

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        file: SessionFile,
        preferences: Preferences,
        messages: Messages,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._file = file
        self._preferences = preferences
        self._messages = messages
        self._last_problem = ""
        self._warned = False
        self._replaced: list[tuple[StoredSession, float]] = []
        self._kept = False
        self._worker = Worker("autosave", newest_only=True, parent=self)
        self._timer = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._timer.timeout.connect(self.save)
        for changed in (editor.document_changed, view.stage_changed, file.path_changed):
            changed.connect(self._save_soon)
        file.about_to_leave.connect(self._keep_replaced)
        # What the window begins with, too: it may be all that is left of a window that crashed.
        (self.save if preferences.recovery.taken_over else self._save_soon)()

    @property
    def busy(self) -> bool:
        """Whether something is still to be written."""
        return self._worker.busy

    @property
    def _session(self) -> StoredSession:
        saved = self._editor.undo_stack.isClean()
        last = self._preferences.last_digest
        return StoredSession(self._editor.document, self._view.stage, self._file.path, saved, last)

    def _save_soon(self) -> None:
        # Not put off by what is changed meanwhile: somebody may type on and on.
        if not self._timer.isActive():
            self._timer.start()

    def _keep_replaced(self) -> None:
        """Another session takes the place of the one that is shown, which nothing can bring back then."""
        self._replaced.append((self._session, time.time()))
        self._save_soon()

    def _write_replaced(self) -> None:
        """Write what was replaced to the earlier sessions, unless it is elsewhere."""
        while self._replaced:
            session, when = self._replaced[0]
            if not session.is_elsewhere:
                self._preferences.earlier.add(session, when)
                self._kept = True
            # Only now: where it cannot be written it is tried again.
            del self._replaced[0]

    def save(self) -> None:
        """Write the document, as it is now, where it survives a crash."""
        # Both as they are at one moment: files that are taken over later are in no session that was shown before.
        session, taken = self._session, self._preferences.recovery.taken_over

        def work(job: Job) -> None:
            # First: until it is there the file for the time after a crash is all that has it.
            self._write_replaced()
            self._preferences.recovery.save(session, taken)

        def on_result(_: None) -> None:
            self._last_problem = ""
            if self._kept:
                self._kept = False
                self._messages.show(_KEPT)

        self._worker.request(work, on_result, self._failed)

    def _failed(self, error: Exception) -> None:
        problem = f"what you do would not survive a crash: {error_text(error)}"
        # Once is enough for one and the same thing.
        if problem != self._last_problem:
            self._last_problem = problem
            self._messages.show(problem, True)

    def close(self) -> bool:
        """Keep the session for the next start; whether the window may close.

        Where it cannot be kept the window stays, once, and says what can be done about it.
        """
        lost = False
        # What it writes now is written; the next is begun only if the window stays.
        self._worker.stop()
        try:
            self._write_replaced()
            self._preferences.save_last(self._session)
        except EngineError as error:
            lost = True
            if not self._warned:
                self._warned = True
                way_out = "save it elsewhere with Ctrl+Shift+S, or close again to leave without it"
                self._messages.show(f"the session cannot be kept for the next start: {error}; {way_out}", True)
                return False
        self._timer.stop()
        self._preferences.recovery.clear(keep=lost)
        return True
