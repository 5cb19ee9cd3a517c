"""Pictures of two parses: both trees, both ones' arrows, one sheet for a file; equal parts folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from engine.common.characters import curly_quotes
from engine.explain.parses import score_text
from engine.explain.subjects import ArrowId, NodeId, Subject
from explorer.compare.rows import (
    ERRORS_HEADER,
    ERRORS_RIGHT,
    LEDGER_RIGHT,
    arrow_candidate,
    cells_of,
    error_rows,
    ledger_header,
    ledger_rows,
)
from explorer.compare.sides import Comparison
from explorer.pictures.arrows import comparison_picture
from explorer.pictures.drawing import Drawing, Metrics, Rect, Region, Stroke, union
from explorer.pictures.facts import facts_of
from explorer.pictures.folding import Span, folded_columns, folded_ids
from explorer.pictures.layout import UNLIMITED, PlacedNode, Room, WordColumns
from explorer.pictures.marks import EXTRA, MISSING, found_ids, found_legend, marked, marks_legend, tree_marks
from explorer.pictures.options import ParseOptions, TreeOptions
from explorer.pictures.ruler import columns_of
from explorer.pictures.sheet import Sheet, message_picture, shape_rect, shifted
from explorer.pictures.tree import folding_legend, parse_picture, tree_picture

# Folding what two trees of a sentence have in common, so that what differs has room.
#
# A constituent that is the same in both, down to its words, is drawn as a triangle over its first and last word.


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


def differing_part(first: Parse, second: Parse) -> tuple[Subject, Subject] | None:
    """The lowest constituent of either tree in which everything is that differs; nothing if that is the whole tree."""
    mine, theirs = (facts_of(parse).tree_nodes() for parse in (first, second))
    ours, others = _shapes(mine), _shapes(theirs)
    lowest: tuple[Subject, Subject] | None = None
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


# Pictures of two parses: both trees, both ones' arrows, and one sheet with everything for a file.

ROOM = Room(1100.0, 1100.0)
"""The room of a picture of two parses, where nothing else is known."""
BETWEEN = 48.0
"""Space between two pictures."""
TITLE = 28.0
"""Space for the name of a picture above it."""
TITLE_GAP = 12.0
"""Space between the name and the score beside it."""
_TREES = "Trees of two parses"
_CLICK = ": a click opens it"
_LINE = 18.0
_WIDEST_CELL = 300.0
_WIDEST_SENTENCE = 900.0


def put(sheet: Sheet, drawing: Drawing, dx: float, dy: float, names: dict[Subject, Subject] | None = None) -> None:
    """Put a picture without its legend on a sheet, with other ids for what has another name there."""
    names = names or {}

    def name(id: Subject | None) -> Subject | None:
        return names.get(id, id) if id is not None else None

    for group in drawing.groups:
        if group is not drawing.legend:
            sheet.add(*(replace(shifted(shape, dx, dy), id=name(shape.id)) for shape in group.shapes))
    for area in drawing.areas:
        line = tuple((x + dx, y + dy) for x, y in area.line)
        tint = area.tint.moved(dx, dy) if area.tint is not None else None
        bounds = area.bounds.moved(dx, dy)
        sheet.regions.append(Region(names.get(area.id, area.id), bounds, area.label, line, tint, area.mark))


def second_names(comparison: Comparison) -> dict[Subject, Subject]:
    """Arrows of the second side that the first has not: what the inspector is asked about them."""
    return {
        ArrowId(modifier): found
        for modifier, head in comparison.second.heads().items()
        if comparison.first.heads().get(modifier) != head
        and (found := arrow_candidate(comparison.second, modifier)) is not None
    }


def _title(sheet: Sheet, x: float, y: float, title: str, parse: Parse) -> None:
    right = sheet.text(x, y, title, "label-bold", "ink", "start").right
    sheet.text(right + TITLE_GAP, y, score_text(parse), "tag", "muted", "start")


def _title_width(metrics: Metrics, title: str, parse: Parse) -> float:
    return metrics.width(title, "label-bold") + TITLE_GAP + metrics.width(score_text(parse), "tag")


def _twin(comparison: Comparison, *drawings: Drawing) -> str:
    return "\n\n".join(
        f"{title}\n{drawing.text_twin}" for title, drawing in zip(comparison.names, drawings, strict=True)
    )


def trees_picture(
    comparison: Comparison,
    metrics: Metrics,
    room: Room = ROOM,
    opened: frozenset[Span] = frozenset(),
    focus: tuple[Span, ...] = (),
    on_paper: bool = False,
) -> Drawing:
    """Both trees on one ruler, what one has and the other has not marked.

    Where they do not fit into the room, what is the same in both is folded, but for what a person has `opened`.  Where
    even that is too wide, each tree is folded by itself, and open around what differs, or what is looked at (`focus`).
    On paper nothing can be clicked, and the legend does not speak of it.
    """
    first, second = comparison.first, comparison.second
    click = "" if on_paper else _CLICK
    whole = _trees(comparison, metrics, room, columns_of(first, metrics, second))
    spans = equal_spans(first, second, opened)
    if _fits(whole, room):
        return whole
    if spans:
        folded = _trees(comparison, metrics, room, folded_columns((first, second), spans, metrics), spans, None, click)
        if _fits(folded, room):
            return folded
        part = differing_part(first, second)
        if part is not None:
            within = next((one.start, one.end) for one in facts_of(first).tree_nodes().walk() if one.id == part[0])
            columns = folded_columns((first, second), spans, metrics, within)
            inner = _trees(comparison, metrics, room, columns, spans, part, click)
            if _fits(inner, room):
                return inner
    return _folded_trees(comparison, metrics, room, focus, click)


def _fits(drawing: Drawing, room: Room) -> bool:
    return drawing.view_bounds.width <= room.width


def _differing(comparison: Comparison) -> tuple[Span, ...]:
    """The words of the constituents that one of the two has and the other has not."""
    return tuple(
        sorted(
            {
                (id.start, id.end)
                for parse, other, absent in _both(comparison)
                for id, mark in tree_marks(parse, other, absent)
                if mark == absent and isinstance(id, NodeId) and id.start < id.end
            }
        )
    )


def _open_around(
    draw: Callable[[tuple[Span, ...]], Drawing], spans: tuple[Span, ...], focus: tuple[Span, ...], room: Room
) -> Drawing:
    """A folded picture that is open around what is looked at, or else around as much of what differs as fits."""
    picture = draw(focus or spans)
    while spans and not focus and not _fits(picture, room):
        # Not all that differs can be open: the first of it is.
        spans = spans[: len(spans) - max(1, len(spans) // 4)]
        picture = draw(spans)
    return picture


def _folded_trees(comparison: Comparison, metrics: Metrics, room: Room, focus: tuple[Span, ...], click: str) -> Drawing:
    """Both trees, each folded by itself until it fits; both are open around what differs in either."""
    pair, marks = [], set()
    spans = _differing(comparison)
    for parse, other, absent in _both(comparison):
        options: TreeOptions = _options(comparison, parse, other, absent).tree

        def draw(looked: tuple[Span, ...], parse: Parse = parse, options: TreeOptions = options) -> Drawing:
            return tree_picture(parse, metrics, replace(options, focus=looked), room=room)

        pair.append(_open_around(draw, spans, focus, room))
        marks |= {mark for id, mark in options.marks if id in pair[-1].regions}
    drawing = _pair(comparison, metrics, pair, marks, room, _TREES, f"folded{click}")
    return replace(drawing, folded=tuple({*pair[0].folded, *pair[1].folded}))


def _trees(
    comparison: Comparison,
    metrics: Metrics,
    room: Room,
    columns: WordColumns,
    folded: frozenset[Span] = frozenset(),
    part: tuple[Subject, Subject] | None = None,
    click: str = "",
) -> Drawing:
    pair, marks = [], set()
    for number, (parse, other, absent) in enumerate(_both(comparison)):
        options: TreeOptions = _options(comparison, parse, other, absent).tree
        within = part[number] if part is not None else None
        options = replace(options, collapsed=folded_ids(parse, folded), within=within, joined=True)
        picture = tree_picture(parse, metrics, options, columns)
        pair.append(picture)
        marks |= {mark for id, mark in options.marks if id in picture.regions}
    hint = ""
    if folded:
        hint = f"the same in both{click}" + (";  all around it is the same, too" if part is not None else "")
    return _pair(comparison, metrics, pair, marks, room, _TREES, hint)


def two_parses(
    comparison: Comparison,
    metrics: Metrics,
    room: Room = ROOM,
    focus: tuple[Span, ...] = (),
    on_paper: bool = False,
) -> Drawing:
    """Trees and arrows of both; trees that have to be folded are open around what differs, or what is looked at."""
    pair, marks = _parses(comparison, metrics, room, focus)
    folded = tuple({*pair[0].folded, *pair[1].folded})
    hint = ("folded" if on_paper else f"folded{_CLICK}") if folded else ""
    return replace(_pair(comparison, metrics, pair, marks, room, "Two parses", hint), folded=folded)


def _both(comparison: Comparison) -> tuple[tuple[Parse, Parse, str], ...]:
    """Each side, the other one, and what to call what the other one has not."""
    first, second = comparison.first, comparison.second
    return (first, second, EXTRA), (second, first, MISSING)


def _options(comparison: Comparison, parse: Parse, other: Parse, absent: str) -> ParseOptions:
    """The options of one side: what differs from the other one is marked, and what a search found."""
    tree = TreeOptions(found=found_ids(facts_of(parse), comparison.found))
    return marked(ParseOptions(tree=tree), parse, other, absent)


def _parses(
    comparison: Comparison, metrics: Metrics, room: Room = UNLIMITED, focus: tuple[Span, ...] = ()
) -> tuple[list[Drawing], set[str]]:
    columns = columns_of(comparison.first, metrics, comparison.second)
    pair, marks = [], set()
    spans = _differing(comparison)
    for parse, other, absent in _both(comparison):
        options = _options(comparison, parse, other, absent)
        marks |= {*dict(options.tree.marks).values(), *dict(options.arrows.marks).values()}

        def draw(looked: tuple[Span, ...], parse: Parse = parse, options: ParseOptions = options) -> Drawing:
            tree = replace(options.tree, focus=looked)
            return parse_picture(parse, metrics, replace(options, tree=tree), columns, room)

        pair.append(_open_around(draw, spans, focus, room))
    return pair, marks


def _extent(drawing: Drawing, metrics: Metrics) -> Rect:
    """The rectangle that a picture fills without its legend and margins."""
    shapes = (shape for group in drawing.groups if group is not drawing.legend for shape in group.shapes)
    return union(shape_rect(shape, metrics) for shape in shapes)


def _pair(
    comparison: Comparison,
    metrics: Metrics,
    pair: Sequence[Drawing],
    marks: Iterable[str],
    room: Room,
    title: str,
    folding: str = "",
) -> Drawing:
    sheet = Sheet(metrics)
    foot = _put_pair(sheet, comparison, pair, room)
    sheet.begin_legend()
    x, y = marks_legend(sheet, marks, 0.0, foot + 24, boxes=True), foot + 24
    both = (found_ids(facts_of(parse), comparison.found) for parse in (comparison.first, comparison.second))
    x = found_legend(sheet, tuple(one for found in both for one in found), x, y)
    if folding:
        folding_legend(sheet, x, y, folding)
    return sheet.draw(title, _twin(comparison, *pair), None)


def _put_pair(sheet: Sheet, comparison: Comparison, pair: Sequence[Drawing], room: Room, top: float = 0.0) -> float:
    """Put two pictures on a sheet, side by side if the room is wide enough, else above one another; the foot's y."""
    extents = [_extent(one, sheet.metrics) for one in pair]
    parses = (comparison.first, comparison.second)
    # Over the trees of a few words the titles are what needs the room.
    titles = [_title_width(sheet.metrics, *one) for one in zip(comparison.names, parses, strict=True)]
    width, height = max(*titles, *(one.width for one in extents)), max(one.height for one in extents)
    beside = 2 * width + BETWEEN <= room.inner_width
    for number, (one, extent, name, parse) in enumerate(zip(pair, extents, comparison.names, parses, strict=True)):
        x = number * (width + BETWEEN) if beside else 0.0
        # Where both stand side by side their words stand on one line.
        y = top + TITLE + (height - extent.height if beside else number * (extents[0].height + BETWEEN + TITLE))
        if not beside and number == 0:
            y = top + TITLE
        put(sheet, one, x - extent.x, y - extent.y, second_names(comparison) if number else None)
        _title(sheet, x, (top if beside else y - TITLE) + 4, name, parse)
    if beside:
        return top + TITLE + height
    return top + 2 * TITLE + extents[0].height + BETWEEN + extents[1].height


