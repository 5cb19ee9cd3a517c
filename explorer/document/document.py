"""What a person has made: sentences, what-ifs, settings and the model's name; kept as one value, saved as one file.

The document is immutable: a change makes another one, so that undoing is going back to the one before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.common.files import write_whole
from engine.evaluation.provenance import Provenance, fingerprint
from engine.evaluation.tag_sources import GOLD, automatic_tags
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, PRESETS, Settings
from engine.structure.constraints import Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.dependencies import Relation

FORMAT = "parse-explorer session"
SESSION_SUFFIX = ".session.json"
"""What a new session's file is offered to end in: desktops know it by that, and other programs that it is JSON."""
VERSION = 1
CONSTRAINTS: Mapping[str, type] = {
    "gap": GapTag,
    "base": BaseSpan,
    "attachment": Attachment,
    "bracket": Bracket,
    "tag": FixedTag,
}


_OPENING, _BETWEEN, _CLOSING = b'"lines": [\n  ', b",\n  ", b"\n ]"
"""What stands around and between the sentences of a session file, each of which has a line of its own."""


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
        """The document with another sentence in place of the one that is shown."""
        if not self.lines:
            return replace(self, lines=(line,), current=0)
        lines = (*self.lines[: self.current], line, *self.lines[self.current + 1 :])
        return replace(self, lines=lines)

    def with_model(self, name: str) -> Document:
        """The document under the model of a file."""
        return replace(self, model=name, live=False)

    def with_preset(self, number: int) -> Document:
        """The document under another preset; β, the threshold and what no preset sets stay as they are."""
        names = ("beam", "threshold", "threshold_step", "literal_beam", "further_backoff")
        kept = {name: getattr(self.settings, name) for name in names}
        return replace(self, preset=number, settings=Settings.preset(number, **kept))

    def provenance(self, model: Model, tags: str = "") -> Provenance:
        """Under what something is judged now, by the document's model; without `tags` those of gold trees are meant."""
        if not tags:
            tags = GOLD if self.gold_tags or model.tagger is None else automatic_tags(self.settings)
        return _provenance(self.model_name, self.settings, tags, self.preset, fingerprint(model))

    def as_dict(self, lines: bool = True) -> dict[str, Any]:
        """The document as JSON-able values; without its sentences where they are written one by one."""
        settings = asdict(self.settings)
        if math.isinf(settings["beam"]):
            settings["beam"] = None
        return {
            "format": FORMAT,
            "version": VERSION,
            "model": self.model,
            "preset": self.preset,
            "settings": settings,
            "current": self.current,
            "gold_tags": self.gold_tags,
            "lines": [line_dict(line) for line in self.lines] if lines else [],
        }

    @classmethod
    def from_dict(cls, stored: Any) -> Document:
        """The document that was stored; raise :class:`SessionError` if it is none."""
        if not isinstance(stored, dict) or stored.get("format") != FORMAT:
            raise SessionError("this is not a session file of Parse Explorer")
        if stored.get("version") != VERSION:
            raise SessionError(f"the session has version {stored.get('version')}, this program reads version {VERSION}")
        try:
            lines = tuple(_line(each) for each in stored["lines"])
            current = int(stored["current"])
            if not 0 <= current < max(len(lines), 1):
                raise ValueError(f"sentence {current} of {len(lines)} is shown")
            preset = int(stored["preset"])
            if preset not in PRESETS:
                raise ValueError(f"there is no preset {preset}")
            gold_tags = bool(stored.get("gold_tags", True))
            return cls(str(stored["model"]), preset, _settings(stored["settings"]), lines, current, gold_tags)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SessionError(f"a part of the session is missing or wrong ({error})") from error


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


def _line(stored: Mapping[str, Any]) -> TextLine:
    what_ifs = tuple(_constraint(each) for each in stored.get("what_ifs", ()))
    return TextLine(str(stored["text"]), what_ifs, str(stored.get("place", "")))


def _constraint_dict(constraint: Constraint) -> dict[str, Any]:
    kind = next(name for name, made in CONSTRAINTS.items() if isinstance(constraint, made))
    return {"kind": kind, **asdict(constraint)}


def _constraint(stored: Mapping[str, Any]) -> Constraint:
    values = dict(stored)
    made = CONSTRAINTS[values.pop("kind")]
    if values.get("relation"):
        values["relation"] = Relation(*map(str, values["relation"]))
    constraint: Constraint = made(**values)
    return constraint


def _settings(stored: Mapping[str, Any]) -> Settings:
    values = dict(stored)
    if values.get("beam") is None:
        values["beam"] = math.inf
    known = {one.name for one in fields(Settings)}
    return Settings(**{name: value for name, value in values.items() if name in known})


def save_document(document: Document, path: Path, extra: Mapping[str, Any] | None = None) -> None:
    """Write a session file, beside the old one first and then into its place.

    Sentences are put into words one by one, so that other threads go on while fifty thousand are.
    """
    head = json.dumps({**document.as_dict(lines=False), **(extra or {})}, ensure_ascii=False, indent=1)
    before, after = head.split('"lines": []', 1)
    lines = _BETWEEN.join([json.dumps(line_dict(line), ensure_ascii=False).encode() for line in document.lines])
    content = (before.encode(), _OPENING, lines, _CLOSING, after.encode(), b"\n")
    write_whole(path, b"".join(content), SessionError)


def load_document(path: Path) -> tuple[Document, dict[str, Any]]:
    """Open a session file; the second value is all that was stored, for what is beside the document."""
    stored = read_stored(path)
    try:
        return Document.from_dict(stored), stored
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from error


def read_stored(path: Path) -> Any:
    """What is in a session file, whatever it is."""
    try:
        return _parsed(path.read_bytes())
    except OSError as error:
        raise SessionError(f"{path}: cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise SessionError(f"{path}: this is not a session file of Parse Explorer ({error})") from error


def _parsed(content: bytes) -> Any:
    """The value of some JSON; of a session's, if it is as it was written, sentence by sentence.

    Python's reader lets no other thread run until it is through, and a window stands still while it reads a long list.
    """
    before, opening, rest = content.partition(_OPENING)
    rows, closing, after = rest.rpartition(_CLOSING)
    if opening and closing:
        # Someone may have edited it, or it is something else altogether: then it is read as a whole.
        with suppress(ValueError, TypeError):
            stored = json.loads(before + b'"lines": []' + after)
            stored["lines"] = [json.loads(row) for row in rows.split(_BETWEEN)]
            return stored
    return json.loads(content)


def added(document: Document, lines: Sequence[TextLine]) -> Document:
    """The document with more sentences at its end, the first of them shown; an empty sentence gives way."""
    before = document.lines if document.lines != (TextLine(""),) else ()
    return replace(document, lines=(*before, *lines), current=len(before))
