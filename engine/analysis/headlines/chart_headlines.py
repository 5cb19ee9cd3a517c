"""Headlines of the chart: what survives over some words, and why an edge was kept or pruned (sections 3 and 4.1)."""

from __future__ import annotations

import math

from engine.analysis.headlines.edge_formula import edge_formula
from engine.analysis.headlines.headline import Headline
from engine.analysis.headlines.wording import amount, joined, quoted, span_text, times_as_probable
from engine.chart.parse import Parse
from engine.chart.trace import Cell, ChartItem, Edge, Trace
from engine.common.text_tables import size

PRUNED = {
    "dominated": "because a better way to build the same was found",
    "out of beam": "because it is out of the beam",
    "under threshold": "because it is under the threshold",
    "comma rule": "by the comma rule",
    "constraint": "because it is against a what-if",
}
"""Why an edge was pruned, as a clause."""
TRACING = "The chart is being traced."


def cell_headline(parse: Parse, trace: Trace, start: int, end: int, own: frozenset[int] = frozenset()) -> Headline:
    """What survives over some words, and how many edges were pruned; `own` are the numbers of the parse's items."""
    cell, words = trace.cell(start, end), parse.sentence.proper_words
    inside = span_text(words, start, end)
    edges = sum(cell.reason_counts.values())
    if not edges:
        return Headline(f"The parser built nothing over {inside}.")
    pruned = edges - cell.reason_counts.get("kept", 0)
    if not cell.items:
        return Headline(f"Nothing survives over {inside}: {_pruned_all(edges)}.", tuple(_pruned(cell)))
    best = cell.items[0]
    kept = size(len(cell.items), "constituent survives", "constituents survive")
    told = f"{kept} over {inside}; the best is {best.label} headed by {quoted(words[best.head])}."
    count = "No edge was pruned here." if not pruned else f"{size(pruned, 'edge was', 'edges were')} pruned."
    reasons = []
    mine = next((item for item in cell.items if item.number in own), None)
    if mine is None:
        reasons.append("The parse that is shown has no constituent here.")
    elif mine.number == best.number:
        reasons.append("The best is also what the parse that is shown has here.")
    else:
        behind = best.done - mine.done
        reasons.append(f"The parse that is shown has {mine.label} here, {amount(behind)} behind the best.")
    if len(cell.items) > 1:
        second = cell.items[1]
        lead = best.done - second.done
        named = f"{second.label} headed by {quoted(words[second.head])}"
        reasons.append(f"The best is {times_as_probable(lead)} as the next, {named}.")
    return Headline(f"{told} {count}", tuple((*reasons, *_pruned(cell))[:3]))


def _pruned_all(edges: int) -> str:
    if edges == 1:
        return "the only edge was pruned"
    return f"{'both' if edges == 2 else f'all {edges:,}'} edges were pruned"


def _pruned(cell: Cell) -> list[str]:
    counts = {reason: count for reason, count in cell.reason_counts.items() if count and reason != "kept"}
    if not counts:
        return []
    parts = [f"{count:,} {PRUNED[reason]}" for reason, count in sorted(counts.items(), key=lambda one: -one[1])]
    return [f"Pruned: {joined(parts)}."]


def edge_headline(parse: Parse, trace: Trace, number: int) -> Headline:
    """What an edge builds, whether it was kept or why it was pruned, and its score as a product."""
    edge, words = trace.edge(number), parse.sentence.proper_words
    inside = span_text(words, edge.start, edge.end)
    label = edge.label or edge.head_tag
    built = f"This edge builds {label} over {inside}, headed by {quoted(words[edge.head])}."
    reasons = [_made(edge, trace, words), edge_formula(trace, number)]
    if edge.pruning_reason == "kept":
        told = "It was kept."
        best = trace.cell(edge.start, edge.end).items
        if best and best[0].number == edge.item:
            told = "It was kept, as the best over these words." if len(best) > 1 else "It was kept, the only one here."
    else:
        told = f"It was pruned {PRUNED[edge.pruning_reason]}"
        if edge.margin and math.isfinite(edge.margin):
            told += f", by {amount(edge.margin)}"
        told += "."
    if edge.pruning_reason == "dominated" and edge.item >= 0:
        winner = trace.item(edge.item)
        ahead = winner.score - edge.score
        if math.isfinite(ahead):
            reasons.append(f"The better way is {amount(ahead)} ahead in log P.")
    if math.isfinite(edge.score):
        dearest = min(
            (("gap tags", edge.gap), ("dependency", edge.dependency), ("unary", edge.unary), ("tags", edge.tag)),
            key=lambda one: one[1],
        )
        if dearest[1] <= -0.005:
            reasons.append(f"Of its own factors the {_factor(dearest[0])} most: {amount(dearest[1])} in log P.")
    return Headline(f"{built} {told}", tuple(reasons[:3]))


def _factor(name: str) -> str:
    return f"{name} cost" if name.endswith("s") else f"{name} costs"


def _made(edge: Edge, trace: Trace, words: list[str]) -> str:
    """How it was made, in words."""
    match edge.kind:
        case "word":
            return "It is a single word."
        case "baseNP":
            return "It is a baseNP, made by the gap tags."
        case "unary":
            return f"It is a unary production: {edge.label} over {trace.item(edge.left).label}."
    left, right = trace.item(edge.left), trace.item(edge.right)
    modifier, head = (left, right) if edge.kind in ("grow left", "start left") else (right, left)
    return f"It joins two: {_item(modifier, words)} modifies {_item(head, words)}."


def _item(item: ChartItem, words: list[str]) -> str:
    return f"{item.label} {span_text(words, item.start, item.end)}"


def item_headline(parse: Parse, trace: Trace, number: int) -> Headline:
    """What an item of the chart is; that of the edge which made it, where that is known."""
    item = trace.item(number)
    for edge in trace.edges_in(item.start, item.end):
        if edge.pruning_reason == "kept" and edge.item == number:
            return edge_headline(parse, trace, edge.number)
    words = parse.sentence.proper_words
    return Headline(
        f"This chart item is {item.label} over {span_text(words, item.start, item.end)}, headed by "
        f"{quoted(words[item.head])}."
    )
