"""What placeholders stand for where a sentence has a gold tree: PARSEVAL, the verdict, and what gold says of a word."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.evaluation.parseval import SentenceScore, Summary, score_pair
from engine.trees.tree import Tree
from explorer.classroom.lesson import LessonError
from explorer.classroom.references import References
from explorer.document.sentence_parsing import ParseResult
from explorer.graphics.number_text import curly_quotes, log_text, signed
from explorer.graphics.pictures.parse_facts import facts_of
from explorer.treebank.gold_parse import gold_parse

if TYPE_CHECKING:
    # What judges is loaded when somebody judges.
    from engine.analysis.comparison import Verdict

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
        self.references = References(parse.sentence.proper_words)

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
            from engine.analysis.comparison import verdict

            parser = Parser(free.model, free.settings)
            sentence = self.result.reading.sentence
            found = verdict(parser, gold, free, sentence=sentence, repair=False)
            _VERDICTS[free] = found, gold_parse(parser, gold, free.distribution, free.further_backoff)
        return _VERDICTS[free]

    @property
    def verdict(self) -> str:
        """Why the parser's own parse is not the gold tree."""
        return curly_quotes(self.judged[0].sentence)

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

    def head(self, word: str) -> str:
        """The head of a word in the gold tree."""
        gold = self._gold_parse
        return head_word(gold, reduced_word(gold, self.references, word))

    def relation(self, word: str) -> str:
        """The relation of a word with its head in the gold tree."""
        gold = self._gold_parse
        modifier = reduced_word(gold, self.references, word)
        return str(next(each for own, _, each in gold.arrows if own == modifier))

    def gap(self, word: str) -> str:
        """The tag that the gold tree gives to the gap before a word."""
        return self._gold_parse.gap_tags[self.references.inner(word) - 1]

    @property
    def _gold_parse(self) -> Parse:
        gold = self.judged[1]
        if gold.sentence.positions != self.parse.sentence.positions:
            raise LessonError("the gold tree tags another token as punctuation than the parse; parse with its tags")
        return gold


def head_word(parse: Parse, modifier: int) -> str:
    """The head of a word in a parse."""
    head = parse.heads()[modifier]
    return parse.sentence.proper_words[head] if head >= 0 else "the root"


def reduced_word(parse: Parse, references: References, word: str) -> int:
    """The position of a word of the reduced sentence; raise :class:`LessonError` if it is inside a baseNP."""
    position = references.word(word)
    if position not in parse.reduced:
        base = facts_of(parse).base_of.get(position)
        head = f"; write `{references.word_name(base.head)}`, its head" if base is not None else ""
        raise LessonError(f"`{word}` lies inside a baseNP, where no arrow touches it{head}")
    return position
