"""The second model and the vote in the window: rows that open, explanations, the list's column, the switch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import engine
from engine.chart.parser import Parser
from engine.estimates.ledger import FactorKind
from engine.explain.explanation import TableBlock
from engine.explain.registry import explain, related
from engine.explain.subjects import DecisionId, DecisionsId, NodeId, SecondModelId, Subject, WordId, id_text
from engine.study.verdicts import VerdictKind, verdict
from engine.study.vote_shares import loses_by_score
from engine.trees.treebank import read_treebank
from explorer.compare.rows import RerankersFactorsId, ledger_rows
from explorer.panels.around_picture import EXPECTED_F1
from explorer.session.document import TextLine
from tests.engine.reranked_models import with_scale
from tests.explorer.compare_driver import show as compare_with
from tests.explorer.window_driver import SAW, Driver
from tests.trained import CLASSROOM

FIVE = 5


@pytest.fixture(scope="module")
def even_path(reranked_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose lists vote with little regard to scores."""
    path = tmp_path_factory.mktemp("model") / "even.model"
    with_scale(engine.load(reranked_path), 0.02).save(path)
    return path


@pytest.fixture
def reranked(qtbot: QtBot, even_path: Path, tmp_path: Path) -> Iterator[Driver]:
    """A window with a model that has all parts."""
    made = Driver(qtbot, tmp_path / "home")
    made.load(even_path, "")
    made.session.editor.set_preset(FIVE)
    show(made, SAW)
    yield made
    made.close()


def show(driver: Driver, text: str) -> None:
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(text)))
    driver.settle()


def ids(driver: Driver) -> list[Subject]:
    rows = driver.window.stages.parse_stage.table.rows_model.rows
    return [row.id for row in rows if isinstance(row.id, SecondModelId | DecisionsId | DecisionId)]


def click_row(driver: Driver, id: Subject) -> None:
    table = driver.window.stages.parse_stage.table
    place = next(at for at, row in enumerate(table.rows_model.rows) if row.id == id)
    index = table.rows_model.index(place, 1)
    table.scrollTo(index)
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, table.visualRect(index).center()
    )
    driver.process_events()


def test_one_row_opens_to_constituents_and_those_to_decisions(reranked: Driver) -> None:
    assert ids(reranked) == [SecondModelId()]
    click_row(reranked, SecondModelId())
    groups = [one for one in ids(reranked) if isinstance(one, DecisionsId)]
    parse = reranked.session.parses.shown
    assert parse is not None and len(groups) == len({*ids(reranked)}) - 1 > 4
    for group in groups:
        click_row(reranked, group)
    decisions = [one for one in ids(reranked) if isinstance(one, DecisionId)]
    assert len(decisions) == len(parse.ledger().second_model) > 30
    for group in groups:
        click_row(reranked, group)
    click_row(reranked, SecondModelId())
    assert ids(reranked) == [SecondModelId()]


def test_every_row_of_the_second_model_opens_an_explanation(reranked: Driver) -> None:
    stage, view = reranked.window.stages.parse_stage, reranked.session.view
    stage.unfold(SecondModelId())
    for group in [one for one in ids(reranked) if isinstance(one, DecisionsId)]:
        stage.unfold(group)
    inspector = reranked.window.inspector
    titles = set()
    for id in ids(reranked):
        view.select(id)
        reranked.process_events()
        explanation = inspector.explanation
        titles.add(explanation.title)
        text = explanation.text()
        assert explanation.title != "This parse" and " × " in text, id
        if isinstance(id, DecisionId):
            assert "λ = n / (n + 4 u)" in text and "floor" in text and "in the score" in text
            tables = [block for block in explanation.blocks if isinstance(block, TableBlock)]
            assert len(tables) == 2 and all(row[1] for row in tables[0].rows)
            assert explanation.latex()
    assert len(titles) > 30


def test_the_ledger_in_the_window_sums_to_the_score(reranked: Driver) -> None:
    parse = reranked.session.parses.shown
    assert parse is not None
    rows = reranked.window.stages.parse_stage.table.rows_model.rows
    second = next(row for row in rows if row.id == SecondModelId())
    total = next(row for row in rows if "score" in row.cells[1])
    features = sum(factor.log for factor in parse.ledger().features)
    shown = float(second.cells[2].replace("−", "-"))
    assert parse.log_probability + shown + features == pytest.approx(parse.score, abs=1e-3)
    assert float(total.cells[2].replace("−", "-")) == pytest.approx(parse.score, abs=1e-3)


