"""Why is this parse wrong?  The whole path in a window: treebank, difference, verdict, what-if, β, export."""

from __future__ import annotations

import itertools
import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QSplitter
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.explain.subjects import ArrowId, CandidateId, NodeId, WordId
from engine.explain.verdicts import verdict_sentence
from engine.export.latex import needs_unicode_engine
from engine.structure.constraints import Attachment
from engine.structure.dependencies import Relation
from engine.study import treebank_report as report
from engine.study.verdicts import Verdict, VerdictKind, verdict
from engine.trees.tree import Tree
from explorer.compare import sides as comparing
from explorer.compare.panel import ARROWS, BOTH, ERRORS, LEDGER, PRICES, TREES, ComparisonPanel
from explorer.compare.sides import BeamParse, BestParse, GoldTree, ModelParse, PresetParse, RankedParse, WhatIfParse
from explorer.kit.appearance import appearance
from explorer.panels.sentence_list import WORDS
from explorer.session.document import TextLine
from tests.explorer.compare_driver import EVERYDAY, HIGH, IMPOSSIBLE, LOST, LOW, ODD, compared, show
from tests.explorer.window_driver import LEFT, NO_KEY, SAW, Driver, after_crash, drop
from tests.stage_names import GAPS

pytestmark = pytest.mark.usefixtures("paper_model")


def test_from_the_treebank_to_the_exported_verdict(driver: Driver, tmp_path: Path) -> None:
    drop(driver, EVERYDAY)
    driver.until(lambda: len(driver.session.editor.document.lines) == 51)
    driver.settle()
    QTest.keyClick(driver.window, Qt.Key.Key_F8)
    driver.until(lambda: not driver.session.tasks.busy)
    comparison = compared(driver)
    session, panel = driver.session, driver.window.features.comparison.panel
    assert session.statuses[session.editor.line].mark in ("differs from gold", "fragments")
    before = [session.statuses.get(line) for line in session.editor.document.lines[1 : session.editor.document.current]]
    assert before and all(finding is not None and finding.mark == "right" for finding in before)
    assert comparison.verdict is not None
    assert f"<b>{comparison.verdict.kind.capitalize()}:</b>" in panel.verdict.text()
    assert verdict_sentence(comparison.verdict).partition(":")[2][:30] in panel.verdict.text()
    assert f"F1 {comparison.trees.f1:.1f} %" in panel.score.text()
    # Forcing the gold attachment makes a what-if, with a price in the ledger.
    gold = comparison.second.heads()
    wanted = driver.window.features.comparison.comparisons.gold_attachment()
    assert wanted is not None and gold[wanted.modifier] == wanted.head
    for suffix, start in ((".pdf", b"%PDF"), (".svg", b"<"), (".png", b"\x89PNG"), (".html", b"<!DOCTYPE")):
        path = tmp_path / f"why{suffix}"
        driver.window.features.comparison.export_to(path)
        assert path.read_bytes().startswith(start)
    words = " ".join(comparison.first.sentence.words[:3])
    page = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert words in page and 0 < page.index("<svg") < page.index("<table")
    assert "verdict" in panel.verdict.accessibleName().lower()
    panel.force.click()
    driver.until(lambda: bool(session.editor.line.what_ifs))
    driver.until(lambda: session.parses.is_current or bool(session.parses.problem))


