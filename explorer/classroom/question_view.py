"""Predict, then reveal: a question with its options as rows, trees and keys, and then the class against the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QWidget

from engine.chart.parse import Parse
from engine.common.numbers import probability_text, size
from explorer.canvas.painting import Brush
from explorer.classroom.questions import Option, PosedQuestion
from explorer.kit.appearance import appearance
from explorer.kit.controls import in_column, sized, told
from explorer.kit.fonts import QtMetrics
from explorer.pictures.layout import Room
from explorer.pictures.options import TreeOptions
from explorer.pictures.theme import Theme
from explorer.pictures.tree import tree_picture

# The bars of a question's options once its answer is shown: the class's is full, the model's is hatched.

MODEL = "model"
_BAR_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_LEAST = 1.5
"""Pixels of a bar whose share is greater than nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a row shows once the answer is shown.

    Attributes
    ----------
    hands, all_hands
        How many chose it, and how many chose anything; of a student alone both are 0.
    marks
        What it is: the parser's answer, the gold tree's.
    """

    hands: int = 0
    all_hands: int = 0
    marks: tuple[str, ...] = ()


def paint_bar(
    painter: QPainter, where: QRect, widths: tuple[int, int, int], row: tuple[str, float, str], theme: Theme
) -> None:
    """Paint one bar between its name and its number.

    Parameters
    ----------
    where
        The line that it stands in.
    widths
        Of the name, the bar and the number.
    row
        The name, the share that is filled, and the number.
    """
    name, share, number = row
    name_width, length, number_width = widths
    painter.setPen(QColor(theme.colour("muted")))
    painter.drawText(QRect(where.left(), where.top(), name_width, where.height()), _BAR_LEFT, name)
    bar = QRectF(where.left() + name_width, where.top() + where.height() * 0.2, length, where.height() * 0.6)
    painter.setPen(QPen(QColor(theme.colour("hairline")), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar)
    if share > 0:
        hatched = name == MODEL
        colour = QColor(theme.colour("accent" if hatched else "extra"))
        painter.setPen(QPen(colour, 1) if hatched else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern if hatched else Qt.BrushStyle.SolidPattern))
        painter.drawRect(QRectF(bar.x(), bar.y(), max(_LEAST, bar.width() * share), bar.height()))
    painter.setPen(QColor(theme.colour("ink")))
    gap = round(where.height() * 0.35)
    painter.drawText(QRect(round(bar.right()) + gap, where.top(), number_width, where.height()), _BAR_LEFT, number)


# The keys of a question's options: numbers, letters, and with Shift the same once more.

LETTERS = "abcde"
_SHIFTED_DIGITS = {
    Qt.Key.Key_Exclam: 0,
    Qt.Key.Key_At: 1,
    Qt.Key.Key_NumberSign: 2,
    Qt.Key.Key_Dollar: 3,
    Qt.Key.Key_Percent: 4,
}
"""What Shift makes of the digits on the keyboard of the United States."""
_FIRST_DIGIT_CODE = 10
"""The code of the key 1 where keys are numbered as on Linux, whatever Shift makes of it."""


def option_of_key(event: QKeyEvent, posed: PosedQuestion) -> tuple[int, bool] | None:
    """Which option a key means, and whether Shift is held; ``None`` if it means none."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    shift = modifiers == Qt.KeyboardModifier.ShiftModifier
    if modifiers and not shift:
        return None
    key = event.key()
    at = -1
    if Qt.Key.Key_1 <= key <= Qt.Key.Key_5:
        at = key - Qt.Key.Key_1
    elif Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
        # Where options have letters of their own, such as gap tags, these are meant, and no others.
        letters = [option.letter or LETTERS[place : place + 1] for place, option in enumerate(posed.options)]
        named = chr(key)
        at = next((place for place, letter in enumerate(letters) if letter.upper() == named), -1)
    elif shift and 0 <= event.nativeScanCode() - _FIRST_DIGIT_CODE < len(LETTERS):
        at = event.nativeScanCode() - _FIRST_DIGIT_CODE
    elif shift:
        at = _SHIFTED_DIGITS.get(Qt.Key(key), -1)
    return (at, shift) if 0 <= at < len(posed.options) else None


