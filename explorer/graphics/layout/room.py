"""The room that a picture has: where it is looked at, or none in particular."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.graphics.layout.word_columns import PICTURE_MARGIN, WordColumns

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
        """Whether a sentence fits in one line."""
        first, last = columns.frame
        return last - first <= self.width


def margin_in(room: Room, columns: WordColumns) -> float:
    """The margin of a picture over these columns."""
    return PICTURE_MARGIN if columns.width <= room.inner_width else CLOSE_MARGIN


UNLIMITED = Room()
"""Room enough for everything in one line, as in a file."""
