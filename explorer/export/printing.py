"""Printing: the printer's dialog, and a preview in which paper and colours are chosen; loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrintPreviewWidget
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import write_whole
from explorer.appearance.fonts import QtMetrics
from explorer.appearance.shared_metrics import SharedMetrics
from explorer.document.messages import Messages
from explorer.document.preferences import Preferences
from explorer.export.paged_pdf import PAPER_TITLES, PRINTED, usual_paper_name
from explorer.export.printout import Printout
from explorer.graphics.theme import COLOURLESS, Theme
from explorer.tasks.worker import Worker

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
    """

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
        self.what = QComboBox()
        self.what.addItems([one.title for one in printouts])
        self.paper = QComboBox()
        for name, shown in PAPER_TITLES.items():
            self.paper.addItem(shown, name)
        self.paper.setCurrentIndex(self.paper.findData(chosen_paper(preferences)))
        self.colours = QComboBox()
        for name, shown in _TITLES.items():
            self.colours.addItem(shown, name)
        self.colours.setCurrentIndex(self.colours.findData(self.usual_theme().name))
        self.note = QLabel()
        self.note.setObjectName("quiet")
        self.note.setWordWrap(True)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(12)
        self.form.setVerticalSpacing(8)
        self.form.addRow("What", self.what)
        self.form.addRow("Paper", self.paper)
        self.form.addRow("Colours", self.colours)
        self.print_button = QPushButton("Print …")
        self.save_button = QPushButton("Save as PDF …")
        close = QPushButton("Close")
        column = QVBoxLayout()
        column.addLayout(self.form)
        column.addWidget(self.note)
        column.addStretch(1)
        for button, call in (
            (self.print_button, self.print_pages),
            (self.save_button, self.save),
            (close, self.reject),
        ):
            button.clicked.connect(lambda _=False, call=call: call())
            button.setAutoDefault(False)
            column.addWidget(button)
        left = QWidget()
        left.setLayout(column)
        left.setFixedWidth(_FORM_WIDTH)
        row = QHBoxLayout(self)
        row.addWidget(left)
        row.addWidget(self.preview, 1)
        self.resize(*_SIZE)
        self.what.currentIndexChanged.connect(lambda _: self.refresh())
        self.paper.currentIndexChanged.connect(lambda _: self._choose_paper())
        self.colours.currentIndexChanged.connect(lambda _: self._choose_colours())
        self.preview.fitInView()
        if printouts:
            self.refresh()

    def usual_theme(self) -> Theme:
        """The colours of the last time."""
        return chosen_theme(self._preferences)

    @property
    def theme(self) -> Theme:
        """The colours that are chosen."""
        return _THEMES[self.colours.currentData()]

    @property
    def printout(self) -> Printout | None:
        """What is chosen."""
        place = self.what.currentIndex()
        return self._printouts[place] if 0 <= place < len(self._printouts) else None

    @property
    def settled(self) -> bool:
        """Whether the pages that are shown are those that are chosen."""
        return self._worker.idle and self._shown is self.printout

    def set_printouts(self, printouts: Sequence[Printout]) -> None:
        """Show something else."""
        with QSignalBlocker(self.what):
            self.what.clear()
            self._printouts = list(printouts)
            self.what.addItems([one.title for one in printouts])
        self.refresh()

    def refresh(self) -> None:
        """Lay the pages out anew, in a thread."""
        printout, paper = self.printout, str(self.paper.currentData())
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
        self.note.setText(str(error)[:1].upper() + str(error)[1:])
        self.preview.updatePreview()

    def _ready(self, ready: bool) -> None:
        self.print_button.setEnabled(ready)
        self.save_button.setEnabled(ready)

    def _paint(self, printer: QPrinter) -> None:
        if self._shown is not None:
            self._shown.paint(printer, self.theme, QtMetrics())

    def _choose_paper(self) -> None:
        self._preferences.keep(PAPER, self.paper.currentData())
        self.refresh()

    def _choose_colours(self) -> None:
        self._preferences.keep(COLOURS, self.colours.currentData())
        self.preview.updatePreview()

    def print_pages(self) -> None:
        """Ask for a printer, and print."""
        if self._shown is not None:
            open_print_dialog(self._shown, self.theme, self._messages, self)

    def save(self) -> None:
        """Ask for a file, and write the pages there."""
        start = str(Path(self._preferences.text("folder")) / "pages.pdf")
        name, _ = QFileDialog.getSaveFileName(self, "Save as PDF", start, "*.pdf")
        if name:
            path = Path(name)
            self.write(path if path.suffix else path.with_suffix(".pdf"))

    def write(self, path: Path) -> None:
        """Write the pages to a PDF file; what went wrong is said beside them."""
        if self._shown is None:
            return
        try:
            write_whole(path, self._shown.pdf(self.theme, QtMetrics()))
        except EngineError as error:
            self.note.setText(str(error))
            return
        self.note.setText(f"Written to {path.name}")

    def done(self, result: int) -> None:
        """Stop what is under way."""
        self._worker.stop()
        super().done(result)
