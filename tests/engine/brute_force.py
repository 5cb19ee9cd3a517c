"""All trees of a short sentence, one by one: the parser without its chart.

Nothing here is shared, merged or pruned: every set of baseNPs, and over its reduced sentence every tree that the
representation allows, is written down as :class:`~engine.structure.constituents.Constituent` objects with its own
score.
Only what the model gives probability 0 is left out.  The rules, said once more in their own words:

* A leaf of a tree is a word outside baseNPs, labelled by its tag, or a baseNP, labelled NP.
* A phrase P is a head-child with at least one modifier on its left or right, and every modifier M is
  linked to it by a triple <M, P, H> seen in training.  H is the label of the head-child; where the head-child is
  itself a branching P, it is written with a mark (``P+``, ``P++``) as
  :func:`~engine.structure.constituents.stacked_label` says; and a baseNP may also stand as a core, H = ``NPX``.
* Over any leaf or phrase there may be unary parents, along the beginning of a chain seen in training.
* Whatever is used as a finished constituent pays for having no unary parent.  A core is not one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from engine.estimates.explainer import Explainer
from engine.model.model import Model
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import BASE_LABEL, CORE, Constituent, stacked_label
from engine.structure.dependencies import BaseNP, Relation
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble

Leaf = tuple[int, int, bool]
"""First word, one past the last, whether it is a baseNP."""


class TooManyTreesError(Exception):
    """The sentence has more trees than the caller wants to see."""


class Grown(NamedTuple):
    """A constituent, its log probability without any factor from above, and the unary chain it ends."""

    node: Constituent
    score: float
    chain: tuple[str, ...]


class Ranked(NamedTuple):
    """A whole tree with its score."""

    score: float
    root: Constituent


class Possibilities:
    """What a model has seen, arranged for enumeration."""

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
        """Every (P, H) such that `node` can be the head-child of a phrase P and its triples end in H."""
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


class BruteForce:
    """Enumerates the trees of one sentence.

    Parameters
    ----------
    most
        Raise :class:`TooManyTreesError` rather than build more constituents than this.
    further_backoff
        How much further the estimates back off than the settings say.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        sentence: TaggedSentence,
        possibilities: Possibilities | None = None,
        most: int = 1 << 30,
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

    # The four kinds of factors, each looked up once.

    def gap(self, position: int, tag: str) -> float:
        """Log probability of a gap tag."""
        key = ("gap", position, tag)
        if key not in self._logs:
            self._logs[key] = self.explainer.gap(position, tag).log
        return self._logs[key]

    def unary(self, node: Constituent, parent: str | None) -> float:
        """Log probability of a unary parent, or of none."""
        key = ("unary", node.label, node.head, parent, node.start, node.end, node.head_label)
        if key not in self._logs:
            self._logs[key] = self.explainer.unary(node, parent).log
        return self._logs[key]

    def root(self, head: int, label: str) -> float:
        """Log probability of the arrow to the root."""
        key = ("root", head, label)
        if key not in self._logs:
            self._logs[key] = self.explainer.root(head, label).log
        return self._logs[key]

    def trees(self) -> Iterator[Ranked]:
        """Yield every tree of positive probability with its score."""
        for leaves, score in self.leaf_rows(0):
            forest = Forest(self, leaves)
            for grown in forest.over(0, len(leaves)):
                node = grown.node
                total = score + grown.score + self.unary(node, None) + self.root(node.head, node.label)
                if total > -math.inf:
                    yield Ranked(total, node)

    def leaf_rows(self, start: int) -> Iterator[tuple[list[Leaf], float]]:
        """Every set of baseNPs as a row of leaves from word `start` on, with the score of its gap tags."""
        if start == self.size:
            yield [], 0.0
            return
        within = 0.0
        for end in range(start + 1, self.size + 1):
            if end > start + 1:
                within += self.gap(end - 1, "C")
            if within == -math.inf:
                return
            for is_base in (False, True) if end == start + 1 else (True,):
                for rest, score in self.leaf_rows(end):
                    if rest:
                        score += self.gap(end, "BE"[not rest[0][2]] if is_base else "SN"[not rest[0][2]])
                    if score > -math.inf:
                        yield [(start, end, is_base), *rest], score + within

    def count(self, constituents: int) -> None:
        """Note that so many constituents were built."""
        self._left -= constituents
        if self._left < 0:
            raise TooManyTreesError(str(self.sentence))

    def ranking(self) -> list[Ranked]:
        """All trees, best first."""
        return sorted(self.trees(), key=lambda ranked: -ranked.score)


