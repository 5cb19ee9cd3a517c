"""Training the maximum-entropy tagger: the corpus as arrays, which features there are, and what they weigh."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from engine.common.arrays import (
    Float32Array,
    FloatArray,
    Int32Array,
    Int64Array,
    IntArray,
    Numbers,
    UInt32Array,
    UInt64Array,
    starts_of,
)
from engine.common.errors import Cancelled, SentenceError
from engine.compiled.kernel import use_compiled
from engine.tagger import tagger_layout as layout
from engine.tagger import tagging_kernel, training_kernel
from engine.tagger.tagger_layout import CodePoints, TaggerTables
from engine.trees.tree import plain_word

# Words as the tagger's kernels read them: Penn forms, as arrays of code points.


def lower_case(word: str) -> str:
    """`word` in lower case and of the same length (``İ``, which would become two characters, is kept)."""
    lowered = word.lower()
    if len(lowered) == len(word):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in word)


def code_points(words: Sequence[str]) -> CodePoints:
    """Return the Penn forms of `words`, also in lower case, as UTF-32 (which any string can be put in)."""
    words = list(map(plain_word, words))
    # The line feed between words keeps apart what str.lower() looks at around a Greek sigma.
    text = "\n".join(words)
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "\n".join(map(lower_case, words))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.cumsum(lengths + 1) - (lengths + 1)
    return CodePoints(_utf_32(text), _utf_32(lowered), starts, lengths)


def _utf_32(text: str) -> UInt32Array:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))


# What the tagger learns from: a corpus as arrays, one row a token, without any sentence kept in memory.


class TaggerCorpus(NamedTuple):
    """A whole corpus as arrays.

    Attributes
    ----------
    words, tags
        The different words in their Penn forms, and the tags, each sorted.
    word_numbers, tag_numbers
        Word and tag of every token, as numbers into these.
    starts
        Where each sentence begins, and the end.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    word_numbers: Int32Array
    tag_numbers: Int64Array
    starts: Int64Array

    def select(self, sentences: IntArray) -> TaggerCorpus:
        """Return the corpus of some sentences in this order; their words and tags alone are numbered."""
        sizes = np.diff(self.starts)[sentences]
        starts = starts_of(sizes)
        tokens = np.arange(starts[-1]) + np.repeat(self.starts[sentences] - starts[:-1], sizes)
        words, word_numbers = np.unique(self.word_numbers[tokens], return_inverse=True)
        tags, tag_numbers = np.unique(self.tag_numbers[tokens], return_inverse=True)
        return TaggerCorpus(
            tuple(self.words[number] for number in words.tolist()),
            tuple(self.tags[number] for number in tags.tolist()),
            word_numbers.astype(np.int32),
            tag_numbers.astype(np.int64),
            starts,
        )


def _column() -> array[int]:
    return array("i")


@dataclass(slots=True)
class TaggerCorpusBuilder:
    """Collects every token of a corpus, punctuation included."""

    words: Numbers = field(default_factory=Numbers)
    tags: Numbers = field(default_factory=Numbers)
    starts: array[int] = field(default_factory=_column)
    word: array[int] = field(default_factory=_column)
    tag: array[int] = field(default_factory=_column)

    def add(self, words: Sequence[str], tags: Sequence[str]) -> None:
        """Add one sentence, its words as :func:`engine.trees.tree.plain_word` gives them."""
        self.starts.append(len(self.word))
        word_numbers, tag_numbers = self.words, self.tags
        self.word.extend([word_numbers[word] for word in words])
        self.tag.extend([tag_numbers[tag] for tag in tags])


