"""The evidence panel: the training sentences behind the count that was clicked."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.analysis.evidence import EXACT
from explorer.document.parse_service import ParseService
from explorer.graphics.theme import LIGHT, Theme
from explorer.knowledge.evidence_link import CountPlaces, EvidenceLink
from explorer.knowledge.evidence_sentences import SentenceDelegate, SentencesModel
from explorer.widgets.buttons import text_button

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
        self._theme = LIGHT
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.title = QLabel(textFormat=Qt.TextFormat.RichText)
        self.context, self.remark = QLabel(), QLabel()
        for label in (self.context, self.remark):
            label.setObjectName("quiet")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = QVBoxLayout()
        head.setContentsMargins(12, 8, 12, 6)
        head.setSpacing(2)
        for label in (self.title, self.context, self.remark):
            head.addWidget(label)
        layout.addLayout(head)
        self.view = SentencesView()
        self.notice = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.notice.setWordWrap(True)
        self.notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.notice.setObjectName("quiet")
        self.notice.setContentsMargins(24, 0, 24, 0)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.notice)
        self.stack.addWidget(self.view)
        layout.addWidget(self.stack, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 8, 4)
        self.source = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.source.setObjectName("quiet")
        # A long name is cut off, and its tool tip has it in full; it does not make the panel wider.
        self.source.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        foot.addWidget(self.source, 1)
        tip = "Put the chosen sentence with its gold tree into the sentence list, and parse it"
        self.add = text_button("Add to list", tip, self.put)
        self.choose = QToolButton()
        self.choose.setText("Link treebank ▾")
        self.choose.setToolTip("Name the files that the model was trained on")
        self.choose.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        links = QMenu(self.choose)
        links.addAction("Files …", lambda: self.link_wanted.emit(False))
        links.addAction("Folder …", lambda: self.link_wanted.emit(True))
        self.unlink = links.addAction("Forget what is linked", lambda: self._link.link([]))
        self.choose.setMenu(links)
        foot.addWidget(self.add)
        foot.addWidget(self.choose)
        layout.addLayout(foot)
        self.view.chosen.connect(self.put)
        self.view.doubleClicked.connect(lambda index: self.put())
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._enable())
        link.changed.connect(self.refresh)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = theme
        self.view.delegate.set_theme(theme)
        self.view.viewport().update()

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
