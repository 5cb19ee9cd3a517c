"""Parses for LaTeX: the tree as a ``forest``, the dependencies as ``tikz-dependency``, alone or as documents."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.common.characters import escape_latex
from engine.export.format import Format, about
from engine.export.rows import OUTSIDE, REDUCED_TOKEN, Row, basenp_spans, rows_of

if TYPE_CHECKING:
    from engine.chart.parse import Parse
    from engine.trees.tree import Tree


# LaTeX: text with its special characters escaped, and complete documents around pictures.
#
# Text is set as it is written, with one exception: the Penn Treebank's quotes (two grave accents, two apostrophes) and
# the apostrophe are what TeX itself makes of them, “ ” and ’.  Other pairs that TeX would draw as one sign (two
# hyphens, two commas, a question mark and a grave accent) are kept apart.
#
# Snippets need the font encoding T1 under pdfLaTeX (``\usepackage[T1]{fontenc}``).  A document chooses by what is in
# it: letters and signs of Latin script compile with pdfLaTeX, XeLaTeX or LuaLaTeX; anything else needs XeLaTeX or
# LuaLaTeX, which the document then names in its first line, and a font that has the characters, which it looks for.

CELL_AMPERSAND = r"\symbol{38}"
r"""An ampersand inside a matrix whose columns ``\&`` separates."""

_PDFLATEX = (
    *((0x20, 0x7E), (0xA0, 0x125), (0x128, 0x137), (0x139, 0x13E), (0x141, 0x148), (0x14A, 0x165), (0x168, 0x17E)),
    *((0x218, 0x21B), (0x2010, 0x2015), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026)),
    *((0x2030, 0x2030), (0x2039, 0x203A), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2193)),
)
"""Characters that pdfLaTeX sets with UTF-8 input, T1 and Latin Modern, found by trying each."""

_EAST_ASIAN = (
    (0x1100, 0x11FF),
    (0x2E80, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),
)
_EAST_ASIAN_FONTS = ("Noto Serif CJK SC", "Noto Sans CJK SC", "Source Han Serif SC", "Droid Sans Fallback")
_WIDE_FONTS = ("DejaVu Serif", "FreeSerif", "Noto Serif")


def needs_unicode_engine(source: str) -> bool:
    """Return whether pdfLaTeX lacks a character of the source, comments apart."""
    return any(not _within(character, _PDFLATEX) for character in _characters(source))


def _characters(source: str) -> set[str]:
    """Return the different characters of LaTeX source that has its comments on separate lines."""
    return set("".join(line for line in source.split("\n") if not line.startswith("%")))


def _within(character: str, ranges: Iterable[tuple[int, int]]) -> bool:
    number = ord(character)
    return any(first <= number <= last for first, last in ranges)


def document(environment: str, preamble: str) -> Callable[[Iterable[str]], str]:
    """Return the frame of a complete document with a page for every picture.

    Parameters
    ----------
    environment
        The environment of one picture.
    preamble
        Lines that load what the pictures need.
    """

    def frame(pieces: Iterable[str]) -> str:
        body = "\n".join(pieces)
        wide = needs_unicode_engine(body)
        lines = [
            f"% !TeX program = {'xelatex' if wide else 'pdflatex'}",
            rf"\documentclass[multi={environment},border=6pt]{{standalone}}",
            r"\usepackage{iftex}",
            r"\ifPDFTeX",
        ]
        if wide:
            lines.append(r"  \errmessage{There are characters here that pdfLaTeX lacks: use xelatex or lualatex}\stop")
        else:
            lines += [
                r"  \usepackage[utf8]{inputenc}",
                r"  \usepackage[T1]{fontenc}",
                r"  \usepackage{lmodern}",
            ]
        lines += [r"\else", r"  \usepackage{fontspec}"]
        if wide:
            east_asian = any(_within(character, _EAST_ASIAN) for character in _characters(body))
            lines.append("  " + _first_font(_EAST_ASIAN_FONTS if east_asian else _WIDE_FONTS))
        lines += [r"\fi", preamble, r"\begin{document}", body.rstrip("\n"), r"\end{document}", ""]
        return "\n".join(lines)

    return frame


def _first_font(names: tuple[str, ...]) -> str:
    """Choose the first font that is there; put another name in its place for other scripts."""
    chosen = ""
    for name in reversed(names):
        chosen = rf"\IfFontExistsTF{{{name}}}{{\setmainfont{{{name}}}}}{{{chosen}}}"
    return chosen


# The tree as a LaTeX ``forest``: words on one base line, in italics, under their tags.
#
# A snippet needs ``\usepackage{forest}`` and, with pdfLaTeX, ``\usepackage[T1]{fontenc}``.

_FOREST_PACKAGE = r"\usepackage{forest}"
_FOREST_STYLE = (
    "for tree={parent anchor=south, child anchor=north, s sep=2mm, text height=1.6ex, text depth=.4ex},",
    r"where n children=0{tier=word, font=\itshape}{},",
)


def _forest(parse: Parse) -> str:
    lines = []
    for rank, one in enumerate(parse.alternatives, 1):
        lines += [f"% {about(rank, one, parse)}", r"\begin{forest}"]
        lines += ["  " + line for line in (*_FOREST_STYLE, *_nodes(one.tree, 0))]
        lines.append(r"\end{forest}")
    return "\n".join(lines) + "\n"


def _nodes(tree: Tree, depth: int) -> list[str]:
    """Return a line for the opening of every constituent and one for every word; all contents are braced."""
    pad = "  " * depth
    if tree.word is not None:
        return [f"{pad}[{{{escape_latex(tree.label)}}} [{{{escape_latex(tree.word)}}}]]"]
    lines = [f"{pad}[{{{escape_latex(tree.label)}}}"]
    for child in tree.children:
        lines += _nodes(child, depth + 1)
    lines[-1] += "]"
    return lines


def _forest_snippet(parse: Parse) -> str:
    """Return the trees of the n best parses, to be put into a document."""
    return f"% needs {_FOREST_PACKAGE} and, with pdfLaTeX, \\usepackage[T1]{{fontenc}}\n{_forest(parse)}"


FOREST_SNIPPET = Format("LaTeX forest, snippet", ".tex", _forest_snippet)
FOREST_DOCUMENT = Format("LaTeX forest, document", ".tex", _forest, document("forest", _FOREST_PACKAGE))


# The dependencies as LaTeX ``tikz-dependency`` arrows, drawn as in the paper's Figure 1(c).
#
# Arrows go from modifier to head and carry the triple; a box stands for the square brackets around a baseNP, whose
# head-word is bold.  Other words of a baseNP and punctuation have no arrow, being no part of D.  A root's arrow comes
# from above and carries the root's label.
#
# A snippet needs ``\usepackage{tikz-dependency}`` and, with pdfLaTeX, ``\usepackage[T1]{fontenc}``.

_TIKZ_PACKAGE = r"\usepackage{tikz-dependency}"
_TIKZ_STYLE = r"[label style={font=\tiny}, group style={inner sep=.15ex}]"
_COLUMN_SEP = 0.7
_LEVEL_HEIGHT = 2.6
"""Height in ex of an arrow over nothing; each level of nesting adds as much."""
# Rough widths in em, so that labels of short arrows do not lie on one another.
_LABEL_LETTER, _LABEL_FRAME, _TEXT_LETTER = 0.42, 0.9, 0.5


def _arrows(parse: Parse) -> str:
    lines = []
    for rank, one in enumerate(parse.alternatives, 1):
        rows = rows_of(one)
        lines += [f"% {about(rank, one, parse)}", rf"\begin{{dependency}}{_TIKZ_STYLE}"]
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
    """Return a row of the matrix; `extra` is space in em to be added after the cell of that number."""
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
    """Return the cell of a word: in bold for the head-word of a baseNP."""
    text = _cell(row.word)
    return rf"\textbf{{{text}}}" if row.kind == REDUCED_TOKEN and row.chunk != OUTSIDE else text


def _groups(rows: list[Row]) -> list[str]:
    """Return a box around the words of every baseNP."""
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


def _arrows_snippet(parse: Parse) -> str:
    """Return the arrows of the n best parses, to be put into a document."""
    return f"% needs {_TIKZ_PACKAGE} and, with pdfLaTeX, \\usepackage[T1]{{fontenc}}\n{_arrows(parse)}"


TIKZ_SNIPPET = Format("LaTeX tikz-dependency, snippet", ".tex", _arrows_snippet)
TIKZ_DOCUMENT = Format("LaTeX tikz-dependency, document", ".tex", _arrows, document("dependency", _TIKZ_PACKAGE))
