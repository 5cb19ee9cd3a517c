"""From what a person types to a sentence: tagged, plain, mixed, or a bracketed tree.

The one place that knows how the engine reads text.  While a person types, :func:`problems` says which token is
wrong and where; :func:`read_line` gives the sentence itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.common.errors import EngineError, SentenceError, TreeError
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.text.tagged_text import sentences_of
from engine.trees.tree import PUNCTUATION_TAGS, Tree, clean, read_brackets
from engine.trees.treebank import read_text
from explorer.document.document import TextLine

MOST_CHARACTERS = 20_000
"""Characters of the longest line that is shown and parsed: twice what a tree of the longest sentence has."""
_PIECE = 4096
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]")
"""Control characters, and those that turn the direction of everything around them."""
_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_LOOKED_AT, _LEAST_WRAPPED = 200, 4
_LEAST_ENDED, _MOST_ENDED = 0.04, 0.6
"""Share of lines that end a sentence: in wrapped prose some do, in a list of sentences all or none."""
_TOKEN = re.compile(r"[^ \t\n\r\f\v]+")
_TREE = re.compile(r"\s*\(\s*([A-Z][^\s()]*)?\s*\(|\s*\(\s*[A-Z$]+\s+[^\s()]+\s*\)")
_TAG = re.compile(r"[A-Z]+\$?|-[LR][RSC]B-|[#$.,:]|``|''|\"")


class Problem(NamedTuple):
    """Something wrong with what was typed: characters ``start .. end``, and what to do about it."""

    start: int
    end: int
    message: str


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
    """Whether words may stand without tags."""
    return model is not None and model.tagger is not None


def is_tree(text: str) -> bool:
    """Whether the text means to be a bracketed tree."""
    return bool(_TREE.match(text))


def _tag_of(token: str) -> str:
    """The tag after a token's last slash, if it has one that looks like a tag."""
    word, slash, tag = token.rpartition("/")
    backslashes = len(word) - len(word.rstrip("\\"))
    return tag if slash and word and not backslashes % 2 and _TAG.fullmatch(tag) else ""


def problems(text: str, model: Model | None) -> list[Problem]:
    """What is wrong with one line, token by token; nothing if it can be read."""
    if not text.strip():
        return []
    if is_tree(text):
        return list(_tree_problems(text))
    if has_tagger(model):
        return list(_half_tagged(text))
    return list(_untagged(text))


def _tree_problems(text: str) -> Iterator[Problem]:
    count = 0
    for item in read_brackets(text, "the tree"):
        if isinstance(item, TreeError):
            match = _TOKEN.match(text, item.offset)
            end = min(match.end() if match else item.offset + 1, item.offset + 24)
            yield Problem(item.offset, end, f"column {item.offset + 1}: {item.problem}")
            return
        count += 1
    if count > 1:
        yield Problem(0, len(text), f"{count} trees on one line; paste them on lines of their own")


def _half_tagged(text: str) -> Iterator[Problem]:
    """Tags that are not finished, in a line that has some; a slash in plain text is a slash."""
    if not any(_tag_of(token) for token in _TOKEN.findall(text)):
        return
    for number, match in enumerate(_TOKEN.finditer(text), 1):
        token = match[0]
        if token.endswith("/") and len(token) > 1 and not token.endswith("\\/"):
            yield Problem(match.start(), match.end(), f"word {number}: `{_shown(token)}` has no tag after the slash")
        elif token.startswith("/") and len(token) > 1 and _TAG.fullmatch(token[1:]):
            yield Problem(match.start(), match.end(), f"word {number}: `{_shown(token)}` has no word before the slash")


def _untagged(text: str) -> Iterator[Problem]:
    for number, match in enumerate(_TOKEN.finditer(text), 1):
        token = match[0]
        try:
            TaggedSentence.parse(token)
        except SentenceError as error:
            message = str(error).replace("word 1:", f"word {number}:", 1)
            yield Problem(match.start(), match.end(), message)


def _shown(token: str) -> str:
    return token if len(token) <= 40 else token[:39] + "…"


