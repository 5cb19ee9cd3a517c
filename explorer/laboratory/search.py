"""Searching the list by structure, in a worker, and the matches: what is shown, counted and written to files."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.common.errors import EngineError
from engine.common.tables import CSV_DELIMITER, csv_text
from engine.model.model import Model
from engine.patterns.pattern import Match, Pattern, lacking
from engine.patterns.search import Found, MatchCounts, found_in
from engine.trees.head_rules import HeadRules
from engine.trees.reading import read_tree
from engine.trees.tree import Tree
from explorer.kit.tasks import Job
from explorer.session.document import Document, TextLine, gold_of
from explorer.session.parse_service import find_status
from explorer.session.parsing import ParseRequest, ParserPool
from explorer.session.statuses import SentenceStatus

# Matches of a pattern in the sentences of the list: what of them is shown, counted and written to files; no Qt.

GOLD, PARSES, MISSING, EXTRA = "gold", "parses", "missing", "extra"
PLACES = {
    GOLD: "Gold trees",
    PARSES: "Parses",
    MISSING: "Missing in the parses",
    EXTRA: "Extra in the parses",
}
"""Where a pattern is looked for, as the panel calls it."""
PLACE_TIPS = {
    GOLD: "In the gold trees of the list",
    PARSES: "In the parses of the list; a sentence that was not parsed yet is parsed first",
    MISSING: "Matches in the gold tree that the parse lacks; a sentence that was not parsed yet is parsed first",
    EXTRA: "Matches in the parse that the gold tree lacks; a sentence that was not parsed yet is parsed first",
}
GOLD_TREE, PARSE = "gold tree", "parse"
"""What the tree is in which something was found."""
_CONTEXT = 40
"""Words on either side of a match that are shown."""


@dataclass(frozen=True, slots=True)
class ListMatch:
    """One match in the list: the sentence, and what was found in its gold tree or its parse.

    The source of what was found says in which of the two, its line is the sentence's number in the list, from 1.
    """

    line: TextLine
    found: Found

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The sentence's number, the words before the match, those in it, those after it, and the named nodes."""
        words, (start, end) = self.found.sentence, self.found.node.span
        named = ";  ".join(f"{name}: {node.label} {' '.join(node.words)}" for name, node in self.found.named.items())
        before, after = words[max(0, start - _CONTEXT) : start], words[end : end + _CONTEXT]
        return f"{self.found.line:,}", " ".join(before), self.inside, " ".join(after), named

    @property
    def inside(self) -> str:
        """The words of the match."""
        return " ".join(self.found.node.words)

    @property
    def spoken(self) -> str:
        """The match as a sentence, for tips and screen readers."""
        found, named = self.found, self.cells[-1]
        named = f"; {named}" if named else ""
        return f"Sentence {found.line:,}, {found.source}: {found.node.label} ‘{self.inside}’{named}"


def matches_text(matches: Iterable[ListMatch], names: Sequence[str], delimiter: str = CSV_DELIMITER) -> str:
    """The matches as a table for spreadsheets: one row each, two columns for every name of the pattern."""
    header = ["sentence", "in", "label", "before", "match", "after"]
    header += [title for name in names for title in (f"{name} label", f"{name} words")]

    def row(found: Found) -> Iterator[str | int]:
        start, end = found.node.span
        yield from (found.line, found.source, found.node.label, " ".join(found.sentence[:start]))
        yield from (" ".join(found.node.words), " ".join(found.sentence[end:]))
        for name in names:
            node = found.named.get(name)
            yield from (node.label, " ".join(node.words)) if node is not None else ("", "")

    return csv_text(header, (list(row(match.found)) for match in matches), delimiter)


def counted(matches: Iterable[ListMatch], name: str, way: str) -> MatchCounts:
    """Counts of matches by what the node of a name is."""
    counts = MatchCounts([name], way)
    for match in matches:
        counts.add(match.found)
    return counts


def trees_text(matches: Iterable[ListMatch]) -> str:
    """The trees in which something was found, each once, one on a line."""
    trees = dict.fromkeys((match.found.line, match.found.tree) for match in matches)
    return "".join(f"{tree}\n" for _, tree in trees)


# Searching the list by structure, in a worker: trees are read, sentences parsed where they must be, some at a time.

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
        One of :data:`explorer.laboratory.search.PLACES`.
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
    lines = {number + 1: line for number, line, _, _ in sentences}
    places = [(place, number) for number in lines]
    return [ListMatch(lines[one.line], one) for one in found_in(found, places, with_trees=True)]