def compared_arrows_picture(comparison: Comparison, metrics: Metrics, room: Room = UNLIMITED) -> Drawing:
    """The arrows of both around one row of words."""
    if comparison.first.sentence.positions != comparison.second.sentence.positions:
        return message_picture(
            "Other words", "The two differ in what is a word and what is punctuation; look at the trees.", metrics
        )
    # It is looked at alone: how high the sentence's other pictures are does not matter.
    return replace(comparison_picture(comparison.first, comparison.second, metrics, room=room), tallest=0.0)


def sheet_picture(comparison: Comparison, metrics: Metrics) -> Drawing:
    """Everything on one sheet: sentence, verdict, both parses, ledger and errors."""
    sheet = Sheet(metrics)
    pair, marks = _parses(comparison, metrics)
    width = max(720.0, _extent(pair[0], metrics).width)
    y = _lines(sheet, 0.0, comparison.sentence, "title", "ink", width)
    if comparison.verdict is not None:
        y = _lines(sheet, y + 6, headline(comparison), "label", "ink", width)
    y = _lines(sheet, y, comparison.compared.score, "tag", "muted", width)
    for line in comparison.provenance.splitlines():
        y = _lines(sheet, y, line, "tag", "muted", width)
    y += 16
    foot = _put_pair(sheet, comparison, pair, ROOM, y) + 24
    y = foot + 32
    twin = f"{headline(comparison)}\n{comparison.compared.score}\n{comparison.provenance}\n\n{_twin(comparison, *pair)}"
    if comparison.difference is not None:
        rows = ledger_rows(comparison)
        y = _table(sheet, y + 8, ledger_header(comparison), cells_of(rows), LEDGER_RIGHT, bold_last=True)
    errors = error_rows(comparison)
    if errors:
        _table(sheet, y + 28, ERRORS_HEADER, cells_of(errors), ERRORS_RIGHT, widest=_WIDEST_SENTENCE)
    sheet.begin_legend()
    marks_legend(sheet, marks, 0.0, foot, boxes=True)
    return sheet.draw("Comparison", twin, None)


