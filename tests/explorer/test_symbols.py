"""Numbers carry their own symbols: F̂ of an attachment is no P, equation (8)'s value is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

import engine
from engine.chart.search import Control
from engine.common.numbers import log_text, significant
from engine.explain.explanation import Explanation, TableBlock
from engine.explain.registry import explain
from engine.explain.subjects import ArrowId, CandidateId, EdgeId, MatrixCellId, NodeId
from engine.settings import PRESETS, Settings
from explorer.kit.fonts import QtMetrics
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing
from explorer.pictures.matrix import matrix_picture
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.explorer.window_driver import Driver
from tests.stage_names import ESTIMATES

SENTENCES = (
    "Mary saw the man with the telescope.",
    "John Smith, the president of IBM, announced his resignation yesterday.",
)
Asked = Callable[[int, int], ParseResult]


@pytest.fixture(scope="module")
def asked(reranked_path: Path) -> Asked:
    """The full result about a sentence under a preset."""
    model = engine.load(reranked_path)

    @cache
    def ask(number: int, preset: int) -> ParseResult:
        request = ParseRequest(model, Settings.preset(preset), TextLine(SENTENCES[number]))
        return parse_for_window(request, ParserPool(), Control(), lambda quick: None)

    return ask


def tables(explanation: Explanation) -> Iterator[TableBlock]:
    """The tables of an explanation."""
    return (block for block in explanation.blocks if isinstance(block, TableBlock))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_level_is_based_on_no_tag_that_its_count_ignored(asked: Asked, preset: int) -> None:
    """Under (3) and (4) E1 is counted by two words, E2 and E3 by a word and a tag (section 2.7)."""
    seen = 0
    for number in range(len(SENTENCES)):
        made = asked(number, preset)
        parse = made.parse
        words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
        for modifier in parse.reduced:
            for head in parse.reduced:
                if head == modifier:
                    continue
                explanation = explain(made.context(parse), MatrixCellId(modifier, head))
                counts = [table for table in tables(explanation) if table.header[1:2] == ("based on",)]
                for table in counts:
                    based_on = {row[0]: row[1] for row in table.rows}
                    (m, h), (t_m, t_h) = (words[modifier], words[head]), (tags[modifier], tags[head])
                    if preset in (3, 4):
                        expected = (f"{m}, {h}", f"{m}, {t_h}", f"{t_m}, {h}", f"{t_m}, {t_h}")
                    else:
                        expected = (f"{m}/{t_m}, {h}/{t_h}", f"{m}/{t_m}, {t_h}", f"{t_m}, {h}/{t_h}", f"{t_m}, {t_h}")
                    assert tuple(based_on[level] for level in ("E₁", "E₂", "E₃", "E₄")) == expected
                    seen += 1
    assert seen > 10


@pytest.mark.parametrize("preset", (1, 3, 5))
def test_an_attachment_has_f_and_a_p_of_equation_8(asked: Asked, preset: int) -> None:
    made = asked(0, preset)
    parse = made.parse
    words = parse.sentence.proper_words
    for one in parse.dependency_probabilities():
        assert one.factor is not None and one.probability is not None
        shown = explain(made.context(parse), ArrowId(one.modifier))
        assert f"log F̂ {log_text(one.factor.log, 4)}" in shown.subtitle
        # What is said of whole trees is in log P: the reason from the list, and the table of other heads.
        assert "log P" not in re.sub(r"WITH ANOTHER HEAD.*|- The best tree [^\n]*", "", shown.text(), flags=re.DOTALL)
        if one.head < 0:
            assert "Equation (8) sums over the words" in shown.text()
            continue
        (ranked,) = (table for table in tables(shown) if table.header == ("head", "R", "F̂", "P of (8)"))
        cells = ranked.rows[ranked.marked]
        assert cells[0] == words[one.head]
        assert cells[2:] == (significant(one.factor.probability), significant(one.probability))
        for candidate in one.alternatives[:1]:
            text = explain(made.context(parse), CandidateId(one.modifier, candidate.head, candidate.relation)).text()
            assert "log F̂" in text


@pytest.mark.parametrize("preset", (1, 3, 5))
def test_the_inspector_has_p_of_the_dependencies_beside_the_score(asked: Asked, preset: int) -> None:
    for number in range(len(SENTENCES)):
        made = asked(number, preset)
        for parse in made.parse.alternatives[:3]:
            log = parse.dependency_probabilities().log_probability
            shown = explain(made.context(parse), None)
            assert log is not None and f"P(D|S,B) = ∏ P(AF(j)|S,B) = exp({log_text(log, 4)})" in shown.text()
            assert r"P(D|S,B) &= \prod_j P(AF(j)|S,B)" in shown.latex()


def test_a_factor_s_logarithm_is_not_called_log_p(asked: Asked) -> None:
    made = asked(0, 3)
    parse = made.parse
    assert parse.chart is not None
    edges = [explain(made.context(parse), EdgeId(number)) for number in range(0, len(parse.chart), 7)]
    for explanation in (explain(made.context(parse), None), explain(made.context(parse), NodeId(0, 7, "S", 0)), *edges):
        for table in tables(explanation):
            assert "log P" not in table.header, explanation.text()
    kinds = {row[0] for table in tables(explain(made.context(parse), NodeId(0, 7, "S", 0))) for row in table.rows}
    assert {"gap P̂", "dependency F̂", "unary P̂"} <= kinds


def labels(drawing: Drawing) -> list[str]:
    """What the things in a picture say of themselves."""
    return [region.label for region in drawing.regions.values()]


def test_pictures_call_f_what_it_is(asked: Asked, metrics: QtMetrics) -> None:
    parse = asked(0, 3).parse
    arrows = [label for label in labels(arrows_picture(parse, metrics)) if "<" in label]
    assert arrows and all("F̂ = " in label and "log F̂ = " in label for label in arrows)
    cells = [label for label in labels(matrix_picture(parse, metrics)) if "<" in label]
    assert cells and all("F̂ = " in label for label in cells) and not any(" P = " in label for label in cells)


def test_the_stages_tables(driver: Driver) -> None:
    driver.do("preset-3")
    driver.settle()
    parse = driver.session.parses.shown
    assert parse is not None
    probabilities = parse.dependency_probabilities()
    assert probabilities.log_probability is not None
    stage = driver.window.stages.parse_stage
    driver.go("parse")
    driver.settle()
    assert stage.header[2] == "log"
    rows = [row.cells for row in stage.table.rows_model.rows]
    assert {cells[0] for cells in rows} >= {"gap P̂", "dependency F̂", "unary P̂", "root F̂"}
    assert rows[-2][1:3] == ("sum: log P", log_text(parse.log_probability, 3))
    assert rows[-1][1:3] == ("log P(D|S,B)", log_text(probabilities.log_probability, 3))
    driver.session.view.select(None)
    driver.go("estimates")
    driver.settle()
    shown = [row.cells for row in driver.window.stages.stages[ESTIMATES].table.rows_model.rows]  # type: ignore[attr-defined]
    assert len(shown) == len(probabilities)
    for cells, one in zip(shown, probabilities, strict=True):
        assert one.factor is not None and one.probability is not None
        assert cells[4:6] == (significant(one.factor.probability), significant(one.probability))


def test_no_table_of_factors_is_headed_log_p(driver: Driver) -> None:
    """Differences of two ledgers are lists of factors, of which each has its own symbol."""
    window = driver.window
    for table in (
        window.stages.parse_stage.table,
        window.stages.what_ifs.moved,
        window.features.comparison.panel.tables.ledger,
    ):
        model = table.rows_model
        header = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
        assert "log" in header and "log P" not in header
