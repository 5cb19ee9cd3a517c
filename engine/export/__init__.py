"""Ways to write a parse down, and :data:`FORMATS`, which lists them all.

>>> from engine.export import FORMATS
>>> FORMATS["conllu"].write(parse)       # doctest: +SKIP

Every format takes any parse: one in fragments (several roots), the n best together, one word, nothing but punctuation,
nothing at all.
"""

from __future__ import annotations

from engine.export import format as brackets
from engine.export import graphviz as dot
from engine.export import latex as forest
from engine.export import latex as tikz
from engine.export import parse_json as as_json
from engine.export import rows as conllu
from engine.export.format import Format
from engine.export.rows import Row, rows_of

FORMATS: dict[str, Format] = {
    "ptb": brackets.ONE_LINE,
    "ptb-pretty": brackets.PRETTY,
    "conllu": conllu.CONLLU,
    "forest": forest.FOREST_SNIPPET,
    "forest-document": forest.FOREST_DOCUMENT,
    "tikz-dependency": tikz.TIKZ_SNIPPET,
    "tikz-dependency-document": tikz.TIKZ_DOCUMENT,
    "dot-tree": dot.TREE,
    "dot-dependencies": dot.DEPENDENCIES,
    "json": as_json.JSON,
}
"""Every format by the name that the terminal knows it by."""

__all__ = ["FORMATS", "Format", "Row", "rows_of"]
