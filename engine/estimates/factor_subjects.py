"""What a factor of a parse's score is about: a tag, a gap, a dependency, a unary step, the root or a feature.

The six classes are a closed union, :data:`Subject`: each knows its words and labels, the text that tables show and
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
    FactorKind.FEATURE: "",
}


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
        """``rule: VP → VBD NP (× 2)``."""
        return f"{self.template}: {self.values}" + (f" (× {self.times})" if self.times > 1 else "")


Subject = TagSubject | GapSubject | DependencySubject | RootSubject | UnarySubject | FeatureSubject
