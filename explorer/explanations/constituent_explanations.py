"""Explanations of constituents, and of cells, items and edges of the chart (sections 3 and 4.1)."""

from __future__ import annotations

import math

from engine.analysis.headlines import edge_formula
from engine.chart.parse import Parse
from engine.chart.trace import ChartItem, Edge, Trace
from engine.structure.constituents import Constituent
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    Section,
    TableBlock,
)
from explorer.explanations.parse_explanations import ledger_table
from explorer.explanations.second_model_explanations import constituent_sum
from explorer.explanations.unary_explanations import unary_blocks
from explorer.explanations.vote_explanations import constituent_vote
from explorer.explanations.word_explanations import explain_word
from explorer.graphics.number_text import beam_text, log_text, signed
from explorer.graphics.pictures.parse_facts import PRUNING_REASON_TEXTS, facts_of

ITEMS_SHOWN = 12


def find_constituent(parse: Parse, start: int, end: int, label: str) -> Constituent | None:
    """The constituent of the search that a node of the printed tree stands for."""
    for root in parse.roots:
        for node in root.walk():
            if (node.start, node.end) == (start, end) and node.label.rstrip("+*'") == label.rstrip("+*'"):
                return node
    return None


def explain_node(result: ParseResult, parse: Parse, start: int, end: int, label: str) -> Explanation:
    """Explain a constituent of the tree: head, children, every factor of its score, its distance to the beam."""
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    inside = " ".join(words[start:end])
    subtitle = inside if len(inside) <= 60 else inside[:59] + "…"
    node = find_constituent(parse, start, end, label)
    if node is None:
        if end - start == 1 and tags[start] == label:
            return explain_word(result, parse, start)
        note = "This bracket is restored after parsing; it is no part of the score."
        return Explanation(label, subtitle, (Paragraph(note),))
    blocks: list[ExplanationBlock] = [
        Paragraph(f"Head-word `{words[node.head]}`/{tags[node.head]}, words {start + 1} to {end}.")
    ]
    if node.is_base:
        blocks.append(Paragraph("A baseNP: the gap tags make it (section 2.5); its inside is restored afterwards."))
    elif node.children:
        rows = tuple(
            (child.label, " ".join(words[child.start : child.end])[:40], "head" if at == node.head_child else "")
            for at, child in enumerate(node.children)
        )
        blocks += [
            Heading("Children", Section.CHILDREN),
            TableBlock(("label", "words", ""), rows, marked=node.head_child),
        ]
    blocks += constituent_vote(parse, node.label, start, end)
    ledger = parse.explainer().ledger((node,), True)
    blocks += [Heading("Factors of its score", Section.FACTORS), ledger_table(ledger)]
    blocks += constituent_sum(result, parse, node)
    blocks += unary_blocks(parse, node)
    blocks += _in_the_chart(result.parse.chart, parse, node)
    return Explanation(label, subtitle, tuple(blocks))


