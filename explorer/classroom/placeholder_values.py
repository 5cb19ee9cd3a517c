"""What placeholders stand for: figures of one parse, each taken from the engine and written as the window writes it."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from engine.chart.parse import Parse
from engine.chart.trace import Trace
from engine.estimates.ledger import Factor, Level
from engine.settings import preset_title
from engine.structure.constraints import describe_constraint
from engine.structure.dependencies import Relation
from engine.structure.distance import Distance
from explorer.classroom.gold_values import GoldValues, head_word, reduced_word
from explorer.classroom.lesson import LessonError
from explorer.classroom.references import ROOT, References, read_relation
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.dependency_explanations import relation_between
from explorer.explanations.headlines import headline_of
from explorer.explanations.level_notation import pooled, weight_text
from explorer.graphics.number_text import beam_text, curly_quotes, log_text, signed, significant, table_probability
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.graphics.selection import Id


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

    def __init__(self, result: ParseResult, parse: Parse, selection: Id | None = None) -> None:
        self.result = result
        self.parse = parse
        self.selection = selection
        self.references = References(parse.sentence.proper_words)

    # Words and gaps

    @property
    def sentence(self) -> str:
        """The words."""
        return " ".join(self.parse.sentence.words)

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
        return head_word(self.parse, reduced_word(self.parse, self.references, word))

    def relation(self, word: str, head: str = "", relation: str = "") -> str:
        """The relation of a word with its head, or the most probable one with another head."""
        modifier = reduced_word(self.parse, self.references, word)
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
        modifier = reduced_word(self.parse, self.references, word)
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
        modifier = reduced_word(self.parse, self.references, word)
        position = reduced_word(self.parse, self.references, head) if head else self.parse.heads()[modifier]
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
        modifier = reduced_word(self.parse, self.references, word)
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
        modifier, position = (
            reduced_word(self.parse, self.references, word),
            reduced_word(self.parse, self.references, head),
        )
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
        return curly_quotes(headline_of(self.result, self.parse, id).sentence)

    # The chart

    @property
    def trace(self) -> Trace:
        """The chart."""
        trace = self.result.parse.chart
        if trace is None:
            raise LessonError("no chart was kept of this sentence; take a shorter one")
        return trace

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

    @property
    def model(self) -> str:
        """The name of the model."""
        return Path(self.result.request.document.model).stem or "this model"

    def trained_on(self, what: str) -> str:
        """How many sentences or words the model was trained on."""
        known = self.parse.model.metadata.get(what)
        if not isinstance(known, int):
            raise LessonError(f"the model does not say how many {what} it was trained on; leave it out")
        return f"{known:,}"

    @property
    def beam(self) -> str:
        """β."""
        return beam_text(self.result.request.settings.beam)

    @property
    def preset(self) -> str:
        """The preset by number and name."""
        return preset_title(self.result.request.document.preset)

    @cached_property
    def gold(self) -> GoldValues:
        """The figures of the parse against its gold tree."""
        return GoldValues(self.result, self.parse)


def _level(factor: Factor, level: str) -> Level:
    found = pooled(factor.levels, f"E{level}")
    if found is None:
        numbered = [one.name for one in factor.levels if re.fullmatch("E[0-9]+", one.name)]
        known = f"write one of {', '.join(numbered)}" if numbered else "no level of it is numbered"
        raise LessonError(f"this estimate has no level E{level}; {known}")
    return found
