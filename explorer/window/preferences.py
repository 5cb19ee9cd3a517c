"""The appearance of the window, and all preferences in one dialog; each takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from engine.common.numbers import MOST_DIGITS, USUAL_DIGITS, NumberFormat, log_text, probability_text
from explorer.kit import appearance as style_sheet
from explorer.kit.actions import FILE, VIEW, action
from explorer.kit.appearance import LEAST_SCALE, MOST_SCALE, appearance, theme_named
from explorer.kit.messages import Messages
from explorer.output.export import FORMAT, SCALE, THEME, format_box, theme_box
from explorer.output.files import usual_scale
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
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(12)
        self.theme = QComboBox()
        for name in THEME_ORDER:
            self.theme.addItem(theme_title(name), name)
        self.theme.setCurrentIndex(max(0, self.theme.findData(looks.theme_name)))
        form.addRow("&Theme", self.theme)
        self.text_size = QSlider(Qt.Orientation.Horizontal)
        self.text_size.setRange(round(LEAST_SCALE * 100), round(MOST_SCALE * 100))
        self.text_size.setSingleStep(5)
        self.text_size.setPageStep(25)
        self.text_size.setMinimumWidth(200)
        self.text_size.setAccessibleName("Text size in per cent")
        self.percent = QLabel()
        self.percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("250 %  "))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.text_size, 1)
        row.addWidget(self.percent)
        size = QLabel("Text &size")
        size.setBuddy(self.text_size)
        form.addRow(size, row)
        self.reduce_motion = QCheckBox("No animation from stage to stage")
        self.reduce_motion.setChecked(appearance().reduce_motion)
        form.addRow("Motion", self.reduce_motion)
        self.digits = QComboBox()
        for digits in range(USUAL_DIGITS, MOST_DIGITS + 1):
            self.digits.addItem("", digits)
        self._fill_digits()
        self.digits.setCurrentIndex(self.digits.findData(NumberFormat.digits))
        form.addRow("&Numbers", self.digits)
        self.export_format, self.export_theme = format_box(preferences), theme_box(preferences)
        self.export_format.setAccessibleName("Format of exported pictures")
        self.export_theme.setAccessibleName("Colours of exported pictures")
        exports = QHBoxLayout()
        exports.setSpacing(12)
        exports.addWidget(self.export_format)
        exports.addWidget(self.export_theme)
        exports.addStretch(1)
        form.addRow("Exports", exports)
        self.processes = QComboBox()
        self.processes.setAccessibleName("Processes that judge a long list of gold trees")
        self.processes.setToolTip("A long list of gold trees is judged by so many processes at once")
        cores = available_cores()
        self.processes.addItem(f"one process for each core ({cores})", 0)
        for count in range(1, MOST_PROCESSES + 1):
            self.processes.addItem(f"{count} process{'es' if count > 1 else ''}", count)
        self.processes.setCurrentIndex(max(0, self.processes.findData(round(preferences.number(PROCESSES, 0)))))
        form.addRow("&Judging", self.processes)
        self.forget = QPushButton("Forget recent files")
        self.forget.setToolTip("Empties the lists of recent files and models; the files themselves stay")
        self.forget.setEnabled(bool(preferences.recent("files") or preferences.recent("models")))
        form.addRow("Files", _left(self.forget))
        self.tour = QCheckBox("Show the tour at the next start")
        self.tour.setChecked(not preferences.flag(TOUR_SHOWN))
        form.addRow("Tour", self.tour)
        place = QLabel(str(preferences.folder), textFormat=Qt.TextFormat.PlainText)
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        place.setWordWrap(True)
        place.setObjectName("quiet")
        form.addRow("Settings folder", place)
        self.reset = QPushButton("Restore defaults")
        self.reset.setToolTip(
            "Theme of the system, text at 100 %, animation, three digits, exports as SVG in light colours, all cores"
        )
        close = QPushButton("Close")
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.addWidget(self.reset)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(20)
        layout.addLayout(form)
        layout.addLayout(foot)
        self.show_scale()
        self.theme.currentIndexChanged.connect(lambda _: looks.set_theme(str(self.theme.currentData())))
        self.text_size.valueChanged.connect(lambda value: looks.scale_text(value / 100))
        appearance().text_scale_changed.connect(self.show_scale)
        self.reduce_motion.toggled.connect(looks.set_reduce_motion)
        self.digits.currentIndexChanged.connect(lambda _: self._set_digits(int(self.digits.currentData())))
        self.export_format.currentIndexChanged.connect(lambda _: self._set_export_format())
        self.export_theme.currentIndexChanged.connect(
            lambda _: preferences.keep(THEME, str(self.export_theme.currentData()))
        )
        self.processes.currentIndexChanged.connect(
            lambda _: preferences.keep(PROCESSES, int(self.processes.currentData()))
        )
        self.forget.clicked.connect(forget_recent)
        self.forget.clicked.connect(lambda: self.forget.setEnabled(False))
        self.tour.toggled.connect(lambda on: preferences.keep(TOUR_SHOWN, not on))
        self.reset.clicked.connect(self.set_usual)
        close.clicked.connect(self.accept)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _fill_digits(self) -> None:
        """Show each choice by two numbers that are written so."""
        chosen = NumberFormat.digits
        for row in range(self.digits.count()):
            NumberFormat.digits = digits = int(self.digits.itemData(row))
            self.digits.setItemText(row, f"{digits} digits: {probability_text(_PROBABILITY)}, {log_text(_LOG)}")
        NumberFormat.digits = chosen

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

    def _set_export_format(self) -> None:
        """Another format, at the scale that is usual for it."""
        suffix = str(self.export_format.currentData())
        self._preferences.keep(FORMAT, suffix)
        self._preferences.keep(SCALE, usual_scale(suffix))

    def set_usual(self) -> None:
        """Everything as it is before anybody chooses."""
        self.theme.setCurrentIndex(0)
        self.text_size.setValue(100)
        self.reduce_motion.setChecked(False)
        self.digits.setCurrentIndex(self.digits.findData(USUAL_DIGITS))
        self.export_format.setCurrentIndex(0)
        self.export_theme.setCurrentIndex(0)
        self.processes.setCurrentIndex(0)


def _left(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(widget)
    row.addStretch(1)
    return row
