"""Comparing long sentences: what both trees have is folded, what differs stays in sight."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import engine
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import NodeId
from explorer.compare.panel import TREES
from explorer.compare.pictures import differing_part, equal_spans
from explorer.pictures.drawing import Text
from explorer.pictures.facts import facts_of
from explorer.pictures.folding import folded_columns, folded_ids, hides
from explorer.pictures.layout import PlacedNode
from explorer.pictures.marks import tree_marks
from explorer.pictures.options import TreeOptions
from explorer.pictures.tree import tree_picture
from explorer.session.document import TextLine
from tests.explorer.table_metrics import TableMetrics
from tests.explorer.window_driver import Driver

LONG = (
    "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ,/, and/CC the/DT president/NN of/IN the/DT company/NN "
    "said/VBD that/IN John/NNP saw/VBD the/DT woman/NN in/IN the/DT park/NN with/IN the/DT dog/NN ./."
)
METRICS = TableMetrics()


@pytest.fixture(scope="module")
def parses(classroom_path: Path) -> tuple[Parse, ...]:
    """The best parses of a long sentence."""
    model = engine.load(classroom_path)
    return Parser.preset(model, number=3).parse(model.read_tagged(LONG), n_best=10).alternatives


def brackets(node: PlacedNode) -> str:
    """A tree as brackets over its tokens."""
    inside = " ".join(map(brackets, node.children)) or str(node.start)
    return f"({node.label} {inside})"


def uppermost(parse: Parse) -> dict[tuple[int, int], PlacedNode]:
    """The upper constituent over every span."""
    found: dict[tuple[int, int], PlacedNode] = {}
    for node in facts_of(parse).tree_nodes().walk():
        found.setdefault((node.start, node.end), node)
    return found


def test_what_is_folded_is_the_same_in_both_and_nothing_larger_is(parses: tuple[Parse, ...]) -> None:
    folded = 0
    for other in parses[1:]:
        spans = equal_spans(parses[0], other)
        mine, theirs = uppermost(parses[0]), uppermost(other)
        for start, end in spans:
            assert brackets(mine[start, end]) == brackets(theirs[start, end]) and end - start > 1
        # No constituent that is the same in both lies around a folded one, or beside them all.
        for (start, end), node in mine.items():
            same = (start, end) in theirs and brackets(theirs[start, end]) == brackets(node)
            if same and node.children and end - start > 1:
                assert any(one <= start and end <= two for one, two in spans)
        folded += len(spans)
    assert folded > 10
    assert equal_spans(parses[0], parses[0]) == frozenset()


def test_what_was_opened_is_not_folded(parses: tuple[Parse, ...]) -> None:
    spans = equal_spans(parses[0], parses[1])
    widest = max(spans, key=lambda span: span[1] - span[0])
    opened = equal_spans(parses[0], parses[1], frozenset({widest}))
    assert widest not in opened and spans - {widest} <= opened
    assert all(widest[0] <= start and end <= widest[1] for start, end in opened - spans)


def test_all_that_differs_is_still_in_the_picture(parses: tuple[Parse, ...]) -> None:
    parts = 0
    for other in parses[1:]:
        spans = equal_spans(parses[0], other)
        part = differing_part(parses[0], other)
        columns = folded_columns((parses[0], other), spans, METRICS)
        for number, (parse, against) in enumerate(((parses[0], other), (other, parses[0]))):
            marks = tree_marks(parse, against)
            for within in (None, part[number]) if part is not None else (None,):
                options = TreeOptions(collapsed=folded_ids(parse, spans), within=within, marks=marks)
                drawing = tree_picture(parse, METRICS, options, columns)
                assert {id for id, mark in marks if mark == "extra"} <= set(drawing.regions)
            assert drawing.width < tree_picture(parse, METRICS).width
        parts += part is not None
    assert parts > 0


def test_words_of_a_folded_constituent_stay_within_its_columns(parses: tuple[Parse, ...]) -> None:
    spans = equal_spans(parses[0], parses[1])
    columns = folded_columns(parses[:2], spans, METRICS)
    drawing = tree_picture(
        parses[0], METRICS, TreeOptions(collapsed=folded_ids(parses[0], spans), joined=True), columns
    )
    rows: dict[float, list[tuple[float, float]]] = {}
    for text in drawing.shapes:
        if isinstance(text, Text):
            half = METRICS.width(text.text, text.style) / 2
            rows.setdefault(text.y, []).append((text.x - half, text.x + half))
    assert spans and max(map(len, rows.values())) > 2
    for row in rows.values():
        row.sort()
        assert all(left[1] <= right[0] + 1e-6 for left, right in itertools.pairwise(row))


@pytest.mark.usefixtures("paper_model")
def test_a_click_opens_what_is_folded(driver: Driver) -> None:
    model = driver.session.parses.model
    assert model is not None
    gold = Parser.preset(model, number=3).parse(model.read_tagged(LONG), n_best=4).alternatives[3].tree.brackets()
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(gold)))
    driver.window.features.comparison.show()
    panel = driver.window.features.comparison.panel
    panel.pictures.setCurrentIndex(TREES)
    driver.settle()
    driver.until(lambda: panel.settled and driver.window.features.comparison.comparisons.comparison is not None)
    comparison = driver.window.features.comparison.comparisons.comparison
    assert comparison is not None
    driver.until(lambda: panel.settled and panel.canvas.drawing is not None and bool(panel.canvas.drawing.regions))
    spans = sorted(equal_spans(comparison.first, comparison.second), key=lambda span: span[0] - span[1])
    before = panel.canvas.drawing
    assert before is not None
    hidden = before.folded or tuple(
        (id.start, id.end)
        for span in spans
        for id in folded_ids(comparison.first, frozenset({span}))
        if isinstance(id, NodeId)
    )
    node = next(id for id in before.regions if isinstance(id, NodeId) and (id.start, id.end) in hidden)
    panel.canvas.selected.emit(node)
    driver.until(lambda: panel.settled and panel.canvas.drawing is not before)
    after = panel.canvas.drawing
    assert after is not None
    if before.folded:
        assert not any(hides(span, [(node.start, node.end)]) for span in after.folded)
    else:
        assert len(after.regions) > len(before.regions)
