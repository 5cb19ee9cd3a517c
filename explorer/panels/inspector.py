"""The inspector: whatever is selected, explained with the paper's formula and this sentence's numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, QUrl, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QHelpEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QTextBrowser,
    QTextEdit,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from engine.chart.parse import Parse
from engine.explain.explanation import COUNT_SCHEME, FOLD_SCHEME, FOLDED_AT_FIRST, Explanation, Paragraph, Section
from engine.explain.glosses import Gloss, column_gloss, sign_at, wrapped
from engine.explain.registry import explain
from engine.explain.subjects import Subject
from explorer.kit.actions import EDIT, action
from explorer.kit.appearance import appearance
from explorer.kit.controls import text_button
from explorer.kit.fonts import font_for
from explorer.kit.messages import Messages
from explorer.session.parse_service import ParseService
from explorer.session.preferences import Preferences
from explorer.session.view_state import ViewState

# What the signs in running text mean, over the text in which they stand.


def text_gloss(view: QTextEdit | QPlainTextEdit, place: QPoint) -> Gloss | None:
    """Return what the sign under the mouse means in running text, or the head of a table's column there."""
    cursor = view.cursorForPosition(place)
    # To the right of a line and under the last one the cursor is at their ends, and nothing is pointed at.
    if not view.cursorRect(cursor).adjusted(-16, -2, 16, 2).contains(place):
        return None
    table = cursor.currentTable()
    if table is not None and table.cellAt(cursor).row() == 0:
        cell = table.cellAt(cursor)
        words = cell.firstCursorPosition()
        words.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        # What is not to be broken has no-break spaces.
        found = column_gloss(words.selectedText().replace("\u00a0", " ").strip())
        if found is not None:
            return found
    at = cursor.positionInBlock()
    text = cursor.block().text()
    return sign_at(text, at) or sign_at(text, at - 1)


class TextGlosses(QObject):
    """Shows as a tool tip what a sign in a widget of text means."""

    def __init__(self, view: QTextEdit | QPlainTextEdit) -> None:
        super().__init__(view)
        self._view = view
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answer for the text under the mouse."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        gloss = text_gloss(self._view, event.pos())
        if gloss is None:
            QToolTip.hideText()
            return False
        QToolTip.showText(event.globalPos(), wrapped(str(gloss)), self._view.viewport())
        return True


# The inspector: whatever is selected, explained with the paper's formula and this sentence's numbers.

_EMPTY = Explanation(
    "Nothing to explain yet", "", (Paragraph("Type a sentence above.  Whatever you then click is explained here."),)
)
_SOON = Explanation("One moment …", "", (Paragraph("The parse is there; its factors are being listed."),))

_FOLDED, _CHOSEN = "inspector/folded", "inspector/folding-chosen"
"""What is remembered: the sections that are folded, and that somebody chose so."""


def _folded(preferences: Preferences | None) -> frozenset[Section]:
    """Return the sections that are folded: those of the last time."""
    if preferences is None or not preferences.flag(_CHOSEN):
        return FOLDED_AT_FIRST
    known = {section.value for section in Section}
    return frozenset(Section(name) for name in preferences.names(_FOLDED) if name in known)


LATER_MS = 60
"""Milliseconds after a result in which its picture and table come first."""


