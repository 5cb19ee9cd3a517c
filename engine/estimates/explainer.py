"""Why a parse has its score: every estimate looked up again, with its counts (sections 2.2 to 2.6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.counts.counts_layout import GAP_LEVELS
from engine.estimates import estimates_kernel
from engine.estimates.context_explanations import Contexts, Mixture
from engine.estimates.factor_subjects import (
    DependencySubject,
    FeatureSubject,
    GapSubject,
    RootSubject,
    Subject,
    TagSubject,
    UnarySubject,
)
from engine.estimates.ledger import Factor, Ledger, Level
from engine.model.model import Model
from engine.reranker import features_kernel
from engine.reranker.punctuation_features import punctuation_marks
from engine.reranker.reranker import steps_of
from engine.settings import Settings
from engine.structure.constituents import CORE, Constituent
from engine.structure.dependencies import GAP_LETTERS, BaseNP, Relation, gap_tags
from engine.structure.distance import Distance, Ruler
from engine.structure.structure_layout import GAP_TAGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution


@dataclass(frozen=True, slots=True)
class Candidate:
    """A head that a word could modify: F̂, and the probability of equation (8)."""

    head: int
    relation: Relation
    distance: Distance
    estimate: float
    probability: float


class Explainer:
    """Explains parses of one sentence under one model and one set of settings.

    Parameters
    ----------
    model, settings
        What the sentence is parsed with.
    sentence
        The words, and the tags that they have in the parse.
    distribution
        What the tagger said of them, if tags are a part of the score (model 4).
    """

    def __init__(
        self, model: Model, settings: Settings, sentence: TaggedSentence, distribution: TagDistribution | None = None
    ) -> None:
        self.model = model
        self.distribution = distribution
        self.settings = settings
        self.switches = settings.switches()
        self.sentence = sentence
        self.words = sentence.proper_words
        self.tags = sentence.proper_tags
        self._numbers = model.numbers(sentence)
        # What stands around a word is taken from the tagger's best sequence, whatever tags the parse has.
        context = sentence
        if distribution is not None and distribution.sentence.positions == sentence.positions:
            context = distribution.sentence
        self.contexts = Contexts(model, self.switches, context.proper_tags, self._numbers, context.commas)

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
        eta, delta = self._gap_counts(position)
        index = GAP_LETTERS.index(tag)
        subject = GapSubject(position, self.words[position - 1], tag, self.words[position])
        if self.switches.gap_contexts:
            return _factor(subject, self.contexts.gap(position, eta, delta, index))
        probability = float(estimates_kernel.gap_estimate(eta, delta, index))
        names = ["E1", "E2", "E3", "E4"] if delta[3] else ["E1", "E2", "E3", "comma"]
        rows = [0, 1, 2, 3 if delta[3] else 4]
        levels = tuple(
            Level(name, int(eta[row, index]), int(delta[row])) for name, row in zip(names, rows, strict=True)
        )
        reason = "" if probability else f"between {self.tags[position - 1]} and {self.tags[position]} never {tag}"
        used, lambdas = _mixture(levels)
        return Factor(subject, levels, used, lambdas, probability, reason)

    def gap_distribution(self, position: int) -> dict[str, float]:
        """P̂ of all five tags of the gap before a word."""
        eta, delta = self._gap_counts(position)
        if self.switches.gap_contexts:
            row = self.contexts.gaps(position, eta, delta)
            return {letter: float(row[tag]) for tag, letter in enumerate(GAP_LETTERS)}
        estimate = estimates_kernel.gap_estimate
        return {letter: float(estimate(eta, delta, tag)) for tag, letter in enumerate(GAP_LETTERS)}

    def _gap_counts(self, position: int) -> tuple[np.ndarray, np.ndarray]:
        eta = np.zeros((GAP_LEVELS, GAP_TAGS), np.int64)
        delta = np.zeros(GAP_LEVELS, np.int64)
        left = position - 1
        estimates_kernel.gap_counts(
            self.model.counts,
            self.switches.lexical,
            *self._numbers[left],
            *self._numbers[position],
            int(self.sentence.commas[position] > 0),
            eta,
            delta,
        )
        return eta, delta

    def ruler(self, basenps: Sequence[BaseNP]) -> Ruler:
        """Measures Δ under these baseNPs."""
        return Ruler(self.tags, self.sentence.commas, basenps)

    def dependency(self, modifier: int, head: int, relation: Relation, distance: Distance) -> Factor:
        """F̂(R | modifier, head, Δ) (section 2.4)."""
        subject = DependencySubject(modifier, head, self.words[modifier], self.words[head], relation, distance)
        triple = self.model.triple_numbers.get(relation)
        if triple is None:
            reason = f"the triple {relation} was never seen in training"
            return Factor(subject, (), (), (), 0.0, reason)
        if self.switches.recursion:
            mixture = self.contexts.dependency(modifier, head, distance.code, triple)
            tags = f"{self.tags[modifier]} and {self.tags[head]}"
            reason = ""
            if not mixture.probability:
                seen = any(level.eta for level in mixture.levels)
                what_is_wrong = "hardly ever stands" if seen else "was never seen"
                reason = f"{relation} {what_is_wrong} between {tags} in this order"
            return _factor(subject, mixture, reason)
        eta = np.zeros(4, np.int64)
        delta = np.zeros(4, np.int64)
        estimates_kernel.dependency_counts(
            self.model.counts,
            self.switches,
            *self._numbers[modifier],
            *self._numbers[head],
            distance.code,
            triple,
            eta,
            delta,
        )
        probability = float(
            estimates_kernel.smoothed(eta[0], delta[0], eta[1] + eta[2], delta[1] + delta[2], eta[3], delta[3])
        )
        levels = tuple(Level(f"E{row + 1}", int(eta[row]), int(delta[row])) for row in range(4))
        used, lambdas = _mixture(levels)
        reason = ""
        if not probability:
            tags = f"{self.tags[modifier]} and {self.tags[head]}"
            if not delta[3]:
                reason = f"{tags} never stood at this distance in training"
            elif not eta[3]:
                reason = f"{relation} was never seen between {tags} at this distance"
            else:
                reason = f"{relation} was never seen with these words at this distance, which were seen (E1 exists)"
        return Factor(subject, levels, used, lambdas, probability, reason)

    def candidates(self, modifier: int, basenps: Sequence[BaseNP]) -> list[Candidate]:
        """Every head and relation that a reduced word could have, with equation (8)'s probability."""
        ruler = self.ruler(basenps)
        triples = self.model.vocabulary.triples
        found: list[tuple[int, Relation, Distance, float]] = []
        for head in ruler.reduced:
            if head == modifier:
                continue
            distance = ruler.distance(modifier, head)
            for relation, estimate in self.contexts.estimates(modifier, head, distance.code).items():
                found.append((head, Relation(*triples[relation]), distance, estimate))
        total = sum(item[3] for item in found)
        ranked = sorted(found, key=lambda item: (-item[3], item[0], item[1]))
        return [Candidate(*item, item[3] / total) for item in ranked]

    def unary(self, node: Constituent, parent: str | None) -> Factor:
        """P̂(parent or none | label, head tag) of a constituent: the footnote to section 2.6."""
        label, head = node.label, node.head
        word, tag = self.words[head], self.tags[head]
        subject = UnarySubject(head, word, label, parent)
        labels = self.model.label_numbers
        if label not in labels and parent is None:
            # A label that training never had pays nothing for standing alone, as in the chart.
            return Factor(subject, (), (), (), 1.0)
        if label not in labels or (parent or "") not in labels:
            return Factor(subject, (), (), (), 0.0, f"{label} was never seen under {parent}")
        outcome = labels[parent or ""]
        if self.switches.unary_contexts:
            mixture = self.contexts.unary(node, outcome)
            reason = "" if mixture.probability else f"{parent} was never seen over {label} alone"
            return _factor(subject, mixture, reason)
        probability = float(
            estimates_kernel.unary_estimate(self.model.counts, labels[label], self._numbers[head][1], outcome)
        )
        eta = np.zeros(2, np.int64)
        delta = np.zeros(2, np.int64)
        estimates_kernel.unary_counts(self.model.counts, labels[label], self._numbers[head][1], outcome, eta, delta)
        levels = (Level("label+tag", int(eta[0]), int(delta[0])), Level("label", int(eta[1]), int(delta[1])))
        reason = "" if probability else f"{parent} was never seen over {label} alone (head tag {tag})"
        return Factor(subject, levels, _existing(levels), _weights(levels), probability, reason)

    def root(self, head: int, label: str) -> Factor:
        """F̂(<label> | head-word, head tag): AF of the head of the sentence."""
        subject = RootSubject(head, self.words[head], label)
        number = self.model.label_numbers.get(label)
        if number is None:
            return Factor(subject, (), (), (), 0.0, f"{label} was never the root in training")
        probability = float(estimates_kernel.root_estimate(self.model.counts, *self._numbers[head], number))
        eta = np.zeros(3, np.int64)
        delta = np.zeros(3, np.int64)
        estimates_kernel.root_counts(self.model.counts, *self._numbers[head], number, eta, delta)
        names = ("word+tag", "tag", "any")
        levels = tuple(Level(name, int(eta[row]), int(delta[row])) for row, name in enumerate(names))
        reason = "" if probability else f"{label} was never the root in training"
        return Factor(subject, levels, _existing(levels), _weights(levels), probability, reason)

    def ledger(self, roots: Sequence[Constituent], fragments: bool = False) -> Ledger:
        """All factors of a parse; for a cover of fragments those of each fragment, without a root."""
        covered = (position for root in roots for position in range(root.start, root.end))
        factors = [factor for position in covered if (factor := self.tag(position)) is not None]
        basenps = [BaseNP(node.start, node.end, node.head) for root in roots for node in root.walk() if node.is_base]
        ruler = self.ruler(basenps)
        gaps = gap_tags(len(self.words), basenps)
        inner = sorted(position for root in roots for position in range(root.start + 1, root.end))
        factors.extend(self.gap(position, gaps[position - 1]) for position in inner)
        pairs = [pair for root in roots for pair in arrows_of(root)]
        for child, node in sorted(pairs, key=lambda pair: pair[0].head):
            relation = Relation(child.label, node.label, node.head_label)
            distance = ruler.distance(child.head, node.head)
            factors.append(self.dependency(child.head, node.head, relation, distance))
        for root in roots:
            factors.extend(self.unary(node, parent) for node, parent in unary_decisions(root))
        if not fragments and roots:
            factors.append(self.root(roots[0].head, roots[0].label))
            factors.extend(self.features(roots[0]))
        return Ledger(tuple(factors))

    def features(self, root: Constituent) -> list[Factor]:
        """What the re-ranker, if it is in use, holds for and against a tree, the weightiest first."""
        reranker = self.model.reranker
        if reranker is None or not self.settings.rerank:
            return []
        rows = features_kernel.tree_features(
            steps_of(root, self.model.label_numbers),
            np.array(self._numbers, np.int32),
            np.arange(len(self.words), dtype=np.int32),
            np.array(self.sentence.commas, np.int32),
            self.model.joined_labels,
            punctuation_marks(self.sentence),
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


def unary_decisions(root: Constituent) -> Iterator[tuple[Constituent, str | None]]:
    """Every constituent that pays for a unary parent or for none, with that parent."""
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
    """Every modifier with the constituent that it is a child of."""
    for node in root.walk():
        if len(node.children) > 1:
            for index, child in enumerate(node.children):
                if index != node.head_child:
                    yield child, node


def _factor(subject: Subject, mixture: Mixture, reason: str = "") -> Factor:
    """A factor estimated as preset (5) does."""
    probability, levels, used, lambdas, ratios, whole = mixture
    return Factor(subject, levels, used, lambdas, probability, reason, ratios, whole)


def _mixture(levels: Sequence[Level]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Which estimates section 2.4 mixes for these counts, and λ1 or λ2 (see ``kernels.estimates.smoothed``)."""
    first, second, third, last = levels
    together = second.delta + third.delta
    existing = [
        (name, delta) for name, delta in (("E1", first.delta), ("E23", together), (last.name, last.delta)) if delta
    ]
    if len(existing) < 2:
        return tuple(name for name, _ in existing), ()
    return (existing[0][0], existing[1][0]), (existing[0][1] / (existing[0][1] + 1),)


def _existing(levels: Sequence[Level]) -> tuple[str, ...]:
    return tuple(level.name for level in levels if level.delta)


def _weights(levels: Sequence[Level]) -> tuple[float, ...]:
    return tuple(level.delta / (level.delta + 1) for level in levels[:-1] if level.delta)
