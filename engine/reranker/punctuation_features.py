"""Punctuation as the features of trees see it: which marks stand before every word."""

from __future__ import annotations

import numpy as np

from engine.common.arrays import Int32Array
from engine.structure.nodes_layout import MARK_COLON, MARK_COMMA, MARK_QUESTION, MARK_QUOTE, MARK_STOP
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import PUNCTUATION_TAGS

_MARKS = {",": MARK_COMMA, ":": MARK_COLON, "``": MARK_QUOTE, "''": MARK_QUOTE, '"': MARK_QUOTE, ".": MARK_STOP}


def punctuation_marks(sentence: TaggedSentence, lexical: bool = True) -> Int32Array:
    """The kinds of punctuation before every word and after the last one, for the features of trees.

    A question mark has the tag of a full stop: only where words are used (`lexical`) are the two told apart.
    """
    marks = [0]
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        if tag in PUNCTUATION_TAGS:
            marks[-1] |= _MARKS[tag] | (MARK_QUESTION if lexical and word == "?" else 0)
        else:
            marks.append(0)
    return np.array(marks, np.int32)
