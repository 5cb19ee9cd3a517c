"""Questions of a lesson: a class for each kind, which knows all about it; the engine has the answers; no Qt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.chart.trace import ChartItem, Edge, Trace
from engine.common.characters import curly_quotes
from engine.common.errors import ChartTooLarge, ConstraintError, EngineError
from engine.common.numbers import beam_text, ordinal
from engine.estimates.ledger import ROOT, Candidate
from engine.explain.chart import REASONS
from engine.explain.differences import difference_name, differences
from engine.explain.parses import score_text
from engine.explain.registry import headline_of
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    EdgeId,
    GapId,
    GapTagId,
    MatrixCellId,
    NodeId,
    RootId,
    Subject,
    WordId,
)
from engine.structure.constraints import Attachment
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import MODAL, VERB_TAGS, Ruler
from engine.structure.tagged_sentence import shortened
from engine.study.parseval import score_pair
from engine.tagger.tagger import TagDistribution
from explorer.classroom import covers
from explorer.classroom.covers import Hidden
from explorer.classroom.lesson import (
    PARSE_EDGES,
    SURVIVING_EDGES,
    LessonError,
    LessonStep,
    Question,
    read_beam,
)
from explorer.classroom.placeholders import fill
from explorer.classroom.references import References, kept_chart
from explorer.classroom.worksheets import plain_text
from explorer.kit.messages import as_sentence
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing, Metrics
from explorer.pictures.facts import Facts, edge_label, facts_of
from explorer.pictures.layout import Room
from explorer.pictures.options import TriangleOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.sentence import MEANINGS, gaps_picture, sentence_picture
from explorer.pictures.triangle import triangle_picture
from explorer.session.parsing import MOST_EDGES, ParseResult, ParserPool
from explorer.session.replay import ReplayChoice, replay_of

# A question as it is put to a class or a student: its text, the options, and what stays covered; no Qt.

MOST_OPTIONS = 5
"""Options of a question; each has a key."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be given.

    Attributes
    ----------
    text
        What it says, before and after the answer is shown.
    share
        The model's own probability; ``None`` where it has none.
    id
        What it selects in a picture; ``None`` for nothing.
    letter
        The key beside its number, where its sign is a letter: that of a gap tag.  Empty for a to e.
    detail
        What is added once the answer is shown.
    hint
        What a student is told who has chosen it wrongly; empty for the question's own hint.
    parse
        The tree that is drawn for it; ``None`` for none.
    focus
        The words that it is about, by first position and the one after the last: a long tree is open around them.
    """

    text: str
    share: float | None = None
    id: Subject | None = None
    letter: str = ""
    detail: str = ""
    hint: str = ""
    parse: Parse | None = field(default=None, compare=False, repr=False)
    focus: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question about one sentence, with everything that is needed to show, answer and mark it.

    Attributes
    ----------
    question
        What the lesson asks.
    text
        The question in words.
    options
        The answers that can be given, in an order that says nothing.
    answer
        The model's answer, by its place among the options.
    gold
        That of the gold tree; ``None`` where there is no gold tree, or it has no such answer.
    hint
        What a student is told after a wrong first try.
    covered
        Ids whose parts of the picture stay covered until the answer is shown.
    words
        The words of the sentence without punctuation.
    subject
        The word that it is about, or the word after the gap; ``None`` if it is about the whole sentence.
    """

    question: Question
    text: str
    options: tuple[Option, ...]
    answer: int
    gold: int | None
    hint: str
    covered: frozenset[Subject]
    words: tuple[str, ...]
    subject: WordId | None = None

    @property
    def kind(self) -> QuestionKind:
        """What the program knows about such questions."""
        return kind_named(self.question.kind)

    def cover(self, drawing: Drawing) -> Drawing:
        """A picture of the sentence with everything taken out of it that tells the answer.

        Whoever shows it must not light up what belongs to a thing that is covered: a selected arrow would light the
        word at its head, and the gloss of a gap names its tag.
        """
        return self.kind.cover(drawing, self.hidden)

    @property
    def hidden(self) -> Hidden:
        """What a picture must not tell."""
        return Hidden(self.text, self.words, self.covered, self.subject, self.kind.gaps_tell)

    @property
    def right(self) -> int:
        """By what a student is marked: the gold tree where it is known, else the parse."""
        return self.answer if self.gold is None else self.gold

    def hint_for(self, choice: int | None) -> str:
        """What to tell a student who chose this option; ``None`` is an answer that is not among them.

        The lesson's own hint comes first, then one about the very choice, then the question's.
        """
        own = self.options[choice].hint if choice is not None and not self.question.hint else ""
        return own or self.hint


