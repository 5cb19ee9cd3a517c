"""What came of a comparison of systems: the answer in words, and tabs of tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.common.markup import no_markup
from engine.common.numbers import size
from engine.common.tables import clipboard_line
from engine.explain.subjects import PointId
from engine.study.systems_report import Pair, SentenceRow, SystemsReport
from explorer.canvas.canvas import Canvas
from explorer.kit.controls import ChoiceBox, ElidedLabel, quiet_label
from explorer.kit.fonts import SharedMetrics
from explorer.kit.tables import HintTable, Row, RowsView, set_up_rows
from explorer.kit.tasks import Job, Worker
from explorer.laboratory.system_tables import (
    ALL,
    LOSSES,
    SHORT_NAMES,
    SHOWN_MEASURES,
    TIES,
    WINS,
    Cells,
    ScatterPoint,
    ScatterSentence,
    counts_line,
    errors_cells,
    headline,
    lengths_cells,
    measures_cells,
    outcome,
    pairs_cells,
    problems_cells,
    scatter_picture,
    scatter_points,
    scatter_sentences,
    sentences_cells,
    whisker_rows,
    whiskers_picture,
)
from explorer.laboratory.system_task import BOTH, FIRST, SECOND, ComparedSystems
from explorer.pictures.drawing import Drawing
from explorer.pictures.theme import LIGHT, Theme

# The plot of F1 against F1 as a widget: points are hovered over, walked through by arrow keys, and opened.

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


# The sentences that systems were compared on: a table that is sorted by its columns and filtered by who is better.

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_WIDEST = 170
"""How wide a column before the sentence is made."""
_NO_SENTENCES = "No sentence is of this kind."


class SentencesModel(QAbstractTableModel):
    """The sentences of a report; cells are put into words when they come into sight, for there may be thousands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: SystemsReport | None = None
        self._pair: Pair | None = None
        self._shown = ALL
        self._numbers: frozenset[int] | None = None
        self._rows: list[SentenceRow] = []
        self._header: tuple[str, ...] = ()
        self._right: frozenset[int] = frozenset()
        self._keys: list[Callable[[SentenceRow], Any]] = []
        self._sorted = (0, Qt.SortOrder.AscendingOrder)

    @property
    def rows(self) -> Sequence[SentenceRow]:
        """The sentences that are listed, in their order."""
        return self._rows

    def set_report(self, report: SystemsReport | None, pair: Pair | None) -> None:
        """Show the sentences of a report, two of its systems held against each other."""
        self.beginResetModel()
        self._report, self._pair, self._numbers = report, pair, None
        if report is not None and pair is not None:
            head = sentences_cells(report, pair, ())
            self._header, self._right = head.header, frozenset(head.right)
            self._keys = _keys(report, pair)
        self._choose()
        self.endResetModel()

    def show_only(self, shown: str, numbers: frozenset[int] | None = None) -> None:
        """List all sentences, or those that the first system wins, loses, or neither; or those of some numbers."""
        self.beginResetModel()
        self._shown, self._numbers = shown, numbers
        self._choose()
        self.endResetModel()

    def _choose(self) -> None:
        report, pair = self._report, self._pair
        if report is None or pair is None:
            self._rows = []
            return
        self._rows = [
            row
            for row in report.rows
            if (self._numbers is None or row.number in self._numbers)
            and (self._shown == ALL or outcome(row, pair) == self._shown)
        ]
        self._sort()

    def _sort(self) -> None:
        column, order = self._sorted
        if column < len(self._keys):
            self._rows.sort(key=self._keys[column], reverse=order == Qt.SortOrder.DescendingOrder)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self.layoutAboutToBeChanged.emit()
        self._sorted = (max(column, 0), order)
        self._sort()
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many sentences are listed."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self._header)

    def cells(self, row: int) -> tuple[str, ...]:
        """The texts of a row."""
        assert self._report is not None and self._pair is not None
        return sentences_cells(self._report, self._pair, (self._rows[row],)).rows[0]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(index.row())[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return no_markup(str(self.cells(index.row())[index.column()]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in self._right else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header of a column."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._header):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._header[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._right else _LEFT
        return None


def _keys(report: SystemsReport, pair: Pair) -> list[Callable[[SentenceRow], Any]]:
    """By what each column is sorted."""

    def f1(system: int) -> Callable[[SentenceRow], Any]:
        return lambda row: row.results[system].f1

    def errors(system: int) -> Callable[[SentenceRow], Any]:
        return lambda row: [(str(kind), count) for kind, count in row.results[system].errors]

    return [
        lambda row: row.number,
        *(f1(system) for system in range(len(report.names))),
        lambda row: row.results[pair.first].f1 - row.results[pair.second].f1,
        lambda row: row.length,
        errors(pair.first),
        errors(pair.second),
        lambda row: row.text.casefold(),
    ]


class SentencesTable(HintTable):
    """Shows the sentences; Enter or a double click opens one.

    Signals
    -------
    opened
        The number of a sentence that is to be opened.
    """

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__(_NO_SENTENCES)
        self.sentences = SentencesModel(self)
        self.setModel(self.sentences)
        self.setAccessibleName("Sentences")
        set_up_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.doubleClicked.connect(lambda index: self.opened.emit(self.sentences.rows[index.row()].number))

    def set_report(self, report: SystemsReport | None, pair: Pair | None) -> None:
        """Show the sentences of a report."""
        self.sentences.set_report(report, pair)
        self._fit()

    def _fit(self) -> None:
        """Make columns as wide as their first rows need; the sentence has the rest."""
        metrics, count = self.fontMetrics(), self.sentences.columnCount()
        shown = [self.sentences.cells(row) for row in range(min(self.sentences.rowCount(), 50))]
        for column in range(count - 1):
            head = metrics.horizontalAdvance(str(self.sentences.headerData(column, Qt.Orientation.Horizontal))) + 36
            widest = max((metrics.horizontalAdvance(cells[column]) for cells in shown), default=0) + 24
            self.setColumnWidth(column, min(max(min(head, 130), widest), _WIDEST))

    def choose(self, number: int) -> None:
        """Choose the row of a sentence, if it is listed."""
        place = next((at for at, row in enumerate(self.sentences.rows) if row.number == number), -1)
        if place >= 0:
            index = self.sentences.index(place, 0)
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the chosen sentence; Ctrl+C copies its row."""
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.sentences.rows[index.row()].number)
        elif index.isValid() and event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(clipboard_line(self.sentences.cells(index.row())))
        else:
            super().keyPressEvent(event)


# What came of a comparison of systems: the answer in words, and tabs of tables and pictures.

MEASURES, PAIRS, LENGTHS, ERRORS, SENTENCES, SCATTER, LEFT_OUT = range(7)
TITLES = ("Measures", "Pairs", "By length", "By error class", "Sentences", "F1 against F1", "Left out")
_TIPS = (
    "Recall, precision, F1 and crossing brackets of every system, with their intervals",
    "Every two systems by every measure, with the tests of their difference",
    "F1 of sentences of about the same length",
    "How often each system makes each kind of mistake",
    "Every sentence: F1 of each system, and what each got wrong",
    "Each sentence as a point: F1 of one system across, of the other upwards",
    "Sentences whose tokens differ from those of the gold tree, or that cannot be scored",
)
_BAR = 3
_AnyIndex = QModelIndex | QPersistentModelIndex


class BarDelegate(QStyledItemDelegate):
    """Paints a cell, and under its number a bar as long as its share."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        super().paint(painter, option, index)
        model = index.model()
        bars = getattr(model, "rows", ())[index.row()].made_of
        share = bars.get(index.column()) if isinstance(bars, dict) else None
        if share is not None:
            room = option.rect.adjusted(8, 0, -8, -1)
            width = max(round(room.width() * share), 1 if share else 0)
            left = room.right() + 1 - width
            painter.fillRect(left, room.bottom() - _BAR + 1, width, _BAR, QColor(self.theme.colour("many")))


class CellsTable(RowsView):
    """A table of a report."""

    def __init__(self, cells: Cells, name: str, stretch: int, key: int, theme: Theme) -> None:
        super().__init__(cells.header, cells.right, stretch=stretch, name=name, key=key)
        self._delegate = BarDelegate(self)
        self._delegate.theme = theme
        self.setItemDelegate(self._delegate)
        if cells.bars:
            self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.show_cells(cells)

    def show_cells(self, cells: Cells) -> None:
        """Show other rows under a header of as many columns."""
        self.rows_model.set_header(cells.header)
        bars: Sequence[object] = cells.bars or (None,) * len(cells.rows)
        self.set_rows(
            [Row(row, number, made_of=bar) for number, (row, bar) in enumerate(zip(cells.rows, bars, strict=True))]
        )

    def set_theme(self, theme: Theme) -> None:
        """Show bars in other colours."""
        self._delegate.theme = theme
        self.viewport().update()


class SystemTabs(QWidget):
    """Shows a report.

    Signals
    -------
    opened
        A sentence is to be opened in Compare: its number, what is to be held against what, and the pair.
    """

    opened = Signal(int, str, object)

    def __init__(self) -> None:
        super().__init__()
        self.compared: ComparedSystems | None = None
        self._theme = LIGHT
        self._text_scale = 1.0
        self.answer = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.answer.setObjectName("verdict")
        self.answer.setAccessibleName("Answer")
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = self.answer.font()
        font.setBold(True)
        self.answer.setFont(font)
        self.counts = quiet_label()
        self.counts.setWordWrap(True)
        self.pair_box, self.opens = ChoiceBox(), ChoiceBox()
        self.pair_box.setAccessibleName("Two systems")
        self.pair_box.activated.connect(lambda _: self._show_pair())
        self.opens.setAccessibleName("Open sentences as")
        self.opens.setToolTip("Which two trees Compare shows when a sentence is opened")
        self.shown = ChoiceBox()
        self.shown.setAccessibleName("Which sentences")
        self.shown.activated.connect(lambda _: self._filter())
        self.sentences = SentencesTable()
        self.sentences.opened.connect(self._open)
        self.plot = ScatterPlot()
        self.plot.opened.connect(self._open)
        self.plot.listed.connect(self._list)
        self.whiskers = Canvas()
        self.whiskers.legend_room = 0
        self.whiskers.setMinimumHeight(120)
        self.whiskers.room_changed.connect(self._draw_whiskers)
        self.tables: dict[int, CellsTable] = {}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self._places = [QWidget() for _ in TITLES]
        for place, title, tip in zip(self._places, TITLES, _TIPS, strict=True):
            inner = QVBoxLayout(place)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.setSpacing(0)
            number = self.tabs.addTab(place, title)
            self.tabs.setTabToolTip(number, tip)
        self._measures = QSplitter(Qt.Orientation.Vertical)
        self._measures.setChildrenCollapsible(False)
        self._measures.addWidget(self.whiskers)
        self._inner(MEASURES).addWidget(self._measures)
        filters = QHBoxLayout()
        filters.setContentsMargins(12, 4, 12, 4)
        filters.addWidget(quiet_label("Show"))
        filters.addWidget(self.shown)
        filters.addStretch(1)
        filters.addWidget(quiet_label("Enter or a double click opens a sentence in Compare."))
        self._inner(SENTENCES).addLayout(filters)
        self._inner(SENTENCES).addWidget(self.sentences, 1)
        self._inner(SCATTER).addWidget(self.plot)
        choices = QHBoxLayout()
        choices.addWidget(quiet_label("Two systems"))
        choices.addWidget(self.pair_box, 2)
        choices.addSpacing(12)
        choices.addWidget(quiet_label("Open sentences as"))
        choices.addWidget(self.opens, 2)
        choices.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.answer)
        layout.addWidget(self.counts)
        layout.addLayout(choices)
        layout.addWidget(self.tabs, 1)

    def _inner(self, tab: int) -> QVBoxLayout:
        inner = self._places[tab].layout()
        assert isinstance(inner, QVBoxLayout)
        return inner

    @property
    def report(self) -> SystemsReport | None:
        """The report that is shown."""
        return self.compared.report if self.compared is not None else None

    @property
    def pair(self) -> Pair | None:
        """The two systems that are held against each other."""
        return self.report.pairs[self.pair_box.currentIndex()] if self.report is not None else None

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self._theme = theme
        self.plot.set_theme(theme)
        self.whiskers.set_theme(theme)
        for table in self.tables.values():
            table.set_theme(theme)

    def set_text_scale(self, scale: float) -> None:
        """Show pictures in another size of type."""
        self._text_scale = scale
        self.plot.set_text_scale(scale)
        self.whiskers.set_text_scale(scale)

    # Showing

    def show_report(self, compared: ComparedSystems) -> None:
        """Show what came of a comparison."""
        self.compared = compared
        report = compared.report
        self.pair_box.clear()
        for pair in report.pairs:
            self.pair_box.addItem(f"{report.names[pair.first]} against {report.names[pair.second]}")
        for table in self.tables.values():
            table.hide()
            table.deleteLater()
        pair = report.pairs[0]
        theme, measures = self._theme, measures_cells(report)
        self.tables = {
            MEASURES: CellsTable(measures, TITLES[MEASURES], len(measures.header) - 1, 0, theme),
            PAIRS: CellsTable(pairs_cells(report), TITLES[PAIRS], -1, 0, theme),
            LENGTHS: CellsTable(lengths_cells(report, pair), TITLES[LENGTHS], -1, 0, theme),
            ERRORS: CellsTable(errors_cells(report, pair), TITLES[ERRORS], 0, 0, theme),
            LEFT_OUT: CellsTable(problems_cells(report), TITLES[LEFT_OUT], 6, 3, theme),
        }
        for tab, table in self.tables.items():
            if tab == MEASURES:
                self._measures.addWidget(table)
            else:
                self._inner(tab).addWidget(table)
        left = len({problem.number for problem in report.problems})
        self.tabs.setTabText(LEFT_OUT, f"{TITLES[LEFT_OUT]} ({left:,})" if left else TITLES[LEFT_OUT])
        self.tabs.setTabEnabled(LEFT_OUT, bool(left))
        self._draw_whiskers()
        self._show_pair()

    def _draw_whiskers(self) -> None:
        if self.report is None:
            return
        title = f"Measures with intervals of {self.report.confidence:g} %"
        heads = [SHORT_NAMES[name] for name in SHOWN_MEASURES]
        picture = whiskers_picture(title, heads, whisker_rows(self.report), self.whiskers.metrics, self.whiskers.room)
        self.whiskers.show(picture)
        wanted = round(picture.height * self._text_scale) + 8
        self._measures.setSizes([wanted, max(self._measures.height() - wanted, 120)])

    def _show_pair(self) -> None:
        report, pair = self.report, self.pair
        if report is None or pair is None:
            return
        names = report.names[pair.first], report.names[pair.second]
        self.answer.setText(headline(report, pair))
        self.counts.setText(counts_line(report, pair))
        self.tables[LENGTHS].show_cells(lengths_cells(report, pair))
        self.tables[ERRORS].show_cells(errors_cells(report, pair))
        opens = max(self.opens.currentIndex(), 0)
        self.opens.clear()
        self.opens.addItem(f"{names[0]} against {names[1]}", BOTH)
        self.opens.addItem(f"{names[0]} against the gold tree", FIRST)
        self.opens.addItem(f"{names[1]} against the gold tree", SECOND)
        self.opens.setCurrentIndex(opens)
        test = pair.f1
        shown = max(self.shown.currentIndex(), 0)
        self.shown.clear()
        self.shown.addItem(f"all {size(len(report.rows), 'sentence')}", ALL)
        self.shown.addItem(f"{names[0]} is better: {test.wins:,}", WINS)
        self.shown.addItem(f"{names[1]} is better: {test.losses:,}", LOSSES)
        self.shown.addItem(f"equal: {test.ties:,}", TIES)
        self.shown.setCurrentIndex(shown)
        self.sentences.set_report(report, pair)
        self._filter()
        self.plot.set_sentences(scatter_sentences(report, pair), names)

    def _filter(self) -> None:
        if self.shown.currentData() is not None:
            self.sentences.sentences.show_only(self.shown.currentData())

    def _list(self, numbers: frozenset[int]) -> None:
        """List the sentences of one point of the plot."""
        self.shown.setCurrentIndex(0)
        self.sentences.sentences.show_only(ALL, numbers)
        self.tabs.setCurrentIndex(SENTENCES)
        self.sentences.setFocus()

    def _open(self, number: int) -> None:
        self.sentences.choose(number)
        self.opened.emit(number, self.opens.currentData(), self.pair)
