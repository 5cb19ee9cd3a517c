"""What the presenter's window is made of: the picture, the caption, the pointer's dot, and what covers everything."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QScrollArea, QSizePolicy, QWidget

from explorer.canvas.canvas import Canvas
from explorer.graphics.number_text import no_markup
from explorer.graphics.theme import STYLES

LEAST_SHARE = 1 / 30
"""How high type is at least, of the window's height: from the last row it can be read."""
CAPTION_SHARE = 0.4
"""The caption takes at most so much of the window's height; a longer one is scrolled."""
LEGEND_ROOM = 56


class PresenterCanvas(Canvas):
    """The picture without anything around it; a click goes on, a press shows where the teacher points.

    Signals
    -------
    clicked
        The mouse was clicked, not dragged.
    pointed
        The mouse is pressed at this place of the viewport, or (``None``) no longer.
    """

    clicked = Signal()
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._start: QPoint | None = None
        self.legend_room = 0
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_type_height(self, pixels: float) -> None:
        """Set words so high."""
        self.set_text_scale(pixels / STYLES["word"].size)

    def show_legend(self, shown: bool) -> None:
        """Say under the picture what its signs mean, or not."""
        self.legend_room = LEGEND_ROOM if shown else 0
        self.set_text_scale(self.text_scale)

    def type_height(self, style: str = "word") -> float:
        """How high type of a style is set on the screen, in pixels."""
        return STYLES[style].size * self._total_scale

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to point."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position().toPoint()
            self.pointed.emit(self._start)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point; nothing is selected by the mouse here."""
        if self._start is not None:
            self.pointed.emit(event.position().toPoint())
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go on, if the mouse stayed where it was pressed."""
        start, self._start = self._start, None
        if start is not None and event.button() == Qt.MouseButton.LeftButton:
            self.pointed.emit(None)
            if (event.position().toPoint() - start).manhattanLength() < QApplication.startDragDistance():
                self.clicked.emit()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the second press of a double click for one more."""
        self.mousePressEvent(event)

    def _tool_tip(self, place: QPoint) -> None:
        """Show no tips before the class."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open no menu before the class."""
        event.accept()


class Caption(QScrollArea):
    """A text in Markdown, as high as it needs to be, and scrolled where it would be too high."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.text = QLabel()
        self.text.setAccessibleName(name)
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.MarkdownText)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setWidget(self.text)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._most = 1 << 20

    def set_text(self, markdown: str) -> None:
        """Show a text; without one, nothing."""
        markdown = no_markup(markdown)
        if markdown != self.text.text():
            self.text.setText(markdown)
            self.verticalScrollBar().setValue(0)
        self.setVisible(bool(markdown))
        self._adjust()

    def set_type(self, pixels: int, most: int, margin: int) -> None:
        """Set type so high, the whole at most so high, with so much room on both sides."""
        font = self.text.font()
        font.setPixelSize(pixels)
        self.text.setFont(font)
        self.text.setContentsMargins(margin, pixels // 3, margin, pixels // 2)
        self._most = most
        self._adjust()

    def turn(self, forward: bool) -> None:
        """Scroll by two lines."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (1 if forward else -1) * 2 * self.text.font().pixelSize())

    def _adjust(self) -> None:
        width = self.viewport().width()
        # A text that is empty has no height; a line stands over one that is not.
        self.setFixedHeight(max(0, min(self.text.heightForWidth(max(width, 1)) + 1, self._most)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take another height where lines break elsewhere."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._adjust()

    def minimumSizeHint(self) -> QSize:
        """Nothing at least: a long text is scrolled."""
        return QSize(0, 0)


class Blank(QWidget):
    """One colour over everything, so that the class looks at the teacher."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colour = ""
        self.setAccessibleName("The picture is covered")
        self.hide()

    @property
    def colour(self) -> str:
        """The colour that covers everything; empty if nothing is covered."""
        return self._colour

    def toggle(self, colour: str) -> None:
        """Cover everything in a colour; in the same one once more, nothing."""
        self._colour = "" if colour == self._colour else colour
        self.setVisible(bool(self._colour))
        self.raise_()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show the picture again."""
        self.toggle(self._colour)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the colour."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._colour or "black"))
        painter.end()