def join(parts: Iterable[TaggerCorpusBuilder]) -> TaggerCorpus:
    """Return the corpus of several parts, in order, under one sorted numbering."""
    parts = list(parts)
    words = tuple(sorted({word for part in parts for word in part.words}))
    tags = tuple(sorted({tag for part in parts for tag in part.tags}))
    word_places = {word: number for number, word in enumerate(words)}
    tag_places = {tag: number for number, tag in enumerate(tags)}
    word_columns, tag_columns, starts = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    base = 0
    for part in parts:
        new_words = np.array([word_places[word] for word in part.words], np.int32)
        new_tags = np.array([tag_places[tag] for tag in part.tags], np.int64)
        word_columns.append(new_words[np.array(part.word, np.int32)])
        tag_columns.append(new_tags[np.array(part.tag, np.int32)])
        starts.append(np.array(part.starts, np.int64) + base)
        base += len(part.word)
    return TaggerCorpus(
        words, tags, np.concatenate(word_columns), np.concatenate(tag_columns), np.append(np.concatenate(starts), base)
    )


# Training the maximum-entropy tagger: which features there are, and what they weigh.
#
# The model is Ratnaparkhi's (1996).  Beyond his templates there is the *ambiguity class* of the next
# two words (which tags a word often has), which stands in for the tags to the right that a search from
# left to right cannot know.


@dataclass(frozen=True)
class TaggerOptions:
    """How to train a tagger."""

    cutoff: int = 2
    """A feature that occurs less often is left out."""
    regularisation: float = 0.4
    """One over the variance of the weights' Gaussian prior."""
    epochs: int = 6
    """Passes over the corpus."""
    averaged_epochs: int = 3
    """The weights are the mean of those at the end of this many last epochs."""
    rate: float = 0.2
    """AdaGrad's step."""
    pruning: float = 0.05
    """A weight nearer to zero than this is dropped."""
    class_minimum: int = 2
    """A word seen this often has an ambiguity class."""
    class_share: float = 0.05
    """The class is made of the tags that a word has at least this often."""
    dictionary_minimum: int = 100
    """For a word seen this often the search considers only tags it was seen with."""
    beam: int = 3
    """Histories that the search keeps after each word."""
    margin: float = 8.0
    """How far below the best a history's log-probability may be."""


TAGGER_DEFAULTS = TaggerOptions()

_Part = int | tuple[int, int]


def _template(*parts: _Part, flags: int = 0) -> list[int]:
    """Return a row of templates; each part is an atom of the word itself, or an atom and a distance."""
    row = [flags]
    for part in parts:
        row += part if isinstance(part, tuple) else (part, 0)
    return row + [-1, 0] * (layout.PARTS - len(parts))


TAGGER_TEMPLATES = [
    _template(),
    # The word: its spelling, beginning, ending and shape.
    _template(layout.WORD),
    _template(layout.LOWER),
    *(_template(layout.LOWER_PREFIX + index) for index in range(4)),
    *(_template(layout.LOWER_SUFFIX + index) for index in range(4)),
    *(_template(layout.SUFFIX + index) for index in range(3)),
    _template(layout.SHAPE),
    _template(layout.FORM, flags=layout.SENTENCE_START),
    # The words around it.
    _template((layout.LOWER, -2)),
    _template((layout.LOWER, -1)),
    _template((layout.LOWER, 1)),
    _template((layout.LOWER, 2)),
    _template((layout.LOWER, -1), layout.LOWER),
    _template(layout.LOWER, (layout.LOWER, 1)),
    _template((layout.FORM, 1)),
    _template((layout.SHAPE, -1), layout.SHAPE, (layout.SHAPE, 1)),
    _template((layout.CLASS, 1)),
    _template((layout.CLASS, 1), (layout.CLASS, 2)),
    _template(layout.LOWER_SUFFIX + 1, (layout.CLASS, 1)),
    # The tags before it.
    _template(flags=layout.PREVIOUS_TAG),
    _template(flags=layout.PREVIOUS_TAG | layout.TAG_BEFORE),
    _template(layout.WORD, flags=layout.PREVIOUS_TAG),
]
"""What a feature is made of.  Chosen by leaving each out, and adding others, on GUM and CRAFT."""

_CHUNK = 4096
"""Words between two questions whether to stop: some hundredths of a second."""
_STREAM = 1996
"""Seed of the order in which words are visited; numpy promises never to change what it leads to."""
_FEATURES_SHARE = 0.1
"""Of the time that training takes, what goes into finding the features."""
_FIRST_SQUARE = 1.0
"""AdaGrad's sums start here, lest the first steps be as long as `rate` whatever the gradient."""


