"""The pictures of the page on architecture: drawn without overlaps, shown by the page, and of what is really there."""

from __future__ import annotations

import importlib
import re
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from explorer.kit.fonts import QtMetrics
from explorer.pictures.drawing import Text
from explorer.pictures.theme import STYLES
from tests.documentation.architecture_pictures import PAGES, SCALE, WIDTH, Sheet, main

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "resources" / "manual"
LEAST_PIXELS = 12
"""Of type, at 900 pixels: 9 pt."""


def is_there(name: str) -> bool:
    """Whether a folder, a file, a module, or something that a module defines has this name."""
    if "/" in name or name in ("engine", "explorer"):
        return (ROOT / name).exists()
    known = name.partition(".")[0]
    found: object = importlib.import_module(known)
    for part in name.split(".")[1:]:
        known = f"{known}.{part}"
        with suppress(ModuleNotFoundError):
            importlib.import_module(known)
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


@pytest.mark.parametrize("name", PAGES)
def test_a_picture_names_only_what_there_is(name: str) -> None:
    sheet = Sheet(QtMetrics())
    drawing = PAGES[name](sheet)
    assert len(sheet.named) > 4 and len(sheet.boxes) > 4
    assert [one for one in sheet.named if not is_there(one)] == []
    assert drawing.width == WIDTH
    # Nothing that is written leaves the picture, or is too small.
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            width = sheet.metrics.width(shape.text, shape.style)
            left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
            assert left >= 0 and left + width <= WIDTH, shape.text
            assert STYLES[shape.style].size >= LEAST_PIXELS
    assert drawing.text_twin.count("\n") > 8


def test_the_page_shows_the_pictures_that_the_command_makes(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    page = (MANUAL / "architecture.md").read_text("utf-8")
    assert re.findall(r"\(pictures/([\w-]+)\.png\)", page) == list(PAGES)
    for name in PAGES:
        made, shown = (QImage(str(folder / f"{name}.png")) for folder in (tmp_path, MANUAL / "pictures"))
        assert made.size() == shown.size() and made.width() == WIDTH * SCALE
        assert (MANUAL / "pictures" / f"{name}.png").stat().st_size < 300_000
