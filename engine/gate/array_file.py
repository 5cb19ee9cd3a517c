"""The model file: arrays and JSON in one file, checksummed, never pickled, its header checked first."""

from __future__ import annotations

import hashlib
import json
import lzma
import math
import mmap
import os
import re
import struct
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from engine.common.arrays import AnyArray
from engine.common.errors import ModelError
from engine.common.files import replaced
from engine.gate.checked_json import CheckedValue, ValueProblem, load_json
from engine.gate.files import open_file
from engine.gate.private_files import NotPrivate, is_others_to_change, is_unchanged, open_private

# The header of a model file, held against what it may say before anything else of the file is looked at.
#
# Whoever made the file, what comes out of here is consistent: every array has one of a few types, lies inside the file
# beside the others, and is unpacked to no more than a bounded number of bytes.

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
"""The first is how many times the bytes of the file they may have; up to the second number of bytes is always allowed.

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


# The model file: arrays and JSON in one file, checksummed, never pickled; those of the cache are mapped into memory.
#
# Layout: eight bytes that name the format, the length and checksum of the header (two 32-bit
# numbers), the header (JSON), then the arrays, each at a multiple of 64 bytes.  The header says of every
# array its type, shape, place, length and checksum.  An array may be packed by LZMA: its length is then not that of its
# values, and it is unpacked into memory when the file is opened.
#
# A file may come from anybody.  Its header is checked first (:mod:`engine.gate.array_file`); what the values of an
# array mean is checked by whoever uses them.

MAGIC = b"PARSEXP\n"
MODEL_FORMAT = 3
_PREFIX = struct.Struct("<II")
_UNPACKERS = 2
_CHUNK = 1 << 22
_UNPACKING_MEMORY = 1 << 26
"""What unpacking one array may take beside the array itself; a file that needs more is not one of ours."""


def write_arrays(
    path: str | Path,
    metadata: Mapping[str, Any],
    arrays: Mapping[str, AnyArray],
    packed: bool = False,
    private: bool = False,
) -> None:
    """Write a model file beside `path` and rename it into place: a failure leaves what was there.

    A `private` one nobody else may read.
    """
    pieces = _pieces(metadata, arrays, packed)
    with (
        replaced(path, ModelError, "the model could not be written", private) as beside,
        beside.open("wb") as file,
    ):
        for piece in pieces:
            file.write(piece)


def array_bytes(metadata: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> bytes:
    """Return the contents that a model file would have, to be sent to another process."""
    return b"".join(_pieces(metadata, arrays, packed=False))


def _pieces(metadata: Mapping[str, Any], arrays: Mapping[str, AnyArray], packed: bool) -> list[bytes | memoryview]:
    """Return what stands in a model file, from its beginning to its end."""
    described: dict[str, Any] = {}
    contents: list[bytes | memoryview] = []
    offset = 0
    for name, array in arrays.items():
        content = lzma.compress(_bytes(array)) if packed else _bytes(array)
        described[name] = {
            "type": array.dtype.str,
            "shape": array.shape,
            "offset": offset,
            "length": len(content),
            "packed": packed,
            "checksum": zlib.crc32(content),
        }
        contents.append(content)
        offset = _aligned(offset + len(content))
    header = json.dumps(
        {"format": MODEL_FORMAT, "metadata": metadata, "arrays": described, "size": offset}, ensure_ascii=False
    ).encode("utf-8", "surrogatepass")
    begin = MAGIC + _PREFIX.pack(len(header), zlib.crc32(header)) + header
    pieces: list[bytes | memoryview] = [begin, bytes(-len(begin) % ALIGNMENT)]
    for content in contents:
        pieces += [content, bytes(-len(content) % ALIGNMENT)]
    return pieces


def read_arrays(
    path: str | Path,
    private: bool = False,
    status: os.stat_result | None = None,
    *,
    installed: bool = False,
    name: str | Path = "",
) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Open a model file: its metadata, and its arrays, read-only.

    It is read as a whole, unless it stays as it is while it is in use: whoever cuts a file short that is mapped into
    memory ends the process that looks there, and whoever writes over it gets past the checks.

    Parameters
    ----------
    path
        The file.
    private
        Whether it is one of our cache, which is read only if nobody but this user can have written it.  Files there are
        replaced or removed, never written over, so arrays that are not packed are views of the file, mapped into
        memory.
    status
        What the system said of the file that is meant: not another's in its place, put there since.
    installed
        Whether it is a part of the installation, and mapped as its code is, unless others can change it.
    name
        What errors call the file, if not by its path.
    """
    path, name = Path(path), Path(name or path)
    try:
        with open_private(path) if private else open_file(path) as file:
            opened = os.fstat(file.fileno())
            if status is not None and not is_unchanged(status, opened):
                raise replaced_meanwhile(name)
            header, start = _read_header(name, file)
            if private or (installed and not is_others_to_change(opened)):
                _verify(name, file, header, start)
                view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            else:
                content = _whole(name, file, start + header.size)
                _verify(name, BytesIO(content), header, start)
                view = memoryview(content)
    except FileNotFoundError:
        raise ModelError(f"{name}: there is no such model file") from None
    except NotPrivate as error:
        raise ModelError(str(error)) from None
    except OSError as error:
        raise ModelError(f"{name}: the model cannot be read ({error.strerror or error})") from error
    return header.metadata, _arrays(name, header, view[start:])


