"""Pose the questions of a lesson: options, probabilities, answers and hints come from the engine; no Qt."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.chart.trace import ChartItem, Edge, Trace
from engine.common.errors import ChartTooLarge, ConstraintError, EngineError
from engine.common.numbers import beam_text, ordinal
from engine.estimates.ledger import ROOT, Candidate
from engine.explain.differences import difference_name, differences
from engine.explain.parses import score_text
from engine.explain.subjects import (
    ArrowId,
    CandidateId,
    ChartCellId,
    EdgeId,
    GapId,
    GapTagId,
    MatrixCellId,
    RootId,
    Subject,
    WordId,
)
from engine.structure.constraints import Attachment
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import MODAL, VERB_TAGS, Ruler
from engine.study.parseval import score_pair
from engine.tagger.tag_distribution import TagDistribution
from explorer.classroom.lesson import (
    ALL_EDGES,
    BEAM,
    BETTER_TREE,
    GAP,
    HEAD,
    NEXT_EDGE,
    PARSE_EDGES,
    RELATION,
    SURVIVING_EDGES,
    LessonError,
    LessonStep,
    Question,
)
from explorer.classroom.placeholders import fill
from explorer.classroom.references import References
from explorer.classroom.worksheets import plain_text
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.facts import PRUNING_REASON_TEXTS, Facts, edge_label, facts_of
from explorer.pictures.gaps import MEANINGS
from explorer.session.navigation import ReplayChoice, replay_of
from explorer.session.parsing import MOST_EDGES, ParseResult, ParserPool

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
    def kind(self) -> str:
        """One of :data:`explorer.classroom.lesson.QUESTION_KINDS`."""
        return self.question.kind

    @property
    def right(self) -> int:
        """By what a student is marked: the gold tree where it is known, else the parse."""
        return self.answer if self.gold is None else self.gold

    def hint_for(self, choice: int | None) -> str:
        """What to tell a student who chose this option; ``None`` is an answer that is not among them.

        The lesson's own hint comes first, then one about the very choice, then the question's.
        """
        own = self.options[choice].hint if choice is not None else ""
        return self.question.hint or own or self.hint


def shuffled(options: Sequence[Option], question: Question, words: Sequence[str]) -> list[Option]:
    """Put options into an order that depends on sentence, question and their texts alone, never on which is right."""
    seed = "\0".join((question.kind, question.subject, *words))

    def place(option: Option) -> bytes:
        return hashlib.sha256(f"{seed}\0{option.text}".encode()).digest()

    return sorted(options, key=place)


# Hints for a second try, made from what the model looks at: Δ between the words, their tags, their labels; no Qt.

GAP_HINT = "Look at the tags on both sides, {left} and {right}: does a noun phrase begin, go on or end between them?"
HEAD_HINT = "Look at the words between ‘{word}’ and each word that it could modify."
RELATION_HINT = (
    "A relation names three labels: the phrase that ‘{word}’ heads, the phrase that both are in, and the head's own."
)
TREE_HINT = "Find the word whose head differs, and ask with which of the two heads such a word is seen more often."
BEAM_HINT = "The beam compares constituents over the same words: one that is far behind the best of them falls."
EDGE_HINT = (
    "An edge can only join constituents that are in the chart by now, and short spans are filled before long ones."
)


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


# Questions about the chart: what falls under a narrower beam, and which edge comes next; no Qt.

_OTHERS = MOST_OPTIONS - 2
"""Options beside the right one."""
_LOOKED_AT = 400
"""Edges after the next one among which plausible others are looked for."""
_Signature = tuple[int, int, str, int]


def pose_beam(question: Question, result: ParseResult, parse: Parse, control: Control | None) -> PosedQuestion:
    """Pose the question what of the chart falls if the beam is narrowed: the sentence is parsed again under it."""
    trace = _trace_of(result)
    beam = math.inf if question.subject in ("∞", "inf") else float(question.subject.replace(",", ""))
    narrow, reached = _narrow_trace(result, beam, control)
    if reached >= trace.beam:
        raise LessonError(
            f"the beam {beam_text(beam)} is no narrower than that of this chart, {beam_text(trace.beam)}; "
            "name a smaller one"
        )
    facts = facts_of(parse)
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
    answer = next(iter(made.values()))
    options = shuffled(list(made.values()), question, facts.words)
    return PosedQuestion(
        question,
        question.text or f"Which of these falls if the beam is narrowed to β = {beam_text(beam)}?",
        tuple(options),
        options.index(answer),
        None,
        question.hint or BEAM_HINT,
        frozenset(),
        tuple(parse.sentence.proper_words),
    )


def _most_telling(trace: Trace, fallen: Sequence[ChartItem], own: frozenset[int]) -> ChartItem:
    """Of what falls, what tells most: a constituent of the tree that is shown, then one that was nearly the best."""
    parts = [item for item in fallen if item.end - item.start < trace.size] or fallen

    def place(item: ChartItem) -> tuple[bool, float, int, int]:
        behind = trace.cell(item.start, item.end).items[0].done - item.done
        return item.number in own, -behind, item.end - item.start, -item.number

    return max(parts, key=place)


def _trace_of(result: ParseResult) -> Trace:
    trace = result.parse.chart
    if trace is None:
        raise LessonError("the chart of this sentence was not kept; take a shorter sentence or a smaller β")
    return trace


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
    return f"falls: {PRUNING_REASON_TEXTS[best.pruning_reason]}"


def pose_next_edge(
    question: Question, result: ParseResult, parse: Parse, chart_step: int | None, replay: str
) -> PosedQuestion:
    """Pose the question which edge the replay comes to next."""
    trace = _trace_of(result)
    if chart_step is None:
        raise LessonError("the whole chart is shown, and no edge comes next; write `- chart step: 12` or the like")
    facts = facts_of(parse)
    following = _replayed(trace, facts, chart_step, replay)
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
    answer = next(iter(made.values()))
    options = shuffled(list(made.values()), question, facts.words)
    covered: frozenset[Subject] = frozenset({EdgeId(following[0])})
    return PosedQuestion(
        question,
        question.text or "Which edge does the parser add next?",
        tuple(options),
        options.index(answer),
        None,
        question.hint or EDGE_HINT,
        covered,
        tuple(parse.sentence.proper_words),
    )


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


# Pose the questions of a lesson: options, probabilities and answers come from the engine; no Qt.
#
# Two kinds parse the sentence once more (``better tree`` by a what-if, ``beam``), and gold trees are read anew: call
# :func:`pose` off the GUI thread.

ROOT_TEXT = "no word: it heads the sentence"
_LEAST_HEADS = 4
"""Heads that are offered at least, where the sentence has so many words: the nearest of those never seen."""
_LEAST_RELATIONS = 3
"""Relations that are offered at least: where fewer were seen for the two words, those with other heads join them."""


def pose_step(
    step: LessonStep, result: ParseResult, references: References, control: Control | None = None
) -> PosedQuestion:
    """Pose the question of a step of a lesson; raise :class:`LessonError` if it has none, or it cannot be posed."""
    if step.question is None:
        raise LessonError("this step asks nothing; add `- question: head of …` or the like")
    replay = replay_of(result.parse, ReplayChoice(step.replay))
    return pose(
        step.question,
        result,
        references,
        rank=step.rank - 1,
        chart_step=replay.place(step.chart_step) if replay is not None else None,
        replay=step.replay,
        control=control,
    )


def pose(
    question: Question,
    result: ParseResult,
    references: References,
    *,
    rank: int = 0,
    chart_step: int | None = None,
    replay: str = ALL_EDGES,
    control: Control | None = None,
) -> PosedQuestion:
    """Pose a question about a parsed sentence.

    Parameters
    ----------
    question
        What is asked.
    result
        What the engine made of the sentence: all of it, n best and chart too.
    references
        The names of things in the sentence.
    rank
        Which of the n best is shown, from 0.
    chart_step, replay
        How many edges of the chart are shown, and which edges its replay goes through; for ``next edge``.
    control
        Stops a search from another thread.

    Raises
    ------
    LessonError
        In one sentence: why it cannot be asked about this sentence.
    """
    alternatives = result.parse.alternatives
    parse = alternatives[rank] if rank < len(alternatives) else result.parse
    match question.kind:
        case "gap":
            posed = _gap(question, parse, references, _gold(result, parse))
        case "head":
            posed = _head(question, parse, references, _gold(result, parse))
        case "relation":
            posed = _relation(question, parse, references, _gold(result, parse))
        case "better tree":
            posed = _better_tree(question, result, parse, references, control)
        case "beam":
            posed = pose_beam(question, result, parse, control)
        case "next edge":
            posed = pose_next_edge(question, result, parse, chart_step, replay)
        case _:
            kinds = ", ".join((GAP, HEAD, RELATION, BETTER_TREE, BEAM, NEXT_EDGE))
            raise LessonError(f"there is no question `{question.kind}`; it is one of {kinds}")

    def worded(own: str, otherwise: str) -> str:
        """The teacher's own words, with their figures."""
        return plain_text(fill(own, result, parse)) if own else otherwise

    return replace(posed, text=worded(question.text, posed.text), hint=worded(question.hint, posed.hint))


