"""The training treebank of the model in use, and the panel of sentences behind the count that was clicked."""

from __future__ import annotations

import hashlib
import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine.explain.explanation import CountLink
from engine.model.model import Model
from engine.study.counted import EXACT, EvidenceSentence, Instances, bundled_treebanks, count_in, own_treebanks
from engine.trees.tree import Tree
from engine.trees.treebank import corpus_name
from explorer.kit.appearance import appearance
from explorer.kit.controls import NONE, in_column, in_row, menu_button, squeezed, text_button, told
from explorer.kit.messages import Messages, as_sentence, error_text
from explorer.kit.tasks import Job, TaskMonitor, Worker
from explorer.pictures.theme import Theme
from explorer.session.document import TextLine
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.preferences import LIVE_TREEBANK, Preferences

if TYPE_CHECKING:
    from engine.study.evidence import Evidence


# The training treebank of the model in use: which files it is, read once, and searched for the places of a count.

_CANCELLED = "Reading the training trees was cancelled."


@dataclass(frozen=True)
class CountPlaces:
    """The places behind one count.

    Attributes
    ----------
    link
        The count.
    evidence
        The trees in which they are.
    parts
        The places in each of its tables: one, or two where two levels are pooled.
    counted
        The number itself, as the model has it.
    remark
        A sentence that explains why the places do not simply add up to it; empty if they do.
    """

    link: CountLink
    evidence: Evidence
    parts: tuple[tuple[int, Instances], ...]
    counted: int
    remark: str

    def __len__(self) -> int:
        return sum(len(instances) for _, instances in self.parts)

    def sentence(self, index: int) -> EvidenceSentence:
        """One place as its sentence."""
        for table, instances in self.parts:
            if index < len(instances):
                return self.evidence.sentence(table, instances, index)
            index -= len(instances)
        raise IndexError(index)


def find(evidence: Evidence, link: CountLink) -> CountPlaces:
    """The places behind a count."""
    counts = evidence.model.counts
    parts = tuple((counted.table, evidence.instances(counted)) for counted in link.counted)
    whole = sum(count_in(counts, counted) for counted in link.counted)
    return CountPlaces(link, evidence, parts, whole, evidence.remark(whole, *(instances for _, instances in parts)))


def read_evidence(job: Job, model: Model, sources: Sequence[Path]) -> Evidence:
    """Read treebanks and link them to a model, in a worker."""
    # Imported when it is needed, as the browser is: the window is there sooner.
    from engine.study.evidence import Evidence, kept_trees

    names = ", ".join(source.name for source in sources)
    trees = kept_trees(
        list(sources), model.rules, lambda share: job.report(share, f"Reading {names}"), lambda: job.cancelled
    )
    job.report(None, f"Comparing {names} with the model")
    return Evidence(model, trees)


