"""Trees as the model sees them and back again: heads found, baseNPs reduced, punctuation gone and put back (section
2.1, step 1).

A :class:`Constituent` is the paper's Figure 2: every constituent knows its head-child.  The
mapping keeps the paper's triples and settles what it leaves open, of what is left once punctuation is gone:

* **Root**: a root label over one constituent is left out; over several, or over a word, it is written ``TOP``.
* **BaseNP**: an NP none of whose constituent children is an NP.  Flat phrases inside it
  (ADJP, QP, NML, ...) and a possessive NP at its beginning are absorbed: they are its *internal brackets*.
* **Core** (``NPX``): in ``NP -> DT NN S`` the words around the head form a baseNP by themselves;
  the head-child's label is written ``NPX``, and the core is spliced back into its parent on output.
* **Co-ordination** (``X&``): a conjunction and the conjunct after it form one constituent, headed by
  the conjunct and spliced away on output.
* **Stacked adjunction** (``X+``): ``<PP,NP,NP>`` twice could mean ``NP -> NP PP PP`` or
  ``NP -> (NP -> NP PP) PP``.  Where the head-child of X is itself an adjunction ``X -> X ...``, the
  triple's last label is written ``X+`` (one more level ``X++``, then ``X+`` again), so that the tree
  can be told from its dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.trees.head_rules import COORDINATORS, HeadRules
from engine.trees.tree import COMMA_TAGS, PUNCTUATION_TAGS, ROOT_LABELS, Tree

BASE_LABEL = "NP"
CORE = "NPX"
STACKED = "+"
JOINED = "&"
ABSORBED_LABELS = frozenset({"ADJP", "QP", "NML", "NX", "NAC", "UCP", "ADVP"})
"""Labels of flat phrases that a baseNP may hold inside."""
CONJUNCTIONS = COORDINATORS | {"CONJP"}
POSSESSIVE_TAG = "POS"


class Constituent:
    """A word, a baseNP or a phrase over the sentence's words (punctuation is not counted).

    Attributes
    ----------
    label
        Tag of a word, ``NP`` of a baseNP, non-terminal of a phrase.
    start, end
        First word and one past the last.
    head
        Position of the head-word.
    children, head_child
        Of a phrase: its children and the index of the head-child among them.
    head_label
        Of a phrase: the last label of its triples, the head-child's label with its mark.
    inside
        Of a baseNP: the brackets within it, as ``(label, start, end)`` in pre-order; else ``None``.
    """

    __slots__ = ("children", "end", "head", "head_child", "head_label", "inside", "label", "start")

    def __init__(
        self,
        label: str,
        start: int,
        end: int,
        head: int,
        children: list[Constituent] | None = None,
        head_child: int = 0,
        head_label: str = "",
        inside: tuple[tuple[str, int, int], ...] | None = None,
    ) -> None:
        self.label = label
        self.start = start
        self.end = end
        self.head = head
        self.children: list[Constituent] = children if children is not None else []
        self.head_child = head_child
        self.head_label = head_label
        self.inside = inside

    @property
    def is_base(self) -> bool:
        """Whether this is a baseNP."""
        return self.inside is not None

    @property
    def is_word(self) -> bool:
        """Whether this is a word: no phrase, and no baseNP."""
        return not self.children and self.inside is None

    def walk(self) -> Iterator[Constituent]:
        """Yield this constituent and all below it, in pre-order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def joins(self) -> Iterator[tuple[int, int]]:
        """For every modifier the place where it is joined: the first word and the end of the right side.

        Right modifiers join first, then left ones: the right side of a join is the modifier itself, or for a
        left modifier all that the constituent holds to the right of it (section 2.7 looks at both).
        """
        for index, child in enumerate(self.children):
            if index > self.head_child:
                yield child.start, child.end
            elif index < self.head_child:
                yield child.end, self.end

    def __repr__(self) -> str:
        return f"Constituent({self.label}, {self.start}–{self.end}, head {self.head})"


class Lexicaliser:
    """Turns clean trees into constituents by a table of head rules."""

    def __init__(self, rules: HeadRules) -> None:
        self.rules = rules

    def constituent(self, tree: Tree) -> Constituent | None:
        """Return the constituents of a clean tree, or ``None`` if it holds nothing but punctuation."""
        # One model serves several threads at once: what counts the words belongs to this tree alone.
        return _Lexicalising(self.rules)._build(tree)

    def base_head(self, tags: Sequence[str]) -> int:
        """Return the index of a baseNP's head among its tags (footnote 3: by the same rules)."""
        return self.rules.head_index(BASE_LABEL, tags)


