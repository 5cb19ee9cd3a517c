"""A trained model: count tables with the vocabulary behind their numbers, and its file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Final, Generic
from weakref import WeakValueDictionary

import numpy as np

from engine.common.arguments import expect, expect_texts
from engine.common.arrays import AnyArray, Int64Array, UInt8Array
from engine.common.errors import DamagedPart, EngineError, ModelError
from engine.common.parallel import Result, Task, place_of
from engine.common.resources import named_model
from engine.compiled.kernel import use_compiled
from engine.counts.contexts import between_classes
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import Counts, Switches
from engine.gate.array_file import array_bytes, arrays_of, write_arrays
from engine.gate.checked_json import CheckedValue, ValueProblem
from engine.gate.stored_arrays import StoredArray
from engine.model import counts_file, vocabulary_file
from engine.model.counts_file import counts_arrays, read_counts, stored_counts
from engine.model.file_cache import FileChecks, ModelFile, read_model_file
from engine.model.vocabulary_file import check_about, read_vocabulary, stored_vocabulary
from engine.rerank.generative import ARRAYS as GENERATIVE_ARRAYS
from engine.rerank.generative import GenerativeModel
from engine.rerank.reranker import ARRAYS as RERANKER_ARRAYS
from engine.rerank.reranker import Reranker
from engine.structure.constituents import JOINED, Lexicaliser
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import ARRAYS as TAGGER_ARRAYS
from engine.tagger.tagger import TagDistribution, Tagger
from engine.text.input import Conventions
from engine.text.tagged_text import read_mixed, sentences_of, tag_words
from engine.text.tokeniser import TokenisedSentence
from engine.trees.head_rules import HeadRules, parse_head_rules
from engine.trees.tree import PUNCTUATION_TAGS, plain_word

# A trained model: count tables with the vocabulary behind their numbers, and its file.

_TAGGER_PREFIX = "tagger_"
_RERANKER_PREFIX = "reranker_"
_GENERATIVE_PREFIX = "generative/"
ARRAYS: Mapping[str, tuple[StoredArray, ...]] = {
    "": (*vocabulary_file.ARRAYS, *counts_file.ARRAYS),
    _TAGGER_PREFIX: TAGGER_ARRAYS,
    _RERANKER_PREFIX: RERANKER_ARRAYS,
    _GENERATIVE_PREFIX: GENERATIVE_ARRAYS,
}
"""All arrays of a model file that is not packed: those of every part, by what their names in the file begin with."""
RUN_RECORD = "run"
"""In a model's metadata: when, how long and with how much memory it was trained.  Training the same again gives the
same model but for this, so whoever compares models leaves it out."""
HYPHEN_TAG = "HYPH"
"""The tag that newer treebanks have for the hyphen between two words."""
LONGEST_RULES = 1 << 17
"""Characters of a table of head rules; the project's own has 4,000."""
MOST_FORMS = 1 << 17
"""Forms of words that are remembered with their numbers; with more of them the memory is emptied."""


class _KnownForms(dict[str, int]):
    """Number of every word met so far, in the form in which it was met, given that of a word in its plain form."""

    def __init__(self, number_of: Callable[[str], int]) -> None:
        super().__init__()
        self._number_of = number_of

    def __missing__(self, word: str) -> int:
        if len(self) >= MOST_FORMS:
            self.clear()
        number = self[word] = self._number_of(plain_word(word))
        return number


