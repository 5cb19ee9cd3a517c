"""Folding what two trees of a sentence have in common, so that what differs has room.

A constituent that is the same in both, down to its words, is drawn as a triangle over its first and last word.  Its
words share one narrow column of the ruler: of a sentence of sixty words some ten columns are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from engine.chart.parse import Parse
from explorer.graphics.drawing import Metrics
from explorer.graphics.layout.tree_layout import PlacedNode
from explorer.graphics.layout.word_columns import PADDING, WordColumns, on_grid
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.pictures.tree_picture import folded_words
from explorer.graphics.selection import Id

Span = tuple[int, int]
"""First token of a constituent, and the one after its last."""
LEAST_COLUMN = 24.0
LONGEST = 150.0
"""Words of a folded constituent that are wider than this are cut down to the first and the last."""


def equal_spans(first: Parse, second: Parse, opened: frozenset[Span] = frozenset()) -> frozenset[Span]:
    """The largest constituents of at least two words that both trees have, equal in everything below them.

    Trees that are equal as a whole are not folded, and nothing is that a person has `opened`.
    """
    mine, theirs = (facts_of(parse).tree_nodes() for parse in (first, second))
    ours, others = _shapes(mine), _shapes(theirs)
    if ours == others:
        return frozenset()
    found: set[Span] = set()
    stack = [mine]
    while stack:
        node = stack.pop()
        span = (node.start, node.end)
        if node.children and node.end - node.start > 1 and span not in opened and others.get(span) == ours[span]:
            found.add(span)
        else:
            stack.extend(node.children)
    return frozenset(found)


def _shapes(root: PlacedNode) -> dict[Span, str]:
    """For every constituent's span all that a tree has over it, as brackets."""
    found: dict[Span, str] = {}
    # From below: of several constituents over the same words the upper one comes last, with the others in it.
    for node in reversed(list(root.walk())):
        inside = " ".join(found[child.start, child.end] for child in node.children) or str(node.start)
        found[node.start, node.end] = f"({node.label} {inside})"
    return found


def differing_part(first: Parse, second: Parse) -> tuple[Id, Id] | None:
    """The lowest constituent of either tree in which everything is that differs; nothing if that is the whole tree."""
    mine, theirs = (facts_of(parse).tree_nodes() for parse in (first, second))
    ours, others = _shapes(mine), _shapes(theirs)
    lowest: tuple[Id, Id] | None = None
    while mine.children and [(one.start, one.end) for one in mine.children] == [
        (one.start, one.end) for one in theirs.children
    ]:
        differing = [
            pair
            for pair in zip(mine.children, theirs.children, strict=True)
            if ours[pair[0].start, pair[0].end] != others[pair[1].start, pair[1].end]
        ]
        if len(differing) != 1 or differing[0][0].label != differing[0][1].label or not differing[0][0].children:
            break
        # Over the same words as its parent a child would be taken for it.
        if (mine.start, mine.end) == (differing[0][0].start, differing[0][0].end):
            break
        mine, theirs = differing[0]
        lowest = (mine.id, theirs.id)
    return lowest


def folded_ids(parse: Parse, spans: frozenset[Span]) -> frozenset[Id]:
    """The ids of the upper constituents of a tree over these spans."""
    found: dict[Span, Id] = {}
    for node in facts_of(parse).tree_nodes().walk():
        if node.children:
            found.setdefault((node.start, node.end), node.id)
    return frozenset(found[span] for span in spans)


def folded_columns(
    parses: Sequence[Parse], spans: frozenset[Span], metrics: Metrics, within: Span | None = None
) -> WordColumns:
    """A ruler for the folded trees of a sentence, or for what is `within` some of its tokens.

    Words in a folded constituent share one column.
    """
    facts = facts_of(parses[0])
    first, last = within or (0, len(facts.tokens))
    widths = [
        on_grid(
            max(
                PADDING + metrics.width(word, "word-bold"),
                PADDING + max(metrics.width(facts_of(parse).token_tags[token], "tag") for parse in parses),
                LEAST_COLUMN,
            )
        )
        for token, word in enumerate(facts.tokens)
    ]
    for start, end in spans:
        text = folded_words(facts.tokens[start:end], metrics, LONGEST)
        share = on_grid(metrics.width(text, "word") + PADDING) / (end - start)
        widths[start:end] = [share] * (end - start)
    for start, end, width in sorted(_labels(parses, spans, metrics), key=lambda one: one[1] - one[0]):
        missing = width - sum(widths[start:end])
        if missing > 0:
            share = on_grid(missing) / (end - start)
            widths[start:end] = [old + share for old in widths[start:end]]
    shown = [width if first <= token < last else 0.0 for token, width in enumerate(widths)]
    return WordColumns((0.0, *accumulate(shown)), tuple(facts.positions))


def _labels(parses: Iterable[Parse], spans: frozenset[Span], metrics: Metrics) -> Iterator[tuple[int, int, float]]:
    """How much room the labels that are drawn need over their words."""
    for parse in parses:
        root = facts_of(parse).tree_nodes(folded_ids(parse, spans))
        for node in root.walk():
            yield node.start, node.end, metrics.width(node.label, "label-bold") + PADDING
