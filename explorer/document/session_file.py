"""The file of a session: where it is, and writing it in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.document.document import save_document
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.view_state import ViewState
from explorer.tasks.worker import Job, Worker


class SessionFile(QObject):
    """Knows in which file the session is, and saves it.

    Signals
    -------
    about_to_leave
        Another session takes the place of the one that is shown.
    path_changed
        The session is in another file now, or in none.
    """

    about_to_leave = Signal()
    path_changed = Signal()

    def __init__(
        self, editor: DocumentEditor, view: ViewState, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._messages = messages
        self._path: Path | None = None
        self._worker = Worker("file", parent=self)
        # Counts the documents that were started with: what is written of one says nothing about the next.
        self._sitting = 0
        self._save_failed = False

    @property
    def path(self) -> Path | None:
        """The file; ``None`` if the session is in none."""
        return self._path

    @property
    def saving(self) -> bool:
        """Whether something is still to be written."""
        return self._worker.busy

    def set_path(self, path: Path | None) -> None:
        """Name the file that the session is in."""
        self._path = path
        self.path_changed.emit()

    def leave(self) -> None:
        """Forget the file: what comes now is no longer what is in it.  Called while the old session is still shown."""
        self.about_to_leave.emit()
        self._sitting += 1
        self.set_path(None)

    def save(self, path: Path, on_saved: Callable[[], None] = lambda: None) -> Job:
        """Write the session file in the background, as the document is now, and call `on_saved` when it is written.

        It counts as saved at once, and as changed again, with a message, if it cannot be written.
        """
        document, stage, sitting = self._editor.document, self._view.stage, self._sitting
        self._editor.undo_stack.setClean()

        def on_result(_: None) -> None:
            if sitting == self._sitting:
                self.set_path(path)
            on_saved()

        def on_error(error: Exception) -> None:
            self._save_failed = True
            if sitting == self._sitting:
                self._editor.undo_stack.resetClean()
            self._messages.show_error(error)

        return self._worker.request(lambda job: save_document(document, path, {"stage": stage}), on_result, on_error)

    def finish(self) -> bool:
        """Wait until everything that was to be saved is written; false if some of it could not be."""
        self._save_failed = False
        self._worker.finish()
        return not self._save_failed
