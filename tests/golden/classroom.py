"""What lessons say: captions with their figures, questions with their answers, and handouts; every placeholder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from engine.common.errors import EngineError
from engine.explain.subjects import id_text
from explorer.classroom.handout import WORKSHEETS, HandoutMaker, handout_pages
from explorer.classroom.lesson import bundled_lessons
from explorer.classroom.lesson_editor import check_lesson
from explorer.classroom.lesson_file import lesson_text, read_lesson
from explorer.classroom.placeholders import PLACEHOLDERS, fill
from explorer.classroom.questions import PosedQuestion, pose_step
from explorer.kit.fonts import FALLBACK, QtMetrics
from explorer.output.pages import A4, paper_named
from explorer.pictures.drawing import Text
from explorer.pictures.theme import COLOURLESS
from explorer.pictures.vector import svg_text
from tests.golden.folders import Case, Files
from tests.golden.material import GOLD, SEVEN, WHAT_IFS, result
from tests.golden.pictures import application

FILLED_IN = {
    "WORD": "with",
    "HEAD": "saw",
    "RELATION": "<PP,VP,VBD>",
    "LETTER": "C",
    "TAG": "NN",
    "NUMBER": "1",
    "LEVEL": "23",
    "QUESTION": "3",
    "SPAN": "the..man",
    "THING": "arrow of with",
}


def _question(posed: PosedQuestion) -> str:
    lines = [f"question: {posed.text}", f"answer {posed.answer}   gold {posed.gold}   hint: {posed.hint}"]
    lines += [f"covered: {' '.join(sorted(map(id_text, posed.covered)))}"]
    for one in posed.options:
        id = id_text(one.id) if one.id is not None else ""
        lines.append(f"- {one.text} | {one.letter} | {one.share!r} | {id} | {one.detail} | {one.hint} | {one.focus}")
    return "\n".join(lines)


def _lesson(path: Path) -> Files:
    lesson = read_lesson(path)
    yield f"{path.stem}/lesson.md", lesson_text(lesson) + "\n".join(one.text(path.name) for one in check_lesson(lesson))
    handout = HandoutMaker(None).of_lesson(lesson, path, tuple(WORKSHEETS))
    parts = []
    for number, step in enumerate(handout.steps, 1):
        notes = fill(step.step.notes, step.result, step.parse, step.selection) if step.step is not None else ""
        parts.append(f"=== {number} {step.title}\n{step.caption}\n> {notes}")
        if step.step is not None and step.step.question is not None:
            parts.append(_question(pose_step(step.step, step.result, step.references)))
    yield f"{path.stem}/steps.txt", "\n".join(parts) + "\n"
    metrics = QtMetrics(FALLBACK)
    pages = handout_pages(handout, metrics, paper_named(A4), "with")
    written, drawn = [], []
    for number, page in enumerate(pages, 1):
        for part in page:
            texts = [shape.text for shape in part.drawing.shapes if isinstance(shape, Text)]
            written.append(f"=== page {number}: {part.drawing.title} at {part.x:.2f} {part.y:.2f} × {part.scale:.4f}")
            written += texts
            drawn.append(svg_text(part.drawing, COLOURLESS, 1.0, metrics.family).replace("><", ">\n<"))
    yield f"{path.stem}/handout.txt", "\n".join(written) + "\n"
    yield f"{path.stem}/handout.svg", "\n".join(drawn)


def _lessons(most: int | None) -> Files:
    """The lessons that come with the program; up to so many."""
    application()
    for path in bundled_lessons()[:most]:
        yield from _lesson(path)


def _placeholders() -> Files:
    """Every placeholder, filled in for several parses; where that cannot be, what is said then."""
    for name, preset, text, what_ifs in (
        *(("classroom", preset, SEVEN, ()) for preset in (1, 3, 5)),
        ("english", 5, SEVEN, ()),
        ("english", 3, GOLD[0], ()),
        ("english", 4, GOLD[1], ()),
        ("classroom", 3, SEVEN, WHAT_IFS[1]),
    ):
        made = result(name, preset, text, what_ifs)
        lines = []
        for placeholder in PLACEHOLDERS:
            form = placeholder.form
            for slot, filled in FILLED_IN.items():
                form = form.replace(slot, filled)
            try:
                said = fill(f"{{{form}}}", made)
            except EngineError as error:
                said = f"refused: {error}"
            lines.append(f"{form}: {said}   ({placeholder.meaning})")
        kind = "what-if" if what_ifs else "gold" if text in GOLD else "plain"
        yield f"{name}-{preset}-{kind}.txt", "\n".join(lines) + "\n"


CASES = (Case("lessons", partial(_lessons, None)), Case("placeholders", _placeholders))
