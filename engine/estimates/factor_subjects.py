"""What a factor of a parse's score is about: a tag, a gap, a dependency, a unary step, the root; or, with a re-ranker,
a decision of the second model, a feature.

The seven classes are a closed union, :data:`Subject`: each knows its words and labels, the text that tables show and
the key by which two ledgers are aligned.  Positions count words from 0 without punctuation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from engine.structure.dependencies import Relation
from engine.structure.distance import Distance

AlignmentKey = tuple[str | int, ...]
"""The same for two factors of two trees that score the same decision."""


class FactorKind(StrEnum):
    """The sorts of factors, named as tables show them."""

    TAG = "tag"
    GAP = "gap"
    DEPENDENCY = "dependency"
    UNARY = "unary"
    ROOT = "root"
    GENERATIVE = "second model"
    FEATURE = "feature"

    @property
    def symbol(self) -> str:
        """What the paper calls such a factor: F̂ of an arrow is no probability of it, which equation (8) gives."""
        return _SYMBOLS[self]

    @property
    def with_symbol(self) -> str:
        """``dependency F̂``: how a ledger names the sort, so that nobody takes log F̂ for the log of a probability."""
        return f"{self.value} {self.symbol}".rstrip()


_SYMBOLS = {
    FactorKind.TAG: "P",
    FactorKind.GAP: "P̂",
    FactorKind.DEPENDENCY: "F̂",
    FactorKind.UNARY: "P̂",
    FactorKind.ROOT: "F̂",
    FactorKind.GENERATIVE: "P",
    FactorKind.FEATURE: "",
}

RERANKERS_KINDS = (FactorKind.GENERATIVE, FactorKind.FEATURE)
"""What a re-ranker adds to the log probability."""


@dataclass(frozen=True, slots=True)
class TagSubject:
    """The tag that the tagger gave to a word (section 2.7)."""

    position: int
    word: str
    tag: str
    kind: ClassVar[FactorKind] = FactorKind.TAG

    @property
    def key(self) -> AlignmentKey:
        """Aligned with the tag of the same word."""
        return self.kind.value, self.position

    @property
    def text(self) -> str:
        """``saw/VBD``."""
        return f"{self.word}/{self.tag}"


@dataclass(frozen=True, slots=True)
class GapSubject:
    """The gap tag between two words (section 2.5); `position` is that of the word after the gap."""

    position: int
    left: str
    tag: str
    right: str
    kind: ClassVar[FactorKind] = FactorKind.GAP

    @property
    def key(self) -> AlignmentKey:
        """Aligned with the same gap."""
        return self.kind.value, self.position

    @property
    def text(self) -> str:
        """``the C dog``."""
        return f"{self.left} {self.tag} {self.right}"


@dataclass(frozen=True, slots=True)
class DependencySubject:
    """A dependency AF(j) = (h, R) with its Δ (sections 2.3 and 2.4): two words and the triple that relates them."""

    modifier: int
    head: int
    modifier_word: str
    head_word: str
    relation: Relation
    distance: Distance
    kind: ClassVar[FactorKind] = FactorKind.DEPENDENCY

    @property
    def key(self) -> AlignmentKey:
        """Aligned with what the same word modifies, or with the root if it modifies nothing there."""
        return self.kind.value, self.modifier

    @property
    def text(self) -> str:
        """``with → saw <PP,VP,VBD>``."""
        return f"{self.modifier_word} → {self.head_word} {self.relation}"


@dataclass(frozen=True, slots=True)
class RootSubject:
    """The head of the sentence, whose AF points to the root, and the label of the whole tree."""

    modifier: int
    word: str
    label: str
    kind: ClassVar[FactorKind] = FactorKind.ROOT

    @property
    def key(self) -> AlignmentKey:
        """Aligned as a dependency is, so that two trees with different heads are compared word by word."""
        return FactorKind.DEPENDENCY.value, self.modifier

    @property
    def text(self) -> str:
        """``saw → root <S>``."""
        return f"{self.word} → root <{self.label}>"


@dataclass(frozen=True, slots=True)
class UnarySubject:
    """The unary parent of a constituent, or that it has none (footnote to section 2.6).

    Attributes
    ----------
    head, word
        The head-word of the constituent.
    label
        Of the constituent.
    parent
        Label of the unary parent; ``None`` where there is none.
    """

    head: int
    word: str
    label: str
    parent: str | None
    kind: ClassVar[FactorKind] = FactorKind.UNARY

    @property
    def key(self) -> AlignmentKey:
        """Aligned with the decision over the same label and head-word."""
        return self.kind.value, self.head, self.label

    @property
    def production(self) -> str:
        """The decision without its word: ``S → VP`` or ``no unary over VP``."""
        return f"{self.parent} → {self.label}" if self.parent else f"no unary over {self.label}"

    @property
    def text(self) -> str:
        """``S → VP (left)``."""
        return f"{self.production} ({self.word})"


@dataclass(frozen=True, slots=True)
class FeatureSubject:
    """A feature of the re-ranker: its template, what fills it, and how many times the tree has it."""

    template: str
    values: str
    times: int
    kind: ClassVar[FactorKind] = FactorKind.FEATURE

    @property
    def key(self) -> AlignmentKey:
        """Aligned with the same feature."""
        return self.kind.value, self.template, self.values

    @property
    def text(self) -> str:
        """What fills it, in words: ``‘with’ modifies ‘saw’ (PP in VP) (× 2)``."""
        return self.values + (f" (× {self.times})" if self.times > 1 else "")


class Decision(StrEnum):
    """What the second model decides, in the order of :mod:`engine.generative.generative_layout`."""

    ROOT_LABEL = "root label"
    ROOT_WORD = "root word"
    HEAD = "head"
    FRAME = "frame"
    MODIFIER = "modifier"
    MODIFIER_TAG = "modifier tag"
    MODIFIER_WORD = "modifier word"
    BASE_TAG = "baseNP tag"
    BASE_WORD = "baseNP word"


_WORD_DECISIONS = (Decision.ROOT_WORD, Decision.MODIFIER_WORD, Decision.BASE_WORD)
_TAG_DECISIONS = (Decision.MODIFIER_TAG, Decision.BASE_TAG)


@dataclass(frozen=True, slots=True)
class GenerativeSubject:
    """A decision of the second model (Collins, 1997): what a constituent takes as head, frame or modifier.

    Attributes
    ----------
    decision, outcome
        What was decided, and how: a label, a tag, a word, a frame in braces, or ``STOP``.
    number
        Which of the tree's decisions it is, the root's first.
    node, label, start, end, head, head_word
        The constituent that decides: its number in the tree, its label, its words and its head-word.
    place
        The word that it is about: the modifier's head-word; of a head, a frame and STOP that of the constituent.
    side
        ``left`` or ``right`` of the head; empty where there is no side to it.
    stops
        Whether the outcome is that nothing more follows.
    text
        The decision as a linguist would say it: ``VP (saw) takes PP (with) on the right, next to the head``.
    row
        The event in numbers.
    """

    decision: Decision
    outcome: str
    number: int
    node: int
    label: str
    start: int
    end: int
    head: int
    head_word: str
    place: int
    side: str
    stops: bool
    text: str
    row: tuple[int, ...]
    kind: ClassVar[FactorKind] = FactorKind.GENERATIVE

    @property
    def whole(self) -> str:
        """The constituent by its label and head-word: ``VP (saw)``."""
        return f"{self.label} ({self.head_word})"

    @property
    def without_words(self) -> str:
        """The decision so that those of different sentences can be added up: ``modifier in VP, right: PP``."""
        side = f", {self.side}" if self.side else ""
        outcome = "" if self.decision in _WORD_DECISIONS else f": {self.outcome}"
        return f"{self.decision.value} in {self.label}{side}{outcome}"

    @property
    def key(self) -> AlignmentKey:
        """Aligned with what generates the same word, or else with the same decision under the same label and head."""
        if self.stops:
            return self.kind.value, "STOP", self.side, self.label, self.head
        if self.decision in _WORD_DECISIONS:
            return self.kind.value, "word", self.place
        if self.decision in _TAG_DECISIONS:
            return self.kind.value, "tag", self.place
        if self.decision is Decision.MODIFIER:
            return self.kind.value, "modifier", self.place
        return self.kind.value, self.decision.value, self.side, self.label, self.head


Subject = TagSubject | GapSubject | DependencySubject | RootSubject | UnarySubject | GenerativeSubject | FeatureSubject
