"""Handouts: what is asked and what the key says, that everything stands on its page, and the PDF itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import engine
from engine.explain.subjects import WordId
from engine.settings import Settings
from explorer.classroom.covers import without
from explorer.classroom.handout import (
    KEYS,
    NO_KEY,
    ONLY_KEY,
    WITH_KEY,
    WORKSHEETS,
    Handout,
    HandoutMaker,
    handout_pages,
)
from explorer.classroom.lesson import LessonError
from explorer.classroom.lesson_file import parse_lesson, read_lesson
from explorer.classroom.worksheets import (
    arrows_sheet,
    asked_arrows,
    chart_sheet,
    counted_word,
    counts_sheet,
    gaps_sheet,
    plain_text,
    text_drawing,
)
from explorer.kit.fonts import QtMetrics
from explorer.output.pages import A4, LEAST_POINTS, LETTER, Page, paged_pdf, paper_named, paper_room
from explorer.pictures.drawing import Box, Drawing, Text
from explorer.pictures.theme import COLOURLESS, STYLES
from explorer.pictures.vector import svg_text
from explorer.session.document import TextLine
from explorer.window.command import main
from tests.explorer.conftest import TELESCOPE
from tests.explorer.pdf_reader import PdfFile

SIZES = {A4: (595, 842), LETTER: (612, 792)}
EIGHT = "I saw the man with the telescope yesterday."
TWENTY_EIGHT = (
    "The man who lived in the house by the river told us that the boat had sunk before the war , and he had seen it."
)
SIXTY = (
    f"{TWENTY_EIGHT[:-1]} when the teacher of the children , a woman from the town , read a letter about the election "
    "in the paper and gave the book to the girl who wanted the dog in the park near the old house ."
)
LESSON = """# Where does *with* go?

- format: 1
- model: classroom
- preset: 3

What the **lesson** is about.

## The picture

- sentence: I saw the man with the telescope yesterday.
- stage: parse
- select: arrow of with

The head of *with*: F̂ = {F̂ of with}.

> A note for the teacher alone.

## Which head?

- stage: parse
- question: head of with
- ask: Which word does *with* modify?

## The gap

- stage: gaps
- question: gap before the

## Two trees

- stage: parse
- question: better tree than 2

## The chart

- stage: chart
- question: beam 20

## The next edge

- stage: chart
- chart step: 12
- question: next edge

## Heads

