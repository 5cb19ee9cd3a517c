"""What can be compared: the model's best parse, the gold tree, the n-th best, a what-if, another β, preset or model.

Beside these there are another parser's trees, and a parser whose model, settings and tags are all its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.analysis.headlines.wording import ordinal
from engine.evaluation.provenance import Provenance
from engine.evaluation.tag_sources import GIVEN, automatic_tags
from engine.evaluation.tag_sources import GOLD as GOLD_TAGS
from engine.model.model import Model
from engine.settings import PRESETS, Settings
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.text.input_recognition import is_tree
from explorer.document.document import Document
from explorer.graphics.number_text import beam_text

BEST, GOLD, WHAT_IF, RANK, BEAM, PRESET, MODEL = "best", "gold", "what-if", "rank", "beam", "preset", "model"
SYSTEM, OTHER = "system", "other"
BEAMS = (3.0, 20.0, 150.0, 1000.0, 1e6)
_ORDINALS = {2: "Second", 3: "Third"}
"""What is written out; others have digits."""


@dataclass(frozen=True, slots=True)
class SystemSettings:
    """Under what a parser of its own parses: the model's file, preset and settings, and whether with gold tags."""

    model: str
    preset: int
    settings: Settings
    gold_tags: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its kind, and the rank, β or preset, or a name.

    Attributes
    ----------
    kind
        What it is.
    number
        The rank, β or preset.
    name
        The model's file; what a parser of its own, or another parser, is called.
    system
        Under what a parser of its own parses.
    """

    kind: str
    number: float = 0.0
    name: str = ""
    system: SystemSettings | None = None

    @property
    def title(self) -> str:
        """What to call it."""
        match self.kind:
            case "best":
                return "Model’s best"
            case "gold":
                return "Gold tree"
            case "what-if":
                return "What-if"
            case "rank":
                rank = int(self.number)
                return f"{_ORDINALS.get(rank) or ordinal(rank)} best"
            case "beam":
                return f"β = {beam_text(self.number)}"
            case "preset":
                return f"Preset ({int(self.number)})"
            case "system" | "other":
                return self.name
        return f"Model {Path(self.name).stem}"

    @property
    def phrase(self) -> str:
        """What to call it within a sentence."""
        match self.kind:
            case "beam":
                return f"the parse with {self.title}"
            case "preset":
                return f"the parse under preset ({int(self.number)})"
            case "model":
                return f"the parse of the model {Path(self.name).stem}"
            case "system":
                return f"the parse of {self.name}"
            case "other":
                return f"the tree of {self.name}"
        return f"the {self.title[0].lower()}{self.title[1:]}"

    @property
    def is_parsers_own(self) -> bool:
        """Whether it is what a parser likes best, so that a verdict can be given on it."""
        return self.kind in (BEST, BEAM, PRESET, MODEL, SYSTEM)

    @property
    def is_tree(self) -> bool:
        """Whether it is a tree that is there already, and is only scored."""
        return self.kind in (GOLD, OTHER)

    def model_file(self, document: Document) -> str:
        """The file of its model; empty where it is the one in use."""
        file = self.name if self.kind == MODEL else self.system.model if self.system is not None else ""
        return "" if self.kind == SYSTEM and file == document.model and not document.live else file

    def provenance(self, document: Document, model: Model, sentence: TaggedSentence | TagDistribution) -> Provenance:
        """Under what it is parsed, or if it is a tree, scored."""
        file = self.model_file(document)
        asked = document.with_model(file) if file else document
        if self.system is not None:
            asked = replace(asked, preset=self.system.preset)
        if self.kind == PRESET:
            asked = document.with_preset(int(self.number))
        asked = replace(asked, settings=self.settings(document))
        tags = automatic_tags(asked.settings)
        if self.system is not None:
            tags = GOLD_TAGS if self.system.gold_tags or model.tagger is None else tags
        elif isinstance(sentence, TaggedSentence):
            tags = GOLD_TAGS if is_tree(document.line.text) else GIVEN
        return asked.provenance(model, tags)

    def settings(self, document: Document) -> Settings:
        """The settings under which it is parsed."""
        if self.system is not None:
            return self.system.settings
        if self.kind == BEAM:
            return replace(document.settings, beam=self.number)
        if self.kind == PRESET:
            return document.with_preset(int(self.number)).settings
        return document.settings


def sides(document: Document, gold: bool, ranks: int, models: Sequence[str], others: Sequence[str] = ()) -> list[Side]:
    """All sides that there are for the sentence that is shown; `others` names the parsers that have a tree of it."""
    found = [Side(BEST)]
    if gold:
        found.append(Side(GOLD))
    found += [Side(OTHER, name=name) for name in others]
    if document.line.what_ifs:
        found.append(Side(WHAT_IF))
    found += [Side(RANK, rank) for rank in range(2, ranks + 1)]
    found += [Side(BEAM, beam) for beam in BEAMS if beam != document.settings.beam]
    found += [Side(PRESET, number) for number in PRESETS if number != document.preset]
    found += [Side(MODEL, name=name) for name in models if document.live or name != document.model]
    return found
