"""The command: arguments, first start, no screen, missing libraries, export and snapshots without a screen."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

import engine
from engine.chart.parser import Parser
from engine.export import FORMATS
from explorer.kit.appearance import PAPER_SENTENCE
from explorer.output.files import format_of
from explorer.session.document import Document, TextLine, save_document
from explorer.session.files import StoredSession, load_document
from explorer.session.preferences import Preferences
from explorer.stages.stages import STAGES
from explorer.window import command as app
from explorer.window.command import main
from explorer.window.diagnosis import library_problem, screen_problem
from explorer.window.start import begin
from explorer.window.start_plan import StartPlan, window_size
from tests.explorer.window_driver import SAW, Driver
from tests.stage_names import GAPS, REDUCED
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", b"<"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG"), ("a.tex", b""), ("a.json", b"{")]
)
def test_export_needs_no_window(tmp_path: Path, classroom_path: Path, name: str, start: bytes) -> None:
    path = tmp_path / name
    assert main(["--model", str(classroom_path), "--export", str(path), SAW]) == 0
    data = path.read_bytes()
    assert data.startswith(start) and len(data) > 200
    if name.endswith(".json"):
        assert "(S (NP (NNP Mary))" in json.dumps(json.loads(data))


def test_an_exported_image_is_twice_as_large_unless_told_otherwise(tmp_path: Path, classroom_path: Path) -> None:
    sizes: list[QSize] = []
    scales: list[list[str]] = [[], ["--scale", "1"], ["--scale", "2"]]
    for scale in scales:
        path = tmp_path / f"out{len(sizes)}.png"
        assert main(["--model", str(classroom_path), "--export", str(path), *scale, SAW]) == 0
        sizes.append(QImage(str(path)).size())
    assert sizes[0] == sizes[2] == sizes[1] * 2


@pytest.mark.parametrize("what", ["tree", "arrows", "gaps", "matrix", "chart", "sentence", "reduced"])
def test_every_picture_can_be_exported(tmp_path: Path, classroom_path: Path, what: str) -> None:
    path = tmp_path / "out.svg"
    status = main(["--model", str(classroom_path), "--export", str(path), "--what", what, "--theme", "colourless", SAW])
    assert status == 0 and "telescope" in path.read_text(encoding="utf-8")


TWO = "Mary left. John saw a dog."
TREES = ["(S (NP (NNP Mary)) (VP (VBD left)) (. .))", "(S (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"]


@pytest.mark.parametrize("name", ["a.ptb", "a.conllu", "a.dot", "a.json"])
def test_text_holds_the_parse_that_the_picture_shows(tmp_path: Path, classroom_path: Path, name: str) -> None:
    path = tmp_path / name
    assert main(["--model", str(classroom_path), "--export", str(path), SAW]) == 0
    model = engine.load(classroom_path)
    parse = Parser.preset(model).parse(SAW)
    assert path.read_text(encoding="utf-8") == FORMATS[format_of(path)].write(parse)


def test_every_sentence_of_a_text_is_written(tmp_path: Path, classroom_path: Path) -> None:
    path, file = tmp_path / "out.ptb", tmp_path / "sentences.txt"
    for given, wanted in ((TWO, TREES), (f"{TWO} {TWO}", TREES * 2)):
        file.write_text(f"{given}\n", encoding="utf-8")
        for text in (given, str(file)):
            assert main(["--model", str(classroom_path), "--export", str(path), text]) == 0
            assert path.read_text(encoding="utf-8").splitlines() == wanted


def test_a_picture_is_that_of_the_first_sentence_and_says_so(
    tmp_path: Path, classroom_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both, first = tmp_path / "both.svg", tmp_path / "first.svg"
    assert main(["--model", str(classroom_path), "--export", str(first), "Mary left."]) == 0
    assert capsys.readouterr().err == ""
    assert main(["--model", str(classroom_path), "--export", str(both), TWO]) == 0
    said = capsys.readouterr().err
    assert "first of 2 sentences" in said and said.count("\n") == 1
    assert both.read_bytes() == first.read_bytes()


def test_snapshots_of_every_stage_and_the_window(tmp_path: Path, classroom_path: Path) -> None:
    folder = tmp_path / "shots"
    options = ["--snapshot", str(folder), "--size", "1024x768", "--theme", "dark"]
    assert main(["--model", str(classroom_path), *options, SAW]) == 0
    assert len(list(folder.glob("?-*.png"))) == len(STAGES)
    windows = sorted(folder.glob("window-*.png"))
    assert len(windows) == len(STAGES)
    assert QImage(str(windows[0])).size().toTuple() == (1024, 768)


def test_a_snapshot_with_a_model_that_cannot_be_used_says_why(
    tmp_path: Path, classroom_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.model"
    broken.write_bytes(classroom_path.read_bytes()[:-100])
    assert main(["--model", str(broken), "--snapshot", str(tmp_path / "shots"), SAW]) == 2
    said = capsys.readouterr().err
    assert "cut short" in said and "Traceback" not in said and "something went wrong" not in said


def test_a_sentence_may_be_longer_than_a_name_of_a_file(tmp_path: Path, classroom_path: Path) -> None:
    text = " ".join(["the/DT old/JJ dog/NN"] * 20) + " slept/VBD ./."
    path = tmp_path / "long.json"
    assert len(text) > 300
    assert main(["--model", str(classroom_path), "--export", str(path), text]) == 0
    assert len(json.loads(path.read_text(encoding="utf-8"))["words"]) == 61


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--model", "nowhere.model", "--export", "x.svg", "a/DT"], "there is no such model"),
        (["--export", "x.svg", "--what", "cake"], "no picture `cake`"),
        (["--export", "x.svg", "--theme", "pink"], "no theme `pink`"),
        (["--export", "x.cake"], "choose one of"),
        (["--export", "x.svg"], "there is nothing to draw"),
        (["--export", "x.ptb", "empty"], "empty: there is no sentence in the file"),
        (["--export", "x.svg", ""], "no sentence to draw"),
        (["--snapshot", "shots", " "], "no sentence to draw"),
        (["--export", "x.ptb", "Mary left. John/NNP /VBD"], "no word before the slash"),
        (["--export", "x.svg", "John/NNP /VBD"], "no word before the slash"),
        (["--export", "x.svg", "--preset", "9"], "no preset 9"),
        (["--export", "/nowhere/at/all/x.svg", "Mary left."], "there is no folder /nowhere/at/all to write it in"),
        (["--snapshot", "shots", "--size", "tiny"], "1280x800"),
        (["--export", "x.svg", "missing.txt"], "missing.txt: there is no such file"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    tmp_path: Path,
    classroom_path: Path,
    arguments: list[str],
    part: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("\n")
    if "--model" not in arguments:
        arguments = ["--model", str(classroom_path), *arguments]
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert part in said and said.count("\n") == 1 and "Traceback" not in said


def test_without_a_screen_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main([]) == 2
    assert "there is no screen" in capsys.readouterr().err


def test_a_missing_library_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert "libEGL.so.1" in library_problem(error) and "apt install libegl1" in library_problem(error)
    assert "pip install 'PySide6-Essentials" in library_problem(ImportError("No module named 'PySide6'"))
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)

    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert "libxcb-cursor0" in screen_problem()


def test_window_sizes() -> None:
    assert window_size("1920x1080") == window_size("1920×1080") == (1920, 1080)


def test_the_command_runs_as_a_module(tmp_path: Path, classroom_path: Path) -> None:
    out = tmp_path / "out.png"
    command = [sys.executable, "-m", "explorer", "--model", str(classroom_path), "--export", str(out), SAW]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "") and out.stat().st_size > 2000


def test_snapshots_say_nothing_about_the_missing_screen(tmp_path: Path, classroom_path: Path) -> None:
    command = [sys.executable, "-m", "explorer", "--model", str(classroom_path), "--snapshot", str(tmp_path), SAW]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("moment", ["loading", "at work", "taking pictures"])
def test_an_interrupt_is_quiet_and_leaves_nothing(tmp_path: Path, classroom_path: Path, moment: str) -> None:
    shots, scratch = tmp_path / "shots", tmp_path / "scratch"
    scratch.mkdir()
    # With -v Python says on standard error what it imports.
    command = [sys.executable, *(["-v"] if moment == "loading" else []), "-m", "explorer"]
    command += ["--model", str(classroom_path), "--snapshot", str(shots), SAW]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        if moment == "loading":
            next(line for line in process.stderr if "PySide6" in line)
        else:
            awaited = scratch if moment == "at work" else shots
            wait_until(lambda: process.poll() is not None or (awaited.exists() and list(awaited.iterdir())))
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(30) == 130
    assert "Traceback" not in said and "KeyboardInterrupt" not in said
    assert moment == "loading" or said == ""
    assert not list(scratch.iterdir())
    pictures = list(shots.iterdir()) if shots.exists() else []
    assert len(pictures) < 12 and all(not QImage(str(path)).isNull() for path in pictures)


def test_the_size_of_type_that_was_chosen_is_there_at_the_next_start(tmp_path: Path) -> None:
    # In a process of its own: only before the first window Qt keeps a new font from widgets that are there already.
    program = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
application = QApplication([])
from explorer.window.main_window import MainWindow
from explorer.session.preferences import Preferences
from explorer.session.session import Session
preferences = Preferences(Path(sys.argv[1]))
preferences.keep("text-scale", 1.3)
window = MainWindow(Session(), preferences)
window.show()
application.processEvents()
parts = (window.menuBar(), window.stages.tabs, window.inspector, window.sentence_bar, window.settings_strip)
print({round(part.font().pointSizeF(), 1) for part in parts})
window.close()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "{13.0}\n", done.stderr


def test_a_start_loads_only_what_it_needs_and_leaves_importing_alone(tmp_path: Path) -> None:
    program = """