def test_a_decision_lights_its_words(reranked: Driver) -> None:
    parse = reranked.session.parses.shown
    assert parse is not None
    taken = next(factor.subject for factor in parse.ledger().second_model if "is headed by telescope" in factor.what)
    found = related(parse, DecisionId(taken.number))  # type: ignore[union-attr]
    assert WordId(6) in found and len(found) == 2
    assert related(parse, SecondModelId()) == set()
    assert (id_text(SecondModelId()), id_text(DecisionId(3)), id_text(DecisionsId(2))) == (
        "second-model",
        "decision-3",
        "decisions-2",
    )


def test_an_id_of_another_tree_explains_the_parse(reranked: Driver) -> None:
    result, parse = reranked.session.parses.result, reranked.session.parses.shown
    assert result is not None and parse is not None
    for id in (DecisionId(9999), DecisionsId(9999)):
        assert explain(result.context(parse), id).title == "This parse"
        assert related(parse, id) == set()


def test_a_constituent_has_its_share_of_the_vote_and_its_decisions(reranked: Driver) -> None:
    result, parse = reranked.session.parses.result, reranked.session.parses.shown
    assert result is not None and parse is not None and parse.votes is not None
    nodes = [one for one in reranked.canvas.drawing.regions if isinstance(one, NodeId)]  # type: ignore[union-attr]
    assert len(nodes) > 4
    for node in nodes:
        text = explain(result.context(parse), node).text()
        assert "VOTE" in text and "the list" in text
        assert "SECOND MODEL" in text


def test_the_parse_says_that_the_vote_went_against_the_highest_score(reranked: Driver) -> None:
    model = reranked.session.parses.model
    assert model is not None
    parser = Parser.preset(model, FIVE)
    trees = [tree for tree in read_treebank([CLASSROOM])]
    lost = next(tree for tree in trees if verdict(parser, tree).kind is VerdictKind.VOTED)
    show(reranked, lost.brackets())
    result = reranked.session.parses.result
    assert result is not None and loses_by_score(result.parse) and result.highest is not None
    reranked.window.inspector.refresh()
    text = reranked.window.inspector.explanation.text()
    assert "Chosen by expected F1" in text and "not by score" in text and "CHOICE BY EXPECTED F1" in text
    table = reranked.window.stages.alternatives
    table.refresh()
    assert not table.isColumnHidden(EXPECTED_F1)
    rows = table.rows_model.rows
    values = [float(row.cells[EXPECTED_F1].split()[0]) for row in rows]
    assert len(values) > 1 and values == sorted(values, reverse=True) and rows[0].cells[-1] == "chosen"


def test_the_switch_chooses_by_score(reranked: Driver) -> None:
    strip = reranked.window.settings_strip
    assert strip.states()["expected-f1"] and reranked.session.editor.settings.expected_f1
    reranked.do("expected-f1")
    reranked.settle()
    parse = reranked.session.parses.shown
    assert parse is not None and parse.votes is None
    assert not reranked.session.editor.settings.expected_f1 and not strip.states()["expected-f1"]
    table = reranked.window.stages.alternatives
    table.refresh()
    assert table.isColumnHidden(EXPECTED_F1) and table.rows_model.rows[0].cells[-1] == "the best"
    reranked.window.inspector.refresh()
    assert "EXPECTED F1" not in reranked.window.inspector.explanation.text()
    reranked.session.editor.set_preset(3)
    reranked.settle()
    assert not reranked.window.named_actions["expected-f1"].isEnabled()
    assert ids(reranked) == []


def test_a_tree_that_was_voted_down_is_found_by_the_button(reranked: Driver) -> None:
    model = reranked.session.parses.model
    assert model is not None
    parser = Parser.preset(model, FIVE)
    judged = ((tree, verdict(parser, tree)) for tree in read_treebank([CLASSROOM]))
    lost = next(tree for tree, found in judged if found.repair is not None and found.repair.by_score)
    comparison = compare_with(reranked, lost.brackets())
    assert comparison.verdict is not None and comparison.verdict.kind is VerdictKind.VOTED
    folded = RerankersFactorsId(FactorKind.GENERATIVE)
    assert any(row.id == folded for row in ledger_rows(comparison))
    assert not any("takes" in row.cells[2] + row.cells[4] for row in ledger_rows(comparison))
    rows = ledger_rows(comparison, (folded,))
    assert any("takes" in row.cells[2] + row.cells[4] for row in rows)
    button = reranked.window.features.comparison.panel.repair
    assert button.text() == "Choose by score"
    button.click()
    reranked.settle()
    assert not reranked.session.editor.settings.expected_f1
