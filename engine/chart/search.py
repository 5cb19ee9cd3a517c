"""Running the chart: what it is given, its memory, the work a sentence may be, passes of the threshold and of the beam
(sections 3 and 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Chart, Grammar, SentenceArrays
from engine.common.arrays import FloatArray, Int32Array, Int64Array, UInt8Array
from engine.common.errors import Cancelled, ChartTooLarge
from engine.counts.contexts import context_features
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import Counts, Switches
from engine.counts.specifications_layout import CONTEXT_FIELDS
from engine.estimates.estimates_layout import MOST_ROWS, SEEN_COLUMNS
from engine.estimates.sentence import word_numbers
from engine.model.model import Model
from engine.settings import FurtherBackoff, Settings
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED
from engine.structure.constraints import (
    ROOT_HEAD,
    Attachment,
    BaseSpan,
    Bracket,
    Constraint,
    FixedTag,
    GapTag,
    describe_constraint,
    retag,
)
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.distance import VERB_TAGS
from engine.structure.sentence_layout import NO_LABEL
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import Readings, TagDistribution
from engine.trees.head_rules import COORDINATORS

# What the chart is given: the grammar of a model, and one sentence in numbers with its readings and its constraints
# (section 3).

# Constraints that no parse can obey: which one it is, or which two rule each other out, and why.


def why_impossible(
    sentence: TaggedSentence, constraints: Sequence[Constraint], possible: Callable[[Sequence[Constraint]], bool]
) -> str:
    """Return why no parse obeys the constraints, in a clause.

    Parameters
    ----------
    sentence
        What is to be parsed.
    constraints
        What its parse was to obey.
    possible
        Whether there is a parse that obeys some of them.
    """
    if not possible(()):
        return "no parse meets the constraints: under these settings no tree spans the sentence at all"
    for constraint in constraints:
        if not possible((constraint,)):
            return f"no parse has {describe_constraint(constraint, sentence)}{_reason(sentence, constraint)}"
    for index, first in enumerate(constraints):
        for second in constraints[index + 1 :]:
            if not possible((first, second)):
                both = f"{describe_constraint(first, sentence)} and {describe_constraint(second, sentence)}"
                return f"no parse has both {both}, because each rules out the other"
    return "no parse meets the constraints: together they rule out every tree"


def _reason(sentence: TaggedSentence, constraint: Constraint) -> str:
    if not isinstance(constraint, Attachment) or constraint.forbid or constraint.head == ROOT_HEAD:
        return ", because every tree with it has probability 0"
    tags = sentence.proper_tags
    modifier, head = tags[constraint.modifier], tags[constraint.head]
    relation = f" as {constraint.relation}" if constraint.relation else ""
    return f", because in training no {modifier} modified {head}{relation} in a position that this sentence allows"


# Constraints as the chart reads them: what is allowed, demanded and forbidden, as arrays.

NEVER = -3
"""A number that no triple and no label has."""


def apply(constraints: Sequence[Constraint], arrays: SentenceArrays, model: Model) -> SentenceArrays:
    """Write constraints into the numbers that the chart reads."""
    size = len(arrays.commas)
    # Sentences of a length share these.
    arrays = arrays._replace(
        base_allowed=arrays.base_allowed.copy(),
        arrow_allowed=arrays.arrow_allowed.copy(),
        demands=arrays.demands.copy(),
    )
    forbidden_relations: list[tuple[int, int, int]] = []
    demanded: list[tuple[int, int, int]] = []
    forbidden: list[tuple[int, int, int]] = []
    for constraint in constraints:
        match constraint:
            case GapTag(position, tag, forbid):
                rows = arrays.gaps[arrays.gap_starts[position] : arrays.gap_starts[position + 1]]
                chosen = GAP_LETTERS.index(tag)
                rows[:, chosen if forbid else np.arange(5) != chosen] = -np.inf
            case BaseSpan(start, end, True):
                arrays.base_allowed[start, end - 1] = 0
            case BaseSpan(start, end):
                for first in range(end):
                    arrays.base_allowed[first, max(first, start) :] = 0
                arrays.base_allowed[start, end - 1] = 1
                arrays.demands[start:end, layout.WORD_FORBIDDEN] = 1
            case Attachment(modifier, head, relation, forbid):
                column = size if head == ROOT_HEAD else head
                triple = -1
                if relation is not None:
                    numbers = model.triple_numbers if head != ROOT_HEAD else model.root_numbers
                    triple = numbers.get(relation, NEVER)
                if forbid:
                    if relation is None:
                        arrays.arrow_allowed[modifier, column] = 0
                    else:
                        forbidden_relations.append((modifier, head, triple))
                else:
                    allowed = arrays.arrow_allowed[modifier, column]
                    arrays.arrow_allowed[modifier] = 0
                    arrays.arrow_allowed[modifier, column] = allowed
                    arrays.demands[modifier, layout.MUST_BE_REDUCED] = 1
                    if relation is not None:
                        before = arrays.demands[modifier, layout.DEMANDED_RELATION]
                        arrays.demands[modifier, layout.DEMANDED_RELATION] = triple if before in (-1, triple) else NEVER
                        if arrays.demands[modifier, layout.DEMANDED_RELATION] == NEVER:
                            arrays.arrow_allowed[modifier] = 0
            case Bracket(start, end, label, forbid):
                number = layout.ANY_LABEL if label is None else model.label_numbers.get(label, NEVER)
                (forbidden if forbid else demanded).append((start, end - 1, number))
                if not forbid:
                    # No baseNP may absorb the bracket.
                    allowed_here = arrays.base_allowed[start, end - 1]
                    arrays.base_allowed[: start + 1, end - 1 :] = 0
                    arrays.base_allowed[start, end - 1] = allowed_here
            case FixedTag():
                pass
    return arrays._replace(
        forbidden_relations=_rows(forbidden_relations),
        demanded_brackets=_rows(demanded),
        forbidden_brackets=_rows(forbidden),
    )


def _rows(rows: list[tuple[int, int, int]]) -> Int32Array:
    return np.array(rows, np.int32).reshape(-1, 3)


# A sentence in numbers: its readings, gaps and 'commas', as the chart parser wants them.

_NO_ROWS: Any = np.zeros((0, 3), np.int32)


def sentence_arrays(model: Model, grammar: Grammar, sentence: TaggedSentence, readings: Readings) -> SentenceArrays:
    """Return a sentence in numbers, with nothing demanded of its parse."""
    size = len(readings)
    number_of, unknown = model.tag_numbers.get, len(model.vocabulary.tags)
    tags = sentence.proper_tags
    flat = [one for choices in readings for one in choices]
    words: Sequence[int] = word_numbers(model, grammar.switches, sentence)
    positions: Iterable[int] = range(size)
    free = _free(size)
    starts, gap_starts = free.reading_starts, free.gap_starts
    if len(flat) > size:
        counts = np.array([len(choices) for choices in readings], np.int32)
        starts, gap_starts = np.zeros((2, size + 1), np.int32)
        np.cumsum(counts, out=starts[1:])
        np.cumsum(counts[1:] * counts[:-1], out=gap_starts[2:])
        positions = [position for position, choices in enumerate(readings) for _ in choices]
        words = [words[position] for position in positions]
    # One flat list is made into an array much sooner than rows of three.
    numbers = [*words, *[number_of(tag, unknown) for tag, _ in flat], *positions]
    arrays = free._replace(
        commas=np.array(sentence.commas, np.int32),
        readings=np.array(numbers, np.int32).reshape(3, len(flat)).T.copy(),
        reading_logs=np.array([math.log(probability) for _, probability in flat]),
        reading_starts=starts,
        gaps=np.zeros((max(int(gap_starts[-1]), 1), 5)),
        gap_starts=gap_starts,
        context_features=context_features(tags, [number_of(tag, unknown) for tag in tags], sentence.commas),
    )
    chart_kernel.fill_gaps(
        grammar.counts,
        grammar.switches,
        arrays.readings,
        starts,
        arrays.commas,
        arrays.context_features,
        gap_starts,
        arrays.gaps,
    )
    return arrays


@lru_cache(maxsize=128)
def _free(size: int) -> SentenceArrays:
    """Return what all sentences of a length have in common if nothing is demanded; one reading to a word.

    Made once for each length and shared: who demands something writes into copies
    (:func:`engine.structure.constraints.apply`).
    """
    demands = np.zeros((size, 3), np.int32)
    demands[:, layout.DEMANDED_RELATION] = -1
    starts = np.arange(size + 1, dtype=np.int32)
    return SentenceArrays(
        commas=_NO_ROWS,
        readings=_NO_ROWS,
        reading_logs=_NO_ROWS,
        reading_starts=starts,
        gaps=_NO_ROWS,
        gap_starts=np.maximum(starts - 1, 0),
        base_allowed=np.ones((size, size), np.uint8),
        arrow_allowed=np.ones((size, size + 1), np.uint8),
        demands=demands,
        forbidden_relations=_NO_ROWS,
        demanded_brackets=_NO_ROWS,
        forbidden_brackets=_NO_ROWS,
        context_features=_NO_ROWS,
    )


# The grammar: what a model knows, as the chart uses it (section 3).
#
# "There is no grammar as such": what may be joined is whatever was seen in training.

_PAPERS = Switches(0, 1, 0)
"""The switches of model (1), with which every grammar begins; with weighted counts, if these are asked for."""
_grammars: WeakKeyDictionary[Model, dict[Switches, Grammar]] = WeakKeyDictionary()
"""Grammars made so far, for as long as their models live."""


def grammar_of(model: Model, switches: Switches) -> Grammar:
    """Return what the kernels need of a model under these switches; made once."""
    made = _grammars.setdefault(model, {})
    if switches not in made:
        base = _PAPERS._replace(weighted=switches.weighted)
        if base not in made:
            made[base] = _base_grammar(model, base)
        grammar = made[base]._replace(switches=switches)
        if switches.unary_contexts:
            none, steps, levels = _unaries(model, grammar.counts, grammar.chain_starts, grammar.chain_links, True)
            grammar = grammar._replace(none=none, chain_steps=steps, unary_levels=levels)
        made[switches] = grammar
    return made[switches]


def _base_grammar(model: Model, switches: Switches) -> Grammar:
    counts = model.counts_under(switches)
    vocabulary, labels = model.vocabulary, model.label_numbers
    # One tag and label more than the model has stand for those it does not know.
    tags = [*vocabulary.tags, None]
    unknown = len(vocabulary.labels)
    starts, chain_labels, chain_next = _chain_tree(vocabulary, labels)
    links = np.stack([chain_labels, chain_next], axis=1)
    none, steps, _ = _unaries(model, counts, starts, links, False)
    searches, head_tags = _base_head_rules(model)
    triples = [[labels[label] for label in triple] for triple in vocabulary.triples]
    return Grammar(
        counts=counts,
        switches=switches,
        triples=np.array(triples or [[0] * 3], np.int32),
        tags=np.array(
            [[labels[tag] if tag is not None else unknown, tag in VERB_TAGS, tag in COORDINATORS] for tag in tags],
            np.int32,
        ),
        stacked=np.stack([_marked(model, STACKED), _marked(model, STACKED * 2), _visible(model)], axis=1),
        base_label=labels.get(BASE_LABEL, unknown),
        core_label=labels.get(CORE, NO_LABEL),
        none=none,
        chain_starts=starts,
        chain_links=links,
        chain_steps=steps,
        unary_levels=np.zeros((1, 1, 1)),
        head_searches=searches,
        head_tags=head_tags,
        between_classes=model.between_classes,
    )


def _unaries(
    model: Model, counts: Counts, chain_starts: Int32Array, chain_links: Int32Array, contexts: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """``none``, ``chain_steps`` and ``unary_levels`` of a :class:`Grammar`, with contexts to be mixed in or not."""
    tags, labels = len(model.vocabulary.tags) + 1, len(model.vocabulary.labels) + 1
    levels = np.zeros((tags, labels, labels))
    none = np.zeros((tags, labels))
    steps = np.full((tags, max(len(chain_links), 1)), -np.inf)
    chart_kernel.fill_unary_levels(counts, int(contexts), levels)
    chart_kernel.fill_unaries(levels, chain_starts, chain_links, none, steps)
    return none, steps, levels


def _marked(model: Model, mark: str) -> Int32Array:
    """For every label the number of its marked twin."""
    numbers = [model.label_numbers.get(label + mark, NO_LABEL) for label in model.vocabulary.labels]
    return np.array([*numbers, NO_LABEL], np.int32)


def _visible(model: Model) -> Int32Array:
    """For every label whether a printed tree shows it as a bracket."""
    tags = set(model.vocabulary.tags)
    shown = [label not in tags and not label.endswith((JOINED, STACKED)) for label in model.vocabulary.labels]
    return np.array([*shown, False], np.int32)


def _base_head_rules(model: Model) -> tuple[Int32Array, UInt8Array]:
    """Return the head rules of NP over tags, each candidate of an ordered search as a separate search.

    Searches that find nothing which those before them do not find are left out: a table of thousands of lines is no
    more work for the chart than its tags are.
    """
    searches: list[int] = []
    rows: list[list[bool]] = []
    tags = [*model.vocabulary.tags, None]
    # The tags that no search before has looked for: anywhere, and as that of the last word.
    anywhere, at_end = set(model.vocabulary.tags), set(model.vocabulary.tags)

    def add(search: int, candidates: tuple[str, ...]) -> None:
        new = (at_end if search == layout.SEARCH_LAST else anywhere).intersection(candidates)
        if new:
            searches.append(search)
            rows.append([tag in new for tag in tags])
            at_end.difference_update(new)
            if search != layout.SEARCH_LAST:
                anywhere.difference_update(new)

    for rule in model.rules.rules.get(BASE_LABEL, model.rules.rules["*"]):
        left = rule.search.startswith("left")
        if rule.search == "last":
            add(layout.SEARCH_LAST, rule.candidates)
        elif not rule.candidates:
            searches.append(layout.TAKE_LEFT if left else layout.TAKE_RIGHT)
            rows.append([False] * len(tags))
            break
        elif rule.search.endswith("any"):
            add(layout.SEARCH_LEFT if left else layout.SEARCH_RIGHT, rule.candidates)
        else:
            for candidate in rule.candidates:
                add(layout.SEARCH_LEFT if left else layout.SEARCH_RIGHT, (candidate,))
    return np.array(searches, np.int32), np.array(rows, np.uint8).reshape(len(rows), len(tags))


def _chain_tree(vocabulary: Vocabulary, labels: Mapping[str, int]) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Return the unary chains as a tree: nodes 0 to L are the labels themselves, deeper nodes the chains above them."""
    children: list[dict[int, int]] = [{} for _ in range(len(vocabulary.labels) + 1)]
    for chain in vocabulary.chains:
        node = labels[chain[0]]
        for label in chain[1:]:
            number = labels[label]
            if number not in children[node]:
                children[node][number] = len(children)
                children.append({})
            node = children[node][number]
    starts = np.zeros(len(children) + 1, np.int32)
    chain_labels: list[int] = []
    chain_next: list[int] = []
    for node, links in enumerate(children):
        for label_number, following in sorted(links.items()):
            chain_labels.append(label_number)
            chain_next.append(following)
        starts[node + 1] = len(chain_labels)
    return starts, np.array(chain_labels, np.int32), np.array(chain_next, np.int32)


