"""Arrays of a model file: what each part of it has, declared once, and what must be so of them, whoever wrote the file.

Compiled loops look into these arrays without asking whether a place is inside them.  An array's declaration says all
that can be said of it by itself, or beside one other array; what more a part needs it checks after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.common.arrays import AnyArray
from engine.gate.checked_json import ValueProblem


class StoredArray(NamedTuple):
    """One array of a part of a model file.

    Attributes
    ----------
    name
        What the part calls it; never changed.
    type
        Of its numbers.
    holds
        What it holds, in a phrase.
    dimensions
        How many it has.
    optional
        Whether a file may lack it: one that was written before there was such an array.
    length, more
        The array that it is as long as, and how many numbers more it has.
    into
        The array whose parts it names: it does not decrease, from 0 to that array's length.
    part
        Name of the largest number of values that such a part may have.
    below
        Name of the number that its values are below.
    least
        The least value that it may have.
    rises
        Whether its values increase.
    rises_in
        The array that names the parts within which its values increase.
    within
        How far its values may be from 0; nothing that is no number is.
    """

    name: str
    type: type[np.generic]
    holds: str
    dimensions: int = 1
    optional: bool = False
    length: str = ""
    more: int = 0
    into: str = ""
    part: str = ""
    below: str = ""
    least: int | None = None
    rises: bool = False
    rises_in: str = ""
    within: float | None = None


def check_types(declared: Sequence[StoredArray], arrays: Mapping[str, AnyArray]) -> None:
    """Raise :class:`ValueProblem` unless all arrays are there, none besides, each of its type and dimensions."""
    for one in declared:
        if one.name not in arrays:
            if one.optional:
                continue
            raise ValueProblem(f"the array {one.name} is missing")
        if arrays[one.name].dtype != one.type or arrays[one.name].ndim != one.dimensions:
            raise ValueProblem(f"{one.name} has the wrong type or shape")
    if unknown := set(arrays) - {one.name for one in declared}:
        raise ValueProblem(f"the array {min(unknown)} is one too many")


def check_relations(
    declared: Sequence[StoredArray], arrays: Mapping[str, AnyArray], numbers: Mapping[str, int] | None = None
) -> None:
    """Raise :class:`ValueProblem` unless all arrays, of the right types, are as they were declared.

    `numbers` are those that declarations name.  The lengths of all arrays are right before the values of any are
    looked at.
    """
    known = numbers or {}
    there = [(one, arrays[one.name]) for one in declared if one.name in arrays]
    for one, array in there:
        if one.length and len(array) != len(arrays[one.length]) + one.more:
            raise ValueProblem(f"{one.name} does not have as many values as {one.length} asks for")
    for one, array in there:
        if one.into:
            _check_starts(one, array, len(arrays[one.into]), known)
    for one, array in there:
        if not len(array):
            continue
        if one.least is not None and int(array.min()) < one.least:
            raise ValueProblem(f"{one.name} has a number below {one.least}")
        if one.below and int(array.max()) >= known[one.below]:
            raise ValueProblem(f"{one.name} has a number that is not below that of the {one.below}")
        if one.within is not None and not bool(np.all(np.abs(array) <= one.within)):
            raise ValueProblem(f"{one.name} has a value that is no number, or a very large one")
        if (one.rises or one.rises_in) and not _rises(array, arrays[one.rises_in] if one.rises_in else None):
            raise ValueProblem(f"{one.name} does not increase")


def _check_starts(one: StoredArray, starts: AnyArray, end: int, numbers: Mapping[str, int]) -> None:
    inside = len(starts) > 0 and starts[0] == 0 and starts[-1] == end
    if not inside or bool(np.any(starts[1:] < starts[:-1])):
        raise ValueProblem(f"{one.name} does not fit {one.into}")
    if one.part and int(np.diff(starts).max(initial=0)) > numbers[one.part]:
        raise ValueProblem(f"{one.name} has a part with more values than there are {one.part}")


def _rises(array: AnyArray, starts: AnyArray | None) -> bool:
    """Tell whether all values increase, or those of each part."""
    rising = array[1:] > array[:-1]
    if starts is None:
        return bool(rising.all())
    first = np.zeros(len(array) + 1, bool)
    first[starts] = True
    return bool(np.all(rising | first[1 : len(array)]))
