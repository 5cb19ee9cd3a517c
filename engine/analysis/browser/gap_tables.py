"""Gaps, unaries, roots, tags and words in the model browser (sections 2.5 and 2.6)."""

from __future__ import annotations

import numpy as np

from engine.analysis.browser.browser_query import Term
from engine.analysis.browser.findings import FoundTable
from engine.analysis.browser.model_tables import ModelTables
from engine.analysis.browser.table_columns import Grouped, TableColumns, grouped_table, numbers_of
from engine.analysis.evidence.counted import Counted
from engine.common.arrays import BoolArray, IntArray
from engine.counts.specifications_layout import (
    GAP_LEFT,
    GAP_PAIR,
    GAP_RIGHT,
    GAP_TAG_PAIR,
    ROOT_TAG,
    ROOT_WORD,
    UNARY_TAG,
    UNARY_WORD,
)
from engine.structure.dependencies import GAP_LETTERS


def gap_table(tables: ModelTables, term: Term, before: bool) -> FoundTable:
    """The gap tags before or after a word or tag, by the tag on the other side and the comma."""
    word, tag = numbers_of(tables.model, term)
    side, other = ("right", "left") if before else ("left", "right")
    if term.word is None:
        columns = tables.columns(GAP_TAG_PAIR)
        chosen = columns.where(**{f"{side}_tag": tag})
    else:
        columns = tables.columns(GAP_RIGHT if before else GAP_LEFT)
        chosen = columns.where(**{side: word, f"{side}_tag": tag})
    name = f"Gap before {term}" if before else f"Gap after {term}"
    return _gaps(tables, name, "tag before" if before else "tag after", columns, chosen, f"{other} tag")


def between_table(tables: ModelTables, left: Term, right: Term) -> FoundTable:
    """The gap tags between two words or tags that stand side by side."""
    (word_l, tag_l), (word_r, tag_r) = numbers_of(tables.model, left), numbers_of(tables.model, right)
    if left.word is None and right.word is None:
        table = GAP_TAG_PAIR
    elif right.word is None:
        table = GAP_LEFT
    else:
        table = GAP_RIGHT if left.word is None else GAP_PAIR
    columns = tables.columns(table)
    asked = {"left": word_l, "left_tag": tag_l, "right": word_r, "right_tag": tag_r}
    chosen = columns.where(**{name: number for name, number in asked.items() if number is not None})
    note = ""
    if table == GAP_PAIR and tables.compact:
        note = "a compact model leaves out two words that stood side by side only once"
    return _gaps(tables, f"Gap between {left} and {right}", "", columns, chosen, "comma", note)


def _gaps(
    tables: ModelTables, name: str, beside: str, columns: TableColumns, chosen: BoolArray, part: str, note: str = ""
) -> FoundTable:
    places = np.flatnonzero(chosen)
    by_tag = np.zeros((len(GAP_LETTERS), len(chosen)), np.int64)
    by_tag[columns.outcomes, columns.places] = columns.etas
    others, commas = columns.parts[part][places], columns.parts["comma"][places]
    grouped = Grouped((others, commas), columns.contexts.deltas[places])
    tags = tables.model.vocabulary.tags
    between = ["a comma" if comma else "no comma" for comma in grouped.column(commas)]
    first = ([tags[number] for number in grouped.column(others)],) if beside else ()
    letters = [grouped.summed(row[places]) for row in by_tag]

    def counted(members: IntArray) -> Counted:
        return Counted("δ", columns.table, tuple(columns.contexts.keys[places[members]].tolist()))

    header = (*((beside,) if beside else ()), "between", *GAP_LETTERS, "δ")
    return grouped_table(name, header, grouped, (*first, between, *letters, grouped.sums.tolist()), counted, note)


