"""The actions of a window: collected from the objects that do them, with menus, keys and tips."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from engine.explain.glosses import setting_gloss, wrapped
from engine.settings import FULL_DISTANCE, ORDER_ONLY, SETTING_NAMES
from explorer.kit.actions import (
    EDIT,
    MENUS,
    SETTINGS,
    SUBMENUS,
    Action,
    MenuLetters,
    NamedActions,
    action,
    actions,
    collected,
    with_letters,
)
from explorer.kit.appearance import appearance, icon
from explorer.panels.settings import LEAST_BEAM, SWITCHES
from explorer.pictures.theme import blend
from explorer.session.editor import DocumentEditor

# The actions on the document.

_BEAM_STEP = 1.5
_SWITCH_KEYS = tuple(f"Ctrl+Alt+{key}" for key in "PGDFWKV")


class DocumentActions:
    """Changes the document: steps back and on, the beam, the switches of the settings."""

    def __init__(self, editor: DocumentEditor) -> None:
        self._editor = editor

    @action("undo", "Undo", EDIT, "Ctrl+Z", icon="undo")
    def undo(self) -> None:
        """Take the last change back."""
        self._editor.undo_stack.undo()

    @action("redo", "Redo", EDIT, "Ctrl+Shift+Z", icon="redo", other_shortcut="Ctrl+Y")
    def redo(self) -> None:
        """Make the change again that was taken back."""
        self._editor.undo_stack.redo()

    @action("wider-beam", "Wider beam", SETTINGS, "Ctrl+]", separated=True)
    def widen_beam(self) -> None:
        """β times 1.5: fewer constituents are pruned."""
        self._scale_beam(_BEAM_STEP)

    @action("narrower-beam", "Narrower beam", SETTINGS, "Ctrl+[")
    def narrow_beam(self) -> None:
        """β divided by 1.5: more constituents are pruned."""
        self._scale_beam(1 / _BEAM_STEP)

    @action("no-beam", "No beam", SETTINGS, "Ctrl+Shift+]")
    def remove_beam(self) -> None:
        """β = ∞: the threshold alone prunes."""
        self._editor.set_settings(beam=float("inf"))

    def _scale_beam(self, factor: float) -> None:
        self._editor.set_settings(beam=max(LEAST_BEAM, float(f"{self._editor.settings.beam * factor:.3g}")))

    @actions(
        Action(
            name,
            SETTING_NAMES[field],
            SETTINGS,
            keys,
            setting_gloss(field).sentence,
            checkable=True,
            separated=name == "punctuation-rule",
            argument=field,
        )
        for (name, field), keys in zip(SWITCHES.items(), _SWITCH_KEYS, strict=True)
    )
    def switch(self, field: str, on: bool) -> None:
        """Switch one thing that the paper varies on or off."""
        value = (FULL_DISTANCE if on else ORDER_ONLY) if field == "distance" else on
        self._editor.set_settings(**{field: value})

    @action("gold-tags", "Gold tags", SETTINGS, "Ctrl+Alt+T", checkable=True)
    def use_gold_tags(self, on: bool) -> None:
        """Parse gold trees with their own tags; without, from their words alone, so that tag errors show."""
        self._editor.set_gold_tags(on)


# The actions of one window, as Qt has them.


def in_menus(found: Iterable[tuple[Action, Callable[..., object]]]) -> list[tuple[Action, Callable[..., object]]]:
    """Put actions into the order of the menus, each behind the one that it stands under."""
    entries = list(found)
    ordered = [one for one in entries if not one[0].after]
    for one in entries:
        if one[0].after:
            names = [entry.name for entry, _ in ordered]
            ordered.insert(names.index(one[0].after) + 1, one)
    return sorted(ordered, key=lambda one: MENUS.index(SUBMENUS.get(one[0].menu, one[0].menu)))


class WindowActions(QObject):
    """The actions of one window.

    Parameters
    ----------
    window
        Whose menus they stand in.
    owners
        The objects whose methods do them, in the order in which the menus have them.
    stage_area
        The widget to which the keys of `stage_only` actions belong.

    Attributes
    ----------
    entries
        Their declarations, in the order of the menus.
    """

    def __init__(self, window: QMainWindow, owners: Iterable[object], stage_area: QWidget) -> None:
        super().__init__(window)
        self._by_name: dict[str, QAction] = {}
        found = in_menus(collected(owners))
        self.entries = tuple(entry for entry, _ in found)
        self.menus: dict[str, QMenu] = {}
        bar = window.menuBar()
        used = {SUBMENUS.get(entry.menu, entry.menu) for entry in self.entries}
        shown = [title for title in MENUS if title in used]
        for title, marked in zip(shown, with_letters(shown), strict=True):
            self.menus[title] = bar.addMenu(marked)
            self.menus[title].setAccessibleName(title)
            self.menus[title].setToolTipsVisible(True)
            MenuLetters(self.menus[title])
        for entry, call in found:
            action = QAction(entry.title, window)
            action.setObjectName(entry.name)
            keys = QKeySequence(entry.shortcut)
            action.setShortcuts([keys, *([QKeySequence(entry.other_shortcut)] if entry.other_shortcut else [])])
            action.setCheckable(entry.checkable)
            action.setToolTip(wrapped(f"{entry.tip}  ({keys.toString(QKeySequence.SequenceFormat.NativeText)})"))
            action.setStatusTip(entry.tip)
            if entry.checkable:
                action.triggered.connect(lambda checked, call=call: call(checked))
            else:
                action.triggered.connect(lambda _checked=False, call=call: call())
            if entry.stage_only:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                stage_area.addAction(action)
            else:
                window.addAction(action)
            menu = self._menu(entry.menu)
            if entry.separated and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(action)
            self._by_name[entry.name] = action
        self._playing = False
        appearance().theme_changed.connect(self._draw_icons)
        self._draw_icons()

    def _menu(self, title: str) -> QMenu:
        """A menu, or one within another, which is made with its first entry."""
        if title not in self.menus:
            menu = self.menus[title] = self.menus[SUBMENUS[title]].addMenu(title)
            menu.setToolTipsVisible(True)
        return self.menus[title]

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    def set_playing(self, playing: bool) -> None:
        """Show the icon of a pause while it plays."""
        self._playing = playing
        self._draw_icons()

    def _draw_icons(self) -> None:
        theme = appearance().theme
        muted = theme.colour("muted")
        faint = blend(theme.colour("surface"), muted, 0.4)
        for entry in self.entries:
            if entry.icon:
                name = "pause" if entry.name == "play" and self._playing else entry.icon
                self._by_name[entry.name].setIcon(icon(name, muted, faint))

    def all(self) -> list[QAction]:
        """Every action, in the order of the menus."""
        return list(self._by_name.values())


# The titles of Undo and Redo, which name the step.


class UndoTitles(QObject):
    """Keeps the titles of Undo and Redo as the stack has them.

    Parameters
    ----------
    stack
        What can be undone.
    actions
        Those of the window.
    parent
        The window.
    """

    def __init__(self, stack: QUndoStack, actions: NamedActions, parent: QObject) -> None:
        super().__init__(parent)
        self._stack = stack
        self._actions = actions
        stack.canUndoChanged.connect(lambda _: self.refresh())
        stack.undoTextChanged.connect(lambda _: self.refresh())
        stack.redoTextChanged.connect(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Name the step that each of them would take, and switch off the one that would take none."""
        for name, can, text in (
            ("undo", self._stack.canUndo(), self._stack.undoText()),
            ("redo", self._stack.canRedo(), self._stack.redoText()),
        ):
            action = self._actions[name]
            action.setEnabled(can)
            action.setText(f"{name.capitalize()} {text}".rstrip())
