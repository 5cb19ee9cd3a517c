"""The parser: a tagged sentence in, the best tree with all its working out (sections 3 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.columns import Vocabulary, plain_word
from engine.constituents import BASE_LABEL, Constituent
from engine.errors import Cancelled
from engine.insides import Bracket, brackets_inside
from engine.jit import Kernels, kernels
from engine.kernels import layout
from engine.kernels.layout import (
    BASE,
    COLUMNS,
    DONE_SEARCH,
    GROW_LEFT,
    GROW_RIGHT,
    START_RIGHT,
    UNARY,
    WORD,
    Chart,
    Grammar,
    Sentence,
)
from engine.model import Model
from engine.parse import Parse
from engine.sentence import TaggedSentence
from engine.settings import Settings

FRAGMENT_PENALTY = 12.0
"""Nats that each piece of a cover costs in choosing the cover; no part of any score."""
WIDEST_BEAM = 1e6
_NO_ROWS = np.zeros((0, 3), np.int32)


class Parser:
    """Parses sentences with one model and one set of settings.

    A parser owns its working memory: use one per thread.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._words = 0
        self._room = {"entries": 4096, "records": 0, "blocks": 16384, "candidates": 2048}
        self._chart: Chart | None = None
        self._possessive = model.tag_numbers.get("POS", -1)

    def parse(
        self,
        sentence: TaggedSentence | str,
        *,
        cancelled: np.ndarray | None = None,
    ) -> Parse:
        """The best parse of a tagged sentence."""
        if isinstance(sentence, str):
            sentence = TaggedSentence.parse(sentence)
        size = len(sentence.positions)
        if size == 0:
            return Parse(self.model, self.settings, sentence, (), 0.0)
        kernel = kernels()
        grammar = self.model.grammar(self.settings.switches())
        question = self._question(kernel, grammar, sentence)
        threshold = self.settings.threshold
        passes = 0
        while True:
            passes += 1
            totals = self._search(
                kernel, grammar, question, threshold, self.settings.beam, layout.RECORD_NOTHING
            )
            if totals[layout.T_BEST] >= 0 or threshold == -math.inf:
                break
            # Nothing fell under the threshold: lowering it would change nothing.
            threshold = (
                threshold - self.settings.threshold_step if totals[layout.T_UNDER_THRESHOLD] else -math.inf
            )
            if totals[layout.T_UNDER_THRESHOLD] == 0:
                break
        chart = self._chart
        assert chart is not None
        best = int(totals[layout.T_BEST])
        if best >= 0:
            score = float(
                chart.scores[best, layout.DONE]
                + kernel.chart.root_log(grammar, question, chart.entries[best])
            )
            return Parse(
                self.model, self.settings, sentence, (self._build(kernel, question, best),), score, passes
            )
        pieces = kernel.chart.cover(chart, size, FRAGMENT_PENALTY)
        roots = tuple(self._build(kernel, question, int(piece)) for piece in pieces)
        score = float(sum(chart.scores[piece, layout.DONE] for piece in pieces))
        return Parse(self.model, self.settings, sentence, roots, score, passes, fallback=True)

    def _question(self, kernel: Kernels, grammar: Grammar, sentence: TaggedSentence) -> Sentence:
        word_numbers, tag_numbers = self.model.word_numbers, self.model.tag_numbers
        size = len(sentence.positions)
        unknown_tag = len(tag_numbers)
        tokens = np.array(
            [
                (
                    word_numbers.get(plain_word(sentence.words[p]), -1),
                    tag_numbers.get(sentence.tags[p], unknown_tag),
                    c,
                )
                for p, c in zip(sentence.positions, sentence.commas, strict=True)
            ],
            np.int32,
        )
        gaps = np.zeros((size, 5))
        kernel.chart.fill_gaps(grammar.counts, grammar.switches.lexical, tokens, gaps)
        demands = np.zeros((size, 2), np.int32)
        demands[:, 1] = -1
        return Sentence(
            tokens,
            gaps,
            np.ones((size, size), np.uint8),
            np.ones((size, size + 1), np.uint8),
            demands,
            _NO_ROWS,
            _NO_ROWS,
            _NO_ROWS,
        )

    def _search(
        self,
        kernel: Kernels,
        grammar: Grammar,
        question: Sentence,
        threshold: float,
        beam: float,
        record: int,
    ) -> np.ndarray:
        limits = self.settings.limits(threshold, beam, record)
        size = len(question.tokens)
        if self._chart is None or size > self._words:
            self._allocate(max(size, self._words))
        while True:
            assert self._chart is not None
            status = kernel.chart.search(grammar, question, limits, self._chart)
            if status == DONE_SEARCH:
                return self._chart.totals
            if status == layout.CANCELLED:
                raise Cancelled("parsing was cancelled")
            full = {
                layout.ENTRIES_FULL: "entries",
                layout.RECORDS_FULL: "records",
                layout.BLOCKS_FULL: "blocks",
                layout.CANDIDATES_FULL: "candidates",
            }[status]
            self._room[full] = max(1024, 2 * self._room[full])
            self._allocate(self._words)

    def _allocate(self, words: int) -> None:
        self._words = words
        room = self._room
        slots = 1 << (2 * room["candidates"] - 1).bit_length()
        self._chart = Chart(
            entries=np.empty((room["entries"], COLUMNS), np.int32),
            scores=np.empty((room["entries"], 2)),
            cells=np.zeros((words * words, 3), np.int32),
            candidates=np.empty((room["candidates"], COLUMNS), np.int32),
            candidate_scores=np.empty(room["candidates"]),
            slots=np.zeros((slots, 2), np.int32),
            blocks=np.empty((words * words * 16, 2), np.int32),
            block_sets=np.empty((words * words * 16, 2), np.int64),
            block_bests=np.empty(words * words * 16),
            block_relations=np.empty(room["blocks"], np.int32),
            block_estimates=np.empty(room["blocks"]),
            rows=np.zeros((2, max(len(self.model.vocabulary.triples), 1)), np.int32),
            records=np.empty((room["records"], layout.RECORD_COLUMNS), np.int32),
            record_factors=np.empty((room["records"], layout.RECORD_FACTORS)),
            totals=np.zeros(layout.TOTALS, np.int64),
            cancel=np.zeros(1, np.uint8),
        )

    def _build(self, kernel: Kernels, question: Sentence, entry: int) -> Constituent:
        """The constituents of an entry and all below it, with the insides of its baseNPs."""
        assert self._chart is not None
        vocabulary = self.model.vocabulary
        rows = kernel.chart.derivation(self._chart.entries, entry, len(question.tokens))
        states = kernel.insides.decode_all(
            self.model.counts, question.tokens, rows, 2 + 2 * len(vocabulary.phrases), self._possessive
        ).tolist()
        return build(rows.tolist(), states, vocabulary)


