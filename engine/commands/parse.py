"""``parse-engine parse``: tagged sentences in, one line of trees out for each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from engine.answers import JSON, PTB, Answer, Answerer, AnswererMaker, Item, TaggedLines, tree_items
from engine.commands.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_model,
    add_settings,
    command,
    compile_first,
    model_path,
    settings_of,
    whole,
)
from engine.model import Model
from engine.parallel import batches, ordered
from engine.parser import MOST_PARSES, Parser
from engine.progress import Console

BATCH = 32
"""Sentences that a worker gets at a time."""
TAGGED, TREES = "tagged", "trees"

_DETAILS = """\
A sentence is a line of word/TAG: the last slash separates word and tag (1/2/CD is a number), \\/ is a slash
in a word.  Every sentence gives exactly one line of output, in order, with all its tokens:

  ptb   the bracketed tree; with --n-best K up to K trees, best first, separated by tabs
  json  an object with the tree, its log probability, baseNPs, dependencies and more;
        with --n-best K also the list of alternatives

An empty line gives an empty line (json: an object whose tree is null).  A malformed line gives an empty line
(json: an object with the key error), a message with file and line, and exit status 1 at the end.  A tag that
the model does not know is a warning; where no tree spans a sentence, pieces that cover it stand under FRAG.
With one job a line is answered before the next is read; with several they are read in batches."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "parse", run, "Parse tagged sentences, one line of output each", _DETAILS)
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="file to read; - (default): standard input"
    )
    add_model(parser)
    parser.add_argument(
        "--input",
        choices=(TAGGED, TREES),
        default=TAGGED,
        help="word/TAG lines, or trees whose words and tags to parse",
    )
    parser.add_argument("--format", choices=(PTB, JSON), default=PTB, help="what to print (default ptb)")
    parser.add_argument(
        "--n-best", type=whole(1, MOST_PARSES), default=1, metavar="K", help=f"how many parses, up to {MOST_PARSES}"
    )
    add_jobs(parser, "parse")
    add_settings(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Parse everything."""
    path, settings = model_path(arguments), settings_of(arguments)
    # Opened here even if workers do the parsing: a bad model or a missing file is found at once.
    model = Model.load(path)
    lines = TaggedLines(arguments.file) if arguments.input == TAGGED else None
    items: Iterable[Item] = lines if lines is not None else tree_items(arguments.file)
    if arguments.jobs > 1:
        compile_first(console)
        maker = AnswererMaker(path.resolve(), settings, arguments.n_best, arguments.format)
        del model
        answered = ordered(maker, batches(items, BATCH), arguments.jobs)
    else:
        answerer = Answerer(Parser(model, settings), arguments.n_best, arguments.format)
        answered = ([answerer.answer(item)] for item in items)
    report = _Report(console)
    done = 0
    # Where trees scroll by on the terminal itself there is no place for a progress line.
    with console.bar("parsing", shown=not sys.stdout.isatty()) as bar:
        for batch in answered:
            for answer in batch:
                report(answer)
            sys.stdout.write("".join(answer.line + "\n" for answer in batch))
            sys.stdout.flush()
            done += len(batch)
            bar.update(lines.share if lines is not None else None, f"{done:,} sentences")
    return BAD_INPUT if report.bad else SUCCESS


class _Report:
    """Says on standard error what is wrong with sentences; an unknown tag only the first time it is met."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.bad = 0
        self._warned: set[str] = set()

    def __call__(self, answer: Answer) -> None:
        if answer.problem:
            self.bad += 1
            self.console.error(f"{answer.place}: {answer.problem}")
        for word, tag in answer.unknown:
            if tag not in self._warned:
                self._warned.add(tag)
                self.console.warning(f"{answer.place}: the model does not know the tag {tag} (of `{word}`)")
