"""How explanations write words, numbers and counts, and what a headline is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.common.characters import as_read
from engine.common.numbers import times
from engine.estimates.ledger import Level

# What a headline is: a sentence or two, at most three reasons, how close the choice was and what decided it.

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


# How headlines write words and counts: never an empty slot, or "1 times" (numbers: :mod:`engine.common.numbers`).

LONGEST_WORD = 40
MOST_WORDS = 7
_VOWEL_SOUNDS = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel: an NP, an S, but a PP."""
_VOWELS = frozenset("AEIOUY")
_SPELLED_FIRST = ("SBAR", "SINV")
"""Labels that are a letter and then a word: an S-bar."""


def quoted(word: str) -> str:
    """A word of the sentence between back-ticks; one that would fill the screen is cut."""
    word = as_read(word)
    if "`" in word:
        return f"“{word}”"
    return f"`{word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + '…'}`"


def tag_text(tag: str) -> str:
    """A tag; one that is a mark of punctuation stands between quotation marks."""
    return tag if tag[:1].isalnum() else f"“{tag}”"


def span_text(words: Sequence[str], start: int, end: int) -> str:
    """Some words of the sentence between back-ticks; of many the first and the last."""
    shown = map(as_read, words[start:end])
    inside = [word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…" for word in shown]
    if len(inside) > MOST_WORDS:
        inside = [*inside[: MOST_WORDS - 3], "…", *inside[-2:]]
    text = " ".join(inside)
    return f"“{text}”" if "`" in text else f"`{text}`"


def words_text(words: Sequence[str]) -> str:
    """Return all of some words between back-ticks; of many the first and the last."""
    return span_text(words, 0, len(words))


def with_article(label: str) -> str:
    """Return a label with its article, as it is read: ``a PP``, ``an NP`` letter by letter, ``a FRAG`` as a word."""
    is_word = not _VOWELS.isdisjoint(label[1:]) and not label.startswith(_SPELLED_FIRST)
    starts_with_vowel = label[:1] in (_VOWELS if is_word else _VOWEL_SOUNDS)
    return f"{'an' if starts_with_vowel else 'a'} {label}"


def how_often(when: str, clause: str, level: Level, weighted: bool = False) -> str:
    """How often something was so: ``In training, `with` … modified it in this way 6 times out of 10.``.

    Weighted counts are no numbers of times, and are told as weights.
    """
    eta, delta = level.eta, level.delta
    if weighted:
        return f"{when}, {clause} in {eta:,} of {delta:,}, by counts with the treebanks' weights."
    if not eta:
        return f"{when} it never happened that {clause} (met {times(delta)})."
    if delta == 1:
        count = "the one time this was met"
    elif eta == delta:
        count = "both times" if delta == 2 else f"all {delta:,} times"
    else:
        count = f"once out of {delta:,} times" if eta == 1 else f"{eta:,} times out of {delta:,}"
    return f"{when}, {clause} {count}."


def all_best(count: int) -> str:
    """The whole list of the best parses: ``both of the best parses``, ``all 10 best parses``."""
    return "both of the best parses" if count == 2 else f"all {count:,} best parses"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def capital(text: str) -> str:
    """The text with a capital letter at its beginning, unless it begins with a word of the sentence."""
    return text[:1].upper() + text[1:]
