"""What a place of the window is about: the gloss of the thing there, and by that the page of the manual."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHeaderView, QMenu, QPlainTextEdit, QTextEdit, QToolButton, QWidget

from engine.settings import PRESETS
from explorer.canvas.canvas import Canvas
from explorer.explanations.glosses import (
    Gloss,
    column_gloss,
    menu_gloss,
    part_gloss,
    preset_gloss,
    setting_gloss,
    sign_at,
    tag_gloss,
)
from explorer.panels.settings_strip import SWITCHES
from explorer.widgets.action import Action
from explorer.widgets.chips import ChipRow
from explorer.widgets.rows_table import RowsView

_FIELDS = {"beam-field": "beam", "threshold-field": "threshold"}


class Topics:
    """Finds what a place is about.

    Parameters
    ----------
    actions
        Everything that the window can do, by which a button or an entry of a menu is known.
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self._actions = {action.name: action for action in actions}

    def at(self, widget: QWidget, place: QPoint) -> Gloss | None:
        """What stands at a place of a widget; failing that, what the part of the window is about that holds it."""
        held: QWidget | None = widget
        while held is not None:
            found = self._of(held, held.mapFromGlobal(widget.mapToGlobal(place)))
            if found is not None:
                return found
            held = held.parentWidget()
        return None

    def _of(self, widget: QWidget, place: QPoint) -> Gloss | None:
        match widget:
            case Canvas():
                id = widget.at(widget.viewport().mapFrom(widget, place))
                return next(iter(widget.glosses_of(id)), None) if id is not None else None
            case QHeaderView():
                return self._head(widget, place)
            case RowsView():
                index = widget.indexAt(widget.viewport().mapFrom(widget, place))
                if not index.isValid():
                    return None
                return widget.rows_model.gloss(index) or widget.rows_model.column_gloss(index.column())
            case ChipRow():
                index = widget.indexAt(widget.viewport().mapFrom(widget, place))
                return tag_gloss(widget.chips.chips[index.row()].tag) if index.isValid() else None
            case QTextEdit() | QPlainTextEdit():
                return text_gloss(widget, widget.viewport().mapFrom(widget, place))
            case QMenu():
                action = widget.actionAt(place)
                return self.of_action(action.objectName()) if action is not None else None
            case QToolButton() if widget.defaultAction() is not None:
                return self.of_action(widget.defaultAction().objectName())
        if widget.objectName() in _FIELDS:
            return setting_gloss(_FIELDS[widget.objectName()])
        return part_gloss(widget.objectName())

    @staticmethod
    def _head(head: QHeaderView, place: QPoint) -> Gloss | None:
        section = head.logicalIndexAt(place)
        view = head.parentWidget()
        if section < 0:
            return None
        if isinstance(view, RowsView):
            return view.rows_model.column_gloss(section)
        return column_gloss(str(head.model().headerData(section, head.orientation(), Qt.ItemDataRole.DisplayRole)))

    def of_action(self, name: str) -> Gloss | None:
        """What an action is about: a setting, a preset, or what its menu is for."""
        if name in SWITCHES:
            return setting_gloss(SWITCHES[name])
        number = name.removeprefix("preset-")
        if number.isdigit() and int(number) in PRESETS:
            return preset_gloss(int(number))
        action = self._actions.get(name)
        gloss = menu_gloss(action.menu) if action is not None else None
        return Gloss(action.title, action.tip, gloss.page) if action is not None and gloss is not None else None


def text_gloss(view: QTextEdit | QPlainTextEdit, place: QPoint) -> Gloss | None:
    """What the sign under the mouse means in running text, or the head of a table's column there."""
    cursor = view.cursorForPosition(place)
    # To the right of a line and under the last one the cursor is at their ends, and nothing is pointed at.
    if not view.cursorRect(cursor).adjusted(-16, -2, 16, 2).contains(place):
        return None
    table = cursor.currentTable()
    if table is not None and table.cellAt(cursor).row() == 0:
        cell = table.cellAt(cursor)
        words = cell.firstCursorPosition()
        words.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        # What is not to be broken has no-break spaces.
        found = column_gloss(words.selectedText().replace("\u00a0", " ").strip())
        if found is not None:
            return found
    at = cursor.positionInBlock()
    text = cursor.block().text()
    return sign_at(text, at) or sign_at(text, at - 1)
