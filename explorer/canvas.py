"""The widget that shows a drawing: zoom, hover, selection, dragging, keyboard, and a text twin for screen readers.

A drawing is painted by one graphics item, whatever it consists of; a change repaints only the groups that differ.
Signals carry ids (:mod:`explorer.drawing`); what is set from outside by :meth:`Canvas.select` and
:meth:`Canvas.highlight` is not signalled back, so that pictures can be linked with each other without echo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QStyle,
    QStyleOptionGraphicsItem,
    QToolTip,
    QWidget,
)

from explorer.drawing import HIT_WIDTH, Drawing, Id, Path, Point, Rect, Region, Shape, Text
from explorer.fonts import QtMetrics
from explorer.layout.arcs import arrow_head
from explorer.painting import Brush
from explorer.theme import LIGHT, Theme

LEAST_ZOOM, MOST_ZOOM = 0.1, 8.0
LEAST_AUTOMATIC, MOST_AUTOMATIC = 0.6, 1.25
"""Between these the sentence is fitted to the width of the view; a longer one scrolls."""
ZOOM_STEP = 1.2
ANIMATION_MS = 150
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def _qrect(rect: Rect) -> QRectF:
    return QRectF(*rect)


def _is_word(shape: Shape) -> bool:
    return type(shape) is Text and shape.style.startswith("word") and isinstance(shape.id, tuple)


class _Picture(QGraphicsItem):
    """Paints the drawing, as one item."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self.canvas = canvas
        self.bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def change(self, bounds: Rect) -> None:
        """Take the place of another drawing."""
        self.prepareGeometryChange()
        self.bounds = _qrect(bounds)
        self.update()

    def boundingRect(self) -> QRectF:
        return self.bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        rect = option.exposedRect
        self.canvas.paint_drawing(painter, Rect(rect.x(), rect.y(), rect.width(), rect.height()))


