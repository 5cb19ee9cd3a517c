"""Explanation of a parse's score: every estimate looked up again, with its counts (sections 2.2 to 2.6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from engine.estimates.factors import DependencyFactors, GapFactors, RootFactors, UnaryFactors
from engine.estimates.ledger import Candidate, Factor, FeatureSubject, Ledger, TagSubject
from engine.estimates.second_model import GenerativeFactors
from engine.estimates.sentence import ExplainedSentence
from engine.model.model import Model
from engine.rerank import features_kernel
from engine.rerank.reranker import punctuation_marks, steps_of
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import CORE, Constituent
from engine.structure.dependencies import BaseNP, Relation, gap_tags
from engine.structure.distance import Distance, Ruler
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import TagDistribution


class Explainer:
    """Explains parses of one sentence under one model and one set of settings.

    Parameters
    ----------
    model, settings
        What the sentence is parsed with.
    sentence
        The words, and the tags that they have in the parse.
    distribution
        The tagger's P(t|S) of every word, if tags are a part of the score (model 4).
    further_backoff
        How much further the estimates back off than the settings say.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        sentence: TaggedSentence,
        distribution: TagDistribution | None = None,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
    ) -> None:
        self.model = model
        self.distribution = distribution
        self.settings = settings
        self.further_backoff = further_backoff
        self.switches = settings.switches(further_backoff)
        self.sentence = sentence
        self.words = sentence.proper_words
        self.tags = sentence.proper_tags
        # What stands around a word is taken from the tagger's best sequence, whatever tags the parse has.
        context = sentence
        if distribution is not None and distribution.sentence.positions == sentence.positions:
            context = distribution.sentence
        explained = ExplainedSentence(model, self.switches, sentence, context)
        self._numbers = explained.numbers
        self.gaps = GapFactors(explained)
        self.dependencies = DependencyFactors(explained)
        self.unaries = UnaryFactors(explained)
        self.roots = RootFactors(explained)
        self.generative = GenerativeFactors(model, settings, sentence)
        # The n best parses of a sentence ask for the same again and again.
        self._known_dependencies: dict[tuple[int, int, Relation, Distance], Factor] = {}
        self._known_candidates: dict[tuple[int, tuple[BaseNP, ...]], tuple[Candidate, ...]] = {}

    def tag(self, position: int) -> Factor | None:
        """P(t | S) of the tag that a word has (section 2.7); ``None`` if the tag was given."""
        token = self.sentence.positions[position]
        if self.distribution is None or token in self.distribution.given:
            return None
        tag = self.tags[position]
        probability = self.distribution.probability(token, tag)
        return Factor(TagSubject(position, self.words[position], tag), (), ("P(t|S)",), (), probability)

    def gap(self, position: int, tag: str) -> Factor:
        """P̂(G = tag) of the gap before a word (section 2.5)."""
        return self.gaps.factor(position, tag)

    def gap_distribution(self, position: int) -> dict[str, float]:
        """P̂ of all five tags of the gap before a word."""
        return self.gaps.distribution(position)

    def ruler(self, basenps: Sequence[BaseNP]) -> Ruler:
        """Make a ruler that measures Δ under these baseNPs."""
        return Ruler(self.tags, self.sentence.commas, basenps)

    def dependency(self, modifier: int, head: int, relation: Relation, distance: Distance) -> Factor:
        """F̂(R | modifier, head, Δ) (section 2.4)."""
        asked = (modifier, head, relation, distance)
        if asked not in self._known_dependencies:
            self._known_dependencies[asked] = self.dependencies.factor(*asked)
        return self._known_dependencies[asked]

    def candidates(self, modifier: int, basenps: Sequence[BaseNP]) -> tuple[Candidate, ...]:
        """List every head and relation that a reduced word could have, with equation (8)'s probability.

        They sum to 1 over all words but the modifier itself; the root is not among them
        (:mod:`engine.estimates.ledger`).
        """
        asked = (modifier, tuple(basenps))
        if asked not in self._known_candidates:
            self._known_candidates[asked] = self._ranked(modifier, self.ruler(basenps))
        return self._known_candidates[asked]

    def has_ranked(self, modifier: int, basenps: Sequence[BaseNP]) -> bool:
        """Whether :meth:`candidates` of a word are at hand, so that nobody waits for them."""
        return (modifier, tuple(basenps)) in self._known_candidates

    def _ranked(self, modifier: int, ruler: Ruler) -> tuple[Candidate, ...]:
        triples = self.model.vocabulary.triples
        found: list[tuple[int, Relation, Distance, float]] = []
        for head in ruler.reduced:
            if head == modifier:
                continue
            distance = ruler.distance(modifier, head)
            for relation, estimate in self.dependencies.estimates(modifier, head, distance.code).items():
                found.append((head, Relation(*triples[relation]), distance, estimate))
        total = math.fsum(item[3] for item in found)
        ranked = sorted(found, key=lambda item: (-item[3], item[0], item[1]))
        return tuple(Candidate(*item, item[3] / total) for item in ranked)

    def unary(self, node: Constituent, parent: str | None) -> Factor:
        """P̂(parent or none | label, head tag) of a constituent: the footnote to section 2.6."""
        return self.unaries.factor(node, parent)

    def root(self, head: int, label: str) -> Factor:
        """F̂(<label> | head-word, head tag): AF of the head of the sentence."""
        return self.roots.factor(head, label)

    def ledger(self, roots: Sequence[Constituent], fragments: bool = False) -> Ledger:
        """List all factors of a parse; for a cover of fragments those of each fragment, without a root."""
        factors = self.own_factors(roots, fragments)
        if not fragments and roots:
            factors.extend(self.generative.factors(roots[0]))
            factors.extend(self.features(roots[0]))
        return Ledger(tuple(factors))

    def own_factors(self, roots: Sequence[Constituent], fragments: bool = False) -> list[Factor]:
        """List the factors of a parse's log probability, whatever it is ranked by.

        What a linguist would call a reason stands first: dependencies and root, then gap tags, unaries and tags.
        """
        basenps = _basenps(roots)
        factors = self._dependencies(roots, self.ruler(basenps))
        if not fragments and roots:
            factors.append(self.root(roots[0].head, roots[0].label))
        gaps = gap_tags(len(self.words), basenps)
        inner = sorted(position for root in roots for position in range(root.start + 1, root.end))
        factors.extend(self.gap(position, gaps[position - 1]) for position in inner)
        for root in roots:
            factors.extend(self.unary(node, parent) for node, parent in unary_decisions(root))
        covered = (position for root in roots for position in range(root.start, root.end))
        factors.extend(factor for position in covered if (factor := self.tag(position)) is not None)
        return factors

    def arrows(self, roots: Sequence[Constituent], fragments: bool = False) -> dict[int, Factor]:
        """F̂ of every AF(j) of a parse by the position of word j: those of the ledger that are about D."""
        factors = self._dependencies(roots, self.ruler(_basenps(roots)))
        if not fragments and roots:
            factors.append(self.root(roots[0].head, roots[0].label))
        return Ledger(tuple(factors)).by_modifier()

    def _dependencies(self, roots: Sequence[Constituent], ruler: Ruler) -> list[Factor]:
        """F̂ of every dependency between two words, from left to right."""
        pairs = [pair for root in roots for pair in arrows_of(root)]
        factors = []
        for child, node in sorted(pairs, key=lambda pair: pair[0].head):
            relation = Relation(child.label, node.label, node.head_label)
            distance = ruler.distance(child.head, node.head)
            factors.append(self.dependency(child.head, node.head, relation, distance))
        return factors

    def features(self, root: Constituent) -> list[Factor]:
        """List the features that the re-ranker, if it is in use, weighs in a tree, the weightiest first."""
        reranker = self.model.reranker
        if reranker is None or not self.settings.rerank:
            return []
        rows = features_kernel.tree_features(
            steps_of(root, self.model.label_numbers),
            np.array(self._numbers, np.int32),
            np.arange(len(self.words), dtype=np.int32),
            np.array(self.sentence.commas, np.int32),
            self.model.joined_labels,
            punctuation_marks(self.sentence, self.settings.lexical),
        )
        return [
            Factor(
                FeatureSubject(feature.name, feature.text, feature.times),
                (),
                (),
                (),
                math.exp(feature.weight * feature.times),
            )
            for feature in reranker.weighed(rows, self.model.vocabulary)
        ]


def _basenps(roots: Sequence[Constituent]) -> list[BaseNP]:
    """B of a parse."""
    return [BaseNP(node.start, node.end, node.head) for root in roots for node in root.walk() if node.is_base]


def unary_decisions(root: Constituent) -> Iterator[tuple[Constituent, str | None]]:
    """Walk through the constituents that pay for a unary parent or for none, each with that parent."""
    stack: list[tuple[Constituent, str | None, bool]] = [(root, None, True)]
    while stack:
        node, parent, pays = stack.pop()
        if pays:
            yield node, parent
        if len(node.children) == 1:
            stack.append((node.children[0], node.label, True))
            continue
        for index, child in enumerate(node.children):
            core = index == node.head_child and node.head_label == CORE
            stack.append((child, None, not core))


def arrows_of(root: Constituent) -> Iterator[tuple[Constituent, Constituent]]:
    """Walk through the modifiers, each with the constituent that it is a child of."""
    for node in root.walk():
        if len(node.children) > 1:
            for index, child in enumerate(node.children):
                if index != node.head_child:
                    yield child, node
