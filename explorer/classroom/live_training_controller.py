"""Live training in the window: its panel, its dialogs, and what its actions do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMainWindow, QWidget

from engine.model.model import Model
from engine.trees.tree import Tree
from explorer.classroom.live_training import LiveTraining
from explorer.classroom.live_treebank import LiveTreebank, classroom_treebank, open_treebank
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.graphics.theme import LIGHT, Theme
from explorer.tasks.worker import Job, Worker
from explorer.widgets.lazy_dock import LazyPanel

if TYPE_CHECKING:
    from explorer.classroom.live_training_panel import LiveTrainingPanel
    from explorer.classroom.tree_dialog import TreeDialog

_SELECT_FIRST = "Select a tree in the panel Treebank first"
_TREES = "Treebanks (*.ptb *.mrg *.psd *.tree *.parse *.gz);;All files (*)"
_LAST_NAME = "Trees of last time"
_OPENING_CANCELLED = "Opening the treebank was cancelled."
_NARROW = 1200
"""Windows less wide than this have no room for two panels beside the picture."""
DOCK_KEY = "Ctrl+Alt+N"


class LiveTrainingController(QObject):
    """The panel of live training and its actions: a part of the classroom.

    Parameters
    ----------
    session
        The session whose model follows the treebank.
    preferences
        Beside what the trees are kept, and the folder that was used last.
    parent
        The window over which dialogs open.
    """

    def __init__(self, session: Session, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._parent = parent
        self._theme = LIGHT
        self._placed = False
        self.training = LiveTraining(
            session.editor, session.view, session.parses, preferences, session.messages, session.tasks, self
        )
        self._opening = session.tasks.watch(Worker("open treebank", newest_only=True, parent=self), _OPENING_CANCELLED)
        self._place = LazyPanel(lambda: self.panel)
        self.dock = QDockWidget("Treebank", parent)
        self.dock.setObjectName("live-training")
        self.dock.setWidget(self._place)
        self.docks: Sequence[tuple[QDockWidget, str]] = ((self.dock, DOCK_KEY),)
        self.dialog: TreeDialog | None = None

    @cached_property
    def panel(self) -> LiveTrainingPanel:
        """The panel with the trees."""
        from explorer.classroom.live_training_panel import LiveTrainingPanel

        panel = LiveTrainingPanel(self.training, self._session.view, self._session.parses)
        panel.wanted.connect(lambda name: self.handlers()[name]())
        panel.set_theme(self._theme)
        self._place.hold(panel)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """What the actions of :mod:`explorer.classroom.live_training_actions` do."""
        return {
            "live-classroom": lambda: self.open(classroom_treebank),
            "live-empty": lambda: self.start(LiveTreebank()),
            "live-open": self.ask_treebank,
            "live-again": self.start_again,
            "live-add-parse": self.add_parse,
            "live-add": self.ask_new_tree,
            "live-edit": self.ask_edit,
            "live-remove": self.remove,
            "live-pin": self.pin,
            "live-save": self.ask_save,
            "live-model": self.ask_save_model,
            "live-stop": self.training.stop,
        }

    def set_theme(self, theme: Theme) -> None:
        """Show the pictures of trees in other colours."""
        self._theme = theme
        if "panel" in self.__dict__:
            self.panel.set_theme(theme)

    @property
    def busy(self) -> bool:
        """Whether a treebank, a model or a comparison is still to come."""
        return self._opening.busy or self.training.busy

    # Starting

    def start(self, treebank: LiveTreebank) -> None:
        """Train on these trees from now on, with the panel in sight."""
        self.show_panel()
        self.training.start(treebank)

    def show_panel(self) -> None:
        """Show the panel; in a narrow window behind the inspector's tab, so that the picture keeps its room."""
        window = self._parent
        if not self._placed and isinstance(window, QMainWindow) and window.width() < _NARROW:
            inspector = window.findChild(QDockWidget, "inspector")
            if isinstance(inspector, QDockWidget) and inspector.isVisible() and not self.dock.isVisible():
                window.tabifyDockWidget(inspector, self.dock)
        self._placed = True
        self.dock.show()
        self.dock.raise_()

    def open(self, read: Callable[[], LiveTreebank]) -> None:
        """Read a treebank in the background, and train on it."""

        def work(job: Job) -> LiveTreebank:
            job.report(None, "Opening the treebank")
            return read()

        self.show_panel()
        self._opening.request(work, self.training.start, self._session.messages.show_error)

    def ask_treebank(self) -> None:
        """Ask for a small file of trees, and train on it."""
        title = "Open a small treebank"
        name, _ = QFileDialog.getOpenFileName(self._parent, title, self._preferences.text("folder"), _TREES)
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Train on the trees of a file."""
        self._preferences.keep("folder", str(path.parent))
        self.open(lambda: open_treebank(path))

    def start_again(self) -> None:
        """Train on the trees of the last time."""
        kept = self.training.kept
        if kept is None:
            self._session.messages.show("There are no trees of last time yet", True)
            return

        def read() -> LiveTreebank:
            text = kept.read_text(encoding="utf-8")
            return LiveTreebank(_LAST_NAME, open_treebank(kept).trees if text.strip() else ())

        self.open(read)

    # Editing

    def add_parse(self) -> None:
        """Add the parse that is shown."""
        parse = self._session.parses.shown
        if parse is None or not parse.sentence.positions:
            self._session.messages.show("There is no parse to add yet", True)
        else:
            self.training.add([parse.tree])

    def ask_new_tree(self) -> None:
        """Ask for a tree, and add it."""
        if self.training.treebank is not None:
            line = self._session.editor.line.text if self._session.parses.result is None else ""
            self._ask("Add tree", line, lambda tree: self.training.add([tree]))
        else:
            self.training.add([])

    def ask_edit(self) -> None:
        """Ask for another form of the selected tree."""
        treebank, chosen = self.training.treebank, self.panel.selected
        if treebank is None or not chosen:
            self._session.messages.show(_SELECT_FIRST, True)
            return
        at = chosen[0]
        text = treebank.trees[at].brackets()
        self._ask("Edit tree", text, lambda tree: self.training.replace_tree(at, tree))

    def remove(self) -> None:
        """Take the selected trees out."""
        if chosen := self.panel.selected:
            self.training.remove(chosen)
        else:
            self._session.messages.show(_SELECT_FIRST, True)

    def _ask(self, title: str, text: str, take: Callable[[Tree], None]) -> None:
        from explorer.classroom.tree_dialog import TreeDialog

        self.dialog = TreeDialog(title, text, self._proposing_model(), self._theme, self._parent)
        self.dialog.tree_made.connect(take)
        self.dialog.open()

    def _proposing_model(self) -> Model | None:
        """The model that parses what is typed: the one before live training, which has seen more, if it is at hand."""
        return self._session.parses.models.kept(self._session.editor.document.model) or self.training.model

    def pin(self) -> None:
        """Compare with the model of now from now on, or with the last edit again."""
        self.training.pin(self.training.pinned_trees is None)

    # Saving

    def ask_save(self) -> None:
        """Ask for a file, and write the trees to it."""
        self._ask_file("Save treebank", "treebank.ptb", "Treebanks (*.ptb)", self.training.save_treebank)

    def ask_save_model(self) -> None:
        """Ask for a file, and write the model to it and the trees beside it."""
        self._ask_file(
            "Save model, and its trees beside it", "treebank.model", "Models (*.model)", self.training.save_model
        )

    def _ask_file(self, title: str, name: str, kinds: str, save: Callable[[Path], None]) -> None:
        if self.training.treebank is None:
            self._session.messages.show("There is no live treebank to save", True)
            return
        start = str(Path(self._preferences.text("folder")) / name)
        chosen, _ = QFileDialog.getSaveFileName(self._parent, title, start, kinds)
        if chosen:
            path = Path(chosen)
            save(path if path.suffix else path.with_suffix(Path(name).suffix))
