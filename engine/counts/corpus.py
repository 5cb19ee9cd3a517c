"""A treebank as training counts it: columns with one row a word, and no tree kept in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.common.arrays import Int32Array, Int64Array, IntArray, Numbers, starts_of
from engine.counts.counts_layout import NOT_REDUCED, ROOT, CorpusColumns
from engine.structure.constituents import BASE_LABEL, CORE, Constituent
from engine.structure.distance import VERB_TAGS
from engine.structure.sentence_layout import LONGEST_CHAIN

NOTHING = ""
"""The outcome of a constituent without a unary parent; number 0 among the labels."""


class TripleNumbers(dict[tuple[str, str, str], int]):
    """Numbers triples in the order in which they turn up."""

    def __missing__(self, key: tuple[str, str, str]) -> int:
        number = self[key] = len(self)
        return number


def _column() -> array[int]:
    return array("i")


@dataclass(slots=True)
class CorpusBuilder:
    """Collects the columns of a corpus sentence by sentence, numbering words, tags, labels and triples as they come."""

    words: Numbers = field(default_factory=Numbers)
    tags: Numbers = field(default_factory=Numbers)
    labels: Numbers = field(default_factory=lambda: Numbers({NOTHING: 0}))
    triples: TripleNumbers = field(default_factory=TripleNumbers)
    starts: array[int] = field(default_factory=_column)
    word: array[int] = field(default_factory=_column)
    tag: array[int] = field(default_factory=_column)
    commas: array[int] = field(default_factory=_column)
    first: array[int] = field(default_factory=_column)
    last: array[int] = field(default_factory=_column)
    chunk: array[int] = field(default_factory=_column)
    head: array[int] = field(default_factory=_column)
    relation: array[int] = field(default_factory=_column)
    unary_row: array[int] = field(default_factory=_column)
    unary_label: array[int] = field(default_factory=_column)
    unary_parent: array[int] = field(default_factory=_column)
    unary_first: array[int] = field(default_factory=_column)
    unary_end: array[int] = field(default_factory=_column)
    unary_child: array[int] = field(default_factory=_column)
    chains: set[tuple[str, ...]] = field(default_factory=set)
    inside_row: array[int] = field(default_factory=_column)
    inside_label: array[int] = field(default_factory=_column)
    inside_end: array[int] = field(default_factory=_column)

    @property
    def sentences(self) -> int:
        """The number of sentences added."""
        return len(self.starts)

    def add(self, root: Constituent, words: Sequence[str], tags: Sequence[str], commas: Sequence[int]) -> None:
        """Add one sentence: its constituents, and its words, tags and 'commas' without punctuation.

        The words are in the form in which they are counted: :func:`engine.trees.tree.plain_word`.
        """
        base = len(self.word)
        size = len(words)
        self.starts.append(base)
        word_numbers, tag_numbers, labels, triples = self.words, self.tags, self.labels, self.triples
        self.word.extend([word_numbers[word] for word in words])
        self.tag.extend([tag_numbers[tag] for tag in tags])
        self.commas.extend(commas)
        first, last, chunk = list(range(size)), list(range(size)), [0] * size
        head, relation = [NOT_REDUCED] * size, [0] * size
        head[root.head], relation[root.head] = ROOT, labels[root.label]
        # Each entry: a constituent, the outcome it pays for in the unary model (None: it pays nothing,
        # being a core), and the labels of the unary chain above it.
        stack: list[tuple[Constituent, str | None, tuple[str, ...]]] = [(root, NOTHING, ())]
        while stack:
            node, parent, above = stack.pop()
            label = node.label
            if parent is not None:
                self.unary_row.append(base + node.head)
                self.unary_label.append(labels[label])
                self.unary_parent.append(labels[parent])
                self.unary_first.append(base + node.start)
                self.unary_end.append(base + node.end)
                self.unary_child.append(labels[node.head_label])
            children = node.children
            if len(children) == 1:
                stack.append((children[0], label, (label, *above)))
                continue
            if above:
                self.chains.add((label, *above))
            if children:
                middle = node.head_child
                for index, child in enumerate(children):
                    if index == middle:
                        stack.append((child, None if node.head_label == CORE else NOTHING, ()))
                    else:
                        position = child.head
                        head[position] = node.head
                        relation[position] = triples[(child.label, label, node.head_label)]
                        stack.append((child, NOTHING, ()))
            elif node.inside is not None:
                start, end = node.start, node.end
                for position in range(start, end):
                    first[position], last[position], chunk[position] = start, end - 1, 1
                for inner, inner_start, inner_end in node.inside:
                    self.inside_row.append(base + inner_start)
                    self.inside_label.append(labels[inner])
                    self.inside_end.append(base + inner_end)
        self.first.extend(first)
        self.last.extend(last)
        self.chunk.extend(chunk)
        self.head.extend(head)
        self.relation.extend(relation)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The strings behind a model's numbers, each list sorted so that numbering never depends on order.

    Attributes
    ----------
    words, tags
        Word and tag strings.
    labels
        Every label a constituent can have, tags and marked labels included; 0 is "none".
    triples
        R: (modifier, parent, head-child) as strings.
    chains
        Chains of unary productions seen in training, from the bottom label to the top.
    phrases
        Labels of the phrases inside baseNPs.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    triples: tuple[tuple[str, str, str], ...]
    chains: tuple[tuple[str, ...], ...]
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A whole treebank as training counts it: columns under one vocabulary.

    Attributes
    ----------
    vocabulary
        The strings behind the numbers.
    columns
        The words.
    unary_rows, unary_labels, unary_parents
        Of every constituent that pays for a unary parent or for none: its head-word, its label, and that parent.
    inside_rows, inside_labels, inside_ends
        Of every bracket inside a baseNP: its first row, its label, and one past its last row.
    unary_first, unary_ends, unary_children
        Of the same constituents as above: first row, one past the last row, and the head-child's label.
    """

    vocabulary: Vocabulary
    columns: CorpusColumns
    unary_rows: Int64Array
    unary_labels: Int32Array
    unary_parents: Int32Array
    inside_rows: Int64Array
    inside_labels: Int32Array
    inside_ends: Int64Array
    unary_first: Int64Array
    unary_ends: Int64Array
    unary_children: Int32Array

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.columns.starts) - 1

    def select(self, sentences: IntArray) -> Corpus:
        """Choose sentences in this order, each as often as it is named, under the same vocabulary."""
        borders = self.columns.starts
        rows, starts = _ranges(borders[sentences], borders[sentences + 1])
        # By how much the rows of every chosen sentence move.
        shifts = starts[:-1] - borders[sentences]
        unary_borders = np.searchsorted(self.unary_rows, borders)
        inside_borders = np.searchsorted(self.inside_rows, borders)
        unaries, unary_starts = _ranges(unary_borders[sentences], unary_borders[sentences + 1])
        internal, inside_starts = _ranges(inside_borders[sentences], inside_borders[sentences + 1])
        chosen: list[Any] = [column[rows] for column in self.columns[1:]]
        by_unary = np.repeat(shifts, np.diff(unary_starts))
        by_inside = np.repeat(shifts, np.diff(inside_starts))
        return Corpus(
            self.vocabulary,
            CorpusColumns(starts, *chosen),
            self.unary_rows[unaries] + by_unary,
            self.unary_labels[unaries],
            self.unary_parents[unaries],
            self.inside_rows[internal] + by_inside,
            self.inside_labels[internal],
            self.inside_ends[internal] + by_inside,
            self.unary_first[unaries] + by_unary,
            self.unary_ends[unaries] + by_unary,
            self.unary_children[unaries],
        )


