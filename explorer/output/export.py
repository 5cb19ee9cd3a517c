"""Exporting and printing from a window: the actions, the dialog, the clipboard and files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from explorer.canvas.canvas import Canvas
from explorer.kit.actions import EDIT, FILE, action
from explorer.kit.appearance import appearance
from explorer.kit.controls import in_column, told
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import FileKind
from explorer.kit.fonts import QtMetrics
from explorer.kit.forms import Choice, Decimal, Form
from explorer.kit.messages import Messages
from explorer.output.files import PICTURE_FORMATS, picture, text_formats, usual_scale, write_parse
from explorer.pictures.theme import THEMES
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.view_state import ViewState
from explorer.stages.stages import pictures, stage_named

# The export dialog: what to export, how, in which colours and how large.

FORMAT, THEME, SCALE, WHAT = "export-format", "export-theme", "export-scale", "export-what"
"""What is remembered of the dialog; of what was exported only what is not the picture of the stage."""
PICTURE_THEMES = {name: THEMES[name].title for name in ("light", "dark", "colourless")}
_PIXELS_PER_CM = 96 / 2.54
_SIZE_UP_TO = 60
"""Words up to which it takes no time to tell how large a picture will be."""


class ExportDialog(QDialog):
    """What to export, how, in which colours and how large."""

    def __init__(
        self, parses: ParseService, view: ViewState, preferences: Preferences, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parses = parses
        self._preferences = preferences
        self._messages = messages
        self.setWindowTitle("Export")
        shown = {("picture", name): one.title for name, one in pictures().items()}
        written = {("text", name): f"As text: {form.title}" for name, form in text_formats().items()}
        fields = (
            Choice("what", "What", choices=shown | written),
            Choice("form", "Format", choices=PICTURE_FORMATS),
            Choice("theme", "Colours", choices=PICTURE_THEMES),
            Decimal("scale", "Scale", "", 0.25, 8.0, places=2, step=0.25, unit=" ×"),
        )
        self.fields = Form(fields, preferences, self)
        rows = self.fields.rows(spacing=(12, 8))
        self.size_note = told("", "quiet")
        self.size_note.setMinimumWidth(360)
        rows.addRow("", self.size_note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.setLayout(in_column(rows, buttons, margins=(16, 16, 16, 12), spacing=12))
        # What was exported last; where that was the picture of its stage, that of this stage.
        self._own = ("picture", stage_named(view.stage).pictures[0].name)
        asked = tuple(preferences.text(WHAT).split(":", 1))
        self.fields.show(what=asked if asked in shown | written else self._own)
        self.fields.show(form=preferences.text(FORMAT), theme=preferences.text(THEME))
        self.fields.show(scale=preferences.number(SCALE, usual_scale(self.fields.value("form"))))
        self.fields["form"].currentIndexChanged.connect(lambda _: self._other_format())
        self.fields.changed.connect(self._show)
        self._show()

    @property
    def what(self) -> tuple[str, str]:
        """What is to be written: whether a picture or a text, and its name."""
        kind, name = self.fields.value("what")
        return kind, name

    def _remember(self) -> None:
        preferences, chosen = self._preferences, self.fields.values()
        preferences.keep(FORMAT, chosen["form"])
        preferences.keep(THEME, chosen["theme"])
        preferences.keep(SCALE, chosen["scale"])
        preferences.keep(WHAT, "" if self.what == self._own else ":".join(self.what))

    def _other_format(self) -> None:
        """Choose the usual scale of another format."""
        self.fields.show(scale=usual_scale(self.fields.value("form")))

    def _show(self) -> None:
        """Show what can be chosen, and how large the picture will be: in pixels, or on paper."""
        kind, name = self.what
        for field in ("form", "theme", "scale"):
            self.fields[field].setEnabled(kind == "picture")
        parse = self._parses.shown
        text = ""
        if kind == "picture" and parse is not None and 0 < len(parse.sentence.positions) <= _SIZE_UP_TO:
            made, scale = picture(parse, name, QtMetrics()), self.fields.value("scale")
            width, height = made.width * scale, made.height * scale
            if self.fields.value("form") == ".png":
                text = f"{width:,.0f} × {height:,.0f} pixels"
            else:
                text = f"{width / _PIXELS_PER_CM:.1f} × {height / _PIXELS_PER_CM:.1f} cm"
        self.size_note.setText(text)

    @property
    def kind(self) -> FileKind:
        """The kind of file that is to be written."""
        kind, name = self.what
        if kind == "picture":
            suffix = self.fields.value("form")
            return FileKind(PICTURE_FORMATS[suffix], (suffix,))
        form = text_formats()[name]
        return FileKind(form.title, (form.suffix,))

    def write(self, path: Path) -> None:
        """Write the file; what went wrong is shown over the picture."""
        kind, name = self.what
        parse = self._parses.shown
        if parse is None:
            self._messages.show("There is no parse to export", True)
            return
        theme, scale = THEMES[self.fields.value("theme")], self.fields.value("scale")
        form = name if kind == "text" else ""
        shown = name if kind == "picture" else "parse"
        if self._messages.write(path, lambda: write_parse(parse, path, theme, shown, scale, form)):
            self._remember()
            self.accept()

    def _save(self) -> None:
        if path := ask_save(self, self._preferences, "Export", f"{self.what[1]}{self.kind.new_suffix}", self.kind):
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
