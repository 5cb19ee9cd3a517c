"""The laboratory of one window: its actions, its panel of search, and the windows that it opens."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from engine.common.errors import EngineError
from engine.common.numbers import size
from engine.explain.subjects import NodeId, PunctuationId, Subject, WordId
from engine.text.input import is_tree
from engine.trees.tree import clean
from explorer.compare.controller import ComparisonController
from explorer.kit.actions import LABORATORY, Choice, action
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_open
from explorer.kit.file_kinds import TREES
from explorer.kit.tasks import Job, Worker
from explorer.knowledge.controller import KnowledgeController
from explorer.panels.gold_trees import ids
from explorer.panels.stage_view import StageView
from explorer.pictures.facts import facts_of
from explorer.pictures.marks import found_ids
from explorer.session.document import TextLine
from explorer.session.features import SessionFeature
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.session.view_state import PARSE

if TYPE_CHECKING:
    from engine.study.systems_report import Pair
    from explorer.laboratory.experiments import ExperimentWindow
    from explorer.laboratory.search import ListMatch
    from explorer.laboratory.search_panel import SearchPanel
    from explorer.laboratory.system_task import ComparedSystems
    from explorer.laboratory.systems import SystemWindow
    from explorer.laboratory.training import TrainingWindow


# Training in the window: what its actions do, and the window that they open.


class TrainingController(SessionFeature):
    """Trains models on treebanks of one's own: a part of the laboratory.

    Parameters
    ----------
    session, preferences, parent
        As for every feature of a session.
    knowledge
        Links a model with the treebank it was counted in.

    Attributes
    ----------
    window
        The training window, once it was wanted.
    """

    window: TrainingWindow | None = None

    def __init__(
        self, session: Session, preferences: Preferences, parent: QWidget, knowledge: KnowledgeController
    ) -> None:
        super().__init__(session, preferences, parent)
        self._knowledge = knowledge

    @action("train-model", "Train a model …", LABORATORY, "Ctrl+J, T")
    def show(self) -> None:
        """Choose treebanks, look at what is in them, and train a model on them."""
        if self.window is None:
            # Loaded when it is wanted: the program starts sooner.
            from explorer.laboratory.training import TrainingWindow

            self.window = TrainingWindow(
                self._preferences, self._session.tasks, self._messages, self.open_model, self._parent
            )
        self.window.come_up()

    def open_model(self, path: Path, treebanks: tuple[str, ...]) -> None:
        """Use a model in the main window; every count of it then opens the sentences of its treebanks."""
        self._knowledge.link.remember(path, treebanks)
        self._session.loader.open_model(path)
        self._parent.activateWindow()


# Experiments in the window: what its actions do, and the window that they open.


class ExperimentController(SessionFeature):
    """Measures the paper's tables and grids of one's own: a part of the laboratory."""

    window: ExperimentWindow | None = None

    @action("experiments", "Experiments …", LABORATORY, "Ctrl+J, E")
    def open(self) -> None:
        """Measure the paper’s tables, a learning curve or a grid of your own on any treebank."""
        from explorer.laboratory.experiments import ExperimentWindow

        if self.window is None:
            session = self._session
            self.window = ExperimentWindow(session.editor, session.tasks, self._preferences, self._parent)
        self.window.refresh_kept()
        self.window.come_up()


# Systems compared in the window: what its actions do, and the window that they open.

_COVERED = 1 / 3
"""Share of the main window that the window of systems may cover when a sentence is opened in it."""


class SystemController(SessionFeature):
    """Compares parsers over one treebank: a part of the laboratory.

    Parameters
    ----------
    session, preferences, parent
        As for every feature of a session.
    comparison
        Where a parse is held against its gold tree.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        parent: QWidget,
        comparison: ComparisonController,
    ) -> None:
        super().__init__(session, preferences, parent)
        self._comparison = comparison
        self._attached: ComparedSystems | None = None
        self._reading = Worker("read trees", newest_only=True, parent=self)
        session.tasks.watch(self._reading, "Reading another parser’s trees was cancelled")

    @cached_property
    def window(self) -> SystemWindow:
        """The window, made when it is first wanted."""
        from explorer.laboratory.systems import SystemWindow

        session = self._session
        made = SystemWindow(session.editor, self._preferences, session.tasks, self._comparison.models(), self._parent)
        made.opened.connect(self.open)
        return made

    @action("systems", "Systems compared …", LABORATORY, "Ctrl+J, S", separated=True)
    def show(self) -> None:
        """Compare presets, models and other parsers over a treebank: who is better, and may that be chance?"""
        self.window.come_up()

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
            self._messages.show("Ctrl+J, S brings the systems back")
        self._parent.activateWindow()

    # Another parser's trees beside the list

    @action("other-trees", "Compare with another parser’s trees …", LABORATORY, "Ctrl+J, Shift+S")
    def ask_trees(self) -> None:
        """Attach a file of trees, one tree a line, to the list: Compare then has them beside our parses and gold."""
        if path := ask_open(self._parent, self._preferences, "Another parser’s trees", TREES):
            self.attach(path)

    def attach(self, path: Path) -> None:
        """Attach a file of trees to the list, one for each gold tree in its order, and compare with them."""
        from engine.study.foreign_trees import read_foreign_trees
        from explorer.compare.sides import GoldTree, OtherTree, OtherTrees
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
            state.choose(OtherTree(trees.name), GoldTree())
            self._comparison.show()
            if problems:
                count = size(len(problems), "sentence")
                self._messages.show(f"{count} of {path.name} cannot be compared: {problems[0]}", True)
            else:
                self._messages.show(f"{size(trees.count, 'tree')} of {path.name} attached to the list")

        self._reading.request(work, attached, self._messages.show_error)


