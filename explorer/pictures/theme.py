"""Colours and type: one object through which every colour of the explorer goes.

Shapes name what they are (a *role*), a :class:`Theme` says what colour that is.  Gap tags have five fixed hues of the
set of Okabe and Ito; probability is lightness on the scale *cividis* (Nuñez, Anderton and Renslow 2018); there
is one accent colour.  Nothing means anything by its colour alone: letters, positions and dashes say it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple


class Style(NamedTuple):
    """A way of setting text: its size in pixels at 100 %, and whether it is bold."""

    size: float
    bold: bool = False


STYLES: Mapping[str, Style] = {
    "word": Style(15),
    "word-bold": Style(15, True),
    "tag": Style(12),
    "label": Style(13),
    "label-bold": Style(13, True),
    "number": Style(12),
    "small": Style(12),
    "small-bold": Style(12, True),
    "title": Style(16, True),
}
"""Two weights of one typeface in four sizes; the smallest is 9 pt at 96 dpi, and none is set smaller by itself."""

OKABE_ITO: Mapping[str, str] = {
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "green": "#009e73",
    "yellow": "#f0e442",
    "blue": "#0072b2",
    "vermilion": "#d55e00",
    "purple": "#cc79a7",
}

_HUES = {
    "gap.S": OKABE_ITO["green"],
    "gap.C": OKABE_ITO["sky"],
    "gap.E": OKABE_ITO["orange"],
    "gap.B": OKABE_ITO["purple"],
    "gap.N": OKABE_ITO["blue"],
    # Why edges of the chart were pruned, as engine.chart.trace names the reasons, in their order.
    "pruned.dominated": OKABE_ITO["sky"],
    "pruned.out of beam": OKABE_ITO["purple"],
    "pruned.under threshold": OKABE_ITO["orange"],
    "pruned.comma rule": OKABE_ITO["green"],
    "pruned.constraint": OKABE_ITO["yellow"],
}
_GREYS = {
    "gap.S": "#e6e6e6",
    "gap.C": "#b3b3b3",
    "gap.E": "#404040",
    "gap.B": "#808080",
    "gap.N": "#cdcdcd",
    "pruned.dominated": "#b0b0b0",
    "pruned.out of beam": "#4d4d4d",
    "pruned.under threshold": "#8a8a8a",
    "pruned.comma rule": "#666666",
    "pruned.constraint": "#2b2b2b",
}

CIVIDIS = (
    "#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073", "#7d7c78",
    "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846", "#fee838",
)  # fmt: skip
"""The scale at seventeen even steps, from improbable to probable."""
_ON_DARK = CIVIDIS[2:]
"""On a dark ground the scale begins a little higher, where it can be told from the ground."""
_GREY_SCALE = ("#e0e0e0", "#1a1a1a")
"""Without colours, on white: the probable is dark, or it would look like nothing at all."""


@dataclass(frozen=True)
class Theme:
    """The colours of one appearance.

    Attributes
    ----------
    name, title
        How settings and menus call it.
    dark
        Whether its background is dark.
    colours
        Colour of every plain role, as ``#rrggbb``.
    heat
        The scale of probability.
    """

    name: str
    title: str
    dark: bool
    colours: Mapping[str, str]
    heat: tuple[str, ...] = CIVIDIS

    def __hash__(self) -> int:
        return hash(self.name)

    @lru_cache(maxsize=4096)  # noqa: B019 - themes live as long as the program
    def colour(self, role: str) -> str:
        """Return the colour of a role.

        Beside the plain roles there are ``heat:0.4`` (a probability's place on its scale), ``count:0.4`` (from nothing
        to many), ``tint:ROLE`` (a light wash of it) and ``on:ROLE`` (type that is set on it).
        """
        kind, colon, rest = role.partition(":")
        if not colon:
            return self.colours[role]
        if kind == "heat":
            return _on_scale(self.heat, float(rest))
        if kind == "count":
            share = float(rest)
            return blend(self.colours["background"], self.colours["many"], 0.08 + 0.92 * share)
        if kind == "tint":
            return blend(self.colours["background"], self.colour(rest), 0.16)
        if kind == "on":
            ground = self.colour(rest)
            return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, ground))
        raise KeyError(role)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def blend(first: str, second: str, share: float) -> str:
    """Return a colour between two: `share` of the second."""
    share = max(0.0, min(1.0, share))
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _on_scale(scale: tuple[str, ...], level: float) -> str:
    place = max(0.0, min(1.0, level)) * (len(scale) - 1)
    low = min(int(place), len(scale) - 2)
    return blend(scale[low], scale[low + 1], place - low)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _theme(name: str, title: str, dark: bool, heat: tuple[str, ...] = CIVIDIS, **colours: str) -> Theme:
    plain = {role.replace("_", "."): colour for role, colour in colours.items()}
    hues = _GREYS if heat is _GREY_SCALE else _HUES
    # What is new since a change is as much beyond what it is held against as what is extra.
    return Theme(name, title, dark, {**hues, **plain, "new": plain["extra"]}, heat)


LIGHT = _theme(
    "light",
    "Light",
    False,
    background="#fdfdfc",
    surface="#f3f3f1",
    ink="#1b1d20",
    muted="#565c63",
    faint="#656b72",
    line="#7d848c",
    hairline="#d9dcdf",
    accent="#b84a00",
    match="#007a59",
    missing="#b84a00",
    extra="#0067a0",
    found="#8b2c78",
    many="#5f7f9c",
)
DARK = _theme(
    "dark",
    "Dark",
    True,
    _ON_DARK,
    background="#17191c",
    surface="#212429",
    ink="#eceef0",
    muted="#b0b6bd",
    faint="#8f969e",
    line="#878e96",
    hairline="#3a3f46",
    accent="#ff9a52",
    match="#3cc79c",
    missing="#ff9a52",
    extra="#6cc1f2",
    found="#e8a3dc",
    many="#6f93b4",
)
HIGH_CONTRAST = _theme(
    "contrast",
    "High contrast",
    False,
    background="#ffffff",
    surface="#ffffff",
    ink="#000000",
    muted="#000000",
    faint="#262626",
    line="#000000",
    hairline="#595959",
    accent="#a83200",
    match="#004d38",
    missing="#a83200",
    extra="#003f66",
    found="#5e0f50",
    many="#7d99b3",
)
HIGH_CONTRAST_DARK = _theme(
    "contrast-dark",
    "High contrast, dark",
    True,
    _ON_DARK,
    background="#000000",
    surface="#000000",
    ink="#ffffff",
    muted="#ffffff",
    faint="#d9d9d9",
    line="#ffffff",
    hairline="#a6a6a6",
    accent="#ffd23f",
    match="#57e0b5",
    missing="#ffd23f",
    extra="#8fd3ff",
    found="#ffb8f0",
    many="#4f7599",
)
COLOURLESS = _theme(
    "colourless",
    "Colourless",
    False,
    _GREY_SCALE,
    background="#ffffff",
    surface="#f5f5f5",
    ink="#000000",
    muted="#4d4d4d",
    faint="#5c5c5c",
    line="#737373",
    hairline="#d0d0d0",
    accent="#000000",
    match="#000000",
    missing="#000000",
    extra="#000000",
    found="#000000",
    many="#9a9a9a",
)
THEMES: Mapping[str, Theme] = {
    theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST, HIGH_CONTRAST_DARK, COLOURLESS)
}
SYSTEM = "system"
"""The name that stands for whichever of light and dark the desktop prefers."""


def on_white(theme: Theme) -> Theme:
    """Return a theme for paper, which is white; a dark one keeps its ground."""
    return theme if theme.dark else replace(theme, colours={**theme.colours, "background": "#ffffff"})
