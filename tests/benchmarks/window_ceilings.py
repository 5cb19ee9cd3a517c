"""How much memory the window takes for what is most costly, how long it is held up, and how soon that is cancelled.

    python -m tests.benchmarks.window_ceilings [--only NAME …] [--moments 20] [--seed 18] [--stacks]

Each kind of work has a window in a process of its own.  It is done once to its end, and then cancelled at random
moments.  Printed is a table in Markdown: the seconds of the whole; the most memory of the window and its children; the
longest time between two beats of a timer that should beat every 2 ms, and how much of such a time the window's own
thread worked (the rest is other processes and threads); and the longest time from the cancel to the moment when nothing
of the work is left, so that the next is taken up at once.  With ``--stacks`` it also says what was at work when
a cancel was late, and at what the window's thread was while it was held up.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from engine.common.resources import model_file
from engine.trees.treebank import read_treebank
from engine.warm_up import compile_now
from explorer.kit.fonts import register_fonts
from explorer.kit.tasks import GarbageCollection, Worker
from explorer.laboratory import experiments as experiment_window
from explorer.laboratory.training import TrainingWindow
from explorer.session.document import TextLine
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.main_window import MainWindow
from tests.benchmarks.ceilings import most_memory
from tests.benchmarks.many_trees import write_many
from tests.benchmarks.responsiveness import Witness
from tests.explorer.heart import Heart
from tests.stage_names import CHART, PARSE

PATIENCE = 600.0
LATE = 0.2
"""Seconds that a cancel may take."""
WIDEST = 1e6
SENTENCES, TREES = 2_000, 500
LETTERS = "bcdfgaeioulmnrst"


class Work(NamedTuple):
    """What is measured.

    Attributes
    ----------
    begin, cancel
        How it is begun, and how a person cancels it.
    over
        Whether nothing of it is left, so that it can be begun anew; without it: nothing at all is under way.
    """

    begin: Callable[[], object]
    cancel: Callable[[], object]
    over: Callable[[], bool] | None = None


class Bench:
    """A window, and how its work is begun, cancelled and measured."""

    def __init__(self, folder: Path, seed: int, stacks: bool) -> None:
        self.folder = folder
        self.stacks = stacks
        self.rng = random.Random(seed)
        self.application = QApplication([])
        register_fonts()
        self.session = Session()
        self.window = MainWindow(self.session, Preferences(folder / "home"))
        self.window.resize(1280, 800)
        self.window.show()
        self.heart = Heart()
        self.witness = Witness(self.heart) if stacks else None

    def until(self, done: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Let the window work until something is so; whether it came to be."""
        end = time.perf_counter() + patience
        while not done():
            if time.perf_counter() > end:
                return False
            self.application.processEvents()
            time.sleep(0.0005)
        return True

    @property
    def idle(self) -> bool:
        """Whether nothing is under way, not even what was cancelled."""
        return all(worker.idle for part in (self.session, self.window) for worker in part.findChildren(Worker))

    def rest(self) -> None:
        """Wait until nothing is under way."""
        assert self.until(lambda: self.idle), f"not done in {PATIENCE:.0f} s"

    def cancel(self) -> None:
        """Cancel as a person does, by Ctrl+."""
        self.window.named_actions["cancel"].trigger()

    def cancelled(self, work: Work) -> float:
        """Cancel what is under way; seconds until nothing of it is left."""
        started = time.perf_counter()
        seen: Counter[str] = Counter()
        over = work.over or (lambda: self.idle)

        def gone() -> bool:
            if self.stacks and time.perf_counter() - started > LATE / 2:
                seen.update(where_threads_are())
            return over()

        work.cancel()
        assert self.until(gone), f"not cancelled in {PATIENCE:.0f} s"
        took = time.perf_counter() - started
        for stack, times in seen.most_common(3):
            print(f"{took:.3f} s, {times:3} × {stack}")
        return took

    def measured(self, work: Work, moments: int) -> dict[str, float]:
        """Do something to its end, and then cancel it at random moments."""
        self.rest()
        self.heart.reset()
        started = time.perf_counter()
        work.begin()
        self.rest()
        whole = time.perf_counter() - started
        taken: list[float] = []
        for _ in range(moments):
            work.begin()
            if not self.until(lambda: self.idle, self.rng.random() * whole):
                taken.append(self.cancelled(work))
            self.rest()
        if self.witness is not None:
            self.witness.tell()
        return {
            "seconds": whole,
            "held": self.heart.longest,
            "worked": self.heart.most_work,
            "cancel": max(taken, default=0.0),
            "cancels": len(taken),
        }

    def open_model(self, name: str) -> list[str]:
        """Open a model; its words."""
        path = model_file(name)
        assert path is not None
        self.session.loader.open_model(path, undoable=False)
        self.until(lambda: self.session.parses.model is not None)
        model = self.session.parses.model
        assert model is not None
        # As the program does.
        GarbageCollection(self.session.tasks, self.session).start()
        self.session.editor.set_document(self.session.editor.document.with_line(TextLine("Mary/NNP saw/VBD him/PRP")))
        self.rest()
        return [word for word in model.vocabulary.words if word.isalpha()]

    def typed(self, model: str, words: Callable[[list[str]], list[str]], beam: float = 0.0, stage: str = PARSE) -> Work:
        """Type a sentence, another one each time."""
        known = self.open_model(model)
        if beam:
            self.session.editor.set_settings(beam=beam)
        self.session.view.set_stage(stage)
        return Work(lambda: self.session.editor.edit_text(" ".join(words(known))), self.cancel)

    def treebank(self, trees: int) -> Path:
        """A treebank of so many trees."""
        return write_many(self.folder / "bank.ptb", trees)

    def opened(self, path: Path, lines: int) -> None:
        """Open a file of so many sentences or trees as the list."""
        self.open_model("english")
        self.window.files.open_path(path)
        self.until(lambda: len(self.session.editor.document.lines) >= lines)
        self.rest()


