"""Glosses: what a tag, label, symbol, setting, column head or sign in a picture means, in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import assert_never

from engine.chart.parse import Parse
from engine.chart.trace import Trace
from engine.common.resources import read_bundled, resources_folder
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    ErrorCellId,
    ErrorId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
)
from engine.settings import SETTING_NAMES, preset_title
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED
from engine.structure.dependencies import Relation
from explorer.pictures.drawing import Drawing
from explorer.pictures.facts import Facts, facts_of

# Glosses: what a tag, label, symbol, setting or column head means, in one line, and where the manual tells more.
#
# All of them are lines of one table, ``resources/glosses.txt``, which says at its top how it is written.

TAGS, LABELS, MARKS, GAPS, RELATIONS, SYMBOLS = "tags", "labels", "marks", "gaps", "relations", "symbols"
PRESETS, SETTINGS, VERDICTS, ERRORS, COLUMNS = "presets", "settings", "verdicts", "errors", "columns"
MENUS, PARTS = "menus", "parts"
SORTS = (TAGS, LABELS, MARKS, GAPS, RELATIONS, SYMBOLS, PRESETS, SETTINGS, VERDICTS, ERRORS, COLUMNS, MENUS, PARTS)
"""The sorts of things that have glosses: the headings of the table."""
TIP_WIDTH = 72
"""Letters in a line of a tool tip."""
REMARK = ";"
"""How a line begins that is for readers of the file alone."""
_HEADING = re.compile(r"\[(\w+)\]\s+(\S+)")
_PAGE = re.compile(r"[\w-]+\.md(#\S+)?")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TOKEN = re.compile(r"[^\s()\[\]{}=×·…,;:|/−]+")


@dataclass(frozen=True, slots=True)
class Gloss:
    """What one sign means.

    Attributes
    ----------
    name
        The sign as it is shown.
    text
        What it means.
    page
        Where the manual tells more: a file, and a heading of it after ``#``.
    """

    name: str
    text: str
    page: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"

    @property
    def sentence(self) -> str:
        """The text alone, as a sentence without its full stop."""
        return self.text[:1].upper() + self.text[1:]

    @property
    def tip(self) -> str:
        """The same in lines that a tool tip has room for."""
        return wrapped(self.sentence)


def wrapped(text: str) -> str:
    """Text in lines that a tool tip has room for: Qt itself makes one line of it, however long."""
    return "\n".join(fill(line, TIP_WIDTH) for line in text.split("\n"))


def read_glosses(path: Path) -> dict[str, dict[str, Gloss]]:
    """Read a table of glosses; raise :class:`ValueError`, with the line, if it is not written as it should be."""
    found: dict[str, dict[str, Gloss]] = {}
    sort = page = ""
    for number, line in enumerate(read_bundled(path).splitlines(), 1):
        if not line.strip() or line.startswith(REMARK):
            continue
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            sort, page = heading.groups()
            if sort not in SORTS or sort in found:
                raise ValueError(f"{path.name}, line {number}: no sort of things, or one that came before: {sort}")
            found[sort] = {}
            continue
        parts = re.split(r"(?:  +|\t+)", line.strip())
        if len(parts) not in (2, 3) or not sort or (len(parts) == 3 and not _PAGE.fullmatch(parts[2])):
            raise ValueError(f"{path.name}, line {number}: a line is a name, its gloss and perhaps a page")
        if parts[0] in found[sort]:
            raise ValueError(f"{path.name}, line {number}: {parts[0]} has a gloss already")
        found[sort][parts[0]] = Gloss(parts[0], parts[1], parts[2] if len(parts) == 3 else page)
    return found


@cache
def glosses() -> Mapping[str, Mapping[str, Gloss]]:
    """The table that comes with the program, by sort and name."""
    return read_glosses(resources_folder() / "glosses.txt")


def tag_gloss(tag: str) -> Gloss | None:
    """A part of speech."""
    return glosses()[TAGS].get(tag)


def gap_gloss(letter: str) -> Gloss | None:
    """A gap tag."""
    return glosses()[GAPS].get(letter)


def label_gloss(label: str) -> Gloss | None:
    """The label of a constituent, or what stands for one: a tag, or a label with a mark of the model's."""
    plain = glosses()[LABELS].get(label) or tag_gloss(label)
    if plain is not None:
        return plain
    for mark in (STACKED * 2, STACKED, JOINED):
        if label.endswith(mark) and label_gloss(label.removesuffix(mark)) is not None:
            return _marked(label, label.removesuffix(mark), mark)
    return _marked(CORE, BASE_LABEL, CORE.removeprefix(BASE_LABEL)) if label == CORE else None


def _marked(label: str, base: str, mark: str) -> Gloss:
    gloss = glosses()[MARKS][mark]
    return Gloss(label, gloss.text.replace("%s", base), gloss.page)


def relation_gloss(relation: Relation) -> Gloss | None:
    """A triple: what linguists call it where there is a word for it, then its three labels."""
    parts = (("modifier", relation.modifier), ("parent", relation.parent), ("head-child", relation.head))
    labels = ", ".join(f"{part} {label}" for part, label in parts if label)
    if not relation.parent:
        return Gloss(str(relation), f"{labels}, the top of the tree", glosses()[SYMBOLS]["root"].page)
    triple = " ".join(label.rstrip(STACKED + JOINED) for label in relation)
    for pattern, gloss in glosses()[RELATIONS].items():
        if fnmatchcase(triple, pattern):
            return Gloss(str(relation), f"{gloss.text} ({labels})", gloss.page)
    return Gloss(str(relation), labels, glosses()[SYMBOLS]["R"].page)


