"""The workspace Compare: the verdict on top, both parses in the middle, ledger, errors and prices below."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.appearance.shared_metrics import SharedMetrics
from explorer.comparison.comparison_canvas import ComparisonCanvas
from explorer.comparison.comparison_pictures import compared_arrows_picture, trees_picture, two_parses
from explorer.comparison.comparison_rows import parseval_text
from explorer.comparison.comparison_sides import BEAM, BEST, Side
from explorer.comparison.comparison_state import ComparisonState
from explorer.comparison.comparison_tables import TABLES_HEIGHT, ComparisonTables
from explorer.comparison.comparison_texts import repair_text, spoken_verdict, verdict_text
from explorer.comparison.equal_part_folding import equal_spans
from explorer.document.document_editor import DocumentEditor
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.sentence_status import OUT_OF_DATE
from explorer.document.view_state import ViewState
from explorer.explanations.glosses import wrapped
from explorer.graphics.drawing import Drawing
from explorer.graphics.layout.tree_folding import Span, hides
from explorer.graphics.number_text import curly_quotes, no_markup
from explorer.graphics.pictures import EXTRA, MISSING, message_picture
from explorer.graphics.pictures.folded_words import folded_ids
from explorer.graphics.selection import Id, VerdictId, WordId
from explorer.graphics.theme import Theme
from explorer.stages.stage import related, words_of
from explorer.tasks.worker import Worker
from explorer.treebank.tree_editor import TreeEditor
from explorer.widgets.buttons import text_button
from explorer.widgets.choice_box import ChoiceBox
from explorer.widgets.clickable_label import ClickableLabel
from explorer.widgets.labels import quiet_label

TREES, ARROWS, BOTH, GOLD_TREE = range(4)
_WORDS_DRAWN_DIRECTLY = 16
_DIFFERING = (EXTRA, MISSING)
_ROUND_IT = 60
"""Pixels around what differs that come into sight with it."""
_OTHER_BEAM = "β = …"
_SHORTEST_CHOICE = 10
"""Letters of the name of what is compared that are always in sight; the list that opens shows all of it."""
_NO_GOLD = (
    "No gold tree",
    "Open a treebank, paste a bracketed tree, or take this parse for gold (Ctrl+Alt+Y) and change it by hand.",
)


class ComparisonPanel(QWidget):
    """Shows a comparison.

    Parameters
    ----------
    comparisons
        The state of the comparison.
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.
    """

    def __init__(
        self,
        comparisons: ComparisonState,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
    ) -> None:
        super().__init__()
        self._comparisons = comparisons
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._painter = Worker("draw comparison", newest_only=True, parent=self)
        # Constituents that are the same in both trees, and were unfolded by hand.
        self._opened: frozenset[Span] = frozenset()
        # Words that are looked at in trees that are folded one by one.
        self._focus: tuple[Span, ...] = ()
        self._drawn: object = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        self.canvas = ComparisonCanvas(view)
        self._metrics = SharedMetrics(self.canvas.metrics.family)
        self.pictures = QTabBar()
        self.pictures.setDocumentMode(True)
        self.pictures.setExpanding(False)
        self.pictures.setDrawBase(False)
        for title in ("Trees", "Arrows", "Trees and arrows", "Gold tree"):
            self.pictures.addTab(title)
        self.editor = TreeEditor(editor, view, parses, messages)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.canvas)
        self.stack.addWidget(self.editor)
        upper = QWidget()
        inner = QVBoxLayout(upper)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.pictures)
        inner.addWidget(self.stack, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.tables = ComparisonTables(comparisons, editor, view, self.splitter)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.tables)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([500, TABLES_HEIGHT])
        self.splitter.setChildrenCollapsible(False)
        layout.addWidget(self.splitter, 1)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._connect()
        self.refresh()

    def _head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setContentsMargins(12, 6, 8, 2)
        head.setSpacing(2)
        row = QHBoxLayout()
        row.setSpacing(6)
        self.first, self.second = ChoiceBox(), ChoiceBox()
        for box, name in ((self.first, "First parse"), (self.second, "Second parse")):
            box.setAccessibleName(name)
            # As wide as there is room, and no wider: a long name must not push the panels beside it together.
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(box.fontMetrics().averageCharWidth() * _SHORTEST_CHOICE)
        against, self.score, self.provenance = quiet_label("against"), quiet_label(), quiet_label()
        self.why = text_button("Why?", "Explain the verdict: its reasons and numbers", self.explain_verdict)
        self.repair = text_button(
            "", "Change the settings so that the gold tree, or one as good, is found", self._comparisons.use_repair
        )
        self.force = text_button(
            "", "Parse again with this attachment forced, and see its price", self._comparisons.force_gold
        )
        self.export_button = QToolButton()
        self.export_button.setText("Export ▾")
        self.export_button.setToolTip("Write the comparison to a file, or copy it")
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_menu = QMenu(self)
        self.export_button.setMenu(self.export_menu)
        for widget in (self.first, against, self.second):
            row.addWidget(widget)
        row.addStretch(1)
        for button in (self.repair, self.force, self.export_button):
            row.addWidget(button)
        head.addLayout(row)
        self.verdict = ClickableLabel()
        self.verdict.setObjectName("verdict")
        self.verdict.setAccessibleName("Verdict")
        self.verdict.clicked.connect(self.explain_verdict)
        line = QHBoxLayout()
        line.addWidget(self.verdict, 1)
        line.addWidget(self.why)
        head.addLayout(line)
        foot = QHBoxLayout()
        self.provenance.setWordWrap(True)
        self.provenance.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.provenance.setAccessibleName("Compared under")
        self.again = text_button(
            "Compare again", "Compare under the model and settings of now", self._comparisons.compare_again
        )
        self.again.hide()
        foot.setSpacing(16)
        foot.addWidget(self.score)
        foot.addWidget(self.provenance, 1)
        foot.addWidget(self.again)
        head.addLayout(foot)
        return head

    def _connect(self) -> None:
        self.first.activated.connect(self._chosen)
        self.second.activated.connect(self._chosen)
        self._comparisons.changed.connect(self._later.start)
        self._view.selection_changed.connect(self._selection_changed)
        self._view.hover_changed.connect(self._mark)
        self._view.found_changed.connect(self._later.start)
        self._editor.document_changed.connect(self._later.start)
        self._parses.model_changed.connect(self._later.start)
        self._parses.busy_changed.connect(self._later.start)
        self.canvas.selected.connect(self._view.select)
        self.canvas.hovered.connect(self._view.point_at)
        self.canvas.selected.connect(self._open)
        self.canvas.room_changed.connect(self._later.start)
        self.pictures.currentChanged.connect(self._other_picture)

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        self.canvas.set_theme(theme)
        self.editor.set_theme(theme)

    def set_text_scale(self, scale: float) -> None:
        """Show pictures in another size of type."""
        for canvas in (self.canvas, self.editor.canvas):
            canvas.set_text_scale(scale)

    def showEvent(self, event: QShowEvent) -> None:
        """Compare from now on."""
        super().showEvent(event)
        self._comparisons.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop comparing."""
        super().hideEvent(event)
        self._comparisons.set_active(False)

    # Choosing what is compared

    def reset_layout(self) -> None:
        """Give pictures and tables the room that they had at first, and fit the pictures."""
        self.tables.set_folded(False)
        self.splitter.setSizes([self.splitter.height() - TABLES_HEIGHT, TABLES_HEIGHT])
        self.canvas.fit()

    def _fill_choices(self) -> None:
        choices = self._comparisons.choices()
        for box, current in zip((self.first, self.second), self._comparisons.sides, strict=True):
            there = choices if current in choices else [current, *choices]
            names = [self._comparisons.name(side) for side in there]
            shown = [(box.itemText(at), box.itemData(at)) for at in range(box.count() - 1)]
            if shown != list(zip(names, there, strict=True)):
                box.clear()
                for name, side in zip(names, there, strict=True):
                    box.addItem(name, side)
                    box.setItemData(box.count() - 1, no_markup(name), Qt.ItemDataRole.ToolTipRole)
                box.addItem(_OTHER_BEAM, None)
            box.setCurrentIndex(there.index(current))

    def _chosen(self) -> None:
        wanted: list[Side] = []
        for box in (self.first, self.second):
            side = box.currentData()
            if side is None:
                beam, good = QInputDialog.getDouble(self, "Compare", "β", self._editor.settings.beam, 1.01, 1e9, 2)
                side = Side(BEAM, beam) if good else Side(BEST)
            wanted.append(side)
        self._comparisons.choose(wanted[0], wanted[1])
        self._fill_choices()

    # Showing

    @property
    def settled(self) -> bool:
        """Whether what is shown is all there is to come."""
        return not (self._later.isActive() or self._comparisons.comparing or self._painter.busy or self._parses.busy)

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        comparison = self._comparisons.comparison
        self._fill_choices()
        self.verdict.setText(verdict_text(comparison, self._comparisons.problem))
        reasons = spoken_verdict(comparison)
        self.verdict.setAccessibleDescription(reasons)
        self.verdict.setToolTip(no_markup(wrapped(reasons)))
        self.score.setText(parseval_text(comparison) if comparison is not None else "")
        self._buttons()
        self._show_provenance()
        self.tables.refresh()
        self._draw()
        self._mark()

    def explain_verdict(self) -> None:
        """Open the inspector's page about the verdict."""
        self._view.select(VerdictId())

    def _buttons(self) -> None:
        comparison = self._comparisons.comparison
        verdict = comparison.verdict if comparison is not None else None
        repair = verdict.repair if verdict is not None else None
        self.repair.setVisible(repair is not None)
        if repair is not None:
            self.repair.setText(repair_text(repair))
        wanted = self._comparisons.gold_attachment()
        self.force.setVisible(wanted is not None)
        if wanted is not None:
            self.force.setText(f"Force {curly_quotes(self._parses.describe(wanted)).replace('‘', '').replace('’', '')}")
        self.export_button.setEnabled(comparison is not None)
        self.why.setEnabled(comparison is not None)

    def _show_provenance(self) -> None:
        """Say under what was compared, and where that is no longer so, that it is out of date."""
        comparison, outdated = self._comparisons.comparison, self._comparisons.outdated
        text = no_markup(comparison.provenance) if comparison is not None else ""
        waiting = self._parses.busy or self._comparisons.comparing
        if outdated:
            again = ", being compared again …" if waiting else ""
            told = escape(text, quote=False).replace("\n", "<br>")
            text = f"<b>{OUT_OF_DATE.capitalize()}</b>{again}: compared under {told}"
        self.provenance.setText(text)
        self.provenance.setToolTip(text)
        self.again.setVisible(outdated and not waiting)

    def drawing(self, page: int) -> Drawing:
        """The picture of a page, or what stands in its place."""
        comparison, metrics = self._comparisons.comparison, self._metrics
        if comparison is None:
            if self._comparisons.problem:
                return message_picture("Nothing to compare", curly_quotes(self._comparisons.problem), metrics)
            if self._comparisons.comparing:
                return message_picture("Comparing …", "", metrics)
            return message_picture(*_NO_GOLD, metrics)
        comparison = replace(comparison, found=self._view.found)
        if page == ARROWS:
            return compared_arrows_picture(comparison, metrics, self.canvas.room)
        if page == TREES:
            return trees_picture(comparison, metrics, self.canvas.room, self._opened, self._focus)
        return two_parses(comparison, metrics, self.canvas.room, self._focus)

    def _open(self, id: Id | None) -> None:
        """A constituent that is folded was clicked: show what is in it."""
        comparison, drawing = self._comparisons.comparison, self.canvas.drawing
        page = self.pictures.currentIndex()
        if comparison is None or drawing is None or page not in (TREES, BOTH):
            return
        if drawing.folded or page == BOTH:
            words = words_of(comparison.first, id)
            if any(hides(span, words) for span in drawing.folded):
                self._focus = words
                self._draw()
            return
        for span in equal_spans(comparison.first, comparison.second, self._opened):
            for parse in (comparison.first, comparison.second):
                if id in folded_ids(parse, frozenset({span})):
                    self._opened |= {span}
                    self._draw()
                    return

    def _draw(self) -> None:
        comparison, page = self._comparisons.comparison, self.pictures.currentIndex()
        if page == GOLD_TREE:
            return
        parses = (comparison.first, comparison.second) if comparison is not None else ()
        busy = self._comparisons.comparing and not parses
        looked_at = (self._opened, self._focus, self._view.found)
        key = (page, *map(id, parses), self._comparisons.problem, busy, self.canvas.room, *looked_at)
        if key == self._drawn:
            return
        self._drawn = key
        if comparison is None or len(comparison.first.sentence) <= _WORDS_DRAWN_DIRECTLY:
            self._painter.cancel()
            self._show_drawing(self.drawing(page))
            return

        def on_error(error: Exception) -> None:
            self._messages.show(f"the picture could not be drawn ({error})", True)

        self._painter.request(lambda job: self.drawing(page), self._show_drawing, on_error)

    def _show_drawing(self, drawing: Drawing) -> None:
        self.canvas.show(drawing)
        self.canvas.select(self._view.selection)
        if self._view.selection is None:
            # Of a long sentence the part that differs is what one wants to see.
            differing = next((area for area in drawing.areas if area.mark in _DIFFERING), None)
            if differing is not None:
                self.canvas.ensureVisible(QRectF(*differing.bounds), _ROUND_IT, _ROUND_IT)

    def _other_picture(self, page: int) -> None:
        self.stack.setCurrentWidget(self.editor if page == GOLD_TREE else self.canvas)
        self._draw()

    # Selection is linked with the other pictures

    def _selection_changed(self) -> None:
        self.canvas.select(self._view.selection)
        self._buttons()
        self._mark()

    def _mark(self) -> None:
        comparison = self._comparisons.comparison
        lit: set[Id] = {WordId(word) for word in self._comparisons.selected_words}
        if comparison is not None:
            for id in (self._view.focus, self._view.hover):
                if id is not None:
                    lit |= related(comparison.first, id)
        self.canvas.highlight(lit, "extra")