def test_a_model_error_is_explained_by_the_ledger(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    panel, session = driver.window.features.comparison.panel, driver.session
    assert comparison.verdict is not None and comparison.difference is not None
    assert comparison.verdict.kind == VerdictKind.MODEL and comparison.verdict.nats > 0
    rows = panel.tables.ledger.rows_model.rows
    assert len(rows) == len(comparison.difference.rows) + 2
    contributions = [row.contribution for row in comparison.difference.rows]
    assert math.fsum(contributions) == pytest.approx(comparison.second.score - comparison.first.score)
    assert rows[-1].cells[0] == f"{comparison.difference.total:+.2f}".replace("-", "−")
    # Both sides' counts, levels, weights and Δ stand in a row.
    row = next(row for row in rows if row.cells[2].startswith("with →"))
    assert (
        row.cells[4].startswith("with → saw") and "E1" in row.cells[6] and "λ" in row.cells[6] and "Δ" in row.cells[7]
    )
    panel.tables.ledger.selectRow(rows.index(row))
    assert session.view.selection == ArrowId(4)
    assert "with" in driver.window.inspector.explanation.title
    # Equal rows unfold.
    fold = next(at for at, row in enumerate(rows) if "equal" in row.cells[2])
    panel.tables.ledger.selectRow(fold)
    QTest.keyClick(panel.tables.ledger, Qt.Key.Key_Return)
    assert len(panel.tables.ledger.rows_model.rows) == len(rows) + comparison.difference.equal_count
    place = panel.tables.ledger.visualRect(panel.tables.ledger.rows_model.index(fold, 2)).center()
    QTest.mouseClick(panel.tables.ledger.viewport(), LEFT, NO_KEY, place)
    assert len(panel.tables.ledger.rows_model.rows) == len(rows)
    assert [mistake.kind for mistake in comparison.mistakes] == ["PP attachment"]
    assert panel.tables.errors.rows_model.rows[0].cells[1] == "PP attachment"
    assert panel.tables.tabText(ERRORS) == "Errors (1)"


def test_counts_of_the_ledger_open_their_training_sentences(driver: Driver) -> None:
    show(driver, HIGH)
    panel, link = driver.window.features.comparison.panel, driver.window.features.knowledge.link
    rows = panel.tables.ledger.rows_model.rows
    place = next(at for at, row in enumerate(rows) if row.cells[2].startswith("with →"))
    menu = panel.tables.counts_menu(place)
    assert menu is not None
    titles = [action.text() for action in menu.actions() if not action.isEnabled() and not action.isSeparator()]
    assert titles[0].startswith("Model’s best: with → man") and titles[1].startswith("Gold tree: with → saw")
    # With the keys alone: to the row, Enter, down to a count, Enter.
    panel.tables.ledger.setFocus()
    panel.tables.ledger.selectRow(place)
    QTest.keyClick(panel.tables.ledger, Qt.Key.Key_Return)
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    chosen = next(action for action in shown.actions() if action.isEnabled() and not action.isSeparator())
    QTest.keyClick(shown, Qt.Key.Key_Down)
    assert shown.activeAction() is chosen
    counted = int(chosen.text().split()[1])
    assert f"{chosen.text().split()[0].replace('₁', '1')} {counted}/" in rows[place].cells[6]
    QTest.keyClick(shown, Qt.Key.Key_Return)
    driver.until(lambda: link.found is not None)
    assert link.found is not None and link.found.counted == counted > 0
    assert driver.window.features.knowledge.evidence_dock.isVisible()
    # The sum has no counts.  Where counts have no room the menu is over the row, and else a click on them opens it.
    assert panel.tables.counts_menu(len(rows) - 1) is None
    assert panel.tables.ledger.isColumnHidden(6)
    driver.window.resize(1900, 900)
    driver.until(lambda: not panel.tables.ledger.isColumnHidden(6))
    area = panel.tables.ledger.visualRect(panel.tables.ledger.rows_model.index(place, 6))
    QTest.mouseClick(panel.tables.ledger.viewport(), LEFT, NO_KEY, area.center())
    again = QApplication.activePopupWidget()
    assert isinstance(again, QMenu) and [one.text() for one in again.actions()] == [
        one.text() for one in menu.actions()
    ]
    again.close()
    menu.close()


def test_words_of_the_compared_pictures_are_looked_up(driver: Driver) -> None:
    show(driver, HIGH)
    canvas = driver.window.features.comparison.panel.canvas
    menu = canvas.menu_of(WordId(3))
    assert menu is not None
    assert menu.actions()[0].text() == "What does the model know of ‘man/NN’?"
    with driver.qtbot.waitSignal(driver.window.features.knowledge.browser.answered, timeout=20_000):
        menu.actions()[0].trigger()
    assert driver.window.features.knowledge.browser.edit.text() == "man/NN"
    menu.close()
    of_node = canvas.menu_of(NodeId(0, 7, "S", 0))
    assert of_node is not None
    assert all(action.text().startswith("Find constituents like this") for action in of_node.actions())
    of_node.close()
    # By the menu key for what is selected.
    driver.session.view.select(ArrowId(4))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
    QApplication.sendEvent(canvas.viewport(), event)
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    assert any("‘with/IN man/NN’" in action.text() for action in shown.actions())
    shown.close()


def test_a_verdict_is_on_the_parse_without_what_ifs(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Parse | None] = []

    def watched(parser: Parser, gold: Tree, parse: Parse | None = None, **options: Any) -> Verdict:
        judged.append(parse)
        return verdict(parser, gold, parse, **options)

    for module in (comparing, report):
        monkeypatch.setattr(module, "verdict", watched)
    before = show(driver, HIGH)
    driver.do("force-gold")
    forced = driver.session
    driver.settle()
    result = forced.parses.result
    assert forced.editor.line.what_ifs and result is not None and result.parse.heads()[4] == 1
    again = compared(driver)
    assert again.verdict is not None and before.verdict is not None
    assert verdict_sentence(again.verdict) == verdict_sentence(before.verdict) and again.verdict.parse.heads()[4] == 3
    driver.do("error-table")
    window = driver.window.features.comparison.errors
    assert window is not None
    window.run.click()
    driver.until(lambda: not window.busy)
    assert window.model.table is not None and window.model.table.sentences == {VerdictKind.MODEL: 1}
    # Whoever is judged is what the parser makes of the sentence with nothing forced.
    assert len(judged) > 2 and all(parse is None or parse.heads()[4] == 3 for parse in judged)


def test_a_sentence_of_the_list_is_compared_and_its_words_looked_up(driver: Driver) -> None:
    drop(driver, EVERYDAY)
    driver.until(lambda: len(driver.session.editor.document.lines) == 51)
    driver.settle()
    sentences = driver.window.sentences
    view = sentences.view
    line = str(view.model().index(4, 0).data(WORDS))
    area = view.visualRect(view.model().index(4, 0))
    pointed = [sentences.word_at(QPoint(x, area.center().y())) for x in range(area.left(), area.right())]
    # From left to right the mouse meets its words, one after the other, as many as there is room for.
    met = [word for word, _ in itertools.groupby(pointed) if word]
    assert len(met) > 2 and met == line.split()[: len(met)]
    assert sentences.word_at(QPoint(2, 2)) == "" and sentences.menu_at(QPoint(5, 100_000)) is None
    known = next(word for word in met if word in driver.session.parses.model.word_numbers)  # type: ignore[union-attr]
    menu = sentences.menu_at(QPoint(area.left() + pointed.index(known), area.center().y()))
    assert menu is not None
    named = {action.text(): action for action in menu.actions()}
    with driver.qtbot.waitSignal(driver.window.features.knowledge.browser.answered, timeout=20_000):
        named[f"What does the model know of ‘{known}’?"].trigger()
    assert known in driver.window.features.knowledge.browser.edit.text()
    inner = named["What does the model know of …"].menu()
    assert isinstance(inner, QMenu) and known in [action.text() for action in inner.actions()]
    named["Compare with its gold tree"].trigger()
    comparison = compared(driver)
    assert driver.session.editor.document.current == 4 and driver.window.features.comparison.is_shown
    assert comparison.request.second == GoldTree()
    named["Copy"].trigger()
    assert QGuiApplication.clipboard().text() == driver.session.editor.document.lines[4].text
    menu.close()


def test_forcing_the_gold_attachment_gives_the_gold_tree_and_its_price(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    nats = comparison.verdict.nats if comparison.verdict is not None else 0.0
    assert driver.window.features.comparison.panel.force.text() == "Force with → saw"
    driver.do("force-gold")
    driver.settle()
    session = driver.session
    assert session.editor.line.what_ifs == (Attachment(4, 1),)
    assert session.parses.result is not None and session.parses.result.price == pytest.approx(-nats)
    again = compared(driver)
    assert again.request.first == BestParse() and again.trees.f1 < 100
    # The what-if can be compared as well.
    driver.window.features.comparison.comparisons.choose(WhatIfParse(), GoldTree())
    forced = compared(driver)
    assert forced.trees.identical and forced.trees.f1 == 100
    driver.do("force-gold")
    assert session.editor.line.what_ifs == (Attachment(4, 1),)


def test_a_search_error_names_the_beam_that_keeps_gold(driver: Driver) -> None:
    driver.session.editor.set_settings(literal_beam=True, beam=3.0, further_backoff=False)
    comparison = show(driver, LOST)
    panel = driver.window.features.comparison.panel
    assert comparison.verdict is not None and comparison.verdict.kind == VerdictKind.SEARCH
    assert comparison.verdict.repair is not None and comparison.verdict.repair.beam is not None
    assert panel.repair.isVisible() and panel.repair.text() == "Use β = 4.88"
    assert "Search error" in panel.verdict.text()
    assert comparison.first.fallback and "fragments" in panel.tables.ledger.rows_model.rows[0].cells[2]
    driver.do("keep-gold")
    assert driver.session.editor.settings.beam == comparison.verdict.repair.beam
    after = compared(driver)
    assert after.verdict is not None and after.verdict.kind == VerdictKind.RIGHT
    assert not panel.repair.isVisible() and not panel.force.isVisible()
    driver.do("keep-gold")
    assert "no β" in driver.window.stages.banner.text.text().replace("No", "no")
    driver.session.editor.undo_stack.undo()
    assert driver.session.editor.settings.beam == 3.0
    compared(driver)


def test_outside_the_model_and_tag_errors(driver: Driver) -> None:
    comparison = show(driver, IMPOSSIBLE)
    assert comparison.verdict is not None and comparison.verdict.kind == VerdictKind.OUTSIDE
    assert comparison.difference is not None and comparison.difference.second_total == -math.inf
    assert any("−∞" in row.cells[5] for row in driver.window.features.comparison.panel.tables.ledger.rows_model.rows)
    assert driver.window.named_actions["gold-tags"].isChecked()
    driver.do("gold-tags")
    assert not driver.session.editor.document.gold_tags
    show(driver, LOW)
    answer = driver.session.parses.result
    assert answer is not None and answer.reading.gold is not None and not isinstance(answer.reading.sentence, str)
    driver.session.editor.undo_stack.undo()
    assert driver.session.editor.document.gold_tags
    compared(driver)


def test_anything_can_be_compared_with_anything(driver: Driver, classroom_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other.model"
    copy.write_bytes(classroom_path.read_bytes())
    show(driver, LOW)
    compare, panel = driver.window.features.comparison.comparisons, driver.window.features.comparison.panel
    compare.set_models([str(copy)])
    titles = [side.title for side in compare.choices()]
    assert {"Model’s best", "Gold tree", "Second best", "β = 20", "Preset (1)", "Model other"} <= set(titles)
    for second in (RankedParse(2), BeamParse(1.5), PresetParse(1), ModelParse(str(copy)), GoldTree()):
        compare.choose(BestParse(), second)
        driver.until(lambda second=second: compare.sides == (BestParse(), second))  # type: ignore[misc]
        found = compared(driver)
        driver.until(lambda second=second: compare.comparison.request.second == second)  # type: ignore[misc,union-attr]
        found = compared(driver)
        assert found.request.second == second and panel.second.currentText() == compare.name(second)
        assert compare.name(second).startswith(second.title)
        assert (found.verdict is not None) == (second == GoldTree())
    compare.choose(PresetParse(1), GoldTree())
    assert compared(driver).verdict is not None
    # Without a gold tree what was chosen gives way to what there is.
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(SAW)))
    compare.choose(None, None)
    assert compared(driver).request.second == RankedParse(2)


def test_chosen_from_the_boxes(driver: Driver) -> None:
    show(driver, HIGH)
    panel = driver.window.features.comparison.panel
    place = next(at for at in range(panel.second.count()) if panel.second.itemText(at) == "Preset (1)")
    panel.second.setCurrentIndex(place)
    panel.second.activated.emit(place)
    driver.until(lambda: compared(driver).request.second == PresetParse(1))
    assert panel.second.currentText() == "Preset (1)"


def test_the_comparison_takes_the_place_of_the_picture_and_gives_it_back(driver: Driver) -> None:
    show(driver, HIGH)
    window = driver.window
    assert window.features.comparison.is_shown and not window.stages.isVisible()
    assert window.named_actions["compare"].isChecked()
    # It has all the room that the stages have.
    assert window.features.comparison.panel.width() == window.workspaces.width()
    QTest.keyClick(window, Qt.Key.Key_F9)
    driver.until(lambda: window.stages.isVisible() and not window.features.comparison.is_shown)
    assert not window.named_actions["compare"].isChecked()
    QTest.keyClick(window, Qt.Key.Key_F9)
    driver.until(lambda: window.features.comparison.is_shown)
    # A stage leads back, too.
    driver.go("gaps")
    assert window.stages.isVisible() and driver.session.view.stage == GAPS


def test_tables_fold_to_their_tabs_and_come_back_by_the_same_click(driver: Driver) -> None:
    show(driver, HIGH)
    for tables in (driver.window.features.comparison.panel.tables, driver.window.stages.tabs):
        driver.window.workspaces.show_comparison(tables is driver.window.features.comparison.panel.tables)
        driver.process_events()
        before = tables.height()
        tab = tables.tabBar().tabRect(tables.currentIndex()).center()
        QTest.mouseClick(tables.tabBar(), Qt.MouseButton.LeftButton, pos=tab)
        driver.process_events()
        assert tables.folded and tables.height() < 60 and tables.tabBar().isVisible()
        QTest.mouseClick(tables.tabBar(), Qt.MouseButton.LeftButton, pos=tab)
        driver.process_events()
        assert not tables.folded and abs(tables.height() - before) <= 2
        # Another tab unfolds, too, and does not fold.
        QTest.mouseClick(tables.tabBar(), Qt.MouseButton.LeftButton, pos=tab)
        other = tables.tabBar().tabRect(1).center()
        QTest.mouseClick(tables.tabBar(), Qt.MouseButton.LeftButton, pos=other)
        assert not tables.folded and tables.currentIndex() == 1
        QTest.mouseClick(tables.tabBar(), Qt.MouseButton.LeftButton, pos=tab)
        assert not tables.folded and tables.currentIndex() == 0
        # No one loses them by dragging the border.
        splitter = tables.parentWidget()
        assert isinstance(splitter, QSplitter)
        splitter.setSizes([10_000, 0])
        driver.process_events()
        assert tables.height() >= 90


def test_folded_tables_are_folded_at_the_next_start(qtbot: QtBot, classroom_path: Path, tmp_path: Path) -> None:
    for start in range(2):
        made = Driver(qtbot, tmp_path / "home")
        made.load(classroom_path)
        tabs = made.window.stages.tabs
        assert tabs.folded == (start == 1)
        tabs.set_folded(True)
        made.close()


def test_every_page_has_a_picture_with_marks_and_a_twin(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    panel = driver.window.features.comparison.panel
    for page, title in ((TREES, "Trees of two parses"), (ARROWS, "Dependencies of two parses"), (BOTH, "Two parses")):
        panel.pictures.setCurrentIndex(page)
        driver.until(lambda: panel.settled)
        drawing = panel.canvas.drawing
        assert drawing is not None and drawing.title == title
        roles = {shape.role for shape in drawing.shapes}
        assert {"match", "extra"} <= roles and ("missing" in roles) == (page != TREES)
        assert "extra" in drawing.text_twin and ("Gold tree" in drawing.text_twin or page == ARROWS)
    # The gold arrow is another thing than the parse's, and can be asked about.
    candidate = CandidateId(4, 1, Relation("PP", "VP", "VBD"))
    assert candidate in panel.canvas.drawing.regions  # type: ignore[union-attr]
    driver.session.view.select(candidate)
    assert panel.canvas.selection == candidate
    assert comparison.second.heads()[4] == 1


def test_long_sentences_are_drawn_in_the_background(driver: Driver) -> None:
    long = " ".join(["Mary/NNP saw/VBD the/DT man/NN"] + ["with/IN the/DT telescope/NN"] * 5 + ["./."])
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(long)))
    driver.window.features.comparison.show()
    driver.window.features.comparison.panel.pictures.setCurrentIndex(BOTH)
    compared(driver)
    canvas = driver.window.features.comparison.panel.canvas
    drawing = canvas.drawing
    assert drawing is not None and drawing.title == "Two parses"
    # What differs is in sight at once, wherever in the sentence it stands.
    area = next(area for area in drawing.areas if area.label.endswith(("(extra)", "(missing)")))
    assert canvas.viewport().rect().contains(canvas.mapFromScene(*area.bounds.centre))


