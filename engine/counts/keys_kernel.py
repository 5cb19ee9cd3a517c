"""Contexts as numbers: Δ in seven bits, words and tags side by side in one key."""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.counts.counts_layout import (
    BETWEEN,
    BETWEEN_BITS,
    NEAR_BITS,
    SAME_AS_HEAD,
    SAME_AS_MODIFIER,
    TAGS_ADJACENT,
    TAGS_NEAR,
    TAGS_ORDER,
    Widths,
)
from engine.structure.structure_layout import (
    ADJACENT,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    COMMAS_SHIFT,
    HEAD_FIRST,
    VERB_BETWEEN,
)


@kernel(allocates=False)
def delta_code(head_first: int, adjacent: int, verb: int, commas: int, after_first: int, before_second: int) -> int:
    """Δ as one number: the answers to questions 1 to 6 (section 2.3)."""
    code = min(commas, 3) << COMMAS_SHIFT
    if head_first:
        code |= HEAD_FIRST
    if adjacent:
        code |= ADJACENT
    if verb:
        code |= VERB_BETWEEN
    if after_first:
        code |= COMMA_AFTER_FIRST
    if before_second:
        code |= COMMA_BEFORE_SECOND
    return code


@kernel(allocates=False)
def reduced_delta(level: int, delta: int) -> int:
    """Δ as a table of tags sees it: all six answers, or only some of them."""
    if level == TAGS_ORDER:
        return delta & HEAD_FIRST
    if level == TAGS_ADJACENT:
        return delta & (HEAD_FIRST | ADJACENT)
    if level == TAGS_NEAR:
        commas = (delta >> COMMAS_SHIFT) & 3
        return (delta & ~(3 << COMMAS_SHIFT)) | (min(commas, 1) << COMMAS_SHIFT)
    return delta


@kernel(allocates=False)
def pair_key(widths: Widths, word_1: int, tag_1: int, word_2: int, tag_2: int) -> int:
    """<word, tag>, <word, tag> as one number (Δ or the comma is added by the caller)."""
    key = (int(word_1) << widths.tag) | int(tag_1)
    return (((key << widths.word) | int(word_2)) << widths.tag) | int(tag_2)


@kernel(allocates=False)
def first_key(widths: Widths, word_1: int, tag_1: int, tag_2: int) -> int:
    """<word, tag>, <tag> as one number."""
    return (((int(word_1) << widths.tag) | int(tag_1)) << widths.tag) | int(tag_2)


@kernel(allocates=False)
def second_key(widths: Widths, tag_1: int, word_2: int, tag_2: int) -> int:
    """<tag>, <word, tag> as one number."""
    return (((int(tag_1) << widths.word) | int(word_2)) << widths.tag) | int(tag_2)


@kernel(allocates=False)
def tag_key(widths: Widths, tag_1: int, tag_2: int) -> int:
    """<tag>, <tag> as one number; also a word, or a label, with a tag."""
    return (int(tag_1) << widths.tag) | int(tag_2)


@kernel(allocates=False)
def words_key(widths: Widths, word_1: int, word_2: int) -> int:
    """Two words, tags ignored: the C(a, c) of section 2.7."""
    return (int(word_1) << widths.word) | int(word_2)


@kernel(allocates=False)
def both_neighbours(widths: Widths, before: int, after: int) -> int:
    """Two neighbours as one number."""
    return (int(after) << (widths.tag + 1)) | int(before)


@kernel(allocates=False)
def between(tags: np.ndarray, classes: np.ndarray, first: int, second: int, tag_m: int, tag_h: int) -> int:
    """What kinds of words lie between two words, as bits: classes of tags, the modifier's tag, the head's tag."""
    found = 0
    for place in range(first + 1, second):
        tag = tags[place]
        found |= classes[tag]
        if tag == tag_m:
            found |= SAME_AS_MODIFIER
        if tag == tag_h:
            found |= SAME_AS_HEAD
    return found


@kernel(allocates=False)
def context_key(widths: Widths, level: int, tag_m: int, tag_h: int, delta: int, context: int) -> int:
    """Two tags with order and adjacency, and a context: neighbours, or what lies between."""
    near = (2 if delta & HEAD_FIRST else 0) | (1 if delta & ADJACENT else 0)
    key = (tag_key(widths, tag_m, tag_h) << NEAR_BITS) | near
    return (key << (BETWEEN_BITS if level == BETWEEN else 2 * widths.tag + 2)) | int(context)
