"""Head rules (section 2.1, step 1): which child of a constituent is its head-child.

"For each constituent P -> <C_1 ... C_n> in the parse tree a simple set of rules identifies
which of the children C_i is the head-child of P."  The rules are a table
(``head-rules.txt``); another table of the same form can take its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from engine.common.errors import EngineError
from engine.common.resources import read_bundled
from engine.gate.text_stream import read_text

SEARCHES = ("left", "right", "left-any", "right-any", "last")
COORDINATORS = frozenset({"CC"})
LONGEST_TABLE = 1 << 20
"""Characters; whatever is longer is something else."""


@dataclass(frozen=True, slots=True)
class HeadRule:
    """One line of the table: how to search the children, for which labels, and where it stands in the table."""

    search: str
    candidates: tuple[str, ...]
    line: int = field(default=0, compare=False)

    def find(self, labels: Sequence[str]) -> int | None:
        """Return the index of the head-child among `labels`, or ``None`` if this rule finds none."""
        if self.search == "last":
            return len(labels) - 1 if labels[-1] in self.candidates else None
        from_left = self.search.startswith("left")
        if not self.candidates:
            return 0 if from_left else len(labels) - 1
        order = range(len(labels)) if from_left else range(len(labels) - 1, -1, -1)
        if self.search.endswith("any"):
            return next((index for index in order if labels[index] in self.candidates), None)
        for candidate in self.candidates:
            if candidate in labels:
                return next(index for index in order if labels[index] == candidate)
        return None


@dataclass(slots=True)
class HeadRules:
    """The whole table.

    Parameters
    ----------
    rules
        For every parent label its rules in the order in which they are tried.
    text
        The table as it was read, which a model keeps so that it can explain itself.
    """

    rules: dict[str, tuple[HeadRule, ...]]
    text: str
    _known: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)

    def head_index(self, parent: str, labels: Sequence[str]) -> int:
        """Return the index of the head-child of ``parent -> labels`` (labels without punctuation)."""
        if len(labels) == 1:
            return 0
        key = (parent, tuple(labels))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._find(parent, labels)
        return found

    def deciding(self, parent: str, labels: Sequence[str]) -> tuple[HeadRule | None, int]:
        """Return the line that decides about several children, and the index that it finds;
        without any line the first child.

        Where that child follows a conjunction the head is yet another one, which `head_index` tells.
        """
        for rule in self.rules.get(parent, self.rules["*"]):
            index = rule.find(labels)
            if index is not None:
                return rule, index
        return None, 0

    def _find(self, parent: str, labels: Sequence[str]) -> int:
        _, index = self.deciding(parent, labels)
        # A head preceded by CC moves two to the left, and on while there is CC before it: of conjuncts that CC joins
        # the first is the head; of those that commas join the one before the first CC, for commas do not count.
        while index >= 2 and labels[index - 1] in COORDINATORS:
            index -= 2
        return index


def parse_head_rules(text: str, name: str = "head rules") -> HeadRules:
    """Read a table of head rules; raise :class:`EngineError` naming the line that is wrong."""
    rules: dict[str, list[HeadRule]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or line.lstrip().startswith("#"):
            continue
        if len(fields) < 2 or fields[1] not in SEARCHES:
            raise EngineError(
                f"{name}, line {number}: write PARENT, one of {', '.join(SEARCHES)}, and the candidate labels"
            )
        rules.setdefault(fields[0], []).append(HeadRule(fields[1], tuple(fields[2:]), number))
    if "*" not in rules:
        raise EngineError(f"{name}: there is no line for *, the parents without rules of their own; add `* left`")
    return HeadRules({parent: tuple(lines) for parent, lines in rules.items()}, text)


def load_head_rules(path: str | Path | None = None) -> HeadRules:
    """Return the head rules in the file `path`, or the project's own."""
    if path is None:
        return parse_head_rules(read_bundled(files("engine.trees") / "head-rules.txt"))
    try:
        text = read_text(path)
    except EngineError as error:
        raise EngineError(f"cannot read the head rules {error}") from error
    if len(text) > LONGEST_TABLE:
        raise EngineError(f"{path}: this is too long for a table of head rules; name another file")
    return parse_head_rules(text, str(path))
