"""Parse one sentence for the window: under a model, settings and what-ifs; no Qt."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.chart.trace import Trace
from engine.common.errors import Cancelled, ChartTooLarge, ConstraintError
from engine.estimates.ledger import Difference, Ledger
from engine.explain.context import ParseContext
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constraints import Constraint
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.provenance import GIVEN, GOLD, Provenance, automatic_tags
from engine.study.vote_shares import highest_scored
from engine.tagger.tagger import TagDistribution
from engine.text.input import is_tree
from explorer.pictures.facts import facts_of, look_up
from explorer.session.document import Document, Reading, TextLine, read_line

# Parse one sentence for the window: under a model, settings and what-ifs; no Qt.
#
# Done in a worker thread: the first, quick result is the chart where that is shown, and where a parse takes a while the
# parse alone; the full one has the n best and the chart, and a moment later the ledgers of all of them.

KEPT_PARSERS = 6
QUICK_SECONDS = 0.05
"""Seconds of a parse up to which it is not shown before its n best and chart, which are there a moment later."""
LONGEST_RANKED = 10.0
"""Seconds of a parse beyond which neither its n best are found nor its chart is kept: that would take as long again."""
MOST_EDGES = 1 << 21
"""Edges of a chart up to which it is kept; some hundred bytes each."""
MOST_PRICED = 12
"""What-ifs whose single prices are found; each costs one parse more."""


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """What is to be parsed, and how; of a tree with its own tags or (not `gold_tags`) from its words alone.

    `document` is the one that asks: it names model and preset.
    """

    model: Model
    settings: Settings
    line: TextLine
    n_best: int = 10
    gold_tags: bool = True
    document: Document = field(default_factory=Document, compare=False, repr=False)

    @classmethod
    def of(cls, document: Document, model: Model, line: TextLine) -> ParseRequest:
        """Return what a document asks about one of its sentences."""
        return cls(model, document.settings, line, gold_tags=document.gold_tags, document=document)

    def provenance(self, reading: Reading | None = None) -> Provenance:
        """Under what the sentence is judged; its tags are told from how it was read, where it could be."""
        tags = automatic_tags(self.settings)
        if reading is not None and isinstance(reading.sentence, TaggedSentence):
            tags = GIVEN if reading.gold is None else GOLD
        elif reading is None and is_tree(self.line.text):
            tags = ""
        return self.document.provenance(self.model, tags)


@dataclass(frozen=True, slots=True)
class ParseResult:
    """What the engine made of a sentence.

    Attributes
    ----------
    request
        What was to be parsed.
    reading
        How the line was read.
    parse
        The best parse that obeys the what-ifs.
    free
        The best parse without them; the same as `parse` if there are none.
    tagging
        What the model's tagger says of every word, given tags or not; ``None`` if it has no tagger.
    prices
        For every what-if by how much the score would rise without it, the others staying (``None``: not found).
    highest
        Where parses are chosen by expected F1 and another of the list has a higher score: that one; else ``None``.
    seconds
        Time of the quick parse, from sentence to tree.
    full
        Whether this is all there is to come: n best and chart too, unless the parse took too long for them.
    """

    request: ParseRequest
    reading: Reading
    parse: Parse
    free: Parse
    tagging: TagDistribution | None = None
    prices: tuple[float | None, ...] = ()
    seconds: float = 0.0
    full: bool = False
    highest: Parse | None = None
    _contexts: dict[int, ParseContext] = field(default_factory=dict, init=False, compare=False, repr=False)

    def context(self, parse: Parse | None = None) -> ParseContext:
        """Return the parse, or another one of this result, with all that explanations are made of; made once."""
        wanted = parse or self.parse
        found = self._contexts.get(id(wanted))
        if found is None:
            found = self._contexts[id(wanted)] = ParseContext(
                wanted,
                self.parse.alternatives,
                tagging=self.tagging,
                constraints=self.request.line.what_ifs,
                free=self.free,
                prices=self.prices,
                highest=self.highest,
                find_in_chart=lambda one: facts_of(one).in_chart,
            )
        return found

    def given(self, token: int) -> bool:
        """Return whether a token's tag was given, and not chosen by tagger or parser."""
        return self.context().given(token)

    def choices(self, token: int) -> tuple[tuple[str, float], ...]:
        """Return the tags that the tagger holds possible for a token with P(t|S), the most probable first."""
        return self.context().choices(token)

    @property
    def price(self) -> float:
        """Score of the parse less that of the free one: in log P, and under a re-ranker with its weights."""
        return self.context().price

    def moved(self) -> tuple[Difference, ...]:
        """Return what else the what-ifs changed: lines in which the two ledgers differ."""
        return self.context().moved

    def ledger(self, parse: Parse | None = None) -> Ledger:
        """Return the ledger of the parse, or of another one of this result."""
        return (parse or self.parse).ledger()

    @property
    def has_all_ledgers(self) -> bool:
        """Whether the ledgers of all the n best are at hand."""
        return all(one.has_ledger for one in self.parse.alternatives)


