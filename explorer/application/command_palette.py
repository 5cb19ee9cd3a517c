"""The command palette (Ctrl+K): finds every action by a few letters of its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
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


def match(query: str, title: str) -> int | None:
    """How well a title fits what was typed, the smaller the better; ``None`` if it does not.

    All words of the query must occur; failing that its letters, in their order.
    """
    wanted, have = query.lower().split(), title.lower()
    if not wanted:
        return 0
    places = [have.find(word) for word in wanted]
    if all(place >= 0 for place in places):
        starts = sum(place > 0 and have[place - 1].isalnum() for place in places)
        return 10 * starts + min(places)
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
    """A line to type in and the actions that fit it; Enter does the first."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self._actions = [action for action in actions if action.isEnabled()]
        self.edit = QLineEdit(placeholderText="Type what you want to do")
        self.edit.setAccessibleName("Find action")
        self.list = QTreeWidget()
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setAccessibleName("Actions")
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
        width = min(560, parent.width() - 80)
        self.setFixedSize(width, min(420, parent.height() - 120))
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + 80)

    def _fill(self, query: str) -> None:
        self.list.clear()
        ranked = [(match(query, self._title(action)), order, action) for order, action in enumerate(self._actions)]
        for _, _, action in sorted((one for one in ranked if one[0] is not None), key=lambda one: one[:2]):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem([self._title(action), keys])
            item.setToolTip(0, action.statusTip())
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight)
            item.setData(0, Qt.ItemDataRole.UserRole, action)
            self.list.addTopLevelItem(item)
        self._go_to(0)

    def _go_to(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)

    @staticmethod
    def _title(action: QAction) -> str:
        return action.text().replace("&", "").lstrip("0123456789 ")

    def _run(self) -> None:
        item = self.list.currentItem()
        self.close()
        if item is not None:
            action: QAction = item.data(0, Qt.ItemDataRole.UserRole)
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow keys move in the list while the line has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            count = self.list.topLevelItemCount()
            if step is not None and count:
                self._go_to((self.list.currentIndex().row() + step) % count)
                return True
        return super().eventFilter(watched, event)
