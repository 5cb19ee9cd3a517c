"""The k best derivations of a chart, lazily (the algorithm of Huang and Chiang, 2005).

The best derivation of a chart item is the one that the chart found.  An item of which more are asked for keeps those
already asked for, best first, and a pool of candidates for the next one: an edge (a recorded way to build the item)
with the ranks of the derivations chosen for its two sides.
Because every tree has one derivation, different derivations are different trees.
"""

from __future__ import annotations

import numpy as np

from engine.chart.basenp_kernel import write_step
from engine.chart.chart_kernel import root_log
from engine.chart.chart_layout import ALL_LISTED as FINISHED
from engine.chart.chart_layout import (
    BLOCKS_FULL,
    DONE,
    E_HEAD,
    E_HEAD_LABEL,
    E_ITEM,
    E_KIND,
    E_LABEL,
    E_LEFT,
    E_RIGHT,
    EDGE,
    EDGE_NUMBER,
    EF_SCORE,
    LEFT_RANK,
    NEXT,
    NOT_KNOWN,
    PENDING,
    POOL_FULL,
    R_BLOCKS,
    R_LIMIT,
    R_LISTED,
    R_POOL,
    R_STEPS,
    READY,
    RIGHT_RANK,
    SCORE,
    STEPS_FULL,
    T_EDGES,
    T_ITEMS,
    DerivationList,
    Grammar,
    Hypergraph,
    Ranking,
    SentenceArrays,
    Step,
)
from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.structure.sentence_layout import GROW_RIGHT, UNARY


@kernel(allocates=False)
def builds(row: Int32Array) -> bool:
    """Whether an edge is a way to build an item that the chart holds, from items that it holds.

    What fell out of the beam is an item nevertheless if a unary result stands on it; a unary step upon what is none
    leads nowhere, though a better one to the same parent may stand.
    """
    return row[E_ITEM] >= 0 and (row[E_KIND] < UNARY or row[E_LEFT] >= 0)


@kernel(allocates=False)
def group_edges(edges: Int32Array, used: int, items: int, first_edges: Int32Array, next_edges: Int32Array) -> None:
    """List the edges by the item that they build, each list in the order in which they were recorded."""
    first_edges[:items] = -1
    for edge in range(used - 1, -1, -1):
        if builds(edges[edge]):
            item = edges[edge, E_ITEM]
            next_edges[edge] = first_edges[item]
            first_edges[item] = edge


@kernel(allocates=False)
def start_ranking(grammar: Grammar, sentence: SentenceArrays, chart: Hypergraph, ranking: Ranking, steps: int) -> None:
    """Forget the chart before, and take up this one; there is room for so many steps."""
    items = chart.totals[T_ITEMS]
    group_edges(chart.edges, chart.totals[T_EDGES], items, ranking.first_edges, ranking.next_edges)
    ranking.blocks[:items] = -1
    ranking.found[:items] = 1
    ranking.exhausted[:items] = 0
    cell = chart.cells[sentence.commas.shape[0] - 1]
    for top in range(cell[1]):
        item = cell[0] + top
        score = chart.item_scores[item, DONE] + root_log(grammar, sentence, chart.items[item])
        ranking.root_scores[top] = score
        ranking.top_scores[top] = score
        ranking.top_ranks[top] = 0
    ranking.numbers[R_POOL] = 0
    ranking.numbers[R_BLOCKS] = 0
    ranking.numbers[R_LISTED] = 0
    ranking.numbers[R_STEPS] = steps


@kernel(allocates=False)
def add_candidate(ranking: Ranking, item: int, which: int, edge: int, left_rank: int, right_rank: int) -> int:
    """Put a candidate into one of an item's lists; return its number, or −1 if there is no room."""
    at = ranking.numbers[R_POOL]
    if at >= ranking.pool.shape[0]:
        return -1
    ranking.pool[at, EDGE] = edge
    ranking.pool[at, LEFT_RANK] = left_rank
    ranking.pool[at, RIGHT_RANK] = right_rank
    ranking.pool[at, NEXT] = ranking.lists[item, which]
    ranking.lists[item, which] = at
    ranking.numbers[R_POOL] = at + 1
    return at


