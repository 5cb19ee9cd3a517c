"""Words as the tagger's kernels read them: Penn forms, as arrays of code points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.common.arrays import UInt32Array
from engine.tagger.tagger_layout import CodePoints
from engine.trees.penn_forms import plain_word


def lower_case(word: str) -> str:
    """`word` in lower case and of the same length (``İ``, which would become two characters, is kept)."""
    lowered = word.lower()
    if len(lowered) == len(word):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in word)


def code_points(words: Sequence[str]) -> CodePoints:
    """The Penn forms of `words`, also in lower case, as UTF-32 (which any string can be put in)."""
    words = list(map(plain_word, words))
    # The line feed between words keeps apart what str.lower() looks at around a Greek sigma.
    text = "\n".join(words)
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "\n".join(map(lower_case, words))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.cumsum(lengths + 1) - (lengths + 1)
    return CodePoints(_utf_32(text), _utf_32(lowered), starts, lengths)


def _utf_32(text: str) -> UInt32Array:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
