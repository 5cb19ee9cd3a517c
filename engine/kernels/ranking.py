"""The n best derivations of a chart, lazily (the algorithm of Huang and Chiang, 2005).

Each entry keeps the derivations already asked for, best first, and a pool of candidates for the next one:
an edge (a recorded way to build the entry) with the ranks of the derivations chosen for its two sides.
Because every tree has one derivation, different derivations are different trees.
"""

from __future__ import annotations

import numpy as np

from engine.jit import jit_for
from engine.kernels.layout import (
    DOMINATED,
    EDGE,
    GROW_RIGHT,
    KEPT,
    LEFT_RANK,
    NEXT,
    POOL_FULL,
    R_ENTRY,
    R_FATE,
    R_HEAD,
    R_HEAD_LABEL,
    R_KIND,
    R_LABEL,
    R_LEFT,
    R_RIGHT,
    RF_SCORE,
    RIGHT_RANK,
    SCORE,
    UNARY,
    Ranking,
)

jit = jit_for(__name__)


@jit
def group_edges(records: np.ndarray, used: int, starts: np.ndarray, edges: np.ndarray) -> int:
    """Sort the records by the entry they build; return how many there are."""
    starts[:] = 0
    for record in range(used):
        fate = records[record, R_FATE]
        entry = records[record, R_ENTRY]
        if (fate == KEPT or fate == DOMINATED) and entry >= 0:
            starts[entry + 1] += 1
    for entry in range(starts.shape[0] - 1):
        starts[entry + 1] += starts[entry]
    at = starts.copy()
    for record in range(used):
        fate = records[record, R_FATE]
        entry = records[record, R_ENTRY]
        if (fate == KEPT or fate == DOMINATED) and entry >= 0:
            edges[at[entry]] = record
            at[entry] += 1
    return starts[starts.shape[0] - 1]


@jit
def push(
    ranking: Ranking,
    records: np.ndarray,
    factors: np.ndarray,
    scores: np.ndarray,
    entry: int,
    record: int,
    left_rank: int,
    right_rank: int,
) -> bool:
    """Put a candidate into an entry's pool, if its sides have derivations of these ranks; False if full."""
    kind = records[record, R_KIND]
    score = factors[record, RF_SCORE]
    if kind >= UNARY:
        left = records[record, R_LEFT]
        status = ensure(ranking, records, factors, scores, left, left_rank)
        if status < 0:
            return False
        if status == 0:
            return True
        score += ranking.derivation_scores[left, left_rank] - scores[left, SCORE]
    if kind >= GROW_RIGHT:
        right = records[record, R_RIGHT]
        status = ensure(ranking, records, factors, scores, right, right_rank)
        if status < 0:
            return False
        if status == 0:
            return True
        score += ranking.derivation_scores[right, right_rank] - scores[right, SCORE]
    at = ranking.filled[0]
    if at >= ranking.pool.shape[0]:
        return False
    ranking.pool[at, EDGE] = record
    ranking.pool[at, LEFT_RANK] = left_rank
    ranking.pool[at, RIGHT_RANK] = right_rank
    ranking.pool[at, NEXT] = ranking.first[entry]
    ranking.pool_scores[at] = score
    ranking.first[entry] = at
    ranking.filled[0] = at + 1
    return True


@jit
def ensure(
    ranking: Ranking, records: np.ndarray, factors: np.ndarray, scores: np.ndarray, entry: int, rank: int
) -> int:
    """Find derivations of an entry up to a rank: 1 if it exists, 0 if not, −1 if memory is full."""
    limit = ranking.derivations.shape[1]
    if rank >= limit:
        return 0
    if ranking.found[entry] < 0:
        ranking.found[entry] = 0
        for place in range(ranking.edge_starts[entry], ranking.edge_starts[entry + 1]):
            if not push(ranking, records, factors, scores, entry, ranking.edges[place], 0, 0):
                return POOL_FULL
    while ranking.found[entry] <= rank:
        # The best candidate of the pool; ties go to the edge proposed first.
        best = -1
        before = -1
        previous = -1
        at = ranking.first[entry]
        while at >= 0:
            if (
                best < 0
                or ranking.pool_scores[at] > ranking.pool_scores[best]
                or (
                    ranking.pool_scores[at] == ranking.pool_scores[best]
                    and ranking.pool[at, EDGE] < ranking.pool[best, EDGE]
                )
            ):
                best = at
                before = previous
            previous = at
            at = ranking.pool[at, NEXT]
        if best < 0:
            return 0
        if before < 0:
            ranking.first[entry] = ranking.pool[best, NEXT]
        else:
            ranking.pool[before, NEXT] = ranking.pool[best, NEXT]
        number = ranking.found[entry]
        record = ranking.pool[best, EDGE]
        left_rank = ranking.pool[best, LEFT_RANK]
        right_rank = ranking.pool[best, RIGHT_RANK]
        ranking.derivations[entry, number, EDGE] = record
        ranking.derivations[entry, number, LEFT_RANK] = left_rank
        ranking.derivations[entry, number, RIGHT_RANK] = right_rank
        ranking.derivation_scores[entry, number] = ranking.pool_scores[best]
        ranking.found[entry] = number + 1
        kind = records[record, R_KIND]
        if kind >= UNARY and not push(ranking, records, factors, scores, entry, record, left_rank + 1, right_rank):
            return POOL_FULL
        # Moving right only from the first on the left reaches every pair of ranks once.
        if (
            kind >= GROW_RIGHT
            and left_rank == 0
            and not push(ranking, records, factors, scores, entry, record, left_rank, right_rank + 1)
        ):
            return POOL_FULL
    return 1


@jit
def ranked_derivation(ranking: Ranking, records: np.ndarray, entry: int, rank: int, size: int) -> np.ndarray:
    """One derivation in the order in which it is built, as :func:`engine.kernels.chart.derivation` gives the best."""
    room = 16 * size + 16
    rows = np.empty((room, 6), np.int32)
    stack = np.empty((room, 2), np.int32)
    stack[0, 0] = entry
    stack[0, 1] = rank
    depth = 1
    filled = room
    while depth > 0:
        depth -= 1
        chosen = ranking.derivations[stack[depth, 0], stack[depth, 1]]
        row = records[chosen[EDGE]]
        filled -= 1
        rows[filled, 0] = row[R_KIND]
        rows[filled, 1] = row[R_LABEL]
        rows[filled, 2] = row[R_HEAD_LABEL]
        rows[filled, 3] = row[R_HEAD]
        rows[filled, 4] = row[R_LEFT]
        rows[filled, 5] = row[R_RIGHT]
        if row[R_KIND] >= UNARY:
            stack[depth, 0] = row[R_LEFT]
            stack[depth, 1] = chosen[LEFT_RANK]
            depth += 1
        if row[R_KIND] >= GROW_RIGHT:
            stack[depth, 0] = row[R_RIGHT]
            stack[depth, 1] = chosen[RIGHT_RANK]
            depth += 1
    return rows[filled:]
