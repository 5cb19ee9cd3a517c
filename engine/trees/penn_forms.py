r"""One spelling of every word: the Penn Treebank's.

Treebanks and plain text write the same mark in different ways: ``—`` and ``--``, ``n’t`` and ``n't``, ``(`` and
``-LRB-``, ``1\/2`` and ``1/2``.  The tokeniser makes Penn forms of plain text, and the counts of the model and the
features of the tagger are over Penn forms too, so that a model trained on the one reads the other.  Printed trees
keep their tokens as they came.
"""

from __future__ import annotations

import re

APOSTROPHES = "'’ʼ＇´"
HYPHENS = "-‐‑"
EN_DASHES = "–‒"
DASHES = EN_DASHES + "—―⸺⸻"

NO_TEXT = "\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\u200b\\u2060\\ufeff"
"""Characters that nobody sees and that separate words, for a class of a regular expression: control characters
(but those that Python takes for white space), the space without width, the word joiner, the byte order mark."""

_FORMS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "…": "...", "−": "-", "‘": "`"}
_FORMS |= dict.fromkeys(HYPHENS, "-") | dict.fromkeys(DASHES, "--") | dict.fromkeys(APOSTROPHES, "'")
_FORMS |= dict.fromkeys("“„‟«〝", "``") | dict.fromkeys("”»〞", "''")
_INVISIBLE = (0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
_CHARACTERS = str.maketrans(_FORMS | {"‘": "'"} | dict.fromkeys(map(chr, _INVISIBLE)))
_REWRITTEN = re.compile(r"[(){}]|[^\x00-\x7f]")
# All backslashes of the treebank's escapes \/ and \* go, so that nothing changes a second time.
_ESCAPE = re.compile(r"\\+(?=[/*])")


def penn_form(original: str) -> str:
    """The Penn form of characters that make one token, as far as it does not depend on their neighbours.

    Never empty; a form stays as it is.
    """
    if len(original) == 1:
        return _FORMS.get(original, original)
    if _REWRITTEN.search(original):
        original = original.translate(_CHARACTERS) or original
    if original[:2] == ".." and not original.strip("."):
        return "..."
    return original


def plain_word(word: str) -> str:
    r"""A word as the model counts it and the tagger knows it: the Penn form, the escapes ``\/`` and ``\*`` undone."""
    # Most words are letters and nothing else, and this is asked of every word of a treebank.
    if word.isalnum() and word.isascii():
        return word
    form = penn_form(word)
    return _ESCAPE.sub("", form) if "\\" in form else form
