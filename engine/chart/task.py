"""What the chart is given: the grammar of a model, and one sentence in numbers with its readings and its constraints
(section 3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from engine.chart import chart_kernel
from engine.chart import chart_layout as layout
from engine.chart.chart_layout import Chart, Grammar, SentenceArrays
from engine.common.arrays import FloatArray, Int32Array, UInt8Array
from engine.counts.contexts import context_features
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import Counts, Switches
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
from engine.tagger.tag_distribution import Readings, TagDistribution
from engine.trees.head_rules import COORDINATORS

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
