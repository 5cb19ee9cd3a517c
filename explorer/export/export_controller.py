"""Leaving with something: pictures of any stage and the parse as text, to files and to the clipboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
)

from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.export import FORMATS
from explorer.appearance.fonts import QtMetrics
from explorer.graphics.drawing import Drawing
from explorer.graphics.pictures import (
    arrows_picture,
    gaps_picture,
    matrix_picture,
    parse_picture,
    reduced_picture,
    sentence_picture,
    tree_picture,
    triangle_picture,
)
from explorer.graphics.theme import THEMES, Theme

if TYPE_CHECKING:
    from explorer.application.main_window import MainWindow

PICTURES: Mapping[str, str] = {
    "parse": "Tree and arrows",
    "tree": "Tree",
    "arrows": "Arrows",
    "sentence": "Sentence",
    "gaps": "Gaps",
    "reduced": "Reduced sentence",
    "matrix": "F̂ matrix",
    "chart": "Chart",
}
"""What can be exported, by the name that the command line knows it by."""
_MAKERS: Mapping[str, Any] = {
    "parse": parse_picture,
    "tree": tree_picture,
    "arrows": arrows_picture,
    "sentence": sentence_picture,
    "gaps": gaps_picture,
    "reduced": reduced_picture,
    "matrix": matrix_picture,
    "chart": triangle_picture,
}
PICTURE_SUFFIXES = (".svg", ".pdf", ".png", ".tex")
STAGE_PICTURES = ("sentence", "gaps", "reduced", "matrix", "chart", "parse")
_IMAGE_SCALE = 2.0
"""An image is drawn for today's screens and for print where nothing else is wanted; what has no pixels at its size."""
_PIXELS_PER_CM = 96 / 2.54
_SIZE_UP_TO = 60
"""Words up to which it takes no time to tell how large a picture will be."""


def usual_scale(suffix: str) -> float:
    """The scale of a picture in a file with this ending, where none is named."""
    return _IMAGE_SCALE if suffix.lower() == ".png" else 1.0


def picture(parse: Parse, what: str, metrics: QtMetrics) -> Drawing:
    """One of :data:`PICTURES`."""
    made: Drawing = _MAKERS[what](parse, metrics)
    return made


def format_of(path: Path, name: str = "") -> str:
    """The text format for a file: the one that is named, or the first with the file's ending; empty if none."""
    if name:
        if name not in FORMATS:
            raise EngineError(f"there is no format `{name}`; choose one of {', '.join(FORMATS)}")
        return name
    suffix = path.suffix.lower()
    if suffix in PICTURE_SUFFIXES:
        return ""
    return next((name for name, form in FORMATS.items() if form.suffix == suffix), "")


def write_parse(
    parse: Parse, path: Path, theme: Theme, what: str = "parse", scale: float | None = None, name: str = ""
) -> None:
    """Write one parse to a file, as picture or text by its ending; raise :class:`EngineError` in one sentence."""
    scale = usual_scale(path.suffix) if scale is None else scale
    form = format_of(path, name)
    if form:
        write_texts([parse], path, form)
    else:
        check_ending(path)
        metrics = QtMetrics()
        write_drawing(picture(parse, what, metrics), path, theme, scale, metrics)


def write_texts(parses: Iterable[Parse], path: Path, name: str) -> None:
    """Write parses to a file in one of the text formats: of each sentence one, whatever else was found for it."""
    form = FORMATS[name]
    write_whole(path, form.frame([form.piece(parse.alone()) for parse in parses]).encode())


def check_ending(path: Path) -> None:
    """Raise :class:`EngineError` if a file's ending stands for neither a picture nor text."""
    known = {*PICTURE_SUFFIXES, *(form.suffix for form in FORMATS.values())}
    if path.suffix.lower() not in known:
        raise EngineError(f"{path}: the ending says what to write; choose one of {' '.join(sorted(known))}")


def write_drawing(drawing: Drawing, path: Path, theme: Theme, scale: float, metrics: QtMetrics) -> None:
    """Write a picture to a file."""
    from explorer.export.picture_files import ExportError, save_picture

    try:
        save_picture(drawing, path, theme, scale, metrics)
    except ExportError as error:
        raise EngineError(str(error)) from error


