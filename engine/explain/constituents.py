"""Constituents, and cells, items and edges of the chart: what they do and how sure they are (sections 3 and 4.1)."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.chart.trace import Cell, ChartItem, Edge, Trace
from engine.common.numbers import amount, probability, share_text, size, times_as_probable
from engine.explain.context import Choice, ExplainedParse
from engine.explain.factors import factor_text
from engine.explain.wording import Closeness, DecidedBy, Headline, all_best, capital, joined, quoted, span_text
from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.constraints import Bracket
from engine.study.vote_shares import vote_on

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


def edge_parts(trace: Trace, edge: Edge) -> list[EdgePart]:
    """What the score of an edge consists of; the logs add up to it."""
    sides = [side for side in (edge.left, edge.right) if side >= 0]
    parts = [EdgePart(PART if len(sides) > 1 else CHILD, side, trace.item(side).score) for side in sides]
    named = ((GAPS, edge.gap), (DEPENDENCY, edge.dependency), (UNARY, edge.unary), (TAGS, edge.tag))
    # The dependency is named even where it costs nothing.
    parts += [EdgePart(kind, -1, log) for kind, log in named if log or (kind == DEPENDENCY and edge.relation)]
    rest = edge.score - math.fsum(part.log for part in parts)
    if abs(rest) > 5e-4 and math.isfinite(rest):
        # A part that is finished where it joins pays for having no unary parent.
        parts.append(EdgePart(FINISHED, -1, rest))
    return parts


def edge_formula(trace: Trace, number: int) -> str:
    """The score of an edge as a product, first with names and then with numbers, in a sentence."""
    edge = trace.edge(number)
    label = edge.label or edge.head_tag
    parts = edge_parts(trace, edge)
    if not parts:
        return f"P({label}) = {_number(edge.score)}: a word by itself costs nothing."
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


# Headlines of constituents: baseNPs and phrases, what they do in the sentence and how sure they are.

_SURE, _UNSURE = 0.95, 0.6
"""Shares of the vote from which on a constituent is clear, and up to which it is nearly a tie."""
_COSTLY = 0.5
"""Nats from which on the dearest factor of a constituent is worth naming."""


def constituent_headline(explained: ExplainedParse, node: Constituent) -> Headline:
    """What a constituent of the parse is and does, and how sure it is."""
    label, start, end = node.label, node.start, node.end
    choice = explained.choice(lambda one: _has(explained, one, node), True, _forced(explained, node))
    what = f"{capital(_what(explained, node))} {_role(explained, node)}."
    share = vote_on(explained.parse.votes, label, start, end).share if explained.parse.votes is not None else None
    marked = label.endswith(JOINED) or _is_core(explained.parse, node)
    how_close, told = _sure(explained, node, None if marked else share, choice)
    reasons = []
    if choice.rival is not None:
        reasons.append(choice.rival.text("without it"))
    if node.is_base:
        reasons += _weakest_gap(explained, node)
    own = explained.explainer.own_factors((node,), True)
    dearest = min(own, key=lambda factor: factor.log, default=None)
    if dearest is not None and dearest.log < -_COSTLY and math.isfinite(dearest.log):
        reasons.append(f"What costs most in it is {factor_text(explained, dearest)}: {amount(dearest.log)} in log P.")
    return Headline(f"{what} {told}", tuple(reasons[:3]), how_close, choice.decided_by)


def _what(explained: ExplainedParse, node: Constituent) -> str:
    words = span_text(explained.words, node.start, node.end)
    if node.is_word:
        return f"the word {words}"
    return f"the baseNP {words}" if node.is_base else f"the {node.label.rstrip(JOINED)} {words}"


def _role(explained: ExplainedParse, node: Constituent) -> str:
    """What the constituent does: heads, modifies, or is the whole."""
    words = explained.words
    headed = f"is headed by {quoted(words[node.head])}"
    parent, place = _parent(explained.parse, node)
    if parent is None:
        if explained.parse.fallback:
            return f"{headed} and is a fragment: no tree spans the sentence"
        return f"is the whole sentence and {headed}"
    label = parent.label.rstrip(JOINED)
    if len(parent.children) == 1:
        return f"{headed} and stands alone under {label}"
    if place == parent.head_child:
        return f"{headed} and is the head of the {label} around it"
    if parent.label.endswith(JOINED):
        return f"{headed} and is joined to {quoted(words[parent.head])}"
    return f"{headed} and modifies {quoted(words[parent.head])}"


def _parent(parse: Parse, node: Constituent) -> tuple[Constituent | None, int]:
    for root in parse.roots:
        for above in root.walk():
            for place, child in enumerate(above.children):
                if child is node:
                    return above, place
    return None, 0


def _is_core(parse: Parse, node: Constituent) -> bool:
    parent, place = _parent(parse, node)
    return parent is not None and parent.head_label == CORE and place == parent.head_child


def _has(explained: ExplainedParse, parse: Parse, node: Constituent) -> bool:
    return (node.label, node.start, node.end) in explained.parses.brackets(parse)


def _forced(explained: ExplainedParse, node: Constituent) -> bool:
    return any(
        isinstance(one, Bracket)
        and not one.forbid
        and (one.start, one.end) == (node.start, node.end)
        and one.label in (None, node.label)
        for one in explained.constraints
    )


def _sure(
    explained: ExplainedParse, node: Constituent, share: float | None, choice: Choice
) -> tuple[Closeness | None, str]:
    """How sure the constituent is: by its share of the vote, or by how many of the list have it."""
    if choice.decided_by is DecidedBy.WHAT_IF:
        return None, "A what-if forces it."
    ending = "." if choice.decided_by is DecidedBy.ESTIMATE else f"; {choice.text}."
    if share is not None:
        if share >= 1 - 1e-9:
            return Closeness.ONLY, "Every parse of the list has it."
        told = f"{share_text(share)} of the list's probability is for it"
        if share >= _SURE:
            return Closeness.CLEAR, f"Clear: {told}{ending}"
        if share > _UNSURE:
            return Closeness.LIKELIER, f"{capital(told)}{ending}"
        if share >= 1 - _UNSURE:
            return Closeness.TIE, f"Nearly a tie: {told}{ending}"
        return Closeness.UNLIKELIER, f"Only {told}{ending}"
    listed = explained.listed
    if len(listed) < 2:
        return None, f"It spans {_words(node)}."
    having = sum(_has(explained, one, node) for one in listed)
    if having == len(listed):
        return Closeness.CLEAR, f"Clear: {all_best(len(listed))} have it."
    verb = "has" if having == 1 else "have"
    told = f"{having} of the {len(listed)} best parses {verb} it"
    rival = choice.rival
    if rival is not None and abs(rival.score) < 0.25:
        return Closeness.TIE, f"Nearly a tie: {told}{ending}"
    return Closeness.LIKELIER, f"{told}{ending}"


def _words(node: Constituent) -> str:
    count = node.end - node.start
    return "one word" if count == 1 else f"{count} words"


def _weakest_gap(explained: ExplainedParse, node: Constituent) -> list[str]:
    """The gap at or in a baseNP whose tag is least sure, if one is not quite sure."""
    tags, words = explained.parse.gap_tags, explained.words
    gaps = [position for position in range(node.start, node.end + 1) if 0 < position < len(words)]
    chances = {position: explained.explainer.gap_distribution(position)[tags[position - 1]] for position in gaps}
    weakest = min(gaps, key=lambda position: chances[position], default=0)
    if not gaps or chances[weakest] >= _SURE:
        return []
    left, right = quoted(words[weakest - 1]), quoted(words[weakest])
    told = probability(chances[weakest])
    return [f"Its least sure gap tag is {tags[weakest - 1]} between {left} and {right}: {told}."]


def restored_headline(explained: ExplainedParse, start: int, end: int, label: str) -> Headline:
    """A bracket that is no part of the search: one inside a baseNP, or the label over a cover of fragments."""
    words = span_text(explained.words, start, end)
    if explained.parse.fallback and end - start == len(explained.words):
        return Headline(f"{label} stands over fragments: no tree spans the sentence. It is no part of the score.")
    return Headline(f"The {label} {words} is put in after parsing, inside its baseNP. It is no part of the score.")
