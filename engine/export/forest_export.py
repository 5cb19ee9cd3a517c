r"""The tree as a LaTeX ``forest``: words on one base line, in italics, under their tags.

A snippet needs ``\usepackage{forest}`` and, with pdfLaTeX, ``\usepackage[T1]{fontenc}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.common.latex import escape_latex
from engine.export.export_format import Format, about
from engine.export.latex_document import document

if TYPE_CHECKING:
    from engine.chart.parse import Parse
    from engine.trees.tree import Tree

_PACKAGE = r"\usepackage{forest}"
_STYLE = (
    "for tree={parent anchor=south, child anchor=north, s sep=2mm, text height=1.6ex, text depth=.4ex},",
    r"where n children=0{tier=word, font=\itshape}{},",
)


def _picture(parse: Parse) -> str:
    lines = []
    for rank, one in enumerate(parse.alternatives, 1):
        lines += [f"% {about(rank, one, parse)}", r"\begin{forest}"]
        lines += ["  " + line for line in (*_STYLE, *_nodes(one.tree, 0))]
        lines.append(r"\end{forest}")
    return "\n".join(lines) + "\n"


def _nodes(tree: Tree, depth: int) -> list[str]:
    """A line for the opening of every constituent and one for every word; all contents are braced."""
    pad = "  " * depth
    if tree.word is not None:
        return [f"{pad}[{{{escape_latex(tree.label)}}} [{{{escape_latex(tree.word)}}}]]"]
    lines = [f"{pad}[{{{escape_latex(tree.label)}}}"]
    for child in tree.children:
        lines += _nodes(child, depth + 1)
    lines[-1] += "]"
    return lines


def _snippet(parse: Parse) -> str:
    """The trees of the n best parses, to be put into a document."""
    return f"% needs {_PACKAGE} and, with pdfLaTeX, \\usepackage[T1]{{fontenc}}\n{_picture(parse)}"


FOREST_SNIPPET = Format("LaTeX forest, snippet", ".tex", _snippet)
FOREST_DOCUMENT = Format("LaTeX forest, document", ".tex", _picture, document("forest", _PACKAGE))
