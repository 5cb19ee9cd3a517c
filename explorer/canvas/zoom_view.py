"""A view of one drawing: its size, its place, scrolling and panning.

All pictures of a sentence have the same scale and the same middle, so that a word stays where it is on the screen
from stage to stage.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QNativeGestureEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGestureEvent, QGraphicsScene, QGraphicsView, QPinchGesture, QStyle, QWidget

from explorer.graphics.drawing import Drawing, Text
from explorer.graphics.layout.room import Room

LEAST_ZOOM, MOST_ZOOM = 0.1, 8.0
READABLE, MOST_AUTOMATIC = 1.0, 1.5
"""Between these a picture is fitted to the view: at the lesser one its smallest type has 9 pt."""
ZOOM_STEP = 1.2
_ROOM_STEP = 8
"""A picture is laid out anew when the view becomes so many pixels wider or narrower."""
_LEAST_ROOM = 240
"""In a view that is narrower than this a picture is scrolled."""
_LEGEND_ROOM = 56
"""Room for a legend of two rows: pictures of a sentence have legends of different heights, and one scale."""


def automatic_scale(across: float, down: float) -> float:
    """The scale that is chosen until a person zooms.

    Parameters
    ----------
    across, down
        The scales at which the picture just fits from left to right, and from top to bottom.
    """
    return max(READABLE, min(across, down, MOST_AUTOMATIC))


class ZoomView(QGraphicsView):
    """Shows a part of the plane, at some scale."""

    zoomed = Signal(float)
    """The new scale, 1 being 100 %."""
    room_changed = Signal()
    """There is more or less room for a picture: what is wrapped or folded to fit can be drawn anew."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawing: Drawing | None = None
        self.text_scale = 1.0
        # Pixels of the drawing that are left for a legend.
        self.legend_room = _LEGEND_ROOM
        self._scale = 1.0
        self._automatic = True
        self._last_room = Room()
        # Where the scroll bar stood when the words were last brought into sight.
        self._settled = 0
        self._panning: QPoint | None = None
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)

    @property
    def room(self) -> Room:
        """The room for a picture whose type is as small as it can be read.

        Not to the pixel, or every change of the window's size would draw anew; the same with scroll bars or without.
        """
        width, height = self._room / self.text_scale, self.height() / self.text_scale - self.legend_room
        return Room(max(width // _ROOM_STEP * _ROOM_STEP, _LEAST_ROOM), height // _ROOM_STEP * _ROOM_STEP)

    def _note_room(self) -> None:
        if self.room != self._last_room:
            self._last_room = self.room
            self.room_changed.emit()

    @property
    def scale_factor(self) -> float:
        """The scale of the picture, 1 being 100 %."""
        return self._scale

    @property
    def _total_scale(self) -> float:
        return self._scale * self.text_scale

    def set_text_scale(self, scale: float) -> None:
        """Set how large type is at 100 %, for the whole window."""
        self.text_scale = scale
        self._fit_automatically()
        self._apply_scale()
        self._note_room()

    def zoom(self, factor: float, place: QPoint | None = None) -> None:
        """Zoom in or out, keeping a place of the viewport where it is."""
        spot = place if place is not None else self.viewport().rect().center()
        scene = self.mapToScene(spot)
        self._automatic = False
        self._scale = max(LEAST_ZOOM, min(MOST_ZOOM, self._scale * factor))
        self._apply_scale()
        moved = self.mapFromScene(scene) - spot
        self._scroll(moved.x(), moved.y())

    def zoom_in(self) -> None:
        """Zoom in by one step."""
        self.zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom out by one step."""
        self.zoom(1 / ZOOM_STEP)

    def fit(self) -> None:
        """Fit the picture to the view, as far as its type can be read, and again whenever the view changes."""
        self._automatic = True
        self._fit_automatically()
        self._apply_scale()
        if self.drawing is not None:
            self._to_words()

    @property
    def fits_automatically(self) -> bool:
        """Whether the picture follows the size of the view; not once a person has zoomed."""
        return self._automatic

    def actual_size(self) -> None:
        """Zoom to 100 %."""
        self.zoom(1 / self._scale)

    def _frame(self) -> tuple[float, float]:
        """Left and right end of the ruler, or of a drawing that has none."""
        assert self.drawing is not None
        return self.drawing.frame or (self.drawing.view_bounds.x, self.drawing.view_bounds.right)

    def _span(self) -> float:
        """How wide the drawing is, the wider side of the ruler's middle taken twice."""
        assert self.drawing is not None
        first, last = self._frame()
        centre = (first + last) / 2
        bounds = self.drawing.view_bounds
        return 2 * max(centre - min(first, bounds.x), max(last, bounds.right) - centre)

    @property
    def _room(self) -> int:
        """Width of the view, the room of a scroll bar taken off whether it is there or not."""
        return self.width() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    def _fit_automatically(self) -> None:
        """Unless a person has zoomed, show the whole sentence if that can be read; the same for all its pictures."""
        if self._automatic and self.drawing is not None:
            first, last = self._frame()
            across = self._room / self.text_scale / max(last - first, 1.0)
            height = self.drawing.tallest or self.drawing.view_bounds.height
            down = (self.height() / self.text_scale - self.legend_room) / max(height, 1.0)
            self._scale = automatic_scale(across, down)

    def _apply_scale(self) -> None:
        if self.drawing is not None:
            first, last = self._frame()
            span = self._span()
            bounds = self.drawing.view_bounds
            self.setSceneRect((first + last) / 2 - span / 2, bounds.y, span, bounds.height)
        total = self._total_scale
        if not math.isclose(self.transform().m11(), total):
            self.resetTransform()
            self.scale(total, total)
            self.zoomed.emit(self._scale)

    def _place(self, same_sentence: bool, same_picture: bool) -> None:
        """Make room for a new drawing.

        In another picture of the same sentence words keep their place from left to right; what is too high begins with
        its words in sight, what is too long with the first of them.
        """
        left = self.mapToScene(0, 0).x()
        untouched = self.verticalScrollBar().value() == self._settled
        self._fit_automatically()
        self._apply_scale()
        bar = self.horizontalScrollBar()
        if same_sentence:
            bar.setValue(bar.value() + self.mapFromScene(QPointF(left, 0)).x())
        else:
            bar.setValue(bar.minimum())
        if untouched or not same_picture:
            self._to_words()

    def _to_words(self) -> None:
        """Scroll up or down to where the words are: they stand over or under what is high."""
        assert self.drawing is not None
        bar, bounds = self.verticalScrollBar(), self.drawing.view_bounds
        if bar.minimum() == bar.maximum():
            self._settled = bar.value()
            return
        rows = [shape.y for shape in self.drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word")]
        # A table without a row of words begins with its head.
        row = min(rows, default=bounds.y)
        # Where the top and the words can be seen together, reading begins at the top.
        in_sight = (row + 24 - bounds.y) * self._total_scale <= self.viewport().height()
        upper = in_sight or row - bounds.y < bounds.bottom - row
        bar.setValue(bar.minimum() if upper else bar.maximum())
        self.ensureVisible(QRectF(self.mapToScene(0, 0).x(), row - 24, 1, 48), 0, 0)
        self._settled = bar.value()

    def _reveal(self, area: QRectF) -> None:
        """Scroll to what is not in sight, no further than it takes; what is in sight moves nothing."""
        if not self.mapToScene(self.viewport().rect()).boundingRect().contains(area):
            self.ensureVisible(area, 24, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        untouched = self._automatic and self.verticalScrollBar().value() == self._settled
        super().resizeEvent(event)
        self._fit_automatically()
        self._apply_scale()
        if untouched and self.drawing is not None:
            # Nobody has scrolled away from the words: they stay in sight when the view becomes lower.
            self._to_words()
        self._note_room()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM_STEP ** (turned.y() / 120), event.position().toPoint())
            event.accept()
            return
        down = self.verticalScrollBar()
        if turned.x() == 0 and down.maximum() == down.minimum():
            # A long sentence that is not high: the wheel runs along it.
            self._scroll(-turned.y(), 0)
            event.accept()
            return
        super().wheelEvent(event)

    def _scroll(self, across: int, down: int) -> None:
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + across)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + down)

    def _pan(self, place: QPoint) -> None:
        """Move the picture with the mouse."""
        assert self._panning is not None
        moved = place - self._panning
        self._panning = place
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self._scroll(-moved.x(), -moved.y())

    def _native_gesture(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self.zoom(1.0 + event.value(), event.position().toPoint())
        return True

    def _gesture(self, event: QGestureEvent) -> bool:
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        self.zoom(pinch.scaleFactor(), self.viewport().mapFromGlobal(pinch.centerPoint().toPoint()))
        return True
