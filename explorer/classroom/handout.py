"""What goes on a handout, and its pages: title, captions, pictures and questions, each sentence parsed;
then the key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.errors import Cancelled, EngineError
from engine.common.numbers import probability_text
from engine.explain.subjects import Subject, modifier_of
from engine.model.model import Model
from engine.settings import Settings
from explorer.classroom.covers import emphasised, without, without_bases
from explorer.classroom.lesson import Lesson, LessonError, LessonStep, find_model, step_problem, step_settings
from explorer.classroom.placeholders import fill
from explorer.classroom.questions import Option, PosedQuestion, kind_named, pose_step
from explorer.classroom.references import References
from explorer.classroom.worksheets import (
    arrows_sheet,
    asked_arrows,
    chart_sheet,
    counted_word,
    counts_sheet,
    gap_meanings,
    gaps_sheet,
    plain_text,
    text_drawing,
)
from explorer.output.pages import (
    Page,
    PageLayout,
    Paper,
    on_paper,
    opened_trees,
    paper_room,
    write_lines,
)
from explorer.pictures.drawing import Box, Curve, Drawing, Metrics, Stroke
from explorer.pictures.sheet import Sheet, middle
from explorer.pictures.tree import tree_picture
from explorer.session.document import TextLine, plain, read_line
from explorer.session.parsing import ParseRequest, ParseResult, ParserPool, parse_for_window
from explorer.stages.stages import stage_named

# What goes on a handout: the steps of a lesson, or sentences, each parsed, with what is asked about it; no Qt.

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
    selection: Subject | None = None
    worksheets: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether the lesson asks something in this step."""
        return self.step is not None and self.step.question is not None

    @property
    def text(self) -> str:
        """The sentence as it was typed."""
        return self.result.request.line.text

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
                raise LessonError(step_problem(lesson, path, number, error)) from error
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


# A handout on pages: title, a line for name and date, captions, pictures and questions; then the key.

_SPACE = 10.0
_BETWEEN_STEPS = 30.0
_SQUARE = 12.0
_INSTRUCTIONS = {
    ARROWS: "Draw an arrow from every word to its head: the word that it modifies. ",
    GAPS: "Write the tag of every gap into its box: ",
    CHART: "Each cell stands over the words below it. Write into the cells the labels of the constituents of the tree.",
    COUNTS: "Compute E of every level from its counts, then the weights λ and F̂.",
}
_BY_BRACKETS = "Brackets enclose baseNPs, of which only the head, in bold, has an arrow."
_BY_GAPS = "Gap tags tell the baseNPs, of which only the head has an arrow."
_SOLUTIONS = {
    ARROWS: "The arrows of the parse:",
    GAPS: "The gap tags of the parse:",
    CHART: "The constituents of the parse:",
    COUNTS: "The estimate, from its counts:",
}


def handout_pages(handout: Handout, metrics: Metrics, paper: Paper, key: str = NO_KEY) -> list[Page]:
    """Lay a handout out: the questions, the key, or both, the key from a new page on."""
    made = _HandoutLayout(handout, metrics, paper)
    if key != ONLY_KEY:
        made.add(solved=False)
    if key in (WITH_KEY, ONLY_KEY):
        made.add(solved=True)
    return made.layout.pages(made.title)


