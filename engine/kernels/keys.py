"""Contexts as numbers: Δ in seven bits, words and tags side by side in one key."""

from __future__ import annotations

from engine.jit import jit_for
from engine.kernels.data import (
    ADJACENT,
    COMMA_AFTER_FIRST,
    COMMA_BEFORE_SECOND,
    COMMAS_SHIFT,
    HEAD_FIRST,
    VERB_BETWEEN,
    Widths,
)

jit = jit_for(__name__, allocates=False)


@jit
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


@jit
def pair_key(widths: Widths, word_1: int, tag_1: int, word_2: int, tag_2: int) -> int:
    """<word, tag>, <word, tag> as one number (Δ or the comma is added by the caller)."""
    key = (int(word_1) << widths.tag) | int(tag_1)
    return (((key << widths.word) | int(word_2)) << widths.tag) | int(tag_2)


@jit
def first_key(widths: Widths, word_1: int, tag_1: int, tag_2: int) -> int:
    """<word, tag>, <tag> as one number."""
    return (((int(word_1) << widths.tag) | int(tag_1)) << widths.tag) | int(tag_2)


@jit
def second_key(widths: Widths, tag_1: int, word_2: int, tag_2: int) -> int:
    """<tag>, <word, tag> as one number."""
    return (((int(tag_1) << widths.word) | int(word_2)) << widths.tag) | int(tag_2)


@jit
def tag_key(widths: Widths, tag_1: int, tag_2: int) -> int:
    """<tag>, <tag> as one number; also a word, or a label, with a tag."""
    return (int(tag_1) << widths.tag) | int(tag_2)


@jit
def words_key(widths: Widths, word_1: int, word_2: int) -> int:
    """Two words, tags ignored: the C(a, c) of section 2.7."""
    return (int(word_1) << widths.word) | int(word_2)
