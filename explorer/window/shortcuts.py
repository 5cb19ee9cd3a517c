"""The sheet of shortcuts: every key of the window, by menu, made from the actions themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.appearance import appearance

IN_PICTURES = (
    ("Go to the next thing, and to the one before", "Tab, Shift+Tab"),
    ("Go from thing to thing, once one is marked", "arrow keys"),
    ("Select what is marked", "Space"),
    ("Do what a double click does", "Enter"),
    ("Unmark, or drop what is dragged", "Esc"),
    ("Zoom", "Ctrl and the wheel"),
)
"""Keys that are no actions: they belong to the picture while it has the focus."""
_SIZE = (760, 640)


class Group(NamedTuple):
    """The keys of one menu."""

    title: str
    keys: tuple[tuple[str, str], ...]


def groups(menus: Sequence[QMenu], query: str = "") -> list[Group]:
    """The keys that fit what was typed, by menu."""
    found = [Group(menu.title().replace("&", ""), tuple(_keys(menu))) for menu in menus]
    found.append(Group("In pictures", IN_PICTURES))
    words = query.casefold().split()
    kept = [
        Group(group.title, tuple(one for one in group.keys if all(word in " ".join(one).casefold() for word in words)))
        for group in found
    ]
    return [group for group in kept if group.keys]


def _keys(menu: QMenu) -> Iterator[tuple[str, str]]:
    for action in menu.actions():
        if not action.shortcut().isEmpty():
            yield title_of(action), keys_of(action)


def title_of(action: QAction) -> str:
    """What an action is called, without its mnemonic and without the number of a stage."""
    return action.text().replace("&", "").lstrip("0123456789 ")


def keys_of(action: QAction) -> str:
    """The keys of an action."""
    return ", ".join(keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in action.shortcuts())


class ShortcutSheet(QDialog):
    """Shows every key; a line to type in leaves those that fit."""

    def __init__(self, menus: Sequence[QMenu], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts")
        self.setWindowTitle("Keyboard shortcuts")
        self._menus = menus
        self.search = QLineEdit(placeholderText="Type a part of a name or a key")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Find a shortcut")
        self.text = QTextBrowser()
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName("Keyboard shortcuts")
        self.text.document().setDocumentMargin(8)
        copy = QPushButton("Copy")
        copy.setToolTip("Put the sheet on the clipboard as text")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.plain()))
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(copy)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.addWidget(self.search)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)
        self.search.textChanged.connect(lambda _: self._fill())
        self._fill()
        self.resize(*_SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def plain(self) -> str:
        """The sheet as text, keys after a tab."""
        lines: list[str] = []
        for group in groups(self._menus, self.search.text()):
            lines += [group.title, *(f"{title}\t{keys}" for title, keys in group.keys), ""]
        return "\n".join(lines)

    def _fill(self) -> None:
        found = groups(self._menus, self.search.text())
        if not found:
            self.text.setPlainText(f"No shortcut fits ‘{self.search.text().strip()}’.")
            return
        # Two columns of about the same length.
        total, seen = sum(len(group.keys) + 2 for group in found), 0
        columns: tuple[list[Group], list[Group]] = ([], [])
        for group in found:
            columns[seen >= total / 2].append(group)
            seen += len(group.keys) + 2
        cells = "".join(f"<td width='50%' style='padding-right:24px'>{self._html(column)}</td>" for column in columns)
        self.text.setHtml(f"<table width='100%'><tr>{cells}</tr></table>")

    def _html(self, column: Sequence[Group]) -> str:
        muted = appearance().theme.colour("muted")
        parts = []
        for group in column:
            rows = "".join(
                f"<tr><td style='padding:1px 12px 1px 0'>{escape(title)}</td>"
                f"<td align='right' style='color:{muted}; white-space:pre'>{escape(keys)}</td></tr>"
                for title, keys in group.keys
            )
            parts.append(f"<h4>{escape(group.title)}</h4><table width='100%'>{rows}</table>")
        return "".join(parts)