class EvidenceLink(QObject):
    """Links treebanks to models, and finds the sentences of counts; reads nothing before it is asked to.

    Signals
    -------
    changed
        What is linked, asked or found is another.
    """

    changed = Signal()

    def __init__(
        self,
        editor: DocumentEditor,
        parses: ParseService,
        preferences: Preferences,
        messages: Messages,
        tasks: TaskMonitor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parses = parses
        self._preferences = preferences
        self._messages = messages
        self._worker = Worker("evidence", newest_only=True, parent=self)
        self._reader = tasks.watch(Worker("read evidence", newest_only=True, parent=self), _CANCELLED)
        self._evidence: Evidence | None = None
        self._asked: CountLink | None = None
        self._found: CountPlaces | None = None
        self._problem = ""
        self._reading: Job | None = None
        self._parses.model_changed.connect(self._model_changed)

    @property
    def evidence(self) -> Evidence | None:
        """The training trees, once they are read."""
        return self._evidence

    @property
    def asked(self) -> CountLink | None:
        """The count whose places are wanted."""
        return self._asked

    @property
    def found(self) -> CountPlaces | None:
        """Its places, once they are found."""
        return self._found

    @property
    def problem(self) -> str:
        """Why there are none, as a sentence."""
        return self._problem

    @property
    def busy(self) -> bool:
        """Whether trees are being read or a count is being looked for."""
        return self._reading is not None or self._worker.busy

    @property
    def reading(self) -> bool:
        """Whether trees are being read."""
        return self._reading is not None

    def sources(self) -> list[Path]:
        """The treebanks of the model: those that were linked to it, or its own where they come with the program."""
        model = self._parses.model
        if model is None:
            return []
        if self._editor.document.live:
            return [path for path in (self._preferences.folder / LIVE_TREEBANK,) if path.is_file()]
        return [Path(name) for name in self._preferences.names(self._key())] or own_treebanks(model)

    def remember(self, model: str | Path, sources: Sequence[str | Path]) -> None:
        """These are the treebanks of a model that may not be open yet; nothing is read."""
        self._preferences.keep_names(self._key(model), [str(Path(source).absolute()) for source in sources])

    def _key(self, model: str | Path = "") -> str:
        """Where the treebanks of a model are remembered, of the one in use if none is named.

        Its path itself would be taken for a group of settings.
        """
        path = str(Path(model or self._editor.document.model).absolute())
        return f"treebanks/{hashlib.sha256(path.encode()).hexdigest()[:16]}"

    def link(self, sources: Sequence[str | Path]) -> None:
        """These are the treebanks of the model from now on; no sources: it has none, or those of its own."""
        if self._parses.model is None:
            self._messages.show("there is no model to link a treebank to; open one with Ctrl+M", True)
            return
        if self._editor.document.live:
            self._messages.show("the live model has its treebank already: the trees in the panel Treebank", True)
            return
        self._preferences.keep_names(self._key(), [str(Path(source).absolute()) for source in sources])
        self._forget()
        if sources or self._asked is not None:
            self._read()
        self.changed.emit()

    def add(self, sources: Sequence[str | Path]) -> None:
        """Link these treebanks, beside others of the model's where a model was counted from several.

        Those that come with the program need not be named.
        """
        model = self._parses.model
        corpora: list[str] = model.metadata.get("corpora", []) if model is not None else []
        named = {corpus_name(source): Path(source) for source in sources}
        if model is not None and set(named) <= set(corpora):
            others = [*self.sources(), *bundled_treebanks(model)]
            known = {corpus_name(source): source for source in others if corpus_name(source) in corpora} | named
            self.link([known[name] for name in dict.fromkeys(corpora) if name in known])
        else:
            self.link(list(named.values()))

    def ask(self, link: CountLink) -> None:
        """Find the sentences of a count; the treebank is read first where that has not been done."""
        self._asked = link
        self._found = None
        if self._evidence is not None:
            self._find(self._evidence, link)
        elif self._reading is None:
            self._read()
        self.changed.emit()

    def _read(self) -> None:
        model, sources = self._parses.model, self.sources()
        self._problem = ""
        if model is None or not sources:
            return

        def on_result(evidence: Evidence) -> None:
            if evidence.model is not self._parses.model:
                return
            self._evidence = evidence
            self._messages.show(evidence.match.sentence)
            if self._asked is not None:
                self._find(evidence, self._asked)

        def on_finished() -> None:
            if self._reading is job:
                self._reading = None
                if self._evidence is None and not self._problem and job.cancelled:
                    self._problem = _CANCELLED
                self.changed.emit()

        job = self._reader.request(
            lambda job: read_evidence(job, model, sources), on_result, self._failed, on_finished=on_finished
        )
        self._reading = job

    def _find(self, evidence: Evidence, link: CountLink) -> None:
        def on_result(found: CountPlaces) -> None:
            self._found = found
            self.changed.emit()

        self._worker.request(lambda job: find(evidence, link), on_result, self._failed)

    def _failed(self, error: Exception) -> None:
        self._problem = as_sentence(error_text(error))
        self.changed.emit()

    def _forget(self) -> None:
        self._reader.cancel()
        self._reading = None
        self._worker.cancel()
        self._evidence = self._found = None
        self._problem = ""

    def _model_changed(self) -> None:
        # A count belongs to the model that it was asked of.
        self._asked = None
        self._forget()
        self.changed.emit()

    def add_words(self, sentence: EvidenceSentence) -> None:
        """Put a training sentence into the sentence list without its tree, its words tagged."""
        self._editor.add_lines([TextLine(sentence.tagged(), place=sentence.place)], "adding a training sentence")

    def add_to_list(self, sentence: EvidenceSentence) -> None:
        """Put a training sentence into the sentence list with its gold tree, and show its parse."""
        source = next((one for one in self.sources() if corpus_name(one) == sentence.source), None)
        if source is None:
            self._messages.show(f"{sentence.source} is not linked to the model any more; link the treebank again", True)
            return

        def work(job: Job) -> Tree | None:
            from engine.study.evidence import find_tree

            return find_tree(source, sentence.number, sentence.words)

        def on_result(tree: Tree | None) -> None:
            if tree is None:
                self._messages.show(f"{source}: the tree is not there any more; link the treebank again", True)
            else:
                self._editor.add_lines([TextLine(str(tree), place=sentence.place)], "adding a training sentence")

        self._worker.request(work, on_result, self._failed)


# Training sentences as a list: each with the words that were counted marked in it, fetched as far as one scrolls.

Index = QModelIndex | QPersistentModelIndex
SENTENCE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
FETCHED_TOGETHER = 60
"""Sentences fetched at a time: each is laid out to find its height."""
_MARGIN, _INDENT = 6, 6
_FIRST_ROLES = ("modifier", "left")


class SentencesModel(QAbstractListModel):
    """The places of one count."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: CountPlaces | None = None
        self._fetched: list[EvidenceSentence] = []

    def show(self, found: CountPlaces | None) -> None:
        """Show the places of another count."""
        self.beginResetModel()
        self._found = found
        self._fetched = (
            [found.sentence(index) for index in range(min(FETCHED_TOGETHER, len(found)))] if found is not None else []
        )
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many sentences have been fetched."""
        return 0 if parent.isValid() else len(self._fetched)

    def canFetchMore(self, parent: Index) -> bool:
        """Whether there are more."""
        return not parent.isValid() and self._found is not None and len(self._fetched) < len(self._found)

    def fetchMore(self, parent: Index) -> None:
        """Fetch the next ones."""
        if self._found is None or not self.canFetchMore(parent):
            return
        first = len(self._fetched)
        last = min(first + FETCHED_TOGETHER, len(self._found)) - 1
        self.beginInsertRows(QModelIndex(), first, last)
        self._fetched += [self._found.sentence(index) for index in range(first, last + 1)]
        self.endInsertRows()

    def sentence(self, row: int) -> EvidenceSentence:
        """The sentence of a row."""
        return self._fetched[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sentence as text, with its words marked; as itself for the delegate."""
        if not index.isValid():
            return None
        if role == SENTENCE_ROLE:
            return self._fetched[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            sentence = self._fetched[index.row()]
            return f"{sentence.text()}\n{about(sentence)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return "Double-click to put the sentence with its gold tree into the list"
        return None


def about(sentence: EvidenceSentence) -> str:
    """What was counted in a sentence, and where it is."""
    times = f"counts {sentence.weight} times in preset (5)" if sentence.weight > 1 else ""
    return "   ·   ".join(filter(None, (sentence.outcome, sentence.place, times)))


def sentence_html(sentence: EvidenceSentence, theme: Theme) -> str:
    """A sentence as rich text: the modifier underlined, the head on a tint, a constituent in square brackets."""
    colour = theme.colour
    words = []
    for token, word in enumerate(sentence.shown_words):
        shown = html.escape(word, quote=False)
        role = sentence.marks.get(token)
        if role in _FIRST_ROLES:
            shown = f"<b style='color:{colour('accent')}'><u>{shown}</u></b>"
        elif role is not None:
            shown = f"<b style='color:{colour('ink')}; background:{colour('tint:accent')}'>&nbsp;{shown}&nbsp;</b>"
        if sentence.span is not None:
            if token == sentence.span[0]:
                shown = f"<b style='color:{colour('accent')}'>[</b>{shown}"
            if token == sentence.span[1] - 1:
                shown = f"{shown}<b style='color:{colour('accent')}'>]</b>"
        words.append(shown)
    return (
        f"<span style='color:{colour('ink')}'>{' '.join(words)}</span><br>"
        f"<span style='color:{colour('muted')}; font-size:small'>{html.escape(about(sentence), quote=False)}</span>"
    )


class SentenceDelegate(QStyledItemDelegate):
    """Paints a sentence with its words marked, as many lines as it needs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes: dict[tuple[int, int], QSize] = {}

    def forget(self) -> None:
        """Heights are other ones now: another font, width or list."""
        self._sizes.clear()

    def _document(self, sentence: EvidenceSentence, font: QFont, width: int) -> QTextDocument:
        document = QTextDocument()
        document.setDefaultFont(font)
        document.setDocumentMargin(_MARGIN)
        document.setHtml(sentence_html(sentence, appearance().theme))
        document.setTextWidth(width - _INDENT)
        return document

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the list, as high as the sentence needs then."""
        width = self._width()
        key = (index.row(), width)
        if key not in self._sizes:
            document = self._document(index.data(SENTENCE_ROLE), option.font, width)
            self._sizes[key] = QSize(width, math.ceil(document.size().height()))
        return self._sizes[key]

    def _width(self) -> int:
        widget = self.parent()
        assert isinstance(widget, QWidget)
        return widget.contentsRect().width()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the sentence, and a hairline under it."""
        painter.save()
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(appearance().theme.colour("surface")))
            painter.fillRect(rect.x(), rect.y(), 3, rect.height(), QColor(appearance().theme.colour("accent")))
        painter.setPen(QColor(appearance().theme.colour("hairline")))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.translate(rect.x() + _INDENT, rect.y())
        document = self._document(index.data(SENTENCE_ROLE), option.font, self._width())
        document.drawContents(painter, QRectF(0, 0, rect.width(), rect.height()))
        painter.restore()


# The evidence panel: the training sentences behind the count that was clicked.

_NOTICE, _LISTING = range(2)


class SentencesView(QListView):
    """The list of sentences; a double click or Enter chooses one, Ctrl+C copies one.

    Qt's own signal of activation would do on some desktops at a single click.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sentences = SentencesModel(self)
        self.setModel(self.sentences)
        self.delegate = SentenceDelegate(self.viewport())
        self.setItemDelegate(self.delegate)
        self.setObjectName("evidence-list")
        self.setAccessibleName("Training sentences")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Sentences are wrapped to the width, which must not change with how many there are.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay sentences out anew, which are as high as the width makes them."""
        if event.size().width() != event.oldSize().width():
            self.delegate.forget()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Lay sentences out anew with another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "delegate"):
            self.delegate.forget()
            self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the sentence as text, Enter chooses it."""
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy) and index.isValid():
            QGuiApplication.clipboard().setText(" ".join(self.sentences.sentence(index.row()).words))
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.chosen.emit()
            return
        super().keyPressEvent(event)


class EvidencePanel(QWidget):
    """Shows what a count counted.

    Signals
    -------
    link_wanted
        A treebank is to be linked: files, or a folder of them.
    looked_up
        The model browser is asked for a word or for two.
    """

    link_wanted = Signal(bool)
    looked_up = Signal(str)

    def __init__(self, link: EvidenceLink, parses: ParseService) -> None:
        super().__init__()
        self._link = link
        self._parses = parses
        self.title = QLabel(textFormat=Qt.TextFormat.RichText)
        self.context, self.remark = told("", "quiet"), told("", "quiet")
        for label in (self.context, self.remark):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.view = SentencesView()
        self.notice = told("", "quiet")
        self.notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.notice.setContentsMargins(24, 0, 24, 0)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.notice)
        self.stack.addWidget(self.view)
        # A long name is cut off, and its tool tip has it in full.
        self.source = squeezed(told("", "quiet"))
        tip = "Put the chosen sentence with its gold tree into the sentence list, and parse it"
        self.add = text_button("Add to list", tip, self.put)
        links = QMenu(self)
        links.addAction("Files …", lambda: self.link_wanted.emit(False))
        links.addAction("Folder …", lambda: self.link_wanted.emit(True))
        self.unlink = links.addAction("Forget what is linked", lambda: self._link.link([]))
        self.choose = menu_button("Link treebank ▾", "Name the files that the model was trained on", links)
        head = in_column(self.title, self.context, self.remark, margins=(12, 8, 12, 6), spacing=2)
        foot = in_row((self.source, 1), self.add, self.choose, margins=(12, 4, 8, 4))
        self.setLayout(in_column(head, (self.stack, 1), foot, margins=NONE, spacing=0))
        self.view.chosen.connect(self.put)
        self.view.doubleClicked.connect(lambda index: self.put())
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._enable())
        link.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what was found, or why nothing is shown."""
        link, found = self._link, self._link.found
        sources = link.sources()
        others = f" and {len(sources) - 1} more" if len(sources) > 1 else ""
        self.source.setText(f"{sources[0].name}{others}" if sources else "no treebank linked")
        self.source.setToolTip("\n".join(map(str, sources)))
        asked = link.asked
        model = self._parses.model
        if asked is not None and model is not None:
            number = f" = {found.counted:,}" if found is not None else ""
            self.title.setText(f"<b>{html.escape(asked.name)}{number}</b>")
            self.context.setText("\n".join(counted.words(model) for counted in asked.counted))
        for label in (self.title, self.context):
            label.setVisible(asked is not None)
        remark = "" if found is None else self._remark(found)
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.view.delegate.forget()
        self.view.sentences.show(found)
        nothing = "Nothing in the training trees was counted here."
        self.notice.setText(self._notice_text(bool(sources)) if found is None else nothing)
        self.stack.setCurrentIndex(_LISTING if found is not None and len(found) else _NOTICE)
        self._enable()

    def _remark(self, found: CountPlaces) -> str:
        if found.remark:
            return found.remark
        return "" if found.evidence.match.kind == EXACT else found.evidence.match.sentence

    def _notice_text(self, linked: bool) -> str:
        link = self._link
        if link.problem:
            return link.problem
        if link.reading:
            return "Reading the training trees …  (Ctrl+. cancels)"
        if link.busy:
            return "Looking …"
        if not linked:
            corpora = self._parses.model.metadata.get("corpora", []) if self._parses.model is not None else []
            named = f" ({', '.join(corpora)})" if corpora else ""
            return (
                "No training treebank is linked to this model.\n"
                f"Link the files that it was trained on{named}, and every count opens its sentences."
            )
        return "Click a count η or δ in the inspector, or double-click a row of the model browser."

    def _enable(self) -> None:
        self.add.setEnabled(self.view.currentIndex().isValid() and self._link.found is not None)

    def put(self) -> None:
        """Put the chosen sentence into the sentence list."""
        index = self.view.currentIndex()
        if index.isValid():
            self._link.add_to_list(self.view.sentences.sentence(index.row()))

    def menu(self, index: QModelIndex) -> QMenu:
        """What can be done with a sentence."""
        sentence = self.view.sentences.sentence(index.row())
        clipboard = QGuiApplication.clipboard()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Put into the sentence list", lambda: self._link.add_to_list(sentence))
        menu.addAction("Put it in without its gold tree", lambda: self._link.add_words(sentence))
        menu.addAction("Copy the sentence", lambda: clipboard.setText(" ".join(sentence.words)))
        menu.addAction("Copy with tags", lambda: clipboard.setText(sentence.tagged()))
        menu.addSeparator()
        marked = [f"{sentence.words[token]}/{sentence.tags[token]}" for token in sorted(sentence.marks)]
        for asked in (*marked, *([" ".join(marked)] if len(marked) == 2 else [])):
            menu.addAction(f"What does the model know of ‘{asked}’?", partial(self.looked_up.emit, asked))
        return menu

    def _open_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.menu(index).popup(self.view.viewport().mapToGlobal(place))