def where_threads_are() -> list[str]:
    """Of every thread of work what it does now, its innermost calls first."""
    here = threading.get_ident()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    found = []
    for ident, frame in sys._current_frames().items():
        own = [one for one in traceback.extract_stack(frame) if "/site-packages/" not in one.filename]
        calls = " < ".join(f"{Path(one.filename).stem}.{one.name}:{one.lineno}" for one in own[:-9:-1])
        if ident != here and "worker.run:" in calls:
            found.append(f"{names.get(ident)}: {calls}")
    return found


# What is measured


def long_sentence(bench: Bench, stage: str = PARSE) -> Work:
    """The longest sentence under the widest β."""
    return bench.typed("english", lambda known: bench.rng.choices(known, k=400), WIDEST, stage)


def unknown_words(bench: Bench) -> Work:
    """Words that a small model does not know: each may have any tag."""
    return bench.typed(
        "classroom",
        lambda known: ["".join(bench.rng.choices(LETTERS, k=bench.rng.randint(4, 9))) for _ in range(100)],
    )


def one_word(bench: Bench) -> Work:
    """One word many times."""
    return bench.typed("classroom", lambda known: ["dog"] * bench.rng.randint(47, 53))


def whole_list(bench: Bench) -> Work:
    """Parse all of a list."""
    text = bench.folder / "list.txt"
    trees = read_treebank([bench.treebank(SENTENCES)])
    text.write_text("".join(f"{' '.join(tree.words())}\n" for tree in trees), "utf-8")
    bench.opened(text, SENTENCES)
    return Work(bench.session.list_parsing.start, bench.cancel)


def survey(bench: Bench) -> Work:
    """Look at a treebank in the training window; another choice of treebanks stops it."""
    training = _training(bench)
    (worker,) = (one for one in training.findChildren(Worker) if not one.idle)
    return Work(training.look, worker.cancel)


def training(bench: Bench) -> Work:
    """Train a model."""
    window = _training(bench)
    return Work(window.begin, window.stop.click)


def _training(bench: Bench) -> TrainingWindow:
    bench.window.features.laboratory.training.show()
    window = bench.window.features.laboratory.training.window
    assert window is not None
    window.sources.add([str(bench.treebank(TREES))])
    window.form.file.setText(str(bench.folder / "own.model"))
    return window


