"""Reasons from counts: how often the same was met in training, told by the finest level of back-off that was met."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.headlines.explained_parse import ExplainedParse
from engine.analysis.headlines.wording import capital, how_often, quoted, with_article
from engine.estimates.factor_subjects import DependencySubject, GapSubject, RootSubject, UnarySubject
from engine.estimates.ledger import Factor, Level
from engine.structure.distance import Distance

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
