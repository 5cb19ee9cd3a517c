"""Lists of parses to learn from, and the re-ranker fitted to them: its features, and what they weigh."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from engine.common.arrays import AnyArray, FloatArray, Int8Array, Int32Array, Int64Array, UInt16Array, starts_of
from engine.common.errors import Cancelled, EngineError
from engine.compiled.kernel import use_compiled
from engine.rerank import fit_kernel
from engine.rerank.lists_layout import Cells, ParseLists, WeightState
from engine.rerank.reranker import RERANKER_FORMAT, Reranker
from engine.structure.sentence_layout import HASH_BITS

# Lists of parses to learn from: packed into a few arrays, and kept on disk until they are fitted.
#
# Every parse is kept as its difference from the first of its list, and every list names a feature once.  Lists of many
# sentences would fill the memory all the same; so they are written to a file that has no name and is gone with the
# process, however it ends.  How many lists have a feature that tells their parses apart is counted as they come, in a
# table of fixed size in which features may share a place: most of the rare ones need never be sorted.

PLACES = 1 << 24
"""Places of the table in which lists are counted."""
_MOST_COUNTED = 255
_RANGES = 16
_RANGE_SHIFT = HASH_BITS - 4
"""Ranges of hashes whose features are sorted at a time."""


def _no_step(share: float) -> None:
    """Go on."""


class Listed(NamedTuple):
    """One parse of a list.

    Attributes
    ----------
    columns
        Its real values; the first is its log probability.
    matched, proposed, gold
        How many of its constituents the gold tree has, how many it has, and how many the gold tree has.
    features
        The hashes of its features, in any order.
    brackets
        Its constituents as numbers, sorted.
    """

    columns: FloatArray
    matched: int
    proposed: int
    gold: int
    features: Int64Array
    brackets: Int64Array

    @property
    def f1(self) -> float:
        """F1 of its constituents."""
        return 2 * self.matched / max(self.proposed + self.gold, 1)


class Origin(NamedTuple):
    """Where a list comes from: its part, its sentence, and whether its tags are the tagger's (1) or gold (0)."""

    part: int
    sentence: int
    tagger: int


NOWHERE = Origin(0, 0, 0)


class PackedLists(NamedTuple):
    """Some lists, end to end.

    Attributes
    ----------
    origins
        Of every list a row (:class:`Origin`).
    list_sizes
        Parses of every list.
    key_sizes, keys
        Hashes of the features that tell the parses of each list apart.
    cell_sizes, cells, values
        Of every parse the features of its list that it has in other number than the first, and by how many.
    columns
        Of every parse its real values, as differences from those of the first of its list.
    counts
        Of every parse: constituents matched, proposed, gold.
    bracket_sizes, bracket_keys, brackets
        The different constituents of each list, and which of them every parse has, as many as it has proposed.
    """

    origins: Int32Array
    list_sizes: Int32Array
    key_sizes: Int32Array
    keys: Int64Array
    cell_sizes: Int32Array
    cells: UInt16Array | Int32Array
    values: Int8Array
    columns: FloatArray
    counts: Int32Array
    bracket_sizes: Int32Array
    bracket_keys: Int64Array
    brackets: UInt16Array | Int32Array

    def of_cells(self) -> Cells:
        """Return the features alone."""
        return Cells(self.list_sizes, self.key_sizes, self.cell_sizes, self.cells, self.values)


