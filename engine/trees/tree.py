"""Phrase-structure trees, written in Penn brackets: punctuation, normalisation, and one spelling of every word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.common.arguments import expect
from engine.common.characters import INVISIBLE, WIDTHLESS

# One spelling of every word: the Penn Treebank's.
#
# Treebanks and plain text write the same mark in different ways: ``—`` and ``--``, ``n’t`` and ``n't``, ``(`` and
# ``-LRB-``, ``1\/2`` and ``1/2``, ``é`` as one character and as two.  The tokeniser makes Penn forms of plain text, and
# the counts of the model and the features of the tagger are over Penn forms too, so that a model trained on the one
# reads the other.  Printed trees keep their tokens as they came.

APOSTROPHES = "'’ʼ＇´"
HYPHENS = "-‐‑"
EN_DASHES = "–‒"
DASHES = EN_DASHES + "—―⸺⸻"

_FORMS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "…": "...", "−": "-", "‘": "`"}
_FORMS |= dict.fromkeys(HYPHENS, "-") | dict.fromkeys(DASHES, "--") | dict.fromkeys(APOSTROPHES, "'")
_FORMS |= dict.fromkeys("“„‟«〝", "``") | dict.fromkeys("”»〞", "''")
_CHARACTERS = str.maketrans(_FORMS | {"‘": "'"} | dict.fromkeys(INVISIBLE + WIDTHLESS))
_REWRITTEN = re.compile(r"[(){}]|[^\x00-\x7f]")
# All backslashes of the treebank's escapes \/ and \* go, so that nothing changes a second time.
_ESCAPE = re.compile(r"\\+(?=[/*])")


def penn_form(original: str) -> str:
    """Return the Penn form of characters that make one token, as far as it does not depend on their neighbours.

    An accent is one character with its letter, where Unicode has one (its form NFC).  Never empty; a form stays as it
    is.
    """
    if len(original) == 1 and original in _FORMS:
        return _FORMS[original]
    if _REWRITTEN.search(original):
        original = original.translate(_CHARACTERS) or original
        if not unicodedata.is_normalized("NFC", original):
            # What has become another sign may have another form, too.
            return penn_form(unicodedata.normalize("NFC", original))
    if original[:2] == ".." and not original.strip("."):
        return "..."
    return original


def plain_word(word: str) -> str:
    r"""Return a word as the model counts it and the tagger knows it: the Penn form,
    the escapes ``\/`` and ``\*`` undone.
    """
    # Most words are letters and nothing else, and this is asked of every word of a treebank.
    if word.isalnum() and word.isascii():
        return word
    form = penn_form(word)
    return _ESCAPE.sub("", form) if "\\" in form else form


def compared_word(word: str) -> str:
    """Return a word as far as treebank and tokeniser agree on it: a straight quote may open or close."""
    form = plain_word(word)
    return '"' if form in ("``", "''") else form


# Phrase-structure trees, written in Penn brackets; what is punctuation in them.
#
# A tree here is what the paper's Figure 1(b) shows: labels over tagged words.

ROOT_LABELS = frozenset({"", "ROOT", "TOP", "S1"})

COMMA_TAGS = frozenset({",", ":"})
"""Tags of the paper's 'commas' (section 2.3, questions 4 to 6)."""
SILENT_TAGS = frozenset({"``", "''", ".", '"'})
"""Quotes and sentence-final punctuation: outside the model, back in the printed tree."""
PUNCTUATION_TAGS = COMMA_TAGS | SILENT_TAGS
PENN_TAGS = PUNCTUATION_TAGS.union(
    ("CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS"),
    ("PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP"),
    ("WP$", "WRB", "HYPH", "ADD", "AFX", "NFP", "$", "#", "-LRB-", "-RRB-"),
)
"""The tags of the Penn Treebank and its successors, for where there is no model that says which tags it knows."""
PENN_LABELS = ROOT_LABELS.union(
    ("ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NML", "NP", "NX", "PP", "PRN", "PRT", "QP", "RRC", "S"),
    ("SBAR", "SBARQ", "SINV", "SQ", "UCP", "VP", "WHADJP", "WHADVP", "WHNP", "WHPP", "X"),
)
"""The labels of constituents in the Penn Treebank and its successors."""
LabelledSpan = tuple[str, int, int]
"""Label, start and end (exclusive) of a constituent."""


