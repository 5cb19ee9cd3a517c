"""The sentence bar: a line to type in, and if wanted every word as a chip whose tag opens the tagger's choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QDragEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.common.characters import as_read, curly_quotes, long_words_cut, readable
from engine.common.errors import EngineError
from engine.common.numbers import significant
from engine.explain.glosses import tag_gloss
from engine.explain.subjects import Subject, TagId, WordId
from engine.structure.constraints import FixedTag
from engine.structure.tagged_sentence import TaggedSentence
from engine.text.input import is_tree
from engine.text.tagged_text import Problem
from engine.trees.tree import PUNCTUATION_TAGS
from explorer.kit.actions import Choice
from explorer.kit.appearance import appearance
from explorer.kit.controls import is_key_of_window
from explorer.kit.fonts import font_for
from explorer.kit.messages import as_sentence
from explorer.session.document import MOST_SHOWN_CHARACTERS, plain, problems, split_text
from explorer.session.editor import DocumentEditor
from explorer.session.files import FileLoader
from explorer.session.parse_service import ParseService
from explorer.session.view_state import ViewState

# The words of a sentence as chips: each word with its tag below it.

_TAG_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_QUIET_ROLE = _TAG_ROLE + 1
_FORCED_ROLE = _TAG_ROLE + 2


@dataclass(frozen=True, slots=True)
class Chip:
    """One token: word, tag, the tagger's choices, whether a person has forced the tag, and whether it was given."""

    word: str
    tag: str
    choices: tuple[tuple[str, float], ...]
    forced: bool
    position: int
    given: bool = False

    @property
    def quiet(self) -> bool:
        """Whether it is punctuation."""
        return self.position < 0


