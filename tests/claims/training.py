"""Training trees as columns of events, and how often something was so in them: counts without the engine's tables.

Every event stands alone (two words of a reduced sentence, a gap, a constituent, a word that may head its sentence),
with the weight of its treebank beside it.  A count is a look through the columns, so it shares nothing with keys,
tables or back-off of the engine; only how a word is spelt is asked of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.trees.tree import plain_word
from tests.engine.recount_trees import COMMAS, VERBS, Delta, HeadTable, Phrase, Sentence

Numbers = npt.NDArray[np.int64]
Column = npt.NDArray[Any]
NOTHING = ""
"""The outcome where nothing happened: two words without a relation, a constituent without a unary parent."""
CLASSES = (
    {"CC"},
    {"IN", "TO"},
    {"NN", "NNS", "NNP", "NNPS", "PRP"},
    {"WDT", "WP", "WRB", "WP$"},
    {"VBD", "VBP", "VBZ", "MD"},
    {"VB", "VBG", "VBN"},
)
"""Kinds of words that may lie between two others, which preset (5) looks at (`resources/manual/paper.md`)."""
Between = tuple[bool, ...]
Neighbour = tuple[str, bool]
"""A tag beside a word, and whether a comma is between; of the edge of the sentence the tag is empty."""


def trees_of(path: Path) -> Iterator[str]:
    """Yield the trees of a treebank in brackets, whatever lines they stand on."""
    depth, start = 0, 0
    text = path.read_text(encoding="utf-8")
    for place, letter in enumerate(text):
        if letter == "(":
            if not depth:
                start = place
            depth += 1
        elif letter == ")":
            depth -= 1
            if not depth:
                yield text[start : place + 1]


def sentence_of(text: str, table: HeadTable) -> Sentence:
    """A tree as the paper has it, its words in the one spelling that is counted."""
    sentence = Sentence(text, table)
    sentence.words = [(plain_word(word), tag) for word, tag in sentence.words]
    return sentence


def code(delta: Delta) -> int:
    """Δ as one number."""
    order, adjacent, verb, commas, after, before = delta
    return order | adjacent << 1 | verb << 2 | commas << 3 | after << 5 | before << 6


ORDER, ADJACENCY = 0b1, 0b11


def any_commas(delta: int) -> int:
    """The same with question 4 answered by whether there are commas."""
    return delta if delta >> 3 & 3 < 2 else delta & ~(3 << 3) | 1 << 3


def neighbours(sentence: Sentence, tags: Sequence[str], position: int) -> tuple[Neighbour, Neighbour]:
    """The tags before and after a word."""
    before = (tags[position - 1], sentence.comma_before(position)) if position else ("", False)
    last = position + 1 == len(tags)
    return before, ("", False) if last else (tags[position + 1], sentence.comma_before(position + 1))


def between(tags: Sequence[str], first: int, second: int, modifier_tag: str, head_tag: str) -> Between:
    """Which kinds of words lie between two others, and whether any has the tag of one of them."""
    inside = set(tags[first + 1 : second])
    return (*(bool(inside & one) for one in CLASSES), modifier_tag in inside, head_tag in inside)


class Met(NamedTuple):
    """How often something was met, and what happened then; beside that the same by the treebanks' weights."""

    times: int
    outcomes: Counter[Any]
    weighted_times: int
    weighted_outcomes: Counter[Any]

    def level(self, outcome: Any, weighted: bool = False) -> tuple[int, int]:
        """η and δ of an outcome."""
        if weighted:
            return self.weighted_outcomes[outcome], self.weighted_times
        return self.outcomes[outcome], self.times


NEVER = Met(0, Counter(), 0, Counter())


