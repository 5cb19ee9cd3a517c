"""A maximum-entropy part-of-speech tagger after Ratnaparkhi (1996), which Collins (1996) takes his tags from, and the
distribution of tags that it gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.common.arguments import expect, number
from engine.common.arrays import AnyArray, FloatArray, Int64Array
from engine.common.errors import ConstraintError, DamagedPart, SentenceError
from engine.gate.checked_json import CheckedValue
from engine.gate.stored_arrays import StoredArray, check_relations, check_types
from engine.structure.constraints import Constraint, FixedTag, describe_constraint
from engine.structure.sentence_layout import MOST_READINGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger import tagging_kernel
from engine.tagger.tagger_layout import ATOMS, BUCKET_BITS, PARTS, TaggerTables, TagSearch
from engine.tagger.training import (
    TAGGER_DEFAULTS,
    TaggerCorpus,
    TaggerCorpusBuilder,
    TaggerOptions,
    code_points,
    fit,
    join,
)
from engine.trees.tree import PUNCTUATION_TAGS, plain_word

# Whether the kernels may read the arrays of a tagger, whoever wrote them.
#
# The kernels look up a feature in its bucket, the weights in the feature's row and the tags of a word in the
# dictionary, and add each weight to the score of its tag; they do not ask whether any of these places is inside its
# array.

ARRAYS = (
    StoredArray("templates", np.int16, "which atoms of which words make a feature, one row a template", dimensions=2),
    StoredArray("buckets", np.uint32, "where the features of every bucket start", into="keys"),
    StoredArray("keys", np.uint32, "lower halves of the features' hashes", rises_in="buckets"),
    StoredArray(
        "row_starts", np.uint32, "where the weights of every feature start",
        length="keys", more=1, into="row_tags", part="tags",
    ),
    StoredArray("row_tags", np.uint16, "the tag of every weight", below="tags"),
    StoredArray("row_weights", np.int16, "the weights", length="row_tags"),
    StoredArray("dictionary_hashes", np.uint64, "hashes of the words of the dictionary", rises=True),
    StoredArray("dictionary_classes", np.uint16, "which tags every word often has", length="dictionary_hashes"),
    StoredArray(
        "dictionary_starts", np.uint32, "where the tags of every word start",
        length="dictionary_hashes", more=1, into="dictionary_tags", part="tags",
    ),
    StoredArray("dictionary_tags", np.uint16, "the tags of words that were seen often", below="tags"),
)  # fmt: skip
"""The arrays of a tagger in a model file, and in :class:`engine.tagger.tagger_layout.TaggerTables`."""
MOST_TAGS, MOST_TEMPLATES, WIDEST_BEAM = 1000, 1000, 100
MOST_WORK = 1 << 20
"""Of one word: each history adds up the weights of all templates, for all tags, and is held against all others.

