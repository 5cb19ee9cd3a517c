"""Parses as files: pictures as SVG, PDF, PNG and TikZ in any theme, text in any of the engine's formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData
from PySide6.QtGui import QColor, QImage, QPainter

from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.common.files import replaced, write_whole
from explorer.canvas.painting import Brush
from explorer.kit.fonts import QtMetrics
from explorer.output.pages import Paper, PlacedDrawing, paged_pdf
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.layout import UNLIMITED, Room
from explorer.pictures.theme import Theme, on_white
from explorer.pictures.vector import svg_text, tikz_text
from explorer.stages.stages import pictures

if TYPE_CHECKING:
    from engine.export.format import Format


# Pictures as files and on the clipboard: SVG, PDF, PNG and TikZ, in any theme.

PICTURE_FORMATS = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG", ".tex": "TikZ for LaTeX"}
"""By the ending of a file its title."""
MOST_PIXELS = 100_000_000


class ExportError(Exception):
    """A picture that could not be written: one sentence that says why."""


def save_picture(
    drawing: Drawing, path: str | os.PathLike[str], theme: Theme, scale: float = 1.0, metrics: QtMetrics | None = None
) -> Path:
    """Write a picture, its format by the file's ending (svg, pdf, png, tex).

    The file is written beside its place and renamed into it: a failure leaves what was there.
    """
    target = Path(path)
    form = target.suffix.lower()
    if form not in PICTURE_FORMATS:
        raise ExportError(f"{target}: a picture's name ends in {', '.join(PICTURE_FORMATS)}")
    if not 0.05 <= scale <= 20:
        raise ExportError(f"a scale of {scale:g} cannot be drawn; choose one from 0.05 to 20")
    metrics = metrics or QtMetrics()
    makers: dict[str, Callable[[], bytes]] = {
        ".svg": lambda: svg_text(drawing, theme, scale, metrics.family).encode(),
        ".tex": lambda: tikz_text(drawing, theme).encode(),
        ".pdf": lambda: pdf_bytes(drawing, theme, scale, metrics),
        ".png": lambda: png_bytes(drawing, theme, scale, metrics),
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
    """The picture as a PDF file of one page of its size, on white if the colours are light, fonts embedded."""
    page = (PlacedDrawing(drawing, 0.0, 0.0, scale),)
    paper = Paper(drawing.width * scale, drawing.height * scale)
    return paged_pdf([page], paper, drawing.title, on_white(theme), metrics or QtMetrics())


def clipboard_data(drawing: Drawing, theme: Theme, scale: float = 2.0, metrics: QtMetrics | None = None) -> QMimeData:
    """The picture for pasting anywhere: as image, as SVG, and as its text twin."""
    data = QMimeData()
    data.setImageData(image_of(drawing, theme, scale, metrics))
    data.setData("image/svg+xml", QByteArray(svg_text(drawing, theme, 1.0, (metrics or QtMetrics()).family).encode()))
    data.setText(drawing.text_twin)
    return data


# Parses as files: a picture of any stage or text in any of the engine's formats, by the file's ending.

_IMAGE_SCALE = 2.0
"""An image has pixels enough for today's screens and for print where nothing else is wanted."""


def usual_scale(suffix: str) -> float:
    """The scale of a picture in a file with this ending, where none is named."""
    return _IMAGE_SCALE if suffix.lower() == ".png" else 1.0


def picture(parse: Parse, what: str, metrics: Metrics, room: Room = UNLIMITED) -> Drawing:
    """One of :func:`explorer.stages.stages.pictures`, by its name, laid out for so much room."""
    return pictures()[what].draw(parse, metrics, room=room)


def text_formats() -> Mapping[str, Format]:
    """The engine's text formats by name: each has a title, a suffix and ``write(parse)``."""
    # Imported when it is needed: a start does not wait for what it does not show.
    from engine.export import FORMATS

    return FORMATS


def format_of(path: Path, name: str = "") -> str:
    """The text format for a file: the one that is named, or the first with the file's ending; empty if none."""
    formats = text_formats()
    if name:
        if name not in formats:
            raise EngineError(f"there is no format `{name}`; choose one of {', '.join(formats)}")
        return name
    suffix = path.suffix.lower()
    if suffix in PICTURE_FORMATS:
        return ""
    return next((name for name, form in formats.items() if form.suffix == suffix), "")


def write_parse(
    parse: Parse, path: Path, theme: Theme, what: str = "parse", scale: float | None = None, name: str = ""
) -> None:
    """Write one parse to a file, as picture or text by its ending; raise :class:`EngineError` in one sentence."""
    scale = usual_scale(path.suffix) if scale is None else scale
    form = format_of(path, name)
    if form:
        write_texts([parse], path, form)
    else:
        check_ending(path)
        metrics = QtMetrics()
        write_drawing(picture(parse, what, metrics), path, theme, scale, metrics)


def write_texts(parses: Iterable[Parse], path: Path, name: str) -> None:
    """Write parses to a file in one of the text formats: of each sentence one, whatever else was found for it."""
    form = text_formats()[name]
    write_whole(path, form.frame([form.piece(parse.alone()) for parse in parses]).encode())


def check_ending(path: Path) -> None:
    """Raise :class:`EngineError` if a file's ending stands for neither a picture nor text."""
    known = {*PICTURE_FORMATS, *(form.suffix for form in text_formats().values())}
    if path.suffix.lower() not in known:
        raise EngineError(f"{path}: the ending says what to write; choose one of {' '.join(sorted(known))}")


def write_drawing(drawing: Drawing, path: Path, theme: Theme, scale: float, metrics: QtMetrics) -> None:
    """Write a picture to a file."""
    try:
        save_picture(drawing, path, theme, scale, metrics)
    except ExportError as error:
        raise EngineError(str(error)) from error