def arrays_of(content: bytes, name: str | Path) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return the metadata and arrays of a model file's contents, which errors call by this name."""
    name = Path(name)
    header, start = _read_header(name, BytesIO(content))
    _verify(name, BytesIO(content), header, start)
    return header.metadata, _arrays(name, header, memoryview(content)[start:])


def _arrays(path: Path, header: Header, view: memoryview) -> dict[str, AnyArray]:
    """Return the arrays that a header tells of, in what follows it."""

    def array(entry: ArrayEntry) -> AnyArray:
        begin = entry.offset
        if entry.packed:
            # No larger than the header says, whatever the file holds.
            unpacker = lzma.LZMADecompressor(memlimit=_UNPACKING_MEMORY)
            try:
                content = unpacker.decompress(view[begin : begin + entry.length], entry.bytes + 1)
            except lzma.LZMAError:
                raise _altered(path) from None
            if len(content) != entry.bytes:
                raise _altered(path)
            flat = np.frombuffer(content, entry.type)
        else:
            flat = np.frombuffer(view, entry.type, entry.values, begin)
        return flat.reshape(entry.shape)

    entries = header.arrays
    if not any(entry.packed for entry in entries.values()):
        return {name: array(entry) for name, entry in entries.items()}
    # Unpacking leaves Python alone meanwhile: two at a time, and a window can be built beside it.
    with ThreadPoolExecutor(_UNPACKERS) as pool:
        return dict(zip(entries, pool.map(array, entries.values()), strict=True))


def _whole(path: Path, file: BinaryIO, size: int) -> bytes:
    """Return the contents of a file that has so many bytes, as they are now."""
    if size > LARGEST_UNPACKED:
        raise ModelError(
            f"{path}: this model is too large to be read into memory, and the cache folder cannot take a copy of it; "
            "make room on its disk, or choose another by PARSE_ENGINE_CACHE"
        )
    file.seek(0)
    return file.read(size)


def replaced_meanwhile(path: Path) -> ModelError:
    """Return the error of a file that is not the one that was looked at before."""
    return ModelError(f"{path}: the model file was replaced while it was opened; open it again")


def is_packed(path: str | Path) -> bool:
    """Return whether some array of a model file is packed."""
    with open_file(Path(path)) as file:
        header, _ = _read_header(Path(path), file)
    return any(entry.packed for entry in header.arrays.values())


def size_in_memory(path: str | Path) -> int:
    """Return how many bytes the arrays of a model file have when they are unpacked."""
    with open_file(Path(path)) as file:
        header, _ = _read_header(Path(path), file)
    return sum(entry.bytes for entry in header.arrays.values())


def header_digest(path: Path) -> str:
    """Return a digest (SHA-256) of a model file's beginning and header, which has the checksums of all arrays."""
    with open_file(path) as file:
        begin = file.read(len(MAGIC) + _PREFIX.size)
        length = _PREFIX.unpack(begin[len(MAGIC) :])[0] if len(begin) == len(MAGIC) + _PREFIX.size else 0
        return hashlib.sha256(begin + file.read(min(length, LONGEST_HEADER))).hexdigest()


def _read_header(path: Path, file: BinaryIO) -> tuple[Header, int]:
    begin = file.read(len(MAGIC) + _PREFIX.size)
    if begin[: len(MAGIC)] != MAGIC[: len(begin)] or len(begin) < len(MAGIC):
        raise ModelError(f"{path}: this is not a model file; make one with `parse-engine train`")
    if len(begin) < len(MAGIC) + _PREFIX.size:
        raise _truncated(path)
    length, checksum = _PREFIX.unpack(begin[len(MAGIC) :])
    file_size = file.seek(0, os.SEEK_END)
    file.seek(len(begin))
    if file_size < len(begin) + length:
        raise _truncated(path)
    try:
        if length > LONGEST_HEADER:
            raise ValueProblem(f"it has {length:,} bytes")
        text = file.read(length)
        if not text or zlib.crc32(text) != checksum:
            raise _altered(path)
        header = read_header(text, MODEL_FORMAT)
        start = _aligned(len(begin) + length)
        if file_size != start + header.size:
            raise _truncated(path) if file_size < start + header.size else _altered(path)
        check_unpacked_size(header.arrays, file_size)
    except ValueProblem as problem:
        raise ModelError(
            f"{path}: the header of the model file is not as it should be ({problem}); copy it again or train it again"
        ) from problem
    except OtherFormat as other:
        raise ModelError(f"{path}: {other}; train it again or update the program") from other
    return header, start


def _verify(path: Path, file: BinaryIO, header: Header, start: int) -> None:
    """Compare every array with its checksum.

    The file is read, not mapped, for this: pages that a sentence never needs stay out of memory.
    """
    buffer = bytearray(_CHUNK)
    for entry in header.arrays.values():
        file.seek(start + entry.offset)
        left = entry.length
        checksum = 0
        while left:
            got = file.readinto(memoryview(buffer)[: min(left, _CHUNK)])  # type: ignore[attr-defined]
            if not got:
                raise _truncated(path)
            checksum = zlib.crc32(memoryview(buffer)[:got], checksum)
            left -= got
        if checksum != entry.checksum:
            raise _altered(path)


def _bytes(array: AnyArray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT


def _truncated(path: Path) -> ModelError:
    return ModelError(f"{path}: the model file is cut short; copy or train it again")


def _altered(path: Path) -> ModelError:
    return ModelError(
        f"{path}: the model file was altered (its checksum does not match); copy it again or train it again"
    )