def keys_of(posed: PosedQuestion) -> str:
    """The keys of the options in words: their numbers, and letters."""
    last = len(posed.options)
    letters = "".join(option.letter for option in posed.options)
    return f"1–{last} or {' '.join(letters)}" if letters else f"1–{last} or a–{LETTERS[last - 1]}"


# The trees that a question offers: all in one scale, side by side or one below the other, as is larger.

TREE_LINES = 11
"""Least height of trees side by side, in lines of type."""
STACKED_LINES = 5
"""The same of trees one below the other: together they need no more."""
MARGIN = 8
_WORTH_IT = 1.05
"""How much larger trees must be one below the other before they are."""
_ROOM = Room(640)
_TYPE = 13
"""Pixels of the type that a picture is laid out in."""


class OptionTree:
    """The small tree of one option.

    Parameters
    ----------
    parse, focus
        What it shows. A long tree is folded but for the words in focus, or it would be too small to be read.
    """

    def __init__(self, parse: Parse, focus: tuple[tuple[int, int], ...]) -> None:
        self._metrics = QtMetrics()
        self._drawing = tree_picture(parse, self._metrics, TreeOptions(focus=focus), room=_ROOM)

    def largest_scale(self, width: float, height: float, text_size: int) -> float:
        """The largest scale in which it fits, and in which its type is not larger than that around it."""
        bounds = self._drawing.view_bounds
        return max(0.0, min(width / bounds.width, height / bounds.height, text_size / _TYPE))

    def paint(self, painter: QPainter, room: QRectF, scale: float, theme: Theme) -> None:
        """Paint it in the middle of its room."""
        bounds = self._drawing.view_bounds
        painter.save()
        painter.translate(room.center().x() - bounds.width * scale / 2, room.center().y() - bounds.height * scale / 2)
        painter.scale(scale, scale)
        painter.translate(-bounds.x, -bounds.y)
        brush = Brush(theme, self._metrics)
        for group in self._drawing.view_groups:
            brush.shapes(painter, group.shapes)
        painter.restore()


def larger_when_stacked(
    trees: Sequence[OptionTree], size: QSize, heads: tuple[int, int], text_size: int, spacing: int
) -> bool:
    """Whether trees are larger one below the other than side by side.

    Where it makes little difference they stand side by side, where they are easier to compare.

    Parameters
    ----------
    size
        The room of all trees.
    heads
        Height of the text above each tree, where they stand side by side and one below the other.
    text_size, spacing
        Height of the type around them, and what is between them, in pixels.
    """
    width, height, count = size.width(), size.height(), len(trees)
    gaps = spacing * (count - 1)
    rooms = (
        ((width - gaps) / count - 2 * MARGIN, height - heads[0] - MARGIN),
        (width - 2 * MARGIN, (height - gaps) / count - heads[1] - MARGIN),
    )
    beside, below = (min(tree.largest_scale(wide, high, text_size) for tree in trees) for wide, high in rooms)
    return below > beside * _WORTH_IT


# The options of a question as large rows: each with its key, its text, and once the answer is shown its bars.

PARSER_MARK, GOLD_MARK = "✓ parser", "★ gold tree"
_SPACING = 4


