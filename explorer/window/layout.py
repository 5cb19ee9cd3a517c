"""Where the bars and panels of the window stand, and its middle: the stages, or in their place the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QLayout, QMainWindow, QStackedWidget, QToolBar, QWidget

from explorer.compare.controller import ComparisonController
from explorer.kit.actions import NamedActions
from explorer.kit.docks import DockTitle, PanelToggle, ScrollStrip
from explorer.panels.settings import SettingsStrip
from explorer.panels.stage_view import StageView
from explorer.session.preferences import Preferences
from explorer.session.session import Session
from explorer.stages.player import StageStrip
from explorer.window.features import Features, Panels
from explorer.window.status_bar import StatusBar

# The middle of the window: the stages, or in their place the comparison.

_LEAST_PICTURE = 200
"""Where a panel below leaves a picture less height than this, the tables under the picture fold away."""


class Workspaces(QStackedWidget):
    """Shows one workspace at a time, each with the whole room."""

    def __init__(self, stages: StageView, comparison: ComparisonController) -> None:
        super().__init__()
        self._stages = stages
        self._comparison = comparison
        self.addWidget(stages)
        self.addWidget(comparison.workspace)
        comparison.workspace_wanted.connect(self.show_comparison)
        self._folded_for_panel = False
        self._make_room_later = QTimer(self, singleShot=True, interval=0)
        self._make_room_later.timeout.connect(self._make_room)
        comparison.errors_dock.visibilityChanged.connect(self._panel_below)

    @property
    def compares(self) -> bool:
        """Whether the comparison is shown."""
        return self.currentWidget() is self._comparison.workspace

    def show_comparison(self, shown: bool) -> None:
        """Show the comparison, or the stages again."""
        if shown == self.compares:
            return
        self.setCurrentWidget(self._comparison.workspace if shown else self._stages)
        (self._comparison.workspace if shown else self._stages.canvas).setFocus()

    def _panel_below(self, shown: bool) -> None:
        """Fold the tables where the panel below leaves no room for the picture, and unfold them when it goes."""
        if shown:
            # Once the window has given every part its place.
            self._make_room_later.start()
        elif self._folded_for_panel and self._comparison.errors_dock.isHidden():
            self._folded_for_panel = False
            self._stages.tabs.set_folded(False)

    def _make_room(self) -> None:
        tabs, picture = self._stages.tabs, self._stages.canvas
        if picture.isVisible() and picture.height() < _LEAST_PICTURE and not tabs.folded:
            self._folded_for_panel = True
            tabs.set_folded(True)


# Where the bars and panels of the window stand.

SIDE_ACTIONS = (
    ("open", "save"),
    ("undo", "redo"),
    ("copy-picture", "export"),
    ("zoom-in", "zoom-out", "fit", "actual-size"),
    ("palette",),
)
"""The actions at the left side, in groups."""
_FRAME = (8, 40)
"""What a desktop's frame and title bar take at most."""
_LIST_WIDTH, _INSPECTOR_WIDTH = 264, 384
_DOCK_KEYS = ("F2", "F3", "F7")
_FIRST_SIZE, _LEAST_SIZE = (1280, 800), (480, 320)


def first_size(available: QSize) -> QSize:
    """How large the window is at the first start: never larger, with its frame, than the screen has room for."""
    return QSize(*_FIRST_SIZE).boundedTo(available - QSize(*_FRAME))


class Docks(NamedTuple):
    """The panels that every window has around the stages, in the order of the menu."""

    sentences: QDockWidget
    inspector: QDockWidget
    model: QDockWidget


class Bars:
    """The bars of a window: those of the sentence, the settings and the stages on top, tools at the side, the status.

    Attributes
    ----------
    settings, stages, status
        What is in them; the bar of the sentence is a panel.
    """

    def __init__(self, window: QMainWindow, session: Session, panels: Panels, actions: NamedActions) -> None:
        self.settings = SettingsStrip(session.editor, session.messages, actions)
        self.stages = StageStrip(session.view, session.parses, panels.stages.navigator, actions)
        add_top_bars(window, panels.sentence_bar, self.settings, self.stages)
        add_side_bar(window, actions)
        window.statusBar().setSizeGripEnabled(False)
        self.status = StatusBar(
            window.statusBar(),
            session.editor,
            session.parses,
            session.statuses,
            session.tasks,
            panels.stages.canvas,
            actions["cancel"],
        )
        panels.stages.player.show_in(actions["play"])


