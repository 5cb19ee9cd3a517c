"""A count as a question: its table, its contexts, the levels of an estimate that it stands behind, and its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.common.arrays import Int64Array, IntArray
from engine.common.characters import as_read
from engine.common.resources import resources_folder
from engine.counts import lookup_kernel
from engine.counts.contexts import describe_context, describe_outcome
from engine.counts.counts_layout import Counts
from engine.counts.specifications_layout import DEPENDENCY_TABLES
from engine.estimates.explainer import Explainer, unary_decisions
from engine.estimates.factors import LevelContexts
from engine.estimates.ledger import DependencySubject, Factor, GapSubject, RootSubject, UnarySubject
from engine.model.model import Model
from engine.structure.constituents import Constituent
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import Distance
from engine.structure.tagged_sentence import TaggedSentence

# A count as a question: which table, which contexts in it, and which outcome (η) or all of them (δ).

ANY = -1
"""In place of an outcome: any of them, so that the events are asked for and not the contexts."""
UNRELATED = -2
"""In place of an outcome: none, two words that stood so and had no relation."""


class Counted(NamedTuple):
    """One number of the model.

    Attributes
    ----------
    level
        What the level of back-off is called: ``E1``, ``order``, ...
    table
        Number of the count table (:mod:`engine.counts.specifications_layout`).
    keys
        The contexts: one, or with question 1 as the only distance all that differ in the others.  None where a word is
        unknown, or words are not used: then nothing was counted.
    outcome
        Number of a relation, gap tag, unary parent or root label for η; ``ANY`` for all events,
        ``UNRELATED`` for their lack; ``None`` for δ.
    """

    level: str
    table: int
    keys: tuple[int, ...]
    outcome: int | None = None

    def of(self, outcome: int | None) -> Counted:
        """Return the same contexts with another outcome."""
        return self._replace(outcome=outcome)

    def words(self, model: Model) -> str:
        """Describe what is counted: ``<PP,VP,VBD> of with/IN → saw/VBD: head precedes modifier, ...``."""
        if not self.keys:
            return "a context with a word that the model does not know"
        vocabulary, widths = model.vocabulary, model.counts.widths
        # Contexts that differ in the other questions are counted together: the first key answers those with no.
        context = describe_context(vocabulary, widths, self.table, self.keys[0], order_only=len(self.keys) > 1)
        if self.outcome is None:
            return context
        if self.outcome == ANY:
            return f"{context}; whatever the relation" if self.table in DEPENDENCY_TABLES else context
        if self.outcome == UNRELATED:
            return f"{context}; without a relation"
        return f"{context}; {describe_outcome(vocabulary, self.table, self.outcome)}"


def count_in(counts: Counts, counted: Counted) -> int:
    """Return the number itself, looked up in the model."""
    whole = 0
    for key in counted.keys:
        delta, start, end = lookup_kernel.find(counts, counted.table, key)
        if counted.outcome is None:
            whole += delta
        elif counted.outcome in (ANY, UNRELATED):
            known = int(counts.records[start + 1 : end : 2].sum())
            whole += known if counted.outcome == ANY else delta - known
        else:
            whole += lookup_kernel.count_of(counts, start, end, counted.outcome)
    return int(whole)


# Counts behind an estimate: the contexts of tables in which the levels of an explained factor were looked up.
#
# Each method stands beside the one of :class:`engine.estimates.explainer.Explainer` with the same name, and answers for
# every level of that factor, in the same order.


class Sources:
    """The counts behind the estimates of one explained sentence."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer

    def of(self, factor: Factor, roots: Sequence[Constituent]) -> tuple[Counted, ...]:
        """Return the counts of a factor of a parse's ledger, whose roots these are; none for a tag or a feature."""
        match factor.subject:
            case GapSubject(position=position, tag=tag):
                return self.gap(position, tag)
            case DependencySubject(modifier=modifier, head=head, relation=relation, distance=distance):
                return self.dependency(modifier, head, relation, distance)
            case RootSubject(modifier=head, label=label):
                return self.root(head, label)
            case UnarySubject() as subject:
                # The contexts of preset (5) are not in the subject: the node itself is asked for them.
                for node, parent in chain.from_iterable(map(unary_decisions, roots)):
                    same = (node.head, node.label, parent) == (subject.head, subject.label, subject.parent)
                    if same and self._explainer.unary(node, parent) == factor:
                        return self.unary(node, parent)
        return ()

    def dependency(self, modifier: int, head: int, relation: Relation, distance: Distance) -> tuple[Counted, ...]:
        """Return the counts of F̂(R | modifier, head, Δ); none for a relation that training never had."""
        outcome = self._explainer.model.triple_numbers.get(relation)
        if outcome is None:
            return ()
        return _counted(self._explainer.dependencies.contexts(modifier, head, distance.code), outcome)

    def gap(self, position: int, tag: str) -> tuple[Counted, ...]:
        """Return the counts of P̂(G = tag) of the gap before a word."""
        return _counted(self._explainer.gaps.contexts(position), GAP_LETTERS.index(tag))

    def unary(self, node: Constituent, parent: str | None) -> tuple[Counted, ...]:
        """Return the counts of P̂(parent or none | label, head tag); none for labels that training never had."""
        labels = self._explainer.model.label_numbers
        if node.label not in labels or (parent or "") not in labels:
            return ()
        return _counted(self._explainer.unaries.contexts(node), labels[parent or ""])

    def root(self, head: int, label: str) -> tuple[Counted, ...]:
        """Return the counts of F̂(<label> | head-word, head tag); none for a label that training never had."""
        outcome = self._explainer.model.label_numbers.get(label)
        if outcome is None:
            return ()
        return _counted(self._explainer.roots.contexts(head), outcome)


