"""The keys of a question's options: numbers, letters, and with Shift the same once more."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from explorer.classroom.posed_question import PosedQuestion

LETTERS = "abcde"
_SHIFTED_DIGITS = {
    Qt.Key.Key_Exclam: 0,
    Qt.Key.Key_At: 1,
    Qt.Key.Key_NumberSign: 2,
    Qt.Key.Key_Dollar: 3,
    Qt.Key.Key_Percent: 4,
}
"""What Shift makes of the digits on the keyboard of the United States."""
_FIRST_DIGIT_CODE = 10
"""The code of the key 1 where keys are numbered as on Linux, whatever Shift makes of it."""


def option_of_key(event: QKeyEvent, posed: PosedQuestion) -> tuple[int, bool] | None:
    """Which option a key means, and whether Shift is held; ``None`` if it means none."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    shift = modifiers == Qt.KeyboardModifier.ShiftModifier
    if modifiers and not shift:
        return None
    key = event.key()
    at = -1
    if Qt.Key.Key_1 <= key <= Qt.Key.Key_5:
        at = key - Qt.Key.Key_1
    elif Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
        # Where options have letters of their own, such as gap tags, these are meant, and no others.
        letters = [option.letter or LETTERS[place : place + 1] for place, option in enumerate(posed.options)]
        named = chr(key)
        at = next((place for place, letter in enumerate(letters) if letter.upper() == named), -1)
    elif shift and 0 <= event.nativeScanCode() - _FIRST_DIGIT_CODE < len(LETTERS):
        at = event.nativeScanCode() - _FIRST_DIGIT_CODE
    elif shift:
        at = _SHIFTED_DIGITS.get(Qt.Key(key), -1)
    return (at, shift) if 0 <= at < len(posed.options) else None


def keys_of(posed: PosedQuestion) -> str:
    """The keys of the options in words: their numbers, and letters."""
    last = len(posed.options)
    letters = "".join(option.letter for option in posed.options)
    return f"1–{last} or {' '.join(letters)}" if letters else f"1–{last} or a–{LETTERS[last - 1]}"