def headline(comparison: Comparison) -> str:
    """The verdict, or what the two are."""
    return curly_quotes(comparison.headline.sentence)


def _lines(sheet: Sheet, y: float, text: str, style: str, role: str, width: float) -> float:
    """Write text in lines no wider than this; the y after them."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and sheet.metrics.width(longer, style) > width:
            sheet.text(0, y, line, style, role, "start")
            y += _LINE + 2
            line = word
        else:
            line = longer
    sheet.text(0, y, line, style, role, "start")
    return y + _LINE + 2


def _table(
    sheet: Sheet,
    y: float,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int],
    bold_last: bool = False,
    widest: float = _WIDEST_CELL,
) -> float:
    """Draw a table; the y after it."""
    metrics = sheet.metrics

    def cut(cell: str) -> str:
        if metrics.width(cell, "tag") <= widest:
            return cell
        while cell and metrics.width(cell + "…", "tag") > widest:
            cell = cell[:-1]
        return cell + "…"

    shown = [[cut(cell) for cell in row] for row in (header, *rows)]
    widths = [max(metrics.width(row[column], "tag") for row in shown) for column in range(len(header))]
    whole = sum(widths) + 16 * (len(widths) - 1)
    for number, row in enumerate(shown):
        last = bold_last and number == len(shown) - 1
        x = 0.0
        for column, cell in enumerate(row):
            anchor, at = ("end", x + widths[column]) if column in right else ("start", x)
            if cell:
                sheet.text(at, y, cell, "tag", "muted" if number == 0 else "ink", anchor)
            x += widths[column] + 16
        if number == 0 or (bold_last and number == len(shown) - 2):
            sheet.add(Stroke(0, y + 5, whole, y + 5, "hairline"))
        y += _LINE + (2 if last else 0)
    return y
