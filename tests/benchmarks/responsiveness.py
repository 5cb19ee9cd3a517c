"""How long the window's event loop is ever blocked: a heartbeat while a person parses, steps, slides and replays.

    python tests/benchmarks/responsiveness.py [MODEL] [--sentence SENTENCE] [--beam β] [--stacks]

Prints for each thing that a person does the longest gap between two beats of a timer that should beat every 2 ms,
and the most time that the window's own thread worked between two beats (the rest is other processes and threads).
With ``--stacks`` it also prints what the window's thread was at while a beat was late.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from engine.common.resources import model_file
from engine.explain.subjects import ChartCellId
from explorer.kit.appearance import PAPER_SENTENCE
from explorer.panels.settings import place_of
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.stages.player import StageNavigator
from explorer.stages.stages import STAGES
from explorer.window.main_window import MainWindow
from tests.explorer.heart import Heart
from tests.stage_names import CHART

FORTY = (
    "The/DT old/JJ teacher/NN who/WP lived/VBD near/IN the/DT river/NN told/VBD the/DT students/NNS that/IN "
    "he/PRP had/VBD seen/VBN a/DT small/JJ boat/NN with/IN a/DT red/JJ sail/NN on/IN the/DT lake/NN behind/IN "
    "the/DT house/NN ,/, and/CC they/PRP asked/VBD him/PRP whether/IN the/DT man/NN in/IN it/PRP had/VBD "
    "waved/VBN at/IN him/PRP ./."
)

TWENTY_FIVE = (
    "The/DT old/JJ teacher/NN who/WP lived/VBD near/IN the/DT river/NN told/VBD the/DT students/NNS that/IN "
    "he/PRP had/VBD seen/VBN a/DT small/JJ boat/NN with/IN a/DT red/JJ sail/NN on/IN the/DT lake/NN ./."
)
LINES = 50_000
LATE = 0.025
"""Seconds after which a beat is late, so that `Witness` looks what the window is at."""


class Witness(threading.Thread):
    """Looks at the window's thread while a beat is late, and counts what it was at."""

    def __init__(self, heart: Heart) -> None:
        super().__init__(daemon=True)
        self._heart = heart
        self._seen: Counter[str] = Counter()
        self._watched = threading.get_ident()
        self.start()

    def run(self) -> None:
        """Look every few milliseconds."""
        while True:
            time.sleep(LATE / 8)
            if time.perf_counter() - self._heart.last > LATE:
                frames = traceback.extract_stack(sys._current_frames().get(self._watched))
                own = [frame for frame in frames if "/explorer/" in frame.filename or "/engine/" in frame.filename]
                self._seen[" < ".join(f"{Path(one.filename).stem}.{one.name}:{one.lineno}" for one in own[:-9:-1])] += 1

    def tell(self) -> None:
        """Print what was seen, and forget it."""
        for stack, times in self._seen.most_common(8):
            print(f"      {times:3} × {stack}")
        self._seen.clear()


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="How long the window's event loop is ever blocked.")
    parser.add_argument("model", nargs="?", help="a model's file, or the name of a bundled one")
    parser.add_argument("--sentence", default=FORTY, help="the tagged sentence that is traced")
    parser.add_argument("--beam", type=float, default=1e6, help="the beam it is traced under")
    parser.add_argument("--stacks", action="store_true", help="say what the window was at while it was blocked")
    options = parser.parse_args()
    if (found := model_file(options.model)) is None or not found.is_file():
        parser.error(f"there is no model {options.model or 'bundled with the program'}")
    options.model = found
    return options


