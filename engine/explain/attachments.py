"""Attachments: what a word modifies, what it could have modified, and how often the same was met in training."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.chart.parse import Parse
from engine.common.numbers import probability, size
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
from engine.explain.context import Choice, ExplainedParse, closeness
from engine.explain.wording import (
    Closeness,
    DecidedBy,
    Headline,
    all_best,
    capital,
    how_often,
    quoted,
    span_text,
    with_article,
)
from engine.structure.constraints import Attachment
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance

# Reasons from counts: how often the same was met in training, told by the finest level of back-off that was met.

GAP_EVENTS = {
    "S": "a baseNP started",
    "C": "a baseNP went on",
    "E": "a baseNP ended",
    "B": "one baseNP ended and the next started",
    "N": "there was no baseNP on either side",
}
"""What happened in a gap of training that has this tag."""


def place_text(distance: Distance, other: str, order_only: bool = False) -> str:
    """Where the modifier stood: ``right after `saw```, ``after `saw`, not next to it and with no verb between``."""
    order = "after" if distance.head_first else "before"
    if order_only:
        return f"{order} {other}"
    commas = {0: "", 1: "a comma", 2: "two commas", 3: "three commas or more"}[distance.commas]
    if distance.adjacent:
        return f"right {order} {other}" + (f", with {commas} between," if commas else "")
    verb = "a verb" if distance.verb_between else "no verb"
    between = f"with {verb} and {commas} between" if commas and distance.verb_between else f"with {verb} between"
    if commas and not distance.verb_between:
        between = f"with {commas} but no verb between"
    return f"{order} {other}, not next to it and {between},"


def dependency_reason(explained: ExplainedParse, factor: Factor) -> str:
    """How often such a word modified such a head in this way: the two words, one of them with a tag, or two tags."""
    subject = factor.subject
    assert isinstance(subject, DependencySubject)
    level = _finest(
        factor.levels, (("E1",), ("E2", "E3"), ("E4",), ("Δ without commas",), ("order+adjacency", "order"))
    )
    modifier, head = quoted(subject.modifier_word), quoted(subject.head_word)
    modifier_tag, head_tag = (
        f"any word tagged {explained.tags[position]}" for position in (subject.modifier, subject.head)
    )
    if level is None:
        return f"{modifier} and {head} were never met like this in training, nor were their tags."
    name = level.name
    told = modifier if name in ("E1", "E2") else modifier_tag
    other = head if name in ("E1", "E3") else head_tag
    if name not in ("E1", "E2", "E3", "E4"):
        order = "after" if subject.distance.head_first else "before"
        place = f"{order} {other}"
    else:
        place = place_text(subject.distance, other, bool(explained.explainer.switches.order_only))
    return how_often(explained.in_training, f"{told} {place} modified it in this way", level)


def gap_reason(explained: ExplainedParse, factor: Factor) -> str:
    """How often a gap between such words had this tag."""
    subject = factor.subject
    assert isinstance(subject, GapSubject)
    event = GAP_EVENTS[subject.tag]
    comma = "with a comma between" if explained.parse.sentence.commas[subject.position] else ""
    level = _finest(factor.levels, (("E1",), ("E2", "E3"), ("E4",), ("comma",)))
    left, right = quoted(subject.left), quoted(subject.right)
    left_tag, right_tag = (
        f"any word tagged {explained.tags[position]}" for position in (subject.position - 1, subject.position)
    )
    if level is None:
        return f"{left} and {right} were never met side by side in training, nor were their tags."
    if level.name == "comma":
        where = "wherever a comma stood between two words" if comma else "wherever no comma stood between two words"
        return how_often(explained.in_training, f"{where}, {event}", level)
    first = left if level.name in ("E1", "E2") else left_tag
    second = right if level.name in ("E1", "E3") else right_tag
    where = f"between {first} and {second}" + (f", {comma}," if comma else "")
    return how_often(explained.in_training, f"{where} {event}", level)


def unary_reason(explained: ExplainedParse, factor: Factor) -> str:
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
        whole += f" headed by a word tagged {explained.tags[subject.head]}"
    over = f"stood alone under {with_article(subject.parent)}" if subject.parent else "had no unary production over it"
    return how_often(explained.in_training, f"{whole} {over}", level)


def root_reason(explained: ExplainedParse, factor: Factor) -> str:
    """How often such a word headed a sentence with this label."""
    subject = factor.subject
    assert isinstance(subject, RootSubject)
    level = _finest(factor.levels, (("word+tag",), ("tag",), ("any",)))
    if level is None:
        return f"{quoted(subject.word)} was never met in training."
    word = {
        "word+tag": quoted(subject.word),
        "tag": f"a word tagged {explained.tags[subject.modifier]}",
        "any": "a word of the reduced sentence",
    }[level.name]
    clause = f"{word} headed {with_article(subject.label)} as a whole sentence"
    return how_often(explained.in_training, clause, level)


def _finest(levels: Sequence[Level], order: Sequence[Sequence[str]]) -> Level | None:
    """The first level that was met; of several that stand side by side the one that was met most often."""
    by_name = {level.name: level for level in levels}
    for names in order:
        met = [by_name[name] for name in names if name in by_name and by_name[name].delta > 0]
        if met:
            return max(met, key=lambda level: level.delta)
    return None


# Headlines of attachments: what a word modifies, what it could have modified, and what heads the sentence.


def arrow_headline(explained: ExplainedParse, modifier: int) -> Headline:
    """What a word modifies in the parse, how sure that is, and why."""
    return _arrow_headline(explained, modifier, "")


def head_headline(explained: ExplainedParse, modifier: int) -> Headline:
    """The same where it is told already what the word modifies: how sure that is, and why."""
    return _arrow_headline(explained, modifier, "Its head is ")


def _arrow_headline(explained: ExplainedParse, modifier: int, whose: str) -> Headline:
    head = explained.heads.get(modifier)
    if head is None:
        return inside_headline(explained, modifier)
    if head == ROOT:
        return _root_headline(explained, modifier, whose)
    relation = explained.relations[modifier]
    own = _candidate(explained, modifier, head, relation)
    rival = _other_head(explained, modifier, head)
    word, headed = quoted(explained.words[modifier]), quoted(explained.words[head])
    chosen = own.probability if own is not None else 0.0
    how_close = closeness(chosen, rival.probability if rival is not None else 0.0)
    leads = rival is None or chosen >= rival.probability
    tie = how_close is Closeness.TIE
    choice = explained.choice(_has_head(explained, modifier, head), leads, _forced(explained, modifier, head), tie)
    opening = f"{word} modifies {headed}."
    if not explained.is_chosen and explained.parses.heads(explained.chosen).get(modifier) != head:
        opening = f"{word} modifies {headed} in this parse; in the best one {_elsewhere(explained, modifier)}."
    odds = _odds(explained, how_close, headed, chosen, rival, choice, whose)
    reasons = [_counted(explained, modifier, head, relation)]
    if rival is not None and how_close is not Closeness.CLEAR:
        reasons.append(_counted(explained, modifier, rival.head, rival.relation))
    if choice.rival is not None:
        reasons.append(choice.rival.text(_as_head(explained, choice.rival.parse, modifier)))
    return Headline(odds if whose else f"{opening} {odds}", tuple(reasons), how_close, choice.decided_by)


def _odds(
    explained: ExplainedParse,
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
    other = quoted(explained.words[rival.head])
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


def inside_headline(explained: ExplainedParse, position: int) -> Headline:
    """A word inside a baseNP, which no dependency touches."""
    base = next(base for base in explained.parse.basenps if base.start <= position < base.end)
    words = explained.words
    return Headline(
        f"{quoted(words[position])} has no arrow of its own: it is inside the baseNP "
        f"{span_text(words, base.start, base.end)}, and {quoted(words[base.head])} stands for all of it."
    )


def pair_headline(explained: ExplainedParse, modifier: int, head: int, relation: Relation | None = None) -> Headline:
    """What would speak for another head, or another relation, of a word; for its own head the same as of its arrow."""
    words = explained.words
    if modifier not in explained.heads:
        return inside_headline(explained, modifier)
    own_relation = explained.relations[modifier]
    same_head = explained.heads[modifier] == head
    if same_head and relation in (None, own_relation):
        return arrow_headline(explained, modifier)
    asked = _candidate(explained, modifier, head, relation)
    word, headed = quoted(words[modifier]), quoted(words[head])
    if asked is None:
        what = f"as {relation}" if relation is not None else "in any way"
        tags = f"{explained.tags[modifier]} and {explained.tags[head]}"
        return Headline(
            f"{word} cannot modify {headed} {what}: nothing of the kind was seen in training between words tagged "
            f"{tags} that stand like these."
        )
    if same_head:
        own = _candidate(explained, modifier, head, own_relation)
        mine, others = told_apart(asked.probability, own.probability if own is not None else 0.0)
        sentence = f"{word} modifies {headed}, but as {own_relation}, not as {asked.relation}: {others} against {mine}."
        return Headline(sentence, (_counted(explained, modifier, head, asked.relation),))
    actual = "heads the sentence" if explained.heads[modifier] == ROOT else "modifies"
    whom = "" if explained.heads[modifier] == ROOT else f" {quoted(words[explained.heads[modifier]])}"
    opening = f"{word} does not modify {headed}: it {actual}{whom}."
    reasons = [_counted(explained, modifier, head, asked.relation)]
    if explained.heads[modifier] == ROOT:
        told = f"If it were not the root, this would have the probability {probability(asked.probability)}."
    else:
        own = _candidate(explained, modifier, explained.heads[modifier], own_relation)
        chosen = own.probability if own is not None else 0.0
        told = _against(asked.probability, chosen)
        reasons.append(_counted(explained, modifier, explained.heads[modifier], own_relation))
    rival = explained.rival(lambda one: explained.parses.heads(one).get(modifier) != head)
    if rival is not None:
        reasons.append(rival.text(_as_head(explained, rival.parse, modifier)))
    elif len(explained.listed) > 1:
        reasons.append(f"Not one of the {size(len(explained.listed), 'best parse')} has it.")
    return Headline(f"{opening} {told}", tuple(reasons))


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


def _root_headline(explained: ExplainedParse, head: int, whose: str) -> Headline:
    words, label = explained.words, explained.relations[head].modifier
    if explained.parse.fallback:
        return Headline(
            f"{quoted(words[head])} heads a fragment, {with_article(label)}: no tree spans the sentence, "
            "so nothing joins the fragments."
        )
    factor = explained.explainer.root(head, label)
    forced = _forced(explained, head, ROOT)
    choice = explained.choice(_has_head(explained, head, ROOT), True, forced)
    opening = f"{quoted(words[head])} heads the sentence, which is {with_article(label)}."
    reasons = [root_reason(explained, factor)]
    if choice.rival is not None:
        rival = choice.rival.parse
        other = rival.roots[0].head if rival.roots else head
        if other != head:
            reasons.append(choice.rival.text(f"headed by {quoted(words[other])}"))
    if forced:
        told = "A what-if forces it."
    elif choice.rival is not None:
        told = (
            "Its rival in the list is close."
            if choice.decided_by is DecidedBy.ESTIMATE and abs(choice.rival.score) < 0.25
            else f"Another word heads it in {_number_of(explained, head)}."
        )
    elif len(explained.listed) > 1:
        told = f"{capital(all_best(len(explained.listed)))} agree."
    else:
        told = f"Such a word heads such a sentence with probability {probability(factor.probability)}."
    return Headline(told if whose else f"{opening} {told}", tuple(reasons), None, choice.decided_by)


def _number_of(explained: ExplainedParse, head: int) -> str:
    others = sum(explained.parses.heads(one).get(head) != ROOT for one in explained.listed)
    return f"{others} of the {len(explained.listed)} best parses"


def _has_head(explained: ExplainedParse, modifier: int, head: int) -> Callable[[Parse], bool]:
    def same(parse: Parse) -> bool:
        return explained.parses.heads(parse).get(modifier) == head

    return same


def _forced(explained: ExplainedParse, modifier: int, head: int) -> bool:
    return any(
        isinstance(one, Attachment) and (one.modifier, one.head) == (modifier, head) and not one.forbid
        for one in explained.constraints
    )


def _elsewhere(explained: ExplainedParse, modifier: int) -> str:
    head = explained.parses.heads(explained.chosen).get(modifier)
    if head is None:
        return "it is inside a baseNP"
    return "it heads the sentence" if head == ROOT else f"it modifies {quoted(explained.words[head])}"


def _as_head(explained: ExplainedParse, parse: Parse, modifier: int) -> str:
    head = explained.parses.heads(parse).get(modifier)
    word = quoted(explained.words[modifier])
    if head is None:
        return f"with {word} inside a baseNP"
    return f"with {word} as the root" if head == ROOT else f"with {word} under {quoted(explained.words[head])}"


def _candidate(explained: ExplainedParse, modifier: int, head: int, relation: Relation | None) -> Candidate | None:
    """The candidate with this head and relation; without a relation the most probable with this head."""
    return next(
        (
            one
            for one in explained.candidates(modifier)
            if one.head == head and (relation is None or one.relation == relation)
        ),
        None,
    )


def _other_head(explained: ExplainedParse, modifier: int, head: int) -> Candidate | None:
    return next((one for one in explained.candidates(modifier) if one.head != head), None)


def _counted(explained: ExplainedParse, modifier: int, head: int, relation: Relation) -> str:
    return dependency_reason(explained, factor_of(explained, modifier, head, relation))


def factor_of(explained: ExplainedParse, modifier: int, head: int, relation: Relation) -> Factor:
    """F̂ of a relation between two words, with its counts."""
    distance = explained.explainer.ruler(explained.parse.basenps).distance(modifier, head)
    return explained.explainer.dependency(modifier, head, relation, distance)
