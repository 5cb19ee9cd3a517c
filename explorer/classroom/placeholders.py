"""Placeholders in the texts of a lesson: ``{F̂ of with}`` is filled in when the step is shown, by the
program itself.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.chart.trace import Trace
from engine.common.characters import curly_quotes
from engine.common.errors import EngineError
from engine.common.numbers import beam_text, log_text, signed, significant, table_probability
from engine.estimates.ledger import Factor, Level
from engine.explain.attachments import relation_between
from engine.explain.estimates import pooled, weight_text
from engine.explain.registry import headline_of
from engine.explain.subjects import Subject
from engine.settings import preset_title
from engine.structure.constraints import describe_constraint
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance
from engine.structure.tagged_sentence import shortened
from engine.study.parseval import SentenceScore, Summary, score_pair
from engine.trees.tree import Tree
from explorer.classroom.lesson import LessonError
from explorer.classroom.references import ROOT, References, check_in_chart, kept_chart, read_relation
from explorer.panels.gold_trees import gold_parse
from explorer.pictures.facts import facts_of
from explorer.session.parsing import ParseResult

if TYPE_CHECKING:
    from engine.study.verdicts import Verdict


# What placeholders stand for where a sentence has a gold tree: PARSEVAL, the verdict, and what gold says of a word.

# What judges is loaded when somebody judges.

_VERDICTS: WeakKeyDictionary[Parse, tuple[Verdict, Parse]] = WeakKeyDictionary()
"""The verdict on a parse, and its gold tree as a parse: a caption asks for several of their figures."""


class GoldValues:
    """The figures of one parse against its gold tree.

    Parameters
    ----------
    result
        What the engine made of the sentence.
    parse
        Which of its parses is shown.
    """

    def __init__(self, result: ParseResult, parse: Parse) -> None:
        self.result = result
        self.parse = parse

    @property
    def tree(self) -> Tree:
        """The gold tree."""
        if self.result.reading.gold is None:
            raise LessonError("the sentence has no gold tree; write the sentence of the step as a bracketed tree")
        return self.result.reading.gold

    @cached_property
    def parseval(self) -> SentenceScore:
        """The PARSEVAL counts of the parse."""
        return score_pair(self.tree, self.parse.tree)

    @property
    def summary(self) -> Summary:
        """The PARSEVAL figures of the parse."""
        summary = Summary()
        summary.add(self.parseval)
        return summary

    @property
    def judged(self) -> tuple[Verdict, Parse]:
        """The verdict on the parser's own parse, and the gold tree as a parse."""
        gold, free = self.tree, self.result.free
        if free not in _VERDICTS:
            from engine.study.verdicts import verdict

            parser = Parser(free.model, free.settings)
            sentence = self.result.reading.sentence
            found = verdict(parser, gold, free, sentence=sentence, repair=False)
            _VERDICTS[free] = found, gold_parse(parser, gold, free.distribution, free.further_backoff)
        return _VERDICTS[free]

    @property
    def verdict(self) -> str:
        """Why the parser's own parse is not the gold tree."""
        from engine.explain.verdicts import verdict_sentence

        return curly_quotes(verdict_sentence(self.judged[0]))

    @property
    def score(self) -> str:
        """The score of the gold tree."""
        return log_text(self.judged[1].score)

    @property
    def ledger_line(self) -> str:
        """Of the ledgers of parse and gold tree the line that speaks most, with its difference."""
        difference = self.judged[0].difference
        if self.judged[0].comparison.same_structure or (difference is not None and not difference.rows):
            return "no line differs"
        if difference is None:
            raise LessonError("the parse is a cover of fragments, or has other tags, and has no ledger to compare")
        row = difference.rows[0]
        own, gold = (f"{one.what} ({log_text(one.log)})" if one else "nothing" for one in (row.first, row.second))
        return f"{own} in the parse, {gold} in the gold tree: {signed(row.contribution)}"


# What placeholders stand for: figures of one parse, each taken from the engine and written as the window writes it.


