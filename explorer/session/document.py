"""What a person has made: sentences, what-ifs, settings and the model's name; kept as one value.

The document is immutable: a change makes another one, so that undoing is going back to the one before.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.common.characters import as_read
from engine.common.errors import EngineError, SentenceError
from engine.common.files import write_whole
from engine.gate.text_stream import read_text
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, Settings
from engine.structure.constraints import Attachment, BaseSpan, Bracket, Constraint, FixedTag, GapTag
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.provenance import GOLD, Provenance, automatic_tags, fingerprint
from engine.tagger.tagger import TagDistribution
from engine.text.input import Conventions, input_sentences, is_tree, line_problems
from engine.text.tagged_text import Problem, read_pieces
from engine.trees.reading import read_brackets
from engine.trees.tree import PENN_TAGS, Tree, clean
from explorer.kit.file_kinds import SESSION_FORMAT

VERSION = 2
"""Of a session's file; 1 had the number of the stage, and no name of it."""
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


# From what a person types to a sentence: tagged, plain, mixed, or a bracketed tree.
#
# What kind of input a text is, the engine says (:mod:`engine.text.input`).  While a person types,
# :func:`problems` says which token is wrong and where; :func:`read_line` gives the sentence itself.

MOST_SHOWN_CHARACTERS = 20_000
"""Characters of the longest line that is shown and parsed: twice what a tree of the longest sentence has."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as it was understood.

    Attributes
    ----------
    sentence
        Words and tags, or words with the tagger's distribution.
    gold
        The tree that was typed, if it was one.
    unknown
        Tokens whose tag the model does not know.
    """

    sentence: TaggedSentence | TagDistribution
    gold: Tree | None = None
    unknown: tuple[int, ...] = ()

    @property
    def tagged(self) -> TaggedSentence:
        """The words with one tag each."""
        return self.sentence.sentence if isinstance(self.sentence, TagDistribution) else self.sentence


def has_tagger(model: Model | None) -> bool:
    """Return whether words may stand without tags."""
    return model is not None and model.tagger is not None


def problems(text: str, model: Model | None) -> list[Problem]:
    """Return what is wrong with one line, token by token; nothing if it can be read."""
    return line_problems(text, _conventions(model))


def _conventions(model: Model | None) -> Conventions:
    return model.conventions if model is not None else Conventions()


def read_line(text: str, model: Model, gold_tags: bool = True) -> Reading:
    """Return the sentence that a line stands for; raise :class:`EngineError` that names the offending token.

    Of a tree the tags are taken too, or (without `gold_tags`, if the model has a tagger) its words alone.
    """
    found = problems(text, model)
    if found:
        raise SentenceError(found[0].message)
    gold = None
    sentence: TaggedSentence | TagDistribution
    if is_tree(text):
        gold = gold_of(text)
        if gold is None:
            raise SentenceError("the tree holds no word")
        sentence = TaggedSentence.from_tree(gold) if gold_tags or not has_tagger(model) else model.tag(gold.words())
    else:
        sentence = model.read_tagged(text)
    return Reading(sentence, gold, model.unknown_tags(sentence))


def gold_of(text: str) -> Tree | None:
    """Return the gold tree of a line, as the model sees trees; ``None`` if the line is not a tree that can be read."""
    if not is_tree(text):
        return None
    tree = next(read_brackets(text, "the tree"), None)
    return clean(tree) if isinstance(tree, Tree) else None


def check_characters(text: str, place: str = "the sentence") -> None:
    """Raise :class:`EngineError` if a line is longer than any sentence."""
    if len(text) > MOST_SHOWN_CHARACTERS:
        raise SentenceError(
            f"{place} has {len(text):,} characters, {MOST_SHOWN_CHARACTERS:,} are the most; cut it into sentences"
        )


def split_text(text: str, model: Model | None, name: str = "") -> list[TextLine]:
    """Return the sentences of a text: trees, tagged lines, or prose that is split into sentences."""
    return list(iterate_lines(text, model, name))


def iterate_lines(
    text: str, model: Model | None, name: str = "", refuse: Callable[[EngineError], None] | None = None
) -> Iterator[TextLine]:
    """Like :func:`split_text`, one after the other, so that a text of any length can be read with progress.

    Parameters
    ----------
    text
        The text.
    model
        Whose tagger says whether words may stand without tags.
    name
        Of the file, to tell where each sentence comes from.
    refuse
        Told of every line that is too long and every broken sentence of CoNLL-U, which are left out; without it the
        first one is raised.
    """
    for sentence in input_sentences(text, _conventions(model), name or "the text", refuse):
        place = f"{name}, {sentence.place}" if name else ""
        try:
            check_characters(sentence.text, place or sentence.place)
        except EngineError as error:
            if refuse is None:
                raise
            refuse(error)
        else:
            yield TextLine(sentence.text, place=place)


def read_file(path: Path) -> str:
    """Return the text of a file, gzipped or not; raise :class:`EngineError` in one sentence if there is none."""
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder; choose a file of sentences or trees")
    return read_text(path)


# A line of the list for the eye and for searching: its words, without tags and brackets.

_WORDS = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_TRACE = "-NONE-"
_REMEMBERED = 512
"""Lines whose words are remembered: some screens of the list, which is painted at every change."""


@lru_cache(_REMEMBERED)
def plain(text: str, most: int | None = None) -> str:
    """Return a line as a person reads it, without tags, brackets and traces.

    With `most`, about so many characters from its beginning.
    """
    if is_tree(text):
        part = text if most is None else text[: 8 * most]
        words = " ".join(as_read(word) for tag, word in _WORDS.findall(part) if tag != _TRACE)
        return words or text
    pieces = read_pieces(text if most is None else text[: 3 * most], PENN_TAGS)
    if not any(piece.tagged for piece in pieces):
        return text
    return " ".join(as_read(piece.word) + piece.marks if piece.tagged else piece.whole for piece in pieces)


def length_of(text: str) -> int:
    """Return how many tokens a line has, punctuation included; of prose, how many words between spaces."""
    if is_tree(text):
        return sum(tag != _TRACE for tag, _ in _WORDS.findall(text))
    return len(text.split())
