"""A comparison as a file or on the clipboard: pages (PDF), a picture (SVG, PNG), a web page, text and LaTeX."""

from __future__ import annotations

from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.common.latex import fitted
from engine.common.markup import SECURITY_POLICY, markup
from engine.export import FORMATS
from explorer.appearance.fonts import QtMetrics
from explorer.comparison.comparison_pages import comparison_pages
from explorer.comparison.comparison_pictures import headline, sheet_picture, two_parses
from explorer.comparison.comparison_rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    ORIGINS_FROM,
    cells_of,
    error_rows,
    ledger_header,
    ledger_rows,
    parseval_text,
)
from explorer.comparison.comparison_task import Comparison
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    TableBlock,
    latex_text,
)
from explorer.export.paged_pdf import paged_pdf, usual_paper
from explorer.export.parse_files import usual_scale, write_drawing
from explorer.graphics.number_text import score_text
from explorer.graphics.theme import LIGHT, Theme
from explorer.graphics.vector import svg_text

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


def explanation(comparison: Comparison, origins: bool = True) -> Explanation:
    """The comparison in words and tables; `origins` says whether the ledger has its wide columns of counts."""
    blocks: list[ExplanationBlock] = [Paragraph(parseval_text(comparison))]
    blocks += [Paragraph(line, quiet=True) for line in comparison.provenance.splitlines()]
    if comparison.difference is not None:
        header, cells = ledger_header(comparison), cells_of(ledger_rows(comparison))
        if not origins:
            header, cells = header[:ORIGINS_FROM], tuple(row[:ORIGINS_FROM] for row in cells)
        blocks += [Heading("Ledger"), TableBlock(header, cells, LEDGER_RIGHT, total=True)]
    errors = error_rows(comparison)
    if errors:
        blocks += [Heading("Errors"), TableBlock(ERRORS_HEADER, cells_of(errors), ERRORS_RIGHT)]
    return Explanation(" ".join(comparison.first.sentence.words), headline(comparison), tuple(blocks))


def as_text(comparison: Comparison) -> str:
    """The comparison as plain text, trees in brackets."""
    parts = [explanation(comparison).text()]
    for title, parse in zip(comparison.names, (comparison.first, comparison.second), strict=True):
        parts.append(f"{title.upper()}   {score_text(parse)}\n{parse.tree.pretty()}\n")
    return "\n".join(parts)


def as_latex(comparison: Comparison) -> str:
    """The comparison as LaTeX for a document with amsmath, booktabs, graphicx and forest; without counts, for paper."""
    parts = [r"% needs \usepackage{amsmath,booktabs,graphicx,forest}", explanation(comparison, origins=False).latex()]
    for title, parse in zip(comparison.names, (comparison.first, comparison.second), strict=True):
        parts.append(f"\\paragraph{{{latex_text(title)}}} {latex_text(score_text(parse))}\n")
        parts.append(fitted(FORMATS[_FOREST].write(parse.alone())) + "\n")
    return "\n".join(parts)


def as_html(comparison: Comparison, theme: Theme, metrics: QtMetrics) -> str:
    """The comparison as a page that stands alone: pictures inside, no scripts, nothing fetched."""
    colour = theme.colour
    summary = explanation(comparison)
    colours = (colour("ink"), colour("muted"), colour("hairline"), colour("accent"))
    # The pictures come first, then the tables, which are long.
    above = 1 + len(comparison.provenance.splitlines())
    head = Explanation(summary.title, summary.subtitle, summary.blocks[:above]).html(*colours)
    tables = Explanation("", "", summary.blocks[above:]).html(*colours)
    picture = svg_text(two_parses(comparison, metrics, on_paper=True), theme, 1.0, metrics.family)
    picture = picture[picture.index("<svg") :]
    style = (
        f"body {{ margin: 32px; font: 15px/1.5 '{metrics.family}', sans-serif; "
        f"background: {colour('background')}; color: {colour('ink')}; }} "
        "svg { max-width: 100%; height: auto; } .wide { overflow-x: auto; } "
        "table { border-collapse: collapse; } td { vertical-align: top; white-space: nowrap; } "
        f"td:nth-child(n+{ORIGINS_FROM + 1}) {{ font-size: 13px; color: {colour('muted')}; }}"
    )
    return (
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>{SECURITY_POLICY}"
        f"<title>{markup(summary.title)}</title>"
        f"<style>{style}</style></head>\n<body>\n{head}\n<div>{picture}</div>\n<div class='wide'>{tables}</div>\n"
        "</body></html>\n"
    )


def write_comparison(comparison: Comparison, path: Path, theme: Theme) -> None:
    """Write a comparison to a file by its ending; raise :class:`EngineError` in one sentence."""
    metrics = QtMetrics()
    match path.suffix.lower():
        case ".pdf":
            paper, pages = comparison_pages(comparison, metrics, usual_paper())
            words = " ".join(comparison.first.sentence.words)
            # Paper is white, whatever the window is.
            colours = LIGHT if theme.dark else theme
            write_whole(path, paged_pdf(pages, paper, f"Comparison: {words}", colours, metrics))
        case ".svg" | ".png":
            write_drawing(sheet_picture(comparison, metrics), path, theme, usual_scale(path.suffix), metrics)
        case ".html":
            write_whole(path, as_html(comparison, theme, metrics).encode())
        case ".txt":
            write_whole(path, as_text(comparison).encode())
        case ".tex":
            write_whole(path, as_latex(comparison).encode())
        case _:
            raise EngineError(f"{path}: the ending says what to write; choose one of {' '.join(SUFFIXES)}")