def fit(
    corpus: TaggerCorpus,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
    options: TaggerOptions = TAGGER_DEFAULTS,
) -> tuple[TaggerTables, dict[str, Any]]:
    """Learn the tables and metadata of a tagger; see :func:`engine.tagger.tagger.train_tagger`."""
    # Millions of steps of descent are too much for uncompiled kernels.
    use_compiled()
    tags = corpus.tag_numbers
    if not len(tags):
        raise SentenceError("there is no word to train the tagger on")
    if len(corpus.tags) > np.iinfo(np.uint16).max:
        raise SentenceError(f"there are {len(corpus.tags):,} different tags, more than the tagger has room for")

    def report(share: float) -> None:
        if cancelled():
            raise Cancelled("training was cancelled")
        progress(share)

    report(0.0)
    with np.errstate(over="ignore"):
        tables = _with_dictionary(corpus, options)
        atoms, _ = tagging_kernel.word_atoms(tables, code_points(corpus.words))
        atoms = atoms[corpus.word_numbers]
        tables, counts, features = _with_features(tables, atoms, corpus.starts, tags, options.cutoff, report)
        del atoms
        weights = _descent(features, tags, counts, len(corpus.tags), options, report)
        tables, scale = _with_weights(tables, weights, options.pruning)
    progress(1.0)
    metadata = {
        "tags": list(corpus.tags),
        "scale": scale,
        "beam": options.beam,
        "margin": options.margin,
        "training": {"sentences": len(corpus.starts) - 1, "words": len(tags), **asdict(options)},
    }
    return tables, metadata


def _with_dictionary(corpus: TaggerCorpus, options: TaggerOptions) -> TaggerTables:
    """Tables with all templates, no features, and the dictionary: of words in lower case."""
    seen: defaultdict[str, Counter[int]] = defaultdict(Counter)
    tag_count = len(corpus.tags)
    numbered = corpus.word_numbers.astype(np.int64) * tag_count + corpus.tag_numbers
    pairs, times = np.unique(numbered, return_counts=True)
    for pair, count in zip(pairs.tolist(), times.tolist(), strict=True):
        word, tag = divmod(pair, tag_count)
        seen[lower_case(corpus.words[word])][tag] += count

    entries = [word for word, counts in seen.items() if counts.total() >= options.class_minimum]
    text = code_points(entries)
    hashes = tagging_kernel.span_hashes(text.lower_codes, text.starts, text.lengths)
    # Two words with one hash are one word to the tagger; the first is taken for both.
    hashes, order = np.unique(hashes, return_index=True)

    classes: dict[tuple[int, ...], int] = {}
    numbers, starts, allowed = [], [0], []
    for index in order.tolist():
        counts = seen[entries[index]]
        total = counts.total()
        often = tuple(sorted(tag for tag, count in counts.items() if count >= options.class_share * total))
        numbers.append(min(classes.setdefault(often, len(classes)), np.iinfo(np.uint16).max))
        if total >= options.dictionary_minimum:
            allowed += sorted(counts)
        starts.append(len(allowed))
    return TaggerTables(
        templates=np.array(TAGGER_TEMPLATES, np.int16),
        buckets=np.zeros((1 << layout.BUCKET_BITS) + 1, np.uint32),
        keys=np.zeros(0, np.uint32),
        row_starts=np.zeros(1, np.uint32),
        row_tags=np.zeros(0, np.uint16),
        row_weights=np.zeros(0, np.int16),
        dictionary_hashes=hashes,
        dictionary_classes=np.array(numbers, np.uint16),
        dictionary_starts=np.array(starts, np.uint32),
        dictionary_tags=np.array(allowed, np.uint16),
    )


