"""What came of a comparison of systems: the answer in words, and tabs of tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.analysis.systems import Pair, SystemsReport
from explorer.canvas.canvas import Canvas
from explorer.graphics.number_text import size
from explorer.graphics.theme import LIGHT, Theme
from explorer.laboratory.system_plot import ScatterPlot
from explorer.laboratory.system_sentences import SentencesTable
from explorer.laboratory.system_tables import (
    ALL,
    LOSSES,
    SHORT_NAMES,
    SHOWN_MEASURES,
    TIES,
    WINS,
    Cells,
    counts_line,
    errors_cells,
    headline,
    lengths_cells,
    measures_cells,
    pairs_cells,
    problems_cells,
    scatter_sentences,
    whisker_rows,
)
from explorer.laboratory.system_task import BOTH, FIRST, SECOND, ComparedSystems
from explorer.laboratory.system_whiskers import whiskers_picture
from explorer.widgets.choice_box import ChoiceBox
from explorer.widgets.labels import quiet_label
from explorer.widgets.rows_table import Row, RowsView

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
Index = QModelIndex | QPersistentModelIndex


class BarDelegate(QStyledItemDelegate):
    """Paints a cell, and under its number a bar as long as its share."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