def _ranges(starts: Int64Array, ends: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The numbers of all ranges one after the other, and where each range then starts."""
    sizes = ends - starts
    new_starts = starts_of(sizes)
    return np.arange(new_starts[-1]) + np.repeat(starts - new_starts[:-1], sizes), new_starts


def merge(parts: Iterable[CorpusBuilder]) -> Corpus:
    """Join the columns of several parts, in order, under one sorted vocabulary."""
    parts = list(parts)
    vocabulary = _vocabulary(parts)
    words = {word: number for number, word in enumerate(vocabulary.words)}
    tags = {tag: number for number, tag in enumerate(vocabulary.tags)}
    labels = {label: number for number, label in enumerate(vocabulary.labels)}
    triples = {triple: number for number, triple in enumerate(vocabulary.triples)}

    columns: dict[str, list[Any]] = {}

    def put(name: str, values: IntArray) -> None:
        columns.setdefault(name, []).append(values)

    base = 0
    for part in parts:
        word_map = np.array([words[word] for word in part.words], np.int32)
        tag_map = np.array([tags[tag] for tag in part.tags], np.int16)
        label_map = np.array([labels[label] for label in part.labels], np.int32)
        triple_map = np.array([triples[triple] for triple in part.triples] or [0], np.int32)
        heads = np.array(part.head, np.int32)
        relations = np.array(part.relation, np.int32)
        # A root's relation is a label, every other a triple.
        is_root = heads == ROOT
        mapped = np.zeros_like(relations)
        mapped[is_root] = label_map[relations[is_root]]
        mapped[heads >= 0] = triple_map[relations[heads >= 0]]
        put("starts", np.array(part.starts, np.int64) + base)
        put("words", word_map[np.array(part.word, np.int32)])
        put("tags", tag_map[np.array(part.tag, np.int32)])
        put("commas", np.array(part.commas, np.int16))
        put("first", np.array(part.first, np.int16))
        put("last", np.array(part.last, np.int16))
        put("chunk", np.array(part.chunk, np.int8))
        put("heads", heads)
        put("relations", mapped)
        put("unary_rows", np.array(part.unary_row, np.int64) + base)
        put("unary_labels", label_map[np.array(part.unary_label, np.int32)])
        put("unary_parents", label_map[np.array(part.unary_parent, np.int32)])
        put("inside_rows", np.array(part.inside_row, np.int64) + base)
        put("inside_labels", label_map[np.array(part.inside_label, np.int32)])
        put("inside_ends", np.array(part.inside_end, np.int64) + base)
        put("unary_first", np.array(part.unary_first, np.int64) + base)
        put("unary_ends", np.array(part.unary_end, np.int64) + base)
        put("unary_children", label_map[np.array(part.unary_child, np.int32)])
        base += len(part.word)
    joined: dict[str, Any] = {name: np.concatenate(values) for name, values in columns.items()}
    is_verb = np.array([tag in VERB_TAGS for tag in vocabulary.tags] or [False], np.int8)
    corpus = CorpusColumns(
        starts=np.append(joined["starts"], base),
        words=joined["words"],
        tags=joined["tags"],
        commas=joined["commas"],
        first=joined["first"],
        last=joined["last"],
        chunk=joined["chunk"],
        heads=joined["heads"],
        relations=joined["relations"],
        verbs=is_verb[joined["tags"]],
    )
    names = (
        *("unary_rows", "unary_labels", "unary_parents", "inside_rows", "inside_labels", "inside_ends"),
        *("unary_first", "unary_ends", "unary_children"),
    )
    return Corpus(vocabulary, corpus, *(joined[name] for name in names))


def _vocabulary(parts: Sequence[CorpusBuilder]) -> Vocabulary:
    labels = {label for part in parts for label in part.labels if label != NOTHING}
    tags = {tag for part in parts for tag in part.tags}
    triples = {triple for part in parts for triple in part.triples}
    for triple in triples:
        labels.update(triple)
    chains = {chain for part in parts for chain in part.chains}
    phrases: set[str] = set()
    for part in parts:
        names = list(part.labels)
        phrases.update(names[number] for number in set(part.inside_label))
    return Vocabulary(
        words=tuple(sorted({word for part in parts for word in part.words})),
        tags=tuple(sorted(tags)),
        labels=(NOTHING, *sorted(labels | tags)),
        triples=tuple(sorted(triples)),
        chains=tuple(sorted(filter(_is_kept, chains))),
        phrases=tuple(sorted(phrases - {BASE_LABEL})),
    )


def _is_kept(chain: tuple[str, ...]) -> bool:
    """Whether a chain of unaries can be used: none of its labels comes back, and there are not too many."""
    return len(set(chain)) == len(chain) <= LONGEST_CHAIN