def _gold(result: ParseResult, parse: Parse) -> Parse | None:
    """The gold tree of the sentence as a parse; ``None`` without one, or where it has other words."""
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


def _made(
    question: Question,
    parse: Parse,
    text: str,
    options: Sequence[Option],
    answer: Option,
    gold: Option | None,
    hint: str,
    covered: frozenset[Subject],
    subject: int | None,
) -> PosedQuestion:
    """A question; the teacher's own words go before the program's."""
    words = tuple(parse.sentence.proper_words)
    return PosedQuestion(
        question,
        question.text or text,
        tuple(options),
        options.index(answer),
        options.index(gold) if gold is not None else None,
        question.hint or hint,
        covered,
        words,
        WordId(subject) if subject is not None else None,
    )


def _gap(question: Question, parse: Parse, references: References, gold: Parse | None) -> PosedQuestion:
    position = references.word(question.subject)
    if position == 0:
        raise LessonError(f"there is no gap before `{question.subject}`, the first word; name a later one")
    facts = facts_of(parse)
    chances = facts.gaps[position - 1]
    # Always in this order, which thus says nothing.
    options = [
        Option(f"{letter}: {MEANINGS[letter]}", chances[letter], GapTagId(position, letter), letter)
        for letter in GAP_LETTERS
    ]
    left, right = facts.words[position - 1], facts.words[position]
    # What comes after a gap tells much about it: S is followed by C, E or B.
    later = range(position, len(facts.words))
    covered: set[Subject] = {GapTagId(at, letter) for at in later for letter in GAP_LETTERS}
    covered |= set(map(GapId, later))
    return _made(
        question,
        parse,
        f"Which tag has the gap between ‘{left}’ and ‘{right}’?",
        options,
        options[GAP_LETTERS.index(facts.gap_tags[position - 1])],
        options[GAP_LETTERS.index(gold.gap_tags[position - 1])] if gold is not None else None,
        GAP_HINT.format(left=facts.tags[position - 1], right=facts.tags[position]),
        frozenset(covered),
        position,
    )


