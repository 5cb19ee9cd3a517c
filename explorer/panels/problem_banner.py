"""The sentence over the picture when something failed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import as_sentence
from explorer.document.parse_service import ParseService
from explorer.graphics.number_text import curly_quotes


class ProblemBanner(QFrame):
    """One sentence over the picture when something failed, with what can be done about it."""

    def __init__(self, editor: DocumentEditor, parses: ParseService) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._editor = editor
        self._parses = parses
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.text.setObjectName("banner-text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text, 1)
        self.lift = QToolButton()
        self.lift.setText("Remove the last what-if")
        self.lift.clicked.connect(lambda: self._editor.lift(self._editor.line.what_ifs[-1:]))
        layout.addWidget(self.lift)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Hide the message")
        close.setAccessibleName("Hide the message")
        close.clicked.connect(self.hide)
        layout.addWidget(close)
        self.hide()

    def show_message(self, message: str) -> None:
        """Show a message; an empty one hides the banner."""
        message = as_sentence(curly_quotes(message))
        self.text.setText(message)
        self.lift.setVisible(bool(self._parses.problem and self._editor.line.what_ifs))
        self.setVisible(bool(message))