class ChipModel(QAbstractListModel):
    """The tokens of the sentence that is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[Chip] = []

    def set_chips(self, chips: list[Chip]) -> None:
        """Show other tokens; where only tags differ the rows stay."""
        if [chip.word for chip in chips] == [chip.word for chip in self.chips]:
            if chips != self.chips:
                self.chips = chips
                self.dataChanged.emit(self.index(0), self.index(len(chips) - 1))
            return
        self.beginResetModel()
        self.chips = chips
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return how many tokens there are."""
        return 0 if parent.isValid() else len(self.chips)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Word, tag and what a tool tip says."""
        if not index.isValid():
            return None
        chip = self.chips[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return chip.word
        if role == _TAG_ROLE:
            return chip.tag
        if role == _QUIET_ROLE:
            return chip.quiet
        if role == _FORCED_ROLE:
            return chip.forced
        if role == Qt.ItemDataRole.AccessibleTextRole:
            gloss = tag_gloss(chip.tag)
            return f"{chip.word}, tag {gloss or chip.tag}"
        if role == Qt.ItemDataRole.ToolTipRole:
            gloss = tag_gloss(chip.tag)
            meaning = f"\n{gloss}" if gloss is not None else ""
            if chip.quiet:
                return f"{chip.word}/{chip.tag}: punctuation, outside the model{meaning}"
            likely = ", ".join(f"{tag} {significant(chance)}" for tag, chance in chip.choices[:4])
            settled = "forced" if chip.forced else "given" if chip.given else ""
            parts = "; ".join(part for part in (settled, f"the tagger says {likely}" if likely else "") if part)
            return f"{chip.word}/{chip.tag}: {parts}.  Click to choose another tag{meaning}"
        return None


class ChipDelegate(QStyledItemDelegate):
    """Paints a chip: the word, its tag below it, a dot if the tag is forced."""

    @staticmethod
    def _fonts(option: QStyleOptionViewItem, word: str) -> tuple[QFont, QFont]:
        font = font_for(word, option.font)
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * 0.8)
        return font, small

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As wide as word and tag need."""
        font, small = self._fonts(option, index.data())
        large, little = QFontMetrics(font), QFontMetrics(small)
        width = max(large.horizontalAdvance(index.data()), little.horizontalAdvance(index.data(_TAG_ROLE)))
        return QSize(width + 16, large.height() + little.height() + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint word and tag."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        font, small = self._fonts(option, index.data())
        colour = appearance().theme.colour
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = rect.adjusted(2, 2, -2, -2)
        if state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus):
            painter.setPen(QColor(colour("hairline")))
            painter.setBrush(QColor(colour("surface")))
            painter.drawRoundedRect(inner, 4, 4)
        quiet, forced = index.data(_QUIET_ROLE), index.data(_FORCED_ROLE)
        upper = QRect(inner.left(), inner.top() + 2, inner.width(), QFontMetrics(font).height())
        lower = QRect(inner.left(), upper.bottom() + 1, inner.width(), QFontMetrics(small).height())
        painter.setFont(font)
        painter.setPen(QColor(colour("faint" if quiet else "ink")))
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, index.data())
        small.setBold(bool(forced))
        painter.setFont(small)
        painter.setPen(QColor(colour("accent" if forced else "faint" if quiet else "muted")))
        painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, index.data(_TAG_ROLE))
        if forced:
            width = QFontMetrics(small).horizontalAdvance(index.data(_TAG_ROLE))
            y, middle = lower.bottom(), lower.center().x()
            painter.drawLine(middle - width // 2, y, middle + width // 2, y)
        painter.restore()


class ChipRow(QListView):
    """The tokens in a row; a click opens the choice of tags."""

    def __init__(self) -> None:
        super().__init__()
        self.chips = ChipModel(self)
        self.delegate = ChipDelegate(self)
        self.setModel(self.chips)
        self.setItemDelegate(self.delegate)
        self.setObjectName("chips")
        self.setAccessibleName("Words and tags")
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        bar = self.horizontalScrollBar().sizeHint().height() if self.horizontalScrollBar().maximum() > 0 else 0
        self.setFixedHeight(int(metrics.height() * 1.85) + 12 + bar)

    def changeEvent(self, event: Any) -> None:
        """Fit the height to another size of type."""
        super().changeEvent(event)
        self._fit()

    def resizeEvent(self, event: Any) -> None:
        """Room for the scroll bar where it is needed."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit)

    def wheelEvent(self, event: Any) -> None:
        """The wheel runs along the sentence."""
        bar = self.horizontalScrollBar()
        delta = event.angleDelta().y() or event.angleDelta().x()
        bar.setValue(bar.value() - delta)
        event.accept()


# The sentence bar: a line to type in, and if wanted every word as a chip whose tag opens the tagger's choices.

PAUSE_MS = 120
"""So long after the last key what was typed is parsed."""
_MOST_LINES = 3
_MOST_TAGS = 12


class SentenceEdit(QPlainTextEdit):
    """The line to type in; Enter parses at once, several lines go to the list."""

    committed = Signal()
    many = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sentence-edit")
        self.setAccessibleName("Sentence")
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setPlaceholderText("Type or paste: plain English, word/TAG …, a bracketed tree, or many lines at once")
        # Undoing is the document's: every change a person makes is on one stack.
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(6)
        self._selects_all = True
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self._fit()

    def set_text(self, text: str) -> None:
        """Show a text, in fonts that are quickly found."""
        plain = font_for(text, self.font())
        self.document().setDefaultFont(plain)
        self.setPlainText(text)

    def _fit(self) -> None:
        """Make the editor as high as its text, up to a few lines."""
        rows = max(1, min(int(self.document().size().height()), _MOST_LINES))
        wanted = Qt.ScrollBarPolicy.ScrollBarAsNeeded if rows == _MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(wanted)
        self.setFixedHeight(rows * self.fontMetrics().lineSpacing() + 16)

    def changeEvent(self, event: Any) -> None:
        """Fit the height to another size of type."""
        super().changeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Leave the keys of the window to it; undo and redo are always among them."""
        if is_key_of_window(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Parse on Enter; leave a single line by the arrow keys up and down."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.committed.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Leave the cursor where it is if a key or an action brought the keyboard here."""
        super().focusInEvent(event)
        # A click into a window in the background first sets the focus, and is then told as the window's activation.
        if event.reason() not in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._selects_all = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the next click for the first one again, unless the window or a menu has the keyboard for a while."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._selects_all = True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the whole sentence on the first click, so that typing replaces it; the second sets the cursor."""
        super().mouseReleaseEvent(event)
        if self._selects_all and not self.textCursor().hasSelection():
            self.selectAll()
        self._selects_all = False

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text; several lines go to the list instead of this line."""
        text = source.text()
        room = MOST_SHOWN_CHARACTERS - self.document().characterCount()
        if len(text) > room or "\n" in text.strip() or "\r" in text.strip():
            self.many.emit(text)
        else:
            text = readable(text)
            self.insertPlainText(text.strip() if not self.toPlainText() else text.replace("\n", " "))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files that are dragged over it to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def point_at(self, found: list[Problem], colour: str) -> None:
        """Underline what is wrong."""
        marks = []
        for problem in found:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            end = self.document().characterCount() - 1
            cursor.setPosition(min(problem.start, end))
            cursor.setPosition(min(problem.end, end), QTextCursor.MoveMode.KeepAnchor)
            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            style.setUnderlineColor(QColor(colour))
            mark.cursor, mark.format = cursor, style
            marks.append(mark)
        self.setExtraSelections(marks)


class SentenceBar(QWidget):
    """Editor, chips and, where something is wrong, what it is.

    Signals
    -------
    entered
        A sentence was finished with the enter key; the picture is to get the keyboard next.
    """

    entered = Signal()

    def __init__(self, editor: DocumentEditor, view: ViewState, parses: ParseService, loader: FileLoader) -> None:
        super().__init__()
        self.setObjectName("sentence-bar")
        self._editor = editor
        self._view = view
        self._parses = parses
        self._loader = loader
        # What else the menu of a word offers.
        self.more_choices: list[Callable[[Subject], list[Choice]]] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 4)
        layout.setSpacing(2)
        self.edit = SentenceEdit()
        self.problem = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        # The picture shows the words already: the chips are there for whoever wants them in every stage.
        self.row = ChipRow()
        self.row.hide()
        layout.addWidget(self.edit)
        layout.addWidget(self.problem)
        layout.addWidget(self.row)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.commit)
        self._showing = False
        self.edit.textChanged.connect(self._typed)
        self.edit.committed.connect(self.enter)
        self.edit.many.connect(self.add_many)
        self.row.clicked.connect(self._open_menu)
        self.row.activated.connect(self._open_menu)
        self._editor.document_changed.connect(self._show_text)
        self._parses.result_changed.connect(self._show_chips)
        self._parses.problem_changed.connect(self._check)
        self._parses.model_changed.connect(self._check)
        appearance().theme_changed.connect(self._show_theme)
        self._show_text()
        self._show_theme()

    def _show_theme(self) -> None:
        palette = self.problem.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(appearance().theme.colour("accent")))
        self.problem.setPalette(palette)
        self._check()

    def _show_text(self) -> None:
        line = self._editor.line
        # Of a gold tree its words; what somebody has typed stays as it was typed.
        shown = plain(line.text) if is_tree(line.text) else line.text
        if self.edit.toPlainText() not in (line.text, shown):
            self._showing = True
            self.edit.set_text(shown)
            self._showing = False
        self._check()

    @property
    def _text(self) -> str:
        """What the field stands for: the gold tree of the sentence, while its words stand there as they were."""
        typed, text = self.edit.toPlainText(), self._editor.line.text
        return text if is_tree(text) and typed == plain(text) else typed

    def _typed(self) -> None:
        if not self._showing:
            self._check()
            self._pause.start()

    def _check(self) -> list[Problem]:
        text = self._text
        found = problems(text, self._parses.model) if self._parses.model is not None else []
        # Places in a tree are none in its words.
        marked = found if text == self.edit.toPlainText() else []
        self.edit.point_at(marked, appearance().theme.colour("accent"))
        self._tell(found[0].message if found else self._parses.problem if not self._editor.line.what_ifs else "")
        return found

    def _tell(self, message: str) -> None:
        self.problem.setText(as_sentence(curly_quotes(message)) if message else "")
        self.problem.setVisible(bool(message))

    def enter(self) -> None:
        """Take over what was typed: several sentences take the place of the one that is shown."""
        refused = ""
        try:
            lines = split_text(self._text, self._parses.model) if not self._check() else []
        except EngineError as error:
            # While there is no model only what cannot be read at all is found, and not before it is to be taken over.
            lines, refused = [], str(error)
        if len(lines) > 1:
            self._pause.stop()
            # What was typed so far may stand in the list already, as one sentence.
            self._editor.split_line(lines)
        else:
            self.commit()
        if refused:
            self._tell(refused)
        if not self.problem.isVisible():
            self.entered.emit()

    def commit(self) -> None:
        """Set the text of the current line to what was typed, if it can be read."""
        self._pause.stop()
        text = self._text
        if "\n" in text.strip():
            self.add_many(text)
        elif not self._check():
            self._editor.edit_text(text)

    def add_many(self, text: str) -> None:
        """Add several lines to the list."""
        self._pause.stop()
        self._loader.add_text(text, "pasting sentences")

    # Chips

    def _chips(self) -> Iterator[Chip]:
        parse, result = self._parses.shown, self._parses.result
        if parse is None or result is None:
            return
        forced = {one.position for one in result.request.line.what_ifs if isinstance(one, FixedTag)}
        places = {token: position for position, token in enumerate(parse.sentence.positions)}
        for token, (word, tag) in enumerate(zip(parse.sentence.words, parse.sentence.tags, strict=True)):
            position = places.get(token, -1)
            yield Chip(
                long_words_cut(as_read(word)),
                tag,
                result.choices(token),
                position in forced,
                position,
                result.given(token),
            )

    def _show_chips(self) -> None:
        self.row.chips.set_chips(list(self._chips()))

    def _open_menu(self, index: QModelIndex) -> None:
        menu = self.tag_menu(index.row())
        place = self.row.visualRect(index)
        menu.popup(self.row.viewport().mapToGlobal(QPoint(place.left(), place.bottom())))

    def show_chips(self, shown: bool) -> None:
        """Show the words with their tags under the line, or not."""
        self.row.setVisible(shown)

    def open_tags(self, position: int) -> None:
        """Open the menu of a word's tags at the mouse."""
        parse = self._parses.shown
        if parse is not None and position < len(parse.sentence.positions):
            self.tag_menu(parse.sentence.positions[position]).popup(QCursor.pos())

    def tag_choices(self, id: Subject) -> list[Choice]:
        """Return what the menu of a word in a picture offers: its tags."""
        match id:
            case WordId(position) | TagId(position):
                return [("Another tag …", partial(self.open_tags, position))]
        return []

    def tag_menu(self, token: int) -> QMenu:
        """Return the tags that a token could have, with the tagger's probabilities."""
        chip = self.row.chips.chips[token]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        model = self._parses.model
        known = [tag for tag in (model.vocabulary.tags if model else ()) if tag not in PUNCTUATION_TAGS]
        if chip.quiet:
            for tag in sorted(PUNCTUATION_TAGS):
                menu.addAction(tag, partial(self._retag, token, tag)).setEnabled(tag != chip.tag)
            self._all_tags(menu, known, lambda tag: self._retag(token, tag))
            return menu
        likely = [(tag, chance) for tag, chance in chip.choices[:_MOST_TAGS] if tag not in PUNCTUATION_TAGS]
        chances = dict(likely)
        for tag in (*chances, *(() if chip.tag in chances else (chip.tag,))):
            title = f"{tag}\t{significant(chances[tag])}" if tag in chances else tag
            action = menu.addAction(title, partial(self._force, chip.position, tag))
            action.setCheckable(True)
            action.setChecked(tag == chip.tag)
        menu.addSeparator()
        self._all_tags(menu, known, lambda tag: self._force(chip.position, tag))
        menu.addSeparator()
        forced = [
            one for one in self._editor.line.what_ifs if isinstance(one, FixedTag) and one.position == chip.position
        ]
        if forced:
            menu.addAction("Remove the forced tag", lambda: self._editor.lift(forced))
        if len(likely) > 1:
            menu.addAction(f"Forbid {chip.tag}", lambda: self._force(chip.position, chip.tag, True))
        menu.addSeparator()
        for choices in self.more_choices:
            for title, call in choices(WordId(chip.position)):
                menu.addAction(title, call)
        return menu

    @staticmethod
    def _all_tags(menu: QMenu, tags: list[str], call: Any) -> None:
        more = menu.addMenu("Another tag")
        more.setStyleSheet("QMenu { menu-scrollable: 1; }")
        for tag in sorted(tags):
            more.addAction(tag, partial(call, tag))

    def _force(self, position: int, tag: str, forbid: bool = False) -> None:
        self._editor.add_what_if(FixedTag(position, tag, forbid))

    def _retag(self, token: int, tag: str) -> None:
        """Write a tag into the text: what is a word decides about all positions, so this is an edit and no what-if."""
        parse = self._parses.shown
        if parse is None:
            return
        changed = parse.sentence.with_tags([(token, tag)])
        self._editor.edit_text(str(TaggedSentence(changed.words, changed.tags)))
