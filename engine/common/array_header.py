"""The header of a model file, held against what it may say before anything else of the file is looked at.

Whoever made the file, what comes out of here is consistent: every array has one of a few types, lies inside the file
beside the others, and is unpacked to no more than a bounded number of bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.common.checked_json import CheckedValue, ValueProblem, load_json

ALIGNMENT = 64
LONGEST_HEADER = 1 << 24
"""That of ``english`` has 93 kB; an index of training trees, which lists every word, may have some megabytes."""
MOST_ARRAYS = 4096
MOST_DIMENSIONS = 4
LARGEST_ARRAY = 1 << 40
"""In bytes; what is not packed must be in the file besides."""
LARGEST_UNPACKED = 1 << 31
"""What all packed arrays of a file may have together when they are unpacked, in bytes."""
UNPACKED_RATIO, UNPACKED_ALWAYS = 16, 1 << 24
"""They may have so many times the bytes of the file, and as many as the second number in any case.

Those of ``english`` have 3.7 times as many, those of a packed ``classroom`` 4.5 times."""
TYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8")
_NAME = re.compile(r"[A-Za-z0-9_/+-]{1,100}")


class OtherFormat(ValueError):
    """The file has another format than this program reads."""


class ArrayEntry(NamedTuple):
    """What the header says of an array.

    Attributes
    ----------
    type, shape
        Of the array itself.
    offset, length
        Where its bytes are, counted from the end of the header, and how many; fewer than it has if it is `packed`.
    packed, checksum
        Whether LZMA packed it, and the CRC-32 of the bytes in the file.
    """

    type: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int
    length: int
    packed: bool
    checksum: int

    @property
    def values(self) -> int:
        """How many values it has."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """How many bytes it has in memory."""
        return self.values * self.type.itemsize


class Header(NamedTuple):
    """The header of a file: its metadata, its arrays by name, and how many bytes follow the header."""

    metadata: dict[str, Any]
    arrays: dict[str, ArrayEntry]
    size: int


def read_header(text: bytes, model_format: int) -> Header:
    """Read the header of a file of this format.

    Raise :class:`ValueProblem` if it is not as it should be, and :class:`OtherFormat` if it is another format's.
    """
    header = load_json(text)
    found = header.member("format").integer()
    if found != model_format:
        raise OtherFormat(f"the model has format {found}, this program reads format {model_format}")
    size = header.member("size").integer(0)
    metadata = header.member("metadata")
    metadata.members()
    described = header.member("arrays").members()
    if len(described) > MOST_ARRAYS:
        raise ValueProblem(f"it names {len(described)} arrays, more than {MOST_ARRAYS}")
    arrays = {name: _entry(name, value) for name, value in described.items()}
    end = 0
    for name, entry in sorted(arrays.items(), key=lambda item: (item[1].offset, item[1].length)):
        if entry.offset < end or entry.offset + entry.length > size:
            raise ValueProblem(f"the place of the array {name} is that of another one, or outside the file")
        end = entry.offset + entry.length
    return Header(metadata.value, arrays, size)


def check_unpacked_size(arrays: Mapping[str, ArrayEntry], file_size: int) -> None:
    """Raise :class:`ValueProblem` if the packed arrays of a file would take more memory than they may."""
    size = sum(entry.bytes for entry in arrays.values() if entry.packed)
    if size > min(LARGEST_UNPACKED, UNPACKED_ALWAYS + UNPACKED_RATIO * file_size):
        raise ValueProblem(f"its packed arrays would take {size:,} bytes, far more than the file has")


def _entry(name: str, value: CheckedValue) -> ArrayEntry:
    if not _NAME.fullmatch(name):
        raise ValueProblem(f"{value.place} is no name of an array")
    kind = np.dtype(value.member("type").choice(TYPES))
    shape = value.member("shape").each(lambda size: size.integer(0, LARGEST_ARRAY), MOST_DIMENSIONS)
    offset = value.member("offset").integer(0)
    if offset % ALIGNMENT:
        raise ValueProblem(f"{value.place}.offset should be a multiple of {ALIGNMENT}")
    entry = ArrayEntry(
        kind,
        shape,
        offset,
        value.member("length").integer(0),
        value.member("packed").flag(),
        value.member("checksum").integer(0, (1 << 32) - 1),
    )
    # Where one number of the shape is 0 there is nothing, but numpy multiplies the others all the same.
    if math.prod(max(size, 1) for size in shape) * kind.itemsize > LARGEST_ARRAY:
        raise ValueProblem(f"{value.place}.shape should have fewer values")
    if not entry.packed and entry.length != entry.bytes:
        raise ValueProblem(f"{value.place}.length should be {entry.bytes}, as type and shape have it")
    return entry
