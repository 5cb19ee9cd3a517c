"""One training as the window shows it: stages with the time left, what was left out, and at the end the summary."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.laboratory.training_stages import TrainingStages
from explorer.laboratory.training_work import MOST_TOLD, TrainingResult
from explorer.widgets.labels import quiet_label
from explorer.widgets.rows_table import Row, RowsView

_STAGES_HEIGHT = 150
_STEPS = 1000
_LOG_HEIGHT = 96


class TrainingView(QWidget):
    """Shows stages, what was left out, the summary, and what stopped a training.

    Attributes
    ----------
    go_on
        The button that leaves broken trees out and trains again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel("Nothing has been trained yet.")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.bar = QProgressBar(minimum=0, maximum=_STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the stage")
        self.stages = RowsView(("stage", "done", "time"), (2,), 1, "Stages of training", key=0)
        self.stages.setMaximumHeight(_STAGES_HEIGHT)
        self.stages.setSelectionMode(RowsView.SelectionMode.NoSelection)
        self.problem = QLabel(wordWrap=True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setObjectName("banner-text")
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.go_on = QPushButton("&Leave out broken trees and go on")
        self.banner = QFrame()
        self.banner.setObjectName("banner")
        row = QHBoxLayout(self.banner)
        row.addWidget(self.problem, 1)
        row.addWidget(self.go_on)
        self.log_title = quiet_label("Left out")
        self.log = QPlainTextEdit(readOnly=True)
        self.log.setAccessibleName("Trees that were left out")
        self.log.setMaximumHeight(_LOG_HEIGHT)
        self.log.setFrameShape(QFrame.Shape.NoFrame)
        self.log.setTabChangesFocus(True)
        self.summary = RowsView(("summary", ""), (), 1, "Summary of the training", key=0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 0)
        for widget in (self.title, self.bar, self.banner, self.stages, self.log_title, self.log):
            layout.addWidget(widget)
        layout.addWidget(self.summary, 1)
        layout.addStretch(0)
        self._told = 0
        for hidden in (self.bar, self.banner, self.stages, self.log_title, self.log, self.summary):
            hidden.hide()

    def begin(self, title: str) -> None:
        """A training begins."""
        self.title.setText(title)
        self.log.clear()
        self._told = 0
        self.stages.show()
        self.bar.show()
        for hidden in (self.banner, self.log_title, self.log, self.summary):
            hidden.hide()

    def show_stages(self, stages: TrainingStages) -> None:
        """Show how far the stages are."""
        self.bar.setValue(round(_STEPS * stages.share))
        self.stages.set_rows([Row(row, row[0]) for row in stages.rows()])

    def show_left_out(self, text: str) -> None:
        """Tell of a tree that was left out."""
        self._told += 1
        self.log_title.show()
        self.log.show()
        self.log.appendPlainText(text)
        if self._told == MOST_TOLD:
            self.log.appendPlainText("… further ones are counted in the summary")

    def show_result(self, title: str, result: TrainingResult) -> None:
        """Show what came of it."""
        self.title.setText(title)
        self.bar.hide()
        rows = [Row(pair) for pair in result.lines]
        rows += [
            Row(("count tables" if not at else "", f"{name}: {contexts:,} contexts, {counted:,} with an outcome"))
            for at, (name, contexts, counted) in enumerate(result.tables)
        ]
        self.summary.set_rows(rows)
        self.summary.show()

    def show_end(self, title: str, problem: str = "", broken: bool = False) -> None:
        """The training ended without a model: it was cancelled, or there is a problem."""
        self.title.setText(title)
        self.bar.hide()
        self.stages.setVisible(False)
        self.problem.setText(problem)
        self.banner.setVisible(bool(problem))
        self.go_on.setVisible(broken)
        if broken:
            self.go_on.setFocus()
