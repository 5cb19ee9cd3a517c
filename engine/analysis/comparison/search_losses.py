"""Search errors: which constituent of a tree the chart lost, where, and by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.analysis.comparison.tree_comparison import quoted
from engine.chart.derivation_steps import BASE_STEP, UNARY_STEP, WORD_STEP, DerivationStep, derivation_steps
from engine.chart.parse import Parse, Scored
from engine.chart.trace import Edge, Trace

TOLERANCE = 1e-9
"""Nats within which two scores are equal."""
_KEPT, _DOMINATED, _OUT_OF_BEAM = "kept", "dominated", "out of beam"
NEVER_PROPOSED = "never proposed"


@dataclass(frozen=True, slots=True)
class Loss:
    """A constituent of a tree, finished or half built, that the chart did not keep.

    Attributes
    ----------
    start, end, label, head
        Its cell in the chart (words counted from 0 without punctuation), its label and head-word.
    step
        How it would have been built: one of :data:`engine.chart.derivation_steps.EDGE_KINDS`.
    pruning_reason
        One of :data:`engine.chart.trace.PRUNING_REASONS`, or ``never proposed``.
    margin
        By how many nats it was too improbable: so much wider log β had to be, all else being equal.
    score, best
        Its log probability, and that of the best constituent in the cell.
    edge
        Its number in the traced chart; −1 if there was no edge for it.
    text
        The same in words.
    """

    start: int
    end: int
    label: str
    head: int
    step: str
    pruning_reason: str
    margin: float
    score: float
    best: float
    edge: int
    text: str


def losses(parse: Parse, gold: Scored) -> tuple[Loss, ...]:
    """What of a tree's derivation was pruned from the chart, from the bottom up.

    A constituent that another of the same signature dominates is not lost: the other stands for it, with a higher
    score (section 3).  So what is listed is what the beam (section 4.1) has taken from the tree and from all better
    trees of the same shape.  A re-ranker though may want the tree itself: for its list a constituent that is dominated
    must be within the beam by its own score.

    Parameters
    ----------
    parse
        A traced parse (``trace=True``) of the sentence.
    gold
        The tree, possible under the model (:meth:`engine.chart.parser.Parser.score`).
    """
    if parse.chart is None:
        raise ValueError("only a traced parse tells what was lost")
    slack = 0.0 if parse.settings.literal_beam else parse.settings.unary_slack
    listed = parse.settings.rerank > 0 and parse.model.reranker is not None
    return tuple(_Follower(parse.chart, gold, slack, listed).losses())


class _Follower:
    """Follows a tree's derivation through a traced chart."""

    def __init__(self, trace: Trace, gold: Scored, unary_slack: float, listed: bool) -> None:
        self._trace = trace
        self._slack = unary_slack
        self._listed = listed
        self._words = gold.sentence.proper_words
        self._tags = gold.sentence.proper_tags
        self._steps = list(derivation_steps(gold.root))
        # What stands for each step in the chart, if there is an edge for it.
        self._found: list[Edge | None] = []

    def losses(self) -> Iterator[Loss]:
        climbs = {step.left for step in self._steps if step.kind == UNARY_STEP}
        lost: set[int] = set()
        spared: list[int] = []
        for number, step in enumerate(self._steps):
            if step.left in lost or step.right in lost:
                lost.add(number)
                self._found.append(None)
                continue
            edge = self._edge(step)
            self._found.append(edge)
            if edge is not None and self._usable(edge):
                continue
            if number in climbs:
                # Whether it was pruned or not, a unary result upon it may stand.
                spared.append(number)
                continue
            lost.add(number)
            yield self._loss(step, edge)
        if not lost:
            # The record of a chart lets unary parents climb on what the search itself passes over.
            yield from (self._loss(self._steps[number], self._found[number]) for number in spared)

    def _edge(self, step: DerivationStep) -> Edge | None:
        """The edge of a step, or a better one of the same signature."""
        number = self._trace.find_edge(step, self._tags, self._item(step.left), self._item(step.right))
        return self._trace.edge(number) if number >= 0 else None

    def _item(self, number: int) -> int:
        edge = self._found[number] if number >= 0 else None
        return edge.item if edge is not None else -1

    def _usable(self, edge: Edge) -> bool:
        if edge.item < 0 or edge.pruning_reason not in (_KEPT, _DOMINATED) or self._falls_behind(edge):
            return False
        return any(item.number == edge.item for item in self._trace.cell(edge.start, edge.end).items)

    def _falls_behind(self, edge: Edge) -> bool:
        """Whether a list of derivations lacks this one, though what dominates it stands: it is itself out of the beam.

        Words and baseNPs are all there before the beam is known.
        """
        if not self._listed or edge.pruning_reason != _DOMINATED or edge.kind in (WORD_STEP, BASE_STEP):
            return False
        return self._beyond(edge.start, edge.end, edge.kind, edge.score) > 0

    def _beyond(self, start: int, end: int, kind: str, score: float) -> float:
        """By how many nats a score lies under the beam of its cell."""
        items = self._trace.cell(start, end).items
        slack = self._slack if kind == UNARY_STEP else 0.0
        return items[0].score - math.log(self._trace.beam) - slack - score if items else math.nan

    def _loss(self, step: DerivationStep, edge: Edge | None) -> Loss:
        start, end = step.start, step.end
        items = self._trace.cell(start, end).items
        best = items[0].score if items else math.nan
        what = f"{step.label} over {quoted(self._words[start:end])} (cell {start}–{end})"
        if edge is None:
            text = f"{what} has no edge in the chart: a part that it begins with was pruned"
            return Loss(
                start, end, step.label, step.head, step.kind, NEVER_PROPOSED, math.nan, math.nan, best, -1, text
            )  # fmt: skip
        reason, margin, score = edge.pruning_reason, edge.margin, edge.score
        if reason == _DOMINATED:
            # What dominated it was pruned itself, or stands for it in vain.
            score += 0.0 if self._falls_behind(edge) else margin
            reason, margin = _OUT_OF_BEAM, self._beyond(start, end, step.kind, score)
        elif reason == _OUT_OF_BEAM and step.kind == UNARY_STEP:
            margin -= self._slack
        rule = {_OUT_OF_BEAM: f"out of the beam (β = {self._trace.beam:g})"}.get(reason, reason)
        text = f"{what} was pruned: {rule}, by {margin:.2f} nats"
        return Loss(
            start, end, step.label, step.head, step.kind, reason, margin, score, best, edge.number, text
        )  # fmt: skip
