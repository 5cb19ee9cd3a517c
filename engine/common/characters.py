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

LONGEST_MESSAGE = 1000
"""Characters of the longest message: what is quoted in it may be a whole file."""
_BREAK = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]")
_WITHOUT_INVISIBLE = str.maketrans("", "", INVISIBLE)


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
