"""Where things stand: the ruler of words, lines, arrows and the nodes of trees, as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from engine.explain.subjects import Subject
from explorer.pictures.drawing import Curve, Point, Segment

# The ruler: where the words of a sentence stand from left to right, the same in every picture.
#
# Each token has a column.  Columns are as wide as anything that any picture sets in them: words and tags, labels of
# constituents over a span, pills on arcs between two words.  So words need not move from stage to stage.

GRID = 4.0
"""Everything stands on a grid of 4 px."""
PICTURE_MARGIN = 24.0
LEAST_WORD = 44.0
"""Width of a word's column at least: room for a gap's letter and number, and for a cell of the chart."""
LEAST_MARK = 16.0
"""Width of a punctuation mark's column at least."""
PADDING = 12.0
"""Space between neighbouring words."""


@dataclass(frozen=True)
class WordColumns:
    """Columns of the tokens of a sentence.

    Attributes
    ----------
    edges
        The n + 1 edges of the n columns; the first is 0.
    words
        Token numbers of the words proper; all others are punctuation.
    middles
        Where the tokens stand, if not in the middle of their columns.
    margins
        Room that pictures have beside the columns, left and right.
    tallest
        Height of the tallest of the pictures; 0 if that is not known.
    """

    edges: tuple[float, ...]
    words: tuple[int, ...]
    middles: tuple[float, ...] = ()
    margins: tuple[float, float] = (PICTURE_MARGIN, PICTURE_MARGIN)
    tallest: float = 0.0

    @property
    def width(self) -> float:
        """Width of all columns."""
        return self.edges[-1]

    @property
    def frame(self) -> tuple[float, float]:
        """Left and right end of pictures over this ruler."""
        return -self.margins[0], self.width + self.margins[1]

    def token_x(self, token: int) -> float:
        """Return where a token stands: the middle of its text."""
        return self.middles[token] if self.middles else (self.edges[token] + self.edges[token + 1]) / 2

    def x(self, position: int) -> float:
        """Return where a word stands: the middle of its text."""
        return self.token_x(self.words[position])

    def left(self, position: int) -> float:
        """Left edge of a word's column."""
        return self.edges[self.words[position]]

    def right(self, position: int) -> float:
        """Right edge of a word's column."""
        return self.edges[self.words[position] + 1]

    def gap_x(self, position: int) -> float:
        """Middle of the gap before a word: between the two columns, or of the marks that stand there."""
        return (self.right(position - 1) + self.left(position)) / 2

    @cached_property
    def borders(self) -> tuple[float, ...]:
        """Where each word's share of the line begins, marks shared out to their neighbours; and where the last ends."""
        if not self.words:
            return (0.0,)
        inner = (self.gap_x(position) for position in range(1, len(self.words)))
        return (self.left(0), *inner, self.right(len(self.words) - 1))


def lay_columns(
    needs: Sequence[float],
    words: Sequence[int],
    spans: Iterable[tuple[int, int, float]] = (),
    links: Iterable[tuple[int, int, float]] = (),
) -> WordColumns:
    """Columns that are wide enough.

    Parameters
    ----------
    needs
        Width of the text in each token's column.
    words
        Token numbers of the words proper.
    spans
        ``(start, end, width)``: columns from `start` up to `end` must together be so wide.
    links
        ``(first, second, distance)``: the middles of these two columns must be so far apart.
    """
    proper = set(words)
    least = [
        on_grid(max(need + PADDING, LEAST_WORD)) if token in proper else on_grid(max(need + 8.0, LEAST_MARK))
        for token, need in enumerate(needs)
    ]
    demands = [_Demand({token: 1.0 for token in range(start, end)}, width) for start, end, width in spans]
    for first, second, distance in links:
        low, high = sorted((first, second))
        # Of the two outer columns one half each lies between the middles.
        demands.append(
            _Demand({token: 0.5 if token in (low, high) else 1.0 for token in range(low, high + 1)}, distance)
        )
    # Columns only grow: what there is room for already asks for nothing.
    demands = [demand for demand in demands if demand.missing(least) > 0]
    widths = list(least)
    for demand in sorted(demands, key=lambda one: len(one.shares)):
        missing = demand.missing(widths)
        if missing > 0:
            share = on_grid(missing / sum(demand.shares.values()))
            for token in demand.shares:
                widths[token] += share
    _narrow(widths, least, demands)
    return WordColumns((0.0, *accumulate(widths)), tuple(words))