def test_prices_of_the_selected_word(driver: Driver) -> None:
    comparison = show(driver, HIGH)
    panel, session = driver.window.features.comparison.panel, driver.session
    panel.tables.setCurrentIndex(PRICES)
    session.view.select(WordId(4))
    prices, found = panel.tables.prices.rows_model, driver.window.features.comparison.comparisons
    driver.until(lambda: not found.pricing and len(prices.rows) > 1)
    rows = panel.tables.prices.rows_model.rows
    assert rows[0].cells[:2] == ("0", "with → man")
    [gold] = [row for row in rows if "gold" in row.cells[1]]
    assert gold.chosen and gold.cells[1].startswith("with → saw")
    assert comparison.verdict is not None and gold.cells[0] == f"−{comparison.verdict.nats:.2f}"
    panel.tables.prices.activated_row.emit(gold.id)
    assert session.editor.line.what_ifs == (Attachment(4, 1),)
    compared(driver)
    session.view.select(WordId(2))
    assert "baseNP" in panel.tables.prices.rows_model.rows[0].cells[1]


def test_copied_as_text_and_latex(driver: Driver) -> None:
    show(driver, HIGH)
    clipboard = QGuiApplication.clipboard()
    driver.do("copy-comparison")
    assert "Model error" in clipboard.text() and "LEDGER" in clipboard.text() and "(NP (NP (DT the)" in clipboard.text()
    driver.do("copy-comparison-latex")
    text = clipboard.text()
    assert r"\begin{tabular}" in text and text.count(r"\begin{forest}") == 2 and "PP attachment" in text
    assert not needs_unicode_engine(text) and "▸" not in text
    # Counts would make the table several pages wide.
    assert "from" not in text[: text.index(r"\midrule")]


