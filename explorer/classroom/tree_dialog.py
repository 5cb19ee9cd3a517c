"""One tree of the live treebank by hand: its picture to drag in, its brackets to type, each following the other.

A plain sentence may be typed, too: it is parsed, and the parse taken for a tree to correct.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from engine.common.errors import EngineError
from engine.model.model import Model
from engine.text.input_recognition import is_tree
from engine.trees.tree import Tree
from explorer.classroom.live_treebank import read_one_tree
from explorer.document.document import Document, TextLine
from explorer.document.messages import as_sentence
from explorer.document.session import Session
from explorer.graphics.number_text import curly_quotes
from explorer.graphics.theme import Theme
from explorer.tasks.worker import Worker
from explorer.treebank.tree_editor import TreeEditor
from explorer.widgets.fields import is_key_of_window

_TYPING_MS = 300
_WIDTH = 76
_HINT = "Type a tree in brackets, or a sentence: it is parsed, and you correct the parse."


class BracketsEdit(QPlainTextEdit):
    """Brackets to type, over any number of lines; what is undone is undone for picture and brackets together."""

    def event(self, event: QEvent) -> bool:
        """Leave the keys of the dialog to it."""
        if is_key_of_window(event):
            event.ignore()
            return False
        return super().event(event)


class TreeDialog(QDialog):
    """Asks for one tree.

    Parameters
    ----------
    title
        What it is about.
    text
        The tree to change, in brackets; empty for a new one.
    model
        Parses what is typed as a plain sentence, and scores the tree; ``None`` if there is none: then trees alone can
        be typed.
    theme
        The colours of the picture.
    parent
        The window over which it opens.

    Signals
    -------
    tree_made
        The tree, when it is to be taken.
    """

    tree_made = Signal(object)

    def __init__(self, title: str, text: str, model: Model | None, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.session = Session(self)
        if model is not None:
            self.session.parses.models.set_live(model)
        self.edit = BracketsEdit()
        self.edit.setUndoRedoEnabled(False)
        self.edit.setAccessibleName("The tree in brackets")
        self.edit.setPlaceholderText(_HINT)
        self.edit.setTabChangesFocus(True)
        self.tree = TreeEditor(self.session.editor, self.session.view, self.session.parses, self.session.messages)
        self.tree.set_theme(theme)
        self.note = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.note.setObjectName("problem")
        self.note.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.edit)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        for make, keys in (("createUndoAction", "Ctrl+Z"), ("createRedoAction", "Ctrl+Shift+Z")):
            action = getattr(self.session.editor.undo_stack, make)(self)
            action.setShortcut(keys)
            self.addAction(action)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._typed)
        document = Document(lines=(TextLine(_flat(text)),), live=True)
        self.session.editor.set_document(document)
        self.session.editor.document_changed.connect(self._document_changed)
        self.session.messages.posted.connect(lambda message, _: self.note.setText(as_sentence(curly_quotes(message))))
        self._document_changed()
        self.edit.textChanged.connect(self._text_changed)
        self.resize(760, 620)
        self.edit.setFocus()

    @property
    def settled(self) -> bool:
        """Whether the picture is that of what was typed."""
        return not self._typing.isActive() and not self.session.parses.busy and self.tree.settled

    def set_text(self, text: str) -> None:
        """Replace what is typed."""
        self.edit.setPlainText(text)

    def _text_changed(self) -> None:
        self._check()
        self._typing.start()

    def _typed(self) -> None:
        """Show the picture of what was typed."""
        text = _flat(self.edit.toPlainText())
        editor = self.session.editor
        if text != editor.line.text:
            editor.change("typing", editor.document.with_line(replace(editor.line, text=text, what_ifs=())))

    def _document_changed(self) -> None:
        """Show the brackets of what was changed in the picture, or undone."""
        text = self.session.editor.line.text
        if _flat(self.edit.toPlainText()) != text:
            self.edit.blockSignals(True)
            self.edit.setPlainText(_pretty(text))
            self.edit.blockSignals(False)
        self._check()

    def _tree(self) -> Tree:
        return read_one_tree(self.edit.toPlainText())

    def _check(self) -> None:
        """Say what is wrong with a tree, and let it be taken if nothing is."""
        problem, text = "", self.edit.toPlainText().strip()
        try:
            self._tree()
        except EngineError as error:
            problem = str(error)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.note.setText(as_sentence(curly_quotes(problem)) if is_tree(text) else "")

    def _take(self) -> None:
        tree = self._tree()
        self.accept()
        self.tree_made.emit(tree)

    def done(self, result: int) -> None:
        """End the threads, and close."""
        self._typing.stop()
        for worker in self.findChildren(Worker):
            worker.stop()
        self.session.close()
        super().done(result)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _pretty(text: str) -> str:
    """A tree over several lines; whatever else it is stays as it is."""
    if not is_tree(text):
        return text
    try:
        return read_one_tree(text).pretty(_WIDTH)
    except EngineError:
        return text
