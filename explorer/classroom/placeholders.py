"""Placeholders in the texts of a lesson: ``{F̂ of with}`` is filled in when the step is shown, by the program itself.

So no caption can be false: whatever model, preset or beam a class looks at, each figure is that of the parse on the
screen.  ``{{`` and ``}}`` stand for braces.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from engine.chart.parse import Parse
from engine.common.errors import EngineError
from engine.estimates.ledger import Factor
from engine.structure.tagged_sentence import shortened
from explorer.classroom.lesson import LessonError
from explorer.classroom.placeholder_values import PlaceholderValues
from explorer.classroom.references import ROOT, References
from explorer.document.sentence_parsing import ParseResult
from explorer.graphics.selection import Id

_SLOTS = {
    "WORD": r"(\S+)",
    "HEAD": r"(\S+)",
    "RELATION": r"(\S+)",
    "LETTER": "([SCEBN])",
    "TAG": r"([^\s()]+)",
    "NUMBER": "([0-9]{1,6})",
    "LEVEL": "([0-9]{1,2})",
    "QUESTION": "([1-6])",
    "SPAN": r"(\S+)",
    "THING": "(.+)",
}
_SLOT = re.compile("|".join(_SLOTS))
_OWN, _PAIR, _GAP = "of WORD", "WORD -> HEAD", "before WORD"
_WITH_RELATION = "WORD -> HEAD as RELATION"
_ASCII = (
    (re.compile(r"^((?:log )?)F\^?(?= )"), "\\1F̂"),
    (re.compile(r"^P\^(?= )"), "P̂"),
    (re.compile(r"^eta(?=[0-9])"), "η"),
    (re.compile(r"^delta(?=[0-9])"), "δ"),
    (re.compile(r"^lambda(?=[0-9])"), "λ"),
    (re.compile(r"^Delta(?=[0-9 ])"), "Δ"),
    (re.compile(r"^beta$"), "β"),
    (re.compile(r" → "), " -> "),
)
"""What may be written where a keyboard has no Greek letters or hats."""
_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_MARKDOWN = re.compile(r"([\\`*_<>\[\]&~|])")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder.

    Attributes
    ----------
    form
        How it is written, without its braces; words in capitals stand for what a teacher fills in.
    meaning
        What it shows, for the manual.
    value
        What makes the text from the figures of a parse and what was filled in.
    """

    form: str
    meaning: str
    value: Callable[..., str]

    @property
    def pattern(self) -> re.Pattern[str]:
        """What matches it."""
        return _pattern(self.form)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    parts: list[str] = []
    at = 0
    for slot in _SLOT.finditer(form):
        parts += [re.escape(form[at : slot.start()]), _SLOTS[slot[0]]]
        at = slot.end()
    return re.compile("".join(parts) + re.escape(form[at:]))


def _arrow(name: str, meaning: str, value: Callable[..., str]) -> tuple[Placeholder, ...]:
    """A figure of the arrow that a word has, of one that it could have, and of one with a relation of its own."""
    return (
        Placeholder(f"{name} {_OWN}", f"{meaning} of the arrow that the word has in the parse", value),
        Placeholder(f"{name} {_PAIR}", f"{meaning} of an arrow between two words, in the parse or not", value),
        Placeholder(f"{name} {_WITH_RELATION}", f"{meaning} of an arrow with a relation such as `<PP,VP,VBD>`", value),
    )


def _count(name: str, meaning: str, value: Callable[[PlaceholderValues, str, Factor], str]) -> tuple[Placeholder, ...]:
    """A figure of a level of back-off: of an arrow, or of a gap."""

    def arrow(values: PlaceholderValues, level: str, *pair: str) -> str:
        return value(values, level, values.factor(*pair))

    def gap(values: PlaceholderValues, level: str, word: str) -> str:
        return value(values, level, values.gap_factor(word))

    named = f"{name}LEVEL"
    return (
        Placeholder(f"{named} {_OWN}", f"{meaning} behind F̂ of the arrow that the word has", arrow),
        Placeholder(f"{named} {_PAIR}", f"{meaning} behind F̂ of an arrow between two words", arrow),
        Placeholder(f"{named} {_WITH_RELATION}", f"{meaning} behind F̂ of an arrow with a relation", arrow),
        Placeholder(f"{named} {_GAP}", f"{meaning} behind P̂ of the gap tag before the word", gap),
    )