import builtins, sys
from pathlib import Path
importing = builtins.__import__
from explorer.window import command as app
app.load_compiler()
assert "PySide6" not in sys.modules and "numba" in sys.modules
app.load_qt()
assert builtins.__import__ is importing and "PySide6.QtCore" in sys.modules
from PySide6.QtWidgets import QApplication
application = QApplication([])
from explorer.window.main_window import MainWindow
from explorer.session.preferences import Preferences
from explorer.session.session import Session
window = MainWindow(Session(), Preferences(Path(sys.argv[1])))
window.show()
application.processEvents()
unwanted = ("matplotlib", "networkx", "scipy", "explorer.compare.panel",
"explorer.compare.state", "engine.study.verdicts",
            "engine.training.train", "explorer.window.snapshots")
print([name for name in unwanted if name in sys.modules])
window.features.comparison.show()
application.processEvents()
print("explorer.compare.panel" in sys.modules, window.features.comparison.panel.isVisible())
window.close()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "[]\nTrue True\n", done.stderr


def plan(*arguments: str) -> StartPlan:
    return StartPlan(app.arguments().parse_args(list(arguments)))


def test_first_start_shows_the_papers_sentence(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    driver = Driver(qtbot, tmp_path / "home")
    begin(driver.session, driver.preferences, plan("--model", str(classroom_path)))
    driver.settle()
    assert driver.session.editor.line.text == PAPER_SENTENCE
    assert "president" in driver.canvas.text_twin and not driver.session.editor.undo_stack.canUndo()
    driver.close()


def test_the_last_session_comes_back_unless_others_are_named(
    qtbot: QtBot, classroom_path: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    document = Document(str(classroom_path), lines=(TextLine(SAW), TextLine("Mary/NNP slept/VBD ./.")), current=1)
    Preferences(home).save_last(StoredSession(document, REDUCED))
    driver = Driver(qtbot, home)
    begin(driver.session, driver.preferences, plan())
    driver.settle()
    assert driver.session.editor.document == document and driver.session.view.stage == REDUCED
    driver.close()
    text = tmp_path / "some.txt"
    text.write_text(f"{SAW}\n{SAW}\n", encoding="utf-8")
    driver = Driver(qtbot, home)
    begin(driver.session, driver.preferences, plan(str(text), "--preset", "1", "--beam", "50"))
    driver.until(lambda: len(driver.session.editor.document.lines) == 2)
    driver.settle()
    assert driver.session.editor.document.preset == 1 and driver.session.editor.settings.beam == 50
    driver.close()


def test_a_text_holds_the_same_sentences_in_the_window_and_in_an_export(
    qtbot: QtBot, classroom_path: Path, tmp_path: Path
) -> None:
    texts = ("The dog slept. The man smiled.", "TCP/IP is a protocol. It is old.", SAW)
    driver = Driver(qtbot, tmp_path / "home")
    begin(driver.session, driver.preferences, plan("--model", str(classroom_path), *texts))
    driver.until(lambda: len(driver.session.editor.document.lines) == 5)
    driver.settle()
    shown = [line.text for line in driver.session.editor.document.lines]
    assert shown == ["The dog slept.", "The man smiled.", "TCP/IP is a protocol.", "It is old.", SAW]
    assert shown == [line.text for line in plan(*texts).sentences(engine.load(classroom_path))]
    driver.close()


def test_what_a_crash_left_comes_back(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    save_document(Document(str(classroom_path), lines=(TextLine(SAW),)), home / "recovery-1-a.json", {"stage": 1})
    driver = Driver(qtbot, home)
    begin(driver.session, driver.preferences, plan())
    driver.settle()
    assert driver.session.editor.line.text == SAW and driver.session.view.stage == GAPS
    # Once this window's own file has it.
    driver.until(lambda: not (home / "recovery-1-a.json").exists())
    assert load_document(driver.preferences.recovery.path)[0].line.text == SAW
    driver.close()
