"""Paints display lists with Qt."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from explorer.drawing import Box, Drawing, Line, Path, Rect, Shape, Text
from explorer.fonts import QtMetrics
from explorer.theme import Theme

_DASHES = {
    "solid": Qt.PenStyle.SolidLine,
    "dash": Qt.PenStyle.CustomDashLine,
    "dot": Qt.PenStyle.CustomDashLine,
}
DASH_PATTERNS = {"solid": (), "dash": (4.0, 3.0), "dot": (1.0, 2.5)}
"""Lengths of dashes and the spaces between them, in units of the line's weight."""


@lru_cache(maxsize=4096)
def _pen(theme: Theme, role: str, weight: float, dash: str) -> QPen:
    if not role:
        return QPen(Qt.PenStyle.NoPen)
    pen = QPen(QColor(theme.colour(role)), weight, _DASHES[dash], Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
    if dash != "solid":
        pen.setDashPattern(list(DASH_PATTERNS[dash]))
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

    def shapes(
        self, painter: QPainter, shapes: Iterable[Shape], role: str | None = None, heavier: float = 0.0
    ) -> None:
        """Paint shapes; given a role, all in that one (as a highlight), lines heavier by so much."""
        theme = self.theme
        for shape in shapes:
            kind = type(shape)
            if kind is Text:
                self._text(painter, shape, role)  # type: ignore[arg-type]
            elif kind is Box:
                assert isinstance(shape, Box)
                painter.setPen(_pen(theme, role or shape.role, shape.weight + heavier, shape.dash))
                painter.setBrush(_brush(theme, "" if role else shape.fill))
                rect = QRectF(shape.x, shape.y, shape.width, shape.height)
                if shape.radius:
                    painter.drawRoundedRect(rect, shape.radius, shape.radius)
                else:
                    painter.drawRect(rect)
            elif kind is Line:
                assert isinstance(shape, Line)
                painter.setPen(_pen(theme, role or shape.role, shape.weight + heavier, shape.dash))
                painter.drawLine(QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2))
            else:
                assert isinstance(shape, Path)
                painter.setPen(_pen(theme, (role or shape.role) if shape.role else "", shape.weight + heavier, shape.dash))
                painter.setBrush(_brush(theme, (role or shape.fill) if shape.fill else ""))
                painter.drawPath(_path(shape.start, shape.segments, bool(shape.fill)))

    def _text(self, painter: QPainter, shape: Text, role: str | None) -> None:
        x = shape.x
        if shape.anchor != "start":
            width = self.metrics.width(shape.text, shape.style)
            x -= width / 2 if shape.anchor == "middle" else width
        painter.setFont(self.metrics.font(shape.style))
        painter.setPen(_pen(self.theme, role or shape.role, 1.0, "solid"))
        painter.drawText(QPointF(x, shape.y), shape.text)
