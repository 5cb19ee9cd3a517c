"""The export dialog: what to export, how, in which colours and how large."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from engine.common.errors import EngineError
from explorer.appearance.fonts import QtMetrics
from explorer.document.messages import Messages
from explorer.document.parse_service import ParseService
from explorer.document.preferences import Preferences
from explorer.document.view_state import ViewState
from explorer.export.parse_files import PICTURES, STAGE_PICTURES, picture, text_formats, usual_scale, write_parse
from explorer.graphics.theme import THEMES

_PIXELS_PER_CM = 96 / 2.54
_SIZE_UP_TO = 60
"""Words up to which it takes no time to tell how large a picture will be."""


class ExportDialog(QDialog):
    """What to export, how, in which colours and how large."""

    def __init__(
        self, parses: ParseService, view: ViewState, preferences: Preferences, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parses = parses
        self._view = view
        self._preferences = preferences
        self._messages = messages
        self.setWindowTitle("Export")
        self.what = QComboBox()
        for name, title in PICTURES.items():
            self.what.addItem(title, ("picture", name))
        for name, form in text_formats().items():
            self.what.addItem(f"As text: {form.title}", ("text", name))
        current = STAGE_PICTURES[view.stage]
        self.what.setCurrentIndex(list(PICTURES).index(current))
        self.form = QComboBox()
        for suffix, title in ((".svg", "SVG"), (".pdf", "PDF"), (".png", "PNG"), (".tex", "TikZ for LaTeX")):
            self.form.addItem(title, suffix)
        self.theme = QComboBox()
        for name in ("light", "dark", "colourless"):
            self.theme.addItem(THEMES[name].title, name)
        self.scale = QDoubleSpinBox(minimum=0.25, maximum=8.0, singleStep=0.25, suffix=" ×")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(12)
        rows = QFormLayout()
        rows.setHorizontalSpacing(12)
        rows.setVerticalSpacing(8)
        rows.addRow("What", self.what)
        rows.addRow("Format", self.form)
        rows.addRow("Colours", self.theme)
        rows.addRow("Scale", self.scale)
        self.size_note = QLabel()
        self.size_note.setObjectName("quiet")
        self.size_note.setMinimumWidth(360)
        rows.addRow("", self.size_note)
        layout.addLayout(rows)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self._recall()
        self.what.currentIndexChanged.connect(self._enable)
        self.form.currentIndexChanged.connect(self._other_format)
        self.scale.valueChanged.connect(self._show_size)
        self._enable()

    def _recall(self) -> None:
        """Format, colours and scale of the last time; what is shown is the picture of the stage."""
        preferences = self._preferences
        for box, name in ((self.form, "export-format"), (self.theme, "export-theme")):
            place = box.findData(preferences.text(name))
            box.setCurrentIndex(max(place, 0))
        self.scale.setValue(preferences.number("export-scale", usual_scale(str(self.form.currentData()))))

    def _remember(self) -> None:
        preferences = self._preferences
        preferences.keep("export-format", str(self.form.currentData()))
        preferences.keep("export-theme", str(self.theme.currentData()))
        preferences.keep("export-scale", self.scale.value())

    def _other_format(self) -> None:
        """Choose the usual scale of another format."""
        self.scale.setValue(usual_scale(str(self.form.currentData())))
        self._show_size()

    def _enable(self) -> None:
        is_picture = self.what.currentData()[0] == "picture"
        for box in (self.form, self.theme, self.scale):
            box.setEnabled(is_picture)
        self._show_size()

    def _show_size(self) -> None:
        """How large the picture will be: in pixels, or on paper."""
        kind, name = self.what.currentData()
        parse = self._parses.shown
        text = ""
        if kind == "picture" and parse is not None and 0 < len(parse.sentence.positions) <= _SIZE_UP_TO:
            made = picture(parse, name, QtMetrics())
            width, height = made.width * self.scale.value(), made.height * self.scale.value()
            if self.form.currentData() == ".png":
                text = f"{width:,.0f} × {height:,.0f} pixels"
            else:
                text = f"{width / _PIXELS_PER_CM:.1f} × {height / _PIXELS_PER_CM:.1f} cm"
        self.size_note.setText(text)

    def suffix(self) -> str:
        """The ending of the file."""
        kind, name = self.what.currentData()
        if kind == "picture":
            return str(self.form.currentData())
        return str(text_formats()[name].suffix)

    def write(self, path: Path) -> None:
        """Write the file; what went wrong is shown over the picture."""
        kind, name = self.what.currentData()
        parse = self._parses.shown
        if parse is None:
            self._messages.show("There is no parse to export", True)
            return
        theme = THEMES[self.theme.currentData()]
        form = name if kind == "text" else ""
        try:
            write_parse(parse, path, theme, name if kind == "picture" else "parse", self.scale.value(), form)
        except EngineError as error:
            self._messages.show_error(error)
            return
        self._messages.show(f"Written to {path.name}")
        if kind == "picture":
            self._remember()
        self.accept()

    def _save(self) -> None:
        suffix = self.suffix()
        start = str(Path(self._preferences.text("folder")) / f"{self.what.currentData()[1]}{suffix}")
        name, _ = QFileDialog.getSaveFileName(self, "Export", start, f"*{suffix}")
        if name:
            path = Path(name)
            self.write(path if path.suffix else path.with_suffix(suffix))
