"""Classes of rare words: how a word is written and how it ends, since it was met too rarely to be known by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from engine.common.arrays import Int32Array
from engine.generative.generative_layout import FIRST_CLASS

SUFFIXES = (
    *("ing", "ed", "ly", "tion", "sion", "ment", "ness", "ity", "ies", "s", "er", "or", "est", "al", "ous", "ive"),
    *("able", "ible", "ic", "ful", "ion", "y", "e", "in", "a", ""),
)
"""The first that fits is a word's; the last fits every word."""
SHAPES = ("9", "A", "a", "9-", "A-", "a-")
"""With a digit, with a capital letter at the beginning, other; and the same with a hyphen."""
CLASSES = tuple(shape + suffix for shape, suffix in product(SHAPES, SUFFIXES))
_NUMBERS = {name: FIRST_CLASS - number for number, name in enumerate(CLASSES)}


def word_class(word: str) -> str:
    """The class of a word: ``A-ing`` begins with a capital letter, has a hyphen, and ends in -ing."""
    shape = "9" if any(map(str.isdigit, word)) else "A" if word[:1].isupper() else "a"
    lower = word.lower()
    return shape + ("-" if "-" in word else "") + next(suffix for suffix in SUFFIXES if lower.endswith(suffix))


@lru_cache(1 << 14)
def class_number(word: str) -> int:
    """The number that stands for a rare word."""
    return _NUMBERS[word_class(word)]


def class_name(number: int) -> str:
    """What a class is called: ``a…ing``."""
    name = CLASSES[FIRST_CLASS - number]
    shape = name[:2] if name[1:2] == "-" else name[:1]
    return f"{shape}…{name[len(shape) :]}"


def numbers_with_classes(numbers: Iterable[int], words: Iterable[str], common: Sequence[bool]) -> Int32Array:
    """Words as the second model knows them: by number if they are common, else by class.

    Parameters
    ----------
    numbers, words
        Numbers (negative if unknown) and spellings.
    common
        Of every word of the vocabulary whether it is known by itself.
    """
    pairs = zip(numbers, words, strict=True)
    found = [number if number >= 0 and common[number] else class_number(word) for number, word in pairs]
    return np.array(found, np.int32)