That of ``english`` is 4,700, and a million takes a millisecond or two."""
LARGEST_SCALE, LARGEST_MARGIN = 1e6, 1e12
"""Of the unit of the weights and of the margin: all sums of weights are numbers then."""
LONGEST_TAG = 1000
_TAG = re.compile(r"[^\s()]+", re.ASCII)


def check_metadata(stored: Mapping[str, Any], templates: int) -> None:
    """Raise :class:`ValueError` unless the values beside the arrays are what a tagger of so many templates needs."""
    value = CheckedValue(stored, "tagger")
    tags = value.member("tags").each(lambda tag: tag.text(LONGEST_TAG), MOST_TAGS)
    if not tags or len(set(tags)) != len(tags) or not all(map(_TAG.fullmatch, tags)):
        raise ValueError("its tags are none, or such as no tree can have")
    beam = value.member("beam").integer(1, WIDEST_BEAM)
    if len(tags) * beam * (templates + beam) > MOST_WORK:
        raise ValueError("it has too many tags and templates for its beam")
    value.member("margin").number(0.0, LARGEST_MARGIN)
    if value.member("scale").number(0.0, LARGEST_SCALE) == 0.0:
        raise ValueError("its scale is 0")
    if (training := value.optional("training")) is not None:
        training.member("words").integer(0)


def check_tables(tables: TaggerTables, tag_count: int) -> None:
    """Raise :class:`ValueError` unless every place that the kernels read is inside its array."""
    templates = tables.templates
    if tag_count < 1:
        raise ValueError("it has no tags")
    if templates.ndim != 2 or templates.shape[1] != 1 + 2 * PARTS or len(templates) > MOST_TEMPLATES:
        raise ValueError("its templates have the wrong shape")
    if len(templates) and int(templates[:, 1::2].max()) >= ATOMS:
        raise ValueError("its templates name unknown atoms")
    if len(tables.buckets) != (1 << BUCKET_BITS) + 1:
        raise ValueError("its buckets are more or fewer than hashes lead to")
    check_relations(ARRAYS, tables._asdict(), {"tags": tag_count})


# A maximum-entropy part-of-speech tagger after Ratnaparkhi (1996), which Collins (1996) takes his tags from.
#
# The parser of Collins (1996) is given its words with tags, and in the last step of section 2.7 with
# the probabilities of all tags of each word.  :meth:`Tagger.tag` answers the first,
# :meth:`Tagger.distribution` the second.
#
# A trained tagger is a handful of arrays and a small JSON object, so that a model file can hold it and
# map it into memory as it is: nothing is unpacked when it is opened.

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
        """Return the tagger whose :meth:`arrays` and :meth:`metadata` these are, read-only or not.

        Raises
        ------
        DamagedPart
            If they are not a tagger's, or a newer one's.
        """
        if metadata.get("format") != TAGGER_FORMAT:
            found = metadata.get("format")
            raise DamagedPart(f"its tagger has format {found!r}, not {TAGGER_FORMAT}")
        try:
            own = {one.name: arrays[one.name] for one in ARRAYS if one.name in arrays}
            check_types(ARRAYS, own)
            check_metadata(metadata, len(arrays["templates"]))
            return cls(TaggerTables(**own), metadata)
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedPart(f"its tagger is damaged: {error}") from error

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that was learnt, as arrays to be stored; they are not to be written to."""
        return dict(self._tables._asdict())

    def metadata(self) -> dict[str, Any]:
        """Return the rest, as a JSON object to be stored beside :meth:`arrays`."""
        return dict(self._metadata)

    def tag(
        self, words: Sequence[str], fixed: Sequence[str | None] | None = None, *, beam: int | None = None
    ) -> list[str]:
        """Return the most probable tags of a sentence.

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
        """Return the most probable tags, and of every word the probabilities of all tags.

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
    """Return the same tables as read-only arrays of the right types, which no kernel will read beyond the end of.

    One kind of array, read-only whether mapped from a file or just trained, means one compilation.
    """
    plain = {}
    for one in ARRAYS:
        converted = np.require(np.asarray(getattr(tables, one.name)), one.type, ["C", "A"]).view()
        converted.setflags(write=False)
        plain[one.name] = converted
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
    for place, (words, tags) in enumerate(sentences, 1):
        if len(words) != len(tags):
            raise SentenceError(f"sentence {place} has {len(words)} words but {len(tags)} tags")
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


# Tags of a sentence as a distribution: P(t_i | S) of every token (section 2.7, model 4).

LEAST = 1e-9
"""A tag that the tagger holds less probable than this, or does not know, counts as so probable where it is forced."""
MOST_LATTICE_TAGS = 150
"""Tags that the chart of a sentence holds, summed over its words; see :func:`prune_lattice`."""
_SHORT, _MOST_EACH = 30, 5
"""Tags of a word of a short sentence on average; one of English has 1.2, and hardly ever more than 2."""
_NEARLY = 100.0

Readings = Sequence[Sequence[tuple[str, float]]]
"""For every word, punctuation left out, the tags that the chart holds, with P(t|S)."""


_MOST_CHANCE = 1.0 + 1e-6
"""Sums of probabilities are rounded."""


