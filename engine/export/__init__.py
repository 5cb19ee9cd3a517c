"""Ways to write a parse down: one module for each format, and :data:`FORMATS`, which lists them all.

>>> from engine.export import FORMATS
>>> FORMATS["conllu"].write(parse)       # doctest: +SKIP

Every format takes any parse: one in fragments (several roots), the n best together, one word, nothing but punctuation,
nothing at all.
"""

from __future__ import annotations

from engine.export import bracket_export as brackets
from engine.export import conllu_export as conllu
from engine.export import forest_export as forest
from engine.export import graphviz_export as dot
from engine.export import json_export as as_json
from engine.export import tikz_export as tikz
from engine.export.export_format import Format
from engine.export.token_rows import Row, rows_of

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