def _modifier(question: Question, parse: Parse, references: References) -> int:
    """The word whose head is asked for."""
    modifier = references.word(question.subject)
    if modifier not in parse.heads():
        base = facts_of(parse).base_of.get(modifier)
        head = f", `{references.word_name(base.head)}`" if base is not None else ""
        raise LessonError(f"`{question.subject}` stands inside a baseNP and has no arrow; ask about its head{head}")
    return modifier


def _arrow_cover(parse: Parse, modifier: int) -> frozenset[Subject]:
    """What tells the head of a word: its arrow, its row of F̂, and the arrow to the root, which else gives it away."""
    heads = parse.heads()
    roots = [position for position, head in heads.items() if head == ROOT]
    found: set[Subject] = {RootId(), ArrowId(modifier), *map(ArrowId, roots)}
    found |= {MatrixCellId(modifier, head) for head in heads}
    found |= {CandidateId(modifier, one.head, one.relation) for one in facts_of(parse).candidates.get(modifier, ())}
    return frozenset(found)


def _head(question: Question, parse: Parse, references: References, gold: Parse | None) -> PosedQuestion:
    modifier = _modifier(question, parse, references)
    facts = facts_of(parse)
    own = parse.heads()[modifier]
    theirs = gold.heads().get(modifier) if gold is not None else None
    best = _best_by_head(facts.candidates[modifier])
    if own != ROOT:
        # Of the parse's own head the relation that the parse has, likely or not.
        relation = parse.dependencies[parse.reduced.index(modifier)].relation
        best[own] = next(
            (one for one in facts.candidates[modifier] if (one.head, one.relation) == (own, relation)), best.get(own)
        )
    wanted = [own] if theirs is None or theirs == own else [own, theirs]
    # Were the root there only when it is right, being there would tell; every verb could head the sentence.
    if facts.tags[modifier] in (*VERB_TAGS, MODAL) and ROOT not in wanted:
        wanted.append(ROOT)
    wanted += [head for head in best if head not in wanted][: MOST_OPTIONS - len(wanted)]
    near = sorted((at for at in parse.reduced if at not in (modifier, *wanted)), key=lambda at: abs(at - modifier))
    wanted += near[: max(0, _LEAST_HEADS - len(wanted))]
    right = own if theirs is None else theirs
    ruler = parse.explainer().ruler(parse.basenps)
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
    options = shuffled(list(made.values()), question, facts.words)
    return _made(
        question,
        parse,
        f"Which word does ‘{_name(facts.words, modifier)}’ modify?",
        options,
        made[own],
        made[theirs] if theirs is not None else None,
        HEAD_HINT.format(word=facts.words[modifier]),
        _arrow_cover(parse, modifier),
        modifier,
    )


