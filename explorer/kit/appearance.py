"""How the program looks: its theme, size of type and motion, and the palette, style sheet and icons of a theme."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

from engine.common.numbers import USUAL_DIGITS
from engine.common.resources import read_bundled, resources_folder
from explorer.kit.fonts import FALLBACK, register_fonts
from explorer.kit.state import State, observed
from explorer.pictures.theme import DARK, LIGHT, SYSTEM, THEMES, Theme, blend

# What canvases, tables and panels observe, or read when they paint: under a new theme everything is painted anew.


class Appearance(State):
    """How the program looks, as its user has chosen.

    Attributes
    ----------
    theme
        The colours.
    text_scale
        The size of type; 1 is as it was designed.
    reduce_motion
        Whether there is no animation from picture to picture.
    digits
        How many digits numbers have: those of :class:`engine.common.numbers.NumberFormat`.
    """

    theme_changed = Signal()
    text_scale_changed = Signal()
    reduce_motion_changed = Signal()
    digits_changed = Signal()

    theme = observed(LIGHT)
    text_scale = observed(1.0)
    reduce_motion = observed(False)
    digits = observed(USUAL_DIGITS)


@cache
def appearance() -> Appearance:
    """How this program looks: one for all its windows, as its style sheet is."""
    return Appearance()


# What the window starts with, and its icons; :mod:`engine.common.resources` knows where the files are.

PAPER_SENTENCE = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD "
    "his/PRP$ resignation/NN yesterday/NN ./."
)
"""The sentence of the paper's Figure 1(a)."""


def icon_file(name: str) -> Path:
    """The file of an icon."""
    return resources_folder() / "icons" / f"{name}.svg"


# Icons: single-colour strokes in SVG, drawn in the theme's ink.

SIZES = (16, 20, 32, 40, 64)
_INK = "#000000"


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str) -> QIcon:
    """The icon of this name in these colours; an empty one if there is no such file."""
    made = QIcon()
    path = icon_file(name)
    if not path.is_file():
        return made
    source = read_bundled(path)
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(source.replace(_INK, ink).encode()))
        for size in SIZES:
            pixmap = QPixmap(QSize(size, size))
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, size, size))
            painter.end()
            made.addPixmap(pixmap, mode)
    return made


# Themes as Qt has them: the palette of the widgets around the pictures, and the theme that the desktop prefers.


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


# The look of the widgets around the pictures: hairlines instead of boxes, one accent colour.

BASE_POINTS = 10.0
LEAST_SCALE, MOST_SCALE = 0.7, 2.5
_SIDE_ICON = 20


