"""Where a sentence's tags come from: the treebank, a person, the tagger's best sequence, or its distributions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.settings import Settings

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
    """Where tags come from that nobody gives: the tagger's best sequence, or the parser's choice among its tags."""
    return DISTRIBUTION if settings.tag_distribution else BEST


def tag_source(settings: Settings, wanted: str | None = None) -> tuple[str, Settings]:
    """Where tags come from, and the settings that go with it.

    Without a wish tags are automatic, as in the paper's Tables 3 to 5: distributions where the settings let the parser
    choose among tags (model 4 and preset 5), and the tagger's best sequence elsewhere.
    """
    source = wanted or automatic_tags(settings)
    return source, settings if source == GOLD else replace(settings, tag_distribution=source == DISTRIBUTION)


def sources_text(sources: Iterable[str]) -> str:
    """Sources of tags as a title names them, each once."""
    return " and ".join(TAG_SOURCES[source] for source in dict.fromkeys(sources))
