"""``parse-engine evaluate``: parse a treebank's sentences and compare with its trees."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple, TextIO

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
    workers_of,
)
from engine.common.errors import EngineError
from engine.common.files import check_outputs, replaced
from engine.common.numbers import size
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.common.terminal import Console
from engine.export.conversion import evalb_line
from engine.gate.text_stream import read_text
from engine.model.model import WorkerFactory
from engine.study.evaluation import Evaluation, SentenceEvaluation, longest_of, sentence_evaluator, trees_found
from engine.study.parseval import (
    COLLINS,
    SentenceScore,
    compared,
    read_evalb_table,
    read_parameters,
    score_pair,
    summary_table,
    table_of,
)
from engine.study.provenance import GOLD
from engine.trees.reading import read_tree
from engine.trees.tree import clean
from engine.trees.treebank import BadTrees, read_treebank

DEFAULT_LENGTHS = (40, 100)
EVALB_SUFFIXES = (".gld", ".tst", ".evl")

_DETAILS = """\
Every sentence is parsed from its gold words and, with --tags gold, from its gold tags.  LR, LP, F1, CBs, 0 CBs,
<=2 CBs and complete match are those of evalb with Collins's parameters; gold tags say what is punctuation and does not
count.  `Tags` is the share of right tags in the parses, punctuation left out; with automatic tags the tagger's own
share over all tokens stands below the table.  `Attached` is the share of the gold dependencies on the reduced
sentence that the parse has, whatever their label.  Sentences longer than every --max-length are left out."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "evaluate", run, "Parse a treebank's sentences and compare with its trees", _DETAILS)
    add_treebanks(parser)
    add_model(parser)
    add_tags(parser, GOLD)
    parser.add_argument(
        "--max-length",
        type=_length,
        nargs="+",
        default=list(DEFAULT_LENGTHS),
        metavar="N",
        help="longest sentence in tokens, or `all`; a row of measures for each (default 40 100)",
    )
    parser.add_argument("--json", action="store_true", help="print the measures as one JSON object")
    parser.add_argument("--output", metavar="PARSES", help="write every parse to this file, one per line")
    parser.add_argument(
        "--evalb",
        metavar="NAME",
        help="write NAME.gld and NAME.tst, the gold trees and the parses as evalb reads them, and NAME.evl, the table "
        "that evalb prints of them",
    )
    parser.add_argument("--prm", metavar="FILE", help="count by this parameter file of evalb (default: COLLINS.prm)")
    parser.add_argument(
        "--against",
        metavar="TABLE",
        help="a table that evalb printed of another parser's trees for the same sentences: tell who is better where",
    )
    add_jobs(parser, "parse")
    add_settings(parser)


