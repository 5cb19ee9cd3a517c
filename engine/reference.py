"""The reference parser: every tree of a short sentence with its probability, by the paper's definitions alone.

This is the whole parser in one module, to be read beside the paper, from top to bottom: which trees there are
(sections 2 and 2.1), what each is worth (2.4 to 2.6), which of them the punctuation rule leaves (2.7).  It lists all
trees and takes the best: T_best = argmax P(T|S).  What it has not is section 3: no chart, no dynamic programming, no
threshold and no beam, so that a sentence of a dozen words is its limit.  :class:`engine.chart.parser.Parser` finds the
same trees with the same scores, which is tested; nothing of the parser imports this module.

A tree is a set B of baseNPs and a set D of dependencies over the reduced sentence, in which every baseNP is its
head-word (section 2), with unary parents U beside (the footnote to section 2.6).  Its score is

    P(T|S)  =  P̂(B|S) × P̂(U|B,S) × N(D|S,B)

each of which is a product of factors that :class:`engine.estimates.explainer.Explainer` estimates from counts.

The trees, in words:

* A **leaf** is a word outside baseNPs, labelled by its tag, or a baseNP, labelled NP.
* A **phrase** P is a head-child with at least one modifier on its left or right.  Every modifier M depends on the
  head-word by a triple <M, P, H> that was seen in training.  H is the label of the head-child.  Where the head-child is
  itself a branching P it is written ``P+`` or ``P++`` (:func:`~engine.structure.constituents.stacked_label`), and a
  baseNP may also be a core, H = ``NPX``: its words are then those of P itself.
* Over a leaf or phrase there may be **unary parents**, along the beginning of a chain that was seen in training.
* Whatever is used as a finished constituent pays for having no further unary parent.  A core is not one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.common.errors import EngineError
from engine.estimates.explainer import Explainer
from engine.model.model import Model
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import BASE_LABEL, CORE, Constituent, stacked_label
from engine.structure.dependencies import BaseNP, Relation
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble
from engine.trees.tree import Tree

IMPOSSIBLE = -math.inf
"""The logarithm of probability 0."""


class TooManyTrees(EngineError):
    """The sentence has more trees than the caller wants to see."""


class ScoredTree(NamedTuple):
    """A tree by its root, and log P(T|S)."""

    score: float
    root: Constituent


class Leaf(NamedTuple):
    """A word, or the words ``start .. end`` of a baseNP."""

    start: int
    end: int
    is_base: bool


class Partial(NamedTuple):
    """A constituent, its score without any factor from above it, and the chain of unaries that it ends."""

    node: Constituent
    score: float
    chain: tuple[str, ...]


Row = tuple[list[Constituent], float]
"""Modifiers side by side, with what they cost."""


class Possibilities:
    """What a model has seen in training: which trees there may be.

    Attributes
    ----------
    parents, modifiers
        Of the triples <M, P, H>: every P by H, every M by P and H.
    above
        Every unary parent that may stand upon a beginning of a chain.
    """

    def __init__(self, model: Model) -> None:
        self.parents: dict[str, set[str]] = {}
        self.modifiers: dict[tuple[str, str], set[str]] = {}
        for modifier, parent, head in model.vocabulary.triples:
            self.parents.setdefault(head, set()).add(parent)
            self.modifiers.setdefault((parent, head), set()).add(modifier)
        self.above: dict[tuple[str, ...], set[str]] = {}
        for chain in model.vocabulary.chains:
            for end in range(1, len(chain)):
                self.above.setdefault(chain[:end], set()).add(chain[end])

    def levels(self, node: Constituent) -> Iterator[tuple[str, str]]:
        """Every P of which `node` may be the head-child, with H as the triples of P's modifiers write it."""
        branching = len(node.children) > 1
        for parent in self.parents.get(node.label, ()):
            if not (branching and parent == node.label):
                yield parent, node.label
        if branching:
            marked = stacked_label(node.label, node.head_label)
            if node.label in self.parents.get(marked, ()):
                yield node.label, marked
        if node.is_base:
            for parent in self.parents.get(CORE, ()):
                yield parent, CORE


