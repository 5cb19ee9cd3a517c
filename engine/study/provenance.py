"""Where a judgement comes from: model, preset and what was changed of it, β, and the source of the tags."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine.model.model import RUN_RECORD, Model
from engine.settings import DEFAULT_PRESET, Settings

# Where a sentence's tags come from: the treebank, a person, the tagger's best sequence, or its distributions.

GOLD, GIVEN, BEST, DISTRIBUTION = "gold", "given", "best", "distribution"
"""What the command line calls them; it knows no given ones."""
AUTOMATIC = "auto"
"""Tags that nobody gives: which of the tagger's, the settings say."""
TAG_SOURCES = {
    GOLD: "gold tags",
    GIVEN: "given tags",
    BEST: "the tagger's best tags",
    DISTRIBUTION: "the tagger's tag distributions",
}
"""What a title calls them."""


def automatic_tags(settings: Settings) -> str:
    """Return where tags come from that nobody gives: the tagger's best sequence, or the
    parser's choice among its tags.
    """
    return DISTRIBUTION if settings.tag_distribution else BEST


def tag_source(settings: Settings, wanted: str | None = None) -> tuple[str, Settings]:
    """Return where tags come from, and the settings that go with it.

    Without a wish tags are automatic, as in the paper's Tables 3 to 5: distributions where the settings let the parser
    choose among tags (model 4 and preset 5), and the tagger's best sequence elsewhere.
    """
    source = wanted or automatic_tags(settings)
    return source, settings if source == GOLD else replace(settings, tag_distribution=source == DISTRIBUTION)


def sources_text(sources: Iterable[str]) -> str:
    """Sources of tags as a title names them, each once."""
    return " and ".join(TAG_SOURCES[source] for source in dict.fromkeys(sources))


# Where a judgement comes from: model, preset and what was changed of it, β, and the source of the tags.
#
# A mark, a table or a comparison is true of the model and the settings under which it was made.  Whoever shows one
# later holds its provenance against that of now, and says so where they differ.

_TOLD_APART = ("beam", "tag_distribution")
"""Settings that have a separate part in the line: β, and the source of the tags."""


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
        One of :data:`engine.study.provenance.TAG_SOURCES`.
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
    """Return a number by which models that were trained differently are told apart, without reading their counts."""
    counts = model.counts
    shapes = [array.shape for array in (counts.places, counts.buckets, counts.contexts, counts.records)]
    trained = {name: value for name, value in model.metadata.items() if name != RUN_RECORD}
    parts = [trained, shapes, model.tagger is not None, model.reranker is not None]
    return zlib.crc32(repr(parts).encode())
