"""The k best derivations of a chart, lazily (the algorithm of Huang and Chiang, 2005).

Each chart item keeps the derivations already asked for, best first, and a pool of candidates for the next one:
an edge (a recorded way to build the item) with the ranks of the derivations chosen for its two sides.
Because every tree has one derivation, different derivations are different trees.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import write_step
from engine.chart.chart_layout import (
    E_HEAD,
    E_HEAD_LABEL,
    E_ITEM,
    E_KIND,
    E_LABEL,
    E_LEFT,
    E_RIGHT,
    EF_SCORE,
    SCORE,
    Step,
)
from engine.chart.kbest_layout import (
    EDGE,
    LEFT_RANK,
    NEXT,
    PENDING,
    POOL_FULL,
    READY,
    RIGHT_RANK,
    Hypergraph,
    Ranking,
)
from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.structure.structure_layout import GROW_RIGHT, UNARY


@kernel(allocates=False)
def builds(row: Int32Array) -> bool:
    """Whether an edge is a way to build an item that the chart holds, from items that it holds.

    What fell out of the beam is an item nevertheless if a unary result stands on it; a unary step upon what is none
    leads nowhere, though a better one to the same parent may stand.
    """
    return row[E_ITEM] >= 0 and (row[E_KIND] < UNARY or row[E_LEFT] >= 0)


@kernel
def group_edges(edges: Int32Array, used: int, starts: Int32Array, incoming: Int32Array) -> int:
    """Sort the edges by the item they build; return how many there are."""
    starts[:] = 0
    for edge in range(used):
        if builds(edges[edge]):
            starts[edges[edge, E_ITEM] + 1] += 1
    for item in range(starts.shape[0] - 1):
        starts[item + 1] += starts[item]
    at = starts.copy()
    for edge in range(used):
        if builds(edges[edge]):
            item = edges[edge, E_ITEM]
            incoming[at[item]] = edge
            at[item] += 1
    return starts[starts.shape[0] - 1]


@kernel
def add_pending(ranking: Ranking, item: int, edge: int, left_rank: int, right_rank: int) -> bool:
    """Note a candidate whose score is not known yet; False if there is no room."""
    at = ranking.filled[0]
    if at >= ranking.pool.shape[0]:
        return False
    ranking.pool[at, EDGE] = edge
    ranking.pool[at, LEFT_RANK] = left_rank
    ranking.pool[at, RIGHT_RANK] = right_rank
    ranking.pool[at, NEXT] = ranking.lists[item, PENDING]
    ranking.lists[item, PENDING] = at
    ranking.filled[0] = at + 1
    return True


@kernel
def missing_side(ranking: Ranking, edges: Int32Array, candidate: int) -> tuple[int, int]:
    """The item and rank that must be found before a candidate can be scored; (−1, 0) if nothing is."""
    row = edges[ranking.pool[candidate, EDGE]]
    limit = ranking.derivations.shape[1]
    if row[E_KIND] >= UNARY:
        rank = ranking.pool[candidate, LEFT_RANK]
        if rank < limit and ranking.found[row[E_LEFT]] <= rank and not ranking.exhausted[row[E_LEFT]]:
            return row[E_LEFT], rank
    if row[E_KIND] >= GROW_RIGHT:
        rank = ranking.pool[candidate, RIGHT_RANK]
        if rank < limit and ranking.found[row[E_RIGHT]] <= rank and not ranking.exhausted[row[E_RIGHT]]:
            return row[E_RIGHT], rank
    return -1, 0


@kernel
def candidate_score(ranking: Ranking, forest: Hypergraph, candidate: int) -> float:
    """Score of a candidate whose sides are known; −∞ if a side has no derivation of that rank."""
    edge = ranking.pool[candidate, EDGE]
    row = forest.edges[edge]
    score = forest.factors[edge, EF_SCORE]
    if row[E_KIND] >= UNARY:
        side = row[E_LEFT]
        rank = ranking.pool[candidate, LEFT_RANK]
        if ranking.found[side] <= rank:
            return -np.inf
        score += ranking.derivation_scores[side, rank] - forest.item_scores[side, SCORE]
    if row[E_KIND] >= GROW_RIGHT:
        side = row[E_RIGHT]
        rank = ranking.pool[candidate, RIGHT_RANK]
        if ranking.found[side] <= rank:
            return -np.inf
        score += ranking.derivation_scores[side, rank] - forest.item_scores[side, SCORE]
    return score


@kernel
def take_best(ranking: Ranking, item: int) -> int:
    """Take the best candidate out of an item's pool; ties go to the edge added first; −1 if it is empty."""
    best = -1
    before = -1
    previous = -1
    at = ranking.lists[item, READY]
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
            ranking.lists[item, READY] = ranking.pool[best, NEXT]
        else:
            ranking.pool[before, NEXT] = ranking.pool[best, NEXT]
    return best


