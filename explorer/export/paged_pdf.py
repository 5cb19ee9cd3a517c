"""Drawings on pages of paper, as a PDF file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QLocale, QMarginsF, QSizeF
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter

from explorer.appearance.fonts import QtMetrics
from explorer.canvas.painting import Brush
from explorer.graphics.drawing import Drawing
from explorer.graphics.theme import LIGHT, Theme

_POINTS_PER_PIXEL = 0.75
_DPI = 1200
_MARGIN = 56.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper.

    Attributes
    ----------
    width, height
        In pixels of a drawing at 100 %, 96 to the inch.
    margin
        What stays empty at each edge.
    """

    width: float
    height: float
    margin: float = _MARGIN

    @property
    def inner_width(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def inner_height(self) -> float:
        """The height between the margins."""
        return self.height - 2 * self.margin

    def turned(self) -> Paper:
        """The same paper, turned by 90°."""
        return replace(self, width=self.height, height=self.width)

    def fitting(self, drawing: Drawing) -> float:
        """The scale, 1 at most, at which a drawing fits on the page."""
        return min(1.0, self.inner_width / drawing.width, self.inner_height / drawing.height)


class PlacedDrawing(NamedTuple):
    """A drawing, where its upper left corner stands on the page, and its scale."""

    drawing: Drawing
    x: float
    y: float
    scale: float


Page = tuple[PlacedDrawing, ...]
"""All that stands on one page."""


A4, LETTER = "a4", "letter"
PAPER_TITLES = {A4: "A4", LETTER: "Letter"}
"""The sizes of paper by their names, as dialogs show them."""
PAPER_SIZES = {A4: QPageSize.PageSizeId.A4, LETTER: QPageSize.PageSizeId.Letter}

PRINTED = replace(LIGHT, name="printed", title="Colours", colours={**LIGHT.colours, "background": "#ffffff"})
"""The colours of what is printed: those of the light theme on plain white, whatever the window looks like."""


def usual_paper_name() -> str:
    """The paper of this user's country: Letter in the United States and wherever inches are used as there, else A4."""
    inches = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return LETTER if inches else A4


def paper_named(name: str) -> Paper:
    """One of :data:`PAPER_TITLES`."""
    points = QPageSize(PAPER_SIZES[name]).size(QPageSize.Unit.Point)
    return Paper(points.width() / _POINTS_PER_PIXEL, points.height() / _POINTS_PER_PIXEL)


def usual_paper() -> Paper:
    """The paper of this user's country."""
    return paper_named(usual_paper_name())


def paged_pdf(pages: Sequence[Page], paper: Paper, title: str, theme: Theme, metrics: QtMetrics) -> bytes:
    """Pages as a PDF file, fonts embedded."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Parse Explorer")
    writer.setResolution(_DPI)
    points = QSizeF(paper.width * _POINTS_PER_PIXEL, paper.height * _POINTS_PER_PIXEL)
    size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    brush = Brush(theme, metrics)
    for number, page in enumerate(pages):
        if number:
            writer.newPage()
        painter.resetTransform()
        painter.fillRect(0, 0, writer.width(), writer.height(), QColor(theme.colour("background")))
        painter.scale(_POINTS_PER_PIXEL * _DPI / 72, _POINTS_PER_PIXEL * _DPI / 72)
        paint_page(painter, page, brush)
    painter.end()
    return bytes(buffer.data().data())


def paint_page(painter: QPainter, page: Page, brush: Brush) -> None:
    """Paint what stands on a page, in pixels of a drawing at 100 %."""
    for part in page:
        painter.save()
        painter.translate(part.x, part.y)
        painter.scale(part.scale, part.scale)
        painter.translate(-part.drawing.bounds.x, -part.drawing.bounds.y)
        brush.paint(painter, part.drawing)
        painter.restore()
