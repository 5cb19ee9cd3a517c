"""The words of a sentence as chips: each word with its tag below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from explorer.appearance.rare_scripts import font_for
from explorer.explanations.glosses import tag_gloss
from explorer.graphics.number_text import significant
from explorer.graphics.theme import LIGHT

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
        """How many tokens there are."""
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

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

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
        colour = self.theme.colour
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
