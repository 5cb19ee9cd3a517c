"""What the tagger learns from: a corpus as arrays, one row a token, without any sentence kept in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, IntArray
from engine.common.numbering import Numbers


class TaggerCorpus(NamedTuple):
    """A whole corpus as arrays.

    Attributes
    ----------
    words, tags
        The different words in their Penn forms, and the tags, each sorted.
    word_numbers, tag_numbers
        Word and tag of every token, as numbers into these.
    starts
        Where each sentence begins, and the end.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    word_numbers: Int32Array
    tag_numbers: Int64Array
    starts: Int64Array

    def select(self, sentences: IntArray) -> TaggerCorpus:
        """The corpus of some sentences in this order; their words and tags alone are numbered."""
        sizes = np.diff(self.starts)[sentences]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        tokens = np.arange(starts[-1]) + np.repeat(self.starts[sentences] - starts[:-1], sizes)
        words, word_numbers = np.unique(self.word_numbers[tokens], return_inverse=True)
        tags, tag_numbers = np.unique(self.tag_numbers[tokens], return_inverse=True)
        return TaggerCorpus(
            tuple(self.words[number] for number in words.tolist()),
            tuple(self.tags[number] for number in tags.tolist()),
            word_numbers.astype(np.int32),
            tag_numbers.astype(np.int64),
            starts,
        )


def _column() -> array[int]:
    return array("i")


@dataclass(slots=True)
class TaggerCorpusBuilder:
    """Collects every token of a corpus, punctuation included."""

    words: Numbers = field(default_factory=Numbers)
    tags: Numbers = field(default_factory=Numbers)
    starts: array[int] = field(default_factory=_column)
    word: array[int] = field(default_factory=_column)
    tag: array[int] = field(default_factory=_column)

    def add(self, words: Sequence[str], tags: Sequence[str]) -> None:
        """Add one sentence, its words as :func:`engine.trees.penn_forms.plain_word` gives them."""
        self.starts.append(len(self.word))
        word_numbers, tag_numbers = self.words, self.tags
        self.word.extend([word_numbers[word] for word in words])
        self.tag.extend([tag_numbers[tag] for tag in tags])


def join(parts: Iterable[TaggerCorpusBuilder]) -> TaggerCorpus:
    """The corpus of several parts, in order, under one sorted numbering."""
    parts = list(parts)
    words = tuple(sorted({word for part in parts for word in part.words}))
    tags = tuple(sorted({tag for part in parts for tag in part.tags}))
    word_places = {word: number for number, word in enumerate(words)}
    tag_places = {tag: number for number, tag in enumerate(tags)}
    word_columns, tag_columns, starts = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    base = 0
    for part in parts:
        new_words = np.array([word_places[word] for word in part.words], np.int32)
        new_tags = np.array([tag_places[tag] for tag in part.tags], np.int64)
        word_columns.append(new_words[np.array(part.word, np.int32)])
        tag_columns.append(new_tags[np.array(part.tag, np.int32)])
        starts.append(np.array(part.starts, np.int64) + base)
        base += len(part.word)
    return TaggerCorpus(
        words, tags, np.concatenate(word_columns), np.concatenate(tag_columns), np.append(np.concatenate(starts), base)
    )
