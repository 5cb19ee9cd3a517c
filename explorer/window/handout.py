"""``parse-explorer --handout FILE``: a handout from a lesson or from sentences, without a screen."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.files import write_whole
from explorer.classroom.handout import ARROWS, GAPS, KEYS, WORKSHEETS, Handout, HandoutMaker, handout_pages
from explorer.classroom.lesson_file import read_lesson
from explorer.classroom.worksheets import plain_text
from explorer.kit.appearance import theme_named
from explorer.kit.file_kinds import LESSON
from explorer.kit.fonts import QtMetrics
from explorer.output.pages import PAPER_TITLES, paged_pdf, paper_named, usual_paper_name
from explorer.pictures.theme import COLOURLESS
from explorer.window.start_plan import StartPlan

_SENTENCES = "Sentences"


def write_handout(options: argparse.Namespace) -> int:
    """Write the handout of a lesson, or of sentences; raise :class:`EngineError` in one sentence."""
    path = Path(options.handout)
    if path.suffix.lower() != ".pdf":
        raise EngineError(f"{path}: a handout is a PDF file; let its name end in .pdf")
    paper = _one_of(options.paper or usual_paper_name(), PAPER_TITLES, "paper")
    key = _one_of(options.key, KEYS, "key")
    worksheets = tuple(
        _one_of(name.strip(), WORKSHEETS, "worksheet") for name in options.ask.split(",") if name.strip()
    )
    theme = theme_named(options.theme) if options.theme else COLOURLESS
    if theme.dark:
        raise EngineError(f"a handout is printed on white paper; choose a light theme, not `{options.theme}`")
    metrics = QtMetrics()
    handout = _handout(options, worksheets)
    pages = handout_pages(handout, metrics, paper_named(paper), key)
    write_whole(path, paged_pdf(pages, paper_named(paper), plain_text(handout.title), theme, metrics))
    return 0


def _handout(options: argparse.Namespace, worksheets: tuple[str, ...]) -> Handout:
    lessons = [text for text in options.inputs if text.lower().endswith(LESSON.suffixes) and "\n" not in text]
    if not lessons:
        plan = StartPlan(options)
        if plan.empty:
            raise EngineError("there is nothing to hand out; name a lesson (a file that ends in .md), or sentences")
        maker = HandoutMaker(None, plan.found_model)
        lines = plan.sentences(maker.model)
        return maker.of_sentences(_SENTENCES, lines, plan.settings, worksheets or (ARROWS, GAPS))
    if len(options.inputs) > 1:
        raise EngineError("a handout is made from one lesson; name one file that ends in .md, and nothing else")
    lesson_path = Path(lessons[0])
    if options.preset is not None or options.beam is not None:
        raise EngineError("preset and beam of a lesson stand in its file; leave --preset and --beam out")
    options.inputs = []
    maker = HandoutMaker(None, StartPlan(options).found_model)
    return maker.of_lesson(read_lesson(lesson_path), lesson_path, worksheets)


def _one_of(name: str, known: dict[str, str], what: str) -> str:
    if name.lower() not in known:
        raise EngineError(f"there is no {what} `{name}`; choose one of {', '.join(known)}")
    return name.lower()
