"""The plot of an experiment: drawn with matplotlib in another process, an image whose points tell their values.

matplotlib's own canvas for Qt draws in the window's thread, which then stands still for one to two tenths of a second;
drawn in a thread beside it, a plot still holds Python's lock for up to a tenth.  So the window shows a finished image.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.study.experiments import ExperimentOptions
from explorer.kit.appearance import appearance
from explorer.kit.processes import EngineProcess, Said
from explorer.kit.tasks import Job, Worker
from explorer.pictures.theme import Theme

_MODULE = "engine.cli.plot_process"
_HEAR_SECONDS = 0.05
_WAIT_MS = 60
"""A window that is being resized asks for one plot, not for fifty."""
_NEAR = 24
"""So far may the mouse be from a point, in pixels."""
_DOTS_PER_INCH = 96


def plot_colours(theme: Theme) -> dict[str, Any]:
    """The colours of a plot in a theme; series have the theme's own, which its readers tell apart."""
    colour = theme.colour
    if theme.name == "colourless":
        series = ["#000000", "#4d4d4d", "#7a7a7a", "#9a9a9a", "#5c5c5c", "#333333", "#8a8a8a"]
    elif theme.dark:
        series = ["#56b4e9", "#ff9e4a", "#3ddbab", colour("muted"), "#e3a0c8", "#f5d76e", "#9ecbff"]
    else:
        series = ["#0072b2", "#c24e00", "#007d5b", colour("muted"), "#a8527f", "#8f6a00", "#2f7fb0"]
    return {
        "background": colour("background"),
        "ink": colour("ink"),
        "text": colour("ink"),
        "line": colour("line"),
        "grid": colour("hairline"),
        "series": series,
    }


