"""Matches of a pattern in the sentences of the list: what of them is shown, counted and written to files; no Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.common.csv_text import csv_text
from explorer.document.document import TextLine
from explorer.graphics.pictures.found_marks import FoundMatch, FoundNode

GOLD, PARSES, MISSING, EXTRA = "gold", "parses", "missing", "extra"
PLACES = {
    GOLD: "Gold trees",
    PARSES: "Parses",
    MISSING: "Missing in the parses",
    EXTRA: "Extra in the parses",
}
"""Where a pattern is looked for, as the panel calls it."""
PLACE_TIPS = {
    GOLD: "In the gold trees of the list",
    PARSES: "In the parses of the list; a sentence that was not parsed yet is parsed first",
    MISSING: "Matches in the gold tree that the parse lacks; a sentence that was not parsed yet is parsed first",
    EXTRA: "Matches in the parse that the gold tree lacks; a sentence that was not parsed yet is parsed first",
}
GOLD_TREE, PARSE = "gold tree", "parse"
"""What the tree is in which something was found."""
BY_LABEL, BY_WORDS, BY_BOTH = "label", "words", "label and words"
WAYS_TO_COUNT = (BY_LABEL, BY_WORDS, BY_BOTH)
WHOLE_MATCH = "the match"
"""What is counted if it is none of the nodes that the pattern names."""
TABS, COMMAS = "\t", ","
_CONTEXT = 40
"""Words on either side of a match that are shown."""


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A sentence of the list in which a pattern was found.

    Attributes
    ----------
    number, line
        Its number in the list when it was searched, from 0, and the sentence itself.
    words, tree
        Its words, and the tree in brackets.
    place
        What the tree is: :data:`GOLD_TREE` or :data:`PARSE`.
    """

    number: int
    line: TextLine
    words: tuple[str, ...]
    tree: str
    place: str


@dataclass(frozen=True, slots=True)
class ListMatch:
    """One match: the sentence, the node that matches, then the nodes that the pattern names."""

    sentence: FoundSentence
    nodes: tuple[FoundNode, ...]

    @property
    def before(self) -> str:
        """The words before the match."""
        start = self.nodes[0].start
        return " ".join(self.sentence.words[max(0, start - _CONTEXT) : start])

    @property
    def inside(self) -> str:
        """The words of the match."""
        return self.words_of(self.nodes[0])

    @property
    def after(self) -> str:
        """The words after the match."""
        end = self.nodes[0].end
        return " ".join(self.sentence.words[end : end + _CONTEXT])

    @property
    def named(self) -> str:
        """The nodes that the pattern names, in words."""
        return ";  ".join(f"{node.name}: {node.label} {self.words_of(node)}" for node in self.nodes[1:])

    def words_of(self, node: FoundNode) -> str:
        """The words of a node."""
        return " ".join(self.sentence.words[node.start : node.end])

    def node(self, name: str) -> FoundNode | None:
        """The node of a name, or for :data:`WHOLE_MATCH` the match itself; ``None`` if the match has no such node."""
        if name == WHOLE_MATCH:
            return self.nodes[0]
        return next((node for node in self.nodes[1:] if node.name == name), None)

    @property
    def found(self) -> FoundMatch:
        """What pictures mark."""
        return FoundMatch(self.sentence.tree, self.sentence.words, self.nodes, self.sentence.place)


def values(matches: Iterable[ListMatch], name: str, way: str) -> Iterator[str]:
    """What is counted of each match: the label or the words, in small letters, of the node of a name."""
    for match in matches:
        node = match.node(name)
        if node is not None:
            words = match.words_of(node).lower()
            yield {BY_LABEL: node.label, BY_WORDS: words}.get(way, f"{node.label}  {words}")


def counted(found: Iterable[str]) -> list[tuple[str, int]]:
    """How often there is each value, the most frequent first, then by the alphabet."""
    return sorted(Counter(found).items(), key=lambda pair: (-pair[1], pair[0]))


def matches_text(matches: Iterable[ListMatch], names: Sequence[str], delimiter: str = COMMAS) -> str:
    """The matches as a table for spreadsheets: one row each, two columns for every name of the pattern."""
    header = ["sentence", "in", "label", "before", "match", "after"]
    header += [title for name in names for title in (f"{name} label", f"{name} words")]

    def row(match: ListMatch) -> Iterator[str | int]:
        words, first = match.sentence.words, match.nodes[0]
        yield match.sentence.number + 1
        yield match.sentence.place
        yield first.label
        yield " ".join(words[: first.start])
        yield match.inside
        yield " ".join(words[first.end :])
        for name in names:
            node = match.node(name)
            yield node.label if node is not None else ""
            yield match.words_of(node) if node is not None else ""

    return csv_text(header, (list(row(match)) for match in matches), delimiter)


def counts_text(counts: Sequence[tuple[str, int]], title: str, delimiter: str = COMMAS) -> str:
    """The counts as a table for spreadsheets."""
    return csv_text([title, "count"], counts, delimiter)


def trees_text(matches: Iterable[ListMatch]) -> str:
    """The trees in which something was found, each once, one on a line."""
    trees = dict.fromkeys((match.sentence.number, match.sentence.tree) for match in matches)
    return "".join(f"{tree}\n" for _, tree in trees)
