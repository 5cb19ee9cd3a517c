"""The middle of the window: the picture of the stage, and under it the same numbers as tables."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from engine.explain.subjects import Subject
from explorer.canvas.canvas import Canvas
from explorer.canvas.stage_picture import StagePicture
from explorer.kit.actions import GO, VIEW, Action, Choice, action, actions
from explorer.kit.appearance import appearance
from explorer.kit.docks import FoldingTabs
from explorer.kit.messages import Messages
from explorer.kit.state import listen
from explorer.panels.around_picture import Alternatives, ProblemBanner, WhatIfBanner, WhatIfs
from explorer.panels.inspector import TextGlosses
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.view_state import ViewState
from explorer.stages.chart import ChartStage
from explorer.stages.parse import ParseStage
from explorer.stages.player import Player, StageNavigator
from explorer.stages.stage import Stage, TableStage
from explorer.stages.stages import STAGES

# The canvas of the stages.


class StageCanvas(Canvas):
    """The canvas, with a context menu of what can be done with a thing."""

    def __init__(self, view: ViewState, open_menu: Callable[[Subject, QPoint], None]) -> None:
        super().__init__()
        self._view = view
        self._open_menu = open_menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the thing under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self._view.selection if keyboard else self.at(event.pos())
        if found is not None:
            self._view.select(found)
            self._open_menu(found, event.globalPos())


# The middle of the window: the picture of the stage, and under it the same numbers as tables.

TABLE_AFTER_MS = 12
TABLES_HEIGHT = 190
"""Height of the tables under the picture, until a person makes them higher or lower."""
TABLE, _ALTERNATIVES, WHAT_IFS, TWIN = range(4)


class StageView(QWidget):
    """Shows the current stage.

    Parameters
    ----------
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.

    Signals
    -------
    wanted
        A stage was gone to, whatever is in its place.
    """

    wanted = Signal()

    def __init__(self, editor: DocumentEditor, view: ViewState, parses: ParseService, messages: Messages) -> None:
        super().__init__()
        self.setObjectName("stages")
        self._editor = editor
        self._view = view
        self._parses = parses
        self.canvas = StageCanvas(view, self.open_menu)
        self.picture = StagePicture(editor, view, parses, messages, self.canvas, self)
        self.stages = self.picture.stages
        self.navigator = StageNavigator(view, parses)
        self.player = Player(view, self.navigator, self)
        self.chart_stage = self.picture.of(ChartStage)
        self.parse_stage = self.picture.of(ParseStage)
        self.banner = ProblemBanner(editor, parses)
        self.what_if_banner = WhatIfBanner(editor, parses, view)
        self.alternatives = Alternatives(parses, view)
        self.what_ifs = WhatIfs(editor, parses, view)
        self.twin = QPlainTextEdit(readOnly=True)
        self.twin.setFrameShape(QFrame.Shape.NoFrame)
        self.twin.setAccessibleName("The picture as text")
        TextGlosses(self.twin)
        self.twin.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.tabs = FoldingTabs(self.splitter, TABLES_HEIGHT)
        self.tabs.setAccessibleName("Tables under the picture")
        for widget, title in (
            (self.details, ""),
            (self.alternatives, "n best"),
            (self.what_ifs, "What-ifs"),
            (self.twin, "As text"),
        ):
            self.tabs.addTab(widget, title)
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.banner)
        above.addWidget(self.what_if_banner)
        above.addWidget(self.canvas, 1)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([500, TABLES_HEIGHT])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.splitter, 1)

        # What else a context menu offers, whatever the stage.
        self.more_choices: list[Callable[[Subject], list[Choice]]] = []
        # What a click has just opened: if it was the first of a double click, the second does not fold it again.
        self._opened: Subject | None = None
        self._filled: tuple[object, ...] = ()
        self._headline = ""
        self._forced = False
        # The picture is painted before its table is filled, so that no moment is longer than it must be.
        self._after = QTimer(self, singleShot=True, interval=TABLE_AFTER_MS)
        self._after.timeout.connect(self._fill)
        self.canvas.selected.connect(self._clicked)
        self.canvas.overview_clicked.connect(self._clicked)
        self.canvas.hovered.connect(self._view.point_at)
        self.canvas.activated.connect(self._activated)
        self.canvas.dragged.connect(lambda what, target: self.stage.drop(what, target))
        self.tabs.currentChanged.connect(lambda _: self._fill())
        self.picture.refreshed.connect(self._after.start)
        self.picture.shown.connect(self._shown)
        self._view.selection_changed.connect(self._selection_changed)
        self._view.chart_step_changed.connect(self._follow)
        self._parses.problem_changed.connect(self._problem_changed)
        editor.what_ifs_changed.connect(self._what_ifs_changed)
        appearance().digits_changed.connect(self._write_anew)
        self.refresh()

    @property
    def stage(self) -> Stage:
        """The stage that is shown."""
        return self.picture.stage

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
        """Show a stage."""
        self._view.go_to(stage)
        self.wanted.emit()
        self.canvas.setFocus()

    @action("run-to", "Run chart to …", GO, "F6", separated=True, after="play")
    def run_to(self) -> None:
        """Replay the chart up to the next constituent of a label, head-word or span."""
        self.go_to(ChartStage.name)
        self._show_detail()
        self.tabs.show_page(TABLE)
        self.chart_stage.run_field.setFocus()

    def reset_layout(self) -> None:
        """Give picture and tables the room that they had at first, and fit the picture."""
        self.tabs.set_folded(False)
        self.splitter.setSizes([self.splitter.height() - TABLES_HEIGHT, TABLES_HEIGHT])
        self.canvas.fit()

    @action("twin", "Picture as text", VIEW, "F4", checkable=True, separated=True)
    def show_twin(self, on: bool) -> None:
        """The picture as text, for reading, searching and screen readers."""
        self.tabs.setCurrentIndex(TWIN if on else TABLE)

    def refresh(self) -> None:
        """Draw the stage anew if anything that it shows has changed."""
        self.picture.refresh()

    def _write_anew(self) -> None:
        """Draw and write everything anew, also what is the same: numbers are written in another way now."""
        self._filled = ()
        self.picture.redraw()
        self._parses.parse_again()

    def _shown(self) -> None:
        if self.tabs.currentIndex() == TWIN:
            self._fill()

    @property
    def settled(self) -> bool:
        """Whether picture and table are those of the document as it is now."""
        return self.picture.settled and not self._after.isActive()

    def _fill(self) -> None:
        """Fill the table that is in sight."""
        self._show_detail()
        if self.tabs.tabText(TABLE) != self.stage.table_title:
            # Whatever it is, a title lays out the window anew.
            self.tabs.setTabText(TABLE, self.stage.table_title)
        if self.tabs.currentIndex() == TWIN and self.canvas.drawing is not None:
            # The answer first, then the picture.
            text = f"{self._headline}\n\n{self.canvas.text_twin}".strip()
            if self.twin.toPlainText() != text:
                self.twin.setPlainText(text)
        elif self.tabs.currentIndex() == TABLE:
            key = self._table_key
            if key != self._filled:
                self._filled = key
                self.stage.refresh()
            else:
                self.stage.follow()

    def _show_detail(self) -> None:
        """Show the table of the stage, which is made when the stage is first shown."""
        stage = self.stage
        if self.details.indexOf(stage.detail) < 0:
            self.details.addWidget(stage.detail)
            if isinstance(stage, TableStage):
                stage.table.menu_wanted.connect(self.open_menu)
        self.details.setCurrentWidget(stage.detail)

    @property
    def _table_key(self) -> tuple[object, ...]:
        """What makes two tables the same, but for what is marked in them."""
        result = self._parses.result
        return (self._view.stage, self._parses.shown, result and result.parse.chart, self._view.earlier)

    def _follow(self) -> None:
        """Mark in the table what is selected, or how far the replay is, at once: the next step may come soon."""
        if self.tabs.currentIndex() == TABLE and self._filled == self._table_key:
            self.stage.follow()

    def set_headline(self, text: str) -> None:
        """Begin the picture as text with what is said first about the selection."""
        self._headline = text
        if self.tabs.currentIndex() == TWIN:
            self._fill()

    def _clicked(self, id: Subject | None) -> None:
        opened = id is not None and self.stage.open_folded(id)
        opened = self.picture.look_at(id) or opened
        self._opened = id if opened else None
        self._view.select(id)

    def _activated(self, id: Subject) -> None:
        if id != self._opened:
            self.stage.activate(id)

    def _selection_changed(self) -> None:
        if not self.stage.follows_selection:
            self._follow()

    def _what_ifs_changed(self) -> None:
        """Show what is forced; the parses are followed as long as something is."""
        forced = bool(self._editor.line.what_ifs)
        if forced != self._forced:
            self._forced = forced
            show = self._show_what_ifs
            listen(forced, (self._parses.result_changed, show), (self._parses.problem_changed, show))
        self._show_what_ifs()

    def _show_what_ifs(self) -> None:
        count = len(self._editor.line.what_ifs)
        self.tabs.setTabText(WHAT_IFS, f"What-ifs ({count})" if count else "What-ifs")
        self.what_if_banner.refresh()
        self.what_ifs.refresh()

    def _problem_changed(self) -> None:
        self.banner.show_message(self._parses.problem if self._parses.result is not None else "")

    def open_menu(self, id: Subject, place: QPoint) -> None:
        """Open the menu of what can be done with a thing."""
        menu = self.menu_of(id)
        if not menu.isEmpty():
            menu.popup(place)

    def menu_of(self, id: Subject) -> QMenu:
        """Return what can be done with a thing: in this stage, and in any."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for title, call in self.stage.choices(id):
            menu.addAction(title, call)
        more = [choice for choices in self.more_choices for choice in choices(id)]
        if more and not menu.isEmpty():
            menu.addSeparator()
        for title, call in more:
            menu.addAction(title, call)
        return menu
