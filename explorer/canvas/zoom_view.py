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

LEAST_ZOOM, MOST_ZOOM = 0.1, 8.0
LEAST_AUTOMATIC, MOST_AUTOMATIC = 0.72, 1.1
"""Between these the tallest and widest picture of a sentence is fitted to the view."""
SCROLLED = 0.8
"""What does not fit even at the least of these sizes, and so scrolls anyway, is shown larger."""
ZOOM_STEP = 1.2


def automatic_scale(across: float, down: float, least: float = LEAST_AUTOMATIC, scrolled: float = SCROLLED) -> float:
    """The scale that is chosen until a person zooms.

    Parameters
    ----------
    across, down
        The scales at which the picture just fits from left to right, and from top to bottom.
    least
        The smallest scale at which it can be read.
    scrolled
        The scale of what does not fit even so.
    """
    if min(across, down) >= least:
        return min(across, down, MOST_AUTOMATIC)
    # What is too high can still be in sight from its first word to its last, what is too long from top to bottom.
    for fitting in (across, down):
        if fitting >= least:
            return min(fitting, scrolled)
    return scrolled


class ZoomView(QGraphicsView):
    """Shows a part of the plane, at some scale."""

    zoomed = Signal(float)
    """The new scale, 1 being 100 %."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawing: Drawing | None = None
        self.text_scale = 1.0
        self._scale = 1.0
        self._least_automatic = LEAST_AUTOMATIC
        self._scrolled = SCROLLED
        self._automatic = True
        # Where the scroll bar stood when the words were last brought into sight.
        self._settled = 0
        self._panning: QPoint | None = None
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)

    def set_automatic_zoom(self, least: float, scrolled: float) -> None:
        """Set the smallest scale that fitting may choose, and the scale of what does not fit even so."""
        self._least_automatic, self._scrolled = least, scrolled

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
        """Zoom so that the whole picture is in sight."""
        if self.drawing is None:
            return
        across = self._room / max(self._span(), 1.0)
        down = (self.height() - 2) / max(self.drawing.height, 1.0)
        self._automatic = False
        self._scale = max(LEAST_ZOOM, min(MOST_ZOOM, min(across, down) / self.text_scale))
        self._apply_scale()

    def actual_size(self) -> None:
        """Zoom to 100 %."""
        self.zoom(1 / self._scale)

    def _frame(self) -> tuple[float, float]:
        """Left and right end of the ruler, or of a drawing that has none."""
        assert self.drawing is not None
        return self.drawing.frame or (self.drawing.bounds.x, self.drawing.bounds.right)

    def _span(self) -> float:
        """How wide the drawing is, the wider side of the ruler's middle taken twice."""
        assert self.drawing is not None
        first, last = self._frame()
        centre = (first + last) / 2
        bounds = self.drawing.bounds
        return 2 * max(centre - min(first, bounds.x), max(last, bounds.right) - centre)

    @property
    def _room(self) -> int:
        """Width of the view, the room of a scroll bar taken off whether it is there or not."""
        return self.width() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    def _fit_automatically(self) -> None:
        """Unless a person has zoomed, show the whole sentence if that can be read; the same for all its pictures."""
        if self._automatic and self.drawing is not None:
            first, last = self._frame()
            across = self._room / max(last - first, 1.0)
            bar = self.width() - self._room
            down = (self.height() - bar) / max(self.drawing.tallest or self.drawing.height, 1.0)
            across, down = across / self.text_scale, down / self.text_scale
            self._scale = automatic_scale(across, down, self._least_automatic, self._scrolled)

    def _apply_scale(self) -> None:
        if self.drawing is not None:
            first, last = self._frame()
            span = self._span()
            bounds = self.drawing.bounds
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
        self._fit_automatically()
        self._apply_scale()
        bar = self.horizontalScrollBar()
        if same_sentence:
            bar.setValue(bar.value() + self.mapFromScene(QPointF(left, 0)).x())
        else:
            bar.setValue(bar.minimum())
        if not same_picture:
            self._to_words()

    def _to_words(self) -> None:
        """Scroll up or down to where the words are: they stand over or under what is high."""
        assert self.drawing is not None
        bar, bounds = self.verticalScrollBar(), self.drawing.bounds
        if bar.minimum() == bar.maximum():
            self._settled = bar.value()
            return
        rows = [shape.y for shape in self.drawing.shapes if isinstance(shape, Text) and shape.style.startswith("word")]
        if not rows:
            return
        row = min(rows)
        upper = row - bounds.y < bounds.bottom - row
        bar.setValue(bar.minimum() if upper else bar.maximum())
        self.ensureVisible(QRectF(self.mapToScene(0, 0).x(), row - 24, 1, 48), 0, self._foot())
        self._settled = bar.value()

    def _foot(self) -> int:
        """How much of the view's lower edge is covered by what always stays in sight."""
        return 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        untouched = self._automatic and self.verticalScrollBar().value() == self._settled
        super().resizeEvent(event)
        self._fit_automatically()
        self._apply_scale()
        if untouched and self.drawing is not None:
            # Nobody has scrolled away from the words: they stay in sight when the view becomes lower.
            self._to_words()

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