def main() -> None:
    """Do what a person does, and print the longest blocks."""
    options = arguments()
    application = QApplication([])
    session = Session()
    window = MainWindow(session, Preferences(Path(tempfile.mkdtemp())))
    window.resize(1280, 800)
    window.show()
    heart = Heart()
    witness = Witness(heart) if options.stacks else None

    def until(done: Callable[[], bool], patience: float = 60.0) -> None:
        end = time.perf_counter() + patience
        while not done() and time.perf_counter() < end:
            application.processEvents()
            time.sleep(0.0005)

    def measured(title: str, act: Callable[[], object], rest: float = 0.3) -> None:
        until(lambda: False, 0.3)
        heart.reset()
        started = time.perf_counter()
        act()
        until(lambda: not session.parses.busy and not session.tasks.busy)
        took = time.perf_counter() - started
        until(lambda: False, rest)
        print(
            f"{title:34} longest block {heart.longest * 1000:6.1f} ms, of it work {heart.most_work * 1000:6.1f} ms"
            f"   took {took * 1000:7.0f} ms",
            flush=True,
        )
        if witness is not None:
            witness.tell()

    def slide() -> None:
        strip = window.settings_strip
        for place in range(place_of(1e4), place_of(1e6), 8):
            strip.slider.setValue(place)
            until(lambda: False, 0.03)

    def replay() -> None:
        window.player.play(True)
        until(lambda: False, 2.0)
        window.player.play(False)

    measured("open the model", lambda: session.loader.open_model(options.model, undoable=False))
    # As the program does: once the model is there it parses its first sentence.
    gc.freeze()
    measured("the first sentence", lambda: session.editor.edit_text(PAPER_SENTENCE))
    session.editor.set_settings(beam=options.beam)
    measured(f"parse and trace, β = {options.beam:,.0f}", lambda: session.editor.edit_text(options.sentence))
    trace = session.parses.result.parse.chart if session.parses.result is not None else None
    shown = session.parses.shown
    print(f"{len(shown.sentence.positions) if shown else 0} words, {len(trace or ()):,} records")
    for stage in STAGES:
        measured(f"go to {stage.title}", partial(session.view.set_stage, stage.name))

    def select_cell() -> None:
        session.view.set_stage(CHART)
        session.view.select(ChartCellId(2, 30))

    measured("select a cell of the chart", select_cell)
    measured("drag β, chart in sight", slide)
    session.view.set_chart_step(0)
    measured("replay the chart", replay)
    measured("step through edges", lambda: [StageNavigator(session.view, session.parses).step(True) for _ in range(20)])
    started = time.perf_counter()
    session.editor.set_settings(beam=9e5)
    until(lambda: False, 0.02)
    session.tasks.cancel()
    until(lambda: session.tasks.idle)
    print(f"cancel answered after {1000 * (time.perf_counter() - started - 0.02):.0f} ms")

    def answered() -> bool:
        return (
            session.parses.is_current
            and session.parses.result is not None
            and session.parses.result.full
            and window.stages.settled
        )

    def drawn() -> bool:
        answer = session.parses.result
        return (
            session.parses.is_current
            and answer is not None
            and answer.parse.chart is not None
            and window.stages.settled
        )

    session.editor.set_settings(beam=1000.0)
    session.editor.edit_text(TWENTY_FIVE)
    session.view.set_stage(CHART)
    until(answered)
    times = []
    for beam in (900.0, 500.0, 300.0, 150.0, 60.0, 20.0, 8.0, 3.0, 40.0, 200.0, 700.0):
        until(answered)
        until(lambda: False, 0.3)
        started, worked = time.perf_counter(), time.process_time()
        session.editor.set_settings(beam=beam)
        until(drawn)
        window.stages.canvas.viewport().repaint()
        times.append((1000 * (time.perf_counter() - started), 1000 * (time.process_time() - worked)))
    wall, work = (statistics.median(one[place] for one in times) for place in (0, 1))
    print(f"β step to a repainted chart, 25 words: median {wall:.0f} ms, of it work of all threads {work:.0f} ms")
    long = " ".join([TWENTY_FIVE.rpartition(" ")[0]] * 8) + " ./."
    session.editor.set_settings(beam=1000.0)
    measured("parse 200 words", lambda: session.editor.edit_text(long))
    for stage in STAGES:
        measured(f"go to {stage.title}, 200 words", partial(session.view.set_stage, stage.name))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "long.txt"
        file.write_text("".join(f"Mary/NNP saw/VBD {n}/CD dogs/NNS ./.\n" for n in range(LINES)), encoding="utf-8")
        measured(f"open {LINES:,} lines", lambda: session.loader.open_text(file), 1.5)
    measured("choose the last of them", lambda: session.editor.choose(len(session.editor.document.lines) - 1), 1.5)
    measured("undo", session.editor.undo_stack.undo, 1.5)
    measured("redo", session.editor.undo_stack.redo, 1.5)
    measured("type in it", lambda: session.editor.edit_text(TWENTY_FIVE), 1.5)
    measured("search the list", lambda: window.sentences.search.setText("4321"))
    window.sentences.search.clear()
    started = time.perf_counter()
    session.list_parsing.start()
    until(lambda: False, 1.0)
    heart.reset()
    until(lambda: False, 1.0)
    print(
        f"while all are parsed: longest block {heart.longest * 1000:.1f} ms, of it work {heart.most_work * 1000:.1f} ms"
    )
    started = time.perf_counter()
    session.tasks.cancel()
    until(lambda: session.tasks.idle)
    print(f"cancel answered after {1000 * (time.perf_counter() - started):.0f} ms")
    measured("close the window", window.close)


if __name__ == "__main__":
    main()
