"""Help: finding an action by name, what is here, about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMessageBox, QWidget

from engine.model.model import Model
from explorer.application.command_palette import CommandPalette
from explorer.document.document_editor import DocumentEditor
from explorer.document.parse_service import ParseService

TOUR = """
<p><b>Sentence bar</b> (top): type plain English, <i>word/TAG</i> pairs, a mixture or a bracketed tree; paste many lines
at once.  Click a word's tag to choose another.</p>
<p><b>Settings</b>: the paper's models (1) to (4), the beam β, and each switch alone.  Every change parses again.</p>
<p><b>Stages</b>: Sentence → Gaps → Reduced sentence → F̂ → Chart → Parse.  ← and → step through them, F5 plays.</p>
<p><b>Click anything</b>: the inspector on the right explains it with the paper's formula and this
sentence's numbers.</p>
<p><b>What if?</b>  Drag an arrow's head to another word, right-click a gap, an arrow, a cell or a node, or press
Ctrl+F: the sentence is parsed again and the price is shown.  Everything can be undone.</p>
<p><b>From where?</b>  Click a count η or δ in the inspector: the training sentences that it counted open below.
Ctrl+B asks the model what it knows of any word, tag, pair or relation; so does a right click on a word.</p>
<p><b>Why wrong?</b>  Open a treebank or paste a tree, and press F8: the next parse that differs from its gold tree is
compared with it (F9), with a verdict, both ledgers and the price of every other head.  Ctrl+Shift+R judges all.</p>
<p><b>Ctrl+K</b> finds every action by a few letters of its name.</p>
"""


def about(model: Model | None, path: str) -> str:
    """What this is, and on what it stands."""
    lines = [
        "<p><b>Parse Explorer</b></p>",
        "<p>Michael Collins, <i>A New Statistical Parser Based on Bigram Lexical Dependencies</i> (ACL 1996), in full, "
        "with all its working shown.</p>",
    ]
    if model is not None:
        credits = "<br>".join(str(text) for text in model.metadata.get("credits", ()))
        lines.append(f"<p>Model: {Path(path).stem}</p><p>{credits}</p>")
    return "".join(lines)


class Help:
    """The help of one window.

    Parameters
    ----------
    editor, parses
        The document, which names the model, and the model itself.
    actions
        Lists everything that can be done.
    parent
        The window over which help opens.
    """

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        actions: Callable[[], Sequence[QAction]],
        parent: QWidget,
    ) -> None:
        self._editor = editor
        self._parses = parses
        self._actions = actions
        self._parent = parent

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions about help do."""
        return {"palette": self.open_palette, "tour": self.show_tour, "about": self.show_about}

    def open_palette(self) -> None:
        """Find an action by a few letters."""
        palette = CommandPalette(self._actions(), self._parent)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.show()
        palette.edit.setFocus()

    def show_tour(self) -> None:
        """Show what each part of the window is for."""
        self._show_box("What is here", TOUR)

    def show_about(self) -> None:
        """Show what this is, and on what it stands."""
        self._show_box("About Parse Explorer", about(self._parses.model, self._editor.document.model))

    def _show_box(self, title: str, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, self._parent)
        box.setTextFormat(Qt.TextFormat.RichText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
