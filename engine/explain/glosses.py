"""Glosses: what a tag, label, symbol, setting or column head means, in one line, and where the manual tells more.

All of them are lines of one table, ``resources/glosses.txt``, which says at its top how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from textwrap import fill

from engine.chart.parse import Parse
from engine.common.resources import read_bundled, resources_folder
from engine.settings import SETTING_NAMES, preset_title
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED
from engine.structure.dependencies import Relation
from engine.trees.tree import Tree

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


@lru_cache(1024)
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


def glossary(parse: Parse) -> list[Gloss]:
    """The signs that the pictures of a parse show, in the order of the sentence, then of the tree."""
    tags = (tag_gloss(tag) for tag in parse.sentence.tags)
    labels = (label_gloss(label) for label in _labels(parse.tree))
    gaps = (gap_gloss(letter) for letter in parse.gap_tags)
    return list(dict.fromkeys(gloss for gloss in (*tags, *labels, *gaps) if gloss is not None))


def _labels(tree: Tree) -> Iterable[str]:
    nodes = [tree]
    for node in nodes:
        if node.children:
            yield node.label
            nodes.extend(node.children)