class _Marks(QGraphicsItem):
    """Paints what is pointed at, selected and highlighted, over the drawing."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self.canvas = canvas
        self.setZValue(1)

    def change(self) -> None:
        """Something else is marked."""
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:
        return self.canvas.picture.bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        self.canvas.paint_marks(painter)


class Canvas(QGraphicsView):
    """Shows a drawing and tells what a person does with it."""

    hovered = Signal(object)
    """The id under the mouse or the keyboard's mark, ``None`` if there is none."""
    selected = Signal(object)
    """The id that was clicked, or chosen with the space bar; ``None`` for the background."""
    activated = Signal(object)
    """The id that was double-clicked, or chosen with the enter key."""
    dragged = Signal(object, object)
    """What was dragged, and the id that it was dropped on."""
    zoomed = Signal(float)
    """The new scale, 1 being 100 %."""

    def __init__(self, metrics: QtMetrics | None = None, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.metrics = metrics or QtMetrics()
        self.brush = Brush(theme, self.metrics)
        self.drawing: Drawing | None = None
        self.reduce_motion = False
        self.text_scale = 1.0
        self._scale = 1.0
        self._automatic = True
        self._hovered: Id | None = None
        self._selected: Id | None = None
        self._current: Id | None = None
        self._highlights: dict[str, frozenset[Id]] = {}
        self._pressed: tuple[QPoint, Id | None] | None = None
        self._panning: QPoint | None = None
        self._drag: tuple[Id, QPointF] | None = None
        self._lens: tuple[Drawing, QPoint] | None = None
        self._progress = 1.0
        self._before: QPixmap | None = None
        self._travels: dict[Id, Point] = {}
        self._without_words = False

        self.setScene(QGraphicsScene(self))
        self.picture = _Picture(self)
        self._marks = _Marks(self)
        self.scene().addItem(self.picture)
        self.scene().addItem(self._marks)
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(ANIMATION_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._move_on)
        self._animation.finished.connect(self._arrive)

        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_theme(theme)

    # What is shown

    def show(self, drawing: Drawing | None = None, animate: bool = False) -> None:
        """Show a drawing; without one, the widget itself, as every widget does.

        With `animate` the words travel from where the last drawing had them, and the rest fades over.
        """
        if drawing is None:
            super().show()
            return
        before = self.drawing
        if before is drawing:
            return
        self._stop()
        animate = animate and not self.reduce_motion and before is not None and self.isVisible()
        places: dict[Id, QPointF] = {}
        if animate and before is not None:
            places = {shape.id: QPointF(self.mapFromScene(x, y)) for shape, x, y in _words(before)}
            self._without_words = True
            self._before = self.viewport().grab()
            self._without_words = False
        self.drawing = drawing
        self._lens = None
        self._drag = None
        self._pressed = None
        if before is not None and before.bounds == drawing.bounds and before.frame == drawing.frame and not animate:
            self._repaint_changes(before, drawing)
        else:
            self._place(before)
        for name in ("_hovered", "_selected", "_current"):
            if getattr(self, name) is not None and getattr(self, name) not in drawing.regions:
                setattr(self, name, None)
        if before is None or before.areas is not drawing.areas:
            self._marks.change()
            self.setAccessibleName(drawing.title)
            self.setAccessibleDescription(drawing.text_twin)
        if animate:
            self._travels = {}
            for shape, x, y in _words(drawing):
                if shape.id in places and shape.id not in self._travels:
                    old = self.mapToScene(places[shape.id].toPoint())
                    self._travels[shape.id] = (old.x() - x, old.y() - y)
            self._progress = 0.0
            self._animation.start()

    def _repaint_changes(self, before: Drawing, drawing: Drawing) -> None:
        old, new = {id(group): group for group in before.groups}, {id(group): group for group in drawing.groups}
        changed = [group for key, group in new.items() if key not in old]
        changed += [group for key, group in old.items() if key not in new]
        if len(changed) > 64:
            self.picture.update()
            return
        for group in changed:
            self.picture.update(_qrect(group.bounds.grown(2)))

    def _place(self, before: Drawing | None) -> None:
        """Make room for the drawing such that the words of the same sentence keep their place from left to right."""
        drawing = self.drawing
        if drawing is None:
            return
        same = before is not None and before.frame is not None and before.frame == drawing.frame
        left = self.mapToScene(0, 0).x()
        self.picture.change(drawing.bounds)
        if self._automatic:
            self._scale = self._automatic_scale()
        self._apply_scale()
        bar = self.horizontalScrollBar()
        if same:
            bar.setValue(bar.value() + self.mapFromScene(QPointF(left, 0)).x())
        elif bar.maximum() > bar.minimum():
            bar.setValue(bar.minimum())

    def _set_scene_rect(self) -> None:
        """The part of the plane to scroll in: the drawing, with the middle of the ruler in its middle."""
        assert self.drawing is not None
        bounds = self.drawing.bounds
        first, last = self.drawing.frame or (bounds.x, bounds.right)
        centre, half = (first + last) / 2, self._span() / 2
        # A scroll bar beside a high picture must not shift the words: others leave its width free.
        high = bounds.height * self._total_scale > self.height()
        free = 0.0 if high else self._bar_width / self._total_scale
        self.setSceneRect(centre - half, bounds.y, 2 * half + free, bounds.height)

    def _span(self) -> float:
        """How wide the drawing is, the wider side of the ruler's middle taken twice."""
        assert self.drawing is not None
        bounds = self.drawing.bounds
        first, last = self.drawing.frame or (bounds.x, bounds.right)
        centre = (first + last) / 2
        return 2 * max(centre - min(first, bounds.x), max(last, bounds.right) - centre)

    @property
    def _bar_width(self) -> int:
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    @property
    def text_twin(self) -> str:
        """What is shown, as text."""
        return self.drawing.text_twin if self.drawing else ""

    @property
    def is_moving(self) -> bool:
        """Whether words are travelling."""
        return self._progress < 1.0

    @property
    def selection(self) -> Id | None:
        """What is selected."""
        return self._selected

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.brush = Brush(theme, self.metrics)
        self.setBackgroundBrush(QColor(theme.colour("background")))
        self.viewport().update()

    # What is marked

    def highlight(self, ids: Iterable[Id], role: str = "accent") -> None:
        """Light these up in a role's colour, instead of what was lit in it before."""
        found = frozenset(ids)
        if self._highlights.get(role, frozenset()) != found:
            self._highlights[role] = found
            self._marks.change()

    def select(self, chosen: Id | None) -> None:
        """Mark as selected, and bring into sight."""
        self._selected = self._current = chosen
        region = self._region(chosen)
        if region is not None:
            self.ensureVisible(_qrect(region.bounds), 24, 24)
        self._marks.change()

    def _region(self, wanted: Id | None) -> Region | None:
        if wanted is None or self.drawing is None:
            return None
        return self.drawing.regions.get(wanted)

    def at(self, place: QPoint) -> Id | None:
        """What is at a place of the viewport."""
        if self.drawing is None:
            return None
        spot = self.mapToScene(place)
        # The hit area keeps its width on the screen when the picture is small.
        reach = HIT_WIDTH / 2 / min(1.0, self._total_scale)
        return self.drawing.at(spot.x(), spot.y(), reach)

    def _hover(self, found: Id | None, place: QPoint | None = None) -> None:
        lens = self.drawing.lens(found) if self.drawing and self.drawing.lens and found is not None else None
        if lens is not None or self._lens is not None:
            self._lens = (lens, place) if lens is not None and place is not None else None
            self.viewport().update()
        if found != self._hovered:
            self._hovered = found
            self._marks.change()
            self.hovered.emit(found)

    # Zoom

    @property
    def scale_factor(self) -> float:
        """The scale of the picture, 1 being 100 %."""
        return self._scale

    @property
    def _total_scale(self) -> float:
        return self._scale * self.text_scale

    def set_text_scale(self, scale: float) -> None:
        """How large type is at 100 %, for the whole window."""
        self.text_scale = scale
        if self._automatic:
            self._scale = self._automatic_scale()
        self._apply_scale()

    def _automatic_scale(self) -> float:
        """The whole sentence in sight if that can be read; the same for all pictures of it."""
        if self.drawing is None:
            return 1.0
        bounds = self.drawing.bounds
        first, last = self.drawing.frame or (bounds.x, bounds.right)
        room = (self.width() - self._bar_width) / self.text_scale
        return max(LEAST_AUTOMATIC, min(MOST_AUTOMATIC, room / max(last - first, 1.0)))

    def _apply_scale(self) -> None:
        total = self._total_scale
        if self.drawing is not None:
            self._set_scene_rect()
        if not math.isclose(self.transform().m11(), total):
            self.resetTransform()
            self.scale(total, total)
            self.zoomed.emit(self._scale)

    def zoom(self, factor: float, place: QPoint | None = None) -> None:
        """Zoom in or out, keeping a place of the viewport where it is."""
        spot = place if place is not None else self.viewport().rect().center()
        scene = self.mapToScene(spot)
        self._automatic = False
        self._scale = max(LEAST_ZOOM, min(MOST_ZOOM, self._scale * factor))
        self._apply_scale()
        moved = self.mapFromScene(scene) - spot
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + moved.x())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved.y())

    def zoom_in(self) -> None:
        """One step larger."""
        self.zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        """One step smaller."""
        self.zoom(1 / ZOOM_STEP)

    def fit(self) -> None:
        """The whole picture in sight."""
        if self.drawing is None:
            return
        bounds = self.drawing.bounds
        across = (self.width() - self._bar_width) / max(self._span(), 1.0)
        down = (self.height() - 2) / max(bounds.height, 1.0)
        self._automatic = False
        self._scale = max(LEAST_ZOOM, min(MOST_ZOOM, min(across, down) / self.text_scale))
        self._apply_scale()

    def actual_size(self) -> None:
        """100 %."""
        self._automatic = False
        self.zoom(1 / self._scale)

    def automatic_size(self) -> None:
        """The size that is chosen where nobody has zoomed: the sentence fitted to the width while it can be read."""
        self._automatic = True
        self._place(self.drawing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.drawing is not None:
            if self._automatic:
                self._scale = self._automatic_scale()
            self._apply_scale()

    # Painting

    def paint_drawing(self, painter: QPainter, exposed: Rect) -> None:
        """Paint the drawing, or while words travel both drawings as far as they have come."""
        drawing = self.drawing
        if drawing is None:
            return
        if self._without_words:
            for group in drawing.groups:
                self.brush.shapes(painter, (shape for shape in group.shapes if not _is_word(shape)))
            return
        if self._progress >= 1.0:
            self.brush.paint(painter, drawing, exposed)
            return
        rest = 1.0 - self._progress
        for group in drawing.groups:
            if not group.bounds.overlaps(exposed):
                continue
            painter.setOpacity(self._progress)
            self.brush.shapes(painter, (shape for shape in group.shapes if not _is_word(shape)))
            for shape in group.shapes:
                if not _is_word(shape):
                    continue
                dx, dy = self._travels.get(shape.id, (0.0, 0.0))
                painter.setOpacity(1.0 if shape.id in self._travels else self._progress)
                painter.translate(dx * rest, dy * rest)
                self.brush.shapes(painter, (shape,))
                painter.translate(-dx * rest, -dy * rest)
        painter.setOpacity(1.0)

    def paint_marks(self, painter: QPainter) -> None:
        """Paint what is marked."""
        if self.drawing is None or self._progress < 1.0 or self._without_words:
            return
        for role, ids in self._highlights.items():
            self._mark(painter, [one for one in ids if one in self.drawing.regions], role, tint=True)
        if self._hovered is not None:
            self._mark(painter, [self._hovered], "accent", tint=True)
        if self._selected is not None:
            self._mark(painter, [self._selected], "accent", tint=True, outline=True)
        if self._current is not None and self._current != self._selected and self.hasFocus():
            self._mark(painter, [self._current], "accent", tint=False, outline=True)

    def _mark(self, painter: QPainter, ids: Sequence[Id], role: str, tint: bool, outline: bool = False) -> None:
        assert self.drawing is not None
        colour = QColor(self.brush.theme.colour(role))
        wanted = set(ids)
        for region in self.drawing.areas:
            if region.id not in wanted:
                continue
            if tint and (region.tint is not None or not region.line):
                wash = QColor(colour)
                wash.setAlphaF(0.14)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(wash)
                painter.drawRoundedRect(_qrect(region.tint or region.bounds.grown(2)), 3, 3)
            if outline and not region.line:
                painter.setPen(QColor(colour))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(_qrect(region.bounds.grown(2)), 3, 3)
        self.brush.shapes(painter, self.drawing.of(ids), role, heavier=0.75)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        if self._before is not None and self._progress < 1.0:
            painter.save()
            painter.resetTransform()
            painter.setOpacity((1.0 - self._progress) ** 2)
            painter.drawPixmap(0, 0, self._before)
            painter.restore()
        if self._drag is not None and self.drawing is not None:
            what, spot = self._drag
            self.brush.shapes(painter, _rubber(self.drawing.grips[what].anchor, (spot.x(), spot.y())))
        if self._lens is not None:
            self._paint_lens(painter, *self._lens)

    def _paint_lens(self, painter: QPainter, lens: Drawing, place: QPoint) -> None:
        painter.save()
        painter.resetTransform()
        scale = self.text_scale
        width, height = lens.width * scale, lens.height * scale
        view = self.viewport().rect()
        x = place.x() + 20.0 if place.x() + 20 + width < view.width() else place.x() - 20 - width
        y = place.y() + 20.0 if place.y() + 20 + height < view.height() else place.y() - 20 - height
        painter.translate(max(4.0, x), max(4.0, y))
        painter.scale(scale, scale)
        painter.setPen(QColor(self.brush.theme.colour("line")))
        painter.setBrush(QColor(self.brush.theme.colour("background")))
        painter.drawRoundedRect(QRectF(0, 0, lens.width, lens.height), 4, 4)
        painter.translate(-lens.bounds.x, -lens.bounds.y)
        self.brush.paint(painter, lens)
        painter.restore()

    def _move_on(self, value: float) -> None:
        self._progress = value
        self.viewport().update()

    def _arrive(self) -> None:
        self._progress = 1.0
        self._before = None
        self._travels = {}
        self.viewport().update()

    def _stop(self) -> None:
        if self._progress < 1.0:
            self._animation.stop()
            self._arrive()

    # Mouse and gestures

    def viewportEvent(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ToolTip:
            place = event.pos()  # type: ignore[attr-defined]
            region = self._region(self.at(place)) if self._lens is None else None
            if region is not None and region.label:
                QToolTip.showText(self.viewport().mapToGlobal(place), region.label, self.viewport())
            else:
                QToolTip.hideText()
            return True
        if kind == QEvent.Type.NativeGesture:
            gesture = cast(QNativeGestureEvent, event)
            if gesture.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(1.0 + gesture.value(), gesture.position().toPoint())
                return True
        if kind == QEvent.Type.Gesture:
            pinch = event.gesture(Qt.GestureType.PinchGesture)  # type: ignore[attr-defined]
            if pinch is not None:
                self.zoom(pinch.scaleFactor(), self.viewport().mapFromGlobal(pinch.centerPoint().toPoint()))
                return True
        if kind == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM_STEP ** (turned.y() / 120), event.position().toPoint())
            event.accept()
            return
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if turned.x() == 0 and down.maximum() == down.minimum():
            # A long sentence that is not high: the wheel runs along it.
            across.setValue(across.value() - turned.y())
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panning = place
        elif event.button() == Qt.MouseButton.LeftButton:
            self._pressed = (place, self.at(place))
        else:
            super().mousePressEvent(event)
            return
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._panning is not None:
            self._pan(place)
        elif self._drag is not None:
            self._drag = (self._drag[0], self.mapToScene(place))
            self._hover(self._target(place))
            self.viewport().update()
        elif self._pressed is not None:
            start, what = self._pressed
            if (place - start).manhattanLength() >= QApplication.startDragDistance():
                if what is not None and self.drawing is not None and what in self.drawing.grips:
                    self._drag = (what, self.mapToScene(place))
                    self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
                elif what is None:
                    self._panning = start
                    self._pan(place)
        else:
            found = self.at(place)
            self._hover(found, place)
            grip = found is not None and self.drawing is not None and found in self.drawing.grips
            shape = Qt.CursorShape.OpenHandCursor if grip else Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(shape if found is not None else Qt.CursorShape.ArrowCursor)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        pressed, dragged, panned = self._pressed, self._drag, self._panning
        self._pressed = self._drag = self._panning = None
        if dragged is not None:
            self.viewport().unsetCursor()
            self.viewport().update()
            target = self._target(place, dragged[0])
            self._hover(None)
            if target is not None:
                self.dragged.emit(dragged[0], target)
        elif panned is not None:
            self.viewport().unsetCursor()
        elif pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(pressed[1])
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.at(event.position().toPoint())
        if found is not None:
            self.activated.emit(found)
        event.accept()

    def _pan(self, place: QPoint) -> None:
        assert self._panning is not None
        moved = place - self._panning
        self._panning = place
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved.x())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved.y())

    def _target(self, place: QPoint, what: Id | None = None) -> Id | None:
        """On what a drag that ends here is dropped: a thing of a permitted kind, or the word above or below."""
        what = what if what is not None else self._drag[0] if self._drag else None
        if self.drawing is None or what is None:
            return None
        kinds = self.drawing.grips[what].targets
        spot = self.mapToScene(place)
        reach = HIT_WIDTH / min(1.0, self._total_scale)
        allowed = [
            region
            for region in self.drawing.areas
            if isinstance(region.id, tuple) and region.id[0] in kinds and region.id[1:] != what[1:]  # type: ignore[index]
        ]
        near = [(region.hit(spot.x(), spot.y(), reach), region.id) for region in allowed]
        hit = min(near, key=lambda pair: pair[0], default=None)
        return hit[1] if hit is not None and hit[0] < math.inf else None

    def _choose(self, found: Id | None) -> None:
        self._selected = self._current = found
        self._marks.change()
        self.selected.emit(found)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and (self._drag is not None or self._current is not None):
            self.viewport().update()
            if self._drag is not None:
                self._drag = self._pressed = None
                self.viewport().unsetCursor()
            else:
                self._choose(None)
            self._hover(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.activated.emit(self._current)
        elif key == Qt.Key.Key_Space and self._current is not None:
            self._choose(self._current)
        elif key in _STEPS and self._current is not None and not event.modifiers():
            self._walk(_STEPS[key])
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_Minus:
            self.zoom_out()
        else:
            # Arrow keys while nothing is marked belong to the window: they step through the stages.
            event.ignore()
            return
        event.accept()

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Tab walks through what the picture shows, in reading order, and then leaves it."""
        ids = list(self.drawing.regions) if self.drawing else []
        if ids:
            if self._current in self.drawing.regions if self.drawing else False:
                place = ids.index(self._current) + (1 if forwards else -1)
            else:
                place = 0 if forwards else len(ids) - 1
            if 0 <= place < len(ids):
                self._set_current(ids[place])
                return True
        self._current = None
        self._hover(None)
        return super().focusNextPrevChild(forwards)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._marks.change()

    def _set_current(self, found: Id) -> None:
        self._current = found
        region = self._region(found)
        assert region is not None and self.drawing is not None
        self.ensureVisible(_qrect(region.bounds), 24, 24)
        self.setAccessibleName(f"{self.drawing.title}: {region.label}" if region.label else self.drawing.title)
        self._hover(found, self.mapFromScene(*region.bounds.centre))
        self._marks.change()

    def _walk(self, step: tuple[int, int]) -> None:
        """Go to the nearest thing in a direction."""
        here = self._region(self._current)
        if here is None or self.drawing is None:
            return
        x, y = here.bounds.centre
        best: Id | None = None
        least = math.inf
        for region in self.drawing.regions.values():
            if region.id == here.id:
                continue
            dx, dy = region.bounds.centre[0] - x, region.bounds.centre[1] - y
            along, aside = (dx * step[0], dy) if step[0] else (dy * step[1], dx)
            cost = along + 3 * abs(aside)
            if along > 1 and cost < least:
                best, least = region.id, cost
        if best is not None:
            self._set_current(best)


def _words(drawing: Drawing) -> Iterable[tuple[Text, float, float]]:
    for shape in drawing.shapes:
        if _is_word(shape):
            assert isinstance(shape, Text)
            yield shape, shape.x, shape.y


def _rubber(start: Point, end: Point) -> list[Shape]:
    """The arrow that follows the mouse."""
    top = min(start[1], end[1]) - 24
    curve = Path(start, ((start[0], top, end[0], top, end[0], end[1]),), "accent", 2.0, "dash")
    return [curve, arrow_head(end[0], end[1], 1.0, "accent")]
