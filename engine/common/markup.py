"""Text in LaTeX, HTML, SVG and Qt: escaped, without what these cannot hold, and fitted to a page or screen."""

from __future__ import annotations

import html
import re

from engine.common.characters import has_shape

# LaTeX source for special characters and signs, and for pictures and tables that fit the page.

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
    r"""Return a picture or table in a separate paragraph, made smaller if it is wider than the text; needs graphicx."""
    width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
    return f"\\par\\medskip\\noindent\\resizebox{{{width}}}{{!}}{{%\n{body.rstrip()}%\n}}\\par\\medskip"


def shaped(character: str) -> str:
    r"""Return a character that is not special in LaTeX, or the code of one without a shape: ``\texttt{U+0007}``."""
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


# Text in HTML and SVG: escaped, without what these cannot hold; and what a page may do, which is nothing.

SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
)
"""Stands in the head of every page: it runs nothing and fetches nothing, whatever words are in it."""
_BOX = "□"


def markup(text: str, quote: bool = True) -> str:
    """Text escaped for HTML and XML; a box for every character that these cannot hold, or that turns those after it."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(letter if letter in "\n\t" or has_shape(letter) else _BOX for letter in text)
    return html.escape(text, quote=quote)


# Text in a window: quotation marks in place of back-ticks, and nothing that fills the screen or is taken for HTML.

_WORD_JOINER = "\u2060"
_MARKED = re.compile(r"<|!(?=\[)")


def curly_quotes(text: str) -> str:
    """Return a message of the engine as the window shows it: words in quotation marks instead of back-ticks."""
    return re.sub(r"`([^`]*)`", r"‘\1’", text)


def long_words_cut(text: str, most: int = 48) -> str:
    """Return the text with words of more than `most` characters cut, so that one of them cannot fill the screen."""
    if len(text) <= most:
        return text
    return re.sub(rf"\S{{{most + 1},}}", lambda found: found[0][: most - 1] + "…", text)


def no_markup(text: str) -> str:
    """Text where Qt might take it for HTML, or where it stands for Markdown: without a tag or a picture in it.

    Qt reads the files of pictures that it is told of, and waits for a pipe in their place.  What is added takes no room
    and cannot be seen.
    """
    return _MARKED.sub(rf"\g<0>{_WORD_JOINER}", text)
