"""The search of whole treebanks, on one process or several, and counts of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from engine.common.errors import EngineError, TreeError
from engine.common.parallel import ordered
from engine.common.tables import Block, Column, Table, Value
from engine.patterns.forest import Forest, read_forest
from engine.patterns.pattern import Match, MatchedNode, Pattern
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree, clean
from engine.trees.treebank import ChunkBundle, chunk_bundles, treebank_files


class FoundNode(NamedTuple):
    """A matched or named node, apart from its tree: what a process can hand to another."""

    label: str
    is_word: bool
    path: tuple[int, ...]
    span: tuple[int, int]
    words: tuple[str, ...]

    @classmethod
    def of(cls, node: MatchedNode) -> FoundNode:
        """Return what is to be told of a node."""
        return cls(node.label, node.is_word, node.path, node.span, node.words)

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready to be written as JSON."""
        return {
            "label": self.label,
            "is_word": self.is_word,
            "path": list(self.path),
            "span": list(self.span),
            "words": list(self.words),
        }


class Found(NamedTuple):
    """A match in a treebank.

    Attributes
    ----------
    source, line
        The file, and the line on which the tree opens.
    sentence
        The words of the tree, traces left out.
    node, named
        The matched node, and the nodes with names.
    tree
        The tree in brackets, if it was asked for.
    """

    source: str
    line: int
    sentence: tuple[str, ...]
    node: FoundNode
    named: dict[str, FoundNode]
    tree: str = ""

    @classmethod
    def of(cls, match: Match, source: str, line: int, sentence: tuple[str, ...], tree: str = "") -> Found:
        """Return what is to be told of a match."""
        named = {name: FoundNode.of(node) for name, node in match.captures.items()}
        return cls(source, line, sentence, FoundNode.of(match), named, tree)

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.source}:{self.line}"

    @property
    def nodes(self) -> dict[str, FoundNode]:
        """The matched node, without a name, then those with names."""
        return {"": self.node, **self.named}

    def marked(self) -> str:
        """Return the sentence with the matched node in brackets: ``John [VP slept] .``."""
        start, end = self.node.span
        inside = " ".join(self.sentence[start:end])
        label = "" if self.node.is_word and start < end else self.node.label
        marked = "[" + " ".join(filter(None, (label, inside))) + "]"
        return " ".join((*self.sentence[:start], marked, *self.sentence[end:]))

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready to be written as JSON."""
        found: dict[str, Any] = {
            "file": self.source,
            "line": self.line,
            "sentence": list(self.sentence),
            "node": self.node.as_dict(),
            "named": {name: node.as_dict() for name, node in self.named.items()},
        }
        if self.tree:
            found["tree"] = self.tree
        return found


def found_in(matches: Iterable[Match], places: Sequence[tuple[str, int]], with_trees: bool = False) -> Iterator[Found]:
    """Yield what is to be told of matches, given the file and line of every tree that was searched."""
    for number, here in groupby(matches, attrgetter("tree_number")):
        first = next(here)
        source, line = places[number]
        sentence = first.sentence
        tree = first.tree.brackets() if with_trees else ""
        for match in chain((first,), here):
            yield Found.of(match, source, line, sentence, tree)


class SearchedPart(NamedTuple):
    """What was found in a part of the treebanks.

    Attributes
    ----------
    found
        The matches.
    trees
        How many trees were searched.
    errors
        What is wrong with the trees that were left out.
    share
        How much of all treebanks is searched with this part.
    """

    found: tuple[Found, ...]
    trees: int
    errors: tuple[TreeError, ...] = ()
    share: float = 1.0


class PlacedTree(NamedTuple):
    """A tree of a treebank, and where it stands."""

    source: str
    line: int
    tree: Tree


def placed_trees(
    sources: Iterable[str | Path], on_bad: Callable[[TreeError], None] | None = None
) -> Iterator[PlacedTree]:
    """Yield the trees of treebanks with their places; see :func:`engine.trees.treebank.read_treebank`."""
    for bundle in chunk_bundles(treebank_files(sources)):
        for chunk in bundle.chunks:
            read = read_forest(chunk, on_bad)
            for number, line in enumerate(read.lines):
                yield PlacedTree(chunk.name, line, read.forest.tree(number))


def search_treebank(
    pattern: Pattern,
    sources: Iterable[str | Path],
    head_rules: HeadRules | None = None,
    *,
    jobs: int = 1,
    skip_bad: bool = False,
    cleaned: bool = False,
    with_trees: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> Generator[SearchedPart, None, None]:
    """Yield the matches in treebanks, part by part, in order.

    Parameters
    ----------
    pattern
        What to look for.
    sources
        Files, folders or ``-``.
    head_rules
        What finds heads; the project's own rules without any.
    jobs
        Number of processes.
    skip_bad
        Whether broken trees are left out; else the first raises its :class:`TreeError`.
    cleaned
        Whether traces, function tags and the root label are taken away first.
    with_trees
        Whether every match brings its tree.
    cancelled
        Asked now and then whether to stop.
    """
    make = partial(_searcher, pattern, head_rules, skip_bad=skip_bad, cleaned=cleaned, with_trees=with_trees)
    return ordered(make, chunk_bundles(treebank_files(sources)), jobs, cancelled=cancelled)


def _searcher(
    pattern: Pattern, rules: HeadRules | None, *, skip_bad: bool, cleaned: bool, with_trees: bool
) -> Callable[[ChunkBundle], SearchedPart]:
    """Return what searches one bundle of chunks."""

    def search(bundle: ChunkBundle) -> SearchedPart:
        errors: list[TreeError] = []
        found: list[Found] = []
        trees = 0
        for chunk in bundle.chunks:
            read = read_forest(chunk, errors.append if skip_bad else None)
            forest, lines = read.forest, read.lines
            if cleaned:
                kept = [(tree, line) for k, line in enumerate(lines) if (tree := clean(forest.tree(k))) is not None]
                forest, lines = Forest.of(tree for tree, _ in kept), [line for _, line in kept]
            found += found_in(pattern.search(forest, rules), [(chunk.name, line) for line in lines], with_trees)
            trees += forest.size
        return SearchedPart(tuple(found), trees, tuple(errors), bundle.share)

    return search


BY_LABEL, BY_WORDS, BY_BOTH = "label", "words", "label and words"
"""By what of a node matches are counted."""
WHOLE_MATCH = "the match"
"""What is counted if none of the nodes that the pattern names is meant."""


class CountedValue(NamedTuple):
    """How often named nodes had some labels or words.

    Attributes
    ----------
    values
        One for each name; empty where the node was not there.
    matches, trees
        In how many matches, and in how many trees.
    share
        Its share of all matches.
    """

    values: tuple[str, ...]
    matches: int
    trees: int
    share: float


class MatchCounts:
    """Counts matches by the labels, or the words, of their nodes.

    Parameters
    ----------
    names
        The names by which to count; :data:`WHOLE_MATCH` for the matched node.
    way
        Whether to count by labels, by words in lower case, or by both.
    """

    def __init__(self, names: Sequence[str], way: str = BY_LABEL) -> None:
        self.names = tuple(names)
        self.way = way
        self._matches: Counter[tuple[str, ...]] = Counter()
        self._trees: dict[tuple[str, ...], set[tuple[str, int]]] = {}

    def add(self, found: Found) -> None:
        """Take in a match."""
        values = tuple(self._value(found, name) for name in self.names)
        self._matches[values] += 1
        self._trees.setdefault(values, set()).add((found.source, found.line))

    def _value(self, found: Found, name: str) -> str:
        node = found.node if name == WHOLE_MATCH else found.named.get(name)
        if node is None:
            return ""
        words = " ".join(node.words).lower()
        return {BY_LABEL: node.label, BY_WORDS: words}.get(self.way, f"{node.label}  {words}")

    def rows(self) -> list[CountedValue]:
        """Return the counts, the most frequent first."""
        whole = max(self._matches.total(), 1)
        ordered_values = sorted(self._matches.items(), key=lambda item: (-item[1], item[0]))
        return [
            CountedValue(values, count, len(self._trees[values]), count / whole) for values, count in ordered_values
        ]

    def table(self, titles: Sequence[str] = (), most: int | None = None) -> Table:
        """Return the counts as a table, all of them or the most frequent; its first columns
        have titles, or the names.
        """
        rows: list[tuple[Value, ...]] = [(*row.values, row.matches, row.trees, row.share) for row in self.rows()[:most]]
        columns = (
            *(Column(title, title, lambda value: value or "–") for title in titles or self.names),
            Column("matches", "matches", "{:,}", most=max((row[-3] for row in rows), default=0)),
            Column("trees", "trees", "{:,}"),
            Column("share", "share", "{:.1%}", parts=(("", "{:.6f}".format),)),
        )
        return Table("", columns, (Block("", rows),), len(self.names))


def check_names(pattern: Pattern, names: Sequence[str]) -> None:
    """Raise :class:`EngineError` for a name that the pattern does not give."""
    for name in names:
        if name not in pattern.names:
            known = f"the pattern names {', '.join(pattern.names)}" if pattern.names else "the pattern names no node"
            raise EngineError(f"there is no {name} to count by: {known}; write NP={name} in it, for instance")