def shuffled(options: Sequence[Option], question: Question, words: Sequence[str]) -> list[Option]:
    """Put options into an order that depends on sentence, question and their texts alone, never on which is right."""
    seed = "\0".join((question.kind, question.subject, *words))

    def place(option: Option) -> bytes:
        return hashlib.sha256(f"{seed}\0{option.text}".encode()).digest()

    return sorted(options, key=place)


@dataclass(frozen=True)
class Asked:
    """What a question is asked about.

    Attributes
    ----------
    question
        What is asked.
    result, parse
        What the engine made of the sentence, all of it, n best and chart too; and which of its parses is shown.
    references
        The names of things in the sentence.
    chart_step, replay
        How many edges of the chart are shown, and which edges its replay goes through.
    control
        Stops a search from another thread.
    """

    question: Question
    result: ParseResult
    parse: Parse
    references: References
    chart_step: int | None
    replay: str
    control: Control | None

    @property
    def subject(self) -> str:
        """What the question is about, as the lesson has it."""
        return self.question.subject

    @property
    def facts(self) -> Facts:
        """The facts of the parse that is shown."""
        return facts_of(self.parse)

    @cached_property
    def gold(self) -> Parse | None:
        """The gold tree of the sentence as a parse; ``None`` without one, or where it has other words."""
        result, parse = self.result, self.parse
        if result.reading.gold is None:
            return None
        request, source = result.request, result.reading.sentence
        parser = ParserPool().parser(request.model, request.settings)
        distribution = source if isinstance(source, TagDistribution) else None
        try:
            gold = gold_parse(parser, result.reading.gold, distribution, parse.further_backoff)
        except EngineError:
            # A tree that the head rules cannot read marks nothing; the window says elsewhere what is wrong with it.
            return None
        return gold if gold.sentence.positions == parse.sentence.positions else None

    @property
    def trace(self) -> Trace:
        """The chart."""
        return kept_chart(self.result.parse)

    def posed(
        self,
        text: str,
        options: Sequence[Option],
        answer: Option,
        hint: str,
        gold: Option | None = None,
        covered: Iterable[Subject] = (),
        subject: int | None = None,
    ) -> PosedQuestion:
        """The question as it is put; the teacher's own words, with their figures, go before the program's."""
        question = self.question

        def worded(own: str, otherwise: str) -> str:
            return plain_text(fill(own, self.result, self.parse)) if own else otherwise

        return PosedQuestion(
            question,
            worded(question.text, text),
            tuple(options),
            options.index(answer),
            options.index(gold) if gold is not None else None,
            worded(question.hint, hint),
            frozenset(covered),
            tuple(self.parse.sentence.proper_words),
            WordId(subject) if subject is not None else None,
        )

    def shuffled(self, options: Iterable[Option]) -> list[Option]:
        """Options in an order that does not tell which is right."""
        return shuffled(list(options), self.question, self.facts.words)


class QuestionKind:
    """A kind of question; a subclass that is listed in :data:`KINDS` is all that a new kind needs.

    Attributes
    ----------
    name, between
        How a lesson file calls it, and the little word between that and what it is about.
    form, meaning
        How messages and the manual write it, and what is asked, for the manual.
    title
        How the panel of lessons calls it.
    usual
        What it is about where a lesson does not say; ``None`` where it must.
    new
        What a new one is about, unless it is the word that is selected (``None``).
    mark
        How what it asks for is named where it is selected: ``arrow of``; empty where nothing is.
    how
        How a student answers beside clicking an answer.
    gaps_tell
        Whether gap tags tell the answer.
    paper
        What of the sentence a handout shows without the answer: ``gaps``, ``arrows`` or ``trees``; else its stage.
    """

    name: ClassVar[str]
    between: ClassVar[str] = ""
    form: ClassVar[str]
    meaning: ClassVar[str]
    title: ClassVar[str]
    usual: ClassVar[str | None] = None
    new: ClassVar[str | None] = None
    mark: ClassVar[str] = ""
    how: ClassVar[str] = "Click an answer, or press {keys}."
    gaps_tell: ClassVar[bool] = False
    paper: ClassVar[str] = ""

    # In files, and in the panel of lessons

    def read(self, text: str) -> str | None:
        """What a question is about, from the text behind its name; ``None`` if that makes no question."""
        # "gap before the", "head of with", "better tree than 2": the little words are for whoever reads the file.
        if self.between and text.lower().startswith(f"{self.between} "):
            text = text[len(self.between) :].strip(" ")
        return text or self.usual

    def written(self, subject: str) -> str:
        """The question as a lesson file has it: ``head of with``."""
        return " ".join(filter(None, (self.name, self.between, subject)))

    def check(self, subject: str, references: References) -> None:
        """Raise :class:`LessonError` if what it is about is not in the sentence."""

    def first_subject(self, select: str) -> str:
        """What a new question is about: the word of what is selected, or the second word."""
        if self.new is not None:
            return self.new
        for beginning in (self.mark, "word ", "arrow of ", "gap before "):
            if select.startswith(beginning):
                return select.removeprefix(beginning)
        return "#2"

    # Before a class or a student

    def pose(self, asked: Asked) -> PosedQuestion:
        """Pose a question; raise :class:`LessonError` in one sentence if it cannot be asked about the sentence."""
        raise NotImplementedError

    def cover(self, drawing: Drawing, hidden: Hidden) -> Drawing:
        """Take out of any picture of the sentence what tells the answer."""
        return covers.without_answer(drawing, hidden)

    def picture(self, parse: Parse, metrics: Metrics, room: Room, until: int | None) -> Drawing:
        """The picture of an exercise; `until` is how many edges the chart has, if the question is about the next."""
        return triangle_picture(parse, metrics, TriangleOptions(until=until), columns_of(parse, metrics), room)

    def settable(
        self, covered: Drawing, drawing: Drawing, hidden: Hidden, metrics: Metrics, chosen: Subject | None
    ) -> Drawing:
        """The covered picture of an exercise with what a student has chosen, and what can be clicked or dragged."""
        return covered

    def picked(self, posed: PosedQuestion, chosen: Subject | None, id: Subject) -> Subject | None:
        """What is chosen by a click on something, or a drag to it; ``None`` for nothing."""
        return None

    def why(self, posed: PosedQuestion, result: ParseResult, parse: Parse) -> str:
        """What the engine says about the thing that was asked for."""
        return curly_quotes(headline_of(result.context(parse), self.explained(posed)).sentence)

    def explained(self, posed: PosedQuestion) -> Subject | None:
        """What tells why the answer is right; ``None`` is the parse."""
        return None


