"""Nothing is lost: the document is on the disk a moment after every change, and the session comes back after closing.

Written by a thread of its own, for a list of fifty thousand sentences takes a while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from engine.common.errors import EngineError
from explorer.document.session_tasks import in_a_sentence
from explorer.tasks.worker import Job, Worker

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow

KEEP_AFTER_MS = 800


class Keeping(QObject):
    """Keeps what a person has made, through a crash and from start to start."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._preferences = window.preferences
        self._said = ""
        self._refused = False
        self._worker = Worker("keep", newest_only=True, parent=self)
        self._timer = QTimer(self, singleShot=True, interval=KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        self._session.document_changed.connect(self._timer.start)
        self._session.stage_changed.connect(self._timer.start)

    def _keep(self) -> None:
        document, stage = self._session.document, self._session.stage

        def work(job: Job) -> None:
            self._preferences.recovery.save(document, stage)

        def kept(_: None) -> None:
            self._said = ""

        self._worker.request(work, kept, self._failed)

    def _failed(self, error: Exception) -> None:
        said = f"what you do is not kept through a crash: {in_a_sentence(error)}"
        # Once is enough for one and the same thing.
        if said != self._said:
            self._said = said
            self._window.say(said, True)

    def close(self) -> bool:
        """Keep the session for the next start; whether the window may close.

        Where it cannot be kept the window stays, once, and says what can be done about it.
        """
        lost = False
        try:
            self._preferences.save_last(self._session.document, self._session.stage)
        except EngineError as error:
            lost = True
            if not self._refused:
                self._refused = True
                way_out = "save it elsewhere with Ctrl+Shift+S, or close again to leave without it"
                self._window.say(f"the session cannot be kept for the next start: {error}; {way_out}", True)
                return False
        self._timer.stop()
        self._worker.stop()
        self._preferences.recovery.clear(keep=lost)
        return True
