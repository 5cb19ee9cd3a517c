"""The k best derivations of a chart, lazily (the algorithm of Huang and Chiang, 2005).

The best derivation of a chart item is the one that the chart found.  An item of which more are asked for keeps those
already asked for, best first, and a pool of candidates for the next one: an edge (a recorded way to build the item)
with the ranks of the derivations chosen for its two sides.
Because every tree has one derivation, different derivations are different trees.
"""

from __future__ import annotations

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart.basenp_kernel import write_step
from engine.chart.chart_kernel import root_log
from engine.chart.chart_layout import DerivationList, Grammar, Hypergraph, Ranking, SentenceArrays, Step
from engine.common.arrays import Int32Array
from engine.compiled.kernel import kernel
from engine.counts.specifications_layout import CONTEXT_FIELDS
from engine.structure.sentence_layout import GROW_RIGHT, UNARY


@kernel(allocates=False)
def builds(row: Int32Array) -> bool:
    """Return whether an edge is a way to build an item that the chart holds, from items that it holds.

    What fell out of the beam is an item nevertheless if a unary result stands on it.  A unary step upon something that
    is not an item leads nowhere, though a better step to the same parent may stand.
    """
    return row[layout.E_ITEM] >= 0 and (row[layout.E_KIND] < UNARY or row[layout.E_LEFT] >= 0)


@kernel(allocates=False)
def group_edges(edges: Int32Array, used: int, items: int, first_edges: Int32Array, next_edges: Int32Array) -> None:
    """List the edges by the item that they build, each list in the order in which they were recorded."""
    first_edges[:items] = -1
    for edge in range(used - 1, -1, -1):
        if builds(edges[edge]):
            item = edges[edge, layout.E_ITEM]
            next_edges[edge] = first_edges[item]
            first_edges[item] = edge


@kernel
def start_ranking(grammar: Grammar, sentence: SentenceArrays, chart: Hypergraph, ranking: Ranking, steps: int) -> None:
    """Forget the chart before, and take up this one; there is room for so many steps."""
    items = chart.totals[layout.T_ITEMS]
    group_edges(chart.edges, chart.totals[layout.T_EDGES], items, ranking.first_edges, ranking.next_edges)
    ranking.blocks[:items] = -1
    ranking.found[:items] = 1
    ranking.exhausted[:items] = 0
    cell = chart.cells[sentence.commas.shape[0] - 1]
    context = np.zeros(CONTEXT_FIELDS, np.int64)
    for top in range(cell[1]):
        item = cell[0] + top
        score = chart.item_scores[item, layout.DONE] + root_log(grammar, sentence, context, chart.items[item])
        ranking.root_scores[top] = score
        ranking.top_scores[top] = score
        ranking.top_ranks[top] = 0
    ranking.numbers[layout.R_POOL] = 0
    ranking.numbers[layout.R_BLOCKS] = 0
    ranking.numbers[layout.R_LISTED] = 0
    ranking.numbers[layout.R_STEPS] = steps


@kernel(allocates=False)
def add_candidate(ranking: Ranking, item: int, which: int, edge: int, left_rank: int, right_rank: int) -> int:
    """Put a candidate into one of an item's lists; return its number, or −1 if there is no room."""
    at = ranking.numbers[layout.R_POOL]
    if at >= ranking.pool.shape[0]:
        return -1
    ranking.pool[at, layout.EDGE] = edge
    ranking.pool[at, layout.LEFT_RANK] = left_rank
    ranking.pool[at, layout.RIGHT_RANK] = right_rank
    ranking.pool[at, layout.NEXT] = ranking.lists[item, which]
    ranking.lists[item, which] = at
    ranking.numbers[layout.R_POOL] = at + 1
    return at


@kernel(allocates=False)
def add_found(
    ranking: Ranking, chart: Hypergraph, item: int, edge: int, left_rank: int, right_rank: int, score: float
) -> bool:
    """Make this the item's next derivation, and note those that may come after it; False if there is no room."""
    limit = ranking.numbers[layout.R_LIMIT]
    number = ranking.found[item]
    place = ranking.blocks[item] * limit + number
    ranking.derivations[place, layout.EDGE] = edge
    ranking.derivations[place, layout.LEFT_RANK] = left_rank
    ranking.derivations[place, layout.RIGHT_RANK] = right_rank
    ranking.derivation_scores[place] = score
    ranking.found[item] = number + 1
    if number + 1 == limit:
        ranking.exhausted[item] = 1
        return True
    kind = chart.edges[edge, layout.E_KIND]
    if kind >= UNARY and add_candidate(ranking, item, layout.PENDING, edge, left_rank + 1, right_rank) < 0:
        return False
    # Moving right only from the first on the left reaches every pair of ranks once.
    if kind < GROW_RIGHT or left_rank > 0:
        return True
    return add_candidate(ranking, item, layout.PENDING, edge, 0, right_rank + 1) >= 0


