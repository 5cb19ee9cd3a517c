"""What each experiment measures: lists of trials, and the paper's own figures for the same rows (Tables 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.evaluation.tag_sources import AUTOMATIC, GOLD, tag_source
from engine.settings import FULL_DISTANCE, ORDER_ONLY, PRESETS, Settings

TrialResults = Sequence[Mapping[str, Any]]
"""For every trial what was measured, as the journal keeps it."""
PAPER_LENGTHS = (40, 100)
PAPER_BEAMS = (1000.0, 150.0, 20.0, 3.0, 1.5, 1.2)
"""β of Table 5."""
IN_USE, LITERAL = "the beam in use", "the beam as printed"

PAPER_MODELS: dict[int, dict[int, tuple[float, ...]]] = {
    1: {40: (84.9, 84.9, 1.32, 57.2, 80.8), 100: (84.3, 84.3, 1.53, 54.7, 77.8)},
    2: {40: (85.4, 85.5, 1.21, 58.4, 82.4), 100: (84.8, 84.8, 1.41, 55.9, 79.4)},
    3: {40: (85.5, 85.7, 1.19, 59.5, 82.6), 100: (85.0, 85.1, 1.39, 56.8, 79.6)},
    4: {40: (85.8, 86.3, 1.14, 59.9, 83.6), 100: (85.3, 85.7, 1.32, 57.2, 80.8)},
}
"""Table 3: by model and longest sentence LR, LP, CBs, 0 CBs and ≤ 2 CBs."""
PAPER_SPATTER: dict[int, tuple[float, ...]] = {
    40: (84.6, 84.9, 1.26, 56.6, 81.4),
    100: (84.0, 84.3, 1.46, 54.0, 78.8),
}
"""Table 3's last row, the same of SPATTER."""
PAPER_MODEL = 3
"""The model of Tables 4 and 5; its tags are the tagger's best."""
PAPER_ABLATION = {
    (True, True): (85.0, 85.1, 1.39),
    (True, False): (76.1, 76.6, 2.26),
    (False, True): (80.9, 83.6, 1.51),
}
"""Table 4: by distance measure and lexical information LR, LP and CBs, ≤ 100 words, model (3)."""
PAPER_BEAM_FIGURES = {
    1000.0: (118, 84.9, 85.1, 1.39),
    150.0: (166, 84.8, 85.1, 1.38),
    20.0: (217, 84.7, 85.0, 1.40),
    3.0: (261, 84.1, 84.5, 1.44),
    1.5: (283, 83.7, 84.1, 1.48),
    1.2: (289, 83.5, 83.9, 1.50),
}
"""Table 5: by β sentences per minute (on a 60 MHz processor), LR, LP and CBs, ≤ 100 words, model (3)."""


def per_minute(result: Mapping[str, Any], length: int) -> float | None:
    """The speed of a result in Table 5's unit, sentences a minute; ``None`` while nothing is measured."""
    speed = result["measures"][str(length)]["sentences_per_second"]
    return None if speed is None else float(60 * speed)


@dataclass(frozen=True, slots=True)
class Trial:
    """One measurement.

    Attributes
    ----------
    name
        What its row is called, a cell for each of the columns that name rows.
    settings
        How to parse.
    tags
        Where tags come from (:mod:`engine.evaluation.tag_sources`).
    share
        Which share of the training trees the model has seen.
    group
        What several rows have in common, where there are several such groups.
    model
        Which of several models parses, by its place among them.
    """

    name: tuple[str, ...]
    settings: Settings
    tags: str = GOLD
    share: Fraction = Fraction(1)
    group: str = ""
    model: int = 0


def _trial(name: tuple[str, ...], settings: Settings, tags: str | None, **more: Any) -> Trial:
    """A trial whose tags come from where they are wanted; without a wish, automatic ones, as in the paper."""
    source, settings = tag_source(settings, tags)
    return Trial(name, settings, source, **more)


def models(presets: Iterable[int] = PRESETS, beam: float = 1000.0, tags: str | None = None) -> list[Trial]:
    """Table 3: a trial for every preset; (1) to (3) from the tagger's best tags and (4) from distributions."""
    return [_trial((f"({preset})",), Settings.preset(preset, beam=beam), tags) for preset in presets]


def ablation(preset: int, beam: float = 1000.0, tags: str | None = None) -> list[Trial]:
    """Table 4, and the fourth combination, which the paper leaves out."""
    return [
        _trial(
            ("yes" if distance else "no", "yes" if lexical else "no"),
            Settings.preset(preset, beam=beam, distance=FULL_DISTANCE if distance else ORDER_ONLY, lexical=lexical),
            tags,
        )
        for distance, lexical in ((True, True), (True, False), (False, True), (False, False))
    ]


def beams(
    preset: int, sizes: Sequence[float] = PAPER_BEAMS, literal: bool = False, tags: str | None = None
) -> list[Trial]:
    """Table 5, with the beam as printed beside the one in use if `literal`."""
    kinds = [(IN_USE, False), (LITERAL, True)] if literal else [(IN_USE, False)]
    return [
        _trial((f"{beta:g}",), Settings.preset(preset, beam=beta, literal_beam=as_printed), tags, group=kind)
        for kind, as_printed in kinds
        for beta in sizes
    ]


def learning_curve(preset: int, beam: float = 1000.0, halvings: int = 4, tags: str | None = None) -> list[Trial]:
    """Trials with 1/2^halvings of the training trees, then twice as many each time.

    The tagger learns from the same trees, so that with automatic tags the curve is that of tagger and parser together.
    """
    settings = Settings.preset(preset, beam=beam)
    shares = [Fraction(1, 2**power) for power in range(halvings, -1, -1)]
    return [_trial((str(share),), settings, tags, share=share) for share in shares]


def grid(models: Sequence[str], presets: Iterable[int], sizes: Sequence[float], tags: Sequence[str]) -> list[Trial]:
    """Every combination of models (by their names), presets, β and sources of tags, each once.

    Two sources that are the same for a preset (its automatic tags, and those by their name) are one trial.
    """
    found: dict[tuple[int, tuple[str, ...], str], Trial] = {}
    presets = tuple(presets)
    for place, name in enumerate(models):
        for preset in presets:
            for beta in sizes:
                for wanted in tags:
                    settings = Settings.preset(preset, beam=beta)
                    trial = _trial(
                        (name, f"({preset})", f"{beta:g}"),
                        settings,
                        None if wanted == AUTOMATIC else wanted,
                        model=place,
                    )
                    found.setdefault((place, trial.name, trial.tags), trial)
    return list(found.values())
