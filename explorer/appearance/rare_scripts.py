"""Text in many rare scripts: Qt looks through every font of the system for each of them, in every size of type.

A word of a hundred scripts held the window for half a minute.  Text in a few scripts is set as always, with whatever
fonts there are.  Text in more of them than any person writes is set in the fonts of the window alone; what these do not
have is drawn as boxes.  A text that was set in one way stays so.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PySide6.QtGui import QFont

MOST_IN_A_TEXT = 3
"""Of the scripts that fonts may have to be looked for; a text in more of them is set without."""
MOST_IN_ALL = 12
"""The same for all texts of a program together: a sentence of a hundred words may have as many scripts."""
LOOKED_FOR: set[str] = set()
"""Those that fonts were looked for, the first that came."""
_FIRST_RARE = 0x590
"""The fonts of the window have what comes before: Latin, Greek, Cyrillic, Armenian."""
_COMMON = range(0x1E00, 0x2E80)
"""More Latin and Greek, punctuation, arrows and mathematical signs."""


def has_many_scripts(text: str) -> bool:
    """Whether a text is in more scripts than any person writes, or in further ones where there were many already."""
    if text.isascii():
        return False
    found = _scripts(text)
    if found <= LOOKED_FOR:
        return False
    if len(found) > MOST_IN_A_TEXT or len(found | LOOKED_FOR) > MOST_IN_ALL:
        return True
    LOOKED_FOR.update(found)
    return False


@lru_cache(maxsize=4096)
def _scripts(text: str) -> frozenset[str]:
    """The scripts of a text that the fonts of the window may not have."""
    rare = {one for one in text if ord(one) >= _FIRST_RARE and ord(one) not in _COMMON}
    return frozenset(map(_script, rare))


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
