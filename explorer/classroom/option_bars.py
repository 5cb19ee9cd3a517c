"""The bars of a question's options once its answer is shown: the class's is full, the model's is hatched."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from explorer.graphics.theme import Theme

MODEL = "model"
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
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
    painter.drawText(QRect(where.left(), where.top(), name_width, where.height()), _LEFT, name)
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
    painter.drawText(QRect(round(bar.right()) + gap, where.top(), number_width, where.height()), _LEFT, number)
