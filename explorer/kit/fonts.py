"""Type on the screen: a typeface that is always there, its measures, and text in rare scripts."""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF

from explorer.pictures.theme import STYLES

# Text in many rare scripts: Qt looks through every font of the system for each of them, in every size of type.
#
# A word of a hundred scripts held the window for half a minute.  Text in a few scripts is set as always, with
# whatever fonts there are.  Text in more of them than any person writes is set in the fonts of the window alone; what
# these do not have is drawn as boxes.  A text that was set in one way stays so.

MOST_IN_A_TEXT = 3
"""Of the scripts that fonts may have to be looked for; a text in more of them is set without."""
MOST_IN_ALL = 12
"""The same for all texts of a program together: a sentence of a hundred words may have as many scripts."""
LOOKED_FOR: set[str] = set()
"""Those that fonts were looked for, the first that came."""
_FIRST_RARE = 0x590
"""The fonts of the window have what comes before: Latin, Greek, Cyrillic, Armenian."""
_COMMON = range(0x1E00, 0x2E80)
"""More Latin and Greek, punctuation, arrows and mathematical signs."""


def has_many_scripts(text: str) -> bool:
    """Whether a text is in more scripts than any person writes, or in further ones where there were many already."""
    if text.isascii():
        return False
    found = _scripts(text)
    if found <= LOOKED_FOR:
        return False
    if len(found) > MOST_IN_A_TEXT or len(found | LOOKED_FOR) > MOST_IN_ALL:
        return True
    LOOKED_FOR.update(found)
    return False


@lru_cache(maxsize=4096)
def _scripts(text: str) -> frozenset[str]:
    """The scripts of a text that the fonts of the window may not have."""
    rare = {one for one in text if ord(one) >= _FIRST_RARE and ord(one) not in _COMMON}
    return frozenset(map(_script, rare))


def _script(character: str) -> str:
    """The script of a letter, by the beginning of its name; signs and what is no character are one each."""
    category = unicodedata.category(character)
    if category[0] not in "LMN":
        return category
    words = unicodedata.name(character, category).split()
    # `OLD TURKIC` and `OLD PERSIAN` are two; CJK ideographs and their radicals are one.
    return words[0] if words[0] not in ("OLD", "LINEAR", "NEW", "TAI", "MEETEI", "PAHAWH") else " ".join(words[:2])


def font_for(text: str, font: QFont) -> QFont:
    """The font to set a text in: this one, or without looking for others where it is in too many scripts."""
    if not has_many_scripts(text):
        return font
    alone = QFont(font)
    alone.setStyleStrategy(QFont.StyleStrategy(font.styleStrategy().value | QFont.StyleStrategy.NoFontMerging.value))
    return alone


# Type on the screen: a typeface that is always there, and its measures.
#
# Qt ships no fonts, and where none is installed text is boxes.  matplotlib's wheel carries DejaVu Sans and Sans Mono
# (Greek, arrows, the combining hat of F̂): their files are found without importing matplotlib and
# registered, and the system's own interface font is preferred where there is one.

FALLBACK = "DejaVu Sans"
_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")


def font_files() -> list[Path]:
    """The files of DejaVu in matplotlib's wheel; none if matplotlib is not installed."""
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [folder / name for name in _FILES if (folder / name).is_file()]


@lru_cache(maxsize=1)
def register_fonts() -> str:
    """Make DejaVu known to Qt (once, when the application exists); the family to use for the interface."""
    installed = set(QFontDatabase.families())
    for path in font_files():
        # Read here: Qt's own reading of a path fails where a wheel lies in a folder with unusual letters.
        QFontDatabase.addApplicationFontFromData(QByteArray(path.read_bytes()))
    if not installed:
        return FALLBACK
    family = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).family()
    return family if family in installed else FALLBACK


class QtMetrics:
    """Measures of text as Qt sets it, for one family: a :class:`explorer.pictures.drawing.Metrics`."""

    def __init__(self, family: str | None = None) -> None:
        self.family = family or register_fonts()
        self._fonts = {name: make_font(self.family, name) for name in STYLES}
        self._metrics = {name: QFontMetricsF(font) for name, font in self._fonts.items()}
        self._widths: dict[tuple[str, str], float] = {}

    def font(self, style: str, text: str = "") -> QFont:
        """The font of a style at 100 %, as it is for a text."""
        return font_for(text, self._fonts[style])

    def width(self, text: str, style: str) -> float:
        """How far the text advances."""
        key = (text, style)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) > 50_000:
                self._widths.clear()
            font = self.font(style, text)
            usual = font is self._fonts[style]
            metrics = self._metrics[style] if usual else QFontMetricsF(font)
            found = self._widths[key] = metrics.horizontalAdvance(text)
        return found

    def ascent(self, style: str) -> float:
        """How far letters reach above the base line."""
        return self._metrics[style].ascent()

    def descent(self, style: str) -> float:
        """How far letters reach below the base line."""
        return self._metrics[style].descent()


def make_font(family: str, style: str) -> QFont:
    """The font of a style: sized in pixels and unhinted, so that its widths grow evenly with the zoom."""
    font = QFont([family, FALLBACK])
    font.setPixelSize(round(STYLES[style].size))
    font.setBold(STYLES[style].bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return font


# Measures of type that pictures are laid out with, in the GUI thread and in a worker.


class SharedMetrics(QtMetrics):
    """Like :class:`QtMetrics`, for use by several threads: one at a time asks Qt, and its answers are kept.

    Its fonts are its own; painting uses others, for Qt's fonts must not be used by two threads at once.
    """

    def __init__(self, family: str | None = None) -> None:
        super().__init__(family)
        self._lock = threading.Lock()
        self._ascents = {style: super(SharedMetrics, self).ascent(style) for style in STYLES}
        self._descents = {style: super(SharedMetrics, self).descent(style) for style in STYLES}

    def width(self, text: str, style: str) -> float:
        """How far the text advances."""
        found = self._widths.get((text, style))
        if found is not None:
            return found
        with self._lock:
            return super().width(text, style)

    def ascent(self, style: str) -> float:
        """How far letters reach above the base line."""
        return self._ascents[style]

    def descent(self, style: str) -> float:
        """How far letters reach below the base line."""
        return self._descents[style]
