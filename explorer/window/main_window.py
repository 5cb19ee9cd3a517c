"""The window: makes every part, gives each what it uses, and wires them together."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QCloseEvent, QUndoStack
from PySide6.QtWidgets import QMainWindow, QMenu

from engine.explain.glosses import preset_gloss
from engine.gate.private_files import take_cache_problem
from engine.settings import PRESETS, preset_title
from explorer.classroom.controller import ClassroomController
from explorer.compare.controller import ComparisonController
from explorer.kit.actions import CLASSROOM, EDIT, FILE, GO, SETTINGS, VIEW, Action, NamedActions, action, actions
from explorer.kit.appearance import appearance
from explorer.kit.messages import Messages
from explorer.kit.tasks import TaskMonitor, Worker
from explorer.knowledge.controller import KnowledgeController
from explorer.laboratory.controller import LaboratoryController
from explorer.output.export import ExportController
from explorer.panels.inspector import Inspector
from explorer.panels.sentence_bar import SentenceBar
from explorer.panels.sentence_list import SentenceList
from explorer.panels.settings import ModelSummary, SettingsStrip
from explorer.panels.stage_view import TABLE, WHAT_IFS, StageView
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.session.view_state import CHART
from explorer.stages.player import Player, StageNavigator, StageStrip
from explorer.stages.stages import STAGES, SentenceStage, stage_named
from explorer.window.actions import DocumentActions, WindowActions
from explorer.window.files import Autosave, FileController, FileDrops
from explorer.window.help import Help, HelpedParts, connect_help
from explorer.window.layout import (
    Arrangement,
    Workspaces,
    add_classroom_docks,
    add_docks,
    add_laboratory_docks,
    add_side_bar,
    add_top_bars,
    panel_toggles,
)
from explorer.window.preferences import (
    AppearanceController,
    PreferencesController,
    apply_before_building,
)
from explorer.window.printing import PrintController
from explorer.window.status_bar import StatusBar
from explorer.window.what_ifs import WhatIfActions

# The titles of Undo and Redo, which name the step.


class UndoTitles(QObject):
    """Keeps the titles of Undo and Redo as the stack has them.

    Parameters
    ----------
    stack
        What can be undone.
    actions
        Those of the window.
    parent
        The window.
    """

    def __init__(self, stack: QUndoStack, actions: NamedActions, parent: QObject) -> None:
        super().__init__(parent)
        self._stack = stack
        self._actions = actions
        stack.canUndoChanged.connect(lambda _: self.refresh())
        stack.undoTextChanged.connect(lambda _: self.refresh())
        stack.redoTextChanged.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        """Name the step that each of them would take, and switch off the one that would take none."""
        for name, can, text in (
            ("undo", self._stack.canUndo(), self._stack.undoText()),
            ("redo", self._stack.canRedo(), self._stack.redoText()),
        ):
            action = self._actions[name]
            action.setEnabled(can)
            action.setText(f"{name.capitalize()} {text}".rstrip())


# What keeps the program from using its cache, said once in the window: it works without, and takes longer.


def show_cache_problems(tasks: TaskMonitor, messages: Messages) -> None:
    """Show what was noted about the cache whenever a task has ended.

    Parameters
    ----------
    tasks
        The tasks of a window: opening models, parsing and reading treebanks use the cache.
    messages
        Where it is shown.
    """

    def tell() -> None:
        if not tasks.busy and (problem := take_cache_problem()):
            messages.show(problem, True)

    tasks.busy_changed.connect(tell)


# The window: makes every part, gives each what it uses, and wires them together.

_MESSAGE_MS = 6000


class MainWindow(QMainWindow):
    """The window over one session.

    Parameters
    ----------
    session
        The document, the view state and the parse service, whose parts the panels get.
    preferences
        What is remembered from start to start.
    """

    def __init__(self, session: Session, preferences: Preferences) -> None:
        apply_before_building(preferences)
        super().__init__()
        self.session = session
        self._preferences = preferences
        self._had_several_lines = False
        self._what_if_count = 0
        self.setObjectName("main")
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self._make_controllers()
        self.named_actions = WindowActions(self, self._owners(), self.stages)
        self._make_bars()
        self._make_docks()
        self._make_menus()
        self._make_help()
        self.workspaces = Workspaces(self.stages, self.comparison)
        self.setCentralWidget(self.workspaces)
        self._arrangement = Arrangement(self, self.docks, self.stages, self._preferences)
        self._connect()
        self.appearance.apply()
        self.restore()
        self.refresh()

    # Building

    def _make_controllers(self) -> None:
        session, preferences = self.session, self._preferences
        editor, view, parses, statuses = session.editor, session.view, session.parses, session.statuses
        messages, tasks = session.messages, session.tasks
        self.appearance = AppearanceController(preferences, messages, self)
        self.stages = StageView(editor, view, parses, messages)
        self.files = FileController(editor, session.file, session.loader, preferences, messages, self)
        self.export = ExportController(parses, view, self.stages.canvas, preferences, messages, self)
        self.preferences = PreferencesController(preferences, self.appearance, self.files, self)
        self.help = Help(editor, view, parses, preferences, messages, self)
        self.autosave = Autosave(editor, view, session.file, preferences, messages, self)
        self.navigator = StageNavigator(view, parses)
        self.player = Player(view, self.navigator, self)
        self.what_if = WhatIfActions(editor, view, parses, messages, tasks, self)
        self.inspector = Inspector(parses, view, messages, preferences)
        self.summary = ModelSummary(editor, parses)
        self.sentences = SentenceList(editor, parses, statuses, messages)
        self.knowledge = KnowledgeController(editor, view, parses, preferences, messages, tasks, self)
        self.comparison = ComparisonController(session, preferences, self.sentences, self.knowledge.choices, self)
        self.print = PrintController(parses, self.stages, self.inspector, self.comparison, preferences, messages, self)
        self.laboratory = LaboratoryController(
            session, preferences, self.knowledge, self.comparison, self.sentences, self.stages, self
        )
        self.classroom = ClassroomController(session, preferences, self)

    def _owners(self) -> list[object]:
        """Whose methods do the actions, in the order in which they stand in the menus."""
        return [
            self,
            DocumentActions(self.session.editor),
            self.files,
            self.export,
            self.inspector,
            self.print,
            self.preferences,
            self.stages.canvas,
            self.appearance,
            self.stages.parse_stage,
            self.stages,
            self.player,
            self.what_if,
            self.sentences,
            self.session.list_parsing,
            self.knowledge,
            self.session.tasks,
            self.comparison,
            self.laboratory,
            self.classroom,
            self.help,
        ]

    def _make_bars(self) -> None:
        session = self.session
        self.sentence_bar = SentenceBar(session.editor, session.view, session.parses, session.loader)
        self.settings_strip = SettingsStrip(session.editor, session.messages, self.named_actions)
        self.stage_strip = StageStrip(session.view, session.parses, self.navigator, self.named_actions)
        add_top_bars(self, self.sentence_bar, self.settings_strip, self.stage_strip)
        add_side_bar(self, self.named_actions)
        self.statusBar().setSizeGripEnabled(False)
        self.status = StatusBar(
            self.statusBar(),
            session.editor,
            session.parses,
            session.statuses,
            session.tasks,
            self.stages.canvas,
            self.named_actions["cancel"],
        )
        self.player.show_in(self.named_actions["play"])

    def _make_docks(self) -> None:
        self.docks = add_docks(self, self.sentences, self.inspector, self.summary, self.knowledge, self.comparison)
        add_laboratory_docks(self, self.laboratory)
        add_classroom_docks(self, self.classroom, self.named_actions.menus[CLASSROOM])

    def _make_menus(self) -> None:
        actions = self.named_actions
        view = actions.menus[VIEW]
        view.addSeparator()
        self.panel_toggles = panel_toggles(self, self.docks, [*self.laboratory.docks, *self.classroom.docks])
        view.addActions(self.panel_toggles)
        view.addMenu(self.appearance.menu)
        file = actions.menus[FILE]
        self.recent_menu = file.addMenu("Recent")
        file.insertMenu(actions["save"], self.recent_menu)
        self.recent_menu.aboutToShow.connect(lambda: self.files.fill_recent(self.recent_menu))
        self.model_menu = QMenu(self)
        about = QAction("About this model", self)
        about.triggered.connect(self.show_model)
        further = (actions["open-model"], about)
        self.model_menu.aboutToShow.connect(lambda: self.files.fill_models(self.model_menu, further))
        self.settings_strip.model.setMenu(self.model_menu)

    def _make_help(self) -> None:
        parts = HelpedParts(
            self.sentence_bar,
            self.settings_strip,
            self.stage_strip,
            self.stages,
            self.docks.inspector,
            self.panel_toggles,
        )
        connect_help(self.help, parts, self.named_actions, self.appearance, self.files)
        self.help.explain_signs_in(self.inspector.view, self.summary, self.stages.twin)

    def _connect(self) -> None:
        session = self.session
        session.editor.document_changed.connect(self.refresh)
        session.editor.change_refused.connect(self.refresh)
        session.view.stage_changed.connect(self._stage_changed)
        session.parses.model_changed.connect(self._model_changed)
        session.messages.posted.connect(self.show_message)
        show_cache_problems(session.tasks, session.messages)
        session.file.path_changed.connect(self.show_title)
        session.editor.undo_stack.cleanChanged.connect(lambda _: self.show_title())
        self._undo_titles = UndoTitles(session.editor.undo_stack, self.named_actions, self)
        self.workspaces.currentChanged.connect(lambda _: self._stage_changed())
        self.player.changed.connect(lambda: self.named_actions.set_playing(self.player.playing))
        FileDrops(self.files, session.loader, self)
        # The arrow keys step through the stages as soon as there is something to step through.
        self.sentence_bar.entered.connect(self.stages.canvas.setFocus)
        self.stages.canvas.setFocus()
        self.inspector.count_opened.connect(self.knowledge.open_count)
        self.comparison.count_opened.connect(self.knowledge.open_count)
        self.inspector.also_explain(self.comparison.explain, self.comparison.explanations_changed)
        self.inspector.looked_up.connect(self.knowledge.look_up)
        self.inspector.headline_changed.connect(self.stages.set_headline)
        self.sentences.looked_up.connect(self.knowledge.look_up)
        self.comparison.list_wanted.connect(self.show_list)
        self.stages.more_choices += [self.sentence_bar.tag_choices, self.knowledge.choices]
        self.stages.picture.of(SentenceStage).tags_wanted.connect(self.sentence_bar.open_tags)
        self.sentence_bar.more_choices.append(self.knowledge.choices)

    # Showing

    def refresh(self) -> None:
        """Show what the document says."""
        editor, actions = self.session.editor, self.named_actions
        document = editor.document
        for number in PRESETS:
            actions[f"preset-{number}"].setChecked(number == document.preset)
        for name, on in self.settings_strip.states().items():
            actions[name].setChecked(on)
        actions["gold-tags"].setChecked(document.gold_tags)
        several = len(document.lines) > 1
        for name in ("next-sentence", "previous-sentence"):
            actions[name].setEnabled(several)
        # A lesson brings its sentences one by one, and its own panel.
        if several and not self._had_several_lines and not self.classroom.player.lesson.steps:
            self.docks.sentences.show()
        self._had_several_lines = several
        what_ifs = len(editor.line.what_ifs)
        actions["lift-all"].setEnabled(bool(what_ifs))
        if what_ifs > self._what_if_count:
            self.stages.tabs.setCurrentIndex(WHAT_IFS)
        self._what_if_count = what_ifs
        self._undo_titles.refresh()
        self._stage_changed()
        self.show_title()
        self.status.show_facts()

    def _stage_changed(self) -> None:
        for number, stage in enumerate(STAGES, 1):
            here = stage is stage_named(self.session.view.stage) and not self.workspaces.compares
            self.named_actions[f"stage-{number}"].setChecked(here)
        self.named_actions["compare"].setChecked(self.workspaces.compares)

    def _model_changed(self) -> None:
        document = self.session.editor.document
        name = document.model_name
        self.settings_strip.model.setText(f"{name} ▾" if name else "No model")
        self._preferences.add_recent("models", document.model)
        self.status.show_facts()

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

    @actions(
        lambda: [
            Action(
                f"stage-{number}",
                f"{number}  {stage.title}",
                GO,
                f"Alt+{number}",
                stage.tip,
                checkable=True,
                argument=stage.name,
            )
            for number, stage in enumerate(STAGES, 1)
        ]
    )
    def go_to(self, stage: str, _on: bool = True) -> None:
        """Show a stage; the one that is shown already stays checked."""
        self.workspaces.show_comparison(False)
        self.session.view.go_to(stage)
        self._stage_changed()
        self.stages.canvas.setFocus()

    @action(
        "run-to",
        "Run chart to …",
        GO,
        "F6",
        "Replay the chart up to the next constituent of a label, head-word or span",
        separated=True,
        after="play",
    )
    def run_to(self) -> None:
        """Go to the chart and its field for a condition."""
        self.go_to(CHART)
        self.stages.tabs.show_page(TABLE)
        self.stages.chart_stage.run_field.setFocus()

    @action(
        "edit-sentence", "Edit sentence", EDIT, "Ctrl+L", "Go to the sentence bar", separated=True, after="copy-twin"
    )
    def edit_sentence(self) -> None:
        """Go to the sentence bar."""
        self.sentence_bar.edit.setFocus()
        self.sentence_bar.edit.selectAll()

    @action(
        "find",
        "Find sentence …",
        EDIT,
        "Ctrl+F",
        "Find sentences of the list by words, tags, labels or marks",
        after="edit-sentence",
    )
    def find_sentence(self) -> None:
        """Go to the filter of the list of sentences."""
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
        self.refresh()

    @action("new", "New session", FILE, "Ctrl+N", "Start with an empty list of sentences")
    def new_session(self) -> None:
        self.files.new_session()
        self.edit_sentence()

    # Coming back

    @action(
        "word-tags",
        "Words with their tags",
        VIEW,
        "Ctrl+Shift+W",
        "Every word with its tag under the sentence bar, in every stage",
        checkable=True,
        after="theme",
    )
    def show_word_tags(self, shown: bool) -> None:
        """Show every word with its tag under the sentence bar, or not."""
        self.sentence_bar.show_chips(shown)
        self.named_actions["word-tags"].setChecked(shown)
        self._preferences.keep("word-tags", shown)

    @action(
        "reset-layout",
        "Reset layout",
        VIEW,
        "Ctrl+Alt+0",
        "Put every panel back where it was at the first start",
        after="word-tags",
    )
    def reset_layout(self) -> None:
        """Put every panel back where it was at the first start."""
        self._arrangement.reset(list_shown=len(self.session.editor.document.lines) > 1)
        self.show_word_tags(False)
        self.comparison.reset_layout()
        self.workspaces.show_comparison(False)

    def restore(self) -> None:
        """Restore docks and sizes of the last time."""
        if self._arrangement.restore():
            # The list of the last session is shown or hidden as it was.
            self._had_several_lines = len(self.session.editor.document.lines) > 1
        self.named_actions["reduce-motion"].setChecked(appearance().reduce_motion)
        self.show_word_tags(self._preferences.flag("word-tags"))
        self.workspaces.show_comparison(self._preferences.flag("comparing"))

    @action(
        "quit",
        "Quit",
        FILE,
        "Ctrl+Q",
        "Close the window; sentences and settings come back at the next start",
        separated=True,
        after="preferences",
    )
    def quit(self) -> None:
        """Close the window."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything; nothing is asked where nothing is lost."""
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
