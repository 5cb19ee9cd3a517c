"""Phrase-structure trees, written in Penn brackets; what is punctuation in them.

A tree here is what the paper's Figure 1(b) shows: labels over tagged words.
"""

from __future__ import annotations

from collections.abc import Iterator

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
        """All pre-terminals from left to right."""
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
        """The tokens from left to right."""
        return [leaf.word or "" for leaf in self.leaves()]

    def tags(self) -> list[str]:
        """The tags from left to right."""
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
        """The tree on one line: ``(S (NP (NNP John)) (VP (VBD left)))``."""
        pieces: list[str] = []
        _write(self, pieces)
        return "".join(pieces)

    def pretty(self, width: int = 100) -> str:
        """The tree over several indented lines, no wider than `width` where that can be had."""
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
