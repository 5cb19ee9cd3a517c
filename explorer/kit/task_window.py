"""Windows over the main one for work that takes a while: their place, keys, drops, state and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from explorer.kit.controls import told
from explorer.kit.file_dialogs import ask_save, dropped_files
from explorer.kit.file_kinds import FileKind
from explorer.kit.messages import problem_text
from explorer.kit.store import Store
from explorer.kit.tasks import Job, Worker

_STEPS = 1000
_LOOK_MS = 100
"""How often a bar looks how far the work is."""


class ShareBar(QProgressBar):
    """Shows how much of something is done, without a text."""

    def __init__(self, name: str = "Progress") -> None:
        super().__init__(minimum=0, maximum=_STEPS, textVisible=False)
        self.setAccessibleName(name)

    def set_share(self, share: float | None) -> None:
        """Show a share from 0 to 1; nothing while it is not known."""
        self.setValue(round(_STEPS * (share or 0.0)))


class WorkBar(ShareBar):
    """Is there while a worker works, and shows how far it is.

    Parameters
    ----------
    worker
        The worker.
    name
        What a screen reader calls the bar.
    told
        Called now and then with the job, to say what it does.
    """

    def __init__(self, worker: Worker, name: str = "Progress", told: Callable[[Job], object] | None = None) -> None:
        super().__init__(name)
        self._worker = worker
        self._told = told
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._look)
        worker.busy_changed.connect(self._busy_changed)
        self.hide()

    def _busy_changed(self, busy: bool) -> None:
        self.set_share(0.0)
        self.setVisible(busy)
        if busy:
            self._looking.start()
        else:
            self._looking.stop()

    def _look(self) -> None:
        job = self._worker.job
        if job is not None:
            self.set_share(job.share)
            if self._told is not None:
                self._told(job)


class TaskWindow(QWidget):
    """A window over the main one, which remembers its place, takes what is dropped on it, and says how its work goes.

    Ctrl+W and Escape close it; Ctrl+Return, Ctrl+Enter and F5 begin its work.

    Parameters
    ----------
    name, title
        What style sheets and preferences call it, and what stands in its frame.
    store
        What is remembered from start to start.
    parent
        The window over which it stands.
    status
        What says how the work goes; unless something else is given, text of as many lines as it needs.

    Attributes
    ----------
    status
        What says how the work goes.
    """

    size_at_first = (1120, 700)
    """Its size before a person has chosen one, or less on a small screen."""

    def __init__(self, name: str, title: str, store: Store, parent: QWidget, status: QLabel | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName(name)
        self.setWindowTitle(f"{title} – Parse Explorer")
        self.setAcceptDrops(True)
        self._store = store
        self._geometry = f"{name}/geometry"
        self.status = status or told()
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.status.setAccessibleName("Status")
        for keys in ("Ctrl+Return", "Ctrl+Enter", "F5"):
            QShortcut(QKeySequence(keys), self, self.begin)
        QShortcut(QKeySequence("Ctrl+W"), self, self.close)
        QShortcut(QKeySequence("Escape"), self, self.leave)
        if not self.restoreGeometry(store.bytes(self._geometry)):
            room = self.screen().availableGeometry()
            width, height = self.size_at_first
            self.resize(min(width, room.width() - 40), min(height, room.height() - 60))

    # What a window of its kind does

    def begin(self) -> None:
        """Begin the work, if it can be begun."""

    def leave(self) -> None:
        """Close; a window whose work ends with it may end that first."""
        self.close()

    def fit(self) -> None:
        """Give its parts room; called when it comes into sight and when the type has another size."""

    @property
    def takes_files(self) -> bool:
        """Whether files can be dropped on it now."""
        return False

    def take_files(self, paths: list[str]) -> None:
        """Take files and folders that were dropped."""

    # What all of them do

    def come_up(self) -> None:
        """Show it above the others, with the keys."""
        self.show()
        self.raise_()
        self.activateWindow()

    def say(self, what: str | Exception) -> None:
        """Say how the work goes, or what is wrong, in one sentence."""
        text = what if isinstance(what, str) else problem_text(what)
        self.status.setText(text)

    def ask_to_write(self, name: str, kinds: tuple[FileKind, ...], write: Callable[[Path], object]) -> None:
        """Ask for a file, and have it written."""
        if path := ask_save(self, self._store, "Export", name, *kinds):
            write(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files, if they can be used."""
        if self.takes_files and dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take files."""
        self.take_files(dropped_files(event.mimeData()))
        event.acceptProposedAction()

    def changeEvent(self, event: QEvent) -> None:
        """Give its parts room for another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            # Later: the type is set before there is anything in the window, too.
            QTimer.singleShot(0, self, self.fit)

    def showEvent(self, event: QShowEvent) -> None:
        """Give its parts room."""
        super().showEvent(event)
        self.fit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember its place."""
        self._store.keep(self._geometry, self.saveGeometry())
        super().hideEvent(event)
