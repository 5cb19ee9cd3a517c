"""A maximum-entropy part-of-speech tagger after Ratnaparkhi (1996), which Collins (1996) takes his tags from.

The parser of Collins (1996) is given its words with tags, and in the last step of section 2.7 with
the probabilities of all tags of each word.  :meth:`Tagger.tag` answers the first,
:meth:`Tagger.distribution` the second.

A trained tagger is a handful of arrays and a small JSON object, so that a model file can hold it and
map it into memory as it is: nothing is unpacked when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray, FloatArray, Int64Array
from engine.common.errors import DamagedPart, SentenceError
from engine.tagger import tagging_kernel
from engine.tagger.code_points import code_points
from engine.tagger.tagged_corpus import TaggerCorpus, TaggerCorpusBuilder, join
from engine.tagger.tagger_checks import TYPES, check_metadata, check_tables, check_types
from engine.tagger.tagger_layout import TaggerTables, TagSearch
from engine.tagger.tagger_training import TAGGER_DEFAULTS, TaggerOptions, fit
from engine.trees.penn_forms import plain_word

TAGGER_FORMAT = 1
"""The version of the arrays' meaning: hashes, atoms and templates."""


class Tagger:
    """A trained tagger; made by :func:`train_tagger` or :meth:`from_arrays`, and never changed after.

    Parameters
    ----------
    tables
        Features, weights and dictionary.
    metadata
        ``tags`` (their order is that of the columns of a distribution), ``scale`` (the unit of
        the weights), ``beam``, ``margin`` and whatever else is worth keeping.
    """

    def __init__(self, tables: TaggerTables, metadata: Mapping[str, Any]) -> None:
        self._tables = _checked(tables, len(metadata["tags"]))
        self._metadata = dict(metadata)
        self.tags: tuple[str, ...] = tuple(metadata["tags"])
        """The tag set, in the order of a distribution's columns."""
        self.beam: int = int(metadata["beam"])
        """How many histories the search keeps after each word, unless it is told otherwise."""
        if self.beam < 1:
            raise ValueError(f"a beam of {self.beam} holds nothing")
        self._scale = float(metadata["scale"])
        self._margin = float(metadata["margin"])
        self._numbers = {tag: number for number, tag in enumerate(self.tags)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], metadata: Mapping[str, Any]) -> Tagger:
        """The tagger whose :meth:`arrays` and :meth:`metadata` these are, read-only or not.

        Raises
        ------
        DamagedPart
            If they are not a tagger's, or a newer one's.
        """
        if metadata.get("format") != TAGGER_FORMAT:
            found = metadata.get("format")
            raise DamagedPart(f"its tagger has format {found!r}, not {TAGGER_FORMAT}")
        try:
            check_types(arrays)
            check_metadata(metadata, len(arrays["templates"]))
            return cls(TaggerTables(**{name: arrays[name] for name in TaggerTables._fields}), metadata)
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedPart(f"its tagger is damaged: {error}") from error

    def arrays(self) -> dict[str, AnyArray]:
        """All that was learnt, as arrays to be stored; they are not to be written to."""
        return dict(self._tables._asdict())

    def metadata(self) -> dict[str, Any]:
        """The rest, as a JSON object to be stored beside :meth:`arrays`."""
        return dict(self._metadata)

    def tag(
        self, words: Sequence[str], fixed: Sequence[str | None] | None = None, *, beam: int | None = None
    ) -> list[str]:
        """The most probable tags of a sentence.

        Parameters
        ----------
        words
            The tokens, in Penn Treebank tokenisation.
        fixed
            For each word the tag it must have, or ``None``.
        beam
            How many histories to keep, if not :attr:`beam`.

        Raises
        ------
        SentenceError
            If `fixed` is of another length, or has a tag that the tagger does not know.
        """
        best, _ = self._decode(words, fixed, beam, False)
        return [self.tags[number] for number in best.tolist()]

    def distribution(
        self, words: Sequence[str], fixed: Sequence[str | None] | None = None, *, beam: int | None = None
    ) -> tuple[list[str], FloatArray]:
        """The most probable tags, and of every word the probabilities of all tags.

        Those are P(t | S) of Collins (1996), section 2.7: "given the previous two words are tagged
        as in the best overall sequence of tags".  A fixed word has all its probability on its tag.

        Returns
        -------
        list of str
            The tags, as from :meth:`tag`.
        numpy.ndarray
            float64, a row a word, a column a tag of :attr:`tags`; every row sums to 1.
        """
        best, matrix = self._decode(words, fixed, beam, True)
        return [self.tags[number] for number in best.tolist()], matrix

    def _decode(
        self, words: Sequence[str], fixed: Sequence[str | None] | None, beam: int | None, in_full: bool
    ) -> tuple[Int64Array, FloatArray]:
        if beam is None:
            beam = self.beam
        elif beam < 1:
            raise ValueError(f"a beam of {beam} holds nothing")
        numbers = self._fixed_numbers(words, fixed)
        text = code_points(words)
        with np.errstate(over="ignore"):
            limits = TagSearch(self._scale, beam, self._margin)
            best, matrix = tagging_kernel.decode(self._tables, text, numbers, len(self.tags), limits, in_full)
        return best, matrix

    def _fixed_numbers(self, words: Sequence[str], fixed: Sequence[str | None] | None) -> Int64Array:
        numbers = np.full(len(words), -1, np.int64)
        if fixed is None:
            return numbers
        if len(fixed) != len(words):
            raise SentenceError(f"there are {len(words)} words, but tags for {len(fixed)} were given")
        for position, tag in enumerate(fixed):
            if tag is not None:
                number = self._numbers.get(tag)
                if number is None:
                    raise SentenceError(
                        f"word {position + 1}, {words[position][:40]!r}: the tagger has no tag {tag!r}; "
                        f"it has {' '.join(self.tags)}"
                    )
                numbers[position] = number
        return numbers


