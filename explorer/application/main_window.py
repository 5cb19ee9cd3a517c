"""The window: bars on top, the stages in the middle, panels around them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QMenu,
    QToolBar,
    QWidget,
)

from engine.settings import PRESETS
from explorer.appearance.appearance import Looks, dress_for
from explorer.application.action_handlers import handlers
from explorer.application.actions import Actions
from explorer.application.autosave import Keeping
from explorer.application.file_controller import Files
from explorer.application.help import Help
from explorer.application.status_bar import Status
from explorer.application.what_if_actions import WhatIfActions
from explorer.comparison.comparison_controller import CompareTools
from explorer.document.preferences import Preferences
from explorer.document.session import Session
from explorer.document.stage_navigation import CHART, STAGES
from explorer.export.export_controller import Leaving
from explorer.graphics.theme import Theme
from explorer.knowledge.knowledge_controller import KnowledgeTools
from explorer.panels.inspector import Inspector
from explorer.panels.model_summary import ModelSummary
from explorer.panels.sentence_bar import SentenceBar
from explorer.panels.settings_strip import SettingsStrip
from explorer.stages.player import Player
from explorer.stages.stage_strip import StageStrip
from explorer.stages.stage_view import TABLE, WHAT_IFS, StageView
from explorer.treebank.sentence_list import SentenceList
from explorer.widgets.action import FILE, VIEW
from explorer.widgets.scroll_strip import ScrollStrip

SIDE_ACTIONS = (
    "open",
    "save",
    "undo",
    "redo",
    "copy-picture",
    "export",
    "zoom-in",
    "zoom-out",
    "fit",
    "actual-size",
    "palette",
)


class MainWindow(QMainWindow):
    """The window over one session."""

    def __init__(self, session: Session, preferences: Preferences) -> None:
        dress_for(preferences)
        super().__init__()
        self.session = session
        self.preferences = preferences
        self.setAcceptDrops(True)
        self.setObjectName("main")
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)

        self.looks = Looks(self)
        self.view = StageView(session)
        self.files = Files(self)
        self.leaving = Leaving(self)
        self.help = Help(self)
        self.keeping = Keeping(self)
        self.player = Player(session, self.view.chart_stage, self)
        self.what_if = WhatIfActions(session, self.view)
        self.sentences = SentenceList(session)
        self.compare = CompareTools(self)
        self.knowledge = KnowledgeTools(self)
        self.actions_ = Actions(self, handlers(self), self.view)
        self.sentence_bar = SentenceBar(session)
        self.settings_strip = SettingsStrip(session, self.actions_)
        self.stage_strip = StageStrip(session, self.actions_)
        self.inspector = Inspector(session)
        self.summary = ModelSummary(session)
        self._bars()
        self._docks()
        self._menus()
        self.statusBar().setSizeGripEnabled(False)
        self.status = Status(self.statusBar(), session, self.view.canvas, self.actions_["cancel"])
        self.player.show_in(self.actions_["play"])
        self.setCentralWidget(self.view)
        self._connect()
        self.looks.apply()
        self.restore()
        self.refresh()

    @property
    def theme(self) -> Theme:
        """The theme that is shown."""
        return self.looks.theme

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """The panels around the stages."""
        return self.list_dock, self.inspector_dock, self.model_dock, *self.knowledge.docks, self.compare.dock

    # Building

    def _bars(self) -> None:
        rows = (
            ("sentence", self.sentence_bar),
            ("settings", ScrollStrip(self.settings_strip)),
            ("stages", ScrollStrip(self.stage_strip)),
        )
        for name, widget in rows:
            bar = QToolBar(name.capitalize())
            bar.setObjectName(name)
            bar.setMovable(False)
            bar.setFloatable(False)
            bar.toggleViewAction().setEnabled(False)
            bar.addWidget(widget)
            self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
            self.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
        side = QToolBar("Tools")
        side.setObjectName("side")
        side.setMovable(False)
        side.setIconSize(QSize(20, 20))
        for name in SIDE_ACTIONS:
            if name in ("undo", "copy-picture", "zoom-in", "palette"):
                side.addSeparator()
            side.addAction(self.actions_[name])
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, side)
        self.side = side

    def _dock(self, title: str, name: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        return dock

    def _docks(self) -> None:
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self.list_dock = self._dock("Sentences", "sentences", self.sentences, left)
        self.inspector_dock = self._dock("Inspector", "inspector", self.inspector, right)
        # Before the inspector is one of several tabs, which would take the evidence for one more.
        self.knowledge.add_docks(self.inspector_dock)
        self.model_dock = self._dock("Model", "model", self.summary, right)
        self.tabifyDockWidget(self.inspector_dock, self.model_dock)
        self.inspector_dock.raise_()
        # A panel behind another one's tab is visible to Qt, and told so here alone.
        self.model_dock.visibilityChanged.connect(self.summary.set_seen)
        self.resizeDocks([self.list_dock, self.inspector_dock], [264, 384], Qt.Orientation.Horizontal)
        self.list_dock.hide()
        self.compare.add_dock()

    def _menus(self) -> None:
        view = self.actions_.menus[VIEW]
        view.addSeparator()
        keys_of = ("F2", "F3", "F7", "F12", "Shift+F12", "Ctrl+D")
        for dock, keys in zip(self.docks, keys_of, strict=True):
            action = dock.toggleViewAction()
            action.setShortcut(keys)
            action.setStatusTip(f"Show or hide the panel {dock.windowTitle()}")
            view.addAction(action)
        view.addMenu(self.looks.menu)
        file = self.actions_.menus[FILE]
        before = self.actions_["save"]
        self.models_menu = self.settings_strip.model
        self.recent_menu = file.addMenu("Recent")
        file.insertMenu(before, self.recent_menu)
        self.recent_menu.aboutToShow.connect(lambda: self.files.fill_recent(self.recent_menu))
        self.model_menu = QMenu(self)
        self.model_menu.aboutToShow.connect(lambda: self.files.fill_models(self.model_menu))
        self.settings_strip.model.setMenu(self.model_menu)

    def _connect(self) -> None:
        session = self.session
        session.document_changed.connect(self.refresh)
        session.stage_changed.connect(self._stage_changed)
        session.model_changed.connect(self._model_changed)
        session.message.connect(self.say)
        session.path_changed.connect(self.show_title)
        session.undo_stack.cleanChanged.connect(lambda _: self.show_title())
        session.undo_stack.canUndoChanged.connect(lambda _: self._undo_titles())
        session.undo_stack.undoTextChanged.connect(lambda _: self._undo_titles())
        session.undo_stack.redoTextChanged.connect(lambda _: self._undo_titles())
        self.player.changed.connect(self.looks.draw_icons)
        # The arrow keys step through the stages as soon as there is something to step through.
        self.sentence_bar.entered.connect(self.view.canvas.setFocus)
        self.view.canvas.setFocus()
        self.inspector.count_opened.connect(self.knowledge.open_count)
        self.inspector.looked_up.connect(self.knowledge.look_up)
        self.view.more_choices.append(self.knowledge.choices)
        self.sentence_bar.more_choices.append(self.knowledge.choices)

    # Showing

    def refresh(self) -> None:
        """Show what the document says."""
        session, actions = self.session, self.actions_
        for number in PRESETS:
            actions[f"preset-{number}"].setChecked(number == session.document.preset)
        for name, on in self.settings_strip.states().items():
            actions[name].setChecked(on)
        actions["gold-tags"].setChecked(session.document.gold_tags)
        several = len(session.document.lines) > 1
        for name in ("next-sentence", "previous-sentence"):
            actions[name].setEnabled(several)
        if several and not self._several:
            self.list_dock.show()
        self._several = several
        actions["lift-all"].setEnabled(bool(session.line.what_ifs))
        if len(session.line.what_ifs) > self._what_ifs:
            self.view.tabs.setCurrentIndex(WHAT_IFS)
        self._what_ifs = len(session.line.what_ifs)
        self._undo_titles()
        self._stage_changed()
        self.show_title()
        self.status.show_facts()

    _several = False
    _what_ifs = 0

    def _undo_titles(self) -> None:
        stack = self.session.undo_stack
        for name, can, text in (
            ("undo", stack.canUndo(), stack.undoText()),
            ("redo", stack.canRedo(), stack.redoText()),
        ):
            action = self.actions_[name]
            action.setEnabled(can)
            action.setText(f"{name.capitalize()} {text}".rstrip())

    def _stage_changed(self) -> None:
        for number in range(len(STAGES)):
            self.actions_[f"stage-{number + 1}"].setChecked(number == self.session.stage)

    def _model_changed(self) -> None:
        name = Path(self.session.document.model).stem
        self.settings_strip.model.setText(f"{name} ▾" if name else "No model")
        self.preferences.add_recent("models", self.session.document.model)
        self.status.show_facts()

    def show_title(self) -> None:
        """The name of the session's file, and whether it is saved."""
        path = self.session.path
        name = path.name if path is not None else "Parse Explorer"
        self.setWindowTitle(f"{name}[*] – Parse Explorer" if path is not None else "Parse Explorer[*]")
        self.setWindowModified(path is not None and not self.session.undo_stack.isClean())

    def say(self, message: str, error: bool = False) -> None:
        """Say one sentence: an error over the picture, anything else in the status bar."""
        if error:
            self.view.banner.say(message)
        else:
            self.statusBar().showMessage(message, 6000)

    # Going

    def go_to(self, stage: int) -> None:
        """Show a stage; the one that is shown already stays checked."""
        self.session.chart_step = None
        self.session.set_stage(stage)
        self._stage_changed()
        self.view.canvas.setFocus()

    def run_to(self) -> None:
        """Go to the chart and its field for a condition."""
        self.go_to(CHART)
        self.view.tabs.setCurrentIndex(TABLE)
        self.view.chart_stage.run_field.setFocus()

    def edit_sentence(self) -> None:
        """Go to the sentence bar."""
        self.sentence_bar.edit.setFocus()
        self.sentence_bar.edit.selectAll()

    def choose_preset(self, number: int) -> None:
        """One of the presets; the chosen one stays checked."""
        self.session.set_preset(number)
        self.refresh()

    def set_beside(self, on: bool) -> None:
        """Tree and arrows beside instead of above one another."""
        self.view.parse_stage.set_beside(on)
        self.view.refresh()

    def set_compact(self, on: bool) -> None:
        """A compact tree."""
        self.view.parse_stage.set_compact(on)
        self.view.refresh()

    def show_model(self) -> None:
        """What the model was trained on and holds."""
        self.model_dock.show()
        self.model_dock.raise_()

    # Dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and text may be dropped anywhere."""
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        data = event.mimeData()
        files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if files:
            for file in files:
                self.files.open_path(file)
        elif data.hasText():
            self.session.add_text(data.text(), "dropping sentences")
        event.acceptProposedAction()

    # Coming back

    def leave(self) -> None:
        """Close the window."""
        self.close()

    def restore(self) -> None:
        """Docks, size and looks of the last time."""
        preferences = self.preferences
        if not self.restoreGeometry(preferences.bytes("geometry")):
            self.resize(1280, 800)
        if preferences.bytes("state"):
            self.restoreState(preferences.bytes("state"))
            # The list of the last session is shown or hidden as it was.
            self._several = len(self.session.document.lines) > 1
            self.compare.keep_height()
        if preferences.bytes("splitter"):
            self.view.splitter.restoreState(preferences.bytes("splitter"))
        on = preferences.flag("reduce-motion")
        self.actions_["reduce-motion"].setChecked(on)
        self.view.canvas.reduce_motion = on

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything; nothing is asked where nothing is lost."""
        preferences = self.preferences
        preferences.keep("geometry", self.saveGeometry())
        preferences.keep("state", self.saveState())
        preferences.keep("splitter", self.view.splitter.saveState())
        # Out of sight at once: a long list takes a moment to be written, and threads one to stop.
        self.hide()
        if not (self.session.finish_filing() and self.keeping.close()):
            self.show()
            event.ignore()
            return
        self.player.play(False)
        self.status.stop()
        preferences.stored.sync()
        self.knowledge.close()
        self.session.close()
        super().closeEvent(event)
