"""The appearance of the window, and all preferences in one dialog; each takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QSlider, QWidget

from engine.common.numbers import MOST_DIGITS, USUAL_DIGITS, NumberFormat, log_text, probability_text
from explorer.kit import appearance as style_sheet
from explorer.kit.actions import FILE, VIEW, action
from explorer.kit.appearance import LEAST_SCALE, MOST_SCALE, appearance, theme_named
from explorer.kit.controls import in_column, in_row, named, push_button
from explorer.kit.forms import Choice, Form, Switch
from explorer.kit.messages import Messages
from explorer.output.export import FORMAT, PICTURE_THEMES, SCALE, THEME
from explorer.output.files import PICTURE_FORMATS, usual_scale
from explorer.pictures.theme import SYSTEM, THEMES
from explorer.session.preferences import MOST_PROCESSES, PROCESSES, Preferences, available_cores
from explorer.window.files import FileController

# The appearance of the window: theme, size of type and motion; chosen once, and the same at the next start.

THEME_ORDER = (SYSTEM, "light", "dark", "contrast", "contrast-dark")
_LARGER = 1.1


class AppearanceController(QObject):
    """Chooses how the program looks (:class:`explorer.kit.appearance.Appearance`), and remembers it."""

    def __init__(self, preferences: Preferences, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._messages = messages
        self._theme_name = chosen_appearance(preferences)[0]
        self.menu = QMenu("Theme", parent)
        for name in THEME_ORDER:
            entry = self.menu.addAction(theme_title(name), partial(self.set_theme, name))
            entry.setCheckable(True)
            entry.setData(name)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    @property
    def theme_name(self) -> str:
        """The theme that was chosen, be it that of the system."""
        return self._theme_name

    def set_theme(self, name: str) -> None:
        """Choose another theme."""
        self._theme_name = name
        self._preferences.keep("theme", name)
        self.apply()

    @action("text-larger", "Larger text", VIEW, "Ctrl+>", separated=True)
    def enlarge_text(self) -> None:
        """Make the type of the whole window larger."""
        self.scale_text(appearance().text_scale * _LARGER)

    @action("text-smaller", "Smaller text", VIEW, "Ctrl+<")
    def reduce_text(self) -> None:
        """Make the type of the whole window smaller."""
        self.scale_text(appearance().text_scale / _LARGER)

    @action("text-normal", "Normal text", VIEW, "Ctrl+Shift+0")
    def normal_text(self) -> None:
        """Type of the whole window at its normal size."""
        self.scale_text(1.0)

    @action("theme", "Next theme", VIEW, "Shift+F9", separated=True)
    def next_theme(self) -> None:
        """Light, dark, high contrast, high contrast dark, or as the system has it."""
        at = THEME_ORDER.index(self._theme_name) if self._theme_name in THEME_ORDER else 0
        self.set_theme(THEME_ORDER[(at + 1) % len(THEME_ORDER)])
        self._messages.show(f"Theme: {theme_title(self._theme_name).lower()}")

    @action("reduce-motion", "Reduce motion", VIEW, "Ctrl+Shift+M", checkable=True)
    def set_reduce_motion(self, on: bool) -> None:
        """No animation from stage to stage."""
        self._preferences.keep("reduce-motion", on)
        appearance().reduce_motion = on

    def _scheme_changed(self) -> None:
        if self._theme_name == SYSTEM:
            self.apply()

    def apply(self, text_scale: float | None = None) -> None:
        """Give everything the theme's colours, and this size of type if it is another one."""
        look, theme = appearance(), theme_named(self._theme_name)
        text_scale = look.text_scale if text_scale is None else text_scale
        style_sheet.apply(_application(), theme, text_scale)
        with look.together():
            look.theme = theme
            look.text_scale = text_scale
        for entry in self.menu.actions():
            entry.setChecked(entry.data() == self._theme_name)

    def scale_text(self, scale: float) -> None:
        """Choose another size of type for the whole window."""
        scale = max(style_sheet.LEAST_SCALE, min(style_sheet.MOST_SCALE, scale))
        self._preferences.keep("text-scale", scale)
        self.apply(scale)
        self._messages.show(f"Text at {round(scale * 100)} %")


