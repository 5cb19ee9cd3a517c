"""Sections 2.1 and 2.3 of the paper a second time, in plain Python: trees to (B, D, U), the reduced sentence, Δ.

Written from the paper and from the readings that `resources/manual/paper.md` lists, to be read side by side with them.
Nothing here calls the engine, not even to read a tree; only the text of the table of head rules is taken from it.
What is counted in these sentences is in :mod:`tests.engine.recount`; `test_recount.py` holds both against the engine.

Positions of words count from 0 and leave punctuation out; words of the reduced sentence count from 1, as in the paper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

COMMAS = {",", ":"}
"""Section 2.3: "All symbols tagged as a `,' or `:' are considered to be `commas'"."""
SILENT = {"``", "''", '"', "."}
"""Quotes and sentence-final punctuation, which leave the model."""
ROOTS = {"", "ROOT", "TOP", "S1"}
VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
FLAT = {"ADJP", "QP", "NML", "NX", "NAC", "UCP", "ADVP"}
"""Phrases that a baseNP absorbs."""

Relation = tuple[str, ...]
"""R: <modifier, parent, head-child>, or <label of the root>."""


@dataclass
class Node:
    """A constituent of a bracketed tree; a word has no children."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: str = ""

    def leaves(self) -> list[Node]:
        """Every word below, from left to right."""
        return [self] if self.word else [leaf for child in self.children for leaf in child.leaves()]


def read(text: str) -> Node:
    """Read one bracketed tree."""
    stack = [Node("")]
    pieces = re.findall(r"[()]|[^ \t\r\n\f\v()]+", text)
    for place, piece in enumerate(pieces):
        if piece == "(":
            named = pieces[place + 1] not in ("(", ")")
            stack.append(Node(pieces[place + 1] if named else ""))
        elif piece == ")":
            node = stack.pop()
            stack[-1].children.append(node)
        elif pieces[place - 1] != "(":
            stack[-1].word = piece
    return stack[0].children[0]


def bare(label: str) -> str:
    """A label without function tags, indices and alternatives: `NP-SBJ-1`, `NP=2`, `ADVP|PRT`; `-LRB-` stays."""
    return label if label.startswith("-") else re.split(r"[-=|]", label)[0]


def kept(node: Node, dropped: set[str]) -> Node | None:
    """The tree under bare labels without the words of some tags, and without X -> X."""
    label = bare(node.label)
    if node.word:
        return None if label in dropped else Node(label, [], node.word)
    children = [child for child in (kept(child, dropped) for child in node.children) if child is not None]
    if len(children) == 1 and children[0].label == label and not children[0].word:
        return children[0]
    return Node(label, children) if children else None


def without_root(tree: Node) -> Node:
    """The tree below its root label; what is more than one constituent stays together as TOP."""
    while tree.label in ROOTS and len(tree.children) == 1 and not tree.children[0].word:
        tree = tree.children[0]
    return Node("TOP", tree.children, tree.word) if tree.label in ROOTS else tree


# Section 2.1, step 1: heads.


class HeadTable:
    """The head rules, from the text of the table: "which of the children C_i is the head-child of P"."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, list[tuple[str, list[str]]]] = {}
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                parent, search, *candidates = line.split()
                self.rules.setdefault(parent, []).append((search, candidates))

    def head(self, parent: str, labels: list[str]) -> int:
        """The index of the head-child of ``parent -> labels``."""
        place = next(
            found
            for search, candidates in self.rules.get(parent, self.rules["*"])
            if (found := self.found(search, candidates, labels)) is not None
        )
        # A head preceded by CC moves left two, and again if it is preceded by CC then.
        while place >= 2 and labels[place - 1] == "CC":
            place -= 2
        return place

    @staticmethod
    def found(search: str, candidates: list[str], labels: list[str]) -> int | None:
        """The child that one rule finds."""
        places = list(range(len(labels)))
        if search.startswith("right"):
            places.reverse()
        if search == "last":
            return len(labels) - 1 if labels[-1] in candidates else None
        if not candidates:
            return places[0]
        # `left-any` takes all candidates at once, `left` one after the other.
        for wanted in [candidates] if search.endswith("-any") else [[candidate] for candidate in candidates]:
            for place in places:
                if labels[place] in wanted:
                    return place
        return None


@dataclass
class Phrase:
    """A word, a baseNP or a constituent with its head-child; `last` is the last label of its triples."""

    label: str
    start: int
    end: int
    head: int
    children: list[Phrase] = field(default_factory=list)
    head_child: int = 0
    last: str = ""
    base: bool = False


def is_flat(node: Node) -> bool:
    """Whether a baseNP can absorb this whole: a word, or one of the flat phrases with nothing else in it."""
    return bool(node.word) or (node.label in FLAT and all(map(is_flat, node.children)))


def is_base(node: Node) -> bool:
    """A baseNP: an NP over words, flat phrases, and possibly a possessive NP at its beginning."""
    return node.label == "NP" and all(
        is_flat(child) or (place == 0 and len(node.children) > 1 and is_possessive(child))
        for place, child in enumerate(node.children)
    )


def is_possessive(node: Node) -> bool:
    """Whether this is a baseNP that ends in 's."""
    return is_base(node) and node.children[-1].label == "POS"


