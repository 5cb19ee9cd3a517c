"""The options of training, each with what it means."""

from __future__ import annotations

import os
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.training.training_run import TrainingOptions
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import no_markup
from explorer.widgets.fields import Field, padded

_INDENT = 24
_MOST_JOBS = 64
SUFFIX = ".model"
_BOXES = (
    ("tagger", "Tagger", "The model can then read plain text. Without it every word must come with its tag.", True),
    (
        "skip_bad",
        "Leave out broken trees",
        "They are counted and listed. Without this the first broken tree ends the training.",
        False,
    ),
    (
        "rerank",
        "Re-ranker",
        "Puts the best parses of preset (5) into a better order. "
        "Takes minutes: ten models, each of nine tenths of the trees, parse the rest.",
        False,
    ),
    (
        "compact",
        "Compact counts",
        "Leaves out contexts that hardly change an estimate. Presets (1) to (4) are then not exactly the paper's.",
        False,
    ),
    (
        "packed",
        "Small file",
        "Keeps all counts in about a twentieth of the space. Unpacked when it is first used.",
        False,
    ),
)


class TrainingForm(QWidget):
    """Fields for all options of training.

    Parameters
    ----------
    preferences
        Which folder is remembered.

    Signals
    -------
    head_rules_changed
        Another table of head rules was named.
    file_changed
        Another file for the model was named.
    """

    head_rules_changed = Signal()
    file_changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.file = Field()
        self.file.setAccessibleName("File of the model")
        self.file.setPlaceholderText("the file to write")
        self.choose_file = QPushButton("&Model …")
        self.choose_file.setToolTip("Choose the file that the model is written to")
        self.rules = Field()
        self.rules.setAccessibleName("File of head rules")
        self.rules.setPlaceholderText("built-in")
        self.choose_rules = QPushButton("&Head rules …")
        self.choose_rules.setToolTip("Choose a table of head rules to use in place of the built-in one")
        self.credit = Field()
        self.credit.setAccessibleName("Credit")
        self.credit.setPlaceholderText("a line to keep in the model")
        self.credit.setToolTip("Many treebanks ask to be credited; separate several lines by semicolons")
        self.jobs = padded(QSpinBox(minimum=1, maximum=_MOST_JOBS))
        self.jobs.setValue(max(1, min(2, (os.cpu_count() or 1) - 1)))
        self.jobs.setAccessibleName("Processes")
        self.jobs.setToolTip("How many processes work at once; the model is the same for any number")
        self.boxes = {name: QCheckBox(title) for name, title, _, _ in _BOXES}
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow("Model", _beside(self.file, self.choose_file))
        form.addRow("Head rules", _beside(self.rules, self.choose_rules))
        form.addRow("Credit", self.credit)
        form.addRow("Processes", self.jobs)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.addLayout(form)
        for name, _, meaning, on in _BOXES:
            box = self.boxes[name]
            box.setChecked(on)
            box.setAccessibleDescription(meaning)
            note = QLabel(meaning, wordWrap=True)
            note.setObjectName("quiet")
            note.setIndent(_INDENT)
            layout.addWidget(box)
            layout.addWidget(note)
        layout.addStretch(1)
        self.choose_file.clicked.connect(lambda: self.ask_file())
        self.choose_rules.clicked.connect(lambda: self.ask_rules())
        self.file.textChanged.connect(self._file_edited)
        self.rules.editingFinished.connect(self._rules_edited)
        self._rules = ""

    @property
    def output(self) -> Path | None:
        """The file to write; ``None`` if none is named."""
        name = self.file.text().strip()
        if not name:
            return None
        path = Path(name).expanduser()
        path = path if path.is_absolute() else Path(self._preferences.text("folder") or Path.home()) / path
        return path.with_name(path.name + ("" if path.suffix else SUFFIX))

    @property
    def head_rules(self) -> str | None:
        """The file of head rules; ``None`` for the built-in ones."""
        return self.rules.text().strip() or None

    def options(self, treebanks: tuple[str, ...], weights: tuple[int, ...]) -> TrainingOptions:
        """What is chosen."""
        return TrainingOptions(
            treebanks=treebanks,
            output=str(self.output),
            head_rules=self.head_rules,
            credits=tuple(filter(None, (line.strip() for line in self.credit.text().split(";")))),
            weights=weights,
            jobs=self.jobs.value(),
            **{name: box.isChecked() for name, box in self.boxes.items()},
        )

    def suggest(self, treebank: str) -> None:
        """Name the model after a treebank, if it has no name yet."""
        if not self.file.text():
            path = Path(treebank)
            name = path.name.removesuffix(".gz")
            stem = (Path(name).stem if path.is_file() else name) or "own"
            free = (f"{stem}{end}{SUFFIX}" for end in chain([""], (f"-{number}" for number in count(2))))
            self.file.setText(str(next(file for one in free if not (file := path.parent / one).exists())))

    def ask_file(self) -> None:
        """Ask for the file to write."""
        start = str(self.output or Path(self._preferences.text("folder")) / f"own{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self, "The model's file", start, f"Models (*{SUFFIX})")
        if name:
            self.file.setText(name)

    def ask_rules(self) -> None:
        """Ask for a table of head rules."""
        name, _ = QFileDialog.getOpenFileName(self, "Head rules", self._preferences.text("folder"))
        if name:
            self.rules.setText(name)
            self._rules_edited()

    def _file_edited(self, text: str) -> None:
        self.file.setToolTip(no_markup(text))
        self.file_changed.emit()

    def _rules_edited(self) -> None:
        if self.rules.text() != self._rules:
            self._rules = self.rules.text()
            self.head_rules_changed.emit()


def _beside(field: QWidget, button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(field, 1)
    row.addWidget(button)
    return row
