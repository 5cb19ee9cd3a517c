"""Searching the list by structure, in a worker: trees are read, sentences parsed where they must be, some at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.common.errors import EngineError
from engine.model.model import Model
from engine.patterns import Match, MatchedNode, Pattern, lacking
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree
from engine.trees.tree_reading import read_tree
from explorer.document.document import Document, TextLine
from explorer.document.input_reading import gold_of
from explorer.document.list_parsing import find_status
from explorer.document.sentence_parsing import ParseRequest, ParserPool
from explorer.document.sentence_status import SentenceStatus
from explorer.graphics.pictures.found_marks import FoundNode
from explorer.laboratory.list_matches import EXTRA, GOLD, GOLD_TREE, MISSING, PARSE, PARSES, FoundSentence, ListMatch
from explorer.tasks.worker import Job

MOST_MATCHES = 200_000
"""Matches after which a search stops: nobody reads more, and a list of them takes memory."""
SEARCHED_TOGETHER = 24
"""Trees that are searched at once: more would be quicker, but the window would wait for them."""
_DELIVERED_EVERY = 0.15
"""Seconds after which what was found is shown."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for, where, and in which sentences.

    Attributes
    ----------
    pattern
        The pattern.
    place
        One of :data:`explorer.laboratory.list_matches.PLACES`.
    document, model
        The sentences with the settings under which they are parsed, and the model; without one only gold trees can be
        searched.
    statuses
        What is known of the sentences: parses that are up to date are taken from here.
    """

    pattern: Pattern
    place: str
    document: Document
    model: Model | None
    statuses: Mapping[TextLine, SentenceStatus]

    @property
    def rules(self) -> HeadRules | None:
        """The head rules of the model; without one the project's own are used."""
        return self.model.lexicaliser.rules if self.model is not None else None


@dataclass(slots=True)
class SearchPart:
    """What a search has found since it was last told.

    Attributes
    ----------
    matches, statuses
        Matches, and what became of sentences that had to be parsed.
    searched
        How many trees were searched in all.
    stopped
        Whether there are more matches than can be listed.
    """

    matches: list[ListMatch] = field(default_factory=list)
    statuses: dict[TextLine, SentenceStatus] = field(default_factory=dict)
    searched: int = 0
    stopped: bool = False


_Sentence = tuple[int, TextLine, Tree | None, Tree | None]
"""Number, sentence, gold tree and parse, as far as they are wanted."""


def search_list(job: Job, request: SearchRequest) -> SearchPart:
    """Search the list; parts are delivered as they are found, the last one is the result."""
    part = SearchPart()
    parses = _Parses(job, request)
    waiting: list[_Sentence] = []
    told, listed = time.perf_counter(), 0

    def search() -> None:
        part.matches += _matches(request, waiting)
        part.searched += len(waiting)
        waiting.clear()
        part.statuses.update(parses.new)
        parses.new.clear()
        part.stopped = listed + len(part.matches) >= MOST_MATCHES

    for sentence in _sentences(job, request, parses):
        waiting.append(sentence)
        late = time.perf_counter() - told > _DELIVERED_EVERY
        if len(waiting) < SEARCHED_TOGETHER and not late:
            continue
        search()
        if part.stopped:
            part.matches = part.matches[: MOST_MATCHES - listed]
            return part
        if late:
            job.deliver(part)
            told, listed = time.perf_counter(), listed + len(part.matches)
            part = SearchPart(searched=part.searched)
    search()
    return part


def _sentences(job: Job, request: SearchRequest, parses: _Parses) -> Iterator[_Sentence]:
    """Yield the sentences that have what is asked for."""
    lines = request.document.lines
    for number, line in enumerate(lines):
        job.report(number / len(lines), f"Searching {number + 1:,} of {len(lines):,}")
        job.take_turns()
        gold = _gold(line) if request.place != PARSES else None
        parse = parses.tree(line) if request.place != GOLD and (gold is not None or request.place == PARSES) else None
        if (gold is not None or request.place == PARSES) and (parse is not None or request.place == GOLD):
            yield number, line, gold, parse


def _gold(line: TextLine) -> Tree | None:
    try:
        return gold_of(line.text)
    except EngineError:
        return None


class _Parses:
    """The parses of sentences: those at hand, or new ones."""

    def __init__(self, job: Job, request: SearchRequest) -> None:
        self._job = job
        self._request = request
        self._parsers = ParserPool()
        model = request.model
        self._now = request.document.provenance(model) if model is not None else None
        self.new: dict[TextLine, SentenceStatus] = {}

    def tree(self, line: TextLine) -> Tree | None:
        """The parse of a sentence; ``None`` if it has none."""
        request = self._request
        status = request.statuses.get(line) or self.new.get(line)
        known = status is not None and bool(status.tree) and status.is_up_to_date(line, self._now)
        if not known and request.model is not None:
            asked = ParseRequest.of(request.document, request.model, line)
            status = self.new[line] = find_status(asked, self._parsers, self._job.control)
        return read_tree(status.tree) if status is not None and status.tree else None


def _matches(request: SearchRequest, sentences: Sequence[_Sentence]) -> list[ListMatch]:
    """The matches in some sentences."""
    golds = [gold for _, _, gold, _ in sentences if gold is not None]
    parses = [parse for _, _, _, parse in sentences if parse is not None]
    pattern, rules = request.pattern, request.rules
    trees, place = (parses, PARSE) if request.place in (PARSES, EXTRA) else (golds, GOLD_TREE)
    found: Iterator[Match]
    if request.place == MISSING:
        found = lacking(pattern, golds, parses, rules)
    elif request.place == EXTRA:
        found = lacking(pattern, parses, golds, rules)
    else:
        found = pattern.search(trees, rules)
    made: dict[int, FoundSentence] = {}
    matches = []
    for match in found:
        at = match.tree_number
        if at not in made:
            number, line, tree = sentences[at][0], sentences[at][1], trees[at]
            made[at] = FoundSentence(number, line, tuple(tree.words()), tree.brackets(), place)
        named = (_node(name, node) for name, node in match.captures.items())
        matches.append(ListMatch(made[at], (_node("", match), *named)))
    return matches


def _node(name: str, node: MatchedNode) -> FoundNode:
    return FoundNode(name, node.path, node.label, *node.span)
