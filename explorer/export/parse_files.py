"""Parses as files: a picture of any stage or text in any of the engine's formats, by the file's ending."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.common.files import write_whole
from explorer.appearance.fonts import QtMetrics
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
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
from explorer.graphics.theme import Theme

if TYPE_CHECKING:
    from engine.export.export_format import Format

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
"""An image has pixels enough for today's screens and for print where nothing else is wanted."""


def usual_scale(suffix: str) -> float:
    """The scale of a picture in a file with this ending, where none is named."""
    return _IMAGE_SCALE if suffix.lower() == ".png" else 1.0


def picture(parse: Parse, what: str, metrics: QtMetrics) -> Drawing:
    """One of :data:`PICTURES`."""
    made: Drawing = _MAKERS[what](parse, metrics)
    return made


def picture_in(parse: Parse, what: str, metrics: Metrics, room: Room) -> Drawing:
    """One of :data:`PICTURES`, laid out for so much room."""
    made: Drawing = _MAKERS[what](parse, metrics, room=room)
    return made


def text_formats() -> Mapping[str, Format]:
    """The engine's text formats by name: each has a title, a suffix and ``write(parse)``."""
    # Imported when it is needed: a start does not wait for what it does not show.
    from engine.export import FORMATS

    return FORMATS


def format_of(path: Path, name: str = "") -> str:
    """The text format for a file: the one that is named, or the first with the file's ending; empty if none."""
    formats = text_formats()
    if name:
        if name not in formats:
            raise EngineError(f"there is no format `{name}`; choose one of {', '.join(formats)}")
        return name
    suffix = path.suffix.lower()
    if suffix in PICTURE_SUFFIXES:
        return ""
    return next((name for name, form in formats.items() if form.suffix == suffix), "")


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
    form = text_formats()[name]
    write_whole(path, form.frame([form.piece(parse.alone()) for parse in parses]).encode())


def check_ending(path: Path) -> None:
    """Raise :class:`EngineError` if a file's ending stands for neither a picture nor text."""
    known = {*PICTURE_SUFFIXES, *(form.suffix for form in text_formats().values())}
    if path.suffix.lower() not in known:
        raise EngineError(f"{path}: the ending says what to write; choose one of {' '.join(sorted(known))}")


def write_drawing(drawing: Drawing, path: Path, theme: Theme, scale: float, metrics: QtMetrics) -> None:
    """Write a picture to a file."""
    from explorer.export.picture_files import ExportError, save_picture

    try:
        save_picture(drawing, path, theme, scale, metrics)
    except ExportError as error:
        raise EngineError(str(error)) from error
