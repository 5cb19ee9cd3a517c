"""Leaving with a comparison: as picture (SVG, PDF, PNG), as a page (HTML), as text and as LaTeX."""

from __future__ import annotations

import html
from pathlib import Path

from engine.errors import EngineError
from engine.export import FORMATS
from engine.files import write_whole
from explorer.compare.comparing import Comparison
from explorer.compare.pictures import headline, score_text, sheet_picture, two_parses
from explorer.compare.rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    cells_of,
    error_rows,
    ledger_header,
    ledger_rows,
    parseval_text,
)
from explorer.explaining.blocks import Block, Explanation, Heading, Paragraph, Table
from explorer.fonts import QtMetrics
from explorer.leaving import usual_scale, write_drawing
from explorer.theme import Theme
from explorer.vector import svg_text

SUFFIXES = {
    ".pdf": "PDF",
    ".svg": "SVG",
    ".png": "PNG",
    ".html": "HTML page",
    ".txt": "Text",
    ".tex": "LaTeX",
}
"""What a comparison can be written as, by the file's ending."""
_FOREST = "forest"


def explanation(comparison: Comparison) -> Explanation:
    """The comparison in words and tables."""
    blocks: list[Block] = [Paragraph(parseval_text(comparison))]
    if comparison.difference is not None:
        rows = ledger_rows(comparison)
        blocks += [
            Heading("Ledger"),
            Table(ledger_header(comparison), cells_of(rows), LEDGER_RIGHT, total=True),
        ]
    errors = error_rows(comparison)
    if errors:
        blocks += [Heading("Errors"), Table(ERRORS_HEADER, cells_of(errors), ERRORS_RIGHT)]
    return Explanation(" ".join(comparison.first.sentence.words), headline(comparison), tuple(blocks))


def as_text(comparison: Comparison) -> str:
    """The comparison as plain text, trees in brackets."""
    parts = [explanation(comparison).text()]
    for title, parse in zip(comparison.titles, (comparison.first, comparison.second), strict=True):
        parts.append(f"{title.upper()}   {score_text(parse)}\n{parse.tree.pretty()}\n")
    return "\n".join(parts)


def as_latex(comparison: Comparison) -> str:
    """The comparison as LaTeX for a document with amsmath, booktabs and forest."""
    parts = [explanation(comparison).latex()]
    for title, parse in zip(comparison.titles, (comparison.first, comparison.second), strict=True):
        parts.append(f"\\paragraph{{{title}}}\n\n{FORMATS[_FOREST].write(parse)}")
    return "\n".join(parts)


def as_html(comparison: Comparison, theme: Theme, metrics: QtMetrics) -> str:
    """The comparison as a page that stands alone: pictures inside, no scripts, nothing fetched."""
    colour = theme.colour
    said = explanation(comparison)
    body = said.html(colour("ink"), colour("muted"), colour("hairline"), colour("accent"))
    picture = svg_text(two_parses(comparison, metrics), theme, 1.0, metrics.family)
    picture = picture[picture.index("<svg") :]
    style = (
        f"body {{ margin: 32px; font: 15px/1.5 '{metrics.family}', sans-serif; "
        f"background: {colour('background')}; color: {colour('ink')}; }} "
        "svg { max-width: 100%; height: auto; } table { border-collapse: collapse; }"
    )
    return (
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{html.escape(said.title)}</title>"
        f"<style>{style}</style></head>\n<body>\n{body}\n<div>{picture}</div>\n</body></html>\n"
    )


def write_comparison(comparison: Comparison, path: Path, theme: Theme) -> None:
    """Write a comparison to a file by its ending; raise :class:`EngineError` in one sentence."""
    metrics = QtMetrics()
    match path.suffix.lower():
        case ".pdf" | ".svg" | ".png":
            write_drawing(sheet_picture(comparison, metrics), path, theme, usual_scale(path.suffix), metrics)
        case ".html":
            write_whole(path, as_html(comparison, theme, metrics).encode())
        case ".txt":
            write_whole(path, as_text(comparison).encode())
        case ".tex":
            write_whole(path, as_latex(comparison).encode())
        case _:
            raise EngineError(f"{path}: the ending says what to write; choose one of {' '.join(SUFFIXES)}")