class Builder:
    """Finds the heads of one tree (section 2.1, step 1; Figure 2)."""

    def __init__(self, table: HeadTable, tree: Node) -> None:
        self.table = table
        self.tags = [leaf.label for leaf in tree.leaves()]
        self.root = self.phrase(tree, 0)

    def base(self, start: int, end: int) -> Phrase:
        """A baseNP; footnote 3: "These rules are also used to find the head-word of baseNPs"."""
        return Phrase("NP", start, end, start + self.table.head("NP", self.tags[start:end]), base=True)

    def phrase(self, node: Node, start: int) -> Phrase:
        """The constituent that begins at a word."""
        if node.word:
            return Phrase(node.label, start, start + 1, start)
        if is_base(node):
            return self.base(start, start + len(node.leaves()))
        children: list[Phrase] = []
        for child in node.children:
            children.append(self.phrase(child, children[-1].end if children else start))
        head = self.table.head(node.label, [child.label for child in children])
        core = False
        if node.label == "NP" and len(children) > 1 and is_flat(node.children[head]):
            # NP -> DT NN S: what is flat around the head is a baseNP of its own, the core, written NPX.
            core = True
            first, after = head, head + 1
            while first and (is_flat(node.children[first - 1]) or (first == 1 and is_possessive(node.children[0]))):
                first -= 1
            while after < len(children) and is_flat(node.children[after]):
                after += 1
            children[first:after] = [self.base(children[first].start, children[after - 1].end)]
            head = first
        children, head = with_conjuncts(children, head)
        chosen = children[head]
        last = "NPX" if core else chosen.label
        if chosen.label == node.label and len(chosen.children) > 1:
            # X -> (X -> X ...) ...: the inner one is written X+, one more level X++, then X+ again.
            last += {node.label: "+", node.label + "++": "+", node.label + "+": "++"}.get(chosen.last, "")
        return Phrase(node.label, start, children[-1].end, chosen.head, children, head, last)


def with_conjuncts(children: list[Phrase], head: int) -> tuple[list[Phrase], int]:
    """Co-ordination: CC or CONJP and the conjunct after it become one constituent X&, headed by the conjunct."""
    made: list[Phrase] = []
    new_head = 0
    place = 0
    while place < len(children):
        child = children[place]
        joins = child.label in ("CC", "CONJP") and 0 < place < len(children) - 1 and head not in (place, place + 1)
        if joins:
            conjunct = children[place + 1]
            pair = [child, conjunct]
            made.append(Phrase(conjunct.label + "&", child.start, conjunct.end, conjunct.head, pair, 1, conjunct.label))
        else:
            if place == head:
                new_head = len(made)
            made.append(child)
        place += 2 if joins else 1
    return made, new_head


# Section 2.1, step 2: (B, D, U), and section 2.3: Δ.


class Delta(NamedTuple):
    """Δ: the answers to the six questions of section 2.3, in the paper's order."""

    head_precedes: bool
    adjacent: bool
    verb_between: bool
    commas_between: int
    comma_after_first: bool
    comma_before_second: bool


