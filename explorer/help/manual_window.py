"""The manual in a window: contents, pages with their pictures, and a search over all of them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QKeyEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.graphics.theme import Theme
from explorer.help.manual import INDEX, manual_folder, search, sections
from explorer.help.manual_browser import ManualBrowser
from explorer.widgets.buttons import text_button

_SIZE = (1040, 720)
_CONTENTS_WIDTH = 300
_PLACE = Qt.ItemDataRole.UserRole
_CONTEXT = Qt.ItemDataRole.UserRole + 1
_PADDING = 8
_MOST_HITS = 80


class ManualWindow(QDialog):
    """The manual.

    Parameters
    ----------
    theme
        In whose colours it is shown.
    parent
        The window over which it opens; it closes with it.

    Signals
    -------
    print_wanted
        The page that is shown is to be printed: its name.
    """

    print_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual")
        flags = Qt.WindowType.Window | Qt.WindowType.WindowMinMaxButtonsHint | Qt.WindowType.WindowCloseButtonHint
        self.setWindowFlags(flags)
        self.setWindowTitle("Manual – Parse Explorer")
        self._theme = theme
        self._history: list[str] = []
        self._at = -1
        self.page = ""
        self._fitted = 0
        self.search = QLineEdit(placeholderText="Search the manual")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the manual")
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setAccessibleName("Contents")
        self.list.setWordWrap(True)
        self.browser = ManualBrowser(theme)
        self.back = text_button("◂", "Back to the page before (Alt+←)", partial(self._go, -1))
        self.forward = text_button("▸", "Forward again (Alt+→)", partial(self._go, 1))
        self.home = text_button("Contents", "To the first page (Alt+Home)", lambda: self.open(INDEX))
        self.print = text_button("Print …", "Print this page (Ctrl+P)", self._print)
        for button in (self.back, self.forward, self.home, self.print):
            button.setAutoRaise(True)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 8, 8, 8)
        row = QHBoxLayout()
        for button in (self.back, self.forward, self.home):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.print)
        column.addLayout(row)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        self.splitter = QSplitter()
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.browser)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([_CONTENTS_WIDTH, _SIZE[0] - _CONTENTS_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        room = self.screen().availableSize() - QSize(40, 80)
        self.resize(QSize(*_SIZE).boundedTo(room))
        self._resized = QTimer(self, singleShot=True, interval=100)
        self._resized.timeout.connect(self._fit_pictures)
        self.browser.width_changed.connect(self._resized.start)
        self.search.textChanged.connect(self._list)
        self.search.installEventFilter(self)
        self.list.itemClicked.connect(self._open_item)
        self.list.itemActivated.connect(self._open_item)
        self.browser.anchorClicked.connect(self._follow)
        for keys, call in (
            ("Ctrl+F", self._find),
            ("Ctrl+P", self._print),
            ("Alt+Left", partial(self._go, -1)),
            ("Alt+Right", partial(self._go, 1)),
            ("Alt+Home", lambda: self.open(INDEX)),
        ):
            QShortcut(keys, self, call)
        self._list("")
        self._buttons()

    @property
    def place(self) -> str:
        """What is shown: a page, and after ``#`` the heading that was gone to."""
        return self._history[self._at] if self._history else ""

    @property
    def settled(self) -> bool:
        """Whether the pictures are as wide as the window has room for."""
        return not self._resized.isActive()

    # Pages

    def open(self, place: str = INDEX, term: str = "") -> None:
        """Show a place, ``page.md`` or ``page.md#heading``, and mark a word there."""
        del self._history[self._at + 1 :]
        self._history.append(place)
        self._at = len(self._history) - 1
        self._show(place, term)
        self.browser.setFocus()

    def _go(self, step: int) -> None:
        if 0 <= self._at + step < len(self._history):
            self._at += step
            self._show(self._history[self._at])

    def _buttons(self) -> None:
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._history) - 1)

    def _show(self, place: str, term: str = "") -> None:
        page, _, anchor = place.partition("#")
        if page != self.page:
            self.page = page
            self._load()
        self._buttons()
        self.browser.go_to(anchor, term)
        self._mark_contents(page, anchor)

    def _load(self, again: bool = False) -> None:
        self._fitted = self.browser.viewport().width()
        self.browser.document().setDefaultFont(self.font())
        self.browser.load(self.page, again)

    def _follow(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
            return
        page = link.path() or self.page
        if not page.endswith(".md") or "/" in page:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str((manual_folder() / page).resolve())))
            return
        self.open(f"{page}#{link.fragment()}" if link.hasFragment() else page)

    # Contents and search

    def _list(self, query: str) -> None:
        self.list.clear()
        self.list.setRootIsDecorated(not query.strip())
        if query.strip():
            self._list_hits(query)
            return
        self.list.setAccessibleName("Contents")
        top: QTreeWidgetItem | None = None
        for section in sections():
            item = QTreeWidgetItem([section.title])
            item.setData(0, _PLACE, (section.place, ""))
            if section.level == 1 or top is None:
                self.list.addTopLevelItem(item)
                top = item
            elif section.level == 2:
                top.addChild(item)
        page, _, anchor = (self._history[self._at] if self._history else INDEX).partition("#")
        self._mark_contents(page, anchor)

    def _list_hits(self, query: str) -> None:
        hits = search(query)
        count = "Nothing" if not hits else f"{len(hits)} places" if len(hits) > 1 else "1 place"
        self.list.setAccessibleName(f"{count} found")
        if not hits:
            item = QTreeWidgetItem([f"Nothing in the manual fits ‘{query.strip()}’."])
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addTopLevelItem(item)
            return
        muted = QColor(self._theme.colour("muted"))
        for hit in hits[:_MOST_HITS]:
            section = hit.section
            title = section.title if section.level == 1 else f"{section.page_title} › {section.title}"
            item = QTreeWidgetItem([title])
            item.setData(0, _PLACE, (section.place, query.strip()))
            context = QTreeWidgetItem([hit.context])
            context.setForeground(0, muted)
            context.setData(0, _CONTEXT, True)
            context.setData(0, _PLACE, (section.place, query.strip()))
            item.addChild(context)
            self.list.addTopLevelItem(item)
            item.setExpanded(True)
        self._fit_hits()
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)

    def _mark_contents(self, page: str, anchor: str) -> None:
        """Mark the page that is shown among the contents, and unfold it."""
        if self.search.text().strip():
            return
        for number in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(number)
            if item is None:
                continue
            place = str(item.data(0, _PLACE)[0])
            item.setExpanded(place == page)
            if place == page:
                inner = [child for child in _children(item) if child.data(0, _PLACE)[0] == f"{page}#{anchor}"]
                self.list.setCurrentItem(next(iter(inner), item))

    def _open_item(self, item: QTreeWidgetItem) -> None:
        data = item.data(0, _PLACE)
        if data is not None:
            self.open(*data)

    def _print(self) -> None:
        self.print_wanted.emit(self.page)

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def search_for(self, query: str) -> None:
        """List the places where words occur."""
        self.search.setText(query)
        self._find()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the search opens the first place; ↓ goes to the list."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.list.currentItem() or self.list.topLevelItem(0)
                if item is not None and self.search.text().strip():
                    self._open_item(item)
                return True
            if event.key() == Qt.Key.Key_Down:
                self.list.setFocus()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    # Appearance

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = self.browser.theme = theme
        self._reload()

    def _fit_pictures(self) -> None:
        self._fit_hits()
        if self.browser.viewport().width() != self._fitted:
            self._reload()
        else:
            self.browser.let_go()

    def _reload(self) -> None:
        if self.page:
            self._load(again=True)

    def _fit_hits(self) -> None:
        """Give the pieces of text in the list as many lines as they need."""
        width = self.list.viewport().width() - self.list.indentation() - 2 * _PADDING
        metrics = self.list.fontMetrics()
        for number in range(self.list.topLevelItemCount()):
            top = self.list.topLevelItem(number)
            for item in _children(top):
                if item.data(0, _CONTEXT):
                    flags = int(Qt.TextFlag.TextWordWrap)
                    needed = metrics.boundingRect(QRect(0, 0, width, 4000), flags, item.text(0))
                    item.setSizeHint(0, QSize(width, needed.height() + _PADDING))


def _children(item: QTreeWidgetItem | None) -> list[QTreeWidgetItem]:
    """What stands under an entry of the list."""
    found = [item.child(row) for row in range(item.childCount())] if item is not None else []
    return [child for child in found if child is not None]