class ReferenceParser:
    """All trees of one sentence.

    Parameters
    ----------
    model, settings, sentence
        As for :class:`engine.chart.parser.Parser`; the sentence's tags are given, not chosen.
    possibilities
        Those of the model, if they were made before.
    most
        How many constituents to build at most before :class:`TooManyTrees` is raised.
    further_backoff
        How much further the estimates back off than the settings say.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        sentence: TaggedSentence,
        possibilities: Possibilities | None = None,
        most: int = 1 << 20,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
    ) -> None:
        self.model = model
        self.settings = settings
        self.sentence = sentence
        self.possibilities = possibilities or Possibilities(model)
        self.explainer = Explainer(model, settings, sentence, None, further_backoff)
        self.size = len(sentence.positions)
        self._left = most
        self._logs: dict[tuple[object, ...], float] = {}

    def best(self) -> ScoredTree | None:
        """T_best, the most probable tree; ``None`` if there is none."""
        return max(self.trees(), key=lambda tree: tree.score, default=None)

    def ranking(self) -> list[ScoredTree]:
        """All trees, best first."""
        return sorted(self.trees(), key=lambda tree: -tree.score)

    def trees(self) -> Iterator[ScoredTree]:
        """Yield every tree of positive probability: for every B the trees over its reduced sentence."""
        for leaves, score in self.basenps(0):
            for node, inside, _ in ReducedSentence(self, leaves).over(0, len(leaves)):
                total = score + inside + self.unary(node, None) + self.root(node.head, node.label)
                if total > IMPOSSIBLE:
                    yield ScoredTree(total, node)

    # Section 2.5: B, and P̂(B|S) as the product of P̂(G_i) over the gaps between words.

    def basenps(self, start: int) -> Iterator[tuple[list[Leaf], float]]:
        """Yield every B from word `start` on, as the leaves of the reduced sentence, with its gap tags' log P̂.

        The gap before a word is tagged S, C, E, B or N: it starts, continues or ends a baseNP, stands between two, or
        is none of these.
        """
        if start == self.size:
            yield [], 0.0
            return
        within = 0.0
        for end in range(start + 1, self.size + 1):
            if end > start + 1:
                within += self.gap(end - 1, "C")
            if within == IMPOSSIBLE:
                return
            for is_base in (False, True) if end == start + 1 else (True,):
                for rest, score in self.basenps(end):
                    if rest:
                        into_base = rest[0].is_base
                        tag = ("B" if into_base else "E") if is_base else ("S" if into_base else "N")
                        score += self.gap(end, tag)
                    if score > IMPOSSIBLE:
                        yield [Leaf(start, end, is_base), *rest], score + within

    # Sections 2.4 to 2.6: the factors of a score, each estimated once.

    def gap(self, position: int, tag: str) -> float:
        """Log P̂(G = tag) of the gap before a word (section 2.5)."""
        return self._once(("gap", position, tag), lambda: self.explainer.gap(position, tag).log)

    def arrow(self, reduced: ReducedSentence, modifier: Constituent, parent: str, head_label: str, head: int) -> float:
        """Log F̂(<M, P, H> | the two words, Δ) of a modifier (section 2.4)."""
        distance = reduced.ruler.distance(modifier.head, head)
        relation = Relation(modifier.label, parent, head_label)
        return self._once(
            ("arrow", modifier.head, head, relation, distance.code),
            lambda: self.explainer.dependency(modifier.head, head, relation, distance).log,
        )

    def unary(self, node: Constituent, parent: str | None) -> float:
        """Log P̂ of a constituent's unary parent, or of none (the footnote to section 2.6)."""
        return self._once(
            ("unary", node.label, node.head, parent, node.start, node.end, node.head_label),
            lambda: self.explainer.unary(node, parent).log,
        )

    def root(self, head: int, label: str) -> float:
        """Log F̂ of AF(j) = (0, <label>): the head-word of the sentence depends on nothing (section 2.1)."""
        return self._once(("root", head, label), lambda: self.explainer.root(head, label).log)

    def _once(self, asked: tuple[object, ...], estimate: Callable[[], float]) -> float:
        if asked not in self._logs:
            self._logs[asked] = estimate()
        return self._logs[asked]

    def count(self, constituents: int) -> None:
        """Note that so many constituents were built."""
        self._left -= constituents
        if self._left < 0:
            raise TooManyTrees(f"{self.sentence} has too many trees to list them all")

    # Section 2.7: where a comma stands, a constituent may be closed only before another one.

    def ends_well(self, end: int) -> bool:
        """Whether a constituent that ends before word `end` is followed by a comma or by nothing.

        Under the extended rule CC and a closing bracket will do as well.
        """
        if end == self.size or self.sentence.commas[end] > 0:
            return True
        return self.settings.extended_rule and self.explainer.tags[end] in ("CC", "-RRB-")

    def comma_before(self, position: int) -> bool:
        """Whether the punctuation rule is in force and a comma stands before this word."""
        return self.settings.punctuation_rule and self.sentence.commas[position] > 0

    def torn(self, start: int, end: int) -> bool:
        """Whether words ``start .. end`` hold one of two brackets and not the other, which preset (5) forbids."""
        if not self.settings.balanced_brackets or end - start < 2:
            return False
        opened: list[int] = []
        for position, tag in enumerate(self.explainer.tags):
            if tag == "-LRB-":
                opened.append(position)
            elif tag == "-RRB-" and opened:
                first = opened.pop()
                if (start <= first < end) != (start <= position < end):
                    return True
        return False


