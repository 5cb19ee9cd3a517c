"""The banner over a hypothetical parse: what is forced, what it costs, and a cross that removes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from engine.analysis.headlines import what_if_headline
from explorer.document.document_editor import DocumentEditor
from explorer.document.parse_service import ParseService
from explorer.document.view_state import ViewState
from explorer.graphics.number_text import curly_quotes, no_markup
from explorer.graphics.selection import WhatIfId


class WhatIfBanner(QFrame):
    """Says over the picture that the parse is hypothetical; hidden where nothing is forced."""

    def __init__(self, editor: DocumentEditor, parses: ParseService, view: ViewState) -> None:
        super().__init__()
        self.setObjectName("what-if-banner")
        self._editor = editor
        self._parses = parses
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 4)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.text.setObjectName("what-if-banner-text")
        self.text.setAccessibleName("What-if")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text, 1)
        self.why = _button("Why?", "Explain what the what-ifs cost and what they change")
        self.why.clicked.connect(lambda: view.select(WhatIfId(0)))
        layout.addWidget(self.why)
        self.remove = _button("✕", "Remove all what-ifs and parse without them")
        self.remove.setAccessibleName("Remove all what-ifs")
        self.remove.clicked.connect(lambda: self._editor.lift(self._editor.line.what_ifs))
        layout.addWidget(self.remove)
        for signal in (editor.document_changed, parses.result_changed, parses.problem_changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is forced now, and what it costs as soon as that is known."""
        what_ifs = self._editor.line.what_ifs
        # A what-if that no parse obeys is told of by the banner for failures.
        self.setVisible(bool(what_ifs) and not self._parses.problem)
        if not what_ifs:
            return
        result = self._parses.result
        if result is None or not self._parses.is_current or result.request.line.what_ifs != what_ifs:
            self.text.setText("What if … Parsing …")
            return
        headline = what_if_headline(what_ifs, result.parse, result.free)
        self.text.setText(curly_quotes(headline.sentence))
        self.setToolTip(no_markup(curly_quotes("\n".join(headline.reasons))))


def _button(title: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(title)
    button.setToolTip(tip)
    return button
