"""Training trees as an index: the columns that were counted, and every token, read once and kept in a file.

Nothing of a tree but its columns (:mod:`engine.counts.corpus`) stays in memory: some 40 bytes a word.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.common.array_file import read_arrays, write_arrays
from engine.common.arrays import BoolArray, Int64Array
from engine.common.errors import EngineError, ModelError
from engine.common.files import open_file, remove_abandoned_parts
from engine.common.private_files import cache_folder, note_problem, usable_folder
from engine.common.text_stream import STANDARD_INPUT
from engine.compiled.kernel import use_compiled
from engine.counts.corpus import Corpus, Vocabulary, merge
from engine.counts.counts_layout import CorpusColumns
from engine.tagger.tagged_corpus import TaggerCorpus, join
from engine.training.training import read_files
from engine.trees.head_rules import HeadRules
from engine.trees.tree import PUNCTUATION_TAGS
from engine.trees.treebank import corpus_name, treebank_files

Share = Callable[[float], None]
_FORMAT = 1
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
    """The sentences that hold a word beside punctuation, as the columns do; and which tokens are words."""
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
    """The index of treebanks, from the user's cache folder if it was built before; else built, and kept there.

    An index belongs to the very bytes of its files and to the head rules.  Only one that this user alone can have
    written is read; a cache that cannot be read or written is no reason to fail.
    """
    folder = folder if folder is not None else cache_folder() / "evidence"
    path = folder / f"{_digest(sources, rules)}.trees"
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


def _digest(sources: Sequence[str | Path], rules: HeadRules) -> str:
    digest = hashlib.sha256(f"{_FORMAT}\n{rules.text}".encode())
    for source in sources:
        if str(source) == STANDARD_INPUT:
            continue
        digest.update(f"\n{corpus_name(source)}\n".encode())
        for file in treebank_files([source]):
            try:
                with open_file(Path(file)) as opened:
                    digest.update(hashlib.file_digest(opened, "sha256").digest())
            except OSError as error:
                raise EngineError(f"{file}: cannot be read ({error.strerror or error})") from error
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
