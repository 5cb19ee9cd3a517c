"""Derivations, the steps by which the chart builds a tree: to constituents, from constituents alone (section 3), and
the k best of a filled chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.chart import chart_layout as layout
from engine.chart import kbest_kernel
from engine.chart.chart_layout import Chart, DerivationList, Grammar, Hypergraph, Ranking, SentenceArrays
from engine.common.arrays import FloatArray, Int32Array
from engine.counts.counts_layout import Switches
from engine.estimates import internal_brackets_kernel
from engine.estimates.sentence import generative_words
from engine.model.model import Model
from engine.rerank import features_kernel, vote_kernel
from engine.rerank.lists import LEAST_CHANCE, ListScorer, Votes
from engine.rerank.lists_layout import GENERATIVE, ListedSentence, ListedTrees
from engine.rerank.reranker import NO_FEATURES, Reranker, punctuation_marks
from engine.settings import Settings
from engine.structure.constituents import BASE_LABEL, POSSESSIVE_TAG, Constituent
from engine.structure.sentence_layout import BASE, GROW_LEFT, GROW_RIGHT, START_RIGHT, UNARY, WORD
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import LabelledSpan

# The steps by which the chart builds a tree, told from its constituents alone (section 3).
#
# Every tree has one derivation: of a constituent first the head-child, then its right modifiers from the inside out,
# then its left ones.

WORD_STEP, BASE_STEP, UNARY_STEP = "word", "baseNP", "unary"
EDGE_KINDS = (WORD_STEP, BASE_STEP, UNARY_STEP, "grow right", "start right", "grow left", "start left")
"""How an edge builds its constituent, in the order of the numbers in :mod:`engine.structure.sentence_layout`."""


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """One step of a derivation.

    Attributes
    ----------
    kind
        One of :data:`EDGE_KINDS`.
    label, head_label, head
        Label of what it builds, the head-child's label as triples write it (of a unary the child's), and the position
        of the head-word.
    start, end
        The words ``start .. end`` of what it builds.
    left, right
        The steps whose results it joins, by their numbers in the derivation; a unary has its child on the left, −1
        stands for none.
    """

    kind: str
    label: str
    head_label: str
    head: int
    start: int
    end: int
    left: int = -1
    right: int = -1


def derivation_steps(*roots: Constituent) -> Iterator[DerivationStep]:
    """Yield the derivation of a tree, or of the fragments of a cover, in the order in which a chart takes its steps."""
    count = 0

    def build(node: Constituent) -> Iterator[DerivationStep]:
        nonlocal count

        def made(step: DerivationStep) -> DerivationStep:
            nonlocal count
            count += 1
            return step

        if not node.children:
            kind = BASE_STEP if node.is_base else WORD_STEP
            yield made(DerivationStep(kind, node.label, "", node.head, node.start, node.end))
            return
        if len(node.children) == 1:
            child = node.children[0]
            yield from build(child)
            yield made(DerivationStep(UNARY_STEP, node.label, child.label, node.head, node.start, node.end, count - 1))
            return
        middle = node.head_child
        yield from build(node.children[middle])
        start, end = node.children[middle].start, node.children[middle].end
        places = [(place, True) for place in range(middle + 1, len(node.children))]
        places += [(place, False) for place in range(middle - 1, -1, -1)]
        for turn, (place, rightwards) in enumerate(places):
            before = count - 1
            child = node.children[place]
            yield from build(child)
            start, end = min(start, child.start), max(end, child.end)
            kind = f"{'grow' if turn else 'start'} {'right' if rightwards else 'left'}"
            left, right = (before, count - 1) if rightwards else (count - 1, before)
            yield made(DerivationStep(kind, node.label, node.head_label, node.head, start, end, left, right))

    for root in roots:
        yield from build(root)


# From a derivation, the steps by which the chart built a tree, to the tree's constituents.


@dataclass(frozen=True)
class Derivation:
    """One way to build a tree of the sentence: its steps, and the reading of every word.

    Attributes
    ----------
    log_probability, generative
        Log probability under the parser's own model, and under the second one (0 without one).
    steps, chosen
        Its steps, and which reading each word has.
    sentence
        What the features of its tree depend on beside.
    """

    log_probability: float
    generative: float
    steps: Int32Array
    chosen: Int32Array
    sentence: ListedSentence

    @cached_property
    def features(self) -> Int32Array:
        """The tree's features, a row each (:mod:`engine.rerank.features_kernel`)."""
        readings, commas, marks, joined, _ = self.sentence
        return features_kernel.tree_features(self.steps, readings, self.chosen, commas, joined, marks)


