"""Where a judgement comes from: model, preset and what was changed of it, β, and the source of the tags.

A mark, a table or a comparison is true of the model and the settings under which it was made.  Whoever shows one later
holds its provenance against that of now, and says so where they differ.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field, fields
from typing import Any

from engine.evaluation.tag_sources import TAG_SOURCES
from engine.model.model import RUN_RECORD, Model
from engine.settings import DEFAULT_PRESET, Settings

_TOLD_APART = ("beam", "tag_distribution")
"""Settings that have a part of their own in the line: β, and the source of the tags."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Under what something was judged; two are equal if a judgement must come out the same under both.

    Attributes
    ----------
    model
        The model's name.
    settings
        How it was parsed.
    tags
        One of :data:`engine.evaluation.tag_sources.TAG_SOURCES`.
    preset
        The preset that the settings started from.
    fingerprint
        Tells two models of one name apart (:func:`fingerprint`).
    """

    model: str
    settings: Settings
    tags: str
    preset: int = field(default=DEFAULT_PRESET, compare=False)
    fingerprint: int = 0

    @property
    def changes(self) -> tuple[str, ...]:
        """What differs from the preset, in words: ``no punctuation rule``, ``rerank 10``."""
        plain = Settings.preset(self.preset)
        found = []
        for one in fields(Settings):
            value = getattr(self.settings, one.name)
            if one.name in _TOLD_APART or value == getattr(plain, one.name):
                continue
            name = one.name.replace("_", " ")
            if isinstance(value, bool):
                found.append(name if value else f"no {name}")
            else:
                shown = f"{value:g}".replace("-", "−") if isinstance(value, int | float) else str(value)
                found.append(f"{name} {shown}")
        return tuple(found)

    def __str__(self) -> str:
        changed = f" ({', '.join(self.changes)})" if self.changes else ""
        beam = "∞" if math.isinf(self.settings.beam) else f"{self.settings.beam:.10g}"
        return f"{self.model} · preset {self.preset}{changed} · β {beam} · {TAG_SOURCES[self.tags]}"

    def as_dict(self) -> dict[str, Any]:
        """Ready to be written as JSON."""
        return {
            "provenance": str(self),
            "model": self.model,
            "preset": self.preset,
            "tags": self.tags,
            "settings": self.settings.as_dict(),
        }


def fingerprint(model: Model) -> int:
    """A number by which models that were trained differently are told apart, without reading their counts."""
    counts = model.counts
    shapes = [array.shape for array in (counts.places, counts.buckets, counts.contexts, counts.records)]
    trained = {name: value for name, value in model.metadata.items() if name != RUN_RECORD}
    parts = [trained, shapes, model.tagger is not None, model.reranker is not None]
    return zlib.crc32(repr(parts).encode())
