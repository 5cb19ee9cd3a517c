"""A sentence in numbers: its readings, gaps and 'commas', as the chart parser wants them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Grammar, SentenceArrays
from engine.counts.context_features import context_features
from engine.estimates.word_numbers import word_numbers
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import Readings

_NO_ROWS: Any = np.zeros((0, 3), np.int32)


def sentence_arrays(model: Model, grammar: Grammar, sentence: TaggedSentence, readings: Readings) -> SentenceArrays:
    """A sentence in numbers, with nothing demanded of its parse."""
    size = len(readings)
    number_of, unknown = model.tag_numbers.get, len(model.vocabulary.tags)
    tags = sentence.proper_tags
    flat = [one for choices in readings for one in choices]
    words: Sequence[int] = word_numbers(model, grammar.switches, sentence)
    positions: Iterable[int] = range(size)
    free = _free(size)
    starts, gap_starts = free.reading_starts, free.gap_starts
    if len(flat) > size:
        counts = np.array([len(choices) for choices in readings], np.int32)
        starts, gap_starts = np.zeros((2, size + 1), np.int32)
        np.cumsum(counts, out=starts[1:])
        np.cumsum(counts[1:] * counts[:-1], out=gap_starts[2:])
        positions = [position for position, choices in enumerate(readings) for _ in choices]
        words = [words[position] for position in positions]
    # One flat list is made into an array much sooner than rows of three.
    numbers = [*words, *[number_of(tag, unknown) for tag, _ in flat], *positions]
    arrays = free._replace(
        commas=np.array(sentence.commas, np.int32),
        readings=np.array(numbers, np.int32).reshape(3, len(flat)).T.copy(),
        reading_logs=np.array([math.log(probability) for _, probability in flat]),
        reading_starts=starts,
        gaps=np.zeros((max(int(gap_starts[-1]), 1), 5)),
        gap_starts=gap_starts,
        context_features=context_features(tags, [number_of(tag, unknown) for tag in tags], sentence.commas),
    )
    chart_kernel.fill_gaps(
        grammar.counts,
        grammar.switches,
        arrays.readings,
        starts,
        arrays.commas,
        arrays.context_features,
        gap_starts,
        arrays.gaps,
    )
    return arrays


@lru_cache(maxsize=128)
def _free(size: int) -> SentenceArrays:
    """What all sentences of a length have in common if nothing is demanded; one reading to a word.

    Made once for each length and shared: who demands something writes into copies
    (:func:`engine.structure.constraints.apply`).
    """
    demands = np.zeros((size, 3), np.int32)
    demands[:, layout.DEMANDED_RELATION] = -1
    starts = np.arange(size + 1, dtype=np.int32)
    return SentenceArrays(
        commas=_NO_ROWS,
        readings=_NO_ROWS,
        reading_logs=_NO_ROWS,
        reading_starts=starts,
        gaps=_NO_ROWS,
        gap_starts=np.maximum(starts - 1, 0),
        base_allowed=np.ones((size, size), np.uint8),
        arrow_allowed=np.ones((size, size + 1), np.uint8),
        demands=demands,
        forbidden_relations=_NO_ROWS,
        demanded_brackets=_NO_ROWS,
        forbidden_brackets=_NO_ROWS,
        context_features=_NO_ROWS,
    )
