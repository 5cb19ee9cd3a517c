"""Contexts in which a level of an estimate is looked up: a table and keys, from which counts and evidence follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.counts.counts_layout import Counts
from engine.counts.lookup_kernel import level_counts
from engine.estimates.ledger import Level


class LevelContexts(NamedTuple):
    """The contexts that one level of back-off counts.

    Attributes
    ----------
    level
        What the level is called.
    table
        Number of the count table (:mod:`engine.counts.specifications_layout`).
    keys
        One context; with question 1 as the only distance all that differ in the others; none where a word is unknown,
        or words are not used.
    """

    level: str
    table: int
    keys: tuple[int, ...]


def look_up(counts: Counts, contexts: Sequence[LevelContexts], outcome: int) -> tuple[Level, ...]:
    """Look up the levels of an estimate: η of one outcome, and δ."""
    places = [(context.table, key, number) for number, context in enumerate(contexts) for key in context.keys]
    tables, keys, numbers = np.array(places, np.int64).reshape(-1, 3).T.copy()
    eta = np.zeros(len(contexts), np.int64)
    delta = np.zeros(len(contexts), np.int64)
    level_counts(counts, tables, keys, numbers, outcome, eta, delta)
    etas, deltas = eta.tolist(), delta.tolist()
    return tuple(Level(context.level, etas[row], deltas[row]) for row, context in enumerate(contexts))