class Events:
    """Events of one kind: a column for each thing that is known of them, what happened, and the weight of the tree.

    Parameters
    ----------
    columns
        What is known of every event, as numbers of values.
    names
        The values by number, for every column.
    outcomes, weights
        What happened, by number, with its values; and the weight of every event's treebank.
    indexed
        Columns by which events are found quickly.
    """

    def __init__(
        self,
        columns: dict[str, Column],
        names: dict[str, dict[Any, int]],
        outcomes: Column,
        values: dict[Any, int],
        weights: Column,
        indexed: Sequence[str],
    ) -> None:
        self._columns = columns
        self._names = names
        self._outcomes = outcomes
        self._values = list(values)
        self._weights = weights
        self._orders = {name: np.argsort(columns[name], kind="stable").astype(np.int32) for name in indexed}
        self._sorted = {name: columns[name][order] for name, order in self._orders.items()}
        self._known: dict[tuple[tuple[str, Any], ...], Met] = {}

    def met(self, **wanted: Any) -> Met:
        """How often an event had these values, and with which outcomes."""
        asked = tuple(sorted(wanted.items(), key=lambda pair: pair[0]))
        if asked not in self._known:
            self._known[asked] = self._met(wanted)
        return self._known[asked]

    def _met(self, wanted: dict[str, Any]) -> Met:
        numbers: dict[str, Any] = {}
        for name, value in wanted.items():
            if name.startswith("masked_"):
                numbers[name] = value
                continue
            number = self._names[name].get(value) if name in self._names else value
            if number is None:
                return NEVER
            numbers[name] = number
        ranges = {
            name: (int(np.searchsorted(one, numbers[name], "left")), int(np.searchsorted(one, numbers[name], "right")))
            for name, one in self._sorted.items()
            if name in numbers
        }
        if ranges:
            best = min(ranges, key=lambda name: ranges[name][1] - ranges[name][0])
            rows: Any = self._orders[best][ranges[best][0] : ranges[best][1]]
        else:
            rows = np.arange(len(self._outcomes))
        for name, number in numbers.items():
            if name.startswith("masked_"):
                mask, value = number
                rows = rows[self._columns[name.removeprefix("masked_")][rows] & mask == value]
            else:
                rows = rows[self._columns[name][rows] == number]
        outcomes, weights = self._outcomes[rows], self._weights[rows].astype(np.int64)
        size = len(self._values)
        plain, heavy = np.bincount(outcomes, minlength=size), np.bincount(outcomes, weights, size).astype(np.int64)
        happened = [number for number in np.flatnonzero(plain) if self._values[number] != NOTHING]
        return Met(
            len(rows),
            Counter({self._values[number]: int(plain[number]) for number in happened}),
            int(weights.sum()),
            Counter({self._values[number]: int(heavy[number]) for number in happened}),
        )


class _Collector:
    """Collects events row by row and makes columns of them."""

    def __init__(self, *names: str, indexed: Sequence[str]) -> None:
        self.names = names
        self.indexed = indexed
        self.numbers: dict[str, dict[Any, int]] = {name: {} for name in names}
        self.outcomes: dict[Any, int] = {NOTHING: 0}
        self.rows: list[tuple[int, ...]] = []

    def add(self, weight: int, outcome: Any, *values: Any) -> None:
        numbers = [
            self.numbers[name].setdefault(value, len(self.numbers[name]))
            for name, value in zip(self.names, values, strict=True)
        ]
        self.rows.append((weight, self.outcomes.setdefault(outcome, len(self.outcomes)), *numbers))

    def events(self) -> Events:
        table = np.array(self.rows, np.int32).reshape(-1, 2 + len(self.names)).T
        columns = {name: table[number + 2] for number, name in enumerate(self.names)}
        return Events(columns, self.numbers, table[1], self.outcomes, table[0], self.indexed)


