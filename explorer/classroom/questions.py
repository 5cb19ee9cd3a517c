"""Pose the questions of a lesson: options, probabilities and answers come from the engine; no Qt.

Two kinds parse the sentence once more (``better tree`` by a what-if, ``beam``), and gold trees are read anew: call
:func:`pose` off the GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.analysis.headlines.wording import ordinal
from engine.analysis.parse_differences import difference_name, differences
from engine.chart.parse import Parse
from engine.chart.search import Control
from engine.common.errors import ConstraintError, EngineError
from engine.estimates.dependency_probabilities import ROOT, Candidate
from engine.evaluation.parseval import score_pair
from engine.structure.constraints import Attachment
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.distance import MODAL, VERB_TAGS
from engine.tagger.tag_distribution import TagDistribution
from explorer.classroom.chart_questions import pose_beam, pose_next_edge
from explorer.classroom.handout_text import plain_text
from explorer.classroom.lesson import (
    ALL_EDGES,
    BEAM,
    BETTER_TREE,
    GAP,
    HEAD,
    NEXT_EDGE,
    RELATION,
    LessonError,
    LessonStep,
    Question,
)
from explorer.classroom.placeholders import fill
from explorer.classroom.posed_question import MOST_OPTIONS, Option, PosedQuestion, shuffled
from explorer.classroom.question_hints import GAP_HINT, HEAD_HINT, RELATION_HINT, TREE_HINT, head_hint
from explorer.classroom.references import References
from explorer.document.chart_replay import ReplayChoice, replay_of
from explorer.document.sentence_parsing import ParseResult, ParserPool
from explorer.graphics.number_text import score_text
from explorer.graphics.pictures.gaps_picture import MEANINGS
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import ArrowId, CandidateId, GapId, GapTagId, Id, MatrixCellId, RootId, WordId
from explorer.treebank.gold_parse import gold_parse

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
    covered: frozenset[Id],
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
    covered: set[Id] = {GapTagId(at, letter) for at in later for letter in GAP_LETTERS}
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


def _arrow_cover(parse: Parse, modifier: int) -> frozenset[Id]:
    """What tells the head of a word: its arrow, its row of F̂, and the arrow to the root, which else gives it away."""
    heads = parse.heads()
    roots = [position for position, head in heads.items() if head == ROOT]
    found: set[Id] = {RootId(), ArrowId(modifier), *map(ArrowId, roots)}
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
    ids: set[Id] = {RootId(), *(ArrowId(word) for word in range(len(words)))}
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