def _best_by_head(candidates: Sequence[Candidate]) -> dict[int, Candidate | None]:
    """For every head its likeliest relation, the likeliest head first."""
    best: dict[int, Candidate | None] = {}
    for candidate in candidates:
        best.setdefault(candidate.head, candidate)
    return best


def _name(words: Sequence[str], position: int) -> str:
    """A word; one that the sentence has several times with its number among them."""
    form = words[position]
    return form if list(words).count(form) == 1 else f"{form} ({ordinal(list(words[: position + 1]).count(form))})"


def _relation(question: Question, parse: Parse, references: References, gold: Parse | None) -> PosedQuestion:
    modifier = _modifier(question, parse, references)
    facts = facts_of(parse)
    head = parse.heads()[modifier]
    name = _name(facts.words, modifier)
    if head == ROOT:
        raise LessonError(f"`{question.subject}` heads the sentence and has no triple; ask about another word")
    own = next(relation for word, _, relation in parse.arrows if word == modifier)
    theirs = None
    if gold is not None:
        theirs = next((arrow[2] for arrow in gold.arrows if arrow[:2] == (modifier, head)), None)
    shares = {one.relation: one.probability for one in facts.candidates[modifier] if one.head == head}
    wanted: list[Relation] = [own] if theirs is None or theirs == own else [own, theirs]
    wanted += [relation for relation in shares if relation not in wanted][: MOST_OPTIONS - len(wanted)]
    # Where they were seen in one relation alone, those of other heads and of the other words of the sentence join it.
    others = [one.relation for one in facts.candidates[modifier]] + [
        arrow[2] for arrow in parse.arrows if arrow[1] != ROOT
    ]
    elsewhere = list(dict.fromkeys(relation for relation in others if relation not in shares))
    wanted += [relation for relation in elsewhere if relation not in wanted][: max(0, _LEAST_RELATIONS - len(wanted))]
    if len(wanted) < 2:
        raise LessonError(f"`{question.subject}` can have one relation only here; ask about another word")
    made = {
        relation: Option(
            f"{relation}: {relation.modifier} under {relation.parent}, whose head-child is {relation.head}",
            shares.get(relation, 0.0),
            CandidateId(modifier, head, relation),
        )
        for relation in wanted
    }
    options = shuffled(list(made.values()), question, facts.words)
    return _made(
        question,
        parse,
        f"In which relation does ‘{name}’ modify ‘{_name(facts.words, head)}’?",
        options,
        made[own],
        made[theirs] if theirs is not None else None,
        RELATION_HINT.format(word=facts.words[modifier]),
        _arrow_cover(parse, modifier) - {RootId()},
        modifier,
    )


