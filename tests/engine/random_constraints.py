"""What constraints can ask of a tree, and random constraints that ask it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.structure.constituents import CORE, JOINED, Constituent
from engine.structure.constraints import Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import Relation, analyse, gap_tags
from engine.structure.tagged_sentence import TaggedSentence


def brackets(root: Constituent) -> set[tuple[int, int, str]]:
    """What a printed tree shows as a bracket, baseNP-internal ones left out: no tags, cores and helpers."""
    cores = {id(node.children[node.head_child]) for node in root.walk() if node.children and node.head_label == CORE}
    return {
        (node.start, node.end, node.label)
        for node in root.walk()
        if (node.children or node.is_base) and not node.label.endswith(JOINED) and id(node) not in cores
    }


@dataclass(frozen=True)
class Facts:
    """What constraints can ask of a tree."""

    gaps: str
    bases: frozenset[tuple[int, int]]
    arrows: dict[int, tuple[int, Relation]]
    brackets: set[tuple[int, int, str]]

    @classmethod
    def of(cls, root: Constituent, sentence: TaggedSentence) -> Facts:
        """The facts of one tree."""
        analysis = analyse(root, sentence.proper_tags)
        reduced = (-1, *analysis.reduced)
        return cls(
            gap_tags(analysis.length, analysis.basenps),
            frozenset((base.start, base.end) for base in analysis.basenps),
            {reduced[arrow.modifier]: (reduced[arrow.head], arrow.relation) for arrow in analysis.dependencies},
            brackets(root),
        )

    def obeys(self, constraint: Constraint) -> bool:
        """Whether the tree is as the constraint wants it."""
        match constraint:
            case GapTag(position, tag):
                holds = self.gaps[position - 1] == tag
            case BaseSpan(start, end):
                holds = (start, end) in self.bases
            case Attachment(modifier, head, None):
                holds = modifier in self.arrows and self.arrows[modifier][0] == head
            case Attachment(modifier, head, relation):
                holds = self.arrows.get(modifier) == (head, relation)
            case Bracket(start, end, None):
                holds = any(bracket[:2] == (start, end) for bracket in self.brackets)
            case Bracket(start, end, label):
                holds = (start, end, label) in self.brackets
            case FixedTag():
                raise AssertionError("a tag is no fact about a tree of a tagged sentence")
        return holds != constraint.forbid


def gap_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """A gap tag, half of the time one that the tree has."""
    position = chance.randrange(1, size)
    return GapTag(position, chance.choice([facts.gaps[position - 1], chance.choice("SCEBN")]), forbid)


def base_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """A baseNP, mostly one that the tree has."""
    if facts.bases and chance.random() < 0.7:
        return BaseSpan(*chance.choice(sorted(facts.bases)), forbid)
    start, end = sorted(chance.sample(range(size + 1), 2))
    return BaseSpan(start, end, forbid)


def attachment_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """An arrow, mostly one that the tree has."""
    if chance.random() < 0.7:
        modifier = chance.choice(sorted(facts.arrows))
        return Attachment(modifier, facts.arrows[modifier][0], None, forbid)
    modifier, head = chance.sample(range(-1, size), 2)
    return Attachment(*((modifier, head) if modifier >= 0 else (head, modifier)), None, forbid)


def relation_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """An arrow with a relation, half of the time one that the tree has."""
    arrows = {word: arrow for word, arrow in facts.arrows.items() if arrow[0] >= 0}
    if not arrows:
        return attachment_constraint(facts, size, forbid, chance)
    modifier = chance.choice(sorted(arrows))
    head, relation = arrows[modifier]
    if chance.random() < 0.3:
        relation = chance.choice(sorted(arrows.values(), key=str))[1]
    return Attachment(modifier, head, relation, forbid)


def bracket_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """A bracket of any label, mostly one that the tree has."""
    if chance.random() < 0.7:
        return Bracket(*chance.choice(sorted(facts.brackets))[:2], None, forbid)
    start, end = sorted(chance.sample(range(size + 1), 2))
    return Bracket(start, end, None, forbid)


def labelled_constraint(facts: Facts, size: int, forbid: bool, chance: random.Random) -> Constraint:
    """A bracket with its label, mostly one that the tree has."""
    start, end, label = chance.choice(sorted(facts.brackets))
    if chance.random() < 0.3:
        label = chance.choice(["NP", "VP", "S", "SBAR", "PP", "ADVP"])
    return Bracket(start, end, label, forbid)


KINDS = {
    "gap": gap_constraint,
    "baseNP": base_constraint,
    "attachment": attachment_constraint,
    "relation": relation_constraint,
    "bracket": bracket_constraint,
    "labelled bracket": labelled_constraint,
}