class Plotter(QObject):
    """Has plots drawn by a process that is started with the first one.

    Signals
    -------
    drawn
        An image, and its points: each with x, y and a text.
    failed, saved
        What to say about a plot that cannot be drawn; the name of a file that was written.
    """

    drawn = Signal(QImage, object)
    failed = Signal(str)
    saved = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._drawing = Worker("plot", newest_only=True, parent=self)
        self._child: EngineProcess | None = None
        self._number = 0

    @property
    def busy(self) -> bool:
        """Whether a plot is still to come."""
        return self._drawing.busy

    def draw(self, request: Mapping[str, Any], ratio: float) -> None:
        """Have an image drawn, unless a newer one is asked for first."""

        def on_result(said: Said) -> None:
            width, height = said.facts["width"], said.facts["height"]
            image = QImage()
            if width:
                image = QImage(said.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
                image.setDevicePixelRatio(ratio)
            self.drawn.emit(image, said.facts["points"])

        self._drawing.request(lambda job: self._work(job, request), on_result, self._on_error)

    def save(self, request: Mapping[str, Any], path: Path) -> None:
        """Have a plot written to a file, as for paper."""
        wanted = {**request, "path": str(path)}
        self._drawing.request(
            lambda job: self._work(job, wanted), lambda said: self.saved.emit(path.name), self._on_error
        )

    def close(self) -> None:
        """End the thread and the process."""
        self._drawing.stop()
        if self._child is not None:
            self._child.stop()
            self._child = None

    def _on_error(self, error: Exception) -> None:
        self.failed.emit(str(error))

    def _work(self, job: Job, request: Mapping[str, Any]) -> Said:
        if self._child is None or not self._child.alive:
            if self._child is not None:
                self._child.stop()
            self._child = EngineProcess(_MODULE)
        self._number += 1
        self._child.ask({**request, "number": self._number})
        while True:
            job.report(None)
            said = self._child.hear(_HEAR_SECONDS)
            # Answers to requests that nobody waits for any more come first.
            if said is not None and said.facts["number"] == self._number:
                if "problem" in said.facts:
                    raise EngineError(said.facts["problem"])
                return said


class PlotView(QWidget):
    """Shows the plot of an experiment; the table beside it is its text.

    Signals
    -------
    problem
        What to say about a plot that cannot be drawn or written.
    saved
        The name of a file that was written.
    """

    problem = Signal(str)
    saved = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.setMinimumSize(200, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Plot of the results; the table has the same figures")
        self._image = QImage()
        self.points: list[tuple[float, float, str]] = []
        self._options: ExperimentOptions | None = None
        self._results: Mapping[int, Mapping[str, Any]] = {}
        self._title = ""
        self._hovered = -1
        self._outdated = False
        self.plotter = Plotter(self)
        self.plotter.drawn.connect(self._show)
        self.plotter.failed.connect(self.problem)
        self.plotter.saved.connect(self.saved)
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._timer.timeout.connect(self._draw)
        appearance().theme_changed.connect(self.refresh)

    @property
    def image(self) -> QImage:
        """What is shown; a null image while there is nothing to draw."""
        return self._image

    @property
    def settled(self) -> bool:
        """Whether what is shown is what there is to show."""
        return not self._timer.isActive() and not self.plotter.busy and not self._outdated

    def set_results(
        self, options: ExperimentOptions | None, results: Mapping[int, Mapping[str, Any]], title: str
    ) -> None:
        """Show other results; while a plot is being drawn the newest of them wait."""
        self._options, self._results, self._title = options, dict(results), title
        self.refresh()

    def refresh(self) -> None:
        """Draw anew, soon."""
        self._outdated = True
        if not self._timer.isActive():
            self._timer.start()

    def save(self, path: Path) -> None:
        """Write the plot to a file."""
        if self._options is not None:
            self.plotter.save(self._request(), path)
            # A plot that was under way is given up for this.
            self.refresh()

    def _request(self) -> dict[str, Any]:
        assert self._options is not None
        return {"options": self._options.as_dict(), "results": self._results, "title": self._title}

    def _draw(self) -> None:
        if not self.isVisible() or self._options is None:
            self._outdated = False
            return
        if self.plotter.busy:
            # A plot that is under way is shown first: else, while results come, none ever would be.
            self._timer.start()
            return
        self._outdated = False
        ratio = self.devicePixelRatioF()
        self.plotter.draw(
            {
                **self._request(),
                "width": round(self.width() * ratio),
                "height": round(self.height() * ratio),
                "dpi": _DOTS_PER_INCH * ratio,
                "colours": plot_colours(appearance().theme),
                "points": self.font().pointSizeF() * 0.9,
            },
            ratio,
        )

    def _show(self, image: QImage, points: list[list[Any]]) -> None:
        self._image = image
        ratio = image.devicePixelRatio() or 1.0
        self.points = [(x / ratio, y / ratio, text) for x, y, text in points]
        self._hovered = -1
        self.update()

    # Events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the image, and the point that the mouse is at."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(appearance().theme.colour("background")))
        if self._image.isNull():
            painter.setPen(QColor(appearance().theme.colour("faint")))
            text = "The plot appears with the first results."
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
        else:
            painter.drawImage(QPointF(0, 0), self._image)
            if 0 <= self._hovered < len(self.points):
                x, y, _ = self.points[self._hovered]
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(appearance().theme.colour("accent")), 2))
                painter.drawEllipse(QRectF(x - 8, y - 8, 16, 16))
        painter.end()

    def nearest(self, place: QPoint) -> int:
        """The number of the point that is nearest to a place; −1 if none is near."""
        found, least = -1, float(_NEAR**2)
        for number, (x, y, _) in enumerate(self.points):
            distance = (x - place.x()) ** 2 + (y - place.y()) ** 2
            if distance < least:
                found, least = number, distance
        return found

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the values of the nearest point."""
        number = self.nearest(event.position().toPoint())
        if number != self._hovered:
            self._hovered = number
            self.update()
        if number >= 0:
            QToolTip.showText(event.globalPosition().toPoint(), no_markup(self.points[number][2]), self)
        else:
            QToolTip.hideText()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self._hovered = -1
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw in the new size."""
        super().resizeEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Draw in another size of type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_timer"):
            self.refresh()

    def showEvent(self, event: Any) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.refresh()