def _length(text: str) -> int | None:
    if text == "all":
        return None
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {number}")
    return number


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Parse and measure everything."""
    path, lengths = model_path(arguments), arguments.max_length
    tags, settings = tags_of(arguments, settings_of(arguments), gold=True)
    evalb = [f"{arguments.evalb}{suffix}" for suffix in EVALB_SUFFIXES] if arguments.evalb else []
    check_outputs([arguments.output, *evalb], arguments.treebanks, [str(path), arguments.prm, arguments.against])
    parameters = read_parameters(arguments.prm) if arguments.prm else COLLINS
    other = read_evalb_table(read_text(arguments.against), arguments.against) if arguments.against else None
    model = open_model(path)
    note_counts(console, model, settings)
    if tags != GOLD:
        need_tagger(model, f"--tags {tags}")
    provenance = provenance_of(arguments, model, settings, tags)
    digest = model.digest
    del model
    bad = BadTrees()
    golds = [tree.brackets() for tree in read_treebank(arguments.treebanks, bad if arguments.skip_bad else None)]
    if not golds:
        raise EngineError("there are no trees to evaluate on; name a treebank that has some")
    if other is not None and len(other.rows) != len(golds):
        raise EngineError(
            f"{arguments.against} has {size(len(other.rows), 'sentence')}, the treebank has {len(golds):,}"
        )
    if not arguments.cluster:
        compile_first(console)
    # A file of parses has a line for every tree, so then no sentence is too long.
    longest = None if arguments.output or evalb or other is not None else longest_of(lengths)
    make = partial(
        sentence_evaluator, settings=settings, longest=longest, gold_tags=tags == GOLD, parameters=parameters
    )
    evaluation = Evaluation.of(lengths)
    scores: list[SentenceScore] = []
    started = time.perf_counter()
    with (
        workers_of(arguments, console) as workers,
        _written(arguments.output) as file,
        _written_for_evalb(evalb) as files,
        console.bar("parsing") as bar,
    ):
        factory = WorkerFactory(path.resolve(), make, digest)
        for done, found in enumerate(ordered(factory, golds, workers, SENTENCES_AT_ONCE), 1):
            evaluation.add(found)
            # A sentence that was not parsed has no words, or too many: in evalb's table it has a row all the same.
            scores.append(found.score or score_pair(read_tree(golds[done - 1]), None, parameters))
            if file is not None:
                file.write(found.tree + "\n")
            if files is not None:
                files.add(golds[done - 1], found)
            bar.update(done / len(golds), f"{done:,} of {len(golds):,} sentences")
        table = table_of(scores, parameters.cutoff)
        if files is not None:
            files.table.write(str(table))
    elapsed = time.perf_counter() - started
    difference = compared(table, other) if other is not None else None
    if arguments.json:
        described = {
            **provenance.as_dict(),
            "lengths": evaluation.as_dict(),
            "skipped_trees": len(bad),
            "left_out": evaluation.left_out,
            "sentences": evaluation.parsed,
            "seconds": elapsed,
            "sentences_per_second": _rate(evaluation),
        }
        if other is not None and difference is not None:
            described["against"] = {**difference._asdict(), "f1": other.summary().f1, "here": table.summary().f1}
        print(json.dumps(described, ensure_ascii=False))
    else:
        print("\n".join([str(provenance), *_report(evaluation, bad, elapsed)]))
        if other is not None and difference is not None:
            where = f"better on {size(difference.better, 'sentence')}, worse on {difference.worse:,}"
            f1 = f"F1 {table.summary().f1:.2f} here, {other.summary().f1:.2f} there"
            print(f"against {arguments.against}: {f1}; {where}, the same on {difference.same:,}")
    return BAD_INPUT if bad else SUCCESS


def _rate(evaluation: Evaluation) -> float:
    """Sentences per second of parsing, one process."""
    return evaluation.parsed / evaluation.seconds if evaluation.seconds else 0.0


def _length_text(length: int | None) -> str:
    return "all" if length is None else f"<={length}"


def _report(evaluation: Evaluation, bad: BadTrees, elapsed: float) -> list[str]:
    lines = [summary_table(evaluation.summaries), ""]
    for length, tagging in evaluation.tagging.items():
        shares = tagging.as_dict()
        lines.append(
            f"{shares['tagger_accuracy']:.2f} % of {tagging.tokens:,} tokens ({_length_text(length)}) tagged right by "
            f"the tagger, {shares['parser_accuracy']:.2f} % in the parses"
        )
    for length, count in evaluation.fallbacks.items():
        further = evaluation.further_backoffs[length]
        found = trees_found(evaluation.summaries[length].sentences, further, count)
        lines.append(f"{_length_text(length)}: {found}")
    if evaluation.left_out:
        lines.append(f"{size(evaluation.left_out, 'tree')} left out: too long, or without words")
    if bad:
        lines.append(f"{size(len(bad), 'broken tree')} skipped, first: {bad.first}")
    rate = _rate(evaluation)
    lines.append(f"{evaluation.parsed:,} sentences in {elapsed:.1f} s; {rate:,.0f} sentences/s in one process")
    return lines


@contextmanager
def _written(path: str | None) -> Iterator[TextIO | None]:
    """Give a file written beside and renamed at the end, so that a failure leaves nothing behind."""
    if path is None:
        yield None
        return
    with replaced(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        yield file


class _EvalbFiles(NamedTuple):
    """The files of gold trees, parses and counts."""

    gold: TextIO
    test: TextIO
    table: TextIO

    def add(self, gold: str, found: SentenceEvaluation) -> None:
        """Write the trees of one sentence."""
        self.gold.write(evalb_line(clean(read_tree(gold), collapse=False)) + "\n")
        self.test.write(evalb_line(read_tree(found.tree) if found.tree else None) + "\n")


@contextmanager
def _written_for_evalb(names: Sequence[str]) -> Iterator[_EvalbFiles | None]:
    """Give the three files of one name, if they are wanted."""
    with ExitStack() as stack:
        files = [stack.enter_context(_written(name)) for name in names]
        yield _EvalbFiles(*(file for file in files if file is not None)) if files else None