def exercise_picture(
    posed: PosedQuestion,
    parse: Parse,
    metrics: Metrics,
    room: Room,
    chart_step: int | None,
    shown: bool,
    chosen: Subject | None,
) -> Drawing:
    """Draw what a question of an exercise is about.

    Parameters
    ----------
    posed, parse
        The question, and the parse that it is about.
    metrics, room
        Widths of text, and the room that there is.
    chart_step
        How many edges of the chart are shown, where it is asked which one comes next.
    shown
        Whether the answer is shown.
    chosen
        What the student has set so far: a tag of the gap, a word or the root as the head.
    """
    drawing = posed.kind.picture(parse, metrics, room, None if shown else chart_step)
    return drawing if shown else posed.kind.settable(posed.cover(drawing), drawing, posed.hidden, metrics, chosen)


# Gaps


class GapKind(QuestionKind):
    """Which tag a gap has."""

    name, between, form = "gap", "before", "gap before WORD"
    meaning = "the tag of a gap"
    title = "the gap before …"
    mark = "gap before "
    how = "Click the gap to set its tag, or press {keys}."
    gaps_tell = True
    paper = "gaps"

    def check(self, subject: str, references: References) -> None:
        references.inner(subject)

    def pose(self, asked: Asked) -> PosedQuestion:
        position = asked.references.word(asked.subject)
        if position == 0:
            raise LessonError(f"there is no gap before `{asked.subject}`, the first word; name a later one")
        facts, gold = asked.facts, asked.gold
        chances = facts.gaps[position - 1]
        # Always in this order, which thus says nothing.
        options = [
            Option(f"{letter}: {MEANINGS[letter]}", chances[letter], GapTagId(position, letter), letter)
            for letter in GAP_LETTERS
        ]
        # What comes after a gap tells much about it: S is followed by C, E or B.
        later = range(position, len(facts.words))
        left, right = facts.tags[position - 1], facts.tags[position]
        return asked.posed(
            f"Which tag has the gap between ‘{facts.words[position - 1]}’ and ‘{facts.words[position]}’?",
            options,
            options[GAP_LETTERS.index(facts.gap_tags[position - 1])],
            f"Look at the tags on both sides, {left} and {right}: does a noun phrase begin, go on or end between them?",
            options[GAP_LETTERS.index(gold.gap_tags[position - 1])] if gold is not None else None,
            [*(GapTagId(at, letter) for at in later for letter in GAP_LETTERS), *map(GapId, later)],
            position,
        )

    def cover(self, drawing: Drawing, hidden: Hidden) -> Drawing:
        if any(isinstance(area.id, GapId) for area in drawing.areas):
            return covers.without_gaps(drawing, hidden)
        return super().cover(drawing, hidden)

    def picture(self, parse: Parse, metrics: Metrics, room: Room, until: int | None) -> Drawing:
        return gaps_picture(parse, metrics, columns=columns_of(parse, metrics), room=room)

    def settable(
        self, covered: Drawing, drawing: Drawing, hidden: Hidden, metrics: Metrics, chosen: Subject | None
    ) -> Drawing:
        return covers.settable_gap(covered, drawing, hidden, chosen)

    def picked(self, posed: PosedQuestion, chosen: Subject | None, id: Subject) -> Subject | None:
        if not isinstance(id, GapId) or posed.subject is None:
            return None
        # Each click sets the next of the five tags.
        letter = chosen.letter if isinstance(chosen, GapTagId) else GAP_LETTERS[-1]
        following = GAP_LETTERS[(GAP_LETTERS.index(letter) + 1) % len(GAP_LETTERS)]
        return GapTagId(posed.subject.position, following)

    def explained(self, posed: PosedQuestion) -> Subject | None:
        assert posed.subject is not None
        return GapId(posed.subject.position)


