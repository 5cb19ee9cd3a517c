"""The picture of an exercise's question: what is to be set is open, what a student has set so far is drawn; no Qt."""

from __future__ import annotations

from dataclasses import replace

from engine.chart.parse import Parse
from explorer.classroom.covers import cover
from explorer.classroom.lesson import BEAM, BETTER_TREE, GAP, HEAD, NEXT_EDGE
from explorer.classroom.posed_question import PosedQuestion
from explorer.graphics.drawing import Areas, Box, Curve, Drawing, Grip, Group, Metrics, Rect, Region, Shape, Text
from explorer.graphics.layout.arc_layout import arrow_head
from explorer.graphics.layout.room import Room
from explorer.graphics.pictures.arrows_picture import arrows_picture
from explorer.graphics.pictures.gaps_picture import gaps_picture
from explorer.graphics.pictures.picture_options import TriangleOptions
from explorer.graphics.pictures.sentence_picture import sentence_picture
from explorer.graphics.pictures.sentence_ruler import columns_of
from explorer.graphics.pictures.triangle_picture import triangle_picture
from explorer.graphics.selection import GapId, GapTagId, Id, RootId, WordId

_CHIP = 22.0
_RISE = 34.0
"""How far an arrow that a student draws rises over the words."""


def exercise_picture(
    posed: PosedQuestion,
    parse: Parse,
    metrics: Metrics,
    room: Room,
    chart_step: int | None,
    shown: bool,
    set_: Id | None,
) -> Drawing:
    """Draw what a question is about.

    Parameters
    ----------
    posed, parse
        The question, and the parse that it is about.
    metrics, room
        Widths of text, and the room that there is.
    chart_step
        How many edges of the chart are shown, where it is asked which one comes next.
    shown
        Whether the answer is shown.
    set_
        What the student has set so far: a tag of the gap, a word or the root as the head.
    """
    columns = columns_of(parse, metrics)
    if posed.kind == GAP:
        drawing = gaps_picture(parse, metrics, columns=columns, room=room)
    elif posed.kind in (BEAM, NEXT_EDGE):
        until = chart_step if posed.kind == NEXT_EDGE and not shown else None
        drawing = triangle_picture(parse, metrics, TriangleOptions(until=until), columns, room)
    elif posed.kind == BETTER_TREE:
        # The two trees are drawn with the options.
        drawing = sentence_picture(parse, metrics, columns=columns, room=room)
    else:
        drawing = arrows_picture(parse, metrics, columns=columns, room=room)
    if shown:
        return drawing
    covered = cover(drawing, posed)
    if posed.kind == GAP:
        return _settable_gap(covered, drawing, posed, set_)
    return _settable_head(covered, posed, metrics, set_) if posed.kind == HEAD else covered


def _settable_gap(covered: Drawing, drawing: Drawing, posed: PosedQuestion, set_: Id | None) -> Drawing:
    """A gap that can be clicked, with the tag that it has been given."""
    assert posed.subject is not None
    position = posed.subject.position
    place = drawing.regions[GapId(position)].bounds
    letter = set_.letter if isinstance(set_, GapTagId) else ""
    shapes: list[Shape] = []
    if letter:
        x, y = place.x + place.width / 2 - _CHIP / 2, place.y
        role = f"gap.{letter}"
        shapes = [
            Box(x, y, _CHIP, _CHIP, role, "ink", 1.5, radius=4.0, layer=3),
            Text(x + _CHIP / 2, y + _CHIP / 2 + 4.5, letter, "label-bold", f"on:{role}"),
        ]
    left, right = posed.words[position - 1], posed.words[position]
    label = f"the gap between {left} and {right}: {f'set to {letter}' if letter else 'not set; a click sets it'}"
    return _with(covered, shapes, [Region(GapId(position), place, label)])


def _settable_head(covered: Drawing, posed: PosedQuestion, metrics: Metrics, set_: Id | None) -> Drawing:
    """A word from which an arrow can be dragged to its head, with the arrow that has been drawn."""
    assert posed.subject is not None
    modifier = posed.subject
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
    end = root if isinstance(set_, RootId) else covered.regions[set_].bounds if set_ in covered.regions else None
    anchor = (word.x + word.width / 2, word.y - 4)
    if end is not None and set_ is not None:
        tip = (end.x + end.width / 2, end.bottom + 4 if isinstance(set_, RootId) else end.y - 4)
        # Over all other arrows; a curve of this sort comes to three quarters of the way to its handles.
        high = anchor[1] - (anchor[1] - (top - _RISE / 2)) * 4 / 3
        if covered.frame is None:
            # In lines: the other end may stand on another one, with arrows between them.
            high = min(anchor[1], tip[1]) - _RISE
        if isinstance(set_, RootId):
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