Values = PlaceholderValues
PLACEHOLDERS: tuple[Placeholder, ...] = (
    Placeholder("sentence", "the sentence", lambda values: values.sentence),
    Placeholder("words", "how many words it has, punctuation apart", lambda v: f"{len(v.parse.sentence.positions):,}"),
    Placeholder("tag of WORD", "the tag of a word in the parse", Values.tag),
    Placeholder("P(TAG) of WORD", "P(t|S): what the tagger gives to a tag of the word", Values.tag_probability),
    Placeholder("gap before WORD", "the gap tag before a word", Values.gap),
    Placeholder("P̂ before WORD", "P̂ of that gap tag", Values.gap_probability),
    Placeholder("P(LETTER) before WORD", "P̂ of one of the gap tags S C E B N", lambda v, g, w: v.gap_probability(w, g)),
    Placeholder("baseNPs", "how many baseNPs the parse has", lambda values: f"{len(values.parse.basenps):,}"),
    Placeholder("baseNP of WORD", "the words of the baseNP that a word is in", Values.basenp),
    Placeholder("m", "how many words the reduced sentence has", lambda values: f"{len(values.parse.reduced):,}"),
    Placeholder("head of WORD", "the head of a word", Values.head),
    Placeholder("relation of WORD", "the relation of a word with its head, a triple", Values.relation),
    Placeholder("relation WORD -> HEAD", "the most probable relation with another head", Values.relation),
    *_arrow("F̂", "F̂", Values.estimate),
    *_arrow("log F̂", "log F̂", Values.log_estimate),
    *_arrow("P", "the probability of equation (8)", Values.probability),
    Placeholder("Δ of WORD", "the six answers about the distance of a word and its head", Values.distance),
    Placeholder("Δ WORD -> HEAD", "the six answers about the distance of two words", Values.distance),
    Placeholder("ΔQUESTION of WORD", "the answer to one of the six questions", lambda v, q, w: v.distance(w, "", q)),
    Placeholder("ΔQUESTION WORD -> HEAD", "the same of two words", lambda v, q, w, h: v.distance(w, h, q)),
    *_count("η", "η of a level of back-off (1 to 4, 23)", Values.eta),
    *_count("δ", "δ of a level of back-off", Values.delta),
    *_count("E", "E = η/δ of a level of back-off", Values.level_estimate),
    *_count("λ", "λ of a level of back-off", Values.weight),
    Placeholder("score", "the score of the parse that is shown", Values.score),
    Placeholder("score of NUMBER", "the score of the n-th best parse", Values.score),
    Placeholder("log P", "the log probability of the parse that is shown", Values.log_probability),
    Placeholder("log P of parse", "the same", Values.log_probability),
    Placeholder("log P of NUMBER", "the log probability of the n-th best parse", Values.log_probability),
    Placeholder("difference to NUMBER", "its score less that of the n-th best parse", Values.difference),
    Placeholder("parses", "how many parses the list has", lambda v: f"{len(v.result.parse.alternatives):,}"),
    Placeholder("what-ifs", "how many what-ifs there are", lambda v: f"{len(v.result.request.line.what_ifs):,}"),
    Placeholder("what-if NUMBER", "a what-if in words", Values.what_if),
    Placeholder("price", "what all what-ifs together change in the score", Values.price),
    Placeholder("price of what-if NUMBER", "what one what-if changes, the others staying", Values.price),
    Placeholder("edges", "how many edges the parser built", Values.edges),
    Placeholder("edges over SPAN", "the same over some words, such as `the..man`", Values.edges_over),
    Placeholder("edges pruned", "how many of them it did not keep", lambda values: values.pruned),
    Placeholder("edges out of beam", "how many of these fell out of the beam", lambda v: v.edges("out of beam")),
    Placeholder("edges under threshold", "how many fell under the threshold", lambda v: v.edges("under threshold")),
    Placeholder("edges dominated", "how many were worse than an equal item", lambda v: v.edges("dominated")),
    Placeholder("edges against comma rule", "how many the comma rule forbade", lambda v: v.edges("comma rule")),
    Placeholder("items", "how many items the chart kept", Values.items),
    Placeholder("items over SPAN", "the same over some words, such as `the..man`", Values.items),
    Placeholder("β", "the beam β", lambda values: values.beam),
    Placeholder("preset", "the preset, by number and name", lambda values: values.preset),
    Placeholder("model", "the name of the model", lambda values: values.model),
    Placeholder("sentences of model", "how many sentences it was trained on", lambda v: v.trained_on("sentences")),
    Placeholder("words of model", "how many words it was trained on", lambda v: v.trained_on("words")),
    Placeholder("LR", "labelled recall against the gold tree", lambda v: f"{v.gold.summary.labeled_recall:.1f} %"),
    Placeholder("LP", "labelled precision", lambda v: f"{v.gold.summary.labeled_precision:.1f} %"),
    Placeholder("F1", "F1 of the two", lambda v: f"{v.gold.summary.f1:.1f} %"),
    Placeholder("CBs", "how many brackets of the parse cross one of gold", lambda v: f"{v.gold.parseval.crossing:,}"),
    Placeholder("brackets", "how many brackets the parse has", lambda v: f"{v.gold.parseval.proposed:,}"),
    Placeholder("gold brackets", "how many the gold tree has", lambda v: f"{v.gold.parseval.gold:,}"),
    Placeholder("common brackets", "how many both have", lambda v: f"{v.gold.parseval.matched:,}"),
    Placeholder("verdict", "why the parse is not the gold tree, in a sentence", lambda v: v.gold.verdict),
    Placeholder("ledger against gold", "the factor that tells most against gold", lambda v: v.gold.ledger_line),
    Placeholder("score of gold", "the score of the gold tree", lambda v: v.gold.score),
    Placeholder("gold head of WORD", "the head of a word in the gold tree", lambda v, w: v.gold.head(w)),
    Placeholder("gold relation of WORD", "the relation of a word in the gold tree", lambda v, w: v.gold.relation(w)),
    Placeholder("gold gap before WORD", "the gap tag before a word in the gold tree", lambda v, w: v.gold.gap(w)),
    Placeholder("headline", "what the inspector says first about the selection", Values.headline),
    Placeholder("headline of THING", "the same of anything that can be selected", Values.headline),
)  # fmt: skip
"""All of them.  The manual lists the same; a test compares."""


