"""Tabs whose pages fold away: a click on the tab in front leaves only the tabs, the next click brings them back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget, QToolButton

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
