"""A line of the list for the eye and for searching: its words, without tags and brackets."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.text.input_recognition import is_tree
from engine.text.mixed_notation import read_pieces
from engine.trees.tree import PENN_TAGS

_WORDS = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_TRACE = "-NONE-"
_REMEMBERED = 512
"""Lines whose words are remembered: some screens of the list, which is painted at every change."""


@lru_cache(_REMEMBERED)
def plain(text: str, most: int | None = None) -> str:
    """A line without tags, brackets and traces; with `most`, about so many characters from its beginning."""
    if is_tree(text):
        part = text if most is None else text[: 8 * most]
        words = " ".join(word for tag, word in _WORDS.findall(part) if tag != _TRACE)
        return words or text
    pieces = read_pieces(text if most is None else text[: 3 * most], PENN_TAGS)
    if not any(piece.tagged for piece in pieces):
        return text
    return " ".join(piece.word + piece.marks if piece.tagged else piece.whole for piece in pieces)


def length_of(text: str) -> int:
    """How many tokens a line has, punctuation included; of prose, how many words between spaces."""
    if is_tree(text):
        return sum(tag != _TRACE for tag, _ in _WORDS.findall(text))
    return len(text.split())