def fill(text: str, result: ParseResult, parse: Parse | None = None, selection: Id | None = None) -> str:
    """A text of a lesson with its placeholders filled in.

    Parameters
    ----------
    text
        Markdown.  What is filled in is escaped, so that a word such as ``*`` stands there as it is.
    result
        What the engine made of the sentence.
    parse
        Which of its parses is shown; the best if nothing is said.
    selection
        What is selected, for ``{headline}``.

    Raises
    ------
    LessonError
        Where there is no such placeholder, or it names what is not there: in one sentence, with what to write.
    """
    values = PlaceholderValues(result, parse or result.parse, selection)
    parts: list[str] = []
    at = 0
    for found in _BRACES.finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        if found[0] in ("{{", "}}"):
            parts.append(found[0][0])
            continue
        value = _value(found[0], values)
        in_code = text.count("`", 0, found.start()) % 2
        parts.append(value if in_code else _MARKDOWN.sub(r"\\\1", value))
    return "".join([*parts, text[at:]])


def placeholder_problems(text: str, references: References | None = None) -> Iterator[tuple[int, str]]:
    """What is wrong with the braces of a text, wherever that can be told without a parse: where, and in a sentence.

    With the names of a sentence it is also told which words are not there.
    """
    for found in _BRACES.finditer(text):
        if found[0] not in ("{{", "}}"):
            try:
                placeholder, filled = _placeholder(found[0])
                if references is not None:
                    _check_words(placeholder, filled, references)
            except LessonError as error:
                yield found.start(), str(error)


def _check_words(placeholder: Placeholder, filled: tuple[str, ...], references: References) -> None:
    """Raise :class:`LessonError` if a word that was filled in is not in the sentence."""
    for slot, value in zip(_SLOT.findall(placeholder.form), filled, strict=True):
        if slot == "WORD" and " before " in f" {placeholder.form}":
            references.inner(value)
        elif slot == "WORD" or (slot == "HEAD" and value != ROOT):
            references.word(value)
        elif slot == "SPAN":
            references.span(value)
        elif slot == "THING":
            references.id(value)


def _value(braced: str, values: PlaceholderValues) -> str:
    placeholder, filled = _placeholder(braced)
    try:
        return placeholder.value(values, *filled)
    except EngineError as error:
        raise LessonError(f"`{' '.join(braced.split())}`: {error}") from error


def _placeholder(braced: str) -> tuple[Placeholder, tuple[str, ...]]:
    """The placeholder that something in braces is, and what was filled in."""
    if braced in ("{", "}"):
        other = "closing" if braced == "{" else "opening"
        raise LessonError(f"there is a `{braced}` without its {other} brace; write `{braced * 2}` for a brace itself")
    name = " ".join(braced[1:-1].split())
    braced = f"{{{name}}}"
    for pattern, instead in _ASCII:
        name = pattern.sub(instead, name)
    for placeholder in PLACEHOLDERS:
        found = placeholder.pattern.fullmatch(name)
        if found is not None:
            return placeholder, found.groups()
    raise LessonError(f"there is no placeholder `{shortened(braced)}`; write for instance `{{{_nearest(name)}}}`")


def _nearest(name: str) -> str:
    """The form of the placeholder that is most like a name."""
    forms = [each.form for each in PLACEHOLDERS]
    return max(forms, key=lambda form: difflib.SequenceMatcher(None, shortened(name), form).ratio())
