"""What is to be compared: the treebank, the parsers, and how differences are tested."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.analysis.systems import System
from engine.common.errors import EngineError
from engine.evaluation.significance import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, DEFAULT_SEED
from engine.text.input_recognition import is_tree
from explorer.document.document import Document
from explorer.graphics.number_text import no_markup, size
from explorer.laboratory.system_row import HEADER, MODEL, TREE_FILES, RowState, SystemRow, first_rows
from explorer.widgets.buttons import text_button
from explorer.widgets.choice_box import ChoiceBox
from explorer.widgets.fields import padded
from explorer.widgets.labels import quiet_label

_LIST = ""
_MOST_ROWS_IN_SIGHT = 4


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """How systems are compared: see :func:`engine.analysis.systems.compare_systems`."""

    longest: int | None = None
    skip_bad: bool = True
    jobs: int = 1
    resamples: int = DEFAULT_RESAMPLES
    confidence: float = DEFAULT_CONFIDENCE
    seed: int = DEFAULT_SEED


class SystemSetup(QWidget):
    """The fields in which a person says what is to be compared.

    Parameters
    ----------
    document
        Gives the document as it is now: its list, its settings.
    models
        Files of models to choose from.
    folder
        Gives the folder in which files are looked for.
    """

    changed = Signal()
    """Something else is to be compared now."""

    def __init__(self, document: Callable[[], Document], models: Sequence[str], folder: Callable[[], str]) -> None:
        super().__init__()
        self._document = document
        self._models = models
        self._folder = folder
        self.rows: list[SystemRow] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._treebank_line())
        self._place = QWidget()
        self._place.setObjectName("system-rows")
        self._grid = QGridLayout(self._place)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 3)
        self._grid.setColumnStretch(MODEL, 2)
        for column, title in enumerate(HEADER):
            self._grid.addWidget(quiet_label(title), 0, column)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._place)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout.addWidget(self._scroll)
        layout.addLayout(self._options_line())
        for state in first_rows(document()):
            self._add(state)
        self.refresh()

    # Building

    def _treebank_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        label = QLabel("&Treebank")
        self.treebank = ChoiceBox()
        self.treebank.setAccessibleName("Treebank")
        self.treebank.setToolTip("The gold trees that every parser is compared with")
        self.treebank.addItem("The gold trees of the list", _LIST)
        self.treebank.setMinimumWidth(280)
        label.setBuddy(self.treebank)
        self.treebank.activated.connect(lambda _: self.changed.emit())
        line.addWidget(label)
        line.addWidget(self.treebank, 1)
        line.addWidget(text_button("From a file …", "Use the gold trees of a file", self.ask_treebank))
        line.addStretch(1)
        line.addWidget(
            text_button("Add a model", "Add a model with settings of its own", lambda: self.duplicate(len(self.rows)))
        )
        line.addWidget(
            text_button("Add another parser’s trees …", "Add a file of trees, one tree a line", self.ask_trees)
        )
        return line

    def _options_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.longest = _spin(0, 500, 0, 1, "Longest sentence in words", "Longer sentences are left out for all parsers")
        self.longest.setSpecialValueText("all")
        self.resamples = _spin(
            100,
            1_000_000,
            DEFAULT_RESAMPLES,
            1000,
            "Resamples",
            "How many times sentences are drawn again, with replacement, to find the intervals",
        )
        self.confidence = padded(QDoubleSpinBox())
        self.confidence.setRange(50.0, 99.9)
        self.confidence.setDecimals(1)
        self.confidence.setSuffix(" %")
        self.confidence.setValue(DEFAULT_CONFIDENCE)
        self.confidence.setAccessibleName("Confidence")
        self.confidence.setToolTip("How often such an interval would contain the true figure")
        self.seed = _spin(
            0,
            999_999,
            DEFAULT_SEED,
            1,
            "Seed",
            "Where the random numbers start: the same seed gives the same figures",
        )
        self.seed.setGroupSeparatorShown(False)
        cores = os.cpu_count() or 1
        self.jobs = _spin(1, 64, min(2, cores), 1, "Processes", "How many processes parse at the same time")
        fields = (
            ("&Longest sentence", self.longest),
            ("&Resamples", self.resamples),
            ("Con&fidence", self.confidence),
            ("&Seed", self.seed),
            ("&Processes", self.jobs),
        )
        for title, field in fields:
            label = QLabel(title)
            label.setObjectName("quiet")
            label.setBuddy(field)
            line.addWidget(label)
            line.addWidget(field)
            line.addSpacing(10)
        line.addStretch(1)
        return line

    # Rows

    def _add(self, state: RowState, at: int | None = None) -> SystemRow:
        row = SystemRow(state, self._models, self._folder, self._place)
        row.changed.connect(self._row_changed)
        row.duplicated.connect(lambda: self.duplicate(self.rows.index(row)))
        row.removed.connect(lambda: self.remove(self.rows.index(row)))
        self.rows.insert(len(self.rows) if at is None else at, row)
        self._arrange()
        return row

    def add(self, state: RowState) -> SystemRow:
        """Add a parser at the end."""
        row = self._add(state)
        self.changed.emit()
        return row

    def duplicate(self, place: int) -> None:
        """Add another parser like the one at a place, right behind it; at the end like the last model.

        A row with a mistake in it is like no other: the last model is taken then.
        """
        states = [_state(row) for row in self.rows]
        models = [state for state in states if state is not None and state.preset] or first_rows(self._document())
        state = (states[place] if place < len(states) else None) or models[-1]
        row = self._add(RowState("", state.model, state.preset, state.beam, state.tags, state.trees), place + 1)
        row.name.setFocus()
        self.changed.emit()

    def remove(self, place: int) -> None:
        """Take a parser out."""
        self.rows.pop(place).take_out(self._grid)
        self._arrange()
        self.changed.emit()

    def ask_trees(self) -> None:
        """Ask for another parser's trees, and add them."""
        name, _ = QFileDialog.getOpenFileName(self, "Another parser’s trees", self._folder(), TREE_FILES)
        if name:
            self.add(RowState(trees=name))

    def ask_treebank(self) -> None:
        """Ask for a file of gold trees."""
        name, _ = QFileDialog.getOpenFileName(self, "Gold trees", self._folder(), TREE_FILES)
        if name:
            self.set_treebank(Path(name))

    def set_treebank(self, path: Path) -> None:
        """Take the gold trees of a file."""
        place = self.treebank.findData(str(path))
        if place < 0:
            place = self.treebank.count()
            self.treebank.addItem(path.name, str(path))
            self.treebank.setItemData(place, no_markup(str(path)), Qt.ItemDataRole.ToolTipRole)
        self.treebank.setCurrentIndex(place)
        self.changed.emit()

    def _row_changed(self) -> None:
        self._name_rows()
        self.changed.emit()

    def _name_rows(self) -> None:
        """Give parsers whose names would be the same a number each."""
        taken: set[str] = set()
        for row in self.rows:
            name = base = row.usual_name
            number = 2
            while name in taken:
                name, number = f"{base} {number}", number + 1
            taken.add(name)
            row.set_name(name)

    def _arrange(self) -> None:
        for number, row in enumerate(self.rows):
            row.place_in(self._grid, number + 1)
        self._name_rows()
        before: QWidget = self.treebank
        for row in self.rows:
            for widget in (row.name, row.model, row.preset, row.beam, row.tags, row.file, row.choose, row.buttons):
                QWidget.setTabOrder(before, widget)
                before = widget
        self._fit()

    def _fit(self) -> None:
        """Give the rows the height that they need, and four of them at most."""
        spacing = self._grid.verticalSpacing()
        height = max((row.buttons.sizeHint().height() for row in self.rows), default=24)
        height = max(height, *(row.name.sizeHint().height() for row in self.rows)) if self.rows else height
        shown = min(max(len(self.rows), 1), _MOST_ROWS_IN_SIGHT)
        self._scroll.setFixedHeight(self.fontMetrics().height() + (height + spacing) * shown + spacing)

    def changeEvent(self, event: QEvent) -> None:
        """Give the rows the height of another type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_scroll"):
            self._fit()

    # What it says

    def refresh(self) -> None:
        """Say how many gold trees the list has now."""
        count = sum(is_tree(line.text) for line in self._document().lines)
        self.treebank.setItemText(0, f"The list: {size(count, 'gold tree')}")

    @property
    def treebank_file(self) -> Path | None:
        """The file of gold trees; ``None`` for those of the list."""
        name = self.treebank.currentData()
        return Path(name) if name else None

    def systems(self) -> list[System]:
        """The parsers; raise :class:`EngineError` where a field is not right."""
        document = self._document()
        found = []
        for row in self.rows:
            try:
                state = row.state
            except EngineError as error:
                raise EngineError(f"the row of {row.name.text()}: {error}") from error
            named = RowState(row.name.text(), state.model, state.preset, state.beam, state.tags, state.trees)
            found.append(named.system(document))
        return found

    def options(self) -> SystemOptions:
        """How they are to be compared."""
        return SystemOptions(
            self.longest.value() or None,
            True,
            self.jobs.value(),
            self.resamples.value(),
            self.confidence.value(),
            self.seed.value(),
        )


def _state(row: SystemRow) -> RowState | None:
    """What a row says; ``None`` if there is a mistake in it."""
    try:
        return row.state
    except EngineError:
        return None


def _spin(low: int, high: int, value: int, step: int, name: str, tip: str) -> QSpinBox:
    box = padded(QSpinBox())
    box.setRange(low, high)
    box.setSingleStep(step)
    box.setValue(value)
    box.setGroupSeparatorShown(True)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    return box
