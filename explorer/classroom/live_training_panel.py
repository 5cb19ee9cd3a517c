"""The panel of live training: the trees, how many of them are trained on, and what the last edit changed."""

from __future__ import annotations

import html

from PySide6.QtCore import (
    QItemSelectionModel,
    QSize,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QSlider,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.classroom.live_training import LiveTraining
from explorer.classroom.live_trees_model import TreesModel
from explorer.classroom.training_changes import (
    CHANGES_HEADER,
    CHANGES_RIGHT,
    ChangeSentence,
    ability,
    change_rows,
    what_changed,
)
from explorer.document.messages import as_sentence
from explorer.document.parse_service import ParseService
from explorer.document.view_state import ViewState
from explorer.graphics.number_text import curly_quotes, duration, size
from explorer.graphics.theme import LIGHT, Theme
from explorer.widgets.buttons import text_button
from explorer.widgets.fields import Field, padded
from explorer.widgets.rows_table import RowsView

_INTRODUCTION = (
    "Train a model before everybody’s eyes: add, edit or remove a tree, and counts, F̂ and the parse follow at once. "
    "What changed is marked."
)
_NOT_YET = "Edit the treebank, and what changes for this sentence is told here."
_GROWING = "How many of the first trees are trained on: see what the parser can do after 1, 2, 5 …"
_SIZE = (336, 600)
START_PAGE, TREES_PAGE = range(2)


class LiveTrainingPanel(QWidget):
    """Shows the live treebank, and lets a person change it.

    Parameters
    ----------
    training
        The treebank and the model that follows it.
    view, parses
        What is selected when a change is clicked, and the parse that is told about.

    Signals
    -------
    wanted
        A button asks for something, by the name of its action.
    """

    wanted = Signal(str)

    def __init__(self, training: LiveTraining, view: ViewState, parses: ParseService) -> None:
        super().__init__()
        self._training = training
        self._view = view
        self._parses = parses
        self._sentences: list[ChangeSentence] = []
        self._theme = LIGHT
        self.pages = QStackedWidget()
        self.pages.addWidget(self._start_page())
        self.pages.addWidget(self._trees_page())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        training.treebank_changed.connect(self.refresh)
        training.trained.connect(self._show_state)
        training.compared.connect(self._show_changes)
        parses.result_changed.connect(self._show_state)
        parses.problem_changed.connect(self._show_state)
        self.refresh()

    # Building

    def _start_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(12, 12, 12, 12)
        text = QLabel(_INTRODUCTION)
        text.setWordWrap(True)
        layout.addWidget(text)
        layout.addSpacing(8)
        self.starts: dict[str, QPushButton] = {}
        for name, title, tip in (
            ("live-classroom", "Start with the classroom’s trees", "130 short trees that come with the program"),
            ("live-empty", "Start with an empty treebank", "See what the parser can do after 1, 2, 5 trees"),
            ("live-open", "Open a small treebank …", "A file of at most 2,000 trees in Penn brackets"),
            ("live-again", "Go on with the trees of last time", "As they were when live training last ended"),
        ):
            button = QPushButton(title)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, name=name: self.wanted.emit(name))
            self.starts[name] = button
            layout.addWidget(button)
        layout.addStretch(1)
        return page

    def _trees_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(4)
        layout.addLayout(self._head())
        layout.addWidget(self._growing())
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._list())
        splitter.addWidget(self._changes())
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        layout.addWidget(splitter, 1)
        return page

    def _head(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        self.facts = QLabel()
        self.facts.setWordWrap(True)
        self.state = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.state.setObjectName("quiet")
        self.state.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.save = QToolButton()
        self.save.setText("Save ▾")
        self.save.setToolTip("Write the trees, or the model and its trees, to a file")
        self.save.setAccessibleName(self.save.toolTip())
        self.save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.save)
        menu.addAction("Trees …", lambda: self.wanted.emit("live-save"))
        menu.addAction("Model and its trees …", lambda: self.wanted.emit("live-model"))
        self.save.setMenu(menu)
        self.stop = text_button(
            "Stop", "Go back to the model before; it can be undone", lambda: self.wanted.emit("live-stop")
        )
        self.resume = text_button("Use this model", "Parse with the model of these trees again", self._training.resume)
        for button in (self.save, self.stop, self.resume):
            row.addWidget(button)
        row.addStretch(1)
        for part in (self.facts, self.state):
            column.addWidget(part)
        column.addLayout(row)
        return column

    def _growing(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel("Trees 1 to")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.first = padded(QSpinBox())
        self.whole = QLabel()
        for part in (self.slider, self.first):
            part.setToolTip(_GROWING)
            part.setAccessibleName(_GROWING)
            part.valueChanged.connect(self._training.set_first)
        row.addWidget(label)
        row.addWidget(self.slider, 1)
        row.addWidget(self.first)
        row.addWidget(self.whole)
        return holder

    def _list(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.search = Field(placeholderText="Filter trees by their words", clearButtonEnabled=True)
        self.search.setAccessibleName("Filter trees by their words")
        self.search.textChanged.connect(lambda _: self._fill())
        self.model = TreesModel(self)
        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setUniformItemSizes(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setAccessibleName("Trees of the treebank")
        self.view.setMinimumHeight(72)
        self.view.doubleClicked.connect(lambda _: self.wanted.emit("live-edit"))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.empty = QLabel("No tree yet. Add the parse that is shown, or type one.")
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        buttons = QGridLayout()
        buttons.setSpacing(4)
        self.buttons: dict[str, QToolButton] = {}
        for place, (name, title, tip) in enumerate(
            (
                ("live-add-parse", "Add parse", "The parse that is shown becomes a tree of the treebank"),
                ("live-add", "Add …", "Type a tree or a sentence, and correct it"),
                ("live-edit", "Edit …", "Change the selected tree: drag in its picture, or type its brackets"),
                ("live-remove", "Remove", "Take the selected trees out"),
            )
        ):
            button = text_button(title, tip, lambda name=name: self.wanted.emit(name))  # type: ignore[misc]
            self.buttons[name] = button
            buttons.addWidget(button, 0, place)
        buttons.setColumnStretch(4, 1)
        column.addWidget(self.search)
        column.addWidget(self.empty)
        column.addWidget(self.view, 1)
        column.addLayout(buttons)
        return holder

    def _changes(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        self.tabs = QTabWidget()
        self.told = QTextBrowser()
        self.told.setFrameShape(QFrame.Shape.NoFrame)
        self.told.setOpenLinks(False)
        self.told.setAccessibleName("What changed")
        self.told.anchorClicked.connect(self._clicked)
        self.table = RowsView(CHANGES_HEADER, CHANGES_RIGHT, 0, "Counts before and now")
        self.table.chosen.connect(self._view.select)
        self.tabs.addTab(self.told, "What changed")
        self.tabs.addTab(self.table, "Counts")
        self.against = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.against.setObjectName("quiet")
        self.against.setWordWrap(True)
        self.pin = text_button(
            "Compare with this from now on",
            "Changes are told against the model as it is now, and not against the one before the last edit",
            lambda: self.wanted.emit("live-pin"),
        )
        column.addWidget(self.tabs, 1)
        column.addWidget(self.against)
        column.addWidget(self.pin)
        return holder

    # Showing

    def sizeHint(self) -> QSize:
        """Leave most of the window to the picture."""
        return QSize(*_SIZE)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = theme
        self._show_changes()

    @property
    def selected(self) -> list[int]:
        """The places of the trees that are selected."""
        return sorted(self.model.shown[index.row()] for index in self.view.selectionModel().selectedRows())

    def select(self, at: int) -> None:
        """Select a tree, if it is shown."""
        if at in self.model.shown:
            index = self.model.index(self.model.shown.index(at))
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def refresh(self) -> None:
        """Show the treebank as it is now."""
        treebank = self._training.treebank
        self.pages.setCurrentIndex(START_PAGE if treebank is None else TREES_PAGE)
        self.starts["live-again"].setVisible(self._training.kept is not None)
        if treebank is None:
            return
        for part in (self.slider, self.first):
            part.blockSignals(True)
            part.setRange(0, len(treebank.trees))
            part.setValue(len(treebank.used))
            part.blockSignals(False)
        self.whole.setText(f"of {len(treebank.trees):,}")
        self._fill()
        self._show_state()
        self._show_changes()

    def _fill(self) -> None:
        treebank = self._training.treebank
        if treebank is None:
            return
        chosen, before = self.selected, len(self.model.trees)
        self.model.set_trees(treebank.trees, len(treebank.used), self.search.text())
        # A tree that was added is shown; else what was selected stays so.
        wanted = len(treebank.trees) - 1 if len(treebank.trees) == before + 1 else (chosen[0] if chosen else -1)
        self.select(min(wanted, len(treebank.trees) - 1))
        self.empty.setVisible(not treebank.trees)
        self._enable()

    def _enable(self) -> None:
        count = len(self.view.selectionModel().selectedRows())
        self.buttons["live-edit"].setEnabled(count == 1)
        self.buttons["live-remove"].setEnabled(count > 0)

    def _show_state(self) -> None:
        training, treebank, result = self._training, self._training.treebank, self._parses.result
        if treebank is None:
            return
        facts = f"<b>{html.escape(treebank.name)}</b>: {size(len(treebank.trees), 'tree')}"
        if training.live and training.model is not None:
            facts += f", trained in {duration(training.seconds)}"
        self.facts.setText(facts)
        self.resume.setVisible(not training.live)
        self.buttons["live-add-parse"].setEnabled(result is not None and bool(result.parse.sentence.positions))
        if not training.live:
            self.state.setText("The window uses another model; these trees wait.")
        elif training.problem:
            self.state.setText(as_sentence(training.problem))
        elif self._parses.problem:
            self.state.setText(as_sentence(curly_quotes(self._parses.problem)))
        elif result is not None and result.request.model is training.model and result.parse.sentence.positions:
            self.state.setText(ability(result))

    def _show_changes(self) -> None:
        earlier, pinned = self._view.earlier, self._training.pinned_trees
        self._sentences = what_changed(earlier) if earlier is not None else []
        self.table.set_rows(change_rows(earlier) if earlier is not None else [])
        link = f"color: {self._theme.colour('ink')}; text-decoration: none"
        items = [
            f'<a href="{number}" style="{link}">{html.escape(one.text)}</a>' if one.id else html.escape(one.text)
            for number, one in enumerate(self._sentences)
        ]
        self.told.setHtml("".join(f"<p style='margin: 4px 0'>• {item}</p>" for item in items) or f"<p>{_NOT_YET}</p>")
        before = "the model before the last edit" if pinned is None else f"the model of {size(pinned, 'tree')}"
        self.against.setText(f"Against {before}")
        self.pin.setText("Compare with this from now on" if pinned is None else "Compare with the last edit")

    def _clicked(self, url: QUrl) -> None:
        self._view.select(self._sentences[int(url.toString())].id)
