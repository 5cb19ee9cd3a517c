"""A sentence that was parsed, and what is true of its parses by second code: structure, estimates, scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.study.errors import ParseError
from engine.study.verdicts import Verdict
from engine.trees.tree import plain_word
from explorer.session.parsing import ParseResult
from tests.claims.estimates import Estimates, Gap, Pair, Phrased
from tests.claims.training import Training, between, finished, neighbours, sentence_of
from tests.engine.recount_trees import HeadTable, Phrase, Relation, Sentence

ROOT = -1


class Other(NamedTuple):
    """A head and a relation that a word could have: P of equation (8) and F̂."""

    probability: float
    estimate: float
    head: int
    relation: Relation


class Facts:
    """One parse: its printed tree taken apart by the paper's definitions, and every estimate of it.

    Parameters
    ----------
    parse
        The parse; of it are taken the printed tree, the words, and what is an input of the estimates: how much further
        they back off.
    case
        The sentence that it is a parse of.
    gold
        The gold tree in brackets, where that is to be asked about in place of the parse.
    further
        How much further the estimates back off, where that is not what the parse was found with.
    """

    def __init__(self, parse: Parse, case: Case, gold: str = "", further: int | None = None) -> None:
        self.parse = parse
        self.case = case
        self.words = parse.sentence.proper_words
        self.estimates = case.estimates(int(parse.further_backoff) if further is None else further)
        self._gold = gold

    @cached_property
    def sentence(self) -> Sentence:
        """The printed tree, or the gold tree that stands for it."""
        return sentence_of(self._gold or self.parse.tree.brackets(), self.case.table)

    @property
    def readable(self) -> bool:
        """Whether the printed tree is a parse: no fragments, and the words are those of the parse."""
        if self.parse.fallback or not self.words:
            return False
        if [word for word, _ in self.sentence.words] != [plain_word(word) for word in self.words]:
            return False
        # Not every tree that can be built reads as what it was built from: beside punctuation a word alone stands under
        # no label of its own, and a conjunction may have been attached by itself.
        return bool(self._gold) or (
            self.sentence.root.label == self.parse.roots[0].label
            and self.heads == dict(self.parse.heads())
            and self.relations == {word: tuple(filter(None, one)) for word, _, one in self.parse.arrows}
        )

    @cached_property
    def tags(self) -> list[str]:
        """The tag of every word."""
        return [tag for _, tag in self.sentence.words]

    @cached_property
    def beside(self) -> list[str]:
        """The tags that neighbours are known by: the tagger's best sequence where the parser chose among tags."""
        distribution = self.parse.distribution
        if distribution is None or distribution.sentence.positions != self.parse.sentence.positions:
            return self.tags
        return distribution.sentence.proper_tags

    @cached_property
    def heads(self) -> dict[int, int]:
        """Head of every word of the reduced sentence, by positions."""
        reduced = self.sentence.reduced
        return {reduced[j - 1]: reduced[head - 1] if head else ROOT for j, (head, _) in self.sentence.arrows.items()}

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """The relation of every word of the reduced sentence."""
        return {self.sentence.reduced[j - 1]: relation for j, (_, relation) in self.sentence.arrows.items()}

    @cached_property
    def gap_tags(self) -> str:
        """The letters of the gaps."""
        return self.sentence.gap_tags()

    def base_of(self, position: int) -> tuple[int, int, int] | None:
        """The baseNP around a word."""
        return next((base for base in self.sentence.basenps if base[0] <= position < base[1]), None)

    def pair(self, modifier: int, head: int) -> Pair:
        """Two words of the reduced sentence."""
        sentence, number = self.sentence, self.sentence.reduced.index
        low, high = min(modifier, head), max(modifier, head)
        return Pair(
            *sentence.words[modifier],
            *sentence.words[head],
            sentence.delta(number(modifier) + 1, number(head) + 1),
            neighbours(sentence, self.beside, modifier),
            neighbours(sentence, self.beside, head),
            between(self.beside, low, high, self.tags[modifier], self.tags[head]),
        )

    def pair_under(self, modifier: int, head: int, bases: list[tuple[int, int, int]], start: int, end: int) -> Pair:
        """Two words as they stand in a part of the sentence that has these baseNPs."""
        part = copy(self.sentence)
        part.basenps = bases
        inside = {position for first, last, _ in bases for position in range(first, last)} - {one[2] for one in bases}
        part.reduced = [position for position in range(start, end) if position not in inside]
        part._span = {position: (position, position) for position in part.reduced}
        part._span |= {own: (first, last - 1) for first, last, own in bases}
        mine = copy(self)
        mine.__dict__["sentence"] = part
        return mine.pair(modifier, head)

    def gap(self, position: int) -> Gap:
        """The gap before a word."""
        sentence = self.sentence
        return Gap(
            *sentence.words[position - 1],
            *sentence.words[position],
            sentence.comma_before(position),
            neighbours(sentence, self.beside, position - 1)[0],
            neighbours(sentence, self.beside, position)[1],
        )

    def phrased(self, node: Phrase) -> Phrased:
        """A constituent as unaries see it."""
        word, tag = self.sentence.words[node.head]
        before = neighbours(self.sentence, self.beside, node.start)[0]
        after = neighbours(self.sentence, self.beside, node.end - 1)[1]
        return Phrased(node.label, tag, word, before, after, node.last, self.beside[node.start])

    def dependencies(self, modifier: int, head: int) -> dict[Relation, float]:
        """F̂ of every relation between two words of the reduced sentence."""
        key = (modifier, head, tuple(self.sentence.basenps), tuple(self.tags), self.estimates.further)
        if key not in self.case.known:
            self.case.known[key] = self.estimates.dependencies(self.pair(modifier, head))
        return self.case.known[key]

    def others(self, modifier: int) -> list[Other]:
        """Equation (8): all heads and relations of a word, the most probable first."""
        found = [
            (value, head, relation)
            for head in self.sentence.reduced
            if head != modifier
            for relation, value in self.dependencies(modifier, head).items()
        ]
        whole = math.fsum(value for value, _, _ in found)
        return sorted((Other(value / whole, value, head, relation) for value, head, relation in found), reverse=True)

    def chance(self, modifier: int, head: int, relation: Relation) -> float:
        """P of equation (8)."""
        own = (one.probability for one in self.others(modifier) if (one.head, one.relation) == (head, relation))
        return next(own, 0.0)

    def gap_chances(self, position: int) -> dict[str, float]:
        """P̂ of the five tags of a gap."""
        return self.estimates.gap(self.gap(position))

    @cached_property
    def unaries(self) -> list[tuple[Phrase, str]]:
        """Every finished constituent with its unary parent, or none."""
        return [(node, parent or "") for node, parent in finished(self.sentence.root)]

    def unary_chance(self, node: Phrase, parent: str) -> float:
        """P̂ of what stands over a constituent."""
        return self.estimates.unary(self.phrased(node), parent)

    def tag_chance(self, position: int) -> float:
        """P(t|S) where tags are a part of the score; 1 where they are not."""
        distribution, token = self.parse.distribution, self.parse.sentence.positions[position]
        if distribution is None or token in distribution.given:
            return 1.0
        return distribution.probability(token, self.tags[position])

    @cached_property
    def factors(self) -> list[tuple[str, tuple[object, ...], float]]:
        """Every factor of P(T|S): its kind, what it is about, its probability."""
        found: list[tuple[str, tuple[object, ...], float]] = []
        for modifier, head in self.heads.items():
            relation = self.relations[modifier]
            if head == ROOT:
                value = self.estimates.root(*self.sentence.words[modifier], relation[0])
                found.append(("root", (modifier, relation[0]), value))
            else:
                value = self.dependencies(modifier, head).get(relation, 0.0)
                found.append(("dependency", (modifier, head, relation), value))
        for position, letter in enumerate(self.gap_tags, 1):
            found.append(("gap", (position, letter), self.gap_chances(position)[letter]))
        for node, parent in self.unaries:
            found.append(("unary", (node.head, node.label, parent), self.unary_chance(node, parent)))
        for position in range(len(self.words)):
            value = self.tag_chance(position)
            if value != 1.0:
                found.append(("tag", (position, self.tags[position]), value))
        return found

    @cached_property
    def log_probability(self) -> float:
        """Log P(T|S), equation (20) and its footnote."""
        return math.fsum(math.log(value) if value > 0 else -math.inf for _, _, value in self.factors)

    @cached_property
    def phrases(self) -> list[Phrase]:
        """Every constituent, words too."""

        def walk(node: Phrase) -> Iterator[Phrase]:
            yield node
            for child in node.children:
                yield from walk(child)

        return list(walk(self.sentence.root))

    @cached_property
    def parents(self) -> dict[int, Phrase]:
        """The constituent around each, by the identity of the one inside."""
        return {id(child): node for node in self.phrases for child in node.children}

    def structure(self) -> set[tuple[str, int, int, int]]:
        """What of the tree the model tells apart: every constituent but for words, with its head."""
        return {(node.label, node.start, node.end, node.head) for node in self.phrases if node.children or node.base}

    def voted(self) -> set[tuple[str, int, int]]:
        """The constituents of the printed tree: no words, no cores, no conjuncts with their conjunction."""
        return {
            (node.label, node.start, node.end)
            for node in self.phrases
            if (node.children or node.base) and not node.label.endswith("&") and not self.is_core(node)
        }

    def is_core(self, node: Phrase) -> bool:
        """Whether a constituent is the core of the phrase around it."""
        above = self.parents.get(id(node))
        return above is not None and above.last == "NPX" and above.children[above.head_child] is node

    def brackets(self) -> set[tuple[str, int, int]]:
        """Labels and spans of all constituents."""
        return {(node.label, node.start, node.end) for node in self.phrases}


