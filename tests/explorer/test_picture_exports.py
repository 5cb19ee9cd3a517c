"""Files of pictures are what they say, and have the coordinates of the screen."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from explorer.kit.fonts import QtMetrics
from explorer.output import files as exports
from explorer.output.files import ExportError, clipboard_data, image_of, pdf_bytes, save_picture
from explorer.pictures.drawing import Drawing, Stroke, Text
from explorer.pictures.sentence import reduced_picture
from explorer.pictures.theme import COLOURLESS, DARK, LIGHT, THEMES, on_white
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.pictures.vector import svg_text, tex_escape, tikz_text
from explorer.stages.stages import pictures

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def arrows(paper: Parse, metrics: QtMetrics) -> Drawing:
    return parse_picture(paper, metrics)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_svg_is_xml_with_title_description_and_view_box(arrows: Drawing, theme: object) -> None:
    root = ElementTree.fromstring(svg_text(arrows, theme, 2.0))  # type: ignore[arg-type]
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == arrows.title
    assert root.findtext(f"{SVG}desc") == arrows.text_twin
    assert [float(value) for value in (root.get("viewBox") or "").split()] == list(arrows.bounds)
    assert float(root.get("width") or 0) == 2 * arrows.width
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert "PRP$" in shown and "announced" in shown


def test_svg_tikz_and_screen_use_the_same_coordinates(arrows: Drawing, metrics: QtMetrics) -> None:
    texts = [shape for shape in arrows.shapes if isinstance(shape, Text)]
    root = ElementTree.fromstring(svg_text(arrows, LIGHT))
    in_svg = [(float(one.get("x") or 0), float(one.get("y") or 0), one.text) for one in root.iter(f"{SVG}text")]
    assert [text for _, _, text in in_svg] == [one.text for one in texts]
    assert [(x, y) for x, y, _ in in_svg] == [pytest.approx((one.x, one.y), abs=1e-3) for one in texts]
    found = re.findall(r"\\node\[[^\]]*\] at \(([-\d.]+),([-\d.]+)\)", tikz_text(arrows, LIGHT))
    assert [(float(x), float(y)) for x, y in found] == [(x, y) for x, y, _ in in_svg]
    # On the screen every word's ink lies where the drawing says.
    image = image_of(arrows, LIGHT, 1.0, metrics)
    for text in texts:
        if text.style.startswith("word") and text.text.isalpha():
            x, y = text.x - arrows.bounds.x, text.y - arrows.bounds.y
            half = metrics.width(text.text, text.style) / 2
            assert ink(image, x - half, y - 11, 2 * half, 11) > 10, text.text
            # Nothing of it lies beyond its measured width.
            assert ink(image, x - half - 4, y - 10, 3, 9) == 0 or text.text in ("John", "the", "his", "IBM"), text.text


def ink(image: QImage, x: float, y: float, width: float, height: float) -> int:
    """Pixels that are darker than paper."""
    return sum(
        image.pixelColor(round(x) + dx, round(y) + dy).lightness() < 200
        for dx in range(max(round(width), 1))
        for dy in range(round(height))
    )


def test_lines_are_painted_where_they_are(metrics: QtMetrics, telescope: Parse) -> None:
    drawing = reduced_picture(telescope, metrics)
    image = image_of(drawing, LIGHT, 1.0, metrics)
    lines = [one for one in drawing.shapes if isinstance(one, Stroke) and one.x1 == one.x2 and one.dash == "solid"]
    assert lines
    for line in lines:
        x, y = line.x1 - drawing.bounds.x, (line.y1 + line.y2) / 2 - drawing.bounds.y
        assert ink(image, x - 1, y - 2, 3, 4) > 0


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 3.0])
def test_png_has_its_size_by_the_scale(arrows: Drawing, tmp_path: Path, scale: float, metrics: QtMetrics) -> None:
    path = save_picture(arrows, tmp_path / "picture.png", DARK, scale, metrics)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (round(arrows.width * scale), round(arrows.height * scale))
    assert image.pixelColor(1, 1) == QColor(DARK.colour("background"))


def test_a_pdf_in_light_colours_is_on_white(arrows: Drawing, metrics: QtMetrics) -> None:
    drawn = b"".join(packed_streams(pdf_bytes(arrows, LIGHT, 1.0, metrics)))
    filled = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) scn", drawn)
    assert {float(part) for part in filled[0]} == {1.0}
    # What is painted over with the ground is white, too.
    assert not any(0.98 < float(part) < 1 for colour in filled for part in colour)
    assert on_white(DARK) is DARK and on_white(LIGHT).colour("ink") == LIGHT.colour("ink")


def packed_streams(data: bytes) -> Iterator[bytes]:
    """What a PDF file holds, unpacked."""
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S):
        try:
            yield zlib.decompress(packed)
        except zlib.error:
            continue


def test_pdf_embeds_its_fonts_and_has_the_pictures_size(arrows: Drawing, tmp_path: Path, metrics: QtMetrics) -> None:
    data = save_picture(arrows, tmp_path / "picture.PDF", LIGHT, 1.0, metrics).read_bytes()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    streams = [data, *packed_streams(data)]
    assert any(re.search(rb"/FontFile[23]?\b", part) for part in streams)
    box = re.search(rb"/MediaBox\s*\[([^\]]*)\]", data)
    assert box is not None
    width, height = [float(value) for value in box[1].split()][2:]
    assert width == pytest.approx(arrows.width * 0.75, abs=1) and height == pytest.approx(arrows.height * 0.75, abs=1)
    if shutil.which("pdffonts"):
        listed = subprocess.run(["pdffonts", tmp_path / "picture.PDF"], capture_output=True, text=True, check=True)
        # name, type, encoding, embedded, subset, unicode, object (two numbers)
        rows = [line.split() for line in listed.stdout.splitlines()[2:]]
        assert rows and all("DejaVu" in row[0] and row[-5] == "yes" for row in rows)


def test_tikz_escapes_what_latex_would_misread(paper: Parse, metrics: QtMetrics) -> None:
    text = tikz_text(tree_picture(paper, metrics), LIGHT)
    assert "PRP\\$" in text and text.count("\\begin{tikzpicture}") == text.count("\\end{tikzpicture}") == 1
    assert tex_escape("50% of foo_bar {x} #1 ~^ \\") == (
        "50\\% of foo\\_bar \\{x\\} \\#1 \\textasciitilde{}\\textasciicircum{} \\textbackslash{}"
    )
    assert tex_escape("▸ ⊢ NN\a [x]") == " $\\vdash$ NN\\texttt{U+0007} {[}x{]}"
    assert tex_escape("F̂ ≤ 10⁻⁵") == "$\\hat{F}$ $\\leq$ 10$^{-5}$"


def test_latex_sets_the_picture(paper: Parse, metrics: QtMetrics, tmp_path: Path) -> None:
    if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", "tikz.sty"], capture_output=True).returncode:
        pytest.skip("no LaTeX with TikZ on this machine")
    for name in ("parse", "gaps", "matrix", "chart"):
        drawing = pictures()[name].draw(paper, metrics)
        body = tikz_text(drawing, LIGHT)
        source = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{tikz}\\begin{document}\n"
        (tmp_path / f"{name}.tex").write_text(source + body + "\\end{document}\n")
        ran = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"], cwd=tmp_path, capture_output=True
        )
        assert ran.returncode == 0, ran.stdout.decode(errors="replace")[-1500:]


def test_words_that_are_no_xml_make_xml(classroom: object, metrics: QtMetrics) -> None:
    import engine

    assert isinstance(classroom, engine.Model)
    parse = Parser.preset(classroom, 3).parse('<b>&amp;"/SYM \x07bell/NN costs/VBZ ]]>/NN')
    root = ElementTree.fromstring(svg_text(parse_picture(parse, metrics), LIGHT))
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert '<b>&amp;"' in shown and "□bell" in shown


def test_colourless_files_have_no_colour(arrows: Drawing) -> None:
    colours = re.findall(r'"#([0-9a-f]{6})"', svg_text(arrows, COLOURLESS))
    assert len(set(colours)) > 1 and all(colour[:2] == colour[2:4] == colour[4:] for colour in colours)


def test_a_file_is_replaced_whole_or_not_at_all(
    arrows: Drawing, tmp_path: Path, metrics: QtMetrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "picture.svg"
    path.write_text("old")
    monkeypatch.setattr(exports, "svg_text", lambda *arguments: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_picture(arrows, path, LIGHT, 1.0, metrics)
    assert path.read_text() == "old"
    monkeypatch.undo()
    save_picture(arrows, path, LIGHT, 1.0, metrics)
    assert path.read_text().startswith("<?xml")
    assert [one.name for one in tmp_path.iterdir()] == ["picture.svg"]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_what_cannot_be_written_is_said_error_text(arrows: Drawing, tmp_path: Path, metrics: QtMetrics) -> None:
    for path, scale, words in (
        (tmp_path / "picture.jpg", 1.0, "ends in .svg"),
        (tmp_path / "picture", 1.0, "ends in .svg"),
        (tmp_path / "no" / "picture.svg", 1.0, "cannot be written"),
        (tmp_path / "picture.png", 0.0, "cannot be drawn"),
        (tmp_path / "picture.png", 20.0, "too many for an image"),
    ):
        with pytest.raises(ExportError, match=words):
            save_picture(arrows, path, LIGHT, scale, metrics)
    assert list(tmp_path.iterdir()) == []


def test_the_clipboard_holds_image_svg_and_text(arrows: Drawing, metrics: QtMetrics) -> None:
    data = clipboard_data(arrows, LIGHT, 1.0, metrics)
    assert data.hasImage() and data.text() == arrows.text_twin
    ElementTree.fromstring(bytes(data.data("image/svg+xml").data()).decode())
    QGuiApplication.clipboard().setMimeData(data)
    assert QGuiApplication.clipboard().image().width() == round(arrows.width)
