"""The gold tree by hand: drag a constituent to where it belongs, relabel, add and remove brackets, undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes
from engine.common.errors import EngineError
from engine.explain.parses import score_text
from engine.explain.subjects import NodeId, PunctuationId, Subject, WordId
from engine.patterns.search import Found
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import Tree
from explorer.canvas.canvas import Canvas
from explorer.kit.fonts import SharedMetrics
from explorer.kit.messages import Messages, as_sentence, error_text
from explorer.kit.tasks import Job, Worker
from explorer.panels.gold_trees import LABELS, Path, attach, bracket, gold_parse, ids, node_at, relabel, unbracket, walk
from explorer.pictures.drawing import Drawing, Grip
from explorer.pictures.facts import facts_of
from explorer.pictures.folding import Span, hides
from explorer.pictures.layout import Room
from explorer.pictures.marks import found_ids
from explorer.pictures.options import TreeOptions
from explorer.pictures.sheet import message_picture
from explorer.pictures.tree import tree_picture
from explorer.session.document import gold_of
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.parsing import ParseResult, ParserPool
from explorer.session.view_state import ViewState

# The canvas of a gold tree: what is folded opens around what is selected, and every node has a menu.


class GoldCanvas(Canvas):
    """Shows a gold tree.

    Attributes
    ----------
    focus
        Words that are looked at, by first position and the one after the last: a long tree is open around them.
    """

    menu_wanted = Signal(object, QPoint)
    """The node under the mouse or the selected one, and where on the screen its menu is wanted."""
    delete_pressed = Signal()
    focus_changed = Signal()
    """Something else is looked at: the tree is to be folded anew."""

    def __init__(self) -> None:
        super().__init__()
        self.focus: tuple[Span, ...] = ()
        # What a click has just opened: if it was the first of a double click, the second only looks at it.
        self._opened: Subject | None = None

    def forget_focus(self) -> None:
        """Look at nothing in particular: another sentence is shown."""
        self.focus = ()

    def look_at(self, id: Subject | None) -> None:
        """Open what is folded around a thing, or is folded itself."""
        folded = self.drawing.folded if self.drawing is not None else ()
        match id:
            case NodeId(start, end) if start < end:
                span = (start, end)
            case WordId(position):
                span = (position, position + 1)
            case _:
                return
        if any(hides(one, [span]) for one in folded):
            self.focus = (span,)
            self._opened = id
            self.focus_changed.emit()
        else:
            self._opened = None

    def has_just_opened(self, id: Subject | None) -> bool:
        """Return whether the last click opened this."""
        return id is not None and id == self._opened

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the node under the mouse, or of the one that is selected."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        found = self.selection if keyboard else self.at(event.pos())
        if found is not None:
            self.menu_wanted.emit(found, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes a bracket away."""
        if event.matches(QKeySequence.StandardKey.Delete):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


# The gold tree by hand: drag a constituent to where it belongs, relabel, add and remove brackets, undo.

_TARGETS = (NodeId,)
_MOVABLE = (NodeId, WordId, PunctuationId)
_EMPTY = (
    "No gold tree",
    "Take this parse for gold and change it, paste a bracketed tree, or open a treebank.",
)


