"""Glosses: one for every sign that the window shows, where it is pointed at and in the text of the picture."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QTableView, QTextEdit, QToolTip

from engine.chart.parse import Parse
from engine.common.resources import bundled_models, resources_folder
from engine.explain import glosses
from engine.explain.explanation import Section
from engine.explain.glosses import glossary
from engine.explain.registry import glosses_of
from engine.explain.subjects import ArrowId, ChartCellId, EdgeId, ItemId, NodeId, WordId
from engine.model.model import Model
from engine.settings import PRESETS, SETTING_NAMES, Settings
from engine.structure.constituents import CORE
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.study.browser import Browser
from engine.study.errors import ErrorClass
from engine.study.verdicts import VerdictKind
from explorer.kit.tables import RowsView
from explorer.panels.stage_view import TWIN
from explorer.stages.stages import STAGES, SentenceStage
from tests.explorer.window_driver import Driver
from tests.stage_names import NAMES, SENTENCE

MANUAL = resources_folder() / "manual"


@pytest.fixture(scope="module", params=list(bundled_models()))
def model(request: pytest.FixtureRequest) -> Model:
    """Every model that comes with the program."""
    return Model.load(bundled_models()[request.param])


def test_every_tag_and_label_of_the_models_has_a_gloss(model: Model) -> None:
    tags = {*model.vocabulary.tags, *(model.tagger.tags if model.tagger else ())}
    labels = {label for label in model.vocabulary.labels if label}
    assert len(tags) > 30 and CORE in labels
    assert [tag for tag in sorted(tags) if glosses.tag_gloss(tag) is None] == []
    assert [label for label in sorted(labels) if glosses.label_gloss(label) is None] == []


def test_every_triple_of_the_models_has_a_gloss_that_names_its_labels(model: Model) -> None:
    triples = model.vocabulary.triples
    assert len(triples) > 50
    for triple in triples:
        relation = triple if isinstance(triple, Relation) else Relation(*triple)
        gloss = glosses.relation_gloss(relation)
        assert gloss is not None and relation.modifier in gloss.text, relation


def test_gap_tags_symbols_presets_and_settings_have_glosses() -> None:
    assert all(glosses.gap_gloss(letter) is not None for letter in GAP_LETTERS)
    signs = ("η", "δ", "λ", "λ₁", "Δ", "β", "S̄", "F̂", "P̂", "E1", "E₂", "E₂₃", "E4", "nats", "R")
    assert [sign for sign in signs if glosses.symbol_gloss(sign) is None] == []
    assert glosses.symbol_gloss("ξ") is None
    assert [field.name for field in fields(Settings)] and {field.name for field in fields(Settings)} == set(
        SETTING_NAMES
    )
    for field in fields(Settings):
        assert glosses.setting_gloss(field.name).name == SETTING_NAMES[field.name]
    assert {glosses.preset_gloss(number).name[:3] for number in PRESETS} == {f"({number})" for number in PRESETS}
    assert all(glosses.column_gloss(str(kind)) is not None for kind in (*VerdictKind, *ErrorClass))


def test_every_action_says_what_it_does(driver: Driver) -> None:
    actions = driver.window.named_actions.entries
    assert len(actions) > 140
    for action in actions:
        assert len(action.tip) > 8 and (action.tip[0].isupper() or action.tip[0] in "βΔ"), action.name


def test_every_gloss_leads_to_a_heading_of_the_manual() -> None:
    seen = 0
    for table in glosses.glosses().values():
        for gloss in table.values():
            page, _, anchor = gloss.page.partition("#")
            text = (MANUAL / page).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert not anchor or anchor in anchors, gloss
            assert gloss.text and not gloss.text.endswith("."), gloss
            seen += 1
    assert seen > 200


@pytest.mark.parametrize(
    "line",
    ["NN noun", "[tags]  a.md\nNN  noun\nNN  noun", "[fish]  a.md", "NN  noun", "[tags]  a.md\nNN  noun  elsewhere"],
)
def test_a_table_that_is_not_well_written_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "glosses.txt"
    path.write_text(f"; a remark\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"glosses.txt, line \d"):
        glosses.read_glosses(path)


def test_marks_speak_of_their_own_label() -> None:
    for label, told in (("NP+", "another NP"), ("VP&", "the VP after it"), ("ADJP++", "ADJP+"), ("NPX", "core of NP")):
        gloss = glosses.label_gloss(label)
        assert gloss is not None and gloss.name == label and told in gloss.text
    assert glosses.label_gloss("FISH+") is None


@pytest.mark.parametrize(
    ("text", "sign", "name"),
    [
        ("F̂ = λ₁ × E₁ + (1 − λ₁) × E₂₃", "E₂₃", "E23"),
        ("with → man <PP,NP,NP+>", "NP+", "NP+"),
        ("his/PRP$", "PRP$", "PRP$"),
    ],
)
def test_signs_are_found_in_running_text(text: str, sign: str, name: str) -> None:
    found = glosses.sign_at(text, text.index(sign))
    assert found is not None and found.name == name
    assert glosses.sign_at("with → man", 1) is None


def test_every_column_of_the_window_has_a_gloss(driver: Driver) -> None:
    window = driver.window
    # A stage's tables are made when it is first shown.
    for stage in STAGES:
        driver.go(stage.name)
        driver.settle()
    views = [view for view in window.findChildren(QTableView) if isinstance(view, RowsView)]
    seen = 0
    for view in views:
        for section in range(view.rows_model.columnCount()):
            title = view.rows_model.headerData(section, Qt.Orientation.Horizontal)
            if title:
                tip = view.rows_model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
                assert tip, f"{view.accessibleName()}: {title}"
                seen += 1
    assert seen > 40


@pytest.mark.parametrize("query", ["with", "with/IN", "NN", "saw man", "<PP,NP,NP>"])
def test_every_column_of_the_model_browser_has_a_gloss(query: str, classroom: Model) -> None:
    titles = [title for table in Browser(classroom).find(query).tables for title in table.header]
    assert titles and [title for title in titles if title and glosses.column_gloss(title) is None] == []


# Where they are shown


def tip_at(driver: Driver, id: object) -> str:
    """The tool tip over a thing of the picture."""
    region = driver.canvas.drawing.regions[id]  # type: ignore[union-attr,index]
    place = driver.canvas.mapFromScene(*region.bounds.centre)
    viewport = driver.canvas.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_pictures_say_what_their_signs_mean(driver: Driver) -> None:
    parse = driver.session.parses.shown
    assert isinstance(parse, Parse) and driver.canvas.drawing is not None
    assert "noun, singular" in tip_at(driver, WordId(3))
    node = next(id for id in driver.canvas.drawing.regions if isinstance(id, NodeId) and id.label == "PP")
    region = driver.canvas.drawing.regions[node]
    assert "PP: prepositional phrase" in driver.canvas.description(region)
    arrow = driver.canvas.drawing.regions[ArrowId(0)]
    assert "subject and verb phrase" in driver.canvas.description(arrow)


def test_cells_items_and_edges_of_the_chart_say_what_their_labels_mean(driver: Driver) -> None:
    driver.go("chart")
    driver.settle()
    result = driver.session.parses.result
    assert result is not None and result.parse.chart is not None
    parse, trace, drawing = result.parse, result.parse.chart, driver.canvas.drawing
    assert drawing is not None
    cells = [id for id in drawing.regions if isinstance(id, ChartCellId)]
    labelled = [id for id in cells if trace.cell(id.start, id.end).items]
    assert len(labelled) > 10
    for id in labelled:
        label = trace.cell(id.start, id.end).items[0].label
        gloss = glosses.label_gloss(label)
        assert gloss is not None and gloss.text[:20] in driver.canvas.description(drawing.regions[id]).replace(
            "\n", " "
        )
    whole = ChartCellId(0, len(parse.sentence.positions))
    assert "S: " in tip_at(driver, whole)
    assert [one for one in cells if one not in labelled and glosses_of(parse, one)] == []
    joined = 0
    for number in range(len(trace)):
        edge = trace.edge(number)
        told = glosses_of(parse, EdgeId(number))
        assert told[0] == glosses.label_gloss(edge.label)
        if edge.relation is not None:
            assert told[1] == glosses.relation_gloss(edge.relation)
            joined += 1
        if edge.item >= 0:
            assert glosses_of(parse, ItemId(edge.item)) == [glosses.label_gloss(trace.item(edge.item).label)]
    assert joined and glosses_of(parse, EdgeId(len(trace))) == []


def sign_in_text(driver: Driver, view: QTextEdit, sign: str) -> str:
    """The tool tip over the first place of a text where a sign stands."""
    cursor = view.document().find(sign)
    assert not cursor.isNull(), sign
    cursor.setPosition(cursor.selectionStart() + 1)
    view.setTextCursor(cursor)
    view.ensureCursorVisible()
    driver.process_events()
    place = view.cursorRect(cursor).center()
    viewport = view.viewport()
    # A tool tip goes a moment after it is told to.
    QToolTip.hideText()
    driver.until(lambda: not QToolTip.isVisible())
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    text = QToolTip.text().replace("\n", " ") if QToolTip.isVisible() else ""
    QToolTip.hideText()
    return text


@pytest.mark.usefixtures("paper_model")
def test_signs_in_the_text_of_the_inspector_have_tool_tips(driver: Driver) -> None:
    inspector = driver.window.inspector
    driver.session.view.select(ArrowId(4))
    driver.process_events()
    assert "prepositional phrase" in sign_in_text(driver, inspector.view, "PP,NP,NP")
    # The head of a column, and in a section that is opened a symbol of a formula.
    told = sign_in_text(driver, inspector.view, "P of (8)")
    assert glosses.glosses()[glosses.COLUMNS]["P of (8)"].text in told
    inspector.fold(Section.ESTIMATE)
    assert glosses.glosses()[glosses.SYMBOLS]["λ"].text[:30] in sign_in_text(driver, inspector.view, "λ₁")
    # A word of the sentence has none.
    assert sign_in_text(driver, inspector.view, "with") == ""


def test_the_text_of_a_picture_ends_with_its_glosses(driver: Driver) -> None:
    parse = driver.session.parses.shown
    assert parse is not None
    names = [gloss.name for gloss in glossary(parse)]
    assert {"NNP", "VBD", "NP", "VP", "S"} <= set(names)
    for stage in NAMES:
        driver.session.view.go_to(stage)
        driver.settle()
        assert "  VBD: verb, past tense: saw" in driver.canvas.text_twin.splitlines()
    driver.window.stages.tabs.setCurrentIndex(TWIN)
    driver.process_events()
    assert "VBD: verb, past tense" in driver.window.stages.twin.toPlainText()


def test_cells_with_tags_and_heads_of_columns_have_tool_tips(driver: Driver) -> None:
    driver.session.view.go_to(SENTENCE)
    driver.settle()
    rows = driver.window.stages.picture.of(SentenceStage).table.rows_model
    tips = {rows.data(rows.index(row, 2), Qt.ItemDataRole.ToolTipRole) for row in range(rows.rowCount())}
    assert "VBD\nVBD: verb, past tense: saw" in tips
    head = rows.headerData(3, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert head == "Probability of the tag given the sentence, by the tagger"


def test_presets_and_switches_have_one_name_everywhere(driver: Driver) -> None:
    actions, strip = driver.window.named_actions, driver.window.settings_strip
    driver.do("preset-3")
    driver.settle()
    assert strip.preset.text() == "(3) words before tags ▾"
    assert actions["preset-3"].text() == "Preset (3) words before tags"
    for name, button in strip.switches.items():
        assert button.text() == actions[name].text() in SETTING_NAMES.values()
    pages = [(MANUAL / page).read_text(encoding="utf-8") for page in ("tour.md", "terminal.md")]
    for button in strip.switches.values():
        # Tags are left open by --tags in the terminal.
        assert all(button.text() in page or button.text() == "Tags left open" for page in pages), button.text()