class _Lexicalising(Lexicaliser):
    """The work on one tree: how many words were met, and their tags."""

    def __init__(self, rules: HeadRules) -> None:
        super().__init__(rules)
        self._position = 0
        self._tags: list[str] = []

    def _build(self, node: Tree) -> Constituent | None:
        label = node.label
        if node.word is not None:
            if label in PUNCTUATION_TAGS:
                return None
            position = self._position
            self._position = position + 1
            self._tags.append(label)
            return Constituent(label, position, position + 1, position)
        kids = [built for child in node.children if (built := self._build(child)) is not None]
        if not kids:
            return None
        if label == BASE_LABEL and self._is_flat(kids):
            return self._base(kids)
        if len(kids) == 1:
            kid = kids[0]
            if kid.label == label or (label in ROOT_LABELS and not kid.is_word):
                return kid
            return Constituent(label, kid.start, kid.end, kid.head, kids, 0, kid.label)
        return self._phrase(label, kids)

    def _is_flat(self, kids: Sequence[Constituent]) -> bool:
        return all(self._is_absorbed(kid, index == 0 and len(kids) > 1) for index, kid in enumerate(kids))

    def _is_absorbed(self, kid: Constituent, initial: bool) -> bool:
        """Return whether a child of an NP is part of the baseNP: a word, a flat phrase, an initial possessive."""
        return _is_flat_phrase(kid) or (initial and self._is_possessive(kid))

    def _is_possessive(self, kid: Constituent) -> bool:
        """Return whether this is a baseNP with a possessive as its last child: in no phrase inside it, that is."""
        if kid.inside is None or self._tags[kid.end - 1] != POSSESSIVE_TAG:
            return False
        return all(end < kid.end for _, _, end in kid.inside)

    def _base(self, kids: Sequence[Constituent]) -> Constituent:
        start, end = kids[0].start, kids[-1].end
        inside: list[tuple[str, int, int]] = []
        for kid in kids:
            if not kid.is_word:
                _collect_inside(kid, inside)
        head = start + self.base_head(self._tags[start:end])
        return Constituent(BASE_LABEL, start, end, head, inside=tuple(inside))

    def _phrase(self, label: str, kids: list[Constituent]) -> Constituent:
        head = self.rules.head_index(label, [kid.label for kid in kids])
        core = False
        if label == BASE_LABEL and self._is_absorbed(kids[head], False):
            first = last = head
            while first > 0 and self._is_absorbed(kids[first - 1], first == 1):
                first -= 1
            while last + 1 < len(kids) and self._is_absorbed(kids[last + 1], False):
                last += 1
            kids[first : last + 1] = [self._base(kids[first : last + 1])]
            head, core = first, True
        kids, head = _join_conjuncts(kids, head)
        child = kids[head]
        head_label = CORE if core else child.label
        if child.label == label and len(child.children) > 1:
            head_label = stacked_label(label, child.head_label)
        return Constituent(label, kids[0].start, kids[-1].end, child.head, kids, head, head_label)


def stacked_label(label: str, below: str) -> str:
    """Return how a head-child `label` whose own head-child is `below` is written under a parent `label`.

    A plain label where the child is no adjunction; else ``X+`` and ``X++`` in turn, so that two
    levels next to each other never look like one.
    """
    if below in (label, label + STACKED * 2):
        return label + STACKED
    return label + STACKED * 2 if below == label + STACKED else label


def _is_flat_phrase(kid: Constituent) -> bool:
    """Return whether this is a word, or a phrase that a baseNP may hold, with nothing else in it."""
    if kid.is_word:
        return True
    # X& is no phrase of the tree: what it joins are children of the phrase around it.
    is_held = kid.label in ABSORBED_LABELS or kid.label.endswith(JOINED)
    return is_held and not kid.is_base and all(map(_is_flat_phrase, kid.children))


def _collect_inside(kid: Constituent, inside: list[tuple[str, int, int]]) -> None:
    """Add the brackets of `kid` and those below it, helpers spliced away."""
    if not kid.label.endswith(JOINED):
        inside.append((kid.label, kid.start, kid.end))
    if kid.inside is not None:
        inside.extend(kid.inside)
    for child in kid.children:
        if not child.is_word:
            _collect_inside(child, inside)


def _join_conjuncts(kids: list[Constituent], head: int) -> tuple[list[Constituent], int]:
    """Group every conjunction with the conjunct after it: ``NP CC NP`` becomes ``NP (NP& CC NP)``."""
    if not any(kid.label in CONJUNCTIONS for kid in kids[1:-1]):
        return kids, head
    grouped: list[Constituent] = []
    new_head = head
    index = 0
    while index < len(kids):
        kid = kids[index]
        following = index + 1
        if index > 0 and following < len(kids) and kid.label in CONJUNCTIONS and head not in (index, following):
            conjunct = kids[following]
            pair = [kid, conjunct]
            grouped.append(
                Constituent(conjunct.label + JOINED, kid.start, conjunct.end, conjunct.head, pair, 1, conjunct.label)
            )
            index += 2
        else:
            if index == head:
                new_head = len(grouped)
            grouped.append(kid)
            index += 1
    return grouped, new_head


def commas_before(tags: Sequence[str]) -> list[int]:
    """For every word of a tagged sentence the number of 'commas' between it and the word before."""
    counts: list[int] = []
    commas = 0
    for tag in tags:
        if tag in COMMA_TAGS:
            commas += 1
        elif tag not in PUNCTUATION_TAGS:
            counts.append(commas)
            commas = 0
    return counts
