"""Constituents, cells of the chart and its entries explained (sections 3 and 4.1)."""

from __future__ import annotations

import math

from engine.chart.parse import Parse
from engine.chart.trace import Entry, Proposal, Trace
from engine.structure.constituents import Constituent
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    TableBlock,
)
from explorer.explanations.parse_explanations import ledger_table
from explorer.explanations.unary_explanations import unary_blocks
from explorer.graphics.number_text import beam_text, log_text, signed

ITEMS_SHOWN = 12
PRUNING_REASONS = {
    "kept": "kept",
    "dominated": "dominated by an equal",
    "out of beam": "out of the beam",
    "under threshold": "under the threshold",
    "comma rule": "against the punctuation rule",
    "constraint": "against a what-if",
}


def find_constituent(parse: Parse, start: int, end: int, label: str) -> Constituent | None:
    """The constituent of the search that a node of the printed tree stands for."""
    for root in parse.roots:
        for node in root.walk():
            if (node.start, node.end) == (start, end) and node.label.rstrip("+*'") == label.rstrip("+*'"):
                return node
    return None


def explain_node(result: ParseResult, parse: Parse, start: int, end: int, label: str) -> Explanation:
    """A constituent of the tree: head, children, every factor of its score, its distance to the beam."""
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    inside = " ".join(words[start:end])
    subtitle = inside if len(inside) <= 60 else inside[:59] + "…"
    node = find_constituent(parse, start, end, label)
    if node is None:
        if end - start == 1 and tags[start] == label:
            from explorer.explanations.word_explanations import explain_word

            return explain_word(result, parse, start)
        note = "This bracket is restored after parsing, by a small model of its own; it is no part of the score."
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
        blocks += [Heading("Children"), TableBlock(("label", "words", ""), rows, marked=node.head_child)]
    ledger = parse.explainer().ledger((node,), True)
    blocks += [Heading("Factors of its score"), ledger_table(ledger)]
    blocks += unary_blocks(parse, node)
    blocks += _in_the_chart(result.parse.chart, parse, node)
    return Explanation(label, subtitle, tuple(blocks))


