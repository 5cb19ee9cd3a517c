"""The parser: a tagged sentence in, the best tree with all its working out (sections 3 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.constituents import BASE_LABEL, Constituent
from engine.constraints import ROOT_HEAD, Attachment, Constraint, apply, check, describe, retag
from engine.errors import ConstraintError, EngineError
from engine.explain import Explainer
from engine.insides import Bracket, brackets_by_start
from engine.jit import Kernels, kernels
from engine.kernels import layout
from engine.kernels.layout import BASE, GROW_LEFT, GROW_RIGHT, START_RIGHT, UNARY, WORD, Grammar, Sentence
from engine.model import Model
from engine.parse import Parse, Scored
from engine.search import Control, Outcome, Ranker, Search, question_of
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.surroundings import ENDING_TAGS, partners, torn
from engine.trace import Trace
from engine.trees import Tree, clean

FRAGMENT_PENALTY = 12.0
"""Nats that each piece of a cover costs in choosing the cover; no part of any score."""
MOST_PARSES = 100


class Parser:
    """Parses sentences with one model and one set of settings.

    A parser owns its working memory: use one per thread.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._search = Search(model, settings)
        self._possessive = model.tag_numbers.get("POS", -1)

    def parse(
        self,
        sentence: TaggedSentence | str,
        *,
        n_best: int = 1,
        constraints: Sequence[Constraint] = (),
        trace: bool = False,
        control: Control | None = None,
    ) -> Parse:
        """The best parse of a tagged sentence.

        Parameters
        ----------
        sentence
            A tagged sentence, or its text ``word/TAG word/TAG ...``.
        n_best
            How many parses to find, at most 100; ``Parse.alternatives`` holds them, best first.
        constraints
            What the parse must obey (:mod:`engine.constraints`); :class:`ConstraintError` says why if none can.
        trace
            Keep every constituent ever proposed, with its fate, in ``Parse.chart``.
        control
            Stops the search from another thread, and tells how far it is.

        Returns
        -------
        Parse
            Where no tree spans the sentence, the best cover of fragments, marked ``fallback``.
        """
        if isinstance(sentence, str):
            sentence = TaggedSentence.parse(sentence)
        if not 1 <= n_best <= MOST_PARSES:
            raise EngineError(f"the number of parses is from 1 to {MOST_PARSES}, not {n_best}")
        check(constraints, sentence)
        sentence = retag(constraints, sentence)
        if not sentence.positions:
            return Parse(self.model, self.settings, sentence, (), 0.0, passes=0, beam=self.settings.beam)
        kernel = kernels()
        grammar = self.model.grammar(self.settings.switches())
        question = question_of(self.model, kernel, grammar, sentence)
        if constraints:
            question = apply(constraints, question, self.model)
        record = layout.RECORD_EDGES if n_best > 1 else layout.RECORD_NOTHING
        outcome = self._search.run(kernel, grammar, question, record, control, exhaustive=bool(constraints))
        if outcome.best < 0:
            if constraints:
                raise ConstraintError(self._why_impossible(sentence, constraints))
            parse = self._fragments(kernel, question, sentence, outcome)
            if trace:
                parse.chart = self._trace(kernel, grammar, question, sentence, outcome, control)
            return parse
        if n_best > 1:
            parses = self._ranked(kernel, grammar, question, sentence, outcome, n_best, control)
        else:
            root = self._build(
                kernel,
                question,
                kernel.chart.derivation(self._search.chart.entries, outcome.best, len(question.tokens)),
            )
            parses = [self._parse(sentence, (root,), outcome.score, outcome)]
        best = parses[0]
        best.alternatives = tuple(parses)
        if trace:
            best.chart = self._trace(kernel, grammar, question, sentence, outcome, control)
        return best

    def score(self, tree: Tree) -> Scored:
        """Log probability of any tree of a sentence, factor by factor, or what makes it impossible."""
        cleaned = clean(tree)
        root = self.model.lexicaliser.constituent(cleaned) if cleaned is not None else None
        if cleaned is None or root is None:
            raise EngineError("the tree holds no word to score")
        sentence = TaggedSentence.from_tree(cleaned)
        ledger = Explainer(self.model, self.settings, sentence).ledger((root,))
        return Scored(sentence, root, ledger, self._obstacle(root, sentence))

    def _obstacle(self, root: Constituent, sentence: TaggedSentence) -> str:
        """What keeps a tree out of the chart though no factor is zero: the comma rule, an unseen unary chain."""
        words, commas = sentence.proper_words, sentence.commas
        size = len(words)
        pairs = partners(sentence.proper_tags)
        tags = sentence.proper_tags
        known = {chain[:end] for chain in self.model.vocabulary.chains for end in range(2, len(chain) + 1)}
        for node in root.walk():
            if self.settings.balanced_brackets and torn(pairs, node.start, node.end):
                span = " ".join(words[node.start : node.end])
                return f"{node.label} over `{span}` holds one of two brackets and not the other"
            if len(node.children) == 1:
                chain = [node.label]
                below = node
                while len(below.children) == 1:
                    below = below.children[0]
                    chain.insert(0, below.label)
                if tuple(chain) not in known:
                    return f"the unary chain {' → '.join(reversed(chain))} was never seen in training"
            if not self.settings.punctuation_rule:
                continue
            for gap, end in node.joins():
                if commas[gap] > 0 and end < size and commas[end] == 0:
                    if self.settings.extended_rule and tags[end] in ENDING_TAGS:
                        continue
                    return (
                        f"the comma before `{words[gap]}` separates children of {node.label}, "
                        f"and none follows `{words[end - 1]}` (punctuation rule)"
                    )
        return ""

    def _ranked(
        self,
        kernel: Kernels,
        grammar: Grammar,
        question: Sentence,
        sentence: TaggedSentence,
        outcome: Outcome,
        wanted: int,
        control: Control | None,
    ) -> list[Parse]:
        """The n best different trees; the threshold is lowered until it lies under all of them."""
        while True:
            ranker = Ranker(kernel, grammar, question, self._search.chart, 4 * wanted)
            parses: dict[str, Parse] = {}
            rank = 0
            while len(parses) < wanted and (found := ranker.derivation(rank)) is not None:
                rows, score = found
                parse = self._parse(sentence, (self._build(kernel, question, rows),), score, outcome)
                # Helper constituents spliced away, two derivations may print the same tree: the better stays.
                parses.setdefault(parse.tree.brackets(), parse)
                rank += 1
            ranked = list(parses.values())
            cut = self._search.chart.totals[layout.T_UNDER_THRESHOLD]
            worst = ranked[-1].log_probability
            if not cut or (len(ranked) == wanted and worst >= outcome.threshold):
                return ranked
            lower = min(outcome.threshold - self.settings.threshold_step, worst)
            outcome = replace(outcome, threshold=lower, passes=outcome.passes + 1)
            self._search.fill(kernel, grammar, question, lower, outcome.beam, layout.RECORD_EDGES, control)

    def _trace(
        self,
        kernel: Kernels,
        grammar: Grammar,
        question: Sentence,
        sentence: TaggedSentence,
        outcome: Outcome,
        control: Control | None,
    ) -> Trace:
        """Fill the chart once more as the last pass did, keeping everything."""
        totals = self._search.fill(
            kernel, grammar, question, outcome.threshold, outcome.beam, layout.RECORD_ALL, control
        )
        return Trace(self.model.vocabulary, sentence, self._search.chart, int(totals[layout.T_BEST]), outcome)

    def _fragments(self, kernel: Kernels, question: Sentence, sentence: TaggedSentence, outcome: Outcome) -> Parse:
        """The best cover of the sentence by constituents, where no tree spans it."""
        chart = self._search.chart
        size = len(question.tokens)
        pieces = kernel.chart.cover(chart, size, FRAGMENT_PENALTY)
        roots = tuple(
            self._build(kernel, question, kernel.chart.derivation(chart.entries, piece, size)) for piece in pieces
        )
        score = math.fsum(float(chart.scores[piece, layout.DONE]) for piece in pieces)
        parse = self._parse(sentence, roots, score, outcome)
        parse.fallback = True
        parse.alternatives = (parse,)
        return parse

    def _parse(self, sentence: TaggedSentence, roots: tuple[Constituent, ...], score: float, outcome: Outcome) -> Parse:
        return Parse(self.model, self.settings, sentence, roots, score, outcome.passes, outcome.beam)

    def _build(self, kernel: Kernels, question: Sentence, rows: np.ndarray) -> Constituent:
        """The constituents of a derivation, with the insides of its baseNPs."""
        vocabulary = self.model.vocabulary
        found = kernel.insides.decode_all(
            self.model.counts, question.tokens, rows, 1 + len(vocabulary.phrases), self._possessive
        )
        return build(rows.tolist(), brackets_by_start(found.tolist(), vocabulary.phrases), vocabulary.labels)

    def _why_impossible(self, sentence: TaggedSentence, constraints: Sequence[Constraint]) -> str:
        """Which constraint, or which two, no parse obeys."""

        def possible(chosen: Sequence[Constraint]) -> bool:
            kernel = kernels()
            grammar = self.model.grammar(self.settings.switches())
            question = apply(chosen, question_of(self.model, kernel, grammar, sentence), self.model)
            return self._search.run(kernel, grammar, question, layout.RECORD_NOTHING, None, True).best >= 0

        if not possible(()):
            return "no parse obeys, because no tree at all spans the sentence under these settings"
        for constraint in constraints:
            if not possible((constraint,)):
                return f"no parse has {describe(constraint, sentence)}{self._reason(sentence, constraint)}"
        for index, first in enumerate(constraints):
            for second in constraints[index + 1 :]:
                if not possible((first, second)):
                    return (
                        f"no parse has both {describe(first, sentence)} and {describe(second, sentence)}, "
                        "because each rules out the other"
                    )
        return "no parse obeys, because the constraints together rule out every tree"

    def _reason(self, sentence: TaggedSentence, constraint: Constraint) -> str:
        if not isinstance(constraint, Attachment) or constraint.forbid or constraint.head == ROOT_HEAD:
            return ", because every tree with it has probability 0"
        tags = sentence.proper_tags
        modifier, head = tags[constraint.modifier], tags[constraint.head]
        relation = f" as {constraint.relation}" if constraint.relation else ""
        return f", because in training no {modifier} modified {head}{relation} where the rest of a tree fits"


def build(rows: Sequence[Sequence[int]], brackets: Sequence[Bracket], labels: Sequence[str]) -> Constituent:
    """Constituents from a derivation in the order in which its entries are built, and the brackets in its baseNPs."""
    stack: list[Constituent] = []
    for kind, label, head_label, head, left, right in rows:
        if kind == WORD:
            name = labels[label] if label < len(labels) else ""
            stack.append(Constituent(name, head, head + 1, head))
        elif kind == BASE:
            inside: tuple[Bracket, ...] = ()
            if right > left and brackets:
                inside = tuple(bracket for bracket in brackets if left <= bracket[1] <= right)
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
                children = [first, second]
                stack.append(
                    Constituent(labels[label], first.start, second.end, head, children, head_child, labels[head_label])
                )
    return stack[0]