class _Pairs:
    """Collects all pairs of words of reduced sentences, those of one sentence at once."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        self.relations: dict[Any, int] = {NOTHING: 0}
        self.parts: list[tuple[Column, ...]] = []

    def add(self, sentence: Sentence, weight: int) -> None:
        reduced = np.array(sentence.reduced)
        size = len(reduced)
        if size < 2:
            return
        all_tags = [tag for _, tag in sentence.words]
        tags = np.array([self.tags.setdefault(tag, len(self.tags)) for tag in all_tags])
        words = np.array([self.words.setdefault(word, len(self.words)) for word, _ in sentence.words])[reduced]
        low, high = np.minimum.outer(range(size), range(size)), np.maximum.outer(range(size), range(size))
        verbs = np.cumsum([0, *(all_tags[position] in VERBS for position in sentence.reduced)])
        at = np.array(sentence.at)[reduced]
        commas = np.cumsum([0, *(tag in COMMAS for _, tag in sentence.line)])
        heads = {head: (start, end) for start, end, head in sentence.basenps}
        edges = [heads.get(position, (position, position + 1)) for position in sentence.reduced]
        after = np.array([sentence.comma_after(end - 1) for _, end in edges])
        before = np.array([sentence.comma_before(start) for start, _ in edges])
        place = np.arange(size)
        delta = (
            (place[None, :] < place[:, None]).astype(np.int64)
            | (high - low == 1).astype(np.int64) << 1
            | (verbs[high] > verbs[low + 1]).astype(np.int64) << 2
            | np.minimum(commas[at[high]] - commas[at[low]], 3) << 3
            | after[low].astype(np.int64) << 5
            | before[high].astype(np.int64) << 6
        )
        relation = np.zeros((size, size), np.int64)
        for j, (head, triple) in sentence.arrows.items():
            if head:
                relation[j - 1, head - 1] = self.relations.setdefault(triple, len(self.relations))
        beside = [neighbours(sentence, all_tags, position) for position in sentence.reduced]
        left, right = (np.array([self.neighbour(one[side]) for one in beside]) for side in (0, 1))
        counted = [np.cumsum([0, *(tag in one for tag in all_tags)]) for one in CLASSES]
        first, second = reduced[low], reduced[high]
        kinds = np.zeros((size, size), np.int64)
        for bit, sums in enumerate(counted):
            kinds |= (sums[second] > sums[first + 1]).astype(np.int64) << bit
        same = np.cumsum(np.concatenate([np.zeros((len(tags), 1), np.int64), tags[:, None] == tags[None, :]], 1), 1)
        rows, others = np.broadcast_to(reduced[:, None], (size, size)), np.broadcast_to(reduced[None, :], (size, size))
        for bit, whose in ((6, rows), (7, others)):
            kinds |= (same[whose, second] > same[whose, first + 1]).astype(np.int64) << bit
        chosen = ~np.eye(size, dtype=bool)
        modifier, head_place = np.nonzero(chosen)
        self.parts.append(
            (
                words[modifier].astype(np.int32),
                words[head_place].astype(np.int32),
                (tags[reduced][modifier] * 256 + tags[reduced][head_place]).astype(np.int32),
                delta[chosen].astype(np.uint8),
                relation[chosen].astype(np.int16),
                np.full(len(modifier), weight, np.uint8),
                left[modifier].astype(np.uint8),
                right[modifier].astype(np.uint8),
                left[head_place].astype(np.uint8),
                right[head_place].astype(np.uint8),
                kinds[chosen].astype(np.uint8),
            )
        )

    def neighbour(self, one: Neighbour) -> int:
        tag, comma = one
        return 2 * self.tags.setdefault(tag, len(self.tags)) + 2 + comma if tag else 0

    def events(self) -> Events:
        names = ("modifier", "head", "tags", "delta", "", "", "before_m", "after_m", "before_h", "after_h", "between")
        joined = [np.concatenate(column) for column in zip(*self.parts, strict=True)] if self.parts else []
        columns = {name: column for name, column in zip(names, joined, strict=True) if name}
        values = {"modifier": self.words, "head": self.words}
        return Events(columns, values, joined[4], self.relations, joined[5], ("modifier", "head", "tags"))


@dataclass
class Training:
    """All events of some treebanks, and all that was ever seen in them.

    Attributes
    ----------
    words, triples, labels, chains
        Every word, triple, label of a constituent or root, and unary chain from the bottom up with its beginnings.
    weighted
        Whether the treebanks count more than once in preset (5).
    """

    pairs: Events
    gaps: Events
    unaries: Events
    roots: Events
    words: set[str]
    triples: set[tuple[str, ...]]
    labels: set[str]
    chains: set[tuple[str, ...]]
    trees: int
    weighted: bool
    _pairs: _Pairs

    @classmethod
    def of(cls, texts: Iterable[tuple[str, int]], table: HeadTable) -> Training:
        """Take trees in brackets, each with the weight of its treebank."""
        pairs = _Pairs()
        gaps = _Collector(
            "left", "left_tag", "right", "right_tag", "comma", "before", "after", indexed=("left", "right")
        )
        unaries = _Collector("label", "tag", "word", "before", "after", "child", "first", indexed=("label",))
        roots = _Collector("word", "tag", indexed=("word", "tag"))
        words: set[str] = set()
        labels: set[str] = set()
        chains: set[tuple[str, ...]] = set()
        triples: set[tuple[str, ...]] = set()
        trees, heaviest = 0, 1
        for text, weight in texts:
            try:
                sentence = sentence_of(text, table)
            except AssertionError:
                continue
            trees, heaviest = trees + 1, max(heaviest, weight)
            tags = [tag for _, tag in sentence.words]
            words.update(word for word, _ in sentence.words)
            pairs.add(sentence, weight)
            beside = [neighbours(sentence, tags, position) for position in range(len(tags))]
            for position, letter in enumerate(sentence.gap_tags(), 1):
                (left, left_tag), (right, right_tag) = sentence.words[position - 1], sentence.words[position]
                comma = sentence.comma_before(position)
                gaps.add(
                    weight,
                    letter,
                    left,
                    left_tag,
                    right,
                    right_tag,
                    comma,
                    beside[position - 1][0],
                    beside[position][1],
                )
            for node, parent in finished(sentence.root):
                word, tag = sentence.words[node.head]
                around = beside[node.start][0], beside[node.end - 1][1]
                unaries.add(weight, parent or NOTHING, node.label, tag, word, *around, node.last, tags[node.start])
                labels.add(node.label)
            for chain in chains_of(sentence.root):
                chains.update(chain[:end] for end in range(2, len(chain) + 1))
            for j, position in enumerate(sentence.reduced, 1):
                head, relation = sentence.arrows[j]
                roots.add(weight, NOTHING if head else relation[0], *sentence.words[position])
                if head:
                    triples.add(relation)
            labels.add(sentence.root.label)
        made = (pairs.events(), gaps.events(), unaries.events(), roots.events())
        return cls(*made, words, triples, labels, chains, trees, heaviest > 1, pairs)

    def tag(self, name: str) -> int | None:
        """The number of a tag; ``None`` if it was never seen."""
        return self._pairs.tags.get(name)

    def tags(self, modifier_tag: str, head_tag: str) -> int | None:
        """The number of two tags; ``None`` if one was never seen."""
        known = self._pairs.tags
        if modifier_tag not in known or head_tag not in known:
            return None
        return known[modifier_tag] * 256 + known[head_tag]

    def neighbour(self, one: Neighbour) -> int | None:
        """The number of a neighbour; ``None`` if its tag was never seen."""
        return None if one[0] and one[0] not in self._pairs.tags else self._pairs.neighbour(one)


def finished(root: Phrase) -> Iterator[tuple[Phrase, str | None]]:
    """Walk through the finished constituents, each with its unary parent."""
    stack: list[tuple[Phrase, str | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        yield node, parent
        for place, child in enumerate(node.children):
            if place == node.head_child and node.last == "NPX" and len(node.children) > 1:
                # A core is no finished constituent, and what is in it neither.
                continue
            stack.append((child, node.label if len(node.children) == 1 else None))


def chains_of(root: Phrase) -> Iterator[tuple[str, ...]]:
    """Yield every chain of unary productions as labels from the bottom up."""
    stack = [root]
    while stack:
        node = stack.pop()
        if len(node.children) == 1:
            chain = [node.label]
            while len(node.children) == 1:
                node = node.children[0]
                chain.insert(0, node.label)
            yield tuple(chain)
        stack.extend(node.children)
