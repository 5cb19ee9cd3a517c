"""Evidence: with the training treebank at hand, every count opens the sentences that it counted."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from engine.common.arrays import BoolArray, Int32Array, Int64Array, IntArray
from engine.common.errors import Cancelled, EngineError, ModelError, TreeError
from engine.common.files import remove_abandoned_parts
from engine.compiled.kernel import use_compiled
from engine.counts.contexts import describe_outcome, unpack
from engine.counts.corpus import Corpus, Vocabulary, merge
from engine.counts.counting import NO_OUTCOME, CorpusEvents
from engine.counts.counts_layout import ROOT, CorpusColumns, Widths
from engine.counts.specifications_layout import (
    DEPENDENCY_TABLES,
    GAP_RIGHT,
    ROOT_WORD,
    TABLES,
    UNARY_WORD,
    CountedFactor,
)
from engine.counts.tables import table_contexts, table_outcomes
from engine.gate.array_file import read_arrays, write_arrays
from engine.gate.files import open_file
from engine.gate.private_files import cache_folder, note_problem, usable_folder
from engine.gate.text_stream import STANDARD_INPUT
from engine.model.model import Model
from engine.study.counted import (
    EXACT,
    HEAD_ROLE,
    LEFT_ROLE,
    MODIFIER_ROLE,
    OTHER,
    PART,
    RIGHT_ROLE,
    WORD_ROLE,
    Counted,
    EvidenceSentence,
    Instances,
    Match,
)
from engine.tagger.training import TaggerCorpus, join
from engine.training.train import read_files
from engine.trees.head_rules import HeadRules
from engine.trees.tree import PUNCTUATION_TAGS, Tree, clean, plain_word
from engine.trees.treebank import TreebankChunk, corpus_name, openings, treebank_chunks, treebank_files

# Training trees as an index: the columns that were counted, and every token, read once and kept in a file.
#
# Nothing of a tree but its columns (:mod:`engine.counts.corpus`) stays in memory: some 40 bytes a word.

Share = Callable[[float], None]
_FORMAT = 2
_UNUSED_SECONDS = 90 * 24 * 3600.0
_COLUMNS = Corpus.__dataclass_fields__.keys() - {"vocabulary", "columns"}
_TOKEN_ARRAYS = ("word_numbers", "tag_numbers", "starts")


@dataclass(frozen=True, slots=True)
class TrainingTrees:
    """The sentences of some treebank files, as training counts them.

    Attributes
    ----------
    names
        What every source is called: the name of its file or folder.
    borders
        The first sentence of every source; one entry more at the end.
    corpus
        The columns, under the vocabulary of these very trees.
    tokens
        Every token of the same sentences, punctuation included.
    token_of_row
        For every word of the columns which token it is.
    skipped
        How many broken trees were left out.
    """

    names: tuple[str, ...]
    borders: Int64Array
    corpus: Corpus
    tokens: TaggerCorpus
    token_of_row: Int64Array
    skipped: int

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return self.corpus.sentences


def read_trees(
    sources: Sequence[str | Path],
    rules: HeadRules,
    share: Share = lambda done: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> TrainingTrees:
    """Read treebanks into an index; `share` is called with the share that is done.

    Broken trees are left out, as ``train --skip-bad`` does, and counted.

    Raises
    ------
    EngineError
        If a source cannot be read, or holds no sentence.
    Cancelled
        If `cancelled` says so.
    """
    if not sources:
        raise EngineError("no training treebank was named; name those that the model was trained on")
    if STANDARD_INPUT in map(str, sources):
        raise EngineError("evidence needs a treebank in a file: standard input cannot be read twice")
    use_compiled()
    # All sources are looked for before the first is read.
    sizes = [sum(os.path.getsize(file) for file in treebank_files([source])) for source in sources]
    whole = max(sum(sizes), 1)
    parts = []
    sentences = [0]
    skipped = 0
    for number, source in enumerate(sources):
        before = sum(sizes[:number]) / whole

        def step(stage: str, done: float, before: float = before, size: int = sizes[number]) -> None:
            share(before + done * size / whole)

        read = read_files([source], rules, lambda error: None, True, 1, step, cancelled)
        parts.extend(read.parts)
        skipped += read.skipped
        sentences.append(sentences[-1] + sum(part.corpus.sentences for part in read.parts))
    if not sentences[-1]:
        raise EngineError(f"{', '.join(map(str, sources))}: there are no trees in it; name another treebank")
    tokens = join(part.tokens for part in parts if part.tokens is not None)
    corpus = merge(part.corpus for part in parts)
    proper, tokens = _with_words(tokens)
    return TrainingTrees(
        tuple(map(corpus_name, sources)), np.array(sentences), corpus, tokens, np.flatnonzero(proper), skipped
    )


def _with_words(tokens: TaggerCorpus) -> tuple[BoolArray, TaggerCorpus]:
    """Return the sentences that hold a word beside punctuation, as the columns do; and which tokens are words."""
    is_word = np.array([tag not in PUNCTUATION_TAGS for tag in tokens.tags], bool)
    proper = is_word[tokens.tag_numbers]
    before = np.concatenate([[0], np.cumsum(proper)])
    sizes = np.diff(tokens.starts)
    kept = np.diff(before[tokens.starts]) > 0
    rows = np.repeat(kept, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes[kept])])
    chosen = tokens._replace(
        word_numbers=tokens.word_numbers[rows], tag_numbers=tokens.tag_numbers[rows].astype(np.int16), starts=starts
    )
    return proper[rows], chosen


def kept_trees(
    sources: Sequence[str | Path],
    rules: HeadRules,
    share: Share = lambda done: None,
    cancelled: Callable[[], bool] = lambda: False,
    folder: Path | None = None,
) -> TrainingTrees:
    """Return the index of treebanks, from the user's cache folder if it was built before; else built, and kept there.

    An index belongs to the very text of its files and to the head rules.  Only one that this user alone can have
    written is read; a cache that cannot be read or written is no reason to fail.
    """
    folder = folder if folder is not None else cache_folder() / "evidence"
    path = folder / f"{_digest(sources, rules, cancelled)}.trees"
    if path.is_file():
        with contextlib.suppress(ModelError, KeyError, TypeError, ValueError):
            trees = _load(path)
            with contextlib.suppress(OSError):
                os.utime(path)
            share(1.0)
            return trees
    trees = read_trees(sources, rules, share, cancelled)
    if usable_folder(folder) is not None:
        try:
            remove_abandoned_parts(folder)
            _save(trees, path)
            _forget_old(folder)
        except (ModelError, OSError) as error:
            note_problem(str(error))
    return trees


def _digest(sources: Sequence[str | Path], rules: HeadRules, cancelled: Callable[[], bool]) -> str:
    """Return what an index is known by: the text of its files, as far as it would be read, and the head rules.

    What is no treebank is not read to its end, which may be far away.
    """
    digest = hashlib.sha256(f"{_FORMAT}\n{rules.text}".encode())
    for source in sources:
        if str(source) == STANDARD_INPUT:
            continue
        digest.update(f"\n{corpus_name(source)}\n".encode())
        for file in treebank_files([source]):
            try:
                # Not a pipe: it will be read once more.
                open_file(Path(file)).close()
            except OSError as error:
                raise EngineError(f"{file}: cannot be read ({error.strerror or error})") from error
            for chunk in treebank_chunks(file):
                digest.update(chunk.data or chunk.problem.encode())
                if cancelled():
                    raise Cancelled("the work was cancelled")
    return digest.hexdigest()[:32]


def _forget_old(folder: Path) -> None:
    """Remove indexes that nobody has used for three months."""
    for old in folder.glob("*.trees"):
        with contextlib.suppress(OSError):
            if time.time() - old.stat().st_mtime > _UNUSED_SECONDS:
                old.unlink(missing_ok=True)


def _save(trees: TrainingTrees, path: Path) -> None:
    corpus, tokens = trees.corpus, trees.tokens
    arrays = {f"corpus_{name}": column for name, column in corpus.columns._asdict().items()}
    arrays |= {name: getattr(corpus, name) for name in sorted(_COLUMNS)}
    arrays |= {f"token_{name}": getattr(tokens, name) for name in _TOKEN_ARRAYS}
    arrays |= {"borders": trees.borders, "token_of_row": trees.token_of_row}
    vocabulary = corpus.vocabulary
    metadata: dict[str, Any] = {
        "names": trees.names,
        "skipped": trees.skipped,
        "words": vocabulary.words,
        "tags": vocabulary.tags,
        "labels": vocabulary.labels,
        "triples": vocabulary.triples,
        "phrases": vocabulary.phrases,
        "token_words": tokens.words,
        "token_tags": tokens.tags,
    }
    write_arrays(path, metadata, arrays, private=True)


def _load(path: Path) -> TrainingTrees:
    metadata, mapped = read_arrays(path, private=True)
    # Copies: the compiled kernels know the columns of a corpus as arrays that may be written to.
    arrays = {name: np.array(array) for name, array in mapped.items()}
    vocabulary = Vocabulary(
        tuple(metadata["words"]),
        tuple(metadata["tags"]),
        tuple(metadata["labels"]),
        tuple(tuple(triple) for triple in metadata["triples"]),
        (),
        tuple(metadata["phrases"]),
    )
    columns = CorpusColumns(**{name: arrays[f"corpus_{name}"] for name in CorpusColumns._fields})
    corpus = Corpus(vocabulary, columns, **{name: arrays[name] for name in _COLUMNS})
    tokens = TaggerCorpus(
        tuple(metadata["token_words"]),
        tuple(metadata["token_tags"]),
        *(arrays[f"token_{name}"] for name in _TOKEN_ARRAYS),
    )
    return TrainingTrees(
        tuple(metadata["names"]), arrays["borders"], corpus, tokens, arrays["token_of_row"], metadata["skipped"]
    )


# Search for the places of a context: the corpus is counted again, and what has the key asked for is kept.
#
# Nothing is indexed but the columns themselves.  A context names words or tags; only sentences and words that have them
# are counted again, which takes milliseconds for tens of thousands of trees.

ROLES: dict[CountedFactor, tuple[str, str]] = {
    CountedFactor.DEPENDENCY: (MODIFIER_ROLE, HEAD_ROLE),
    CountedFactor.GAP: (LEFT_ROLE, RIGHT_ROLE),
    CountedFactor.UNARY: (WORD_ROLE, WORD_ROLE),
    CountedFactor.ROOT: (WORD_ROLE, WORD_ROLE),
    CountedFactor.SPAN: ("", ""),
}
"""The parts that the two words of a place play."""


class Searcher:
    """Finds contexts in a corpus whose numbers are those of a model."""

    def __init__(self, corpus: Corpus, widths: Widths, weights: Int64Array) -> None:
        self.events = CorpusEvents(corpus, widths)
        self._columns = corpus.columns
        self._widths = widths
        self._weights = weights

    def sentences_of(self, rows: IntArray) -> IntArray:
        """Return the sentence of every row."""
        return self.events.sentence_of[rows]

    def find(self, table: int, keys: tuple[int, ...]) -> Instances:
        """Find every place with one of these keys, whatever happened there."""
        wanted = np.array(sorted(set(keys)), np.int64)
        as_modifier = as_head = self.events.reduced
        if table in DEPENDENCY_TABLES:
            as_modifier, as_head = (self._may_be(role, table, wanted) for role in ("modifier", "head"))
        found = self.events.find(table, wanted, as_modifier, as_head)
        sentences = self.sentences_of(found.first)
        return Instances(
            ROLES[TABLES[table].factor],
            sentences,
            found.rows,
            found.first,
            found.last,
            found.outcomes,
            self._weights[sentences],
        )

    def _may_be(self, role: str, table: int, keys: Int64Array) -> BoolArray:
        """Mark the rows whose word and tag are those of a modifier, or head, in one of these keys."""
        parts = unpack(self._widths, table, keys)
        mask = self.events.reduced
        for name, column in ((role, self._columns.words), (f"{role} tag", self._columns.tags)):
            if name in parts:
                values = np.unique(parts[name])
                mask = mask & (column == values[0] if len(values) == 1 else np.isin(column, values))
        return mask


# Training trees linked to a model: numbered as it numbers things, and checked against it.

_COMPARED = (GAP_RIGHT, UNARY_WORD, ROOT_WORD)
"""Tables with words in them that no model leaves anything out of (:mod:`engine.counts.tables`)."""
_OUTCOME_BITS = 12


class Evidence:
    """The training trees of a model: finds the sentences behind its counts.

    Parameters
    ----------
    model
        The model.
    trees
        The trees that it was counted from, or that a person named as such.
    """

    def __init__(self, model: Model, trees: TrainingTrees) -> None:
        self.model = model
        self.trees = trees
        corpus, unknown = _renumbered(trees.corpus, model.vocabulary)
        weights = np.repeat(_source_weights(model, trees), np.diff(trees.borders))
        self._searcher = Searcher(corpus, model.counts.widths, weights)
        self.match = self._compare(unknown)

    def instances(self, counted: Counted) -> Instances:
        """Return the places that a count counted, in the order of the trees."""
        return self._searcher.find(counted.table, counted.keys).of(counted.outcome)

    def sentence(self, table: int, instances: Instances, index: int) -> EvidenceSentence:
        """One place as its sentence, with its words marked."""
        trees = self.trees
        number = int(instances.sentences[index])
        start, end = trees.tokens.starts[number : number + 2].tolist()
        words = tuple(trees.tokens.words[word] for word in trees.tokens.word_numbers[start:end])
        tags = tuple(trees.tokens.tags[tag] for tag in trees.tokens.tag_numbers[start:end])
        token = trees.token_of_row
        marks = {
            int(token[row]) - start: role
            for row, role in zip(instances.rows[index].tolist(), instances.roles, strict=True)
            if role
        }
        span = None
        if instances.roles[0] == instances.roles[1]:
            span = (int(token[instances.first[index]]) - start, int(token[instances.last[index]]) - start + 1)
        source = int(np.searchsorted(trees.borders, number, side="right")) - 1
        outcome = int(instances.outcomes[index])
        return EvidenceSentence(
            trees.names[source],
            number - int(trees.borders[source]) + 1,
            words,
            tags,
            marks,
            span,
            describe_outcome(self.model.vocabulary, table, outcome),
            int(instances.weights[index]),
        )

    def remark(self, shown: int, *found: Instances) -> str:
        """Explain why the places do not add up to the count that the model has; nothing if they do.

        Weights are explained too: preset (5) may count a tree three times, and all else counts it once.
        """
        places, weighted = sum(map(len, found)), sum(instances.weighted for instances in found)
        remarks = []
        if weighted != places:
            what = "this place" if places == 1 else f"these {places:,} places"
            remarks.append(f"Preset (5) counts {what} {weighted:,} times, by the weights of the model's treebanks.")
        if places != shown:
            if self.match.kind != EXACT:
                remarks.append(f"The model counted {shown:,}. {self.match.sentence}")
            elif shown == 0 and not self.model.exact:
                remarks.append("The model is compact: it left this context out as one that hardly changes an estimate.")
            elif not self.model.exact:
                remarks.append(
                    f"The model counted {shown:,}: it is compact, and left out what hardly changes an estimate."
                )
            else:
                remarks.append(f"The model counted {shown:,}, which these trees do not explain.")
        return " ".join(remarks)

    def _compare(self, unknown: Mapping[str, list[str]]) -> Match:
        """Compare what these trees give with what the model has."""
        about, sentences = self.model.metadata, self.trees.sentences
        total = about.get("sentences", 0)
        for kind, names in unknown.items():
            if names:
                more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
                return _other(f"it does not know their {kind} ‘{names[0]}’{more}")
        agrees, within = True, True
        for table in _COMPARED:
            mine, model = self._totals(table)
            agrees &= bool((mine == model).all())
            within &= bool((mine <= model).all())
        if agrees and sentences == total:
            return Match(EXACT, f"These are the trees that the model was counted from: {sentences:,} sentences.")
        if within and sentences < total:
            return Match(
                PART,
                f"These are {sentences:,} of the {total:,} sentences that the model was counted from, so a count may "
                "be greater than what is shown.",
            )
        if sentences != total:
            return _other(f"they are {sentences:,} sentences, and it was counted from {total:,}")
        return _other("as many sentences, but other counts")

    def _totals(self, table: int) -> tuple[Int64Array, Int64Array]:
        """Count every context and outcome of a table in these trees, and look their counts up in the model."""
        counts = self.model.counts
        events = self._searcher.events.all(table)
        # One more than any label, for a word that is not a root: so its δ is compared as well.
        no_root = (1 << _OUTCOME_BITS) - 1
        outcomes = np.where(events.outcomes == NO_OUTCOME, no_root, events.outcomes)
        mine, places = np.unique((events.keys << _OUTCOME_BITS) | outcomes, return_inverse=True)
        my_totals = np.bincount(places)
        found = table_contexts(counts, table)
        counted = table_outcomes(counts, found)
        theirs = (found.keys[counted.places] << _OUTCOME_BITS) | counted.outcomes
        their_totals = counted.etas.astype(np.int64)
        if table == ROOT_WORD:
            rest = found.deltas.copy()
            np.subtract.at(rest, counted.places, counted.etas)
            others = (found.keys << _OUTCOME_BITS) | no_root
            theirs = np.concatenate([theirs, others[rest > 0]])
            their_totals = np.concatenate([their_totals, rest[rest > 0]])
        everything = np.union1d(mine, theirs)
        both = np.zeros((2, len(everything)), np.int64)
        both[0, np.searchsorted(everything, mine)] = my_totals
        both[1, np.searchsorted(everything, theirs)] = their_totals
        return both[0], both[1]


def _other(reason: str) -> Match:
    return Match(
        OTHER,
        f"These are not the trees that the model was counted from ({reason}): what is shown need not add up to its "
        "counts.",
    )


def _source_weights(model: Model, trees: TrainingTrees) -> Int64Array:
    """Find how many times preset (5) counts the trees of each source; once where the files do not tell."""
    corpora: list[str] = model.metadata.get("corpora", [])
    weights: list[int] = model.metadata.get("weights", [])
    by_name = dict(zip(corpora, weights, strict=False))
    if by_name and len(by_name) == len(corpora) and all(name in by_name for name in trees.names):
        return np.array([by_name[name] for name in trees.names], np.int64)
    if len(trees.names) == len(weights):
        return np.array(weights, np.int64)
    return np.ones(len(trees.names), np.int64)


def _renumbered(corpus: Corpus, vocabulary: Vocabulary) -> tuple[Corpus, dict[str, list[str]]]:
    """Return the columns as a model numbers words, tags, labels and triples; and those that it does not know.

    What it does not know gets the number after its last, for which keys have room.
    """
    own = corpus.vocabulary
    unknown: dict[str, list[str]] = {}
    maps: dict[str, Int32Array] = {}
    for name, kind in (("words", "word"), ("tags", "tag"), ("labels", "label"), ("triples", "relation")):
        numbers = {value: number for number, value in enumerate(getattr(vocabulary, name))}
        values = getattr(own, name)
        maps[name] = np.array([numbers.get(value, len(numbers)) for value in values] or [0], np.int32)
        missing = [value for value in values if value not in numbers]
        unknown[kind] = [f"<{','.join(value)}>" if isinstance(value, tuple) else value for value in missing]
    if not any(unknown.values()) and all(
        getattr(own, name) == getattr(vocabulary, name) for name in ("words", "tags", "labels", "triples", "phrases")
    ):
        return corpus, unknown
    columns = corpus.columns
    relations = np.zeros_like(columns.relations)
    is_root, is_arrow = columns.heads == ROOT, columns.heads >= 0
    relations[is_root] = maps["labels"][columns.relations[is_root]]
    relations[is_arrow] = maps["triples"][columns.relations[is_arrow]]
    renumbered = replace(
        corpus,
        vocabulary=vocabulary,
        columns=columns._replace(
            words=maps["words"][columns.words],
            tags=maps["tags"][columns.tags].astype(columns.tags.dtype),
            relations=relations,
        ),
        unary_labels=maps["labels"][corpus.unary_labels],
        unary_parents=maps["labels"][corpus.unary_parents],
        unary_children=maps["labels"][corpus.unary_children],
        inside_labels=maps["labels"][corpus.inside_labels],
    )
    return renumbered, unknown


# The tree of a training sentence, found again in its file: the index keeps columns and no trees.


def find_tree(source: str | Path, number: int, words: Sequence[str]) -> Tree | None:
    """Return the tree of a sentence, as it stands in its treebank; ``None`` if it is not there any more.

    Parameters
    ----------
    source
        A file or folder.
    number
        Which of its sentences it is, from 1 on.
    words
        All its tokens as they are counted, by which the tree is known: broken trees and those without a word
        are no sentences, so that it may stand further on than its number says.
    """
    wanted = list(words)
    for chunk in _from(source, number - 1):
        for tree in chunk.trees():
            if isinstance(tree, TreeError):
                continue
            cleaned = clean(tree)
            if cleaned is not None and [plain_word(leaf.word or "") for leaf in cleaned.leaves()] == wanted:
                return tree
    return None


def _from(source: str | Path, first: int) -> Iterator[TreebankChunk]:
    """Yield the texts of the trees that open at the beginning of a line, from one of them on."""
    passed = 0
    for file in treebank_files([source]):
        for chunk in treebank_chunks(file):
            places = [*openings(chunk.data), len(chunk.data)]
            for start, end in list(pairwise(places))[max(first - passed, 0) :]:
                yield chunk._replace(data=chunk.data[start:end])
            passed += len(places) - 1
