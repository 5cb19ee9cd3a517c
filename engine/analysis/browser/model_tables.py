"""The count tables of one model, each taken apart when it is first needed, and kept."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.analysis.browser.table_columns import TableColumns, table_columns
from engine.analysis.evidence.counted import ANY, Counted
from engine.common.arrays import BoolArray, IntArray
from engine.counts.specifications_layout import DEPENDENCY_PAIR
from engine.model.model import Model


class Arrows:
    """The arrows of the training trees: who modifies whom, at which Δ, by which relation, how often.

    The table of both words and tags holds them all, for no model leaves out a context in which something was counted
    there.
    """

    def __init__(self, model: Model, pairs: TableColumns) -> None:
        self.model = model
        self.relations = pairs.outcomes
        self.etas = pairs.etas
        self.keys = pairs.contexts.keys[pairs.places]
        self.parts = {name: values[pairs.places] for name, values in pairs.parts.items()}

    def where(self, **wanted: int | None) -> BoolArray:
        """The arrows whose words and tags are these; ``None`` for any."""
        mask = np.ones(len(self.etas), bool)
        for name, number in wanted.items():
            if number is not None:
                mask &= self.parts[name.replace("_", " ")] == number
        return mask

    def counted(self, places: IntArray, relation: bool) -> Counted:
        """The count of some arrows: of their one relation, or whatever it is."""
        outcome = int(self.relations[places[0]]) if relation else ANY
        return Counted("η", DEPENDENCY_PAIR, tuple(np.unique(self.keys[places]).tolist()), outcome)

    def named(self, numbers: list[int], tags: list[int]) -> list[str]:
        """Words with their tags."""
        vocabulary = self.model.vocabulary
        return [f"{vocabulary.words[word]}/{vocabulary.tags[tag]}" for word, tag in zip(numbers, tags, strict=True)]

    def relation_names(self, numbers: list[int]) -> list[str]:
        """Relations as they are written."""
        triples = self.model.vocabulary.triples
        return [f"<{','.join(triples[number])}>" for number in numbers]


class ModelTables:
    """The tables of a model as columns."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._tables: dict[int, TableColumns] = {}

    def columns(self, table: int) -> TableColumns:
        """One table of the model as columns."""
        if table not in self._tables:
            self._tables[table] = table_columns(self.model, table)
        return self._tables[table]

    @cached_property
    def compact(self) -> bool:
        """True if the model was pruned of contexts of two words in which nothing was counted."""
        return not (self.columns(DEPENDENCY_PAIR).contexts.records < 0).any()

    @cached_property
    def arrows(self) -> Arrows:
        """The arrows that were counted."""
        return Arrows(self.model, self.columns(DEPENDENCY_PAIR))
