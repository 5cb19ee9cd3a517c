"""``parse-engine evaluate``: parse a treebank's sentences and compare with its trees."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

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
    provenance_of,
    settings_of,
    tags_of,
    workers_of,
)
from engine.cli.train_command import check_writable
from engine.common.errors import EngineError
from engine.common.files import replaced
from engine.common.parallel import SENTENCES_AT_ONCE, ordered
from engine.common.progress import Console
from engine.common.text_tables import size
from engine.evaluation.evaluation import Evaluation, longest_of, sentence_evaluator, trees_found
from engine.evaluation.parseval import summary_table
from engine.evaluation.tag_sources import GOLD
from engine.model.model import Model
from engine.model.worker_factory import WorkerFactory
from engine.trees.treebank import BadTrees, read_treebank

DEFAULT_LENGTHS = (40, 100)

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
    if arguments.output:
        check_writable(Path(arguments.output))
    model = Model.load(path)
    note_counts(console, model, settings)
    if tags != GOLD:
        need_tagger(model, f"--tags {tags}")
    provenance = provenance_of(arguments, model, settings, tags)
    del model
    bad = BadTrees()
    golds = [tree.brackets() for tree in read_treebank(arguments.treebanks, bad if arguments.skip_bad else None)]
    if not golds:
        raise EngineError("there are no trees to evaluate on; name a treebank that has some")
    if not arguments.cluster:
        compile_first(console)
    # A file of parses has a line for every tree, so then no sentence is too long.
    longest = None if arguments.output else longest_of(lengths)
    make = partial(sentence_evaluator, settings=settings, longest=longest, gold_tags=tags == GOLD)
    evaluation = Evaluation.of(lengths)
    started = time.perf_counter()
    with (
        workers_of(arguments, console) as workers,
        _written(arguments.output) as file,
        console.bar("parsing") as bar,
    ):
        factory = WorkerFactory(path.resolve(), make)
        for done, found in enumerate(ordered(factory, golds, workers, SENTENCES_AT_ONCE), 1):
            evaluation.add(found)
            if file is not None:
                file.write(found.tree + "\n")
            bar.update(done / len(golds), f"{done:,} of {len(golds):,} sentences")
    elapsed = time.perf_counter() - started
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
        print(json.dumps(described, ensure_ascii=False))
    else:
        print("\n".join([str(provenance), *_report(evaluation, bad, elapsed)]))
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
    """A file written beside and renamed at the end, so that a failure leaves nothing behind."""
    if path is None:
        yield None
        return
    with replaced(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        yield file