class Unary(NamedTuple):
    """A constituent with its head-word and its unary parent, ``None`` if it has none (footnote to section 2.6)."""

    label: str
    start: int
    end: int
    head: int
    parent: str | None


class Sentence:
    """Everything that the model knows of one tree.

    Attributes
    ----------
    words
        (w_i, t_i) of every word, punctuation left out.
    root
        The constituents with their heads.
    basenps
        B: first word, one past the last, head-word.
    reduced
        S̄: the position of its j-th word is ``reduced[j - 1]``.
    arrows
        D: AF(j) = (h_j, R_j) by j, with h_j = 0 and R_j = <label> for the head of the sentence.
    unaries
        Every finished constituent, its unary parent or none: U and all that is not in it.
    """

    def __init__(self, text: str, table: HeadTable) -> None:
        tree = read(text)
        full = kept(tree, {"-NONE-"})
        shown = kept(tree, {"-NONE-"} | COMMAS | SILENT)
        assert full is not None and shown is not None, "a tree without words"
        self.root = Builder(table, without_root(shown)).root
        # The sentence with its commas, without what is silent, and where the words are in it.
        self.line = [(leaf.word, leaf.label) for leaf in full.leaves() if leaf.label not in SILENT]
        self.at = [place for place, (_, tag) in enumerate(self.line) if tag not in COMMAS]
        self.words = [self.line[place] for place in self.at]
        self.basenps: list[tuple[int, int, int]] = []
        self.reduced: list[int] = []
        self.unaries: list[Unary] = []
        self._arrows: dict[int, tuple[int, Relation]] = {self.root.head: (-1, (self.root.label,))}
        self._visit(self.root, None)
        self._number = {position: j for j, position in enumerate(self.reduced, 1)}
        self._span = {position: (position, position) for position in self.reduced}
        self._span |= {head: (start, end - 1) for start, end, head in self.basenps}
        self.arrows = {
            j: (self._number.get(self._arrows[position][0], 0), self._arrows[position][1])
            for position, j in self._number.items()
        }

    def _visit(self, node: Phrase, parent: str | None, core: bool = False) -> None:
        # A core is spliced back into its parent: it is no finished constituent.
        if not core:
            self.unaries.append(Unary(node.label, node.start, node.end, node.head, parent))
        if node.base:
            self.basenps.append((node.start, node.end, node.head))
        if not node.children:
            self.reduced.append(node.head)
        for place, child in enumerate(node.children):
            # "Each constituent with n children contributes n - 1 dependencies."
            if place != node.head_child:
                self._arrows[child.head] = (node.head, (child.label, node.label, node.last))
            is_core = place == node.head_child and node.last == "NPX"
            self._visit(child, node.label if len(node.children) == 1 else None, is_core)

    def gap_tags(self) -> str:
        """G_2 ... G_n of section 2.5: one of S C E B N for every gap between two words."""
        inside = [0] * len(self.words)
        for number, (start, end, _) in enumerate(self.basenps, 1):
            inside[start:end] = [number] * (end - start)
        letters = ""
        for left, right in pairwise(inside):
            if left and right:
                letters += "C" if left == right else "B"
            else:
                letters += "E" if left else "S" if right else "N"
        return letters

    def comma_before(self, position: int) -> bool:
        """Whether a comma stands right before the word at a position."""
        place = self.at[position]
        return place > 0 and self.line[place - 1][1] in COMMAS

    def comma_after(self, position: int) -> bool:
        """Whether a comma stands right after the word at a position."""
        place = self.at[position]
        return place + 1 < len(self.line) and self.line[place + 1][1] in COMMAS

    def delta(self, j: int, h: int) -> Delta:
        """Δ_{j,h} between two words of the reduced sentence; questions 5 and 6 look at the edges of their baseNPs."""
        first, second = min(j, h), max(j, h)
        left, right = self.reduced[first - 1], self.reduced[second - 1]
        between = self.line[self.at[left] + 1 : self.at[right]]
        return Delta(
            h < j,
            second - first == 1,
            any(self.words[position][1] in VERBS for position in self.reduced[first : second - 1]),
            min(sum(tag in COMMAS for _, tag in between), 3),
            self.comma_after(self._span[left][1]),
            self.comma_before(self._span[right][0]),
        )