# One sentence to parse: its words with the tags that they may have, in words and in numbers; its chart.


class ReadSentence(NamedTuple):
    """A sentence with the tags to choose among, where they come from if they are a part of the score, and demands."""

    sentence: TaggedSentence
    readings: Readings
    distribution: TagDistribution | None
    constraints: Sequence[Constraint]


@dataclass(frozen=True, slots=True)
class ParseTask:
    """One sentence to parse, and how far its estimates back off."""

    sentence: TaggedSentence
    readings: Readings
    distribution: TagDistribution | None
    constraints: Sequence[Constraint]
    further_backoff: FurtherBackoff
    grammar: Grammar
    arrays: SentenceArrays

    @property
    def size(self) -> int:
        """How many words there are, punctuation left out."""
        return len(self.readings)


class Forest(NamedTuple):
    """A filled chart, and what it was filled with; β is infinite for no beam."""

    grammar: Grammar
    arrays: SentenceArrays
    chart: Chart
    beam: float


def read_sentence(
    settings: Settings, sentence: TaggedSentence | TagDistribution, constraints: Sequence[Constraint] = ()
) -> ReadSentence:
    """Return the tags that a prepared sentence may have under these settings and constraints."""
    if isinstance(sentence, TagDistribution):
        if settings.tag_distribution:
            readings = sentence.readings(settings.tag_factor, constraints)
            sentence = sentence.with_forced(constraints)
            return ReadSentence(sentence.sentence, readings, sentence, constraints)
        sentence = sentence.sentence
    sentence = retag(constraints, sentence)
    return ReadSentence(sentence, [((tag, 1.0),) for tag in sentence.proper_tags], None, constraints)


