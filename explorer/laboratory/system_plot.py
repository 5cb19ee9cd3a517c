"""The plot of F1 against F1 as a widget: points are hovered over, walked through by arrow keys, and opened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from explorer.appearance.shared_metrics import SharedMetrics
from explorer.canvas.canvas import Canvas
from explorer.graphics.drawing import Drawing
from explorer.graphics.selection import PointId
from explorer.graphics.theme import Theme
from explorer.laboratory.system_scatter import (
    ScatterPoint,
    ScatterSentence,
    scatter_picture,
    scatter_points,
)
from explorer.tasks.worker import Job, Worker
from explorer.widgets.labels import ElidedLabel

_HOW = "A click on a point, or Enter, opens its sentence in Compare. Tab goes to the points, arrow keys through them."
_MENU_ROWS = 15
_MENU_CHARACTERS = 80


class PointCanvas(Canvas):
    """A canvas of many points: Tab goes to the first of them and then on, for nobody walks through a thousand."""

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Go to the points, or if one is marked, away from the plot."""
        ids = list(self.drawing.regions) if self.drawing else []
        if ids and self._current not in ids:
            self._set_current(ids[0])
            return True
        self._touch((self._current,))
        self._current = None
        self._hover(None)
        return QWidget.focusNextPrevChild(self, forwards)


class ScatterPlot(QWidget):
    """The plot, and under it what is pointed at.

    Signals
    -------
    opened
        The number of a sentence that is to be opened.
    listed
        Several sentences that are to be listed: their numbers.
    """

    opened = Signal(int)
    listed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.points: tuple[ScatterPoint, ...] = ()
        self._sentences: Sequence[ScatterSentence] = ()
        self._names = ("", "")
        self.canvas = PointCanvas()
        self.canvas.legend_room = 0
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self._painter = Worker("draw plot", newest_only=True, parent=self)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._draw)
        self.about = ElidedLabel(_HOW)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setContentsMargins(12, 4, 12, 4)
        self.about.setAccessibleName("What is pointed at")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.about)
        self.setFocusProxy(self.canvas)
        self.canvas.room_changed.connect(self._later.start)
        self.canvas.hovered.connect(self._pointed)
        self.canvas.selected.connect(self._chosen)
        self.canvas.activated.connect(self._chosen)

    @property
    def settled(self) -> bool:
        """Whether what is drawn is all there is to come."""
        return not (self._later.isActive() or self._painter.busy)

    def set_theme(self, theme: Theme) -> None:
        """Show it in other colours."""
        self.canvas.set_theme(theme)

    def set_text_scale(self, scale: float) -> None:
        """Show it in another size of type."""
        self.canvas.set_text_scale(scale)

    def set_sentences(self, sentences: Sequence[ScatterSentence], names: tuple[str, str]) -> None:
        """Show other sentences."""
        self._sentences, self._names = sentences, names
        self._later.start()

    def drawing(self) -> Drawing:
        """The plot as a file has it."""
        return scatter_picture(scatter_points(self._sentences), self._names, self._metrics)

    def _draw(self) -> None:
        sentences, names, room, metrics = self._sentences, self._names, self.canvas.room, self._metrics

        def work(job: Job) -> tuple[tuple[ScatterPoint, ...], Drawing]:
            points = scatter_points(sentences)
            return points, scatter_picture(points, names, metrics, room)

        def show(found: tuple[tuple[ScatterPoint, ...], Drawing]) -> None:
            self.points, drawing = found
            self.canvas.show(drawing)

        self._painter.request(work, show, self._failed)

    def _failed(self, error: Exception) -> None:
        raise error

    def _pointed(self, id: object) -> None:
        if isinstance(id, PointId):
            self.about.setText("   ".join(self.points[id.number].label.split("\n")))
        else:
            self.about.setText(_HOW)

    def _chosen(self, id: object) -> None:
        """Open the sentence of a point; of several ask which."""
        if not isinstance(id, PointId):
            return
        sentences = self.points[id.number].sentences
        if len(sentences) == 1:
            self.opened.emit(sentences[0].number)
        else:
            self.menu(id).popup(self._place(id))

    def menu(self, id: PointId) -> QMenu:
        """The sentences of a point, to choose from."""
        sentences = self.points[id.number].sentences
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in sentences[:_MENU_ROWS]:
            words = one.words if len(one.words) <= _MENU_CHARACTERS else f"{one.words[: _MENU_CHARACTERS - 1]}…"
            text = f"{one.number}  {words}".replace("&", "&&")
            menu.addAction(text, partial(self.opened.emit, one.number))
        menu.addSeparator()
        numbers = frozenset(one.number for one in sentences)
        menu.addAction(f"List all {len(sentences):,} in the table", lambda: self.listed.emit(numbers))
        return menu

    def _place(self, id: PointId) -> QPoint:
        region = self.canvas.drawing.regions[id] if self.canvas.drawing is not None else None
        assert region is not None
        return self.canvas.viewport().mapToGlobal(self.canvas.mapFromScene(region.bounds.right, region.bounds.y))
