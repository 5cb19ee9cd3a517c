"""Icons: single-colour strokes in SVG, drawn in the theme's ink."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from explorer.appearance.bundled_files import icon_file

SIZES = (16, 20, 32, 40, 64)
_INK = "#000000"


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str) -> QIcon:
    """The icon of this name in these colours; an empty one if there is no such file."""
    made = QIcon()
    path = icon_file(name)
    if not path.is_file():
        return made
    source = path.read_text(encoding="utf-8")
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(source.replace(_INK, ink).encode()))
        for size in SIZES:
            pixmap = QPixmap(QSize(size, size))
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, size, size))
            painter.end()
            made.addPixmap(pixmap, mode)
    return made
