"""The second model's decisions explained: each a factor of the score, with the counts of its levels and what they mean.

A decision is estimated as λ₁ e₁ + (1 − λ₁) (λ₂ e₂ + …) with λ = n / (n + 4 u), for a context met n times with u
different outcomes; below all levels lies a floor.  It weighs in the score as the re-ranker says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from engine.common.arrays import Int32Array
from engine.counts.corpus import Vocabulary
from engine.estimates.ledger import Decision, Factor, GenerativeSubject, Level
from engine.estimates.sentence import generative_words
from engine.model.model import Model
from engine.rerank import generative_layout as layout
from engine.rerank.generative import GenerativeEvent, GenerativeModel, class_name
from engine.rerank.reranker import punctuation_marks, steps_of
from engine.settings import Settings
from engine.structure.constituents import Constituent
from engine.structure.nodes_kernel import lay_out
from engine.structure.sentence_layout import (
    BASE,
    MARK_SIGNS,
    NODE_COLUMNS,
    NODE_END,
    NODE_HEAD,
    NODE_KIND,
    NODE_LABEL,
    NODE_START,
)
from engine.structure.tagged_sentence import TaggedSentence

DECISIONS = tuple(Decision)
"""By kind of event."""
FLOOR = "floor"
"""Below all levels: what an outcome has that was never met in any context."""
STOP = "STOP"
_SIDES = ("left", "right")
_UNKNOWN = "(unknown)"
BASE_NAME = "baseNP"


class GenerativeFactors:
    """Explains the second model's view of the trees of one sentence, as far as the re-ranker weighs it."""

    def __init__(self, model: Model, settings: Settings, sentence: TaggedSentence) -> None:
        self._model = model
        self._settings = settings
        self._sentence = sentence
        self._words = sentence.proper_words
        self._tags = sentence.proper_tags

    @property
    def weight(self) -> float:
        """What the second model's log probability weighs in the score; 0 where there is none, or no re-ranker."""
        reranker = self._model.reranker
        if reranker is None or self._model.generative is None or not self._settings.rerank:
            return 0.0
        return reranker.generative_weight

    def factors(self, root: Constituent) -> list[Factor]:
        """Every decision of a tree, from the root down; none if they weigh nothing."""
        weight, generative = self.weight, self._model.generative
        if not weight or generative is None:
            return []
        steps = steps_of(root, self._model.label_numbers)
        nodes = np.empty((len(steps), NODE_COLUMNS), np.int32)
        lay_out(steps, nodes, np.empty(len(steps) + 1, np.int32))
        rows = self._rows(generative, steps)

        def from_the_root(row: int) -> tuple[int, int, int]:
            # A unary parent has the words of its child and was laid out after it.
            node = int(rows[row, layout.EVENT_NODE])
            return int(nodes[node, NODE_START]), -int(nodes[node, NODE_END]), -node

        order = sorted(range(len(rows)), key=from_the_root)
        return [
            self._factor(event, number, nodes, weight) for number, event in enumerate(_events(generative, rows[order]))
        ]

    def log_probability(self, root: Constituent) -> float | None:
        """The second model's log probability of a tree; ``None`` if it weighs nothing."""
        generative = self._model.generative
        if not self.weight or generative is None:
            return None
        rows = self._rows(generative, steps_of(root, self._model.label_numbers))
        return float(generative.log_probabilities(rows).sum())

    def _rows(self, generative: GenerativeModel, steps: Int32Array) -> Int32Array:
        return generative.rows(
            steps,
            generative_words(self._model, self._settings.lexical, self._sentence),
            np.array([self._model.tag_number(tag) for tag in self._tags], np.int32),
            punctuation_marks(self._sentence, self._settings.lexical),
        )

    def _factor(self, event: GenerativeEvent, number: int, nodes: Int32Array, weight: float) -> Factor:
        levels = tuple(Level(one.name, one.met, one.total) for one in event.levels)
        floor = Level(FLOOR, 1, round(1 / float(layout.FLOORS[event.kind])))
        used = tuple(level.name for level in levels if level.delta)
        lambdas = tuple(one.weight for one in event.levels if one.total)
        subject = self._subject(event, number, nodes[event.node])
        return Factor(
            subject,
            (*levels, floor),
            (*used, FLOOR),
            lambdas,
            event.probability,
            power=weight,
            distinct=(*(one.distinct for one in event.levels), 0),
        )

    def _subject(self, event: GenerativeEvent, number: int, node: Int32Array) -> GenerativeSubject:
        row, kind = event.row, event.kind
        label = BASE_NAME if node[NODE_KIND] == BASE else named(self._model.vocabulary.labels, int(node[NODE_LABEL]))
        head = int(node[NODE_HEAD])
        stops = kind in (layout.MODIFIER_LABEL, layout.BASE_TAG) and event.outcome == layout.STOP
        decision = DECISIONS[kind]
        outcome = STOP if stops else self._outcome(event)
        return GenerativeSubject(
            decision,
            outcome,
            number,
            event.node,
            label,
            int(node[NODE_START]),
            int(node[NODE_END]),
            head,
            self._words[head],
            head if stops else event.place,
            _SIDES[row[layout.SIDE]] if row[layout.SIDE] >= 0 else "",
            stops,
            self._text(event, label, head, outcome),
            row,
        )

    def _outcome(self, event: GenerativeEvent) -> str:
        vocabulary = self._model.vocabulary
        match event.kind:
            case layout.ROOT_LABEL | layout.HEAD | layout.MODIFIER_LABEL:
                return category_name(vocabulary, event.outcome)
            case layout.SUBCATEGORISATION:
                return frame_text(event.outcome)
            case layout.TAG_OF_MODIFIER | layout.BASE_TAG:
                return self._tags[event.place]
            case _:
                return self._words[event.place]

    def _text(self, event: GenerativeEvent, label: str, head: int, outcome: str) -> str:
        """The decision as a linguist would say it."""
        row, place = event.row, event.place
        whole = f"{label} ({self._words[head]})"
        side = _SIDES[row[layout.SIDE]] if row[layout.SIDE] >= 0 else ""
        match DECISIONS[event.kind]:
            case Decision.ROOT_LABEL:
                return f"{outcome} is the root of a head tagged {self._tags[head]}"
            case Decision.ROOT_WORD:
                return f"{label} is the root, headed by {outcome}/{self._tags[place]}"
            case Decision.HEAD:
                return f"head of {whole} is {outcome}"
            case Decision.FRAME:
                return f"frame of {whole} on the {side}: {outcome}"
            case Decision.MODIFIER if outcome == STOP:
                return f"{STOP} on the {side} of {whole}, {self._where(row)}"
            case Decision.MODIFIER:
                return f"{whole} takes {outcome} ({self._words[place]}) on the {side}, {self._where(row)}"
            case Decision.MODIFIER_TAG:
                return f"{self._modifier(row)} on the {side} of {whole} has a head tagged {outcome}"
            case Decision.MODIFIER_WORD:
                return f"{self._modifier(row)} on the {side} of {whole} is headed by {outcome}/{self._tags[place]}"
            case Decision.BASE_TAG | Decision.BASE_WORD as decision:
                where, beside = ("before", place + 1) if side == _SIDES[layout.LEFT] else ("after", place - 1)
                what = f"{outcome}/{self._tags[place]}" if decision is Decision.BASE_WORD else outcome
                return f"{whole}: {what} {where} {self._words[beside]}/{self._tags[beside]}"

    def _modifier(self, row: Sequence[int]) -> str:
        return category_name(self._model.vocabulary, row[layout.MODIFIER])

    def _where(self, row: Sequence[int]) -> str:
        previous = row[layout.PREVIOUS]
        if previous == layout.NOTHING:
            return "next to the head"
        return f"after {named(self._model.vocabulary.labels, previous)}"


