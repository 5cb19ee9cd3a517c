"""Shift+F1, then a click: which thing help is wanted about; and glosses over running text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenuBar, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from explorer.explanations.glosses import Gloss, wrapped
from explorer.help.topics import text_gloss

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class HelpPointer(QObject):
    """Takes the next click away from whatever it falls on, and tells what that is about.

    Parameters
    ----------
    topic_at
        What a place of a widget is about.

    Signals
    -------
    asked
        Something was clicked: its gloss, or ``None`` if nothing is known of it.
    stopped
        It is over, by a click or by Esc.
    """

    asked = Signal(object)
    stopped = Signal()

    def __init__(self, topic_at: Callable[[QWidget, QPoint], Gloss | None], parent: QObject) -> None:
        super().__init__(parent)
        self._topic_at = topic_at
        self._pressed = False
        self.active = False

    def start(self) -> None:
        """Wait for the click."""
        if self.active:
            self.stop()
            return
        self.active = True
        self._pressed = False
        QApplication.setOverrideCursor(Qt.CursorShape.WhatsThisCursor)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def stop(self) -> None:
        """Wait no longer."""
        if self.active:
            self.active = False
            QApplication.restoreOverrideCursor()
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self.stopped.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swallow the click; menus open as ever, so that their entries can be clicked."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.stop()
            return True
        if not isinstance(watched, QWidget) or not isinstance(event, QMouseEvent) or isinstance(watched, QMenuBar):
            return False
        if event.type() in _PRESSES:
            self._pressed = True
            return True
        if event.type() == QEvent.Type.MouseButtonRelease:
            if self._pressed:
                self._answer(watched, event)
            return True
        return False

    def _answer(self, watched: QWidget, event: QMouseEvent) -> None:
        wanted = event.button() == Qt.MouseButton.LeftButton
        popup = QApplication.activePopupWidget()
        gloss = self._topic_at(watched, event.position().toPoint()) if wanted else None
        if popup is not None:
            popup.close()
        self.stop()
        if wanted:
            self.asked.emit(gloss)


class TextGlosses(QObject):
    """Shows as a tool tip what a sign in a widget of text means."""

    def __init__(self, views: tuple[QTextEdit | QPlainTextEdit, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._views = {id(view.viewport()): view for view in views}
        for view in views:
            view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answer for the text under the mouse."""
        view = self._views.get(id(watched))
        if view is None or not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        gloss = text_gloss(view, event.pos())
        if gloss is None:
            QToolTip.hideText()
            return False
        QToolTip.showText(event.globalPos(), wrapped(str(gloss)), view.viewport())
        return True
