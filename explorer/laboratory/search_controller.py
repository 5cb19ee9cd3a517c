"""Search by structure in the window: its panel, going from match to match, and patterns made of what is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from explorer.comparison.comparison_controller import ComparisonController
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.document.stage_navigation import PARSE
from explorer.graphics.pictures.found_marks import found_ids
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import Id, NodeId, PunctuationId, WordId
from explorer.graphics.theme import LIGHT, Theme
from explorer.stages.stage_view import StageView
from explorer.treebank.tree_editing import ids
from explorer.widgets.context_menu import Choice
from explorer.widgets.lazy_dock import LazyPanel

if TYPE_CHECKING:
    from explorer.laboratory.list_matches import ListMatch
    from explorer.laboratory.search_panel import SearchPanel

_FIRST_HEIGHT = 250
_NOTHING_SELECTED = "Select a constituent or a word of the tree first; then constituents like it can be found."
_GONE = "This sentence is no longer in the list; search again."


class SearchController(QObject):
    """Finds trees by their structure: a part of the laboratory.

    Parameters
    ----------
    session
        The session of the window.
    preferences
        What is remembered from start to start.
    stages
        The pictures.
    comparison
        Where a parse is held against its gold tree.
    parent
        The window.
    """

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        stages: StageView,
        comparison: ComparisonController,
        parent: QMainWindow,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._stages = stages
        self._comparison = comparison
        self._parent = parent
        self._theme = LIGHT
        # The match that was gone to, until its sentence is parsed and it can be selected.
        self._wanted: ListMatch | None = None
        self._place = LazyPanel(lambda: self.panel)
        self.dock = QDockWidget("Search by structure", parent)
        self.dock.setObjectName("search")
        self.dock.setWidget(self._place)
        self.docks: Sequence[tuple[QDockWidget, str]] = ((self.dock, "Ctrl+J, Shift+F"),)
        session.parses.result_changed.connect(self._select_wanted)
        stages.more_choices.append(self.choices)
        comparison.more_choices.append(self.choices)

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
        panel.set_theme(self._theme)
        self._place.hold(panel)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.laboratory.search_actions` do."""
        return {
            "search-structure": self.show,
            "next-match": lambda: self._step(1),
            "previous-match": lambda: self._step(-1),
            "find-like-selected": self.find_like_selected,
        }

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
        if "panel" in self.__dict__:
            self.panel.set_theme(theme)

    def show(self) -> None:
        """Show the panel, ready for a pattern."""
        self._show_dock()
        self.panel.field.edit.setFocus()
        self.panel.field.edit.selectAll()

    def _show_dock(self) -> None:
        if not self.dock.isVisible() and not self.dock.isFloating():
            # What is found is marked in the picture, which needs the room more than the tables under it.
            self._stages.tabs.set_folded(True)
            if not self._preferences.flag("search/shown"):
                self._preferences.keep("search/shown", True)
                self._parent.resizeDocks([self.dock], [_FIRST_HEIGHT], Qt.Orientation.Vertical)
        self.dock.show()
        self.dock.raise_()
        if self.dock.isFloating():
            self.dock.activateWindow()

    def _step(self, by: int) -> None:
        if "panel" in self.__dict__ and self.panel.matches:
            self.panel.step(by)
        else:
            self.show()

    # Showing a match

    def go_to(self, match: ListMatch) -> None:
        """Show the sentence of a match, mark it in the trees, and select it where the parse has it."""
        editor, view = self._session.editor, self._session.view
        lines, number = editor.document.lines, match.sentence.number
        if number >= len(lines) or lines[number].text != match.sentence.line.text:
            # The list has changed since it was searched.
            found = next((at for at, line in enumerate(lines) if line.text == match.sentence.line.text), None)
            if found is None:
                self._session.messages.show(_GONE)
                return
            number = found
        editor.choose(number)
        if not self._comparison.is_shown:
            view.go_to(PARSE)
        view.select(None)
        view.set_found(match.found)
        self._wanted = match
        self._select_wanted()

    def _select_wanted(self) -> None:
        parses, match = self._session.parses, self._wanted
        if match is None or parses.shown is None or not parses.is_current:
            return
        self._wanted = None
        facts = facts_of(parses.shown)
        marked = found_ids(facts, match.found)
        self._session.view.select(marked[0][0] if marked else None)
        elsewhere = facts.tree.brackets() != match.sentence.tree
        self.panel.show_place(elsewhere and not self._comparison.is_shown)

    # Patterns made of what is selected

    def choices(self, id: Id) -> list[Choice]:
        """What the context menu of a thing of the pictures offers."""
        return [
            (f"Find constituents like this: {pattern}", partial(self.find, pattern)) for pattern in self.patterns(id)
        ]

    def patterns(self, id: Id) -> list[str]:
        """Patterns that a constituent or word of the pictures matches."""
        parse, gold = self._session.parses.shown, self._session.parses.gold
        if parse is None or not isinstance(id, NodeId | WordId | PunctuationId):
            return []
        from explorer.laboratory.pattern_help import patterns_like

        for tree in (parse.tree, gold):
            path = ids(tree).get(id) if tree is not None else None
            if tree is not None and path is not None:
                return patterns_like(tree, path, parse.model.lexicaliser.rules)
        return []

    def find_like_selected(self) -> None:
        """Search for constituents like the one that is selected."""
        selected = self._session.view.selection
        patterns = self.patterns(selected) if selected is not None else []
        if patterns:
            self.find(patterns[0])
        else:
            self._session.messages.show(_NOTHING_SELECTED)

    def find(self, pattern: str) -> None:
        """Show the panel and search for a pattern, in gold trees where the sentence that is shown has one."""
        from explorer.laboratory.list_matches import GOLD, PARSES

        self._show_dock()
        self.panel.look_for(pattern, GOLD if self._session.parses.gold is not None else PARSES)
        self.panel.field.edit.setFocus()