class ListPacker:
    """Collects lists and packs them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[AnyArray]] = {name: [] for name in PackedLists._fields}

    def add(self, parses: Sequence[Listed], origin: Origin = NOWHERE) -> None:
        """Add one list, best first; one that leaves no choice teaches nothing."""
        qualities = [parse.f1 for parse in parses]
        if len(set(qualities)) < 2:
            return
        keys, sizes, cells, values = fit_kernel.differences(
            np.concatenate([parse.features for parse in parses]), starts_of([len(parse.features) for parse in parses])
        )
        columns = np.stack([parse.columns for parse in parses])
        bracket_keys, brackets = np.unique(np.concatenate([parse.brackets for parse in parses]), return_inverse=True)
        self._put(
            origins=np.array([origin], np.int32),
            list_sizes=np.array([len(parses)], np.int32),
            key_sizes=np.array([len(keys)], np.int32),
            keys=keys,
            cell_sizes=sizes,
            cells=cells,
            values=values,
            columns=columns - columns[0],
            counts=np.array([(parse.matched, parse.proposed, parse.gold) for parse in parses], np.int32),
            bracket_sizes=np.array([len(bracket_keys)], np.int32),
            bracket_keys=bracket_keys,
            brackets=brackets.astype(np.int32),
        )

    def _put(self, **arrays: AnyArray) -> None:
        for name, array in arrays.items():
            self._rows[name].append(array)

    def packed(self) -> PackedLists | None:
        """Return all lists that were added; ``None`` if there are none."""
        if not self._rows["list_sizes"]:
            return None
        joined = PackedLists(**{name: np.concatenate(rows) for name, rows in self._rows.items()})
        return joined._replace(
            cells=_small(joined.cells, int(joined.key_sizes.max())),
            brackets=_small(joined.brackets, int(joined.bracket_sizes.max())),
        )


def _small(array: AnyArray, end: int) -> UInt16Array | Int32Array:
    """Numbers under `end` in as few bytes as they need."""
    return array.astype(np.uint16) if end <= 1 << 16 else array.astype(np.int32)


@contextlib.contextmanager
def _written() -> Iterator[None]:
    """Say what is wrong where a file of lists cannot be written."""
    try:
        yield
    except OSError as error:
        problem = error.strerror or error
        raise EngineError(f"lists of parses cannot be written among the temporary files ({problem})") from error


class ListStore:
    """Packed lists in a file without a name, in the system's folder for temporary files."""

    def __init__(self) -> None:
        with _written():
            self._file = cast(BinaryIO, tempfile.TemporaryFile(prefix="parse-explorer-"))  # noqa: SIM115
        self._chunks = 0
        self._lists_with = np.zeros(PLACES, np.uint8)
        self.lists = 0
        self.parses = 0
        self._keys = 0
        self._cells = 0
        self._most_keys = 0
        self._firsts = np.zeros(3, np.int64)

    def __enter__(self) -> ListStore:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def append(self, lists: PackedLists) -> None:
        """Write some lists behind all others."""
        with _written():
            self._file.seek(0, 2)
            for array in lists:
                np.save(self._file, array, allow_pickle=False)
            self._file.flush()
        self._chunks += 1
        self.lists += len(lists.list_sizes)
        self.parses += len(lists.cell_sizes)
        self._keys += len(lists.keys)
        self._cells += len(lists.cells)
        self._most_keys = max(self._most_keys, int(lists.key_sizes.max()))
        self._firsts += lists.counts[starts_of(lists.list_sizes)[:-1]].sum(axis=0)
        borders = np.cumsum(lists.key_sizes)[:-1]
        for keys in np.split(lists.keys, borders):
            places = np.unique(keys % PLACES)
            self._lists_with[places] = np.minimum(self._lists_with[places], _MOST_COUNTED - 1) + 1

    def __iter__(self) -> Iterator[PackedLists]:
        """Yield the lists, in the pieces in which they were written."""
        self._file.seek(0)
        for _ in range(self._chunks):
            # Another reader may have moved the file's place in between.
            chunk = PackedLists(*(np.load(self._file, allow_pickle=False) for _ in PackedLists._fields))
            place = self._file.tell()
            yield chunk
            self._file.seek(place)

    def features(self, cutoff: int, step: Callable[[float], None] = _no_step) -> Int64Array:
        """Hashes of the features that tell parses apart in at least so many lists, sorted.

        `step` is called now and then with the share done, and may stop the work by raising.
        """
        least = min(cutoff, _MOST_COUNTED)
        kept = [np.zeros(0, np.int64)]
        for number, chunk in enumerate(self):
            kept.append(chunk.keys[self._lists_with[chunk.keys % PLACES] >= least])
            step(number / self._chunks / 2)
        keys = np.concatenate(kept)
        del kept
        # Range by range, for sorting all at once would take long and three times the memory.
        ranges = (keys >> _RANGE_SHIFT).astype(np.int8)
        features = []
        for number in range(_RANGES):
            found, counts = np.unique(keys[ranges == number], return_counts=True)
            features.append(found[counts >= cutoff])
            step((1 + number / _RANGES) / 2)
        return np.concatenate(features)

    def load(
        self, features: Int64Array, step: Callable[[float], None] = _no_step, times: Int64Array | None = None
    ) -> ParseLists:
        """Return the lists as they are fitted, with these features alone; for `step` see :meth:`features`.

        If sentences count several `times`, so do the gains of their lists.
        The arrays are made as long as they can get; what is never written takes no memory.
        """
        numbers = np.empty(self._keys, np.int32)
        sizes = np.empty(self.lists, np.int32)
        cells = _small(np.empty(0, np.int32), self._most_keys)
        kept = Cells(
            np.empty(self.lists, np.int32),
            sizes,
            np.empty(self.parses, np.int32),
            np.empty(self._cells, cells.dtype),
            np.empty(self._cells, np.int8),
        )
        columns: list[FloatArray] = []
        gains: list[FloatArray] = []
        f1 = float(2 * self._firsts[0] / max(self._firsts[1] + self._firsts[2], 1))
        at_list = at_parse = at_feature = at_cell = 0
        for chunk in self:
            lists, parses = len(chunk.list_sizes), len(chunk.cell_sizes)
            places = np.searchsorted(features, chunk.keys)
            found = places < len(features)
            found[found] = features[places[found]] == chunk.keys[found]
            room = kept._replace(
                feature_sizes=kept.feature_sizes[at_list : at_list + lists],
                cell_sizes=kept.cell_sizes[at_parse : at_parse + parses],
            )
            kept.list_sizes[at_list : at_list + lists] = chunk.list_sizes
            new_features, new_cells = fit_kernel.keep_features(
                chunk.of_cells(), np.where(found, places, -1).astype(np.int32), numbers, room, at_feature, at_cell
            )
            columns.append(chunk.columns)
            often = np.ones(lists) if times is None else times[chunk.origins[:, Origin._fields.index("sentence")]]
            gains.append(gains_of(chunk.counts, f1) * np.repeat(often, chunk.list_sizes))
            at_list, at_parse = at_list + lists, at_parse + parses
            at_feature, at_cell = at_feature + new_features, at_cell + new_cells
            step(at_list / self.lists)
        return ParseLists(
            starts_of(kept.list_sizes),
            starts_of(kept.feature_sizes),
            numbers[:at_feature],
            starts_of(kept.cell_sizes),
            kept.cells[:at_cell],
            kept.values[:at_cell],
            np.concatenate(columns),
            np.concatenate(gains),
        )


