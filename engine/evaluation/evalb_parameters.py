"""Parameter files of evalb (``.prm``): what is left out of the count, and which labels are one.

The names and what they mean are those of evalb's own documentation; ``COLLINS.prm`` is what everything here counts by
unless another file is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.common.errors import RowError
from engine.common.text_stream import read_text

_IGNORED = frozenset({"DEBUG", "MAX_ERROR", "EQ_WORD", "QUOTE_LABEL"})
"""What does not bear on the count here: the words of both trees are the same ones, and no error ends it."""
_MOST_LENGTH = 10_000
_NUMBER = re.compile(r"\d{1,9}")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """What a parameter file says.

    Attributes
    ----------
    deleted
        ``DELETE_LABEL``: a token with this tag is left out, and so is the bracket of a constituent with this label.
        Traces and root labels always are.
    without_length
        ``DELETE_LABEL_FOR_LENGTH``: tokens with this tag do not count for a sentence's length.  Traces never do.
    equal
        ``EQ_LABEL``: from a label to the one that it is counted as.
    labeled
        ``LABELED``: whether labels matter at all.
    cutoff
        ``CUTOFF_LEN``: the longest sentence of the summary's second part.
    name
        What to call them.
    """

    deleted: frozenset[str] = frozenset({",", ":", "``", "''", "."})
    without_length: frozenset[str] = frozenset()
    equal: Mapping[str, str] = field(default_factory=lambda: {"PRT": "ADVP"})
    labeled: bool = True
    cutoff: int = 40
    name: str = "COLLINS.prm"


COLLINS = EvalbParameters()
"""``COLLINS.prm``, by which the paper counts; its punctuation lacks the straight quote, which the parser's has."""


def read_parameters(path: str | Path) -> EvalbParameters:
    """Read a parameter file; raise :class:`EngineError` that names the line that is wrong."""
    return parse_parameters(read_text(path).split("\n"), str(path))


def parse_parameters(lines: Iterable[str], name: str = "parameters") -> EvalbParameters:
    """Read the lines of a parameter file; ``#`` starts a comment."""
    deleted: set[str] = set()
    without_length: set[str] = set()
    pairs: list[tuple[str, str]] = []
    numbers: dict[str, int] = {"LABELED": 1, "CUTOFF_LEN": 40}
    for number, line in enumerate(lines, 1):
        # A label may be the mark itself: evalb takes it for a comment at the beginning of a line only.
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        key, values = fields[0], fields[1:]
        if key in ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH") and len(values) == 1:
            (deleted if key == "DELETE_LABEL" else without_length).add(values[0])
        elif key == "EQ_LABEL" and len(values) == 2:
            pairs.append((values[0], values[1]))
        elif key in numbers and len(values) == 1 and _NUMBER.fullmatch(values[0]) and int(values[0]) <= _MOST_LENGTH:
            numbers[key] = int(values[0])
        elif key not in _IGNORED:
            known = "DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, EQ_LABEL, LABELED and CUTOFF_LEN"
            raise RowError(f"`{line.strip()[:_SHOWN]}` is no parameter of evalb; it has {known}", name, number)
    return EvalbParameters(
        frozenset(deleted),
        frozenset(without_length),
        _joined(pairs),
        bool(numbers["LABELED"]),
        numbers["CUTOFF_LEN"],
        name,
    )


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """From every label that equals another to the first that was named of all that equal it."""
    found: dict[str, str] = {}
    for one, other in pairs:
        first, second = found.get(one, one), found.get(other, other)
        if first != second:
            found = {label: first if kept == second else kept for label, kept in found.items()}
            found[second] = first
    return found
