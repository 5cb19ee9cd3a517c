"""Where the teacher points: a dot that follows the mouse, and a mouse that is hidden while nobody moves it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.graphics.theme import Theme

IDLE_MS = 2500
"""After so long without a move the mouse is hidden."""


class PointerDot(QWidget):
    """A dot that shows where the teacher points; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Pointer")
        self._colour = QColor("#d00000")
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take the colour that stands out most."""
        self._colour = QColor(theme.colour("accent"))
        self.update()

    def set_size(self, pixels: int) -> None:
        """Make it so wide."""
        self.resize(pixels, pixels)

    def go_to(self, place: QPoint) -> None:
        """Stand around a place of the window."""
        self.move(place.x() - self.width() // 2, place.y() - self.height() // 2)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot, with a ring that parts it from whatever is below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = max(2.0, self.width() / 12)
        painter.setPen(QPen(QColor("#ffffff"), ring))
        painter.setBrush(self._colour)
        radius = self.width() / 2 - ring
        painter.drawEllipse(QPointF(self.width() / 2, self.height() / 2), radius, radius)
        painter.end()


class Pointer(QObject):
    """Shows the dot while it is wanted, and the mouse while it is moved.

    Parameters
    ----------
    window
        Over which the dot stands.
    watched
        The parts of the window that the mouse can be over.
    """

    def __init__(self, window: QWidget, watched: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._watched = (window, *watched)
        self._stays = False
        self.dot = PointerDot(window)
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(lambda: self._set_cursor(Qt.CursorShape.BlankCursor))
        for widget in self._watched:
            widget.setMouseTracking(True)
            widget.installEventFilter(self)

    def toggle(self) -> None:
        """Show the dot where the mouse is, until it is asked for again."""
        self._stays = not self._stays
        self.dot.go_to(self._window.mapFromGlobal(self._window.cursor().pos()))
        self.dot.setVisible(self._stays)
        self._show_mouse()

    def point(self, place: QPoint | None) -> None:
        """Show the dot at a place of the window while the mouse is pressed there; ``None`` for no longer."""
        if place is not None:
            self.dot.go_to(place)
        self.dot.setVisible(self._stays or place is not None)

    def stop(self) -> None:
        """Wait for nothing any more."""
        self._idle.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the mouse with the dot, and show the mouse when it moves."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            if self._stays:
                self.dot.go_to(self._window.mapFromGlobal(event.globalPosition().toPoint()))
            self._show_mouse()
        return super().eventFilter(watched, event)

    def _show_mouse(self) -> None:
        self._set_cursor(Qt.CursorShape.BlankCursor if self._stays else Qt.CursorShape.ArrowCursor)
        self._idle.start()

    def _set_cursor(self, shape: Qt.CursorShape) -> None:
        for widget in self._watched:
            if widget.cursor().shape() != shape:
                widget.setCursor(shape)