@kernel(allocates=False)
def open_block(ranking: Ranking, chart: Hypergraph, item: int) -> int:
    """Give an item a block that begins with its best derivation, and all its other edges as candidates.

    The score of an edge is that of the best derivation that ends with it.  A negative status if there is no room.
    """
    block = ranking.numbers[layout.R_BLOCKS]
    if (block + 1) * ranking.numbers[layout.R_LIMIT] > ranking.derivations.shape[0]:
        return layout.BLOCKS_FULL
    ranking.numbers[layout.R_BLOCKS] = block + 1
    ranking.blocks[item] = block
    ranking.found[item] = 0
    ranking.lists[item, layout.READY] = -1
    ranking.lists[item, layout.PENDING] = -1
    best = chart.items[item, layout.EDGE_NUMBER]
    if not add_found(ranking, chart, item, best, 0, 0, chart.edge_factors[best, layout.EF_SCORE]):
        return layout.POOL_FULL
    edge = ranking.first_edges[item]
    while edge >= 0:
        if edge != best:
            candidate = add_candidate(ranking, item, layout.READY, edge, 0, 0)
            if candidate < 0:
                return layout.POOL_FULL
            ranking.pool_scores[candidate] = chart.edge_factors[edge, layout.EF_SCORE]
        edge = ranking.next_edges[edge]
    return layout.ALL_LISTED


@kernel(allocates=False)
def missing_side(ranking: Ranking, edges: Int32Array, candidate: int) -> tuple[int, int]:
    """Return the item and rank that must be found before a candidate can be scored; (−1, 0) if nothing is."""
    row = edges[ranking.pool[candidate, layout.EDGE]]
    if row[layout.E_KIND] >= UNARY:
        rank = ranking.pool[candidate, layout.LEFT_RANK]
        if ranking.found[row[layout.E_LEFT]] <= rank and not ranking.exhausted[row[layout.E_LEFT]]:
            return row[layout.E_LEFT], rank
    if row[layout.E_KIND] >= GROW_RIGHT:
        rank = ranking.pool[candidate, layout.RIGHT_RANK]
        if ranking.found[row[layout.E_RIGHT]] <= rank and not ranking.exhausted[row[layout.E_RIGHT]]:
            return row[layout.E_RIGHT], rank
    return -1, 0


@kernel(allocates=False)
def score_change(ranking: Ranking, chart: Hypergraph, item: int, rank: int) -> float:
    """By how much an item's derivation of this rank is more probable than its best (not at all); −∞ if it has none."""
    if rank == 0:
        return 0.0
    if ranking.found[item] <= rank:
        return -np.inf
    return (
        ranking.derivation_scores[ranking.blocks[item] * ranking.numbers[layout.R_LIMIT] + rank]
        - chart.item_scores[item, layout.SCORE]
    )


@kernel(allocates=False)
def candidate_score(ranking: Ranking, chart: Hypergraph, candidate: int) -> float:
    """Score of a candidate whose sides are known; −∞ if a side has no derivation of that rank."""
    edge = ranking.pool[candidate, layout.EDGE]
    row = chart.edges[edge]
    score = chart.edge_factors[edge, layout.EF_SCORE]
    if row[layout.E_KIND] >= UNARY:
        score += score_change(ranking, chart, row[layout.E_LEFT], ranking.pool[candidate, layout.LEFT_RANK])
    if row[layout.E_KIND] >= GROW_RIGHT:
        score += score_change(ranking, chart, row[layout.E_RIGHT], ranking.pool[candidate, layout.RIGHT_RANK])
    return score


@kernel(allocates=False)
def take_best(ranking: Ranking, item: int) -> int:
    """Take the best candidate out of an item's pool; ties go to the edge added first; −1 if it is empty."""
    best = -1
    before = -1
    previous = -1
    at = ranking.lists[item, layout.READY]
    while at >= 0:
        if best < 0:
            better = True
        elif ranking.pool_scores[at] == ranking.pool_scores[best]:
            better = ranking.pool[at, layout.EDGE] < ranking.pool[best, layout.EDGE]
        else:
            better = ranking.pool_scores[at] > ranking.pool_scores[best]
        if better:
            best = at
            before = previous
        previous = at
        at = ranking.pool[at, layout.NEXT]
    if best >= 0:
        if before < 0:
            ranking.lists[item, layout.READY] = ranking.pool[best, layout.NEXT]
        else:
            ranking.pool[before, layout.NEXT] = ranking.pool[best, layout.NEXT]
    return best