def theme_title(name: str) -> str:
    """What menus call a theme."""
    return "As the system" if name == SYSTEM else THEMES[name].title


def chosen_appearance(preferences: Preferences) -> tuple[str, float]:
    """Get the name of the theme and the size of type that were chosen last."""
    chosen = preferences.text("theme", SYSTEM)
    return chosen if chosen in THEME_ORDER else SYSTEM, preferences.number(
        "text-scale", 1.0, style_sheet.LEAST_SCALE, style_sheet.MOST_SCALE
    )


def apply_before_building(preferences: Preferences) -> None:
    """Set type, colours, motion and numbers as they were chosen last, for a window that is about to be made.

    Before anything of it is: Qt passes on a font that is set before the program runs only to later widgets.  The style
    sheet comes when the window is there, see :func:`explorer.kit.appearance.apply_type`.
    """
    name, scale = chosen_appearance(preferences)
    look = appearance()
    with look.together():
        look.theme, look.text_scale = theme_named(name), scale
        look.reduce_motion = preferences.flag("reduce-motion")
        look.digits = _chosen_digits(preferences)
    NumberFormat.digits = look.digits
    style_sheet.apply_type(_application(), look.theme, scale)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


# The preferences in one dialog; each takes effect at once, and is the same at the next start.

DIGITS = "digits"
TOUR_SHOWN = "tour-shown"
_PROBABILITY = 0.0421337
_LOG = -3.4189274


def _chosen_digits(preferences: Preferences) -> int:
    """How many digits numbers are to have."""
    chosen = round(preferences.number(DIGITS, USUAL_DIGITS))
    return chosen if USUAL_DIGITS <= chosen <= MOST_DIGITS else USUAL_DIGITS


class PreferencesController:
    """Opens the preferences of a window.

    Parameters
    ----------
    preferences, looks, files
        What is changed.
    parent
        The window over which the dialog opens.
    """

    def __init__(
        self,
        preferences: Preferences,
        looks: AppearanceController,
        files: FileController,
        parent: QWidget,
    ) -> None:
        self._preferences = preferences
        self._looks = looks
        self._files = files
        self._parent = parent

    @action("preferences", "Preferences …", FILE, "Ctrl+,", separated=True)
    def open_dialog(self) -> None:
        """Theme, text size, motion, digits of numbers, recent files, the tour."""
        PreferencesDialog(self._preferences, self._looks, self._files.forget_recent, self._parent).open()


