"""One layer of a view as one graphics item: whatever it consists of, a function paints it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from explorer.graphics.drawing import Rect


def qt_rect(rect: Rect) -> QRectF:
    """A rectangle of a drawing as Qt has it."""
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
        """Where it paints."""
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint what is exposed."""
        rect = option.exposedRect
        self._paint_exposed(painter, Rect(rect.x(), rect.y(), rect.width(), rect.height()))
