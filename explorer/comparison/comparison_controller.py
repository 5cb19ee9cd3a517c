"""Comparing and gold trees in the window: the panels below, the window of errors, and what their actions do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QFileDialog

from engine.common.errors import EngineError
from engine.common.resources import bundled_models
from explorer.treebank.difference_navigation import Differences
from explorer.widgets.lazy_dock import MadeLater

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow
    from explorer.comparison.comparison_panel import ComparePanel
    from explorer.comparison.comparison_state import Compare
    from explorer.comparison.comparison_task import Comparison
    from explorer.comparison.error_table import ErrorWindow
    from explorer.treebank.tree_editor import GoldEditor

_HEIGHT, _SHARE = 320, 0.4
_TABLES = "tables-under-comparison"
_LITTLE = 480
"""Where the stages have less height than this, there is no room for their tables beside a comparison."""


class CompareTools(QObject):
    """What a window has for comparing; the panel and what it shows are made, and loaded, when they are first wanted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._place = MadeLater(lambda: self.panel)
        self.differences = Differences(self._session, window.sentences.model)
        self.dock = QDockWidget("Compare", window)
        self.errors: ErrorWindow | None = None
        # Height of the tables that have given way; 0 if they have not.
        self._tables = round(window.preferences.number(_TABLES, 0))
        self._sized = False
        self._session.model_changed.connect(self._models_changed)
        window.sentences.looked_up.connect(lambda asked: window.knowledge.look_up(asked))
        window.sentences.compare_wanted.connect(self.show)

    @cached_property
    def compare(self) -> Compare:
        """What is compared, and what came of it."""
        from explorer.comparison.comparison_state import Compare

        compare = Compare(self._session, self)
        compare.models = self._models()
        return compare

    @cached_property
    def panel(self) -> ComparePanel:
        """The panel that shows the comparison."""
        from explorer.comparison.comparison_export import SUFFIXES
        from explorer.comparison.comparison_panel import ComparePanel

        panel = ComparePanel(self.compare)
        # The window makes its knowledge after this.
        panel.tables.count_opened.connect(lambda link: self._window.knowledge.open_count(link))
        panel.canvas.more_choices.append(lambda id: self._window.knowledge.choices(id))
        for title in SUFFIXES.values():
            panel.leave_menu.addAction(f"{title} …", lambda title=title: self.export(title))  # type: ignore[misc]
        panel.leave_menu.addSeparator()
        panel.leave_menu.addAction("Copy as text", self.copy_text)
        panel.leave_menu.addAction("Copy as LaTeX", self.copy_latex)
        self._dress(panel)
        self._place.hold(panel)
        return panel

    @property
    def editor(self) -> GoldEditor:
        """Where the gold tree is changed by hand."""
        return self.panel.editor

    def _made(self, name: str) -> bool:
        return name in self.__dict__

    def _dress(self, panel: ComparePanel) -> None:
        looks = self._window.looks
        panel.set_theme(looks.theme)
        for canvas in (panel.canvas, panel.editor.canvas):
            canvas.set_text_scale(looks.text_scale)

    def add_dock(self) -> None:
        """Put the panel below the stages; hidden until it is wanted."""
        self.dock.setObjectName("compare")
        self.dock.setWidget(self._place)
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.dock.visibilityChanged.connect(self._make_room)
        self.dock.hide()

    def keep_height(self) -> None:
        """The panel was there at the last time: it has the height that it had."""
        self._sized = not self.dock.isHidden()

    def _make_room(self, shown: bool) -> None:
        """Where there is little room the tables under the stages give way to the comparison, and come back after it."""
        splitter = self._window.view.splitter
        if shown and not self._sized:
            self._sized = True
            height = max(_HEIGHT, round(self._window.height() * _SHARE))
            self._window.resizeDocks([self.dock], [height], Qt.Orientation.Vertical)
        if shown:
            # How much is left for the stages is known when the window has been laid out anew.
            QTimer.singleShot(0, self, self._give_way)
        elif self._tables and self._window.isVisible() and not self._window.isMinimized():
            splitter.setSizes([splitter.height() - self._tables, self._tables])
            self._keep_tables(0)

    def _give_way(self) -> None:
        splitter = self._window.view.splitter
        tables = splitter.sizes()[1]
        if self.dock.isVisible() and tables and splitter.height() < _LITTLE:
            splitter.setSizes([splitter.height(), 0])
            self._keep_tables(tables)

    def _keep_tables(self, height: int) -> None:
        """Remember how high the tables were, also for the next start: the window may be closed with the panel open."""
        self._tables = height
        self._window.preferences.keep(_TABLES, height)

    def dress(self) -> None:
        """Show everything in the window's colours, and its pictures in its size of type."""
        if self._made("panel"):
            self._dress(self.panel)
        if self.errors is not None:
            self.errors.set_theme(self._window.theme)

    def handlers(self) -> dict[str, Callable[..., None]]:
        """What the actions of :mod:`explorer.comparison.comparison_actions` do."""
        return {
            "open-folder": self._window.files.open_folder_dialog,
            "gold-tags": self._session.set_gold_tags,
            "next-difference": lambda: self.go(True),
            "previous-difference": lambda: self.go(False),
            "force-gold": lambda: self._compared(lambda: self.compare.force_gold()),
            "keep-gold": lambda: self._compared(self.use_repair),
            "take-gold": self.take_gold,
            "relabel-gold": lambda: self._edited(lambda: self.editor.ask_label()),
            "attach-gold": lambda: self._edited(lambda: self.editor.ask_parent()),
            "bracket-gold": lambda: self._edited(lambda: self.editor.ask_bracket()),
            "remove-gold": lambda: self._edited(lambda: self.editor.remove_bracket()),
            "error-table": self.show_errors,
            "export-comparison": lambda: self.export(),
            "copy-comparison": self.copy_text,
            "copy-comparison-latex": self.copy_latex,
        }

    def _models_changed(self) -> None:
        if self._made("compare"):
            self.compare.models = self._models()

    def _models(self) -> list[str]:
        recent = [name for name in self._window.preferences.recent("models") if Path(name).is_file()]
        own = [str(path) for path in bundled_models().values()]
        return list(dict.fromkeys([*recent, *own]))

    # Going and changing

    def show(self) -> None:
        """Show the comparison."""
        self.dock.show()
        self.dock.raise_()

    def show_gold(self) -> None:
        """Show the gold tree, to be changed by hand."""
        from explorer.comparison.comparison_panel import GOLD_TREE

        self.show()
        self.panel.pictures.setCurrentIndex(GOLD_TREE)

    def go(self, forward: bool) -> None:
        """Show the next or previous sentence that differs from its gold tree, and how."""
        if not self.dock.isVisible():
            self.show()
        self.differences.go(forward)

    def take_gold(self) -> None:
        """The parse that is shown becomes the gold tree; show it."""
        self.editor.take_parse()
        self.show_gold()

    def _edited(self, call: Callable[[], None]) -> None:
        if self.editor.tree is None:
            self._window.say("The sentence has no gold tree yet; take this parse for gold first (Ctrl+Alt+Y)", True)
        elif self.editor.path is None:
            self.show_gold()
            self._window.say("Select a constituent or a word of the gold tree first")
        else:
            call()

    def _compared(self, call: Callable[[], None]) -> None:
        if self.compare.comparison is None:
            self.show()
            self._window.say("There is nothing to compare with yet")
        else:
            call()

    def use_repair(self) -> None:
        """Use the smallest change of the search that keeps the gold tree; what stands in the way is said."""
        try:
            self.compare.use_repair()
        except EngineError as error:
            self._window.say(str(error), True)

    def show_errors(self) -> None:
        """Open the window of errors over the whole list."""
        from explorer.comparison.error_table import ErrorWindow

        if self.errors is None:
            self.errors = ErrorWindow(self._session, self._window.sentences, self._to_list, self._window)
            self.errors.set_theme(self._window.theme)
        self.errors.show()
        self.errors.raise_()
        self.errors.activateWindow()

    def _to_list(self) -> None:
        self._window.list_dock.show()
        self._window.list_dock.raise_()
        self._window.activateWindow()
        self._window.raise_()

    # Leaving

    def _comparison(self) -> Comparison | None:
        found = self.compare.comparison
        if found is None:
            self.show()
            self._window.say("There is no comparison yet", True)
        return found

    def copy_text(self) -> None:
        """Put the comparison on the clipboard as text."""
        from explorer.comparison.comparison_export import as_text

        comparison = self._comparison()
        if comparison is not None:
            self._window.leaving.copy_text(as_text(comparison), "Comparison copied as text")

    def copy_latex(self) -> None:
        """Put the comparison on the clipboard as LaTeX."""
        from explorer.comparison.comparison_export import as_latex

        comparison = self._comparison()
        if comparison is not None:
            self._window.leaving.copy_text(as_latex(comparison), "Comparison copied as LaTeX")

    def export(self, title: str = "PDF") -> None:
        """Choose a file, and write the comparison to it."""
        from explorer.comparison.comparison_export import SUFFIXES

        if self._comparison() is None:
            return
        filters = {f"{name} (*{suffix})": suffix for suffix, name in SUFFIXES.items()}
        chosen = next(one for one, suffix in filters.items() if SUFFIXES[suffix] == title)
        start = str(Path(self._window.preferences.text("folder")) / f"comparison{filters[chosen]}")
        name, used = QFileDialog.getSaveFileName(self._window, "Export comparison", start, ";;".join(filters), chosen)
        if name:
            path = Path(name)
            self.export_to(path if path.suffix else path.with_suffix(filters.get(used, ".pdf")))

    def export_to(self, path: Path) -> None:
        """Write the comparison to a file; what went wrong is said over the picture."""
        from explorer.comparison.comparison_export import write_comparison

        comparison = self._comparison()
        if comparison is None:
            return
        try:
            write_comparison(comparison, path, self._window.theme)
        except EngineError as error:
            self._window.say(str(error), True)
        else:
            self._window.say(f"Written: {path.name}")