def _better_tree(
    question: Question, result: ParseResult, parse: Parse, references: References, control: Control | None
) -> PosedQuestion:
    other = _other_tree(question, result, parse, references, control)
    if not differences(parse, other):
        raise LessonError(f"`{question.subject}` makes the same tree; name another rank or another what-if")
    gold = result.reading.gold
    heads, others = parse.heads(), other.heads()
    moved = [word for word in heads.keys() | others.keys() if heads.get(word) != others.get(word)]
    ends = {end for word in moved for end in (word, heads.get(word, word), others.get(word, word)) if end >= 0}
    focus = tuple((end, end + 1) for end in sorted(ends))
    made = [
        Option(
            difference_name(one, against, 1),
            detail=score_text(one),
            parse=one,
            focus=focus,
        )
        for one, against in ((parse, other), (other, parse))
    ]
    # The list is in the order of the parser's choice; what a what-if forces it did not choose.
    better = made[0]
    if parse in result.parse.alternatives and other in result.parse.alternatives:
        order = result.parse.alternatives
        better = made[0] if order.index(parse) < order.index(other) else made[1]
    elif other.score > parse.score:
        better = made[1]
    nearer = None
    if gold is not None:
        matched = [score_pair(gold, one.tree) for one in (parse, other)]
        wrong = [score.gold + score.proposed - 2 * score.matched for score in matched]
        nearer = None if wrong[0] == wrong[1] else made[0] if wrong[0] < wrong[1] else made[1]
    words = parse.sentence.proper_words
    ids: set[Subject] = {RootId(), *(ArrowId(word) for word in range(len(words)))}
    return _made(
        question,
        parse,
        "Which of the two trees is better?",
        shuffled(made, question, words),
        better,
        nearer,
        TREE_HINT,
        frozenset(ids),
        None,
    )


def _other_tree(
    question: Question, result: ParseResult, parse: Parse, references: References, control: Control | None
) -> Parse:
    """The tree that the one in the picture is held against: of the n best, or what a what-if makes."""
    subject = question.subject or "2"
    if subject.isascii() and subject.isdigit():
        alternatives = result.parse.alternatives
        number = int(subject[:6])
        if not 1 <= number <= len(alternatives):
            raise LessonError(f"there is no tree {subject}; the list has {len(alternatives)}")
        return alternatives[number - 1]
    constraint = references.constraint(subject)
    request = result.request
    parser = ParserPool().parser(request.model, request.settings)
    kept = tuple(
        one
        for one in request.line.what_ifs
        if not (
            isinstance(one, Attachment) and isinstance(constraint, Attachment) and one.modifier == constraint.modifier
        )
    )
    try:
        return parser.parse(result.reading.sentence, constraints=(*kept, constraint), control=control)
    except ConstraintError as error:
        raise LessonError(f"no tree obeys `{subject}`: {error}") from error
