"""The answer: a parse with its tree, its (B, D, U), its score and its working, or what makes a tree impossible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from engine.chart.derivation import ChartConstituents
from engine.chart.search import first_beam
from engine.chart.trace import Trace
from engine.common.characters import as_read
from engine.counts.contexts import ENDING_TAGS, partners, unbalanced
from engine.estimates.counts_remark import counts_remark
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import (
    ROOT,
    Arrow,
    DependencyProbabilities,
    Factor,
    FactorKind,
    Ledger,
    dependency_probabilities,
)
from engine.model.model import Model
from engine.rerank.lists import Votes
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import JOINED, Constituent
from engine.structure.dependencies import Analysis, BaseNP, Dependency, analyse, gap_tags
from engine.structure.tagged_sentence import TaggedSentence
from engine.structure.tree_assembly import assemble
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import PUNCTUATION_TAGS, Tree

if TYPE_CHECKING:
    import networkx


# What makes a tree impossible: zero factors, tags not considered, rules on commas and brackets, unseen chains.


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
    """One thing that makes a tree impossible: its cause, the cause in words, and the factor if that is zero."""

    cause: Cause
    text: str
    factor: Factor | None = None


def zero_factors(ledger: Ledger) -> Iterator[Impossibility]:
    """Yield the factors of a tree that are zero."""
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
        """Yield what a constituent breaks; those below it are asked on their own."""
        words = self._words
        if self._settings.balanced_brackets and unbalanced(self._pairs, node.start, node.end):
            first, last = as_read(words[node.start]), as_read(words[node.end - 1])
            span = f"{first} … {last}" if node.end - node.start > 2 else f"{first} {last}"
            text = f"the {node.label.rstrip(JOINED)} `{span}` holds one of two brackets and not the other"
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
                first, last = as_read(words[gap]), as_read(words[end - 1])
                yield Impossibility(
                    Cause.COMMA_RULE,
                    f"the comma before `{first}` separates children of {node.label}, so the punctuation rule demands "
                    f"one after `{last}`, too, and there is none",
                )


# The answer: a parse with its tree, its (B, D, U), its score and its working.


class Parse:
    """One parse of one sentence.

    Attributes
    ----------
    sentence
        The words, and the tags that they have in this parse.
    distribution
        The tagger's P(t|S) of every word, if the parser chose among tags (model 4).
    tagging
        The same, whether the parser chose among tags or took the best sequence; ``None`` where all tags were given.
    tags_considered
        How many tags the chart held, summed over the words.
    roots
        The constituent over the sentence; where `fallback` is set the fragments of a cover, which may be bare words,
        and may be one.  The label over them is in `tree` alone.
    log_probability
        log of P̂(B|S) × P̂(U|B,S) × N(D|S,B), the root included (equation 20 and its footnote), and under model (4)
        × ∏ P(t_i|S); for a cover of fragments the sum over the fragments.
    score
        The log probability, and where parses are re-ranked the second model's log probability with its weight and the
        weights of the tree's features.  Parses are ranked by it, unless they are chosen by expected F1.
    expected_f1, votes
        Where parses are re-ranked and chosen by expected F1: that of this parse over the list, and what every
        constituent got of the vote; else ``None``.
    passes
        How often the threshold was lowered or the beam widened, counted from 1.
    beam
        β of the last pass: wider than the settings' where nothing was found within it, or a list was re-ranked
        (:attr:`Settings.list_beam`).
    further_backoff
        How much further than the settings say the estimates back off, since no tree was found without; not at all in a
        cover of fragments.
    fallback
        Whether no tree spans the sentence and the fragments of a cover stand side by side under the root.
    given_up
        Whether that is so because to look for a tree was too much work even with a narrow β
        (:mod:`engine.chart.search`).
    alternatives
        The n best parses, this one first.
    chart
        Every edge ever added, if the parse was traced.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        sentence: TaggedSentence,
        roots: tuple[Constituent, ...] | ChartConstituents,
        log_probability: float,
        passes: int,
        beam: float,
        distribution: TagDistribution | None = None,
        tags_considered: int | None = None,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
    ) -> None:
        self.model = model
        self.settings = settings
        self.sentence = sentence
        self._roots = roots
        self.log_probability = log_probability
        self.score = log_probability
        self.expected_f1: float | None = None
        self.votes: Votes | None = None
        self.passes = passes
        self.beam = beam
        self.distribution = distribution
        self.tagging = distribution
        self.tags_considered = len(sentence.positions) if tags_considered is None else tags_considered
        self.further_backoff = further_backoff
        self.fallback = False
        self.given_up = False
        self.alternatives: tuple[Parse, ...] = (self,)
        # By tags, and shared by the n best: most have theirs in common, and most of what is looked up for them.
        self._explainers: dict[tuple[str, ...], Explainer] = {}
        self.chart: Trace | None = None

    def __repr__(self) -> str:
        return f"Parse({self.tree.brackets()!r}, {self.log_probability:.3f})"

    def alone(self) -> Parse:
        """Return the same parse without the others of the n best."""
        alone = copy(self)
        alone.alternatives = (alone,)
        return alone

    def keep_alternatives(self, ranked: Sequence[Parse]) -> None:
        """Keep the n best parses, this one first."""
        self.alternatives = tuple(ranked)
        for one in ranked:
            one._explainers = self._explainers

    def keep_chart(self, chart: Trace | None) -> None:
        """Keep the chart with this parse and with all the others of the n best: it is that of each of them."""
        for one in self.alternatives:
            one.chart = chart

    @property
    def widened(self) -> bool:
        """Whether nothing was found within the first pass' β."""
        return self.beam > first_beam(self.model, self.settings)

    @property
    def narrowed(self) -> bool:
        """Whether the sentence was too much work at the β asked for (:mod:`engine.chart.search`)."""
        return self.beam < first_beam(self.model, self.settings)

    @property
    def note(self) -> str:
        """What a person has to know of a parse that is not an ordinary one, as a clause; empty for an ordinary one."""
        cover = "these are the fragments of the best cover"
        asked = f"{first_beam(self.model, self.settings):.4g}".replace("inf", "∞")
        if self.given_up:
            narrowed = f", and at β = {self.beam:.3g}, too" if self.narrowed else ""
            return f"the sentence is too much work at β = {asked}{narrowed}: {cover}"
        if self.fallback:
            tried = ", not even with further back-off" if self.settings.further_backoffs else ""
            found = f"no tree spans the sentence{tried}: {cover}"
        else:
            found = self.further_backoff.text
        if not self.narrowed:
            return found
        narrowed = f"the sentence is too much work at β = {asked}, so it was parsed with β = {self.beam:.3g}"
        return f"{narrowed}; {found}" if found else narrowed

    @cached_property
    def roots(self) -> tuple[Constituent, ...]:
        """The constituents, built when they are first asked for."""
        return self._roots.roots() if isinstance(self._roots, ChartConstituents) else self._roots

    @cached_property
    def tree(self) -> Tree:
        """The phrase-structure tree with every token of the sentence."""
        return assemble(self.roots, self.sentence)

    @cached_property
    def analyses(self) -> tuple[Analysis, ...]:
        """(B, D, U), one for each root."""
        tags = self.sentence.proper_tags
        return tuple(analyse(root, tags) for root in self.roots)

    @cached_property
    def basenps(self) -> tuple[BaseNP, ...]:
        """B: the baseNPs from left to right."""
        return tuple(base for analysis in self.analyses for base in analysis.basenps)

    @cached_property
    def reduced(self) -> tuple[int, ...]:
        """Positions of the words of the reduced sentence S̄, counted from 0 without punctuation."""
        return tuple(position for analysis in self.analyses for position in analysis.reduced)

    @cached_property
    def dependencies(self) -> tuple[Dependency, ...]:
        """D: AF(1) to AF(m); words of the reduced sentence count from 1, head 0 is the root."""
        found: list[Dependency] = []
        for analysis in self.analyses:
            shift = len(found)
            for arrow in analysis.dependencies:
                found.append(Dependency(arrow.modifier + shift, arrow.head and arrow.head + shift, arrow.relation))
        return tuple(found)

    @cached_property
    def arrows(self) -> tuple[Arrow, ...]:
        """D by positions, counted from 0 without punctuation: modifier, head (−1: the root) and relation."""
        reduced = self.reduced
        return tuple(
            (reduced[arrow.modifier - 1], reduced[arrow.head - 1] if arrow.head else ROOT, arrow.relation)
            for arrow in self.dependencies
        )

    @cached_property
    def gap_tags(self) -> str:
        """G_2 to G_n as letters of SCEBN."""
        return gap_tags(len(self.sentence.positions), self.basenps)

    def heads(self) -> Mapping[int, int]:
        """Head position of every reduced word (−1: the root), positions counted from 0 without punctuation."""
        return self._heads

    @cached_property
    def _heads(self) -> dict[int, int]:
        return {modifier: head for modifier, head, _ in self.arrows}

    def explainer(self) -> Explainer:
        """Explains estimates of this sentence under this parse's model and settings.

        It is made once, for all of the n best with the same tags: whoever asks finds what others have looked up.
        """
        tags = self.sentence.tags
        if tags not in self._explainers:
            made = Explainer(self.model, self.settings, self.sentence, self.distribution, self.further_backoff)
            # Another thread may have been quicker.
            return self._explainers.setdefault(tags, made)
        return self._explainers[tags]

    @property
    def counts_remark(self) -> str:
        """How the counts behind this parse differ from the paper's, in one sentence; empty where they do not."""
        return counts_remark(self.model, self.settings)

    def ledger(self) -> Ledger:
        """Return every factor of the score, and under a re-ranker every feature that weighs on it; made once."""
        return self._ledger

    @cached_property
    def _ledger(self) -> Ledger:
        return self.explainer().ledger(self.roots, self.fallback)

    @property
    def has_ledger(self) -> bool:
        """Whether the ledger is at hand, so that nobody waits for it."""
        return "_ledger" in self.__dict__

    def dependency_probabilities(self, explainer: Explainer | None = None) -> DependencyProbabilities:
        """Equation (8)'s probability of every AF(j), and log P(D|S,B), their product (equations 4 and 9).

        Parameters
        ----------
        explainer
            That of another parse of the sentence with the same tags, which has looked up most of it.
        """
        explainer = explainer or self.explainer()
        factors = explainer.arrows(self.roots, self.fallback)
        candidates = {modifier: explainer.candidates(modifier, self.basenps) for modifier in self.reduced}
        return dependency_probabilities(self.arrows, factors, candidates)

    def graph(self) -> networkx.DiGraph:
        """Return the dependencies as a graph: modifier → head, node 0 the root, edges with
        their relation and log F̂.
        """
        import networkx

        graph = networkx.DiGraph()
        graph.add_node(0, word="ROOT", tag="")
        reduced = self.reduced
        words, tags = self.sentence.proper_words, self.sentence.proper_tags
        bases = {base.head: base for base in self.basenps}
        logs = {modifier: factor.log for modifier, factor in self.ledger().by_modifier().items()}
        for number, position in enumerate(reduced, 1):
            base = bases.get(position)
            span = (base.start, base.end) if base else (position, position + 1)
            graph.add_node(number, word=words[position], tag=tags[position], position=position, span=span)
        for arrow in self.dependencies:
            log = logs.get(reduced[arrow.modifier - 1], 0.0)
            graph.add_edge(arrow.modifier, arrow.head, relation=arrow.relation, log=log)
        return graph


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of a given tree.

    Attributes
    ----------
    sentence, root
        Its words and tags, and its constituents.
    ledger
        Its factors.
    impossibilities
        Everything that makes the tree impossible: zero factors first, then tags, then rules; empty if it is possible.
    further_backoff
        How much further the estimates back off than the settings say.
    """

    sentence: TaggedSentence
    root: Constituent
    ledger: Ledger
    impossibilities: tuple[Impossibility, ...] = ()
    further_backoff: FurtherBackoff = FurtherBackoff.NONE

    @property
    def log_probability(self) -> float:
        """Log P, whatever the tree is ranked by; −∞ if a factor is zero."""
        return self.ledger.log_probability

    @property
    def score(self) -> float:
        """What the tree is ranked by: log P and what a re-ranker adds to it; −∞ if a factor is zero."""
        return self.ledger.total

    @property
    def possible(self) -> bool:
        """Whether the parser could ever build the tree."""
        return not self.impossibilities

    @property
    def why_not(self) -> str:
        """The first thing that makes the tree impossible; empty if it is possible."""
        return self.impossibilities[0].text if self.impossibilities else ""
