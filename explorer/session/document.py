"""What a person has made: sentences, what-ifs, settings and the model's name; kept as one value.

The document is immutable: a change makes another one, so that undoing is going back to the one before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, Settings
from engine.structure.constraints import Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.study.provenance import GOLD, Provenance, automatic_tags, fingerprint
from explorer.kit.file_kinds import SESSION_FORMAT

VERSION = 1
CONSTRAINTS: Mapping[str, type] = {
    "gap": GapTag,
    "base": BaseSpan,
    "attachment": Attachment,
    "bracket": Bracket,
    "tag": FixedTag,
}


OPENING, BETWEEN, CLOSING = b'"lines": [\n  ', b",\n  ", b"\n ]"
"""What stands around and between the sentences of a session file, each of which has a separate line."""


LIVE_NAME = "live training"
"""What the model is called that is trained before a person's eyes: it has no file."""


class SessionError(EngineError):
    """A session file that cannot be opened: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One sentence of the list.

    Attributes
    ----------
    text
        As it was written: ``word/TAG …``, plain words, a mixture, or a bracketed tree.
    what_ifs
        What its parse is made to obey.
    place
        Where it comes from, if from a file: ``news.txt, line 3``.
    """

    text: str
    what_ifs: tuple[Constraint, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that saving keeps and undoing brings back.

    Attributes
    ----------
    model
        File of the model; empty if there is none yet.
    preset
        Number of the preset that the settings started from.
    settings
        How to parse.
    lines, current
        The sentences, and which of them is shown.
    gold_tags
        Whether a tree is parsed with its own tags; if not, from its words alone.
    live
        Whether the model that is trained in the window is used in place of `model`.  It has no file, so no session file
        says so: a session that is saved meanwhile names the model before.
    """

    model: str = ""
    preset: int = DEFAULT_PRESET
    settings: Settings = field(default_factory=lambda: Settings.preset(DEFAULT_PRESET))
    lines: tuple[TextLine, ...] = ()
    current: int = 0
    gold_tags: bool = True
    live: bool = False

    @property
    def model_name(self) -> str:
        """What to call the model in use; empty if there is none."""
        return LIVE_NAME if self.live else Path(self.model).stem

    @property
    def line(self) -> TextLine:
        """The sentence that is shown."""
        return self.lines[self.current] if self.lines else TextLine("")

    def with_line(self, line: TextLine) -> Document:
        """Return the document with another sentence in place of the one that is shown."""
        if not self.lines:
            return replace(self, lines=(line,), current=0)
        lines = (*self.lines[: self.current], line, *self.lines[self.current + 1 :])
        return replace(self, lines=lines)

    def with_model(self, name: str) -> Document:
        """Return the document under the model of a file."""
        return replace(self, model=name, live=False)

    def with_preset(self, number: int) -> Document:
        """Return the document under another preset; β, the threshold and what no preset sets stay as they are."""
        names = ("beam", "threshold", "threshold_step", "literal_beam", "further_backoff")
        kept = {name: getattr(self.settings, name) for name in names}
        return replace(self, preset=number, settings=Settings.preset(number, **kept))

    def provenance(self, model: Model, tags: str = "") -> Provenance:
        """Under what something is judged now, by the document's model; without `tags` those of gold trees are meant."""
        if not tags:
            tags = GOLD if self.gold_tags or model.tagger is None else automatic_tags(self.settings)
        return _provenance(self.model_name, self.settings, tags, self.preset, fingerprint(model))

    def as_dict(self, lines: bool = True) -> dict[str, Any]:
        """Return the document as JSON-able values; without its sentences where they are written one by one."""
        settings = asdict(self.settings)
        if math.isinf(settings["beam"]):
            settings["beam"] = None
        return {
            "format": SESSION_FORMAT,
            "version": VERSION,
            "model": self.model,
            "preset": self.preset,
            "settings": settings,
            "current": self.current,
            "gold_tags": self.gold_tags,
            "lines": [line_dict(line) for line in self.lines] if lines else [],
        }


@lru_cache(maxsize=64)
def _provenance(model: str, settings: Settings, tags: str, preset: int, fingerprint: int) -> Provenance:
    """One value for the thousands of sentences that are judged under the same."""
    return Provenance(model, settings, tags, preset, fingerprint)


def line_dict(line: TextLine) -> dict[str, Any]:
    stored: dict[str, Any] = {"text": line.text}
    if line.place:
        stored["place"] = line.place
    if line.what_ifs:
        stored["what_ifs"] = [_constraint_dict(constraint) for constraint in line.what_ifs]
    return stored


def _constraint_dict(constraint: Constraint) -> dict[str, Any]:
    kind = next(name for name, made in CONSTRAINTS.items() if isinstance(constraint, made))
    return {"kind": kind, **asdict(constraint)}


def save_document(
    document: Document, path: Path, extra: Mapping[str, Any] | None = None, private: bool = False
) -> None:
    """Write a session file, beside the old one first and then into its place; a `private` one nobody else can read.

    Sentences are put into words one by one, so that other threads go on while fifty thousand are.
    """
    head = json.dumps({**document.as_dict(lines=False), **(extra or {})}, ensure_ascii=False, indent=1)
    before, after = head.split('"lines": []', 1)
    lines = BETWEEN.join([json.dumps(line_dict(line), ensure_ascii=False).encode() for line in document.lines])
    content = (before.encode(), OPENING, lines, CLOSING, after.encode(), b"\n")
    write_whole(path, b"".join(content), SessionError, private)


def added(document: Document, lines: Sequence[TextLine]) -> Document:
    """Return the document with more sentences at its end, the first of them shown; an empty sentence gives way."""
    before = document.lines if document.lines != (TextLine(""),) else ()
    return replace(document, lines=(*before, *lines), current=len(before))
