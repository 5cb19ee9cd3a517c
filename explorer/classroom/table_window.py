"""A window with one table that can be written as CSV: the class's answers, the students' results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine.common.csv_text import Cell
from engine.common.errors import EngineError
from explorer.document.messages import as_sentence, error_text
from explorer.document.preferences import Preferences
from explorer.graphics.number_text import probability_text
from explorer.widgets.rows_table import Row, RowsView


class TableWindow(QDialog):
    """Shows a table, and writes it to a file.

    Parameters
    ----------
    title
        What it shows.
    header, rows, numbers
        The table, and which of its columns are numbers.
    note
        What is said below it, paragraph by paragraph.
    save
        Writes it to a file.
    file_name
        What the file is called unless a person says otherwise.
    preferences
        Which folder is remembered.
    key
        The column by which a row is known, which is never squeezed.
    """

    def __init__(
        self,
        title: str,
        header: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        numbers: Sequence[int],
        note: str,
        save: Callable[[Path], None],
        file_name: str,
        preferences: Preferences,
        key: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._save = save
        self._file_name = file_name
        self._preferences = preferences
        self.table = RowsView(header, numbers, name=title, key=key)
        self.table.set_rows([Row(tuple(map(_cell_text, row)), number) for number, row in enumerate(rows)])
        self.note = QLabel(note, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.setVisible(bool(note))
        self.status = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.export = QPushButton("Export as CSV …")
        self.export.setToolTip("Write the table to a file that any spreadsheet opens")
        self.export.setEnabled(bool(rows))
        self.export.clicked.connect(lambda: self.ask_file())
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addWidget(self.status, 1)
        row.addWidget(self.export)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        layout.addLayout(row)
        self.resize(980, 520)

    def ask_file(self) -> None:
        """Ask for a file, and write the table to it."""
        start = str(Path(self._preferences.text("folder")) / self._file_name)
        name, _ = QFileDialog.getSaveFileName(self, self.windowTitle(), start, "CSV (*.csv)")
        if name:
            self.write(Path(name).with_suffix(Path(name).suffix or ".csv"))

    def write(self, path: Path) -> None:
        """Write the table to a file."""
        try:
            self._save(path)
        except (OSError, EngineError) as error:
            self.status.setText(as_sentence(error_text(error)))
        else:
            self.status.setText(f"Written: {path.name}.")


def _cell_text(cell: Cell) -> str:
    if cell is None:
        return ""
    return probability_text(cell) if isinstance(cell, float) else str(cell)
