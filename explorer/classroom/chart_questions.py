"""Questions about the chart: what falls under a narrower beam, and which edge comes next; no Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.chart.trace import ChartItem, Edge, Trace
from engine.common.errors import ChartTooLarge
from explorer.classroom.lesson import PARSE_EDGES, SURVIVING_EDGES, LessonError, Question
from explorer.classroom.posed_question import MOST_OPTIONS, Option, PosedQuestion, shuffled
from explorer.classroom.question_hints import BEAM_HINT, EDGE_HINT
from explorer.document.sentence_parsing import MOST_EDGES, ParseResult, ParserPool
from explorer.graphics.number_text import beam_text
from explorer.graphics.pictures.parse_facts import PRUNING_REASON_TEXTS, Facts, edge_label, facts_of
from explorer.graphics.selection import ChartCellId, EdgeId, Id

_OTHERS = MOST_OPTIONS - 2
"""Options beside the right one."""
_LOOKED_AT = 400
"""Edges after the next one among which plausible others are looked for."""
_Signature = tuple[int, int, str, int]


def pose_beam(question: Question, result: ParseResult, parse: Parse, control: Control | None) -> PosedQuestion:
    """Pose the question what of the chart falls if the beam is narrowed: the sentence is parsed again under it."""
    trace = _trace_of(result)
    beam = math.inf if question.subject in ("∞", "inf") else float(question.subject.replace(",", ""))
    narrow, reached = _narrow_trace(result, beam, control)
    if reached >= trace.beam:
        raise LessonError(
            f"the beam {beam_text(beam)} is no narrower than that of this chart, {beam_text(trace.beam)}; "
            "name a smaller one"
        )
    facts = facts_of(parse)
    kept = {_signature(item) for item in narrow.items}
    own = facts.in_chart.item_numbers if facts.in_chart is not None else frozenset()
    items = {_signature(item): item for item in reversed(trace.items) if item.end - item.start > 1}
    fallen = [item for signature, item in items.items() if signature not in kept]
    stay = [item for signature, item in items.items() if signature in kept]
    if not fallen or not stay:
        what = "nothing" if not fallen else "everything"
        raise LessonError(f"{what} of the chart falls at β = {beam_text(beam)}; name another beam")
    lost = _most_telling(trace, fallen, own)
    near = sorted(stay, key=lambda item: (abs((item.end - item.start) - (lost.end - lost.start)), -item.done))
    made: dict[str, Option] = {}
    for item in (lost, *near):
        text = f"{item.label} over ‘{facts.quoted(item.start, item.end)}’, headed by ‘{facts.words[item.head]}’"
        if text not in made and len(made) <= _OTHERS:
            detail = _why(narrow, item) if item is lost else "stays"
            made[text] = Option(text, None, ChartCellId(item.start, item.end), detail=detail)
    answer = next(iter(made.values()))
    options = shuffled(list(made.values()), question, facts.words)
    return PosedQuestion(
        question,
        question.text or f"Which of these falls if the beam is narrowed to β = {beam_text(beam)}?",
        tuple(options),
        options.index(answer),
        None,
        question.hint or BEAM_HINT,
        frozenset(),
        tuple(parse.sentence.proper_words),
    )


def _most_telling(trace: Trace, fallen: Sequence[ChartItem], own: frozenset[int]) -> ChartItem:
    """Of what falls, what tells most: a constituent of the tree that is shown, then one that was nearly the best."""
    parts = [item for item in fallen if item.end - item.start < trace.size] or fallen

    def place(item: ChartItem) -> tuple[bool, float, int, int]:
        behind = trace.cell(item.start, item.end).items[0].done - item.done
        return item.number in own, -behind, item.end - item.start, -item.number

    return max(parts, key=place)


def _trace_of(result: ParseResult) -> Trace:
    trace = result.parse.chart
    if trace is None:
        raise LessonError("the chart of this sentence was not kept; take a shorter sentence or a smaller β")
    return trace


def _narrow_trace(result: ParseResult, beam: float, control: Control | None) -> tuple[Trace, float]:
    """The chart under another beam, and the beam that it took in the end."""
    request = result.request
    parser = ParserPool().parser(request.model, replace(request.settings, beam=beam))
    found = parser.parse(result.reading.sentence, constraints=request.line.what_ifs, control=control)
    try:
        return parser.trace_last(control, MOST_EDGES), found.beam
    except ChartTooLarge as error:
        raise LessonError("the chart of this sentence is too large to be kept; take a shorter sentence") from error


def _signature(item: ChartItem) -> _Signature:
    return item.start, item.end, item.label, item.head


def _why(narrow: Trace, item: ChartItem) -> str:
    """Why an item is not in the narrower chart."""
    edges = [
        edge for edge in narrow.edges_in(item.start, item.end) if (edge.label, edge.head) == (item.label, item.head)
    ]
    if not edges:
        return "falls: what it is built from is no longer there"
    best = max(edges, key=lambda edge: edge.score)
    return f"falls: {PRUNING_REASON_TEXTS[best.pruning_reason]}"


def pose_next_edge(
    question: Question, result: ParseResult, parse: Parse, chart_step: int | None, replay: str
) -> PosedQuestion:
    """Pose the question which edge the replay comes to next."""
    trace = _trace_of(result)
    if chart_step is None:
        raise LessonError("the whole chart is shown, and no edge comes next; write `- chart step: 12` or the like")
    facts = facts_of(parse)
    following = _replayed(trace, facts, chart_step, replay)
    if not following:
        raise LessonError("no edge comes after this step of the replay; write a smaller `chart step`")
    following_edge = trace.edge(following[0])
    made: dict[str, Option] = {}
    for edge in (following_edge, *_plausible(trace, following_edge, following[1:])):
        text = edge_text(trace, facts, edge)
        if text not in made and len(made) <= _OTHERS:
            made[text] = Option(text, None, EdgeId(edge.number))
    if len(made) < 2:
        raise LessonError("only one edge comes after this step of the replay; write a smaller `chart step`")
    answer = next(iter(made.values()))
    options = shuffled(list(made.values()), question, facts.words)
    covered: frozenset[Id] = frozenset({EdgeId(following[0])})
    return PosedQuestion(
        question,
        question.text or "Which edge does the parser add next?",
        tuple(options),
        options.index(answer),
        None,
        question.hint or EDGE_HINT,
        covered,
        tuple(parse.sentence.proper_words),
    )


def _replayed(trace: Trace, facts: Facts, first: int, replay: str) -> Sequence[int]:
    """Numbers of the edges that a replay still goes through."""
    if replay == PARSE_EDGES:
        numbers = facts.in_chart.edges if facts.in_chart is not None else ()
        return sorted(number for number in set(numbers) if number >= first)
    later: Iterable[int] = range(first, min(len(trace), first + _LOOKED_AT))
    if replay == SURVIVING_EDGES:
        later = (number for number in later if trace.edge(number).pruning_reason == "kept")
    return list(later)


def _plausible(trace: Trace, right: Edge, later: Sequence[int]) -> list[Edge]:
    """Edges that could be thought to come next: those that come soon, of other words or of another label first."""
    soon = [trace.edge(number) for number in later[:_LOOKED_AT]]
    return sorted(soon, key=lambda edge: ((edge.start, edge.end) == (right.start, right.end), edge.number))


def edge_text(trace: Trace, facts: Facts, edge: Edge) -> str:
    """An edge in words: what it builds, and of what."""
    over = f"{edge_label(edge)} over ‘{facts.quoted(edge.start, edge.end)}’"
    match edge.kind:
        case "word":
            return f"{over}: a single word"
        case "baseNP":
            return f"{over}: a baseNP"
        case "unary":
            return f"{over}: from {trace.item(edge.left).label} alone"
    left, right = trace.item(edge.left), trace.item(edge.right)
    parts = [f"{item.label} ‘{facts.quoted(item.start, item.end)}’" for item in (left, right)]
    return f"{over}: {parts[0]} and {parts[1]} joined"
