r"""LaTeX: text with its special characters escaped, and complete documents around pictures.

Text is set as it is written, with one exception: the Penn Treebank's quotes (two grave accents, two apostrophes) and
the apostrophe are what TeX itself makes of them, “ ” and ’.  Other pairs that TeX would draw as one sign (two
hyphens, two commas, a question mark and a grave accent) are kept apart.

Snippets need the font encoding T1 under pdfLaTeX (``\usepackage[T1]{fontenc}``).  A document chooses by what is in it:
letters and signs of Latin script compile with pdfLaTeX, XeLaTeX or LuaLaTeX; anything else needs XeLaTeX or LuaLaTeX,
which the document then names in its first line, and a font that has the characters, which it looks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
    """Whether pdfLaTeX lacks a character of the source, comments apart."""
    return any(not _within(character, _PDFLATEX) for character in _characters(source))


def _characters(source: str) -> set[str]:
    """The different characters of LaTeX source that has its comments on lines of their own."""
    return set("".join(line for line in source.split("\n") if not line.startswith("%")))


def _within(character: str, ranges: Iterable[tuple[int, int]]) -> bool:
    number = ord(character)
    return any(first <= number <= last for first, last in ranges)


def document(environment: str, preamble: str) -> Callable[[Iterable[str]], str]:
    """The frame of a complete document with a page for every picture.

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
