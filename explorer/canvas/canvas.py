"""The widget that shows a drawing: painting, hover, selection, dragging, keyboard, and a text twin for
screen readers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, cast

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPixmap,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QGestureEvent, QToolTip, QWidget

from engine.common.characters import no_markup
from engine.explain.glosses import Gloss, wrapped
from engine.explain.subjects import Subject
from explorer.canvas.painting import Brush, LayerItem, qt_rect
from explorer.canvas.zoom import LegendStrip, ZoomView
from explorer.kit.appearance import appearance
from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import HIT_WIDTH, Curve, Drawing, Group, Point, Rect, Region, Shape, Text
from explorer.pictures.layout import arrow_head

# A view that paints a drawing and what is marked in it, and carries words over from the drawing before.
#
# A drawing is painted by one graphics item, whatever it consists of; a change repaints only the groups that differ, a
# mark only what is marked.

ANIMATION_MS = 150


def _word_of(shape: Shape) -> Subject | None:
    """Return the word or mark that a shape writes, if it writes one."""
    return shape.id if type(shape) is Text and shape.style.startswith("word") else None


class PictureView(ZoomView):
    """Shows a drawing with its marks, legend, overview and lens."""

    overview_clicked = Signal(object)
    """The id of a word that was clicked in the overview."""
    follows_type: ClassVar[bool] = True
    """Whether its type has the size of that around it; else whoever shows it sets the size."""
    moves: ClassVar[bool] = True
    """Whether words may travel from one drawing to the next."""

    def __init__(self, metrics: QtMetrics | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.metrics = metrics or QtMetrics()
        look = appearance()
        self.brush = Brush(look.theme, self.metrics)
        self._hovered: Subject | None = None
        self._selected: Subject | None = None
        self._current: Subject | None = None
        self._highlights: dict[str, frozenset[Subject]] = {}
        self._drag: tuple[Subject, QPointF] | None = None
        self._lens: tuple[Drawing, QPoint] | None = None
        self._progress = 1.0
        self._before: QPixmap | None = None
        self._travels: dict[Subject, Point] = {}
        self._without_words = False
        self._picture = LayerItem(self.paint_drawing)
        self._marks = LayerItem(lambda painter, exposed: self.paint_marks(painter), z=1.0)
        self._legend = LegendStrip(self, lambda: self.brush)
        self._legend.word_clicked.connect(self.overview_clicked)
        self.scene().addItem(self._picture)
        self.scene().addItem(self._marks)
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(ANIMATION_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._move_on)
        self._animation.finished.connect(self._arrive)
        look.theme_changed.connect(self._show_theme)
        self._show_theme()
        if self.follows_type:
            look.text_scale_changed.connect(self._follow_type)
            self._follow_type()

    # What is shown

    def show(self, drawing: Drawing | None = None, animate: bool = False, stay: bool = False) -> None:
        """Show a drawing; without one, the widget itself, as every widget does.

        With `animate` the words travel from where the last drawing had them, and the rest fades over.  With `stay` it
        is the last picture laid out anew: the view stays where it is, as far as what is selected is in sight.
        """
        if drawing is None:
            super().show()
            return
        before = self.drawing
        if before is drawing:
            return
        self._stop()
        animate = animate and self.moves and not appearance().reduce_motion and before is not None and self.isVisible()
        places: dict[Subject, QPoint] = {}
        if animate and before is not None:
            places = {word: self.mapFromScene(text.x, text.y) for word, text in _words(before)}
            self._without_words = True
            self._before = self.viewport().grab()
            self._without_words = False
        self.drawing = drawing
        if before is None or (before.legend, before.overview) != (drawing.legend, drawing.overview):
            self._show_legend()
        same = before is not None and before.frame is not None and before.frame == drawing.frame
        if before is not None and same and before.view_bounds == drawing.view_bounds and not animate:
            self._repaint_changes(before, drawing)
        else:
            self._picture.change(drawing.view_bounds)
            self._marks.change(drawing.view_bounds)
            other = not stay and (not same or before is None or before.title != drawing.title)
            self._place(same or stay, not other)
            region = self._region(self._selected)
            if region is not None and (other or (stay and _moved(region, before))):
                # Up and down only: from left to right words stay where they are.
                left = self.mapToScene(self.viewport().rect().center()).x()
                self._reveal(QRectF(left, region.bounds.y, 1, region.bounds.height))
        if before is None or before.areas is not drawing.areas:
            self._lens = self._drag = None
            for name in ("_hovered", "_selected", "_current"):
                if getattr(self, name) not in drawing.regions:
                    setattr(self, name, None)
            self._marks.update()
            self.setAccessibleName(drawing.title)
            self._describe()
        if animate:
            self._travels = {}
            for word, text in _words(drawing):
                if word in places:
                    old = self.mapToScene(places[word])
                    self._travels[word] = (old.x() - text.x, old.y() - text.y)
            self._progress = 0.0
            self._animation.start()

    def _repaint_changes(self, before: Drawing, drawing: Drawing) -> None:
        old, new = {id(group): group for group in before.groups}, {id(group): group for group in drawing.groups}
        changed = [group for key, group in new.items() if key not in old]
        changed += [group for key, group in old.items() if key not in new]
        if len(changed) > 64:
            self._picture.update()
            return
        for group in changed:
            self._picture.update(qt_rect(group.bounds.grown(2)))

    @property
    def text_twin(self) -> str:
        """What is shown, as text."""
        return self.drawing.text_twin if self.drawing else ""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._describe()

    def _describe(self) -> None:
        """Give the text twin to whoever reads the screen; it takes too long to be made for nobody."""
        if QAccessible.isActive():
            self.setAccessibleDescription(self.text_twin)

    @property
    def is_moving(self) -> bool:
        """Whether words are travelling."""
        return self._progress < 1.0

    def _show_theme(self) -> None:
        theme = appearance().theme
        self.brush = Brush(theme, self.metrics)
        self.setBackgroundBrush(QColor(theme.colour("background")))
        self._legend.update()
        self.viewport().update()

    # What is marked

    @property
    def selection(self) -> Subject | None:
        """What is selected."""
        return self._selected

    def highlight(self, ids: Iterable[Subject], role: str = "accent") -> None:
        """Light these up in a role's colour, instead of what was lit in it before."""
        found = frozenset(ids)
        before = self.highlighted(role)
        if before != found:
            self._highlights[role] = found
            self._touch(before ^ found)

    def highlighted(self, role: str = "accent") -> frozenset[Subject]:
        """Return what is lit up in a role's colour."""
        return self._highlights.get(role, frozenset())

    def select(self, chosen: Subject | None) -> None:
        """Mark as selected, and bring into sight."""
        if chosen == self._selected == self._current:
            return
        self._touch((self._selected, self._current, chosen))
        self._selected = self._current = chosen
        region = self._region(chosen)
        if region is not None:
            self._reveal(qt_rect(region.bounds))

    def _touch(self, ids: Iterable[Subject | None]) -> None:
        """Repaint where these are."""
        if self.drawing is None:
            return
        for area in self.drawing.areas.of(set(ids)):
            self._marks.update(qt_rect((area.tint or area.bounds).grown(8)))

    def _region(self, wanted: Subject | None) -> Region | None:
        if wanted is None or self.drawing is None:
            return None
        return self.drawing.regions.get(wanted)

    # Painting

    def paint_drawing(self, painter: QPainter, exposed: Rect) -> None:
        """Paint the drawing, or while words travel the drawing as far as they have come."""
        drawing = self.drawing
        if drawing is None:
            return
        if self._progress >= 1.0 and not self._without_words:
            for group in drawing.view_groups:
                if group.bounds.overlaps(exposed):
                    self.brush.shapes(painter, group.shapes)
            return
        rest = 1.0 - self._progress
        for group in drawing.view_groups:
            if not group.bounds.overlaps(exposed):
                continue
            painter.setOpacity(self._progress)
            self.brush.shapes(painter, (shape for shape in group.shapes if _word_of(shape) is None))
            if self._without_words:
                continue
            for shape in group.shapes:
                word = _word_of(shape)
                if word is None:
                    continue
                dx, dy = self._travels.get(word, (0.0, 0.0))
                painter.setOpacity(1.0 if word in self._travels else self._progress)
                painter.translate(dx * rest, dy * rest)
                self.brush.shapes(painter, (shape,))
                painter.translate(-dx * rest, -dy * rest)
        painter.setOpacity(1.0)

    def paint_marks(self, painter: QPainter) -> None:
        """Paint what is marked."""
        if self.drawing is None or self._progress < 1.0 or self._without_words:
            return
        for role, ids in self._highlights.items():
            self._mark(painter, ids, role)
        if self._hovered is not None:
            self._mark(painter, (self._hovered,), "accent")
        if self._selected is not None:
            self._mark(painter, (self._selected,), "accent", outline=True)
        if self._current is not None and self._current != self._selected and self.hasFocus():
            self._mark(painter, (self._current,), "accent", tint=False, outline=True)

    def _mark(
        self, painter: QPainter, ids: Iterable[Subject], role: str, tint: bool = True, outline: bool = False
    ) -> None:
        assert self.drawing is not None
        wanted = set(ids)
        if not wanted:
            return
        colour = QColor(self.brush.theme.colour(role))
        wash = QColor(colour)
        wash.setAlphaF(0.14)
        for region in self.drawing.areas.of(wanted):
            if tint and (region.tint is not None or not region.line):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(wash)
                painter.drawRoundedRect(qt_rect(region.tint or region.bounds.grown(2)), 3, 3)
            if outline and not region.line:
                painter.setPen(colour)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(qt_rect(region.bounds.grown(2)), 3, 3)
        self.brush.shapes(painter, self.drawing.of(wanted), role, heavier=0.75)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        if self._before is not None and self._progress < 1.0:
            painter.save()
            painter.resetTransform()
            painter.setOpacity((1.0 - self._progress) ** 2)
            painter.drawPixmap(0, 0, self._before)
            painter.restore()
        if self.drawing is None or self._without_words:
            return
        if self._drag is not None:
            what, spot = self._drag
            self.brush.shapes(painter, _rubber(self.drawing.grips[what].anchor, (spot.x(), spot.y())))
        self._paint_strips(painter)
        if self._lens is not None:
            lens, spot_in_view = self._lens
            self.brush.card(painter, lens.groups, lens.bounds, self._beside(spot_in_view, lens), self.text_scale)

    # The legend

    def _show_legend(self) -> None:
        """Give the legend its place under the picture, as high as it needs."""
        height = self._legend.needed_height() if self.legend_room else 0
        if height != self.viewportMargins().bottom():
            self.setViewportMargins(0, 0, 0, height)
        self._place_legend()
        self._legend.refresh()

    def _place_legend(self) -> None:
        height = self.viewportMargins().bottom()
        self._legend.setVisible(height > 0)
        place = self.viewport().geometry()
        self._legend.setGeometry(place.x(), place.bottom() + 1, place.width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_legend()

    def _follow_type(self) -> None:
        self.set_text_scale(appearance().text_scale)

    def set_text_scale(self, scale: float) -> None:
        """Set how large type is at 100 %."""
        self.text_scale = scale
        self._show_legend()
        super().set_text_scale(scale)

    def _strips(self) -> list[tuple[Group, QRect, QPoint]]:
        """Return what is pinned to an edge, in which part of the viewport, and how far it is moved to be there."""
        strips: list[tuple[Group, QRect, QPoint]] = []
        if self.drawing is None:
            return strips
        view = self.viewport().rect()
        for edge, group in self.drawing.pins:
            rect = self.mapFromScene(qt_rect(group.bounds)).boundingRect()
            if edge == "left" and rect.left() < view.left():
                shift = QPoint(-rect.left(), 0)
            elif edge == "top" and rect.top() < view.top():
                shift = QPoint(0, -rect.top())
            elif edge == "bottom" and rect.bottom() > view.bottom():
                shift = QPoint(0, view.bottom() - rect.bottom())
            else:
                continue
            strips.append((group, rect.translated(shift), shift))
        return strips

    def _paint_strips(self, painter: QPainter) -> None:
        """Paint the names of rows and columns that were scrolled out at the edges where they were."""
        strips = self._strips() if self._progress >= 1.0 else []
        transform = self.viewportTransform()
        for place, (group, rect, shift) in enumerate(strips):
            painter.save()
            painter.resetTransform()
            visible = QRegion(rect)
            for _, other, _ in strips[:place]:
                visible -= QRegion(other)
            painter.setClipRegion(visible)
            painter.fillRect(rect, QColor(self.brush.theme.colour("background")))
            painter.setPen(QColor(self.brush.theme.colour("hairline")))
            painter.drawRect(rect.adjusted(-1, -1, 0, 0))
            painter.translate(shift)
            painter.setTransform(transform, True)
            self.brush.shapes(painter, group.shapes)
            painter.restore()

    def _beside(self, place: QPoint, lens: Drawing) -> QPointF:
        """Return where a card beside the mouse has room."""
        width, height = lens.width * self.text_scale, lens.height * self.text_scale
        view = self.viewport().rect()
        x = place.x() + 20.0 if place.x() + 20 + width < view.width() else place.x() - 20 - width
        y = place.y() + 20.0 if place.y() + 20 + height < view.height() else place.y() - 20 - height
        return QPointF(max(4.0, x), max(4.0, y))

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        # What is fixed to the view must not be scrolled with the picture.
        if self.drawing is not None and self.drawing.pins:
            self.viewport().update()
        self._legend.update()

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


def _words(drawing: Drawing) -> list[tuple[Subject, Text]]:
    """Return the words of a drawing, the first place of each."""
    found: dict[Subject, Text] = {}
    for shape in drawing.shapes:
        word = _word_of(shape)
        if word is not None and isinstance(shape, Text):
            found.setdefault(word, shape)
    return list(found.items())


def _moved(region: Region, before: Drawing | None) -> bool:
    """Return whether a thing was somewhere else in the drawing before, or not in it."""
    old = before.regions.get(region.id) if before is not None else None
    return old is None or old.bounds != region.bounds


def _rubber(start: Point, end: Point) -> list[Shape]:
    """Return the arrow that follows the mouse."""
    top = min(start[1], end[1]) - 24
    curve = Curve(start, ((start[0], top, end[0], top, end[0], end[1]),), "accent", 2.0, "dash")
    return [curve, arrow_head(end[0], end[1], 1.0, "accent")]


# The widget that shows a drawing: hover, selection, dragging, keyboard, and a text twin for screen readers.
#
# Signals carry ids (:mod:`explorer.pictures.drawing`); what is set from outside by :meth:`Canvas.select` and
# :meth:`Canvas.highlight` is not signalled back, so that pictures can be linked with each other without echo.

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

    def __init__(self, metrics: QtMetrics | None = None, parent: QWidget | None = None) -> None:
        super().__init__(metrics, parent)
        self._pressed: tuple[QPoint, Subject | None] | None = None
        self._tip = ""
        # What the signs at a thing mean; whoever shows the picture knows.
        self.glosses_of: Callable[[Subject], Sequence[Gloss]] = lambda id: ()
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

    def at(self, place: QPoint) -> Subject | None:
        """Return what is at a place of the viewport."""
        if self.drawing is None:
            return None
        for _, strip, shift in self._strips():
            if strip.contains(place):
                place = place - shift
                break
        spot = self.mapToScene(place)
        # The hit area keeps its width on the screen when the picture is small.
        return self.drawing.at(spot.x(), spot.y(), HIT_WIDTH / 2 / min(1.0, self._total_scale))

    def _hover(self, found: Subject | None, place: QPoint | None = None) -> None:
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
        """Return what a thing is, then what its signs mean: the tool tip, and what a screen reader says."""
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

    def _target(self, place: QPoint, what: Subject) -> Subject | None:
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

    def _choose(self, found: Subject | None) -> None:
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

    def _set_current(self, found: Subject) -> None:
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
        best: Subject | None = None
        least = math.inf
        for region in self.drawing.regions.values():
            dx, dy = region.bounds.centre[0] - x, region.bounds.centre[1] - y
            along, aside = (dx * step[0], dy) if step[0] else (dy * step[1], dx)
            cost = along + 3 * abs(aside)
            if region.id != here.id and along > 1 and cost < least:
                best, least = region.id, cost
        if best is not None:
            self._set_current(best)
