"""Exporting and printing from a window: the actions, the dialog, the clipboard and files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QWidget,
)

from explorer.canvas.canvas import Canvas
from explorer.kit.actions import EDIT, FILE, action
from explorer.kit.appearance import appearance
from explorer.kit.controls import filled, in_column, padded, told
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import FileKind
from explorer.kit.fonts import QtMetrics
from explorer.kit.messages import Messages
from explorer.output.files import picture, text_formats, usual_scale, write_parse
from explorer.pictures.theme import THEMES
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.view_state import ViewState
from explorer.stages.stages import pictures, stage_named

# The export dialog: what to export, how, in which colours and how large.

FORMAT, THEME, SCALE, WHAT = "export-format", "export-theme", "export-scale", "export-what"
"""What is remembered of the dialog; of what was exported only what is not the picture of the stage."""
PICTURE_FORMATS = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG", ".tex": "TikZ for LaTeX"}
PICTURE_THEMES = ("light", "dark", "colourless")
_PIXELS_PER_CM = 96 / 2.54
_SIZE_UP_TO = 60
"""Words up to which it takes no time to tell how large a picture will be."""


def format_box(preferences: Preferences) -> QComboBox:
    """The formats of pictures to choose from, that of the last time chosen."""
    return filled(QComboBox(), PICTURE_FORMATS, preferences.text(FORMAT))


def theme_box(preferences: Preferences) -> QComboBox:
    """The colours of exported pictures to choose from, those of the last time chosen."""
    return filled(QComboBox(), {name: THEMES[name].title for name in PICTURE_THEMES}, preferences.text(THEME))


class ExportDialog(QDialog):
    """What to export, how, in which colours and how large."""

    def __init__(
        self, parses: ParseService, view: ViewState, preferences: Preferences, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parses = parses
        self._view = view
        self._preferences = preferences
        self._messages = messages
        self.setWindowTitle("Export")
        shown = {("picture", name): one.title for name, one in pictures().items()}
        written = {("text", name): f"As text: {form.title}" for name, form in text_formats().items()}
        self.what = filled(QComboBox(), shown | written)
        self.form, self.theme = format_box(preferences), theme_box(preferences)
        self.scale = padded(QDoubleSpinBox(minimum=0.25, maximum=8.0, singleStep=0.25, suffix=" ×"))
        rows = QFormLayout()
        rows.setHorizontalSpacing(12)
        rows.setVerticalSpacing(8)
        rows.addRow("What", self.what)
        rows.addRow("Format", self.form)
        rows.addRow("Colours", self.theme)
        rows.addRow("Scale", self.scale)
        self.size_note = told("", "quiet")
        self.size_note.setMinimumWidth(360)
        rows.addRow("", self.size_note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.setLayout(in_column(rows, buttons, margins=(16, 16, 16, 12), spacing=12))
        self._recall()
        self.what.currentIndexChanged.connect(self._enable)
        self.form.currentIndexChanged.connect(self._other_format)
        self.scale.valueChanged.connect(self._show_size)
        self._enable()

    def _recall(self) -> None:
        """Choose what, and the scale, of the last time; where that was the picture of its stage, that of this stage."""
        preferences = self._preferences
        asked = preferences.text(WHAT)
        whats = [f"{kind}:{name}" for kind, name in map(self.what.itemData, range(self.what.count()))]
        own = f"picture:{stage_named(self._view.stage).pictures[0].name}"
        self.what.setCurrentIndex(whats.index(asked if asked in whats else own))
        self.scale.setValue(preferences.number(SCALE, usual_scale(str(self.form.currentData()))))

    def _remember(self) -> None:
        preferences = self._preferences
        preferences.keep(FORMAT, str(self.form.currentData()))
        preferences.keep(THEME, str(self.theme.currentData()))
        preferences.keep(SCALE, self.scale.value())
        kind, name = self.what.currentData()
        follows = (kind, name) == ("picture", stage_named(self._view.stage).pictures[0].name)
        preferences.keep(WHAT, "" if follows else f"{kind}:{name}")

    def _other_format(self) -> None:
        """Choose the usual scale of another format."""
        self.scale.setValue(usual_scale(str(self.form.currentData())))
        self._show_size()

    def _enable(self) -> None:
        is_picture = self.what.currentData()[0] == "picture"
        for box in (self.form, self.theme, self.scale):
            box.setEnabled(is_picture)
        self._show_size()

    def _show_size(self) -> None:
        """How large the picture will be: in pixels, or on paper."""
        kind, name = self.what.currentData()
        parse = self._parses.shown
        text = ""
        if kind == "picture" and parse is not None and 0 < len(parse.sentence.positions) <= _SIZE_UP_TO:
            made = picture(parse, name, QtMetrics())
            width, height = made.width * self.scale.value(), made.height * self.scale.value()
            if self.form.currentData() == ".png":
                text = f"{width:,.0f} × {height:,.0f} pixels"
            else:
                text = f"{width / _PIXELS_PER_CM:.1f} × {height / _PIXELS_PER_CM:.1f} cm"
        self.size_note.setText(text)

    @property
    def kind(self) -> FileKind:
        """The kind of file that is to be written."""
        kind, name = self.what.currentData()
        if kind == "picture":
            return FileKind(self.form.currentText(), (str(self.form.currentData()),))
        form = text_formats()[name]
        return FileKind(form.title, (form.suffix,))

    def write(self, path: Path) -> None:
        """Write the file; what went wrong is shown over the picture."""
        kind, name = self.what.currentData()
        parse = self._parses.shown
        if parse is None:
            self._messages.show("There is no parse to export", True)
            return
        theme = THEMES[self.theme.currentData()]
        form = name if kind == "text" else ""
        picture, scale = name if kind == "picture" else "parse", self.scale.value()
        if self._messages.write(path, lambda: write_parse(parse, path, theme, picture, scale, form)):
            self._remember()
            self.accept()

    def _save(self) -> None:
        name = f"{self.what.currentData()[1]}{self.kind.new_suffix}"
        if path := ask_save(self, self._preferences, "Export", name, self.kind):
            self.write(path)


# What a window puts on the clipboard and into files.

_CLIPBOARD_SCALE = 2.0


class ExportController(Feature):
    """Copies and exports the parse that is shown.

    Parameters
    ----------
    parses, view, canvas
        The parses, which of them is shown, and its picture.
    preferences, messages
        The preferences, with the choices of the last export, and where messages are shown.
    parent
        The window over which the dialog opens.
    """

    def __init__(
        self,
        parses: ParseService,
        view: ViewState,
        canvas: Canvas,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._parses = parses
        self._view = view
        self._canvas = canvas
        self._preferences = preferences
        self._messages = messages
        self._parent = parent

    @action("export", "Export picture …", FILE, "Ctrl+E", icon="export", separated=True)
    def open_dialog(self) -> None:
        """Write the picture as SVG, PDF or PNG, the parse as LaTeX, JSON and more."""
        dialog = ExportDialog(self._parses, self._view, self._preferences, self._messages, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @action("copy-picture", "Copy picture", EDIT, "Ctrl+Shift+C", icon="copy", separated=True)
    def copy_picture(self) -> None:
        """Put the picture on the clipboard, as SVG and as image."""
        from explorer.output.files import clipboard_data

        canvas = self._canvas
        if canvas.drawing is not None:
            data = clipboard_data(canvas.drawing, appearance().theme, _CLIPBOARD_SCALE, canvas.metrics)
            QGuiApplication.clipboard().setMimeData(data)
            self._messages.show("Picture copied")

    @action("copy-tree", "Copy tree as brackets", EDIT, "Ctrl+Shift+B")
    def copy_tree(self) -> None:
        """Put the tree on the clipboard in Penn brackets."""
        parse = self._parses.shown
        if parse is not None:
            QGuiApplication.clipboard().setText(parse.tree.pretty())
            self._messages.show("Tree copied as brackets")

    @action("copy-twin", "Copy picture as text", EDIT, "Ctrl+Shift+T")
    def copy_text_twin(self) -> None:
        """Put the picture on the clipboard as plain text."""
        QGuiApplication.clipboard().setText(self._canvas.text_twin)
        self._messages.show("Picture copied as text")
