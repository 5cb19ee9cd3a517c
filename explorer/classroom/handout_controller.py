"""Handouts in a window: opens their dialog for the lesson that is played and the sentences of the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from explorer.classroom.lesson_player import LessonPlayer
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.preferences import Preferences
from explorer.graphics.theme import Theme

if TYPE_CHECKING:
    from explorer.classroom.handout_dialog import HandoutDialog


class HandoutController(QObject):
    """Makes handouts.

    Parameters
    ----------
    editor, parses, player
        The sentences and settings, the model, and the lesson that is played.
    preferences, messages
        What was chosen the last time, and where messages are shown.
    parent
        The window over which the dialog opens.
    """

    docks: Sequence[tuple[QDockWidget, str]] = ()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        player: LessonPlayer,
        preferences: Preferences,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._player = player
        self._preferences = preferences
        self._messages = messages
        self._window = parent
        self.dialog: HandoutDialog | None = None

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What its action does."""
        return {"handout": self.open_dialog}

    def set_theme(self, theme: Theme) -> None:
        """Do nothing: paper is white whatever the window's colours are."""

    def open_dialog(self) -> None:
        """Show the pages of a handout, and what can be chosen about them."""
        # Loaded when it is asked for: a start does not wait for it.
        from explorer.classroom.handout_dialog import HandoutDialog

        if self._parses.model is None:
            self._messages.show("there is no model yet; open one with Ctrl+M", True)
            return
        dialog = HandoutDialog(
            self._player.lesson if self._player.lesson.steps else None,
            self._player.path,
            self._editor.document,
            self._parses.model,
            self._preferences,
            self._messages,
            self._window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.destroyed.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _closed(self) -> None:
        self.dialog = None
