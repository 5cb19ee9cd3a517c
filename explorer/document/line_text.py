"""A line of the list for the eye and for searching: its words, without tags and brackets."""

from __future__ import annotations

import re
from functools import lru_cache

_TAGGED = re.compile(r"(\S)/[A-Z$.,:`'#\-]+(?=\s|$)")
_WORDS = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_TRACE = "-NONE-"
_REMEMBERED = 512
"""Lines whose words are remembered: some screens of the list, which is painted at every change."""


@lru_cache(_REMEMBERED)
def plain(text: str, most: int | None = None) -> str:
    """A line without tags, brackets and traces; with `most`, about so many characters from its beginning."""
    if text.lstrip().startswith("("):
        part = text if most is None else text[: 8 * most]
        words = " ".join(word for tag, word in _WORDS.findall(part) if tag != _TRACE)
        return words or text
    return _TAGGED.sub(r"\1", text if most is None else text[: 3 * most])


def length_of(text: str) -> int:
    """How many tokens a line has, punctuation included; of prose, how many words between spaces."""
    if text.lstrip().startswith("("):
        return sum(tag != _TRACE for tag, _ in _WORDS.findall(text))
    return len(text.split())