- stage: estimates
- select: F̂ with -> saw
"""


@pytest.fixture
def lesson_path(tmp_path: Path) -> Path:
    """A lesson with a question of every kind but one."""
    path = tmp_path / "with.md"
    path.write_text(LESSON, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def lesson_handout() -> Handout:
    """The same as a handout, with every worksheet."""
    return HandoutMaker(None).of_lesson(parse_lesson(LESSON), None, tuple(WORKSHEETS))


@pytest.fixture(scope="module")
def sentence_handouts(classroom: engine.Model) -> dict[str, Handout]:
    """Sentences of 8, 24 and some 60 words with every worksheet."""
    maker = HandoutMaker(classroom)
    return {
        text: maker.of_sentences("Sentences", [TextLine(text)], Settings.preset(3), tuple(WORKSHEETS))
        for text in (EIGHT, TWENTY_EIGHT, SIXTY)
    }


def texts(pages: list[Page]) -> list[str]:
    return [shape.text for page in pages for part in page for shape in part.drawing.shapes if isinstance(shape, Text)]


def written(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def all_pages(handouts: dict[str, Handout], metrics: QtMetrics) -> Iterator[tuple[str, list[Page]]]:
    for paper in SIZES:
        for handout in handouts.values():
            yield paper, handout_pages(handout, metrics, paper_named(paper), WITH_KEY)


def test_title_name_caption_and_questions_stand_on_the_pages_and_the_teachers_notes_do_not(
    lesson_handout: Handout, metrics: QtMetrics
) -> None:
    found = " ".join(texts(handout_pages(lesson_handout, metrics, paper_named(A4))))
    for part in (
        "Where does ‘with’ go?",
        "Name",
        "Date",
        "What the lesson is about.",
        "Which word does ‘with’ modify?",
    ):
        assert part in found
    # A caption tells the answer: it stands in the key, its placeholder filled in.
    key = " ".join(texts(handout_pages(lesson_handout, metrics, paper_named(A4), ONLY_KEY)))
    assert "F̂ = 0." not in found and "F̂ = 0." in key
    for pages in (found, key):
        assert "{" not in pages and "A note for the teacher" not in pages and "click" not in pages


def test_the_key_comes_after_the_questions_on_pages_of_its_own(lesson_handout: Handout, metrics: QtMetrics) -> None:
    paper = paper_named(A4)
    counts = {key: len(handout_pages(lesson_handout, metrics, paper, key)) for key in KEYS}
    assert counts[WITH_KEY] == counts[NO_KEY] + counts[ONLY_KEY] and counts[ONLY_KEY] >= 2
    both = handout_pages(lesson_handout, metrics, paper, WITH_KEY)
    assert "Key: Where does ‘with’ go?" in texts([both[counts[NO_KEY]]])
    assert not any(text.startswith("Key") for text in texts(both[: counts[NO_KEY]]))
    assert texts([both[-1]])[-1] == f"{len(both)} of {len(both)}"


def test_the_right_choice_is_marked_in_the_key_alone(lesson_handout: Handout, metrics: QtMetrics) -> None:
    def bold(key: str) -> list[str]:
        pages = handout_pages(lesson_handout, metrics, paper_named(A4), key)
        return [
            shape.text
            for page in pages
            for part in page
            if part.drawing.title == "Answers"
            for shape in part.drawing.shapes
            if isinstance(shape, Text) and shape.style == "label-bold"
        ]

    assert bold(NO_KEY) == []
    marked = bold(ONLY_KEY)
    # One for every question: head, gap, tree, beam, next edge.
    assert len(marked) >= 5 and any(text.startswith("man") for text in marked)
    assert any(text.startswith("S: start of a baseNP") for text in marked)


def test_blank_arrows_are_laid_out_as_the_solved_ones(classroom: engine.Model, metrics: QtMetrics) -> None:
    handout = HandoutMaker(classroom).of_sentences("x", [TextLine(EIGHT)], Settings.preset(3), ["arrows"])
    parse, room = handout.steps[0].parse, paper_room(paper_named(A4))
    solved = arrows_sheet(parse, metrics, room)
    blank, one = (without(solved, asked_arrows(parse, asked)) for asked in (None, [4]))
    assert blank.bounds == solved.bounds == one.bounds
    assert {"NP,S,VP", "root"} <= set(written(solved)) and not {"NP,S,VP", "root"} & set(written(blank))
    assert set(parse.sentence.proper_words) <= set(written(blank))
    # Only the arrow of "with" is left out.
    assert set(written(solved)) - set(written(one)) == {"PP,NP,NP"}


def test_questions_and_key_can_be_held_over_one_another(
    sentence_handouts: dict[str, Handout], metrics: QtMetrics
) -> None:
    def arrows(key: str) -> list[Drawing]:
        pages = handout_pages(sentence_handouts[SIXTY], metrics, paper_named(A4), key)
        return [part.drawing for page in pages for part in page if part.drawing.title == "Dependencies"]

    blank, solved = arrows(NO_KEY), arrows(ONLY_KEY)
    places = [
        {(shape.x, shape.y, shape.text) for part in parts for shape in part.shapes if isinstance(shape, Text)}
        for parts in (blank, solved)
    ]
    assert len(places[0]) > 100 and places[0] < places[1]


def blank_and_solved(handout: Handout, metrics: QtMetrics) -> tuple[list[Drawing], list[Drawing]]:
    """What stands on the pages of a handout without the key, and in its key."""
    blank, solved = (handout_pages(handout, metrics, paper_named(A4), key) for key in (NO_KEY, ONLY_KEY))
    return [part.drawing for page in blank for part in page], [part.drawing for page in solved for part in page]


TELLING = f"""# A lesson that tells what is asked