@dataclass(frozen=True, slots=True)
class _Demand:
    """So wide must columns be together, each counted with its share."""

    shares: dict[int, float]
    width: float

    def missing(self, widths: Sequence[float]) -> float:
        """Return how much is missing to it; below zero, how much there is to spare."""
        return self.width - sum(share * widths[token] for token, share in self.shares.items())


def _narrow(widths: list[float], least: Sequence[float], demands: Sequence[_Demand]) -> None:
    """Take back what no demand needs: what one asked for, another one beside it may have been given as well."""
    about: dict[int, list[_Demand]] = {}
    for demand in demands:
        for token in demand.shares:
            about.setdefault(token, []).append(demand)
    # First the columns of which the fewest demands make use.
    for token in sorted(about, key=lambda token: (len(about[token]), token)):
        spare = min(-demand.missing(widths) / demand.shares[token] for demand in about[token])
        spare = min(GRID * math.floor(spare / GRID + 1e-9), widths[token] - least[token])
        if spare > 0:
            widths[token] -= spare


def on_grid(width: float) -> float:
    """Return the next width on the grid."""
    return GRID * math.ceil(width / GRID - 1e-9)


# The room that a picture has: where it is looked at, or none in particular.

CLOSE_MARGIN = 12.0
"""Left and right of a picture that just fits."""


@dataclass(frozen=True, slots=True)
class Room:
    """Width and height of the view in pixels of the drawing at the smallest size at which its type can be read.

    What does not fit into the width is set closer, wrapped or folded; a tree that does not fit into the height is made
    lower.  What is too high even then is scrolled.
    """

    width: float = math.inf
    height: float = math.inf

    @property
    def inner_width(self) -> float:
        """The width without the picture's margins."""
        return self.width - 2 * PICTURE_MARGIN

    @property
    def close_width(self) -> float:
        """The width without the margins of a picture that just fits."""
        return self.width - 2 * CLOSE_MARGIN

    def holds(self, columns: WordColumns) -> bool:
        """Return whether a sentence fits in one line."""
        first, last = columns.frame
        return last - first <= self.width


def margin_in(room: Room, columns: WordColumns) -> float:
    """Return the margin of a picture over these columns."""
    return PICTURE_MARGIN if columns.width <= room.inner_width else CLOSE_MARGIN


UNLIMITED = Room()
"""Room enough for everything in one line, as in a file."""


# Where a long sentence is broken into lines, so that they are about equally full and few things are torn apart.

LINE_COST = 1.0
"""What one more line costs, against how unevenly lines are filled."""
LAST_LINE = 0.25
"""How much the emptiness of the last line counts."""

Line = tuple[int, int]
"""First token of a line, and the one after its last."""


def break_lines(edges: Sequence[float], limit: float, costs: Sequence[float]) -> list[Line]:
    """Break columns into lines.

    Parameters
    ----------
    edges
        The n + 1 edges of n columns.
    limit
        How wide a line may be; a column that is wider stands in a line alone.
    costs
        What a break before each column costs; of the first it is not asked.
    """
    count = len(edges) - 1
    best = [0.0] + [math.inf] * count
    begins = [0] * (count + 1)
    for end in range(1, count + 1):
        for start in range(end - 1, -1, -1):
            width = edges[end] - edges[start]
            if width > limit and start < end - 1:
                break
            empty = max(0.0, 1.0 - width / limit) ** 2 * (LAST_LINE if end == count else 1.0)
            cost = best[start] + LINE_COST + empty + (costs[start] if start else 0.0)
            if cost < best[end]:
                best[end], begins[end] = cost, start
    lines: list[Line] = []
    end = count
    while end > 0:
        lines.append((begins[end], end))
        end = begins[end]
    return lines[::-1]


# Heights: how much room each picture takes from top to bottom, known before any of them is drawn.
#
# All pictures of a sentence are shown at one scale, so that words keep their place from stage to stage: the tallest of
# them decides whether a sentence is in sight as a whole.

TAG_DROP = 20.0
"""From a word's base line to its tag's."""