class Model:
    """Counts of a treebank with the vocabulary, head rules, tagger and re-ranker that belong to them.

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
    generative
        The second model, of which the re-ranker weighs the log probability; ``None`` if there is none.
    file
        The file that it was opened from, as it was then; ``None`` if it was not.  Sent to another process the model
        goes by it, and without one as what a file would hold: never as a pickle.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        counts: Counts,
        metadata: Mapping[str, Any],
        rules: HeadRules,
        tagger: Tagger | None = None,
        reranker: Reranker | None = None,
        generative: GenerativeModel | None = None,
        file: ModelFile | None = None,
    ) -> None:
        self.vocabulary: Final = vocabulary
        self.counts: Final = counts
        # As those of a model from a file are: to the compiler arrays that can be written are another type, and it
        # would compile every kernel again for them.
        for array in counts_arrays(counts).values():
            array.setflags(write=False)
        self.metadata: Final = dict(metadata)
        self.rules: Final = rules
        self.tagger: Final = tagger
        self.reranker: Final = reranker
        self.generative: Final = generative
        self.file: Final = file
        self.lexicaliser = Lexicaliser(rules)
        if file is not None:
            _opened[file.path.absolute(), file.digest] = self

    def __reduce__(self) -> tuple[Callable[..., Model], tuple[object, ...]]:
        """Let the model travel between processes."""
        if self.file is not None:
            return _opened_again, (self.file.path.absolute(), self.file.digest)
        return Model.received, (array_bytes(*self._stored()),)

    @property
    def digest(self) -> str:
        """What tells its file from files with other contents; empty if it has none."""
        return self.file.digest if self.file is not None else ""

    def with_reranker(self, reranker: Reranker | None, generative: GenerativeModel | None = None) -> Model:
        """The same model with this re-ranker, and with this second model in place of its own if one is given."""
        expect(reranker, Reranker | None, "what re-ranks is a Reranker")
        expect(generative, GenerativeModel | None, "a second model is a GenerativeModel")
        second = generative or self.generative
        return Model(self.vocabulary, self.counts, self.metadata, self.rules, self.tagger, reranker, second)

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
        expect(words, Sequence, "words are a list")
        expect_texts(words, "a word is text")
        if given is not None:
            expect(given, Sequence, "given tags are a list")
            expect_texts([tag for tag in given if tag is not None], "a given tag is text")
        return tag_words(self.tagger, words, given)

    def read_tagged(self, text: str) -> TaggedSentence | TagDistribution:
        """Read one sentence in which every word, some or none have tags (:mod:`engine.text.tagged_text` has the
        rules).

        Given tags are kept, missing ones filled in.  If all are given the sentence is simply tagged.
        """
        expect(text, str, "a sentence is text")
        words, given = read_mixed(text, self.known_tags, self.splits_hyphens)
        tags = [tag for tag in given if tag is not None]
        return TaggedSentence(words, tags) if len(tags) == len(words) else self.tag(words, given)

    def read_text(self, text: str) -> list[tuple[TokenisedSentence, TagDistribution]]:
        """The sentences of plain text: tokens with their places in it, and tags
        (:func:`engine.text.tagged_text.sentences_of`).

        For a long text, which would take a kilobyte or more for every word, take the sentences one by one.
        """
        expect(text, str, "what is read is text")
        found = sentences_of(text.splitlines(keepends=True), self.splits_hyphens)
        return [(sentence, self.tag([token.text for token in sentence.tokens])) for sentence, _, _ in found]

    @cached_property
    def known_tags(self) -> frozenset[str]:
        """The tags that the model or its tagger has seen, and punctuation's."""
        own = self.tagger.tags if self.tagger is not None else ()
        return PUNCTUATION_TAGS.union(self.vocabulary.tags, own)

    @property
    def exact(self) -> bool:
        """Whether the counts are all those of the training trees, as the paper's estimates need them.

        Those of a compact model are not (:mod:`engine.counts.tables`).
        """
        return not self.metadata.get("compact")

    def counts_under(self, switches: Switches) -> Counts:
        """The counts that estimates under these switches are made of: as counted, or as preset (5) weighs treebanks."""
        return self.counts.weighted if switches.weighted else self.counts

    @property
    def conventions(self) -> Conventions:
        """What the model says about input, for :mod:`engine.text.input`."""
        return Conventions(self.known_tags, self.tagger is not None, self.splits_hyphens)

    def unknown_tags(self, sentence: TaggedSentence | TagDistribution) -> tuple[int, ...]:
        """Numbers of the tokens whose tag was given and is none that the model knows."""
        if isinstance(sentence, TagDistribution):
            tagged, given = sentence.sentence, sentence.given
        else:
            tagged, given = sentence, frozenset(sentence.positions)
        return tuple(at for at in tagged.positions if at in given and tagged.tags[at] not in self.tag_numbers)

    @property
    def splits_hyphens(self) -> bool:
        """True if the treebank's hyphens are tokens of their own, as in GUM and CRAFT and not in the Penn Treebank."""
        return HYPHEN_TAG in self.known_tags

    @cached_property
    def word_numbers(self) -> dict[str, int]:
        """Number of every word."""
        return {word: number for number, word in enumerate(self.vocabulary.words)}

    @cached_property
    def _known_forms(self) -> _KnownForms:
        return _KnownForms(self._number_of)

    def _number_of(self, word: str) -> int:
        return self.word_numbers.get(word, -1)

    @cached_property
    def _generative_forms(self) -> _KnownForms:
        return _KnownForms(self._generative_number_of)

    def _generative_number_of(self, word: str) -> int:
        assert self.generative is not None
        return int(self.generative.words([self._number_of(word)], [word])[0])

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
    def joined_labels(self) -> UInt8Array:
        """The labels of a conjunct with its conjunction, marked by 1."""
        return np.array([*(label.endswith(JOINED) for label in self.vocabulary.labels), False], np.uint8)

    @cached_property
    def shown_labels(self) -> UInt8Array:
        """The labels of constituents that a tree shows, marked by 1: no tags, no conjunct with its conjunction."""
        tags = set(self.vocabulary.tags)
        shown = [label not in tags and not label.endswith(JOINED) for label in self.vocabulary.labels]
        return np.array([*shown, False], np.uint8)

    @cached_property
    def between_classes(self) -> Int64Array:
        """By tag the bit of its class among what lies between two words (preset 5)."""
        return between_classes(self.vocabulary.tags)

    @cached_property
    def root_numbers(self) -> dict[tuple[str, str, str], int]:
        """Number of every label as the root's relation <label>."""
        return {(label, "", ""): number for number, label in enumerate(self.vocabulary.labels) if number}

    def known_words(self, sentence: TaggedSentence) -> list[int]:
        """Number of every word (no punctuation), −1 for one that the model does not know."""
        known, words = self._known_forms, sentence.words
        return [known[words[at]] for at in sentence.positions]

    def generative_words(self, sentence: TaggedSentence) -> list[int]:
        """Number of every word (no punctuation) as the second model knows it, by class if it is rare."""
        known, words = self._generative_forms, sentence.words
        return [known[words[at]] for at in sentence.positions]

    def tag_number(self, tag: str) -> int:
        """Number of a tag; one more than the last for one that the model does not know."""
        return self.tag_numbers.get(tag, len(self.vocabulary.tags))

    def numbers(self, sentence: TaggedSentence) -> list[tuple[int, int]]:
        """Word and tag of every token but punctuation."""
        return [
            (word, self.tag_number(tag))
            for word, tag in zip(self.known_words(sentence), sentence.proper_tags, strict=True)
        ]

    def save(self, path: str | Path, packed: bool = False) -> None:
        """Write the model to one file; a packed one is much smaller, and unpacked when it is first used.

        Raise :class:`ModelError` if that fails, or if its counts are no sums of one another and cannot be packed so.
        """
        path = _file_name(path)
        if not path.name:
            raise ModelError("the name of the file to write is empty; name one")
        try:
            metadata, arrays = self._stored(packed)
        except ValueError as problem:
            raise ModelError(f"{path}: the model cannot be packed: {problem}; save it as it is") from problem
        write_arrays(path, metadata, arrays, packed)

    def _stored(self, packed: bool = False) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        """Return what a model file holds; raise :class:`ValueError` if it cannot be packed."""
        stored, arrays = stored_counts(self.counts, packed, self.exact)
        vocabulary, arrays["words"] = stored_vocabulary(self.vocabulary)
        metadata: dict[str, Any] = {
            "about": self.metadata,
            "vocabulary": vocabulary,
            "head_rules": self.rules.text,
            "tagger": self.tagger.metadata() if self.tagger is not None else None,
            "reranker": self.reranker.metadata if self.reranker is not None else None,
            "generative": self.generative.metadata if self.generative is not None else None,
            **stored,
        }
        if self.tagger is not None:
            arrays |= {_TAGGER_PREFIX + name: array for name, array in self.tagger.arrays().items()}
        if self.reranker is not None:
            arrays |= {_RERANKER_PREFIX + name: array for name, array in self.reranker.arrays().items()}
        if self.generative is not None:
            arrays |= {_GENERATIVE_PREFIX + name: array for name, array in self.generative.arrays().items()}
        return metadata, arrays

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Open a model file, or a bundled model by its name (``english``, ``classroom``).

        Raise :class:`ModelError` with one clear sentence if it cannot be used.
        """
        path = named_model(_file_name(path))
        checks = FileChecks(path)
        try:
            stored, arrays, file = read_model_file(path, checks.status)
            model = cls._read(CheckedValue(stored), arrays, checks.are_remembered, file)
        except (DamagedPart, ValueProblem) as problem:
            raise ModelError(f"{path}: the model cannot be used: {problem}; train it again") from problem
        checks.remember()
        return model

    @classmethod
    def _read(
        cls, stored: CheckedValue, arrays: Mapping[str, AnyArray], is_checked: bool, file: ModelFile | None = None
    ) -> Model:
        """Return the model of a file's contents; raise :class:`DamagedPart` or :class:`ValueProblem` for bad ones."""
        if "words" not in arrays:
            raise DamagedPart("the array words is missing")
        vocabulary = read_vocabulary(stored.member("vocabulary"), arrays["words"])
        counts = read_counts(stored.value, arrays, None if is_checked else vocabulary)
        about = stored.member("about")
        check_about(about)
        rules = _read_rules(stored.member("head_rules"))
        tagger = reranker = generative = None
        if (part := stored.optional("tagger")) is not None:
            part.members()
            tagger = Tagger.from_arrays(_part(arrays, _TAGGER_PREFIX), part.value)
        if (part := stored.optional("reranker")) is not None:
            part.members()
            reranker = Reranker.from_arrays(_part(arrays, _RERANKER_PREFIX), part.value)
        if (part := stored.optional("generative")) is not None:
            part.members()
            arrays_of = _part(arrays, _GENERATIVE_PREFIX)
            generative = GenerativeModel.from_arrays(arrays_of, part.value, vocabulary)
        return cls(vocabulary, counts, about.value, rules, tagger, reranker, generative, file)

    @classmethod
    def received(cls, content: bytes) -> Model:
        """Open what another process sent in place of a file, checked as a file is."""
        name = "a model that another process sent"
        try:
            stored, arrays = arrays_of(content, name)
            return cls._read(CheckedValue(stored), arrays, False)
        except (DamagedPart, ValueProblem) as problem:
            raise ModelError(f"{name}: it cannot be used: {problem}") from problem