def stylesheet(theme: Theme, scale: float = 1.0) -> str:
    """The style sheet of a theme; signs are as large as the type around them."""
    colour = theme.colour
    pressed = blend(colour("surface"), colour("ink"), 0.10)
    hover = blend(colour("surface"), colour("ink"), 0.05)
    return f"""
    QMainWindow, QMenuBar, QStatusBar, #sentence-bar, #settings-strip, #stage-strip {{
        background: {colour("surface")}; }}
    QMenuBar {{ border-bottom: 1px solid {colour("hairline")}; }}
    QStatusBar {{ border-top: 1px solid {colour("hairline")}; }}
    QStatusBar::item {{ border: none; }}
    #sentence-bar, #chips, #sentence-edit {{ background: {colour("background")}; }}
    #settings-strip, #stage-strip {{ border-top: 1px solid {colour("hairline")}; }}
    #stage-strip {{ border-bottom: 1px solid {colour("hairline")}; }}
    QToolBar {{ border: none; background: {colour("surface")}; padding: 0; spacing: 2px; }}
    QToolBar#side {{ border-right: 1px solid {colour("hairline")}; padding: 4px;
        icon-size: {round(_SIDE_ICON * scale**0.5)}px; }}
    QToolButton#qt_toolbar_ext_button {{ padding: 0; }}
    QToolButton, QPushButton, QMenu {{ icon-size: {_pixels(16, scale)}; }}
    QToolButton {{
        border: none; border-radius: 4px; padding: 4px 8px; color: {colour("ink")}; background: transparent; }}
    QToolButton:hover {{ background: {hover}; }}
    QToolButton:pressed {{ background: {pressed}; }}
    QToolButton:focus {{ outline: none; border: 1px solid {colour("accent")}; padding: 3px 7px; }}
    QToolButton:checked {{ background: {colour("background")}; color: {colour("accent")}; font-weight: bold;
        border: 1px solid {colour("hairline")}; padding: 3px 7px; }}
    SettingsStrip QToolButton:checked {{ font-weight: normal; }}
    QToolButton:checked:focus {{ border: 1px solid {colour("accent")}; }}
    QToolButton:disabled {{ color: {colour("faint")}; }}
    QToolButton::menu-indicator {{ image: none; width: 0; }}
    QLabel#quiet {{ color: {colour("muted")}; }}
    QLabel#problem, QLabel#banner-text {{ color: {colour("accent")}; }}
    QFrame#what-if-banner {{ background: {colour("tint:accent")}; border: none;
        border-bottom: 1px solid {colour("accent")}; }}
    QFrame#banner {{
        background: {colour("tint:accent")}; border: none; border-bottom: 1px solid {colour("hairline")}; }}
    QFrame#hairline {{ color: {colour("hairline")}; max-width: 1px; border: none; background: {colour("hairline")}; }}
    QLineEdit {{ background: {colour("background")}; border: 1px solid {colour("hairline")}; border-radius: 4px;
        padding: 2px 6px; selection-background-color: {colour("accent")}; }}
    QLineEdit:focus, QComboBox:focus {{ border: 1px solid {colour("accent")}; }}
    {_choices(theme, scale)}
    QPushButton {{ background: {colour("background")}; border: 1px solid {colour("hairline")}; border-radius: 4px;
        padding: 4px 16px; }}
    QDialogButtonBox QPushButton {{ min-width: 56px; }}
    QPushButton:hover {{ background: {hover}; }}
    QPushButton:pressed {{ background: {pressed}; }}
    QPushButton:default, QPushButton:focus {{ border: 1px solid {colour("accent")}; }}
    QPushButton:disabled {{ color: {colour("faint")}; }}
    QTreeWidget {{ background: {colour("background")}; border: none; }}
    QTreeWidget::item {{ padding: 3px 4px; }}
    QTreeWidget::item:selected {{ background: {colour("tint:accent")}; color: {colour("ink")}; }}
    QPlainTextEdit#sentence-edit {{ border: 1px solid {colour("hairline")}; border-radius: 4px; }}
    QPlainTextEdit#sentence-edit:focus {{ border: 1px solid {colour("accent")}; }}
    #dock-title {{ background: {colour("surface")}; border-bottom: 1px solid {colour("hairline")}; }}
    #dock-title QToolButton {{ icon-size: {_pixels(12, scale)}; padding: 4px; }}
    #dock-title QToolButton:focus {{ padding: 3px; }}
    QMainWindow::separator {{ background: {colour("hairline")}; width: 1px; height: 1px; }}
    QSplitter::handle {{ background: {colour("hairline")}; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QTabWidget::pane {{
        border: none; border-top: 1px solid {colour("hairline")}; background: {colour("background")}; }}
    QTabBar {{ background: {colour("surface")}; }}
    QTabBar::tab {{ background: transparent; color: {colour("muted")}; padding: 5px 12px; border: none;
        border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {colour("ink")}; border-bottom: 2px solid {colour("accent")}; }}
    QTabBar::tab:hover {{ color: {colour("ink")}; }}
    QTableView, QListView, QTextBrowser, QTextEdit {{ background: {colour("background")}; border: none;
        selection-background-color: {colour("tint:accent")}; selection-color: {colour("ink")}; }}
    QTableView::item {{ padding: 0 8px; border: none; }}
    QListView::item {{ padding: 3px 8px; border: none; }}
    QTableView::item:selected, QListView::item:selected {{
        background: {colour("tint:accent")}; color: {colour("ink")}; }}
    QHeaderView {{ background: {colour("background")}; }}
    QHeaderView::section {{ background: {colour("background")}; color: {colour("muted")}; border: none;
        border-bottom: 1px solid {colour("hairline")}; padding: 3px 11px; }}
    QHeaderView::section:vertical {{ border: none; padding: 3px 16px 3px 4px; }}
    QTableCornerButton::section {{ background: {colour("background")}; border: none;
        border-bottom: 1px solid {colour("hairline")}; }}
    QSlider {{ background: transparent; }}
    QSlider::groove:horizontal {{ height: 2px; background: {colour("line")}; border-radius: 1px; }}
    QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -5px 0; border-radius: 6px;
        background: {colour("accent")}; border: none; }}
    QProgressBar {{ border: none; background: {colour("hairline")}; border-radius: 2px; max-height: 4px; }}
    QProgressBar::chunk {{ background: {colour("accent")}; border-radius: 2px; }}
    QMenu {{ background: {colour("background")}; border: 1px solid {colour("hairline")}; padding: 4px 0; }}
    QMenu::item {{ padding: 4px 24px 4px 12px; }}
    QMenu::icon, QMenu::indicator {{ left: 8px; }}
    QMenu::item:selected {{ background: {colour("tint:accent")}; color: {colour("ink")}; }}
    QMenu::item:disabled {{ color: {colour("faint")}; }}
    QMenu::separator {{ height: 1px; background: {colour("hairline")}; margin: 4px 0; }}
    QToolTip {{
        background: {colour("background")}; color: {colour("ink")}; border: 1px solid {colour("line")}; padding: 4px; }}
    #tour-card {{ background: {colour("background")}; border: 1px solid {colour("accent")}; border-radius: 8px; }}
    #tour-outline {{ border: 2px solid {colour("accent")}; border-radius: 4px; background: transparent; }}
    #tour-title {{ font-weight: bold; }}
    #presenter, #question, #presenter-caption, #presenter-caption QLabel {{ background: {colour("background")}; }}
    #presenter-caption {{ border: none; border-top: 1px solid {colour("hairline")}; }}
    #presenter-question, #presenter-question QLabel {{ background: {colour("surface")}; border: none; }}
    #presenter-what-if {{ background: {colour("tint:accent")}; }}
    #presenter-note {{ background: {colour("surface")}; border: 1px solid {colour("muted")}; padding: 12px; }}
    #palette {{ background: {colour("background")}; border: 1px solid {colour("line")}; }}
    QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; }}
    QScrollBar:horizontal {{ height: 10px; background: transparent; margin: 0; }}
    QScrollBar::handle {{
        background: {colour("hairline")}; border-radius: 3px; min-width: 24px; min-height: 24px; margin: 2px; }}
    QScrollBar::handle:hover {{ background: {colour("line")}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """


def _pixels(size: float, scale: float) -> str:
    """A size that grows with the type."""
    return f"{round(size * scale)}px"


def _choices(theme: Theme, scale: float) -> str:
    """The rules of boxes to tick, to choose from and to count with."""
    colour = theme.colour
    # Arrows of a grey that can be told from a light ground and from a dark one.
    down, up = (icon_file(f"chevron-{way}").as_posix() for way in ("down", "up"))
    # A tick that can be told from the accent colour.
    check = icon_file("check-black" if QColor(colour("on:accent")).lightness() < 128 else "check-white").as_posix()
    return f"""
    QCheckBox::indicator, QRadioButton::indicator {{ width: {_pixels(13, scale)}; height: {_pixels(13, scale)}; }}
    QCheckBox::indicator {{ border: 1px solid {colour("muted")}; border-radius: 3px;
        background: {colour("background")}; }}
    QCheckBox::indicator:focus {{ border: 1px solid {colour("accent")}; }}
    QCheckBox::indicator:checked {{ border: 1px solid {colour("accent")}; background: {colour("accent")};
        image: url("{check}"); }}
    QCheckBox::indicator:disabled {{ border: 1px solid {colour("faint")}; }}
    QComboBox {{ background: {colour("background")}; border: 1px solid {colour("hairline")}; border-radius: 4px;
        padding: 2px 6px; }}
    QComboBox::drop-down {{ border: none; width: {_pixels(20, scale)}; }}
    QComboBox::down-arrow {{ image: url("{down}"); width: {_pixels(12, scale)}; height: {_pixels(12, scale)}; }}
    QAbstractSpinBox {{ background: {colour("background")}; border: 1px solid {colour("hairline")}; border-radius: 4px;
        padding: 2px 6px; }}
    QAbstractSpinBox:focus {{ border: 1px solid {colour("accent")}; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: {_pixels(20, scale)};
        background: transparent; }}
    QAbstractSpinBox::up-arrow {{ image: url("{up}"); width: {_pixels(10, scale)}; height: {_pixels(10, scale)}; }}
    QAbstractSpinBox::down-arrow {{ image: url("{down}"); width: {_pixels(10, scale)}; height: {_pixels(10, scale)}; }}
    """


def apply(application: QApplication, theme: Theme, scale: float) -> None:
    """Give the whole application a theme and a size of type."""
    if apply_type(application, theme, scale):
        # Until the program runs Qt tells no widget of a new font; a widget that is restyled takes it.
        application.setStyle(QStyleFactory.create("Fusion"))
    sheet = stylesheet(theme, scale)
    if application.styleSheet() != sheet:
        application.setStyleSheet(sheet)


def apply_type(application: QApplication, theme: Theme, scale: float) -> bool:
    """Give the whole application a theme's colours and a size of type, without the style sheet; whether type is new.

    For a window that is about to be built: under a style sheet every widget is restyled each time that something
    around it is put into something else.
    """
    family = register_fonts()
    # Under a style sheet the style has another name; and to set one restyles every widget.
    if not application.styleSheet() and application.style().objectName().lower() != "fusion":
        application.setStyle(QStyleFactory.create("Fusion"))
    font = QFont([family, FALLBACK])
    font.setPointSizeF(BASE_POINTS * scale)
    font.setFeature(QFont.Tag("tnum"), 1)
    colours = palette(theme)
    # Each of these restyles every widget: only where something is new.
    new_type = application.font() != font
    if new_type:
        application.setFont(font)
    if application.palette() != colours:
        application.setPalette(colours)
    return new_type