class _ArrowKind(QuestionKind):
    """What is asked about the arrow of a word."""

    between, mark = "of", "arrow of "
    paper = "arrows"
    tells_head: ClassVar[bool]
    """Whether the answer is the head, and not what labels the arrow."""

    def check(self, subject: str, references: References) -> None:
        references.word(subject)

    def modifier(self, asked: Asked) -> int:
        """The word whose arrow is asked for."""
        modifier = asked.references.word(asked.subject)
        if modifier not in asked.parse.heads():
            base = asked.facts.base_of.get(modifier)
            head = f", `{asked.references.word_name(base.head)}`" if base is not None else ""
            raise LessonError(f"`{asked.subject}` stands inside a baseNP and has no arrow; ask about its head{head}")
        return modifier

    def covered(self, asked: Asked, modifier: int) -> set[Subject]:
        """What tells the answer: the arrow, its row of F̂, and the arrow to the root, which else gives a head away."""
        heads = asked.parse.heads()
        candidates = asked.facts.candidates.get(modifier, ())
        found: set[Subject] = {ArrowId(modifier)}
        found |= {ArrowId(position) for position, head in heads.items() if head == ROOT}
        found |= {MatrixCellId(modifier, head) for head in heads}
        found |= {CandidateId(modifier, one.head, one.relation) for one in candidates}
        return found | {RootId()} if self.tells_head else found

    def cover(self, drawing: Drawing, hidden: Hidden) -> Drawing:
        shown = {type(area.id) for area in drawing.areas}
        if MatrixCellId in shown:
            return covers.without_row(drawing, hidden)
        if shown & {NodeId, ArrowId}:
            return covers.without_arrow(drawing, hidden, not self.tells_head)
        return super().cover(drawing, hidden)

    def picture(self, parse: Parse, metrics: Metrics, room: Room, until: int | None) -> Drawing:
        return arrows_picture(parse, metrics, columns=columns_of(parse, metrics), room=room)

    def explained(self, posed: PosedQuestion) -> Subject | None:
        assert posed.subject is not None
        return ArrowId(posed.subject.position)


# Heads and relations


ROOT_TEXT = "no word: it heads the sentence"
_LEAST_HEADS = 4
"""Heads that are offered at least, where the sentence has so many words: the nearest of those never seen."""


class HeadKind(_ArrowKind):
    """Which head a word has."""

    name, form = "head", "head of WORD"
    meaning = "the head of a word"
    title = "the head of …"
    how = "Drag from the marked word to its head, or go to the head with Tab and press the space bar, or press {keys}."
    tells_head = True

    def pose(self, asked: Asked) -> PosedQuestion:
        modifier, facts, gold = self.modifier(asked), asked.facts, asked.gold
        own = asked.parse.heads()[modifier]
        theirs = gold.heads().get(modifier) if gold is not None else None
        # For every head its likeliest relation, the likeliest head first.
        best: dict[int, Candidate | None] = {}
        for candidate in facts.candidates[modifier]:
            best.setdefault(candidate.head, candidate)
        if own != ROOT:
            # Of the parse's own head the relation that the parse has, likely or not.
            relation = asked.parse.dependencies[asked.parse.reduced.index(modifier)].relation
            best[own] = next(
                (one for one in facts.candidates[modifier] if (one.head, one.relation) == (own, relation)),
                best.get(own),
            )
        wanted = [own] if theirs is None or theirs == own else [own, theirs]
        # Were the root there only when it is right, being there would tell; every verb could head the sentence.
        if facts.tags[modifier] in (*VERB_TAGS, MODAL) and ROOT not in wanted:
            wanted.append(ROOT)
        wanted += [head for head in best if head not in wanted][: MOST_OPTIONS - len(wanted)]
        near = sorted(
            (at for at in asked.parse.reduced if at not in (modifier, *wanted)), key=lambda at: abs(at - modifier)
        )
        wanted += near[: max(0, _LEAST_HEADS - len(wanted))]
        right = own if theirs is None else theirs
        ruler = asked.parse.explainer().ruler(asked.parse.basenps)
        made: dict[int, Option] = {}
        for head in wanted:
            found = best.get(head)
            name = _name(facts.words, head) if head != ROOT else ROOT_TEXT
            detail = f"as {found.relation}" if found is not None else ""
            if head == ROOT and own == ROOT:
                detail = "the root stands outside equation (8)"
            made[head] = Option(
                name,
                found.probability if found is not None else None if head == ROOT else 0.0,
                WordId(head) if head != ROOT else RootId(),
                detail=detail,
                hint=head_hint(ruler, facts.words, modifier, head, right),
            )
        return asked.posed(
            f"Which word does ‘{_name(facts.words, modifier)}’ modify?",
            asked.shuffled(made.values()),
            made[own],
            f"Look at the words between ‘{facts.words[modifier]}’ and each word that it could modify.",
            made[theirs] if theirs is not None else None,
            self.covered(asked, modifier),
            modifier,
        )

    def settable(
        self, covered: Drawing, drawing: Drawing, hidden: Hidden, metrics: Metrics, chosen: Subject | None
    ) -> Drawing:
        return covers.settable_head(covered, hidden, metrics, chosen)

    def picked(self, posed: PosedQuestion, chosen: Subject | None, id: Subject) -> Subject | None:
        return id if isinstance(id, WordId | RootId) and id != posed.subject else None


