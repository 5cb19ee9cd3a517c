"""Files and text that are dropped on the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from explorer.application.file_controller import FileController
from explorer.document.file_loading import FileLoader


class FileDrops(QObject):
    """Opens what is dropped anywhere on a window.

    Parameters
    ----------
    files, loader
        Open files, and take sentences into the list.
    window
        What things are dropped on.
    """

    def __init__(self, files: FileController, loader: FileLoader, window: QWidget) -> None:
        super().__init__(window)
        self._files = files
        self._loader = loader
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept files and text, and open them."""
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self._open(event)
            return True
        if isinstance(event, QDragEnterEvent) and (event.mimeData().hasUrls() or event.mimeData().hasText()):
            event.acceptProposedAction()
            return True
        return super().eventFilter(watched, event)

    def _open(self, event: QDropEvent) -> None:
        data = event.mimeData()
        files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if files:
            for file in files:
                self._files.open_path(file)
        elif data.hasText():
            self._loader.add_text(data.text(), "dropping sentences")
        event.acceptProposedAction()
