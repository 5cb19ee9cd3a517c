"""What is compared with what, and what came of it: between the session and the panels that show a comparison."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.analysis.comparison import WordPrices, attachment_prices
from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.estimates.factor_subjects import DependencySubject, RootSubject
from engine.estimates.ledger import Factor
from engine.structure.constraints import Attachment
from explorer.comparison.comparison_sides import BEST, GOLD, MODEL, RANK, WHAT_IF, Side, sides
from explorer.comparison.comparison_task import Comparison, Request, compare
from explorer.document.parse_service import Parsers
from explorer.document.session import Session
from explorer.document.session_tasks import in_a_sentence
from explorer.graphics.selection import modifier_of
from explorer.tasks.worker import Job

_FEWEST_RANKS = 2


class Compare(QObject):
    """Keeps a comparison of the sentence that is shown up to date while somebody looks.

    Signals
    -------
    changed
        Another comparison, or none, or why there is none.
    prices_changed
        The prices of some more words are known.
    """

    changed = Signal()
    prices_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.comparison: Comparison | None = None
        self.problem = ""
        self.prices: dict[int, WordPrices] = {}
        self.models: list[str] = []
        self._chosen: tuple[Side | None, Side | None] = (None, None)
        self._active = False
        self._pricing = False
        self._asked: object = None
        self._priced: Parse | None = None
        self._parsers, self._pricers = Parsers(), Parsers()
        session.answer_changed.connect(self.refresh)
        session.document_changed.connect(self.refresh)

    # What is compared

    def choices(self) -> list[Side]:
        """All sides that there are."""
        answer = self.session.answer
        ranks = len(answer.parse.alternatives) if answer is not None else 1
        return sides(self.session.document, self.session.gold is not None, ranks, self.models)

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two that are compared: those chosen, as far as the sentence has them."""
        there = self.choices()
        first, second = self._chosen
        if first is None or (first not in there and first.kind in (GOLD, WHAT_IF, RANK)):
            first = Side(BEST)
        if second is None or (second not in there and second.kind in (GOLD, WHAT_IF, RANK)):
            wanted = (Side(GOLD), Side(WHAT_IF), Side(RANK, _FEWEST_RANKS))
            second = next((side for side in wanted if side in there and side != first), Side(RANK, _FEWEST_RANKS))
        return first, second

    def choose(self, first: Side | None, second: Side | None) -> None:
        """Compare others; ``None`` for what suits the sentence."""
        self._chosen = (first, second)
        self.refresh()

    def set_active(self, active: bool) -> None:
        """Whether anybody looks; nothing is compared while nobody does."""
        if active != self._active:
            self._active = active
            if active:
                self.refresh()
            else:
                self.session.comparing.cancel()
                self.session.pricing.cancel()
                self._asked = self._priced = None

    def set_pricing(self, wanted: bool) -> None:
        """Whether anybody looks at prices."""
        self._pricing = wanted
        if wanted:
            self._find_prices()

    # What comes of it

    def refresh(self) -> None:
        """Compare, if there is something new to compare."""
        session = self.session
        model, answer = session.model, session.answer
        if not self._active:
            return
        if model is None or answer is None or not session.current or not answer.parse.sentence.positions:
            # The old comparison stays until the new sentence is parsed.
            if answer is None:
                self._show(None, "")
            return
        first, second = self.sides
        models = []
        for side in (first, second):
            found = session.other_model(side.name, self.refresh) if side.kind == MODEL else model
            if found is None:
                return
            models.append(found)
        document = session.document
        key = (
            document.settings, document.preset, document.line, document.gold_tags, first, second, *map(id, models)
        )  # fmt: skip
        if key == self._asked:
            return
        self._asked = key
        self._priced = None
        request = Request(model, document, first, second, models[0], models[1])

        def work(job: Job) -> Comparison:
            job.report(None, "Comparing")
            return compare(request, self._parsers, job.control, job.deliver)

        session.pricing.cancel()
        session.comparing.request(work, self._found, self._failed, partly=self._found)

    def _found(self, comparison: Comparison) -> None:
        self._show(comparison, "")
        if comparison.full:
            self._find_prices()

    def _failed(self, error: Exception) -> None:
        self._show(None, in_a_sentence(error))

    def _show(self, comparison: Comparison | None, problem: str) -> None:
        if comparison is None or self.comparison is None or comparison.first is not self.comparison.first:
            self.prices = {}
        self.comparison, self.problem = comparison, problem
        self.changed.emit()

    def _find_prices(self) -> None:
        comparison = self.comparison
        if not self._pricing or comparison is None or not comparison.full or comparison.first.fallback:
            return
        if self._priced is comparison.first:
            return
        self._priced = comparison.first
        side = comparison.request.first
        if not side.is_parsers_own:
            return
        settings = side.settings(comparison.request.document)

        def work(job: Job) -> None:
            parser = self._pricers.parser(comparison.first.model, settings)
            found = attachment_prices(parser, comparison.reading.sentence, comparison.first, control=job.control)
            for prices in found:
                job.report(None)
                job.deliver(prices)

        def partly(prices: WordPrices) -> None:
            self.prices[prices.modifier] = prices
            self.prices_changed.emit()

        def failed(error: Exception) -> None:
            self.session.message.emit(in_a_sentence(error), True)

        self.session.pricing.request(work, lambda _: self.prices_changed.emit(), failed, partly)

    @property
    def gold(self) -> Parse | None:
        """The gold tree, if it is one of the two."""
        comparison = self.comparison
        if comparison is None:
            return None
        if comparison.request.second.kind == GOLD:
            return comparison.second
        return comparison.first if comparison.request.first.kind == GOLD else None

    # What can be done about it

    def gold_attachment(self) -> Attachment | None:
        """The gold attachment to force: of the selected word, or of the word that matters most; ``None`` if none."""
        comparison, gold, parse = self.comparison, self.gold, self.session.parse
        if comparison is None or gold is None or parse is None:
            return None
        if gold.sentence.proper_words != parse.sentence.proper_words:
            # The comparison is still that of the sentence before.
            return None
        shown = parse.heads()
        wanted = {word: head for word, head in gold.heads().items() if shown.get(word) != head}
        word = modifier_of(self.session.selection)
        if word is not None and word in wanted:
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
            self.session.message.emit("Every attachment is that of the gold tree already", False)
        else:
            self.session.add_what_if(constraint)

    def use_repair(self) -> None:
        """Use the smallest change of β, of the threshold and of the list to re-rank that keeps the gold tree."""
        repair = self.comparison.verdict.repair if self.comparison is not None and self.comparison.verdict else None
        if repair is None:
            raise EngineError("no β and no list keeps the gold tree; the verdict says why")
        self.session.set_settings(**repair.changes())
