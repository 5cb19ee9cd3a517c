"""Themes as Qt has them: the palette of the widgets around the pictures, and the theme that the desktop prefers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from explorer.graphics.theme import DARK, LIGHT, SYSTEM, THEMES, Theme, blend


def theme_named(name: str) -> Theme:
    """The theme of this name; ``system`` asks the desktop."""
    if name != SYSTEM:
        return THEMES[name]
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


def palette(theme: Theme) -> QPalette:
    """The theme's colours for the widgets around the pictures."""
    roles = QPalette.ColorRole
    colours = {
        roles.Window: theme.colour("surface"),
        roles.Base: theme.colour("background"),
        roles.AlternateBase: theme.colour("surface"),
        roles.Button: theme.colour("surface"),
        roles.ToolTipBase: theme.colour("surface"),
        roles.WindowText: theme.colour("ink"),
        roles.Text: theme.colour("ink"),
        roles.ButtonText: theme.colour("ink"),
        roles.ToolTipText: theme.colour("ink"),
        roles.BrightText: theme.colour("accent"),
        roles.PlaceholderText: theme.colour("faint"),
        roles.Highlight: theme.colour("accent"),
        roles.HighlightedText: theme.colour("on:accent"),
        roles.Accent: theme.colour("accent"),
        roles.Link: theme.colour("accent"),
        roles.LinkVisited: theme.colour("accent"),
        roles.Light: theme.colour("background"),
        roles.Midlight: theme.colour("surface"),
        roles.Mid: theme.colour("hairline"),
        roles.Dark: theme.colour("line"),
        roles.Shadow: theme.colour("hairline"),
    }
    made = QPalette()
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(
            QPalette.ColorGroup.Disabled, role, QColor(blend(theme.colour("surface"), theme.colour("ink"), 0.5))
        )
    return made
