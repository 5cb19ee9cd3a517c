"""Factors of the score in words: what a row of a ledger is about, without its symbols."""

from __future__ import annotations

from typing import assert_never

from engine.analysis.headlines.explained_parse import ExplainedParse
from engine.analysis.headlines.wording import quoted
from engine.estimates.factor_subjects import (
    DependencySubject,
    FeatureSubject,
    GapSubject,
    GenerativeSubject,
    RootSubject,
    TagSubject,
    UnarySubject,
)
from engine.estimates.ledger import Factor


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
