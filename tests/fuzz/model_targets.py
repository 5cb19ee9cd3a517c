"""The model file: damaged, and made by a stranger with right checksums over hostile contents."""

from __future__ import annotations

import json
import lzma
import struct
import zlib
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from engine.chart.parser import Parser
from engine.export.parse_json import json_line, json_object
from engine.gate.array_file import MAGIC, read_arrays, write_arrays
from engine.model import file_cache as unpacking
from engine.model.counts_file import unpacked
from engine.model.model import Model
from engine.study.browser import Browser
from tests.fuzz import workspace
from tests.fuzz.grammar import HUGE, changed_json
from tests.fuzz.materials import MODELS, prepared_model
from tests.fuzz.target import Target, all_of

_PREFIX = struct.Struct("<II")
_ALIGNMENT = 64
_SENTENCES = (
    "I/PRP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.",
    "The dog, a big one, chased the cats and slept.",
    "Blorp the/DT unknownish 42 words ?",
)
_EXTREMES = (0, 1, -1, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, -(2**63))


class Parts(NamedTuple):
    """A model file taken apart."""

    header: dict[str, Any]
    arrays: dict[str, bytes]


@cache
def _models() -> tuple[Parts, ...]:
    """The bundled small model as it is, and unpacked."""
    packed = (MODELS / "classroom.model").read_bytes()
    path = workspace.input_file(b"", "unpacked.model")
    metadata, arrays = unpacked(*read_arrays(MODELS / "classroom.model"))
    write_arrays(path, metadata, arrays)
    return _parts(packed), _parts(path.read_bytes())


def _parts(data: bytes) -> Parts:
    length, _ = _PREFIX.unpack_from(data, len(MAGIC))
    begin = len(MAGIC) + _PREFIX.size
    header = json.loads(data[begin : begin + length])
    start = _aligned(begin + length)
    arrays = {
        name: data[start + item["offset"] : start + item["offset"] + item["length"]]
        for name, item in header["arrays"].items()
    }
    return Parts(header, arrays)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _written(header: dict[str, Any], contents: list[bytes]) -> bytes:
    """A model file of this header and these contents, whatever they are, the checksum of the header right."""
    text = json.dumps(header, ensure_ascii=True).encode()
    begin = MAGIC + _PREFIX.pack(len(text), zlib.crc32(text)) + text
    padded = [content + b"\0" * (-len(content) % _ALIGNMENT) for content in contents]
    return b"".join((begin, b"\0" * (_aligned(len(begin)) - len(begin)), *padded))


def _hostile(random: Random) -> bytes:
    """A model with right checksums, of which one array or the header is not what it should be."""
    parts = random.choice(_models())
    header = json.loads(json.dumps(parts.header))
    arrays = dict(parts.arrays)
    if random.random() < 0.7:
        for _ in range(random.randint(1, 2)):
            name = random.choice(list(arrays))
            item = header["arrays"][name]
            if not item["packed"]:
                arrays[name] = _hostile_values(random, arrays[name], np.dtype(item["type"]))
                if random.random() < 0.1:
                    _reshape(random, item, arrays, name)
            else:
                arrays[name] = _hostile_packed(random, arrays[name], np.dtype(item["type"]))
    else:
        part = random.choice(("metadata", "arrays", "metadata", "size", "format"))
        header[part] = changed_json(random, header[part])
    return _assembled(parts, header, arrays)


def rewritten(change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> bytes:
    """The bundled small model, unpacked, after a change of its header and arrays, with right checksums."""
    parts = _models()[1]
    header, arrays = json.loads(json.dumps(parts.header)), dict(parts.arrays)
    change(header, arrays)
    return _assembled(parts, header, arrays)


def _assembled(parts: Parts, header: dict[str, Any], arrays: dict[str, bytes]) -> bytes:
    """A model file; what was altered in a description stays, and what follows from the contents is right."""
    offset = 0
    for name, content in arrays.items():
        item = header["arrays"].get(name) if isinstance(header.get("arrays"), dict) else None
        if isinstance(item, dict):
            known = parts.header["arrays"][name]
            changes = {"offset": offset, "length": len(content), "checksum": zlib.crc32(content)}
            item.update({key: value for key, value in changes.items() if item.get(key) == known.get(key)})
        offset = _aligned(offset + len(content))
    if header.get("size") == parts.header["size"]:
        header["size"] = offset
    return _written(header, list(arrays.values()))


def _hostile_values(random: Random, content: bytes, kind: np.dtype[Any]) -> bytes:
    values = np.frombuffer(content, kind).copy()
    if not len(values):
        return content
    numbers = np.random.default_rng(random.getrandbits(32))
    count = random.choice((1, 1, 3, 100, len(values)))
    places = numbers.integers(0, len(values), min(count, len(values)))
    way = random.randrange(6)
    with np.errstate(all="ignore"):
        if way == 0:
            values[places] = np.array(random.choice(_EXTREMES if kind.kind in "iub" else HUGE)).astype(kind)
        elif way == 1:
            values[places] = np.frombuffer(numbers.bytes(len(places) * kind.itemsize), kind)
        elif way == 2:
            numbers.shuffle(values)
        elif way == 3:
            values[:] = values[places[0]]
        elif way == 4:
            values[places] = values[numbers.integers(0, len(values), len(places))]
        else:
            values = values[::-1].copy()
    return values.tobytes()


def _hostile_packed(random: Random, content: bytes, kind: np.dtype[Any]) -> bytes:
    return lzma.compress(_hostile_values(random, lzma.decompress(content), kind), preset=0)


def _reshape(random: Random, item: dict[str, Any], arrays: dict[str, bytes], name: str) -> None:
    """Make an array shorter or longer, and say so."""
    size = np.dtype(item["type"]).itemsize
    count = len(arrays[name]) // size
    wanted = random.choice((0, 1, count // 2, max(count - 1, 0), count + 1, 2 * count))
    arrays[name] = (arrays[name] * 2 + b"\0" * size)[: wanted * size]
    item["shape"] = [len(arrays[name]) // size]


def _damaged(random: Random) -> bytes:
    """A model of which a byte is another, a piece is missing, or the end is cut off."""
    data = (MODELS / "classroom.model").read_bytes()
    # Its header is short, and half of the damage falls there.
    at = random.randrange(len(data) if random.random() < 0.5 else 4096)
    way = random.randrange(4)
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + data[at + random.randint(1, 100) :]
    if way == 2:
        return data[:at] + random.randbytes(random.randint(1, 100)) + data[at:]
    return data[:at] + bytes((data[at] ^ (1 << random.randrange(8)),)) + data[at + 1 :]


def use(data: bytes) -> None:
    """Open a model, parse with it, explain, tag and browse."""
    # No copy of it goes into the user's cache folder.
    unpacking.LEAST_BYTES = 1 << 62
    model = Model.load(workspace.input_file(data, "input.model"))

    def parse(preset: int, sentence: str) -> None:
        json_line(json_object(Parser.preset(model, preset).parse(sentence, n_best=3)))

    all_of(
        *(partial(parse, preset, sentence) for preset in (3, 5) for sentence in _SENTENCES),
        *(partial(_browse, model, query) for query in ("saw", "<PP,*,*>", "NN", "with man")),
    )


def _browse(model: Model, query: str) -> None:
    str(Browser(model).find(query).tables)


def _prepare() -> None:
    prepared_model()
    _models()


MODEL_TARGETS: tuple[Target, ...] = (
    Target("model", _hostile, use, prepare=_prepare, batch=25, weight=0.05),
    Target("damaged-model", _damaged, use, prepare=_prepare, batch=200, weight=0.2),
)
