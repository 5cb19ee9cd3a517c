"""Record what a window shows as a step of a lesson: "Add this view to the lesson"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.settings import Settings
from explorer.classroom.lesson import ALL_EDGES, Lesson, LessonError, LessonStep, tidy_line
from explorer.classroom.lesson_resources import model_name, switches_of
from explorer.classroom.references import References
from explorer.document.chart_replay import replay_of
from explorer.document.document_editor import DocumentEditor
from explorer.document.parse_service import ParseService
from explorer.document.stage_navigation import CHART, STAGES
from explorer.document.view_state import ViewState


def record_view(
    editor: DocumentEditor, view: ViewState, parses: ParseService, lesson: Lesson, path: Path | None
) -> tuple[LessonStep, Lesson]:
    """What a window shows as a step, and the lesson, which takes model and preset of its first step for its own.

    Raises
    ------
    LessonError
        In one sentence: there is nothing to record yet.
    """
    document, result = editor.document, parses.result
    sentence = tidy_line(document.line.text)
    if not sentence:
        raise LessonError("there is no sentence in the window to add; type one first")
    if result is None or not parses.is_current:
        reason = f" ({parses.problem})" if parses.problem else ""
        raise LessonError(f"the sentence has no parse to add yet{reason}; add it once its parse is shown")
    references = References(result.reading.tagged.proper_words)
    model = model_name(document.model, path)
    if not lesson.steps and not lesson.model:
        lesson = replace(lesson, model=model, preset=document.preset)
    usual = lesson.beam if lesson.beam is not None else Settings.preset(document.preset).beam
    select = references.id_name(view.selection) if view.selection is not None else ""
    stage = STAGES[view.stage]
    step = LessonStep(
        title=tidy_line(f"{stage}: {select}" if select else stage),
        sentence=sentence,
        model="" if model == lesson.model else model,
        preset=None if document.preset == lesson.preset else document.preset,
        beam=None if document.settings.beam == usual else document.settings.beam,
        threshold=document.settings.threshold,
        switches=switches_of(document),
        stage=view.stage,
        select=select,
        what_ifs=tuple(map(references.constraint_name, document.line.what_ifs)),
        rank=view.rank + 1,
        chart_step=_chart_step(view, parses) if view.stage == CHART else None,
        replay=view.replay.edges if view.stage == CHART else ALL_EDGES,
    )
    return step, lesson


def _chart_step(view: ViewState, parses: ParseService) -> int | None:
    """How many edges of the chosen replay are shown; ``None`` for all."""
    replay = replay_of(parses.shown, view.replay) if parses.shown is not None else None
    return replay.edge_count(view.chart_step) if replay is not None else None


def updated(step: LessonStep, recorded: LessonStep) -> LessonStep:
    """A step with another view, and the title, texts and question that it had."""
    return replace(
        recorded,
        title=step.title,
        caption=step.caption,
        notes=step.notes,
        question=step.question,
    )
