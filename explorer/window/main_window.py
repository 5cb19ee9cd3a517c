"""The window: makes its panels, features and bars, and wires them together."""

from __future__ import annotations

from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QMenu

from engine.explain.glosses import preset_gloss
from engine.settings import PRESETS, preset_title
from explorer.kit.actions import EDIT, FILE, SETTINGS, VIEW, Action, action, actions
from explorer.kit.appearance import appearance
from explorer.kit.tasks import Worker
from explorer.panels.stage_view import TABLE, WHAT_IFS
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.window.actions import DocumentActions, UndoTitles, WindowActions
from explorer.window.features import Features, make_panels
from explorer.window.files import Autosave, FileController
from explorer.window.help import Help, HelpedParts, connect_help
from explorer.window.layout import Arrangement, Bars, Workspaces, add_docks, panel_toggles
from explorer.window.preferences import AppearanceController, PreferencesController, apply_before_building
from explorer.window.status_bar import show_cache_problems

_MESSAGE_MS = 6000


class MainWindow(QMainWindow):
    """The window over one session.

    Parameters
    ----------
    session
        The document, the view state and the parse service, whose parts the panels get; from now on the window's own.
    preferences
        What is remembered from start to start.
    """

    def __init__(self, session: Session, preferences: Preferences) -> None:
        apply_before_building(preferences)
        super().__init__()
        self.session = session
        # They go together.  What the session's signals call holds both, and so neither would ever be collected.
        session.setParent(self)
        self._preferences = preferences
        self._had_several_lines = False
        self._what_if_count = 0
        self.setObjectName("main")
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.panels = make_panels(session, preferences)
        self.stages, self.inspector, self.summary, self.sentences, self.sentence_bar = self.panels
        self._make_controllers()
        self.features = Features(session, preferences, self.panels, self)
        self.named_actions = WindowActions(self, self._owners(), self.stages)
        self.bars = Bars(self, session, self.panels, self.named_actions)
        self.settings_strip, self.stage_strip, self.status = self.bars.settings, self.bars.stages, self.bars.status
        self.docks = add_docks(self, self.panels, self.features)
        self._make_menus()
        parts = HelpedParts(
            self.sentence_bar,
            self.settings_strip,
            self.stage_strip,
            self.stages,
            self.docks.inspector,
            self.panel_toggles,
        )
        connect_help(self.help, parts, self.named_actions, self.appearance, self.files)
        self.workspaces = Workspaces(self.stages, self.features.comparison)
        self.setCentralWidget(self.workspaces)
        self._arrangement = Arrangement(self, self.docks, self.stages, self.features, preferences)
        self._connect()
        self.appearance.apply()
        self.restore()
        self._show_settings()
        self._count_changed()
        self._what_ifs_changed()
        self._stage_changed()
        self.show_title()

    # Building

    def _make_controllers(self) -> None:
        session, preferences = self.session, self._preferences
        editor, view, messages = session.editor, session.view, session.messages
        self.appearance = AppearanceController(preferences, messages, self)
        self.files = FileController(editor, session.file, session.loader, preferences, messages, self)
        self.preferences = PreferencesController(preferences, self.appearance, self.files, self)
        self.help = Help(editor, view, session.parses, preferences, messages, self)
        self.autosave = Autosave(editor, view, session.file, preferences, messages, self)
        self.player = self.stages.player

    def _owners(self) -> list[object]:
        """Whose methods do the actions, in the order in which they stand in the menus."""
        stages, features = self.stages, self.features
        return [
            *(self, DocumentActions(self.session.editor), self.files, *features.output, self.inspector),
            *(self.preferences, stages.canvas, self.appearance, stages.parse_stage, stages, self.player),
            *(self.sentences, self.session.list_parsing, *features.asking, self.session.tasks),
            *(*features.rooms, self.help),
        ]

    def _make_menus(self) -> None:
        actions = self.named_actions
        view = actions.menus[VIEW]
        view.addSeparator()
        self.panel_toggles = panel_toggles(self, self.docks, self.features)
        view.addActions(self.panel_toggles)
        view.addMenu(self.appearance.menu)
        file = actions.menus[FILE]
        self.recent_menu = file.addMenu("Recent")
        file.insertMenu(actions["save"], self.recent_menu)
        self.recent_menu.aboutToShow.connect(lambda: self.files.fill_recent(self.recent_menu))
        for feature in self.features:
            feature.fill_menus(actions.menus)
        self.model_menu = QMenu(self)
        about = QAction("About this model", self)
        about.triggered.connect(self.show_model)
        further = (actions["open-model"], about)
        self.model_menu.aboutToShow.connect(lambda: self.files.fill_models(self.model_menu, further))
        self.settings_strip.model.setMenu(self.model_menu)

    def _connect(self) -> None:
        session = self.session
        for changed in (session.editor.settings_changed, session.editor.change_refused):
            changed.connect(self._show_settings)
        session.editor.count_changed.connect(self._count_changed)
        session.editor.what_ifs_changed.connect(self._what_ifs_changed)
        session.view.stage_changed.connect(self._stage_changed)
        session.parses.model_changed.connect(self._model_changed)
        session.messages.posted.connect(self.show_message)
        show_cache_problems(session.tasks, session.messages)
        session.file.path_changed.connect(self.show_title)
        session.editor.undo_stack.cleanChanged.connect(lambda _: self.show_title())
        UndoTitles(session.editor.undo_stack, self.named_actions, self)
        self.workspaces.currentChanged.connect(lambda _: self._stage_changed())
        self.stages.wanted.connect(self._show_stages)
        self.player.changed.connect(lambda: self.named_actions.set_playing(self.player.playing))
        self.setAcceptDrops(True)
        self.stages.canvas.setFocus()
        self.features.comparison.list_wanted.connect(self.show_list)

    # Showing

    def _show_settings(self) -> None:
        """Show in the actions how the document is parsed."""
        actions, document = self.named_actions, self.session.editor.document
        for number in PRESETS:
            actions[f"preset-{number}"].setChecked(number == document.preset)
        for name, on in self.settings_strip.states().items():
            actions[name].setChecked(on)
        actions["gold-tags"].setChecked(document.gold_tags)

    def _count_changed(self) -> None:
        """Show the list as soon as there are several sentences."""
        several = len(self.session.editor.document.lines) > 1
        for name in ("next-sentence", "previous-sentence"):
            self.named_actions[name].setEnabled(several)
        # A lesson brings its sentences one by one, and its own panel.
        if several and not self._had_several_lines and not self.features.classroom.player.lesson.steps:
            self.docks.sentences.show()
        self._had_several_lines = several

    def _what_ifs_changed(self) -> None:
        """Bring the what-ifs to the front when there is one more, and the table again when there are none left."""
        what_ifs = len(self.session.editor.line.what_ifs)
        self.named_actions["lift-all"].setEnabled(bool(what_ifs))
        if what_ifs > self._what_if_count:
            self.stages.tabs.setCurrentIndex(WHAT_IFS)
        elif self._what_if_count and not what_ifs and self.stages.tabs.currentIndex() == WHAT_IFS:
            self.stages.tabs.setCurrentIndex(TABLE)
        self._what_if_count = what_ifs

    def _stage_changed(self) -> None:
        for number, stage in enumerate(self.stages.stages.values(), 1):
            here = stage is self.stages.stage and not self.workspaces.compares
            self.named_actions[f"stage-{number}"].setChecked(here)
        self.named_actions["compare"].setChecked(self.workspaces.compares)

    def _show_stages(self) -> None:
        """Show the stages; the one that is shown already stays checked."""
        self.workspaces.show_comparison(False)
        self._stage_changed()

    def _model_changed(self) -> None:
        document = self.session.editor.document
        name = document.model_name
        self.settings_strip.model.setText(f"{name} ▾" if name else "No model")
        self._preferences.add_recent("models", document.model)

    def show_title(self) -> None:
        """Show the name of the session's file, and whether it is saved."""
        path = self.session.file.path
        self.setWindowTitle(f"{path.name}[*] – Parse Explorer" if path is not None else "Parse Explorer[*]")
        self.setWindowModified(path is not None and not self.session.editor.undo_stack.isClean())

    def show_message(self, message: str, is_error: bool = False) -> None:
        """Show one sentence: an error over the picture, anything else in the status bar."""
        if is_error:
            self.stages.banner.show_message(message)
        else:
            self.statusBar().showMessage(message, _MESSAGE_MS)

    def show_model(self) -> None:
        """Show what the model was trained on and holds."""
        self.docks.model.show()
        self.docks.model.raise_()

    def show_list(self) -> None:
        """Show the list of sentences; a window over this one, such as that of errors, stays where it is."""
        self.docks.sentences.show()
        self.docks.sentences.raise_()

    # Going

    @action("edit-sentence", "Edit sentence", EDIT, "Ctrl+L", separated=True, after="copy-twin")
    def edit_sentence(self) -> None:
        """Go to the sentence bar."""
        self.sentence_bar.edit.setFocus()
        self.sentence_bar.edit.selectAll()

    @action("find", "Find sentence …", EDIT, "Ctrl+F", after="edit-sentence")
    def find_sentence(self) -> None:
        """Find sentences of the list by words, tags, labels or marks."""
        self.show_list()
        self.activateWindow()
        self.sentences.search.setFocus()
        self.sentences.search.selectAll()

    @actions(
        Action(
            f"preset-{number}",
            f"Preset {preset_title(number)}",
            SETTINGS,
            f"Ctrl+Alt+{number}",
            preset_gloss(number).sentence,
            checkable=True,
            argument=number,
        )
        for number in PRESETS
    )
    def choose_preset(self, number: int, _on: bool = True) -> None:
        """Choose one of the presets; the chosen one stays checked."""
        self.session.editor.set_preset(number)
        self._show_settings()

    @action("new", "New session", FILE, "Ctrl+N")
    def new_session(self) -> None:
        """Start with an empty list of sentences."""
        self.files.new_session()
        self.edit_sentence()

    # Coming back

    @action("word-tags", "Words with their tags", VIEW, "Ctrl+Shift+W", checkable=True, after="theme")
    def show_word_tags(self, shown: bool) -> None:
        """Every word with its tag under the sentence bar, in every stage."""
        self.sentence_bar.show_chips(shown)
        self.named_actions["word-tags"].setChecked(shown)
        self._preferences.keep("word-tags", shown)

    @action("reset-layout", "Reset layout", VIEW, "Ctrl+Alt+0", after="word-tags")
    def reset_layout(self) -> None:
        """Put every panel back where it was at the first start."""
        self._arrangement.reset(list_shown=len(self.session.editor.document.lines) > 1)
        self.show_word_tags(False)
        self.features.comparison.reset_layout()
        self.workspaces.show_comparison(False)

    def restore(self) -> None:
        """Restore docks and sizes of the last time."""
        if self._arrangement.restore():
            # The list of the last session is shown or hidden as it was.
            self._had_several_lines = len(self.session.editor.document.lines) > 1
        self.named_actions["reduce-motion"].setChecked(appearance().reduce_motion)
        self.show_word_tags(self._preferences.flag("word-tags"))
        self.workspaces.show_comparison(self._preferences.flag("comparing"))

    @action("quit", "Quit", FILE, "Ctrl+Q", separated=True, after="preferences")
    def quit(self) -> None:
        """Close the window; sentences and settings come back at the next start."""
        self.close()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and text."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.files.open_dropped(event.mimeData())
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything; nothing is asked where nothing is lost."""
        for feature in self.features:
            feature.finish()
        self._preferences.keep("comparing", self.workspaces.compares)
        self._arrangement.keep()
        # Out of sight at once: a long list takes a moment to be written, and threads one to stop.
        self.hide()
        if not (self.session.file.finish() and self.autosave.close()):
            self.show()
            event.ignore()
            return
        self.player.play(False)
        self.status.stop()
        self._preferences.write()
        for worker in self.findChildren(Worker):
            worker.close()
        self.session.close()
        super().closeEvent(event)
