"""A comparison on paper, as a file or on the clipboard: pages (PDF), a picture (SVG, PNG), a web page, text, LaTeX."""

from __future__ import annotations

from pathlib import Path

from engine.common.characters import SECURITY_POLICY, fitted, markup
from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.explain.explanation import Explanation, ExplanationBlock, Heading, Paragraph, TableBlock, latex_text
from engine.explain.parses import score_text
from engine.export import FORMATS
from explorer.compare.pictures import compared_arrows_picture, headline, sheet_picture, trees_picture, two_parses
from explorer.compare.rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    ORIGINS_FROM,
    cells_of,
    error_rows,
    ledger_header,
    ledger_rows,
)
from explorer.compare.sides import Comparison
from explorer.kit.fonts import QtMetrics
from explorer.output.files import usual_scale, write_drawing
from explorer.output.pages import Page, PageLayout, Paper, paged_pdf, usual_paper, write_lines
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.layout import Room
from explorer.pictures.ruler import columns_of
from explorer.pictures.sheet import Sheet
from explorer.pictures.theme import LIGHT, Theme
from explorer.pictures.vector import svg_text

# A comparison on paper: sentence, verdict, trees, arrows, ledger and errors, laid out on pages of one size.

_READABLE = 0.8
"""Pictures are set, wrapped and folded such that they need not be smaller than this: small type has 7 pt then."""


def comparison_pages(comparison: Comparison, metrics: Metrics, paper: Paper) -> tuple[Paper, list[Page]]:
    """Lay a comparison out on paper; the paper is turned where trees are too wide for it as a whole.

    Where counts come from is left out of the ledger: those columns are wider than any paper.
    """
    if columns_of(comparison.first, metrics, comparison.second).width > _room(paper).inner_width:
        paper = paper.turned()
    trees = trees_picture(comparison, metrics, _room(paper), on_paper=True)
    layout = PageLayout(paper, metrics)
    layout.put(_head(comparison, metrics, paper.inner_width))
    layout.put_cut(trees)
    layout.put_cut(compared_arrows_picture(comparison, metrics, _room(paper)))
    if comparison.difference is not None:
        header, rows = ledger_header(comparison), cells_of(ledger_rows(comparison))
        layout.put_table(
            "Ledger",
            header[:ORIGINS_FROM],
            [row[:ORIGINS_FROM] for row in rows],
            LEDGER_RIGHT,
            total=True,
        )
    errors = cells_of(error_rows(comparison))
    if errors:
        layout.put_table("Errors", ERRORS_HEADER, errors, ERRORS_RIGHT)
    return paper, layout.pages(comparison.sentence)


def _room(paper: Paper) -> Room:
    """The room for a picture on paper at the smallest size at which it can be read."""
    return Room(paper.inner_width / _READABLE, paper.inner_height / _READABLE)


def _head(comparison: Comparison, metrics: Metrics, width: float) -> Drawing:
    """The sentence, the verdict, PARSEVAL's figures, and under what all that is so."""
    sheet = Sheet(metrics)
    y = write_lines(sheet, 0.0, comparison.sentence, "title", "ink", width)
    y = write_lines(sheet, y + 6, headline(comparison), "label", "ink", width)
    for line in (comparison.compared.score, *comparison.provenance.splitlines()):
        y = write_lines(sheet, y, line, "tag", "muted", width)
    return sheet.draw("Comparison", "", None, margin=0.0)


# A comparison as a file or on the clipboard: pages (PDF), a picture (SVG, PNG), a web page, text and LaTeX.

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
    blocks: list[ExplanationBlock] = [Paragraph(comparison.compared.score)]
    blocks += [Paragraph(line, quiet=True) for line in comparison.provenance.splitlines()]
    if comparison.difference is not None:
        header, cells = ledger_header(comparison), cells_of(ledger_rows(comparison))
        if not origins:
            header, cells = header[:ORIGINS_FROM], tuple(row[:ORIGINS_FROM] for row in cells)
        blocks += [Heading("Ledger"), TableBlock(header, cells, LEDGER_RIGHT, total=True)]
    errors = error_rows(comparison)
    if errors:
        blocks += [Heading("Errors"), TableBlock(ERRORS_HEADER, cells_of(errors), ERRORS_RIGHT)]
    return Explanation(comparison.sentence, headline(comparison), tuple(blocks))


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
            words = comparison.sentence
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
