"""How long live training takes to follow an edit: from the edit to the new parse and to what changed, by trees.

    python tests/benchmarks/live_training.py [--trees 0 10 50 150 500] [--edits N] [--sentence SENTENCE]

For each number of trees it adds and takes back one tree, again and again, in a window's session without the window, and
prints the median and the longest of: training alone; the parse that follows on the screen; what changed, known.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from engine.warm_up import compile_now
from explorer.classroom.live_training import LiveTraining, LiveTreebank, classroom_treebank, train_on
from explorer.session.preferences import LIVE_TREEBANK, Preferences
from explorer.session.session import Session

SENTENCE = "Mary saw the man with the telescope."
LIMIT = 0.3
"""Seconds within which the model of 150 trees is to follow."""


def until(done: Callable[[], bool]) -> None:
    """Let the session work until something is so."""
    while not done():
        QApplication.processEvents()
        # An event loop sleeps where nothing is to be done; one that spins would take the machine from the training.
        time.sleep(0.0005)


def measure(count: int, edits: int, sentence: str, folder: Path) -> list[list[float]]:
    """The times of every edit: training alone, until the parse, until what changed."""
    pool = classroom_treebank().trees
    trees = (pool * (count // len(pool) + 1))[:count]
    session = Session()
    training = LiveTraining(session, Preferences(folder), session)
    session.editor.edit_text(sentence)
    training.start(LiveTreebank("benchmark", trees))
    until(lambda: not training.busy and not session.parses.busy)
    times = []
    for number in range(edits):
        model, earlier = training.model, session.view.earlier
        started = time.perf_counter()
        if number % 2:
            session.editor.undo_stack.undo()
        else:
            training.add([pool[number % len(pool)]])
        until(lambda model=model: training.model is not model)  # type: ignore[misc]
        parses = training.model is not None
        until(lambda parses=parses: session.parses.is_current if parses else session.parses.result is None)  # type: ignore[misc]
        parsed = time.perf_counter() - started
        # An empty treebank has no parse to compare.
        until(lambda earlier=earlier, parses=parses: not parses or session.view.earlier is not earlier)  # type: ignore[misc]
        compared = time.perf_counter() - started
        until(lambda: not training.busy and not session.parses.busy)
        times.append([training.seconds, parsed, compared])
    session.close()
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trees", type=int, nargs="+", default=[0, 10, 50, 150, 500])
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--sentence", default=SENTENCE)
    arguments = parser.parse_args()
    application = QApplication.instance() or QApplication([])
    compile_now()
    train_on(classroom_treebank().trees, LIVE_TREEBANK)
    print(f"{arguments.edits} edits each; median (longest) in ms; the limit is {LIMIT * 1000:.0f} ms for 150 trees")
    print("trees       training      until parsed    until compared")
    with tempfile.TemporaryDirectory() as folder:
        for count in arguments.trees:
            columns = zip(*measure(count, arguments.edits, arguments.sentence, Path(folder)), strict=True)
            cells = [f"{statistics.median(one) * 1000:5.0f} ({max(one) * 1000:5.0f})" for one in columns]
            print(f"{count:5}  {'   '.join(f'{cell:>14}' for cell in cells)}")
    del application


if __name__ == "__main__":
    main()
