"""A window with a small model, and what a person does with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.explain.subjects import Subject
from explorer.canvas.canvas import Canvas
from explorer.session.document import TextLine
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.stages.stages import number_of
from explorer.window.main_window import MainWindow

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
ROUNDS = 5
SHORT_MS = 50
SAW = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
SMITH = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD "
    "his/PRP$ resignation/NN yesterday/NN ./."
)


class Driver:
    """Acts on a window as a person would."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.session = Session()
        self.preferences = Preferences(folder)
        self.preferences.keep("theme", "light")
        self.preferences.keep("reduce-motion", True)
        self.window = MainWindow(self.session, self.preferences)
        self.window.resize(1280, 800)
        self.window.show()
        self.window.activateWindow()
        # Keys reach a window only once it is active; without a window manager that takes a moment.
        assert QTest.qWaitForWindowActive(self.window, 5000)
        self.canvas: Canvas = self.window.stages.canvas

    def load(self, model: Path, text: str = SAW) -> None:
        """Open a model and show a sentence."""
        self.session.loader.open_model(model, undoable=False)
        self.until(lambda: self.session.parses.model is not None)
        if text:
            self.session.editor.set_document(self.session.editor.document.with_line(TextLine(text)))
            self.settle()

    def save_to(self, path: Path) -> None:
        """Save the session, and wait until it is written or cannot be."""
        self.window.files.save_to(path)
        self.until(lambda: not self.session.file.saving)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until something is so."""
        self.qtbot.waitUntil(done, timeout=20_000)

    def settle(self) -> None:
        """Wait for the answer to what is in the document now, and for the picture."""
        session = self.session
        self.until(
            lambda: session.parses.is_current and session.parses.result is not None and session.parses.result.full
        )
        self.process_events()
        self.until(lambda: self.window.stages.settled and not self.puts_off())

    def process_events(self) -> None:
        """Let the window do all that it has to do now: what one round of events brings about is done in the next."""
        for _ in range(ROUNDS):
            QApplication.processEvents()

    def puts_off(self) -> bool:
        """Whether part of the window waits for a moment in which nothing else is to be done."""
        timers = self.window.findChildren(QTimer)
        return any(timer.isActive() and timer.isSingleShot() and timer.interval() <= SHORT_MS for timer in timers)

    def do(self, name: str) -> None:
        """Choose an action."""
        action = self.window.named_actions[name]
        assert action.isEnabled(), name
        action.trigger()

    def go(self, stage: str) -> None:
        """Choose the action of the stage of this name, wherever it stands in the walk."""
        self.do(f"stage-{number_of(stage)}")

    def place(self, id: Subject, share: float = 0.5) -> QPoint:
        """Where a thing of the picture is in the viewport."""
        drawing = self.canvas.drawing
        assert drawing is not None and id in drawing.regions, f"{id} is not in the picture"
        region = drawing.regions[id]
        if region.line:
            # Anywhere on the line: its middle point.
            x, y = region.line[int((len(region.line) - 1) * share)]
        else:
            x, y = region.bounds.centre
        self.canvas.ensureVisible(x, y, 1, 1, 30, 30)
        return self.canvas.mapFromScene(x, y)

    def click(self, id: Subject) -> None:
        """Click a thing of the picture."""
        QTest.mouseClick(self.canvas.viewport(), LEFT, NO_KEY, self.place(id))

    def double_click(self, id: Subject) -> None:
        """Double-click a thing of the picture."""
        QTest.mouseDClick(self.canvas.viewport(), LEFT, NO_KEY, self.place(id))

    def drag(self, what: Subject, target: Subject) -> None:
        """Drag a thing of the picture to another."""
        start, end = self.place(what), self.place(target)
        view = self.canvas.viewport()
        QTest.mousePress(view, LEFT, NO_KEY, start)
        for step in range(1, 6):
            QTest.mouseMove(view, start + (end - start) * step / 5)
        QTest.mouseRelease(view, LEFT, NO_KEY, end)

    def type(self, text: str) -> None:
        """Type into the sentence bar, in place of what is there."""
        edit = self.window.sentence_bar.edit
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, text)

    def close(self) -> None:
        """Close the window and forget it."""
        self.window.close()
        self.window.deleteLater()


def after_crash(home: Path, copy: Path) -> Preferences:
    """The preferences of a start after a crash, which leaves the files of a window and a lock that nobody holds."""
    copy.mkdir()
    for file in home.glob("recovery-*"):
        if file.suffix != ".lock":
            shutil.copy(file, copy)
    return Preferences(copy)


def drop(driver: Driver, path: Path) -> None:
    """Drop a file on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop_data(driver, data)


def drop_data(driver: Driver, data: QMimeData) -> None:
    """Drop anything on the window."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), copy, data, left, none)
    QApplication.sendEvent(driver.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(driver.window, QDropEvent(QPointF(300, 300), copy, data, left, none))