class PlaceholderValues:
    """The figures of one parse that is shown.

    Parameters
    ----------
    result
        What the engine made of the sentence.
    parse
        Which of its parses is shown.
    selection
        What is selected in it.
    """

    def __init__(self, result: ParseResult, parse: Parse, selection: Subject | None = None) -> None:
        self.result = result
        self.parse = parse
        self.selection = selection
        self.references = References(parse.sentence.proper_words)

    # Words and gaps

    def tag(self, word: str) -> str:
        """The tag that a word has in the parse."""
        return self.parse.sentence.proper_tags[self.references.word(word)]

    def tag_probability(self, tag: str, word: str) -> str:
        """P(t|S) of a tag, which the tagger gives."""
        if self.result.tagging is None:
            raise LessonError("the model has no tagger; take a model that has one, such as `english`")
        token = self.parse.sentence.positions[self.references.word(word)]
        return significant(self.result.tagging.probability(token, tag))

    def gap(self, word: str) -> str:
        """The tag of the gap before a word."""
        return self.parse.gap_tags[self.references.inner(word) - 1]

    def gap_probability(self, word: str, letter: str = "") -> str:
        """P̂ of a tag of the gap before a word; without one, of the tag that the parse has."""
        return table_probability(facts_of(self.parse).gaps[self.references.inner(word) - 1][letter or self.gap(word)])

    def basenp(self, word: str) -> str:
        """The words of the baseNP that a word is in."""
        base = facts_of(self.parse).base_of.get(self.references.word(word))
        if base is None:
            raise LessonError(f"`{word}` is in no baseNP of this parse")
        return " ".join(self.parse.sentence.proper_words[base.start : base.end])

    # Dependencies

    def head(self, word: str) -> str:
        """The head of a word."""
        head = self.parse.heads()[self._reduced(word)]
        return self.parse.sentence.proper_words[head] if head >= 0 else "the root"

    def _reduced(self, word: str) -> int:
        """The position of a word of the reduced sentence; raise :class:`LessonError` if it is inside a baseNP."""
        position = self.references.word(word)
        if position not in self.parse.reduced:
            base = facts_of(self.parse).base_of.get(position)
            head = f"; write `{self.references.word_name(base.head)}`, its head" if base is not None else ""
            raise LessonError(f"`{word}` lies inside a baseNP, where no arrow touches it{head}")
        return position

    def relation(self, word: str, head: str = "", relation: str = "") -> str:
        """The relation of a word with its head, or the most probable one with another head."""
        modifier = self._reduced(word)
        if not head:
            return str(next(each for own, _, each in self.parse.arrows if own == modifier))
        return str(self._pair(word, head, relation)[2])

    def estimate(self, word: str, head: str = "", relation: str = "") -> str:
        """F̂ of the arrow of a word, or of one to another head."""
        factor = self._factor_or_none(word, head, relation)
        return significant(factor.probability) if factor is not None else "0"

    def log_estimate(self, word: str, head: str = "", relation: str = "") -> str:
        """The logarithm of F̂."""
        factor = self._factor_or_none(word, head, relation)
        return log_text(factor.log if factor is not None else float("-inf"))

    def probability(self, word: str, head: str = "", relation: str = "") -> str:
        """P(AF(j)|S,B) of equation (8)."""
        modifier = self._reduced(word)
        if not head:
            found = {one.modifier: one.probability for one in self.parse.dependency_probabilities()}[modifier]
            if found is None:
                raise LessonError(f"`{word}` heads a fragment, of which there is no probability")
            return significant(found)
        if self._factor_or_none(word, head, relation) is None:
            return "0"
        _, position, wanted = self._pair(word, head, relation)
        candidates = facts_of(self.parse).candidates[modifier]
        return significant(
            next((one.probability for one in candidates if (one.head, one.relation) == (position, wanted)), 0.0)
        )

    def distance(self, word: str, head: str = "", question: str = "") -> str:
        """The answers to the six questions of Δ, or to one of them."""
        answers = self._distance(word, head).words()
        return answers[int(question) - 1] if question else ", ".join(answers)

    def _distance(self, word: str, head: str) -> Distance:
        modifier = self._reduced(word)
        position = self._reduced(head) if head else self.parse.heads()[modifier]
        if position < 0:
            raise LessonError(f"`{word}` is the head of the sentence, which has no distance to the root")
        if position == modifier:
            raise LessonError(f"`{word}` cannot be its own head; name another word")
        return self.parse.explainer().ruler(self.parse.basenps).distance(modifier, position)

    # Counts

    def eta(self, level: str, factor: Factor) -> str:
        """η of a level of back-off."""
        return f"{_level(factor, level).eta:,}"

    def delta(self, level: str, factor: Factor) -> str:
        """δ of a level of back-off."""
        return f"{_level(factor, level).delta:,}"

    def level_estimate(self, level: str, factor: Factor) -> str:
        """E = η/δ of a level of back-off."""
        found = _level(factor, level)
        return significant(found.estimate) if found.delta else "–"

    def weight(self, level: str, factor: Factor) -> str:
        """λ of a level against those below it."""
        names = {weight.name: weight.value for weight in factor.weights}
        if f"λ{level}" not in names:
            mixed = ", ".join(factor.used) or "nothing"
            known = f"write one of {', '.join(names)}" if names else "leave it out"
            raise LessonError(f"there is no λ{level} here: the estimate mixes {mixed}; {known}")
        return weight_text(names[f"λ{level}"])

    def factor(self, word: str, head: str = "", relation: str = "") -> Factor:
        """F̂ with its counts: of the arrow of a word, or of one to another head."""
        found = self._factor_or_none(word, head, relation)
        if found is None:
            raise LessonError(
                f"between `{word}` and `{head}` no relation was seen in training, so that there is nothing to count; "
                f"name one: `{word} -> {head} as <PP,VP,VBD>`"
            )
        return found

    def gap_factor(self, word: str) -> Factor:
        """P̂ of the gap tag before a word with its counts."""
        return self.parse.explainer().gap(self.references.inner(word), self.gap(word))

    def _factor_or_none(self, word: str, head: str, relation: str) -> Factor | None:
        """The same; ``None`` where no relation was ever seen between two such words."""
        modifier = self._reduced(word)
        if not head or (head == ROOT and self.parse.heads()[modifier] < 0):
            found = self.result.ledger(self.parse).by_modifier().get(modifier)
            if found is None:
                raise LessonError(f"`{word}` heads a fragment, which has no F̂")
            return found
        modifier, position, wanted = self._pair_or_none(word, head, relation)
        if wanted is None:
            return None
        explainer = self.parse.explainer()
        return explainer.dependency(modifier, position, wanted, self._distance(word, head))

    def _pair(self, word: str, head: str, relation: str) -> tuple[int, int, Relation]:
        modifier, position, wanted = self._pair_or_none(word, head, relation)
        if wanted is None:
            raise LessonError(f"between `{word}` and `{head}` no relation was seen in training")
        return modifier, position, wanted

    def _pair_or_none(self, word: str, head: str, relation: str) -> tuple[int, int, Relation | None]:
        if head == ROOT:
            raise LessonError(f"`{word}` is not the head of the sentence in this parse; name a word in place of {ROOT}")
        modifier, position = self._reduced(word), self._reduced(head)
        if modifier == position:
            raise LessonError(f"`{word}` cannot be its own head; name another word")
        if relation:
            try:
                return modifier, position, read_relation(relation)
            except ValueError as error:
                raise LessonError(str(error)) from error
        candidates = facts_of(self.parse).candidates[modifier]
        return modifier, position, relation_between(self.parse, candidates, modifier, position)

    # The parse and the list

    def score(self, rank: str = "") -> str:
        """The score of a parse."""
        return log_text(self._ranked(rank).score)

    def log_probability(self, rank: str = "") -> str:
        """The log probability of a parse."""
        return log_text(self._ranked(rank).log_probability)

    def difference(self, rank: str) -> str:
        """By how much the parse that is shown is ahead of another one."""
        return signed(self.parse.score - self._ranked(rank).score)

    def _ranked(self, rank: str) -> Parse:
        if not rank:
            return self.parse
        listed = self.result.parse.alternatives
        if not 1 <= int(rank) <= len(listed):
            raise LessonError(f"there is no parse {rank}; write a number from 1 to {len(listed)}")
        return listed[int(rank) - 1]

    def what_if(self, number: str) -> str:
        """A what-if in words."""
        constraint = self.result.request.line.what_ifs[self._what_if(number)]
        return curly_quotes(describe_constraint(constraint, self.result.reading.tagged))

    def price(self, number: str = "") -> str:
        """What a what-if costs, or all together."""
        if not number:
            return signed(self.result.price)
        at = self._what_if(number)
        price = self.result.prices[at] if at < len(self.result.prices) else None
        if price is None:
            raise LessonError(f"the price of what-if {number} was not found; write {{price}} for that of all")
        return signed(-price)

    def _what_if(self, number: str) -> int:
        known = len(self.result.request.line.what_ifs)
        if not 1 <= int(number) <= known:
            there = f"write a number from 1 to {known}" if known else "this step has none"
            raise LessonError(f"there is no what-if {number}; {there}")
        return int(number) - 1

    def headline(self, name: str = "") -> str:
        """What the inspector says first about the selection, or about something else."""
        id = self.references.id(name) if name else self.selection
        if id is not None:
            check_in_chart(id, self.result.parse.chart)
        return curly_quotes(headline_of(self.result.context(self.parse), id).sentence)

    # The chart

    @property
    def trace(self) -> Trace:
        """The chart."""
        return kept_chart(self.result.parse)

    def edges(self, reason: str = "") -> str:
        """How many edges were added to the chart, or how many of them met with something."""
        cells = facts_of(self.result.parse).chart
        return f"{sum(cell.pruned.get(reason, 0) for cell in cells):,}" if reason else f"{len(self.trace):,}"

    @property
    def pruned(self) -> str:
        """How many edges were pruned."""
        _ = self.trace
        return f"{sum(sum(cell.pruned.values()) for cell in facts_of(self.result.parse).chart):,}"

    def items(self, span: str = "") -> str:
        """How many items the chart kept, in all or over some words."""
        if not span:
            return f"{self.trace.item_count:,}"
        return f"{len(self.trace.cell(*self.references.span(span)).items):,}"

    def edges_over(self, span: str) -> str:
        """How many edges were added over some words."""
        return f"{sum(self.trace.cell(*self.references.span(span)).reason_counts.values()):,}"

    # Model and settings

    def trained_on(self, what: str) -> str:
        """How many sentences or words the model was trained on."""
        known = self.parse.model.metadata.get(what)
        if not isinstance(known, int):
            raise LessonError(f"the model does not say how many {what} it was trained on; leave it out")
        return f"{known:,}"

    @cached_property
    def gold(self) -> GoldValues:
        """The figures of the parse against its gold tree."""
        return GoldValues(self.result, self.parse)

    @property
    def in_gold(self) -> PlaceholderValues:
        """The figures of the gold tree as a parse."""
        gold = self.gold.judged[1]
        if gold.sentence.positions != self.parse.sentence.positions:
            raise LessonError("the gold tree tags another token as punctuation than the parse; parse with its tags")
        return PlaceholderValues(self.result, gold)


