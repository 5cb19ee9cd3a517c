"""A row of controls that may be wider than the window: it then scrolls sideways instead of pushing the window apart."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget


class ScrollStrip(QScrollArea):
    """Holds one row of controls; as high as they are, and as narrow as need be."""

    def __init__(self, row: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = row
        self.setWidget(row)
        row.installEventFilter(self)
        self._fit()

    def _fit(self) -> None:
        needed = self._row.minimumSizeHint()
        bar = self.horizontalScrollBar().sizeHint().height() if needed.width() > self.width() else 0
        height = self._row.sizeHint().height() + bar
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        """As wide as the row wants to be."""
        return QSize(self._row.sizeHint().width(), self.height())

    def minimumSizeHint(self) -> QSize:
        """As narrow as need be."""
        return QSize(80, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Room for the scroll bar where it is needed."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height to another size of type."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange):
            self._fit()
        done = super().eventFilter(watched, event)
        layout = self._row.layout()
        if event.type() == QEvent.Type.Resize and layout is not None and layout.geometry() != self._row.rect():
            # The scroll area may have resized the row once more meanwhile, of which its layout does not know.
            layout.setGeometry(self._row.rect())
        return done

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel runs along the row."""
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (event.angleDelta().y() or event.angleDelta().x()))
        event.accept()
