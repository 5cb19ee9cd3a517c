"""Stage 6, the tree, alone or with its arrows: heads heavier, leaves on the ruler (the paper's Figure 1(b))."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.chart.parse import Parse
from engine.explain.subjects import NodeId, PunctuationId, WordId
from explorer.pictures.arrows import Side, arrows_legend, arrows_twin, draw_arrows, wrapped_arrows
from explorer.pictures.drawing import Box, Curve, Drawing, Metrics, Rect, Shape, Stroke
from explorer.pictures.facts import Facts, facts_of
from explorer.pictures.folding import FoldedTree, fold_tree, folded_words
from explorer.pictures.layout import (
    PICTURE_MARGIN,
    TAG_DROP,
    UNLIMITED,
    WORD_DROP,
    Arc,
    Branch,
    PlacedNode,
    Room,
    TreeLayout,
    WordColumns,
    branch_line,
    fitting_level,
    lay_tree,
    margin_in,
    nesting_levels,
    reach,
)
from explorer.pictures.marks import LEAST_WEIGHT, MARK_DASHES, MATCH, draw_frame, found_legend, found_twin, marks_legend
from explorer.pictures.options import BESIDE, ParseOptions, TreeOptions
from explorer.pictures.ruler import columns_of, line_columns
from explorer.pictures.sheet import Sheet, brackets, mark_meaning, middle, shifted, words_row

# Stage 6, the tree: heads heavier, leaves on the ruler (the paper's Figure 1(b)).

FOLDED_PADDING = 4.0
"""Space between the words of a folded constituent and what stands beside them."""
_DEFAULT = TreeOptions()


def tree_picture(
    parse: Parse,
    metrics: Metrics,
    options: TreeOptions = _DEFAULT,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Return the tree over the sentence, every token in it; folded where it does not fit into the room."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    sheet = Sheet(metrics)
    height = room.height - 2 * PICTURE_MARGIN
    frame: WordColumns | None = columns
    folded = None
    if not room.holds(columns):
        frame = None
        columns = line_columns(metrics, room.close_width, facts, tree=True) or columns
    if frame is None and columns.width > room.close_width:
        folded = draw_folded_tree(sheet, parse, options, room, height)
    else:
        draw_tree(sheet, facts, columns, options, height)
    sheet.begin_legend()
    x = marks_legend(sheet, dict(options.marks).values(), 0.0, 40.0, boxes=True)
    x = found_legend(sheet, options.found, x, 40.0)
    if folded is not None:
        folding_legend(sheet, x, 40.0)
        return folded.mark(sheet.draw("Tree", tree_twin(facts, options), None))
    return sheet.draw("Tree", tree_twin(facts, options), frame, margin_in(room, columns))


def draw_folded_tree(sheet: Sheet, parse: Parse, options: TreeOptions, room: Room, height: float) -> FoldedTree:
    """Draw the tree folded so far that it fits into the room, open around what is looked at."""
    folded = fold_tree(parse, sheet.metrics, room.inner_width, options.focus, options.collapsed)
    shown = replace(options, collapsed=folded.collapsed, joined=True)
    draw_tree(sheet, facts_of(parse), folded.columns, shown, height)
    return folded


def folding_legend(sheet: Sheet, x: float, y: float, text: str = "folded: a click opens it") -> float:
    """Return what a triangle says; the x where it ends."""
    sheet.add(Curve((x + 12, y - 7), ((x, y + 6), (x + 24, y + 6), (x + 12, y - 7)), "line", 1.0, fill="surface"))
    return sheet.text(x + 32, y + middle(sheet.metrics, "tag"), text, "tag", "muted", "start").right + 20


def tree_twin(facts: Facts, options: TreeOptions) -> str:
    """Return the tree in brackets, what of it is missing or extra where it is compared with another,
    and what was found.
    """
    lines = [facts.tree.pretty(80)]
    for identity, mark in options.marks:
        match identity:
            case NodeId(start, end, label) if mark != MATCH:
                lines.append(f"{mark}: {label} over {' '.join(facts.words[start:end])}")
    lines += found_twin(facts, options.found)
    return "\n".join(lines)


def draw_tree(
    sheet: Sheet, facts: Facts, columns: WordColumns, options: TreeOptions, height: float = math.inf, shift: float = 0.0
) -> None:
    """Draw the tree such that its words stand on the base line 0 (compact: the deepest word does).

    Its levels are made lower, as far as they can be read, where it is higher than `height`.
    """
    root = facts.tree_nodes(options.collapsed)
    if options.within is not None:
        root = next(node for node in root.walk() if node.id == options.within)
    for node in root.walk():
        node.width = sheet.metrics.width(node.label, "label-bold")
    layout = lay_tree(root, columns, options.compact)
    level = fitting_level(layout.levels, height)
    _Tree(sheet, facts, columns, options, layout, level, shift).draw()


class _Tree:
    def __init__(
        self,
        sheet: Sheet,
        facts: Facts,
        columns: WordColumns,
        options: TreeOptions,
        layout: TreeLayout,
        height: float,
        shift: float,
    ) -> None:
        self.sheet = sheet
        self.facts = facts
        self.columns = columns
        self.options = options
        self.layout = layout
        self.shift = shift
        drop = WORD_DROP if options.tags else 0.0
        lowest = min(node.level for node in layout.root.walk())
        self.y = {level: -drop - height * (level - lowest) for level in range(lowest - 1, layout.levels)}
        self.drop = drop
        self.top = sheet.metrics.ascent("label") + 2
        self.bottom = sheet.metrics.descent("label") + 3
        self.marks = dict(options.marks)
        self.found = dict(options.found)

    def draw(self) -> None:
        light: list[Shape] = []
        heavy: list[Shape] = []
        for branch in self.layout.branches():
            (heavy if branch.heavy else light).extend(self._branch(branch))
        # Where branches share a bar the head's lies on top.
        self.sheet.add(*light, *heavy)
        for node in self.layout.root.walk():
            if isinstance(node.id, NodeId):
                self._constituent(node)
            else:
                self._leaf(node)

    def _branch(self, branch: Branch) -> list[Shape]:
        """Return the line from a parent to a child; to one that is marked,
        what falls down from the shared bar in its look.
        """
        child = branch.child
        start, segments = branch_line(branch, self.y, self.top, self.bottom)
        outside = isinstance(child.id, PunctuationId)
        role, weight = ("ink", 2.0) if branch.heavy else ("hairline" if outside else "line", 1.0)
        mark = self.marks.get(child.id)
        if mark is None:
            return [shifted(Curve(start, segments, role, weight, id=child.id), self.shift)]
        # The last two pieces are the bend and the fall; a child right below has nothing but the fall.
        bar, fall = segments[:-2], segments[-2:]
        bend = (bar[-1][-2], bar[-1][-1]) if bar else start
        lines = [Curve(start, bar, role, weight, id=child.id)] if bar else []
        lines.append(Curve(bend, fall, mark, max(weight, LEAST_WEIGHT), MARK_DASHES[mark], id=child.id))
        return [shifted(line, self.shift) for line in lines]

    def _constituent(self, node: PlacedNode) -> None:
        sheet = self.sheet
        y, x = self.y[node.level], node.x + self.shift
        mark = self.marks.get(node.id, "")
        rect = sheet.text(x, y, node.label, "label-bold", mark or "ink", id=node.id)
        if mark and mark != MATCH:
            edge = Rect(rect.x - 4, y - self.top + 1, rect.width + 8, self.top + self.bottom - 2)
            sheet.add(Box(*edge, "background", mark, LEAST_WEIGHT, MARK_DASHES[mark], 4.0, node.id))
        if node.id in self.found:
            draw_frame(sheet, rect, self.found[node.id], node.id)
        left, right = self.columns.edges[node.start] + self.shift, self.columns.edges[node.end] + self.shift
        foot = self._foot(node)
        tint = Rect(left + 2, rect.y - 2, right - left - 4, foot - rect.y + 6)
        label = _label(self.facts, node) + (f"  ({mark})" if mark else "")
        if node.id in self.found:
            label += f"  ({self.found[node.id]})"
        sheet.region(node.id, rect.grown(3), label, tint=tint, mark=mark)
        if node.folded:
            base = self.y[node.level - 1] - self.top
            corners = ((left + 6, base), (right - 6, base), (x, y + self.bottom))
            sheet.add(Curve((x, y + self.bottom), corners, "line", 1.0, fill="surface", id=node.id))
            self._folded(node, self.y[node.level - 1] + self.drop)

    def _folded(self, node: PlacedNode, y: float) -> None:
        """The words of a constituent whose inside is hidden: each in its column, or all on one line."""
        sheet, edges = self.sheet, self.columns.edges
        if not self.options.joined:
            for token in range(node.start, node.end):
                self._word(token, y, tag=False)
            return
        words = self.facts.tokens[node.start : node.end]
        text = folded_words(words, sheet.metrics, edges[node.end] - edges[node.start] - FOLDED_PADDING)
        middle = (edges[node.start] + edges[node.end]) / 2 + self.shift
        rect = sheet.text(middle, y, text, "word", "muted", id=node.id)
        sheet.region(node.id, rect.grown(2), _label(self.facts, node))

    def _foot(self, node: PlacedNode) -> float:
        """Base line of the lowest word below a node."""
        lowest = min(below.level - (1 if below.folded else 0) for below in node.walk())
        return self.y[lowest] + self.drop

    def _leaf(self, node: PlacedNode) -> None:
        y = self.y[node.level]
        self._word(node.start, y + self.drop, tag=True)

    def _word(self, token: int, y: float, tag: bool) -> None:
        facts, sheet = self.facts, self.sheet
        x = self.columns.token_x(token) + self.shift
        position = facts.position_of.get(token)
        word, name = facts.tokens[token], facts.token_tags[token]
        if position is None:
            rect = sheet.text(x, y, word, "word", "faint", id=PunctuationId(token))
            if tag and self.options.tags and name != word:
                sheet.text(x, y - self.drop, name, "tag", "faint", id=PunctuationId(token))
            elif tag and self.options.tags:
                # The branch of a mark that is its own tag ends at the mark.
                sheet.add(Stroke(x, y - self.drop - self.top, x, y - 16, "hairline", id=PunctuationId(token)))
            if PunctuationId(token) in self.found:
                draw_frame(sheet, rect, self.found[PunctuationId(token)], PunctuationId(token))
            sheet.region(PunctuationId(token), rect.grown(2), f"{word}  {mark_meaning(name)}")
            return
        base = facts.base_of.get(position)
        head = base is not None and base.head == position
        role = "muted" if base is not None and not head else "ink"
        rect = sheet.text(x, y, word, "word-bold" if head else "word", role, id=WordId(position))
        if tag and self.options.tags:
            above = sheet.text(x, y - self.drop, name, "tag", "muted", id=WordId(position))
            rect = Rect(min(rect.x, above.x), above.y, max(rect.width, above.width), rect.bottom - above.y)
        if WordId(position) in self.found:
            draw_frame(sheet, rect, self.found[WordId(position)], WordId(position))
        sheet.region(WordId(position), rect.grown(2), f"{word}/{name}")


def _label(facts: Facts, node: PlacedNode) -> str:
    words = " ".join(facts.tokens[node.start : node.end])
    shown = words if len(words) <= 72 else words[:70] + "…"
    return f"{node.label}: {shown}"


# Stage 6: the tree with its arrows, around one row of words or side by side.
#
# Where they do not fit, the tree is folded, and the arrows with their words are broken into lines.

TREE_TO_ARROWS = 64.0
"""Space between tree and arrows side by side, and one above the other."""
_TREE_WITH_ARROWS = ParseOptions()


LEAST_BESIDE = 480.0
"""Where half of the room is narrower, a long sentence stands above its arrows, which would have two words a line."""


def parse_picture(
    parse: Parse,
    metrics: Metrics,
    options: ParseOptions = _TREE_WITH_ARROWS,
    columns: WordColumns | None = None,
    room: Room = UNLIMITED,
) -> Drawing:
    """Tree and arrows together: ``stacked``, the tree above the words and the arrows below, or ``beside``."""
    facts = facts_of(parse)
    columns = columns or columns_of(parse, metrics)
    twin = f"{tree_twin(facts, options.tree)}\n\n{arrows_twin(facts, options.arrows)}"
    beside = options.arrangement == BESIDE
    part = replace(room, width=(room.width - TREE_TO_ARROWS) / 2) if beside else room
    # Where the names of rows that other stages have beside the words are too much, there is room for the words alone.
    frame = columns if part.holds(columns) else None
    if frame is None and columns.width > part.inner_width:
        own = line_columns(metrics, part.close_width, facts, tree=True, arrows=True)
        if own is None:
            beside = beside and part.inner_width >= LEAST_BESIDE
            return _long(parse, metrics, options, part if beside else room, beside, twin)
        columns = own
    margin = margin_in(part, columns)
    row = 0.0
    if options.tree.compact and not beside:
        # The words of a compact tree stand at many heights: the arrows have a separate row.
        row = 72.0
    sheet = Sheet(metrics)
    height = room.height - 2 * margin
    if not beside:
        arcs = [Arc(modifier, head) for modifier, head, _ in facts.attachments]
        height -= row + metrics.descent("word") + 5 + reach(arcs, nesting_levels(arcs))
    draw_tree(sheet, facts, columns, options.tree, height)
    arrows = Side(sheet, facts, options.arrows, -1.0 if beside else 1.0)
    if beside:
        shift = columns.width + TREE_TO_ARROWS
        words_row(sheet, facts, columns, 0, tags=options.arrows.tags, shift=shift)
        draw_arrows(arrows, columns, -metrics.ascent("word") - 5, shift)
        _legend(sheet, options, shift, (TAG_DROP if options.arrows.tags else 0.0) + 40)
        return sheet.draw("Parse", twin, None, margin)
    if options.tree.compact:
        words_row(sheet, facts, columns, row, tags=False)
    else:
        brackets(sheet, facts, columns, row)
    lowest = draw_arrows(arrows, columns, row + metrics.descent("word") + 5)
    _legend(sheet, options, 0.0, lowest + 16)
    return sheet.draw("Parse", twin, frame, margin)


def _long(parse: Parse, metrics: Metrics, options: ParseOptions, room: Room, beside: bool, twin: str) -> Drawing:
    """Return the folded tree, and the arrows in lines below it or beside it."""
    facts: Facts = facts_of(parse)
    sheet, lines = Sheet(metrics), Sheet(metrics)
    foot = wrapped_arrows([Side(lines, facts, options.arrows)], room)
    folded = draw_folded_tree(sheet, parse, options.tree, room, room.height - 2 * PICTURE_MARGIN)
    if beside:
        # Both begin at the top, however much longer one of them is.
        down = sheet.top - lines.top
        sheet.take(lines, folded.columns.width + TREE_TO_ARROWS, down)
        foot = max(0.0, foot + down)
    else:
        sheet.take(lines, 0.0, TREE_TO_ARROWS)
        foot += TREE_TO_ARROWS
    _legend(sheet, options, 0.0, foot + 40, folded=True)
    return folded.mark(sheet.draw("Parse", twin, None))


def _legend(sheet: Sheet, options: ParseOptions, x: float, y: float, folded: bool = False) -> None:
    """What marks, triangles and the width of arrows say."""
    sheet.begin_legend()
    # One legend explains the marks of both.
    alone = () if options.arrows.marks else tuple(dict(options.tree.marks).values())
    x = marks_legend(sheet, alone, x, y, boxes=True)
    x = found_legend(sheet, options.tree.found, x, y)
    x = arrows_legend(sheet, options.arrows, x, y, brief=folded)
    if folded:
        folding_legend(sheet, x + 8, y)
