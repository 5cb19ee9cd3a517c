"""The list with fifty thousand trees: how long the window is ever blocked while it opens and filters, and its memory.

    python -m tests.benchmarks.many_sentences MODEL [TREES [TREEBANK]]

Prints for each thing that a person does the longest gap between two beats of a timer that should beat every 2 ms, how
much of it the window's own thread worked, and the most memory that the process ever held.  Without a treebank the
project's own example trees are varied; a treebank given is repeated until there are enough trees.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from explorer.kit.tasks import Worker
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.main_window import MainWindow
from tests.benchmarks.many_trees import write_many
from tests.explorer.heart import Heart

FILTERS = ("man", "tag:VBD", "label:SBAR", "length>9", "is:differs", "-tag:CC length:5-8", "triple:PP,VP,*", "")


def main() -> None:
    """Open, filter, sort, walk, edit, and print the longest blocks."""
    application = QApplication([])
    folder = Path(tempfile.mkdtemp())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    bank = _bank(folder, count)
    print(f"{count:,} trees, {bank.stat().st_size / 1e6:.1f} MB")
    session = Session()
    window = MainWindow(session, Preferences(folder / "home"))
    window.resize(1280, 800)
    window.show()
    heart = Heart()

    def until(done: Callable[[], bool], patience: float = 600.0) -> None:
        end = time.perf_counter() + patience
        while not done() and time.perf_counter() < end:
            application.processEvents()
            time.sleep(0.0005)

    def idle() -> bool:
        workers = (*session.findChildren(Worker), *window.findChildren(Worker))
        return not any(worker.busy for worker in workers)

    def measured(title: str, act: Callable[[], object], settle: float = 1.2) -> None:
        until(lambda: False, 0.3)
        heart.reset()
        started = time.perf_counter()
        act()
        until(idle)
        took = time.perf_counter() - started
        # What is kept for a crash is written a little later.
        until(lambda: False, settle)
        until(idle)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{title:34} longest block {heart.longest * 1000:6.1f} ms, of it work {heart.most_work * 1000:6.1f} ms"
            f"   took {took * 1000:7.0f} ms   {memory:6.0f} MB",
            flush=True,
        )

    measured("open the model", lambda: session.loader.open_model(sys.argv[1], undoable=False))
    measured("open the treebank", lambda: window.files.open_path(bank))
    assert len(session.editor.document.lines) >= count
    for text in FILTERS:
        measured(f"filter {text!r}", partial(window.sentences.set_filter, text), 0.0)
        print(f"{'':34} {len(window.sentences.model.shown):,} sentences")
    measured("longest first", lambda: window.sentences.orders.setCurrentIndex(2), 0.0)
    measured("in order", lambda: window.sentences.orders.setCurrentIndex(0), 0.0)
    measured("choose the last sentence", lambda: session.editor.choose(count - 1))
    measured("next sentence", lambda: session.editor.choose(count // 2))
    measured("change a gold tree", lambda: window.features.comparison.tree_editor.relabel((), "FRAG"))
    measured("undo", session.editor.undo_stack.undo)
    measured("next difference", lambda: window.named_actions["next-difference"].trigger())
    saved = folder / "session.json"
    measured("save the session", lambda: window.files.save_to(saved))
    measured("open the session", lambda: window.files.open_path(saved))
    assert session.file.path == saved and len(session.editor.document.lines) >= count
    session.list_parsing.start()
    until(lambda: False, 5.0)
    known = len(session.statuses)
    session.tasks.cancel()
    until(idle)
    print(f"parse all, cancelled after 5 s: {known:,} sentences known")
    started = time.perf_counter()
    hidden: list[float] = []
    window.hideEvent = lambda event: hidden.append(time.perf_counter() - started)  # type: ignore[method-assign]
    window.close()
    closed = time.perf_counter() - started
    print(f"close: out of sight after {hidden[0] * 1000:.0f} ms, everything kept after {closed * 1000:.0f} ms")


def _bank(folder: Path, count: int) -> Path:
    path = folder / "many.ptb"
    if len(sys.argv) <= 3:
        return write_many(path, count)
    lines = [line for line in Path(sys.argv[3]).read_text(encoding="utf-8").splitlines() if line.startswith("(")]
    path.write_text("\n".join(lines[number % len(lines)] for number in range(count)) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