def _in_the_chart(trace: Trace | None, parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    if trace is None:
        return [Paragraph("The chart is being traced …", True)]
    cell = trace.cell(node.start, node.end)
    if not cell.entries:
        return []
    best = max(entry.done for entry in cell.entries)
    mine = [entry for entry in cell.entries if entry.label == node.label and entry.head == node.head]
    if not mine:
        return [Paragraph("No such entry is in the chart of the best parse: this tree was found otherwise.", True)]
    behind = best - max(entry.done for entry in mine)
    slack = math.log(trace.beam) - behind
    note = "the best over these words" if behind < 1e-9 else f"{log_text(behind)} behind the best over these words"
    room = "" if math.isinf(slack) else f"; β = {beam_text(trace.beam)} leaves {log_text(slack)} more"
    return [Heading("In the chart"), Paragraph(f"It is {note}{room}.")]


def explain_cell(result: ParseResult, parse: Parse, start: int, end: int) -> Explanation:
    """A cell of the chart: its entries, and how many proposals met which fate."""
    words = parse.sentence.proper_words
    title = " ".join(words[start:end])
    title = title if len(title) <= 48 else title[:47] + "…"
    trace = result.parse.chart
    if trace is None:
        return Explanation(title, "a cell of the chart", (Paragraph("The chart is being traced …", True),))
    cell = trace.cell(start, end)
    fates = tuple((PRUNING_REASONS[fate], f"{count:,}") for fate, count in cell.fates.items() if count)
    blocks: list[ExplanationBlock] = []
    if fates:
        blocks += [Heading("What became of the proposals"), TableBlock(("fate", ""), fates, (1,))]
    else:
        blocks.append(Paragraph("Nothing was proposed over these words."))
    if cell.entries:
        best = max(entry.done for entry in cell.entries)
        rows = tuple(
            (
                entry.label,
                words[entry.head],
                log_text(entry.score),
                log_text(entry.done - best),
                "•" if entry.on_best else "",
            )
            for entry in cell.entries[:ITEMS_SHOWN]
        )
        blocks += [Heading("Entries, best first"), TableBlock(("label", "head", "log P", "to best", ""), rows, (2, 3))]
        if len(cell.entries) > ITEMS_SHOWN:
            blocks.append(
                Paragraph(f"and {len(cell.entries) - ITEMS_SHOWN:,} more; the table below the chart has all", True)
            )
    note = f"words {start + 1} to {end},  {sum(cell.fates.values()):,} proposals"
    return Explanation(title, note, tuple(blocks))


def explain_edge(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """A constituent that was proposed: what it joins, its new factors, its fate."""
    trace = result.parse.chart
    if trace is None or not 0 <= number < len(trace):
        return Explanation("A proposal", "", (Paragraph("The chart is being traced …", True),))
    proposal = trace.proposal(number)
    words = parse.sentence.proper_words
    inside = " ".join(words[proposal.start : proposal.end])
    blocks: list[ExplanationBlock] = [
        Paragraph(f"{_kind(proposal)} Head-word `{words[proposal.head]}`/{proposal.head_tag}.")
    ]
    rows: list[tuple[str, str]] = []
    for side, name in ((proposal.left, "left part"), (proposal.right, "right part")):
        if side >= 0:
            entry = trace.entry(side)
            rows.append(
                (f"{name if proposal.right >= 0 else 'its child'}: {_entry(entry, words)}", log_text(entry.score, 3))
            )
    used = math.fsum(trace.entry(side).score for side in (proposal.left, proposal.right) if side >= 0)
    for name, value in (
        ("gap tags", proposal.gap),
        (f"F̂ of {proposal.relation}" if proposal.relation else "F̂", proposal.dependency),
        ("unaries", proposal.unary),
        ("tags P(t|S)", proposal.tag),
    ):
        if value:
            rows.append((name, log_text(value, 3)))
    rest = proposal.score - used - proposal.gap - proposal.dependency - proposal.unary - proposal.tag
    if abs(rest) > 5e-4 and math.isfinite(rest):
        # A part that is finished where it joins pays for having no unary parent.
        rows.append(("no unary over its parts", log_text(rest, 3)))
    rows.append(("log P", log_text(proposal.score, 3)))
    blocks += [Heading("Score"), TableBlock(("part", "log P"), tuple(rows), (1,), total=True), Heading("Fate")]
    fate = PRUNING_REASONS[proposal.fate]
    note = fate[:1].upper() + fate[1:]
    if proposal.fate != "kept" and proposal.margin and math.isfinite(proposal.margin):
        note += f", by {log_text(abs(proposal.margin))}"
    if proposal.fate == "dominated" and proposal.entry >= 0:
        winner = trace.entry(proposal.entry)
        note += f": entry {winner.number}, {_entry(winner, words)}, has {log_text(winner.score)}"
    blocks.append(Paragraph(note + "."))
    return Explanation(
        f"{proposal.label or proposal.head_tag}  {inside[:48]}",
        f"proposal {number + 1:,} of {len(trace):,}",
        tuple(blocks),
    )


def _kind(proposal: Proposal) -> str:
    return {
        "word": "A single word.",
        "baseNP": "A baseNP, made by the gap tags.",
        "unary": f"A unary production {proposal.label} → {proposal.head_label}.",
        "grow right": f"One more modifier on the right: {proposal.relation}.",
        "start right": f"A first modifier, on the right: {proposal.relation}.",
        "grow left": f"One more modifier on the left: {proposal.relation}.",
        "start left": f"A first modifier, on the left: {proposal.relation}.",
    }[proposal.kind]


def _entry(entry: Entry, words: list[str]) -> str:
    inside = " ".join(words[entry.start : entry.end])
    return f"{entry.label} `{inside if len(inside) <= 30 else inside[:29] + '…'}`"


def explain_item(result: ParseResult, parse: Parse, number: int) -> Explanation:
    """An entry of the chart: the proposal that it was."""
    trace = result.parse.chart
    if trace is None:
        return Explanation("An entry", "", (Paragraph("The chart is being traced …", True),))
    entry = trace.entry(number)
    for proposal in trace.proposals_in(entry.start, entry.end):
        if proposal.fate == "kept" and proposal.entry == number:
            return explain_edge(result, parse, proposal.number)
    inside = " ".join(parse.sentence.proper_words[entry.start : entry.end])
    note = Paragraph(
        f"Log probability {log_text(entry.score, 4)}; {signed(entry.done - entry.score)} for no unary parent."
    )
    return Explanation(entry.label, inside[:60], (note,))
