"""From sentences of input to lines of output, printed as they come: what ``parse-engine parse`` and ``tag`` do."""

from __future__ import annotations

import argparse
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engine.chart.parser import Parser
from engine.cli.options import BAD_INPUT, SUCCESS, compile_first
from engine.common.errors import EngineError, SentenceError
from engine.common.parallel import SENTENCES_AT_ONCE, Workers, in_this_process, ordered, sees_our_files
from engine.common.terminal import Console
from engine.export import FORMATS
from engine.export.parse_json import failure_object, json_line, json_object, places
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.tagged_sentence import TaggedSentence, shortened
from engine.tagger.tagger import TagDistribution
from engine.text.input import (
    CONLLU,
    TEXT,
    TOKENS,
    TREES,
    Content,
    Item,
    TextFile,
    Tokens,
    conllu_items,
    is_tree,
    line_items,
    text_items,
    tree_items,
)
from engine.text.tagged_text import Passage

# From sentences of input to lines of output: what ``parse-engine parse`` and ``tag`` do with one sentence.
#
# All of it happens in whichever process parses the sentence, so that the output cannot depend on the
# number of processes.

PTB_FORM, JSON_FORM, WORDS_FORM, TABLE_FORM, FULL_TABLE_FORM = "ptb", "json", "words", "table", "full table"
"""Forms of output: trees or JSON of ``parse``; ``word/TAG``, a table, one of all tags, or JSON of ``tag``."""
LIKELY_CHANCE = 0.01
"""A tag less probable than this is summed up with its like in a table."""
SHOWN_CHANCE = 0.00005
"""A tag less probable than this, which would be shown as 0.0000, is not shown."""


class SentenceOutput(NamedTuple):
    """What is printed for one sentence.

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
    """Return a sentence of input with its tags.

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
        if is_tree(content):
            raise SentenceError("this is a bracketed tree, not a sentence; use --input trees")
        return model.read_tagged(content)
    if isinstance(content, TaggedSentence):
        return content if gold else model.tag(content.words)
    if isinstance(content, Tokens):
        if gold:
            return _with_all_tags(content)
        return model.tag(content.words, content.tags or None)
    return model.tag([token.text for token in content.sentence.tokens])


def _with_all_tags(content: Tokens) -> TaggedSentence:
    """Return the sentence of tokens that bring all their tags; raise :class:`SentenceError` at
    the first that does not.
    """
    for number, (word, tag) in enumerate(zip(content.words, content.tags, strict=True), 1):
        if tag is None:
            raise SentenceError(f"word {number}: `{shortened(word)}` has no tag; give it one, or leave --tags gold out")
    return TaggedSentence(content.words, [tag or "" for tag in content.tags])


class SentenceProcessor(ABC):
    """Processes sentences one by one; whatever is wrong with one, its output is one line."""

    def __init__(self, model: Model, gold: bool, form: str) -> None:
        self.model = model
        self.gold = gold
        self.form = form

    def __call__(self, item: Item) -> SentenceOutput:
        """Process one sentence."""
        if item.content is None:
            return self._failed(item, item.problem)
        try:
            sentence = read_content(self.model, item.content, self.gold)
            output = self._process(item, sentence)
        except EngineError as error:
            return self._failed(item, f"{error}{_hint(item.content) if self.gold else ''}")
        return output._replace(problem=item.problem)

    @abstractmethod
    def _process(self, item: Item, sentence: TaggedSentence | TagDistribution) -> SentenceOutput:
        """Return the output for a sentence with its tags; the caller turns an error into one."""

    def _unknown(self, sentence: TaggedSentence | TagDistribution) -> tuple[tuple[str, str], ...]:
        """Words whose tags the model does not know, with these tags."""
        tagged = sentence.sentence if isinstance(sentence, TagDistribution) else sentence
        return tuple((tagged.words[at], tagged.tags[at]) for at in self.model.unknown_tags(sentence))

    def _failed(self, item: Item, problem: str) -> SentenceOutput:
        """In JSON an object that says what is wrong, in other forms an empty line."""
        line = json_line(self._failure(f"{item.place}: {problem}")).rstrip("\n") if self.form == JSON_FORM else ""
        return SentenceOutput(item.place, line, problem)

    def _failure(self, problem: str) -> dict[str, Any]:
        return {"error": problem}


class ParseProcessor(SentenceProcessor):
    """Parses sentences.

    Parameters
    ----------
    model, settings
        What to parse with, and how.
    n_best
        How many parses to print.
    form
        The name of one of :data:`engine.export.FORMATS`; brackets and JSON have one line a sentence here.
    gold
        Whether every sentence brings its tags; else the model's tagger gives those that are missing.
    """

    def __init__(
        self, model: Model, settings: Settings, n_best: int = 1, form: str = PTB_FORM, gold: bool = True
    ) -> None:
        super().__init__(model, gold, form)
        self.parser = Parser(model, settings)
        self.n_best = n_best

    def _failure(self, problem: str) -> dict[str, Any]:
        return failure_object(problem)

    def _process(self, item: Item, sentence: TaggedSentence | TagDistribution) -> SentenceOutput:
        tagged = sentence.sentence if isinstance(sentence, TagDistribution) else sentence
        if not len(tagged) and self.form != JSON_FORM:
            return SentenceOutput(item.place, "")
        try:
            parse = self.parser.parse(sentence, n_best=self.n_best)
        except MemoryError:
            problem = f"a sentence of {len(tagged.positions)} words is too long for this machine's memory"
            raise SentenceError(problem) from None
        if self.form == PTB_FORM:
            line = "\t".join(one.tree.brackets() for one in parse.alternatives)
        elif self.form == JSON_FORM:
            passage = item.content if isinstance(item.content, Passage) else None
            line = json_line(json_object(parse, passage))
        else:
            line = FORMATS[self.form].piece(parse)
        return SentenceOutput(item.place, line.removesuffix("\n"), "", self._unknown(sentence))


