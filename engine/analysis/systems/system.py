"""A system to be compared: a model with settings, or a file of another parser's trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.evaluation.provenance import Provenance
from engine.evaluation.tag_sources import GOLD
from engine.settings import DEFAULT_PRESET, Settings


@dataclass(frozen=True, slots=True)
class ModelSystem:
    """A model of ours with settings.

    Attributes
    ----------
    name
        What tables call it; no two systems of a comparison have the same.
    model
        The model's file.
    settings, preset
        How to parse, and the preset that the settings started from.
    tags
        Where tags come from: ``gold``, ``best`` or ``distribution``, see :mod:`engine.evaluation.tag_sources`.  The
        settings go with it (:func:`engine.evaluation.tag_sources.tag_source`).
    """

    name: str
    model: Path
    settings: Settings
    preset: int = DEFAULT_PRESET
    tags: str = GOLD

    @property
    def description(self) -> str:
        """What it is: ``english · preset 5 · β 1000 · gold tags``."""
        return str(Provenance(self.model.stem, self.settings, self.tags, self.preset))

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        provenance = Provenance(self.model.stem, self.settings, self.tags, self.preset)
        return {"name": self.name, "kind": "model", **provenance.as_dict()}


@dataclass(frozen=True, slots=True)
class TreesSystem:
    """A file of another parser's trees.

    Attributes
    ----------
    name
        What tables call it.
    trees
        The file: one tree a line in the order of the gold trees, a line that is empty or has ``()`` or ``(())`` for a
        sentence without a parse; also gzipped.
    """

    name: str
    trees: Path

    @property
    def description(self) -> str:
        """What it is: ``trees of berkeley.txt``."""
        return f"trees of {self.trees.name}"

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        return {"name": self.name, "kind": "trees", "file": self.trees.name}


System = ModelSystem | TreesSystem
"""What can be compared."""


def check_systems(systems: Sequence[System]) -> None:
    """Raise :class:`EngineError` where there are too few systems, or two of one name."""
    if len(systems) < 2:
        raise EngineError(f"a comparison needs two systems or more, not {len(systems)}")
    names = [system.name for system in systems]
    for name in names:
        if not name.strip():
            raise EngineError("a system has no name; give each one")
        if names.count(name) > 1:
            raise EngineError(f"two systems are called `{name}`; give each a name of its own")