def gains_of(counts: Int32Array, f1: float) -> FloatArray:
    """Return what it is worth to choose each parse: by how many constituents it raises the F1 of all.

    F1 = 2 m / (p + g), of constituents matched, proposed and gold.  Near an F1 of F one more constituent that is
    proposed has to match with a probability over F / 2 to raise it: a parse is worth 2 m − F p.
    """
    matched, proposed, _ = counts.T
    found: FloatArray = 2.0 * matched - f1 * proposed
    return found


# Fitting the re-ranker to lists of parses: which features it has, and what they weigh.

_LISTS_AT_ONCE = 2048
"""Lists between two questions whether to stop: some tenths of a second."""
_FOUND_SHARE, _LOADED_SHARE = 0.3, 0.6
"""Share of the fit that is done when the features are found, and when the lists are loaded."""
_LEAST_OWN = 1e-6


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """How to train a re-ranker; the defaults were chosen on held-out parts of GUM's and CRAFT's training trees."""

    folds: int = 10
    """Parts of the treebank, each parsed by a model of the others."""
    block: int = 64
    """How many neighbouring sentences are in the same part."""
    parses: int = 50
    """Length of the lists."""
    longest: int = 60
    """Sentences of more tokens are left out."""
    cutoff: int = 3
    """A feature that tells parses apart in fewer lists is left out."""
    rate: float = 0.1
    """AdaGrad's step."""
    regularisation: float = 0.3
    """One over the variance of the weights' Gaussian prior."""
    epochs: int = 5
    """Passes over the lists."""
    averaged_epochs: int = 4
    """The weights are the mean of those at the end of this many last epochs."""
    orders: int = 3
    """The weights are the mean over so many random orders of the lists."""
    pruning: float = 0.05
    """A weight nearer to zero than this is dropped, in nats."""
    features: int = 500_000
    """At most so many weights are kept, the weightiest."""
    column_weights: tuple[float, ...] = (0.3, 0.2)
    """What the real values of every parse weigh at first: the parser's own log probability, the second model's."""


