"""LaTeX source for special characters and signs, and for pictures and tables that fit the page."""

from __future__ import annotations

import re

from engine.common.characters import is_control

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


def escape_latex(text: str, ampersand: str = COMMANDS["&"]) -> str:
    r"""Text as LaTeX source; a character without a shape becomes its code: ``\texttt{U+0007}``."""
    pieces = []
    for character in text:
        if is_control(character):
            pieces.append(f"\\texttt{{U+{ord(character):04X}}}")
        elif character == "&":
            pieces.append(ampersand)
        else:
            pieces.append(COMMANDS.get(character, character))
    return _LIGATURES.sub(_KEPT_APART, "".join(pieces))
