"""Asking the model: counts open their training sentences, and the model browser tells what it knows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import engine
from engine.common.resources import bundled_models
from engine.explain.explanation import FOLDED_AT_FIRST, CountLink
from engine.explain.subjects import ArrowId, GapId, NodeId, RootId, WordId
from engine.study.counted import EXACT, PART, count_in
from engine.trees.treebank import read_treebank
from explorer.kit.tables import RowsModel
from explorer.knowledge.evidence import FETCHED_TOGETHER, EvidenceLink, EvidencePanel, SentencesModel, sentence_html
from explorer.panels.stage_view import TABLE
from explorer.pictures.theme import DARK, LIGHT
from tests.explorer.window_driver import LEFT, NO_KEY, Driver
from tests.stage_names import GAPS, PARSE, SENTENCE

CLASSROOM = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indexes of training trees are kept where no other test looks."""
    monkeypatch.setattr("engine.study.evidence.cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def foreign(qtbot: QtBot, classroom: engine.Model, tmp_path: Path) -> Iterator[Driver]:
    """A window with a model whose trees do not come with the program."""
    path = tmp_path / "foreign.model"
    own = classroom.metadata["corpora"]
    classroom.metadata["corpora"] = ["wsj.mrg"]
    classroom.save(path)
    classroom.metadata["corpora"] = own
    made = Driver(qtbot, tmp_path / "home")
    made.load(path)
    yield made
    made.close()


def unfold(driver: Driver) -> None:
    """Open what the inspector has folded at first."""
    for section in FOLDED_AT_FIRST:
        driver.window.inspector.fold(section)


def link_of(driver: Driver) -> EvidenceLink:
    return driver.window.features.knowledge.link


def shows(link: EvidenceLink, counted: CountLink) -> bool:
    """Whether the sentences behind this count were found."""
    return link.found is not None and link.found.link == counted


def click_count(driver: Driver, name: str) -> CountLink:
    """Click a count of the inspector, by what it is called."""
    inspector = driver.window.inspector
    links = inspector.explanation.links
    number = next(at for at, link in enumerate(links) if link.name == name)
    view = inspector.view
    block = view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            if fragment.charFormat().anchorHref() == f"count:{number}":
                cursor = QTextCursor(view.document())
                cursor.setPosition(fragment.position())
                view.setTextCursor(cursor)
                view.ensureCursorVisible()
                first = view.cursorRect(cursor)
                cursor.setPosition(fragment.position() + 1)
                last = view.cursorRect(cursor)
                place = QPoint((first.left() + last.left()) // 2, first.center().y())
                QTest.mouseClick(view.viewport(), LEFT, NO_KEY, place)
                return links[number]
            fragments += 1
        block = block.next()
    raise AssertionError(f"{name} is no link")


def found_sentences(driver: Driver) -> list[str]:
    """What the evidence panel lists."""
    model = driver.window.features.knowledge.evidence.view.sentences
    while model.canFetchMore(model.index(-1)):
        model.fetchMore(model.index(-1))
    return [model.sentence(row).text() for row in range(model.rowCount())]


def ask(driver: Driver, text: str) -> None:
    """Type a question into the model browser."""
    driver.do("model-browser")
    panel = driver.window.features.knowledge.browser
    panel.edit.clear()
    QTest.keyClicks(panel.edit, text)
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        QTest.keyClick(panel.edit, Qt.Key.Key_Return)


# Evidence


def choose_link(panel: EvidencePanel, title: str) -> None:
    """Choose an entry of the menu that links treebanks."""
    next(action for action in panel.choose.menu().actions() if action.text() == title).trigger()


def test_a_click_on_a_count_opens_its_sentences(driver: Driver, classroom: engine.Model) -> None:
    session, link = driver.session, link_of(driver)
    dock = driver.window.features.knowledge.evidence_dock
    assert dock.isHidden() and link.evidence is None
    driver.click(ArrowId(4))
    for name in ("η of E₁", "δ of E₁", "δ of E₂₃", "η of E(order)", "δ of E(beside head)"):
        counted = click_count(driver, name)
        driver.until(partial(shows, link, counted))
        assert link.found is not None and session.parses.model is not None
        expected = sum(count_in(session.parses.model.counts, one) for one in counted.counted)
        assert len(found_sentences(driver)) == link.found.counted == expected > 0
        assert f"= {expected}" in driver.window.features.knowledge.evidence.title.text()
    assert dock.isVisible() and driver.window.docks.inspector.isVisible()
    assert "‹with›" in found_sentences(driver)[0]


def test_counts_of_the_inspector_are_opened_by_keys(driver: Driver) -> None:
    unfold(driver)
    driver.click(ArrowId(4))
    view, link = driver.window.inspector.view, link_of(driver)
    view.setFocus()
    opened: list[CountLink] = []
    driver.window.inspector.count_opened.connect(opened.append)
    links = driver.window.inspector.explanation.links

    def next_count(key: Qt.Key) -> None:
        """Go to the next count, past the titles that fold."""
        QTest.keyClick(view, key)
        while not view.textCursor().charFormat().anchorHref().startswith("count:"):
            QTest.keyClick(view, key)
        QTest.keyClick(view, Qt.Key.Key_Return)

    for number in range(3):
        next_count(Qt.Key.Key_Tab)
        assert opened[number] == links[number]
    driver.until(lambda: link.found is not None and link.found.link == links[2])
    next_count(Qt.Key.Key_Backtab)
    assert opened[3] == links[1]


def test_gaps_unaries_and_roots_open_theirs(driver: Driver) -> None:
    unfold(driver)
    link = link_of(driver)
    driver.go(GAPS)
    driver.settle()
    for id, name, sign in (
        (GapId(3), "η of E₁", "‹the›"),
        (NodeId(1, 7, "VP", 0), "η of E(label+tag)", "["),
        (RootId(), "η of E(word+tag)", "«saw»"),
    ):
        if not isinstance(id, GapId):
            driver.go(PARSE)
            driver.settle()
        driver.session.view.select(id)
        counted = click_count(driver, name)
        driver.until(partial(shows, link, counted))
        shown = found_sentences(driver)
        assert link.found is not None and len(shown) == link.found.counted > 0
        assert all(sign in text for text in shown), name


def test_every_preset_has_counts_that_open(driver: Driver) -> None:
    link = link_of(driver)
    for preset in (1, 2, 3, 4, 5):
        driver.do(f"preset-{preset}")
        driver.settle()
        driver.session.view.select(ArrowId(1 if preset == 5 else 3))
        driver.session.view.select(ArrowId(4))
        links = driver.window.inspector.explanation.links
        assert len(links) >= 8
        for one in links:
            link.ask(one)
            driver.until(partial(shows, link, one))
            assert link.found is not None
            assert sum(len(instances) for _, instances in link.found.parts) == link.found.counted
            assert not link.found.remark


def test_a_double_click_puts_the_sentence_into_the_list(driver: Driver) -> None:
    link, view = link_of(driver), driver.window.features.knowledge.evidence.view
    driver.click(ArrowId(4))
    click_count(driver, "δ of E₂")
    driver.until(lambda: link.found is not None)
    before = len(driver.session.editor.document.lines)
    place = view.visualRect(view.sentences.index(0)).center()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEY, place)
    assert len(driver.session.editor.document.lines) == before
    QTest.mouseDClick(view.viewport(), LEFT, NO_KEY, place)
    driver.until(lambda: len(driver.session.editor.document.lines) == before + 1)
    sentence = view.sentences.sentence(0)
    assert driver.session.editor.document.lines[-1].place == sentence.place
    driver.settle()
    # It keeps its gold tree, so that its parse can be compared with it.
    gold = driver.session.parses.gold
    assert gold is not None and gold.words() == list(sentence.words) and gold.tags() == list(sentence.tags)
    assert driver.session.statuses[driver.session.editor.line].f1 is not None
    assert driver.session.parses.shown is not None and driver.session.parses.shown.sentence.words == sentence.words
    driver.do("undo")
    assert len(driver.session.editor.document.lines) == before
    view.setFocus()
    view.setCurrentIndex(view.sentences.index(0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    driver.until(lambda: len(driver.session.editor.document.lines) == before + 1)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == " ".join(sentence.words)


def test_a_training_sentence_can_be_had_without_its_gold_tree(driver: Driver) -> None:
    link, panel = link_of(driver), driver.window.features.knowledge.evidence
    driver.click(ArrowId(4))
    click_count(driver, "η of E₁")
    driver.until(lambda: link.found is not None)
    before = len(driver.session.editor.document.lines)
    menu = panel.menu(panel.view.sentences.index(0))
    next(one for one in menu.actions() if one.text() == "Put it in without its gold tree").trigger()
    menu.deleteLater()
    driver.until(lambda: len(driver.session.editor.document.lines) == before + 1)
    driver.settle()
    sentence = panel.view.sentences.sentence(0)
    assert driver.session.parses.gold is None
    assert driver.session.editor.line.text == sentence.tagged()


def test_a_model_without_trees_asks_for_them_and_remembers(
    foreign: Driver, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    link, panel = link_of(foreign), foreign.window.features.knowledge.evidence
    foreign.click(ArrowId(4))
    counted = click_count(foreign, "η of E₁")
    assert link.found is None and "wsj.mrg" in panel.notice.text() and panel.notice.isVisible()
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *arguments: ([str(CLASSROOM)], ""))
    choose_link(panel, "Files …")
    # What was asked before is answered now.
    foreign.until(lambda: link.found is not None)
    assert link.found is not None and link.found.link == counted
    assert "classroom.ptb" in panel.source.text()
    again = EvidenceLink(
        foreign.session.editor,
        foreign.session.parses,
        foreign.preferences,
        foreign.session.messages,
        foreign.session.tasks,
    )
    assert again.sources() == [CLASSROOM]


def test_other_trees_are_told_of_in_one_sentence(driver: Driver, tmp_path: Path) -> None:
    link, panel = link_of(driver), driver.window.features.knowledge.evidence
    other = tmp_path / "other.ptb"
    trees = [str(tree) for tree in read_treebank([CLASSROOM])]
    other.write_text("\n".join(trees[:100]))
    driver.click(ArrowId(4))
    click_count(driver, "δ of E₄")
    driver.until(lambda: link.found is not None)
    complete = len(found_sentences(driver))
    link.link([other])
    driver.until(lambda: link.found is not None)
    assert 0 < len(found_sentences(driver)) < complete
    assert "100 of the 130 sentences" in panel.remark.text() and panel.remark.isVisible()
    missing = tmp_path / "missing.ptb"
    link.link([missing])
    driver.until(lambda: bool(link.problem))
    assert "no such file" in panel.notice.text() and panel.notice.isVisible()
    # Nothing linked by hand: the model's own trees again.
    link.link([])
    driver.until(lambda: link.found is not None)
    assert len(found_sentences(driver)) == complete


def test_a_model_of_several_treebanks_is_linked_one_by_one(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "one" / "first.ptb", tmp_path / "two"
    trees = [str(tree) for tree in read_treebank([CLASSROOM])]
    first.parent.mkdir()
    second.mkdir()
    first.write_text("\n".join(trees[:20]))
    (second / "part.ptb").write_text("\n".join(trees[20:50]))
    path = tmp_path / "three.model"
    engine.train([first, second, CLASSROOM], weights=[2, 1, 1], tagger=False).save(path)
    driver = Driver(qtbot, tmp_path / "home")
    driver.load(path)
    link, panel = link_of(driver), driver.window.features.knowledge.evidence
    assert link.sources() == []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *arguments: ([str(first)], ""))
    driver.do("link-treebank")
    driver.until(lambda: link.evidence is not None)
    # The classroom's trees come with the program.
    assert [source.name for source in link.sources()] == ["first.ptb", "classroom.ptb"]
    assert link.evidence is not None and link.evidence.match.kind == PART
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *arguments: str(second))
    choose_link(panel, "Folder …")
    driver.until(lambda: link.evidence is not None)
    assert link.evidence is not None and link.evidence.match.kind == EXACT
    driver.click(ArrowId(4))
    click_count(driver, "δ of E₄")
    driver.until(lambda: link.found is not None)
    assert link.found is not None and len(link.found) == link.found.counted
    assert "by the weights of the model's treebanks" in panel.remark.text()
    panel.unlink.trigger()
    assert link.sources() == [] and link.found is None
    driver.close()


def test_reading_the_trees_can_be_cancelled(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    link, panel = link_of(driver), driver.window.features.knowledge.evidence
    started: list[bool] = []

    def slow(job: object, model: object, sources: object) -> None:
        started.append(True)
        while True:
            job.report(0.5, "Reading")  # type: ignore[attr-defined]
            QTest.qSleep(2)

    monkeypatch.setattr("explorer.knowledge.evidence.read_evidence", slow)
    driver.click(ArrowId(4))
    click_count(driver, "η of E₁")
    driver.until(lambda: bool(started))
    assert link.reading and "Reading the training trees" in panel.notice.text()
    driver.do("cancel")
    driver.until(lambda: not link.reading)
    assert "cancelled" in panel.notice.text()
    monkeypatch.undo()
    click_count(driver, "η of E₁")
    driver.until(lambda: link.found is not None)


def test_another_model_forgets_the_count(driver: Driver) -> None:
    link = link_of(driver)
    driver.click(ArrowId(4))
    click_count(driver, "η of E₁")
    driver.until(lambda: link.found is not None)
    driver.session.loader.open_model(bundled_models()["classroom"])
    driver.until(lambda: link.asked is None)
    assert link.found is None and link.evidence is None
    assert "Click a count" in driver.window.features.knowledge.evidence.notice.text()


def test_the_list_of_sentences_is_a_proper_model(driver: Driver, qtmodeltester: ModelTester) -> None:
    link = link_of(driver)
    driver.click(ArrowId(4))
    click_count(driver, "δ of E(order)")
    driver.until(lambda: link.found is not None)
    model = SentencesModel()
    model.show(link.found)
    assert link.found is not None and len(link.found) > FETCHED_TOGETHER
    assert model.rowCount() == FETCHED_TOGETHER and model.canFetchMore(model.index(-1))
    # The tester fetches the rest.
    qtmodeltester.check(model)
    assert model.rowCount() == len(link.found) and not model.canFetchMore(model.index(-1))
    model.show(None)
    assert model.rowCount() == 0


def test_marks_are_not_told_by_colour_alone(driver: Driver) -> None:
    link = link_of(driver)
    driver.click(ArrowId(4))
    click_count(driver, "η of E₁")
    driver.until(lambda: link.found is not None)
    assert link.found is not None
    for theme in (LIGHT, DARK):
        shown = sentence_html(link.found.sentence(0), theme)
        assert "<u>with</u>" in shown and "background:" in shown


# The model browser


def test_a_question_is_answered_by_tables(driver: Driver) -> None:
    panel = driver.window.features.knowledge.browser
    assert driver.window.features.knowledge.browser_dock.isHidden()
    ask(driver, "saw")
    assert driver.window.features.knowledge.browser_dock.isVisible()
    names = [panel.tables.item(row).text() for row in range(panel.tables.count())]
    assert {"Heads of saw", "Modifiers of saw", "saw as head, by Δ", "Gap before saw"} <= set(names)
    panel.tables.setCurrentRow(names.index("Modifiers of saw"))
    table = panel.table
    assert table.title == "Modifiers of saw" and panel.view.model().rowCount() == len(table.rows)
    assert "21 times" in panel.remarks.text()


def test_columns_sort_as_numbers_and_words(driver: Driver) -> None:
    panel = driver.window.features.knowledge.browser
    ask(driver, "NN")
    names = [panel.tables.item(row).text() for row in range(panel.tables.count())]
    panel.tables.setCurrentRow(names.index("Heads of NN by tag"))
    view = panel.view
    for column, order in ((2, Qt.SortOrder.AscendingOrder), (0, Qt.SortOrder.DescendingOrder)):
        view.sortByColumn(column, order)
        cells = [row[column] for row in panel.shown().rows]
        assert cells == sorted(cells, reverse=order == Qt.SortOrder.DescendingOrder)
        assert cells != [row[column] for row in panel.table.rows]
        # What a row stands for goes with it.
        for row in (0, len(cells) - 1):
            assert panel.table.rows[view.order[row]] == panel.shown().rows[row]
    panel.tables.setCurrentRow(0)
    assert panel.shown().rows == panel.table.rows


def test_a_row_opens_its_sentences(driver: Driver) -> None:
    panel, link = driver.window.features.knowledge.browser, link_of(driver)
    ask(driver, "with saw")
    view = panel.view
    index = view.rows_model.index(0, 0)
    count = panel.table.rows[0][panel.table.header.index("η")]
    QTest.mouseClick(view.viewport(), LEFT, NO_KEY, view.visualRect(index).center())
    QTest.mouseDClick(view.viewport(), LEFT, NO_KEY, view.visualRect(index).center())
    driver.until(lambda: link.found is not None)
    shown = found_sentences(driver)
    assert len(shown) == count and all("‹with›" in text and "«saw»" in text for text in shown)


def test_what_is_not_known_is_told_with_what_may_be_meant(driver: Driver) -> None:
    panel = driver.window.features.knowledge.browser
    ask(driver, "telescpe")
    assert panel.findings is None and panel.tables.count() == 0
    links = ['<a href="telescope">telescope</a>', '<a href="telescopes">telescopes</a>']
    assert panel.remarks.text() == f"No word ‘telescpe’ in the model; did you mean {' or '.join(links)}?"
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        panel.remarks.linkActivated.emit("telescope")
    assert panel.findings is not None and panel.edit.text() == "telescope"
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        QTest.mouseClick(panel.back, LEFT)
    assert panel.edit.text() == "telescpe"


def test_questions_are_completed_while_they_are_typed(driver: Driver) -> None:
    driver.do("model-browser")
    panel = driver.window.features.knowledge.browser
    QTest.keyClicks(panel.edit, "with te")
    shown = [panel.completer.completionModel().index(row, 0).data() for row in range(panel.completer.completionCount())]
    assert shown and all(one.startswith("with te") for one in shown)
    popup = panel.completer.popup()
    assert popup is not None
    popup.hide()


def test_any_word_can_be_looked_up_from_its_menu(driver: Driver) -> None:
    window, panel = driver.window, driver.window.features.knowledge.browser
    view = window.stages

    def choose(menu: object, title: str) -> None:
        action = next(one for one in menu.actions() if one.text() == title)  # type: ignore[attr-defined]
        with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
            action.trigger()
        menu.deleteLater()  # type: ignore[attr-defined]

    driver.go(SENTENCE)
    driver.settle()
    choose(view.menu_of(WordId(1)), "What does the model know of ‘saw/VBD’?")
    assert panel.findings is not None and panel.findings.title == "saw/VBD"
    driver.go(PARSE)
    driver.settle()
    choose(view.menu_of(ArrowId(4)), f"What does the model know of ‘with/IN {_head(driver)}’?")
    assert panel.findings is not None and panel.findings.title == f"with/IN, {_head(driver)}"
    choose(window.sentence_bar.tag_menu(3), "What does the model know of ‘man/NN’?")
    assert panel.findings is not None and panel.findings.title == "man/NN"
    # A row of the table under the picture has the same menu, and so has a word of the inspector.
    wanted: list[object] = []
    window.stages.tabs.setCurrentIndex(TABLE)
    table = window.stages.stage.table  # type: ignore[attr-defined]
    table.menu_wanted.connect(lambda id, place: wanted.append(id))
    row = next(at for at, one in enumerate(table.rows_model.rows) if one.id == ArrowId(4))
    table.scrollTo(table.rows_model.index(row, 0))
    place = table.visualRect(table.rows_model.index(row, 0)).center()
    table.menu_wanted.disconnect(window.stages.open_menu)
    _context_menu(table, place)
    assert wanted == [ArrowId(4)]


def _head(driver: Driver) -> str:
    parse = driver.session.parses.shown
    assert parse is not None
    head = parse.heads()[4]
    return f"{parse.sentence.proper_words[head]}/{parse.sentence.proper_tags[head]}"


def _context_menu(widget: object, place: QPoint) -> None:
    from PySide6.QtGui import QContextMenuEvent

    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.viewport().mapToGlobal(place))  # type: ignore[attr-defined]
    widget.contextMenuEvent(event)  # type: ignore[attr-defined]


def test_a_word_of_the_inspector_can_be_looked_up(driver: Driver) -> None:
    inspector, panel = driver.window.inspector, driver.window.features.knowledge.browser
    driver.click(WordId(3))
    cursor = inspector.view.document().find("man")
    assert not cursor.isNull()
    cursor.setPosition(cursor.selectionStart() + 1)
    menu = inspector.menu_at(inspector.view.cursorRect(cursor).center())
    action = next(one for one in menu.actions() if one.text() == "What does the model know of ‘man’?")
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        action.trigger()
    assert panel.findings is not None and panel.findings.title == "man"
    menu.deleteLater()


def test_what_is_selected_is_looked_up_by_key(driver: Driver) -> None:
    panel = driver.window.features.knowledge.browser
    driver.session.view.select(WordId(6))
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        driver.do("look-up")
    assert panel.findings is not None and panel.findings.title == "telescope/NN"
    driver.session.view.select(None)
    driver.do("look-up")
    assert driver.window.features.knowledge.browser_dock.isVisible()


def test_tables_are_copied_and_exported(driver: Driver, tmp_path: Path) -> None:
    panel = driver.window.features.knowledge.browser
    ask(driver, "saw")
    panel.tables.setCurrentRow(1)
    panel.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    shown = panel.shown()
    QTest.mouseClick(panel.copy, LEFT)
    lines = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    assert lines == [list(shown.header), *([str(cell) for cell in row] for row in shown.rows)]
    panel.write(tmp_path / "table.csv")
    assert list(csv.reader((tmp_path / "table.csv").open(encoding="utf-8"))) == lines
    panel.write(tmp_path / "all.json")
    found = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert panel.findings is not None and len(found["tables"]) == len(panel.findings.tables)
    panel.write(tmp_path / "all.txt")
    assert "Modifiers of saw" in (tmp_path / "all.txt").read_text(encoding="utf-8")
    panel.view.setFocus()
    panel.view.selectRow(0)
    QTest.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\t".join(map(str, shown.rows[0]))
    said: list[str] = []
    driver.session.messages.posted.connect(lambda text, error: said.append(text) if error else None)
    panel.write(tmp_path / "nowhere" / "table.csv")
    assert said and "cannot be written" in said[0]


def test_the_table_is_a_proper_model(driver: Driver, qtmodeltester: ModelTester) -> None:
    model = RowsModel()
    qtmodeltester.check(model)
    ask(driver, "IN")
    panel = driver.window.features.knowledge.browser
    assert panel.findings is not None
    for table in panel.findings.tables:
        model.set_table(table)
        qtmodeltester.check(model)
        model.sort(0)
        qtmodeltester.check(model)
    qtmodeltester.check(panel.view.rows_model)


def test_the_question_is_asked_again_of_another_model(driver: Driver, tmp_path: Path) -> None:
    panel = driver.window.features.knowledge.browser
    ask(driver, "saw")
    path = tmp_path / "small.model"
    engine.train([engine.read_tree("(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT a) (NN dog))))")]).save(path)
    with driver.qtbot.waitSignal(panel.answered, timeout=20_000):
        driver.session.loader.open_model(path)
    assert "a head 2 times" in panel.remarks.text()
