"""What the window has for asking the model: its browser, the evidence of its counts, and what their actions do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QFileDialog

from engine.trees.penn_forms import plain_word
from explorer.explanations.explanation_blocks import CountLink
from explorer.graphics.selection import (
    ArrowId,
    CandidateId,
    ChartCellId,
    EdgeId,
    GapId,
    GapTagId,
    Id,
    ItemId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    TagId,
    WordId,
)
from explorer.graphics.theme import Theme
from explorer.knowledge.browser_panel import BrowserPanel
from explorer.knowledge.evidence_link import EvidenceLink
from explorer.knowledge.evidence_panel import EvidencePanel
from explorer.stages.stage import Choice

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow

_HEIGHT = 300
_BROWSER = (960, 560)
_TREEBANKS = "Treebanks (*.ptb *.mrg *.psd *.tree *.parse *.gz);;All files (*)"


class KnowledgeTools(QObject):
    """The model browser and the evidence panel of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.link = EvidenceLink(self._session, window.preferences, self)
        self.evidence = EvidencePanel(self.link, self._session)
        self.browser = BrowserPanel(self._session)
        self.browser_dock = QDockWidget("Model browser", window)
        self.evidence_dock = QDockWidget("Evidence", window)
        self.browser.count_opened.connect(self.open_count)
        self.evidence.link_wanted.connect(self.ask_treebank)
        self.evidence.looked_up.connect(self.look_up)

    @property
    def docks(self) -> tuple[QDockWidget, QDockWidget]:
        """The two panels."""
        return self.browser_dock, self.evidence_dock

    def add_docks(self, inspector: QDockWidget) -> None:
        """Put the evidence under the inspector, where counts are clicked, and the browser into a window of its own.

        Both are hidden until they are wanted.
        """
        window = self._window
        panels = ((self.browser_dock, "model-browser", self.browser), (self.evidence_dock, "evidence", self.evidence))
        for dock, name, widget in panels:
            dock.setObjectName(name)
            dock.setWidget(widget)
        window.splitDockWidget(inspector, self.evidence_dock, Qt.Orientation.Vertical)
        window.resizeDocks([inspector, self.evidence_dock], [_HEIGHT, _HEIGHT], Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.browser_dock)
        self.browser_dock.setFloating(True)
        self.browser_dock.resize(*_BROWSER)
        for dock in self.docks:
            dock.hide()

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.evidence.set_theme(theme)

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions of :mod:`explorer.knowledge.knowledge_actions` do."""
        return {
            "link-treebank": self.ask_treebank,
            "model-browser": self.show_browser,
            "look-up": self.look_up_selected,
        }

    def show_browser(self) -> None:
        """Show the browser, ready for a question."""
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

    def look_up_selected(self) -> None:
        """Ask the model for what is selected in the pictures."""
        asked = self.asked_of(self._session.focus) if self._session.focus is not None else []
        if asked:
            self.look_up(asked[-1])
        else:
            self.show_browser()

    def asked_of(self, id: Id) -> list[str]:
        """The questions that a thing of the pictures suggests: its words, and where it has two the pair."""
        parse = self._session.parse
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
            case WordId() | PunctuationId() | TagId() | GapId() | GapTagId() | RootId():
                return []
            case NodeId() | ChartCellId() | EdgeId() | ItemId():
                return []
            case other:
                assert_never(other)
        return [*pair, " ".join(pair)] if len(pair) == 2 else pair

    def choices(self, id: Id) -> list[Choice]:
        """What the context menu of a thing offers."""
        return [
            (f"What does the model know of ‘{asked}’?", lambda asked=asked: self.look_up(asked))  # type: ignore[misc]
            for asked in self.asked_of(id)
        ]

    def ask_treebank(self, folder: bool = False) -> None:
        """Choose the files that the model was trained on, or a folder of them."""
        title, start = "Link training treebank", self._window.preferences.text("folder")
        if folder:
            names = [QFileDialog.getExistingDirectory(self._window, title, start)]
        else:
            names, _ = QFileDialog.getOpenFileNames(self._window, title, start, _TREEBANKS)
        if any(names):
            self._show(self.evidence_dock)
            self.link.add(names)

    def close(self) -> None:
        """End the threads."""
        self.link.close()
        self.browser.close_worker()
