"""What a headline is: a sentence or two, at most three reasons, how close the choice was and what decided it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MOST_REASONS = 3


class Closeness(StrEnum):
    """How far what was chosen is ahead of the best of the rest, or behind it."""

    ONLY = "only choice"
    CLEAR = "clear"
    LIKELIER = "likelier"
    TIE = "tie"
    UNLIKELIER = "unlikelier"
    """By its own estimate it is less likely than something that was not chosen."""


class DecidedBy(StrEnum):
    """What decided for something of a parse."""

    ESTIMATE = "estimate"
    """Its own estimate is the highest, and the rest of the tree agrees."""
    TREE = "tree"
    """Another choice has the higher estimate; the rest of the tree outweighs it."""
    RERANKER = "re-ranker"
    """By log P alone another parse of the list would have won."""
    VOTE = "vote"
    """Another parse of the list has a higher score; this one has the greater expected F1."""
    WHAT_IF = "what-if"
    """A person forced it."""
    GIVEN = "given"
    """It was given with the sentence."""


@dataclass(frozen=True, slots=True)
class Headline:
    """What is to be said first about a thing; words of the sentence stand between back-ticks.

    Attributes
    ----------
    sentence
        The answer, in one or two sentences.
    reasons
        Up to three sentences that say why, the weightiest first.
    closeness, decided_by
        How close the choice was and what decided it; ``None`` of what is no choice.
    """

    sentence: str
    reasons: tuple[str, ...] = ()
    closeness: Closeness | None = None
    decided_by: DecidedBy | None = None

    def __post_init__(self) -> None:
        # Two estimates may rest on the same counts, of which is told once.
        object.__setattr__(self, "reasons", tuple(dict.fromkeys(self.reasons)))
        assert len(self.reasons) <= MOST_REASONS

    @property
    def text(self) -> str:
        """The sentence, then a line for each reason."""
        return "\n".join((self.sentence, *(f"- {reason}" for reason in self.reasons)))

    def as_dict(self) -> dict[str, Any]:
        """The headline as JSON has it."""
        return {
            "sentence": self.sentence,
            "reasons": list(self.reasons),
            "closeness": None if self.closeness is None else self.closeness.value,
            "decided_by": None if self.decided_by is None else self.decided_by.value,
        }
