"""Predict, then reveal: a question with its options, hands counted by keys, and then the class against the model."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.classroom.option_bars import Outcome
from explorer.classroom.option_keys import keys_of, option_of_key
from explorer.classroom.option_rows import GOLD_MARK, PARSER_MARK, OptionRows
from explorer.classroom.posed_question import PosedQuestion
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme

_REVEALING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right)
_HELP = "Keys count hands: {keys}. With Shift a hand is taken back, ⌫ takes back the last. Enter or → shows the answer."


class QuestionView(QWidget):
    """Puts a question to a class, and shows its answer.

    It works in any window: whoever has the keys gives them to :meth:`handle_key`, which says whether it used them.

    Parameters
    ----------
    text_size
        Height of the type in pixels: that of the presenter.
    theme
        Its colours.

    Signals
    -------
    hands_changed
        A hand was counted or taken back.
    revealed
        The answer is shown now.
    """

    hands_changed = Signal()
    revealed = Signal()

    def __init__(self, text_size: int = 20, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("question")
        self._posed: PosedQuestion | None = None
        self._hands: list[int] = []
        self._order: list[int] = []
        self._is_revealed = False
        self._text_size = text_size
        self._theme = theme
        self.title = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.options = OptionRows(text_size, theme, self)
        self.foot = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(6)
        layout.addWidget(self.title)
        layout.addWidget(self.options)
        layout.addWidget(self.foot)
        layout.addStretch(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.options.pressed.connect(self._pressed)
        self._style()
        self.set_question(None)

    @property
    def posed(self) -> PosedQuestion | None:
        """The question that is shown."""
        return self._posed

    @property
    def hands(self) -> tuple[int, ...]:
        """How many hands each option has."""
        return tuple(self._hands)

    @property
    def is_revealed(self) -> bool:
        """Whether the answer is shown."""
        return self._is_revealed

    def set_question(self, posed: PosedQuestion | None, hands: tuple[int, ...] = (), revealed: bool = False) -> None:
        """Show a question, as it was left if it was asked before; ``None`` for none."""
        self._posed = posed
        self._hands = list(hands) if posed is not None and hands else [0] * (len(posed.options) if posed else 0)
        self._order = []
        self._is_revealed = revealed and posed is not None
        self.options.set_question(posed)
        self._layout.setStretchFactor(self.options, 100 if self.options.shows_trees else 0)
        self.title.setText(posed.text if posed is not None else "")
        self._show()

    def reveal(self) -> None:
        """Show the answer, with the class's bars beside the model's."""
        if self._posed is not None and not self._is_revealed:
            self._is_revealed = True
            self._show()
            self.revealed.emit()

    def add_hand(self, option: int) -> None:
        """Count a hand."""
        if self._posed is None or self._is_revealed or not 0 <= option < len(self._hands):
            return
        self._hands[option] += 1
        self._order.append(option)
        self._show()
        self.hands_changed.emit()

    def take_hand(self, option: int | None = None) -> None:
        """Take a hand back: one of an option, or the last that was counted."""
        if self._posed is None or self._is_revealed:
            return
        if option is None:
            option = self._order[-1] if self._order else None
        if option is None or self._hands[option] == 0:
            return
        self._hands[option] -= 1
        if option in self._order:
            del self._order[len(self._order) - 1 - self._order[::-1].index(option)]
        self._show()
        self.hands_changed.emit()

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        self.options.set_theme(theme)
        self._style()

    def set_text_size(self, text_size: int) -> None:
        """Set it in another size of type."""
        self._text_size = text_size
        self.options.set_text_size(text_size)
        self._style()

    # Keys

    def handle_key(self, event: QKeyEvent) -> bool:
        """Do what a key means for the question; whether it meant anything."""
        posed = self._posed
        if posed is None or self._is_revealed:
            return False
        if event.key() in _REVEALING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.reveal()
            return True
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            self.take_hand()
            return True
        found = option_of_key(event, posed)
        if found is None:
            return False
        self._pressed(*found)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.setAccepted(self.handle_key(event))

    def _pressed(self, option: int, back: bool) -> None:
        if back:
            self.take_hand(option)
        else:
            self.add_hand(option)

    # Showing

    def _style(self) -> None:
        colour = self._theme.colour
        self.setStyleSheet(
            f"#question {{ background: {colour('background')}; }} "
            f"#question > QLabel {{ color: {colour('ink')}; background: transparent; }}"
        )
        for label, share, bold in ((self.title, 1.15, True), (self.foot, 0.72, False)):
            font = label.font()
            font.setPixelSize(max(12, round(self._text_size * share)))
            font.setBold(bold)
            label.setFont(font)

    def _show(self) -> None:
        posed = self._posed
        if posed is None:
            self.foot.setText("")
            return
        everyone = sum(self._hands)
        for row, hands in zip(self.options.rows, self._hands, strict=True):
            marks = marks_of(posed, row.number)
            row.set_state(hands, False, "", Outcome(hands, everyone, marks) if self._is_revealed else None)
        self.foot.setText(self._conclusion(posed, everyone) if self._is_revealed else _HELP.format(keys=keys_of(posed)))
        self.setAccessibleName(posed.text)
        self.setAccessibleDescription(self.foot.text())

    def _conclusion(self, posed: PosedQuestion, everyone: int) -> str:
        """What the answer is, and how many had it."""
        parts = [f"The parser's answer: {posed.options[posed.answer].text}."]
        if posed.gold is not None:
            parts.append(f"The gold tree's: {posed.options[posed.gold].text}.")
        if everyone:
            agree = self._hands[posed.answer]
            parts.append(f"{agree:,} of {size(everyone, 'hand')} for the parser's answer.")
        return " ".join(parts)


def marks_of(posed: PosedQuestion, option: int) -> tuple[str, ...]:
    """What an option is: the parser's answer, the gold tree's, both or neither."""
    marks = [PARSER_MARK] if option == posed.answer else []
    if option == posed.gold:
        marks.append(GOLD_MARK)
    return tuple(marks)
