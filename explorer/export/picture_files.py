"""Pictures as files and on the clipboard: SVG, PDF, PNG and TikZ, in any theme."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QMimeData, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from engine.common.files import replaced
from explorer.appearance.fonts import QtMetrics
from explorer.canvas.painting import Brush
from explorer.graphics.drawing import Drawing
from explorer.graphics.theme import Theme
from explorer.graphics.vector import svg_text, tikz_text

FORMATS = {
    "svg": "Scalable vector graphics",
    "pdf": "Portable document format",
    "png": "Image",
    "tex": "TikZ picture for LaTeX",
}
MOST_PIXELS = 100_000_000
_POINTS_PER_PIXEL = 0.75
_PDF_DPI = 1200


class ExportError(Exception):
    """A picture that could not be written: one sentence that says why."""


def save_picture(
    drawing: Drawing, path: str | os.PathLike[str], theme: Theme, scale: float = 1.0, metrics: QtMetrics | None = None
) -> Path:
    """Write a picture, its format by the file's ending (svg, pdf, png, tex).

    The file is written beside its place and renamed into it: a failure leaves what was there.
    """
    target = Path(path)
    form = target.suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise ExportError(f"{target}: a picture's name ends in {', '.join('.' + name for name in FORMATS)}")
    if not 0.05 <= scale <= 20:
        raise ExportError(f"a scale of {scale:g} cannot be drawn; choose one from 0.05 to 20")
    metrics = metrics or QtMetrics()
    makers: dict[str, Callable[[], bytes]] = {
        "svg": lambda: svg_text(drawing, theme, scale, metrics.family).encode(),
        "tex": lambda: tikz_text(drawing, theme).encode(),
        "pdf": lambda: pdf_bytes(drawing, theme, scale, metrics),
        "png": lambda: png_bytes(drawing, theme, scale, metrics),
    }
    content = makers[form]()
    with replaced(target, ExportError) as beside:
        beside.write_bytes(content)
    return target


def image_of(drawing: Drawing, theme: Theme, scale: float = 1.0, metrics: QtMetrics | None = None) -> QImage:
    """The picture as pixels: its size at 100 % times the scale."""
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    if width * height > MOST_PIXELS:
        raise ExportError(f"{width} × {height} pixels are too many for an image; choose a smaller scale, or SVG or PDF")
    image = QImage(max(width, 1), max(height, 1), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(theme.colour("background")))
    # Programs that heed it read the scale: the picture has its size on paper whatever its pixels.
    image.setDotsPerMeterX(round(96 / 0.0254 * scale))
    image.setDotsPerMeterY(round(96 / 0.0254 * scale))
    image.setText("Title", drawing.title)
    painter = QPainter(image)
    _paint(painter, drawing, theme, scale, metrics)
    painter.end()
    return image


def _paint(painter: QPainter, drawing: Drawing, theme: Theme, scale: float, metrics: QtMetrics | None) -> None:
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    painter.translate(-drawing.bounds.x, -drawing.bounds.y)
    Brush(theme, metrics or QtMetrics()).paint(painter, drawing)


def png_bytes(drawing: Drawing, theme: Theme, scale: float = 1.0, metrics: QtMetrics | None = None) -> bytes:
    """The picture as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image_of(drawing, theme, scale, metrics).save(buffer, "PNG"):  # type: ignore[call-overload]
        raise ExportError("the image could not be written as PNG")
    return bytes(buffer.data().data())


def pdf_bytes(drawing: Drawing, theme: Theme, scale: float = 1.0, metrics: QtMetrics | None = None) -> bytes:
    """The picture as a PDF file of one page of its size, fonts embedded."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(drawing.title)
    writer.setCreator("Parse Explorer")
    writer.setResolution(_PDF_DPI)
    points = QSizeF(drawing.width * scale * _POINTS_PER_PIXEL, drawing.height * scale * _POINTS_PER_PIXEL)
    size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    painter.fillRect(0, 0, writer.width(), writer.height(), QColor(theme.colour("background")))
    _paint(painter, drawing, theme, scale * _POINTS_PER_PIXEL * _PDF_DPI / 72, metrics)
    painter.end()
    return bytes(buffer.data().data())


def clipboard_data(drawing: Drawing, theme: Theme, scale: float = 2.0, metrics: QtMetrics | None = None) -> QMimeData:
    """The picture for pasting anywhere: as image, as SVG, and as its text twin."""
    data = QMimeData()
    data.setImageData(image_of(drawing, theme, scale, metrics))
    data.setData("image/svg+xml", QByteArray(svg_text(drawing, theme, 1.0, (metrics or QtMetrics()).family).encode()))
    data.setText(drawing.text_twin)
    return data
