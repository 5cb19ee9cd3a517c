"""What can be printed: pictures and texts, laid out for a size of paper and painted on its pages."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from explorer.appearance.fonts import QtMetrics
from explorer.canvas.painting import Brush
from explorer.export.page_layout import numbered
from explorer.export.paged_pdf import PAPER_SIZES, Page, Paper, paged_pdf, paint_page, paper_named
from explorer.graphics.drawing import Metrics
from explorer.graphics.theme import Theme

_TEXT_PIXELS = 13
_ABOVE_HEADING, _BELOW = 14.0, 7.0
"""Space over a heading, and under every paragraph."""
_WIDEST_IMAGE = 600.0
"""Pictures of a text are no wider than this, in pixels of 96 to the inch: as wide as its lines."""
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)[^)]*\)")

LayOut = Callable[[Paper, Metrics], tuple[Paper, list[Page]]]
"""Lays something out on upright paper, which it may turn."""


class Printout(ABC):
    """Something on pages of one size.

    Attributes
    ----------
    title
        What it is, for the printer's list and for the file.
    """

    title: str

    @abstractmethod
    def prepare(self, paper: str, metrics: Metrics) -> None:
        """Lay it out for a paper, by its name; takes a while, and may be called from another thread."""

    @abstractmethod
    def set_up(self, device: QPagedPaintDevice) -> None:
        """Set size and orientation of the paper."""

    @abstractmethod
    def paint(self, device: QPagedPaintDevice, theme: Theme, metrics: QtMetrics) -> None:
        """Paint all pages."""

    @abstractmethod
    def pdf(self, theme: Theme, metrics: QtMetrics) -> bytes:
        """The pages as a PDF file, fonts embedded."""


class PicturePrintout(Printout):
    """Drawings on pages.

    Parameters
    ----------
    title, lay_out
        What it is, and what lays it out.
    """

    def __init__(self, title: str, lay_out: LayOut) -> None:
        self.title = title
        self._lay_out = lay_out
        self._name = ""
        self.paper = Paper(1.0, 1.0)
        self.pages: list[Page] = []

    def prepare(self, paper: str, metrics: Metrics) -> None:
        """Lay the drawings out; once for each paper."""
        if paper != self._name:
            self.paper, self.pages = self._lay_out(paper_named(paper), metrics)
            self._name = paper

    def set_up(self, device: QPagedPaintDevice) -> None:
        """Set the paper, turned if the drawings want it so; they have margins of their own."""
        turned = self.paper.width > self.paper.height
        orientation = QPageLayout.Orientation.Landscape if turned else QPageLayout.Orientation.Portrait
        device.setPageLayout(QPageLayout(QPageSize(PAPER_SIZES[self._name]), orientation, QMarginsF()))

    def paint(self, device: QPagedPaintDevice, theme: Theme, metrics: QtMetrics) -> None:
        """Paint all pages, as large as the device has them."""
        painter = QPainter(device)
        brush = Brush(theme, metrics)
        for number, page in enumerate(self.pages):
            if number:
                device.newPage()
            fit_page(painter, device, self.paper)
            paint_page(painter, page, brush)
        painter.end()

    def pdf(self, theme: Theme, metrics: QtMetrics) -> bytes:
        """The pages as a PDF file."""
        return paged_pdf(self.pages, self.paper, self.title, theme, metrics)


class TextPrintout(Printout):
    """A text with its tables and pictures, in lines of the paper's width.

    Parameters
    ----------
    title
        What it is.
    fill
        Writes it into a document, in the colours of a theme.
    """

    def __init__(self, title: str, fill: Callable[[QTextDocument, Theme], None]) -> None:
        self.title = title
        self._fill = fill
        self._name = ""

    def prepare(self, paper: str, metrics: Metrics) -> None:
        """Remember the paper: lines are broken when it is painted."""
        self._name = paper

    def set_up(self, device: QPagedPaintDevice) -> None:
        """Set the paper; the document has margins of its own."""
        size = QPageSize(PAPER_SIZES[self._name])
        device.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))

    def paint(self, device: QPagedPaintDevice, theme: Theme, metrics: QtMetrics) -> None:
        """Paint all pages, each with its number."""
        paper = paper_named(self._name)
        document = QTextDocument()
        document.setDocumentMargin(0)
        # In pixels, as drawings are: points would depend on the screen.
        font = QFont(metrics.font("label"))
        font.setPixelSize(_TEXT_PIXELS)
        document.setDefaultFont(font)
        self._fill(document, theme)
        _blacken(document, QColor(theme.colour("ink")))
        document.setPageSize(QSizeF(paper.inner_width, paper.inner_height))
        layout, context = document.documentLayout(), QAbstractTextDocumentLayout.PaintContext()
        painter = QPainter(device)
        count = document.pageCount()
        for number in range(count):
            if number:
                device.newPage()
            fit_page(painter, device, paper)
            painter.save()
            painter.translate(paper.margin, paper.margin - number * paper.inner_height)
            shown = QRectF(0, number * paper.inner_height, paper.inner_width, paper.inner_height)
            painter.setClipRect(shown)
            context.clip = shown
            layout.draw(painter, context)
            painter.restore()
            (foot,) = numbered([[]] * count, paper, metrics, self.title)[number]
            paint_page(painter, (foot,), Brush(theme, metrics))
        painter.end()

    def pdf(self, theme: Theme, metrics: QtMetrics) -> bytes:
        """The pages as a PDF file."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(self.title)
        writer.setCreator("Parse Explorer")
        writer.setResolution(300)
        self.set_up(writer)
        self.paint(writer, theme, metrics)
        # The file is written to its end when its writer goes.
        del writer
        return bytes(buffer.data().data())