def parse_task(model: Model, settings: Settings, read: ReadSentence, further_backoff: FurtherBackoff) -> ParseTask:
    """Return a sentence in numbers, with what is demanded of its parse."""
    grammar = grammar_of(model, settings.switches(further_backoff))
    arrays = sentence_arrays(model, grammar, read.sentence, read.readings)
    if read.constraints:
        arrays = apply(read.constraints, arrays, model)
    return ParseTask(*read, further_backoff, grammar, arrays)


# How much work a sentence may be: a pass that is too costly is done again with a narrower β (section 4.1).
#
# Work is counted in pairs of chart items that are looked at, not in seconds, so that every machine finds the same
# parse. Real sentences are far below the limit: in the dev part of GUM no preset needs an eighth of it.

MOST_WORK = 36_000_000
"""Pairs of chart items that one pass may look at: half a second or so, and at most 400 MB of recorded edges."""
MOST_FOREST_WORK = 200_000_000
"""How many pairs it may be for a chart that is to hold all parses of some probability, which has far fewer edges for
its pairs: three seconds or so.  Of 60 sentences of 35 to 60 words in the dev part of GUM none needs a fifth of it."""
MOST_TRACED_EDGES = 8_000_000
"""Edges that are kept, at most, where all are: 800 MB."""
MOST_ESTIMATES = 1 << 23
"""F̂ of pairs of words that are kept while a sentence is parsed, at most: 100 MB.

400 words at random are 130,000 in ``english``, but in a model that is made so two words may have a thousand relations.
"""
_WIDEST_LOG = 24.0
"""Log β from which one that is without end is narrowed."""
_LEAST_FACTOR, _MOST_FACTOR = 0.4, 0.7
"""By which log β is multiplied, at least and at most."""
_MOST_NARROWINGS = 4
"""After so many β is the narrowest: where all items are equally probable each narrower one is as much work."""
NARROWEST_BEAM = 1.5
"""No β is made narrower: the narrowest of the paper's Table 5 but one."""
LAST_TIMES = 2
"""How many times the work of another pass the last one may do.  What it has found by then are fragments; nothing of a
forest is used.

No sentence is known that needs it with the counts of a treebank, but a model may be made so.
"""


