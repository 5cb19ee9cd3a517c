"""Text in many rare scripts: Qt looks through every font of the system for each of them, in every size of type.

A word of a hundred scripts held the window for half a minute.  Text in a few scripts is set as always, with whatever
fonts there are.  Text in more of them than any person writes is set in the fonts of the window alone; what these do not
have is drawn as boxes.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PySide6.QtGui import QFont

MOST_SCRIPTS = 3
"""Of those that fonts may have to be looked for; text in more of them is set without."""
_FIRST_RARE = 0x590
"""The fonts of the window have what comes before: Latin, Greek, Cyrillic, Armenian."""
_COMMON = range(0x1E00, 0x2E80)
"""More Latin and Greek, punctuation, arrows and mathematical signs."""


def has_many_scripts(text: str) -> bool:
    """Whether a text is in more scripts than any person writes."""
    return not text.isascii() and _has_many_scripts(text)


@lru_cache(maxsize=4096)
def _has_many_scripts(text: str) -> bool:
    found = set()
    for character in set(text):
        number = ord(character)
        if number >= _FIRST_RARE and number not in _COMMON:
            found.add(_script(character))
            if len(found) > MOST_SCRIPTS:
                return True
    return False


def _script(character: str) -> str:
    """The script of a letter, by the beginning of its name; signs and what is no character are one each."""
    category = unicodedata.category(character)
    if category[0] not in "LMN":
        return category
    words = unicodedata.name(character, category).split()
    # `OLD TURKIC` and `OLD PERSIAN` are two; CJK ideographs and their radicals are one.
    return words[0] if words[0] not in ("OLD", "LINEAR", "NEW", "TAI", "MEETEI", "PAHAWH") else " ".join(words[:2])


def font_for(text: str, font: QFont) -> QFont:
    """The font to set a text in: this one, or without looking for others where it is in too many scripts."""
    if not has_many_scripts(text):
        return font
    alone = QFont(font)
    alone.setStyleStrategy(QFont.StyleStrategy(font.styleStrategy().value | QFont.StyleStrategy.NoFontMerging.value))
    return alone
