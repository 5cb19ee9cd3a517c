"""One parser to compare, as a row of fields: a model with its settings, or a file of another parser's trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QWidget

from engine.analysis.systems import ModelSystem, System, TreesSystem
from engine.common.errors import EngineError
from engine.evaluation.tag_sources import BEST, DISTRIBUTION, GOLD, TAG_SOURCES, automatic_tags, tag_source
from engine.settings import PRESETS, Settings, preset_title
from explorer.document.document import Document
from explorer.explanations.glosses import wrapped
from explorer.graphics.number_text import beam_text, no_markup
from explorer.panels.settings_strip import read_beam
from explorer.widgets.buttons import text_button
from explorer.widgets.choice_box import ChoiceBox
from explorer.widgets.fields import Field

HEADER = ("name", "model", "preset", "β", "tags", "")
NAME, MODEL, PRESET, BEAM, TAGS, BUTTONS = range(len(HEADER))
_OTHER_MODEL = "Another model …"
_ARROW = 48
"""Room in a box to choose from beside its text."""
_TAGS = (GOLD, BEST, DISTRIBUTION)
TREE_FILES = "Trees (*.ptb *.mrg *.psd *.tree *.parse *.txt *.gz);;All files (*)"


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


class SystemRow(QObject):
    """The fields of one parser, in a row of a grid.

    Parameters
    ----------
    state
        What they say at first.
    models
        Files of models to choose from.
    folder
        Where files are looked for; called when one is wanted.
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

    def __init__(self, state: RowState, models: Sequence[str], folder: Callable[[], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._folder = folder
        self._is_trees = not state.preset
        self._automatic = not state.name
        self.name = Field(parent)
        self.name.setMinimumWidth(130)
        self.name.setAccessibleName("Name of the parser")
        self.name.setToolTip("What tables and pictures call it")
        self.name.textEdited.connect(self._named)
        self.model, self.preset, self.tags = (ChoiceBox(parent) for _ in range(3))
        self.beam, self.file = Field(parent), Field(parent)
        buttons = self.buttons = QWidget(parent)
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(text_button("Duplicate", "Add another parser with the same settings", self.duplicated.emit))
        row.addWidget(text_button("Remove", "Remove this parser from the comparison", self.removed.emit))
        self.choose = text_button("Choose …", "Choose a file of trees, one tree a line", self.ask_file)
        self.place = QWidget(parent)
        inside = QHBoxLayout(self.place)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.file, 1)
        inside.addWidget(self.choose)
        if self._is_trees:
            self._show_trees(state)
        else:
            self._show_model(state, models)
        self.name.setText(state.name or self.state.usual_name())

    def _show_trees(self, state: RowState) -> None:
        for widget in (self.model, self.preset, self.beam, self.tags):
            widget.hide()
        self.file.setText(state.trees)
        self.file.setPlaceholderText("A file of trees: one tree a line, in the order of the treebank")
        self.file.setAccessibleName("File of trees")
        self.file.textChanged.connect(self._changed)

    def _show_model(self, state: RowState, models: Sequence[str]) -> None:
        self.place.hide()
        self.model.setAccessibleName("Model")
        for file in dict.fromkeys((state.model, *models)):
            self._add_model(file)
        self.model.addItem(_OTHER_MODEL, "")
        self.model.setMinimumWidth(110)
        self.model.setCurrentIndex(max(self.model.findData(state.model), 0))
        self.model.activated.connect(self._model_chosen)
        self._last_model = self.model.currentIndex()
        self.preset.setAccessibleName("Preset")
        for number in PRESETS:
            self.preset.addItem(preset_title(number), number)
        self.preset.setMinimumWidth(
            max(map(self.preset.fontMetrics().horizontalAdvance, map(preset_title, PRESETS))) + 48
        )
        self.preset.setCurrentIndex(self.preset.findData(state.preset))
        self.preset.activated.connect(self._preset_chosen)
        self.beam.setText(beam_text(state.beam))
        self.beam.setMaximumWidth(90)
        self.beam.setAccessibleName("β, the width of the beam")
        self.beam.setToolTip(
            wrapped(
                "A constituent is pruned if another over the same words is more than β times as probable; ∞ for no beam"
            )
        )
        self.beam.editingFinished.connect(self._changed)
        self.tags.setAccessibleName("Tags")
        for source in _TAGS:
            self.tags.addItem(TAG_SOURCES[source], source)
        self.tags.setCurrentIndex(self.tags.findData(state.tags))
        self.tags.activated.connect(lambda _: self._changed())

    def place_in(self, grid: QGridLayout, row: int) -> None:
        """Put the fields into a row of the grid."""
        grid.addWidget(self.name, row, NAME)
        if self._is_trees:
            grid.addWidget(self.place, row, MODEL, 1, BUTTONS - MODEL)
        else:
            for column, widget in ((MODEL, self.model), (PRESET, self.preset), (BEAM, self.beam), (TAGS, self.tags)):
                grid.addWidget(widget, row, column)
        grid.addWidget(self.buttons, row, BUTTONS)

    def take_out(self, grid: QGridLayout) -> None:
        """Take the fields out of the grid, for good."""
        for widget in (
            self.name, self.model, self.preset, self.beam, self.tags, self.file, self.place, self.buttons
        ):  # fmt: skip
            grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.deleteLater()

    @property
    def state(self) -> RowState:
        """What the fields say; raises :class:`EngineError` where β is no number."""
        name = "" if self._automatic else self.name.text()
        if self._is_trees:
            return RowState(name, trees=self.file.text())
        return RowState(
            name, self.model.currentData(), self.preset.currentData(), read_beam(self.beam.text()),
            self.tags.currentData(),
        )  # fmt: skip

    def set_name(self, name: str) -> None:
        """Call it something else, unless a person has named it."""
        if self._automatic:
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
        self.changed.emit()

    def _changed(self) -> None:
        self.changed.emit()

    def _preset_chosen(self) -> None:
        """Let tags that are the tagger's be those that the preset goes with."""
        if self.tags.currentData() != GOLD:
            self.tags.setCurrentIndex(self.tags.findData(automatic_tags(Settings.preset(self.preset.currentData()))))
        self.changed.emit()

    def _add_model(self, file: str, at: int = -1) -> None:
        if file:
            self.model.insertItem(at if at >= 0 else self.model.count(), Path(file).stem, file)
            self.model.setItemData(self.model.findData(file), no_markup(file), Qt.ItemDataRole.ToolTipRole)

    def _model_chosen(self, index: int) -> None:
        if self.model.itemData(index) == "":
            name, _ = QFileDialog.getOpenFileName(self.model, "Choose a model", self._folder(), "Models (*.model)")
            if name and self.model.findData(name) < 0:
                self._add_model(name, 0)
            self.model.setCurrentIndex(self.model.findData(name) if name else self._last_model)
        self._last_model = self.model.currentIndex()
        self.changed.emit()

    def ask_file(self) -> None:
        """Ask for the file of trees."""
        name, _ = QFileDialog.getOpenFileName(self.file, "Another parser’s trees", self._folder(), TREE_FILES)
        if name:
            self.file.setText(name)