def _with_features(
    tables: TaggerTables,
    atoms: UInt64Array,
    sentence_starts: Int64Array,
    tags: Int64Array,
    cutoff: int,
    report: Callable[[float], None],
) -> tuple[TaggerTables, FloatArray, Int32Array]:
    """Tables that know every feature seen `cutoff` times, those counts, and the features of each word.

    The hashes are made twice, template by template: they would take more memory than all else.
    """
    names, counts = [], []
    steps = 2 * len(tables.templates)
    for template in range(len(tables.templates)):
        report(_FEATURES_SHARE * template / steps)
        found = training_kernel.template_features(tables.templates, template, atoms, sentence_starts, tags)
        name, count = np.unique(found[found != 0], return_counts=True)
        names.append(name[count >= cutoff])
        counts.append(count[count >= cutoff])
    known, inverse = np.unique(np.concatenate(names), return_inverse=True)
    occurrences = np.asarray(np.bincount(inverse, np.concatenate(counts), len(known)), np.float64)
    tables = _indexed(tables, known)

    features = np.empty((len(tags), len(tables.templates)), np.int32)
    for template in range(len(tables.templates)):
        report(_FEATURES_SHARE * (len(tables.templates) + template) / steps)
        found = training_kernel.template_features(tables.templates, template, atoms, sentence_starts, tags)
        training_kernel.find_features(tables.buckets, tables.keys, found, features[:, template])
    return tables, occurrences, features


def _indexed(tables: TaggerTables, names: UInt64Array) -> TaggerTables:
    """Return the tables with these features, given by their hashes in ascending order."""
    every_bucket = np.arange((1 << layout.BUCKET_BITS) + 1, dtype=np.uint64)
    return tables._replace(
        buckets=np.searchsorted(names >> np.uint64(32), every_bucket).astype(np.uint32),
        keys=(names & np.uint64(0xFFFFFFFF)).astype(np.uint32),
    )


def _descent(
    features: Int32Array,
    tags: Int64Array,
    counts: FloatArray,
    tag_count: int,
    options: TaggerOptions,
    report: Callable[[float], None],
) -> Float32Array:
    """Return the weights that :func:`engine.tagger.training_kernel.descend` arrives at, averaged.

    Every feature has a weight for every tag, not only (as in Ratnaparkhi 1996) for the tags it was
    seen with: that a feature was often seen but never with a certain tag is evidence too.
    """
    weights = np.zeros((len(counts), tag_count), np.float32)
    squares = np.full_like(weights, _FIRST_SQUARE)
    mean = np.zeros_like(weights)
    decay = (options.regularisation / counts).astype(np.float32)
    rate = np.float32(options.rate)
    stream = np.random.RandomState(_STREAM)
    averaged = min(options.averaged_epochs, options.epochs)
    total = len(tags) * options.epochs
    for epoch in range(options.epochs):
        order = stream.permutation(len(tags))
        for start in range(0, len(tags), _CHUNK):
            report(_FEATURES_SHARE + (1 - _FEATURES_SHARE) * (epoch * len(tags) + start) / total)
            training_kernel.descend(order[start : start + _CHUNK], features, tags, weights, squares, decay, rate)
        if epoch >= options.epochs - averaged:
            mean += weights
    mean /= np.float32(averaged)
    return mean


def _with_weights(tables: TaggerTables, weights: Float32Array, pruning: float) -> tuple[TaggerTables, float]:
    """Return the tables with the weights that matter, as whole numbers, and the unit they are in.

    Adding a constant to a feature's weights for all tags changes no probability.  Each
    feature's median is made zero, and with it most of its weights; what is then near zero goes.
    """
    weights = weights - np.median(weights, axis=1, keepdims=True)
    kept = np.abs(weights) >= pruning
    per_feature = kept.sum(axis=1)
    used = per_feature > 0
    _, columns = np.nonzero(kept)
    values = weights[kept].astype(np.float64)
    scale = float(np.abs(values).max(initial=0.0)) / np.iinfo(np.int16).max or 1.0

    buckets = np.repeat(np.arange(1 << layout.BUCKET_BITS, dtype=np.uint64), np.diff(tables.buckets))
    names = (buckets << np.uint64(32)) | tables.keys
    tables = _indexed(tables, names[used])
    return (
        tables._replace(
            row_starts=np.concatenate([[0], np.cumsum(per_feature[used])]).astype(np.uint32),
            row_tags=columns.astype(np.uint16),
            row_weights=np.rint(values / scale).astype(np.int16),
        ),
        scale,
    )