def read_line(text: str, model: Model, gold_tags: bool = True) -> Reading:
    """The sentence that a line stands for; raise :class:`EngineError` that names the offending token.

    Of a tree the tags are taken too, or (without `gold_tags`, if the model has a tagger) its words alone.
    """
    found = problems(text, model)
    if found:
        raise SentenceError(found[0].message)
    gold = None
    sentence: TaggedSentence | TagDistribution
    if is_tree(text):
        tree = next(item for item in read_brackets(text, "the tree") if isinstance(item, Tree))
        gold = clean(tree)
        if gold is None:
            raise SentenceError("the tree holds no word")
        sentence = TaggedSentence.from_tree(gold) if gold_tags or not has_tagger(model) else model.tag(gold.words())
    elif has_tagger(model):
        sentence = model.read_tagged(text)
    else:
        sentence = TaggedSentence.parse(text)
    words = sentence.sentence if isinstance(sentence, TagDistribution) else sentence
    known = model.tag_numbers
    unknown = tuple(at for at, tag in enumerate(words.tags) if tag not in known and tag not in PUNCTUATION_TAGS)
    return Reading(sentence, gold, unknown)


def gold_of(text: str) -> Tree | None:
    """The gold tree of a line, as the model sees trees; ``None`` if the line is none that can be read."""
    if not is_tree(text):
        return None
    tree = next(read_brackets(text, "the tree"), None)
    return clean(tree) if isinstance(tree, Tree) else None


def cleaned(text: str) -> str:
    """A text without what nobody can read: control characters, turned directions, halves of characters."""
    if text.isascii() and text.isprintable():
        return text
    return _NO_CHARACTER.sub("\ufffd", _NO_TEXT.sub(" ", text))


def check_characters(text: str, place: str = "the sentence") -> None:
    """Raise :class:`EngineError` if a line is longer than any sentence."""
    if len(text) > MOST_CHARACTERS:
        raise SentenceError(
            f"{place} has {len(text):,} characters, {MOST_CHARACTERS:,} are the most; cut it into sentences"
        )


def split_text(text: str, model: Model | None, name: str = "") -> list[TextLine]:
    """The sentences of a text: trees, tagged lines, or prose that is split into sentences."""
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
        Told of every line that is too long, which is left out; without it the first one is raised.
    """
    for line, number in _lines(cleaned(text), model, name):
        try:
            check_characters(line.text, line.place or f"line {number}")
        except EngineError as error:
            if refuse is None:
                raise
            refuse(error)
        else:
            yield line


def _lines(text: str, model: Model | None, name: str) -> Iterator[tuple[TextLine, int]]:
    """Lines of any length, each with its number."""
    if is_tree(text):
        for number, item in enumerate(read_brackets(text, name or "the text"), 1):
            place = f"{name}, tree {number}" if name else ""
            if isinstance(item, TreeError):
                raise item
            yield TextLine(item.brackets(), place=place), number
        return
    rows = text.splitlines(keepends=True)
    if model is not None and has_tagger(model) and _is_wrapped(rows):
        yield from _prose(rows, model, name, 1)
        return
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        if model is not None and has_tagger(model) and not any(_tag_of(token[0]) for token in _TOKEN.finditer(row)):
            yield from _prose((row[at : at + _PIECE] for at in range(0, len(row), _PIECE)), model, name, number)
        else:
            yield TextLine(row.strip(), place=f"{name}, line {number}" if name else ""), number


def _prose(chunks: Iterable[str], model: Model, name: str, first: int) -> Iterator[tuple[TextLine, int]]:
    """The sentences of plain text that begins on line `first`; very long ones are cut."""
    for passage in sentences_of(chunks, model.splits_hyphens):
        number = first + passage.line - 1
        place = f"{name}, line {number}" if name else ""
        yield TextLine(" ".join(passage.text.split()), place=place), number


def _is_wrapped(rows: list[str]) -> bool:
    """Whether lines are those of wrapped prose, sentences running on from one to the next."""
    filled = [row.rstrip() for row in rows[:_LOOKED_AT] if row.strip()]
    if len(filled) < _LEAST_WRAPPED or any(_tag_of(token) for row in filled for token in _TOKEN.findall(row)):
        return False
    ended = sum(row.endswith((".", "?", "!", ":", '"', "'", "”", "’", ")")) for row in filled) / len(filled)
    return _LEAST_ENDED < ended < _MOST_ENDED


def read_file(path: Path) -> str:
    """The text of a file, gzipped or not; raise :class:`EngineError` in one sentence if there is none."""
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder; choose a file of sentences or trees")
    text = read_text(path)
    if "\0" in text:
        raise EngineError(f"{path}: this is no text file; choose a file of sentences or trees, or open it as a model")
    return text