@kernel
def ensure(ranking: Ranking, forest: Hypergraph, goal: int, goal_rank: int) -> int:
    """Find derivations of an item up to a rank: 1 if it exists, 0 if not, −1 if memory is full.

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
        item = stack[depth - 1, 0]
        if ranking.found[item] > stack[depth - 1, 1] or ranking.exhausted[item]:
            depth -= 1
            continue
        if ranking.found[item] < 0:
            ranking.found[item] = 0
            for place in range(ranking.incoming_starts[item], ranking.incoming_starts[item + 1]):
                if not add_pending(ranking, item, ranking.incoming[place], 0, 0):
                    return POOL_FULL
        waiting = False
        while ranking.lists[item, PENDING] >= 0:
            candidate = ranking.lists[item, PENDING]
            side, rank = missing_side(ranking, forest.edges, candidate)
            if side >= 0:
                if depth >= stack.shape[0]:
                    return POOL_FULL
                stack[depth, 0] = side
                stack[depth, 1] = rank
                depth += 1
                waiting = True
                break
            ranking.lists[item, PENDING] = ranking.pool[candidate, NEXT]
            score = candidate_score(ranking, forest, candidate)
            if score > -np.inf:
                ranking.pool_scores[candidate] = score
                ranking.pool[candidate, NEXT] = ranking.lists[item, READY]
                ranking.lists[item, READY] = candidate
        if waiting:
            continue
        best = take_best(ranking, item)
        if best < 0:
            ranking.exhausted[item] = 1
            continue
        number = ranking.found[item]
        edge = ranking.pool[best, EDGE]
        left_rank = ranking.pool[best, LEFT_RANK]
        right_rank = ranking.pool[best, RIGHT_RANK]
        ranking.derivations[item, number, EDGE] = edge
        ranking.derivations[item, number, LEFT_RANK] = left_rank
        ranking.derivations[item, number, RIGHT_RANK] = right_rank
        ranking.derivation_scores[item, number] = ranking.pool_scores[best]
        ranking.found[item] = number + 1
        if number + 1 == limit:
            ranking.exhausted[item] = 1
        kind = forest.edges[edge, E_KIND]
        if kind >= UNARY and not add_pending(ranking, item, edge, left_rank + 1, right_rank):
            return POOL_FULL
        # Moving right only from the first on the left reaches every pair of ranks once.
        if kind >= GROW_RIGHT and left_rank == 0 and not add_pending(ranking, item, edge, 0, right_rank + 1):
            return POOL_FULL
    return 1 if ranking.found[goal] > goal_rank else 0


@kernel
def ranked_derivation(
    ranking: Ranking,
    edges: Int32Array,
    prefixes: Int32Array,
    readings: Int32Array,
    item: int,
    rank: int,
    size: int,
    chosen: Int32Array,
) -> Int32Array:
    """One derivation in the order in which it is built, as ``chart_kernel.derivation`` gives the best."""
    room = 16 * size + 16
    rows = np.empty((room, 6), np.int32)
    stack = np.empty((room, 2), np.int32)
    stack[0, 0] = item
    stack[0, 1] = rank
    depth = 1
    filled = room
    while depth > 0:
        depth -= 1
        ranked = ranking.derivations[stack[depth, 0], stack[depth, 1]]
        row = edges[ranked[EDGE]]
        filled -= 1
        step = Step(row[E_KIND], row[E_LABEL], row[E_HEAD_LABEL], row[E_HEAD], row[E_LEFT])
        write_step(rows[filled], step, prefixes, readings, chosen)
        if row[E_KIND] >= UNARY:
            stack[depth, 0] = row[E_LEFT]
            stack[depth, 1] = ranked[LEFT_RANK]
            depth += 1
        if row[E_KIND] >= GROW_RIGHT:
            stack[depth, 0] = row[E_RIGHT]
            stack[depth, 1] = ranked[RIGHT_RANK]
            depth += 1
    return rows[filled:]
