"""Settings of a parse: the paper's presets, and every switch of theirs alone."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from enum import IntEnum
from numbers import Integral
from typing import Any

from engine.common.arguments import expect, flag, number, shown, whole
from engine.common.errors import EngineError
from engine.counts.counts_layout import Switches

PRESET_NAMES = {1: "basic", 2: "comma rule", 3: "words before tags", 4: "tags left open", 5: "beyond the paper"}
"""What window, terminal and manual call the presets beside their numbers."""
PRESETS = tuple(PRESET_NAMES)
DEFAULT_PRESET = 5
"""The best there is; whoever follows the paper asks for one of its own."""
SETTING_NAMES = {
    "punctuation_rule": "Comma rule",
    "ignore_tags": "Words before tags",
    "distance": "Full distance",
    "lexical": "Use words",
    "tag_distribution": "Tags left open",
    "tag_factor": "Tag factor",
    "recursion": "Full recursion",
    "contexts": "Dependency contexts",
    "gap_contexts": "Gap contexts",
    "unary_contexts": "Unary contexts",
    "extended_rule": "Extended comma rule",
    "balanced_brackets": "Balanced brackets",
    "treebank_weights": "Treebank weights",
    "further_backoff": "Further back-off",
    "rerank": "Re-ranked parses",
    "expected_f1": "Vote",
    "beam": "Beam β",
    "literal_beam": "Literal beam",
    "unary_slack": "Unary slack",
    "threshold": "Threshold",
    "threshold_step": "Threshold step",
}
"""What window, terminal and manual call each setting, by the name of its field: one name everywhere."""

MOST_RERANKED = 500
RERANKED = 100
"""Length of the list that preset (5) re-ranks."""
LISTED_WITH_TAGS = 2
"""A list to be re-ranked is so many times longer where tags are chosen, for some of its parses differ in tags alone."""
LIST_BEAM = 500.0
LIST_WIDENING = 25.0
"""A list to be re-ranked comes from a chart whose β is so many times wider than the one asked for, up to the other."""
MORE_TAGS = 100.0
"""The factor of tags of preset (5), which finds use for tags that the others had better not look at."""
WIDE_BEAM = 1e5
"""Beyond this β the threshold prunes more than the beam."""

BEYOND_THE_PAPER = (
    "recursion",
    "contexts",
    "gap_contexts",
    "unary_contexts",
    "extended_rule",
    "balanced_brackets",
    "treebank_weights",
    "expected_f1",
)
"""The switches that preset (5) sets."""

FULL_DISTANCE = "full"
ORDER_ONLY = "order"


def preset_title(number: int) -> str:
    """A preset with its name: ``(3) words before tags``."""
    return f"({number}) {PRESET_NAMES[number]}"


class FurtherBackoff(IntEnum):
    """How much further than section 2.4 the estimates of a parse back off, since without it no tree was found.

    "Estimates based on relaxing the distance measure could also be used for smoothing -- at present we only back-off
    on words" (section 5).

    Attributes
    ----------
    NONE
        Not at all: the estimates of the settings.
    DISTANCE
        E1, E23 and E4 are each mixed with all below, and below E4 is a level more: tags at a reduced Δ, their order.
    GAPS
        The same, and gap tags likewise, with the comma alone as the level below E4.
    """

    NONE = 0
    DISTANCE = 1
    GAPS = 2

    def __repr__(self) -> str:
        return f"FurtherBackoff.{self.name}"

    @property
    def json_name(self) -> str | None:
        """As JSON and CoNLL-U have it: ``distance``, ``gaps``, or none."""
        return self.name.lower() if self else None

    @property
    def text(self) -> str:
        """What a person has to know of a parse that was found so; empty for the estimates of the settings."""
        return _FURTHER_BACKOFF_TEXTS[self]


_FURTHER_BACKOFF_TEXTS = (
    "",
    "no tree was found under the paper's estimates; this one was found with further back-off, "
    "down to the order of two tags (a reduced Δ)",
    "no tree was found under the paper's estimates; this one was found with further back-off, "
    "down to the order of two tags (a reduced Δ) and, for gap tags, to the comma alone",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to parse.

    Attributes
    ----------
    punctuation_rule
        The constraint of section 2.7 on commas between children (models 2 and 3).
    ignore_tags
        Tags ignored when lexical information is present, C(a, c) (section 2.7, model 3).
    distance
        Δ with all six questions (``full``), or question 1 alone (``order``; Table 4).
    lexical
        Whether words are used at all; if not, all estimates are based on tags alone (Table 4).
    tag_distribution
        Whether the parser chooses among the tagger's tags, with the term ∏ P(t_i | S) (section 2.7, model 4).  If
        not, or if all tags are given, the single best sequence of tags stands.
    tag_factor
        The chart holds every tag at least 1 / `tag_factor` as probable as the word's best.
    recursion
        E1 → E23 → E4 as one full recursion, E4 backed off to a reduced Δ (preset 5;
        :mod:`engine.estimates.dependency_kernel`).
    contexts
        Dependencies look also at the tags beside both words and at what lies between them (preset 5).
    gap_contexts
        The gap model looks also at one tag more on either side (preset 5;
        :mod:`engine.estimates.estimates_kernel`).
    unary_contexts
        The unary model looks also at the head-word, the tags beside the constituent, its first tag and its
        head-child (preset 5).
    extended_rule
        The punctuation rule, with CC and a closing bracket as good an end as a comma (preset 5).
    balanced_brackets
        A finished constituent of several words holds both or neither of two brackets (preset 5).
    treebank_weights
        Every treebank counts as often as the model's weights say (preset 5); without them, and in the paper, once.
    further_backoff
        Where no tree is found, parse again with one level of back-off more (:class:`FurtherBackoff`).  Without it
        such a sentence gets fragments: the letter of the paper, under which all its trees have probability 0.
        Preset (5) needs none.
    rerank
        How many of the best parses the model's re-ranker, if it has one, puts into a new order; 0 for none.  Twice as
        many where the parser chooses among tags: some of them differ in nothing else.
    expected_f1
        Choose among re-ranked parses the one of greatest expected F1, not of the highest score (preset 5;
        :mod:`engine.rerank.lists`).
    beam
        β of section 4.1; ``math.inf`` for none.  Where a list is re-ranked a narrow one is widened (:attr:`list_beam`).
    literal_beam
        The beam as printed, for every span and constituent alike.  By default single words
        are spared, and unary results get `unary_slack` more, for they compete with their own child.
    unary_slack
        That slack, in nats.
    threshold, threshold_step
        Where the constant probability threshold starts (log probability), and by how much it is
        lowered the first time no parse is found; each further time by twice as much.  By default it starts
        at −20 where it has to do all pruning, and at −60 beside a beam that does most of it.
    """

    punctuation_rule: bool = True
    ignore_tags: bool = True
    distance: str = FULL_DISTANCE
    lexical: bool = True
    tag_distribution: bool = False
    tag_factor: float = 20.0
    recursion: bool = False
    contexts: bool = False
    gap_contexts: bool = False
    unary_contexts: bool = False
    extended_rule: bool = False
    balanced_brackets: bool = False
    treebank_weights: bool = False
    further_backoff: bool = True
    rerank: int = 0
    expected_f1: bool = False
    beam: float = 1000.0
    literal_beam: bool = False
    unary_slack: float = 2.0
    threshold: float | None = None
    threshold_step: float = 20.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value, name = getattr(self, field.name), SETTING_NAMES[field.name]
            if isinstance(field.default, bool):
                flag(value, name)
            elif isinstance(field.default, float) or (field.name == "threshold" and value is not None):
                number(value, name)
        expect(self.distance, str, f"the distance is `{FULL_DISTANCE}` or `{ORDER_ONLY}`")
        whole(self.rerank, 0, MOST_RERANKED, "the number of parses to re-rank")
        if not self.beam > 1:
            raise EngineError(f"the beam must be greater than 1, not {self.beam:g}")
        if self.distance not in (FULL_DISTANCE, ORDER_ONLY):
            raise EngineError(f"the distance is `{FULL_DISTANCE}` or `{ORDER_ONLY}`, not `{self.distance}`")
        if self.recursion and (self.ignore_tags or self.distance != FULL_DISTANCE):
            raise EngineError(
                "full recursion (preset 5) needs tags and the full distance; "
                "to do without either, choose one of the presets 1 to 4"
            )
        if self.contexts and not self.recursion:
            raise EngineError("dependency contexts need full recursion; switch both on or both off")
        if not self.tag_factor >= 1:
            raise EngineError(f"the tag factor must be at least 1, not {self.tag_factor:g}")
        if not self.threshold_step > 0:
            raise EngineError(f"the threshold's step must be greater than 0, not {self.threshold_step:g}")
        if self.threshold is not None and not self.threshold <= 0:
            raise EngineError(f"the threshold is a log probability of at most 0, not {self.threshold:g}")

    @classmethod
    def preset(cls, number: int, **changes: Any) -> Settings:
        """Settings of the paper's models (1) to (4) or of (5), beyond the paper, with `changes` to single fields."""
        expect(number, Integral, f"a preset is one of {', '.join(map(str, PRESETS))}")
        if number not in PRESETS:
            raise EngineError(f"there is no preset {shown(number)}; choose one of {', '.join(map(str, PRESETS))}")
        made = cls(punctuation_rule=number >= 2, ignore_tags=number in (3, 4), tag_distribution=number >= 4)
        if number == 5:
            beyond: dict[str, Any] = dict.fromkeys(BEYOND_THE_PAPER, True)
            changes = {**beyond, "rerank": RERANKED, "tag_factor": MORE_TAGS, **changes}
        return replace(made, **changes)

    @property
    def first_threshold(self) -> float:
        """Where the threshold starts."""
        if self.threshold is not None:
            return float(self.threshold)
        return -20.0 if self.beam > WIDE_BEAM else -60.0

    @property
    def list_beam(self) -> float:
        """β of the chart that a list to be re-ranked comes from.

        With β = 20 the best parse is found nearly always, but few of the parses that might be better: the chart holds
        nothing to choose from.  It is filled within the β asked for if that is to be followed to the letter.
        """
        return self.beam if self.literal_beam else max(self.beam, min(LIST_WIDENING * self.beam, LIST_BEAM))

    def list_length(self, tags_chosen: bool) -> int:
        """How many parses are re-ranked."""
        return self.rerank * (LISTED_WITH_TAGS if tags_chosen else 1)

    def as_dict(self) -> dict[str, Any]:
        """Every setting by name, as JSON can hold it: ``None`` for no beam at all."""
        return {name: None if value == math.inf else value for name, value in asdict(self).items()}

    @property
    def allows_further_backoff(self) -> bool:
        """Whether there is a level of back-off that these estimates do not have; preset (5) has them all."""
        return not (self.recursion and self.gap_contexts)

    @property
    def further_backoffs(self) -> tuple[FurtherBackoff, ...]:
        """What to parse again with, one after the other, as long as no tree is found."""
        # The recursion and the gap contexts of preset (5) back off as far, or further.
        wanted = {FurtherBackoff.DISTANCE: not self.recursion, FurtherBackoff.GAPS: not self.gap_contexts}
        return tuple(one for one, helps in wanted.items() if helps and self.further_backoff)

    def switches(self, further_backoff: FurtherBackoff = FurtherBackoff.NONE) -> Switches:
        """What the estimates need to know."""
        return Switches(
            int(self.ignore_tags),
            int(self.lexical),
            int(self.distance == ORDER_ONLY),
            int(self.recursion),
            int(self.contexts),
            int(self.gap_contexts),
            int(self.unary_contexts),
            int(self.balanced_brackets),
            int(self.treebank_weights),
            int(further_backoff),
        )
