"""Browser of a model: what it counted of a word, a tag, a pair or a relation, from heads by Δ to gaps and roots."""

from __future__ import annotations

import numpy as np

from engine.analysis.browser.browser_query import Query, Term, matches, read_query
from engine.analysis.browser.dependency_tables import arrow_tables, distance_table, pair_table, relation_tables
from engine.analysis.browser.findings import Findings, FoundTable
from engine.analysis.browser.gap_tables import (
    between_table,
    gap_table,
    roots_table,
    tags_table,
    unary_table,
    words_table,
)
from engine.analysis.browser.model_tables import ModelTables
from engine.analysis.browser.table_columns import numbers_of
from engine.analysis.evidence.counted import ANY, Counted
from engine.common.arrays import BoolArray, Int64Array
from engine.counts.specifications_layout import DEPENDENCY_PAIR
from engine.model.model import Model


class Browser:
    """Answers questions to one model; every table is taken apart when it is first needed, and kept."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tables = ModelTables(model)

    def find(self, asked: str | Query) -> Findings:
        """Find everything about a word, a tag, a pair or a relation; see :func:`read_query` for how to ask."""
        query = read_query(asked, self.model) if isinstance(asked, str) else asked
        if query.relation is not None:
            return self._relation(query.relation)
        if len(query.terms) == 2:
            return self._pair(*query.terms)
        return self._term(query.terms[0])

    def arrows_of(self, query: Query) -> tuple[Counted, Int64Array | None, int]:
        """Find the arrows that a question is about: their contexts, their relations if not all, and their number.

        Those of a term are the arrows that it modifies or heads, those of two the arrows between them.
        """
        arrows = self.tables.arrows
        relations = None
        if query.relation is not None:
            relations = self._relation_numbers(query.relation)
            chosen = np.isin(arrows.relations, relations)
        elif len(query.terms) == 1:
            word, tag = numbers_of(self.model, query.terms[0])
            chosen = arrows.where(modifier=word, modifier_tag=tag) | arrows.where(head=word, head_tag=tag)
        else:
            chosen = self._between(*query.terms) | self._between(*reversed(query.terms))
        keys = np.unique(arrows.keys[chosen])
        return Counted("η", DEPENDENCY_PAIR, tuple(keys.tolist()), ANY), relations, int(arrows.etas[chosen].sum())

    def _between(self, modifier: Term, head: Term) -> BoolArray:
        """The arrows from one term to another."""
        (word_m, tag_m), (word_h, tag_h) = numbers_of(self.model, modifier), numbers_of(self.model, head)
        return self.tables.arrows.where(modifier=word_m, modifier_tag=tag_m, head=word_h, head_tag=tag_h)

    def _relation_numbers(self, relation: tuple[str, str, str]) -> Int64Array:
        triples = self.model.vocabulary.triples
        return np.array([number for number, triple in enumerate(triples) if matches(relation, triple)])

    def _term(self, term: Term) -> Findings:
        word, tag = numbers_of(self.model, term)
        arrows = self.tables.arrows
        as_modifier = arrows.where(modifier=word, modifier_tag=tag)
        as_head = arrows.where(head=word, head_tag=tag)
        modifies, heads = (int(arrows.etas[rows].sum()) for rows in (as_modifier, as_head))
        remarks = [f"A modifier {modifies:,} times, a head {heads:,} times."]
        if term.word is None and term.tag in self.model.word_numbers:
            remarks.append(f"‘{term.tag}’ is also a word; as a word ask for it with a tag, as {term.tag}/NNP.")
        tables = [
            tags_table(self.tables, word, tag) if term.word is not None else words_table(self.tables, tag),
            *arrow_tables(self.tables, term, as_modifier, modifies=True),
            distance_table(self.tables, term, modifies=True),
            *arrow_tables(self.tables, term, as_head, modifies=False),
            distance_table(self.tables, term, modifies=False),
            gap_table(self.tables, term, before=True),
            gap_table(self.tables, term, before=False),
            unary_table(self.tables, term),
            roots_table(self.tables, term),
        ]
        return self._findings(str(term), remarks, tables)

    def _pair(self, first: Term, second: Term) -> Findings:
        remarks = []
        tables = []
        directions = [(first, second)] if first == second else [(first, second), (second, first)]
        for modifier, head in directions:
            times = int(self.tables.arrows.etas[self._between(modifier, head)].sum())
            if not times:
                remarks.append(f"{modifier} never modifies {head}.")
            else:
                remarks.append(f"{modifier} modifies {head} {'once' if times == 1 else f'{times:,} times'}.")
            tables.append(pair_table(self.tables, modifier, head))
        for left, right in directions:
            tables.append(between_table(self.tables, left, right))
        return self._findings(f"{first}, {second}", remarks, tables)

    def _relation(self, relation: tuple[str, str, str]) -> Findings:
        numbers = self._relation_numbers(relation)
        chosen = np.isin(self.tables.arrows.relations, numbers)
        times = int(self.tables.arrows.etas[chosen].sum())
        remarks = [f"Counted {times:,} times" + (f" as {len(numbers)} relations." if len(numbers) > 1 else ".")]
        title = f"<{','.join(relation)}>"
        return self._findings(title, remarks, relation_tables(self.tables, title, chosen, len(numbers) > 1))

    def _findings(self, title: str, remarks: list[str], tables: list[FoundTable]) -> Findings:
        return Findings(title, tuple(remarks), tuple(table for table in tables if table.rows))