def head_hint(ruler: Ruler, words: Sequence[str], modifier: int, chosen: int, right: int) -> str:
    """What to look at for a student who chose a wrong head; empty for the right one.

    It names an answer to one of the six questions of Δ in which the two heads differ, without naming the right one.
    """
    if chosen == right:
        return ""
    word = words[modifier]
    if chosen == ROOT:
        return f"One word heads the whole sentence. Is there a word that ‘{word}’ says more about?"
    head = words[chosen]
    if right == ROOT:
        return (
            f"Ask what the sentence is about as a whole: is ‘{word}’ a part of what ‘{head}’ heads, or the other way?"
        )
    if chosen not in ruler.reduced or right not in ruler.reduced:
        return f"Look at the words between ‘{word}’ and ‘{head}’."
    mine, theirs = ruler.distance(modifier, chosen), ruler.distance(modifier, right)
    if mine.verb_between and not theirs.verb_between:
        return f"There is a verb between ‘{word}’ and ‘{head}’: arrows seldom reach across one."
    if mine.commas > theirs.commas:
        return f"There is a comma between ‘{word}’ and ‘{head}’: arrows seldom reach across one."
    if mine.head_first != theirs.head_first:
        side = "after" if not mine.head_first else "before"
        return f"‘{head}’ stands {'before' if mine.head_first else 'after'} ‘{word}’: look at the words {side} it, too."
    if mine.adjacent:
        return f"‘{head}’ is the nearest word, and the nearest is not always the head: look further."
    if theirs.adjacent:
        return f"Look at the words between ‘{word}’ and ‘{head}’: one of them may be nearer to it in meaning, too."
    return f"Look at the words between ‘{word}’ and ‘{head}’."


_LEAST_RELATIONS = 3
"""Relations that are offered at least: where fewer were seen for the two words, those with other heads join them."""


class RelationKind(_ArrowKind):
    """In which relation a word modifies its head."""

    name, form = "relation", "relation of WORD"
    meaning = "the relation of a word with its head"
    title = "the relation of …"
    tells_head = False

    def pose(self, asked: Asked) -> PosedQuestion:
        modifier, facts, gold = self.modifier(asked), asked.facts, asked.gold
        head = asked.parse.heads()[modifier]
        if head == ROOT:
            raise LessonError(f"`{asked.subject}` heads the sentence and has no triple; ask about another word")
        own = next(relation for word, _, relation in asked.parse.arrows if word == modifier)
        theirs = None
        if gold is not None:
            theirs = next((arrow[2] for arrow in gold.arrows if arrow[:2] == (modifier, head)), None)
        shares = {one.relation: one.probability for one in facts.candidates[modifier] if one.head == head}
        wanted: list[Relation] = [own] if theirs is None or theirs == own else [own, theirs]
        wanted += [relation for relation in shares if relation not in wanted][: MOST_OPTIONS - len(wanted)]
        # Where they were seen in one relation alone, those of other heads and of the sentence's other words join it.
        others = [one.relation for one in facts.candidates[modifier]] + [
            arrow[2] for arrow in asked.parse.arrows if arrow[1] != ROOT
        ]
        elsewhere = list(dict.fromkeys(relation for relation in others if relation not in shares))
        wanted += [relation for relation in elsewhere if relation not in wanted][
            : max(0, _LEAST_RELATIONS - len(wanted))
        ]
        if len(wanted) < 2:
            raise LessonError(f"`{asked.subject}` can have one relation only here; ask about another word")
        made = {
            relation: Option(
                f"{relation}: {relation.modifier} under {relation.parent}, whose head-child is {relation.head}",
                shares.get(relation, 0.0),
                CandidateId(modifier, head, relation),
            )
            for relation in wanted
        }
        return asked.posed(
            f"In which relation does ‘{_name(facts.words, modifier)}’ modify ‘{_name(facts.words, head)}’?",
            asked.shuffled(made.values()),
            made[own],
            f"A relation names three labels: the phrase that ‘{facts.words[modifier]}’ heads, the phrase that both are "
            "in, and the head's own.",
            made[theirs] if theirs is not None else None,
            self.covered(asked, modifier),
            modifier,
        )


