"""The state of a comparison: what is compared with what, and what came of it, kept up to date while it is shown."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.estimates.ledger import DependencySubject, Factor, RootSubject
from engine.explain.subjects import ErrorId, modifier_of
from engine.structure.constraints import Attachment
from engine.study.prices import WordPrices, attachment_prices
from engine.trees.tree import Tree
from explorer.compare.sides import (
    BestParse,
    Comparison,
    ComparisonRequest,
    GoldTree,
    OtherTree,
    OtherTrees,
    RankedParse,
    Side,
    WhatIfParse,
    compare,
    sides,
)
from explorer.kit.messages import Messages, error_text
from explorer.kit.state import Field, State, observed
from explorer.kit.tasks import Job, Worker
from explorer.session.editor import DocumentEditor
from explorer.session.parse_service import ParseService
from explorer.session.parsing import ParserPool
from explorer.session.view_state import ViewState

_FEWEST_RANKS = 2


class ComparisonState(State):
    """Keeps a comparison of the sentence that is shown up to date while it is in sight.

    Parameters
    ----------
    editor, view, parses, messages
        The document, the view state, the parses, and where messages are shown.

    Signals
    -------
    changed
        Another comparison, or none, or why there is none.
    prices_changed
        The prices of some more words are known.
    """

    changed = Signal()
    prices_changed = Signal()
    comparison: Field[Comparison | None] = observed(None, "changed", operator.is_)
    """The newest comparison; ``None`` if there is none."""
    problem = observed("", "changed")
    """Why there is no comparison, in one sentence."""

    def __init__(
        self,
        editor: DocumentEditor,
        view: ViewState,
        parses: ParseService,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._view = view
        self._parses = parses
        self._messages = messages
        self._comparing = Worker("compare", newest_only=True, parent=self)
        self._pricing = Worker("price", newest_only=True, parent=self)
        self._prices: dict[int, WordPrices] = {}
        self._models: Sequence[str] = ()
        self._others: dict[str, OtherTrees] = {}
        self._chosen: tuple[Side | None, Side | None] = (None, None)
        self._active = False
        self._prices_wanted = False
        self._asked: object = None
        self._priced: Parse | None = None
        self._parsers, self._price_parsers = ParserPool(), ParserPool()
        self._parses.result_changed.connect(self.refresh)
        self._editor.document_changed.connect(self.refresh)

    @property
    def prices(self) -> Mapping[int, WordPrices]:
        """The prices of other heads that are known, by word."""
        return self._prices

    @property
    def comparing(self) -> bool:
        """Whether a comparison is still to come."""
        return self._comparing.busy

    @property
    def pricing(self) -> bool:
        """Whether prices are still to come."""
        return self._pricing.busy

    @property
    def outdated(self) -> bool:
        """Whether the comparison is that of another sentence, model, settings or tags than those of now."""
        comparison, model = self.comparison, self._parses.model
        if comparison is None or model is None:
            return False
        then, now = comparison.request.document, self._editor.document
        return then.line != now.line or then.provenance(comparison.request.model) != now.provenance(model)

    def compare_again(self) -> None:
        """Compare what is shown now, where that was cancelled or failed."""
        self._asked = None
        self._parses.parse_again()
        self.refresh()

    def set_models(self, names: Sequence[str]) -> None:
        """Name the files of models that can be compared with."""
        self._models = names

    def attach(self, trees: OtherTrees) -> None:
        """Have another parser's trees to compare with, in place of those that it had."""
        self._others[trees.name] = trees
        self.refresh()
        self.changed.emit()

    def detach(self, name: str) -> None:
        """Forget another parser's trees."""
        if self._others.pop(name, None) is not None:
            self.refresh()
            self.changed.emit()

    @property
    def others(self) -> tuple[str, ...]:
        """The parsers whose trees there are."""
        return tuple(self._others)

    def _tree(self, side: Side) -> Tree | None:
        """Another parser's tree of the sentence that is shown."""
        result, trees = self._parses.result, self._others.get(side.parser) if isinstance(side, OtherTree) else None
        if result is None or trees is None:
            return None
        return trees.find(result.reading.tagged.words, self._editor.document.current)

    # What is compared

    def choices(self) -> list[Side]:
        """All sides that there are."""
        result = self._parses.result
        ranks = len(result.parse.alternatives) if result is not None else 1
        others = [name for name in self._others if self._tree(OtherTree(name)) is not None]
        return sides(self._editor.document, self._parses.gold is not None, ranks, self._models, others)

    def name(self, side: Side) -> str:
        """What to call a side: one of the n best, and a what-if, also by what differs from the best."""
        result = self._parses.result
        if result is None or not self._parses.is_current:
            return side.title
        return side.name(result.parse, result.free)

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two that are compared: those chosen, as far as the sentence has them."""
        there = self.choices()
        first, second = self._chosen
        if first is None or not self._is_there(first, there):
            first = BestParse()
        if second is None or not self._is_there(second, there):
            wanted = (GoldTree(), WhatIfParse())
            second = next((side for side in wanted if side in there and side != first), RankedParse(_FEWEST_RANKS))
        return first, second

    def _is_there(self, side: Side, there: Sequence[Side]) -> bool:
        """Whether a side can stay chosen; another parser's that has no tree of this very sentence says so."""
        if isinstance(side, OtherTree):
            return side.parser in self._others
        return side in there or not side.is_of_some_sentences

    def choose(self, first: Side | None, second: Side | None) -> None:
        """Compare others; ``None`` for what suits the sentence."""
        self._chosen = (first, second)
        self.refresh()

    def set_active(self, active: bool) -> None:
        """Compare from now on, or stop: nothing is compared while no comparison is in sight."""
        if active != self._active:
            self._active = active
            if active:
                self.refresh()
            else:
                self._comparing.cancel()
                self._pricing.cancel()
                self._asked = self._priced = None

    def set_pricing(self, wanted: bool) -> None:
        """Find prices from now on, or not: they are found while they are in sight."""
        self._prices_wanted = wanted
        if wanted:
            self._find_prices()

    # What comes of it

    def refresh(self) -> None:
        """Compare, if there is something new to compare."""
        model, result = self._parses.model, self._parses.result
        if not self._active:
            return
        if model is None or result is None or not self._parses.is_current or not result.parse.sentence.positions:
            # The old comparison stays until the new sentence is parsed.
            if result is None:
                self._show(None, "")
            return
        first, second = self.sides
        models = []
        for side in (first, second):
            file = side.model_file(self._editor.document)
            found = self._parses.models.find(file, self.refresh) if file else model
            if found is None:
                return
            models.append(found)
        document = self._editor.document
        trees = self._tree(first), self._tree(second)
        key = (
            document.settings, document.preset, document.line, document.gold_tags, first, second, *map(id, models),
            *map(id, trees),
        )  # fmt: skip
        if key == self._asked:
            return
        self._asked = key
        self._priced = None
        request = ComparisonRequest(
            model, document, first, second, models[0], models[1], (self.name(first), self.name(second)), trees
        )

        def work(job: Job) -> Comparison:
            job.report(None, "Comparing")
            return compare(request, self._parsers, job.control, job.deliver)

        self._pricing.cancel()
        self._comparing.request(work, self._found, self._failed, on_progress=self._found)

    def _found(self, comparison: Comparison) -> None:
        self._show(comparison, "")
        if comparison.full:
            self._find_prices()

    def _failed(self, error: Exception) -> None:
        self._show(None, error_text(error))

    def _show(self, comparison: Comparison | None, problem: str) -> None:
        if comparison is None or self.comparison is None or comparison.first is not self.comparison.first:
            self._prices = {}
        with self.together():
            self.comparison, self.problem = comparison, problem

    def _find_prices(self) -> None:
        comparison = self.comparison
        if not self._prices_wanted or comparison is None or not comparison.full or comparison.first.fallback:
            return
        if self._priced is comparison.first:
            return
        self._priced = comparison.first
        side = comparison.request.first
        priced = side.is_parsers_own or isinstance(side, OtherTree)
        if not priced or not math.isfinite(comparison.first.log_probability):
            return

        def work(job: Job) -> None:
            parse, document = comparison.first, comparison.request.document
            parser = self._price_parsers.parser(parse.model, side.asked(document).settings)
            sentence = side.read(document, parse.model, comparison.reading)
            found = attachment_prices(parser, sentence, parse, control=job.control)
            for prices in found:
                job.report(None)
                job.deliver(prices)

        def on_progress(prices: WordPrices) -> None:
            self._prices[prices.modifier] = prices
            self.prices_changed.emit()

        self._pricing.request(work, lambda _: self.prices_changed.emit(), self._messages.show_error, on_progress)

    # What can be done about it

    @property
    def selected_words(self) -> tuple[int, ...]:
        """The words, counted without punctuation, of the selected error or bracket; none of anything else."""
        comparison, id = self.comparison, self._view.selection
        error = comparison.compared.error(id) if comparison is not None and isinstance(id, ErrorId) else None
        if comparison is None or error is None or not isinstance(id, ErrorId):
            return ()
        over = error.bracket(id.bracket) or error
        return tuple(
            place for place, token in enumerate(comparison.trees.second.positions) if over.start <= token < over.end
        )

    @property
    def selected_word(self) -> int | None:
        """The word whose attachment the selection is about; of an error its first."""
        return next(iter(self.selected_words), modifier_of(self._view.selection))

    def gold_attachment(self) -> Attachment | None:
        """The gold attachment to force: of the selected word, or of the word that matters most; ``None`` if none."""
        comparison, parse = self.comparison, self._parses.shown
        gold = comparison.gold if comparison is not None else None
        if comparison is None or gold is None or parse is None:
            return None
        if gold.sentence.proper_words != parse.sentence.proper_words:
            # The comparison is still that of the sentence before.
            return None
        shown = parse.heads()
        wanted = {word: head for word, head in gold.heads().items() if shown.get(word) != head}
        about = (self.selected_word, *self.selected_words)
        if (word := next((one for one in about if one in wanted), None)) is not None:
            return Attachment(word, wanted[word])
        order: list[int] = []
        for row in comparison.difference.rows if comparison.difference is not None else ():
            match row.second or row.first:
                case Factor(subject=DependencySubject(modifier=modifier) | RootSubject(modifier=modifier)):
                    order.append(modifier)
        found = next((word for word in (*order, *wanted) if word in wanted), None)
        return Attachment(found, wanted[found]) if found is not None else None

    def force_gold(self) -> None:
        """Force the gold attachment as a what-if."""
        constraint = self.gold_attachment()
        if constraint is None:
            self._messages.show("Every attachment is that of the gold tree already")
        else:
            self._editor.add_what_if(constraint)

    def use_repair(self) -> None:
        """Use the smallest change of β, of the threshold and of the list to re-rank that keeps the gold tree."""
        repair = self.comparison.verdict.repair if self.comparison is not None and self.comparison.verdict else None
        if repair is None:
            raise EngineError("no β and no list keeps the gold tree; the verdict says why")
        self._editor.set_settings(**repair.changes())