class Tree:
    """A constituent with children, or a pre-terminal: a tag with a word and no children.

    Parameters
    ----------
    label
        Non-terminal or part-of-speech tag.
    children
        Sub-trees from left to right; empty for a pre-terminal.
    word
        The token under a pre-terminal, ``None`` for a constituent.
    """

    __slots__ = ("children", "label", "word")

    def __init__(self, label: str, children: list[Tree] | None = None, word: str | None = None) -> None:
        self.label = label
        self.children: list[Tree] = children if children is not None else []
        self.word = word

    @property
    def is_word(self) -> bool:
        """Whether this is a pre-terminal."""
        return self.word is not None

    def leaves(self) -> list[Tree]:
        """Return all pre-terminals from left to right."""
        found: list[Tree] = []
        stack = [self]
        while stack:
            node = stack.pop()
            if node.word is not None:
                found.append(node)
            else:
                stack.extend(reversed(node.children))
        return found

    def words(self) -> list[str]:
        """Return the tokens from left to right."""
        return [leaf.word or "" for leaf in self.leaves()]

    def tags(self) -> list[str]:
        """Return the tags from left to right."""
        return [leaf.label for leaf in self.leaves()]

    def constituents(self) -> Iterator[LabelledSpan]:
        """Yield ``(label, start, end)`` of every constituent in pre-order, tokens as unit, end exclusive."""
        ends: dict[int, int] = {}
        order: list[tuple[Tree, int]] = []
        position = 0
        stack: list[tuple[Tree, bool]] = [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                ends[id(node)] = position
            elif node.word is not None:
                position += 1
            else:
                order.append((node, position))
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))
        for node, start in order:
            yield node.label, start, ends[id(node)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.brackets() == other.brackets()

    def __hash__(self) -> int:
        return hash(self.brackets())

    def __repr__(self) -> str:
        return f"Tree({self.brackets()!r})"

    def __str__(self) -> str:
        return self.brackets()

    def brackets(self) -> str:
        """Return the tree on one line: ``(S (NP (NNP John)) (VP (VBD left)))``."""
        pieces: list[str] = []
        _write(self, pieces)
        return "".join(pieces)

    def pretty(self, width: int = 100) -> str:
        """Return the tree over several indented lines, no wider than `width` where that can be had."""
        return _indent(self, 0, width)


def _write(node: Tree, pieces: list[str]) -> None:
    if node.word is not None:
        pieces.append(f"({node.label} {node.word})")
        return
    pieces.append("(" + node.label)
    for child in node.children:
        pieces.append(" ")
        _write(child, pieces)
    pieces.append(")")


def _indent(node: Tree, depth: int, width: int) -> str:
    flat = node.brackets()
    if node.word is not None or len(flat) + 2 * depth <= width:
        return flat
    pad = "\n" + "  " * (depth + 1)
    return "(" + node.label + "".join(pad + _indent(child, depth + 1, width) for child in node.children) + ")"


# Normalisation of trees: what a treebank adds to labels and words is taken away.
#
# Traces, function tags, indices and ``X -> X`` go, so that the rest of the engine meets only what the model is about.
# Where trees are only written again, function tags and traces can be kept.

TRACE = "-NONE-"
"""The tag of what nobody wrote."""


@lru_cache(maxsize=65536)
def bare_label(label: str) -> str:
    """Return a label without function tags, indices and alternatives: ``NP-SBJ-1``, ``NP=2``, ``ADVP|PRT``."""
    if label.startswith("-"):
        return label
    for mark in "-=|":
        head, found, _ = label.partition(mark)
        if found and head:
            label = head
    return label


def check_tree(tree: Tree) -> None:
    """Raise :class:`EngineError` unless all of a tree that was made by hand is of the right kind."""
    stack: list[object] = [tree]
    while stack:
        node = stack.pop()
        expect(node, Tree, "a tree and its children are each a Tree")
        assert isinstance(node, Tree)
        expect(node.label, str, "a label is text")
        expect(node.word, str | None, "a word is text")
        expect(node.children, Sequence, "the children of a tree are a list")
        stack += node.children


def clean(tree: Tree, collapse: bool = True, functions: bool = False, traces: bool = False) -> Tree | None:
    """Return the tree without traces, function tags, root label and (if `collapse`) ``X -> X``.

    Parameters
    ----------
    tree
        As it was read.
    collapse
        Whether ``X -> X`` becomes one constituent.
    functions, traces
        Whether labels keep their function tags, indices and alternatives; whether traces stay.

    Returns
    -------
    Tree or None
        ``None`` if nothing but traces was there.  Where the root holds several
        constituents they stay together under the label ``TOP``.
    """
    stripped = _strip(tree, collapse, functions, traces)
    if stripped is None or stripped.is_word:
        return Tree("TOP", [stripped]) if stripped is not None else None
    if stripped.label in ROOT_LABELS:
        inner = stripped.children
        if len(inner) == 1 and not inner[0].is_word:
            return inner[0] if inner[0].label not in ROOT_LABELS else clean(inner[0], collapse, functions, traces)
        stripped.label = "TOP"
    return stripped


def _strip(node: Tree, collapse: bool, functions: bool, traces: bool) -> Tree | None:
    label = node.label if functions else bare_label(node.label)
    if node.word is not None:
        return None if label == TRACE and not traces else Tree(label, None, node.word)
    children = []
    for child in node.children:
        kept = _strip(child, collapse, functions, traces)
        if kept is not None:
            children.append(kept)
    if not children:
        return None
    if collapse and len(children) == 1 and children[0].label == label and children[0].word is None:
        return children[0]
    return Tree(label, children)