def build(rows: Sequence[Sequence[int]], states: Sequence[int], vocabulary: Vocabulary) -> Constituent:
    """Constituents from a derivation in the order in which its entries are built."""
    labels = vocabulary.labels
    stack: list[Constituent] = []
    for kind, label, head_label, head, left, right in rows:
        if kind == WORD:
            name = labels[label] if label < len(labels) else ""
            stack.append(Constituent(name, head, head + 1, head))
        elif kind == BASE:
            inside: tuple[Bracket, ...] = ()
            if right > left:
                inside = brackets_inside(left, right + 1, states, vocabulary.phrases)
            stack.append(Constituent(BASE_LABEL, left, right + 1, head, inside=inside))
        elif kind == UNARY:
            child = stack.pop()
            stack.append(Constituent(labels[label], child.start, child.end, head, [child], 0, child.label))
        else:
            second = stack.pop()
            first = stack.pop()
            if kind == GROW_RIGHT:
                first.children.append(second)
                first.end = second.end
                stack.append(first)
            elif kind == GROW_LEFT:
                second.children.insert(0, first)
                second.head_child += 1
                second.start = first.start
                stack.append(second)
            else:
                head_child = 0 if kind == START_RIGHT else 1
                stack.append(
                    Constituent(
                        labels[label],
                        first.start,
                        second.end,
                        head,
                        [first, second],
                        head_child,
                        labels[head_label],
                    )
                )
    return stack[0]
