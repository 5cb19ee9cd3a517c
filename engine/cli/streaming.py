"""Output printed as it comes, for ``parse-engine parse`` and ``parse-engine tag``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence

from engine.cli.options import BAD_INPUT, SUCCESS, compile_first
from engine.cli.sentence_processor import SentenceOutput
from engine.common.parallel import SENTENCES_AT_ONCE, Workers, in_this_process, ordered, sees_our_files
from engine.common.progress import Console
from engine.model.model import Model
from engine.text.input_items import (
    CONLLU,
    TEXT,
    TOKENS,
    TREES,
    Item,
    TextFile,
    conllu_items,
    line_items,
    text_items,
    tree_items,
)

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