def add_top_bars(window: QMainWindow, sentence: QWidget, settings: QWidget, stages: QWidget) -> None:
    """Put the bars of the sentence, the settings and the stages on top of the window, each in a row of its own."""
    rows = (("sentence", sentence), ("settings", ScrollStrip(settings)), ("stages", ScrollStrip(stages)))
    for name, widget in rows:
        bar = QToolBar(name.capitalize())
        bar.setObjectName(name)
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.toggleViewAction().setEnabled(False)
        bar.addWidget(widget)
        window.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)


def add_side_bar(window: QMainWindow, actions: NamedActions, groups: Sequence[Sequence[str]] = SIDE_ACTIONS) -> None:
    """Put buttons for the most frequent actions at the left side of the window."""
    side = QToolBar("Tools")
    side.setObjectName("side")
    side.setMovable(False)
    for place, group in enumerate(groups):
        if place:
            side.addSeparator()
        for name in group:
            side.addAction(actions[name])
    window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, side)


def add_docks(window: QMainWindow, panels: Panels, features: Features) -> Docks:
    """Put the panels around the stages; all but the inspector are hidden until they are wanted."""

    def dock(title: str, name: str, widget: QWidget) -> QDockWidget:
        made = QDockWidget(title, window)
        made.setObjectName(name)
        made.setWidget(widget)
        DockTitle(made)
        return made

    left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
    docks = Docks(
        dock("Sentences", "sentences", panels.sentences),
        dock("Inspector", "inspector", panels.inspector),
        dock("Model", "model", panels.summary),
    )
    window.addDockWidget(left, docks.sentences)
    window.addDockWidget(right, docks.inspector)
    # Before the inspector is one of several tabs, which would take what stands under it for one more.
    for feature in features:
        feature.place(window, docks.inspector)
    window.addDockWidget(right, docks.model)
    window.tabifyDockWidget(docks.inspector, docks.model)
    docks.model.hide()
    # To Qt a panel behind another one's tab is visible; this signal alone knows the difference.
    docks.model.visibilityChanged.connect(panels.summary.set_seen)
    docks.sentences.hide()
    arrange_docks(window, docks, features)
    return docks


def panel_toggles(window: QMainWindow, docks: Docks, features: Features) -> list[PanelToggle]:
    """Make the actions that show and hide the panels, each with its key."""
    further = [entry for feature in features for entry in feature.docks]
    return [PanelToggle(dock, keys, window) for dock, keys in (*zip(docks, _DOCK_KEYS, strict=True), *further)]


def arrange_docks(window: QMainWindow, docks: Docks, features: Features) -> None:
    """Give the panels the sizes that they have at first."""
    widths = [_LIST_WIDTH, _INSPECTOR_WIDTH]
    window.resizeDocks([docks.sentences, docks.inspector], widths, Qt.Orientation.Horizontal)
    for feature in features:
        feature.arrange(window)


class Arrangement:
    """How a person has arranged the window: kept from start to start, and undone all at once.

    Made when every bar and panel is in its first place.

    Parameters
    ----------
    window, docks, stages, features
        The window, its panels, the stages with the tables under them, and what has further panels.
    preferences
        Where the arrangement is kept.
    """

    def __init__(
        self, window: QMainWindow, docks: Docks, stages: StageView, features: Features, preferences: Preferences
    ) -> None:
        self._window = window
        self._docks = docks
        self._stages = stages
        self._features = features
        self._preferences = preferences
        self._first = window.saveState()

    def reset(self, list_shown: bool) -> None:
        """Put everything back where it was at the first start, the list beside it if there is one to show."""
        self._window.restoreState(self._first)
        self._docks.sentences.setVisible(list_shown)
        arrange_docks(self._window, self._docks, self._features)
        self._stages.reset_layout()

    def restore(self) -> bool:
        """Arrange everything as it was the last time; whether there was one."""
        window, preferences = self._window, self._preferences
        # Large type may ask for more room than there is: no part makes the window larger than the screen.
        layout = window.layout()
        assert layout is not None
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        window.setMinimumSize(*_LEAST_SIZE)
        if not window.restoreGeometry(preferences.bytes("geometry")):
            window.resize(first_size(window.screen().availableSize()))
        if preferences.bytes("splitter"):
            self._stages.splitter.restoreState(preferences.bytes("splitter"))
            self._stages.tabs.set_folded(preferences.flag("tables-folded"))
        if not preferences.bytes("state"):
            return False
        return window.restoreState(preferences.bytes("state"))

    def keep(self) -> None:
        """Remember everything for the next time."""
        tabs = self._stages.tabs
        self._preferences.keep("geometry", self._window.saveGeometry())
        self._preferences.keep("state", self._window.saveState())
        self._preferences.keep("tables-folded", tabs.folded)
        # Folded tables come back as high as they were.
        tabs.set_folded(False)
        self._preferences.keep("splitter", self._stages.splitter.saveState())