def symbol_gloss(symbol: str) -> Gloss | None:
    """A symbol of the paper's, with or without its index: λ₁, E₂₃, δ."""
    table = glosses()[SYMBOLS]
    plain = symbol.translate(_SUBSCRIPTS)
    return table.get(plain) or table.get(plain.rstrip("0123456789"))


def preset_gloss(number: int) -> Gloss:
    """A preset."""
    gloss = glosses()[PRESETS][str(number)]
    return Gloss(preset_title(number), gloss.text, gloss.page)


def setting_gloss(field: str) -> Gloss:
    """A setting, by the name of its field, under the name that it has everywhere."""
    gloss = glosses()[SETTINGS][field]
    return Gloss(SETTING_NAMES[field], gloss.text, gloss.page)


def menu_gloss(title: str) -> Gloss | None:
    """A menu, and by that whatever stands in it."""
    return glosses()[MENUS].get(title)


def part_gloss(name: str) -> Gloss | None:
    """A part of the window, by the name that its widget has."""
    return glosses()[PARTS].get(name)


def column_gloss(title: str) -> Gloss | None:
    """The head of a column: one of its own, a verdict or a class of errors."""
    table = glosses()
    return table[COLUMNS].get(title) or table[VERDICTS].get(title) or table[ERRORS].get(title)


def cell_gloss(column: str, cell: str) -> Gloss | None:
    """What a cell of a table holds, if its column is one of tags, labels, levels, verdicts or errors."""
    match column:
        case "tag" | "modifier tag" | "head tag" | "tag before" | "tag after":
            return tag_gloss(cell) or gap_gloss(cell)
        case "label" | "parent":
            return label_gloss(cell)
        case "error":
            return glosses()[ERRORS].get(cell)
        case "level":
            return symbol_gloss(cell)
    return None


def sign_at(text: str, place: int) -> Gloss | None:
    """The sign that stands at a place of running text, if it is one: what a person points at in an explanation."""
    for found in _TOKEN.finditer(text):
        if found.start() <= place < found.end():
            sign = found[0].strip("<>.‘’“”")
            # A word of the sentence may be spelt like a tag in capitals, but then nobody reads it as one for long.
            return symbol_gloss(sign) or (label_gloss(sign) if sign.isupper() else None)
    return None


# Glosses of what a picture shows: of one thing in it, and of all signs in it as a list for its text twin.

_GLOSSARY = "What the signs mean"


def glosses_of(parse: Parse, id: Subject) -> list[Gloss]:
    """What the signs at a thing of a picture mean, the most telling one first."""
    facts = facts_of(parse)
    found: Gloss | None = None
    match id:
        case WordId(position) if position < len(facts.tags):
            found = tag_gloss(facts.tags[position])
        case PunctuationId(token) if token < len(facts.token_tags):
            found = tag_gloss(facts.token_tags[token])
        case TagId(_, tag):
            found = tag_gloss(tag)
        case GapId(position) if 0 < position < len(facts.words):
            found = gap_gloss(facts.gap_tags[position - 1])
        case GapTagId(_, letter):
            found = gap_gloss(letter)
        case ArrowId(modifier):
            found = next((relation_gloss(one[2]) for one in facts.attachments if one[0] == modifier), None)
        case CandidateId(_, _, relation):
            found = relation_gloss(relation)
        case MatrixCellId():
            found = symbol_gloss("F̂")
        case RootId():
            found = symbol_gloss("root")
        case NodeId(_, _, label):
            found = label_gloss(label)
        case ChartCellId() | EdgeId() | ItemId():
            return _in_chart(facts.trace, id)
        case WordId() | PunctuationId() | GapId():
            # What is gone with the sentence before.
            pass
        case SecondModelId() | DecisionsId() | DecisionId() | FeaturesId() | FactorId() | WhatIfId():
            pass
        case VerdictId() | ErrorId() | ErrorCellId() | PointId():
            # Tables show them, whose cells have glosses of their own.
            pass
        case other:
            assert_never(other)
    return [found] if found is not None else []


def _in_chart(trace: Trace | None, id: ChartCellId | EdgeId | ItemId) -> list[Gloss]:
    """The label of a chart item, of an edge together with its relation, or of the best item of a cell."""
    found: list[Gloss | None] = []
    match id:
        case ChartCellId(start, end) if trace is not None:
            found = [label_gloss(item.label) for item in trace.cell(start, end).items[:1]]
        case EdgeId(number) if trace is not None and 0 <= number < len(trace):
            edge = trace.edge(number)
            found = [label_gloss(edge.label), relation_gloss(edge.relation) if edge.relation is not None else None]
        case ItemId(number) if trace is not None:
            found = [label_gloss(trace.item(number).label)]
    return [gloss for gloss in found if gloss is not None]


def glossary(parse: Parse) -> list[Gloss]:
    """The signs that the pictures of a parse show, in the order of the sentence, then of the tree."""
    facts = facts_of(parse)
    tags = (tag_gloss(tag) for tag in facts.token_tags)
    labels = (label_gloss(label) for label in _labels(facts))
    gaps = (gap_gloss(letter) for letter in facts.gap_tags)
    return list(dict.fromkeys(gloss for gloss in (*tags, *labels, *gaps) if gloss is not None))


def _labels(facts: Facts) -> Iterable[str]:
    nodes = [facts.tree]
    for node in nodes:
        if node.children:
            yield node.label
            nodes.extend(node.children)


def with_glossary(drawing: Drawing, parse: Parse) -> Drawing:
    """The same picture; its text twin ends with what the signs in it mean."""

    def twin() -> str:
        lines = [str(gloss) for gloss in glossary(parse)]
        return "\n".join([drawing.text_twin, "", _GLOSSARY, *(f"  {line}" for line in lines)])

    return replace(drawing, twin=twin)
