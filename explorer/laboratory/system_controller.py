"""Systems compared in the window: what its actions do, and the window that they open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QFileDialog, QWidget

from engine.common.errors import EngineError
from engine.text.input_recognition import is_tree
from engine.trees.tree_normalisation import clean
from explorer.comparison.comparison_controller import ComparisonController
from explorer.comparison.comparison_sides import GOLD, OTHER, Side
from explorer.comparison.other_trees import OtherTrees
from explorer.document.document import TextLine
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme
from explorer.tasks.worker import Job, Worker
from explorer.treebank.sentence_list import SentenceList

if TYPE_CHECKING:
    from engine.analysis.systems import Pair
    from explorer.laboratory.system_task import ComparedSystems
    from explorer.laboratory.system_window import SystemWindow

_COVERED = 1 / 3
"""Share of the main window that the window of systems may cover when a sentence is opened in it."""


class SystemController(QObject):
    """Compares parsers over one treebank: a part of the laboratory.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    comparison
        Where a parse is held against its gold tree.
    sentences
        The list of sentences.
    parent
        The window over which its own opens.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        comparison: ComparisonController,
        sentences: SentenceList,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._comparison = comparison
        self._sentences = sentences
        self._parent = parent
        self._theme = LIGHT
        self._attached: ComparedSystems | None = None
        self._reading = Worker("read trees", newest_only=True, parent=self)
        session.tasks.watch(self._reading, "Reading another parser’s trees was cancelled")
        self.docks: Sequence[tuple[QDockWidget, str]] = ()

    @cached_property
    def window(self) -> SystemWindow:
        """The window, made when it is first wanted."""
        from explorer.laboratory.system_window import SystemWindow

        session = self._session
        made = SystemWindow(session.editor, self._preferences, session.tasks, self._comparison.models(), self._parent)
        made.opened.connect(self.open)
        made.set_theme(self._theme)
        return made

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.system_actions` do."""
        return {"systems": lambda: self.show(), "other-trees": lambda: self.ask_trees()}

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        if "window" in self.__dict__:
            self.window.set_theme(theme)

    def show(self) -> None:
        """Show the window."""
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    # Opening a sentence

    def open(self, compared: ComparedSystems, number: int, opens: str, pair: Pair) -> None:
        """Show a sentence in Compare, as two systems parse it, or one of them and the gold tree."""
        state = self._comparison.comparisons
        if compared is not self._attached:
            for trees in compared.other_trees:
                state.attach(trees)
            self._attached = compared
        self._go_to(compared.line(number))
        state.choose(*compared.sides(opens, pair.first, pair.second))
        self._comparison.show()
        self._give_way()

    def _go_to(self, line: TextLine) -> None:
        """Show a sentence of the list; one of a file that is not in it is added."""
        editor = self._session.editor
        lines = editor.document.lines
        place = next((at for at, one in enumerate(lines) if one is line), -1)
        if place < 0:
            place = next((at for at, one in enumerate(lines) if one.text == line.text), -1)
        if place < 0:
            editor.add_lines([line], "adding a sentence of the treebank")
            place = len(editor.document.lines) - 1
        editor.choose(place)

    def _give_way(self) -> None:
        """Let the main window be seen: where the window of systems covers it, it hides until it is wanted again."""
        here, there = self.window.frameGeometry(), self._parent.frameGeometry()
        both = here.intersected(there)
        if both.width() * both.height() > _COVERED * there.width() * there.height():
            self.window.hide()
            self._session.messages.show("Ctrl+J, S brings the systems back")
        self._parent.activateWindow()

    # Another parser's trees beside the list

    def ask_trees(self) -> None:
        """Ask for a file of another parser's trees, and attach it to the list."""
        from explorer.laboratory.system_row import TREE_FILES

        name, _ = QFileDialog.getOpenFileName(
            self._parent, "Another parser’s trees", self._preferences.text("folder"), TREE_FILES
        )
        if name:
            self.attach(Path(name))

    def attach(self, path: Path) -> None:
        """Attach a file of trees to the list, one for each gold tree in its order, and compare with them."""
        from engine.analysis.systems import read_foreign_trees
        from explorer.laboratory.system_task import golds_of

        lines, name = self._session.editor.document.lines, path.name.split(".")[0]

        def work(job: Job) -> tuple[OtherTrees, list[str]]:
            job.report(None, f"Reading {path.name}")
            _, golds = golds_of(lines)
            if not golds:
                raise EngineError("no sentence of the list has a gold tree; open the treebank of these trees first")
            found = read_foreign_trees(path, golds, range(1, len(golds) + 1), name)
            # As the list has its words: without traces.
            trees = iter([clean(tree) if tree is not None else None for tree in found.trees])
            # By their place in the whole list, in which there may be sentences without gold trees.
            placed = [next(trees) if is_tree(line.text) else None for line in lines]
            return OtherTrees(name, placed), [str(problem) for problem in found.problems.values()]

        def attached(found: tuple[OtherTrees, list[str]]) -> None:
            trees, problems = found
            state = self._comparison.comparisons
            state.attach(trees)
            state.choose(Side(OTHER, name=trees.name), Side(GOLD))
            self._comparison.show()
            if problems:
                count = size(len(problems), "sentence")
                self._session.messages.show(f"{count} of {path.name} cannot be compared: {problems[0]}", True)
            else:
                self._session.messages.show(f"{size(trees.count, 'tree')} of {path.name} attached to the list")

        self._reading.request(work, attached, self._session.messages.show_error)