class ChartConstituents(NamedTuple):
    """The constituents of a parse as the chart has them, to be built when they are asked for.

    Attributes
    ----------
    model, switches
        The model, and the switches that decide by which of its counts the brackets inside baseNPs are found.
    readings, chosen
        The words under all their tags, and which reading each word has.
    derivations
        The steps of each root, side by side.
    """

    model: Model
    switches: Switches
    readings: Int32Array
    chosen: Int32Array
    derivations: tuple[Int32Array, ...]

    def roots(self) -> tuple[Constituent, ...]:
        """Build the constituents, with the baseNP-internal brackets."""
        vocabulary = self.model.vocabulary
        counts = self.model.counts_under(self.switches)
        first, possessive = 1 + len(vocabulary.phrases), self.model.tag_numbers.get(POSSESSIVE_TAG, -1)
        made = []
        for steps in self.derivations:
            found = internal_brackets_kernel.decode_all(counts, self.readings, self.chosen, steps, first, possessive)
            brackets = brackets_by_start(found.tolist(), vocabulary.phrases)
            made.append(build(steps.tolist(), brackets, vocabulary.labels))
        return tuple(made)


def build(rows: Sequence[Sequence[int]], brackets: Sequence[LabelledSpan], labels: Sequence[str]) -> Constituent:
    """Constituents from a derivation in the order in which its items are built, and the brackets in its baseNPs."""
    stack: list[Constituent] = []
    for kind, label, head_label, head, left, right in rows:
        if kind == WORD:
            name = labels[label] if label < len(labels) else ""
            stack.append(Constituent(name, head, head + 1, head))
        elif kind == BASE:
            inside: tuple[LabelledSpan, ...] = ()
            if brackets and right > left:
                inside = tuple([bracket for bracket in brackets if left <= bracket[1] <= right])
            stack.append(Constituent(BASE_LABEL, left, right + 1, head, None, 0, "", inside))
        elif kind == UNARY:
            child = stack[-1]
            stack[-1] = Constituent(labels[label], child.start, child.end, head, [child], 0, child.label)
        else:
            second = stack.pop()
            first = stack[-1]
            if kind == GROW_RIGHT:
                first.children.append(second)
                first.end = second.end
            elif kind == GROW_LEFT:
                second.children.insert(0, first)
                second.head_child += 1
                second.start = first.start
                stack[-1] = second
            else:
                head_child = 0 if kind == START_RIGHT else 1
                children = [first, second]
                stack[-1] = Constituent(
                    labels[label], first.start, second.end, head, children, head_child, labels[head_label]
                )
    return stack[0]


def brackets_by_start(rows: Sequence[Sequence[int]], phrases: Sequence[str]) -> list[LabelledSpan]:
    """Brackets of all baseNPs of a sentence in pre-order, from rows (phrase number from 1 or −1, start, end)."""
    found = [(phrases[number - 1] if number > 0 else BASE_LABEL, start, end) for number, start, end in rows]
    found.sort(key=lambda bracket: (bracket[1], -bracket[2]))
    return found


# The k best derivations of a filled chart, listed and ranked in memory that is used again from sentence to sentence.

_FULL = {layout.POOL_FULL: "pool", layout.BLOCKS_FULL: "derivations", layout.STEPS_FULL: "steps"}
_FIRST_BLOCKS = 64
"""Items that have room for more than their best derivation, to begin with."""


