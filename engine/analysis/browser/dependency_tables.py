"""Dependencies in the model browser: heads, modifiers, relations, and counts by Δ (sections 2.2 to 2.4)."""

from __future__ import annotations

import numpy as np

from engine.analysis.browser.browser_query import Term
from engine.analysis.browser.findings import FoundTable
from engine.analysis.browser.model_tables import Arrows, ModelTables
from engine.analysis.browser.table_columns import Grouped, TableColumns, grouped_table, numbers_of
from engine.analysis.evidence.counted import ANY, UNRELATED, Counted
from engine.common.arrays import BoolArray, IntArray
from engine.counts.context_descriptions import QUESTIONS, distance_answers
from engine.counts.specifications_layout import (
    DEPENDENCY_HEAD,
    DEPENDENCY_MODIFIER,
    DEPENDENCY_PAIR,
    DEPENDENCY_PLAIN_HEAD,
    DEPENDENCY_PLAIN_MODIFIER,
    DEPENDENCY_PLAIN_PAIR,
    DEPENDENCY_TAGS,
)

LEFT_OUT = "δ of a compact model lacks rare contexts in which nothing was counted"


def arrow_tables(tables: ModelTables, term: Term, chosen: BoolArray, modifies: bool) -> list[FoundTable]:
    """The heads that a term modifies, or the modifiers that it has; by word and by tag with their relations."""
    arrows = tables.arrows
    other = "head" if modifies else "modifier"
    title = f"Heads of {term}" if modifies else f"Modifiers of {term}"
    return [
        _by_word(arrows, title, other, chosen),
        _by_tag(arrows, f"{title} by tag", other, chosen),
    ]


def _by_word(arrows: Arrows, title: str, side: str, chosen: BoolArray) -> FoundTable:
    places = np.flatnonzero(chosen)
    words, tags, relations = arrows.parts[side][places], arrows.parts[f"{side} tag"][places], arrows.relations[places]
    grouped = Grouped((words, tags, relations), arrows.etas[places])
    columns = (
        arrows.named(grouped.column(words), grouped.column(tags)),
        arrows.relation_names(grouped.column(relations)),
        grouped.sums.tolist(),
    )
    return grouped_table(
        title, (side, "relation", "η"), grouped, columns, lambda members: arrows.counted(places[members], True)
    )


def _by_tag(arrows: Arrows, title: str, side: str, chosen: BoolArray) -> FoundTable:
    places = np.flatnonzero(chosen)
    tags, relations = arrows.parts[f"{side} tag"][places], arrows.relations[places]
    grouped = Grouped((tags, relations), arrows.etas[places])
    names = arrows.model.vocabulary.tags
    columns = (
        [names[tag] for tag in grouped.column(tags)],
        arrows.relation_names(grouped.column(relations)),
        grouped.sums.tolist(),
    )
    return grouped_table(
        title, (f"{side} tag", "relation", "η"), grouped, columns, lambda members: arrows.counted(places[members], True)
    )


def _table_of(modifier: Term | None, head: Term | None) -> int:
    """The smallest table that holds these words and tags; ``None`` for a side that may be anything."""
    word_m, tag_m = (modifier.word, modifier.tag) if modifier else (None, None)
    word_h, tag_h = (head.word, head.tag) if head else (None, None)
    if word_m is None and word_h is None:
        return DEPENDENCY_TAGS
    if word_m is not None and word_h is not None:
        return DEPENDENCY_PAIR if tag_m or tag_h else DEPENDENCY_PLAIN_PAIR
    if word_m is not None:
        return DEPENDENCY_MODIFIER if tag_m else DEPENDENCY_PLAIN_MODIFIER
    return DEPENDENCY_HEAD if tag_h else DEPENDENCY_PLAIN_HEAD


def _contexts(tables: ModelTables, modifier: Term | None, head: Term | None) -> tuple[TableColumns, BoolArray]:
    """The contexts of a term with another, or with any word."""
    columns = tables.columns(_table_of(modifier, head))
    wanted: dict[str, int | None] = {}
    for side, term in (("modifier", modifier), ("head", head)):
        if term is not None:
            word, tag = numbers_of(tables.model, term)
            wanted |= {name: number for name, number in ((side, word), (f"{side}_tag", tag)) if number is not None}
    return columns, columns.where(**wanted)


def _note(tables: ModelTables, table: int) -> str:
    return LEFT_OUT if tables.compact and table != DEPENDENCY_TAGS else ""


def _answers(codes: list[int]) -> list[list[str]]:
    """The six answers of every Δ, as six columns."""
    answers = [distance_answers(code) for code in codes]
    return [[one[question] for one in answers] for question in range(len(QUESTIONS))]


