"""What can be compared (best parse, gold, n-th best, what-if, other settings), and comparing two sides in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.common.numbers import beam_text, ordinal
from engine.explain.verdicts import tree_sentences
from engine.model.model import Model
from engine.patterns.search import Found
from engine.settings import PRESETS, FurtherBackoff, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import LedgerDifference, TreeComparison, compare_trees, difference_of
from engine.study.errors import ParseError, classify_errors
from engine.study.provenance import GIVEN, Provenance, automatic_tags
from engine.study.provenance import GOLD as GOLD_TAGS
from engine.study.tree_judgement import judge_tree
from engine.study.verdicts import Verdict, verdict
from engine.tagger.tag_distribution import TagDistribution
from engine.text.input import is_tree
from engine.trees.tree import Tree
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.facts import facts_of
from explorer.session.document import Document
from explorer.session.lines import Reading, read_line
from explorer.session.parsing import ParserPool

# Another parser's trees of the sentences of the list, to hold against our parses and the gold trees; no Qt.


class OtherTrees:
    """The trees of one parser, found by the words of a sentence.

    A sentence of the list may be moved, or its gold tree be changed by hand; its words stay the same.

    Parameters
    ----------
    name
        What the parser is called.
    trees
        Its trees in the order of the sentences; ``None`` where it found none.
    """

    def __init__(self, name: str, trees: Sequence[Tree | None]) -> None:
        self.name = name
        self._trees = tuple(trees)
        self._places: dict[tuple[str, ...], list[int]] = {}
        for place, tree in enumerate(self._trees):
            if tree is not None:
                self._places.setdefault(tuple(tree.words()), []).append(place)

    @property
    def count(self) -> int:
        """How many sentences have a tree."""
        return sum(tree is not None for tree in self._trees)

    def find(self, words: Sequence[str], place: int) -> Tree | None:
        """The tree of a sentence; of several with the same words that at its `place`, if there is one."""
        places = self._places.get(tuple(words))
        return self._trees[place if place in places else places[0]] if places else None


# What can be compared: the model's best parse, the gold tree, the n-th best, a what-if, another β, preset or model.
#
# Beside these there are another parser's trees, and a parser whose model, settings and tags are all its own.

BEST, GOLD, WHAT_IF, RANK, BEAM, PRESET, MODEL = "best", "gold", "what-if", "rank", "beam", "preset", "model"
SYSTEM, OTHER = "system", "other"
BEAMS = (3.0, 20.0, 150.0, 1000.0, 1e6)
_ORDINALS = {2: "Second", 3: "Third"}
"""What is written out; others have digits."""


@dataclass(frozen=True, slots=True)
class SystemSettings:
    """Under what a parser of its own parses: the model's file, preset and settings, and whether with gold tags."""

    model: str
    preset: int
    settings: Settings
    gold_tags: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its kind, and the rank, β or preset, or a name.

    Attributes
    ----------
    kind
        What it is.
    number
        The rank, β or preset.
    name
        The model's file; what a parser of its own, or another parser, is called.
    system
        Under what a parser of its own parses.
    """

    kind: str
    number: float = 0.0
    name: str = ""
    system: SystemSettings | None = None

    @property
    def title(self) -> str:
        """What to call it."""
        match self.kind:
            case "best":
                return "Model’s best"
            case "gold":
                return "Gold tree"
            case "what-if":
                return "What-if"
            case "rank":
                rank = int(self.number)
                return f"{_ORDINALS.get(rank) or ordinal(rank)} best"
            case "beam":
                return f"β = {beam_text(self.number)}"
            case "preset":
                return f"Preset ({int(self.number)})"
            case "system" | "other":
                return self.name
        return f"Model {Path(self.name).stem}"

    @property
    def phrase(self) -> str:
        """What to call it within a sentence."""
        match self.kind:
            case "beam":
                return f"the parse with {self.title}"
            case "preset":
                return f"the parse under preset ({int(self.number)})"
            case "model":
                return f"the parse of the model {Path(self.name).stem}"
            case "system":
                return f"the parse of {self.name}"
            case "other":
                return f"the tree of {self.name}"
        return f"the {self.title[0].lower()}{self.title[1:]}"

    @property
    def is_parsers_own(self) -> bool:
        """Whether it is what a parser likes best, so that a verdict can be given on it."""
        return self.kind in (BEST, BEAM, PRESET, MODEL, SYSTEM)

    @property
    def is_tree(self) -> bool:
        """Whether it is a tree that is there already, and is only scored."""
        return self.kind in (GOLD, OTHER)

    def model_file(self, document: Document) -> str:
        """The file of its model; empty where it is the one in use."""
        file = self.name if self.kind == MODEL else self.system.model if self.system is not None else ""
        return "" if self.kind == SYSTEM and file == document.model and not document.live else file

    def provenance(self, document: Document, model: Model, sentence: TaggedSentence | TagDistribution) -> Provenance:
        """Under what it is parsed, or if it is a tree, scored."""
        file = self.model_file(document)
        asked = document.with_model(file) if file else document
        if self.system is not None:
            asked = replace(asked, preset=self.system.preset)
        if self.kind == PRESET:
            asked = document.with_preset(int(self.number))
        asked = replace(asked, settings=self.settings(document))
        tags = automatic_tags(asked.settings)
        if self.system is not None:
            tags = GOLD_TAGS if self.system.gold_tags or model.tagger is None else tags
        elif isinstance(sentence, TaggedSentence):
            tags = GOLD_TAGS if is_tree(document.line.text) else GIVEN
        return asked.provenance(model, tags)

    def settings(self, document: Document) -> Settings:
        """The settings under which it is parsed."""
        if self.system is not None:
            return self.system.settings
        if self.kind == BEAM:
            return replace(document.settings, beam=self.number)
        if self.kind == PRESET:
            return document.with_preset(int(self.number)).settings
        return document.settings


def sides(document: Document, gold: bool, ranks: int, models: Sequence[str], others: Sequence[str] = ()) -> list[Side]:
    """All sides that there are for the sentence that is shown; `others` names the parsers that have a tree of it."""
    found = [Side(BEST)]
    if gold:
        found.append(Side(GOLD))
    found += [Side(OTHER, name=name) for name in others]
    if document.line.what_ifs:
        found.append(Side(WHAT_IF))
    found += [Side(RANK, rank) for rank in range(2, ranks + 1)]
    found += [Side(BEAM, beam) for beam in BEAMS if beam != document.settings.beam]
    found += [Side(PRESET, number) for number in PRESETS if number != document.preset]
    found += [Side(MODEL, name=name) for name in models if document.live or name != document.model]
    return found


# Comparing in a worker: two parses, their trees, ledgers and errors at once, then the verdict.
#
# Every number comes from the engine; here is only what is asked of it, and in which order.


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
    found: Found | None = None

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
    found = Comparison(
        request,
        reading,
        first,
        second,
        compare_trees(first.tree, second.tree, request.first_model.rules),
        None if first.fallback or second.fallback else difference_of(first.ledger(), second.ledger()),
        tuple(classify_errors(first.tree, second.tree)),
    )
    other = next((tree for tree in request.trees if tree is not None), None)
    if other is not None:
        on_quick(found)
        parser = parsers.parser(request.model, document.settings)
        judgement = judge_tree(parser, other, gold=reading.gold, sentence=reading.sentence, control=control)
        return replace(found, judgement=tree_sentences(judgement), full=True)
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