class Forest:
    """All constituents over one row of leaves, that is, under one set of baseNPs."""

    def __init__(self, search: BruteForce, leaves: list[Leaf]) -> None:
        self.search = search
        self.leaves = leaves
        self.possibilities = search.possibilities
        tags = search.explainer.tags
        self.nodes = []
        bases = []
        for start, end, is_base in leaves:
            if is_base:
                head = start + search.model.lexicaliser.base_head(tags[start:end])
                bases.append(BaseNP(start, end, head))
                self.nodes.append(Constituent(BASE_LABEL, start, end, head, inside=()))
            else:
                self.nodes.append(Constituent(tags[start], start, end, start))
        self.ruler = search.explainer.ruler(bases)
        self._over: dict[tuple[int, int], list[Grown]] = {}
        self._rows: dict[tuple[object, ...], list[tuple[list[Constituent], float]]] = {}

    def arrow(self, modifier: Constituent, parent: str, head_label: str, head: int) -> float:
        """Log F̂ of one dependency."""
        distance = self.ruler.distance(modifier.head, head)
        key = (modifier.head, head, modifier.label, parent, head_label, distance.code)
        logs = self.search._logs
        if key not in logs:
            relation = Relation(modifier.label, parent, head_label)
            logs[key] = self.search.explainer.dependency(modifier.head, head, relation, distance).log
        return logs[key]

    def ends_well(self, end: int) -> bool:
        """Whether a constituent that ends before word `end` is followed by a comma or by nothing.

        Under the extended rule CC and a closing bracket will do as well.
        """
        if end == self.search.size or self.search.sentence.commas[end] > 0:
            return True
        return self.search.settings.extended_rule and self.search.explainer.tags[end] in ("CC", "-RRB-")

    def torn(self, start: int, end: int) -> bool:
        """Whether brackets must be balanced, and words ``start .. end`` hold one of two and not the other."""
        if not self.search.settings.balanced_brackets or end - start < 2:
            return False
        tags = self.search.explainer.tags
        open_: list[int] = []
        for position, tag in enumerate(tags):
            if tag == "-LRB-":
                open_.append(position)
            elif tag == "-RRB-" and open_:
                first = open_.pop()
                if (start <= first < end) != (start <= position < end):
                    return True
        return False

    def comma_before(self, position: int) -> bool:
        """Whether the punctuation rule is in force and a comma stands before this word."""
        return self.search.settings.punctuation_rule and self.search.sentence.commas[position] > 0

    def over(self, low: int, high: int) -> list[Grown]:
        """Every constituent over leaves ``low .. high``."""
        if (low, high) not in self._over:
            whole = not self.torn(self.leaves[low][0], self.leaves[high - 1][1])
            found = list(self.plain(low, high)) if whole else []
            # Each pass puts one more unary parent on what the pass before has made.
            made = found
            while made:
                made = [
                    Grown(
                        Constituent(parent, node.start, node.end, node.head, [node], 0, node.label),
                        score + step,
                        (*chain, parent),
                    )
                    for node, score, chain in made
                    for parent in self.possibilities.above.get(chain, ())
                    if (step := self.search.unary(node, parent)) > -math.inf
                ]
                found += made
            self.search.count(len(found))
            self._over[low, high] = found
        return self._over[low, high]

    def plain(self, low: int, high: int) -> Iterator[Grown]:
        """The leaf or the phrases over leaves ``low .. high``, without unary parents."""
        if high - low == 1:
            leaf = self.nodes[low]
            yield Grown(leaf, 0.0, (leaf.label,))
            return
        for first in range(low, high):
            for after in range(first + 1, high + 1):
                if (first, after) == (low, high):
                    continue
                for head_child, score, _ in self.over(first, after):
                    finished = score + self.search.unary(head_child, None)
                    for parent, head_label in self.possibilities.levels(head_child):
                        given = score if head_label == CORE else finished
                        if given > -math.inf:
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
    ) -> Iterator[Grown]:
        """Phrases whose head-child stands on leaves ``first .. after``, with modifiers on both sides."""
        head = head_child.head
        rights = self.right_modifiers(after, high, parent, head_label, head)
        if not rights:
            return
        lefts = self.left_modifiers(low, first, parent, head_label, head, self.ends_well(self.leaves[high - 1][1]))
        start, end = self.leaves[low][0], self.leaves[high - 1][1]
        self.search.count(len(lefts) * len(rights))
        for left, left_score in lefts:
            for right, right_score in rights:
                children = [*left, head_child, *right]
                node = Constituent(parent, start, end, head, children, len(left), head_label)
                yield Grown(node, given + left_score + right_score, (parent,))

    def right_modifiers(
        self, low: int, high: int, parent: str, head_label: str, head: int
    ) -> list[tuple[list[Constituent], float]]:
        """Every row of modifiers over leaves ``low .. high``, on the right of their head."""
        if low == high:
            return [([], 0.0)]
        key = ("right", low, high, parent, head_label, head)
        if key not in self._rows:
            rows = []
            for middle in range(low + 1, high + 1):
                # A comma before the modifier: the join's right side, the modifier, must end well.
                if self.comma_before(self.leaves[low][0]) and not self.ends_well(self.leaves[middle - 1][1]):
                    continue
                rest = self.right_modifiers(middle, high, parent, head_label, head)
                if rest:
                    for node, score in self.modifiers(low, middle, parent, head_label, head):
                        rows += [([node, *nodes], score + others) for nodes, others in rest]
            self._rows[key] = rows
        return self._rows[key]

    def left_modifiers(
        self, low: int, high: int, parent: str, head_label: str, head: int, ends_well: bool
    ) -> list[tuple[list[Constituent], float]]:
        """Every row of modifiers over leaves ``low .. high``, on the left of their head.

        Left modifiers come last, so the join's right side ends with the whole constituent; `ends_well` says
        whether a comma or nothing follows that.
        """
        if low == high:
            return [([], 0.0)]
        key = ("left", low, high, parent, head_label, head, ends_well)
        if key not in self._rows:
            rows = []
            for middle in range(low + 1, high + 1):
                if self.comma_before(self.leaves[middle][0]) and not ends_well:
                    continue
                rest = self.left_modifiers(middle, high, parent, head_label, head, ends_well)
                if rest:
                    for node, score in self.modifiers(low, middle, parent, head_label, head):
                        rows += [([node, *nodes], score + others) for nodes, others in rest]
            self._rows[key] = rows
        return self._rows[key]

    def modifiers(
        self, low: int, high: int, parent: str, head_label: str, head: int
    ) -> Iterator[tuple[Constituent, float]]:
        """Finished constituents over leaves ``low .. high`` that can modify this head, with what that costs."""
        allowed = self.possibilities.modifiers.get((parent, head_label), ())
        for node, score, _ in self.over(low, high):
            if node.label in allowed:
                total = score + self.arrow(node, parent, head_label, head)
                if total > -math.inf:
                    total += self.search.unary(node, None)
                    if total > -math.inf:
                        yield node, total


def outline(root: Constituent, sentence: TaggedSentence) -> str:
    """A printed tree without the brackets inside its baseNPs, which the search knows nothing of."""

    def bare(node: Constituent) -> Constituent:
        children = [bare(child) for child in node.children]
        inside = () if node.is_base else None
        return Constituent(
            node.label, node.start, node.end, node.head, children, node.head_child, node.head_label, inside
        )

    return assemble((bare(root),), sentence).brackets()


def commas_obeyed(root: Constituent, sentence: TaggedSentence) -> bool:
    """The punctuation rule of section 2.7, checked on a finished tree, one binary join after the other."""
    size = len(sentence.positions)
    for node in root.walk():
        if len(node.children) < 2:
            continue
        middle = node.head_child
        joins = [(left.end, right.end) for left, right in pairwise(node.children[middle:])]
        joins += [(left.end, node.end) for left in node.children[:middle]]
        for gap, end in joins:
            if sentence.commas[gap] and end < size and not sentence.commas[end]:
                return False
    return True
