"""Printing: what is printed, the printer's dialog, and a preview; loaded when it is asked for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSignalBlocker, QSizeF, Qt, QUrl
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
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrintPreviewWidget
from PySide6.QtWidgets import QDialog, QWidget

from engine.common.files import write_whole
from explorer.canvas.painting import Brush
from explorer.kit.controls import filled, holder, in_column, in_row, push_button, told
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import PDF
from explorer.kit.fonts import QtMetrics, SharedMetrics
from explorer.kit.forms import Choice, Form, FormField
from explorer.kit.messages import Messages, outcome_of_writing, problem_text
from explorer.kit.tasks import Worker
from explorer.output.pages import (
    PAPER_SIZES,
    PAPER_TITLES,
    PRINTED,
    Page,
    Paper,
    numbered,
    paged_pdf,
    paint_page,
    paper_named,
    pdf_file,
    usual_paper_name,
)
from explorer.pictures.drawing import Metrics
from explorer.pictures.theme import COLOURLESS, Theme
from explorer.session.preferences import Preferences

# What can be printed: pictures and texts, laid out for a size of paper and painted on its pages.

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

        def paint(writer: QPdfWriter) -> None:
            self.set_up(writer)
            self.paint(writer, theme, metrics)

        return pdf_file(self.title, 300, paint)


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


# Printing: the printer's dialog, and a preview in which paper and colours are chosen; loaded when it is asked for.

PAPER, COLOURS = "print/paper", "print/colours"
"""What is remembered: the size of paper, and whether colours are printed."""
_THEMES = {PRINTED.name: PRINTED, COLOURLESS.name: COLOURLESS}
_TITLES = {PRINTED.name: "Colours", COLOURLESS.name: "Grey"}
_FORM_WIDTH = 300
_SIZE = (1000, 760)


def chosen_paper(preferences: Preferences) -> str:
    """The paper that was chosen last, or that of this user's country."""
    name = preferences.text(PAPER)
    return name if name in PAPER_TITLES else usual_paper_name()


def chosen_theme(preferences: Preferences, default: Theme = PRINTED) -> Theme:
    """The colours that were chosen last."""
    return _THEMES.get(preferences.text(COLOURS), default)


