"""A parse as one row for every token: the dependencies D with baseNPs and punctuation attached (section 2.1).

D links the words of the reduced sentence only.  Formats that want a head for every token need more:

* a word that its baseNP absorbed modifies the baseNP's head-word, with the relation ``baseNP``;
* punctuation modifies, with the relation ``punct``, the head of the innermost arrow drawn over it.  Under no
  arrow it modifies the nearest root to its left, or failing that to its right.  Either way its arrow crosses no
  other, since an arrow it could cross would be drawn over it and be shorter than the innermost;
* in a sentence of nothing but punctuation the first token is the root and the others modify it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import BaseNP, Dependency, Relation, analyse, gap_tags
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree

REDUCED_TOKEN, BASENP_INTERNAL, PUNCTUATION = "word", "baseNP", "punct"
"""What a token is: a word of the reduced sentence, another word of a baseNP, or punctuation."""

BEGIN, INSIDE, OUTSIDE = "B", "I", "O"


@dataclass(frozen=True, slots=True)
class Row:
    """One token.

    Attributes
    ----------
    number
        Its place in the sentence, counted from 1, punctuation included.
    word, tag
        The token and its tag.
    kind
        :data:`REDUCED_TOKEN`, :data:`BASENP_INTERNAL` or :data:`PUNCTUATION`.
    head
        Number of the token that it modifies; 0 for a root.
    relation
        The triple R of a word of the reduced sentence, <label> for a root; ``None`` for other tokens.
    chunk
        B at the first token of a baseNP, I at its others (punctuation within it too), O elsewhere.
    gap
        The gap tag between the word before and this word, one of SCEBN; empty for the first word and
        for punctuation, which gaps pass over.
    """

    number: int
    word: str
    tag: str
    kind: str
    head: int
    relation: Relation | None
    chunk: str
    gap: str

    @property
    def relation_name(self) -> str:
        """``<NP,S,VP>``, ``<S>``, ``baseNP`` or ``punct``."""
        return self.kind if self.relation is None else str(self.relation)


class Analysed(Protocol):
    """A sentence with B and D: a parse, or a tree whose heads were found by rules alone."""

    @property
    def sentence(self) -> TaggedSentence:
        """Its words and tags."""

    @property
    def gap_tags(self) -> str:
        """The gap tags, a letter each."""

    @property
    def basenps(self) -> Sequence[BaseNP]:
        """B."""

    @property
    def reduced(self) -> Sequence[int]:
        """Positions of the words of the reduced sentence."""

    @property
    def dependencies(self) -> Sequence[Dependency]:
        """D."""


@dataclass(frozen=True, slots=True)
class AnalysedTree:
    """A tree with the heads that a table of rules finds, without a model; see :class:`Analysed`."""

    sentence: TaggedSentence
    gap_tags: str = ""
    basenps: Sequence[BaseNP] = ()
    reduced: Sequence[int] = ()
    dependencies: Sequence[Dependency] = ()

    @classmethod
    def of(cls, tree: Tree, rules: HeadRules) -> AnalysedTree:
        """Find the heads of a clean tree."""
        sentence = TaggedSentence.from_tree(tree)
        root = Lexicaliser(rules).constituent(tree)
        if root is None:
            return cls(sentence)
        found = analyse(root, sentence.proper_tags)
        return cls(sentence, gap_tags(found.length, found.basenps), found.basenps, found.reduced, found.dependencies)


def rows_of(parse: Analysed) -> list[Row]:
    """A row for every token of the sentence."""
    sentence = parse.sentence
    # Positions count words from 0 without punctuation, numbers count tokens from 1.
    numbers = [position + 1 for position in sentence.positions]
    gaps = dict(zip(numbers[1:], parse.gap_tags, strict=True))
    heads: dict[int, int] = {}
    relations: dict[int, Relation] = {}
    chunks: dict[int, str] = {}
    for base in parse.basenps:
        span = range(numbers[base.start], numbers[base.end - 1] + 1)
        chunks.update((number, BEGIN if number == span[0] else INSIDE) for number in span)
        heads.update((numbers[position], numbers[base.head]) for position in range(base.start, base.end))
    reduced = parse.reduced
    for arrow in parse.dependencies:
        number = numbers[reduced[arrow.modifier - 1]]
        heads[number] = numbers[reduced[arrow.head - 1]] if arrow.head else 0
        relation = arrow.relation
        # A tag that the model does not know has no label there; the tag itself is what a reader wants.
        relations[number] = relation if relation.modifier else Relation(sentence.tags[number - 1], *relation[1:])
    arrows = [(min(number, head), max(number, head), head) for number, head in heads.items() if head]
    roots = sorted(number for number, head in heads.items() if not head)
    rows = []
    for number, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True), 1):
        if number in heads:
            kind, head = REDUCED_TOKEN if number in relations else BASENP_INTERNAL, heads[number]
        else:
            kind, head = PUNCTUATION, _punctuation_head(number, arrows, roots)
        chunk = chunks.get(number, OUTSIDE)
        rows.append(Row(number, word, tag, kind, head, relations.get(number), chunk, gaps.get(number, "")))
    return rows


def basenp_spans(rows: list[Row]) -> list[list[Row]]:
    """The rows of every baseNP, from left to right."""
    spans: list[list[Row]] = []
    for row in rows:
        if row.chunk == BEGIN:
            spans.append([row])
        elif row.chunk == INSIDE:
            spans[-1].append(row)
    return spans


def _punctuation_head(number: int, arrows: list[tuple[int, int, int]], roots: list[int]) -> int:
    over = [(last - first, head) for first, last, head in arrows if first < number < last]
    if over:
        return min(over)[1]
    if not roots:
        return 0 if number == 1 else 1
    return max((root for root in roots if root < number), default=roots[0])
