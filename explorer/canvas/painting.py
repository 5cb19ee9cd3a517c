"""Paints display lists with Qt; a layer of a view as one graphics item."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import TOP, Box, Drawing, Group, Rect, Shape, Stroke, Text
from explorer.pictures.theme import Theme
from explorer.pictures.vector import DASH_LENGTHS

# Paints display lists with Qt.


@lru_cache(maxsize=4096)
def _pen(theme: Theme, role: str, weight: float, dash: str) -> QPen:
    if not role:
        return QPen(Qt.PenStyle.NoPen)
    pen = QPen(
        QColor(theme.colour(role)), weight, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin
    )
    if dash != "solid":
        pen.setDashPattern(list(DASH_LENGTHS[dash]))
    return pen


@lru_cache(maxsize=4096)
def _brush(theme: Theme, role: str) -> QBrush:
    return QBrush(QColor(theme.colour(role))) if role else QBrush(Qt.BrushStyle.NoBrush)


@lru_cache(maxsize=2048)
def _path(start: tuple[float, float], segments: tuple[tuple[float, ...], ...], closed: bool) -> QPainterPath:
    path = QPainterPath(QPointF(*start))
    for segment in segments:
        if len(segment) == 2:
            path.lineTo(*segment)
        else:
            path.cubicTo(*segment)
    if closed:
        path.closeSubpath()
    return path


class Brush:
    """Paints shapes in one theme with one typeface."""

    def __init__(self, theme: Theme, metrics: QtMetrics) -> None:
        self.theme = theme
        self.metrics = metrics

    def paint(self, painter: QPainter, drawing: Drawing, exposed: Rect | None = None) -> None:
        """Paint a drawing, or what of it lies in a rectangle."""
        for group in drawing.groups:
            if exposed is None or group.bounds.overlaps(exposed):
                self.shapes(painter, group.shapes)

    def shapes(self, painter: QPainter, shapes: Iterable[Shape], role: str | None = None, heavier: float = 0.0) -> None:
        """Paint shapes; given a role, all in that one (as a highlight), lines heavier by so much."""
        theme = self.theme
        for shape in shapes:
            if isinstance(shape, Text):
                self._text(painter, shape, role)
            elif isinstance(shape, Box):
                edge = role or shape.role
                # A pill keeps its ground, or the lighted line would run through its text.
                fill = shape.fill if not role or shape.layer >= TOP else ""
                if not edge and not fill:
                    continue
                if not edge and not shape.radius:
                    painter.fillRect(QRectF(shape.x, shape.y, shape.width, shape.height), _brush(theme, fill))
                    continue
                painter.setPen(_pen(theme, edge, shape.weight + heavier, shape.dash))
                painter.setBrush(_brush(theme, fill))
                if shape.radius:
                    painter.drawRoundedRect(
                        QRectF(shape.x, shape.y, shape.width, shape.height), shape.radius, shape.radius
                    )
                else:
                    painter.drawRect(QRectF(shape.x, shape.y, shape.width, shape.height))
            elif isinstance(shape, Stroke):
                painter.setPen(_pen(theme, role or shape.role, shape.weight + heavier, shape.dash))
                painter.drawLine(QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2))
            else:
                edge = (role or shape.role) if shape.role else ""
                painter.setPen(_pen(theme, edge, shape.weight + heavier, shape.dash))
                painter.setBrush(_brush(theme, (role or shape.fill) if shape.fill else ""))
                painter.drawPath(_path(shape.start, shape.segments, bool(shape.fill)))

    def card(
        self, painter: QPainter, groups: Iterable[Group], bounds: Rect, place: QPointF, scale: float = 1.0
    ) -> None:
        """Paint shapes on a card that lies over the picture, at a place of the view."""
        painter.save()
        painter.resetTransform()
        painter.translate(place)
        painter.scale(scale, scale)
        painter.setPen(QColor(self.theme.colour("hairline")))
        painter.setBrush(QColor(self.theme.colour("background")))
        painter.drawRoundedRect(QRectF(0, 0, bounds.width, bounds.height), 4, 4)
        painter.translate(-bounds.x, -bounds.y)
        for group in groups:
            self.shapes(painter, group.shapes)
        painter.restore()

    def _text(self, painter: QPainter, shape: Text, role: str | None) -> None:
        x = 0.0
        if shape.anchor != "start":
            width = self.metrics.width(shape.text, shape.style)
            x -= width / 2 if shape.anchor == "middle" else width
        painter.setFont(self.metrics.font(shape.style, shape.text))
        # Type on a colour must stand out from that, lighted or not.
        ink = shape.role if role is None or shape.role.startswith("on:") else role
        painter.setPen(_pen(self.theme, ink, 1.0, "solid"))
        if not shape.turned:
            painter.drawText(QPointF(shape.x + x, shape.y), shape.text)
            return
        painter.save()
        painter.translate(shape.x, shape.y)
        painter.rotate(-90)
        painter.drawText(QPointF(x, 0), shape.text)
        painter.restore()


# One layer of a view as one graphics item: whatever it consists of, a function paints it.


def qt_rect(rect: Rect) -> QRectF:
    """Return a rectangle of a drawing as Qt has it."""
    return QRectF(*rect)


class LayerItem(QGraphicsItem):
    """Calls `paint_exposed` with what is to be painted anew; layers of a higher `z` lie on top."""

    def __init__(self, paint_exposed: Callable[[QPainter, Rect], None], z: float = 0.0) -> None:
        super().__init__()
        self._paint_exposed = paint_exposed
        self._bounds = QRectF()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def change(self, bounds: Rect) -> None:
        """Show something else, within these bounds."""
        self.prepareGeometryChange()
        self._bounds = qt_rect(bounds)
        self.update()

    def boundingRect(self) -> QRectF:
        """Return where it paints."""
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint what is exposed."""
        rect = option.exposedRect
        self._paint_exposed(painter, Rect(rect.x(), rect.y(), rect.width(), rect.height()))
