"""``parse-engine search``: find trees, or parses, by their structure."""

from __future__ import annotations

import argparse
import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any

from engine.cli.options import (
    BAD_INPUT,
    SUCCESS,
    Commands,
    add_jobs,
    add_model,
    add_settings,
    add_tags,
    add_treebanks,
    command,
    compile_first,
    model_path,
    need_tagger,
    note_counts,
    open_model,
    provenance_of,
    settings_of,
    tags_of,
    whole,
)
from engine.common.errors import EngineError
from engine.common.numbers import size
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.common.tables import Cell, csv_line
from engine.common.terminal import Bar, Console
from engine.model.model import WorkerFactory
from engine.patterns.forest import Forest
from engine.patterns.pattern import Pattern, lacking
from engine.patterns.search import (
    BY_LABEL,
    BY_WORDS,
    Found,
    MatchCounts,
    PlacedTree,
    SearchedPart,
    check_names,
    found_in,
    placed_trees,
    search_treebank,
)
from engine.study.evaluation import sentence_evaluator
from engine.study.provenance import GOLD
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from engine.trees.treebank import BadTrees

IN_GOLD, IN_PARSES, MISSING, EXTRA = "gold", "parses", "missing", "extra"
_TREES_AT_ONCE = 256

_DETAILS = """\
PATTERN is written as for Tregex and TGrep2: `VP < PP`, `NP << /^tele/`, `PP > (VP < /^VB/=verb)`.  The page `search`
of the manual has all operators and twenty examples.  Every match is printed with file and line, the sentence, and the
matched constituent in brackets; after it the nodes with names.  --in says where to look: in the gold trees of the
treebank as they stand; in the model's parses of their sentences; for what is in the gold tree and missing from the
parse; or for what the parse has extra.  A match is missing if no match in the other tree has the same labels over the
same words, for the matched node and for those with names."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "search", run, "Find trees, or parses, by their structure", _DETAILS)
    parser.add_argument("pattern", metavar="PATTERN", help="what to look for, in quotes")
    add_treebanks(parser)
    parser.add_argument(
        "--in",
        dest="where",
        choices=(IN_GOLD, IN_PARSES, MISSING, EXTRA),
        default=IN_GOLD,
        help="look in the treebank's trees (default), in the model's parses, or for what only one of the two has",
    )
    parser.add_argument(
        "--clean",
        action="store_true",
        help="leave out traces, function tags and the root of gold trees; always so with missing and extra",
    )
    parser.add_argument(
        "--head-rules", metavar="FILE", help="a table of head rules for <# in place of the built-in one"
    )
    parser.add_argument("--count", action="store_true", help="print how many matches there are, and not the matches")
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="NAME",
        help="count matches by the label of the node with this name; given twice, by both",
    )
    parser.add_argument("--words", action="store_true", help="with --by, count by words in lower case, not by labels")
    parser.add_argument("--trees", action="store_true", help="print the tree under each match")
    parser.add_argument("--max", type=whole(1), metavar="N", help="stop after N matches")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as one JSON object")
    form.add_argument("--csv", action="store_true", help="print comma-separated values")
    add_jobs(parser, "search, or parse,", on_cluster=False)
    add_model(parser)
    add_tags(parser, GOLD)
    add_settings(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Search and tell."""
    pattern = Pattern(arguments.pattern)
    check_names(pattern, arguments.by)
    if arguments.words and not arguments.by:
        raise EngineError("--words says by what to count; name a node in the pattern, and give --by with its name")
    rules = load_head_rules(arguments.head_rules) if arguments.head_rules else None
    search = _Search(arguments, pattern, rules, console)
    lists = not arguments.count and not arguments.by
    report = _Report(arguments, pattern)
    with console.bar("searching", shown=not lists or arguments.json) as bar:
        for found in islice(search.found(bar), arguments.max):
            report.add(found)
            if lists and not arguments.json:
                report.show(found)
    if not search.trees and not search.left_out:
        raise EngineError("there are no trees to search; name a treebank that has some")
    report.finish(search)
    if not arguments.json:
        report.remark(search, console)
    return BAD_INPUT if search.bad else SUCCESS


