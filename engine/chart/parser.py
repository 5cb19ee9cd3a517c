"""The parser: a tagged sentence in, the best tree with all its working out (sections 3 and 4.1)."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.derivation import ChartConstituents, Derivation, Ranker
from engine.chart.parse import Parse, Scored, rule_impossibilities, tag_impossibilities, zero_factors
from engine.chart.search import (
    MOST_TRACED_EDGES,
    NARROWEST_BEAM,
    Control,
    Forest,
    Outcome,
    ParseTask,
    ReadSentence,
    Search,
    parse_task,
    read_sentence,
    reranks,
    why_impossible,
)
from engine.chart.trace import Trace
from engine.common.arguments import expect, flag, whole
from engine.common.arguments import number as checked_number
from engine.common.arrays import Int32Array
from engine.common.errors import ChartTooLarge, ConstraintError, EngineError
from engine.estimates.explainer import Explainer
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, FurtherBackoff, Settings
from engine.structure.constraints import Constraint, FixedTag, check_constraints
from engine.structure.tagged_sentence import TaggedSentence, check_length
from engine.tagger.tagger import TagDistribution, prune_lattice
from engine.trees.tree import Tree, check_tree, clean

FRAGMENT_PENALTY = 12.0
"""Nats that each piece of a cover costs in choosing the cover; no part of any score."""
MOST_PARSES = 100
MOST_LISTED, MOST_WHOLE = 10_000, 1 << 62
"""Derivations that can be asked for at once; and what is as good as without a limit."""
SPARE = 4
"""Derivations to look at for every parse asked for: some print the same tree."""


class OneAtATime:
    """A lock for a ``with`` block in which one thread works at a time; the others wait.

    Parameters
    ----------
    again
        The error if the very thread that is in the block begins another: it would wait for itself.
    """

    def __init__(self, again: str) -> None:
        self._again = again
        self._lock = threading.Lock()
        self._worker = 0

    def __enter__(self) -> None:
        if self._worker == threading.get_ident():
            raise EngineError(self._again)
        self._lock.acquire()
        self._worker = threading.get_ident()

    def __exit__(self, *error: object) -> None:
        self._worker = 0
        self._lock.release()


class Parser:
    """Parses sentences with one model and one set of settings.

    A parser owns its working memory, so it works on one sentence at a time: another thread waits.  To parse in several
    threads at once have a parser for each.  Sent to another process, a parser is made there anew.
    """

    def __init__(self, model: Model, settings: Settings) -> None:
        expect(model, Model, "a parser is made of a Model")
        expect(settings, Settings, "how to parse is told by Settings")
        self.model = model
        self.settings = settings
        self._at_work = OneAtATime("this parser is at work on another sentence; use a second one")
        self._search = Search(model, settings)
        self._ranker = Ranker(model, settings)
        self._last: tuple[ParseTask, Outcome] | None = None
        self._last_free: tuple[TaggedSentence | TagDistribution, Sequence[Constraint], FurtherBackoff] | None = None

    def __reduce__(self) -> tuple[type[Parser], tuple[Model, Settings]]:
        """Let the parser travel between processes, without its working memory."""
        return type(self), (self.model, self.settings)

    @classmethod
    def preset(cls, model: Model, number: int = DEFAULT_PRESET, **changes: Any) -> Parser:
        """Return a parser with the settings of a preset, and `changes` to single ones (see :class:`Settings`)."""
        return cls(model, Settings.preset(number, **changes))

    def prepare(self, sentence: TaggedSentence | TagDistribution | str) -> TaggedSentence | TagDistribution:
        """Return a sentence as this parser parses it; what :meth:`parse` and all that look into its chart begin with.

        Text is read as :meth:`engine.model.model.Model.read_tagged` says.  Of the tagger's distribution, if the parser
        chooses among its tags, too many nearly equal ones are pruned
        (:func:`engine.tagger.tagger.prune_lattice`).  A sentence that is prepared stays as it is.

        Raises
        ------
        SentenceError
            If the sentence is too long to be parsed.
        """
        if isinstance(sentence, str):
            sentence = self.model.read_tagged(sentence)
        if isinstance(sentence, TaggedSentence):
            check_length(sentence)
            return sentence
        expect(sentence, TagDistribution, "a sentence is text, a TaggedSentence or a TagDistribution")
        check_length(sentence.sentence)
        return prune_lattice(sentence, self.settings.tag_factor) if self.settings.tag_distribution else sentence

    def parse(
        self,
        sentence: TaggedSentence | TagDistribution | str,
        *,
        n_best: int = 1,
        constraints: Sequence[Constraint] = (),
        trace: bool = False,
        control: Control | None = None,
    ) -> Parse:
        """Return the best parse of a sentence.

        Parameters
        ----------
        sentence
            A tagged sentence; or one with the tagger's distribution, among whose tags the parser chooses if the
            settings say so (model 4), and of which it otherwise takes the best sequence; or
            the text ``word/TAG word ...``, of which the model's tagger fills in the missing tags.
        n_best
            How many parses to find, at most 100; ``Parse.alternatives`` holds them, best first.
        constraints
            What the parse must obey (:mod:`engine.structure.constraints`); :class:`ConstraintError` says why if none
            can.  The estimates are those of the parse without constraints, so that the two scores can be compared.
        trace
            Keep every edge ever added, with the reason why it was pruned, in ``Parse.chart``.
        control
            Stops the search from another thread, and tells how far it is.

        Returns
        -------
        Parse
            The best tree.  If there is none it is the best with ``further_backoff``, provided that the settings allow
            it; if there is still none, it is the best cover of fragments, marked ``fallback``.
        """
        flag(trace, "trace")
        whole(n_best, 1, MOST_PARSES, "the number of parses")
        expect(constraints, Sequence, "constraints are a list")
        if control is not None:
            expect(control, Control, "a search is stopped by a Control")
        sentence = self.prepare(sentence)
        check_constraints(constraints, sentence if isinstance(sentence, TaggedSentence) else sentence.sentence)
        with self._at_work:
            return self._parsed(sentence, n_best, constraints, trace, control)

    def _parsed(
        self,
        sentence: TaggedSentence | TagDistribution,
        n_best: int,
        constraints: Sequence[Constraint],
        trace: bool,
        control: Control | None,
    ) -> Parse:
        self._search.budget.start()
        read = read_sentence(self.settings, sentence, constraints)
        if not read.sentence.positions:
            return Parse(self.model, self.settings, read.sentence, (), 0.0, passes=0, beam=self.settings.beam)
        several = n_best > 1 or self.reranks
        record = layout.RECORD_EDGES if several else layout.RECORD_NOTHING
        taggings = (
            max(SPARE * n_best, self.settings.list_length(read.distribution is not None) if self.reranks else 0)
            if several
            else 1
        )
        if constraints:
            further = self._free_backoff(sentence, constraints, control)
            task = parse_task(self.model, self.settings, read, further)
            outcome = self._search.run(task, record, control, True, taggings)
        else:
            task, outcome = self._searched(read, record, control, taggings, self.reranks or not several)
            self._last_free = sentence, (), task.further_backoff
        self._last = task, outcome
        if outcome.best < 0:
            if constraints:
                raise ConstraintError(self._why_impossible(task, sentence, outcome))
            parse = self._fragments(task, outcome)
        elif self.reranks:
            parse = self._reranked(task, outcome, n_best, control, taggings)
        elif n_best > 1:
            parse = self._ranked(task, outcome, n_best, control)
        else:
            parse = self._parse(task, (outcome.best,), outcome.score, outcome)
        if isinstance(sentence, TagDistribution):
            for one in parse.alternatives:
                one.tagging = sentence
        if trace:
            parse.keep_chart(self._trace(task, outcome, control))
        return parse

    def trace_last(self, control: Control | None = None, most: int | None = None) -> Trace:
        """Return the chart of the sentence parsed last: what ``parse(..., trace=True)`` would have kept of it.

        If it holds more than `most` edges :class:`ChartTooLarge` is raised.
        """
        if control is not None:
            expect(control, Control, "a search is stopped by a Control")
        if most is not None:
            whole(most, 0, MOST_WHOLE, "the number of edges")
        with self._at_work:
            if self._last is None:
                raise EngineError("there is no chart, because no words were parsed yet")
            return self._trace(*self._last, control, most)

    @property
    def reranks(self) -> bool:
        """Whether parses are re-ranked: the settings ask for it, and the model can."""
        return reranks(self.model, self.settings)

    def derivations(self, sentence: TaggedSentence | TagDistribution, number: int) -> list[Derivation]:
        """Return the first derivations of a sentence with the features of their trees; none if no tree spans it."""
        whole(number, 1, MOST_LISTED, "the number of derivations")
        read = read_sentence(self.settings, self.prepare(sentence))
        if not read.sentence.positions:
            return []
        with self._at_work:
            self._search.budget.start()
            task, outcome = self._searched(read, layout.RECORD_EDGES, None, number)
            if outcome.best < 0:
                return []
            self._ranker.start(task.grammar, task.arrays, self._search.chart, number)
            self._ranker.extend(number)
            return self._ranker.derivations(task.sentence)

    def forest(
        self,
        sentence: TaggedSentence | TagDistribution,
        threshold: float,
        control: Control | None = None,
        beam: float = math.inf,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
        narrowest_beam: float = NARROWEST_BEAM,
    ) -> Forest:
        """Return a chart that holds every parse of at least this log probability, with all edges recorded.

        No factor is greater than 1, so no constituent of such a parse is under the threshold.  With a `beam` some of
        them may be missing; one that is too much work has a beam in any case (:mod:`engine.chart.search`), but
        none narrower than `narrowest_beam`: :class:`ChartTooLarge` is raised where that is too much work, too.
        """
        threshold = checked_number(threshold, "the threshold")
        for one in (beam, narrowest_beam):
            if not checked_number(one, "β") > 1:
                raise EngineError(f"β is greater than 1, not {one:g}")
        further_backoff = _further_backoff(further_backoff)
        read = read_sentence(self.settings, self.prepare(sentence))
        if not read.sentence.positions:
            raise EngineError("there is no chart of a sentence without words")
        with self._at_work:
            task = parse_task(self.model, self.settings, read, further_backoff)
            self._search.budget.start(is_forest=True, narrowest=narrowest_beam)
            self._search.fill(task, threshold, beam, layout.RECORD_EDGES, control)
            if self._search.budget.is_exhausted:
                raise ChartTooLarge("a chart with all parses of this sentence is too much work; choose a smaller β")
            return Forest(
                task.grammar, task.arrays, self._search.handed_over(), min(beam, self._search.budget.widest_beam)
            )

    def _searched(
        self, read: ReadSentence, record: int, control: Control | None, taggings: int = 1, quickly: bool = False
    ) -> tuple[ParseTask, Outcome]:
        """Search, and as long as no tree is found search again with further back-off.

        Where there is none at all, the chart is left as the settings' own estimates fill it: its fragments are better.
        """
        own = parse_task(self.model, self.settings, read, FurtherBackoff.NONE)
        outcome = self._search.run(own, record, control, False, taggings, quickly)
        if outcome.best >= 0 or not self.settings.further_backoffs or self._search.budget.is_exhausted:
            return own, outcome
        further = [parse_task(self.model, self.settings, read, one) for one in self.settings.further_backoffs]
        for task in (*further, own):
            if self._search.budget.is_exhausted and task is not own:
                continue
            passes = outcome.passes
            outcome = self._search.run(task, record, control, False, taggings)
            outcome = replace(outcome, passes=passes + outcome.passes)
            if outcome.best >= 0:
                break
        return task, outcome

    def _free_backoff(
        self, sentence: TaggedSentence | TagDistribution, constraints: Sequence[Constraint], control: Control | None
    ) -> FurtherBackoff:
        """Return how far the estimates of a sentence back off if nothing is demanded of its parse."""
        if not self.settings.further_backoffs:
            return FurtherBackoff.NONE
        # With another tag it is another sentence, unless its tags are chosen with the parse (model 4).
        chosen = isinstance(sentence, TagDistribution) and self.settings.tag_distribution
        fixed_tags = tuple(one for one in constraints if isinstance(one, FixedTag) and not chosen)
        if self._last_free is None or self._last_free[:2] != (sentence, fixed_tags):
            read = read_sentence(self.settings, sentence, fixed_tags)
            task, _ = self._searched(read, layout.RECORD_NOTHING, control)
            self._last_free = sentence, fixed_tags, task.further_backoff
        return self._last_free[2]

    def score(
        self,
        tree: Tree,
        distribution: TagDistribution | None = None,
        further_backoff: FurtherBackoff = FurtherBackoff.NONE,
    ) -> Scored:
        """Log probability of any tree of a sentence, factor by factor, or what makes it impossible.

        Given the tagger's distribution its tags are a part of the score, if the settings say so (model 4).  To be held
        against a parse with further back-off a tree is scored with the same.
        """
        check_tree(tree)
        expect(distribution, TagDistribution | None, "the tags of a sentence are a TagDistribution")
        further_backoff = _further_backoff(further_backoff)
        cleaned = clean(tree)
        root = self.model.lexicaliser.constituent(cleaned) if cleaned is not None else None
        if cleaned is None or root is None:
            raise EngineError("the tree has no word to score")
        sentence = TaggedSentence.from_tree(cleaned)
        if not self.settings.tag_distribution:
            distribution = None
        impossibilities = list(rule_impossibilities(self.model, self.settings, root, sentence))
        if distribution is not None:
            distribution = prune_lattice(distribution, self.settings.tag_factor)
            if len(distribution.sentence) != len(sentence):
                raise EngineError("the tree has other words than the sentence")
            impossibilities[:0] = tag_impossibilities(sentence, distribution, self.settings)
        ledger = Explainer(self.model, self.settings, sentence, distribution, further_backoff).ledger((root,))
        impossibilities[:0] = zero_factors(ledger)
        return Scored(sentence, root, ledger, tuple(impossibilities), further_backoff)

    def _reranked(
        self, task: ParseTask, outcome: Outcome, wanted: int, control: Control | None, taggings: int
    ) -> Parse:
        """Return the best parses by the re-ranker's order of the list."""
        reranker = self.model.reranker
        assert reranker is not None
        ranker, number = self._ranker, max(self.settings.list_length(task.distribution is not None), wanted)
        ranker.start(task.grammar, task.arrays, self._search.chart, number)
        ranker.extend(number)
        if not self._search.holds_list(ranker.log_probabilities, number):
            self._search.fill_for_list(task, ranker.log_probabilities, number, control, taggings)
            outcome = self._search.refilled(outcome)
            if outcome.best < 0:
                return self._fragments(task, outcome)
            ranker.start(task.grammar, task.arrays, self._search.chart, number)
            ranker.extend(number)
        scores = reranker.scores(ranker.log_probabilities, ranker.sums(reranker, task.sentence))
        merits, votes = scores, None
        if self.settings.expected_f1:
            merits, votes = ranker.vote(scores, reranker.scale)
        parses: dict[str, Parse] = {}
        # Parses that differ in tags alone have the same constituents, and so one expected F1: then the score decides.
        # Of equal scores the more probable comes first, for sorting keeps their order.
        order = np.lexsort((-scores, -merits)).tolist()
        for rank in order:
            parse = self._of_list(task, rank, outcome)
            parse.score = float(scores[rank])
            if votes is not None:
                parse.expected_f1, parse.votes = float(merits[rank]), votes
            if wanted == 1:
                return parse
            parses.setdefault(parse.tree.brackets(), parse)
            if len(parses) == wanted:
                break
        ranked = list(parses.values())
        ranked[0].keep_alternatives(ranked)
        return ranked[0]

    def _ranked(self, task: ParseTask, outcome: Outcome, wanted: int, control: Control | None) -> Parse:
        """Return the n best different trees; the threshold is lowered until it lies under all of them."""
        ranker, step = self._ranker, float(self.settings.threshold_step)
        while outcome.best >= 0:
            ranker.start(task.grammar, task.arrays, self._search.chart, SPARE * wanted)
            parses: dict[str, Parse] = {}
            rank = 0
            # Helper constituents spliced away, two derivations may print the same tree: the better stays.
            while len(parses) < wanted and rank < ranker.extend(rank + wanted - len(parses)):
                parse = self._of_list(task, rank, outcome)
                parses.setdefault(parse.tree.brackets(), parse)
                rank += 1
            ranked = list(parses.values())
            cut = self._search.chart.totals[layout.T_UNDER_THRESHOLD]
            worst = ranked[-1].log_probability
            if not cut or (len(ranked) == wanted and worst >= outcome.threshold):
                ranked[0].keep_alternatives(ranked)
                return ranked[0]
            lower, step = min(outcome.threshold - step, worst), 2 * step
            outcome = self._search.refill(task, outcome, lower, control, SPARE * wanted)
        return self._fragments(task, outcome)

    def _of_list(self, task: ParseTask, rank: int, outcome: Outcome) -> Parse:
        """Return the parse of this rank of the list, 0 for the most probable."""
        # The list is written over by the next one, and the parse is still to be built from it.
        steps, chosen = self._ranker.steps(rank).copy(), self._ranker.chosen(rank).copy()
        return self._made(task, (steps,), chosen, float(self._ranker.log_probabilities[rank]), outcome)

    def _trace(self, task: ParseTask, outcome: Outcome, control: Control | None, most: int | None = None) -> Trace:
        """Fill the chart once more as the last pass did, keeping everything."""
        most = min(most or MOST_TRACED_EDGES, MOST_TRACED_EDGES)
        self._search.fill(task, outcome.threshold, outcome.beam, layout.RECORD_ALL, control, most_edges=most)
        return Trace(self.model.vocabulary, task.sentence, task.readings, self._search.chart, outcome)

    def _fragments(self, task: ParseTask, outcome: Outcome) -> Parse:
        """Return the best cover of the sentence by constituents, where no tree spans it."""
        chart = self._search.chart
        fragments = chart_kernel.cover(chart, task.size, FRAGMENT_PENALTY)
        score = math.fsum(float(chart.item_scores[item, layout.DONE]) for item in fragments)
        parse = self._parse(task, tuple(fragments), score, outcome)
        parse.fallback, parse.given_up = True, self._search.budget.is_exhausted
        return parse

    def _parse(self, task: ParseTask, items: Sequence[int], score: float, outcome: Outcome) -> Parse:
        """Return the parse made of these items of the chart, side by side."""
        chart = self._search.chart
        chosen = np.empty(task.size, np.int32)
        derivations = [
            chart_kernel.derivation(chart.items, chart.prefixes, task.arrays.readings, item, task.size, chosen)
            for item in items
        ]
        return self._made(task, tuple(derivations), chosen, score, outcome)

    def _made(
        self,
        task: ParseTask,
        derivations: tuple[Int32Array, ...],
        chosen: Int32Array,
        score: float,
        outcome: Outcome,
    ) -> Parse:
        sentence = task.sentence
        if task.distribution is not None:
            starts = task.arrays.reading_starts
            sentence = sentence.with_tags(
                (token, task.readings[position][chosen[position] - starts[position]][0])
                for position, token in enumerate(sentence.positions)
            )
        return Parse(
            self.model,
            self.settings,
            sentence,
            ChartConstituents(self.model, task.grammar.switches, task.arrays.readings, chosen, derivations),
            score,
            outcome.passes,
            outcome.beam,
            task.distribution,
            len(task.arrays.readings),
            task.further_backoff,
        )

    def _why_impossible(self, task: ParseTask, sentence: TaggedSentence | TagDistribution, outcome: Outcome) -> str:
        """Return which constraint, or which two, no parse obeys."""
        if self._search.budget.narrowed:
            return f"no such parse was found with β = {outcome.beam:.3g}; to search further is too much work"

        def possible(chosen: Sequence[Constraint]) -> bool:
            read = read_sentence(self.settings, sentence, chosen)
            part = parse_task(self.model, self.settings, read, task.further_backoff)
            found = self._search.run(part, layout.RECORD_NOTHING, None, True)
            return found.best >= 0

        return why_impossible(task.sentence, task.constraints, possible)


def _further_backoff(value: int) -> FurtherBackoff:
    """Return how far to back off; raise :class:`EngineError` for what is no such thing."""
    return FurtherBackoff(whole(value, 0, max(FurtherBackoff), "further back-off"))