def _headed(tables: ModelTables, term: Term, by_tag: int, by_word: int) -> tuple[TableColumns, BoolArray]:
    """The table in which a term is to be found, by its word or, where it has none, by its tag; and its contexts."""
    word, tag = numbers_of(tables.model, term)
    if term.word is None:
        columns = tables.columns(by_tag)
        return columns, columns.where(tag=tag)
    columns = tables.columns(by_word)
    return columns, columns.where(word=word, tag=tag)


def unary_table(tables: ModelTables, term: Term) -> FoundTable:
    """The constituents that a word or tag heads, and what stands over them alone."""
    columns, chosen = _headed(tables, term, UNARY_TAG, UNARY_WORD)
    rows = np.flatnonzero(chosen[columns.places])
    contexts, parents, etas = columns.places[rows], columns.outcomes[rows], columns.etas[rows]
    labels = columns.parts["label"][contexts]
    grouped = Grouped((labels, parents), etas)
    names = tables.model.vocabulary.labels
    of_label = np.bincount(labels, etas, len(names) + 1).astype(np.int64)

    def counted(members: IntArray) -> Counted:
        keys = tuple(columns.contexts.keys[contexts[members]].tolist())
        return Counted("η", columns.table, keys, int(parents[members[0]]))

    return grouped_table(
        f"Unaries over what {term} heads",
        ("constituent", "parent", "η", "δ"),
        grouped,
        (
            [names[number] for number in grouped.column(labels)],
            [names[number] or "none" for number in grouped.column(parents)],
            grouped.sums.tolist(),
            of_label[grouped.column(labels)].tolist() if len(rows) else [],
        ),
        counted,
    )


def roots_table(tables: ModelTables, term: Term) -> FoundTable:
    """The labels under which a word or tag headed its sentence."""
    columns, chosen = _headed(tables, term, ROOT_TAG, ROOT_WORD)
    rows = np.flatnonzero(chosen[columns.places])
    outcomes = columns.outcomes[rows]
    grouped = Grouped((outcomes,), columns.etas[rows])
    names = tables.model.vocabulary.labels
    whole = int(columns.contexts.deltas[chosen].sum())

    def counted(members: IntArray) -> Counted:
        keys = tuple(columns.contexts.keys[columns.places[rows[members]]].tolist())
        return Counted("η", columns.table, keys, int(outcomes[members[0]]))

    return grouped_table(
        f"Sentences that {term} heads",
        ("root", "η", "δ"),
        grouped,
        ([f"<{names[number]}>" for number in grouped.column(outcomes)], grouped.sums.tolist(), [whole] * grouped.total),
        counted,
    )


def tags_table(tables: ModelTables, word: int | None, tag: int | None) -> FoundTable:
    """The tags that a word had, and how often it was a word of the reduced sentence S̄ and the head of its sentence."""
    return _reduced(tables, "Tags", "tag", tables.columns(ROOT_WORD).where(word=word, tag=tag), "tag")


def words_table(tables: ModelTables, tag: int | None) -> FoundTable:
    """The words that had a tag."""
    return _reduced(tables, "Words", "word", tables.columns(ROOT_WORD).where(tag=tag), "word")


def _reduced(tables: ModelTables, name: str, column: str, chosen: BoolArray, part: str) -> FoundTable:
    columns = tables.columns(ROOT_WORD)
    places = np.flatnonzero(chosen)
    heads = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    values = columns.parts[part][places]
    grouped = Grouped((values,), columns.contexts.deltas[places])
    vocabulary = tables.model.vocabulary
    names = vocabulary.tags if part == "tag" else vocabulary.words

    def counted(members: IntArray) -> Counted:
        return Counted("δ", ROOT_WORD, tuple(columns.contexts.keys[places[members]].tolist()))

    return grouped_table(
        name,
        (column, "reduced", "heads its sentence"),
        grouped,
        (
            [names[number] for number in grouped.column(values)],
            grouped.sums.tolist(),
            grouped.summed(heads[places]),
        ),
        counted,
        "reduced: as a word of the reduced sentence S̄, in which the head alone stands for each baseNP",
    )