def _name(words: Sequence[str], position: int) -> str:
    """A word; one that the sentence has several times with its number among them."""
    form = words[position]
    return form if list(words).count(form) == 1 else f"{form} ({ordinal(list(words[: position + 1]).count(form))})"


# Trees


class BetterTreeKind(QuestionKind):
    """Which of two trees is better."""

    name, between, form = "better tree", "than", "better tree than 2"
    meaning = (
        "which of two trees is better: the one that is shown, or number 2 of the list; `better tree than with -> saw` "
        "for the best tree with a what-if"
    )
    title = "better tree than …"
    usual = new = "2"
    gaps_tell = True
    paper = "trees"

    def check(self, subject: str, references: References) -> None:
        if not subject.isdigit():
            references.constraint(subject)

    def pose(self, asked: Asked) -> PosedQuestion:
        parse, other = asked.parse, self._other(asked)
        if not differences(parse, other):
            raise LessonError(f"`{asked.subject}` makes the same tree; name another rank or another what-if")
        gold = asked.result.reading.gold
        heads, others = parse.heads(), other.heads()
        moved = [word for word in heads.keys() | others.keys() if heads.get(word) != others.get(word)]
        ends = {end for word in moved for end in (word, heads.get(word, word), others.get(word, word)) if end >= 0}
        focus = tuple((end, end + 1) for end in sorted(ends))
        made = [
            Option(difference_name(one, against, 1), detail=score_text(one), parse=one, focus=focus)
            for one, against in ((parse, other), (other, parse))
        ]
        # The list is in the order of the parser's choice; what a what-if forces it did not choose.
        better = made[0]
        order = asked.result.parse.alternatives
        if parse in order and other in order:
            better = made[0] if order.index(parse) < order.index(other) else made[1]
        elif other.score > parse.score:
            better = made[1]
        nearer = None
        if gold is not None:
            matched = [score_pair(gold, one.tree) for one in (parse, other)]
            wrong = [score.gold + score.proposed - 2 * score.matched for score in matched]
            nearer = None if wrong[0] == wrong[1] else made[0] if wrong[0] < wrong[1] else made[1]
        words = parse.sentence.proper_words
        return asked.posed(
            "Which of the two trees is better?",
            asked.shuffled(made),
            better,
            "Find the word whose head differs, and ask with which of the two heads such a word is seen more often.",
            nearer,
            [RootId(), *map(ArrowId, range(len(words)))],
        )

    def _other(self, asked: Asked) -> Parse:
        """The tree that the one in the picture is held against: of the n best, or what a what-if makes."""
        subject = asked.subject or "2"
        if subject.isascii() and subject.isdigit():
            alternatives = asked.result.parse.alternatives
            number = int(subject[:6])
            if not 1 <= number <= len(alternatives):
                raise LessonError(f"there is no tree {subject}; the list has {len(alternatives)}")
            return alternatives[number - 1]
        constraint = asked.references.constraint(subject)
        request = asked.result.request
        parser = ParserPool().parser(request.model, request.settings)
        kept = tuple(
            one
            for one in request.line.what_ifs
            if not (
                isinstance(one, Attachment)
                and isinstance(constraint, Attachment)
                and one.modifier == constraint.modifier
            )
        )
        try:
            return parser.parse(asked.result.reading.sentence, constraints=(*kept, constraint), control=asked.control)
        except ConstraintError as error:
            raise LessonError(f"no tree obeys `{subject}`: {error}") from error

    def picture(self, parse: Parse, metrics: Metrics, room: Room, until: int | None) -> Drawing:
        # The two trees are drawn with the options.
        return sentence_picture(parse, metrics, columns=columns_of(parse, metrics), room=room)


# The chart

_OTHERS = MOST_OPTIONS - 2
"""Options beside the right one, of questions about the chart."""
_LOOKED_AT = 400
"""Edges after the next one among which plausible others are looked for."""
_Signature = tuple[int, int, str, int]


