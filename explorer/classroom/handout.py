"""What goes on a handout: the steps of a lesson, or sentences, each parsed, with what is asked about it; no Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.model.model import Model
from engine.settings import Settings
from explorer.classroom.lesson import Lesson, LessonError, LessonStep
from explorer.classroom.lesson_resources import find_model, step_settings
from explorer.classroom.placeholders import fill
from explorer.classroom.references import References
from explorer.document.document import TextLine
from explorer.document.input_reading import read_line
from explorer.document.line_text import plain
from explorer.document.sentence_parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from explorer.graphics.selection import Id

ARROWS, GAPS, CHART, COUNTS = "arrows", "gaps", "chart", "counts"
WORKSHEETS = {
    ARROWS: "Arrows to draw",
    GAPS: "Gap tags to fill in",
    CHART: "A chart to fill",
    COUNTS: "A table of counts to fill",
}
"""What can be asked about a sentence, and how dialogs call it."""
NO_KEY, WITH_KEY, ONLY_KEY = "no", "with", "only"
KEYS = {NO_KEY: "Without the key", WITH_KEY: "With the key at the end", ONLY_KEY: "The key alone"}
"""Whether a handout has the answers, and how dialogs call it."""


@dataclass(frozen=True, slots=True)
class HandoutStep:
    """A sentence on a handout.

    Attributes
    ----------
    title, caption
        Its heading, and what is said about it: Markdown, placeholders filled in.
    result, parse
        What the engine made of the sentence, and which of its parses is meant.
    step
        The step of a lesson that it comes from; ``None`` for a sentence of a list.
    selection
        What is marked in the picture.
    worksheets
        What is asked beside the lesson's own question: names of :data:`WORKSHEETS`.
    """

    title: str
    caption: str
    result: ParseResult
    parse: Parse
    step: LessonStep | None = None
    selection: Id | None = None
    worksheets: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether the lesson asks something in this step."""
        return self.step is not None and self.step.question is not None

    @property
    def references(self) -> References:
        """The names of things in the sentence."""
        return References(self.result.reading.tagged.proper_words)


@dataclass(frozen=True, slots=True)
class Handout:
    """A handout: a title, what it is about, and its sentences."""

    title: str
    about: str
    steps: tuple[HandoutStep, ...]


class HandoutMaker:
    """Parses what goes on a handout.

    Parameters
    ----------
    model
        The model where a lesson names none; ``None`` to be asked for by `find`.
    find
        Finds it then.
    control
        Stops the work from another thread.
    """

    def __init__(self, model: Model | None, find: Callable[[], Path] | None = None, control: Control | None = None):
        self._model = model
        self._find = find
        self._control = control or Control()
        self._parsers = ParserPool()
        self._models: dict[Path, Model] = {}

    def of_lesson(self, lesson: Lesson, path: Path | None, worksheets: Sequence[str] = ()) -> Handout:
        """The handout of a lesson; each of its sentences is asked about once more with these worksheets."""
        if not lesson.steps:
            raise LessonError(f"{path or lesson.title}: the lesson has no steps; there is nothing to hand out")
        steps: list[HandoutStep] = []
        for number in range(len(lesson.steps)):
            self._stop_if_asked()
            last = number + 1 == len(lesson.steps) or lesson.steps[number + 1].sentence not in (
                "",
                lesson.sentence_at(number),
            )
            try:
                steps.append(self._step(lesson, number, path, tuple(worksheets) if last else ()))
            except EngineError as error:
                step = lesson.steps[number]
                where = f"step {number + 1}" + (f" (line {step.line})" if step.line else "")
                raise LessonError(f"{path.name if path else lesson.title}, {where}: {error}") from error
        return Handout(lesson.title, lesson.about, tuple(steps))

    def of_sentences(
        self, title: str, lines: Sequence[TextLine], settings: Settings, worksheets: Sequence[str]
    ) -> Handout:
        """The handout of sentences, each asked about with these worksheets."""
        if not lines:
            raise EngineError("there is no sentence; choose at least one")
        if not worksheets:
            raise EngineError(f"nothing is asked; choose at least one of {', '.join(WORKSHEETS)}")
        steps = []
        for number, line in enumerate(lines, 1):
            self._stop_if_asked()
            try:
                result = self._parsed(self.model, settings, line)
            except EngineError as error:
                raise EngineError(f"sentence {number}: {error}") from error
            steps.append(
                HandoutStep(f"{number}  {plain(line.text)}", "", result, result.parse, worksheets=tuple(worksheets))
            )
        return Handout(title, "", tuple(steps))

    def _step(self, lesson: Lesson, number: int, path: Path | None, worksheets: tuple[str, ...]) -> HandoutStep:
        step = lesson.steps[number]
        _, settings, gold_tags = step_settings(lesson, number)
        name = step.model or lesson.model
        model = self._load(find_model(name, path)) if name else self.model
        text = lesson.sentence_at(number)
        references = References(read_line(text, model, gold_tags).tagged.proper_words)
        what_ifs = tuple(map(references.constraint, step.what_ifs))
        result = self._parsed(model, settings, TextLine(text, what_ifs), gold_tags)
        ranked = result.parse.alternatives
        if step.rank > max(1, len(ranked)):
            raise LessonError(f"there is no parse of rank {step.rank}; the sentence has {len(ranked)}")
        parse = ranked[step.rank - 1] if step.rank > 1 else result.parse
        selection = references.id(step.select) if step.select else None
        caption = fill(step.caption, result, parse, selection)
        return HandoutStep(step.title, caption, result, parse, step, selection, worksheets)

    def _parsed(self, model: Model, settings: Settings, line: TextLine, gold_tags: bool = True) -> ParseResult:
        request = ParseRequest(model, settings, line, gold_tags=gold_tags)
        return parse_for_window(request, self._parsers, self._control, lambda quick: None)

    @property
    def model(self) -> Model:
        """The model where a lesson names none, loaded when it is asked for."""
        if self._model is None:
            assert self._find is not None
            self._model = self._load(self._find())
        return self._model

    def _load(self, path: Path) -> Model:
        if path not in self._models:
            self._models[path] = Model.load(path)
        return self._models[path]

    def _stop_if_asked(self) -> None:
        if self._control.flag[0]:
            raise Cancelled("the work was cancelled")