def _checked(tables: TaggerTables, tag_count: int) -> TaggerTables:
    """The same tables as read-only arrays of the right types, which no kernel will read beyond the end of.

    One kind of array, read-only whether mapped from a file or just trained, means one compilation.
    """
    plain = {}
    for name, array in tables._asdict().items():
        converted = np.require(np.asarray(array), TYPES[name], ["C", "A"]).view()
        converted.setflags(write=False)
        plain[name] = converted
    checked = TaggerTables(**plain)
    check_tables(checked, tag_count)
    return checked


def train_tagger(
    sentences: Sequence[tuple[Sequence[str], Sequence[str]]],
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    options: TaggerOptions = TAGGER_DEFAULTS,
) -> Tagger:
    """Train a tagger; the same sentences in the same order give the same tagger, byte for byte.

    Parameters
    ----------
    sentences
        Words and their tags.
    progress
        Called with the share done, from 0 to 1.
    cancelled
        Asked several times a second whether to stop.
    options
        How to train; the defaults were chosen on the development parts of GUM and CRAFT.

    Raises
    ------
    SentenceError
        If there is nothing to learn from, or some sentence has more or fewer tags than words.
    Cancelled
        If `cancelled` answered yes.
    """
    columns = TaggerCorpusBuilder()
    for number, (words, tags) in enumerate(sentences):
        if len(words) != len(tags):
            raise SentenceError(f"sentence {number + 1} has {len(words)} words but {len(tags)} tags")
        columns.add(list(map(plain_word, words)), tags)
    return tagger_of(join([columns]), progress or (lambda share: None), cancelled or (lambda: False), options)


def tagger_of(
    corpus: TaggerCorpus,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
    options: TaggerOptions = TAGGER_DEFAULTS,
) -> Tagger:
    """Train a tagger on a corpus; see :func:`train_tagger`."""
    tables, metadata = fit(corpus, progress, cancelled, options)
    return Tagger(tables, {"format": TAGGER_FORMAT, **metadata})
