"""The options of a question as large rows: each with its key, its text, and once the answer is shown its bars."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
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

from explorer.classroom.option_bars import Outcome, paint_bar
from explorer.classroom.option_trees import MARGIN, STACKED_LINES, TREE_LINES, OptionTree, larger_when_stacked
from explorer.classroom.posed_question import Option, PosedQuestion
from explorer.graphics.number_text import probability_text, size
from explorer.graphics.theme import LIGHT, Theme

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
    theme
        Its colours.
    """

    pressed_back = Signal()
    """It was clicked with Shift: a hand is taken back."""

    def __init__(self, number: int, option: Option, text_size: int, theme: Theme, parent: OptionRows) -> None:
        super().__init__(parent)
        self._all = parent
        self.option = option
        self.number = number
        self._text_size = text_size
        self._theme = theme
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

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self._theme = theme
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
            self._tree.paint(painter, self._tree_room(), self.tree_scale, self._theme)

    def _colour(self, role: str) -> QColor:
        return QColor(self._theme.colour(role))

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
            paint_bar(painter, where, (name_width, length, number_width), (name, share, number), self._theme)
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

    def __init__(self, text_size: int, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text_size = text_size
        self._theme = theme
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
        self.rows = [OptionRow(number, one, self._text_size, self._theme, self) for number, one in enumerate(options)]
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

    def set_theme(self, theme: Theme) -> None:
        """Show the rows in other colours."""
        self._theme = theme
        for row in self.rows:
            row.set_theme(theme)

    def set_text_size(self, text_size: int) -> None:
        """Set the rows in another size of type."""
        self._text_size = text_size
        for row in self.rows:
            row.set_text_size(text_size)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_RIGHT_ELIDE = Qt.TextElideMode.ElideRight
