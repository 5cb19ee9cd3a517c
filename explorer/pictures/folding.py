"""Folded constituents of a long sentence: which they are, their words on one line, and the ruler that they leave."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, count

from engine.chart.parse import Parse
from engine.explain.subjects import Subject, WordId
from explorer.pictures.drawing import Box, Drawing, Metrics, Rect
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.layout import LEAST_WORD, PADDING, PlacedNode, Room, WordColumns, on_grid
from explorer.pictures.options import TriangleOptions
from explorer.pictures.sheet import Sheet, elided

# Which constituents of a long sentence's tree are folded, so that the rest can be read.
#
# From the root downwards constituents are opened while there is room: first those around what is looked at, then those
# nearest to it.  What is left closed is a triangle with its words, all of them or the first and the last.

Span = tuple[int, int]
"""First token of a constituent, and the one after its last."""


def hides(folded: Span, focus: Iterable[Span]) -> bool:
    """Return whether a folded constituent hides one of these spans: it is the span itself, or
    an end of it is inside.
    """
    first, last = folded
    return any(folded == (start, end) or first < start < last or first < end < last for start, end in focus)


def choose_folded(
    root: PlacedNode, limit: float, width: Callable[[PlacedNode], float], focus: Sequence[Span] = ()
) -> frozenset[Subject]:
    """Return the ids of the constituents to fold, so that the tree is no wider than `limit`.

    Parameters
    ----------
    root
        The whole tree; what a person has folded has no children.
    limit
        How wide the words may be altogether.
    width
        How wide a word is, or the words of a constituent while it is folded.
    focus
        Spans that are looked at.  They are in sight even where that is wider than the limit.
    """
    order = count()
    total = width(root)
    opened: set[Subject] = set()
    waiting: list[tuple[tuple[int, int, float], int, int, PlacedNode]] = []
    shown: list[PlacedNode] = []

    def offer(node: PlacedNode, away: int) -> None:
        if not node.children:
            return
        shown.append(node)
        wanted = hides((node.start, node.end), focus)
        far = min((abs(node.start + node.end - start - end) / 2 for start, end in focus), default=0.0)
        near = 0 if wanted else away
        # A small constituent costs little room and says much: of equally near ones it comes first.
        heapq.heappush(waiting, ((0 if wanted else 1, near, far + (node.end - node.start)), next(order), near, node))

    offer(root, 1)
    while waiting:
        (rank, _, _), _, near, node = heapq.heappop(waiting)
        more = sum(width(child) for child in node.children) - width(node)
        if rank and total + more > limit:
            continue
        total += more
        opened.add(node.id)
        for child in node.children:
            offer(child, near + 1)
    return frozenset(node.id for node in shown if node.id not in opened)


# Folded constituents: their words on one line, the ruler that they leave, and where in the sentence one is.
#
# The words of a folded constituent share one narrow column of the ruler: of a sentence of sixty words some ten to
# twenty columns are left.

LEAST_COLUMN = 24.0
LONGEST = 150.0
"""Words of a folded constituent that are wider than this are cut down to the first and the last."""
_SHORTER = (LONGEST, 112.0, 84.0, 60.0)
"""Where there is little room, folded constituents are cut down further."""
_TRIES = (1.0, 0.96, 0.92, 0.84)
"""Labels may need more room than words: then less is opened."""
_TICK, _TICK_ROOM, _MAP_HEIGHT = 3.0, 4.0, 22.0
_LONGEST_MAP = 260.0


def folded_words(words: Sequence[str], metrics: Metrics, width: float) -> str:
    """Words of a folded constituent on one line: all, the first and the last, or as much as there is room for."""
    whole = " ".join(words)
    if metrics.width(whole, "word") <= width:
        return whole
    if len(words) <= 2:
        return elided(whole, metrics, "word", width)
    ends = f"{words[0]} … {words[-1]}"
    return ends if metrics.width(ends, "word") <= width else elided(f"{words[0]} …", metrics, "word", width)


@dataclass(frozen=True)
class FoldedTree:
    """A tree that is folded so far that it fits.

    Attributes
    ----------
    collapsed
        Ids of the constituents that are folded.
    spans
        Their tokens, from left to right.
    columns
        The ruler.
    overview
        A map of the sentence: what is open, and what is folded.
    """

    collapsed: frozenset[Subject]
    spans: tuple[Span, ...]
    columns: WordColumns
    overview: Drawing

    def mark(self, drawing: Drawing) -> Drawing:
        """Return the drawing of this tree, or of a chart over its words, with what is folded in it."""
        return replace(drawing, folded=self.folded, overview=self.overview)

    @cached_property
    def folded(self) -> tuple[Span, ...]:
        """What is folded, by the positions of words; a folded single word counts as a word."""
        return tuple((start, end) for start, end in self.units() if end - start > 1)

    def units(self) -> list[Span]:
        """Words and folded constituents from left to right, by the positions of words."""
        words = self.columns.words
        starts = dict(self.spans)
        found, token, end = [], 0, len(self.columns.edges) - 1
        place = {word: position for position, word in enumerate(words)}
        while token < end:
            after = starts.get(token, token + 1)
            inside = [place[one] for one in range(token, after) if one in place]
            if inside:
                found.append((inside[0], inside[-1] + 1))
            token = after
        return found


def fold_tree(
    parse: Parse,
    metrics: Metrics,
    width: float,
    focus: Iterable[Span] = (),
    collapsed: frozenset[Subject] = frozenset(),
    least: float = LEAST_COLUMN,
) -> FoldedTree:
    """Fold a tree until it is no wider than `width`.

    Parameters
    ----------
    parse, metrics, width
        Whose tree, measured how, and the room that it has.
    focus
        Words that are looked at, by position: around them it stays open.
    collapsed
        What a person has folded.
    least
        How narrow the column of a word may be.
    """
    facts = facts_of(parse)
    root = facts.tree_nodes(collapsed)
    tokens = [(facts.positions[start], facts.positions[end - 1] + 1) for start, end in focus if start < end]
    by_hand = {node.id: (node.start, node.end) for node in root.walk() if node.folded}
    spans_of: dict[Subject, Span] = {node.id: (node.start, node.end) for node in root.walk()}
    best: tuple[float, frozenset[Subject], WordColumns] | None = None
    for longest in _SHORTER:
        widths = {token: _leaf(facts, token, metrics, least) for token in range(len(facts.tokens))}

        def room(node: PlacedNode, longest: float = longest, widths: dict[int, float] = widths) -> float:
            if node.end - node.start == 1 and not node.folded:
                return widths[node.start]
            words = folded_words(facts.tokens[node.start : node.end], metrics, longest)
            inside = sum(widths[token] for token in range(node.start, node.end))
            return min(max(on_grid(metrics.width(words, "word") + PADDING), least), max(inside, least))

        for share in _TRIES:
            chosen = choose_folded(root, width * share, room, tokens)
            folded = chosen | by_hand.keys()
            spans = frozenset(spans_of[id] for id in folded)
            columns = folded_columns((parse,), spans, metrics, None, longest, least, folded)
            if best is None or columns.width < best[0]:
                best = (columns.width, folded, columns)
            if columns.width <= width:
                if root.id not in chosen:
                    return _folded(facts, folded, spans_of, columns, metrics)
                # The whole tree as one triangle says nothing: with fewer words in the triangles it may be opened.
                break
    assert best is not None
    return _folded(facts, best[1], spans_of, best[2], metrics)


def _folded(
    facts: Facts, folded: frozenset[Subject], spans_of: dict[Subject, Span], columns: WordColumns, metrics: Metrics
) -> FoldedTree:
    spans = tuple(sorted({spans_of[id] for id in folded}))
    return FoldedTree(folded, spans, columns, sentence_map(facts, spans, metrics))


def _leaf(facts: Facts, token: int, metrics: Metrics, least: float) -> float:
    """Return how wide the column of a token is."""
    word, tag = facts.tokens[token], facts.token_tags[token]
    least = least if token in facts.position_of else LEAST_COLUMN
    return on_grid(max(PADDING + metrics.width(word, "word-bold"), PADDING + metrics.width(tag, "tag"), least))


def folded_columns(
    parses: Sequence[Parse],
    spans: frozenset[Span],
    metrics: Metrics,
    within: Span | None = None,
    longest: float = LONGEST,
    least: float = LEAST_COLUMN,
    collapsed: frozenset[Subject] | None = None,
) -> WordColumns:
    """Return a ruler for the folded trees of a sentence, or for what is `within` some of its tokens.

    Words in a folded constituent share one column.
    """
    facts = facts_of(parses[0])
    first, last = within or (0, len(facts.tokens))
    known = [facts_of(parse) for parse in parses]
    widths = [max(_leaf(one, token, metrics, least) for one in known) for token in range(len(facts.tokens))]
    for start, end in spans:
        text = folded_words(facts.tokens[start:end], metrics, longest)
        share = max(on_grid(metrics.width(text, "word") + PADDING), least) / (end - start)
        widths[start:end] = [share] * (end - start)
    labels = [
        label
        for parse in parses
        for label in _labels(parse, folded_ids(parse, spans) if collapsed is None else collapsed, metrics)
    ]
    for start, end, width in sorted(labels, key=lambda one: one[1] - one[0]):
        missing = width - sum(widths[start:end])
        if missing > 0:
            share = on_grid(missing) / (end - start)
            widths[start:end] = [old + share for old in widths[start:end]]
    shown = [width if first <= token < last else 0.0 for token, width in enumerate(widths)]
    return WordColumns((0.0, *accumulate(shown)), tuple(facts.positions))


def _labels(parse: Parse, collapsed: frozenset[Subject], metrics: Metrics) -> Iterator[tuple[int, int, float]]:
    """Yield how much room the labels that are drawn need over their words."""
    for node in facts_of(parse).tree_nodes(collapsed).walk():
        yield node.start, node.end, metrics.width(node.label, "label-bold") + PADDING


def folded_ids(parse: Parse, spans: frozenset[Span]) -> frozenset[Subject]:
    """Return the ids of the upper constituents of a tree over these spans."""
    found: dict[Span, Subject] = {}
    for node in facts_of(parse).tree_nodes().walk():
        if node.children:
            found.setdefault((node.start, node.end), node.id)
    return frozenset(found[span] for span in spans)


def sentence_map(facts: Facts, spans: Iterable[Span], metrics: Metrics) -> Drawing:
    """Draw the whole sentence small: a tick for each word, the higher the deeper in the tree, dark if it is open."""
    sheet = Sheet(metrics)
    hidden = {token for start, end in spans for token in range(start, end)}
    depths = [0] * len(facts.tokens)
    for node in facts.tree_nodes().walk():
        if node.children:
            for token in range(node.start, node.end):
                depths[token] += 1
    deepest = max(depths, default=1)
    step = min(_TICK_ROOM, _LONGEST_MAP / max(len(facts.words), 1))
    for position, token in enumerate(facts.positions):
        height = math.ceil(_MAP_HEIGHT * (0.3 + 0.7 * depths[token] / deepest))
        x = position * step
        role = "line" if token in hidden else "ink"
        sheet.add(Box(x, -height, min(_TICK, step * 0.75), height, fill=role, id=WordId(position)))
        label = f"{facts.words[position]}{', folded: a click opens it' if token in hidden else ''}"
        sheet.region(WordId(position), Rect(x, -_MAP_HEIGHT, step, _MAP_HEIGHT), label)
    return sheet.draw("Overview", "", None, margin=2)


# What the chart stands on: the words of a sentence, or of a long one words and folded constituents.


@dataclass(frozen=True)
class ChartBase:
    """What the chart stands on: the ruler, and the words and folded constituents on it."""

    columns: WordColumns
    units: tuple[Span, ...]
    folding: FoldedTree | None = None

    @cached_property
    def borders(self) -> tuple[float, ...]:
        """Where each unit begins, and where the last one ends."""
        borders = self.columns.borders
        return (*(borders[start] for start, _ in self.units), borders[-1])

    def __hash__(self) -> int:
        return hash((self.columns, self.units))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChartBase) and (self.columns, self.units) == (other.columns, other.units)


def whole_base(facts: Facts, columns: WordColumns) -> ChartBase:
    """Return all words on the ruler."""
    return ChartBase(columns, tuple((one, one + 1) for one in range(len(facts.words))))


def folded_base(parse: Parse, facts: Facts, metrics: Metrics, options: TriangleOptions, room: Room) -> ChartBase:
    """Fold what is not looked at until the chart fits; the last folding is kept, for a replay asks again and again."""
    key = (options.focus, room.width, facts.tree.brackets(), id(metrics))
    kept = facts.pictures.get("triangle base")
    if not isinstance(kept, tuple) or kept[0] != key:
        folded = fold_tree(parse, metrics, room.inner_width, options.focus, least=LEAST_WORD)
        kept = (key, ChartBase(folded.columns, tuple(folded.units()), folded))
        facts.pictures["triangle base"] = kept
    base = kept[1]
    assert isinstance(base, ChartBase)
    return base
