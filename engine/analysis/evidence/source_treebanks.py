"""Treebanks that a model was counted from: those that come with the program, and whether others are the right ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.common.resources import resources_folder
from engine.model.model import Model

EXACT, PART, OTHER = "exact", "part", "other"


@dataclass(frozen=True, slots=True)
class Match:
    """The match of trees with a model: those that it was counted from, a part of them, or others; and that in words."""

    kind: str
    sentence: str


def bundled_treebanks(model: Model) -> list[Path]:
    """List the treebanks of a model that come with the program."""
    folder = resources_folder() / "examples"
    paths = [folder / name for name in model.metadata.get("corpora", [])]
    # A name may be anything, also a path to somewhere else.
    return [path for path in paths if path.parent == folder and path.is_file()]


def own_treebanks(model: Model) -> list[Path]:
    """The treebanks of a model if all of them come with the program, as those of `classroom`; else none."""
    found = bundled_treebanks(model)
    return found if len(found) == len(model.metadata.get("corpora", [])) else []
