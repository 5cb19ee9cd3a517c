"""Asking the model in the window: its browser, the evidence of its counts, and what their actions do."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from engine.explain.explanation import CountLink
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    GapId,
    GapTagId,
    MatrixCellId,
    Subject,
    TagId,
    WordId,
)
from engine.trees.tree import plain_word
from explorer.kit.actions import FILE, GO, Choice, action
from explorer.kit.docks import DockTitle
from explorer.kit.features import Feature
from explorer.kit.file_dialogs import ask_folder, ask_several
from explorer.kit.file_kinds import TREES
from explorer.kit.messages import Messages
from explorer.kit.tasks import TaskMonitor
from explorer.knowledge.evidence import EvidenceLink, EvidencePanel
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.view_state import ViewState

if TYPE_CHECKING:
    from explorer.knowledge.browser import BrowserPanel

_EVIDENCE_HEIGHT = 300
_BROWSER_SIZE = (960, 560)


class KnowledgeController(Feature):
    """The model browser and the evidence panel of one window, each in a dock of its own.

    Parameters
    ----------
    editor, view, parses
        The document, the view state, and the parses.
    preferences, messages, tasks
        The preferences, where messages are shown, and the tasks that can be waited for.
    parent
        The window.
    """

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        preferences: Preferences,
        messages: Messages,
        tasks: TaskMonitor,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._parses = parses
        self._preferences = preferences
        self._parent = parent
        self.link = EvidenceLink(editor, parses, preferences, messages, tasks, self)
        self._messages = messages
        self.browser_dock, self._browser_place = self.add_dock(
            "Model browser", "model-browser", "F12", parent, lambda: self.browser
        )
        self.evidence_dock, self._evidence_place = self.add_dock(
            "Evidence", "evidence", "Shift+F12", parent, lambda: self.evidence
        )

    @cached_property
    def browser(self) -> BrowserPanel:
        """The panel that asks the model, made when it is first wanted."""
        from explorer.knowledge.browser import BrowserPanel

        browser = BrowserPanel(self._parses, self._preferences, self._messages)
        browser.count_opened.connect(self.open_count)
        self._browser_place.hold(browser)
        return browser

    @cached_property
    def evidence(self) -> EvidencePanel:
        """The panel that shows what a count counted, made when it is first wanted."""
        evidence = EvidencePanel(self.link, self._parses)
        evidence.link_wanted.connect(self.ask_treebank)
        evidence.looked_up.connect(self.look_up)
        self._evidence_place.hold(evidence)
        return evidence

    def place(self, window: QMainWindow, inspector: QDockWidget) -> None:
        """Put the evidence under the inspector, where counts are clicked; the browser has a window of its own."""
        for dock, _ in self.own_docks:
            DockTitle(dock)
        window.splitDockWidget(inspector, self.evidence_dock, Qt.Orientation.Vertical)
        heights = [_EVIDENCE_HEIGHT, _EVIDENCE_HEIGHT]
        window.resizeDocks([inspector, self.evidence_dock], heights, Qt.Orientation.Vertical)
        window.addDockWidget(self.area, self.browser_dock)
        self.browser_dock.setFloating(True)
        for dock, _ in self.own_docks:
            dock.hide()

    def arrange(self, window: QMainWindow) -> None:
        """Give the browser room for its tables."""
        self.browser_dock.resize(*_BROWSER_SIZE)

    @action("model-browser", "Model browser", GO, "Ctrl+B", separated=True)
    def show_browser(self) -> None:
        """Ask the model what it knows of a word, a tag, a pair of them, or a relation."""
        self._show(self.browser_dock)
        self.browser.edit.setFocus()
        self.browser.edit.selectAll()

    def _show(self, dock: QDockWidget) -> None:
        dock.show()
        dock.raise_()
        if dock.isFloating():
            dock.activateWindow()

    def open_count(self, link: CountLink) -> None:
        """Show the training sentences of a count."""
        self._show(self.evidence_dock)
        self.link.ask(link)

    def look_up(self, asked: str) -> None:
        """Ask the model for something, and show what it says."""
        self._show(self.browser_dock)
        self.browser.ask(asked)

    @action("look-up", "Look up what is selected", GO, "Ctrl+U")
    def look_up_selected(self) -> None:
        """What does the model know of the word, or of the two words, that is selected?"""
        asked = self.asked_of(self._view.focus) if self._view.focus is not None else []
        if asked:
            self.look_up(asked[-1])
        else:
            self.show_browser()

    def asked_of(self, id: Subject) -> list[str]:
        """The questions that a thing of the pictures suggests: its words, and where it has two the pair."""
        parse = self._parses.shown
        if parse is None:
            return []
        words, tags = parse.sentence.proper_words, parse.sentence.proper_tags

        def named(position: int) -> str:
            word = plain_word(words[position]).replace("\\", "\\\\").replace("/", "\\/")
            return f"{word}/{tags[position]}"

        match id:
            case WordId(position) if position < len(words):
                return [named(position)]
            case TagId(position, tag) if position < len(words):
                return [named(position), tag]
            case GapId(position) | GapTagId(position) if 0 < position < len(words):
                pair = [named(position - 1), named(position)]
            case ArrowId(modifier):
                head = parse.heads().get(modifier, -1)
                pair = [named(modifier), *([named(head)] if head >= 0 else [])]
            case MatrixCellId(modifier, head) | CandidateId(modifier, head):
                pair = [named(modifier), named(head)]
            case _:
                return []
        return [*pair, " ".join(pair)] if len(pair) == 2 else pair

    def choices(self, id: Subject) -> list[Choice]:
        """What the context menu of a thing offers."""
        return [
            (f"What does the model know of ‘{asked}’?", lambda asked=asked: self.look_up(asked))  # type: ignore[misc]
            for asked in self.asked_of(id)
        ]

    @action("link-treebank", "Link training treebank …", FILE, "Ctrl+T", after="open-model")
    def ask_treebank(self, folder: bool = False) -> None:
        """Name the files that the model was trained on, so that every count opens the sentences which it counted."""
        title, paths = "Link training treebank", []
        if not folder:
            paths = ask_several(self._parent, self._preferences, title, TREES)
        elif path := ask_folder(self._parent, self._preferences, title):
            paths = [path]
        if paths:
            self._show(self.evidence_dock)
            self.link.add(paths)