class _Search:
    """Where is searched, and how much of it was."""

    def __init__(
        self, arguments: argparse.Namespace, pattern: Pattern, rules: HeadRules | None, console: Console
    ) -> None:
        self._arguments = arguments
        self._pattern = pattern
        self._rules = rules
        self._console = console
        self.bad = BadTrees()
        self.trees = 0
        self.left_out = 0
        self.provenance: dict[str, Any] = {}

    def found(self, bar: Bar) -> Iterator[Found]:
        """Yield the matches; a search that is stopped early ends its processes."""
        in_gold = self._arguments.where == IN_GOLD
        parts = self._gold_parts() if in_gold else self._parsed_parts()
        with closing(parts):
            for part in parts:
                self.trees += part.trees
                for error in part.errors:
                    self.bad(error)
                bar.update(part.share, size(self.trees, "tree"))
                yield from part.found

    def _gold_parts(self) -> Generator[SearchedPart, None, None]:
        arguments = self._arguments
        return search_treebank(
            self._pattern,
            arguments.treebanks,
            self._rules,
            jobs=arguments.jobs,
            skip_bad=arguments.skip_bad,
            cleaned=arguments.clean,
            with_trees=arguments.trees,
        )

    def _parsed_parts(self) -> Generator[SearchedPart, None, None]:
        arguments = self._arguments
        path = model_path(arguments)
        tags, settings = tags_of(arguments, settings_of(arguments), gold=True)
        model = open_model(path)
        note_counts(self._console, model, settings)
        if tags != GOLD:
            need_tagger(model, f"--tags {tags}")
        self.provenance = provenance_of(arguments, model, settings, tags).as_dict()
        rules = self._rules or model.lexicaliser.rules
        digest = model.digest
        del model
        golds = list(placed_trees(arguments.treebanks, self.bad if arguments.skip_bad else None))
        compile_first(self._console)
        make = partial(sentence_evaluator, settings=settings, gold_tags=tags == GOLD)
        factory = WorkerFactory(path.resolve(), make, digest)
        texts = (gold.tree.brackets() for gold in golds)
        with closing(ordered(factory, texts, arguments.jobs, SENTENCES_AT_ONCE)) as parses:
            done = 0
            while batch := golds[done : done + _TREES_AT_ONCE]:
                pairs = []
                for gold, parsed in zip(batch, islice(parses, len(batch)), strict=True):
                    if parsed.tree:
                        pairs.append((gold, parsed.tree))
                self.left_out += len(batch) - len(pairs)
                done += len(batch)
                yield self._part(pairs, rules, done / len(golds))

    def _part(self, pairs: Sequence[tuple[PlacedTree, str]], rules: HeadRules, share: float) -> SearchedPart:
        """Return the matches in the parses of some trees, or in one of both alone."""
        parses = Forest.of(read_tree(text) for _, text in pairs)
        where = self._arguments.where
        if where == IN_PARSES:
            matches = self._pattern.search(parses, rules)
        else:
            cleaned = (clean(gold.tree) for gold, _ in pairs)
            golds = Forest.of(tree for tree in cleaned if tree is not None)
            one, other = (golds, parses) if where == MISSING else (parses, golds)
            matches = lacking(self._pattern, one, other, rules)
        places = [(gold.source, gold.line) for gold, _ in pairs]
        found = tuple(found_in(matches, places, self._arguments.trees))
        return SearchedPart(found, len(pairs), (), share)


def _print_row(row: Sequence[Cell]) -> None:
    print(csv_line(row), end="")


class _Report:
    """What is printed of the matches."""

    def __init__(self, arguments: argparse.Namespace, pattern: Pattern) -> None:
        self._arguments = arguments
        self._pattern = pattern
        self._found: list[Found] = []
        self._trees: set[tuple[str, int]] = set()
        self._matches = 0
        self._counts = MatchCounts(arguments.by, BY_WORDS if arguments.words else BY_LABEL)
        self._begun = False

    def add(self, found: Found) -> None:
        """Count a match, and keep it if it is printed in the end."""
        self._matches += 1
        self._trees.add((found.source, found.line))
        if self._arguments.by:
            self._counts.add(found)
        elif self._arguments.json and not self._arguments.count:
            self._found.append(found)

    def show(self, found: Found) -> None:
        """Print a match."""
        if self._arguments.csv:
            self._show_row(found)
            return
        named = "; ".join(
            f"{name}: {' '.join((node.label, *(() if node.is_word else node.words)))}"
            for name, node in found.named.items()
        )
        print(f"{found.place}: {found.marked()}{'  ' if named else ''}{named}")
        if found.tree:
            print(read_tree(found.tree).pretty())

    def _show_row(self, found: Found) -> None:
        self._begin_rows()
        cells: list[Cell] = []
        for name in self._pattern.names:
            node = found.named.get(name)
            cells += [node.label, " ".join(node.words)] if node else ["", ""]
        node = found.node
        _print_row([found.source, found.line, node.label, *node.span, " ".join(node.words), *cells])

    def _begin_rows(self) -> None:
        if not self._begun:
            header = [column for name in self._pattern.names for column in (f"{name} label", f"{name} words")]
            _print_row(["file", "line", "label", "start", "end", "words", *header])
            self._begun = True

    def finish(self, search: _Search) -> None:
        """Print what can be told only in the end."""
        if self._arguments.json:
            print(json.dumps(self._as_dict(search), ensure_ascii=False))
        elif self._arguments.by:
            self._print_counts()
        elif self._arguments.count:
            header, row = ("matches", "trees with a match", "trees"), (self._matches, len(self._trees), search.trees)
            if self._arguments.csv:
                _print_row(header)
                _print_row(row)
            else:
                print(self._summary(search))
        elif self._arguments.csv:
            # A table without a row has its header, too.
            self._begin_rows()

    def _print_counts(self) -> None:
        table = self._counts.table()
        print(table.csv() if self._arguments.csv else table.text())

    def _as_dict(self, search: _Search) -> dict[str, Any]:
        described: dict[str, Any] = {
            "pattern": self._pattern.text,
            "in": self._arguments.where,
            **search.provenance,
            "matches": self._matches,
            "trees_with_match": len(self._trees),
            "trees": search.trees,
            "skipped_trees": len(search.bad),
            "left_out": search.left_out,
        }
        if self._arguments.by:
            described["counts"] = [
                {
                    "values": dict(zip(self._counts.names, row.values, strict=True)),
                    "matches": row.matches,
                    "trees": row.trees,
                    "share": row.share,
                }
                for row in self._counts.rows()
            ]
        elif not self._arguments.count:
            described["found"] = [found.as_dict() for found in self._found]
        return described

    def _summary(self, search: _Search) -> str:
        return f"{size(self._matches, 'match', 'matches')} in {len(self._trees):,} of {size(search.trees, 'tree')}"

    def remark(self, search: _Search, console: Console) -> None:
        """Say how much was found and what was left out, beside the output."""
        if not self._arguments.count and not self._arguments.csv:
            stopped = "; stopped there" if self._matches == self._arguments.max else ""
            console.note(self._summary(search) + stopped)
        if search.left_out:
            console.note(f"{size(search.left_out, 'tree')} left out: too long to be parsed, or without words")
        if search.bad:
            console.note(f"{size(len(search.bad), 'broken tree')} skipped, first: {search.bad.first}")