TREE_LEVEL, LOW_TREE_LEVEL = 36.0, 32.0
"""Height of a level of the tree, and of one in deep trees."""
DEEP_TREE = 14
LEAST_TREE_LEVEL = 28.0
"""Height of a level at least: a label, and a branch below it that can be followed."""
WORD_DROP = 22.0
"""In the tree, from a tag's base line to its word's."""

FULL, BRIEF, COLOUR = "full", "brief", "colour"
"""Cells of the chart with label and number, with both on a line, and as colour alone."""
FULL_UP_TO, BRIEF_UP_TO = 14, 39
CHART_ROWS = {FULL: 36.0, BRIEF: 24.0, COLOUR: 12.0}
CHART_BASE = -28.0
"""y of the lower edge of the lowest row of cells, over the words."""

MATRIX_HEADER = 44.0
"""From the words' base line to the first row of the matrix."""
HIGH_MATRIX_ROW, LOW_MATRIX_ROW = 36.0, 24.0
NUMBERS_UP_TO = 24
"""Words of the reduced sentence up to which numbers stand in the matrix's cells."""

BAR_TOP, BAR_BOTTOM, CHIP = -116.0, -44.0, 18.0
"""y of the bars in the gaps over the words, and the side of the letters' squares over them."""

LEGEND = 40.0
"""A line of signs under a picture, with the space above it."""
LEGEND_ROW = 20.0
LEGEND_WIDTH = 684.0
"""A legend under a picture may be so wide, however short the sentence."""
_TYPE = 20.0
"""What type reaches over the first and under the last base line, with some air."""
_LABEL = 14.0
"""What a label reaches over its base line."""


def tree_level(levels: int) -> float:
    """Height of a level in a tree of so many."""
    return TREE_LEVEL if levels <= DEEP_TREE else LOW_TREE_LEVEL


def fitting_level(levels: int, height: float) -> float:
    """Height of a level in a tree of so many that is to be so high, down to the base line of its words.

    Not lower than can be read: what is too high even then is scrolled.
    """
    fitting = (height - _LABEL - WORD_DROP) / max(levels - 1, 1)
    return max(LEAST_TREE_LEVEL, min(tree_level(levels), fitting))


def chart_density(words: int) -> str:
    """Return how much the cells of a chart over so many words say."""
    return FULL if words <= FULL_UP_TO else BRIEF if words <= BRIEF_UP_TO else COLOUR


def fitting_density(words: int, height: float) -> str:
    """Return how much its cells say if the whole chart is to be in sight, as far as they can still be read."""
    density = chart_density(words)
    return BRIEF if density == FULL and chart_height(words) > height else density


def gaps_height() -> float:
    """Height of the bars in the gaps, with the words below them."""
    return -BAR_TOP + CHIP + 4 + TAG_DROP


def parse_height(tree_levels: int, arrows: float) -> float:
    """Height of the tree over the words with the arrows below them, which reach down so far."""
    return _TYPE + tree_level(tree_levels) * (tree_levels - 1) + WORD_DROP + _TYPE + arrows


def chart_height(words: int) -> float:
    """Height of the chart over so many words."""
    return CHART_ROWS[chart_density(words)] * words - CHART_BASE + TAG_DROP + _TYPE / 2


def matrix_height(reduced: int) -> float:
    """Height of the matrix under the words."""
    row = HIGH_MATRIX_ROW if reduced <= NUMBERS_UP_TO else LOW_MATRIX_ROW
    return _TYPE + MATRIX_HEADER + row * reduced + _TYPE


# Where dependency arrows run (the paper's Figure 1(c)).
#
# An arc rises from its modifier, runs level and falls on its head.  Its height is its nesting level, one more than
# that of any arc beneath it, whatever its length.  At a word, arcs to the left leave from the left and arcs to the
# right from the right, the longest nearest to the middle: then arcs that do not cross as pairs of words do not cross
# as lines.