class Ranker:
    """Lists the k best derivations of a chart whose edges were recorded.

    A list is good until the next one is started, or the chart is filled anew.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._scorer: ListScorer | None = None
        self._chart: Chart | None = None
        self._room = {"items": 0, "edges": 0, "words": 0, "limit": 0, "derivations": 0, "pool": 4096, "steps": 4096}

    def start(self, grammar: Grammar, arrays: SentenceArrays, chart: Chart, limit: int) -> None:
        """Take up another chart, of which at most `limit` derivations will be listed."""
        if self._chart is not chart:
            self._chart, self._forest = chart, Hypergraph(*(getattr(chart, name) for name in Hypergraph._fields))
        self._grammar, self._arrays = grammar, arrays
        self._size = len(arrays.commas)
        self._limit = limit
        room = self._room
        items, edges = len(chart.items), len(chart.edges)
        if items > room["items"] or edges > room["edges"] or self._size > room["words"] or limit > room["limit"]:
            for what, needed in {"items": items, "edges": edges, "words": self._size, "limit": limit}.items():
                room[what] = max(room[what], needed)
            room["derivations"] = max(room["derivations"], _FIRST_BLOCKS * limit)
            self._allocate()
        self._restart()

    def extend(self, wanted: int) -> int:
        """Go on with the list until it has so many derivations, or there are no more; return how many it has."""
        while True:
            status = kbest_kernel.list_derivations(
                self._grammar, self._arrays, self._forest, self._ranking, self._list, min(wanted, self._limit)
            )
            if status >= 0:
                return self._count
            self._room[_FULL[status]] *= 2
            self._allocate()
            self._restart()

    @property
    def log_probabilities(self) -> FloatArray:
        """Those of the derivations of the list, best first."""
        return self._list.scores[: self._count]

    def sums(self, reranker: Reranker, sentence: TaggedSentence) -> FloatArray:
        """Return what a re-ranker says of the trees of the list: a row each (:mod:`engine.rerank.lists_layout`)."""
        if self._scorer is None or self._scorer.reranker is not reranker:
            self._scorer = ListScorer(reranker, self.model.generative)
        return self._scorer.sums(ListedTrees(*self._list[1:]), self._count, self._listed_sentence(sentence))

    def vote(self, scores: FloatArray, scale: float) -> tuple[FloatArray, Votes]:
        """Return the expected F1 of every parse of the list, and what its constituents got of the vote."""
        merits, keys, shares = vote_kernel.vote(
            self._list.ranges, self._list.steps, self.model.shown_labels, scores, scale, LEAST_CHANCE
        )
        return merits, Votes(keys, shares, self.model.vocabulary.labels, len(scores), float(scores.max()))

    def derivations(self, sentence: TaggedSentence) -> list[Derivation]:
        """Return the list to be kept, with all that the features of its trees depend on."""
        listed = self._listed_sentence(sentence)
        second = self.sums(NO_FEATURES, sentence)[:, GENERATIVE].tolist()
        return [
            Derivation(log_probability, second[rank], self.steps(rank).copy(), self.chosen(rank).copy(), listed)
            for rank, log_probability in enumerate(self.log_probabilities.tolist())
        ]

    def steps(self, rank: int) -> Int32Array:
        """Return the steps of one derivation of the list; 0 is the best."""
        first, end = self._list.ranges[rank]
        return self._list.steps[first:end]

    def chosen(self, rank: int) -> Int32Array:
        """Return which reading each word has in it."""
        return self._list.chosen[rank, : self._size]

    def _listed_sentence(self, sentence: TaggedSentence) -> ListedSentence:
        arrays = self._arrays
        marks = punctuation_marks(sentence, self.settings.lexical)
        words = generative_words(self.model, self.settings.lexical, sentence)
        return ListedSentence(arrays.readings, arrays.commas, marks, self.model.joined_labels, words)

    @property
    def _count(self) -> int:
        return int(self._ranking.numbers[layout.R_LISTED])

    def _restart(self) -> None:
        self._ranking.numbers[layout.R_LIMIT] = self._limit
        self._ranking.numbers[layout.R_LISTED] = -1

    def _allocate(self) -> None:
        room = self._room
        items, limit = room["items"], room["limit"]
        self._ranking = Ranking(
            first_edges=np.empty(items, np.int32),
            next_edges=np.empty(room["edges"], np.int32),
            blocks=np.empty(items, np.int32),
            found=np.empty(items, np.int32),
            exhausted=np.empty(items, np.uint8),
            derivations=np.empty((room["derivations"], 3), np.int32),
            derivation_scores=np.empty(room["derivations"]),
            lists=np.empty((items, 2), np.int32),
            pool=np.empty((room["pool"], 4), np.int32),
            pool_scores=np.empty(room["pool"]),
            stack=np.empty((room["steps"], 2), np.int32),
            root_scores=np.empty(items),
            top_ranks=np.empty(items, np.int32),
            top_scores=np.empty(items),
            numbers=np.zeros(layout.RANKING_NUMBERS, np.int64),
        )
        self._list = DerivationList(
            scores=np.empty(limit),
            ranges=np.empty((limit, 2), np.int32),
            steps=np.empty((room["steps"], layout.STEP_COLUMNS), np.int32),
            parts=np.empty(room["steps"], np.int32),
            chosen=np.empty((limit, room["words"]), np.int32),
        )
