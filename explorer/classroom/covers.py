"""What a picture shows of a question: covered answers, tool tips and text; in an exercise what a student has set so
far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from engine.explain.subjects import (
    ArrowId,
    ChartCellId,
    GapId,
    GapTagId,
    MatrixCellId,
    NodeId,
    PunctuationId,
    RootId,
    Subject,
    TagId,
    WordId,
)
from explorer.pictures.drawing import (
    TOP,
    Areas,
    Box,
    Curve,
    Drawing,
    Grip,
    Group,
    Metrics,
    Rect,
    Region,
    Shape,
    Stroke,
    Text,
    union,
)
from explorer.pictures.layout import arrow_head
from explorer.stages.stages import STAGES

# Cover the answer to a question in any picture of the sentence, in its tool tips and in its text for screen readers.
#
# A cover is made of the display list: what would tell the answer is not painted under something, it is taken out.  What
# tells it depends on the picture: a tree tells every head, square brackets tell gap tags.

_WORDS = (WordId, PunctuationId)
_SIGN = 22.0
"""Width and height of the box with a question mark."""
_PILL = 16.0
_Test = Callable[[Shape], bool]


class Hidden(NamedTuple):
    """What a picture must not tell: the answer to a question.

    Attributes
    ----------
    text
        The question in words.
    words
        The words of the sentence without punctuation.
    covered
        Ids whose parts of the picture stay covered until the answer is shown.
    subject
        The word that it is about, or the word after the gap; ``None`` if it is about the whole sentence.
    gaps_tell
        Whether gap tags tell the answer.
    """

    text: str
    words: tuple[str, ...]
    covered: frozenset[Subject]
    subject: WordId | None
    gaps_tell: bool


def without_answer(drawing: Drawing, hidden: Hidden) -> Drawing:
    """A picture of another sort than the question is about: the words alone where the rest tells the answer."""
    shown = {type(area.id) for area in drawing.areas}
    tells = bool(shown & {NodeId, ArrowId, MatrixCellId, ChartCellId})
    if tells or (hidden.gaps_tell and (GapId in shown or _tells_gaps(drawing))):
        return _words_only(drawing, hidden)
    # A picture that tells nothing may still say it: the label of a word names its baseNP.
    return _filtered(drawing, hidden, lambda shape: False, (), lambda area: False)


def _tells_gaps(drawing: Drawing) -> bool:
    """Whether it is the picture of a stage that tells gap tags without drawing gaps."""
    return any(stage.tells_gaps and stage.title == drawing.title for stage in STAGES)


# What is taken out of which picture


def without_gaps(drawing: Drawing, hidden: Hidden) -> Drawing:
    """The row of gaps without those that are asked for, and without the brackets around baseNPs."""
    asked_for = [area for area in drawing.areas if isinstance(area.id, GapId) and area.id in hidden.covered]
    places = [area.bounds.grown(1) for area in asked_for]

    def tells(shape: Shape) -> bool:
        if isinstance(shape.id, GapId | GapTagId):
            return shape.id in hidden.covered and not isinstance(shape, Stroke)
        return _is_bracket(shape) or (shape.id is None and any(_inside(shape, rect) for rect in places))

    asked = GapId(hidden.subject.position) if hidden.subject is not None else None
    place = drawing.regions.get(asked) if asked is not None else None
    signs = _sign(place.bounds.x + place.bounds.width / 2, place.bounds.y + _SIGN / 2) if place is not None else ()
    return _filtered(drawing, hidden, tells, signs, lambda area: area.id in hidden.covered)


def without_arrow(drawing: Drawing, hidden: Hidden, only_relation: bool) -> Drawing:
    """Tree and arrows without the tree, and without the arrow that is asked for, or its relation."""
    asked = ArrowId(hidden.subject.position) if hidden.subject is not None else None
    covered: set[Subject] = {asked} if only_relation and asked is not None else set(hidden.covered)
    tree = _tree_rect(drawing)

    def tells(shape: Shape) -> bool:
        if isinstance(shape.id, NodeId):
            return True
        if tree is not None and not isinstance(shape, Text) and isinstance(shape.id, WordId | PunctuationId):
            # The branches down to the words.
            return True
        if tree is not None and drawing.folded and _inside(shape, tree):
            return True
        if shape.id not in covered:
            return False
        return not only_relation or isinstance(shape, Text | Box)

    signs: list[Shape] = list(_cover_sign(tree)) if tree is not None else []
    if only_relation and asked is not None:
        # The pill is the second place of an arrow; its middle is where the relation stood.
        for place in [area for area in drawing.areas.of([asked]) if not area.line][:1]:
            signs += _sign(*place.bounds.centre, _PILL)
    elif hidden.subject is not None:
        signs += _over_word(drawing, hidden.subject, covered)

    def gone(area: Region) -> bool:
        return isinstance(area.id, NodeId) or area.id in covered

    return _filtered(drawing, hidden, tells, signs, gone)


def without_row(drawing: Drawing, hidden: Hidden) -> Drawing:
    """The matrix of F̂ without the row of the word that is asked for."""
    rects = [area.bounds for area in drawing.areas if area.id in hidden.covered and area.id != hidden.subject]
    rows = [rect for rect in rects if rect.width > 0 and rect.height > 0]
    own = [
        area.bounds
        for area in drawing.areas
        if isinstance(area.id, MatrixCellId)
        and hidden.subject is not None
        and area.id.modifier == hidden.subject.position
    ]
    row = union(own) if own else None
    if row is not None:
        rows.append(row)

    def tells(shape: Shape) -> bool:
        return shape.id in hidden.covered or any(_inside(shape, rect.grown(0.5)) for rect in rows)

    signs = _cover_sign(row) if row is not None else ()
    return _filtered(drawing, hidden, tells, signs, lambda area: area.id in hidden.covered)


def _words_only(drawing: Drawing, hidden: Hidden) -> Drawing:
    """The words, and one large cover over all that was drawn about them."""
    rows = [shape.y for shape in drawing.shapes if isinstance(shape, Text) and isinstance(shape.id, WordId)]
    # What tells gaps stands below the whole sentence, such as the heads of baseNPs.
    last = min(rows, default=0.0) if _tells_gaps(drawing) else max(rows, default=0.0)

    def tells(shape: Shape) -> bool:
        return not (isinstance(shape, Text) and isinstance(shape.id, _WORDS) and not shape.turned and shape.y <= last)

    places = [area.bounds for area in drawing.areas if not isinstance(area.id, (*_WORDS, TagId))]
    words = [area.bounds for area in drawing.areas if isinstance(area.id, _WORDS)]
    signs: Iterable[Shape] = ()
    if places:
        whole = union(places)
        row: Rect | None = union(words) if words else None
        if row is not None and row.height > whole.height / 2:
            # Words at the head of rows and columns stand around what is covered, not beside it.
            row = None
        if row is not None and row.y >= whole.y + whole.height / 2:
            whole = Rect(whole.x, whole.y, whole.width, max(_SIGN, min(whole.bottom, row.y) - whole.y))
        elif row is not None:
            below = max(whole.y, min(row.bottom, whole.bottom - _SIGN))
            whole = Rect(whole.x, below, whole.width, whole.bottom - below)
        signs = _cover_sign(whole)
    made = _filtered(drawing, hidden, tells, signs, lambda area: not isinstance(area.id, _WORDS))
    return replace(
        made, grips={}, legend=None, groups=tuple(group for group in made.groups if group is not made.legend)
    )


def without_labels(drawing: Drawing, hidden: Hidden) -> Drawing:
    """The chart as far as it is built; what a cell will hold is not said."""
    areas = Areas(
        Region(area.id, area.bounds, "", area.line, area.tint) if isinstance(area.id, ChartCellId) else area
        for area in drawing.areas
    )
    return replace(drawing, areas=areas, twin=_twin(hidden), lens=None)


# How it is taken out


def _filtered(
    drawing: Drawing,
    hidden: Hidden,
    tells: _Test,
    signs: Iterable[Shape],
    gone: Callable[[Region], bool],
) -> Drawing:
    """The picture without the shapes and places that tell the answer, and with signs in their place."""
    made: dict[int, Group] = {}
    for group in drawing.groups:
        kept = (
            group.shapes if group is drawing.legend else [_plain(one, hidden) for one in group.shapes if not tells(one)]
        )
        made[id(group)] = group if group is drawing.legend else Group(kept, group.bounds)
    added = tuple(signs)
    groups = list(made.values())
    if added:
        groups.append(Group(added, drawing.view_bounds))
    areas = Areas(
        Region(area.id, area.bounds, _word_label(drawing, hidden, area), area.line)
        if isinstance(area.id, WordId)
        else area
        for area in drawing.areas
        if not gone(area)
    )
    shown = {area.id for area in areas}
    return replace(
        drawing,
        groups=tuple(groups),
        twin=_twin(hidden),
        areas=areas,
        grips={id: grip for id, grip in drawing.grips.items() if id in shown},
        lens=None,
        pins=tuple((edge, made.get(id(group), group)) for edge, group in drawing.pins),
        folded=(),
        overview=None,
    )


def _plain(shape: Shape, hidden: Hidden) -> Shape:
    """A word of a baseNP looks like any other while gap tags are asked for."""
    return _plain_word(shape) if hidden.gaps_tell else shape


def _plain_word(shape: Shape) -> Shape:
    if isinstance(shape, Text) and isinstance(shape.id, WordId) and shape.style.startswith("word"):
        return replace(shape, style="word", role="ink")
    return shape


def _word_label(drawing: Drawing, hidden: Hidden, area: Region) -> str:
    """The word alone: its usual label tells of its baseNP."""
    assert isinstance(area.id, WordId)
    return hidden.words[area.id.position] if area.id.position < len(hidden.words) else ""


def _twin(hidden: Hidden) -> str:
    """The picture as text: the sentence and the question."""
    return f"{' '.join(hidden.words)}\n{hidden.text}\nThe answer is covered."


def _is_bracket(shape: Shape) -> bool:
    return isinstance(shape, Text) and shape.id is None and shape.text in ("[", "]")


def _inside(shape: Shape, rect: Rect) -> bool:
    """Whether the middle of a shape, or all of a line, is in a rectangle."""
    match shape:
        case Text():
            return rect.contains(shape.x, shape.y)
        case Box():
            return rect.contains(shape.x + shape.width / 2, shape.y + shape.height / 2)
        case Stroke():
            return rect.contains(shape.x1, shape.y1) and rect.contains(shape.x2, shape.y2)
        case Curve():
            ends = [shape.start, *((segment[-2], segment[-1]) for segment in shape.segments)]
            return all(rect.contains(x, y) for x, y in ends)


def _tree_rect(drawing: Drawing) -> Rect | None:
    """Where the tree stands over its words; of a folded one with the words, which stand once more below."""
    nodes = [area for area in drawing.areas if isinstance(area.id, NodeId)]
    if not nodes:
        return None
    if drawing.folded:
        return union([area.tint or area.bounds for area in nodes])
    wide = union([area.tint or area.bounds for area in nodes])
    labels = union([area.bounds for area in nodes])
    return Rect(wide.x, labels.y, wide.width, labels.height)


def _over_word(drawing: Drawing, word: WordId, covered: Collection[Subject]) -> list[Shape]:
    """A question mark where the arrow of a word begins, beside the heads of other arrows."""
    place = drawing.regions.get(word)
    grip = drawing.grips.get(ArrowId(word.position))
    if place is None or grip is None:
        return []
    x, y = grip.anchor
    y += _SIGN * (-0.75 if y <= place.bounds.centre[1] else 0.75)
    heads = [shape for shape in drawing.shapes if isinstance(shape, Curve) and shape.fill and shape.id not in covered]
    tips = [point[-2:] for head in heads for point in (head.start, *head.segments)]

    def taken(shift: float) -> int:
        room = Rect(x + shift - _SIGN / 2, y - _SIGN / 2, _SIGN, _SIGN).grown(2)
        return sum(room.contains(*tip) for tip in tips)

    # Not so far from its word that it could be another one's.
    free = min((0.0, *(side * shift for shift in range(4, 37, 4) for side in (-1, 1))), key=taken)
    return list(_sign(x + free, y))


def _sign(x: float, y: float, height: float = _SIGN) -> tuple[Shape, ...]:
    """A question mark in a box around a point."""
    box = Box(
        x - _SIGN / 2, y - height / 2, _SIGN, height, "background", "line", 1.5, "dash", 4.0 if height > _PILL else 8.0
    )
    return replace(box, layer=TOP), Text(x, y + 4.5, "?", "label-bold", "muted")


def _cover_sign(rect: Rect) -> tuple[Shape, ...]:
    """A cover over a rectangle, with a question mark in its middle."""
    box = Box(*rect, fill="surface", role="line", weight=1.0, dash="dash", radius=6.0)
    x, y = rect.centre
    return box, Text(x, y + 5.5, "?", "title", "muted")


# The picture of an exercise's question: what is to be set is open, what a student has set so far is drawn; no Qt.

_CHIP = 22.0
_RISE = 34.0
"""How far an arrow that a student draws rises over the words."""


def settable_gap(covered: Drawing, drawing: Drawing, hidden: Hidden, chosen: Subject | None) -> Drawing:
    """A gap that can be clicked, with the tag that it has been given."""
    assert hidden.subject is not None
    position = hidden.subject.position
    place = drawing.regions[GapId(position)].bounds
    letter = chosen.letter if isinstance(chosen, GapTagId) else ""
    shapes: list[Shape] = []
    if letter:
        x, y = place.x + place.width / 2 - _CHIP / 2, place.y
        role = f"gap.{letter}"
        shapes = [
            Box(x, y, _CHIP, _CHIP, role, "ink", 1.5, radius=4.0, layer=3),
            Text(x + _CHIP / 2, y + _CHIP / 2 + 4.5, letter, "label-bold", f"on:{role}"),
        ]
    left, right = hidden.words[position - 1], hidden.words[position]
    label = f"the gap between {left} and {right}: {f'set to {letter}' if letter else 'not set; a click sets it'}"
    return _with(covered, shapes, [Region(GapId(position), place, label)])


def settable_head(covered: Drawing, hidden: Hidden, metrics: Metrics, chosen: Subject | None) -> Drawing:
    """A word from which an arrow can be dragged to its head, with the arrow that has been drawn."""
    assert hidden.subject is not None
    modifier = hidden.subject
    word = covered.regions[modifier].bounds
    top = min(area.bounds.y for area in covered.areas)
    # The root stands above all arrows, at the left, where it says nothing.
    root = Rect(
        covered.view_bounds.x + 16, min(top, word.y - _RISE) - _RISE - 24, metrics.width("root", "label") + 16, 20
    )
    shapes: list[Shape] = [
        Box(*root, "background", "line", 1.0, "dash", 6.0),
        Text(root.x + root.width / 2, root.y + 14.5, "root", "label", "muted"),
        Box(*word.grown(3), "", "accent", 1.5, "dash", 4.0),
    ]
    end = root if isinstance(chosen, RootId) else covered.regions[chosen].bounds if chosen in covered.regions else None
    anchor = (word.x + word.width / 2, word.y - 4)
    if end is not None and chosen is not None:
        tip = (end.x + end.width / 2, end.bottom + 4 if isinstance(chosen, RootId) else end.y - 4)
        # Over all other arrows; a curve of this sort comes to three quarters of the way to its handles.
        high = anchor[1] - (anchor[1] - (top - _RISE / 2)) * 4 / 3
        if covered.frame is None:
            # In lines: the other end may stand on another one, with arrows between them.
            high = min(anchor[1], tip[1]) - _RISE
        if isinstance(chosen, RootId):
            high = (anchor[1] + tip[1]) / 2
            shapes.append(Curve(anchor, ((anchor[0], high, tip[0], high, tip[0], tip[1] + 6),), "accent", 2.0))
            shapes.append(arrow_head(tip[0], tip[1], -1.0, "accent"))
        else:
            shapes.append(Curve(anchor, ((anchor[0], high, tip[0], high, tip[0], tip[1] - 6),), "accent", 2.0))
            shapes.append(arrow_head(tip[0], tip[1], 1.0, "accent"))
    made = _with(covered, shapes, [Region(RootId(), root, "the root: the head of the sentence points here")])
    grip = Grip(anchor, (WordId, RootId), modifier)
    bounds = _around(made.bounds, root)
    body = _around(made.body, root) if made.body is not None else None
    return replace(made, grips={modifier: grip}, bounds=bounds, body=body, frame=None)


def _with(drawing: Drawing, shapes: list[Shape], areas: list[Region]) -> Drawing:
    """The drawing with more on it."""
    groups = (*drawing.groups, Group(shapes, drawing.view_bounds.grown(200))) if shapes else drawing.groups
    return replace(drawing, groups=groups, areas=Areas((*drawing.areas, *areas)))


def _around(first: Rect, second: Rect) -> Rect:
    left, top = min(first.x, second.x - 16), min(first.y, second.y - 16)
    return Rect(left, top, max(first.right, second.right + 16) - left, max(first.bottom, second.bottom + 16) - top)


# The picture on paper: what is left out of it, and what is marked without colours.


def without(drawing: Drawing, covered: Iterable[Subject]) -> Drawing:
    """The drawing without the shapes that stand for these things; it keeps its size."""
    ids = frozenset(covered)
    return _changed(drawing, lambda shape: None if shape.id in ids else shape)


def emphasised(drawing: Drawing, ids: Iterable[Subject | None]) -> Drawing:
    """The drawing with the lines of these things heavier, so that they are told without colours."""
    wanted = frozenset(id for id in ids if id is not None)

    def heavier(shape: Shape) -> Shape:
        if shape.id not in wanted:
            return shape
        if isinstance(shape, Text):
            return replace(shape, style=_BOLD.get(shape.style, shape.style))
        if isinstance(shape, Box):
            return replace(shape, weight=shape.weight + 1.25, role="accent") if shape.role else shape
        return replace(shape, weight=shape.weight + 1.25, role="accent" if shape.role else "")

    return _changed(drawing, heavier)


def _changed(drawing: Drawing, change: Callable[[Shape], Shape | None]) -> Drawing:
    """The drawing with each shape as it is changed, or left out."""
    changed = {
        id(group): Group([new for shape in group.shapes if (new := change(shape)) is not None], group.bounds)
        for group in drawing.groups
    }
    legend = changed[id(drawing.legend)] if drawing.legend is not None else None
    return replace(drawing, groups=tuple(changed[id(group)] for group in drawing.groups), legend=legend)


_BOLD = {"word": "word-bold", "label": "label-bold"}
"""Words become bold; small type on a pill has no room for that."""


def without_bases(drawing: Drawing) -> Drawing:
    """The drawing without the brackets around baseNPs, its words all alike."""
    return _changed(drawing, lambda shape: None if _is_bracket(shape) else _plain_word(shape))
