"""One sentence to parse: its words with the tags that they may have, and the same in numbers; its chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.chart.chart_layout import Chart, Grammar, SentenceArrays
from engine.chart.constraint_rows import apply
from engine.chart.grammar import grammar_of
from engine.chart.sentence_arrays import sentence_arrays
from engine.model.model import Model
from engine.settings import FurtherBackoff, Settings
from engine.structure.constraints import Constraint, retag
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tag_distribution import Readings, TagDistribution


class ReadSentence(NamedTuple):
    """A sentence with the tags to choose among, where they come from if they are a part of the score, and demands."""

    sentence: TaggedSentence
    readings: Readings
    distribution: TagDistribution | None
    constraints: Sequence[Constraint]


@dataclass(frozen=True, slots=True)
class ParseTask:
    """One sentence to parse, and how far its estimates back off."""

    sentence: TaggedSentence
    readings: Readings
    distribution: TagDistribution | None
    constraints: Sequence[Constraint]
    further_backoff: FurtherBackoff
    grammar: Grammar
    arrays: SentenceArrays

    @property
    def size(self) -> int:
        """How many words there are, punctuation left out."""
        return len(self.readings)


class Forest(NamedTuple):
    """A filled chart, good until the parser's next sentence, and what it was filled with; β is infinite for no beam."""

    grammar: Grammar
    arrays: SentenceArrays
    chart: Chart
    beam: float


def read_sentence(
    settings: Settings, sentence: TaggedSentence | TagDistribution, constraints: Sequence[Constraint] = ()
) -> ReadSentence:
    """The tags that a prepared sentence may have under these settings and constraints."""
    if isinstance(sentence, TagDistribution):
        if settings.tag_distribution:
            readings = sentence.readings(settings.tag_factor, constraints)
            sentence = sentence.with_forced(constraints)
            return ReadSentence(sentence.sentence, readings, sentence, constraints)
        sentence = sentence.sentence
    sentence = retag(constraints, sentence)
    return ReadSentence(sentence, [((tag, 1.0),) for tag in sentence.proper_tags], None, constraints)


def parse_task(model: Model, settings: Settings, read: ReadSentence, further_backoff: FurtherBackoff) -> ParseTask:
    """A sentence in numbers, with what is demanded of its parse."""
    grammar = grammar_of(model, settings.switches(further_backoff))
    arrays = sentence_arrays(model, grammar, read.sentence, read.readings)
    if read.constraints:
        arrays = apply(read.constraints, arrays, model)
    return ParseTask(*read, further_backoff, grammar, arrays)