@kernel(allocates=False)
def find_derivation(ranking: Ranking, chart: Hypergraph, goal: int, goal_rank: int) -> int:
    """Find the derivations of an item up to a rank, if it has so many; a negative status if there is no room.

    A stack of questions takes the place of recursion: a question whose candidates need derivations
    not found yet waits until they are.
    """
    if goal_rank >= ranking.numbers[layout.R_LIMIT]:
        return layout.ALL_LISTED
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
        while ranking.lists[item, layout.PENDING] >= 0:
            candidate = ranking.lists[item, layout.PENDING]
            side, rank = missing_side(ranking, chart.edges, candidate)
            if side >= 0:
                if depth >= stack.shape[0]:
                    return layout.STEPS_FULL
                stack[depth, 0] = side
                stack[depth, 1] = rank
                depth += 1
                waiting = True
                break
            ranking.lists[item, layout.PENDING] = ranking.pool[candidate, layout.NEXT]
            score = candidate_score(ranking, chart, candidate)
            if score > -np.inf:
                ranking.pool_scores[candidate] = score
                ranking.pool[candidate, layout.NEXT] = ranking.lists[item, layout.READY]
                ranking.lists[item, layout.READY] = candidate
        if waiting:
            continue
        best = take_best(ranking, item)
        if best < 0:
            ranking.exhausted[item] = 1
            continue
        ranked = ranking.pool[best]
        score = ranking.pool_scores[best]
        if not add_found(
            ranking, chart, item, ranked[layout.EDGE], ranked[layout.LEFT_RANK], ranked[layout.RIGHT_RANK], score
        ):
            return layout.POOL_FULL
    return layout.ALL_LISTED


@kernel(allocates=False)
def write_derivation(
    ranking: Ranking, chart: Hypergraph, readings: Int32Array, found: DerivationList, number: int, item: int, rank: int
) -> int:
    """Write the steps of a derivation in the order in which it is built, before those already written."""
    stack = ranking.stack
    chosen = found.chosen[number]
    filled = ranking.numbers[layout.R_STEPS]
    found.ranges[number, 1] = filled
    stack[0, 0] = item
    stack[0, 1] = rank
    depth = 1
    # Head first, then right, then left, written from the back: the reverse is a post-order.
    while depth > 0:
        if filled == 0 or depth + 1 >= stack.shape[0]:
            return layout.STEPS_FULL
        depth -= 1
        item = stack[depth, 0]
        rank = stack[depth, 1]
        edge = chart.items[item, layout.EDGE_NUMBER]
        left_rank = 0
        right_rank = 0
        part = item
        if rank > 0:
            place = ranking.blocks[item] * ranking.numbers[layout.R_LIMIT] + rank
            edge = ranking.derivations[place, layout.EDGE]
            left_rank = ranking.derivations[place, layout.LEFT_RANK]
            right_rank = ranking.derivations[place, layout.RIGHT_RANK]
            part = ranking.first_edges.shape[0] + place
        row = chart.edges[edge]
        filled -= 1
        step = Step(
            row[layout.E_KIND], row[layout.E_LABEL], row[layout.E_HEAD_LABEL], row[layout.E_HEAD], row[layout.E_LEFT]
        )
        write_step(found.steps[filled], step, chart.prefixes, readings, chosen)
        found.parts[filled] = part
        if row[layout.E_KIND] >= UNARY:
            stack[depth, 0] = row[layout.E_LEFT]
            stack[depth, 1] = left_rank
            depth += 1
        if row[layout.E_KIND] >= GROW_RIGHT:
            stack[depth, 0] = row[layout.E_RIGHT]
            stack[depth, 1] = right_rank
            depth += 1
    found.ranges[number, 0] = filled
    ranking.numbers[layout.R_STEPS] = filled
    return layout.ALL_LISTED


@kernel(allocates=False)
def list_derivations(
    grammar: Grammar, sentence: SentenceArrays, chart: Hypergraph, ranking: Ranking, found: DerivationList, wanted: int
) -> int:
    """Go on with the list of the best derivations until there are so many, or no more; a negative status if full.

    The items over the whole sentence stand side by side, each with the rank of its next derivation.
    """
    if ranking.numbers[layout.R_LISTED] < 0:
        start_ranking(grammar, sentence, chart, ranking, found.steps.shape[0])
    cell = chart.cells[sentence.commas.shape[0] - 1]
    number = ranking.numbers[layout.R_LISTED]
    while number < wanted:
        best = -1
        for top in range(cell[1]):
            item = cell[0] + top
            rank = ranking.top_ranks[top]
            if ranking.top_scores[top] == layout.NOT_KNOWN:
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
        ranking.top_scores[best] = layout.NOT_KNOWN
        number += 1
        ranking.numbers[layout.R_LISTED] = number
    return layout.ALL_LISTED