@dataclass(frozen=True, slots=True)
class TagDistribution:
    """A sentence whose tags are not settled.

    Attributes
    ----------
    sentence
        The words with their most probable sequence of tags, given tags kept.
    choices
        For every token its possible tags with P(t | S), "given the previous two words are tagged as in the best
        overall sequence of tags", the most probable first.
    given
        Numbers of the tokens whose tag was given: it is their only choice, with probability 1.
    """

    sentence: TaggedSentence
    choices: tuple[tuple[tuple[str, float], ...], ...]
    given: frozenset[int] = frozenset()

    @classmethod
    def of_tagger(
        cls,
        sentence: TaggedSentence,
        choices: tuple[tuple[tuple[str, float], ...], ...],
        given: frozenset[int],
    ) -> TagDistribution:
        """Make one of what the tagger says, which need not be looked at as what others give."""
        made = object.__new__(cls)
        for name, value in (("sentence", sentence), ("choices", choices), ("given", given)):
            object.__setattr__(made, name, value)
        return made

    def __post_init__(self) -> None:
        expect(self.sentence, TaggedSentence, "the words and best tags of a distribution are a TaggedSentence")
        what = "the choices of a token are pairs of a tag and its probability"
        expect(self.choices, Sequence, what)
        if len(self.choices) != len(self.sentence):
            raise SentenceError(f"a sentence of {len(self.sentence)} tokens has choices for {len(self.choices)}")
        for choices in self.choices:
            expect(choices, Sequence, what)
            if not choices:
                raise SentenceError("a token has no tag to choose")
            for choice in choices:
                expect(choice, Sequence, what)
                if len(choice) != 2 or type(choice[0]) is not str:
                    raise SentenceError(what)
                chance = choice[1]
                if not 0.0 < (chance if type(chance) is float else number(chance, "a probability")) <= _MOST_CHANCE:
                    raise SentenceError(f"a probability is above 0 and at most 1, not {chance}")

    def probability(self, token: int, tag: str) -> float:
        """P(tag | S) of a token."""
        return max(dict(self.choices[token]).get(tag, 0.0), LEAST)

    def with_forced(self, constraints: Iterable[Constraint]) -> TagDistribution:
        """Return the distribution with forced tags in the best sequence, where other words look for them (preset 5)."""
        forced = [
            (self.sentence.positions[constraint.position], constraint.tag)
            for constraint in constraints
            if isinstance(constraint, FixedTag) and not constraint.forbid
        ]
        return replace(self, sentence=self.sentence.with_tags(forced)) if forced else self

    def readings(self, factor: float, constraints: Iterable[Constraint] = ()) -> Readings:
        """Return the tags of every word (no punctuation) that are at least 1 / `factor` as probable as its best.

        Which tokens are punctuation is settled by the best sequence, for the words of the parse must not
        depend on it: words choose among tags that are not punctuation's.  A tag that is forced
        stands alone, whatever its probability.
        """
        forced: dict[int, str] = {}
        forbidden: dict[int, set[str]] = {}
        for constraint in constraints:
            if isinstance(constraint, FixedTag):
                token = self.sentence.positions[constraint.position]
                if constraint.forbid:
                    forbidden.setdefault(token, set()).add(constraint.tag)
                elif constraint.tag in PUNCTUATION_TAGS:
                    raise ConstraintError(
                        f"no parse has {describe_constraint(constraint, self.sentence)}, "
                        "because punctuation is not part of the parse"
                    )
                elif forced.setdefault(token, constraint.tag) != constraint.tag:
                    raise ConstraintError(f"only one tag can be forced on `{self.sentence.words[token]}`")
        found: list[Sequence[tuple[str, float]]] = []
        for token in self.sentence.positions:
            choices = self.choices[token]
            # Nearly every word has one tag that leaves the others far behind.
            settled = len(choices) == 1 or choices[1][1] * factor < choices[0][1]
            if settled and choices[0][0] == self.sentence.tags[token] and not forced and not forbidden:
                found.append(choices[:1])
                continue
            found.append(self._chosen(token, factor, forced.get(token), forbidden.get(token, set())))
        return found

    def _chosen(
        self, token: int, factor: float, forced: str | None, forbidden: set[str]
    ) -> Sequence[tuple[str, float]]:
        if forced is not None:
            if forced in forbidden:
                raise ConstraintError(f"`{self.sentence.words[token]}` cannot have the tag {forced} and be without it")
            return [(forced, self.probability(token, forced))]
        best_tag = self.sentence.tags[token]
        choices = [
            (tag, max(probability, LEAST))
            for tag, probability in self.choices[token]
            if tag not in PUNCTUATION_TAGS and tag not in forbidden
        ]
        if not choices:
            word, tags = self.sentence.words[token], ", ".join(sorted(forbidden))
            raise ConstraintError(f"no parse gives `{word}` another tag than {tags}, because no other is possible")
        least = choices[0][1] / factor
        kept = [choice for choice in choices if choice[1] >= least or choice[0] == best_tag]
        return kept[:MOST_READINGS]


def prune_lattice(distribution: TagDistribution, factor: float, most: int = MOST_LATTICE_TAGS) -> TagDistribution:
    """Return the tag lattice of a sentence without its least probable tags,
    if very many are nearly as good as the best.

    Of ordinary sentences one word in six has a second tag worth looking at.  Of what is not English every word
    has several, to a small model dozens, and a chart of a hundred such words would take minutes.

    Parameters
    ----------
    distribution
        The tags of a sentence.
    factor
        The chart holds tags at least 1 / `factor` as probable as a word's best (``Settings.tag_factor``).
    most
        How many of these may be within a factor of 100, summed over the words; if there are more, the chart holds so
        many tags, and in a longer sentence one of every word.  Of a short sentence it holds fewer.
    """
    tokens = distribution.sentence.positions
    if len(tokens) <= _SHORT:
        most = min(most, _MOST_EACH * len(tokens))
    if sum(map(len, distribution.readings(min(factor, _NEARLY)))) <= most:
        return distribution
    readings = distribution.readings(factor)
    spare = sorted(
        (
            (-chance / tags[0][1], token, tag)
            for token, tags in zip(tokens, readings, strict=True)
            for tag, chance in tags
            if tag != distribution.sentence.tags[token]
        ),
    )
    dropped: dict[int, set[str]] = {}
    for _, token, tag in spare[max(most - len(tokens), 0) :]:
        dropped.setdefault(token, set()).add(tag)
    choices = [
        tuple(choice for choice in own if choice[0] not in dropped.get(token, ()))
        for token, own in enumerate(distribution.choices)
    ]
    return TagDistribution.of_tagger(distribution.sentence, tuple(choices), distribution.given)
