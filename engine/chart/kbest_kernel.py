"""The n best derivations of a chart, lazily (the algorithm of Huang and Chiang, 2005).

Each entry keeps the derivations already asked for, best first, and a pool of candidates for the next one:
an edge (a recorded way to build the entry) with the ranks of the derivations chosen for its two sides.
Because every tree has one derivation, different derivations are different trees.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import write_step
from engine.chart.chart_layout import (
    EDGE,
    LEFT_RANK,
    NEXT,
    PENDING,
    POOL_FULL,
    R_ENTRY,
    R_HEAD,
    R_HEAD_LABEL,
    R_KIND,
    R_LABEL,
    R_LEFT,
    R_RIGHT,
    READY,
    RF_SCORE,
    RIGHT_RANK,
    SCORE,
    Ranking,
)
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import GROW_RIGHT, UNARY


@kernel(allocates=False)
def builds(row: np.ndarray) -> bool:
    """Whether a record is a way to build an entry that the chart holds, from entries that it holds.

    What fell out of the beam is an entry nevertheless if a unary result stands on it; a unary step upon what is none
    leads nowhere, though a better one to the same parent may stand.
    """
    return row[R_ENTRY] >= 0 and (row[R_KIND] < UNARY or row[R_LEFT] >= 0)


@kernel
def group_edges(records: np.ndarray, used: int, starts: np.ndarray, edges: np.ndarray) -> int:
    """Sort the records by the entry they build; return how many there are."""
    starts[:] = 0
    for record in range(used):
        if builds(records[record]):
            starts[records[record, R_ENTRY] + 1] += 1
    for entry in range(starts.shape[0] - 1):
        starts[entry + 1] += starts[entry]
    at = starts.copy()
    for record in range(used):
        if builds(records[record]):
            entry = records[record, R_ENTRY]
            edges[at[entry]] = record
            at[entry] += 1
    return starts[starts.shape[0] - 1]


@kernel
def add_pending(ranking: Ranking, entry: int, record: int, left_rank: int, right_rank: int) -> bool:
    """Note a candidate whose score is not known yet; False if there is no room."""
    at = ranking.filled[0]
    if at >= ranking.pool.shape[0]:
        return False
    ranking.pool[at, EDGE] = record
    ranking.pool[at, LEFT_RANK] = left_rank
    ranking.pool[at, RIGHT_RANK] = right_rank
    ranking.pool[at, NEXT] = ranking.lists[entry, PENDING]
    ranking.lists[entry, PENDING] = at
    ranking.filled[0] = at + 1
    return True


@kernel
def missing_side(ranking: Ranking, records: np.ndarray, candidate: int) -> tuple[int, int]:
    """The entry and rank that must be found before a candidate can be scored; (−1, 0) if nothing is."""
    row = records[ranking.pool[candidate, EDGE]]
    limit = ranking.derivations.shape[1]
    if row[R_KIND] >= UNARY:
        rank = ranking.pool[candidate, LEFT_RANK]
        if rank < limit and ranking.found[row[R_LEFT]] <= rank and not ranking.exhausted[row[R_LEFT]]:
            return row[R_LEFT], rank
    if row[R_KIND] >= GROW_RIGHT:
        rank = ranking.pool[candidate, RIGHT_RANK]
        if rank < limit and ranking.found[row[R_RIGHT]] <= rank and not ranking.exhausted[row[R_RIGHT]]:
            return row[R_RIGHT], rank
    return -1, 0


@kernel
def candidate_score(
    ranking: Ranking, records: np.ndarray, factors: np.ndarray, scores: np.ndarray, candidate: int
) -> float:
    """Score of a candidate whose sides are known; −∞ if a side has no derivation of that rank."""
    record = ranking.pool[candidate, EDGE]
    row = records[record]
    score = factors[record, RF_SCORE]
    if row[R_KIND] >= UNARY:
        side = row[R_LEFT]
        rank = ranking.pool[candidate, LEFT_RANK]
        if ranking.found[side] <= rank:
            return -np.inf
        score += ranking.derivation_scores[side, rank] - scores[side, SCORE]
    if row[R_KIND] >= GROW_RIGHT:
        side = row[R_RIGHT]
        rank = ranking.pool[candidate, RIGHT_RANK]
        if ranking.found[side] <= rank:
            return -np.inf
        score += ranking.derivation_scores[side, rank] - scores[side, SCORE]
    return score


@kernel
def take_best(ranking: Ranking, entry: int) -> int:
    """Take the best candidate out of an entry's pool; ties go to the edge proposed first; −1 if it is empty."""
    best = -1
    before = -1
    previous = -1
    at = ranking.lists[entry, READY]
    while at >= 0:
        if best < 0:
            better = True
        elif ranking.pool_scores[at] == ranking.pool_scores[best]:
            better = ranking.pool[at, EDGE] < ranking.pool[best, EDGE]
        else:
            better = ranking.pool_scores[at] > ranking.pool_scores[best]
        if better:
            best = at
            before = previous
        previous = at
        at = ranking.pool[at, NEXT]
    if best >= 0:
        if before < 0:
            ranking.lists[entry, READY] = ranking.pool[best, NEXT]
        else:
            ranking.pool[before, NEXT] = ranking.pool[best, NEXT]
    return best