- preset: 3

## Gaps

- sentence: {EIGHT}
- stage: gaps

## Parse

- stage: parse

## One gap

- question: gap before man

## One head

- question: head of with
"""


@pytest.mark.parametrize(
    ("asked", "answers"), [("gaps", set("CEBN")), ("arrows", {"NP,S,VP", "NP,VP,VBD", "PP,NP,NP", "NP,PP,IN"})]
)
def test_nothing_answers_a_question_before_the_key(
    classroom: engine.Model, metrics: QtMetrics, asked: str, answers: set[str]
) -> None:
    handout = HandoutMaker(classroom).of_lesson(parse_lesson(TELLING), None, (asked,))
    blank, solved = blank_and_solved(handout, metrics)
    words = set(EIGHT.removesuffix(".").split())
    for drawings, tells in ((blank, False), (solved, True)):
        pictures = [texts for one in drawings if words <= set(texts := written(one))]
        assert len(pictures) >= 3, "both questions, and the worksheet"
        assert any(answers & set(texts) for texts in pictures) == tells


def test_of_gaps_behind_the_one_that_is_asked_for_nothing_is_told(classroom: engine.Model, metrics: QtMetrics) -> None:
    parse = engine.Parser(classroom, Settings.preset(3)).parse(engine.TaggedSentence.parse(TELESCOPE))
    room = paper_room(paper_named(A4))
    letters = [text for text in written(gaps_sheet(parse, metrics, room, False, [3])) if text in set("SCEBN")]
    assert letters == list(parse.gap_tags[:2])


def test_arrows_to_draw_do_not_tell_the_gap_tags_that_are_asked_for(
    classroom: engine.Model, metrics: QtMetrics
) -> None:
    maker = HandoutMaker(classroom)
    for worksheets, brackets in ((("arrows",), True), (("arrows", "gaps"), False)):
        handout = maker.of_sentences("Sentences", [TextLine(EIGHT)], Settings.preset(3), worksheets)
        blank, solved = blank_and_solved(handout, metrics)
        assert any("[" in written(one) for one in solved)
        assert any("[" in written(one) for one in blank) == brackets
        bold = [
            shape
            for one in blank
            for shape in one.shapes
            if isinstance(shape, Text) and isinstance(shape.id, WordId) and shape.style == "word-bold"
        ]
        assert bool(bold) == brackets
    asked = " ".join(" ".join(written(one)) for one in blank)
    assert asked.index("Write the tag of every gap") < asked.index("Draw an arrow"), "gap tags are what arrows need"


def test_gaps_are_empty_boxes_and_the_key_has_their_letters(classroom: engine.Model, metrics: QtMetrics) -> None:
    handout = HandoutMaker(classroom).of_sentences("x", [TextLine(EIGHT)], Settings.preset(3), ["gaps"])
    parse, room = handout.steps[0].parse, paper_room(paper_named(A4))
    blank, solved, one = (
        gaps_sheet(parse, metrics, room, False),
        gaps_sheet(parse, metrics, room, True),
        gaps_sheet(parse, metrics, room, False, asked=[2]),
    )
    letters = list(parse.gap_tags)
    boxes = [shape for shape in blank.shapes if isinstance(shape, Box)]
    assert len(boxes) == len(letters) == 7
    assert not set(written(blank)) & set("SCEBN") and "[" not in written(blank)
    assert [text for text in written(solved) if text in set("SCEBN")] == letters
    # What is asked about is told by the weight of its box, not by a colour.
    weights = [shape.weight for shape in one.shapes if isinstance(shape, Box)]
    assert weights[1] > max(weights[0], weights[2]) and len(set(written(one)) & set("SCEBN")) > 0


def test_the_chart_is_a_triangle_of_empty_cells(classroom: engine.Model, metrics: QtMetrics) -> None:
    handout = HandoutMaker(classroom).of_sentences("x", [TextLine(EIGHT)], Settings.preset(3), ["chart"])
    parse, room = handout.steps[0].parse, paper_room(paper_named(A4))
    blank, solved = (chart_sheet(parse, metrics, room, one) for one in (False, True))
    assert sum(isinstance(shape, Box) for shape in blank.shapes) == 8 * 9 // 2
    added = list(written(solved))
    for text in written(blank):
        added.remove(text)
    assert set(added) <= {"S", "NP", "VP", "PP", "VBD", "IN"} and {"S", "VP", "PP"} <= set(added)


def test_counts_are_given_and_what_follows_from_them_is_asked(classroom: engine.Model, metrics: QtMetrics) -> None:
    handout = HandoutMaker(classroom).of_sentences("x", [TextLine(EIGHT)], Settings.preset(3), ["counts"])
    step = handout.steps[0]
    word = counted_word(step.parse, 4)
    assert word == 4
    blank, solved = (
        [
            text
            for drawing in counts_sheet(step.result, step.parse, metrics, word, one, 682.0)
            for text in written(drawing)
        ]
        for one in (False, True)
    )
    assert {"η", "δ", "E₁"} <= set(blank)
    factor = step.parse.ledger().by_modifier()[4]
    estimate = f"{factor.levels[0].estimate:.3f}"
    assert estimate in solved and estimate not in blank
    # The value of F̂ is in no line that is handed out.
    assert any("0.7273" in text or "0.727" in text for text in solved) and not any("0.727" in text for text in blank)


def test_everything_stands_within_the_margins_and_nothing_overlaps(
    sentence_handouts: dict[str, Handout], lesson_handout: Handout, metrics: QtMetrics
) -> None:
    seen = 0
    for name, pages in all_pages({**sentence_handouts, "lesson": lesson_handout}, metrics):
        paper = paper_named(name)
        for page in pages:
            *body, foot = page
            for part in body:
                assert part.x >= paper.margin - 0.01 and part.y >= paper.margin - 0.01
                assert part.x + part.drawing.width * part.scale <= paper.width - paper.margin + 0.6
                assert part.y + part.drawing.height * part.scale <= paper.height - paper.margin + 0.6
                seen += 1
            for above, below in pairwise(body):
                assert above.y + above.drawing.height * above.scale <= below.y + 0.01
            assert foot.y >= paper.height - paper.margin
    assert seen > 100


def test_type_is_large_enough_to_be_read(sentence_handouts: dict[str, Handout], metrics: QtMetrics) -> None:
    seen = 0
    for _, pages in all_pages(sentence_handouts, metrics):
        for page in pages:
            for part in page:
                for shape in part.drawing.shapes:
                    if isinstance(shape, Text):
                        assert STYLES[shape.style].size * 0.75 * part.scale >= LEAST_POINTS - 0.1, shape.text
                        seen += 1
    assert seen > 1000


def test_every_word_of_a_long_sentence_is_asked_about(
    sentence_handouts: dict[str, Handout], metrics: QtMetrics
) -> None:
    handout = sentence_handouts[SIXTY]
    words = handout.steps[0].parse.sentence.proper_words
    assert len(words) >= 55
    found = texts(handout_pages(handout, metrics, paper_named(A4)))
    for word in set(words):
        # Once among the arrows, once among the gaps.
        assert found.count(word) >= 2 * words.count(word) - 1, word


@pytest.mark.parametrize("paper", list(SIZES))
def test_the_pdf_is_vector_with_its_fonts_and_its_text(
    lesson_path: Path, tmp_path: Path, paper: str, metrics: QtMetrics
) -> None:
    path = tmp_path / "out.pdf"
    assert main(["--handout", str(path), "--paper", paper, "--key", "with", str(lesson_path)]) == 0
    found = PdfFile(path)
    handout = HandoutMaker(None).of_lesson(read_lesson(lesson_path), lesson_path)
    assert len(found.sizes) == len(handout_pages(handout, metrics, paper_named(paper), WITH_KEY))
    assert set(found.sizes) == {SIZES[paper]}
    assert found.images == 0 and found.fonts >= 2 and found.embedded_fonts >= found.fonts
    assert "telescope" in found.text(0) and "Name" in found.text(0)
    assert any("Key" in found.text(page) for page in range(1, len(found.sizes)))


def test_no_meaning_is_lost_without_colours(lesson_handout: Handout, metrics: QtMetrics) -> None:
    pages = handout_pages(lesson_handout, metrics, paper_named(A4), WITH_KEY)
    content = paged_pdf(pages, paper_named(A4), "x", COLOURLESS, metrics)
    colours = {
        tuple(line.split()[:3])
        for page in PdfFile(content).content
        for line in page.splitlines()
        if line.lower().endswith("scn")
    }
    assert len(colours) > 3 and all(len(set(colour)) == 1 for colour in colours)


def test_chosen_sentences_are_handed_out_without_a_lesson(tmp_path: Path, classroom_path: Path) -> None:
    path = tmp_path / "out.pdf"
    options = ["--model", str(classroom_path), "--handout", str(path), "--ask", "gaps,counts"]
    assert main([*options, "Mary saw the man. John left."]) == 0
    found = PdfFile(path)
    text = " ".join(found.text(page) for page in range(len(found.sizes)))
    assert "1 Mary saw the man." in text and "2 John left." in text


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["out.txt", "x"], "let its name end in .pdf"),
        (["out.pdf"], "nothing to hand out"),
        (["out.pdf", "nowhere.md"], "nowhere.md: cannot be read"),
        (["out.pdf", "LESSON", "more"], "one lesson"),
        (["out.pdf", "--paper", "a5", "LESSON"], "no paper `a5`; choose one of a4, letter"),
        (["out.pdf", "--key", "maybe", "LESSON"], "no key `maybe`; choose one of no, with, only"),
        (["out.pdf", "--ask", "cake", "LESSON"], "no worksheet `cake`"),
        (["out.pdf", "--theme", "dark", "LESSON"], "white paper"),
        (["out.pdf", "--preset", "3", "LESSON"], "stand in its file"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str],
    part: str,
    lesson_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [str(lesson_path) if one == "LESSON" else one for one in arguments]
    assert main(["--handout", *given]) == 2
    said = capsys.readouterr().err
    assert part in said and said.count("\n") == 1 and not (tmp_path / "out.pdf").exists()


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ("{F̂ of with}", "{cake}", "step 1 (line 9)"),
        ("arrow of with", "arrow of cake", "there is no word `cake`"),
        ("model: classroom", "model: cake", "model `cake`"),
    ],
)
def test_a_step_that_cannot_be_shown_is_named(before: str, after: str, part: str) -> None:
    with pytest.raises(LessonError, match="step 1") as caught:
        HandoutMaker(None).of_lesson(parse_lesson(LESSON.replace(before, after)), None)
    assert part in str(caught.value)


def test_markdown_is_set_in_two_weights(metrics: QtMetrics) -> None:
    drawing = text_drawing("A **bold** word, *with* and `code`.\n\n- one\n- two\\*", metrics, 300.0)
    assert drawing is not None
    shapes = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    assert [shape.text for shape in shapes if shape.style == "label-bold"] == ["bold"]
    found = " ".join(shape.text for shape in shapes)
    assert "‘with’" in found and "code" in found and "•" in found and "two*" in found.replace(" ", "")
    assert drawing.width <= 300
    assert text_drawing("", metrics, 300.0) is None
    assert plain_text("Where does *with* go?") == "Where does ‘with’ go?"
    assert "‘with’" in svg_text(drawing, COLOURLESS, 1.0, metrics.family)
