"""What is to be compared: the treebank, the parsers, and how differences are tested."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from engine.common.characters import no_markup
from engine.common.errors import EngineError
from engine.common.numbers import beam_text, size
from engine.explain.glosses import wrapped
from engine.settings import PRESETS, Settings, preset_title
from engine.study.provenance import BEST, DISTRIBUTION, GOLD, TAG_SOURCES, automatic_tags, tag_source
from engine.study.significance import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, DEFAULT_SEED
from engine.study.systems import ModelSystem, System, TreesSystem
from engine.text.input import is_tree
from explorer.kit import file_kinds
from explorer.kit.controls import (
    NONE,
    ChoiceBox,
    Field,
    holder,
    in_column,
    in_row,
    named,
    quiet_label,
    scrolled,
    text_button,
)
from explorer.kit.file_dialogs import ask_open
from explorer.kit.forms import Choice, Decimal, File, Form, Line, Number
from explorer.kit.store import Store
from explorer.panels.settings import read_beam
from explorer.session.document import Document

# One parser to compare, as a row of fields: a model with its settings, or a file of another parser's trees.

HEADER = ("name", "model", "preset", "β", "tags", "")
MODEL, BUTTONS = 1, len(HEADER) - 1
_OTHER_MODEL = "Another model …"
_ARROW = 48
"""Room in a box to choose from beside its text."""


@dataclass(frozen=True, slots=True)
class RowState:
    """What a row says.

    Attributes
    ----------
    name
        What the parser is called; empty for a name that follows from the rest.
    model, preset, beam, tags
        Of a model of ours: its file, and how it parses.
    trees
        Of another parser: the file of its trees.
    """

    name: str = ""
    model: str = ""
    preset: int = 0
    beam: float = 0.0
    tags: str = GOLD
    trees: str = ""

    def usual_name(self) -> str:
        """What it is called unless a person says otherwise."""
        if self.trees:
            return Path(self.trees).name.split(".")[0]
        return f"{Path(self.model).stem} ({self.preset})"

    def system(self, document: Document) -> System:
        """What the engine compares; switches of a preset are as they are in the window where it is the one in use.

        Raises
        ------
        EngineError
            In one sentence: something is missing.
        """
        name = self.name.strip() or self.usual_name()
        if not self.preset:
            if not self.trees.strip():
                raise EngineError(f"{name or 'another parser'} has no file of trees yet; choose one")
            return TreesSystem(name, Path(self.trees.strip()))
        if not self.model:
            raise EngineError(f"{name} has no model yet; choose one")
        asked = document if self.preset == document.preset else document.with_preset(self.preset)
        tags, settings = tag_source(replace(asked.settings, beam=self.beam), self.tags)
        return ModelSystem(name, Path(self.model), settings, self.preset, tags)


def first_rows(document: Document) -> list[RowState]:
    """What is compared unless a person says otherwise: the preset in use against the best one, or (3) against that."""
    tags = GOLD if document.gold_tags else automatic_tags(document.settings)
    second = next(number for number in (max(PRESETS), 3) if number != document.preset)
    here = RowState("", document.model, document.preset, document.settings.beam, tags)
    there = document.with_preset(second)
    other_tags = tags if tags == GOLD else automatic_tags(there.settings)
    return [here, replace(here, preset=second, beam=there.settings.beam, tags=other_tags)]


_NAME = Line("name", "", "What tables and pictures call it", spoken="Name of the parser")
_PRESET = Choice("preset", "", spoken="Preset", choices={number: preset_title(number) for number in PRESETS})
_BEAM = Line(
    "beam",
    "",
    wrapped("A constituent is pruned if another over the same words is more than β times as probable; ∞ for no beam"),
    spoken="β, the width of the beam",
    parse=read_beam,
    write=beam_text,
)
_TAGS = Choice("tags", "", spoken="Tags", choices={name: TAG_SOURCES[name] for name in (GOLD, BEST, DISTRIBUTION)})
_TREES = File(
    "trees",
    "",
    spoken="Another parser’s trees",
    kinds=(file_kinds.TREES,),
    button="Choose …",
    button_tip="Choose a file of trees, one tree a line",
    placeholder="A file of trees: one tree a line, in the order of the treebank",
)


class SystemRow(QObject):
    """The fields of one parser, in a row of a grid.

    Parameters
    ----------
    state
        What they say at first.
    models
        Files of models to choose from.
    store
        Where the folder of files is remembered.
    parent
        The widget whose grid it stands in.

    Signals
    -------
    changed
        It says something else now.
    duplicated, removed
        The buttons of these names were pressed.
    """

    changed = Signal()
    duplicated = Signal()
    removed = Signal()

    def __init__(self, state: RowState, models: Sequence[str], store: Store, parent: QWidget) -> None:
        super().__init__(parent)
        self._store = store
        self._automatic = not state.name
        model = Choice("model", "", spoken="Model", choices={"": _OTHER_MODEL})
        self.fields = Form((_NAME, model, _PRESET, _BEAM, _TAGS) if state.preset else (_NAME, _TREES), store, self)
        duplicate = text_button("Duplicate", "Add another parser with the same settings", self.duplicated.emit)
        remove = text_button("Remove", "Remove this parser from the comparison", self.removed.emit)
        self.buttons = holder(in_row(duplicate, remove, margins=NONE, spacing=0), parent)
        self.widgets = [*self.fields.widgets(), self.buttons]
        self.name.setMinimumWidth(130)
        if state.preset:
            self._fit_model(state, models)
        self.fields.show(**asdict(state))
        self.set_name(self.usual_name)
        # Qt tells of what is typed first, and then that there is another text.
        self.name.textEdited.connect(self._named)
        self.fields.changed.connect(self.changed)

    @property
    def name(self) -> Field:
        """The field in which it is named."""
        field: Field = self.fields["name"]
        return field

    def _fit_model(self, state: RowState, models: Sequence[str]) -> None:
        model, preset = self.fields["model"], self.fields["preset"]
        for file in filter(None, reversed(dict.fromkeys((state.model, *models)))):
            self._add_model(file)
        model.setMinimumWidth(110)
        model.activated.connect(self._model_chosen)
        self._last_model = state.model
        widest = max(map(preset.fontMetrics().horizontalAdvance, _PRESET.choices.values()))
        preset.setMinimumWidth(widest + _ARROW)
        preset.activated.connect(lambda _: self._preset_chosen())
        self.fields["beam"].setMaximumWidth(90)

    def place_in(self, grid: QGridLayout, row: int) -> None:
        """Put the fields into a row of the grid; the file of trees has the place of all that a model has."""
        *widgets, buttons = self.widgets
        for column, widget in enumerate(widgets):
            last = widget is widgets[-1]
            grid.addWidget(widget, row, column, 1, BUTTONS - column if last else 1)
        grid.addWidget(buttons, row, BUTTONS)

    def take_out(self, grid: QGridLayout) -> None:
        """Take the fields out of the grid, for good."""
        for widget in self.widgets:
            grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.deleteLater()

    @property
    def state(self) -> RowState:
        """What the fields say; raises :class:`EngineError` where β is no number."""
        chosen = self.fields.values()
        return RowState(**{**chosen, "name": "" if self._automatic else chosen["name"]})

    def set_name(self, name: str) -> None:
        """Call it something else, unless a person has named it."""
        if self._automatic:
            with QSignalBlocker(self.fields):
                self.name.setText(name)

    @property
    def usual_name(self) -> str:
        """The name that follows from its settings; the one that a person gave where there is one."""
        try:
            state = self.state
        except EngineError:
            return self.name.text()
        return state.name or state.usual_name()

    def _named(self, text: str) -> None:
        self._automatic = not text.strip()

    def _preset_chosen(self) -> None:
        """Let tags that are the tagger's be those that the preset goes with."""
        if self.fields.value("tags") != GOLD:
            self.fields.show(tags=automatic_tags(Settings.preset(self.fields.value("preset"))))

    def _add_model(self, file: str) -> None:
        """Offer a model, before all others."""
        box = self.fields["model"]
        box.insertItem(0, Path(file).stem, file)
        box.setItemData(0, no_markup(file), Qt.ItemDataRole.ToolTipRole)

    def _model_chosen(self) -> None:
        if not self.fields.value("model"):
            box = self.fields["model"]
            path = ask_open(box, self._store, "Choose a model", file_kinds.MODEL)
            if path and box.findData(str(path)) < 0:
                self._add_model(str(path))
            self.fields.show(model=str(path) if path else self._last_model)
        self._last_model = self.fields.value("model")


