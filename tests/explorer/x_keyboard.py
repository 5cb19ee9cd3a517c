"""The keyboard of an X display: keys pressed there reach a window as those of a person do, layout and all."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from collections.abc import Sequence

_MODIFIERS = {"Ctrl": "Control_L", "Shift": "Shift_L", "Alt": "Alt_L"}
_KEYSYMS = {
    **{"=": "equal", "-": "minus", "[": "bracketleft", "]": "bracketright", ".": "period", ",": "comma"},
    **{"/": "slash", ";": "semicolon", "'": "apostrophe", "\\": "backslash", "`": "grave", " ": "space"},
    **{
        "PgUp": "Prior",
        "PgDown": "Next",
        "Del": "Delete",
        "Enter": "Return",
        "Esc": "Escape",
        "Backspace": "BackSpace",
    },
}
_SHIFTED = dict(zip('~!@#$%^&*()_+{}:"<>?|', "`1234567890-=[];',./\\", strict=True))
"""What an American keyboard writes with Shift, and the key that it is on."""


class XKeyboard:
    """Presses keys of an American keyboard on the display that ``DISPLAY`` names.

    Raises
    ------
    OSError
        If there is no such display, or the X libraries are not there.
    """

    def __init__(self) -> None:
        x11, test = ctypes.util.find_library("X11"), ctypes.util.find_library("Xtst")
        if not x11 or not test or not os.environ.get("DISPLAY"):
            raise OSError("no X display, or no libXtst")
        self._x11, self._test = ctypes.CDLL(x11), ctypes.CDLL(test)
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XStringToKeysym.restype = ctypes.c_ulong
        self._x11.XKeysymToKeycode.argtypes = (ctypes.c_void_p, ctypes.c_ulong)
        self._x11.XSync.argtypes = (ctypes.c_void_p, ctypes.c_int)
        self._x11.XCloseDisplay.argtypes = (ctypes.c_void_p,)
        self._test.XTestFakeKeyEvent.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong)
        self._display = self._x11.XOpenDisplay(None)
        if not self._display:
            raise OSError("the X display cannot be opened")
        if self._code("plus") != self._code("equal"):
            self.close()
            raise OSError("the display has no American keyboard")

    def close(self) -> None:
        """Leave the display."""
        self._x11.XCloseDisplay(self._display)

    def press(self, keys: str) -> None:
        """Press and release keys as a menu shows them: ``Ctrl+Shift+P``, ``Ctrl++``, ``F8``, ``Ctrl+J, T``."""
        for together in keys.split(", "):
            codes = [self._code(name) for name in _keys_of(together)]
            for down, order in ((1, codes), (0, codes[::-1])):
                for code in order:
                    self._test.XTestFakeKeyEvent(self._display, code, down, 0)
        self._x11.XSync(self._display, 0)

    def _code(self, name: str) -> int:
        keysym = self._x11.XStringToKeysym(name.encode())
        code = int(self._x11.XKeysymToKeycode(self._display, keysym))
        assert keysym and code, f"no key `{name}`"
        return code


def _keys_of(keys: str) -> Sequence[str]:
    """Names of the keys that a finger is on, modifiers first; Shift is among them where the character wants it."""
    # The last character is a key in any case, also where it is the plus that joins the others.
    joined, plus, last = keys[:-1].rpartition("+")
    modifiers, last = joined.split("+") if plus else [], last + keys[-1]
    if last in _SHIFTED:
        modifiers, last = list(dict.fromkeys([*modifiers, "Shift"])), _SHIFTED[last]
    name = _KEYSYMS.get(last, last.lower() if len(last) == 1 else last)
    return [*(_MODIFIERS[modifier] for modifier in modifiers), name]
