"""Arrays of a model file: one declaration each, by which they are checked and the manual describes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.gate.array_file import read_arrays
from engine.gate.checked_json import ValueProblem
from engine.gate.stored_arrays import StoredArray, check_relations, check_types
from engine.model.model import ARRAYS, Model

MANUAL = Path(__file__).parents[2] / "resources" / "manual" / "formats.md"
DECLARED = (
    StoredArray("starts", np.uint32, "where rows start", length="names", more=1, into="tags", part="tags"),
    StoredArray("names", np.int64, "names", least=0, below="names", rises=True),
    StoredArray("tags", np.uint16, "tags", below="tags", rises_in="starts"),
    StoredArray("weights", np.float32, "weights", length="tags", within=9.0, optional=True),
)
NUMBERS = {"tags": 5, "names": 10}


def sound() -> dict[str, Any]:
    return {
        "starts": np.array([0, 2, 2, 4], np.uint32),
        "names": np.array([0, 3, 9], np.int64),
        "tags": np.array([1, 4, 0, 2], np.uint16),
        "weights": np.array([0, -9, 9, 1], np.float32),
    }


def check(arrays: dict[str, Any]) -> None:
    check_types(DECLARED, arrays)
    check_relations(DECLARED, arrays, NUMBERS)


def test_sound_arrays_pass_without_the_optional_one_and_when_they_are_empty() -> None:
    check(sound())
    arrays = sound()
    del arrays["weights"]
    check(arrays)
    check({"starts": np.zeros(1, np.uint32), "names": np.zeros(0, np.int64), "tags": np.zeros(0, np.uint16)})


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("starts", None, "the array starts is missing"),
        ("other", [1], "the array other is one too many"),
        ("names", np.array([0, 3, 9], np.int32), "names has the wrong type or shape"),
        ("names", np.array([[0, 3, 9]], np.int64), "names has the wrong type or shape"),
        ("starts", [0, 2, 4], "starts does not have as many values as names asks for"),
        ("weights", [0, 1, 2], "weights does not have as many values as tags asks for"),
        ("starts", [1, 2, 2, 4], "starts does not fit tags"),
        ("starts", [0, 2, 2, 3], "starts does not fit tags"),
        ("starts", [0, 3, 2, 4], "starts does not fit tags"),
        ("names", [-1, 3, 9], "names has a number below 0"),
        ("names", [0, 3, 10], "names has a number that is not below that of the names"),
        ("names", [0, 3, 3], "names does not increase"),
        ("tags", [1, 5, 0, 2], "tags has a number that is not below that of the tags"),
        ("tags", [4, 1, 0, 2], "tags does not increase"),
        ("weights", [0, 9.5, 0, 0], "weights has a value that is no number, or a very large one"),
        ("weights", [0, np.nan, 0, 0], "weights has a value that is no number, or a very large one"),
        ("weights", [0, -np.inf, 0, 0], "weights has a value that is no number, or a very large one"),
    ],
)
def test_every_fault_is_refused_in_a_clause_that_names_the_array(name: str, values: Any, told: str) -> None:
    arrays = sound()
    if values is None:
        del arrays[name]
    elif isinstance(values, list) and name in arrays:
        arrays[name] = np.array(values, arrays[name].dtype)
    else:
        arrays[name] = np.asarray(values)
    with pytest.raises(ValueProblem, match=f"^{told}$"):
        check(arrays)


def test_a_part_has_no_more_values_than_it_may() -> None:
    arrays = sound() | {"starts": np.array([0, 4, 4, 4], np.uint32), "tags": np.array([0, 1, 2, 3], np.uint16)}
    check(arrays)
    with pytest.raises(ValueProblem, match="starts has a part with more values than there are tags"):
        check_relations(DECLARED, arrays, {"tags": 3, "names": 10})


def test_the_manual_describes_every_array_that_a_file_may_have() -> None:
    rows = [line for line in MANUAL.read_text("utf-8").splitlines() if line.startswith("| `")]
    for prefix, arrays in ARRAYS.items():
        for one in arrays:
            more = f", {one.dimensions} dimensions" if one.dimensions > 1 else ""
            assert f"| `{prefix}{one.name}` | {np.dtype(one.type).name}{more} | {one.holds} |" in rows


def test_a_model_file_has_the_arrays_that_are_declared(classroom: Model, tmp_path: Path) -> None:
    classroom.save(tmp_path / "saved.model")
    found = set(read_arrays(tmp_path / "saved.model")[1])
    declared = set()
    for prefix, arrays in ARRAYS.items():
        own = {prefix + one.name for one in arrays}
        # A part is there as a whole, or not at all.
        assert not own & found or {prefix + one.name for one in arrays if not one.optional} <= found
        declared |= own
    assert found <= declared
