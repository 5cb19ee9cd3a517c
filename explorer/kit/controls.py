"""Small controls, made alike everywhere: buttons, labels, choices and fields to type in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import no_markup

# Small buttons, made alike everywhere.


def text_button(title: str, tip: str, call: Callable[[], object]) -> QToolButton:
    """A button with a word on it, and a tip that says what it does."""
    button = QToolButton()
    button.setText(title)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(lambda: call())
    return button


def push_button(title: str, tip: str, call: Callable[[], object]) -> QPushButton:
    """A large button with a word on it, and a tip that says what it does."""
    button = QPushButton(title)
    button.setToolTip(tip)
    button.clicked.connect(lambda: call())
    return button


def action_button(action: QAction, title: str) -> QToolButton:
    """A button for an action under another, shorter title; the action keeps its own."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setText(title)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setAccessibleName(action.text())
    # The action's own title comes back whenever the action changes.
    action.changed.connect(lambda: button.setText(title))
    return button


def menu_button(title: str, tip: str, menu: QMenu) -> QToolButton:
    """A button that opens a menu."""
    button = text_button(title, tip, lambda: None)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    return button


# Rows and columns of controls.

Part = QWidget | QLayout | int | None
Margins = tuple[int, int, int, int]
NONE: Margins = (0, 0, 0, 0)
Box = TypeVar("Box", QHBoxLayout, QVBoxLayout)
Widget = TypeVar("Widget", bound=QWidget)
Label = TypeVar("Label", bound=QLabel)
Combo = TypeVar("Combo", bound=QComboBox)


def in_row(*parts: Part | tuple[Part, int], margins: Margins | None = None, spacing: int = -1) -> QHBoxLayout:
    """Controls beside each other: widgets and layouts, perhaps with a stretch; pixels; ``None`` for a stretch."""
    return _filled(QHBoxLayout(), parts, margins, spacing)


def in_column(*parts: Part | tuple[Part, int], margins: Margins | None = None, spacing: int = -1) -> QVBoxLayout:
    """Controls below each other, given as for :func:`in_row`."""
    return _filled(QVBoxLayout(), parts, margins, spacing)


def _filled(layout: Box, parts: Sequence[Part | tuple[Part, int]], margins: Margins | None, spacing: int) -> Box:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing >= 0:
        layout.setSpacing(spacing)
    for each in parts:
        part, stretch = each if isinstance(each, tuple) else (each, 0)
        if isinstance(part, QWidget):
            layout.addWidget(part, stretch)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is None:
            layout.addStretch(1)
        else:
            layout.addSpacing(part)
    return layout


def holder(layout: QLayout, parent: QWidget | None = None) -> QWidget:
    """A widget with nothing but a layout."""
    widget = QWidget(parent)
    widget.setLayout(layout)
    return widget


def split(*parts: QWidget, sizes: Sequence[int] = (), stretch: Sequence[int] = (), upright: bool = True) -> QSplitter:
    """Widgets that share their room as a person draws the line between them; none can be drawn away altogether."""
    splitter = QSplitter(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for number, share in enumerate(stretch):
        splitter.setStretchFactor(number, share)
    if sizes:
        splitter.setSizes(list(sizes))
    return splitter


def scrolled(widget: QWidget) -> QScrollArea:
    """A widget that may be higher than there is room for, but not wider."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area


def named(widget: Widget, name: str) -> Widget:
    """Give a widget the name that a screen reader says."""
    widget.setAccessibleName(name)
    return widget


# Labels that stand beside something larger.


def quiet_label(text: str = "") -> QLabel:
    """A line in a quiet colour, which can be copied."""
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def told(text: str = "", name: str = "") -> QLabel:
    """Plain text in as many lines as it needs; `name` says to the style sheet what it is."""
    label = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    return label


def bold(label: Label) -> Label:
    """Make a label a heading of what stands below it."""
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def sized(label: Widget, pixels: int, bold: bool | None = None) -> Widget:
    """Set a widget's type so high, and perhaps bold, whatever size the type of the window has."""
    font = label.font()
    font.setPixelSize(pixels)
    if bold is not None:
        font.setBold(bold)
    label.setFont(font)
    return label


def squeezed(label: Label) -> Label:
    """Let a label be one line that is cut off where there is no room: it does not make what it stands in wider."""
    label.setWordWrap(False)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


class ElidedLabel(QLabel):
    """A line of plain text that ends with an ellipsis where there is too little room for it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        """As little as there is room for."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show as much of the text as there is room for; all of it is the tip."""
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        self.setToolTip(no_markup(self.text()) if text != self.text() else "")
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


# A label that can be clicked, and whose text can still be selected with the mouse.


class ClickableLabel(QLabel):
    """A label of several lines that can be clicked.

    Whoever has no mouse needs a button beside it that does the same.

    Signals
    -------
    clicked
        It was clicked, and no text was selected by that.
    """

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click that selected nothing."""
        super().mouseReleaseEvent(event)
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside and not self.hasSelectedText():
            self.clicked.emit()


# A box to choose from whose chosen name may be longer than the box.


class ChoiceBox(QComboBox):
    """Shows a name that is too long without its middle: what tells names apart is often at the end."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, and as much of the name as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def shown_text(self) -> str:
        """The name as it is shown."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        metrics = self.fontMetrics()
        return metrics.elidedText(
            self.currentText(), Qt.TextElideMode.ElideMiddle, room.width() - metrics.averageCharWidth()
        )


def filled(box: Combo, titles: Mapping[Any, str], chosen: object = None) -> Combo:
    """Fill a box with values, each under its title, and choose one of them; the first, if that is not there."""
    box.clear()
    for value, title in titles.items():
        box.addItem(title, value)
    box.setCurrentIndex(list(titles).index(chosen) if chosen in titles else 0)
    return box


# Fields to type in: lines that leave the window its keys, and numbers that stand clear of their frames.

SpinBox = TypeVar("SpinBox", bound=QAbstractSpinBox)

PADDING = 6
"""Pixels before the number of a spin box: those that the style sheet has for other fields."""

_KEPT = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)


def is_key_of_window(event: QEvent, can_undo: bool = False, can_redo: bool = False) -> bool:
    """Tell whether a key that Qt offers to a field first belongs to the window.

    Undo and redo do, unless the field itself has something to take back; so does every letter with Ctrl but those of
    the clipboard: on some desktops a field has keys of Emacs, and Ctrl+E and Ctrl+K would do something else in it than
    the menus say.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.matches(QKeySequence.StandardKey.Undo):
        return not can_undo
    if event.matches(QKeySequence.StandardKey.Redo):
        return not can_redo
    letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return letter and control and not any(event.matches(keys) for keys in _KEPT)


class Field(QLineEdit):
    """A line to type in that leaves the window its keys."""

    def event(self, event: QEvent) -> bool:
        """Leave the keys of the window to it."""
        if is_key_of_window(event, self.isUndoAvailable(), self.isRedoAvailable()):
            event.ignore()
            return False
        return super().event(event)


def padded(box: SpinBox) -> SpinBox:
    """Give a spin box with its number as far from the frame as the text of other fields.

    Under a style sheet Qt lays the number out from the very left of the box, whatever padding the sheet asks for.
    """
    box.lineEdit().setTextMargins(PADDING, 0, 0, 0)
    return box
