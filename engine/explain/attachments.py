"""Attachments: what a word modifies, what it could have modified, and how often the same was met in training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from engine.common.numbers import log_text, ordinal, probability, signed, significant, size, times
from engine.counts.contexts import CLOSING, OPENING
from engine.counts.specifications_layout import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    CLASSES_BETWEEN,
    DISTANCE_ORDER,
    HEAD_TAG,
    HEAD_WORD,
    MODIFIER_TAG,
    MODIFIER_WORD,
    REDUCED_TAG,
    REDUCED_WORD,
)
from engine.estimates.explainer import Explainer
from engine.estimates.ledger import (
    ROOT,
    Candidate,
    DependencySubject,
    Factor,
    GapSubject,
    Level,
    RootSubject,
    UnarySubject,
)
from engine.explain.context import Choice, ParseContext, Training, closeness
from engine.explain.estimates import Basis, counts_table, mixture, zero_reason
from engine.explain.explanation import (
    Explanation,
    ExplanationBlock,
    Heading,
    Paragraph,
    Section,
    TableBlock,
    latex_text,
)
from engine.explain.glosses import relation_gloss, symbol_gloss
from engine.explain.paper_readings import PaperReading, of_absorbed, of_labels
from engine.explain.subjects import ArrowId, CandidateId, MatrixCellId, RootId, Subject, WordId
from engine.explain.topics import Span, Topic, Topics
from engine.explain.wording import (
    Closeness,
    DecidedBy,
    Headline,
    all_best,
    capital,
    how_often,
    joined,
    quoted,
    span_text,
    with_article,
)
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import CORE, JOINED, STACKED
from engine.structure.constraints import Attachment
from engine.structure.dependencies import Relation
from engine.structure.distance import MODAL, Distance
from engine.study.counted import Counted, Sources

# Reasons from counts: how often the same was met in training, told by the finest level of back-off that was met.

GAP_EVENTS = {
    "S": "a baseNP started",
    "C": "a baseNP went on",
    "E": "a baseNP ended",
    "B": "one baseNP ended and the next started",
    "N": "there was no baseNP on either side",
}
"""What happened in a gap of training that has this tag."""


_COMMAS = {0: "", 1: "a comma", 2: "two commas", 3: "three commas or more"}


def place_text(distance: Distance, other: str, order_only: bool = False, any_number: bool = False) -> str:
    """Where the modifier stood: ``right after `saw```, ``after `saw`, not next to it and with no verb between``.

    What is not told is not there: where commas stood between, it is told beside which of the two words.  With
    `any_number` it does not matter how many there were.
    """
    order = "after" if distance.head_first else "before"
    if order_only:
        return f"{order} {other}"
    commas = "a comma or more" if any_number and distance.commas else _COMMAS[distance.commas]
    if commas:
        commas += _beside(distance)
    if distance.adjacent:
        return f"right {order} {other}" + (f", with {commas} between," if commas else "")
    verb = "a verb" if distance.verb_between else "no verb"
    between = f"with {verb} and {commas} between" if commas and distance.verb_between else f"with {verb} between"
    if commas and not distance.verb_between:
        between = f"with {commas} but no verb between"
    return f"{order} {other}, not next to it and {between},"


def _beside(distance: Distance) -> str:
    """Beside which of two words commas stood (questions 5 and 6); where nothing is told of neighbours, beside both."""
    match distance.comma_after_first, distance.comma_before_second:
        case True, True:
            return "" if distance.adjacent else " (beside both)"
        case True, False:
            return " (beside the first word)"
        case False, True:
            return " (beside the second word)"
    return " (beside neither)"


def dependency_reason(training: Training, factor: Factor) -> str:
    """How often such a word modified such a head in this way: the two words, one of them with a tag, or two tags."""
    subject = factor.subject
    assert isinstance(subject, DependencySubject)
    level = _finest(factor.levels, (("E1",), ("E2", "E3"), ("E4",), ("Δ without commas",), ("order",)))
    modifier, head = quoted(subject.modifier_word), quoted(subject.head_word)
    modifier_tag, head_tag = (
        f"any word tagged {training.tags[position]}" for position in (subject.modifier, subject.head)
    )
    if level is None:
        return f"{modifier} and {head} were never met like this in training, nor were their tags."
    name = level.name
    told = modifier if name in ("E1", "E2") else modifier_tag
    other = head if name in ("E1", "E3") else head_tag
    order_only = bool(training.explainer.switches.order_only) or name == "order"
    place = place_text(subject.distance, other, order_only, name not in ("E1", "E2", "E3", "E4"))
    joins = subject.relation.modifier.endswith(JOINED)
    related = "was co-ordinated with it" if joins else "modified it in this way"
    reason = _how_often(training, f"{told} {place} {related}", factor, level)
    coarser = next((one for one in factor.levels if one.name == "E4" and one.delta), None)
    if level.eta or coarser is None or coarser is level or not factor.probability:
        return reason
    once = training.times(factor, coarser)
    if not once.eta:
        return reason
    # F̂ is more than nothing by what words with these tags did.
    tags = joined([training.tags[position] for position in (subject.modifier, subject.head)])
    return (
        f"{reason.removesuffix('.')}; with words tagged {tags} that stood so it happened {times(once.eta)} out of "
        f"{once.delta:,}."
    )


def gap_reason(training: Training, factor: Factor) -> str:
    """How often a gap between such words had this tag."""
    subject = factor.subject
    assert isinstance(subject, GapSubject)
    event = GAP_EVENTS[subject.tag]
    comma = "with a comma between" if training.commas[subject.position] else ""
    level = _finest(factor.levels, (("E1",), ("E2", "E3"), ("E4",), ("comma",)))
    left, right = quoted(subject.left), quoted(subject.right)
    left_tag, right_tag = (
        f"any word tagged {training.tags[position]}" for position in (subject.position - 1, subject.position)
    )
    if level is None:
        return f"{left} and {right} were never met side by side in training, nor were their tags."
    if level.name == "comma":
        where = "wherever a comma stood between two words" if comma else "wherever no comma stood between two words"
        return _how_often(training, f"{where}, {event}", factor, level)
    first = left if level.name in ("E1", "E2") else left_tag
    second = right if level.name in ("E1", "E3") else right_tag
    where = f"between {first} and {second}" + (f", {comma}," if comma else "")
    return _how_often(training, f"{where} {event}", factor, level)


def unary_reason(training: Training, factor: Factor) -> str:
    """How often such a constituent had this unary parent, or none."""
    subject = factor.subject
    assert isinstance(subject, UnarySubject)
    level = _finest(factor.levels, (("word+tag",), ("label+tag",), ("label",)))
    whole = with_article(subject.label)
    if level is None:
        return f"{capital(whole)} was never met in training."
    if level.name == "word+tag":
        whole += f" headed by {quoted(subject.word)}"
    elif level.name == "label+tag":
        whole += f" headed by a word tagged {training.tags[subject.head]}"
    over = f"stood alone under {with_article(subject.parent)}" if subject.parent else "had no unary production over it"
    return _how_often(training, f"{whole} {over}", factor, level)


def root_reason(training: Training, factor: Factor) -> str:
    """How often such a word headed a sentence with this label."""
    subject = factor.subject
    assert isinstance(subject, RootSubject)
    level = _finest(factor.levels, (("word+tag",), ("tag",), ("any",)))
    if level is None:
        return f"{quoted(subject.word)} was never met in training."
    word = {
        "word+tag": quoted(subject.word),
        "tag": f"a word tagged {training.tags[subject.modifier]}",
        "any": "a word of the reduced sentence",
    }[level.name]
    clause = f"{word} headed {with_article(subject.label)} as a whole sentence"
    return _how_often(training, clause, factor, level)


def why_zero(training: Training, factor: Factor) -> str:
    """Why an estimate is zero: what training never had, or how often it had the like and never this."""
    match factor.subject:
        case DependencySubject():
            return _never_related(training, factor)
        case GapSubject(position, tag=tag):
            comma = ", with a comma between," if training.commas[position] else ""
            if factor.levels[-1].eta:
                # Both words were met: else the estimate would fall back to their tags.
                words = joined((quoted(factor.subject.left), quoted(factor.subject.right)))
                met = times(training.times(factor, factor.levels[0]).delta)
                return (
                    f"In training {words} stood side by side{comma} {met}, and it never happened there that "
                    f"{GAP_EVENTS[tag]}; since both words were met, the paper does not fall back to tags alone, so P̂ "
                    "is 0."
                )
            tags = joined((training.tags[position - 1], training.tags[position]))
            return f"In training it never happened between words tagged {tags}{comma} that {GAP_EVENTS[tag]}."
        case RootSubject(label=label):
            return f"In training no sentence was {with_article(label)}."
        case UnarySubject(head, label=label, parent=parent):
            headed = "" if label == training.tags[head] else f" headed by a word tagged {training.tags[head]}"
            if parent is None:
                return f"In training {with_article(label)}{headed} always had a unary production over it."
            return f"In training {with_article(parent)} never stood alone over {with_article(label)}{headed}."
        case _:
            return capital(f"{factor.reason}.")


def _never_related(training: Training, factor: Factor) -> str:
    """Why F̂ of a dependency is zero: the triple, the two tags, or the two words so placed never had it."""
    subject = factor.subject
    assert isinstance(subject, DependencySubject)
    relation, distance = subject.relation, subject.distance
    if not factor.levels:
        return f"In training nothing was ever related as {role_text(relation)}."
    one, other = (f"a word tagged {training.tags[position]}" for position in (subject.modifier, subject.head))
    if factor.recursion or training.explainer.switches.further_backoff:
        if any(level.eta for level in factor.levels):
            return (
                f"In training such words were related as {role_text(relation)}, but so seldom that F̂ is under 10⁻⁶ "
                "here, which the parser takes for 0."
            )
        order = "after" if distance.head_first else "before"
        return f"In training {one} {order} {other} was never {role_text(relation)}."
    last = factor.levels[-1]
    place = place_text(distance, other, bool(training.explainer.switches.order_only))
    if not last.delta:
        return f"In training {one} never stood {place.rstrip(',')}."
    if not last.eta:
        met = times(training.times(factor, last).delta)
        return f"In training {one} stood {place} {met}, but never as {role_text(relation)}."
    # Both words were met: else the estimate would fall back to their tags, which were so related.
    met = times(training.times(factor, factor.levels[0]).delta)
    words = joined((quoted(subject.modifier_word), quoted(subject.head_word)))
    if subject.modifier_word == subject.head_word:
        words = f"two {quoted(subject.head_word)}"
    return (
        f"In training {words} stood so {met}, never as {role_text(relation)}; since both words were met, the paper "
        "does not fall back to tags alone, so F̂ is 0."
    )


def role_text(relation: Relation) -> str:
    """What a relation makes of a phrase: ``a PP in a VP whose head is a VBD (<PP,VP,VBD>)``."""
    if relation.modifier.endswith(JOINED):
        return f"a conjunct ({relation})"
    head = "a baseNP" if relation.head == CORE else with_article(relation.head.rstrip(STACKED))
    parent = with_article(relation.parent.rstrip(JOINED))
    return f"{with_article(relation.modifier)} in {parent} whose head is {head} ({relation})"


def _how_often(training: Training, clause: str, factor: Factor, level: Level) -> str:
    """How many times something was so, every tree counted once; beside it the counts that weights make of them."""
    once = training.times(factor, level)
    told = how_often("In training", clause, once)
    if once == level:
        return told
    return f"{told.removesuffix('.')} (weighted: {level.eta:,} of {level.delta:,})."


def _finest(levels: Sequence[Level], order: Sequence[Sequence[str]]) -> Level | None:
    """The first level that was met; of several that stand side by side the one that was met most often."""
    by_name = {level.name: level for level in levels}
    for names in order:
        met = [by_name[name] for name in names if name in by_name and by_name[name].delta > 0]
        if met:
            return max(met, key=lambda level: level.delta)
    return None


# Headlines of attachments: what a word modifies, what it could have modified, and what heads the sentence.


def arrow_headline(context: ParseContext, modifier: int) -> Headline:
    """What a word modifies in the parse, how sure that is, and why."""
    return _arrow_headline(context, modifier, "")


def head_headline(context: ParseContext, modifier: int) -> Headline:
    """The same where it is told already what the word modifies: how sure that is, and why."""
    return _arrow_headline(context, modifier, "Its head is ")


def _arrow_headline(context: ParseContext, modifier: int, whose: str) -> Headline:
    head = context.heads.get(modifier)
    if head is None:
        return inside_headline(context, modifier)
    if head == ROOT:
        return _root_headline(context, modifier, whose)
    relation = context.relations[modifier]
    own = _candidate(context, modifier, head, relation)
    rival = _other_head(context, modifier, head)
    word, headed = quoted(context.words[modifier]), quoted(context.words[head])
    chosen = own.probability if own is not None else 0.0
    how_close = closeness(chosen, rival.probability if rival is not None else 0.0)
    leads = rival is None or chosen >= rival.probability
    tie = how_close is Closeness.TIE
    choice = context.choice(_has_head(context, modifier, head), leads, _forced(context, modifier, head), tie)
    opening = f"{word} modifies {headed}."
    if not context.is_chosen and context.chosen.heads().get(modifier) != head:
        opening = f"{word} modifies {headed} in this parse; in the best one {_elsewhere(context, modifier)}."
    odds = _odds(context, how_close, headed, chosen, rival, choice, whose)
    reasons = [_counted(context, modifier, head, relation)]
    if rival is not None and how_close is not Closeness.CLEAR:
        reasons.append(_counted(context, modifier, rival.head, rival.relation))
    if choice.rival is not None:
        reasons.append(choice.rival.text(_as_head(context, choice.rival.parse, modifier)))
    return Headline(odds if whose else f"{opening} {odds}", tuple(reasons), how_close, choice.decided_by)


def _odds(
    context: ParseContext,
    how_close: Closeness,
    headed: str,
    chosen: float,
    rival: Candidate | None,
    choice: Choice,
    whose: str,
) -> str:
    """How close it was, and where its own estimate does not settle it, what does."""
    if rival is None:
        return "It can modify nothing else." if choice.decided_by is not DecidedBy.WHAT_IF else "A what-if forces it."
    other = quoted(context.words[rival.head])
    own, others = told_apart(chosen, rival.probability)
    settled = choice.decided_by is DecidedBy.ESTIMATE
    match how_close:
        case Closeness.CLEAR:
            told = f"{whose}clear: {headed} {own}, next best {other} {others}"
        case Closeness.LIKELIER:
            told = f"{headed} is likelier than {other}: {own} against {others}"
        case Closeness.TIE:
            pairs = ((headed, own), (other, others))
            first, second = pairs if chosen >= rival.probability else pairs[::-1]
            told = f"{whose}nearly a tie: {first[0]} {first[1]}, {second[0]} {second[1]}"
        case _:
            told = f"By itself {other} is likelier, {others} against {own}"
    return capital(f"{told}." if settled else f"{told}; {choice.text}.")


def told_apart(own: float, other: float) -> tuple[str, str]:
    """Two probabilities; where three digits do not tell them apart, with a word that does."""
    first, second = probability(own), probability(other)
    if first == second and own != other and first[:1] in "0123456789" and first not in ("0", "1"):
        return (f"{first} (a little more)", second) if own > other else (f"{first} (a little less)", second)
    return first, second


def inside_headline(context: ParseContext, position: int) -> Headline:
    """A word inside a baseNP, which no dependency touches."""
    base = next(base for base in context.parse.basenps if base.start <= position < base.end)
    words = context.words
    return Headline(
        f"{quoted(words[position])} has no arrow of its own: it is inside the baseNP "
        f"{span_text(words, base.start, base.end)}, and {quoted(words[base.head])} stands for all of it."
    )


def pair_headline(context: ParseContext, modifier: int, head: int, relation: Relation | None = None) -> Headline:
    """What would speak for another head, or another relation, of a word; for its own head the same as of its arrow."""
    words = context.words
    # A word inside a baseNP is no head either.
    for position in (modifier, head):
        if position not in context.heads:
            return inside_headline(context, position)
    own_relation = context.relations[modifier]
    same_head = context.heads[modifier] == head
    if same_head and relation in (None, own_relation):
        return arrow_headline(context, modifier)
    asked = _candidate(context, modifier, head, relation)
    word, headed = quoted(words[modifier]), quoted(words[head])
    if asked is None:
        what = f"as {relation}" if relation is not None else "in any way"
        reason = factor_of(context, modifier, head, relation).reason if relation is not None else ""
        return Headline(f"{word} cannot modify {headed} {what}: {reason or _unrelated(context, modifier, head)}.")
    if same_head:
        own = _candidate(context, modifier, head, own_relation)
        mine, others = told_apart(asked.probability, own.probability if own is not None else 0.0)
        sentence = f"{word} modifies {headed}, but as {own_relation}, not as {asked.relation}: {others} against {mine}."
        return Headline(sentence, (_counted(context, modifier, head, asked.relation),))
    actual = "heads the sentence" if context.heads[modifier] == ROOT else "modifies"
    whom = "" if context.heads[modifier] == ROOT else f" {quoted(words[context.heads[modifier]])}"
    opening = f"{word} does not modify {headed}: it {actual}{whom}."
    reasons = [_counted(context, modifier, head, asked.relation)]
    if context.heads[modifier] == ROOT:
        told = f"If it were not the root, this would have the probability {probability(asked.probability)}."
    else:
        own = _candidate(context, modifier, context.heads[modifier], own_relation)
        chosen = own.probability if own is not None else 0.0
        told = _against(asked.probability, chosen)
        reasons.append(_counted(context, modifier, context.heads[modifier], own_relation))
    rival = context.rival(lambda one: one.heads().get(modifier) != head)
    if rival is not None:
        reasons.append(rival.text(_as_head(context, rival.parse, modifier)))
    elif len(context.listed) > 1:
        reasons.append(f"Not one of the {size(len(context.listed), 'best parse')} has it.")
    return Headline(f"{opening} {told}", tuple(reasons))


def _unrelated(context: ParseContext, modifier: int, head: int) -> str:
    """Why F̂ of every relation between two words is 0, as a clause: what training had of their tags, and of them."""
    parse, explainer = context.parse, context.explainer
    tags = f"words tagged {context.tags[modifier]} and {context.tags[head]}"
    by_order = parse.settings.recursion or bool(parse.further_backoff)
    place = "in this order" if by_order else "that stand like these"
    further = FurtherBackoff.DISTANCE if by_order else FurtherBackoff.NONE
    plain = replace(Settings(lexical=False), distance=parse.settings.distance)
    by_tags = Explainer(parse.model, plain, parse.sentence, None, further).dependencies
    if not by_tags.estimates(modifier, head, explainer.ruler(parse.basenps).distance(modifier, head).code):
        return f"nothing of the kind was seen in training between {tags} {place}"
    if by_order:
        return f"{tags} were related {place} in training, but here F̂ is under 10⁻⁶, which the parser takes for 0"
    return (
        f"{tags} {place} were related in training, but these words were met like this and never so, and since they "
        "were met F̂ does not fall back to tags alone"
    )


def _against(asked: float, chosen: float) -> str:
    mine, others = told_apart(asked, chosen)
    match closeness(chosen, asked):
        case Closeness.CLEAR | Closeness.ONLY:
            return f"By itself that is clearly less likely: {mine} against {others}."
        case Closeness.LIKELIER:
            return f"By itself that is less likely: {mine} against {others}."
        case Closeness.TIE:
            return f"By itself that is nearly as likely: {mine} against {others}; the whole tree decides."
        case _:
            return f"By itself that is likelier, {mine} against {others}; the whole tree decides."


def _root_headline(context: ParseContext, head: int, whose: str) -> Headline:
    words, label = context.words, context.relations[head].modifier
    if context.parse.fallback:
        return Headline(
            f"{quoted(words[head])} heads a fragment, {with_article(label)}: no tree spans the sentence, "
            "so nothing joins the fragments."
        )
    factor = context.explainer.root(head, label)
    forced = _forced(context, head, ROOT)
    choice = context.choice(_has_head(context, head, ROOT), True, forced)
    opening = f"{quoted(words[head])} heads the sentence, which is {with_article(label)}."
    reasons = [root_reason(context.training, factor)]
    if choice.rival is not None:
        rival = choice.rival.parse
        other = rival.roots[0].head if rival.roots else head
        if other != head:
            reasons.append(choice.rival.text(f"headed by {_which(context, other)}"))
    if forced:
        told = "A what-if forces it."
    elif choice.rival is not None:
        told = (
            "Its rival in the list is close."
            if choice.decided_by is DecidedBy.ESTIMATE and abs(choice.rival.score) < 0.25
            else f"Another word heads it in {_number_of(context, head)}."
        )
    elif len(context.listed) > 1:
        told = f"{capital(all_best(len(context.listed)))} agree."
    else:
        told = f"Such a word heads such a sentence with probability {probability(factor.probability)}."
    return Headline(told if whose else f"{opening} {told}", tuple(reasons), None, choice.decided_by)


def _number_of(context: ParseContext, head: int) -> str:
    others = sum(one.heads().get(head) != ROOT for one in context.listed)
    return f"{others} of the {len(context.listed)} best parses"


def _has_head(context: ParseContext, modifier: int, head: int) -> Callable[[Parse], bool]:
    def same(parse: Parse) -> bool:
        return parse.heads().get(modifier) == head

    return same


def _forced(context: ParseContext, modifier: int, head: int) -> bool:
    return any(
        isinstance(one, Attachment) and (one.modifier, one.head) == (modifier, head) and not one.forbid
        for one in context.constraints
    )


def _elsewhere(context: ParseContext, modifier: int) -> str:
    head = context.chosen.heads().get(modifier)
    if head is None:
        return "it is inside a baseNP"
    return "it heads the sentence" if head == ROOT else f"it modifies {quoted(context.words[head])}"


def _as_head(context: ParseContext, parse: Parse, modifier: int) -> str:
    head = parse.heads().get(modifier)
    word = quoted(context.words[modifier])
    if head is None:
        return f"with {word} inside a baseNP"
    return f"with {word} as the root" if head == ROOT else f"with {word} under {_which(context, head)}"


def _which(context: ParseContext, position: int) -> str:
    """A word; one that the sentence has several times with its number among them: another tree may have another."""
    words = context.words
    if words.count(words[position]) == 1:
        return quoted(words[position])
    return f"the {ordinal(words[: position + 1].count(words[position]))} {quoted(words[position])}"


def _candidate(context: ParseContext, modifier: int, head: int, relation: Relation | None) -> Candidate | None:
    """The candidate with this head and relation; without a relation the most probable with this head."""
    return next(
        (
            one
            for one in context.candidates(modifier)
            if one.head == head and (relation is None or one.relation == relation)
        ),
        None,
    )


def _other_head(context: ParseContext, modifier: int, head: int) -> Candidate | None:
    return next((one for one in context.candidates(modifier) if one.head != head), None)


def _counted(context: ParseContext, modifier: int, head: int, relation: Relation) -> str:
    return dependency_reason(context.training, factor_of(context, modifier, head, relation))


def factor_of(context: ParseContext, modifier: int, head: int, relation: Relation) -> Factor:
    """F̂ of a relation between two words, with its counts."""
    distance = context.explainer.ruler(context.parse.basenps).distance(modifier, head)
    return context.explainer.dependency(modifier, head, relation, distance)


# Pages of attachments: F̂ with its counts, Δ's six answers, and equation (8) (sections 2.2 to 2.4).

SHOWN_CANDIDATES = 8
_LEVEL = 0.005
"""Logarithms that differ by less are shown as equal."""
DISTANCE_QUESTIONS = (
    "1  Order",
    "2  Adjacent",
    "3  Verb",
    "4  Commas",
    "5  Comma",
    "6  Comma",
)


def arrow_page(context: ParseContext, modifier: int) -> Explanation:
    """AF(j) of a word of the parse: its dependency, or its being the root."""
    parse, reduced = context.parse, context.parse.reduced
    if modifier not in reduced:
        word = parse.sentence.proper_words[modifier]
        return Explanation(word, "no arrow", (Paragraph("The word lies inside a baseNP; no dependency touches it."),))
    arrow = parse.dependencies[reduced.index(modifier)]
    if not arrow.head:
        return _root_page(context, modifier, arrow.relation.modifier)
    return pair_page(context, modifier, reduced[arrow.head - 1], arrow.relation)


def pair_page(context: ParseContext, modifier: int, head: int, relation: Relation | None = None) -> Explanation:
    """One modifier and one head: in full for the relation, or for the most probable one between them."""
    parse, explainer, basenps = context.parse, context.explainer, context.parse.basenps
    words = context.words
    inside = [words[position] for position in (modifier, head) if position not in parse.reduced]
    if inside:
        named = " and ".join(f"`{word}`" for word in inside)
        lie = "lies inside a baseNP and is not its head" if len(inside) == 1 else "lie inside baseNPs as no heads"
        text = f"{named} {lie}: in this parse no dependency touches {'it' if len(inside) == 1 else 'them'}."
        return Explanation(f"{words[modifier]} → {words[head]}", "no dependency", (Paragraph(text),))
    candidates = context.candidates(modifier)
    title = f"{words[modifier]} → {words[head]}"
    relation = relation or relation_between(parse, candidates, modifier, head)
    chosen = context.heads.get(modifier) == head and context.relations[modifier] == relation
    if relation is None:
        distance = explainer.ruler(basenps).distance(modifier, head)
        blocks: list[ExplanationBlock] = [
            Paragraph(f"F̂ is 0 for every R: {_unrelated(context, modifier, head)}."),
            Heading("Distance Δ", Section.DISTANCE),
            distance_block(distance),
        ]
        return Explanation(title, "a pair that cannot be", tuple(blocks))
    distance = explainer.ruler(basenps).distance(modifier, head)
    factor = explainer.dependency(modifier, head, relation, distance)
    blocks = [Paragraph(_place(relation))]
    sources = Sources(explainer).dependency(modifier, head, relation, distance)
    basis = pair_basis(words, context.tags, modifier, head)
    if parse.further_backoff:
        blocks.append(Paragraph(f"{parse.note[:1].upper()}{parse.note[1:]}.", True))
    blocks += _dependency_blocks(factor, basis, sources)
    blocks += _equation_eight(candidates, words, head, relation)
    if chosen:
        blocks += _other_heads(context, modifier)
    subtitle = f"{relation},  log F̂ {log_text(factor.log, 4)}" + ("" if chosen else "  ·  not in this parse")
    return Explanation(title, subtitle, tuple(blocks))


def relation_between(parse: Parse, candidates: Sequence[Candidate], modifier: int, head: int) -> Relation | None:
    """The relation of a modifier and a head: that of the parse, else the most probable; ``None`` if there is none."""
    if parse.heads().get(modifier) == head:
        return parse.dependencies[parse.reduced.index(modifier)].relation
    return next((one.relation for one in candidates if one.head == head), None)


def _place(relation: Relation) -> str:
    """The triple in words."""
    return f"A modifier {relation.modifier} under {relation.parent}, whose head-child is {relation.head}."


def pair_basis(words: Sequence[str], tags: Sequence[str], modifier: int, head: int) -> Basis:
    """What the levels of F̂ of two words are based on: ``with/IN, saw/VBD``, or ``with, saw`` with tags ignored."""
    beside_modifier, beside_head = f"tags beside {words[modifier]}", f"tags beside {words[head]}"
    return Basis(
        (
            {MODIFIER_WORD: words[modifier], MODIFIER_TAG: tags[modifier]},
            {HEAD_WORD: words[head], HEAD_TAG: tags[head]},
        ),
        (
            ((BEFORE_MODIFIER,), beside_modifier),
            ((AFTER_MODIFIER,), beside_modifier),
            ((BEFORE_HEAD,), beside_head),
            ((AFTER_HEAD,), beside_head),
            ((DISTANCE_ORDER,), "in this order"),
            ((CLASSES_BETWEEN,), "kinds of words between"),
        ),
    )


def _dependency_blocks(factor: Factor, basis: Basis, sources: Sequence[Counted]) -> list[ExplanationBlock]:
    """Δ, the counts, each level with what it is based on, and the estimate of one dependency."""
    assert isinstance(factor.subject, DependencySubject)
    modifier, head, relation = factor.subject.modifier_word, factor.subject.head_word, factor.subject.relation
    blocks: list[ExplanationBlock] = [
        Heading("Distance Δ (section 2.3)", Section.DISTANCE),
        distance_block(factor.subject.distance),
    ]
    if factor.levels:
        blocks += [Heading("Counts (section 2.4)", Section.COUNTS), counts_table(factor, basis, sources)]
    left = (
        f"F̂({relation} | {modifier}, {head}, Δ)",
        rf"\hat{{F}}(\text{{{latex_text(str(relation))}}} \mid \text{{{latex_text(modifier)}}}, "
        rf"\text{{{latex_text(head)}}}, \Delta)",
    )
    blocks.append(Heading("Estimate", Section.ESTIMATE))
    blocks += mixture(factor, left)
    blocks += zero_reason(factor)
    return blocks


def distance_block(distance: Distance) -> TableBlock:
    """The six answers in words."""
    return TableBlock(("question", "result"), tuple(zip(DISTANCE_QUESTIONS, distance.words(), strict=True)))


def _equation_eight(
    candidates: Sequence[Candidate], words: list[str], head: int, relation: Relation
) -> list[ExplanationBlock]:
    if not candidates:
        return []
    place = next((at for at, one in enumerate(candidates) if (one.head, one.relation) == (head, relation)), -1)
    shown = candidates[:SHOWN_CANDIDATES]
    marked = place
    if place >= SHOWN_CANDIDATES:
        shown = [*shown[:-1], candidates[place]]
        marked = len(shown) - 1
    rows = tuple(
        (words[one.head], str(one.relation).strip("<>"), significant(one.estimate), significant(one.probability))
        for one in shown
    )
    blocks: list[ExplanationBlock] = [
        Heading("Among all heads: equation (8)", Section.CANDIDATES),
        TableBlock(("head", "R", "F̂", "P of (8)"), rows, (2, 3), marked),
    ]
    more = len(candidates) - len(shown)
    if more > 0:
        # The last that is shown may be the one that is asked about, with others before it that are not.
        none_more = ", none of them more probable" if place < SHOWN_CANDIDATES else ""
        blocks.append(Paragraph(f"and {more:,} more{none_more}", True))
    if place == 0 and len(candidates) > 1:
        best, second = candidates[:2]
        margin = _log_ratio(best.probability, second.probability)
        blocks.append(Paragraph(f"It leads the next by {signed(margin)} in the logarithm of P."))
    elif place > 0:
        margin = _log_ratio(candidates[place].probability, candidates[0].probability)
        level = abs(margin) < _LEVEL
        behind = (
            "it is level with the first" if level else f"the first is ahead by {log_text(-margin, 2)} in the logarithm"
        )
        blocks.append(Paragraph(f"By P alone {behind}; the rest of the tree decides."))
    return blocks


def _other_heads(context: ParseContext, modifier: int) -> list[ExplanationBlock]:
    """What the whole tree says: the best of the n best for each other head of the word, against this parse."""
    parse, others = context.parse, context.listed
    if len(others) < 2:
        return []
    words, own = context.words, context.heads.get(modifier)
    reranked = any(abs(one.score - one.log_probability) > 1e-12 for one in others)
    found: dict[int, tuple[str, ...]] = {}
    for rank, other in enumerate(others, 1):
        head = other.heads().get(modifier)
        if head is None or head == own or head in found:
            continue
        log = other.log_probability - parse.log_probability
        score = other.score - parse.score
        numbers = (signed(log), signed(score - log), signed(score)) if reranked else (signed(log),)
        found[head] = (words[head] if head >= 0 else "root", str(rank), *numbers)
    heading = Heading("With another head, among the n best", Section.LIST)
    if not found:
        return [heading, Paragraph(f"All {len(others)} have this one, or the word inside a baseNP.", True)]
    columns = ("head", "rank", "log P", "re-ranker", "score") if reranked else ("head", "rank", "log P")
    table = TableBlock(columns, tuple(found.values()), tuple(range(1, len(columns))))
    note = "Each number is that tree’s minus this parse’s."
    if context.chosen.votes is not None:
        note += " The rank is that by expected F1, which need not follow the score."
    return [heading, table, Paragraph(note, True)]


def _log_ratio(first: float, second: float) -> float:
    return math.log(first / second) if second else math.inf


def _root_page(context: ParseContext, head: int, label: str) -> Explanation:
    """AF of the head of the sentence: F̂(<root label> | its word and tag), a probability as it stands."""
    parse, explainer, words, tags = context.parse, context.explainer, context.words, context.tags
    factor = explainer.root(head, label)
    blocks: list[ExplanationBlock] = [
        Paragraph(f"`{words[head]}` heads the sentence: it modifies nothing, and its relation is <{label}>.")
    ]
    if parse.fallback:
        blocks.append(Paragraph("No tree spans the sentence: a piece of the cover pays no root.", True))
    if factor.levels:
        basis = Basis(({REDUCED_WORD: words[head], REDUCED_TAG: tags[head]},), nothing="any head")
        blocks += [Heading("Counts", Section.COUNTS), counts_table(factor, basis, Sources(explainer).root(head, label))]
    left = (
        f"F̂(<{label}> | {words[head]})",
        rf"\hat{{F}}(\langle\text{{{latex_text(label)}}}\rangle \mid \text{{{latex_text(words[head])}}})",
    )
    blocks += [Heading("Estimate", Section.ESTIMATE), *mixture(factor, left), *zero_reason(factor)]
    return Explanation(f"{words[head]} → root", f"<{label}>,  log F̂ {log_text(factor.log, 4)}", tuple(blocks))


# What is said of attachments.

_WITHOUT_A_LEVEL = (("E1", "E4"), ("E1",), ("E23",))
"""What section 2.4 mixes where the next level, or any below, has no counts."""


def _of_arrow(context: ParseContext, modifier: int) -> Iterator[PaperReading]:
    if modifier not in context.heads:
        yield from of_absorbed(context.parse, modifier)
    elif context.heads[modifier] >= 0:
        yield from _of_pair(context, modifier, context.heads[modifier])
    elif not context.parse.fallback:
        yield from (PaperReading.ROOT, PaperReading.EQUATION_8)


def _of_pair(
    context: ParseContext, modifier: int, head: int, relation: Relation | None = None
) -> Iterator[PaperReading]:
    parse, tags = context.parse, context.tags
    if modifier not in parse.reduced or head not in parse.reduced:
        return
    relation = relation or relation_between(parse, context.candidates(modifier), modifier, head)
    if relation is not None:
        yield from of_labels(relation)
        if relation.modifier.endswith(JOINED) and modifier < head:
            yield PaperReading.LEFT_CONJUNCTS
    if OPENING in (tags[modifier], tags[head]) or CLOSING in (tags[modifier], tags[head]):
        yield PaperReading.BRACKETS
    if not context.explainer.switches.order_only:
        yield from _of_distance(context, modifier, head)
    if relation is not None:
        factor = factor_of(context, modifier, head, relation)
        if factor.used in _WITHOUT_A_LEVEL and parse.settings.ignore_tags:
            yield PaperReading.MISSING_LEVEL


def _of_distance(context: ParseContext, modifier: int, head: int) -> Iterator[PaperReading]:
    ruler = context.explainer.ruler(context.parse.basenps)
    distance = ruler.distance(modifier, head)
    between = (context.tags[position] for position in ruler.between(modifier, head))
    if not distance.verb_between and MODAL in between:
        yield PaperReading.VERBS
    if (distance.comma_after_first, distance.comma_before_second) != ruler.commas_beside_words(modifier, head):
        yield PaperReading.COMMAS_BESIDE


def _related_to_arrow(parse: Parse, arrow: ArrowId) -> set[Subject]:
    """Its words, and its cell of F̂."""
    modifier, heads = arrow.modifier, parse.heads()
    if modifier not in heads:
        return set()
    head = heads[modifier]
    own: set[Subject] = {WordId(modifier)}
    return own | ({WordId(head), MatrixCellId(modifier, head)} if head >= 0 else {RootId()})


def _ends(parse: Parse, arrow: ArrowId) -> tuple[Span, ...]:
    """Both ends of an arrow."""
    heads = parse.heads()
    ends = (arrow.modifier, heads[arrow.modifier]) if arrow.modifier in heads else ()
    return tuple((end, end + 1) for end in ends if end >= 0)


def _both_words(parse: Parse, pair: MatrixCellId | CandidateId) -> tuple[Span, ...]:
    return (pair.modifier, pair.modifier + 1), (pair.head, pair.head + 1)


def _related_to_pair(parse: Parse, pair: MatrixCellId) -> set[Subject]:
    """Both words, and the arrow between them if there is one."""
    found: set[Subject] = {WordId(pair.modifier), WordId(pair.head)}
    return found | ({ArrowId(pair.modifier)} if parse.heads().get(pair.modifier) == pair.head else set())


TOPICS: Topics = {
    ArrowId: Topic[ArrowId](
        headline=lambda context, it: arrow_headline(context, it.modifier),
        page=lambda context, it: arrow_page(context, it.modifier),
        readings=lambda context, it: _of_arrow(context, it.modifier),
        related=_related_to_arrow,
        words=_ends,
        signs=lambda parse, it: [relation_gloss(one[2]) for one in parse.arrows if one[0] == it.modifier],
        forms=("arrow of {modifier:word}",),
    ),
    RootId: Topic[RootId](
        headline=lambda context, it: (
            arrow_headline(context, context.parse.roots[0].head) if context.parse.roots else None
        ),
        page=lambda context, it: arrow_page(context, context.parse.roots[0].head) if context.parse.roots else None,
        readings=lambda context, it: _of_arrow(context, context.parse.roots[0].head) if context.parse.roots else (),
        signs=lambda parse, it: [symbol_gloss("root")],
        forms=("root",),
    ),
    MatrixCellId: Topic[MatrixCellId](
        headline=lambda context, it: pair_headline(context, it.modifier, it.head),
        page=lambda context, it: pair_page(context, it.modifier, it.head),
        readings=lambda context, it: _of_pair(context, it.modifier, it.head),
        related=_related_to_pair,
        words=_both_words,
        signs=lambda parse, it: [symbol_gloss("F̂")],
        forms=("F̂ {modifier:word} -> {head:other}",),
    ),
    CandidateId: Topic[CandidateId](
        headline=lambda context, it: pair_headline(context, it.modifier, it.head, it.relation),
        page=lambda context, it: pair_page(context, it.modifier, it.head, it.relation),
        readings=lambda context, it: _of_pair(context, it.modifier, it.head, it.relation),
        words=_both_words,
        signs=lambda parse, it: [relation_gloss(it.relation)],
        forms=("F̂ {modifier:word} -> {head:other} as {relation:relation}",),
    ),
}