class TreeEditor(QWidget):
    """Shows the gold tree of the sentence and lets a person change it.

    Parameters
    ----------
    editor
        The document, in which every change is one that can be undone.
    view, parses, messages
        The view state, the parses, and where messages are shown.
    """

    def __init__(self, editor: DocumentEditor, view: ViewState, parses: ParseService, messages: Messages) -> None:
        super().__init__()
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._painter = Worker("draw gold tree", newest_only=True, parent=self)
        self.canvas = GoldCanvas()
        self.canvas.setToolTip("Drag a constituent onto the one that it belongs to; a double click relabels it")
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self._parsers = ParserPool()
        self._drawn: object = None
        self._read: tuple[str, Tree | None] = ("", None)
        self._words = self._shown = tuple[str, ...]()
        self._last: tuple[str, ParseResult, Parse] | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(4, 2, 8, 0)
        self.note = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.note.setObjectName("quiet")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(12, 0, 8, 2)
        self.buttons: dict[str, QToolButton] = {}
        for name, title, tip, call in (
            ("take", "Take this parse for gold", "The parse that is shown becomes the gold tree", self.take_parse),
            ("relabel", "Relabel …", "Another label of a constituent, or another tag of a word", self.ask_label),
            ("attach", "Attach to …", "Attach what is selected elsewhere; so does dragging it", self.ask_parent),
            ("bracket", "Add bracket …", "A new bracket around what is selected", self.ask_bracket),
            ("remove", "Remove bracket", "What the bracket holds takes its place (Delete)", self.remove_bracket),
        ):
            button = QToolButton()
            button.setText(title)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, call=call: call())
            self.buttons[name] = button
            head.addWidget(button)
        head.addStretch(1)
        layout.addLayout(head)
        layout.addWidget(self.note)
        layout.addWidget(self.canvas, 1)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self.canvas.selected.connect(self._selected)
        self.canvas.overview_clicked.connect(self.select)
        self.canvas.activated.connect(self._activated)
        self.canvas.menu_wanted.connect(self._open_menu_of)
        self.canvas.delete_pressed.connect(self.remove_bracket)
        self.canvas.focus_changed.connect(self._later.start)
        self.canvas.room_changed.connect(self._later.start)
        self.canvas.dragged.connect(self._dropped)
        self._parses.result_changed.connect(self._later.start)
        self._editor.document_changed.connect(self._later.start)
        self._view.found_changed.connect(self._later.start)
        self._view.selection_changed.connect(self._selection_changed)
        self.refresh()

    @property
    def tree(self) -> Tree | None:
        """The gold tree of the sentence, as the document has it: the parse of the last change may be still to come."""
        text = self._editor.line.text
        if self._read[0] != text:
            self._read = (text, gold_of(text))
        return self._read[1]

    @property
    def settled(self) -> bool:
        """Whether the picture is that of the gold tree as it is now."""
        return not self._later.isActive() and not self._painter.busy

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the tree, which is not drawn while the editor is hidden."""
        super().showEvent(event)
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop drawing."""
        super().hideEvent(event)
        self._later.stop()

    # Showing

    def refresh(self) -> None:
        """Draw the gold tree, if it has changed."""
        tree, result = self.tree, self._parses.result
        for name, button in self.buttons.items():
            button.setVisible((tree is None) == (name == "take"))
        self.buttons["take"].setEnabled(result is not None)
        if tree is None or result is None or not result.parse.sentence.positions:
            self.note.setText("")
            self._drawn = None
            self.canvas.show(message_picture(*_EMPTY, self._metrics))
            return
        words = tuple(tree.words())
        if words != self._words:
            self._words = words
            self.canvas.forget_focus()
        room, focus, found = self.canvas.room, self.canvas.focus, self._view.found
        key = (tree.brackets(), result.request.model, result.request.settings, room, focus, found)
        self._enable()
        if key == self._drawn or not self.isVisible():
            return
        self._drawn = key

        def work(job: Job) -> tuple[Drawing, str]:
            return self._draw(result, tree, room, focus, found)

        self._painter.request(work, self._show, self._failed)

    def _scored(self, result: ParseResult, tree: Tree) -> Parse:
        """Return the gold tree as a parse; the last one is kept, for it is folded in many ways."""
        brackets, request, reading = tree.brackets(), result.request, result.reading
        if self._last is None or self._last[0] != brackets or self._last[1] is not result:
            parser = self._parsers.parser(request.model, request.settings)
            same = isinstance(reading.sentence, TagDistribution) and list(reading.tagged.words) == tree.words()
            held = reading.sentence if same and isinstance(reading.sentence, TagDistribution) else None
            self._last = (brackets, result, gold_parse(parser, tree, held))
        return self._last[2]

    def _draw(
        self, result: ParseResult, tree: Tree, room: Room, focus: tuple[Span, ...], found: Found | None
    ) -> tuple[Drawing, str]:
        parse = self._scored(result, tree)
        options = TreeOptions(focus=focus, found=found_ids(facts_of(parse), found))
        drawing = tree_picture(parse, self._metrics, options, room=room)
        grips: dict[Subject, Grip] = {
            area.id: Grip(area.bounds.centre, _TARGETS, area.id)
            for area in drawing.areas
            if isinstance(area.id, _MOVABLE) and area.id in ids(tree)
        }
        impossible = parse.log_probability == float("-inf")
        note = "The model gives this tree no probability" if impossible else score_text(parse)
        return replace(drawing, grips=grips, title="Gold tree", tallest=0.0), note

    def _show(self, drawn: tuple[Drawing, str]) -> None:
        drawing, note = drawn
        stay = self._shown == self._words
        self._shown = self._words
        self.canvas.show(drawing, stay=stay)
        self.canvas.select(self._view.selection)
        self.note.setText(note)
        self._enable()

    def _failed(self, error: Exception) -> None:
        self.note.setText(error_text(error))

    def _selection_changed(self) -> None:
        self.canvas.look_at(self._view.selection)
        self.canvas.select(self._view.selection)

    def _selected(self, id: Subject | None) -> None:
        self.canvas.look_at(id)
        self._view.select(id)
        self._enable()

    def select(self, id: Subject) -> None:
        """Select a node or a word."""
        self._view.select(id)
        self.canvas.select(id)
        self._enable()

    @property
    def path(self) -> Path | None:
        """Where the selected node is in the tree."""
        tree = self.tree
        return ids(tree).get(self.canvas.selection) if tree is not None and self.canvas.selection is not None else None

    def _enable(self) -> None:
        path, tree = self.path, self.tree
        word = path is not None and tree is not None and node_at(tree, path).word is not None
        self.buttons["relabel"].setEnabled(path is not None)
        self.buttons["bracket"].setEnabled(path is not None)
        self.buttons["attach"].setEnabled(bool(path))
        self.buttons["remove"].setEnabled(path is not None and not word)

    # Changing

    def take_parse(self) -> None:
        """The parse that is shown becomes the gold tree."""
        parse = self._parses.shown
        if parse is None or not parse.sentence.positions:
            self._messages.show("There is no parse to take for gold yet")
        else:
            self._change("taking a parse for gold", lambda tree: parse.tree, parse.tree)

    def _change(self, title: str, edit: Callable[[Tree], Tree], tree: Tree | None = None) -> None:
        tree = tree or self.tree
        if tree is None:
            return
        try:
            changed = edit(tree)
        except EngineError as error:
            self._messages.show(as_sentence(str(error)), True)
            return
        # The words stay, so what is forced on them still means the same.
        self._editor.change(title, self._editor.document.with_line(replace(self._editor.line, text=changed.brackets())))

    def relabel(self, path: Path, label: str) -> None:
        """Give a constituent another label, or a word another tag."""
        self._change("relabelling in the gold tree", lambda tree: relabel(tree, path, label))

    def attach(self, what: Path, target: Path, adjoin: bool | None = None) -> None:
        """Attach a constituent elsewhere."""
        self._change("attaching in the gold tree", lambda tree: attach(tree, what, target, adjoin))

    def add_bracket(self, first: Path, last: Path, label: str) -> None:
        """Put a bracket around siblings."""
        self._change("a bracket in the gold tree", lambda tree: bracket(tree, first, last, label))

    def remove_bracket(self) -> None:
        """Take the selected bracket away; what it holds stays."""
        path = self.path
        if path is not None:
            self._change("removing a bracket of the gold tree", lambda tree: unbracket(tree, path))

    def _dropped(self, what: Subject, target: Subject) -> None:
        tree = self.tree
        found = ids(tree) if tree is not None else {}
        if what in found and target in found:
            self.attach(found[what], found[target])

    # Asking

    def _activated(self, id: Subject) -> None:
        if not self.canvas.has_just_opened(id):
            self.ask_label()

    def ask_label(self) -> None:
        """Ask for another label of what is selected."""
        tree, path = self.tree, self.path
        if tree is None or path is None:
            return
        node = node_at(tree, path)
        model = self._parses.model
        known = sorted(model.vocabulary.tags) if node.word is not None and model is not None else list(LABELS)
        label = self._ask(
            "Relabel", f"{'Tag' if node.word is not None else 'Label'} of ‘{_words(node)}’", known, node.label
        )
        if label:
            self.relabel(path, label)

    def ask_bracket(self) -> None:
        """Ask for the label of a new bracket around what is selected and, if wanted, what follows it."""
        tree, path = self.tree, self.path
        if tree is None or path is None:
            return
        label = self._ask(
            "Add bracket", f"Label of a bracket around ‘{_words(node_at(tree, path))}’", list(LABELS), "NP"
        )
        if label:
            self.add_bracket(path, path, label)

    def ask_parent(self) -> None:
        """Ask where to attach what is selected, among the places that keep the order of words."""
        tree, path = self.tree, self.path
        if tree is None or not path:
            return
        places = self.parents(path)
        if not places:
            self._messages.show("There is nowhere else to attach it without crossing branches")
            return
        title = self._ask(
            "Attach", f"Attach ‘{_words(node_at(tree, path))}’ to", list(places), next(iter(places)), False
        )
        if title in places:
            self.attach(path, places[title])

    def parents(self, what: Path) -> dict[str, Path]:
        """Constituents to which a node can be attached, by what to call them."""
        tree = self.tree
        found: dict[str, Path] = {}
        if tree is None:
            return found
        for path, node, _, _ in walk(tree):
            if node.word is None:
                try:
                    attach(tree, what, path)
                except EngineError:
                    continue
                found.setdefault(f"{node.label}: {_words(node)}", path)
        return found

    def _ask(self, title: str, text: str, choices: list[str], current: str, editable: bool = True) -> str:
        if current not in choices:
            choices = [current, *choices]
        answer, good = QInputDialog.getItem(self, title, text, choices, choices.index(current), editable)
        return str(answer).strip() if good else ""

    def _open_menu_of(self, id: Subject, place: QPoint) -> None:
        self.select(id)
        self.open_menu(place)

    def open_menu(self, place: QPoint) -> QMenu:
        """Open the menu of what can be done with what is selected."""
        menu = QMenu(self)
        tree, path = self.tree, self.path
        if tree is None or path is None:
            return menu
        node = node_at(tree, path)
        menu.addAction("Relabel …", self.ask_label)
        menu.addAction("Add bracket …", self.ask_bracket)
        if path:
            inner = menu.addMenu("Bracket with")
            parent = node_at(tree, path[:-1])
            for at, sibling in enumerate(parent.children):
                if at != path[-1]:
                    title = f"{'…' if abs(at - path[-1]) > 1 else ''} {sibling.label}: {_words(sibling)}".strip()
                    inner.addAction(title, lambda at=at: self._ask_pair(path, (*path[:-1], at)))  # type: ignore[misc]
            inner.setEnabled(not inner.isEmpty())
        if node.word is None:
            menu.addAction("Remove bracket", self.remove_bracket)
        if path:
            inner = menu.addMenu("Attach to")
            for title, target in self.parents(path).items():
                inner.addAction(title, lambda target=target: self.attach(path, target))  # type: ignore[misc]
            inner.setEnabled(not inner.isEmpty())
        menu.popup(place)
        return menu

    def _ask_pair(self, first: Path, last: Path) -> None:
        label = self._ask("Add bracket", "Label", list(LABELS), "NP")
        if label:
            self.add_bracket(first, last, label)


def _words(node: Tree) -> str:
    words = " ".join(node.words())
    return curly_quotes(words if len(words) <= 60 else words[:58] + "…")