class _HandoutLayout:
    """Puts the parts of a handout on pages."""

    def __init__(self, handout: Handout, metrics: Metrics, paper: Paper) -> None:
        self.handout = handout
        self.title = plain_text(handout.title)
        self.metrics = metrics
        self.paper = paper
        self.layout = PageLayout(paper, metrics)
        self.room = paper_room(paper)
        # What is asked of each sentence: worksheets about all of it, and by questions about a part of it.
        self._whole: dict[str, set[str]] = defaultdict(set)
        self._parts_asked: dict[str, set[str]] = defaultdict(set)
        for step in handout.steps:
            self._whole[step.text].update(step.worksheets)
            if step.step is not None and step.step.question is not None:
                self._parts_asked[step.text].add(kind_named(step.step.question.kind).paper)

    def add(self, solved: bool) -> None:
        """Put the questions, or the key, on pages."""
        if not self.layout.on_top:
            self.layout.turn()
        self.layout.put(self._head(solved))
        about = None if solved else self._text(self.handout.about)
        if about is not None:
            self.layout.skip(_SPACE)
            self.layout.put(about)
        for step in self.handout.steps:
            if not solved and self._tells(step):
                step = replace(step, title=plain(step.text), caption="", step=None)
            if step.step is not None or step.worksheets:
                self._step(step, solved)

    def _tells(self, step: HandoutStep) -> bool:
        """Whether a step asks nothing and would give away an answer: its sentence is asked about, here or elsewhere."""
        return step.step is not None and not step.asks and bool(self._whole[step.text] | self._parts_asked[step.text])

    def _head(self, solved: bool) -> Drawing:
        """The title, and where a name and a date are written."""
        width, metrics = self.paper.inner_width, self.metrics
        sheet = Sheet(metrics)
        title = f"Key: {self.title}" if solved else self.title
        y = write_lines(sheet, 0.0, title, "title", "ink", width, pitch=22.0)
        if not solved:
            y += 16
            for text, x, end in (("Name", 0.0, 0.66), ("Date", 0.7, 1.0)):
                right = sheet.text(x * width, y, text, "label", "muted", "start").right
                sheet.add(Stroke(right + 8, y + 3, end * width, y + 3, "ink"))
            y += 10
        else:
            sheet.add(Stroke(0.0, y, width, y, "line"))
        return sheet.draw(title, "", None, margin=0.0)

    def _text(self, markdown: str, style: str = "label") -> Drawing | None:
        return text_drawing(markdown, self.metrics, self.paper.inner_width, style)

    def _step(self, step: HandoutStep, solved: bool) -> None:
        """The heading, what is said, the picture or the question, and further questions."""
        above = [self._heading(step.title)]
        # What is said about a question is its answer.
        caption = self._text(step.caption) if solved or not step.asks else None
        if caption is not None and not step.asks:
            above.append(caption)
        taken = sum(drawing.height for drawing in above) + _SPACE * len(above)
        lesson = step.step
        if lesson is not None and lesson.question is not None:
            blocks = [[*self._question(step, lesson, solved, taken), *([caption] if caption is not None else [])]]
        elif lesson is not None:
            blocks = [self._parts(self._stage_pictures(step, lesson), taken)]
        else:
            blocks = []
        # Gap tags first: of a baseNP only the head has an arrow.
        worksheets = sorted(step.worksheets, key=lambda name: name != GAPS)
        sheets = [self._worksheet(step, name, solved, taken) for name in worksheets]
        if lesson is None:
            # Nothing but questions: the first stands under the heading.
            blocks, sheets = sheets[:1], sheets[1:]
        elif sheets:
            sheets[0] = [self._heading(plain(step.text)), *sheets[0]]
        self.layout.skip(_BETWEEN_STEPS)
        if not solved or any(blocks):
            self.layout.put_together([*above, *(blocks[0] if blocks else [])], _SPACE)
        for block in filter(None, sheets):
            self.layout.skip(_BETWEEN_STEPS / 2)
            self.layout.put_together(block, _SPACE)

    def _heading(self, title: str) -> Drawing:
        sheet = Sheet(self.metrics)
        write_lines(sheet, 0.0, plain_text(title), "word-bold", "ink", self.paper.inner_width)
        return sheet.draw(title, "", None, margin=0.0)

    def _parts(self, pictures: Sequence[Drawing], taken: float) -> list[Drawing]:
        return [part for one in pictures for part in on_paper(one, self.paper, self.metrics, taken)]

    def _arrows(self, step: HandoutStep, taken: float, solved: bool, word: int | None = None) -> list[Drawing]:
        """The arrows without that of a word or all of them, or solved.

        All are laid out alike, so that one can be held over the other.
        """
        parts = self._parts([arrows_sheet(step.parse, self.metrics, self.room)], taken)
        if solved:
            return parts
        asked = None if word is None or ARROWS in self._whole[step.text] else [word]
        return self._without_gaps(step, [without(part, asked_arrows(step.parse, asked)) for part in parts])

    def _without_gaps(self, step: HandoutStep, parts: list[Drawing]) -> list[Drawing]:
        """Pictures without what tells the baseNPs, if gap tags are asked for."""
        asked = GAPS in self._whole[step.text] | self._parts_asked[step.text]
        return [without_bases(part) for part in parts] if asked else parts

    def _stage_pictures(self, step: HandoutStep, lesson: LessonStep) -> list[Drawing]:
        """The picture of the step's stage, with what is selected marked, and the parts of a tree that it folds."""
        parse, selection = step.parse, step.selection
        stage = stage_named(lesson.stage)
        picture = stage.on_paper(parse, self.metrics, self.room, selection, lesson.chart_step)
        picture = emphasised(picture, [selection])
        if not stage.folds_trees:
            return [picture]
        return [picture, *opened_trees(parse, self.metrics, self.room, picture.folded)]

    def _gaps(self, step: HandoutStep, taken: float, solved: bool, word: int | None = None) -> list[Drawing]:
        """The gaps without the tag of that before a word or without all of them, or solved."""
        asked = None if word is None or GAPS in self._whole[step.text] else [word]
        return self._parts([gaps_sheet(step.parse, self.metrics, self.room, solved, asked)], taken)

    def _question(self, step: HandoutStep, lesson: LessonStep, solved: bool, taken: float) -> list[Drawing]:
        """What the lesson asks here: its text, the picture with the answer left out, and the answers to choose from."""
        posed = pose_step(lesson, step.result, step.references)
        asked_text = self._text(posed.text)
        head = [asked_text] if asked_text is not None else []
        choices = self._choices(posed, solved)
        taken += sum(drawing.height for drawing in head) + choices.height + 2 * _SPACE
        word = posed.subject.position if posed.subject is not None else None
        match posed.kind.paper:
            case "gaps":
                shown = self._gaps(step, taken, solved, word)
            case "arrows":
                shown = self._arrows(step, taken, solved, word)
            case "trees":
                shown = self._parts(self._two_trees(posed, step.parse), taken)
            case _:
                shown = self._parts(self._stage_pictures(step, lesson), taken)
                shown = shown if solved else self._without_gaps(step, shown)
        return [*head, *shown, choices]

    def _two_trees(self, posed: PosedQuestion, parse: Parse) -> list[Drawing]:
        """The trees between which is chosen, under their letters."""
        found: list[Drawing] = []
        for number, option in enumerate(posed.options):
            sheet = Sheet(self.metrics)
            sheet.text(0.0, 0.0, f"{_letter(option, number)}", "label-bold", "ink", "start")
            found += [sheet.draw("Letter", "", None, margin=0.0)]
            found += [tree_picture(option.parse or parse, self.metrics, room=self.room)]
        return found

    def _choices(self, posed: PosedQuestion, solved: bool) -> Drawing:
        """The answers with a box each; solved, with the right one marked and the model's own probabilities."""
        sheet = Sheet(self.metrics)
        y, width = 0.0, self.paper.inner_width
        for number, option in enumerate(posed.options):
            marked = solved and number == posed.right
            top = y - _SQUARE / 2 - middle(self.metrics, "label")
            sheet.add(Box(0.0, top, _SQUARE, _SQUARE, role="ink", weight=1.25))
            if marked:
                for x1, x2 in ((2.0, _SQUARE - 2), (_SQUARE - 2, 2.0)):
                    sheet.add(Curve((x1, top + 2), ((x2, top + _SQUARE - 2),), "ink", 2.0, layer=3))
            text = option.text if option.parse is None else f"{_letter(option, number)}  {option.text}"
            if solved and option.share is not None:
                text += f"   ({probability_text(option.share)})"
            if solved and posed.gold is not None and posed.gold != posed.answer and number == posed.answer:
                text += "   – so the model"
            style = "label-bold" if marked else "label"
            y = write_lines(sheet, y, text, style, "ink", width - 22, 22.0) + 4
        return sheet.draw("Answers", "", None, margin=0.0)

    def _worksheet(self, step: HandoutStep, name: str, solved: bool, taken: float) -> list[Drawing]:
        """One of the questions that can be asked about every sentence."""
        text = (_SOLUTIONS if solved else _INSTRUCTIONS)[name]
        if not solved and name == GAPS:
            text += f"{gap_meanings()}."
        elif not solved and name == ARROWS:
            text += _BY_GAPS if GAPS in step.worksheets else _BY_BRACKETS
        said = self._text(text)
        assert said is not None
        taken += said.height + _SPACE
        parse = step.parse
        match name:
            case "arrows":
                return [said, *self._arrows(step, taken, solved)]
            case "gaps":
                return [said, *self._gaps(step, taken, solved)]
            case "chart":
                return [said, *self._parts([chart_sheet(parse, self.metrics, self.room, solved)], taken)]
        word = counted_word(parse, modifier_of(step.selection))
        if word is None:
            return []
        words, head = parse.sentence.proper_words, parse.heads()[word]
        about = self._text(f"*{words[word]}* → *{words[head]}*: {text[:1].lower()}{text[1:]}")
        assert about is not None
        width = self.paper.inner_width
        return [about, *counts_sheet(step.result, parse, self.metrics, word, solved, width)]


def _letter(option: Option, number: int) -> str:
    return option.letter or "ABCDE"[number]
