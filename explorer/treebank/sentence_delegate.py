"""Paints a row of the sentence list: its mark, number, words and F1, and a word where the mark is out of date."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from explorer.appearance.rare_scripts import font_for
from explorer.treebank.line_list_model import LAST_NUMBER, NUMBER, OUTDATED, SCORE, SIGN, WORDS

_OLD = "old"
"""The word by which a mark that is out of date is known without colours."""


class SentenceDelegate(QStyledItemDelegate):
    """A row: sign, number, words, and F1 at the right edge."""

    def words_at(self, view: QTableView, index: QModelIndex) -> QRect:
        """Where the words of a row stand."""
        metrics, area = view.fontMetrics(), view.visualRect(index).adjusted(6, 0, -8, 0)
        before = metrics.horizontalAdvance("≠") + 8 + _number_width(metrics, index) + 8
        remark = _remark(index)
        after = metrics.horizontalAdvance(max(remark, "100", key=len)) + 8 if remark else 0
        return area.adjusted(before, 0, -after, 0)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        shown.text = ""
        widget = shown.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, widget)
        metrics = shown.fontMetrics
        area: QRect = shown.rect.adjusted(6, 0, -8, 0)
        palette = shown.palette
        ink, faint = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.PlaceholderText)
        middle, left, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        painter.save()
        bold = QFont(shown.font)
        bold.setBold(True)
        outdated = bool(index.data(OUTDATED))
        painter.setPen(faint if outdated else ink)
        painter.setFont(bold)
        sign = metrics.horizontalAdvance("≠") + 8
        painter.drawText(area, int(left | middle), str(index.data(SIGN)))
        painter.setFont(shown.font)
        painter.setPen(faint)
        number = _number_width(metrics, index)
        painter.drawText(QRect(area.left() + sign, area.top(), number, area.height()), int(right | middle),
                         str(index.data(NUMBER)))  # fmt: skip
        score = _remark(index)
        end = area.right()
        if score:
            painter.drawText(area, int(right | middle), score)
            end -= metrics.horizontalAdvance(max(score, "100", key=len)) + 8
        start = area.left() + sign + number + 8
        text = str(index.data(WORDS))
        painter.setFont(font_for(text, shown.font))
        words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, end - start))
        painter.setPen(ink)
        painter.drawText(QRect(start, area.top(), max(0, end - start), area.height()), int(left | middle), words)
        painter.restore()


def _remark(index: QModelIndex | QPersistentModelIndex) -> str:
    """What stands at the right of a row: F1, and a word where the mark is out of date."""
    score = str(index.data(SCORE))
    return f"{score} {_OLD}".strip() if index.data(OUTDATED) else score


def _number_width(metrics: QFontMetrics, index: QModelIndex | QPersistentModelIndex) -> int:
    """Room for the last number of the whole list: a filter shows few sentences, but any of their numbers."""
    return metrics.horizontalAdvance(str(index.data(LAST_NUMBER)).rjust(2, "0"))