class BeamKind(QuestionKind):
    """What of the chart falls if the beam is narrowed: the sentence is parsed again under it."""

    name, form = "beam", "beam 20"
    meaning = "what falls if the beam is narrowed to 20"
    title = "what falls at β = …"
    new = "20"

    def read(self, text: str) -> str | None:
        if text:
            read_beam(text)
        return super().read(text)

    def pose(self, asked: Asked) -> PosedQuestion:
        trace, facts = asked.trace, asked.facts
        beam = read_beam(asked.subject)
        narrow, reached = _narrow_trace(asked.result, beam, asked.control)
        if reached >= trace.beam:
            raise LessonError(
                f"the beam {beam_text(beam)} is no narrower than that of this chart, {beam_text(trace.beam)}; "
                "name a smaller one"
            )
        kept = {_signature(item) for item in narrow.items}
        own = facts.in_chart.item_numbers if facts.in_chart is not None else frozenset()
        items = {_signature(item): item for item in reversed(trace.items) if item.end - item.start > 1}
        fallen = [item for signature, item in items.items() if signature not in kept]
        stay = [item for signature, item in items.items() if signature in kept]
        if not fallen or not stay:
            what = "nothing" if not fallen else "everything"
            raise LessonError(f"{what} of the chart falls at β = {beam_text(beam)}; name another beam")
        lost = _most_telling(trace, fallen, own)
        near = sorted(stay, key=lambda item: (abs((item.end - item.start) - (lost.end - lost.start)), -item.done))
        made: dict[str, Option] = {}
        for item in (lost, *near):
            text = f"{item.label} over ‘{facts.quoted(item.start, item.end)}’, headed by ‘{facts.words[item.head]}’"
            if text not in made and len(made) <= _OTHERS:
                detail = _why(narrow, item) if item is lost else "stays"
                made[text] = Option(text, None, ChartCellId(item.start, item.end), detail=detail)
        return asked.posed(
            f"Which of these falls if the beam is narrowed to β = {beam_text(beam)}?",
            asked.shuffled(made.values()),
            next(iter(made.values())),
            "The beam compares constituents over the same words: one that is far behind the best of them falls.",
        )

    def cover(self, drawing: Drawing, hidden: Hidden) -> Drawing:
        return drawing

    def picture(self, parse: Parse, metrics: Metrics, room: Room, until: int | None) -> Drawing:
        return super().picture(parse, metrics, room, None)

    def why(self, posed: PosedQuestion, result: ParseResult, parse: Parse) -> str:
        # The chart that is shown has it still: what happens is told by the narrower one.
        return as_sentence(posed.options[posed.answer].detail)


def _most_telling(trace: Trace, fallen: Sequence[ChartItem], own: frozenset[int]) -> ChartItem:
    """Of what falls, what tells most: a constituent of the tree that is shown, then one that was nearly the best."""
    parts = [item for item in fallen if item.end - item.start < trace.size] or fallen

    def place(item: ChartItem) -> tuple[bool, float, int, int]:
        behind = trace.cell(item.start, item.end).items[0].done - item.done
        return item.number in own, -behind, item.end - item.start, -item.number

    return max(parts, key=place)


def _narrow_trace(result: ParseResult, beam: float, control: Control | None) -> tuple[Trace, float]:
    """The chart under another beam, and the beam that it took in the end."""
    request = result.request
    parser = ParserPool().parser(request.model, replace(request.settings, beam=beam))
    found = parser.parse(result.reading.sentence, constraints=request.line.what_ifs, control=control)
    try:
        return parser.trace_last(control, MOST_EDGES), found.beam
    except ChartTooLarge as error:
        raise LessonError("the chart of this sentence is too large to be kept; take a shorter sentence") from error


def _signature(item: ChartItem) -> _Signature:
    return item.start, item.end, item.label, item.head


def _why(narrow: Trace, item: ChartItem) -> str:
    """Why an item is not in the narrower chart."""
    edges = [
        edge for edge in narrow.edges_in(item.start, item.end) if (edge.label, edge.head) == (item.label, item.head)
    ]
    if not edges:
        return "falls: what it is built from is no longer there"
    best = max(edges, key=lambda edge: edge.score)
    return f"falls: {REASONS[best.pruning_reason]}"


