"""The command palette (Ctrl+K): finds whatever can be done, opened or read by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.common.resources import bundled_models
from engine.explain.glosses import setting_gloss
from engine.settings import SETTING_NAMES
from explorer.classroom.lesson import bundled_lessons, lesson_title
from explorer.kit.appearance import appearance
from explorer.panels.settings import SettingsStrip
from explorer.session.recovery import earlier_title
from explorer.window.actions import WindowActions
from explorer.window.files import FileController
from explorer.window.manual import sections
from explorer.window.preferences import AppearanceController
from explorer.window.shortcuts import keys_of, title_of

# The command palette (Ctrl+K): finds whatever can be done, opened or read by a few letters of its name.

_COMMAND = Qt.ItemDataRole.UserRole
_TITLE, _SORT, _KEYS = range(3)


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the palette finds.

    Attributes
    ----------
    title
        What is looked for.
    sort
        What sort of thing it is: a menu's name, a theme, a recent file, a page of the manual.
    run
        Does it.
    keys, tip
        Its shortcut, and what it does in a sentence.
    exact
        Whether all words must occur; otherwise letters in their order do.
    """

    title: str
    sort: str
    run: Callable[[], object]
    keys: str = ""
    tip: str = ""
    exact: bool = False


def match(query: str, title: str, exact: bool = False) -> int | None:
    """How well a title fits what was typed, the smaller the better; ``None`` if it does not.

    All words of the query must occur; failing that, unless `exact`, its letters in their order.
    """
    wanted, have = query.lower().split(), title.lower()
    if not wanted:
        return 0
    places = [have.find(word) for word in wanted]
    if all(place >= 0 for place in places):
        starts = sum(place > 0 and have[place - 1].isalnum() for place in places)
        return 10 * starts + min(places)
    if exact:
        return None
    at = -1
    gaps = 0
    for letter in "".join(wanted):
        following = have.find(letter, at + 1)
        if following < 0:
            return None
        gaps += following - at - 1
        at = following
    return 1000 + gaps


class CommandPalette(QDialog):
    """A line to type in and what fits it; Enter does the first.

    Parameters
    ----------
    commands
        What there is to find, the most likely first.
    search_manual
        Does something with a query that nothing fits.
    theme
        In whose colours it is shown.
    parent
        The window over which it opens.
    """

    def __init__(self, commands: Sequence[Command], search_manual: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self._commands = commands
        self._search_manual = search_manual
        self._muted = QColor(appearance().theme.colour("muted"))
        self.edit = QLineEdit(placeholderText="Find an action, a setting, a theme, a file or a page of the manual")
        self.edit.setAccessibleName("Find anything")
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformRowHeights(True)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(_TITLE, QHeaderView.ResizeMode.Stretch)
        for column in (_SORT, _KEYS):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setAccessibleName("What fits")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.edit)
        layout.addWidget(self.list)
        self.edit.textChanged.connect(self._fill)
        self.edit.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda *_: self._run())
        self.edit.installEventFilter(self)
        self._fill("")
        width = min(640, parent.width() - 80)
        self.setFixedSize(width, min(440, parent.height() - 120))
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + 80)

    def _fill(self, query: str) -> None:
        self.list.clear()
        ranked = [
            (match(query, command.title, command.exact), order, command) for order, command in enumerate(self._commands)
        ]
        fitting = [command for _, _, command in sorted((one for one in ranked if one[0] is not None), key=_place)]
        if not fitting:
            found = f"Nothing fits ‘{query.strip()}’.  Enter searches the text of the manual for it"
            fitting = [Command(found, "", lambda: self._search_manual(query.strip()))]
        self.list.addTopLevelItems([self._item(command) for command in fitting])
        self._go_to(0)

    def _item(self, command: Command) -> QTreeWidgetItem:
        item = QTreeWidgetItem([command.title, command.sort, command.keys])
        item.setToolTip(_TITLE, command.tip)
        item.setForeground(_SORT, self._muted)
        item.setTextAlignment(_KEYS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(_TITLE, _COMMAND, command)
        return item

    def _go_to(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)

    def _run(self) -> None:
        item = self.list.currentItem()
        self.close()
        if item is not None:
            command: Command = item.data(_TITLE, _COMMAND)
            command.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow keys move in the list while the line has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            count = self.list.topLevelItemCount()
            if step is not None and count:
                self._go_to((self.list.currentIndex().row() + step) % count)
                return True
        return super().eventFilter(watched, event)


def _place(ranked: tuple[int | None, int, Command]) -> tuple[int, int]:
    """Order by fit, what fits equally well by its place in the list."""
    fit, order, _ = ranked
    assert fit is not None
    return fit, order


# What the command palette finds beside the actions: themes, settings, recent files, models, pages of the manual.


def commands(
    actions: WindowActions,
    panels: Sequence[QAction],
    appearance: AppearanceController,
    files: FileController,
    strip: SettingsStrip,
    open_manual: Callable[[str], object],
) -> list[Command]:
    """Everything that can be found: what is done most often first, pages of the manual last."""
    return [
        *_actions(actions, panels),
        *_settings(strip),
        *_themes(appearance),
        *_files(files),
        *_pages(open_manual),
    ]


def _actions(actions: WindowActions, panels: Sequence[QAction]) -> Iterator[Command]:
    sorts = [(actions[entry.name], entry.menu) for entry in actions.entries]
    for action, sort in (*sorts, *((toggle, "Panel") for toggle in panels)):
        if action.isEnabled():
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
