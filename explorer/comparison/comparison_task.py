"""Comparing in a worker: two parses, their trees, ledgers and errors at once, then the verdict.

Every number comes from the engine; here is only what is asked of it, and in which order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.analysis.comparison import ParseError, TreeComparison, Verdict, compare_trees, verdict
from engine.analysis.comparison.error_classes import classify_errors
from engine.analysis.comparison.ledger_differences import LedgerDifference, difference_of
from engine.analysis.systems import judge_tree
from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.evaluation.provenance import Provenance
from engine.model.model import Model
from engine.settings import FurtherBackoff
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.trees.tree import Tree
from explorer.comparison.comparison_sides import GOLD, OTHER, RANK, WHAT_IF, Side
from explorer.document.document import Document
from explorer.document.input_reading import Reading, read_line
from explorer.document.sentence_parsing import ParserPool
from explorer.graphics.pictures.found_marks import FoundMatch
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.treebank.gold_parse import gold_parse


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """What is to be compared.

    Attributes
    ----------
    model, document
        As they are now.
    first, second
        The two sides.
    first_model, second_model
        Their models, the document's but for another one.
    names
        What to call the two where there is room: one of the n best, and a what-if, also by what differs from the best.
    trees
        Of each side that is another parser's its tree.
    """

    model: Model
    document: Document
    first: Side
    second: Side
    first_model: Model
    second_model: Model
    names: tuple[str, str]
    trees: tuple[Tree | None, Tree | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two parses of a sentence, and how they differ.

    Attributes
    ----------
    request
        What was asked.
    reading
        How the sentence was read.
    first, second
        The parses.
    trees
        Constituents and dependencies in both and in one alone.
    difference
        Factor against factor, second minus first; ``None`` where a side is a cover of fragments.
    mistakes
        What the first got wrong if the second is right.
    verdict
        Why the first is not the gold tree, if it is a parser's best and the second is gold.
    judgement
        Of another parser's tree: what our model says of it, a sentence each.
    full
        Whether this is all there is to come.
    found
        What a search by structure found in the sentence, which pictures mark.
    """

    request: ComparisonRequest
    reading: Reading
    first: Parse
    second: Parse
    trees: TreeComparison
    difference: LedgerDifference | None
    mistakes: tuple[ParseError, ...]
    verdict: Verdict | None = None
    judgement: tuple[str, ...] = ()
    full: bool = False
    found: FoundMatch | None = None

    @property
    def titles(self) -> tuple[str, str]:
        """What to call the two."""
        return self.request.first.title, self.request.second.title

    @property
    def names(self) -> tuple[str, str]:
        """The same where there is room, with what differs from the best."""
        return self.request.names

    @property
    def provenances(self) -> tuple[Provenance, Provenance]:
        """Under what each of the two was parsed."""
        request, sentence = self.request, self.reading.sentence
        return (
            request.first.provenance(request.document, request.first_model, sentence),
            request.second.provenance(request.document, request.second_model, sentence),
        )

    @property
    def provenance(self) -> str:
        """The same in one line, or one for each where they differ."""
        first, second = self.provenances
        if first == second:
            return str(first)
        return f"{self.titles[0]}: {first}\n{self.titles[1]}: {second}"

    @property
    def same_settings(self) -> bool:
        """Whether both are scored by one model under the same settings, so that their factors mean the same."""
        return (
            self.first.model is self.second.model and self.first.settings.switches() == self.second.settings.switches()
        )


def compare(
    request: ComparisonRequest, parsers: ParserPool, control: Control, on_quick: Callable[[Comparison], None]
) -> Comparison:
    """Compare two parses.

    Parameters
    ----------
    request
        What to compare.
    parsers
        Those of this thread.
    control
        Stops the searches from another thread.
    on_quick
        Called with everything but the verdict, as soon as it is there.

    Raises
    ------
    EngineError
        In one sentence: a side cannot be had, or the two have different words.
    """
    document = request.document
    reading = read_line(document.line.text, request.model, document.gold_tags)
    first, second = _sides(request, reading, parsers, control)
    for one in (first, second):
        _ = facts_of(one).arrows
    held_against = request.second.kind if request.second.kind == GOLD else request.second.phrase
    found = Comparison(
        request,
        reading,
        first,
        second,
        compare_trees(first.tree, second.tree, request.first_model.rules),
        None if first.fallback or second.fallback else difference_of(first.ledger(), second.ledger()),
        tuple(classify_errors(first.tree, second.tree, held_against)),
    )
    other = next((tree for tree in request.trees if tree is not None), None)
    if other is not None:
        on_quick(found)
        parser = parsers.parser(request.model, document.settings)
        judgement = judge_tree(parser, other, gold=reading.gold, sentence=reading.sentence, control=control)
        return replace(found, judgement=judgement.sentences, full=True)
    if request.second.kind != GOLD or not request.first.is_parsers_own or reading.gold is None:
        return replace(found, full=True)
    on_quick(found)
    parser = _parser(request.first, request.first_model, request, parsers)
    sentence = sentence_of(request.first, request.first_model, request, reading)
    judged = verdict(parser, reading.gold, first, sentence=sentence, control=control)
    return replace(found, verdict=judged, full=True)


def _sides(request: ComparisonRequest, reading: Reading, parsers: ParserPool, control: Control) -> tuple[Parse, Parse]:
    """Both parses; a gold tree, or another parser's, is scored by the estimates of the other one."""
    sides = list(
        zip((request.first, request.second), (request.first_model, request.second_model), request.trees, strict=True)
    )
    found: dict[int, Parse] = {}
    further = FurtherBackoff.NONE
    for place in sorted((0, 1), key=lambda place: sides[place][0].is_tree):
        side, model, tree = sides[place]
        found[place] = _parse(side, model, tree, request, reading, parsers, control, further)
        further = found[place].further_backoff
    return found[0], found[1]


def _parser(side: Side, model: Model, request: ComparisonRequest, parsers: ParserPool) -> Parser:
    return parsers.parser(model, side.settings(request.document))


def sentence_of(
    side: Side, model: Model, request: ComparisonRequest, reading: Reading
) -> TaggedSentence | TagDistribution:
    """What a side parses: the sentence as it was read, or for a parser of its own with the tags that it has."""
    if side.system is None:
        return reading.sentence
    return read_line(request.document.line.text, model, side.system.gold_tags).sentence


def _parse(
    side: Side,
    model: Model,
    tree: Tree | None,
    request: ComparisonRequest,
    reading: Reading,
    parsers: ParserPool,
    control: Control,
    further_backoff: FurtherBackoff,
) -> Parse:
    parser = _parser(side, model, request, parsers)
    sentence = parser.prepare(sentence_of(side, model, request, reading))
    if side.kind == GOLD:
        tree = reading.gold
        if tree is None:
            raise EngineError("the sentence has no gold tree; paste one, or take a parse for gold")
    elif side.kind == OTHER and tree is None:
        raise EngineError(f"{side.name} has no tree of this sentence; choose another to compare with")
    if tree is not None:
        distribution = sentence if isinstance(sentence, TagDistribution) else None
        return gold_parse(parser, tree, distribution, further_backoff)
    if side.kind == RANK:
        rank = int(side.number)
        found = parser.parse(sentence, n_best=rank, control=control).alternatives
        if len(found) < rank:
            raise EngineError(f"the sentence has only {len(found)} different parses under these settings")
        return found[rank - 1]
    what_ifs = request.document.line.what_ifs if side.kind == WHAT_IF else ()
    return parser.parse(sentence, constraints=what_ifs, control=control)
