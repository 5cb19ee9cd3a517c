"""A trained model: count tables with the vocabulary behind their numbers, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.chart import chart_kernel
from engine.chart.chart_layout import (
    NO_LABEL,
    SEARCH_LAST,
    SEARCH_LEFT,
    SEARCH_RIGHT,
    TAKE_LEFT,
    TAKE_RIGHT,
    Grammar,
)
from engine.common.array_file import write_arrays
from engine.common.errors import ModelError
from engine.common.resources import named_model
from engine.counts.context_features import between_classes
from engine.counts.corpus import VERB_TAGS, Vocabulary
from engine.counts.counts_layout import Counts, Switches, Widths
from engine.model.unpacking import read_model_file
from engine.reranker.reranker import Reranker
from engine.settings import DEFAULT_PRESET, Settings
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED, Lexicaliser
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.tagger.tagger import Tagger
from engine.text.mixed_notation import read_mixed
from engine.text.tagged_text import sentences_of, tag_words
from engine.text.tokeniser import Sentence
from engine.trees.head_rules import COORDINATORS, HeadRules, parse_head_rules
from engine.trees.penn_forms import plain_word
from engine.trees.tree import PUNCTUATION_TAGS

if TYPE_CHECKING:
    from engine.chart.parser import Parser


ARRAYS = Counts._fields[1:]
_TAGGER_PREFIX = "tagger_"
_RERANKER_PREFIX = "reranker_"
HYPHEN_TAG = "HYPH"
"""The tag that newer treebanks have for the hyphen between two words."""


class Model:
    """What was counted in a treebank, and how to look it up.

    Parameters
    ----------
    vocabulary
        Words, tags, labels, triples and unary chains.
    counts
        The count tables.
    metadata
        Corpora, credits, number of sentences, options; shown by ``parse-engine info``.
    rules
        The head rules it was trained with.
    tagger
        The tagger trained on the same trees; ``None`` if the model has none and reads tagged sentences only.
    reranker
        Weights of features of whole trees; ``None`` if the model has none.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        counts: Counts,
        metadata: Mapping[str, Any],
        rules: HeadRules,
        tagger: Tagger | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.counts = counts
        # As those of a model from a file are: to the compiler arrays that can be written are another type, and it
        # would compile every kernel again for them.
        for name in ARRAYS:
            getattr(counts, name).setflags(write=False)
        self.metadata = dict(metadata)
        self.rules = rules
        self.tagger = tagger
        self.reranker = reranker
        self.lexicaliser = Lexicaliser(rules)
        self._grammars: dict[Switches, Grammar] = {}

    def parser(self, preset: int = DEFAULT_PRESET, **changes: Any) -> Parser:
        """A parser with the settings of a preset, and `changes` to single ones (see :class:`Settings`)."""
        from engine.chart.parser import Parser

        return Parser(self, Settings.preset(preset, **changes))

    def tag(self, words: Sequence[str], given: Sequence[str | None] | None = None) -> TagDistribution:
        """The tags of a sentence: P(t|S) of every word, and the best sequence (section 2.7).

        Parameters
        ----------
        words
            The tokens, punctuation included.
        given
            For every token the tag that it must have, or ``None``.  A given tag that the tagger does not know is
            kept all the same; what its neighbours get does not depend on it.

        Returns
        -------
        TagDistribution
            Each token's `choices` are all tags with P(t|S) of at least 1e-9, the most probable first and equally
            probable ones by name; of a given one it is that tag alone, with probability 1.

        Raises
        ------
        EngineError
            If a tag is missing and the model has no tagger.
        """
        return tag_words(self.tagger, words, given)

    def read_tagged(self, text: str) -> TaggedSentence | TagDistribution:
        """Read one sentence in which every word, some or none have tags (:mod:`engine.text.mixed_notation` has the
        rules).

        Given tags are kept, missing ones filled in.  If all are given the sentence is simply tagged.
        """
        words, given = read_mixed(text, self.known_tags, self.splits_hyphens)
        tags = [tag for tag in given if tag is not None]
        return TaggedSentence(words, tags) if len(tags) == len(words) else self.tag(words, given)

    def read_text(self, text: str) -> list[tuple[Sentence, TagDistribution]]:
        """The sentences of plain text: tokens with their places in it, and tags
        (:func:`engine.text.tagged_text.sentences_of`).

        For a long text, which would take a kilobyte or more for every word, take the sentences one by one.
        """
        found = sentences_of(text.splitlines(keepends=True), self.splits_hyphens)
        return [(sentence, self.tag([token.text for token in sentence.tokens])) for sentence, _, _ in found]

    @cached_property
    def known_tags(self) -> frozenset[str]:
        """Every tag that the model or its tagger has seen, and punctuation's."""
        own = self.tagger.tags if self.tagger is not None else ()
        return PUNCTUATION_TAGS.union(self.vocabulary.tags, own)

    @property
    def splits_hyphens(self) -> bool:
        """Whether the treebank's hyphens are tokens of their own, as in GUM and CRAFT and not in the Penn Treebank."""
        return HYPHEN_TAG in self.known_tags

    @cached_property
    def word_numbers(self) -> dict[str, int]:
        """Number of every word."""
        return {word: number for number, word in enumerate(self.vocabulary.words)}

    @cached_property
    def tag_numbers(self) -> dict[str, int]:
        """Number of every tag."""
        return {tag: number for number, tag in enumerate(self.vocabulary.tags)}

    @cached_property
    def label_numbers(self) -> dict[str, int]:
        """Number of every label."""
        return {label: number for number, label in enumerate(self.vocabulary.labels)}

    @cached_property
    def triple_numbers(self) -> dict[tuple[str, str, str], int]:
        """Number of every triple."""
        return {triple: number for number, triple in enumerate(self.vocabulary.triples)}

    @cached_property
    def joined_labels(self) -> np.ndarray:
        """For every label whether it is that of a conjunct with its conjunction."""
        return np.array([*(label.endswith(JOINED) for label in self.vocabulary.labels), False], np.uint8)

    @cached_property
    def root_numbers(self) -> dict[tuple[str, str, str], int]:
        """Number of every label as the root's relation <label>."""
        return {(label, "", ""): number for number, label in enumerate(self.vocabulary.labels) if number}

    def known_words(self, sentence: TaggedSentence) -> list[int]:
        """Number of every word proper, −1 for one that the model does not know."""
        words = self.word_numbers
        return [words.get(plain_word(sentence.words[at]), -1) for at in sentence.positions]

    def tag_number(self, tag: str) -> int:
        """Number of a tag; one more than the last for one that the model does not know."""
        return self.tag_numbers.get(tag, len(self.vocabulary.tags))

    def numbers(self, sentence: TaggedSentence) -> list[tuple[int, int]]:
        """Word and tag of every word proper."""
        return [
            (word, self.tag_number(tag))
            for word, tag in zip(self.known_words(sentence), sentence.proper_tags, strict=True)
        ]

    def grammar(self, switches: Switches) -> Grammar:
        """What the kernels need of this model under these switches."""
        if switches not in self._grammars:
            grammar = self._base_grammar._replace(switches=switches)
            if switches.unary_contexts:
                none, steps, levels = self._unaries(grammar.chain_starts, grammar.chain_edges, True)
                grammar = grammar._replace(none=none, chain_steps=steps, unary_levels=levels)
            self._grammars[switches] = grammar
        return self._grammars[switches]

    @cached_property
    def _base_grammar(self) -> Grammar:
        vocabulary, labels = self.vocabulary, self.label_numbers
        # One tag and label more than the model has stand for those it does not know.
        tags = [*vocabulary.tags, None]
        unknown = len(vocabulary.labels)
        starts, chain_labels, chain_next = _chain_tree(vocabulary, labels)
        edges = np.stack([chain_labels, chain_next], axis=1)
        none, steps, _ = self._unaries(starts, edges, False)
        searches, head_tags = self._base_head_rules()
        triples = [[labels[label] for label in triple] for triple in vocabulary.triples]
        return Grammar(
            counts=self.counts,
            switches=Switches(0, 1, 0),
            triples=np.array(triples or [[0] * 3], np.int32),
            tags=np.array(
                [[labels[tag] if tag is not None else unknown, tag in VERB_TAGS, tag in COORDINATORS] for tag in tags],
                np.int32,
            ),
            stacked=np.stack([self._marked(STACKED), self._marked(STACKED * 2), self._visible()], axis=1),
            base_label=labels.get(BASE_LABEL, unknown),
            core_label=labels.get(CORE, NO_LABEL),
            none=none,
            chain_starts=starts,
            chain_edges=edges,
            chain_steps=steps,
            unary_levels=np.zeros((1, 1, 1)),
            head_searches=searches,
            head_tags=head_tags,
            between_classes=between_classes(vocabulary.tags),
        )

    def _unaries(
        self, chain_starts: np.ndarray, chain_edges: np.ndarray, contexts: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``none``, ``chain_steps`` and ``unary_levels`` of a :class:`Grammar`, with contexts to be mixed in or not."""
        tags, labels = len(self.vocabulary.tags) + 1, len(self.vocabulary.labels) + 1
        levels = np.zeros((tags, labels, labels))
        none = np.zeros((tags, labels))
        steps = np.full((tags, max(len(chain_edges), 1)), -np.inf)
        chart_kernel.fill_unary_levels(self.counts, int(contexts), levels)
        chart_kernel.fill_unaries(levels, chain_starts, chain_edges, none, steps)
        return none, steps, levels

    def _marked(self, mark: str) -> np.ndarray:
        """For every label the number of its marked twin."""
        numbers = [self.label_numbers.get(label + mark, NO_LABEL) for label in self.vocabulary.labels]
        return np.array([*numbers, NO_LABEL], np.int32)

    def _visible(self) -> np.ndarray:
        """For every label whether a printed tree shows it as a bracket."""
        tags = set(self.vocabulary.tags)
        shown = [label not in tags and not label.endswith((JOINED, STACKED)) for label in self.vocabulary.labels]
        return np.array([*shown, False], np.int32)

    def _base_head_rules(self) -> tuple[np.ndarray, np.ndarray]:
        """The head rules of NP over tags, each candidate of an ordered search as a search of its own."""
        searches: list[int] = []
        rows: list[list[bool]] = []
        tags = [*self.vocabulary.tags, None]

        def add(search: int, candidates: tuple[str, ...]) -> None:
            searches.append(search)
            rows.append([tag in candidates for tag in tags])

        for rule in self.rules.rules.get(BASE_LABEL, self.rules.rules["*"]):
            left = rule.search.startswith("left")
            if rule.search == "last":
                add(SEARCH_LAST, rule.candidates)
            elif not rule.candidates:
                add(TAKE_LEFT if left else TAKE_RIGHT, ())
            elif rule.search.endswith("any"):
                add(SEARCH_LEFT if left else SEARCH_RIGHT, rule.candidates)
            else:
                for candidate in rule.candidates:
                    add(SEARCH_LEFT if left else SEARCH_RIGHT, (candidate,))
        return np.array(searches, np.int32), np.array(rows, np.uint8)

    def save(self, path: str | Path, packed: bool = False) -> None:
        """Write the model to one file; a packed one is smaller, and takes longer to open."""
        arrays = {"words": _blob(self.vocabulary.words), **{name: getattr(self.counts, name) for name in ARRAYS}}
        vocabulary = {
            "tags": self.vocabulary.tags,
            "labels": self.vocabulary.labels,
            "triples": self.vocabulary.triples,
            "chains": self.vocabulary.chains,
            "phrases": self.vocabulary.phrases,
        }
        metadata = {
            "about": self.metadata,
            "vocabulary": vocabulary,
            "widths": self.counts.widths,
            "head_rules": self.rules.text,
            "tagger": self.tagger.metadata() if self.tagger is not None else None,
            "reranker": self.reranker.metadata if self.reranker is not None else None,
        }
        if self.tagger is not None:
            arrays |= {_TAGGER_PREFIX + name: array for name, array in self.tagger.arrays().items()}
        if self.reranker is not None:
            arrays |= {_RERANKER_PREFIX + name: array for name, array in self.reranker.arrays().items()}
        write_arrays(path, metadata, arrays, packed)

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Open a model file, or a bundled model by its name (``english``, ``classroom``).

        Raise :class:`ModelError` with one clear sentence if it cannot be used.
        """
        path = named_model(path)
        stored, arrays = read_model_file(path)
        try:
            counts = Counts(Widths(*stored["widths"]), *(arrays[name] for name in ARRAYS))
            strings = stored["vocabulary"]
            vocabulary = Vocabulary(
                tuple(_unblob(arrays["words"])),
                tuple(strings["tags"]),
                tuple(strings["labels"]),
                tuple(tuple(triple) for triple in strings["triples"]),
                tuple(tuple(chain) for chain in strings["chains"]),
                tuple(strings["phrases"]),
            )
            rules = parse_head_rules(stored["head_rules"])
            tagger = reranker = None
            if stored["tagger"] is not None:
                tagger = Tagger.from_arrays(_part(arrays, _TAGGER_PREFIX), stored["tagger"])
            if stored["reranker"] is not None:
                reranker = Reranker(**_part(arrays, _RERANKER_PREFIX), metadata=stored["reranker"])
            return cls(vocabulary, counts, stored["about"], rules, tagger, reranker)
        except ModelError as error:
            raise ModelError(f"{path}: {error}; train it anew") from error
        except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
            raise ModelError(f"{path}: the model lacks a part ({error}); train it anew") from error


def load(path: str | Path) -> Model:
    """Open a model file, or a bundled model by its name; the same as :meth:`Model.load`."""
    return Model.load(path)


def _part(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays of one part of a model file."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _chain_tree(vocabulary: Vocabulary, labels: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The unary chains as a tree: nodes 0 to L are the labels themselves, deeper nodes the chains above them."""
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
    for node, edges in enumerate(children):
        for label_number, following in sorted(edges.items()):
            chain_labels.append(label_number)
            chain_next.append(following)
        starts[node + 1] = len(chain_labels)
    return starts, np.array(chain_labels, np.int32), np.array(chain_next, np.int32)


def _blob(strings: tuple[str, ...]) -> np.ndarray:
    return np.frombuffer("\n".join(strings).encode("utf-8", "surrogatepass"), np.uint8)


def _unblob(blob: np.ndarray) -> list[str]:
    text = blob.tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if text else []
