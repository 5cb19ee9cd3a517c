"""The list of a lesson's steps, which can be dragged into another order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem

from explorer.classroom.lesson import LessonStep, plain_title
from explorer.document.stage_navigation import STAGES
from explorer.graphics.number_text import no_markup

_Where = QAbstractItemView.DropIndicatorPosition
_DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def step_text(number: int, step: LessonStep, troubled: bool = False) -> str:
    """A step in two lines: its number and title, then what there is to it."""
    marks = [STAGES[step.stage]]
    if step.question is not None:
        marks.append("? question")
    if step.what_ifs:
        marks.append("what-if")
    if troubled:
        marks.append("⚠ see below")
    return f"{number}  {plain_title(step.title)}\n{'   ·  '.join(marks)}"


def place_of_drop(start: int, row: int, where: _Where) -> int:
    """The place of a step that was dragged from one row and dropped above, below or on another."""
    if where == _Where.OnItem:
        return row
    before = row + int(where == _Where.BelowItem)
    return before - int(start < before)


class StepList(QListWidget):
    """The steps of a lesson.

    Signals
    -------
    chosen
        A step was chosen, by its number from 0.
    dragged
        A step was dragged from one place to another.
    delete_wanted
        The chosen step is to be deleted.
    """

    chosen = Signal(int)
    dragged = Signal(int, int)
    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Steps of the lesson")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.currentRowChanged.connect(self._row_changed)
        # A click on the chosen step shows it again.
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))

    def _row_changed(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(row)

    def show_steps(self, steps: Sequence[LessonStep], index: int, troubled: Sequence[bool]) -> None:
        """Show these steps, one of them chosen; nobody is told."""
        blocked = self.blockSignals(True)
        while self.count() > len(steps):
            self.takeItem(self.count() - 1)
        height = 2 * self.fontMetrics().lineSpacing() + 10
        for row, (step, trouble) in enumerate(zip(steps, troubled, strict=True)):
            text = step_text(row + 1, step, trouble)
            item = self.item(row)
            if item is None:
                item = QListWidgetItem(text)
                item.setSizeHint(QSize(0, height))
                self.addItem(item)
            elif item.text() != text:
                item.setText(text)
            item.setToolTip(no_markup(plain_title(step.title)))
        self.setCurrentRow(index)
        self.blockSignals(blocked)

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask for the move; what the lesson then is, is shown."""
        target, start = self.indexAt(event.position().toPoint()), self.currentRow()
        to = place_of_drop(start, target.row(), self.dropIndicatorPosition()) if target.isValid() else self.count() - 1
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        self.dragged.emit(start, max(0, min(to, self.count() - 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete deletes the step."""
        if event.key() in _DELETE and not event.modifiers():
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)
