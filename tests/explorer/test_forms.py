"""Forms made from tables of fields, and the windows that stand over the main one."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from engine.common.errors import EngineError
from explorer.kit.controls import holder
from explorer.kit.file_kinds import MODEL, TREES
from explorer.kit.forms import Choice, Decimal, File, Form, Line, Number, Several, Switch
from explorer.kit.messages import outcome_of_writing
from explorer.kit.store import Store
from explorer.kit.task_window import TaskWindow, WorkBar
from explorer.kit.tasks import Job, Worker
from tests.explorer.window_driver import LEFT, NO_KEY


@dataclass(frozen=True)
class Options:
    """What a form may ask for."""

    trees: tuple[str, ...] = ()
    model: str = ""
    longest: int | None = None
    share: float = 0.5
    fast: bool = True
    order: str = "as read"
    presets: tuple[int, ...] = (3,)
    words: tuple[str, ...] = ()
    hidden: int = 7


def _words(text: str) -> tuple[str, ...]:
    if "!" in text:
        raise EngineError("words have no exclamation mark")
    return tuple(text.split())


FIELDS = (
    File("trees", "&Trees", "What to read", kinds=(TREES,), several=True),
    File("model", "Model", "What to write", kinds=(MODEL,), offered="own.model"),
    Number("longest", "Longest", "Longer ones are left out", 0, 500, none="all"),
    Decimal("share", "Share", "How much", 0.0, 1.0, places=2),
    Switch("fast", "Fast", "Takes less time"),
    Choice("order", "Order", "In which order", {"as read": "as they come", "sorted": "by length"}),
    Several("presets", "Presets", choices={number: (f"({number})", "") for number in range(1, 6)}),
    Line("words", "Words", "Some words", parse=_words, write=" ".join, spoken="Words to look for"),
)


@pytest.fixture
def form(qtbot: QtBot, store: Store, parent: QWidget) -> Form:
    form = Form(FIELDS, store, parent)
    place = holder(form.rows())
    place.setParent(parent)
    form.show(**asdict(Options()))
    return form


def test_what_is_shown_is_what_is_read(form: Form) -> None:
    for options in (
        Options(),
        Options(("a.ptb", "b.ptb"), "c.model", 40, 0.25, False, "sorted", (1, 5), ("saw", "with")),
    ):
        form.show(**asdict(options))
        # What has no field is left alone.
        assert Options(**form.values()) == options


def test_a_change_is_told_once_and_a_wrong_value_by_whoever_reads_it(form: Form) -> None:
    told: list[object] = []
    form.changed.connect(lambda: told.append(None))
    form["longest"].setValue(12)
    form["words"].setText("oh!")
    assert len(told) == 2 and form.value("longest") == 12
    with pytest.raises(EngineError, match="exclamation"):
        form.values()


def test_one_of_several_may_be_chosen_where_only_one_is_allowed(form: Form) -> None:
    presets = form["presets"]
    presets.allow_several(False)
    presets.boxes[4].click()
    assert form.value("presets") == (5,)
    presets.allow_several(True)
    presets.boxes[0].click()
    assert form.value("presets") == (1, 5)


def test_fields_say_what_they_are(form: Form, parent: QWidget) -> None:
    assert form["trees"].accessibleName() == "Trees" and form["words"].accessibleName() == "Words to look for"
    assert form["longest"].toolTip() == "Longer ones are left out" and form["longest"].text() == "all"
    form.show(trees=("some/where/long.ptb",))
    assert form["trees"].toolTip() == "some/where/long.ptb"
    parent.show()
    form.set_shown("share", False)
    assert not form["share"].isVisible() and form["fast"].isVisible()


def test_a_file_is_asked_for_beside_its_field(
    form: Form, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def save(parent: object, title: str, start: str, *_: str) -> tuple[str, str]:
        asked.append(start)
        return str(tmp_path / "given"), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(tmp_path / n) for n in "ab"], ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    parent.show()
    for button in parent.findChildren(QToolButton):
        QTest.mouseClick(button, LEFT, NO_KEY)
    assert form.value("trees") == (str(tmp_path / "a"), str(tmp_path / "b"))
    assert form.value("model") == str(tmp_path / "given.model")
    assert [Path(start).name for start in asked] == ["own.model"]


class Small(TaskWindow):
    """A window that counts what is asked of it."""

    def __init__(self, store: Store, parent: QWidget, open_to_files: bool = True) -> None:
        super().__init__("small", "Small", store, parent)
        self.begun = 0
        self.given: list[str] = []
        self._open = open_to_files

    @property
    def takes_files(self) -> bool:
        """As a test wants it."""
        return self._open

    def take_files(self, paths: list[str]) -> None:
        """Note them."""
        self.given += paths

    def begin(self) -> None:
        """Count."""
        self.begun += 1


def test_a_window_knows_its_keys_and_comes_back_where_it_was(qtbot: QtBot, store: Store, parent: QWidget) -> None:
    window = Small(store, parent)
    window.come_up()
    assert QTest.qWaitForWindowActive(window, 5000)
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.begun == 2
    window.resize(432, 321)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    again = Small(store, parent)
    assert (again.width(), again.height()) == (432, 321)


@pytest.mark.parametrize("open_to_files", [True, False])
def test_only_files_that_can_be_used_are_taken(
    qtbot: QtBot, store: Store, parent: QWidget, open_to_files: bool
) -> None:
    window = Small(store, parent, open_to_files)
    for urls, taken in (([QUrl("https://example.org/a")], False), ([QUrl.fromLocalFile("/a.ptb")], open_to_files)):
        data = QMimeData()
        data.setUrls(urls)
        enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, LEFT, NO_KEY)
        enter.ignore()
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted() == taken
        if taken:
            QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, LEFT, NO_KEY))
    assert window.given == (["/a.ptb"] if open_to_files else [])


def test_problems_are_said_in_a_sentence(store: Store, parent: QWidget, tmp_path: Path) -> None:
    window = Small(store, parent)
    window.say(EngineError("there is no model `x`"))
    assert window.status.text() == "There is no model ‘x’."
    path = tmp_path / "a.txt"
    assert outcome_of_writing(path, lambda: path.write_text("a")) == "Written to a.txt." and path.read_text() == "a"
    missing = tmp_path / "none" / "a.txt"
    assert "No such file" in outcome_of_writing(missing, lambda: missing.write_text("a"))


def test_a_bar_is_there_while_its_worker_works(qtbot: QtBot, parent: QWidget) -> None:
    worker = Worker("test", parent=parent)
    said: list[str] = []
    bar = WorkBar(worker, told=lambda job: said.append(job.activity))
    bar.setParent(parent)
    parent.show()
    go_on = threading.Event()

    def work(job: Job) -> None:
        job.report(0.25, "half of a half")
        go_on.wait(10)

    assert bar.isHidden()
    worker.request(work, lambda _: None, lambda error: None)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.value() == bar.maximum() // 4)
    assert said[-1] == "half of a half"
    go_on.set()
    qtbot.waitUntil(bar.isHidden)
    worker.stop()
