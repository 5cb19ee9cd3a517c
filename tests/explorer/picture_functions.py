"""What draws the pictures of a sentence, by name."""

from __future__ import annotations

from collections.abc import Callable

from explorer.pictures.arrows import arrows_picture
from explorer.pictures.drawing import Drawing
from explorer.pictures.matrix import matrix_picture
from explorer.pictures.sentence import gaps_picture, reduced_picture, sentence_picture
from explorer.pictures.tree import parse_picture, tree_picture
from explorer.pictures.triangle import triangle_picture

PICTURES: dict[str, Callable[..., Drawing]] = {
    "sentence": sentence_picture,
    "gaps": gaps_picture,
    "reduced": reduced_picture,
    "matrix": matrix_picture,
    "triangle": triangle_picture,
    "tree": tree_picture,
    "arrows": arrows_picture,
    "parse": parse_picture,
}
