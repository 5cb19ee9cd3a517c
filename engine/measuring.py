"""A parser against gold trees: every sentence parsed from its gold words and tags, and scored (section 4)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from engine.dependencies import analyse
from engine.jit import use_compiled
from engine.model import Model
from engine.parser import Parser
from engine.parseval import SentenceScore, Summary, attachment_score, score_pair
from engine.sentence import TaggedSentence
from engine.settings import Settings
from engine.trees import Tree, clean, read_tree

NO_DEPENDENCIES = (0, 0, 0)


class Measurement(NamedTuple):
    """How well one sentence was parsed.

    Attributes
    ----------
    score
        The counts of its constituents; ``None`` if the sentence was not parsed.
    attachments
        Dependencies on the reduced sentence: right ones, gold ones, proposed ones.
    tree
        The parse in brackets.
    fallback
        Whether it is a cover of fragments.
    seconds
        Time from the tagged sentence to the tree.
    """

    score: SentenceScore | None
    attachments: tuple[int, int, int] = NO_DEPENDENCIES
    tree: str = ""
    fallback: bool = False
    seconds: float = 0.0


def gold_heads(model: Model, cleaned: Tree) -> dict[int, int]:
    """Head position of every word of a clean gold tree's reduced sentence, −1 for the root's."""
    root = model.lexicaliser.constituent(cleaned)
    if root is None:
        return {}
    analysis = analyse(root, TaggedSentence.from_tree(cleaned).proper_tags)
    reduced = analysis.reduced
    return {
        reduced[arrow.modifier - 1]: reduced[arrow.head - 1] if arrow.head else -1 for arrow in analysis.dependencies
    }


def measure(parser: Parser, gold: Tree, longest: int | None = None) -> Measurement:
    """Parse the words and tags of a gold tree (as read), and compare.

    Parameters
    ----------
    parser
        The parser to measure.
    gold
        The treebank's tree, with root, traces and function tags.
    longest
        Sentences of more tokens than this are not parsed.
    """
    cleaned = clean(gold)
    if cleaned is None:
        return Measurement(None)
    sentence = TaggedSentence.from_tree(cleaned)
    if longest is not None and len(sentence) > longest:
        return Measurement(None)
    started = time.perf_counter()
    parse = parser.parse(sentence)
    tree = parse.tree
    seconds = time.perf_counter() - started
    attachments = attachment_score(gold_heads(parser.model, cleaned), parse.heads())
    return Measurement(score_pair(gold, tree), attachments, tree.brackets(), parse.fallback, seconds)


@dataclass(frozen=True, slots=True)
class MeasurerMaker:
    """Everything a process needs to measure: where the model is, how to parse, and how long a sentence may be."""

    model: Path
    settings: Settings
    longest: int | None = None

    def __call__(self) -> Callable[[Sequence[str]], list[Measurement]]:
        """Load the model; called once in every process, after the kernels were compiled."""
        use_compiled()
        parser = Parser(Model.load(self.model), self.settings)
        # So that loading the compiled kernels does not count as parsing.
        parser.parse("this/DT is/VBZ the/DT end/NN of/IN a/DT long/JJ story/NN ./.")

        def measure_all(golds: Sequence[str]) -> list[Measurement]:
            return [measure(parser, read_tree(gold), self.longest) for gold in golds]

        return measure_all


@dataclass(slots=True)
class Evaluation:
    """The measures of many sentences, for every cut-off length.

    Attributes
    ----------
    summaries
        For every longest length (``None``: any) the measures of section 4.
    fallbacks
        For every longest length how many sentences got a cover of fragments.
    left_out
        Trees that were not parsed: longer than every cut-off, or without any token.
    parsed, seconds
        Sentences parsed, and the time from tagged sentences to trees summed over them.
    """

    summaries: dict[int | None, Summary]
    fallbacks: dict[int | None, int] = field(default_factory=dict)
    left_out: int = 0
    parsed: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, lengths: Iterable[int | None]) -> Evaluation:
        """Nothing measured yet."""
        summaries: dict[int | None, Summary] = {length: Summary() for length in lengths}
        return cls(summaries, dict.fromkeys(summaries, 0))

    def add(self, measured: Measurement) -> None:
        """Take in one sentence."""
        score = measured.score
        if score is None:
            self.left_out += 1
            return
        self.parsed += 1
        self.seconds += measured.seconds
        for length, summary in self.summaries.items():
            if length is None or score.length <= length:
                summary.add(score, measured.attachments)
                self.fallbacks[length] += measured.fallback

    def as_dict(self) -> dict[str, Any]:
        """All measures, ready to be written as JSON."""
        return {
            "all" if length is None else str(length): {**summary.as_dict(), "fallback": self.fallbacks[length]}
            for length, summary in self.summaries.items()
        }


def longest_of(lengths: Sequence[int | None]) -> int | None:
    """The longest sentence that any of the cut-offs takes in; ``None`` for any length."""
    known = [length for length in lengths if length is not None]
    return max(known) if len(known) == len(lengths) else None


def evaluate(parser: Parser, trees: Iterable[Tree], lengths: Sequence[int | None] = (40, 100)) -> Evaluation:
    """Parse the words and tags of gold trees and measure the result by PARSEVAL (section 4).

    Parameters
    ----------
    parser
        The parser to measure.
    trees
        Gold trees as they stand in a treebank.
    lengths
        Cut-offs: sentences of at most so many tokens; ``None`` for all.
    """
    evaluation = Evaluation.of(lengths)
    longest = longest_of(lengths)
    for gold in trees:
        evaluation.add(measure(parser, gold, longest))
    return evaluation
