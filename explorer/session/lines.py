"""A line of the list: from what a person types to a sentence, and its words alone for the eye; no Qt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.common.errors import EngineError, SentenceError
from engine.gate.text_stream import read_text
from engine.model.model import Model
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import TagDistribution
from engine.text.input import Conventions, input_sentences, is_tree, line_problems
from engine.text.tagged_text import Problem, read_pieces
from engine.trees.reading import read_brackets
from engine.trees.tree import PENN_TAGS, Tree, clean
from explorer.session.document import TextLine

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
    """Return a line without tags, brackets and traces; with `most`, about so many characters from its beginning."""
    if is_tree(text):
        part = text if most is None else text[: 8 * most]
        words = " ".join(word for tag, word in _WORDS.findall(part) if tag != _TRACE)
        return words or text
    pieces = read_pieces(text if most is None else text[: 3 * most], PENN_TAGS)
    if not any(piece.tagged for piece in pieces):
        return text
    return " ".join(piece.word + piece.marks if piece.tagged else piece.whole for piece in pieces)


def length_of(text: str) -> int:
    """Return how many tokens a line has, punctuation included; of prose, how many words between spaces."""
    if is_tree(text):
        return sum(tag != _TRACE for tag, _ in _WORDS.findall(text))
    return len(text.split())
