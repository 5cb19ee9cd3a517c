"""How many modules and functions a reader passes on four walks through the program.

    python tests/benchmarks/walks.py [WALK …] [--names] [--functions] [--again]

The walks: `sentence`, typed text to painted tree; `model`, a treebank to a model file; `click`, a cell of F̂ to the
inspector's page; `verdict`, a sentence with a gold tree to the verdict on its parse on the screen.  A walk is profiled
in all its threads; what counts are the modules of the project in which a function was called, and these functions.
Code that runs while a module is imported counts for neither.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

import engine
from engine.common.resources import named_model
from engine.explain.subjects import MatrixCellId
from engine.settings import Settings
from explorer.session.document import Document, TextLine
from explorer.stages.stages import STAGES
from explorer.window.files import AUTOSAVE_MS
from explorer.window.snapshots import Photographer, quiet_platform

ROOT = Path(engine.__file__).parents[1]
BANK = ROOT / "resources" / "examples" / "everyday.ptb"
FIRST = "The dog sleeps."
SECOND = "Mary saw the man with the telescope."
THIRD = "(S (NP (PRP We)) (VP (VBD ate) (NP (NN dinner))) (. .))"
WRONG = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
ESTIMATES = "estimates"
PHOTOGRAPHER = Photographer.__module__
"""It waits and clicks here in a person's place."""


class Walk:
    """Notes which functions of the project are called, in every thread that starts after it was made."""

    def __init__(self) -> None:
        self.seen: set[CodeType] = set()
        self._noting = False
        self._importing: Counter[int] = Counter()
        threading.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_name == "<module>":
            self._importing[threading.get_ident()] += 1 if event == "call" else -1
            return
        # The body of a class is code, too, but no function.
        is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)
        if self._noting and event == "call" and is_function and not self._importing[threading.get_ident()]:
            self.seen.add(code)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is called within."""
        self.seen = set()
        self._noting = True
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._noting = False

    @property
    def functions(self) -> list[tuple[str, str]]:
        """The functions of the project: module and name; those within a function count with it."""
        found = set()
        for code in self.seen:
            path = Path(code.co_filename)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("engine", "explorer"):
                module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                if module != PHOTOGRAPHER:
                    found.add((module, code.co_qualname.partition(".<locals>")[0]))
        return sorted(found)

    @property
    def modules(self) -> Counter[str]:
        """The modules of the project, and how many of their functions were called."""
        return Counter(module for module, _ in self.functions)


def document(text: str) -> Document:
    """A sentence under the third preset."""
    return Document("", 3, Settings.preset(3), (TextLine(text),))


def type_sentence(shown: Photographer, walk: Walk, again: bool) -> None:
    """A typed sentence to the painted tree."""
    shown.show(document(FIRST))
    shown.session.view.set_stage(STAGES[-1].name)
    shown.settle()
    edit = shown.window.sentence_bar.edit

    def done() -> bool:
        parses = shown.session.parses
        return parses.is_complete and parses.is_current and shown.session.tasks.idle and shown.window.stages.settled

    def act(text: str) -> None:
        edit.selectAll()
        edit.insertPlainText(text)
        shown.window.sentence_bar.enter()
        shown.wait(lambda: parse_text(shown) == text)
        shown.wait(done)
        shown.window.stages.canvas.grab()

    if again:
        act("Mary saw John.")
    quiet(shown)
    with walk.noted():
        act(SECOND)


def quiet(shown: Photographer) -> None:
    """Wait until nothing is left of what was done before: half a second after a change the session is kept."""
    shown.wait(lambda: False, 3 * AUTOSAVE_MS / 1000)
    shown.wait(lambda: shown.session.tasks.idle and not shown.window.autosave.busy)


def parse_text(shown: Photographer) -> str:
    """The text whose parse is shown."""
    line = shown.session.editor.document.line
    return line.text if shown.session.parses.is_current and shown.session.parses.result is not None else ""


def click_cell(shown: Photographer, walk: Walk, again: bool) -> None:
    """A click on a cell of F̂ to the inspector's page."""
    shown.show(document(SECOND))
    shown.session.view.set_stage(ESTIMATES)
    shown.settle()

    def act(id: MatrixCellId) -> None:
        shown.window.stages.canvas.selected.emit(id)
        shown.wait(lambda: shown.session.tasks.idle)
        shown.settle()

    if again:
        act(MatrixCellId(0, 1))
    quiet(shown)
    with walk.noted():
        act(MatrixCellId(4, 1))


def judge(shown: Photographer, walk: Walk, again: bool) -> None:
    """A sentence with a gold tree that the parse is not, to its verdict on the screen: parsed and compared."""
    tools = shown.window.features.comparison

    def act(tree: str) -> None:
        shown.show(document(tree))
        tools.show()
        shown.wait(lambda: compared(tree) and shown.session.tasks.idle)
        shown.settle()
        tools.panel.canvas.grab()

    def compared(tree: str) -> bool:
        found = tools.comparisons.comparison
        return tools.panel.settled and found is not None and found.full and found.request.document.line.text == tree

    shown.show(document(THIRD))
    if again:
        act(THIRD)
    quiet(shown)
    with walk.noted():
        act(WRONG)


def train(walk: Walk) -> None:
    """A treebank to a model file."""
    with tempfile.TemporaryDirectory() as folder, walk.noted():
        engine.train([BANK]).save(Path(folder) / "new.model")


WINDOW_WALKS: dict[str, Callable[[Photographer, Walk, bool], None]] = {
    "sentence": type_sentence,
    "click": click_cell,
    "verdict": judge,
}


def main() -> None:
    """Take the walks that are asked for, and print what was passed."""
    parser = argparse.ArgumentParser(description="How many modules and functions four walks pass.")
    parser.add_argument("walks", nargs="*", metavar="WALK", help="sentence, model, click or verdict; all by default")
    parser.add_argument("--names", action="store_true", help="print the modules, and how many functions of each")
    parser.add_argument("--functions", action="store_true", help="print the functions, too")
    parser.add_argument("--again", action="store_true", help="count a second time: what is made once is left out")
    options = parser.parse_args()
    wanted = options.walks or ["sentence", "model", "click", "verdict"]
    if unknown := set(wanted) - {"model", *WINDOW_WALKS}:
        parser.error(f"there is no walk {', '.join(sorted(unknown))}")
    walk = Walk()
    application = QApplication([])
    for name in wanted:
        if name == "model":
            train(walk)
        else:
            with quiet_platform(), Photographer(named_model("english"), (1280, 800)) as shown:
                WINDOW_WALKS[name](shown, walk, options.again)
        print(f"{name:10} {len(walk.modules):4} modules {len(walk.functions):5} functions")
        if options.names or options.functions:
            for module, count in sorted(walk.modules.items()):
                print(f"    {module:50} {count:4}")
                if options.functions:
                    print("".join(f"        {one}\n" for own, one in walk.functions if own == module), end="")
    application.closeAllWindows()


if __name__ == "__main__":
    main()