ARC_LEVEL = 26.0
"""Height of a level."""
LOWEST_ARC = 24.0
"""Height of the lowest arc over the words."""
ARC_RADIUS = 8.0
BESIDE_PILL = 5.0
"""So much of an arc stays in sight on either side of its pill: the round of its corners."""
PORT = 8.0
"""Distance of two arcs on one word."""
ROUND = 0.5523
"""How far the handles of a quarter of a circle stand out, as a Bézier curve."""


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc to be placed: from word `modifier` to word `head`, −1 being the root above the sentence."""

    modifier: int
    head: int

    @property
    def ends(self) -> tuple[int, int]:
        """The two words from left to right."""
        return (self.modifier, self.head) if self.modifier < self.head else (self.head, self.modifier)


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """Where an arc runs.

    Attributes
    ----------
    arc
        The arc.
    level
        1 for the lowest.
    start, end
        x of the modifier's and the head's end.
    """

    arc: Arc
    level: int
    start: float
    end: float

    @property
    def middle(self) -> float:
        """X of its label."""
        return (self.start + self.end) / 2


def nesting_levels(arcs: Sequence[Arc]) -> list[int]:
    """Level of every arc: one above all arcs that it covers, 1 if it covers none; 0 for arcs to the root."""
    levels = [0] * len(arcs)
    order = sorted((index for index, arc in enumerate(arcs) if arc.head >= 0), key=lambda index: _length(arcs[index]))
    for place, index in enumerate(order):
        low, high = arcs[index].ends
        covered = (
            levels[other] for other in order[:place] if low <= arcs[other].ends[0] and arcs[other].ends[1] <= high
        )
        levels[index] = 1 + max(covered, default=0)
    return levels


def _length(arc: Arc) -> int:
    return abs(arc.modifier - arc.head)


def ports_needed(arcs: Sequence[Arc]) -> dict[int, int]:
    """Return how many arcs end at each word."""
    count: dict[int, int] = {}
    for arc in arcs:
        for word in (arc.modifier, arc.head):
            if word >= 0:
                count[word] = count.get(word, 0) + 1
    return count


def lay_arcs(arcs: Sequence[Arc], xs: Sequence[float], rooms: Sequence[float]) -> list[PlacedArc]:
    """Place arcs over words.

    Parameters
    ----------
    arcs
        The arcs; an arc to the root rises straight from its word.
    xs
        x of every word's middle.
    rooms
        How wide every word's column is: its ports stay within.
    """
    levels = nesting_levels(arcs)
    at: dict[int, list[tuple[tuple[int, int], int]]] = {}
    for index, arc in enumerate(arcs):
        if arc.head < 0:
            at.setdefault(arc.modifier, []).append(((1, 0), index))
            continue
        low, high = arc.ends
        # From left to right: short arcs leftwards, long ones leftwards, the root, long ones rightwards, short ones.
        at.setdefault(high, []).append(((0, high - low), index))
        at.setdefault(low, []).append(((2, low - high), index))
    ports: dict[tuple[int, int], float] = {}
    for word, ends in at.items():
        ends.sort()
        step = min(PORT, (rooms[word] - 8.0) / max(len(ends) - 1, 1))
        for place, (_, index) in enumerate(ends):
            ports[word, index] = xs[word] + (place - (len(ends) - 1) / 2) * step
    placed = []
    for index, (arc, level) in enumerate(zip(arcs, levels, strict=True)):
        start = ports[arc.modifier, index]
        end = ports[arc.head, index] if arc.head >= 0 else start
        placed.append(PlacedArc(arc, level, start, end))
    return placed


def height_of(level: int) -> float:
    """Return how high over the words a level runs."""
    return LOWEST_ARC + ARC_LEVEL * (level - 1)


def reach(arcs: Sequence[Arc], levels: Sequence[int]) -> float:
    """Return how far the highest arc, or the root's arrow with its word, is from the words."""
    highest = max(levels, default=0)
    # The head of the sentence is under no arc: its arrow need only pass those that end at it.
    beside = [
        max((level for other, level in zip(arcs, levels, strict=True) if arc.modifier in other.ends), default=0)
        for arc in arcs
        if arc.head < 0
    ]
    return max([height_of(highest), *(root_height(level) + ARC_LEVEL for level in beside)])


def root_height(level: int) -> float:
    """Return how far the root's arrow reaches past arcs of this level."""
    return height_of(level + 1) + 12.0


