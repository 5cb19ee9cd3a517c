"""Running the chart: passes of the threshold and of the beam, recorded edges (section 4.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.chart_layout import DONE_SEARCH, Chart, Grammar, SentenceArrays
from engine.chart.work_budget import MOST_ESTIMATES, WorkBudget
from engine.chart.working_memory import WorkingMemory
from engine.common.arrays import FloatArray, Int64Array
from engine.common.errors import Cancelled, ChartTooLarge
from engine.model.model import Model
from engine.settings import Settings

BEAM_REPAIR = 300.0
"""A sentence without a parse is tried once more with β so many times wider."""
EXPECTED_SHARE, EXPECTED_NATS, REMEMBERED = 0.8, 5.0, 32
"""A parse is expected to cost this share of what the last ones cost by the word, and so many nats besides; how many
sentences that is an average of."""
LISTED_WORDS, LISTED_NATS = 20, 8.0
"""A sentence of so many words has enough derivations to fill a list; so many nats below the best one are expected."""


class Control:
    """Lets another thread stop a search and see how far it is."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)
        self._totals: Int64Array | None = None
        self._cells = 1

    def cancel(self) -> None:
        """Stop the search at its next cell; it then raises :class:`Cancelled`."""
        self.flag[0] = 1

    @property
    def share(self) -> float:
        """Share of the chart's cells that the pass in hand has filled."""
        return float(self._totals[layout.T_PROGRESS]) / self._cells if self._totals is not None else 0.0

    def watch(self, totals: Int64Array, cells: int) -> None:
        """Called by the search: where its counters are."""
        self._totals, self._cells = totals, max(cells, 1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended: the last pass' threshold and beam, and the number of passes."""

    best: int
    score: float
    threshold: float
    beam: float
    passes: int


def limits_of(
    settings: Settings,
    threshold: float,
    beam: float,
    record: int,
    taggings: int = 1,
    keep_estimates: bool = False,
    most_work: int = 0,
    go_on: bool = False,
) -> layout.Limits:
    """What the search needs to know, for one pass that tells so many taggings of a baseNP apart."""
    slack = 0.0 if settings.literal_beam else settings.unary_slack
    rule = layout.EXTENDED_RULE if settings.extended_rule else layout.PAPERS_RULE
    if not settings.punctuation_rule:
        rule = layout.NO_RULE
    return layout.Limits(
        float(threshold),
        math.log(beam),
        float(slack),
        int(not settings.literal_beam),
        rule,
        record,
        taggings,
        int(keep_estimates),
        most_work,
        int(go_on),
    )


def reranks(model: Model, settings: Settings) -> bool:
    """Whether parses are re-ranked: the settings ask for it, and the model can."""
    return settings.rerank > 0 and model.reranker is not None


def first_beam(model: Model, settings: Settings) -> float:
    """β of a search's first pass."""
    return float(settings.list_beam if reranks(model, settings) else settings.beam)


def forget_unfilled(chart: Chart, size: int) -> None:
    """Empty the cells that a pass has not come to: what is in them is of an earlier one."""
    starts, lasts = np.triu_indices(size)
    lengths = lasts - starts + 1
    length, start = chart.totals[layout.T_LENGTH], chart.totals[layout.T_START]
    unfilled = (lengths > length) | ((lengths == length) & (starts >= start))
    chart.cells[(starts * size + lasts)[unfilled]] = 0


class Search:
    """A chart with its working memory, used again from sentence to sentence."""

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._memory = WorkingMemory(model)
        self._nats_a_word = 0.5
        self._quick_threshold = -math.inf
        self._estimated: tuple[Grammar, SentenceArrays] | None = None
        self.budget = WorkBudget()

    @property
    def chart(self) -> Chart:
        """The chart of the last pass."""
        return self._memory.chart

    def run(
        self,
        grammar: Grammar,
        arrays: SentenceArrays,
        record: int,
        control: Control | None,
        exhaustive: bool = False,
        taggings: int = 1,
        quickly: bool = False,
    ) -> Outcome:
        """Lower the threshold until a parse is found; then, if there is none at all, widen the beam.

        "If no parse is found, the threshold is lowered and parsing is attempted again."  An exhaustive run
        goes on to a search without any beam before it gives up.  One that goes `quickly` may end with a chart that
        holds the best parse, but of a list of derivations only the beginning (:meth:`holds_list`).
        """
        settings = self.settings
        if quickly and settings.threshold is None:
            found = self._run_quickly(grammar, arrays, record, control, taggings)
            if found is not None:
                return found
        self._quick_threshold = -math.inf
        threshold = settings.first_threshold
        beam = first_beam(self.model, settings)
        beams = [beam * BEAM_REPAIR] if not settings.literal_beam else []
        if exhaustive:
            beams.insert(0, math.inf)
        step = float(settings.threshold_step)
        passes = 0
        while True:
            passes += 1
            totals = self.fill(grammar, arrays, threshold, beam, record, control, taggings)
            best = int(totals[layout.T_BEST])
            score = float(self.chart.best_score[0])
            if best >= 0 and score >= threshold:
                break
            if totals[layout.T_UNDER_THRESHOLD]:
                # A parse under the threshold may hide a better one: go on until it is above.
                threshold -= step
                step *= 2
                if best >= 0:
                    threshold = min(threshold, score)
            elif best >= 0:
                break
            elif totals[layout.T_OUT_OF_BEAM] and beams and beam < self.budget.widest_beam:
                beam = beams.pop()
            else:
                break
        return Outcome(best, score, threshold, min(beam, self.budget.widest_beam), passes)

    def _run_quickly(
        self, grammar: Grammar, arrays: SentenceArrays, record: int, control: Control | None, taggings: int
    ) -> Outcome | None:
        """Look for the best parse above a threshold as high as the sentences so far let expect it to be.

        No factor is greater than 1, so no constituent of a parse above the threshold is under it: such a parse is the
        one that the first threshold would have led to, found with far fewer constituents.  ``None`` if there is none,
        unless to look for one is too much work.
        """
        first, beam = self.settings.first_threshold, first_beam(self.model, self.settings)
        words = len(arrays.commas)
        threshold = -(EXPECTED_SHARE * self._nats_a_word * words + EXPECTED_NATS)
        if record != layout.RECORD_NOTHING:
            threshold = threshold - LISTED_NATS if words >= LISTED_WORDS else first
        while threshold > first:
            totals = self.fill(grammar, arrays, threshold, beam, record, control, taggings)
            best, score = int(totals[layout.T_BEST]), float(self.chart.best_score[0])
            if self.budget.is_exhausted or (best >= 0 and self.budget.narrowed):
                return Outcome(best, score, first, self.budget.widest_beam, 1)
            if best >= 0 and score >= threshold:
                self._quick_threshold = threshold
                self._expect(score, words)
                return Outcome(best, score, first, beam, 1)
            # A parse under the threshold may hide a better one, but none that is worse.
            threshold = score if best >= 0 else 2.0 * threshold
        return None

    def _expect(self, score: float, words: int) -> None:
        self._nats_a_word += (-score / words - self._nats_a_word) / REMEMBERED

    def holds_list(self, log_probabilities: FloatArray, wanted: int) -> bool:
        """Whether the chart holds the first so many derivations, given those of them that were found in it."""
        threshold = self._quick_threshold
        if threshold == -math.inf or not self.chart.totals[layout.T_UNDER_THRESHOLD]:
            return True
        return len(log_probabilities) == wanted and float(log_probabilities[-1]) >= threshold

    def fill_for_list(
        self,
        grammar: Grammar,
        arrays: SentenceArrays,
        log_probabilities: FloatArray,
        wanted: int,
        control: Control | None,
        taggings: int,
    ) -> None:
        """Fill the chart once more where it does not hold the first so many derivations, so that it does."""
        # Where so many were found the missing ones are better than the worst of them.
        found = len(log_probabilities) == wanted
        self._quick_threshold = float(log_probabilities[-1]) if found else -math.inf
        threshold = max(self._quick_threshold, self.settings.first_threshold)
        beam = first_beam(self.model, self.settings)
        self.fill(grammar, arrays, threshold, beam, layout.RECORD_EDGES, control, taggings)

    def refill(
        self,
        grammar: Grammar,
        arrays: SentenceArrays,
        outcome: Outcome,
        threshold: float,
        control: Control | None,
        taggings: int,
    ) -> Outcome:
        """Fill the chart for a list once more, down to a lower threshold."""
        self.fill(grammar, arrays, threshold, outcome.beam, layout.RECORD_EDGES, control, taggings)
        return replace(self.refilled(outcome), threshold=threshold, passes=outcome.passes + 1)

    def refilled(self, outcome: Outcome) -> Outcome:
        """How a search has ended whose chart was filled once more: where that was too much work, with a narrower β.

        Where even the narrowest was too much there is no parse any more.
        """
        best, score = int(self.chart.totals[layout.T_BEST]), float(self.chart.best_score[0])
        return replace(outcome, best=best, score=score, beam=min(outcome.beam, self.budget.widest_beam))

    def fill(
        self,
        grammar: Grammar,
        arrays: SentenceArrays,
        threshold: float,
        beam: float,
        record: int,
        control: Control | None,
        taggings: int = 1,
        most_edges: int | None = None,
    ) -> Int64Array:
        """One pass; working memory grows as needed, that of edges up to a limit if one is given.

        A pass that is too much work is done again with a narrower β, and from then on without a threshold, which would
        have to be lowered again and again, unless it is a forest's: see :mod:`engine.chart.work_budget`.  Where even
        the last is too much work, the chart holds the spans that were filled until then, and no parse.
        """
        size = len(arrays.commas)
        if self._memory.make_room(size, len(arrays.readings), record != layout.RECORD_NOTHING):
            self._estimated = None
        # All edges are as many as the pass before has led to, and their number has a limit of its own.
        limited = record != layout.RECORD_ALL
        go_on = False
        while True:
            chart = self._memory.cancelled_by(control.flag if control is not None else None)
            if control is not None:
                control.watch(chart.totals, size * (size + 1) // 2)
            # Estimates of an earlier pass over the sentence still hold.
            known = self._estimated
            keep = known is not None and known[0] is grammar and known[1] is arrays
            beam = min(beam, self.budget.widest_beam)
            if self.budget.narrowed and not self.budget.is_forest:
                threshold = -math.inf
            most_work = self.budget.of_pass if limited else 0
            limits = limits_of(self.settings, threshold, beam, record, taggings, keep, most_work, go_on)
            self._estimated = grammar, arrays
            status = chart_kernel.search(grammar, arrays, limits, chart)
            if status == layout.ESTIMATES_FULL and len(chart.estimates) >= MOST_ESTIMATES:
                # With a narrower β fewer words meet.
                status, self._estimated = layout.TOO_COSTLY, None
            if status == layout.CANCELLED:
                raise Cancelled("parsing was cancelled")
            # Where the room for edges is full there is one more to come.
            full = status == layout.EDGES_FULL
            edges = len(chart.edges) + 1 if full else int(chart.totals[layout.T_EDGES])
            if most_edges is not None and edges > most_edges:
                raise ChartTooLarge(f"the chart holds over {most_edges:,} edges, too many to keep; choose a smaller β")
            if status == DONE_SEARCH:
                return chart.totals
            if status == layout.TOO_COSTLY and self.budget.is_last:
                self.budget.is_exhausted = True
                forget_unfilled(chart, size)
                return chart.totals
            go_on = status != layout.TOO_COSTLY
            if go_on:
                self._memory.grow(status)
                # What was is let go before more is written.
                del chart
            else:
                totals = chart.totals
                self.budget.narrow(beam, int(max(totals[layout.T_WORK], totals[layout.T_EXPECTED_WORK])))
