"""Hostile variants of a model file, with right checksums: each follows from the file and a seed.

An array is changed in its values, its order, its length, its type or its shape; a value of the header, of the metadata
or of the vocabulary becomes another one; some changes know what kernels do with an array.
"""

from __future__ import annotations

import json
import lzma
import random
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.common.arrays import AnyArray
from engine.gate.array_file import MAGIC

ALIGNMENT = 64
COUNT_ARRAYS = ("places", "buckets", "contexts", "records", "weighted_records")
HOSTILE_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, -(2**63), 10**400, 0.5, -1e308, "", "x", "O", "|O8", ">i8", "../../x", "\0"),
    *("\u202e<b>&\x1b[31m", [], {}, [[]], [[[]]], [-1], [2**62, 2**62], {"type": "<i8"}, "(", "A B", "x" * 10_000),
)
TYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8", ">i4", ">i8", "<c8", "|S4", "<M8")


@dataclass
class ModelParts:
    """A model file taken apart: its header without the arrays, and the arrays, unpacked."""

    metadata: dict[str, Any]
    arrays: dict[str, AnyArray]
    packed: bool

    def copy(self) -> ModelParts:
        """A copy that may be changed; an array is copied by whoever changes it."""
        return ModelParts(json.loads(json.dumps(self.metadata)), dict(self.arrays), self.packed)