# Search by structure in the window: its panel, going from match to match, and patterns made of what is selected.

_FIRST_HEIGHT = 250
_NOTHING_SELECTED = "Select a constituent or a word of the tree first; then constituents like it can be found."
_GONE = "This sentence is no longer in the list; search again."


class SearchController(SessionFeature):
    """Finds trees by their structure: a part of the laboratory.

    Parameters
    ----------
    session, preferences, parent
        As for every feature of a session.
    comparison
        Where a parse is held against its gold tree.
    stages
        The pictures.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        parent: QMainWindow,
        comparison: ComparisonController,
        stages: StageView,
    ) -> None:
        super().__init__(session, preferences, parent)
        self._window = parent
        self._comparison = comparison
        self._stages = stages
        # The match that was gone to, until its sentence is parsed and it can be selected.
        self._wanted: ListMatch | None = None
        self.dock, self._place = self.add_dock(
            "Search by structure", "search", "Ctrl+J, Shift+F", parent, lambda: self.panel
        )

    @cached_property
    def panel(self) -> SearchPanel:
        """The panel, made when it is first wanted."""
        from explorer.laboratory.search_panel import SearchPanel

        session = self._session
        panel = SearchPanel(
            session.editor, session.parses, session.statuses, self._preferences, session.messages, session.tasks
        )
        panel.match_chosen.connect(self.go_to)
        panel.compare_wanted.connect(self._comparison.show)
        self._place.hold(panel)
        return panel

    @action("search-structure", "Search by structure …", LABORATORY, "Ctrl+J, F", separated=True)
    def show(self) -> None:
        """Find constituents of gold trees and parses by a pattern, such as PP > VP, and count them."""
        self._show_dock()
        self.panel.field.edit.setFocus()
        self.panel.field.edit.selectAll()

    def _show_dock(self) -> None:
        if not self.dock.isVisible() and not self.dock.isFloating():
            # What is found is marked in the picture, which needs the room more than the tables under it.
            self._stages.tabs.set_folded(True)
            if not self._preferences.flag("search/shown"):
                self._preferences.keep("search/shown", True)
                self._window.resizeDocks([self.dock], [_FIRST_HEIGHT], Qt.Orientation.Vertical)
        self.dock.show()
        self.dock.raise_()
        if self.dock.isFloating():
            self.dock.activateWindow()

    @action("next-match", "Next match", LABORATORY, "Ctrl+J, N")
    def next_match(self) -> None:
        """Go to the next match of the search by structure.

        Where there is none, the panel is shown.
        """
        self._step(1)

    @action("previous-match", "Previous match", LABORATORY, "Ctrl+J, P")
    def previous_match(self) -> None:
        """Go to the previous match of the search by structure.

        Where there is none, the panel is shown.
        """
        self._step(-1)

    def _step(self, by: int) -> None:
        if "panel" in self.__dict__ and self.panel.matches:
            self.panel.step(by)
        else:
            self.show()

    # Showing a match

    def go_to(self, match: ListMatch) -> None:
        """Show the sentence of a match, mark it in the trees, and select it where the parse has it."""
        editor, view = self._session.editor, self._session.view
        lines, number = editor.document.lines, match.found.line - 1
        if number >= len(lines) or lines[number].text != match.line.text:
            # The list has changed since it was searched.
            found = next((at for at, line in enumerate(lines) if line.text == match.line.text), None)
            if found is None:
                self._messages.show(_GONE)
                return
            number = found
        editor.choose(number)
        if not self._comparison.is_shown:
            view.go_to(PARSE)
        view.select(None)
        view.set_found(match.found)
        if self._wanted is None:
            self._session.parses.result_changed.connect(self._select_wanted)
        self._wanted = match
        self._select_wanted()

    def _select_wanted(self) -> None:
        parses, match = self._session.parses, self._wanted
        if match is None or parses.shown is None or not parses.is_current:
            return
        self._wanted = None
        parses.result_changed.disconnect(self._select_wanted)
        facts = facts_of(parses.shown)
        marked = found_ids(facts, match.found)
        self._session.view.select(marked[0][0] if marked else None)
        elsewhere = facts.tree.brackets() != match.found.tree
        self.panel.show_place(elsewhere and not self._comparison.is_shown)

    # Patterns made of what is selected

    def choices(self, id: Subject) -> list[Choice]:
        """What the context menu of a thing of the pictures offers."""
        return [
            (f"Find constituents like this: {pattern}", partial(self.find, pattern)) for pattern in self.patterns(id)
        ]

    def patterns(self, id: Subject) -> list[str]:
        """Patterns that a constituent or word of the pictures matches."""
        parse, gold = self._session.parses.shown, self._session.parses.gold
        if parse is None or not isinstance(id, NodeId | WordId | PunctuationId):
            return []
        from explorer.laboratory.search_panel import patterns_like

        for tree in (parse.tree, gold):
            path = ids(tree).get(id) if tree is not None else None
            if tree is not None and path is not None:
                return patterns_like(tree, path, parse.model.lexicaliser.rules)
        return []

    @action("find-like-selected", "Find constituents like the selected one", LABORATORY, "Ctrl+J, L")
    def find_like_selected(self) -> None:
        """Make a pattern of the constituent or word that is selected, and search the list for it."""
        selected = self._session.view.selection
        patterns = self.patterns(selected) if selected is not None else []
        if patterns:
            self.find(patterns[0])
        else:
            self._messages.show(_NOTHING_SELECTED)

    def find(self, pattern: str) -> None:
        """Show the panel and search for a pattern, in gold trees where the sentence that is shown has one."""
        from explorer.laboratory.search import GOLD, PARSES

        self._show_dock()
        self.panel.look_for(pattern, GOLD if self._session.parses.gold is not None else PARSES)
        self.panel.field.edit.setFocus()


# The laboratory of one window: makes its parts, and gives each what it uses.


class LaboratoryController(Feature):
    """The parts of the laboratory, made once for a window; their own windows are loaded when they are first wanted.

    Parameters
    ----------
    session, preferences
        The session of the window, and what is remembered from start to start.
    knowledge, comparison
        The evidence of models, and the workspace for comparing.
    stages
        The pictures.
    parent
        The window over which the laboratory's windows open.

    Attributes
    ----------
    training
        Trains models on treebanks of one's own.
    experiments
        Measures the paper's tables and grids of one's own.
    systems
        Compares parsers over one treebank.
    search
        Finds trees by their structure.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        knowledge: KnowledgeController,
        comparison: ComparisonController,
        stages: StageView,
        parent: QMainWindow,
    ) -> None:
        super().__init__(parent)
        self.training = TrainingController(session, preferences, parent, knowledge)
        self.experiments = ExperimentController(session, preferences, parent)
        self.systems = SystemController(session, preferences, parent, comparison)
        self.search = SearchController(session, preferences, parent, comparison, stages)
        self.parts = (self.training, self.experiments, self.systems, self.search)
