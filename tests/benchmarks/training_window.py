"""How long the window's own thread ever works at a stretch while treebanks are looked at and trained on.

    python tests/benchmarks/training_window.py TREEBANK … [--jobs N]

Prints of the look and of the training how long they took, the longest gap between two beats of a timer that should beat
every 2 ms, and the most time that the window's thread worked between two beats (the rest is other processes).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtWidgets import QApplication

from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.main_window import MainWindow
from tests.explorer.heart import Heart


def main() -> None:
    """Look, train, and print the longest blocks."""
    parser = argparse.ArgumentParser(description="How long the window is blocked while a model is trained.")
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    application = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        main_window = MainWindow(Session(), Preferences(Path(folder)))
        main_window.show()
        main_window.features.laboratory.training.show()
        window = main_window.features.laboratory.training.window
        assert window is not None
        heart = Heart()

        def measured(title: str, act: Callable[[], object]) -> None:
            rest = time.perf_counter() + 0.5
            while time.perf_counter() < rest:
                application.processEvents()
            heart.reset()
            started = time.perf_counter()
            act()
            while window.busy:
                application.processEvents()
                time.sleep(0.0005)
            took = time.perf_counter() - started
            print(
                f"{title:8} {took:6.1f} s, longest block {heart.longest * 1000:6.1f} ms, "
                f"of it work {heart.most_work * 1000:6.1f} ms"
            )

        measured("look", lambda: window.sources.add(options.treebanks))
        window.form.file.setText(str(Path(folder) / "own.model"))
        window.form.fields["jobs"].setValue(options.jobs)
        measured("train", window.begin)
        print(window.view.title.text())
        main_window.close()


if __name__ == "__main__":
    main()