def _file_name(path: str | Path) -> Path:
    """Return the name of a file, which systems cannot have with NUL in it, nor with halves of characters."""
    expect(path, str | PathLike, "the name of a model file is text or a Path")
    try:
        if b"\0" not in os.fsencode(path):
            return Path(os.fsdecode(path))
    except UnicodeEncodeError:
        pass
    raise ModelError(f"{path!r}: no file can have this name; name another")


def load(path: str | Path) -> Model:
    """Open a model file, or a bundled model by its name; the same as :meth:`Model.load`."""
    return Model.load(path)


# How models travel between processes: by path and digest, or as what a file would hold.

_opened: WeakValueDictionary[tuple[Path, str], Model] = WeakValueDictionary()
"""The models of files that are in use in this process."""
_latest: list[Model] = []
"""The model that came last: what is sent one by one, as parses are, need not open it each time."""


def _opened_again(path: Path, digest: str) -> Model:
    """Return the model of a file, which must be as it was where the model comes from."""
    model = _opened.get((path, digest)) or Model.load(place_of(path))
    check_digest(model, digest)
    _latest[:] = [model]
    return model


def check_digest(model: Model, digest: str) -> None:
    """Raise :class:`ModelError` if a model is not of the file that had this digest."""
    if model.file is None or model.file.digest != digest:
        name = model.file.path if model.file is not None else "the model"
        raise ModelError(f"{name}: the model file was changed while it was in use; begin again")


def _part(arrays: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The arrays of one part of a model file."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _read_rules(text: CheckedValue) -> HeadRules:
    """The head rules of a file, which name the line that is wrong if one is."""
    try:
        return parse_head_rules(text.text(LONGEST_RULES))
    except EngineError as error:
        raise DamagedPart(str(error)) from error


# What a worker process is given: where the model is, and what to make of it.


@dataclass(frozen=True, slots=True)
class WorkerFactory(Generic[Task, Result]):
    """Makes the function that does a process's tasks, for :func:`engine.common.parallel.ordered`.

    Attributes
    ----------
    model
        The model's file; every process opens it for itself.
    make
        Makes the function from the loaded model; importable by name, or a ``partial`` of what is.
    digest
        That of the file as the caller has opened it; empty if he has not.  All processes must have the same model.
    """

    model: Path
    make: Callable[[Model], Callable[[Task], Result]]
    digest: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """What workers elsewhere must be given."""
        return (self.model,)

    def __call__(self) -> Callable[[Task], Result]:
        """Load the model; called once in every process, after the kernels were compiled."""
        use_compiled()
        model = Model.load(place_of(self.model))
        if self.digest:
            check_digest(model, self.digest)
        return self.make(model)