def test_latex_sets_the_comparison(driver: Driver, tmp_path: Path) -> None:
    missing = subprocess.run(["kpsewhich", "forest.sty"], capture_output=True) if shutil.which("pdflatex") else None
    if missing is None or missing.returncode:
        pytest.skip("no LaTeX with forest on this machine")
    driver.session.editor.set_preset(5)
    show(driver, ODD)
    driver.window.features.comparison.export_to(tmp_path / "body.tex")
    packages = r"\usepackage[T1]{fontenc}\usepackage{amsmath,booktabs,graphicx,forest}"
    source = rf"\documentclass{{article}}{packages}\begin{{document}}\input{{body}}\end{{document}}"
    (tmp_path / "page.tex").write_text(source)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert ran.returncode == 0, ran.stdout[-1500:]


def test_an_export_that_cannot_be_written_is_said(driver: Driver, tmp_path: Path) -> None:
    show(driver, HIGH)
    driver.window.features.comparison.export_to(tmp_path / "no" / "where.pdf")
    assert "where.pdf" in driver.window.stages.banner.text.text()
    driver.window.features.comparison.export_to(tmp_path / "why.doc")
    assert ".pdf" in driver.window.stages.banner.text.text() and not (tmp_path / "why.doc").exists()


# What comes back