class WorkBudget:
    """The work that the passes of a sentence may be, and the widest β that they may have.

    Attributes
    ----------
    widest_beam
        β of a pass is at most this.
    is_forest
        Whether the chart is to hold all parses of some probability, not the best alone.
    is_exhausted
        Whether even the last pass was too costly: nothing more is to be tried.
    """

    def __init__(self) -> None:
        self.start()

    def start(self, is_forest: bool = False, narrowest: float = NARROWEST_BEAM) -> None:
        """Begin with another sentence.

        Parameters
        ----------
        is_forest
            Whether the chart is to hold all parses of some probability.
        narrowest
            No β is made narrower.
        """
        self.widest_beam = math.inf
        self._narrowings = 0
        self.is_forest = is_forest
        self.is_exhausted = False
        self._most_work = MOST_FOREST_WORK if is_forest else MOST_WORK
        self._narrowest = narrowest

    @property
    def narrowed(self) -> bool:
        """Whether a pass was too costly."""
        return self.widest_beam < math.inf

    @property
    def of_pass(self) -> int:
        """How much work the next pass may be."""
        return LAST_TIMES * self._most_work if self.is_last else self._most_work

    @property
    def is_last(self) -> bool:
        """Whether a pass that is too costly is not done again."""
        return self.widest_beam <= self._narrowest

    def narrow(self, beam: float, expected: int) -> None:
        """Allow a narrower β than this one, by which a pass was expected to be so much work.

        The number of items of a cell grows a little faster than log β, and that of pairs with its square.
        """
        self._narrowings += 1
        if self._narrowings > _MOST_NARROWINGS:
            self.widest_beam = self._narrowest
            return
        share = self._most_work / max(expected, 1)
        factor = min(max(math.cbrt(share), _LEAST_FACTOR), _MOST_FACTOR)
        self.widest_beam = max(math.exp(min(math.log(beam), _WIDEST_LOG) * factor), self._narrowest)


