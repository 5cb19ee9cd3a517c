"""Repair of search errors: the smallest change of β, of the threshold or of the list that finds a tree the search lost.

Every change that is named was tried: with it the parser finds the tree, or one that scores at least as high.  Where
parses are chosen by expected F1 the list may hold such a tree and the vote go against it: then the choice by score is a
part of the change, or all of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.analysis.comparison.search_losses import TOLERANCE
from engine.analysis.comparison.tree_comparison import same_structure
from engine.chart.parse import Parse, Scored
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.text_tables import number
from engine.settings import MOST_RERANKED, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution

WIDEST_BEAM = 1e9
CLOSE_ENOUGH = math.log(1.01)
"""How close to the smallest β the search for it comes."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The smallest change of the search after which the parser finds the gold tree or one at least as good.

    Attributes
    ----------
    beam
        The smallest β, rounded up to three digits; ``None`` if it stays.
    rerank
        The shortest list to re-rank; ``None`` if it stays.
    threshold
        Where the threshold has to start; ``None`` if it stays.  Without a re-ranker it always does: what is better than
        the parse is above the threshold that the parse is above.
    score
        The score of what is then found.
    finds_gold
        Whether that is the gold tree itself.
    by_score
        Whether parses have to be chosen by score, and no longer by expected F1.
    """

    beam: float | None
    rerank: int | None
    threshold: float | None
    score: float
    finds_gold: bool
    by_score: bool = False

    def applied(self, settings: Settings) -> Settings:
        """Settings with the change."""
        return replace(settings, **self.changes())

    def changes(self) -> dict[str, Any]:
        """The settings that change."""
        named = {"beam": self.beam, "rerank": self.rerank, "threshold": self.threshold}
        changed: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        return {**changed, "expected_f1": False} if self.by_score else changed

    @property
    def text(self) -> str:
        """The change in words: ``β = 11,100 and a list of 45``."""
        parts = []
        if self.beam is not None:
            parts.append(f"β = {self.beam:,.10g}")
        if self.threshold is not None:
            parts.append(f"a threshold of {number(self.threshold, 0)}")
        if self.rerank is not None:
            parts.append(f"a list of {self.rerank}")
        if self.by_score:
            parts.append("the choice by score")
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


class BeamRepairSearch:
    """Tries other settings of the search on one sentence.

    Parameters
    ----------
    parser, sentence
        The parser, and what it parsed.
    gold
        The tree that it did not find (:meth:`engine.chart.parser.Parser.score`).
    control
        Stops the work from another thread.
    """

    def __init__(
        self,
        parser: Parser,
        sentence: TaggedSentence | TagDistribution,
        gold: Scored,
        control: Control | None = None,
    ) -> None:
        self._parser = parser
        self._settings = parser.settings
        self._sentence = sentence
        self._gold = gold
        self._control = control

    def choice_by_score(self) -> Repair | None:
        """The choice by score, if that alone finds the tree: the list has it, or a better one, and it lost the vote."""
        return self._tried(None, None, None)

    def smallest_beam(self, threshold: float | None = None, rerank: int | None = None) -> Repair | None:
        """The smallest β above the parser's own that finds the tree; ``None`` if no β up to 10⁹ does.

        Found within that β: not after a pass that found nothing.
        """

        def tried(beam: float) -> Repair | None:
            return self._tried(beam, threshold, rerank)

        low = high = float(self._settings.beam)
        repair = None
        while repair is None and high < WIDEST_BEAM:
            low, high = high, min(high * 10, WIDEST_BEAM)
            repair = tried(high)
        if repair is None:
            return None
        while math.log(high / low) > CLOSE_ENOUGH:
            middle = math.sqrt(low * high)
            better = tried(middle)
            if better is not None:
                repair, high = better, middle
            else:
                low = middle
        # Pruning is not quite monotonic: the rounded β is tried too before it is named.
        for digits in (3, 4, 5):
            if (better := tried(_rounded_up(high, digits))) is not None:
                return better
        return repair

    def shortest_list(self, beam: float | None = None, threshold: float | None = None) -> Repair | None:
        """The shortest list of parses to re-rank that finds the tree; ``None`` if the longest list is not enough."""

        def tried(length: int) -> Repair | None:
            return self._tried(beam, threshold, length)

        low, high = self._settings.rerank, MOST_RERANKED
        repair = tried(high)
        if repair is None:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            better = tried(middle)
            if better is not None:
                repair, high = better, middle
            else:
                low = middle
        return repair

    @property
    def within_reach(self) -> bool:
        """Whether the widest search finds the tree: without it no change of the search is to any avail."""
        rerank = MOST_RERANKED if self._parser.reranks else None
        return self._tried(max(WIDEST_BEAM, self._settings.beam), self._lower_threshold, rerank) is not None

    def smallest(self) -> Repair | None:
        """The smallest change that finds the tree: of β alone, else of the threshold, else of the list too."""
        if not self._parser.reranks:
            return self.smallest_beam()
        # Of a list of the best any may lie under a threshold that the best is above.
        return next((found for attempt in self._attempts() if (found := attempt()) is not None), None)

    def _attempts(self) -> Iterator[Callable[[], Repair | None]]:
        lower = self._lower_threshold
        yield self.smallest_beam
        if lower is not None:
            yield lambda: self._tried(None, lower, None)
            yield lambda: self.smallest_beam(lower)
        yield self._beam_and_list

    def _beam_and_list(self) -> Repair | None:
        lower = self._lower_threshold
        widened = self._tried(None, lower, MOST_RERANKED) or self.smallest_beam(lower, MOST_RERANKED)
        if widened is None:
            return None
        return self.shortest_list(widened.beam, lower) or widened

    @property
    def _lower_threshold(self) -> float | None:
        """A threshold under the tree, no constituent of which is less probable; ``None`` if the present one is."""
        lower = float(math.floor(self._gold.ledger.log_probability))
        return lower if self._parser.reranks and lower < self._settings.first_threshold else None

    def _tried(self, beam: float | None, threshold: float | None, rerank: int | None) -> Repair | None:
        asked = Repair(beam, rerank, threshold, -math.inf, False)
        found = self._parsed(asked)
        wanted = self._gold.log_probability - TOLERANCE
        # Where nothing is found the parser itself widens the beam, by far: that would not be the smallest.
        if found.fallback or found.narrowed or (beam is not None and found.widened):
            return None
        if found.score < wanted and found.votes is not None and found.votes.best_score >= wanted:
            asked = replace(asked, by_score=True)
            found = self._parsed(asked)
        if found.score < wanted:
            return None
        return replace(asked, score=found.score, finds_gold=self._is_gold(found))

    def _parsed(self, asked: Repair) -> Parse:
        changed = Parser(self._parser.model, asked.applied(self._settings))
        return changed.parse(self._sentence, control=self._control)

    def _is_gold(self, found: Parse) -> bool:
        tokens: Sequence[int] = found.sentence.positions
        return same_structure(found.roots, tokens, self._gold.root, self._gold.sentence.positions)


def _rounded_up(value: float, digits: int) -> float:
    scale = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return float(f"{math.ceil(value / scale) * scale:.{digits}g}")