@kernel
def ensure(
    ranking: Ranking, records: np.ndarray, factors: np.ndarray, scores: np.ndarray, goal: int, goal_rank: int
) -> int:
    """Find derivations of an entry up to a rank: 1 if it exists, 0 if not, −1 if memory is full.

    A stack of questions takes the place of recursion: a question whose candidates need derivations
    not found yet waits until they are.
    """
    limit = ranking.derivations.shape[1]
    if goal_rank >= limit:
        return 0
    stack = ranking.stack
    stack[0, 0] = goal
    stack[0, 1] = goal_rank
    depth = 1
    while depth > 0:
        entry = stack[depth - 1, 0]
        if ranking.found[entry] > stack[depth - 1, 1] or ranking.exhausted[entry]:
            depth -= 1
            continue
        if ranking.found[entry] < 0:
            ranking.found[entry] = 0
            for place in range(ranking.edge_starts[entry], ranking.edge_starts[entry + 1]):
                if not add_pending(ranking, entry, ranking.edges[place], 0, 0):
                    return POOL_FULL
        waiting = False
        while ranking.lists[entry, PENDING] >= 0:
            candidate = ranking.lists[entry, PENDING]
            side, rank = missing_side(ranking, records, candidate)
            if side >= 0:
                if depth >= stack.shape[0]:
                    return POOL_FULL
                stack[depth, 0] = side
                stack[depth, 1] = rank
                depth += 1
                waiting = True
                break
            ranking.lists[entry, PENDING] = ranking.pool[candidate, NEXT]
            score = candidate_score(ranking, records, factors, scores, candidate)
            if score > -np.inf:
                ranking.pool_scores[candidate] = score
                ranking.pool[candidate, NEXT] = ranking.lists[entry, READY]
                ranking.lists[entry, READY] = candidate
        if waiting:
            continue
        best = take_best(ranking, entry)
        if best < 0:
            ranking.exhausted[entry] = 1
            continue
        number = ranking.found[entry]
        record = ranking.pool[best, EDGE]
        left_rank = ranking.pool[best, LEFT_RANK]
        right_rank = ranking.pool[best, RIGHT_RANK]
        ranking.derivations[entry, number, EDGE] = record
        ranking.derivations[entry, number, LEFT_RANK] = left_rank
        ranking.derivations[entry, number, RIGHT_RANK] = right_rank
        ranking.derivation_scores[entry, number] = ranking.pool_scores[best]
        ranking.found[entry] = number + 1
        if number + 1 == limit:
            ranking.exhausted[entry] = 1
        kind = records[record, R_KIND]
        if kind >= UNARY and not add_pending(ranking, entry, record, left_rank + 1, right_rank):
            return POOL_FULL
        # Moving right only from the first on the left reaches every pair of ranks once.
        if kind >= GROW_RIGHT and left_rank == 0 and not add_pending(ranking, entry, record, 0, right_rank + 1):
            return POOL_FULL
    return 1 if ranking.found[goal] > goal_rank else 0


@kernel
def ranked_derivation(
    ranking: Ranking,
    records: np.ndarray,
    items: np.ndarray,
    readings: np.ndarray,
    entry: int,
    rank: int,
    size: int,
    chosen: np.ndarray,
) -> np.ndarray:
    """One derivation in the order in which it is built, as ``chart_kernel.derivation`` gives the best."""
    room = 16 * size + 16
    rows = np.empty((room, 6), np.int32)
    stack = np.empty((room, 2), np.int32)
    stack[0, 0] = entry
    stack[0, 1] = rank
    depth = 1
    filled = room
    while depth > 0:
        depth -= 1
        ranked = ranking.derivations[stack[depth, 0], stack[depth, 1]]
        row = records[ranked[EDGE]]
        filled -= 1
        write_step(
            rows[filled], row[R_KIND], row[R_LABEL], row[R_HEAD_LABEL], row[R_HEAD], row[R_LEFT],
            items, readings, chosen,
        )  # fmt: skip
        if row[R_KIND] >= UNARY:
            stack[depth, 0] = row[R_LEFT]
            stack[depth, 1] = ranked[LEFT_RANK]
            depth += 1
        if row[R_KIND] >= GROW_RIGHT:
            stack[depth, 0] = row[R_RIGHT]
            stack[depth, 1] = ranked[RIGHT_RANK]
            depth += 1
    return rows[filled:]