class TagProcessor(SentenceProcessor):
    """Tags sentences.

    Parameters
    ----------
    model
        The model whose tagger to use.
    form
        :data:`WORDS_FORM`, :data:`TABLE_FORM`, :data:`FULL_TABLE_FORM` or :data:`JSON_FORM`.
    """

    def __init__(self, model: Model, form: str = WORDS_FORM) -> None:
        super().__init__(model, False, form)

    def _process(self, item: Item, sentence: TaggedSentence | TagDistribution) -> SentenceOutput:
        if isinstance(sentence, TaggedSentence):
            # Every tag was given.
            sentence = self.model.tag(sentence.words, sentence.tags)
        return SentenceOutput(item.place, self._line(item, sentence), "", self._unknown(sentence))

    def _line(self, item: Item, sentence: TagDistribution) -> str:
        """What is printed for a tagged sentence."""
        if self.form == WORDS_FORM:
            return str(sentence.sentence)
        if self.form in (TABLE_FORM, FULL_TABLE_FORM):
            least = SHOWN_CHANCE if self.form == FULL_TABLE_FORM else LIKELY_CHANCE
            return "".join(row + "\n" for row in _table(sentence, least))
        tokens = zip(sentence.sentence.words, sentence.sentence.tags, sentence.choices, strict=True)
        described = {
            **(places(item.content) if isinstance(item.content, Passage) else {}),
            "tokens": [
                {"word": word, "tag": tag, "given": number in sentence.given, "probabilities": dict(_shown(choices))}
                for number, (word, tag, choices) in enumerate(tokens)
            ],
        }
        return json_line(described).rstrip("\n")


def _table(distribution: TagDistribution, least: float) -> list[str]:
    """Return a row for every token: the word, its tag in the best sequence, its tags with their probabilities,
    the rest.
    """
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
    """Return the tags that are worth showing; the others, of which there are forty for every word,
    are nearly impossible.
    """
    return (choice for choice in choices if choice[1] >= SHOWN_CHANCE)


def _hint(content: Content) -> str:
    return " (for bracketed trees say --input trees)" if isinstance(content, str) and is_tree(content) else ""


# Output printed as it comes, for ``parse-engine parse`` and ``parse-engine tag``.

Process = Callable[[Item], SentenceOutput]


def add_file(parser: argparse.ArgumentParser, kinds: Sequence[str], default: str, help_: str) -> None:
    """The file to read, and what it holds."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="file to read; - (default): standard input"
    )
    parser.add_argument("--input", choices=kinds, default=default, help=help_)


class Source:
    """The sentences that a command line asks to be read.

    Parameters
    ----------
    arguments
        With `file` and `input`.
    model
        Whose conventions of tokens to follow.
    """

    def __init__(self, arguments: argparse.Namespace, model: Model) -> None:
        self._file: TextFile | None = None
        self.items: Iterable[Item]
        if arguments.input == TREES:
            self.items = tree_items(arguments.file)
        elif arguments.input == TEXT:
            self._file = TextFile(arguments.file, keep_line_ends=True)
            self.items = text_items(self._file, model.splits_hyphens)
        elif arguments.input == CONLLU:
            self._file = TextFile(arguments.file)
            self.items = conllu_items(self._file)
        else:
            self._file = TextFile(arguments.file)
            self.items = line_items(self._file, settled=arguments.input == TOKENS)

    @property
    def share(self) -> float | None:
        """Share of the input that was read, if that can be told."""
        return self._file.share if self._file is not None else None


def print_outputs(
    console: Console,
    title: str,
    source: Source,
    make: Callable[[], Process],
    here: Process,
    jobs: int | Workers,
    frame: Callable[[Iterable[str]], str] | None = None,
) -> int:
    """Process all sentences in order, print each one's line or lines, and say what is wrong with which.

    Parameters
    ----------
    console, title
        Where to show progress, and what to call it.
    source
        The sentences.
    make, here
        Makes what processes them in another process; processes them in this one.
    jobs
        Number of processes, or a cluster.
    frame
        Makes one whole of all output at the end; without it each line is printed as it comes.
    """
    kept: list[str] = []
    if not in_this_process(jobs) and sees_our_files(jobs):
        compile_first(console)
    outputs = ordered((lambda: here) if in_this_process(jobs) else make, source.items, jobs, SENTENCES_AT_ONCE)
    report = _Report(console)
    # Where lines scroll by on the terminal itself there is no place for a progress line.
    with console.bar(title, shown=not sys.stdout.isatty()) as bar:
        for done, output in enumerate(outputs, 1):
            report(output)
            if frame is None:
                sys.stdout.write(output.line + "\n")
                sys.stdout.flush()
            elif output.line:
                kept.append(output.line + "\n")
            bar.update(source.share, f"{done:,} sentences")
    if frame is not None:
        sys.stdout.write(frame(kept))
    return BAD_INPUT if report.bad else SUCCESS


class _Report:
    """Says on standard error what is wrong with sentences; an unknown tag only the first time it is met."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.bad = 0
        self._warned: set[str] = set()

    def __call__(self, output: SentenceOutput) -> None:
        if output.problem:
            self.bad += 1
            self.console.error(f"{output.place}: {output.problem}")
        for word, tag in output.unknown:
            if tag not in self._warned:
                self._warned.add(tag)
                self.console.warning(f"{output.place}: the model does not know the tag {tag} (of `{word}`)")
