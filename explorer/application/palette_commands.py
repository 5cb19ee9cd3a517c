"""What the command palette finds beside the actions: themes, settings, recent files, models, pages of the manual."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from engine.common.resources import bundled_models
from engine.settings import SETTING_NAMES
from explorer.application.actions import ACTIONS
from explorer.application.appearance_controller import AppearanceController
from explorer.application.command_palette import Command
from explorer.application.file_controller import FileController
from explorer.classroom.lesson_resources import bundled_lessons, lesson_title
from explorer.document.earlier_sessions import earlier_title
from explorer.explanations.glosses import setting_gloss
from explorer.help.manual import sections
from explorer.help.shortcut_sheet import keys_of, title_of
from explorer.panels.settings_strip import SettingsStrip

_MENU_OF = {entry.name: entry.menu for entry in ACTIONS}


def commands(
    actions: Sequence[QAction],
    appearance: AppearanceController,
    files: FileController,
    strip: SettingsStrip,
    open_manual: Callable[[str], object],
) -> list[Command]:
    """Everything that can be found: what is done most often first, pages of the manual last."""
    return [
        *_actions(actions),
        *_settings(strip),
        *_themes(appearance),
        *_files(files),
        *_pages(open_manual),
    ]


def _actions(actions: Sequence[QAction]) -> Iterator[Command]:
    for action in actions:
        if action.isEnabled():
            sort = _MENU_OF.get(action.objectName(), "Panel")
            yield Command(title_of(action), sort, action.trigger, keys_of(action), action.statusTip())


def _settings(strip: SettingsStrip) -> Iterator[Command]:
    """The settings that are numbers: their fields are gone to."""
    for setting, field in (("beam", strip.field), ("threshold", strip.threshold)):
        tip = setting_gloss(setting).sentence
        yield Command(f"Set {SETTING_NAMES[setting]} …", "Settings", partial(_edit, field), tip=tip)


def _edit(field: QLineEdit) -> None:
    field.setFocus()
    field.selectAll()


def _themes(appearance: AppearanceController) -> Iterator[Command]:
    for action in appearance.menu.actions():
        yield Command(f"Theme: {action.text().lower()}", "View", action.trigger, tip="Show the window in these colours")


def _files(files: FileController) -> Iterator[Command]:
    for path in files.recent():
        yield Command(f"Open {path.name}", "Recent file", partial(files.open_path, path), tip=str(path))
    for path in files.earlier():
        tip = "A session that another one took the place of"
        yield Command(f"Earlier session: {earlier_title(path)}", "Earlier", partial(files.open_earlier, path), tip=tip)
    for path in bundled_lessons():
        tip = "A lesson that comes with the program"
        yield Command(f"Lesson: {lesson_title(path)}", "Lesson", partial(files.open_path, path), tip=tip)
    for name, path in bundled_models().items():
        tip = "A model that comes with the program"
        yield Command(f"Model: {name}", "Model", partial(files.open_path, path), tip=tip)
    for path in files.recent_models():
        yield Command(f"Model: {path.stem}", "Recent model", partial(files.open_path, path), tip=str(path))


def _pages(open_manual: Callable[[str], object]) -> Iterator[Command]:
    for section in sections():
        title = section.title if section.level == 1 else f"{section.title} ({section.page_title})"
        yield Command(title, "Manual", partial(open_manual, section.place), tip=section.text[:200], exact=True)
