"""Sentences, gold trees and models that the cases share."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import engine
from engine.chart.search import Control
from engine.common.resources import named_model
from engine.settings import Settings
from engine.structure.constraints import Attachment, Bracket, Constraint, GapTag
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from engine.trees.treebank import read_treebank
from explorer.session.document import Document, TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.golden.folders import TREEBANKS

SEVEN = "Mary saw the man with the telescope."
FIFTEEN = "The blick that she said would fall, has fallen (again), and nobody at IBM knows why."
THIRTY = (
    "The old teacher who lived near the river told the students that he had seen a small boat with a red sail on the "
    "lake behind the house , and they asked him why it was there ."
)
ODD = ("Run!", "John/NNP saw/VBD Mary/NNP", "of of the the and", "...", "Éva's “naïve” 50% [a_b] #{~} $x^2$ wins.")
HIGH = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
LOW = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))"
GOLD = (
    HIGH,
    LOW,
    "(S (NP (NNP Mary)) (VP (VBD saw) (ADVP (DT the) (NN man))) (. .))",
    "(S (NP (PRP We)) (VP (VBD ate) (NP (NN dinner)) "
    "(SBAR (IN before) (S (NP (DT the) (NN movie)) (VP (VBD started))))) (. .))",
    "(S (NP (PRP We)) (VP (VBD ate) (NP (NP (DT the) (NN cake)) (PP (IN from) (NP (DT the) (NN bakery)))) "
    "(PP (IN with) (NP (DT a) (NN fork))) (PP (IN in) (NP (DT the) (NN garden)))) (. .))",
)
"""Right trees: the parse of some is theirs, of some is wrong, and of one is impossible."""
WHAT_IFS: tuple[tuple[Constraint, ...], ...] = (
    (Attachment(4, 1),),
    (Attachment(4, 1, forbid=True), GapTag(2, "S"), Bracket(4, 7, "PP")),
)
"""Of :data:`SEVEN`."""


@cache
def model(name: str) -> engine.Model:
    """A bundled model."""
    return engine.load(named_model(name))


@cache
def result(name: str, preset: int, text: str, what_ifs: tuple[Constraint, ...] = ()) -> ParseResult:
    """What the window makes of a sentence under a bundled model."""
    settings, line = Settings.preset(preset), TextLine(text, what_ifs)
    document = Document(str(named_model(name)), preset, settings, (line,))
    request = ParseRequest(model(name), settings, line, document=document)
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


def words(tree: str) -> str:
    """The words of a tree in brackets."""
    return " ".join(read_tree(tree).words())


def trees(bank: str, step: int = 1, most: int | None = None) -> list[Tree]:
    """Every so-many-th tree of a real treebank; none where there are no treebanks."""
    path = TREEBANKS / f"{bank}.ptb"
    if not path.is_file():
        return []
    # A broken tree is left out.
    read = read_treebank([path], on_bad=lambda error: None)
    return list(islice(read, 0, None if most is None else most * step, step))


def sample(folder: Path, bank: str, step: int, most: int) -> list[Path]:
    """A small file of trees of a real treebank in a folder; none where there are no treebanks."""
    found = [tree.brackets() for tree in trees(bank, step, most)]
    path = folder / f"{bank}-sample.ptb"
    path.write_text("\n".join(found) + "\n", encoding="utf-8")
    return [path] if found else []