@kernel(allocates=False)
def add_found(
    ranking: Ranking, chart: Hypergraph, item: int, edge: int, left_rank: int, right_rank: int, score: float
) -> bool:
    """Make this the item's next derivation, and note those that may come after it; False if there is no room."""
    limit = ranking.numbers[R_LIMIT]
    number = ranking.found[item]
    place = ranking.blocks[item] * limit + number
    ranking.derivations[place, EDGE] = edge
    ranking.derivations[place, LEFT_RANK] = left_rank
    ranking.derivations[place, RIGHT_RANK] = right_rank
    ranking.derivation_scores[place] = score
    ranking.found[item] = number + 1
    if number + 1 == limit:
        ranking.exhausted[item] = 1
        return True
    kind = chart.edges[edge, E_KIND]
    if kind >= UNARY and add_candidate(ranking, item, PENDING, edge, left_rank + 1, right_rank) < 0:
        return False
    # Moving right only from the first on the left reaches every pair of ranks once.
    if kind < GROW_RIGHT or left_rank > 0:
        return True
    return add_candidate(ranking, item, PENDING, edge, 0, right_rank + 1) >= 0


@kernel(allocates=False)
def open_block(ranking: Ranking, chart: Hypergraph, item: int) -> int:
    """Give an item a block that begins with its best derivation, and all its other edges as candidates.

    The score of an edge is that of the best derivation that ends with it.  A negative status if there is no room.
    """
    block = ranking.numbers[R_BLOCKS]
    if (block + 1) * ranking.numbers[R_LIMIT] > ranking.derivations.shape[0]:
        return BLOCKS_FULL
    ranking.numbers[R_BLOCKS] = block + 1
    ranking.blocks[item] = block
    ranking.found[item] = 0
    ranking.lists[item, READY] = -1
    ranking.lists[item, PENDING] = -1
    best = chart.items[item, EDGE_NUMBER]
    if not add_found(ranking, chart, item, best, 0, 0, chart.edge_factors[best, EF_SCORE]):
        return POOL_FULL
    edge = ranking.first_edges[item]
    while edge >= 0:
        if edge != best:
            candidate = add_candidate(ranking, item, READY, edge, 0, 0)
            if candidate < 0:
                return POOL_FULL
            ranking.pool_scores[candidate] = chart.edge_factors[edge, EF_SCORE]
        edge = ranking.next_edges[edge]
    return FINISHED


@kernel(allocates=False)
def missing_side(ranking: Ranking, edges: Int32Array, candidate: int) -> tuple[int, int]:
    """The item and rank that must be found before a candidate can be scored; (−1, 0) if nothing is."""
    row = edges[ranking.pool[candidate, EDGE]]
    if row[E_KIND] >= UNARY:
        rank = ranking.pool[candidate, LEFT_RANK]
        if ranking.found[row[E_LEFT]] <= rank and not ranking.exhausted[row[E_LEFT]]:
            return row[E_LEFT], rank
    if row[E_KIND] >= GROW_RIGHT:
        rank = ranking.pool[candidate, RIGHT_RANK]
        if ranking.found[row[E_RIGHT]] <= rank and not ranking.exhausted[row[E_RIGHT]]:
            return row[E_RIGHT], rank
    return -1, 0


@kernel(allocates=False)
def score_change(ranking: Ranking, chart: Hypergraph, item: int, rank: int) -> float:
    """By how much an item's derivation of this rank is more probable than its best (not at all); −∞ if it has none."""
    if rank == 0:
        return 0.0
    if ranking.found[item] <= rank:
        return -np.inf
    return (
        ranking.derivation_scores[ranking.blocks[item] * ranking.numbers[R_LIMIT] + rank]
        - chart.item_scores[item, SCORE]
    )


@kernel(allocates=False)
def candidate_score(ranking: Ranking, chart: Hypergraph, candidate: int) -> float:
    """Score of a candidate whose sides are known; −∞ if a side has no derivation of that rank."""
    edge = ranking.pool[candidate, EDGE]
    row = chart.edges[edge]
    score = chart.edge_factors[edge, EF_SCORE]
    if row[E_KIND] >= UNARY:
        score += score_change(ranking, chart, row[E_LEFT], ranking.pool[candidate, LEFT_RANK])
    if row[E_KIND] >= GROW_RIGHT:
        score += score_change(ranking, chart, row[E_RIGHT], ranking.pool[candidate, RIGHT_RANK])
    return score


@kernel(allocates=False)
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


