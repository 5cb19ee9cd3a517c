"""The chart explained: its cells, items and edges, and why edges were pruned (sections 3 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeGuard

from engine.chart.derivation import BASE_STEP, UNARY_STEP
from engine.chart.parse import Parse
from engine.chart.trace import Cell, ChartItem, Edge, Trace, TracedParse
from engine.common.numbers import amount, log_text, probability, signed, size, times_as_probable
from engine.explain.context import ParseContext
from engine.explain.explanation import Explanation, ExplanationBlock, Heading, Paragraph, Section, TableBlock
from engine.explain.glosses import Gloss, label_gloss, relation_gloss
from engine.explain.paper_readings import PaperReading, of_labels
from engine.explain.subjects import ChartCellId, EdgeId, ItemId, Subject, WordId
from engine.explain.topics import Span, Topic, Topics
from engine.explain.wording import Headline, joined, quoted, span_text
from engine.structure.constituents import Constituent

# The score of an edge of the chart as a product: what it is built from, its own factors, and their numbers.

PART, CHILD, GAPS, DEPENDENCY, UNARY, TAGS, FINISHED = (
    "part",
    "child",
    "gap tags",
    "dependency",
    "unary",
    "tags",
    "finished",
)
_LEAST = 1e-4
"""Products under this are written as powers of ten."""


class EdgePart(NamedTuple):
    """A part of an edge's score.

    Attributes
    ----------
    kind
        What it is: an item that is joined, the only child of a unary, gap tags, F̂ of the dependency, the unary
        production, P(t|S) of the tags, or what its parts pay for having no unary parent.
    item
        The number of the item, if it is one; −1 else.
    log
        Its log.
    """

    kind: str
    item: int
    log: float


def missing_in_chart(found: TracedParse | None, words: Sequence[str]) -> str:
    """What of a parse the chart has not, in a sentence; empty if it has everything, or if no chart was kept."""
    missing = found.missing if found is not None else ()
    if not missing:
        return ""
    first = missing[0]
    more = f" and {size(len(missing) - 1, 'more item')}" if len(missing) > 1 else ""
    over = span_text(words, first.start, first.end)
    return f"Not in this chart: {first.label} over {over}{more} of this parse, which was found in a wider one."


def edge_parts(trace: Trace, edge: Edge) -> list[EdgePart]:
    """What the score of an edge consists of; the logs add up to it."""
    sides = [side for side in (edge.left, edge.right) if side >= 0]
    parts = [EdgePart(PART if len(sides) > 1 else CHILD, side, trace.item(side).score) for side in sides]
    named = ((GAPS, edge.gap), (DEPENDENCY, edge.dependency), (UNARY, edge.unary), (TAGS, edge.tag))
    # The dependency is named even where it costs nothing.
    parts += [EdgePart(kind, -1, log) for kind, log in named if log or (kind == DEPENDENCY and edge.relation)]
    rest = edge.score - math.fsum(part.log for part in parts)
    if edge.kind == UNARY_STEP and not sides:
        # What it stands over was pruned itself, so that no item is left of it.
        parts.insert(0, EdgePart(CHILD, -1, rest))
    elif abs(rest) > 5e-4 and math.isfinite(rest):
        # A part that is finished where it joins pays for having no unary parent.
        parts.append(EdgePart(FINISHED, -1, rest))
    return parts


def edge_formula(trace: Trace, number: int) -> str:
    """The score of an edge as a product, first with names and then with numbers, in a sentence."""
    edge = trace.edge(number)
    label = edge.label or edge.head_tag
    parts = edge_parts(trace, edge)
    if not parts:
        what = "a baseNP of one word" if edge.kind == BASE_STEP else "a word by itself"
        return f"P({label}) = {_number(edge.score)}: {what} costs nothing."
    names = " × ".join(_name(trace, edge, part) for part in parts)
    if len(parts) == 1:
        return f"P({label}) = {names} = {_number(edge.score)}."
    numbers = " × ".join(_number(part.log) for part in parts)
    return f"P({label}) = {names} = {numbers} = {_number(edge.score)}."


def _name(trace: Trace, edge: Edge, part: EdgePart) -> str:
    if part.item >= 0:
        item = trace.item(part.item)
        return f"P({item.label or item.head_tag} {span_text(trace.sentence.proper_words, item.start, item.end)})"
    return {
        CHILD: f"P({edge.head_label} {span_text(trace.sentence.proper_words, edge.start, edge.end)})",
        GAPS: "P̂(gap tags)",
        DEPENDENCY: f"F̂({edge.relation})",
        UNARY: f"P({edge.label} over {edge.head_label})",
        TAGS: "P(tags)",
        FINISHED: "P(no unary over its parts)",
    }[part.kind]


def _number(log: float) -> str:
    """A probability by its log; also what is too small for any number but a power of ten."""
    if math.isinf(log):
        return "0"
    if log >= math.log(_LEAST):
        value = math.exp(log)
        # Between numbers that are multiplied `over 0.999` cannot stand.
        return f"{value:.4f}" if 0.9995 <= value != 1.0 else probability(value)
    power = math.floor(log / math.log(10))
    mantissa = f"{math.exp(log - power * math.log(10)):.1f}"
    if mantissa == "10.0":
        mantissa, power = "1.0", power + 1
    exponent = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}·10{exponent}"


# Headlines of the chart: what survives over some words, and why an edge was kept or pruned (sections 3 and 4.1).

PRUNED = {
    "dominated": "because a better way to build the same was found",
    "out of beam": "because it is out of the beam",
    "under threshold": "because it is under the threshold",
    "comma rule": "by the comma rule",
    "constraint": "because it is against a what-if",
}
"""Why an edge was pruned, as a clause."""
REASONS = {
    "kept": "kept",
    "dominated": "dominated by an equal",
    "out of beam": "out of the beam",
    "under threshold": "under the threshold",
    "comma rule": "against the comma rule",
    "constraint": "against a what-if",
}
"""Whether an edge was kept, or why it was pruned, as pictures and tables write it."""
TRACING = Headline("The chart is being traced; in a moment this can be explained.")


def cell_headline(context: ParseContext, it: ChartCellId) -> Headline:
    """What survives over some words, and how many edges were pruned."""
    if context.trace is None:
        return TRACING
    cell, words, own = context.trace.cell(it.start, it.end), context.words, context.own_items
    inside = span_text(words, it.start, it.end)
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
        behind = best.score - mine.score
        reasons.append(f"The parse that is shown has {mine.label} here, {amount(behind)} behind the best.")
    if len(cell.items) > 1:
        second = cell.items[1]
        lead = best.score - second.score
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


def edge_headline(context: ParseContext, it: EdgeId) -> Headline:
    """What an edge builds, whether it was kept or why it was pruned, and its score as a product."""
    trace = context.trace
    if trace is None or not 0 <= it.number < len(trace):
        return TRACING
    edge, words = trace.edge(it.number), context.words
    inside = span_text(words, edge.start, edge.end)
    label = edge.label or edge.head_tag
    built = f"This edge builds {label} over {inside}, headed by {quoted(words[edge.head])}."
    reasons = [_made(edge, trace, words), edge_formula(trace, it.number)]
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
        own = [part for part in edge_parts(trace, edge) if part.kind not in (PART, CHILD)]
        dearest = min(own, key=lambda part: part.log, default=None)
        if dearest is not None and dearest.log <= -0.005:
            reasons.append(f"Of its own factors {_COSTS[dearest.kind]} most: {amount(dearest.log)} in log P.")
    return Headline(f"{built} {told}", tuple(reasons[:3]))


_COSTS = {
    GAPS: "the gap tags cost",
    DEPENDENCY: "the dependency costs",
    UNARY: "the unary costs",
    TAGS: "the tags cost",
    FINISHED: "that no unary stands over its parts costs",
}


def _made(edge: Edge, trace: Trace, words: list[str]) -> str:
    """How it was made, in words."""
    match edge.kind:
        case "word":
            return "It is a single word."
        case "baseNP":
            return "It is a baseNP, made by the gap tags."
        case "unary":
            return f"It is a unary production: {edge.label} over {edge.head_label}."
    left, right = trace.item(edge.left), trace.item(edge.right)
    modifier, head = (left, right) if edge.kind in ("grow left", "start left") else (right, left)
    return f"It joins two: {_item(modifier, words)} modifies {_item(head, words)}."


def _item(item: ChartItem, words: list[str]) -> str:
    return f"{item.label} {span_text(words, item.start, item.end)}"


def item_headline(context: ParseContext, it: ItemId) -> Headline:
    """What an item of the chart is; that of the edge which made it, where that is known."""
    trace = context.trace
    if trace is None:
        return TRACING
    item = trace.item(it.number)
    for edge in trace.edges_in(item.start, item.end):
        if edge.pruning_reason == "kept" and edge.item == it.number:
            return edge_headline(context, EdgeId(edge.number))
    words = context.words
    return Headline(
        f"This chart item is {item.label} over {span_text(words, item.start, item.end)}, headed by "
        f"{quoted(words[item.head])}."
    )


# Pages of the chart.

_ITEMS_SHOWN = 12


def behind_best(trace: Trace, node: Constituent) -> float | None:
    """How far a constituent is behind the best over its words, in nats; ``None`` if the chart has it not.

    As the beam compares them: without the price of having no unary parent.
    """
    items = trace.cell(node.start, node.end).items
    mine = [item.score for item in items if item.label == node.label and item.head == node.head]
    return items[0].score - max(mine) if mine else None


def _cell_page(context: ParseContext, it: ChartCellId) -> Explanation:
    """Explain a cell of the chart: its items, and how many edges were pruned for which reason."""
    words = context.words
    title = " ".join(words[it.start : it.end])
    title = title if len(title) <= 48 else title[:47] + "…"
    trace = context.trace
    if trace is None:
        return Explanation(title, "a cell of the chart", (Paragraph("The chart is being recorded …", True),))
    cell = trace.cell(it.start, it.end)
    reasons = tuple((REASONS[reason], f"{count:,}") for reason, count in cell.reason_counts.items() if count)
    blocks: list[ExplanationBlock] = []
    if reasons:
        blocks += [
            Heading("Edges and why they were pruned", Section.EDGES),
            TableBlock(("kept or pruned", "edges"), reasons, (1,)),
        ]
    else:
        blocks.append(Paragraph("The parser built no edge over these words."))
    own_items = context.own_items
    if cell.items:
        best = cell.items[0].score
        # What the parse has comes first, the rest as the chart has it: the best first.
        items = sorted(cell.items, key=lambda item: item.number not in own_items)
        rows = tuple(
            (
                item.label,
                words[item.head],
                log_text(item.score),
                log_text(item.score - best),
                "in this parse" if item.number in own_items else "",
            )
            for item in items[:_ITEMS_SHOWN]
        )
        order = "Items, that of the parse first" if own_items.intersection(item.number for item in items) else ""
        blocks.append(Heading(order or "Items, best first", Section.ITEMS))
        blocks.append(TableBlock(("label", "head", "log P", "to best", ""), rows, (2, 3)))
        if len(cell.items) > _ITEMS_SHOWN:
            blocks.append(
                Paragraph(f"and {len(cell.items) - _ITEMS_SHOWN:,} more; the table below the chart has all", True)
            )
    note = f"words {it.start + 1} to {it.end},  {sum(cell.reason_counts.values()):,} edges"
    return Explanation(title, note, tuple(blocks))


def _edge_page(context: ParseContext, it: EdgeId) -> Explanation:
    """Explain an edge: what it joins, its new factors, and whether it was kept or why it was pruned."""
    trace = context.trace
    if trace is None or not 0 <= it.number < len(trace):
        return Explanation("An edge of the chart", "", (Paragraph("The chart is being recorded …", True),))
    edge = trace.edge(it.number)
    words = context.words
    inside = " ".join(words[edge.start : edge.end])
    blocks: list[ExplanationBlock] = [Paragraph(f"{_how_made(edge)} Head-word `{words[edge.head]}`/{edge.head_tag}.")]
    names = {
        GAPS: "gap tags",
        DEPENDENCY: f"F̂ of {edge.relation}" if edge.relation else "F̂",
        UNARY: "unaries",
        TAGS: "tags P(t|S)",
        FINISHED: "no unary over its parts",
    }
    rows: list[tuple[str, str]] = []
    for part in edge_parts(trace, edge):
        name = names.get(part.kind, "")
        if part.item >= 0:
            side = "left part" if part.item == edge.left else "right part"
            name = f"{side if edge.right >= 0 else 'its child'}: {_item_text(trace.item(part.item), words)}"
        elif part.kind == CHILD:
            name = f"its child, which was pruned: {edge.head_label} {span_text(words, edge.start, edge.end)}"
        rows.append((name, log_text(part.log, 3)))
    rows.append(("log P", log_text(edge.score, 3)))
    blocks += [Heading("Score", Section.FACTORS), TableBlock(("part", "log"), tuple(rows), (1,), total=True)]
    note = "Kept"
    if edge.pruning_reason != "kept":
        note = f"Pruned: {REASONS[edge.pruning_reason]}"
        if edge.margin and math.isfinite(edge.margin):
            note += f", by {log_text(abs(edge.margin))}"
    if edge.pruning_reason == "dominated" and edge.item >= 0:
        winner = trace.item(edge.item)
        note += f"; item {winner.number}, {_item_text(winner, words)}, has {log_text(winner.score)}"
    blocks += [Heading("Kept or pruned", Section.EDGES), Paragraph(note + ".")]
    return Explanation(
        f"{edge.label or edge.head_tag}  {inside[:48]}",
        f"edge {it.number + 1:,} of {len(trace):,}",
        tuple(blocks),
    )


def _how_made(edge: Edge) -> str:
    return {
        "word": "A single word.",
        "baseNP": "A baseNP, made by the gap tags.",
        "unary": f"A unary production {edge.label} → {edge.head_label}.",
        "grow right": f"One more modifier on the right: {edge.relation}.",
        "start right": f"A first modifier, on the right: {edge.relation}.",
        "grow left": f"One more modifier on the left: {edge.relation}.",
        "start left": f"A first modifier, on the left: {edge.relation}.",
    }[edge.kind]


def _item_text(item: ChartItem, words: list[str]) -> str:
    inside = " ".join(words[item.start : item.end])
    return f"{item.label} `{inside if len(inside) <= 30 else inside[:29] + '…'}`"


def _item_page(context: ParseContext, it: ItemId) -> Explanation:
    """Explain an item of the chart: the edge that made it."""
    trace = context.trace
    if trace is None:
        return Explanation("A chart item", "", (Paragraph("The chart is being recorded …", True),))
    item = trace.item(it.number)
    for edge in trace.edges_in(item.start, item.end):
        if edge.pruning_reason == "kept" and edge.item == it.number:
            return _edge_page(context, EdgeId(edge.number))
    inside = " ".join(context.words[item.start : item.end])
    note = Paragraph(
        f"Log probability {log_text(item.score, 4)}; {signed(item.done - item.score)} for no unary parent."
    )
    return Explanation(item.label, inside[:60], (note,))


# What is said of the chart.


def _has_edge(trace: Trace | None, subject: EdgeId) -> TypeGuard[Trace]:
    return trace is not None and 0 <= subject.number < len(trace)


def words_and_cell(start: int, end: int) -> set[Subject]:
    """The cell of the chart over some words, and the words."""
    return {ChartCellId(start, end), *(WordId(position) for position in range(start, end))}


def _edge_readings(context: ParseContext, it: EdgeId) -> Iterator[PaperReading]:
    """The comma rule, if that pruned the edge; those of its labels."""
    if _has_edge(context.trace, it):
        edge = context.trace.edge(it.number)
        if edge.pruning_reason == "comma rule":
            yield PaperReading.COMMA_RULE
        yield from of_labels([edge.label, *(edge.relation or ())])


def _item_readings(context: ParseContext, it: ItemId) -> Iterator[PaperReading]:
    """Those of the labels of an item."""
    if context.trace is not None:
        item = context.trace.item(it.number)
        yield from of_labels([item.label, item.head_label])


def _edge_words(parse: Parse, it: EdgeId) -> tuple[Span, ...]:
    edge = parse.chart.edge(it.number) if _has_edge(parse.chart, it) else None
    return ((edge.start, edge.end),) if edge is not None else ()


def _item_words(parse: Parse, it: ItemId) -> tuple[Span, ...]:
    item = parse.chart.item(it.number) if parse.chart is not None else None
    return ((item.start, item.end),) if item is not None else ()


def _cell_signs(parse: Parse, it: ChartCellId) -> list[Gloss | None]:
    """The label of the best item of a cell."""
    items = parse.chart.cell(it.start, it.end).items[:1] if parse.chart is not None else ()
    return [label_gloss(item.label) for item in items]


def _edge_signs(parse: Parse, it: EdgeId) -> Iterator[Gloss | None]:
    """The label of an edge, and its relation."""
    if _has_edge(parse.chart, it):
        edge = parse.chart.edge(it.number)
        yield label_gloss(edge.label)
        yield relation_gloss(edge.relation) if edge.relation is not None else None


def _item_signs(parse: Parse, it: ItemId) -> list[Gloss | None]:
    return [label_gloss(parse.chart.item(it.number).label)] if parse.chart is not None else []


# What edges and items are built from is lit by the chart's own stage.
TOPICS: Topics = {
    ChartCellId: Topic[ChartCellId](
        headline=cell_headline,
        page=_cell_page,
        related=lambda parse, it: words_and_cell(it.start, it.end),
        words=lambda parse, it: ((it.start, it.end),) if it.start < it.end else (),
        signs=_cell_signs,
        forms=("chart {start:span}",),
    ),
    EdgeId: Topic[EdgeId](
        headline=edge_headline,
        page=_edge_page,
        readings=_edge_readings,
        words=_edge_words,
        signs=_edge_signs,
        forms=("edge {number:number}",),
    ),
    ItemId: Topic[ItemId](
        headline=item_headline,
        page=_item_page,
        readings=_item_readings,
        words=_item_words,
        signs=_item_signs,
        forms=("item {number:number}",),
    ),
}
