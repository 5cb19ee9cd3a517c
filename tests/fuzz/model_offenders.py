"""Model files of past offences: right checksums over headers and arrays that no training makes."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.fuzz.model_targets import rewritten

Header = dict[str, Any]


def _header(change: Callable[[Header], object]) -> Callable[[], bytes]:
    """A model whose header was changed."""

    def made(header: Header, arrays: dict[str, bytes]) -> None:
        change(header)

    return lambda: rewritten(made)


def _described(**values: Any) -> Callable[[], bytes]:
    """A model whose header says something else of the first array; ``None`` leaves it out."""

    def change(header: Header) -> None:
        item = next(iter(header["arrays"].values()))
        for name, value in values.items():
            item[name] = value
            if value is None:
                del item[name]

    return _header(change)


def _filled(name: str, value: int) -> Callable[[], bytes]:
    """A model in which every value of an array is the same."""

    def made(header: Header, arrays: dict[str, bytes]) -> None:
        kind = np.dtype(header["arrays"][name]["type"])
        limits = np.iinfo(kind)
        count = len(arrays[name]) // kind.itemsize
        arrays[name] = np.full(count, min(max(value, limits.min), limits.max), kind).tobytes()

    return lambda: rewritten(made)


def _emptied(name: str) -> Callable[[], bytes]:
    def made(header: Header, arrays: dict[str, bytes]) -> None:
        arrays[name] = b""
        header["arrays"][name]["shape"] = [0]

    return lambda: rewritten(made)


def _nested(header: Header) -> None:
    value: Any = []
    for _ in range(900):
        value = [value]
    header["metadata"] = value


def _packed_zeros() -> bytes:
    """A small file that says to hold four gigabytes."""
    content = lzma.compress(bytes(1 << 20))

    def made(header: Header, arrays: dict[str, bytes]) -> None:
        header["arrays"]["places"].update(type="|u1", shape=[1 << 32], packed=True)
        arrays["places"] = content

    return rewritten(made)


MODEL_OFFENDERS: Mapping[tuple[str, str], Callable[[], bytes]] = {
    ("model", name): make
    for name, make in {
        "an-array-without-a-type": _described(type=None),
        "an-array-of-objects": _described(type="|O"),
        "an-array-of-no-type": _described(type="nonsense"),
        "a-shape-of-minus-one": _described(shape=[-1]),
        "a-shape-of-two-to-the-63": _described(shape=[2**63]),
        "a-shape-of-strings": _described(shape=["1"]),
        "an-offset-of-two-to-the-63": _described(offset=2**63),
        "a-length-that-is-a-string": _described(length="10"),
        "a-header-nested-deep": _header(_nested),
        "a-header-without-arrays": _header(lambda header: header.pop("arrays")),
        "a-header-without-a-format": _header(lambda header: header.pop("format")),
        "a-size-that-is-a-list": _header(lambda header: header.update(size=[])),
        "widths-of-strings": _header(lambda header: header["metadata"].update(widths=["a", "b", "c"])),
        "tags-that-are-numbers": _header(lambda header: header["metadata"]["vocabulary"].update(tags=[1, 2])),
        "no-vocabulary": _header(lambda header: header["metadata"].pop("vocabulary")),
        "places-far-outside": _filled("places", 2**60),
        "buckets-far-outside": _filled("buckets", 2**60),
        "buckets-below-zero": _filled("buckets", -(2**60)),
        "contexts-far-outside": _filled("contexts", 2**60),
        "records-far-outside": _filled("records", 2**60),
        "records-below-zero": _filled("records", -(2**60)),
        "no-places": _emptied("places"),
        "no-buckets": _emptied("buckets"),
        "no-records": _emptied("records"),
        "a-packed-array-that-says-four-gigabytes": _packed_zeros,
    }.items()
}
"""Made when they are needed, from the bundled small model."""
