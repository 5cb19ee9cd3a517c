r"""One spelling of every word: the Penn Treebank's.

Treebanks and plain text write the same mark in different ways: ``—`` and ``--``, ``n’t`` and ``n't``, ``(`` and
``-LRB-``, ``1\/2`` and ``1/2``.  The tokeniser makes Penn forms of plain text, and the counts of the model and the
features of the tagger are over Penn forms too, so that a model trained on the one reads the other.  Printed trees
keep their tokens as they came.
"""

from __future__ import annotations

import re

from engine.common.characters import INVISIBLE, WIDTHLESS

APOSTROPHES = "'’ʼ＇´"
HYPHENS = "-‐‑"
EN_DASHES = "–‒"
DASHES = EN_DASHES + "—―⸺⸻"

_FORMS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "…": "...", "−": "-", "‘": "`"}
_FORMS |= dict.fromkeys(HYPHENS, "-") | dict.fromkeys(DASHES, "--") | dict.fromkeys(APOSTROPHES, "'")
_FORMS |= dict.fromkeys("“„‟«〝", "``") | dict.fromkeys("”»〞", "''")
_CHARACTERS = str.maketrans(_FORMS | {"‘": "'"} | dict.fromkeys(INVISIBLE + WIDTHLESS))
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


def compared_word(word: str) -> str:
    """A word as far as treebank and tokeniser agree on it: a straight quote may open or close."""
    form = plain_word(word)
    return '"' if form in ("``", "''") else form