def _in_the_chart(trace: Trace | None, parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """How far a constituent is from the best over its words, and from the edge of the beam."""
    if trace is None:
        return [Paragraph("The chart is being recorded …", True)]
    cell = trace.cell(node.start, node.end)
    if not cell.items:
        return []
    behind = behind_best(trace, node)
    if behind is None:
        return [Paragraph("No such item is in the chart of the best parse: this tree was found otherwise.", True)]
    slack = math.log(trace.beam) - behind
    note = "the best over these words" if behind < 1e-9 else f"{log_text(behind)} behind the best over these words"
    room = f"; β = {beam_text(trace.beam)} leaves {log_text(slack)} more"
    if slack < 0:
        room = f", further than β = {beam_text(trace.beam)} allows, by {log_text(-slack)}"
    elif math.isinf(slack):
        room = ""
    return [Heading("In the chart", Section.CHART), Paragraph(f"It is {note}{room}.")]


def behind_best(trace: Trace, node: Constituent) -> float | None:
    """How far a constituent is behind the best over its words, in nats; ``None`` if the chart has it not."""
    items = trace.cell(node.start, node.end).items
    mine = [item.done for item in items if item.label == node.label and item.head == node.head]
    return max(item.done for item in items) - max(mine) if mine else None


def explain_cell(result: ParseResult, parse: Parse, start: int, end: int) -> Explanation:
    """Explain a cell of the chart: its items, and how many edges were pruned for which reason."""
    words = parse.sentence.proper_words
    title = " ".join(words[start:end])
    title = title if len(title) <= 48 else title[:47] + "…"
    trace = result.parse.chart
    if trace is None:
        return Explanation(title, "a cell of the chart", (Paragraph("The chart is being recorded …", True),))
    cell = trace.cell(start, end)
    reasons = tuple(
        (PRUNING_REASON_TEXTS[reason], f"{count:,}") for reason, count in cell.reason_counts.items() if count
    )
    blocks: list[ExplanationBlock] = []
    if reasons:
        blocks += [
            Heading("Edges and why they were pruned", Section.EDGES),
            TableBlock(("kept or pruned", "edges"), reasons, (1,)),
        ]
    else:
        blocks.append(Paragraph("The parser built no edge over these words."))
    own = facts_of(parse).in_chart
    own_items = own.item_numbers if own is not None else frozenset()
    if cell.items:
        best = max(item.done for item in cell.items)
        # What the parse has comes first, the rest as the chart has it: the best first.
        items = sorted(cell.items, key=lambda item: item.number not in own_items)
        rows = tuple(
            (
                item.label,
                words[item.head],
                log_text(item.score),
                log_text(item.done - best),
                "in this parse" if item.number in own_items else "",
            )
            for item in items[:ITEMS_SHOWN]
        )
        order = "Items, that of the parse first" if own_items.intersection(item.number for item in items) else ""
        blocks.append(Heading(order or "Items, best first", Section.ITEMS))
        blocks.append(TableBlock(("label", "head", "log P", "to best", ""), rows, (2, 3)))
        if len(cell.items) > ITEMS_SHOWN:
            blocks.append(
                Paragraph(f"and {len(cell.items) - ITEMS_SHOWN:,} more; the table below the chart has all", True)
            )
    note = f"words {start + 1} to {end},  {sum(cell.reason_counts.values()):,} edges"
    return Explanation(title, note, tuple(blocks))


def explain_edge(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """Explain an edge: what it joins, its new factors, and whether it was kept or why it was pruned."""
    trace = result.parse.chart
    if trace is None or not 0 <= number < len(trace):
        return Explanation("An edge of the chart", "", (Paragraph("The chart is being recorded …", True),))
    edge = trace.edge(number)
    words = parse.sentence.proper_words
    inside = " ".join(words[edge.start : edge.end])
    blocks: list[ExplanationBlock] = [Paragraph(f"{_how_made(edge)} Head-word `{words[edge.head]}`/{edge.head_tag}.")]
    names = {
        edge_formula.GAPS: "gap tags",
        edge_formula.DEPENDENCY: f"F̂ of {edge.relation}" if edge.relation else "F̂",
        edge_formula.UNARY: "unaries",
        edge_formula.TAGS: "tags P(t|S)",
        edge_formula.FINISHED: "no unary over its parts",
    }
    rows: list[tuple[str, str]] = []
    for part in edge_formula.edge_parts(trace, edge):
        name = names.get(part.kind, "")
        if part.item >= 0:
            side = "left part" if part.item == edge.left else "right part"
            name = f"{side if edge.right >= 0 else 'its child'}: {_item_text(trace.item(part.item), words)}"
        rows.append((name, log_text(part.log, 3)))
    rows.append(("log P", log_text(edge.score, 3)))
    blocks += [Heading("Score", Section.FACTORS), TableBlock(("part", "log"), tuple(rows), (1,), total=True)]
    note = "Kept"
    if edge.pruning_reason != "kept":
        note = f"Pruned: {PRUNING_REASON_TEXTS[edge.pruning_reason]}"
        if edge.margin and math.isfinite(edge.margin):
            note += f", by {log_text(abs(edge.margin))}"
    if edge.pruning_reason == "dominated" and edge.item >= 0:
        winner = trace.item(edge.item)
        note += f"; item {winner.number}, {_item_text(winner, words)}, has {log_text(winner.score)}"
    blocks += [Heading("Kept or pruned", Section.EDGES), Paragraph(note + ".")]
    return Explanation(
        f"{edge.label or edge.head_tag}  {inside[:48]}",
        f"edge {number + 1:,} of {len(trace):,}",
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


def explain_item(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """Explain an item of the chart: the edge that made it."""
    trace = result.parse.chart
    if trace is None:
        return Explanation("A chart item", "", (Paragraph("The chart is being recorded …", True),))
    item = trace.item(number)
    for edge in trace.edges_in(item.start, item.end):
        if edge.pruning_reason == "kept" and edge.item == number:
            return explain_edge(result, parse, edge.number)
    inside = " ".join(parse.sentence.proper_words[item.start : item.end])
    note = Paragraph(
        f"Log probability {log_text(item.score, 4)}; {signed(item.done - item.score)} for no unary parent."
    )
    return Explanation(item.label, inside[:60], (note,))
