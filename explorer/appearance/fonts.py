"""Type on the screen: a typeface that is always there, and its measures.

Qt ships no fonts, and where none is installed text is boxes.  matplotlib's wheel carries DejaVu Sans and Sans Mono
(Greek, arrows, the combining hat of F̂): their files are found without importing matplotlib and
registered, and the system's own interface font is preferred where there is one.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF

from explorer.appearance.rare_scripts import font_for
from explorer.graphics.theme import STYLES

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
    """Measures of text as Qt sets it, for one family: a :class:`explorer.graphics.drawing.Metrics`."""

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
