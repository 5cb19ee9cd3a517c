"""Every picture of a parse, in every way in which it can be written down."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache, partial

from PySide6.QtWidgets import QApplication

from explorer.canvas.stage_picture import with_glossary
from explorer.kit.fonts import FALLBACK, QtMetrics, register_fonts
from explorer.output.files import pdf_bytes, picture
from explorer.pictures.drawing import Drawing
from explorer.pictures.layout import Room
from explorer.pictures.theme import DARK, LIGHT
from explorer.pictures.vector import svg_text, tikz_text
from explorer.stages.stages import pictures
from tests.golden.folders import Case, Files
from tests.golden.material import FIFTEEN, ODD, SEVEN, THIRTY, result

NARROW = Room(520.0, 400.0)
_WRITTEN_WHEN = re.compile(
    rb"/(CreationDate|ModDate) ?\([^)]*\)|/ID ?\[[^\]]*\]|<(rdf|xmp|pdf|xap|xmpMM):.*?>.*?<|uuid:[^<]*"
)


@cache
def application() -> QApplication:
    """Qt, with the typeface that is the same on every machine."""
    made = QApplication.instance() or QApplication(["golden"])
    assert isinstance(made, QApplication)
    register_fonts()
    return made


def written(drawing: Drawing, metrics: QtMetrics) -> Files:
    """A drawing as SVG and LaTeX, and what its PDF comes to."""
    yield "light.svg", svg_text(drawing, LIGHT, 1.0, metrics.family).replace("><", ">\n<")
    yield "tex", tikz_text(drawing, DARK)
    # When it was written, and under which number, differs; the rest is the picture.
    data = _WRITTEN_WHEN.sub(b"", pdf_bytes(drawing, LIGHT, 1.0, metrics))
    yield "pdf.txt", hashlib.sha256(data).hexdigest()


def _draw(asked: Iterable[tuple[str, int, str, str]]) -> Files:
    application()
    metrics = QtMetrics(FALLBACK)
    for model, preset, name, text in asked:
        parse = result(model, preset, text).parse
        for what in pictures():
            if what == "chart" and parse.chart is None:
                continue
            at = f"{model}-{preset}-{name}/{what}"
            drawing = picture(parse, what, metrics)
            yield f"{at}.txt", with_glossary(drawing, parse).text_twin + "\n"
            for ending, data in written(drawing, metrics):
                yield f"{at}.{ending}", data
            narrow = picture(parse, what, metrics, NARROW)
            yield f"{at}.narrow.svg", svg_text(narrow, LIGHT, 1.0, metrics.family).replace("><", ">\n<")


FAST = (
    *(("english", preset, "seven", SEVEN) for preset in (1, 3, 5)),
    ("classroom", 2, "fifteen", FIFTEEN),
    ("english", 5, "thirty", THIRTY),
    *(("english", 5, f"odd-{at}", text) for at, text in enumerate(ODD)),
)
ALL = (
    *(("english", preset, "seven", SEVEN) for preset in (2, 4)),
    *(("english", preset, "fifteen", FIFTEEN) for preset in (1, 2, 3, 4, 5)),
    *(("english", preset, "thirty", THIRTY) for preset in (1, 2, 3, 4)),
)
CASES = (Case("pictures", partial(_draw, FAST)), Case("pictures-all", partial(_draw, ALL), fast=False))
