"""The dialog of a crash report: it can be read, copied and saved; sentences are in it only if that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from engine.common.files import open_file, write_whole

_SIZE = (680, 560)
_ABOUT = (
    "This is what a report of a fault needs: where in the program it happened, and on what it runs. Your sentences and "
    "the names of your files are not in it. Nothing is sent: copy or save it, and add it to your report."
)
LONGEST_REPORT = 1_000_000
MOST_SENTENCES = 20


class CrashDialog(QDialog):
    """Shows a report.

    Parameters
    ----------
    path
        Its file.
    sentences
        Those that are open now, the one that is shown first.
    show_error
        Called with what cannot be read or saved.
    parent
        The window over which it opens.
    """

    def __init__(
        self, path: Path, sentences: Callable[[], list[str]], show_error: Callable[[Exception], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("crash-report")
        self.setWindowTitle("Crash report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._path = path
        self._sentences = sentences
        self._show_error = show_error
        self._report = _text(path)
        about = QLabel(_ABOUT)
        about.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Crash report")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.include = QCheckBox("Include my sentences (those that are open now)")
        self.include.toggled.connect(self._refresh)
        copy, save, close = QPushButton("Copy"), QPushButton("Save …"), QPushButton("Close")
        copy.setToolTip("Put the report on the clipboard")
        save.setToolTip("Write the report to a file")
        close.setDefault(True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        save.clicked.connect(self._ask_where)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(copy)
        foot.addWidget(save)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(about)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.include)
        layout.addLayout(foot)
        self.resize(*_SIZE)
        self._refresh()

    def _refresh(self) -> None:
        text = self._report
        if self.include.isChecked():
            text += "\nSentences:\n" + "\n".join(self._sentences()[:MOST_SENTENCES]) + "\n"
        self.text.setPlainText(text)

    def _ask_where(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save crash report", self._path.name, "Text (*.txt)")
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write what is shown to a file."""
        try:
            write_whole(path, self.text.toPlainText().encode())
        except EngineError as error:
            self._show_error(error)


def _text(path: Path) -> str:
    try:
        with open_file(path) as file:
            return file.read(LONGEST_REPORT).decode(errors="replace")
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror or error})"