# The chart's arrays, used again from sentence to sentence; what is full is made larger, and the search goes on.

ITEMS, EDGES, ESTIMATES, CANDIDATES, PREFIXES = "items", "edges", "estimates", "candidates", "prefixes"
"""The parts of a chart that grow, each of one or several arrays."""
FIRST_ROOM = {ITEMS: 4096, ESTIMATES: 16384, CANDIDATES: 2048, PREFIXES: 4096, EDGES: 0}
FIRST_EDGES = 1 << 16
"""Rows of each part at first; room for edges is made when they are to be recorded."""
FULL_PARTS = {
    layout.ITEMS_FULL: ITEMS,
    layout.EDGES_FULL: EDGES,
    layout.ESTIMATES_FULL: ESTIMATES,
    layout.CANDIDATES_FULL: CANDIDATES,
    layout.PREFIXES_FULL: PREFIXES,
}


HASHES = ("slots", "kind_slots")
"""Arrays of these parts that are empty when a cell is begun."""


def empty_hash(room: int) -> Int32Array:
    """Return a hash for so many rows, at most half full, of a size that is a power of 2."""
    return np.zeros((1 << (2 * room - 1).bit_length(), 2), np.int32)


def part_of_chart(part: str, room: int) -> dict[str, NDArray[Any]]:
    """New arrays for a part of the chart, by their names."""
    if part == ITEMS:
        return {"items": np.empty((room, layout.COLUMNS), np.int32), "item_scores": np.empty((room, 2))}
    if part == EDGES:
        return {
            "edges": np.empty((room, layout.EDGE_COLUMNS), np.int32),
            "edge_factors": np.empty((room, layout.EDGE_FACTORS)),
        }
    if part == ESTIMATES:
        return {"estimate_relations": np.empty(room, np.int32), "estimates": np.empty(room)}
    if part == CANDIDATES:
        return {
            "candidates": np.empty((room, layout.COLUMNS), np.int32),
            "candidate_scores": np.empty(room),
            "candidate_nones": np.empty(room),
            "places": np.empty(room, np.int64),
            "order": np.empty(room, np.int64),
            "slots": empty_hash(room),
        }
    return {
        "prefixes": np.empty((room, layout.PREFIX_COLUMNS), np.int32),
        "prefix_scores": np.empty((room, 2)),
        "prefix_kinds": np.empty((room, layout.KIND_COLUMNS), np.int32),
        "prefix_links": np.empty(room, np.int32),
        "longer_kinds": np.empty(4 * room, np.int32),
        "kind_slots": empty_hash(room),
    }


