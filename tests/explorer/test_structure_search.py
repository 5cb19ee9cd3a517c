"""Search by structure without keys: files, the list's filter, stopping, and that the window stays alive meanwhile."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from pytestqt.modeltest import ModelTester

import engine
from engine.common.errors import PatternError
from engine.patterns.pattern import Pattern
from engine.structure.constituents import Lexicaliser
from engine.trees.reading import read_tree
from explorer.laboratory import search as structure_search
from explorer.laboratory.search import GOLD, PARSES
from explorer.laboratory.search_panel import EXAMPLES, NOTATION, SearchPanel, patterns_like
from explorer.panels.gold_trees import walk
from explorer.panels.list_filter import FilterError, ListFilter, quoted
from explorer.session.document import TextLine
from explorer.session.statuses import DIFFERS, SentenceStatus
from tests.explorer.test_window_search import SLEPT, WITH_MAN, WITH_SAW
from tests.explorer.window_driver import Driver
from tests.trained import CLASSROOM

MINUS = '(S (NP (NNP Mary)) (VP (VBD saw) (NP (NN -2)) (PP (IN "=A1") (NP (NN x)))) (. .))'


def panel_of(driver: Driver, *texts: str) -> SearchPanel:
    driver.session.editor.add_lines([TextLine(text) for text in texts])
    driver.settle()
    driver.do("search-structure")
    return driver.window.features.laboratory.search.panel


def search(driver: Driver, panel: SearchPanel, pattern: str, place: str = GOLD) -> None:
    panel.look_for(pattern, place)
    driver.until(lambda: not panel.busy)


def passes(text: str, line: str, status: SentenceStatus | None, lexicaliser: Lexicaliser | None = None) -> bool:
    return ListFilter(text).test(lexicaliser, {})(TextLine(line), status)


def test_files_have_matches_counts_and_trees(driver: Driver, tmp_path: Path) -> None:
    panel = panel_of(driver, WITH_SAW, MINUS, SLEPT)
    search(driver, panel, "VP < /^VB/=verb < (PP < __=preposition)")

    def written(title: str, name: str) -> str:
        panel.write(title, tmp_path / name)
        driver.until(lambda: not panel.busy)
        return (tmp_path / name).read_text(encoding="utf-8")

    rows = list(csv.DictReader(written("Matches as CSV", "m.csv").splitlines()))
    assert len(rows) == len(panel.matches) > 3
    assert rows[0]["sentence"] == "2" and rows[0]["match"] == "saw the man with the telescope"
    assert rows[0]["verb words"] == "saw" and rows[0]["in"] == "gold tree"
    # What a spreadsheet would compute is text.
    assert any(row["preposition words"] == "'=A1" or row["preposition words"] == '"=A1"' for row in rows)
    tabs = written("Matches as TSV", "m.tsv")
    assert tabs.splitlines()[0].split("\t")[0] == "sentence"
    counts = list(csv.reader(written("Counts as CSV", "c.csv").splitlines()))
    assert counts[0] == ["label of verb", "matches", "trees", "share"]
    assert sum(int(row[1]) for row in counts[1:]) == len(rows)
    trees = written("Matching trees in brackets", "t.ptb").splitlines()
    assert len(trees) == 3 and read_tree(trees[0]) == read_tree(WITH_SAW)


def test_a_list_without_gold_trees_says_so_and_parses_are_searched(driver: Driver, qtmodeltester: ModelTester) -> None:
    driver.do("search-structure")
    panel = driver.window.features.laboratory.search.panel
    search(driver, panel, "PP")
    assert "no sentence of the list has a gold tree" in panel.summary.text() and not panel.matches
    search(driver, panel, "PP", PARSES)
    assert [match.found.source for match in panel.matches] == ["parse"]
    qtmodeltester.check(panel.table.rows_model)
    # Other settings make other parses: what was found is out of date then.
    assert not panel.is_outdated
    driver.session.editor.set_preset(1)
    driver.settle()
    assert panel.is_outdated and "out of date" in panel.summary.text()


def test_a_search_stops_where_nobody_reads_more(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure_search, "MOST_MATCHES", 7)
    panel = panel_of(driver, *(SLEPT for _ in range(40)))
    search(driver, panel, "NP")
    assert len(panel.matches) == 7 and "narrower" in panel.summary.text()


def test_a_search_can_be_stopped_and_finds_all_when_it_is_not(driver: Driver) -> None:
    trees = [text for text in CLASSROOM.read_text(encoding="utf-8").splitlines() if text.startswith("(")]
    panel = panel_of(driver, *(trees * 6))
    panel.look_for("NP=x", GOLD)
    assert panel.busy and panel.start.text() == "Stop"
    panel.search_or_stop()
    found = len(panel.matches)
    driver.until(lambda: not panel.busy)
    assert len(panel.matches) == found and "stopped" in panel.summary.text()
    search(driver, panel, "NP=x")
    assert len(panel.matches) > found
    per_tree = [len(list(Pattern("NP").matches(read_tree(text)))) for text in trees]
    assert len(panel.matches) == 6 * sum(per_tree)


def test_a_match_whose_sentence_is_gone_says_so(driver: Driver) -> None:
    panel = panel_of(driver, SLEPT, WITH_SAW)
    search(driver, panel, "PP > VP")
    driver.session.editor.remove_lines([1])
    driver.settle()
    messages: list[str] = []
    driver.session.messages.posted.connect(lambda text, _: messages.append(text))
    panel.go_to(0)
    assert messages == ["This sentence is no longer in the list; search again."]
    panel.go_to(1)
    driver.settle()
    assert driver.session.editor.line.text == WITH_SAW


def test_the_filter_knows_patterns(classroom: engine.Model) -> None:
    lexicaliser = classroom.lexicaliser
    wrong = SentenceStatus(DIFFERS, tree=WITH_MAN)
    assert passes('tree:"PP > VP"', WITH_SAW, None) and not passes('tree:"PP > VP"', WITH_MAN, None)
    assert passes('-tree:"PP > VP" tree:NP', WITH_MAN, None)
    assert passes('tree:"NP <<# man"', WITH_MAN, None, lexicaliser)
    # A sentence without a gold tree has its parse.
    assert passes('tree:"PP > NP"', "Mary saw the man with the telescope .", wrong)
    assert not passes('tree:"PP > NP"', "Mary saw the man with the telescope .", None)
    assert passes('missing:"PP > VP"', WITH_SAW, wrong) and not passes('extra:"PP > VP"', WITH_SAW, wrong)
    assert passes('extra:"PP > NP"', WITH_SAW, wrong) and not passes('missing:"PP > VP"', WITH_SAW, None)
    mark = quoted("tree", 'NN < "-2"')
    assert mark == r'tree:"NN < \"-2\""' and passes(mark, MINUS, None) and not passes(mark, SLEPT, None)
    assert ListFilter('tree:"PP > VP"').slow and ListFilter('missing:"PP"').follows_statuses


@pytest.mark.parametrize(("text", "column"), [('tree:"PP > (VP"', 12), ("tag:NN tree:]", 13), ('extra:""', 8)])
def test_a_wrong_pattern_in_the_filter_names_its_column(text: str, column: int) -> None:
    with pytest.raises(FilterError, match=f"column {column}:"):
        ListFilter(text)


def test_every_example_is_a_pattern_and_patterns_like_a_node_find_it(classroom: engine.Model) -> None:
    for text, _ in (*EXAMPLES, *(one for one in NOTATION if one[0][0] != "A")):
        assert Pattern(text).text == text
    with pytest.raises(PatternError):
        Pattern("A <")
    rules, tried = classroom.lexicaliser.rules, 0
    for text in (WITH_MAN, SLEPT, MINUS):
        tree = read_tree(text)
        for path, _, _, _ in walk(tree):
            for pattern in patterns_like(tree, tuple(path), rules):
                assert any(match.path == tuple(path) for match in Pattern(pattern).matches(tree, rules)), pattern
                tried += 1
    assert tried > 60
