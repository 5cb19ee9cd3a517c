"""What the explorer's tests share: a Qt without a screen, its fonts, a small model, and nothing left behind."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# One scale everywhere, whatever the desktop of the person who runs the tests.
os.environ.setdefault("QT_SCALE_FACTOR", "1")
if "PARSE_TEST_SCREENS" in os.environ:
    # Keys go to the window that has the focus, so every test process has a screen of its own.
    screens = os.environ["PARSE_TEST_SCREENS"].split()
    os.environ["DISPLAY"] = screens[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % len(screens)]

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.numbers import USUAL_DIGITS
from engine.model.file_cache import wait_for_copies
from explorer.kit.appearance import appearance
from explorer.kit.fonts import FALLBACK, QtMetrics, register_fonts
from explorer.kit.store import Store
from explorer.pictures.theme import LIGHT
from tests.explorer.window_driver import Driver
from tests.explorer.x_keyboard import XKeyboard
from tests.trained import classroom_file, reranked_file

PAPER = (
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, "
    "announced/VBD his/PRP$ resignation/NN yesterday/NN ./."
)
TELESCOPE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."


@pytest.fixture
def temporary_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files of this test and its processes alone; a short name, as sockets want one."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """What a window would remember, in a file of the test's own."""
    return Store(tmp_path / "home" / "window.ini")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """A widget for dialogs to stand over."""
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture(scope="module", autouse=True)
def _seen_garbage() -> None:
    """After no test does the collector walk what is there to stay: modules, models that are shared, and so on."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _fonts(qapp: QApplication) -> None:
    """Text is never boxes, and as wide on every machine."""
    register_fonts()


@pytest.fixture(autouse=True)
def _clean(qapp: QApplication) -> Iterator[None]:
    """A test fails on a warning of Qt, and on a top-level widget, running timer or thread that it leaves behind."""
    warnings: list[str] = []

    def note(kind: QtMsgType, context: object, message: str) -> None:
        # The platform without a screen says so of everything that only a screen can do.
        about_screen = message.startswith("This plugin does not support")
        if kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg) and not about_screen:
            warnings.append(message)

    # A window of another test may have chosen how the program looks.
    look = appearance()
    look.theme, look.text_scale, look.reduce_motion, look.digits = LIGHT, 1.0, False, USUAL_DIGITS
    threads = set(threading.enumerate())
    widgets = set(map(id, qapp.topLevelWidgets()))
    before = qInstallMessageHandler(note)
    yield
    # What was closed with deleteLater is gone only when its event is delivered.
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qapp.processEvents()
    gc.collect()
    # A bundled model that no test has opened before is kept unpacked by a thread, which ends.
    wait_for_copies()
    qInstallMessageHandler(before)
    left = [widget for widget in qapp.topLevelWidgets() if id(widget) not in widgets]
    timers = [timer for widget in left for timer in widget.findChildren(QTimer) if timer.isActive()]
    started = [thread for thread in set(threading.enumerate()) - threads if thread.is_alive()]
    for widget in left:
        widget.close()
        widget.deleteLater()
    assert not warnings, f"Qt warned: {warnings}"
    assert not left, f"left behind: {left}"
    assert not timers, f"timers still run: {timers}"
    assert not started, f"threads still run: {started}"


@pytest.fixture(scope="session")
def classroom_path() -> Path:
    """The file of a model trained on the project's own small treebank."""
    return classroom_file()


@pytest.fixture(scope="session")
def reranked_path() -> Path:
    """The file of the same model with a re-ranker, quickly trained."""
    return reranked_file()


@pytest.fixture(scope="session")
def classroom(classroom_path: Path) -> engine.Model:
    """The same model, loaded."""
    return engine.load(classroom_path)


@pytest.fixture(scope="session")
def metrics(_fonts: None) -> QtMetrics:
    """Measures of the typeface that is always there."""
    return QtMetrics(FALLBACK)


@pytest.fixture(scope="session")
def telescope(classroom: engine.Model) -> Parse:
    """A traced parse of a sentence with a PP to attach."""
    return Parser.preset(classroom, 3).parse(TELESCOPE, trace=True, n_best=3)


@pytest.fixture(scope="session")
def paper(classroom: engine.Model) -> Parse:
    """A traced parse of the paper's sentence: many of its words are unknown to so small a model."""
    return Parser.preset(classroom, 3).parse(PAPER, trace=True)


@pytest.fixture
def paper_model(request: pytest.FixtureRequest) -> None:
    """The window of a test that has one is under the paper's model (3)."""
    if "driver" in request.fixturenames:
        driver: Driver = request.getfixturevalue("driver")
        driver.session.editor.set_preset(3)
        driver.settle()


@pytest.fixture
def driver(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> Iterator[Driver]:
    """A window with the classroom model and a sentence."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(classroom_path)
    yield made
    made.close()


@pytest.fixture
def keyboard(driver: Driver) -> Iterator[XKeyboard]:
    """A keyboard before the window."""
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("keys with a layout need an X display: run under xvfb-run with QT_QPA_PLATFORM=xcb")
    try:
        made = XKeyboard()
    except OSError as error:
        pytest.skip(str(error))
    yield made
    made.close()
