"""The appearance of the window: theme, size of type and motion; chosen once, and the same at the next start."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from explorer.appearance import style_sheet
from explorer.appearance.palette import theme_named
from explorer.document.messages import Messages
from explorer.document.preferences import Preferences
from explorer.graphics.theme import SYSTEM, THEMES, Theme

THEME_ORDER = (SYSTEM, "light", "dark", "contrast", "contrast-dark")
_LARGER = 1.1


class AppearanceController(QObject):
    """The appearance of one window, out of this user's preferences.

    Signals
    -------
    theme_changed, text_scale_changed, reduce_motion_changed
        Something of that name is another one now; every part of the window that shows it listens.
    """

    theme_changed = Signal(object)
    text_scale_changed = Signal(float)
    reduce_motion_changed = Signal(bool)

    def __init__(self, preferences: Preferences, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._messages = messages
        self._theme_name, self._text_scale = chosen_appearance(preferences)
        self.menu = QMenu("Theme", parent)
        for name in THEME_ORDER:
            action = self.menu.addAction(theme_title(name), partial(self.set_theme, name))
            action.setCheckable(True)
            action.setData(name)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    @property
    def theme(self) -> Theme:
        """The theme that is shown."""
        return theme_named(self._theme_name)

    @property
    def theme_name(self) -> str:
        """The theme that was chosen, be it that of the system."""
        return self._theme_name

    @property
    def text_scale(self) -> float:
        """The size of type; 1 is as it was designed."""
        return self._text_scale

    @property
    def reduces_motion(self) -> bool:
        """Whether there is no animation from stage to stage."""
        return self._preferences.flag("reduce-motion")

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions about the appearance do."""
        return {
            "text-larger": lambda: self.scale_text(self._text_scale * _LARGER),
            "text-smaller": lambda: self.scale_text(self._text_scale / _LARGER),
            "text-normal": lambda: self.scale_text(1.0),
            "theme": self.next_theme,
            "reduce-motion": self.set_reduce_motion,
        }

    def set_theme(self, name: str) -> None:
        """Choose another theme."""
        self._theme_name = name
        self._preferences.keep("theme", name)
        self.apply()

    def next_theme(self) -> None:
        """Choose the next theme of the list."""
        at = THEME_ORDER.index(self._theme_name) if self._theme_name in THEME_ORDER else 0
        self.set_theme(THEME_ORDER[(at + 1) % len(THEME_ORDER)])
        self._messages.show(f"Theme: {theme_title(self._theme_name).lower()}")

    def _scheme_changed(self) -> None:
        if self._theme_name == SYSTEM:
            self.apply()

    def apply(self) -> None:
        """Give everything the theme's colours, the size of type and the motion that were chosen."""
        style_sheet.apply(_application(), self.theme, self._text_scale)
        self.theme_changed.emit(self.theme)
        self.text_scale_changed.emit(self._text_scale)
        self.reduce_motion_changed.emit(self.reduces_motion)
        for action in self.menu.actions():
            action.setChecked(action.data() == self._theme_name)

    def scale_text(self, scale: float) -> None:
        """Choose another size of type for the whole window."""
        self._text_scale = max(style_sheet.LEAST_SCALE, min(style_sheet.MOST_SCALE, scale))
        self._preferences.keep("text-scale", self._text_scale)
        self.apply()
        self._messages.show(f"Text at {round(self._text_scale * 100)} %")

    def set_reduce_motion(self, on: bool) -> None:
        """Choose whether there is no animation from stage to stage."""
        self._preferences.keep("reduce-motion", on)
        self.reduce_motion_changed.emit(on)


def theme_title(name: str) -> str:
    """What menus call a theme."""
    return "As the system" if name == SYSTEM else THEMES[name].title


def chosen_appearance(preferences: Preferences) -> tuple[str, float]:
    """Get the name of the theme and the size of type that were chosen last."""
    chosen = preferences.text("theme", SYSTEM)
    return chosen if chosen in THEME_ORDER else SYSTEM, preferences.number(
        "text-scale", 1.0, style_sheet.LEAST_SCALE, style_sheet.MOST_SCALE
    )


def apply_type_before_building(preferences: Preferences) -> None:
    """Set type and colours for a window that is about to be made.

    Before anything of it is: Qt passes on a font that is set before the program runs only to later widgets.  The style
    sheet comes when the window is there, see :func:`explorer.appearance.style_sheet.apply_type`.
    """
    name, scale = chosen_appearance(preferences)
    style_sheet.apply_type(_application(), theme_named(name), scale)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
