"""Autosave: the document is on the disk a moment after every change, and the session comes back after closing.

Written by a thread of its own, for a list of fifty thousand sentences takes a while.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from engine.common.errors import EngineError
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages, error_text
from explorer.document.preferences import Preferences
from explorer.document.session_file import SessionFile
from explorer.document.stored_session import StoredSession
from explorer.document.view_state import ViewState
from explorer.tasks.worker import Job, Worker

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
