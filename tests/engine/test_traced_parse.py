"""Where a parse is in the chart: the most probable, a re-ranked one, the n-th best, under a what-if, as fragments."""

from __future__ import annotations

import itertools

import pytest

import engine
from engine.chart.derivation import derivation_steps
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.trace import NOWHERE, TracedParse, trace_parse
from engine.structure.constraints import Attachment, Constraint

SENTENCES = (
    "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
    "John/NNP Smith/NNP ,/, the/DT president/NN of/IN IBM/NNP ,/, announced/VBD his/PRP$ resignation/NN ./.",
    "the old man saw a dog in the park",
    "Mary/NNP",
)

LONGER = (
    "We/PRP ate/VBD dinner/NN before/IN the/DT movie/NN started/VBD ./.",
    "the old man saw a dog in the park with a telescope before dinner",
)


def traced(parse: Parse) -> TracedParse:
    assert parse.chart is not None
    return trace_parse(parse.chart, parse.roots, parse.sentence.proper_tags)


def constituents(parse: Parse) -> set[tuple[int, int, str, int]]:
    """Span, label and head of every constituent of the search."""
    return {(one.start, one.end, one.label, one.head) for root in parse.roots for one in root.walk()}


def in_chart(parse: Parse) -> set[tuple[int, int, str, int]]:
    """The same of the chart items that stand for the parse."""
    assert parse.chart is not None
    items = [parse.chart.item(number) for number in traced(parse).item_numbers]
    return {(one.start, one.end, one.label, one.head) for one in items}


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("preset", [1, 4, 5])
def test_every_one_of_the_n_best_is_found_in_the_chart(classroom: engine.Model, text: str, preset: int) -> None:
    parse = Parser.preset(classroom, preset, beam=1e6).parse(text, n_best=8, trace=True)
    for one in parse.alternatives:
        found = traced(one)
        assert not found.missing
        assert constituents(one) <= in_chart(one)
        assert len(found.item_numbers) == len(found.steps) == len(list(derivation_steps(*one.roots)))
    # Within a baseNP other tags make no other edges.
    different = {(traced(one).edges, one.sentence.tags) for one in parse.alternatives}
    assert len(different) == len(parse.alternatives)


def test_the_edges_of_the_most_probable_parse_are_kept_and_add_up_to_its_score(classroom: engine.Model) -> None:
    parse = Parser.preset(classroom, 3).parse(SENTENCES[0], trace=True)
    assert parse.chart is not None
    found = traced(parse)
    edges = [parse.chart.edge(number) for number in found.edges]
    assert {edge.pruning_reason for edge in edges} == {"kept"}
    for step, edge, item in zip(found.steps, edges, found.items, strict=True):
        assert (edge.kind, edge.start, edge.end, edge.item) == (step.kind, step.start, step.end, item)
        assert found.children[item] == parse.chart.children(item)
    root = next(factor.log for factor in parse.ledger() if factor.kind == "root")
    assert parse.chart.item(found.items[-1]).done + root == pytest.approx(parse.log_probability, abs=1e-9)


def test_an_edge_of_the_second_best_may_be_dominated_and_its_item_stands_for_it(classroom: engine.Model) -> None:
    dominated = 0
    for text, preset in itertools.product(SENTENCES, (1, 3, 4)):
        parse = Parser.preset(classroom, preset, beam=1e6).parse(text, n_best=8, trace=True)
        assert parse.chart is not None
        for one in parse.alternatives:
            found = traced(one)
            for number, item in zip(found.edges, found.items, strict=True):
                edge, standing = parse.chart.edge(number), parse.chart.item(item)
                dominated += edge.pruning_reason == "dominated"
                assert (edge.label, edge.head, edge.head_label) == (standing.label, standing.head, standing.head_label)
    assert dominated


def test_a_parse_under_a_what_if_is_found_in_its_own_chart(classroom: engine.Model) -> None:
    parser = Parser.preset(classroom, 3)
    free = parser.parse(SENTENCES[0], trace=True)
    head = free.heads()[4]
    what_if: tuple[Constraint, ...] = (Attachment(4, 3 if head == 1 else 1),)
    forced = parser.parse(SENTENCES[0], constraints=what_if, trace=True)
    assert not traced(forced).missing
    assert constituents(forced) <= in_chart(forced)
    assert constituents(forced) != constituents(free)


def test_fragments_are_found_side_by_side(classroom: engine.Model) -> None:
    parse = Parser.preset(classroom, 1).parse("dog/NN dog/VBD man/DT man/DT", trace=True)
    assert parse.fallback and len(parse.roots) > 1
    found = traced(parse)
    assert not found.missing
    assert constituents(parse) <= in_chart(parse)


def test_what_a_narrower_chart_has_lost_is_told(classroom: engine.Model) -> None:
    lost = found_whole = 0
    for text in LONGER:
        wide = Parser.preset(classroom, 4, beam=1e6).parse(text, n_best=10)
        narrow = Parser.preset(classroom, 4, beam=1.5).parse(text, trace=True).chart
        assert narrow is not None
        for one in wide.alternatives:
            found = trace_parse(narrow, one.roots, one.sentence.proper_tags)
            assert len(found.missing) == found.items.count(NOWHERE)
            built = {number for numbers in found.edges_by_span.values() for number in numbers}
            assert {narrow.edge(number).item for number in built} == found.item_numbers
            # What stands for a step is over its words, with its label and head: nothing else takes its place.
            for step, item in zip(found.steps, found.items, strict=True):
                if item != NOWHERE:
                    standing = narrow.item(item)
                    assert (standing.start, standing.end, standing.head) == (step.start, step.end, step.head)
            lost += bool(found.missing)
            found_whole += not found.missing
    assert lost and found_whole