def _counted(contexts: Sequence[LevelContexts], outcome: int) -> tuple[Counted, ...]:
    return tuple(Counted(*context, outcome) for context in contexts)


# Treebanks that a model was counted from: those that come with the program, and whether others are the right ones.

EXACT, PART, OTHER = "exact", "part", "other"


@dataclass(frozen=True, slots=True)
class Match:
    """The match of trees with a model: those that it was counted from, a part of them, or others; and that in words."""

    kind: str
    sentence: str


def bundled_treebanks(model: Model) -> list[Path]:
    """List the treebanks of a model that come with the program."""
    folder = resources_folder() / "examples"
    paths = [folder / name for name in model.metadata.get("corpora", [])]
    # A name may be anything, also a path to somewhere else.
    return [path for path in paths if path.parent == folder and path.is_file()]


def own_treebanks(model: Model) -> list[Path]:
    """Return the treebanks of a model if all of them come with the program, as those of `classroom`; else none."""
    found = bundled_treebanks(model)
    return found if len(found) == len(model.metadata.get("corpora", [])) else []


# Instances of a count: places in the training trees, and their sentences with the words marked.

MODIFIER_ROLE, HEAD_ROLE, LEFT_ROLE, RIGHT_ROLE, WORD_ROLE = "modifier", "head", "left", "right", "head-word"
SIGNS = {
    MODIFIER_ROLE: ("‹", "›"),
    HEAD_ROLE: ("«", "»"),
    LEFT_ROLE: ("‹", "›"),
    RIGHT_ROLE: ("«", "»"),
    WORD_ROLE: ("«", "»"),
}
"""How text marks a word, by the part that it plays."""


@dataclass(frozen=True, slots=True)
class Instances:
    """The places that one count counts, in the order of the trees.

    Attributes
    ----------
    roles
        What the two columns of `rows` are: modifier and head, left and right; one role twice where one word is meant.
    sentences
        The sentence of every place.
    rows
        Its two words, as rows of the columns.
    first, last
        First and last row of what is meant as a whole: a constituent, a span; else the two words.
    outcomes
        What happened there; −1 for nothing.
    weights
        How many times preset (5) counts it; all else counts it once.
    """

    roles: tuple[str, str]
    sentences: IntArray
    rows: Int64Array
    first: Int64Array
    last: Int64Array
    outcomes: IntArray
    weights: Int64Array

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def weighted(self) -> int:
        """How many times preset (5) counts them."""
        return int(self.weights.sum())

    def chosen(self, places: IntArray) -> Instances:
        """Choose some of the places."""
        return Instances(
            self.roles,
            self.sentences[places],
            self.rows[places],
            self.first[places],
            self.last[places],
            self.outcomes[places],
            self.weights[places],
        )

    def of(self, outcome: int | None) -> Instances:
        """Choose those with one outcome, with ``ANY``, ``UNRELATED``, or for ``None`` all."""
        if outcome is None:
            return self
        if outcome == ANY:
            return self.chosen(np.flatnonzero(self.outcomes >= 0))
        return self.chosen(np.flatnonzero(self.outcomes == (-1 if outcome == UNRELATED else outcome)))


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One training sentence with what was counted in it.

    Attributes
    ----------
    source, number
        The treebank's name, and which of its sentences this is, from 1 on.
    words, tags
        All tokens, in the form in which they are counted.
    marks
        The part that some tokens play.
    span
        First token and one past the last of a constituent or span; ``None`` for a pair of words.
    outcome
        What happened there, in words.
    weight
        How many times it counts in preset (5).
    """

    source: str
    number: int
    words: tuple[str, ...]
    tags: tuple[str, ...]
    marks: dict[int, str]
    span: tuple[int, int] | None
    outcome: str
    weight: int

    @property
    def place(self) -> str:
        """Treebank and number: ``classroom.ptb, sentence 17``."""
        return f"{self.source}, sentence {self.number:,}"

    @property
    def shown_words(self) -> list[str]:
        """The words for the eye: brackets as brackets."""
        return [as_read(word) for word in self.words]

    def text(self) -> str:
        """Return the sentence with its words marked: ``John «saw» the man ‹with› a telescope``, ``[a span]``."""
        shown = self.shown_words
        for token, role in self.marks.items():
            before, after = SIGNS[role]
            shown[token] = f"{before}{shown[token]}{after}"
        if self.span is not None:
            start, end = self.span
            shown[start] = "[" + shown[start]
            shown[end - 1] += "]"
        return " ".join(shown)

    def tagged(self) -> str:
        """Return the sentence as it can be typed: ``word/TAG word/TAG ...``."""
        return str(TaggedSentence(self.words, self.tags))