RERANKER_DEFAULTS = RerankerOptions()


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt: the weight of every feature and of every column; a parse has probability e^sum in its list."""

    features: FloatArray
    columns: FloatArray


def fit_weights(
    lists: ParseLists,
    features: int,
    options: RerankerOptions,
    step: Callable[[float], None] = lambda share: None,
    chosen: Int64Array | None = None,
) -> Weights:
    """Return the weights that make the expected gain of the lists greatest.

    Parameters
    ----------
    lists
        The lists.
    features
        How many features there are.
    options
        How to train.
    step
        Called several times a second with the share done; may stop the work by raising.
    chosen
        Numbers of the lists to learn from, if not from all.
    """
    columns = lists.columns.shape[1]
    if columns != len(options.column_weights):
        raise EngineError(f"parses have {columns} values of their own, not {len(options.column_weights)}")
    numbers = np.arange(len(lists.list_starts) - 1) if chosen is None else chosen
    summed = Weights(np.zeros(features), np.zeros(columns))
    for seed in range(options.orders):
        done = partial(_share_of, step, seed, options.orders)
        _fit_in_order(lists, numbers, np.random.default_rng(1 + seed), options, summed, done)
    passes = options.orders * options.averaged_epochs
    return Weights(summed.features / passes, summed.columns / passes)


def _share_of(step: Callable[[float], None], number: int, parts: int, share: float) -> None:
    step((number + share) / parts)


def _fit_in_order(
    lists: ParseLists,
    numbers: Int64Array,
    chance: np.random.Generator,
    options: RerankerOptions,
    summed: Weights,
    step: Callable[[float], None],
) -> None:
    """Learn from the lists in random order, and add the weights at the end of the last epochs to `summed`."""
    features, columns = len(summed.features), len(summed.columns)
    state = WeightState(
        np.zeros(features),
        np.ones(features),
        np.zeros(features, np.int64),
        np.array(options.column_weights, np.float64),
        np.ones(columns),
    )
    size = len(numbers)
    decay = options.regularisation / size
    clock = 0
    for number in range(options.epochs):
        order = numbers[chance.permutation(size)]
        for start in range(0, size, _LISTS_AT_ONCE):
            step((number + start / size) / options.epochs)
            some = order[start : start + _LISTS_AT_ONCE]
            _, clock = fit_kernel.epoch(some, lists, state, clock, options.rate, decay)
        state.weights[:] *= np.exp(-decay * (clock - state.seen))
        state.seen[:] = clock
        if number >= options.epochs - options.averaged_epochs:
            summed.features[:] += state.weights
            summed.columns[:] += state.column_weights


def fit(
    store: ListStore,
    options: RerankerOptions = RERANKER_DEFAULTS,
    progress: Callable[[float], None] = lambda share: None,
    cancelled: Callable[[], bool] = lambda: False,
    times: Int64Array | None = None,
) -> Reranker:
    """Return a re-ranker that makes the expected gain of the lists greatest;
    `times` says how often each sentence counts.
    """
    if not store.lists:
        raise EngineError("no sentence has two different parses; there is nothing for a re-ranker to learn")
    use_compiled()
    features = store.features(options.cutoff, partial(_step, progress, cancelled, 0.0, _FOUND_SHARE))
    lists = store.load(features, partial(_step, progress, cancelled, _FOUND_SHARE, _LOADED_SHARE), times)
    step = partial(_step, progress, cancelled, _LOADED_SHARE, 1.0)
    weights = fit_weights(lists, len(features), options, step)
    return reranker_of(features, weights, options, store.lists)


def _step(
    progress: Callable[[float], None], cancelled: Callable[[], bool], first: float, last: float, share: float
) -> None:
    """Tell how far a part of the work is, and stop if all was cancelled."""
    if cancelled():
        raise Cancelled("training was cancelled")
    progress(first + (last - first) * share)


def reranker_of(features: Int64Array, weights: Weights, options: RerankerOptions, lists: int) -> Reranker:
    """Return the re-ranker with the weightiest of the features, in nats of the parser's own log probability."""
    own = max(float(weights.columns[0]), _LEAST_OWN)
    nats = weights.features / own
    columns = weights.columns / own
    columns[0] = 1.0
    least = options.pruning
    if len(nats) > options.features:
        least = max(least, float(np.partition(np.abs(nats), -options.features)[-options.features]))
    chosen = np.abs(nats) >= least
    about = {"format": RERANKER_FORMAT, "lists": lists, "parses": options.parses, "scale": own}
    return Reranker(features[chosen], nats[chosen].astype(np.float32), about, columns)