def arc_line(placed: PlacedArc, base: float, sense: float) -> tuple[Point, tuple[Segment, ...]]:
    """Start and segments of an arc from its words at `base`; `sense` −1 upwards, 1 downwards."""
    x1, x2 = placed.start, placed.end
    y = base + sense * height_of(placed.level)
    way = 1.0 if x2 > x1 else -1.0
    r = min(ARC_RADIUS, abs(x2 - x1) / 2)
    handle = r * (1 - ROUND)
    return (x1, base), (
        (x1, y - sense * r),
        (x1, y - sense * handle, x1 + way * handle, y, x1 + way * r, y),
        (x2 - way * r, y),
        (x2 - way * handle, y, x2, y - sense * handle, x2, y - sense * r),
        (x2, base),
    )


def arc_points(placed: PlacedArc, base: float, sense: float) -> tuple[Point, ...]:
    """Return the corners of an arc, for the mouse."""
    y = base + sense * height_of(placed.level)
    return (placed.start, base), (placed.start, y), (placed.end, y), (placed.end, base)


def arrow_head(x: float, y: float, sense: float, role: str, id: Subject | None = None, size: float = 3.5) -> Curve:
    """Return a small filled triangle whose tip is at (x, y), pointing down if `sense` is 1, up if −1."""
    back = y - sense * size * 1.9
    return Curve((x, y), ((x - size, back), (x + size, back)), "", fill=role, id=id)


# Columns for tree and arrows alone, as narrow as their words and labels need.
#
# On the common ruler a word stands in the middle of its column.  Here only distances count: how far a word, an arrow's
# end or a label must be from the next.  The narrowest places that keep all distances are the longest way through them.


@dataclass(frozen=True, slots=True)
class Spacing:
    """How much space there is around words and labels.

    Attributes
    ----------
    word, mark
        Between words or labels side by side, and around a punctuation mark.
    beside_pill
        How much of an arc stays in sight on either side of its pill; below zero, how far the pill reaches beyond it.
    """

    word: float
    mark: float
    beside_pill: float


ROOMY = Spacing(PADDING, 8.0, BESIDE_PILL)
CLOSE = Spacing(8.0, 4.0, -2.0)
"""Where a sentence would otherwise not fit in one line."""


