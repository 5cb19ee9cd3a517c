"""Classes of characters: text, separators, unseen and invisible ones, for input, output and window alike.

===================  ==================================================  ======================================
class                what                                                what becomes of it
===================  ==================================================  ======================================
:data:`SEPARATORS`   ASCII white space                                   separates tokens in ``word/TAG`` notation
                                                                         and in trees; a no-break space is part
                                                                         of a word
:data:`UNSEEN`       control characters that are no white space, the     white space in plain text and in the
                     space without width, the word joiner, the byte      window
                     order mark
:data:`INVISIBLE`    soft hyphens, marks that turn the direction of      belong to the word they touch; left out
                     writing                                             of its form and of what the window shows
:data:`SURROGATES`   halves of characters, which UTF-8 cannot hold       U+FFFD stands for them
===================  ==================================================  ======================================

Of words in a treebank, where nothing but separators parts them, the characters without width are left out, too.
"""

from __future__ import annotations

import html
import re

SEPARATORS = " \t\n\r\f\v"
PIECE = re.compile(f"[^{SEPARATORS}]+")
"""What stands between separators."""
WIDTHLESS = "\u200b\u2060\ufeff"
UNSEEN = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{WIDTHLESS}]")
INVISIBLE = "".join(map(chr, (0xAD, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2061, 0x2070))))
TURNING = "".join(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Marks that turn the direction of writing: in a page they would turn what stands after their word."""
SURROGATES = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What moves the cursor of a terminal, or begins a sequence that does anything else with it; no line ends and tabs."""

BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
"""Tokens of a treebank that stand for a bracket."""
_BRACKET = re.compile("|".join(BRACKETS))
QUOTES = {"``": "“", "''": "”", "`": "‘"}
"""Tokens of a treebank that stand for a quotation mark."""
LONGEST_MESSAGE = 1000
"""Characters of the longest message: what is quoted in it may be a whole file."""
_BREAK = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]")
_WITHOUT_INVISIBLE = str.maketrans("", "", INVISIBLE)


def as_read(word: str) -> str:
    """Return a token of a treebank as a person reads it: ``(`` for ``-LRB-``, ``friend(s)``, “ for two back-quotes."""
    return QUOTES.get(word) or _BRACKET.sub(lambda found: BRACKETS[found[0]], word)


def is_control(character: str) -> bool:
    """Return whether a character has no shape of its own, breaks lines, or cannot be written as UTF-8."""
    number = ord(character)
    return number < 0x20 or 0x7F <= number < 0xA0 or number in (0x2028, 0x2029) or 0xD800 <= number < 0xE000


def has_shape(character: str) -> bool:
    """Return whether a character can be written in a picture or a page as it is: no control,
    and nothing that turns others.
    """
    return not is_control(character) and character not in TURNING and ord(character) & 0xFFFE != 0xFFFE


def is_text(text: str) -> bool:
    """Return whether UTF-8 can hold all of it."""
    return text.isascii() or SURROGATES.search(text) is None


def made_text(text: str) -> str:
    """Return the text with U+FFFD in place of what UTF-8 cannot hold."""
    return SURROGATES.sub(REPLACEMENT, text)


def unsteering(text: str) -> str:
    """Return the text as a terminal may be given it: with U+FFFD in place of what would steer it."""
    return text if text.isprintable() else _STEERING.sub(REPLACEMENT, text)


def spaced(text: str) -> str:
    """Return the text with a space for every unseen character, so that all places in it stay the same."""
    return UNSEEN.sub(" ", text)


def readable(text: str) -> str:
    """Return the text as a person can read it: nothing in it that is unseen, invisible or no character."""
    if text.isascii() and text.isprintable():
        return text
    return made_text(spaced(text).translate(_WITHOUT_INVISIBLE))


def one_line(text: str) -> str:
    """Return a message as it can be shown anywhere, whatever it quotes: on one line, readable, and not too long.

    What is left out of a long one is its middle: a message begins with the place and ends with what to do.
    """
    if not text.isprintable():
        text = _BREAK.sub(" ", readable(text))
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[: half - 1]}…{text[-half:]}"


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
