"""Constraints on a parse: force or forbid a gap tag, a baseNP, a dependency, a bracket or a tag.

Positions count the words of a sentence from 0, punctuation left out; the end of a span is exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.common.arguments import expect, expect_texts, flag, whole
from engine.common.errors import ConstraintError
from engine.structure.dependencies import GAP_LETTERS, Relation
from engine.structure.tagged_sentence import TaggedSentence

_MOST_PLACE = 1 << 40
ROOT_HEAD = -1
"""The head of the word that heads the sentence."""


@dataclass(frozen=True, slots=True)
class GapTag:
    """The gap before the word at `position` has this tag (one of S C E B N), or has not."""

    position: int
    tag: str
    forbid: bool = False


@dataclass(frozen=True, slots=True)
class BaseSpan:
    """Words `start` to `end` are a baseNP, or are not."""

    start: int
    end: int
    forbid: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """The word at `modifier` modifies the one at `head` (:data:`ROOT_HEAD`: the root), or does not.

    With a relation only that triple is forced or forbidden.
    """

    modifier: int
    head: int
    relation: Relation | None = None
    forbid: bool = False


@dataclass(frozen=True, slots=True)
class Bracket:
    """Words `start` to `end` are a constituent (of this label), or are not."""

    start: int
    end: int
    label: str | None = None
    forbid: bool = False


@dataclass(frozen=True, slots=True)
class FixedTag:
    """The word at `position` has this tag, or has not."""

    position: int
    tag: str
    forbid: bool = False


Constraint = GapTag | BaseSpan | Attachment | Bracket | FixedTag


def describe_constraint(constraint: Constraint, sentence: TaggedSentence) -> str:
    """Return a constraint in words, for messages and lists."""
    words = sentence.proper_words

    def span(start: int, end: int) -> str:
        return "`" + " ".join(words[start:end]) + "`"

    match constraint:
        case GapTag(position, tag, forbid):
            text = f"gap tag {tag} before `{words[position]}`"
        case BaseSpan(start, end, forbid):
            text = f"baseNP {span(start, end)}"
        case Attachment(modifier, head, relation, forbid):
            to = "the root" if head == ROOT_HEAD else f"`{words[head]}`"
            text = f"`{words[modifier]}` → {to}" + (f" as {relation}" if relation else "")
        case Bracket(start, end, label, forbid):
            text = f"{label or 'a constituent'} over {span(start, end)}"
        case FixedTag(position, tag, forbid):
            text = f"tag {tag} for `{words[position]}`"
    return ("not " if forbid else "") + text


def check_constraints(constraints: Iterable[Constraint], sentence: TaggedSentence) -> None:
    """Raise :class:`ConstraintError` for a constraint that names no place in the sentence."""
    size = len(sentence.positions)
    labels: dict[tuple[int, int], str | None] = {}
    for constraint in constraints:
        _check_kinds(constraint)
        if isinstance(constraint, Bracket) and not constraint.forbid:
            span = (constraint.start, constraint.end)
            if labels.setdefault(span, constraint.label) != constraint.label:
                raise ConstraintError(f"{constraint}: only one bracket can be forced on the same words")
        match constraint:
            case GapTag(position, tag):
                good = 1 <= position < size and tag in GAP_LETTERS and len(tag) == 1
                what = f"a gap tag is one of S C E B N before word 1 to {size - 1}"
            case BaseSpan(start, end) | Bracket(start, end):
                good = 0 <= start < end <= size
                what = f"a span lies within words 0 to {size}"
            case Attachment(modifier, head):
                good = 0 <= modifier < size and ROOT_HEAD <= head < size and head != modifier
                what = f"an attachment is between two different words from 0 to {size - 1}"
            case FixedTag(position):
                good = 0 <= position < size
                what = f"a tag is that of a word from 0 to {size - 1}"
        if not good:
            raise ConstraintError(f"{constraint}: {what}")


def _check_kinds(constraint: Constraint) -> None:
    """Raise :class:`EngineError` if something in a constraint is of another kind than it should be."""
    expect(constraint, Constraint, "a constraint is a GapTag, BaseSpan, Attachment, Bracket or FixedTag")
    for name in ("position", "start", "end", "modifier", "head"):
        if hasattr(constraint, name):
            whole(getattr(constraint, name), -_MOST_PLACE, _MOST_PLACE, "the place of a word")
    flag(constraint.forbid, "forbid")
    if isinstance(constraint, GapTag | FixedTag):
        expect(constraint.tag, str, "a tag is text")
    elif isinstance(constraint, Bracket):
        expect(constraint.label, str | None, "a label is text")
    elif isinstance(constraint, Attachment) and constraint.relation is not None:
        expect(constraint.relation, tuple, "a relation is a Relation")
        expect_texts(constraint.relation, "the parts of a relation are text")
        if len(constraint.relation) != len(Relation._fields):
            raise ConstraintError(f"a relation has {len(Relation._fields)} parts, not {len(constraint.relation)}")


def retag(constraints: Iterable[Constraint], sentence: TaggedSentence) -> TaggedSentence:
    """Return the sentence with its fixed tags; raise if a tag that it has is forbidden."""
    changes = []
    for constraint in constraints:
        if isinstance(constraint, FixedTag):
            token = sentence.positions[constraint.position]
            if not constraint.forbid:
                changes.append((token, constraint.tag))
            elif sentence.tags[token] == constraint.tag:
                description = describe_constraint(constraint, sentence)
                raise ConstraintError(f"no parse has {description}, because it is the only tag given for the word")
    return sentence.with_tags(changes) if changes else sentence