def open_print_dialog(printout: Printout, theme: Theme, messages: Messages, parent: QWidget) -> QPrintDialog:
    """Ask for a printer; once one is chosen, print what has been laid out."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(printout.title)
    printer.setFullPage(True)
    printout.set_up(printer)

    def send() -> None:
        # Size and orientation are those that it was laid out for, whatever else was chosen.
        printout.set_up(printer)
        printout.paint(printer, theme, QtMetrics())
        messages.show("Printed")

    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle("Print")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(send)
    dialog.setModal(True)
    dialog.show()
    return dialog


class PrintPreview(QDialog):
    """Shows the pages before they are printed, or saved as PDF.

    Parameters
    ----------
    title
        What the window is called.
    printouts
        What can be shown, the first of them at first; more can be set later.
    preferences, messages
        Paper and colours of the last time, and where messages are shown.
    parent
        The window over which it opens.

    Attributes
    ----------
    fields, rows
        What can be chosen, and where it stands.
    """

    default_theme = PRINTED
    """The colours until some are chosen."""

    def __init__(
        self, title: str, printouts: Sequence[Printout], preferences: Preferences, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName("print-preview")
        self._preferences = preferences
        self._messages = messages
        self._printouts = list(printouts)
        self._shown: Printout | None = None
        self._metrics = SharedMetrics()
        self._worker = Worker("print", newest_only=True, parent=self)
        self._printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
        self._printer.setFullPage(True)
        self.preview = QPrintPreviewWidget(self._printer)
        self.preview.setAccessibleName("Preview of the pages")
        self.preview.paintRequested.connect(self._paint)
        fields = (
            *self.own_fields(),
            Choice("what", "What", choices=dict(enumerate(one.title for one in printouts))),
            Choice("paper", "Paper", choices=PAPER_TITLES),
            Choice("colours", "Colours", choices=_TITLES),
        )
        self.fields = Form(fields, preferences, self)
        self.fields.show(paper=chosen_paper(preferences), colours=chosen_theme(preferences, self.default_theme).name)
        self.note = told("", "quiet")
        self.rows = self.fields.rows(spacing=(12, 8))
        self.print_button = push_button("Print …", "", self.print_pages)
        self.save_button = push_button("Save as PDF …", "", self.save)
        buttons = (self.print_button, self.save_button, push_button("Close", "", self.reject))
        for button in buttons:
            button.setAutoDefault(False)
        left = holder(in_column(self.rows, self.note, None, *buttons))
        left.setFixedWidth(_FORM_WIDTH)
        self.setLayout(in_row(left, (self.preview, 1)))
        self.resize(*_SIZE)
        for name, chosen in (("what", self.refresh), ("paper", self._choose_paper), ("colours", self._choose_colours)):
            self.fields[name].currentIndexChanged.connect(lambda _, chosen=chosen: chosen())
        self.preview.fitInView()
        if printouts:
            self.refresh()

    def own_fields(self) -> Sequence[FormField]:
        """What else can be chosen, above all other fields."""
        return ()

    @property
    def theme(self) -> Theme:
        """The colours that are chosen."""
        return _THEMES[self.fields.value("colours")]

    @property
    def printout(self) -> Printout | None:
        """What is chosen."""
        place = self.fields.value("what")
        return self._printouts[place] if place is not None else None

    @property
    def settled(self) -> bool:
        """Whether the pages that are shown are those that are chosen."""
        return self._worker.idle and self._shown is self.printout

    def set_printouts(self, printouts: Sequence[Printout]) -> None:
        """Show something else."""
        with QSignalBlocker(self.fields["what"]):
            self._printouts = list(printouts)
            filled(self.fields["what"], dict(enumerate(one.title for one in printouts)))
        self.refresh()

    def refresh(self) -> None:
        """Lay the pages out anew, in a thread."""
        printout, paper = self.printout, str(self.fields.value("paper"))
        self._ready(False)
        if printout is None:
            return
        self.note.setText("The pages are being laid out …")

        def lay_out(job: object) -> Printout:
            printout.prepare(paper, self._metrics)
            return printout

        self._worker.request(lay_out, self._show, self._failed)

    def _show(self, printout: Printout) -> None:
        self._shown = printout
        printout.set_up(self._printer)
        self.preview.updatePreview()
        pages = self.preview.pageCount()
        self.note.setText(f"{pages} page" + ("" if pages == 1 else "s"))
        self._ready(True)

    def _failed(self, error: Exception) -> None:
        self._shown = None
        self.note.setText(problem_text(error))
        self.preview.updatePreview()

    def _ready(self, ready: bool) -> None:
        self.print_button.setEnabled(ready)
        self.save_button.setEnabled(ready)

    def _paint(self, printer: QPrinter) -> None:
        if self._shown is not None:
            self._shown.paint(printer, self.theme, QtMetrics())

    def _choose_paper(self) -> None:
        self._preferences.keep(PAPER, self.fields.value("paper"))
        self.refresh()

    def _choose_colours(self) -> None:
        self._preferences.keep(COLOURS, self.fields.value("colours"))
        self.preview.updatePreview()

    def print_pages(self) -> None:
        """Ask for a printer, and print."""
        if self._shown is not None:
            open_print_dialog(self._shown, self.theme, self._messages, self)

    def save(self) -> None:
        """Ask for a file, and write the pages there."""
        if path := ask_save(self, self._preferences, "Save as PDF", "pages.pdf", PDF):
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the pages to a PDF file; what went wrong is said beside them."""
        if (shown := self._shown) is not None:
            pages = partial(shown.pdf, self.theme, QtMetrics())
            self.note.setText(outcome_of_writing(path, lambda: write_whole(path, pages())))

    def done(self, result: int) -> None:
        """Stop what is under way."""
        self._worker.stop()
        super().done(result)
