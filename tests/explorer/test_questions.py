"""Questions of a lesson: their options come from the engine, their order says nothing, and their answer is covered."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.chart.search import Control
from engine.explain.subjects import ArrowId, ChartCellId, GapId, GapTagId, MatrixCellId, NodeId, RootId, WordId
from engine.settings import Settings
from explorer.classroom.lesson import PARSE_EDGES, SURVIVING_EDGES, LessonError, LessonStep, Question
from explorer.classroom.questions import Option, PosedQuestion, pose_step, shuffled
from explorer.classroom.references import References
from explorer.kit.fonts import QtMetrics
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Box, Curve, Drawing, Rect, Text
from explorer.pictures.facts import facts_of
from explorer.pictures.layout import Room
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.options import TriangleOptions
from explorer.pictures.sentence import gaps_picture, reduced_picture, sentence_picture
from explorer.pictures.tree import parse_picture
from explorer.pictures.triangle import triangle_picture
from explorer.session.document import TextLine
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from tests.explorer.conftest import TELESCOPE

GOLD = "(S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
WITH, SAW, MAN = 4, 1, 3


def _parsed(model: engine.Model, text: str) -> ParseResult:
    request = ParseRequest(model, Settings.preset(3), TextLine(text))
    return parse_for_window(request, ParserPool(), Control(), lambda quick: None)


@pytest.fixture(scope="module")
def result(classroom: engine.Model) -> ParseResult:
    """A sentence with a PP to attach, without a gold tree."""
    return _parsed(classroom, TELESCOPE)


@pytest.fixture(scope="module")
def gold_result(classroom: engine.Model) -> ParseResult:
    """The same as a gold tree, which attaches the PP otherwise."""
    return _parsed(classroom, GOLD)


def _pose(result: ParseResult, kind: str, subject: str = "", **more: object) -> PosedQuestion:
    references = References(result.reading.tagged.proper_words)
    step = LessonStep("a step", question=Question(kind, subject), **more)  # type: ignore[arg-type]
    return pose_step(step, result, references)


# What is covered


@pytest.mark.parametrize("word", ["with", "saw", "man", "telescope", "Mary"])
def test_the_sign_of_a_covered_arrow_stands_on_no_other_arrow(
    result: ParseResult, metrics: QtMetrics, word: str
) -> None:
    posed = _pose(result, "head", word)
    for picture in (arrows_picture, parse_picture):
        covered = posed.cover(picture(result.parse, metrics))
        signs = [shape for shape in covered.shapes if isinstance(shape, Box) and shape.dash == "dash" and shape.radius]
        heads = [shape for shape in covered.shapes if isinstance(shape, Curve) and shape.fill]
        assert signs and len(heads) >= 3
        for sign in signs:
            room = Rect(sign.x, sign.y, sign.width, sign.height)
            points = [point for head in heads for point in (head.start, *head.segments)]
            assert not any(room.contains(*point[-2:]) for point in points), picture


# Options and answers


def test_a_gap_has_five_tags_with_the_estimated_probabilities(result: ParseResult) -> None:
    posed = _pose(result, "gap", "man")
    chances = facts_of(result.parse).gaps[MAN - 1]
    assert [option.letter for option in posed.options] == list("SCEBN")
    assert [option.share for option in posed.options] == [chances[letter] for letter in "SCEBN"]
    assert posed.options[posed.answer].letter == result.parse.gap_tags[MAN - 1] == "C"
    assert posed.gold is None and posed.right == posed.answer
    assert "‘the’ and ‘man’" in posed.text


def test_heads_have_the_normalised_probabilities_and_the_gold_head_is_among_them(gold_result: ParseResult) -> None:
    posed = _pose(gold_result, "head", "with")
    best = facts_of(gold_result.parse).best_candidates
    shares = {option.id: option.share for option in posed.options}
    assert shares[WordId(SAW)] == best[WITH, SAW].probability
    assert shares[WordId(MAN)] == best[WITH, MAN].probability
    assert posed.options[posed.answer].id == WordId(MAN)
    assert posed.gold is not None and posed.options[posed.gold].id == WordId(SAW)
    assert posed.right == posed.gold, "where gold is known it marks"
    assert len(posed.options) <= 5


def test_a_verb_may_head_the_sentence_whether_it_does_or_not(classroom: engine.Model) -> None:
    posed = _pose(_parsed(classroom, "Mary/NNP said/VBD John/NNP saw/VBD the/DT man/NN ./."), "head", "saw")
    assert RootId() in {option.id for option in posed.options}
    assert posed.options[posed.answer].id != RootId()


def test_the_head_of_the_sentence_has_other_words_beside_the_root(result: ParseResult) -> None:
    posed = _pose(result, "head", "saw")
    assert posed.options[posed.answer].id == RootId()
    assert len(posed.options) >= 4


def test_relations_are_those_seen_for_the_two_words(result: ParseResult) -> None:
    posed = _pose(result, "relation", "with")
    seen = {one.relation: one.probability for one in facts_of(result.parse).candidates[WITH] if one.head == MAN}
    shares = {option.text.partition(":")[0]: option.share for option in posed.options}
    assert {str(relation): share for relation, share in seen.items()}.items() <= shares.items()
    assert posed.options[posed.answer].text.startswith("<PP,NP,NP>")
    assert len(posed.options) >= 3


@pytest.mark.parametrize("subject", ["2", "with -> saw"])
def test_two_trees_are_named_by_what_differs(gold_result: ParseResult, subject: str) -> None:
    posed = _pose(gold_result, "better tree", subject)
    assert {option.text for option in posed.options} == {"with → man instead of saw", "with → saw instead of man"}
    assert posed.options[posed.answer].text == "with → man instead of saw"
    assert posed.gold is not None and posed.options[posed.gold].text == "with → saw instead of man"
    assert all(option.parse is not None and option.share is None for option in posed.options)
    assert not any("log P" in option.text for option in posed.options)


def test_what_falls_under_a_narrower_beam_is_not_in_its_chart(result: ParseResult, classroom: engine.Model) -> None:
    posed = _pose(result, "beam", "20")
    narrow = engine.Parser.preset(classroom, 3, beam=20.0).parse(TELESCOPE, trace=True)
    assert narrow.chart is not None
    words = facts_of(result.parse)
    kept = {
        f"{item.label} over ‘{words.quoted(item.start, item.end)}’, headed by ‘{words.words[item.head]}’"
        for item in narrow.chart.items
    }
    fallen = [number for number, option in enumerate(posed.options) if option.text not in kept]
    assert fallen == [posed.answer]
    assert len(posed.options) >= 2


@pytest.mark.parametrize("replay", ["all", SURVIVING_EDGES, PARSE_EDGES])
def test_the_next_edge_is_that_of_the_replay(result: ParseResult, replay: str) -> None:
    posed = _pose(result, "next edge", chart_step=4, replay=replay)
    trace, facts = result.parse.chart, facts_of(result.parse)
    assert trace is not None and facts.in_chart is not None
    # The step counts the edges of its own replay.
    later = {
        "all": list(range(len(trace))),
        SURVIVING_EDGES: [edge.number for edge in trace if edge.pruning_reason == "kept"],
        PARSE_EDGES: sorted(set(facts.in_chart.edges)),
    }[replay][4:]
    chosen = [getattr(option.id, "number", None) for option in posed.options]
    assert chosen[posed.answer] == later[0]
    assert len(set(chosen)) == len(chosen) >= 2 and set(chosen) <= set(later)


@pytest.mark.parametrize(
    ("kind", "subject", "more", "words"),
    [
        ("gap", "Mary", {}, "first word"),
        ("gap", "nobody", {}, "there is no word `nobody`"),
        ("head", "the", {}, "inside a baseNP and has no arrow; ask about its head, `man`"),
        ("relation", "saw", {}, "heads the sentence"),
        ("better tree", "99", {}, "there is no tree 99"),
        ("better tree", "with -> man", {}, "the same tree"),
        ("beam", "1000000", {}, "no narrower"),
        ("next edge", "", {}, "chart step"),
        ("next edge", "", {"chart_step": 100_000}, "no edge comes after this step"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(
    result: ParseResult, kind: str, subject: str, more: dict[str, object], words: str
) -> None:
    with pytest.raises(LessonError, match=words.replace("(", r"\(")):
        _pose(result, kind, subject, **more)


def test_the_teachers_words_come_before_the_programs(result: ParseResult) -> None:
    references = References(result.reading.tagged.proper_words)
    question = Question("head", "with", "Where does it go?", "Think of telescopes.")
    posed = pose_step(LessonStep("", question=question), result, references)
    assert (posed.text, posed.hint) == ("Where does it go?", "Think of telescopes.")
    assert posed.hint_for(0) == "Think of telescopes."


def test_a_hint_is_about_the_words_between(classroom: engine.Model) -> None:
    posed = _pose(_parsed(classroom, "Mary/NNP said/VBD John/NNP saw/VBD the/DT man/NN ./."), "head", "man")
    hints = {option.text: posed.hint_for(number) for number, option in enumerate(posed.options)}
    assert hints["said"] == "There is a verb between ‘man’ and ‘said’: arrows seldom reach across one."
    right = posed.options[posed.right].text
    assert not any(f"‘{right}’" in hint for text, hint in hints.items() if text != right), "it names the answer"


@given(st.lists(st.text(max_size=8), min_size=2, max_size=5, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_options_does_not_depend_on_how_they_were_found(texts: list[str], random: object) -> None:
    question, words = Question("head", "with"), ("Mary", "saw")
    mixed = list(texts)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    first = shuffled([Option(text, 0.9) for text in texts], question, words)
    second = shuffled([Option(text, 0.1, detail="right") for text in mixed], question, words)
    assert [option.text for option in first] == [option.text for option in second]


def test_the_answer_has_no_usual_place(classroom: engine.Model) -> None:
    places = []
    for name in ("Mary", "John", "Ann", "Bill", "Sue", "Tom", "Kim", "Lee"):
        posed = _pose(
            _parsed(classroom, f"{name}/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."), "head", "with"
        )
        places.append(posed.answer)
    assert len(set(places)) > 2


# Covers

PICTURES: dict[str, Callable[[ParseResult, QtMetrics], Drawing]] = {
    "sentence": lambda result, metrics: sentence_picture(result.parse, metrics),
    "gaps": lambda result, metrics: gaps_picture(result.parse, metrics),
    "reduced": lambda result, metrics: reduced_picture(result.parse, metrics),
    "matrix": lambda result, metrics: matrix_picture(result.parse, metrics),
    "chart": lambda result, metrics: triangle_picture(result.parse, metrics, TriangleOptions(until=20)),
    "arrows": lambda result, metrics: arrows_picture(result.parse, metrics),
    "parse": lambda result, metrics: parse_picture(result.parse, metrics),
    "long": lambda result, metrics: parse_picture(result.parse, metrics, room=Room(320, 400)),
}


def _texts(drawing: Drawing) -> list[str]:
    groups = [group for group in drawing.groups if group is not drawing.legend]
    return [shape.text for group in groups for shape in group.shapes if isinstance(shape, Text)]


def _words_of(drawing: Drawing) -> str:
    return " ".join((drawing.text_twin, *(area.label for area in drawing.areas)))


@pytest.mark.parametrize("name", PICTURES)
def test_a_covered_gap_cannot_be_told_from_any_picture(result: ParseResult, metrics: QtMetrics, name: str) -> None:
    posed = _pose(result, "gap", "man")
    drawing = posed.cover(PICTURES[name](result, metrics))
    told = {area.id for area in drawing.areas}
    assert not told & posed.covered
    assert not any(isinstance(id, NodeId | ArrowId | MatrixCellId | ChartCellId) for id in told)
    assert "[" not in _texts(drawing) and "the baseNP" not in _words_of(drawing)
    shown = [shape for shape in drawing.shapes if isinstance(shape.id, GapId | GapTagId) and shape.id in posed.covered]
    assert not any(isinstance(shape, Text) for shape in shown)
    if name == "gaps":
        assert _texts(drawing).count("?") == 1
        assert [letter for letter in _texts(drawing) if letter in "SCEBN"] == ["E", "S"], "gaps before it stay"
    bold = [shape for shape in drawing.shapes if isinstance(shape, Text) and shape.style == "word-bold"]
    assert not bold, "the heads of baseNPs are bold"


@pytest.mark.parametrize("kind", ["head", "relation"])
@pytest.mark.parametrize("name", PICTURES)
def test_a_covered_arrow_cannot_be_told_from_any_picture(
    result: ParseResult, metrics: QtMetrics, name: str, kind: str
) -> None:
    posed = _pose(result, kind, "with")
    drawing = posed.cover(PICTURES[name](result, metrics))
    told = {area.id for area in drawing.areas}
    assert not any(isinstance(id, NodeId | ChartCellId) for id in told)
    assert not any(isinstance(id, MatrixCellId) and id.modifier == WITH for id in told)
    assert ArrowId(WITH) not in told
    assert "PP,NP,NP" not in " ".join(_texts(drawing)) and "PP,NP,NP" not in _words_of(drawing)
    assert "with → man" not in _words_of(drawing)
    lines = [shape for shape in drawing.shapes if shape.id == ArrowId(WITH) and isinstance(shape, Curve)]
    assert bool(lines) == (kind == "relation" and name in ("arrows", "parse", "long")), "the line tells the head"
    if kind == "head":
        assert not any(shape.id == RootId() for shape in drawing.shapes), "who has no other head heads the sentence"
    assert drawing.lens is None


@pytest.mark.parametrize("name", PICTURES)
def test_of_two_trees_no_picture_tells_the_better(result: ParseResult, metrics: QtMetrics, name: str) -> None:
    posed = _pose(result, "better tree", "2")
    drawing = posed.cover(PICTURES[name](result, metrics))
    assert {type(area.id).__name__ for area in drawing.areas} <= {"WordId", "PunctuationId", "TagId"}
    assert "log P" not in _words_of(drawing) and "→" not in _words_of(drawing)
    assert "Mary" in _texts(drawing)


def test_the_chart_says_nothing_of_what_comes(result: ParseResult, metrics: QtMetrics) -> None:
    posed = _pose(result, "next edge", chart_step=20)
    chart = PICTURES["chart"](result, metrics)
    assert any("best" in area.label for area in chart.areas)
    covered = posed.cover(chart)
    assert not any(area.label for area in covered.areas if isinstance(area.id, ChartCellId))
    assert "best" not in covered.text_twin and covered.lens is None
    tree = posed.cover(PICTURES["parse"](result, metrics))
    assert not any(isinstance(area.id, NodeId | ArrowId) for area in tree.areas)


def test_the_chart_under_this_beam_may_be_looked_at(result: ParseResult, metrics: QtMetrics) -> None:
    chart = PICTURES["chart"](result, metrics)
    assert _pose(result, "beam", "20").cover(chart) is chart


def test_every_share_is_a_probability(result: ParseResult) -> None:
    checked = 0
    for kind, subject in (
        ("gap", "saw"),
        ("gap", "with"),
        ("head", "man"),
        ("head", "telescope"),
        ("relation", "with"),
    ):
        shares = [option.share for option in _pose(result, kind, subject).options if option.share is not None]
        assert all(0 <= share <= 1 for share in shares) and math.fsum(shares) <= 1 + 1e-9
        checked += len(shares)
    assert checked > 10


def test_trees_tell_the_score_that_decides_between_them(reranked_path: Path) -> None:
    request = ParseRequest(engine.load(reranked_path), Settings.preset(5), TextLine(TELESCOPE))
    result = parse_for_window(request, ParserPool(), Control(), lambda quick: None)
    posed = _pose(result, "better tree", "2")
    assert all("score −" in option.detail for option in posed.options)
