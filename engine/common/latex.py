"""LaTeX source for special characters and signs, and for pictures and tables that fit the page."""

from __future__ import annotations

import re

from engine.common.characters import has_shape

COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\textquotedbl{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "\u00a0": "~",
}
"""What stands for a special character.  Square brackets are braced because they open options after ``\\\\``."""
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=,)(?=,)|(?<=[!?])(?=`)")
_KEPT_APART = "{}"
SYMBOLS = {
    **{"−": "$-$", "→": r"$\rightarrow$", "↓": r"$\downarrow$", "×": r"$\times$", "∞": r"$\infty$", "·": r"$\cdot$"},
    **{"≤": r"$\leq$", "≥": r"$\geq$", "⊢": r"$\vdash$", "⊣": r"$\dashv$", "∏": r"$\prod$", "√": r"$\surd$"},
    **{"Δ": r"$\Delta$", "η": r"$\eta$", "δ": r"$\delta$", "λ": r"$\lambda$", "β": r"$\beta$", "′": "$'$"},
    **{"ᵢ": "$_i$", "…": r"\ldots{}", "–": "--", "▸": "", "▾": ""},
}
"""What stands in LaTeX for the signs with which the explorer writes; pdfLaTeX lacks most of them."""


def fitted(body: str) -> str:
    r"""A picture or table in a paragraph of its own, made smaller if it is wider than the text; needs graphicx."""
    width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
    return f"\\par\\medskip\\noindent\\resizebox{{{width}}}{{!}}{{%\n{body.rstrip()}%\n}}\\par\\medskip"


def shaped(character: str) -> str:
    r"""A character that is not special in LaTeX, or the code of one without a shape: ``\texttt{U+0007}``."""
    return character if has_shape(character) else f"\\texttt{{U+{ord(character):04X}}}"


def escape_latex(text: str, ampersand: str = COMMANDS["&"]) -> str:
    r"""Text as LaTeX source; a character without a shape becomes its code: ``\texttt{U+0007}``."""
    pieces = []
    for character in text:
        if character == "&":
            pieces.append(ampersand)
        else:
            pieces.append(COMMANDS.get(character) or shaped(character))
    return _LIGATURES.sub(_KEPT_APART, "".join(pieces))
