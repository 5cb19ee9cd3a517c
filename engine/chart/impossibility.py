"""What makes a tree impossible: zero factors, tags not considered, rules on commas and brackets, unseen chains."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.counts.context_features import ENDING_TAGS, partners, unbalanced
from engine.estimates.factor_subjects import FactorKind
from engine.estimates.ledger import Factor, Ledger
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import Constituent
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import PUNCTUATION_TAGS


class Cause(StrEnum):
    """Why a tree is impossible."""

    TRIPLE = "triple never seen"
    DEPENDENCY = "dependency never seen between such words"
    GAP = "gap tag never seen between such words"
    UNARY = "unary never seen"
    ROOT = "label never seen at the root"
    COMMA_RULE = "against the comma rule"
    BRACKETS = "bracket torn from its partner"
    TAG = "tag not considered"


class Impossibility(NamedTuple):
    """One thing that makes a tree impossible: its cause, the same in words, and the factor if it is a zero one."""

    cause: Cause
    text: str
    factor: Factor | None = None


def zero_factors(ledger: Ledger) -> Iterator[Impossibility]:
    """The factors of a tree that are zero."""
    causes = {
        FactorKind.GAP: Cause.GAP,
        FactorKind.UNARY: Cause.UNARY,
        FactorKind.ROOT: Cause.ROOT,
        FactorKind.DEPENDENCY: Cause.DEPENDENCY,
    }
    for factor in ledger:
        if factor.probability <= 0:
            cause = causes.get(factor.kind, Cause.TAG)
            if factor.kind is FactorKind.DEPENDENCY and not factor.levels:
                # Without any counts at all: the triple itself is unknown.
                cause = Cause.TRIPLE
            yield Impossibility(cause, f"{factor.what}: {factor.reason}", factor)


def tag_impossibilities(
    sentence: TaggedSentence, distribution: TagDistribution, settings: Settings
) -> Iterator[Impossibility]:
    """Tags of a tree that the chart does not hold (model 4)."""
    held = dict(zip(distribution.sentence.positions, distribution.readings(settings.tag_factor), strict=True))
    for token, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
        is_word = token in held
        if is_word != (tag not in PUNCTUATION_TAGS):
            what = "a word" if is_word else "punctuation"
            yield Impossibility(Cause.TAG, f"the tagger takes `{word}` for {what}, not for {tag}")
        elif is_word and tag not in dict(held[token]):
            chance = distribution.probability(token, tag)
            text = f"the tag {tag} of `{word}` is not among those considered (P = {chance:.2g})"
            yield Impossibility(Cause.TAG, text)


def rule_impossibilities(
    model: Model, settings: Settings, root: Constituent, sentence: TaggedSentence
) -> Iterator[Impossibility]:
    """Constituents of a tree that the rules on commas and brackets forbid, or whose unary chain was never seen."""
    rules = ConstituentRules(model, settings, sentence)
    for node in root.walk():
        yield from rules.broken_by(node)


class ConstituentRules:
    """What a single constituent of one sentence must obey, whatever its probability."""

    def __init__(self, model: Model, settings: Settings, sentence: TaggedSentence) -> None:
        self._settings = settings
        self._words, self._tags, self._commas = sentence.proper_words, sentence.proper_tags, sentence.commas
        self._pairs = partners(self._tags)
        self._chains = {chain[:end] for chain in model.vocabulary.chains for end in range(2, len(chain) + 1)}

    def broken_by(self, node: Constituent) -> Iterator[Impossibility]:
        """What a constituent breaks; those below it are asked on their own."""
        words = self._words
        if self._settings.balanced_brackets and unbalanced(self._pairs, node.start, node.end):
            span = " ".join(words[node.start : node.end])
            text = f"{node.label} over `{span}` holds one of two brackets and not the other"
            yield Impossibility(Cause.BRACKETS, text)
        if len(node.children) == 1:
            chain = [node.label]
            below = node
            while len(below.children) == 1:
                below = below.children[0]
                chain.insert(0, below.label)
            if tuple(chain) not in self._chains:
                text = f"the unary chain {' → '.join(reversed(chain))} was never seen in training"
                yield Impossibility(Cause.UNARY, text)
        if self._settings.punctuation_rule:
            yield from self._torn_by_commas(node)

    def _torn_by_commas(self, node: Constituent) -> Iterator[Impossibility]:
        words, commas = self._words, self._commas
        for gap, end in node.joins():
            if commas[gap] > 0 and end < len(words) and commas[end] == 0:
                if self._settings.extended_rule and self._tags[end] in ENDING_TAGS:
                    continue
                yield Impossibility(
                    Cause.COMMA_RULE,
                    f"the comma before `{words[gap]}` separates children of {node.label}, "
                    f"and none follows `{words[end - 1]}` (punctuation rule)",
                )
