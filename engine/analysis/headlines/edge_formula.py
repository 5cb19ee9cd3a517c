"""The score of an edge of the chart as a product: what it is built from, its own factors, and their numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.analysis.headlines.wording import probability, span_text
from engine.chart.trace import Edge, Trace

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
