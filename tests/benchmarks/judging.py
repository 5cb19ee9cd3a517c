"""How long the window takes to judge a treebank, in one process and in several, and how long it is ever blocked.

    python tests/benchmarks/judging.py TREEBANK [--model MODEL] [--sentences N ...] [--processes N ...]

Prints for every number of sentences and processes the seconds, the longest gap between two beats of a timer of the
window's thread that should beat every 2 ms, the most that this thread worked between two of them (the rest of the gap
is other processes and threads), the memory of the other processes, and the time until a cancelled run is over.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from engine.common.resources import model_file
from engine.model.model import Model
from engine.study.treebank_report import ErrorTable
from engine.trees.treebank import read_treebank
from engine.warm_up import compile_now
from explorer.compare.judging import judge_lines
from explorer.kit.tasks import Worker
from explorer.session.document import Document, TextLine


class Beats:
    """The longest gap between two beats."""

    def __init__(self) -> None:
        self.longest = self.most_work = 0.0
        self._last = time.perf_counter()
        self._worked = time.thread_time()
        self._timer = QTimer(interval=2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        worked = time.thread_time()
        self.most_work = max(self.most_work, worked - self._worked)
        self._worked = worked


def children_megabytes() -> float:
    """Memory of the processes that this one started, shared pages counted by their share; 0 where that is not told."""
    total = 0
    for tasks in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for child in tasks.read_text().split():
            try:
                lines = Path(f"/proc/{child}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def run(application: QApplication, model: Model, document: Document, processes: int, stop: float | None) -> list[str]:
    """Judge all sentences once, or cancel after a while; give what was measured."""
    worker = Worker("judging")
    beats = Beats()
    tables: list[ErrorTable] = []
    errors: list[Exception] = []
    ended = threading.Event()
    most = [0.0]
    watch = QTimer(interval=300)
    watch.timeout.connect(lambda: most.append(children_megabytes()))
    if processes > 1:
        watch.start()
    numbers = list(range(len(document.lines)))
    started = time.perf_counter()
    job = worker.request(
        lambda job: judge_lines(job, model, document, numbers, processes),
        tables.append,
        errors.append,
        on_progress=lambda part: None,
        on_finished=ended.set,
    )
    if stop is not None:
        QTimer.singleShot(round(1000 * stop), job.cancel)
    while not ended.is_set():
        application.processEvents()
        time.sleep(0.0005)
    seconds = time.perf_counter() - started
    worker.stop()
    if errors:
        raise errors[0]
    if stop is not None:
        return [f"{1000 * (seconds - stop):.0f} ms after cancel"]
    f1 = tables[0].f1
    gap = f"longest gap {1000 * beats.longest:.0f} ms, {1000 * beats.most_work:.0f} ms of it work"
    return [f"{seconds:.2f} s", f"F1 {f1:.3f}", gap, f"{max(most):.0f} MB"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--model", default="english")
    parser.add_argument("--sentences", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    arguments = parser.parse_args()
    compile_now()
    application = QApplication([])
    path = model_file(arguments.model)
    assert path is not None
    model = Model.load(path)
    lines = tuple(TextLine(tree.brackets()) for tree in read_treebank([arguments.treebank]))
    for count in arguments.sentences:
        document = Document(model=str(path), lines=lines[:count])
        for processes in arguments.processes:
            measured = run(application, model, document, processes, None)
            measured += run(application, model, document, processes, 1.0)
            measured += run(application, model, document, processes, 3.0) if count > 500 else []
            print(f"{len(document.lines):6,} sentences, {processes} processes: {', '.join(measured)}", flush=True)


if __name__ == "__main__":
    main()