class WorkingMemory:
    """A chart for sentences of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._words = self._readings = 0
        self._room = dict(FIRST_ROOM)
        self._chart: Chart | None = None
        self._never = np.zeros(1, np.uint8)

    @property
    def chart(self) -> Chart:
        """The chart as it is now."""
        assert self._chart is not None
        return self._chart

    def cancelled_by(self, flag: UInt8Array | None) -> Chart:
        """Return the chart, to be filled until this flag is raised."""
        flag = self._never if flag is None else flag
        if self.chart.cancel is not flag:
            self._chart = self.chart._replace(cancel=flag)
        return self.chart

    def handed_over(self) -> Chart:
        """Return the chart as it is now, for whoever looks into it from now on: the next sentence has a new one."""
        chart, self._chart = self.chart, None
        return chart

    def make_room(self, words: int, readings: int, with_edges: bool) -> bool:
        """Have a chart for a sentence of so many words and readings; the result tells whether it is a new one."""
        enough = words <= self._words and readings <= self._readings
        if self._chart is not None and enough and (self._room[EDGES] or not with_edges):
            return False
        if with_edges and not self._room[EDGES]:
            self._room[EDGES] = FIRST_EDGES
        self._words, self._readings = max(words, self._words), max(readings, self._readings)
        # What was is let go before there is more.
        self._chart = None
        self._chart = self._new_chart()
        return True

    def grow(self, status: int) -> None:
        """Make the part of the chart that a search found full twice as large, with what is in it."""
        part = FULL_PARTS[status]
        self._room[part] *= 2
        grown = part_of_chart(part, self._room[part])
        for name, array in grown.items():
            if name not in HASHES:
                used = getattr(self.chart, name)
                array[: len(used)] = used
        self._chart = self.chart._replace(**grown)

    def _new_chart(self) -> Chart:
        words, vocabulary = self._words, self._model.vocabulary
        pairs = self._readings**2 << layout.ANSWER_BITS
        growing = {
            name: array for part, room in self._room.items() for name, array in part_of_chart(part, room).items()
        }
        return Chart(
            **growing,
            cells=np.zeros((words * words, 3), np.int32),
            comma_sums=np.empty(words, np.int64),
            estimate_ranges=np.empty((pairs, 2), np.int32),
            estimate_labels=np.empty((pairs, 2), np.int64),
            best_estimates=np.empty(pairs),
            context=np.zeros(CONTEXT_FIELDS, np.int64),
            lookups=np.empty((MOST_ROWS, 3), np.int64),
            dependency_scratch=np.zeros((3, max(len(vocabulary.triples), 1)), np.int32),
            unary_scratch=np.zeros((len(vocabulary.labels) + 1, SEEN_COLUMNS)),
            unary_seen=np.zeros(len(vocabulary.labels) + 1, np.int32),
            bounds=np.empty(layout.BOUNDS),
            prefix_ranges=np.empty((words, layout.PREFIX_RANGE), np.int64),
            totals=np.zeros(layout.TOTALS, np.int64),
            before_cell=np.zeros(layout.TOTALS + layout.PREFIX_RANGE, np.int64),
            best_score=np.zeros(1),
            cancel=self._never,
        )


# Running the chart: passes of the threshold and of the beam, recorded edges (section 4.1).

BEAM_REPAIR = 300.0
"""A sentence without a parse is tried once more with β so many times wider."""
EXPECTED_SHARE, EXPECTED_NATS, REMEMBERED = 0.8, 5.0, 32
"""A parse is expected to cost this share of what the last ones cost by the word, and so many nats besides; how many
sentences that is an average of."""
LISTED_WORDS, LISTED_NATS = 20, 8.0
"""A sentence of so many words has enough derivations to fill a list; so many nats below the best one are expected."""


class Control:
    """Lets another thread stop a search and see how far it is."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)
        self._totals: Int64Array | None = None
        self._cells = 1

    def cancel(self) -> None:
        """Stop the search at its next cell; it then raises :class:`Cancelled`."""
        self.flag[0] = 1

    @property
    def share(self) -> float:
        """Share of the chart's cells that the pass in hand has filled."""
        return float(self._totals[layout.T_PROGRESS]) / self._cells if self._totals is not None else 0.0

    def watch(self, totals: Int64Array, cells: int) -> None:
        """Called by the search: where its counters are."""
        self._totals, self._cells = totals, max(cells, 1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended: the last pass' threshold and beam, and the number of passes."""

    best: int
    score: float
    threshold: float
    beam: float
    passes: int


def limits_of(
    settings: Settings,
    threshold: float,
    beam: float,
    record: int,
    taggings: int = 1,
    keep_estimates: bool = False,
    most_work: int = 0,
    go_on: bool = False,
) -> layout.Limits:
    """Return what the search needs to know, for one pass that tells so many taggings of a baseNP apart."""
    slack = 0.0 if settings.literal_beam else settings.unary_slack
    rule = layout.EXTENDED_RULE if settings.extended_rule else layout.PAPERS_RULE
    if not settings.punctuation_rule:
        rule = layout.NO_RULE
    return layout.Limits(
        float(threshold),
        math.log(beam),
        float(slack),
        int(not settings.literal_beam),
        rule,
        record,
        taggings,
        int(keep_estimates),
        most_work,
        int(go_on),
    )


def reranks(model: Model, settings: Settings) -> bool:
    """Return whether parses are re-ranked: the settings ask for it, and the model can."""
    return settings.rerank > 0 and model.reranker is not None


def first_beam(model: Model, settings: Settings) -> float:
    """β of a search's first pass."""
    return float(settings.list_beam if reranks(model, settings) else settings.beam)


def forget_unfilled(chart: Chart, size: int) -> None:
    """Empty the cells that a pass has not come to: what is in them is of an earlier one."""
    starts, lasts = np.triu_indices(size)
    lengths = lasts - starts + 1
    length, start = chart.totals[layout.T_LENGTH], chart.totals[layout.T_START]
    unfilled = (lengths > length) | ((lengths == length) & (starts >= start))
    chart.cells[(starts * size + lasts)[unfilled]] = 0


class Search:
    """A chart with its working memory, used again from sentence to sentence."""

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        self._memory = WorkingMemory(model)
        self._nats_a_word = 0.5
        self._quick_threshold = -math.inf
        self._estimated: tuple[Grammar, SentenceArrays] | None = None
        self.budget = WorkBudget()

    @property
    def chart(self) -> Chart:
        """The chart of the last pass."""
        return self._memory.chart

    def handed_over(self) -> Chart:
        """Return the chart of the last pass, which no later one writes to."""
        return self._memory.handed_over()

    def run(
        self,
        task: ParseTask,
        record: int,
        control: Control | None,
        exhaustive: bool = False,
        taggings: int = 1,
        quickly: bool = False,
    ) -> Outcome:
        """Lower the threshold until a parse is found; then, if there is none at all, widen the beam.

        "If no parse is found, the threshold is lowered and parsing is attempted again."  An exhaustive run
        goes on to a search without any beam before it gives up.  One that goes `quickly` may end with a chart that
        holds the best parse, but of a list of derivations only the beginning (:meth:`holds_list`).
        """
        settings = self.settings
        if quickly and settings.threshold is None:
            found = self._run_quickly(task, record, control, taggings)
            if found is not None:
                return found
        self._quick_threshold = -math.inf
        threshold = settings.first_threshold
        beam = first_beam(self.model, settings)
        beams = [beam * BEAM_REPAIR] if not settings.literal_beam else []
        if exhaustive:
            beams.insert(0, math.inf)
        step = float(settings.threshold_step)
        passes = 0
        while True:
            passes += 1
            totals = self.fill(task, threshold, beam, record, control, taggings)
            best = int(totals[layout.T_BEST])
            score = float(self.chart.best_score[0])
            if best >= 0 and score >= threshold:
                break
            if totals[layout.T_UNDER_THRESHOLD]:
                # A parse under the threshold may hide a better one: go on until it is above.
                threshold -= step
                step *= 2
                if best >= 0:
                    threshold = min(threshold, score)
            elif best >= 0:
                break
            elif totals[layout.T_OUT_OF_BEAM] and beams and beam < self.budget.widest_beam:
                beam = beams.pop()
            else:
                break
        return Outcome(best, score, threshold, min(beam, self.budget.widest_beam), passes)

    def _run_quickly(self, task: ParseTask, record: int, control: Control | None, taggings: int) -> Outcome | None:
        """Look for the best parse above a threshold as high as the sentences so far let expect it to be.

        No factor is greater than 1, so no constituent of a parse above the threshold is under it: such a parse is the
        one that the first threshold would have led to, found with far fewer constituents.  ``None`` if there is none,
        unless to look for one is too much work.
        """
        first, beam = self.settings.first_threshold, first_beam(self.model, self.settings)
        words = task.size
        threshold = -(EXPECTED_SHARE * self._nats_a_word * words + EXPECTED_NATS)
        if record != layout.RECORD_NOTHING:
            threshold = threshold - LISTED_NATS if words >= LISTED_WORDS else first
        while threshold > first:
            totals = self.fill(task, threshold, beam, record, control, taggings)
            best, score = int(totals[layout.T_BEST]), float(self.chart.best_score[0])
            if self.budget.is_exhausted or (best >= 0 and self.budget.narrowed):
                return Outcome(best, score, first, self.budget.widest_beam, 1)
            if best >= 0 and score >= threshold:
                self._quick_threshold = threshold
                self._expect(score, words)
                return Outcome(best, score, first, beam, 1)
            # A parse under the threshold may hide a better one, but none that is worse.
            threshold = score if best >= 0 else 2.0 * threshold
        return None

    def _expect(self, score: float, words: int) -> None:
        self._nats_a_word += (-score / words - self._nats_a_word) / REMEMBERED

    def holds_list(self, log_probabilities: FloatArray, wanted: int) -> bool:
        """Return whether the chart holds the first so many derivations, given those of them that were found in it."""
        threshold = self._quick_threshold
        if threshold == -math.inf or not self.chart.totals[layout.T_UNDER_THRESHOLD]:
            return True
        return len(log_probabilities) == wanted and float(log_probabilities[-1]) >= threshold

    def fill_for_list(
        self,
        task: ParseTask,
        log_probabilities: FloatArray,
        wanted: int,
        control: Control | None,
        taggings: int,
    ) -> None:
        """Fill the chart once more where it does not hold the first so many derivations, so that it does."""
        # Where so many were found the missing ones are better than the worst of them.
        found = len(log_probabilities) == wanted
        self._quick_threshold = float(log_probabilities[-1]) if found else -math.inf
        threshold = max(self._quick_threshold, self.settings.first_threshold)
        beam = first_beam(self.model, self.settings)
        self.fill(task, threshold, beam, layout.RECORD_EDGES, control, taggings)

    def refill(
        self,
        task: ParseTask,
        outcome: Outcome,
        threshold: float,
        control: Control | None,
        taggings: int,
    ) -> Outcome:
        """Fill the chart for a list once more, down to a lower threshold."""
        self.fill(task, threshold, outcome.beam, layout.RECORD_EDGES, control, taggings)
        return replace(self.refilled(outcome), threshold=threshold, passes=outcome.passes + 1)

    def refilled(self, outcome: Outcome) -> Outcome:
        """Return how a search has ended whose chart was filled once more: where that was too much work,
        with a narrower β.

        Where even the narrowest was too much there is no parse any more.
        """
        best, score = int(self.chart.totals[layout.T_BEST]), float(self.chart.best_score[0])
        return replace(outcome, best=best, score=score, beam=min(outcome.beam, self.budget.widest_beam))

    def fill(
        self,
        task: ParseTask,
        threshold: float,
        beam: float,
        record: int,
        control: Control | None,
        taggings: int = 1,
        most_edges: int | None = None,
    ) -> Int64Array:
        """One pass; working memory grows as needed, that of edges up to a limit if one is given.

        A pass that is too much work is done again with a narrower β, and from then on without a threshold, which would
        have to be lowered again and again, unless it is a forest's: see :mod:`engine.chart.search`.  Where even
        the last is too much work, the chart holds the spans that were filled until then, and no parse.
        """
        size = task.size
        if self._memory.make_room(size, len(task.arrays.readings), record != layout.RECORD_NOTHING):
            self._estimated = None
        # All edges are as many as the pass before has led to, and their number has a limit of its own.
        limited = record != layout.RECORD_ALL
        go_on = False
        while True:
            chart = self._memory.cancelled_by(control.flag if control is not None else None)
            if control is not None:
                control.watch(chart.totals, size * (size + 1) // 2)
            # Estimates of an earlier pass over the sentence still hold.
            known = self._estimated
            keep = known is not None and known[0] is task.grammar and known[1] is task.arrays
            beam = min(beam, self.budget.widest_beam)
            if self.budget.narrowed and not self.budget.is_forest:
                threshold = -math.inf
            most_work = self.budget.of_pass if limited else 0
            limits = limits_of(self.settings, threshold, beam, record, taggings, keep, most_work, go_on)
            self._estimated = task.grammar, task.arrays
            status = chart_kernel.search(task.grammar, task.arrays, limits, chart)
            if status == layout.ESTIMATES_FULL and len(chart.estimates) >= MOST_ESTIMATES:
                # With a narrower β fewer words meet.
                status, self._estimated = layout.TOO_COSTLY, None
            if status == layout.CANCELLED:
                raise Cancelled("parsing was cancelled")
            # Where the room for edges is full there is one more to come.
            full = status == layout.EDGES_FULL
            edges = len(chart.edges) + 1 if full else int(chart.totals[layout.T_EDGES])
            if most_edges is not None and edges > most_edges:
                raise ChartTooLarge(f"the chart holds over {most_edges:,} edges, too many to keep; choose a smaller β")
            if status == layout.DONE_SEARCH:
                return chart.totals
            if status == layout.TOO_COSTLY and self.budget.is_last:
                self.budget.is_exhausted = True
                forget_unfilled(chart, size)
                return chart.totals
            go_on = status != layout.TOO_COSTLY
            if go_on:
                self._memory.grow(status)
                # What was is let go before more is written.
                del chart
            else:
                totals = chart.totals
                self.budget.narrow(beam, int(max(totals[layout.T_WORK], totals[layout.T_EXPECTED_WORK])))
