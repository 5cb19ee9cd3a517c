"""The choice by expected F1 in words: what each constituent got of the vote, and why the highest score did not win.

Every parse of the list votes for its constituents with its probability (:mod:`engine.rerank.lists`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.chart.parser import MOST_PARSES, Parser
from engine.chart.search import Control
from engine.common.numbers import number, percents_told_apart, share_text
from engine.rerank.lists import Votes
from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.constraints import Constraint
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import TagDistribution
from engine.trees.tree import LabelledSpan

TOLERANCE = 1e-9
"""Nats within which two scores are equal."""
LEAST_SHARE = 0.005
"""A constituent of others that got less of the vote is not worth naming."""
MOST_WORDS = 7
_ALL = 1 - 1e-9


class ConstituentVote(NamedTuple):
    """What a constituent got of the vote, and the strongest of those that cannot stand beside it.

    Attributes
    ----------
    bracket, share
        Label, first word, one past the last (punctuation is not counted); its share of the list's probability.
    rival, rival_share
        The constituent that crosses it and got most; ``None`` and 0 if none of the list does.
    """

    bracket: LabelledSpan
    share: float
    rival: LabelledSpan | None
    rival_share: float

    def text(self, words: Sequence[str]) -> str:
        """Return the vote as a sentence; `words` are those of the sentence without punctuation."""
        if self.share >= _ALL:
            return "Every parse of the list has this constituent."
        if self.share <= 0:
            told = "No parse of the list has this constituent"
        else:
            told = f"{share_text(self.share)} of the list's probability has this constituent"
        if self.rival is None or self.rival_share < LEAST_SHARE:
            return f"{told}; nothing that crosses it got any."
        rival = f"{bracket_text(self.rival, words)}, {share_text(self.rival_share)}"
        return f"{told}; the strongest rival that crosses it: {rival}."


def vote_on(votes: Votes, label: str, start: int, end: int) -> ConstituentVote:
    """Return what one constituent got of the vote."""
    rival = votes.strongest_crossing(start, end)
    rival_share = votes.by_bracket[rival] if rival is not None else 0.0
    return ConstituentVote((label, start, end), votes.share(label, start, end), rival, rival_share)


def voted_brackets(parse: Parse) -> Iterator[LabelledSpan]:
    """Yield the constituents of a parse for which one votes, from left to right, the longer first."""
    for root in parse.roots:
        yield from _brackets(root, False)


def _brackets(node: Constituent, core: bool) -> Iterator[LabelledSpan]:
    # Cores of phrases and conjuncts with their conjunction are not in the printed tree.
    if (node.children or node.is_base) and not node.label.endswith(JOINED) and not core:
        yield node.label, node.start, node.end
    for place, child in enumerate(node.children):
        yield from _brackets(child, place == node.head_child and node.head_label == CORE)


def votes_of(parse: Parse) -> tuple[ConstituentVote, ...]:
    """Return what every constituent of a parse got; nothing if it was not chosen by a vote."""
    votes = parse.votes
    if votes is None:
        return ()
    return tuple(vote_on(votes, *bracket) for bracket in dict.fromkeys(voted_brackets(parse)))


def strongest_others(parse: Parse, most: int) -> list[tuple[LabelledSpan, float]]:
    """Return the constituents that the parse has not and that got most of the vote."""
    votes = parse.votes
    if votes is None:
        return []
    own = {bracket for root in parse.roots for node in root.walk() for bracket in [(node.label, node.start, node.end)]}
    others = [(one, share) for one, share in votes.by_bracket.items() if one not in own and share >= LEAST_SHARE]
    return sorted(others, key=lambda one: (-one[1], one[0]))[:most]


def highest_scored(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution,
    parse: Parse,
    constraints: Sequence[Constraint] = (),
    control: Control | None = None,
) -> Parse | None:
    """Return the parse of the list that has a higher score than the one that was chosen; ``None`` if there is none.

    Parameters
    ----------
    parser, sentence, constraints
        What the parse was made with.
    parse
        The parse that was chosen.
    control
        Stops the work from another thread.
    """
    if not loses_by_score(parse):
        return None
    assert parse.votes is not None
    wanted = min(parse.votes.voters, MOST_PARSES)
    listed = parser.parse(sentence, n_best=wanted, constraints=constraints, control=control).alternatives
    best = max(listed, key=lambda one: one.score)
    # Two derivations may print one tree, of which the list has the one with the greater expected F1.
    return best if best.score > parse.score + TOLERANCE else None


def loses_by_score(parse: Parse) -> bool:
    """Return whether another parse of the list has a higher score than this one."""
    return parse.votes is not None and parse.score < parse.votes.best_score - TOLERANCE


@dataclass(frozen=True, slots=True)
class VotedChoice:
    """Why a parse was chosen though another of the list has a higher score.

    Attributes
    ----------
    chosen, highest
        The two parses.
    gained, given_up
        Constituents of the chosen one that the other lacks, and the other way round, with their shares of the vote.
    """

    chosen: Parse
    highest: Parse
    gained: tuple[tuple[LabelledSpan, float], ...]
    given_up: tuple[tuple[LabelledSpan, float], ...]

    @property
    def text(self) -> str:
        """The choice in sentences."""
        chosen, highest = self.chosen, self.highest
        words = chosen.sentence.proper_words
        own, other = percents_told_apart(chosen.expected_f1, highest.expected_f1)
        told = (
            f"Chosen by expected F1, {own}, not by score: another parse of the list scores "
            f"{number(highest.score - chosen.score)} higher, but its expected F1 is {other}."
        )
        gained, given_up = (_listed(brackets, words) for brackets in (self.gained, self.given_up))
        if gained and given_up:
            return f"{told}  This parse has {gained}; the other has {given_up}."
        if gained:
            return f"{told}  This parse has {gained} beside all that the other has."
        return f"{told}  The other has {given_up} beside all that this one has." if given_up else told


def voted_choice(chosen: Parse, highest: Parse) -> VotedChoice:
    """Hold the chosen parse against the one with the highest score."""
    votes = chosen.votes
    assert votes is not None
    own, others = set(voted_brackets(chosen)), set(voted_brackets(highest))

    def shares(brackets: set[LabelledSpan]) -> tuple[tuple[LabelledSpan, float], ...]:
        found = [(bracket, votes.share(*bracket)) for bracket in brackets]
        return tuple(sorted(found, key=lambda one: (-one[1], one[0][1], -one[0][2], one[0][0])))

    return VotedChoice(chosen, highest, shares(own - others), shares(others - own))


def _listed(brackets: Sequence[tuple[LabelledSpan, float]], words: Sequence[str], most: int = 3) -> str:
    shown = [f"{bracket_text(bracket, words)} ({share_text(share)})" for bracket, share in brackets[:most]]
    more = len(brackets) - len(shown)
    if more:
        shown.append(f"{more} more")
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else ""


def bracket_text(bracket: LabelledSpan, words: Sequence[str]) -> str:
    """Return a constituent in words: ``NP `the man```."""
    label, start, end = bracket
    inside = words[start:end]
    if len(inside) > MOST_WORDS:
        inside = [*inside[: MOST_WORDS - 3], "…", *inside[-2:]]
    return f"{label} `{' '.join(inside)}`"
