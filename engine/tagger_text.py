"""Words as the tagger's kernels read them: one canonical spelling, as arrays of code points.

Treebanks and plain text write the same mark in different ways.  The tagger sees one of them, the
Penn Treebank's, so that a model trained on the one tags the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_WHOLE_WORDS = {"(": "-LRB-", ")": "-RRB-"}
_MARKS = {"“": "``", "”": "''", "‘": "`", "’": "'", "—": "--"}
# The treebank's escapes \/ and \*; all backslashes go, so that nothing changes a second time.
_MARK = re.compile(r"\\+(?=[/*])|[“”‘’—]")
_ANYTHING_TO_DO = re.compile(r"[\\()“”‘’—]")


class CodePoints(NamedTuple):
    """Words laid end to end, ready for :func:`engine.kernels.tagging.decode`."""

    codes: np.ndarray
    lower_codes: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray


def canonical(word: str) -> str:
    r"""The spelling under which the tagger knows a word: ``1\/2`` as ``1/2``, ``(`` as ``-LRB-``, ``’s`` as ``'s``."""
    return _WHOLE_WORDS.get(word) or _MARK.sub(lambda mark: _MARKS.get(mark[0], ""), word)


def lower_case(word: str) -> str:
    """`word` in lower case and of the same length (``İ``, which would become two characters, is kept)."""
    lowered = word.lower()
    if len(lowered) == len(word):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in word)


def code_points(words: Sequence[str]) -> CodePoints:
    """`words` in their canonical spelling and in lower case, as UTF-32 (which any string can be put in)."""
    # The line feed between words keeps apart what str.lower() looks at around a Greek sigma.
    text = "\n".join(words)
    if _ANYTHING_TO_DO.search(text):
        words = [canonical(word) for word in words]
        text = "\n".join(words)
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "\n".join(map(lower_case, words))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.cumsum(lengths + 1) - (lengths + 1)
    return CodePoints(_utf_32(text), _utf_32(lowered), starts, lengths)


def _utf_32(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