def errors(bench: Bench) -> Work:
    """Judge a list of gold trees, in other processes."""
    bench.opened(bench.treebank(TREES), TREES)
    table = bench.window.features.comparison.errors
    return Work(table.judge, table.toggle)


def experiment(bench: Bench) -> Work:
    """An experiment of the paper's."""
    bench.open_model("english")
    bank = bench.treebank(TREES)
    bench.window.features.laboratory.experiments.open()
    window = bench.window.features.laboratory.experiments.window
    assert window is not None
    window.form.fields["test"].setText(str(bank))
    bench.rest()

    def begin() -> None:
        # Nothing that was measured before is taken over.
        folder = Path(tempfile.mkdtemp(dir=bench.folder))
        experiment_window.journal_folder = lambda: folder  # type: ignore[attr-defined]
        window.begin()

    # The plot of what was measured until then is drawn meanwhile.
    return Work(begin, window.stop.click, lambda: not window.runner.running)


def systems(bench: Bench) -> Work:
    """Compare systems."""
    bench.opened(bench.treebank(TREES), TREES)
    bench.window.named_actions["systems"].trigger()
    window = bench.window.features.laboratory.systems.window
    assert window is not None
    bench.rest()
    # Not the button, which begins anew once all is compared and only its plot is still drawn.
    return Work(window.compare, window.cancel, lambda: not window.busy)


MEASURED: dict[str, tuple[str, Callable[[Bench], Work]]] = {
    "sentence": ("400 words at random, β = 10⁶, `english`", long_sentence),
    "chart": ("the same, its chart in sight", lambda bench: long_sentence(bench, CHART)),
    "unknown": ("100 unknown words, `classroom`", unknown_words),
    "dog": ("some fifty times `dog`, `classroom`", one_word),
    "list": (f"*Parse all* of {SENTENCES:,} sentences", whole_list),
    "survey": (f"looking at {TREES:,} trees before training", survey),
    "train": (f"training on {TREES:,} trees", training),
    "errors": (f"the error table of {TREES:,} trees", errors),
    "experiment": (f"an experiment on {TREES:,} trees", experiment),
    "systems": (f"two systems compared on {TREES:,} trees", systems),
}


def measure(name: str, options: argparse.Namespace) -> None:
    """Measure one kind of work in this process, and print what came of it as JSON."""
    with tempfile.TemporaryDirectory() as made:
        bench = Bench(Path(made), options.seed, options.stacks)
        work = MEASURED[name][1](bench)
        found = bench.measured(work, options.moments)
        bench.window.close()
    print(json.dumps(found))


def main() -> None:
    """Measure each kind of work in a process of its own, and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=MEASURED, default=list(MEASURED))
    options.add_argument("--moments", type=int, default=20)
    options.add_argument("--seed", type=int, default=18)
    options.add_argument("--stacks", action="store_true")
    options.add_argument("--here", action="store_true", help="the first of them in this very process")
    chosen = options.parse_args()
    if chosen.here:
        measure(chosen.only[0], chosen)
        return
    compile_now()
    print("| what | time | memory | held the window, of it own work | cancelled, the longest |\n|---|---|---|---|---|")
    for name in chosen.only:
        command = [sys.executable, "-m", "tests.benchmarks.window_ceilings", "--here", "--only", name]
        command += ["--moments", str(chosen.moments), "--seed", str(chosen.seed), *["--stacks"] * chosen.stacks]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        memory = most_memory(process)
        *stacks, last = process.communicate()[0].decode().splitlines() or [""]
        if process.returncode:
            sys.exit(f"{name}: ended with status {process.returncode}")
        for line in stacks:
            print(line, file=sys.stderr)
        found = json.loads(last)
        print(
            f"| {MEASURED[name][0]} | {found['seconds']:.1f} s | {memory:.2f} GB "
            f"| {found['held']:.2f} s, {found['worked']:.2f} s | {found['cancel']:.2f} s of {found['cancels']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
