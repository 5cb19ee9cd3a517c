"""A count as a question: which table, which contexts in it, and which outcome (η) or all of them (δ)."""

from __future__ import annotations

from typing import NamedTuple

from engine.counts import lookup_kernel
from engine.counts.context_descriptions import describe_context, describe_outcome
from engine.counts.counts_layout import Counts
from engine.counts.specifications_layout import DEPENDENCY_TABLES
from engine.model.model import Model

ANY = -1
"""In place of an outcome: any of them, so that the events are asked for and not the contexts."""
UNRELATED = -2
"""In place of an outcome: none, two words that stood so and had no relation."""


class Counted(NamedTuple):
    """One number of the model.

    Attributes
    ----------
    level
        What the level of back-off is called: ``E1``, ``order``, ...
    table
        Number of the count table (:mod:`engine.counts.specifications_layout`).
    keys
        The contexts: one, or with question 1 as the only distance all that differ in the others.  None where a word is
        unknown, or words are not used: then nothing was counted.
    outcome
        Number of a relation, gap tag, unary parent or root label for η; ``ANY`` for all events,
        ``UNRELATED`` for their lack; ``None`` for δ.
    """

    level: str
    table: int
    keys: tuple[int, ...]
    outcome: int | None = None

    def of(self, outcome: int | None) -> Counted:
        """The same contexts with another outcome."""
        return self._replace(outcome=outcome)

    def words(self, model: Model) -> str:
        """Describe what is counted: ``<PP,VP,VBD> of with/IN → saw/VBD: head precedes modifier, ...``."""
        if not self.keys:
            return "a context with a word that the model does not know"
        vocabulary, widths = model.vocabulary, model.counts.widths
        # Contexts that differ in the other questions are counted together: the first key answers those with no.
        context = describe_context(vocabulary, widths, self.table, self.keys[0], order_only=len(self.keys) > 1)
        if self.outcome is None:
            return context
        if self.outcome == ANY:
            return f"{context}; whatever the relation" if self.table in DEPENDENCY_TABLES else context
        if self.outcome == UNRELATED:
            return f"{context}; without a relation"
        return f"{context}; {describe_outcome(vocabulary, self.table, self.outcome)}"


def count_in(counts: Counts, counted: Counted) -> int:
    """The number itself, looked up in the model."""
    whole = 0
    for key in counted.keys:
        delta, start, end = lookup_kernel.find(counts, counted.table, key)
        if counted.outcome is None:
            whole += delta
        elif counted.outcome in (ANY, UNRELATED):
            known = int(counts.records[start + 1 : end : 2].sum())
            whole += known if counted.outcome == ANY else delta - known
        else:
            whole += lookup_kernel.count_of(counts, start, end, counted.outcome)
    return int(whole)