def test_a_long_list_is_kept_through_a_crash(qtbot: QtBot, driver: Driver, tmp_path: Path) -> None:
    trees = EVERYDAY.read_text(encoding="utf-8").splitlines()
    driver.session.editor.add_lines([TextLine(tree) for tree in trees * 20])
    driver.settle()
    recovery, home = driver.preferences.recovery, tmp_path / "home"

    def saved() -> None:
        driver.window.autosave.save()
        driver.until(lambda: not driver.window.autosave.busy)

    saved()
    [file] = home.glob("recovery-*.list")
    written = file.stat()
    driver.session.editor.choose(7)
    driver.window.features.comparison.tree_editor.relabel((), "FRAG")
    saved()
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (written.st_mtime_ns, written.st_ino), "written again"
    assert len(json.loads(recovery.path.read_bytes())["changes"]) == 1
    crashed = after_crash(home, tmp_path / "crashed")
    found = crashed.take_over(True).session
    assert found is not None and found[0] == driver.session.editor.document
    assert found[0].line.text.startswith("(FRAG")
    crashed.recovery.save(found, crashed.recovery.taken_over)
    [kept] = crashed.folder.glob("recovery-*.list")
    assert kept.name.startswith(crashed.recovery.path.stem)
    driver.settle()


def test_item_models_of_comparing_behave(driver: Driver, qtmodeltester: ModelTester) -> None:
    show(driver, HIGH)
    panel = driver.window.features.comparison.panel
    panel.tables.setCurrentIndex(LEDGER)
    for model in (panel.tables.ledger.rows_model, panel.tables.errors.rows_model, driver.window.sentences.model):
        qtmodeltester.check(model, force_py=True)


def test_the_panel_is_made_when_it_is_first_seen_and_is_there_at_the_next_start(
    qtbot: QtBot, classroom_path: Path, tmp_path: Path
) -> None:
    first = Driver(qtbot, tmp_path / "home")
    first.load(classroom_path)
    tools = first.window.features.comparison
    assert not first.window.findChildren(ComparisonPanel)
    first.window.appearance.set_theme("dark")
    first.do("compare")
    compared(first)
    assert first.window.findChildren(ComparisonPanel) == [tools.panel]
    assert tools.panel.isVisible() and tools.panel.canvas.brush.theme is appearance().theme
    first.close()

    second = Driver(qtbot, tmp_path / "home")
    second.load(classroom_path)
    again = second.window.features.comparison
    assert again.is_shown and again.panel.isVisible()
    assert compared(second).trees.f1 > 0
    second.close()
