"""What can be compared (best parse, gold, n-th best, what-if, other settings), and comparing two sides in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.search import Control
from engine.common.errors import EngineError
from engine.common.numbers import beam_text, ordinal
from engine.explain.context import Compared
from engine.explain.differences import difference_name
from engine.explain.verdicts import GOLD_TREE, comparison_headline, parseval_text, tree_sentences, verdict_headline
from engine.explain.wording import MOST_REASONS, Headline, capital
from engine.model.model import Model
from engine.patterns.search import Found
from engine.settings import PRESETS, FurtherBackoff, Settings
from engine.structure.constraints import Constraint
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.comparison import LedgerDifference, TreeComparison, compare_trees, difference_of
from engine.study.errors import ParseError, classify_errors
from engine.study.foreign_trees import judge_tree
from engine.study.provenance import GIVEN, Provenance, automatic_tags
from engine.study.provenance import GOLD as GOLD_TAGS
from engine.study.verdicts import Verdict, verdict
from engine.tagger.tagger import TagDistribution
from engine.text.input import is_tree
from engine.trees.tree import Tree
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.facts import facts_of
from explorer.session.document import Document, Reading, read_line
from explorer.session.parsing import ParserPool

# What can be compared: a class for each kind of side tells what it is called, and under what and how it is parsed.

BEAMS = (3.0, 20.0, 150.0, 1000.0, 1e6)
_ORDINALS = {2: "second", 3: "third"}
"""What is written out; others have digits."""


class Asked(NamedTuple):
    """What one side is parsed from, by whom; a tree is scored with as much `further_backoff` as the other side."""

    parser: Parser
    sentence: TaggedSentence | TagDistribution
    gold: Tree | None
    other: Tree | None
    what_ifs: tuple[Constraint, ...]
    further_backoff: FurtherBackoff
    control: Control


@dataclass(frozen=True)
class Side:
    """One of the two that are compared: what all kinds have in common."""

    is_parsers_own: ClassVar[bool] = True
    """Whether it is what a parser likes best, so that a verdict can be given on it."""
    is_of_some_sentences: ClassVar[bool] = False
    """Whether one sentence has it and another has not."""
    _words: ClassVar[tuple[str, str]]
    """What it is called, alone and within a sentence."""

    @property
    def title(self) -> str:
        """What to call it."""
        return self._words[0].format(self._shown)

    @property
    def phrase(self) -> str:
        """What to call it within a sentence."""
        return self._words[1].format(self._shown)

    @property
    def _shown(self) -> str:
        return ""

    def name(self, shown: Parse, free: Parse) -> str:
        """What to call it where there is room: also by what differs from the best of the `free` parses."""
        return self.title

    def model_file(self, document: Document) -> str:
        """The file of its model; empty where it is the one in use."""
        return ""

    def asked(self, document: Document) -> Document:
        """The document as it is parsed: with its model, preset and settings."""
        return document

    def read(self, document: Document, model: Model, reading: Reading) -> TaggedSentence | TagDistribution:
        """The sentence with the tags that it is parsed with."""
        return reading.sentence

    def parse(self, asked: Asked) -> Parse:
        """Parse the sentence; raise :class:`EngineError` in one sentence where it has no such side."""
        return asked.parser.parse(asked.sentence, control=asked.control)

    def provenance(self, document: Document, model: Model, reading: Reading) -> Provenance:
        """Under what it is parsed, or if it is a tree, scored."""
        asked = self.asked(document)
        tags = automatic_tags(asked.settings)
        if isinstance(reading.sentence, TaggedSentence):
            tags = GOLD_TAGS if is_tree(document.line.text) else GIVEN
        return asked.provenance(model, tags)


class BestParse(Side):
    """What the model likes best, without what-ifs."""

    _words = "Model’s best", "the model’s best"


class TreeSide(Side):
    """A tree that is there already, and is only scored."""

    is_parsers_own = False

    def parse(self, asked: Asked) -> Parse:
        """Score the tree."""
        distribution = asked.sentence if isinstance(asked.sentence, TagDistribution) else None
        return gold_parse(asked.parser, self._tree(asked), distribution, asked.further_backoff)

    def _tree(self, asked: Asked) -> Tree:
        raise NotImplementedError


class GoldTree(TreeSide):
    """The gold tree."""

    is_of_some_sentences = True
    _words = "Gold tree", GOLD_TREE

    def _tree(self, asked: Asked) -> Tree:
        if asked.gold is None:
            raise EngineError("the sentence has no gold tree; paste one, or take a parse for gold")
        return asked.gold


@dataclass(frozen=True)
class OtherTree(TreeSide):
    """The tree of another parser."""

    parser: str
    _words = "{}", "the tree of {}"

    @property
    def _shown(self) -> str:
        return self.parser

    def _tree(self, asked: Asked) -> Tree:
        if asked.other is None:
            raise EngineError(f"{self.parser} has no tree of this sentence; choose another to compare with")
        return asked.other


class WhatIfParse(Side):
    """The best parse under the what-ifs of the sentence."""

    is_parsers_own = False
    is_of_some_sentences = True
    _words = "What-if", "the what-if"

    def name(self, shown: Parse, free: Parse) -> str:
        """With what the what-ifs bring about."""
        return f"{self.title}: {difference_name(shown, free)}"

    def parse(self, asked: Asked) -> Parse:
        """Parse under the what-ifs."""
        return asked.parser.parse(asked.sentence, constraints=asked.what_ifs, control=asked.control)


@dataclass(frozen=True)
class RankedParse(Side):
    """One of the best parses but the first."""

    rank: int
    is_parsers_own = False
    is_of_some_sentences = True
    _words = "{} best", "the {} best"

    @property
    def title(self) -> str:
        """By its rank."""
        return capital(super().title)

    @property
    def _shown(self) -> str:
        return _ORDINALS.get(self.rank) or ordinal(self.rank)

    def name(self, shown: Parse, free: Parse) -> str:
        """With what it has otherwise than the best."""
        parses = free.alternatives
        if self.rank > len(parses):
            return self.title
        return f"{self.title}: {difference_name(parses[self.rank - 1], parses[0])}"

    def parse(self, asked: Asked) -> Parse:
        """Find as many parses, of which it is the last."""
        found = asked.parser.parse(asked.sentence, n_best=self.rank, control=asked.control).alternatives
        if len(found) < self.rank:
            raise EngineError(f"the sentence has only {len(found)} different parses under these settings")
        return found[self.rank - 1]


@dataclass(frozen=True)
class BeamParse(Side):
    """What the model likes best under another β."""

    beam: float
    _words = "β = {}", "the parse with β = {}"

    @property
    def _shown(self) -> str:
        return beam_text(self.beam)

    def asked(self, document: Document) -> Document:
        """With this β."""
        return replace(document, settings=replace(document.settings, beam=self.beam))


@dataclass(frozen=True)
class PresetParse(Side):
    """What the model likes best under another preset."""

    preset: int
    _words = "Preset ({})", "the parse under preset ({})"

    @property
    def _shown(self) -> str:
        return str(self.preset)

    def asked(self, document: Document) -> Document:
        """With this preset."""
        return document.with_preset(self.preset)


@dataclass(frozen=True)
class ModelParse(Side):
    """What another model likes best."""

    file: str
    _words = "Model {}", "the parse of the model {}"

    @property
    def _shown(self) -> str:
        return Path(self.file).stem

    def model_file(self, document: Document) -> str:
        """The model's file."""
        return self.file

    def asked(self, document: Document) -> Document:
        """With this model."""
        return document.with_model(self.file)