def take_apart(path: Path) -> ModelParts:
    """Read a sound model file."""
    data = path.read_bytes()
    length, _ = struct.unpack_from("<II", data, len(MAGIC))
    begin = len(MAGIC) + 8
    header = json.loads(data[begin : begin + length])
    start = -(-(begin + length) // ALIGNMENT) * ALIGNMENT
    arrays: dict[str, AnyArray] = {}
    packed = False
    for name, entry in header["arrays"].items():
        content = data[start + entry["offset"] : start + entry["offset"] + entry["length"]]
        if entry["packed"]:
            content, packed = lzma.decompress(content), True
        arrays[name] = np.frombuffer(content, entry["type"]).reshape(entry["shape"])
    return ModelParts(header["metadata"], arrays, packed)


def put_together(parts: ModelParts, change: Callable[[dict[str, Any]], bytes | None] | None = None) -> bytes:
    """The file of these parts, with right checksums; `change` may change the header, or return another one's text."""
    described: dict[str, Any] = {}
    body = b""
    for name, array in parts.arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        if parts.packed:
            content = lzma.compress(content, preset=0)
        described[name] = {
            "type": array.dtype.str,
            "shape": list(array.shape),
            "offset": len(body),
            "length": len(content),
            "packed": parts.packed,
            "checksum": zlib.crc32(content),
        }
        body += content + b"\0" * (-len(content) % ALIGNMENT)
    header = {"format": 3, "metadata": parts.metadata, "arrays": described, "size": len(body)}
    changed = change(header) if change is not None else None
    text = changed if changed is not None else json.dumps(header).encode("utf-8", "surrogatepass")
    begin = MAGIC + struct.pack("<II", len(text), zlib.crc32(text)) + text
    return begin + b"\0" * (-len(begin) % ALIGNMENT) + body


class Variants:
    """Makes the variants of one model file."""

    def __init__(self, path: Path) -> None:
        self._parts = take_apart(path)

    def variant(self, seed: int) -> tuple[str, bytes]:
        """One variant: what was done, and the file."""
        chance = random.Random(seed)
        parts = self._parts.copy()
        kind = chance.random()
        if kind < 0.7:
            return self._with_other_arrays(parts, chance)
        if kind < 0.85:
            place = change_value(parts.metadata, chance)
            return f"metadata, {place}", put_together(parts)
        done = ""

        def change(header: dict[str, Any]) -> bytes | None:
            nonlocal done
            done, text = _change_header(header, chance)
            return text

        content = put_together(parts, change)
        return f"header, {done}", content

    def _with_other_arrays(self, parts: ModelParts, chance: random.Random) -> tuple[str, bytes]:
        done = []
        names = list(parts.arrays)
        for _ in range(1 if chance.random() < 0.8 else 3):
            name = chance.choice(names)
            if name not in parts.arrays:
                continue
            change = chance.choice(STRUCTURAL if name in COUNT_ARRAYS and chance.random() < 0.3 else CHANGES)
            # What a change before has left may be no place for this one.
            with np.errstate(all="ignore"), suppress(IndexError, KeyError, TypeError, ValueError):
                change(parts, name, chance)
            done.append(f"{name}, {change.__name__.strip('_').replace('_', ' ')}")
        return "; ".join(done), put_together(parts)


def _change_header(header: dict[str, Any], chance: random.Random) -> tuple[str, bytes | None]:
    """Change a header; return what was done, and its text if that is no JSON of it."""
    if chance.random() < 0.2:
        text, what = _broken_text(json.dumps(header).encode(), chance)
        return what, text
    if chance.random() < 0.7:
        name = chance.choice(list(header["arrays"]))
        return f"arrays.{name}.{change_value(header['arrays'][name], chance)}", None
    return change_value(header, chance), None


def change_value(value: Any, chance: random.Random) -> str:
    """Change one value somewhere in what JSON has; return where."""
    place: list[str] = []
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        place.append(str(key))
        if isinstance(value[key], dict | list) and value[key] and chance.random() < 0.85:
            value = value[key]
            continue
        way = chance.randrange(6)
        if way == 0:
            del value[key]
        elif way == 1 and isinstance(value, list):
            value.insert(key, value[chance.randrange(len(value))])
        elif way == 2 and isinstance(value, list):
            value.reverse()
        elif way == 3 and isinstance(value[key], int) and not isinstance(value[key], bool):
            value[key] += chance.choice([-1, 1, 64, -64])
        elif way == 4:
            other = chance.choice(keys)
            value[key], value[other] = value[other], value[key]
        else:
            value[key] = chance.choice(HOSTILE_VALUES)
        return ".".join(place)


def _broken_text(text: bytes, chance: random.Random) -> tuple[bytes, str]:
    way = chance.randrange(5)
    if way == 0:
        return b'{"format": 3, "metadata": ' + b"[" * 100_000, "deeply nested"
    if way == 1:
        at = chance.randrange(len(text))
        return text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :], "a byte of its text"
    if way == 2:
        return text[: chance.randrange(len(text))], "its text is cut"
    if way == 3:
        return text.replace(b'"size"', b'"size": 1e999, "size"', 1), "a number without end"
    return chance.choice(
        [b"", b"null", b"[]", b"{}", b'{"format": 3}', b"\xff\xfe", b"NaN", b"1" * 10_000]
    ), "another text"


def _put(parts: ModelParts, name: str, array: AnyArray) -> None:
    parts.arrays[name] = array


def _values(array: AnyArray, chance: random.Random) -> list[Any]:
    """Values that stand at a limit of the type or of a length."""
    if array.dtype.kind == "f":
        return [np.nan, np.inf, -np.inf, 1e30, -1e30, 0.0, -0.0]
    if array.dtype.kind not in "iu":
        return [0, 1]
    limits = np.iinfo(array.dtype)
    size = array.size
    wanted = [limits.min, limits.max, -1, 0, 1, size, size - 1, size + 1, 2 * size + 1, 2**31 - 1, 2**16 - 1]
    wanted += [1 << chance.randrange(63), chance.randrange(2**62), int(array.flat[chance.randrange(size)])]
    return [value for value in wanted if limits.min <= value <= limits.max]


def _some_values(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name].copy()
    if array.size:
        for _ in range(chance.choice([1, 1, 3, 30, 1000])):
            array.flat[chance.randrange(array.size)] = chance.choice(_values(array, chance))
    _put(parts, name, array)