# What is to be compared: the treebank, the parsers, and how differences are tested.

_LIST = ""
_MOST_ROWS_IN_SIGHT = 4


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """How systems are compared: see :func:`engine.study.compare_systems`."""

    longest: int | None = None
    skip_bad: bool = True
    jobs: int = 1
    resamples: int = DEFAULT_RESAMPLES
    confidence: float = DEFAULT_CONFIDENCE
    seed: int = DEFAULT_SEED


FIELDS = (
    Number(
        "longest",
        "&Longest sentence",
        "Longer sentences are left out for all parsers",
        0,
        500,
        none="all",
        spoken="Longest sentence in words",
    ),
    Number(
        "resamples",
        "&Resamples",
        "How many times sentences are drawn again, with replacement, to find the intervals",
        100,
        1_000_000,
        step=1000,
        grouped=True,
    ),
    Decimal(
        "confidence", "Con&fidence", "How often such an interval would contain the true figure", 50.0, 99.9, unit=" %"
    ),
    Number("seed", "&Seed", "Where the random numbers start: the same seed gives the same figures", 0, 999_999),
    Number("jobs", "&Processes", "How many processes parse at the same time", 1, 64),
)


class SystemSetup(QWidget):
    """The fields in which a person says what is to be compared.

    Parameters
    ----------
    document
        Gives the document as it is now: its list, its settings.
    models
        Files of models to choose from.
    store
        Where the folder of files is remembered.
    """

    changed = Signal()
    """Something else is to be compared now."""

    def __init__(self, document: Callable[[], Document], models: Sequence[str], store: Store) -> None:
        super().__init__()
        self._document = document
        self._models = models
        self._store = store
        self.rows: list[SystemRow] = []
        self.fields = Form(FIELDS, store, self)
        self.fields.show(**asdict(SystemOptions(jobs=min(2, os.cpu_count() or 1))))
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
        self._scroll = scrolled(self._place)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setLayout(in_column(self._treebank_line(), self._scroll, self.fields.in_row(), margins=NONE, spacing=6))
        for state in first_rows(document()):
            self._add(state)
        self.refresh()

    # Building

    def _treebank_line(self) -> QHBoxLayout:
        label = QLabel("&Treebank")
        self.treebank = named(ChoiceBox(), "Treebank")
        self.treebank.setToolTip("The gold trees that every parser is compared with")
        self.treebank.addItem("The gold trees of the list", _LIST)
        self.treebank.setMinimumWidth(280)
        label.setBuddy(self.treebank)
        self.treebank.activated.connect(lambda _: self.changed.emit())
        tip = "Add a model with settings of its own"
        return in_row(
            label,
            (self.treebank, 1),
            text_button("From a file …", "Use the gold trees of a file", self.ask_treebank),
            None,
            text_button("Add a model", tip, lambda: self.duplicate(len(self.rows))),
            text_button("Add another parser’s trees …", "Add a file of trees, one tree a line", self.ask_trees),
        )

    # Rows

    def _add(self, state: RowState, at: int | None = None) -> SystemRow:
        row = SystemRow(state, self._models, self._store, self._place)
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
        if path := ask_open(self, self._store, "Another parser’s trees", file_kinds.TREES):
            self.add(RowState(trees=str(path)))

    def ask_treebank(self) -> None:
        """Ask for a file of gold trees."""
        if path := ask_open(self, self._store, "Gold trees", file_kinds.TREES):
            self.set_treebank(path)

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
            for widget in row.widgets:
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
        return SystemOptions(**self.fields.values())


def _state(row: SystemRow) -> RowState | None:
    """What a row says; ``None`` if there is a mistake in it."""
    try:
        return row.state
    except EngineError:
        return None
