"""Adding an edge to a cell (section 3): the signature of dynamic programming, and the record of every edge.

The constituent that an edge builds is compared with the candidate of the same signature in the cell; the better one
stays.
"""

from __future__ import annotations

from engine.chart.chart_layout import (
    CANDIDATES_FULL,
    CHAIN,
    DOMINATED,
    E_END,
    E_HEAD,
    E_HEAD_LABEL,
    E_ITEM,
    E_KIND,
    E_LABEL,
    E_LEFT,
    E_REASON,
    E_RELATION,
    E_RIGHT,
    E_START,
    E_STATE,
    EDGE_NUMBER,
    EDGES_FULL,
    EF_DEPENDENCY,
    EF_GAP,
    EF_MARGIN,
    EF_SCORE,
    EF_TAG,
    EF_UNARY,
    HEAD,
    HEAD_LABEL,
    KEPT,
    KIND,
    LABEL,
    LEFT,
    RECORD_ALL,
    RECORD_NOTHING,
    RELATION,
    RIGHT,
    SAME,
    STATE,
    T_EDGES,
    T_UNDER_THRESHOLD,
    UNDER_THRESHOLD,
    Chart,
    CurrentCell,
    Edge,
    EdgeFactors,
    Grammar,
    Limits,
)
from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import GROW_RIGHT, NO_LABEL


@kernel(allocates=False, inlined=True)
def new_edge(
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
) -> Edge:
    """Make an edge; called as a kernel its numbers are all of one width, and what takes edges is compiled once."""
    return Edge(label, head_label, head, state, chain, left, right, relation, kind)


@kernel(allocates=False)
def same_label(stacked: Int32Array, label: int, head_label: int) -> int:
    """How ``label -> head_label ...`` is written as head-child of another `label`: X, X+ or X++."""
    once = stacked[label, 0]
    if head_label == label or head_label == stacked[label, 1]:
        return once
    if head_label == once and once != NO_LABEL:
        return stacked[label, 1]
    return label


@kernel(allocates=False, inlined=True)
def find_slot(candidates: Int32Array, slots: Int32Array, number: int, edge: Edge) -> tuple[int, int]:
    """The candidate of this cell with the edge's signature and its place in the hash, or (−1, a free place)."""
    mixed = ((int(edge.label) * 31 + int(edge.head_label)) * 31 + int(edge.head)) * 31
    mixed += int(edge.state) + int(edge.chain) * 961
    mask = slots.shape[0] - 1
    place = (mixed * 40503 + (mixed >> 7)) & mask
    while slots[place, 0] == number:
        slot = slots[place, 1]
        if (
            candidates[slot, LABEL] == edge.label
            and candidates[slot, HEAD_LABEL] == edge.head_label
            and candidates[slot, HEAD] == edge.head
            and candidates[slot, STATE] == edge.state
            and candidates[slot, CHAIN] == edge.chain
        ):
            return slot, place
        place = (place + 1) & mask
    return -1, place


@kernel(allocates=False)
def record_edge(chart: Chart, cell: CurrentCell, edge: Edge, factors: EdgeFactors, reason: int, margin: float) -> int:
    """Record an edge and why it was pruned; return its number, or −1 if there is no room."""
    number = chart.totals[T_EDGES]
    if number >= chart.edges.shape[0]:
        return -1
    row = chart.edges[number]
    row[E_START] = cell.start
    row[E_END] = cell.last + 1
    row[E_LABEL] = edge.label
    row[E_HEAD_LABEL] = edge.head_label
    row[E_HEAD] = edge.head
    row[E_STATE] = edge.state
    row[E_LEFT] = edge.left
    row[E_RIGHT] = edge.right
    row[E_RELATION] = edge.relation
    row[E_KIND] = edge.kind
    row[E_ITEM] = -1
    row[E_REASON] = reason
    written = chart.edge_factors[number]
    written[EF_SCORE] = factors.score
    written[EF_GAP] = factors.gap
    written[EF_DEPENDENCY] = factors.dependency
    written[EF_UNARY] = factors.unary
    written[EF_TAG] = factors.tag
    written[EF_MARGIN] = margin
    chart.totals[T_EDGES] = number + 1
    return number


@kernel(allocates=False, inlined=True)
def add_edge(
    grammar: Grammar,
    limits: Limits,
    chart: Chart,
    cell: CurrentCell,
    filled: int,
    edge: Edge,
    factors: EdgeFactors,
    reason: int,
) -> int:
    """Add an edge to the cell; return the number of candidates, or a negative status.

    "If two proposed constituents span the same set of words, have the same label, head, and distance from
    the head to the left and right end of the constituent, then the lower probability constituent can be
    safely discarded" (section 3).

    Parameters
    ----------
    filled
        The number of candidates so far.
    reason
        Why the edge is pruned already and only to be recorded; KEPT if it is not.
    """
    candidates = chart.candidates
    score = factors.score
    number = -1
    if score < limits.threshold:
        chart.totals[T_UNDER_THRESHOLD] += 1
        if reason == KEPT:
            reason = UNDER_THRESHOLD
        if limits.record != RECORD_ALL:
            return filled
    if limits.record != RECORD_NOTHING:
        margin = limits.threshold - score if reason == UNDER_THRESHOLD else 0.0
        number = record_edge(chart, cell, edge, factors, reason, margin)
        if number < 0:
            return -EDGES_FULL
        if reason != KEPT:
            return filled
    slot, place = find_slot(candidates, chart.slots, cell.number, edge)
    if slot < 0:
        if filled >= candidates.shape[0]:
            return -CANDIDATES_FULL
        slot = filled
        filled += 1
        chart.slots[place, 0] = cell.number
        chart.slots[place, 1] = slot
        candidates[slot, LABEL] = edge.label
        candidates[slot, HEAD_LABEL] = edge.head_label
        candidates[slot, HEAD] = edge.head
        candidates[slot, STATE] = edge.state
        candidates[slot, CHAIN] = edge.chain
        is_join = edge.kind >= GROW_RIGHT
        candidates[slot, SAME] = same_label(grammar.stacked, edge.label, edge.head_label) if is_join else edge.label
    else:
        best = chart.candidate_scores[slot]
        if number >= 0:
            worse = number if score <= best else candidates[slot, EDGE_NUMBER]
            chart.edges[worse, E_REASON] = DOMINATED
            chart.edges[worse, E_ITEM] = slot
            chart.edge_factors[worse, EF_MARGIN] = abs(best - score)
        if score <= best:
            return filled
    candidates[slot, LEFT] = edge.left
    candidates[slot, RIGHT] = edge.right
    candidates[slot, RELATION] = edge.relation
    candidates[slot, KIND] = edge.kind
    candidates[slot, EDGE_NUMBER] = number
    if number >= 0:
        chart.edges[number, E_ITEM] = slot
    chart.candidate_scores[slot] = score
    return filled
