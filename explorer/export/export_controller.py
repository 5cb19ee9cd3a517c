"""What a window puts on the clipboard and into files."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from explorer.canvas.canvas import Canvas
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.preferences import Preferences
from explorer.document.view_state import ViewState
from explorer.export.export_dialog import ExportDialog
from explorer.graphics.theme import LIGHT, Theme

_CLIPBOARD_SCALE = 2.0


class ExportController:
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
        self._parses = parses
        self._view = view
        self._canvas = canvas
        self._preferences = preferences
        self._messages = messages
        self._parent = parent
        self._theme = LIGHT

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions about copying and exporting do."""
        return {
            "export": self.open_dialog,
            "copy-picture": self.copy_picture,
            "copy-tree": self.copy_tree,
            "copy-twin": self.copy_text_twin,
        }

    def set_theme(self, theme: Theme) -> None:
        """Copy pictures in other colours."""
        self._theme = theme

    def copy_tree(self) -> None:
        """Put the tree on the clipboard in brackets."""
        parse = self._parses.shown
        if parse is not None:
            QGuiApplication.clipboard().setText(parse.tree.pretty())
            self._messages.show("Tree copied as brackets")

    def copy_text_twin(self) -> None:
        """Put what the picture says on the clipboard as text."""
        QGuiApplication.clipboard().setText(self._canvas.text_twin)
        self._messages.show("Picture copied as text")

    def copy_picture(self) -> None:
        """Put the picture on the clipboard, as SVG and as image."""
        from explorer.export.picture_files import clipboard_data

        canvas = self._canvas
        if canvas.drawing is not None:
            data = clipboard_data(canvas.drawing, self._theme, _CLIPBOARD_SCALE, canvas.metrics)
            QGuiApplication.clipboard().setMimeData(data)
            self._messages.show("Picture copied")

    def open_dialog(self) -> None:
        """Open the dialog that writes the picture or the parse to a file."""
        dialog = ExportDialog(self._parses, self._view, self._preferences, self._messages, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