def _off_by_one(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name].copy()
    if array.size:
        place = chance.choice([0, -1, chance.randrange(array.size)])
        array.flat[place] += np.asarray(1, array.dtype) if chance.random() < 0.5 else np.asarray(-1).astype(array.dtype)
    _put(parts, name, array)


def _all_alike(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    filled = np.frombuffer(bytes([chance.choice([0, 255, 1, 127])]) * array.nbytes, array.dtype)
    _put(parts, name, filled.reshape(array.shape))


def _random_bytes(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    _put(parts, name, np.frombuffer(chance.randbytes(array.nbytes), array.dtype).reshape(array.shape))


def _flipped_bits(parts: ModelParts, name: str, chance: random.Random) -> None:
    data = bytearray(parts.arrays[name].tobytes())
    for _ in range(chance.choice([1, 1, 10, 100])):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    _put(parts, name, np.frombuffer(bytes(data), parts.arrays[name].dtype).reshape(parts.arrays[name].shape))


def _shuffled(parts: ModelParts, name: str, chance: random.Random) -> None:
    _put(parts, name, np.random.default_rng(chance.randrange(2**32)).permutation(parts.arrays[name]))


def _two_exchanged(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name].copy()
    if len(array) > 1:
        first, second = chance.sample(range(len(array)), 2)
        array[[first, second]] = array[[second, first]]
    _put(parts, name, array)


def _cut(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    _put(parts, name, array[: chance.choice([0, 1, len(array) // 2, max(len(array) - 1, 0), max(len(array) - 2, 0)])])


def _longer(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    _put(parts, name, np.concatenate([array, array[: chance.choice([1, 2, len(array)])]]))


def _other_type(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    kind = np.dtype(chance.choice(TYPES))
    if chance.random() < 0.5 and array.nbytes % kind.itemsize == 0:
        _put(parts, name, np.frombuffer(array.tobytes(), kind))
    elif kind.kind in "iufb":
        _put(parts, name, array.astype(kind))


def _other_shape(parts: ModelParts, name: str, chance: random.Random) -> None:
    array = parts.arrays[name]
    shapes = [(-1, 1), (1, -1), (-1,), (1, 1, -1)]
    _put(parts, name, array.reshape(chance.choice(shapes)) if array.size else array.reshape(0, 3))


def _missing(parts: ModelParts, name: str, chance: random.Random) -> None:
    del parts.arrays[name]
    if chance.random() < 0.3:
        parts.arrays[f"{name}x"] = np.zeros(3)


def _swapped(parts: ModelParts, name: str, chance: random.Random) -> None:
    other = chance.choice(list(parts.arrays))
    parts.arrays[name], parts.arrays[other] = parts.arrays[other], parts.arrays[name]


def _vast(parts: ModelParts, name: str, chance: random.Random) -> None:
    if parts.packed:
        _put(parts, name, np.zeros(chance.choice([10**6, 10**7]), parts.arrays[name].dtype))
    else:
        _put(parts, name, np.repeat(parts.arrays[name], 3, axis=0))


def _records_elsewhere(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Contexts that name records at and beyond the end, or each other's."""
    contexts = parts.arrays["contexts"].copy()
    odd = np.flatnonzero(contexts & 1)
    records = len(parts.arrays["records"])
    for place in np.random.default_rng(chance.randrange(2**32)).choice(odd, min(50, len(odd))):
        record = chance.choice([records, records - 1, records - 2, 0, 2**31 - 1, chance.randrange(records)])
        contexts[place] = (contexts[place] >> 32 << 32) | (2 * record + 1)
    _put(parts, "contexts", contexts)


def _long_records(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Records that say they have more outcomes than they have."""
    records = parts.arrays["records"].copy()
    for head in np.random.default_rng(chance.randrange(2**32)).choice(_heads(parts), 20):
        records[head + 1] = chance.choice([-1, 2**31 - 1, len(records), int(records[head + 1]) + 1])
    _put(parts, "records", records)


def _other_outcomes(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Outcomes that no row of scratch has room for."""
    array = "weighted_records" if "weighted_records" in parts.arrays and chance.random() < 0.5 else "records"
    records = parts.arrays[array].copy()
    heads = _heads(parts)
    heads = heads[records[heads + 1] > 0]
    limits = [len(parts.metadata["vocabulary"][kind]) for kind in ("triples", "labels", "phrases")]
    for head in np.random.default_rng(chance.randrange(2**32)).choice(heads, 20):
        records[head + 2] = chance.choice([-1, 5, *limits, *(limit + 1 for limit in limits), 2**31 - 1])
    _put(parts, array, records)


def _full_bucket(parts: ModelParts, name: str, chance: random.Random) -> None:
    """All contexts in one bucket, or none in any."""
    buckets = parts.arrays["buckets"].copy()
    buckets[chance.randrange(len(buckets)) :] = len(parts.arrays["contexts"])
    _put(parts, "buckets", buckets)


def _other_places(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Tables in each other's place, with shifts and widths of others."""
    places = parts.arrays["places"].copy()
    row, column = chance.randrange(len(places)), chance.randrange(3)
    places[row, column] = chance.choice([-1, 0, 31, 32, 63, 64, 2**62, int(places[row - 1, column])])
    _put(parts, "places", places)


def _cyclic_chains(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Chains of unaries that go round, or have many labels."""
    vocabulary = parts.metadata["vocabulary"]
    labels = vocabulary["labels"][1:]
    chain = chance.choice(
        [[labels[0]] * 2, labels[:9], labels[:30], [labels[0], labels[1], labels[0]], [labels[0]], []]
    )
    vocabulary["chains"].append(chain)


def _counts_of_none(parts: ModelParts, name: str, chance: random.Random) -> None:
    """δ of 0, or less than η, in many records."""
    records = parts.arrays["records"].copy()
    records[:: chance.choice([2, 4, 6])] = chance.choice([0, 1, -1])
    _put(parts, "records", records)


def _heads(parts: ModelParts) -> AnyArray:
    """Where records start."""
    contexts = parts.arrays["contexts"]
    heads: AnyArray = (contexts[contexts & 1 == 1] & (2**32 - 1)) >> 1
    return heads


def _large_totals(parts: ModelParts, name: str, chance: random.Random) -> None:
    """δ as large as can be in many records: sound, but nobody's counts."""
    array = "weighted_records" if "weighted_records" in parts.arrays and chance.random() < 0.5 else "records"
    records = parts.arrays[array].copy()
    records[_heads(parts)[chance.randrange(3) :: chance.choice([1, 3, 10])]] = 2**31 - 1
    _put(parts, array, records)


def _exchanged_outcomes(parts: ModelParts, name: str, chance: random.Random) -> None:
    """Other outcomes that there are, where a record has one: each table is sound, but no longer a sum of another."""
    heads = _heads(parts)
    heads = heads[parts.arrays["records"][heads + 1] == 1]
    heads = heads[np.random.default_rng(chance.randrange(2**32)).random(len(heads)) < chance.choice([0.01, 0.3, 1.0])]
    outcome = chance.randrange(5)
    for array in ("records", "weighted_records"):
        if array in parts.arrays:
            records = parts.arrays[array].copy()
            records[heads + 2] = outcome
            _put(parts, array, records)


CHANGES = (
    *(_some_values, _some_values, _off_by_one, _all_alike, _random_bytes, _flipped_bits, _shuffled, _two_exchanged),
    *(_cut, _longer, _other_type, _other_shape, _missing, _swapped, _vast),
)
STRUCTURAL = (
    *(_records_elsewhere, _long_records, _other_outcomes, _full_bucket, _other_places, _cyclic_chains),
    *(_counts_of_none, _large_totals, _exchanged_outcomes, _exchanged_outcomes),
)
