"""How long the window is blocked while a long list is searched by structure, and how long the search takes.

    python tests/benchmarks/structure_search.py [--lines 20000]

The list is made of the classroom's trees, again and again.  Prints the longest gap between two beats of a timer that
should beat every 2 ms, and the most time that the window's own thread worked between two beats.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtWidgets import QApplication

from engine.common.resources import bundled_models
from engine.trees.treebank import read_treebank
from explorer.kit.tasks import GarbageCollection
from explorer.session.document import TextLine
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.main_window import MainWindow
from tests.explorer.heart import Heart

ROOT = Path(__file__).parents[2]
PATTERNS = ("PP > (VP < /^VB/=verb)", "NP=x", "NP <<# man")


def main() -> None:
    """Search, and print figures."""
    parser = argparse.ArgumentParser(description="How long the window is blocked by a search by structure.")
    parser.add_argument("--lines", type=int, default=20_000, help="how many trees the list has")
    options = parser.parse_args()
    application = QApplication([])
    session = Session()
    window = MainWindow(session, Preferences(Path(tempfile.mkdtemp())))
    window.resize(1280, 800)
    window.show()

    def until(done: Callable[[], bool]) -> None:
        while not done():
            application.processEvents()
            time.sleep(0.0005)

    session.loader.open_model(bundled_models()["classroom"], undoable=False)
    until(lambda: session.parses.model is not None)
    trees = [tree.brackets() for tree in read_treebank([ROOT / "resources" / "examples" / "classroom.ptb"])]
    session.editor.add_lines([TextLine(text) for text in islice(cycle(trees), options.lines)])
    until(lambda: session.parses.is_complete)
    window.named_actions["search-structure"].trigger()
    panel = window.features.laboratory.search.panel
    heart = Heart()
    GarbageCollection(session.tasks, session).start()

    def measured(title: str, act: Callable[[], object], done: Callable[[], bool]) -> None:
        until(lambda: not session.tasks.busy)
        heart.reset()
        started = time.perf_counter()
        act()
        until(done)
        took = time.perf_counter() - started
        longest, work = heart.longest * 1000, heart.most_work * 1000
        print(f"{title:42} {took:6.2f} s   longest block {longest:5.0f} ms, work {work:4.0f} ms")

    for pattern in PATTERNS:
        measured(pattern, lambda: panel.look_for(pattern), lambda: not panel.busy)  # noqa: B023
        print(f"   {panel.summary.text()}")
    sentences = window.sentences
    measured('filter tree:"PP > VP"', lambda: sentences.set_filter('tree:"PP > VP"'), lambda: not sentences.model.busy)
    print(f"   {len(sentences.model.shown):,} pass")
    window.close()


if __name__ == "__main__":
    main()