class ReducedSentence:
    """S̄, the reduced sentence under one B, and all constituents over its leaves (sections 2 and 2.1)."""

    def __init__(self, parser: ReferenceParser, leaves: list[Leaf]) -> None:
        self.parser = parser
        self.leaves = leaves
        self.possibilities = parser.possibilities
        tags = parser.explainer.tags
        self.nodes: list[Constituent] = []
        bases: list[BaseNP] = []
        for start, end, is_base in leaves:
            if is_base:
                head = start + parser.model.lexicaliser.base_head(tags[start:end])
                bases.append(BaseNP(start, end, head))
                self.nodes.append(Constituent(BASE_LABEL, start, end, head, inside=()))
            else:
                self.nodes.append(Constituent(tags[start], start, end, start))
        self.ruler = parser.explainer.ruler(bases)
        """Measures Δ in this reduced sentence (section 2.3)."""
        self._over: dict[tuple[int, int], list[Partial]] = {}
        self._rows: dict[tuple[object, ...], list[Row]] = {}

    def over(self, low: int, high: int) -> list[Partial]:
        """Every constituent over leaves ``low .. high``: leaf or phrases, and unary parents upon these."""
        if (low, high) not in self._over:
            torn = self.parser.torn(self.leaves[low].start, self.leaves[high - 1].end)
            found = [] if torn else list(self.plain(low, high))
            # Each pass puts one more unary parent on what the pass before has made.
            made = found
            while made:
                made = [
                    Partial(
                        Constituent(parent, node.start, node.end, node.head, [node], 0, node.label),
                        score + step,
                        (*chain, parent),
                    )
                    for node, score, chain in made
                    for parent in self.possibilities.above.get(chain, ())
                    if (step := self.parser.unary(node, parent)) > IMPOSSIBLE
                ]
                found += made
            self.parser.count(len(found))
            self._over[low, high] = found
        return self._over[low, high]

    def plain(self, low: int, high: int) -> Iterator[Partial]:
        """Yield the leaf or the phrases over leaves ``low .. high``, without unary parents."""
        if high - low == 1:
            leaf = self.nodes[low]
            yield Partial(leaf, 0.0, (leaf.label,))
            return
        for first in range(low, high):
            for after in range(first + 1, high + 1):
                if (first, after) == (low, high):
                    continue
                for head_child, score, _ in self.over(first, after):
                    finished = score + self.parser.unary(head_child, None)
                    for parent, head_label in self.possibilities.levels(head_child):
                        given = score if head_label == CORE else finished
                        if given > IMPOSSIBLE:
                            yield from self.phrases(low, first, after, high, head_child, given, parent, head_label)

    def phrases(
        self,
        low: int,
        first: int,
        after: int,
        high: int,
        head_child: Constituent,
        given: float,
        parent: str,
        head_label: str,
    ) -> Iterator[Partial]:
        """Yield the phrases whose head-child stands on leaves ``first .. after``, with modifiers on both sides."""
        head = head_child.head
        rights = self.modifiers(after, high, parent, head_label, head)
        if not rights:
            return
        start, end = self.leaves[low].start, self.leaves[high - 1].end
        lefts = self.modifiers(low, first, parent, head_label, head, end)
        self.parser.count(len(lefts) * len(rights))
        for left, left_score in lefts:
            for right, right_score in rights:
                children = [*left, head_child, *right]
                node = Constituent(parent, start, end, head, children, len(left), head_label)
                yield Partial(node, given + left_score + right_score, (parent,))

    def modifiers(
        self, low: int, high: int, parent: str, head_label: str, head: int, whole: int | None = None
    ) -> list[Row]:
        """Every row of modifiers of one head over leaves ``low .. high``, on one side of it.

        The rule on commas looks at two children side by side, as a derivation joins them, right modifiers first: where
        a comma stands between the two, the second must end well.  To the right of the head that is the modifier after
        the comma; to the left it is all of the phrase from there on, which ends before word `whole`.
        """
        if low == high:
            return [([], 0.0)]
        key = (low, high, parent, head_label, head, whole)
        if key not in self._rows:
            rows: list[Row] = []
            for middle in range(low + 1, high + 1):
                comma, end = self.leaves[low].start, self.leaves[middle - 1].end
                if whole is not None:
                    comma, end = end, whole
                if self.parser.comma_before(comma) and not self.parser.ends_well(end):
                    continue
                rest = self.modifiers(middle, high, parent, head_label, head, whole)
                if rest:
                    for node, score in self.one_modifier(low, middle, parent, head_label, head):
                        rows += [([node, *nodes], score + others) for nodes, others in rest]
            self._rows[key] = rows
        return self._rows[key]

    def one_modifier(
        self, low: int, high: int, parent: str, head_label: str, head: int
    ) -> Iterator[tuple[Constituent, float]]:
        """Yield the finished constituents over leaves ``low .. high`` that can modify this head, with their cost."""
        allowed = self.possibilities.modifiers.get((parent, head_label), ())
        for node, score, _ in self.over(low, high):
            if node.label in allowed:
                total = score + self.parser.arrow(self, node, parent, head_label, head)
                if total > IMPOSSIBLE:
                    total += self.parser.unary(node, None)
                    if total > IMPOSSIBLE:
                        yield node, total


def outline(root: Constituent, sentence: TaggedSentence) -> Tree:
    """The tree of a root without the brackets inside its baseNPs, which are found after parsing, outside the score."""

    def bare(node: Constituent) -> Constituent:
        children = [bare(child) for child in node.children]
        inside = () if node.is_base else None
        return Constituent(
            node.label, node.start, node.end, node.head, children, node.head_child, node.head_label, inside
        )

    return assemble((bare(root),), sentence)
