"""Evaluation of a parser against gold trees: each sentence parsed from its words, and tags if wanted (section 4)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import eq
from typing import Any, NamedTuple

from engine.chart.parser import Parser
from engine.common.arguments import expect
from engine.common.errors import SentenceError
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.dependencies import analyse
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.parseval import COLLINS, EvalbParameters, SentenceScore, Summary, attachment_score, score_pair
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, check_tree, clean

NO_DEPENDENCIES = (0, 0)


class Tagging(NamedTuple):
    """How well tokens were tagged, punctuation included.

    Attributes
    ----------
    tokens
        How many there are.
    tagger, parser
        How many have the gold tag in the tagger's best sequence, and in the parse.
    """

    tokens: int = 0
    tagger: int = 0
    parser: int = 0

    def plus(self, other: Tagging) -> Tagging:
        """Return both together."""
        return Tagging(self.tokens + other.tokens, self.tagger + other.tagger, self.parser + other.parser)

    def as_dict(self) -> dict[str, Any]:
        """Return the shares in per cent, ready to be written as JSON."""
        whole = max(self.tokens, 1)
        return {
            "tokens": self.tokens,
            "tagger_accuracy": 100 * self.tagger / whole,
            "parser_accuracy": 100 * self.parser / whole,
        }


class SentenceEvaluation(NamedTuple):
    """How well one sentence was parsed.

    Attributes
    ----------
    score
        The counts of its constituents; ``None`` if the sentence was not parsed.
    attachments
        Dependencies on the reduced sentence: right ones, and gold ones.
    tree
        The parse in brackets.
    fallback
        Whether it is a cover of fragments.
    seconds
        Time from the tagged sentence to the tree; from the words, if they were tagged automatically.
    tagging
        How well that was done; ``None`` if tags were gold.
    tagging_seconds
        How much of the time went by before the words were tagged.
    further_backoff
        Whether it is a tree that was found with further back-off.
    """

    score: SentenceScore | None
    attachments: tuple[int, int] = NO_DEPENDENCIES
    tree: str = ""
    fallback: bool = False
    seconds: float = 0.0
    tagging: Tagging | None = None
    tagging_seconds: float = 0.0
    further_backoff: bool = False


def gold_heads(model: Model, cleaned: Tree) -> dict[int, int]:
    """Head position of every word of a clean gold tree's reduced sentence, −1 for the root's.

    Positions are counted without punctuation.
    """
    root = model.lexicaliser.constituent(cleaned)
    if root is None:
        return {}
    analysis = analyse(root, TaggedSentence.from_tree(cleaned).proper_tags)
    reduced = analysis.reduced
    return {
        reduced[arrow.modifier - 1]: reduced[arrow.head - 1] if arrow.head else -1 for arrow in analysis.dependencies
    }


def evaluate_sentence(
    parser: Parser,
    gold: Tree,
    longest: int | None = None,
    gold_tags: bool = True,
    parameters: EvalbParameters = COLLINS,
) -> SentenceEvaluation:
    """Parse the words of a gold tree (as read), and compare.

    Parameters
    ----------
    parser
        The parser to evaluate.
    gold
        The treebank's tree, with root, traces and function tags.
    longest
        Sentences of more tokens than this are not parsed.
    gold_tags
        Whether the parser is given the tree's tags; else the model's tagger gives them, and the parser's settings say
        whether it chooses among them or takes the best sequence.
    parameters
        How brackets are counted.
    """
    cleaned = clean(gold)
    if cleaned is None:
        return SentenceEvaluation(None)
    sentence = TaggedSentence.from_tree(cleaned)
    if longest is not None and len(sentence) > longest:
        return SentenceEvaluation(None)
    started = time.perf_counter()
    try:
        distribution = None if gold_tags else parser.model.tag(sentence.words)
        tagged = time.perf_counter()
        parse = parser.parse(sentence if distribution is None else distribution)
    except SentenceError:
        # Too long to be parsed at all.
        return SentenceEvaluation(None)
    tree = parse.tree
    seconds = time.perf_counter() - started
    # By tokens: gold and automatic tags may disagree on what is punctuation.
    attachments = attachment_score(
        _by_token(gold_heads(parser.model, cleaned), sentence), _by_token(parse.heads(), parse.sentence)
    )
    tagging = None
    if distribution is not None:
        best, chosen = distribution.sentence.tags, parse.sentence.tags
        tagging = Tagging(len(sentence), sum(map(eq, sentence.tags, best)), sum(map(eq, sentence.tags, chosen)))
    return SentenceEvaluation(
        score_pair(gold, tree, parameters),
        attachments,
        tree.brackets(),
        parse.fallback,
        seconds,
        tagging,
        0.0 if gold_tags else tagged - started,
        bool(parse.further_backoff),
    )


def _by_token(heads: Mapping[int, int], sentence: TaggedSentence) -> dict[int, int]:
    """Heads by the numbers of tokens, from heads by positions without punctuation."""
    tokens = sentence.positions
    return {tokens[modifier]: tokens[head] if head >= 0 else -1 for modifier, head in heads.items()}


def sentence_evaluator(
    model: Model,
    settings: Settings,
    longest: int | None = None,
    gold_tags: bool = True,
    parameters: EvalbParameters = COLLINS,
) -> Callable[[str], SentenceEvaluation]:
    """Return what evaluates the parse of one gold tree, given in brackets; see :func:`evaluate_sentence`."""
    parser = Parser(model, settings)
    # So that loading the compiled kernels does not count as parsing.
    first = TaggedSentence.parse("this/DT is/VBZ the/DT end/NN of/IN a/DT long/JJ story/NN ./.")
    parser.parse(first if gold_tags else model.tag(first.words))
    return lambda gold: evaluate_sentence(parser, read_tree(gold), longest, gold_tags, parameters)


@dataclass(slots=True)
class Evaluation:
    """The measures of many sentences, for every cut-off length.

    Attributes
    ----------
    summaries
        For every longest length (``None``: any) the measures of section 4.
    fallbacks
        For every longest length how many sentences got a cover of fragments.
    further_backoffs
        For every longest length how many sentences got a tree with further back-off only.
    left_out
        Trees that were not parsed: longer than every cut-off, or without any token.
    parsed, seconds
        Sentences parsed, and the time that took, summed over them.
    tagging
        For every longest length how well tokens were tagged; no tokens if tags were gold.
    """

    summaries: dict[int | None, Summary]
    fallbacks: dict[int | None, int] = field(default_factory=dict)
    left_out: int = 0
    parsed: int = 0
    seconds: float = 0.0
    tagging: dict[int | None, Tagging] = field(default_factory=dict)
    further_backoffs: Counter[int | None] = field(default_factory=Counter)

    @classmethod
    def of(cls, lengths: Iterable[int | None]) -> Evaluation:
        """Nothing evaluated yet."""
        summaries: dict[int | None, Summary] = {length: Summary() for length in lengths}
        return cls(summaries, dict.fromkeys(summaries, 0))

    def add(self, measured: SentenceEvaluation) -> None:
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
                self.further_backoffs[length] += measured.further_backoff
                if measured.tagging is not None:
                    self.tagging[length] = self.tagging.get(length, Tagging()).plus(measured.tagging)

    def as_dict(self) -> dict[str, Any]:
        """Return all measures, ready to be written as JSON."""
        described: dict[str, Any] = {}
        for length, summary in self.summaries.items():
            found: dict[str, Any] = {
                **summary.as_dict(),
                "fallback": self.fallbacks[length],
                "further_backoff": self.further_backoffs[length],
            }
            if length in self.tagging:
                found["tagging"] = self.tagging[length].as_dict()
            described["all" if length is None else str(length)] = found
        return described


def trees_found(sentences: int, further_backoffs: int, fallbacks: int) -> str:
    """Return how many sentences got a tree, how many of them with further back-off, and how many got fragments,
    in words.
    """
    found = f"{sentences - fallbacks:,} of {sentences:,} sentences have a tree that spans them"
    if further_backoffs:
        found += f", {further_backoffs:,} of them by further back-off"
    return f"{found}; {fallbacks:,} {'has' if fallbacks == 1 else 'have'} only fragments" if fallbacks else found


def longest_of(lengths: Sequence[int | None]) -> int | None:
    """Return the longest sentence that any of the cut-offs takes in; ``None`` for any length."""
    known = [length for length in lengths if length is not None]
    return max(known) if len(known) == len(lengths) else None


def evaluate(
    parser: Parser, trees: Iterable[Tree], lengths: Sequence[int | None] = (40, 100), gold_tags: bool = True
) -> Evaluation:
    """Parse the words of gold trees and measure the result by PARSEVAL (section 4).

    Parameters
    ----------
    parser
        The parser to evaluate.
    trees
        Gold trees as they stand in a treebank.
    lengths
        Cut-offs: sentences of at most so many tokens; ``None`` for all.
    gold_tags
        Whether the parser is given the trees' tags, or the model's tagger tags the words.
    """
    evaluation = Evaluation.of(lengths)
    longest = longest_of(lengths)
    expect(parser, Parser, "what is evaluated is a Parser")
    expect(trees, Iterable, "gold trees are a list")
    for gold in trees:
        check_tree(gold)
        evaluation.add(evaluate_sentence(parser, gold, longest, gold_tags))
    return evaluation
