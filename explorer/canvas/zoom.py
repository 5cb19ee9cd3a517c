"""A view of one drawing: its size, its place, scrolling and panning, and the strip of its legend."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGestureEvent,
    QGraphicsScene,
    QGraphicsView,
    QPinchGesture,
    QStyle,
    QToolTip,
    QWidget,
)

from engine.explain.subjects import Subject
from explorer.canvas.painting import Brush
from explorer.kit.actions import VIEW, action
from explorer.pictures.drawing import Drawing, Rect, Text
from explorer.pictures.layout import Room

# A view of one drawing: its size, its place, scrolling and panning.
#
# All pictures of a sentence have the same scale and the same middle, so that a word stays where it is on the screen
# from stage to stage.

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
    """Return the scale that is chosen until a person zooms.

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
    keeps_words = True
    """Whether words keep their place from stage to stage; else each picture stands in the middle."""
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

        Not to the pixel, or every change of the window's size would draw anew; scroll bars make no difference.
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

    @action("zoom-in", "Zoom in", VIEW, "Ctrl++", icon="zoom-in", other_shortcut="Ctrl+=")
    def zoom_in(self) -> None:
        """Make the picture larger; so does the wheel with Ctrl."""
        self.zoom(ZOOM_STEP)

    @action("zoom-out", "Zoom out", VIEW, "Ctrl+-", icon="zoom-out")
    def zoom_out(self) -> None:
        """Make the picture smaller."""
        self.zoom(1 / ZOOM_STEP)

    @action("fit", "Fit picture", VIEW, "Ctrl+0", icon="fit")
    def fit(self) -> None:
        """Fit the picture to the window, now and whenever that changes.

        Type stays large enough to be read.
        """
        self._automatic = True
        self._fit_automatically()
        self._apply_scale()
        if self.drawing is not None:
            self._to_words()

    @property
    def fits_automatically(self) -> bool:
        """Whether the picture follows the size of the view; not once a person has zoomed."""
        return self._automatic

    @action("actual-size", "Actual size", VIEW, "Ctrl+1", icon="actual")
    def actual_size(self) -> None:
        """Show the picture at 100 %."""
        self.zoom(1 / self._scale)

    def _frame(self) -> tuple[float, float]:
        """Left and right end of the ruler, or of a drawing that has none."""
        assert self.drawing is not None
        return self.drawing.frame or (self.drawing.view_bounds.x, self.drawing.view_bounds.right)

    def _span(self) -> float:
        """Return how wide the drawing is, the wider side of the ruler's middle taken twice."""
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
        if self.drawing is not None and not self.keeps_words:
            self.setSceneRect(QRectF(*self.drawing.view_bounds))
        elif self.drawing is not None:
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


# The strip under a picture: what its signs mean, and in the corner an overview of what is folded or out of sight.

MARGIN = 8.0
_LEFT = 16.0
_LEAST_SCALE = 0.5
"""However little room there is, a legend is not smaller."""
_MAP_WIDTH, _MAP_HEIGHT = 200.0, 36.0
"""Room for a small picture of a large one."""


