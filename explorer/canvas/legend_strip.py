"""The strip under a picture: what its signs mean, and in the corner an overview of what is folded or out of sight."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.canvas.painting import Brush
from explorer.canvas.zoom_view import ZoomView
from explorer.graphics.drawing import Drawing, Rect
from explorer.graphics.selection import Id

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
        """How high it has to be; 0 if there is nothing to explain."""
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
        """Where an overview stands: at the right end, in the middle from top to bottom."""
        width, height = bounds.width * scale, bounds.height * scale
        return QRectF(self.width() - width - MARGIN * self._scale, (self.height() - height) / 2, width, height)

    def _map(self) -> tuple[QRectF, float] | None:
        """Where the small picture of one that is too wide stands, and its scale."""
        if self.drawing is None or not self._is_scrolled_sideways():
            return None
        bounds = self.drawing.view_bounds
        room = min(_MAP_HEIGHT * self._scale, self.height() - 4.0)
        scale = min(_MAP_WIDTH * self._scale / bounds.width, room / bounds.height)
        return self._place_of(bounds, scale), scale

    def map_rect(self) -> QRectF | None:
        """Where the overview is; ``None`` if there is none."""
        small = self._map()
        if small is not None:
            return small[0]
        overview = self.drawing.overview if self.drawing is not None else None
        return self._place_of(overview.bounds, self._scale) if overview is not None else None

    def legend_rect(self) -> QRectF:
        """Where the legend is: left of the overview, smaller than the window's type where there is too little room."""
        bounds = self.drawing.legend.bounds if self.drawing is not None and self.drawing.legend is not None else None
        if bounds is None or not bounds.width:
            return QRectF()
        overview = self.map_rect()
        end = self.width() if overview is None else overview.left()
        left = min(_LEFT * self._scale, 2 * _LEFT)
        scale = max(_LEAST_SCALE, min(self._scale, (end - left - MARGIN) / bounds.width))
        height = bounds.height * scale
        return QRectF(left, (self.height() - height) / 2, bounds.width * scale, height)

    def _word_at(self, place: QPointF) -> Id | None:
        """The word of the folded sentence's map at a place."""
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