class OptionRow(QAbstractButton):
    """One option.

    Parameters
    ----------
    number
        Its place, from 0.
    option
        What it says.
    text_size
        Height of the type in pixels.
    """

    pressed_back = Signal()
    """It was clicked with Shift: a hand is taken back."""

    def __init__(self, number: int, option: Option, text_size: int, parent: OptionRows) -> None:
        super().__init__(parent)
        self._all = parent
        self.option = option
        self.number = number
        self._text_size = text_size
        self._hands = 0
        self._note = ""
        self._outcome: Outcome | None = None
        self._tree = OptionTree(option.parse, option.focus) if option.parse is not None else None
        self._tree_lines = TREE_LINES
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        vertical = QSizePolicy.Policy.Minimum if self._tree is None else QSizePolicy.Policy.MinimumExpanding
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(option.text)
        self._describe()

    @property
    def key(self) -> str:
        """The signs of its keys: its number, and a letter."""
        return f"{self.number + 1}"

    def set_state(self, hands: int, chosen: bool, note: str, outcome: Outcome | None) -> None:
        """Show so many hands, whether it is chosen, a word about it, and if the answer is shown what became of it."""
        self._hands, self._note, self._outcome = hands, note, outcome
        self.setCheckable(True)
        self.setChecked(chosen)
        self._describe()
        self.updateGeometry()
        self.update()

    def set_text_size(self, text_size: int) -> None:
        """Set it in another size of type."""
        self._text_size = text_size
        self.updateGeometry()
        self.update()

    @property
    def tree(self) -> OptionTree | None:
        """The tree that it offers, if it is one."""
        return self._tree

    def set_stacked(self, stacked: bool) -> None:
        """Need less height for a tree that stands above or below another."""
        lines = STACKED_LINES if stacked else TREE_LINES
        if lines != self._tree_lines:
            self._tree_lines = lines
            self.updateGeometry()

    def head_height(self, width: int) -> int:
        """Height of what stands above the tree; of all where there is none."""
        tree = self._tree_lines * self._text_size if self._tree is not None else 0
        return self.heightForWidth(width) - tree

    def _tree_room(self) -> QRectF:
        """Where the tree stands: whatever more room there is belongs to it."""
        head = self.head_height(self.width())
        return QRectF(MARGIN, head, self.width() - 2 * MARGIN, self.height() - head - MARGIN)

    @property
    def largest_scale(self) -> float:
        """The largest scale in which its tree has room."""
        room = self._tree_room()
        return self._tree.largest_scale(room.width(), room.height(), self._text_size) if self._tree else 1.0

    @property
    def tree_scale(self) -> float:
        """The scale in which its tree is drawn: the same for all trees of a question."""
        return min(row.largest_scale for row in self._all.rows if not row.isHidden())

    @property
    def is_answered(self) -> bool:
        """Whether the answer is shown."""
        return self._outcome is not None

    def _describe(self) -> None:
        """Say to a screen reader what is seen."""
        parts = [f"{self.key}: {self.option.text}"]
        outcome = self._outcome
        if self._hands:
            parts.append(size(self._hands, "hand"))
        if self.isChecked():
            parts.append("chosen")
        if self._note:
            parts.append(self._note)
        if outcome is not None:
            if self.option.share is not None:
                parts.append(f"the model's probability {probability_text(self.option.share)}")
            parts += [*outcome.marks, *([self.option.detail] if self.option.detail else [])]
        self.setAccessibleName(", ".join(parts))

    # Size

    def _font(self, share: float = 1.0, bold: bool = False) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(11, round(self._text_size * share)))
        font.setBold(bold)
        return font

    def _text_rect(self, width: int) -> QRect:
        """Where the text stands: all the room, or once bars are shown the left half of it."""
        left = round(self._text_size * 2.6)
        right = round(self._text_size * (4.2 if self._hands or self._note else 0.6))
        if self._outcome is not None:
            right = round(width * 0.5) if self._tree is None else round(self._text_size * 0.6)
        return QRect(left, 0, max(60, width - left - right), 10_000)

    def heightForWidth(self, width: int) -> int:
        """As high as its text needs in this width."""
        bold = self._outcome is not None and bool(self._outcome.marks)
        flags = Qt.TextFlag.TextWordWrap
        text = (
            QFontMetrics(self._font(bold=bold)).boundingRect(self._text_rect(width), flags, self.option.text).height()
        )
        height = text + round(self._text_size * 0.7)
        if self._outcome is not None:
            below = round(self._text_size * 0.9) if self._below() else 0
            bars = round(self._text_size * 0.95) * self._bar_count()
            height = height + below + bars if self._tree is not None else max(height + below, bars + 8)
        if self._tree is not None:
            height += self._tree_lines * self._text_size
        return height

    def _bar_count(self) -> int:
        """How many bars it has: the class's, and the model's."""
        everyone = self._outcome.all_hands if self._outcome is not None else 0
        return bool(everyone) + (self.option.share is not None)

    def _below(self) -> str:
        """What stands below the text once the answer is shown."""
        return "  ·  ".join(filter(None, (*(self._outcome.marks if self._outcome else ()), self.option.detail)))

    def sizeHint(self) -> QSize:
        """The size at a usual width."""
        return QSize(self._text_size * 20, self.heightForWidth(max(self.width(), self._text_size * 20)))

    def minimumSizeHint(self) -> QSize:
        """As high as it has to be."""
        return QSize(self._text_size * 10, self.heightForWidth(max(self.width(), self._text_size * 10)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._colour
        marked = self._outcome is not None and bool(self._outcome.marks)
        edge = QPen(colour("accent" if self.hasFocus() or self.isChecked() else "hairline"))
        edge.setWidthF(2.0 if self.hasFocus() or self.isChecked() or marked else 1.0)
        if marked and not self.hasFocus():
            edge.setColor(colour("ink"))
        painter.setPen(edge)
        painter.setBrush(colour("surface" if self.underMouse() or self.isChecked() else "background"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        unit = self._text_size
        head = self.height() if self._tree is None else self.head_height(self.width())
        self._paint_key(painter, head)
        where = self._text_rect(self.width())
        below = self._below() if self._outcome is not None else ""
        bars = round(unit * 0.95) * self._bar_count() if self._tree is not None else 0
        where.setHeight(head - bars - (round(unit * 1.1) if below else 0))
        painter.setPen(colour("ink"))
        painter.setFont(self._font(bold=marked))
        painter.drawText(where, _LEFT | Qt.TextFlag.TextWordWrap, self.option.text)
        if below:
            line = QRect(where.left(), where.bottom() - round(unit * 0.2), where.width(), round(unit * 1.2))
            painter.setFont(self._font(0.72, bold=marked))
            painter.setPen(colour("ink" if marked else "muted"))
            painter.drawText(line, _LEFT, painter.fontMetrics().elidedText(below, _RIGHT_ELIDE, line.width()))
        if self._outcome is not None:
            self._paint_bars(painter, head)
        elif self._hands or self._note:
            right = QRect(self.width() - round(unit * 4.2), 0, round(unit * 3.8), head)
            painter.setFont(self._font(0.8 if self._note else 1.0, True))
            painter.setPen(colour("ink"))
            painter.drawText(right, _RIGHT, self._note or str(self._hands))
        if self._tree is not None:
            self._tree.paint(painter, self._tree_room(), self.tree_scale, appearance().theme)

    def _colour(self, role: str) -> QColor:
        return QColor(appearance().theme.colour(role))

    def _paint_key(self, painter: QPainter, height: int) -> None:
        """The key in a box, as on a keyboard."""
        unit = self._text_size
        box = QRectF(unit * 0.6, (height - unit * 1.4) / 2, unit * 1.4, unit * 1.4)
        painter.setPen(QPen(self._colour("line"), 1.2))
        painter.setBrush(self._colour("surface"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(self._colour("ink"))
        painter.setFont(self._font(0.85, True))
        painter.drawText(
            box, Qt.AlignmentFlag.AlignCenter, "✓" if self.isChecked() and self._outcome is None else self.key
        )

    def _paint_bars(self, painter: QPainter, height: int) -> None:
        """The class's share above the model's probability: a full bar and a hatched one."""
        outcome, unit = self._outcome, self._text_size
        assert outcome is not None
        rows: list[tuple[str, float, str]] = []
        if outcome.all_hands:
            share = outcome.hands / outcome.all_hands
            rows.append(("class", share, f"{outcome.hands}  ({share:.0%})"))
        if self.option.share is not None:
            rows.append(("model", self.option.share, probability_text(self.option.share)))
        if not rows:
            return
        left = round(self.width() * 0.5) + unit if self._tree is None else round(unit * 2.6)
        name_width, number_width = round(unit * 2.8), round(unit * 4.6)
        line = round(unit * 0.95)
        top = (height - line * len(rows)) // 2
        if self._tree is not None:
            top = height - line * len(rows) - 2
        length = max(20, self.width() - left - name_width - number_width - unit // 2)
        painter.setFont(self._font(0.72))
        for name, share, number in rows:
            where = QRect(left, top, self.width() - left, line)
            paint_bar(painter, where, (name_width, length, number_width), (name, share, number), appearance().theme)
            top += line

    # Keys and mouse

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.setDown(False)
            self.pressed_back.emit()
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def nextCheckState(self) -> None:
        """Stay as it is: whoever shows it says what is chosen."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave, QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)


class OptionRows(QWidget):
    """The options of a question, one below the other; trees side by side unless they are larger so, too.

    Attributes
    ----------
    rows
        The options.
    shows_trees
        Whether they are trees, which take all the room that there is.

    Signals
    -------
    pressed
        An option was pressed, by its place; true if a hand is taken back.
    """

    pressed = Signal(int, bool)

    def __init__(self, text_size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text_size = text_size
        self.rows: list[OptionRow] = []
        self.shows_trees = False
        self._layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(_SPACING)

    def set_question(self, posed: PosedQuestion | None) -> None:
        """Show the options of another question."""
        for row in self.rows:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        options = posed.options if posed is not None else ()
        trees = any(option.parse is not None for option in options)
        directions = QBoxLayout.Direction
        self._layout.setDirection(directions.LeftToRight if trees else directions.TopToBottom)
        self.rows = [OptionRow(number, one, self._text_size, self) for number, one in enumerate(options)]
        self.shows_trees = trees
        for row in self.rows:
            self._layout.addWidget(row)
            row.clicked.connect(lambda _checked=False, at=row.number: self.pressed.emit(at, False))
            row.pressed_back.connect(lambda at=row.number: self.pressed.emit(at, True))
            row.show()
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put trees where they are largest."""
        trees = [row.tree for row in self.rows if row.tree is not None]
        # Nothing changes its place when the answer is shown.
        if not trees or any(row.is_answered for row in self.rows):
            return
        beside, below = (max(row.head_height(self.width() // n) for row in self.rows) for n in (len(trees), 1))
        stacked = larger_when_stacked(trees, self.size(), (beside, below), self._text_size, _SPACING)
        directions = QBoxLayout.Direction
        self._layout.setDirection(directions.TopToBottom if stacked else directions.LeftToRight)
        for row in self.rows:
            row.set_stacked(stacked)

    def set_text_size(self, text_size: int) -> None:
        """Set the rows in another size of type."""
        self._text_size = text_size
        for row in self.rows:
            row.set_text_size(text_size)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_RIGHT_ELIDE = Qt.TextElideMode.ElideRight


# Predict, then reveal: a question with its options, hands counted by keys, and then the class against the model.

_HELP = "Keys count hands: {keys}. With Shift a hand is taken back, ⌫ takes back the last. Enter or → shows the answer."
_LEAST_SHARE = 0.005


class QuestionView(QWidget):
    """Puts a question to a class below the picture of the presenter, and shows its answer.

    The keys stay with the presenter, which gives them to :meth:`handle_key`.  It reveals the answer, too: with it
    picture and caption are uncovered.

    Parameters
    ----------
    posed
        The question.
    hands
        How many hands each option had when it was asked before.
    text_size
        Height of the type in pixels: that of the presenter.

    Signals
    -------
    hands_changed
        A hand was counted or taken back.
    revealed
        The answer is shown now.
    """

    hands_changed = Signal()
    revealed = Signal()

    def __init__(self, posed: PosedQuestion, hands: tuple[int, ...] = (), text_size: int = 20) -> None:
        super().__init__()
        self.setObjectName("question")
        self.posed = posed
        self._hands = list(hands) or [0] * len(posed.options)
        self._order: list[int] = []
        self.is_revealed = False
        self._text_size = text_size
        self.title, self.foot = told(posed.text), told()
        self.options = OptionRows(text_size, self)
        self.options.set_question(posed)
        self.options.pressed.connect(self._pressed)
        for row in self.options.rows:
            # A row with the keys' frame would look like an answer that is chosen already.
            row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        rows = (self.options, 100 if self.options.shows_trees else 0)
        self.setLayout(in_column(self.title, rows, self.foot, None, margins=(12, 8, 12, 8), spacing=6))
        self._set_type()
        self._show()

    @property
    def hands(self) -> tuple[int, ...]:
        """How many hands each option has."""
        return tuple(self._hands)

    @property
    def answer(self) -> str:
        """The answer in words, for the speaker alone."""
        posed = self.posed
        answer = posed.options[posed.answer].text
        if posed.gold is None or posed.gold == posed.answer:
            return answer
        return f"{answer} (the gold tree's: {posed.options[posed.gold].text})"

    def reveal(self) -> None:
        """Show the answer, with the class's bars beside the model's.

        What nobody chose and the model thinks nothing of makes room for the picture.  Of trees all stay: the class
        wants to see why one is better.
        """
        if self.is_revealed:
            return
        self.is_revealed = True
        self._show()
        self.foot.hide()
        for row, hands in zip(self.options.rows, self._hands, strict=True):
            right = row.number in (self.posed.answer, self.posed.gold)
            row.setVisible(self.options.shows_trees or right or hands > 0 or (row.option.share or 0.0) >= _LEAST_SHARE)
        self.revealed.emit()

    def add_hand(self, option: int) -> None:
        """Count a hand."""
        if self.is_revealed or not 0 <= option < len(self._hands):
            return
        self._hands[option] += 1
        self._order.append(option)
        self._show()
        self.hands_changed.emit()

    def take_hand(self, option: int | None = None) -> None:
        """Take a hand back: one of an option, or the last that was counted."""
        if self.is_revealed:
            return
        if option is None:
            option = self._order[-1] if self._order else None
        if option is None or self._hands[option] == 0:
            return
        self._hands[option] -= 1
        if option in self._order:
            del self._order[len(self._order) - 1 - self._order[::-1].index(option)]
        self._show()
        self.hands_changed.emit()

    def set_text_size(self, text_size: int) -> None:
        """Set it in another size of type."""
        self._text_size = text_size
        self.options.set_text_size(text_size)
        self._set_type()

    # Keys

    def handle_key(self, event: QKeyEvent) -> bool:
        """Count a hand, or take one back; whether the key means that."""
        if self.is_revealed:
            return False
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            self.take_hand()
            return True
        found = option_of_key(event, self.posed)
        if found is None:
            return False
        self._pressed(*found)
        return True

    def _pressed(self, option: int, back: bool) -> None:
        if back:
            self.take_hand(option)
        else:
            self.add_hand(option)

    # Showing

    def _set_type(self) -> None:
        for label, share, bold in ((self.title, 1.15, True), (self.foot, 0.72, False)):
            sized(label, max(12, round(self._text_size * share)), bold)

    def _show(self) -> None:
        posed, everyone = self.posed, sum(self._hands)
        for row, hands in zip(self.options.rows, self._hands, strict=True):
            marks = marks_of(posed, row.number)
            row.set_state(hands, False, "", Outcome(hands, everyone, marks) if self.is_revealed else None)
        self.foot.setText(_HELP.format(keys=keys_of(posed)))
        self.setAccessibleName(posed.text)
        self.setAccessibleDescription(self._conclusion(everyone) if self.is_revealed else self.foot.text())

    def _conclusion(self, everyone: int) -> str:
        """What the answer is, and how many had it."""
        posed = self.posed
        parts = [f"The parser's answer: {posed.options[posed.answer].text}."]
        if posed.gold is not None:
            parts.append(f"The gold tree's: {posed.options[posed.gold].text}.")
        if everyone:
            agree = self._hands[posed.answer]
            parts.append(f"{agree:,} of {size(everyone, 'hand')} for the parser's answer.")
        return " ".join(parts)


def marks_of(posed: PosedQuestion, option: int) -> tuple[str, ...]:
    """What an option is: the parser's answer, the gold tree's, both or neither."""
    marks = [PARSER_MARK] if option == posed.answer else []
    if option == posed.gold:
        marks.append(GOLD_MARK)
    return tuple(marks)
