"""The field for a pattern: what was searched for before, examples, and where a pattern goes wrong."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from engine.patterns import Pattern, PatternError
from explorer.document.messages import as_sentence
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import curly_quotes
from explorer.laboratory.pattern_help import EXAMPLES
from explorer.widgets.fields import Field

MOST_REMEMBERED = 20
_KEY = "search/patterns"
_PLACEHOLDER = "A pattern, such as  PP > (VP < /^VB/=verb)"


class PatternField(QWidget):
    """Takes a pattern; says at once what is wrong with one, and keeps what was typed.

    Parameters
    ----------
    preferences
        Where earlier patterns are remembered.

    Signals
    -------
    entered
        A pattern is to be searched for.
    """

    entered = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.edit = Field(placeholderText=_PLACEHOLDER, clearButtonEnabled=True)
        self.edit.setAccessibleName("Pattern")
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.more = QToolButton()
        self.more.setText("▾")
        self.more.setToolTip("Earlier patterns, and examples")
        self.more.setAccessibleName("Earlier patterns, and examples")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self.menu)
        self.problem = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName("What is wrong with the pattern")
        self.problem.hide()
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.edit, 1)
        row.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.problem)
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(self._check)
        self.edit.returnPressed.connect(self.entered)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.edit.text().strip()

    def set_text(self, text: str) -> None:
        """Put a pattern into the field."""
        self.edit.setText(text)

    def pattern(self) -> Pattern | None:
        """The pattern; ``None`` if it is none, which is said under the field."""
        try:
            made = Pattern(self.edit.text())
        except PatternError as error:
            self.show_problem(error)
            return None
        self.problem.hide()
        return made

    def show_problem(self, error: PatternError) -> None:
        """Say what is wrong, and underline it from its column on."""
        where = f"column {error.column}: " if error.column else ""
        self.problem.setText(as_sentence(where + curly_quotes(error.problem)))
        self.problem.show()
        self._underline(error.column)

    def remember(self, text: str) -> None:
        """Keep a pattern that was searched for, the latest first."""
        others = [one for one in self.remembered if one != text]
        self._preferences.keep_names(_KEY, [text, *others][:MOST_REMEMBERED])

    @property
    def remembered(self) -> list[str]:
        """What was searched for before, the latest first."""
        return self._preferences.names(_KEY)

    def fill_menu(self) -> None:
        """Fill the menu with earlier patterns and examples."""
        self.menu.clear()
        for text in self.remembered:
            self.menu.addAction(text.replace("&", "&&"), partial(self._take, text))
        self.menu.addSection("Examples")
        for text, meaning in EXAMPLES:
            self.menu.addAction(f"{text}\t{meaning}", partial(self._take, text))

    def _take(self, text: str) -> None:
        self.set_text(text)
        self.edit.setFocus()
        self.entered.emit()

    def _check(self, text: str) -> None:
        """Look at a pattern while it is typed: one that is not finished yet is no mistake."""
        self._underline(0)
        try:
            Pattern(text)
        except PatternError as error:
            if text.strip() and error.column and error.column <= len(text.rstrip()):
                self.show_problem(error)
                return
        self.problem.hide()

    def _underline(self, column: int) -> None:
        """Underline what is typed from a column on; nothing for column 0."""
        marks = []
        if 0 < column <= len(self.edit.text()):
            wavy = QTextCharFormat()
            wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wavy.setUnderlineColor(self.problem.palette().color(self.problem.foregroundRole()))
            start = column - 1 - self.edit.cursorPosition()
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start, len(self.edit.text()) - column + 1, wavy)]
        blocked = self.edit.blockSignals(True)
        QCoreApplication.sendEvent(self.edit, QInputMethodEvent("", marks))
        self.edit.blockSignals(blocked)