@kernel(allocates=False)
def find_derivation(ranking: Ranking, chart: Hypergraph, goal: int, goal_rank: int) -> int:
    """Find the derivations of an item up to a rank, if it has so many; a negative status if there is no room.

    A stack of questions takes the place of recursion: a question whose candidates need derivations
    not found yet waits until they are.
    """
    if goal_rank >= ranking.numbers[R_LIMIT]:
        return FINISHED
    stack = ranking.stack
    stack[0, 0] = goal
    stack[0, 1] = goal_rank
    depth = 1
    while depth > 0:
        item = stack[depth - 1, 0]
        if ranking.found[item] > stack[depth - 1, 1] or ranking.exhausted[item]:
            depth -= 1
            continue
        if ranking.blocks[item] < 0:
            status = open_block(ranking, chart, item)
            if status < 0:
                return status
            continue
        waiting = False
        while ranking.lists[item, PENDING] >= 0:
            candidate = ranking.lists[item, PENDING]
            side, rank = missing_side(ranking, chart.edges, candidate)
            if side >= 0:
                if depth >= stack.shape[0]:
                    return STEPS_FULL
                stack[depth, 0] = side
                stack[depth, 1] = rank
                depth += 1
                waiting = True
                break
            ranking.lists[item, PENDING] = ranking.pool[candidate, NEXT]
            score = candidate_score(ranking, chart, candidate)
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
        ranked = ranking.pool[best]
        score = ranking.pool_scores[best]
        if not add_found(ranking, chart, item, ranked[EDGE], ranked[LEFT_RANK], ranked[RIGHT_RANK], score):
            return POOL_FULL
    return FINISHED


@kernel(allocates=False)
def write_derivation(
    ranking: Ranking, chart: Hypergraph, readings: Int32Array, found: DerivationList, number: int, item: int, rank: int
) -> int:
    """Write the steps of a derivation in the order in which it is built, before those already written."""
    stack = ranking.stack
    chosen = found.chosen[number]
    filled = ranking.numbers[R_STEPS]
    found.ranges[number, 1] = filled
    stack[0, 0] = item
    stack[0, 1] = rank
    depth = 1
    # Head first, then right, then left, written from the back: the reverse is a post-order.
    while depth > 0:
        if filled == 0 or depth + 1 >= stack.shape[0]:
            return STEPS_FULL
        depth -= 1
        item = stack[depth, 0]
        rank = stack[depth, 1]
        edge = chart.items[item, EDGE_NUMBER]
        left_rank = 0
        right_rank = 0
        part = item
        if rank > 0:
            place = ranking.blocks[item] * ranking.numbers[R_LIMIT] + rank
            edge = ranking.derivations[place, EDGE]
            left_rank = ranking.derivations[place, LEFT_RANK]
            right_rank = ranking.derivations[place, RIGHT_RANK]
            part = ranking.first_edges.shape[0] + place
        row = chart.edges[edge]
        filled -= 1
        step = Step(row[E_KIND], row[E_LABEL], row[E_HEAD_LABEL], row[E_HEAD], row[E_LEFT])
        write_step(found.steps[filled], step, chart.prefixes, readings, chosen)
        found.parts[filled] = part
        if row[E_KIND] >= UNARY:
            stack[depth, 0] = row[E_LEFT]
            stack[depth, 1] = left_rank
            depth += 1
        if row[E_KIND] >= GROW_RIGHT:
            stack[depth, 0] = row[E_RIGHT]
            stack[depth, 1] = right_rank
            depth += 1
    found.ranges[number, 0] = filled
    ranking.numbers[R_STEPS] = filled
    return FINISHED


@kernel(allocates=False)
def list_derivations(
    grammar: Grammar, sentence: SentenceArrays, chart: Hypergraph, ranking: Ranking, found: DerivationList, wanted: int
) -> int:
    """Go on with the list of the best derivations until there are so many, or no more; a negative status if full.

    The items over the whole sentence stand side by side, each with the rank of its next derivation.
    """
    if ranking.numbers[R_LISTED] < 0:
        start_ranking(grammar, sentence, chart, ranking, found.steps.shape[0])
    cell = chart.cells[sentence.commas.shape[0] - 1]
    number = ranking.numbers[R_LISTED]
    while number < wanted:
        best = -1
        for top in range(cell[1]):
            item = cell[0] + top
            rank = ranking.top_ranks[top]
            if ranking.top_scores[top] == NOT_KNOWN:
                status = find_derivation(ranking, chart, item, rank)
                if status < 0:
                    return status
                ranking.top_scores[top] = ranking.root_scores[top] + score_change(ranking, chart, item, rank)
            score = ranking.top_scores[top]
            if score > -np.inf and (best < 0 or score > ranking.top_scores[best]):
                best = top
        if best < 0:
            break
        rank = ranking.top_ranks[best]
        status = write_derivation(ranking, chart, sentence.readings, found, number, cell[0] + best, rank)
        if status < 0:
            return status
        found.scores[number] = ranking.top_scores[best]
        ranking.top_ranks[best] = rank + 1
        ranking.top_scores[best] = NOT_KNOWN
        number += 1
        ranking.numbers[R_LISTED] = number
    return FINISHED