class Inspector(QWidget):
    """Explains the selection; with nothing selected, the parse and its ledger.

    Signals
    -------
    count_opened
        A count was clicked: its :class:`CountLink`.
    looked_up
        The model browser is asked for a word.
    headline_changed
        Something else is explained: what a screen reader says of it first.
    """

    count_opened = Signal(object)
    looked_up = Signal(str)
    headline_changed = Signal(str)

    def __init__(
        self, parses: ParseService, view: ViewState, messages: Messages, preferences: Preferences | None = None
    ) -> None:
        super().__init__()
        self._preferences = preferences
        self._folded = _folded(preferences)
        self._parses = parses
        self._view = view
        self._messages = messages
        self.explanation = _EMPTY
        self._focus: Subject | None = None
        self._explained: Parse | None = None
        self._crowded = False
        # What other parts of the window explain, by the kind of thing.
        self._more: dict[type, Callable[[Subject], Explanation | None]] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.view = QTextBrowser()
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setAccessibleName("Inspector")
        self.view.document().setDocumentMargin(12)
        self.view.setOpenLinks(False)
        self.view.horizontalScrollBar().rangeChanged.connect(self._range_changed)
        self.view.anchorClicked.connect(self._open)
        self.view.highlighted.connect(self._show_hint)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        TextGlosses(self.view)
        layout.addWidget(self.view, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 8, 4)
        copy = QLabel("Copy as")
        copy.setObjectName("quiet")
        foot.addWidget(copy)
        for title, tip, call in (
            ("Text", "Copy the explanation as plain text", self.copy_text),
            ("LaTeX", "Copy the explanation as LaTeX (amsmath, booktabs)", self.copy_latex),
        ):
            foot.addWidget(text_button(title, tip, call))
        foot.addStretch(1)
        layout.addLayout(foot)
        self._view.selection_changed.connect(self.refresh)
        self._view.stage_changed.connect(self._focus_changed)
        self._view.chart_step_changed.connect(self._focus_changed)
        # The picture comes first; and of results that follow each other the last is explained.
        self._later = QTimer(self, singleShot=True, interval=LATER_MS)
        self._later.timeout.connect(self._explain_when_known)
        self._parses.result_changed.connect(self._later.start)
        self._parses.ledgers_changed.connect(self._later.start)
        self._parses.busy_changed.connect(self._later.start)
        self._view.rank_changed.connect(self.refresh)
        appearance().theme_changed.connect(self._show)
        self.refresh()

    @property
    def settled(self) -> bool:
        """Whether it explains the parse that is shown."""
        return not self._later.isActive() and not self._parses.busy and self._explained is self._parses.shown

    def _explain_when_known(self) -> None:
        """Explain another result as soon as its ledgers are there."""
        result, parse = self._parses.result, self._parses.shown
        if result is not None and parse is not None:
            known = parse.has_ledger and result.has_all_ledgers
            # The parse's headline compares ledgers; made here, those of a long sentence would hold up the window.
            if not known and self._parses.busy:
                if self.explanation is _EMPTY:
                    self.explanation = _SOON
                    self._show()
                return
        if parse is not self._explained:
            self.refresh()

    def also_explain(
        self, explains: Mapping[type[Subject], Callable[[Subject], Explanation | None]], changed: SignalInstance
    ) -> None:
        """Ask another part of the window about things of these kinds, and again when what it says has changed."""
        self._more.update(explains)
        changed.connect(self._refresh_others)

    def _explained_elsewhere(self) -> Explanation | None:
        """Return what another part of the window says of the selection."""
        focus = self._view.focus
        explain = self._more.get(type(focus)) if focus is not None else None
        return explain(focus) if explain is not None and focus is not None else None

    def _refresh_others(self) -> None:
        if type(self._view.focus) in self._more:
            self.refresh()

    def refresh(self) -> None:
        """Explain what is selected now."""
        self._later.stop()
        result, parse = self._parses.result, self._parses.shown
        if (page := self._explained_elsewhere()) is not None:
            self._focus, self.explanation = self._view.focus, page
        elif result is None or parse is None or not parse.sentence.positions:
            self.explanation = _EMPTY
        else:
            self._focus = self._view.focus
            self.explanation = explain(result.context(parse), self._focus)
        self._explained = parse
        self._show()
        self.view.setAccessibleDescription(self.explanation.spoken)
        self.headline_changed.emit(self.explanation.spoken)

    def _focus_changed(self) -> None:
        if self._view.focus != self._focus:
            self.refresh()

    def _show(self) -> None:
        self._crowded = False
        self._write()
        if self._overflows:
            self._crowd()

    def _write(self) -> None:
        ink, muted, hairline, accent = map(appearance().theme.colour, ("ink", "muted", "hairline", "accent"))
        html = self.explanation.html(ink, muted, hairline, accent, unbroken=not self._crowded, folded=self._folded)
        self.view.document().setDefaultFont(font_for(html, self.view.font()))
        self.view.setHtml(html)

    @property
    def _overflows(self) -> bool:
        return self.view.document().size().width() > self.view.viewport().width()

    def _crowd(self) -> None:
        """Break numbers and short words, for which there is too little room."""
        self._crowded = True
        place = self.view.verticalScrollBar().value()
        self._write()
        self.view.verticalScrollBar().setValue(place)

    def _range_changed(self, least: int, most: int) -> None:
        if most > least and not self._crowded:
            self._crowd()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write the explanation anew: what was broken may have room now."""
        super().resizeEvent(event)
        if self._crowded and event.size().width() > event.oldSize().width():
            self._show()

    def fold(self, section: Section) -> None:
        """Fold the sections of a kind, on every page from now on, or unfold them."""
        self._folded ^= {section}
        if self._preferences is not None:
            self._preferences.keep_names(_FOLDED, sorted(self._folded))
            self._preferences.keep(_CHOSEN, True)
        place = self.view.verticalScrollBar().value()
        self._show()
        self.view.verticalScrollBar().setValue(place)

    def _open(self, address: QUrl) -> None:
        if address.scheme() == FOLD_SCHEME:
            self.fold(Section(address.path()))
        if address.scheme() == COUNT_SCHEME:
            self.count_opened.emit(self.explanation.links[int(address.path())])
            # The panel that opens below must not cover what was clicked.
            QTimer.singleShot(0, self.view.ensureCursorVisible)

    def _show_hint(self, address: QUrl) -> None:
        """Show in the status bar what a click on the count under the mouse would do."""
        if address.scheme() == COUNT_SCHEME:
            name = self.explanation.links[int(address.path())].name
            self._messages.show(f"Click for the training sentences of {name}")
        elif address.scheme() == FOLD_SCHEME:
            does = "show" if Section(address.path()) in self._folded else "hide"
            self._messages.show(f"Click to {does} this, here and on other pages")

    def menu_at(self, place: QPoint) -> QMenu:
        """Return what a text view offers, and what the model knows of the word under the mouse."""
        menu = self.view.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        cursor = self.view.cursorForPosition(place)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        word, model = cursor.selectedText(), self._parses.model
        if model is not None and (word in model.word_numbers or word in model.tag_numbers):
            menu.addSeparator()
            menu.addAction(f"What does the model know of ‘{word}’?", lambda: self.looked_up.emit(word))
        return menu

    def _open_menu(self, place: QPoint) -> None:
        self.menu_at(place).popup(self.view.viewport().mapToGlobal(place))

    @action("copy-explanation", "Copy explanation as text", EDIT, "Ctrl+Shift+E", after="copy-tree")
    def copy_text(self) -> None:
        """Put what the inspector says on the clipboard."""
        QGuiApplication.clipboard().setText(self.explanation.text())
        self._messages.show("Explanation copied as text")

    @action("copy-latex", "Copy explanation as LaTeX", EDIT, "Ctrl+Shift+X", after="copy-explanation")
    def copy_latex(self) -> None:
        """Put what the inspector says on the clipboard, with its formulas as LaTeX."""
        QGuiApplication.clipboard().setText(self.explanation.latex())
        self._messages.show("Explanation copied as LaTeX")
