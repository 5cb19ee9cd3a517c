"""A sentence that is too much work at its β: the window says with which it was parsed, or that it was given up."""

from __future__ import annotations

import pytest

from engine.chart import search as work_budget
from explorer.session.document import TextLine
from tests.explorer.window_driver import Driver

SENTENCE = (
    "The/DT old/JJ man/NN saw/VBD the/DT dog/NN with/IN the/DT telescope/NN in/IN the/DT park/NN and/CC slept/VBD ./."
)


@pytest.mark.parametrize(
    ("work", "in_short", "headline"),
    [
        (3000, "too much work; parsed with β = ", "The sentence is too much work at β = 1000, so it was parsed with β"),
        (50, "too much work; only fragments", "To look for a tree is too much work; "),
    ],
)
def test_status_bar_and_inspector_say_so(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, work: int, in_short: str, headline: str
) -> None:
    driver.do("preset-3")
    monkeypatch.setattr(work_budget, "MOST_WORK", work)
    driver.session.editor.set_document(driver.session.editor.document.with_line(TextLine(SENTENCE)))
    driver.settle()
    assert in_short in driver.window.status.facts.text()
    driver.go("parse")
    driver.settle()
    driver.until(lambda: headline in driver.window.inspector.view.toPlainText())
