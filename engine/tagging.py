"""Tags of a sentence as a distribution: P(t_i | S) of every token (section 2.7, model 4)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.sentence import TaggedSentence


@dataclass(frozen=True, slots=True)
class TagDistribution:
    """A sentence whose tags are not settled.

    Attributes
    ----------
    sentence
        The words with their most probable sequence of tags, given tags kept.
    choices
        For every token its possible tags with P(t | S), "given the previous two words are tagged as in the best
        overall sequence of tags", the most probable first.
    given
        Numbers of the tokens whose tag was given: it is their only choice, with probability 1.
    """

    sentence: TaggedSentence
    choices: tuple[tuple[tuple[str, float], ...], ...]
    given: frozenset[int] = frozenset()
