"""Proposing a constituent for a cell (section 3): the signature of dynamic programming, and the record of it all.

A proposal is compared with the candidate of the same signature in the cell; the better one stays.
"""

from __future__ import annotations

import numpy as np

from engine.chart.chart_layout import (
    CANDIDATES_FULL,
    CHAIN,
    DOMINATED,
    HEAD,
    HEAD_LABEL,
    KEPT,
    KIND,
    LABEL,
    LEFT,
    R_END,
    R_ENTRY,
    R_FATE,
    R_HEAD,
    R_HEAD_LABEL,
    R_KIND,
    R_LABEL,
    R_LEFT,
    R_RELATION,
    R_RIGHT,
    R_START,
    R_STATE,
    RECORD,
    RECORD_ALL,
    RECORD_NOTHING,
    RECORDS_FULL,
    RELATION,
    RF_DEPENDENCY,
    RF_GAP,
    RF_MARGIN,
    RF_SCORE,
    RF_TAG,
    RF_UNARY,
    RIGHT,
    SAME,
    STATE,
    T_PROPOSED,
    T_RECORDS,
    T_UNDER_THRESHOLD,
    UNDER_THRESHOLD,
    Limits,
)
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import GROW_RIGHT, NO_LABEL


@kernel(allocates=False)
def same_label(stacked: np.ndarray, label: int, head_label: int) -> int:
    """How ``label -> head_label ...`` is written as head-child of another `label`: X, X+ or X++."""
    once = stacked[label, 0]
    if head_label == label or head_label == stacked[label, 1]:
        return once
    if head_label == once and once != NO_LABEL:
        return stacked[label, 1]
    return label


@kernel(allocates=False)
def find_slot(
    candidates: np.ndarray,
    slots: np.ndarray,
    stamp: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
) -> tuple[int, int]:
    """The candidate of this cell with this signature and its place in the hash, or (−1, a free place)."""
    mixed = ((int(label) * 31 + int(head_label)) * 31 + int(head)) * 31 + int(state) + int(chain) * 961
    mask = slots.shape[0] - 1
    place = (mixed * 40503 + (mixed >> 7)) & mask
    while slots[place, 0] == stamp:
        slot = slots[place, 1]
        if (
            candidates[slot, LABEL] == label
            and candidates[slot, HEAD_LABEL] == head_label
            and candidates[slot, HEAD] == head
            and candidates[slot, STATE] == state
            and candidates[slot, CHAIN] == chain
        ):
            return slot, place
        place = (place + 1) & mask
    return -1, place


@kernel(allocates=False)
def write_record(
    records: np.ndarray,
    factors: np.ndarray,
    totals: np.ndarray,
    start: int,
    last: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
    score: float,
    gap: float,
    dependency: float,
    unary: float,
    tag: float,
    fate: int,
    margin: float,
) -> int:
    """Record one proposed constituent; return its number, or −1 if there is no room."""
    number = totals[T_RECORDS]
    if number >= records.shape[0]:
        return -1
    records[number, R_START] = start
    records[number, R_END] = last + 1
    records[number, R_LABEL] = label
    records[number, R_HEAD_LABEL] = head_label
    records[number, R_HEAD] = head
    records[number, R_STATE] = state
    records[number, R_LEFT] = left
    records[number, R_RIGHT] = right
    records[number, R_RELATION] = relation
    records[number, R_KIND] = kind
    records[number, R_ENTRY] = -1
    records[number, R_FATE] = fate
    factors[number, RF_SCORE] = score
    factors[number, RF_GAP] = gap
    factors[number, RF_DEPENDENCY] = dependency
    factors[number, RF_UNARY] = unary
    factors[number, RF_TAG] = tag
    factors[number, RF_MARGIN] = margin
    totals[T_RECORDS] = number + 1
    return number


@kernel(allocates=False, inlined=True)
def offer(
    stacked: np.ndarray,
    limits: Limits,
    candidates: np.ndarray,
    candidate_scores: np.ndarray,
    slots: np.ndarray,
    records: np.ndarray,
    factors: np.ndarray,
    totals: np.ndarray,
    stamp: int,
    filled: int,
    start: int,
    last: int,
    label: int,
    head_label: int,
    head: int,
    state: int,
    chain: int,
    left: int,
    right: int,
    relation: int,
    kind: int,
    score: float,
    gap: float,
    dependency: float,
    unary: float,
    tag: float,
    barred: int,
) -> int:
    """Propose a constituent for the cell in hand; return the number of candidates, or a negative status.

    "If two proposed constituents span the same set of words, have the same label, head, and distance from
    the head to the left and right end of the constituent, then the lower probability constituent can be
    safely discarded" (section 3).
    """
    totals[T_PROPOSED] += 1
    record = -1
    if score < limits.threshold:
        totals[T_UNDER_THRESHOLD] += 1
        if barred == KEPT:
            barred = UNDER_THRESHOLD
        if limits.record != RECORD_ALL:
            return filled
    if limits.record != RECORD_NOTHING:
        margin = limits.threshold - score if barred == UNDER_THRESHOLD else 0.0
        record = write_record(
            records, factors, totals, start, last, label, head_label, head, state, left, right, relation, kind,
            score, gap, dependency, unary, tag, barred, margin,
        )  # fmt: skip
        if record < 0:
            return -RECORDS_FULL
        if barred != KEPT:
            return filled
    slot, place = find_slot(candidates, slots, stamp, label, head_label, head, state, chain)
    if slot < 0:
        if filled >= candidates.shape[0]:
            return -CANDIDATES_FULL
        slot = filled
        filled += 1
        slots[place, 0] = stamp
        slots[place, 1] = slot
        candidates[slot, LABEL] = label
        candidates[slot, HEAD_LABEL] = head_label
        candidates[slot, HEAD] = head
        candidates[slot, STATE] = state
        candidates[slot, CHAIN] = chain
        candidates[slot, SAME] = same_label(stacked, label, head_label) if kind >= GROW_RIGHT else label
    else:
        best = candidate_scores[slot]
        if record >= 0:
            worse = record if score <= best else candidates[slot, RECORD]
            records[worse, R_FATE] = DOMINATED
            records[worse, R_ENTRY] = slot
            factors[worse, RF_MARGIN] = abs(best - score)
        if score <= best:
            return filled
    candidates[slot, LEFT] = left
    candidates[slot, RIGHT] = right
    candidates[slot, RELATION] = relation
    candidates[slot, KIND] = kind
    candidates[slot, RECORD] = record
    if record >= 0:
        records[record, R_ENTRY] = slot
    candidate_scores[slot] = score
    return filled