class ParserPool:
    """The parsers of one thread, by settings: a parser owns its working memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, Settings], Parser] = OrderedDict()

    def parser(self, model: Model, settings: Settings) -> Parser:
        """Return a parser for these settings, of those used last or a new one."""
        key = (id(model), settings)
        parser = self._kept.pop(key, None)
        if parser is None or parser.model is not model:
            parser = Parser(model, settings)
        self._kept[key] = parser
        while len(self._kept) > KEPT_PARSERS:
            self._kept.popitem(last=False)
        return parser


def parse_for_window(
    request: ParseRequest,
    parsers: ParserPool,
    control: Control,
    on_quick: Callable[[ParseResult], None],
    chart_first: bool = False,
    pause: Callable[[], None] = lambda: None,
) -> ParseResult:
    """Parse a sentence, and deliver what can be shown as soon as it is there.

    Parameters
    ----------
    request
        What to parse.
    parsers
        Those of this thread.
    control
        Stops the search from another thread.
    on_quick
        Called with the result without n best and chart as soon as it is there, if they take a while, and with the full
        result before the ledgers of all the n best are made.
    chart_first
        Whether the chart is shown: the quick result comes at once and has it.
    pause
        Called before each of the ledgers that nobody waits for.

    Raises
    ------
    EngineError
        In one sentence: the line cannot be read, or no parse obeys the what-ifs.
    Cancelled
        If the control asks to stop.
    """

    def check() -> None:
        if control.flag[0]:
            raise Cancelled("the work was cancelled")

    parser = parsers.parser(request.model, request.settings)
    reading = read_line(request.line.text, request.model, request.gold_tags)
    what_ifs = request.line.what_ifs
    check()
    sentence = parser.prepare(reading.sentence)
    started = time.perf_counter()
    parse = parser.parse(sentence, constraints=what_ifs, control=control)
    seconds = time.perf_counter() - started
    traced = not parse.sentence.positions or seconds > LONGEST_RANKED
    if chart_first and not traced:
        parse.chart = _trace(parser, control)
        traced = True
    free = parser.parse(sentence, control=control) if what_ifs else parse
    tagging = _tagging(request.model, reading)
    first = ParseResult(request, reading, parse, free, tagging, (None,) * len(what_ifs), seconds)
    if not parse.sentence.positions:
        return replace(first, full=True)
    if seconds > QUICK_SECONDS:
        # The inspector begins with it, also if all the rest is cancelled.
        parse.ledger()
        check()
    if parse.chart is not None:
        _ = facts_of(parse).chart
        on_quick(first)
    if seconds > QUICK_SECONDS:
        look_up(parse, check)
        on_quick(first)
    if seconds > LONGEST_RANKED:
        return _with_ledgers(replace(first, full=True), check)
    full = parser.parse(sentence, n_best=request.n_best, constraints=what_ifs, control=control)
    full.keep_chart(parse.chart if traced else _trace(parser, control))
    if parse.chart is not None:
        facts_of(full).take_chart(facts_of(parse))
    # What the pictures need is looked up here, off the GUI thread.
    look_up(full, check)
    for one in full.alternatives[1:] if full.chart is not None else ():
        facts_of(one).take_chart(facts_of(full))
    facts_of(free)
    made = replace(
        first,
        parse=full,
        highest=highest_scored(parser, sentence, full, what_ifs, control),
        free=free if what_ifs else full,
        prices=_prices(parser, sentence, what_ifs, full.score, control),
        full=True,
    )
    on_quick(made)

    def between() -> None:
        pause()
        check()

    return _with_ledgers(made, between)


def _with_ledgers(result: ParseResult, between: Callable[[], None]) -> ParseResult:
    """Make the ledgers of all the n best: the headline of the parse compares them, on the thread of the window."""
    for one in result.parse.alternatives:
        between()
        result.ledger(one)
    return result


def best_parse(request: ParseRequest, parsers: ParserPool, control: Control | None = None) -> tuple[Reading, Parse]:
    """Return how a line is read, and its best parse alone: what :func:`parse_for_window` begins with;
    errors are the same.
    """
    reading = read_line(request.line.text, request.model, request.gold_tags)
    parser = parsers.parser(request.model, request.settings)
    return reading, parser.parse(reading.sentence, constraints=request.line.what_ifs, control=control)


def _trace(parser: Parser, control: Control) -> Trace | None:
    """Return the chart of what was parsed last, unless it is too large to keep."""
    try:
        return parser.trace_last(control, MOST_EDGES)
    except ChartTooLarge:
        return None


def _tagging(model: Model, reading: Reading) -> TagDistribution | None:
    source = reading.sentence
    if isinstance(source, TagDistribution) and not source.given:
        return source
    return model.tag(reading.tagged.words) if model.tagger is not None else None


def _prices(
    parser: Parser,
    sentence: TaggedSentence | TagDistribution,
    what_ifs: tuple[Constraint, ...],
    score: float,
    control: Control,
) -> tuple[float | None, ...]:
    prices: list[float | None] = []
    for index in range(len(what_ifs)):
        others = what_ifs[:index] + what_ifs[index + 1 :]
        if index >= MOST_PRICED:
            prices.append(None)
            continue
        try:
            without = parser.parse(sentence, constraints=others, control=control)
        except ConstraintError:
            prices.append(None)
        else:
            prices.append(without.score - score)
    return tuple(prices)