def distance_table(tables: ModelTables, term: Term, modifies: bool) -> FoundTable:
    """Counts of a term by Δ, its six answers in words: how often it stood so to another word, and was related."""
    columns, chosen = _contexts(tables, term if modifies else None, None if modifies else term)
    places = np.flatnonzero(chosen)
    etas = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    codes = columns.parts["distance"][places]
    grouped = Grouped((codes,), etas[places])

    def counted(members: IntArray) -> Counted:
        return Counted("η", columns.table, tuple(columns.contexts.keys[places[members]].tolist()), ANY)

    name = f"{term} as modifier, by Δ" if modifies else f"{term} as head, by Δ"
    return grouped_table(
        name,
        (*QUESTIONS, "η", "δ"),
        grouped,
        (*_answers(grouped.column(codes)), grouped.sums.tolist(), grouped.summed(columns.contexts.deltas[places])),
        counted,
        _note(tables, columns.table),
    )


def pair_table(tables: ModelTables, modifier: Term, head: Term) -> FoundTable:
    """Two terms by Δ and relation, and how often they stood so without any."""
    columns, chosen = _contexts(tables, modifier, head)
    rows = np.flatnonzero(chosen[columns.places])
    etas = np.bincount(columns.places, columns.etas, len(chosen)).astype(np.int64)
    alone = np.flatnonzero(chosen & (columns.contexts.deltas > etas))
    unrelated = len(tables.model.vocabulary.triples)
    contexts = np.concatenate([columns.places[rows], alone])
    relations = np.concatenate([columns.outcomes[rows], np.full(len(alone), unrelated)])
    counts = np.concatenate([columns.etas[rows], (columns.contexts.deltas - etas)[alone]])
    codes = columns.parts["distance"][contexts]
    grouped = Grouped((codes, relations), counts)
    found = grouped.column(relations)
    names = ["none" if number == unrelated else tables.arrows.relation_names([number])[0] for number in found]
    by_code = np.bincount(columns.parts["distance"][chosen], columns.contexts.deltas[chosen], 128).astype(np.int64)
    deltas = by_code[grouped.column(codes)].tolist() if len(codes) else []

    def counted(members: IntArray) -> Counted:
        places, outcome = contexts[members], int(relations[members[0]])
        keys = tuple(columns.contexts.keys[places].tolist())
        return Counted("η", columns.table, keys, UNRELATED if outcome == unrelated else outcome)

    return grouped_table(
        f"{modifier} → {head}, by Δ",
        ("relation", *QUESTIONS, "η", "δ"),
        grouped,
        (names, *_answers(grouped.column(codes)), grouped.sums.tolist(), deltas),
        counted,
        _note(tables, columns.table),
    )


def relation_tables(tables: ModelTables, title: str, chosen: BoolArray, several: bool) -> list[FoundTable]:
    """A relation, or several of them: their tags, their words, their pairs, their Δ."""
    layouts: list[tuple[str, tuple[str, ...]]] = [
        ("Tags of", ("modifier tag", "head tag")),
        ("Modifiers of", ("modifier",)),
        ("Heads of", ("head",)),
        ("Pairs of", ("modifier", "head")),
        ("Δ of", ("distance",)),
    ]
    if several:
        layouts.insert(0, ("Relations", ()))
    places = np.flatnonzero(chosen)
    return [_relation_table(tables.arrows, f"{name} {title}", sides, places, several) for name, sides in layouts]


def _relation_table(arrows: Arrows, name: str, sides: tuple[str, ...], places: IntArray, several: bool) -> FoundTable:
    relations = arrows.relations[places]
    parts = {part: values[places] for part, values in arrows.parts.items()}
    by = [relations]
    for side in sides:
        by += [parts[side], parts[f"{side} tag"]] if side in ("modifier", "head") else [parts[side]]
    grouped = Grouped(by, arrows.etas[places])
    header, cells = (["relation"], [arrows.relation_names(grouped.column(relations))]) if several else ([], [])
    for side in sides:
        numbers = grouped.column(parts[side])
        header += QUESTIONS if side == "distance" else (side,)
        if side == "distance":
            cells += _answers(numbers)
        elif side.endswith("tag"):
            cells.append([arrows.model.vocabulary.tags[number] for number in numbers])
        else:
            cells.append(arrows.named(numbers, grouped.column(parts[f"{side} tag"])))
    return grouped_table(
        name,
        (*header, "η"),
        grouped,
        (*cells, grouped.sums.tolist()),
        lambda members: arrows.counted(places[members], True),
    )
