"""Another parser's trees, and parsers of their own, as sides of a comparison."""

from __future__ import annotations

import pytest

from engine.explain.subjects import WordId
from engine.settings import Settings
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from explorer.compare.panel import PRICES
from explorer.compare.sides import BestParse, GoldTree, OtherTree, OtherTrees, SystemParse
from tests.explorer.compare_driver import HIGH, LOST, LOW, compared, show
from tests.explorer.window_driver import Driver

pytestmark = pytest.mark.usefixtures("paper_model")
THEIRS = "Their parser"


def _tree(text: str) -> Tree:
    tree = read_tree(text)
    assert tree is not None
    return tree


def test_a_tree_is_found_by_words_and_of_equal_sentences_by_place() -> None:
    high, low = _tree(HIGH), _tree(LOW)
    trees = OtherTrees(THEIRS, [high, None, low])
    words = high.words()
    assert trees.count == 2
    assert trees.find(words, 0) is high
    assert trees.find(words, 2) is low
    # The list was sorted anew, or the sentence was moved.
    assert trees.find(words, 1) is high
    assert trees.find(["Mary"], 0) is None


def test_another_parsers_tree_is_scored_explained_and_priced(driver: Driver) -> None:
    tools = driver.window.features.comparison
    show(driver, LOW)
    assert OtherTree(THEIRS) not in tools.comparisons.choices()
    tools.comparisons.attach(OtherTrees(THEIRS, [_tree(HIGH)]))
    tools.comparisons.choose(OtherTree(THEIRS), GoldTree())
    found = compared(driver)
    assert found.titles == (THEIRS, "Gold tree")
    assert found.first.tree == _tree(HIGH)
    assert found.mistakes
    assert found.difference is not None
    assert found.difference.total == pytest.approx(found.second.score - found.first.score)
    assert THEIRS in tools.panel.verdict.text()
    # Our model judges it: against its own parse, and against gold.
    assert len(found.judgement) == 2
    assert "Our" in found.judgement[0]
    assert "gold tree" in found.judgement[1]
    assert all(sentence in tools.panel.verdict.text() for sentence in found.judgement)
    assert tools.panel.first.currentText() == THEIRS
    tools.panel.tables.setCurrentIndex(PRICES)
    driver.until(lambda: bool(tools.comparisons.prices) and not tools.comparisons.pricing)
    driver.session.view.select(WordId(4))
    saw, man = 1, 3
    costs = {price.head: price.cost for price in reversed(tools.comparisons.prices[4].prices)}
    # Its own head costs nothing, or less where some other word is better attached elsewhere.
    assert costs[saw] == pytest.approx(0.0)
    assert man in costs


def test_a_sentence_without_a_tree_says_so(driver: Driver) -> None:
    tools = driver.window.features.comparison
    show(driver, LOW)
    tools.comparisons.attach(OtherTrees(THEIRS, [_tree(HIGH)]))
    tools.comparisons.choose(BestParse(), OtherTree(THEIRS))
    assert compared(driver).request.second == OtherTree(THEIRS)
    driver.session.editor.edit_text(LOST)
    driver.settle()
    driver.until(lambda: THEIRS in tools.comparisons.problem)
    assert "has no tree of this sentence" in tools.panel.verdict.text()
    # Once its trees are gone, what suits the sentence is compared again.
    tools.comparisons.detach(THEIRS)
    assert compared(driver).request.second == GoldTree()


def test_a_parser_of_its_own_is_judged_under_its_own_settings(driver: Driver) -> None:
    tools = driver.window.features.comparison
    show(driver, LOST)
    narrow = Settings.preset(3, beam=1.2)
    system = SystemParse("narrow", driver.session.editor.document.model, 3, narrow)
    tools.comparisons.choose(system, GoldTree())
    found = compared(driver)
    assert found.titles[0] == "narrow"
    assert found.provenances[0].settings == narrow
    assert found.first.model is found.second.model
    assert found.verdict is not None
    assert found.verdict.parse.settings == narrow
    wide = SystemParse("wide", system.model, 3, Settings.preset(3))
    tools.comparisons.choose(wide, system)
    found = compared(driver)
    assert found.titles == ("wide", "narrow")
    assert found.first.score >= found.second.score
