"""The keys of the presenter: those of clickers, of other programs that present, and its own; one table for all."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

K = Qt.Key


@dataclass(frozen=True, slots=True)
class PresenterKey:
    """What some keys do.

    Attributes
    ----------
    name
        By which the window knows what to do.
    keys
        The keys; those that type a letter do so with Shift and without.
    shown, does
        How the sheet of keys writes them, and what they do.
    """

    name: str
    keys: tuple[Qt.Key, ...]
    shown: str
    does: str


PRESENTER_KEYS = (
    PresenterKey(
        "next",
        (K.Key_Right, K.Key_Down, K.Key_PageDown, K.Key_Space, K.Key_Return, K.Key_Enter),
        "→ ↓ PageDown Space Enter, click",
        "next step, or the answer",
    ),
    PresenterKey("previous", (K.Key_Left, K.Key_Up, K.Key_PageUp, K.Key_Backspace), "← ↑ PageUp Backspace", "back"),
    PresenterKey("first", (K.Key_Home,), "Home", "first step"),
    PresenterKey("last", (K.Key_End,), "End", "last step"),
    PresenterKey("number", (), "digits, then Enter", "go to that step"),
    PresenterKey("black", (K.Key_B, K.Key_Period), "B  .", "black screen, and back"),
    PresenterKey("white", (K.Key_W, K.Key_Comma), "W  ,", "white screen, and back"),
    PresenterKey("dot", (K.Key_L,), "L, or hold the mouse", "a dot follows the mouse"),
    PresenterKey("zoom", (K.Key_Z,), "Z", "zoom to what is selected, and back"),
    PresenterKey("larger", (K.Key_Plus, K.Key_Equal), "+", "larger type"),
    PresenterKey("smaller", (K.Key_Minus,), "−", "smaller type"),
    PresenterKey("legend", (K.Key_G,), "G", "what the signs mean"),
    PresenterKey("play", (K.Key_P,), "P", "play by itself, and stop"),
    PresenterKey("edges", (K.Key_E,), "E", "chart: all edges, survivors, this parse"),
    PresenterKey("cells", (K.Key_C,), "C", "chart: cell by cell, edge by edge"),
    PresenterKey("slower", (K.Key_BracketLeft,), "[", "chart: slower"),
    PresenterKey("faster", (K.Key_BracketRight,), "]", "chart: faster"),
    PresenterKey("speaker", (K.Key_S,), "S", "speaker's view: notes, next step, clock"),
    PresenterKey("help", (K.Key_Question, K.Key_F1), "?", "these keys"),
    PresenterKey("leave", (K.Key_Escape, K.Key_F5, K.Key_F11), "Esc F5 F11", "leave"),
)
BY_KEY = {key: entry.name for entry in PRESENTER_KEYS for key in entry.keys}


def keys_as_table() -> str:
    """The sheet of keys, as a table that Qt shows."""
    rows = "".join(
        f"<tr><td><b>{entry.shown}</b>&nbsp;&nbsp;&nbsp;</td><td>{entry.does}</td></tr>" for entry in PRESENTER_KEYS
    )
    return f"<table cellpadding=2>{rows}</table>"
