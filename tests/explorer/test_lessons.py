"""Lesson files: what is written comes back, what is wrong is said in one sentence, and nothing crashes."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    DecisionId,
    DecisionsId,
    EdgeId,
    FactorId,
    FeaturesId,
    GapId,
    GapTagId,
    ItemId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    SecondModelId,
    Subject,
    TagId,
    WhatIfId,
    WordId,
)
from engine.structure.constraints import ROOT_HEAD, Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import GAP_LETTERS, Relation
from explorer.classroom.lesson import (
    REPLAYS,
    SWITCHES,
    Lesson,
    LessonError,
    LessonStep,
    Question,
    bundled_lessons,
    find_model,
    model_name,
    moved,
    step_settings,
    tidy_caption,
    tidy_line,
    tidy_text,
)
from explorer.classroom.lesson_editor import check_lesson
from explorer.classroom.lesson_file import lesson_of_bytes, lesson_text, parse_lesson, read_lesson, save_lesson
from explorer.classroom.references import References
from tests.stage_names import NAMES

LESSON = """# Where does *with* go?

- format: 1
- model: classroom
- preset: 3
- beam: 1000

A lesson about attachment. {{Braces}} stay.

> For the second week.

## A man, a telescope

- sentence: Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.
- stage: parse
- select: arrow of with
- question: head of with
- ask: Which word does *with* modify?
- hint: Who has the telescope?

F̂ of *with* → *{head of with}* is {F̂ of with}, with η₁ = {η1 of with} of δ₁ = {δ1 of with}.

- one
- two: three

\\# not a heading

> Say: the score is {score}.
>
> And wait.

## The other way

- stage: chart
- what-if: with -> saw
- what-if: not gap S before man
- full distance: off
- beam: ∞
- preset: 2
- rank: 2
- chart step: 12
- replay: survivors
- question: beam 20

It costs {price}.

## A tree

- sentence: (S (NP (NNP Mary)) (VP (VBD saw) (NP (DT the) (NN man))) (. .))
- gold tags: off
- stage: gaps
- select: gap before the
- question: better tree than 2

