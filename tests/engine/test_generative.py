"""The second model, held against a recount in plain Python from the constituents of trees."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import engine
from engine.rerank.generative import (
    GenerativeModel,
    TreeColumns,
    class_name,
    class_number,
    count_trees,
    word_class,
)
from engine.rerank.generative_layout import BACKOFF, DISTINCT_FACTOR, FLOORS, STOP
from engine.rerank.reranker import punctuation_marks, steps_of
from engine.structure.constituents import Constituent
from engine.structure.distance import VERB_TAGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.trees.tree import clean, plain_word
from engine.trees.treebank import read_treebank


class Sentence(NamedTuple):
    """A gold tree, with what the second model is given of it."""

    tagged: TaggedSentence
    root: Constituent

    @property
    def words(self) -> list[str]:
        return [plain_word(word) for word in self.tagged.proper_words]


class Material(NamedTuple):
    """A model of the classroom trees, its second model, and the trees."""

    model: engine.Model
    second: GenerativeModel
    sentences: list[Sentence]


def second_model(model: engine.Model, sentences: list[Sentence], times: list[int]) -> GenerativeModel:
    columns = TreeColumns.of(
        (
            steps_of(sentence.root, model.label_numbers),
            np.array(model.known_words(sentence.tagged), np.int32),
            np.array([class_number(word) for word in sentence.words], np.int32),
            np.array([model.tag_number(tag) for tag in sentence.tagged.proper_tags], np.int32),
            punctuation_marks(sentence.tagged),
        )
        for sentence in sentences
    )
    chosen = np.arange(len(sentences))
    common = columns.common_words(chosen, len(model.vocabulary.words))
    labels, tags = model.vocabulary.labels, model.vocabulary.tags
    counts = count_trees(columns, chosen, np.array(times), labels, tags, common)
    return GenerativeModel(counts, common, model.vocabulary)


@pytest.fixture(scope="module")
def material(classroom: engine.Model, classroom_treebank: Path) -> Material:
    sentences = []
    for tree in read_treebank([classroom_treebank]):
        cleaned = clean(tree)
        assert cleaned is not None
        root = classroom.lexicaliser.constituent(cleaned)
        assert root is not None
        sentences.append(Sentence(TaggedSentence.from_tree(cleaned), root))
    return Material(classroom, second_model(classroom, sentences, [1] * len(sentences)), sentences)


Context = tuple[object, ...]


class Event(NamedTuple):
    """A decision in words: its kind, its outcome, and the contexts of its levels."""

    kind: int
    outcome: object
    contexts: tuple[Context, ...]


CLASSES = {"NP": "NP", "SBAR": "SBAR", "S": "S", "SINV": "S", "SQ": "S", "VP": "VP", "PP": "PP"}


def complement(parent: str, child: str, after_preposition: bool) -> str | None:
    """The class of a complement, as Collins (1997) tells it from an adjunct, without function tags."""
    above, kind = CLASSES.get(parent.rstrip("&")), CLASSES.get(child.rstrip("&"))
    allowed = {"S": {"NP", "SBAR", "S"}, "VP": {"NP", "SBAR", "S", "VP"}, "SBAR": {"S"}}.get(above or "", set())
    if kind in allowed:
        return kind
    return (kind or "other") if above == "PP" and after_preposition else None


class Recount:
    """The same model from dictionaries."""

    def __init__(self, sentences: list[Sentence]) -> None:
        met = Counter(word for sentence in sentences for word in sentence.words)
        self.common = {word for word, count in met.items() if count > 1}
        self.outcomes: dict[Context, Counter[object]] = defaultdict(Counter)
        for sentence in sentences:
            for event in self.events(sentence):
                for context in event.contexts:
                    self.outcomes[context][event.outcome] += 1

    def events(self, sentence: Sentence) -> Iterator[Event]:
        words: list[object] = [word if word in self.common else class_number(word) for word in sentence.words]
        tags = sentence.tagged.proper_tags
        marks = [mark & 15 for mark in punctuation_marks(sentence.tagged).tolist()]
        root = sentence.root
        label = (root.label, root.is_base)
        yield Event(0, label, (("root", tags[root.head]), ("root",)))
        yield Event(1, words[root.head], (("root word", label, tags[root.head]), ("word of tag", tags[root.head])))
        stack: list[tuple[Constituent, object]] = [(root, None)]
        while stack:
            node, above = stack.pop()
            stack += [(child, (node.label, at == node.head_child)) for at, child in enumerate(node.children)]
            if node.is_base:
                yield from self.base(node, words, tags)
            elif node.children:
                yield from self.phrase(node, above, words, tags, marks)

    def base(self, node: Constituent, words: list[object], tags: list[str]) -> Iterator[Event]:
        head = tags[node.head]
        for side, chain in (("left", range(node.head, node.start - 1, -1)), ("right", range(node.head, node.end))):
            for before, at in pairwise([*chain, None]):
                assert before is not None
                previous, beside = tags[before], words[before]
                fine = (
                    ("base", side, previous, beside, head),
                    ("base", side, previous, head),
                    ("base", side, previous),
                )
                yield Event(7, STOP if at is None else tags[at], fine)
                if at is not None:
                    own = tags[at]
                    levels = (("in", side, own, previous, beside), ("in", side, own, previous), ("word of tag", own))
                    yield Event(8, words[at], levels)

    def phrase(
        self, node: Constituent, above: object, words: list[object], tags: list[str], marks: list[int]
    ) -> Iterator[Event]:
        word, tag, label = words[node.head], tags[node.head], node.label
        head_child = node.children[node.head_child]
        inner = (head_child.label, head_child.is_base)
        heads = (
            ("head", label, tag, word, above),
            ("head", label, tag, above),
            ("head", label, tag),
            ("head", label),
        )
        yield Event(2, inner, heads)
        lefts, rights = node.children[: node.head_child][::-1], node.children[node.head_child + 1 :]
        for side, modifiers in (("left", lefts), ("right", rights)):
            right = side == "right"
            kinds = [complement(label, one.label, right and not at) for at, one in enumerate(modifiers)]
            frame = Counter(kind for kind in kinds if kind is not None)
            given = (side, label, inner)
            levels = ((*given, tag, word, above), (*given, tag, above), (*given, tag), given)
            names = ("frame word", "frame above", "frame tag", "frame")
            counted = tuple((name, *level) for name, level in zip(names, levels, strict=True))
            yield Event(3, tuple(sorted(frame.items())), counted)
            edge = head_child.end if right else head_child.start
            previous: str | None = None
            for modifier, kind in zip([*modifiers, None], [*kinds, None], strict=True):
                between = tags[node.head + 1 : edge] if right else tags[edge : node.head]
                distance = (previous is None, any(one in VERB_TAGS for one in between))
                rest, mark = tuple(sorted((+frame).items())), marks[edge]
                fine = (*given, distance, tag, word, rest, mark, previous)
                backed = (*given, distance, tag, rest, mark, previous)
                contexts = (
                    ("mod w", *fine),
                    ("mod f", *backed),
                    ("mod t", *given, distance, tag, mark),
                    ("mod", *given),
                )
                yield Event(4, STOP if modifier is None else (modifier.label, modifier.is_base), contexts)
                if modifier is None:
                    break
                what, own = (modifier.label, modifier.is_base), tags[modifier.head]
                wide = (*given, what)
                yield Event(5, own, (("tag", *wide, tag, word), ("tag", *wide, tag), ("tag", *wide), ("tag of", what)))
                whole = (*given, what, own)
                yield Event(
                    6,
                    words[modifier.head],
                    (("w", *whole, tag, word), ("w", *whole, tag), ("w of", what, own), ("word of tag", own)),
                )
                if kind is not None:
                    frame[kind] -= 1
                edge, previous = (modifier.end if right else modifier.start), modifier.label

    def log_probability(self, event: Event) -> float:
        probability = float(FLOORS[event.kind])
        for context in reversed(event.contexts):
            counts = self.outcomes.get(context)
            if counts is None or counts.total() < 2:
                continue
            total, distinct = counts.total(), len(counts)
            weight = total / (total + DISTINCT_FACTOR * distinct)
            probability = weight * counts[event.outcome] / total + (1 - weight) * probability
        return math.log(probability)


def rows_of(material: Material, sentence: Sentence) -> np.ndarray:
    model, second = material.model, material.second
    return second.rows(
        steps_of(sentence.root, model.label_numbers),
        second.words(model.known_words(sentence.tagged), sentence.words),
        np.array([model.tag_number(tag) for tag in sentence.tagged.proper_tags], np.int32),
        punctuation_marks(sentence.tagged),
    )


def test_every_event_has_the_probability_of_a_plain_recount(material: Material) -> None:
    recount = Recount(material.sentences)
    for sentence in material.sentences:
        events = list(recount.events(sentence))
        rows = rows_of(material, sentence)
        expected = sorted((event.kind, recount.log_probability(event)) for event in events)
        found = sorted(zip(rows[:, 0].tolist(), material.second.log_probabilities(rows).tolist(), strict=True))
        assert [kind for kind, _ in found] == [kind for kind, _ in expected]
        assert [log for _, log in found] == pytest.approx([log for _, log in expected], abs=1e-12)


def test_explained_events_are_those_of_the_kernel(material: Material) -> None:
    for sentence in material.sentences[:20]:
        rows = rows_of(material, sentence)
        logs = material.second.log_probabilities(rows).tolist()
        explained = material.second.events(rows)
        assert [event.log for event in explained] == pytest.approx(logs, abs=1e-12)
        for event in explained:
            assert [level.name for level in event.levels] == [name for name, _ in BACKOFF[event.kind]]
            assert all(level.met <= level.total and level.distinct <= level.total for level in event.levels)


def test_a_word_is_generated_once(material: Material) -> None:
    """Each word is chosen by one event: else trees of other shapes would pay for other words."""
    for sentence in material.sentences:
        places = Counter(row[16] for row in rows_of(material, sentence).tolist() if row[0] in (1, 6, 8))
        assert places == Counter(range(len(sentence.words)))


def test_what_is_stored_is_what_is_read(material: Material) -> None:
    second = material.second
    again = GenerativeModel.from_arrays(second.arrays(), second.metadata, material.model.vocabulary)
    assert again.counts.shift == second.counts.shift
    for name in second.counts._fields[1:]:
        assert np.array_equal(getattr(again.counts, name), getattr(second.counts, name)), name
    assert np.array_equal(again.common, second.common)


def test_a_sentence_that_counts_twice_is_as_two_but_makes_no_context_common(material: Material) -> None:
    twice = second_model(material.model, material.sentences, [2] * len(material.sentences))
    assert np.array_equal(twice.counts.contexts, material.second.counts.contexts)
    assert np.array_equal(twice.counts.counts, 2 * material.second.counts.counts)


def test_a_coarser_level_looks_at_nothing_more() -> None:
    # What a level never met, none finer has met: finer levels are passed over.
    for levels in BACKOFF:
        for (_, fine), (_, coarse) in pairwise(levels):
            assert set(coarse) < set(fine)


def test_classes_of_words() -> None:
    assert word_class("Walking") == "Aing"
    assert word_class("co-operation") == "a-tion"
    assert word_class("1990s") == "9s"
    assert class_name(class_number("running")) == "a…ing"
    assert class_number("running") != class_number("Running")