@dataclass(frozen=True)
class SystemParse(Side):
    """What a parser likes best whose model, preset, settings and tags are all its own."""

    system: str
    model: str
    preset: int
    settings: Settings
    gold_tags: bool = True
    _words = "{}", "the parse of {}"

    @property
    def _shown(self) -> str:
        return self.system

    def model_file(self, document: Document) -> str:
        """The model's file, if it is another one."""
        return "" if self.model == document.model and not document.live else self.model

    def asked(self, document: Document) -> Document:
        """With all its own."""
        whole = document.with_model(self.model) if self.model_file(document) else document
        return replace(whole, preset=self.preset, settings=self.settings)

    def read(self, document: Document, model: Model, reading: Reading) -> TaggedSentence | TagDistribution:
        """With gold tags, or those of its model's tagger."""
        return read_line(document.line.text, model, self.gold_tags).sentence

    def provenance(self, document: Document, model: Model, reading: Reading) -> Provenance:
        """With these tags."""
        automatic = not self.gold_tags and model.tagger is not None
        return self.asked(document).provenance(model, automatic_tags(self.settings) if automatic else GOLD_TAGS)


def sides(document: Document, gold: bool, ranks: int, models: Sequence[str], others: Sequence[str] = ()) -> list[Side]:
    """All sides that there are for the sentence that is shown; `others` names the parsers that have a tree of it."""
    found: list[Side] = [BestParse()]
    if gold:
        found.append(GoldTree())
    found += map(OtherTree, others)
    if document.line.what_ifs:
        found.append(WhatIfParse())
    found += map(RankedParse, range(2, ranks + 1))
    found += [BeamParse(beam) for beam in BEAMS if beam != document.settings.beam]
    found += [PresetParse(number) for number in PRESETS if number != document.preset]
    found += [ModelParse(file) for file in models if document.live or file != document.model]
    return found


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