LR = {LR}
"""

# What the program can make


def _lines(least: int = 0) -> st.SearchStrategy[str]:
    odd = st.text(
        st.sampled_from("#>-\\`{}[]()/:.,*_ \t\n\r\x00\x0b\x85\u00a0\u00ad\u200b\u2028\ufeffaé中😀"), max_size=12
    )
    return st.one_of(st.text(max_size=20), odd).map(tidy_line).filter(lambda text: len(text) >= least)


def _texts(tidy: Callable[[str], str]) -> st.SearchStrategy[str]:
    rows = st.lists(
        st.one_of(
            _lines(),
            st.sampled_from(
                ["", "# x", "## x", "##x", "#", "##", "### x", "> x", ">", "\\> x", "\\\\# x", "- a: b", "  # x"]
            ),
        ),
        max_size=6,
    )
    return rows.map("\n".join).map(tidy)


_BEAMS = st.one_of(st.none(), st.just(math.inf), st.floats(1.0, exclude_min=True, allow_nan=False))
_QUESTIONS = st.one_of(
    st.builds(Question, st.sampled_from(["gap", "head", "relation", "better tree"]), _lines(1), _lines(), _lines()),
    st.builds(Question, st.just("beam"), st.sampled_from(["20", "1.5", "∞"]), _lines(), _lines()),
    st.builds(Question, st.just("next edge"), st.just(""), _lines(), _lines()),
)
_STEPS = st.builds(
    LessonStep,
    _lines(1),
    sentence=_lines(1),
    model=_lines(),
    preset=st.one_of(st.none(), st.integers(1, 5)),
    beam=_BEAMS,
    threshold=st.one_of(st.none(), st.floats(max_value=0.0, allow_nan=False, allow_infinity=False)),
    switches=st.dictionaries(st.sampled_from(list(SWITCHES.values())), st.booleans()).map(
        lambda made: tuple(made.items())
    ),
    stage=st.sampled_from(NAMES),
    select=_lines(),
    what_ifs=st.lists(_lines(1), max_size=3).map(tuple),
    rank=st.integers(1, 500),
    chart_step=st.one_of(st.none(), st.integers(0, 1 << 31)),
    replay=st.sampled_from(REPLAYS),
    question=st.one_of(st.none(), _QUESTIONS),
    caption=_texts(tidy_caption),
    notes=_texts(tidy_text),
)
_LESSONS = st.builds(
    Lesson,
    _lines(1),
    model=_lines(),
    preset=st.one_of(st.none(), st.integers(1, 5)),
    beam=_BEAMS,
    treebank=_lines(),
    about=_texts(tidy_caption),
    steps=st.lists(_STEPS, max_size=4).map(tuple),
)


@given(_LESSONS)
def test_what_is_written_comes_back(lesson: Lesson) -> None:
    written = lesson_text(lesson)
    assert parse_lesson(written) == lesson
    assert lesson_of_bytes(b"\xef\xbb\xbf" + written.replace("\n", "\r\n").encode(), "x") == lesson


@given(
    st.builds(
        LessonStep, st.text(), sentence=st.just("a/DT b/NN"), select=st.text(), caption=st.text(), notes=st.text()
    )
)
def test_whatever_is_typed_can_be_written_and_read(step: LessonStep) -> None:
    written = lesson_text(Lesson("x", steps=(step,)))
    assert lesson_text(parse_lesson(written)) == written


_WORDS = st.lists(
    st.one_of(
        st.sampled_from(
            ["the", "with", "not", "gap", "tag", "as", "of", "before", "over", "node", "root", "#2", "->", "→"]
        ),
        st.text(min_size=1, max_size=6).filter(lambda word: not any(one.isspace() for one in word)),
    ),
    min_size=3,
    max_size=9,
)


@given(_WORDS, st.randoms(use_true_random=False))
def test_everything_that_can_be_selected_or_forced_has_a_name(words: list[str], rng: random.Random) -> None:
    references = References(words)
    first, last = sorted(rng.sample(range(len(words)), 2))
    relation = Relation("PP", "VP", "VBD")
    ids: list[Subject] = [
        WordId(first), PunctuationId(3), TagId(last, "NN"), GapId(last), GapTagId(last, "S"), ArrowId(first), RootId(),
        MatrixCellId(first, last), CandidateId(last, first, relation), NodeId(first, last, "NP", 2),
        NodeId(first, last, "S", 0), ChartCellId(first, last), EdgeId(7), ItemId(8), SecondModelId(), DecisionsId(1),
        DecisionId(2), FeaturesId(), FactorId(0), WhatIfId(0),
    ]  # fmt: skip
    for id in ids:
        name = references.id_name(id)
        assert tidy_line(name) == name
        assert references.id(name) == id
    constraints: list[Constraint] = [
        GapTag(last, rng.choice(GAP_LETTERS)), BaseSpan(first, last), Attachment(first, last),
        Attachment(last, first, relation), Attachment(first, ROOT_HEAD), Bracket(first, last, "NP"),
        Bracket(first, last, None), FixedTag(last, "NN"),
    ]  # fmt: skip
    for constraint in [*constraints, *(replace(one, forbid=True) for one in constraints)]:
        name = references.constraint_name(constraint)
        assert tidy_line(name) == name
        assert references.constraint(name) == constraint


def test_a_lesson_by_hand() -> None:
    lesson = parse_lesson(LESSON, "with.md")
    assert lesson.title == "Where does *with* go?" and lesson.model == "classroom" and lesson.preset == 3
    assert lesson.about == "A lesson about attachment. {{Braces}} stay.\n\nFor the second week."
    first, second, third = lesson.steps
    assert first.question == Question("head", "with", "Which word does *with* modify?", "Who has the telescope?")
    assert "- two: three\n\n\\# not a heading" in first.caption
    assert first.notes == "Say: the score is {score}.\n\nAnd wait."
    assert second.what_ifs == ("with -> saw", "not gap S before man")
    assert second.switches == (("distance", False),) and step_settings(lesson, 1)[1].distance == "order"
    assert (second.rank, second.chart_step, second.replay, second.beam) == (2, 12, "survivors", math.inf)
    assert lesson.sentence_at(1) == first.sentence
    assert step_settings(lesson, 2)[2] is False and third.question == Question("better tree", "2")
    assert check_lesson(lesson) == []
    assert parse_lesson(lesson_text(lesson)) == lesson


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("- preset: 3", "- preset: 9", 5, "there is no preset `9`; write one of 1, 2, 3, 4, 5"),
        ("- format: 1", "- format: 2", 3, "made with a newer version of Parse Explorer"),
        ("- format: 1", "- glow: 1\n- format: 2", 4, "made with a newer version of Parse Explorer"),
        ("# Where", "Where", 1, "begins with its title; write `# The title`"),
        ("## A man", "# A man", 12, "one title; write ## for a step"),
        ("## A man", "##A man", 12, "write a space behind the ##"),
        ("- stage: parse", "- stage: pars", 15, "no stage `pars`; write one of sentence, gaps"),
        ("- stage: parse", "- colour: red", 15, "a step has no `colour`; it has sentence"),
        ("- stage: parse", "- stage: parse\n- stage: gaps", 16, "there twice"),
        ("- question: head of with\n", "", 17, "there is no question here"),
        ("- question: head of with", "- question: what", 17, "is no question; write `gap before WORD`"),
        ("- rank: 2", "- rank: 99999999999999999999", 40, "write a number from 1 to 500"),
        ("- beam: ∞", "- beam: 0.5", 38, "a number greater than 1 or ∞"),
        ("- full distance: off", "- threshold: 1", 37, "the threshold is a log probability of at most 0"),
        ("- full distance: off", "- full distance: maybe", 37, "`on` or `off`"),
        ("- sentence: Mary/NNP", "- notes: Mary/NNP", 14, "a step has no `notes`"),
        ("- hint: Who", "Who", 19, "leave an empty line"),
    ],
)
def test_mistakes_are_told_with_file_and_line(before: str, after: str, line: int, said: str) -> None:
    assert LESSON.count(before) == 1
    with pytest.raises(LessonError) as raised:
        parse_lesson(LESSON.replace(before, after), "with.md")
    assert str(raised.value).startswith(f"with.md, line {line}: "), raised.value
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("arrow of with", "arrow of wiht", 16, "in the sentence `Mary saw the man with the telescope`; write `with`"),
        ("arrow of with", "arow of with", 16, "selects nothing; write for instance"),
        ("head of with\n", "head of without\n", 17, "no word `without`"),
        ("{F̂ of with}", "{F̂ off with}", 21, "there is no placeholder `{F̂ off with}`; write for instance `{F̂ of WORD}`"),
        ("{F̂ of with}", "{F̂ of when}", 21, "no word `when`"),
        ("- two: three", "{", 24, "without its closing brace"),
        ("{score}.", "{skore}.", 28, "no placeholder `{skore}`"),
        ("with -> saw", "with > saw", 35, "is no what-if; write for instance"),
        ("gap before the\n", "gap before Mary\n", 52, "no gap before `Mary`, the first word"),
        ("- model: classroom", "- model: lost.model", 4, "the lesson's model `lost.model` is not at"),
        ("(NN man))) (. .))", "(NN man)))", 49, "lacks 1 closing )"),
    ],
)  # fmt: skip
def test_what_can_be_told_without_a_parse_is_told_at_once(before: str, after: str, line: int, said: str) -> None:
    text = LESSON.replace(before, after, 1)
    assert text != LESSON
    problems = check_lesson(parse_lesson(text, "with.md"), Path("/nowhere/with.md"))
    assert len(problems) == 1, problems
    assert problems[0].text("with.md").startswith(f"with.md, line {line}: "), problems
    assert said in problems[0].message


def test_plain_text_is_checked_but_for_its_words() -> None:
    lesson = Lesson(
        "x", steps=(LessonStep("y", "Mary saw the man.", select="arrow of anything", caption="{tag of it}"),)
    )
    assert check_lesson(lesson) == []
    broken = replace(lesson, steps=(replace(lesson.steps[0], select="arrows of it", caption="{tags of it}"),))
    assert [problem.text("x") for problem in check_lesson(broken)] == [
        f"x, step 1: {problem.message}" for problem in check_lesson(broken)
    ]
    assert len(check_lesson(broken)) == 2


def test_a_moved_lesson_finds_its_model_or_says_what_is_missing(tmp_path: Path) -> None:
    here, there = tmp_path / "a" / "x.md", tmp_path / "b" / "x.md"
    for folder in (here.parent, there.parent):
        folder.mkdir()
    model = here.parent / "models" / "own.model"
    model.parent.mkdir()
    model.write_bytes(b"x")
    lesson = Lesson("x", model=model_name(str(model), here), steps=(LessonStep("y", "a/DT", model="english"),))
    assert lesson.model == "models/own.model"
    save_lesson(lesson, here)
    assert find_model(read_lesson(here).model, here) == model
    with pytest.raises(LessonError, match=r"models/own.model` is not at .*b/models/own.model; put it there"):
        find_model(lesson.model, there)
    assert find_model(moved(lesson, here, there).model, there) == model
    assert moved(moved(lesson, here, there), there, here) == lesson
    assert moved(lesson, None, there) == lesson


# Ten thousand files that somebody spoiled


def _spoiled(content: bytes, rng: random.Random) -> bytes:
    """A file with one to four things wrong with it."""
    for _ in range(rng.randint(1, 4)):
        rows = content.split(b"\n")
        at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        match rng.randrange(10):
            case 0:
                place = rng.randrange(len(content) + 1)
                content = content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :]
            case 1:
                content = content[: rng.randrange(len(content) + 1)]
            case 2:
                content = b"\n".join(rows[:at] + rows[at + 1 :])
            case 3:
                rows[at], rows[other] = rows[other], rows[at]
                content = b"\n".join(rows)
            case 4:
                content = b"\n".join([*rows[:at], rows[at], *rows[at:]])
            case 5:
                numbers = (b"9" * rng.choice((3, 30, 5000)), b"-1", b"1e999", b"nan", "٣".encode(), b"0x1")
                rows[at] = rows[at][: rng.randrange(len(rows[at]) + 1)] + rng.choice(numbers)
                content = b"\n".join(rows)
            case 6:
                signs = (
                    b"{",
                    b"}",
                    b"#",
                    b"## ",
                    b"> ",
                    b"- ",
                    b": ",
                    b"\\",
                    b"\x00",
                    "\u202e".encode(),
                    b"\r",
                    b"((",
                    b"->",
                )
                place = rng.randrange(len(content) + 1)
                content = content[:place] + rng.choice(signs) + content[place:]
            case 7:
                rows[at] = rows[at][::-1]
                content = b"\n".join(rows)
            case 8:
                rows[at] = rows[at].partition(b": ")[0] + b": " + rows[other].partition(b": ")[2]
                content = b"\n".join(rows)
            case 9:
                rows[at] = rows[at].replace(b" ", b"", 1) if rng.random() < 0.5 else rows[at] * rng.choice((2, 300))
                content = b"\n".join(rows)
    return content


@pytest.mark.robust
def test_ten_thousand_spoiled_files_are_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    rng, original = random.Random(16), LESSON.encode()
    refused = read = told = 0
    for _ in range(10_000):
        content = _spoiled(original, rng)
        try:
            lesson = lesson_of_bytes(content, "spoiled.md")
        except LessonError as error:
            refused += 1
            _is_one_sentence(str(error))
            continue
        read += 1
        assert parse_lesson(lesson_text(lesson)) == lesson, content
        for problem in check_lesson(lesson, tmp_path / "spoiled.md"):
            told += 1
            _is_one_sentence(problem.text("spoiled.md"))
    assert refused > 2000 and read > 1000 and told > 500, (refused, read, told)


def _is_one_sentence(message: str) -> None:
    assert message.startswith("spoiled.md") and "\n" not in message and "Traceback" not in message
    assert len(message) < 800, message


def test_files_that_are_no_lessons(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    with pytest.raises(LessonError, match="cannot be read"):
        read_lesson(path)
    for content, said in (
        (b"", "begins with its title"),
        (b"\x80\x81", "not UTF-8"),
        (b"# x\n" * 1_000_001, "too long"),
        (b"# x\n" + b"## y\n\n- sentence: a/DT\n\n" * 1001, "at most 1,000 steps"),
        (b"# x\n\n## y\n", "the first step has no sentence"),
    ):
        path.write_bytes(content)
        with pytest.raises(LessonError, match=said):
            read_lesson(path)


def test_the_lessons_of_the_program_are_sound() -> None:
    for path in bundled_lessons():
        lesson = read_lesson(path)
        assert check_lesson(lesson, path) == [], path.name
        assert parse_lesson(lesson_text(lesson)) == lesson, path.name