def fit_page(painter: QPainter, device: QPagedPaintDevice, paper: Paper) -> None:
    """Have the painter count in pixels of a drawing from the upper left corner of the paper."""
    painter.resetTransform()
    whole = device.pageLayout().fullRectPixels(device.logicalDpiX())
    inner = device.pageLayout().paintRectPixels(device.logicalDpiX())
    # Where a printer cannot print to the edge, its device begins at its own margin.
    painter.translate(whole.x() - inner.x(), whole.y() - inner.y())
    painter.scale(whole.width() / paper.width, whole.width() / paper.width)


def markdown_printout(title: str, text: str, folder: Path) -> TextPrintout:
    """A page of Markdown whose pictures lie in a folder."""

    def fill(document: QTextDocument, theme: Theme) -> None:
        document.setMarkdown(text)
        for name in set(_IMAGE.findall(text)):
            image = QImage(str(folder / name))
            if not image.isNull():
                image.setDevicePixelRatio(max(1.0, image.width() / _WIDEST_IMAGE))
                document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), image)
        _space(document)

    return TextPrintout(title, fill)


def _space(document: QTextDocument) -> None:
    """Leave room around paragraphs and headings."""
    block = document.begin()
    while block.isValid():
        shape = block.blockFormat()
        shape.setTopMargin(_ABOVE_HEADING if shape.headingLevel() else 0.0)
        in_list = shape.objectIndex() >= 0
        shape.setBottomMargin(_BELOW / 3 if in_list else _BELOW)
        QTextCursor(block).mergeBlockFormat(shape)
        block = block.next()


def _blacken(document: QTextDocument, ink: QColor) -> None:
    """Write in ink what has no colour of its own, which would be the window's, and links, which lead nowhere."""
    plain = QTextCharFormat()
    plain.setForeground(ink)
    plain.setFontUnderline(False)
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        cursor.mergeBlockCharFormat(plain)
        found = []
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            shape = piece.charFormat()
            if shape.isAnchor() or not shape.hasProperty(QTextFormat.Property.ForegroundBrush.value):
                found.append((piece.position(), piece.position() + piece.length()))
            pieces += 1
        for start, end in found:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(plain)
        block = block.next()
