"""From sentences of input to lines of output: what ``parse-engine parse`` and ``tag`` do with one sentence.

All of it happens in whichever process parses the sentence, so that the output cannot depend on the
number of processes.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine.chart.parse import Parse
from engine.chart.parser import Parser
from engine.common.errors import EngineError, SentenceError, TreeError
from engine.compiled.kernel import use_compiled
from engine.export import FORMATS
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.tagged_sentence import TaggedSentence, check_length
from engine.tagger.tag_distribution import TagDistribution
from engine.text.input_items import Content, Item, Tokens
from engine.text.tagged_text import Passage, thinned
from engine.trees.tree import read_tree

PTB, JSON, WORDS, TABLE, FULL_TABLE = "ptb", "json", "words", "table", "full table"
"""Forms of output: trees or JSON of ``parse``; ``word/TAG``, a table, one of all tags, or JSON of ``tag``."""
LIKELY_CHANCE = 0.01
"""A tag less probable than this is summed up with its like in a table."""
SHOWN_CHANCE = 0.00005
"""A tag less probable than this, which would be shown as 0.0000, is not shown."""


class Answer(NamedTuple):
    """One line of output.

    Attributes
    ----------
    place
        Where the sentence stands.
    line
        What to print.
    problem
        Why there is no parse, or what else is wrong with the sentence; empty if all is well.
    unknown
        Words whose tags the model does not know, with these tags.
    """

    place: str
    line: str
    problem: str = ""
    unknown: tuple[tuple[str, str], ...] = ()


def read_content(model: Model, content: Content, gold: bool) -> TaggedSentence | TagDistribution:
    """A sentence of input with its tags.

    Parameters
    ----------
    model
        Its tagger fills in the tags.
    content
        The sentence.
    gold
        Whether every token has its tag; else a line may lack some, and the tags of trees are dropped.
    """
    if isinstance(content, str):
        if gold:
            return TaggedSentence.parse(content)
        _refuse_trees(content)
        return model.read_tagged(content)
    if isinstance(content, TaggedSentence):
        return content if gold else model.tag(content.words)
    words = content.words if isinstance(content, Tokens) else [token.text for token in content.sentence.tokens]
    return model.tag(words)


def unknown_tags(model: Model, sentence: TaggedSentence | TagDistribution) -> tuple[tuple[str, str], ...]:
    """The words whose tag somebody gave and the model does not know, with that tag."""
    known = model.tag_numbers
    tagged, given = (
        (sentence.sentence, sentence.given)
        if isinstance(sentence, TagDistribution)
        else (sentence, range(len(sentence)))
    )
    return tuple(
        (tagged.words[at], tagged.tags[at]) for at in tagged.positions if tagged.tags[at] not in known and at in given
    )


def _refuse_trees(line: str) -> None:
    """Say of a bracketed tree that it is no sentence."""
    if line.lstrip().startswith("(") and line.rstrip().endswith(")"):
        try:
            tree = read_tree(line)
        except TreeError:
            return
        if tree.is_word:
            # Two words in brackets.
            return
        raise SentenceError("this is a bracketed tree and no sentence; say --input trees")


class _Answerer(ABC):
    """Answers sentences one by one; whatever is wrong with one, its answer is one line."""

    def __init__(self, model: Model, gold: bool, form: str) -> None:
        self.model = model
        self.gold = gold
        self.form = form

    def answer_all(self, items: Sequence[Item]) -> list[Answer]:
        """Answer a batch of sentences."""
        return [self.answer(item) for item in items]

    def answer(self, item: Item) -> Answer:
        """Answer one sentence."""
        if item.content is None:
            return self._failed(item, item.problem)
        try:
            sentence = read_content(self.model, item.content, self.gold)
            answer = self._answer(item, sentence)
        except EngineError as error:
            return self._failed(item, f"{error}{_hint(item.content) if self.gold else ''}")
        return answer._replace(problem=item.problem)

    @abstractmethod
    def _answer(self, item: Item, sentence: TaggedSentence | TagDistribution) -> Answer:
        """The answer to a sentence with its tags; an error is made one by the caller."""

    def _failed(self, item: Item, problem: str) -> Answer:
        return Answer(item.place, self._shown({"error": f"{item.place}: {problem}"}), problem)

    def _shown(self, described: dict[str, Any]) -> str:
        """A JSON object; in other forms, what has no answer is an empty line."""
        return json.dumps(_finite(described), ensure_ascii=False, allow_nan=False) if self.form == JSON else ""


class Answerer(_Answerer):
    """Parses sentences.

    Parameters
    ----------
    parser
        The parser.
    n_best
        How many parses to print.
    form
        The name of one of :data:`engine.export.FORMATS`; brackets and JSON have one line a sentence here.
    gold
        Whether every sentence brings its tags; else the model's tagger gives those that are missing.
    """

    def __init__(self, parser: Parser, n_best: int = 1, form: str = PTB, gold: bool = True) -> None:
        super().__init__(parser.model, gold, form)
        self.parser = parser
        self.n_best = n_best

    def _answer(self, item: Item, sentence: TaggedSentence | TagDistribution) -> Answer:
        tagged = sentence.sentence if isinstance(sentence, TagDistribution) else sentence
        if not len(tagged):
            return Answer(item.place, self._shown({"tree": None, "words": [], "tags": []}))
        check_length(tagged)
        unknown = unknown_tags(self.model, sentence)
        if isinstance(sentence, TagDistribution) and self.parser.settings.tag_distribution:
            sentence = thinned(sentence, self.parser.settings.tag_factor)
        try:
            parse = self.parser.parse(sentence, n_best=self.n_best)
        except MemoryError:
            problem = f"a sentence of {len(tagged.positions)} words is too long for this machine's memory"
            raise SentenceError(problem) from None
        if self.form == PTB:
            return Answer(item.place, "\t".join(one.tree.brackets() for one in parse.alternatives), "", unknown)
        if self.form != JSON:
            return Answer(item.place, FORMATS[self.form].piece(parse).removesuffix("\n"), "", unknown)
        described = {**_places(item.content), **self._described(parse, unknown)}
        return Answer(item.place, self._shown(described), "", unknown)

    def _described(self, parse: Parse, unknown: Sequence[tuple[str, str]]) -> dict[str, Any]:
        described = parse.as_dict()
        if unknown:
            described["unknown_tags"] = sorted({tag for _, tag in unknown})
        if self.n_best > 1:
            described["alternatives"] = [
                {"tree": one.tree.brackets(), "log_probability": one.log_probability} for one in parse.alternatives
            ]
        return described


class TagAnswerer(_Answerer):
    """Tags sentences.

    Parameters
    ----------
    model
        The model whose tagger to use.
    form
        :data:`WORDS`, :data:`TABLE`, :data:`FULL_TABLE` or :data:`JSON`.
    """

    def __init__(self, model: Model, form: str = WORDS) -> None:
        super().__init__(model, False, form)

    def _answer(self, item: Item, sentence: TaggedSentence | TagDistribution) -> Answer:
        if isinstance(sentence, TaggedSentence):
            # Every tag was given.
            sentence = self.model.tag(sentence.words, sentence.tags)
        if self.form == WORDS:
            return Answer(item.place, str(sentence.sentence))
        if self.form in (TABLE, FULL_TABLE):
            least = SHOWN_CHANCE if self.form == FULL_TABLE else LIKELY_CHANCE
            return Answer(item.place, "".join(row + "\n" for row in _table(sentence, least)))
        tokens = zip(sentence.sentence.words, sentence.sentence.tags, sentence.choices, strict=True)
        described = {
            **_places(item.content),
            "tokens": [
                {"word": word, "tag": tag, "given": number in sentence.given, "probabilities": dict(_shown(choices))}
                for number, (word, tag, choices) in enumerate(tokens)
            ],
        }
        return Answer(item.place, self._shown(described))


def _table(distribution: TagDistribution, least: float) -> list[str]:
    """A row for every token: the word, its tag in the best sequence, its tags with their probabilities, the rest."""
    tagged = distribution.sentence
    rows = []
    for word, tag, choices in zip(tagged.words, tagged.tags, distribution.choices, strict=True):
        there = list(_shown(choices))
        likely = [(one, chance) for one, chance in there if chance >= least]
        cells = [word, tag, *(f"{one} {chance:.4f}" for one, chance in likely)]
        if others := there[len(likely) :]:
            cells.append(f"+{len(others)} {math.fsum(chance for _, chance in others):.4f}")
        rows.append("\t".join(cells))
    return rows


def _shown(choices: Iterable[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    """The tags that are worth showing; the others, of which there are forty for every word, are nearly impossible."""
    return (choice for choice in choices if choice[1] >= SHOWN_CHANCE)


@dataclass(frozen=True, slots=True)
class AnswererMaker:
    """Everything a process needs to parse sentences: where the model is, and how to parse and print."""

    model: Path
    settings: Settings
    n_best: int = 1
    form: str = PTB
    gold: bool = True

    def __call__(self) -> Callable[[Sequence[Item]], list[Answer]]:
        """Load the model; called once in every worker, after the kernels were compiled."""
        use_compiled()
        parser = Parser(Model.load(self.model), self.settings)
        return Answerer(parser, self.n_best, self.form, self.gold).answer_all


@dataclass(frozen=True, slots=True)
class TagAnswererMaker:
    """Everything a process needs to tag sentences."""

    model: Path
    form: str = WORDS

    def __call__(self) -> Callable[[Sequence[Item]], list[Answer]]:
        """Load the model; called once in every worker, after the kernels were compiled."""
        use_compiled()
        return TagAnswerer(Model.load(self.model), self.form).answer_all


def _places(content: Content | None) -> dict[str, Any]:
    """Where a sentence of plain text and its tokens stand in the text, in characters."""
    if not isinstance(content, Passage):
        return {}
    sentence = content.sentence
    return {
        "text": content.text,
        "start": sentence.start,
        "end": sentence.end,
        "offsets": [[token.start, token.end] for token in sentence.tokens],
    }


def _hint(content: Content) -> str:
    is_tree = isinstance(content, str) and content.lstrip().startswith("(")
    return " (for bracketed trees say --input trees)" if is_tree else ""


def _finite(value: Any) -> Any:
    """JSON has no infinity: ``null`` stands for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return value
