"""Comparing in the window: the workspace, the error table, going from difference to difference, and their actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from engine.common.errors import EngineError
from engine.common.resources import bundled_models
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation
from engine.explain.registry import explain
from engine.explain.subjects import ErrorCellId, ErrorId, Subject, VerdictId
from engine.text.input import is_tree
from explorer.kit.actions import COMPARE, Choice, action
from explorer.kit.appearance import appearance
from explorer.kit.docks import LazyPanel
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_save
from explorer.kit.file_kinds import kinds_of
from explorer.panels.sentence_list import DifferenceNavigation, SentenceList
from explorer.session.preferences import Preferences
from explorer.session.session import Session

if TYPE_CHECKING:
    from explorer.compare.error_table import ErrorPanel
    from explorer.compare.panel import ComparisonPanel
    from explorer.compare.sides import Comparison
    from explorer.compare.state import ComparisonState
    from explorer.panels.tree_editor import TreeEditor

_ERRORS_HEIGHT = 280


class ComparisonController(Feature):
    """What a window has for comparing; the panel and what it shows are made, and loaded, when they are first wanted.

    Parameters
    ----------
    session, preferences
        The session of the window, and what is remembered from start to start.
    sentences
        The list, in whose order differences are found and which errors filter.
    more_choices
        What else the context menu of a thing in the pictures offers.
    parent
        The window.

    Signals
    -------
    count_opened
        The training sentences of a count are wanted: its :class:`CountLink`.
    list_wanted
        The list is to be shown.
    workspace_wanted
        The workspace is to take the place of the stages (true), or to give it back.
    explanations_changed
        What is said of what it `explains` may be otherwise now.
    """

    count_opened = Signal(object)
    list_wanted = Signal()
    workspace_wanted = Signal(bool)

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        sentences: SentenceList,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._editor = session.editor
        self._view = session.view
        self._parses = session.parses
        self._statuses = session.statuses
        self._preferences = preferences
        self._messages = session.messages
        self._sentences = sentences
        self._list_parsing = session.list_parsing
        # What else a context menu offers, as in the stages.
        self.more_choices: list[Callable[[Subject], list[Choice]]] = []
        self._parent = parent
        self._differences = DifferenceNavigation(
            session.editor,
            session.parses,
            session.statuses,
            session.messages,
            session.tasks,
            sentences.model,
            self,
        )
        # The workspace, which takes the place of the stages, and the dock of the error table.
        self.workspace = LazyPanel(lambda: self.panel)
        self._errors_place = LazyPanel(lambda: self.errors)
        self.errors_dock = QDockWidget("Error table", parent)
        self.errors_dock.setObjectName("errors")
        self.errors_dock.setWidget(self._errors_place)
        self.own_docks = ((self.errors_dock, ""),)
        self.explains = {
            VerdictId: self._explain_compared,
            ErrorId: self._explain_compared,
            ErrorCellId: self._explain_cell,
        }
        session.parses.model_changed.connect(self._models_changed)
        sentences.compare_wanted.connect(self.show)
        sentences.judging_wanted.connect(self.judge_again)

    def arrange(self, window: QMainWindow) -> None:
        """Give the error table room for its rows."""
        window.resizeDocks([self.errors_dock], [_ERRORS_HEIGHT], Qt.Orientation.Vertical)

    @cached_property
    def comparisons(self) -> ComparisonState:
        """What is compared, and what came of it."""
        from explorer.compare.state import ComparisonState

        state = ComparisonState(self._editor, self._view, self._parses, self._messages, self)
        state.set_models(self.models())
        state.changed.connect(self.explanations_changed)
        return state

    @cached_property
    def panel(self) -> ComparisonPanel:
        """The panel that shows the comparison."""
        from explorer.compare.export import SUFFIXES
        from explorer.compare.panel import ComparisonPanel

        panel = ComparisonPanel(self.comparisons, self._editor, self._view, self._parses, self._messages)
        panel.tables.count_opened.connect(self.count_opened)
        panel.canvas.more_choices = self.more_choices
        for title in SUFFIXES.values():
            panel.export_menu.addAction(f"{title} …", partial(self.export, title))
        panel.export_menu.addSeparator()
        panel.export_menu.addAction("Copy as text", self.copy_text)
        panel.export_menu.addAction("Copy as LaTeX", self.copy_latex)
        self.workspace.hold(panel)
        return panel

    @cached_property
    def errors(self) -> ErrorPanel:
        """The error table over the whole list."""
        from explorer.compare.error_table import ErrorPanel

        errors = ErrorPanel(self._editor, self._view, self._parses, self._statuses, self._sentences, self._preferences)
        errors.list_wanted.connect(self.list_wanted)
        errors.table_changed.connect(self.explanations_changed)
        self._errors_place.hold(errors)
        return errors

    @property
    def tree_editor(self) -> TreeEditor:
        """Where the gold tree is changed by hand."""
        return self.panel.editor

    def _is_made(self, name: str) -> bool:
        return name in self.__dict__

    def _explain_compared(self, id: Subject) -> Explanation | None:
        """What the inspector says of a verdict, or of an error, once something is compared."""
        comparison = self.comparisons.comparison if self._is_made("comparisons") else None
        if comparison is None or (isinstance(id, ErrorId) and comparison.compared.error(id) is None):
            return None
        return explain(ParseContext(comparison.first, compared=comparison.compared), id)

    def _explain_cell(self, id: Subject) -> Explanation | None:
        """What the inspector says of a cell of the error table, once there is one, whatever sentence is shown."""
        table = self.errors.model.table if self._is_made("errors") else None
        parse = self._parses.shown
        if table is None:
            return None
        if parse is None:
            # The list is judged, though the sentence in the window has no parse.
            from engine.explain.verdicts import explain_error_cell

            assert isinstance(id, ErrorCellId)
            return explain_error_cell(table, id)
        return explain(ParseContext(parse, error_table=table), id)

    def _models_changed(self) -> None:
        if self._is_made("comparisons"):
            self.comparisons.set_models(self.models())

    def models(self) -> list[str]:
        """Files of models to compare with: those used last, and the bundled ones."""
        recent = [name for name in self._preferences.recent("models") if Path(name).is_file()]
        own = [str(path) for path in bundled_models().values()]
        return list(dict.fromkeys([*recent, *own]))

    # The actions, in the order of the menu

    @action("compare", "Compare", COMPARE, "F9", checkable=True)
    def compare(self, on: bool) -> None:
        """Compare this parse with its gold tree or with another parse; F9 again brings the picture back."""
        self.workspace_wanted.emit(on)

    @action("next-difference", "Next difference", COMPARE, "F8")
    def next_difference(self) -> None:
        """Show the next sentence that differs from its gold tree."""
        self.go(True)

    @action("previous-difference", "Previous difference", COMPARE, "Shift+F8")
    def previous_difference(self) -> None:
        """Show the sentence before that differs from its gold tree."""
        self.go(False)

    @action("explain-verdict", "Explain the verdict", COMPARE, "Ctrl+Alt+S", separated=True)
    def explain_verdict(self) -> None:
        """Show in the inspector why the parse is not the gold tree: reasons, price, what was lost, the errors."""
        self._if_compared(lambda: self.panel.explain_verdict())

    @action("force-gold", "Force the gold attachment", COMPARE, "Ctrl+G")
    def force_gold(self) -> None:
        """Parse again with the gold tree's head for the selected word, or for the word that matters most."""
        self._if_compared(lambda: self.comparisons.force_gold())

    @action("keep-gold", "Use the smallest β that keeps the gold tree", COMPARE, "Ctrl+Shift+G")
    def keep_gold(self) -> None:
        """After a search error: the smallest beam under which the gold tree is found; if it was voted down: the
        choice by score.
        """
        self._if_compared(self.use_repair)

    @action("take-gold", "Take this parse for gold", COMPARE, "Ctrl+Alt+Y", separated=True)
    def take_gold(self) -> None:
        """The parse that is shown becomes the sentence's gold tree, to be changed by hand."""
        self.tree_editor.take_parse()
        self.show_gold()

    @action("relabel-gold", "Relabel in the gold tree …", COMPARE, "Ctrl+R")
    def relabel_gold(self) -> None:
        """Another label of the constituent, or another tag of the word, that is selected in the gold tree."""
        self._if_selected(lambda: self.tree_editor.ask_label())

    @action("attach-gold", "Attach in the gold tree …", COMPARE, "Ctrl+Alt+A")
    def attach_gold(self) -> None:
        """Attach the constituent that is selected in the gold tree to another one."""
        self._if_selected(lambda: self.tree_editor.ask_parent())

    @action("bracket-gold", "Add a bracket to the gold tree …", COMPARE, "Ctrl+Alt+B")
    def bracket_gold(self) -> None:
        """Put a new bracket around what is selected in the gold tree."""
        self._if_selected(lambda: self.tree_editor.ask_bracket())

    @action("remove-gold", "Remove a bracket of the gold tree", COMPARE, "Ctrl+Alt+X")
    def remove_gold(self) -> None:
        """What the bracket that is selected in the gold tree holds takes its place."""
        self._if_selected(lambda: self.tree_editor.remove_bracket())

    @action("error-table", "Error table …", COMPARE, "Ctrl+Shift+R", separated=True)
    def show_errors(self) -> None:
        """Judge every sentence with a gold tree: classes of errors against verdicts, and what each costs."""
        self.errors_dock.show()
        self.errors_dock.raise_()
        self.errors.setFocus()

    @action("judge-again", "Judge again what is out of date", COMPARE, "Ctrl+Shift+J")
    def judge_again(self) -> None:
        """Find marks, error table and comparison anew that were found under another model, other settings or
        other tags.
        """
        lines = self._list_parsing.outdated()
        errors = self._is_made("errors") and self.errors.outdated
        comparison = self._is_made("comparisons") and self.comparisons.outdated
        if errors:
            # It judges every gold tree, and so finds their marks, too.
            self.errors.judge()
            lines = [line for line in lines if not is_tree(line.text)]
        self._list_parsing.judge_again(lines)
        if comparison:
            self.comparisons.compare_again()
        if not (lines or errors or comparison):
            self._messages.show("Nothing is out of date")

    @action("export-comparison", "Export comparison …", COMPARE, "Ctrl+Alt+E", separated=True)
    def export(self, title: str = "PDF") -> None:
        """Write both parses, the verdict, the ledger and the errors as PDF, SVG, PNG, HTML, text or LaTeX."""
        from explorer.compare.export import SUFFIXES

        if self._comparison() is None:
            return
        suffix = next(one for one, name in SUFFIXES.items() if name == title)
        start, kinds = f"comparison{suffix}", kinds_of(SUFFIXES)
        if path := ask_save(self._parent, self._preferences, "Export comparison", start, *kinds):
            self.export_to(path)

    @action("copy-comparison", "Copy comparison as text", COMPARE, "Ctrl+Alt+C")
    def copy_text(self) -> None:
        """Put the comparison on the clipboard as text."""
        from explorer.compare.export import as_text

        self._copy(as_text, "Comparison copied as text")

    @action("copy-comparison-latex", "Copy comparison as LaTeX", COMPARE, "Ctrl+Alt+L")
    def copy_latex(self) -> None:
        """Put the comparison on the clipboard as LaTeX with forest trees and booktabs tables."""
        from explorer.compare.export import as_latex

        self._copy(as_latex, "Comparison copied as LaTeX")

    # Going and changing

    def show(self) -> None:
        """Show the comparison in the place of the stages."""
        self.workspace_wanted.emit(True)

    def hide(self) -> None:
        """Give the stages their place back."""
        self.workspace_wanted.emit(False)

    @property
    def is_shown(self) -> bool:
        """Whether the comparison is in the place of the stages."""
        return self.workspace.isVisible()

    def reset_layout(self) -> None:
        """Give the parts of the workspace the room that they had at first."""
        if self._is_made("panel"):
            self.panel.reset_layout()

    def show_gold(self) -> None:
        """Show the gold tree, to be changed by hand."""
        from explorer.compare.panel import GOLD_TREE

        self.show()
        self.panel.pictures.setCurrentIndex(GOLD_TREE)

    def go(self, forward: bool) -> None:
        """Show the next or previous sentence that differs from its gold tree, and how."""
        self.show()
        self._differences.go(forward)

    def _if_selected(self, call: Callable[[], None]) -> None:
        """Do something with what is selected in the gold tree, or say what is missing."""
        if self.tree_editor.tree is None:
            self._messages.show("The sentence has no gold tree yet; take this parse for gold first (Ctrl+Alt+Y)", True)
        elif self.tree_editor.path is None:
            self.show_gold()
            self._messages.show("Select a constituent or a word of the gold tree first")
        else:
            call()

    def _if_compared(self, call: Callable[[], None]) -> None:
        """Do something with the comparison, or say that there is none."""
        if self.comparisons.comparison is None:
            self.show()
            self._messages.show("There is nothing to compare with yet")
        else:
            call()

    def use_repair(self) -> None:
        """Use the smallest change of the search that keeps the gold tree, or say what stands in the way."""
        try:
            self.comparisons.use_repair()
        except EngineError as error:
            self._messages.show_error(error)

    # Copying and exporting

    def _comparison(self) -> Comparison | None:
        found = self.comparisons.comparison
        if found is None:
            self.show()
            self._messages.show("There is no comparison yet", True)
        return found

    def _copy(self, write: Callable[[Comparison], str], message: str) -> None:
        comparison = self._comparison()
        if comparison is not None:
            QGuiApplication.clipboard().setText(write(comparison))
            self._messages.show(message)

    def export_to(self, path: Path) -> None:
        """Write the comparison to a file; what went wrong is shown over the picture."""
        from explorer.compare.export import write_comparison

        comparison = self._comparison()
        if comparison is not None:
            self._messages.write(path, lambda: write_comparison(comparison, path, appearance().theme))
