"""The panel of live training: its trees, what the last edit changed, and one tree by hand."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import curly_quotes
from engine.common.errors import EngineError
from engine.common.numbers import duration, log_text, size, table_probability
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    RootSubject,
    counts_text,
)
from engine.explain.changes import ChangeSentence, EarlierParse, ability, finest, id_of, what_changed
from engine.model.model import Model
from engine.text.input import is_tree
from engine.trees.tree import Tree
from explorer.classroom.live_training import LiveTraining, read_one_tree
from explorer.kit.actions import Action
from explorer.kit.appearance import appearance
from explorer.kit.controls import (
    NONE,
    Field,
    holder,
    in_column,
    in_row,
    is_key_of_window,
    menu_button,
    named,
    padded,
    push_button,
    scrolled,
    split,
    text_button,
    told,
)
from explorer.kit.messages import as_sentence
from explorer.kit.tables import Row, RowsView
from explorer.kit.tasks import Worker
from explorer.panels.tree_editor import TreeEditor
from explorer.session.document import Document, TextLine, plain
from explorer.session.session import Session

# What an edit of the treebank changed for the sentence that is shown, as a table; in words: engine.explain.changes.

CHANGES_HEADER = ("what", "before", "now", "η/δ")
CHANGES_RIGHT = (1, 2)


def change_rows(earlier: EarlierParse) -> list[Row]:
    """Every factor of the parse that comes from other counts than before, the largest change first, and the sum."""
    now, before = earlier.now, earlier.before
    rows = []
    for factor, then in sorted(earlier.changed(), key=lambda pair: -abs(pair[0].probability - pair[1].probability)):
        found = finest(factor, then)
        counts = " → ".join(f"{level.eta}/{level.delta}" if level.delta else "–" for level in reversed(found or ()))
        tip = f"before {counts_text(then.levels)}\nnow {counts_text(factor.levels)}" if factor.levels else ""
        numbers = (table_probability(then.probability), table_probability(factor.probability))
        cells = (f"{factor.kind.symbol} {_short(factor)}", *numbers, counts)
        rows.append(Row(cells, id_of(factor), tip=f"{factor.what}\n{tip}".strip()))
    if before is not None:
        scores = (log_text(before.log_probability), log_text(now.log_probability))
        rows.append(Row(("log P of the best parse", *scores, ""), None, True))
    return rows


def _short(factor: Factor) -> str:
    """What a factor is about where there is little room: an arrow without its triple."""
    match factor.subject:
        case DependencySubject(modifier_word=modifier, head_word=head):
            return f"{modifier} → {head}"
        case RootSubject(word=word):
            return f"{word} → root"
    return factor.what


# The item model of the live treebank: its trees by their words.

Index = QModelIndex | QPersistentModelIndex


class TreesModel(QAbstractListModel):
    """The trees that pass the filter, by their words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: dict[int, tuple[Tree, str]] = {}
        self._used = 0
        self._waiting = QFont()
        self._waiting.setItalic(True)
        self._waiting.setPointSizeF(self._waiting.pointSizeF() * 0.85)
        self.trees: Sequence[Tree] = ()
        self.shown: list[int] = []

    def set_trees(self, trees: Sequence[Tree], used: int, wanted: str) -> None:
        """Show trees that have all wanted words, of which the first ones are used."""
        self.beginResetModel()
        # A tree that stayed keeps its words: finding them anew would take a while for two thousand.
        self._words = {id(tree): self._words.get(id(tree)) or (tree, plain(tree.brackets())) for tree in trees}
        self.trees, self._used = trees, used
        terms = wanted.casefold().split()
        self.shown = [at for at in range(len(trees)) if all(term in self.words(at).casefold() for term in terms)]
        self.endResetModel()

    def words(self, at: int) -> str:
        """The words of a tree."""
        return self._words[id(self.trees[at])][1]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many trees are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Number and words of a tree; those that are not trained on are in small italics."""
        if not index.isValid():
            return None
        at = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{at + 1}   {self.words(at)}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{at + 1} {self.words(at)}" + ("" if at < self._used else ", not trained on")
        if role == Qt.ItemDataRole.FontRole and at >= self._used:
            return self._waiting
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<pre>{html.escape(self.trees[at].pretty(70))}</pre>"
        return None


# One tree of the live treebank by hand: its picture to drag in, its brackets to type, each following the other.
#
# A plain sentence may be typed, too: it is parsed, and the parse taken for a tree to correct.

_TYPING_MS = 300
_WIDTH = 76
_HINT = "Type a tree in brackets, or a sentence: it is parsed, and you correct the parse."


class BracketsEdit(QPlainTextEdit):
    """Brackets to type, over any number of lines; what is undone is undone for picture and brackets together."""

    def event(self, event: QEvent) -> bool:
        """Leave the keys of the dialog to it."""
        if is_key_of_window(event):
            event.ignore()
            return False
        return super().event(event)


class TreeDialog(QDialog):
    """Asks for one tree.

    Parameters
    ----------
    title
        What it is about.
    text
        The tree to change, in brackets; empty for a new one.
    model
        Parses what is typed as a plain sentence, and scores the tree; ``None`` if there is none: then trees alone can
        be typed.
    parent
        The window over which it opens.

    Signals
    -------
    tree_made
        The tree, when it is to be taken.
    """

    tree_made = Signal(object)

    def __init__(self, title: str, text: str, model: Model | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.session = Session(self)
        if model is not None:
            self.session.parses.models.set_live(model)
        self.edit = BracketsEdit()
        self.edit.setUndoRedoEnabled(False)
        self.edit.setAccessibleName("The tree in brackets")
        self.edit.setPlaceholderText(_HINT)
        self.edit.setTabChangesFocus(True)
        self.tree = TreeEditor(self.session.editor, self.session.view, self.session.parses, self.session.messages)
        self.note = told(name="problem")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        parts = split(self.tree, self.edit, stretch=(3, 1))
        self.setLayout(in_column((parts, 1), self.note, self.buttons))
        for make, keys in (("createUndoAction", "Ctrl+Z"), ("createRedoAction", "Ctrl+Shift+Z")):
            action = getattr(self.session.editor.undo_stack, make)(self)
            action.setShortcut(keys)
            self.addAction(action)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._typed)
        document = Document(lines=(TextLine(_flat(text)),), live=True)
        self.session.editor.set_document(document)
        self.session.editor.document_changed.connect(self._document_changed)
        self.session.messages.posted.connect(lambda message, _: self.note.setText(as_sentence(curly_quotes(message))))
        self._document_changed()
        self.edit.textChanged.connect(self._text_changed)
        self.resize(760, 620)
        self.edit.setFocus()

    @property
    def settled(self) -> bool:
        """Whether the picture is that of what was typed."""
        return not self._typing.isActive() and not self.session.parses.busy and self.tree.settled

    def set_text(self, text: str) -> None:
        """Replace what is typed."""
        self.edit.setPlainText(text)

    def _text_changed(self) -> None:
        self._check()
        self._typing.start()

    def _typed(self) -> None:
        """Show the picture of what was typed."""
        text = _flat(self.edit.toPlainText())
        editor = self.session.editor
        if text != editor.line.text:
            editor.change("typing", editor.document.with_line(replace(editor.line, text=text, what_ifs=())))

    def _document_changed(self) -> None:
        """Show the brackets of what was changed in the picture, or undone."""
        text = self.session.editor.line.text
        if _flat(self.edit.toPlainText()) != text:
            self.edit.blockSignals(True)
            self.edit.setPlainText(_pretty(text))
            self.edit.blockSignals(False)
        self._check()

    def _tree(self) -> Tree:
        return read_one_tree(self.edit.toPlainText())

    def _check(self) -> None:
        """Say what is wrong with a tree, and let it be taken if nothing is."""
        problem, text = "", self.edit.toPlainText().strip()
        try:
            self._tree()
        except EngineError as error:
            problem = str(error)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.note.setText(as_sentence(curly_quotes(problem)) if is_tree(text) else "")

    def _take(self) -> None:
        tree = self._tree()
        self.accept()
        self.tree_made.emit(tree)

    def done(self, result: int) -> None:
        """End the threads, and close."""
        self._typing.stop()
        for worker in self.findChildren(Worker):
            worker.stop()
        self.session.close()
        super().done(result)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _pretty(text: str) -> str:
    """A tree over several lines; whatever else it is stays as it is."""
    if not is_tree(text):
        return text
    try:
        return read_one_tree(text).pretty(_WIDTH)
    except EngineError:
        return text


# The panel of live training: the trees, how many of them are trained on, and what the last edit changed.

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
    session
        What is selected when a change is clicked, and the parse that is told about.
    actions
        What its buttons do.

    Signals
    -------
    wanted
        A button asks for something, by the name of its action.
    """

    wanted = Signal(str)

    def __init__(self, training: LiveTraining, session: Session, actions: Sequence[Action]) -> None:
        super().__init__()
        self._tips = {entry.name: entry.tip for entry in actions}
        self._training = training
        self._view = session.view
        self._parses = session.parses
        self._sentences: list[ChangeSentence] = []
        self.pages = QStackedWidget()
        self.pages.addWidget(self._start_page())
        self.pages.addWidget(self._trees_page())
        self.setLayout(in_column(self.pages, margins=NONE))
        appearance().theme_changed.connect(self._show_changes)
        training.treebank_changed.connect(self.refresh)
        training.trained.connect(self._show_state)
        training.compared.connect(self._show_changes)
        self._parses.result_changed.connect(self._show_state)
        self._parses.problem_changed.connect(self._show_state)
        self.refresh()

    # Building

    def _start_page(self) -> QWidget:
        text = QLabel(_INTRODUCTION, wordWrap=True)
        self.starts: dict[str, QPushButton] = {}
        for name, title in (
            ("live-classroom", "Start with the classroom’s trees"),
            ("live-empty", "Start with an empty treebank"),
            ("live-open", "Open a small treebank …"),
            ("live-again", "Go on with the trees of last time"),
        ):
            self.starts[name] = push_button(title, self._tips[name], partial(self.wanted.emit, name))
        return holder(in_column(text, 8, *self.starts.values(), None, margins=(12, 12, 12, 12)))

    def _trees_page(self) -> QWidget:
        lists = split(self._list(), self._changes(), stretch=(1, 1))
        page = holder(in_column(self._head(), self._growing(), (lists, 1), margins=(8, 8, 8, 4), spacing=4))
        # Beside the list of sentences and over the error table there is no room for all of it.
        return scrolled(page)

    def _head(self) -> QVBoxLayout:
        self.facts = QLabel(wordWrap=True)
        self.state = told(name="quiet")
        menu = QMenu(self)
        menu.addAction("Trees …", partial(self.wanted.emit, "live-save"))
        menu.addAction("Model and its trees …", partial(self.wanted.emit, "live-model"))
        self.save = menu_button("Save ▾", "Write the trees, or the model and its trees, to a file", menu)
        self.stop = self._button("live-stop", "Stop")
        self.resume = text_button("Use this model", "Parse with the model of these trees again", self._training.resume)
        buttons = in_row(self.save, self.stop, self.resume, None, spacing=4)
        return in_column(self.facts, self.state, buttons, spacing=2)

    def _growing(self) -> QWidget:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.first = padded(QSpinBox())
        self.whole = QLabel()
        for part in (self.slider, self.first):
            part.setToolTip(_GROWING)
            part.setAccessibleName(_GROWING)
            part.valueChanged.connect(self._training.set_first)
        return holder(in_row(QLabel("Trees 1 to"), (self.slider, 1), self.first, self.whole, margins=NONE))

    def _list(self) -> QWidget:
        filtering = "Filter trees by their words"
        self.search = named(Field(placeholderText=filtering, clearButtonEnabled=True), filtering)
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
        self.empty = told("No tree yet. Add the parse that is shown, or type one.", "quiet")
        self.buttons: dict[str, QToolButton] = {}
        for name, title in (
            ("live-add-parse", "Add parse"),
            ("live-add", "Add …"),
            ("live-edit", "Edit …"),
            ("live-remove", "Remove"),
        ):
            self.buttons[name] = self._button(name, title)
        buttons = in_row(*self.buttons.values(), None, spacing=4)
        return holder(in_column(self.search, self.empty, (self.view, 1), buttons, margins=NONE, spacing=4))

    def _changes(self) -> QWidget:
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
        self.against = told(name="quiet")
        self.pin = self._button("live-pin", "Compare with this from now on")
        return holder(in_column((self.tabs, 1), self.against, self.pin, margins=(0, 4, 0, 0), spacing=2))

    def _button(self, name: str, title: str) -> QToolButton:
        """A small button for an action, under a title of its own."""
        return text_button(title, self._tips[name], partial(self.wanted.emit, name))

    # Showing

    def sizeHint(self) -> QSize:
        """Leave most of the window to the picture."""
        return QSize(*_SIZE)

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
            self.state.setText(ability(result.parse))

    def _show_changes(self) -> None:
        earlier, pinned = self._view.earlier, self._training.pinned_trees
        self._sentences = what_changed(earlier) if earlier is not None else []
        self.table.set_rows(change_rows(earlier) if earlier is not None else [])
        link = f"color: {appearance().theme.colour('ink')}; text-decoration: none"
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
