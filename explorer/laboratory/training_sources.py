"""The treebanks that a model is to be trained on: files and folders, their trees, and how much each counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.training.survey_results import SourceSurvey
from engine.trees.treebank import TREEBANK_SUFFIXES, corpus_name
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import no_markup

_FILES = f"Treebanks ({' '.join(f'*{suffix} *{suffix}.gz' for suffix in TREEBANK_SUFFIXES)});;All files (*)"
NAME, TREES, BROKEN, WEIGHT = range(4)
_HEADER = ("treebank", "trees", "broken", "weight")
_MOST_WEIGHT = 999
_WEIGHT_TIP = "How many times its trees count in preset (5); double-click or press F2 to change it"
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _SourceTable(QTableWidget):
    """The table; the key Delete takes treebanks out."""

    removal_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the chosen treebanks out with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)


class TreebankList(QWidget):
    """Lists treebanks; adds and removes them.

    Parameters
    ----------
    preferences
        Which folder is remembered.

    Signals
    -------
    changed
        There are other treebanks in it.
    """

    changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._paths: list[str] = []
        self._weights: list[int] = []
        self._filling = False
        self.table = _SourceTable(0, len(_HEADER))
        for column, title in enumerate(_HEADER):
            item = QTableWidgetItem(title)
            item.setTextAlignment(_LEFT if column == NAME else _RIGHT)
            item.setToolTip(_WEIGHT_TIP if column == WEIGHT else "")
            self.table.setHorizontalHeaderItem(column, item)
        self.table.setAccessibleName("Treebanks to train on")
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().setVisible(False)
        self.table.setMinimumHeight(112)
        head = self.table.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.hint = QLabel("Drop files or folders of trees in Penn brackets here, or add them below.", wordWrap=True)
        self.hint.setObjectName("quiet")
        self.add_files = QPushButton("Add &files …")
        self.add_folder = QPushButton("Add f&older …")
        self.remove = QPushButton("&Remove")
        self.remove.setToolTip("Remove the selected treebanks from the list; their files stay")
        buttons = QHBoxLayout()
        for button in (self.add_files, self.add_folder, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.hint)
        layout.addWidget(self.table, 1)
        layout.addLayout(buttons)
        self.add_files.clicked.connect(lambda: self.ask_files())
        self.add_folder.clicked.connect(lambda: self.ask_folder())
        self.remove.clicked.connect(lambda: self.remove_chosen())
        self.table.removal_wanted.connect(self.remove_chosen)
        self.table.itemChanged.connect(self._edited)
        self._show()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders."""
        return tuple(self._paths)

    @property
    def weights(self) -> tuple[int, ...]:
        """How many times the trees of each count in preset (5); empty if all count once."""
        return tuple(self._weights) if any(weight > 1 for weight in self._weights) else ()

    def add(self, paths: Sequence[str | Path]) -> None:
        """Add files and folders; what is there already is not there twice."""
        known = set(self._paths)
        new = [path for path in dict.fromkeys(str(Path(path).absolute()) for path in paths) if path not in known]
        if not new:
            return
        self._paths += new
        self._weights += [1] * len(new)
        folder = Path(new[-1])
        self._preferences.keep("folder", str(folder.parent))
        self._show()
        self.changed.emit()

    def remove_chosen(self) -> None:
        """Take the chosen ones out."""
        chosen = {index.row() for index in self.table.selectedIndexes()}
        if not chosen:
            return
        self._paths = [path for row, path in enumerate(self._paths) if row not in chosen]
        self._weights = [weight for row, weight in enumerate(self._weights) if row not in chosen]
        self._show()
        self.changed.emit()

    def ask_files(self) -> None:
        """Ask for files."""
        names, _ = QFileDialog.getOpenFileNames(self, "Treebanks", self._preferences.text("folder"), _FILES)
        self.add(names)

    def ask_folder(self) -> None:
        """Ask for a folder."""
        name = QFileDialog.getExistingDirectory(self, "A folder of trees", self._preferences.text("folder"))
        self.add([name] if name else [])

    def show_counts(self, sources: Sequence[SourceSurvey]) -> None:
        """Show how many trees each has; without any, that this is not known yet."""
        self._show(sources)

    def _show(self, sources: Sequence[SourceSurvey] = ()) -> None:
        self._filling = True
        self.table.setRowCount(len(self._paths))
        for row, (path, weight) in enumerate(zip(self._paths, self._weights, strict=True)):
            known = sources[row] if row < len(sources) else None
            trees, broken = (f"{known.trees:,}", f"{known.broken:,}") if known else ("…", "…")
            for column, text in enumerate((corpus_name(path), trees, broken, str(weight))):
                item = QTableWidgetItem(text)
                item.setToolTip(_WEIGHT_TIP if column == WEIGHT else no_markup(path))
                flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
                item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if column == WEIGHT else flags)
                if column != NAME:
                    item.setTextAlignment(_RIGHT)
                self.table.setItem(row, column, item)
        self._filling = False
        self.remove.setEnabled(bool(self._paths))
        self.hint.setVisible(not self._paths)

    def _edited(self, item: QTableWidgetItem) -> None:
        """Keep whole numbers from 1 on, whatever was typed."""
        if self._filling or item.column() != WEIGHT:
            return
        text = item.text().strip().lstrip("0")
        self._weights[item.row()] = min(int(text), _MOST_WEIGHT) if text.isascii() and text.isdigit() else 1
        self._filling = True
        item.setText(str(self._weights[item.row()]))
        self._filling = False
