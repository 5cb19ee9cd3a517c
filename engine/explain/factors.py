"""Factors of the score in words, and those that no picture shows: unaries, the second model, features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from engine.common.numbers import adds, amount, change, log_probability, ordinal, probability, size, times
from engine.estimates.ledger import (
    DependencySubject,
    Factor,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
    second_model_sum,
)
from engine.estimates.second_model import FLOOR, level_contexts
from engine.explain.attachments import unary_reason
from engine.explain.context import ExplainedParse
from engine.explain.differences import difference_name
from engine.explain.wording import Headline, capital, how_often, quoted, span_text

# Factors of the score in words: what a row of a ledger is about, without its symbols.


def factor_text(explained: ExplainedParse, factor: Factor) -> str:
    """What a factor is about: ``that `with` modifies `saw```, ``the gap tag S between `saw` and `the```."""
    match factor.subject:
        case TagSubject(word=word, tag=tag):
            return f"the tag {tag} of {quoted(word)}"
        case GapSubject(left=left, tag=tag, right=right):
            return f"the gap tag {tag} between {quoted(left)} and {quoted(right)}"
        case DependencySubject(modifier_word=modifier, head_word=head, relation=relation):
            return f"that {quoted(modifier)} modifies {quoted(head)} as {relation}"
        case RootSubject(word=word, label=label):
            return f"that {quoted(word)} heads the sentence as {label}"
        case UnarySubject(word=word, label=label, parent=parent):
            if parent:
                return f"the unary {parent} over the {label} of {quoted(word)}"
            return f"that no unary stands over the {label} of {quoted(word)}"
        case GenerativeSubject(text=text):
            return f"the second model's decision “{text}”"
        case FeatureSubject():
            return f"the feature “{factor.what}”"
        case other:
            assert_never(other)


# Headlines of factors that no picture shows: unaries, decisions of the second model, features of the re-ranker.


def unary_headline(explained: ExplainedParse, factor: Factor) -> Headline:
    """What stands over a constituent, or that nothing does, and what that costs."""
    subject = factor.subject
    assert isinstance(subject, UnarySubject)
    headed = f"the {subject.label} headed by {quoted(subject.word)}"
    if subject.parent:
        what = f"{subject.parent} stands over {headed}, by a unary production."
    else:
        what = f"No unary production stands over {headed}."
    told = f"Probability {probability(factor.probability)}{_cost(factor.log)}."
    return Headline(f"{what} {told}", (unary_reason(explained, factor),) if factor.levels else ())


def _cost(log: float) -> str:
    if not math.isfinite(log):
        return ": impossible"
    return ", which costs nothing worth naming" if log > -0.005 else f", which costs {amount(log)} in log P"


def second_model_headline(explained: ExplainedParse) -> Headline:
    """What the second model says of the tree, and of the next best one."""
    second = explained.ledger.second_model
    summed = second_model_sum(second)
    told = (
        f"The second model gives the tree the log probability {log_probability(summed.log_probability)}, in "
        f"{size(summed.decisions, 'decision')}. By its weight that {adds(summed.contribution)}."
    )
    reasons = []
    rival = explained.rival(lambda one: False)
    if rival is not None:
        others = explained.explainer.generative.log_probability(rival.parse.roots[0]) if rival.parse.roots else None
        same_tags = rival.parse.sentence.tags == explained.parse.sentence.tags
        if others is not None and same_tags and not rival.parse.fallback:
            lead = summed.contribution - summed.weight * others
            best = "the next best parse" if explained.is_chosen else f"the {ordinal(rival.rank)} of the list"
            reasons.append(_prefers(lead, f"{best} ({difference_name(rival.parse, explained.parse)})"))
    dearest = min(second, key=lambda factor: factor.probability)
    reasons.append(
        f"Its least likely decision: {_plain(dearest.what)}, probability {probability(dearest.probability)}."
    )
    return Headline(told, tuple(reasons))


def _plain(text: str) -> str:
    """A decision's text with an empty frame in words."""
    return text.replace("{}", "no complement")


def _prefers(lead: float, other: str) -> str:
    if abs(lead) < 0.005:
        return f"It likes this tree and {other} alike."
    return f"It prefers {'this tree to ' + other if lead > 0 else other + ' to this tree'}, by {amount(lead)} in score."


def decisions_headline(explained: ExplainedParse, decisions: Sequence[Factor]) -> Headline:
    """What the second model says of one constituent."""
    subject = decisions[0].subject
    assert isinstance(subject, GenerativeSubject)
    summed = second_model_sum(decisions)
    words = span_text(explained.words, subject.start, subject.end)
    told = (
        f"In the {subject.label} {words} the second model makes {size(len(decisions), 'decision')}. "
        f"All in all that {adds(summed.contribution)}."
    )
    dearest = min(decisions, key=lambda factor: factor.probability)
    return Headline(
        told, (f"The least likely: {_plain(dearest.what)}, probability {probability(dearest.probability)}.",)
    )


def decision_headline(explained: ExplainedParse, factor: Factor) -> Headline:
    """How probable a decision of the second model is, and how often the like was met."""
    subject = factor.subject
    assert isinstance(subject, GenerativeSubject)
    told = (
        f"{capital(_plain(subject.text))}: the second model gives this the probability "
        f"{probability(factor.probability)}. That {adds(factor.log)}."
    )
    contexts = level_contexts(subject, explained.parse.model.vocabulary)
    reasons = []
    for level, context in zip(factor.levels, contexts, strict=True):
        if level.delta and level.name != FLOOR:
            based = f"in this context ({_plain(context)})" if context != "nothing" else "whatever the context"
            reasons.append(how_often(explained.in_training, f"{based} it was so", level))
            break
    else:
        reasons.append("No such context was met in training; the estimate is the least there is.")
    return Headline(told, tuple(reasons))


def features_headline(explained: ExplainedParse) -> Headline:
    """What all features of the re-ranker together say of the tree."""
    features = explained.ledger.features
    good = [factor for factor in features if factor.log > 0]
    bad = [factor for factor in features if factor.log < 0]
    total = math.fsum(factor.log for factor in features)
    told = (
        f"The re-ranker looks at {size(len(features), 'feature')} of the tree: {len(good):,} for it, "
        f"{len(bad):,} against it. All in all that {adds(total)}."
    )
    reasons = []
    for one, word in ((max(good, key=_log, default=None), "for"), (min(bad, key=_log, default=None), "against")):
        if one is not None:
            reasons.append(f"Most speaks {word} it: {one.what}, {change(one.log)}.")
    return Headline(told, tuple(reasons))


def _log(factor: Factor) -> float:
    return factor.log


def feature_headline(explained: ExplainedParse, factor: Factor) -> Headline:
    """What one feature adds, how heavy it is among the others, and how many of the n best have it."""
    subject = factor.subject
    assert isinstance(subject, FeatureSubject)
    count = times(subject.times)
    verb = "for" if factor.log > 0 else "against"
    told = (
        f"The feature “{subject.template}: {subject.values}” speaks {verb} the tree, which has it {count}. "
        f"It {adds(factor.log)}."
    )
    if abs(factor.log) < 0.005:
        told = (
            f"The feature “{subject.template}: {subject.values}”, which the tree has {count}, "
            "makes hardly any difference to the score."
        )
    features = explained.ledger.features
    reasons = []
    if factor in features and len(features) > 1:
        reasons.append(f"It is the {ordinal(features.index(factor) + 1)} of {len(features):,} by weight.")
    return Headline(told, tuple(reasons))