class NextEdgeKind(QuestionKind):
    """Which edge the replay of the chart comes to next."""

    name, form = "next edge", "next edge"
    meaning = "the chart's next edge"
    title = "the chart's next edge"
    usual = new = ""

    def read(self, text: str) -> str | None:
        return None if text else ""

    def pose(self, asked: Asked) -> PosedQuestion:
        trace, facts = asked.trace, asked.facts
        if asked.chart_step is None:
            raise LessonError("the whole chart is shown, and no edge comes next; write `- chart step: 12` or the like")
        following = _replayed(trace, facts, asked.chart_step, asked.replay)
        if not following:
            raise LessonError("no edge comes after this step of the replay; write a smaller `chart step`")
        following_edge = trace.edge(following[0])
        made: dict[str, Option] = {}
        for edge in (following_edge, *_plausible(trace, following_edge, following[1:])):
            text = edge_text(trace, facts, edge)
            if text not in made and len(made) <= _OTHERS:
                made[text] = Option(text, None, EdgeId(edge.number))
        if len(made) < 2:
            raise LessonError("only one edge comes after this step of the replay; write a smaller `chart step`")
        return asked.posed(
            "Which edge does the parser add next?",
            asked.shuffled(made.values()),
            next(iter(made.values())),
            "An edge can only join constituents that are in the chart by now, and short spans are filled before long "
            "ones.",
            covered=[EdgeId(following[0])],
        )

    def cover(self, drawing: Drawing, hidden: Hidden) -> Drawing:
        if any(isinstance(area.id, ChartCellId) for area in drawing.areas):
            return covers.without_labels(drawing, hidden)
        return super().cover(drawing, hidden)

    def explained(self, posed: PosedQuestion) -> Subject | None:
        return posed.options[posed.answer].id


def _replayed(trace: Trace, facts: Facts, first: int, replay: str) -> Sequence[int]:
    """Numbers of the edges that a replay still goes through."""
    if replay == PARSE_EDGES:
        numbers = facts.in_chart.edges if facts.in_chart is not None else ()
        return sorted(number for number in set(numbers) if number >= first)
    later: Iterable[int] = range(first, min(len(trace), first + _LOOKED_AT))
    if replay == SURVIVING_EDGES:
        later = (number for number in later if trace.edge(number).pruning_reason == "kept")
    return list(later)


def _plausible(trace: Trace, right: Edge, later: Sequence[int]) -> list[Edge]:
    """Edges that could be thought to come next: those that come soon, of other words or of another label first."""
    soon = [trace.edge(number) for number in later[:_LOOKED_AT]]
    return sorted(soon, key=lambda edge: ((edge.start, edge.end) == (right.start, right.end), edge.number))


def edge_text(trace: Trace, facts: Facts, edge: Edge) -> str:
    """An edge in words: what it builds, and of what."""
    over = f"{edge_label(edge)} over ‘{facts.quoted(edge.start, edge.end)}’"
    match edge.kind:
        case "word":
            return f"{over}: a single word"
        case "baseNP":
            return f"{over}: a baseNP"
        case "unary":
            return f"{over}: from {trace.item(edge.left).label} alone"
    left, right = trace.item(edge.left), trace.item(edge.right)
    parts = [f"{item.label} ‘{facts.quoted(item.start, item.end)}’" for item in (left, right)]
    return f"{over}: {parts[0]} and {parts[1]} joined"


KINDS: tuple[QuestionKind, ...] = (
    GapKind(),
    HeadKind(),
    RelationKind(),
    BetterTreeKind(),
    BeamKind(),
    NextEdgeKind(),
)
"""All kinds, as the manual and the panel of lessons list them."""


def kind_named(name: str) -> QuestionKind:
    """The kind that a lesson calls so; raise :class:`LessonError` if there is none."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise LessonError(f"there is no question `{name}`; it is one of {', '.join(kind.name for kind in KINDS)}")


def read_question(text: str) -> Question:
    """The question that a lesson file has as ``head of with``; raise :class:`LessonError` if it is none."""
    for kind in KINDS:
        if f"{text.lower()} ".startswith(f"{kind.name} "):
            subject = kind.read(text[len(kind.name) :].strip(" "))
            if subject is not None:
                return Question(kind.name, subject)
    *forms, last = (f"`{kind.form}`" for kind in KINDS)
    raise LessonError(f"`{shortened(text)}` is no question; write {', '.join(forms)} or {last}")


# Two kinds parse the sentence once more (``better tree`` by a what-if, ``beam``), and gold trees are read anew: call
# these off the GUI thread.


def pose_step(
    step: LessonStep, result: ParseResult, references: References, control: Control | None = None
) -> PosedQuestion:
    """Pose the question of a step of a lesson about its parsed sentence.

    Parameters
    ----------
    step
        What is asked, which of the n best is shown, and how much of the chart.
    result
        What the engine made of the sentence: all of it, n best and chart too.
    references
        The names of things in the sentence.
    control
        Stops a search from another thread.

    Raises
    ------
    LessonError
        In one sentence: the step asks nothing, or why that cannot be asked about this sentence.
    """
    if step.question is None:
        raise LessonError("this step asks nothing; add `- question: head of …` or the like")
    alternatives = result.parse.alternatives
    parse = alternatives[step.rank - 1] if step.rank <= len(alternatives) else result.parse
    replay = replay_of(result.parse, ReplayChoice(step.replay))
    place = replay.place(step.chart_step) if replay is not None else None
    asked = Asked(step.question, result, parse, references, place, step.replay, control)
    return kind_named(step.question.kind).pose(asked)
