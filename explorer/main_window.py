"""The window: bars on top, the stages in the middle, panels around them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QProgressBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from engine import jit, storage
from engine.errors import EngineError
from engine.settings import FULL_DISTANCE, ORDER_ONLY, PRESETS
from explorer import style
from explorer.actions import FILE, SPECS, VIEW, Actions
from explorer.document import FORMAT
from explorer.icons import icon
from explorer.palette import Palette
from explorer.panels.inspector import Inspector
from explorer.panels.model_summary import ModelSummary
from explorer.panels.sentence_list import SentenceList
from explorer.preferences import Preferences
from explorer.resources import bundled_models
from explorer.scroll_strip import ScrollStrip
from explorer.sentence_bar import SentenceBar
from explorer.session import CHART, STAGES, Session
from explorer.settings_strip import SettingsStrip
from explorer.stage_strip import StageStrip
from explorer.stage_view import TABLE, TWIN, WHAT_IFS, StageView
from explorer.theme import SYSTEM, THEMES, Theme, mix, theme_named
from explorer.what_if_actions import WhatIfActions
from explorer.wording import beam_text, duration

BUSY_AFTER_MS = 150
PLAY_MS = 900
REPLAY_MS = 60
RECOVER_AFTER_MS = 800
THEME_ORDER = (SYSTEM, "light", "dark", "contrast", "contrast-dark")
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
_MODEL_SUFFIXES = "Models (*.model)"
_ALL_SUFFIXES = (
    "Sentences, trees, sessions and models "
    "(*.txt *.tagged *.ptb *.mrg *.psd *.tree *.parse *.gz *.json *.model);;All files (*)"
)


class MainWindow(QMainWindow):
    """The window over one session."""

    def __init__(self, session: Session, preferences: Preferences) -> None:
        super().__init__()
        self.session = session
        self.preferences = preferences
        self.theme_name = preferences.text("theme", SYSTEM)
        self.text_scale = preferences.number("text-scale", 1.0)
        self.setAcceptDrops(True)
        self.setObjectName("main")
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)

        self.view = StageView(session)
        self.what_if = WhatIfActions(session, self.view)
        self.actions_ = Actions(self, self._handlers(), self.view)
        self.sentence_bar = SentenceBar(session)
        self.settings_strip = SettingsStrip(session, self.actions_)
        self.stage_strip = StageStrip(session, self.actions_)
        self.inspector = Inspector(session)
        self.summary = ModelSummary(session)
        self.sentences = SentenceList(session)
        self._bars()
        self._docks()
        self._menus()
        self._status()
        self._timers()
        self.setCentralWidget(self.view)
        self._connect()
        self.restore()
        self.apply_theme()
        self.refresh()

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
        self.model_dock = self._dock("Model", "model", self.summary, right)
        self.tabifyDockWidget(self.inspector_dock, self.model_dock)
        self.inspector_dock.raise_()
        self.resizeDocks([self.list_dock, self.inspector_dock], [220, 360], Qt.Orientation.Horizontal)
        self.list_dock.hide()

    def _menus(self) -> None:
        view = self.actions_.menus[VIEW]
        view.addSeparator()
        for dock, keys in ((self.list_dock, "F2"), (self.inspector_dock, "F3"), (self.model_dock, "F7")):
            action = dock.toggleViewAction()
            action.setShortcut(keys)
            action.setStatusTip(f"Show or hide the panel {dock.windowTitle()}")
            view.addAction(action)
        self.theme_menu = view.addMenu("Theme")
        for name in THEME_ORDER:
            title = "As the system" if name == SYSTEM else THEMES[name].title
            action = self.theme_menu.addAction(title, partial(self.set_theme, name))
            action.setCheckable(True)
            action.setData(name)
        file = self.actions_.menus[FILE]
        before = self.actions_["save"]
        self.models_menu = self.settings_strip.model
        self.recent_menu = file.addMenu("Recent")
        file.insertMenu(before, self.recent_menu)
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        self.model_menu = QMenu(self)
        self.model_menu.aboutToShow.connect(self._fill_models)
        self.settings_strip.model.setMenu(self.model_menu)

    def _status(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        self.progress.setAccessibleName("Progress")
        self.doing = QLabel()
        self.doing.setObjectName("quiet")
        self.stop_button = QToolButton()
        self.stop_button.setDefaultAction(self.actions_["cancel"])
        self.stop_button.setText("Cancel")
        self.stop_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for widget in (self.progress, self.doing, self.stop_button):
            bar.addWidget(widget)
            widget.hide()
        self.facts = QLabel()
        self.facts.setObjectName("quiet")
        self.facts.setContentsMargins(0, 0, 12, 0)
        bar.addPermanentWidget(self.facts)

    def _timers(self) -> None:
        self._busy = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._busy.timeout.connect(self._show_busy)
        self._watch = QTimer(self, interval=50)
        self._watch.timeout.connect(self._show_busy)
        self._play = QTimer(self, interval=PLAY_MS)
        self._play.timeout.connect(self._play_on)
        self._recover = QTimer(self, singleShot=True, interval=RECOVER_AFTER_MS)
        self._recover.timeout.connect(self._save_recovery)
        self._compiling = QTimer(self, interval=1000)
        self._compiling.timeout.connect(self._compiled)

    def _connect(self) -> None:
        session = self.session
        session.document_changed.connect(self.refresh)
        session.document_changed.connect(self._recover.start)
        session.answer_changed.connect(self._show_facts)
        session.stage_changed.connect(self._stage_changed)
        session.model_changed.connect(self._model_changed)
        session.message.connect(self.say)
        session.path_changed.connect(self._title)
        session.undo_stack.cleanChanged.connect(lambda _: self._title())
        session.undo_stack.canUndoChanged.connect(lambda _: self._undo_titles())
        session.undo_stack.undoTextChanged.connect(lambda _: self._undo_titles())
        session.undo_stack.redoTextChanged.connect(lambda _: self._undo_titles())
        session.parsing.busy_changed.connect(self._busy_changed)
        session.loading.busy_changed.connect(self._busy_changed)
        self.view.canvas.zoomed.connect(lambda _: self._show_facts())
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._scheme_changed)

    def _handlers(self) -> dict[str, Callable[..., None]]:
        session, view = self.session, self.view
        canvas = view.canvas
        found: dict[str, Callable[..., None]] = {
            "new": self.new_session,
            "open": self.open_dialog,
            "open-model": self.open_model_dialog,
            "save": self.save,
            "save-as": self.save_as,
            "export": self.export,
            "quit": self.leave,
            "undo": session.undo_stack.undo,
            "redo": session.undo_stack.redo,
            "copy-picture": self.copy_picture,
            "copy-tree": self.copy_tree,
            "copy-explanation": lambda: self.inspector.copy_text(),
            "copy-latex": lambda: self.inspector.copy_latex(),
            "copy-twin": lambda: self._copy(canvas.text_twin, "Picture copied as text"),
            "edit-sentence": self.edit_sentence,
            "next-sentence": lambda: session.choose(session.document.current + 1),
            "previous-sentence": lambda: session.choose(session.document.current - 1),
            "remove-sentence": lambda: session.remove_lines([session.document.current]),
            "parse-all": session.parse_all,
            "zoom-in": canvas.zoom_in,
            "zoom-out": canvas.zoom_out,
            "fit": canvas.fit,
            "actual-size": canvas.actual_size,
            "text-larger": lambda: self.scale_text(self.text_scale * 1.1),
            "text-smaller": lambda: self.scale_text(self.text_scale / 1.1),
            "text-normal": lambda: self.scale_text(1.0),
            "theme": self.next_theme,
            "reduce-motion": self.set_reduce_motion,
            "tree-beside": self._set_beside,
            "compact-tree": self._set_compact,
            "twin": lambda on: view.tabs.setCurrentIndex(TWIN if on else TABLE),
            "step-back": lambda: self.step(False),
            "step-forward": lambda: self.step(True),
            "previous-stage": lambda: session.set_stage(session.stage - 1),
            "next-stage": lambda: session.set_stage(session.stage + 1),
            "play": self.play,
            "run-to": self.run_to,
            "cancel": session.cancel,
            "wider-beam": lambda: session.set_settings(beam=float(f"{session.settings.beam * 1.5:.3g}")),
            "narrower-beam": lambda: session.set_settings(beam=max(1.1, float(f"{session.settings.beam / 1.5:.3g}"))),
            "no-beam": lambda: session.set_settings(beam=float("inf")),
            "smallest-beam": lambda: self.what_if.find_smallest_beam(),
            "punctuation-rule": lambda on: session.set_settings(punctuation_rule=on),
            "ignore-tags": lambda on: session.set_settings(ignore_tags=on),
            "tag-distribution": lambda on: session.set_settings(tag_distribution=on),
            "full-distance": lambda on: session.set_settings(distance=FULL_DISTANCE if on else ORDER_ONLY),
            "lexical": lambda on: session.set_settings(lexical=on),
            "force": lambda: self.what_if.set_selected(False),
            "forbid": lambda: self.what_if.set_selected(True),
            "lift-all": lambda: session.lift(session.line.what_ifs),
            "palette": self.open_palette,
            "tour": self.show_tour,
            "about": self.show_about,
        }
        for number in range(len(STAGES)):
            found[f"stage-{number + 1}"] = lambda _on, number=number: self.go_to(number)
        for number in PRESETS:
            found[f"preset-{number}"] = lambda _on, number=number: self.choose_preset(number)
        return found

    # Showing

    def refresh(self) -> None:
        """Show what the document says."""
        session, actions = self.session, self.actions_
        for number in PRESETS:
            actions[f"preset-{number}"].setChecked(number == session.document.preset)
        for name, on in self.settings_strip.states().items():
            actions[name].setChecked(on)
        several = len(session.document.lines) > 1
        for name in ("next-sentence", "previous-sentence"):
            actions[name].setEnabled(several)
        if several and not self._listed:
            self._listed = True
            self.list_dock.show()
        actions["lift-all"].setEnabled(bool(session.line.what_ifs))
        if len(session.line.what_ifs) > self._what_ifs:
            self.view.tabs.setCurrentIndex(WHAT_IFS)
        self._what_ifs = len(session.line.what_ifs)
        self._undo_titles()
        self._stage_changed()
        self._title()
        self._show_facts()

    _listed = False
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
        self._show_facts()

    def _title(self) -> None:
        path = self.session.path
        name = path.name if path is not None else "Parse Explorer"
        self.setWindowTitle(f"{name}[*] – Parse Explorer" if path is not None else "Parse Explorer[*]")
        self.setWindowModified(path is not None and not self.session.undo_stack.isClean())

    def _show_facts(self) -> None:
        session = self.session
        parts = [Path(session.document.model).stem or "no model", f"preset ({session.document.preset})"]
        parts.append(f"β = {beam_text(session.settings.beam)}")
        answer = session.answer
        if answer is not None:
            parts.append(f"parsed in {duration(answer.seconds)}")
            if answer.reading.unknown:
                tags = {answer.reading.tagged.tags[token] for token in answer.reading.unknown}
                parts.insert(0, f"unknown to the model: {' '.join(sorted(tags))}")
            if answer.parse.fallback:
                parts.insert(0, "no tree spans the sentence: fragments")
        if self._compiling.isActive():
            parts.insert(0, "compiling, once: slow until then")
        parts.append(f"{round(self.view.canvas.scale_factor * 100)} %")
        self.facts.setText("   ·   ".join(parts))

    def say(self, message: str, error: bool = False) -> None:
        """Say one sentence: an error over the picture, anything else in the status bar."""
        if error:
            self.view.banner.say(message)
        else:
            self.statusBar().showMessage(message, 6000)

    def _busy_changed(self) -> None:
        if self.session.parsing.busy or self.session.loading.busy:
            if not self._watch.isActive():
                self._busy.start()
        else:
            self._busy.stop()
            self._watch.stop()
            for widget in (self.progress, self.doing, self.stop_button):
                widget.hide()
        if not jit.is_compiled() and not self._compiling.isActive():
            self._compiling.start()

    def _compiled(self) -> None:
        if jit.is_compiled() or not jit.compiling():
            self._compiling.stop()
            self._show_facts()

    def _show_busy(self) -> None:
        job = self.session.loading.job or self.session.parsing.job
        if job is None:
            return
        self._watch.start()
        share = job.share
        self.progress.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.progress.setValue(round(1000 * share))
        self.doing.setText(job.stage or "Parsing …")
        for widget in (self.progress, self.doing, self.stop_button):
            widget.show()

    # Going

    def go_to(self, stage: int) -> None:
        """Show a stage; the one that is shown already stays checked."""
        self.session.chart_step = None
        self.session.set_stage(stage)
        self._stage_changed()
        self.view.canvas.setFocus()

    def step(self, forward: bool) -> None:
        """One step on or back."""
        if not self.session.step(forward):
            self.play(False)

    def play(self, on: bool) -> None:
        """Run by itself, or stop."""
        self.actions_["play"].setChecked(on)
        if on:
            self._play.start(REPLAY_MS if self.session.stage == CHART else PLAY_MS)
        else:
            self._play.stop()
        self._icons()

    def _play_on(self) -> None:
        session = self.session
        if session.stage == CHART and session.answer is not None and session.answer.parse.chart is not None:
            # A long chart is replayed in steps of many proposals, so that it takes seconds and not hours.
            length = len(session.answer.parse.chart)
            at = session.chart_step if session.chart_step is not None else 0
            following = self.view.chart_stage.cell_end(at + max(1, length // 300))
            if following < length:
                session.select(None)
                session.set_chart_step(following)
            else:
                session.chart_step = None
                session.set_stage(session.stage + 1)
        else:
            self.step(True)
        if self._play.isActive():
            self._play.setInterval(REPLAY_MS if session.stage == CHART else PLAY_MS)

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

    def _set_beside(self, on: bool) -> None:
        self.view.parse_stage.set_beside(on)
        self.view.refresh()

    def _set_compact(self, on: bool) -> None:
        self.view.parse_stage.set_compact(on)
        self.view.refresh()

    # Opening and saving

    def new_session(self) -> None:
        """An empty list of sentences under the same model and settings; it can be undone."""
        from dataclasses import replace

        self.session.change("new session", replace(self.session.document, lines=(), current=0))
        self.session.path = None
        self._title()
        self.edit_sentence()

    def open_dialog(self) -> None:
        """Choose any file."""
        name, _ = QFileDialog.getOpenFileName(self, "Open", self.preferences.text("folder"), _ALL_SUFFIXES)
        if name:
            self.open_path(name)

    def open_model_dialog(self) -> None:
        """Choose a model."""
        name, _ = QFileDialog.getOpenFileName(self, "Open model", self.preferences.text("folder"), _MODEL_SUFFIXES)
        if name:
            self.open_path(name)

    def open_path(self, path: str | Path) -> None:
        """Open a file, whatever it is: model, session, sentences or trees."""
        file = Path(path)
        self.preferences.keep("folder", str(file.parent))
        try:
            with file.open("rb") as opened:
                start = opened.read(200)
        except OSError as error:
            self.say(f"{file}: cannot be read ({error.strerror or error})", True)
            return
        if start.startswith(storage.MAGIC) or file.suffix == ".model":
            self.session.open_model(file)
            return
        if start.lstrip().startswith(b"{") and FORMAT.encode() in start:
            try:
                self.session.open(file)
            except EngineError as error:
                self.say(str(error), True)
                return
        else:
            self.session.open_text(file)
        self.preferences.add_recent("files", file)

    def save(self) -> None:
        """Write the session to its file."""
        if self.session.path is None:
            self.save_as()
        else:
            self.save_to(self.session.path)

    def save_as(self) -> None:
        """Write the session to a file to be chosen."""
        start = str(self.session.path or Path(self.preferences.text("folder")) / "session.json")
        name, _ = QFileDialog.getSaveFileName(self, "Save session", start, "Sessions (*.json)")
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write the session to a file."""
        try:
            self.session.save(path)
        except EngineError as error:
            self.say(str(error), True)
            return
        self.preferences.add_recent("files", path)
        self.say(f"Saved to {path.name}")

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for name in self.preferences.recent("files"):
            self.recent_menu.addAction(Path(name).name, partial(self.open_path, name)).setToolTip(name)
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction("Nothing yet").setEnabled(False)

    def _fill_models(self) -> None:
        menu = self.model_menu
        menu.clear()
        bundled = bundled_models()
        for name, path in bundled.items():
            menu.addAction(f"{name} (comes with the program)", partial(self.open_path, path))
        recent = [name for name in self.preferences.recent("models") if Path(name) not in bundled.values()]
        if recent and bundled:
            menu.addSeparator()
        for name in recent:
            menu.addAction(Path(name).stem, partial(self.open_path, name)).setToolTip(name)
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(self.actions_["open-model"])
        menu.addAction("About this model", self._show_model)

    def _show_model(self) -> None:
        self.model_dock.show()
        self.model_dock.raise_()

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
                self.open_path(file)
        elif data.hasText():
            self.sentence_bar.add_many(data.text())
        event.acceptProposedAction()

    # Leaving with something

    def _copy(self, text: str, said: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.say(said)

    def copy_tree(self) -> None:
        """Put the tree on the clipboard in brackets."""
        parse = self.session.parse
        if parse is not None:
            self._copy(parse.tree.pretty(), "Tree copied as brackets")

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        from explorer.leaving import copy_drawing

        if self.view.canvas.drawing is not None:
            copy_drawing(self.view.canvas.drawing, self.view.canvas.metrics, self.theme)
            self.say("Picture copied")

    def export(self) -> None:
        """Write the picture or the parse to a file."""
        from explorer.leaving import export_dialog

        export_dialog(self)

    # Looks

    @property
    def theme(self) -> Theme:
        """The theme that is shown."""
        return theme_named(self.theme_name)

    def set_theme(self, name: str) -> None:
        """Another theme."""
        self.theme_name = name
        self.preferences.keep("theme", name)
        self.apply_theme()

    def next_theme(self) -> None:
        """The next theme of the list."""
        at = THEME_ORDER.index(self.theme_name) if self.theme_name in THEME_ORDER else 0
        self.set_theme(THEME_ORDER[(at + 1) % len(THEME_ORDER)])
        title = "as the system" if self.theme_name == SYSTEM else self.theme.title.lower()
        self.say(f"Theme: {title}")

    def _scheme_changed(self) -> None:
        if self.theme_name == SYSTEM:
            self.apply_theme()

    def apply_theme(self) -> None:
        """Give everything the theme's colours and the size of type."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme = self.theme
        style.apply(application, theme, self.text_scale)
        for part in (self.view, self.inspector, self.summary, self.sentence_bar):
            part.set_theme(theme)
        self.view.canvas.set_text_scale(self.text_scale)
        for action in self.theme_menu.actions():
            action.setChecked(action.data() == self.theme_name)
        self._icons()

    def _icons(self) -> None:
        theme = self.theme
        ink, faint = theme.colour("muted"), mix(theme.colour("surface"), theme.colour("muted"), 0.4)
        for spec in SPECS:
            if spec.icon:
                name = "pause" if spec.name == "play" and self._play.isActive() else spec.icon
                self.actions_[spec.name].setIcon(icon(name, ink, faint))

    def scale_text(self, scale: float) -> None:
        """Type of another size in the whole window."""
        self.text_scale = max(style.LEAST_SCALE, min(style.MOST_SCALE, scale))
        self.preferences.keep("text-scale", self.text_scale)
        self.apply_theme()
        self.say(f"Text at {round(self.text_scale * 100)} %")

    def set_reduce_motion(self, on: bool) -> None:
        """No animation from stage to stage."""
        self.view.canvas.reduce_motion = on
        self.preferences.keep("reduce-motion", on)

    # Help

    def open_palette(self) -> None:
        """Find an action by a few letters."""
        self.palette_ = Palette([*self.actions_.all(), *self._dock_actions()], self)
        self.palette_.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.palette_.show()
        self.palette_.edit.setFocus()

    def _dock_actions(self) -> list[QAction]:
        return [dock.toggleViewAction() for dock in (self.list_dock, self.inspector_dock, self.model_dock)]

    def show_tour(self) -> None:
        """What each part of the window is for."""
        from explorer.help import TOUR

        self._box("What is here", TOUR)

    def show_about(self) -> None:
        """What this is."""
        from explorer.help import about

        self._box("About Parse Explorer", about(self.session.model, self.session.document.model))

    def _box(self, title: str, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, self)
        box.setTextFormat(Qt.TextFormat.RichText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

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
            self._listed = True
        if preferences.bytes("splitter"):
            self.view.splitter.restoreState(preferences.bytes("splitter"))
        on = preferences.flag("reduce-motion")
        self.actions_["reduce-motion"].setChecked(on)
        self.view.canvas.reduce_motion = on
        if self.theme_name not in THEME_ORDER:
            self.theme_name = SYSTEM

    def _save_recovery(self) -> None:
        try:
            self.preferences.recovery.save(self.session.document, self.session.stage)
        except EngineError as error:
            self.say(f"what you do is not kept through a crash: {error}", True)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything; nothing is asked, for nothing is lost."""
        preferences = self.preferences
        preferences.keep("geometry", self.saveGeometry())
        preferences.keep("state", self.saveState())
        preferences.keep("splitter", self.view.splitter.saveState())
        try:
            preferences.save_last(self.session.document, self.session.stage)
        except EngineError as error:
            self.statusBar().showMessage(str(error))
        self._recover.stop()
        self._play.stop()
        self._compiling.stop()
        preferences.recovery.clear()
        preferences.stored.sync()
        self.session.close()
        super().closeEvent(event)
