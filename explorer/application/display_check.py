"""Whether a window can be opened here, and what to install where it cannot; found out before Qt is loaded."""

from __future__ import annotations

import ctypes
import os
import sys

APT = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0"
APT_SCREEN = "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0"
# qputenv would do as well, but the platform must be known before Qt is loaded.
PLATFORM = "QT_QPA_PLATFORM"


def screen_problem() -> str:
    """Why no window can be opened here; empty if one can, as far as can be told."""
    if not sys.platform.startswith("linux") or os.environ.get(PLATFORM):
        return ""
    wayland = os.environ.get("WAYLAND_DISPLAY")
    if not os.environ.get("DISPLAY") and not wayland:
        return (
            "there is no screen to open a window on; set DISPLAY, or use "
            "`--export FILE`, `--snapshot FOLDER` or `--handout FILE`, which need none"
        )
    if not wayland:
        try:
            ctypes.CDLL("libxcb-cursor.so.0")
        except OSError:
            return (
                f"Qt needs a library that is missing (libxcb-cursor.so.0); install it with `apt install {APT_SCREEN}`"
            )
    return ""


def library_problem(error: ImportError) -> str:
    """What to install when Qt cannot be loaded."""
    text = str(error)
    if "cannot open shared object file" in text:
        missing = text.partition(":")[0]
        return f"Qt needs a library that is missing ({missing}); install it with `apt install {APT}`"
    if "PySide6" in text:
        return f"the window needs PySide6 ({text}); install it with `pip install 'PySide6-Essentials>=6.9,<6.12'`"
    return f"the program is not installed as a whole ({text}); install it anew with `pip install parse-explorer`"