def lay_close_columns(
    sides: Sequence[tuple[float, float]],
    words: Sequence[int],
    spans: Iterable[tuple[int, int, float]] = (),
    links: Iterable[tuple[int, int, float]] = (),
) -> WordColumns:
    """Return the narrowest columns that keep all distances.

    What is left over beside a token is shared out to both sides of it.

    Parameters
    ----------
    sides
        How much room each token needs to the left and to the right of its middle.
    words
        Token numbers of the words proper.
    spans
        ``(start, end, width)``: columns from `start` up to `end` must together be so wide.
    links
        ``(first, second, distance)``: the middles of these two tokens must be so far apart.
    """
    # Places from left to right: an edge, the middle of a token, the next edge, and so on.
    before: list[list[tuple[int, int]]] = [[] for _ in range(2 * len(sides) + 1)]

    def keep(first: int, second: int, distance: float) -> None:
        before[second].append((first, math.ceil(distance - 1e-9)))

    for token, (left, right) in enumerate(sides):
        keep(2 * token, 2 * token + 1, left)
        keep(2 * token + 1, 2 * token + 2, right)
    for start, end, width in spans:
        keep(2 * start, 2 * end, width)
    for one, other, distance in links:
        keep(2 * min(one, other) + 1, 2 * max(one, other) + 1, distance)
    early = [0] * len(before)
    for place, distances in enumerate(before):
        early[place] = max((early[first] + distance for first, distance in distances), default=0)
    late = [early[-1]] * len(before)
    for place in reversed(range(len(before))):
        for first, distance in before[place]:
            late[first] = min(late[first], late[place] - distance)
    # Half-way between two ways to keep whole distances they are kept as well, also after rounding down.
    places = [float((one + other) // 2) for one, other in zip(early, late, strict=True)]
    return WordColumns(tuple(places[::2]), tuple(words), tuple(places[1::2]))


def fitting_columns(columns: Callable[[Spacing], WordColumns], width: float) -> WordColumns | None:
    """Columns no wider than this, as roomy as can be; ``None`` if even close ones are wider."""
    roomy = columns(ROOMY)
    if roomy.width <= width:
        return roomy
    close = columns(CLOSE)
    if close.width > width:
        return None
    # Part of the way from close columns to roomy ones all distances of the close ones are kept.
    share = (width - close.width) / (roomy.width - close.width)

    def mixed(some: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
        return tuple(float(math.floor(one + share * (other - one))) for one, other in zip(some, others, strict=True))

    return replace(close, edges=mixed(close.edges, roomy.edges), middles=mixed(close.middles, roomy.middles))


# Where the nodes of a tree stand.
#
# Leaves keep their columns.  A node stands over the middle of its first and last child, as far as its label stays
# within its own columns: sub-trees side by side share no column, so no two labels on a level can overlap.  Levels count
# from the words upwards (words on one base line) or from the root downwards (compact).  A branch runs along a bar right
# below its parent and then falls straight down in its child's own columns, so that it crosses no label
# and no other branch.

STEM = 5.0
"""From a label down to the bar of its branches."""
BRANCH_RADIUS = 5.0


@dataclass(slots=True, eq=False)
class PlacedNode:
    """A constituent or word to be placed.

    Attributes
    ----------
    label
        What is written.
    start, end
        Its tokens.
    id
        What it stands for.
    children
        Sub-trees; none for a word, and for a folded constituent.
    head_child
        Index of the child that brings the head; −1 if there is none.
    folded
        Whether its inside is hidden: it stands for all its words.
    width
        Width of the label.
    x, level
        Where it stands: the middle of its label, and its level (0: the words).
    """

    label: str
    start: int
    end: int
    id: Subject
    children: list[PlacedNode] = field(default_factory=list)
    head_child: int = -1
    folded: bool = False
    width: float = 0.0
    x: float = 0.0
    level: int = 0

    def walk(self) -> Iterator[PlacedNode]:
        """Yield this node and all below it, in pre-order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Branch:
    """A line from a parent to a child."""

    parent: PlacedNode
    child: PlacedNode
    heavy: bool


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """A placed tree.

    Attributes
    ----------
    root
        Its nodes, with `x` and `level` set.
    levels
        Number of levels, that of the words included.
    """

    root: PlacedNode
    levels: int

    def branches(self) -> Iterator[Branch]:
        """Yield all branches, from the root downwards."""
        for node in self.root.walk():
            for index, child in enumerate(node.children):
                yield Branch(node, child, index == node.head_child)


def lay_tree(root: PlacedNode, columns: WordColumns, compact: bool = False) -> TreeLayout:
    """Place a tree over its columns: sets `x` and `level` of every node."""
    order = list(root.walk())
    for node in reversed(order):
        left, right = columns.edges[node.start], columns.edges[node.end]
        if node.children:
            middle = (node.children[0].x + node.children[-1].x) / 2
            node.level = 1 + max(child.level for child in node.children)
        elif node.folded or node.end - node.start != 1:
            middle = (left + right) / 2
            node.level = 1 if node.folded else 0
        else:
            node.x, node.level = columns.token_x(node.start), 0
            continue
        half = node.width / 2
        node.x = min(max(middle, left + half), right - half) if right - left >= node.width else (left + right) / 2
    levels = root.level + 1
    if compact:
        root.level = levels - 1
        for node in order:
            for child in node.children:
                child.level = node.level - 1
    return TreeLayout(root, levels)


def branch_line(branch: Branch, y_of: dict[int, float], top: float, bottom: float) -> tuple[Point, tuple[Segment, ...]]:
    """Start and segments of a branch; labels reach `top` above and `bottom` below their level's line."""
    parent, child = branch.parent, branch.child
    start = (parent.x, y_of[parent.level] + bottom)
    end = (child.x, y_of[child.level] - top)
    if abs(parent.x - child.x) < 0.5:
        return start, ((start[0], end[1]),)
    bar = start[1] + STEM
    way = 1.0 if child.x > parent.x else -1.0
    r = min(BRANCH_RADIUS, abs(child.x - parent.x), end[1] - bar)
    handle = r * (1 - ROUND)
    curve = (child.x - way * handle, bar, child.x, bar + handle, child.x, bar + r)
    return start, ((parent.x, bar), (child.x - way * r, bar), curve, end)