class ExportDialog(QDialog):
    """What to export, how, in which colours and how large."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setWindowTitle("Export")
        self.what = QComboBox()
        for name, title in PICTURES.items():
            self.what.addItem(title, ("picture", name))
        for name, form in FORMATS.items():
            self.what.addItem(f"As text: {form.title}", ("text", name))
        current = STAGE_PICTURES[window.session.stage]
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
        self.scale.valueChanged.connect(self._tell_size)
        self._enable()

    def _recall(self) -> None:
        """Format, colours and scale of the last time; what is shown is the picture of the stage."""
        preferences = self._window.preferences
        for box, name in ((self.form, "export-format"), (self.theme, "export-theme")):
            place = box.findData(preferences.text(name))
            box.setCurrentIndex(max(place, 0))
        self.scale.setValue(preferences.number("export-scale", usual_scale(str(self.form.currentData()))))

    def _remember(self) -> None:
        preferences = self._window.preferences
        preferences.keep("export-format", str(self.form.currentData()))
        preferences.keep("export-theme", str(self.theme.currentData()))
        preferences.keep("export-scale", self.scale.value())

    def _other_format(self) -> None:
        """Another format has another usual scale."""
        self.scale.setValue(usual_scale(str(self.form.currentData())))
        self._tell_size()

    def _enable(self) -> None:
        is_picture = self.what.currentData()[0] == "picture"
        for box in (self.form, self.theme, self.scale):
            box.setEnabled(is_picture)
        self._tell_size()

    def _tell_size(self) -> None:
        """How large the picture will be: in pixels, or on paper."""
        kind, name = self.what.currentData()
        parse = self._parse(kind, name)
        said = ""
        if kind == "picture" and parse is not None and 0 < len(parse.sentence.positions) <= _SIZE_UP_TO:
            made = picture(parse, name, QtMetrics())
            width, height = made.width * self.scale.value(), made.height * self.scale.value()
            if self.form.currentData() == ".png":
                said = f"{width:,.0f} × {height:,.0f} pixels"
            else:
                said = f"{width / _PIXELS_PER_CM:.1f} × {height / _PIXELS_PER_CM:.1f} cm"
        self.size_note.setText(said)

    def _parse(self, kind: str, name: str) -> Parse | None:
        """The parse that is shown; of the chart it is the best one, whose it is."""
        session = self._window.session
        if kind == "picture" and name == "chart" and session.answer is not None:
            return session.answer.parse
        return session.parse

    def suffix(self) -> str:
        """The ending of the file."""
        kind, name = self.what.currentData()
        if kind == "picture":
            return str(self.form.currentData())
        return FORMATS[name].suffix

    def write(self, path: Path) -> None:
        """Write the file; what went wrong is said over the picture."""
        window = self._window
        kind, name = self.what.currentData()
        parse = self._parse(kind, name)
        if parse is None:
            window.say("There is no parse to export", True)
            return
        theme = THEMES[self.theme.currentData()]
        form = name if kind == "text" else ""
        try:
            write_parse(parse, path, theme, name if kind == "picture" else "parse", self.scale.value(), form)
        except EngineError as error:
            window.say(str(error), True)
            return
        window.say(f"Written: {path.name}")
        if kind == "picture":
            self._remember()
        self.accept()

    def _save(self) -> None:
        suffix = self.suffix()
        start = str(Path(self._window.preferences.text("folder")) / f"{self.what.currentData()[1]}{suffix}")
        name, _ = QFileDialog.getSaveFileName(self, "Export", start, f"*{suffix}")
        if name:
            path = Path(name)
            self.write(path if path.suffix else path.with_suffix(suffix))


class Leaving:
    """What a window puts on the clipboard and into files."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def copy_text(self, text: str, said: str) -> None:
        """Put some text on the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self._window.say(said)

    def copy_tree(self) -> None:
        """Put the tree on the clipboard in brackets."""
        parse = self._window.session.parse
        if parse is not None:
            self.copy_text(parse.tree.pretty(), "Tree copied as brackets")

    def copy_picture(self) -> None:
        """Put the picture on the clipboard, as SVG and as image."""
        from explorer.export.picture_files import clipboard_data

        canvas = self._window.view.canvas
        if canvas.drawing is not None:
            data = clipboard_data(canvas.drawing, self._window.theme, 2.0, canvas.metrics)
            QGuiApplication.clipboard().setMimeData(data)
            self._window.say("Picture copied")

    def export(self) -> None:
        """Open the dialog that writes the picture or the parse to a file."""
        dialog = ExportDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
