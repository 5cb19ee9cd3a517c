"""Ways to write a parse down, and :data:`FORMATS`, which lists them all.

>>> from engine.export import FORMATS
>>> FORMATS["conllu"].write(parse)       # doctest: +SKIP

Every format takes any parse: one in fragments (several roots), the n best together, one word, nothing but punctuation,
nothing at all.
"""

from __future__ import annotations

from engine.export import graphviz, latex
from engine.export.format import ONE_LINE, PRETTY, Format
from engine.export.parse_json import JSON
from engine.export.rows import CONLLU, Row, rows_of

FORMATS: dict[str, Format] = {
    "ptb": ONE_LINE,
    "ptb-pretty": PRETTY,
    "conllu": CONLLU,
    "forest": latex.FOREST_SNIPPET,
    "forest-document": latex.FOREST_DOCUMENT,
    "tikz-dependency": latex.TIKZ_SNIPPET,
    "tikz-dependency-document": latex.TIKZ_DOCUMENT,
    "dot-tree": graphviz.TREE,
    "dot-dependencies": graphviz.DEPENDENCIES,
    "json": JSON,
}
"""Every format by the name that the terminal knows it by."""

__all__ = ["FORMATS", "Format", "Row", "rows_of"]