class LegendStrip(QWidget):
    """Shows the legend of a view's drawing, in the size of the window's type, however the picture is zoomed.

    At the right end is an overview: of a picture that is wider than the view, what of it is in sight; of a sentence
    that is folded, what is open.  A click there goes to that place.

    Parameters
    ----------
    view, brush
        The view whose drawing is explained, and what it is painted with.

    Signals
    -------
    word_clicked
        The id of a word that was clicked in the map of a folded sentence.
    """

    word_clicked = Signal(object)

    def __init__(self, view: ZoomView, brush: Callable[[], Brush]) -> None:
        super().__init__(view)
        self._view = view
        self._brush = brush
        self._small: tuple[Drawing, float, QPixmap] | None = None
        self.setMouseTracking(True)
        self.setAccessibleName("Legend")
        self.hide()

    @property
    def drawing(self) -> Drawing | None:
        """The drawing that is explained."""
        return self._view.drawing

    @property
    def _scale(self) -> float:
        return self._view.text_scale

    def needed_height(self) -> int:
        """Return how high it has to be; 0 if there is nothing to explain."""
        drawing = self.drawing
        if drawing is None or (drawing.legend is None and drawing.overview is None):
            return 0
        legend = drawing.legend.bounds.height if drawing.legend is not None else 0.0
        overview = drawing.overview.height if drawing.overview is not None else 0.0
        return math.ceil((max(legend, overview) + 2 * MARGIN) * self._scale)

    def refresh(self) -> None:
        """Show another drawing's legend."""
        self._small = None
        self.update()

    # The overview

    def _is_scrolled_sideways(self) -> bool:
        bar = self._view.horizontalScrollBar()
        return bar.maximum() > bar.minimum()

    def _place_of(self, bounds: Rect, scale: float) -> QRectF:
        """Return where an overview stands: at the right end, in the middle from top to bottom."""
        width, height = bounds.width * scale, bounds.height * scale
        return QRectF(self.width() - width - MARGIN * self._scale, (self.height() - height) / 2, width, height)

    def _map(self) -> tuple[QRectF, float] | None:
        """Return where the small picture of one that is too wide stands, and its scale."""
        if self.drawing is None or not self._is_scrolled_sideways():
            return None
        bounds = self.drawing.view_bounds
        room = min(_MAP_HEIGHT * self._scale, self.height() - 4.0)
        scale = min(_MAP_WIDTH * self._scale / bounds.width, room / bounds.height)
        return self._place_of(bounds, scale), scale

    def map_rect(self) -> QRectF | None:
        """Return where the overview is; ``None`` if there is none."""
        small = self._map()
        if small is not None:
            return small[0]
        overview = self.drawing.overview if self.drawing is not None else None
        return self._place_of(overview.bounds, self._scale) if overview is not None else None

    def legend_rect(self) -> QRectF:
        """Return where the legend is: left of the overview,
        smaller than the window's type where there is too little room.
        """
        bounds = self.drawing.legend.bounds if self.drawing is not None and self.drawing.legend is not None else None
        if bounds is None or not bounds.width:
            return QRectF()
        overview = self.map_rect()
        end = self.width() if overview is None else overview.left()
        left = min(_LEFT * self._scale, 2 * _LEFT)
        scale = max(_LEAST_SCALE, min(self._scale, (end - left - MARGIN) / bounds.width))
        height = bounds.height * scale
        return QRectF(left, (self.height() - height) / 2, bounds.width * scale, height)

    def _word_at(self, place: QPointF) -> Subject | None:
        """Return the word of the folded sentence's map at a place."""
        overview = self.drawing.overview if self.drawing is not None else None
        rect = self.map_rect()
        if overview is None or rect is None or self._map() is not None or not rect.contains(place):
            return None
        spot = (place - rect.topLeft()) / self._scale
        return overview.at(spot.x() + overview.bounds.x, spot.y() + overview.bounds.y, 4.0)

    def _go_to(self, place: QPointF) -> None:
        small = self._map()
        if small is not None and self.drawing is not None:
            rect, scale = small
            spot = (place - rect.topLeft()) / scale
            bounds = self.drawing.view_bounds
            self._view.centerOn(spot.x() + bounds.x, spot.y() + bounds.y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a place of the overview."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        word = self._word_at(event.position())
        if word is not None:
            self.word_clicked.emit(word)
        elif (rect := self.map_rect()) is not None and rect.contains(event.position()):
            self._go_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay there."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is in sight with the mouse."""
        event.accept()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())
        rect = self.map_rect()
        inside = rect is not None and rect.contains(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if inside else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        """Say which word a tick of the map is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            word = self._word_at(QPointF(event.pos()))
            overview = self.drawing.overview if self.drawing is not None else None
            text = overview.regions[word].label if overview is not None and word is not None else ""
            if not text and (rect := self.map_rect()) is not None and rect.contains(QPointF(event.pos())):
                text = "The whole picture; click or drag to look at another part"
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the legend, and the overview."""
        drawing = self.drawing
        if drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        brush, scale = self._brush(), self._scale
        painter.fillRect(self.rect(), QColor(brush.theme.colour("background")))
        painter.setPen(QColor(brush.theme.colour("hairline")))
        painter.drawLine(0, 0, self.width(), 0)
        if drawing.legend is not None:
            bounds = drawing.legend.bounds
            painter.save()
            place = self.legend_rect()
            painter.translate(place.topLeft())
            painter.scale(place.width() / bounds.width, place.width() / bounds.width)
            painter.translate(-bounds.x, -bounds.y)
            brush.shapes(painter, drawing.legend.shapes)
            painter.restore()
        small = self._map()
        if small is not None:
            self._paint_map(painter, drawing, *small)
        elif drawing.overview is not None:
            place = self._place_of(drawing.overview.bounds, scale)
            painter.fillRect(place.adjusted(-MARGIN, 0, MARGIN, 0), QColor(brush.theme.colour("background")))
            painter.translate(place.topLeft())
            painter.scale(scale, scale)
            painter.translate(-drawing.overview.bounds.x, -drawing.overview.bounds.y)
            brush.paint(painter, drawing.overview)
        painter.end()

    def _paint_map(self, painter: QPainter, drawing: Drawing, place: QRectF, scale: float) -> None:
        """A small picture of the whole, and a frame around what is in sight."""
        theme = self._brush().theme
        ratio = self.devicePixelRatioF()
        if self._small is None or self._small[:2] != (drawing, scale * ratio):
            pixmap = QPixmap(math.ceil(place.width() * ratio), math.ceil(place.height() * ratio))
            pixmap.fill(QColor(theme.colour("background")))
            inner = QPainter(pixmap)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.scale(scale * ratio, scale * ratio)
            inner.translate(-drawing.view_bounds.x, -drawing.view_bounds.y)
            for group in drawing.view_groups:
                self._brush().shapes(inner, group.shapes)
            inner.end()
            pixmap.setDevicePixelRatio(ratio)
            self._small = (drawing, scale * ratio, pixmap)
        painter.drawPixmap(place.topLeft(), self._small[2])
        seen = self._view.mapToScene(self._view.viewport().rect()).boundingRect()
        bounds = drawing.view_bounds
        frame = QRectF(
            place.x() + (seen.x() - bounds.x) * scale,
            place.y() + (seen.y() - bounds.y) * scale,
            seen.width() * scale,
            seen.height() * scale,
        )
        painter.setPen(QColor(theme.colour("accent")))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame.intersected(place.adjusted(0, 0, -1, -1)))