@dataclass(frozen=True)
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
    def sentence(self) -> str:
        """The sentence that is compared, as a person reads it."""
        return " ".join(facts_of(self.first).tokens)

    @property
    def titles(self) -> tuple[str, str]:
        """What to call the two."""
        return self.request.first.title, self.request.second.title

    @property
    def names(self) -> tuple[str, str]:
        """The same where there is room, with what differs from the best."""
        return self.request.names

    @property
    def gold(self) -> Parse | None:
        """The gold tree, if it is one of the two."""
        if isinstance(self.request.second, GoldTree):
            return self.second
        return self.first if isinstance(self.request.first, GoldTree) else None

    @cached_property
    def provenances(self) -> tuple[Provenance, Provenance]:
        """Under what each of the two was parsed."""
        request = self.request
        return (
            request.first.provenance(request.document, request.first_model, self.reading),
            request.second.provenance(request.document, request.second_model, self.reading),
        )

    @property
    def provenance(self) -> str:
        """The same in one line, or one for each where they differ."""
        first, second = self.provenances
        if first == second:
            return str(first)
        return f"{self.titles[0]}: {first}\n{self.titles[1]}: {second}"

    @cached_property
    def headline(self) -> Headline:
        """The headline of the verdict, or what the two are to each other."""
        if self.verdict is not None:
            return verdict_headline(self.verdict)
        told = comparison_headline(self.first, self.second, self.titles)
        # What our model says of another parser's tree comes first among the reasons.
        return replace(told, reasons=(*self.judgement, *told.reasons)[:MOST_REASONS])

    @cached_property
    def compared(self) -> Compared:
        """What the pages on the verdict and the errors are made of."""
        return Compared(
            self.headline,
            self.titles,
            parseval_text(self.trees),
            self.mistakes,
            self.trees.second.words,
            self.request.second.phrase,
            self.verdict,
            judging=not self.full,
        )

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
    if found.gold is not second or not request.first.is_parsers_own or reading.gold is None:
        return replace(found, full=True)
    on_quick(found)
    parser = parsers.parser(request.first_model, request.first.asked(document).settings)
    sentence = request.first.read(document, request.first_model, reading)
    judged = verdict(parser, reading.gold, first, sentence=sentence, control=control)
    return replace(found, verdict=judged, full=True)


def _sides(request: ComparisonRequest, reading: Reading, parsers: ParserPool, control: Control) -> tuple[Parse, Parse]:
    """Both parses; a gold tree, or another parser's, is scored by the estimates of the other one."""
    document = request.document
    both = (request.first, request.first_model), (request.second, request.second_model)
    found: dict[int, Parse] = {}
    further = FurtherBackoff.NONE
    for place in sorted((0, 1), key=lambda place: isinstance(both[place][0], TreeSide)):
        side, model = both[place]
        parser = parsers.parser(model, side.asked(document).settings)
        sentence = parser.prepare(side.read(document, model, reading))
        asked = Asked(parser, sentence, reading.gold, request.trees[place], document.line.what_ifs, further, control)
        found[place] = side.parse(asked)
        further = found[place].further_backoff
    return found[0], found[1]