class PreferencesDialog(QDialog):
    """Theme, text size, motion, numbers, exports, recent files and the tour.

    Parameters
    ----------
    preferences, looks
        What is changed.
    forget_recent
        Forgets which files were opened.
    parent
        The window over which it opens.
    """

    def __init__(
        self,
        preferences: Preferences,
        looks: AppearanceController,
        forget_recent: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setWindowTitle("Preferences")
        self._preferences = preferences
        self._looks = looks
        cores = available_cores()
        counts = {count: f"{count} process{'es' if count > 1 else ''}" for count in range(1, MOST_PROCESSES + 1)}
        fields = (
            Choice("theme", "&Theme", choices={name: theme_title(name) for name in THEME_ORDER}),
            Switch("reduce_motion", "No animation from stage to stage", about="Motion"),
            Choice("digits", "&Numbers", choices=_written_numbers()),
            Choice("form", "", spoken="Format of exported pictures", choices=PICTURE_FORMATS),
            Choice("colours", "", spoken="Colours of exported pictures", choices=PICTURE_THEMES),
            Choice(
                "processes",
                "&Judging",
                "A long list of gold trees is judged by so many processes at once",
                spoken="Processes that judge a long list of gold trees",
                choices={0: f"one process for each core ({cores})", **counts},
            ),
            Switch("tour", "Show the tour at the next start", about="Tour"),
        )
        self.fields = Form(fields, preferences, self)
        self.fields.show(
            theme=looks.theme_name,
            reduce_motion=appearance().reduce_motion,
            digits=NumberFormat.digits,
            form=preferences.text(FORMAT),
            colours=preferences.text(THEME),
            processes=round(preferences.number(PROCESSES, 0)),
            tour=not preferences.flag(TOUR_SHOWN),
        )
        rows = self.fields.rows("theme", "reduce_motion", "digits", "processes", "tour", spacing=(24, 12))
        self.text_size = named(QSlider(Qt.Orientation.Horizontal), "Text size in per cent")
        self.text_size.setRange(round(LEAST_SCALE * 100), round(MOST_SCALE * 100))
        self.text_size.setSingleStep(5)
        self.text_size.setPageStep(25)
        self.text_size.setMinimumWidth(200)
        self.percent = QLabel()
        self.percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("250 %  "))
        size = QLabel("Text &size")
        size.setBuddy(self.text_size)
        rows.insertRow(1, size, in_row((self.text_size, 1), self.percent, spacing=12))
        rows.insertRow(4, "Exports", in_row(self.fields["form"], self.fields["colours"], None, spacing=12))
        tip = "Empties the lists of recent files and models; the files themselves stay"
        self.forget = push_button("Forget recent files", tip, forget_recent)
        self.forget.setEnabled(bool(preferences.recent("files") or preferences.recent("models")))
        rows.insertRow(6, "Files", in_row(self.forget, None))
        place = QLabel(str(preferences.folder), textFormat=Qt.TextFormat.PlainText)
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        place.setWordWrap(True)
        place.setObjectName("quiet")
        rows.addRow("Settings folder", place)
        usual = (
            "Theme of the system, text at 100 %, animation, three digits, exports as SVG in light colours, all cores"
        )
        self.reset = push_button("Restore defaults", usual, self.set_usual)
        close = push_button("Close", "", self.accept)
        close.setDefault(True)
        self.setLayout(in_column(rows, in_row(self.reset, None, close), margins=(20, 20, 20, 16), spacing=20))
        self.show_scale()
        self.text_size.valueChanged.connect(lambda value: looks.scale_text(value / 100))
        appearance().text_scale_changed.connect(self.show_scale)
        self.forget.clicked.connect(lambda: self.forget.setEnabled(False))
        self.fields["reduce_motion"].toggled.connect(looks.set_reduce_motion)
        self.fields["tour"].toggled.connect(lambda on: preferences.keep(TOUR_SHOWN, not on))
        for name, choose in (
            ("theme", looks.set_theme),
            ("digits", self._set_digits),
            ("form", self._set_export_format),
            ("colours", partial(preferences.keep, THEME)),
            ("processes", partial(preferences.keep, PROCESSES)),
        ):
            self.fields[name].currentIndexChanged.connect(
                lambda _, name=name, choose=choose: choose(self.fields.value(name))
            )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show_scale(self) -> None:
        """Show another size of type, by whatever it was chosen."""
        scale = appearance().text_scale
        with QSignalBlocker(self.text_size):
            self.text_size.setValue(round(scale * 100))
        self.percent.setText(f"{round(scale * 100)} %")

    def _set_digits(self, digits: int) -> None:
        self._preferences.keep(DIGITS, digits)
        NumberFormat.digits = digits
        appearance().digits = digits

    def _set_export_format(self, suffix: str) -> None:
        """Another format, at the scale that is usual for it."""
        self._preferences.keep(FORMAT, suffix)
        self._preferences.keep(SCALE, usual_scale(suffix))

    def set_usual(self) -> None:
        """Everything as it is before anybody chooses."""
        self.text_size.setValue(100)
        self.fields.show(theme=SYSTEM, reduce_motion=False, digits=USUAL_DIGITS, form="", colours="", processes=0)


def _written_numbers() -> dict[int, str]:
    """How many digits there may be, each shown by two numbers that are written so."""
    chosen, found = NumberFormat.digits, {}
    for digits in range(USUAL_DIGITS, MOST_DIGITS + 1):
        NumberFormat.digits = digits
        found[digits] = f"{digits} digits: {probability_text(_PROBABILITY)}, {log_text(_LOG)}"
    NumberFormat.digits = chosen
    return found
