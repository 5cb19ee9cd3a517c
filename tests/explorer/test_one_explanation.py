"""What is explained is computed once: a click makes no second explainer, and ranks no word's heads twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

from engine.chart.parser import Parser
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import Candidate
from engine.explain.context import ParseContext
from engine.explain.registry import explain, glosses_of, headline_of, related, words_of
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    GapId,
    GapTagId,
    MatrixCellId,
    NodeId,
    Subject,
    TagId,
    WordId,
)
from engine.model.model import Model
from engine.structure.dependencies import BaseNP
from tests.explorer.window_driver import SAW, Driver
from tests.stage_names import ESTIMATES, GAPS, PARSE, SENTENCE

WITH, SAW_VERB, MAN = 4, 1, 3
CLICKS: tuple[tuple[str, Subject], ...] = (
    (ESTIMATES, MatrixCellId(WITH, SAW_VERB)),
    (ESTIMATES, MatrixCellId(WITH, MAN)),
    (PARSE, ArrowId(WITH)),
    (PARSE, WordId(SAW_VERB)),
    (SENTENCE, WordId(WITH)),
    (GAPS, GapTagId(2, "S")),
)
"""What is clicked, in which stage."""


class Count:
    """How many explainers were made, and for each word the rankings of its heads that were given out."""

    def __init__(self) -> None:
        self.explainers = 0
        self.rankings: dict[object, list[tuple[Candidate, ...]]] = defaultdict(list)

    def start_again(self) -> None:
        """Forget what was counted."""
        self.explainers = 0
        self.rankings.clear()

    @property
    def ranked_once(self) -> bool:
        """Whether nothing was ranked twice: whoever asked again was given the very same ranking."""
        return all(one is given[0] for given in self.rankings.values() for one in given)


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """What is counted from now on."""
    counted, made, candidates = Count(), Explainer.__init__, Explainer.candidates

    def make(self: Explainer, *arguments: object, **named: object) -> None:
        counted.explainers += 1
        made(self, *arguments, **named)  # type: ignore[arg-type]

    def rank(self: Explainer, modifier: int, basenps: Sequence[BaseNP]) -> tuple[Candidate, ...]:
        given = candidates(self, modifier, basenps)
        counted.rankings[self, modifier, tuple(basenps)].append(given)
        return given

    monkeypatch.setattr(Explainer, "__init__", make)
    monkeypatch.setattr(Explainer, "candidates", rank)
    return counted


@pytest.mark.parametrize("preset", (3, 5))
def test_one_explainer_explains_everything_of_a_parse(classroom: Model, preset: int, count: Count) -> None:
    parser = Parser.preset(classroom, preset)
    parse = parser.parse(parser.prepare(SAW), n_best=5)
    count.start_again()
    context = ParseContext(parse)
    relation = parse.arrows[-1][2]
    subjects: tuple[Subject, ...] = (
        MatrixCellId(WITH, SAW_VERB),
        ArrowId(WITH),
        WordId(WITH),
        CandidateId(WITH, SAW_VERB, relation),
        NodeId(0, 7, "S", 0),
        GapId(2),
        GapTagId(2, "S"),
        TagId(1, "VBD"),
    )
    for subject in subjects:
        explain(context, subject)
        headline_of(context, subject)
        glosses_of(parse, subject)
        related(parse, subject)
        words_of(parse, subject)
    assert count.explainers == 1
    assert count.rankings and count.ranked_once


def test_a_click_makes_no_other_explainer_and_ranks_nothing_again(driver: Driver, count: Count) -> None:
    driver.settle()
    result, parse = driver.session.parses.result, driver.session.parses.shown
    assert result is not None and parse is not None
    phrase = next(node for root in parse.roots for node in root.walk() if node.label == "PP")
    driver.session.view.set_stage(PARSE)
    driver.settle()
    assert driver.canvas.drawing is not None
    phrases = [one for one in driver.canvas.drawing.regions if isinstance(one, NodeId)]
    phrases = [one for one in phrases if (one.start, one.end) == (phrase.start, phrase.end)]
    clicks: list[tuple[str, Subject]] = [*CLICKS, *((PARSE, one) for one in phrases)]
    assert len(clicks) > len(CLICKS)
    ranked = {word: parse.explainer().candidates(word, parse.basenps) for word in parse.reduced}
    for stage, thing in clicks:
        driver.session.view.set_stage(stage)
        driver.settle()
        count.start_again()
        driver.click(thing)
        driver.settle()
        assert driver.session.view.selection == thing
        assert driver.window.inspector.explanation.headline == headline_of(result.context(parse), thing)
        # Explainer and rankings are those that were made with the result, off the thread of the window.
        assert count.explainers == 0, thing
        assert all(parse.explainer().candidates(word, parse.basenps) is one for word, one in ranked.items())
        assert count.ranked_once, thing
