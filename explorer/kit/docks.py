"""Panels and what holds them: docks, tabs that fold away, and strips that scroll."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.appearance import icon_file

# The title bar of a panel.
#
# Qt's own is drawn in the size of type that it was made in, with buttons of one size; this one grows with the type.


class DockTitle(QWidget):
    """Shows a panel's title, with buttons that take the panel out of the window and close it.

    The panel is moved by it, as by Qt's own: what the mouse does beside the buttons is left to the panel.

    Parameters
    ----------
    dock
        The panel, which gets this title bar.
    """

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dock = dock
        self.title = QLabel(dock.windowTitle())
        self.title.setObjectName("quiet")
        # A long title gives way to the buttons.
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.apart = self._button("panel-apart", self._toggle_floating)
        self.close_button = self._button("panel-close", dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 3, 4, 3)
        layout.setSpacing(0)
        layout.addWidget(self.title, 1)
        layout.addWidget(self.apart)
        layout.addWidget(self.close_button)
        dock.windowTitleChanged.connect(self.title.setText)
        dock.topLevelChanged.connect(lambda _: self._name_buttons())
        self._name_buttons()
        dock.setTitleBarWidget(self)

    def _button(self, name: str, clicked: object) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(QIcon(str(icon_file(name))))
        button.clicked.connect(clicked)
        return button

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())

    def _name_buttons(self) -> None:
        title = self._dock.windowTitle()
        what = "Put the panel back into the window" if self._dock.isFloating() else "Take the panel out of the window"
        for button, tip in ((self.apart, what), (self.close_button, "Close the panel")):
            button.setToolTip(tip)
            button.setAccessibleName(f"{tip}: {title}")

    def minimumSizeHint(self) -> QSize:
        """Room for the buttons at least."""
        return QSize(self.apart.sizeHint().width() + self.close_button.sizeHint().width(), self.sizeHint().height())


# A place in a dock whose panel is made when it first comes into sight, so that a start need not wait for it.


class LazyPanel(QWidget):
    """The place of a panel that is made later.

    Parameters
    ----------
    make
        Called once, when this is first shown: makes the panel and gives it to :meth:`hold`.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__()
        self._make = make
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def hold(self, panel: QWidget) -> None:
        """Show the panel here."""
        self._layout.addWidget(panel)
        # A layout shows what it is given only later.
        panel.show()
        self.setFocusProxy(panel)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the panel the first time that its place comes into sight."""
        if self._layout.isEmpty():
            self._make()
        super().showEvent(event)


# The action that shows and hides a panel, with its key.


class PanelToggle(QAction):
    """Shows a panel in front of those that share its place, and if it is there, hides it and frees the place.

    Qt's own action would hide a panel that stands behind another one's tab, where nobody sees it go, and would leave
    its place to that other one.

    Parameters
    ----------
    dock
        The panel.
    keys
        The action's key.
    window
        The window around which the panel stands.
    """

    def __init__(self, dock: QDockWidget, keys: str, window: QMainWindow) -> None:
        super().__init__(dock.windowTitle(), window)
        self._dock = dock
        self._window = window
        self.setObjectName(f"show-{dock.objectName()}")
        self.setCheckable(True)
        self.setShortcut(keys)
        self.setStatusTip(f"Show or hide the panel {dock.windowTitle()}")
        # The signal alone knows whether a panel is behind another one's tab; to Qt it is visible there.
        dock.visibilityChanged.connect(self.setChecked)
        self.triggered.connect(self._toggle)

    def _toggle(self, wanted: bool) -> None:
        if wanted:
            self._dock.show()
            self._dock.raise_()
            return
        for dock in (self._dock, *self._window.tabifiedDockWidgets(self._dock)):
            dock.hide()


# Tabs whose pages fold away: a click on the tab in front leaves only the tabs, the next click brings them back.

LEAST_HEIGHT = 96
"""Pages that are not folded are at least so high: no one loses them by dragging the border."""
_MOST = 16777215
"""Qt's own value for no limit."""


class FoldingTabs(QTabWidget):
    """Tabs in the lower part of a splitter, which fold to their bar.

    Signals
    -------
    folded_changed
        Whether the pages are folded away now.
    """

    folded_changed = Signal(bool)

    def __init__(self, splitter: QSplitter, height: int) -> None:
        super().__init__()
        self._splitter = splitter
        self._height = height
        self._folded = False
        self.setDocumentMode(True)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.button = QToolButton()
        self.button.setAutoRaise(True)
        self.button.setArrowType(Qt.ArrowType.DownArrow)
        self.button.clicked.connect(lambda: self.set_folded(not self._folded))
        self.setCornerWidget(self.button)
        self.tabBarClicked.connect(self._clicked)
        self._show_button()

    @property
    def folded(self) -> bool:
        """Whether only the tabs are in sight."""
        return self._folded

    def set_folded(self, folded: bool) -> None:
        """Fold the pages away, or bring them back as high as they were."""
        if folded == self._folded:
            return
        sizes = self._splitter.sizes()
        if folded:
            self._height = max(self.height(), LEAST_HEIGHT)
        self._folded = folded
        bar = max(self.tabBar().sizeHint().height(), self.button.sizeHint().height())
        self.setMinimumHeight(bar if folded else LEAST_HEIGHT)
        self.setMaximumHeight(bar if folded else _MOST)
        wanted = bar if folded else self._height
        self._splitter.setSizes([sum(sizes) - wanted, wanted])
        self._show_button()
        self.folded_changed.emit(folded)

    def show_page(self, page: int) -> None:
        """Show a page, and unfold the pages for it."""
        self.setCurrentIndex(page)
        self.set_folded(False)

    def _clicked(self, page: int) -> None:
        # The click comes before the change of the page: it says whether the tab was in front already.
        if page >= 0:
            self.set_folded(not self._folded and page == self.currentIndex())

    def _show_button(self) -> None:
        what = "Show the tables" if self._folded else "Fold the tables away"
        self.button.setArrowType(Qt.ArrowType.UpArrow if self._folded else Qt.ArrowType.DownArrow)
        self.button.setToolTip(f"{what}; so does a click on the tab")
        self.button.setAccessibleName(what)


# A row of controls that may be wider than the window: it then scrolls sideways instead of pushing the window apart.


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
        # A new height may let the row arrange itself otherwise, and so be wanted anew while it is being set.
        for _ in range(2):
            height = self._height()
            if {self.height(), self.minimumHeight(), self.maximumHeight()} != {height}:
                self.setFixedHeight(height)

    def _height(self) -> int:
        needed = self._row.minimumSizeHint()
        bar = self.horizontalScrollBar().sizeHint().height() if needed.width() > self.width() else 0
        return self._row.sizeHint().height() + bar

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
