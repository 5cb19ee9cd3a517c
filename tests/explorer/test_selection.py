"""What can be selected: every sort of thing has a name of its own, and is dealt with wherever all must be."""

from __future__ import annotations

from typing import get_args

import pytest

import engine
from engine import Parse
from engine.chart.search import Control
from engine.estimates.ledger import GapSubject
from engine.explain.registry import TOPICS, explain, related
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    ErrorCellId,
    ErrorId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PointId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    VerdictId,
    WhatIfId,
    WordId,
    id_text,
    modifier_of,
)
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constraints import ROOT_HEAD, Attachment, Bracket, FixedTag, GapTag
from engine.structure.dependencies import Relation
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from explorer.window.what_ifs import constraint_on

RELATION = Relation("PP", "VP", "VBD")
NAMES: dict[Subject, str] = {
    WordId(1): "word-1",
    PunctuationId(7): "token-7",
    TagId(1, "VBD"): "tag-1-VBD",
    GapId(3): "gap-3",
    GapTagId(3, "S"): "letter-3-S",
    ArrowId(4): "arrow-4",
    RootId(): "root",
    MatrixCellId(4, 1): "matrix-4-1",
    CandidateId(4, 1, RELATION): "candidate-4-1-<PP,VP,VBD>",
    NodeId(1, 7, "VP", 1): "node-1-7-VP-1",
    ChartCellId(1, 7): "cell-1-7",
    EdgeId(3): "edge-3",
    ItemId(3): "item-3",
    SecondModelId(): "second-model",
    DecisionsId(2): "decisions-2",
    DecisionId(3): "decision-3",
    FeaturesId(): "features",
    FactorId(9999): "factor-9999",
    WhatIfId(0): "what-if-0",
    VerdictId(): "verdict",
    ErrorId(1, 2): "error-1-2",
    ErrorCellId("PP attachment", ""): "errors-PP attachment-",
    PointId(5): "point-5",
}
BEYOND: tuple[Subject, ...] = (WordId(99), PunctuationId(99), GapId(99), GapId(0))


@pytest.fixture(scope="module")
def made(classroom: Model) -> ParseResult:
    """The full result for a sentence."""
    request = ParseRequest(classroom, Settings.preset(3), TextLine("Mary saw the man with the telescope."))
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


def test_every_sort_has_a_name_of_its_own_in_a_file() -> None:
    assert {type(one) for one in NAMES} == set(get_args(Subject))
    assert {one: id_text(one) for one in NAMES} == NAMES


def test_every_sort_has_its_topic() -> None:
    assert set(TOPICS) == {*get_args(Subject), type(None)}


def test_things_of_different_sorts_are_different() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert GapId(3) == GapId(3)


def test_every_sort_is_explained_and_what_is_not_there_leaves_the_parse(made: ParseResult) -> None:
    # Without a re-ranker the second model and the features have no say; nothing is forced, and the ledger is shorter.
    # Verdicts and errors are explained by what is compared, points of a plot where it is.
    absent = SecondModelId | DecisionsId | DecisionId | FeaturesId | FactorId | WhatIfId
    absent |= VerdictId | ErrorId | ErrorCellId | PointId
    silent = tuple(one for one in NAMES if isinstance(one, absent))
    titles = {id_text(one): explain(made.context(), one).title for one in NAMES if one not in silent}
    assert all(titles.values())
    whole = explain(made.context(), None).title
    assert {explain(made.context(), one).title for one in (*BEYOND, *silent)} == {whole}
    assert whole not in titles.values()


def test_what_can_be_forced_is_forced_as_it_stands(made: ParseResult) -> None:
    parse: Parse = made.parse
    expected: dict[Subject, object] = {
        WordId(1): FixedTag(1, parse.sentence.proper_tags[1], False),
        PunctuationId(7): None,
        TagId(1, "VBD"): FixedTag(1, "VBD", False),
        GapId(3): GapTag(3, parse.gap_tags[2], False),
        GapTagId(3, "S"): GapTag(3, "S", False),
        ArrowId(4): Attachment(4, parse.heads()[4], None, False),
        RootId(): Attachment(parse.roots[0].head, ROOT_HEAD, None, False),
        MatrixCellId(4, 1): Attachment(4, 1, None, False),
        CandidateId(4, 1, RELATION): Attachment(4, 1, RELATION, False),
        NodeId(1, 7, "VP", 1): Bracket(1, 7, "VP", False),
        ChartCellId(1, 7): Bracket(1, 7, None, False),
        EdgeId(3): None,
        ItemId(3): None,
        SecondModelId(): None,
        DecisionsId(2): None,
        DecisionId(3): None,
        FeaturesId(): None,
        FactorId(9999): None,
        WhatIfId(0): None,
        VerdictId(): None,
        ErrorId(1, 2): None,
        ErrorCellId("PP attachment", ""): None,
        PointId(5): None,
    }
    assert {one: constraint_on(parse, one, False) for one in NAMES} == expected


def test_nothing_is_related_to_itself(made: ParseResult) -> None:
    assert all(one not in related(made.parse, one) for one in NAMES)
    assert related(made.parse, GapTagId(3, "S")) == {WordId(2), WordId(3), GapId(3)}


def test_the_word_whose_attachment_a_thing_is_about() -> None:
    found = {id_text(one) for one in NAMES if modifier_of(one) is not None}
    assert found == {"word-1", "arrow-4", "matrix-4-1", "candidate-4-1-<PP,VP,VBD>"}


def test_a_factor_knows_its_words_whatever_they_hold(classroom: Model) -> None:
    # A word that holds the signs of a row's text: nothing may take that text apart.
    parse = engine.Parser.preset(classroom, 3).parse(classroom.read_tagged("the/DT S/NN saw/VBD a/DT B/NN"))
    gaps = [factor.subject for factor in parse.ledger() if isinstance(factor.subject, GapSubject)]
    assert [one.tag for one in gaps] == list(parse.gap_tags)
    assert [(one.left, one.right) for one in gaps] == [("the", "S"), ("S", "saw"), ("saw", "a"), ("a", "B")]
