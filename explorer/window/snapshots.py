"""Pictures of the window itself, without a screen: snapshots of every stage, and whatever else is set up in it."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QBuffer, QEvent, QIODevice, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QWidget

from engine.common.errors import EngineError
from engine.common.files import write_whole
from explorer.kit.appearance import PAPER_SENTENCE, appearance
from explorer.kit.fonts import QtMetrics
from explorer.output.files import write_drawing
from explorer.session.document import Document, TextLine
from explorer.session.files import load_document
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.stages.stages import STAGES
from explorer.window.main_window import MainWindow
from explorer.window.start_plan import StartPlan, window_size

_PATIENCE = 600.0
_MOMENT = 0.02
SMALLEST = 0
"""Quality of a PNG to Qt: the least is the best compressed, and loses nothing."""


@contextmanager
def quiet_platform() -> Iterator[None]:
    """Silence Qt's messages about things that only a real screen can do; all others are shown."""

    def note(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if message.startswith("This plugin does not support"):
            return
        if before is not None:
            before(kind, context, message)
        else:
            print(message, file=sys.stderr)

    before = qInstallMessageHandler(note)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


class Photographer:
    """A window that nobody sees, and what is needed to take pictures of it.

    Parameters
    ----------
    model
        The file of the model.
    size
        Width and height of the window.
    theme
        The name of its theme.
    text_scale
        How large its type is.
    """

    def __init__(self, model: Path, size: tuple[int, int], theme: str = "light", text_scale: float = 1.0) -> None:
        self._interrupted = False
        self._before = signal.getsignal(signal.SIGINT)
        if callable(self._before):
            signal.signal(signal.SIGINT, self._interrupt)
        self._home = tempfile.TemporaryDirectory()
        preferences = Preferences(Path(self._home.name))
        preferences.keep("theme", theme)
        preferences.keep("reduce-motion", True)
        preferences.keep("text-scale", text_scale)
        self._model = model
        self.session = Session()
        self.window = MainWindow(self.session, preferences)
        self.window.resize(*size)
        self.window.show()

    def __enter__(self) -> Photographer:
        self.session.loader.open_model(self._model, undoable=False)
        banner = self.window.stages.banner
        try:
            self.wait(lambda: self.session.parses.model is not None or banner.isVisible())
            if self.session.parses.model is None:
                raise EngineError(banner.text.text())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self.window.close()
        self.window.deleteLater()
        _application().sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self._home.cleanup()
        if callable(self._before):
            signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Take note of Ctrl-C: an exception would get lost if it came while Qt calls us; the second time raise it."""
        if self._interrupted and callable(self._before):
            self._before(number, frame)
        self._interrupted = True

    def show(self, document: Document) -> None:
        """Parse and show what a document holds; raise :class:`EngineError` if it cannot be parsed."""
        session = self.session
        session.restore(replace(document, model=session.editor.document.model))
        self.wait(lambda: bool(session.parses.problem) or session.parses.is_complete)
        if session.parses.result is None or session.parses.problem:
            raise EngineError(session.parses.problem or "there is nothing to parse")
        self.settle()

    def settle(self) -> None:
        """Wait until everything that was asked for is shown, and no field waits for being typed into."""
        self.wait(lambda: False, _MOMENT)
        self.wait(lambda: self.window.stages.settled and self.window.inspector.settled)
        focus = _application().focusWidget()
        if focus is not None:
            focus.clearFocus()

    def save_window(self, path: Path, window: QWidget | None = None) -> None:
        """Write a picture of the whole window, or of another one that was opened over it."""
        self.settle()
        # Qt cannot write to a file whose name is no text.
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if not (window or self.window).grab().save(buffer, "PNG", SMALLEST):
            raise EngineError(f"{path}: the picture cannot be made")
        write_whole(path, bytes(buffer.data().data()))

    def save_stage(self, path: Path, scale: float = 2.0) -> None:
        """Write the picture of the stage alone, as a whole."""
        drawing = self.window.stages.canvas.drawing
        assert drawing is not None
        write_drawing(drawing, path, appearance().theme, scale, QtMetrics())

    def wait(self, done: Callable[[], bool], patience: float = _PATIENCE) -> None:
        """Let the window live until something is done, or someone pressed Ctrl-C."""
        application = _application()
        end = time.monotonic() + patience
        while not (self._interrupted or done()) and time.monotonic() < end:
            application.processEvents()
            time.sleep(0.002)
        application.processEvents()
        if self._interrupted:
            raise KeyboardInterrupt


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def snapshot(plan: StartPlan, options: argparse.Namespace) -> int:
    """Write a PNG of every stage's picture and one of the whole window at every stage."""
    folder = Path(options.snapshot)
    size = window_size(options.size)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(f"{folder}: cannot be made ({error.strerror or error})") from error
    with Photographer(plan.found_model(), size, options.theme or "light") as photographer:
        photographer.show(_document(plan, photographer.session))
        for number, stage in enumerate(STAGES, 1):
            photographer.session.view.set_stage(stage.name)
            photographer.settle()
            name = f"{number}-{stage.pictures[0].name}.png"
            photographer.save_stage(folder / name)
            photographer.save_window(folder / f"window-{name}")
    return 0


def _document(plan: StartPlan, session: Session) -> Document:
    """What the arguments ask for; with nothing asked for, the paper's sentence."""
    if plan.session is not None:
        return load_document(plan.session)[0]
    lines = plan.sentences(session.parses.model) or [TextLine(PAPER_SENTENCE)]
    return Document("", plan.preset, plan.settings, tuple(lines))
