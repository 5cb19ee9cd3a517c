"""How the window looks: theme, size of type, icons and motion; chosen once, and the same at the next start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from explorer.appearance import style_sheet as style
from explorer.appearance.icons import icon
from explorer.appearance.palette import theme_named
from explorer.application.actions import SPECS
from explorer.graphics.theme import SYSTEM, THEMES, Theme, blend

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow
    from explorer.document.preferences import Preferences

THEME_ORDER = (SYSTEM, "light", "dark", "contrast", "contrast-dark")


class Looks(QObject):
    """The looks of one window, out of this user's preferences."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = window.preferences
        self.theme_name, self.text_scale = chosen_looks(window.preferences)
        self.menu = QMenu("Theme", window)
        for name in THEME_ORDER:
            title = "As the system" if name == SYSTEM else THEMES[name].title
            action = self.menu.addAction(title, partial(self.set_theme, name))
            action.setCheckable(True)
            action.setData(name)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    @property
    def theme(self) -> Theme:
        """The theme that is shown."""
        return theme_named(self.theme_name)

    def set_theme(self, name: str) -> None:
        """Another theme."""
        self.theme_name = name
        self._preferences.keep("theme", name)
        self.apply()

    def next_theme(self) -> None:
        """The next theme of the list."""
        at = THEME_ORDER.index(self.theme_name) if self.theme_name in THEME_ORDER else 0
        self.set_theme(THEME_ORDER[(at + 1) % len(THEME_ORDER)])
        title = "as the system" if self.theme_name == SYSTEM else self.theme.title.lower()
        self._window.say(f"Theme: {title}")

    def _scheme_changed(self) -> None:
        if self.theme_name == SYSTEM:
            self.apply()

    def apply(self) -> None:
        """Give everything the theme's colours and the size of type."""
        window, theme = self._window, self.theme
        style.apply(_application(), theme, self.text_scale)
        for part in (
            window.view,
            window.inspector,
            window.summary,
            window.sentence_bar,
            window.knowledge,
        ):
            part.set_theme(theme)
        window.view.canvas.set_text_scale(self.text_scale)
        window.compare.dress()
        for action in self.menu.actions():
            action.setChecked(action.data() == self.theme_name)
        self.draw_icons()

    def draw_icons(self) -> None:
        """Icons in the theme's colours; that of playing is that of a pause while it plays."""
        theme = self.theme
        ink, faint = theme.colour("muted"), blend(theme.colour("surface"), theme.colour("muted"), 0.4)
        for spec in SPECS:
            if spec.icon:
                name = "pause" if spec.name == "play" and self._window.player.playing else spec.icon
                self._window.actions_[spec.name].setIcon(icon(name, ink, faint))

    def scale_text(self, scale: float) -> None:
        """Type of another size in the whole window."""
        self.text_scale = max(style.LEAST_SCALE, min(style.MOST_SCALE, scale))
        self._preferences.keep("text-scale", self.text_scale)
        self.apply()
        self._window.say(f"Text at {round(self.text_scale * 100)} %")

    def set_reduce_motion(self, on: bool) -> None:
        """No animation from stage to stage."""
        self._window.view.canvas.reduce_motion = on
        self._preferences.keep("reduce-motion", on)


def chosen_looks(preferences: Preferences) -> tuple[str, float]:
    """The name of the theme and the size of type that were chosen last."""
    chosen = preferences.text("theme", SYSTEM)
    return chosen if chosen in THEME_ORDER else SYSTEM, preferences.number("text-scale", 1.0)


def dress_for(preferences: Preferences) -> None:
    """Type and colours for a window that is about to be made.

    Before anything of it is: Qt passes on a font that is set before the program runs only to later widgets.  The style
    sheet comes when the window is there, see :func:`explorer.appearance.style_sheet.apply_type`.
    """
    name, scale = chosen_looks(preferences)
    style.apply_type(_application(), theme_named(name), scale)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
