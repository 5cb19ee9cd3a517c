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
    places = [(number, table, key) for number, (_, table, keys) in enumerate(contexts) for key in keys]
    levels, tables, keys = zip(*places, strict=True) if places else ((), (), ())
    eta, delta = np.zeros((2, len(contexts)), np.int64)
    level_counts(
        counts, np.array(tables, np.int64), np.array(keys, np.int64), np.array(levels, np.int64), outcome, eta, delta
    )
    names = [context.level for context in contexts]
    return tuple(map(Level, names, eta.tolist(), delta.tolist()))
