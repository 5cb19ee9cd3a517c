"""The widget that shows a drawing: hover, selection, dragging, keyboard, and a text twin for screen readers.

Signals carry ids (:mod:`explorer.graphics.drawing`); what is set from outside by :meth:`Canvas.select` and
:meth:`Canvas.highlight` is not signalled back, so that pictures can be linked with each other without echo.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent
from PySide6.QtWidgets import QApplication, QGestureEvent, QToolTip, QWidget

from explorer.appearance.fonts import QtMetrics
from explorer.canvas.picture_view import PictureView
from explorer.explanations.glosses import Gloss, wrapped
from explorer.graphics.drawing import HIT_WIDTH, Drawing, Region
from explorer.graphics.number_text import no_markup
from explorer.graphics.selection import Id
from explorer.graphics.theme import LIGHT, Theme

_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Canvas(PictureView):
    """Shows a drawing and tells what a person does with it."""

    hovered = Signal(object)
    """The id under the mouse or the keyboard's mark, ``None`` if there is none."""
    selected = Signal(object)
    """The id that was clicked, or chosen with the space bar; ``None`` for the background."""
    activated = Signal(object)
    """The id that was double-clicked, or chosen with the enter key."""
    dragged = Signal(object, object)
    """What was dragged, and the id that it was dropped on."""

    def __init__(self, metrics: QtMetrics | None = None, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(metrics, theme, parent)
        self._pressed: tuple[QPoint, Id | None] | None = None
        self._tip = ""
        # What the signs at a thing mean; whoever shows the picture knows.
        self.glosses_of: Callable[[Id], Sequence[Gloss]] = lambda id: ()
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show(self, drawing: Drawing | None = None, animate: bool = False, stay: bool = False) -> None:
        """Show a drawing; without one, the widget itself, as every widget does.

        With `animate` the words travel from where the last drawing had them, and the rest fades over.  With `stay` it
        is the last picture laid out anew: the view stays where it is, as far as what is selected is in sight.
        """
        if drawing is not None and self.drawing is not None and drawing.areas is not self.drawing.areas:
            # A press on the drawing before is no click on this one, and what was said of it is not true of this one.
            self._pressed = None
            if self._tip and QToolTip.text() == self._tip:
                QToolTip.hideText()
        super().show(drawing, animate, stay)

    def at(self, place: QPoint) -> Id | None:
        """What is at a place of the viewport."""
        if self.drawing is None:
            return None
        for _, strip, shift in self._strips():
            if strip.contains(place):
                place = place - shift
                break
        spot = self.mapToScene(place)
        # The hit area keeps its width on the screen when the picture is small.
        return self.drawing.at(spot.x(), spot.y(), HIT_WIDTH / 2 / min(1.0, self._total_scale))

    def _hover(self, found: Id | None, place: QPoint | None = None) -> None:
        lens = self.drawing.lens(found) if self.drawing and self.drawing.lens and found is not None else None
        if lens is not None or self._lens is not None:
            self._lens = (lens, place) if lens is not None and place is not None else None
            self.viewport().update()
        if found != self._hovered:
            self._touch((self._hovered, found))
            self._hovered = found
            self.hovered.emit(found)

    # Mouse

    def viewportEvent(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ToolTip:
            self._tool_tip(event.pos())  # type: ignore[attr-defined]
            return True
        if kind == QEvent.Type.NativeGesture and self._native_gesture(cast(QNativeGestureEvent, event)):
            return True
        if kind == QEvent.Type.Gesture and self._gesture(cast(QGestureEvent, event)):
            return True
        if kind == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def _tool_tip(self, place: QPoint) -> None:
        region = self._region(self.at(place)) if self._lens is None else None
        if region is not None and region.label:
            self._tip = no_markup(self.description(region))
            QToolTip.showText(self.viewport().mapToGlobal(place), self._tip, self.viewport())
        else:
            QToolTip.hideText()

    def description(self, region: Region) -> str:
        """What a thing is, then what its signs mean: the tool tip, and what a screen reader says."""
        return "\n".join(filter(None, (region.label, *(wrapped(str(one)) for one in self.glosses_of(region.id)))))

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
            self._hover(self._target(place, self._drag[0]))
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
        pressed, dragged, panned = self._pressed, self._drag, self._panning
        self._pressed = self._drag = self._panning = None
        if dragged is not None:
            self.viewport().unsetCursor()
            self.viewport().update()
            target = self._target(event.position().toPoint(), dragged[0])
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

    def _target(self, place: QPoint, what: Id) -> Id | None:
        """On what a drag that ends here is dropped: the nearest thing that it may be dropped on."""
        assert self.drawing is not None
        grip = self.drawing.grips[what]
        spot = self.mapToScene(place)
        reach = HIT_WIDTH / min(1.0, self._total_scale)
        best, nearest = None, math.inf
        for area in self.drawing.areas:
            if grip.accepts(area.id):
                away = area.hit(spot.x(), spot.y(), reach)
                if away < nearest:
                    best, nearest = area.id, away
        return best

    def _choose(self, found: Id | None) -> None:
        self._touch((self._selected, self._current, found))
        self._selected = self._current = found
        self.selected.emit(found)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key == Qt.Key.Key_Escape and (self._drag is not None or self._current is not None):
            if self._drag is not None:
                self._drag = self._pressed = None
                self.viewport().unsetCursor()
                self.viewport().update()
            else:
                self._choose(None)
            self._hover(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.activated.emit(self._current)
        elif key == Qt.Key.Key_Space and self._current is not None:
            self._choose(self._current)
        elif key in _STEPS and self._current is not None and not event.modifiers():
            self._walk(_STEPS[key])
        elif control and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif control and key == Qt.Key.Key_Minus:
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
            if self._current in ids:
                place = ids.index(self._current) + (1 if forwards else -1)
            else:
                place = 0 if forwards else len(ids) - 1
            if 0 <= place < len(ids):
                self._set_current(ids[place])
                return True
        self._touch((self._current,))
        self._current = None
        self._hover(None)
        return super().focusNextPrevChild(forwards)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._touch((self._current,))

    def _set_current(self, found: Id) -> None:
        region = self._region(found)
        assert region is not None and self.drawing is not None
        self._touch((self._current, found))
        self._current = found
        self.ensureVisible(QRectF(*region.bounds), 24, 24)
        described = self.description(region)
        self.setAccessibleName(f"{self.drawing.title}: {described}" if described else self.drawing.title)
        self._hover(found, self.mapFromScene(*region.bounds.centre))

    def _walk(self, step: tuple[int, int]) -> None:
        """Go to the nearest thing in a direction."""
        here = self._region(self._current)
        if here is None or self.drawing is None:
            return
        x, y = here.bounds.centre
        best: Id | None = None
        least = math.inf
        for region in self.drawing.regions.values():
            dx, dy = region.bounds.centre[0] - x, region.bounds.centre[1] - y
            along, aside = (dx * step[0], dy) if step[0] else (dy * step[1], dx)
            cost = along + 3 * abs(aside)
            if region.id != here.id and along > 1 and cost < least:
                best, least = region.id, cost
        if best is not None:
            self._set_current(best)
