"""The speaker's view: notes, this step and the next, the answer, the clock, and large buttons."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QDateTime, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.classroom.presentation import escaped
from explorer.classroom.presenter_parts import Caption
from explorer.classroom.presenter_window import PresenterWindow

CLOCK_MS = 500
PICTURE_MS = 40
LARGE, USUAL, SMALL = 30, 20, 16
"""Heights of its type in pixels: it is read at an arm's length, standing."""
_NO_NOTES = "*There are no notes to this step.*"


class SpeakerView(QWidget):
    """Shows the teacher what the class does not see; the presenter's keys work here, too.

    Parameters
    ----------
    presenter
        The window that the class sees.

    Signals
    -------
    left
        The window was closed.
    """

    left = Signal()

    def __init__(self, presenter: PresenterWindow, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Speaker's view – Parse Explorer")
        self.setObjectName("speaker")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(1000, 640)
        self._presenter = presenter
        self._presentation = presenter.presentation
        self._began = self._step_began = time.monotonic()
        self.clock, self.since, self.on_step = _label(LARGE), _label(LARGE), _label(LARGE)
        self.place, self.title = _label(USUAL, "quiet"), _label(LARGE)
        self.small = QLabel()
        self.small.setAccessibleName("What the class sees")
        self.small.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.small.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.next_title, self.next_text = _label(USUAL), Caption("What the class reads next")
        self.notes, self.answer = Caption("Notes"), Caption("Answer")
        times = QHBoxLayout()
        for label, name in ((self.clock, "Clock"), (self.since, "Since the start"), (self.on_step, "On this step")):
            label.setAccessibleName(name)
            column = QVBoxLayout()
            column.addWidget(_label(SMALL, "quiet", name))
            column.addWidget(label)
            times.addLayout(column, 1)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self.place)
        left.addWidget(self.title)
        left.addWidget(self.small, 8)
        left.addWidget(_label(SMALL, "quiet", "Next"))
        left.addWidget(self.next_title)
        left.addWidget(self.next_text)
        left.addStretch(1)
        right.addLayout(times)
        right.addWidget(_label(SMALL, "quiet", "Notes"))
        right.addWidget(self.notes)
        right.addWidget(self.answer)
        right.addStretch(1)
        columns = QHBoxLayout()
        columns.setSpacing(24)
        columns.addLayout(left, 1)
        columns.addLayout(right, 1)
        buttons = QHBoxLayout()
        self.buttons: dict[str, QPushButton] = {}
        for name, title, call in (
            ("previous", "← Back", presenter.previous),
            ("next", "Next →", presenter.next),
            ("black", "Black", lambda: presenter.blank.toggle("black")),
            ("dot", "Pointer", presenter.pointer.toggle),
            ("leave", "Leave", presenter.close),
        ):
            self.buttons[name] = _button(title, call)
            buttons.addWidget(self.buttons[name], 2 if name in ("previous", "next") else 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(12)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)
        # What the class sees is copied when it rests, not at every step of a replay.
        self._later = QTimer(self, singleShot=True, interval=PICTURE_MS)
        self._later.timeout.connect(self._show_picture)
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._ticks.timeout.connect(self.tick)
        self._ticks.start()
        self._presentation.changed.connect(self.refresh)
        self._presentation.step_changed.connect(self._step_changed)
        presenter.picture.shown.connect(self._later.start)
        self.tick()
        self.refresh()

    def refresh(self) -> None:
        """Show this step and the next."""
        presentation = self._presentation
        self.place.setText(presentation.place)
        self.title.setText(presentation.title)
        self.notes.set_text((presentation.problem and escaped(presentation.problem)) or presentation.notes or _NO_NOTES)
        covered = presentation.question is not None and not presentation.revealed
        asked = self._presenter.question
        answer = escaped(asked.answer) if asked is not None else presentation.caption
        self.answer.set_text(f"**Answer, still covered:** {answer}" if covered else "")
        self.next_title.setText(presentation.next_title or "The end")
        self.next_text.set_text(presentation.next_text)
        self._later.start()
        self._later.start()

    def _step_changed(self) -> None:
        self._step_began = time.monotonic()
        self.tick()

    def tick(self) -> None:
        """Show what time it is."""
        now = time.monotonic()
        self.clock.setText(QLocale().toString(QDateTime.currentDateTime().time(), QLocale.FormatType.ShortFormat))
        self.since.setText(_minutes(now - self._began))
        self.on_step.setText(_minutes(now - self._step_began))

    def _show_picture(self) -> None:
        """Show small what the class sees."""
        if not self._presenter.isVisible() or self.small.width() < 40 or self.small.height() < 40:
            self.small.setPixmap(QPixmap())
            return
        question, shown = self._presenter.question, self._presenter.canvas.viewport()
        if question is not None and question.has_pictures:
            shown = question.widget
        picture = shown.grab()
        self.small.setPixmap(
            picture.scaled(
                self.small.size(),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the small picture as large as there is room."""
        super().resizeEvent(event)
        for caption, size in ((self.notes, USUAL), (self.answer, USUAL), (self.next_text, SMALL)):
            caption.set_type(size, self.height() // 3, 0)
        self._later.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key does in the presenter."""
        self._presenter.keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the clock."""
        self._ticks.stop()
        self._later.stop()
        self.left.emit()
        super().closeEvent(event)


def _label(size: int, name: str = "", text: str = "") -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    font = label.font()
    font.setPixelSize(size)
    label.setFont(font)
    return label


def _button(title: str, call: Callable[[], object]) -> QPushButton:
    button = QPushButton(title)
    font = button.font()
    font.setPixelSize(USUAL)
    button.setFont(font)
    button.setMinimumHeight(56)
    # Keys go to the presentation, whichever button was pressed last.
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: call())
    return button


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