_LOOKED_UP: WeakKeyDictionary[GenerativeModel, dict[bytes, GenerativeEvent]] = WeakKeyDictionary()
_MOST_LOOKED_UP = 20_000


def _events(generative: GenerativeModel, rows: Int32Array) -> list[GenerativeEvent]:
    """The events of a tree with their counts: the n best of a sentence have most of them in common."""
    known = _LOOKED_UP.setdefault(generative, {})
    if len(known) > _MOST_LOOKED_UP:
        known = _LOOKED_UP[generative] = {}
    # Where in the tree an event is has no part in its estimate.
    keys = [row.tobytes() for row in np.delete(rows, (layout.EVENT_NODE, layout.EVENT_PLACE), axis=1)]
    missing = [number for number, key in enumerate(keys) if key not in known]
    found = {keys[number]: event for number, event in zip(missing, generative.events(rows[missing]), strict=True)}
    known.update(found)
    return [
        (found.get(key) or known[key])._replace(
            row=tuple(row), node=row[layout.EVENT_NODE], place=row[layout.EVENT_PLACE]
        )
        for key, row in zip(keys, rows.tolist(), strict=True)
    ]


def level_contexts(subject: GenerativeSubject, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What every level of a decision looks at, in words, the floor last."""
    base = subject.decision in (Decision.BASE_TAG, Decision.BASE_WORD)
    described = []
    for _, fields in layout.BACKOFF[subject.row[layout.EVENT_KIND]]:
        texts = [_FIELD_TEXTS[field](subject.row[field], vocabulary, base) for field in fields]
        described.append(", ".join(texts) if texts else "nothing")
    return (*described, "below all levels")


def named(names: Sequence[str], number: int) -> str:
    """The name of a label or tag."""
    return names[number] if 0 <= number < len(names) else _UNKNOWN


def category_name(vocabulary: Vocabulary, number: int) -> str:
    """A label as the second model tells them apart: ``baseNP`` from ``NP``."""
    return BASE_NAME if number & 1 else named(vocabulary.labels, number >> 1)


def frame_text(frame: int) -> str:
    """A frame of complements: ``{NP, SBAR}``."""
    wanted = [
        name
        for kind, name in enumerate(layout.COMPLEMENT_NAMES)
        if kind
        for _ in range(frame >> layout.FRAME_BITS * (kind - 1) & layout.FRAME_MASK)
    ]
    return f"{{{', '.join(wanted)}}}"


def word_text(number: int, vocabulary: Vocabulary) -> str:
    """A word as the second model knows it: by itself, by its class if it is rare, or not at all."""
    if number >= 0:
        return named(vocabulary.words, number)
    return f"a rare word {class_name(number)}" if number <= layout.FIRST_CLASS else "any word"


def known_by_class(subject: GenerativeSubject) -> str:
    """The class by which the word is known that a decision is about; empty if it is no word, or known by itself."""
    is_word = subject.decision in (Decision.ROOT_WORD, Decision.MODIFIER_WORD, Decision.BASE_WORD)
    outcome = subject.row[layout.OUTCOME]
    return class_name(outcome) if is_word and outcome <= layout.FIRST_CLASS else ""


def _above(value: int, vocabulary: Vocabulary, _: bool) -> str:
    if value == layout.NOTHING:
        return "nothing above"
    label = named(vocabulary.labels, value >> 1)
    return f"head-child of {label}" if value & 1 else f"modifier in {label}"


def _distance(value: int, *_: object) -> str:
    near = "next to the head" if value & layout.NEXT_TO_HEAD else "not next to the head"
    return f"{near}, a verb between" if value & layout.VERB_BETWEEN else near


def _mark(value: int, *_: object) -> str:
    signs = "".join(sign for bit, sign in enumerate(MARK_SIGNS) if value >> bit & 1)
    return f"after {signs}" if signs else "no punctuation"


def _previous(value: int, vocabulary: Vocabulary, base: bool) -> str:
    if base:
        return f"beside {named(vocabulary.tags, value)}"
    return "no modifier before" if value == layout.NOTHING else f"after {named(vocabulary.labels, value)}"


_FIELD_TEXTS: dict[int, Callable[[int, Vocabulary, bool], str]] = {
    layout.SIDE: lambda value, *_: f"on the {_SIDES[value]}",
    layout.PARENT: lambda value, vocabulary, _: named(vocabulary.labels, value),
    layout.HEAD_CHILD: lambda value, vocabulary, _: f"head-child {category_name(vocabulary, value)}",
    layout.HEAD_TAG: lambda value, vocabulary, _: f"head {named(vocabulary.tags, value)}",
    layout.HEAD_WORD: lambda value, vocabulary, _: word_text(value, vocabulary),
    layout.ABOVE: _above,
    layout.DISTANCE: _distance,
    layout.FRAME: lambda value, *_: f"{frame_text(value)} still to come",
    layout.MARK: _mark,
    layout.PREVIOUS: _previous,
    layout.PREVIOUS_WORD: lambda value, vocabulary, _: word_text(value, vocabulary),
    layout.MODIFIER: lambda value, vocabulary, _: category_name(vocabulary, value),
    layout.MODIFIER_TAG: lambda value, vocabulary, _: named(vocabulary.tags, value),
}
"""How each column of an event is told."""