def _level(factor: Factor, level: str) -> Level:
    found = pooled(factor.levels, f"E{level}")
    if found is None:
        numbered = [one.name for one in factor.levels if re.fullmatch("E[0-9]+", one.name)]
        known = f"write one of {', '.join(numbered)}" if numbered else "no level of it is numbered"
        raise LessonError(f"this estimate has no level E{level}; {known}")
    return found


# Placeholders in the texts of a lesson: ``{F̂ of with}`` is filled in when the step is shown, by the program itself.
#
# So no caption can be false: whatever model, preset or beam a class looks at, each figure is that of the parse on the
# screen.  ``{{`` and ``}}`` stand for braces.

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
    Placeholder("sentence", "the sentence", lambda v: " ".join(v.parse.sentence.words)),
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
    Placeholder("β", "the beam β", lambda v: beam_text(v.result.request.settings.beam)),
    Placeholder("preset", "the preset, by number and name", lambda v: preset_title(v.result.request.document.preset)),
    Placeholder("model", "the name of the model", lambda v: Path(v.result.request.document.model).stem or "this model"),
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
    Placeholder("gold head of WORD", "the head of a word in the gold tree", lambda v, w: v.in_gold.head(w)),
    Placeholder("gold relation of WORD", "the relation of a word in the gold tree", lambda v, w: v.in_gold.relation(w)),
    Placeholder("gold gap before WORD", "the gap tag before a word in the gold tree", lambda v, w: v.in_gold.gap(w)),
    Placeholder("headline", "what the inspector says first about the selection", Values.headline),
    Placeholder("headline of THING", "the same of anything that can be selected", Values.headline),
)  # fmt: skip
"""All of them.  The manual lists the same; a test compares."""


def fill(text: str, result: ParseResult, parse: Parse | None = None, selection: Subject | None = None) -> str:
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
