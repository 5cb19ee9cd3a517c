"""A long tree on paper: where parts of it had to be folded, further pictures open them one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.chart.parse import Parse
from explorer.graphics.drawing import Drawing, Metrics
from explorer.graphics.layout.room import Room
from explorer.graphics.layout.tree_folding import Span
from explorer.graphics.pictures.picture_options import TreeOptions
from explorer.graphics.pictures.tree_picture import tree_picture

MOST_PICTURES = 12
_DEFAULT = TreeOptions()


def opened_trees(
    parse: Parse, metrics: Metrics, room: Room, folded: tuple[Span, ...], options: TreeOptions = _DEFAULT
) -> list[Drawing]:
    """Pictures of the tree that together show everything that is `folded` in a first one, by positions of words."""
    pictures: list[Drawing] = []
    unseen = [word for start, end in folded for word in range(start, end)]
    while unseen and len(pictures) < MOST_PICTURES:
        count = len(unseen)
        picture = _opened(parse, metrics, room, options, unseen)
        while count > 1 and picture.width > room.width:
            # So much cannot be open at a time.
            count = max(1, count * 2 // 3)
            picture = _opened(parse, metrics, room, options, unseen[:count])
        pictures.append(picture)
        hidden = {word for start, end in picture.folded for word in range(start, end)}
        # The first of them has been looked at, whatever became of it: every picture is a step forward.
        unseen = [word for word in unseen[1:] if word in hidden]
    return pictures


def _opened(parse: Parse, metrics: Metrics, room: Room, options: TreeOptions, words: Sequence[int]) -> Drawing:
    focus = tuple((word, word + 1) for word in words)
    return tree_picture(parse, metrics, replace(options, focus=focus), room=room)
