"""``parse-engine convert``: trees and sentences from one format into another, without a model."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from engine.cli.options import BAD_INPUT, SUCCESS, Commands, command
from engine.common.errors import EngineError
from engine.common.files import check_outputs, replaced
from engine.common.numbers import size
from engine.common.terminal import Bar, Console
from engine.export.conversion import EVALB_TABLE, SOURCES, TARGETS, Options, read_items, source_kind
from engine.export.parse_json import json_line
from engine.study.parseval import read_evalb_table
from engine.text.input import TextFile
from engine.trees.head_rules import load_head_rules
from engine.trees.treebank import treebank_files

AUTO = "auto"
_LOST = {"function_tags": "function tag", "traces": "trace"}
"""What can be left behind: labels with function tags or indices, and traces."""

_DETAILS = """\
What is read (--from; by default what the file begins like):

  trees        Penn brackets, also a folder of such files
  conllu       CoNLL-U; its trees, if it has any, are those of the comment `# tree = ...`
  json         one object a line with a tree under the key `tree`, as `parse-engine parse` writes JSON
  evalb-table  what evalb prints, which goes to JSON alone

What is written (--to):

  brackets  a tree a line; function tags, indices, traces and X -> X are left out unless they are to be kept
  pretty    the same, indented
  conllu    ten columns, with the heads that the head rules find in the tree; CoNLL-U is written as it was read
  evalb     a tree a line under TOP, as evalb wants it, and (()) for a tree without words
  json      one object a line: tree, words, tags, heads and relations
  nltk      a line of Python for each tree: Tree('S', [...])
  tagged    word/TAG word/TAG ..., a sentence a line

The manual's page `interchange` says what each of them loses."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "convert", run, "Convert trees and sentences from one format into another", _DETAILS)
    parser.add_argument(
        "sources", nargs="+", metavar="FROM", help="a file, also gzipped, a folder of trees, or - for standard input"
    )
    parser.add_argument("--to", choices=tuple(TARGETS), required=True, help="what to write")
    parser.add_argument("--from", dest="kind", choices=(AUTO, *SOURCES), default=AUTO, help="what is read")
    parser.add_argument(
        "--keep-functions", action="store_true", help="keep function tags and indices in labels: NP-SBJ-1"
    )
    parser.add_argument("--keep-traces", action="store_true", help="keep traces: (-NONE- *T*-1)")
    parser.add_argument(
        "--head-rules", metavar="FILE", help="a table of head rules to use in place of the built-in one"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument("--json", action="store_true", help="with --output: tell what was done as one JSON object")
    parser.add_argument(
        "--skip-bad",
        action="store_true",
        help="leave broken sentences out and count them (exit status 1) instead of stopping at the first",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert everything, and tell what was left behind."""
    if arguments.json and not arguments.output:
        raise EngineError("--json tells of a file that was written; name it with --output FILE")
    check_outputs([arguments.output], arguments.sources)
    options = Options(arguments.keep_functions, arguments.keep_traces, load_head_rules(arguments.head_rules))
    conversion = _Conversion(arguments, options)
    with _output(arguments.output) as output, console.bar("converting") as bar:
        files = [str(file) for file in treebank_files(arguments.sources)]
        for number, file in enumerate(files):
            for piece in conversion.pieces(file, bar, number, len(files)):
                output.write(piece)
    if arguments.output:
        told = conversion.as_dict() if arguments.json else None
        print(json.dumps(told, ensure_ascii=False) if told is not None else "\n".join(conversion.told()))
    elif conversion.bad:
        console.error(conversion.told_of_bad)
    return BAD_INPUT if conversion.bad else SUCCESS


class _Conversion:
    """What was done so far."""

    def __init__(self, arguments: argparse.Namespace, options: Options) -> None:
        self._arguments = arguments
        self._options = options
        self._sentences = 0
        self.bad = 0
        self._first_bad: EngineError | None = None

    def pieces(self, source: str, bar: Bar, number: int, count: int) -> Iterator[str]:
        """Yield what the sentences of one file become."""
        file = TextFile(source)
        found, lines = source_kind(file)
        kind = found if self._arguments.kind == AUTO else self._arguments.kind
        if kind == EVALB_TABLE:
            if self._arguments.to != "json":
                raise EngineError(f"{file.name}: a table of evalb has no trees; write it with --to json")
            yield json_line(read_evalb_table(lines, file.name).as_dict())
            self._sentences += 1
            return
        write = TARGETS[self._arguments.to]
        for item in read_items(kind, lines, file.name):
            try:
                if isinstance(item, EngineError):
                    raise item
                yield write(item, self._options)
                self._sentences += 1
            except EngineError as error:
                if not self._arguments.skip_bad:
                    raise
                self.bad += 1
                # Only the first: there may be more than memory holds.
                self._first_bad = self._first_bad or error
            share = file.share
            bar.update((number + (share or 0.0)) / count, size(self._sentences, "sentence"))

    def as_dict(self) -> dict[str, object]:
        """Return what was done, ready to be written as JSON."""
        return {
            "output": self._arguments.output,
            "sentences": self._sentences,
            "lost": {name: self._options.lost[name] for name in _LOST},
            "skipped": self.bad,
            "first_skipped": str(self._first_bad) if self._first_bad else None,
        }

    @property
    def told_of_bad(self) -> str:
        """How many sentences were left out, and why the first was."""
        return f"{size(self.bad, 'broken sentence')} skipped, first: {self._first_bad}"

    def told(self) -> list[str]:
        """Return for people what was written, skipped and lost."""
        lines = [f"{size(self._sentences, 'sentence')} written to {self._arguments.output}"]
        lost = [size(count, title) for name, title in _LOST.items() if (count := self._options.lost[name])]
        if lost:
            lines.append(f"left behind: {', '.join(lost)}")
        if self.bad:
            lines.append(self.told_of_bad)
        return lines


@contextmanager
def _output(path: str | None) -> Iterator[TextIO]:
    """Standard output, or a file that is written beside and renamed at the end."""
    if path is None:
        yield sys.stdout
        return
    with replaced(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        yield file
