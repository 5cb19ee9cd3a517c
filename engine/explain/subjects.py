"""What can be selected: a closed union of small values, one for each sort of thing that a picture or table shows.

Whatever can be asked about carries one of these ids, the same in every picture, so that hover and selection are linked
across them.  All that is said of them is in their topics, one for each class (:mod:`engine.explain.topics`); a test
names the class that has none.

Positions count words from 0 without punctuation, as :class:`engine.Parse` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.structure.dependencies import Relation


@dataclass(frozen=True, slots=True)
class WordId:
    """A word."""

    position: int
    name: ClassVar[str] = "word"


@dataclass(frozen=True, slots=True)
class PunctuationId:
    """A token of punctuation, counted among all tokens."""

    token: int
    name: ClassVar[str] = "token"


@dataclass(frozen=True, slots=True)
class TagId:
    """A tag that the tagger holds possible for a word."""

    position: int
    tag: str
    name: ClassVar[str] = "tag"


@dataclass(frozen=True, slots=True)
class GapId:
    """The gap before a word (G_i of section 2.5), position ≥ 1."""

    position: int
    name: ClassVar[str] = "gap"


@dataclass(frozen=True, slots=True)
class GapTagId:
    """One of the five tags S C E B N of the gap before a word."""

    position: int
    letter: str
    name: ClassVar[str] = "letter"


@dataclass(frozen=True, slots=True)
class ArrowId:
    """AF(j): the arrow from this word."""

    modifier: int
    name: ClassVar[str] = "arrow"


@dataclass(frozen=True, slots=True)
class RootId:
    """The place above the sentence to which its head points."""

    name: ClassVar[str] = "root"


@dataclass(frozen=True, slots=True)
class MatrixCellId:
    """A cell of the F̂ matrix: a modifier, and a head that it could have."""

    modifier: int
    head: int
    name: ClassVar[str] = "matrix"


@dataclass(frozen=True, slots=True)
class CandidateId:
    """A head with a relation in the ranked list of those that a modifier could have (equation 8)."""

    modifier: int
    head: int
    relation: Relation
    name: ClassVar[str] = "candidate"


@dataclass(frozen=True, slots=True)
class NodeId:
    """A constituent of the tree over words `start` to `end`; depth 0 is the root."""

    start: int
    end: int
    label: str
    depth: int
    name: ClassVar[str] = "node"


@dataclass(frozen=True, slots=True)
class ChartCellId:
    """A cell of the chart: all items over words `start` to `end`."""

    start: int
    end: int
    name: ClassVar[str] = "cell"


@dataclass(frozen=True, slots=True)
class EdgeId:
    """An edge of the chart, by its number in the order in which the parser added them."""

    number: int
    name: ClassVar[str] = "edge"


@dataclass(frozen=True, slots=True)
class ItemId:
    """An item that the chart kept, by its number."""

    number: int
    name: ClassVar[str] = "item"


@dataclass(frozen=True, slots=True)
class SecondModelId:
    """What the second model says of the tree: the row of the ledger that opens to its decisions."""

    name: ClassVar[str] = "second-model"


@dataclass(frozen=True, slots=True)
class DecisionsId:
    """All decisions of the second model in one constituent, by its number in the tree."""

    node: int
    name: ClassVar[str] = "decisions"


@dataclass(frozen=True, slots=True)
class DecisionId:
    """A decision of the second model, by its number in the parse's ledger."""

    number: int
    name: ClassVar[str] = "decision"


@dataclass(frozen=True, slots=True)
class FeaturesId:
    """All that the re-ranker's features say of the tree: the row of the ledger that opens to them."""

    name: ClassVar[str] = "features"


@dataclass(frozen=True, slots=True)
class FactorId:
    """A factor that no picture shows, a unary step or a feature, by its number in the parse's ledger."""

    number: int
    name: ClassVar[str] = "factor"


@dataclass(frozen=True, slots=True)
class WhatIfId:
    """A what-if, by its number among those of the sentence."""

    number: int
    name: ClassVar[str] = "what-if"


@dataclass(frozen=True, slots=True)
class VerdictId:
    """The verdict on a parse that is compared with its gold tree, or how any two parses compare."""

    name: ClassVar[str] = "verdict"


@dataclass(frozen=True, slots=True)
class ErrorId:
    """An error of a parse that is compared, by its number; or one of its brackets, those that are missing first."""

    number: int
    bracket: int = -1
    name: ClassVar[str] = "error"


@dataclass(frozen=True, slots=True)
class ErrorCellId:
    """A cell of the error table: a class of errors and a verdict, each empty for all."""

    kind: str
    verdict: str
    name: ClassVar[str] = "errors"


@dataclass(frozen=True, slots=True)
class PointId:
    """A point of a plot of sentences, by its number: one sentence, or several with the same figures."""

    number: int
    name: ClassVar[str] = "point"


Subject = (
    WordId
    | PunctuationId
    | TagId
    | GapId
    | GapTagId
    | ArrowId
    | RootId
    | MatrixCellId
    | CandidateId
    | NodeId
    | ChartCellId
    | EdgeId
    | ItemId
    | SecondModelId
    | DecisionsId
    | DecisionId
    | FeaturesId
    | FactorId
    | WhatIfId
    | VerdictId
    | ErrorId
    | ErrorCellId
    | PointId
)


def id_text(id: Subject) -> str:
    """An id as the word that names it in an SVG file: ``arrow-3``, ``node-0-2-NP-1``."""
    return "-".join([id.name, *(str(getattr(id, field)) for field in id.__match_args__)])


def modifier_of(id: Subject | None) -> int | None:
    """The word whose attachment an id is about, if it is about one."""
    match id:
        case WordId(word) | ArrowId(word) | MatrixCellId(word) | CandidateId(word):
            return word
        case _:
            return None
