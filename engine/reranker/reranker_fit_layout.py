"""How lists of parses and the weights that are learnt from them are laid out."""

from __future__ import annotations

from typing import NamedTuple

from engine.common.arrays import FloatArray, Int8Array, Int32Array, Int64Array, UInt16Array


class ParseLists(NamedTuple):
    """Lists of parses to learn from, end to end.

    Most features of a list are those of several of its parses.  So each list names them once, and a parse points to
    them: what is learnt of a list's features is then at hand while its parses are weighed.

    Attributes
    ----------
    list_starts
        Where the parses of each list start; one number more at the end, as in all starts.
    feature_starts, features
        Where the features of each list start, and their numbers: those that tell its parses apart.
    parse_starts, cells, values
        Where the cells of each parse start; which feature of its list each cell is about, and how many times more than
        the first parse of the list this one has it.
    columns
        Of every parse real values of its own, as differences from the first of its list; the first is the parser's
        own log probability.
    gains
        Of every parse what choosing it is worth, in constituents: see :func:`engine.training.parse_lists.gains_of`.
    """

    list_starts: Int64Array
    feature_starts: Int64Array
    features: Int32Array
    parse_starts: Int64Array
    cells: UInt16Array | Int32Array
    values: Int8Array
    columns: FloatArray
    gains: FloatArray


class WeightState(NamedTuple):
    """Weights being learnt.

    Attributes
    ----------
    weights, squares, seen
        Of every feature its weight, its summed squared gradients, and the step at which it was last met.
    column_weights, column_squares
        The same of every column; their pull towards zero is none.
    """

    weights: FloatArray
    squares: FloatArray
    seen: Int64Array
    column_weights: FloatArray
    column_squares: FloatArray


class Cells(NamedTuple):
    """The features of some lists, as :class:`ParseLists` has them, and how many of each list, of each parse there are.

    Attributes
    ----------
    list_sizes
        Parses of every list.
    feature_sizes
        Features of every list.
    cell_sizes
        Cells of every parse.
    cells, values
        As in :class:`ParseLists`.
    """

    list_sizes: Int32Array
    feature_sizes: Int32Array
    cell_sizes: Int32Array
    cells: UInt16Array | Int32Array
    values: Int8Array