@dataclass
class Case:
    """A sentence with its parses.

    Attributes
    ----------
    result
        What the engine made of it, with what-ifs if there are some.
    training
        The trees that its model was trained on.
    preset, table
        The preset, and the head rules.
    gold
        The gold tree in brackets.
    verdict, errors
        The verdict on the parse, if it was asked for.
    """

    result: ParseResult
    training: Training
    preset: int
    table: HeadTable
    gold: str
    verdict: Verdict | None = None
    errors: Sequence[ParseError] = ()

    def __post_init__(self) -> None:
        self.known: dict[object, dict[Relation, float]] = {}
        self._facts: dict[int, Facts] = {}
        self._estimates: dict[int, Estimates] = {}
        self._votes: dict[int, Vote] = {}

    def estimates(self, further: int) -> Estimates:
        """The estimates of the preset."""
        if further not in self._estimates:
            self._estimates[further] = Estimates(self.training, self.preset, further)
        return self._estimates[further]

    def facts(self, parse: Parse) -> Facts:
        """What is true of a parse; found once."""
        if id(parse) not in self._facts:
            self._facts[id(parse)] = Facts(parse, self)
        return self._facts[id(parse)]

    def vote(self, made: Parse | None = None) -> Vote:
        """The vote over all parses that were re-ranked with a parse, that of the case if none is named; found once."""
        made = made or self.result.parse
        if id(made) not in self._votes:
            self._votes[id(made)] = Vote.over(self, made)
        return self._votes[id(made)]

    @property
    def listed(self) -> tuple[Parse, ...]:
        """The n best, the chosen one first."""
        return self.result.parse.alternatives


class Vote(NamedTuple):
    """Every parse of the list with its probability, and the share of every constituent."""

    parses: tuple[Parse, ...]
    chances: tuple[float, ...]
    shares: dict[tuple[str, int, int], float]

    @classmethod
    def over(cls, case: Case, made: Parse) -> Vote:
        """Let all parses of the list vote, each with its probability: e to its scaled score."""
        assert made.votes is not None and made.model.reranker is not None
        parser = Parser(made.model, made.settings)
        sentence = made.distribution or made.sentence
        what_ifs = case.result.request.line.what_ifs if made is case.result.parse else ()
        listed = parser.parse(sentence, n_best=made.votes.voters, constraints=what_ifs).alternatives
        best = max(one.score for one in listed)
        weights = [math.exp(made.model.reranker.scale * (one.score - best)) for one in listed]
        whole = math.fsum(weights)
        shares: dict[tuple[str, int, int], float] = {}
        for one, weight in zip(listed, weights, strict=True):
            for bracket in case.facts(one).voted():
                shares[bracket] = shares.get(bracket, 0.0) + weight / whole
        return cls(tuple(listed), tuple(weight / whole for weight in weights), shares)
