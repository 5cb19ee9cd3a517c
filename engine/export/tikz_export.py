r"""The dependencies as LaTeX ``tikz-dependency`` arrows, drawn as in the paper's Figure 1(c).

Arrows go from modifier to head and carry the triple; a box stands for the square brackets around a baseNP, whose
head-word is bold.  Other words of a baseNP and punctuation have no arrow, being no part of D.  A root's arrow comes
from above and carries the root's label.

A snippet needs ``\usepackage{tikz-dependency}`` and, with pdfLaTeX, ``\usepackage[T1]{fontenc}``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.common.latex import escape_latex
from engine.export.export_format import Format, about
from engine.export.latex_document import CELL_AMPERSAND, document
from engine.export.token_rows import OUTSIDE, REDUCED_TOKEN, Row, basenp_spans, rows_of

if TYPE_CHECKING:
    from engine.chart.parse import Parse

_PACKAGE = r"\usepackage{tikz-dependency}"
_STYLE = r"[label style={font=\tiny}, group style={inner sep=.15ex}]"
_COLUMN_SEP = 0.7
_LEVEL_HEIGHT = 2.6
"""Height in ex of an arrow over nothing; each level of nesting adds as much."""
# Rough widths in em, so that labels of short arrows do not lie on one another.
_LABEL_LETTER, _LABEL_FRAME, _TEXT_LETTER = 0.42, 0.9, 0.5


def _picture(parse: Parse) -> str:
    lines = []
    for rank, one in enumerate(parse.alternatives, 1):
        rows = rows_of(one)
        lines += [f"% {about(rank, one, parse)}", rf"\begin{{dependency}}{_STYLE}"]
        lines.append(rf"  \begin{{deptext}}[column sep={_COLUMN_SEP}em]")
        lines += [_cells([_word(row) for row in rows], _extra_gaps(rows))]
        lines += [_cells([rf"\footnotesize {_cell(row.tag)}" for row in rows], {})]
        lines.append(r"  \end{deptext}")
        lines += _groups(rows)
        levels = _levels(rows)
        lines += [_arrow(row, levels[row.number]) for row in rows if row.relation is not None]
        lines.append(r"\end{dependency}")
    return "\n".join(lines) + "\n"


def _cells(texts: list[str], extra: dict[int, float]) -> str:
    """A row of the matrix; `extra` is space in em to be added after the cell of that number."""
    pieces = []
    for number, text in enumerate(texts, 1):
        space = f"[{extra[number]:.1f}em]" if number in extra else ""
        pieces.append(text + (rf" \&{space} " if number < len(texts) else r" \\"))
    return "    " + "".join(pieces)


def _extra_gaps(rows: list[Row]) -> dict[int, float]:
    """Space to be added between tokens so that every label fits under its own arrow, inner arrows first."""
    extra: dict[int, float] = {}
    widths = [_TEXT_LETTER * max(len(row.word), len(row.tag), 1) for row in rows]
    arrows = sorted((abs(row.number - row.head), row.number) for row in rows if row.relation is not None and row.head)
    for _, number in arrows:
        row = rows[number - 1]
        first, last = sorted((number, row.head))
        wanted = _LABEL_LETTER * len(_label(row)) + _LABEL_FRAME
        between = sum(widths[first : last - 1]) + (widths[first - 1] + widths[last - 1]) / 2
        between += sum(_COLUMN_SEP + extra.get(gap, 0.0) for gap in range(first, last))
        if wanted - between >= 0.1:
            extra[last - 1] = extra.get(last - 1, 0.0) + wanted - between
    return extra


def _levels(rows: list[Row]) -> dict[int, int]:
    """Height of the arrow from every word of D: above all arrows under it; a root's above all that end at it."""
    levels: dict[int, int] = {}
    spans: list[tuple[int, int, int]] = []
    for row in sorted((row for row in rows if row.relation is not None), key=_reach):
        if row.head:
            first, last = sorted((row.number, row.head))
            under = [level for start, end, level in spans if first <= start and end <= last]
        else:
            first = last = row.number
            # At the lowest level a root's label would lie on its word.
            under = [1, *(level for start, end, level in spans if first in (start, end))]
        levels[row.number] = 1 + max(under, default=0)
        spans.append((first, last, levels[row.number]))
    return levels


def _reach(row: Row) -> int:
    """Over how many tokens an arrow goes; roots come last."""
    return abs(row.number - row.head) if row.head else sys.maxsize


def _cell(text: str) -> str:
    return escape_latex(text, CELL_AMPERSAND)


def _word(row: Row) -> str:
    """The head-word of a baseNP is bold."""
    text = _cell(row.word)
    return rf"\textbf{{{text}}}" if row.kind == REDUCED_TOKEN and row.chunk != OUTSIDE else text


def _groups(rows: list[Row]) -> list[str]:
    """A box around the words of every baseNP."""
    spans = [(span[0].number, span[-1].number) for span in basenp_spans(rows)]
    return [rf"  \wordgroup{{1}}{{{first}}}{{{last}}}{{np{first}}}" for first, last in spans]


def _label(row: Row) -> str:
    return ",".join(part for part in row.relation or () if part)


def _arrow(row: Row, level: int) -> str:
    label = _cell(_label(row))
    height = f"[edge height={_LEVEL_HEIGHT * level:.1f}ex]"
    if row.head == 0:
        return rf"  \deproot{height}{{{row.number}}}{{{label}}}"
    return rf"  \depedge{height}{{{row.number}}}{{{row.head}}}{{{label}}}"


def _snippet(parse: Parse) -> str:
    """The arrows of the n best parses, to be put into a document."""
    return f"% needs {_PACKAGE} and, with pdfLaTeX, \\usepackage[T1]{{fontenc}}\n{_picture(parse)}"


TIKZ_SNIPPET = Format("LaTeX tikz-dependency, snippet", ".tex", _snippet)
TIKZ_DOCUMENT = Format("LaTeX tikz-dependency, document", ".tex", _picture, document("dependency", _PACKAGE))
